//! Programs as formulas: expressions, memory, large blocks, and what a model of a formula says of an execution.

pub mod arithmetic;
pub mod blocks;
pub mod context;
pub mod encode;
pub mod inputs;
pub mod memory;
pub mod model_without_solver;

pub use context::Formulas;
