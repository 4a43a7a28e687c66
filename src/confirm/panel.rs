//! The solvers that check proofs.

use super::{ConfirmConfig, Failure};
use crate::engine::{Budget, Stop};
use crate::solver::{Answer, Found, Reason, SmtProcess, Solve, locate, second_opinion};
use crate::term::{TermId, Terms};
use std::time::Instant;

/// Whoever answers whether a formula has a model.
pub(super) type Ask<'a> = dyn FnMut(&Terms, TermId) -> Answer + 'a;

/// Runs a check whose questions the solvers answer, and tells which of them did.
pub(super) fn answered(
    config: &ConfirmConfig,
    budget: &Budget,
    check: impl FnOnce(&mut Ask<'_>) -> Result<(), Failure>,
) -> Result<String, Failure> {
    let mut panel = Panel::new(config, budget)?;
    check(&mut |terms, query| panel.ask(terms, query))?;
    Ok(panel.describe())
}

/// Why there is no answer to a question about a proof.
pub(super) fn no_answer(reason: Reason, budget: &Budget) -> Stop {
    match budget.check() {
        Err(stop) => stop,
        Ok(()) => Stop::Solver(format!("the proof could not be checked: {reason}")),
    }
}

/// The solvers that answer: the second opinion, and the one that found the proof where that does not know.
struct Panel {
    members: Vec<Member>,
}

struct Member {
    name: String,
    process: SmtProcess,
    /// How many queries it answered.
    answered: usize,
}

impl Panel {
    fn new(config: &ConfirmConfig, budget: &Budget) -> Result<Panel, Failure> {
        let finder = locate(config.solver.as_deref()).map_err(|error| Stop::Solver(error.to_string()))?;
        let second = second_opinion(finder.kind).filter(|second| second.program != finder.program);
        let deadline = budget.remaining().and_then(|left| Instant::now().checked_add(left));
        let members = second.into_iter().chain([finder]).map(|found| Member::new(&found, deadline)).collect();
        Ok(Panel { members })
    }

    fn ask(&mut self, terms: &Terms, query: TermId) -> Answer {
        let mut answer = Answer::Unknown(Reason::Failed("no solver".to_owned()));
        for member in &mut self.members {
            answer = member.process.check(terms, &[query]);
            if !matches!(answer, Answer::Unknown(_)) {
                member.answered += 1;
                break;
            }
        }
        answer
    }

    fn describe(&self) -> String {
        let busy: Vec<String> = self.members.iter().filter(|m| m.answered > 0).map(|m| m.name.clone()).collect();
        let names =
            if busy.is_empty() { "no solver, as there was nothing to ask".to_owned() } else { busy.join(" and ") };
        let alone = if self.members.len() == 1 {
            ", the only solver that is installed: there was no second opinion"
        } else {
            ""
        };
        format!("{names}{alone}")
    }
}

impl Member {
    fn new(found: &Found, deadline: Option<Instant>) -> Member {
        let version = found.version.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        let mut process = SmtProcess::new(found.config());
        process.set_deadline(deadline);
        Member { name: format!("{} {version}", found.kind).trim_end().to_owned(), process, answered: 0 }
    }
}
