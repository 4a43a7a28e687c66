//! The abstract post: what is known after a step, as far as the precision keeps it.
//!
//! Predicates are abstracted in `domain/predicates.rs`. What is here needs the engine: which questions were answered
//! before, which values were seen (`history.rs`), what was learned, and what matters at a location stack.

use super::CegarSpace;
use super::control::Kind;
use super::learn::Case;
use super::limits::{MAX_COMBINATIONS, MAX_COMBINED_PREDICATES, MAX_SHAPES};
use crate::domain::{Abstraction, CombinationLimits, Constants, Domain, PredicateQuestion, State};
use crate::engine::Stop;
use crate::formula::Formulas;
use crate::formula::memory::every::is_of_every_member;
use crate::formula::model_without_solver::simple_model;
use crate::program::control::Frame;
use crate::solver::{Answer, Solve};
use crate::term::{Assignment, Op, Symbol, TermId};
use rustc_hash::FxHashMap;

impl CegarSpace<'_> {
    /// The abstract states after a step that is possible where the context holds and leaves these values.
    pub(in crate::engine) fn successors(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        stack: &[Frame],
        kind: Kind,
    ) -> Result<Vec<State>, Stop> {
        if context.iter().any(|&part| self.formulas.terms.op(part) == &Op::Bool(false)) {
            return Ok(Vec::new());
        }
        let left: Vec<TermId> = values.values().copied().collect();
        let instances = self.formulas.blocks.memory().instances(&mut self.formulas.terms, context, &left);
        let context = &[context, &instances].concat();
        let mut states = Vec::new();
        if self.learned.is_none() || kind == Kind::Error {
            let alternatives = self.alternatives(context, values, stack, kind)?;
            for Case { context, values } in &alternatives {
                states.extend(self.states_of(context, values, stack, kind)?);
            }
            return if alternatives.is_empty() { self.states_of(context, values, stack, kind) } else { Ok(states) };
        }
        for Case { context, values } in self.cases(context, values, stack)? {
            let changes = self.changes(&context, &values, stack);
            for mut state in self.states_of(&context, &values, stack, kind)? {
                state.literals.extend(&changes);
                state.literals.sort_unstable();
                state.literals.dedup();
                states.push(state);
            }
        }
        Ok(states)
    }

    /// The same, without telling values apart.
    fn states_of(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        stack: &[Frame],
        kind: Kind,
    ) -> Result<Vec<State>, Stop> {
        let known = self.known_values(context, values, stack);
        let predicates = if kind == Kind::Error { Vec::new() } else { self.all_predicates_at(stack, values) };
        let mut literals = if kind == Kind::Error { Vec::new() } else { self.facts_of(stack).to_vec() };
        let mut open = Vec::new();
        let mut general = Vec::new();
        for predicate in predicates {
            let after = self.formulas.terms.substitute(predicate, values);
            if is_of_every_member(&self.formulas.terms, predicate) {
                match self.formulas.terms.op(after) {
                    Op::Bool(true) => literals.push(predicate),
                    Op::Bool(false) => {}
                    _ if context.contains(&after) => literals.push(predicate),
                    _ => general.push((predicate, after)),
                }
                continue;
            }
            let negated = self.formulas.terms.not(after);
            match self.formulas.terms.op(after) {
                Op::Bool(true) => literals.push(predicate),
                Op::Bool(false) => literals.push(self.formulas.terms.not(predicate)),
                _ if context.contains(&after) => literals.push(predicate),
                _ if context.contains(&negated) => literals.push(self.formulas.terms.not(predicate)),
                _ => open.push((predicate, after)),
            }
        }
        if open.is_empty()
            && general.is_empty()
            && let Some(&possible) = self.solver.possible.get(context)
        {
            literals.sort_unstable();
            literals.dedup();
            return Ok(possible.then_some(State { values: known, literals }).into_iter().collect());
        }
        let Formulas { terms, blocks } = &mut self.formulas;
        let witness =
            simple_model(terms, context, Assignment::default(), &mut |terms, symbol| blocks.range(terms, symbol));
        if open.is_empty() && general.is_empty() && witness.is_some() {
            self.solver.possible.insert(context.into(), true);
            literals.sort_unstable();
            literals.dedup();
            return Ok(vec![State { values: known, literals }]);
        }
        let asked = open.iter().chain(&general).map(|(_, after)| *after);
        self.solver.assert_ranges(&mut self.formulas, context.iter().copied().chain(asked));
        self.solver.push_all(&mut self.formulas, context);
        let answer = match context.is_empty() || witness.is_some() {
            true => Answer::Sat,
            false => self.solver.process.check(&self.formulas.terms, &[]),
        };
        if !matches!(answer, Answer::Unknown(_)) {
            self.solver.possible.insert(context.into(), answer.is_sat());
        }
        let states = match answer {
            Answer::Unsat => Ok(Vec::new()),
            Answer::Unknown(_) if self.budget.check().is_err() => self.budget.check().map(|()| Vec::new()),
            _ => {
                let mut found = self.abstracted(context, stack, &literals, &open, witness.as_ref());
                if !general.is_empty() {
                    found.iter_mut().for_each(|literals| self.add_general(literals, &general, values));
                }
                Ok(found)
            }
        };
        self.solver.process.pop();
        let states = states?.into_iter().map(|mut literals| {
            literals.sort_unstable();
            literals.dedup();
            State { values: known.clone(), literals }
        });
        Ok(states.collect())
    }

    /// Adds those of the predicates about every member of a region that hold where the literals do, under what the solver
    /// has asserted. That one does not hold for every member says nothing of any.
    fn add_general(
        &mut self,
        literals: &mut Vec<TermId>,
        general: &[(TermId, TermId)],
        values: &FxHashMap<Symbol, TermId>,
    ) {
        let terms = &mut self.formulas.terms;
        let known: Vec<TermId> = literals.iter().map(|literal| terms.substitute(*literal, values)).collect();
        for &(predicate, after) in general {
            let negated = terms.not(after);
            let question = terms.and(known.iter().copied().chain([negated]));
            if self.solver.process.check(terms, &[question]).is_unsat() {
                literals.push(predicate);
            }
        }
    }

    /// The combinations of predicates that are possible under what the solver has asserted.
    fn abstracted(
        &mut self,
        context: &[TermId],
        stack: &[Frame],
        decided: &[TermId],
        predicates: &[(TermId, TermId)],
        witness: Option<&Assignment>,
    ) -> Vec<Vec<TermId>> {
        let top = stack.last().expect("a location stack has a top");
        let is_combined = self.precision.abstraction(top.procedure, top.location) == Abstraction::Boolean;
        let limits = CombinationLimits { predicates: MAX_COMBINED_PREDICATES, combinations: MAX_COMBINATIONS };
        let question = PredicateQuestion { context, witness, predicates, combine: is_combined.then_some(limits) };
        let Formulas { terms, blocks } = &mut self.formulas;
        let found = question.answer(terms, &mut self.solver.process, &mut |terms, symbol| blocks.range(terms, symbol));
        found.into_iter().map(|literals| [decided, &literals].concat()).collect()
    }

    /// The values of tracked variables that are known after a step.
    fn known_values(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        stack: &[Frame],
    ) -> Vec<(Symbol, TermId)> {
        let constant =
            |value: TermId| matches!(self.formulas.terms.op(value), Op::Bool(_) | Op::Int(_) | Op::BitVec(..));
        let mut known: Vec<(Symbol, TermId)> = (values.iter())
            .filter(|(symbol, value)| self.is_tracked(**symbol) && constant(**value))
            .filter(|(symbol, _)| self.formulas.blocks.matters(stack, **symbol))
            .map(|(symbol, value)| (*symbol, *value))
            .collect();
        if self.learned.is_some() {
            known.extend(self.known_by_equations(context, values, stack));
            known.retain(|(symbol, _)| !self.is_tracked_outside(*symbol, stack));
            self.forget_explained(&mut known, stack);
        }
        known.sort_unstable();
        known.dedup();
        let top = stack.last().expect("a location stack has a top");
        let shape = self.formulas.blocks.memory().shape_symbol();
        self.has_many_shapes |= self.history.count((top.procedure, top.location, shape)) > MAX_SHAPES;
        known.retain(|&(symbol, value)| {
            self.history.see(&mut self.precision, (top.procedure, top.location, symbol), value)
        });
        let is_variable = |(symbol, _): &&(Symbol, TermId)| !self.formulas.blocks.is_always_known(*symbol);
        let variables: Vec<(Symbol, TermId)> = known.iter().filter(is_variable).copied().collect();
        let at = (top.procedure, top.location);
        if self.matches_states()
            && let Some(given_up) = self.history.see_all(&mut self.precision, at, &variables)
        {
            known.retain(|(symbol, _)| *symbol != given_up);
        }
        known
    }

    /// The values of tracked variables that are known by equations of the context.
    fn known_by_equations(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        stack: &[Frame],
    ) -> Vec<(Symbol, TermId)> {
        let terms = &mut self.formulas.terms;
        let mut known = Constants::top();
        context.iter().for_each(|&condition| known.assume(terms, condition));
        if known.is_bottom(terms) || known.is_top() {
            return Vec::new();
        }
        let changed: Vec<(Symbol, TermId)> = values.iter().map(|(symbol, value)| (*symbol, *value)).collect();
        known.assign(terms, &changed);
        let mut found: Vec<(Symbol, TermId)> = known.iter().collect();
        found.retain(|(symbol, _)| self.is_tracked(*symbol) && self.formulas.blocks.matters(stack, *symbol));
        found
    }

    /// Forgets the values of arguments by which predicates give the result.
    fn forget_explained(&self, known: &mut Vec<(Symbol, TermId)>, stack: &[Frame]) {
        let Some(learned) = &self.learned else { return };
        let top = stack.last().expect("a location stack has a top").procedure;
        let original = |symbol: Symbol| self.formulas.blocks.ghost_of(symbol).unwrap_or(symbol);
        let values: FxHashMap<Symbol, TermId> =
            known.iter().map(|(symbol, value)| (original(*symbol), *value)).collect();
        known
            .retain(|(symbol, _)| !learned.is_explained(top, original(*symbol), |symbol| values.get(&symbol).copied()));
    }

    /// Whether the values of a symbol are not kept there because the procedure is recursive.
    fn is_tracked_outside(&self, symbol: Symbol, stack: &[Frame]) -> bool {
        let blocks = &self.formulas.blocks;
        let variable = blocks.ghost_of(symbol).unwrap_or(symbol);
        self.learned.as_ref().is_some_and(|learned| learned.is_tracked_outside(variable))
            && stack.iter().any(|frame| blocks.cuts().is_recursive(frame.procedure))
    }

    /// Whether the values of a symbol are kept.
    pub(super) fn is_tracked(&self, symbol: Symbol) -> bool {
        self.precision.is_tracked(symbol)
            || self.formulas.blocks.is_always_known(symbol) && !self.history.varies(symbol)
            || self.is_tracked_ghost(symbol)
    }

    /// What an argument was is kept where few values are told apart.
    fn is_tracked_ghost(&self, symbol: Symbol) -> bool {
        let original = self.learned.as_ref().and_then(|_| self.formulas.blocks.ghost_of(symbol));
        original.is_some_and(|original| self.precision.is_tracked(original)) && !self.history.varies(symbol)
    }

    /// The predicates of the precision whose variables all matter there.
    pub(super) fn predicates_at(&self, stack: &[Frame]) -> Vec<TermId> {
        let top = stack.last().expect("a location stack has a top");
        let mut predicates = self.precision.predicates(top.procedure, top.location);
        predicates.retain(|&predicate| {
            let symbols = self.formulas.terms.symbols_of([predicate]);
            symbols.into_iter().all(|symbol| self.formulas.blocks.matters(stack, symbol))
        });
        predicates
    }
}
