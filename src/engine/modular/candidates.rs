//! What may hold of threads: comparisons of their numbers with each other and with constants of the program.

use crate::program::{BinaryOp, Expr, Statement, Type, UnaryOp, VarId};
use crate::term::Integer;
use crate::transform::interleave::modular::{
    Comparison, Fact, Facts, Node, Operand, Spot, Subject, Template, ThreadModel, ThreadStep, is_plain,
};
use std::collections::{BTreeMap, BTreeSet};

/// So many constants of a type are compared with, the least first.
const MAX_CONSTANTS: usize = 6;

/// So many conditions on what all threads see are put before others, and so many on a thread's own variables.
const MAX_GUARDS: usize = 10;
const MAX_OWN_GUARDS: usize = 8;

/// So many of a thread's own variables are compared where it does not read them any more.
const MAX_REMEMBERED: usize = 8;

/// So many pairs of variables of threads that start at different places are compared.
const MAX_PAIRS: usize = 16;

/// All comparisons are conjunctions of these.
const ORDERS: [BinaryOp; 3] = [BinaryOp::Ne, BinaryOp::Le, BinaryOp::Ge];

/// How many facts are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Comparisons.
    Plain,
    /// Comparisons, also of what a thread's variables were when it read them last: who is inside has the ticket that is served.
    Remembered,
    /// Comparisons where a condition holds, too.
    Guarded,
    /// And what all see where two threads are.
    Paired,
    /// All of these.
    All,
}

impl Stage {
    /// The cheapest first.
    pub(super) const ALL: [Stage; 5] = [Stage::Plain, Stage::Remembered, Stage::Guarded, Stage::Paired, Stage::All];

    fn remembers(self) -> bool {
        matches!(self, Stage::Remembered | Stage::All)
    }

    fn has_guards(self) -> bool {
        matches!(self, Stage::Guarded | Stage::Paired | Stage::All)
    }

    fn has_pairs(self) -> bool {
        matches!(self, Stage::Paired | Stage::All)
    }
}

/// The constants of each type.
type Constants = BTreeMap<Type, Vec<Operand>>;

/// All facts that are tried.
pub(super) fn candidates(model: &ThreadModel, stage: Stage) -> Facts {
    let constants = constants(model);
    let guards = if stage.has_guards() { guards(model, &constants) } else { Vec::new() };
    let globals: Vec<(Operand, Type)> =
        model.globals.iter().map(|v| (Operand::Global(*v), model.program.variables[*v].ty)).collect();
    let of_all = comparisons(&globals, &constants);
    let mut facts = Facts::new();
    facts.insert(Subject::All, guarded(of_all.clone(), &guards));
    let own: Vec<Vec<Comparison>> = model.templates.iter().map(|template| own_guards(model, template)).collect();
    let known = Known::of(model, stage);
    for (number, template) in model.templates.iter().enumerate() {
        for node in &template.nodes {
            let mut operands = globals.clone();
            let type_of = |local: usize| model.program.variables[template.copies[0].locals[local]].ty;
            let numbers = known.at((number, node.number)).iter().copied();
            operands.extend(numbers.map(|local| (Operand::Local(0, local), type_of(local))));
            let mut guards = guards.clone();
            if stage.has_guards() {
                guards.extend(known.guards(&own, (number, node.number)).cloned());
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
            found.extend(differences(model, &known, *one, *other));
            if stage.has_guards() {
                let sides = [(0, *one), (1, *other)].map(|(side, spot)| own_at(&known, &own, side, spot));
                found.extend(exclusions(&sides));
            }
            if stage.has_pairs() {
                let is_bound = |c: &&Comparison| matches!(c.right, Operand::Number(..) | Operand::Truth(_));
                found.extend(of_all.iter().filter(is_bound).cloned().map(plain));
            }
            facts.insert(Subject::Two(*one, *other), found);
        }
    }
    facts
}

/// Which of a thread's own variables are spoken of at each spot.
struct Known {
    at: BTreeMap<Spot, Vec<usize>>,
}

impl Known {
    /// Those that the thread may still read, or any that it ever may.
    fn of(model: &ThreadModel, stage: Stage) -> Known {
        let mut at = BTreeMap::new();
        for (number, template) in model.templates.iter().enumerate() {
            let is_plain = |local: &usize| is_plain(model.program.variables[template.copies[0].locals[*local]].ty);
            let live = |node: &Node| node.live.iter().copied().filter(is_plain).collect::<BTreeSet<usize>>();
            let ever: BTreeSet<usize> = template.nodes.iter().flat_map(live).collect();
            for node in &template.nodes {
                let mut here = live(node);
                if stage.remembers() {
                    here.extend(ever.iter().take(MAX_REMEMBERED));
                }
                at.insert((number, node.number), here.into_iter().collect());
            }
        }
        Known { at }
    }

    fn at(&self, spot: Spot) -> &[usize] {
        self.at.get(&spot).map_or(&[], Vec::as_slice)
    }

    /// The conditions that speak of these.
    fn guards<'g>(&self, own: &'g [Vec<Comparison>], spot: Spot) -> impl Iterator<Item = &'g Comparison> {
        let here: Vec<usize> = self.at(spot).to_vec();
        own[spot.0].iter().filter(move |guard| matches!(&guard.left, Operand::Local(_, local) if here.contains(local)))
    }
}

/// That two threads have different values for the same variable; for any two where they start at different places.
fn differences(model: &ThreadModel, known: &Known, one: Spot, other: Spot) -> Vec<Fact> {
    let type_of = |of: Spot, local: usize| model.program.variables[model.templates[of.0].copies[0].locals[local]].ty;
    let (first, second) = (known.at(one), known.at(other));
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
fn own_at(known: &Known, own: &[Vec<Comparison>], side: usize, spot: Spot) -> Vec<Comparison> {
    let of_side = |operand: &Operand| match operand {
        Operand::Local(_, local) => Operand::Local(side, *local),
        other => other.clone(),
    };
    let here = known.guards(own, spot);
    here.map(|guard| Comparison { left: of_side(&guard.left), ..guard.clone() }).collect()
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
        let mut compare = |op: BinaryOp, right: &Operand| {
            found.push(Comparison { op, left: left.clone(), right: right.clone() });
        };
        let others: Vec<&Operand> =
            operands[index + 1..].iter().filter(|(_, other)| other == ty).map(|(other, _)| other).collect();
        if *ty == Type::Bool {
            [true, false].into_iter().for_each(|truth| compare(BinaryOp::Eq, &Operand::Truth(truth)));
            others.into_iter().for_each(|other| [BinaryOp::Eq, BinaryOp::Ne].iter().for_each(|op| compare(*op, other)));
        } else {
            let constants = constants.get(ty).into_iter().flatten();
            constants.chain(others).for_each(|right| ORDERS.iter().for_each(|op| compare(*op, right)));
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
    let least = |ty: Type, numbers: BTreeSet<(Integer, Integer)>| {
        numbers.into_iter().map(|(_, n)| Operand::Number(n, ty)).take(MAX_CONSTANTS).collect()
    };
    found.into_iter().map(|(ty, numbers)| (ty, least(ty, numbers))).collect()
}

/// That nobody holds a lock; conditions of the program that compare what all threads see with a constant; that it is a constant
/// which it may be set to; and their opposites.
fn guards(model: &ThreadModel, constants: &Constants) -> Vec<Comparison> {
    let mut found = Vec::new();
    for owner in &model.owners {
        let nobody = Operand::Number(Integer::ZERO, model.program.variables[*owner].ty);
        add_guard(&mut found, Operand::Global(*owner), nobody, MAX_GUARDS);
    }
    let is_known = |variable: VarId, value: &Operand| match value {
        Operand::Number(_, ty) => constants.get(ty).is_some_and(|known| known.contains(value)),
        _ => model.program.variables[variable].ty == Type::Bool,
    };
    let steps = || model.templates.iter().flat_map(|template| &template.steps);
    let tested = model.templates.iter().flat_map(tests);
    let set = steps().flat_map(|step| set(&step.block)).chain(set(&model.init));
    for (variable, value) in tested.chain(set) {
        if model.globals.contains(&variable) && is_known(variable, &value) {
            add_guard(&mut found, Operand::Global(variable), value, MAX_GUARDS);
        }
    }
    found
}

/// The conditions in which a thread compares a variable of its own with a constant, and their opposites.
fn own_guards(model: &ThreadModel, template: &Template) -> Vec<Comparison> {
    let mut found = Vec::new();
    let locals = &template.copies[template.copies.len() - 1].locals;
    for (variable, value) in tests(template) {
        let is_truth = model.program.variables[variable].ty == Type::Bool;
        if let Some(local) = locals.iter().position(|local| *local == variable)
            && is_truth == (value == Operand::Truth(true))
        {
            add_guard(&mut found, Operand::Local(0, local), value, MAX_OWN_GUARDS);
        }
    }
    found
}

/// A variable, and a constant.
type Test = (VarId, Operand);

/// What the steps of a thread compare with constants for equality, and before that what it was copied from in other steps.
fn tests(template: &Template) -> Vec<Test> {
    let mut found: Vec<Test> = template.steps.iter().flat_map(tested).collect();
    let assigned = template.steps.iter().flat_map(|step| &step.block).filter_map(|statement| match statement {
        Statement::Assign(pairs) => Some(pairs),
        _ => None,
    });
    let copies: BTreeSet<(VarId, VarId)> = assigned
        .flatten()
        .filter_map(|(target, value)| if let Expr::Var(of) = value { Some((*target, *of)) } else { None })
        .collect();
    let mut next = 0;
    while next < found.len() {
        let (variable, value) = found[next].clone();
        for (_, of) in copies.iter().filter(|(target, _)| *target == variable) {
            let test = (*of, value.clone());
            if !found.contains(&test) {
                found.push(test);
            }
        }
        next += 1;
    }
    found
}

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
        match expr {
            Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => {
                if let (Some(variable), Expr::Int(number, ty)) = (source(a, copies), &**b) {
                    found.push((variable, Operand::Number(number.clone(), *ty)));
                }
                open.extend([&**a, &**b]);
            }
            Expr::Var(_) => found.extend(source(expr, copies).map(|variable| (variable, Operand::Truth(true)))),
            Expr::Cast(_, inner) => open.push(inner),
            Expr::And(_) | Expr::Or(_) | Expr::Unary(UnaryOp::Not, _) | Expr::Binary(BinaryOp::Implies, ..) => {
                open.extend(expr.operands());
            }
            _ => {}
        }
    }
}

/// The variables that are set to constants.
fn set(block: &[Statement]) -> Vec<Test> {
    let pairs = block.iter().filter_map(|s| if let Statement::Assign(pairs) = s { Some(pairs) } else { None });
    let constant = |(variable, value): &(VarId, Expr)| match value {
        Expr::Int(number, ty) => Some((*variable, Operand::Number(number.clone(), *ty))),
        Expr::Bool(_) => Some((*variable, Operand::Truth(true))),
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
