//! What C programs are read as.

mod against_gcc;
mod errors;
mod expressions;
mod initialisers;
mod limits;
mod render;
mod statements;

use super::{DataModel, read};
use crate::program::{FileId, FrontendErrors, Id, SourceFile, SourceFiles};
use expect_test::Expect;
use std::fmt::Write;

fn files(text: &str) -> SourceFiles {
    [SourceFile { name: "test.c".into(), text: text.into() }].into_iter().collect()
}

fn read_text(text: &str, model: DataModel) -> Result<super::tree::Unit, FrontendErrors> {
    read(&files(text), FileId::new(0), model)
}

/// The typed tree as text, or the messages.
fn render_as(text: &str, model: DataModel) -> String {
    match read_text(text, model) {
        Ok(unit) => render::render(&unit),
        Err(errors) => render_errors(&files(text), &errors),
    }
}

fn check(text: &str, expect: Expect) {
    expect.assert_eq(&render_as(text, DataModel::Ilp32));
}

fn render_errors(files: &SourceFiles, errors: &FrontendErrors) -> String {
    let mut out = String::new();
    for error in &errors.0 {
        let place = error.span.map(|span| files[span.file].line_and_column(span.start));
        let place = place.map_or("-".to_owned(), |(line, column)| format!("{line}:{column}"));
        let hint = error.hint.as_deref().unwrap_or("-");
        writeln!(out, "{place}: {} | {} | {hint}", error.message, error.label).unwrap();
    }
    out
}
