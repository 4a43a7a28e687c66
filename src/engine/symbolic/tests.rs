//! The figures of the thesis, its iterations, and the gap that its checks leave.

use super::fragment::Closing;
use super::*;
use crate::frontend::gcl;
use crate::program::control::Action;
use crate::program::{Property, SourceFile};
use expect_test::expect;
use std::fmt::Write;

fn model(name: &str) -> Task {
    let path = format!("{}/models/gcl/{name}.gcl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the model is part of the repository");
    let files = [SourceFile { name: format!("{name}.gcl"), text }].into_iter().collect();
    Task { program: gcl::lower(&files).expect("the model is right"), property: Property::Assert }
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
        let run = run(name, Matching::Path);
        assert!(!matches!(run.claim, Claim::Unknown(_)), "{name}");
        assert!(run.statistics.refinements < iterations, "{name}: {}", run.statistics.refinements + 1);
    }
}

#[test]
fn under_approximation_refinement_takes_concrete_states_only() {
    let run = run("ticket2", Matching::Global);
    assert!(matches!(run.claim, Claim::Safe { .. }));
    for name in ["nd_ticket2", "nd_peterson2", "fig1_1"] {
        let Claim::Unknown(Stop::Unsupported { .. }) = self::run(name, Matching::Global).claim else {
            panic!("{name} has inputs")
        };
    }
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
