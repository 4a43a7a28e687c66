//! Symbolic execution with abstract matching, after Albarghouthi's thesis.
//!
//! Only feasible paths are executed, so that every error is real. A path is left where an abstract state comes again;
//! what was explored is then an under-approximation, of which the engine tries to show that executions cannot leave it
//! ([`fragment`]). Where they may, new predicates tell apart what leads out ([`refine`]).
//!
//! [`ur`] is the rival that the thesis compares with: concrete states, matched in one table.

mod condition;
mod config;
mod distance;
mod explore;
mod fragment;
mod graph;
mod linear;
mod predicates;
mod proof;
mod refine;
mod state;
mod system;
#[cfg(test)]
mod tests;
mod trace;
mod ur;

pub use config::{Matching, SymbolicConfig};

use super::{Assumptions, Budget, Claim, Proof, Run, Statistics, Stop, Task};
use crate::solver::Cascade;
use crate::term::{TermId, Terms};
use fragment::{Closing, Invariant, Missing};
use graph::{Graph, NodeId};
use predicates::{Bits, Predicates};
use rustc_hash::{FxHashMap, FxHashSet};
use state::MoveFacts;
use std::rc::Rc;
use system::{PlaceId, System};

/// Verifies by symbolic execution with abstract matching, or with concrete states by under-approximation refinement.
pub fn verify(task: &Task, config: &SymbolicConfig, budget: &Budget) -> Run {
    let mut ase = match Ase::new(task, config, budget) {
        Ok(ase) => ase,
        Err(stop) => return Run { claim: Claim::Unknown(stop), statistics: Statistics::default() },
    };
    let result = match config.matching {
        Matching::Path => ase.refine(),
        Matching::Global => ase.refine_under_approximation(),
    };
    let mut statistics = None;
    let claim = match result {
        Ok(invariant) => {
            let assumptions = ase.assumptions();
            statistics = Some(ase.statistics());
            Claim::Safe { proof: Proof::Cuts(Box::new(ase.proof(invariant))), assumptions }
        }
        Err(Found::Violation { node, chosen }) => ase.trace(node, chosen).map_or_else(Claim::Unknown, Claim::Unsafe),
        Err(Found::Stop(stop)) => Claim::Unknown(stop),
    };
    Run { claim, statistics: statistics.unwrap_or_else(|| ase.statistics()) }
}

/// What ends an exploration.
enum Found {
    /// A feasible path to an error: to a node, and by a move from there if that is not the error itself.
    Violation { node: NodeId, chosen: Option<usize> },
    /// A reason to stop.
    Stop(Stop),
}

impl From<Stop> for Found {
    fn from(stop: Stop) -> Found {
        Found::Stop(stop)
    }
}

struct Ase<'p> {
    config: SymbolicConfig,
    budget: Budget,
    terms: Terms,
    solver: Cascade,
    system: System<'p>,
    predicates: Predicates,
    /// How many of the predicates, the first ones, are those of the property.
    in_property: usize,
    /// The guards of the edges that enter an error.
    violations: Vec<TermId>,
    graph: Graph,
    /// Moves with respect to the predicates.
    facts: FxHashMap<(PlaceId, usize), Rc<MoveFacts>>,
    /// The predicates that say something at a place.
    relevant: FxHashMap<PlaceId, Rc<Bits>>,
    /// Moves that stay within: by place and number, from where, to where.
    closed_moves: FxHashSet<(PlaceId, usize, TermId, TermId)>,
    /// How many nodes were expanded.
    work: u64,
    iterations: u64,
    statistics: Statistics,
}

/// After so many states the first attempt is made to close what was explored; then whenever there are twice as many.
const FIRST_STATES: usize = 128;

/// So many matched states are explored at most, in all, because that is cheaper than a refinement; as many queries
/// count for one as a query costs more than a step of a concrete state.
const MATCHED_STATES: u64 = 10_000;
const MATCHED_SHARE: u64 = 1000;
const STATES_OF_QUERY: u64 = 10;

impl<'p> Ase<'p> {
    fn new(task: &'p Task, config: &SymbolicConfig, budget: &Budget) -> Result<Ase<'p>, Stop> {
        let mut terms = Terms::new();
        let system = System::new(task, &mut terms)?;
        let solver = budget.solver(config.solver.as_deref())?;
        Ok(Ase {
            config: config.clone(),
            budget: budget.clone(),
            terms,
            solver,
            system,
            predicates: Predicates::default(),
            in_property: 0,
            violations: Vec::new(),
            graph: Graph::default(),
            facts: FxHashMap::default(),
            relevant: FxHashMap::default(),
            closed_moves: FxHashSet::default(),
            work: 0,
            iterations: 0,
            statistics: Statistics::default(),
        })
    }

    /// REFINE: execution, analysis and refinement take turns (figure 4.1). Returns what executions stay within.
    fn refine(&mut self) -> Result<Invariant, Found> {
        self.initial_predicates()?;
        self.start()?;
        let mut beyond = MATCHED_STATES;
        loop {
            self.iterations += 1;
            let mut missing = match self.explore_and_close()? {
                Closing::Closed(invariant) => return Ok(invariant),
                Closing::Open(missing, _) => missing,
            };
            // Matched states are looked at where that is cheap.
            if beyond > 0 && !self.graph.matched.is_empty() {
                let abstract_states = self.graph.states.len();
                beyond = beyond.saturating_sub(self.look_beyond()?);
                if let Some(invariant) = self.exhausted() {
                    return Ok(invariant);
                }
                if self.graph.states.len() > abstract_states || self.graph.matched.is_empty() {
                    match self.close(true)? {
                        Closing::Closed(invariant) => return Ok(invariant),
                        Closing::Open(more, _) => missing = more,
                    }
                }
            }
            self.refine_predicates(&missing)?;
        }
    }

    /// Explores all that is not matched. On the way, whether what was explored is closed is tried now and then.
    fn explore_and_close(&mut self) -> Result<Closing, Found> {
        let mut states = self.graph.nodes.len() + FIRST_STATES;
        loop {
            let complete = self.explore(states)?;
            match self.close(complete)? {
                Closing::Open(_, counterexamples) if !complete => {
                    let found = self.hurry(&counterexamples)?;
                    let nodes = self.graph.nodes.len();
                    states = if found { nodes + nodes / 4 } else { 2 * nodes };
                }
                closing => return Ok(closing),
            }
        }
    }

    /// Explores matched states, for a share of what may be spent on it; what was spent.
    fn look_beyond(&mut self) -> Result<u64, Found> {
        let cost = |ase: &Self| ase.graph.nodes.len() as u64 + STATES_OF_QUERY * ase.solver.statistics().queries;
        let before = cost(self);
        let mut nearest = self.nearest_matched();
        while cost(self) - before < MATCHED_SHARE && self.expand_nearest(&mut nearest)? {}
        self.graph.matched = nearest.into_nodes();
        Ok((cost(self) - before).max(1))
    }

    /// Adds predicates, and goes over to the graph for them. Where there are none, matched states are explored, as
    /// they can show what a refinement does not.
    fn refine_predicates(&mut self, missing: &[Missing]) -> Result<(), Found> {
        let before = self.predicates.len();
        if self.add_predicates(missing)? > 0 {
            self.refine_graph(before)?;
            return Ok(());
        }
        if self.graph.matched.is_empty() {
            let message = "no predicate tells apart what leads out of the states that were explored";
            return Err(Stop::GaveUp(message.to_owned()).into());
        }
        self.explore_matched(2 * self.graph.nodes.len())?;
        Ok(())
    }

    /// What a proof takes for granted: what is in memory is left open, but not whether accesses to it have a meaning.
    fn assumptions(&self) -> Assumptions {
        let mut assumptions = Assumptions::default();
        if self.system.blocks.touches_memory() {
            assumptions.add("every access to memory is valid".to_owned(), None);
        }
        assumptions
    }

    fn no_answer(&self, reason: &str) -> Stop {
        match self.budget.check() {
            Err(stop) => stop,
            Ok(()) => Stop::Solver(reason.to_owned()),
        }
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            states: self.graph.nodes.len() as u64,
            queries: self.solver.statistics().queries,
            refinements: self.iterations.saturating_sub(1),
            predicates: self.predicates.len() as u64,
            abstract_states: self.graph.states.len() as u64,
            ..self.statistics.clone()
        }
    }
}
