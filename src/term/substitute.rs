//! Replacing symbols by terms, and the symbols of a term.

use super::{Integer, Op, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

impl Terms {
    /// The term with every symbol in the map replaced, all at once, and simplified on the way up.
    pub fn substitute(&mut self, term: TermId, map: &FxHashMap<Symbol, TermId>) -> TermId {
        self.substitute_cached(term, map, &mut FxHashMap::default())
    }

    /// As [`Terms::substitute`], with a cache to share among calls with the same map.
    pub fn substitute_cached(
        &mut self,
        term: TermId,
        map: &FxHashMap<Symbol, TermId>,
        done: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        let trace = map.keys().fold(0, |all, symbol| all | symbol.trace());
        // Most terms have none of the symbols, and are not looked into.
        let stays = |terms: &Terms, term: TermId| terms.symbol_trace(term) & trace == 0;
        if stays(self, term) {
            return term;
        }
        if self.args(term).is_empty() {
            return self.as_symbol(term).and_then(|symbol| map.get(&symbol).copied()).unwrap_or(term);
        }
        let mut pending = vec![term];
        while let Some(&next) = pending.last() {
            if done.contains_key(&next) {
                pending.pop();
                continue;
            }
            if let Op::Var(symbol) = self.op(next) {
                done.insert(next, map.get(symbol).copied().unwrap_or(next));
                pending.pop();
                continue;
            }
            let before = pending.len();
            pending.extend(self.args(next).iter().filter(|a| !stays(self, **a) && !done.contains_key(a)));
            if pending.len() > before {
                continue;
            }
            let args: Vec<TermId> =
                self.args(next).iter().map(|a| if stays(self, *a) { *a } else { done[a] }).collect();
            let result = if args == self.args(next) { next } else { self.make(self.op(next).clone(), &args) };
            done.insert(next, result);
            pending.pop();
        }
        done[&term]
    }

    /// The symbols that occur in the terms.
    pub fn symbols_of(&self, terms: impl IntoIterator<Item = TermId>) -> BTreeSet<Symbol> {
        let mut found = BTreeSet::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut pending: Vec<TermId> = terms.into_iter().collect();
        while let Some(next) = pending.pop() {
            if self.symbol_trace(next) == 0 || !seen.insert(next) {
                continue;
            }
            if let Op::Var(symbol) = self.op(next) {
                found.insert(*symbol);
            }
            pending.extend_from_slice(self.args(next));
        }
        found
    }

    /// The number that a term is.
    pub fn as_int(&self, term: TermId) -> Option<&Integer> {
        match self.op(term) {
            Op::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The symbol of a term that is just a free constant.
    pub fn as_symbol(&self, term: TermId) -> Option<Symbol> {
        match self.op(term) {
            Op::Var(symbol) => Some(*symbol),
            _ => None,
        }
    }

    /// A symbol of the same sort for a value that this one has at another time, which the prefix names.
    pub fn at_other_time(&mut self, prefix: &str, symbol: Symbol) -> TermId {
        let name = format!("{prefix}!{}", self.name(symbol));
        self.var(&name, self.symbol_sort(symbol))
    }

    /// The term of a symbol.
    pub fn of_symbol(&mut self, symbol: Symbol) -> TermId {
        self.raw(Op::Var(symbol), &[])
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sort;
    use super::*;

    /// More symbols than a trace has bits: two that leave the same bit are told apart.
    #[test]
    fn symbols_that_leave_the_same_trace_are_different() {
        let mut terms = Terms::new();
        let all: Vec<TermId> = (0..130).map(|number| terms.var(&format!("x{number}"), Sort::Int)).collect();
        let sum = terms.add(all[0], all[129]);
        let symbol = |terms: &Terms, index: usize| terms.as_symbol(all[index]).unwrap();
        let map = FxHashMap::from_iter([(symbol(&terms, 64), all[1]), (symbol(&terms, 129), all[2])]);
        let changed = terms.substitute(sum, &map);
        let expected = terms.add(all[0], all[2]);
        assert_eq!(changed, expected);
        assert_eq!(terms.symbols_of([changed]).len(), 2);
    }

    #[test]
    fn substitution_is_simultaneous() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::Int), terms.var("y", Sort::Int));
        let sum = terms.mul(x, y);
        let both = terms.le(sum, x);
        let symbol = |terms: &Terms, t| terms.as_symbol(t).unwrap();
        let map = FxHashMap::from_iter([(symbol(&terms, x), y), (symbol(&terms, y), x)]);
        let swapped = terms.substitute(both, &map);
        let expected = {
            let m = terms.mul(y, x);
            terms.le(m, y)
        };
        assert_eq!(swapped, expected);
    }

    #[test]
    fn deep_terms_do_not_overflow_the_stack() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(8));
        let y = terms.var("y", Sort::BitVec(8));
        let deep = (0..200_000).fold(x, |t, _| terms.raw(Op::BvXor, &[t, y]));
        assert_eq!(terms.symbols_of([deep]).len(), 2);
        let map = FxHashMap::from_iter([(terms.as_symbol(x).unwrap(), y)]);
        terms.substitute(deep, &map);
    }
}
