//! From programs to programs that mean the same.

pub mod cleanup;
pub mod interleave;
