//! Removes what no execution needs: empty steps, locations that nothing reaches, input that nothing reads, and
//! variables that nothing uses.

mod liveness;
mod rename;

use crate::program::sharing::accompanied;
use crate::program::{
    Edge, EdgeId, Id, IdVec, LocId, Location, Piece, ProcId, Procedure, Program, Role, Scope, Statement, VarId,
    Variable,
};
use rustc_hash::FxHashSet;

/// How the steps of a program with threads are told apart.
#[derive(Debug, Clone, Copy)]
pub struct Steps<'f> {
    /// The variables that never change once threads run.
    pub fixed: &'f FxHashSet<VarId>,
    /// Whether an input is read in a step of its own.
    pub inputs_apart: bool,
}

/// Cleans up every procedure. In a program with threads, steps that other threads can see stay apart.
pub fn cleanup(program: &mut Program, steps: Option<Steps<'_>>) {
    for procedure in program.procedures.iter_mut() {
        skip_empty_edges(procedure);
        drop_unreachable(procedure);
    }
    let accompanied = steps.map(|_| accompanied(program));
    let Program { procedures, variables, .. } = program;
    for id in procedures.ids() {
        let accompanied = accompanied.as_ref().map(|accompanied| &accompanied[id]);
        merge_straight(&mut procedures[id], variables, steps, accompanied);
    }
    let edges = procedures.iter().flat_map(|procedure| procedure.edges.iter());
    let calls = edges.filter_map(|edge| edge.call()).filter(|(target, ..)| target.is_some());
    let used: FxHashSet<ProcId> = calls.map(|(_, callee, _)| callee).collect();
    for id in procedures.ids() {
        liveness::drop_dead_input(&mut procedures[id], variables, id, used.contains(&id));
    }
    for procedure in procedures.iter_mut() {
        skip_empty_edges(procedure);
        drop_unreachable(procedure);
    }
    rename::drop_unused_variables(program);
}

/// Lets edges go straight to where an empty step would lead.
fn skip_empty_edges(procedure: &mut Procedure) {
    let outgoing = procedure.outgoing();
    let next = |location: LocId| match outgoing[location][..] {
        [only] if procedure.edges[only].block.is_empty() => Some(procedure.edges[only].target),
        _ => None,
    };
    // Where each leads, and whether that is known; each is walked once.
    let mut resolved: IdVec<LocId, LocId> = procedure.locations.ids().collect();
    let mut state: IdVec<LocId, u32> = procedure.locations.iter().map(|_| 0).collect();
    for (number, start) in procedure.locations.ids().enumerate() {
        let (mark, mut path, mut end) = (number as u32 + 1, Vec::new(), start);
        while state[end] == 0 {
            state[end] = mark;
            path.push(end);
            let Some(target) = next(end) else { break };
            end = target;
        }
        let is_walked = path.last() != Some(&end);
        if is_walked && state[end] == mark {
            // A loop of empty steps goes on for ever; one step of it is enough.
            continue;
        }
        let end = if is_walked { resolved[end] } else { end };
        path.into_iter().for_each(|location| resolved[location] = end);
    }
    for edge in procedure.edges.iter_mut() {
        edge.target = resolved[edge.target];
    }
    procedure.entry = resolved[procedure.entry];
}

/// Drops what the entry does not lead to, and numbers the rest anew.
fn drop_unreachable(procedure: &mut Procedure) {
    let outgoing = procedure.outgoing();
    let mut reached: IdVec<LocId, bool> = procedure.locations.iter().map(|_| false).collect();
    reached[procedure.entry] = true;
    let mut waiting = vec![procedure.entry];
    while let Some(location) = waiting.pop() {
        for edge in &outgoing[location] {
            let target = procedure.edges[*edge].target;
            if !std::mem::replace(&mut reached[target], true) {
                waiting.push(target);
            }
        }
    }
    let edges = std::mem::take(&mut procedure.edges);
    procedure.edges = edges.into_items().into_iter().filter(|edge| reached[edge.source]).collect();
    reached[procedure.exit] = true;
    renumber(procedure, &reached);
}

fn renumber(procedure: &mut Procedure, keep: &IdVec<LocId, bool>) {
    let mut numbers: IdVec<LocId, LocId> = IdVec::new();
    let mut locations: IdVec<LocId, Location> = IdVec::new();
    for (id, location) in procedure.locations.enumerate() {
        numbers.push(if keep[id] { locations.push(location.clone()) } else { LocId::new(0) });
    }
    procedure.locations = locations;
    for edge in procedure.edges.iter_mut() {
        edge.source = numbers[edge.source];
        edge.target = numbers[edge.target];
    }
    procedure.entry = numbers[procedure.entry];
    procedure.exit = numbers[procedure.exit];
}

/// Makes one edge of two where nothing else comes or goes between them.
fn merge_straight(
    procedure: &mut Procedure,
    variables: &IdVec<VarId, Variable>,
    steps: Option<Steps<'_>>,
    accompanied: Option<&IdVec<LocId, bool>>,
) {
    let outgoing = procedure.outgoing();
    let mut incoming: IdVec<LocId, Vec<EdgeId>> = procedure.locations.iter().map(|_| Vec::new()).collect();
    for (id, edge) in procedure.edges.enumerate() {
        incoming[edge.target].push(id);
    }
    let visible = |edge: &Edge| steps.map_or(0, |steps| visible_steps(edge, variables, steps));
    let mut visible: IdVec<EdgeId, usize> = procedure.edges.iter().map(visible).collect();
    let mut keep: IdVec<LocId, bool> = procedure.locations.iter().map(|_| true).collect();
    let mut gone: IdVec<EdgeId, bool> = procedure.edges.iter().map(|_| false).collect();
    for middle in procedure.locations.ids() {
        let ([first], [second]) = (&incoming[middle][..], &outgoing[middle][..]) else { continue };
        let (first, second) = (*first, *second);
        if middle == procedure.entry || first == second {
            continue;
        }
        let (a, b) = (&procedure.edges[first], &procedure.edges[second]);
        if a.call().is_some() || b.call().is_some() || matches!(a.block.last(), Some(Statement::Wait { .. })) {
            continue;
        }
        let is_undone = || a.block.iter().any(|it| is_seen(it, variables)) && b.block.iter().any(may_undo);
        let is_apart = accompanied.is_some_and(|at| at[middle]) || steps.is_some_and(|steps| steps.inputs_apart);
        if is_apart && (visible[first] + visible[second] > 1 || is_undone()) {
            continue;
        }
        visible[first] += visible[second];
        let target = procedure.edges[second].target;
        let merged =
            Edge { block: std::mem::take(&mut procedure.edges[second].block), ..procedure.edges[second].clone() };
        gone[second] = true;
        keep[middle] = false;
        // Where several edges come in, nothing is merged, and which they are does not matter.
        if let [only] = &mut incoming[target][..] {
            *only = first;
        }
        procedure.edges[first].append(merged);
        procedure.edges[first].target = target;
    }
    let edges = std::mem::take(&mut procedure.edges).into_items();
    let kept = edges.into_iter().zip(gone.iter()).filter(|(_, gone)| !**gone).map(|(edge, _)| edge);
    procedure.edges = kept.collect();
    renumber(procedure, &keep);
}

/// How many statements of an edge other threads can see.
fn visible_steps(edge: &Edge, variables: &IdVec<VarId, Variable>, steps: Steps<'_>) -> usize {
    edge.block.iter().filter(|statement| is_visible(statement, variables, steps)).count()
}

/// Whether a statement may block its step, which undoes all of it: what others have seen must not be in one step before it. An
/// input goes with what is assumed of it.
pub fn may_undo(statement: &Statement) -> bool {
    matches!(statement, Statement::Assume(_) | Statement::Havoc { .. })
}

/// Whether other threads can see that a statement was executed.
pub fn is_seen(statement: &Statement, variables: &IdVec<VarId, Variable>) -> bool {
    let is_shared =
        |variable: VarId| variables[variable].scope == Scope::Global && variables[variable].role != Role::Own;
    match statement {
        Statement::Assume(_) | Statement::Output(_) | Statement::AtomicBegin | Statement::AtomicEnd => false,
        Statement::Assign(_) | Statement::Havoc { .. } | Statement::Allocate { .. } => {
            statement.targets().into_iter().any(is_shared)
        }
        _ => true,
    }
}

/// Whether other threads can see a statement.
pub fn is_visible(statement: &Statement, variables: &IdVec<VarId, Variable>, steps: Steps<'_>) -> bool {
    let is_shared = |variable: VarId| {
        let Variable { scope, role, .. } = &variables[variable];
        *scope == Scope::Global && *role != Role::Own && !steps.fixed.contains(&variable)
    };
    match statement {
        Statement::Havoc { .. } if steps.inputs_apart => true,
        Statement::Output(pieces) if pieces.iter().any(Piece::reads_memory) => true,
        Statement::Assume(_) | Statement::Assign(_) | Statement::Havoc { .. } | Statement::Output(_) => {
            let mut found = statement.targets().into_iter().any(is_shared);
            for expression in statement.expressions() {
                found |= rename::reads_memory(expression);
                expression.for_each_var(&mut |variable| found |= is_shared(variable));
            }
            found
        }
        _ => true,
    }
}
