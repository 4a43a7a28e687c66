//! The values of numbers, characters and strings.

use super::{Checked, Sema};
use crate::frontend::c::names::Symbol;
use crate::frontend::c::tree::{ExprId, ExprKind, StringId, StringLiteral};
use crate::frontend::c::types::{DataModel, IntKind, Length, Ty};
use crate::program::{Diagnostic, Span};

/// An integer constant: its value, and the types it may have, in order.
fn integer(text: &str) -> Option<(u64, Suffix, bool)> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix, is_decimal) = if let Some(rest) = lower.strip_prefix("0x") {
        (rest, 16, false)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (rest, 2, false)
    } else if lower.starts_with('0') {
        (lower.as_str(), 8, false)
    } else {
        (lower.as_str(), 10, true)
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let suffix = match &digits[end..] {
        "" => Suffix { unsigned: false, longs: 0 },
        "u" => Suffix { unsigned: true, longs: 0 },
        "l" => Suffix { unsigned: false, longs: 1 },
        "ul" | "lu" => Suffix { unsigned: true, longs: 1 },
        "ll" => Suffix { unsigned: false, longs: 2 },
        "ull" | "llu" => Suffix { unsigned: true, longs: 2 },
        _ => return None,
    };
    let value = u64::from_str_radix(&digits[..end], radix).ok()?;
    Some((value, suffix, is_decimal))
}

#[derive(Debug, Clone, Copy)]
struct Suffix {
    unsigned: bool,
    longs: u8,
}

/// A floating constant without its suffix: the value in `double` and in `float`.
fn floating(digits: &str) -> Option<(f64, f32)> {
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => hex_float(hex),
        None => {
            let well_formed =
                digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
            well_formed.then(|| Some((digits.parse().ok()?, digits.parse().ok()?)))?
        }
    }
}

/// Whether a decimal constant with a suffix is so near to a number that it is rounded to it, in one step or in two: 20
/// of their digits are the same.
pub(super) fn is_nearly(text: &str, value: f64) -> bool {
    const DIGITS: usize = 20;
    let significant = |text: &str| {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        let exponent = exponent.parse::<i64>().ok()? + whole.len() as i64 - (all.len() - digits.len()) as i64;
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| (format!("{digits:0<DIGITS$}")[..DIGITS].to_owned(), exponent))
    };
    let text = text.trim_end_matches(['l', 'L']);
    let exact = significant(&format!("{value:.30e}"));
    exact.is_some() && significant(text) == exact
}

/// `1.8p3`, the exponent being of two. Digits beyond what an integer of 128 bits holds are refused.
fn hex_float(hex: &str) -> Option<(f64, f32)> {
    let (mantissa, exponent) = hex.split_once(['p', 'P'])?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    if digits.len() > 30 || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let value = if digits.is_empty() { 0 } else { u128::from_str_radix(digits, 16).ok()? };
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    // Only values that a `double` holds exactly are read: they are not rounded twice.
    let odd = if value == 0 { 0 } else { value >> value.trailing_zeros() };
    let exponent = exponent.checked_add(if value == 0 { 0 } else { value.trailing_zeros() as i32 })?;
    let bits = 128 - odd.leading_zeros() as i32;
    if bits > 53 || (value != 0 && !(-1074..=1024 - bits).contains(&exponent)) {
        return None;
    }
    // In two steps, because a power alone can be out of range; both are exact.
    let exponent = if value == 0 { 0 } else { exponent };
    let double = odd as f64 * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
    Some((double, double as f32))
}

impl Sema<'_> {
    pub(super) fn number(&mut self, symbol: Symbol, span: Span) -> Checked<ExprId> {
        let text = self.names().shared(symbol);
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let is_float = if is_hex { text.contains(['.', 'p', 'P']) } else { text.contains(['.', 'e', 'E']) };
        if is_float { self.floating(&text, symbol, span) } else { self.integer(&text, span) }
    }

    fn integer(&mut self, text: &str, span: Span) -> Checked<ExprId> {
        let Some((value, suffix, is_decimal)) = integer(text) else {
            let message = format!("`{text}` is no integer constant of at most 64 bits");
            return self.error(Diagnostic::at(span, message, "cannot be read"));
        };
        let signed = [IntKind::Int, IntKind::Long, IntKind::LongLong];
        let candidates = signed[suffix.longs as usize..].iter().flat_map(|kind| {
            let unsigned = (suffix.unsigned || !is_decimal).then_some(kind.to_unsigned());
            (!suffix.unsigned).then_some(*kind).into_iter().chain(unsigned)
        });
        let fitting = candidates.map(Ty::int).find(|ty| self.fits(i128::from(value), *ty));
        // gcc takes a decimal constant beyond `long long` as `__int128` where there is one, and warns.
        let has_wide = self.unit.types.model == DataModel::Lp64;
        let Some(ty) = fitting.or(has_wide.then_some(Ty::int(IntKind::Int128))) else {
            let message = format!("`{text}` is too large for any signed type");
            return self.error(Diagnostic::at(span, message, "too large").hint("write `u` behind it"));
        };
        Ok(self.int(i128::from(value), ty, span))
    }

    fn floating(&mut self, text: &str, symbol: Symbol, span: Span) -> Checked<ExprId> {
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let is_suffix = |c: char| matches!(c, 'l' | 'L' | 'q' | 'Q' | 'w' | 'W') || (matches!(c, 'f' | 'F') && !is_hex);
        let hex_suffix = |c: char| is_suffix(c) || matches!(c, 'f' | 'F');
        let past_exponent = text.find(['p', 'P']).filter(|_| is_hex).unwrap_or(0);
        let end = match text[past_exponent..].find(|c: char| if is_hex { hex_suffix(c) } else { is_suffix(c) }) {
            Some(index) => past_exponent + index,
            None => text.len(),
        };
        let ty = match text[end..].to_ascii_lowercase().as_str() {
            "" => Ty::DOUBLE,
            "f" => Ty::FLOAT,
            "l" | "w" => Ty::LONG_DOUBLE,
            "q" => Ty::FLOAT128,
            _ => Ty::VOID,
        };
        let value = floating(&text[..end]).filter(|_| ty != Ty::VOID);
        let Some((double, float)) = value else {
            let message = format!("`{text}` is no floating constant that can be read");
            return self.error(Diagnostic::at(span, message, "cannot be read"));
        };
        let value = if ty == Ty::FLOAT { f64::from(float) } else { double };
        Ok(self.node(ExprKind::Float(value, symbol), ty, span))
    }

    pub(super) fn character(&mut self, symbol: Symbol, span: Span) -> Checked<ExprId> {
        let text = self.names().shared(symbol);
        let (prefix, quoted) = split_prefix(&text);
        let inner = quoted.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or("");
        let (element, width) = self.unit_type(prefix);
        let units = match unescape(inner, width) {
            Ok(units) if !units.is_empty() => units,
            Ok(_) => {
                return self.error(Diagnostic::at(span, "an empty character constant", "nothing between the quotes"));
            }
            Err(message) => return self.error(Diagnostic::at(span, message, "in this constant")),
        };
        if prefix.is_empty() {
            // Several characters make a number, the first one at the top; a single one is a `char`.
            let value = match units.as_slice() {
                [one] => i128::from(*one as u8 as i8),
                many => i128::from(many.iter().fold(0i32, |n, unit| n << 8 | *unit as u8 as i32)),
            };
            return Ok(self.int(value, Ty::INT, span));
        }
        let value = self.wrap(i128::from(units[units.len() - 1]), element).unwrap_or(0);
        Ok(self.int(value, element, span))
    }

    /// The type of an element with a prefix, and its width in bytes.
    fn unit_type(&self, prefix: &str) -> (Ty, u32) {
        match prefix {
            "L" => (self.types().wide_char(), 4),
            "u" => (Ty::int(IntKind::UShort), 2),
            "U" => (Ty::UINT, 4),
            _ => (Ty::CHAR, 1),
        }
    }

    pub(super) fn string(&mut self, pieces: &[Symbol], span: Span) -> Checked<ExprId> {
        let texts: Vec<_> = pieces.iter().map(|piece| self.names().shared(*piece)).collect();
        let wide = texts.iter().map(|text| split_prefix(text).0).find(|prefix| !matches!(*prefix, "" | "u8"));
        let (element, width) = self.unit_type(wide.unwrap_or(""));
        let mut units = Vec::new();
        for text in &texts {
            let quoted = split_prefix(text).1;
            let inner = quoted.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or("");
            match unescape(inner, width) {
                Ok(mut more) => units.append(&mut more),
                Err(message) => return self.error(Diagnostic::at(span, message, "in this string")),
            }
        }
        units.push(0);
        Ok(self.string_node(StringLiteral { units, element }, element, span))
    }

    /// An lvalue of a string, with that type of its elements.
    pub(super) fn string_node(&mut self, literal: StringLiteral, element: Ty, span: Span) -> ExprId {
        let length = literal.units.len() as u64;
        let id = self.intern_string(literal);
        let ty = self.unit.types.array_of(element, Length::Fixed(length));
        self.node(ExprKind::Str(id), ty, span)
    }

    fn intern_string(&mut self, literal: StringLiteral) -> StringId {
        if let Some(id) = self.strings.get(&literal) {
            return *id;
        }
        let id = self.unit.strings.push(literal.clone());
        self.strings.insert(literal, id);
        id
    }
}

fn split_prefix(text: &str) -> (&str, &str) {
    text.split_at(text.find(['"', '\'']).unwrap_or(0))
}

/// The elements of a text with escapes, each of so many bytes.
fn unescape(text: &str, width: u32) -> Result<Vec<u32>, String> {
    let mut units = Vec::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let limit = if width == 4 { u64::from(u32::MAX) } else { (1u64 << (8 * width)) - 1 };
    while let Some(char) = chars.next() {
        if char != '\\' {
            push_char(&mut units, char, width);
            continue;
        }
        let Some(escape) = chars.next() else { return Err("a `\\` with nothing behind it".to_owned()) };
        let value = match escape {
            '\n' => continue,
            '\r' if chars.peek() == Some(&'\n') => {
                chars.next();
                continue;
            }
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\\' | '\'' | '"' | '?' => escape as u64,
            '0'..='7' => {
                let mut value = u64::from(escape as u32 - '0' as u32);
                for _ in 0..2 {
                    let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + u64::from(digit);
                    chars.next();
                }
                value
            }
            'x' => {
                let mut value = 0u64;
                let mut any = false;
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = value.saturating_mul(16).saturating_add(u64::from(digit));
                    any = true;
                    chars.next();
                }
                if !any {
                    return Err("`\\x` without digits".to_owned());
                }
                value
            }
            'u' | 'U' => {
                let digits: String = chars.by_ref().take(if escape == 'u' { 4 } else { 8 }).collect();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                let Some(char) = code else { return Err(format!("`\\{escape}{digits}` is no character")) };
                push_char(&mut units, char, width);
                continue;
            }
            other => return Err(format!("`\\{other}` is no escape")),
        };
        if value > limit {
            return Err("an escape that does not fit a character".to_owned());
        }
        units.push(value as u32);
    }
    Ok(units)
}

fn push_char(units: &mut Vec<u32>, char: char, width: u32) {
    match width {
        1 => units.extend(char.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        2 => units.extend(char.encode_utf16(&mut [0; 2]).iter().map(|unit| u32::from(*unit))),
        _ => units.push(char as u32),
    }
}
