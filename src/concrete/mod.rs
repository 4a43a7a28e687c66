//! Concrete execution: values, memory, the one interpreter of Program, replay of a trace.

mod access;
pub mod choices;
mod compile;
mod deterministic;
mod eval;
mod execute;
mod fault;
mod first;
mod format;
mod live;
mod locks;
mod machine;
mod memory;
mod naming;
mod object;
mod origins;
mod pack;
mod pointers;
mod private;
mod prospect;
mod replay;
pub mod sample;
mod situation;
mod state_check;
mod store;
pub mod successors;
pub mod tables;
mod tell;
mod threads;
pub mod token;
mod trace;
mod tracking;
mod trail;
mod value;

#[cfg(test)]
mod tests;

pub use deterministic::{Advance, CycleDetector, Halt};
pub use fault::Fault;
pub use first::{FirstContents, Origin};
pub use machine::{Inputs, Machine, Mark, NoInputs, Outcome, Request};
pub use object::is_operand;
pub use pack::Packed;
pub use replay::{ReplayError, complete, failure_at_start, replay, replay_to};
pub use situation::{Doing, HeldLock, Situation, WaitsFor};
pub use state_check::StateCheck;
pub use store::{Part, Store, hash_of_pair};
pub use tell::{Effect, Told, tell};
pub use trace::{Cell, CellChange, Change, Input, ObjectName, Replay, ReplayedStep, Trace, TraceStep, Violation};
pub use value::{Pointer, Value};
