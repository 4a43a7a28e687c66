//! `tandem verify --engine symbolic`: every guarded-command model, how often it is refined, and what the command line
//! says of it.

mod support;

use std::time::Instant;
use support::{argument, model, root, run};
use tandem::confirm::{ConfirmConfig, confirm};
use tandem::engine::symbolic::Matching;
use tandem::engine::{Budget, Claim, EngineConfig, Run, Stop, SymbolicConfig, Task, symbolic, verify};
use tandem::frontend::gcl;
use tandem::program::{Property, SourceFile};

/// The confirmed verdict of a model, and what it should be.
fn verdict(path: &std::path::Path, matching: Matching) -> (&'static str, String) {
    let text = std::fs::read_to_string(path).expect("the model can be read");
    let expected = text.lines().find_map(|line| line.strip_prefix("expect ")).expect("a model expects something");
    let expected = expected.trim().to_owned();
    let files = [SourceFile { name: path.display().to_string(), text: text.clone() }].into_iter().collect();
    let task = Task { program: gcl::lower(&files).expect("the model is right"), property: Property::Assert };
    let budget = Budget::with_time(Some(std::time::Duration::from_secs(60)));
    let run = verify(&task, &EngineConfig::Symbolic(SymbolicConfig { matching, ..Default::default() }), &budget);
    (confirm(&task, run.claim, &ConfirmConfig::default(), &budget).name(), expected)
}

#[test]
fn every_model_has_the_verdict_that_it_expects() {
    let start = Instant::now();
    let mut models: Vec<_> = std::fs::read_dir(root().join("models/gcl"))
        .expect("the folder is part of the repository")
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "gcl"))
        .collect();
    models.sort();
    assert_eq!(models.len(), 39);
    for path in models {
        let (found, expected) = verdict(&path, Matching::Path);
        assert_eq!(found, expected, "{path:?} after {:?}", start.elapsed());
    }
}

#[test]
fn one_table_proves_and_refutes_models_without_inputs() {
    for name in ["ticket2", "ticket3", "bakery2", "ticket2_e", "b_bakery2_e", "ticket3-5", "rax-5", "berkeley"] {
        let (found, expected) = verdict(&model(name), Matching::Global);
        assert_eq!(found, expected, "{name}");
    }
}

/// What the engine itself says of a model.
fn run_model(name: &str, matching: Matching) -> Run {
    let text = std::fs::read_to_string(model(name)).expect("the model can be read");
    let files = [SourceFile { name: format!("{name}.gcl"), text }].into_iter().collect();
    let task = Task { program: gcl::lower(&files).expect("the model is right"), property: Property::Assert };
    symbolic::verify(&task, &SymbolicConfig { matching, ..Default::default() }, &Budget::unlimited())
}

#[test]
fn iterations_are_no_more_than_those_of_the_thesis() {
    for (name, iterations) in [
        ("fig1_1", 1),
        ("ticket2", 4),
        ("ticket3", 5),
        ("mesi", 16),
        ("berkeley", 11),
        ("bakery2", 3),
        ("ticket3-5", 1),
        ("ticket3-10", 3),
        ("ticket3-40", 33),
        ("rax-5", 5),
        ("rax-45", 45),
        ("elev4", 1),
        ("rax", 1),
        ("nd_ticket2", 4),
        ("nd_peterson2", 1),
        ("nd_bakery2", 3),
        ("nd_mesi", 2),
        ("nd_synapse", 2),
    ] {
        let run = run_model(name, Matching::Path);
        assert!(!matches!(run.claim, Claim::Unknown(_)), "{name}");
        assert!(run.statistics.refinements < iterations, "{name}: {}", run.statistics.refinements + 1);
    }
}

#[test]
fn under_approximation_refinement_takes_concrete_states_only() {
    let run = run_model("ticket2", Matching::Global);
    assert!(matches!(run.claim, Claim::Safe { .. }));
    for name in ["nd_ticket2", "nd_peterson2", "fig1_1"] {
        let Claim::Unknown(Stop::Unsupported { .. }) = run_model(name, Matching::Global).claim else {
            panic!("{name} has inputs")
        };
    }
}

#[test]
fn a_proof_is_shown_with_its_invariant() {
    let ran = run(&["verify", "--engine", "symbolic", argument(&model("fig1_1"))]);
    ran.assert_verdict("safe");
    for part in ["engine      symbolic", "an inductive invariant of", "predicates 2", "abstract states 10"] {
        assert!(ran.stdout.contains(part), "{part} is not in {}", ran.stdout);
    }
}

#[test]
fn a_program_with_inputs_fails_with_the_inputs_that_it_takes() {
    let ran = run(&["verify", "--engine", "symbolic", "--matching", "path", argument(&model("nd_fragment"))]);
    ran.assert_verdict("unsafe");
    assert!(ran.stdout.contains("counterexample: 3 steps, replayed"), "{}", ran.stdout);
    assert!(ran.stdout.contains("inputs    x = "), "{}", ran.stdout);
}

#[test]
fn inputs_are_refused_with_one_table() {
    let ran = run(&["verify", "--engine", "symbolic", "--matching", "global", argument(&model("nd_fragment"))]);
    ran.assert_verdict("unknown");
    assert!(ran.stdout.contains("--matching global"), "{}", ran.stdout);
    assert!(ran.stdout.contains("x := nondet"), "{}", ran.stdout);
}

#[test]
fn a_way_of_matching_that_does_not_exist_is_refused_with_those_that_do() {
    let ran = run(&["verify", "--engine", "symbolic", "--matching", "some", argument(&model("fig1_1"))]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("path") && ran.stderr.contains("global"), "{}", ran.stderr);
}

#[test]
fn the_help_tells_what_matching_is() {
    let ran = run(&["verify", "--help"]);
    for part in ["Options of --engine symbolic", "--matching <STATES>", "under-approximation refinement"] {
        assert!(ran.stdout.contains(part), "{part} is not in {}", ran.stdout);
    }
}

/// Locations, machine integers, calls and inputs of programs in C.
#[test]
fn small_programs_in_c() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let check = |name: &str, text: &str, expected: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file can be written");
        let ran = run(&["verify", "--engine", "symbolic", "--time-limit", "30s", argument(&path)]);
        ran.assert_verdict(expected);
    };
    let prelude = "int __VERIFIER_nondet_int(void); void assert(int);\n\
                   extern void __assert_fail(const char *, const char *, unsigned, const char *);\n";
    let guarded = "int limit(int x) { if (x < 0) return 0; if (x > 10) return 10; return x; }\n\
                   int main(void) { int x = limit(__VERIFIER_nondet_int());\n\
                   while (x > 0) { x--; }\n if (x != 0) __assert_fail(\"x\", \"f\", 1, \"main\"); return 0; }\n";
    check("guarded.c", &format!("{prelude}{guarded}"), "safe");
    let wraps = "int main(void) { int x = __VERIFIER_nondet_int(); int y = x + 1;\n\
                 if (y < x) __assert_fail(\"y\", \"f\", 1, \"main\"); return 0; }\n";
    check("wraps.c", &format!("{prelude}{wraps}"), "unsafe");
    let recursive = "int f(int x) { return x > 0 ? f(x - 1) : 0; }\n\
                     int main(void) { if (f(3)) __assert_fail(\"x\", \"f\", 1, \"main\"); return 0; }\n";
    check("recursive.c", &format!("{prelude}{recursive}"), "unknown");
}

#[test]
fn a_pointer_that_symbolic_execution_does_not_keep_is_no_counterexample() {
    let path = root().join("tests/corpus/c/memory/pointer_as_condition.c");
    let ran = run(&["verify", argument(&path), "--engine", "symbolic", "--property", "valid-memsafety"]);
    ran.assert_verdict("unknown");
    assert!(ran.stdout.contains("a pointer, on which a possible counterexample depends"), "{ran:?}");
}
