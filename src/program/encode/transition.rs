//! Transitions: what a block does, as terms over the values before it.

use crate::program::{Span, VarId};
use crate::term::{Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// What a block does: where the guard holds it can be taken, and then leaves the updates' values. Both are over
/// the variables' values before it, and over the inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// Whether the block can be taken to its end.
    pub guard: TermId,
    /// The variables that get new values, each once, in the order of their numbers; others keep theirs.
    pub updates: Vec<(Symbol, TermId)>,
    /// What is read from outside, in the order it is read: symbols that occur nowhere else.
    pub inputs: Vec<Input>,
}

/// One value read from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input {
    /// What stands for the value.
    pub symbol: Symbol,
    /// The variable that it is read into.
    pub variable: VarId,
    /// Where the source asks for it.
    pub span: Option<Span>,
}

impl Transition {
    /// The transition that is always possible and changes nothing.
    pub fn identity(terms: &mut Terms) -> Transition {
        Transition { guard: terms.bool(true), updates: Vec::new(), inputs: Vec::new() }
    }

    /// The term's value after the transition, over the values before it.
    pub fn after(&self, terms: &mut Terms, term: TermId) -> TermId {
        terms.substitute(term, &self.update_map())
    }

    /// The preimage: the transition can be taken and leads to where `post` holds, with these inputs. They are left
    /// free; the states from which some inputs lead there are those for which values of them exist.
    pub fn pre(&self, terms: &mut Terms, post: TermId) -> TermId {
        let post = self.after(terms, post);
        terms.and([self.guard, post])
    }

    /// The weakest precondition: if the transition can be taken it leads to where `post` holds, with these inputs.
    /// They are left free; `post` surely holds afterwards where this holds for all values of them.
    pub fn wp(&self, terms: &mut Terms, post: TermId) -> TermId {
        let post = self.after(terms, post);
        terms.implies(self.guard, post)
    }

    /// This transition, then the other one.
    pub fn then(&self, terms: &mut Terms, other: &Transition) -> Transition {
        let map = self.update_map();
        let mut done = FxHashMap::default();
        let second = terms.substitute_cached(other.guard, &map, &mut done);
        let guard = terms.and([self.guard, second]);
        let mut updates = self.updates.clone();
        for &(symbol, value) in &other.updates {
            let value = terms.substitute_cached(value, &map, &mut done);
            match updates.iter_mut().find(|(known, _)| *known == symbol) {
                Some(update) => update.1 = value,
                None => updates.push((symbol, value)),
            }
        }
        updates.retain(|(symbol, value)| terms.as_symbol(*value) != Some(*symbol));
        updates.sort_unstable();
        let inputs = [&self.inputs[..], &other.inputs[..]].concat();
        Transition { guard, updates, inputs }
    }

    /// The same transition with inputs of its own, to take it more than once on one path.
    pub fn with_fresh_inputs(&self, terms: &mut Terms) -> Transition {
        let mut map = FxHashMap::default();
        let mut inputs = self.inputs.clone();
        for input in &mut inputs {
            let name = terms.name(input.symbol);
            let stem = name.split('!').next().unwrap_or(name).to_owned();
            let fresh = terms.fresh_var(&format!("{stem}!input"), terms.symbol_sort(input.symbol));
            map.insert(input.symbol, fresh);
            input.symbol = terms.as_symbol(fresh).expect("a free constant is its symbol");
        }
        let mut done = FxHashMap::default();
        let guard = terms.substitute_cached(self.guard, &map, &mut done);
        let updates = self.updates.iter().map(|&(s, value)| (s, terms.substitute_cached(value, &map, &mut done)));
        let updates = updates.collect();
        Transition { guard, updates, inputs }
    }

    /// The transition as a relation: the guard, and each of the variables' values after it equal to its term.
    pub fn relation(&self, terms: &mut Terms, after: &[(Symbol, TermId)]) -> TermId {
        let map = self.update_map();
        let mut all = vec![self.guard];
        for &(symbol, term) in after {
            let value = map.get(&symbol).copied().unwrap_or_else(|| terms.of_symbol(symbol));
            all.push(terms.eq(term, value));
        }
        terms.and(all)
    }

    /// The updates, to look up.
    pub fn update_map(&self) -> FxHashMap<Symbol, TermId> {
        self.updates.iter().copied().collect()
    }
}
