//! Objects of inner blocks: whether anything may hold a pointer to one after its block.
//!
//! An object of a block belongs to an activation of a procedure. While the block is executed, only that activation, those
//! that it calls and other threads take steps. At the end of the block the ones that it called are over, with their
//! variables and objects on the stack. So a pointer to the object is held after the block only by a variable of the same
//! procedure that lives longer, by a global, by an object that is not on the stack, by one on the stack of the procedure
//! itself or of one that may have called it, or by another thread. What an expression keeps is gone at its end; a block
//! that is a part of an expression leaves nothing there but what it gives.

use super::points::{Objects, Points};
use super::reach;
use crate::program::{Expr, Id, IdVec, ProcId, Program, Region, Statement, VarId};
use std::collections::BTreeSet;

/// An object that ends with a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InnerObject {
    /// The procedure that the block is in.
    pub procedure: ProcId,
    /// The variable that points to the object.
    pub pointer: VarId,
    /// The variables of the block, and of blocks inside it: those that are objects of the source, and those that point to
    /// such.
    pub inside: BTreeSet<VarId>,
    /// The other ones of the procedure, its parameters and its result among them.
    pub longer: BTreeSet<VarId>,
    /// What the block gives to the expression that it is a part of.
    pub given: Vec<Expr>,
}

/// Whether a pointer to each of the objects may be held after its block.
pub fn are_held_after(program: &Program, inner: &[InnerObject]) -> Vec<bool> {
    if inner.is_empty() {
        return Vec::new();
    }
    let points = Points::of(program);
    let shared = points.shared();
    let makers = makers(program);
    let callers = callers(program);
    let is_held = |object: &InnerObject| {
        let is_it =
            |(_, maker): &(usize, &Maker)| (maker.procedure, maker.pointer) == (Some(object.procedure), object.pointer);
        let own: Objects = makers.iter().enumerate().filter(is_it).map(|(number, _)| number).collect();
        let holds = |variable: &VarId| points.targets(&Expr::Var(*variable)).meets(&own);
        let lives = |maker: &Maker| match maker.procedure {
            Some(procedure) if maker.is_on_stack && procedure == object.procedure => {
                !object.inside.contains(&maker.pointer)
            }
            Some(procedure) if maker.is_on_stack => callers[object.procedure].contains(procedure.index()),
            _ => true,
        };
        let mut holders = makers.iter().enumerate().filter(|(number, _)| points.contents(*number).meets(&own));
        let gives = |value: &Expr| points.targets(value).meets(&own);
        own.meets(&shared)
            || object.longer.iter().any(holds)
            || object.given.iter().any(gives)
            || holders.any(|(_, maker)| lives(maker))
    };
    inner.iter().map(is_held).collect()
}

/// What makes objects; no procedure stands for `init`.
struct Maker {
    procedure: Option<ProcId>,
    pointer: VarId,
    is_on_stack: bool,
}

/// The makers of objects, by the numbers of these.
fn makers(program: &Program) -> Vec<Maker> {
    let of_procedures = program.procedures.enumerate().flat_map(|(procedure, node)| {
        node.edges.iter().flat_map(|edge| &edge.block).map(move |statement| (Some(procedure), statement))
    });
    let all = program.init.iter().map(|statement| (None, statement)).chain(of_procedures);
    let maker = |(procedure, statement): (Option<ProcId>, &Statement)| match statement {
        Statement::Allocate { target, region, .. } => {
            let is_on_stack = matches!(region, Region::Stack | Region::ConstantStack);
            Some(Maker { procedure, pointer: *target, is_on_stack })
        }
        _ => None,
    };
    all.filter_map(maker).collect()
}

/// For each procedure those, by their numbers, whose activations may be below one of it: it itself if it is recursive.
fn callers(program: &Program) -> IdVec<ProcId, Objects> {
    let mut callers: IdVec<ProcId, Objects> = program.procedures.iter().map(|_| Objects::default()).collect();
    for procedure in program.procedures.ids() {
        for statement in program.procedures[procedure].edges.iter().flat_map(|edge| &edge.block) {
            if let Statement::Call { callee, .. } = statement {
                reach(program, *callee, procedure.index(), &mut callers);
            }
        }
    }
    callers
}
