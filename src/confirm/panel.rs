//! The solvers that check proofs.

use super::{ConfirmConfig, Failure};
use crate::engine::{Budget, Stop};
use crate::solver::{Answer, Found, Reason, SmtProcess, Solve, locate, other_solvers};
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

/// The solvers that answer: those that did not find the proof, in their order, and last the one that did. Each is asked
/// what those before it did not answer.
struct Panel {
    members: Vec<Member>,
    /// Those that were not needed so far.
    more: Box<dyn Iterator<Item = Found>>,
    deadline: Option<Instant>,
    finder: Found,
}

struct Member {
    name: String,
    process: SmtProcess,
    /// How many queries it answered.
    answered: usize,
    /// Whether it also found the proof.
    is_finder: bool,
}

impl Panel {
    fn new(config: &ConfirmConfig, budget: &Budget) -> Result<Panel, Failure> {
        let finder = locate(config.solver.as_deref()).map_err(|error| Stop::Solver(error.to_string()))?;
        let program = finder.program.clone();
        let others = other_solvers(finder.kind).filter(move |other| other.program != program);
        let more = Box::new(others.chain([finder.clone()]));
        let deadline = budget.remaining().and_then(|left| Instant::now().checked_add(left));
        Ok(Panel { members: Vec::new(), more, deadline, finder })
    }

    fn ask(&mut self, terms: &Terms, query: TermId) -> Answer {
        let mut answer = Answer::Unknown(Reason::Failed("no solver".to_owned()));
        for number in 0.. {
            if number == self.members.len() {
                let Some(found) = self.more.next() else { break };
                let is_finder = found.program == self.finder.program;
                self.members.push(Member::new(&found, is_finder, self.deadline));
            }
            let member = &mut self.members[number];
            answer = member.process.check(terms, &[query]);
            if !matches!(answer, Answer::Unknown(_)) {
                member.answered += 1;
                break;
            }
        }
        answer
    }

    /// Who answered, and how many questions only the solver that found the proof answered.
    fn describe(&self) -> String {
        let busy: Vec<&Member> = self.members.iter().filter(|member| member.answered > 0).collect();
        let names: Vec<&str> = busy.iter().map(|member| member.name.as_str()).collect();
        let asked: usize = busy.iter().map(|member| member.answered).sum();
        let alone: usize = busy.iter().filter(|member| member.is_finder).map(|member| member.answered).sum();
        let names = names.join(" and ");
        match (asked, alone) {
            (0, _) => "no solver, as there was nothing to ask".to_owned(),
            (_, 0) => names,
            _ if self.members.len() == 1 => {
                format!("{names}, the only solver that is installed: there was no second opinion")
            }
            _ if alone == asked => format!("{names}, as no other solver answered: there was no second opinion"),
            _ => format!("{names}; {alone} of {asked} questions had no second opinion"),
        }
    }
}

impl Member {
    fn new(found: &Found, is_finder: bool, deadline: Option<Instant>) -> Member {
        let version = found.version.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        let mut process = SmtProcess::new(found.config());
        process.set_deadline(deadline);
        Member { name: format!("{} {version}", found.kind).trim_end().to_owned(), process, answered: 0, is_finder }
    }
}
