//! What a part, a process that does some of the work, tells the one that started it: one line of JSON, then its report.

use super::tried::Account;
use super::{Outcome, TaskSummary, reason};
use crate::engine::Statistics;
use serde::{Deserialize, Serialize};

/// The line of a part; its report, as the user wants it, comes after it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PartReport {
    /// The exit status that goes with the verdict.
    pub status: u8,
    /// The verdict's reason, in one sentence.
    pub reason: String,
    /// What the engine did.
    pub statistics: Statistics,
    /// What it has to say where it has no answer.
    pub account: Option<Box<Account>>,
    /// What was asked, from a part that only reads the program.
    pub facts: Option<Box<Facts>>,
}

/// What there is to know of a program before an engine is chosen.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Facts {
    /// What a report says of the task.
    pub task: TaskSummary,
    /// Whether the property is about states, not places of the program.
    pub is_of_states: bool,
    /// Whether the program has threads.
    pub has_threads: bool,
    /// Whether it can make any number of objects on the heap.
    pub allocates_repeatedly: bool,
    /// Whether it reads inputs and writes memory.
    pub keeps_inputs: bool,
}

impl PartReport {
    /// The line for an outcome.
    pub fn of(outcome: &Outcome) -> PartReport {
        PartReport {
            status: outcome.verdict.exit_status(),
            reason: reason(outcome.verdict),
            statistics: outcome.statistics.clone(),
            account: Account::of(outcome).map(Box::new),
            facts: None,
        }
    }

    /// The line.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("a report has string keys and finite numbers only")
    }

    /// The report in a line, if it is one.
    pub fn from_line(line: &str) -> Option<PartReport> {
        serde_json::from_str(line).ok()
    }
}
