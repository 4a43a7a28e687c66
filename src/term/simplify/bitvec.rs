//! Rules for bit-vector arithmetic, bitwise operators, and equality of bit-vectors.

use super::boolean::eq_order;
use super::{FLAT, Rule, bits, either_order, only, two, width_of};
use crate::term::{Integer, Linear, Op, TermId, Terms};

pub(super) const SUM: &[Rule] = &[Rule::new("bv.sum", sum)];
pub(super) const MUL: &[Rule] = &[
    Rule::new("bv.mul-order", constant_last),
    Rule::new("bv.mul-constant", mul_constant),
    Rule::new("bv.mul-pull", mul_pull),
];
pub(super) const UDIV: &[Rule] = &[Rule::new("bv.udiv-constant", udiv_constant)];
pub(super) const UREM: &[Rule] = &[Rule::new("bv.urem-constant", urem_constant), Rule::new("bv.rem-zero", rem_zero)];
pub(super) const SDIV: &[Rule] = &[Rule::new("bv.sdiv-constant", sdiv_constant)];
pub(super) const SREM: &[Rule] = &[Rule::new("bv.srem-constant", srem_constant), Rule::new("bv.rem-zero", rem_zero)];
pub(super) const SHIFT: &[Rule] = &[
    Rule::new("bv.shift-of-constant", shift_of_constant),
    Rule::new("bv.shift-by-constant", shift_by_constant),
    Rule::new("bv.shift-shift", shift_shift),
];
pub(super) const BITWISE: &[Rule] =
    &[Rule::new("bv.bitwise-order", constant_last), Rule::new("bv.bitwise-constants", bitwise_constants)];
pub(super) const AND_OR: &[Rule] = &[
    Rule::new("bv.and-or-constant", and_or_constant),
    Rule::new("bv.and-or-same", and_or_same),
    Rule::new("bv.and-or-complement", and_or_complement),
    Rule::new("bv.and-or-absorb", and_or_absorb),
];
pub(super) const XOR: &[Rule] = &[
    Rule::new("bv.xor-constant", xor_constant),
    Rule::new("bv.xor-same", xor_same),
    Rule::new("bv.xor-cancel", xor_cancel),
    Rule::new("bv.xor-not", xor_not),
];
pub(super) const NOT: &[Rule] = &[Rule::new("bv.not-not", not_not), Rule::new("bv.not-xor", not_xor)];
pub(super) const EQ: &[Rule] = &[
    Rule::new("eq.bv-not", eq_not),
    Rule::new("eq.xor", eq_xor),
    Rule::new("eq.extended-constant", eq_extended_constant),
    Rule::new("eq.extended", eq_extended),
    Rule::new("eq.concat", eq_concat),
    Rule::new("eq.bv-sum", eq_sum),
];

/// How many monomials a bit-vector sum may have to be taken apart in a larger one, which is a chain of additions: as many
/// as other sums where it is one of an unrolled loop.
pub(super) fn max_flat(terms: &Terms) -> usize {
    if terms.is_unrolled() { FLAT } else { 8 }
}

/// Adds `factor` times the term; a sum with more monomials than allowed is one monomial.
fn add_to(terms: &Terms, total: &mut Linear, term: TermId, factor: i64) {
    match taken_apart(terms, term, factor) {
        Some(mut part) => {
            total.constant = &total.constant + &part.constant;
            total.monomials.append(&mut part.monomials);
        }
        None => total.monomials.push((term, factor.into())),
    }
}

/// `factor` times the term as a sum, unless it has more monomials than allowed.
fn taken_apart(terms: &Terms, term: TermId, factor: i64) -> Option<Linear> {
    let most = max_flat(terms);
    let mut part = Linear::default();
    let mut pending = vec![(term, Integer::from(factor))];
    let mut steps = 0;
    while let Some((next, factor)) = pending.pop() {
        let args = terms.args(next);
        match terms.op(next) {
            Op::BitVec(value, _) => part.constant = &part.constant + &(value * &factor),
            Op::BvAdd => pending.extend([(args[0], factor.clone()), (args[1], factor)]),
            Op::BvSub => pending.extend([(args[0], factor.clone()), (args[1], -factor)]),
            Op::BvNeg => pending.push((args[0], -factor)),
            Op::BvMul => match bits(terms, args[1]) {
                Some(constant) => pending.push((args[0], constant * &factor)),
                None => part.monomials.push((next, factor)),
            },
            _ => part.monomials.push((next, factor)),
        }
        steps += 1;
        if part.monomials.len() > most || steps > 8 * most {
            return None;
        }
    }
    Some(part)
}

/// The sum of bit-vectors of one width, each with a factor; `None` where it has more monomials than allowed.
pub(super) fn sum_of(terms: &Terms, members: &[(TermId, i64)], width: u32) -> Option<Linear> {
    let mut sum = Linear::default();
    for (member, factor) in members {
        add_to(terms, &mut sum, *member, *factor);
    }
    wrap(&mut sum, width);
    (sum.monomials.len() <= max_flat(terms)).then_some(sum)
}

/// Takes each coefficient modulo 2^width, into the range from -2^(width-1), excluded, to 2^(width-1), included.
fn wrap(sum: &mut Linear, width: u32) {
    sum.gather();
    for (_, coefficient) in &mut sum.monomials {
        *coefficient = coefficient.wrap_signed(width);
        if *coefficient == -Integer::power_of_two(width - 1) {
            *coefficient = Integer::power_of_two(width - 1);
        }
    }
    sum.gather();
    sum.constant = sum.constant.wrap_unsigned(width);
}

/// The term of a wrapped sum: what is added, then what is subtracted, then the constant.
pub(super) fn vector_term(terms: &mut Terms, sum: &Linear, width: u32) -> TermId {
    let (added, subtracted): (Vec<_>, Vec<_>) = sum.monomials.iter().partition(|(_, c)| !c.is_negative());
    let mut constant = (!sum.constant.is_zero()).then(|| terms.bit_vec(sum.constant.clone(), width));
    let mut result = None;
    for (monomial, coefficient) in added {
        let scaled = scaled(terms, *monomial, coefficient.clone(), width);
        result = Some(match result {
            None => scaled,
            Some(left) => terms.raw(Op::BvAdd, &[left, scaled]),
        });
    }
    if result.is_none() && !subtracted.is_empty() {
        result = constant.take();
    }
    for (monomial, coefficient) in subtracted {
        result = Some(match result {
            None if *coefficient == Integer::from(-1) => terms.raw(Op::BvNeg, &[*monomial]),
            None => scaled(terms, *monomial, coefficient.clone(), width),
            Some(left) => {
                let scaled = scaled(terms, *monomial, -coefficient.clone(), width);
                terms.raw(Op::BvSub, &[left, scaled])
            }
        });
    }
    match (result, constant) {
        (Some(left), Some(constant)) => terms.raw(Op::BvAdd, &[left, constant]),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => terms.bit_vec(0, width),
    }
}

fn scaled(terms: &mut Terms, monomial: TermId, coefficient: Integer, width: u32) -> TermId {
    if coefficient == Integer::ONE {
        return monomial;
    }
    let coefficient = terms.bit_vec(coefficient, width);
    terms.raw(Op::BvMul, &[monomial, coefficient])
}

fn changed(terms: &Terms, op: &Op, args: &[TermId], term: TermId) -> Option<TermId> {
    (terms.op(term) != op || terms.args(term) != args).then_some(term)
}

/// Brings sums, differences and negations into the normal form of sums; a sum with too many monomials for that has
/// at least the older summand first.
fn sum(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let width = width_of(terms, args[0]);
    let sum = match op {
        Op::BvAdd => sum_of(terms, &[(args[0], 1), (args[1], 1)], width),
        Op::BvSub => sum_of(terms, &[(args[0], 1), (args[1], -1)], width),
        _ => sum_of(terms, &[(args[0], -1)], width),
    };
    let Some(sum) = sum else {
        return if *op == Op::BvAdd { constant_last(terms, op, args) } else { None };
    };
    let normal = vector_term(terms, &sum, width);
    changed(terms, op, args, normal)
}

/// The arguments of a commutative operator: the older term first, but a constant last.
fn constant_last(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    eq_order(terms, op, args)
}

fn mul_constant(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let factor = bits(terms, args[1])?.clone();
    let width = width_of(terms, args[0]);
    let mut product = Linear::default();
    add_to(terms, &mut product, args[0], 1);
    product.scale(&factor);
    wrap(&mut product, width);
    let normal = vector_term(terms, &product, width);
    changed(terms, op, args, normal)
}

/// Constant factors and signs go outside.
fn mul_pull(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    if let Some((factor, other)) = either_order(args, |a, b| only(terms, a, &Op::BvNeg).map(|inner| (inner, b))) {
        let product = terms.bv_mul(factor, other);
        return Some(terms.bv_neg(product));
    }
    let (factor, constant, other) = either_order(args, |a, b| {
        let (factor, constant) = two(terms, a, &Op::BvMul)?;
        bits(terms, constant).map(|_| (factor, constant, b))
    })?;
    let product = terms.bv_mul(factor, other);
    Some(terms.bv_mul(product, constant))
}

fn udiv_constant(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let divisor = bits(terms, args[1])?;
    let width = width_of(terms, args[0]);
    if divisor.is_zero() {
        return Some(terms.bit_vec(-1, width));
    }
    let shift = divisor.exact_log2()?;
    let shift = terms.bit_vec(shift, width);
    Some(terms.bv_lshr(args[0], shift))
}

fn urem_constant(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let divisor = bits(terms, args[1])?;
    let width = width_of(terms, args[0]);
    if divisor.is_zero() {
        return Some(args[0]);
    }
    let kept = divisor.exact_log2()?;
    if kept == 0 {
        return Some(terms.bit_vec(0, width));
    }
    let low = terms.extract(kept - 1, 0, args[0]);
    Some(terms.zero_extend(width - kept, low))
}

/// The remainder of nothing, or by itself, is nothing, also by zero.
fn rem_zero(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let nothing = args[0] == args[1] || bits(terms, args[0]).is_some_and(Integer::is_zero);
    nothing.then(|| terms.bit_vec(0, width_of(terms, args[0])))
}

fn sdiv_constant(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let divisor = bits(terms, args[1])?.wrap_signed(width_of(terms, args[0]));
    match divisor.to_i64() {
        Some(1) => Some(args[0]),
        Some(-1) => Some(terms.bv_neg(args[0])),
        _ => None,
    }
}

fn srem_constant(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let width = width_of(terms, args[0]);
    match bits(terms, args[1])?.wrap_signed(width).to_i64() {
        Some(0) => Some(args[0]),
        Some(1 | -1) => Some(terms.bit_vec(0, width)),
        _ => None,
    }
}

fn shift_of_constant(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let value = bits(terms, args[0])?;
    let ones = *op == Op::BvAshr && *value == ones(width_of(terms, args[0]));
    (value.is_zero() || ones).then_some(args[0])
}

/// By nothing, by more than the width, and to the left, which is a product.
fn shift_by_constant(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let width = width_of(terms, args[0]);
    let amount = bits(terms, args[1])?.clone();
    if amount.is_zero() {
        return Some(args[0]);
    }
    match (op, amount.to_u32().filter(|n| *n < width)) {
        (Op::BvAshr, None) if amount != Integer::from(width - 1) => {
            let all = terms.bit_vec(width - 1, width);
            Some(terms.bv_ashr(args[0], all))
        }
        (Op::BvAshr, _) => None,
        (_, None) => Some(terms.bit_vec(0, width)),
        (Op::BvShl, Some(amount)) => {
            let factor = terms.bit_vec(Integer::power_of_two(amount), width);
            Some(terms.bv_mul(args[0], factor))
        }
        _ => None,
    }
}

fn shift_shift(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let (inner, first) = two(terms, args[0], op).filter(|_| *op != Op::BvShl)?;
    let width = width_of(terms, args[0]);
    let amount = bits(terms, first)? + bits(terms, args[1])?;
    // Shifting by the width or more is the same as shifting by all but one bit, the second time in a row.
    if amount >= Integer::from(width) && *op == Op::BvLshr {
        return Some(terms.bit_vec(0, width));
    }
    let amount = terms.bit_vec(amount.min(Integer::from(width - 1)), width);
    Some(terms.make(op.clone(), &[inner, amount]))
}

fn ones(width: u32) -> Integer {
    Integer::power_of_two(width) - Integer::ONE
}

/// `(x op c1) op c2` is `x op (c1 op c2)`.
fn bitwise_constants(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    bits(terms, args[1])?;
    let (inner, first) = two(terms, args[0], op)?;
    bits(terms, first)?;
    let constant = terms.make(op.clone(), &[first, args[1]]);
    Some(terms.make(op.clone(), &[inner, constant]))
}

fn and_or_constant(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let constant = bits(terms, args[1])?;
    let (zeros, all) = (constant.is_zero(), *constant == ones(width_of(terms, args[0])));
    match op {
        Op::BvAnd if all => Some(args[0]),
        Op::BvAnd if zeros => Some(args[1]),
        Op::BvOr if zeros => Some(args[0]),
        Op::BvOr if all => Some(args[1]),
        _ => None,
    }
}

fn and_or_same(_: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    (args[0] == args[1]).then_some(args[0])
}

fn and_or_complement(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    either_order(args, |a, b| (only(terms, a, &Op::BvNot) == Some(b)).then_some(()))?;
    let width = width_of(terms, args[0]);
    Some(terms.bit_vec(if *op == Op::BvAnd { 0 } else { -1 }, width))
}

fn and_or_absorb(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let dual = if *op == Op::BvAnd { Op::BvOr } else { Op::BvAnd };
    either_order(args, |a, b| {
        let same = two(terms, b, op).filter(|(x, y)| *x == a || *y == a).map(|_| b);
        same.or_else(|| two(terms, b, &dual).filter(|(x, y)| *x == a || *y == a).map(|_| a))
    })
}

fn xor_constant(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let constant = bits(terms, args[1])?;
    if constant.is_zero() {
        Some(args[0])
    } else if *constant == ones(width_of(terms, args[0])) {
        Some(terms.bv_not(args[0]))
    } else {
        None
    }
}

fn xor_same(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    (args[0] == args[1]).then(|| terms.bit_vec(0, width_of(terms, args[0])))
}

/// `(x ^ y) ^ y` is `x`.
fn xor_cancel(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    either_order(args, |a, b| {
        let (x, y) = two(terms, a, op)?;
        if x == b {
            Some(y)
        } else if y == b {
            Some(x)
        } else {
            None
        }
    })
}

/// Negations go outside.
fn xor_not(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (inner, other) = either_order(args, |a, b| only(terms, a, &Op::BvNot).map(|inner| (inner, b)))?;
    let xor = terms.bv_xor(inner, other);
    Some(terms.bv_not(xor))
}

fn not_not(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    only(terms, args[0], &Op::BvNot)
}

/// A constant takes the negation in.
fn not_xor(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (inner, constant) = two(terms, args[0], &Op::BvXor).filter(|(_, c)| bits(terms, *c).is_some())?;
    let constant = terms.bv_not(constant);
    Some(terms.bv_xor(inner, constant))
}

fn eq_not(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (a, b) = (only(terms, args[0], &Op::BvNot), only(terms, args[1], &Op::BvNot));
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (Some(inner), None) if bits(terms, args[1]).is_some() => (inner, terms.bv_not(args[1])),
        (None, Some(inner)) if bits(terms, args[0]).is_some() => (inner, terms.bv_not(args[0])),
        _ => return None,
    };
    Some(terms.eq(a, b))
}

/// `x ^ c1 = c2` is `x = c1 ^ c2`, and `x ^ y = 0` is `x = y`.
fn eq_xor(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (x, y, value) = either_order(args, |xor, value| {
        let (x, y) = two(terms, xor, &Op::BvXor)?;
        let constant = bits(terms, value)?;
        (constant.is_zero() || bits(terms, y).is_some()).then_some((x, y, value))
    })?;
    let other = terms.bv_xor(y, value);
    Some(terms.eq(x, other))
}

/// An extended vector is a constant only if the constant is an extended one.
fn eq_extended_constant(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (inner, signed, value) = either_order(args, |extended, value| {
        let value = bits(terms, value)?;
        match (terms.op(extended), terms.args(extended)) {
            (Op::ZeroExtend(_), &[inner]) => Some((inner, false, value.clone())),
            (Op::SignExtend(_), &[inner]) => Some((inner, true, value.clone())),
            _ => None,
        }
    })?;
    let (width, full) = (width_of(terms, inner), width_of(terms, args[0]));
    let low = value.wrap_unsigned(width);
    let back = if signed { low.wrap_signed(width).wrap_unsigned(full) } else { low.clone() };
    if back != value {
        return Some(terms.bool(false));
    }
    let low = terms.bit_vec(low, width);
    Some(terms.eq(inner, low))
}

fn eq_extended(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (&[a], &[b]) = (terms.args(args[0]), terms.args(args[1])) else { return None };
    let same =
        terms.op(args[0]) == terms.op(args[1]) && matches!(terms.op(args[0]), Op::ZeroExtend(_) | Op::SignExtend(_));
    same.then(|| terms.eq(a, b))
}

fn eq_concat(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (high, low, value) = either_order(args, |concat, value| {
        let (high, low) = two(terms, concat, &Op::Concat)?;
        Some((high, low, bits(terms, value)?.clone()))
    })?;
    let (width_high, width_low) = (width_of(terms, high), width_of(terms, low));
    let value_high = terms.bit_vec(value.shift_right(width_low), width_high);
    let value_low = terms.bit_vec(value, width_low);
    let equal_high = terms.eq(high, value_high);
    let equal_low = terms.eq(low, value_low);
    Some(terms.and([equal_high, equal_low]))
}

/// Cancels what both sides share; what is subtracted on one side is added on the other, constants go right. Too
/// many monomials for that are at least in order.
fn eq_sum(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let width = width_of(terms, args[0]);
    let Some(mut sum) = sum_of(terms, &[(args[0], 1), (args[1], -1)], width) else {
        return eq_order(terms, op, args);
    };
    let Some((_, first)) = sum.monomials.first() else { return Some(terms.bool(sum.constant.is_zero())) };
    if first.is_negative() {
        sum.scale(&Integer::from(-1));
        wrap(&mut sum, width);
    }
    let (left, right) = std::mem::take(&mut sum.monomials).into_iter().partition(|(_, c)| !c.is_negative());
    let left = Linear { monomials: left, constant: Integer::ZERO };
    let mut right = Linear { monomials: right, constant: sum.constant };
    right.scale(&Integer::from(-1));
    wrap(&mut right, width);
    let sides = [vector_term(terms, &left, width), vector_term(terms, &right, width)];
    (args != sides).then(|| terms.make(op.clone(), &sides))
}
