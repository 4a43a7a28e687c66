//! The threads that there can be, each with its procedures inlined: an automaton over location stacks.

use super::private::result_target;
use super::stack::StackObjects;
use super::{MAX_INSTANCES, MAX_LOCATIONS, Refused};
use crate::program::control::{Action, Flow, Frame};
use crate::program::{Edge, Expr, Failure, ProcId, Program, Span, Statement};
use crate::transform::known::{Facts, Known, join};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// One thread that there can be.
#[derive(Debug)]
pub(super) struct Instance {
    /// Where it starts: the procedure, and for all but the first thread who starts it.
    pub procedure: ProcId,
    pub started: Option<Started>,
    /// Where it can be; it starts at the first.
    pub nodes: Vec<Node>,
    /// What is known of its variables at each.
    facts: Vec<Facts>,
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
    /// Whether it calls a procedure that is on the stack already, which is not followed.
    pub is_recursive: bool,
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

/// How many instances there are of the threads that a place starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// So many where a step that starts one can be taken again, for each such step.
    EachStep(usize),
    /// So many where threads are started more than once by the same edge, with the same activations below it.
    EachPlace(usize),
}

/// All instances, the main thread first.
pub(super) fn instances(program: &Program, objects: &StackObjects, room: Room) -> Result<Vec<Instance>, Refused> {
    let context = Context { program, flow: Flow::of(program), objects, known: Known::of(program) };
    let mut all = vec![context.unfold(program.main, None, context.known.at_start())?];
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
            let (most, same) = match room {
                Room::EachStep(most) => (most, vec![index]),
                Room::EachPlace(most) => (most, steps_at(&all[next], index)),
            };
            if let Some(first) = same.first().filter(|first| **first < index) {
                let made = all[next].moves[*first].starts[start].clone();
                all[next].moves[index].starts.push(made);
                continue;
            }
            let repeated = same.iter().any(|step| is_repeated(&all[next], *step)) || same.len() > 1;
            let wanted = if repeated { most } else { 1 };
            let mut made = Vec::new();
            for _ in 0..wanted.min(MAX_INSTANCES - all.len()) {
                let by = &all[next];
                let edge = by.edge(program, &by.moves[index]).expect("a start of a thread is on an edge");
                let (callee, arguments) = spawn(edge, start);
                let started = Started { by: next, stack: by.nodes[by.moves[index].source].stack.clone(), arguments };
                let at_start =
                    |step: &usize| context.known.at_spawn(&edge.block, start, &by.facts[by.moves[*step].source]);
                let mut facts = at_start(&index);
                same.iter().for_each(|step| _ = join(&mut facts, &at_start(step)));
                let instance = context.unfold(callee, Some(started), facts)?;
                if instance.nodes[0].failure(program).is_some() {
                    return Err(Refused {
                        construct: "a thread that starts with an error".to_owned(),
                        span: edge.span,
                    });
                }
                locations += instance.nodes.len();
                if locations > MAX_LOCATIONS {
                    return Err(too_large(edge.span));
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

/// The steps that take the same edge with the same activations below it, in order: this one, and those that differ in
/// whether other threads were started before.
fn steps_at(instance: &Instance, index: usize) -> Vec<usize> {
    let place = |step: &Move| (&instance.nodes[step.source].stack, step.action);
    let here = place(&instance.moves[index]);
    (0..instance.moves.len()).filter(|other| place(&instance.moves[*other]) == here).collect()
}

/// Whether the threads that a step starts may be more than one, started at its place.
pub(super) fn starts_again(instance: &Instance, index: usize) -> bool {
    steps_at(instance, index).len() > 1 || is_repeated(instance, index)
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

/// What is needed to follow threads.
struct Context<'p> {
    program: &'p Program,
    flow: Flow,
    objects: &'p StackObjects,
    known: Known<'p>,
}

impl Context<'_> {
    /// The automaton of a thread that starts in a procedure, where that much is known.
    fn unfold(&self, procedure: ProcId, started: Option<Started>, facts: Facts) -> Result<Instance, Refused> {
        let is_main = started.is_none();
        let entry = Frame { procedure, location: self.program.procedures[procedure].entry, call: None };
        let first = Node { stack: vec![entry], atomic: 0, is_alone: is_main };
        let (nodes, moves) = (vec![first.clone()], Vec::new());
        let mut instance = Instance { procedure, started, nodes, facts: vec![facts], moves };
        let mut numbers = FxHashMap::from_iter([(first, 0)]);
        let mut taken: FxHashSet<(usize, Action)> = FxHashSet::default();
        let mut waiting: BTreeSet<usize> = BTreeSet::from([0]);
        // Nodes are looked at again where less is known than before, until nothing changes.
        while let Some(next) = waiting.pop_first() {
            let node = instance.nodes[next].clone();
            for action in self.actions(&node) {
                let Some(facts) = self.facts_after(&instance, next, action) else { continue };
                let is_recursive = is_recursive(self.program, &node, action);
                let target = match after(self.program, self.objects, &node, action, is_main)? {
                    _ if is_recursive => None,
                    None => None,
                    Some(target) => Some(match numbers.get(&target) {
                        Some(&known) => {
                            if join(&mut instance.facts[known], &facts) {
                                waiting.insert(known);
                            }
                            known
                        }
                        None => {
                            let number = instance.nodes.len();
                            instance.nodes.push(target.clone());
                            instance.facts.push(facts);
                            numbers.insert(target, number);
                            waiting.insert(number);
                            number
                        }
                    }),
                };
                if taken.insert((next, action)) {
                    instance.moves.push(Move { source: next, target, action, is_recursive, starts: Vec::new() });
                }
            }
            if instance.nodes.len() > MAX_LOCATIONS {
                return Err(too_large(self.program.procedures[node.top().procedure].span));
            }
        }
        Ok(instance)
    }

    /// What an instance can do at a node, as far as control goes.
    fn actions(&self, node: &Node) -> Vec<Action> {
        let top = node.top();
        if node.failure(self.program).is_some() {
            Vec::new()
        } else if top.location == self.program.procedures[top.procedure].exit {
            vec![Action::Return]
        } else {
            self.flow.leaving(top.procedure, top.location).iter().map(|edge| Action::Edge(*edge)).collect()
        }
    }

    /// What is known after a step; nothing where no execution takes it.
    fn facts_after(&self, instance: &Instance, source: usize, action: Action) -> Option<Facts> {
        let step = Move { source, target: None, action, is_recursive: false, starts: Vec::new() };
        let before = &instance.facts[source];
        match instance.edge(self.program, &step) {
            Some(edge) => self.known.after_edge(&edge.block, before),
            None => {
                let target = result_target(self.program, instance, &step);
                Some(self.known.after_return(instance.nodes[source].top().procedure, target, before))
            }
        }
    }
}

fn too_large(span: Option<Span>) -> Refused {
    let construct = format!("code of more than {MAX_LOCATIONS} locations, the procedures of each thread inlined,");
    Refused { construct, span }
}

/// Whether a step calls a procedure that is on the stack already.
fn is_recursive(program: &Program, node: &Node, action: Action) -> bool {
    let Action::Edge(edge) = action else { return false };
    let call = program.procedures[node.top().procedure].edges[edge].call();
    call.is_some_and(|(_, callee, _)| node.stack.iter().any(|frame| frame.procedure == callee))
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
