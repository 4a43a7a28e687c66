//! What is known of an offset: the numbers that it can be are so many apart.

use crate::term::{Offsets, Op, TermId, Terms};
use num_integer::gcd;

/// A remainder: the term is `rest` modulo `modulus`, whatever its symbols are; a modulus of 0 says that it is `rest`.
pub(in crate::formula) fn remainder(terms: &Terms, term: TermId) -> (i128, i128) {
    find_remainder(terms, term, 12)
}

const ANYTHING: (i128, i128) = (0, 1);

fn find_remainder(terms: &Terms, term: TermId, depth: u32) -> (i128, i128) {
    let Some(depth) = depth.checked_sub(1) else { return ANYTHING };
    let args = terms.args(term);
    let of = |term: TermId| find_remainder(terms, term, depth);
    let plus = |a: (i128, i128), b: (i128, i128)| Some((a.0.checked_add(b.0)?, gcd(a.1, b.1)));
    let times = |a: (i128, i128), b: (i128, i128)| match (a.1, b.1) {
        (_, 0) => Some((a.0.checked_mul(b.0)?, a.1.checked_mul(b.0)?)),
        (0, _) => Some((a.0.checked_mul(b.0)?, b.1.checked_mul(a.0)?)),
        _ => None,
    };
    // What wraps keeps remainders modulo powers of two only.
    let wrapped = |of: Option<(i128, i128)>, width: Option<u32>| {
        let (rest, modulus) = of?;
        let size = 1i128.checked_shl(width.filter(|w| *w < 100)?)?;
        let modulus = gcd(modulus, size);
        Some((if modulus == size { 0 } else { rest }, if modulus == size { 1 } else { modulus }))
    };
    let width = terms.sort(term).width();
    let found = match terms.op(term) {
        Op::Int(value) => value.to_string().parse().ok().map(|value| (value, 0)),
        Op::BitVec(value, width) => {
            let signed = value.wrap_signed(*width).to_i64();
            signed.map(|value| (i128::from(value), 0))
        }
        Op::Add => args.iter().map(|arg| of(*arg)).try_fold((0, 0), plus),
        Op::Mul => args.iter().map(|arg| of(*arg)).try_fold((1, 0), times),
        Op::Neg => times(of(args[0]), (-1, 0)),
        Op::BvAdd => wrapped(args.iter().map(|arg| of(*arg)).try_fold((0, 0), plus), width),
        Op::BvMul => wrapped(args.iter().map(|arg| of(*arg)).try_fold((1, 0), times), width),
        Op::BvNeg => wrapped(times(of(args[0]), (-1, 0)), width),
        Op::Ite => {
            let (a, b) = (of(args[1]), of(args[2]));
            a.0.checked_sub(b.0).map(|apart| (a.0, gcd(gcd(a.1, b.1), apart)))
        }
        _ => None,
    };
    found.unwrap_or(ANYTHING)
}

/// Offsets that are so many bytes apart, or one of them.
pub(super) fn offsets_of(rest: i128, step: i128) -> Option<Offsets> {
    let rest = if step == 0 { rest } else { rest.rem_euclid(step) };
    Some(Offsets { rest: i64::try_from(rest).ok()?, step: i64::try_from(step).ok()? })
}
