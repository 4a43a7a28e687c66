//! So many of the facts as exclude the errors, and hold for ever by themselves: a proof that is quick to check.

use super::{Budget, Houdini, Stop};
use crate::solver::Solve;
use crate::term::TermId;
use crate::transform::interleave::modular::{Assertion, Fact, Facts, Obligation, Subject};
use rustc_hash::{FxHashMap, FxHashSet};

/// The facts that are needed so far.
#[derive(Default)]
struct Needed {
    facts: FxHashMap<Subject, FxHashSet<Fact>>,
}

impl Needed {
    fn of<'n>(&'n self, subject: &Subject) -> impl Iterator<Item = &'n Fact> {
        self.facts.get(subject).into_iter().flatten()
    }

    fn has(&self, subject: &Subject, fact: &Fact) -> bool {
        self.facts.get(subject).is_some_and(|known| known.contains(fact))
    }

    /// How many there are of these subjects.
    fn count(&self, assertions: &[Assertion]) -> usize {
        assertions.iter().map(|assertion| self.facts.get(&assertion.subject).map_or(0, FxHashSet::len)).sum()
    }
}

impl Houdini<'_> {
    /// The facts that exclude all errors, and those that keep these from being broken.
    pub(super) fn needed(&mut self, budget: &Budget) -> Result<Facts, Stop> {
        let obligations = self.model.obligations(&self.facts);
        let mut needed = Needed::default();
        let mut seen: Vec<Option<[usize; 2]>> = vec![None; obligations.len()];
        loop {
            let mut grows = false;
            for (obligation, seen) in obligations.iter().zip(&mut seen) {
                budget.check()?;
                let counts = [needed.count(&obligation.before), needed.count(&obligation.after)];
                if *seen != Some(counts) {
                    grows |= self.add_needed(obligation, &mut needed)?;
                    // What was added may be about what is to hold after the step, too.
                    *seen = Some(counts);
                }
            }
            if !grows {
                break;
            }
        }
        let in_order = |(subject, all): (&Subject, &Vec<Fact>)| {
            let kept = all.iter().filter(|fact| needed.has(subject, fact)).cloned().collect();
            (*subject, kept)
        };
        Ok(self.facts.iter().map(in_order).filter(|(_, facts): &(Subject, Vec<Fact>)| !facts.is_empty()).collect())
    }

    /// Adds what must hold before a step for what is needed to hold after it; whether that is more.
    fn add_needed(&mut self, obligation: &Obligation, needed: &mut Needed) -> Result<bool, Stop> {
        let transition = self.transition(obligation)?;
        let updates = transition.update_map();
        let (mut goals, mut done) = (Vec::new(), FxHashMap::default());
        for assertion in &obligation.after {
            let held = obligation.before.contains(assertion);
            for fact in needed.of(&assertion.subject).cloned().collect::<Vec<_>>() {
                let term = self.term(&fact, &assertion.threads)?;
                let after = self.terms.substitute_cached(term, &updates, &mut done);
                if !(held && after == term) {
                    goals.push(after);
                }
            }
        }
        if goals.is_empty() && !obligation.is_error {
            return Ok(false);
        }
        let goal = if obligation.is_error { self.terms.bool(false) } else { self.terms.and(goals) };
        let not_goal = self.terms.not(goal);
        let step = self.terms.and([transition.guard, not_goal]);
        let mut known = vec![step];
        for assertion in &obligation.before {
            for fact in needed.of(&assertion.subject).cloned().collect::<Vec<_>>() {
                known.push(self.term(&fact, &assertion.threads)?);
            }
        }
        if self.are_impossible(&known) {
            return Ok(false);
        }
        let mut grows = false;
        for (subject, fact) in self.blamed(obligation, &mut known)? {
            grows |= needed.facts.entry(subject).or_default().insert(fact);
        }
        Ok(grows)
    }

    /// Few of the facts before a step that make it impossible, besides what is known; all where nobody can tell.
    fn blamed(&mut self, obligation: &Obligation, known: &mut Vec<TermId>) -> Result<Vec<(Subject, Fact)>, Stop> {
        let subjects = obligation.before.iter().map(|assertion| assertion.subject);
        if let Some(subject) = { subjects }.find(|subject| self.facts[subject].contains(&Fact::NEVER)) {
            return Ok(vec![(subject, Fact::NEVER)]);
        }
        let mut open = Vec::new();
        for assertion in &obligation.before {
            for fact in self.essential(assertion.subject).iter() {
                open.push((self.term(fact, &assertion.threads)?, assertion.subject, fact.clone()));
            }
        }
        // The first are taken where there is a choice.
        open.sort_by_key(|(_, _, fact)| fact.guard.is_some());
        let terms: Vec<TermId> = open.iter().map(|(term, ..)| *term).collect();
        let few = self.few(known, false, &terms);
        Ok(open.into_iter().filter(|(term, ..)| few.contains(term)).map(|(_, subject, fact)| (subject, fact)).collect())
    }

    /// A part of some formulas, none of which can be left out, that is impossible with what is known (QuickXplain). These questions
    /// are those that the solver has just answered by the thousand; cores of bit-vectors can be far slower.
    fn few(&mut self, known: &mut Vec<TermId>, is_new: bool, open: &[TermId]) -> FxHashSet<TermId> {
        if open.is_empty() || is_new && self.are_impossible(known) {
            return FxHashSet::default();
        }
        if let [only] = open {
            return FxHashSet::from_iter([*only]);
        }
        let (first, second) = open.split_at(open.len() / 2);
        let start = known.len();
        known.extend(first);
        let mut found = self.few(known, true, second);
        known.truncate(start);
        known.extend(&found);
        let others = self.few(known, !found.is_empty(), first);
        known.truncate(start);
        found.extend(others);
        found
    }

    fn are_impossible(&mut self, formulas: &[TermId]) -> bool {
        let all = self.terms.and(formulas.to_vec());
        self.solver.check(&self.terms, &[all]).is_unsat()
    }
}
