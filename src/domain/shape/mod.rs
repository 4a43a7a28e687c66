//! Shapes: abstract heaps with list segments, for lists without a bound on their length.
//!
//! A [`Shape`] stands for all concrete states that have one object for each of its regions, a chain of at least `min`
//! nodes for each of its segments, all of them apart, with the values that it says. What it does not say can be anything.
//! Only live objects have a place in it; pointers to others are [`Value::Dead`].
//!
//! `unfold` takes a node out of a segment, `fold` makes a segment of alike nodes, `cover` says whether a shape stands for
//! all that another one does, `formed` whether a shape is one at all. What statements do is in `eval` and `step`: both are
//! exact but where they say that they forget something.

mod canonical;
mod cells;
mod cover;
mod eval;
mod fold;
mod formed;
mod heap;
pub mod number;
mod order;
mod pointers;
mod step;
mod template;
mod unfold;
mod walk;
mod widen;

pub use cover::covers;
pub use fold::{FoldLevel, fold};
pub use step::Semantics;
pub use walk::{Reached, Walk};
pub use widen::{Signature, Thresholds};

use crate::program::{MachineInt, ProcId, Region};
use number::Number;
use order::Order;
use std::collections::BTreeMap;

/// What an analysis of shapes cannot treat.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

impl Refused {
    pub(crate) fn new<T>(what: &str) -> Result<T, Refused> {
        Err(Refused(what.to_owned()))
    }
}

/// The number of an object in a shape.
pub type ObjectId = u32;

/// The name of a number that is the same wherever the name is.
pub type SymbolId = u32;

/// What is known of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Nothing, of a variable that is not to be read.
    Unset,
    /// Nothing: any value of its type.
    Any,
    /// A number, or a truth value.
    Int(i128),
    /// The number of that name.
    Symbol(SymbolId),
    /// The null pointer.
    Null,
    /// A pointer into an object that is not live any more.
    Dead,
    /// The pointer to a procedure.
    Function(ProcId),
    /// A pointer into a live object.
    Pointer(Target),
}

/// Where a pointer points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The object; of a segment, one of its nodes.
    pub object: ObjectId,
    /// Whether it is the last node of a segment, and not the first.
    pub last: bool,
    /// The offset into the object or the node.
    pub offset: i64,
}

/// An object, or a chain of them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Object {
    /// How many bytes; of a segment, each of its nodes.
    pub size: i64,
    /// How long it lives.
    pub region: Region,
    /// For one on the stack, the number of activations below the one that it ends with.
    pub owner: Option<u32>,
    /// What it holds.
    pub body: Body,
}

/// What an object holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Body {
    /// One object.
    Region(Fields),
    /// A chain of objects.
    Segment(Segment),
}

/// What is known of the bytes of one object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Fields {
    /// Values, by offset; they do not overlap.
    pub cells: BTreeMap<i64, Cell>,
    /// Ranges of bytes that are zero: from, to. In order, apart from each other and from the cells.
    pub zeros: Vec<(i64, i64)>,
}

/// A value in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// How many bytes it takes.
    pub bytes: i64,
    /// The value.
    pub value: Value,
}

/// A chain of at least one node: objects on the heap, each of which points to the next, and to the one before it if the
/// chain is doubly linked. No node has any other property than these links, and that it is like one of the templates.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Segment {
    /// How the nodes are linked.
    pub links: Links,
    /// The least number of nodes.
    pub min: u32,
    /// What each node holds besides its links: one of these.
    pub nodes: Vec<Template>,
    /// In which order these come.
    pub order: Order,
    /// The link of the last node to what comes next.
    pub next_out: Value,
    /// The link of the first node to what is before it; null in a singly linked chain.
    pub prev_out: Value,
}

/// How the nodes of a chain are linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Links {
    /// Where the link to the next node is.
    pub next: i64,
    /// Where in the next node it points to.
    pub head: i64,
    /// Where the link to the node before is, and where in that it points to.
    pub prev: Option<(i64, i64)>,
}

/// What a node holds besides its links.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Template {
    /// Values by offset, and how many bytes each takes.
    pub parts: BTreeMap<i64, (i64, Part)>,
    /// Ranges of bytes that are zero.
    pub zeros: Vec<(i64, i64)>,
}

/// A value in a node of a chain.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The same value in all nodes.
    Shared(Value),
    /// A number of its own in each node.
    Number(Number),
    /// A pointer to the node itself, at an offset.
    Itself(i64),
    /// A pointer to an object, or a chain, of the node's own, which nothing else points to.
    Own(Box<OwnObject>),
}

/// An object that belongs to a node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OwnObject {
    /// Where into it the pointer is.
    pub offset: i64,
    /// How many bytes it has; of a chain, each of its nodes.
    pub size: i64,
    /// What it holds, or one of these for each node of a chain. Of a chain, without its links.
    pub nodes: Vec<Template>,
    /// How it is linked, and its least number of nodes, if it is a chain: it ends with null in both directions.
    pub chain: Option<(Links, u32)>,
}

/// An activation of a procedure.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Activation {
    /// Which procedure.
    pub procedure: ProcId,
    /// The values of its variables, in their order.
    pub values: Vec<Value>,
}

/// An operation on two numbers, for whose result there is a name.
pub(crate) type Operation = (crate::program::BinaryOp, Option<MachineInt>, Value, Value);

/// An abstract state, but for where executions are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Shape {
    /// The values of global variables.
    pub globals: Vec<Value>,
    /// The activations, the outermost first.
    pub activations: Vec<Activation>,
    /// Results of expressions that are being evaluated.
    pub(crate) results: Vec<Value>,
    /// The objects.
    pub objects: BTreeMap<ObjectId, Object>,
    /// What is known of named numbers.
    pub numbers: BTreeMap<SymbolId, Number>,
    /// Names of results.
    pub(crate) operations: BTreeMap<Operation, SymbolId>,
    pub(crate) next_object: ObjectId,
    pub(crate) next_symbol: SymbolId,
}
