//! Rules for equations with remainders: whether a number is a multiple of another.

use super::linear::split;
use super::{either_order, int, two};
use crate::term::{Integer, Linear, Op, TermId, Terms};

/// A remainder of a sum whose coefficients share a divisor with the modulus is that of the smaller sum by the smaller
/// modulus: `(4*x + 12) mod 16 = 0` is `(x + 3) mod 4 = 0`.
pub(super) fn eq_mod_common(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (sum, modulus, value) = either_order(args, |remainder, constant| {
        let (sum, modulus) = two(terms, remainder, &Op::Mod)?;
        Some((sum, int(terms, modulus)?.clone(), int(terms, constant)?.clone()))
    })?;
    if modulus.is_negative() || modulus.is_zero() {
        return None;
    }
    let mut sum = Linear::of_members(terms, &[(sum, 1)]);
    let common = sum.gcd().gcd(&modulus);
    if sum.monomials.is_empty() || common <= Integer::ONE {
        return None;
    }
    let (constant, rest) = std::mem::take(&mut sum.constant).div_rem_euclid(&common)?;
    sum.divide_coefficients(&common);
    sum.constant = constant;
    let (value, left) = (value - rest).div_rem_euclid(&common)?;
    if !left.is_zero() {
        return Some(terms.bool(false));
    }
    let (modulus, _) = modulus.div_rem_euclid(&common)?;
    let (sum, modulus, value) = (sum.term(terms), terms.int(modulus), terms.int(value));
    let remainder = terms.modulo(sum, modulus);
    Some(terms.eq(remainder, value))
}

/// The remainder of a division that truncates is zero where that of the Euclidean one is, whatever the dividend's sign.
pub(super) fn eq_remainder_zero(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let ite =
        either_order(args, |ite, zero| (int(terms, zero)?.is_zero() && terms.op(ite) == &Op::Ite).then_some(ite))?;
    let &[_, a, b] = terms.args(ite) else { return None };
    let (negated, plain) = match (split(terms, a), split(terms, b)) {
        ((Some(factor), a), (None, b)) | ((None, b), (Some(factor), a)) if *factor == Integer::from(-1) => (a, b),
        _ => return None,
    };
    let (opposite, modulus) = two(terms, negated, &Op::Mod)?;
    let (dividend, other) = two(terms, plain, &Op::Mod)?;
    let divisor = int(terms, modulus).filter(|divisor| !divisor.is_zero())?.clone();
    let sum = Linear::of_members(terms, &[(opposite, 1), (dividend, 1)]);
    let is_opposite = sum.monomials.is_empty() && sum.constant.div_rem_euclid(&divisor)?.1.is_zero();
    if modulus != other || !is_opposite {
        return None;
    }
    let zero = terms.int(0);
    Some(terms.eq(plain, zero))
}
