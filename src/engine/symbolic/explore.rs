//! Which states are explored next: those that wait, those in which a proof has a hole, those that are matched.

use super::fragment::InductionCounterexample;
use super::limits::{MATCHED_WORK_PER_REFINEMENT, MAX_HURRIED, NODES_PER_QUERY};
use super::space::SymbolicSpace;
use super::{Interruption, SymbolicExecution};
use crate::engine::search::{Arg, Found, NodeId};

impl SymbolicExecution<'_> {
    /// Explores until nothing waits or there are so many nodes; whether nothing waits.
    pub(super) fn explore(&mut self, max_nodes: usize) -> Result<bool, Interruption> {
        let budget = self.space.budget.clone();
        let found = self.search.run_until(&mut self.space, &budget, |_, arg| arg.len() >= max_nodes)?;
        no_violation(Some(found))?;
        Ok(self.search.waiting().next().is_none())
    }

    /// Explores waiting states from which an attempt to close the set could be left: those that allow the move of a
    /// counterexample to induction, and agree with it on the property. Whether new abstract states were found.
    pub(super) fn hurry(&mut self, counterexamples: &[InductionCounterexample]) -> Result<bool, Interruption> {
        let SymbolicExecution { space, search, .. } = self;
        let before = space.abstract_states.len();
        let property = space.predicates.of_property();
        for InductionCounterexample { point, chosen, bits } in counterexamples {
            let moves = space.moves(*point)?;
            let facts = space.facts(*point, *chosen, &moves[*chosen]);
            let wanted = bits.masked(&property);
            let is_like = |node: &NodeId| {
                let bits = space.abstract_states.bits(search.arg.state(*node).matches);
                search.arg.control(*node) == *point
                    && bits.masked(&property) == wanted
                    && facts.guard.value(bits) != Some(false)
            };
            let like: Vec<NodeId> = search.waiting().filter(is_like).take(MAX_HURRIED).collect();
            for node in like {
                if search.pick(node) {
                    no_violation(search.visit(space, node)?)?;
                }
            }
        }
        Ok(space.abstract_states.len() > before)
    }

    /// Explores matched states, those nearest to an error first, for a share of what may be spent on it; what was
    /// spent.
    pub(super) fn explore_nearest(&mut self) -> Result<u64, Interruption> {
        let before = work(&self.space, &self.search.arg);
        let budget = self.space.budget.clone();
        let is_enough = |space: &SymbolicSpace<'_>, arg: &Arg<SymbolicSpace<'_>>| {
            work(space, arg) - before >= MATCHED_WORK_PER_REFINEMENT
        };
        let found = self.search.run_parked(&mut self.space, &budget, SymbolicSpace::distance, is_enough)?;
        no_violation(Some(found))?;
        Ok((work(&self.space, &self.search.arg) - before).max(1))
    }

    /// Explores matched states, the oldest first, until there are so many nodes.
    pub(super) fn explore_matched(&mut self, max_nodes: usize) -> Result<(), Interruption> {
        let budget = self.space.budget.clone();
        let found = self.search.run_parked(&mut self.space, &budget, |_, _, _| 0, |_, arg| arg.len() >= max_nodes)?;
        no_violation(Some(found))
    }
}

/// What was done so far, in nodes.
fn work(space: &SymbolicSpace<'_>, arg: &Arg<SymbolicSpace<'_>>) -> u64 {
    arg.len() as u64 + NODES_PER_QUERY * space.solver.statistics().queries
}

/// Goes on unless an error was reached.
fn no_violation(found: Option<Found>) -> Result<(), Interruption> {
    match found {
        Some(Found::Target(node)) => Err(Interruption::Violation(node)),
        Some(Found::Complete | Found::Paused) | None => Ok(()),
    }
}
