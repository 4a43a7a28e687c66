//! The words of a file of predicates.

use crate::program::{Diagnostic, FileId, Span};
use crate::term::Integer;

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    /// A name.
    Name(String),
    /// A number, with its sign where that is written right before it.
    Number(Integer),
    /// A sign.
    Sign(&'static str),
    /// The end of the file.
    End,
}

/// A word and where it is.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub word: Word,
    pub span: Span,
    /// Whether it is the first one of its line.
    pub starts_line: bool,
}

/// Signs, longer ones first.
const SIGNS: [&str; 22] = [
    "..", "<=", ">=", "!=", "==", "->", "=", "<", ">", "[", "]", "(", ")", ",", ".", ":", "+", "-", "*", "/", "&", ";",
];

/// The words of a text.
pub(super) fn words(text: &str, file: FileId) -> Result<Vec<Token>, Diagnostic> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    let mut starts_line = true;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        if next == '\n' {
            starts_line = true;
        }
        if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let (word, length) = word(rest, is_operand(tokens.last(), starts_line))
            .map_err(|label| Diagnostic::at(Span::new(file, at, at + next.len_utf8()), unreadable(next), label))?;
        tokens.push(Token { word, span: Span::new(file, at, at + length), starts_line });
        starts_line = false;
        at += length;
    }
    tokens.push(Token { word: Word::End, span: Span::new(file, text.len(), text.len()), starts_line: true });
    Ok(tokens)
}

fn unreadable(next: char) -> String {
    format!("`{next}` cannot be read in a predicate")
}

/// Whether the word before ends a value in this line, so that a sign after it combines and belongs to no number.
fn is_operand(before: Option<&Token>, starts_line: bool) -> bool {
    !starts_line
        && before.is_some_and(|token| matches!(&token.word, Word::Name(_) | Word::Number(_) | Word::Sign(")" | "]")))
}

/// The first word of a text, and how long it is.
fn word(text: &str, after_operand: bool) -> Result<(Word, usize), &'static str> {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let sign = usize::from(!after_operand && text.starts_with(['-', '+']));
    let length = digits(&text[sign..]);
    if length > 0 {
        let end = sign + length;
        let mut after = text[end..].chars();
        match (after.next(), after.next()) {
            (Some('.'), Some(digit)) if digit.is_ascii_digit() => return Err("predicates have whole numbers only"),
            (Some(c), _) if is_of_name(c) => return Err("a name does not start with a digit"),
            _ => {}
        }
        let number = text[..end].trim_start_matches('+').parse().map_err(|_| "this is not a number")?;
        return Ok((Word::Number(number), end));
    }
    for name in ["<init>", "<clinit>"] {
        if text.starts_with(name) {
            return Ok((Word::Name(name.to_owned()), name.len()));
        }
    }
    if text.starts_with(is_of_name) {
        let end = text.find(|c: char| !is_of_name(c)).unwrap_or(text.len());
        return Ok((Word::Name(text[..end].to_owned()), end));
    }
    let sign = SIGNS.iter().find(|sign| text.starts_with(**sign)).ok_or("not known here")?;
    Ok((Word::Sign(sign), sign.len()))
}
