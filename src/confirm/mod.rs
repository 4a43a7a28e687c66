//! The only maker of a verdict.

pub mod reached;
