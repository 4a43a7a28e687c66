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
}

impl Waitlist {
    pub(super) fn new(order: Order) -> Waitlist {
        Waitlist {
            order,
            urgent: VecDeque::new(),
            queue: VecDeque::new(),
            ordered: BinaryHeap::new(),
            parked: VecDeque::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.urgent.clear();
        self.queue.clear();
        self.ordered.clear();
        self.parked.clear();
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

    pub(super) fn parked(&mut self) -> &mut VecDeque<NodeId> {
        &mut self.parked
    }

    pub(super) fn waiting(&self) -> impl Iterator<Item = NodeId> + '_ {
        let ordered = self.ordered.iter().map(|Reverse((_, node))| *node);
        self.urgent.iter().chain(&self.queue).copied().chain(ordered)
    }

    pub(super) fn bytes(&self) -> usize {
        (self.urgent.capacity() + self.queue.capacity() + self.parked.capacity()) * size_of::<NodeId>()
            + self.ordered.capacity() * size_of::<Reverse<(u64, NodeId)>>()
    }

    pub(super) fn len(&self) -> usize {
        self.urgent.len() + self.queue.len() + self.ordered.len()
    }
}
