//! Reading expressions, without recursion: input nested a million deep gets a message, not a crash.

use super::lex::{Kind, is_reserved, type_of_word};
use super::parse::{Parsed, Parser, Reported};
use super::print::{AND_LEVEL, Binding, OR_LEVEL, binding};
use crate::program::{BinaryOp, Expr, FloatKind, MAX_DEPTH, Type, UnaryOp};
use crate::term::Integer;

/// How much may be open at once: a valid expression as it is printed never needs more.
const MAX_OPEN: usize = 4 * MAX_DEPTH;

/// An expression with how deep it is nested.
type Deep = (Expr, usize);

/// What is begun and waits for an operand.
enum Open {
    Prefix(UnaryOp),
    Infix(BinaryOp, Binding, Deep),
    Connective { level: u8, operands: Vec<Deep> },
    Group { function: Function, close: &'static str, operands: Vec<Deep> },
}

/// What is done with the operands between parentheses.
#[derive(Clone, Copy)]
enum Function {
    Parentheses,
    Ite,
    And,
    Or,
    Unary(UnaryOp),
    Binary(BinaryOp),
    Cast(Type),
    Load(Type),
}

/// What stands between two operands.
enum Infix {
    Operator(BinaryOp, Binding),
    Connective(u8),
}

impl Infix {
    fn level(&self) -> u8 {
        match self {
            Infix::Operator(_, binding) => binding.level,
            Infix::Connective(level) => *level,
        }
    }
}

impl Parser<'_> {
    /// Reads an expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let mut open: Vec<Open> = Vec::new();
        'operand: loop {
            if open.len() > MAX_OPEN {
                return Err(self.too_deep());
            }
            let Some(mut value) = self.operand(&mut open)? else { continue };
            loop {
                let infix = self.infix();
                value = self.close_tighter(&mut open, value, infix.as_ref())?;
                if let Some(infix) = infix {
                    self.advance();
                    match (infix, open.last_mut()) {
                        (Infix::Connective(level), Some(Open::Connective { level: same, operands }))
                            if *same == level =>
                        {
                            operands.push(value);
                        }
                        (Infix::Connective(level), _) => open.push(Open::Connective { level, operands: vec![value] }),
                        (Infix::Operator(op, binding), _) => open.push(Open::Infix(op, binding, value)),
                    }
                    continue 'operand;
                }
                let Some(Open::Group { close, operands, .. }) = open.last_mut() else { return Ok(value.0) };
                operands.push(value);
                let close = *close;
                if self.accept(",") {
                    continue 'operand;
                }
                self.expect(close)?;
                value = self.close_group(&mut open)?;
            }
        }
    }

    /// Reads one thing where an operand is expected: an operand, or what opens one.
    fn operand(&mut self, open: &mut Vec<Open>) -> Parsed<Option<Deep>> {
        let token = self.token().kind.clone();
        match token {
            Kind::Sign("!") => self.open(open, Open::Prefix(UnaryOp::Not)),
            Kind::Sign("~") => self.open(open, Open::Prefix(UnaryOp::BitNot)),
            Kind::Sign("-") => {
                self.advance();
                match self.token().kind.clone() {
                    Kind::Number(digits, suffix) => Ok(Some((self.number(digits, suffix, true)?, 1))),
                    _ => {
                        open.push(Open::Prefix(UnaryOp::Neg));
                        Ok(None)
                    }
                }
            }
            Kind::Sign("(") => {
                let group = Open::Group { function: Function::Parentheses, close: ")", operands: vec![] };
                self.open(open, group)
            }
            // An empty list of operands: `and()`.
            Kind::Sign(")") if matches!(open.last(), Some(Open::Group { operands, .. }) if operands.is_empty()) => {
                self.advance();
                self.close_group(open).map(Some)
            }
            Kind::Number(digits, suffix) => Ok(Some((self.number(digits, suffix, false)?, 1))),
            Kind::Word("true") => self.leaf(Expr::Bool(true)),
            Kind::Word("false") => self.leaf(Expr::Bool(false)),
            Kind::Word("null") => self.leaf(Expr::Null),
            Kind::Word("function") => self.function_pointer().map(Some),
            Kind::Word(word) if is_reserved(word) => self.function(open, word),
            Kind::Word(_) | Kind::Quoted(_) | Kind::Sign("::") => Ok(Some((Expr::Var(self.variable()?), 1))),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn leaf(&mut self, expr: Expr) -> Parsed<Option<Deep>> {
        self.advance();
        Ok(Some((expr, 1)))
    }

    fn open(&mut self, open: &mut Vec<Open>, one: Open) -> Parsed<Option<Deep>> {
        self.advance();
        open.push(one);
        Ok(None)
    }

    fn function(&mut self, open: &mut Vec<Open>, word: &str) -> Parsed<Option<Deep>> {
        let function = match word {
            "ite" => Function::Ite,
            "and" => Function::And,
            "or" => Function::Or,
            "offset" => Function::Unary(UnaryOp::Offset),
            "object_size" => Function::Unary(UnaryOp::ObjectSize),
            "holds_lock" => Function::Unary(UnaryOp::HoldsLock),
            "is_freeable" => Function::Unary(UnaryOp::IsFreeable),
            "is_locked" => Function::Unary(UnaryOp::IsLocked),
            "has_lost" => Function::Unary(UnaryOp::HasLost),
            "is_live" => Function::Unary(UnaryOp::IsLive),
            "is_constant" => Function::Unary(UnaryOp::IsConstant),
            "is_nan" => Function::Unary(UnaryOp::IsNan),
            "is_infinite" => Function::Unary(UnaryOp::IsInfinite),
            "sign_bit" => Function::Unary(UnaryOp::SignBit),
            "pointer_add" => Function::Binary(BinaryOp::PointerAdd),
            "same_object" => Function::Binary(BinaryOp::SameObject),
            _ => match type_of_word(word) {
                Some(ty) => Function::Cast(ty),
                None => return Err(self.unexpected("an expression")),
            },
        };
        self.advance();
        if let (Function::Cast(Type::Float(kind)), Kind::Text(_)) = (function, &self.token().kind) {
            return self.float(kind).map(Some);
        }
        let (function, close) = match function {
            Function::Cast(ty) if self.accept("[") => (Function::Load(ty), "]"),
            other => {
                self.expect("(")?;
                (other, ")")
            }
        };
        open.push(Open::Group { function, close, operands: vec![] });
        Ok(None)
    }

    fn function_pointer(&mut self) -> Parsed<Deep> {
        self.advance();
        self.expect("(")?;
        let procedure = self.procedure_id()?;
        self.expect(")")?;
        Ok((Expr::Function(procedure), 1))
    }

    /// Reads the text of a floating-point number after its type.
    fn float(&mut self, kind: FloatKind) -> Parsed<Deep> {
        let span = self.here();
        match kind.parse(&self.string()?) {
            Some(bits) => Ok((Expr::Float(bits, kind), 1)),
            None => {
                let reported = self.report(span, format!("this is no number of type {kind}"), "not a number");
                self.hint("as in f64\"0.1\", f64\"-1e-7\", f32\"inf\"");
                Err(reported)
            }
        }
    }

    fn number(&mut self, digits: &str, suffix: &str, negative: bool) -> Parsed<Expr> {
        let ty = match type_of_word(suffix) {
            Some(ty @ Type::Machine(_)) => ty,
            _ if suffix.is_empty() => Type::Int,
            _ => return Err(self.wrong(format!("`{suffix}` is no machine integer type"), "after this number")),
        };
        let value: Integer = digits.parse().map_err(|_| self.wrong("not a number", "here"))?;
        self.advance();
        Ok(Expr::Int(if negative { -value } else { value }, ty))
    }

    fn infix(&self) -> Option<Infix> {
        use BinaryOp::*;
        let Kind::Sign(sign) = self.token().kind else { return None };
        match sign {
            "&&" => return Some(Infix::Connective(AND_LEVEL)),
            "||" => return Some(Infix::Connective(OR_LEVEL)),
            _ => {}
        }
        let all = [Implies, Eq, Ne, Lt, Le, Gt, Ge, BitOr, BitXor, BitAnd, Shl, Shr, Add, Sub, Mul, Div, Rem];
        all.into_iter().find_map(|op| match binding(op) {
            Some((own, binding)) if own == sign => Some(Infix::Operator(op, binding)),
            _ => None,
        })
    }

    /// Gives the value to whatever is open and binds tighter than what comes next.
    fn close_tighter(&mut self, open: &mut Vec<Open>, mut value: Deep, next: Option<&Infix>) -> Parsed<Deep> {
        let level = next.map_or(0, Infix::level);
        loop {
            let done = match open.last() {
                Some(Open::Prefix(_)) => true,
                Some(Open::Infix(_, binding, _)) if binding.level == level => {
                    if !binding.chains_left && !binding.chains_right {
                        let error = self.wrong("comparisons do not chain", "a second comparison");
                        self.hint("put one of the two in parentheses");
                        return Err(error);
                    }
                    binding.chains_left
                }
                Some(Open::Infix(_, binding, _)) => binding.level > level,
                Some(Open::Connective { level: own, .. }) => *own > level,
                Some(Open::Group { .. }) | None => false,
            };
            if !done {
                return Ok(value);
            }
            value = match open.pop() {
                Some(Open::Prefix(op)) => self.deeper(value.1, Expr::unary(op, value.0))?,
                Some(Open::Infix(op, _, left)) => {
                    let depth = left.1.max(value.1);
                    self.deeper(depth, Expr::binary(op, left.0, value.0))?
                }
                Some(Open::Connective { level, mut operands }) => {
                    operands.push(value);
                    let make = if level == AND_LEVEL { Expr::And } else { Expr::Or };
                    self.list(operands, make)?
                }
                Some(Open::Group { .. }) | None => unreachable!("only what takes an operand is closed"),
            };
        }
    }

    fn list(&mut self, operands: Vec<Deep>, make: fn(Vec<Expr>) -> Expr) -> Parsed<Deep> {
        let depth = operands.iter().map(|o| o.1).max().unwrap_or(0);
        self.deeper(depth, make(operands.into_iter().map(|o| o.0).collect()))
    }

    /// Builds what was between parentheses.
    fn close_group(&mut self, open: &mut Vec<Open>) -> Parsed<Deep> {
        let Some(Open::Group { function, operands, .. }) = open.pop() else {
            unreachable!("the caller saw the group on top")
        };
        let count = operands.len();
        let depth = operands.iter().map(|o| o.1).max().unwrap_or(0);
        let mut given = operands.into_iter().map(|o| o.0);
        let mut next = || given.next().map(Box::new);
        let expr = match function {
            Function::And => return Ok((Expr::And(given.collect()), self.checked(depth + 1)?)),
            Function::Or => return Ok((Expr::Or(given.collect()), self.checked(depth + 1)?)),
            Function::Parentheses if count == 1 => return Ok((*next().expect("there is one"), depth)),
            Function::Ite if count == 3 => match (next(), next(), next()) {
                (Some(a), Some(b), Some(c)) => Expr::Ite(a, b, c),
                _ => unreachable!("there are three"),
            },
            Function::Unary(op) if count == 1 => Expr::Unary(op, next().expect("there is one")),
            Function::Cast(ty) if count == 1 => Expr::Cast(ty, next().expect("there is one")),
            Function::Load(ty) if count == 1 => Expr::Load(ty, next().expect("there is one")),
            Function::Binary(op) if count == 2 => match (next(), next()) {
                (Some(a), Some(b)) => Expr::Binary(op, a, b),
                _ => unreachable!("there are two"),
            },
            _ => return Err(self.wrong(format!("{count} operands are not what this takes"), "before this")),
        };
        self.deeper(depth, expr)
    }

    fn deeper(&mut self, depth: usize, expr: Expr) -> Parsed<Deep> {
        Ok((expr, self.checked(depth + 1)?))
    }

    fn checked(&mut self, depth: usize) -> Parsed<usize> {
        if depth > MAX_DEPTH { Err(self.too_deep()) } else { Ok(depth) }
    }

    fn too_deep(&mut self) -> Reported {
        let error = self.wrong(format!("an expression is nested more than {MAX_DEPTH} deep"), "too deep here");
        self.hint("assign a part of it to a variable first");
        error
    }
}
