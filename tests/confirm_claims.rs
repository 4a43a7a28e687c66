//! Right claims are confirmed, wrong ones refuted.

use tandem::concrete::Trace;
use tandem::confirm::{ConfirmConfig, ProofMethod, Reason, Verdict, confirm};
use tandem::engine::{self, Assumptions, Budget, Claim, EngineConfig, ExplicitConfig, Proof, Stop, Task};
use tandem::frontend::gcl;
use tandem::program::{ErrorKind, Failure, Property, SourceFile};

fn task(text: &str) -> Task {
    let files = [SourceFile { name: "m.gcl".into(), text: text.into() }].into_iter().collect();
    Task { program: gcl::lower(&files).expect("the model is right"), property: Property::Assert }
}

fn counter(limit: u32) -> Task {
    task(&format!("program p\nvar x\ninit x = 0\nt: x < 3 -> x := x + 1\nsafe x != {limit}\n"))
}

fn claim(task: &Task) -> Claim {
    engine::verify(task, &EngineConfig::Explicit(ExplicitConfig::default()), &Budget::unlimited()).claim
}

fn confirmed(task: &Task, claim: Claim) -> Verdict {
    confirm(task, claim, &ConfirmConfig::default(), &Budget::unlimited())
}

#[track_caller]
fn assert_refuted(verdict: &Verdict) {
    assert!(matches!(verdict, Verdict::Unknown(Reason::Refuted(_))), "{verdict:?}");
    assert_eq!((verdict.name(), verdict.exit_status()), ("unknown", 2));
}

#[test]
fn what_an_engine_claims_rightly_is_confirmed() {
    let safe = confirmed(&counter(4), claim(&counter(4)));
    let Verdict::Safe(proof) = safe else { panic!("{safe:?}") };
    assert_eq!(proof.method(), ProofMethod::ReachedStates(4));
    let broken = confirmed(&counter(3), claim(&counter(3)));
    let Verdict::Unsafe(trace) = broken else { panic!("{broken:?}") };
    assert_eq!(trace.replay().steps.len(), 3);
}

#[test]
fn a_trace_that_is_no_execution_is_refuted() {
    assert_refuted(&confirmed(&counter(3), Claim::Unsafe(Trace::default())));
    // The trace of a program that fails is none of one that does not.
    assert_refuted(&confirmed(&counter(4), claim(&counter(3))));
    let Claim::Unsafe(mut trace) = claim(&counter(3)) else { panic!("it fails") };
    trace.steps.remove(0);
    assert_refuted(&confirmed(&counter(3), Claim::Unsafe(trace)));
}

#[test]
fn a_set_that_is_not_closed_is_refuted() {
    let none = Claim::Safe { proof: Proof::Reached(Box::default()), assumptions: Assumptions::default() };
    assert_refuted(&confirmed(&counter(4), none));
    let Claim::Safe { proof: Proof::Reached(mut states), assumptions } = claim(&counter(4)) else { panic!("safe") };
    states.states.pop();
    assert_refuted(&confirmed(&counter(4), Claim::Safe { proof: Proof::Reached(states), assumptions }));
    // Closed, but with a violation in it.
    assert_refuted(&confirmed(&counter(3), claim(&counter(4))));
}

#[test]
fn an_entry_that_violates_is_in_no_proof() {
    let mut task = counter(4);
    let main = task.program.main;
    let entry = task.program.procedures[main].entry;
    let failure = Failure { kind: ErrorKind::Assertion, message: "at once".to_owned() };
    let safe = claim(&task);
    task.program.procedures[main].locations[entry].error = Some(failure);
    assert_refuted(&confirmed(&task, safe));
    let verdict = confirmed(&task, Claim::Unsafe(Trace::default()));
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
}

#[test]
fn an_assumption_is_no_proof() {
    let Claim::Safe { proof, mut assumptions } = claim(&counter(4)) else { panic!("safe") };
    assumptions.add("the moon is full".to_owned(), None);
    let verdict = confirmed(&counter(4), Claim::Safe { proof, assumptions: assumptions.clone() });
    let Verdict::Unknown(Reason::Assumed(named)) = verdict else { panic!("{verdict:?}") };
    assert_eq!(named, assumptions);
}

#[test]
fn a_check_that_is_stopped_gives_no_verdict() {
    let budget = Budget::unlimited();
    budget.interrupt();
    let verdict = confirm(&counter(4), claim(&counter(4)), &ConfirmConfig::default(), &budget);
    assert!(matches!(verdict, Verdict::Unknown(Reason::Stopped(Stop::Interrupted))), "{verdict:?}");
}
