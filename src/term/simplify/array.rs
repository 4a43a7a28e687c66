//! Rules for arrays.

use super::boolean::eq_order;
use super::choices::select_choices;
use super::{Rule, bits, either_order, is_constant, two};
use crate::term::{Linear, Op, Sort, TermId, Terms};

pub(super) const SELECT: &[Rule] = &[
    Rule::new("select.store", select_store),
    Rule::new("select.const", select_const),
    Rule::new("select.choices", select_choices),
];
pub(super) const STORE: &[Rule] = &[
    Rule::new("store.store", store_store),
    Rule::new("store.select", store_select),
    Rule::new("store.const", store_const),
    Rule::new("store.order", store_order),
];
pub(super) const EQ: &[Rule] = &[
    Rule::new("eq.const-arrays", eq_const_arrays),
    Rule::new("eq.store", eq_store),
    Rule::new("eq.array-order", eq_order),
];

/// Reads through stores at other indices, down to one at this index or to where that is not known.
fn select_store(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let index = args[1];
    let mut array = args[0];
    while let (Op::Store, &[below, at, element]) = (terms.op(array), terms.args(array)) {
        if at == index {
            return Some(element);
        }
        if !differ(terms, at, index) {
            break;
        }
        array = below;
    }
    (array != args[0]).then(|| terms.select(array, index))
}

/// Whether the two indices are different in every assignment.
fn differ(terms: &Terms, a: TermId, b: TermId) -> bool {
    if is_constant(terms, a) && is_constant(terms, b) {
        return a != b;
    }
    match terms.sort(a) {
        Sort::Int => {
            let difference = Linear::of_members(terms, &[(a, 1), (b, -1)]);
            difference.monomials.is_empty() && !difference.constant.is_zero()
        }
        Sort::BitVec(_) => {
            // Sums have their constant on the right.
            let base = |t: TermId| match two(terms, t, &Op::BvAdd) {
                Some((base, constant)) if bits(terms, constant).is_some() => (base, Some(constant)),
                _ => (t, None),
            };
            let ((base_a, add_a), (base_b, add_b)) = (base(a), base(b));
            base_a == base_b && add_a != add_b
        }
        _ => false,
    }
}

fn select_const(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    match (terms.op(args[0]), terms.args(args[0])) {
        (Op::ConstArray(_), &[element]) => Some(element),
        _ => None,
    }
}

fn store_store(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (Op::Store, &[below, at, _]) = (terms.op(args[0]), terms.args(args[0])) else { return None };
    (at == args[1]).then(|| terms.store(below, at, args[2]))
}

fn store_select(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (array, index) = two(terms, args[2], &Op::Select)?;
    (array == args[0] && index == args[1]).then_some(array)
}

fn store_const(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    match (terms.op(args[0]), terms.args(args[0])) {
        (Op::ConstArray(_), &[element]) if element == args[2] => Some(args[0]),
        _ => None,
    }
}

/// Stores of constants are in the order of their indices, so that an array of constants has one form.
fn store_order(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let &[array, index, element] = args else { return None };
    if terms.default_of(array) == Some(element) && is_constant(terms, index) {
        // It is there anyway, unless something else was stored there.
        let held = terms.select(array, index);
        if held == element {
            return Some(array);
        }
    }
    if !is_constant(terms, index) {
        return None;
    }
    let value = terms.as_value(index);
    let (mut below, mut above) = (array, Vec::new());
    while let (Op::Store, &[next, at, other]) = (terms.op(below), terms.args(below)) {
        if !is_constant(terms, at) || above.len() == MAX_REORDERED {
            return None;
        }
        if terms.as_value(at) <= value {
            break;
        }
        above.push((at, other));
        below = next;
    }
    if above.is_empty() {
        return None;
    }
    let start = terms.store(below, index, element);
    Some(above.into_iter().rev().fold(start, |array, (at, other)| terms.raw(Op::Store, &[array, at, other])))
}

/// How many stores one is put before, at most: each is made again for it.
const MAX_REORDERED: usize = 64;

fn eq_const_arrays(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    match (terms.op(args[0]), terms.args(args[0]), terms.op(args[1]), terms.args(args[1])) {
        (Op::ConstArray(_), &[a], Op::ConstArray(_), &[b]) => Some(terms.eq(a, b)),
        _ => None,
    }
}

/// An array with one element replaced is the array if it held that element.
fn eq_store(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let (array, index, element) = either_order(args, |store, array| match (terms.op(store), terms.args(store)) {
        (Op::Store, &[below, index, element]) if below == array => Some((array, index, element)),
        _ => None,
    })?;
    let held = terms.select(array, index);
    Some(terms.eq(held, element))
}
