//! Abstract domains: what is kept of data, and how much of it.
//!
//! An abstract state stands for concrete ones: those whose values make its formula true. It speaks of the symbols that
//! formulas have for variables and memory, so that a domain need not know languages, pointers or machine integers: the
//! encoder has written all of these as terms. `tests/domain_laws.rs` holds every domain to the laws of [`Domain`],
//! against the interpreter.

mod affine;
mod constants;
mod intervals;
mod precision;
mod predicates;
pub mod shape;
mod state;

pub use affine::{Affine, AffineRelation};
pub use constants::Constants;
pub use intervals::Intervals;
pub use precision::{Abstraction, Precision, PrecisionScope, Tracking};
pub use predicates::{CombinationLimits, PredicateQuestion, RangeOf};
pub use state::State;

use crate::formula::encode::Transition;
use crate::term::{Integer, Symbol, TermId, Terms};

/// What is known of data. γ is what a state stands for.
pub trait Domain: Clone + PartialEq {
    /// Nothing is known: every concrete state is in γ.
    fn top() -> Self;

    /// Whether γ is known to be empty.
    fn is_bottom(&self, terms: &Terms) -> bool;

    /// Whether γ of this state is seen to be within γ of the other: a partial order, up to states with the same γ.
    fn leq(&self, terms: &mut Terms, other: &Self) -> bool;

    /// An upper bound of both.
    fn join(&self, terms: &mut Terms, other: &Self) -> Self;

    /// An upper bound of both such that a chain of these ends: `s, s.widen(t1), s.widen(t1).widen(t2), …` changes finitely
    /// often, whatever the others are.
    fn widen(&self, terms: &mut Terms, next: &Self, thresholds: &Thresholds) -> Self;

    /// Symbols get new values, all at once: the terms are over the values before.
    fn assign(&mut self, terms: &mut Terms, updates: &[(Symbol, TermId)]);

    /// Leaves out concrete states in which the condition does not hold, as far as the domain can.
    fn assume(&mut self, terms: &mut Terms, condition: TermId);

    /// Symbols may have any values.
    fn forget(&mut self, terms: &Terms, targets: &[Symbol]);

    /// The formula that holds exactly in γ: this makes proofs checkable.
    fn formula(&self, terms: &mut Terms) -> TermId;

    /// What is known after a transition; `ranges` hold of the values that it reads.
    fn post(&self, terms: &mut Terms, transition: &Transition, ranges: &[TermId]) -> Self {
        let mut after = self.clone();
        for &range in ranges {
            after.assume(terms, range);
        }
        after.assume(terms, transition.guard);
        after.assign(terms, &transition.updates);
        let inputs = transition.inputs.iter().map(|input| input.symbol);
        let read: Vec<Symbol> = inputs.chain(transition.unmodelled.iter().map(|it| it.symbol)).collect();
        after.forget(terms, &read);
        after
    }
}

/// The numbers at which widening stops first, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thresholds(Vec<Integer>);

impl Thresholds {
    /// These numbers.
    pub fn new(numbers: impl IntoIterator<Item = Integer>) -> Thresholds {
        let mut numbers: Vec<Integer> = numbers.into_iter().collect();
        numbers.sort_unstable();
        numbers.dedup();
        Thresholds(numbers)
    }

    /// The greatest that is at most the number.
    fn below(&self, number: &Integer) -> Option<Integer> {
        let above = self.0.partition_point(|threshold| threshold <= number);
        above.checked_sub(1).map(|at| self.0[at].clone())
    }

    /// The least that is at least the number.
    fn above(&self, number: &Integer) -> Option<Integer> {
        self.0.get(self.0.partition_point(|threshold| threshold < number)).cloned()
    }
}
