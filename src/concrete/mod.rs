//! Concrete execution: values, memory, the one interpreter of Program, replay of a trace.

mod compile;
mod eval;
mod fault;
mod format;
mod machine;
mod memory;
mod pack;
mod replay;
mod threads;
mod trace;
mod value;

#[cfg(test)]
mod tests;

pub use fault::Fault;
pub use machine::{Inputs, Machine, Mark, NoInputs, Outcome, Request};
pub use pack::Packed;
pub use replay::{ReplayError, failure_at_start, replay};
pub use trace::{Change, Input, Replay, ReplayedStep, Trace, TraceStep, Violation};
pub use value::{Pointer, Value};
