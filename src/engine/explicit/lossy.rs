//! Bitstate search: of a state that was visited only a few bits of a table are kept, set at places that its hash says. A state
//! whose bits were all set by others is taken for visited, so that this finds errors and proves nothing.
//!
//! After Holzmann, *An analysis of bitstate hashing* (1998). Depth first: states are kept whole on the stack alone.

use super::space::ConcreteSpace;
use crate::concrete::successors::{Arrival, ErrorThere};
use crate::concrete::{Packed, hash_of_pair};
use crate::engine::{Budget, Progress, Stop};

/// The table has so many bits, as a power of two: 128 megabytes.
const TABLE_BITS: u32 = 30;

/// So many bits are set for each state.
const BITS_PER_STATE: u32 = 3;

/// At every N-th state limits are looked at.
const CHECK_EVERY: u64 = 256;

/// What is taken for granted where a search comes to its end.
pub(super) const ASSUMPTION: &str = "no state was taken for another one by --lossy";

/// A search that may miss states.
pub(super) struct LossySearch {
    table: Vec<u64>,
    /// The states from the start to where the search is, each with those after it that are still to be visited.
    stack: Vec<(Packed, Vec<Packed>)>,
    transitions: u64,
    /// How many states were visited.
    pub(super) states: u64,
    /// How many states the stack has had at most.
    pub(super) depth: u64,
}

impl LossySearch {
    pub(super) fn new() -> LossySearch {
        LossySearch { table: vec![0; 1 << (TABLE_BITS - 6)], stack: Vec::new(), transitions: 0, states: 0, depth: 0 }
    }

    /// Searches until there is an error, or no state that was not visited; the states on the way to an error.
    pub(super) fn run(&mut self, space: &mut ConcreteSpace<'_>, budget: &Budget) -> Result<Option<Vec<Packed>>, Stop> {
        let start = space.execution.initial_states(&|| budget.check())?;
        if let Some(error) = self.first_error(&start) {
            return Ok(Some(vec![error]));
        }
        for arrival in start {
            if arrival.error == ErrorThere::None
                && self.visit(arrival.state)
                && let Some(path) = self.search_from(space, arrival.state, budget)?
            {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    fn search_from(
        &mut self,
        space: &mut ConcreteSpace<'_>,
        start: Packed,
        budget: &Budget,
    ) -> Result<Option<Vec<Packed>>, Stop> {
        let mut next = Some(start);
        loop {
            if let Some(state) = next
                && let Some(error) = self.enter(space, state, budget)?
            {
                let mut path: Vec<Packed> = self.stack.iter().map(|(state, _)| *state).collect();
                path.extend(Some(error).filter(|error| *error != state));
                return Ok(Some(path));
            }
            let Some((_, left)) = self.stack.last_mut() else { return Ok(None) };
            next = left.pop();
            match next {
                Some(state) if !self.visit(state) => next = None,
                Some(_) => {}
                None => drop(self.stack.pop()),
            }
        }
    }

    /// Puts a state on the stack. Tells an error that is next to it, or is it.
    fn enter(&mut self, space: &mut ConcreteSpace<'_>, at: Packed, budget: &Budget) -> Result<Option<Packed>, Stop> {
        if self.states.is_multiple_of(CHECK_EVERY) {
            budget.check()?;
            budget.report(self.progress(space));
        }
        self.states += 1;
        self.stack.push((at, Vec::new()));
        self.depth = self.depth.max(self.stack.len() as u64 - 1);
        space.execution.load(at);
        if space.task.property.is_of_states() && space.execution.is_wrong() {
            return Ok(Some(at));
        }
        let (mut steps, mut arrivals) = (Vec::new(), Vec::new());
        space.execution.steps(&mut steps);
        for step in steps {
            space.execution.states_after(step, &|| budget.check(), &mut arrivals)?;
        }
        self.transitions += arrivals.len() as u64;
        if let Some(error) = self.first_error(&arrivals) {
            return Ok(Some(error));
        }
        let left = arrivals.iter().rev().filter(|arrival| arrival.error == ErrorThere::None);
        let left: Vec<Packed> = left.map(|arrival| arrival.state).filter(|state| !self.is_visited(*state)).collect();
        self.stack.last_mut().expect("it was put there").1 = left;
        Ok(None)
    }

    fn first_error(&self, arrivals: &[Arrival]) -> Option<Packed> {
        arrivals.iter().find(|arrival| arrival.error == ErrorThere::Counts).map(|arrival| arrival.state)
    }

    /// The places of a state in the table: a word, and a bit of it.
    fn places(state: Packed) -> impl Iterator<Item = (usize, u64)> {
        let hash = hash_of_pair([state.head.number(), state.tail.number()]);
        // Two hashes give as many as are asked for (Kirsch and Mitzenmacher).
        let other = hash_of_pair([hash as u32, (hash >> 32) as u32]) | 1;
        (0..BITS_PER_STATE).map(move |number| {
            let bit = hash.wrapping_add(other.wrapping_mul(u64::from(number))) >> (64 - TABLE_BITS);
            ((bit >> 6) as usize, 1 << (bit & 63))
        })
    }

    fn is_visited(&self, state: Packed) -> bool {
        Self::places(state).all(|(word, bit)| self.table[word] & bit != 0)
    }

    /// Notes that a state is visited; false where that seems to be so already.
    fn visit(&mut self, state: Packed) -> bool {
        let is_new = !self.is_visited(state);
        Self::places(state).for_each(|(word, bit)| self.table[word] |= bit);
        is_new
    }

    /// How far the search is.
    pub(super) fn progress(&self, space: &ConcreteSpace<'_>) -> Progress {
        let transitions = self.transitions + space.execution.skipped;
        Progress { states: self.states, transitions, waiting: self.stack.len() as u64 }
    }

    /// How many bytes the search takes.
    pub(super) fn bytes(&self) -> usize {
        let left: usize = self.stack.iter().map(|(_, left)| left.capacity() * size_of::<Packed>()).sum();
        self.table.capacity() * 8 + self.stack.capacity() * size_of::<(Packed, Vec<Packed>)>() + left
    }
}
