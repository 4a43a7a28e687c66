//! Random small C programs: no engine disagrees with what happens for every vector of inputs, and none breaks down.
//!
//! TANDEM_HUNT is how many programs there are (12), TANDEM_HUNT_FIRST the seed of the first (0). `make hunt-c` looks at 2,000.
//! `TANDEM_HUNT_FIRST=SEED cargo test --test hunt_c -- --ignored show --nocapture` prints the program of a seed.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod generate;
mod oracle;
#[path = "../support/mod.rs"]
mod support;

use generate::program;
use oracle::{Outcome, brute_force};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, thread};
use support::{argument, run};

/// How many programs go by between two messages about how far it is.
const PROGRESS: u64 = 100;

const ENGINES: [&[&str]; 4] = [&["explicit"], &["cegar"], &["symbolic"], &["symbolic", "--bound"]];

/// Of so many programs, one is also given to all engines side by side.
const AUTO: u64 = 8;

/// The number that a variable of the environment holds.
fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |text| text.parse().expect("the variable holds a number"))
}

/// The properties that a program is asked for, by its seed.
fn properties(seed: u64) -> &'static [&'static str] {
    match seed % 3 {
        0 => &["assert", "valid-memsafety"],
        1 => &["assert", "no-overflow"],
        _ => &["assert"],
    }
}

/// What is wrong with a verdict, if anything is.
fn judge(property: &str, verdict: &str, outcome: Outcome) -> Option<String> {
    let violated = match property {
        "assert" => outcome.assertion,
        "no-overflow" => outcome.overflow,
        _ => outcome.memory,
    };
    let right = match verdict {
        // After an invalid access there is no telling.
        "verdict: safe" => !violated && !outcome.memory,
        "verdict: unsafe" => violated,
        "verdict: unknown" => true,
        _ => false,
    };
    (!right).then(|| format!("{verdict:?}, but {outcome:?}"))
}

/// What is wrong with the program of a seed.
fn check(folder: &Path, seed: u64) -> Vec<String> {
    let generated = program(seed);
    let path = folder.join("program.c");
    std::fs::write(&path, &generated.source).unwrap();
    let outcome = brute_force(folder, &generated);
    let limit = format!("{}s", number("TANDEM_HUNT_SECONDS", 3));
    let mut wrong = Vec::new();
    for property in properties(seed) {
        let auto: &[&[&str]] = if seed.is_multiple_of(AUTO) { &[&["auto"]] } else { &[] };
        for engine in ENGINES.iter().chain(auto) {
            let mut arguments =
                vec!["verify", argument(&path), "--property", property, "--time-limit", &limit, "--engine"];
            arguments.extend(*engine);
            let ran = run(&arguments);
            let broken = ran.stdout.contains("internal error") || ran.last_line().is_empty();
            let found = match broken {
                true => Some(format!("{} {}", ran.stdout, ran.stderr)),
                false => judge(property, ran.last_line(), outcome),
            };
            wrong.extend(found.map(|found| format!("seed {seed}, {property} by {engine:?}: {found}")));
        }
    }
    wrong
}

#[test]
fn no_engine_disagrees_with_brute_force() {
    let (first, count) = (number("TANDEM_HUNT_FIRST", 0), number("TANDEM_HUNT", 12));
    let (next, wrong) = (AtomicU64::new(first), Mutex::new(Vec::new()));
    let worker = || {
        let folder = tempfile::tempdir().unwrap();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                return;
            }
            if seed.is_multiple_of(PROGRESS) {
                eprintln!("from {seed} on");
            }
            let found = check(folder.path(), seed);
            found.iter().for_each(|message| eprintln!("{message}"));
            wrong.lock().unwrap().extend(found);
        }
    };
    thread::scope(|scope| {
        scope.spawn(worker);
        scope.spawn(worker);
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    assert!(wrong.is_empty(), "{} of {count} programs:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
#[ignore = "by hand: prints the program of a seed"]
fn show() {
    println!("{}", program(number("TANDEM_HUNT_FIRST", 0)).source);
}
