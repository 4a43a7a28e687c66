//! Where there is no answer: what each engine did, how far it came, why it stopped, what stands in the way, and what to try.

use super::place::{Place, counted};
use super::{Outcome, clean::escaped, reason};
use crate::confirm::{Reason, Verdict};
use crate::engine::{Assumptions, Statistics, Stop};
use crate::program::Assumption;
use serde::{Deserialize, Serialize};

/// What an engine without an answer has to say. It goes from one process to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The engine.
    pub engine: String,
    /// Why it stopped, in one sentence.
    pub reason: String,
    /// How far it came.
    pub reached: String,
    /// What stands in the way, or where most of the work was.
    pub place: Option<At>,
    /// What could help.
    pub advice: Option<String>,
    /// What it takes for granted, where it found no error but for that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Taken>,
}

/// Something that is taken for granted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// What, as a sentence.
    pub text: String,
    /// Where.
    pub place: Option<At>,
}

/// A place in the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct At {
    /// The file.
    pub file: String,
    /// The line, from 1 on.
    pub line: usize,
    /// The column, from 1 on.
    pub column: usize,
    /// The text of the line, or its start.
    pub text: String,
}

/// How many characters of a line are kept.
const MAX_LINE: usize = 200;

impl At {
    fn of(place: &Place<'_>) -> At {
        let text = place.text.chars().take(MAX_LINE).collect();
        At { file: place.file.to_owned(), line: place.line, column: place.column, text }
    }

    pub(super) fn place(&self) -> Place<'_> {
        Place { file: &self.file, line: self.line, column: self.column, text: &self.text }
    }
}

/// What an outcome takes for granted, if it has no answer but for that: where several engines were at work, the first of
/// them that came so far.
pub(super) fn taken_for_granted(outcome: &Outcome) -> Vec<Taken> {
    let Verdict::Unknown(Reason::Assumed(_)) = outcome.verdict else { return Vec::new() };
    let own = if outcome.accounts.is_empty() { Account::of(outcome) } else { None };
    let mut all = outcome.accounts.iter().chain(&own).map(|account| &account.assumptions);
    all.find(|taken| !taken.is_empty()).cloned().unwrap_or_default()
}

impl Account {
    /// What there is to say of an outcome without an answer.
    pub fn of(outcome: &Outcome) -> Option<Account> {
        let Verdict::Unknown(why) = outcome.verdict else { return None };
        let sources = outcome.task.map(|task| &task.program.sources);
        let span = obstacle(why).or(outcome.statistics.busiest);
        let at = |span| sources.and_then(|sources| Place::of(sources, span)).map(|place| At::of(&place));
        Some(Account {
            engine: outcome.engine.to_owned(),
            reason: reason(outcome.verdict),
            reached: reached(outcome.statistics),
            place: at(span),
            advice: advice(why).map(str::to_owned),
            assumptions: match why {
                Reason::Assumed(all) => {
                    all.0.iter().map(|one| Taken { text: one.text.clone(), place: at(one.span) }).collect()
                }
                _ => Vec::new(),
            },
        })
    }

    /// What there is to say of a process that broke down.
    pub fn of_broken(engine: &str, reason: String) -> Account {
        Account {
            engine: engine.to_owned(),
            reason,
            reached: String::new(),
            place: None,
            advice: None,
            assumptions: Vec::new(),
        }
    }

    /// What it takes for granted, for a verdict where the program is not at hand: the places are here.
    pub fn assumed(&self) -> Assumptions {
        let assumption = |taken: &Taken| Assumption { text: taken.text.clone(), span: None };
        Assumptions(self.assumptions.iter().map(assumption).collect())
    }

    /// The account as a line, and where the engine was.
    pub(super) fn lines(&self, width: usize) -> Vec<String> {
        let parts: Vec<&str> = [&self.reached, &self.reason].into_iter().map(String::as_str).collect();
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let mut lines = vec![format!("{:<width$}  {}", escaped(&self.engine), escaped(&parts.join("; ")))];
        if let Some(At { file, line, text, .. }) = &self.place {
            lines.push(format!("{:<width$}  at {}:{line}  {}", "", escaped(file), escaped(text.trim())));
        }
        lines
    }
}

/// The place that stopped an engine.
fn obstacle(why: &Reason) -> Option<crate::program::Span> {
    match why {
        Reason::Stopped(Stop::Unsupported { span, .. } | Stop::Unmodelled { span, .. } | Stop::Fault { span, .. }) => {
            *span
        }
        _ => None,
    }
}

/// How far an engine came.
fn reached(statistics: &Statistics) -> String {
    let count = |count: u64, noun: &str| (count > 0).then(|| counted(count as usize, noun));
    let passes = (statistics.passes > 0).then(|| match statistics.passes {
        1 => "no failure within one pass through a loop head".to_owned(),
        passes => format!("no failure within {passes} passes through loop heads"),
    });
    let parts =
        [passes, count(statistics.states, "state"), count(statistics.refinements, "refinement")].into_iter().flatten();
    let all: Vec<String> = parts.chain(count(statistics.predicates, "predicate")).collect();
    all.join(", ")
}

/// One thing to try.
fn advice(why: &Reason) -> Option<&'static str> {
    match why {
        Reason::Stopped(Stop::TimeLimit) => Some(
            "a longer --time-limit, or smaller bounds for inputs and sizes: a failure there is one of the whole program",
        ),
        Reason::Stopped(Stop::MemoryLimit) => Some("a larger --memory-limit"),
        Reason::Stopped(Stop::Unmodelled { .. }) => {
            Some("a body for what is not modelled, in a file of its own beside the others")
        }
        Reason::Stopped(Stop::Unsupported { .. }) => Some("--engine auto, which has other engines for it"),
        _ => None,
    }
}
