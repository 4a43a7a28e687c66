//! Reading the formats of `printf`.

use crate::program::{Conversion, Style};

/// A part of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Bytes that are printed as they are.
    Text(Vec<u8>),
    /// A value.
    Value(Directive),
}

/// How the next value is taken and printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Directive {
    /// As it is written.
    pub text: String,
    /// How it is printed, but for a width and precision that are arguments.
    pub style: Style,
    /// Whether the width is the argument before.
    pub takes_width: bool,
    /// Whether the precision is the argument before.
    pub takes_precision: bool,
    /// Which type the value has.
    pub takes: Takes,
}

/// The types of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// An integer of a length, whether signed.
    Integer(Length, bool),
    /// An `int` that is printed as a character.
    Char,
    /// A `double`.
    Double,
    /// A pointer.
    Pointer,
}

/// The lengths of integers, by their modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// `hh`
    Char,
    /// `h`
    Short,
    /// None.
    Int,
    /// `l`
    Long,
    /// `ll`, `q`, `j`
    LongLong,
    /// `z`, `Z`, `t`
    Size,
}

/// The parts of a format; or the part of it that is not known, which may be anything.
pub(super) fn read(format: &[u8]) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut text = Vec::new();
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, after.first()) {
            (b'%', Some(b'%')) => {
                text.push(b'%');
                rest = &after[1..];
            }
            (b'%', _) => {
                let (directive, length) = directive(after)?;
                if !text.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                }
                parts.push(Part::Value(directive));
                rest = &after[length..];
            }
            _ => text.push(byte),
        }
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    Ok(parts)
}

/// Reads what follows a `%`, and tells how long it is.
fn directive(format: &[u8]) -> Result<(Directive, usize), String> {
    let mut cursor = Cursor { format, at: 0 };
    let mut style = Style::plain(Conversion::Decimal);
    while let Some(flag) = cursor.peek() {
        let flag = match flag {
            b'-' => &mut style.left,
            b'+' => &mut style.plus,
            b' ' => &mut style.space,
            b'#' => &mut style.alternate,
            b'0' => &mut style.zero,
            _ => break,
        };
        *flag = true;
        cursor.at += 1;
    }
    let takes_width = cursor.skip(b"*");
    if !takes_width {
        style.width = cursor.number()?;
    }
    let mut takes_precision = false;
    if cursor.skip(b".") {
        takes_precision = cursor.skip(b"*");
        if !takes_precision {
            style.precision = Some(cursor.number()?.unwrap_or(0));
        }
    }
    let length = cursor.length();
    let unknown = |cursor: &Cursor| Err(cursor.text());
    let Some(letter) = cursor.peek() else { return unknown(&cursor) };
    cursor.at += 1;
    let (conversion, takes) = match (letter, length) {
        (b'd' | b'i', length) => (Conversion::Decimal, Takes::Integer(length, true)),
        (b'u', length) => (Conversion::Decimal, Takes::Integer(length, false)),
        (b'o', length) => (Conversion::Octal, Takes::Integer(length, false)),
        (b'x', length) => (Conversion::Hex, Takes::Integer(length, false)),
        (b'X', length) => (Conversion::HexUpper, Takes::Integer(length, false)),
        (b'c', Length::Int) => (Conversion::Char, Takes::Char),
        (b's', Length::Int) => (Conversion::Text, Takes::Pointer),
        (b'p', Length::Int) => (Conversion::Pointer, Takes::Pointer),
        // An `l` changes nothing before these.
        (b'f', Length::Int | Length::Long) => (Conversion::Fixed, Takes::Double),
        (b'F', Length::Int | Length::Long) => (Conversion::FixedUpper, Takes::Double),
        (b'e', Length::Int | Length::Long) => (Conversion::Exponent, Takes::Double),
        (b'E', Length::Int | Length::Long) => (Conversion::ExponentUpper, Takes::Double),
        (b'g', Length::Int | Length::Long) => (Conversion::General, Takes::Double),
        (b'G', Length::Int | Length::Long) => (Conversion::GeneralUpper, Takes::Double),
        _ => return unknown(&cursor),
    };
    style.conversion = conversion;
    Ok((Directive { text: cursor.text(), style, takes_width, takes_precision, takes }, cursor.at))
}

struct Cursor<'f> {
    format: &'f [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    fn skip(&mut self, word: &[u8]) -> bool {
        let found = self.format[self.at..].starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn number(&mut self) -> Result<Option<u16>, String> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        let digits = String::from_utf8_lossy(&self.format[start..self.at]);
        if digits.is_empty() { Ok(None) } else { digits.parse().map(Some).map_err(|_| self.text()) }
    }

    fn length(&mut self) -> Length {
        const LENGTHS: [(&[u8], Length); 9] = [
            (b"hh", Length::Char),
            (b"h", Length::Short),
            (b"ll", Length::LongLong),
            (b"l", Length::Long),
            (b"q", Length::LongLong),
            (b"j", Length::LongLong),
            (b"z", Length::Size),
            (b"Z", Length::Size),
            (b"t", Length::Size),
        ];
        LENGTHS.iter().find(|(word, _)| self.skip(word)).map_or(Length::Int, |(_, length)| *length)
    }

    /// What was read, with the `%` before it.
    fn text(&self) -> String {
        format!("%{}", String::from_utf8_lossy(&self.format[..self.at.min(self.format.len())]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read() {
        let parts = read(b"a%%b%-05.3lld%*.*f%s").expect("the format is fine");
        let texts = parts.iter().map(|part| match part {
            Part::Text(text) => String::from_utf8_lossy(text).into_owned(),
            Part::Value(directive) => format!("{} {} {:?}", directive.text, directive.style, directive.takes),
        });
        let texts: Vec<String> = texts.collect();
        assert_eq!(texts, ["a%b", "%-05.3lld %-05.3d Integer(LongLong, true)", "%*.*f %f Double", "%s %s Pointer"]);
    }

    #[test]
    fn what_is_not_known_is_named() {
        let cases: [(&[u8], &str); 8] = [
            (b"%n", "%n"),
            (b"a%Lf", "%L"),
            (b"%2$d", "%2$"),
            (b"%ls", "%ls"),
            (b"%a", "%a"),
            (b"100%", "%"),
            (b"%99999d", "%99999"),
            (b"%'d", "%'"),
        ];
        for (format, part) in cases {
            assert_eq!(read(format), Err(part.to_owned()), "{}", String::from_utf8_lossy(format));
        }
    }
}
