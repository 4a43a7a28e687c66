//! Rules for operators on floating-point numbers.

use super::{Rule, bits};
use crate::term::{FloatKind, FloatOp, Op, TermId, Terms};

pub(super) const FLOAT: &[Rule] = &[
    Rule::new("float-compare-same", compare_same),
    Rule::new("float-compare-none", compare_none),
    Rule::new("float-equal-bits", equal_bits),
    Rule::new("float-equal-order", equal_order),
];

/// The operator and the format, if it compares.
fn comparison(terms: &Terms, op: &Op, args: &[TermId]) -> Option<(FloatOp, FloatKind)> {
    match op {
        Op::Float(op @ (FloatOp::Lt | FloatOp::Le | FloatOp::Eq)) => {
            Some((*op, FloatKind::of_width(super::width_of(terms, args[0]))?))
        }
        _ => None,
    }
}

/// `x < x` is false; `x <= x` is `x = x`, which says that it is a number.
fn compare_same(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let (op, _) = comparison(terms, op, args)?;
    match op {
        FloatOp::Lt if args[0] == args[1] => Some(terms.bool(false)),
        FloatOp::Le if args[0] == args[1] => Some(terms.float(FloatOp::Eq, args)),
        _ => None,
    }
}

/// NaN is not equal to, less or greater than anything.
fn compare_none(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let (_, kind) = comparison(terms, op, args)?;
    let none = |arg: &TermId| bits(terms, *arg).and_then(|bits| bits.to_u64()).is_some_and(|bits| kind.is_nan(bits));
    args.iter().any(none).then(|| terms.bool(false))
}

/// To equal a number that is not zero is to have its bits; to equal zero is to have none but the sign's.
fn equal_bits(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let (FloatOp::Eq, kind) = comparison(terms, op, args)? else { return None };
    let (number, other) = super::either_order(args, |a, b| Some((bits(terms, a)?.to_u64()?, b)))?;
    if kind.is_nonzero(number) {
        let number = terms.float_number(number, kind);
        return Some(terms.eq(other, number));
    }
    Some(terms.float_is_zero(kind, other))
}

/// Equality has its arguments in one order.
fn equal_order(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    match op {
        Op::Float(FloatOp::Eq) if args[1] < args[0] => Some(terms.raw(op.clone(), &[args[1], args[0]])),
        _ => None,
    }
}
