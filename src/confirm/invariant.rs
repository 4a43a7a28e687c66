//! Checks an invariant for each location of a program without calls and threads.
//!
//! The proof stands if `init` leads to where the entry's invariant holds, every edge leads from where its source's
//! invariant holds to where its target's does, and no location that violates the property can be entered. A location
//! that is left out has the invariant `false`. Each of these is one query, which a solver other than the one that
//! found the invariant answers, where one is installed.

use super::{ConfirmConfig, Failure};
use crate::engine::{Budget, LocationInvariants, Stop, Task};
use crate::program::encode::{Encoder, Transition, Unsupported};
use crate::program::{Edge, EdgeId, LocId, Procedure, Program, Statement, VarId};
use crate::solver::{Answer, Found, Reason, SmtProcess, Solve, locate, second_opinion};
use crate::term::{Sort, TermId, Terms};
use rustc_hash::FxHashSet;
use std::time::Instant;

/// Checks the invariants, and tells which solver did.
pub(super) fn check(
    task: &Task,
    invariants: LocationInvariants,
    config: &ConfirmConfig,
    budget: &Budget,
) -> Result<String, Failure> {
    let mut panel = Panel::new(config, budget)?;
    check_with(task, invariants, budget, &mut |terms, query| panel.ask(terms, query))?;
    Ok(panel.describe())
}

/// Checks the invariants with whatever answers the queries.
fn check_with(
    task: &Task,
    invariants: LocationInvariants,
    budget: &Budget,
    ask: &mut dyn FnMut(&Terms, TermId) -> Answer,
) -> Result<(), Failure> {
    let LocationInvariants { mut terms, at } = invariants;
    let program = &task.program;
    let main = &program.procedures[program.main];
    if let Some(formula) = at.values().find(|&&formula| terms.sort(formula) != Sort::Bool) {
        return Err(Failure::Wrong(format!("an invariant is of sort {}", terms.sort(*formula))));
    }
    reads_only_what_is_written(program, |location| at.contains_key(&(program.main, location)))?;
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
    let init = encoder.init(&mut terms).map_err(unsupported)?;
    obligation(&mut terms, always, &init, invariant(main.entry), "`init`")?;
    for (id, edge) in main.edges.enumerate() {
        let before = invariant(edge.source);
        if before != never {
            let transition = encoder.edge(&mut terms, program.main, id).map_err(unsupported)?;
            obligation(&mut terms, before, &transition, invariant(edge.target), &name(main, id))?;
        }
    }
    Ok(())
}

fn unsupported(unsupported: Unsupported) -> Failure {
    Failure::Stopped(Stop::Unsupported { construct: unsupported.construct.to_owned(), span: unsupported.span })
}

fn no_answer(reason: Reason, budget: &Budget) -> Stop {
    match budget.check() {
        Err(stop) => stop,
        Ok(()) => Stop::Solver(format!("the proof could not be checked: {reason}")),
    }
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

/// Formulas give every variable a value, executions do not: reading a variable that was never written has no meaning.
/// So every variable that an edge reads must be written on every path to it.
fn reads_only_what_is_written(program: &Program, reachable: impl Fn(LocId) -> bool) -> Result<(), Failure> {
    let main = &program.procedures[program.main];
    let at_start: FxHashSet<VarId> = program.init.iter().flat_map(Statement::targets).collect();
    let mut written: Vec<Option<FxHashSet<VarId>>> = vec![None; main.locations.len()];
    let index = |location: LocId| crate::program::Id::index(location);
    written[index(main.entry)] = Some(at_start);
    let outgoing = main.outgoing();
    let mut waiting = vec![main.entry];
    while let Some(location) = waiting.pop() {
        for &id in outgoing[location].iter().filter(|_| reachable(location)) {
            let edge = &main.edges[id];
            let mut now = written[index(location)].clone().expect("a location that waits was reached");
            for statement in &edge.block {
                now.extend(statement.targets());
            }
            let before = &mut written[index(edge.target)];
            let common = match before {
                None => now,
                Some(known) => known.intersection(&now).copied().collect(),
            };
            if before.as_ref() != Some(&common) {
                *before = Some(common);
                waiting.push(edge.target);
            }
        }
    }
    for edge in main.edges.iter().filter(|edge| reachable(edge.source)) {
        let Some(mut known) = written[index(edge.source)].clone() else { continue };
        for statement in &edge.block {
            let mut undefined = None;
            let mut look = |variable| {
                if !known.contains(&variable) {
                    undefined = Some(variable);
                }
            };
            statement.expressions().into_iter().for_each(|expr| expr.for_each_var(&mut look));
            if let Some(variable) = undefined {
                let name = &program.variables[variable].name;
                let construct = format!("a read of {name}, which may have no value there,");
                return Err(Failure::Stopped(Stop::Unsupported { construct, span: edge.span }));
            }
            known.extend(statement.targets());
        }
    }
    Ok(())
}

/// The solvers that answer: the second opinion, and the one that found the proof where that does not know.
struct Panel {
    members: Vec<Member>,
}

struct Member {
    name: String,
    process: SmtProcess,
    /// How many queries it answered.
    answered: usize,
}

impl Panel {
    fn new(config: &ConfirmConfig, budget: &Budget) -> Result<Panel, Failure> {
        let finder = locate(config.solver.as_deref()).map_err(|error| Stop::Solver(error.to_string()))?;
        let second = second_opinion(finder.kind).filter(|second| second.program != finder.program);
        let deadline = budget.remaining().and_then(|left| Instant::now().checked_add(left));
        let members = second.into_iter().chain([finder]).map(|found| Member::new(&found, deadline)).collect();
        Ok(Panel { members })
    }

    fn ask(&mut self, terms: &Terms, query: TermId) -> Answer {
        let mut answer = Answer::Unknown(Reason::Failed("no solver".to_owned()));
        for member in &mut self.members {
            answer = member.process.check(terms, &[query]);
            if !matches!(answer, Answer::Unknown(_)) {
                member.answered += 1;
                break;
            }
        }
        answer
    }

    fn describe(&self) -> String {
        let busy: Vec<String> = self.members.iter().filter(|m| m.answered > 0).map(|m| m.name.clone()).collect();
        let names =
            if busy.is_empty() { "no solver, as there was nothing to ask".to_owned() } else { busy.join(" and ") };
        let alone = if self.members.len() == 1 { ", the only solver that is installed" } else { "" };
        format!("{names}{alone}")
    }
}

impl Member {
    fn new(found: &Found, deadline: Option<Instant>) -> Member {
        let version = found.version.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        let mut process = SmtProcess::new(found.config());
        process.set_deadline(deadline);
        Member { name: format!("{} {version}", found.kind).trim_end().to_owned(), process, answered: 0 }
    }
}

#[cfg(test)]
mod tests;
