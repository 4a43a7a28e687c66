//! Which edges have to do with a thread's own variables alone, always or in some states.

use super::{Compiler, Slot};
use crate::program::{BinaryOp, Edge, Expr, ProcId, Procedure, Statement, Type, UnaryOp, VarId};

impl Compiler<'_> {
    pub(super) fn is_private(&self, procedure: &Procedure, edge: &Edge, uses_memory: bool) -> bool {
        let is_local = |variable: &VarId| matches!(self.slots[*variable], Slot::Local(_) | Slot::Own(_));
        // In which order objects are made changes their numbers, and where they lie; that is noted where it matters.
        let is_plain = |s: &Statement| {
            use Statement::*;
            matches!(s, Assume(_) | Assign(_) | Call { .. } | Allocate { .. })
                || uses_memory
                    && matches!(
                        s,
                        Store { .. }
                            | Copy { .. }
                            | Fill { .. }
                            | Write { .. }
                            | Lock { .. }
                            | Unlock(_)
                            | Free(_)
                            | Spawn { .. }
                            | Join(_)
                            | AtomicBegin
                            | AtomicEnd
                    )
        };
        let mut statements = edge.block.iter();
        let own = |expr: &Expr| {
            let mut own = (uses_memory || self.reads_no_memory(expr)) && !expr.looks_for_lost();
            let is_own = |variable| uses_memory || is_local(&variable) || !self.changing.contains(&variable);
            expr.for_each_var(&mut |variable| own &= is_own(variable));
            own
        };
        // An error at the start of a callee is one where the edge leads, too.
        let failing = |id: ProcId| {
            let callee = &self.program.procedures[id];
            callee.locations[callee.entry].error.is_some()
        };
        procedure.locations[edge.target].error.is_none()
            && !edge.call().is_some_and(|(_, callee, _)| failing(callee))
            && statements.all(|s| {
                let is_own = |variable: &VarId| uses_memory || is_local(variable);
                is_plain(s) && s.targets().iter().all(is_own) && s.expressions().into_iter().all(own)
            })
    }

    /// Whether the value depends on variables alone, not on what memory holds and which objects there are, but for what
    /// never changes.
    fn reads_no_memory(&self, expr: &Expr) -> bool {
        let reads = match expr {
            Expr::Load(ty, address) => !self.is_header(*ty, address),
            Expr::Unary(
                UnaryOp::IsLive | UnaryOp::IsFreeable | UnaryOp::IsConstant | UnaryOp::ObjectSize | UnaryOp::IsLocked,
                _,
            ) => true,
            Expr::Cast(Type::Pointer, _) => true,
            _ => false,
        };
        !reads && expr.operands().into_iter().all(|operand| self.reads_no_memory(operand))
    }

    /// Whether an access through a variable is to the header of an object. The variable points to its start: it is of a
    /// program that has headers.
    fn is_header(&self, ty: Type, address: &Expr) -> bool {
        let offset = match address {
            Expr::Var(_) => Some(0),
            Expr::Binary(BinaryOp::PointerAdd, base, offset) if matches!(**base, Expr::Var(_)) => match &**offset {
                Expr::Int(n, _) => n.to_i64(),
                _ => None,
            },
            _ => None,
        };
        let bytes = match ty {
            Type::Machine(machine) => machine.bytes(),
            Type::Bool => 1,
            _ => self.program.pointer_bytes,
        };
        offset.is_some_and(|at| at >= 0 && at.saturating_add(bytes.into()) <= i64::from(self.program.header_bytes))
    }
}
