//! Tests of blocks.
