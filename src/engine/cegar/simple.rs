//! Models that need no solver: of conditions that speak of one symbol each.

use super::Cegar;
use crate::term::{Assignment, Integer, Op, Sort, Symbol, TermId, Value, eval::eval};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How many values are tried for a symbol.
const MOST_TRIED: usize = 64;

impl Cegar<'_> {
    /// Values of the symbols in the context that make all of it true, if every part speaks of one symbol and simple
    /// values do.
    pub(super) fn simple_model(&mut self, context: &[TermId]) -> Option<Assignment> {
        let mut parts: FxHashMap<Symbol, Vec<TermId>> = FxHashMap::default();
        for &part in context {
            let mut symbols = self.terms.symbols_of([part]).into_iter();
            match (symbols.next(), symbols.next()) {
                (None, _) if self.terms.op(part) == &Op::Bool(true) => {}
                (Some(symbol), None) => parts.entry(symbol).or_default().push(part),
                _ => return None,
            }
        }
        let mut model = Assignment::default();
        for (symbol, mut conditions) in parts {
            conditions.extend(self.range(symbol));
            let value = self.simple_value(symbol, &conditions)?;
            model.insert(symbol, value);
        }
        Some(model)
    }

    /// Whether a formula is true in a model that gives its symbols values; `None` if it does not give all.
    pub(super) fn seen_in(&self, model: &Assignment, formula: TermId) -> Option<bool> {
        let known = self.terms.symbols_of([formula]).into_iter().all(|symbol| model.contains_key(&symbol));
        if known { eval(&self.terms, formula, model).as_bool() } else { None }
    }

    /// A value of the symbol near the numbers in the conditions that makes them true.
    fn simple_value(&self, symbol: Symbol, conditions: &[TermId]) -> Option<Value> {
        let sort = self.terms.symbol_sort(symbol);
        let mut numbers = BTreeSet::from([Integer::ZERO, Integer::ONE]);
        let mut pending = conditions.to_vec();
        while let Some(term) = pending.pop() {
            if let Op::Int(number) | Op::BitVec(number, _) = self.terms.op(term) {
                numbers.extend([number - &Integer::ONE, number.clone(), number + &Integer::ONE]);
            }
            if numbers.len() > MOST_TRIED {
                break;
            }
            pending.extend(self.terms.args(term));
        }
        let values: Vec<Value> = match sort {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Int => numbers.into_iter().map(Value::Int).collect(),
            Sort::BitVec(width) => numbers.iter().map(|n| Value::BitVec(n.wrap_unsigned(width), width)).collect(),
            _ => return None,
        };
        values.into_iter().find(|value| {
            let model = Assignment::from_iter([(symbol, value.clone())]);
            conditions.iter().all(|condition| eval(&self.terms, *condition, &model).as_bool() == Some(true))
        })
    }
}
