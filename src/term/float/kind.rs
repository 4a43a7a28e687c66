//! The formats of floating-point numbers, and their values by their bits.

use crate::term::Integer;
use num_traits::ToPrimitive;
use std::fmt;

/// A floating-point format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// 32 bits: C's and Java's `float`.
    F32,
    /// 64 bits: `double`.
    F64,
}

impl FloatKind {
    /// How many bits a value has.
    pub fn width(self) -> u32 {
        match self {
            FloatKind::F32 => 32,
            FloatKind::F64 => 64,
        }
    }

    /// The format of so many bits, if there is one.
    pub fn of_width(width: u32) -> Option<FloatKind> {
        match width {
            32 => Some(FloatKind::F32),
            64 => Some(FloatKind::F64),
            _ => None,
        }
    }

    /// How many bytes a value takes in memory.
    pub fn bytes(self) -> u32 {
        self.width() / 8
    }

    /// How many bits of the fraction are kept.
    pub(super) fn fraction(self) -> u32 {
        match self {
            FloatKind::F32 => 23,
            FloatKind::F64 => 52,
        }
    }

    /// The bits of the exponent.
    pub(super) fn exponent_bits(self) -> u64 {
        let infinity = (1 << (self.width() - 1)) - 1;
        infinity & !((1 << self.fraction()) - 1)
    }

    /// The bits of the number nearest to the given one.
    pub fn of_f64(self, value: f64) -> u64 {
        self.convert(value.to_bits(), FloatKind::F64)
    }

    /// The number of those bits.
    pub fn to_f64(self, bits: u64) -> f64 {
        f64::from_bits(FloatKind::F64.convert(bits, self))
    }

    /// Whether the bits are those of no number.
    pub fn is_nan(self, bits: u64) -> bool {
        (bits & !self.sign()) > self.exponent_bits()
    }

    /// Whether the bits are those of an infinity.
    pub fn is_infinite(self, bits: u64) -> bool {
        (bits & !self.sign()) == self.exponent_bits()
    }

    /// Whether the number is not zero; true for NaN.
    pub fn is_nonzero(self, bits: u64) -> bool {
        bits & !self.sign() != 0
    }

    /// The bit of the sign.
    pub fn sign(self) -> u64 {
        1 << (self.width() - 1)
    }

    /// The bits, if they are of no number, of the same one that is quiet.
    pub(super) fn quiet(self, bits: u64) -> u64 {
        bits | 1 << (self.fraction() - 1)
    }

    /// The bits of the value of another format, rounded.
    pub fn convert(self, bits: u64, from: FloatKind) -> u64 {
        if self == from {
            return bits;
        }
        if !from.is_nan(bits) {
            return match from {
                FloatKind::F32 => f64::from(f32::from_bits(bits as u32)).to_bits(),
                FloatKind::F64 => u64::from((f64::from_bits(bits) as f32).to_bits()),
            };
        }
        let sign = if bits & from.sign() == 0 { 0 } else { self.sign() };
        let fraction = bits & ((1 << from.fraction()) - 1);
        let fraction = match from {
            FloatKind::F32 => fraction << 29,
            FloatKind::F64 => fraction >> 29,
        };
        self.quiet(sign | self.exponent_bits() | fraction)
    }

    /// The bits of the number nearest to an integer of at most 128 bits; of two, the even one.
    pub fn of_integer(self, value: &Integer) -> u64 {
        macro_rules! nearest {
            ($number:expr) => {
                match self {
                    FloatKind::F32 => u64::from(($number as f32).to_bits()),
                    FloatKind::F64 => ($number as f64).to_bits(),
                }
            };
        }
        if let Some(small) = value.to_i64() {
            return nearest!(small);
        }
        let big = value.to_big();
        match big.to_i128() {
            Some(signed) => nearest!(signed),
            None => nearest!(big.to_u128().expect("a machine integer has at most 128 bits")),
        }
    }

    /// The number towards zero from this one; the nearest end of the machine integers of that width for one outside
    /// them, 0 for NaN.
    pub fn to_whole(self, bits: u64, width: u32, signed: bool) -> Integer {
        let number = self.to_f64(bits);
        let whole = if signed { Integer::from(number as i128) } else { Integer::from(number as u128) };
        let values = Integer::power_of_two(width - u32::from(signed));
        let least = if signed { -values.clone() } else { Integer::ZERO };
        whole.clamp(least, values - Integer::ONE)
    }

    /// The number in decimal, as few digits as tell it apart; `inf`, `-inf`; `nan(0x…)` with the bits for what is none.
    pub fn print(self, bits: u64) -> String {
        match self {
            _ if self.is_nan(bits) => format!("nan({bits:#x})"),
            FloatKind::F32 => format!("{:?}", f32::from_bits(bits as u32)),
            FloatKind::F64 => format!("{:?}", f64::from_bits(bits)),
        }
    }

    /// The bits of the number that the text is: what [`FloatKind::print`] prints, or any decimal number, rounded.
    pub fn parse(self, text: &str) -> Option<u64> {
        if let Some(bits) = text.strip_prefix("nan(0x").and_then(|rest| rest.strip_suffix(')')) {
            let bits = u64::from_str_radix(bits, 16).ok()?;
            let fits = self == FloatKind::F64 || bits <= u64::from(u32::MAX);
            return (fits && self.is_nan(bits)).then_some(bits);
        }
        match text {
            "inf" => return Some(self.exponent_bits()),
            "-inf" => return Some(self.sign() | self.exponent_bits()),
            _ => {}
        }
        let decimal = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
        let bits = match self {
            _ if !decimal => return None,
            FloatKind::F32 => u64::from(text.parse::<f32>().ok()?.to_bits()),
            FloatKind::F64 => text.parse::<f64>().ok()?.to_bits(),
        };
        (!self.is_infinite(bits)).then_some(bits)
    }
}

impl fmt::Display for FloatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}", self.width())
    }
}

#[cfg(test)]
mod tests {
    use super::FloatKind::{F32, F64};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_value_prints_and_reads_back(bits in any::<u64>()) {
            prop_assert_eq!(F64.parse(&F64.print(bits)), Some(bits));
            let bits = bits & 0xffff_ffff;
            prop_assert_eq!(F32.parse(&F32.print(bits)), Some(bits));
        }

        #[test]
        fn wide_integers_round_to_the_nearest(n in any::<u128>()) {
            let nearest = f64::from_bits(F64.of_integer(&Integer::from(n)));
            let distance = |x: f64| (Integer::from(n) - Integer::from(x as u128)).abs();
            for other in [nearest.next_up(), nearest.next_down()] {
                prop_assert!(distance(nearest) <= distance(other) || nearest == 2f64.powi(128));
            }
            prop_assert_eq!(F32.of_integer(&Integer::from(n as i64)), u64::from((n as i64 as f32).to_bits()));
        }
    }

    #[test]
    fn what_is_no_number_of_either() {
        for wrong in ["", "nan", "infinity", "0x10", "1e999", "nan(0x1)", "1.5f", "--1"] {
            assert_eq!(F64.parse(wrong), None, "{wrong}");
        }
    }
}
