//! The space of symbolic states, each of which decides every predicate: SYMBOLICEXEC (figure 4.2 of the thesis).
//!
//! The thesis goes depth first through every path. Here states are explored breadth first, each once, along the first
//! path that leads to it: a state that is part of one that was explored is covered by it. The path to a state is then
//! the shortest one. A state whose abstract state was met on its path, or often enough on others, is matched: it is
//! parked, and explored only if that is worth more than a refinement.

use super::abstract_states::{AbstractId, AbstractStates};
use super::config::{Matching, SymbolicConfig};
use super::limits::MAX_EXPLORED_PER_ABSTRACT_STATE;
use super::predicates::{Bits, Predicates};
use super::state::{MoveFacts, Split, SymbolicState};
use super::system::{Move, PointId, PointKind, System};
use crate::engine::search::{Arg, Covering, Expansion, NodeId, Place, Space, Successors, class_of};
use crate::engine::{Budget, Stop, Task};
use crate::formula::Formulas;
use crate::formula::arithmetic::by_integers;
use crate::formula::blocks::BlockSize;
use crate::formula::encode::Arithmetic;
use crate::formula::memory::Representation;
use crate::solver::Cascade;
use crate::term::TermId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The symbolic states of a task, with all that computes in them.
pub(super) struct SymbolicSpace<'p> {
    pub(super) matching: Matching,
    pub(super) budget: Budget,
    pub(super) formulas: Formulas<'p>,
    pub(super) solver: Cascade,
    pub(super) system: System<'p>,
    pub(super) predicates: Predicates,
    /// The guards of the edges that enter an error.
    pub(super) violations: Vec<TermId>,
    pub(super) abstract_states: AbstractStates,
    /// Moves with respect to the predicates.
    pub(super) facts: FxHashMap<(PointId, usize), Rc<MoveFacts>>,
    /// The predicates that say something at a control point.
    pub(super) relevant: FxHashMap<PointId, Rc<Bits>>,
}

/// A symbolic state in the graph.
#[derive(Debug, Clone)]
pub(super) struct MatchedState {
    /// What is known of the data.
    pub(super) symbolic: SymbolicState,
    /// The abstract state that it is part of.
    pub(super) matches: AbstractId,
}

impl Space for SymbolicSpace<'_> {
    type Control = PointId;
    type State = MatchedState;
    /// The number of the move that was taken; of no meaning for an initial state.
    type Label = usize;
    const COVERING: Covering = Covering::BeforeStoring;
    const LINKS: bool = true;
    const CHECK_EVERY: u32 = 64;

    fn initial(&mut self, out: &mut Successors<Self>) -> Result<(), Stop> {
        self.abstract_states = AbstractStates::default();
        let start = self.system.start;
        for split in self.initial_states(start)? {
            out.add(0, start, self.matched(start, split));
        }
        Ok(())
    }

    /// Takes every move, up to one that leads to an error.
    fn expand(&mut self, arg: &mut Arg<Self>, at: NodeId, out: &mut Successors<Self>) -> Result<Expansion, Stop> {
        let point = arg.control(at);
        let MatchedState { symbolic, matches } = arg.state(at).clone();
        let bits = self.abstract_states.bits(matches).clone();
        for (number, chosen) in self.moves(point)?.iter().enumerate() {
            let facts = self.facts(point, number, chosen);
            let guard = facts.guard.value(&bits);
            if guard == Some(false) {
                continue;
            }
            let after = self.execute(&symbolic, &bits, chosen, &facts, guard)?;
            let is_violation = !after.is_empty() && self.is_target(chosen.to);
            for split in after {
                out.add(number, chosen.to, self.matched(chosen.to, split));
            }
            if is_violation {
                break;
            }
        }
        Ok(Expansion::Done)
    }

    fn is_target(&self, point: PointId) -> bool {
        self.system.point(point).kind == PointKind::Error
    }

    fn class(&self, point: PointId, state: &MatchedState) -> u64 {
        class_of((point, &state.symbolic.values))
    }

    /// A state is part of another with the same values where it has all conjuncts of its path condition.
    fn covers(&mut self, general: Place<'_, Self>, specific: Place<'_, Self>) -> Result<bool, Stop> {
        let (one, other) = (&general.state.symbolic, &specific.state.symbolic);
        let is_comparable = general.control == specific.control && one.values == other.values;
        Ok(is_comparable && is_subset(&one.condition, &other.condition))
    }

    /// A matched state is parked.
    fn parks(&mut self, arg: &Arg<Self>, node: NodeId) -> bool {
        let id = arg.state(node).matches;
        let explored = self.abstract_states.explored(id);
        let is_matched = match self.matching {
            Matching::Path => explored >= MAX_EXPLORED_PER_ABSTRACT_STATE || is_matched_on_path(arg, node),
            Matching::Global => explored > 0,
        };
        if !is_matched {
            self.abstract_states.explore_one(id);
        }
        is_matched
    }
}

impl<'p> SymbolicSpace<'p> {
    pub(super) fn new(task: &'p Task, config: &SymbolicConfig, budget: &Budget) -> Result<SymbolicSpace<'p>, Stop> {
        let arithmetic = if by_integers(&task.program) { Arithmetic::Integers } else { Arithmetic::Bits };
        let mut formulas =
            Formulas::open(&task.program, &task.property, arithmetic, BlockSize::Small, Representation::Chosen);
        let system = System::new(task, &mut formulas)?;
        Ok(SymbolicSpace {
            matching: config.matching,
            budget: budget.clone(),
            formulas,
            solver: budget.solver(config.solver.as_deref())?,
            system,
            predicates: Predicates::default(),
            violations: Vec::new(),
            abstract_states: AbstractStates::default(),
            facts: FxHashMap::default(),
            relevant: FxHashMap::default(),
        })
    }

    /// The moves from a control point.
    pub(super) fn moves(&mut self, point: PointId) -> Result<Rc<[Move]>, Stop> {
        self.system.moves(&mut self.formulas, point)
    }

    /// A state for the graph.
    pub(super) fn matched(&mut self, point: PointId, (symbolic, bits): Split) -> MatchedState {
        MatchedState { symbolic, matches: self.abstract_states.number((point, bits)) }
    }

    /// The reason to stop where the solver has no answer.
    pub(super) fn no_answer(&self, reason: &str) -> Stop {
        match self.budget.check() {
            Err(stop) => stop,
            Ok(()) => Stop::Solver(reason.to_owned()),
        }
    }
}

/// Whether the abstract state of a node is that of a node on the path to it.
pub(super) fn is_matched_on_path(arg: &Arg<SymbolicSpace<'_>>, node: NodeId) -> bool {
    let matches = arg.state(node).matches;
    let mut before = std::iter::successors(arg.parent(node), |node| arg.parent(*node));
    before.any(|node| arg.state(node).matches == matches)
}

/// Whether all of the first, ascending, are among the second, ascending.
fn is_subset(few: &[TermId], many: &[TermId]) -> bool {
    let mut many = many.iter();
    few.iter().all(|one| many.by_ref().any(|other| other == one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Terms;

    #[test]
    fn subsets_of_ascending_lists() {
        let mut terms = Terms::new();
        let [a, b, c] = [1, 2, 3].map(|value| terms.int(value));
        assert!(is_subset(&[], &[a]) && is_subset(&[a, c], &[a, b, c]) && is_subset(&[a], &[a]));
        assert!(!is_subset(&[a], &[]) && !is_subset(&[a, b], &[a, c]));
    }
}
