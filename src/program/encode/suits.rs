//! Whether a program's machine integers are better taken as mathematical integers.

use super::block::Block;
use super::{Arithmetic, Encoder};
use crate::program::{Expr, ProcId, Program, Statement, Type};
use crate::term::Terms;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Whether every operator on machine integers that can be executed is linear over mathematical integers: no product
/// of two numbers that are both unknown, no division by an unknown one, and nothing that takes a conversion to
/// bit-vectors: no operator on bits, no arithmetic with floating-point numbers, no look at their bits in memory.
pub fn suits_integers(program: &Program) -> bool {
    let mut terms = Terms::new();
    let encoder = Encoder::with_arithmetic(program, &mut terms, Arithmetic::Integers);
    let blocks = reachable(program).into_iter().flat_map(|id| program.procedures[id].edges.iter().map(|e| &e.block));
    let blocks: Vec<&Vec<Statement>> = blocks.chain([&program.init]).collect();
    blocks.iter().all(|block| suits(&encoder, &mut terms, block)) && !looks_at_bits(program, &blocks)
}

/// Whether at some address, as it is written, there is both a floating-point number and an integer of its width.
fn looks_at_bits(program: &Program, blocks: &[&Vec<Statement>]) -> bool {
    let floats: FxHashSet<(&Expr, u32)> = accesses(program, blocks, |ty| match ty {
        Type::Float(kind) => Some(kind.width()),
        _ => None,
    });
    let width = |ty| match ty {
        Type::Machine(machine) => Some(machine.width),
        _ => None,
    };
    !floats.is_empty() && !floats.is_disjoint(&accesses(program, blocks, width))
}

/// The addresses that are read and written as types that have such a width.
fn accesses<'p>(
    program: &Program,
    blocks: &[&'p Vec<Statement>],
    width: impl Fn(Type) -> Option<u32>,
) -> FxHashSet<(&'p Expr, u32)> {
    let mut found = FxHashSet::default();
    for statement in blocks.iter().copied().flatten() {
        if let Statement::Store { address, value } = statement {
            found.extend(width(value.type_in(program)).map(|width| (address, width)));
        }
        let mut waiting = statement.expressions();
        while let Some(expr) = waiting.pop() {
            if let Expr::Load(ty, address) = expr {
                found.extend(width(*ty).map(|width| (&**address, width)));
            }
            waiting.extend(expr.operands());
        }
    }
    found
}

fn suits(encoder: &Encoder<'_>, terms: &mut Terms, statements: &[Statement]) -> bool {
    let mut block = Block::new(encoder, true);
    for statement in statements {
        if block.statement(terms, statement).is_err() {
            // A call or a thread's statement: what is passed matters, and over-approximation leaves out only what has
            // no sort.
            for expr in statement.expressions() {
                let _ = block.expr(terms, expr);
            }
            // What it writes is unknown afterwards.
            for target in statement.targets() {
                let _ = block.statement(terms, &Statement::Havoc { target, span: None });
            }
        }
    }
    !block.costly
}

/// The procedures that the main one calls or starts, itself, and so on.
fn reachable(program: &Program) -> BTreeSet<ProcId> {
    let mut seen = BTreeSet::from([program.main]);
    let mut waiting = vec![program.main];
    while let Some(id) = waiting.pop() {
        for statement in program.procedures[id].edges.iter().flat_map(|edge| &edge.block) {
            if let Statement::Call { callee, .. } | Statement::Spawn { callee, .. } = statement
                && seen.insert(*callee)
            {
                waiting.push(*callee);
            }
        }
    }
    seen
}
