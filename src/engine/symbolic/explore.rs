//! SYMBOLICEXEC: symbolic execution with abstract matching (figure 4.2 of the thesis).
//!
//! The thesis goes depth first through every path. Here states are explored breadth first, each once, along the first
//! path that leads to it: a state that is part of one that was explored is not explored again. The path to a state is
//! then the shortest one. A state whose abstract state was met on its path, or often enough on others, is matched and
//! waits aside: it is explored only if that is worth more than a refinement.

use super::config::Matching;
use super::fragment::Counterexample;
use super::graph::{Graph, NodeId};
use super::predicates::Bits;
use super::state::{Split, State};
use super::system::{PlaceId, PlaceKind};
use super::{Ase, Found};
use crate::engine::{Progress, Stop};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// So many symbolic states of one abstract state are explored; further ones are matched, whatever their paths.
const CROWD: u32 = 8;

/// So many waiting states are explored at once because a counterexample to induction is like them.
const MOST_HURRIED: usize = 8;

impl Ase<'_> {
    /// Puts the initial states into an empty graph.
    pub(super) fn start(&mut self) -> Result<(), Found> {
        let place = self.system.start();
        self.graph = Graph::default();
        for split in self.initial_states(place)? {
            let node = self.reach(place, split, None);
            self.graph.initial.push(node);
            if self.system.place(place).kind == PlaceKind::Error {
                return Err(Found::Violation { node, chosen: None });
            }
        }
        Ok(())
    }

    /// Explores until nothing waits or there are so many nodes; whether nothing waits.
    pub(super) fn explore(&mut self, most_nodes: usize) -> Result<bool, Found> {
        while let Some(node) = self.graph.waiting.pop_front() {
            self.expand(node)?;
            if self.graph.nodes.len() >= most_nodes {
                break;
            }
        }
        Ok(self.graph.waiting.is_empty())
    }

    /// Explores waiting states from which an attempt to close the set could be left: those that allow the move of a
    /// counterexample to induction, and agree with it on the property. Whether new abstract states were found.
    pub(super) fn hurry(&mut self, counterexamples: &[Counterexample]) -> Result<bool, Found> {
        let before = self.graph.states.len();
        let property = self.property_predicates();
        for Counterexample { place, chosen, bits } in counterexamples {
            let moves = self.system.moves(&mut self.terms, *place)?;
            let facts = self.facts(*place, *chosen, &moves[*chosen]);
            let wanted = bits.masked(&property);
            let is_like = |id: &NodeId| {
                let (at, bits) = &self.graph.states[self.graph.nodes[*id].matches];
                at == place && bits.masked(&property) == wanted && facts.guard.value(bits) != Some(false)
            };
            let like: Vec<NodeId> = self.graph.waiting.iter().copied().filter(is_like).take(MOST_HURRIED).collect();
            self.graph.waiting.retain(|id| !like.contains(id));
            for id in like {
                self.expand(id)?;
            }
        }
        Ok(self.graph.states.len() > before)
    }

    /// Explores some of the states that were matched, the first first, and what follows from them.
    pub(super) fn explore_matched(&mut self, most_nodes: usize) -> Result<(), Found> {
        while self.graph.nodes.len() < most_nodes {
            let Some(node) = self.graph.matched.pop_front() else { return Ok(()) };
            self.expand(node)?;
            while let Some(next) = self.graph.waiting.pop_front() {
                self.graph.matched.push_back(next);
            }
        }
        Ok(())
    }

    /// Takes every move from a node.
    pub(super) fn expand(&mut self, id: NodeId) -> Result<(), Found> {
        if self.graph.nodes[id].successors.is_some() {
            return Ok(());
        }
        self.work += 1;
        if self.work.is_multiple_of(64) {
            self.budget.check()?;
            self.budget.report(Progress {
                states: self.graph.nodes.len() as u64,
                transitions: self.statistics.transitions,
                waiting: self.graph.waiting.len() as u64,
            });
        }
        let node = &self.graph.nodes[id];
        let (place, state) = (node.place, node.state.clone());
        let bits = self.graph.states[node.matches].1.clone();
        let moves = self.system.moves(&mut self.terms, place)?;
        let mut successors = Vec::new();
        for (number, chosen) in moves.iter().enumerate() {
            let facts = self.facts(place, number, chosen);
            let guard = facts.guard.value(&bits);
            if guard == Some(false) {
                continue;
            }
            let after = self.execute(&state, &bits, chosen, &facts, guard)?;
            self.statistics.transitions += after.len() as u64;
            if !after.is_empty() && self.system.place(chosen.to).kind == PlaceKind::Error {
                return Err(Found::Violation { node: id, chosen: Some(number) });
            }
            for split in after {
                let next = self.reach(chosen.to, split, Some((id, number)));
                if !successors.contains(&(number, next)) {
                    successors.push((number, next));
                }
            }
        }
        self.graph.nodes[id].successors = Some(successors);
        Ok(())
    }

    /// The node of a state: one that it is part of, or a new one, which waits unless it is matched.
    fn reach(&mut self, place: PlaceId, (state, bits): Split, parent: Option<(NodeId, usize)>) -> NodeId {
        if let Some(known) = self.graph.covering(place, &state) {
            return known;
        }
        let id = self.graph.add(place, state, bits, parent);
        self.enqueue(id);
        id
    }

    fn enqueue(&mut self, id: NodeId) {
        let state = self.graph.nodes[id].matches;
        let matched = match self.config.matching {
            Matching::Path => self.graph.crowd(state) >= CROWD || self.graph.is_matched_on_path(id),
            Matching::Global => self.graph.crowd(state) > 0,
        };
        match matched {
            true => self.graph.matched.push_back(id),
            false => {
                self.graph.join_crowd(state);
                self.graph.waiting.push_back(id);
            }
        }
    }

    /// Takes over what was explored into a graph for more predicates: states that decide the new ones, with their
    /// successors. A state that does not is split, and its parts wait to be expanded.
    pub(super) fn refine_graph(&mut self, old_predicates: usize) -> Result<(), Stop> {
        let old = std::mem::take(&mut self.graph);
        self.forget_facts();
        let mut pieces: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        let mut queue: VecDeque<(NodeId, Option<(NodeId, usize)>)> = old.initial.iter().map(|&id| (id, None)).collect();
        // New nodes with the old ones whose successors they keep.
        let mut kept: Vec<(NodeId, NodeId)> = Vec::new();
        while let Some((id, parent)) = queue.pop_front() {
            if pieces.contains_key(&id) {
                continue;
            }
            self.budget.check()?;
            let node = &old.nodes[id];
            let bits = &old.states[node.matches].1;
            let splits = self.split_again(node.place, &node.state, bits, old_predicates)?;
            let whole = splits.len() == 1;
            let mut made = Vec::new();
            for (state, bits) in splits {
                let known = self.graph.covering(node.place, &state);
                let new = known.unwrap_or_else(|| self.graph.add(node.place, state, bits, parent));
                made.push(new);
                if whole && known.is_none() && node.successors.is_some() {
                    kept.push((new, id));
                    for &(chosen, next) in node.successors.iter().flatten() {
                        queue.push_back((next, Some((new, chosen))));
                    }
                }
            }
            pieces.insert(id, made);
        }
        for (new, id) in kept {
            let mut successors = Vec::new();
            for &(chosen, next) in old.nodes[id].successors.iter().flatten() {
                for &piece in &pieces[&next] {
                    if !successors.contains(&(chosen, piece)) {
                        successors.push((chosen, piece));
                    }
                }
            }
            self.graph.nodes[new].successors = Some(successors);
        }
        self.graph.initial = old.initial.iter().flat_map(|id| pieces[id].iter().copied()).collect();
        for id in 0..self.graph.nodes.len() {
            if self.graph.nodes[id].successors.is_some() {
                self.graph.join_crowd(self.graph.nodes[id].matches);
            }
        }
        for id in 0..self.graph.nodes.len() {
            if self.graph.nodes[id].successors.is_none() {
                self.enqueue(id);
            }
        }
        Ok(())
    }

    fn split_again(&mut self, place: PlaceId, state: &State, bits: &Bits, old: usize) -> Result<Vec<Split>, Stop> {
        let new: Vec<usize> = (old..self.predicates.len()).collect();
        let bits = bits.widened(self.predicates.len());
        self.split(place, state.clone(), bits, &new)
    }
}
