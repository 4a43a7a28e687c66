//! Transitions: what a block does, as terms over the values before it.

use crate::program::{Span, Type, VarId};
use crate::term::{Offsets, Symbol, TermId, Terms};
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
    /// What stands for values that cannot be expressed: symbols that occur nowhere else and can be any value of their
    /// types. Empty where the transition is exact.
    pub unmodelled: Vec<Unmodelled>,
}

/// A value that cannot be expressed, and so is any of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unmodelled {
    /// What stands for the value.
    pub symbol: Symbol,
    /// The type of the value.
    pub ty: Type,
    /// What it is that cannot be expressed.
    pub construct: &'static str,
    /// Where it is the first content of memory, and so exactly any value.
    pub first_of: Option<FirstContent>,
}

/// The first content of an object that was just made, or of what was never written and is copied, at an offset or at many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstContent {
    /// Which statement of the block made the object, or the copy.
    pub statement: u32,
    /// The offsets in the object, or from where the copy begins; where they are many, the content is an array.
    pub offset: Offsets,
    /// Whether it was copied there, and the object is older.
    pub is_copy: bool,
    /// Whether it is a part of a pointer.
    pub is_pointer: bool,
}

impl FirstContent {
    /// That of an object which a statement makes.
    pub fn made(statement: u32, offset: Offsets) -> FirstContent {
        FirstContent { statement, offset, is_copy: false, is_pointer: false }
    }

    /// That of what a statement copies.
    pub fn copied(statement: u32, offset: Offsets) -> FirstContent {
        FirstContent { is_copy: true, ..FirstContent::made(statement, offset) }
    }
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
        Transition { guard: terms.bool(true), updates: Vec::new(), inputs: Vec::new(), unmodelled: Vec::new() }
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
        let unmodelled = [&self.unmodelled[..], &other.unmodelled[..]].concat();
        Transition { guard, updates, inputs, unmodelled }
    }

    /// The same transition with inputs of its own, to take it more than once on one path; what is not modelled is
    /// replaced alike.
    pub fn with_fresh_inputs(&self, terms: &mut Terms) -> Transition {
        self.renamed(terms, |terms, _, symbol| {
            let name = terms.name(symbol);
            let stem = name.split('!').next().unwrap_or(name).to_owned();
            terms.fresh_var(&format!("{stem}!input"), terms.symbol_sort(symbol))
        })
    }

    /// The same transition with inputs named `prefix!0`, `prefix!1`… in their order, those that are not modelled
    /// after the others, so that the same step gives the same terms again. A quote is added to a name that has another
    /// sort already, or is in the transition otherwise. It is for the caller to know that no variable's symbol and no
    /// other transition on a path has such names.
    pub fn with_inputs_named(&self, terms: &mut Terms, prefix: &str) -> Transition {
        let mut others = terms.symbols_of(self.updates.iter().map(|(_, value)| *value).chain([self.guard]));
        others.extend(self.updates.iter().map(|(symbol, _)| *symbol));
        for symbol in self.own_symbols() {
            others.remove(&symbol);
        }
        self.renamed(terms, |terms, index, symbol| {
            let (sort, mut name) = (terms.symbol_sort(symbol), format!("{prefix}!{index}"));
            let unfit = |symbol: Symbol, terms: &Terms| terms.symbol_sort(symbol) != sort || others.contains(&symbol);
            while terms.find_symbol(&name).is_some_and(|symbol| unfit(symbol, terms)) {
                name.push('\'');
            }
            terms.var(&name, sort)
        })
    }

    /// The symbols that stand for inputs, then those for what is not modelled.
    pub fn own_symbols(&self) -> impl Iterator<Item = Symbol> {
        let inputs = self.inputs.iter().map(|input| input.symbol);
        inputs.chain(self.unmodelled.iter().map(|unmodelled| unmodelled.symbol))
    }

    /// The transition with another free constant for each of its own symbols, given its number among them.
    fn renamed(&self, terms: &mut Terms, other: impl Fn(&mut Terms, usize, Symbol) -> TermId) -> Transition {
        let mut map = FxHashMap::default();
        for (index, symbol) in self.own_symbols().enumerate() {
            map.insert(symbol, other(terms, index, symbol));
        }
        let new = |symbol: Symbol| terms.as_symbol(map[&symbol]).expect("a free constant is its symbol");
        let inputs = self.inputs.iter().map(|input| Input { symbol: new(input.symbol), ..*input }).collect();
        let unmodelled = self.unmodelled.iter().map(|u| Unmodelled { symbol: new(u.symbol), ..*u }).collect();
        let mut done = FxHashMap::default();
        let guard = terms.substitute_cached(self.guard, &map, &mut done);
        let updates = self.updates.iter().map(|&(s, value)| (s, terms.substitute_cached(value, &map, &mut done)));
        let updates = updates.collect();
        Transition { guard, updates, inputs, unmodelled }
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
