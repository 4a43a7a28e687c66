//! The parser: recursive descent over all tokens, with the names that are types tracked by scope.

mod attribute;
mod declaration;
mod declarator;
mod expression;
mod statement;
mod types;

use super::ast::{Expr, ExprId, ExprKind, Item, Stmt, StmtId, StmtKind, Unit};
use super::lex::{Kind, Token, Tokens};
use super::names::{Names, ScopedMap, Symbol};
use super::{MAX_ERRORS, MAX_NESTING};
use crate::program::{Diagnostic, IdVec, Span};

/// Builds the syntax tree of a whole file. What could not be read is missing from it and told in the messages.
pub fn parse(tokens: Tokens, names: Names) -> (Unit, Vec<Diagnostic>) {
    let unit = Unit { items: Vec::new(), exprs: IdVec::new(), stmts: IdVec::new(), names };
    let Tokens { tokens, packs, errors, .. } = tokens;
    let mut parser = Parser { tokens, packs, position: 0, types: ScopedMap::new(), depth: 0, errors, unit };
    parser.unit_items();
    (parser.unit, parser.errors)
}

/// A message has been given; the caller finds a place to go on.
#[derive(Debug)]
struct Stop;

type Parsed<T> = Result<T, Stop>;

struct Parser {
    tokens: Vec<Token>,
    /// See [`Tokens::packs`].
    packs: Vec<(u32, u32)>,
    /// The next token.
    position: usize,
    /// Whether each name is that of a type.
    types: ScopedMap<bool>,
    /// How deep the recursion is.
    depth: usize,
    errors: Vec<Diagnostic>,
    unit: Unit,
}

impl Parser {
    fn unit_items(&mut self) {
        while !self.at(Kind::Eof) && self.errors.len() < MAX_ERRORS {
            let start = self.position;
            match self.item() {
                Ok(item) => self.unit.items.extend(item),
                Err(Stop) => self.skip_item(start),
            }
        }
    }

    fn item(&mut self) -> Parsed<Option<Item>> {
        if self.eat(Kind::Semicolon) {
            return Ok(None);
        }
        if self.at(Kind::Asm) {
            self.asm()?;
            self.expect(Kind::Semicolon, "after the assembly")?;
            return Ok(None);
        }
        self.external_declaration().map(Some)
    }

    /// Goes on after a wrong declaration: behind the next `;` or block that ends outside of all braces.
    fn skip_item(&mut self, start: usize) {
        let wrong = self.position;
        let in_braces = self.tokens[start..wrong].iter().any(|token| token.kind == Kind::LeftBrace);
        if !in_braces && self.is_next_start(start) {
            return;
        }
        self.position = start;
        let mut braces = 0usize;
        loop {
            let token = self.bump();
            match token.kind {
                Kind::Eof => return,
                Kind::LeftBrace => braces += 1,
                Kind::RightBrace => {
                    braces = braces.saturating_sub(1);
                    // A structure is followed by a declarator, a function body by nothing.
                    let ends =
                        self.at(Kind::Semicolon) || !matches!(self.kind(), Kind::Name | Kind::Star | Kind::Comma);
                    if braces == 0 && self.position > wrong && ends {
                        self.eat(Kind::Semicolon);
                        return;
                    }
                }
                Kind::Semicolon if braces == 0 && self.position > wrong => return,
                _ => {}
            }
        }
    }

    #[inline]
    fn token(&self) -> Token {
        self.tokens[self.position]
    }

    #[inline]
    fn kind(&self) -> Kind {
        self.tokens[self.position].kind
    }

    /// The kind of a later token.
    fn ahead(&self, distance: usize) -> Kind {
        self.tokens.get(self.position + distance).map_or(Kind::Eof, |token| token.kind)
    }

    #[inline]
    fn at(&self, kind: Kind) -> bool {
        self.kind() == kind
    }

    /// Takes the next token; the end of the file stays.
    #[inline]
    fn bump(&mut self) -> Token {
        let token = self.tokens[self.position];
        if token.kind != Kind::Eof {
            self.position += 1;
        }
        token
    }

    #[inline]
    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// The span from a token to the one taken last.
    fn span_from(&self, start: Span) -> Span {
        let last = self.tokens[self.position.saturating_sub(1)].span;
        if last.file == start.file && last.end >= start.start { start.to(last) } else { start }
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// Takes a token of that kind, or says that it is missing. What comes behind the token before is what is wrong,
    /// so the message points there when the line ends.
    fn expect(&mut self, kind: Kind, place: &str) -> Parsed<Token> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        self.missing(&format!("{} {place}", kind.text()))
    }

    fn missing<T>(&mut self, what: &str) -> Parsed<T> {
        let token = self.token();
        let found = self.describe(token);
        let label = if token.kind == Kind::Eof { "the file ends here".to_owned() } else { format!("not {found}") };
        self.error(Diagnostic::at(token.span, format!("expected {what}, but found {found}"), label))
    }

    fn describe(&self, token: Token) -> String {
        match token.kind {
            Kind::Name | Kind::Number | Kind::Char => format!("`{}`", self.unit.names.text(token.symbol)),
            Kind::Str => "a string".to_owned(),
            kind => kind.text().to_owned(),
        }
    }

    fn error<T>(&mut self, error: Diagnostic) -> Parsed<T> {
        // A second message about the same place tells nothing new.
        if self.errors.last().is_none_or(|last| last.span != error.span) {
            self.errors.push(error);
        }
        Err(Stop)
    }

    fn refuse<T>(&mut self, span: Span, what: &str) -> Parsed<T> {
        self.error(Diagnostic::at(span, format!("{what} not supported"), "used here"))
    }

    /// Goes one level deeper; every recursion passes through here.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            let message = format!("this nests more than {MAX_NESTING} levels deep");
            let error = Diagnostic::at(self.span(), message, "the innermost level").hint("split it up");
            return self.error(error);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Opens a scope for the names of types.
    fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.types.open();
        let result = inner(self);
        self.types.close();
        result
    }

    fn is_type_name(&self, symbol: Symbol) -> bool {
        self.types.get(symbol).copied().unwrap_or(false)
    }

    fn expr(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.unit.exprs.push(Expr { kind, span })
    }

    fn stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.unit.stmts.push(Stmt { kind, span })
    }

    /// The `#pragma pack` at the next token.
    fn pack(&self) -> u32 {
        let index = self.packs.partition_point(|(token, _)| *token as usize <= self.position);
        index.checked_sub(1).map_or(0, |i| self.packs[i].1)
    }

    /// Items separated by commas, up to a closing token that is not taken.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(Kind::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }
}
