//! Random programs and terms, the same for the same seed: what tests, hunts and fuzz targets compare engines on.
//!
//! Behind the feature `generate`: none of it is part of what users run.

pub mod c;
pub mod java;
pub mod program;
pub mod term;
