//! Every limit of the engine: its name, its value, what it bounds.

use std::time::Duration;

/// How long the solver may think about one trace. A question that stays open prunes nothing.
pub(super) const QUERY_LIMIT: Duration = Duration::from_secs(2);

/// Which part of the time that is left is for traces alone, without matching; and how much at most.
pub(super) const PART_WITHOUT_MATCHING: u32 = 5;
pub(super) const LONGEST_WITHOUT_MATCHING: Duration = Duration::from_secs(5);

/// States that are explored without matching, before states are matched. Figure 1 of the paper with 1,000 elements takes
/// 3,004; 30,000 proves no more programs of its table 1.
pub(super) const MAX_UNMATCHED_STATES: usize = 6_000;

/// Questions about traces that are asked without matching, before states are matched. The failure of Addition 03, 100 calls
/// deep, takes 258; 1,000 decides no more programs of table 1.
pub(super) const MAX_UNMATCHED_QUERIES: u64 = 600;

/// Values of a variable that are kept apart at one location without matching: all that a search of at most
/// [`MAX_UNMATCHED_STATES`] can meet.
pub(super) const VALUES_WITHOUT_MATCHING: usize = MAX_UNMATCHED_STATES;

/// Values of variables that the states of an unrolling may have together, as with `bounded`.
pub(super) const MAX_VALUES: usize = 4_000_000;

/// Refinements for branches to no error that only traces exclude; from then on such branches are explored without a trace, and
/// after so many searches that end with some, traces are followed no longer.
pub(super) const MAX_REFINEMENTS_OF_BRANCHES: u64 = 2;
pub(super) const MAX_SEARCHES_WITH_BRANCHES: u64 = 12;

/// Branches that only traces exclude and that are refined together, before what they change is explored again; and how many of
/// them from one place to another, as what rules out one may rule out others there. With 1 and 2 all but one of the 18 programs of
/// table 1 are decided (Image Rendering in 4.9 s and 4.3 s), with 8 the false Invert String is not.
pub(super) const MAX_BRANCHES_TOGETHER: usize = 2;
pub(super) const MAX_BRANCHES_OF_PLACE: usize = 2;

/// Decisions of a trace that is short; then come those of up to twice as many, and so on. No other value was tried.
pub(super) const SHORT_TRACE: u32 = 64;
