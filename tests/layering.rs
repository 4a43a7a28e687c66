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

/// The source without comments and without its tests, which may also use generators.
fn code_only(source: &str) -> String {
    uncommented(source).split("#[cfg(test)]").next().unwrap_or_default().to_owned()
}

/// The source without comments.
fn uncommented(source: &str) -> String {
    let lines: Vec<&str> = source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    lines.join("\n")
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
        ("serde_json", vec!["pipeline/database.rs", "report/json.rs", "report/part.rs"]),
        (
            "clap::",
            vec!["arguments.rs", "arguments/engines.rs", "arguments/manual.rs", "arguments/preprocessor.rs", "main.rs"],
        ),
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

/// The files below a folder of `src` that are no tests, each with its path from `src` on and its code.
fn sources(folder: &str) -> Vec<(String, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let relative = |path: &PathBuf| path.strip_prefix(&source).expect("the file is below src").to_owned();
    let files = rust_files(&source.join(folder)).into_iter().filter(|path| !is_test_file(&relative(path)));
    files.map(|path| (relative(&path).display().to_string(), code_only(&fs::read_to_string(&path).unwrap()))).collect()
}

/// The folders inside one of `src`.
fn folders(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    paths.map(|path| path.file_name().unwrap().to_str().expect("UTF-8").to_owned()).collect()
}

/// The first names of what code names after a prefix, those in braces included.
fn names_after(code: &str, prefix: &str) -> Vec<String> {
    let rests = code.match_indices(prefix).map(|(start, _)| &code[start + prefix.len()..]);
    let names = rests.map(|rest| match rest.strip_prefix('{') {
        Some(list) => first_names(list),
        None => vec![rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()],
    });
    names.flatten().collect()
}

#[test]
fn waitlists_are_in_the_search_alone() {
    for (path, code) in sources("engine") {
        let has_queue = ["VecDeque", "BinaryHeap"].iter().any(|queue| code.contains(queue));
        assert!(!has_queue || path.starts_with("engine/search"), "{path} has a waitlist of its own");
    }
}

#[test]
fn the_formula_context_is_built_in_one_place() {
    for (path, code) in sources("") {
        assert!(!code.contains("Blocks::new") || path == "formula/context.rs", "{path} builds blocks of its own");
    }
}

#[test]
fn no_front_end_names_another() {
    let languages = folders("frontend");
    assert!(languages.len() >= 3, "{languages:?}");
    for language in &languages {
        for (path, code) in sources(&format!("frontend/{language}")) {
            for prefix in ["frontend::", "super::"] {
                let named =
                    names_after(&code, prefix).into_iter().find(|name| name != language && languages.contains(name));
                assert_eq!(named, None, "{path} names another front end");
            }
        }
    }
}

#[test]
fn confirm_names_no_engine() {
    let engines = folders("engine");
    assert!(engines.iter().any(|engine| engine == "explicit"), "{engines:?}");
    for (path, code) in sources("confirm") {
        let named = names_after(&code, "engine::").into_iter().find(|name| engines.contains(name));
        assert_eq!(named, None, "{path} names an engine's folder");
    }
}

#[test]
fn the_rooms_of_the_table_are_those_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let (_, table) = page.split_once("## The rooms").expect("there is a table of the rooms");
    let rows = table.lines().skip_while(|line| !line.starts_with("| room")).take_while(|line| line.starts_with('|'));
    let first_cells = rows.skip(2).filter_map(|row| row.split('|').nth(1).map(str::to_owned));
    let mut listed: Vec<String> = Vec::new();
    for cell in first_cells {
        listed.extend(cell.split('`').skip(1).step_by(2).map(|name| name.trim_end_matches('/').to_owned()));
    }
    for name in &listed {
        assert!(root.join("src").join(name).exists(), "the table lists {name}, which is not there");
    }
    for (room, _) in ROOMS {
        assert!(listed.iter().any(|name| name == room), "the table does not list {room}");
        assert!(root.join("src").join(room).is_dir(), "{room} is no folder");
    }
}

/// The types that code declares. Associated types are none: they are indented.
fn declared_types(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in code.lines() {
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let mut words = words.skip_while(|word| ["pub", "super", "crate", "in"].contains(word));
        let is_type = match words.next() {
            Some("struct" | "enum" | "trait") => true,
            Some("type") => !line.starts_with(' '),
            _ => false,
        };
        names.extend(words.next().filter(|_| is_type).map(str::to_owned));
    }
    names
}

#[test]
fn no_type_name_of_engines_stands_for_two_things() {
    let mut declared: BTreeMap<String, String> = BTreeMap::new();
    for (path, code) in sources("engine") {
        for name in declared_types(&code) {
            if let Some(other) = declared.insert(name.clone(), path.clone()) {
                panic!("`{name}` is declared in {other} and in {path}");
            }
        }
    }
    assert!(declared.len() > 50, "only {} types were found", declared.len());
}

#[test]
fn the_reader_of_declarations_reads_them() {
    let code =
        "pub(super) struct A<'a> {\n    type B = u8;\n    pub enum C {}\n}\ntype D = u8;\nlet x = 1; // struct E";
    assert_eq!(declared_types(&code_only(code)), ["A", "C", "D"]);
    assert_eq!(
        names_after("use crate::engine::{cegar::X, Task}; engine::bounded::f()", "engine::"),
        ["cegar", "Task", "bounded"]
    );
}

/// Tests know no more than the room that they test, and random programs and terms where those do not know the room.
#[test]
fn unit_tests_open_no_other_doors() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (_, generated) = ROOMS[ROOMS.len() - 1];
    for (room, allowed) in ROOMS {
        let generators = if generated.contains(&room) { room } else { "generate" };
        for path in rust_files(&source.join(room)) {
            let mut named = named_rooms(&uncommented(&fs::read_to_string(&path).unwrap())).into_iter();
            let wrong = named.find(|name| name != room && name != generators && !allowed.contains(&name.as_str()));
            assert_eq!(wrong, None, "{}: a test of `{room}`", path.display());
        }
    }
}
