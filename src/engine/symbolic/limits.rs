//! Every limit of the engine: its name, its value, what it bounds, what was measured.
//!
//! Measured on the guarded-command programs of `models/gcl` and `tests/corpus/gcl`, 30 s each, one value changed at a
//! time. With the values here all 55 are decided, with 74 iterations, 44,408 states and 6,409 queries in all. The other
//! values were tried on 53 of them (72 iterations, 24,737 states, 5,443 queries), without the two largest elevators;
//! where elevators are named, on the four of them (4 iterations, 21,358 states, 1,237 queries). A value of which it says
//! that it does not matter gave the same verdicts and iterations, and states and queries within 1 %.

// Exploration.

/// Symbolic states of one abstract state that are explored; further ones are matched, whatever their paths. 1 takes one
/// iteration more, 4 and 32 none; 32 explores 10 % more states.
pub(super) const MAX_EXPLORED_PER_ABSTRACT_STATE: u32 = 8;
/// Nodes after which the first attempt is made to close what was explored; later ones when there are twice as many, or
/// a quarter more where the last attempt found new abstract states. 32 takes 9 % more queries,
/// 512 2 % fewer, and 22 % fewer on the elevators.
pub(super) const NODES_BEFORE_CLOSING: usize = 128;
/// Waiting states that are explored at once because they are like one counterexample to induction. It matters to the
/// elevators: they have 33,216 states without, 22,111 with 1, 21,358 with 8 and 25,281 with 32.
pub(super) const MAX_HURRIED: usize = 8;

// Matched states, which are explored where that is cheaper than a refinement.

/// Work on matched states in a run, in nodes. Without it there are six times as many iterations, 17 times as many
/// queries, and one program is not decided; ten times as much does not matter.
pub(super) const MAX_MATCHED_WORK: u64 = 10_000;
/// Work on matched states before one refinement, in nodes. With 250 six programs are not decided; 4,000 saves one
/// iteration and explores more than twice as many states.
pub(super) const MATCHED_WORK_PER_REFINEMENT: u64 = 1_000;
/// How many nodes a query counts for in this work. 1 saves one iteration, 100 takes four more, of one program each; the
/// queries are 16 and 47 % more.
pub(super) const NODES_PER_QUERY: u64 = 10;
/// The branch distance of a guard of which nothing is known: larger than what the values of any program here differ by,
/// and so small that a sum of thousands does not overflow. Not swept.
pub(super) const UNKNOWN_DISTANCE: u64 = 1 << 40;

// Closing.

/// Symbolic states of the stem. Without a stem two programs are not decided; 2,048 does not matter.
pub(super) const MAX_STEM_NODES: usize = 256;
/// Selections of predicates in an attempt to close while states are still being explored: what they exclude may only
/// not have been met yet. With none the elevators have 57 % more states; with 12 the largest is not decided.
pub(super) const MAX_EARLY_SELECTIONS: usize = 3;
/// Abstract successors that were not met which are looked for before a refinement. 10 takes one iteration more and 38 %
/// fewer queries; 4,000 does not matter.
pub(super) const MAX_UNMET_SUCCESSORS: usize = 400;

// Proofs.

/// Symbolic states of a proof that consists of all that there are. Without such proofs two programs take five
/// iterations more.
pub(super) const MAX_NODES_OF_PROOF: usize = 500;
/// Conjunctions of a proof that are kept apart; above it there is one formula per control point. Neither 0 nor 4,096
/// matters.
pub(super) const MAX_CONJUNCTIONS_APART: usize = 64;
