//! Abstract domains: what is kept of data, and how much of it.
//!
//! There is one so far: the values of tracked variables together with the truth of predicates.

mod precision;
mod state;

pub use precision::{Abstraction, Precision, PrecisionScope, Tracking};
pub use state::State;
