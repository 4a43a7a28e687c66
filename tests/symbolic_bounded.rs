//! Symbolic execution without abstraction (`--engine symbolic --bound`): it finds what others find, in the fewest
//! rounds, and is never wrong.

#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;
use support::{argument, run};
use tandem::confirm::{ConfirmConfig, Reason, Verdict, confirm};
use tandem::engine::bounded::{BoundedConfig, BoundedOrder, Merging};
use tandem::engine::{Budget, EngineConfig, ExplicitConfig, Task, verify};
use tandem::generate::program::{ExecutableConfig, generate_executable};
use tandem::program::{Property, text};
use tandem::solver::locate;

/// The verdict of an engine, confirmed.
fn verdict(task: &Task, engine: &EngineConfig) -> Verdict {
    let budget = Budget::with_time(Some(Duration::from_secs(2)));
    confirm(task, verify(task, engine, &budget).claim, &ConfirmConfig::default(), &budget)
}

#[test]
fn it_finds_what_explicit_finds_in_random_programs_in_every_order() {
    let (mut found, mut proved) = (0, 0);
    for seed in 0..80 {
        // The last ones have floating-point numbers.
        let floats = seed >= 60;
        let config = ExecutableConfig { widths: vec![1, 2, 3], statements: 3, floats, ..ExecutableConfig::default() };
        let task = Task { program: generate_executable(seed, &config), property: Property::Assert };
        let truth = verdict(&task, &EngineConfig::Explicit(ExplicitConfig::default()));
        let orders = [BoundedOrder::Breadth, BoundedOrder::Depth, BoundedOrder::Distance, BoundedOrder::Loops];
        let order = orders[seed as usize % 4];
        // Depth first is lost in endless loops without an end to them.
        let merging = [None, Some(Merging::Known), Some(Merging::All)][seed as usize % 3];
        let config = BoundedConfig { steps: Some(60), order, merging, ..BoundedConfig::default() };
        let bounded = verdict(&task, &EngineConfig::Bounded(config));
        let problem = || format!("seed {seed}, {order:?}, {merging:?}: {bounded:?}\n{}", text::print(&task.program));
        match (&truth, &bounded) {
            (_, Verdict::Unknown(Reason::Refuted(_) | Reason::Broken(_))) => panic!("{}", problem()),
            (Verdict::Safe(_), Verdict::Unsafe(_)) => panic!("{}", problem()),
            (Verdict::Unsafe(_), Verdict::Safe(_)) => panic!("{}", problem()),
            (Verdict::Unsafe(_), Verdict::Unsafe(_)) => found += 1,
            (_, Verdict::Safe(_)) => proved += 1,
            (Verdict::Unsafe(_), Verdict::Unknown(Reason::Stopped(stop))) => {
                // It may not be able to tell; but what it says of all executions has to be true.
                assert!(!stop.to_string().starts_with("no execution fails"), "{}", problem());
            }
            _ => {}
        }
    }
    assert!(found >= 10, "only {found} were found");
    assert!(proved >= 10, "only {proved} were proved");
}

const LOCK: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int open = 0;
  while (1) {
    int digit = __VERIFIER_nondet_int();
    if (open == 0 && digit == 7) open = 1;
    else if (open == 1 && digit == 3) open = 2;
    else if (open == 2 && digit == 9) reach_error();
    else if (digit != 5) open = 0;
  }
}
";

fn verify_lock(name: &str, more: &[&str]) -> support::Ran {
    verify_c(name, LOCK, more)
}

fn verify_c(name: &str, program: &str, more: &[&str]) -> support::Ran {
    let path = std::env::temp_dir().join(format!("tandem-{}-{name}.c", std::process::id()));
    fs::write(&path, program).unwrap();
    let common = ["verify", argument(&path), "--property", "unreach-call", "--engine", "symbolic"];
    let ran = run(&[&common[..], more].concat());
    fs::remove_file(&path).unwrap();
    ran
}

#[test]
fn the_shortest_input_sequence_is_found() {
    for order in ["bfs", "distance"] {
        let ran = verify_lock(order, &["--bound", "--search", order, "--json"]);
        let result: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let inputs: Vec<i64> =
            result["inputs"].as_array().unwrap().iter().map(|i| i["value"].as_i64().unwrap()).collect();
        assert_eq!(inputs, [7, 3, 9], "{order}");
    }
}

#[test]
fn what_leaves_a_loop_after_different_rounds_becomes_one_state() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a[6], great = 0, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 6) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    if (a[i] > 3) great++;
  if (great > n) reach_error();
}
";
    let states = |order: &str| {
        let ran = verify_c(order, program, &["--bound", "--merge", "all", "--search", order, "--json"]);
        let result: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(result["verdict"], "safe", "{ran:?}");
        result["statistics"]["states"].as_u64().unwrap()
    };
    assert!(states("loops") < states("bfs"));
}

#[test]
fn a_bound_is_kept() {
    let ran = verify_lock("short", &["--bound=2"]);
    ran.assert_verdict("unknown");
    assert!(ran.stdout.contains("no execution of at most 2 rounds"), "{ran:?}");
    verify_lock("enough", &["--bound=4"]).assert_verdict("unsafe");
}

/// A solver that finds the failing path feasible, but fails where it is asked for values.
#[test]
fn a_failing_path_without_a_model_is_an_open_question() {
    let folder = tempfile::tempdir().unwrap();
    let without_models = folder.path().join("z3");
    let solver = locate(None).expect("a solver is installed").program;
    let solver = argument(&solver);
    let filter = "sed -u 's/^(get-value.*/(get-value (nothing))/'";
    let script =
        format!("#!/bin/sh\ncase \"$*\" in *version*) exec '{solver}' \"$@\";; esac\n{filter} | '{solver}' \"$@\"\n");
    fs::write(&without_models, script).unwrap();
    fs::set_permissions(&without_models, fs::Permissions::from_mode(0o755)).unwrap();
    let ran = verify_lock("no-model", &["--bound=4", "--solver", argument(&without_models)]);
    ran.assert_verdict("unknown");
    assert!(ran.stdout.contains("the solver gave no answer: 1 times on paths to errors"), "{ran:?}");
    assert!(!ran.stdout.contains("no execution of at most"), "{ran:?}");
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    for order in ["distance", "loops"] {
        let ran = verify_lock(order, &["--search", order]);
        assert_eq!(ran.status, Some(3), "{ran:?}");
        assert!(ran.stderr.contains("--engine bounded"), "{ran:?}");
    }
    let ran = run(&["verify", argument(&support::model("elev4")), "--engine", "cegar", "--merge", "all"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("--merge needs --engine bounded"), "{ran:?}");
}

const EXTERNAL: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
extern void *memset(void *, int, unsigned long);
";

/// A program that is followed to the ends of all its executions, in these ways to merge.
fn assert_proved(name: &str, program: &str, mergings: &[&str]) {
    for merge in mergings {
        let ran = verify_c(name, &format!("{EXTERNAL}{program}"), &["--bound", "--merge", merge]);
        ran.assert_verdict("safe");
        assert!(ran.stdout.contains("symbolic state"), "{ran:?}");
    }
}

/// One of which there is no proof.
fn assert_not_proved(name: &str, program: &str, options: &[&str], why: &str) {
    let ran = verify_c(name, &format!("{EXTERNAL}{program}"), options);
    ran.assert_verdict("unknown");
    assert!(ran.stdout.contains(why), "{ran:?}");
}

const SUM: &str = "\
int main(void) {
  unsigned int sum = 0;
  for (int i = 0; i < 4; i++) {
    unsigned int value = __VERIFIER_nondet_uchar();
    if (value > 100) value = 100;
    sum += value;
  }
  if (sum > 400) reach_error();
}
";

#[test]
fn executions_that_were_all_followed_are_a_proof() {
    assert_proved("sum", SUM, &["known", "all"]);
    let recursion = "\
int depth = 0;
int down(int n) {
  int before = n;
  if (n <= 0) return 0;
  depth++;
  int below = down(n - 1);
  if (before != n) reach_error();
  return below + 1;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) return 0;
  if (down(n) != n || depth != n) reach_error();
}
";
    assert_proved("recursion", recursion, &["known", "all"]);
    let endless = "\
int main(void) {
  int state = 0, other = 7;
  while (1) {
    if (__VERIFIER_nondet_int() > 5) state = 1 - state;
    if (state != 0 && state != 1) reach_error();
    other = state + 1;
    if (other > 2) reach_error();
  }
}
";
    // Merged, its states are no constants, and never the same.
    assert_proved("endless", endless, &["known"]);
}

#[test]
fn executions_that_were_not_all_followed_are_no_proof() {
    assert_not_proved("cut", SUM, &["--bound=3"], "no execution of at most 3 rounds");
    let fault = "\
int main(void) {
  int values[3] = {1, 2, 3}, i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3) return 0;
  if (values[i] == 9) reach_error();
}
";
    assert_not_proved("fault", fault, &["--bound"], "an access to memory may be invalid");
    assert_proved("fault_none", &fault.replace("i > 3", "i > 2"), &["known", "all"]);
    let approximated = "\
int main(void) {
  unsigned char values[300], n = __VERIFIER_nondet_uchar();
  for (int at = 0; at < 2; at++) values[at] = 1;
  memset(values, 5, n);
  if (values[n] > 255) reach_error();
}
";
    // What is approximated is any value, and none fails.
    assert_proved("approximated", approximated, &["known", "all"]);
}
