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
    read(&files(text), FileId::new(0), model, &Default::default())
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

#[test]
fn directives_go_through_the_preprocessor() {
    let text =
        "#include <stddef.h>\n#define F(x) ((x) + 1)\nint f(size_t n) {\n  return F(2) + n * sizeof(wchar_t);\n}\n";
    let has_compiler =
        ["cc", "gcc", "clang"].iter().any(|name| std::process::Command::new(name).arg("-v").output().is_ok());
    if !has_compiler {
        let errors = read_text(text, DataModel::Lp64).unwrap_err();
        assert!(errors.to_string().contains("there is no C compiler"));
        return;
    }
    let out = render_as(text, DataModel::Lp64);
    expect_test::expect![[r#"
        f(n): int (unsigned long)
          {
            return Integer<i32>((3u64 +u64 ([n] *u64 4u64)))
          }
    "#]]
    .assert_eq(&out);
    let wrong = text.replace("F(2)", "F(2) F(3)");
    expect_test::expect![[r#"
        4:16: `int` cannot be called | no function | -
    "#]]
    .assert_eq(&render_as(&wrong, DataModel::Lp64));
    let missing = text.replace("stddef", "no/such/header");
    expect_test::expect![[r#"
        1:10: cc could not preprocess: no/such/header.h: No such file or directory | the compiler stops here | -
    "#]]
    .assert_eq(&render_as(&missing, DataModel::Lp64).replace("gcc could", "cc could"));
}
