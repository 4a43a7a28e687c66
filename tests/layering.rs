//! Imports point one way: a room may know only the rooms that the table in ARCHITECTURE.md allows it.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, and which others each may know.
const ROOMS: [(&str, &[&str]); 14] = [
    ("system", &[]),
    ("term", &[]),
    ("program", &["term"]),
    ("transform", &["program", "term"]),
    ("frontend", &["transform", "program", "term", "system"]),
    ("solver", &["term", "system"]),
    ("concrete", &["program", "term"]),
    ("formula", &["program", "term", "solver", "concrete"]),
    ("domain", &["program", "term", "solver", "concrete", "formula"]),
    ("engine", &["program", "term", "transform", "solver", "concrete", "formula", "domain", "system"]),
    ("confirm", &["program", "term", "transform", "solver", "concrete", "formula", "domain", "engine"]),
    ("report", &["program", "term", "solver", "concrete", "formula", "domain", "engine", "confirm"]),
    (
        "pipeline",
        &[
            "program",
            "term",
            "transform",
            "frontend",
            "solver",
            "concrete",
            "formula",
            "domain",
            "engine",
            "confirm",
            "report",
            "system",
        ],
    ),
    // Generators are there for tests alone, and may name what they test.
    ("generate", &["program", "term", "frontend"]),
];

/// Files of the crate's root that are no room.
const ROOT_FILES: [&str; 4] = ["lib", "main", "part", "arguments"];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The room of a file below `src`.
fn room_of(path: &Path) -> String {
    let first = path.components().next().expect("a file has a name");
    first.as_os_str().to_str().expect("file names are UTF-8").trim_end_matches(".rs").to_owned()
}

/// The source without comments and without its tests, which may use any room to build what they need.
fn code_only(source: &str) -> String {
    let uncommented: Vec<&str> = source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let text = uncommented.join("\n");
    text.split("#[cfg(test)]").next().unwrap_or_default().to_owned()
}

/// The rooms that a piece of source names after `crate::` or `tandem::`, those in braces included.
fn named_rooms(code: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    for prefix in ["crate::", "tandem::"] {
        for (start, _) in code.match_indices(prefix) {
            let rest = &code[start + prefix.len()..];
            if let Some(list) = rest.strip_prefix('{') {
                rooms.extend(first_names(list));
            } else {
                rooms.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
            }
        }
    }
    rooms
}

/// The first name of each entry of a list in braces, up to the brace that closes it.
fn first_names(list: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let (mut depth, mut reading) = (0, true);
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(String::new());
                reading = true;
            }
            c if c.is_alphanumeric() || c == '_' => {
                if reading {
                    names.last_mut().expect("there is one").push(c);
                }
            }
            c if c.is_whitespace() => reading &= names.last().is_some_and(String::is_empty),
            _ => reading = false,
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn is_test_file(path: &Path) -> bool {
    path.iter().any(|part| part == "tests" || part == "tests.rs")
}

#[test]
fn every_import_points_up_the_table() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let table: BTreeMap<&str, &[&str]> = ROOMS.into_iter().collect();
    let mut wrong = Vec::new();
    let mut imports = 0;
    for path in rust_files(&source) {
        let relative = path.strip_prefix(&source).expect("the file is below src");
        let room = room_of(relative);
        if ROOT_FILES.contains(&room.as_str()) || is_test_file(relative) {
            continue;
        }
        let Some(allowed) = table.get(room.as_str()) else {
            wrong.push(format!("{}: the room `{room}` is not in the table", relative.display()));
            continue;
        };
        for named in named_rooms(&code_only(&fs::read_to_string(&path).unwrap())) {
            imports += 1;
            if named != room && !allowed.contains(&named.as_str()) {
                wrong.push(format!("{}: `{room}` may not know `{named}`", relative.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(imports > 50, "only {imports} imports were found; is the test looking in the right place?");
}

#[test]
fn only_json_knows_json_and_only_main_knows_the_arguments() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let homes = [
        ("serde_json", vec!["report/json.rs", "report/part.rs"]),
        ("clap::", vec!["arguments.rs", "arguments/engines.rs", "arguments/preprocessor.rs", "main.rs"]),
        ("anyhow", vec!["main.rs", "part.rs"]),
    ];
    for path in rust_files(&source) {
        let relative = path.strip_prefix(&source).expect("the file is below src").to_str().expect("UTF-8").to_owned();
        let code = code_only(&fs::read_to_string(&path).unwrap());
        for (library, homes) in &homes {
            assert!(!code.contains(library) || homes.contains(&relative.as_str()), "{relative} uses {library}");
        }
    }
}

#[test]
fn the_reader_of_imports_reads_them() {
    let code = "use crate::program::{Program, Expr};\nuse crate::{term::{Terms, Op}, solver, self as x};\nfn f() { crate::report::g() }";
    assert_eq!(named_rooms(code), ["program", "term", "solver", "self", "report"]);
    assert_eq!(code_only("use crate::a; // crate::b\n#[cfg(test)]\nmod t { use crate::c; }"), "use crate::a; \n");
}
