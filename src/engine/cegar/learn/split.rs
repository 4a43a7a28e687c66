//! Few values told apart: where a recursive call depends on a number that has few values, each becomes a state of its
//! own, so that what the call returns is known for each of them.

use crate::domain::State;
use crate::engine::Stop;
use crate::engine::cegar::CegarSpace;
use crate::engine::cegar::control::Kind;
use crate::engine::cegar::limits::MAX_CASES_OF_STEP;
use crate::program::control::Frame;
use crate::program::{LocId, ProcId, Type, VarId};
use crate::solver::{Answer, Models, Solve};
use crate::term::{Op, Symbol, TermId, Value, eval::eval};
use rustc_hash::FxHashMap;

/// What a step needs, and the values that it leaves.
#[derive(Clone)]
pub(in crate::engine::cegar) struct Case {
    pub(in crate::engine::cegar) context: Vec<TermId>,
    pub(in crate::engine::cegar) values: FxHashMap<Symbol, TermId>,
}

impl CegarSpace<'_> {
    /// The cases of a step to a place, one for each value of a number that a recursive call there depends on, where
    /// these are few.
    pub(in crate::engine::cegar) fn cases(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        stack: &[Frame],
    ) -> Result<Vec<Case>, Stop> {
        let top = *stack.last().expect("a location stack has a top");
        let mut cases = vec![Case { context: context.to_vec(), values: values.clone() }];
        for symbol in self.passed_at(top) {
            let place = (top.procedure, top.location, symbol);
            if self.is_tracked(symbol) && !self.had_many_values(place) {
                match self.split_by(&cases, symbol, top.procedure)? {
                    Some(split) if split.len() <= MAX_CASES_OF_STEP => cases = split,
                    Some(_) => {}
                    None => self.note_many_values(place),
                }
            }
        }
        Ok(cases)
    }

    /// Whether a number had many values, with the precision that there is.
    fn had_many_values(&self, place: (ProcId, LocId, Symbol)) -> bool {
        let changes = self.precision.changes();
        self.learned.as_ref().is_some_and(|learned| learned.unsplit.get(&place) == Some(&changes))
    }

    fn note_many_values(&mut self, place: (ProcId, LocId, Symbol)) {
        let changes = self.precision.changes();
        if let Some(learned) = &mut self.learned {
            learned.unsplit.insert(place, changes);
        }
    }

    /// The cases, split by the values of a number; `None` if they are many.
    fn split_by(&mut self, cases: &[Case], symbol: Symbol, procedure: ProcId) -> Result<Option<Vec<Case>>, Stop> {
        let mut split = Vec::new();
        for case in cases {
            let value_of = |symbol| case.values.get(&symbol).copied();
            if self.learned.as_ref().is_some_and(|learned| learned.is_explained(procedure, symbol, value_of)) {
                split.push(case.clone());
                continue;
            }
            let Some(found) = self.few_values(&case.context, &case.values, symbol)? else { return Ok(None) };
            for (condition, value) in found {
                let mut case = case.clone();
                case.context.push(condition);
                case.values.insert(symbol, value);
                split.push(case);
            }
        }
        Ok(Some(split))
    }

    /// What was told apart at a node: the numbers that a recursive call there depends on, with their values.
    pub(in crate::engine::cegar) fn told_apart(
        &self,
        stack: &[Frame],
        kind: Kind,
        state: &State,
    ) -> Vec<(Symbol, TermId)> {
        if self.learned.is_none() || kind == Kind::Error {
            return self.told_apart_by_choice(kind, state);
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
            if self.formulas.blocks.cuts().is_recursive(callee) {
                arguments.iter().for_each(|argument| argument.for_each_var(&mut |variable| passed.push(variable)));
            }
        }
        passed.sort_unstable();
        passed.dedup();
        passed.retain(|id| matches!(self.program().variables[*id].ty, Type::Int | Type::Machine(_)));
        passed.into_iter().filter_map(|variable| self.formulas.blocks.symbol(variable)).collect()
    }

    /// The values that a symbol has after a step, each with the condition that it has it; `None` if they are many.
    fn few_values(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        symbol: Symbol,
    ) -> Result<Option<Vec<(TermId, TermId)>>, Stop> {
        let value = values.get(&symbol).copied().unwrap_or_else(|| self.formulas.terms.of_symbol(symbol));
        if self.formulas.terms.is_value(value) {
            let truth = self.formulas.terms.bool(true);
            return Ok(Some(vec![(truth, value)]));
        }
        let mentioned = self.formulas.terms.symbols_of(context.iter().copied());
        let symbols: Vec<Symbol> = self.formulas.terms.symbols_of([value]).into_iter().collect();
        if !symbols.iter().any(|symbol| mentioned.contains(symbol)) {
            return Ok(None);
        }
        self.solver.assert_ranges(&mut self.formulas, context.iter().copied().chain([value]));
        self.solver.push_all(&mut self.formulas, context);
        let found = self.enumerate(value, &symbols);
        self.solver.process.pop();
        self.budget.check()?;
        Ok(found)
    }

    /// The values of a term under what the solver has asserted, if they are few.
    fn enumerate(&mut self, term: TermId, symbols: &[Symbol]) -> Option<Vec<(TermId, TermId)>> {
        let mut found = Vec::new();
        loop {
            match self.solver.process.check(&self.formulas.terms, &[]) {
                Answer::Unsat => return Some(found),
                Answer::Unknown(_) => return None,
                Answer::Sat if found.len() >= self.config.max_values => return None,
                Answer::Sat => {}
            }
            let model = self.solver.process.model(&mut self.formulas.terms, symbols).ok()?;
            let value = match eval(&self.formulas.terms, term, &model) {
                Value::Int(n) => self.formulas.terms.int(n),
                Value::BitVec(n, width) => self.formulas.terms.bit_vec(n, width),
                _ => return None,
            };
            let condition = self.formulas.terms.eq(term, value);
            if self.formulas.terms.op(condition) == &Op::Bool(false) {
                return None;
            }
            found.push((condition, value));
            let other = self.formulas.terms.not(condition);
            self.solver.process.assert(&self.formulas.terms, other);
        }
    }
}
