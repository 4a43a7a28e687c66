//! Solvers: what can be asked of one, capability by capability, and the back end that speaks SMT-LIB2 to a process.
//!
//! A solver belongs to one [`Terms`] store: every call must be given the store of the first. It keeps a stack of
//! assertions; each question is asked of the conjunction of all of them. Answers obey these laws, whatever happens to
//! the process behind them:
//!
//! - `Sat` and `Unsat` are what the solver said of exactly the question asked; all else is `Unknown` with its reason.
//! - A solver that dies, hangs or talks nonsense is replaced and given the stack again; the question is repeated once.
//! - No call panics, and after any answer the next question can be asked.

mod all_models;
mod cache;
mod cascade;
mod config;
mod eliminate;
#[cfg(test)]
mod float_tests;
mod horn;
pub mod interpolate;
pub mod locate;
mod pipe;
mod process;

pub use cache::Statistics;
pub use cascade::Cascade;
pub use config::{Kind, SolverConfig};
pub use horn::{HornClause, HornClauses};
pub use locate::{Found, LocateError, locate, other_solvers, quick_solver};
pub use pipe::PipeError;
pub use process::SmtProcess;

use crate::term::{Assignment, ParseError, Symbol, TermId, Terms};

/// What a solver says to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// There is an assignment that makes all of it true.
    Sat,
    /// There is none.
    Unsat,
    /// It does not know.
    Unknown(Reason),
}

impl Answer {
    /// Whether the answer is `Sat`.
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat)
    }

    /// Whether the answer is `Unsat`.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat)
    }
}

/// Why a solver does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The time for one query, or for all of them, is over.
    #[error("the time limit of the query was reached")]
    Limit,
    /// The solver ran out of memory.
    #[error("the solver ran out of memory")]
    Memory,
    /// Someone asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The solver's method does not decide this question.
    #[error("the solver cannot decide it: {0}")]
    Incomplete(String),
    /// The solver failed, and failed again after a restart.
    #[error("the solver failed twice: {0}")]
    Failed(String),
}

/// Why something other than an answer was not given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The solver does not know.
    #[error("{0}")]
    Unknown(Reason),
    /// What was asked for exists only after another answer: a model after `Sat`.
    #[error("there is no {0}: the last answer was another")]
    NotAvailable(&'static str),
    /// The solver printed a term that could not be read.
    #[error("cannot read the solver's {0}: {1}")]
    Unreadable(&'static str, ParseError),
    /// This solver cannot do that.
    #[error("{0} cannot {1}")]
    Unsupported(Kind, &'static str),
    /// The solver printed a result that does not hold; it was discarded.
    #[error("the solver's {0} is wrong and was discarded")]
    Wrong(&'static str),
}

/// Checking satisfiability, with a stack of assertions.
pub trait Solve {
    /// Opens a level.
    fn push(&mut self);

    /// Closes the last level and forgets its assertions. Without an open level it does nothing.
    fn pop(&mut self);

    /// How many levels are open.
    fn level(&self) -> usize;

    /// Adds an assertion to the level; it takes a term of sort Bool.
    fn assert(&mut self, terms: &Terms, term: TermId);

    /// Whether the assertions and the assumptions have a common model. The assumptions hold for this question only.
    ///
    /// Asking again gives the same answer, or `Unknown`. Assumptions that are literals (symbols and their negations)
    /// are the quickest.
    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer;
}

/// Values that satisfy what was last found satisfiable.
pub trait Models: Solve {
    /// The values of the symbols in a model of what the last [`Solve::check`] found `Sat`; a symbol that did not occur
    /// there gets its sort's zero. Under the assignment, extended to the other symbols, all of it is true.
    fn model(&mut self, terms: &mut Terms, symbols: &[Symbol]) -> Result<Assignment, SolverError>;
}

/// What a solver says to a question about which it also gives the assumptions to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CoreAnswer {
    /// There is an assignment that makes all of it true.
    Sat,
    /// There is none, even with only the assumptions of these indices, in ascending order.
    Unsat(Vec<usize>),
    /// It does not know.
    Unknown(Reason),
}

/// Which assumptions are to blame.
pub trait Cores: Solve {
    /// As [`Solve::check`], and after `Unsat` the indices of assumptions that suffice for it. It can be far slower than
    /// a plain check, on bit-vectors above all.
    fn check_core(&mut self, terms: &Terms, assumptions: &[TermId]) -> CoreAnswer;
}

/// A conjunction over a list of predicates: for each its truth value, or `None` where both are possible.
pub type Cube = Vec<Option<bool>>;

/// How an enumeration of models ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllModelsResult {
    /// The cubes found, no two of which overlap.
    pub cubes: Vec<Cube>,
    /// `None` if the cubes are all there are; otherwise why the enumeration stopped early.
    pub stopped: Option<Reason>,
}

/// Every combination of truth values that some predicates can have (AllSAT).
pub trait AllModels: Solve {
    /// The assignments of the predicates that are consistent with the assertions and assumptions, as disjoint cubes.
    ///
    /// Without `stopped`, an assignment is covered by a cube if and only if it is consistent. With it, what the cubes
    /// cover is consistent, and more may be. No more than `limit` cubes are returned.
    fn all_models(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        predicates: &[TermId],
        limit: usize,
    ) -> AllModelsResult;
}

/// The result of a quantifier elimination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elimination {
    /// The formula without the quantifier.
    pub term: TermId,
    /// Whether it is known to be equivalent; otherwise only that the quantified formula implies it (for `exists`), or
    /// is implied by it (for `forall`).
    pub exact: bool,
}

/// Eliminating quantifiers over linear integers (and truth values, and whatever equals a term).
pub trait Eliminate {
    /// A formula without the symbols that holds where some values of them make the body true.
    fn exists(&mut self, terms: &mut Terms, symbols: &[Symbol], body: TermId) -> Result<Elimination, SolverError>;

    /// A formula without the symbols that holds where all values of them make the body true.
    fn forall(&mut self, terms: &mut Terms, symbols: &[Symbol], body: TermId) -> Result<Elimination, SolverError> {
        let negated = terms.not(body);
        let some = self.exists(terms, symbols, negated)?;
        Ok(Elimination { term: terms.not(some.term), exact: some.exact })
    }
}
