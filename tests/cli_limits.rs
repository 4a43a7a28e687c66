//! Limits and Ctrl-C give unknown and what was found so far; a reader that leaves is no error.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use rustix::process::{Pid, Signal, kill_process};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::{argument, children, finish, model, run, tandem};

/// How many states the report says were stored.
fn states(stdout: &str) -> u64 {
    let (_, rest) = stdout.split_once("states ").expect("the report has statistics");
    rest.split(',').next().and_then(|number| number.parse().ok()).expect("a number of states")
}

#[test]
fn the_time_limit_is_kept() {
    let started = Instant::now();
    let ran = run(&["verify", argument(&model("ticket4")), "--time-limit", "300ms"]);
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
        "30M",
        "--time-limit",
        "60s",
    ]);
    ran.assert_verdict("unknown");
    assert!(ran.stdout.contains("memory limit"), "{}", ran.stdout);
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

/// A C program that is cheap to write and dear to read.
fn hostile(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(format!("{name}.c"));
    let bomb = || {
        let doublings = (1..40).map(|n| format!("#define X{n} X{0} X{0}\n", n - 1)).collect::<String>();
        format!("#define X0 int x;\n{doublings}X39\nint main(void) {{ return 0; }}\n")
    };
    let text = match name {
        "zero" => "#include \"/dev/zero\"\nint main(void) { return 0; }\n".to_owned(),
        "bomb" => bomb(),
        "array" => "int a[1000000000];\nint main(void) { a[5] = 1; return a[7]; }\n".to_owned(),
        _ => panic!("{name} is not known"),
    };
    std::fs::write(&path, text).unwrap();
    path
}

/// The most memory that the process and all below it had at a time, and what it said.
fn watched(command: &mut Command) -> (u64, support::Ran) {
    fn tree(process: u32) -> Vec<u32> {
        let below = children(process).into_iter().filter_map(|child| u32::try_from(child).ok());
        std::iter::once(process).chain(below.flat_map(tree).collect::<Vec<u32>>()).collect()
    }
    let resident = |process: u32| {
        let statm = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
        statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
    };
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(tree(child.id()).into_iter().map(resident).sum());
        std::thread::sleep(Duration::from_millis(5));
    }
    (most, finish(child.wait_with_output().unwrap()))
}

#[test]
fn compilers_are_within_the_memory_limit() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["zero", "bomb", "array"] {
        let path = hostile(folder.path(), name);
        let mut command = tandem();
        command.args(["verify", argument(&path), "--memory-limit", "300M", "--time-limit", "120s"]);
        let (most, ran) = watched(&mut command);
        assert!(most <= 330 << 20, "{name}: {} MB: {ran:?}", most >> 20);
        // A compiler that writes too much is no reason to go on either.
        let is_said = ran.stdout.contains("memory limit") || ran.stderr.contains("more than 256 MB");
        assert!(is_said || ran.status == Some(0) || ran.status == Some(1), "{name}: {ran:?}");
    }
}

#[test]
fn compilers_are_within_the_time_limit() {
    let folder = tempfile::tempdir().unwrap();
    for (command, name) in [("verify", "bomb"), ("show", "bomb"), ("verify", "zero"), ("show", "array")] {
        let path = hostile(folder.path(), name);
        let started = Instant::now();
        let ran = run(&[command, argument(&path), "--time-limit", "1s"]);
        let elapsed = started.elapsed();
        assert!(elapsed < Duration::from_secs(6), "{command} {name}: {elapsed:?}: {}", ran.stderr);
        let said = [ran.stdout.as_str(), ran.stderr.as_str()].concat();
        // What a compiler writes without end may take all memory before.
        let is_limit = said.contains("time limit") || said.contains("not enough memory");
        assert!(is_limit || !matches!(ran.status, Some(2)), "{command} {name}: {said}");
    }
}

/// A solver that never says its version, or leaves somebody behind who holds its output open, delays nobody for long.
#[test]
fn a_solver_that_hangs_is_within_the_time_limit() {
    let folder = tempfile::tempdir().unwrap();
    for script in ["exec sleep 300", "sleep 300 & echo 'Z3 version 9.9.9'", "cat /dev/zero"] {
        let solver = folder.path().join("solver");
        std::fs::write(&solver, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&solver, std::fs::Permissions::from_mode(0o755)).unwrap();
        let started = Instant::now();
        let model = model("ticket3");
        let ran = run(&[
            "verify",
            argument(&model),
            "--engine",
            "symbolic",
            "--solver",
            argument(&solver),
            "--time-limit",
            "1s",
        ]);
        assert!(started.elapsed() < Duration::from_secs(6), "{script}: {:?}: {ran:?}", started.elapsed());
        assert!(matches!(ran.status, Some(2 | 3)), "{script}: {ran:?}");
    }
}

/// Little memory is no internal error.
#[test]
fn scarce_memory_is_said_plainly() {
    let crossing = support::root().join("examples/c/crossing.c");
    for kilobytes in [40_000, 100_000, 300_000, 600_000] {
        for rest in [["verify", "--engine=explicit"], ["verify", "--engine=auto"], ["run", "--steps=10"]] {
            let script = format!("ulimit -v {kilobytes}; exec \"$@\"");
            let mut command = Command::new("bash");
            command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_tandem")]).args(rest).arg(&crossing);
            command.env("NO_COLOR", "1").env_remove("TANDEM_SOLVER");
            if rest[0] == "verify" {
                command.arg("--time-limit=20s");
            }
            let ran = finish(command.output().unwrap());
            let said = [ran.stdout.as_str(), ran.stderr.as_str()].concat();
            assert!(!said.contains("internal error") && !said.contains("panicked"), "{kilobytes} {rest:?}: {said}");
            let is_plain = matches!(ran.status, Some(0..=3)) || said.contains("memory");
            assert!(is_plain, "{kilobytes} {rest:?}: {:?} {said}", ran.status);
        }
    }
}

/// A run that is interrupted says so, and is no success.
#[test]
fn an_interrupted_run_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("endless.c");
    std::fs::write(&path, "int main(void) { volatile int x = 0; for (;;) x++; }\n").unwrap();
    for options in [vec!["--quiet"], vec!["--steps", "1000000000"]] {
        let mut command = tandem();
        command.arg("run").arg(&path).args(&options).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(1500));
        interrupt(&child);
        let ran = finish(child.wait_with_output().unwrap());
        assert_eq!(ran.status, Some(2), "{options:?}: {ran:?}");
        assert!(options.len() > 1 || ran.stderr.contains("interrupted"), "{ran:?}");
    }
}

/// A string literal is one statement: time and memory are linear in its size, with a small factor.
#[test]
fn a_long_string_literal_is_cheap() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.c");
    let text = "abcdefghij".repeat(200_000);
    let program = format!(
        "#include <assert.h>\nconst char *s = \"{text}\";\nchar t[] = \"{text}\";\n\
        int main(void) {{ assert(s[1000003] == 'd' && t[2000000] == 0 && sizeof t == 2000001); }}\n"
    );
    std::fs::write(&path, program).unwrap();
    for engine in ["explicit", "cegar"] {
        let limits = ["--engine", engine, "--memory-limit", "1G", "--time-limit", "60s"];
        run(&[&["verify", argument(&path)], &limits[..]].concat()).assert_verdict("safe");
    }
}
