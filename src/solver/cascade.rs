//! Two solvers as one: a quick one is asked first, and where it does not know, one that can do everything.
//!
//! The stack is kept here, and each of the two is told what changed since its last question when it is asked the next
//! one. So the second costs nothing while the first answers, and neither is sent levels that were opened and closed
//! in between. Interpolation, elimination and Horn clauses are for the second alone.

use super::interpolate::{Interpolate, InterpolateError, Interpolation, Method, NestedPath, PathStep};
use super::{
    Answer, CoreAnswer, Cores, Eliminate, Elimination, HornClauses, Kind, Models, Reason, SmtProcess, Solve,
    SolverError, Statistics,
};
use crate::term::{Assignment, Symbol, TermId, Terms};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Which part of the time for one question the quick solver may take of its own before the other is asked.
const QUICK_PART: u32 = 10;

/// After how many questions that it failed at, or took all its time for, the quick solver is not asked any more. What it
/// says at once that it lacks does not count.
const MAX_FAILURES: u32 = 3;

/// A solver made of a quick one, where there is one, and one that can do everything.
pub struct Cascade {
    /// The assertions, level by level; the first is the ground level.
    levels: Vec<Vec<TermId>>,
    quick: Option<Member>,
    full: Member,
    /// What was last found satisfiable, and by whom.
    last: Option<(Who, Vec<TermId>)>,
    /// How many questions the quick one did not answer.
    passed_on: u64,
    /// How many of these it failed at, or took all its time for.
    failures: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Quick,
    Full,
}

/// A process, and how much of the stack it knows.
struct Member {
    process: SmtProcess,
    /// Its first so many levels are those of the stack, but that the last of them may lack assertions.
    agreed: usize,
}

impl Member {
    fn new(process: SmtProcess) -> Member {
        Member { process, agreed: 1 }
    }

    /// Tells the process what changed.
    fn told(&mut self, terms: &Terms, levels: &[Vec<TermId>]) -> &mut SmtProcess {
        let process = &mut self.process;
        while process.level() + 1 > self.agreed {
            process.pop();
        }
        let known = process.last_level().len();
        for &term in &levels[self.agreed - 1][known..] {
            process.assert(terms, term);
        }
        for level in &levels[self.agreed..] {
            process.push();
            for &term in level {
                process.assert(terms, term);
            }
        }
        self.agreed = levels.len();
        process
    }
}

impl Cascade {
    /// The full solver alone where there is no quick one.
    pub fn new(full: SmtProcess, quick: Option<SmtProcess>) -> Cascade {
        let limit = full.config().query_limit;
        let mut cascade = Cascade {
            levels: vec![Vec::new()],
            quick: quick.map(Member::new),
            full: Member::new(full),
            last: None,
            passed_on: 0,
            failures: 0,
        };
        cascade.set_query_limit(limit);
        cascade
    }

    /// Which solver can do everything.
    pub fn kind(&self) -> Kind {
        self.full.process.kind()
    }

    /// What was asked so far. A question that both were asked is one.
    pub fn statistics(&self) -> Statistics {
        let mut all = self.full.process.statistics();
        if let Some(quick) = &self.quick {
            all.add(&quick.process.statistics());
            all.queries -= self.passed_on;
            all.unknown -= self.passed_on;
        }
        all
    }

    /// From the deadline on, every answer is `Unknown`, and a query under way ends.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.processes().for_each(|process| process.set_deadline(deadline));
    }

    /// The time that one query may take from now on.
    pub fn set_query_limit(&mut self, limit: Duration) {
        self.full.process.set_query_limit(limit);
        if let Some(quick) = &mut self.quick {
            quick.process.set_query_limit(limit / QUICK_PART);
        }
    }

    /// The time that the quick solver may take of that, until the other is set again.
    pub fn set_quick_limit(&mut self, limit: Duration) {
        if let Some(quick) = &mut self.quick {
            quick.process.set_query_limit(limit);
        }
    }

    /// Once the flag is true, every answer is `Unknown`, and a query under way ends.
    pub fn set_interrupt(&mut self, flag: Option<Arc<AtomicBool>>) {
        self.processes().for_each(|process| process.set_interrupt(flag.clone()));
    }

    /// The assertions of all levels, the oldest first.
    pub fn assertions(&self) -> impl Iterator<Item = TermId> + '_ {
        self.levels.iter().flatten().copied()
    }

    /// See [`SmtProcess::solve_horn`].
    pub fn solve_horn(
        &self,
        terms: &mut Terms,
        horn: &HornClauses,
        limit: Duration,
    ) -> Result<Option<Vec<TermId>>, SolverError> {
        self.full.process.solve_horn(terms, horn, limit)
    }

    fn processes(&mut self) -> impl Iterator<Item = &mut SmtProcess> {
        self.quick.iter_mut().chain([&mut self.full]).map(|member| &mut member.process)
    }

    fn full(&mut self, terms: &Terms) -> &mut SmtProcess {
        self.full.told(terms, &self.levels)
    }

    /// The quick solver, where there is one that is worth asking.
    fn quick(&mut self, terms: &Terms) -> Option<&mut SmtProcess> {
        if self.failures >= MAX_FAILURES {
            return None;
        }
        self.quick.as_mut().map(|quick| quick.told(terms, &self.levels))
    }

    /// Notes that the quick solver did not answer.
    fn pass_on(&mut self, reason: &Reason) {
        self.passed_on += 1;
        self.failures += u32::from(!matches!(reason, Reason::Incomplete(_)));
    }
}

impl Solve for Cascade {
    fn push(&mut self) {
        self.last = None;
        self.levels.push(Vec::new());
    }

    fn pop(&mut self) {
        if self.levels.len() == 1 {
            return;
        }
        self.last = None;
        self.levels.pop();
        let left = self.levels.len();
        for member in self.quick.iter_mut().chain([&mut self.full]) {
            member.agreed = member.agreed.min(left);
        }
    }

    fn level(&self) -> usize {
        self.levels.len() - 1
    }

    fn assert(&mut self, _terms: &Terms, term: TermId) {
        self.last = None;
        self.levels.last_mut().expect("the ground level is never popped").push(term);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        self.last = None;
        let quick = self.quick(terms).map(|quick| quick.check(terms, assumptions));
        if let Some(Answer::Unknown(reason)) = &quick {
            self.pass_on(reason);
        }
        let (who, answer) = match quick {
            None | Some(Answer::Unknown(_)) => (Who::Full, self.full(terms).check(terms, assumptions)),
            Some(answer) => (Who::Quick, answer),
        };
        if answer.is_sat() {
            self.last = Some((who, assumptions.to_vec()));
        }
        answer
    }
}

impl Models for Cascade {
    fn model(&mut self, terms: &mut Terms, symbols: &[Symbol]) -> Result<Assignment, SolverError> {
        let Some((who, assumptions)) = self.last.take() else { return Err(SolverError::NotAvailable("model")) };
        let found = match (who, &mut self.quick) {
            (Who::Quick, Some(quick)) => quick.process.model(terms, symbols).ok(),
            _ => None,
        };
        let found = match (found, who) {
            (Some(found), _) => Ok(found),
            (None, Who::Full) => self.full.process.model(terms, symbols),
            (None, Who::Quick) => match self.full(terms).check(terms, &assumptions) {
                Answer::Sat => self.full.process.model(terms, symbols),
                Answer::Unsat => return Err(SolverError::Wrong("model")),
                Answer::Unknown(reason) => return Err(SolverError::Unknown(reason)),
            },
        };
        self.last = Some((who, assumptions));
        found
    }
}

impl Cores for Cascade {
    fn check_core(&mut self, terms: &Terms, assumptions: &[TermId]) -> CoreAnswer {
        self.last = None;
        match self.quick(terms).map(|quick| quick.check_core(terms, assumptions)) {
            None => {}
            Some(CoreAnswer::Unknown(reason)) => self.pass_on(&reason),
            Some(known) => return known,
        }
        self.full(terms).check_core(terms, assumptions)
    }
}

impl Eliminate for Cascade {
    fn exists(&mut self, terms: &mut Terms, symbols: &[Symbol], body: TermId) -> Result<Elimination, SolverError> {
        self.full.process.exists(terms, symbols, body)
    }
}

impl Interpolate for Cascade {
    fn interpolate(
        &mut self,
        terms: &mut Terms,
        steps: &[PathStep],
        methods: &[Method],
    ) -> Result<Interpolation, InterpolateError> {
        self.full.process.interpolate(terms, steps, methods)
    }

    fn interpolate_nested(
        &mut self,
        terms: &mut Terms,
        path: NestedPath<'_>,
        methods: &[Method],
    ) -> Result<Interpolation, InterpolateError> {
        self.full.process.interpolate_nested(terms, path, methods)
    }

    fn check_sequence(
        &mut self,
        terms: &mut Terms,
        path: NestedPath<'_>,
        interpolants: &[TermId],
    ) -> Result<Option<bool>, InterpolateError> {
        self.full.process.check_sequence(terms, path, interpolants)
    }
}
