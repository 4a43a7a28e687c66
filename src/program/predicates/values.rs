//! The values in predicates, and how they are combined and compared.

use super::names::{Guard, Guarded};
use super::paths::{Content, Message, Names, Place};
use super::{Comparison, Operator, Predicate, Value};
use crate::program::{BinaryOp, Expr, OFFSET, Type};
use crate::term::Integer;

/// Ways to read one predicate, at most.
const MAX_READINGS: usize = 64;

/// One way to read a value.
#[derive(Clone)]
pub(super) struct Reading {
    pub(super) guards: Vec<Guard>,
    pub(super) value: Read,
}

#[derive(Clone)]
pub(super) enum Read {
    Number(Integer),
    Null,
    Expr(Expr, Type),
}

impl Names<'_> {
    /// The ways to read a predicate.
    pub(super) fn predicate(&self, predicate: &Predicate) -> Result<Vec<Guarded>, Message> {
        match predicate {
            Predicate::Bool(value) => Ok(vec![Guarded { guards: Vec::new(), formula: Expr::Bool(*value) }]),
            Predicate::Not(inner) => {
                // Only the comparison is negated, and not when it can be read.
                let negated = |it: Guarded| Guarded { formula: it.formula.negate(), ..it };
                Ok(self.predicate(inner)?.into_iter().map(negated).collect())
            }
            Predicate::Compare(comparison, left, right) => self.compare(*comparison, left, right),
        }
    }

    pub(super) fn compare(&self, comparison: Comparison, left: &Value, right: &Value) -> Result<Vec<Guarded>, Message> {
        let (lefts, rights) = (self.value(left)?, self.value(right)?);
        let mut found = Vec::new();
        let mut problem = None;
        for a in &lefts {
            for b in &rights {
                match compared(comparison, &a.value, &b.value) {
                    Ok(compared) => {
                        let guards = a.guards.iter().chain(&b.guards).cloned().collect();
                        found.push(Guarded { guards, formula: compared });
                    }
                    Err(message) => problem = Some(message),
                }
            }
        }
        match (found.is_empty(), problem) {
            (true, Some(problem)) => Err(problem.to_owned()),
            _ if found.len() > MAX_READINGS => Err(format!("it can be read in more than {MAX_READINGS} ways")),
            _ => Ok(found),
        }
    }

    pub(super) fn value(&self, value: &Value) -> Result<Vec<Reading>, Message> {
        match value {
            Value::Number(number) => Ok(vec![Reading { guards: Vec::new(), value: Read::Number(number.clone()) }]),
            Value::Null => Ok(vec![Reading { guards: Vec::new(), value: Read::Null }]),
            Value::At(path) => {
                let readings: Vec<Reading> =
                    self.path(path)?.into_iter().filter_map(|place| self.reading(place)).collect();
                if readings.is_empty() { Err(format!("`{path}` is not a number or a reference")) } else { Ok(readings) }
            }
            Value::Length(path) => self.length(path),
            Value::Binary(operator, left, right) => {
                let (lefts, rights) = (self.value(left)?, self.value(right)?);
                let pairs = lefts.iter().flat_map(|a| rights.iter().map(move |b| (a, b)));
                let found: Vec<Reading> = pairs.filter_map(|(a, b)| combined(*operator, a, b)).collect();
                if found.is_empty() { Err(format!("`{value}` combines what are not numbers")) } else { Ok(found) }
            }
        }
    }

    /// The value at a place, if it has one.
    pub(super) fn reading(&self, place: Place) -> Option<Reading> {
        let Place { guards, content, shape } = place;
        let shapes = &self.program.shapes;
        let expr = match content {
            Content::Value(expr) => expr,
            // An array is the address of its first element.
            Content::Memory(address) => match shape.and_then(|shape| shapes.scalar(shape)) {
                Some(ty) => Expr::Load(ty, Box::new(address)),
                None => address,
            },
        };
        match expr.type_in(self.program) {
            Type::Float(_) => None,
            Type::Bool => {
                let ty = Type::machine(32, true);
                Some(Reading { guards, value: Read::Expr(Expr::Cast(ty, Box::new(expr)), ty) })
            }
            ty => Some(Reading { guards, value: Read::Expr(expr, ty) }),
        }
    }
}

impl Read {
    /// The number as one of a type; none for references.
    pub(super) fn as_type(&self, ty: Type) -> Option<Expr> {
        match self {
            Read::Number(number) => fits(number, ty).then(|| Expr::Int(number.clone(), ty)),
            Read::Null => None,
            Read::Expr(expr, found) if *found == ty => Some(expr.clone()),
            Read::Expr(expr, found) => found.is_integer().then(|| Expr::Cast(ty, Box::new(expr.clone()))),
        }
    }
}

pub(super) fn fits(number: &Integer, ty: Type) -> bool {
    match ty {
        Type::Machine(machine) => number.fits(machine.width, machine.signed),
        Type::Int => true,
        _ => false,
    }
}

/// The type in which two numbers are combined or compared: without loss, as far as 64 bits go.
fn common(a: Type, b: Type) -> Type {
    match (a, b) {
        _ if a == b => a,
        (Type::Int, _) | (_, Type::Int) => Type::Int,
        _ => OFFSET,
    }
}

fn combined(operator: Operator, a: &Reading, b: &Reading) -> Option<Reading> {
    let guards = a.guards.iter().chain(&b.guards).cloned().collect();
    let wide = |read: &Read| match read {
        Read::Expr(_, Type::Int) => Some(Type::Int),
        Read::Expr(_, ty) if ty.is_integer() => Some(OFFSET),
        Read::Number(_) => None,
        _ => Some(Type::Pointer),
    };
    let ty = match (wide(&a.value), wide(&b.value)) {
        (None, None) => Type::Int,
        (Some(ty), None) | (None, Some(ty)) => ty,
        (Some(a), Some(b)) => common(a, b),
    };
    if !ty.is_integer() {
        return None;
    }
    if let (Read::Number(a), Read::Number(b)) = (&a.value, &b.value) {
        let value = match operator {
            Operator::Add => a.clone() + b.clone(),
            Operator::Sub => a.clone() - b.clone(),
            Operator::Mul => a.clone() * b.clone(),
            Operator::Div => a.div_rem_truncated(b)?.0,
        };
        return Some(Reading { guards, value: Read::Number(value) });
    }
    let op = match operator {
        Operator::Add => BinaryOp::Add,
        Operator::Sub => BinaryOp::Sub,
        Operator::Mul => BinaryOp::Mul,
        Operator::Div if ty == Type::Int => return None,
        Operator::Div => BinaryOp::Div,
    };
    let expr = Expr::binary(op, a.value.as_type(ty)?, b.value.as_type(ty)?);
    Some(Reading { guards, value: Read::Expr(expr, ty) })
}

fn compared(comparison: Comparison, a: &Read, b: &Read) -> Result<Expr, &'static str> {
    let op = match comparison {
        Comparison::Eq => BinaryOp::Eq,
        Comparison::Ne => BinaryOp::Ne,
        Comparison::Lt => BinaryOp::Lt,
        Comparison::Le => BinaryOp::Le,
        Comparison::Gt => BinaryOp::Gt,
        Comparison::Ge => BinaryOp::Ge,
    };
    let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
    let different = "it compares a number with a reference";
    let too_large = "it compares with a number that is too large";
    let ty =
        match (a, b) {
            (Read::Expr(_, a), Read::Expr(_, b)) => common(*a, *b),
            (Read::Expr(_, ty), Read::Number(number)) | (Read::Number(number), Read::Expr(_, ty)) => {
                if fits(number, *ty) { *ty } else { common(*ty, OFFSET) }
            }
            (Read::Number(_), Read::Number(_)) => Type::Int,
            (Read::Null, Read::Expr(_, Type::Pointer))
            | (Read::Expr(_, Type::Pointer), Read::Null)
            | (Read::Null, Read::Null) => Type::Pointer,
            (Read::Null, _) | (_, Read::Null) => return Err(different),
        };
    let pointer = |read: &Read| match read {
        Read::Null => Some(Expr::Null),
        Read::Expr(expr, Type::Pointer) => Some(expr.clone()),
        _ => None,
    };
    match (pointer(a), pointer(b)) {
        (Some(a), Some(b)) if is_equality => Ok(Expr::binary(op, a, b)),
        (Some(_), Some(_)) => Err("references are only compared by = and !="),
        (None, None) => {
            let (a, b) = (a.as_type(ty).ok_or(too_large)?, b.as_type(ty).ok_or(too_large)?);
            Ok(Expr::binary(op, a, b))
        }
        _ => Err(different),
    }
}
