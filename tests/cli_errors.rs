//! What is wrong with the input or the usage is said with its place, exit status 3, and no panic.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use support::{Ran, argument, finish, model, run, tandem};

const HEAD: &str = "program p\nvar x\ninit x = 0\n";

#[track_caller]
fn assert_refused(ran: &Ran, needles: &[&str]) {
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert_eq!(ran.stdout, "", "{ran:?}");
    for needle in needles {
        assert!(ran.stderr.contains(needle), "no {needle:?} in {}", ran.stderr);
    }
    assert!(!ran.stderr.contains("panic") && !ran.stderr.contains("internal error"), "{}", ran.stderr);
    assert!(ran.stderr.len() < 20_000, "{} bytes of message", ran.stderr.len());
}

/// Checks that the text, as a file, is refused by every command, with these words in the message.
#[track_caller]
fn check(text: impl AsRef<[u8]>, needles: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.gcl");
    fs::write(&path, text).unwrap();
    for command in ["verify", "run", "show"] {
        let ran = run(&[command, argument(&path)]);
        assert_refused(&ran, needles);
        assert!(ran.stderr.contains("bad.gcl"), "{}", ran.stderr);
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.gcl");
    assert_refused(&run(&["verify", argument(&missing)]), &["missing.gcl", "no such file"]);
    assert_refused(&run(&["verify", argument(folder.path())]), &[argument(folder.path()), "folder"]);
    let named_like_a_file = folder.path().join("folder.gcl");
    fs::create_dir(&named_like_a_file).unwrap();
    assert_refused(&run(&["verify", argument(&named_like_a_file)]), &["folder.gcl", "folder"]);
    let other = folder.path().join("program.txt");
    fs::write(&other, HEAD).unwrap();
    assert_refused(&run(&["verify", argument(&other)]), &["program.txt", ".gcl"]);
    let unreadable = folder.path().join("secret.gcl");
    fs::write(&unreadable, HEAD).unwrap();
    fs::set_permissions(&unreadable, fs::Permissions::from_mode(0o000)).unwrap();
    // Whoever may read everything reads it, and finds no property.
    assert_refused(&run(&["verify", argument(&unreadable)]), &["secret.gcl"]);
}

/// A device that never ends is refused, not read for ever.
#[test]
fn files_without_an_end() {
    let ran = run(&["run", argument(&model("elev4")), "--inputs-from", "/dev/zero"]);
    assert_refused(&ran, &["/dev/zero", "256 MiB"]);
}

#[test]
fn files_that_are_no_programs() {
    check("", &["empty"]);
    check("  \n\t\n", &["empty"]);
    check("# only a comment\n", &[]);
    check(b"program p\nvar \xff\xfe\n", &["line 2", "UTF-8"]);
    check([0u8; 100], &[]);
    check(b"\x7fELF\x02\x01\x01\0\0\0\0", &[]);
}

#[test]
fn programs_with_mistakes() {
    check(format!("{HEAD}t: x = 0 -> x := 1 1\nsafe x < 2\n"), &[":4:"]);
    check(format!("{HEAD}t: x = 0 -> y := 1\nsafe x < 2\n"), &[":4:13", "y"]);
    check(format!("{HEAD}t: x = 0 -> x := 1, x := 2\nsafe x < 2\n"), &[":4:", "x"]);
    check("program p\nvar x\nt: x = 0 -> x := 1\nsafe x < 2\n", &["init"]);
    check(format!("{HEAD}t: x = 0 -> x := 1\n"), &["safe"]);
    check("var x\ninit x = 0\nsafe x = 0\n", &["program"]);
    check(format!("{HEAD}safe (x = 0\n"), &[":4:"]);
    check(format!("{HEAD}safe x = \n"), &[":4:"]);
    check(format!("{HEAD}safe x + 1\n"), &[":4:"]);
    check(format!("{HEAD}safe x * x = 1\n"), &[":4:"]);
    check(format!("{HEAD}t: x = 0 -> x := x = 0\nsafe x = 0\n"), &[":4:"]);
    check(format!("{HEAD}var x\nsafe x = 0\n"), &[":4:"]);
    check(format!("{HEAD}t: x = 0 -> x := 1\nt: x = 1 -> x := 0\nsafe x = 0\n"), &[":5:"]);
    check(format!("{HEAD}safe x $ 0\n"), &[":4:8"]);
    check(format!("{HEAD}safe x = é\n"), &[":4:10"]);
    check(format!("{HEAD}expect maybe\nsafe x = 0\n"), &[":4:"]);
    check(format!("{HEAD}unknown statement\nsafe x = 0\n"), &[":4:"]);
}

#[test]
fn programs_that_are_too_much() {
    check("(".repeat(10_000_000), &[]);
    check(format!("{HEAD}safe {}x = 0{}\n", "(".repeat(5_000_000), ")".repeat(5_000_000)), &[":4:"]);
    check(format!("{HEAD}safe x = {}\n", "9".repeat(10_000_000)), &[":4:"]);
    check(format!("{HEAD}safe {}x = 0\n", "!".repeat(5_000_000)), &[":4:"]);
    check(format!("{HEAD}safe {}\n", "x - ".repeat(100_000)), &[":4:"]);
}

#[test]
fn text_programs_with_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.tandem");
    for text in ["", "global", "procedure main() {", "global x: i999\n", "\0", "main nowhere\n", "edge a -> b"] {
        fs::write(&path, text).unwrap();
        assert_refused(&run(&["verify", argument(&path)]), &[if text.is_empty() { "empty" } else { "" }]);
    }
}

#[test]
fn a_message_shows_the_line_with_a_caret_and_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.gcl");
    fs::write(&path, format!("{HEAD}t: x = 0 -> z := 1\nsafe x < 2\n")).unwrap();
    let stderr = run(&["verify", argument(&path)]).stderr;
    assert!(stderr.contains("t: x = 0 -> z := 1") && stderr.contains("help:"), "{stderr}");
    assert!(stderr.lines().any(|line| line.trim_start().starts_with(':') && line.contains(['^', '|'])), "{stderr}");
}

#[test]
fn usage_that_is_wrong() {
    let ticket = model("ticket2_e");
    let ticket = argument(&ticket);
    assert_refused(&run(&[]), &["Usage"]);
    assert_refused(&run(&["verify"]), &["FILE"]);
    assert_refused(&run(&["prove", ticket]), &["prove"]);
    assert_refused(&run(&["verify", ticket, "--no-such-option"]), &["--no-such-option"]);
    assert_refused(&run(&["verify", ticket, "--engine", "magic"]), &["magic", "explicit"]);
    assert_refused(&run(&["verify", ticket, "--time-limit", "soon"]), &["soon", "90s"]);
    assert_refused(&run(&["verify", ticket, "--memory-limit", "much"]), &["much", "4G"]);
    assert_refused(&run(&["verify", ticket, "--search", "random"]), &["bfs"]);
    assert_refused(&run(&["verify", ticket, "--lossy"]), &["--engine explicit"]);
    assert_refused(&run(&["verify", ticket, "--data-model", "ILP32"]), &["C programs"]);
    assert_refused(&run(&["verify", ticket, ticket]), &[]);
    assert_refused(&run(&["run", ticket, "--input", "1,x"]), &["`x`"]);
    assert_refused(&run(&["run", ticket, "--inputs-from", "nowhere.txt"]), &["nowhere.txt"]);
    assert_refused(&run(&["run", ticket, "--replay", "nowhere.json"]), &["nowhere.json"]);
    assert_refused(&run(&["show", ticket, "--format", "pdf"]), &["svg"]);
}

#[test]
fn properties_that_are_not_for_this_program() {
    let ticket = model("ticket2_e");
    let verify = |property: &str| run(&["verify", argument(&ticket), "--property", property]);
    assert_refused(&verify("no-overflow"), &["no-overflow", "assert"]);
    assert_refused(&verify("nonsense"), &["nonsense", "unreach-call"]);
    assert_refused(&verify("missing.prp"), &["missing.prp", "no such file"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.prp");
    for (text, needle) in [
        ("CHECK( init(main()), LTL(F end) )", "termination"),
        ("CHECK( init(main()), LTL(G ! call(reach_error())) )", "unreach-call"),
        ("something else", "CHECK"),
    ] {
        fs::write(&file, text).unwrap();
        assert_refused(&verify(argument(&file)), &[needle]);
    }
    fs::write(&file, "CHECK( init(Main.main()), LTL(G assert) )\n").unwrap();
    verify(argument(&file)).assert_verdict("unsafe");
}

fn script(folder: &Path, name: &str, body: &str) -> String {
    let file = folder.join(name);
    fs::write(&file, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    argument(&file).to_owned()
}

#[test]
fn a_solver_that_cannot_be_used() {
    let ticket = model("ticket2_e");
    let folder = tempfile::tempdir().unwrap();
    let missing = argument(&folder.path().join("z3")).to_owned();
    let old = script(folder.path(), "old", "echo 'Z3 version 4.8.7 - 64 bit'");
    for (solver, needle) in [(&missing, "cannot be run"), (&old, "4.8.12")] {
        let named = run(&["verify", argument(&ticket), "--solver", solver]);
        assert_refused(&named, &[solver, needle, "make setup"]);
        let mut by_environment = tandem();
        by_environment.args(["verify", argument(&ticket)]).env("TANDEM_SOLVER", solver);
        assert_refused(&finish(by_environment.output().unwrap()), &[solver, needle, "make setup"]);
    }
}

#[test]
fn properties_of_c_have_no_meaning_for_java() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Main.java");
    fs::write(&path, "class Main { public static void main(String[] a) { int x = Integer.MAX_VALUE; x++; } }").unwrap();
    for property in ["no-overflow", "unreach-call", "valid-memsafety", "valid-memcleanup"] {
        let ran = run(&["verify", "--property", property, argument(&path)]);
        assert_refused(&ran, &[property, "Java", "no-exception"]);
    }
}

#[test]
fn a_class_that_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let source =
        "class Gone { static int number; } class Main { public static void main(String[] a) { Gone.number++; } }";
    fs::write(folder.path().join("Main.java"), source).unwrap();
    let compiled =
        Command::new("javac").args(["-d", "."]).arg("Main.java").current_dir(folder.path()).status().unwrap();
    assert!(compiled.success());
    let ran = run(&["verify", "--property", "assert", argument(&folder.path().join("Main.class"))]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stdout.contains("class Gone, which is not among the files, is not modelled"), "{ran:?}");
}

#[test]
fn what_the_java_compiler_misses_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Main.java");
    fs::write(&path, "class Main {\n  public static void main(String[] a) {\n    Other.run();\n  }\n}\n").unwrap();
    assert_refused(&run(&["verify", argument(&path)]), &["cannot find symbol: variable Other", "Main.java:3"]);
}

#[test]
fn the_properties_that_there_are_have_a_line_each() {
    let ran = run(&["verify", "--property", "foo", argument(&model("ticket2"))]);
    assert_refused(&ran, &["`foo`", "\n  unreach-call ", "\n  valid-memtrack "]);
}
