//! The C library: every function that the system's headers declare is modelled as gcc and the GNU library have it, or an
//! unmodelled place that names it. It is never guessed.
//!
//! The hand-written checks are in `library/checks.txt`. A function of the headers below without one is called with zeros,
//! and must be unmodelled unless it is in `library/modelled.txt`. `TANDEM_HUNT=count` looks at so many functions rather than at a few; `make hunt-library` at all.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output};
use tandem::frontend::c::library::is_declared;

/// The headers whose functions are each looked at.
const HEADERS: [&str; 18] = [
    "arpa/inet.h",
    "ctype.h",
    "err.h",
    "inttypes.h",
    "locale.h",
    "pthread.h",
    "search.h",
    "semaphore.h",
    "signal.h",
    "stdatomic.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "threads.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
];

/// What the checks use.
const HELPERS: &str = "
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int order_r(const void *a, const void *b, void *c) { return *(const int *)a - *(const int *)b; }
static void nothing(void) {}
static void *identity(void *x) { return x; }
static int seven(void *x) { return 7; }
";

/// A true check of one function.
struct Check {
    name: &'static str,
    reads_input: bool,
    headers: &'static str,
    statements: &'static str,
    condition: &'static str,
}

fn checks() -> Vec<Check> {
    let lines = include_str!("library/checks.txt").lines().filter(|line| !line.starts_with('#'));
    let check = |line: &'static str| {
        let (name, rest) = line.split_once(": ").expect("a line starts with a name");
        let (headers, rest) = rest.split_once(':').expect("headers follow the name");
        let (statements, condition) = rest.split_once("=>").expect("a line ends in a condition");
        let reads_input = name.ends_with('~');
        Check { name: name.trim_end_matches('~'), reads_input, headers, statements, condition }
    };
    lines.map(check).collect()
}

fn includes(headers: &str) -> String {
    headers.split_whitespace().fold("#define _GNU_SOURCE\n".to_owned(), |mut text, header| {
        writeln!(text, "#include <{header}>").expect("writing to a string succeeds");
        text
    })
}

/// A program that fails if the condition is false, or if it is true.
fn program(check: &Check, fails_if: bool) -> String {
    let Check { headers, statements, condition, .. } = check;
    let negation = if fails_if { "" } else { "!" };
    let includes = includes(headers);
    format!(
        "{includes}void reach_error(void);{HELPERS}int main(void) {{{statements}\n  if ({negation}({condition})) \
         reach_error();\n  return 0;\n}}\n"
    )
}

fn verify(folder: &Path, text: &str) -> (Option<i32>, String) {
    let file = folder.join("check.c");
    std::fs::write(&file, text).expect("the folder can be written to");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tandem"));
    command.args(["verify", "--property", "assert", "--engine", "explicit", "--time-limit", "10s"]).arg(&file);
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    (status.code(), String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr))
}

const SAFE: Option<i32> = Some(0);
const UNSAFE: Option<i32> = Some(1);
const REFUSED: Option<i32> = Some(3);

/// So many functions of all, spread over them.
fn share<T>(all: Vec<T>, usual: usize) -> Vec<T> {
    let count = std::env::var("TANDEM_HUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(usual);
    let step = all.len().div_ceil(count.max(1)).max(1);
    all.into_iter().step_by(step).collect()
}

fn has_gcc() -> bool {
    Command::new("gcc").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The functions that headers declare, with the number of their parameters; none where one is passed a structure.
fn declared(headers: &[&str]) -> BTreeMap<String, Option<usize>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, list) = (folder.path().join("all.c"), folder.path().join("list"));
    let mut text = "#include <stddef.h>\n".to_owned();
    for header in headers {
        writeln!(text, "#if __has_include(<{header}>)\n#include <{header}>\n#endif").expect("writing succeeds");
    }
    std::fs::write(&file, text).expect("the folder can be written to");
    let options = ["-std=gnu2x", "-D_GNU_SOURCE", "-w", "-fsyntax-only", "-aux-info"];
    let status = Command::new("gcc").args(options).arg(&list).arg(&file).output().expect("gcc starts");
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    let list = std::fs::read_to_string(list).expect("gcc writes the list");
    list.lines().filter_map(declaration).collect()
}

/// `/* place */ extern type name (parameters);`
fn declaration(line: &str) -> Option<(String, Option<usize>)> {
    let (_, line) = line.split_once("*/ ")?;
    let (head, parameters) = line.split_once(" (")?;
    let name = head.rsplit([' ', '*', '(']).next()?;
    let (parameters, _) = parameters.split_once(");").unwrap_or((parameters, ""));
    let is_simple = !parameters.contains('(') && !parameters.contains("va_list") && !line.contains("_Complex");
    let passes_record = parameters.split(',').any(|one| one.contains("struct ") && !one.contains('*'));
    let count = match parameters.trim() {
        "void" | "" => 0,
        all => all.split(',').filter(|one| one.trim() != "...").count(),
    };
    let count = (is_simple && !passes_record).then_some(count);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_').then(|| (name.to_owned(), count))
}

#[test]
fn the_list_has_all_that_the_headers_declare() {
    if !has_gcc() {
        return;
    }
    let headers: Vec<&str> = include_str!("../src/frontend/c/library/headers.txt").lines().collect();
    let declared = declared(&headers);
    let missing: BTreeSet<&String> = declared.keys().filter(|name| !is_declared(name)).collect();
    assert!(missing.is_empty(), "run src/frontend/c/library/declared.sh; missing are {missing:?}");
    assert!(declared.len() > 500, "{}", declared.len());
}

#[test]
fn the_checks_are_true_for_gcc() {
    if !has_gcc() {
        return;
    }
    let checks = checks();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, binary) = (folder.path().join("all.c"), folder.path().join("all"));
    let headers: BTreeSet<&str> = checks.iter().flat_map(|check| check.headers.split_whitespace()).collect();
    let mut text = includes(&headers.into_iter().collect::<Vec<_>>().join(" ")) + HELPERS;
    for (number, Check { name, statements, condition, .. }) in checks.iter().enumerate() {
        writeln!(
            text,
            "static int check{number}(void) {{{statements}\n if (!({condition})) {{ dprintf(2, \"{name}\\n\"); return 1; }} return 0; }}"
        )
        .expect("writing to a string succeeds");
    }
    text += "int main(void) { int bad = 0;\n";
    for number in 0..checks.len() {
        writeln!(text, "bad += check{number}();").expect("writing to a string succeeds");
    }
    text += "return bad; }\n";
    std::fs::write(&file, text).expect("the folder can be written to");
    let made =
        Command::new("gcc").args(["-w", "-std=gnu2x", "-pthread", "-o"]).arg(&binary).arg(&file).arg("-lm").output();
    let made = made.expect("gcc starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut command = Command::new(&binary);
    let run = command.stdin(std::process::Stdio::null()).output().expect("the program starts");
    assert!(run.status.success(), "false: {}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn each_check_is_proved_or_names_its_function() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut wrong = Vec::new();
    for check in share(checks(), 24) {
        let is_missing = |text: &str| text.contains("not modelled") || text.contains("not supported");
        let is_named = |text: &str| is_missing(text) && text.contains(check.name);
        let (code, text) = verify(folder.path(), &program(&check, false));
        if code == UNSAFE || code != SAFE && !is_named(&text) && !check.reads_input {
            wrong.push(format!("{}: {code:?}\n{text}", check.name));
        }
        let (code, text) = verify(folder.path(), &program(&check, true));
        if code == SAFE {
            wrong.push(format!("the negation of {}: {code:?}\n{text}", check.name));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn functions_without_a_model_are_named() {
    if !has_gcc() {
        return;
    }
    let known: BTreeSet<&str> = checks().iter().map(|check| check.name).collect();
    let modelled: BTreeSet<&str> = include_str!("library/modelled.txt").split_whitespace().collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let all = HEADERS.into_iter().flat_map(|header| declared(&[header]).into_iter().map(move |one| (header, one)));
    let others = all.filter(|(_, (name, _))| !known.contains(&**name) && !name.starts_with("__"));
    let mut wrong = Vec::new();
    for (header, (name, count)) in share(others.collect(), 24) {
        let Some(count) = count else { continue };
        let arguments = vec!["0"; count].join(", ");
        let includes = includes(header);
        let text = format!("{includes}int main(void) {{ ({name})({arguments}); return 0; }}\n");
        let (code, text) = verify(folder.path(), &text);
        let is_named = text.contains(&*name) && (text.contains("not modelled") || text.contains("not supported"));
        if code == UNSAFE || code != REFUSED && !is_named && !modelled.contains(&*name) {
            wrong.push(format!("{name}: {code:?}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
