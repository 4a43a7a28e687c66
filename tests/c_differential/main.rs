//! Random C programs print the same when gcc compiles and runs them as when Tandem executes them, at both data models.
//!
//! TANDEM_DIFFERENTIAL is how many programs there are (200), TANDEM_DIFFERENTIAL_FIRST the seed of the first (0). By hand:
//!
//! - `make differential` compares 20,000 programs, or as many as DIFFERENTIAL says, in a release build;
//! - `TANDEM_DIFFERENTIAL_SANITIZE=1 cargo test --test c_differential gcc` runs them under gcc's sanitizers as well, and with
//!   what is not initialised filled in two ways;
//! - `TANDEM_DIFFERENTIAL_FIRST=SEED cargo test --test c_differential -- --ignored reduce --nocapture` makes the program
//!   of a seed that disagrees smaller, and prints it.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod compare;
mod reduce;
#[path = "../support/mod.rs"]
mod support;

use compare::{DATA_MODELS, DataModel, differ, gcc_outputs, tandem_output, write_source};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, thread};
use tandem::generate::c::{Config, program};

/// How many programs gcc compiles at once.
const BATCH: u64 = 20;

/// How many programs go by between two messages about how far it is.
const PROGRESS: u64 = 1000;

/// The number that a variable of the environment holds.
fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |text| text.parse().expect("the variable holds a number"))
}

/// How many programs there are.
fn count() -> u64 {
    number("TANDEM_DIFFERENTIAL", 200)
}

/// What is wrong with a program, by its seed.
type Wrong = (u64, String);

/// Checks the programs of so many seeds, in batches, two at a time.
#[track_caller]
fn check_all(count: u64, check: impl Fn(&Path, u64, &[String], DataModel) -> Vec<Wrong> + Sync) {
    let first = number("TANDEM_DIFFERENTIAL_FIRST", 0);
    let last = first + count;
    let next = AtomicU64::new(first);
    let wrong: Mutex<Vec<Wrong>> = Mutex::new(Vec::new());
    let worker = || {
        let folder = tempfile::tempdir().unwrap();
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            if start >= last {
                return;
            }
            if start.is_multiple_of(PROGRESS) {
                eprintln!("from {start} on");
            }
            let seeds = start..last.min(start + BATCH);
            let sources: Vec<String> = seeds.map(|seed| program(seed, &Config::of_seed(seed))).collect();
            for model in DATA_MODELS {
                for (seed, message) in check(folder.path(), start, &sources, model) {
                    let message = format!("seed {seed}, {}: {message}", model.name());
                    eprintln!("{message}");
                    wrong.lock().unwrap().push((seed, message));
                }
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(worker);
        scope.spawn(worker);
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    let messages: Vec<&str> = wrong.iter().take(10).map(|(_, message)| message.as_str()).collect();
    if let Some((seed, _)) = wrong.first() {
        let source = program(*seed, &Config::of_seed(*seed));
        panic!("{} of {}:\n{}\nThe first:\n{source}", wrong.len(), 2 * (last - first), messages.join("\n"));
    }
}

/// Compares the outputs of the programs from a seed on.
fn differences(first: u64, left: (&str, &[String]), right: (&str, &[String])) -> Vec<Wrong> {
    let pairs = left.1.iter().zip(right.1).zip(first..);
    let wrong = |((a, b), seed): ((&String, &String), u64)| Some((seed, differ(left.0, a, right.0, b).err()?));
    pairs.filter_map(wrong).collect()
}

/// Guards the generator: where optimisation changes what a program prints, its behaviour is not defined. Optimising takes
/// long, so this looks at a part of the programs, unless it is asked for the sanitizers.
#[test]
fn gcc_gives_each_program_one_meaning() {
    let sanitize = env::var_os("TANDEM_DIFFERENTIAL_SANITIZE").is_some();
    let count = if sanitize { count() } else { count().div_ceil(10) };
    let mut ways: Vec<&[&str]> = vec![&["-O2"]];
    if sanitize {
        ways.extend([
            &compare::SANITIZERS[..],
            &["-O0", "-ftrivial-auto-var-init=zero"],
            &["-O0", "-ftrivial-auto-var-init=pattern"],
        ]);
    }
    check_all(count, |folder, first, sources, model| {
        let plain = match gcc_outputs(folder, sources, model, &["-O0"]) {
            Ok(plain) => plain,
            Err(message) => return vec![(first, message)],
        };
        let compare = |options: &&[&str]| match gcc_outputs(folder, sources, model, options) {
            Ok(other) => differences(first, ("-O0", &plain), (&options.join(" "), &other)),
            Err(message) => vec![(first, message)],
        };
        ways.iter().flat_map(compare).collect()
    });
}

#[test]
fn tandem_prints_what_gcc_prints() {
    check_all(count(), |folder, first, sources, model| {
        let expected = match gcc_outputs(folder, sources, model, &["-O0"]) {
            Ok(expected) => expected,
            Err(message) => return vec![(first, message)],
        };
        let compare = |((source, expected), seed): ((&String, &String), u64)| {
            let path = write_source(folder, "program", source);
            let found = tandem_output(&path, model).and_then(|found| differ("gcc", expected, "tandem", &found));
            Some((seed, found.err()?))
        };
        sources.iter().zip(&expected).zip(first..).filter_map(compare).collect()
    });
}

#[test]
#[ignore = "by hand: makes a program that disagrees smaller"]
fn reduce_a_disagreement() {
    let seed = number("TANDEM_DIFFERENTIAL_FIRST", 0);
    let folder = tempfile::tempdir().unwrap();
    match reduce::reduce(folder.path(), seed) {
        Some((source, message)) => println!("{message}\n{source}"),
        None => println!("seed {seed}: no disagreement"),
    }
}
