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
}
