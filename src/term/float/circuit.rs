//! The operators on floating-point numbers, by operators on bit-vectors.
//!
//! A number that is not zero is `±significand × 2^(exponent - bias - fraction)`, the significand with its leading bit; where that
//! leading bit is missing the exponent is 1. What an operation gives before rounding is a significand of three more
//! bits than are kept in the fraction: the leading one, those of the fraction, the next one, and whether anything but
//! zeros follows.

use super::FloatKind;
use crate::term::{Integer, TermId, Terms};

/// A binary interchange format of IEEE 754: a sign, so many bits of the exponent, so many of the fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Format {
    pub exponent: u32,
    pub fraction: u32,
}

impl Format {
    pub(crate) fn of(kind: FloatKind) -> Format {
        Format { exponent: kind.width() - kind.fraction() - 1, fraction: kind.fraction() }
    }

    pub(crate) fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of infinities and of NaN.
    fn most(self) -> i64 {
        (1 << self.exponent) - 1
    }

    /// How many bits hold every exponent that occurs on the way, in two's complement.
    fn working(self) -> u32 {
        self.exponent.max(bits_of(self.fraction)) + 3
    }

    /// How many bits a significand has before rounding.
    fn rounded(self) -> u32 {
        self.fraction + 3
    }
}

/// How many bits a number takes.
fn bits_of(number: u32) -> u32 {
    u32::BITS - number.leading_zeros()
}

/// A number taken apart.
struct Parts {
    bits: TermId,
    /// One bit.
    sign: TermId,
    /// As many bits as [`Format::working`] says; at least 1.
    exponent: TermId,
    /// With the leading bit.
    significand: TermId,
    nan: TermId,
    infinite: TermId,
    zero: TermId,
}

fn take_apart(terms: &mut Terms, format: Format, bits: TermId) -> Parts {
    let Format { exponent: e, fraction: p } = format;
    let sign = terms.extract(e + p, e + p, bits);
    let field = terms.extract(e + p - 1, p, bits);
    let magnitude = terms.extract(e + p - 1, 0, bits);
    let (none, infinity) = (terms.bit_vec(0, e), terms.bit_vec(infinity_of(format), e + p));
    let nothing = terms.bit_vec(0, e + p);
    let low = terms.eq(field, none);
    let exponent = terms.zero_extend(format.working() - e, field);
    let one = terms.bit_vec(1, format.working());
    let exponent = terms.ite(low, one, exponent);
    let (clear, set) = (terms.bit_vec(0, 1), terms.bit_vec(1, 1));
    let leading = terms.ite(low, clear, set);
    let fraction = terms.extract(p - 1, 0, bits);
    let significand = terms.concat(leading, fraction);
    let nan = terms.bv_ult(infinity, magnitude);
    let (infinite, zero) = (terms.eq(magnitude, infinity), terms.eq(magnitude, nothing));
    Parts { bits, sign, exponent, significand, nan, infinite, zero }
}

/// The bits of the infinity.
fn infinity_of(format: Format) -> Integer {
    Integer::from(format.most()).shift_left(format.fraction)
}

/// The same number with the leading bit in its place, whatever that makes of the exponent.
fn with_leading_bit(terms: &mut Terms, parts: Parts) -> Parts {
    let (significand, zeros) = shift_out_zeros(terms, parts.significand);
    let width = width_of(terms, parts.exponent);
    let zeros = resize(terms, zeros, width);
    let exponent = terms.bv_sub(parts.exponent, zeros);
    Parts { exponent, significand, ..parts }
}

/// The vector shifted left until its highest bit is set, and by how many bits; by some for a vector without any.
fn shift_out_zeros(terms: &mut Terms, vector: TermId) -> (TermId, TermId) {
    let width = width_of(terms, vector);
    let (clear, set) = (terms.bit_vec(0, 1), terms.bit_vec(1, 1));
    let (mut shifted, mut zeros) = (vector, None);
    let mut step = 1 << (bits_of(width - 1).max(1) - 1);
    while step > 0 {
        let top = terms.extract(width - 1, width - step, shifted);
        let none = terms.bit_vec(0, step);
        let empty = terms.eq(top, none);
        let rest = terms.extract(width - step - 1, 0, shifted);
        let moved = terms.concat(rest, none);
        shifted = terms.ite(empty, moved, shifted);
        let bit = terms.ite(empty, set, clear);
        zeros = Some(match zeros {
            None => bit,
            Some(higher) => terms.concat(higher, bit),
        });
        step /= 2;
    }
    (shifted, zeros.expect("there is at least one step"))
}

/// The vector in as many bits as are left before rounding: what does not fit is a last bit that is set if any of it is.
fn compress(terms: &mut Terms, format: Format, significand: TermId) -> TermId {
    let (width, wanted) = (width_of(terms, significand), format.rounded());
    if width <= wanted {
        return append_zeros(terms, significand, wanted - width);
    }
    let cut = width - wanted + 1;
    let kept = terms.extract(width - 1, cut, significand);
    let rest = terms.extract(cut - 1, 0, significand);
    let rest = any_bit(terms, rest);
    terms.concat(kept, rest)
}

/// One bit: whether any of the vector's is set.
fn any_bit(terms: &mut Terms, vector: TermId) -> TermId {
    let width = width_of(terms, vector);
    let (nothing, clear, set) = (terms.bit_vec(0, width), terms.bit_vec(0, 1), terms.bit_vec(1, 1));
    let none = terms.eq(vector, nothing);
    terms.ite(none, clear, set)
}

/// The vector shifted right, its last bit also set if any bit is lost.
fn shift_right(terms: &mut Terms, vector: TermId, by: TermId) -> TermId {
    let width = width_of(terms, vector);
    let shifted = terms.bv_lshr(vector, by);
    let back = terms.bv_shl(shifted, by);
    let lost = terms.ne(back, vector);
    let (one, none) = (terms.bit_vec(1, width), terms.bit_vec(0, width));
    let last = terms.ite(lost, one, none);
    terms.bv_or(shifted, last)
}

/// A significand before rounding whose exponent may be less than 1, with one that is not.
fn raise(terms: &mut Terms, format: Format, exponent: TermId, significand: TermId) -> (TermId, TermId) {
    let width = width_of(terms, exponent);
    let (one, nothing) = (terms.bit_vec(1, width), terms.bit_vec(0, width));
    let low = terms.bv_slt(exponent, one);
    let missing = terms.bv_sub(one, exponent);
    let all = terms.bit_vec(format.rounded(), width);
    let too_many = terms.bv_slt(all, missing);
    let by = terms.ite(too_many, all, missing);
    let by = terms.ite(low, by, nothing);
    let by = resize(terms, by, format.rounded());
    let significand = shift_right(terms, significand, by);
    (terms.ite(low, one, exponent), significand)
}

/// The number of an exponent of at least 1 and a significand before rounding, rounded to nearest, ties to even. The
/// exponent is 1 where the leading bit is missing.
fn round(terms: &mut Terms, format: Format, sign: TermId, exponent: TermId, significand: TermId) -> TermId {
    let Format { exponent: e, fraction: p } = format;
    let width = width_of(terms, exponent);
    let kept = terms.extract(p + 2, 2, significand);
    let [odd, half, rest] = [2, 1, 0].map(|at| terms.extract(at, at, significand));
    let more = terms.bv_or(odd, rest);
    let up = terms.bv_and(half, more);
    // The leading bit adds one to the exponent, and so does what is carried out of the fraction.
    let one = terms.bit_vec(1, width);
    let below = terms.bv_sub(exponent, one);
    let below = terms.extract(e - 1, 0, below);
    let base = append_zeros(terms, below, p);
    let (kept, up) = (terms.zero_extend(e - 1, kept), terms.zero_extend(e + p - 1, up));
    let sum = terms.bv_add(base, kept);
    let sum = terms.bv_add(sum, up);
    let most = terms.bit_vec(format.most(), width);
    let fits = terms.bv_slt(exponent, most);
    let infinity = terms.bit_vec(infinity_of(format), e + p);
    let magnitude = terms.ite(fits, sum, infinity);
    terms.concat(sign, magnitude)
}

/// The first of the values whose condition holds, or else the last one.
fn choose(terms: &mut Terms, cases: &[(TermId, TermId)], otherwise: TermId) -> TermId {
    cases.iter().rev().fold(otherwise, |rest, (condition, value)| terms.ite(*condition, *value, rest))
}

/// NaN, made quiet.
fn quiet(terms: &mut Terms, format: Format, bits: TermId) -> TermId {
    let bit = terms.bit_vec(Integer::power_of_two(format.fraction - 1), format.width());
    terms.bv_or(bits, bit)
}

/// NaN, where no operand is NaN.
fn invalid(terms: &mut Terms, format: Format) -> TermId {
    let exponent = infinity_of(format);
    let bits = Integer::power_of_two(format.width() - 1) + Integer::power_of_two(format.fraction - 1) + exponent;
    terms.bit_vec(bits, format.width())
}

/// An infinity and a zero with the sign.
fn extremes(terms: &mut Terms, format: Format, sign: TermId) -> (TermId, TermId) {
    let width = format.width() - 1;
    let (infinity, zero) = (terms.bit_vec(infinity_of(format), width), terms.bit_vec(0, width));
    (terms.concat(sign, infinity), terms.concat(sign, zero))
}

/// The sum, or the difference.
pub(super) fn sum(terms: &mut Terms, format: Format, a: TermId, b: TermId, minus: bool) -> TermId {
    let Format { exponent: e, fraction: p } = format;
    let sign_bit = terms.bit_vec(Integer::power_of_two(e + p), format.width());
    let added = if minus { terms.bv_xor(b, sign_bit) } else { b };
    let [left, right] = [a, added].map(|bits| take_apart(terms, format, bits));
    let [quiet_a, quiet_b] = [a, b].map(|bits| quiet(terms, format, bits));
    let signs_differ = terms.ne(left.sign, right.sign);
    let finite = finite_sum(terms, format, a, added);
    let wrong = terms.and([left.infinite, right.infinite, signs_differ]);
    let none = invalid(terms, format);
    let cases = [
        (left.nan, quiet_a),
        (right.nan, quiet_b),
        (wrong, none),
        (left.infinite, left.bits),
        (right.infinite, right.bits),
    ];
    choose(terms, &cases, finite)
}

/// The sum of numbers that are no infinities.
fn finite_sum(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let p = format.fraction;
    let [size_a, size_b] = [a, b].map(|bits| terms.extract(format.width() - 2, 0, bits));
    let swap = terms.bv_ult(size_a, size_b);
    let (great, small) = (terms.ite(swap, b, a), terms.ite(swap, a, b));
    let [great, small] = [great, small].map(|bits| take_apart(terms, format, bits));
    let wide = p + 5;
    let distance = terms.bv_sub(great.exponent, small.exponent);
    let distance = narrow(terms, distance, wide);
    let [first, second] = [great.significand, small.significand].map(|significand| {
        let longer = append_zeros(terms, significand, 3);
        terms.zero_extend(1, longer)
    });
    let second = shift_right(terms, second, distance);
    let (plus, minus) = (terms.bv_add(first, second), terms.bv_sub(first, second));
    let same = terms.eq(great.sign, small.sign);
    let total = terms.ite(same, plus, minus);
    let (nothing, positive) = (terms.bit_vec(0, wide), terms.bit_vec(0, 1));
    let some = terms.ne(total, nothing);
    // The highest bit is one more than the leading one. It is not shifted further than the exponent allows.
    let (_, zeros) = shift_out_zeros(terms, total);
    let width = format.working();
    let zeros = resize(terms, zeros, width);
    let enough = terms.bv_slt(zeros, great.exponent);
    let enough = terms.and([some, enough]);
    let by = terms.ite(enough, zeros, great.exponent);
    let one = terms.bit_vec(1, width);
    let exponent = terms.bv_add(great.exponent, one);
    let exponent = terms.bv_sub(exponent, by);
    let by = narrow(terms, by, wide);
    let significand = terms.bv_shl(total, by);
    let significand = compress(terms, format, significand);
    let keeps = terms.or([same, some]);
    let sign = terms.ite(keeps, great.sign, positive);
    round(terms, format, sign, exponent, significand)
}

/// The product.
pub(super) fn product(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let p = format.fraction;
    let [left, right] = [a, b].map(|bits| {
        let parts = take_apart(terms, format, bits);
        with_leading_bit(terms, parts)
    });
    let sign = terms.bv_xor(left.sign, right.sign);
    let [x, y] = [left.significand, right.significand].map(|s| terms.zero_extend(p + 1, s));
    let whole = terms.bv_mul(x, y);
    let bias = terms.bit_vec(format.bias(), format.working());
    let exponent = terms.bv_add(left.exponent, right.exponent);
    let exponent = terms.bv_sub(exponent, bias);
    let (exponent, significand) = at_most_one_zero(terms, exponent, whole, true);
    let finite = finish(terms, format, sign, exponent, significand);
    let (infinity, zero) = extremes(terms, format, sign);
    let (any_infinite, any_zero) = (terms.or([left.infinite, right.infinite]), terms.or([left.zero, right.zero]));
    let wrong = terms.and([any_infinite, any_zero]);
    with_specials(
        terms,
        format,
        [&left, &right],
        &[(wrong, None), (any_infinite, Some(infinity)), (any_zero, Some(zero))],
        finite,
    )
}

/// The quotient.
pub(super) fn quotient(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let p = format.fraction;
    let [left, right] = [a, b].map(|bits| {
        let parts = take_apart(terms, format, bits);
        with_leading_bit(terms, parts)
    });
    let sign = terms.bv_xor(left.sign, right.sign);
    let dividend = append_zeros(terms, left.significand, p + 2);
    let divisor = terms.zero_extend(p + 2, right.significand);
    let (whole, remainder) = (terms.bv_udiv(dividend, divisor), terms.bv_urem(dividend, divisor));
    let (whole, rest) = (terms.extract(p + 2, 0, whole), any_bit(terms, remainder));
    let significand = terms.concat(whole, rest);
    let bias = terms.bit_vec(format.bias(), format.working());
    let exponent = terms.bv_sub(left.exponent, right.exponent);
    let exponent = terms.bv_add(exponent, bias);
    let (exponent, significand) = at_most_one_zero(terms, exponent, significand, false);
    let finite = finish(terms, format, sign, exponent, significand);
    let (infinity, zero) = extremes(terms, format, sign);
    let (zeros, infinities) = (terms.and([left.zero, right.zero]), terms.and([left.infinite, right.infinite]));
    let wrong = terms.or([zeros, infinities]);
    let (great, small) = (terms.or([left.infinite, right.zero]), terms.or([left.zero, right.infinite]));
    with_specials(
        terms,
        format,
        [&left, &right],
        &[(wrong, None), (great, Some(infinity)), (small, Some(zero))],
        finite,
    )
}

/// A significand with at most one zero above its leading bit, shifted so that there is none. The exponent is the one
/// for the second highest bit, or else for the highest.
fn at_most_one_zero(terms: &mut Terms, exponent: TermId, significand: TermId, second: bool) -> (TermId, TermId) {
    let (highest, width) = (width_of(terms, significand) - 1, width_of(terms, exponent));
    let top = terms.extract(highest, highest, significand);
    let (set, one) = (terms.bit_vec(1, 1), terms.bit_vec(1, width));
    let is_set = terms.eq(top, set);
    let rest = terms.extract(highest - 1, 0, significand);
    let moved = append_zeros(terms, rest, 1);
    let significand = terms.ite(is_set, significand, moved);
    let exponent = if second {
        let next = terms.bv_add(exponent, one);
        terms.ite(is_set, next, exponent)
    } else {
        let next = terms.bv_sub(exponent, one);
        terms.ite(is_set, exponent, next)
    };
    (exponent, significand)
}

/// The rounded number of any exponent and of a significand, of any length, with its leading bit.
fn finish(terms: &mut Terms, format: Format, sign: TermId, exponent: TermId, significand: TermId) -> TermId {
    let significand = compress(terms, format, significand);
    let (exponent, significand) = raise(terms, format, exponent, significand);
    round(terms, format, sign, exponent, significand)
}

/// The result where no operand is special, with those where some are; a result that is missing is NaN.
fn with_specials(
    terms: &mut Terms,
    format: Format,
    operands: [&Parts; 2],
    cases: &[(TermId, Option<TermId>)],
    otherwise: TermId,
) -> TermId {
    let mut all = Vec::new();
    for operand in operands {
        all.push((operand.nan, quiet(terms, format, operand.bits)));
    }
    for (condition, value) in cases {
        let value = value.unwrap_or_else(|| invalid(terms, format));
        all.push((*condition, value));
    }
    choose(terms, &all, otherwise)
}

/// Less.
pub(super) fn less(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    order(terms, format, a, b, true)
}

/// At most.
pub(super) fn at_most(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    order(terms, format, a, b, false)
}

fn order(terms: &mut Terms, format: Format, a: TermId, b: TermId, strict: bool) -> TermId {
    let (numbers, zeros) = comparable(terms, format, a, b);
    let compare = if strict { Terms::bv_ult } else { Terms::bv_ule };
    let [sign_a, sign_b] = [a, b].map(|bits| {
        let sign = terms.extract(format.width() - 1, format.width() - 1, bits);
        let set = terms.bit_vec(1, 1);
        terms.eq(sign, set)
    });
    // Of two negative numbers the one with the greater bits is less.
    let (upwards, downwards) = (compare(terms, a, b), compare(terms, b, a));
    let of_positive = terms.not(sign_b);
    let of_positive = terms.and([of_positive, upwards]);
    let of_negative = terms.implies(sign_b, downwards);
    let ordered = terms.ite(sign_a, of_negative, of_positive);
    if strict {
        let apart = terms.not(zeros);
        terms.and([numbers, apart, ordered])
    } else {
        let either = terms.or([zeros, ordered]);
        terms.and([numbers, either])
    }
}

/// Equal.
pub(super) fn equal(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (numbers, zeros) = comparable(terms, format, a, b);
    let same = terms.eq(a, b);
    let either = terms.or([same, zeros]);
    terms.and([numbers, either])
}

/// Whether both are numbers, and whether both are zeros.
fn comparable(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> (TermId, TermId) {
    let width = format.width() - 1;
    let [size_a, size_b] = [a, b].map(|bits| terms.extract(width - 1, 0, bits));
    let (infinity, zero) = (terms.bit_vec(infinity_of(format), width), terms.bit_vec(0, width));
    let [number_a, number_b] = [size_a, size_b].map(|size| terms.bv_ule(size, infinity));
    let [zero_a, zero_b] = [size_a, size_b].map(|size| terms.eq(size, zero));
    (terms.and([number_a, number_b]), terms.and([zero_a, zero_b]))
}

/// The nearest number of another format, one of the two having both more exponents and longer fractions.
pub(super) fn convert(terms: &mut Terms, from: Format, to: Format, a: TermId) -> TermId {
    let widens = to.fraction > from.fraction;
    let parts = take_apart(terms, from, a);
    let parts = if widens { with_leading_bit(terms, parts) } else { parts };
    let width = from.working().max(to.working());
    let exponent = terms.sign_extend(width - from.working(), parts.exponent);
    let moved = terms.bit_vec(to.bias() - from.bias(), width);
    let exponent = terms.bv_add(exponent, moved);
    let finite = finish(terms, to, parts.sign, exponent, parts.significand);
    let (infinity, zero) = extremes(terms, to, parts.sign);
    let fraction = terms.extract(from.fraction - 1, 0, a);
    let fraction = match to.fraction.checked_sub(from.fraction) {
        Some(more) => append_zeros(terms, fraction, more),
        None => terms.extract(from.fraction - 1, from.fraction - to.fraction, a),
    };
    let none = terms.zero_extend(to.exponent + 1, fraction);
    let none = terms.bv_or(infinity, none);
    let none = quiet(terms, to, none);
    choose(terms, &[(parts.nan, none), (parts.infinite, infinity), (parts.zero, zero)], finite)
}

/// The number nearest to an integer, which is signed or not.
pub(super) fn of_integer(terms: &mut Terms, to: Format, a: TermId, signed: bool) -> TermId {
    let width = width_of(terms, a);
    let sign = if signed { terms.extract(width - 1, width - 1, a) } else { terms.bit_vec(0, 1) };
    let set = terms.bit_vec(1, 1);
    let negative = terms.eq(sign, set);
    let minus = terms.bv_neg(a);
    let size = terms.ite(negative, minus, a);
    let (shifted, zeros) = if width == 1 { (size, terms.bit_vec(0, 1)) } else { shift_out_zeros(terms, size) };
    let working = to.working().max(bits_of(width) + 2);
    let zeros = resize(terms, zeros, working);
    let highest = terms.bit_vec(to.bias() + i64::from(width) - 1, working);
    let exponent = terms.bv_sub(highest, zeros);
    let significand = compress(terms, to, shifted);
    let finite = round(terms, to, sign, exponent, significand);
    let (nothing, zero) = (terms.bit_vec(0, width), terms.bit_vec(0, to.width()));
    let is_zero = terms.eq(a, nothing);
    terms.ite(is_zero, zero, finite)
}

/// The integer of that width, signed or not, nearest towards zero, and the nearest end of the range from outside it.
pub(super) fn to_integer(terms: &mut Terms, from: Format, a: TermId, width: u32, signed: bool) -> TermId {
    let p = from.fraction;
    let parts = take_apart(terms, from, a);
    // The bits of a number below two to the power of `limit` are in range.
    let limit = width - u32::from(signed);
    let working = from.working().max(bits_of(width) + from.exponent + 1);
    let exponent = terms.zero_extend(working - from.working(), parts.exponent);
    let (bias, end) = (terms.bit_vec(from.bias(), working), terms.bit_vec(from.bias() + i64::from(limit), working));
    let below_one = terms.bv_slt(exponent, bias);
    let beyond = terms.bv_sle(end, exponent);
    let power = terms.bv_sub(exponent, bias);
    let wide = (p + width).max(working);
    let power = resize(terms, power, wide);
    let significand = terms.zero_extend(wide - p - 1, parts.significand);
    let shifted = terms.bv_shl(significand, power);
    let size = terms.extract(p + width - 1, p, shifted);
    let set = terms.bit_vec(1, 1);
    let negative = terms.eq(parts.sign, set);
    let nothing = terms.bit_vec(0, width);
    let (minus, least) = if signed {
        (terms.bv_neg(size), terms.bit_vec(Integer::power_of_two(limit), width))
    } else {
        (nothing, nothing)
    };
    let most = terms.bit_vec(Integer::power_of_two(limit) - Integer::ONE, width);
    let (inside, outside) = (terms.ite(negative, minus, size), terms.ite(negative, least, most));
    choose(terms, &[(parts.nan, nothing), (below_one, nothing), (beyond, outside)], inside)
}

fn width_of(terms: &Terms, vector: TermId) -> u32 {
    terms.sort(vector).width().expect("a part of a number is a bit-vector")
}

fn append_zeros(terms: &mut Terms, vector: TermId, count: u32) -> TermId {
    if count == 0 {
        return vector;
    }
    let zeros = terms.bit_vec(0, count);
    terms.concat(vector, zeros)
}

/// The natural number in so many bits, which it fits.
fn resize(terms: &mut Terms, vector: TermId, width: u32) -> TermId {
    let now = width_of(terms, vector);
    if width >= now { terms.zero_extend(width - now, vector) } else { terms.extract(width - 1, 0, vector) }
}

/// The amount of a shift in as many bits as what is shifted; one that does not fit is the greatest that does.
fn narrow(terms: &mut Terms, amount: TermId, width: u32) -> TermId {
    let now = width_of(terms, amount);
    if width >= now {
        return terms.zero_extend(width - now, amount);
    }
    let most = terms.bit_vec(Integer::power_of_two(width) - Integer::ONE, now);
    let fits = terms.bv_ule(amount, most);
    let amount = terms.ite(fits, amount, most);
    terms.extract(width - 1, 0, amount)
}
