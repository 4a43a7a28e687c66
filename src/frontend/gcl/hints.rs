//! The words of messages: what a token is called, what was probably meant.

use super::lex::{Keyword, Kind};

/// The longest name that is compared with others, and the most others that it is compared with.
const SIMILAR_LENGTH: usize = 64;
const SIMILAR_CANDIDATES: usize = 10_000;
/// The most characters of the source that a message repeats.
const QUOTED_CHARS: usize = 60;

/// The text in quotes, shortened if it is long.
pub(crate) fn quote(text: &str) -> String {
    format!("`{}`", shorten(text, QUOTED_CHARS))
}

/// At most so many characters of the text.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((cut, _)) => format!("{}…", &text[..cut]),
    }
}

/// What a token is called in a message.
pub(crate) fn describe(kind: Kind, text: &str) -> String {
    match kind {
        Kind::Name => format!("the name {}", quote(text)),
        Kind::Number => format!("the number {}", quote(text)),
        Kind::Keyword(_) => format!("the keyword {}", quote(text)),
        Kind::End => "the end of the line".to_owned(),
        Kind::Eof => "the end of the file".to_owned(),
        Kind::Bad => describe_bad(text),
        _ => quote(text),
    }
}

fn describe_bad(text: &str) -> String {
    match text.chars().next() {
        Some('\r') => "a carriage return inside a line".to_owned(),
        Some(c) if c.is_control() || c.is_whitespace() => format!("the character U+{:04X}", u32::from(c)),
        Some(c) if !c.is_ascii() => format!("the character {} (U+{:04X})", quote(text), u32::from(c)),
        _ => quote(text),
    }
}

/// What to write instead of text that is no token.
pub(crate) fn for_bad(text: &str) -> Option<String> {
    let write = |what: &str| Some(format!("write {}", quote(what)));
    match text {
        "==" => Some("equality is written `=`".to_owned()),
        "=<" | "≤" | "⩽" => write("<="),
        "≥" | "⩾" => write(">="),
        "<>" | "≠" => write("!="),
        "&" | "∧" | "/\\" => write("&&"),
        "|" | "∨" | "\\/" => write("||"),
        "¬" | "~" => write("!"),
        "→" | "⟶" => write("->"),
        "⇒" | "⟹" => write("=>"),
        "−" | "–" => write("-"),
        "×" | "·" => write("*"),
        "≔" | "←" => write(":="),
        ";" => Some("a statement is a line of its own; there is no `;`".to_owned()),
        "//" | "/*" | "'" | "\"" => Some("a comment starts with `#`".to_owned()),
        "/" | "%" => Some("there is no division; the operators are `+`, `-` and `*`".to_owned()),
        "++" | "+=" | "*=" => Some("write `x := x + 1`".to_owned()),
        "[" | "]" | "{" | "}" => Some("only round parentheses group".to_owned()),
        "." => Some("numbers are integers".to_owned()),
        "\r" => Some("lines end in a line feed, or a carriage return and a line feed".to_owned()),
        _ if text.starts_with(|c: char| c.is_ascii_digit()) => {
            Some("a name starts with a letter or `_`; a number has decimal digits only".to_owned())
        }
        _ if text.starts_with(|c: char| c.is_whitespace()) => Some("use an ordinary space".to_owned()),
        _ if !text.is_ascii() => Some("names and operators are plain ASCII; comments may hold anything".to_owned()),
        _ => None,
    }
}

/// What to write instead of a word of another language.
pub(crate) fn for_word(text: &str) -> Option<&'static str> {
    match text.to_ascii_lowercase().as_str() {
        "and" => Some("write `&&` for and"),
        "or" => Some("write `||` for or"),
        "not" => Some("write `!(…)` for not"),
        "implies" => Some("write `=>` for implies"),
        "mod" | "div" => Some("there is no division; the operators are `+`, `-` and `*`"),
        _ => None,
    }
}

/// What to start a statement with instead of this word.
pub(crate) fn for_statement(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let keyword = match lower.as_str() {
        "int" | "integer" | "let" | "vars" | "variable" | "variables" => Some("var"),
        "assert" | "invariant" | "property" | "prove" | "spec" => Some("safe"),
        "initial" | "initially" | "assume" | "start" => Some("init"),
        "module" | "name" | "system" => Some("program"),
        _ => similar(&lower, Keyword::ALL.iter().filter(|(_, k)| k.starts_statement()).map(|(word, _)| *word)),
    };
    match keyword {
        Some(keyword) => format!("did you mean `{keyword}`?"),
        None => {
            let text = shorten(text, 20);
            format!(
                "a transition is written `{text}: guard -> variable := value`; other lines start with program, control, var, init, safe or expect"
            )
        }
    }
}

/// The candidate that looks most like the text, if one does.
pub(crate) fn similar<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let limit = (text.len() / 3).clamp(1, 3);
    let near = |candidate: &&str| candidate.len() <= SIMILAR_LENGTH && candidate.len().abs_diff(text.len()) <= limit;
    if text.len() > SIMILAR_LENGTH {
        return None;
    }
    let candidates = candidates.into_iter().take(SIMILAR_CANDIDATES).filter(near);
    let scored = candidates.map(|candidate| (distance(text, candidate), candidate));
    scored.filter(|(d, _)| *d <= limit && *d < text.len()).min_by_key(|(d, _)| *d).map(|(_, candidate)| candidate)
}

/// How many letters must be added, dropped or changed to get from one word to the other; case does not count.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<u8> = b.bytes().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_found() {
        assert_eq!(similar("tiket", ["x", "ticket", "token"]), Some("ticket"));
        assert_eq!(similar("PC1", ["pc2", "pc1"]), Some("pc1"));
        assert_eq!(similar("zebra", ["x", "ticket"]), None);
        assert_eq!(similar(&"x".repeat(100), ["x"]), None);
    }

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
