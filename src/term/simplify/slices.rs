//! Rules for parts and extensions of bit-vectors, and for the way between bit-vectors and integers.

use super::integer::reduced;
use super::{Rule, bits, only, two, width_of};
use crate::term::{Integer, Op, TermId, Terms};

pub(super) const CONCAT: &[Rule] = &[
    Rule::new("concat.zeros", concat_zeros),
    Rule::new("concat.extracts", concat_extracts),
    Rule::new("concat.constants", concat_constants),
];
pub(super) const EXTRACT: &[Rule] = &[
    Rule::new("extract.whole", extract_whole),
    Rule::new("extract.extract", extract_extract),
    Rule::new("extract.concat", extract_concat),
    Rule::new("extract.extended", extract_extended),
    Rule::new("extract.int", extract_int),
];
pub(super) const ZERO_EXTEND: &[Rule] =
    &[Rule::new("zero-extend.nothing", extend_nothing), Rule::new("zero-extend.zero-extend", zero_extend_zero_extend)];
pub(super) const SIGN_EXTEND: &[Rule] =
    &[Rule::new("sign-extend.nothing", extend_nothing), Rule::new("sign-extend.extended", sign_extend_extended)];
pub(super) const INT_TO_BV: &[Rule] =
    &[Rule::new("int-to-bv.bv-to-nat", int_to_bv_bv_to_nat), Rule::new("int-to-bv.multiples", int_to_bv_multiples)];
pub(super) const BV_TO_NAT: &[Rule] =
    &[Rule::new("bv-to-nat.int-to-bv", bv_to_nat_int_to_bv), Rule::new("bv-to-nat.zero-extend", bv_to_nat_zero_extend)];

fn concat_zeros(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let zeros = bits(terms, args[0])?.is_zero();
    zeros.then(|| terms.zero_extend(width_of(terms, args[0]), args[1]))
}

/// What is extracted and from which bit down to which.
fn extracted(terms: &Terms, term: TermId) -> Option<(TermId, u32, u32)> {
    match (terms.op(term), terms.args(term)) {
        (Op::Extract(high, low), &[inner]) => Some((inner, *high, *low)),
        _ => None,
    }
}

fn concat_extracts(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (a, high, low) = extracted(terms, args[0])?;
    let (b, high_b, low_b) = extracted(terms, args[1])?;
    (a == b && low == high_b + 1).then(|| terms.extract(high, low_b, a))
}

/// `(x c1) c2` is `x (c1 c2)`.
fn concat_constants(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    bits(terms, args[1])?;
    let (inner, middle) = two(terms, args[0], &Op::Concat)?;
    bits(terms, middle)?;
    let low = terms.concat(middle, args[1]);
    Some(terms.concat(inner, low))
}

fn extract_whole(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    (*op == Op::Extract(width_of(terms, args[0]) - 1, 0)).then_some(args[0])
}

fn range(op: &Op) -> Option<(u32, u32)> {
    match op {
        Op::Extract(high, low) => Some((*high, *low)),
        _ => None,
    }
}

fn extract_extract(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let (high, low) = range(op)?;
    let (inner, _, from) = extracted(terms, args[0])?;
    Some(terms.extract(high + from, low + from, inner))
}

fn extract_concat(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let (high, low) = range(op)?;
    let (a, b) = two(terms, args[0], &Op::Concat)?;
    let width = width_of(terms, b);
    Some(if high < width {
        terms.extract(high, low, b)
    } else if low >= width {
        terms.extract(high - width, low - width, a)
    } else {
        let (upper, lower) = (terms.extract(high - width, 0, a), terms.extract(width - 1, low, b));
        terms.concat(upper, lower)
    })
}

fn extract_extended(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let (high, low) = range(op)?;
    let (signed, inner) = match (terms.op(args[0]), terms.args(args[0])) {
        (Op::ZeroExtend(_), &[inner]) => (false, inner),
        (Op::SignExtend(_), &[inner]) => (true, inner),
        _ => return None,
    };
    let width = width_of(terms, inner);
    if high < width {
        return Some(terms.extract(high, low, inner));
    }
    if !signed && low >= width {
        return Some(terms.bit_vec(0, high - low + 1));
    }
    // The sign bit is the lowest that a part above the inner vector copies.
    let from = low.min(width - 1);
    let part = terms.extract(width - 1, from, inner);
    let more = (high - low) - (width - 1 - from);
    Some(if signed { terms.sign_extend(more, part) } else { terms.zero_extend(more, part) })
}

/// The low bits of an integer modulo a power of two are the integer modulo a smaller one.
fn extract_int(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let (high, low) = range(op)?;
    match (terms.op(args[0]), terms.args(args[0])) {
        (Op::IntToBv(_), &[inner]) if low == 0 => Some(terms.int_to_bv(high + 1, inner)),
        _ => None,
    }
}

fn extend_nothing(_: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    matches!(op, Op::ZeroExtend(0) | Op::SignExtend(0)).then_some(args[0])
}

fn zero_extend_zero_extend(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    match (op, terms.op(args[0]), terms.args(args[0])) {
        (Op::ZeroExtend(more), Op::ZeroExtend(before), &[inner]) => {
            let all = more + before;
            Some(terms.zero_extend(all, inner))
        }
        _ => None,
    }
}

fn sign_extend_extended(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let Op::SignExtend(more) = *op else { return None };
    match (terms.op(args[0]), terms.args(args[0])) {
        (&Op::SignExtend(before), &[inner]) => Some(terms.sign_extend(more + before, inner)),
        (&Op::ZeroExtend(before), &[inner]) if before > 0 => Some(terms.zero_extend(more + before, inner)),
        _ => None,
    }
}

fn int_to_bv_bv_to_nat(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let Op::IntToBv(wanted) = *op else { return None };
    let vector = only(terms, args[0], &Op::BvToNat)?;
    let width = width_of(terms, vector);
    Some(if wanted < width { terms.extract(wanted - 1, 0, vector) } else { terms.zero_extend(wanted - width, vector) })
}

fn int_to_bv_multiples(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let Op::IntToBv(width) = *op else { return None };
    let rest = reduced(terms, args[0], &Integer::power_of_two(width))?;
    Some(terms.make(op.clone(), &[rest]))
}

fn bv_to_nat_int_to_bv(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    match (terms.op(args[0]), terms.args(args[0])) {
        (Op::IntToBv(width), &[inner]) => {
            let modulus = terms.int(Integer::power_of_two(*width));
            Some(terms.modulo(inner, modulus))
        }
        _ => None,
    }
}

fn bv_to_nat_zero_extend(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    match (terms.op(args[0]), terms.args(args[0])) {
        (Op::ZeroExtend(_), &[inner]) => Some(terms.bv_to_nat(inner)),
        _ => None,
    }
}
