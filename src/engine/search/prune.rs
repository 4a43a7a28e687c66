//! Lazy pruning: what a finer precision changes is taken out of the graph, and nothing else.

use super::{Arg, NodeId, Search, Space};
use rustc_hash::FxHashSet;

impl<S: Space> Search<S> {
    /// Removes all that came from a node, and lets wait again what has to be explored again: the node itself, nodes
    /// that were covered by what is gone, and nodes with an edge to what is gone.
    pub(crate) fn prune_below(&mut self, space: &mut S, node: NodeId) {
        for again in self.arg.prune_below(space, node) {
            self.enqueue(space, again);
        }
    }
}

impl<S: Space> Arg<S> {
    /// Removes all that came from a node; the nodes that are to be explored again, the oldest first.
    fn prune_below(&mut self, space: &S, node: NodeId) -> Vec<NodeId> {
        let mut again: FxHashSet<NodeId> = FxHashSet::default();
        let mut incomplete = vec![node];
        while let Some(node) = incomplete.pop() {
            if !self.has(node) || !again.insert(node) {
                continue;
            }
            self.links[node.index()].expanded = false;
            let mut going = self.take_edges(node);
            while let Some(gone) = going.pop() {
                if self.has(gone) {
                    self.remove(space, gone, &mut going, &mut again, &mut incomplete);
                }
            }
        }
        let mut again: Vec<NodeId> = again.into_iter().filter(|node| self.has(*node)).collect();
        again.sort_unstable();
        for node in &again {
            self.uncover(*node);
        }
        again
    }

    fn remove(
        &mut self,
        space: &S,
        gone: NodeId,
        going: &mut Vec<NodeId>,
        again: &mut FxHashSet<NodeId>,
        incomplete: &mut Vec<NodeId>,
    ) {
        self.links[gone.index()].removed = true;
        self.forget(space, gone);
        going.extend(self.take_edges(gone));
        going.extend(self.dependents.remove(&gone).unwrap_or_default());
        again.extend(self.covers.remove(&gone).unwrap_or_default());
        incomplete.extend(self.further.remove(&gone).unwrap_or_default());
        self.uncover(gone);
        // An edge with two sources goes with either.
        if let Some(second) = self.second.remove(&gone)
            && let Some(dependents) = self.dependents.get_mut(&second)
        {
            dependents.retain(|node| *node != gone);
        }
        if let Some(parent) = self.parent(gone) {
            self.links[parent.index()].out.retain(|(_, to)| *to != gone);
        }
    }

    /// The nodes that were reached first from a node; its edges are gone.
    fn take_edges(&mut self, node: NodeId) -> Vec<NodeId> {
        let mut children = Vec::new();
        for (_, to) in std::mem::take(&mut self.links[node.index()].out) {
            if self.parent(to) == Some(node) {
                children.push(to);
            } else if let Some(sources) = self.further.get_mut(&to) {
                sources.retain(|source| *source != node);
            }
        }
        children
    }

    fn uncover(&mut self, node: NodeId) {
        if let Some(by) = self.covered_by.remove(&node)
            && let Some(covered) = self.covers.get_mut(&by)
        {
            covered.retain(|other| *other != node);
        }
    }
}
