//! Programs with threads as programs without: one procedure whose executions are the interleavings of the threads.
//!
//! Every thread that there can be is an *instance*, known before the program runs, with copies of its variables and its
//! procedures inlined (`instance.rs`). The program that is made has one location, the *schedule*, from which an instance
//! is chosen, and the locations of every instance; a variable for each says where it was when another was chosen last. A
//! step that others can see leads back to the schedule; steps that have to do with an instance's own variables alone,
//! and those inside atomic sections, do not. They are taken when the instance is chosen, before the next step that
//! others can see and not after the last one, so that an instance that never comes to one holds up nobody.
//!
//! What has no place in the result is refused, or is an error of kind `Unmodelled`, which costs the answer.

mod emit;
mod held;
mod instance;
mod locks;
pub mod modular;
mod private;
mod stack;
mod statements;
mod tidy;

use crate::program::control::Action;
use crate::program::{EdgeId, IdVec, Program, Span};

/// How many instances a start of a thread has that may be executed again and again.
const MAX_AT_A_PLACE: usize = 4;

/// How many instances there are at most.
const MAX_INSTANCES: usize = 16;

/// How many locations all instances together have at most.
const MAX_LOCATIONS: usize = 8_000;

/// A program without threads that stands for one with threads.
#[derive(Debug, Clone)]
pub struct Interleaved {
    /// The program.
    pub program: Program,
    /// What each edge of its main procedure stands for; the other procedures have none.
    pub origins: IdVec<EdgeId, Origin>,
    /// How many instances of threads there are; the first is the main thread.
    pub instances: usize,
}

/// What an edge of the interleaved program stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The choice of the instance that goes on.
    Schedule,
    /// A step of an instance.
    Step {
        /// Which one.
        instance: usize,
        /// What it does.
        action: Action,
        /// The instances that it starts, in order.
        starts: Vec<usize>,
    },
    /// Something that is undefined, or that is not followed.
    NotFollowed {
        /// What it is.
        what: NotFollowed,
        /// Where it is.
        span: Option<Span>,
    },
}

/// Why an execution is not followed any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NotFollowed {
    /// More threads start than there are instances.
    TooManyThreads,
    /// A lock is released that is another thread's, or nobody's.
    NotOwner,
    /// A thread is waited for that never was.
    NoThread,
    /// A thread holds more locks than there is room for.
    TooManyLocks,
    /// What is to be locked is no object.
    NoLock,
    /// A procedure is called that is on the stack already.
    Recursion,
}

impl NotFollowed {
    /// What happens, in words.
    pub fn describe(self) -> &'static str {
        match self {
            NotFollowed::TooManyThreads => "the start of so many threads",
            NotFollowed::NotOwner => "a lock is released by a thread that does not hold it",
            NotFollowed::NoThread => "a thread is joined, but there is none of that number",
            NotFollowed::TooManyLocks => "a thread that holds so many locks at once",
            NotFollowed::NoLock => "a null pointer is locked",
            NotFollowed::Recursion => "a recursive call in a program with threads",
        }
    }
}

/// Why a program cannot be interleaved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{construct} in a program with threads")]
pub struct Refused {
    /// What there is no place for.
    pub construct: String,
    /// Where it is.
    pub span: Option<Span>,
}

/// The program without threads whose executions are the interleavings of a valid program's. The same program gives the
/// same result.
///
/// # Errors
/// Where the program has threads that wait to be notified, objects on the stack whose lives' ends cannot be told, or more
/// than [`MAX_LOCATIONS`] locations that can be reached, the procedures of each thread inlined.
pub fn interleave(program: &Program) -> Result<Interleaved, Refused> {
    let objects = stack::StackObjects::of(program);
    let instances = instance::instances(program, &objects, instance::Room::EachStep(MAX_AT_A_PLACE))?;
    emit::emit(program, &instances, &objects)
}
