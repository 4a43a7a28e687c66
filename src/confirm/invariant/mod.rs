//! Checks an invariant for each location of a program without calls and threads.
//!
//! The proof stands if `init` leads to where the entry's invariant holds, every edge leads from where its source's
//! invariant holds to where its target's does, and no location that violates the property can be entered. A location
//! that is left out has the invariant `false`. Each of these is one query, which a solver other than the one that
//! found the invariant answers, where one is installed.

use super::panel::{self, Ask, no_answer};
use super::{ConfirmConfig, Failure, defined};
use crate::engine::{Budget, LocationInvariants, Task};
use crate::formula::encode::{Encoder, Transition};
use crate::program::{Edge, EdgeId, LocId, Procedure};
use crate::solver::Answer;
use crate::term::{Sort, TermId, Terms};

/// Checks the invariants, and tells which solver did.
pub(super) fn check(
    task: &Task,
    invariants: LocationInvariants,
    config: &ConfirmConfig,
    budget: &Budget,
) -> Result<String, Failure> {
    panel::answered(config, budget, |ask| check_with(task, invariants, budget, ask))
}

/// Checks the invariants with whatever answers the queries.
fn check_with(task: &Task, invariants: LocationInvariants, budget: &Budget, ask: &mut Ask<'_>) -> Result<(), Failure> {
    let LocationInvariants { mut terms, at } = invariants;
    let program = &task.program;
    let main = &program.procedures[program.main];
    if let Some(formula) = at.values().find(|&&formula| terms.sort(formula) != Sort::Bool) {
        return Err(Failure::Wrong(format!("an invariant is of sort {}", terms.sort(*formula))));
    }
    let reachable = |procedure, location| at.contains_key(&(procedure, location));
    defined::reads_only_what_is_written(program, program.main, reachable)?;
    let encoder = Encoder::new(program, &mut terms);
    let (never, always) = (terms.bool(false), terms.bool(true));
    // An error location may be entered, and ends the execution, unless it is one that counts.
    let invariant = |location: LocId| match &main.locations[location].error {
        Some(failure) if task.property.counts(&failure.kind) => never,
        Some(_) => always,
        None => at.get(&(program.main, location)).copied().unwrap_or(never),
    };
    let mut obligation = |terms: &mut Terms, from: TermId, transition: &Transition, to: TermId, what: &str| {
        budget.check()?;
        let after = transition.after(terms, to);
        let not_after = terms.not(after);
        let query = terms.and([from, transition.guard, not_after]);
        match ask(terms, query) {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(Failure::Wrong(format!("the invariant does not hold after {what}"))),
            Answer::Unknown(reason) => Err(Failure::Stopped(no_answer(reason, budget))),
        }
    };
    let init = encoder.init(&mut terms)?;
    obligation(&mut terms, always, &init, invariant(main.entry), "`init`")?;
    for (id, edge) in main.edges.enumerate() {
        let before = invariant(edge.source);
        if before != never {
            let transition = encoder.edge(&mut terms, program.main, id)?;
            obligation(&mut terms, before, &transition, invariant(edge.target), &name(main, id))?;
        }
    }
    Ok(())
}

/// What an edge is called in a message.
fn name(procedure: &Procedure, id: EdgeId) -> String {
    let Edge { source, target, label, .. } = &procedure.edges[id];
    let location = |id: LocId| match &procedure.locations[id].name {
        Some(name) => format!("`{name}`"),
        None => format!("{id:?}"),
    };
    let route = format!("from {} to {}", location(*source), location(*target));
    match label {
        Some(label) => format!("the edge `{label}` {route}"),
        None => format!("the edge {id:?} {route}"),
    }
}

#[cfg(test)]
mod tests;
