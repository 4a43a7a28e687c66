//! Predicates: atoms in a normal form, formulas over them, and the bit vectors that are abstract states.

use super::linear::Literal;
use crate::term::{Op, Sort, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// The predicates Φ, in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Predicates {
    list: Vec<Predicate>,
    index: FxHashMap<TermId, usize>,
    /// How many of them, the first ones, are those of the property.
    in_property: usize,
}

/// One predicate.
#[derive(Debug, Clone)]
pub(super) struct Predicate {
    /// What it says.
    pub(super) atom: TermId,
    /// The opposite.
    pub(super) negated: TermId,
    /// The symbols in it, ascending.
    pub(super) symbols: Vec<Symbol>,
}

impl Predicate {
    /// The literal in which the predicate has the truth value.
    pub(super) fn literal(&self, truth: bool) -> TermId {
        if truth { self.atom } else { self.negated }
    }
}

impl Predicates {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Those that there are now are those of the property.
    pub(super) fn end_property(&mut self) {
        self.in_property = self.list.len();
    }

    /// Which are those of the property.
    pub(super) fn of_property(&self) -> Bits {
        let mut selected = Bits::none(self.len());
        for number in 0..self.in_property {
            selected.set(number, true);
        }
        selected
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Predicate> {
        self.list.iter()
    }

    /// The one of that number.
    pub(super) fn get(&self, number: usize) -> &Predicate {
        &self.list[number]
    }

    /// The number of an atom that is in normal form.
    pub(super) fn number(&self, atom: TermId) -> Option<usize> {
        self.index.get(&atom).copied()
    }

    /// Adds an atom that is in normal form; whether it is new.
    pub(super) fn add(&mut self, terms: &mut Terms, atom: TermId) -> bool {
        if self.index.contains_key(&atom) {
            return false;
        }
        self.index.insert(atom, self.list.len());
        let symbols = terms.symbols_of([atom]).into_iter().collect();
        self.list.push(Predicate { atom, negated: terms.not(atom), symbols });
        true
    }
}

/// An atom in normal form, and whether the formula, which has no Boolean structure, is it rather than its negation.
pub(super) fn normal(terms: &mut Terms, formula: TermId) -> (TermId, bool) {
    if let Some(literal) = Literal::of(terms, formula) {
        let (atom, holds) = literal.atom(terms);
        // Where the simplifier sees more, what it made of it is looked at again.
        return match terms.op(atom) {
            Op::Not => (terms.args(atom)[0], !holds),
            _ => (atom, holds),
        };
    }
    match terms.op(formula) {
        Op::Not => (terms.args(formula)[0], false),
        _ => (formula, true),
    }
}

/// The atoms of a formula in normal form, each once, in the order in which they occur.
pub(super) fn atoms(terms: &mut Terms, formula: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut pending = vec![formula];
    while let Some(next) = pending.pop() {
        if has_structure(terms, next) {
            pending.extend(terms.args(next).iter().rev());
            continue;
        }
        let (atom, _) = normal(terms, next);
        if !matches!(terms.op(atom), Op::Bool(_)) && !found.contains(&atom) {
            found.push(atom);
        }
    }
    found
}

/// Whether a formula consists of formulas.
fn has_structure(terms: &Terms, formula: TermId) -> bool {
    let args = terms.args(formula);
    match terms.op(formula) {
        Op::Not => !matches!(terms.op(args[0]), Op::Le | Op::Lt | Op::Eq) || has_structure(terms, args[0]),
        Op::And | Op::Or | Op::Implies | Op::Ite => true,
        Op::Eq => terms.sort(args[0]) == Sort::Bool,
        _ => false,
    }
}

/// A formula whose atoms are predicates, as far as they are.
#[derive(Debug, Clone)]
pub(super) enum Formula {
    Constant(bool),
    /// The predicate of that number has that value.
    Literal(usize, bool),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Not(Box<Formula>),
    /// What is no predicate.
    Other,
}

impl Formula {
    /// The formula of a term.
    pub(super) fn of(terms: &mut Terms, predicates: &Predicates, term: TermId) -> Formula {
        let args = terms.args(term).to_vec();
        let all = |terms: &mut Terms| args.iter().map(|&arg| Formula::of(terms, predicates, arg)).collect();
        match terms.op(term) {
            Op::Bool(value) => Formula::Constant(*value),
            Op::And => Formula::All(all(terms)),
            Op::Or => Formula::Any(all(terms)),
            Op::Implies => {
                let [a, b] = [0, 1].map(|i| Formula::of(terms, predicates, args[i]));
                Formula::Any(vec![Formula::Not(Box::new(a)), b])
            }
            Op::Not if has_structure(terms, term) => Formula::Not(Box::new(Formula::of(terms, predicates, args[0]))),
            _ if has_structure(terms, term) => Formula::Other,
            _ => {
                let (atom, holds) = normal(terms, term);
                match (terms.op(atom), predicates.number(atom)) {
                    (Op::Bool(value), _) => Formula::Constant(*value == holds),
                    (_, Some(number)) => Formula::Literal(number, holds),
                    (_, None) => Formula::Other,
                }
            }
        }
    }

    /// Its value in an abstract state, where the state says so.
    pub(super) fn value(&self, bits: &Bits) -> Option<bool> {
        match self {
            Formula::Constant(value) => Some(*value),
            Formula::Literal(number, holds) => Some(bits.get(*number) == *holds),
            Formula::Not(inner) => inner.value(bits).map(|value| !value),
            Formula::Other => None,
            Formula::All(parts) => parts
                .iter()
                .try_fold(true, |all, part| part.value(bits).map(|value| all && value))
                .or_else(|| parts.iter().any(|part| part.value(bits) == Some(false)).then_some(false)),
            Formula::Any(parts) => parts
                .iter()
                .try_fold(false, |any, part| part.value(bits).map(|value| any || value))
                .or_else(|| parts.iter().any(|part| part.value(bits) == Some(true)).then_some(true)),
        }
    }
}

/// The truth values of all predicates, by number.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// All false, for so many predicates.
    pub(super) fn none(count: usize) -> Bits {
        Bits(vec![0; count.div_ceil(64)])
    }

    /// The value of a predicate.
    pub(super) fn get(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// Sets the value of a predicate.
    pub(super) fn set(&mut self, number: usize, value: bool) {
        let bit = 1 << (number % 64);
        match value {
            true => self.0[number / 64] |= bit,
            false => self.0[number / 64] &= !bit,
        }
    }

    /// The same, with room for more predicates.
    pub(super) fn widened(&self, count: usize) -> Bits {
        let mut bits = self.0.clone();
        bits.resize(count.div_ceil(64), 0);
        Bits(bits)
    }

    /// What it says of some predicates only.
    pub(super) fn masked(&self, mask: &Bits) -> Bits {
        Bits(self.0.iter().zip(&mask.0).map(|(bits, mask)| bits & mask).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_decided_by_abstract_states() {
        let mut terms = Terms::new();
        let (x, y, z) = (terms.var("x", Sort::Int), terms.var("y", Sort::Int), terms.var("z", Sort::Int));
        let two = terms.int(2);
        let (a, b, c) = (terms.le(x, y), terms.eq(z, two), terms.lt(z, y));
        let not_a = terms.not(a);
        let formula = terms.or([not_a, b]);
        let unknown = terms.or([formula, c]);
        let mut predicates = Predicates::default();
        for atom in atoms(&mut terms, formula) {
            assert!(predicates.add(&mut terms, atom));
        }
        assert_eq!(predicates.len(), 2);
        let (formula, unknown) =
            (Formula::of(&mut terms, &predicates, formula), Formula::of(&mut terms, &predicates, unknown));
        let (number_a, _) = normal(&mut terms, a);
        let number_a = predicates.number(number_a).expect("it was added");
        for values in 0..4u32 {
            let mut bits = Bits::none(2);
            bits.set(0, values & 1 == 1);
            bits.set(1, values & 2 == 2);
            let (a, b) = (bits.get(number_a), bits.get(1 - number_a));
            assert_eq!(formula.value(&bits), Some(!a || b));
            assert_eq!(unknown.value(&bits), (!a || b).then_some(true));
        }
    }
}
