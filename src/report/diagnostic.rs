//! Messages about source files: the line, a caret under the place, a hint.

use super::clean::escaped;
use crate::program::{Diagnostic, FrontendErrors, SourceFiles};
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, Severity, SourceSpan,
    SpanContents,
};
use std::fmt;

/// At most so many messages are shown; the first ones are usually the cause of the rest.
const MAX_SHOWN: usize = 20;

/// Lines longer than this are cut around the place, so that a message about generated code stays readable.
const LONGEST_LINE: usize = 160;

/// How messages are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawing {
    /// With colours.
    pub colours: bool,
    /// With lines of Unicode characters, rather than ASCII.
    pub unicode: bool,
}

/// The messages as the user reads them.
pub fn render(errors: &FrontendErrors, sources: &SourceFiles, drawing: Drawing) -> String {
    let theme = match (drawing.unicode, drawing.colours) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::unicode_nocolor(),
        (false, true) => GraphicalTheme { characters: miette::ThemeCharacters::ascii(), ..GraphicalTheme::unicode() },
        (false, false) => GraphicalTheme::none(),
    };
    let handler = GraphicalReportHandler::new_themed(theme).with_links(false).with_width(100);
    let mut text = String::new();
    for diagnostic in errors.0.iter().take(MAX_SHOWN) {
        let message = Message::new(diagnostic, sources);
        let mut drawn = String::new();
        if handler.render_report(&mut drawn, &message).is_err() {
            drawn = format!("{}\n", message.plain());
        }
        text.push_str(drawn.trim_start_matches('\n'));
        text.push('\n');
    }
    if errors.0.len() > MAX_SHOWN {
        text.push_str(&format!("and {} more\n", errors.0.len() - MAX_SHOWN));
    }
    text
}

/// One message, as miette wants it. It holds only the lines around the place, cut where they are long.
#[derive(Debug)]
struct Message {
    text: String,
    place: Option<String>,
    label: String,
    hint: Option<String>,
    source: Option<Excerpt>,
    span: SourceSpan,
}

impl Message {
    fn new(diagnostic: &Diagnostic, sources: &SourceFiles) -> Message {
        let mut message = Message {
            text: escaped(&diagnostic.message).into_owned(),
            place: None,
            label: escaped(&diagnostic.label).into_owned(),
            hint: diagnostic.hint.as_deref().map(|hint| escaped(hint).into_owned()),
            source: None,
            span: (0, 0).into(),
        };
        let Some(span) = diagnostic.span else { return message };
        let Some(file) = sources.get(span.file) else { return message };
        let (line, column) = file.line_and_column(span.start);
        message.place = Some(format!("{}:{line}:{column}", escaped(&file.name)));
        let (excerpt, start, length) = excerpt(&file.text, span.start as usize, span.end as usize, line);
        message.source = Some(Excerpt { file: escaped(&file.name).into_owned(), text: excerpt, column });
        message.span = (start, length).into();
        message
    }

    fn plain(&self) -> String {
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let hint = self.hint.as_ref().map(|hint| format!("\n  help: {hint}")).unwrap_or_default();
        format!("{place}{}{hint}", self.text)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Message {}

impl miette::Diagnostic for Message {
    fn severity(&self) -> Option<Severity> {
        Some(Severity::Error)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.hint.as_ref().map(|hint| Box::new(hint) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.source.as_ref().map(|source| source as &dyn miette::SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.source.as_ref()?;
        let label = (!self.label.is_empty()).then(|| self.label.clone());
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(label, self.span))))
    }
}

/// A part of a file. It knows in which column of the file the place is, also where the line is cut.
#[derive(Debug)]
struct Excerpt {
    file: String,
    text: String,
    column: usize,
}

impl miette::SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let read = self.text.read_span(span, lines_before, lines_after)?;
        // Without lines around it, what is read starts at the place itself, and its column is shown.
        let column = if lines_before == 0 && lines_after == 0 { self.column - 1 } else { read.column() };
        let (line, count) = (read.line(), read.line_count());
        let contents = MietteSpanContents::new_named(self.file.clone(), read.data(), *read.span(), line, column, count);
        Ok(Box::new(contents))
    }
}

/// The line of the place with its neighbours, under as many empty lines as make its number right, and where the
/// place is in that text. What cannot be printed is replaced; a long line is cut.
fn excerpt(text: &str, start: usize, end: usize, line: usize) -> (String, usize, usize) {
    let mut start = start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    let end = end.min(line_end);

    let mut excerpt = "\n".repeat(line.saturating_sub(2));
    if line > 1 {
        let before = &text[..line_start - 1];
        let before = &before[before.rfind('\n').map_or(0, |i| i + 1)..];
        excerpt.push_str(&printable(&cut(before, 0, LONGEST_LINE)));
        excerpt.push('\n');
    }
    let (left, right) = window(&text[line_start..line_end], start - line_start);
    let (left, right) = (line_start + left, line_start + right);
    if left > line_start {
        excerpt.push('…');
    }
    excerpt.push_str(&printable(&text[left..start]));
    let place = excerpt.len();
    let marked = printable(&text[start..end.min(right).max(start)]);
    excerpt.push_str(&marked);
    excerpt.push_str(&printable(&text[end.min(right).max(start)..right]));
    if right < line_end {
        excerpt.push('…');
    }
    excerpt.push('\n');
    (excerpt, place, marked.len())
}

/// The part of a line to show: all of it, or what is around the place.
fn window(line: &str, place: usize) -> (usize, usize) {
    if line.chars().count() <= LONGEST_LINE {
        return (0, line.len());
    }
    let left = line[..place].char_indices().rev().nth(LONGEST_LINE / 2 - 1).map_or(0, |(i, _)| i);
    let right = line[place..].char_indices().nth(LONGEST_LINE / 2).map_or(line.len(), |(i, _)| place + i);
    (left, right)
}

fn cut(line: &str, from: usize, characters: usize) -> String {
    line.chars().skip(from).take(characters).collect()
}

fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{FileId, Id, SourceFile, Span};
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    const PLAIN: Drawing = Drawing { colours: false, unicode: false };

    fn sources(text: &str) -> SourceFiles {
        [SourceFile { name: "m.gcl".into(), text: text.into() }].into_iter().collect()
    }

    fn check(text: &str, start: usize, end: usize, expected: Expect) {
        let place = Span::new(FileId::new(0), start, end);
        let diagnostic = Diagnostic::at(place, "unknown variable `z`", "not declared").hint("declare it");
        // The first line is not indented, so that the indentation of the others counts.
        expected.assert_eq(&format!("shown:\n{}", render(&diagnostic.into(), &sources(text), PLAIN)));
    }

    #[test]
    fn the_line_with_a_caret_and_a_hint() {
        check(
            "var x\ninit x = 0\nt: x = z -> x := 1\n",
            24,
            25,
            expect![[r#"
                shown:
                  x unknown variable `z`
                   ,-[m.gcl:3:8]
                 2 | init x = 0
                 3 | t: x = z -> x := 1
                   :        |
                   :        `-- not declared
                   `----
                  help: declare it

            "#]],
        );
    }

    #[test]
    fn the_end_of_the_file() {
        check(
            "var x\n",
            6,
            6,
            expect![[r#"
                shown:
                  x unknown variable `z`
                   ,-[m.gcl:2:1]
                 1 | var x
                 2 | 
                   : ^
                   : `-- not declared
                   `----
                  help: declare it

            "#]],
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}z{}", "(".repeat(5000), ")".repeat(5000));
        let place = Span::new(FileId::new(0), 5000, 5001);
        let text = render(&Diagnostic::at(place, "odd", "here").into(), &sources(&text), PLAIN);
        assert!(text.len() < 1000 && text.contains("m.gcl:1:5001") && text.contains("(z)"), "{text}");
    }

    #[test]
    fn only_the_first_messages_are_shown() {
        let many = (0..30).map(|i| Diagnostic::general(format!("message {i}"))).collect();
        let text = render(&FrontendErrors(many), &sources(""), PLAIN);
        assert!(text.contains("message 19") && !text.contains("message 20") && text.contains("and 10 more"), "{text}");
    }

    proptest! {
        #[test]
        fn odd_spans_never_panic(text in "(\\PC|[\\x00-\\x1f]|é|\n){0,40}", file in 0usize..2, a in 0usize..60, b in 0usize..60) {
            let diagnostic = Diagnostic::at(Span::new(FileId::new(file), a, b), "odd", "here");
            let drawn = render(&diagnostic.into(), &sources(&text), PLAIN);
            prop_assert!(drawn.contains("odd"));
            if file == 0 {
                prop_assert!(drawn.contains("m.gcl:"));
            }
        }
    }
}
