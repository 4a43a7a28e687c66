//! What a program prints: pieces of text, and values in the styles of C's `printf`.

use super::{Expr, Type};
use std::fmt;
use std::str::FromStr;

/// A piece of what one statement prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// The text as it is.
    Text(String),
    /// A value.
    Value {
        /// Which value.
        expr: Expr,
        /// How it is printed.
        style: Style,
    },
}

impl Piece {
    /// Whether printing it reads memory beyond what its expression does.
    pub fn reads_memory(&self) -> bool {
        matches!(self, Piece::Value { style: Style { conversion: Conversion::Text, .. }, .. })
    }
}

/// How a value is printed: a conversion of `printf` with its flags, exactly as glibc does it. Whether a number is
/// signed, and how long it is, the type of the value says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Style {
    /// The kind of text.
    pub conversion: Conversion,
    /// The flag `-`: filled up on the right.
    pub left: bool,
    /// The flag `+`: a sign before numbers that are not negative.
    pub plus: bool,
    /// The flag ` `: a space in place of that sign.
    pub space: bool,
    /// The flag `#`: the other form.
    pub alternate: bool,
    /// The flag `0`: filled up with zeros.
    pub zero: bool,
    /// How many characters at least.
    pub width: Option<u16>,
    /// How many digits, or at most how many bytes of a string.
    pub precision: Option<u16>,
}

/// The kinds of text that a value becomes, by the letters of `printf`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// `d`: an integer in decimal.
    Decimal,
    /// `o`: a machine integer's bits in octal.
    Octal,
    /// `x`: a machine integer's bits in hexadecimal.
    Hex,
    /// `X`: the same with capitals.
    HexUpper,
    /// `c`: the byte that a machine integer is modulo 256.
    Char,
    /// `s`: the bytes from a pointer on, up to the first that is zero. Faults as loads of them do; null is `(null)`.
    Text,
    /// `p`: a pointer's address; null is `(nil)`.
    Pointer,
    /// `f`: a floating-point number without an exponent.
    Fixed,
    /// `F`: the same with capitals.
    FixedUpper,
    /// `e`: a floating-point number with an exponent.
    Exponent,
    /// `E`: the same with capitals.
    ExponentUpper,
    /// `g`: a floating-point number, the shorter way.
    General,
    /// `G`: the same with capitals.
    GeneralUpper,
}

use Conversion::*;

const LETTERS: [(Conversion, char); 13] = [
    (Decimal, 'd'),
    (Octal, 'o'),
    (Hex, 'x'),
    (HexUpper, 'X'),
    (Char, 'c'),
    (Text, 's'),
    (Pointer, 'p'),
    (Fixed, 'f'),
    (FixedUpper, 'F'),
    (Exponent, 'e'),
    (ExponentUpper, 'E'),
    (General, 'g'),
    (GeneralUpper, 'G'),
];

impl Style {
    /// The conversion without flags.
    pub fn plain(conversion: Conversion) -> Style {
        Style {
            conversion,
            left: false,
            plus: false,
            space: false,
            alternate: false,
            zero: false,
            width: None,
            precision: None,
        }
    }

    /// Whether values of the type can be printed so.
    pub fn takes(&self, ty: Type) -> bool {
        match self.conversion {
            Decimal => ty.is_integer(),
            Octal | Hex | HexUpper | Char => matches!(ty, Type::Machine(_)),
            Text | Pointer => ty == Type::Pointer,
            Fixed | FixedUpper | Exponent | ExponentUpper | General | GeneralUpper => matches!(ty, Type::Float(_)),
        }
    }
}

impl Conversion {
    /// Every conversion.
    pub fn all() -> impl Iterator<Item = Conversion> {
        LETTERS.into_iter().map(|(conversion, _)| conversion)
    }

    /// Its letter.
    pub fn letter(self) -> char {
        LETTERS.into_iter().find(|(c, _)| *c == self).map_or('?', |(_, letter)| letter)
    }

    /// Whether letters in numbers are capitals.
    pub fn is_upper(self) -> bool {
        self.letter().is_ascii_uppercase()
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%")?;
        let flags = [(self.left, '-'), (self.plus, '+'), (self.space, ' '), (self.alternate, '#'), (self.zero, '0')];
        for (_, flag) in flags.into_iter().filter(|(set, _)| *set) {
            write!(f, "{flag}")?;
        }
        if let Some(width) = self.width {
            write!(f, "{width}")?;
        }
        if let Some(precision) = self.precision {
            write!(f, ".{precision}")?;
        }
        write!(f, "{}", self.conversion.letter())
    }
}

/// The text is no style.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no way to print a value")]
pub struct UnknownStyle(String);

impl FromStr for Style {
    type Err = UnknownStyle;

    /// Reads `%`, flags, width, precision and a letter, as [`Style`] prints them.
    fn from_str(text: &str) -> Result<Style, UnknownStyle> {
        read(text).ok_or_else(|| UnknownStyle(text.to_owned()))
    }
}

fn read(text: &str) -> Option<Style> {
    let mut rest = text.strip_prefix('%')?;
    let mut style = Style::plain(Decimal);
    loop {
        let flag = match rest.chars().next()? {
            '-' => &mut style.left,
            '+' => &mut style.plus,
            ' ' => &mut style.space,
            '#' => &mut style.alternate,
            '0' => &mut style.zero,
            _ => break,
        };
        *flag = true;
        rest = &rest[1..];
    }
    let digits = |rest: &str| rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let end = digits(rest);
    style.width = if end > 0 { Some(rest[..end].parse().ok()?) } else { None };
    rest = &rest[end..];
    if let Some(precision) = rest.strip_prefix('.') {
        let end = digits(precision);
        style.precision = Some(if end > 0 { precision[..end].parse().ok()? } else { 0 });
        rest = &precision[end..];
    }
    let mut letters = rest.chars();
    let (letter, None) = (letters.next()?, letters.next()) else { return None };
    style.conversion = LETTERS.into_iter().find(|(_, l)| *l == letter)?.0;
    Some(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_print_and_read_back() {
        for text in ["%d", "%-+ #0x", "%5.3f", "%05d", "%.0e", "%65535s", "%p", "%c", "%G"] {
            assert_eq!(text.parse::<Style>().map(|style| style.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("%.d".parse::<Style>().map(|style| style.to_string()), Ok("%.0d".to_owned()));
        for text in ["", "%", "d", "%ld", "%5", "%d ", "%65536d", "%*d", "%.-1d", "%é"] {
            assert!(text.parse::<Style>().is_err(), "{text}");
        }
    }
}
