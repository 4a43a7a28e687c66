//! Abstract states: the values of tracked variables, and predicates that hold.

use super::{Domain, Thresholds};
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
    fn covers(&self, terms: &mut Terms, specific: &State) -> bool {
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

impl Domain for State {
    fn top() -> State {
        State::default()
    }

    fn is_bottom(&self, terms: &Terms) -> bool {
        self.literals.iter().any(|literal| terms.op(*literal) == &Op::Bool(false))
    }

    fn leq(&self, terms: &mut Terms, other: &State) -> bool {
        self.is_bottom(terms) || other.covers(terms, self)
    }

    /// What both say.
    fn join(&self, terms: &mut Terms, other: &State) -> State {
        if self.is_bottom(terms) || other.is_bottom(terms) {
            return if self.is_bottom(terms) { other.clone() } else { self.clone() };
        }
        let mut said = Vec::new();
        for (one, another) in [(self, other), (other, self)] {
            for &literal in &one.literals {
                let alone = State { values: Vec::new(), literals: vec![literal] };
                if alone.covers(terms, another) {
                    said.push(literal);
                }
            }
        }
        said.sort_unstable();
        said.dedup();
        let values = self.values.iter().filter(|known| other.values.binary_search(known).is_ok());
        State { values: values.copied().collect(), literals: said }
    }

    /// The literals of a join are among those of the two. One that a state has by its values alone can come and go, so
    /// that only literals of this state stay.
    fn widen(&self, terms: &mut Terms, next: &State, _: &Thresholds) -> State {
        if self.is_bottom(terms) {
            return next.clone();
        }
        let mut joined = self.join(terms, next);
        joined.literals.retain(|literal| self.literals.binary_search(literal).is_ok());
        joined
    }

    fn assign(&mut self, terms: &mut Terms, updates: &[(Symbol, TermId)]) {
        let known: FxHashMap<Symbol, TermId> = self.values.iter().copied().collect();
        let after: Vec<(Symbol, TermId)> =
            updates.iter().map(|(symbol, value)| (*symbol, terms.substitute(*value, &known))).collect();
        let targets: Vec<Symbol> = updates.iter().map(|(symbol, _)| *symbol).collect();
        self.forget(terms, &targets);
        self.values.extend(after.into_iter().filter(|(_, value)| terms.is_value(*value)));
        self.values.sort_unstable();
    }

    fn assume(&mut self, terms: &mut Terms, condition: TermId) {
        match terms.op(condition) {
            Op::Bool(true) => {}
            Op::And => terms.args(condition).to_vec().into_iter().for_each(|part| self.assume(terms, part)),
            _ => {
                if let Err(at) = self.literals.binary_search(&condition) {
                    self.literals.insert(at, condition);
                }
            }
        }
    }

    fn forget(&mut self, terms: &Terms, targets: &[Symbol]) {
        self.values.retain(|(symbol, _)| !targets.contains(symbol));
        self.literals.retain(|literal| {
            let symbols = terms.symbols_of([*literal]);
            !targets.iter().any(|target| symbols.contains(target))
        });
    }

    fn formula(&self, terms: &mut Terms) -> TermId {
        let mut parts = self.literals.clone();
        for &(symbol, value) in &self.values {
            let name = terms.of_symbol(symbol);
            parts.push(terms.eq(name, value));
        }
        terms.and(parts)
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
