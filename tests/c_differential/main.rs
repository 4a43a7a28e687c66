//! Random C programs print the same when gcc compiles and runs them as when Tandem executes them, at both data models.
//!
//! TANDEM_DIFFERENTIAL is how many programs there are (200), TANDEM_DIFFERENTIAL_FIRST the seed of the first (0). By hand:
//!
//! - `TANDEM_DIFFERENTIAL_SANITIZE=1 cargo test --test c_differential gcc` runs them under gcc's sanitizers as well, and with
//!   what is not initialised filled in two ways;
//! - `TANDEM_DIFFERENTIAL_FIRST=SEED cargo test --test c_differential -- --ignored reduce --nocapture` makes the program
//!   of a seed that disagrees smaller, and prints it.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod compare;
mod reduce;
#[path = "../support/mod.rs"]
mod support;

use compare::{DATA_MODELS, DataModel, compile_and_run, differ, write_source};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, thread};
use tandem::frontend::c::generate::{Config, program};

/// The number that a variable of the environment holds.
fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |text| text.parse().expect("the variable holds a number"))
}

/// How many programs there are.
fn count() -> u64 {
    number("TANDEM_DIFFERENTIAL", 200)
}

/// Checks the programs of so many seeds, two at a time; a check gives what is wrong.
#[track_caller]
fn check_all(count: u64, check: impl Fn(&Path, u64, DataModel) -> Result<(), String> + Sync) {
    let first = number("TANDEM_DIFFERENTIAL_FIRST", 0);
    let last = first + count;
    let next = AtomicU64::new(first);
    let wrong: Mutex<Vec<(u64, String)>> = Mutex::new(Vec::new());
    let folder = tempfile::tempdir().unwrap();
    let worker = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= last {
                return;
            }
            for model in DATA_MODELS {
                if let Err(message) = check(folder.path(), seed, model) {
                    wrong.lock().unwrap().push((seed, format!("seed {seed}, {}: {message}", model.name())));
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

/// Guards the generator: where optimisation changes what a program prints, its behaviour is not defined. Optimising takes
/// long, so this looks at a part of the programs, unless it is asked for the sanitizers.
#[test]
fn gcc_gives_each_program_one_meaning() {
    let sanitize = env::var_os("TANDEM_DIFFERENTIAL_SANITIZE").is_some();
    let count = if sanitize { count() } else { count().div_ceil(4) };
    check_all(count, |folder, seed, model| {
        let source = write_source(folder, &seed.to_string(), &program(seed, &Config::of_seed(seed)));
        let plain = compile_and_run(&source, model, &["-O0"])?;
        differ("-O0", &plain, "-O2", &compile_and_run(&source, model, &["-O2"])?)?;
        if sanitize {
            differ("-O0", &plain, "sanitized", &compile_and_run(&source, model, &compare::SANITIZERS)?)?;
            for fill in ["-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init=pattern"] {
                differ("-O0", &plain, fill, &compile_and_run(&source, model, &["-O0", fill])?)?;
            }
        }
        Ok(())
    });
}

#[test]
#[ignore = "`tandem run` does not show yet what `printf` prints"]
fn tandem_prints_what_gcc_prints() {
    check_all(count(), |folder, seed, model| {
        let source = write_source(folder, &seed.to_string(), &program(seed, &Config::of_seed(seed)));
        compare::tandem_against_gcc(&source, model)
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
