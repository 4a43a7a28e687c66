//! Variables that nothing uses are dropped, and the rest numbered as they are printed.

use crate::program::{Expr, IdVec, Program, Scope, UnaryOp, VarId, Variable};

/// Drops variables that nothing uses; globals come first, then the locals of each procedure.
pub(super) fn drop_unused_variables(program: &mut Program) {
    let mut used: IdVec<VarId, bool> = program.variables.iter().map(|_| false).collect();
    let blocks = program.procedures.iter().flat_map(|procedure| procedure.edges.iter().flat_map(|edge| &edge.block));
    for statement in program.init.iter().chain(blocks) {
        statement.targets().into_iter().for_each(|target| used[target] = true);
        for expression in statement.expressions() {
            expression.for_each_var(&mut |variable| used[variable] = true);
        }
    }
    for procedure in &program.procedures {
        procedure.parameters.iter().chain(&procedure.result).for_each(|variable| used[*variable] = true);
    }
    let mut order: Vec<VarId> = program.variables.ids().filter(|id| used[*id]).collect();
    order.sort_by_key(|id| match program.variables[*id].scope {
        Scope::Global => (0, None),
        Scope::Local(procedure) => (1, Some(procedure)),
    });
    let mut numbers: IdVec<VarId, Option<VarId>> = program.variables.iter().map(|_| None).collect();
    let mut variables: IdVec<VarId, Variable> = IdVec::new();
    for id in order {
        numbers[id] = Some(variables.push(program.variables[id].clone()));
    }
    program.variables = variables;
    let rename = |id: &mut VarId| *id = numbers[*id].expect("a variable that is used has a number");
    program.init.iter_mut().for_each(|statement| statement.rename(&rename));
    for procedure in program.procedures.iter_mut() {
        procedure.parameters.iter_mut().chain(&mut procedure.result).for_each(rename);
        let blocks = procedure.edges.iter_mut().flat_map(|edge| &mut edge.block);
        blocks.for_each(|statement| statement.rename(&rename));
    }
}

/// Whether the expression reads memory.
pub(super) fn reads_memory(expression: &Expr) -> bool {
    matches!(expression, Expr::Load(..) | Expr::Unary(UnaryOp::IsLocked, _))
        || expression.operands().into_iter().any(reads_memory)
}
