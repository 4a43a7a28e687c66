//! Every limit of the engine: its name, its value, what it bounds.
//!
//! The values keep the corpus and the agreement tests quick. A line that names no measurement has none on record: whoever
//! changes such a value measures first, and writes here what came out.

use std::time::Duration;

// Escalation: when the next means is tried.

/// Work while every variable is tracked, in places of blocks; above it, variables are tracked on demand. Counted, not
/// timed, so that runs repeat.
pub(super) const MAX_WORK_TRACKING_EVERYTHING: u64 = 4_000_000;
/// How many places of blocks a question to the solver counts for in it.
pub(super) const WORK_OF_QUERY: u64 = 200;
/// Refinements path by path before the whole program is given to the solver of Horn clauses, once.
pub(super) const REFINEMENTS_BEFORE_HORN: u64 = 12;
/// Refinements before integers are given up for bit-vectors.
pub(super) const MAX_REFINEMENTS_BY_INTEGERS: u64 = 30;
/// Questions to the solver before integers are given up for bit-vectors.
pub(super) const MAX_QUERIES_BY_INTEGERS: u64 = 15_000;

// Abstraction.

/// Predicates that are combined; above it, each is abstracted for itself.
pub(super) const MAX_COMBINED_PREDICATES: usize = 10;
/// Combinations of predicates that are kept apart.
pub(super) const MAX_COMBINATIONS: usize = 64;
/// Values of a variable that are kept apart at one location, unless the user says otherwise.
pub(super) const MAX_VALUES: usize = 60;

// Counterexamples.

/// Pieces of a path above which the program is executed first.
pub(super) const PIECES_BEFORE_EXECUTION: usize = 1_000;
/// Pieces of a path that is looked at.
pub(super) const MAX_PATH_PIECES: usize = 200_000;
/// Steps of the one execution that is tried in the place of a long path.
pub(super) const MAX_EXECUTED_STEPS: usize = 20_000_000;
/// Steps between two looks at the clock.
pub(super) const STEPS_BETWEEN_CHECKS: u64 = 1 << 16;

// Horn clauses.

/// Cut points of a program that is given to the solver of Horn clauses.
pub(super) const MAX_HORN_CUTS: usize = 40;
/// How long a solution is looked for.
pub(super) const MAX_HORN_TIME: Duration = Duration::from_secs(30);
/// Which part of the time that is left that may be.
pub(super) const HORN_PART_OF_TIME: u32 = 3;

// Learning.

/// Executions that are observed.
pub(super) const OBSERVED_EXECUTIONS: u64 = 200;
/// Steps of one of them.
pub(super) const MAX_OBSERVED_STEPS: usize = 20_000;
/// Steps of all of them.
pub(super) const MAX_OBSERVED_STEPS_IN_ALL: usize = 400_000;
/// Different states that are remembered of a location.
pub(super) const MAX_OBSERVED_ROWS: usize = 400;
/// Variables that are observed at a location.
pub(super) const MAX_OBSERVED_COLUMNS: usize = 16;
/// Values of a global at a location; one that has more is not tracked in recursive procedures.
pub(super) const MAX_VALUES_OF_GLOBAL: usize = 16;
/// How many times as many values of a variable are kept apart from learning on.
pub(super) const MORE_VALUES_AFTER_LEARNING: usize = 4;
/// Changes of a global that are kept apart at one location.
pub(super) const MAX_CHANGES_OF_GLOBAL: usize = 48;
/// Cases that one step is split into.
pub(super) const MAX_CASES_OF_STEP: usize = 256;

// Drawing.

/// Facts of a node that are shown.
pub(super) const MAX_SHOWN_FACTS: usize = 24;
