//! The solvers that check proofs.

use super::{ConfirmConfig, Failure};
use crate::engine::{Budget, Stop};
use crate::solver::{Answer, Found, Reason, SmtProcess, Solve, locate, other_solvers};
use crate::term::{TermId, Terms};
use std::time::{Duration, Instant};

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

/// How long a solver may think about what another one has answered already: it is only to object. A question that the
/// solvers find easy takes them milliseconds.
const LIMIT_TO_OBJECT: Duration = Duration::from_secs(2);

/// How long each solver may think about a question before the next one is asked. Only where none of them answers in this
/// time does each have all of its own: on loops over tiles of arrays Yices and cvc5 took 10 s each, for nothing, where Z3
/// answers in one.
const FIRST_LIMIT: Duration = Duration::from_secs(2);

/// After how many questions in a row for which it had no answer a solver is left out for some questions, twice as many each
/// time, unless no other one has an answer. Large formulas are answered by some solvers at once, and by others not in
/// minutes; each of a program's many questions cost all the time that there was to object.
const MAX_MISSES: u32 = 3;

/// The solvers that answer. Each question is put to them in turn until two have answered, so that whoever found the proof,
/// another one agrees. Where they contradict each other there is no answer.
struct Panel {
    members: Vec<Member>,
    /// Those that were not needed so far.
    more: Box<dyn Iterator<Item = Found>>,
    deadline: Option<Instant>,
    /// How many questions one solver alone answered.
    alone: usize,
    answered: usize,
}

struct Member {
    name: String,
    process: SmtProcess,
    limit: Duration,
    /// Whether it answered a question.
    has_answered: bool,
    /// How many questions in a row it has not answered.
    misses: u32,
    /// For how many questions it is left out.
    rests: u32,
}

impl Panel {
    fn new(config: &ConfirmConfig, budget: &Budget) -> Result<Panel, Failure> {
        let finder = locate(config.solver.as_deref()).map_err(|error| Stop::Solver(error.to_string()))?;
        let program = finder.program.clone();
        let others = other_solvers(finder.kind).filter(move |other| other.program != program);
        let more = Box::new(others.chain([finder]));
        let deadline = budget.remaining().and_then(|left| Instant::now().checked_add(left));
        Ok(Panel { members: Vec::new(), more, deadline, alone: 0, answered: 0 })
    }

    fn ask(&mut self, terms: &Terms, query: TermId) -> Answer {
        let mut first = None;
        let mut unknown = Answer::Unknown(Reason::Failed("no solver".to_owned()));
        for is_hurried in [true, false] {
            let mut asked = Vec::new();
            while let Some(number) = self.next(&asked) {
                asked.push(number);
                if (is_hurried || first.is_some()) && self.members[number].rests() {
                    continue;
                }
                match (self.members[number].ask(terms, query, is_hurried, first.is_some()), &first) {
                    (answer @ Answer::Unknown(_), _) => unknown = answer,
                    (answer, None) => first = Some(answer),
                    (answer, Some(before)) if answer != *before => {
                        return Answer::Unknown(Reason::Failed("two solvers contradict each other".to_owned()));
                    }
                    (answer, Some(_)) => {
                        self.answered += 1;
                        return answer;
                    }
                }
            }
            if first.is_some() {
                break;
            }
        }
        let Some(answer) = first else { return unknown };
        self.answered += 1;
        self.alone += 1;
        answer
    }

    /// Who is asked next: first those that had an answer to their last question, or were not asked so far.
    fn next(&mut self, asked: &[usize]) -> Option<usize> {
        let open = (0..self.members.len()).filter(|number| !asked.contains(number));
        let best = open.min_by_key(|number| (self.members[*number].misses, *number));
        if best.is_none_or(|best| self.members[best].misses > 0)
            && let Some(found) = self.more.next()
        {
            self.members.push(Member::new(&found, self.deadline));
            return Some(self.members.len() - 1);
        }
        best
    }

    /// Who answered, and how many questions one of them alone did.
    fn describe(&self) -> String {
        let busy = self.members.iter().filter(|member| member.has_answered);
        let names = busy.map(|member| member.name.as_str()).collect::<Vec<_>>().join(" and ");
        match (self.answered, self.alone) {
            (0, _) => "no solver, as there was nothing to ask".to_owned(),
            (_, 0) => names,
            _ if self.members.len() == 1 => {
                format!("{names}, the only solver that is installed: there was no second opinion")
            }
            (answered, alone) => format!("{names}; {alone} of {answered} questions had no second opinion"),
        }
    }
}

impl Member {
    fn new(found: &Found, deadline: Option<Instant>) -> Member {
        let version = found.version.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        let config = found.config();
        let limit = config.query_limit;
        let mut process = SmtProcess::new(config);
        process.set_deadline(deadline);
        let name = format!("{} {version}", found.kind).trim_end().to_owned();
        Member { name, process, limit, has_answered: false, misses: 0, rests: 0 }
    }

    /// Whether it is left out this time.
    fn rests(&mut self) -> bool {
        let rests = self.rests > 0;
        self.rests = self.rests.saturating_sub(1);
        rests
    }

    /// Its answer; it has less time where others are to be asked, too, or there is an answer already.
    fn ask(&mut self, terms: &Terms, query: TermId, is_hurried: bool, is_answered: bool) -> Answer {
        let most = match (is_answered, is_hurried) {
            (true, _) => LIMIT_TO_OBJECT,
            (false, true) => FIRST_LIMIT,
            (false, false) => self.limit,
        };
        self.process.set_query_limit(most.min(self.limit));
        let answer = self.process.check(terms, &[query]);
        // What a solver says at once that it lacks costs nothing.
        match &answer {
            Answer::Unknown(Reason::Incomplete(_)) => {}
            Answer::Unknown(_) => {
                self.misses += 1;
                if self.misses >= MAX_MISSES {
                    self.rests = 1 << self.misses.min(16);
                }
            }
            _ => {
                self.has_answered = true;
                self.misses = 0;
            }
        }
        answer
    }
}
