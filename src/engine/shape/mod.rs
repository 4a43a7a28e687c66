//! Shape analysis: lists without a bound on their length, as chains of alike nodes.
//!
//! A state is a shape (`domain/shape`), and covers others as shapes do. At loop heads alike nodes that are linked are
//! folded, and numbers that keep changing are widened; at first only nodes that hold the same are alike, then those of
//! one form. A search that ends without an error is a proof: `confirm` takes the steps again. An error that is found is
//! none: it may be there because something was forgotten.

mod space;
mod strategy;

pub use strategy::verify;

use crate::domain::shape::Shape;
use crate::program::control::Frame;

/// All shapes at cut points that executions come through, by location stack.
#[derive(Debug, Default)]
pub struct ShapeInvariants {
    /// The shapes at each location stack.
    pub at: Vec<(Vec<Frame>, Vec<Shape>)>,
}
