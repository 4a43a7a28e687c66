//! Which programs Tandem starts: never those that happen to lie where the user stands.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use support::{argument, finish, root, run, tandem};

/// A program that leaves a mark beside it, and says what it is told to.
fn trap(folder: &Path, name: &str, says: &str) -> PathBuf {
    std::fs::create_dir_all(folder).unwrap();
    let file = folder.join(name);
    std::fs::write(&file, format!("#!/bin/sh\ntouch \"$0.started\"\n{says}\n")).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file
}

fn was_started(trap: &Path) -> bool {
    trap.with_file_name(format!("{}.started", trap.file_name().unwrap().to_str().unwrap())).exists()
}

#[test]
fn nothing_is_started_from_the_current_folder_or_above() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("a/b");
    let answers = "while read line; do case $line in *check-sat*) echo unsat;; *echo*) echo ready;; esac; done";
    let mut traps = Vec::new();
    for at in [folder.path(), &inner] {
        for (place, name) in [
            (".tools/bin", "cvc5"),
            (".tools/yices/bin", "yices-smt2"),
            (".tools/python/bin", "z3"),
            (".tools/bin", "z3"),
            (".", "z3"),
            (".", "cc"),
        ] {
            let says = format!("test \"$1\" = --version && echo 'Z3 version 9.9.9' && exit 0\n{answers}");
            traps.push(trap(&at.join(place), name, &says));
        }
        for name in ["gcc", "javac", "java", "cvc5", "yices-smt2"] {
            traps.push(trap(at, name, "echo"));
        }
    }
    let source = "#define LIMIT 10\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n\
        int x = __VERIFIER_nondet_int(); if (x > LIMIT) { ERROR: return 1; } __assert_fail(\"\", \"\", 1, \"\"); }\n";
    std::fs::write(inner.join("p.c"), source).unwrap();
    let java = "public class Main { public static void main(String[] a) { assert a != null; } }";
    std::fs::write(inner.join("Main.java"), java).unwrap();
    let path = std::env::var("PATH").unwrap();
    for (file, engine) in [("p.c", "cegar"), ("p.c", "auto"), ("Main.java", "explicit")] {
        for path in [path.clone(), format!(":.:..:{path}:")] {
            let mut command = tandem();
            command.args(["verify", file, "--engine", engine, "--time-limit", "60s"]);
            let ran = finish(command.current_dir(&inner).env("PATH", path).output().unwrap());
            assert_eq!(ran.status, Some(if file == "p.c" { 1 } else { 0 }), "{ran:?}");
        }
    }
    let started: Vec<&PathBuf> = traps.iter().filter(|trap| was_started(trap)).collect();
    assert!(started.is_empty(), "{started:?}");
}

#[test]
fn the_user_has_a_folder_for_solvers() {
    let folder = tempfile::tempdir().unwrap();
    let (home, data) = (folder.path().join("home"), folder.path().join("data"));
    let in_home = trap(&home.join(".local/share/tandem/bin"), "yices-smt2", "exit 1");
    let in_data = trap(&data.join("tandem/bin"), "yices-smt2", "exit 1");
    // An executable outside the project, for which the project's own solvers do not come first.
    let outside = folder.path().join("tandem");
    std::fs::copy(tandem().get_program(), &outside).unwrap();
    let solver = tandem::solver::locate(None).unwrap().program;
    let model = root().join("models/gcl/ticket2.gcl");
    let verify = |set: &[(&str, &Path)]| {
        let mut command = std::process::Command::new(&outside);
        command.args(["verify", argument(&model), "--engine", "symbolic"]).env_remove("XDG_DATA_HOME");
        command.env("TANDEM_SOLVER", &solver);
        command.envs(set.iter().copied());
        assert_eq!(finish(command.output().unwrap()).status, Some(0));
    };
    verify(&[("HOME", &home), ("XDG_DATA_HOME", &data)]);
    assert!(was_started(&in_data) && !was_started(&in_home));
    verify(&[("HOME", &home)]);
    assert!(was_started(&in_home));
}

/// A program that is no solver, or a bad one, is refused before anything else is done, whichever engine was asked for.
#[test]
fn a_solver_that_is_none_is_said_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let liar = trap(folder.path(), "liar", "test \"$1\" = --version && echo 'Z3 version 9.9.9'; sleep 0");
    let crossing = root().join("examples/c/crossing.c");
    for solver in ["/bin/ls", "/bin/cat", argument(&liar), "tandem-no-such-solver"] {
        for engine in ["auto", "explicit", "cegar"] {
            let ran = run(&["verify", argument(&crossing), "--solver", solver, "--engine", engine]);
            assert_eq!((ran.status, ran.stdout.as_str()), (Some(3), ""), "{solver} {engine}: {ran:?}");
            assert!(ran.stderr.contains(solver) && ran.stderr.contains("cannot be run"), "{ran:?}");
        }
    }
}

#[test]
fn a_proof_without_a_second_opinion_says_so() {
    let model = root().join("models/gcl/ticket2.gcl");
    let mut command = tandem();
    command.args(["verify", argument(&model), "--engine", "symbolic"]).env("TANDEM_SECOND_SOLVER", "/no/such/solver");
    let ran = finish(command.output().unwrap());
    ran.assert_verdict("safe");
    assert!(ran.stdout.contains("there was no second opinion"), "{ran:?}");
}

/// Two solvers check a proof, whoever found it.
#[test]
fn a_proof_is_checked_by_two_solvers() {
    let model = root().join("models/gcl/ticket2.gcl");
    let ran = run(&["verify", argument(&model), "--engine", "symbolic"]);
    ran.assert_verdict("safe");
    let found = tandem::solver::locate(None).unwrap();
    let panel: Vec<String> =
        tandem::solver::other_solvers(found.kind).chain([found]).map(|solver| solver.kind.to_string()).collect();
    let checked = ran.stdout.lines().find(|line| line.starts_with("checked by")).unwrap();
    assert!(panel[..2].iter().all(|name| checked.contains(name)), "{checked}: {panel:?}");
    assert!(!checked.contains("no second opinion"), "{checked}");
}
