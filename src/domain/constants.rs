//! Constants: the values of symbols that have one.

use super::{Domain, Thresholds};
use crate::term::{Op, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// The values of symbols that have one; no map where no value is possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constants(Option<FxHashMap<Symbol, TermId>>);

impl Constants {
    /// The value of a symbol, if it is known.
    pub fn get(&self, symbol: Symbol) -> Option<TermId> {
        self.0.as_ref()?.get(&symbol).copied()
    }

    /// The symbols with their values, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, TermId)> + '_ {
        self.0.iter().flatten().map(|(symbol, value)| (*symbol, *value))
    }

    /// Whether nothing is known.
    pub fn is_top(&self) -> bool {
        self.0.as_ref().is_some_and(FxHashMap::is_empty)
    }

    /// The term with the known values filled in.
    pub fn value_of(&self, terms: &mut Terms, term: TermId) -> TermId {
        self.0.as_ref().map_or(term, |values| terms.substitute(term, values))
    }

    fn insert(&mut self, symbol: Symbol, value: TermId) {
        let Some(values) = &mut self.0 else { return };
        if *values.entry(symbol).or_insert(value) != value {
            self.0 = None;
        }
    }
}

impl Domain for Constants {
    fn top() -> Constants {
        Constants(Some(FxHashMap::default()))
    }

    fn is_bottom(&self, _: &Terms) -> bool {
        self.0.is_none()
    }

    fn leq(&self, _: &mut Terms, other: &Constants) -> bool {
        let Some(theirs) = &other.0 else { return self.0.is_none() };
        self.0.is_none() || theirs.iter().all(|(symbol, value)| self.get(*symbol) == Some(*value))
    }

    fn join(&self, _: &mut Terms, other: &Constants) -> Constants {
        match (&self.0, &other.0) {
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            (Some(values), Some(_)) => {
                let agreed = values.iter().filter(|(symbol, value)| other.get(**symbol) == Some(**value));
                Constants(Some(agreed.map(|(symbol, value)| (*symbol, *value)).collect()))
            }
        }
    }

    /// A join leaves fewer values each time it changes anything.
    fn widen(&self, terms: &mut Terms, next: &Constants, _: &Thresholds) -> Constants {
        self.join(terms, next)
    }

    fn assign(&mut self, terms: &mut Terms, updates: &[(Symbol, TermId)]) {
        let after: Vec<(Symbol, TermId)> =
            updates.iter().map(|(symbol, value)| (*symbol, self.value_of(terms, *value))).collect();
        let Some(values) = &mut self.0 else { return };
        for (symbol, value) in after {
            match terms.as_value(value) {
                Some(_) => values.insert(symbol, value),
                None => values.remove(&symbol),
            };
        }
    }

    /// Equations of a symbol and a value count, and conjunctions of these.
    fn assume(&mut self, terms: &mut Terms, condition: TermId) {
        let condition = self.value_of(terms, condition);
        let args = terms.args(condition).to_vec();
        match (terms.op(condition), &args[..]) {
            (Op::Bool(false), _) => self.0 = None,
            (Op::And, parts) => parts.iter().for_each(|part| self.assume(terms, *part)),
            (Op::Eq, &[a, b]) => {
                let (name, value) = if terms.is_value(b) { (a, b) } else { (b, a) };
                if let (Some(symbol), Some(_)) = (terms.as_symbol(name), terms.as_value(value)) {
                    self.insert(symbol, value);
                }
            }
            _ => {}
        }
    }

    fn forget(&mut self, _: &Terms, targets: &[Symbol]) {
        if let Some(values) = &mut self.0 {
            values.retain(|symbol, _| !targets.contains(symbol));
        }
    }

    fn formula(&self, terms: &mut Terms) -> TermId {
        let Some(values) = &self.0 else { return terms.bool(false) };
        let mut values: Vec<(Symbol, TermId)> = values.iter().map(|(symbol, value)| (*symbol, *value)).collect();
        values.sort_unstable();
        let equations = values.into_iter().map(|(symbol, value)| {
            let name = terms.of_symbol(symbol);
            terms.eq(name, value)
        });
        let equations: Vec<TermId> = equations.collect();
        terms.and(equations)
    }
}
