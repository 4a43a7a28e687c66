//! What edges touch, with expressions that can be evaluated where only some variables are known.

use super::{Compiled, Compiler, Node, Slot};
use crate::concrete::token::Abstractions;
use crate::program::{Expr, Piece, ProcId, Program, Role, Scope, Statement, Type, UnaryOp, VarId};
use rustc_hash::FxHashSet;
use std::cell::Cell;

/// A part of a statement. An expression is missing where its value depends on more than variables.
#[derive(Debug, Clone)]
pub(in crate::concrete) enum Act {
    /// Goes on if the condition holds.
    Assume(Option<Node>),
    /// Writes locals of the activation at once; one that gets no expression can have any value then.
    Assign(Vec<(u32, Option<Node>)>),
    Global {
        slot: u32,
        writes: bool,
    },
    /// Bytes from an address on, up to the end of the object where their number is missing.
    Bytes {
        address: Option<Node>,
        bytes: Option<Node>,
        writes: bool,
    },
    /// Asks whether an object lives, or ends it.
    Life {
        pointer: Option<Node>,
        ends: bool,
    },
    Lock(Option<Node>),
    /// Asks about a lock.
    AsksLock(Option<Node>),
    /// Enters a procedure, in a thread of its own or not, with these arguments.
    Enter {
        callee: ProcId,
        arguments: Vec<Option<Node>>,
    },
    /// Touches what cannot be told this way.
    Anything,
}

/// What each edge of a procedure does, in order.
pub(in crate::concrete) fn acts(program: &Program, code: &Compiled, procedure: ProcId) -> Vec<Box<[Act]>> {
    let abstractions = Abstractions::default();
    let compiler = Compiler {
        program,
        abstractions: &abstractions,
        slots: code.slots.clone(),
        changing: FxHashSet::default(),
        has_threads: code.has_threads,
        sites: Cell::new(0),
    };
    let edges = program.procedures[procedure].edges.iter();
    let acts = edges.map(|edge| {
        let mut acts = Vec::new();
        edge.block.iter().for_each(|statement| compiler.acts_of(statement, &mut acts));
        acts.into()
    });
    acts.collect()
}

impl Compiler<'_> {
    fn acts_of(&self, statement: &Statement, acts: &mut Vec<Act>) {
        for expr in statement.expressions() {
            self.reads_of(expr, acts);
        }
        let pure = |expr: &Expr| self.pure(expr);
        let bytes = |address: &Expr, bytes: Option<Node>, writes| Act::Bytes { address: pure(address), bytes, writes };
        match statement {
            Statement::Assume(condition) => acts.push(Act::Assume(pure(condition))),
            Statement::Assign(pairs) => {
                let local = |(target, value): &(VarId, Expr)| Some((self.local(*target)?, pure(value)));
                acts.push(Act::Assign(pairs.iter().filter_map(local).collect()));
            }
            Statement::Store { address, value } => {
                let size = self.bytes_of(value.type_in(self.program));
                acts.push(bytes(address, Some(size), true));
            }
            Statement::Fill { target, bytes: count, .. } => acts.push(bytes(target, pure(count), true)),
            Statement::Write { target, bytes: text } => {
                acts.push(bytes(target, Some(Node::Small(text.len() as i64)), true));
            }
            Statement::Copy { target, source, bytes: count } => {
                acts.push(bytes(source, pure(count), false));
                acts.push(bytes(target, pure(count), true));
            }
            Statement::Free(pointer) => acts.push(Act::Life { pointer: pure(pointer), ends: true }),
            Statement::Lock { lock, .. } | Statement::Unlock(lock) => acts.push(Act::Lock(pure(lock))),
            Statement::Wait { condition, lock } => acts.extend([Act::Lock(pure(condition)), Act::Lock(pure(lock))]),
            Statement::Notify { condition, .. } => acts.push(Act::Lock(pure(condition))),
            Statement::Call { callee, arguments, .. } | Statement::Spawn { callee, arguments, .. } => {
                acts.push(Act::Enter { callee: *callee, arguments: arguments.iter().map(pure).collect() });
            }
            Statement::Output(pieces) if pieces.iter().any(Piece::reads_memory) => acts.push(Act::Anything),
            Statement::Output(_)
            | Statement::Havoc { .. }
            | Statement::Allocate { .. }
            | Statement::Join(_)
            | Statement::AtomicBegin
            | Statement::AtomicEnd => {}
        }
        for target in statement.targets() {
            match self.slots[target] {
                Slot::Global(slot) => acts.push(Act::Global { slot, writes: true }),
                Slot::Local(_) if matches!(statement, Statement::Assign(_)) => {}
                Slot::Local(slot) => acts.push(Act::Assign(vec![(slot, None)])),
                Slot::Own(_) => {}
            }
        }
    }

    fn local(&self, variable: VarId) -> Option<u32> {
        match self.slots[variable] {
            Slot::Local(slot) => Some(slot),
            Slot::Global(_) | Slot::Own(_) => None,
        }
    }

    /// What is read to evaluate an expression, at most.
    fn reads_of(&self, expr: &Expr, acts: &mut Vec<Act>) {
        match expr {
            Expr::Var(variable) => {
                let node = &self.program.variables[*variable];
                if let (Slot::Global(slot), Scope::Global, true) =
                    (self.slots[*variable], node.scope, node.role != Role::Own)
                {
                    acts.push(Act::Global { slot, writes: false });
                }
            }
            Expr::Load(ty, address) => {
                let bytes = Some(self.bytes_of(*ty));
                acts.push(Act::Bytes { address: self.pure(address), bytes, writes: false });
            }
            Expr::Unary(UnaryOp::IsLive | UnaryOp::IsFreeable, pointer) => {
                acts.push(Act::Life { pointer: self.pure(pointer), ends: false });
            }
            Expr::Unary(UnaryOp::IsLocked, pointer) => acts.push(Act::AsksLock(self.pure(pointer))),
            Expr::Unary(UnaryOp::HasLost, _) => acts.push(Act::Anything),
            _ => {}
        }
        expr.operands().into_iter().for_each(|operand| self.reads_of(operand, acts));
    }

    fn bytes_of(&self, ty: Type) -> Node {
        Node::Small(match ty {
            Type::Machine(machine) => machine.bytes().into(),
            Type::Bool => 1,
            Type::Float(kind) => kind.bytes().into(),
            _ => self.program.pointer_bytes.into(),
        })
    }

    /// An expression whose value depends on variables alone.
    fn pure(&self, expr: &Expr) -> Option<Node> {
        is_pure(expr).then(|| self.node(expr))
    }
}

fn is_pure(expr: &Expr) -> bool {
    let reads = match expr {
        Expr::Load(..) | Expr::Cast(Type::Pointer, _) => true,
        Expr::Unary(op, _) => matches!(
            op,
            UnaryOp::IsLive
                | UnaryOp::IsFreeable
                | UnaryOp::IsConstant
                | UnaryOp::ObjectSize
                | UnaryOp::HoldsLock
                | UnaryOp::IsLocked
                | UnaryOp::HasLost
        ),
        _ => false,
    };
    !reads && expr.operands().into_iter().all(is_pure)
}
