//! The models of guarded commands get their verdicts: all their states, the shortest counterexamples, never a wrong one.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::fs;
use support::{argument, model, programs, root, run};

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
