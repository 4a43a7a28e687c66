//! Killing the solver while a program is verified costs an answer at most, never a verdict.
#![cfg(target_os = "linux")]

mod support;

use rustix::process::{Pid, Signal, kill_process};
use std::process::{Child, Command, Stdio};
use support::children;

const ROUNDS: usize = 12;

fn verify(model: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tandem"))
        .args(["verify", model, "--engine", "symbolic"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Whether a process is Z3 or Yices at work, not one that is asked for its version, nor one that is not even started.
fn is_at_work(process: i32) -> bool {
    let command = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    command.split(|byte| *byte == 0).any(|argument| argument == b"-in" || argument == b"--incremental")
}

/// The processes below one: those that do the work are its children, and the solvers theirs.
fn descendants(process: u32) -> Vec<i32> {
    let mut found = children(process);
    let below = found.iter().filter_map(|&child| u32::try_from(child).ok()).flat_map(descendants);
    let below: Vec<i32> = below.collect();
    found.extend(below);
    found
}

/// Kills the first `most` solvers that the process starts, as soon as they are seen, until it ends.
fn kill_solvers(process: &mut Child, most: usize) -> usize {
    let mut killed = Vec::new();
    while process.try_wait().expect("its state is known").is_none() {
        for child in descendants(process.id()) {
            if killed.len() < most && !killed.contains(&child) && is_at_work(child) {
                let id = Pid::from_raw(child).expect("a process has a number");
                if kill_process(id, Signal::KILL).is_ok() {
                    killed.push(child);
                }
            }
        }
        std::thread::yield_now();
    }
    killed.len()
}

#[test]
fn killing_the_solver_costs_an_answer_at_most() {
    let mut killed = 0;
    for round in 0..ROUNDS {
        for model in ["models/gcl/mesi.gcl", "models/gcl/berkeley.gcl"] {
            let mut process = verify(model);
            // In some rounds one dies, which another one makes up for; in others all do.
            let all = round % 2 == 1;
            killed += kill_solvers(&mut process, if all { usize::MAX } else { 1 });
            let output = process.wait_with_output().expect("it ends");
            let text = String::from_utf8_lossy(&output.stdout);
            let verdict = text.lines().last();
            assert!(verdict == Some("verdict: safe") || all && verdict == Some("verdict: unknown"), "{output:?}");
        }
    }
    assert!(killed > 0, "no solver was there to be killed");
}
