//! Concrete execution: values, memory, the one interpreter of Program, replay of a trace.

mod access;
pub mod choices;
mod compile;
mod eval;
mod execute;
mod fault;
mod format;
mod machine;
mod memory;
mod object;
mod pack;
mod replay;
pub mod sample;
mod standing;
mod stretch;
pub mod successors;
mod threads;
mod trace;
mod tracking;
mod trail;
mod value;

#[cfg(test)]
mod tests;

pub use fault::Fault;
pub use machine::{Inputs, Machine, Mark, NoInputs, Outcome, Request};
pub use object::is_operand;
pub use pack::Packed;
pub use replay::{ReplayError, complete, failure_at_start, replay};
pub use standing::Standing;
pub use stretch::{Halt, Stretch, Watch};
pub use trace::{Cell, CellChange, Change, Input, ObjectName, Replay, ReplayedStep, Trace, TraceStep, Violation};
pub use value::{Pointer, Value};
