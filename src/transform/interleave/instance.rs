//! The threads that there can be, each with its procedures inlined: an automaton over location stacks.

use super::stack::StackObjects;
use super::{MOST_AT_A_PLACE, MOST_INSTANCES, MOST_LOCATIONS, Refused};
use crate::program::control::{Action, Flow, Frame};
use crate::program::{Edge, Expr, Failure, ProcId, Program, Statement};
use rustc_hash::FxHashMap;

/// One thread that there can be.
#[derive(Debug)]
pub(super) struct Instance {
    /// Where it starts: the procedure, and for all but the first thread who starts it.
    pub procedure: ProcId,
    pub started: Option<Started>,
    /// Where it can be; it starts at the first.
    pub nodes: Vec<Node>,
    pub moves: Vec<Move>,
}

/// What starts an instance.
#[derive(Debug, Clone)]
pub(super) struct Started {
    pub by: usize,
    pub stack: Vec<Frame>,
    pub arguments: Vec<Expr>,
}

/// A place of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub stack: Vec<Frame>,
    /// How many atomic sections it is in.
    pub atomic: u32,
    /// Whether no other thread was started yet.
    pub is_alone: bool,
}

/// A step of an instance.
#[derive(Debug)]
pub(super) struct Move {
    pub source: usize,
    /// Where it leads; nowhere where the thread ends.
    pub target: Option<usize>,
    pub action: Action,
    /// For each start of a thread on its edge, the instances that it can be.
    pub starts: Vec<Vec<usize>>,
}

impl Node {
    pub(super) fn top(&self) -> Frame {
        *self.stack.last().expect("an instance that has not ended has a frame")
    }

    /// What has gone wrong here.
    pub(super) fn failure<'p>(&self, program: &'p Program) -> Option<&'p Failure> {
        let top = self.top();
        program.procedures[top.procedure].locations[top.location].error.as_ref()
    }
}

impl Instance {
    /// The edge that a step takes.
    pub(super) fn edge<'p>(&self, program: &'p Program, step: &Move) -> Option<&'p Edge> {
        match step.action {
            Action::Edge(edge) => Some(&program.procedures[self.nodes[step.source].top().procedure].edges[edge]),
            Action::Return | Action::Wake => None,
        }
    }
}

/// All instances, the main thread first.
pub(super) fn instances(program: &Program, objects: &StackObjects) -> Result<Vec<Instance>, Refused> {
    let flow = Flow::of(program);
    let mut all = vec![unfold(program, &flow, objects, program.main, None)?];
    let mut locations = all[0].nodes.len();
    let mut next = 0;
    while next < all.len() {
        let places: Vec<(usize, usize)> = (0..all[next].moves.len())
            .flat_map(|index| {
                let edge = all[next].edge(program, &all[next].moves[index]);
                let starts = edge.map_or(0, |edge| edge.block.iter().filter(|s| is_spawn(s)).count());
                (0..starts).map(move |start| (index, start))
            })
            .collect();
        for (index, start) in places {
            let repeated = is_repeated(&all[next], index);
            let wanted = if repeated { MOST_AT_A_PLACE } else { 1 };
            let mut made = Vec::new();
            for _ in 0..wanted.min(MOST_INSTANCES - all.len()) {
                let by = &all[next];
                let edge = by.edge(program, &by.moves[index]).expect("a start of a thread is on an edge");
                let (callee, arguments) = spawn(edge, start);
                let started = Started { by: next, stack: by.nodes[by.moves[index].source].stack.clone(), arguments };
                let instance = unfold(program, &flow, objects, callee, Some(started))?;
                if instance.nodes[0].failure(program).is_some() {
                    return Err(Refused {
                        construct: "a thread that starts with an error".to_owned(),
                        span: edge.span,
                    });
                }
                locations += instance.nodes.len();
                if locations > MOST_LOCATIONS {
                    return Err(Refused { construct: "so much code".to_owned(), span: edge.span });
                }
                made.push(all.len());
                all.push(instance);
            }
            all[next].moves[index].starts.push(made);
        }
        next += 1;
    }
    Ok(all)
}

fn is_spawn(statement: &Statement) -> bool {
    matches!(statement, Statement::Spawn { .. })
}

/// The callee and the arguments of one of the starts of threads on an edge.
fn spawn(edge: &Edge, start: usize) -> (ProcId, Vec<Expr>) {
    let mut spawns = edge.block.iter().filter_map(|statement| match statement {
        Statement::Spawn { callee, arguments, .. } => Some((*callee, arguments.clone())),
        _ => None,
    });
    spawns.nth(start).expect("the starts were counted")
}

/// Whether a step may be taken more than once.
fn is_repeated(instance: &Instance, index: usize) -> bool {
    let (source, Some(target)) = (instance.moves[index].source, instance.moves[index].target) else { return false };
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); instance.nodes.len()];
    for step in &instance.moves {
        after[step.source].extend(step.target);
    }
    let mut seen = vec![false; instance.nodes.len()];
    let mut waiting = vec![target];
    while let Some(node) = waiting.pop() {
        if node == source {
            return true;
        }
        if !std::mem::replace(&mut seen[node], true) {
            waiting.extend(&after[node]);
        }
    }
    false
}

/// The automaton of a thread that starts in a procedure.
fn unfold(
    program: &Program,
    flow: &Flow,
    objects: &StackObjects,
    procedure: ProcId,
    started: Option<Started>,
) -> Result<Instance, Refused> {
    let is_main = started.is_none();
    let entry = Frame { procedure, location: program.procedures[procedure].entry, call: None };
    let first = Node { stack: vec![entry], atomic: 0, is_alone: is_main };
    let mut instance = Instance { procedure, started, nodes: vec![first.clone()], moves: Vec::new() };
    let mut numbers = FxHashMap::from_iter([(first, 0)]);
    let mut next = 0;
    while next < instance.nodes.len() {
        let node = instance.nodes[next].clone();
        let top = node.top();
        let from = &program.procedures[top.procedure];
        let actions: Vec<Action> = if node.failure(program).is_some() {
            Vec::new()
        } else if top.location == from.exit {
            vec![Action::Return]
        } else {
            flow.leaving(top.procedure, top.location).iter().map(|edge| Action::Edge(*edge)).collect()
        };
        for action in actions {
            let target = after(program, objects, &node, action, is_main)?.map(|target| {
                *numbers.entry(target).or_insert_with_key(|target| {
                    instance.nodes.push(target.clone());
                    instance.nodes.len() - 1
                })
            });
            instance.moves.push(Move { source: next, target, action, starts: Vec::new() });
        }
        if instance.nodes.len() > MOST_LOCATIONS {
            return Err(Refused { construct: "so much code".to_owned(), span: from.span });
        }
        next += 1;
    }
    Ok(instance)
}

/// Where a step leads; nowhere if it is the return from the outermost procedure.
fn after(
    program: &Program,
    objects: &StackObjects,
    node: &Node,
    action: Action,
    is_main: bool,
) -> Result<Option<Node>, Refused> {
    let mut after = node.clone();
    let Action::Edge(id) = action else {
        after.stack.pop();
        return Ok((!after.stack.is_empty()).then_some(after));
    };
    let top = after.stack.last_mut().expect("an instance that takes an edge has a frame");
    let edge = &program.procedures[top.procedure].edges[id];
    top.location = edge.target;
    let refuse = |construct: &str| Err(Refused { construct: construct.to_owned(), span: edge.span });
    for statement in &edge.block {
        match statement {
            Statement::Call { callee, .. } => {
                if after.stack.iter().any(|frame| frame.procedure == *callee) {
                    return refuse(&format!("the recursive procedure `{}`", program.procedures[*callee].name));
                }
                let location = program.procedures[*callee].entry;
                after.stack.push(Frame { procedure: *callee, location, call: Some(id) });
            }
            Statement::Spawn { .. } => after.is_alone = false,
            Statement::AtomicBegin => after.atomic += 1,
            Statement::AtomicEnd => after.atomic = after.atomic.saturating_sub(1),
            Statement::Wait { .. } => return refuse("a thread that waits to be notified"),
            Statement::Allocate { region, .. } if region.is_on_stack() => {
                let (procedure, below) = (node.top().procedure, node.stack.len() - 1);
                let is_told = objects.region(*region, procedure, is_main, below).is_some();
                if !is_told || objects.ending(procedure, is_main, below).is_none() {
                    return refuse(&format!("an object on the stack of `{}`", program.procedures[procedure].name));
                }
            }
            _ => {}
        }
    }
    Ok(Some(after))
}
