//! Java programs of the corpus as Programs: valid, with a text form, with remarks, and their objects in counterexamples.
//! Their verdicts are in `tests/corpus.rs`.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::path::Path;
use support::root;
use tandem::confirm::{ConfirmConfig, Verdict, confirm};
use tandem::engine::{self, Budget, DeterministicSteps, EngineConfig, ExplicitConfig, Task};
use tandem::frontend::java::{self, Options, input};
use tandem::program::{FileId, Id, Property, text, validate};
use tandem::report::style::Palette;
use tandem::report::text::{Detail, TextConfig, execution};

/// All programs, compiled together.
fn compiled() -> input::Input {
    input::read(&[root().join("tests/corpus/java")]).map_err(|(errors, _)| errors).unwrap()
}

#[test]
fn every_program_is_valid_and_has_a_text_form() {
    let input = compiled();
    assert!(input.sources.iter().count() >= 100, "the corpus is there");
    for source in input.sources.iter() {
        let class = Path::new(&source.name).file_stem().unwrap().to_str().unwrap();
        let options = Options { main: Some(class.to_owned()), ..Options::for_property(&Property::Assert) };
        let lowered = java::lower_input(&input, &options).unwrap_or_else(|e| panic!("{class}: {e}"));
        assert_eq!(validate(&lowered), Ok(()), "{class}");
        let again = text::parse(&text::print(&lowered), FileId::new(0)).unwrap();
        assert_eq!(again, lowered, "{class}: its text form");
        if class.starts_with("Count") {
            assert_eq!(calls_of_itself(&lowered, "tandem.Throw."), Vec::<String>::new(), "{class}");
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
    let input = compiled();
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
    let input = compiled();
    let options = Options { main: Some("ObjectsShown".to_owned()), ..Options::for_property(&Property::Assert) };
    let task = Task { program: java::lower_input(&input, &options).unwrap(), property: Property::Assert };
    let config = ExplicitConfig { deterministic: DeterministicSteps::Followed, ..ExplicitConfig::default() };
    let run = engine::verify(&task, &EngineConfig::Explicit(config), &Budget::unlimited());
    let verdict = confirm(&task, run.claim, &ConfirmConfig::default(), &Budget::unlimited());
    let Verdict::Unsafe(trace) = verdict else { panic!("{}", described(&verdict)) };
    let config = TextConfig { palette: Palette::plain(), detail: Detail::Lines };
    let shown = execution(&task.program, trace.trace(), trace.replay(), &config);
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
