//! From programs to programs that mean the same.

pub mod assume;
pub mod cells;
pub mod cleanup;
mod constants;
pub mod interleave;
mod known;
