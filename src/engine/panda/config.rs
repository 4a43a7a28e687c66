//! How the engine works.

use crate::program::predicates::PredicateFile;
use std::path::PathBuf;
use std::sync::Arc;

/// How the engine works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PandaConfig {
    /// Whether states are matched where traces alone do not come to an end.
    pub matching: bool,
    /// Whether what a refinement leaves as it was is kept; otherwise the search starts again.
    pub resuming: bool,
    /// Predicates that the user gave.
    pub predicates: Option<Arc<PredicateFile>>,
    /// Whether the predicates of the abstraction in the end are reported.
    pub reports_predicates: bool,
    /// The solver, where the user chose one.
    pub solver: Option<PathBuf>,
}

impl Default for PandaConfig {
    fn default() -> PandaConfig {
        PandaConfig { matching: true, resuming: true, predicates: None, reports_predicates: false, solver: None }
    }
}
