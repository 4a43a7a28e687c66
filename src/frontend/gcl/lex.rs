//! From text to tokens, on demand: where a statement ends is decided here.

use crate::program::{FileId, Span};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    Number,
    Keyword(Keyword),
    Colon,
    Assign,
    Comma,
    Arrow,
    Implies,
    And,
    Or,
    Not,
    Open,
    Close,
    Plus,
    Minus,
    Star,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// The end of a statement.
    End,
    /// The end of the file, between statements.
    Eof,
    /// Text that is no token of the language.
    Bad,
}

/// A word with a meaning of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyword {
    Program,
    Control,
    Var,
    Init,
    Safe,
    Expect,
    True,
    False,
    Nondet,
}

impl Keyword {
    /// The keywords that start a statement come first.
    pub(crate) const ALL: [(&'static str, Keyword); 9] = [
        ("program", Keyword::Program),
        ("control", Keyword::Control),
        ("var", Keyword::Var),
        ("init", Keyword::Init),
        ("safe", Keyword::Safe),
        ("expect", Keyword::Expect),
        ("true", Keyword::True),
        ("false", Keyword::False),
        ("nondet", Keyword::Nondet),
    ];

    fn find(text: &str) -> Option<Keyword> {
        Keyword::ALL.iter().find(|(word, _)| *word == text).map(|(_, keyword)| *keyword)
    }

    /// Whether a statement starts with it.
    pub(crate) fn starts_statement(self) -> bool {
        !matches!(self, Keyword::True | Keyword::False | Keyword::Nondet)
    }
}

impl Kind {
    /// Whether a line that ends in it continues.
    pub(crate) fn continues(self) -> bool {
        matches!(self, Kind::And | Kind::Or | Kind::Comma | Kind::Arrow | Kind::Open)
    }
}

/// A token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it starts.
    pub start: usize,
    /// Where it ends, not included.
    pub end: usize,
    /// Whether it is the first of its line.
    pub first: bool,
}

/// The text not yet cut into tokens.
#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    position: usize,
    /// The number of the line at the position, from 1.
    line: usize,
    /// The last token of the statement at the position; `None` between statements.
    last: Option<Token>,
    /// Whether no token of the line was read.
    at_line_start: bool,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of the text; a byte-order mark is passed over.
    pub(crate) fn new(file: FileId, text: &'a str) -> Lexer<'a> {
        let position = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Lexer { file, text, position, line: 1, last: None, at_line_start: true }
    }

    /// The text of a token.
    pub(crate) fn slice(&self, token: Token) -> &'a str {
        &self.text[token.start..token.end]
    }

    /// The place of a token.
    pub(crate) fn span(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    /// The line of the token read last, from 1.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// The next token. After the last one, `Eof` for ever.
    pub(crate) fn next(&mut self) -> Token {
        loop {
            self.skip_blanks();
            match (self.byte(0), self.last) {
                (Some(b'\n'), Some(last)) if !last.kind.continues() => return self.end(last),
                (Some(b'\n'), _) => {
                    self.position += 1;
                    self.line += 1;
                    self.at_line_start = true;
                }
                (None, Some(last)) => return self.end(last),
                (None, None) => {
                    return Token { kind: Kind::Eof, start: self.position, end: self.position, first: true };
                }
                (Some(_), last) => return self.token(last),
            }
        }
    }

    /// The end of the statement, placed right after its last token.
    fn end(&mut self, last: Token) -> Token {
        self.last = None;
        Token { kind: Kind::End, start: last.end, end: last.end, first: false }
    }

    fn token(&mut self, last: Option<Token>) -> Token {
        let start = self.position;
        let after_program = last.is_some_and(|t| t.kind == Kind::Keyword(Keyword::Program));
        let (kind, length) = if after_program { self.program_name() } else { self.kind_and_length() };
        self.position = start + length;
        let token = Token { kind, start, end: self.position, first: self.at_line_start };
        self.at_line_start = false;
        self.last = Some(token);
        token
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.position + ahead).copied()
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.byte(0) {
                Some(b' ' | b'\t') => self.position += 1,
                Some(b'\r') if matches!(self.byte(1), Some(b'\n') | None) => self.position += 1,
                Some(b'#') => {
                    let rest = &self.text[self.position..];
                    self.position += rest.find('\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// How many bytes from the position on are of that sort.
    fn count(&self, accept: impl Fn(u8) -> bool) -> usize {
        self.text.as_bytes()[self.position..].iter().take_while(|&&b| accept(b)).count()
    }

    /// The name of a program may have `-` and `.` in it, and start with a digit.
    fn program_name(&self) -> (Kind, usize) {
        match self.count(|b| is_word(b) || matches!(b, b'-' | b'.')) {
            0 => self.kind_and_length(),
            length => (Kind::Name, length),
        }
    }

    fn kind_and_length(&self) -> (Kind, usize) {
        let first = self.byte(0).unwrap_or(b'\n');
        match first {
            b'0'..=b'9' => {
                let length = self.count(is_word);
                let digits = self.count(|b| b.is_ascii_digit());
                (if digits == length { Kind::Number } else { Kind::Bad }, length)
            }
            _ if is_word(first) => {
                let length = self.count(is_word);
                let text = &self.text[self.position..self.position + length];
                (Keyword::find(text).map_or(Kind::Name, Kind::Keyword), length)
            }
            _ => self.symbol(first),
        }
    }

    fn symbol(&self, first: u8) -> (Kind, usize) {
        match (first, self.byte(1)) {
            (b':', Some(b'=')) => (Kind::Assign, 2),
            (b'-', Some(b'>')) => (Kind::Arrow, 2),
            (b'=', Some(b'>')) => (Kind::Implies, 2),
            (b'&', Some(b'&')) => (Kind::And, 2),
            (b'|', Some(b'|')) => (Kind::Or, 2),
            (b'!', Some(b'=')) => (Kind::Ne, 2),
            (b'<', Some(b'=')) => (Kind::Le, 2),
            (b'>', Some(b'=')) => (Kind::Ge, 2),
            // Habits of other languages, each one token so that the message is about all of it.
            (b'=', Some(b'=' | b'<')) | (b'<', Some(b'>')) | (b'/', Some(b'/' | b'*' | b'\\')) => (Kind::Bad, 2),
            (b'+' | b'*', Some(b'=')) | (b'\\', Some(b'/')) | (b'+', Some(b'+')) => (Kind::Bad, 2),
            (b':', _) => (Kind::Colon, 1),
            (b',', _) => (Kind::Comma, 1),
            (b'!', _) => (Kind::Not, 1),
            (b'(', _) => (Kind::Open, 1),
            (b')', _) => (Kind::Close, 1),
            (b'+', _) => (Kind::Plus, 1),
            (b'-', _) => (Kind::Minus, 1),
            (b'*', _) => (Kind::Star, 1),
            (b'=', _) => (Kind::Eq, 1),
            (b'<', _) => (Kind::Lt, 1),
            (b'>', _) => (Kind::Gt, 1),
            _ => (Kind::Bad, self.text[self.position..].chars().next().map_or(1, char::len_utf8)),
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Id;

    fn kinds(text: &str) -> String {
        let mut lexer = Lexer::new(FileId::new(0), text);
        let mut out = Vec::new();
        loop {
            let token = lexer.next();
            if token.kind == Kind::Eof {
                return out.join(" ");
            }
            out.push(if token.kind == Kind::End { "$".to_owned() } else { lexer.slice(token).to_owned() });
        }
    }

    #[test]
    fn statements_end_with_their_line() {
        assert_eq!(kinds("a b\n\n # c\n c\n"), "a b $ c $");
        assert_eq!(kinds("a b"), "a b $");
        assert_eq!(kinds("\u{feff}a\r\nb\r"), "a $ b $");
        assert_eq!(kinds(""), "");
        assert_eq!(kinds("# only a comment"), "");
    }

    #[test]
    fn lines_continue_after_five_tokens_only() {
        assert_eq!(kinds("a &&\n\n# c\nb ||  # d\nc ,\nd ->\n(\ne)\nf"), "a && b || c , d -> ( e ) $ f $");
        assert_eq!(kinds("a (b\nc)\nd =>\ne"), "a ( b $ c ) $ d => $ e $");
        assert_eq!(kinds("a &&\n"), "a && $");
    }

    #[test]
    fn tokens_are_the_longest_that_fit() {
        assert_eq!(kinds("x<-1 x->y x=>y x:=-1 !=!x <=>="), "x < - 1 x -> y x => y x := - 1 != ! x <= >= $");
        assert_eq!(kinds("program rax-45 x-4"), "program rax-45 x - 4 $");
    }

    #[test]
    fn every_byte_is_part_of_some_token() {
        assert_eq!(kinds("a\u{0}b ≤ ; 12ab =="), "a \u{0} b ≤ ; 12ab == $");
    }
}
