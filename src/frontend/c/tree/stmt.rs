//! Statements of the typed tree.

use super::{ExprId, Initialiser, LabelId, ObjectId, StmtId};
use crate::frontend::c::types::VlaId;
use crate::program::Span;

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it is.
    pub span: Span,
}

/// What a statement is.
#[derive(Debug)]
pub enum StmtKind {
    /// Nothing.
    Empty,
    /// An expression for its effects.
    Expr(ExprId),
    /// A block; the objects live from where the block is entered to where it is left.
    Block {
        /// What it does.
        stmts: Box<[StmtId]>,
        /// The locals that live in it.
        objects: Box<[ObjectId]>,
    },
    /// A local comes into being, with its first value or none.
    Declare(ObjectId, Option<Box<Initialiser>>),
    /// Computes and keeps the length of a variable-length array.
    ComputeLength(VlaId),
    /// `if` and every `else if`, and the last `else`.
    If {
        /// The conditions with what is done.
        arms: Box<[(ExprId, StmtId)]>,
        /// The last `else`.
        otherwise: Option<StmtId>,
    },
    /// `while`
    While {
        /// The condition.
        condition: ExprId,
        /// The body.
        body: StmtId,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: StmtId,
        /// The condition.
        condition: ExprId,
    },
    /// `for`; what it declares is in a block around it.
    For {
        /// What it starts with.
        init: Option<StmtId>,
        /// The condition; none is true.
        condition: Option<ExprId>,
        /// What is done after the body, and by `continue`.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `switch`: goes to the label of the case, to that of `default`, or behind the body.
    Switch {
        /// The value, of a promoted type.
        value: ExprId,
        /// The cases.
        cases: Box<[Case]>,
        /// The label of `default`.
        default: Option<LabelId>,
        /// The body, with the labels in it.
        body: StmtId,
    },
    /// A label stands here; control falls through it.
    Label(LabelId),
    /// `goto`
    Goto(LabelId),
    /// Leaves the innermost loop or `switch`.
    Break,
    /// Goes on with the innermost loop.
    Continue,
    /// Returns, with a value of the function's type.
    Return(Option<ExprId>),
}

/// A case of a `switch`: values from the first to the last, both included, in the type of the switch value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// The first value.
    pub first: i128,
    /// The last value.
    pub last: i128,
    /// Where it goes.
    pub label: LabelId,
    /// Where it stands.
    pub span: Span,
}
