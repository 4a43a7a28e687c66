//! Right invariants are accepted, wrong ones are refuted with the edge that breaks them.

use std::collections::BTreeMap;
use tandem::confirm::{ConfirmConfig, Reason, Verdict, confirm};
use tandem::engine::{Assumptions, Budget, Claim, LocationInvariants, Proof, Stop, Task};
use tandem::formula::encode::Encoder;
use tandem::frontend::gcl;
use tandem::program::{Property, SourceFile, Statement, text};
use tandem::solver::{Kind, locate, other_solvers};
use tandem::term::{Op, Terms};

const FIG1_1: &str = include_str!("../models/gcl/fig1_1.gcl");
const TICKET2: &str = include_str!("../models/gcl/ticket2.gcl");

fn task_of(source: &str) -> Task {
    let files = [SourceFile { name: "m.gcl".into(), text: source.into() }].into_iter().collect();
    let program = gcl::lower(&files).expect("the model is right");
    Task { program, property: Property::Assert }
}

/// The invariant that a guarded-command condition states, for the location where the transitions are.
fn invariants(task: &Task, source: &str, condition: &str) -> LocationInvariants {
    // The condition is read as the property of the same program, which negates it on the edge into the error.
    let with_condition: String = source.lines().filter(|line| !line.starts_with("safe")).collect::<Vec<_>>().join("\n");
    let stated = task_of(&format!("{with_condition}\nsafe {condition}\n"));
    let main = &stated.program.procedures[stated.program.main];
    let mut terms = Terms::new();
    let encoder = Encoder::new(&task.program, &mut terms);
    let (_, error) = stated.program.violations(&Property::Assert).next().expect("one property");
    let into_error = main.edges.iter().find(|edge| edge.target == error).expect("an edge into the error");
    let [Statement::Assume(negated)] = into_error.block.as_slice() else { panic!("an assumption") };
    let holds = encoder.expr(&mut terms, &negated.clone().negate()).expect("plain integers");
    let at = BTreeMap::from([((task.program.main, main.entry), holds)]);
    LocationInvariants { terms, at }
}

fn check(task: &Task, invariants: LocationInvariants) -> Verdict {
    let claim = Claim::Safe { proof: Proof::Invariant(invariants), assumptions: Assumptions::default() };
    confirm(task, claim, &ConfirmConfig::default(), &Budget::unlimited())
}

/// Who accepted the condition as an invariant.
fn accepted(source: &str, condition: &str) -> String {
    let task = task_of(source);
    match check(&task, invariants(&task, source, condition)) {
        Verdict::Safe(proof) => proof.checker().to_owned(),
        other => panic!("{other:?}"),
    }
}

/// What is wrong with the invariants.
#[track_caller]
fn refuted(verdict: Verdict) -> String {
    match verdict {
        Verdict::Unknown(Reason::Refuted(what)) => what,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refusal(source: &str, condition: &str) -> String {
    let task = task_of(source);
    refuted(check(&task, invariants(&task, source, condition)))
}

const FIG1_1_INVARIANT: &str = "(pc1 = 1 => b <= 1) && (pc2 = 1 => b <= 1) && (pc1 = 1 && pc2 = 1 => b = 0) && \
    (pc1 = 3 => x <= y) && (pc2 = 3 => x > y) && pc1 >= 1 && pc1 <= 3 && pc2 >= 1 && pc2 <= 3 && \
    (pc1 = 3 => pc2 != 1) && (pc2 = 3 => pc1 != 1)";

#[test]
fn a_right_invariant_is_accepted_and_the_checker_named() {
    let checker = accepted(FIG1_1, FIG1_1_INVARIANT);
    let found = locate(None).expect("a solver is installed");
    match other_solvers(found.kind).next() {
        Some(second) => assert!(checker.starts_with(&second.kind.to_string()), "{checker}"),
        None => assert!(checker.contains("the only solver"), "{checker}"),
    }
    assert!(matches!(found.kind, Kind::Z3 | Kind::Cvc5));
}

#[test]
fn the_ticket_invariant_is_accepted() {
    let waits = |i: u32| {
        format!("(pc{i} >= 2 => a{i} < t && a{i} >= s) && (pc{i} = 3 => a{i} = s) && pc{i} >= 1 && pc{i} <= 3")
    };
    let condition = format!("{} && {} && (pc1 >= 2 && pc2 >= 2 => a1 != a2) && s <= t", waits(1), waits(2));
    accepted(TICKET2, &condition);
    let weaker = format!("{} && {} && s <= t", waits(1), waits(2));
    assert!(refusal(TICKET2, &weaker).contains("the edge"), "two processes may have the same ticket");
}

#[test]
fn the_edge_that_breaks_an_invariant_is_named() {
    assert!(refusal(FIG1_1, "b = 1").contains("`init`"));
    assert!(refusal(FIG1_1, "b = 0 && pc1 + pc2 <= 5").contains("the edge `t1`"));
    let without_order = FIG1_1_INVARIANT.replace("(pc2 = 3 => x > y) && ", "");
    assert!(refusal(FIG1_1, &without_order).contains("the edge "));
}

#[test]
fn an_invariant_that_allows_the_error_is_refused() {
    // `true` is inductive, and excludes nothing.
    let what = refusal(FIG1_1, "true");
    assert!(what.contains("the edge"), "{what}");
}

#[test]
fn an_error_location_cannot_be_excused() {
    let task = task_of(FIG1_1);
    let mut wrong = invariants(&task, FIG1_1, "true");
    let always = wrong.terms.bool(true);
    for (procedure, location) in task.program.violations(&Property::Assert) {
        wrong.at.insert((procedure, location), always);
    }
    refuted(check(&task, wrong));
}

#[test]
fn a_location_left_out_is_taken_to_be_unreachable() {
    let task = task_of(FIG1_1);
    let nothing = LocationInvariants { terms: Terms::new(), at: BTreeMap::new() };
    let what = refuted(check(&task, nothing));
    assert_eq!(what, "the proof does not stand: the invariant does not hold after `init`");
}

#[test]
fn a_formula_that_is_none_is_refused() {
    let task = task_of(FIG1_1);
    let mut odd = invariants(&task, FIG1_1, "true");
    let number = odd.terms.raw(Op::Int(3.into()), &[]);
    odd.at.values_mut().for_each(|formula| *formula = number);
    refuted(check(&task, odd));
}

#[test]
fn a_variable_that_may_have_no_value_is_not_proved_about() {
    let program = "global x: int\nglobal y: int\ninit { y := 0; }\nprocedure main() {\n location a entry\n location b\n \
                   location e exit\n edge a -> b { assume y == 0; x := 1; }\n edge a -> b { assume y != 0; }\n \
                   edge b -> e { y := x; }\n}\n";
    let files = [SourceFile { name: "m.tandem".into(), text: program.into() }].into_iter().collect();
    let program = text::lower(&files).expect("the program is right");
    let task = Task { program, property: Property::Assert };
    let mut terms = Terms::new();
    let always = terms.bool(true);
    let locations = task.program.procedures[task.program.main].locations.ids();
    let at = locations.map(|location| ((task.program.main, location), always)).collect();
    let stopped = check(&task, LocationInvariants { terms, at });
    let Verdict::Unknown(Reason::Stopped(Stop::Unsupported { construct, .. })) = stopped else { panic!("{stopped:?}") };
    assert!(construct.contains("a read of x"), "{construct}");
}
