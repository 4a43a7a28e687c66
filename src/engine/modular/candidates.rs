//! What may hold of threads: comparisons of their numbers with each other and with constants of the program.

use crate::program::{BinaryOp, Expr, Statement, Type, VarId};
use crate::term::Integer;
use crate::transform::interleave::modular::{Comparison, Fact, Facts, Operand, Subject, Template, ThreadModel};
use std::collections::{BTreeMap, BTreeSet};

/// So many constants of a type are compared with, the least first.
const MAX_CONSTANTS: usize = 6;

/// So many conditions on what all threads see are put before others.
const MAX_GUARDS: usize = 8;

const ORDERS: [BinaryOp; 6] = [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge];

/// How many facts are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Comparisons.
    Plain,
    /// Comparisons where a condition on what all threads see holds, too; and what all see where two threads are.
    Guarded,
}

/// The constants of each type.
type Constants = BTreeMap<Type, Vec<Integer>>;

/// All facts that are tried.
pub(super) fn candidates(model: &ThreadModel, stage: Stage) -> Facts {
    let constants = constants(model);
    let guards = if stage == Stage::Guarded { guards(model, &constants) } else { Vec::new() };
    let globals: Vec<(Operand, Type)> =
        model.globals.iter().map(|v| (Operand::Global(*v), model.program.variables[*v].ty)).collect();
    let of_all = comparisons(&globals, &constants);
    let mut facts = Facts::new();
    facts.insert(Subject::All, guarded(of_all.clone(), &guards));
    for (number, template) in model.templates.iter().enumerate() {
        for node in &template.nodes {
            let mut operands = globals.clone();
            let type_of = |local: usize| model.program.variables[template.copies[0].locals[local]].ty;
            let numbers = node.live.iter().copied().filter(|local| type_of(*local).is_integer());
            operands.extend(numbers.map(|local| (Operand::Local(0, local), type_of(local))));
            let mut found = guarded(comparisons(&operands, &constants), &guards);
            for owner in &model.owners {
                found.push(fact(BinaryOp::Eq, Operand::Global(*owner), Operand::Me(0)));
                found.push(fact(BinaryOp::Ne, Operand::Global(*owner), Operand::Me(0)));
            }
            facts.insert(Subject::One((number, node.number)), found);
        }
    }
    let spots = model.spots();
    for (index, one) in spots.iter().enumerate() {
        for other in spots[index..].iter().filter(|other| model.are_two(*one, **other)) {
            let mut found = vec![Fact::NEVER];
            if one.0 == other.0 {
                found.extend(differences(&model.templates[one.0], one.1, other.1, model));
            }
            if stage == Stage::Guarded {
                let is_bound = |c: &&Comparison| matches!(c.right, Operand::Number(..));
                found.extend(of_all.iter().filter(is_bound).cloned().map(plain));
            }
            facts.insert(Subject::Two(*one, *other), found);
        }
    }
    facts
}

/// That two threads have different values for the same variable.
fn differences<'m>(
    template: &'m Template,
    one: usize,
    other: usize,
    model: &'m ThreadModel,
) -> impl Iterator<Item = Fact> + 'm {
    let live = |node: usize| template.nodes.iter().find(move |n| n.number == node).map_or(&[][..], |n| &n.live);
    let both = live(one).iter().copied().filter(move |local| live(other).contains(local));
    let is_number = |local: &usize| model.program.variables[template.copies[0].locals[*local]].ty.is_integer();
    both.filter(is_number).map(|local| fact(BinaryOp::Ne, Operand::Local(0, local), Operand::Local(1, local)))
}

fn fact(op: BinaryOp, left: Operand, right: Operand) -> Fact {
    plain(Comparison { op, left, right })
}

fn plain(comparison: Comparison) -> Fact {
    Fact { guard: None, body: Some(comparison) }
}

/// The comparisons by themselves, and behind each condition.
fn guarded(comparisons: Vec<Comparison>, guards: &[Comparison]) -> Vec<Fact> {
    let behind = comparisons.iter().flat_map(|body| {
        let other = guards.iter().filter(move |guard| guard.left != body.left || guard.right != body.right);
        other.map(|guard| Fact { guard: Some(guard.clone()), body: Some(body.clone()) })
    });
    let behind: Vec<Fact> = behind.collect();
    comparisons.into_iter().map(plain).chain(behind).collect()
}

fn comparisons(operands: &[(Operand, Type)], constants: &Constants) -> Vec<Comparison> {
    let mut found = Vec::new();
    for (index, (left, ty)) in operands.iter().enumerate() {
        for constant in constants.get(ty).into_iter().flatten() {
            let right = Operand::Number(constant.clone(), *ty);
            found.extend(ORDERS.map(|op| Comparison { op, left: left.clone(), right: right.clone() }));
        }
        for (right, _) in operands[index + 1..].iter().filter(|(_, other)| other == ty) {
            found.extend(ORDERS.map(|op| Comparison { op, left: left.clone(), right: right.clone() }));
        }
    }
    found
}

/// The constants that the steps of threads mention.
fn constants(model: &ThreadModel) -> Constants {
    let mut found: BTreeMap<Type, BTreeSet<(Integer, Integer)>> = BTreeMap::new();
    let steps = model.templates.iter().flat_map(|template| &template.steps).flat_map(|step| &step.block);
    let mut open: Vec<&Expr> = model.init.iter().chain(steps).flat_map(Statement::expressions).collect();
    while let Some(expr) = open.pop() {
        if let Expr::Int(number, ty) = expr {
            found.entry(*ty).or_default().insert((number.abs(), number.clone()));
        }
        open.extend(expr.operands());
    }
    let least =
        |numbers: BTreeSet<(Integer, Integer)>| numbers.into_iter().map(|(_, n)| n).take(MAX_CONSTANTS).collect();
    found.into_iter().map(|(ty, numbers)| (ty, least(numbers))).collect()
}

/// That nobody holds a lock; conditions of the program that compare what all threads see with a constant; and their opposites.
fn guards(model: &ThreadModel, constants: &Constants) -> Vec<Comparison> {
    let nobody = |owner: &VarId| Operand::Number(Integer::ZERO, model.program.variables[*owner].ty);
    let free = |owner: &VarId| [BinaryOp::Eq, BinaryOp::Ne].map(|op| (op, Operand::Global(*owner), nobody(owner)));
    let free = model.owners.iter().flat_map(free).take(MAX_GUARDS);
    let mut found: Vec<Comparison> = free.map(|(op, left, right)| Comparison { op, left, right }).collect();
    let steps = model.templates.iter().flat_map(|template| &template.steps).flat_map(|step| &step.block);
    let mut open: Vec<&Expr> =
        steps.filter_map(|s| if let Statement::Assume(e) = s { Some(e) } else { None }).collect();
    open.reverse();
    while let Some(expr) = open.pop() {
        if let Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) = expr
            && let (Expr::Var(variable), Expr::Int(number, ty)) = (&**a, &**b)
            && model.globals.contains(variable)
            && constants.get(ty).is_some_and(|known| known.contains(number))
        {
            for op in [BinaryOp::Eq, BinaryOp::Ne] {
                let right = Operand::Number(number.clone(), *ty);
                let guard = Comparison { op, left: Operand::Global(*variable), right };
                if !found.contains(&guard) && found.len() < MAX_GUARDS {
                    found.push(guard);
                }
            }
        }
        open.extend(expr.operands());
    }
    found
}
