//! The only maker of a verdict: a trace is replayed, a proof is checked again, and what does not stand is unknown.
//!
//! [`CheckedProof`] and [`ReplayedTrace`] cannot be made elsewhere, so neither can a safe or an unsafe verdict. This
//! room shares with the engines what a step of a program does, and nothing of how they search.

mod cuts;
mod defined;
mod invariant;
mod modular;
mod panel;
pub mod reached;
mod shapes;
mod stated;
mod unrolling;

pub use stated::{Stated, StatedCase, StatedFormula, StatedLoop, StatedProcedure};

use crate::concrete::{Fault, Replay, ReplayError, Trace, Violation, replay_to};
use crate::engine::{
    Assumptions, Budget, Claim, DeterministicSteps, FoundError, FoundErrors, Proof, ReachedStates, Stop, Task,
};
use crate::formula::encode::Unsupported;
use crate::program::{APPROXIMATE, ErrorKind, Program, Property, validate};
use crate::transform::cells::{tells_of_every_element, track_cells, track_objects};
use crate::transform::interleave::interleave;
use std::path::PathBuf;

/// What is said of a task in the end.
#[derive(Debug)]
pub enum Verdict {
    /// The property holds, and the proof was checked.
    Safe(CheckedProof),
    /// It does not, and the execution that shows it was replayed.
    Unsafe(ReplayedTrace),
    /// Neither is known.
    Unknown(Reason),
}

/// A proof that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedProof {
    method: ProofMethod,
    checker: String,
    stated: Stated,
}

/// How a property was proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofMethod {
    /// By all the states that can be reached; how many there are.
    ReachedStates(usize),
    /// By following every execution from one of these states to the next; how many there are.
    FollowedExecutions(usize),
    /// By an invariant for each location; how many locations have one.
    LocationInvariants(usize),
    /// By what holds at the cut points between large blocks; how many formulas there are.
    CutInvariants(usize),
    /// By all the symbolic states that executions come through, loops unrolled; how many there are.
    Unrolling(usize),
    /// By what holds of each thread and of every two, however many there are; how many facts there are.
    ThreadModular(usize),
    /// By all the shapes of memory that executions come through; how many there are.
    Shapes(usize),
}

/// An execution that was replayed, and that violates the property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedTrace {
    trace: Trace,
    replay: Replay,
    others: Option<Box<OtherErrors>>,
}

/// What was found where more than the first error was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OtherErrors {
    errors: Vec<ReplayedTrace>,
    search: ErrorSearch,
}

/// How far other errors were looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorSearch {
    /// In all executions.
    Complete,
    /// Not in all; why.
    Stopped(String),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The engine stopped without one.
    Stopped(Stop),
    /// The engine found no error, but takes these for granted.
    Assumed(Assumptions),
    /// What the engine claimed did not stand when it was checked: an error in Tandem.
    Refuted(String),
    /// A part of Tandem broke down: an error in it.
    Broken(String),
}

/// What proofs are checked with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfirmConfig {
    /// The solver that the engine used, where the user chose one. Another one checks, where one is installed.
    pub solver: Option<PathBuf>,
}

/// Turns a claim into a verdict.
pub fn confirm(task: &Task, claim: Claim, config: &ConfirmConfig, budget: &Budget) -> Verdict {
    match claim {
        Claim::Unknown(stop) => Verdict::Unknown(Reason::Stopped(stop)),
        Claim::Unsafe(trace) => confirm_trace(task, FoundError { trace, number: 0 }),
        Claim::Errors(errors) => confirm_errors(task, errors),
        Claim::Safe { mut assumptions, proof } => {
            for assumption in &task.program.assumptions {
                assumptions.add(assumption.text.clone(), assumption.span);
            }
            confirm_proof(task, proof, assumptions, config, budget)
        }
    }
}

fn confirm_proof(
    task: &Task,
    proof: Proof,
    assumptions: Assumptions,
    config: &ConfirmConfig,
    budget: &Budget,
) -> Verdict {
    match assumptions {
        assumptions if !assumptions.0.is_empty() => Verdict::Unknown(Reason::Assumed(assumptions)),
        _ => match check(task, proof, config, budget) {
            Ok(checked) => Verdict::Safe(checked),
            Err(reason) => Verdict::Unknown(reason),
        },
    }
}

/// Replays each of the errors. Those that do not stand are left out, and no verdict follows where the first does not.
fn confirm_errors(task: &Task, errors: FoundErrors) -> Verdict {
    let FoundErrors { first, others, mut left_open } = errors;
    let mut verdict = confirm_trace(task, first);
    if let Verdict::Unsafe(first) = &mut verdict {
        let mut errors = Vec::new();
        for error in others {
            match confirm_trace(task, error) {
                Verdict::Unsafe(other) => errors.push(other),
                Verdict::Unknown(Reason::Refuted(what)) => return Verdict::Unknown(Reason::Refuted(what)),
                Verdict::Unknown(_) | Verdict::Safe(_) => {
                    left_open.get_or_insert_with(|| "one more could not be replayed".to_owned());
                }
            }
        }
        let search = left_open.map_or(ErrorSearch::Complete, ErrorSearch::Stopped);
        first.others = Some(Box::new(OtherErrors { errors, search }));
    }
    verdict
}

fn confirm_trace(task: &Task, error: FoundError) -> Verdict {
    let FoundError { trace, number } = error;
    match replay_to(&task.program, &task.property, &trace, number) {
        Ok(Replay { violation: Violation { failure, span, .. }, .. })
            if matches!(failure.kind, ErrorKind::Unmodelled(_)) =>
        {
            let construct = failure.message.trim_end_matches(" is not modelled").to_owned();
            Verdict::Unknown(Reason::Stopped(Stop::Unmodelled { construct, span }))
        }
        Ok(Replay { violation: Violation { failure, span, .. }, .. })
            if matches!(failure.kind, ErrorKind::Undefined(_)) =>
        {
            Verdict::Unknown(Reason::Stopped(Stop::Fault { fault: failure.message, span }))
        }
        // Where it does not hold, nothing is claimed.
        Ok(Replay { violation: Violation { failure, span, .. }, .. })
            if matches!(failure.kind, ErrorKind::Assumption(_)) =>
        {
            let mut assumptions = Assumptions::default();
            assumptions.add(failure.message, span);
            Verdict::Unknown(Reason::Assumed(assumptions))
        }
        Ok(replay) if task.property.counts(&replay.violation.failure.kind) => match approximated(task, &replay) {
            Some(stop) => Verdict::Unknown(Reason::Stopped(stop)),
            None => Verdict::Unsafe(ReplayedTrace { trace, replay, others: None }),
        },
        Ok(replay) => {
            let kind = &replay.violation.failure.kind;
            Verdict::Unknown(Reason::Refuted(format!("the trace ends in an error that does not count: {kind}")))
        }
        // Formulas give every variable a value, executions do not.
        Err(ReplayError::Fault(_, Fault::Undefined(variable))) => {
            let variable = &task.program.variables[variable];
            let construct = format!("a read of {}, which may have no value there,", variable.name);
            Verdict::Unknown(Reason::Stopped(Stop::Unsupported { construct, span: variable.span }))
        }
        Err(error) => Verdict::Unknown(Reason::Refuted(format!("the trace cannot be replayed: {error}"))),
    }
}

/// Why the execution may be none of the program's: two copies of what was never written have different values, or a step took
/// a value of which only a range is known.
fn approximated(task: &Task, replay: &Replay) -> Option<Stop> {
    if replay.copies_differ {
        let construct =
            "a counterexample with different values in two copies of memory that was never written".to_owned();
        return Some(Stop::Unsupported { construct, span: replay.violation.span });
    }
    let procedures = &task.program.procedures;
    let step = replay.steps.iter().find(|step| procedures[step.procedure].name == APPROXIMATE)?;
    let calls = replay.steps.iter().take_while(|other| !std::ptr::eq(*other, step));
    let caller =
        calls.filter(|other| other.step.thread == step.step.thread && procedures[other.procedure].name != APPROXIMATE);
    let caller = caller.last().map_or("", |caller| &*procedures[caller.procedure].name);
    let construct =
        format!("a counterexample with a value of the library function `{caller}`, of which only a range is known,");
    Some(Stop::Unmodelled { construct, span: None })
}

fn check(task: &Task, proof: Proof, config: &ConfirmConfig, budget: &Budget) -> Result<CheckedProof, Reason> {
    match proof {
        Proof::Reached(mut states) => {
            reached::check(task, &mut states, budget).map_err(|error| Failure::from(error).into_reason())?;
            let method = match states.deterministic {
                DeterministicSteps::Stored => ProofMethod::ReachedStates(states.states.len()),
                DeterministicSteps::Followed => ProofMethod::FollowedExecutions(states.states.len()),
            };
            let mut checker = "a second pass with the interpreter".to_owned();
            if let Some(solver) = check_by_solver(task, &mut states, config, budget)? {
                checker = format!("{checker}, and {solver}");
            }
            Ok(CheckedProof { method, checker, stated: Stated::default() })
        }
        Proof::Invariant(mut invariants) => {
            let method = ProofMethod::LocationInvariants(invariants.at.len());
            let stated = stated::of_locations(task, &mut invariants);
            let checker = invariant::check(task, invariants, config, budget).map_err(Failure::into_reason)?;
            Ok(CheckedProof { method, checker, stated })
        }
        Proof::Cuts(mut invariants) => {
            let method = ProofMethod::CutInvariants(cuts::count(&invariants));
            let stated = stated::of_cuts(task, &mut invariants);
            let checker = cuts::check(task, *invariants, config, budget).map_err(Failure::into_reason)?;
            Ok(CheckedProof { method, checker, stated })
        }
        Proof::Unrolling(unrolling) => {
            let method = ProofMethod::Unrolling(unrolling.nodes.len());
            let checker = unrolling::check(task, *unrolling, config, budget).map_err(Failure::into_reason)?;
            Ok(CheckedProof { method, checker, stated: Stated::default() })
        }
        Proof::Shapes(invariants) => {
            let method = ProofMethod::Shapes(invariants.at.iter().map(|(_, shapes)| shapes.len()).sum());
            shapes::check(task, &invariants, budget).map_err(Failure::into_reason)?;
            let checker = "a second pass over the steps from each shape".to_owned();
            Ok(CheckedProof { method, checker, stated: Stated::default() })
        }
        Proof::Interleaved(proof) => check_interleaved(task, *proof, config, budget),
        Proof::Cells(proof) => check_tracked(task, *proof, track_cells, config, budget),
        Proof::Objects(proof) => check_tracked(task, *proof, track_objects, config, budget),
        Proof::Modular(facts) => {
            let method = ProofMethod::ThreadModular(facts.values().map(Vec::len).sum());
            let checker = modular::check(task, &facts, config, budget).map_err(Failure::into_reason)?;
            Ok(CheckedProof { method, checker, stated: Stated::default() })
        }
    }
}

/// Checks a proof of a program with tracked cells or objects in place of all, which is made again for it.
fn check_tracked(
    task: &Task,
    proof: Proof,
    track: fn(&Program, &Property) -> Option<Program>,
    config: &ConfirmConfig,
    budget: &Budget,
) -> Result<CheckedProof, Reason> {
    if !tells_of_every_element(&task.property) {
        let what = format!("tracked cells do not show whether {} holds", task.property.name());
        return Err(Failure::Wrong(what).into_reason());
    }
    let Some(program) = track(&task.program, &task.property) else {
        return Err(Failure::Wrong("the program has nothing to track".to_owned()).into_reason());
    };
    if let Err(problems) = validate(&program) {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        return Err(Reason::Broken(problems.join("; ")));
    }
    check(&Task { program, property: task.property.clone() }, proof, config, budget)
}

/// Checks a proof of the interleavings of a program with threads, which are made again for it.
fn check_interleaved(
    task: &Task,
    proof: Proof,
    config: &ConfirmConfig,
    budget: &Budget,
) -> Result<CheckedProof, Reason> {
    if task.property.is_of_states() {
        let what = format!("interleavings do not show whether {} holds", task.property.name());
        return Err(Failure::Wrong(what).into_reason());
    }
    // Copies of variables have a first value, those of the program have none.
    for (id, _) in task.program.procedures.enumerate() {
        defined::reads_only_what_is_written(&task.program, id, |_, _| true).map_err(Failure::into_reason)?;
    }
    let interleaved = interleave(&task.program).map_err(|refused| Failure::Stopped(refused.into()).into_reason())?;
    if let Err(problems) = validate(&interleaved.program) {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        return Err(Reason::Broken(problems.join("; ")));
    }
    let second = Task { program: interleaved.program, property: task.property.clone() };
    check(&second, proof, config, budget)
}

/// What a solver says of a small set of states; `None` where it has nothing to say. The set is closed already as far as
/// the interpreter can tell, so that a solver that does not answer takes nothing away, but one that objects does.
fn check_by_solver(
    task: &Task,
    states: &mut ReachedStates,
    config: &ConfirmConfig,
    budget: &Budget,
) -> Result<Option<String>, Reason> {
    let Some(invariants) = reached::as_invariants(task, states) else { return Ok(None) };
    match invariant::check(task, invariants, config, budget) {
        Ok(solver) => Ok(Some(solver)),
        Err(Failure::Stopped(_)) => Ok(None),
        Err(wrong) => Err(wrong.into_reason()),
    }
}

/// Why a proof was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Failure {
    /// The check could not be finished.
    Stopped(Stop),
    /// The proof is wrong; what is wrong with it.
    Wrong(String),
}

impl Failure {
    fn into_reason(self) -> Reason {
        match self {
            Failure::Stopped(stop) => Reason::Stopped(stop),
            Failure::Wrong(what) => Reason::Refuted(format!("the proof does not stand: {what}")),
        }
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}

impl From<Unsupported> for Failure {
    fn from(unsupported: Unsupported) -> Failure {
        Failure::Stopped(unsupported.into())
    }
}

impl From<reached::NotClosed> for Failure {
    fn from(error: reached::NotClosed) -> Failure {
        match error {
            reached::NotClosed::Stopped(stop) => Failure::Stopped(stop),
            wrong => Failure::Wrong(wrong.to_string()),
        }
    }
}

impl Verdict {
    /// `safe`, `unsafe` or `unknown`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Safe(_) => "safe",
            Verdict::Unsafe(_) => "unsafe",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// The exit status that says so.
    pub fn exit_status(&self) -> u8 {
        match self {
            Verdict::Safe(_) => 0,
            Verdict::Unsafe(_) => 1,
            Verdict::Unknown(_) => 2,
        }
    }
}

impl CheckedProof {
    /// How the property was proved.
    pub fn method(&self) -> ProofMethod {
        self.method
    }

    /// What it says, in the words of the source; nothing, where it is no formula.
    pub fn stated(&self) -> &Stated {
        &self.stated
    }

    /// Who checked it.
    pub fn checker(&self) -> &str {
        &self.checker
    }
}

impl ReplayedTrace {
    /// The choices that make the execution.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What the execution did.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Executions that end in other errors, where these were asked for.
    pub fn others(&self) -> &[ReplayedTrace] {
        self.others.as_ref().map_or(&[], |others| &others.errors)
    }

    /// How far other errors were looked for, where they were.
    pub fn search(&self) -> Option<&ErrorSearch> {
        self.others.as_ref().map(|others| &others.search)
    }
}
