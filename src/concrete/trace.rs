//! Traces: an execution as its choices, and what it did when they were replayed.

use super::{Situation, Value};
use crate::program::control::Step;
use crate::program::{EdgeId, Failure, ProcId, Span, VarId};

/// An execution, given by what was chosen on the way: the inputs and, of the steps that were possible, which.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trace {
    /// The inputs that `init` read, in order.
    pub initial_inputs: Vec<Value>,
    /// The steps after it. The last one enters the error location, if it is not the state that is wrong.
    pub steps: Vec<TraceStep>,
}

/// One step of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceStep {
    /// Which thread did what.
    pub step: Step,
    /// The inputs that the step read, in order. Where a notification had several threads to choose from, the
    /// number of the chosen one is among them.
    pub inputs: Vec<Value>,
}

/// What an execution did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The inputs that `init` read.
    pub initial_inputs: Vec<Input>,
    /// The globals' values after `init`.
    pub initial: Vec<(VarId, Value)>,
    /// What happened then, without a step that entered an error location.
    pub steps: Vec<ReplayedStep>,
    /// The objects there are in the end whose class is known.
    pub objects: Vec<ObjectName>,
    /// What went wrong in the end, and where.
    pub violation: Violation,
    /// Whether two copies of what was never written held different values: then the program has no such execution.
    pub copies_differ: bool,
}

/// One step of an execution that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedStep {
    /// Which thread did what.
    pub step: Step,
    /// The procedure that the thread was in.
    pub procedure: ProcId,
    /// The edge it took, where it took one.
    pub edge: Option<EdgeId>,
    /// The inputs that the step read.
    pub inputs: Vec<Input>,
    /// The variables whose value changed.
    pub changes: Vec<Change>,
    /// The fields and elements that were written, where the program says how objects lie in memory.
    pub cells: Vec<CellChange>,
}

/// A field or an element that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellChange {
    /// The number of the object.
    pub object: u32,
    /// A variable of the procedure that points to it.
    pub through: Option<VarId>,
    /// Which part of it.
    pub cell: Cell,
    /// What it became.
    pub after: Value,
}

/// A part of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// The field of that name.
    Field(String),
    /// The element of that number.
    Element(i64),
}

/// An object that an execution made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectName {
    /// Its number.
    pub object: u32,
    /// What its class is called.
    pub class: String,
    /// The text that it holds, if it is a string.
    pub text: Option<String>,
}

/// One input that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The variable that took it; none if memory did.
    pub variable: Option<VarId>,
    /// Its value.
    pub value: Value,
    /// Where the source asks for it.
    pub span: Option<Span>,
}

/// A variable that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which one.
    pub variable: VarId,
    /// What it was.
    pub before: Value,
    /// What it became.
    pub after: Value,
}

/// What went wrong at the end of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The kind and its message.
    pub failure: Failure,
    /// The procedure, and the edge into the error location; of a state that is wrong, the edge that a thread is at.
    pub place: Option<(ProcId, EdgeId)>,
    /// Where in the source.
    pub span: Option<Span>,
    /// Of a data race or a deadlock, the threads that it is between: those of a circle first.
    pub threads: Vec<Situation>,
}
