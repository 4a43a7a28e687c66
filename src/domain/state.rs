//! Abstract states: the values of tracked variables, and predicates that hold.

use crate::formula::blocks::Known;
use crate::term::{Op, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// What is known of data.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct State {
    /// The values of tracked variables, where they are known; sorted.
    pub values: Vec<(Symbol, TermId)>,
    /// Predicates, or their negations, that hold; sorted.
    pub literals: Vec<TermId>,
}

impl State {
    /// What is known, for those who reason about calls.
    pub fn known(&self) -> Known<'_> {
        Known { values: &self.values, literals: &self.literals }
    }

    /// Whether every concrete state that `specific` stands for is one that this one stands for.
    pub fn covers(&self, terms: &mut Terms, specific: &State) -> bool {
        let has_value = |(symbol, value): &(Symbol, TermId)| {
            let known = specific.values.binary_search_by_key(symbol, |known| known.0);
            known.is_ok_and(|at| specific.values[at].1 == *value)
        };
        if !self.values.iter().all(has_value) {
            return false;
        }
        let mut known: Option<FxHashMap<Symbol, TermId>> = None;
        self.literals.iter().all(|literal| {
            specific.literals.binary_search(literal).is_ok() || {
                let known = known.get_or_insert_with(|| specific.values.iter().copied().collect());
                let value = terms.substitute(*literal, known);
                matches!(terms.op(value), Op::Bool(true))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn a_state_covers_what_has_its_values_and_literals_or_values_that_decide_them() {
        let mut terms = Terms::new();
        let name = terms.var("x", Sort::Int);
        let x = terms.as_symbol(name).expect("it is one");
        let (x_term, one, two) = (terms.of_symbol(x), terms.int(1), terms.int(2));
        let below = terms.lt(x_term, two);
        let top = State::default();
        let is_below = State { values: Vec::new(), literals: vec![below] };
        let is_one = State { values: vec![(x, one)], literals: Vec::new() };
        let is_two = State { values: vec![(x, two)], literals: Vec::new() };
        for state in [&top, &is_below, &is_one, &is_two] {
            assert!(top.covers(&mut terms, state) && state.covers(&mut terms, state));
        }
        assert!(is_below.covers(&mut terms, &is_one));
        assert!(!is_below.covers(&mut terms, &is_two) && !is_below.covers(&mut terms, &top));
        assert!(!is_one.covers(&mut terms, &is_below) && !is_one.covers(&mut terms, &is_two));
    }
}
