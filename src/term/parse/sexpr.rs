//! S-expressions as SMT-LIB writes them.

use super::ParseError;

/// An atom or a list.
///
/// Reading, dropping and [`SExpr::write`] use no recursion, so nesting has no limit; `Debug` and `Clone` do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SExpr {
    /// A symbol, number, keyword or string, with its bars or quotes.
    Atom(String),
    /// What stands between parentheses.
    List(Vec<SExpr>),
}

impl SExpr {
    /// The text of an atom.
    pub fn atom(&self) -> Option<&str> {
        match self {
            SExpr::Atom(text) => Some(text),
            SExpr::List(_) => None,
        }
    }

    /// The members of a list.
    pub fn list(&self) -> Option<&[SExpr]> {
        match self {
            SExpr::Atom(_) => None,
            SExpr::List(members) => Some(members),
        }
    }

    /// The expression as text again.
    pub fn write(&self) -> String {
        write_from(vec![Some(self)])
    }

    /// A short form for messages.
    pub(super) fn brief(&self) -> String {
        match self {
            SExpr::Atom(text) => shortened(text),
            SExpr::List(members) => brief_list(members),
        }
    }
}

/// A short form of a list for messages.
pub(super) fn brief_list(members: &[SExpr]) -> String {
    if members.len() > 8 {
        return format!("a list of {} members", members.len());
    }
    let text = write_from(members.iter().rev().map(Some).collect());
    shortened(&format!("({text})"))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Writes what is on the stack, the last first; `None` closes a parenthesis.
fn write_from(mut stack: Vec<Option<&SExpr>>) -> String {
    let mut out = String::new();
    let mut first = true;
    while let Some(next) = stack.pop() {
        let Some(next) = next else {
            out.push(')');
            first = false;
            continue;
        };
        if !first {
            out.push(' ');
        }
        first = next.list().is_some();
        match next {
            SExpr::Atom(text) => out.push_str(text),
            SExpr::List(members) => {
                out.push('(');
                stack.push(None);
                stack.extend(members.iter().rev().map(Some));
            }
        }
    }
    out
}

impl Drop for SExpr {
    fn drop(&mut self) {
        let SExpr::List(members) = self else { return };
        if members.iter().all(|m| m.list().is_none()) {
            return;
        }
        let mut pending = std::mem::take(members);
        while let Some(mut next) = pending.pop() {
            if let SExpr::List(members) = &mut next {
                pending.append(members);
            }
        }
    }
}

/// Reads all expressions of the text.
pub fn parse_sexprs(text: &str) -> Result<Vec<SExpr>, ParseError> {
    let bytes = text.as_bytes();
    let mut open: Vec<Vec<SExpr>> = Vec::new();
    let mut current = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b';' => at = end_of(bytes, at, |b| b == b'\n'),
            b'(' => open.push(std::mem::take(&mut current)),
            b')' => {
                let outer = open.pop().ok_or(ParseError::Unbalanced)?;
                let members = std::mem::replace(&mut current, outer);
                current.push(SExpr::List(members));
            }
            b'|' => {
                at = end_of(bytes, at, |b| b == b'|');
                if at == bytes.len() {
                    return Err(ParseError::Unbalanced);
                }
                at += 1;
                current.push(SExpr::Atom(text[start..at].to_owned()));
            }
            b'"' => {
                at = end_of_string(bytes, at)?;
                current.push(SExpr::Atom(text[start..at].to_owned()));
            }
            _ => {
                at = end_of(bytes, at, |b| b" \t\r\n();|\"".contains(&b));
                current.push(SExpr::Atom(text[start..at].to_owned()));
            }
        }
    }
    if open.is_empty() { Ok(current) } else { Err(ParseError::Unbalanced) }
}

fn end_of(bytes: &[u8], from: usize, stop: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|b| stop(*b)).map_or(bytes.len(), |n| from + n)
}

/// The end of a string literal, in which two quotes stand for one.
fn end_of_string(bytes: &[u8], from: usize) -> Result<usize, ParseError> {
    let mut at = from;
    loop {
        at = end_of(bytes, at, |b| b == b'"');
        match (bytes.get(at), bytes.get(at + 1)) {
            (None, _) => return Err(ParseError::Unbalanced),
            (Some(_), Some(b'"')) => at += 2,
            (Some(_), _) => return Ok(at + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let text = "(a (b |c d| \"e \"\"f\") ()) x";
        let read = parse_sexprs(&format!("{text} ; a comment")).unwrap();
        assert_eq!(read.iter().map(SExpr::write).collect::<Vec<_>>().join(" "), text);
    }

    #[test]
    fn unbalanced_text_is_an_error() {
        for text in ["(", ")", "(a))", "|a", "\"a", "\"a\"\""] {
            assert!(parse_sexprs(text).is_err(), "{text}");
        }
    }

    #[test]
    fn nesting_has_no_limit() {
        let text = format!("{}{}", "(".repeat(300_000), ")".repeat(300_000));
        assert_eq!(parse_sexprs(&text).unwrap().len(), 1);
    }
}
