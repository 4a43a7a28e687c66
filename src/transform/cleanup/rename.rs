//! Variables that nothing uses are dropped, and the rest numbered as they are printed.

use crate::program::{Expr, IdVec, Piece, Program, Scope, Statement, UnaryOp, VarId, Variable};

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
    program.init.iter_mut().for_each(|statement| rename_statement(statement, &rename));
    for procedure in program.procedures.iter_mut() {
        procedure.parameters.iter_mut().chain(&mut procedure.result).for_each(rename);
        let blocks = procedure.edges.iter_mut().flat_map(|edge| &mut edge.block);
        blocks.for_each(|statement| rename_statement(statement, &rename));
    }
}

fn rename_statement(statement: &mut Statement, rename: &impl Fn(&mut VarId)) {
    use Statement::*;
    let mut all: Vec<&mut Expr> = Vec::new();
    match statement {
        Write { target: e, .. } => all.push(e),
        Assume(e) | Free(e) | Join(e) | Unlock(e) | Lock { lock: e, .. } | Notify { condition: e, .. } => all.push(e),
        Assign(pairs) => {
            for (target, value) in pairs {
                rename(target);
                all.push(value);
            }
        }
        Havoc { target, .. } => rename(target),
        Call { target, arguments, .. } | Spawn { target, arguments, .. } => {
            target.iter_mut().for_each(rename);
            all.extend(arguments);
        }
        Store { address, value } => all.extend([address, value]),
        Copy { target, source, bytes } => all.extend([target, source, bytes]),
        Fill { target, byte, bytes } => all.extend([target, byte, bytes]),
        Output(pieces) => {
            let value = |piece| match piece {
                &mut Piece::Value { ref mut expr, .. } => Some(expr),
                Piece::Text(_) => None,
            };
            all.extend(pieces.iter_mut().filter_map(value));
        }
        Allocate { target, size, .. } => {
            rename(target);
            all.push(size);
        }
        Wait { condition, lock } => all.extend([condition, lock]),
        AtomicBegin | AtomicEnd => {}
    }
    all.into_iter().for_each(|expression| rename_expression(expression, rename));
}

fn rename_expression(expression: &mut Expr, rename: &impl Fn(&mut VarId)) {
    match expression {
        Expr::Var(variable) => rename(variable),
        Expr::Bool(_) | Expr::Int(..) | Expr::Float(..) | Expr::Null | Expr::Function(_) => {}
        Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Load(_, a) => rename_expression(a, rename),
        Expr::Binary(_, a, b) => [a, b].into_iter().for_each(|e| rename_expression(e, rename)),
        Expr::And(all) | Expr::Or(all) => all.iter_mut().for_each(|e| rename_expression(e, rename)),
        Expr::Ite(a, b, c) => [a, b, c].into_iter().for_each(|e| rename_expression(e, rename)),
    }
}

/// Whether the expression reads memory.
pub(super) fn reads_memory(expression: &Expr) -> bool {
    matches!(expression, Expr::Load(..) | Expr::Unary(UnaryOp::IsLocked, _))
        || expression.operands().into_iter().any(reads_memory)
}
