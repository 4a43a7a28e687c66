//! Whether a program's machine integers are better taken as mathematical integers.

use super::block::Block;
use super::{Arithmetic, Encoder};
use crate::program::{Expr, ProcId, Program, Statement, Type, VarId};
use crate::term::Terms;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Whether a program's machine integers are better taken as mathematical integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegerEncoding {
    /// Every operator on machine integers that can be executed is one on mathematical integers: no product of two
    /// unknown numbers that could wrap, no division by an unknown one, and nothing that takes a conversion to bit-vectors:
    /// no operator on bits, no arithmetic with floating-point numbers, no look at their bits in memory.
    Exact,
    /// The same, but for arithmetic with floating-point numbers, which is left open then, and for their bits.
    ExceptFloats,
    /// The same as [`IntegerEncoding::Exact`], but for products of two unknown numbers that could wrap: bit-vectors are
    /// better unless what is known on the way keeps them from wrapping.
    ExceptProducts,
    /// Bit-vectors are better.
    Unsuitable,
}

/// Whether a program's machine integers are better taken as mathematical integers.
pub fn integer_encoding(program: &Program) -> IntegerEncoding {
    let mut terms = Terms::new();
    let encoder = Encoder::with_arithmetic(program, &mut terms, Arithmetic::Integers);
    let blocks = executed(program);
    let matters = what_matters(program, &blocks);
    let mut found =
        if looks_at_bits(program, &blocks) { IntegerEncoding::ExceptFloats } else { IntegerEncoding::Exact };
    let mut has_products = false;
    for block in &blocks {
        match suits(&encoder, &mut terms, block, &matters) {
            IntegerEncoding::Exact => {}
            IntegerEncoding::ExceptFloats => found = IntegerEncoding::ExceptFloats,
            IntegerEncoding::ExceptProducts => has_products = true,
            IntegerEncoding::Unsuitable => return IntegerEncoding::Unsuitable,
        }
    }
    match (found, has_products) {
        (_, false) => found,
        (IntegerEncoding::Exact, true) => IntegerEncoding::ExceptProducts,
        (_, true) => IntegerEncoding::Unsuitable,
    }
}

/// All that can be executed.
fn executed(program: &Program) -> Vec<&Vec<Statement>> {
    let blocks = reachable(program).into_iter().flat_map(|id| program.procedures[id].edges.iter().map(|e| &e.block));
    blocks.chain([&program.init]).collect()
}

/// The variables that have to do with anything but themselves: with what is assumed, with memory, and so on.
fn what_matters(program: &Program, blocks: &[&Vec<Statement>]) -> FxHashSet<VarId> {
    let mut waiting = Vec::new();
    let mut sources: FxHashMap<VarId, Vec<VarId>> = FxHashMap::default();
    let mut flows = |target: VarId, value: &Expr| {
        value.for_each_var(&mut |source| sources.entry(target).or_default().push(source));
    };
    for statement in blocks.iter().copied().flatten() {
        match statement {
            Statement::Assign(pairs) => pairs.iter().for_each(|(target, value)| flows(*target, value)),
            Statement::Call { callee, arguments, target } => {
                let callee = &program.procedures[*callee];
                callee.parameters.iter().zip(arguments).for_each(|(parameter, value)| flows(*parameter, value));
                if let (Some(target), Some(result)) = (target, callee.result) {
                    flows(*target, &Expr::Var(result));
                }
            }
            Statement::Output(_) => {}
            other => other.expressions().into_iter().for_each(|expr| expr.for_each_var(&mut |v| waiting.push(v))),
        }
        for address in statement.expressions().into_iter().flat_map(addresses) {
            address.for_each_var(&mut |variable| waiting.push(variable));
        }
    }
    let mut matters = FxHashSet::default();
    while let Some(variable) = waiting.pop() {
        if matters.insert(variable) {
            waiting.extend(sources.get(&variable).into_iter().flatten());
        }
    }
    matters
}

/// The addresses that an expression reads.
fn addresses(expr: &Expr) -> Vec<&Expr> {
    let (mut found, mut waiting) = (Vec::new(), vec![expr]);
    while let Some(expr) = waiting.pop() {
        if let Expr::Load(_, address) = expr {
            found.push(&**address);
        }
        waiting.extend(expr.operands());
    }
    found
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

fn suits(
    encoder: &Encoder<'_>,
    terms: &mut Terms,
    statements: &[Statement],
    matters: &FxHashSet<VarId>,
) -> IntegerEncoding {
    let block = encoded(encoder, terms, statements, matters);
    match (block.costly, block.has_wrapping_products, block.on_floats) {
        (true, ..) | (_, true, true) => IntegerEncoding::Unsuitable,
        (_, true, false) => IntegerEncoding::ExceptProducts,
        (_, false, true) => IntegerEncoding::ExceptFloats,
        (_, false, false) => IntegerEncoding::Exact,
    }
}

/// The statements on mathematical integers, which tells what there is among their operators.
fn encoded<'e, 'p>(
    encoder: &'e Encoder<'p>,
    terms: &mut Terms,
    statements: &[Statement],
    matters: &FxHashSet<VarId>,
) -> Block<'e, 'p> {
    // Floating-point numbers that nothing depends on are in no formula.
    let is_idle =
        |target: &VarId| matches!(encoder.program.variables[*target].ty, Type::Float(_)) && !matters.contains(target);
    let mut block = Block::new(encoder, true);
    for statement in statements {
        if let Statement::Assign(pairs) = statement
            && pairs.iter().all(|(target, _)| is_idle(target))
        {
            continue;
        }
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
    block
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
