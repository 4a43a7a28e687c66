//! The normal form of symbolic states.
//!
//! States are kept in a normal form, so that states that are the same look the same: wherever a variable can stand for
//! a symbolic constant it does, so that `x` has the value `x`; constants that no variable needs are eliminated from the
//! path condition, as far as that is exact. What is left of them is `sym!0`, `sym!1` and so on.

use super::condition::Condition;
use super::linear;
use super::space::SymbolicSpace;
use super::state::{SymbolicState, is_constant};
use super::system::PointId;
use crate::term::{Integer, Op, Sort, Symbol, TermId, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl SymbolicSpace<'_> {
    /// The state in normal form; `None` if it is seen that there is none. Symbols of variables stand for their values
    /// at the control point.
    pub(super) fn normal_state(
        &mut self,
        point: PointId,
        mut values: Vec<TermId>,
        mut condition: Vec<TermId>,
    ) -> Option<SymbolicState> {
        let matters = Rc::clone(&self.system.point(point).matters);
        for (value, _) in values.iter_mut().zip(&*matters).filter(|(_, matters)| !**matters) {
            *value = self.formulas.terms.of_value(&Value::zero(self.formulas.terms.sort(*value)));
        }
        condition.retain(|part| self.formulas.terms.op(*part) != &Op::Bool(true));
        if condition.is_empty() && values.iter().all(|&value| is_constant(self, value)) {
            return Some(SymbolicState { values: values.into(), condition: Rc::default() });
        }
        self.stand_for_constants(&mut values, &mut condition);
        let mut condition = self.solve_equations(&mut values, condition)?;
        if self.eliminate(&values, &mut condition) {
            condition = self.solve_equations(&mut values, condition)?;
        }
        self.rename_rest(&mut values, &mut condition);
        let condition = Condition::of(&mut self.formulas.terms, &condition).ok()?.formulas(&mut self.formulas.terms);
        Some(SymbolicState { values: values.into(), condition: condition.into() })
    }

    /// Lets variables stand for symbolic constants: where `x` is `c + 1`, `c` becomes `x - 1`.
    fn stand_for_constants(&mut self, values: &mut [TermId], condition: &mut [TermId]) {
        for index in 0..values.len() {
            let (value, symbol) = (values[index], self.system.data[index]);
            if is_constant(self, value) || self.formulas.terms.as_symbol(value) == Some(symbol) {
                continue;
            }
            let variable = self.formulas.terms.of_symbol(symbol);
            // A variable that no longer matters is a constant like any other.
            let stands_for_itself = |index: usize, symbol| self.formulas.terms.as_symbol(values[index]) == Some(symbol);
            let is_free =
                |symbol: Symbol| self.system.data_index(symbol).is_none_or(|index| !stands_for_itself(index, symbol));
            let solution = match self.formulas.terms.as_symbol(value) {
                Some(constant) if is_free(constant) => Some((constant, variable)),
                _ if self.formulas.terms.sort(value) == Sort::Int => linear::sum_of(&self.formulas.terms, value)
                    .and_then(|mut sum| {
                        let unit = |(s, c): &&(Symbol, Integer)| is_free(*s) && c.abs() == Integer::ONE;
                        let constant = sum.monomials.iter().find(unit)?.0;
                        sum.add_monomial(symbol, &Integer::from(-1));
                        Some((constant, linear::solved(&sum, constant)))
                    })
                    .map(|(constant, sum)| (constant, linear::term_of(&mut self.formulas.terms, &sum))),
                _ => None,
            };
            if let Some((constant, solution)) = solution {
                self.replace(values, condition, constant, solution);
                values[index] = variable;
            }
        }
    }

    fn replace(&mut self, values: &mut [TermId], condition: &mut [TermId], symbol: Symbol, by: TermId) {
        let map = FxHashMap::from_iter([(symbol, by)]);
        let mut done = FxHashMap::default();
        for part in values.iter_mut().chain(condition) {
            *part = self.formulas.terms.substitute_cached(*part, &map, &mut done);
        }
    }

    /// Uses what the path condition says of a symbol's value, until there is nothing more of it.
    fn solve_equations(&mut self, values: &mut [TermId], mut condition: Vec<TermId>) -> Option<Vec<TermId>> {
        loop {
            let parts = Condition::of(&mut self.formulas.terms, &condition).ok()?;
            condition = parts.formulas(&mut self.formulas.terms);
            let solution = parts.equations().into_iter().find_map(|sum| {
                // The last symbol that can be solved for: constants before variables, which come first.
                let unit = |(_, coefficient): &&(Symbol, Integer)| coefficient.abs() == Integer::ONE;
                let symbol = sum.monomials.iter().rev().find(unit)?.0;
                Some((symbol, linear::solved(&sum, symbol)))
            });
            let Some((symbol, value)) = solution else { return Some(condition) };
            let value = linear::term_of(&mut self.formulas.terms, &value);
            self.replace(values, &mut condition, symbol, value);
        }
    }

    /// Eliminates constants that no value has; whether anything changed.
    fn eliminate(&mut self, values: &[TermId], condition: &mut Vec<TermId>) -> bool {
        let used = self.formulas.terms.symbols_of(values.iter().copied());
        let mut changed = false;
        for symbol in self.formulas.terms.symbols_of(condition.iter().copied()) {
            let needed = used.contains(&symbol);
            if needed {
                continue;
            }
            if let Some(rest) = linear::exists(&mut self.formulas.terms, symbol, condition) {
                *condition = rest;
                changed = true;
            }
        }
        changed
    }

    /// Gives the constants that are left their names.
    fn rename_rest(&mut self, values: &mut [TermId], condition: &mut [TermId]) {
        let mut map = FxHashMap::default();
        for part in values.iter().chain(&*condition) {
            for symbol in self.formulas.terms.symbols_of([*part]) {
                let known = self
                    .system
                    .data_index(symbol)
                    .is_some_and(|index| self.formulas.terms.as_symbol(values[index]) == Some(symbol));
                if !known && !map.contains_key(&symbol) {
                    let sort = self.formulas.terms.symbol_sort(symbol);
                    let name = format!("sym!{sort}!{}", map.len());
                    map.insert(symbol, self.formulas.terms.var(&name, sort));
                }
            }
        }
        if map.is_empty() {
            return;
        }
        let mut done = FxHashMap::default();
        for part in values.iter_mut().chain(condition) {
            *part = self.formulas.terms.substitute_cached(*part, &map, &mut done);
        }
    }
}
