//! Variables that iterations of a loop do not let fall, or do not let rise, as a maximum and a minimum.
//!
//! That they do is a guess, by how they are compared with what they are given; the iteration on the side checks it.

use super::counter::mentions;
use super::loops::assigned;
use crate::program::{BinaryOp, Edge, EdgeId, Expr, LocId, Procedure, Program, Statement, Type, VarId};

/// The variables that look so, each with how what it was compares with what it is after an iteration.
pub(super) fn ordered(program: &Program, procedure: &Procedure, edges: &[EdgeId]) -> Vec<(VarId, BinaryOp)> {
    let edges: Vec<&Edge> = edges.iter().map(|edge| &procedure.edges[*edge]).collect();
    let mut variables: Vec<VarId> = edges.iter().flat_map(|edge| assigned(edge)).collect();
    variables.sort_unstable();
    variables.dedup();
    variables.retain(|variable| matches!(program.variables[*variable].ty, Type::Machine(_)));
    variables.into_iter().filter_map(|variable| Some((variable, order_of(&edges, variable)?))).collect()
}

/// How a variable looks ordered; `None` where it is given something that it was not compared with.
fn order_of(edges: &[&Edge], variable: VarId) -> Option<BinaryOp> {
    let mut order = None;
    for edge in edges {
        for (number, statement) in edge.block.iter().enumerate() {
            if !statement.targets().contains(&variable) {
                continue;
            }
            let Statement::Assign(pairs) = statement else { return None };
            for (_, value) in pairs.iter().filter(|(target, _)| *target == variable) {
                let found = match value {
                    Expr::Ite(condition, then, otherwise) => chosen(variable, condition, then, otherwise)?,
                    value => compared_before(edges, (edge.source, &edge.block[..number]), variable, value)?,
                };
                if order.replace(found).is_some_and(|known| known != found) {
                    return None;
                }
            }
        }
    }
    order
}

/// The order where a variable is given one of two values, itself among them, by how they compare.
fn chosen(variable: VarId, condition: &Expr, then: &Expr, otherwise: &Expr) -> Option<BinaryOp> {
    match (*then == Expr::Var(variable), *otherwise == Expr::Var(variable)) {
        (false, true) => compared(condition, variable, then),
        (true, false) => compared(condition, variable, otherwise).map(opposite),
        _ => None,
    }
}

/// The order where a comparison on the only way to a place says that the value is not less, or not greater, than the
/// variable.
fn compared_before(
    edges: &[&Edge],
    (mut source, mut before): (LocId, &[Statement]),
    variable: VarId,
    value: &Expr,
) -> Option<BinaryOp> {
    let mut value = value;
    // A way back through more edges than there are goes round for ever.
    for _ in 0..=edges.len() {
        for statement in before.iter().rev() {
            if let Statement::Assume(condition) = statement
                && let Some(order) = compared(condition, variable, value)
            {
                return Some(order);
            }
            if let Some(copied) = given(statement, value) {
                value = copied;
            } else if statement.targets().into_iter().any(|target| target == variable || mentions(value, target)) {
                return None;
            }
        }
        let mut entering = edges.iter().filter(|edge| edge.target == source);
        let (Some(only), None) = (entering.next(), entering.next()) else { return None };
        (source, before) = (only.source, &only.block);
    }
    None
}

/// What a statement gives to a variable, and nothing else.
fn given<'e>(statement: &'e Statement, variable: &Expr) -> Option<&'e Expr> {
    let (Statement::Assign(pairs), Expr::Var(variable)) = (statement, variable) else { return None };
    let [(target, value)] = &pairs[..] else { return None };
    (target == variable && !mentions(value, *variable)).then_some(value)
}

/// How a variable compares with a value where a condition holds.
fn compared(condition: &Expr, variable: VarId, value: &Expr) -> Option<BinaryOp> {
    let Expr::Binary(op, a, b) = condition else { return None };
    let rises = match op {
        BinaryOp::Lt | BinaryOp::Le => BinaryOp::Le,
        BinaryOp::Gt | BinaryOp::Ge => BinaryOp::Ge,
        _ => return None,
    };
    if **a == Expr::Var(variable) && **b == *value {
        return Some(rises);
    }
    (**b == Expr::Var(variable) && **a == *value).then(|| opposite(rises))
}

fn opposite(order: BinaryOp) -> BinaryOp {
    if order == BinaryOp::Le { BinaryOp::Ge } else { BinaryOp::Le }
}
