//! Reads of arrays as choices between what was stored there, where a store of terms wants them so: a solver needs no theory
//! of arrays then, and Yices, which has no arrays that are constant, can be asked.

use crate::term::{Integer, Op, Sort, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many stores a read goes through, at most. A table of 256 bytes is one choice of eight levels; 24 symbolic writes that
/// follow each other, as of a program that counts letters, are 24 choices.
const MAX_STORES: usize = 1024;

/// `select(array, index)` as choices. Not where the array is not known all the way down.
pub(super) fn select_choices(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let &[array, index] = args else { return None };
    let is_number = matches!(terms.sort(index), Sort::Int | Sort::BitVec(_));
    if !terms.is_unrolled() || !is_number || matches!(terms.op(array), Op::Var(_)) {
        return None;
    }
    let order = arrays_below(terms, array)?;
    let mut held: FxHashMap<TermId, TermId> = FxHashMap::default();
    for array in order {
        let value = match (terms.op(array), terms.args(array)) {
            (Op::ConstArray(_), &[element]) => element,
            (Op::Ite, &[condition, then, otherwise]) => terms.ite(condition, held[&then], held[&otherwise]),
            (Op::Store, &[below, at, element]) if terms.as_value(at).is_none() => {
                let here = terms.eq(at, index);
                terms.ite(here, element, held[&below])
            }
            (Op::Store, _) => {
                let Table { entries, rest } = table(terms, array);
                entry(terms, &entries, held[&rest], index)?
            }
            _ => return None,
        };
        held.insert(array, value);
    }
    held.get(&array).copied()
}

/// Stores at constant indices, one upon the other.
struct Table {
    /// In the order of the indices, each index once.
    entries: Vec<(Integer, TermId)>,
    /// The array that they are in.
    rest: TermId,
}

fn table(terms: &Terms, array: TermId) -> Table {
    let (mut entries, mut rest, mut known) = (Vec::new(), array, FxHashSet::default());
    while let (Op::Store, &[below, at, element]) = (terms.op(rest), terms.args(rest)) {
        let (Op::Int(index) | Op::BitVec(index, _)) = terms.op(at) else { break };
        if known.insert(index.clone()) {
            entries.push((index.clone(), element));
        }
        rest = below;
    }
    entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Table { entries, rest }
}

/// The arrays that a read of one looks into, each after those that it is made of; `None` where they are too many, or one of
/// them is not made of others.
fn arrays_below(terms: &Terms, array: TermId) -> Option<Vec<TermId>> {
    let (mut order, mut done, mut waiting) = (Vec::new(), FxHashSet::default(), vec![array]);
    let mut stores = 0;
    while let Some(&next) = waiting.last() {
        if done.contains(&next) {
            waiting.pop();
            continue;
        }
        let below = match (terms.op(next), terms.args(next)) {
            (Op::ConstArray(_), _) => Vec::new(),
            (Op::Ite, &[_, then, otherwise]) => vec![then, otherwise],
            (Op::Store, &[below, at, _]) if terms.as_value(at).is_none() => vec![below],
            (Op::Store, _) => vec![table(terms, next).rest],
            _ => return None,
        };
        let before = waiting.len();
        waiting.extend(below.into_iter().filter(|array| !done.contains(array)));
        if waiting.len() > before {
            continue;
        }
        stores += match terms.op(next) {
            Op::Store => table(terms, next).entries.len().max(1),
            _ => 1,
        };
        if stores > MAX_STORES {
            return None;
        }
        done.insert(next);
        order.push(next);
        waiting.pop();
    }
    Some(order)
}

/// The entry of a table at an index, or what is elsewhere.
fn entry(terms: &mut Terms, entries: &[(Integer, TermId)], elsewhere: TermId, index: TermId) -> Option<TermId> {
    match terms.sort(index) {
        Sort::BitVec(width) => by_bits(terms, entries, elsewhere, (index, width)),
        Sort::Int => Some(by_order(terms, entries, elsewhere, index)),
        _ => None,
    }
}

/// The same by one bit of the index after the other: of a table without gaps, no entry is compared with.
fn by_bits(
    terms: &mut Terms,
    entries: &[(Integer, TermId)],
    elsewhere: TermId,
    (index, width): (TermId, u32),
) -> Option<TermId> {
    let entries: Vec<(u64, TermId)> =
        entries.iter().map(|(at, element)| Some((at.to_u64()?, *element))).collect::<Option<_>>()?;
    let all = entries.iter().fold(0, |all, (at, _)| all | at);
    let (low, high) = if all == 0 { (0, 0) } else { (all.trailing_zeros(), 64 - all.leading_zeros()) };
    let found = by_bits_from(terms, &entries, elsewhere, index, (low, high));
    let mut inside = Vec::new();
    for (last, first) in [(width, high), (low, 0)] {
        if first < last {
            let part = terms.extract(last - 1, first, index);
            let zero = terms.bit_vec(0, last - first);
            inside.push(terms.eq(part, zero));
        }
    }
    let inside = terms.and(inside);
    Some(terms.ite(inside, found, elsewhere))
}

/// The same, where the bits of the index from the higher one on are those of all entries.
fn by_bits_from(
    terms: &mut Terms,
    entries: &[(u64, TermId)],
    elsewhere: TermId,
    index: TermId,
    (low, high): (u32, u32),
) -> TermId {
    let Some(&(_, first)) = entries.first() else { return elsewhere };
    if low == high {
        return first;
    }
    let bit = high - 1;
    let (zeros, ones) = entries.split_at(entries.partition_point(|(at, _)| at >> bit & 1 == 0));
    let zeros = by_bits_from(terms, zeros, elsewhere, index, (low, bit));
    let ones = by_bits_from(terms, ones, elsewhere, index, (low, bit));
    let one = terms.bit_vec(1, 1);
    let part = terms.extract(bit, bit, index);
    let is_one = terms.eq(part, one);
    terms.ite(is_one, ones, zeros)
}

/// The same by comparisons: what holds from one index to the next is asked for once.
fn by_order(terms: &mut Terms, entries: &[(Integer, TermId)], elsewhere: TermId, index: TermId) -> TermId {
    let mut runs: Vec<(Integer, TermId)> = Vec::new();
    let mut next: Option<Integer> = None;
    for (at, element) in entries {
        if let Some(end) = next.take()
            && end != *at
        {
            runs.push((end, elsewhere));
        }
        runs.push((at.clone(), *element));
        next = Some(at.clone() + Integer::from(1));
    }
    runs.extend(next.map(|end| (end, elsewhere)));
    runs.dedup_by(|next, before| next.1 == before.1);
    in_runs(terms, elsewhere, &runs, index)
}

fn in_runs(terms: &mut Terms, first: TermId, runs: &[(Integer, TermId)], index: TermId) -> TermId {
    if runs.is_empty() {
        return first;
    }
    let middle = runs.len() / 2;
    let (start, value) = runs[middle].clone();
    let before = in_runs(terms, first, &runs[..middle], index);
    let behind = in_runs(terms, value, &runs[middle + 1..], index);
    let start = terms.int(start);
    let is_before = terms.lt(index, start);
    terms.ite(is_before, before, behind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Assignment, Random, Value, eval};

    /// A random array over constant and symbolic indices, with choices between arrays.
    fn random_array(terms: &mut Terms, random: &mut Random, sort: Sort, index: TermId, depth: usize) -> TermId {
        let element = |terms: &mut Terms, random: &mut Random| terms.bit_vec(random.below(4) as i64, 8);
        if depth == 0 {
            let element = element(terms, random);
            return terms.const_array(sort, element);
        }
        if random.once_in(4) {
            let a = random_array(terms, random, sort, index, depth - 1);
            let b = random_array(terms, random, sort, index, depth / 2);
            let limit = number(terms, index, 5);
            let condition = terms.eq(index, limit);
            return terms.ite(condition, a, b);
        }
        let below = random_array(terms, random, sort, index, depth - 1);
        let at = match random.once_in(5) {
            true => index,
            false => {
                let step = if random.once_in(3) { 4 } else { 1 };
                number(terms, index, step * random.below(6) as i64)
            }
        };
        let element = element(terms, random);
        terms.store(below, at, element)
    }

    fn number(terms: &mut Terms, like: TermId, value: i64) -> TermId {
        match terms.sort(like) {
            Sort::BitVec(width) => terms.bit_vec(value, width),
            _ => terms.int(value),
        }
    }

    #[test]
    fn choices_are_what_the_array_holds() {
        let mut random = Random::new(7);
        for round in 0..400 {
            let mut terms = Terms::new();
            let index_sort = if round % 2 == 0 { Sort::BitVec(6) } else { Sort::Int };
            let sort = Sort::array(index_sort, Sort::BitVec(8));
            let (written, read) = (terms.var("i", index_sort), terms.var("j", index_sort));
            let array = random_array(&mut terms, &mut random, sort, written, 8);
            let raw = terms.raw(Op::Select, &[array, read]);
            terms.set_unrolled();
            let chosen = terms.select(array, read);
            assert_ne!(terms.op(chosen), &Op::Select, "the array is known");
            for (i, j) in (0..26).flat_map(|i| (0..26).map(move |j| (i, j))) {
                let value = |number: i64| match index_sort {
                    Sort::BitVec(width) => Value::BitVec(Integer::from(number), width),
                    _ => Value::Int(Integer::from(number - 2)),
                };
                let symbols = [(written, value(i)), (read, value(j))];
                let assignment: Assignment = symbols
                    .into_iter()
                    .map(|(term, value)| (terms.as_symbol(term).expect("it is one"), value))
                    .collect();
                assert_eq!(eval(&terms, chosen, &assignment), eval(&terms, raw, &assignment), "i = {i}, j = {j}");
            }
        }
    }

    #[test]
    fn a_table_without_gaps_compares_with_no_entry() {
        let mut terms = Terms::new();
        terms.set_unrolled();
        let zero = terms.bit_vec(0, 8);
        let mut array = terms.const_array(Sort::array(Sort::BitVec(64), Sort::BitVec(8)), zero);
        for at in 0..256 {
            let (index, element) = (terms.bit_vec(at, 64), terms.bit_vec(at * 7 % 256, 8));
            array = terms.store(array, index, element);
        }
        let byte = terms.var("b", Sort::BitVec(8));
        let index = terms.zero_extend(56, byte);
        let read = terms.select(array, index);
        assert_ne!(terms.op(read), &Op::Select);
        let comparisons = terms.from_number(0).filter(|term| terms.op(*term) == &Op::Eq).count();
        assert!(comparisons <= 16, "{comparisons} comparisons");
    }
}
