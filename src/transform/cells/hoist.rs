//! Headers of objects are read before a loop that does not change them, and what a loop begins with comes first in it.
//!
//! The header of an object says what class it is of and how many elements it has; a loop that writes no header, and calls
//! nothing, changes neither. Conditions that such a loop does not change, and that hold wherever its first location is
//! left, are conditions before the loop.

use super::counter::mentions;
use super::loops::natural_loop;
use super::prepare::{replace, substitute};
use super::{add_variable, is_header, zero};
use crate::program::{
    BinaryOp, Edge, EdgeId, Expr, LocId, Location, ProcId, Procedure, Program, Scope, Statement, Type, VarId,
};
use rustc_hash::FxHashSet;

/// Does so for all loops of a procedure.
pub(super) fn hoist_headers(program: &mut Program, id: ProcId) {
    for header in program.procedures[id].locations.ids().collect::<Vec<_>>() {
        if body_of(&program.procedures[id], header).is_none() {
            continue;
        }
        begin_with_conditions(&mut program.procedures[id], header);
        let Some(body) = body_of(&program.procedures[id], header) else { continue };
        let edges = edges_of(&program.procedures[id], &body);
        if changes_headers(program, id, &edges) {
            continue;
        }
        let mut before = read_headers(program, id, &edges);
        before.extend(invariant_conditions(&mut program.procedures[id], header, &edges));
        if !before.is_empty() {
            enter_through(&mut program.procedures[id], header, &body, before);
        }
    }
}

/// The locations of a loop, its first one included. `None` if there is no loop.
fn body_of(procedure: &Procedure, header: LocId) -> Option<FxHashSet<LocId>> {
    Some(natural_loop(procedure, header)?.into_iter().chain([header]).collect())
}

/// The edges from the locations of a loop, those that leave it included.
fn edges_of(procedure: &Procedure, body: &FxHashSet<LocId>) -> Vec<EdgeId> {
    procedure.edges.enumerate().filter(|(_, edge)| body.contains(&edge.source)).map(|(id, _)| id).collect()
}

/// Whether edges may change the header of an object that was there before them.
fn changes_headers(program: &Program, id: ProcId, edges: &[EdgeId]) -> bool {
    let block = |edge: &EdgeId| program.procedures[id].edges[*edge].block.iter();
    edges.iter().flat_map(block).any(|statement| match statement {
        Statement::Assume(_) | Statement::Assign(_) | Statement::Havoc { .. } => false,
        Statement::Store { address, .. } => !is_behind_header(program, address),
        _ => true,
    })
}

/// Whether an access is to what lies behind the header of an object.
fn is_behind_header(program: &Program, address: &Expr) -> bool {
    matches!(address, Expr::Binary(BinaryOp::PointerAdd, base, _) if matches!(**base, Expr::Var(_)))
        && !is_header(program, address)
}

/// Reads headers once: the statements for it. The edges of the loop have variables in their place.
fn read_headers(program: &mut Program, id: ProcId, edges: &[EdgeId]) -> Vec<Statement> {
    let assigned = assigned_by(&program.procedures[id], edges);
    let mut loads: Vec<Expr> = Vec::new();
    for statement in edges.iter().flat_map(|edge| &program.procedures[id].edges[*edge].block) {
        for expr in statement.expressions() {
            collect(program, expr, &assigned, &mut loads);
        }
    }
    let mut before = Vec::new();
    for load in loads {
        let Expr::Load(ty, address) = &load else { continue };
        let Some(base) = base_of(address) else { continue };
        let name = format!("{}!header{}", program.variables[base].name, program.variables.len());
        let variable = add_variable(program, &name, *ty, Scope::Local(id));
        let is_object = Expr::binary(BinaryOp::Ne, Expr::Var(base), Expr::Null);
        let value = Expr::Ite(Box::new(is_object), Box::new(load.clone()), Box::new(zero(*ty)));
        before.push(Statement::Assign(vec![(variable, value)]));
        for edge in edges {
            let block = &mut program.procedures[id].edges[*edge].block;
            let by = |part: &Expr| (*part == load).then_some(Expr::Var(variable));
            block.iter_mut().for_each(|statement| rewrite(statement, &|expr| replace(expr, &by)));
        }
    }
    before
}

fn collect(program: &Program, expr: &Expr, assigned: &FxHashSet<VarId>, loads: &mut Vec<Expr>) {
    if let Expr::Load(Type::Machine(_), address) = expr
        && is_header(program, address)
        && base_of(address).is_some_and(|base| !assigned.contains(&base))
        && !loads.contains(expr)
    {
        loads.push(expr.clone());
    }
    expr.operands().into_iter().for_each(|operand| collect(program, operand, assigned, loads));
}

/// The variable that an address is at a constant distance from.
fn base_of(address: &Expr) -> Option<VarId> {
    match address {
        Expr::Var(base) => Some(*base),
        Expr::Binary(BinaryOp::PointerAdd, base, bytes) if matches!(**bytes, Expr::Int(..)) => base_of(base),
        _ => None,
    }
}

fn assigned_by(procedure: &Procedure, edges: &[EdgeId]) -> FxHashSet<VarId> {
    edges.iter().flat_map(|edge| &procedure.edges[*edge].block).flat_map(Statement::targets).collect()
}

/// Changes the expressions of an assumption, an assignment or a store.
fn rewrite(statement: &mut Statement, change: &impl Fn(&Expr) -> Expr) {
    match statement {
        Statement::Assume(condition) => *condition = change(condition),
        Statement::Assign(pairs) => pairs.iter_mut().for_each(|(_, value)| *value = change(value)),
        Statement::Store { address, value } => (*address, *value) = (change(address), change(value)),
        _ => {}
    }
}

/// Lets the edges from the first location of a loop begin with conditions, where what comes before these is no more than
/// assignments: one edge that all others follow is joined with each of them.
fn begin_with_conditions(procedure: &mut Procedure, header: LocId) {
    let outgoing = procedure.outgoing();
    if let [only] = outgoing[header][..] {
        let middle = procedure.edges[only].target;
        let ways = procedure.edges.iter().filter(|edge| edge.target == middle).count();
        let is_plain = |statement: &Statement| matches!(statement, Statement::Assume(_) | Statement::Assign(_));
        let next = &outgoing[middle];
        let fits = ways == 1 && middle != header && middle != procedure.entry && next.len() > 1;
        if !fits
            || !procedure.edges[only].block.iter().all(is_plain)
            || next.iter().any(|edge| procedure.edges[*edge].call().is_some())
        {
            return;
        }
        let first = std::mem::replace(&mut procedure.edges[only].block, vec![Statement::Assume(Expr::Bool(false))]);
        for edge in next {
            let data = &mut procedure.edges[*edge];
            data.source = header;
            data.block = first.iter().chain(&data.block).cloned().collect();
        }
        procedure.edges = procedure.edges.enumerate().filter(|(id, _)| *id != only).map(|(_, e)| e.clone()).collect();
    }
    for edge in procedure.edges.iter_mut().filter(|edge| edge.source == header) {
        conditions_first(&mut edge.block);
    }
}

/// Puts conditions before the assignments that they come after, over the values before these.
fn conditions_first(block: &mut Vec<Statement>) {
    let (mut conditions, mut assignments) = (Vec::new(), Vec::new());
    let mut rest = 0;
    for statement in block.iter() {
        match statement {
            Statement::Assign(pairs) if pairs.len() == 1 && !reads_elements(&pairs[0].1) => {
                assignments.push(pairs[0].clone());
            }
            Statement::Assume(condition) => {
                let mut condition = condition.clone();
                for (variable, value) in assignments.iter().rev() {
                    condition = substitute(&condition, *variable, value);
                }
                conditions.push(Statement::Assume(condition));
            }
            _ => break,
        }
        rest += 1;
    }
    let assigned = assignments.into_iter().map(|pair| Statement::Assign(vec![pair]));
    *block = conditions.into_iter().chain(assigned).chain(block[rest..].iter().cloned()).collect();
}

/// Whether an expression reads memory elsewhere than a number at a constant distance from a variable.
fn reads_elements(expr: &Expr) -> bool {
    matches!(expr, Expr::Load(ty, address) if *ty == Type::Pointer || base_of(address).is_none())
        || expr.operands().into_iter().any(reads_elements)
}

/// Takes conditions that all edges from the first location begin with, and that the loop does not change, from there.
fn invariant_conditions(procedure: &mut Procedure, header: LocId, edges: &[EdgeId]) -> Vec<Statement> {
    let assigned = assigned_by(procedure, edges);
    let from_header: Vec<EdgeId> = edges.iter().copied().filter(|e| procedure.edges[*e].source == header).collect();
    let mut found = Vec::new();
    let Some(first) = from_header.first() else { return found };
    let is_condition = |statement: &&Statement| matches!(statement, Statement::Assume(_));
    for statement in procedure.edges[*first].block.clone().iter().take_while(is_condition) {
        let Statement::Assume(condition) = statement else { break };
        let is_fixed = !condition.has_load() && !assigned.iter().any(|variable| mentions(condition, *variable));
        let begins =
            |edge: &EdgeId| procedure.edges[*edge].block.iter().take_while(is_condition).any(|s| s == statement);
        if is_fixed && from_header.iter().all(begins) {
            found.push(statement.clone());
            for edge in &from_header {
                let block = &mut procedure.edges[*edge].block;
                let at = block.iter().position(|other| other == statement);
                at.into_iter().for_each(|at| drop(block.remove(at)));
            }
        }
    }
    found
}

/// Puts statements before a loop.
fn enter_through(procedure: &mut Procedure, header: LocId, body: &FxHashSet<LocId>, block: Vec<Statement>) {
    let span = procedure.locations[header].span;
    let before = procedure.locations.push(Location { name: None, error: None, span });
    for edge in procedure.edges.iter_mut() {
        if edge.target == header && !body.contains(&edge.source) {
            edge.target = before;
        }
    }
    if procedure.entry == header {
        procedure.entry = before;
    }
    procedure.edges.push(Edge { source: before, target: header, label: None, block, span, places: Vec::new() });
}
