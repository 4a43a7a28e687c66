//! How the engine works.

use super::limits::MAX_VALUES;
use crate::domain::{Abstraction, PrecisionScope};
use crate::engine::SearchOrder;
use crate::formula::blocks::BlockSize;
use crate::formula::memory::Representation;
use crate::program::predicates::PredicateFile;
use crate::solver::interpolate::Method;
use std::sync::Arc;

/// How the engine works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CegarConfig {
    /// What is known of data.
    pub domain: DomainChoice,
    /// How infeasible paths become predicates: the first way that succeeds.
    pub refinement: Refinement,
    /// In which order the graph is explored.
    pub search: SearchOrder,
    /// What becomes of the call stack.
    pub stack: StackPolicy,
    /// How large the steps are.
    pub blocks: BlockSize,
    /// How predicates are abstracted at first.
    pub abstraction: Abstraction,
    /// Where a predicate that was found is used.
    pub scope: PrecisionScope,
    /// How many values of a variable are kept apart at one location; one that has more is no longer tracked.
    pub max_values: usize,
    /// How contents of objects are written; not a user's choice.
    pub memory: Representation,
    /// Predicates that the user gave.
    pub predicates: Option<Arc<PredicateFile>>,
    /// Whether the predicates of the abstraction in the end are reported.
    pub reports_predicates: bool,
    /// The solver, where the user chose one.
    pub solver: Option<std::path::PathBuf>,
}

impl Default for CegarConfig {
    fn default() -> CegarConfig {
        CegarConfig {
            domain: DomainChoice::Product,
            refinement: Refinement::Sequence,
            search: SearchOrder::BreadthFirst,
            stack: StackPolicy::Pop,
            blocks: BlockSize::Large,
            abstraction: Abstraction::Cartesian,
            scope: PrecisionScope::Procedure,
            max_values: MAX_VALUES,
            memory: Representation::Chosen,
            predicates: None,
            reports_predicates: false,
            solver: None,
        }
    }
}

/// What is known of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DomainChoice {
    /// The values of tracked variables.
    Explicit,
    /// The truth of predicates.
    Predicates,
    /// Both.
    Product,
}

/// How infeasible paths become predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refinement {
    /// A sequence of interpolants.
    Sequence,
    /// One interpolant at a time, where the shortest infeasible end of the path begins; a sequence where that is nothing new.
    Backward,
    /// Unsatisfiable core, then weakest preconditions, over what is live.
    Newton,
    /// Interpolants by Horn clauses.
    Horn,
}

impl Refinement {
    /// The ways to interpolate, in the order they are tried.
    pub(super) fn methods(self) -> &'static [Method] {
        match self {
            Refinement::Sequence | Refinement::Backward => &[Method::Farkas, Method::CoreWp, Method::Spacer],
            Refinement::Newton => &[Method::CoreWp],
            Refinement::Horn => &[Method::Spacer],
        }
    }
}

/// What becomes of the call stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StackPolicy {
    /// A call that an earlier one covers is popped: what is known of the procedure takes its place.
    Pop,
    /// Every call is explored with the stack that it has.
    Exact,
}
