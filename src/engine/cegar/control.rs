//! Where abstract states are: the activation, the location stack and what is there, all as numbers.
//!
//! An activation of a recursive procedure has nodes of its own, so that a call which an earlier one covers can take its
//! exits over: that is how a stack is popped. All other calls are part of the stacks of the nodes.

use crate::engine::search::NodeId;
use crate::engine::stacks::{StackId, Stacks};
use crate::formula::blocks::Walk;
use crate::program::{EdgeId, ProcId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of an activation: a call of a recursive procedure, or of the main one, with all calls that it covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::engine) struct ActivationId(pub(in crate::engine) u32);

/// Where executions are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::engine) struct Control {
    /// The activation.
    pub(in crate::engine) activation: ActivationId,
    /// The stack from the activation's procedure on.
    pub(in crate::engine) stack: StackId,
    /// What is there.
    pub(in crate::engine) kind: Kind,
}

/// What is at a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::engine) enum Kind {
    /// The entry of a recursive procedure.
    Entry(ProcId),
    /// Another cut point.
    Cut,
    /// The exit of the activation.
    Exit,
    /// An error that counts.
    Error,
}

/// How a node was reached.
#[derive(Debug, Clone)]
pub(in crate::engine) enum Label {
    /// By `init`.
    Start,
    /// By a block.
    Block {
        /// All its ways.
        walk: Rc<Walk>,
        /// Which of its ends.
        end: usize,
    },
    /// By a call of a recursive procedure.
    Call {
        /// The edge that calls.
        edge: EdgeId,
    },
    /// By the return of such a call: from the node that calls and, as the other source, the callee's exit.
    Return {
        /// The edge that calls.
        edge: EdgeId,
    },
}

impl Label {
    /// Whether an activation starts with it.
    pub(in crate::engine) fn is_entry(&self) -> bool {
        matches!(self, Label::Start | Label::Call { .. })
    }
}

/// The controls of a search: stacks, and the activations with their entries.
#[derive(Debug, Default)]
pub(in crate::engine) struct Controls {
    /// The location stacks.
    pub(in crate::engine) stacks: Stacks,
    activations: u32,
    /// The entries of the activations that were explored.
    entries: FxHashMap<ActivationId, NodeId>,
    reductions_before: u64,
    /// How many nodes were expanded.
    expansions: u64,
    /// After how many of them cells of memory were found that were not known when the search started.
    new_cells_after: Option<u64>,
}

impl Controls {
    /// A search starts, after so many reductions of the precision.
    pub(in crate::engine) fn start(&mut self, reductions: u64) {
        self.activations = 0;
        self.entries.clear();
        self.reductions_before = reductions;
        self.expansions = 0;
        self.new_cells_after = None;
    }

    /// A node is expanded.
    pub(in crate::engine) fn note_expansion(&mut self) {
        self.expansions += 1;
    }

    /// There are more cells of memory than when the search started.
    pub(in crate::engine) fn note_new_cells(&mut self) {
        self.new_cells_after.get_or_insert(self.expansions);
    }

    /// Whether there are more cells of memory than when the search started.
    pub(in crate::engine) fn has_new_cells(&self) -> bool {
        self.new_cells_after.is_some()
    }

    /// Whether the search goes on although it has to start again with new cells: it may find more of them. It goes on for as
    /// long as it took to find the first, so that a row of cells that are found one after the other costs no more than
    /// twice what it costs to find the last.
    pub(in crate::engine) fn looks_for_more_cells(&self) -> bool {
        self.new_cells_after.is_some_and(|after| self.expansions < 2 * after)
    }

    /// How many reductions of the precision there were before the search started.
    pub(in crate::engine) fn reductions_before(&self) -> u64 {
        self.reductions_before
    }

    /// A new activation.
    pub(in crate::engine) fn new_activation(&mut self) -> ActivationId {
        self.activations += 1;
        ActivationId(self.activations - 1)
    }

    /// Notes the entry of an activation.
    pub(in crate::engine) fn note_entry(&mut self, activation: ActivationId, entry: NodeId) {
        self.entries.insert(activation, entry);
    }

    /// The entry of an activation that was explored.
    pub(in crate::engine) fn entry(&self, activation: ActivationId) -> NodeId {
        self.entries[&activation]
    }
}
