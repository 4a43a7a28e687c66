//! From preprocessed text to tokens, all at once; names and constants are interned, so that later steps need no text.

use super::names::{Names, Symbol};
use crate::program::{Diagnostic, FileId, Id, Span};

macro_rules! kinds {
    (punctuation { $($punct:ident $text:literal)* } keywords { $($keyword:ident $($spelling:literal)+;)* }) => {
        /// What a token is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Kind {
            /// A name that is no keyword.
            Name,
            /// An integer or floating constant, unread.
            Number,
            /// A character constant, with its quotes and prefix.
            Char,
            /// A string literal, with its quotes and prefix.
            Str,
            /// The end of the text.
            Eof,
            $(#[doc = $text] $punct,)*
            $(#[doc = "A keyword."] $keyword,)*
        }

        impl Kind {
            /// The keywords with every spelling of each.
            const KEYWORDS: &'static [(&'static str, Kind)] = &[$($(($spelling, Kind::$keyword),)+)*];

            /// How it is written, where it is always written the same.
            pub fn text(self) -> &'static str {
                match self {
                    Kind::Name => "a name",
                    Kind::Number => "a number",
                    Kind::Char => "a character constant",
                    Kind::Str => "a string",
                    Kind::Eof => "the end of the file",
                    $(Kind::$punct => concat!("`", $text, "`"),)*
                    $(Kind::$keyword => kinds!(@first $($spelling)+),)*
                }
            }
        }
    };
    (@first $first:literal $($rest:literal)*) => { concat!("`", $first, "`") };
}

kinds! {
    punctuation {
        LeftParen "(" RightParen ")" LeftBrace "{" RightBrace "}" LeftBracket "[" RightBracket "]"
        Semicolon ";" Comma "," Dot "." Ellipsis "..." Arrow "->" Colon ":" Question "?"
        Plus "+" Minus "-" Star "*" Slash "/" Percent "%" Amp "&" Pipe "|" Caret "^" Tilde "~" Bang "!"
        Shl "<<" Shr ">>" Lt "<" Gt ">" Le "<=" Ge ">=" EqEq "==" Ne "!=" AmpAmp "&&" PipePipe "||"
        PlusPlus "++" MinusMinus "--"
        Eq "=" PlusEq "+=" MinusEq "-=" StarEq "*=" SlashEq "/=" PercentEq "%=" AmpEq "&=" PipeEq "|=" CaretEq "^="
        ShlEq "<<=" ShrEq ">>="
    }
    keywords {
        Auto "auto"; Break "break"; Case "case"; CharWord "char"; Const "const" "__const" "__const__";
        Continue "continue"; Default "default"; Do "do"; Double "double"; Else "else"; Enum "enum"; Extern "extern";
        Float "float"; For "for"; Goto "goto"; If "if"; Inline "inline" "__inline" "__inline__"; Int "int"; Long "long";
        Register "register"; Restrict "restrict" "__restrict" "__restrict__"; Return "return"; Short "short";
        Signed "signed" "__signed" "__signed__"; Sizeof "sizeof"; Static "static"; Struct "struct"; Switch "switch";
        Typedef "typedef"; Union "union"; Unsigned "unsigned"; Void "void"; Volatile "volatile" "__volatile" "__volatile__";
        While "while"; Alignas "_Alignas"; Alignof "_Alignof"; GnuAlignof "__alignof__" "__alignof"; Atomic "_Atomic";
        Bool "_Bool"; Complex "_Complex" "__complex__" "__complex"; Generic "_Generic"; Imaginary "_Imaginary";
        Noreturn "_Noreturn"; StaticAssert "_Static_assert"; ThreadLocal "_Thread_local" "__thread";
        Asm "asm" "__asm__" "__asm"; Attribute "__attribute__" "__attribute"; Extension "__extension__";
        Typeof "typeof" "__typeof__" "__typeof"; AutoType "__auto_type"; Int128 "__int128" "__int128_t";
        UInt128 "__uint128_t"; Float128 "__float128" "_Float128"; Float80 "__float80" "_Float64x";
        Float32 "_Float32"; Float64 "_Float64" "_Float32x"; Float16 "_Float16"; Label "__label__"; Real "__real__" "__real";
        Imag "__imag__" "__imag"; VaArg "__builtin_va_arg"; Offsetof "__builtin_offsetof";
        TypesCompatible "__builtin_types_compatible_p"; ChooseExpr "__builtin_choose_expr"; VaList "__builtin_va_list";
        PragmaWord "_Pragma";
    }
}

/// A token.
#[derive(Debug, Clone, Copy)]
pub struct Token {
    /// Where it is.
    pub span: Span,
    /// Its spelling, for names and constants.
    pub symbol: Symbol,
    /// What it is.
    pub kind: Kind,
}

/// A text cut into tokens.
#[derive(Debug)]
pub struct Tokens {
    /// The tokens; the last one is `Eof`.
    pub tokens: Vec<Token>,
    /// From which token on which `#pragma pack` holds, in bytes; 0 is none. In order of the tokens.
    pub packs: Vec<(u32, u32)>,
    /// Whether there are directives that only a preprocessor can follow.
    pub has_directives: bool,
    /// What is wrong with the text.
    pub errors: Vec<Diagnostic>,
}

/// Interns the keywords into a fresh table, as [`lex`] needs them.
pub fn keyword_names() -> Names {
    let mut names = Names::default();
    for (spelling, _) in Kind::KEYWORDS {
        names.intern(spelling);
    }
    names
}

/// Cuts the text of a file into tokens. The names must come from [`keyword_names`].
pub fn lex(file: FileId, text: &str, names: &mut Names) -> Tokens {
    let position = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let tokens = Vec::with_capacity(text.len() / 4);
    let empty = names.intern("");
    let out = Tokens { tokens, packs: Vec::new(), has_directives: false, errors: Vec::new() };
    let mut lexer = Lexer { file, text, bytes: text.as_bytes(), position, names, empty, pack_stack: Vec::new(), out };
    lexer.run();
    lexer.out
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    bytes: &'a [u8],
    position: usize,
    names: &'a mut Names,
    empty: Symbol,
    pack_stack: Vec<u32>,
    out: Tokens,
}

/// How many errors of the text alone are kept.
const MAX_ERRORS: usize = 20;

impl Lexer<'_> {
    fn run(&mut self) {
        let mut line_start = true;
        while let Some(byte) = self.byte(0) {
            match byte {
                b'\n' => {
                    line_start = true;
                    self.position += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.position += 1,
                b'/' if self.byte(1) == Some(b'/') => self.line_comment(),
                b'/' if self.byte(1) == Some(b'*') => self.block_comment(),
                b'\\' if self.splice_length(0) > 0 => self.splice(),
                b'#' if line_start => self.directive(),
                _ => {
                    line_start = false;
                    self.token(byte);
                }
            }
        }
        let end = self.text.len();
        self.push(Kind::Eof, end, self.empty);
    }

    #[inline]
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.position + ahead).copied()
    }

    /// How long the backslash and line end at the position are; 0 where there is none.
    fn splice_length(&self, ahead: usize) -> usize {
        match (self.byte(ahead), self.byte(ahead + 1), self.byte(ahead + 2)) {
            (Some(b'\\'), Some(b'\n'), _) => 2,
            (Some(b'\\'), Some(b'\r'), Some(b'\n')) => 3,
            _ => 0,
        }
    }

    /// A line that continues on the next one, between tokens. Inside a token it would join two halves, which no
    /// preprocessed text has.
    fn splice(&mut self) {
        let length = self.splice_length(0);
        let before = self.position.checked_sub(1).map(|i| self.bytes[i]);
        let glue = |byte: Option<u8>| byte.is_some_and(|b| !b.is_ascii_whitespace());
        if glue(before) && glue(self.byte(length)) {
            let span = Span::new(self.file, self.position, self.position + 1);
            let message = "a line that continues in the middle of a token is not supported";
            self.error(
                Diagnostic::at(span, message, "the line continues here").hint("put a blank before the backslash"),
            );
        }
        self.position += length;
    }

    fn push(&mut self, kind: Kind, start: usize, symbol: Symbol) {
        self.out.tokens.push(Token { span: Span::new(self.file, start, self.position), symbol, kind });
    }

    fn error(&mut self, error: Diagnostic) {
        if self.out.errors.len() < MAX_ERRORS {
            self.out.errors.push(error);
        }
    }

    fn line_comment(&mut self) {
        while let Some(byte) = self.byte(0) {
            match self.splice_length(0) {
                0 if byte == b'\n' => return,
                0 => self.position += 1,
                length => self.position += length,
            }
        }
    }

    fn block_comment(&mut self) {
        match self.text[self.position + 2..].find("*/") {
            Some(length) => self.position += length + 4,
            None => {
                let span = Span::new(self.file, self.position, self.position + 2);
                self.error(Diagnostic::at(span, "a comment does not end", "starts here").hint("end it with `*/`"));
                self.position = self.text.len();
            }
        }
    }

    /// A line that starts with `#`: a line marker or a pragma, as the rest is done by the preprocessor.
    fn directive(&mut self) {
        let start = self.position;
        self.line_comment();
        let line = self.text[start + 1..self.position].trim();
        if let Some(pragma) = line.strip_prefix("pragma") {
            if let Some(pack) = pragma.trim().strip_prefix("pack") {
                self.pack(pack.trim(), Span::new(self.file, start, self.position));
            }
        } else if is_other_directive(line) {
            self.out.has_directives = true;
            let span = Span::new(self.file, start, self.position);
            let message = "a directive of the preprocessor in a text that is preprocessed already";
            self.error(Diagnostic::at(span, message, "only `#pragma` and line markers are left by a preprocessor"));
        }
    }

    fn pack(&mut self, text: &str, span: Span) {
        let current = self.out.packs.last().map_or(0, |(_, pack)| *pack);
        let inside = text.strip_prefix('(').and_then(|t| t.trim_end().strip_suffix(')'));
        let words: Vec<&str> = inside.map_or(Vec::new(), |t| t.split(',').map(str::trim).collect());
        let value = |word: &str| word.parse::<u32>().ok().filter(|n| matches!(n, 0 | 1 | 2 | 4 | 8 | 16));
        let new = match words.as_slice() {
            [""] => Some(0),
            ["push"] => {
                self.pack_stack.push(current);
                Some(current)
            }
            ["pop"] => Some(self.pack_stack.pop().unwrap_or(0)),
            ["push", n] => {
                self.pack_stack.push(current);
                value(n)
            }
            [n] => value(n),
            _ => None,
        };
        match new {
            Some(pack) => self.out.packs.push((self.out.tokens.len() as u32, pack)),
            None => self.error(
                Diagnostic::at(span, "this form of `#pragma pack` is not supported", "here")
                    .hint("write `pack(n)`, `pack(push, n)` or `pack(pop)`"),
            ),
        }
    }

    fn token(&mut self, byte: u8) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => self.word(),
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_some_and(|b| b.is_ascii_digit()) => self.number(),
            b'"' | b'\'' => self.quoted(0),
            _ => self.punctuation(byte),
        }
    }

    fn word(&mut self) {
        let start = self.position;
        let length = self.bytes[start..].iter().take_while(|b| is_word(**b)).count();
        let text = &self.text[start..start + length];
        if matches!(text, "L" | "u" | "U" | "u8") && matches!(self.byte(length), Some(b'"' | b'\'')) {
            return self.quoted(length);
        }
        self.position += length;
        let symbol = self.names.intern(text);
        let kind = Kind::KEYWORDS.get(symbol.index()).map_or(Kind::Name, |(_, kind)| *kind);
        self.push(kind, start, symbol);
    }

    /// A preprocessing number: the exact form is checked where its value is read.
    fn number(&mut self) {
        let start = self.position;
        while let Some(byte) = self.byte(0) {
            match byte {
                b'e' | b'E' | b'p' | b'P' if matches!(self.byte(1), Some(b'+' | b'-')) => {
                    // In `0x1e+1` the `e` is a digit in the eyes of a person, but not of the standard: one token.
                    self.position += 2;
                }
                b'.' => self.position += 1,
                _ if is_word(byte) && byte < 0x80 => self.position += 1,
                _ => break,
            }
        }
        let symbol = self.names.intern(&self.text[start..self.position]);
        self.push(Kind::Number, start, symbol);
    }

    /// A string or character constant whose prefix has that length.
    fn quoted(&mut self, prefix: usize) {
        let start = self.position;
        let quote = self.bytes[start + prefix];
        self.position += prefix + 1;
        loop {
            match self.byte(0) {
                Some(b'\\') => {
                    let length = self.splice_length(0).max(2);
                    self.position = (self.position + length).min(self.text.len());
                }
                Some(b'\n') | None => {
                    let what = if quote == b'"' { "string" } else { "character constant" };
                    let span = Span::new(self.file, start, self.position);
                    let message = format!("a {what} does not end on its line");
                    let hint = format!("end it with `{}`", quote as char);
                    self.error(Diagnostic::at(span, message, "starts here").hint(hint));
                    break;
                }
                Some(byte) => {
                    self.position += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        while !self.text.is_char_boundary(self.position) {
            self.position += 1;
        }
        let symbol = self.names.intern(&self.text[start..self.position]);
        self.push(if quote == b'"' { Kind::Str } else { Kind::Char }, start, symbol);
    }

    fn punctuation(&mut self, first: u8) {
        let start = self.position;
        let Some((kind, length)) = self.punctuator(first) else {
            let char = self.text[start..].chars().next().unwrap_or('?');
            self.position += char.len_utf8();
            let span = Span::new(self.file, start, self.position);
            let shown = if char.is_control() { format!("\\u{{{:x}}}", char as u32) } else { char.to_string() };
            self.error(Diagnostic::at(span, format!("`{shown}` is no part of C"), "not expected here"));
            return;
        };
        self.position += length;
        self.push(kind, start, self.empty);
    }

    fn punctuator(&self, first: u8) -> Option<(Kind, usize)> {
        use Kind::*;
        let second = self.byte(1).unwrap_or(0);
        let third = self.byte(2).unwrap_or(0);
        Some(match (first, second, third) {
            (b'.', b'.', b'.') => (Ellipsis, 3),
            (b'<', b'<', b'=') => (ShlEq, 3),
            (b'>', b'>', b'=') => (ShrEq, 3),
            (b'-', b'>', _) => (Arrow, 2),
            (b'+', b'+', _) => (PlusPlus, 2),
            (b'-', b'-', _) => (MinusMinus, 2),
            (b'<', b'<', _) => (Shl, 2),
            (b'>', b'>', _) => (Shr, 2),
            (b'<', b'=', _) => (Le, 2),
            (b'>', b'=', _) => (Ge, 2),
            (b'=', b'=', _) => (EqEq, 2),
            (b'!', b'=', _) => (Ne, 2),
            (b'&', b'&', _) => (AmpAmp, 2),
            (b'|', b'|', _) => (PipePipe, 2),
            (b'+', b'=', _) => (PlusEq, 2),
            (b'-', b'=', _) => (MinusEq, 2),
            (b'*', b'=', _) => (StarEq, 2),
            (b'/', b'=', _) => (SlashEq, 2),
            (b'%', b'=', _) => (PercentEq, 2),
            (b'&', b'=', _) => (AmpEq, 2),
            (b'|', b'=', _) => (PipeEq, 2),
            (b'^', b'=', _) => (CaretEq, 2),
            (b'<', b':', _) => (LeftBracket, 2),
            (b':', b'>', _) => (RightBracket, 2),
            (b'<', b'%', _) => (LeftBrace, 2),
            (b'%', b'>', _) => (RightBrace, 2),
            (b'(', ..) => (LeftParen, 1),
            (b')', ..) => (RightParen, 1),
            (b'{', ..) => (LeftBrace, 1),
            (b'}', ..) => (RightBrace, 1),
            (b'[', ..) => (LeftBracket, 1),
            (b']', ..) => (RightBracket, 1),
            (b';', ..) => (Semicolon, 1),
            (b',', ..) => (Comma, 1),
            (b'.', ..) => (Dot, 1),
            (b':', ..) => (Colon, 1),
            (b'?', ..) => (Question, 1),
            (b'+', ..) => (Plus, 1),
            (b'-', ..) => (Minus, 1),
            (b'*', ..) => (Star, 1),
            (b'/', ..) => (Slash, 1),
            (b'%', ..) => (Percent, 1),
            (b'&', ..) => (Amp, 1),
            (b'|', ..) => (Pipe, 1),
            (b'^', ..) => (Caret, 1),
            (b'~', ..) => (Tilde, 1),
            (b'!', ..) => (Bang, 1),
            (b'<', ..) => (Lt, 1),
            (b'>', ..) => (Gt, 1),
            (b'=', ..) => (Eq, 1),
            _ => return None,
        })
    }
}

/// Whether a line, without its `#`, is a directive that only a preprocessor can follow.
fn is_other_directive(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.strip_prefix("line").filter(|rest| rest.starts_with([' ', '\t'])).unwrap_or(line).trim_start();
    !(line.is_empty()
        || line.starts_with("pragma")
        || line.starts_with("ident")
        || number.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> String {
        let mut names = keyword_names();
        let tokens = lex(FileId::new(0), text, &mut names);
        let words = tokens.tokens.iter().map(|t| &text[t.span.start as usize..t.span.end as usize]);
        let mut out = words.collect::<Vec<_>>().join(" ").trim_end().to_owned();
        for error in tokens.errors {
            out += &format!(" | {}", error.message);
        }
        out
    }

    #[test]
    fn tokens_are_the_longest_that_fit() {
        assert_eq!(cut("a+++b--->c<<=1 ...x$1"), "a ++ + b -- -> c <<= 1 ... x$1");
        assert_eq!(cut("0x1e+1 1.5e-3f .5 1..2"), "0x1e+1 1.5e-3f .5 1..2");
        assert_eq!(cut(r#"L"a\"b" u8"x" 'a' '\'' L'x' u8x"y""#), r#"L"a\"b" u8"x" 'a' '\'' L'x' u8x "y""#);
        assert_eq!(cut("a<:1:> <% %>"), "a <: 1 :> <% %>");
    }

    #[test]
    fn comments_markers_and_pragmas_are_no_tokens() {
        assert_eq!(cut("# 1 \"x.c\"\na // b \\\n c\nd /* e \n */ f\n#pragma omp\n#line 3\ng"), "a d f g");
        assert_eq!(cut("a \\\n b"), "a b");
    }

    #[test]
    fn what_is_wrong_with_a_text() {
        assert_eq!(cut("a\\\nb"), "a b | a line that continues in the middle of a token is not supported");
        assert_eq!(cut("\"abc\nx"), "\"abc x | a string does not end on its line");
        assert_eq!(cut("a /* b"), "a | a comment does not end");
        assert_eq!(cut("a @ b"), "a b | `@` is no part of C");
        assert_eq!(cut("#if x\n"), " | a directive of the preprocessor in a text that is preprocessed already");
        assert_eq!(cut("\"\\"), "\"\\ | a string does not end on its line");
        assert_eq!(cut("'\\é"), "'\\é | a character constant does not end on its line");
    }

    #[test]
    fn pack_pragmas_nest() {
        let mut names = keyword_names();
        let text = "a\n#pragma pack(push,4)\nb\n#pragma pack(1)\nc\n#pragma pack(pop)\nd\n#pragma pack()\n";
        let tokens = lex(FileId::new(0), text, &mut names);
        assert_eq!(tokens.packs, [(1, 4), (2, 1), (3, 0), (4, 0)]);
        assert!(tokens.errors.is_empty());
    }
}
