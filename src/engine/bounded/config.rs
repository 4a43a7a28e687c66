//! How the engine works.

use crate::formula::memory::Representation;
use std::path::PathBuf;

/// How the engine works: how far executions are followed, and how.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoundedConfig {
    /// How many rounds of loops and recursive calls an execution has at most.
    pub steps: Option<u32>,
    /// In which order.
    pub order: BoundedOrder,
    /// Which states at one place become one; both ways side by side if none is given.
    pub merging: Option<Merging>,
    /// How contents of objects are written; not a user's choice.
    pub memory: Representation,
    /// The solver, where the user chose one.
    pub solver: Option<PathBuf>,
}

impl BoundedConfig {
    /// The order of a search. Of two side by side, the one that merges all follows loops to their ends; the other one finds
    /// the shortest execution that fails.
    pub(super) fn order_of(&self, merging: Merging) -> BoundedOrder {
        let is_free = self.steps.is_none() && self.merging.is_none() && self.order == BoundedOrder::Breadth;
        if is_free && merging == Merging::All { BoundedOrder::Loops } else { self.order }
    }
}

/// Which states at one place become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merging {
    /// Those that agree in the values that are known.
    Known,
    /// All.
    All,
}

/// In which order executions are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BoundedOrder {
    /// All by one round, then all by another: finds the shortest that fails.
    #[default]
    Breadth,
    /// The newest first.
    Depth,
    /// The one that is nearest to an error first, by the edges between them.
    Distance,
    /// Every loop to its end before what follows it: states that leave it after different numbers of rounds become one.
    Loops,
}
