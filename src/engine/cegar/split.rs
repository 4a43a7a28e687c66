//! Few values told apart: where a recursive call depends on a number that has few values, each becomes a state of its
//! own, so that what the call returns is known for each of them.

use super::CegarSpace;
use super::control::Kind;
use super::state::State;
use crate::engine::Stop;
use crate::program::control::Frame;
use crate::program::{Type, VarId};
use crate::solver::{Answer, Models, Solve};
use crate::term::{Op, Symbol, TermId, Value, eval::eval};
use rustc_hash::FxHashMap;

/// How many cases one step is split into at most.
const MOST_CASES: usize = 256;

/// What a step needs, and the values that it leaves.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) context: Vec<TermId>,
    pub(super) values: FxHashMap<Symbol, TermId>,
}

impl CegarSpace<'_> {
    /// The cases of a step to a place, one for each value of a number that a recursive call there depends on, where
    /// these are few.
    pub(super) fn cases(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        stack: &[Frame],
    ) -> Result<Vec<Case>, Stop> {
        let top = *stack.last().expect("a location stack has a top");
        let mut cases = vec![Case { context: context.to_vec(), values: values.clone() }];
        for symbol in self.passed_at(top) {
            if !self.is_tracked(symbol) {
                continue;
            }
            let place = (top.procedure, top.location, symbol);
            if self.unsplit.get(&place) == Some(&self.precision.changes()) {
                continue;
            }
            let mut split = Vec::new();
            for case in &cases {
                let value_of = |symbol| case.values.get(&symbol).copied();
                if self.precision.is_explained(top.procedure, symbol, value_of) {
                    split.push(case.clone());
                    continue;
                }
                let Some(found) = self.few_values(&case.context, &case.values, symbol)? else {
                    self.unsplit.insert(place, self.precision.changes());
                    break;
                };
                for (condition, value) in found {
                    let mut context = case.context.clone();
                    context.push(condition);
                    let mut values = case.values.clone();
                    values.insert(symbol, value);
                    split.push(Case { context, values });
                }
            }
            if self.unsplit.get(&place) != Some(&self.precision.changes()) && split.len() <= MOST_CASES {
                cases = split;
            }
        }
        Ok(cases)
    }

    /// What was told apart at a node: the numbers that a recursive call there depends on, with their values.
    pub(super) fn told_apart(&self, stack: &[Frame], kind: Kind, state: &State) -> Vec<(Symbol, TermId)> {
        if !self.splits || kind == Kind::Error {
            return Vec::new();
        }
        let top = *stack.last().expect("a location stack has a top");
        let passed = self.passed_at(top);
        state.values.iter().copied().filter(|(symbol, _)| passed.contains(symbol)).collect()
    }

    /// The numbers that the arguments of recursive calls at a place depend on.
    fn passed_at(&self, top: Frame) -> Vec<Symbol> {
        let edges = self.program().procedures[top.procedure].edges.iter();
        let calls = edges.filter(|edge| edge.source == top.location).filter_map(|edge| edge.call());
        let mut passed: Vec<VarId> = Vec::new();
        for (_, callee, arguments) in calls {
            if self.blocks.cuts().is_recursive(callee) {
                arguments.iter().for_each(|argument| argument.for_each_var(&mut |variable| passed.push(variable)));
            }
        }
        passed.sort_unstable();
        passed.dedup();
        passed.retain(|id| matches!(self.program().variables[*id].ty, Type::Int | Type::Machine(_)));
        passed.into_iter().filter_map(|variable| self.blocks.symbol(variable)).collect()
    }

    /// The values that a symbol has after a step, each with the condition that it has it; `None` if they are many.
    fn few_values(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        symbol: Symbol,
    ) -> Result<Option<Vec<(TermId, TermId)>>, Stop> {
        let value = values.get(&symbol).copied().unwrap_or_else(|| self.terms.of_symbol(symbol));
        if self.terms.as_value(value).is_some() {
            let truth = self.terms.bool(true);
            return Ok(Some(vec![(truth, value)]));
        }
        let mentioned = self.terms.symbols_of(context.iter().copied());
        let symbols: Vec<Symbol> = self.terms.symbols_of([value]).into_iter().collect();
        if !symbols.iter().any(|symbol| mentioned.contains(symbol)) {
            return Ok(None);
        }
        self.assert_ranges(context.iter().copied().chain([value]));
        self.solver.push();
        for &part in context {
            self.solver.assert(&self.terms, part);
        }
        let found = self.enumerate(value, &symbols);
        self.solver.pop();
        self.budget.check()?;
        Ok(found)
    }

    /// The values of a term under what the solver has asserted, if they are few.
    fn enumerate(&mut self, term: TermId, symbols: &[Symbol]) -> Option<Vec<(TermId, TermId)>> {
        let mut found = Vec::new();
        loop {
            match self.solver.check(&self.terms, &[]) {
                Answer::Unsat => return Some(found),
                Answer::Unknown(_) => return None,
                Answer::Sat if found.len() >= self.config.most_values => return None,
                Answer::Sat => {}
            }
            let model = self.solver.model(&mut self.terms, symbols).ok()?;
            let value = match eval(&self.terms, term, &model) {
                Value::Int(n) => self.terms.int(n),
                Value::BitVec(n, width) => self.terms.bit_vec(n, width),
                _ => return None,
            };
            let condition = self.terms.eq(term, value);
            if self.terms.op(condition) == &Op::Bool(false) {
                return None;
            }
            found.push((condition, value));
            let other = self.terms.not(condition);
            self.solver.assert(&self.terms, other);
        }
    }
}
