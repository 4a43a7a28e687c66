//! Every limit of the engine: its name, its value, what it bounds, what was measured. None of them changes what a
//! verdict means.
//!
//! Measured on 437 programs, 5 s each: those of `tests/corpus` but for Java, those of `models/gcl`, and 172 SV-COMP
//! tasks (loops, control flow, recursion, bit-vectors, ECA, product lines, Java). With the values here 288 are decided,
//! none wrongly; symbolic execution is at work on 225 of them, and decides 109.

use std::time::Duration;

/// How long the solver may think about one question. Of five programs with slow questions four reach it in 25 s. Three
/// of these were tried with other values, and are not decided with any: with 2.5 s they come to depth 195, 101 and 7 in
/// 20 s, with 10 s to 151, 89 and 7 in 45 s, with 40 s two of them to 15 and 13 in 45 s.
pub(super) const QUERY_LIMIT: Duration = Duration::from_secs(10);

/// How long the quick solver may think about one question about bit-vectors. On large ones Yices needs a second and Z3 more than
/// ten (programs of 3,000 lines that sequentialise tasks, SV-COMP's seq-mthreaded).
pub(super) const QUICK_LIMIT_OF_BITS: Duration = Duration::from_secs(3);

/// Questions that may stay without an answer before integers are given up for bit-vectors. Not reached by any of the
/// 437 programs in 5 s. The same three reach it with 2.5 s for a question, and are not decided with 1, 3 or 12 either.
/// In 20 s two of them come to depth 211 and 126 with 1, 195 and 101 with 3, 22 and 12 with 12.
pub(super) const MAX_UNANSWERED: u64 = 3;

/// Questions about all errors of a block at once that may stay without an answer before each error is asked for alone. Chosen
/// by thought: such a question is little harder than the hardest of its parts.
pub(super) const MAX_UNANSWERED_AT_ONCE: u32 = 2;

/// States at one place and depth that stay apart by what is known of their variables, where not all is known. Ten of
/// the programs reach it, none of which is decided. Ten others come as far as a quarter of it and are decided: with
/// `--merge known` and 10 s each, two of them are not decided with 0, one not with 32; 512 takes 63 % more states and
/// 18 % more queries on eight that 128 does not decide either. A ring buffer of eight places and 20 commands has up to 200
/// states at a depth: with 128 it reaches depth 18 after 8.9 s of CPU time, nearly all of it the solver's, with 512 it is
/// through all 20 commands after 2.4 s and no question.
pub(super) const MAX_APART: usize = 512;

/// The depth below which states come first where loops are followed to their ends, and how many times as deep what comes next
/// is. A loop that runs through an array of some sixty elements ends before the first; a loop without an end is left there.
pub(super) const FIRST_LEVEL: u32 = 64;
pub(super) const NEXT_LEVEL: u32 = 4;

/// Times that a path is followed again because there are more cells of memory. Not reached by any of the 437 programs,
/// which take at most 11; it only bounds what each time at least one new cell bounds anyway, where cells are few.
pub(super) const MAX_TRIES: usize = 100;

/// Values of variables that the states of a proof may have together. An entry of a table takes 16 bytes and a state
/// seldom shares one, so that a search that finds no failure and no end keeps at most some 60 MB for a proof. One of
/// the 437 programs reaches it, and is not decided; those that are safe have at most 176,000. It does not show in the
/// memory of that one, which is 236 to 358 MB after 12 s with 500,000, 2,000,000, 8,000,000 and no limit.
pub(super) const MAX_VALUES: usize = 2_000_000;

/// How many steps an execution takes that goes on from where a path has come: the first, and two more. A loop over the nodes
/// of a ring, 512 rounds until a counter wraps, takes 50,000 to 500,000.
pub(super) const FIRST_EXECUTED_STEPS: usize = 1_000_000;
pub(super) const MORE_EXECUTED_STEPS: usize = 100_000;

/// The depth of the first node from which executions go on, and how many times as deep the next one is. What fails sooner is
/// found by a short execution, which is easier to read.
pub(super) const FIRST_EXECUTED: u32 = 8;
pub(super) const NEXT_EXECUTED: u32 = 4;

/// After how many steps of an execution the time is looked at.
pub(super) const STEPS_AT_ONCE: u64 = 10_000;
