//! What may hold of threads: comparisons of their numbers with each other and with constants of the program.

use crate::program::{BinaryOp, Expr, Statement, Type, VarId};
use crate::term::Integer;
use crate::transform::interleave::modular::{
    Comparison, Fact, Facts, Node, Operand, Spot, Subject, Template, ThreadModel, ThreadStep,
};
use std::collections::{BTreeMap, BTreeSet};

/// So many constants of a type are compared with, the least first.
const MAX_CONSTANTS: usize = 6;

/// So many conditions on what all threads see are put before others, and so many on a thread's own variables.
const MAX_GUARDS: usize = 10;
const MAX_OWN_GUARDS: usize = 4;

/// So many pairs of variables of threads that start at different places are compared.
const MAX_PAIRS: usize = 16;

/// All comparisons are conjunctions of these.
const ORDERS: [BinaryOp; 3] = [BinaryOp::Ne, BinaryOp::Le, BinaryOp::Ge];

/// How many facts are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Comparisons.
    Plain,
    /// Comparisons where a condition holds, too.
    Guarded,
    /// And what all see where two threads are.
    Paired,
}

/// The constants of each type.
type Constants = BTreeMap<Type, Vec<Integer>>;

/// All facts that are tried.
pub(super) fn candidates(model: &ThreadModel, stage: Stage) -> Facts {
    let constants = constants(model);
    let guards = if stage == Stage::Plain { Vec::new() } else { guards(model, &constants) };
    let globals: Vec<(Operand, Type)> =
        model.globals.iter().map(|v| (Operand::Global(*v), model.program.variables[*v].ty)).collect();
    let of_all = comparisons(&globals, &constants);
    let mut facts = Facts::new();
    facts.insert(Subject::All, guarded(of_all.clone(), &guards));
    let own: Vec<Vec<Comparison>> = model.templates.iter().map(own_guards).collect();
    for (number, template) in model.templates.iter().enumerate() {
        for node in &template.nodes {
            let mut operands = globals.clone();
            let type_of = |local: usize| model.program.variables[template.copies[0].locals[local]].ty;
            let numbers = node.live.iter().copied().filter(|local| type_of(*local).is_integer());
            operands.extend(numbers.map(|local| (Operand::Local(0, local), type_of(local))));
            let mut guards = guards.clone();
            if stage != Stage::Plain {
                guards.extend(own[number].iter().filter(|guard| is_live(node, &guard.left)).cloned());
            }
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
            found.extend(differences(model, *one, *other));
            if stage != Stage::Plain {
                let sides = [(0, *one), (1, *other)].map(|(side, spot)| own_at(model, &own, side, spot));
                found.extend(exclusions(&sides));
            }
            if stage == Stage::Paired {
                let is_bound = |c: &&Comparison| matches!(c.right, Operand::Number(..));
                found.extend(of_all.iter().filter(is_bound).cloned().map(plain));
            }
            facts.insert(Subject::Two(*one, *other), found);
        }
    }
    facts
}

/// That two threads have different values for the same variable; for any two where they start at different places.
fn differences(model: &ThreadModel, one: Spot, other: Spot) -> Vec<Fact> {
    let type_of = |of: Spot, local: usize| model.program.variables[model.templates[of.0].copies[0].locals[local]].ty;
    let live = |of: Spot| {
        let node = model.templates[of.0].nodes.iter().find(|node| node.number == of.1);
        let live = node.map_or(&[][..], |node| &node.live).iter().copied();
        live.filter(move |local| type_of(of, *local).is_integer()).collect::<Vec<usize>>()
    };
    let (first, second) = (live(one), live(other));
    let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (*a, *b)));
    let is_alike = |(a, b): &(usize, usize)| match one.0 == other.0 {
        true => a == b,
        false => type_of(one, *a) == type_of(other, *b),
    };
    let differ = |(a, b)| fact(BinaryOp::Ne, Operand::Local(0, a), Operand::Local(1, b));
    let most = if one.0 == other.0 { usize::MAX } else { MAX_PAIRS };
    pairs.filter(is_alike).take(most).map(differ).collect()
}

/// The conditions on the own variables of the first or the second of two threads.
fn own_at(model: &ThreadModel, own: &[Vec<Comparison>], side: usize, spot: Spot) -> Vec<Comparison> {
    let Some(node) = model.templates[spot.0].nodes.iter().find(|node| node.number == spot.1) else { return Vec::new() };
    let live = own[spot.0].iter().filter(|guard| is_live(node, &guard.left));
    let of_side = |operand: &Operand| match operand {
        Operand::Local(_, local) => Operand::Local(side, *local),
        other => other.clone(),
    };
    live.map(|guard| Comparison { left: of_side(&guard.left), ..guard.clone() }).collect()
}

/// That one of two threads has tested something, or that not both have: who asks whether a lock is free knows only then whether he
/// has it.
fn exclusions([first, second]: &[Vec<Comparison>; 2]) -> Vec<Fact> {
    let alone = first.iter().chain(second).cloned().map(plain);
    let both = first
        .iter()
        .flat_map(|guard| second.iter().map(move |body| Fact { guard: Some(guard.clone()), body: Some(body.clone()) }));
    alone.chain(both).collect()
}

/// Whether a thread may still read a variable of its own.
fn is_live(node: &Node, operand: &Operand) -> bool {
    matches!(operand, Operand::Local(0, local) if node.live.contains(local))
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

/// That nobody holds a lock; conditions of the program that compare what all threads see with a constant; that it is a constant
/// which it may be set to; and their opposites.
fn guards(model: &ThreadModel, constants: &Constants) -> Vec<Comparison> {
    let mut found = Vec::new();
    for owner in &model.owners {
        let nobody = Operand::Number(Integer::ZERO, model.program.variables[*owner].ty);
        add_guard(&mut found, Operand::Global(*owner), nobody, MAX_GUARDS);
    }
    let is_known = |number: &Integer, ty: &Type| constants.get(ty).is_some_and(|known| known.contains(number));
    let steps = || model.templates.iter().flat_map(|template| &template.steps);
    for (variable, number, ty) in steps().flat_map(tested).chain(steps().flat_map(set)) {
        if model.globals.contains(&variable) && is_known(&number, &ty) {
            add_guard(&mut found, Operand::Global(variable), Operand::Number(number, ty), MAX_GUARDS);
        }
    }
    found
}

/// The conditions in which a thread compares a variable of its own with a constant, and their opposites.
fn own_guards(template: &Template) -> Vec<Comparison> {
    let mut found = Vec::new();
    let locals = &template.copies[template.copies.len() - 1].locals;
    for (variable, number, ty) in template.steps.iter().flat_map(tested) {
        if let Some(local) = locals.iter().position(|local| *local == variable) {
            add_guard(&mut found, Operand::Local(0, local), Operand::Number(number, ty), MAX_OWN_GUARDS);
        }
    }
    found
}

/// A variable, and a constant.
type Test = (VarId, Integer, Type);

/// The variables that the conditions of a step compare with constants for equality; of copies that the step makes, the
/// variable that was copied.
fn tested(step: &ThreadStep) -> Vec<Test> {
    let mut copies: BTreeMap<VarId, VarId> = BTreeMap::new();
    let mut found = Vec::new();
    for statement in &step.block {
        match statement {
            Statement::Assume(condition) => tests_in(condition, &copies, &mut found),
            Statement::Assign(pairs) => {
                let sources: Vec<Option<VarId>> = pairs.iter().map(|(_, value)| source(value, &copies)).collect();
                for ((target, _), source) in pairs.iter().zip(sources) {
                    copies.retain(|copy, of| copy != target && of != target);
                    copies.extend(source.map(|source| (*target, source)));
                }
            }
            other => other.targets().iter().for_each(|target| copies.retain(|copy, of| copy != target && of != target)),
        }
    }
    found
}

/// The variable that a value is a copy of.
fn source(value: &Expr, copies: &BTreeMap<VarId, VarId>) -> Option<VarId> {
    match value {
        Expr::Var(variable) => Some(copies.get(variable).copied().unwrap_or(*variable)),
        _ => None,
    }
}

fn tests_in(condition: &Expr, copies: &BTreeMap<VarId, VarId>, found: &mut Vec<Test>) {
    let mut open = vec![condition];
    while let Some(expr) = open.pop() {
        if let Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) = expr
            && let (Some(variable), Expr::Int(number, ty)) = (source(a, copies), &**b)
        {
            found.push((variable, number.clone(), *ty));
        }
        open.extend(expr.operands());
    }
}

/// The variables that a step sets to constants.
fn set(step: &ThreadStep) -> Vec<Test> {
    let pairs = step.block.iter().filter_map(|s| if let Statement::Assign(pairs) = s { Some(pairs) } else { None });
    let constant = |(variable, value): &(VarId, Expr)| match value {
        Expr::Int(number, ty) => Some((*variable, number.clone(), *ty)),
        _ => None,
    };
    pairs.flatten().filter_map(constant).collect()
}

/// Adds that something is a number, and that it is not. Of one thing two numbers are enough.
fn add_guard(found: &mut Vec<Comparison>, left: Operand, right: Operand, most: usize) {
    let of_it = found.iter().filter(|guard| guard.left == left).count();
    let is_there = found.iter().any(|guard| guard.left == left && guard.right == right);
    if !is_there && of_it < 4 && found.len() + 2 <= most {
        found.extend([BinaryOp::Eq, BinaryOp::Ne].map(|op| Comparison {
            op,
            left: left.clone(),
            right: right.clone(),
        }));
    }
}
