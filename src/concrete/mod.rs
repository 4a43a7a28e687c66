//! Concrete execution: values, memory, the one interpreter of Program, replay of a trace.

mod trace;
mod value;

pub use trace::{Change, Input, Replay, ReplayedStep, Trace, TraceStep, Violation};
pub use value::{Pointer, Value};
