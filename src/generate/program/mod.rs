//! Random valid programs, for tests: the same seed gives the same program.
//!
//! [`generate`] covers every type, expression and statement, with odd names and spans; such programs are valid
//! but mostly make no sense. [`generate_executable`] gives small programs that run: closed but for their inputs,
//! with machine integers of few bits, loops, recursion and assertions. [`generate_threaded`] gives such programs with
//! threads and locks, and without recursion.

mod executable;
mod expr;
mod structure;
mod threaded;

pub use crate::term::Random;
pub use executable::{ExecutableConfig, generate_executable};
pub use structure::{GenerateConfig, generate};
pub use threaded::{ThreadedConfig, generate_threaded};

#[cfg(test)]
mod tests;
