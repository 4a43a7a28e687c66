//! Terms: sorts, hash-consed expressions, a simplifier, an evaluator and their SMT-LIB2 form.
//!
//! This room knows no other. A term is an id into a [`Terms`] store; equal terms of one store have equal ids.

mod bounds;
mod build;
pub mod eval;
mod float;
pub mod infix;
mod integer;
mod interval;
mod lift;
mod linear;
mod offsets;
pub mod parse;
mod random;
mod ranges;
pub mod simplify;
pub mod smtlib;
mod sort;
mod store;
mod substitute;
mod within;

pub use eval::{ArrayValue, Assignment, Value, eval};
#[cfg(test)]
pub(crate) use float::tests::theory_queries;
pub use float::{FloatKind, FloatOp};
pub use integer::{Integer, ParseIntegerError};
pub use interval::{Interval, TermIntervals};
pub use linear::Linear;
pub use offsets::{Offsets, gcd};
pub use parse::{ParseError, SExpr, parse_sexprs};
pub use random::Random;
pub use ranges::Ranges;
pub use sort::{ArraySort, Sort};
pub use store::{Op, Symbol, TermId, Terms};
