//! Symbolic execution with abstract matching, after Albarghouthi's thesis.
//!
//! Only feasible paths are executed, so that every error is real. A path is left where an abstract state comes again;
//! what was explored is then an under-approximation, of which the engine tries to show that executions cannot leave it
//! (`fragment.rs`). Where they may, new predicates tell apart what leads out (`refine.rs`). What is tried in which
//! order is in `strategy.rs`.
//!
//! `under_approximation.rs` is the rival that the thesis compares with: concrete states, matched in one table.

mod abstract_states;
mod branch_distance;
mod closing_attempt;
mod condition;
mod config;
mod explore;
mod fragment;
mod limits;
mod linear;
mod normal_form;
mod predicates;
mod proof;
mod refine;
mod space;
mod state;
mod strategy;
mod system;
#[cfg(test)]
mod tests;
mod trace;
mod under_approximation;

pub use config::{Matching, SymbolicConfig};

use super::search::{NodeId, Order, Search, Space};
use super::{Assumptions, Budget, Claim, Proof, Run, Statistics, Stop, Task};
use crate::term::TermId;
use rustc_hash::FxHashSet;
use space::SymbolicSpace;
use system::PointId;

/// Verifies by symbolic execution with abstract matching, or with concrete states by under-approximation refinement.
pub fn verify(task: &Task, config: &SymbolicConfig, budget: &Budget) -> Run {
    let mut execution = match SymbolicExecution::new(task, config, budget) {
        Ok(execution) => execution,
        Err(stop) => return Run { claim: Claim::Unknown(stop), statistics: Statistics::default() },
    };
    let result = match config.matching {
        Matching::Path => execution.refine(),
        Matching::Global => execution.refine_under_approximation(),
    };
    let claim = match result {
        Ok(invariant) => {
            let assumptions = execution.assumptions();
            Claim::Safe { proof: Proof::Cuts(Box::new(execution.space.proof(invariant))), assumptions }
        }
        Err(Interruption::Violation(node)) => execution.trace(node).map_or_else(Claim::Unknown, Claim::Unsafe),
        Err(Interruption::Stop(stop)) => Claim::Unknown(stop),
    };
    Run { claim, statistics: execution.statistics() }
}

/// Why exploration and refinement end without a proof.
enum Interruption {
    /// The node is an error, to which there is a feasible path.
    Violation(NodeId),
    /// There is a reason to stop.
    Stop(Stop),
}

impl From<Stop> for Interruption {
    fn from(stop: Stop) -> Interruption {
        Interruption::Stop(stop)
    }
}

/// The engine: its symbolic states, the search in them, and what attempts to close their set found out.
struct SymbolicExecution<'p> {
    space: SymbolicSpace<'p>,
    search: Search<SymbolicSpace<'p>>,
    /// Moves that stay within: by control point and number, from where, to where.
    closed_moves: FxHashSet<(PointId, usize, TermId, TermId)>,
    iterations: u64,
}

impl<'p> SymbolicExecution<'p> {
    fn new(task: &'p Task, config: &SymbolicConfig, budget: &Budget) -> Result<SymbolicExecution<'p>, Stop> {
        Ok(SymbolicExecution {
            space: SymbolicSpace::new(task, config, budget)?,
            search: Search::new(Order::BreadthFirst),
            closed_moves: FxHashSet::default(),
            iterations: 0,
        })
    }

    /// What a proof takes for granted: what is in memory is left open, but not whether accesses to it have a meaning.
    fn assumptions(&self) -> Assumptions {
        let mut assumptions = Assumptions::default();
        if self.space.formulas.blocks.touches_memory() {
            assumptions.add("every access to memory is valid".to_owned(), None);
        }
        assumptions
    }

    fn statistics(&self) -> Statistics {
        // As among the states, errors are not counted.
        let abstract_states = self.space.abstract_states.iter().filter(|(point, _)| !self.space.is_target(*point));
        Statistics {
            states: self.search.arg.len() as u64,
            transitions: self.search.progress(&self.space).transitions,
            queries: self.space.solver.statistics().queries,
            refinements: self.iterations.saturating_sub(1),
            predicates: self.space.predicates.len() as u64,
            abstract_states: abstract_states.count() as u64,
            ..Statistics::default()
        }
    }
}
