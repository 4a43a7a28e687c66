//! A finer abstraction: every node is replaced by its parts, and what was explored from a node that stays whole is kept.

use super::{Arg, NodeId, Place, Search, Space, Stop};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

impl<S: Space> Search<S>
where
    S::Label: PartialEq,
{
    /// Goes over to a graph of parts. A node with one part that nothing covers keeps its edges; all other parts wait,
    /// after `rebuilt` has seen the graph.
    ///
    /// # Errors
    /// Where there is a reason to stop; the search is then of no use any more.
    pub fn replace(
        &mut self,
        space: &mut S,
        mut parts: impl FnMut(&mut S, Place<'_, S>) -> Result<Vec<(S::Control, S::State)>, Stop>,
        rebuilt: impl FnOnce(&mut S, &Arg<S>),
    ) -> Result<(), Stop> {
        let old = std::mem::replace(&mut self.arg, Arg::new());
        self.waitlist.clear();
        let mut parts_of: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        // New nodes with the old ones whose edges they keep.
        let mut kept: Vec<(NodeId, NodeId)> = Vec::new();
        let is_initial = |node: &NodeId| old.parent(*node).is_none();
        let mut queue: VecDeque<(NodeId, Option<NodeId>)> = old.nodes().filter(is_initial).map(|n| (n, None)).collect();
        while let Some((id, parent)) = queue.pop_front() {
            if parts_of.contains_key(&id) {
                continue;
            }
            let found = parts(space, old.place(id))?;
            let is_whole = found.len() == 1;
            let mut made = Vec::new();
            for (control, state) in found {
                let class = space.class(control, &state);
                if let Some(known) = self.arg.covering(space, class, Place { control, state: &state })? {
                    made.push(known);
                    continue;
                }
                let new = self.arg.add(space, [parent, None], class, old.label(id).clone(), control, state)?;
                made.push(new);
                if is_whole && old.is_expanded(id) {
                    kept.push((new, id));
                    queue.extend(old.edges(id).iter().map(|(_, next)| (*next, Some(new))));
                }
            }
            parts_of.insert(id, made);
        }
        for (new, id) in kept {
            self.arg.links[new.index()].out.clear();
            for (label, next) in old.edges(id) {
                for part in &parts_of[next] {
                    self.arg.link_once(new, label, *part);
                }
            }
            self.arg.mark_expanded(new);
        }
        rebuilt(space, &self.arg);
        let open: Vec<NodeId> = self.arg.nodes().filter(|node| !self.arg.is_expanded(*node)).collect();
        for node in open {
            self.enqueue(space, node);
        }
        Ok(())
    }
}

impl<S: Space> Arg<S>
where
    S::Label: PartialEq,
{
    fn link_once(&mut self, from: NodeId, label: &S::Label, to: NodeId) {
        if self.edges(from).iter().any(|(other, node)| *node == to && other == label) {
            return;
        }
        match self.parent(to) == Some(from) {
            true => self.links[from.index()].out.push((label.clone(), to)),
            false => self.link(Some(from), label.clone(), to),
        }
    }
}
