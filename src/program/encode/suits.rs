//! Whether a program's machine integers are better taken as mathematical integers.

use super::block::Block;
use super::{Arithmetic, Encoder};
use crate::program::{ProcId, Program, Statement};
use crate::term::Terms;
use std::collections::BTreeSet;

/// Whether every operator on machine integers that can be executed is linear over mathematical integers: no product
/// of two numbers that are both unknown, no division by an unknown one, and no operator on bits that takes a
/// conversion to bit-vectors.
pub fn suits_integers(program: &Program) -> bool {
    let mut terms = Terms::new();
    let encoder = Encoder::with_arithmetic(program, &mut terms, Arithmetic::Integers);
    let blocks = reachable(program).into_iter().flat_map(|id| program.procedures[id].edges.iter().map(|e| &e.block));
    blocks.chain([&program.init]).all(|block| suits(&encoder, &mut terms, block))
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
