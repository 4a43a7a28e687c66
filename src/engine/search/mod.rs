//! The one search: every engine explores its states with it.
//!
//! A [`Space`] says what a search computes with: states, their successors, which cover which. [`Search`] owns the graph
//! of what was reached ([`Arg`]) and what waits ([`Waitlist`]), and explores until a target is found or nothing waits.
//! Refinement prunes the graph lazily, or starts again. How an engine uses it is its strategy.
//!
//! Invariants of the graph, which a proof rests on, at the end of a search that is complete:
//! - every initial state has a node;
//! - every node is expanded, or covered by a node that is not itself covered, or parked, which a proof has to explain;
//! - every successor that the expansion of a node gave has a node, an edge to a node that covers it, or an edge to a
//!   node that it was merged into before that one was expanded.

mod arg;
mod parked;
mod prune;
mod replace;
#[cfg(test)]
mod tests;
mod waitlist;

pub use arg::{Arg, NodeId, Place};
pub use waitlist::{Order, Waitlist};

use super::{Budget, Progress, Stop};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// What a search computes with.
pub(super) trait Space: Sized {
    /// Where executions are: threads, stacks, activations. It is never inside a state.
    type Control: Copy + Eq + Hash;
    /// What is known of the data there.
    type State;
    /// What an edge did; traces are made of labels.
    type Label: Clone;

    /// When it is asked whether a node covers another.
    const COVERING: Covering;
    /// Whether the graph knows the edges out of its nodes. Pruning, merging and proofs need them; a search that only
    /// goes forward saves their memory.
    const LINKS: bool;
    /// At every N-th expansion limits are looked at.
    const CHECK_EVERY: u32 = 1;

    /// The initial states.
    ///
    /// # Errors
    /// Where there is a reason to stop.
    fn initial(&mut self, out: &mut Successors<Self>) -> Result<(), Stop>;

    /// The successors of a node. Together they stand for every state that a step leads to from one that the node
    /// stands for. A successor may also be that of an earlier node, which an exit found now completes.
    ///
    /// # Errors
    /// Where there is a reason to stop.
    fn expand(&mut self, arg: &mut Arg<Self>, at: NodeId, out: &mut Successors<Self>) -> Result<Expansion, Stop>;

    /// Whether what is searched for is there, whatever the state. Such nodes are looked at before all others, and are
    /// never covered.
    fn is_target(&self, control: Self::Control) -> bool;

    /// Nodes of different classes never cover each other and are never merged; only those of one class are compared.
    fn class(&self, control: Self::Control, state: &Self::State) -> u64;

    /// Whether every execution that goes on from `specific` has one like it from `general`. Nodes of one class are
    /// asked about, and of others whose classes have the same number.
    ///
    /// # Errors
    /// Where there is a reason to stop.
    fn covers(&mut self, general: Place<'_, Self>, specific: Place<'_, Self>) -> Result<bool, Stop>;

    /// A node is covered by another one: what has been found from that one may complete the covered node's parents.
    ///
    /// # Errors
    /// Where there is a reason to stop.
    fn covered(&mut self, _: &Arg<Self>, _: Cover, _: &mut Successors<Self>) -> Result<(), Stop> {
        Ok(())
    }

    /// Takes a new state into that of a node of its class that waits, where the space merges states. The result
    /// stands for all that either does; where it is `Some`, the state comes back and stays apart.
    fn merge(&mut self, _: &mut Arg<Self>, _: NodeId, _: Self::Control, state: Self::State) -> Option<Self::State> {
        Some(state)
    }

    /// Whether a new node is parked instead of waiting.
    fn parks(&mut self, _: &Arg<Self>, _: NodeId) -> bool {
        false
    }

    /// Transitions that were taken without storing what is between them.
    fn skipped_transitions(&self) -> u64 {
        0
    }

    /// In an ordered waitlist the least comes first.
    fn priority(&self, _: NodeId, _: Place<'_, Self>) -> u64 {
        0
    }
}

/// A number for a class of nodes: equal for what is equal, and the same in every run.
pub fn class_of(what: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}

/// When it is asked whether a node covers another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Covering {
    /// Before a state is stored: one that is covered gets no node, only an edge to the node that covers it.
    BeforeStoring,
    /// When a node is taken from the waitlist: it stays in the graph, with a link to the one that covers it.
    OnTaking,
}

/// That a node is covered by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cover {
    /// The node that is covered.
    pub node: NodeId,
    /// The one that covers it.
    pub by: NodeId,
}

/// What came of expanding a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expansion {
    /// Its successors are known.
    Done,
    /// Some of its successors are known. It waits again, for the others; a target among those that are known is looked
    /// at before.
    Partial,
    /// The node itself is what is searched for.
    Target,
    /// What was explored so far holds no longer: the search starts again.
    Invalidated,
}

/// A state that is reached.
struct Successor<S: Space> {
    /// From where; none for an initial state.
    pub from: Option<NodeId>,
    /// The other source of an edge that has two: a return has its call and its exit.
    pub also_from: Option<NodeId>,
    /// By what.
    pub label: S::Label,
    /// Where executions are then.
    pub control: S::Control,
    /// What is known then.
    pub state: S::State,
}

/// The states that an expansion reaches.
pub(super) struct Successors<S: Space> {
    from: Option<NodeId>,
    found: Vec<Successor<S>>,
}

impl<S: Space> Successors<S> {
    fn new() -> Self {
        Successors { from: None, found: Vec::new() }
    }

    /// Adds a successor of the node that is expanded.
    pub fn add(&mut self, label: S::Label, control: S::Control, state: S::State) {
        self.found.push(Successor { from: self.from, also_from: None, label, control, state });
    }

    /// Adds a successor of two nodes, neither of which need be the one that is expanded.
    pub(super) fn add_from(&mut self, sources: [NodeId; 2], label: S::Label, control: S::Control, state: S::State) {
        let [from, also_from] = sources.map(Some);
        self.found.push(Successor { from, also_from, label, control, state });
    }
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// By a target.
    Target(NodeId),
    /// Nothing waits any more.
    Complete,
    /// By a pause that was asked for.
    Paused,
}

/// A search: what was reached, and what waits.
pub struct Search<S: Space> {
    /// What was reached.
    pub arg: Arg<S>,
    waitlist: Waitlist,
    out: Successors<S>,
    expansions: u32,
    transitions: u64,
}

impl<S: Space> Search<S> {
    /// A search that has not started.
    pub fn new(order: Order) -> Self {
        Search {
            arg: Arg::new(),
            waitlist: Waitlist::new(order),
            out: Successors::new(),
            expansions: 0,
            transitions: 0,
        }
    }

    /// Starts, or starts again, with the initial states alone.
    ///
    /// # Errors
    /// Where there is a reason to stop.
    pub fn start(&mut self, space: &mut S) -> Result<(), Stop> {
        self.arg.clear();
        self.waitlist.clear();
        self.out.from = None;
        self.out.found.clear();
        space.initial(&mut self.out)?;
        self.reach_all(space)
    }

    /// Explores until a target is found or nothing waits.
    ///
    /// # Errors
    /// Where there is a reason to stop.
    pub fn run(&mut self, space: &mut S, budget: &Budget) -> Result<Found, Stop> {
        self.run_until(space, budget, |_, _| false)
    }

    /// Explores until a target is found, nothing waits, or `pause` says so.
    ///
    /// # Errors
    /// Where there is a reason to stop.
    pub(super) fn run_until(
        &mut self,
        space: &mut S,
        budget: &Budget,
        mut pause: impl FnMut(&S, &Arg<S>) -> bool,
    ) -> Result<Found, Stop> {
        while !self.waitlist.is_empty() {
            // Before a node is taken: a search that is stopped keeps all that waits.
            self.check(space, budget)?;
            let Some(node) = self.next() else { break };
            if let Some(found) = self.visit(space, node)? {
                return Ok(found);
            }
            if pause(space, &self.arg) {
                return Ok(Found::Paused);
            }
        }
        Ok(Found::Complete)
    }

    /// Says how far the search is, and looks whether there is a reason to stop, at every N-th call.
    fn check(&mut self, space: &S, budget: &Budget) -> Result<(), Stop> {
        if self.expansions.is_multiple_of(S::CHECK_EVERY) {
            budget.check()?;
            budget.report(self.progress(space));
        }
        self.expansions = self.expansions.wrapping_add(1);
        Ok(())
    }

    /// Looks at one node that was taken from the waitlist: a covered node is linked to the one that covers it, and all
    /// others are expanded. The search ends if the node is a target, or if it leads to one.
    ///
    /// # Errors
    /// Where there is a reason to stop.
    pub fn visit(&mut self, space: &mut S, node: NodeId) -> Result<Option<Found>, Stop> {
        if space.is_target(self.arg.control(node)) {
            return Ok(Some(Found::Target(node)));
        }
        self.out.from = Some(node);
        if S::COVERING == Covering::OnTaking
            && let Some(by) = self.arg.covering_node(space, node)?
        {
            self.arg.cover(node, by);
            space.covered(&self.arg, Cover { node, by }, &mut self.out)?;
            self.reach_all(space)?;
            return Ok(self.next_target());
        }
        let expansion = space.expand(&mut self.arg, node, &mut self.out);
        if expansion.is_err() {
            // It is as if the node had not been taken.
            self.out.found.clear();
            self.wait(space, node);
        }
        match expansion? {
            Expansion::Target => {
                self.out.found.clear();
                return Ok(Some(Found::Target(node)));
            }
            Expansion::Invalidated => self.start(space)?,
            Expansion::Done => {
                self.arg.mark_expanded(node);
                self.reach_all(space)?;
            }
            Expansion::Partial => {
                self.reach_all(space)?;
                self.enqueue(space, node);
            }
        }
        Ok(self.next_target())
    }

    /// The target that was reached first, of those that wait.
    fn next_target(&mut self) -> Option<Found> {
        while let Some(node) = self.waitlist.next_urgent() {
            if self.arg.take_waiting(node) {
                return Some(Found::Target(node));
            }
        }
        None
    }

    /// The next node that waits; those that were pruned meanwhile, or wait no longer, are passed over.
    fn next(&mut self) -> Option<NodeId> {
        loop {
            let node = self.waitlist.next()?;
            if self.arg.take_waiting(node) {
                return Some(node);
            }
        }
    }

    /// Adds the successors that were found.
    fn reach_all(&mut self, space: &mut S) -> Result<(), Stop> {
        let mut found = std::mem::take(&mut self.out.found);
        for successor in found.drain(..) {
            let is_target = self.reach(space, successor)?;
            // A search that only goes forward ends with its first target, and needs nothing beside it.
            if is_target && !S::LINKS {
                break;
            }
        }
        self.out.found = found;
        Ok(())
    }

    /// Adds a state: as an edge to a node that covers it or takes it in, or as a node that waits. Tells whether it is a
    /// target.
    fn reach(&mut self, space: &mut S, successor: Successor<S>) -> Result<bool, Stop> {
        let Successor { from, also_from, label, control, mut state } = successor;
        self.transitions += u64::from(from.is_some());
        let is_target = space.is_target(control);
        // Hashing a state is a good part of the work with concrete ones: it is done once.
        let class = space.class(control, &state);
        if !is_target {
            if S::COVERING == Covering::BeforeStoring
                && let Some(known) = self.arg.covering(space, class, Place { control, state: &state })?
            {
                self.arg.link(from, label, known);
                return Ok(false);
            }
            if S::LINKS {
                match self.arg.merging(space, class, control, state) {
                    Ok(waiting) => {
                        self.arg.link(from, label, waiting);
                        return Ok(false);
                    }
                    Err(apart) => state = apart,
                }
            }
        }
        let node = self.arg.add(space, [from, also_from], class, label, control, state)?;
        match is_target {
            true => self.wait_urgently(node),
            false => self.enqueue_inner(space, node),
        }
        Ok(is_target)
    }

    /// Lets a node wait, or parks it.
    pub fn enqueue(&mut self, space: &mut S, node: NodeId) {
        match space.is_target(self.arg.control(node)) {
            true => self.wait_urgently(node),
            false => self.enqueue_inner(space, node),
        }
    }

    /// Lets a node that is no target wait, or parks it.
    fn enqueue_inner(&mut self, space: &mut S, node: NodeId) {
        match space.parks(&self.arg, node) {
            true => self.waitlist.park(node),
            false => self.wait(space, node),
        }
    }

    /// Lets a node that is no target wait.
    fn wait(&mut self, space: &S, node: NodeId) {
        let priority = space.priority(node, self.arg.place(node));
        self.waitlist.push(node, priority);
        self.arg.mark_waiting(node);
    }

    fn wait_urgently(&mut self, node: NodeId) {
        self.waitlist.push_urgent(node);
        self.arg.mark_waiting(node);
    }

    /// How far the search is.
    pub fn progress(&self, space: &S) -> Progress {
        Progress {
            states: self.arg.len() as u64,
            transitions: self.transitions + space.skipped_transitions(),
            waiting: self.waitlist.len() as u64,
        }
    }

    /// How many bytes the search takes; `of_state` tells what a state has allocated.
    pub fn bytes(&self, of_state: impl Fn(&S::State) -> usize) -> usize {
        self.arg.bytes(of_state) + self.waitlist.bytes()
    }

    /// The nodes that wait.
    pub fn waiting(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.waitlist.waiting().filter(|node| self.arg.is_waiting(*node))
    }

    /// Takes a node out of the waitlist, out of its order.
    pub fn pick(&mut self, node: NodeId) -> bool {
        self.arg.take_waiting(node)
    }
}
