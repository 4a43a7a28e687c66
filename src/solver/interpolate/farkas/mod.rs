//! Interpolants that are sums of the path's linear inequalities, by Farkas' lemma.
//!
//! The path is a list of linear inequalities over the versions of its symbols. Where they contradict each other, some of
//! them, each times a positive number, add up to `1 <= 0`; the interpolant of a position is the sum of those members
//! that come before it, inside a call that returns only of those of the call. It mentions no number of steps unless the
//! sum does, so it is often the same at each turn of a loop.
//!
//! Definitions `version = value` are put into the other inequalities, so that only those need the simplex method; the
//! factors of the definitions follow. Of all contradictions we want the one that says least about how often a step was
//! taken: inequalities from steps that come often cost more, and it costs most if the steps that are the same add up to
//! a constant other than zero.
//!
//! Disjunctions (and `≠`, and conditionals) are not linear. If the rest is no contradiction, each case is refuted on its
//! own, and a position's interpolant is their disjunction where the disjunction is among what the sum is over, their
//! conjunction elsewhere (Pudlák: Lower bounds for resolution and cutting plane proofs, 1997).

mod linear;
mod rational;
mod simplex;
#[cfg(test)]
mod tests;

use super::InterpolateError;
use super::path::{Layout, NestedPath, NestedStep};
use super::ssa::{Constraint, Place, Ssa, ssa};
use crate::solver::{CoreAnswer, Cores, SmtProcess};
use crate::term::{Integer, Symbol, TermId, Terms};
use linear::{Part, Sum, at_most_zero, parts};
use rustc_hash::FxHashMap;
use simplex::{Farkas, Inequality};
use std::collections::BTreeMap;
use std::time::Instant;

/// What it costs if steps that are the same add up to one, not to zero.
const DRIFT_COST: i64 = 1000;
/// How often the simplex method runs before a path has too many cases.
const MAX_CASES: usize = 64;
/// How many disjunctions we try to do without, by a query each.
const MAX_DROPPED: usize = 12;

/// One interpolant per position of an infeasible path.
pub(super) fn farkas(
    solver: &mut SmtProcess,
    terms: &mut Terms,
    path: NestedPath<'_>,
    layout: &Layout,
) -> Result<Vec<TermId>, InterpolateError> {
    let formula = ssa(terms, path, layout);
    let mut system = System::new(terms, path, layout, &formula);
    if let Some(refutation) = system.refute(terms)? {
        return Ok(refutation.interpolants);
    }
    let disjunctions = needed_disjunctions(solver, terms, &formula.constraints, &system.disjunctions)?;
    let deadline = Instant::now() + solver.config().query_limit;
    system.deadline = Some(solver.deadline().map_or(deadline, |overall| overall.min(deadline)));
    Ok(system.refute_cases(terms, &disjunctions)?.interpolants)
}

/// One of the terms holds, at the constraint of the given number.
#[derive(Debug, Clone)]
struct Disjunction {
    constraint: usize,
    cases: Vec<TermId>,
}

/// The disjunctions in an unsatisfiable core, a small one where that is cheap.
fn needed_disjunctions(
    solver: &mut SmtProcess,
    terms: &Terms,
    constraints: &[Constraint],
    disjunctions: &[Disjunction],
) -> Result<Vec<Disjunction>, InterpolateError> {
    if disjunctions.is_empty() {
        return Err(InterpolateError::NotLinear);
    }
    let mut core_of = |numbers: &[usize]| {
        let assumptions: Vec<TermId> = numbers.iter().map(|&number| constraints[number].term).collect();
        match solver.check_core(terms, &assumptions) {
            CoreAnswer::Unsat(core) => Some(core.into_iter().map(|i| numbers[i]).collect::<Vec<usize>>()),
            CoreAnswer::Sat | CoreAnswer::Unknown(_) => None,
        }
    };
    let all: Vec<usize> = (0..constraints.len()).collect();
    let mut core = core_of(&all).unwrap_or(all);
    let mut tried = 0;
    for disjunction in disjunctions {
        let without: Vec<usize> = core.iter().copied().filter(|&number| number != disjunction.constraint).collect();
        if without.len() < core.len() && tried < MAX_DROPPED {
            tried += 1;
            core = core_of(&without).unwrap_or(core);
        }
    }
    Ok(disjunctions.iter().filter(|d| core.contains(&d.constraint)).cloned().collect())
}

/// A linear inequality or equality of the path that defines no version.
#[derive(Debug, Clone)]
struct Guard {
    constraint: usize,
    sum: Sum,
    equality: bool,
}

/// A column of the simplex method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Column {
    /// A version without definition.
    Version(TermId),
    /// What the steps of this kind add.
    Drift(usize),
}

/// A sum over columns, definitions put in.
#[derive(Debug, Clone, Default)]
struct Row {
    coefficients: BTreeMap<usize, Integer>,
    constant: Integer,
}

/// A contradiction.
struct Refutation {
    interpolants: Vec<TermId>,
    /// The constraints that it uses, without definitions.
    used: Vec<usize>,
}

/// The linear inequalities of a path.
struct System<'a> {
    path: NestedPath<'a>,
    layout: &'a Layout,
    formula: &'a Ssa,
    kinds: Kinds,
    /// For each constraint that is a linear definition, its version and `version - value`.
    definitions: Vec<Option<(TermId, Sum)>>,
    /// The values of the versions that have a definition.
    values: FxHashMap<TermId, Row>,
    columns: FxHashMap<Column, usize>,
    guards: Vec<Guard>,
    disjunctions: Vec<Disjunction>,
    /// How many combinations of cases were tried, and until when they are.
    runs: usize,
    deadline: Option<Instant>,
}

impl<'a> System<'a> {
    fn new(terms: &mut Terms, path: NestedPath<'a>, layout: &'a Layout, formula: &'a Ssa) -> System<'a> {
        let mut system = System {
            path,
            layout,
            formula,
            kinds: Kinds::new(path.steps),
            definitions: Vec::new(),
            values: FxHashMap::default(),
            columns: FxHashMap::default(),
            guards: Vec::new(),
            disjunctions: Vec::new(),
            runs: 0,
            deadline: None,
        };
        for (number, constraint) in formula.constraints.iter().enumerate() {
            let parts = parts(terms, constraint.term);
            let definition = constraint.version.and_then(|version| definition(version, &parts));
            match &definition {
                Some((version, sum)) => system.define(*version, sum, constraint.place),
                None => system.guard(number, parts),
            }
            system.definitions.push(definition);
        }
        system
    }

    fn column(&mut self, column: Column) -> usize {
        let next = self.columns.len();
        *self.columns.entry(column).or_insert(next)
    }

    fn define(&mut self, version: TermId, sum: &Sum, place: Place) {
        let mut value = Sum::default();
        value.add_sum(sum, &Integer::from(-1));
        value.remove(version);
        let mut row = self.row(&value);
        if let Some(kind) = self.kinds.repeated[place.0]
            && !value.constant.is_zero()
        {
            let drift = self.column(Column::Drift(kind));
            row.add(drift, &value.constant);
        }
        self.values.insert(version, row);
    }

    fn guard(&mut self, constraint: usize, parts: Vec<Part>) {
        for part in parts {
            match part {
                Part::Linear { sum, equality } => self.guards.push(Guard { constraint, sum, equality }),
                Part::Cases(cases) => self.disjunctions.push(Disjunction { constraint, cases }),
                // Without it there is less to refute the path with; what is found is right all the same.
                Part::Other => {}
            }
        }
    }

    /// The sum with all definitions put in.
    fn row(&mut self, sum: &Sum) -> Row {
        let mut row = Row { constant: sum.constant.clone(), ..Row::default() };
        for (version, factor) in &sum.monomials {
            match self.values.get(version) {
                Some(value) => {
                    for (&column, coefficient) in &value.coefficients {
                        row.add(column, &(coefficient * factor));
                    }
                    row.constant = &row.constant + &(&value.constant * factor);
                }
                None => {
                    let column = self.column(Column::Version(*version));
                    row.add(column, factor);
                }
            }
        }
        row
    }

    /// A contradiction between the guards, if there is one.
    fn refute(&mut self, terms: &mut Terms) -> Result<Option<Refutation>, InterpolateError> {
        let mut inequalities = Vec::new();
        // For each inequality its guard, and whether it is the guard's upper or lower half.
        let mut origins: Vec<(usize, Integer)> = Vec::new();
        for number in 0..self.guards.len() {
            let guard = self.guards[number].clone();
            let row = self.row(&guard.sum);
            let cost = self.kinds.guard_count[self.formula.constraints[guard.constraint].place.0];
            let signs: &[i64] = if guard.equality { &[1, -1] } else { &[1] };
            for &sign in signs {
                let sign = Integer::from(sign);
                inequalities.push(row.inequality(&sign, cost));
                origins.push((number, sign));
            }
        }
        let mut drifts: Vec<usize> =
            self.columns.iter().filter(|(column, _)| matches!(column, Column::Drift(_))).map(|c| *c.1).collect();
        drifts.sort_unstable();
        inequalities.extend(drifts.into_iter().flat_map(|drift| {
            [1, -1].map(|sign| Inequality {
                coefficients: vec![(drift, Integer::from(sign))],
                constant: Integer::ZERO,
                cost: Integer::from(DRIFT_COST),
            })
        }));
        match simplex::farkas(&inequalities, self.columns.len()) {
            Farkas::Solvable => Ok(None),
            Farkas::TooLarge => Err(InterpolateError::NotLinear),
            Farkas::Refuted(factors) => {
                let mut guards = vec![Integer::ZERO; self.guards.len()];
                for ((guard, sign), factor) in origins.iter().zip(&factors) {
                    guards[*guard] = &guards[*guard] + &(sign * factor);
                }
                self.refutation(terms, &guards).map(Some)
            }
        }
    }

    /// The contradiction in which the guards have these factors.
    fn refutation(&self, terms: &mut Terms, factors: &[Integer]) -> Result<Refutation, InterpolateError> {
        let mut members = vec![Sum::default(); self.formula.constraints.len()];
        let mut total = Sum::default();
        let mut used = Vec::new();
        for (guard, factor) in self.guards.iter().zip(factors).filter(|(_, factor)| !factor.is_zero()) {
            members[guard.constraint].add_sum(&guard.sum, factor);
            total.add_sum(&guard.sum, factor);
            used.push(guard.constraint);
        }
        // A definition is the last to mention its version, seen from the end; its factor makes the version vanish.
        for (member, definition) in members.iter_mut().zip(&self.definitions).rev() {
            let Some((version, sum)) = definition else { continue };
            let Some(factor) = total.coefficient(*version).map(|factor| -factor.clone()) else { continue };
            member.add_sum(sum, &factor);
            total.add_sum(sum, &factor);
        }
        let interpolants = self.prefix_sums(&members).into_iter().enumerate();
        let interpolants = interpolants.map(|(position, sum)| self.interpolant(terms, position, &sum));
        Ok(Refutation { interpolants: interpolants.collect::<Result<_, _>>()?, used })
    }

    /// For each position, the sum of what comes before it, inside a call that returns of what the call comes to.
    fn prefix_sums(&self, members: &[Sum]) -> Vec<Sum> {
        let mut at_step: Vec<Vec<(bool, &Sum)>> = vec![Vec::new(); self.path.steps.len()];
        for (constraint, member) in self.formula.constraints.iter().zip(members) {
            at_step[constraint.place.0].push((constraint.place.1, member));
        }
        let one = Integer::ONE;
        let half = |step: usize, second: bool| {
            let mut sum = Sum::default();
            at_step[step].iter().filter(|(side, _)| *side == second).for_each(|(_, member)| sum.add_sum(member, &one));
            sum
        };
        let mut outer: Vec<Sum> = Vec::new();
        let mut current = Sum::default();
        let mut found = vec![current.clone()];
        for (number, step) in self.path.steps.iter().enumerate() {
            current.add_sum(&half(number, false), &one);
            match step {
                NestedStep::Call { .. } if self.layout.frames[self.layout.frame_at[number + 1]].exit.is_some() => {
                    outer.push(std::mem::take(&mut current));
                }
                NestedStep::Return { .. } => {
                    let caller = outer.pop().expect("a call that returns comes before its return");
                    current.add_sum(&caller, &one);
                }
                _ => {}
            }
            current.add_sum(&half(number, true), &one);
            found.push(current.clone());
        }
        found
    }

    /// That the sum is at most zero, over what is visible at the position.
    fn interpolant(&self, terms: &mut Terms, position: usize, sum: &Sum) -> Result<TermId, InterpolateError> {
        let state = &self.formula.states[position];
        let symbols: FxHashMap<TermId, Symbol> = state.iter().map(|(&symbol, &version)| (version, symbol)).collect();
        let mut over_state = Sum { constant: sum.constant.clone(), ..Sum::default() };
        for (version, coefficient) in &sum.monomials {
            let symbol = *symbols.get(version).ok_or(InterpolateError::Imprecise)?;
            over_state.add_monomial(terms.of_symbol(symbol), coefficient);
        }
        Ok(at_most_zero(terms, &over_state))
    }

    /// A contradiction in each case of the disjunctions, as far as they are needed.
    fn refute_cases(
        &mut self,
        terms: &mut Terms,
        disjunctions: &[Disjunction],
    ) -> Result<Refutation, InterpolateError> {
        self.runs += 1;
        if self.runs > MAX_CASES || self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(InterpolateError::NotLinear);
        }
        if let Some(refutation) = self.refute(terms)? {
            return Ok(refutation);
        }
        let (split, rest) = disjunctions.split_last().ok_or(InterpolateError::NotLinear)?;
        let mut refutations = Vec::new();
        for &case in &split.cases {
            let guards = self.guards.len();
            let mut left = rest.to_vec();
            let kept = std::mem::take(&mut self.disjunctions);
            let parts = parts(terms, case);
            self.guard(split.constraint, parts);
            left.append(&mut self.disjunctions);
            self.disjunctions = kept;
            let refutation = self.refute_cases(terms, &left);
            self.guards.truncate(guards);
            let refutation = refutation?;
            if !refutation.used.contains(&split.constraint) {
                return Ok(refutation);
            }
            refutations.push(refutation);
        }
        Ok(self.combine(terms, split.constraint, refutations))
    }

    /// The contradiction of a disjunction, from those of its cases.
    fn combine(&self, terms: &mut Terms, constraint: usize, cases: Vec<Refutation>) -> Refutation {
        let place = self.formula.constraints[constraint].place;
        let combined = |position: usize| {
            let parts = cases.iter().map(|case| case.interpolants[position]);
            if self.is_before(place, position) { terms.or(parts) } else { terms.and(parts) }
        };
        let interpolants = (0..=self.path.steps.len()).map(combined).collect();
        Refutation { interpolants, used: cases.into_iter().flat_map(|case| case.used).collect() }
    }

    /// Whether the position's sum is also over what has the given place.
    fn is_before(&self, place: Place, position: usize) -> bool {
        let frame = &self.layout.frames[self.layout.frame_at[position]];
        let start = frame.call.filter(|_| frame.exit.is_some());
        place.0 < position && start.is_none_or(|call| (call, true) <= place)
    }
}

impl Row {
    fn add(&mut self, column: usize, coefficient: &Integer) {
        let entry = self.coefficients.entry(column).or_default();
        *entry = &*entry + coefficient;
        if entry.is_zero() {
            self.coefficients.remove(&column);
        }
    }

    fn inequality(&self, sign: &Integer, cost: usize) -> Inequality {
        Inequality {
            coefficients: self.coefficients.iter().map(|(&column, c)| (column, c * sign)).collect(),
            constant: &self.constant * sign,
            cost: Integer::from(cost),
        }
    }
}

/// The version and `version - value`, if the parts are just that equality and it is linear.
fn definition(version: TermId, parts: &[Part]) -> Option<(TermId, Sum)> {
    let [Part::Linear { sum, equality: true }] = parts else { return None };
    let coefficient = sum.coefficient(version).filter(|coefficient| coefficient.abs() == Integer::ONE)?;
    let mut normal = Sum::default();
    normal.add_sum(sum, coefficient);
    Some((version, normal))
}

/// Which steps are the same.
struct Kinds {
    /// For each step, a number that it shares with those that have the same updates, if there are any.
    repeated: Vec<Option<usize>>,
    /// For each step, how often a step with its guard comes.
    guard_count: Vec<usize>,
}

impl Kinds {
    fn new(steps: &[NestedStep]) -> Kinds {
        let updates = |step: &'_ NestedStep| match step {
            NestedStep::Internal(step) => step.updates.clone(),
            NestedStep::Call { parameters } => parameters.clone(),
            NestedStep::Return { results } => results.clone(),
        };
        let guard = |step: &NestedStep| match step {
            NestedStep::Internal(step) => Some(step.guard),
            _ => None,
        };
        let mut kinds: FxHashMap<Vec<(Symbol, TermId)>, (usize, usize)> = FxHashMap::default();
        let mut guards: FxHashMap<TermId, usize> = FxHashMap::default();
        for step in steps {
            let next = kinds.len();
            kinds.entry(updates(step)).or_insert((next, 0)).1 += 1;
            guard(step).into_iter().for_each(|guard| *guards.entry(guard).or_default() += 1);
        }
        Kinds {
            repeated: steps.iter().map(|step| Some(kinds[&updates(step)]).filter(|k| k.1 > 1).map(|k| k.0)).collect(),
            guard_count: steps.iter().map(|step| guard(step).map_or(1, |guard| guards[&guard])).collect(),
        }
    }
}
