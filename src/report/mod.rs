//! What the user reads: text for people, JSON for programs, messages about source files.

pub mod clean;
pub mod diagnostic;
pub mod draw;
pub mod json;
mod objects;
pub mod part;
mod place;
pub mod style;
pub mod text;

use crate::confirm::{ProofMethod, Reason, Verdict};
use crate::engine::{Statistics, Task};
use crate::program::{LocId, ProcId};
use clean::escaped;
use place::{counted, one_line};
use serde::{Deserialize, Serialize};

/// What a report says of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskSummary {
    /// The name of the program.
    pub name: String,
    /// The name of the property.
    pub property: String,
    /// The same, and how much of this program it is about.
    pub question: String,
}

impl TaskSummary {
    /// The summary of a task.
    pub fn of(task: &Task) -> TaskSummary {
        let is_known = |(procedure, location): &(ProcId, LocId)| {
            let error = &task.program.procedures[*procedure].locations[*location].error;
            error.as_ref().is_none_or(|failure| !failure.kind.is_open())
        };
        let places = task.program.violations(&task.property).filter(is_known).count();
        let property = task.property.name().to_owned();
        let question = match places {
            0 if task.property.is_of_states() => format!("{property}, of every state"),
            0 => format!("{property}, which nothing in the program can violate"),
            _ => format!("{property}, which {} could violate", counted(places, "place")),
        };
        TaskSummary { name: task.program.name.clone(), property, question }
    }
}

/// Everything there is to say of one verification.
#[derive(Debug, Clone, Copy)]
pub struct Outcome<'a> {
    /// The files, as the user named them.
    pub files: &'a [String],
    /// What was verified; none where the program could not be read to its end.
    pub task: Option<&'a Task>,
    /// What is known of that.
    pub summary: Option<&'a TaskSummary>,
    /// The name of the engine.
    pub engine: &'a str,
    /// The verdict.
    pub verdict: &'a Verdict,
    /// What the engine did.
    pub statistics: &'a Statistics,
    /// How long all of it took.
    pub seconds: f64,
}

/// The verdict's reason, in one sentence.
pub fn reason(verdict: &Verdict) -> String {
    escaped(&reason_of(verdict)).into_owned()
}

fn reason_of(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(proof) => match proof.method() {
            ProofMethod::ReachedStates(states) => {
                let states = counted(states, "state");
                format!("no execution violates the property: {states} can be reached, and that is all of them")
            }
            ProofMethod::FollowedExecutions(states) => {
                let states = counted(states, "state");
                format!("no execution violates the property: all were followed, and {states} stored on the way")
            }
            ProofMethod::LocationInvariants(locations) => {
                let locations = counted(locations, "location");
                format!("no execution violates the property: an inductive invariant for {locations} excludes it")
            }
            ProofMethod::CutInvariants(states) => {
                let states = counted(states, "abstract state");
                format!("no execution violates the property: an inductive invariant of {states} excludes it")
            }
        },
        Verdict::Unsafe(trace) => {
            let steps = counted(trace.replay().steps.len(), "step");
            format!("after {steps}: {}", one_line(&trace.replay().violation.failure.message))
        }
        Verdict::Unknown(Reason::Stopped(stop)) => stop.to_string(),
        Verdict::Unknown(Reason::Assumed(assumptions)) => match assumptions.0.as_slice() {
            [one] => format!("no error was found, assuming that {}", one.text),
            many => format!("no error was found, under {} assumptions", many.len()),
        },
        Verdict::Unknown(Reason::Refuted(what)) => {
            format!("internal error, please report it: the engine's claim was checked and refuted: {what}")
        }
        Verdict::Unknown(Reason::Broken(what)) => format!("internal error, please report it: {what}"),
    }
}
