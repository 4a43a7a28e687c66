//! Formulas give every variable a value, executions do not: reading a variable that was never written is undefined.

use super::Failure;
use crate::engine::Stop;
use crate::program::{Id, LocId, ProcId, Program, Span, Statement, VarId};
use rustc_hash::FxHashSet;

/// Checks that every variable that an edge of the procedure reads is written on every path to it: globals by `init`,
/// parameters by the call. Only locations that can be reached count.
pub(super) fn reads_only_what_is_written(
    program: &Program,
    id: ProcId,
    reachable: impl Fn(ProcId, LocId) -> bool,
) -> Result<(), Failure> {
    let procedure = &program.procedures[id];
    let globals = program.init.iter().flat_map(Statement::targets);
    let at_start: FxHashSet<VarId> = globals.chain(procedure.parameters.iter().copied()).collect();
    let mut written: Vec<Option<FxHashSet<VarId>>> = vec![None; procedure.locations.len()];
    written[procedure.entry.index()] = Some(at_start);
    let outgoing = procedure.outgoing();
    let mut waiting = vec![procedure.entry];
    while let Some(location) = waiting.pop() {
        for &edge in outgoing[location].iter().filter(|_| reachable(id, location)) {
            let edge = &procedure.edges[edge];
            let mut now = written[location.index()].clone().expect("a location that waits was reached");
            for statement in &edge.block {
                now.extend(statement.targets());
            }
            let before = &mut written[edge.target.index()];
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
    for edge in procedure.edges.iter().filter(|edge| reachable(id, edge.source)) {
        let Some(mut known) = written[edge.source.index()].clone() else { continue };
        for statement in &edge.block {
            // What another procedure writes to a global is not followed: `init` must have written it.
            let read = |variable: VarId| (!known.contains(&variable)).then_some(variable);
            let mut undefined = None;
            for expr in statement.expressions() {
                expr.for_each_var(&mut |variable| undefined = undefined.or(read(variable)));
            }
            if let Some(variable) = undefined {
                return Err(undefined_read(program, variable, edge.span));
            }
            known.extend(statement.targets());
        }
    }
    match procedure.result {
        Some(result) if written[procedure.exit.index()].as_ref().is_some_and(|known| !known.contains(&result)) => {
            // Whoever uses the result reads it.
            match used_results(program).contains(&id) {
                true => Err(undefined_read(program, result, procedure.span)),
                false => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn undefined_read(program: &Program, variable: VarId, span: Option<Span>) -> Failure {
    let name = &program.variables[variable].name;
    let construct = format!("a read of {name}, which may have no value there,");
    Failure::Stopped(Stop::Unsupported { construct, span })
}

/// The procedures whose results some call uses.
fn used_results(program: &Program) -> FxHashSet<ProcId> {
    let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    edges.filter_map(|edge| edge.call()).filter(|(target, ..)| target.is_some()).map(|(_, callee, _)| callee).collect()
}
