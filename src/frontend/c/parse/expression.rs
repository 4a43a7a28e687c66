//! Expressions. Chains of left-associative operators are read in a loop.

use super::{Parsed, Parser, Stop};
use crate::frontend::c::MAX_NESTING;
use crate::frontend::c::ast::{BinaryOp, Designator, ExprId, ExprKind, TypeName, UnaryOp};
use crate::frontend::c::lex::{Kind, Token};
use crate::program::{Diagnostic, Span};

/// The precedence of a binary operator, higher binds tighter, and the operator.
fn binary_operator(kind: Kind) -> Option<(u8, BinaryOp)> {
    Some(match kind {
        Kind::PipePipe => (1, BinaryOp::LogicalOr),
        Kind::AmpAmp => (2, BinaryOp::LogicalAnd),
        Kind::Pipe => (3, BinaryOp::Or),
        Kind::Caret => (4, BinaryOp::Xor),
        Kind::Amp => (5, BinaryOp::And),
        Kind::EqEq => (6, BinaryOp::Eq),
        Kind::Ne => (6, BinaryOp::Ne),
        Kind::Lt => (7, BinaryOp::Lt),
        Kind::Gt => (7, BinaryOp::Gt),
        Kind::Le => (7, BinaryOp::Le),
        Kind::Ge => (7, BinaryOp::Ge),
        Kind::Shl => (8, BinaryOp::Shl),
        Kind::Shr => (8, BinaryOp::Shr),
        Kind::Plus => (9, BinaryOp::Add),
        Kind::Minus => (9, BinaryOp::Sub),
        Kind::Star => (10, BinaryOp::Mul),
        Kind::Slash => (10, BinaryOp::Div),
        Kind::Percent => (10, BinaryOp::Rem),
        _ => return None,
    })
}

fn assignment_operator(kind: Kind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        Kind::Eq => None,
        Kind::PlusEq => Some(BinaryOp::Add),
        Kind::MinusEq => Some(BinaryOp::Sub),
        Kind::StarEq => Some(BinaryOp::Mul),
        Kind::SlashEq => Some(BinaryOp::Div),
        Kind::PercentEq => Some(BinaryOp::Rem),
        Kind::AmpEq => Some(BinaryOp::And),
        Kind::PipeEq => Some(BinaryOp::Or),
        Kind::CaretEq => Some(BinaryOp::Xor),
        Kind::ShlEq => Some(BinaryOp::Shl),
        Kind::ShrEq => Some(BinaryOp::Shr),
        _ => return None,
    })
}

fn unary_operator(kind: Kind) -> Option<UnaryOp> {
    Some(match kind {
        Kind::Minus => UnaryOp::Minus,
        Kind::Plus => UnaryOp::Plus,
        Kind::Bang => UnaryOp::Not,
        Kind::Tilde => UnaryOp::Complement,
        Kind::Star => UnaryOp::Deref,
        Kind::Amp => UnaryOp::Address,
        _ => return None,
    })
}

impl Parser {
    /// An expression with commas.
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let mut left = self.assignment()?;
        while self.eat(Kind::Comma) {
            let right = self.assignment()?;
            left = self.expr(ExprKind::Binary(BinaryOp::Comma, left, right), self.span_from(start));
        }
        Ok(left)
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let left = self.conditional()?;
        let Some(op) = assignment_operator(self.kind()) else { return Ok(left) };
        self.bump();
        let right = self.nested(Parser::assignment)?;
        Ok(self.expr(ExprKind::Assign(op, left, right), self.span_from(start)))
    }

    /// An expression without commas and assignments, as constants are.
    pub(super) fn conditional(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let condition = self.binary(0)?;
        if !self.eat(Kind::Question) {
            return Ok(condition);
        }
        let middle = if self.at(Kind::Colon) { None } else { Some(self.nested(Parser::expression)?) };
        self.expect(Kind::Colon, "between the results of `?`")?;
        let otherwise = self.nested(Parser::conditional)?;
        Ok(self.expr(ExprKind::Conditional(condition, middle, otherwise), self.span_from(start)))
    }

    /// Operators that bind tighter than the given precedence.
    fn binary(&mut self, above: u8) -> Parsed<ExprId> {
        let start = self.span();
        let mut left = self.unary()?;
        while let Some((precedence, op)) = binary_operator(self.kind()).filter(|(p, _)| *p > above) {
            self.bump();
            let right = self.binary(precedence)?;
            left = self.expr(ExprKind::Binary(op, left, right), self.span_from(start));
        }
        Ok(left)
    }

    /// Prefix operators, casts, and what they apply to.
    fn unary(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        if let Some(op) = unary_operator(self.kind()) {
            if self.at(Kind::Amp) && self.ahead(1) == Kind::AmpAmp {
                return self.missing("an operand of `&`");
            }
            self.bump();
            let operand = self.nested(Parser::unary)?;
            return Ok(self.expr(ExprKind::Unary(op, operand), self.span_from(start)));
        }
        match self.kind() {
            Kind::PlusPlus | Kind::MinusMinus => {
                let is_decrement = self.bump().kind == Kind::MinusMinus;
                let operand = self.nested(Parser::unary)?;
                let kind = ExprKind::Increment { operand, is_decrement, is_postfix: false };
                Ok(self.expr(kind, self.span_from(start)))
            }
            Kind::Extension => {
                self.bump();
                self.nested(Parser::unary)
            }
            Kind::Sizeof | Kind::Alignof | Kind::GnuAlignof => self.sizeof(),
            Kind::AmpAmp => self.refuse(start, "the address of a label (`&&label`) is"),
            Kind::Real | Kind::Imag => self.refuse(start, "complex numbers are"),
            Kind::LeftParen if self.starts_type_at(1) => self.cast(),
            _ => self.postfix(),
        }
    }

    fn sizeof(&mut self) -> Parsed<ExprId> {
        let keyword = self.bump();
        let gnu = keyword.kind == Kind::GnuAlignof;
        if self.at(Kind::LeftParen) && self.starts_type_at(1) {
            let open = self.span();
            self.bump();
            let ty = Box::new(self.nested(Parser::type_name)?);
            self.expect(Kind::RightParen, "after the type")?;
            if self.at(Kind::LeftBrace) && keyword.kind == Kind::Sizeof {
                let literal = self.compound_literal(*ty, open)?;
                let operand = self.postfix_of(literal, open)?;
                return Ok(self.expr(ExprKind::SizeofExpr(operand), self.span_from(keyword.span)));
            }
            let kind =
                if keyword.kind == Kind::Sizeof { ExprKind::SizeofType(ty) } else { ExprKind::AlignofType(ty, gnu) };
            return Ok(self.expr(kind, self.span_from(keyword.span)));
        }
        let operand = self.nested(Parser::unary)?;
        let is_sizeof = keyword.kind == Kind::Sizeof;
        let kind = if is_sizeof { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand, gnu) };
        Ok(self.expr(kind, self.span_from(keyword.span)))
    }

    fn cast(&mut self) -> Parsed<ExprId> {
        let start = self.bump().span;
        let ty = self.nested(Parser::type_name)?;
        self.expect(Kind::RightParen, "after the type")?;
        if self.at(Kind::LeftBrace) {
            let literal = self.compound_literal(ty, start)?;
            return self.postfix_of(literal, start);
        }
        let operand = self.nested(Parser::unary)?;
        Ok(self.expr(ExprKind::Cast(Box::new(ty), operand), self.span_from(start)))
    }

    fn compound_literal(&mut self, ty: TypeName, start: Span) -> Parsed<ExprId> {
        let init = self.nested(Parser::initialiser)?;
        Ok(self.expr(ExprKind::CompoundLiteral(Box::new(ty), Box::new(init)), self.span_from(start)))
    }

    fn postfix(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let first = self.primary()?;
        self.postfix_of(first, start)
    }

    fn postfix_of(&mut self, first: ExprId, start: Span) -> Parsed<ExprId> {
        let mut left = first;
        for _ in 0..MAX_NESTING {
            let kind = match self.kind() {
                Kind::LeftBracket => {
                    self.bump();
                    let index = self.nested(Parser::expression)?;
                    self.expect(Kind::RightBracket, "after the index")?;
                    ExprKind::Index(left, index)
                }
                Kind::LeftParen => {
                    self.bump();
                    let mut arguments = Vec::new();
                    if !self.at(Kind::RightParen) {
                        arguments = self.list(|p| p.nested(Parser::assignment))?;
                    }
                    self.expect(Kind::RightParen, "after the arguments")?;
                    ExprKind::Call(left, arguments.into())
                }
                Kind::Dot | Kind::Arrow => {
                    let is_arrow = self.bump().kind == Kind::Arrow;
                    let name = self.expect(Kind::Name, "of a member")?.symbol;
                    if is_arrow { ExprKind::Arrow(left, name) } else { ExprKind::Member(left, name) }
                }
                Kind::PlusPlus | Kind::MinusMinus => {
                    let is_decrement = self.bump().kind == Kind::MinusMinus;
                    ExprKind::Increment { operand: left, is_decrement, is_postfix: true }
                }
                _ => return Ok(left),
            };
            left = self.expr(kind, self.span_from(start));
        }
        let message = format!("this has more than {MAX_NESTING} operators in a row");
        self.error(Diagnostic::at(self.span(), message, "here").hint("split it up"))
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        let token = self.token();
        let span = token.span;
        match token.kind {
            Kind::Name => {
                self.bump();
                Ok(self.expr(ExprKind::Name(token.symbol), span))
            }
            Kind::Number => {
                self.bump();
                Ok(self.expr(ExprKind::Number(token.symbol), span))
            }
            Kind::Char => {
                self.bump();
                Ok(self.expr(ExprKind::Char(token.symbol), span))
            }
            Kind::Str => Ok(self.string()),
            Kind::LeftParen => self.parenthesised(),
            Kind::Generic => self.generic(),
            Kind::VaArg | Kind::Offsetof | Kind::TypesCompatible | Kind::ChooseExpr => self.builtin(token),
            _ => self.missing("an expression"),
        }
    }

    fn string(&mut self) -> ExprId {
        let start = self.span();
        let mut pieces = Vec::with_capacity(1);
        while self.at(Kind::Str) {
            pieces.push(self.bump().symbol);
        }
        self.expr(ExprKind::Str(pieces.into()), self.span_from(start))
    }

    fn parenthesised(&mut self) -> Parsed<ExprId> {
        let open = self.bump().span;
        if self.at(Kind::LeftBrace) {
            let body = self.nested(Parser::compound)?;
            self.expect(Kind::RightParen, "after the statement expression")?;
            return Ok(self.expr(ExprKind::Statement(body), self.span_from(open)));
        }
        let inner = self.nested(Parser::expression)?;
        if self.eat(Kind::RightParen) {
            return Ok(inner);
        }
        let found = self.describe(self.token());
        let message = format!("expected `)`, but found {found}");
        let line = Diagnostic::at(self.span(), message, "the parenthesis should be closed before this");
        self.error(line)
    }

    fn generic(&mut self) -> Parsed<ExprId> {
        let start = self.bump().span;
        self.expect(Kind::LeftParen, "after `_Generic`")?;
        let control = self.nested(Parser::assignment)?;
        self.expect(Kind::Comma, "after the expression whose type decides")?;
        let choices = self.list(|p| {
            let ty = if p.eat(Kind::Default) { None } else { Some(p.nested(Parser::type_name)?) };
            p.expect(Kind::Colon, "after the type")?;
            Ok((ty, p.nested(Parser::assignment)?))
        })?;
        self.expect(Kind::RightParen, "after the choices")?;
        Ok(self.expr(ExprKind::Generic(control, choices.into()), self.span_from(start)))
    }

    fn builtin(&mut self, keyword: Token) -> Parsed<ExprId> {
        self.bump();
        self.expect(Kind::LeftParen, "after the name")?;
        let kind = match keyword.kind {
            Kind::VaArg => {
                let list = self.nested(Parser::assignment)?;
                self.expect(Kind::Comma, "before the type")?;
                ExprKind::VaArg(list, Box::new(self.nested(Parser::type_name)?))
            }
            Kind::Offsetof => {
                let ty = self.nested(Parser::type_name)?;
                self.expect(Kind::Comma, "before the member")?;
                ExprKind::Offsetof(Box::new(ty), self.member_path()?)
            }
            Kind::TypesCompatible => {
                let left = self.nested(Parser::type_name)?;
                self.expect(Kind::Comma, "between the types")?;
                ExprKind::TypesCompatible(Box::new((left, self.nested(Parser::type_name)?)))
            }
            _ => {
                let parts = self.list(|p| p.nested(Parser::assignment))?;
                match <[ExprId; 3]>::try_from(parts) {
                    Ok(three) => ExprKind::Choose(Box::new(three)),
                    Err(_) => return self.missing("three arguments"),
                }
            }
        };
        self.expect(Kind::RightParen, "after the arguments")?;
        Ok(self.expr(kind, self.span_from(keyword.span)))
    }

    /// The member of `offsetof`: `a.b[3].c`.
    fn member_path(&mut self) -> Parsed<Box<[Designator]>> {
        let first = self.expect(Kind::Name, "of a member")?;
        let mut path = vec![Designator::Field(first.symbol, first.span)];
        loop {
            match self.kind() {
                Kind::Dot | Kind::Arrow => {
                    if self.bump().kind == Kind::Arrow {
                        let zero = self.unit.names.intern("0");
                        path.push(Designator::Index(self.expr(ExprKind::Number(zero), first.span)));
                    }
                    let name = self.expect(Kind::Name, "of a member")?;
                    path.push(Designator::Field(name.symbol, name.span));
                }
                Kind::LeftBracket => {
                    self.bump();
                    path.push(Designator::Index(self.nested(Parser::expression)?));
                    self.expect(Kind::RightBracket, "after the index")?;
                }
                _ => return Ok(path.into()),
            }
        }
    }

    /// An expression in parentheses, as `if` and `while` have it.
    pub(super) fn controlling(&mut self, of: &str) -> Parsed<ExprId> {
        self.expect(Kind::LeftParen, &format!("after `{of}`"))?;
        let condition = self.nested(Parser::expression)?;
        if !self.at(Kind::RightParen) {
            self.missing::<()>(&format!("`)` after the condition of `{of}`")).map_err(|Stop| Stop)?;
        }
        self.bump();
        Ok(condition)
    }
}
