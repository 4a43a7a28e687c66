//! The abstract states that were met, and how many symbolic states of each are explored.

use super::predicates::Bits;
use super::system::PointId;
use rustc_hash::FxHashMap;

/// The number of an abstract state.
pub(super) type AbstractId = usize;

/// An abstract state: a control point, and the truth values of the predicates.
pub(super) type AbstractState = (PointId, Bits);

/// The abstract states that were met, each once.
#[derive(Debug, Default)]
pub(super) struct AbstractStates {
    all: Vec<AbstractState>,
    numbers: FxHashMap<AbstractState, AbstractId>,
    /// How many nodes of each abstract state were expanded, or wait to be.
    explored: Vec<u32>,
}

impl AbstractStates {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// All of them, by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = &AbstractState> {
        self.all.iter()
    }

    /// The one of that number.
    pub(super) fn get(&self, id: AbstractId) -> &AbstractState {
        &self.all[id]
    }

    /// The truth values of the predicates in the one of that number.
    pub(super) fn bits(&self, id: AbstractId) -> &Bits {
        &self.all[id].1
    }

    /// The number of an abstract state.
    pub(super) fn number(&mut self, state: AbstractState) -> AbstractId {
        if let Some(&id) = self.numbers.get(&state) {
            return id;
        }
        let id = self.all.len();
        self.all.push(state.clone());
        self.explored.push(0);
        self.numbers.insert(state, id);
        id
    }

    /// The number of an abstract state, if it was met.
    pub(super) fn find(&self, state: &AbstractState) -> Option<AbstractId> {
        self.numbers.get(state).copied()
    }

    /// How many nodes of an abstract state are explored.
    pub(super) fn explored(&self, id: AbstractId) -> u32 {
        self.explored[id]
    }

    /// One more node of an abstract state is explored.
    pub(super) fn explore_one(&mut self, id: AbstractId) {
        self.explored[id] += 1;
    }
}
