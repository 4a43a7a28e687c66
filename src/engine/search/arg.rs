//! The abstract reachability graph: nodes, how each was reached first, and, in side tables, all other links.

use super::{Space, Stop};
use crate::concrete::tables::{Chunks, Index};
use rustc_hash::FxHashMap;

/// The number of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The number, for people and for tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A state with where it is.
pub struct Place<'a, S: Space> {
    /// Where executions are.
    pub control: S::Control,
    /// What is known there.
    pub state: &'a S::State,
}

const NO_PARENT: u32 = u32::MAX;

struct Node<S: Space> {
    control: S::Control,
    parent: u32,
    label: S::Label,
    state: S::State,
}

/// What is known of a node besides how it was reached first; only where [`Space::LINKS`] asks for it.
pub(super) struct Links<L> {
    /// The edges out of it.
    pub(super) out: Vec<(L, NodeId)>,
    pub(super) waits: bool,
    pub(super) expanded: bool,
    pub(super) removed: bool,
}

/// The graph.
pub struct Arg<S: Space> {
    nodes: Chunks<Node<S>>,
    /// The nodes that can cover others, by their classes.
    index: Index,
    pub(super) links: Vec<Links<S::Label>>,
    /// The other source of a node whose edge has two, and the nodes of which a node is that.
    pub(super) second: FxHashMap<NodeId, NodeId>,
    pub(super) dependents: FxHashMap<NodeId, Vec<NodeId>>,
    /// The sources of further edges to a node, where it covers or takes in what they lead to.
    pub(super) further: FxHashMap<NodeId, Vec<NodeId>>,
    pub(super) covered_by: FxHashMap<NodeId, NodeId>,
    pub(super) covers: FxHashMap<NodeId, Vec<NodeId>>,
}

impl<S: Space> Arg<S> {
    pub(super) fn new() -> Self {
        Arg {
            nodes: Chunks::default(),
            index: Index::default(),
            links: Vec::new(),
            second: FxHashMap::default(),
            dependents: FxHashMap::default(),
            further: FxHashMap::default(),
            covered_by: FxHashMap::default(),
            covers: FxHashMap::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Arg::new();
    }

    /// How many nodes can cover others: all that are there but targets.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// How many nodes were made, those that are gone included.
    pub(crate) fn created(&self) -> usize {
        self.nodes.len()
    }

    /// How many bytes the graph takes; its side tables are not counted.
    pub(super) fn bytes(&self, of_state: impl Fn(&S::State) -> usize) -> usize {
        let states: usize = self.nodes.iter().map(|node| of_state(&node.state)).sum();
        self.nodes.bytes() + states + self.index.bytes()
    }

    /// The control and the state of every node that was made.
    pub(crate) fn into_states(self) -> impl Iterator<Item = (S::Control, S::State)> {
        self.nodes.into_elements().map(|node| (node.control, node.state))
    }

    /// Every node that is there, the oldest first.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        (0..self.nodes.len() as u32).map(NodeId).filter(|node| self.has(*node))
    }

    /// Whether the node is still there.
    pub fn has(&self, node: NodeId) -> bool {
        !S::LINKS || !self.links[node.index()].removed
    }

    /// Where the executions of a node are.
    pub fn control(&self, node: NodeId) -> S::Control {
        self.nodes.get(node.index()).control
    }

    /// The state of a node.
    pub fn state(&self, node: NodeId) -> &S::State {
        &self.nodes.get(node.index()).state
    }

    /// The state of a node, to change what does not bear on its class.
    pub(crate) fn state_mut(&mut self, node: NodeId) -> &mut S::State {
        &mut self.nodes.get_mut(node.index()).state
    }

    /// A node's control and state.
    pub fn place(&self, node: NodeId) -> Place<'_, S> {
        let Node { control, state, .. } = self.nodes.get(node.index());
        Place { control: *control, state }
    }

    /// What led to a node first.
    pub fn label(&self, node: NodeId) -> &S::Label {
        &self.nodes.get(node.index()).label
    }

    /// From where a node was reached first.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.nodes.get(node.index()).parent;
        (parent != NO_PARENT).then_some(NodeId(parent))
    }

    /// The other source of a node whose edge has two.
    pub(crate) fn second_parent(&self, node: NodeId) -> Option<NodeId> {
        self.second.get(&node).copied()
    }

    /// The nodes from an initial one to this one, along which it was reached first.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> = std::iter::successors(Some(node), |node| self.parent(*node)).collect();
        path.reverse();
        path
    }

    /// The nodes of a class, and perhaps some of others, in no order.
    pub(crate) fn in_class(&self, class: u64) -> impl Iterator<Item = NodeId> + '_ {
        self.index.with_hash(class).map(NodeId)
    }

    /// The edges out of a node.
    pub fn edges(&self, node: NodeId) -> &[(S::Label, NodeId)] {
        &self.links[node.index()].out
    }

    /// Whether the successors of a node are known.
    pub(crate) fn is_expanded(&self, node: NodeId) -> bool {
        self.links[node.index()].expanded
    }

    /// Whether a node waits.
    pub fn is_waiting(&self, node: NodeId) -> bool {
        self.links[node.index()].waits
    }

    /// The node that covers a node.
    pub(crate) fn covered_by(&self, node: NodeId) -> Option<NodeId> {
        self.covered_by.get(&node).copied()
    }

    /// The nodes that a node covers.
    pub fn covered(&self, node: NodeId) -> &[NodeId] {
        self.covers.get(&node).map(Vec::as_slice).unwrap_or_default()
    }

    /// Adds a node. A target covers nothing, and is not in the index.
    pub(super) fn add(
        &mut self,
        space: &S,
        [from, also_from]: [Option<NodeId>; 2],
        class: u64,
        label: S::Label,
        control: S::Control,
        state: S::State,
    ) -> Result<NodeId, Stop> {
        let number = u32::try_from(self.nodes.len()).ok().filter(|n| *n < NO_PARENT).ok_or(Stop::MemoryLimit)?;
        let node = NodeId(number);
        if S::LINKS {
            self.links.push(Links { out: Vec::new(), waits: false, expanded: false, removed: false });
            if let Some(from) = from {
                self.links[from.index()].out.push((label.clone(), node));
            }
            if let Some(also_from) = also_from {
                self.second.insert(node, also_from);
                self.dependents.entry(also_from).or_default().push(node);
            }
        }
        self.nodes.push(Node { control, parent: from.map_or(NO_PARENT, |from| from.0), label, state });
        if !space.is_target(control) {
            let nodes = &self.nodes;
            self.index.insert(class, number, |n| {
                let Node { control, state, .. } = nodes.get(n as usize);
                space.class(*control, state)
            });
        }
        Ok(node)
    }

    /// Adds an edge to a node that is there.
    pub(super) fn link(&mut self, from: Option<NodeId>, label: S::Label, to: NodeId) {
        if let Some(from) = from.filter(|_| S::LINKS) {
            self.links[from.index()].out.push((label, to));
            self.further.entry(to).or_default().push(from);
        }
    }

    /// A node that covers a state of that class which has no node yet.
    pub(super) fn covering(&self, space: &mut S, class: u64, specific: Place<'_, S>) -> Result<Option<NodeId>, Stop> {
        let Place { control, state } = specific;
        for candidate in self.index.with_hash(class) {
            if space.covers(self.place(NodeId(candidate)), Place { control, state })? {
                return Ok(Some(NodeId(candidate)));
            }
        }
        Ok(None)
    }

    /// Another node that covers a node, the oldest of those that are not covered themselves.
    pub(super) fn covering_node(&self, space: &mut S, node: NodeId) -> Result<Option<NodeId>, Stop> {
        let Place { control, state } = self.place(node);
        let class = space.class(control, state);
        let mut candidates: Vec<u32> = self.index.with_hash(class).collect();
        candidates.sort_unstable();
        for candidate in candidates.into_iter().map(NodeId) {
            if candidate != node
                && !self.covered_by.contains_key(&candidate)
                && space.covers(self.place(candidate), self.place(node))?
            {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }

    /// The node that waits and takes in the state, or the state where none does.
    pub(super) fn merging(
        &mut self,
        space: &mut S,
        class: u64,
        control: S::Control,
        mut state: S::State,
    ) -> Result<NodeId, S::State> {
        let same = self.index.with_hash(class).map(NodeId);
        let candidates: Vec<NodeId> = same.filter(|node| self.is_waiting(*node)).collect();
        for candidate in candidates {
            match space.merge(self, candidate, control, state) {
                None => return Ok(candidate),
                Some(apart) => state = apart,
            }
        }
        Err(state)
    }

    pub(super) fn cover(&mut self, node: NodeId, by: NodeId) {
        self.covered_by.insert(node, by);
        self.covers.entry(by).or_default().push(node);
    }

    pub(super) fn mark_expanded(&mut self, node: NodeId) {
        if S::LINKS {
            self.links[node.index()].expanded = true;
        }
    }

    pub(super) fn mark_waiting(&mut self, node: NodeId) {
        if S::LINKS {
            self.links[node.index()].waits = true;
        }
    }

    /// Whether the node waited; from here on it does not. Without links, every node waits once.
    pub(super) fn take_waiting(&mut self, node: NodeId) -> bool {
        if !S::LINKS {
            return true;
        }
        let links = &mut self.links[node.index()];
        std::mem::take(&mut links.waits) && !links.removed
    }

    /// Takes a node out of the index.
    pub(super) fn forget(&mut self, space: &S, node: NodeId) {
        let Place { control, state } = self.place(node);
        let class = space.class(control, state);
        self.index.remove(class, node.0);
    }
}
