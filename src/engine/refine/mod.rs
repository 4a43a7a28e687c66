//! Refinement: what makes an infeasible path infeasible, and executions that suggest relations.
//!
//! A path is pieces between nodes, whatever graph they are from. It becomes formulas, with all ways through its blocks or
//! with one of them; these have a model, which is an execution, or interpolants.

mod backward;
mod interpolate;
mod path;
mod ranged;
pub(crate) mod relate;
mod resolve;
mod single;
mod trace;

pub(crate) use path::{PathNode, Piece, Steps};
pub(crate) use ranged::RangedSolver;
pub(crate) use resolve::{atoms, literals};
pub(crate) use single::KnownValues;

use super::{Budget, Task};
use crate::formula::Formulas;
use crate::formula::encode::Transition;

/// What turns paths of a program into formulas, and reasons about them.
pub(crate) struct PathFormulas<'a, 'p> {
    /// The program and the property.
    pub task: &'p Task,
    /// The program as formulas.
    pub formulas: &'a mut Formulas<'p>,
    /// The solver.
    pub solver: &'a mut RangedSolver,
    /// What `init` does.
    pub init: &'a Transition,
    /// How long it may take.
    pub budget: &'a Budget,
}
