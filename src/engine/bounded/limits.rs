//! Every limit of the engine: its name, its value, what it bounds. None of them changes what a verdict means.
//!
//! A line that names no measurement has none on record: the value was not swept. Whoever changes one measures first, and
//! writes here what came out.

use std::time::Duration;

/// How long the solver may think about one question. Not swept.
pub(super) const QUERY_LIMIT: Duration = Duration::from_secs(10);

/// Questions that may stay without an answer before integers are given up for bit-vectors. Not swept.
pub(super) const MAX_UNANSWERED: u64 = 3;

/// States at one place and depth that stay apart by what is known of their variables, where not all is known. Not swept.
pub(super) const MAX_APART: usize = 128;

/// Times that a path is followed again because there are more cells of memory. Not swept; each time at least one cell is
/// new, so that there is an end to it anyway where cells are few.
pub(super) const MAX_TRIES: usize = 100;

/// Values of variables that the states of a proof may have together. An entry of a table takes 16 bytes and a state
/// seldom shares one, so that a search that finds no failure and no end keeps at most some 60 MB for a proof.
pub(super) const MAX_VALUES: usize = 2_000_000;
