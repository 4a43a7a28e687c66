//! Files of predicates, in the syntax of the original PANDA: what an abstraction is to keep, and what is assumed.
//!
//! A file has sections: `[static]` for what is visible everywhere, `[object C]` for all methods of a class, `[method C.m]`
//! for one, `[assume pre method C.m]` and `[assume post method C.m]` for what is taken to hold where it is entered and
//! left. In a section are comparisons of sums over numbers and paths. Ranges and lists stand for several predicates.

mod lexer;
mod names;
mod parser;
mod paths;
mod text;
mod values;

pub use names::{Given, GivenScope, resolve};
pub use parser::parse;

use super::Span;
use crate::term::Integer;

/// A file of predicates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PredicateFile {
    /// Its sections, in order.
    pub sections: Vec<Section>,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Where its predicates count.
    pub context: Context,
    /// Where that is written.
    pub span: Span,
    /// Its predicates, in order.
    pub predicates: Vec<Written>,
}

/// Where predicates count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Context {
    /// Everywhere.
    Static,
    /// In every method of a class.
    Object(String),
    /// In a method or function.
    Method(String),
    /// They are assumed where it is entered.
    AssumePre(String),
    /// They are assumed where it returns.
    AssumePost(String),
}

/// A predicate, and where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The predicate.
    pub predicate: Predicate,
    /// Where it is written.
    pub span: Span,
}

/// A predicate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Predicate {
    /// Always so.
    Bool(bool),
    /// Not that one.
    Not(Box<Predicate>),
    /// Two values compared.
    Compare(Comparison, Value, Value),
}

/// How values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(Integer),
    /// No object.
    Null,
    /// What is at a path.
    At(Path),
    /// How many elements the array at a path has.
    Length(Path),
    /// Two values combined.
    Binary(Operator, Box<Value>, Box<Value>),
}

/// How numbers are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
}

/// A way to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Path {
    /// A variable.
    Variable(String),
    /// The result of the method.
    Result,
    /// A static field: the class, and its name.
    Static(String, String),
    /// A field of the object at a path.
    Field(Box<Path>, String),
    /// An element of the array at a path.
    Element(Box<Path>, Box<Value>),
}

impl PredicateFile {
    /// Whether something in it is assumed.
    pub fn has_assumptions(&self) -> bool {
        self.sections.iter().any(|section| section.context.is_assumed())
    }
}

impl Context {
    /// Whether what is in the section is assumed.
    pub fn is_assumed(&self) -> bool {
        matches!(self, Context::AssumePre(_) | Context::AssumePost(_))
    }
}

#[cfg(test)]
mod tests;
