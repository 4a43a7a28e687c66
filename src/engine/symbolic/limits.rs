//! Every limit of the engine: its name, its value, what it bounds.
//!
//! A line that names no measurement was not swept: the value is the one with which the guarded-command models get the
//! iterations of the thesis or fewer, and that was the only criterion. Whoever changes such a value runs
//! `cargo bench --bench symbolic` before and after, and writes here what came out.

// Exploration.

/// Symbolic states of one abstract state that are explored; further ones are matched, whatever their paths. Not swept.
pub(super) const MAX_EXPLORED_PER_ABSTRACT_STATE: u32 = 8;
/// Nodes after which the first attempt is made to close what was explored; later ones when there are twice as many, or
/// a quarter more where the last attempt found new abstract states. Not swept.
pub(super) const NODES_BEFORE_CLOSING: usize = 128;
/// Waiting states that are explored at once because they are like one counterexample to induction. Not swept.
pub(super) const MAX_HURRIED: usize = 8;

// Matched states, which are explored where that is cheaper than a refinement.

/// Work on matched states in a run, in nodes. Not swept.
pub(super) const MAX_MATCHED_WORK: u64 = 10_000;
/// Work on matched states before one refinement, in nodes. Not swept.
pub(super) const MATCHED_WORK_PER_REFINEMENT: u64 = 1_000;
/// How many nodes a query counts for in this work: about as many times a query takes longer than a step of a concrete
/// state. Not swept.
pub(super) const NODES_PER_QUERY: u64 = 10;
/// The branch distance of a guard of which nothing is known. Larger than what any model's values differ by, and small
/// enough that thousands of them add up.
pub(super) const UNKNOWN_DISTANCE: u64 = 1 << 40;

// Closing.

/// Symbolic states of the stem. Not swept.
pub(super) const MAX_STEM_NODES: usize = 256;
/// Selections of predicates in an attempt to close while states are still being explored: what they exclude may only
/// not have been met yet. Not swept.
pub(super) const MAX_EARLY_SELECTIONS: usize = 3;
/// Abstract successors that were not met which are looked for before a refinement. Not swept.
pub(super) const MAX_UNMET_SUCCESSORS: usize = 400;

// Proofs.

/// Symbolic states of a proof that consists of all that there are. Not swept.
pub(super) const MAX_NODES_OF_PROOF: usize = 500;
/// Conjunctions of a proof that are kept apart; above it there is one formula per control point, which is checked more
/// quickly. Not swept.
pub(super) const MAX_CONJUNCTIONS_APART: usize = 64;
