//! The steps of the program, computed once: `init`, and the blocks from stacks with known values.

use crate::engine::stacks::StackId;
use crate::formula::blocks::Walk;
use crate::formula::context::Initial;
use crate::term::{Symbol, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Where a block starts: the stack, and the values of tracked variables.
type Start = (StackId, Vec<(Symbol, TermId)>);

/// The steps of the program.
pub(super) struct Walks {
    /// What `init` does, and the values that it leaves.
    pub(super) initial: Initial,
    /// The variables that only ever have values that are written in the program.
    finite: FxHashSet<Symbol>,
    /// The variables that choose elements of arrays of references.
    indices: FxHashSet<Symbol>,
    blocks: FxHashMap<Start, Rc<Walk>>,
    /// For which tracked variables the blocks are, by the number that changes with them.
    tracking: u64,
    /// How many places of blocks were walked.
    places: u64,
}

impl Walks {
    pub(super) fn new(initial: Initial, finite: FxHashSet<Symbol>, indices: FxHashSet<Symbol>) -> Walks {
        Walks { initial, finite, indices, blocks: FxHashMap::default(), tracking: 0, places: 0 }
    }

    /// Forgets the blocks if they are for other tracked variables.
    pub(super) fn keep_for(&mut self, tracking: u64) {
        if std::mem::replace(&mut self.tracking, tracking) != tracking {
            self.blocks.clear();
        }
    }

    /// Forgets all that was walked, as there are more cells of memory than then.
    pub(super) fn start_again(&mut self, initial: Initial) {
        self.initial = initial;
        self.blocks.clear();
    }

    /// The block from a stack with known values, if it was walked.
    pub(super) fn get(&self, stack: StackId, values: &[(Symbol, TermId)]) -> Option<Rc<Walk>> {
        self.blocks.get(&(stack, values.to_vec())).map(Rc::clone)
    }

    /// Keeps a block.
    pub(super) fn insert(&mut self, stack: StackId, values: &[(Symbol, TermId)], walk: &Rc<Walk>) {
        self.places += walk.nodes.len() as u64;
        self.blocks.insert((stack, values.to_vec()), Rc::clone(walk));
    }

    /// Whether the variable can only have values that are written in the program.
    pub(super) fn is_finite(&self, variable: Symbol) -> bool {
        self.finite.contains(&variable)
    }

    /// Whether the variable chooses elements of an array of references.
    pub(super) fn is_index(&self, variable: Symbol) -> bool {
        self.indices.contains(&variable)
    }

    /// How many places of blocks were walked.
    pub(super) fn places(&self) -> u64 {
        self.places
    }
}
