//! Engines side by side: the first verdict is the answer, and a part that ends costs only its share.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::{argument, children, finish, model, root, run, tandem};

#[test]
fn the_engine_that_answers_is_named() {
    let crossing = root().join("examples/c/crossing.c");
    let ran = run(&["verify", argument(&crossing), "--time-limit", "60s"]);
    ran.assert_verdict("safe");
    assert!(ran.stdout.contains("engine      cegar"), "{ran:?}");
    let ran = run(&["verify", "--time-limit=60s", "--engine=auto", "--json", "--", argument(&crossing)]);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((document["verdict"].as_str(), document["engine"].as_str()), (Some("safe"), Some("cegar")));
}

#[test]
fn what_was_found_under_assumptions_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("float.c");
    // No solver answers soon whether a quotient times its divisor comes near the dividend.
    let source = "extern float __VERIFIER_nondet_float(void);\nextern void reach_error(void);\n\
        int main(void) { float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float(), z = x / y * y;\n\
        if (x > 1.0f && y > 1.0f && x < 1e9f && y < 1e9f && z > x * 1.001f) reach_error(); }\n";
    std::fs::write(&path, source).unwrap();
    let ran = run(&["verify", argument(&path), "--property", "unreach-call", "--time-limit", "5s"]);
    ran.assert_verdict("unknown");
    assert!(ran.stdout.contains("taken for granted"), "{ran:?}");
    assert!(ran.stdout.contains("float.c:3"), "{ran:?}");
    // What each engine did is told besides.
    let tried = ran.stdout.lines().skip_while(|line| !line.starts_with("tried"));
    let told = tried.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    assert!(["explicit", "bounded", "cegar"].iter().all(|engine| told.contains(engine)), "{ran:?}");
}

#[test]
fn a_part_that_is_killed_costs_only_its_share() {
    let mut command = tandem();
    command.args(["verify", argument(&model("ticket3")), "--time-limit", "120s"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(20) {
        if let Some(part) = children(child.id()).first() {
            kill_process(Pid::from_raw(*part).unwrap(), Signal::KILL).unwrap();
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    finish(child.wait_with_output().unwrap()).assert_verdict("safe");
}

/// Checks that soon no process is left that has the path among its arguments.
fn assert_none_left(path: &str) {
    let processes_left = || {
        let command_line = |process: std::fs::DirEntry| std::fs::read_to_string(process.path().join("cmdline")).ok();
        let lines = std::fs::read_dir("/proc").unwrap().flatten().filter_map(command_line);
        lines.filter(|line| line.contains(path)).collect::<Vec<String>>()
    };
    // A process that was killed takes a moment to go, and one that is just being started has no arguments yet.
    let (started, mut calm) = (Instant::now(), 0);
    while calm < 10 && started.elapsed() < Duration::from_secs(10) {
        calm = if processes_left().is_empty() { calm + 1 } else { 0 };
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(processes_left(), Vec::<String>::new());
}

#[test]
fn no_part_outlives_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("midpoint.c");
    std::fs::copy(root().join("examples/c/midpoint.c"), &path).unwrap();
    run(&["verify", argument(&path), "--time-limit", "60s"]).assert_verdict("unsafe");
    assert_none_left(argument(&path));
}

#[test]
fn no_part_outlives_a_whole_that_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.c");
    let source = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
        int main(void) { unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), s = 0;\n\
        for (unsigned i = 0; i < a; i++) s += i * b ^ a;\n\
        if (s * s == 3u) reach_error(); }\n";
    std::fs::write(&path, source).unwrap();
    for is_group in [false, true] {
        let mut command = tandem();
        command.args(["verify", argument(&path), "--property", "unreach-call", "--time-limit", "120s"]);
        let mut child = command.process_group(0).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let started = Instant::now();
        while children(child.id()).len() < 2 && started.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(children(child.id()).len() >= 2, "two parts are at work");
        let process = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        if is_group {
            kill_process_group(process, Signal::KILL).unwrap();
        } else {
            kill_process(process, Signal::KILL).unwrap();
        }
        child.wait().unwrap();
        assert_none_left(argument(&path));
    }
}

/// On a program on which the others do not end, the engine that stores states is started too.
#[test]
fn every_engine_has_its_turn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.c");
    let source = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
        int main(void) { unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), s = 0;\n\
        for (unsigned i = 0; i < a; i++) s += i * b ^ a;\n\
        if (s * s == 3u) reach_error(); }\n";
    std::fs::write(&path, source).unwrap();
    let mut command = tandem();
    command.args(["verify", argument(&path), "--property", "unreach-call", "--time-limit", "60s"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut missing = vec!["explicit", "cegar", "bounded"];
    let started = Instant::now();
    while !missing.is_empty() && started.elapsed() < Duration::from_secs(50) {
        for part in children(child.id()) {
            let line = std::fs::read_to_string(format!("/proc/{part}/cmdline")).unwrap_or_default();
            missing.retain(|engine| !line.contains(&format!("--engine\0{engine}")));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    kill_process(Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap(), Signal::INT).unwrap();
    finish(child.wait_with_output().unwrap());
    assert_eq!(missing, Vec::<&str>::new(), "these engines were not started");
}

/// What was assumed of the program is told where there is no answer, too.
#[test]
fn remarks_are_shown_without_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("remark.c");
    let program = "#include <assert.h>\nint f(void);\nint main(void) {\nunsigned x = (unsigned)f(), y = 1;\n\
        for (unsigned i = 0; i < x; i++) y = y * y * 31 + (i ^ x);\nassert(y != 12345677u);\n}\n";
    std::fs::write(&path, program).unwrap();
    let ran = run(&["verify", argument(&path), "--time-limit", "2s"]);
    ran.assert_verdict("unknown");
    assert!(ran.stdout.contains("`f` has no body"), "{}", ran.stdout);
    assert!(ran.stdout.contains("remark.c:4"), "{}", ran.stdout);
    let ran = run(&["verify", argument(&path), "--time-limit", "2s", "--json"]);
    assert!(ran.stdout.contains("`f` has no body"), "{}", ran.stdout);
}

/// Each engine says how far it came and where it was, and there is something to try.
#[test]
fn without_an_answer_each_engine_has_its_say() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scramble.c");
    let program = "#include <assert.h>\nunsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n\
        unsigned n = 0, s = 1;\n\n\
        while (__VERIFIER_nondet_uint()) {\ns = (s ^ n) * 2654435761u + 1;\nn++;\n}\n\
        assert(n != 3000000000u || s == 7u);\n}\n";
    std::fs::write(&path, program).unwrap();
    let options = ["--property", "assert", "--time-limit", "3s"];
    let ran = run(&[&["verify", argument(&path)][..], &options].concat());
    ran.assert_verdict("unknown");
    for told in
        ["\ntried ", "bounded   no failure within ", "scramble.c:6  while (__VERIFIER_nondet_uint()) {", "\ntry  "]
    {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
    let ran = run(&[&["verify", argument(&path), "--json"][..], &options].concat());
    let result: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let tried = result["tried"].as_array().unwrap();
    assert!(tried.iter().any(|engine| engine["engine"] == "bounded" && engine["place"]["line"] == 6), "{tried:?}");
}

/// A program that `cegar` and `bounded` have no proof of, and that `explicit` follows to its end.
#[test]
fn explicit_answers_in_its_turn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scramble.c");
    let source = "#include <assert.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n\
        int main(void) { unsigned x = __VERIFIER_nondet_bool() ? 1u : 2u;\n\
        for (unsigned i = 0; i < 100000; i++) x = (x * 1664525u + 1013904223u) ^ (x >> 7);\n\
        assert(x != 12345u); }\n";
    std::fs::write(&path, source).unwrap();
    let ran = run(&["verify", argument(&path), "--time-limit", "60s"]);
    ran.assert_verdict("safe");
    assert!(ran.stdout.contains("engine      explicit"), "{ran:?}");
}
