//! Statements: what an edge does, one after the other, without interruption.

use super::{Expr, Piece, ProcId, Span, VarId};
use std::sync::Arc;

/// A statement.
///
/// `Call` stands alone on its edge, `Wait` last. The statements that can block (`Assume`, `Join`, `Lock`) block
/// the whole edge: an edge that cannot be taken to its end has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Goes on only if the condition holds.
    Assume(Expr),
    /// Assigns all at once: every right-hand side is read before any variable is written.
    Assign(Vec<(VarId, Expr)>),
    /// Input: the variable takes any value of its type.
    Havoc {
        /// Which variable.
        target: VarId,
        /// Where the source asks for the input.
        span: Option<Span>,
    },
    /// Calls a procedure; its result goes to the target.
    Call {
        /// Where the result goes.
        target: Option<VarId>,
        /// Which procedure.
        callee: ProcId,
        /// The values of its parameters.
        arguments: Vec<Expr>,
    },
    /// Writes a value to memory at a pointer. Faults as [`Expr::Load`] does, but bytes need not be written before.
    Store {
        /// Where.
        address: Expr,
        /// What; its type says how many bytes.
        value: Expr,
    },
    /// Copies bytes from one place in memory to another, as if all were read before any is written: the two may
    /// overlap. Bytes that were never written stay so, pointers stay the same pointers. Faults as a load at the source
    /// and a store at the target do, but for bytes that were never written; no bytes are copied without a look at
    /// the pointers, and fewer than none lie outside every object.
    Copy {
        /// Where to.
        target: Expr,
        /// Where from.
        source: Expr,
        /// How many, as `i64`.
        bytes: Expr,
    },
    /// Writes one byte to several places in memory that follow each other. Faults as a store of all of them does; of
    /// none and of fewer as `Copy` does.
    Fill {
        /// Where to.
        target: Expr,
        /// The byte, as `u8`.
        byte: Expr,
        /// How often, as `i64`.
        bytes: Expr,
    },
    /// Writes these bytes to memory, one after the other. Faults as a store of all of them does; of none as `Copy` does.
    Write {
        /// Where to.
        target: Expr,
        /// What.
        bytes: Arc<[u8]>,
    },
    /// Prints. The state does not change; reading what is printed faults as anywhere.
    Output(Vec<Piece>),
    /// Makes a new object. Faults where there is no room for it.
    Allocate {
        /// The pointer to it.
        target: VarId,
        /// How many bytes, as `i64`, not negative.
        size: Expr,
        /// Which lifetime it has.
        region: Region,
        /// Whether its bytes are zero at first, or never written.
        zeroed: bool,
    },
    /// Ends an object's life. Faults unless the pointer is to the start of a live object.
    Free(Expr),
    /// Starts a thread that runs a procedure.
    Spawn {
        /// Where the thread's number goes; an integer type.
        target: Option<VarId>,
        /// Which procedure.
        callee: ProcId,
        /// The values of its parameters.
        arguments: Vec<Expr>,
    },
    /// Goes on only when the thread of that number has ended.
    Join(Expr),
    /// Goes on only when the lock is free, or is this thread's and `reentrant`; takes it.
    Lock {
        /// The lock: a pointer.
        lock: Expr,
        /// Whether its owner may take it again, to release it as often.
        reentrant: bool,
    },
    /// Releases the lock. Faults unless it is this thread's.
    Unlock(Expr),
    /// Releases the lock, however often it was taken, and ends the edge asleep: the thread's next step is to wake,
    /// possible when a `Notify` of the condition has chosen it and the lock is free; it then has the lock as
    /// before. Faults unless the lock is this thread's.
    Wait {
        /// What is waited for: a pointer.
        condition: Expr,
        /// The lock.
        lock: Expr,
    },
    /// Chooses one of the threads that wait for the condition, any one, or all of them, to wake.
    Notify {
        /// What they wait for: a pointer.
        condition: Expr,
        /// All of them, or one.
        all: bool,
    },
    /// From here to the matching end, no other thread runs.
    AtomicBegin,
    /// Ends an atomic section.
    AtomicEnd,
}

/// How long an object lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Region {
    /// As long as the program runs.
    Static,
    /// The same, for an object that a literal stands for: where it lies is open, and others of the kind may share bytes
    /// with it.
    Literal,
    /// The same; it is not to be written after `init`. That is for the program to look at: see `IsConstant`.
    Constant,
    /// Until the activation that made it returns.
    Stack,
    /// The same; it is not to be written but for its first value. That is for the program to look at, as with `Constant`.
    ConstantStack,
    /// Until it is freed.
    Heap,
}

impl Region {
    /// Whether an object lives until the activation that made it returns.
    pub fn is_on_stack(self) -> bool {
        matches!(self, Region::Stack | Region::ConstantStack)
    }

    /// Whether an object must not be written once it has its first value.
    pub fn is_constant(self) -> bool {
        matches!(self, Region::Literal | Region::Constant | Region::ConstantStack)
    }
}

impl Statement {
    /// The expressions that the statement reads, in order.
    pub fn expressions<'s>(&'s self) -> Vec<&'s Expr> {
        use Statement::*;
        match self {
            Assume(e) | Free(e) | Join(e) | Unlock(e) => vec![e],
            Allocate { size: e, .. } | Lock { lock: e, .. } | Notify { condition: e, .. } => vec![e],
            Write { target: e, .. } => vec![e],
            Assign(pairs) => pairs.iter().map(|(_, e)| e).collect(),
            Call { arguments, .. } | Spawn { arguments, .. } => arguments.iter().collect(),
            Store { address, value } => vec![address, value],
            Copy { target, source, bytes } => vec![target, source, bytes],
            Fill { target, byte, bytes } => vec![target, byte, bytes],
            Output(pieces) => {
                let value = |piece: &'s Piece| match piece {
                    Piece::Text(_) => None,
                    Piece::Value { expr, .. } => Some(expr),
                };
                pieces.iter().filter_map(value).collect()
            }
            Wait { condition, lock } => vec![condition, lock],
            Havoc { .. } | AtomicBegin | AtomicEnd => vec![],
        }
    }

    /// The expressions that the statement reads, in order, to be changed.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        use Statement::*;
        match self {
            Assume(e) | Free(e) | Join(e) | Unlock(e) => vec![e],
            Allocate { size: e, .. } | Lock { lock: e, .. } | Notify { condition: e, .. } => vec![e],
            Write { target: e, .. } => vec![e],
            Assign(pairs) => pairs.iter_mut().map(|(_, e)| e).collect(),
            Call { arguments, .. } | Spawn { arguments, .. } => arguments.iter_mut().collect(),
            Store { address, value } => vec![address, value],
            Copy { target, source, bytes } => vec![target, source, bytes],
            Fill { target, byte, bytes } => vec![target, byte, bytes],
            Output(pieces) => {
                let value = |piece| match piece {
                    &mut Piece::Value { ref mut expr, .. } => Some(expr),
                    Piece::Text(_) => None,
                };
                pieces.iter_mut().filter_map(value).collect()
            }
            Wait { condition, lock } => vec![condition, lock],
            Havoc { .. } | AtomicBegin | AtomicEnd => vec![],
        }
    }

    /// The variables that the statement writes.
    pub fn targets(&self) -> Vec<VarId> {
        use Statement::*;
        match self {
            Assign(pairs) => pairs.iter().map(|(v, _)| *v).collect(),
            Havoc { target, .. } | Allocate { target, .. } => vec![*target],
            Call { target, .. } | Spawn { target, .. } => target.iter().copied().collect(),
            _ => vec![],
        }
    }

    /// Gives every variable of the statement another name.
    pub fn rename(&mut self, rename: &impl Fn(&mut VarId)) {
        self.rename_targets(rename);
        self.expressions_mut().into_iter().for_each(|expression| expression.rename(rename));
    }

    /// Gives the variables that the statement writes other names.
    pub fn rename_targets(&mut self, rename: &impl Fn(&mut VarId)) {
        match self {
            Statement::Assign(pairs) => pairs.iter_mut().for_each(|(target, _)| rename(target)),
            Statement::Havoc { target, .. } | Statement::Allocate { target, .. } => rename(target),
            Statement::Call { target, .. } | Statement::Spawn { target, .. } => target.iter_mut().for_each(rename),
            _ => {}
        }
    }
}
