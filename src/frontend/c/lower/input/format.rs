//! Reading the formats of `scanf`.

/// A part of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// White space of any length, or none.
    Space,
    /// This byte.
    Byte(u8),
    /// A value.
    Value(Directive),
}

/// What is read, and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Directive {
    /// Whether it goes nowhere (`*`).
    pub is_suppressed: bool,
    /// How many characters it has at most.
    pub width: Option<u64>,
    /// What it is.
    pub kind: Kind,
}

/// What is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// An integer of so many bits (none for those of a pointer), signed or not, in a base; base 0 where it says its own.
    Integer { bits: Option<u32>, signed: bool, base: u32 },
    /// A `float`.
    Float,
    /// A `double`.
    Double,
    /// A word.
    Word,
    /// Characters, one without a width.
    Chars,
    /// Characters of a set, a bit for each of them.
    Set([u64; 4]),
}

/// The parts of a format; or the part of it that is not known.
pub(super) fn read(format: &[u8]) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        at += 1;
        match byte {
            _ if is_space(byte) => {
                if parts.last() != Some(&Part::Space) {
                    parts.push(Part::Space);
                }
            }
            b'%' if format.get(at) == Some(&b'%') => {
                // White space before it is skipped, too.
                parts.extend([Part::Space, Part::Byte(b'%')]);
                at += 1;
            }
            b'%' => {
                let start = at;
                let directive = directive(format, &mut at)
                    .ok_or_else(|| format!("%{}", String::from_utf8_lossy(&format[start..at.min(format.len())])))?;
                parts.push(Part::Value(directive));
            }
            byte => parts.push(Part::Byte(byte)),
        }
    }
    Ok(parts)
}

fn is_space(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}

/// Reads what follows a `%`.
fn directive(format: &[u8], at: &mut usize) -> Option<Directive> {
    let is_suppressed = skip(format, at, b"*");
    let start = *at;
    while format.get(*at).is_some_and(u8::is_ascii_digit) {
        *at += 1;
    }
    let width = match &format[start..*at] {
        [] => None,
        digits => Some(std::str::from_utf8(digits).ok()?.parse().ok().filter(|width| *width > 0)?),
    };
    let bits = integer_bits(format, at);
    let letter = *format.get(*at)?;
    *at += 1;
    let integer = |signed, base| bits.map(|bits| Kind::Integer { bits, signed, base });
    let is_plain = bits == Some(Some(32));
    let kind = match letter {
        b'd' => integer(true, 10)?,
        b'i' => integer(true, 0)?,
        b'u' => integer(false, 10)?,
        b'o' => integer(false, 8)?,
        b'x' | b'X' => integer(false, 16)?,
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if is_plain => Kind::Float,
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if format[..*at - 1].ends_with(b"l") => {
            (!format[..*at - 1].ends_with(b"ll")).then_some(Kind::Double)?
        }
        b's' if is_plain => Kind::Word,
        b'c' if is_plain => Kind::Chars,
        b'[' if is_plain => Kind::Set(set(format, at)?),
        _ => return None,
    };
    // What a width leaves of other numbers is not told here.
    let has_range = match kind {
        Kind::Integer { signed, base, .. } => signed && base == 10,
        Kind::Float | Kind::Double => false,
        Kind::Word | Kind::Chars | Kind::Set(_) => true,
    };
    (width.is_none() || has_range).then_some(Directive { is_suppressed, width, kind })
}

/// The width of the integer that a length modifier says, none for that of a pointer; nothing where it is not known.
fn integer_bits(format: &[u8], at: &mut usize) -> Option<Option<u32>> {
    const LENGTHS: [(&[u8], Option<u32>); 9] = [
        (b"hh", Some(8)),
        (b"h", Some(16)),
        (b"ll", Some(64)),
        (b"l", None),
        (b"q", Some(64)),
        (b"j", Some(64)),
        (b"z", None),
        (b"Z", None),
        (b"t", None),
    ];
    if format.get(*at).is_some_and(|byte| b"Lm'I".contains(byte)) {
        *at += 1;
        return None;
    }
    Some(LENGTHS.iter().find(|(word, _)| skip(format, at, word)).map_or(Some(32), |(_, bits)| *bits))
}

fn skip(format: &[u8], at: &mut usize, word: &[u8]) -> bool {
    let found = format[*at..].starts_with(word);
    if found {
        *at += word.len();
    }
    found
}

/// The set of characters in brackets, behind the first of these.
fn set(format: &[u8], at: &mut usize) -> Option<[u64; 4]> {
    let is_negated = skip(format, at, b"^");
    let mut set = [0u64; 4];
    let start = *at;
    loop {
        let byte = *format.get(*at)?;
        if byte == b']' && *at > start {
            *at += 1;
            break;
        }
        let range = match (format.get(*at + 1), format.get(*at + 2)) {
            (Some(b'-'), Some(&last)) if last != b']' => {
                *at += 3;
                // What a range that goes down means is up to the library.
                (byte <= last).then_some(byte..=last)?
            }
            _ => {
                *at += 1;
                byte..=byte
            }
        };
        range.for_each(|byte| set[usize::from(byte) / 64] |= 1 << (byte % 64));
    }
    Some(if is_negated { set.map(|part| !part) } else { set })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(format: &str) -> Vec<Kind> {
        let values = read(format.as_bytes()).expect("the format is fine").into_iter();
        let kind = |part| match part {
            Part::Value(directive) => Some(directive.kind),
            Part::Space | Part::Byte(_) => None,
        };
        values.filter_map(kind).collect()
    }

    #[test]
    fn formats_are_read() {
        let integer = |bits, signed, base| Kind::Integer { bits, signed, base };
        assert_eq!(
            kinds("%d%lu%hhx"),
            [integer(Some(32), true, 10), integer(None, false, 10), integer(Some(8), false, 16)]
        );
        assert_eq!(kinds("%f %lf%s%c"), [Kind::Float, Kind::Double, Kind::Word, Kind::Chars]);
        let digits = 0x3ff << 48;
        assert_eq!(kinds("%[0-9]%[^0-9]"), [Kind::Set([digits, 0, 0, 0]), Kind::Set([!digits, !0, !0, !0])]);
        let bracket = [1 << (b'-'), 1 << (b']' % 64), 0, 0];
        assert_eq!(kinds("%[]-]"), [Kind::Set(bracket)]);
        let parts = read(b" \n,%%%*9s").expect("the format is fine");
        let word = Directive { is_suppressed: true, width: Some(9), kind: Kind::Word };
        assert_eq!(parts, [Part::Space, Part::Byte(b','), Part::Space, Part::Byte(b'%'), Part::Value(word)]);
    }

    #[test]
    fn what_is_not_known_is_named() {
        let cases = [
            ("%n", "%n"),
            ("a%Lf", "%Lf"),
            ("%ms", "%ms"),
            ("%3u", "%3u"),
            ("%2f", "%2f"),
            ("%0d", "%0"),
            ("%llf", "%llf"),
            ("%[a", "%[a"),
        ];
        for (format, part) in cases {
            assert_eq!(read(format.as_bytes()), Err(part.to_owned()), "{format}");
        }
    }
}
