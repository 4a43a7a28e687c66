//! Which steps of a thread no other thread can see, nor make a difference to.

use super::instance::{Instance, Move};
use crate::program::control::Action;
use crate::program::{Expr, Piece, Program, Role, Scope, Statement, Type, UnaryOp, VarId};
use rustc_hash::FxHashSet;

/// What is shared between the threads of a program.
pub(super) struct Shared<'p> {
    program: &'p Program,
    /// The globals that are written after `init`.
    changing: FxHashSet<VarId>,
}

impl<'p> Shared<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        let changing = edges.flat_map(|edge| edge.block.iter().flat_map(Statement::targets)).collect();
        Shared { program, changing }
    }

    /// Whether the step has to do with the instance's own variables alone.
    pub(super) fn is_private(&self, instance: &Instance, step: &Move) -> bool {
        match instance.edge(self.program, step) {
            Some(edge) => edge.block.iter().all(|statement| self.is_own_statement(statement)),
            None => match step.action {
                Action::Return => {
                    step.target.is_some() && result_target(self.program, instance, step).is_none_or(|v| self.is_own(v))
                }
                _ => false,
            },
        }
    }

    fn is_own_statement(&self, statement: &Statement) -> bool {
        use Statement::*;
        let is_plain = match statement {
            // What a call gives is written when it returns.
            Call { .. } | Assume(_) | AtomicBegin => true,
            Output(pieces) => !pieces.iter().any(Piece::reads_memory),
            Assign(_) | Havoc { .. } => statement.targets().into_iter().all(|target| self.is_own(target)),
            Store { .. }
            | Copy { .. }
            | Fill { .. }
            | Write { .. }
            | Allocate { .. }
            | Free(_)
            | Spawn { .. }
            | Join(_) => false,
            Lock { .. } | Unlock(_) | Wait { .. } | Notify { .. } | AtomicEnd => false,
        };
        is_plain && statement.expressions().into_iter().all(|expr| self.is_own_expr(expr))
    }

    fn is_own_expr(&self, expr: &Expr) -> bool {
        let here = match expr {
            Expr::Load(..)
            | Expr::Unary(
                UnaryOp::IsLive | UnaryOp::IsFreeable | UnaryOp::HoldsLock | UnaryOp::IsLocked | UnaryOp::HasLost,
                _,
            ) => false,
            // Which object a number is an address in depends on which objects there are.
            Expr::Cast(Type::Pointer, _) => false,
            Expr::Var(variable) => self.is_own(*variable) || !self.changing.contains(variable),
            _ => true,
        };
        here && expr.operands().into_iter().all(|operand| self.is_own_expr(operand))
    }

    /// Whether each thread has its own.
    fn is_own(&self, variable: VarId) -> bool {
        let variable = &self.program.variables[variable];
        variable.scope != Scope::Global || variable.role == Role::Own
    }
}

/// The variable of the caller that a return writes.
pub(super) fn result_target(program: &Program, instance: &Instance, step: &Move) -> Option<VarId> {
    let stack = &instance.nodes[step.source].stack;
    let caller = stack.len().checked_sub(2).map(|caller| stack[caller])?;
    let call = stack.last().and_then(|top| top.call)?;
    program.procedures[caller.procedure].edges[call].call().and_then(|(target, ..)| target)
}
