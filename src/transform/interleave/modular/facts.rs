//! What holds of any number of threads: of what all see, of each thread, and of every two. And what has to be shown for
//! it to hold for ever.

use super::{Copy, End, ThreadModel};
use crate::program::{BinaryOp, Expr, Type, VarId};
use crate::term::Integer;
use std::collections::BTreeMap;

/// A thread of a template at a node.
pub type Spot = (usize, usize);

/// Whom facts are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// What all threads see.
    All,
    /// Any thread that is there.
    One(Spot),
    /// Any two threads of which one is here and one is there; the first is not after the second.
    Two(Spot, Spot),
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operand {
    /// A variable that all threads see.
    Global(VarId),
    /// One of the first or the second thread's own: its place among them.
    Local(usize, usize),
    /// The first or the second thread, as the owner of a lock.
    Me(usize),
    /// A number.
    Number(Integer, Type),
    /// A truth value.
    Truth(bool),
}

/// A comparison of numbers, or of truth values.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Comparison {
    /// How.
    pub op: BinaryOp,
    /// What.
    pub left: Operand,
    /// With what.
    pub right: Operand,
}

/// Something that holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fact {
    /// Where this does.
    pub guard: Option<Comparison>,
    /// What holds; nothing where no threads are there.
    pub body: Option<Comparison>,
}

/// What holds of all.
pub type Facts = BTreeMap<Subject, Vec<Fact>>;

/// That the facts of a subject hold for these threads: the template and the number of the copy of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    /// Whose.
    pub subject: Subject,
    /// The threads.
    pub threads: Vec<(usize, usize)>,
}

/// That facts hold after a step where some do before.
#[derive(Debug, Clone)]
pub struct Obligation {
    /// The template and the number of its step; none for `init`.
    pub step: Option<(usize, usize)>,
    /// What holds before.
    pub before: Vec<Assertion>,
    /// What is to hold after.
    pub after: Vec<Assertion>,
    /// Whether the step must not be possible.
    pub is_error: bool,
}

impl Fact {
    /// That nobody is there.
    pub const NEVER: Fact = Fact { guard: None, body: None };

    /// The fact as an expression over the variables of these threads.
    pub fn expr(&self, model: &ThreadModel, threads: &[(usize, usize)]) -> Expr {
        let of = |comparison: &Comparison| comparison.expr(model, threads);
        let body = self.body.as_ref().map_or(Expr::Bool(false), of);
        match &self.guard {
            Some(guard) => Expr::Or(vec![of(guard).negate(), body]),
            None => body,
        }
    }

    /// Whether it speaks of what all threads see.
    pub fn reads_global(&self) -> bool {
        let is_global = |operand: &Operand| matches!(operand, Operand::Global(_));
        let reads = |c: &Comparison| is_global(&c.left) || is_global(&c.right);
        self.guard.iter().chain(&self.body).any(reads)
    }
}

impl Comparison {
    fn expr(&self, model: &ThreadModel, threads: &[(usize, usize)]) -> Expr {
        Expr::binary(self.op, self.left.expr(model, threads), self.right.expr(model, threads))
    }
}

impl Operand {
    fn expr(&self, model: &ThreadModel, threads: &[(usize, usize)]) -> Expr {
        match self {
            Operand::Global(variable) => Expr::Var(*variable),
            Operand::Local(side, index) => Expr::Var(model.copy(threads[*side]).locals[*index]),
            Operand::Me(side) => super::super::statements::number(model.copy(threads[*side]).number),
            Operand::Number(number, ty) => Expr::Int(number.clone(), *ty),
            Operand::Truth(truth) => Expr::Bool(*truth),
        }
    }
}

impl ThreadModel {
    /// The variables of a thread.
    pub fn copy(&self, (template, copy): (usize, usize)) -> &Copy {
        &self.templates[template].copies[copy]
    }

    /// Every place that a thread can be at while others take steps.
    pub fn spots(&self) -> Vec<Spot> {
        let templates = self.templates.iter().enumerate();
        templates.flat_map(|(number, template)| template.nodes.iter().map(move |node| (number, node.number))).collect()
    }

    /// Whether there can be a thread at each of two spots at once, as far as their number goes.
    pub fn are_two(&self, one: Spot, other: Spot) -> bool {
        one.0 != other.0 || self.templates[one.0].copies.len() > 1
    }

    /// What has to be shown for the facts to hold for ever: they do after `init`, and every step of a thread leaves
    /// them true of that thread, of each other one, and of every two.
    pub fn obligations(&self, facts: &Facts) -> Vec<Obligation> {
        let first = vec![all(), one((0, self.templates[0].nodes[0].number), (0, 0))];
        let mut found = vec![Obligation { step: None, before: Vec::new(), after: first, is_error: false }];
        for (template, of) in self.templates.iter().enumerate() {
            for step in 0..of.steps.len() {
                self.of_step(template, step, facts, &mut found);
            }
        }
        found
    }

    fn of_step(&self, template: usize, number: usize, facts: &Facts, found: &mut Vec<Obligation>) {
        let step = &self.templates[template].steps[number];
        let (mover, at) = ((template, self.templates[template].copies.len() - 1), (template, step.source));
        let next = if let End::Node(node) = step.end { Some((template, node)) } else { None };
        let new = step.starts.map(|started| ((started, self.templates[started].nodes[0].number), (started, 0)));
        let before = vec![all(), one(at, mover)];
        let mut after = vec![all()];
        after.extend(next.map(|next| one(next, mover)));
        if let Some((spot, thread)) = new {
            after.push(one(spot, thread));
            after.extend(next.into_iter().flat_map(|next| two(next, mover, spot, thread)));
        }
        let is_error = step.end == End::Error;
        let after = if is_error { Vec::new() } else { after };
        let step_number = Some((template, number));
        found.push(Obligation { step: step_number, before: before.clone(), after, is_error });
        if is_error {
            return;
        }
        // A thread that is started has the first copy, and nobody else there.
        let free = |of: usize| usize::from(step.starts == Some(of));
        for spot in self.spots().into_iter().filter(|spot| self.are_two(*spot, at)) {
            let other = (spot.0, free(spot.0));
            if other.1 >= self.templates[spot.0].copies.len() {
                continue;
            }
            let mut before = before.clone();
            before.push(one(spot, other));
            before.extend(two(at, mover, spot, other));
            let mut after = vec![one(spot, other)];
            after.extend(next.into_iter().flat_map(|next| two(next, mover, spot, other)));
            after.extend(new.into_iter().flat_map(|(start, thread)| two(start, thread, spot, other)));
            found.push(Obligation { step: step_number, before, after, is_error: false });
        }
        for (subject, of) in facts {
            let Subject::Two(first, second) = *subject else { continue };
            let is_apart = self.are_two(first, second) && self.are_two(first, at) && self.are_two(second, at);
            if !is_apart || !of.iter().any(Fact::reads_global) {
                continue;
            }
            let one_other = (first.0, free(first.0));
            let two_other = (second.0, free(second.0) + usize::from(first.0 == second.0));
            if [one_other, two_other].iter().any(|(of, copy)| *copy >= self.templates[*of].copies.len()) {
                continue;
            }
            let mut before = before.clone();
            before.extend([one(first, one_other), one(second, two_other)]);
            before.extend(two(first, one_other, second, two_other));
            before.extend(two(at, mover, first, one_other));
            before.extend(two(at, mover, second, two_other));
            let after = two(first, one_other, second, two_other);
            found.push(Obligation { step: step_number, before, after, is_error: false });
        }
    }
}

fn all() -> Assertion {
    Assertion { subject: Subject::All, threads: Vec::new() }
}

fn one(spot: Spot, thread: (usize, usize)) -> Assertion {
    Assertion { subject: Subject::One(spot), threads: vec![thread] }
}

/// The facts of two threads; both ways round where they are at the same spot.
fn two(one: Spot, of_one: (usize, usize), other: Spot, of_other: (usize, usize)) -> Vec<Assertion> {
    let way = |a: Spot, of_a, b: Spot, of_b| Assertion { subject: Subject::Two(a, b), threads: vec![of_a, of_b] };
    match one.cmp(&other) {
        std::cmp::Ordering::Less => vec![way(one, of_one, other, of_other)],
        std::cmp::Ordering::Greater => vec![way(other, of_other, one, of_one)],
        std::cmp::Ordering::Equal => vec![way(one, of_one, other, of_other), way(other, of_other, one, of_one)],
    }
}
