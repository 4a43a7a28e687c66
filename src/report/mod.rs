//! What the user reads: text for people, JSON for programs, messages about source files.

mod calls;
pub mod clean;
pub mod diagnostic;
pub mod draw;
pub mod json;
mod objects;
pub mod part;
mod place;
mod properties;
mod story;
pub mod style;
pub mod text;
mod threads;
pub mod tried;

use crate::confirm::{ProofMethod, Reason, Verdict};
use crate::engine::{Statistics, Task};
use crate::program::{LocId, ProcId, Program, Remark};
use clean::escaped;
use place::{Place, counted, one_line};
use serde::{Deserialize, Serialize};

/// What a report says of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskSummary {
    /// The name of the program.
    pub name: String,
    /// The short names of the properties, joined by commas.
    pub property: String,
    /// The same, and how much of this program it is about.
    pub question: String,
    /// What the user should know of how the program was read.
    pub remarks: Vec<RemarkSummary>,
}

/// A remark, and where it belongs: enough to show it where there is no program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemarkSummary {
    /// What it says.
    pub text: String,
    /// The file, the line, the column, and the text of the line.
    pub place: Option<(String, usize, usize, String)>,
}

/// How many characters of a line are kept to show it: a summary is part of one line between processes, which has a longest
/// length, and a line of a program can have megabytes.
const LONGEST_LINE_SHOWN: usize = 500;

impl RemarkSummary {
    fn all_of(program: &Program) -> Vec<RemarkSummary> {
        let start = |text: &str| text.chars().take(LONGEST_LINE_SHOWN).collect::<String>();
        let place = |place: Place<'_>| (place.file.to_owned(), place.line, place.column, start(place.text));
        let summary = |remark: &Remark| RemarkSummary {
            text: remark.text.clone(),
            place: Place::of(&program.sources, remark.span).map(place),
        };
        program.remarks.iter().map(summary).collect()
    }

    fn place(&self) -> Option<Place<'_>> {
        let (file, line, column, text) = self.place.as_ref()?;
        Some(Place { file, line: *line, column: *column, text })
    }
}

impl TaskSummary {
    /// The summary of a task.
    pub fn of(task: &Task) -> TaskSummary {
        let is_known = |(procedure, location): &(ProcId, LocId)| {
            let error = &task.program.procedures[*procedure].locations[*location].error;
            error.as_ref().is_none_or(|failure| !failure.kind.is_open())
        };
        let places = task.program.violations(&task.property).filter(is_known).count();
        let property = task.property.names();
        let question = match places {
            0 if task.property.is_of_states() => format!("{property}, of every state"),
            0 => format!("{property}, which nothing in the program can violate"),
            _ => format!("{property}, which {} could violate", counted(places, "place")),
        };
        TaskSummary {
            name: task.program.name.clone(),
            property,
            question,
            remarks: RemarkSummary::all_of(&task.program),
        }
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
    /// Where several engines were at work and have no answer, what each has to say.
    pub accounts: &'a [tried::Account],
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
            ProofMethod::ThreadModular(facts) => {
                let facts = counted(facts, "inductive fact");
                format!("no execution violates the property: {facts} of each thread and of every two exclude it")
            }
            ProofMethod::Shapes(shapes) => {
                let shapes = counted(shapes, "shape");
                format!("no execution violates the property: memory always has one of {shapes}")
            }
            ProofMethod::Unrolling(states) => {
                let states = counted(states, "symbolic state");
                format!("no execution violates the property: all were followed to their ends, through {states}")
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
