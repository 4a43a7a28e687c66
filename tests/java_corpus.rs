//! Every Java program of the corpus gets the verdict that it carries.
//!
//! All of a folder are compiled at once, so each has a class of the name of its file; the first line says what to expect,
//! a second line `options:` may name a property. What is in `java_inputs` and
//! `java_threads` is for engines that work with formulas.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use support::root;
use tandem::confirm::{ConfirmConfig, Verdict, confirm};
use tandem::engine::BoundedConfig;
use tandem::engine::{self, Budget, CegarConfig, EngineConfig, ExplicitConfig, Stretches, Task};
use tandem::frontend::java::{self, Options, input};
use tandem::program::{FileId, Id, Property, text, validate};
use tandem::report::style::Palette;
use tandem::report::text::{TextConfig, execution};

/// A program, what to expect of it, and the property.
struct Program {
    class: String,
    expected: String,
    property: Property,
}

fn programs(folder: &str) -> Vec<Program> {
    let folder = root().join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let program = |path: &PathBuf| {
        let source = fs::read_to_string(path).unwrap();
        let header = source.lines().next().unwrap();
        let property = match source.lines().nth(1).and_then(|line| line.split_once("--property ")) {
            Some((_, "no-exception")) => Property::NoException,
            Some((_, "no-deadlock")) => Property::NoDeadlock,
            Some((_, "no-data-race")) => Property::NoDataRace,
            Some((_, other)) => panic!("{}: the property {other}", path.display()),
            None => Property::Assert,
        };
        Program {
            class: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            expected: header.split_once("expect:").unwrap().1.trim().to_owned(),
            property,
        }
    };
    paths.iter().map(program).collect()
}

#[test]
fn every_java_program_of_the_corpus_gets_its_verdict() {
    let input = input::read(&[root().join("tests/corpus/java")]).map_err(|(errors, _)| errors).unwrap();
    let programs = programs("tests/corpus/java");
    assert!(programs.len() >= 14, "{} programs", programs.len());
    for program in programs {
        let options = Options { main: Some(program.class.clone()), ..Options::for_property(&program.property) };
        let lowered = java::lower_input(&input, &options).unwrap_or_else(|e| panic!("{}: {e}", program.class));
        assert_eq!(validate(&lowered), Ok(()), "{}", program.class);
        assert_eq!(
            text::parse(&text::print(&lowered), FileId::new(0)).unwrap(),
            lowered,
            "{}: its text form",
            program.class
        );
        let task = Task { program: lowered, property: program.property };
        let config = ExplicitConfig { stretches: Stretches::Followed, ..ExplicitConfig::default() };
        let budget = Budget::with_time(Some(Duration::from_secs(60)));
        let run = engine::verify(&task, &EngineConfig::Explicit(config), &budget);
        let verdict = confirm(&task, run.claim, &ConfirmConfig::default(), &budget);
        assert_eq!(verdict.name(), program.expected, "{}: {}", program.class, described(&verdict));
    }
}

/// Objects, dispatch, exceptions and recursion under any inputs: abstraction tells all, and symbolic execution finds what
/// goes wrong.
#[test]
fn formulas_tell_of_objects_and_exceptions() {
    let folder = "tests/corpus/java_inputs";
    let input = input::read(&[root().join(folder)]).map_err(|(errors, _)| errors).unwrap();
    for program in programs(folder) {
        let options = Options { main: Some(program.class.clone()), ..Options::for_property(&program.property) };
        let lowered = java::lower_input(&input, &options).unwrap_or_else(|e| panic!("{}: {e}", program.class));
        let task = Task { program: lowered, property: program.property };
        let verdict_of = |config: EngineConfig, seconds: u64| {
            let budget = Budget::with_time(Some(Duration::from_secs(seconds)));
            let run = engine::verify(&task, &config, &budget);
            confirm(&task, run.claim, &ConfirmConfig::default(), &budget)
        };
        let verdict = verdict_of(EngineConfig::Cegar(CegarConfig::default()), 60);
        assert_eq!(verdict.name(), program.expected, "{}: {}", program.class, described(&verdict));
        if let Verdict::Unsafe(trace) = &verdict {
            assert!(trace.replay().violation.span.is_some(), "{}: the place is not told", program.class);
        }
        let (seconds, other) = if program.expected == "unsafe" { (60, "unsafe") } else { (2, "unknown") };
        let verdict = verdict_of(EngineConfig::Bounded(BoundedConfig::default()), seconds);
        let is_right = [&program.expected, other].contains(&verdict.name());
        assert!(is_right, "{}: {}", program.class, described(&verdict));
    }
}

/// Small programs with threads, as interleavings.
#[test]
fn formulas_tell_of_threads() {
    let folder = "tests/corpus/java_threads";
    let input = input::read(&[root().join(folder)]).map_err(|(errors, _)| errors).unwrap();
    for program in programs(folder) {
        let options = Options { main: Some(program.class.clone()), ..Options::for_property(&program.property) };
        let lowered = java::lower_input(&input, &options).unwrap_or_else(|e| panic!("{}: {e}", program.class));
        assert_eq!(calls_of_itself(&lowered, "tandem.Throw."), Vec::<String>::new(), "{}", program.class);
        let task = Task { program: lowered, property: program.property };
        let engines = [EngineConfig::Cegar(CegarConfig::default()), EngineConfig::Bounded(BoundedConfig::default())];
        for engine in engines {
            let budget = Budget::with_time(Some(Duration::from_secs(120)));
            let run = engine::verify(&task, &engine, &budget);
            let verdict = confirm(&task, run.claim, &ConfirmConfig::default(), &budget);
            assert_eq!(verdict.name(), program.expected, "{} {engine:?}: {}", program.class, described(&verdict));
        }
    }
}

/// The procedures whose names start so and that call themselves.
fn calls_of_itself(program: &tandem::program::Program, start: &str) -> Vec<String> {
    let procedures = program.procedures.enumerate().filter(|(_, procedure)| procedure.name.starts_with(start));
    let recursive = procedures.filter(|(id, procedure)| {
        procedure.edges.iter().any(|edge| edge.call().is_some_and(|(_, callee, _)| callee == *id))
    });
    recursive.map(|(_, procedure)| procedure.name.clone()).collect()
}

/// Where the depth of the stack matters, the user is told which one was taken, and elsewhere nothing.
#[test]
fn the_depth_of_the_stack_is_a_remark() {
    let input = input::read(&[root().join("tests/corpus/java")]).map_err(|(errors, _)| errors).unwrap();
    let remarks = |class: &str, executes: bool| -> Vec<String> {
        let options = Options { main: Some(class.to_owned()), ..Options::for_property(&Property::Assert) };
        let lowered = java::lower_input(&input, &Options { executes, ..options }).unwrap();
        lowered.remarks.into_iter().map(|remark| remark.text).collect()
    };
    let taken = "a stack was taken to hold 3000 recursive calls, and never 100000, which Java leaves open";
    assert_eq!(remarks("OverflowCaught", false), [taken]);
    assert_eq!(
        remarks("OverflowTells", false),
        ["a stack was taken to hold 3000 recursive calls, which Java leaves open"]
    );
    assert_eq!(
        remarks("OverflowCaught", true),
        ["a stack was taken to hold 10000 recursive calls, which Java leaves open"]
    );
    assert_eq!(remarks("ObjectsShown", false), Vec::<String>::new());
}

fn described(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(_) => String::new(),
        Verdict::Unsafe(trace) => format!("{:?}", trace.replay().violation),
        Verdict::Unknown(reason) => format!("{reason:?}"),
    }
}

#[test]
fn counterexamples_show_fields_and_objects() {
    let input = input::read(&[root().join("tests/corpus/java")]).map_err(|(errors, _)| errors).unwrap();
    let options = Options { main: Some("ObjectsShown".to_owned()), ..Options::for_property(&Property::Assert) };
    let task = Task { program: java::lower_input(&input, &options).unwrap(), property: Property::Assert };
    let config = ExplicitConfig { stretches: Stretches::Followed, ..ExplicitConfig::default() };
    let run = engine::verify(&task, &EngineConfig::Explicit(config), &Budget::unlimited());
    let verdict = confirm(&task, run.claim, &ConfirmConfig::default(), &Budget::unlimited());
    let Verdict::Unsafe(trace) = verdict else { panic!("{}", described(&verdict)) };
    let config = TextConfig { palette: Palette::plain(), most_steps: 100 };
    let shown = execution(&task.program, trace.replay(), &config);
    let parts = [
        "ObjectsShown.size = 2",
        "list.name = \"a list\"",
        "this.cells = int[]#1",
        "node.next = Node#1",
        "this.head = Node#2",
        "int[]#1[1] = 5",
        "ObjectsShown.java:31",
    ];
    for part in parts {
        assert!(shown.contains(part), "{part} is not shown:\n{shown}");
    }
    for internal in ["stack0", "&1", "exception", "java.lang.System.", "tandem.", "detailMessage"] {
        assert!(!shown.contains(internal), "{internal} is shown:\n{shown}");
    }
}
