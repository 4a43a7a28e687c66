//! Every program of the corpus gets the verdict that it carries, and the models get theirs.
//!
//! The first line of a corpus program says what to expect, as a comment: `expect: safe`, or, where the explicit
//! engine cannot tell, `expect: safe (explicit: unknown)`. What is in the folder `cegar` is for that engine alone. A second line `options:` has what the command line needs.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::fs;
use std::path::Path;
use support::{argument, model, programs, root, run};

/// What the explicit engine should say of a corpus program.
fn expected(text: &str) -> Option<&str> {
    let (_, header) = text.lines().next()?.split_once("expect:")?;
    let word = match header.split_once("(explicit:") {
        Some((_, word)) => word.trim_end().trim_end_matches(')'),
        None => header,
    };
    Some(word.trim()).filter(|word| ["safe", "unsafe", "unknown"].contains(word))
}

/// What a corpus program needs on the command line.
fn options(text: &str) -> Vec<&str> {
    let options = text.lines().nth(1).and_then(|line| line.split_once("options:"));
    options.map_or_else(Vec::new, |(_, options)| options.split_whitespace().collect())
}

#[test]
fn every_program_of_the_corpus_gets_its_verdict() {
    let programs = programs(&root().join("tests/corpus"));
    assert!(programs.len() >= 20, "{} programs", programs.len());
    for path in programs.into_iter().filter(|path| !is_for_cegar(path)) {
        let text = fs::read_to_string(&path).unwrap();
        let verdict = expected(&text).unwrap_or_else(|| panic!("{} does not say what to expect", path.display()));
        for order in ["bfs", "dfs"] {
            let mut arguments =
                vec!["verify", argument(&path), "--engine", "explicit", "--search", order, "--time-limit", "60s"];
            arguments.extend(options(&text));
            let ran = run(&arguments);
            assert_eq!(ran.last_line(), format!("verdict: {verdict}"), "{} {order}: {ran:?}", path.display());
            ran.assert_verdict(verdict);
        }
    }
}

/// Whether only an abstraction can tell.
fn is_for_cegar(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("cegar"))
}

#[test]
fn cegar_is_never_wrong_and_right_where_it_has_to_be() {
    let mut right = 0;
    for path in programs(&root().join("tests/corpus")) {
        let text = fs::read_to_string(&path).unwrap();
        let (_, header) = text.lines().next().unwrap().split_once("expect:").unwrap();
        let verdict = header.split('(').next().unwrap().trim();
        let limit = if is_for_cegar(&path) { "60s" } else { "5s" };
        let mut arguments = vec!["verify", argument(&path), "--engine", "cegar", "--time-limit", limit];
        arguments.extend(options(&text));
        let ran = run(&arguments);
        let found = ran.last_line();
        let may_be_open = !is_for_cegar(&path) || verdict == "unknown";
        let is_right = found == format!("verdict: {verdict}");
        assert!(is_right || may_be_open && found == "verdict: unknown", "{}: {ran:?}", path.display());
        right += usize::from(is_right);
    }
    assert!(right >= 40, "only {right} were right");
}

/// The models that have finitely many states: how many.
const FINITE: [(&str, u64); 6] =
    [("elev4", 480), ("elev5", 1440), ("elev6", 4032), ("elev8", 27648), ("mesi", 18), ("berkeley", 13)];

/// The models that are unsafe: the length of the shortest counterexample, where breadth first search finds it.
const UNSAFE: [(&str, usize); 20] = [
    ("b_bakery2_e", 25),
    ("ticket2_e", 6),
    ("ticket3-5", 9),
    ("ticket3-10", 24),
    ("ticket3-15", 39),
    ("ticket3-20", 54),
    ("ticket3-25", 69),
    ("ticket3-30", 84),
    ("ticket3-40", 114),
    ("rax-5", 27),
    ("rax-10", 57),
    ("rax-15", 87),
    ("rax-20", 117),
    ("rax-25", 147),
    ("rax-30", 177),
    ("rax-40", 237),
    ("rax-45", 267),
    ("rax_race", 7),
    ("nd_ticket2_f", 4),
    ("nd_ticket3_f", 4),
];

fn result(name: &str, more: &[&str]) -> serde_json::Value {
    let path = model(name);
    let arguments = [&["verify", argument(&path), "--engine", "explicit", "--json"], more].concat();
    let ran = run(&arguments);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{name}: {error}: {ran:?}"))
}

#[test]
fn finite_models_are_safe_with_all_their_states() {
    for (name, states) in FINITE {
        let result = result(name, &[]);
        assert_eq!(result["verdict"], "safe", "{name}: {result}");
        assert_eq!(result["statistics"]["states"], states, "{name}");
        assert_eq!(result["proof"]["size"], states, "{name}");
        assert_eq!(result["proof"]["kind"], "reached-states", "{name}");
    }
}

#[test]
fn unsafe_models_have_their_shortest_counterexample() {
    for (name, steps) in UNSAFE {
        let result = result(name, &[]);
        assert_eq!(result["verdict"], "unsafe", "{name}: {result}");
        assert_eq!(result["trace"].as_array().map(Vec::len), Some(steps), "{name}");
    }
}

#[test]
fn no_model_gets_a_wrong_verdict() {
    let mut models = 0;
    for path in programs(&root().join("models")) {
        let text = fs::read_to_string(&path).unwrap();
        let verdict = text.lines().find_map(|line| line.strip_prefix("expect ")).expect("every model says").trim();
        let ran = run(&["verify", argument(&path), "--time-limit", "300ms"]);
        let wrong = if verdict == "safe" { "verdict: unsafe" } else { "verdict: safe" };
        assert_ne!(ran.last_line(), wrong, "{}: {ran:?}", path.display());
        assert!(ran.last_line().starts_with("verdict: "), "{}: {ran:?}", path.display());
        models += 1;
    }
    assert!(models >= 39, "{models} models");
}

#[test]
fn a_pointer_that_symbolic_execution_does_not_keep_is_no_counterexample() {
    let path = root().join("tests/corpus/c/pointer_as_condition.c");
    let ran = run(&["verify", argument(&path), "--engine", "symbolic", "--property", "valid-memsafety"]);
    ran.assert_verdict("unknown");
    assert!(ran.stdout.contains("a pointer, on which a possible counterexample depends"), "{ran:?}");
}
