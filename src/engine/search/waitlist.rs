//! What waits to be explored, and in which order.

use super::NodeId;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// In which order nodes are explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The oldest first.
    BreadthFirst,
    /// The newest first.
    DepthFirst,
    /// The one with the least priority first, and of those the oldest.
    Priority,
}

/// The nodes that wait. A node can be listed more than once; the graph knows whether it still waits.
#[derive(Debug)]
pub struct Waitlist {
    order: Order,
    urgent: VecDeque<NodeId>,
    queue: VecDeque<NodeId>,
    ordered: BinaryHeap<Reverse<(u64, NodeId)>>,
    /// Nodes that are explored only if the strategy picks them.
    parked: VecDeque<NodeId>,
    /// Of these, the ones that the strategy has given a rank.
    ranked: BinaryHeap<Reverse<(u64, NodeId)>>,
}

impl Waitlist {
    pub(super) fn new(order: Order) -> Waitlist {
        Waitlist {
            order,
            urgent: VecDeque::new(),
            queue: VecDeque::new(),
            ordered: BinaryHeap::new(),
            parked: VecDeque::new(),
            ranked: BinaryHeap::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.urgent.clear();
        self.queue.clear();
        self.ordered.clear();
        self.parked.clear();
        self.ranked.clear();
    }

    pub(super) fn next(&mut self) -> Option<NodeId> {
        if let Some(node) = self.urgent.pop_front() {
            return Some(node);
        }
        match self.order {
            Order::BreadthFirst => self.queue.pop_front(),
            Order::DepthFirst => self.queue.pop_back(),
            Order::Priority => self.ordered.pop().map(|Reverse((_, node))| node),
        }
    }

    pub(super) fn next_urgent(&mut self) -> Option<NodeId> {
        self.urgent.pop_front()
    }

    pub(super) fn push(&mut self, node: NodeId, priority: u64) {
        match self.order {
            Order::Priority => self.ordered.push(Reverse((priority, node))),
            _ => self.queue.push_back(node),
        }
    }

    pub(super) fn push_urgent(&mut self, node: NodeId) {
        self.urgent.push_back(node);
    }

    pub(super) fn park(&mut self, node: NodeId) {
        self.parked.push_back(node);
    }

    pub(super) fn has_parked(&self) -> bool {
        !self.parked.is_empty()
    }

    /// Gives every parked node a rank; one without is forgotten.
    pub(super) fn rank_parked(&mut self, rank: impl Fn(NodeId) -> Option<u64>) {
        let ranked = self.parked.drain(..).filter_map(|node| Some(Reverse((rank(node)?, node))));
        self.ranked.extend(ranked);
    }

    pub(super) fn has_ranked(&self) -> bool {
        !self.ranked.is_empty()
    }

    /// The node of the least rank, and of those the oldest.
    pub(super) fn next_ranked(&mut self) -> Option<NodeId> {
        self.ranked.pop().map(|Reverse((_, node))| node)
    }

    /// Parks the nodes that have a rank again, without it, and all that are parked by age.
    pub(super) fn unrank_parked(&mut self) {
        self.parked.extend(self.ranked.drain().map(|Reverse((_, node))| node));
        self.parked.make_contiguous().sort_unstable();
    }

    pub(super) fn waiting(&self) -> impl Iterator<Item = NodeId> + '_ {
        let ordered = self.ordered.iter().map(|Reverse((_, node))| *node);
        self.urgent.iter().chain(&self.queue).copied().chain(ordered)
    }

    pub(super) fn bytes(&self) -> usize {
        (self.urgent.capacity() + self.queue.capacity() + self.parked.capacity()) * size_of::<NodeId>()
            + (self.ordered.capacity() + self.ranked.capacity()) * size_of::<Reverse<(u64, NodeId)>>()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.urgent.is_empty() && self.queue.is_empty() && self.ordered.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.urgent.len() + self.queue.len() + self.ordered.len()
    }
}
