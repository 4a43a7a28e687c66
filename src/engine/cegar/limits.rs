//! Every limit of the engine: its name, its value, what it bounds, what was measured.
//!
//! Measured on 437 programs, 5 s each: those of `tests/corpus` but for Java, those of `models/gcl`, and 172 SV-COMP
//! tasks (loops, control flow, recursion, bit-vectors, ECA, product lines, Java). With the values here 341 are decided,
//! none wrongly; the abstraction is at work on 224 of them, and decides 161. The other values of a limit were tried on
//! the programs that come as far as a quarter of it and are decided with the value here, 10 s each, one value changed
//! at a time. The machine did other work as well, so that queries were compared and not seconds, and a verdict that the
//! time limit cut off may come on a free machine. What does not matter gave the same verdicts and refinements, and
//! queries within 2 %.

use std::time::Duration;

// Escalation: when the next means is tried.

/// Work while every variable is tracked, in places of blocks; above it, variables are tracked on demand. Counted, not
/// timed, so that runs repeat. Of four programs that come near it, one is decided with 0 and two with 1,000,000. The
/// two that reach it are not decided in 10 s, nor are they with 1,000,000 or without it.
pub(super) const MAX_WORK_TRACKING_EVERYTHING: u64 = 4_000_000;
/// Objects made at one place that have a number each when there are too many shapes, or that work is done; where there are
/// more, they become the members of a region. With one, an object and the one before it would be a region; no larger value
/// was tried.
pub(super) const MAX_OBJECTS_BY_NUMBER: usize = 2;
/// Objects made at one place of which predicates speak; where there are more, they become the members of a region. With it
/// `tests/corpus/c/objects/field_of_all.c` is proved; no other value was tried.
pub(super) const MAX_OBJECTS_WITH_PREDICATES: usize = 2;
/// Shapes of memory at one location before objects made at one place become the members of a region. Half of `MAX_VALUES`,
/// above which the shape would not be known any more; no other value was tried.
pub(super) const MAX_SHAPES: usize = 30;
/// How many places of blocks a question to the solver counts for in it. 50 does not matter to the four; with 800 two of
/// them are decided.
pub(super) const WORK_OF_QUERY: u64 = 200;
/// Refinements path by path before the whole program is given to the solver of Horn clauses, once. Nine programs come
/// to it, and none of them is solved so in 10 s: three are decided, by refinement, and without it as well. With 1, and
/// with 3, all 27 that come near it are still decided, with 8 % fewer queries: 12 of them are solved so, five are not.
pub(super) const REFINEMENTS_BEFORE_HORN: u64 = 12;
/// Refinements before integers are given up for bit-vectors. Of nine programs that come near it, seven are decided with
/// 7, with 30 % fewer queries, and with 1, with 74 % fewer. The two that reach it are not decided in 10 s, nor are they
/// with 7 or without it.
pub(super) const MAX_REFINEMENTS_BY_INTEGERS: u64 = 30;
/// Questions to the solver before integers are given up for bit-vectors. All six programs that come near it are decided
/// in 25 s with 3,750, with 16 % fewer queries in all, but three of them with more. The two that reach it are decided
/// with 60,000, too, with more than twice as many queries.
pub(super) const MAX_QUERIES_BY_INTEGERS: u64 = 15_000;

// Abstraction.

/// Predicates that are combined; above it, each is abstracted for itself. Of six programs that combine some, two are
/// decided with 0 and with 2; with 40 all, with 15 % fewer queries.
pub(super) const MAX_COMBINED_PREDICATES: usize = 10;
/// Combinations of predicates that are kept apart. Not reached by any of the 437 programs. Two come near it, of which
/// one is decided: neither 16 nor 256 matters to it.
pub(super) const MAX_COMBINATIONS: usize = 64;
/// Values of a variable that are kept apart at one location, unless the configuration says otherwise. Of 37 programs
/// that come near it, 10 are decided with 0, 31 with 15, 33 with 240 (35 in 25 s), and 15 without it. On the 27 that
/// are decided with 15, 60 and 240, 15 takes 5 % fewer queries, 240 34 % more.
pub(super) const MAX_VALUES: usize = 60;

/// Combinations of the values of variables that are kept apart at one location before the variable with the most values
/// is tracked no longer, if it has more than so many. Without them the index of a greatest element, beside a counter, takes 4,965
/// states and 10 s; with them 8 states and 0.5 s. With 15 in place of 30, `java/arrays/SumOfOnesBug.java` is not decided in 60 s.
pub(super) const MAX_COMBINED_VALUES: usize = 300;
pub(super) const MAX_MULTIPLIED_VALUES: usize = 30;
/// Values of a variable that may need a refinement each, at one location, before it is tracked no longer. With 6,
/// `c/bounds/inside.c` of the corpus takes 21 refinements and 18 s, with 10 its 8 refinements and 1 s; without a limit an array
/// of any size on the heap, filled in a loop, is not decided in 20 s.
pub(super) const MAX_REFINED_VALUES: usize = 10;

// Choices, with the engine `panda`.

/// Alternatives of a choice that become states of their own: so many objects that a reference can be to, and indices from
/// zero on.
pub(super) const MAX_ALTERNATIVES: usize = 8;
/// States that one step is split into by choices.
pub(super) const MAX_ALTERNATIVES_OF_STEP: usize = 32;

// Counterexamples.

/// Pieces of a path above which the program is executed first. Not reached by any of the 437 programs: no path has more
/// than 146 pieces. On one that computes a Fibonacci number after an input, formulas take 0.5 s for a path of 1,630
/// pieces and 10 s for 29,266, an execution 0.1 and 0.2 s.
pub(super) const PIECES_BEFORE_EXECUTION: usize = 1_000;
/// Pieces of a path that is looked at. Not reached by any of the 437 programs. On the one above, where the input of
/// zero does not fail, paths of 29,266 pieces are solved in 9 s, and of 76,621 and 123,976 not within a query's time.
pub(super) const MAX_PATH_PIECES: usize = 200_000;
/// Steps of the one execution that is tried in the place of a long path. Not reached by any of the 437 programs. On the
/// one above, 20,000,000 steps without a failure take 18 s and 0.8 GB; a counterexample of 15,248,161 steps takes 52 s
/// and 5 GB, with its replay.
pub(super) const MAX_EXECUTED_STEPS: usize = 20_000_000;
/// Steps between two looks at the clock: at most about 0.06 s, as 20,000,000 take 18 s. No other value was tried: it
/// only bounds how late the end of the time is noticed.
pub(super) const STEPS_BETWEEN_CHECKS: u64 = 1 << 16;

// Horn clauses.

/// Cut points of a program that is given to the solver of Horn clauses. Not reached by any of the 437 programs, which
/// have at most 5; it only bounds the size of the question.
pub(super) const MAX_HORN_CUTS: usize = 40;
/// How long a solution is looked for. Not reached by any of the 437 programs, as it takes a time limit of more than 90
/// s. The 12 that are solved with fewer refinements before are solved within 0.8 s.
pub(super) const MAX_HORN_TIME: Duration = Duration::from_secs(30);
/// Which part of the time that is left that may be. Of the nine that come to it, three are decided in 10 s with 3 and
/// with 12; with 1 two, as it takes all the time of the third.
pub(super) const HORN_PART_OF_TIME: u32 = 3;

// Facts.

/// Refinements before facts are looked for where a program touches memory; elsewhere they are looked for first. With 4 there,
/// too, `c/loops/multiples.c` of the corpus takes 33 s in place of 3.
pub(super) const REFINEMENTS_BEFORE_FACTS: u64 = 4;
/// How long facts are looked for, which part of the time that is left, and how long one question may take.
pub(super) const MAX_FACT_TIME: Duration = Duration::from_secs(5);
pub(super) const FACT_PART_OF_TIME: u32 = 8;
pub(super) const MAX_FACT_QUERY: Duration = Duration::from_secs(1);
/// Variables of a type that are compared at a cut point.
pub(super) const MAX_COMPARED: usize = 12;
/// Constants of a type that variables are compared with, the least first.
pub(super) const MAX_COMPARED_CONSTANTS: usize = 12;

// Learning. It is at work on 18 of the programs that are decided, with 8,774 queries in all.

/// Executions that are observed. With none, 8 of the 18 are decided in 5 s, and two others that fail deep in recursion
/// only then; with 50 all 18 and 5 % more queries, with 800 all and 2 % fewer.
pub(super) const OBSERVED_EXECUTIONS: u64 = 200;
/// Steps of one of them. 5,000 does not matter, nor does 80,000.
pub(super) const MAX_OBSERVED_STEPS: usize = 20_000;
/// Steps of all of them. Of the 9 programs that come near it all are decided with 100,000, with 3 % more queries;
/// 1,600,000 does not matter.
pub(super) const MAX_OBSERVED_STEPS_IN_ALL: usize = 400_000;
/// Different states that are remembered of a location. With 25 three of the 18 are not decided; neither 100 nor 1,600
/// matters.
pub(super) const MAX_OBSERVED_ROWS: usize = 400;
/// Variables that are observed at a location. Not reached by any of the 437 programs, which have at most 5; it only
/// bounds the search for relations. 4 does not matter.
pub(super) const MAX_OBSERVED_COLUMNS: usize = 16;
/// Values of a global at a location; one that has more is not tracked in recursive procedures. Two programs reach it:
/// with 4 they take 21 % fewer queries, with 64 24 % more, and without it one of them is not decided.
pub(super) const MAX_VALUES_OF_GLOBAL: usize = 16;
/// How many times as many values of a variable are kept apart from learning on. Neither 1 nor 16 matters.
pub(super) const MORE_VALUES_AFTER_LEARNING: usize = 4;
/// Changes of a global that are kept apart at one location. Not reached by any of the 437 programs. With 12, and with
/// none, one of the four that keep such changes is not decided: it has at most 21.
pub(super) const MAX_CHANGES_OF_GLOBAL: usize = 48;
/// Cases that one step is split into. Not reached by any of the 437 programs. With 64, and with 1, three of the 15 that
/// split steps are not decided: they have at most 108.
pub(super) const MAX_CASES_OF_STEP: usize = 256;

// Drawing.

/// Facts of a node that are shown. Not reached by any of the 61 graphs of C programs with loops and recursion of the
/// corpus and of `models/gcl`, whose nodes have at most 23; it only bounds the size of a drawing.
pub(super) const MAX_SHOWN_FACTS: usize = 24;
