//! Of several properties that were asked for at once, what is known of each.

use super::Outcome;
use crate::confirm::Verdict;
use crate::program::Property;

/// What is known of one of several properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// It holds.
    Safe,
    /// It is violated.
    Unsafe,
    /// An execution ends where it violates one, so that it tells nothing of the others.
    AnotherFirst,
    /// Nothing.
    Nothing,
}

impl Known {
    /// The verdict on the property alone.
    pub(super) fn verdict(self) -> &'static str {
        match self {
            Known::Safe => "safe",
            Known::Unsafe => "unsafe",
            Known::AnotherFirst | Known::Nothing => "unknown",
        }
    }
}

/// Each property by its name, in the order in which they were asked for. None where the program could not be read.
pub(super) fn known(outcome: &Outcome) -> Vec<(String, Known)> {
    let Some(summary) = outcome.summary else { return Vec::new() };
    let parts = outcome.task.map_or(&[][..], |task| task.property.parts());
    let of_name = |name: &str| match outcome.verdict {
        Verdict::Safe(_) => Known::Safe,
        Verdict::Unknown(_) => Known::Nothing,
        Verdict::Unsafe(trace) => {
            let mut errors = std::iter::once(trace).chain(trace.others());
            let mut is_violated = |part: &Property| errors.any(|e| part.counts(&e.replay().violation.failure.kind));
            match parts.iter().find(|part| part.name() == name) {
                Some(part) if is_violated(part) && !is_wider(part, parts) => Known::Unsafe,
                _ => Known::AnotherFirst,
            }
        }
    };
    summary.property.split(',').map(|name| (name.to_owned(), of_name(name))).collect()
}

/// Whether what counts for a property is more than what violates it, since others were asked for that count more:
/// what is lost at the end is lost for them alone.
fn is_wider(part: &Property, parts: &[Property]) -> bool {
    let counts_more = |other: &Property| matches!(other, Property::ValidMemsafety | Property::ValidMemtrack);
    *part == Property::NoLeak && parts.iter().any(counts_more)
}
