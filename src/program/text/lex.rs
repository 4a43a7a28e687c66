//! The words of the text form.

use crate::program::{FloatKind, Type};

/// How many digits a number may have: enough for every literal of a valid program.
pub const MAX_DIGITS: usize = 10_000;

/// The words that are no names unless in backticks. Types are reserved as well.
const RESERVED: [&str; 66] = [
    "all",
    "allocate",
    "and",
    "assume",
    "assumption",
    "atomic",
    "begin",
    "call",
    "class",
    "competition",
    "constant",
    "constant_stack",
    "control",
    "copy",
    "edge",
    "elements",
    "end",
    "entry",
    "error",
    "exit",
    "false",
    "fill",
    "free",
    "function",
    "global",
    "havoc",
    "header_bytes",
    "heap",
    "holds_lock",
    "init",
    "is_infinite",
    "is_constant",
    "is_live",
    "is_locked",
    "is_nan",
    "ite",
    "join",
    "local",
    "location",
    "lock",
    "main_ends_all",
    "notify",
    "null",
    "object_size",
    "offset",
    "or",
    "output",
    "own",
    "pointer_add",
    "pointer_bytes",
    "procedure",
    "program",
    "reentrant",
    "remark",
    "same_object",
    "sign_bit",
    "skip",
    "source",
    "spawn",
    "stack",
    "static",
    "true",
    "unlock",
    "wait",
    "zeroed",
    "write",
];

/// The signs, longer ones before those that they start with.
const SIGNS: [&str; 38] = [
    "==>", "::", ":=", "->", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "&",
    "|", "^", "~", "!", "(", ")", "[", "]", "{", "}", ",", ";", ":", "@", "#", "=", ".", "?",
];

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    /// A reserved word, or a name.
    Word(&'t str),
    /// A name in backticks.
    Quoted(String),
    /// A number and the type written right after it.
    Number(&'t str, &'t str),
    /// A string.
    Text(String),
    /// A sign.
    Sign(&'static str),
    /// What is no token, and why.
    Wrong(&'static str),
    /// The end of the text.
    End,
}

/// A token and the bytes it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub kind: Kind<'t>,
    pub start: usize,
    pub end: usize,
}

/// Cuts a text into tokens, one at a time.
pub(super) struct Lexer<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, position: 0 }
    }

    /// The next token; at the end, `End` for ever.
    pub(super) fn next(&mut self) -> Token<'t> {
        self.skip_blanks();
        let start = self.position;
        let kind = self.kind();
        Token { kind, start, end: self.position }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.position += blank;
            if !self.rest().starts_with("//") {
                return;
            }
            self.take(|c| c != '\n');
        }
    }

    /// Takes characters as long as they fit.
    fn take(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.position += end;
        &rest[..end]
    }

    fn kind(&mut self) -> Kind<'t> {
        let Some(first) = self.rest().chars().next() else { return Kind::End };
        match first {
            '"' => self.quoted('"').map_or_else(Kind::Wrong, Kind::Text),
            '`' => self.quoted('`').map_or_else(Kind::Wrong, Kind::Quoted),
            c if c.is_ascii_digit() => {
                let digits = self.take(|c| c.is_ascii_digit());
                let suffix = self.take(is_word_char);
                if digits.len() > MAX_DIGITS {
                    Kind::Wrong("this number is too long")
                } else {
                    Kind::Number(digits, suffix)
                }
            }
            c if is_word_start(c) => Kind::Word(self.take(is_word_char)),
            c => match SIGNS.iter().find(|sign| self.rest().starts_with(**sign)) {
                Some(sign) => {
                    self.position += sign.len();
                    Kind::Sign(sign)
                }
                None => {
                    self.position += c.len_utf8();
                    Kind::Wrong("this character is not expected here")
                }
            },
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, &'static str> {
        self.position += quote.len_utf8();
        let mut value = String::new();
        let mut wrong = None;
        loop {
            value.push_str(self.take(|c| c != quote && c != '\\' && c != '\n'));
            match self.rest().chars().next() {
                Some('\\') => match self.escape() {
                    Some(c) => value.push(c),
                    None => wrong = wrong.or(Some("this has an escape that is not known")),
                },
                Some(c) if c == quote => {
                    self.position += quote.len_utf8();
                    return wrong.map_or(Ok(value), Err);
                }
                _ => return Err("this is not closed on its line"),
            }
        }
    }

    /// Takes a backslash and what it escapes.
    fn escape(&mut self) -> Option<char> {
        self.position += 1;
        let c = self.rest().chars().next()?;
        if c == '\n' {
            return None;
        }
        self.position += c.len_utf8();
        match c {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            '\\' | '"' | '`' => Some(c),
            'u' => {
                let rest = self.rest().strip_prefix('{')?;
                let end = rest.bytes().take(9).position(|b| b == b'}')?;
                let code = u32::from_str_radix(&rest[..end], 16).ok()?;
                self.position += end + 2;
                char::from_u32(code)
            }
            _ => None,
        }
    }
}

fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.')
}

/// Whether the word is reserved.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word) || is_type(word)
}

/// Whether the name can stand without backticks.
pub(super) fn is_plain(name: &str) -> bool {
    name.starts_with(is_word_start) && name.chars().all(is_word_char) && !is_reserved(name)
}

/// Whether the word is `L` and digits: a location without a name of its own.
pub(super) fn is_anonymous(name: &str) -> bool {
    name.strip_prefix('L').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

fn is_type(word: &str) -> bool {
    matches!(word, "bool" | "int" | "ptr" | "f32" | "f64") || machine_digits(word).is_some()
}

fn machine_digits(word: &str) -> Option<&str> {
    let digits = word.strip_prefix(['i', 'u'])?;
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(digits)
}

/// The type that the word names; a machine integer too wide for any program has a width of 0, which is not valid.
pub(super) fn type_of_word(word: &str) -> Option<Type> {
    match word {
        "bool" => Some(Type::Bool),
        "int" => Some(Type::Int),
        "ptr" => Some(Type::Pointer),
        "f32" => Some(Type::Float(FloatKind::F32)),
        "f64" => Some(Type::Float(FloatKind::F64)),
        _ => machine_digits(word).map(|digits| Type::machine(digits.parse().unwrap_or(0), word.starts_with('i'))),
    }
}

/// The text between quotes of that kind.
pub(super) fn quote(text: &str, quote: char) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push(quote);
    // Most text is taken as it is up to its end of line.
    let is_itself = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != b'\\' && char::from(*byte) != quote;
    let plain = text.bytes().take_while(|byte| is_itself(byte)).count();
    result.push_str(&text[..plain]);
    for c in text[plain..].chars() {
        match c {
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\r' => result.push_str("\\r"),
            '\\' => result.push_str("\\\\"),
            c if c == quote => result.extend(['\\', c]),
            // Marks that turn or hide text would make the printed program look like another one.
            c if c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                result.push_str(&format!("\\u{{{:x}}}", c as u32));
            }
            c => result.push(c),
        }
    }
    result.push(quote);
    result
}
