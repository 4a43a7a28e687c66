//! PANDA: predicate abstraction and concrete execution of the same step.
//!
//! A state is combined: a valuation of predicates, with the values of variables that do not depend on unknowns, and the
//! concrete execution along the one trace that leads to it. The abstract half is that of `cegar`, with its large blocks,
//! its refinement and its proofs; the concrete half, and what it prunes, is in `pruning.rs`. The main loop is figure 2 of
//! the paper, `strategy.rs`.
//!
//! What differs from the paper: states are matched where traces alone do not come to an end. A node that covers others
//! stands for their executions too, which take other traces: whatever only its own trace excludes must then be excluded
//! by its predicates, which interpolants find. Both kinds of search end with a proof that `confirm` checks: an unrolling
//! where nothing was matched (`unrolling.rs`), and what holds at cut points where something was.

mod config;
mod limits;
mod pruning;
mod strategy;
mod unrolling;

pub use config::PandaConfig;
pub(super) use pruning::{PrunedBranch, Pruning, StateMatching, TraceHalf, TraceStep, step_of_block};
pub use strategy::verify;
