//! How the engine works.

use std::path::PathBuf;

/// How the engine works.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SymbolicConfig {
    /// When a state is not explored any further.
    pub matching: Matching,
    /// Whether executions are only followed, without matching; how far, and in which order.
    pub bound: Option<Bound>,
    /// The solver, where the user chose one.
    pub solver: Option<PathBuf>,
}

/// How far executions are followed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bound {
    /// How many rounds of loops and recursive calls an execution has at most.
    pub steps: Option<u32>,
    /// In which order.
    pub order: BoundedOrder,
    /// Which states at one place become one; both ways side by side if none is given.
    pub merging: Option<Merging>,
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

/// Which states an abstract state is matched with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Matching {
    /// Those on the path to it: symbolic execution with abstract matching.
    #[default]
    Path,
    /// All that were met, in one table: under-approximation refinement, with concrete states.
    Global,
}
