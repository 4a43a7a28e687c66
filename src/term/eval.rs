//! The evaluator: the value of a term under an assignment of its symbols.
//!
//! [`apply`] is the one meaning of every operator; the simplifier folds constants with it. Division of integers
//! by zero is left free by SMT-LIB (`div` and `mod` by zero are some function of the dividend): here `div` gives
//! 0 and `mod` the dividend, and the simplifier, which must agree with every choice, leaves such terms alone.
//! Bit-vector division by zero is fixed by SMT-LIB and done so.

use super::{Integer, Op, Sort, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A value of some sort.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A bit-vector: its unsigned value and its width.
    BitVec(Integer, u32),
    /// An array: the value it holds everywhere but at the listed indices, which hold another one.
    Array(Box<ArrayValue>),
}

/// A total map that differs from one value at finitely many places.
///
/// Built by [`ArrayValue::constant`] and [`ArrayValue::store`] it has one form for every map: no entry equals the
/// default, and the default is the value held most often (the least such value, where several are). So derived
/// equality is equality of maps, over finite index sorts too.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayValue {
    /// The array's sort.
    pub sort: Sort,
    /// What it holds elsewhere.
    pub default: Value,
    /// Where it holds something other than the default.
    pub entries: BTreeMap<Value, Value>,
}

/// An assignment of values to symbols.
pub type Assignment = FxHashMap<Symbol, Value>;

/// The value of the term; a symbol that the assignment leaves out has its sort's zero (`false`, 0, all zeros).
pub fn eval(terms: &Terms, term: TermId, assignment: &Assignment) -> Value {
    let mut done = FxHashMap::default();
    eval_cached(terms, term, assignment, &mut done)
}

/// As [`eval`], with a cache to share among calls with the same assignment.
pub fn eval_cached(terms: &Terms, term: TermId, assignment: &Assignment, done: &mut FxHashMap<TermId, Value>) -> Value {
    let mut pending = vec![term];
    let mut args = Vec::new();
    while let Some(&next) = pending.last() {
        if done.contains_key(&next) {
            pending.pop();
            continue;
        }
        let before = pending.len();
        pending.extend(terms.args(next).iter().filter(|a| !done.contains_key(a)));
        if pending.len() > before {
            continue;
        }
        let value = match terms.op(next) {
            Op::Var(symbol) => {
                let held = assignment.get(symbol).cloned();
                held.unwrap_or_else(|| Value::zero(terms.symbol_sort(*symbol)))
            }
            op => {
                args.clear();
                args.extend(terms.args(next).iter().map(|a| done[a].clone()));
                apply(op, &args)
            }
        };
        done.insert(next, value);
        pending.pop();
    }
    done[&term].clone()
}

impl Value {
    /// The sort that the value belongs to.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::BitVec(_, width) => Sort::BitVec(*width),
            Value::Array(array) => array.sort,
        }
    }

    /// The zero of the sort: `false`, 0, all zeros, the array of zeros.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(Integer::ZERO),
            Sort::BitVec(width) => Value::BitVec(Integer::ZERO, width),
            Sort::Array(parts) => ArrayValue::constant(sort, Value::zero(parts.element())).into(),
        }
    }

    /// The truth value, where it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer, or the unsigned value of the bit-vector, where it is one.
    pub fn as_integer(&self) -> Option<&Integer> {
        match self {
            Value::Int(value) | Value::BitVec(value, _) => Some(value),
            _ => None,
        }
    }
}

impl From<ArrayValue> for Value {
    fn from(array: ArrayValue) -> Value {
        Value::Array(Box::new(array))
    }
}

impl ArrayValue {
    /// The array of that sort that holds one value everywhere.
    pub fn constant(sort: Sort, default: Value) -> ArrayValue {
        ArrayValue { sort, default, entries: BTreeMap::new() }
    }

    /// What the array holds at an index.
    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// What it holds at some indices; elsewhere it is the default.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// What it holds at all other indices.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The array with one element replaced.
    #[must_use]
    pub fn store(mut self, index: Value, element: Value) -> ArrayValue {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
        self.choose_default();
        self
    }

    /// Makes the value held most often the default, where so many entries exist that it may be another one.
    fn choose_default(&mut self) {
        let Sort::Array(parts) = self.sort else { return };
        let held = self.entries.len() as u64;
        let Some(size) = size_of(parts.index()) else { return };
        let elsewhere = size - held;
        if held < elsewhere {
            return;
        }
        let mut counts: BTreeMap<&Value, u64> = BTreeMap::new();
        for value in self.entries.values() {
            *counts.entry(value).or_default() += 1;
        }
        counts.insert(&self.default, elsewhere);
        let most = counts.values().copied().max().unwrap_or(0);
        let Some(chosen) = counts.iter().find(|(_, count)| **count == most).map(|(value, _)| (*value).clone()) else {
            return;
        };
        if chosen == self.default {
            return;
        }
        let old = std::mem::replace(&mut self.default, chosen);
        for index in indices(parts.index()) {
            self.entries.entry(index).or_insert_with(|| old.clone());
        }
        let default = &self.default;
        self.entries.retain(|_, value| value != default);
    }
}

/// How many values the sort has, where that is a number that entries can reach.
fn size_of(sort: Sort) -> Option<u64> {
    match sort {
        Sort::Bool => Some(2),
        Sort::Int => None,
        Sort::BitVec(width) => (width < 32).then(|| 1 << width),
        Sort::Array(parts) => {
            let (indices, elements) = (size_of(parts.index())?, size_of(parts.element())?);
            elements.checked_pow(u32::try_from(indices).ok()?).filter(|size| *size < 1 << 32)
        }
    }
}

/// Every value of a finite sort, in any order.
fn indices(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int => Vec::new(),
        Sort::BitVec(width) => (0..1u64 << width).map(|n| Value::BitVec(n.into(), width)).collect(),
        Sort::Array(parts) => {
            let elements = indices(parts.element());
            let mut all = vec![ArrayValue::constant(sort, Value::zero(parts.element()))];
            for index in indices(parts.index()) {
                let with = |array: &ArrayValue| {
                    let array = array.clone();
                    let index = index.clone();
                    elements.iter().map(move |e| array.clone().store(index.clone(), e.clone())).collect::<Vec<_>>()
                };
                all = all.iter().flat_map(with).collect();
            }
            all.into_iter().map(Value::from).collect()
        }
    }
}

impl Terms {
    /// The term that is that value.
    pub fn of_value(&mut self, value: &Value) -> TermId {
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::Int(value) => self.int(value.clone()),
            Value::BitVec(value, width) => self.bit_vec(value.clone(), *width),
            Value::Array(array) => {
                let default = self.of_value(&array.default);
                let mut term = self.const_array(array.sort, default);
                for (index, element) in &array.entries {
                    let (index, element) = (self.of_value(index), self.of_value(element));
                    term = self.store(term, index, element);
                }
                term
            }
        }
    }

    /// The value of a term that is a constant, or an array of constants in the one form that it has: see
    /// [`Terms::is_value`].
    pub fn as_value(&self, term: TermId) -> Option<Value> {
        match self.op(term) {
            Op::Bool(value) => Some(Value::Bool(*value)),
            Op::Int(value) => Some(Value::Int(value.clone())),
            Op::BitVec(value, width) => Some(Value::BitVec(value.clone(), *width)),
            Op::ConstArray(_) | Op::Store => {
                let default = self.as_value(self.default_of(term)?)?;
                let mut value = ArrayValue::constant(self.sort(term), default);
                let mut array = term;
                while let (Op::Store, &[below, index, element]) = (self.op(array), self.args(array)) {
                    value.entries.insert(self.as_value(index)?, self.as_value(element)?);
                    array = below;
                }
                Some(value.into())
            }
            _ => None,
        }
    }
}

/// The value of the operator on values.
///
/// # Panics
/// If the values do not have the sorts that the operator takes, or the operator is a symbol.
pub fn apply(op: &Op, args: &[Value]) -> Value {
    use Op::*;
    match op {
        Var(_) => panic!("a symbol has a value only under an assignment"),
        Bool(value) => Value::Bool(*value),
        Int(value) => Value::Int(value.clone()),
        BitVec(value, width) => Value::BitVec(value.clone(), *width),
        Not => Value::Bool(!truth(&args[0])),
        And => Value::Bool(args.iter().all(truth)),
        Or => Value::Bool(args.iter().any(truth)),
        Implies => Value::Bool(!truth(&args[0]) || truth(&args[1])),
        Ite => args[if truth(&args[0]) { 1 } else { 2 }].clone(),
        Eq => Value::Bool(args[0] == args[1]),
        Add => Value::Int(args.iter().fold(Integer::ZERO, |sum, a| &sum + number(a))),
        Mul => Value::Int(args.iter().fold(Integer::ONE, |product, a| &product * number(a))),
        Neg => Value::Int(-number(&args[0]).clone()),
        Div => Value::Int(number(&args[0]).div_rem_euclid(number(&args[1])).map_or(Integer::ZERO, |(q, _)| q)),
        Mod => {
            let dividend = number(&args[0]);
            Value::Int(dividend.div_rem_euclid(number(&args[1])).map_or_else(|| dividend.clone(), |(_, r)| r))
        }
        Le => Value::Bool(number(&args[0]) <= number(&args[1])),
        Lt => Value::Bool(number(&args[0]) < number(&args[1])),
        BvUlt => Value::Bool(number(&args[0]) < number(&args[1])),
        BvUle => Value::Bool(number(&args[0]) <= number(&args[1])),
        BvSlt => Value::Bool(signed(&args[0]) < signed(&args[1])),
        BvSle => Value::Bool(signed(&args[0]) <= signed(&args[1])),
        BvAdd | BvSub | BvMul | BvNeg | BvUdiv | BvUrem | BvSdiv | BvSrem | BvShl | BvLshr | BvAshr | BvAnd | BvOr
        | BvXor | BvNot => {
            let width = width(&args[0]);
            Value::BitVec(vector_operation(op, args, width).wrap_unsigned(width), width)
        }
        Concat => {
            let (high, low) = (width(&args[0]), width(&args[1]));
            Value::BitVec(&number(&args[0]).shift_left(low) + number(&args[1]), high + low)
        }
        Extract(high, low) => {
            let width = high - low + 1;
            Value::BitVec(number(&args[0]).shift_right(*low).wrap_unsigned(width), width)
        }
        ZeroExtend(more) => Value::BitVec(number(&args[0]).clone(), width(&args[0]) + more),
        SignExtend(more) => {
            let width = width(&args[0]) + more;
            Value::BitVec(signed(&args[0]).wrap_unsigned(width), width)
        }
        IntToBv(width) => Value::BitVec(number(&args[0]).wrap_unsigned(*width), *width),
        BvToNat => Value::Int(number(&args[0]).clone()),
        Float(float) => float.apply(args),
        Select => array(&args[0]).select(&args[1]).clone(),
        Store => array(&args[0]).clone().store(args[1].clone(), args[2].clone()).into(),
        ConstArray(sort) => ArrayValue::constant(*sort, args[0].clone()).into(),
    }
}

/// The bit-vector operators whose result has the width of their arguments; the result is still to be wrapped.
fn vector_operation(op: &Op, args: &[Value], width: u32) -> Integer {
    use Op::*;
    let a = number(&args[0]);
    let b = || number(&args[1]);
    match op {
        BvAdd => a + b(),
        BvSub => a - b(),
        BvMul => a * b(),
        BvNeg => -a.clone(),
        BvUdiv => a.div_rem_euclid(b()).map_or(Integer::from(-1), |(q, _)| q),
        BvUrem => a.div_rem_euclid(b()).map_or_else(|| a.clone(), |(_, r)| r),
        BvSdiv => {
            let dividend = signed(&args[0]);
            let by_zero = Integer::from(if dividend.is_negative() { 1 } else { -1 });
            dividend.div_rem_truncated(&signed(&args[1])).map_or(by_zero, |(q, _)| q)
        }
        BvSrem => signed(&args[0]).div_rem_truncated(&signed(&args[1])).map_or_else(|| a.clone(), |(_, r)| r),
        BvShl => match shift_amount(b(), width) {
            Some(bits) => a.shift_left(bits),
            None => Integer::ZERO,
        },
        BvLshr => match shift_amount(b(), width) {
            Some(bits) => a.shift_right(bits),
            None => Integer::ZERO,
        },
        BvAshr => signed(&args[0]).shift_right(shift_amount(b(), width).unwrap_or(width)),
        BvAnd => a & b(),
        BvOr => a | b(),
        BvXor => a ^ b(),
        BvNot => !a,
        _ => unreachable!("{op:?} is not one of the operators that the caller names"),
    }
}

/// By how much to shift, where that leaves a bit of the argument.
fn shift_amount(amount: &Integer, width: u32) -> Option<u32> {
    amount.to_u32().filter(|bits| *bits < width)
}

fn truth(value: &Value) -> bool {
    value.as_bool().expect("terms are well sorted: this is a truth value")
}

fn number(value: &Value) -> &Integer {
    value.as_integer().expect("terms are well sorted: this is a number")
}

fn signed(value: &Value) -> Integer {
    number(value).wrap_signed(width(value))
}

fn width(value: &Value) -> u32 {
    value.sort().width().expect("terms are well sorted: this is a bit-vector")
}

fn array(value: &Value) -> &ArrayValue {
    match value {
        Value::Array(array) => array,
        _ => panic!("terms are well sorted: this is an array"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(value: i64, width: u32) -> Value {
        Value::BitVec(Integer::from(value).wrap_unsigned(width), width)
    }

    #[test]
    fn division_by_zero_is_that_of_smtlib() {
        assert_eq!(apply(&Op::BvUdiv, &[bits(5, 8), bits(0, 8)]), bits(255, 8));
        assert_eq!(apply(&Op::BvUrem, &[bits(5, 8), bits(0, 8)]), bits(5, 8));
        assert_eq!(apply(&Op::BvSdiv, &[bits(5, 8), bits(0, 8)]), bits(-1, 8));
        assert_eq!(apply(&Op::BvSdiv, &[bits(-5, 8), bits(0, 8)]), bits(1, 8));
        assert_eq!(apply(&Op::BvSrem, &[bits(-5, 8), bits(0, 8)]), bits(-5, 8));
        assert_eq!(apply(&Op::BvSdiv, &[bits(-128, 8), bits(-1, 8)]), bits(-128, 8));
    }

    #[test]
    fn arrays_over_finite_sorts_have_one_form() {
        let sort = Sort::array(Sort::BitVec(1), Sort::Int);
        let one = |n: i64| Value::Int(n.into());
        let a = ArrayValue::constant(sort, one(7)).store(bits(1, 1), one(8));
        let b = ArrayValue::constant(sort, one(8)).store(bits(0, 1), one(7));
        let c = ArrayValue::constant(sort, one(9)).store(bits(0, 1), one(7)).store(bits(1, 1), one(8));
        assert_eq!(a, b);
        assert_eq!(a, c);
        assert_ne!(a, a.clone().store(bits(0, 1), one(8)));
        let nested = Sort::array(Sort::array(Sort::Bool, Sort::Bool), Sort::Bool);
        assert_eq!(size_of(nested), Some(16));
        assert_eq!(indices(Sort::array(Sort::Bool, Sort::Bool)).len(), 4);
    }

    #[test]
    fn deep_terms_do_not_overflow_the_stack() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(8));
        let deep = (0..200_000).fold(x, |t, _| terms.raw(Op::BvAdd, &[t, x]));
        let assignment = Assignment::from_iter([(terms.as_symbol(x).unwrap(), bits(3, 8))]);
        assert_eq!(eval(&terms, deep, &assignment), bits(3 * 200_001, 8));
        let doubled = (0..1000).fold(x, |t, _| terms.raw(Op::BvAdd, &[t, t]));
        assert_eq!(eval(&terms, doubled, &assignment), bits(0, 8));
    }

    #[test]
    fn values_are_terms() {
        let mut terms = Terms::new();
        let sort = Sort::array(Sort::Int, Sort::BitVec(4));
        let array = ArrayValue::constant(sort, bits(1, 4)).store(Value::Int(3.into()), bits(2, 4));
        for value in [Value::zero(sort), array.into(), Value::Bool(true), Value::Int((-4).into()), bits(9, 33)] {
            let term = terms.of_value(&value);
            assert_eq!(terms.sort(term), value.sort());
            assert_eq!(eval(&terms, term, &Assignment::default()), value);
        }
    }
}
