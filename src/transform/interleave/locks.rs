//! Which locks there are: objects that `init` makes once and for all, with an offset.

use super::instance::Instance;
use crate::program::control::Frame;
use crate::program::{BinaryOp, Expr, IdVec, Program, Scope, Statement, VarId};

/// A lock: the global that alone points to its object, and the offset.
pub(super) type Lock = (VarId, i64);

/// How many variables are looked through on the way to a lock.
const MAX_LOOKED_THROUGH: u32 = 40;

/// What is written where.
pub(super) struct Pointers<'p> {
    program: &'p Program,
    instances: &'p [Instance],
    /// The globals that one allocation in `init` writes, and nothing else.
    fixed: IdVec<VarId, bool>,
    /// How often a variable is written in procedures.
    writes: IdVec<VarId, u32>,
    /// What is assigned to a variable, where anything is.
    assigned: IdVec<VarId, Option<&'p Expr>>,
}

impl<'p> Pointers<'p> {
    pub(super) fn of(program: &'p Program, instances: &'p [Instance]) -> Self {
        let mut writes: IdVec<VarId, u32> = program.variables.iter().map(|_| 0).collect();
        let mut assigned: IdVec<VarId, Option<&'p Expr>> = program.variables.iter().map(|_| None).collect();
        let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        for statement in edges.flat_map(|edge| edge.block.iter()) {
            statement.targets().into_iter().for_each(|target| writes[target] += 1);
            if let Statement::Assign(pairs) = statement {
                pairs.iter().for_each(|(target, value)| assigned[*target] = Some(value));
            }
        }
        let mut in_init: IdVec<VarId, u32> = program.variables.iter().map(|_| 0).collect();
        let mut allocated: IdVec<VarId, bool> = program.variables.iter().map(|_| false).collect();
        for statement in &program.init {
            statement.targets().into_iter().for_each(|target| in_init[target] += 1);
            if let Statement::Allocate { target, .. } = statement {
                allocated[*target] = true;
            }
        }
        let is_fixed = |variable: VarId| allocated[variable] && in_init[variable] == 1 && writes[variable] == 0;
        let fixed = program.variables.ids().map(is_fixed).collect();
        Pointers { program, instances, fixed, writes, assigned }
    }

    /// The lock that an expression always is, where the instance has that stack.
    pub(super) fn lock(&self, instance: usize, stack: &[Frame], expr: &Expr) -> Option<Lock> {
        self.look(instance, stack, expr, MAX_LOOKED_THROUGH)
    }

    fn look(&self, instance: usize, stack: &[Frame], expr: &Expr, left: u32) -> Option<Lock> {
        let left = left.checked_sub(1)?;
        match expr {
            Expr::Var(variable) if self.fixed[*variable] => Some((*variable, 0)),
            Expr::Var(variable) if self.program.variables[*variable].scope != Scope::Global => {
                let top = stack.last()?;
                let parameters = &self.program.procedures[top.procedure].parameters;
                match (parameters.iter().position(|parameter| parameter == variable), self.writes[*variable]) {
                    (Some(index), 0) => self.look_at_argument(instance, stack, index, left),
                    // A variable that is written in one place has that value wherever it is read.
                    (None, 1) => self.look(instance, stack, self.assigned[*variable]?, left),
                    _ => None,
                }
            }
            Expr::Binary(BinaryOp::PointerAdd, pointer, offset) => {
                let (variable, before) = self.look(instance, stack, pointer, left)?;
                let Expr::Int(offset, _) = &**offset else { return None };
                Some((variable, before.checked_add(offset.to_i64()?)?))
            }
            _ => None,
        }
    }

    /// What is passed for a parameter of the innermost procedure.
    fn look_at_argument(&self, instance: usize, stack: &[Frame], index: usize, left: u32) -> Option<Lock> {
        let (top, below) = stack.split_last()?;
        match (top.call, below.last()) {
            (Some(call), Some(caller)) => {
                let (_, _, arguments) = self.program.procedures[caller.procedure].edges[call].call()?;
                self.look(instance, below, arguments.get(index)?, left)
            }
            _ => {
                let started = self.instances[instance].started.as_ref()?;
                self.look(started.by, &started.stack, started.arguments.get(index)?, left)
            }
        }
    }
}
