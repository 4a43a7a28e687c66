//! Checks what holds at the cut points of a program without threads.
//!
//! The proof stands if `init` leads into the entry of an activation of the main procedure, and if from every state of
//! every activation each block leads to a state of the same activation, to one of its exits, or to a call; never to an
//! error. A call leads into the entry of an activation of the callee, and back from each of the exits of every such
//! activation to a state of the caller's. Then, by induction over the length of executions, every execution is at every
//! cut point in one of the states. What a state says of a symbol that stands for any member of a region, it says of all
//! members (`formula/memory/every.rs`).

use super::panel::{self, Ask, no_answer};
use super::{ConfirmConfig, Failure, defined};
use crate::engine::{Budget, CutActivation, CutInvariants, CutState, Stop, Task};
use crate::formula::Formulas;
use crate::formula::blocks::{Blocks, End, EndKind, Known, WalkError};
use crate::formula::memory::every::{is_any_member, of_other_members};
use crate::program::control::Frame;
use crate::program::{EdgeId, ProcId, Scope};
use crate::solver::Answer;
use crate::term::{Op, Sort, Symbol, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many formulas there are.
pub(super) fn count(invariants: &CutInvariants) -> usize {
    invariants.activations.iter().map(|activation| activation.cuts.len() + activation.exits.len()).sum()
}

/// Checks the invariants, and tells which solver did.
pub(super) fn check(
    task: &Task,
    invariants: CutInvariants,
    config: &ConfirmConfig,
    budget: &Budget,
) -> Result<String, Failure> {
    panel::answered(config, budget, |ask| check_with(task, invariants, budget, ask))
}

/// Checks the invariants with whatever answers the queries.
fn check_with(task: &Task, invariants: CutInvariants, budget: &Budget, ask: &mut Ask<'_>) -> Result<(), Failure> {
    let CutInvariants { terms, arithmetic, memory, tracked, blocks: size, activations } = invariants;
    let program = &task.program;
    for (id, _) in program.procedures.enumerate() {
        defined::reads_only_what_is_written(program, id, |_, _| true)?;
    }
    if !memory.is_well_formed(&terms) {
        return Err(Failure::Wrong("two objects of memory have one number".to_owned()));
    }
    let Formulas { mut terms, mut blocks } = Formulas::reopen(program, &task.property, arithmetic, size, terms, memory);
    let (init, first) = blocks.init(&mut terms)?;
    let mut checker = Checker { task, terms, blocks, activations: &activations, tracked, budget, ask };
    let checked = checker.check_all(init.guard, &first);
    if checker.blocks.cells_changed() {
        // What was checked before is to be checked again, and the proof says nothing of what is new.
        let why = "the proof does not know all that is read of memory";
        return Err(Failure::Stopped(Stop::GaveUp(why.to_owned())));
    }
    checked?;
    if checker.blocks.init_faults() {
        return Err(Failure::Wrong("`init` may access memory that it must not".to_owned()));
    }
    Ok(())
}

struct Checker<'a, 'p> {
    task: &'p Task,
    terms: Terms,
    blocks: Blocks<'p>,
    activations: &'a [CutActivation],
    /// The variables whose known values keep ways apart.
    tracked: FxHashSet<Symbol>,
    budget: &'a Budget,
    ask: &'a mut Ask<'a>,
}

/// What may be at a stack.
enum Place<'a> {
    States(Vec<&'a CutState>),
    /// An error that counts.
    Error,
    /// The end of the execution.
    Nothing,
}

impl<'a> Checker<'a, '_> {
    fn check_all(&mut self, guard: TermId, first: &FxHashMap<Symbol, TermId>) -> Result<(), Failure> {
        self.check_form()?;
        self.check_start(guard, first)?;
        let activations = self.activations;
        activations.iter().try_for_each(|activation| self.check_activation(activation))
    }

    /// Formulas speak only of what is visible where they hold: variables, and in recursive activations ghosts.
    fn check_form(&mut self) -> Result<(), Failure> {
        for activation in self.activations {
            let mut ghosts = FxHashSet::default();
            let parameters = &self.task.program.procedures[activation.procedure].parameters;
            let parameters = parameters.iter().flat_map(|p| self.blocks.encoder().symbols(*p));
            for symbol in parameters.chain(self.blocks.globals()).collect::<Vec<_>>() {
                ghosts.insert(self.blocks.ghost(&mut self.terms, symbol));
            }
            for state in states_of(activation) {
                let values = state.values.iter().map(|(symbol, _)| *symbol);
                if let Some(formula) = state.literals.iter().find(|&&f| self.terms.sort(f) != Sort::Bool) {
                    return Err(Failure::Wrong(format!("an invariant is of sort {}", self.terms.sort(*formula))));
                }
                let used = self.terms.symbols_of(state.literals.iter().copied());
                let visible = |symbol: &Symbol| self.visible(state, *symbol) || ghosts.contains(symbol);
                if let Some(symbol) = values.chain(used).find(|symbol| !visible(symbol)) {
                    let name = self.terms.name(symbol);
                    return Err(Failure::Wrong(format!("an invariant speaks of `{name}`, which is not visible")));
                }
            }
        }
        Ok(())
    }

    fn visible(&self, state: &CutState, symbol: Symbol) -> bool {
        let Some(variable) = self.blocks.encoder().variable(symbol) else {
            return self.blocks.is_memory(symbol) || is_any_member(&self.terms, symbol);
        };
        match self.task.program.variables[variable].scope {
            Scope::Global => true,
            Scope::Local(procedure) => state.stack.iter().any(|frame| frame.procedure == procedure),
        }
    }

    fn check_start(&mut self, guard: TermId, values: &FxHashMap<Symbol, TermId>) -> Result<(), Failure> {
        let main = self.task.program.main;
        self.check_entry(main, &[guard], values, "`init`")
    }

    /// Where the context holds, an activation of the procedure may start with these values.
    fn check_entry(
        &mut self,
        procedure: ProcId,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        what: &str,
    ) -> Result<(), Failure> {
        let entry = self.task.program.procedures[procedure].entry;
        let stack = [Frame { procedure, location: entry, call: None }];
        match self.place(None, &stack) {
            Place::Nothing => Ok(()),
            Place::Error => self.impossible(context, what),
            Place::States(_) => {
                let entries = self.activations.iter().filter(|activation| activation.procedure == procedure);
                let entries: Vec<&CutState> = entries.map(|activation| &activation.entry).collect();
                self.entailed(context, values, &entries, what)
            }
        }
    }

    fn check_activation(&mut self, activation: &'a CutActivation) -> Result<(), Failure> {
        let tracked: FxHashSet<Symbol> = (activation.cuts.iter().chain([&activation.entry]))
            .flat_map(|state| state.values.iter().map(|(symbol, _)| *symbol))
            .chain(self.tracked.iter().copied())
            .collect();
        // The entry is one of the cut points, or weaker than what is there; it is checked all the same.
        for state in activation.cuts.iter().chain([&activation.entry]) {
            self.budget.check()?;
            let budget = self.budget;
            let walk =
                self.blocks.walk(&mut self.terms, &state.stack, &state.values, &tracked, &|| budget.check().is_err());
            let walk = walk.map_err(|error| self.walk_failure(error))?;
            for end in &walk.ends {
                match end.kind {
                    EndKind::Call(edge) => self.check_call(activation, state, edge)?,
                    _ => self.check_end(activation, state, end)?,
                }
            }
        }
        Ok(())
    }

    fn check_end(&mut self, activation: &'a CutActivation, state: &CutState, end: &End) -> Result<(), Failure> {
        let known = Known { values: &state.values, literals: &state.literals };
        let mut context = known.formulas(&mut self.terms);
        context.extend(&end.guard);
        if end.kind == EndKind::Fault {
            return self.impossible(&context, "a block");
        }
        match self.place(Some(activation), &end.stack) {
            Place::Nothing => Ok(()),
            Place::Error => self.impossible(&context, "a block"),
            Place::States(states) => self.entailed(&context, &end.values, &states, "a block"),
        }
    }

    fn check_call(&mut self, activation: &'a CutActivation, state: &CutState, edge: EdgeId) -> Result<(), Failure> {
        let caller = Known { values: &state.values, literals: &state.literals };
        let (callee, values) = self.blocks.entered(&mut self.terms, &state.stack, edge, caller)?;
        let context = caller.formulas(&mut self.terms);
        self.check_entry(callee, &context, &values, "a call")?;
        let mut target = state.stack.clone();
        let top = target.last_mut().expect("a location stack has a top");
        top.location = self.task.program.procedures[top.procedure].edges[edge].target;
        let called = || self.activations.iter().filter(|other| other.procedure == callee);
        // One activation that allows the call is enough; otherwise it may be any of them.
        for one in called() {
            let returns = self.entailed(&context, &values, &[&one.entry], "a call");
            match returns.and_then(|()| self.check_returns(activation, state, edge, one, &target)) {
                Err(Failure::Wrong(_)) => {}
                other => return other,
            }
        }
        for one in called() {
            self.check_returns(activation, state, edge, one, &target)?;
        }
        Ok(())
    }

    /// From each exit of the activation that was called, the caller goes on in one of its states.
    fn check_returns(
        &mut self,
        activation: &'a CutActivation,
        state: &CutState,
        edge: EdgeId,
        called: &CutActivation,
        target: &[Frame],
    ) -> Result<(), Failure> {
        let caller = Known { values: &state.values, literals: &state.literals };
        let entered = Known { values: &called.entry.values, literals: &called.entry.literals };
        for exit in &called.exits {
            let left = Known { values: &exit.values, literals: &exit.literals };
            let (context, values) = self.blocks.returned(&mut self.terms, &state.stack, edge, caller, entered, left)?;
            match self.place(Some(activation), target) {
                Place::Nothing => {}
                Place::Error => self.impossible(&context, "a return")?,
                Place::States(states) => self.entailed(&context, &values, &states, "a return")?,
            }
        }
        Ok(())
    }

    /// What may be at a stack of an activation.
    fn place(&self, activation: Option<&'a CutActivation>, stack: &[Frame]) -> Place<'a> {
        let top = stack.last().expect("a location stack has a top");
        let procedure = &self.task.program.procedures[top.procedure];
        match &procedure.locations[top.location].error {
            Some(failure) if self.task.property.counts(&failure.kind) => return Place::Error,
            Some(_) => return Place::Nothing,
            None => {}
        }
        let Some(activation) = activation else { return Place::States(Vec::new()) };
        if top.location == procedure.exit && stack.len() == 1 {
            let returns = self.blocks.cuts().is_recursive(activation.procedure);
            return if returns { Place::States(activation.exits.iter().collect()) } else { Place::Nothing };
        }
        Place::States(activation.cuts.iter().filter(|state| state.stack == stack).collect())
    }

    /// What a state says, of these values.
    fn holds(&mut self, state: &CutState, values: &FxHashMap<Symbol, TermId>) -> Vec<TermId> {
        let mut all = Vec::new();
        for &(symbol, value) in &state.values {
            let left = values.get(&symbol).copied().unwrap_or_else(|| self.terms.of_symbol(symbol));
            all.push(self.terms.eq(left, value));
        }
        all.extend(state.literals.iter().map(|&literal| self.terms.substitute(literal, values)));
        all
    }

    /// Where the context holds, one of the states does with these values.
    fn entailed(
        &mut self,
        context: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        states: &[&CutState],
        what: &str,
    ) -> Result<(), Failure> {
        let known: FxHashSet<TermId> = context.iter().copied().collect();
        let mut others = Vec::new();
        for state in states {
            // Most states are told apart by the values of variables; those are not worth a look.
            let contradicts = |(symbol, value): &(Symbol, TermId)| {
                values.get(symbol).is_some_and(|now| now != value && self.terms.is_value(*now))
            };
            if state.values.iter().any(contradicts) {
                continue;
            }
            let mut parts = self.holds(state, values);
            parts.retain(|part| !known.contains(part) && self.terms.op(*part) != &Op::Bool(true));
            if parts.is_empty() {
                return Ok(());
            }
            let all = self.terms.and(parts);
            // It is to hold for every member of a region; of each of the states some member may be the one that tells it apart.
            let all = of_other_members(&mut self.terms, all, others.len());
            others.push(self.terms.not(all));
        }
        let query: Vec<TermId> = context.iter().copied().chain(others).collect();
        self.refuted(query, || format!("the invariant does not hold after {what}"))
    }

    fn impossible(&mut self, context: &[TermId], what: &str) -> Result<(), Failure> {
        self.refuted(context.to_vec(), || format!("{what} can lead to an error"))
    }

    /// The formulas have no common model, with every symbol in its range.
    fn refuted(&mut self, mut query: Vec<TermId>, wrong: impl Fn() -> String) -> Result<(), Failure> {
        self.budget.check()?;
        let instances = self.blocks.memory().instances(&mut self.terms, &query, &[]);
        query.extend(instances);
        for symbol in self.terms.symbols_of(query.iter().copied()) {
            query.extend(self.blocks.range(&mut self.terms, symbol));
        }
        let query = self.terms.lift_products(&query);
        let query = self.terms.within_bounds(&query);
        let query = self.terms.and(query);
        if self.terms.op(query) == &Op::Bool(false) {
            return Ok(());
        }
        match (self.ask)(&self.terms, query) {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(Failure::Wrong(wrong())),
            Answer::Unknown(reason) => Err(Failure::Stopped(no_answer(reason, self.budget))),
        }
    }

    fn walk_failure(&self, error: WalkError) -> Failure {
        match error {
            WalkError::Unsupported(construct) => construct.into(),
            WalkError::Stopped => Failure::Stopped(self.budget.check().err().unwrap_or(Stop::Interrupted)),
        }
    }
}

fn states_of(activation: &CutActivation) -> impl Iterator<Item = &CutState> {
    activation.cuts.iter().chain(&activation.exits).chain([&activation.entry])
}

#[cfg(test)]
mod tests;
