//! Rules for integers.

use super::boolean::ite_of_constants;
use super::linear::{members, quotient, split};
use super::multiples::{eq_mod_common, eq_remainder_zero};
use super::{FLAT, Rule, either_order, int, only, two, width_of};
use crate::term::{Integer, Linear, Op, TermId, Terms};

pub(super) const ADD: &[Rule] = &[Rule::new("add.linear", add)];
pub(super) const MUL: &[Rule] = &[Rule::new("mul.normal", mul)];
pub(super) const NEG: &[Rule] = &[Rule::new("neg.linear", neg)];
pub(super) const LT: &[Rule] = &[Rule::new("lt.le", lt)];
pub(super) const LE: &[Rule] = &[
    Rule::new("le.linear", le_linear),
    Rule::new("le.range", le_range),
    Rule::new("le.ite-constants", le_ite_constants),
    Rule::new("le.bits", le_bits),
];
pub(super) const EQ: &[Rule] = &[
    Rule::new("eq.range", eq_range),
    Rule::new("eq.bits", eq_bits),
    Rule::new("eq.mod-common", eq_mod_common),
    Rule::new("eq.remainder-zero", eq_remainder_zero),
    Rule::new("eq.linear", eq_linear),
];
pub(super) const DIV: &[Rule] = &[
    Rule::new("div.sign", div_sign),
    Rule::new("div.one", div_one),
    Rule::new("div.range", div_range),
    Rule::new("div.multiples", div_multiples),
    Rule::new("div.div", div_div),
];
pub(super) const MOD: &[Rule] = &[
    Rule::new("mod.sign", mod_sign),
    Rule::new("mod.one", mod_one),
    Rule::new("mod.range", mod_range),
    Rule::new("mod.multiples", mod_multiples),
];

fn add(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let mut linear = Linear::default();
    for a in args {
        linear.add(terms, *a, &Integer::ONE);
    }
    linear.gather();
    let sum = linear.term(terms);
    changed(terms, op, args, sum)
}

/// The term, unless it is `op(args)` itself.
fn changed(terms: &Terms, op: &Op, args: &[TermId], term: TermId) -> Option<TermId> {
    (terms.op(term) != op || terms.args(term) != args).then_some(term)
}

/// How many factors a product may have to be taken apart in a larger one.
const FLAT_PRODUCT: usize = 8;

/// Gathers constants in one coefficient, which distributes over a sum; sorts the other factors.
fn mul(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let mut coefficient = Integer::ONE;
    let mut factors = Vec::with_capacity(args.len());
    for &a in args {
        if let Some(value) = int(terms, a) {
            coefficient = &coefficient * value;
            continue;
        }
        let (inner, rest) = split(terms, a);
        if let Some(inner) = inner {
            coefficient = &coefficient * inner;
        }
        match terms.op(rest) {
            Op::Mul if terms.args(rest).len() <= FLAT_PRODUCT => factors.extend_from_slice(terms.args(rest)),
            _ => factors.push(rest),
        }
    }
    if coefficient.is_zero() {
        return Some(terms.int(0));
    }
    let mut linear = Linear::default();
    match factors[..] {
        [] => linear.constant = coefficient,
        [one] => linear.add(terms, one, &coefficient),
        _ => {
            factors.sort_unstable();
            let product = terms.raw(Op::Mul, &factors);
            linear.monomials.push((product, coefficient));
        }
    }
    linear.gather();
    let product = linear.term(terms);
    changed(terms, op, args, product)
}

fn neg(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    Some(Linear::of_members(terms, &[(args[0], -1)]).term(terms))
}

fn lt(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (one, mut sum) = (Integer::ONE, Linear::of_members(terms, &[(args[0], 1), (args[1], -1)]));
    sum.constant = &sum.constant + &one;
    Some(at_most_zero(terms, sum))
}

/// `sum <= 0` with the constant on the right, divided by what the coefficients share.
fn at_most_zero(terms: &mut Terms, mut sum: Linear) -> TermId {
    let limit = -std::mem::take(&mut sum.constant);
    let gcd = sum.gcd();
    if gcd.is_zero() {
        return terms.bool(!limit.is_negative());
    }
    sum.divide_coefficients(&gcd);
    let (sum, limit) = (sum.term(terms), terms.int(quotient(&limit, &gcd)));
    terms.make(Op::Le, &[sum, limit])
}

fn le_linear(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let sum = Linear::of_members(terms, &[(args[0], 1), (args[1], -1)]);
    if is_normal_bound(terms, args, &sum) {
        return None;
    }
    Some(at_most_zero(terms, sum))
}

/// Whether `args` are a sum without constant and without common divisor, and a constant.
fn is_normal_bound(terms: &Terms, args: &[TermId], sum: &Linear) -> bool {
    if int(terms, args[1]).is_none() || sum.gcd() != Integer::ONE {
        return false;
    }
    let members = members(terms, args[0]);
    // A sum too long to be taken apart is one monomial.
    if members.len() > FLAT {
        return sum.monomials.len() == 1;
    }
    members.len() == sum.monomials.len()
        && members.iter().zip(&sum.monomials).all(|(member, (monomial, coefficient))| {
            let (given, rest) = split(terms, *member);
            rest == *monomial && given.map_or(*coefficient == Integer::ONE, |c| c == coefficient)
        })
}

/// The largest value of a term that is never negative, where both are plain to see.
fn natural_bound(terms: &Terms, term: TermId) -> Option<Integer> {
    match (terms.op(term), terms.args(term)) {
        (Op::Mod, &[_, divisor]) => {
            let divisor = int(terms, divisor).filter(|d| !d.is_zero())?;
            Some(divisor.abs() - Integer::ONE)
        }
        (Op::BvToNat, &[vector]) => Some(Integer::power_of_two(width_of(terms, vector)) - Integer::ONE),
        _ => None,
    }
}

/// Decides a bound on a term that is never negative and has a largest value, where its range does.
fn le_range(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let limit = int(terms, args[1])?;
    let (coefficient, term) = split(terms, args[0]);
    let negated = match coefficient {
        None => false,
        Some(c) if *c == Integer::from(-1) => true,
        Some(_) => return None,
    };
    let most = natural_bound(terms, term)?;
    // The range of what stands on the left.
    let (least, most) = if negated { (-most, Integer::ZERO) } else { (Integer::ZERO, most) };
    if *limit >= most {
        Some(terms.bool(true))
    } else if *limit < least {
        Some(terms.bool(false))
    } else {
        None
    }
}

fn le_ite_constants(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    if let Some(decided) = ite_of_constants(terms, op, args[0], args[1]) {
        return Some(decided);
    }
    let (coefficient, ite) = split(terms, args[0]);
    if coefficient.cloned() != Some(Integer::from(-1)) {
        return None;
    }
    // `-ite <= limit` is not `ite <= -limit - 1`.
    let limit = -int(terms, args[1])?.clone() - Integer::ONE;
    let limit = terms.int(limit);
    let opposite = ite_of_constants(terms, op, ite, limit)?;
    Some(terms.not(opposite))
}

/// Comparisons of bit-vectors taken as naturals are comparisons of bit-vectors.
fn le_bits(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let limit = int(terms, args[1])?.clone();
    let vector = |member: TermId| {
        let (coefficient, term) = split(terms, member);
        let negated = match coefficient {
            None => false,
            Some(c) if *c == Integer::from(-1) => true,
            Some(_) => return None,
        };
        only(terms, term, &Op::BvToNat).map(|v| (v, negated))
    };
    match *members(terms, args[0]) {
        [one] => {
            let (vector, negated) = vector(one)?;
            let width = width_of(terms, vector);
            let limit = if negated { -limit } else { limit };
            if !limit.fits(width, false) {
                return None;
            }
            let limit = terms.bit_vec(limit, width);
            Some(if negated { terms.bv_ule(limit, vector) } else { terms.bv_ule(vector, limit) })
        }
        [first, second] => {
            let (small, large) = match (vector(first)?, vector(second)?) {
                ((a, false), (b, true)) | ((b, true), (a, false)) => (a, b),
                _ => return None,
            };
            let (strict, width) = (limit == Integer::from(-1), width_of(terms, small));
            if width != width_of(terms, large) || !(strict || limit.is_zero()) {
                return None;
            }
            Some(if strict { terms.bv_ult(small, large) } else { terms.bv_ule(small, large) })
        }
        _ => None,
    }
}

fn eq_range(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let outside = either_order(args, |term, constant| {
        let most = natural_bound(terms, term)?;
        let value = int(terms, constant)?;
        (value.is_negative() || *value > most).then_some(())
    });
    outside.map(|()| terms.bool(false))
}

fn eq_bits(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let naturals = (only(terms, args[0], &Op::BvToNat), only(terms, args[1], &Op::BvToNat));
    if let (Some(a), Some(b)) = naturals {
        let (wa, wb) = (width_of(terms, a), width_of(terms, b));
        let (a, b) = (terms.zero_extend(wb.saturating_sub(wa), a), terms.zero_extend(wa.saturating_sub(wb), b));
        return Some(terms.eq(a, b));
    }
    let (vector, value) = either_order(args, |term, constant| {
        let vector = only(terms, term, &Op::BvToNat)?;
        let value = int(terms, constant).filter(|v| v.fits(width_of(terms, vector), false))?;
        Some((vector, value.clone()))
    })?;
    let value = terms.bit_vec(value, width_of(terms, vector));
    Some(terms.eq(vector, value))
}

fn eq_linear(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let mut sum = Linear::of_members(terms, &[(args[0], 1), (args[1], -1)]);
    let mut gcd = sum.gcd();
    if gcd.is_zero() {
        return Some(terms.bool(sum.constant.is_zero()));
    }
    if sum.monomials[0].1.is_negative() {
        gcd = -gcd;
    }
    let value = -std::mem::take(&mut sum.constant);
    let (value, rest) = value.div_rem_euclid(&gcd).expect("the divisor of a coefficient that is not zero");
    if !rest.is_zero() {
        return Some(terms.bool(false));
    }
    sum.divide_coefficients(&gcd);
    let sides = match &sum.monomials[..] {
        [(a, ca), (b, cb)] if value.is_zero() && *ca == Integer::ONE && *cb == Integer::from(-1) => [*a, *b],
        _ => [sum.term(terms), terms.int(value)],
    };
    (args != sides).then(|| terms.make(op.clone(), &sides))
}

fn div_sign(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let divisor = int(terms, args[1]).filter(|d| d.is_negative())?.abs();
    let divisor = terms.int(divisor);
    let quotient = terms.div(args[0], divisor);
    Some(terms.neg(quotient))
}

fn div_one(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    (*int(terms, args[1])? == Integer::ONE).then_some(args[0])
}

fn div_range(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let divisor = int(terms, args[1])?;
    (natural_bound(terms, args[0])? < *divisor).then(|| terms.int(0))
}

/// Multiples of the divisor leave the dividend: `(3*x + y) div 3` is `x + y div 3`.
fn div_multiples(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let divisor = int(terms, args[1]).filter(|d| !d.is_zero() && !d.is_negative())?.clone();
    let mut rest = Linear::of_members(terms, &[(args[0], 1)]);
    let mut whole = Linear::default();
    let (constant, remainder) = rest.constant.div_rem_euclid(&divisor)?;
    (whole.constant, rest.constant) = (constant, remainder);
    rest.monomials.retain(|(monomial, coefficient)| {
        let (multiple, remainder) = coefficient.div_rem_euclid(&divisor).expect("the divisor is not zero");
        if remainder.is_zero() {
            whole.monomials.push((*monomial, multiple));
        }
        !remainder.is_zero()
    });
    if whole.monomials.is_empty() && whole.constant.is_zero() {
        return None;
    }
    let (whole, rest) = (whole.term(terms), rest.term(terms));
    let quotient = terms.div(rest, args[1]);
    Some(terms.add(whole, quotient))
}

fn div_div(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let positive = |t: TermId| int(terms, t).filter(|d| !d.is_zero() && !d.is_negative());
    let (dividend, first) = two(terms, args[0], &Op::Div)?;
    let divisor = positive(first)? * positive(args[1])?;
    let divisor = terms.int(divisor);
    Some(terms.div(dividend, divisor))
}

fn mod_sign(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let divisor = int(terms, args[1]).filter(|d| d.is_negative())?.abs();
    let divisor = terms.int(divisor);
    Some(terms.modulo(args[0], divisor))
}

fn mod_one(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    (*int(terms, args[1])? == Integer::ONE).then(|| terms.int(0))
}

fn mod_range(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let divisor = int(terms, args[1])?;
    (natural_bound(terms, args[0])? < *divisor).then_some(args[0])
}

/// Multiples of the divisor do not matter, nor does `mod` of a multiple of the divisor.
fn mod_multiples(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let divisor = int(terms, args[1]).filter(|d| !d.is_zero() && !d.is_negative())?.clone();
    let rest = reduced(terms, args[0], &divisor)?;
    Some(terms.make(op.clone(), &[rest, args[1]]))
}

/// A smaller term that is the same modulo a positive number, where there is one.
pub(super) fn reduced(terms: &mut Terms, term: TermId, modulus: &Integer) -> Option<TermId> {
    let sum = Linear::of_members(terms, &[(term, 1)]);
    let remainder = |n: &Integer| n.div_rem_euclid(modulus).map(|(_, r)| r);
    let mut less = Linear { monomials: Vec::new(), constant: remainder(&sum.constant)? };
    let mut changed = less.constant != sum.constant;
    for (monomial, coefficient) in &sum.monomials {
        let kept = if coefficient.abs() < *modulus { coefficient.clone() } else { remainder(coefficient)? };
        changed |= kept != *coefficient;
        match two(terms, *monomial, &Op::Mod) {
            Some((inner, divisor)) if int(terms, divisor).is_some_and(|d| is_multiple(d, modulus)) => {
                changed = true;
                less.add(terms, inner, &kept);
            }
            _ => less.monomials.push((*monomial, kept)),
        }
    }
    if !changed {
        return None;
    }
    less.gather();
    Some(less.term(terms))
}

fn is_multiple(number: &Integer, of: &Integer) -> bool {
    !number.is_zero() && number.div_rem_euclid(of).is_some_and(|(_, r)| r.is_zero())
}
