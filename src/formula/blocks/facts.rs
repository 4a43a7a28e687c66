//! What the guard of a place says of symbols, and what terms become with it.
//!
//! A walk asks for the same large terms again and again. So each set of facts remembers what terms became, and ways that
//! learned something each, and meet, are given back the set that both came from.

use crate::term::{Symbol, TermId, Terms};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// How many sets a set is made from, one after the other, at most: each holds all its values.
const MAX_BELOW: u32 = 64;

/// How many terms a set remembers at most.
const MAX_REMEMBERED: usize = 1 << 20;

/// Symbols that have known values on all ways to a place.
#[derive(Debug, Clone, Default)]
pub(in crate::formula) struct Facts(Option<Rc<Layer>>);

/// A set of facts.
#[derive(Debug, Default)]
struct Layer {
    values: FxHashMap<Symbol, TermId>,
    /// Fewer facts, from which these were learned.
    below: Option<Rc<Layer>>,
    /// How many are below.
    depth: u32,
    /// What terms become.
    done: RefCell<FxHashMap<TermId, TermId>>,
}

impl Layer {
    fn over(below: Option<Rc<Layer>>, values: FxHashMap<Symbol, TermId>) -> Facts {
        let below = below.filter(|below| below.depth < MAX_BELOW);
        let depth = below.as_ref().map_or(0, |below| below.depth + 1);
        Facts(Some(Rc::new(Layer { values, below, depth, done: RefCell::default() })))
    }

    /// Whether all of these are among others.
    fn is_among(&self, others: &FxHashMap<Symbol, TermId>) -> bool {
        self.values.len() <= others.len() && self.values.iter().all(|(symbol, value)| others.get(symbol) == Some(value))
    }
}

impl Facts {
    /// The term with the values filled in.
    pub(in crate::formula) fn fill(&self, terms: &mut Terms, term: TermId) -> TermId {
        let Some(layer) = &self.0 else { return term };
        let mut done = layer.done.borrow_mut();
        if done.len() > MAX_REMEMBERED {
            done.clear();
        }
        terms.substitute_cached(term, &layer.values, &mut done)
    }

    /// Adds one.
    pub(super) fn learn(&mut self, symbol: Symbol, value: TermId) {
        match self.0.take() {
            None => *self = Layer::over(None, FxHashMap::from_iter([(symbol, value)])),
            Some(mut layer) => match Rc::get_mut(&mut layer) {
                // Nobody else can come back to the set without it.
                Some(own) => {
                    own.values.insert(symbol, value);
                    own.done.get_mut().clear();
                    self.0 = Some(layer);
                }
                None => {
                    let mut values = layer.values.clone();
                    values.insert(symbol, value);
                    *self = Layer::over(Some(layer), values);
                }
            },
        }
    }

    /// Leaves those that others have, too.
    pub(super) fn meet(&mut self, others: &Facts) {
        let (Some(ours), Some(theirs)) = (self.0.take(), &others.0) else { return };
        if Rc::ptr_eq(&ours, theirs) || ours.is_among(&theirs.values) {
            self.0 = Some(ours);
            return;
        }
        if theirs.is_among(&ours.values) {
            self.0 = Some(Rc::clone(theirs));
            return;
        }
        let mut both = ours.values.clone();
        both.retain(|symbol, value| theirs.values.get(symbol) == Some(value));
        if both.is_empty() {
            return;
        }
        let known =
            std::iter::successors(Some(&ours), |layer| layer.below.as_ref()).find(|layer| layer.is_among(&both));
        *self = match known {
            Some(known) if known.values.len() == both.len() => Facts(Some(Rc::clone(known))),
            known => Layer::over(known.cloned(), both),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn ways_that_meet_are_given_back_the_set_that_both_came_from() {
        let mut terms = Terms::new();
        let names = ["a", "b", "c"].map(|name| terms.var(name, Sort::Int));
        let [a, b, c] = names.map(|name| terms.as_symbol(name).expect("a variable is its symbol"));
        let [one, two] = [1, 2].map(|value| terms.int(value));
        let mut first = Facts::default();
        first.learn(a, one);
        let base = first.clone();
        let mut second = first.clone();
        first.learn(b, one);
        second.learn(b, two);
        second.learn(c, two);
        let some = terms.add(names[0], names[1]);
        let sum = terms.add(some, names[2]);
        let third = second.fill(&mut terms, sum);
        assert_eq!(terms.as_int(third).and_then(|sum| sum.to_i64()), Some(5));
        first.meet(&second);
        assert!(first.0.iter().zip(&base.0).all(|(met, base)| Rc::ptr_eq(met, base)));
        let mut other = Facts::default();
        other.learn(a, two);
        first.meet(&other);
        assert!(first.0.is_none());
        assert_eq!(first.fill(&mut terms, sum), sum);
    }
}
