//! `tandem run` and `tandem show`.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::fs;
use std::process::Command;
use support::{argument, model, root, run};

#[test]
fn a_run_shows_each_step_and_what_changed() {
    let ran = run(&["run", argument(&model("ticket2_e")), "--steps", "3"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for needle in ["initial", "pc1 = 1", "1  read1", "ticket2_e.gcl:8", "pc1: 1 -> 4", "stopped after 3 steps"] {
        assert!(ran.stdout.contains(needle), "no {needle:?} in {}", ran.stdout);
    }
}

#[test]
fn a_seed_repeats_a_run() {
    let path = model("ticket2_e");
    let with = |seed: &str| run(&["run", argument(&path), "--seed", seed, "--steps", "30"]).stdout;
    assert_eq!(with("1"), with("1"));
    assert!((2..10).any(|seed| with(&seed.to_string()) != with("1")), "every seed gives the same run");
}

#[test]
fn an_error_on_the_way_ends_the_run() {
    let path = model("ticket2_e");
    let found = (0..200).map(|seed| run(&["run", argument(&path), "--seed", &seed.to_string()]));
    let found = found.into_iter().find(|ran| ran.status == Some(1)).expect("some run meets the error");
    assert!(found.stdout.contains("violated") && found.stdout.contains("ticket2_e.gcl:17"), "{}", found.stdout);
}

#[test]
fn inputs_are_read_in_order_and_missing_ones_said() {
    let path = model("fig1_1");
    let ran = run(&["run", argument(&path), "--input", "5", "--input", "-2", "--steps", "1"]);
    assert!(ran.stdout.contains("x = 5  y = -2"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("not given"), "{}", ran.stdout);
    let ran = run(&["run", argument(&path), "--input", "5", "--steps", "1"]);
    assert!(ran.stdout.contains("x = 5  y = 0") && ran.stdout.contains("1 input was not given"), "{}", ran.stdout);
    let ran = run(&["run", argument(&path), "--input", "1,2,3,4,5", "--steps", "1"]);
    assert!(ran.stdout.contains("3 of the given inputs were not read"), "{}", ran.stdout);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("inputs.txt");
    fs::write(&file, "7 # first\n-8\n").unwrap();
    let ran = run(&["run", argument(&path), "--inputs-from", argument(&file), "--steps", "1"]);
    assert!(ran.stdout.contains("x = 7  y = -8"), "{}", ran.stdout);
    let ran = run(&["run", argument(&path), "--input", "true"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
}

#[test]
fn a_final_state_ends_the_run() {
    let path = root().join("tests/corpus/gcl/final_state.gcl");
    let ran = run(&["run", argument(&path)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("final state"), "{}", ran.stdout);
}

#[test]
fn the_text_form_of_a_program_is_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("ticket.tandem");
    for (name, verdict) in [("ticket2_e", "unsafe"), ("elev4", "safe"), ("fig1_1", "unknown")] {
        let shown = run(&["show", argument(&model(name))]);
        assert_eq!(shown.status, Some(0), "{shown:?}");
        fs::write(&text, &shown.stdout).unwrap();
        assert_eq!(run(&["show", argument(&text)]).stdout, shown.stdout);
        run(&["verify", argument(&text), "--engine", "explicit"]).assert_verdict(verdict);
    }
}

#[test]
fn a_program_can_be_drawn() {
    let path = model("ticket2_e");
    let dot = run(&["show", argument(&path), "--format", "dot"]);
    assert!(dot.status == Some(0) && dot.stdout.starts_with("digraph") && dot.stdout.contains("read1"), "{dot:?}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.svg");
    let svg = run(&["show", argument(&path), "--format", "svg", "-o", argument(&file)]);
    assert_eq!((svg.status, svg.stdout.as_str()), (Some(0), ""), "{svg:?}");
    let drawn = fs::read_to_string(&file).unwrap();
    assert!(drawn.contains("<svg") && drawn.contains("read1"), "{drawn}");
    let nowhere = run(&["show", argument(&path), "-o", "/no/such/folder/p.svg"]);
    assert_eq!(nowhere.status, Some(3), "{nowhere:?}");
    assert!(nowhere.stderr.contains("/no/such/folder"), "{nowhere:?}");
}

#[test]
fn help_teaches() {
    for arguments in [vec!["--help"], vec!["verify", "--help"], vec!["run", "--help"]] {
        let help = run(&arguments);
        assert_eq!(help.status, Some(0), "{help:?}");
        assert!(help.stdout.contains("Examples:"), "{}", help.stdout);
    }
    assert!(run(&["--version"]).stdout.starts_with("tandem "));
}

#[test]
fn java_sources_use_classes_that_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let (made, main) = (folder.path().join("made"), folder.path().join("Main.java"));
    let helper = folder.path().join("Helper.java");
    fs::write(&helper, "package a.b; public class Helper { public static int number() { return 7; } }").unwrap();
    let source = "class Main { public static void main(String[] s) { System.out.println(a.b.Helper.number()); } }";
    fs::write(&main, source).unwrap();
    let compiled = Command::new("javac").arg("-d").arg(&made).arg(&helper).status().unwrap();
    assert!(compiled.success());
    let ran = run(&["run", "--quiet", argument(&main), argument(&made)]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), "7\n"), "{ran:?}");
}
