//! What must not be written: string literals, and objects that are declared `const`, static or on the stack.
//!
//! They are in a region of their own, and a write through a pointer looks at where it goes. Where no pointer to one of
//! them gets anywhere, nothing has to look.

use super::{Lower, Lowered};
use crate::frontend::c::ast::Qualifiers;
use crate::frontend::c::types::Ty;
use crate::program::{BinaryOp, Edge, ErrorKind, Expr, Program, Region, Statement, UnaryOp, VarId};
use rustc_hash::FxHashSet;

const WRITE: &str = "a string literal or a constant object is written";

impl Lower<'_> {
    /// The region of the object of this type to which the variable will point; one of constants where it must not be
    /// written.
    pub(super) fn region_of(&mut self, pointer: VarId, ty: Ty, is_static: bool) -> Region {
        match (self.unit.types.qualifiers(ty).has(Qualifiers::CONST), is_static) {
            (false, true) => Region::Static,
            (false, false) => Region::Stack,
            (true, _) => {
                self.constants.insert(pointer);
                if is_static { Region::Constant } else { Region::ConstantStack }
            }
        }
    }

    /// Gives the object of a local its first value, which a constant may be given.
    pub(super) fn giving_value<T>(
        &mut self,
        pointer: VarId,
        inner: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let before = self.body.initialised.replace(pointer);
        let result = inner(self);
        self.body.initialised = before;
        result
    }

    /// Goes to an error if the address is of what must not be written. It is an invalid access: an error for the memory
    /// properties and where an execution is shown, open otherwise. Where the competition's rules hold, only memory
    /// safety asks.
    pub(super) fn check_writable(&mut self, address: &Expr) {
        let is_asked = self.checks().memory || self.options.executes;
        if self.inside_init || self.options.rules.trusts_accesses() && !is_asked {
            return;
        }
        let base = base_of(address);
        let is_constant = match base {
            Expr::Var(variable) if self.body.initialised == Some(*variable) => return,
            Expr::Var(variable) if self.constants.contains(variable) => Expr::Bool(true),
            Expr::Var(variable) if self.fixed.contains(variable) => return,
            base => Expr::unary(UnaryOp::IsConstant, base.clone()),
        };
        let kind = if is_asked { ErrorKind::OutOfBounds } else { ErrorKind::Undefined(WRITE.to_owned()) };
        let holds = match is_constant {
            Expr::Bool(_) => Expr::Bool(false),
            condition => condition.negate(),
        };
        self.check(holds, kind, WRITE.to_owned());
    }
}

/// The pointer that an address is computed from.
fn base_of(address: &Expr) -> &Expr {
    match address {
        Expr::Binary(BinaryOp::PointerAdd, base, _) => base_of(base),
        base => base,
    }
}

/// Takes out the looks at where a write goes, if no pointer to a constant can be written through. Where nothing looks,
/// constants on the stack are objects like others.
pub(super) fn forget_unless_exposed(program: &mut Program, constants: &FxHashSet<VarId>) {
    forget_looks(program, constants);
    let asks = |edge: &Edge| edge.block.iter().any(|it| matches!(it, Statement::Assume(expr) if asks_anywhere(expr)));
    if !procedures_that(program, asks).is_empty() {
        return;
    }
    let edges = program.procedures.iter_mut().flat_map(|procedure| procedure.edges.iter_mut());
    for statement in edges.flat_map(|edge| edge.block.iter_mut()) {
        if let Statement::Allocate { region, .. } = statement
            && *region == Region::ConstantStack
        {
            *region = Region::Stack;
        }
    }
}

/// Whether an expression looks at whether a pointer is to a constant.
fn asks_anywhere(expr: &Expr) -> bool {
    matches!(expr, Expr::Unary(UnaryOp::IsConstant, _)) || expr.operands().into_iter().any(asks_anywhere)
}

fn forget_looks(program: &mut Program, constants: &FxHashSet<VarId>) {
    let blocks = program.procedures.iter().flat_map(|procedure| procedure.edges.iter().map(|edge| &edge.block));
    let mut statements = program.init.iter().chain(blocks.flatten());
    if statements.any(|statement| exposes(statement, constants)) {
        return;
    }
    let asks = |expr: &Expr| matches!(expr, Expr::Unary(UnaryOp::IsConstant, _));
    let is_never = |edge: &Edge| edge.block.iter().any(|it| matches!(it, Statement::Assume(expr) if asks(expr)));
    let is_true = |it: &Statement| matches!(it, Statement::Assume(Expr::Unary(UnaryOp::Not, inner)) if asks(inner));
    for procedure in procedures_that(program, is_never) {
        let edges = std::mem::take(&mut program.procedures[procedure].edges);
        let kept = edges.iter().filter(|edge| !is_never(edge)).map(|edge| {
            let mut edge = edge.clone();
            edge.block.retain(|statement| !is_true(statement));
            edge
        });
        program.procedures[procedure].edges = kept.collect();
    }
}

fn procedures_that(program: &Program, is_wanted: impl Fn(&Edge) -> bool) -> Vec<crate::program::ProcId> {
    let procedures = program.procedures.enumerate();
    procedures.filter(|(_, procedure)| procedure.edges.iter().any(&is_wanted)).map(|(id, _)| id).collect()
}

/// Whether a pointer to a constant gets from the statement to where it could be written through.
fn exposes(statement: &Statement, constants: &FxHashSet<VarId>) -> bool {
    let is_exposed = |expr: &Expr| exposes_value(expr, constants);
    match statement {
        Statement::Store { address, value } => exposes_address(address, constants) || is_exposed(value),
        Statement::Write { target, .. } => exposes_address(target, constants),
        Statement::Copy { target, source, bytes } => {
            exposes_address(target, constants) || exposes_address(source, constants) || is_exposed(bytes)
        }
        other => other.expressions().into_iter().any(is_exposed),
    }
}

/// What is read at an address, or written at it by `init` alone, leads nowhere.
fn exposes_address(address: &Expr, constants: &FxHashSet<VarId>) -> bool {
    match address {
        Expr::Var(variable) if constants.contains(variable) => false,
        Expr::Binary(BinaryOp::PointerAdd, base, offset) => {
            exposes_address(base, constants) || exposes_value(offset, constants)
        }
        other => exposes_value(other, constants),
    }
}

fn exposes_value(expr: &Expr, constants: &FxHashSet<VarId>) -> bool {
    match expr {
        Expr::Var(variable) => constants.contains(variable),
        Expr::Load(_, address) => exposes_address(address, constants),
        other => other.operands().into_iter().any(|operand| exposes_value(operand, constants)),
    }
}
