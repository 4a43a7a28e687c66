//! Symbolic states, values of variables over symbolic constants with a path condition: EXEC and SPLITSTATE.

use super::condition::{Condition, Contradiction};
use super::predicates::{Bits, Formula};
use super::space::SymbolicSpace;
use super::system::{Move, PointId};
use crate::engine::Stop;
use crate::solver::{Answer, Solve};
use crate::term::{Op, Symbol, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A symbolic state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SymbolicState {
    /// The value of each data variable.
    pub(super) values: Rc<[TermId]>,
    /// The path condition: conjuncts, ascending.
    pub(super) condition: Rc<[TermId]>,
}

/// What is known of a move with respect to the predicates.
#[derive(Debug)]
pub(super) struct MoveFacts {
    /// The guard as a formula over the predicates.
    pub(super) guard: Formula,
    /// The predicates that can have another value after the move than before.
    touched: Vec<usize>,
    /// The variables that matter after the move but did not before, and are not assigned: they can have any value.
    unknown: Vec<usize>,
}

/// A symbolic state that decides every predicate.
pub(super) type Split = (SymbolicState, Bits);

impl SymbolicSpace<'_> {
    /// Whether the state is a concrete one.
    pub(super) fn is_concrete(&self, state: &SymbolicState) -> bool {
        state.condition.is_empty() && state.values.iter().all(|&value| is_constant(self, value))
    }

    /// Whether the state is a formula over the variables alone.
    pub(super) fn is_formula(&self, state: &SymbolicState) -> bool {
        if self.is_concrete(state) {
            return true;
        }
        let used = self.formulas.terms.symbols_of(state.values.iter().chain(&*state.condition).copied());
        used.into_iter().all(|symbol| self.system.data_index(symbol).is_some())
    }

    /// The state as conjuncts over the variables that matter at the control point.
    pub(super) fn state_formula(&mut self, point: PointId, state: &SymbolicState) -> Vec<TermId> {
        let matters = Rc::clone(&self.system.point(point).matters);
        let mut parts = Vec::new();
        for (index, &value) in state.values.iter().enumerate().filter(|(index, _)| matters[*index]) {
            let variable = self.formulas.terms.of_symbol(self.system.data[index]);
            if variable != value {
                parts.push(self.formulas.terms.eq(variable, value));
            }
        }
        parts.extend(&*state.condition);
        parts
    }

    /// The initial states, split.
    pub(super) fn initial_states(&mut self, point: PointId) -> Result<Vec<Split>, Stop> {
        let init = self.system.init.clone();
        let first = init.update_map();
        let data = self.system.data.clone();
        let mut values = Vec::with_capacity(data.len());
        let mut condition = vec![init.guard];
        for &symbol in &data {
            match first.get(&symbol) {
                Some(&value) => values.push(value),
                None => {
                    values.push(self.formulas.terms.of_symbol(symbol));
                    condition.extend(self.formulas.range(symbol));
                }
            }
        }
        for symbol in self.formulas.terms.symbols_of(values.iter().chain(&condition).copied()) {
            condition.extend(self.formulas.range(symbol));
        }
        let Some(state) = self.normal_state(point, values, condition) else { return Ok(Vec::new()) };
        if !self.is_possible(&state.condition, None)? {
            return Ok(Vec::new());
        }
        let bits = Bits::none(self.predicates.len());
        let all: Vec<usize> = (0..self.predicates.len()).collect();
        self.split(point, state, bits, &all)
    }

    /// EXEC and SPLITSTATE: the states after a move from a state, each of which decides every predicate.
    pub(super) fn execute(
        &mut self,
        state: &SymbolicState,
        bits: &Bits,
        chosen: &Move,
        known: &MoveFacts,
        guard: Option<bool>,
    ) -> Result<Vec<Split>, Stop> {
        let renamed = if self.is_concrete(state) { state.clone() } else { self.renamed(state, chosen) };
        let now: FxHashMap<Symbol, TermId> =
            self.system.data.iter().copied().zip(renamed.values.iter().copied()).collect();
        let mut done = FxHashMap::default();
        let mut condition = renamed.condition.to_vec();
        if guard != Some(true) {
            let guard = self.formulas.terms.substitute_cached(chosen.guard, &now, &mut done);
            match self.formulas.terms.op(guard) {
                Op::Bool(false) => return Ok(Vec::new()),
                Op::Bool(true) => {}
                _ => {
                    condition.push(guard);
                    if !self.is_possible(&condition, None)? {
                        return Ok(Vec::new());
                    }
                }
            }
        }
        let mut values = renamed.values.to_vec();
        for &index in &known.unknown {
            let symbol = self.system.data[index];
            values[index] = self.formulas.terms.of_symbol(symbol);
            condition.extend(self.formulas.range(symbol));
        }
        for &(index, value) in &chosen.updates {
            values[index] = self.formulas.terms.substitute_cached(value, &now, &mut done);
        }
        let Some(after) = self.normal_state(chosen.to, values, condition) else { return Ok(Vec::new()) };
        // What a move does not touch stays what it was.
        let bits = bits.masked(&self.relevant(chosen.to));
        self.split(chosen.to, after, bits, &known.touched)
    }

    /// What is known of a move with respect to the predicates.
    pub(super) fn facts(&mut self, from: PointId, number: usize, chosen: &Move) -> Rc<MoveFacts> {
        if let Some(facts) = self.facts.get(&(from, number)) {
            return Rc::clone(facts);
        }
        let (before, after) = (self.relevant(from), self.relevant(chosen.to));
        let assigned = |symbol: &Symbol| {
            let index = self.system.data_index(*symbol);
            index.is_some_and(|index| chosen.updates.binary_search_by_key(&index, |(index, _)| *index).is_ok())
        };
        let touches = |number: usize| {
            let predicate = self.predicates.get(number);
            after.get(number) && (!before.get(number) || predicate.symbols.iter().any(assigned))
        };
        let touched = (0..self.predicates.len()).filter(|&number| touches(number)).collect();
        let guard = Formula::of(&mut self.formulas.terms, &self.predicates, chosen.guard);
        let (before, after) = (&self.system.point(from).matters, &self.system.point(chosen.to).matters);
        let appears = |index: &usize| {
            after[*index] && !before[*index] && !chosen.updates.iter().any(|(updated, _)| updated == index)
        };
        let unknown = (0..self.system.data.len()).filter(appears).collect();
        let facts = Rc::new(MoveFacts { guard, touched, unknown });
        self.facts.insert((from, number), Rc::clone(&facts));
        facts
    }

    /// The state with other names for the constants that the move gives another meaning to.
    fn renamed(&mut self, state: &SymbolicState, chosen: &Move) -> SymbolicState {
        let mut map = FxHashMap::default();
        for symbol in self.formulas.terms.symbols_of(state.values.iter().chain(&*state.condition).copied()) {
            let index = self.system.data_index(symbol);
            let assigned = index.is_none_or(|index| chosen.updates.iter().any(|(updated, _)| *updated == index));
            if assigned {
                let (name, sort) =
                    (format!("{}!old", self.formulas.terms.name(symbol)), self.formulas.terms.symbol_sort(symbol));
                map.insert(symbol, self.formulas.terms.var(&name, sort));
            }
        }
        if map.is_empty() {
            return state.clone();
        }
        let mut done = FxHashMap::default();
        let mut all = |parts: &[TermId]| -> Rc<[TermId]> {
            parts.iter().map(|&part| self.formulas.terms.substitute_cached(part, &map, &mut done)).collect()
        };
        SymbolicState { values: all(&state.values), condition: all(&state.condition) }
    }

    /// SPLITSTATE: the parts of the state that decide every predicate, given which are not known yet.
    pub(super) fn split(
        &mut self,
        point: PointId,
        state: SymbolicState,
        mut bits: Bits,
        unknown: &[usize],
    ) -> Result<Vec<Split>, Stop> {
        let relevant = self.relevant(point);
        let mut open = Vec::new();
        let values: FxHashMap<Symbol, TermId> =
            self.system.data.iter().copied().zip(state.values.iter().copied()).collect();
        let condition = match state.condition.is_empty() {
            true => Condition::default(),
            // It has been looked at when the state was made.
            false => match Condition::of(&mut self.formulas.terms, &state.condition) {
                Ok(condition) => condition,
                Err(Contradiction) => return Ok(Vec::new()),
            },
        };
        for &number in unknown.iter().filter(|&&number| relevant.get(number)) {
            let instance = self.formulas.terms.substitute(self.predicates.get(number).atom, &values);
            match self.formulas.terms.op(instance) {
                Op::Bool(value) => bits.set(number, *value),
                _ => match condition.decides(&self.formulas.terms, instance) {
                    Some(value) => bits.set(number, value),
                    None => open.push((number, instance)),
                },
            }
        }
        let mut found = Vec::new();
        self.split_further(&state.condition, &open, bits, &mut Vec::new(), &mut found)?;
        let mut splits = Vec::with_capacity(found.len());
        for (literals, bits) in found {
            if literals.is_empty() {
                splits.push((state.clone(), bits));
                continue;
            }
            let condition = state.condition.iter().copied().chain(literals).collect();
            let part = self.normal_state(point, state.values.to_vec(), condition);
            splits.extend(part.map(|part| (part, bits)));
        }
        Ok(splits)
    }

    /// All models of the open predicates, one predicate after the other; a branch that is not possible is not entered.
    fn split_further(
        &mut self,
        condition: &[TermId],
        open: &[(usize, TermId)],
        mut bits: Bits,
        literals: &mut Vec<TermId>,
        found: &mut Vec<(Vec<TermId>, Bits)>,
    ) -> Result<(), Stop> {
        let Some((&(number, instance), rest)) = open.split_first() else {
            found.push((literals.clone(), bits));
            return Ok(());
        };
        let negated = self.formulas.terms.not(instance);
        let context: Vec<TermId> = condition.iter().chain(&*literals).copied().collect();
        let can_hold = self.is_possible(&context, Some(instance))?;
        let can_fail = !can_hold || self.is_possible(&context, Some(negated))?;
        for (possible, literal) in [(can_hold, instance), (can_fail, negated)] {
            if !possible {
                continue;
            }
            bits.set(number, literal == instance);
            let decided = can_hold != can_fail;
            if !decided {
                literals.push(literal);
            }
            self.split_further(condition, rest, bits.clone(), literals, found)?;
            if !decided {
                literals.pop();
            }
        }
        Ok(())
    }

    /// Whether a conjunction has a model.
    pub(super) fn is_possible(&mut self, condition: &[TermId], also: Option<TermId>) -> Result<bool, Stop> {
        let all: Vec<TermId> = condition.iter().copied().chain(also).collect();
        if all.is_empty() {
            return Ok(true);
        }
        match self.solver.check(&self.formulas.terms, &all) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => Err(self.no_answer(&reason.to_string())),
        }
    }

    /// The predicates that say something at a control point: those all of whose variables matter there.
    pub(super) fn relevant(&mut self, point: PointId) -> Rc<Bits> {
        if let Some(relevant) = self.relevant.get(&point) {
            return Rc::clone(relevant);
        }
        let matters = &self.system.point(point).matters;
        let mut relevant = Bits::none(self.predicates.len());
        for (number, predicate) in self.predicates.iter().enumerate() {
            let mut symbols = predicate.symbols.iter().map(|symbol| self.system.data_index(*symbol));
            relevant.set(number, symbols.all(|index| index.is_some_and(|index| matters[index])));
        }
        let relevant = Rc::new(relevant);
        self.relevant.insert(point, Rc::clone(&relevant));
        relevant
    }

    /// Forgets what depends on which predicates there are.
    pub(super) fn forget_facts(&mut self) {
        self.relevant.clear();
        self.facts.clear();
    }
}

/// Whether a term is a value.
pub(super) fn is_constant(space: &SymbolicSpace<'_>, term: TermId) -> bool {
    matches!(space.formulas.terms.op(term), Op::Bool(_) | Op::Int(_) | Op::BitVec(..))
}
