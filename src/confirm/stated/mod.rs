//! What a proof says, in the words of the source: the invariant at each loop head, and what each recursive procedure
//! requires and ensures.
//!
//! Only what can be named where it holds is told: what a proof knows of the callers' variables is left out, so that
//! each statement is true wherever an execution is there, but may be weaker than the proof.

mod cubes;

use crate::engine::{CutInvariants, CutState, LocationInvariants, Task};
use crate::formula::blocks::Cuts;
use crate::formula::encode::{Arithmetic, Encoder, SourceNotation};
use crate::program::control::Flow;
use crate::program::{LocId, ProcId, Scope};
use crate::term::{Symbol, TermId, Terms};
use cubes::Cube;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt;

/// What a proof says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stated {
    /// At loop heads that can be reached, in order.
    pub loops: Vec<StatedLoop>,
    /// Of recursive procedures that are called, in order.
    pub procedures: Vec<StatedProcedure>,
}

/// The invariant of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedLoop {
    /// The procedure that the loop is in.
    pub procedure: ProcId,
    /// Its head.
    pub location: LocId,
    /// What holds there.
    pub invariant: StatedFormula,
}

/// The summary of a procedure: every call is one of these cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedProcedure {
    /// Which procedure.
    pub procedure: ProcId,
    /// The cases.
    pub cases: Vec<StatedCase>,
}

/// A case of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedCase {
    /// What holds when the procedure is entered.
    pub requires: StatedFormula,
    /// What holds when it returns, if it does; `old(x)` is what `x` was when it was entered.
    pub ensures: StatedFormula,
}

/// A formula: all of `always`, and one of the `cases`, each a conjunction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatedFormula {
    /// What holds in every case.
    pub always: Vec<String>,
    /// What else: one of these, unless there are none.
    pub cases: Vec<Vec<String>>,
    /// Whether nothing satisfies it.
    pub is_false: bool,
}

impl fmt::Display for StatedFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(usize::MAX))
    }
}

impl StatedFormula {
    /// The formula as text, in about so many characters at most: what does not fit is `…`.
    pub fn written(&self, most: usize) -> String {
        if self.is_false {
            return "false".to_owned();
        }
        if self.always.is_empty() && self.cases.is_empty() {
            return "true".to_owned();
        }
        let alone = self.always.is_empty();
        let case = |facts: &Vec<String>| match facts.as_slice() {
            [one] => one.clone(),
            _ if alone && self.cases.len() == 1 => facts.join(" && "),
            _ => format!("({})", facts.join(" && ")),
        };
        let always = joined(self.always.iter().cloned(), " && ", most);
        let cases = joined(self.cases.iter().map(case), " || ", most.saturating_sub(always.chars().count()));
        match (alone, self.cases.is_empty()) {
            (true, _) => cases,
            (false, true) => always,
            (false, false) => format!("{always} && ({cases})"),
        }
    }
}

fn joined(parts: impl Iterator<Item = String>, separator: &str, most: usize) -> String {
    let mut text = String::new();
    for part in parts {
        let length = text.chars().count();
        if length > 0 && length + separator.len() + part.chars().count() > most {
            return format!("{text}{separator}…");
        }
        if length > 0 {
            text.push_str(separator);
        }
        text.push_str(&part);
    }
    text
}

/// What invariants at cut points say.
pub(super) fn of_cuts(task: &Task, invariants: &mut CutInvariants) -> Stated {
    let CutInvariants { terms, arithmetic, blocks, activations, .. } = invariants;
    let program = &task.program;
    let cuts = Cuts::of(program, &Flow::of(program), *blocks);
    let mut writer = Writer::new(task, terms, *arithmetic);
    let mut at: BTreeMap<(ProcId, LocId), Vec<&CutState>> = BTreeMap::new();
    let mut calls: BTreeMap<ProcId, Vec<(StatedFormula, Vec<Cube>)>> = BTreeMap::new();
    for activation in activations.iter() {
        for state in &activation.cuts {
            let top = state.stack.last().expect("a location stack has a top");
            if cuts.is_loop_head(top.procedure, top.location) {
                at.entry((top.procedure, top.location)).or_default().push(state);
            }
        }
        if cuts.is_recursive(activation.procedure) {
            let entry = writer.entry(activation.procedure, &activation.entry);
            let exits: Vec<&CutState> = activation.exits.iter().collect();
            let ensures = writer.exits(activation.procedure, &exits);
            let cases = calls.entry(activation.procedure).or_default();
            match cases.iter_mut().find(|(known, _)| *known == ensures) {
                Some((_, entries)) => entries.push(entry),
                None => cases.push((ensures, vec![entry])),
            }
        }
    }
    let mut stated = Stated::default();
    for ((procedure, location), states) in at {
        let invariant = writer.loop_head(procedure, &states);
        stated.loops.push(StatedLoop { procedure, location, invariant });
    }
    for (procedure, cases) in calls {
        let case = |(ensures, entries)| StatedCase { requires: writer.formula(procedure, entries), ensures };
        let cases = cases.into_iter().map(case).collect();
        stated.procedures.push(StatedProcedure { procedure, cases });
    }
    stated
}

/// What invariants at locations say.
pub(super) fn of_locations(task: &Task, invariants: &mut LocationInvariants) -> Stated {
    let program = &task.program;
    let cuts = Cuts::of(program, &Flow::of(program), crate::formula::blocks::BlockSize::Large);
    let heads: Vec<((ProcId, LocId), TermId)> = (invariants.at.iter())
        .filter(|((procedure, location), _)| cuts.is_loop_head(*procedure, *location))
        .map(|(place, formula)| (*place, *formula))
        .collect();
    let mut writer = Writer::new(task, &mut invariants.terms, Arithmetic::Bits);
    let mut stated = Stated::default();
    for ((procedure, location), formula) in heads {
        let cube = Cube::new(writer.terms, &[], &[formula]);
        let invariant = writer.formula(procedure, vec![cube]);
        stated.loops.push(StatedLoop { procedure, location, invariant });
    }
    stated
}

struct Writer<'a> {
    task: &'a Task,
    terms: &'a mut Terms,
    notation: SourceNotation<'a>,
    /// For what variables were when the procedure was entered, the variables.
    now: FxHashMap<Symbol, TermId>,
}

impl<'a> Writer<'a> {
    fn new(task: &'a Task, terms: &'a mut Terms, arithmetic: Arithmetic) -> Writer<'a> {
        let encoder = Encoder::with_arithmetic(&task.program, terms, arithmetic);
        let notation = SourceNotation::new(&task.program, &encoder, terms);
        let mut now = FxHashMap::default();
        for (variable, _) in task.program.variables.enumerate() {
            let Some(symbol) = encoder.symbol(variable) else { continue };
            let old = terms.at_other_time("old", symbol);
            let old = terms.as_symbol(old).expect("a free constant is its symbol");
            now.insert(old, terms.of_symbol(symbol));
        }
        Writer { task, terms, notation, now }
    }

    fn loop_head(&mut self, procedure: ProcId, states: &[&CutState]) -> StatedFormula {
        let notation = &self.notation;
        let cubes = states.iter().map(|state| {
            let cube = Cube::new(self.terms, &state.values, &state.literals);
            cube.about(self.terms, |symbol| notation.is_visible(procedure, symbol))
        });
        let cubes = cubes.collect();
        self.formula(procedure, cubes)
    }

    /// What holds at an entry, where everything is what it was.
    fn entry(&mut self, procedure: ProcId, state: &CutState) -> Cube {
        let is_now = |symbol: &Symbol| !self.now.contains_key(symbol);
        let values: Vec<(Symbol, TermId)> = state.values.iter().copied().filter(|(symbol, _)| is_now(symbol)).collect();
        let literals: Vec<TermId> = state.literals.iter().map(|l| self.terms.substitute(*l, &self.now)).collect();
        let notation = &self.notation;
        let cube = Cube::new(self.terms, &values, &literals);
        cube.about(self.terms, |symbol| notation.is_visible(procedure, symbol))
    }

    /// What holds at the exits, as far as callers can name it: results, globals, and what those were.
    fn exits(&mut self, procedure: ProcId, states: &[&CutState]) -> StatedFormula {
        let program = &self.task.program;
        let notation = &self.notation;
        let visible = |symbol: Symbol| match notation.variable(symbol) {
            None => false,
            Some((variable, old)) => match program.variables[variable].scope {
                Scope::Global => true,
                Scope::Local(owner) => {
                    owner == procedure && (old || program.procedures[procedure].result == Some(variable))
                }
            },
        };
        let cubes = states.iter().map(|state| {
            let cube = Cube::new(self.terms, &state.values, &state.literals);
            cube.about(self.terms, visible)
        });
        let cubes = cubes.collect();
        self.formula(procedure, cubes)
    }

    /// One of the cubes holds.
    fn formula(&mut self, procedure: ProcId, cubes: Vec<Cube>) -> StatedFormula {
        self.notation.inside(procedure);
        if cubes.is_empty() {
            return StatedFormula { is_false: true, ..StatedFormula::default() };
        }
        let (always, mut cases) = cubes::simplified(self.terms, cubes);
        let notation = &self.notation;
        let mut write = |cube: &Cube| cube.written(self.terms, notation);
        let always = write(&always);
        let mut cases: Vec<Vec<String>> = cases.iter_mut().map(|cube| write(cube)).collect();
        cases.sort();
        StatedFormula { always, cases, is_false: false }
    }
}

#[cfg(test)]
mod tests;
