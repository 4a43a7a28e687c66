//! Which objects pointers lead to, in the words of this folder.

pub(super) use crate::program::points::{Points, Sites, Target, each_statement};
