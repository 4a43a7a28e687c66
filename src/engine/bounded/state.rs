//! A symbolic state: what is known where a path is, and under which conditions it comes there.

use super::BoundedSpace;
use crate::engine::search::{Arg, NodeId};
use crate::formula::blocks::End;
use crate::term::{Assignment, Symbol, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The graph of a search.
pub(super) type PathArg<'p> = Arg<BoundedSpace<'p>>;

/// A symbolic state in the tree of executions; those that wait at one place can be merged.
pub(super) struct PathState {
    /// The values of variables, over copies of inputs.
    pub(super) values: FxHashMap<Symbol, TermId>,
    /// Until it is expanded, values of the symbols in them with which executions come here; none if the solver gave no
    /// answer.
    pub(super) model: Option<Rc<Assignment>>,
    /// The last node before it with conditions that matter for what follows.
    pub(super) above: Option<NodeId>,
    /// What has to hold besides what the nodes above it say.
    pub(super) conditions: Vec<TermId>,
    /// What had to hold on the way from the node before it, where nothing that follows depends on that.
    pub(super) led_here: Vec<TermId>,
    /// The last node before it from which on nothing depends on what led there.
    pub(super) base: Option<NodeId>,
    /// How many blocks lead to it.
    pub(super) depth: u32,
    /// Which other states it becomes one with.
    pub(super) identity: Identity,
    /// The hash of what has to agree for that.
    pub(super) class: u64,
    /// What is left of its block, where it was expanded in part.
    pub(super) rest: Option<Box<BlockEnds>>,
}

/// Which other states a state becomes one with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Identity {
    /// All its values are constants: with an equal one that was there before.
    Constant,
    /// With one that waits and agrees in these values.
    Agreeing(Vec<(Symbol, TermId)>),
}

/// The ends of a block that were not looked at yet, and the inputs that it reads.
pub(super) struct BlockEnds {
    /// The ends.
    pub(super) ends: std::vec::IntoIter<End>,
    /// The copies of inputs.
    pub(super) read: Vec<Symbol>,
}

/// Whether nothing that follows from a node depends on what led to it. Of the initial one, everything may.
pub(super) fn is_base(arg: &PathArg<'_>, node: NodeId) -> bool {
    arg.state(node).identity == Identity::Constant && arg.parent(node).is_some()
}

/// The last node, perhaps this one, from which on nothing depends on what led there.
pub(super) fn base_of(arg: &PathArg<'_>, node: NodeId) -> Option<NodeId> {
    if is_base(arg, node) { Some(node) } else { arg.state(node).base }
}

/// The last node, perhaps this one, with conditions that matter for what follows from it.
pub(super) fn last_with_conditions(arg: &PathArg<'_>, node: NodeId) -> Option<NodeId> {
    let state = arg.state(node);
    if state.conditions.is_empty() { state.above } else { Some(node) }
}

/// The last node that is above both.
pub(super) fn common(arg: &PathArg<'_>, mut a: Option<NodeId>, mut b: Option<NodeId>) -> Option<NodeId> {
    while a != b {
        // What is above has a smaller number.
        if a > b {
            a = a.and_then(|node| arg.state(node).above);
        } else {
            b = b.and_then(|node| arg.state(node).above);
        }
    }
    a
}

/// What has to hold after a node that is above, on the way to another one and there.
pub(super) fn conditions_since(
    arg: &PathArg<'_>,
    since: Option<NodeId>,
    above: Option<NodeId>,
    own: &[TermId],
) -> Vec<TermId> {
    let mut conditions = own.to_vec();
    let mut next = above;
    while next != since {
        let Some(node) = next else { break };
        conditions.extend(&arg.state(node).conditions);
        next = arg.state(node).above;
    }
    conditions
}

/// The time at which the block of a node reads its inputs.
pub(super) fn time_of(node: NodeId) -> u32 {
    u32::try_from(node.index()).expect("a node's number has 32 bits")
}
