//! The arguments of single engines.

use super::Search;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tandem::engine::{BoundedConfig, CegarConfig, SymbolicConfig, bounded, cegar, symbolic};
use tandem::formula::blocks::BlockSize;

/// The arguments that only `--engine cegar` looks at.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of --engine cegar")]
pub struct CegarArguments {
    /// What is known of data: values of variables, predicates, or both
    #[arg(long, value_name = "DOMAIN", default_value = "product")]
    pub domain: Domain,
    /// How infeasible paths become predicates
    #[arg(long, value_name = "HOW", default_value = "sequence")]
    pub refinement: Refinement,
    /// Whether a recursive call that an earlier one covers is popped from the stack, or all are explored
    #[arg(long, value_name = "POLICY", default_value = "pop")]
    pub stack: Stack,
    /// How large the steps are: whole loop-free pieces, or single edges
    #[arg(long, value_name = "SIZE", default_value = "large")]
    pub blocks: Blocks,
    /// Where a predicate that was found is used
    #[arg(long, value_name = "WHERE", default_value = "procedure")]
    pub scope: Scope,
    /// How predicates are abstracted at first: each for itself, or every combination of them
    #[arg(long, value_name = "HOW", default_value = "cartesian")]
    pub abstraction: Abstraction,
    /// How many values of a variable are kept apart at one location; one that has more is not tracked any longer
    #[arg(long, value_name = "NUMBER", default_value_t = CegarConfig::default().max_values)]
    pub values: usize,
}

/// What is known of data.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Domain {
    /// Values of variables
    Explicit,
    /// Truth values of predicates
    Predicates,
    /// Both
    Product,
}

/// How infeasible paths become predicates.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Refinement {
    /// A sequence of interpolants
    Sequence,
    /// One interpolant at a time, at the place nearest to the error where one is missing
    Backward,
    /// Unsatisfiable core and weakest preconditions
    Newton,
    /// Interpolants from Horn clauses
    Horn,
}

/// What becomes of the call stack.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Stack {
    /// Calls that an earlier one covers are popped
    Pop,
    /// Every call is explored
    Exact,
}

/// How large steps are.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Blocks {
    /// Whole loop-free pieces
    Large,
    /// Single edges
    Small,
}

/// The arguments that only `--engine symbolic` and `--engine bounded` look at.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of --engine symbolic and --engine bounded")]
pub struct SymbolicArguments {
    /// With which states an abstract state is matched, so that it is not explored again: those on the path to it, or
    /// all, with concrete states
    #[arg(long, value_name = "STATES", default_value = "path")]
    pub matching: Matching,
    /// With --engine bounded, follow executions through at most this many rounds of loops and recursive calls; as
    /// many as time allows, if no number is given. With --engine symbolic the same as --engine bounded
    #[arg(long, value_name = "ROUNDS", num_args = 0..=1, require_equals = true, conflicts_with = "matching")]
    pub bound: Option<Option<u32>>,
    /// With --engine bounded, which states at one place become one formula: those with the same known values, or all
    /// [default: both ways side by side]
    #[arg(long, value_name = "STATES")]
    pub merge: Option<Merge>,
}

/// Which states at one place become one formula.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Merge {
    /// Those with the same known values
    Known,
    /// All
    All,
}

/// With which states an abstract state is matched.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Matching {
    /// Those on the path to it (symbolic execution with abstract matching)
    Path,
    /// All that were met, with concrete states (under-approximation refinement)
    Global,
}

impl SymbolicArguments {
    /// The configuration of symbolic execution with abstract matching.
    pub fn config(&self, solver: Option<PathBuf>) -> SymbolicConfig {
        let matching = match self.matching {
            Matching::Path => symbolic::Matching::Path,
            Matching::Global => symbolic::Matching::Global,
        };
        SymbolicConfig { matching, solver }
    }

    /// The configuration of bounded symbolic execution.
    pub fn bounded_config(&self, search: Search, solver: Option<PathBuf>) -> BoundedConfig {
        let order = match search {
            Search::Bfs => bounded::BoundedOrder::Breadth,
            Search::Dfs => bounded::BoundedOrder::Depth,
            Search::Distance => bounded::BoundedOrder::Distance,
            Search::Loops => bounded::BoundedOrder::Loops,
        };
        let merging = self.merge.map(|merge| match merge {
            Merge::Known => bounded::Merging::Known,
            Merge::All => bounded::Merging::All,
        });
        BoundedConfig { steps: self.bound.flatten(), order, merging, solver, ..BoundedConfig::default() }
    }
}

/// Where a predicate that was found is used.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Scope {
    /// At the location where it was found
    Location,
    /// In the procedure where it was found
    Procedure,
    /// Wherever its variables are visible
    Global,
}

/// How predicates are abstracted at first.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Abstraction {
    /// Each for itself
    Cartesian,
    /// Every combination that is possible
    Boolean,
}

impl CegarArguments {
    /// The engine's configuration, with the options that it shares with others.
    pub fn config(&self, search: Search, solver: Option<PathBuf>) -> CegarConfig {
        CegarConfig {
            domain: match self.domain {
                Domain::Explicit => cegar::DomainChoice::Explicit,
                Domain::Predicates => cegar::DomainChoice::Predicates,
                Domain::Product => cegar::DomainChoice::Product,
            },
            refinement: match self.refinement {
                Refinement::Sequence => cegar::Refinement::Sequence,
                Refinement::Backward => cegar::Refinement::Backward,
                Refinement::Newton => cegar::Refinement::Newton,
                Refinement::Horn => cegar::Refinement::Horn,
            },
            search: search.order(),
            stack: match self.stack {
                Stack::Pop => cegar::StackPolicy::Pop,
                Stack::Exact => cegar::StackPolicy::Exact,
            },
            blocks: match self.blocks {
                Blocks::Large => BlockSize::Large,
                Blocks::Small => BlockSize::Small,
            },
            abstraction: match self.abstraction {
                Abstraction::Cartesian => cegar::Abstraction::Cartesian,
                Abstraction::Boolean => cegar::Abstraction::Boolean,
            },
            scope: match self.scope {
                Scope::Location => cegar::PrecisionScope::Location,
                Scope::Procedure => cegar::PrecisionScope::Procedure,
                Scope::Global => cegar::PrecisionScope::Global,
            },
            max_values: self.values,
            solver,
            ..CegarConfig::default()
        }
    }
}
