//! Widening: of shapes that differ in numbers alone, there are to be only so many.

use super::canonical::Slot;
use super::number::Number;
use super::{Shape, SymbolId, Value};
use crate::program::{Expr, Program, Type};
use std::collections::{BTreeMap, BTreeSet};

/// So many different numbers at one place are kept apart.
const MAX_NUMBERS: usize = 6;

/// Where ranges stop that grow.
#[derive(Debug)]
pub struct Thresholds(Vec<i128>);

/// What was seen of shapes that differ in numbers alone.
#[derive(Debug, Default)]
pub struct Signature {
    distinct: Vec<Vec<Number>>,
    bounds: Vec<Option<Number>>,
}

impl Thresholds {
    /// The constants of a program, their neighbours, and the limits of its types.
    pub fn of(program: &Program) -> Thresholds {
        let mut found: BTreeSet<i128> = BTreeSet::new();
        let blocks = program.procedures.iter().flat_map(|procedure| procedure.edges.iter().map(|edge| &edge.block));
        for statement in blocks.chain([&program.init]).flatten() {
            statement.expressions().into_iter().for_each(|expression| constants(expression, &mut found));
        }
        found.insert(0);
        for width in [8, 16, 32, 64] {
            for signed in [false, true] {
                if let Some(all) = Number::all(Type::machine(width, signed)) {
                    found.extend([all.low(), all.high()]);
                }
            }
        }
        Thresholds(found.into_iter().collect())
    }

    /// A number that holds all of both, so that ranges grow only so often; `None` for any number.
    fn widen(&self, old: &Number, new: &Number) -> Option<Number> {
        let low = if new.low() < old.low() { *self.0.iter().rev().find(|n| **n <= new.low())? } else { old.low() };
        let high = if new.high() > old.high() { *self.0.iter().find(|n| **n >= new.high())? } else { old.high() };
        Number::range(low, high)
    }
}

fn constants(expression: &Expr, found: &mut BTreeSet<i128>) {
    if let Expr::Int(n, _) = expression
        && let Some(n) = n.to_i64()
    {
        let n = i128::from(n);
        found.extend([n - 1, n, n + 1]);
    }
    expression.operands().into_iter().for_each(|operand| constants(operand, found));
}

impl Shape {
    /// The shape without its numbers, and these.
    pub fn without_numbers(&self) -> (Shape, Vec<Number>) {
        let mut bare = self.clone();
        let (mut counts, mut order): (BTreeMap<SymbolId, usize>, _) = (BTreeMap::new(), Vec::new());
        bare.for_each_slot(&mut |slot| {
            if let Slot::Value(Value::Symbol(symbol)) = slot {
                *counts.entry(*symbol).or_default() += 1;
            }
        });
        let mut names: BTreeMap<SymbolId, SymbolId> = BTreeMap::new();
        bare.for_each_slot(&mut |slot| match slot {
            Slot::Value(value) => match *value {
                Value::Int(n) => {
                    order.push(Number::one(n));
                    *value = Value::Int(0);
                }
                Value::Symbol(symbol) if counts[&symbol] == 1 => {
                    order.push(self.numbers[&symbol].clone());
                    *value = Value::Int(0);
                }
                Value::Symbol(symbol) => {
                    let next = names.len() as SymbolId;
                    *value = Value::Symbol(*names.entry(symbol).or_insert_with(|| {
                        order.push(self.numbers[&symbol].clone());
                        next
                    }));
                }
                _ => {}
            },
            Slot::Number(number) => order.push(std::mem::replace(number, Number::one(0))),
        });
        (bare.numbers, bare.next_symbol) = (BTreeMap::new(), 0);
        (bare, order)
    }

    /// Puts numbers in the places where [`Shape::without_numbers`] took them from. Each holds what was there.
    fn put_numbers(&mut self, numbers: &[Option<Number>]) {
        let mut known = std::mem::take(&mut self.numbers);
        let (mut next, mut index, mut seen) = (self.next_symbol, 0, BTreeSet::new());
        let mut take = || {
            index += 1;
            numbers[index - 1].clone()
        };
        self.for_each_slot(&mut |slot| match slot {
            Slot::Value(value) => match *value {
                Value::Int(n) => match take() {
                    Some(number) if number.only() == Some(n) => {}
                    Some(number) => {
                        known.insert(next, number);
                        *value = Value::Symbol(next);
                        next += 1;
                    }
                    None => *value = Value::Any,
                },
                Value::Symbol(symbol) if seen.insert(symbol) => match take() {
                    Some(number) => {
                        known.insert(symbol, number);
                    }
                    None => *value = Value::Any,
                },
                _ => {}
            },
            Slot::Number(number) => {
                if let Some(wider) = take() {
                    *number = wider;
                }
            }
        });
        (self.numbers, self.next_symbol) = (known, next);
    }
}

impl Signature {
    /// Widens the numbers of a shape where there were many different ones before.
    pub fn widen(&mut self, shape: &mut Shape, numbers: &[Number], thresholds: &Thresholds) {
        self.distinct.resize(numbers.len(), Vec::new());
        self.bounds.resize(numbers.len(), None);
        let mut wider: Vec<Option<Number>> = Vec::new();
        for ((number, distinct), bound) in numbers.iter().zip(&mut self.distinct).zip(&mut self.bounds) {
            if bound.is_none() && !distinct.contains(number) {
                distinct.push(number.clone());
                if distinct.len() > MAX_NUMBERS {
                    *bound = distinct.iter().cloned().reduce(|all, one| all.join(&one));
                }
            }
            wider.push(match bound {
                None => Some(number.clone()),
                Some(all) if all.includes(number) => Some(all.clone()),
                Some(all) => match thresholds.widen(all, number) {
                    Some(wider) => {
                        *all = wider;
                        Some(all.clone())
                    }
                    None => None,
                },
            });
        }
        shape.put_numbers(&wider);
        shape.operations.clear();
    }
}
