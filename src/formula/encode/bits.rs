//! Operators on machine integers as operators on bit-vectors.

use crate::program::{BinaryOp, MachineInt};
use crate::term::{TermId, Terms};

/// An operator on machine integers. Where the divisor is zero or a shift is wide, SMT-LIB's bit-vectors have the
/// same values as the operators of programs.
pub(in crate::formula) fn machine_operation(
    terms: &mut Terms,
    op: BinaryOp,
    signed: bool,
    a: TermId,
    b: TermId,
) -> TermId {
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

/// A machine integer as one of another width: cut, or extended as its own sign says.
pub(in crate::formula) fn resize(terms: &mut Terms, from: MachineInt, to: MachineInt, a: TermId) -> TermId {
    match to.width.checked_sub(from.width) {
        Some(0) => a,
        Some(more) if from.signed => terms.sign_extend(more, a),
        Some(more) => terms.zero_extend(more, a),
        None => terms.extract(to.width - 1, 0, a),
    }
}
