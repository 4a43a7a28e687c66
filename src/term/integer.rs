//! Mathematical integers of any size, fast while they fit a machine word.
//!
//! Invariant: a value that fits an `i64` is always `Small`, so derived equality and hashing are those of
//! the number.

use num_bigint::{BigInt, Sign};
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// An integer without bounds.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Box<BigInt>),
}

use Repr::{Big, Small};

impl Integer {
    /// Zero.
    pub const ZERO: Integer = Integer(Small(0));
    /// One.
    pub const ONE: Integer = Integer(Small(1));

    /// The value as an `i64`, where it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Small(n) => Some(n),
            Big(_) => None,
        }
    }

    /// The value as an `i64` to be changed in place, where it fits.
    #[inline]
    pub fn as_i64_mut(&mut self) -> Option<&mut i64> {
        match &mut self.0 {
            Small(n) => Some(n),
            Big(_) => None,
        }
    }

    /// The value as a `u64`, where it fits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Small(n) => u64::try_from(*n).ok(),
            Big(n) => n.to_u64(),
        }
    }

    /// The value as a `u32`, where it fits.
    pub fn to_u32(&self) -> Option<u32> {
        self.to_u64().and_then(|n| u32::try_from(n).ok())
    }

    /// Two to the power `exponent`.
    pub fn power_of_two(exponent: u32) -> Integer {
        if exponent < 63 { Integer(Small(1 << exponent)) } else { (BigInt::from(1) << exponent).into() }
    }

    /// Whether this is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == Small(0)
    }

    /// Whether this is less than zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small(n) => *n < 0,
            Big(n) => n.is_negative(),
        }
    }

    /// The distance from zero.
    pub fn abs(&self) -> Integer {
        if self.is_negative() { -self.clone() } else { self.clone() }
    }

    /// Quotient and remainder with the remainder in `0..|divisor|` (SMT-LIB's `div` and `mod`);
    /// `None` for a zero divisor.
    pub fn div_rem_euclid(&self, divisor: &Integer) -> Option<(Integer, Integer)> {
        if divisor.is_zero() {
            return None;
        }
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let (Some(q), Some(r)) = (a.checked_div_euclid(*b), a.checked_rem_euclid(*b))
        {
            return Some((q.into(), r.into()));
        }
        let (a, b) = (self.to_big(), divisor.to_big());
        let r = a.mod_floor(&b.abs());
        let q = (a - &r) / b;
        Some((q.into(), r.into()))
    }

    /// Quotient rounded towards zero and its remainder (C's and Java's `/` and `%`); `None` for a zero divisor.
    pub fn div_rem_truncated(&self, divisor: &Integer) -> Option<(Integer, Integer)> {
        if divisor.is_zero() {
            return None;
        }
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let (Some(q), Some(r)) = (a.checked_div(*b), a.checked_rem(*b))
        {
            return Some((q.into(), r.into()));
        }
        let (q, r) = self.to_big().div_rem(&divisor.to_big());
        Some((q.into(), r.into()))
    }

    /// The greatest common divisor, never negative.
    pub fn gcd(&self, other: &Integer) -> Integer {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.unsigned_abs().gcd(&b.unsigned_abs()).into(),
            _ => self.to_big().gcd(&other.to_big()).into(),
        }
    }

    /// The value modulo 2^width, in `0..2^width`.
    pub fn wrap_unsigned(&self, width: u32) -> Integer {
        match &self.0 {
            Small(n) if width < 63 => Integer(Small(n & ((1 << width) - 1))),
            Small(n) if *n >= 0 => self.clone(),
            _ => self.to_big().mod_floor(&Integer::power_of_two(width).to_big()).into(),
        }
    }

    /// The value modulo 2^width, in `-2^(width-1)..2^(width-1)`: two's complement.
    pub fn wrap_signed(&self, width: u32) -> Integer {
        if let Small(n) = self.0 {
            if width >= 64 {
                return self.clone();
            }
            if width > 0 {
                let shift = 64 - width;
                return Integer(Small((n << shift) >> shift));
            }
        }
        let n = self.wrap_unsigned(width);
        if width > 0 && n >= Integer::power_of_two(width - 1) { n - Integer::power_of_two(width) } else { n }
    }

    /// This times 2^bits.
    pub fn shift_left(&self, bits: u32) -> Integer {
        (self.to_big() << bits).into()
    }

    /// This divided by 2^bits, rounded towards minus infinity.
    pub fn shift_right(&self, bits: u32) -> Integer {
        match &self.0 {
            Small(n) => Integer(Small(n >> bits.min(63))),
            Big(n) => (n.as_ref() >> bits).into(),
        }
    }

    /// The value as `num_bigint` has it.
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Small(n) => BigInt::from(*n),
            Big(n) => n.as_ref().clone(),
        }
    }

    fn sign(&self) -> Sign {
        match &self.0 {
            Small(n) => match n.cmp(&0) {
                Ordering::Less => Sign::Minus,
                Ordering::Equal => Sign::NoSign,
                Ordering::Greater => Sign::Plus,
            },
            Big(n) => n.sign(),
        }
    }
}

impl From<BigInt> for Integer {
    fn from(n: BigInt) -> Self {
        match n.to_i64() {
            Some(small) => Integer(Small(small)),
            None => Integer(Big(Box::new(n))),
        }
    }
}

macro_rules! from_small {
    ($($t:ty),*) => {$(impl From<$t> for Integer {
        #[inline]
        fn from(n: $t) -> Self { Integer(Small(i64::from(n))) }
    })*};
}
from_small!(i8, u8, i16, u16, i32, u32, i64, bool);

macro_rules! from_large {
    ($($t:ty),*) => {$(impl From<$t> for Integer {
        fn from(n: $t) -> Self {
            match i64::try_from(n) {
                Ok(small) => Integer(Small(small)),
                Err(_) => BigInt::from(n).into(),
            }
        }
    })*};
}
from_large!(u64, i128, u128, usize);

macro_rules! operator {
    ($trait:ident, $method:ident, $checked:ident) => {
        impl std::ops::$trait<&Integer> for &Integer {
            type Output = Integer;
            #[inline]
            fn $method(self, other: &Integer) -> Integer {
                if let (Small(a), Small(b)) = (&self.0, &other.0)
                    && let Some(n) = a.$checked(*b)
                {
                    return Integer(Small(n));
                }
                std::ops::$trait::$method(self.to_big(), other.to_big()).into()
            }
        }
        impl std::ops::$trait for Integer {
            type Output = Integer;
            #[inline]
            fn $method(self, other: Integer) -> Integer {
                std::ops::$trait::$method(&self, &other)
            }
        }
    };
}
operator!(Add, add, checked_add);
operator!(Sub, sub, checked_sub);
operator!(Mul, mul, checked_mul);

macro_rules! bit_operator {
    ($trait:ident, $method:ident) => {
        impl std::ops::$trait<&Integer> for &Integer {
            type Output = Integer;
            /// Bit by bit, on two's complement of unlimited width.
            fn $method(self, other: &Integer) -> Integer {
                match (&self.0, &other.0) {
                    (Small(a), Small(b)) => Integer(Small(std::ops::$trait::$method(*a, *b))),
                    _ => std::ops::$trait::$method(self.to_big(), other.to_big()).into(),
                }
            }
        }
    };
}
bit_operator!(BitAnd, bitand);
bit_operator!(BitOr, bitor);
bit_operator!(BitXor, bitxor);

impl std::ops::Neg for Integer {
    type Output = Integer;
    fn neg(self) -> Integer {
        Integer::ZERO - self
    }
}

impl std::ops::Not for &Integer {
    type Output = Integer;
    /// Every bit flipped, on two's complement of unlimited width: `-n - 1`.
    fn not(self) -> Integer {
        &Integer::from(-1) - self
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            // A big value lies outside the range of every small one, on the side of its sign.
            (Big(_), Small(_)) if self.sign() == Sign::Minus => Ordering::Less,
            (Big(_), Small(_)) => Ordering::Greater,
            (Small(_), Big(_)) => other.cmp(self).reverse(),
        }
    }
}

/// The text is not a decimal integer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a decimal integer: {0:?}")]
pub struct ParseIntegerError(String);

impl FromStr for Integer {
    type Err = ParseIntegerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(n) = text.parse::<i64>() {
            return Ok(Integer(Small(n)));
        }
        BigInt::parse_bytes(text.as_bytes(), 10).map(Integer::from).ok_or_else(|| ParseIntegerError(text.to_owned()))
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(n) => fmt::Display::fmt(n, f),
            Big(n) => fmt::Display::fmt(n, f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Default for Integer {
    fn default() -> Self {
        Integer::ZERO
    }
}

impl Integer {
    /// The bytes of the value in two's complement, least significant first, `count` of them.
    pub fn to_le_bytes(&self, count: usize) -> Vec<u8> {
        let mut bytes = self.to_big().to_signed_bytes_le();
        let fill = if self.is_negative() { 0xff } else { 0 };
        bytes.resize(count, fill);
        bytes
    }

    /// The value of bytes in two's complement, least significant first.
    pub fn from_le_bytes(bytes: &[u8], signed: bool) -> Integer {
        if signed {
            BigInt::from_signed_bytes_le(bytes).into()
        } else {
            BigInt::from_bytes_le(if bytes.is_empty() { Sign::NoSign } else { Sign::Plus }, bytes).into()
        }
    }

    /// Whether the value is one of a `width`-bit integer.
    pub fn fits(&self, width: u32, signed: bool) -> bool {
        let wrapped = if signed { self.wrap_signed(width) } else { self.wrap_unsigned(width) };
        wrapped == *self
    }

    /// Whether this is a power of two, and which.
    pub(super) fn exact_log2(&self) -> Option<u32> {
        let big = self.to_big();
        if big.is_zero() || big.is_negative() {
            return None;
        }
        let exponent = u32::try_from(big.bits() - 1).ok()?;
        (Integer::power_of_two(exponent) == *self).then_some(exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn big(n: i128) -> Integer {
        Integer::from(n)
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_i128(a in -(1i128 << 62)..(1i128 << 62), b in -(1i128 << 62)..(1i128 << 62), shift in 0u32..3) {
            let (a, b) = (a << shift, b << shift);
            prop_assert_eq!(big(a) + big(b), big(a + b));
            prop_assert_eq!(big(a) - big(b), big(a - b));
            prop_assert_eq!(big(a) * big(b), Integer::from(BigInt::from(a) * BigInt::from(b)));
            prop_assert_eq!(big(a).cmp(&big(b)), a.cmp(&b));
            prop_assert_eq!(&big(a) & &big(b), big(a & b));
            prop_assert_eq!(&big(a) | &big(b), big(a | b));
            prop_assert_eq!(&big(a) ^ &big(b), big(a ^ b));
            prop_assert_eq!(!&big(a), big(!a));
            prop_assert_eq!(big(a).gcd(&big(b)), big(a.gcd(&b)));
            if b != 0 {
                prop_assert_eq!(big(a).div_rem_truncated(&big(b)), Some((big(a / b), big(a % b))));
                prop_assert_eq!(big(a).div_rem_euclid(&big(b)), Some((big(a.div_euclid(b)), big(a.rem_euclid(b)))));
            }
        }

        #[test]
        fn wrapping_is_that_of_machine_integers(a in any::<i128>()) {
            prop_assert_eq!(big(a).wrap_signed(8), Integer::from(a as i8));
            prop_assert_eq!(big(a).wrap_unsigned(8), Integer::from(a as u8));
            prop_assert_eq!(big(a).wrap_signed(64), Integer::from(a as i64));
            prop_assert_eq!(big(a).wrap_unsigned(64), Integer::from(a as u64));
            prop_assert_eq!(big(a).wrap_unsigned(63), Integer::from((a as u64) & (u64::MAX >> 1)));
            prop_assert_eq!(big(a).wrap_unsigned(128), Integer::from(a as u128));
            prop_assert_eq!(big(a).wrap_signed(1), Integer::from(-(a & 1)));
        }

        #[test]
        fn bytes_and_text_round_trip(a in any::<i128>()) {
            prop_assert_eq!(Integer::from_le_bytes(&big(a).to_le_bytes(16), true), big(a));
            prop_assert_eq!(Integer::from_le_bytes(&big(a).to_le_bytes(16), false), Integer::from(a as u128));
            prop_assert_eq!(big(a).to_string().parse::<Integer>().unwrap(), big(a));
        }

        #[test]
        fn shifts_are_those_of_i128(a in any::<i128>(), bits in 0u32..127) {
            prop_assert_eq!(big(a).shift_right(bits), big(a >> bits));
            prop_assert_eq!(big(a >> 64).shift_left(bits % 63), big((a >> 64) << (bits % 63)));
        }
    }

    #[test]
    fn to_le_bytes_cuts_to_the_count() {
        assert_eq!(Integer::from(255).to_le_bytes(1), vec![255]);
        assert_eq!(Integer::from(-1).to_le_bytes(2), vec![255, 255]);
    }
}
