//! Every limit of this engine, with what it is for. None of them changes what a verdict means.

use std::time::Duration;

/// How long the solver may think about one question.
pub(super) const QUERY_LIMIT: Duration = Duration::from_secs(10);

/// How many questions may stay without an answer before integers are given up for bit-vectors.
pub(super) const MAX_UNANSWERED: u64 = 3;

/// How many states at one place and depth stay apart by what is known of their variables, where not all is known.
pub(super) const MAX_APART: usize = 128;

/// How often a path is followed again because there are more cells of memory.
pub(super) const MAX_TRIES: usize = 100;

/// How many values of variables the states of a proof may have together. An entry of a table takes 16 bytes and a state
/// seldom shares one, so that a search that finds no failure and no end keeps at most some 60 MB for a proof.
pub(super) const MAX_VALUES: usize = 2_000_000;
