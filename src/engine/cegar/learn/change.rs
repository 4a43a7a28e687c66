//! By how much recursive procedures change globals: a sum over many calls is known by what each of them adds.

use crate::engine::cegar::CegarSpace;
use crate::program::control::Frame;
use crate::program::{BinaryOp, Expr, Type, VarId};
use crate::solver::{Models, Solve};
use crate::term::{Integer, Symbol, TermId, eval::eval};
use rustc_hash::FxHashMap;

/// A global that holds a number, with its symbols now and when the activation started.
#[derive(Clone, Copy)]
struct Global {
    variable: VarId,
    ty: Type,
    now: Symbol,
    then: Symbol,
}

impl CegarSpace<'_> {
    /// How globals that the recursive procedure on top writes differ, after a step, from what they were when it
    /// started, where that is always the same.
    pub(in crate::engine::cegar) fn changes(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        stack: &[Frame],
    ) -> Vec<TermId> {
        let top = *stack.last().expect("a location stack has a top");
        if !self.formulas.blocks.cuts().is_recursive(top.procedure) {
            return Vec::new();
        }
        let mut written: Vec<VarId> = self.formulas.blocks.globals_written_by(top.procedure).collect();
        written.sort_unstable();
        let changes = written.into_iter().filter_map(|variable| {
            let global = self.global(variable)?;
            if !self.history.keeps_change(top.procedure, global.now) {
                return None;
            }
            let change = self.change(context, values, global)?;
            let keeps = self.history.see_change((top.procedure, top.location, global.now), change);
            keeps.then_some(change)
        });
        changes.collect()
    }

    fn global(&mut self, variable: VarId) -> Option<Global> {
        let ty @ (Type::Int | Type::Machine(_)) = self.program().variables[variable].ty else { return None };
        let now = self.formulas.blocks.symbol(variable)?;
        let then = self.formulas.blocks.ghost(&mut self.formulas.terms, now);
        Some(Global { variable, ty, now, then })
    }

    /// That a global is what it was, and a number, if that is so after a step.
    fn change(&mut self, context: &[TermId], values: &FxHashMap<Symbol, TermId>, global: Global) -> Option<TermId> {
        let mut value = |symbol| values.get(&symbol).copied().unwrap_or_else(|| self.formulas.terms.of_symbol(symbol));
        let (now, then) = (value(global.now), value(global.then));
        if now == then {
            return self.changed_by(global, Integer::ZERO);
        }
        self.solver.assert_ranges(&mut self.formulas, context.iter().copied().chain([now, then]));
        self.solver.push_all(&mut self.formulas, context);
        let change = self.only_change(global, now, then);
        self.solver.process.pop();
        change
    }

    /// The change that is possible under what the solver has asserted, if it is the only one.
    fn only_change(&mut self, global: Global, now: TermId, then: TermId) -> Option<TermId> {
        if !self.solver.process.check(&self.formulas.terms, &[]).is_sat() {
            return None;
        }
        let symbols: Vec<Symbol> = self.formulas.terms.symbols_of([now, then]).into_iter().collect();
        let model = self.solver.process.model(&mut self.formulas.terms, &symbols).ok()?;
        let number = |term| eval(&self.formulas.terms, term, &model).as_integer().cloned();
        let difference = number(now)? - number(then)?;
        let change = self.changed_by(global, difference)?;
        let holds =
            self.formulas.terms.substitute(change, &FxHashMap::from_iter([(global.now, now), (global.then, then)]));
        let fails = self.formulas.terms.not(holds);
        self.solver.process.check(&self.formulas.terms, &[fails]).is_unsat().then_some(change)
    }

    /// The formula that a global is what it was, and a number.
    fn changed_by(&mut self, global: Global, difference: Integer) -> Option<TermId> {
        let difference = match global.ty {
            Type::Machine(machine) => machine.wrap(&difference),
            _ => difference,
        };
        let difference = Expr::Int(difference, global.ty);
        let sum = Expr::Binary(BinaryOp::Add, Expr::Var(global.variable).into(), difference.into());
        let sum = self.formulas.blocks.encoder().expr(&mut self.formulas.terms, &sum).ok()?;
        let then = self.formulas.terms.of_symbol(global.then);
        let sum = self.formulas.terms.substitute(sum, &FxHashMap::from_iter([(global.now, then)]));
        let now = self.formulas.terms.of_symbol(global.now);
        Some(self.formulas.terms.eq(now, sum))
    }
}
