//! Operators on choices between constants, as an entry of a table is, or a variable after paths that were merged: they
//! are done where the constants are. `isdigit(c)`, a bit of an entry of a table of 384, becomes two comparisons.
//! What the least and the greatest value of such choices, and of sums of them, decide is decided.
//!
//! For terms of unrolled programs only, where such choices come from; sums and products keep their linear forms.

use super::{Rule, int, is_constant};
use crate::term::{Op, TermId, Terms};
use rustc_hash::FxHashMap;

/// How many choices the result may have before equal ones become one: two tables of 256 entries that are chosen from by the
/// same index. Chosen by thought.
const MAX_CHOICES: usize = 1024;

pub(super) const INSIDE: &[Rule] = &[Rule::new("choice.inside", inside)];
pub(super) const INTEGERS: &[Rule] =
    &[Rule::new("bounds.decide", decided_by_bounds), Rule::new("choice.inside", inside)];

/// What the bounds of integers decide: that a counter does not wrap, for one, as far as it counts from a constant.
fn decided_by_bounds(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    if !terms.is_unrolled() {
        return None;
    }
    let ((low, high), (least, most)) = (terms.bounds(args[0])?, terms.bounds(args[1])?);
    match op {
        Op::Le if high <= least => Some(terms.bool(true)),
        Op::Le if low > most => Some(terms.bool(false)),
        Op::Lt if high < least => Some(terms.bool(true)),
        Op::Lt if low >= most => Some(terms.bool(false)),
        Op::Eq if high < least || most < low => Some(terms.bool(false)),
        Op::Mod if low >= 0 && high < least => Some(args[0]),
        Op::Div if low >= 0 && high < least => Some(terms.int(0)),
        _ => None,
    }
}

/// `op(ite(c, k1, k2), k)` as `ite(c, op(k1, k), op(k2, k))`, all the way down.
fn inside(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let is_known = |arg: &TermId| is_constant(terms, *arg) || terms.is_choice_of_constants(*arg);
    if !terms.is_unrolled() || !args.iter().all(is_known) {
        return None;
    }
    if matches!(op, Op::Div | Op::Mod) && int(terms, args[1]).is_none_or(|divisor| divisor.is_zero()) {
        return None;
    }
    done_inside(terms, op, args, &mut FxHashMap::default())
}

fn done_inside(
    terms: &mut Terms,
    op: &Op,
    args: &[TermId],
    done: &mut FxHashMap<Vec<TermId>, TermId>,
) -> Option<TermId> {
    let choice = args.iter().copied().find(|arg| !is_constant(terms, *arg));
    let Some(choice) = choice else { return Some(terms.make(op.clone(), args)) };
    if let Some(known) = done.get(args) {
        return Some(*known);
    }
    if done.len() >= MAX_CHOICES {
        return None;
    }
    let condition = terms.args(choice)[0];
    let side = |side: usize| -> Vec<TermId> {
        let of = |arg: &TermId| match terms.args(*arg) {
            &[own, ..] if own == condition && terms.op(*arg) == &Op::Ite => terms.args(*arg)[side],
            _ => *arg,
        };
        args.iter().map(of).collect()
    };
    let (then, otherwise) = (side(1), side(2));
    let then = done_inside(terms, op, &then, done)?;
    let otherwise = done_inside(terms, op, &otherwise, done)?;
    let result = terms.ite(condition, then, otherwise);
    done.insert(args.to_vec(), result);
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Assignment, Random, Sort, Value, eval};

    /// A random choice between constants.
    fn choice(terms: &mut Terms, random: &mut Random, sort: Sort, conditions: &[TermId]) -> TermId {
        match conditions {
            [first, rest @ ..] if !random.once_in(5) => {
                let then = choice(terms, random, sort, rest);
                let otherwise = choice(terms, random, sort, rest);
                terms.ite(*first, then, otherwise)
            }
            _ => match sort {
                Sort::BitVec(width) => terms.bit_vec(random.below(16) as i64, width),
                _ => terms.int(random.below(16) as i64 - 4),
            },
        }
    }

    #[test]
    fn operators_on_choices_have_the_same_values() {
        let mut random = Random::new(11);
        for _ in 0..3000 {
            let mut terms = Terms::new();
            terms.set_unrolled();
            let conditions: Vec<TermId> = (0..4).map(|i| terms.var(&format!("c{i}"), Sort::Bool)).collect();
            let bits = [Op::Eq, Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvLshr, Op::BvUdiv, Op::BvUlt, Op::BvSlt];
            let integers = [Op::Eq, Op::Le, Op::Div, Op::Mod];
            let (sort, ops) = match random.once_in(2) {
                true => (Sort::BitVec(4), &bits[..]),
                false => (Sort::Int, &integers[..]),
            };
            let op = ops[random.below(ops.len())].clone();
            let a = choice(&mut terms, &mut random, sort, &conditions[..2]);
            let b = choice(&mut terms, &mut random, sort, &conditions[1..]);
            let raw = terms.raw(op.clone(), &[a, b]);
            let made = terms.make(op, &[a, b]);
            for values in 0..16u32 {
                let value = |(i, term): (usize, &TermId)| {
                    (terms.as_symbol(*term).expect("it is one"), Value::Bool(values >> i & 1 == 1))
                };
                let assignment: Assignment = conditions.iter().enumerate().map(value).collect();
                assert_eq!(eval(&terms, made, &assignment), eval(&terms, raw, &assignment));
            }
        }
    }

    #[test]
    fn counters_from_constants_do_not_wrap() {
        let mut terms = Terms::new();
        terms.set_unrolled();
        let mut counter = terms.int(0);
        for round in 0..20 {
            let condition = terms.var(&format!("c{round}"), Sort::Bool);
            let one = terms.int(1);
            let next = terms.add(counter, one);
            counter = terms.ite(condition, next, counter);
        }
        let (greatest, twenty) = (terms.int(i64::from(i32::MAX)), terms.int(20));
        let wraps = terms.lt(greatest, counter);
        assert_eq!(terms.op(wraps), &Op::Bool(false));
        let is_inside = terms.le(counter, twenty);
        assert_eq!(terms.op(is_inside), &Op::Bool(true));
        let many = terms.int(32);
        assert_eq!(terms.make(Op::Mod, &[counter, many]), counter);
    }

    #[test]
    fn a_bit_of_a_table_is_a_comparison() {
        for sort in [Sort::Int, Sort::BitVec(32)] {
            let mut terms = Terms::new();
            terms.set_unrolled();
            let number = |terms: &mut Terms, value: i64| match sort {
                Sort::BitVec(width) => terms.bit_vec(value, width),
                _ => terms.int(value),
            };
            let zero = number(&mut terms, 0);
            let mut table = terms.const_array(Sort::array(sort, sort), zero);
            for at in 0..256 {
                let is_digit = (48..58).contains(&at);
                let (index, entry) =
                    (number(&mut terms, at), number(&mut terms, at % 7 + if is_digit { 2048 } else { 0 }));
                table = terms.store(table, index, entry);
            }
            let index = terms.var("c", sort);
            let entry = terms.select(table, index);
            let size = match sort {
                Sort::BitVec(_) => {
                    let bit = terms.bit_vec(2048, 32);
                    let masked = terms.make(Op::BvAnd, &[entry, bit]);
                    let is_zero = terms.eq(masked, zero);
                    terms.written_size(is_zero)
                }
                _ => {
                    let (more, less) = (terms.int(4096), terms.int(2048));
                    let (more, less) = (terms.make(Op::Mod, &[entry, more]), terms.make(Op::Mod, &[entry, less]));
                    let is_zero = terms.eq(more, less);
                    terms.written_size(is_zero)
                }
            };
            assert!(size < 80, "{size} operations");
        }
    }
}
