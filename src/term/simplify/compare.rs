//! Rules for comparisons of bit-vectors.

use super::{Rule, bits, width_of};
use crate::term::{Integer, Op, TermId, Terms};

pub(super) const AT_MOST: &[Rule] = &[Rule::new("bv.le-lt", at_most)];
pub(super) const LESS: &[Rule] = &[
    Rule::new("bv.lt-same", same),
    Rule::new("bv.lt-extreme", extreme),
    Rule::new("bv.lt-constant-right", constant_right),
    Rule::new("bv.lt-extended", extended),
];
pub(super) const ULT: &[Rule] = &[
    Rule::new("bv.ult-zero-extended", ult_zero_extended),
    Rule::new("bv.ult-zero-extended-constant", zero_extended_constant),
];
pub(super) const SLT: &[Rule] =
    &[Rule::new("bv.slt-natural", slt_natural), Rule::new("bv.slt-sign-extended-constant", sign_extended_constant)];

/// At most is not greater.
fn at_most(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let less = if *op == Op::BvUle { Op::BvUlt } else { Op::BvSlt };
    let greater = terms.make(less, &[args[1], args[0]]);
    Some(terms.not(greater))
}

fn same(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    (args[0] == args[1]).then(|| terms.bool(false))
}

/// The least and the largest value of the order.
fn range(op: &Op, width: u32) -> (Integer, Integer) {
    let one = Integer::ONE;
    if *op == Op::BvSlt {
        let half = Integer::power_of_two(width - 1);
        (-half.clone(), half - one)
    } else {
        (Integer::ZERO, Integer::power_of_two(width) - one)
    }
}

/// The constant as the order takes it.
fn value(terms: &Terms, op: &Op, term: TermId) -> Option<Integer> {
    let value = bits(terms, term)?;
    Some(if *op == Op::BvSlt { value.wrap_signed(width_of(terms, term)) } else { value.clone() })
}

/// Comparisons with the least and largest values, and with their neighbours, are false or equalities.
fn extreme(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let width = width_of(terms, args[0]);
    let (least, most) = range(op, width);
    if value(terms, op, args[0]).is_some_and(|v| v == most) {
        return Some(terms.bool(false));
    }
    let limit = value(terms, op, args[1])?;
    if limit == least {
        Some(terms.bool(false))
    } else if limit == most {
        Some(terms.ne(args[0], args[1]))
    } else if limit == &least + &Integer::ONE {
        let least = terms.bit_vec(least, width);
        Some(terms.eq(args[0], least))
    } else {
        None
    }
}

/// `c < x` is not `x < c + 1`; the rule before has seen to it that there is such a number.
fn constant_right(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let next = bits(terms, args[0])? + &Integer::ONE;
    let next = terms.bit_vec(next, width_of(terms, args[0]));
    let opposite = terms.make(op.clone(), &[args[1], next]);
    Some(terms.not(opposite))
}

/// Extension keeps the order: of the sign both orders, of zeros the unsigned one.
fn extended(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let (&[a], &[b]) = (terms.args(args[0]), terms.args(args[1])) else { return None };
    let keeps = match terms.op(args[0]) {
        Op::SignExtend(_) => true,
        Op::ZeroExtend(_) => *op == Op::BvUlt,
        _ => false,
    };
    (keeps && terms.op(args[0]) == terms.op(args[1])).then(|| terms.make(op.clone(), &[a, b]))
}

/// What zeros are added to, and how many.
fn zero_extended(terms: &Terms, term: TermId) -> Option<(TermId, u32)> {
    match (terms.op(term), terms.args(term)) {
        (Op::ZeroExtend(more), &[inner]) if *more > 0 => Some((inner, *more)),
        _ => None,
    }
}

/// Two numbers of different widths are compared at the larger of them.
fn ult_zero_extended(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let ((a, more_a), (b, more_b)) = (zero_extended(terms, args[0])?, zero_extended(terms, args[1])?);
    let shared = more_a.min(more_b);
    let (a, b) = (terms.zero_extend(more_a - shared, a), terms.zero_extend(more_b - shared, b));
    Some(terms.make(op.clone(), &[a, b]))
}

fn zero_extended_constant(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let (inner, _) = zero_extended(terms, args[0])?;
    let limit = bits(terms, args[1])?.clone();
    let width = width_of(terms, inner);
    if !limit.fits(width, false) {
        return Some(terms.bool(true));
    }
    let limit = terms.bit_vec(limit, width);
    Some(terms.make(op.clone(), &[inner, limit]))
}

/// Between numbers that are not negative the two orders are one; such a number is below no negative one.
fn slt_natural(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    zero_extended(terms, args[0])?;
    if zero_extended(terms, args[1]).is_some() {
        return Some(terms.bv_ult(args[0], args[1]));
    }
    let limit = value(terms, op, args[1])?;
    Some(if limit.is_negative() { terms.bool(false) } else { terms.bv_ult(args[0], args[1]) })
}

fn sign_extended_constant(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let (Op::SignExtend(_), &[inner]) = (terms.op(args[0]), terms.args(args[0])) else { return None };
    let limit = value(terms, op, args[1])?;
    let width = width_of(terms, inner);
    if !limit.fits(width, true) {
        return Some(terms.bool(!limit.is_negative()));
    }
    let limit = terms.bit_vec(limit, width);
    Some(terms.make(op.clone(), &[inner, limit]))
}
