//! Expressions as terms.

use super::{Encoder, Unsupported, Values};
use crate::program::{BinaryOp, Expr, MachineInt, Type, UnaryOp};
use crate::term::{Integer, TermId, Terms};

/// What floating-point numbers are called where they are refused.
const FLOAT: &str = "a floating-point number";

impl Encoder<'_> {
    /// The term of an expression where the variables have those values. Recurses as deep as the expression is.
    pub(super) fn expr_in(&self, terms: &mut Terms, expr: &Expr, values: &Values) -> Result<TermId, Unsupported> {
        Ok(match expr {
            Expr::Bool(value) => terms.bool(*value),
            Expr::Int(value, ty) => number(terms, value, *ty),
            Expr::Null | Expr::Function(_) => return Err(Unsupported::new("a pointer")),
            Expr::Float(..) => return Err(Unsupported::new(FLOAT)),
            Expr::Var(variable) => match values.get(variable) {
                Some(value) => *value,
                None => terms.of_symbol(self.known(*variable)?),
            },
            Expr::Unary(op, a) => {
                let a = self.expr_in(terms, a, values)?;
                unary(terms, *op, a)?
            }
            Expr::Binary(op, a, b) => {
                let ty = a.type_in(self.program);
                let (a, b) = (self.expr_in(terms, a, values)?, self.expr_in(terms, b, values)?);
                binary(terms, *op, ty, a, b)?
            }
            Expr::And(all) => {
                let all = self.all(terms, all, values)?;
                terms.and(all)
            }
            Expr::Or(all) => {
                let all = self.all(terms, all, values)?;
                terms.or(all)
            }
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.expr_in(terms, condition, values)?;
                let (then, otherwise) = (self.expr_in(terms, then, values)?, self.expr_in(terms, otherwise, values)?);
                terms.ite(condition, then, otherwise)
            }
            Expr::Cast(to, a) => {
                let from = a.type_in(self.program);
                let a = self.expr_in(terms, a, values)?;
                cast(terms, from, *to, a)?
            }
            Expr::Load(..) => return Err(Unsupported::new("a read of memory")),
        })
    }

    fn all(&self, terms: &mut Terms, all: &[Expr], values: &Values) -> Result<Vec<TermId>, Unsupported> {
        all.iter().map(|one| self.expr_in(terms, one, values)).collect()
    }
}

/// A number of an integer type.
fn number(terms: &mut Terms, value: &Integer, ty: Type) -> TermId {
    match ty {
        Type::Machine(machine) => terms.bit_vec(value.clone(), machine.width),
        _ => terms.int(value.clone()),
    }
}

fn unary(terms: &mut Terms, op: UnaryOp, a: TermId) -> Result<TermId, Unsupported> {
    Ok(match op {
        UnaryOp::Not => terms.not(a),
        UnaryOp::Neg if terms.sort(a).width().is_some() => terms.bv_neg(a),
        UnaryOp::Neg => terms.neg(a),
        UnaryOp::BitNot => terms.bv_not(a),
        UnaryOp::Offset | UnaryOp::ObjectSize | UnaryOp::IsLive => return Err(Unsupported::new("a pointer")),
        UnaryOp::IsNan | UnaryOp::IsInfinite | UnaryOp::SignBit => return Err(Unsupported::new(FLOAT)),
    })
}

fn binary(terms: &mut Terms, op: BinaryOp, ty: Type, a: TermId, b: TermId) -> Result<TermId, Unsupported> {
    use BinaryOp::*;
    Ok(match (op, ty) {
        (_, Type::Float(_)) => return Err(Unsupported::new(FLOAT)),
        (Eq, _) => terms.eq(a, b),
        (Ne, _) => terms.ne(a, b),
        (Implies, _) => terms.implies(a, b),
        (PointerAdd | SameObject, _) | (_, Type::Pointer) => return Err(Unsupported::new("a pointer")),
        (op, Type::Machine(machine)) => machine_operation(terms, op, machine.signed, a, b),
        (Add, _) => terms.add(a, b),
        (Sub, _) => terms.sub(a, b),
        (Mul, _) => terms.mul(a, b),
        (Lt, _) => terms.lt(a, b),
        (Le, _) => terms.le(a, b),
        (Gt, _) => terms.gt(a, b),
        (Ge, _) => terms.ge(a, b),
        (Div | Rem | BitAnd | BitOr | BitXor | Shl | Shr, _) => {
            unreachable!("a valid program has {op:?} on machine integers only")
        }
    })
}

/// An operator on machine integers. Where the divisor is zero or a shift is wide, SMT-LIB's bit-vectors have the
/// same values as the operators of programs.
fn machine_operation(terms: &mut Terms, op: BinaryOp, signed: bool, a: TermId, b: TermId) -> TermId {
    use BinaryOp::*;
    match (op, signed) {
        (Add, _) => terms.bv_add(a, b),
        (Sub, _) => terms.bv_sub(a, b),
        (Mul, _) => terms.bv_mul(a, b),
        (Div, true) => terms.bv_sdiv(a, b),
        (Div, false) => terms.bv_udiv(a, b),
        (Rem, true) => terms.bv_srem(a, b),
        (Rem, false) => terms.bv_urem(a, b),
        (BitAnd, _) => terms.bv_and(a, b),
        (BitOr, _) => terms.bv_or(a, b),
        (BitXor, _) => terms.bv_xor(a, b),
        (Shl, _) => terms.bv_shl(a, b),
        (Shr, true) => terms.bv_ashr(a, b),
        (Shr, false) => terms.bv_lshr(a, b),
        (Lt, true) => terms.bv_slt(a, b),
        (Lt, false) => terms.bv_ult(a, b),
        (Le, true) => terms.bv_sle(a, b),
        (Le, false) => terms.bv_ule(a, b),
        (Gt, true) => terms.bv_slt(b, a),
        (Gt, false) => terms.bv_ult(b, a),
        (Ge, true) => terms.bv_sle(b, a),
        (Ge, false) => terms.bv_ule(b, a),
        (Eq | Ne | Implies | PointerAdd | SameObject, _) => unreachable!("{op:?} is no operator on machine integers"),
    }
}

fn cast(terms: &mut Terms, from: Type, to: Type, a: TermId) -> Result<TermId, Unsupported> {
    Ok(match (from, to) {
        (Type::Pointer, _) | (_, Type::Pointer) => return Err(Unsupported::new("a pointer")),
        (Type::Float(_), _) | (_, Type::Float(_)) => return Err(Unsupported::new(FLOAT)),
        (Type::Bool, Type::Bool) | (Type::Int, Type::Int) => a,
        (Type::Bool, to) => {
            let (one, zero) = (number(terms, &Integer::ONE, to), number(terms, &Integer::ZERO, to));
            terms.ite(a, one, zero)
        }
        (from, Type::Bool) => {
            let zero = number(terms, &Integer::ZERO, from);
            terms.ne(a, zero)
        }
        (Type::Int, Type::Machine(to)) => terms.int_to_bv(to.width, a),
        (Type::Machine(from), Type::Int) if from.signed => terms.bv_to_int(a),
        (Type::Machine(_), Type::Int) => terms.bv_to_nat(a),
        (Type::Machine(from), Type::Machine(to)) => resize(terms, from, to, a),
    })
}

/// A machine integer as one of another width: cut, or extended as its own sign says.
fn resize(terms: &mut Terms, from: MachineInt, to: MachineInt, a: TermId) -> TermId {
    match to.width.checked_sub(from.width) {
        Some(0) => a,
        Some(more) if from.signed => terms.sign_extend(more, a),
        Some(more) => terms.zero_extend(more, a),
        None => terms.extract(to.width - 1, 0, a),
    }
}
