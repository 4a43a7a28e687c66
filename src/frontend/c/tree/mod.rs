//! The typed tree: what a C file means, with nothing implicit left.
//!
//! Every expression has its type. Conversions, decay of arrays and functions, and reads of objects are nodes of
//! their own; names are resolved; sizes, offsets, enumerators and constant integer expressions are numbers. A
//! constant that would overflow, divide by zero or shift too far is left as it was written, for the lowering to judge.
//!
//! Rules that the nodes keep:
//! - An expression is an *lvalue* (a place: [`ExprKind::is_lvalue`]), a *function designator*
//!   ([`ExprKind::Function`]) or a *value*. Only [`ExprKind::Load`], [`ExprKind::Decay`],
//!   [`ExprKind::AddressOf`], [`ExprKind::Member`], assignments and the like take lvalues; everything else takes values.
//! - Values have unqualified types; the type of an lvalue has the qualifiers of the place.
//! - Operands of arithmetic, comparison and bitwise operators have the same type, of at least the rank of `int`;
//!   those of shifts are promoted one by one. Conditions have type `_Bool`.
//! - Children come before their parents in [`Unit::exprs`] and [`Unit::stmts`]. Only left operands of
//!   [`ExprKind::Binary`], [`ExprKind::LogicalAnd`], [`ExprKind::LogicalOr`], [`ExprKind::Comma`] and
//!   [`ExprKind::PointerAdd`], with the conversions on them, nest deeper than a few thousand: walk those in a loop.

use super::names::{Names, Symbol, ids};
use super::types::{BitField, Ty, Types, VlaId};
use crate::program::{IdVec, Span};
use std::sync::Arc;

mod builtin;
mod expr;
mod stmt;

pub use builtin::{Builtin, FloatComparison};
pub use expr::{BinaryOp, Conversion, Expr, ExprKind, Step, Stride, UnaryOp};
pub use stmt::{Case, Stmt, StmtKind};

ids! {
    /// A typed expression.
    ExprId, "e";
    /// A statement.
    StmtId, "t";
    /// An object: a variable, a parameter, or a compound literal.
    ObjectId, "o";
    /// A function.
    FunctionId, "F";
    /// A label of a function: of `goto`, `case` or `default`.
    LabelId, "l";
    /// A string literal.
    StringId, "q";
}

/// The meaning of one C file.
#[derive(Debug)]
pub struct Unit {
    /// The types, with the data model.
    pub types: Types,
    /// The names behind symbols.
    pub names: Names,
    /// Every function that is declared, defined or called.
    pub functions: IdVec<FunctionId, Function>,
    /// Every object, of the file and of its functions.
    pub objects: IdVec<ObjectId, Object>,
    /// Every expression.
    pub exprs: IdVec<ExprId, Expr>,
    /// Every statement.
    pub stmts: IdVec<StmtId, Stmt>,
    /// Every string literal.
    pub strings: IdVec<StringId, StringLiteral>,
    /// The lengths of variable-length arrays.
    pub vlas: IdVec<VlaId, Vla>,
    /// What was taken for granted, as a compiler would warn about it.
    pub assumptions: Vec<Assumption>,
    /// Where an atomic access of an order weaker than sequential consistency is.
    pub weak_order: Option<Span>,
    /// Whether a kind of mutex is named that is not the default.
    pub has_mutex_kinds: bool,
}

impl Unit {
    /// Whether the expression may mention the object; what is in blocks and compound literals is not looked at.
    pub fn mentions(&self, expr: ExprId, object: ObjectId) -> bool {
        let kind = &self.exprs[expr].kind;
        if matches!(kind, ExprKind::Statements { .. } | ExprKind::CompoundLiteral(..)) {
            return true;
        }
        let mut found = matches!(kind, ExprKind::Object(mentioned) if *mentioned == object);
        kind.for_each_child(|child| found = found || self.mentions(child, object));
        found
    }

    /// The function of that name.
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        self.functions.enumerate().find(|(_, function)| &*function.name == name).map(|(id, _)| id)
    }

    /// The integer that the expression is, where it is a constant.
    pub fn constant(&self, expr: ExprId) -> Option<i128> {
        match self.exprs[expr].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The function that a call calls, where it names it.
    pub fn direct_callee(&self, callee: ExprId) -> Option<FunctionId> {
        match self.exprs[callee].kind {
            ExprKind::FunctionPointer(inner) => match self.exprs[inner].kind {
                ExprKind::Function(id) => Some(id),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Something taken for granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// What.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Its type, a function type.
    pub ty: Ty,
    /// Whether no other file sees it.
    pub is_static: bool,
    /// Whether a declaration says `inline`; the body counts all the same.
    pub is_inline: bool,
    /// Whether a declaration says that it does not return.
    pub is_noreturn: bool,
    /// Whether a declaration says that another definition goes before it.
    pub is_weak: bool,
    /// Whether it was called without being declared.
    pub is_implicit: bool,
    /// The name that the linker sees, where a declaration gives one.
    pub asm_name: Option<Arc<str>>,
    /// The function of the same file that it is another name of.
    pub alias: Option<Arc<str>>,
    /// The priority, where it runs before `main`.
    pub constructor: Option<u64>,
    /// Its parameters and body, where it is defined here.
    pub definition: Option<Definition>,
    /// Where it is defined, or declared first.
    pub span: Span,
}

/// The parameters and body of a function.
#[derive(Debug)]
pub struct Definition {
    /// The parameters, in order.
    pub parameters: Vec<ObjectId>,
    /// The body, a block; lengths that parameters need are computed at its start.
    pub body: StmtId,
    /// Objects with a place in each activation: locals and compound literals, parameters left out.
    pub locals: Vec<ObjectId>,
    /// The labels.
    pub labels: IdVec<LabelId, Label>,
}

/// A label.
#[derive(Debug, Clone)]
pub struct Label {
    /// Its name, for a label of `goto`.
    pub name: Option<Symbol>,
    /// Where it stands.
    pub span: Span,
}

/// An object.
#[derive(Debug)]
pub struct Object {
    /// Its name in the source; a compound literal has none and is called `literal`.
    pub name: Arc<str>,
    /// A name that no other object of the same function has, nor any other of static storage: `f.x`, `f.x.2`.
    pub unique_name: String,
    /// Its type; an array has its length from the initialiser where the declaration gives none.
    pub ty: Ty,
    /// How long it lives and who sees it.
    pub storage: Storage,
    /// Whether each thread has its own.
    pub is_thread_local: bool,
    /// Whether it has a definition here; a tentative one counts. Locals always have.
    pub is_defined: bool,
    /// Whether a declaration says that another definition goes before it.
    pub is_weak: bool,
    /// What it starts with, for static storage; without one, zero. Locals have theirs in [`StmtKind::Declare`].
    pub init: Option<Initialiser>,
    /// Whether `&` is applied to it or to a part of it; decay of an array is a node to look for.
    pub is_address_taken: bool,
    /// The alignment that an attribute asks for, in bytes.
    pub align: Option<u64>,
    /// Where it is declared.
    pub span: Span,
}

/// How long an object lives and who sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// As long as the program; other files see it.
    Global,
    /// As long as the program; declared `static`, in the file or in a function.
    Static,
    /// As long as the block that declares it, in an activation of the function.
    Local(FunctionId),
    /// A parameter of the function.
    Parameter(FunctionId),
}

/// A string literal: an array that lives as long as the program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StringLiteral {
    /// The elements, with the zero at the end.
    pub units: Vec<u32>,
    /// The type of an element.
    pub element: Ty,
}

/// The length of a variable-length array.
#[derive(Debug, Clone, Copy)]
pub struct Vla {
    /// The number of elements, of type `size_t`.
    pub length: ExprId,
}

/// What an object starts with.
#[derive(Debug, Clone, Default)]
pub struct Initialiser {
    /// Whether what no item covers is zero. Otherwise the items cover everything but padding.
    pub zero_rest: bool,
    /// The parts that get values, to be stored in this order.
    pub items: Vec<InitItem>,
}

/// A part of an object that gets a value.
#[derive(Debug, Clone, Copy)]
pub struct InitItem {
    /// Where it starts, in bytes.
    pub offset: u64,
    /// Which bits, for a bit-field.
    pub bits: Option<BitField>,
    /// The type of the part.
    pub ty: Ty,
    /// Its value, converted to the type; for an array of characters the string literal, an lvalue, of which as many
    /// units are stored as fit.
    pub value: ExprId,
}
