//! How the engine works.

use std::path::PathBuf;

/// How the engine works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PandaConfig {
    /// Whether states are matched where traces alone do not come to an end.
    pub matching: bool,
    /// The solver, where the user chose one.
    pub solver: Option<PathBuf>,
}

impl Default for PandaConfig {
    fn default() -> PandaConfig {
        PandaConfig { matching: true, solver: None }
    }
}
