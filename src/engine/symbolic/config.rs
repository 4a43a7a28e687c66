//! How the engine works.

use std::path::PathBuf;

/// How the engine works.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SymbolicConfig {
    /// When a state is not explored any further.
    pub matching: Matching,
    /// The solver, where the user chose one.
    pub solver: Option<PathBuf>,
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
