//! Branch distance: how much the values of a state would have to change for the guard of an error to hold.

use super::limits::UNKNOWN_DISTANCE;
use super::linear::{Comparison, Literal};
use super::space::SymbolicSpace;
use crate::engine::search::{Arg, NodeId};
use crate::term::{Integer, Op, Sort, Symbol, TermId, Value};
use rustc_hash::FxHashMap;

impl SymbolicSpace<'_> {
    /// The distance of a node from the nearest error.
    pub(super) fn distance(&self, arg: &Arg<Self>, node: NodeId) -> u64 {
        let point = self.system.point(arg.control(node));
        let control = self.system.control.iter().zip(&*point.values);
        let data = self.system.data.iter().zip(&*arg.state(node).symbolic.values);
        let values: FxHashMap<Symbol, TermId> = control.chain(data).map(|(symbol, value)| (*symbol, *value)).collect();
        self.violations.iter().map(|&guard| self.distance_to(guard, true, &values)).min().unwrap_or(UNKNOWN_DISTANCE)
    }

    /// How far the values are from making a formula true, or false.
    fn distance_to(&self, formula: TermId, wanted: bool, values: &FxHashMap<Symbol, TermId>) -> u64 {
        let args = self.formulas.terms.args(formula);
        let each = |wanted: bool| args.iter().map(move |&arg| self.distance_to(arg, wanted, values));
        match self.formulas.terms.op(formula) {
            Op::Bool(value) => {
                if *value == wanted {
                    0
                } else {
                    UNKNOWN_DISTANCE
                }
            }
            Op::Not if Literal::of(&self.formulas.terms, formula).is_none() => {
                self.distance_to(args[0], !wanted, values)
            }
            Op::And if wanted => each(true).fold(0, u64::saturating_add),
            Op::And => each(false).min().unwrap_or(UNKNOWN_DISTANCE),
            Op::Or if wanted => each(true).min().unwrap_or(UNKNOWN_DISTANCE),
            Op::Or => each(false).fold(0, u64::saturating_add),
            _ => self.distance_of_literal(formula, wanted, values).unwrap_or(UNKNOWN_DISTANCE),
        }
    }

    fn distance_of_literal(&self, formula: TermId, wanted: bool, values: &FxHashMap<Symbol, TermId>) -> Option<u64> {
        if self.formulas.terms.op(formula) != &Op::Not
            && self.formulas.terms.args(formula).first().map(|a| self.formulas.terms.sort(*a)) != Some(Sort::Int)
        {
            return None;
        }
        let Literal { sum, relation } = Literal::of(&self.formulas.terms, formula)?;
        let mut value = sum.constant.clone();
        for (symbol, coefficient) in &sum.monomials {
            let Some(Value::Int(known)) = self.formulas.terms.as_value(*values.get(symbol)?) else { return None };
            value = &value + &(&known * coefficient);
        }
        let size = value.abs().to_u64().unwrap_or(UNKNOWN_DISTANCE).min(UNKNOWN_DISTANCE);
        let positive = Integer::ZERO < value;
        Some(match (relation, wanted) {
            (Comparison::AtMost, true) => {
                if positive {
                    size
                } else {
                    0
                }
            }
            (Comparison::AtMost, false) => {
                if positive {
                    0
                } else {
                    size + 1
                }
            }
            (Comparison::Zero, true) | (Comparison::NotZero, false) => size,
            (Comparison::Zero, false) | (Comparison::NotZero, true) => u64::from(size == 0),
        })
    }
}
