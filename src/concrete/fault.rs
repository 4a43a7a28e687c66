//! Faults: what an execution can do that has no defined result.

use super::Pointer;
use crate::program::{Program, Type, VarId};

/// An execution cannot go on, and nothing follows about the program: its front end should have put an edge to an
/// error location before this.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A variable was read before it was written.
    #[error("variable {0:?} is read before it has a value")]
    Undefined(VarId),
    /// A null pointer was used.
    #[error("a null pointer is dereferenced")]
    Null,
    /// A pointer to no object was used.
    #[error("a pointer that is only a number is dereferenced")]
    Wild,
    /// An object was used after its end.
    #[error("an object is used after its end")]
    Dead,
    /// An access was outside its object.
    #[error("an access lies outside its object")]
    OutOfBounds,
    /// Bytes were read that were never written, and there was no input for them.
    #[error("memory is read before it is written, and there is no input left for it")]
    Unwritten(Pointer, Type),
    /// A free of something other than the start of a live heap object.
    #[error("a pointer that is not to the start of a live heap object is freed")]
    InvalidFree,
    /// An object of a negative or an unreasonable size.
    #[error("an object of {0} bytes is allocated")]
    BadSize(i64),
    /// No room is left for an object.
    #[error("no memory is left for an object")]
    OutOfMemory,
    /// A lock that is not the thread's was released.
    #[error("a lock is released by a thread that does not hold it")]
    NotOwner,
    /// A thread was waited for that never was.
    #[error("thread {0} is joined, but there is none of that number")]
    NoThread(String),
    /// There was no input left to choose a thread by.
    #[error("there is no input left to choose the thread that is notified")]
    NoChoice,
    /// There was no input left to read.
    #[error("there is no input left for variable {0:?}")]
    NoInput(VarId),
    /// A token was met where one value is needed.
    #[error("an operand is abstract")]
    Abstract,
    /// A token can mean too many values to try them all.
    #[error("an abstract value can be more values there than can be tried")]
    Meanings,
    /// An operation on tokens has several results, and none was chosen.
    #[error("nothing says which of several results an operation on abstract values has")]
    Undecided,
    /// An input was given that its variable cannot hold.
    #[error("the input {0} is no value of variable {1:?}")]
    BadInput(String, VarId),
}

impl Fault {
    /// What happened, with the names of the program.
    pub fn describe(&self, program: &Program) -> String {
        let name = |variable: &VarId| &program.variables[*variable].name;
        match self {
            Fault::Undefined(variable) => format!("variable {} is read before it has a value", name(variable)),
            Fault::NoInput(variable) => format!("there is no input left for variable {}", name(variable)),
            Fault::BadInput(value, variable) => format!("the input {value} is no value of variable {}", name(variable)),
            other => other.to_string(),
        }
    }
}
