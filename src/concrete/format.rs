//! Values as text, as glibc's `printf` writes them.

use super::memory::Memory;
use super::{Fault, Pointer, Value};
use crate::program::{Conversion, MachineInt, Style, Type};
use crate::term::Integer;
use std::cell::Cell;

/// An integer; `machine` is its type, or none for mathematical ones.
pub(super) fn integer(style: &Style, value: &Integer, machine: Option<MachineInt>) -> Vec<u8> {
    let bits = |m: MachineInt| value.wrap_unsigned(m.width).to_big();
    let (digits, prefix) = match (style.conversion, machine) {
        (Conversion::Char, Some(_)) => {
            let byte = value.wrap_unsigned(8).to_i64().unwrap_or_default() as u8;
            return filled(style, vec![byte]);
        }
        (Conversion::Octal, Some(m)) => (format!("{:o}", bits(m)), ""),
        (Conversion::Hex, Some(m)) => (format!("{:x}", bits(m)), "0x"),
        (Conversion::HexUpper, Some(m)) => (format!("{:X}", bits(m)), "0X"),
        _ => (value.abs().to_string(), ""),
    };
    let signed = style.conversion == Conversion::Decimal && machine.is_none_or(|m| m.signed);
    let sign = if signed { sign_of(style, value.is_negative()) } else { "" };
    let prefix = if style.alternate && !value.is_zero() { prefix } else { "" };
    number(style, sign, prefix, digits, value.is_zero())
}

/// An address.
pub(super) fn address(style: &Style, address: u64) -> Vec<u8> {
    if address == 0 {
        return filled(style, b"(nil)".to_vec());
    }
    number(style, sign_of(style, false), "0x", format!("{address:x}"), false)
}

/// The digits with what goes before them, and filled up.
fn number(style: &Style, sign: &str, prefix: &str, mut digits: String, zero: bool) -> Vec<u8> {
    if zero && style.precision == Some(0) {
        digits.clear();
    }
    let least = usize::from(style.precision.unwrap_or(1));
    if digits.len() < least {
        digits.insert_str(0, &"0".repeat(least - digits.len()));
    }
    if style.conversion == Conversion::Octal && style.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let zeros = style.zero && !style.left && style.precision.is_none();
    assembled(style, &format!("{sign}{prefix}"), &digits, zeros)
}

/// A floating-point number.
pub(super) fn float(style: &Style, value: f64) -> Vec<u8> {
    let sign = sign_of(style, value.is_sign_negative());
    let value = value.abs();
    let mut text = match style.conversion {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value.is_infinite() => "inf".to_owned(),
        Conversion::Fixed | Conversion::FixedUpper => fixed(value, precision(style), style.alternate),
        Conversion::Exponent | Conversion::ExponentUpper => exponent(value, precision(style), style.alternate),
        _ => general(value, precision(style).max(1), style.alternate),
    };
    if style.conversion.is_upper() {
        text.make_ascii_uppercase();
    }
    assembled(style, sign, &text, style.zero && !style.left && value.is_finite())
}

/// The bytes of a string, of which at most `precision` are there.
pub(super) fn text(style: &Style, bytes: Option<Vec<u8>>) -> Vec<u8> {
    // A null pointer is printed as a word, or not at all where there is no room for it.
    let absent = || if style.precision.is_none_or(|p| p >= 6) { b"(null)".to_vec() } else { Vec::new() };
    filled(style, bytes.unwrap_or_else(absent))
}

fn precision(style: &Style) -> usize {
    style.precision.map_or(6, usize::from)
}

fn sign_of(style: &Style, negative: bool) -> &'static str {
    match () {
        _ if negative => "-",
        _ if style.plus => "+",
        _ if style.space => " ",
        _ => "",
    }
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let point = if point && precision == 0 { "." } else { "" };
    format!("{value:.precision$}{point}")
}

fn exponent(value: f64, precision: usize, point: bool) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').expect("this format has an exponent");
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    let point = if point && precision == 0 { "." } else { "" };
    format!("{mantissa}{point}e{sign}{digits:0>2}")
}

/// The shorter of the two ways, with so many digits that count.
fn general(value: f64, digits: usize, all: bool) -> String {
    let long = exponent(value, digits - 1, all);
    let (mantissa, scale) = long.split_once('e').expect("this format has an exponent");
    let scale: i64 = scale.parse().expect("an exponent is a number");
    let strip = |text: &str| match text.contains('.') && !all {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if scale >= -4 && scale < digits as i64 {
        let precision = usize::try_from(digits as i64 - 1 - scale).expect("the scale is less than the digits");
        return strip(&fixed(value, precision, all));
    }
    format!("{}e{}", strip(mantissa), &long[mantissa.len() + 1..])
}

/// A sign or prefix and digits, filled up to the width with zeros between the two, or with blanks.
fn assembled(style: &Style, before: &str, digits: &str, zeros: bool) -> Vec<u8> {
    let missing = usize::from(style.width.unwrap_or(0)).saturating_sub(before.len() + digits.len());
    let zeros = if zeros { "0".repeat(missing) } else { String::new() };
    filled(style, format!("{before}{zeros}{digits}").into_bytes())
}

fn filled(style: &Style, text: Vec<u8>) -> Vec<u8> {
    let missing = usize::from(style.width.unwrap_or(0)).saturating_sub(text.len());
    let blanks = vec![b' '; missing];
    if style.left { [text, blanks].concat() } else { [blanks, text].concat() }
}

impl Memory {
    /// The bytes from a pointer on, up to one that is zero, or so many.
    pub(super) fn text(&self, pointer: Pointer, most: usize, seen: &Cell<bool>) -> Result<Vec<u8>, Fault> {
        let mut text = Vec::new();
        while text.len() < most {
            let place = Pointer { offset: pointer.offset.wrapping_add(text.len() as i64), ..pointer };
            match self.load(place, Type::machine(8, false), seen)? {
                Value::Int(n) if n.is_zero() => break,
                Value::Int(n) => text.push(n.to_i64().unwrap_or_default() as u8),
                Value::Token(_) => text.push(b'?'),
                other => unreachable!("{other} is a byte"),
            }
        }
        Ok(text)
    }
}
