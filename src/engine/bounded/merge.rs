//! States that wait at one place become one, and those that were there before are left out.

use super::call::CallerId;
use super::limits::MAX_APART;
use super::{Bounded, Merging, Node, NodeId, State};
use crate::program::control::Frame;
use crate::term::{Assignment, Symbol, TermId};
use std::cmp::Reverse;
use std::rc::Rc;

/// What has to agree for two states to be merged: where they are, and the values that are known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    stack: Rc<[Frame]>,
    caller: Option<CallerId>,
    known: Vec<(Symbol, TermId)>,
    base: NodeId,
    depth: u32,
}

impl Bounded<'_> {
    /// The node for a state: one that waits already and takes it in, the one where the same state was before, or a new
    /// one.
    pub(super) fn merged(
        &mut self,
        parent: Option<NodeId>,
        conditions: Vec<TermId>,
        depth: u32,
        state: State,
    ) -> NodeId {
        let mut known: Vec<(Symbol, TermId)> = (state.values.iter())
            .filter(|(_, value)| self.formulas.terms.as_value(**value).is_some())
            .map(|(symbol, value)| (*symbol, *value))
            .collect();
        known.sort_unstable();
        let is_constant =
            known.len() == state.values.len() && state.caller.is_none_or(|caller| self.callers[caller].is_constant);
        let key = Key { stack: Rc::clone(&state.stack), caller: state.caller, known: known.clone(), base: 0, depth: 0 };
        let base = parent.map_or(0, |node| self.nodes[node].base);
        if is_constant {
            if let Some(&(earlier, node)) = self.seen.get(&key)
                && earlier <= depth
            {
                return node;
            }
            self.seen.insert(key, (depth, self.nodes.len()));
        }
        if is_constant && let Some(parent) = parent {
            // No later guard depends on what led here.
            let base = self.nodes.len();
            let before = Some((parent, conditions));
            let node = Node {
                above: None,
                conditions: Vec::new(),
                base,
                before,
                depth,
                next: Vec::new(),
                state: None,
                explored: None,
            };
            return self.new_node(node, state);
        }
        let above = parent.and_then(|node| match self.nodes[node].conditions.is_empty() {
            true => self.nodes[node].above,
            false => Some(node),
        });
        let mut key = Key { stack: Rc::clone(&state.stack), caller: state.caller, known, base, depth };
        let crowd = self.crowds.entry((Rc::clone(&state.stack), state.caller, depth)).or_default();
        *crowd += 1;
        if *crowd > MAX_APART || self.merging == Merging::All {
            key.known.retain(|(symbol, _)| self.formulas.blocks.is_always_known(*symbol));
        }
        if let Some(&waiting) = self.open.get(&key) {
            self.take_in(waiting, above, &conditions, state);
            return waiting;
        }
        let node = Node { above, conditions, base, before: None, depth, next: Vec::new(), state: None, explored: None };
        let node = self.new_node(node, state);
        self.open.insert(key.clone(), node);
        self.keys.insert(node, key);
        node
    }

    /// A node that is expanded takes in nothing any more.
    pub(super) fn forget_open(&mut self, node: NodeId) {
        if let Some(key) = self.keys.remove(&node) {
            self.open.remove(&key);
        }
    }

    fn new_node(&mut self, node: Node, state: State) -> NodeId {
        let id = self.nodes.len();
        let priority = self.priority(id, node.depth, &state.stack, state.caller);
        self.nodes.push(Node { state: Some(state), ..node });
        self.waiting.push(Reverse((priority, id)));
        id
    }

    /// Merges a state into that of a node which waits: the ways to the two exclude each other.
    fn take_in(&mut self, node: NodeId, above: Option<NodeId>, conditions: &[TermId], state: State) {
        let common = self.common(self.nodes[node].above, above);
        let here = self.conditions_since(common, self.nodes[node].above, &self.nodes[node].conditions);
        let there = self.conditions_since(common, above, conditions);
        let here = self.formulas.terms.and(here);
        let there = self.formulas.terms.and(there);
        let waiting = self.nodes[node].state.as_mut().expect("a node that waits has a state");
        for (&symbol, &theirs) in &state.values {
            let ours = *waiting.values.entry(symbol).or_insert_with(|| self.formulas.terms.of_symbol(symbol));
            if ours != theirs {
                let value = self.formulas.terms.ite(here, ours, theirs);
                waiting.values.insert(symbol, value);
            }
        }
        for (symbol, ours) in &mut waiting.values {
            if !state.values.contains_key(symbol) {
                let theirs = self.formulas.terms.of_symbol(*symbol);
                *ours = self.formulas.terms.ite(here, *ours, theirs);
            }
        }
        waiting.model = match (waiting.model.take(), state.model) {
            (Some(ours), Some(theirs)) => {
                // The ways exclude each other: with what only the other one reads besides, this one is still gone.
                let mut both: Assignment = (*theirs).clone();
                both.extend(ours.iter().map(|(symbol, value)| (*symbol, value.clone())));
                Some(Rc::new(both))
            }
            _ => None,
        };
        let either = self.formulas.terms.or([here, there]);
        let truth = self.formulas.terms.bool(true);
        self.nodes[node].above = common;
        self.nodes[node].conditions = if either == truth { Vec::new() } else { vec![either] };
    }

    /// The last node that is above both.
    fn common(&self, mut a: Option<NodeId>, mut b: Option<NodeId>) -> Option<NodeId> {
        while a != b {
            // What is above has a smaller number.
            if a > b {
                a = a.and_then(|node| self.nodes[node].above);
            } else {
                b = b.and_then(|node| self.nodes[node].above);
            }
        }
        a
    }

    /// What has to hold after a node that is above, on the way to another one and there.
    fn conditions_since(&self, since: Option<NodeId>, above: Option<NodeId>, own: &[TermId]) -> Vec<TermId> {
        let mut conditions = own.to_vec();
        let mut next = above;
        while next != since {
            let Some(node) = next else { break };
            conditions.extend(&self.nodes[node].conditions);
            next = self.nodes[node].above;
        }
        conditions
    }
}
