//! From tokens to the syntax tree. An error ends its statement; the next one is read all the same.

use super::ast::{Assignment, Ast, Condition, Declaration, Expr, Header, Name, Node, Transition};
use super::hints;
use super::lex::{Keyword, Kind, Lexer, Token};
use super::{MAX_DIGITS, MAX_ERRORS, MAX_NESTING, MAX_OPERANDS};
use crate::program::{BinaryOp, Diagnostic, FileId, Span};

type Parsed<T> = Result<T, Diagnostic>;

/// Reads the statements of a file, and tells what could not be read.
pub(crate) fn parse<'a>(file: FileId, text: &'a str) -> (Ast<'a>, Vec<Diagnostic>) {
    let mut lexer = Lexer::new(file, text);
    let token = lexer.next();
    let mut parser = Parser { lexer, token, previous: token, operands: 0, nesting: 0 };
    let mut ast = Ast::default();
    let mut errors = Vec::new();
    if !matches!(token.kind, Kind::Keyword(Keyword::Program) | Kind::Eof) {
        errors.push(parser.no_header());
        ast.unread.program = true;
    }
    while parser.token.kind != Kind::Eof && errors.len() < MAX_ERRORS {
        let first = parser.token;
        parser.operands = 0;
        parser.nesting = 0;
        if let Err(error) = parser.statement(&mut ast) {
            errors.push(error);
            note_unread(&mut ast, first.kind);
            parser.skip_statement(first);
        }
    }
    (ast, errors)
}

/// Remembers that a statement was there, whatever is wrong with it.
fn note_unread(ast: &mut Ast<'_>, first: Kind) {
    match first {
        Kind::Keyword(Keyword::Program) => ast.unread.program = true,
        Kind::Keyword(Keyword::Init) => ast.unread.init = true,
        Kind::Keyword(Keyword::Safe) => ast.unread.safe = true,
        Kind::Keyword(Keyword::Expect) | Kind::Name => {}
        _ => ast.unread.declaration = true,
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The next token.
    token: Token,
    /// The token before it.
    previous: Token,
    /// How many operands the statement has so far.
    operands: usize,
    /// How deep in its expression the parser is.
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Token {
        self.previous = self.token;
        self.token = self.lexer.next();
        self.previous
    }

    fn take(&mut self, kind: Kind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, kind: Kind, what: &str) -> Parsed<Token> {
        if self.token.kind == kind { Ok(self.advance()) } else { Err(self.unexpected(what)) }
    }

    /// From the start of a token to the end of the one read last.
    fn span_from(&self, first: Token) -> Span {
        self.lexer.span(first).to(self.lexer.span(self.previous))
    }

    /// Goes to the statement after the one that started at that token: past its end, or to a keyword at the start
    /// of a line that only seems to continue it.
    fn skip_statement(&mut self, start: Token) {
        if self.previous.kind == Kind::End && self.token.start != start.start {
            return;
        }
        if self.token.start == start.start && self.token.kind != Kind::Eof {
            self.advance();
        }
        loop {
            match self.token.kind {
                Kind::Eof => return,
                Kind::Keyword(keyword) if keyword.starts_statement() && self.token.first => return,
                Kind::End => {
                    self.advance();
                    return;
                }
                _ => self.advance(),
            };
        }
    }

    /// A message that something else was expected here.
    fn unexpected(&self, what: &str) -> Diagnostic {
        let (token, text) = (self.token, self.lexer.slice(self.token));
        let span = self.lexer.span(token);
        let before = self.previous;
        let in_expression = matches!(before.kind, Kind::Name | Kind::Number | Kind::Close);
        if token.kind == Kind::End && before.kind.continues() {
            let last = self.lexer.slice(before);
            let error = Diagnostic::at(span, "the file ends in the middle of a statement", format!("expected {what}"));
            return error.hint(format!("a line that ends in `{last}` continues on the next"));
        }
        let message = format!("expected {what}, found {}", hints::describe(token.kind, text));
        let error = Diagnostic::at(span, message, format!("expected {what}"));
        let hint = match token.kind {
            Kind::Bad => hints::for_bad(text),
            Kind::Name if hints::for_word(text).is_some() => hints::for_word(text).map(str::to_owned),
            _ if before.kind == Kind::Name && hints::for_word(self.lexer.slice(before)).is_some() => {
                hints::for_word(self.lexer.slice(before)).map(str::to_owned)
            }
            Kind::Keyword(Keyword::Nondet) => Some(
                "`nondet` is a whole right-hand side, as in `x := nondet`; give it a variable of its own".to_owned(),
            ),
            _ if token.first && before.kind.continues() => {
                Some(format!("the line before ends in `{}`, so this line continues it", self.lexer.slice(before)))
            }
            Kind::Keyword(_) if !in_expression => Some(format!("`{text}` is a keyword and cannot be a name")),
            Kind::Colon if in_expression => {
                Some("a label starts a line; check how the line before ends, and write `:=` to assign".to_owned())
            }
            Kind::Colon if matches!(before.kind, Kind::Keyword(_)) => {
                Some(format!("`{}` is a keyword and cannot be a label", self.lexer.slice(before)))
            }
            Kind::Close if self.nesting == 0 => Some("there is no `(` for this `)`".to_owned()),
            Kind::Plus => Some("there is no unary `+`".to_owned()),
            Kind::End if !in_expression && !matches!(before.kind, Kind::Keyword(_)) => {
                Some("a line continues only if it ends in `&&`, `||`, `,`, `->` or `(`".to_owned())
            }
            Kind::Not if in_expression => Some("different is written `!=`".to_owned()),
            _ => None,
        };
        match hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }

    // Statements.

    /// A message that the file does not start with the `program` line.
    fn no_header(&self) -> Diagnostic {
        let span = self.lexer.span(self.token);
        let error =
            Diagnostic::at(span, "the first statement must be `program NAME`", "expected `program` before this");
        error.hint("put a line such as `program example` at the top")
    }

    /// One statement, its end included.
    fn statement(&mut self, ast: &mut Ast<'a>) -> Parsed<()> {
        let first = self.token;
        let line = self.lexer.line();
        match first.kind {
            Kind::Keyword(Keyword::Program) => self.program_line(ast)?,
            Kind::Keyword(Keyword::Control) => self.declarations(true, ast)?,
            Kind::Keyword(Keyword::Var) => self.declarations(false, ast)?,
            Kind::Keyword(Keyword::Init) => {
                let init = self.condition(line)?;
                if ast.init.is_some() {
                    let error = Diagnostic::at(init.span, "there are two `init` lines", "a second `init`");
                    return Err(error.hint("join the conditions by `&&` in one `init` line"));
                }
                ast.init = Some(init);
            }
            Kind::Keyword(Keyword::Safe) => {
                let property = self.condition(line)?;
                ast.properties.push(property);
            }
            Kind::Keyword(Keyword::Expect) => self.expectation()?,
            Kind::Name => {
                let label = self.name("a label")?;
                if self.token.kind != Kind::Colon {
                    ast.unread.declaration = true;
                    let message = format!("no statement starts with {}", hints::quote(label.text));
                    return Err(Diagnostic::at(label.span, message, "unknown").hint(hints::for_statement(label.text)));
                }
                let transition = self.transition(label, first)?;
                ast.transitions.push(transition);
            }
            _ => return Err(self.unexpected("a statement")),
        }
        Ok(())
    }

    /// The end of a statement; a wrong token there gets the message that fits what came before.
    fn end(&mut self, what: &str) -> Parsed<()> {
        self.expect(Kind::End, what).map(drop)
    }

    fn program_line(&mut self, ast: &mut Ast<'a>) -> Parsed<()> {
        let first = self.advance();
        let name = self.expect(Kind::Name, "the program's name")?;
        let span = self.span_from(first);
        self.end("the end of the line after the program's name")?;
        if ast.program.is_some() || ast.unread.program {
            let error = Diagnostic::at(span, "a `program` line that is not the first statement", "not here");
            return Err(error.hint("a file holds one program, and its first statement is the `program` line"));
        }
        ast.program = Some(Header { name: self.lexer.slice(name), span });
        Ok(())
    }

    fn declarations(&mut self, control: bool, ast: &mut Ast<'a>) -> Parsed<()> {
        self.advance();
        loop {
            let name = self.name("the name of a variable")?;
            ast.declarations.push(Declaration { name, control });
            if !self.take(Kind::Comma) {
                return self.end("`,` or the end of the line");
            }
        }
    }

    fn name(&mut self, what: &str) -> Parsed<Name<'a>> {
        let token = self.expect(Kind::Name, what)?;
        Ok(Name { text: self.lexer.slice(token), span: self.lexer.span(token) })
    }

    fn condition(&mut self, line: usize) -> Parsed<Condition> {
        let first = self.advance();
        let condition = self.expression()?;
        let span = self.span_from(first);
        if self.token.kind == Kind::Assign {
            return Err(self.unexpected("an operator or the end of the line").hint("equality is written `=`"));
        }
        self.end("an operator or the end of the line")?;
        Ok(Condition { condition, span, line })
    }

    fn expectation(&mut self) -> Parsed<()> {
        self.advance();
        let text = self.lexer.slice(self.token);
        if !matches!(text, "safe" | "unsafe") {
            return Err(self.unexpected("`safe` or `unsafe`"));
        }
        self.advance();
        self.end("the end of the line")
    }

    /// What comes after the label.
    fn transition(&mut self, label: Name<'a>, first: Token) -> Parsed<Transition<'a>> {
        self.advance();
        let guard = self.expression()?;
        if self.token.kind != Kind::Arrow {
            return Err(self.no_arrow(&guard));
        }
        self.advance();
        let mut assignments = Vec::new();
        loop {
            assignments.push(self.assignment()?);
            if !self.take(Kind::Comma) {
                break;
            }
        }
        let span = self.span_from(first);
        self.end("an operator, `,` or the end of the line")?;
        Ok(Transition { label, guard, assignments, span })
    }

    /// What is wrong where `->` should be after a guard.
    fn no_arrow(&self, guard: &Expr) -> Diagnostic {
        let error = self.unexpected("an operator or `->`");
        match (self.token.kind, &guard.node) {
            (Kind::Assign, Node::Implies(..)) => {
                error.hint("`->` separates guard and assignments; `=>` is implication")
            }
            (Kind::Assign, Node::Var(_)) => error.hint("a transition without a condition has the guard `true ->`"),
            (Kind::Assign, _) => error.hint("in a guard, equality is written `=`"),
            (Kind::End, _) => error.hint("a transition is written `label: guard -> variable := value, …`"),
            _ => error,
        }
    }

    fn assignment(&mut self) -> Parsed<Assignment<'a>> {
        let first = self.token;
        let target = self.name("a variable to assign")?;
        if self.token.kind != Kind::Assign {
            let error = self.unexpected("`:=`");
            let hint = match self.token.kind {
                Kind::Eq => "assignment is written `:=`",
                _ => "an assignment is written `variable := value`",
            };
            return Err(if error.hint.is_none() { error.hint(hint) } else { error });
        }
        self.advance();
        let value = if self.take(Kind::Keyword(Keyword::Nondet)) {
            if !matches!(self.token.kind, Kind::Comma | Kind::End) {
                let error = self.unexpected("`,` or the end of the line after `nondet`");
                return Err(error.hint("`nondet` is a whole right-hand side; give it a variable of its own"));
            }
            None
        } else {
            Some(self.expression()?)
        };
        Ok(Assignment { target, value, span: self.span_from(first) })
    }

    // Expressions, the loosest operator first.

    fn expression(&mut self) -> Parsed<Expr> {
        let first = self.token;
        let left = self.chain(Kind::Or, Node::Or, |p| p.chain(Kind::And, Node::And, Self::comparison))?;
        if !self.take(Kind::Implies) {
            return Ok(left);
        }
        let right = self.nested(Self::expression)?;
        Ok(self.expr(first, Node::Implies(Box::new(left), Box::new(right))))
    }

    fn expr(&self, first: Token, node: Node) -> Expr {
        Expr { node, span: self.span_from(first) }
    }

    /// One level deeper, if that is allowed.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            let message = format!("the expression is nested more than {MAX_NESTING} levels deep");
            let error = Diagnostic::at(self.lexer.span(self.previous), message, "one level too many");
            return Err(error.hint("drop needless parentheses, or split the expression with another variable"));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// Operands with that operator between them; a single one stands for itself.
    fn chain(
        &mut self,
        operator: Kind,
        node: fn(Vec<Expr>) -> Node,
        operand: impl Fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let first = self.token;
        let one = operand(self)?;
        if self.token.kind != operator {
            return Ok(one);
        }
        let mut all = vec![one];
        while self.take(operator) {
            all.push(operand(self)?);
        }
        Ok(self.expr(first, node(all)))
    }

    fn comparison(&mut self) -> Parsed<Expr> {
        let first = self.token;
        let left = self.sum()?;
        let Some(operator) = comparison_operator(self.token.kind) else { return Ok(left) };
        self.advance();
        let right = self.sum()?;
        if comparison_operator(self.token.kind).is_some() {
            let error =
                Diagnostic::at(self.lexer.span(self.token), "comparisons cannot be chained", "a second comparison");
            return Err(error.hint("write `a < b && b < c`"));
        }
        Ok(self.expr(first, Node::Compare(operator, Box::new(left), Box::new(right))))
    }

    fn sum(&mut self) -> Parsed<Expr> {
        let first = self.token;
        let one = self.product()?;
        if !matches!(self.token.kind, Kind::Plus | Kind::Minus) {
            return Ok(one);
        }
        let mut terms = vec![(false, one)];
        while matches!(self.token.kind, Kind::Plus | Kind::Minus) {
            let subtracted = self.advance().kind == Kind::Minus;
            terms.push((subtracted, self.product()?));
        }
        Ok(self.expr(first, Node::Sum(terms)))
    }

    fn product(&mut self) -> Parsed<Expr> {
        self.chain(Kind::Star, Node::Product, Self::unary)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let first = self.token;
        let node: fn(Box<Expr>) -> Node = match first.kind {
            Kind::Not => Node::Not,
            Kind::Minus => Node::Neg,
            _ => return self.primary(),
        };
        self.advance();
        let operand = self.nested(Self::unary)?;
        Ok(self.expr(first, node(Box::new(operand))))
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let first = self.token;
        self.operands += 1;
        if self.operands > MAX_OPERANDS {
            let message = format!("the statement has more than {MAX_OPERANDS} operands");
            return Err(Diagnostic::at(self.lexer.span(first), message, "one too many").hint("split the statement"));
        }
        let node = match first.kind {
            Kind::Name => Node::Var(self.lexer.span(first)),
            Kind::Number => Node::Int(self.number()?),
            Kind::Keyword(Keyword::True) => Node::Bool(true),
            Kind::Keyword(Keyword::False) => Node::Bool(false),
            Kind::Open => return self.parenthesised(),
            _ => return Err(self.unexpected("an expression")),
        };
        self.advance();
        Ok(self.expr(first, node))
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        let open = self.advance();
        let mut inner = self.nested(Self::expression)?;
        let cut_off = matches!(self.token.kind, Kind::End | Kind::Arrow | Kind::Comma | Kind::Assign);
        if cut_off && !self.previous.kind.continues() {
            let error =
                Diagnostic::at(self.lexer.span(open), "this `(` is not closed in its statement", "no `)` for this");
            let hint = "add `)`; a line continues only if it ends in `&&`, `||`, `,`, `->` or `(`";
            return Err(error.hint(hint));
        }
        self.expect(Kind::Close, "an operator or `)`")?;
        inner.span = self.span_from(open);
        Ok(inner)
    }

    fn number(&self) -> Parsed<crate::term::Integer> {
        let text = self.lexer.slice(self.token);
        if text.len() > MAX_DIGITS {
            let message = format!("the number has more than {MAX_DIGITS} digits");
            return Err(Diagnostic::at(self.lexer.span(self.token), message, "too long"));
        }
        Ok(text.parse().expect("decimal digits are an integer"))
    }
}

fn comparison_operator(kind: Kind) -> Option<BinaryOp> {
    match kind {
        Kind::Eq => Some(BinaryOp::Eq),
        Kind::Ne => Some(BinaryOp::Ne),
        Kind::Lt => Some(BinaryOp::Lt),
        Kind::Le => Some(BinaryOp::Le),
        Kind::Gt => Some(BinaryOp::Gt),
        Kind::Ge => Some(BinaryOp::Ge),
        _ => None,
    }
}
