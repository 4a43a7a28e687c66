//! Input that nothing reads.

use crate::program::liveness::Liveness;
use crate::program::{IdVec, ProcId, Procedure, Scope, Statement, VarId, Variable};

/// Removes the input of locals whose value is not read after it; the result is read at the end, if some call uses it.
pub(super) fn drop_dead_input(
    procedure: &mut Procedure,
    variables: &IdVec<VarId, Variable>,
    id: ProcId,
    is_result_used: bool,
) {
    let statements = procedure.edges.iter().flat_map(|edge| &edge.block);
    let inputs = statements.filter_map(|statement| match statement {
        Statement::Havoc { target, .. } if variables[*target].scope == Scope::Local(id) => Some(*target),
        _ => None,
    });
    let live = Liveness::of(procedure, inputs, is_result_used);
    if live.is_empty() {
        return;
    }
    for edge in procedure.edges.iter_mut() {
        let mut after = live.at(edge.target).clone();
        let mut keep = vec![true; edge.block.len()];
        for (index, statement) in edge.block.iter().enumerate().rev() {
            if let Statement::Havoc { target, .. } = statement
                && variables[*target].scope == Scope::Local(id)
            {
                keep[index] = live.has(&after, *target);
            }
            live.step_back(&mut after, statement);
        }
        edge.retain(&keep);
    }
}
