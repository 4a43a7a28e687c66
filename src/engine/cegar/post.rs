//! The abstract post: what is known after a step, as far as the precision keeps it.

use super::CegarSpace;
use super::config::Abstraction;
use super::control::Kind;
use super::split::Case;
use super::state::State;
use crate::engine::Stop;
use crate::formula::simple::{seen_in, simple_model};
use crate::program::control::Frame;
use crate::solver::{AllModels, Answer, Solve};
use crate::term::{Assignment, Op, Symbol, TermId};
use rustc_hash::FxHashMap;

/// How many predicates are combined at most; above it each is abstracted for itself.
const MOST_COMBINED: usize = 10;

/// How many combinations are kept apart at most.
const MOST_COMBINATIONS: usize = 64;

impl CegarSpace<'_> {
    /// The abstract states after a step that is possible where the context holds and leaves these values.
    pub(super) fn successors(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        stack: &[Frame],
        kind: Kind,
    ) -> Result<Vec<State>, Stop> {
        if context.iter().any(|&part| self.terms.op(part) == &Op::Bool(false)) {
            return Ok(Vec::new());
        }
        if !self.splits || kind == Kind::Error {
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
            let after = self.terms.substitute(predicate, values);
            let negated = self.terms.not(after);
            match self.terms.op(after) {
                Op::Bool(true) => literals.push(predicate),
                Op::Bool(false) => literals.push(self.terms.not(predicate)),
                _ if context.contains(&after) => literals.push(predicate),
                _ if context.contains(&negated) => literals.push(self.terms.not(predicate)),
                _ => open.push((predicate, after)),
            }
        }
        if open.is_empty()
            && let Some(&possible) = self.possible.get(context)
        {
            literals.sort_unstable();
            literals.dedup();
            return Ok(possible.then_some(State { values: known, literals }).into_iter().collect());
        }
        let (terms, blocks) = (&mut self.terms, &self.blocks);
        let witness =
            simple_model(terms, context, Assignment::default(), &mut |terms, symbol| blocks.range(terms, symbol));
        if open.is_empty() && witness.is_some() {
            self.possible.insert(context.into(), true);
            literals.sort_unstable();
            literals.dedup();
            return Ok(vec![State { values: known, literals }]);
        }
        self.assert_ranges(context.iter().copied().chain(open.iter().map(|(_, after)| *after)));
        self.solver.push();
        for &part in context {
            self.solver.assert(&self.terms, part);
        }
        let answer = match context.is_empty() || witness.is_some() {
            true => Answer::Sat,
            false => self.solver.check(&self.terms, &[]),
        };
        if !matches!(answer, Answer::Unknown(_)) {
            self.possible.insert(context.into(), answer.is_sat());
        }
        let states = match answer {
            Answer::Unsat => Ok(Vec::new()),
            Answer::Unknown(_) if self.budget.check().is_err() => self.budget.check().map(|()| Vec::new()),
            _ => Ok(self.abstracted(context, stack, literals, &open, witness)),
        };
        self.solver.pop();
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
        let mentioned = self.terms.symbols_of(context.iter().copied());
        let top = stack.last().expect("a location stack has a top");
        // A predicate over what the context does not speak of can be true and false.
        let connected = |space: &Self, after: TermId| {
            let symbols = space.terms.symbols_of([after]);
            symbols.iter().any(|symbol| mentioned.contains(symbol)) || symbols.len() <= 1
        };
        let open: Vec<(TermId, TermId)> = open.iter().copied().filter(|(_, after)| connected(self, *after)).collect();
        let combine = self.precision.abstraction(top.procedure, top.location) == Abstraction::Boolean;
        if combine && open.len() <= MOST_COMBINED {
            let after: Vec<TermId> = open.iter().map(|(_, after)| *after).collect();
            let found = self.solver.all_models(&mut self.terms, &[], &after, MOST_COMBINATIONS);
            if found.stopped.is_none() && found.cubes.len() < MOST_COMBINATIONS {
                let cubes = found.cubes.into_iter();
                return cubes.map(|cube| self.with_cube(&decided, &open, &cube)).collect();
            }
        }
        let mut literals = decided;
        for (predicate, after) in open {
            let negated = self.terms.not(after);
            // What a model makes true need not be asked to be false.
            let seen = witness.as_ref().and_then(|model| seen_in(&self.terms, model, after));
            if seen != Some(false) && self.solver.check(&self.terms, &[negated]).is_unsat() {
                literals.push(predicate);
            } else if seen != Some(true) && self.solver.check(&self.terms, &[after]).is_unsat() {
                literals.push(self.terms.not(predicate));
            }
        }
        vec![literals]
    }

    fn with_cube(&mut self, decided: &[TermId], open: &[(TermId, TermId)], cube: &[Option<bool>]) -> Vec<TermId> {
        let mut literals = decided.to_vec();
        for ((predicate, _), truth) in open.iter().zip(cube) {
            match truth {
                Some(true) => literals.push(*predicate),
                Some(false) => literals.push(self.terms.not(*predicate)),
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
        let constant = |value: TermId| matches!(self.terms.op(value), Op::Bool(_) | Op::Int(_) | Op::BitVec(..));
        let mut known: Vec<(Symbol, TermId)> = (values.iter())
            .filter(|(symbol, value)| self.is_tracked(**symbol) && constant(**value))
            .filter(|(symbol, _)| self.blocks.matters(stack, **symbol))
            .map(|(symbol, value)| (*symbol, *value))
            .collect();
        if self.splits {
            known.extend(self.known_by_equations(context, values, stack));
            known.retain(|(symbol, _)| !self.is_tracked_outside(*symbol, stack));
            self.forget_explained(&mut known, stack);
        }
        known.sort_unstable();
        known.dedup();
        let top = stack.last().expect("a location stack has a top");
        known.retain(|&(symbol, value)| self.precision.see(top.procedure, top.location, symbol, value));
        known
    }

    /// The values of tracked variables that are known by equations of the context.
    fn known_by_equations(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        stack: &[Frame],
    ) -> Vec<(Symbol, TermId)> {
        let equation = |&condition: &TermId| {
            let (Op::Eq, &[a, b]) = (self.terms.op(condition), self.terms.args(condition)) else { return None };
            let (name, value) = if self.terms.as_value(b).is_some() { (a, b) } else { (b, a) };
            let symbol = self.terms.as_symbol(name)?;
            self.terms.as_value(value).map(|_| (symbol, value))
        };
        let known: FxHashMap<Symbol, TermId> = context.iter().filter_map(equation).collect();
        if known.is_empty() {
            return Vec::new();
        }
        let unchanged = known.iter().map(|(symbol, value)| (*symbol, *value));
        let unchanged = unchanged.filter(|(symbol, _)| !values.contains_key(symbol));
        let changed = values.iter().filter(|(_, value)| self.terms.as_value(**value).is_none());
        let changed: Vec<(Symbol, TermId)> = changed.map(|(symbol, value)| (*symbol, *value)).collect();
        let mut found: Vec<(Symbol, TermId)> = unchanged.collect();
        for (symbol, value) in changed {
            found.push((symbol, self.terms.substitute(value, &known)));
        }
        found.retain(|(symbol, value)| {
            self.terms.as_value(*value).is_some() && self.is_tracked(*symbol) && self.blocks.matters(stack, *symbol)
        });
        found
    }

    /// Forgets the values of arguments by which predicates give the result.
    fn forget_explained(&self, known: &mut Vec<(Symbol, TermId)>, stack: &[Frame]) {
        let top = stack.last().expect("a location stack has a top").procedure;
        let original = |symbol: Symbol| self.blocks.ghost_of(symbol).unwrap_or(symbol);
        let values: FxHashMap<Symbol, TermId> =
            known.iter().map(|(symbol, value)| (original(*symbol), *value)).collect();
        known.retain(|(symbol, _)| {
            !self.precision.is_explained(top, original(*symbol), |symbol| values.get(&symbol).copied())
        });
    }

    /// Whether the values of a symbol are not kept there because the procedure is recursive.
    fn is_tracked_outside(&self, symbol: Symbol, stack: &[Frame]) -> bool {
        let variable = self.blocks.ghost_of(symbol).unwrap_or(symbol);
        self.precision.tracked_outside.contains(&variable)
            && stack.iter().any(|frame| self.blocks.cuts().is_recursive(frame.procedure))
    }

    /// Whether the values of a symbol are kept.
    pub(super) fn is_tracked(&self, symbol: Symbol) -> bool {
        self.precision.tracked.contains(&symbol)
            || self.blocks.is_always_known(symbol) && !self.precision.varies(symbol)
            || self.is_tracked_ghost(symbol)
    }

    /// What an argument was is kept where few values are told apart.
    fn is_tracked_ghost(&self, symbol: Symbol) -> bool {
        let original = self.splits.then(|| self.blocks.ghost_of(symbol)).flatten();
        original.is_some_and(|original| self.precision.tracked.contains(&original)) && !self.precision.varies(symbol)
    }

    /// The predicates of the precision whose variables all matter there.
    fn predicates_at(&self, stack: &[Frame]) -> Vec<TermId> {
        let top = stack.last().expect("a location stack has a top");
        let mut predicates = self.precision.predicates(top.procedure, top.location);
        predicates.retain(|&predicate| {
            let symbols = self.terms.symbols_of([predicate]);
            symbols.into_iter().all(|symbol| self.blocks.matters(stack, symbol))
        });
        predicates
    }

    /// Tells the solver, once for all, which values the symbols in the terms can have.
    pub(super) fn assert_ranges(&mut self, used: impl IntoIterator<Item = TermId>) {
        let new: Vec<Symbol> =
            self.terms.symbols_of(used).into_iter().filter(|symbol| self.ranged.insert(*symbol)).collect();
        for symbol in new {
            if let Some(range) = self.range(symbol) {
                self.solver.assert(&self.terms, range);
            }
        }
    }

    /// The values that a symbol can have, where that says anything.
    pub(super) fn range(&mut self, symbol: Symbol) -> Option<TermId> {
        self.blocks.range(&mut self.terms, symbol)
    }
}
