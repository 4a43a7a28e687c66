//! What comes from outside, names of files and the text of programs, must not speak to the user's terminal.

use std::borrow::Cow;

/// The text with control characters, ends of lines included, written as escapes: for names and messages of one line.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_control) {
        return Cow::Borrowed(text);
    }
    let escape = |c: char| if is_control(c) { c.escape_default().collect::<String>() } else { c.to_string() };
    Cow::Owned(text.chars().map(escape).collect())
}

/// The text with control characters written as escapes, but for the ends of lines, tabulators and, where there are colours,
/// those that set them: for whole reports.
pub fn cleaned(text: String, has_colours: bool) -> String {
    let is_unwanted = |c: char| is_control(c) && c != '\n' && c != '\t';
    if !text.chars().any(is_unwanted) {
        return text;
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let colour = if has_colours { colour_at(rest) } else { 0 };
        if colour > 0 {
            clean.push_str(&rest[..colour]);
            rest = &rest[colour..];
            continue;
        }
        if is_unwanted(c) {
            clean.extend(c.escape_default());
        } else {
            clean.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    clean
}

/// Control characters, and those that change the direction of what follows.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The length of the sequence that sets a colour at the start of a text, 0 where there is none.
fn colour_at(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return 0 };
    let digits = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    if rest.as_bytes().get(digits) == Some(&b'm') { digits + 3 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_on_one_line() {
        assert_eq!(escaped("a b/ü.c"), "a b/ü.c");
        assert_eq!(escaped("a\nverdict: safe\u{1b}[2J\u{202e}.c"), "a\\nverdict: safe\\u{1b}[2J\\u{202e}.c");
    }

    #[test]
    fn reports_keep_their_lines_and_colours() {
        let text = "\u{1b}[31mbad\u{1b}[0m\n\tx\u{1b}[2J\u{7}\u{9b}1m";
        assert_eq!(cleaned(text.into(), true), "\u{1b}[31mbad\u{1b}[0m\n\tx\\u{1b}[2J\\u{7}\\u{9b}1m");
        assert_eq!(cleaned(text.into(), false), "\\u{1b}[31mbad\\u{1b}[0m\n\tx\\u{1b}[2J\\u{7}\\u{9b}1m");
    }
}
