//! Models that need no solver: of conditions each of which leaves one symbol open.

use crate::term::{Assignment, Integer, Op, Sort, Symbol, TermId, Terms, Value, eval::eval};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How many values are tried for a symbol.
const MAX_TRIED: usize = 64;

/// The known values with values of the other symbols in the context, each in its range, that make all of it true: if
/// every part leaves one symbol open at most, and simple values do.
pub fn simple_model(
    terms: &mut Terms,
    context: &[TermId],
    known: Assignment,
    range: &mut dyn FnMut(&mut Terms, Symbol) -> Option<TermId>,
) -> Option<Assignment> {
    let mut parts: FxHashMap<Symbol, Vec<TermId>> = FxHashMap::default();
    for &part in context {
        let mut symbols = terms.symbols_of([part]).into_iter().filter(|symbol| !known.contains_key(symbol));
        match (symbols.next(), symbols.next()) {
            (None, _) if eval(terms, part, &known).as_bool() == Some(true) => {}
            (Some(symbol), None) => parts.entry(symbol).or_default().push(part),
            _ => return None,
        }
    }
    let mut model = known;
    for (symbol, mut conditions) in parts {
        conditions.extend(range(terms, symbol));
        let value = simple_value(terms, symbol, &conditions, &mut model)?;
        model.insert(symbol, value);
    }
    Some(model)
}

/// Whether a formula is true in a model that gives its symbols values; `None` if it does not give all.
pub fn seen_in(terms: &Terms, model: &Assignment, formula: TermId) -> Option<bool> {
    let known = terms.symbols_of([formula]).into_iter().all(|symbol| model.contains_key(&symbol));
    if known { eval(terms, formula, model).as_bool() } else { None }
}

/// A value of the symbol near the numbers in the conditions that makes them true.
fn simple_value(terms: &Terms, symbol: Symbol, conditions: &[TermId], model: &mut Assignment) -> Option<Value> {
    let sort = terms.symbol_sort(symbol);
    let mut numbers = BTreeSet::from([Integer::ZERO, Integer::ONE]);
    let mut pending = conditions.to_vec();
    let mut seen = FxHashSet::default();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Op::Int(number) | Op::BitVec(number, _) = terms.op(term) {
            numbers.extend([number - &Integer::ONE, number.clone(), number + &Integer::ONE]);
        }
        if numbers.len() > MAX_TRIED {
            break;
        }
        pending.extend(terms.args(term));
    }
    let values: Vec<Value> = match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int => numbers.into_iter().map(Value::Int).collect(),
        Sort::BitVec(width) => numbers.iter().map(|n| Value::BitVec(n.wrap_unsigned(width), width)).collect(),
        _ => return None,
    };
    values.into_iter().find(|value| {
        model.insert(symbol, value.clone());
        conditions.iter().all(|condition| eval(terms, *condition, model).as_bool() == Some(true))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_with_many_shared_parts_take_no_longer_than_they_are_large() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::Int);
        let (few, seven) = (terms.int(3), terms.int(7));
        let small = terms.raw(Op::Le, &[x, few]);
        let mut open = small;
        for _ in 0..200 {
            let both = terms.raw(Op::And, &[open, small]);
            open = terms.raw(Op::Or, &[both, open]);
        }
        let condition = terms.eq(x, seven);
        let either = terms.raw(Op::Or, &[condition, open]);
        let symbol = terms.as_symbol(x).expect("x is a symbol");
        let model = simple_model(&mut terms, &[condition, either], Assignment::default(), &mut |_, _| None);
        assert_eq!(model.and_then(|model| model.get(&symbol).cloned()), Some(Value::Int(7.into())));
    }
}
