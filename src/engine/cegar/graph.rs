//! The abstract reachability graph: nodes, what leads to them, and which are covered by others.
//!
//! An activation of a recursive procedure has nodes of its own, so that a call which an earlier one covers can take its
//! exits over: that is how a stack is popped. All other calls are part of the stacks of the nodes.

use crate::formula::blocks::{Known, Walk};
use crate::program::control::Frame;
use crate::program::{EdgeId, ProcId};
use crate::term::{Symbol, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is known of data at a node.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct State {
    /// The values of tracked variables, where they are known; sorted.
    pub(super) values: Vec<(Symbol, TermId)>,
    /// Predicates, or their negations, that hold; sorted.
    pub(super) literals: Vec<TermId>,
}

impl State {
    /// What is known, for those who reason about calls.
    pub(super) fn known(&self) -> Known<'_> {
        Known { values: &self.values, literals: &self.literals }
    }
}

/// The number of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(u32);

/// The number of an activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ActivationId(u32);

impl ActivationId {
    /// The number, for people.
    pub(super) fn number(self) -> u32 {
        self.0
    }
}

/// What is at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Cut,
    Exit,
    Error,
}

/// How a node was reached.
#[derive(Debug, Clone)]
pub(super) enum From {
    /// By `init`.
    Start,
    /// By a block from a node.
    Block { node: NodeId, walk: Rc<Walk>, end: usize },
    /// By a call of a recursive procedure.
    Call { node: NodeId, edge: EdgeId },
    /// By the return of such a call: from the node that calls, through the callee's exit.
    Return { call: NodeId, edge: EdgeId, exit: NodeId },
}

/// A node.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) activation: ActivationId,
    pub(super) stack: Rc<[Frame]>,
    pub(super) kind: Kind,
    pub(super) state: State,
    pub(super) from: From,
    pub(super) children: Vec<NodeId>,
    pub(super) covered_by: Option<NodeId>,
    covers: Vec<NodeId>,
    removed: bool,
    /// How many changes of the precision there were before it was made.
    pub(super) made_after: u64,
}

/// An activation: a call of a recursive procedure, or of the main one, with all calls that it covers.
#[derive(Debug)]
pub(super) struct Activation {
    pub(super) procedure: ProcId,
    pub(super) entry: NodeId,
    /// The calls that it stands for.
    pub(super) callers: Vec<(NodeId, EdgeId)>,
    pub(super) exits: Vec<NodeId>,
    removed: bool,
}

/// The graph.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    activations: Vec<Activation>,
    at: FxHashMap<(ActivationId, Rc<[Frame]>), Vec<NodeId>>,
    of_procedure: FxHashMap<ProcId, Vec<ActivationId>>,
    /// How many changes of the precision there were so far.
    pub(super) changes: u64,
}

impl Graph {
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(super) fn activation(&self, id: ActivationId) -> &Activation {
        &self.activations[id.0 as usize]
    }

    /// Whether the node is still there.
    pub(super) fn has(&self, id: NodeId) -> bool {
        !self.node(id).removed
    }

    /// Every node that is there.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.nodes.len() as u32).map(NodeId).filter(|id| self.has(*id))
    }

    /// Every activation that is there.
    pub(super) fn activations(&self) -> impl Iterator<Item = ActivationId> + '_ {
        let there = |id: &ActivationId| !self.activation(*id).removed;
        (0..self.activations.len() as u32).map(ActivationId).filter(there)
    }

    /// The activations of a procedure.
    pub(super) fn activations_of(&self, procedure: ProcId) -> impl Iterator<Item = ActivationId> + '_ {
        let all = self.of_procedure.get(&procedure).map(Vec::as_slice).unwrap_or_default();
        all.iter().copied().filter(|id| !self.activation(*id).removed)
    }

    /// The nodes of an activation at a stack.
    pub(super) fn nodes_at(&self, activation: ActivationId, stack: &Rc<[Frame]>) -> &[NodeId] {
        self.at.get(&(activation, Rc::clone(stack))).map(Vec::as_slice).unwrap_or_default()
    }

    /// Adds an activation with its entry.
    pub(super) fn enter(
        &mut self,
        procedure: ProcId,
        stack: Rc<[Frame]>,
        kind: Kind,
        state: State,
        from: From,
    ) -> NodeId {
        let activation = ActivationId(self.activations.len() as u32);
        let entry = NodeId(self.nodes.len() as u32);
        self.activations.push(Activation { procedure, entry, callers: Vec::new(), exits: Vec::new(), removed: false });
        self.of_procedure.entry(procedure).or_default().push(activation);
        self.add(activation, stack, kind, state, from)
    }

    /// Adds a node.
    pub(super) fn add(
        &mut self,
        activation: ActivationId,
        stack: Rc<[Frame]>,
        kind: Kind,
        state: State,
        from: From,
    ) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let parents: &[NodeId] = match &from {
            From::Start => &[],
            From::Block { node, .. } | From::Call { node, .. } => &[*node],
            From::Return { call, exit, .. } => &[*call, *exit],
        };
        for &parent in parents {
            let parent = &mut self.nodes[parent.0 as usize];
            parent.children.push(id);
        }
        self.at.entry((activation, Rc::clone(&stack))).or_default().push(id);
        self.nodes.push(Node {
            activation,
            stack,
            kind,
            state,
            from,
            children: Vec::new(),
            covered_by: None,
            covers: Vec::new(),
            removed: false,
            made_after: self.changes,
        });
        id
    }

    /// Notes that a call is one that the activation stands for.
    pub(super) fn call(&mut self, activation: ActivationId, caller: NodeId, edge: EdgeId) {
        self.activations[activation.0 as usize].callers.push((caller, edge));
    }

    /// Notes an exit of an activation.
    pub(super) fn exit(&mut self, node: NodeId) {
        let activation = self.node(node).activation;
        self.activations[activation.0 as usize].exits.push(node);
    }

    /// Covers a node by another one.
    pub(super) fn cover(&mut self, node: NodeId, by: NodeId) {
        self.nodes[node.0 as usize].covered_by = Some(by);
        self.nodes[by.0 as usize].covers.push(node);
    }

    /// Removes everything that came from a node, and tells which nodes have to be explored again: the node itself, those
    /// that were covered by what is gone, and those whose calls were answered by it.
    pub(super) fn prune_below(&mut self, node: NodeId) -> Vec<NodeId> {
        let mut again = Vec::new();
        let mut incomplete = vec![node];
        while let Some(node) = incomplete.pop() {
            if !self.has(node) || again.contains(&node) {
                continue;
            }
            again.push(node);
            self.forget_calls_of(node);
            let mut going = std::mem::take(&mut self.nodes[node.0 as usize].children);
            while let Some(gone) = going.pop() {
                self.remove(gone, &mut going, &mut again, &mut incomplete);
            }
        }
        again.retain(|id| self.has(*id));
        again.sort_unstable();
        again.dedup();
        for id in &again {
            self.nodes[id.0 as usize].covered_by = None;
        }
        again
    }

    fn remove(
        &mut self,
        gone: NodeId,
        going: &mut Vec<NodeId>,
        uncovered: &mut Vec<NodeId>,
        incomplete: &mut Vec<NodeId>,
    ) {
        let removed = &mut self.nodes[gone.0 as usize];
        if std::mem::replace(&mut removed.removed, true) {
            return;
        }
        going.append(&mut removed.children);
        uncovered.append(&mut removed.covers);
        let (activation, stack) = (removed.activation, Rc::clone(&removed.stack));
        if let Some(by) = removed.covered_by.take() {
            self.nodes[by.0 as usize].covers.retain(|covered| *covered != gone);
        }
        if let Some(there) = self.at.get_mut(&(activation, stack)) {
            there.retain(|other| *other != gone);
        }
        self.forget_calls_of(gone);
        let owner = &mut self.activations[activation.0 as usize];
        owner.exits.retain(|exit| *exit != gone);
        if owner.entry == gone {
            owner.removed = true;
            incomplete.extend(owner.callers.drain(..).map(|(caller, _)| caller));
            if let Some(all) = self.of_procedure.get_mut(&owner.procedure) {
                all.retain(|other| *other != activation);
            }
        }
    }

    /// How many nodes were made, those that are gone included.
    pub(super) fn created(&self) -> u64 {
        self.nodes.len() as u64
    }

    fn forget_calls_of(&mut self, node: NodeId) {
        if self.activations.len() > 1 {
            for activation in &mut self.activations {
                activation.callers.retain(|(caller, _)| *caller != node);
            }
        }
    }
}
