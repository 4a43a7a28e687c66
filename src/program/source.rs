//! Source files, places in them, and messages about them.

use super::ids::{FileId, IdVec};
use std::fmt;

/// One source file: its name as the user wrote it, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The path as the user gave it.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// The files that a program was read from.
pub type SourceFiles = IdVec<FileId, SourceFile>;

/// A piece of a source file, as byte offsets; the end is not included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

impl Span {
    /// The span of those bytes.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        let offset = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { file, start: offset(start), end: offset(end) }
    }

    /// From the start of this one to the end of the other.
    pub fn to(self, other: Span) -> Span {
        Span { end: other.end.max(self.start), ..self }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}:{}-{}", self.file, self.start, self.end)
    }
}

impl SourceFile {
    /// Line and column of a byte offset, both from 1; columns count characters.
    pub fn line_and_column(&self, offset: u32) -> (usize, usize) {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        (before.bytes().filter(|&b| b == b'\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// The text of a line, numbered from 1, without its end.
    pub fn line(&self, number: usize) -> &str {
        self.text.lines().nth(number.saturating_sub(1)).unwrap_or("")
    }
}

/// Something wrong in a source file, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Option<Span>,
    /// What to write under the place.
    pub label: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A message about a place.
    pub fn at(span: Span, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic { message: message.into(), span: Some(span), label: label.into(), hint: None }
    }

    /// A message about no place in particular.
    pub fn general(message: impl Into<String>) -> Diagnostic {
        Diagnostic { message: message.into(), span: None, label: String::new(), hint: None }
    }

    /// The same with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }
}

/// Everything wrong that a front end found: at least one message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontendErrors(pub Vec<Diagnostic>);

impl From<Diagnostic> for FrontendErrors {
    fn from(one: Diagnostic) -> Self {
        FrontendErrors(vec![one])
    }
}

impl fmt::Display for FrontendErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.0.iter().enumerate() {
            let end = if i + 1 < self.0.len() { "\n" } else { "" };
            write!(f, "{}{end}", diagnostic.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for FrontendErrors {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters() {
        let file = SourceFile { name: "a".into(), text: "é = 1\nx\n".into() };
        assert_eq!(file.line_and_column(0), (1, 1));
        assert_eq!(file.line_and_column(1), (1, 1));
        assert_eq!(file.line_and_column(3), (1, 3));
        assert_eq!(file.line_and_column(7), (2, 1));
        assert_eq!(file.line_and_column(99), (3, 1));
        assert_eq!(file.line(2), "x");
    }
}
