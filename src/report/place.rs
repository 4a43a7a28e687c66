//! Places in source files, and small pieces of wording.

use super::clean::escaped;
use crate::concrete::Input;
use crate::concrete::Value;
use crate::program::{Program, SourceFiles, Span};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A place in a source file, as the user reads it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place<'p> {
    pub file: &'p str,
    pub line: usize,
    pub column: usize,
    /// The line's text, without the blanks around it.
    pub text: &'p str,
}

impl<'p> Place<'p> {
    /// The place where a span starts. None for a span of no known file.
    pub(crate) fn of(sources: &'p SourceFiles, span: Option<Span>) -> Option<Place<'p>> {
        let span = span?;
        let file = sources.get(span.file)?;
        let (line, column) = file.line_and_column(span.start);
        Some(Place { file: &file.name, line, column, text: file.line(line).trim() })
    }

    /// `file:line`.
    pub(crate) fn file_and_line(&self) -> String {
        format!("{}:{}", escaped(self.file), self.line)
    }

    /// The same without the folder that the first bytes of the name are.
    pub(crate) fn below(&self, folder: usize) -> String {
        format!("{}:{}", escaped(self.file.get(folder..).unwrap_or(self.file)), self.line)
    }
}

/// The places of one program, each looked up once: a long execution is at few of them, but often.
#[derive(Debug)]
pub(super) struct Places<'p> {
    sources: &'p SourceFiles,
    known: RefCell<FxHashMap<Span, Place<'p>>>,
}

impl<'p> Places<'p> {
    /// The places of a program.
    pub(crate) fn new(sources: &'p SourceFiles) -> Places<'p> {
        Places { sources, known: RefCell::default() }
    }

    /// The place where a span starts. None for a span of no known file.
    pub(crate) fn of(&self, span: Option<Span>) -> Option<Place<'p>> {
        let key = span?;
        if let Some(place) = self.known.borrow().get(&key) {
            return Some(place.clone());
        }
        let place = Place::of(self.sources, span)?;
        self.known.borrow_mut().insert(key, place.clone());
        Some(place)
    }
}

/// `1 state`, `2 states`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The text on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A value for people: a number of very many digits is cut.
pub(super) fn readable(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = value.to_string();
    // Values are written in ASCII, so bytes are characters.
    if text.len() <= LONGEST {
        return text;
    }
    format!("{}…{} ({} digits)", &text[..20], &text[text.len() - 10..], text.trim_start_matches('-').len())
}

/// `x = 1  y = 2`, for the variables given.
pub(super) fn assignment<'a>(
    program: &Program,
    values: impl IntoIterator<Item = &'a (crate::program::VarId, Value)>,
) -> Vec<String> {
    // The addresses of objects, which have names of their own, tell a reader nothing.
    let shown = values.into_iter().filter(|(variable, _)| !program.variables[*variable].name.starts_with('&'));
    shown.map(|(v, value)| format!("{} = {}", program.variables[*v].name, readable(value))).collect()
}

/// What took an input: a variable, or memory.
pub(super) fn input_name<'p>(program: &'p Program, input: &Input) -> &'p str {
    input.variable.map_or("memory", |variable| &program.variables[variable].name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{FileId, Id, SourceFile};
    use crate::term::Integer;

    #[test]
    fn a_place_is_where_the_span_starts() {
        let sources: SourceFiles =
            [SourceFile { name: "m.gcl".into(), text: "a\n  b -> c\n".into() }].into_iter().collect();
        let place = Place::of(&sources, Some(Span::new(FileId::new(0), 4, 5))).expect("the file is known");
        assert_eq!((place.line, place.column, place.text), (2, 3, "b -> c"));
        assert_eq!(place.file_and_line(), "m.gcl:2");
        assert_eq!(Place::of(&sources, Some(Span::new(FileId::new(7), 0, 1))), None);
        assert_eq!(Place::of(&sources, None), None);
        let beyond = Place::of(&sources, Some(Span::new(FileId::new(0), 900, 901))).expect("the file is known");
        assert_eq!((beyond.line, beyond.text), (3, ""));
    }

    #[test]
    fn long_numbers_are_cut() {
        let long = Value::Int(-Integer::power_of_two(400));
        let text = readable(&long);
        assert!(text.starts_with("-2582249878086908589") && text.ends_with("(121 digits)"), "{text}");
        assert_eq!(readable(&Value::int(-7)), "-7");
    }
}
