//! Proofs for any number of threads: the strongest facts of a form that hold for ever, of what all threads see, of each
//! thread, and of every two (Houdini, over a thread-modular proof rule).
//!
//! All facts of the form are taken to hold at first. Those that a step can break are dropped, until none is. What is left
//! is inductive; if it excludes every error, so much of it as that takes is the proof.

mod candidates;
mod implied;
mod needed;

use super::{Budget, Claim, Proof, Run, Statistics, Stop, Task};
use crate::formula::encode::{Encoder, Transition};
use crate::solver::{Answer, Cascade, Models, Solve};
use crate::term::eval::eval;
use crate::term::{Assignment, TermId, Terms};
use crate::transform::interleave::modular::{Assertion, Fact, Facts, Obligation, Subject, ThreadModel, thread_model};
use candidates::{Stage, candidates};
use implied::Essential;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

/// Which part of the time that is left is for such a proof where any number of threads is started, and where their number is
/// known: the interleavings are a way to a proof then, too. And how much there is without a limit.
const PART_OF_ANY: u32 = 2;
const PART_OF_KNOWN: u32 = 6;
const LONGEST: Duration = Duration::from_secs(60);

/// Looks for a proof by facts of each thread and of every two; none where the program cannot be looked at so, or none was found.
pub(super) fn verify(task: &Task, solver: Option<&Path>, budget: &Budget) -> Result<Option<Run>, Stop> {
    let Ok(model) = thread_model(&task.program, &task.property) else { return Ok(None) };
    let part = if model.has_any_number() { PART_OF_ANY } else { PART_OF_KNOWN };
    let budget = &budget.at_most(budget.remaining().map_or(LONGEST, |left| left / part));
    let mut queries = 0;
    for stage in Stage::ALL {
        let mut search = Houdini::new(&model, candidates(&model, stage), solver, budget)?;
        let proved = search.run(budget)?;
        queries += search.solver.statistics().queries;
        if proved {
            let facts = match search.needed(budget) {
                // There may be time to check all of them.
                Err(Stop::TimeLimit) => search.facts,
                needed => needed?,
            };
            let statistics = Statistics { queries, ..Statistics::default() };
            let claim = Claim::Safe { proof: Proof::Modular(facts), assumptions: Default::default() };
            return Ok(Some(Run { claim, statistics }));
        }
    }
    Ok(None)
}

struct Houdini<'m> {
    model: &'m ThreadModel,
    facts: Facts,
    /// Those of them that others do not imply, until some are dropped.
    essential: Essential,
    /// How often facts of a subject were dropped.
    drops: FxHashMap<Subject, u64>,
    terms: Terms,
    encoder: Encoder<'m>,
    solver: Cascade,
    transitions: FxHashMap<Option<(usize, usize)>, Transition>,
    known: FxHashMap<(Fact, Vec<(usize, usize)>), TermId>,
}

impl<'m> Houdini<'m> {
    fn new(model: &'m ThreadModel, facts: Facts, solver: Option<&Path>, budget: &Budget) -> Result<Self, Stop> {
        let mut terms = Terms::new();
        let encoder = Encoder::new(&model.program, &mut terms);
        let mut solver = budget.quick_solver(solver)?;
        solver.set_query_limit(std::time::Duration::from_secs(5));
        let (essential, drops, transitions, known) = Default::default();
        Ok(Houdini { model, facts, essential, drops, terms, encoder, solver, transitions, known })
    }

    /// Drops facts until the others hold for ever; whether these exclude all errors.
    fn run(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let obligations = self.model.obligations(&self.facts);
        let mut seen: Vec<Option<u64>> = vec![None; obligations.len()];
        loop {
            let mut changed = false;
            for (obligation, seen) in obligations.iter().zip(&mut seen).filter(|(o, _)| !o.is_error) {
                budget.check()?;
                let version = self.version(obligation);
                if *seen != Some(version) {
                    changed |= self.weaken(obligation, budget)?;
                    *seen = Some(version);
                }
            }
            if !changed {
                break;
            }
        }
        for obligation in obligations.iter().filter(|obligation| obligation.is_error) {
            budget.check()?;
            let (transition, before) = (self.transition(obligation)?, self.before(obligation)?);
            let Some(before) = before else { continue };
            let query = self.terms.and(before.into_iter().chain([transition.guard]));
            if !self.solver.check(&self.terms, &[query]).is_unsat() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn version(&self, obligation: &Obligation) -> u64 {
        obligation.before.iter().map(|assertion| self.drops.get(&assertion.subject).copied().unwrap_or(0)).sum()
    }

    /// Drops what does not hold after a step; tells whether that is anything.
    fn weaken(&mut self, obligation: &Obligation, budget: &Budget) -> Result<bool, Stop> {
        if obligation.after.iter().all(|assertion| self.facts[&assertion.subject].is_empty()) {
            return Ok(false);
        }
        let mut dropped = false;
        loop {
            let Some(before) = self.before(obligation)? else { return Ok(dropped) };
            let transition = self.transition(obligation)?;
            let after = self.after(obligation, &transition)?;
            if after.is_empty() {
                return Ok(dropped);
            }
            let all = self.terms.and(after.iter().map(|(.., term)| *term));
            let fails = self.terms.not(all);
            let query = self.terms.and(before.into_iter().chain([transition.guard, fails]));
            let symbols: Vec<_> = self.terms.symbols_of([query]).into_iter().collect();
            match self.solver.check(&self.terms, &[query]) {
                Answer::Unsat => return Ok(dropped),
                Answer::Sat => {
                    let model = self.solver.model(&mut self.terms, &symbols);
                    let model = model.map_err(|error| Stop::Solver(error.to_string()))?;
                    if !self.drop_false(&after, &model) {
                        return Err(Stop::Solver("a model that does not fit".to_owned()));
                    }
                }
                // What cannot be decided is not used.
                Answer::Unknown(_) => {
                    budget.check()?;
                    self.drop_facts(&after);
                }
            }
            dropped = true;
        }
    }

    /// Drops the facts that do not hold in a model.
    fn drop_false(&mut self, after: &[(Subject, Fact, TermId)], model: &Assignment) -> bool {
        let is_false = |term: TermId| eval(&self.terms, term, model).as_bool() == Some(false);
        let wrong: Vec<_> = after.iter().filter(|(.., term)| is_false(*term)).cloned().collect();
        self.drop_facts(&wrong);
        !wrong.is_empty()
    }

    fn drop_facts(&mut self, wrong: &[(Subject, Fact, TermId)]) {
        let mut of: FxHashMap<Subject, FxHashSet<&Fact>> = FxHashMap::default();
        wrong.iter().for_each(|(subject, fact, _)| _ = of.entry(*subject).or_default().insert(fact));
        for (subject, wrong) in of {
            if let Some(facts) = self.facts.get_mut(&subject) {
                facts.retain(|known| !wrong.contains(known));
                self.essential.forget(subject);
                *self.drops.entry(subject).or_default() += 1;
            }
        }
    }

    /// What holds before a step; none if that is nothing.
    fn before(&mut self, obligation: &Obligation) -> Result<Option<Vec<TermId>>, Stop> {
        let is_never = |assertion: &Assertion| self.facts[&assertion.subject].contains(&Fact::NEVER);
        if obligation.before.iter().any(is_never) {
            return Ok(None);
        }
        let mut found = Vec::new();
        for assertion in &obligation.before {
            for fact in self.essential(assertion.subject).iter() {
                found.push(self.term(fact, &assertion.threads)?);
            }
        }
        Ok(Some(found))
    }

    /// What is to hold after a step, over the values before it; what the step does not change and holds before is left out.
    fn after(
        &mut self,
        obligation: &Obligation,
        transition: &Transition,
    ) -> Result<Vec<(Subject, Fact, TermId)>, Stop> {
        let updates = transition.update_map();
        let (mut found, mut done) = (Vec::new(), FxHashMap::default());
        for assertion in &obligation.after {
            let held = obligation.before.contains(assertion);
            for fact in self.essential(assertion.subject).iter() {
                let term = self.term(fact, &assertion.threads)?;
                let after = self.terms.substitute_cached(term, &updates, &mut done);
                if !(held && after == term) {
                    found.push((assertion.subject, fact.clone(), after));
                }
            }
        }
        Ok(found)
    }

    /// The facts of a subject that others do not imply.
    fn essential(&mut self, subject: Subject) -> Rc<[Fact]> {
        self.essential.of(subject, &self.facts)
    }

    fn term(&mut self, fact: &Fact, threads: &[(usize, usize)]) -> Result<TermId, Stop> {
        let key = (fact.clone(), threads.to_vec());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let term = self.encoder.expr(&mut self.terms, &fact.expr(self.model, threads))?;
        self.known.insert(key, term);
        Ok(term)
    }

    fn transition(&mut self, obligation: &Obligation) -> Result<Transition, Stop> {
        if let Some(known) = self.transitions.get(&obligation.step) {
            return Ok(known.clone());
        }
        let block = match obligation.step {
            Some((template, step)) => &self.model.templates[template].steps[step].block,
            None => &self.model.init,
        };
        let (transition, _) = self.encoder.abstract_block(&mut self.terms, block)?;
        self.transitions.insert(obligation.step, transition.clone());
        Ok(transition)
    }
}
