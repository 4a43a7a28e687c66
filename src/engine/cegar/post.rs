//! The abstract post: what is known after a step, as far as the precision keeps it.

use super::CegarSpace;
use super::control::Kind;
use super::learn::Case;
use super::limits::{MAX_COMBINATIONS, MAX_COMBINED_PREDICATES};
use crate::domain::{Abstraction, Constants, Domain, Intervals, State};
use crate::engine::Stop;
use crate::formula::Formulas;
use crate::formula::simple::{seen_in, simple_model};
use crate::program::control::Frame;
use crate::solver::{AllModels, Answer, Solve};
use crate::term::{Assignment, Op, Symbol, TermId};
use rustc_hash::FxHashMap;

impl CegarSpace<'_> {
    /// The abstract states after a step that is possible where the context holds and leaves these values.
    pub(super) fn successors(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        stack: &[Frame],
        kind: Kind,
    ) -> Result<Vec<State>, Stop> {
        if context.iter().any(|&part| self.formulas.terms.op(part) == &Op::Bool(false)) {
            return Ok(Vec::new());
        }
        if self.learned.is_none() || kind == Kind::Error {
            return self.states_of(context, values, stack, kind);
        }
        let mut states = Vec::new();
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
        let predicates = if kind == Kind::Error { Vec::new() } else { self.predicates_at(stack) };
        let mut literals = Vec::new();
        let mut open = Vec::new();
        for predicate in predicates {
            let after = self.formulas.terms.substitute(predicate, values);
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
            && let Some(&possible) = self.solver.possible.get(context)
        {
            literals.sort_unstable();
            literals.dedup();
            return Ok(possible.then_some(State { values: known, literals }).into_iter().collect());
        }
        let Formulas { terms, blocks } = &mut self.formulas;
        let witness =
            simple_model(terms, context, Assignment::default(), &mut |terms, symbol| blocks.range(terms, symbol));
        if open.is_empty() && witness.is_some() {
            self.solver.possible.insert(context.into(), true);
            literals.sort_unstable();
            literals.dedup();
            return Ok(vec![State { values: known, literals }]);
        }
        self.solver
            .assert_ranges(&mut self.formulas, context.iter().copied().chain(open.iter().map(|(_, after)| *after)));
        self.solver.push_all(&self.formulas, context);
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
            _ => Ok(self.abstracted(context, stack, literals, &open, witness)),
        };
        self.solver.process.pop();
        let states = states?.into_iter().map(|mut literals| {
            literals.sort_unstable();
            literals.dedup();
            State { values: known.clone(), literals }
        });
        Ok(states.collect())
    }

    /// The combinations of predicates that are possible under what the solver has asserted.
    fn abstracted(
        &mut self,
        context: &[TermId],
        stack: &[Frame],
        decided: Vec<TermId>,
        open: &[(TermId, TermId)],
        witness: Option<Assignment>,
    ) -> Vec<Vec<TermId>> {
        let mentioned = self.formulas.terms.symbols_of(context.iter().copied());
        let top = stack.last().expect("a location stack has a top");
        // A predicate over what the context does not speak of can be true and false.
        let connected = |space: &Self, after: TermId| {
            let symbols = space.formulas.terms.symbols_of([after]);
            symbols.iter().any(|symbol| mentioned.contains(symbol)) || symbols.len() <= 1
        };
        let open: Vec<(TermId, TermId)> = open.iter().copied().filter(|(_, after)| connected(self, *after)).collect();
        let combine = self.precision.abstraction(top.procedure, top.location) == Abstraction::Boolean;
        if combine && open.len() <= MAX_COMBINED_PREDICATES {
            let after: Vec<TermId> = open.iter().map(|(_, after)| *after).collect();
            let found = self.solver.process.all_models(&mut self.formulas.terms, &[], &after, MAX_COMBINATIONS);
            if found.stopped.is_none() && found.cubes.len() < MAX_COMBINATIONS {
                let cubes = found.cubes.into_iter();
                return cubes.map(|cube| self.with_cube(&decided, &open, &cube)).collect();
            }
        }
        let mut literals = decided;
        for (predicate, after) in open {
            let seen = witness.as_ref().and_then(|model| seen_in(&self.formulas.terms, model, after));
            match self.truth_of(context, after, seen) {
                Some(true) => literals.push(predicate),
                Some(false) => literals.push(self.formulas.terms.not(predicate)),
                None => {}
            }
        }
        vec![literals]
    }

    /// Whether a formula is true, or false, wherever the context holds, which the solver has asserted. `seen` is what it
    /// is in a model of that.
    fn truth_of(&mut self, context: &[TermId], formula: TermId, seen: Option<bool>) -> Option<bool> {
        let negated = self.formulas.terms.not(formula);
        let mut is_open = false;
        for (truth, opposite) in [(true, negated), (false, formula)] {
            // What a model makes true need not be asked to be false.
            if seen == Some(!truth) {
                continue;
            }
            match self.solver.process.check(&self.formulas.terms, &[opposite]) {
                Answer::Unsat => return Some(truth),
                Answer::Sat => {}
                Answer::Unknown(_) => is_open = true,
            }
        }
        is_open.then(|| self.truth_by_bounds(context, formula)).flatten()
    }

    /// The same by bounds of integers, where the solver gives no answer.
    fn truth_by_bounds(&mut self, context: &[TermId], formula: TermId) -> Option<bool> {
        let mut bounds = Intervals::top();
        for symbol in self.formulas.terms.symbols_of(context.iter().copied().chain([formula])) {
            if let Some(range) = self.formulas.range(symbol) {
                bounds.assume(&mut self.formulas.terms, range);
            }
        }
        context.iter().for_each(|&part| bounds.assume(&mut self.formulas.terms, part));
        bounds.decide(&self.formulas.terms, formula)
    }

    fn with_cube(&mut self, decided: &[TermId], open: &[(TermId, TermId)], cube: &[Option<bool>]) -> Vec<TermId> {
        let mut literals = decided.to_vec();
        for ((predicate, _), truth) in open.iter().zip(cube) {
            match truth {
                Some(true) => literals.push(*predicate),
                Some(false) => literals.push(self.formulas.terms.not(*predicate)),
                None => {}
            }
        }
        literals
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
        known.retain(|&(symbol, value)| {
            self.history.see(&mut self.precision, (top.procedure, top.location, symbol), value)
        });
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
    fn predicates_at(&self, stack: &[Frame]) -> Vec<TermId> {
        let top = stack.last().expect("a location stack has a top");
        let mut predicates = self.precision.predicates(top.procedure, top.location);
        predicates.retain(|&predicate| {
            let symbols = self.formulas.terms.symbols_of([predicate]);
            symbols.into_iter().all(|symbol| self.formulas.blocks.matters(stack, symbol))
        });
        predicates
    }
}
