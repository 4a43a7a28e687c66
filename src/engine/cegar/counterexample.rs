//! Abstract counterexamples: the paths through the graph that lead to errors, as the program takes them.

use super::Cegar;
use super::control::{Kind, Label};
use super::limits::MAX_PATH_PIECES;
use crate::engine::refine::{PathNode, Piece};
use crate::engine::search::NodeId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is still to be done for a path, the last first.
enum Job {
    /// The way to a node is wanted: from the start, or from the entry of its activation.
    WayTo(NodeId, WayFrom),
    /// A piece is ready.
    Ready(Piece),
}

#[derive(Clone, Copy, PartialEq)]
enum WayFrom {
    Start,
    Entry,
}

impl Cegar<'_> {
    /// The path to a node, from the start; `None` if it is too long.
    pub(in crate::engine) fn pieces(&self, node: NodeId) -> Option<Vec<Piece>> {
        let arg = &self.search.arg;
        let mut nodes: FxHashMap<NodeId, Rc<PathNode>> = FxHashMap::default();
        let mut at = |id| Rc::clone(nodes.entry(id).or_insert_with(|| Rc::new(self.path_node(id))));
        let parent = |node| arg.parent(node).expect("only what `init` leads to has no parent");
        let mut reversed = Vec::new();
        let mut jobs = vec![Job::WayTo(node, WayFrom::Start)];
        while let Some(job) = jobs.pop() {
            if reversed.len() > MAX_PATH_PIECES {
                return None;
            }
            let (node, start) = match job {
                Job::Ready(piece) => {
                    reversed.push(piece);
                    continue;
                }
                Job::WayTo(node, start) => (node, start),
            };
            let to = at(node);
            match *arg.label(node) {
                Label::Start => reversed.push(Piece::Start { to }),
                Label::Block { ref walk, end } => {
                    let from = parent(node);
                    reversed.push(Piece::Block { from: at(from), to, walk: Rc::clone(walk), end });
                    jobs.push(Job::WayTo(from, start));
                }
                // Inside a call that returns, the way to the entry is the caller's.
                Label::Call { .. } if start == WayFrom::Entry => {}
                Label::Call { edge } => {
                    let from = parent(node);
                    reversed.push(Piece::Call { from: at(from), edge, to });
                    jobs.push(Job::WayTo(from, start));
                }
                Label::Return { edge } => {
                    let (call, exit) = (parent(node), arg.second_parent(node).expect("a return has an exit"));
                    let entry = at(self.space.controls.entry(arg.control(exit).activation));
                    let from = at(call);
                    let callee = entry.top().procedure;
                    reversed.push(Piece::Return { call: Rc::clone(&from), edge, callee, to });
                    jobs.push(Job::WayTo(call, start));
                    jobs.push(Job::Ready(Piece::Call { from, edge, to: entry }));
                    jobs.push(Job::WayTo(exit, WayFrom::Entry));
                }
            }
        }
        reversed.reverse();
        Some(reversed)
    }

    pub(in crate::engine) fn path_node(&self, id: NodeId) -> PathNode {
        let (control, reached) = (self.search.arg.control(id), self.search.arg.state(id));
        let stack = self.space.frames(&self.search.arg, id);
        let apart = self.space.told_apart(&stack, control.kind, &reached.state);
        PathNode { id, stack, state: Rc::clone(&reached.state), apart, made_after: reached.made_after }
    }

    /// Whether the path ends in an error.
    pub(super) fn ends_in_error(&self, pieces: &[Piece]) -> bool {
        pieces.last().is_some_and(|piece| self.search.arg.control(piece.to().id).kind == Kind::Error)
    }
}
