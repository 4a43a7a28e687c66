//! Which variables can only have values that are written in the program.

use crate::formula::blocks::Blocks;
use crate::program::{Expr, Program, Statement, Type, VarId};
use crate::term::Symbol;
use rustc_hash::FxHashSet;

/// The variables that only ever take constants, or values of other such variables: flags and the states of machines.
pub(super) fn finite_variables(program: &Program, blocks: &Blocks<'_>) -> FxHashSet<Symbol> {
    let mut infinite: FxHashSet<VarId> = FxHashSet::default();
    let mut assignments: Vec<(VarId, Vec<VarId>)> = Vec::new();
    let statements = program.procedures.iter().flat_map(|p| p.edges.iter().flat_map(|edge| edge.block.iter()));
    for statement in program.init.iter().chain(statements) {
        match statement {
            Statement::Assign(pairs) => {
                for (target, value) in pairs {
                    record(program, *target, value, &mut infinite, &mut assignments);
                }
            }
            Statement::Call { target, callee, arguments } => {
                let procedure = &program.procedures[*callee];
                for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
                    record(program, *parameter, argument, &mut infinite, &mut assignments);
                }
                if let (Some(target), Some(result)) = (target, procedure.result) {
                    assignments.push((*target, vec![result]));
                }
            }
            other => infinite.extend(other.targets().into_iter().filter(|v| program.variables[*v].ty != Type::Bool)),
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (target, sources) in &assignments {
            if sources.iter().any(|source| infinite.contains(source)) {
                changed |= infinite.insert(*target);
            }
        }
    }
    let all = program.variables.enumerate().map(|(id, _)| id);
    all.filter(|variable| !infinite.contains(variable)).filter_map(|variable| blocks.symbol(variable)).collect()
}

/// Notes where a value comes from.
fn record(
    program: &Program,
    target: VarId,
    value: &Expr,
    infinite: &mut FxHashSet<VarId>,
    assignments: &mut Vec<(VarId, Vec<VarId>)>,
) {
    match value {
        Expr::Int(..) | Expr::Bool(_) => {}
        Expr::Var(source) => assignments.push((target, vec![*source])),
        Expr::Cast(_, inner) => record(program, target, inner, infinite, assignments),
        Expr::Ite(_, then, otherwise) => {
            record(program, target, then, infinite, assignments);
            record(program, target, otherwise, infinite, assignments);
        }
        other if other.type_in(program) == Type::Bool => {}
        _ => {
            infinite.insert(target);
        }
    }
}
