//! The figures of the thesis, and the gap that its checks leave. Its iterations are in `tests/symbolic_models.rs`.
//!
//! The programs in `tests/` are models of `models/gcl`, as `tandem show` prints them: engines know no front end.
//! `tests/gcl_models.rs` holds them to the models.

use super::fragment::Closing;
use super::*;
use crate::program::control::Action;
use crate::program::{Property, SourceFile, text};
use expect_test::expect;
use std::fmt::Write;

fn model(name: &str) -> Task {
    let path = format!("{}/src/engine/symbolic/tests/{name}.tandem", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the program is part of the repository");
    let files = [SourceFile { name: format!("{name}.tandem"), text }].into_iter().collect();
    Task { program: text::lower(&files).expect("the program is right"), property: Property::Assert }
}

/// The engine after the first exploration.
fn explored(task: &Task) -> SymbolicExecution<'_> {
    let mut engine =
        SymbolicExecution::new(task, &SymbolicConfig::default(), &Budget::unlimited()).expect("it is supported");
    engine.space.initial_predicates();
    assert!(engine.search.start(&mut engine.space).is_ok() && engine.explore(usize::MAX).is_ok());
    engine
}

/// The abstract transition system: states with the values of control and predicates, exact transitions as `-->`,
/// others as `..>`.
fn abstract_system(engine: &mut SymbolicExecution<'_>) -> String {
    let mut text = String::from("predicates:");
    for predicate in engine.space.predicates.iter() {
        let _ = write!(text, " [{}]", crate::term::infix::infix(&engine.space.formulas.terms, predicate.atom));
    }
    let name = |engine: &SymbolicExecution<'_>, id: usize| {
        let (point, bits) = engine.space.abstract_states.get(id);
        let values = engine.space.system.point(*point).values.iter();
        let mut parts: Vec<String> =
            values.map(|&value| crate::term::infix::infix(&engine.space.formulas.terms, value)).collect();
        let letters = (0..engine.space.predicates.len()).map(|number| if bits.get(number) { "t" } else { "f" });
        parts.extend(letters.map(str::to_owned));
        format!("({})", parts.join(","))
    };
    let mut lines = Vec::new();
    for ((from, chosen), successors) in engine.abstract_successors() {
        for to in successors {
            let exact = engine.space.is_exact(from, chosen, to).expect("the solver answers").expect("it can be told");
            let moves = engine.space.moves(engine.space.abstract_states.get(from).0).expect("moves are formulas");
            let Action::Edge(edge) = moves[chosen].action else { panic!("guarded commands have edges only") };
            let label =
                engine.space.system.program().procedures[engine.space.system.program().main].edges[edge].label.clone();
            let arrow = if exact { "-->" } else { "..>" };
            lines.push(format!("{} {arrow} {} by {}", name(engine, from), name(engine, to), label.unwrap_or_default()));
        }
    }
    lines.sort();
    format!("{text}\n{}\n", lines.join("\n"))
}

/// Figure 2.2 (b): the abstract transition system of the program in figure 1.1. The loop that all paths are trapped in
/// is exact, the way there is not.
#[test]
fn figure_2_2() {
    let task = model("fig1_1");
    let mut engine = explored(&task);
    expect![[r#"
        predicates: [x <= y] [b = 2]
        (1,1,f,f) ..> (1,2,f,f) by t4
        (1,1,f,f) ..> (2,1,f,f) by t1
        (1,1,t,f) ..> (1,2,t,f) by t4
        (1,1,t,f) ..> (2,1,t,f) by t1
        (1,2,f,f) ..> (2,2,f,t) by t1
        (1,2,t,f) ..> (2,2,t,t) by t1
        (2,1,f,f) ..> (2,2,f,t) by t4
        (2,1,t,f) ..> (2,2,t,t) by t4
        (2,2,f,t) --> (2,3,f,t) by t5
        (2,2,t,t) --> (3,2,t,t) by t2
        (2,3,f,t) --> (2,2,f,t) by t6
        (2,3,f,t) --> (2,2,t,t) by t6
        (3,2,t,t) --> (2,2,f,t) by t3
        (3,2,t,t) --> (2,2,t,t) by t3
    "#]]
    .assert_eq(&abstract_system(&mut engine));
}

#[test]
fn the_safe_fragment_proves_figure_1_1_at_once() {
    let task = model("fig1_1");
    let mut engine = explored(&task);
    let Closing::Closed(invariant) = engine.close(true).expect("the solver answers") else { panic!("it is closed") };
    // The start, where b is 0, is in the stem: without it the set is not inductive, as the thesis says.
    let start = engine.space.system.start;
    let shown: Vec<String> = invariant[&start]
        .iter()
        .map(|state| {
            let literals =
                state.iter().map(|literal| crate::term::infix::infix(&engine.space.formulas.terms, *literal));
            literals.collect::<Vec<_>>().join(" && ")
        })
        .collect();
    expect![[r#"
        b = 0 && y < x
        b = 0 && x <= y"#]]
    .assert_eq(&shown.join("\n"));
    assert_eq!(run("fig1_1", Matching::Path).statistics.refinements, 0);
}

/// Every explored transition is exact, so that the checks of the thesis, taken literally, call the program safe; but
/// with another `z` an input leads to an abstract state that was not met.
#[test]
fn exact_transitions_alone_are_no_proof() {
    let task = model("nd_fragment");
    let mut engine = explored(&task);
    for ((from, chosen), successors) in engine.abstract_successors() {
        for to in successors {
            assert_eq!(engine.space.is_exact(from, chosen, to).expect("the solver answers"), Some(true));
        }
    }
    let Closing::Open { unmet, .. } = engine.close(true).expect("the solver answers") else {
        panic!("it is not closed")
    };
    assert_eq!(unmet.len(), 1);
    let run = run("nd_fragment", Matching::Path);
    let Claim::Unsafe(trace) = run.claim else { panic!("it is unsafe") };
    assert_eq!(trace.steps.len(), 4);
}

fn run(name: &str, matching: Matching) -> Run {
    verify(&model(name), &SymbolicConfig { matching, ..Default::default() }, &Budget::unlimited())
}

/// A refinement keeps what decides the new predicates: exploring anew gives the same abstract states.
#[test]
fn a_refined_graph_is_what_exploring_anew_gives() {
    for name in ["ticket2", "nd_bakery2", "bakery2"] {
        let task = model(name);
        let mut engine = explored(&task);
        for _ in 0..2 {
            let Closing::Open { unmet, .. } = engine.close(true).expect("the solver answers") else { break };
            let before = engine.space.predicates.len();
            assert!(engine.add_predicates(&unmet).expect("the solver answers") > 0, "{name}");
            engine.refine_graph(before).expect("the solver answers");
            assert!(engine.explore(usize::MAX).is_ok());
        }
        let kept: std::collections::BTreeSet<_> = engine.space.abstract_states.iter().cloned().collect();
        assert!(engine.search.start(&mut engine.space).is_ok() && engine.explore(usize::MAX).is_ok());
        let anew: std::collections::BTreeSet<_> = engine.space.abstract_states.iter().cloned().collect();
        assert_eq!(kept, anew, "{name}");
    }
}
