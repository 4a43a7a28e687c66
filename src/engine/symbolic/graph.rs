//! The graph of symbolic states that were explored, with the abstract states that they match.

use super::predicates::Bits;
use super::state::State;
use super::system::PlaceId;
use crate::term::TermId;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// The number of a node.
pub(super) type NodeId = usize;

/// The number of an abstract state.
pub(super) type AbstractId = usize;

/// An abstract state: a place, and the truth values of the predicates.
pub(super) type Abstract = (PlaceId, Bits);

/// The states that were explored.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) initial: Vec<NodeId>,
    /// The abstract states.
    pub(super) states: Vec<Abstract>,
    numbers: FxHashMap<Abstract, AbstractId>,
    by_values: FxHashMap<(PlaceId, Rc<[TermId]>), Vec<NodeId>>,
    /// Nodes to be expanded, the first first.
    pub(super) waiting: VecDeque<NodeId>,
    /// Nodes whose abstract state was met on the path to them.
    pub(super) matched: VecDeque<NodeId>,
    /// How many nodes of each abstract state were expanded, or wait to be.
    crowds: Vec<u32>,
}

/// A symbolic state.
pub(super) struct Node {
    pub(super) place: PlaceId,
    pub(super) state: State,
    /// What it is matched by.
    pub(super) matches: AbstractId,
    /// From where it was reached first, by which move.
    pub(super) parent: Option<(NodeId, usize)>,
    /// Where its moves lead, once it is expanded.
    pub(super) successors: Option<Vec<(usize, NodeId)>>,
}

impl Graph {
    /// The number of an abstract state.
    pub(super) fn number(&mut self, state: Abstract) -> AbstractId {
        if let Some(&id) = self.numbers.get(&state) {
            return id;
        }
        let id = self.states.len();
        self.states.push(state.clone());
        self.numbers.insert(state, id);
        id
    }

    /// The number of an abstract state, if it was met.
    pub(super) fn find(&self, state: &Abstract) -> Option<AbstractId> {
        self.numbers.get(state).copied()
    }

    /// A node that the state is part of.
    pub(super) fn covering(&self, place: PlaceId, state: &State) -> Option<NodeId> {
        let candidates = self.by_values.get(&(place, Rc::clone(&state.values)))?;
        let covers = |id: &&NodeId| is_subset(&self.nodes[**id].state.condition, &state.condition);
        candidates.iter().find(covers).copied()
    }

    /// Adds a node.
    pub(super) fn add(&mut self, place: PlaceId, state: State, bits: Bits, parent: Option<(NodeId, usize)>) -> NodeId {
        let id = self.nodes.len();
        let matches = self.number((place, bits));
        self.by_values.entry((place, Rc::clone(&state.values))).or_default().push(id);
        self.nodes.push(Node { place, state, matches, parent, successors: None });
        id
    }

    /// Whether the abstract state of a node is that of a node on the path to it.
    pub(super) fn is_matched_on_path(&self, id: NodeId) -> bool {
        let matches = self.nodes[id].matches;
        let mut at = self.nodes[id].parent;
        while let Some((parent, _)) = at {
            if self.nodes[parent].matches == matches {
                return true;
            }
            at = self.nodes[parent].parent;
        }
        false
    }

    /// Counts one more node of an abstract state; how many there were before.
    pub(super) fn join_crowd(&mut self, id: AbstractId) -> u32 {
        self.crowds.resize(self.states.len(), 0);
        self.crowds[id] += 1;
        self.crowds[id] - 1
    }

    /// How many nodes of an abstract state were counted.
    pub(super) fn crowd(&self, id: AbstractId) -> u32 {
        self.crowds.get(id).copied().unwrap_or_default()
    }

    /// The nodes from a start to the node, each with the move that led to it.
    pub(super) fn path(&self, id: NodeId) -> Vec<(NodeId, Option<usize>)> {
        let mut path = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            let parent = self.nodes[id].parent;
            path.push((id, parent.map(|(_, chosen)| chosen)));
            at = parent.map(|(parent, _)| parent);
        }
        path.reverse();
        path
    }
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
