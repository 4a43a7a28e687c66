//! Calls of small procedures in loops are inlined, so that a loop with such a call has nothing but steps of its own.

use super::add_variable;
use super::loops::body_of;
use crate::program::{
    Edge, EdgeId, Expr, LocId, Location, ProcId, Procedure, Program, Scope, Statement, VarId, Variable,
};
use rustc_hash::FxHashMap;

/// How many edges a procedure has at most that is inlined.
const MAX_EDGES: usize = 16;

/// How many calls are inlined at most: loops over arrays have a few, and a library that loops has thousands.
const MAX_CALLS: usize = 64;

/// How deep calls of such procedures inside each other are.
const MAX_DEPTH: usize = 4;

/// The program with calls of small procedures in loops inlined.
pub(super) fn inline_small(program: &Program) -> Program {
    let mut result = program.clone();
    let mut left = MAX_CALLS;
    for _ in 0..MAX_DEPTH {
        let small: Vec<ProcId> = result.procedures.ids().filter(|id| is_small(&result, *id)).collect();
        let calls: Vec<(ProcId, EdgeId)> = result
            .procedures
            .enumerate()
            .flat_map(|(id, procedure)| procedure.edges.enumerate().map(move |(edge, data)| (id, edge, data)))
            .filter(|(.., data)| data.call().is_some_and(|(_, callee, _)| small.contains(&callee)))
            .filter(|(id, _, data)| is_repeated(&result.procedures[*id], data))
            .map(|(id, edge, _)| (id, edge))
            .take(left)
            .collect();
        if calls.is_empty() {
            break;
        }
        left -= calls.len();
        calls.into_iter().for_each(|(id, edge)| inline(&mut result, id, edge));
    }
    result
}

/// Whether a procedure has a few steps, none after itself, that make no object, call nothing and cannot fail.
fn is_small(program: &Program, id: ProcId) -> bool {
    use Statement::{Assign, Assume, Havoc, Store};
    let procedure = &program.procedures[id];
    let is_plain = |statement: &Statement| matches!(statement, Assume(_) | Assign(_) | Havoc { .. } | Store { .. });
    id != program.main
        && procedure.edges.len() <= MAX_EDGES
        && procedure.locations.iter().all(|location| location.error.is_none())
        && procedure.edges.iter().all(|edge| edge.block.iter().all(is_plain))
        && !has_loop(program, id)
}

/// Whether a way leads from behind an edge to before it.
fn is_repeated(procedure: &Procedure, edge: &Edge) -> bool {
    procedure.reached_from([edge.target]).contains(&edge.source)
}

fn has_loop(program: &Program, id: ProcId) -> bool {
    // A loop with others inside has one without.
    let procedure = &program.procedures[id];
    procedure.locations.ids().any(|location| body_of(procedure, location).is_some())
}

/// The call on an edge as the steps of the procedure.
fn inline(program: &mut Program, id: ProcId, edge: EdgeId) {
    let data = program.procedures[id].edges[edge].clone();
    let [Statement::Call { target, callee, arguments }] = &data.block[..] else { return };
    let procedure = program.procedures[*callee].clone();
    let locals: Vec<VarId> = program.locals(*callee).collect();
    let mut names: FxHashMap<VarId, VarId> = FxHashMap::default();
    for local in locals {
        let Variable { name, ty, .. } = program.variables[local].clone();
        let own = add_variable(program, &format!("{}%{name}", procedure.name), ty, Scope::Local(id));
        names.insert(local, own);
    }
    let rename = |variable: &mut VarId| *variable = names.get(variable).copied().unwrap_or(*variable);
    let caller = &mut program.procedures[id];
    let locations: FxHashMap<LocId, LocId> = (procedure.locations.enumerate())
        .map(|(location, of)| (location, caller.locations.push(Location { name: None, ..of.clone() })))
        .collect();
    for step in &procedure.edges {
        let mut block = step.block.clone();
        block.iter_mut().for_each(|statement| statement.rename(&rename));
        let (source, target) = (locations[&step.source], locations[&step.target]);
        caller.edges.push(Edge { source, target, label: None, block, span: step.span, places: Vec::new() });
    }
    let given: Vec<(VarId, Expr)> =
        procedure.parameters.iter().map(|parameter| names[parameter]).zip(arguments.iter().cloned()).collect();
    let is_given = |local: &VarId| given.iter().any(|(parameter, _)| parameter == local);
    let mut others: Vec<VarId> = names.values().copied().filter(|local| !is_given(local)).collect();
    others.sort_unstable();
    let mut before: Vec<Statement> = others.into_iter().map(|target| Statement::Havoc { target, span: None }).collect();
    before.extend((!given.is_empty()).then_some(Statement::Assign(given)));
    let returned = target.zip(procedure.result).map(|(target, result)| (target, Expr::Var(names[&result])));
    let after = returned.map(|pair| Statement::Assign(vec![pair])).into_iter().collect();
    let (entry, exit) = (locations[&procedure.entry], locations[&procedure.exit]);
    caller.edges[edge] = Edge { target: entry, block: before, ..data.clone() };
    caller.edges.push(Edge { source: exit, block: after, ..data });
}
