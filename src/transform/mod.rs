//! From programs to programs that mean the same.

pub mod cells;
pub mod cleanup;
pub mod interleave;
