//! Statements. A wrong one is left out, so that the next ones are read.

use super::{Parsed, Parser, Stop};
use crate::frontend::c::MAX_ERRORS;
use crate::frontend::c::ast::{ExprId, ForParts, Label, StmtId, StmtKind};
use crate::frontend::c::lex::Kind;
use crate::program::Diagnostic;

impl Parser {
    /// A block with a scope of its own.
    pub(super) fn compound(&mut self) -> Parsed<StmtId> {
        self.scoped(Parser::compound_in_scope)
    }

    /// A block in the scope that is open, as the body of a function is in that of its parameters.
    pub(super) fn compound_in_scope(&mut self) -> Parsed<StmtId> {
        let open = self.expect(Kind::LeftBrace, "before the statements")?.span;
        let mut items = Vec::new();
        while !self.at(Kind::RightBrace) {
            if self.at(Kind::Eof) {
                let error = Diagnostic::at(open, "this block does not end", "opened here");
                return self.error(error.hint("a `}` is missing"));
            }
            let start = self.position;
            match self.block_item() {
                Ok(item) => items.push(item),
                Err(Stop) if self.errors.len() < MAX_ERRORS => self.skip_statement(start),
                Err(Stop) => return Err(Stop),
            }
        }
        self.bump();
        Ok(self.stmt(StmtKind::Compound(items.into()), self.span_from(open)))
    }

    /// Goes on after a wrong statement: behind the next `;` or block, or at the end of the block around.
    fn skip_statement(&mut self, start: usize) {
        if self.is_next_start(start) {
            return;
        }
        let mut braces = 0usize;
        loop {
            match self.kind() {
                Kind::Eof => return,
                Kind::RightBrace if braces == 0 => return,
                Kind::LeftBrace => braces += 1,
                Kind::RightBrace => braces -= 1,
                _ => {}
            }
            let kind = self.bump().kind;
            if braces == 0 && matches!(kind, Kind::Semicolon | Kind::RightBrace) {
                return;
            }
        }
    }

    /// Whether what follows a wrong statement or declaration, which began at a token and is wrong at the next one, looks
    /// like the start of another: a `;` was forgotten.
    pub(super) fn is_next_start(&self, start: usize) -> bool {
        use Kind::*;
        let mut parens = 0isize;
        for token in &self.tokens[start..self.position] {
            match token.kind {
                LeftParen | LeftBracket => parens += 1,
                RightParen | RightBracket => parens -= 1,
                _ => {}
            }
        }
        let is_keyword =
            matches!(self.kind(), If | While | For | Do | Switch | Return | Goto | Break | Continue | Case);
        parens == 0 && self.position > start && (is_keyword || self.starts_declaration())
    }

    fn block_item(&mut self) -> Parsed<StmtId> {
        if self.at(Kind::Label) {
            return self.refuse(self.span(), "`__label__` is");
        }
        if self.starts_declaration() {
            return self.declaration_statement();
        }
        if self.at(Kind::Name) && self.ahead(1) == Kind::Name {
            return self.missing_type("a statement");
        }
        self.nested(Parser::statement)
    }

    fn declaration_statement(&mut self) -> Parsed<StmtId> {
        let declaration = self.nested(Parser::declaration)?;
        let span = declaration.span;
        Ok(self.stmt(StmtKind::Declaration(Box::new(declaration)), span))
    }

    fn statement(&mut self) -> Parsed<StmtId> {
        let start = self.span();
        let kind = match self.kind() {
            Kind::LeftBrace => return self.compound(),
            Kind::If => self.if_chain()?,
            Kind::While => {
                self.bump();
                let condition = self.controlling("while")?;
                StmtKind::While(condition, self.nested(Parser::statement)?)
            }
            Kind::Do => {
                self.bump();
                let body = self.nested(Parser::statement)?;
                self.expect(Kind::While, "after the body of `do`")?;
                let condition = self.controlling("while")?;
                self.expect(Kind::Semicolon, "after `do … while`")?;
                StmtKind::DoWhile(body, condition)
            }
            Kind::For => self.scoped(Parser::for_loop)?,
            Kind::Switch => {
                self.bump();
                let value = self.controlling("switch")?;
                StmtKind::Switch(value, self.nested(Parser::statement)?)
            }
            Kind::Case | Kind::Default => self.labeled()?,
            Kind::Name if self.ahead(1) == Kind::Colon => self.labeled()?,
            Kind::Asm => {
                let asm = self.asm()?;
                self.expect(Kind::Semicolon, "after the assembly")?;
                return Ok(asm);
            }
            _ => self.simple_statement()?,
        };
        Ok(self.stmt(kind, self.span_from(start)))
    }

    /// A statement that ends with its semicolon.
    fn simple_statement(&mut self) -> Parsed<StmtKind> {
        let (kind, what) = match self.kind() {
            Kind::Semicolon => (StmtKind::Empty, ""),
            Kind::Goto => {
                self.bump();
                if self.at(Kind::Star) {
                    return self.refuse(self.span(), "a computed `goto` is");
                }
                (StmtKind::Goto(self.expect(Kind::Name, "of a label")?.symbol), "after `goto`")
            }
            Kind::Break => {
                self.bump();
                (StmtKind::Break, "after `break`")
            }
            Kind::Continue => {
                self.bump();
                (StmtKind::Continue, "after `continue`")
            }
            Kind::Return => {
                self.bump();
                let value = if self.at(Kind::Semicolon) { None } else { Some(self.expression()?) };
                (StmtKind::Return(value), "after the `return`")
            }
            Kind::Else => {
                let error = Diagnostic::at(self.span(), "an `else` without an `if`", "no `if` is open here");
                return self.error(error.hint("braces or a `;` before it may be wrong"));
            }
            _ if self.starts_declaration() => {
                let error = Diagnostic::at(self.span(), "a declaration where a statement is needed", "declares");
                return self.error(error.hint("put it into braces"));
            }
            _ => (StmtKind::Expr(self.expression()?), "after the expression"),
        };
        self.expect(Kind::Semicolon, what)?;
        Ok(kind)
    }

    /// `if` with all its `else if`: chains of thousands are usual in generated programs.
    fn if_chain(&mut self) -> Parsed<StmtKind> {
        let mut arms = Vec::new();
        loop {
            self.bump();
            let condition = self.controlling("if")?;
            arms.push((condition, self.nested(Parser::statement)?));
            if !self.eat(Kind::Else) {
                return Ok(StmtKind::If(arms.into(), None));
            }
            if !self.at(Kind::If) {
                let otherwise = self.nested(Parser::statement)?;
                return Ok(StmtKind::If(arms.into(), Some(otherwise)));
            }
        }
    }

    fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let open = self.position;
        let (init, condition, step) = match self.for_header() {
            Ok(header) => header,
            Err(Stop) => {
                self.skip_header(open);
                (None, None, None)
            }
        };
        let body = self.nested(Parser::statement)?;
        Ok(StmtKind::For(Box::new(ForParts { init, condition, step, body })))
    }

    fn for_header(&mut self) -> Parsed<(Option<StmtId>, Option<ExprId>, Option<ExprId>)> {
        self.expect(Kind::LeftParen, "after `for`")?;
        let mut init = None;
        if self.starts_declaration() {
            init = Some(self.declaration_statement()?);
        } else {
            let span = self.span();
            if !self.at(Kind::Semicolon) {
                let first = self.expression()?;
                init = Some(self.stmt(StmtKind::Expr(first), self.span_from(span)));
            }
            self.expect(Kind::Semicolon, "after the start of `for`")?;
        }
        let condition = if self.at(Kind::Semicolon) { None } else { Some(self.expression()?) };
        self.expect(Kind::Semicolon, "after the condition of `for`")?;
        let step = if self.at(Kind::RightParen) { None } else { Some(self.expression()?) };
        self.expect(Kind::RightParen, "after the head of `for`")?;
        Ok((init, condition, step))
    }

    /// Goes on behind the head of a `for`, whose parenthesis is there, after an error inside.
    fn skip_header(&mut self, open: usize) {
        let wrong = self.position;
        self.position = open;
        let mut parens = 0usize;
        loop {
            match self.kind() {
                Kind::LeftParen => parens += 1,
                Kind::RightParen => parens = parens.saturating_sub(1),
                Kind::LeftBrace | Kind::RightBrace | Kind::Eof => break,
                _ => {}
            }
            self.bump();
            if parens == 0 && self.position > wrong {
                return;
            }
        }
        self.position = self.position.max(wrong);
    }

    /// Labels in a row, and the statement behind them; at the end of a block there need not be one.
    fn labeled(&mut self) -> Parsed<StmtKind> {
        let mut labels = Vec::new();
        loop {
            let token = self.token();
            match token.kind {
                Kind::Case => {
                    self.bump();
                    let first = self.conditional()?;
                    let last = if self.eat(Kind::Ellipsis) { Some(self.conditional()?) } else { None };
                    labels.push(Label::Case(first, last, self.span_from(token.span)));
                }
                Kind::Default => {
                    self.bump();
                    labels.push(Label::Default(token.span));
                }
                Kind::Name if self.ahead(1) == Kind::Colon => {
                    self.bump();
                    labels.push(Label::Name(token.symbol, token.span));
                }
                _ => break,
            }
            self.expect(Kind::Colon, "after the label")?;
            self.attributes(&mut Vec::new())?;
        }
        let body = if self.at(Kind::RightBrace) {
            self.stmt(StmtKind::Empty, self.span())
        } else if self.starts_declaration() {
            self.declaration_statement()?
        } else {
            self.nested(Parser::statement)?
        };
        Ok(StmtKind::Labeled(labels.into(), body))
    }
}
