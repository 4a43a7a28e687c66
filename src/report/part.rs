//! What a part of a portfolio, a process of its own, tells the one that started it: one line of JSON.

use super::{Outcome, json, reason, text};
use crate::confirm::{Reason, Verdict};
use crate::engine::Statistics;
use serde::{Deserialize, Serialize};

/// The report of a part.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PartReport {
    /// The exit status that goes with the verdict.
    pub status: u8,
    /// The verdict's reason, in one sentence.
    pub reason: String,
    /// Whether there is more to say than that, though there is no answer.
    pub has_assumptions: bool,
    /// What the engine did.
    pub statistics: Statistics,
    /// The report for people, with the verdict in its last line.
    pub text: String,
    /// The report for programs.
    pub document: String,
}

impl PartReport {
    /// The report of an outcome.
    pub fn of(outcome: &Outcome, config: &text::TextConfig) -> PartReport {
        let verdict = text::verdict_line(outcome.verdict);
        PartReport {
            status: outcome.verdict.exit_status(),
            reason: reason(outcome.verdict),
            has_assumptions: matches!(outcome.verdict, Verdict::Unknown(Reason::Assumed(_))),
            statistics: outcome.statistics.clone(),
            text: format!("{}{verdict}\n", text::report(outcome, config)),
            document: format!("{}\n", json::document(outcome)),
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
