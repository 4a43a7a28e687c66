//! Interpolants by unsatisfiable core and weakest precondition, for a path inside one activation.
//!
//! Backward from the end we compute `bad`, the states from which the rest of the path can be executed; the interpolant
//! is its negation. Two reductions keep it small. First, only what is in an unsatisfiable core of the whole path counts:
//! other guards are dropped, other updates become havoc. Second, `bad` is a conjunction, and at each position only
//! those conjuncts are kept that contradict the path so far (again a core); once they contradict each other, no earlier
//! position needs to know anything.

use super::InterpolateError;
use super::path::{Layout, NestedPath, NestedStep, PathStep};
use super::ssa::{Constraint, ssa};
use crate::solver::eliminate::conjuncts;
use crate::solver::{CoreAnswer, Cores, Eliminate, SmtProcess, Solve, SolverError};
use crate::term::{Sort, Symbol, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// One interpolant per position of an infeasible path. The solver's stack is empty, before and after.
pub(super) fn core_wp(
    solver: &mut SmtProcess,
    terms: &mut Terms,
    steps: &[PathStep],
) -> Result<Vec<TermId>, InterpolateError> {
    let nested: Vec<NestedStep> = steps.iter().cloned().map(NestedStep::Internal).collect();
    let path = NestedPath { globals: &[], steps: &nested };
    let layout = Layout::new(terms, path)?;
    let formula = ssa(terms, path, &layout);
    let relevant = relevant_constraints(solver, terms, &formula.constraints)?;
    assert_prefixes(solver, terms, steps.len(), &relevant);
    let bad = backward(solver, terms, steps, &relevant, &formula.states);
    while solver.level() > 0 {
        solver.pop();
    }
    Ok(bad?.into_iter().map(|bad| terms.not(bad)).collect())
}

/// The constraints of an unsatisfiable core; all of them if the solver does not give one.
fn relevant_constraints(
    solver: &mut SmtProcess,
    terms: &Terms,
    constraints: &[Constraint],
) -> Result<Vec<Constraint>, InterpolateError> {
    let assumptions: Vec<TermId> = constraints.iter().map(|c| c.term).collect();
    match solver.check_core(terms, &assumptions) {
        CoreAnswer::Unsat(core) => Ok(core.into_iter().map(|i| constraints[i]).collect()),
        CoreAnswer::Unknown(_) => Ok(constraints.to_vec()),
        CoreAnswer::Sat => Err(InterpolateError::Feasible),
    }
}

/// The literal under which the path so far is asserted, so that a core tells whether it was needed.
fn switch(terms: &mut Terms) -> TermId {
    terms.var("path!so!far", Sort::Bool)
}

/// Opens a level a step, with its constraints under the switch.
fn assert_prefixes(solver: &mut SmtProcess, terms: &mut Terms, steps: usize, constraints: &[Constraint]) {
    let switch = switch(terms);
    let mut left = constraints.iter().peekable();
    for step in 0..steps {
        solver.push();
        while let Some(constraint) = left.next_if(|c| c.place.0 == step) {
            let switched = terms.implies(switch, constraint.term);
            solver.assert(terms, switched);
        }
    }
}

fn backward(
    solver: &mut SmtProcess,
    terms: &mut Terms,
    steps: &[PathStep],
    relevant: &[Constraint],
    states: &[FxHashMap<Symbol, TermId>],
) -> Result<Vec<TermId>, InterpolateError> {
    let (truth, falsity) = (terms.bool(true), terms.bool(false));
    let mut bad = vec![falsity; steps.len() + 1];
    bad[steps.len()] = truth;
    let relevant_terms: FxHashSet<(usize, TermId)> = relevant.iter().map(|c| (c.place.0, c.term)).collect();
    for (position, step) in steps.iter().enumerate().rev() {
        solver.pop();
        let defined: Vec<Symbol> =
            relevant.iter().filter(|c| c.place.0 == position).filter_map(|c| c.defines).collect();
        let after = bad[position + 1];
        let before = precondition(solver, terms, step, after, &defined)?;
        let guards = conjuncts(terms, step.guard);
        let kept = guards.into_iter().filter(|&guard| {
            let renamed = terms.substitute(guard, &states[position]);
            relevant_terms.contains(&(position, renamed))
        });
        let kept: Vec<TermId> = kept.collect();
        // Where the step only renames, the conjuncts contradict the path so far as they did before.
        let renames = kept.is_empty() && terms.symbols_of([before]) == terms.symbols_of([after]);
        let before = terms.and(kept.into_iter().chain([before]));
        if conjuncts(terms, before).len() == 1 && before != falsity || renames {
            bad[position] = before;
            continue;
        }
        match reduce(solver, terms, before, &states[position])? {
            Some(reduced) => bad[position] = reduced,
            None => return Ok(bad),
        }
    }
    bad[0] = falsity;
    Ok(bad)
}

/// The conjuncts that contradict the path so far; `None` if they contradict each other.
fn reduce(
    solver: &mut SmtProcess,
    terms: &mut Terms,
    bad: TermId,
    state: &FxHashMap<Symbol, TermId>,
) -> Result<Option<TermId>, InterpolateError> {
    let parts = conjuncts(terms, bad);
    let mut done = FxHashMap::default();
    let mut assumptions: Vec<TermId> =
        parts.iter().map(|&part| terms.substitute_cached(part, state, &mut done)).collect();
    assumptions.push(switch(terms));
    match solver.check_core(terms, &assumptions) {
        CoreAnswer::Unsat(core) if core.contains(&parts.len()) => {
            Ok(Some(terms.and(core.into_iter().filter_map(|i| parts.get(i).copied()))))
        }
        CoreAnswer::Unsat(_) => Ok(None),
        // An elimination that was not exact gave too much.
        CoreAnswer::Sat => Err(InterpolateError::Imprecise),
        CoreAnswer::Unknown(_) => Ok(Some(bad)),
    }
}

/// The states from which the step's updates can lead into `bad`; `defined` are those whose update counts.
fn precondition(
    solver: &mut SmtProcess,
    terms: &mut Terms,
    step: &PathStep,
    bad: TermId,
    defined: &[Symbol],
) -> Result<TermId, InterpolateError> {
    let live = terms.symbols_of([bad]);
    let counts = |update: &&(Symbol, TermId)| defined.contains(&update.0);
    let dropped: Vec<(Symbol, TermId)> = step.updates.iter().filter(|u| !counts(u)).copied().collect();
    let free: Vec<Symbol> =
        step.havoc.iter().copied().chain(dropped.iter().map(|u| u.0)).filter(|s| live.contains(s)).collect();
    let mut map: FxHashMap<Symbol, TermId> = step.updates.iter().filter(counts).copied().collect();
    if free.is_empty() {
        return Ok(terms.substitute(bad, &map));
    }
    match eliminate(solver, terms, bad, &map, &free) {
        Ok(result) => Ok(result),
        Err(_) if !dropped.is_empty() => {
            // Keeping the updates that the core dropped is as right, and leaves less to eliminate.
            map.extend(dropped);
            let havocked: Vec<Symbol> = free.into_iter().filter(|symbol| !map.contains_key(symbol)).collect();
            Ok(eliminate(solver, terms, bad, &map, &havocked)?)
        }
        Err(error) => Err(error.into()),
    }
}

fn eliminate(
    solver: &mut SmtProcess,
    terms: &mut Terms,
    bad: TermId,
    map: &FxHashMap<Symbol, TermId>,
    free: &[Symbol],
) -> Result<TermId, SolverError> {
    let mut map = map.clone();
    let mut copies = Vec::new();
    for &symbol in free {
        let name = format!("havoc!{}", terms.name(symbol));
        let copy = terms.var(&name, terms.symbol_sort(symbol));
        map.insert(symbol, copy);
        copies.extend(terms.as_symbol(copy));
    }
    let body = terms.substitute(bad, &map);
    Ok(solver.exists(terms, &copies, body)?.term)
}
