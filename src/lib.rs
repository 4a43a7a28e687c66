//! Tandem tells whether a program can go wrong: safe with a proof that was checked, unsafe with an
//! execution that was replayed, or unknown with what it did manage.

pub mod concrete;
pub mod confirm;
pub mod domain;
pub mod engine;
pub mod formula;
pub mod frontend;
#[cfg(any(test, feature = "generate"))]
pub mod generate;
pub mod pipeline;
pub mod program;
pub mod report;
pub mod solver;
pub mod system;
pub mod term;
pub mod transform;
