//! Limits and Ctrl-C give unknown and what was found so far; a reader that leaves is no error.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use rustix::process::{Pid, Signal, kill_process};
use std::io::Read;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use support::{argument, finish, model, run, tandem};

/// How many states the report says were stored.
fn states(stdout: &str) -> u64 {
    let (_, rest) = stdout.split_once("states ").expect("the report has statistics");
    rest.split(',').next().and_then(|number| number.parse().ok()).expect("a number of states")
}

#[test]
fn the_time_limit_is_kept() {
    let started = Instant::now();
    let ran = run(&["verify", argument(&model("ticket3")), "--time-limit", "300ms"]);
    ran.assert_verdict("unknown");
    assert!(ran.stdout.contains("time limit"), "{}", ran.stdout);
    assert!(states(&ran.stdout) > 0, "{}", ran.stdout);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

#[test]
fn the_memory_limit_is_kept() {
    let ran = run(&[
        "verify",
        argument(&model("ticket3")),
        "--engine",
        "explicit",
        "--memory-limit",
        "60M",
        "--time-limit",
        "60s",
    ]);
    ran.assert_verdict("unknown");
    assert!(ran.stdout.contains("memory limit"), "{}", ran.stdout);
    assert!(states(&ran.stdout) > 0, "{}", ran.stdout);
}

/// One step with so many inputs that it alone takes longer than the limit is stopped too.
#[test]
fn the_time_limit_is_kept_within_a_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.gcl");
    let bounds = ["x", "y", "z"].map(|v| format!("{v} >= 0 && {v} < 4000")).join(" && ");
    std::fs::write(&path, format!("program m\nvar x, y, z\ninit {bounds}\nt: x > 4000 -> x := 0\nsafe x >= 0\n"))
        .unwrap();
    let started = Instant::now();
    let ran = run(&["verify", argument(&path), "--engine", "explicit", "--time-limit", "200ms"]);
    ran.assert_verdict("unknown");
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}

/// A part of a portfolio that uses up its share of memory costs only that.
#[test]
fn the_memory_limit_is_shared_by_engines_side_by_side() {
    let ran = run(&["verify", argument(&model("ticket4")), "--memory-limit", "40M", "--time-limit", "60s"]);
    assert!(["verdict: safe", "verdict: unknown"].contains(&ran.last_line()), "{ran:?}");
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    let arguments =
        ["verify", argument(&model("elev4")), "--memory-limit", "4G", "--time-limit", "2m"].map(str::to_owned);
    run(&arguments.each_ref().map(String::as_str)).assert_verdict("safe");
}

fn start_endless() -> Child {
    let mut command = tandem();
    command.args(["verify", argument(&model("ticket3")), "--time-limit", "60s"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn interrupt(child: &Child) {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
}

#[test]
fn an_interrupt_gives_unknown_and_what_was_found() {
    let child = start_endless();
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    let ran = finish(child.wait_with_output().unwrap());
    ran.assert_verdict("unknown");
    assert!(ran.stdout.contains("interrupted"), "{}", ran.stdout);
    assert!(states(&ran.stdout) > 0, "{}", ran.stdout);
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    for arguments in [vec!["show"], vec!["run", "--steps", "100000"], vec!["verify", "--full-trace"]] {
        let path = model("rax-45");
        let mut command = tandem();
        command.args(&arguments).arg(&path).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        child.wait().unwrap();
        assert_eq!(stderr, "", "{arguments:?}");
    }
}
