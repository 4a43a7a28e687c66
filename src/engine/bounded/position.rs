//! Where executions are, as numbers: location stacks, and the callers of recursive procedures.

use super::distance::Distances;
use super::limits::{FIRST_LEVEL, NEXT_LEVEL};
use super::loops::LoopOrder;
use crate::engine::stacks::{StackId, Stacks};
use crate::formula::blocks::Cuts;
use crate::program::control::{Flow, Frame};
use crate::program::{EdgeId, Program, Property};
use crate::term::{Symbol, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of a caller.
pub(super) type CallerId = usize;

/// How many callers are told apart in the order of positions, and how many location stacks.
const MAX_CALLERS: u64 = (1 << 16) - 1;
const MAX_NUMBER: u64 = (1 << 40) - 1;

/// Where an execution is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Position {
    /// The location stack of the activation of a recursive procedure, or of the main one.
    pub(super) stack: StackId,
    /// Who called that.
    pub(super) caller: Option<CallerId>,
}

/// Who called an activation of a recursive procedure.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Caller {
    /// Where the call is.
    pub(super) position: Position,
    /// The call.
    pub(super) edge: EdgeId,
    /// What the callee's variables are in an earlier activation of it.
    pub(super) saved: Vec<(Symbol, TermId)>,
    /// Whether all that was put aside is constant, here and below.
    pub(super) is_constant: bool,
}

/// Every location stack and every caller, once.
pub(super) struct Positions {
    stacks: Stacks,
    callers: Vec<Caller>,
    caller_ids: FxHashMap<Caller, CallerId>,
    distances: Distances,
    loops: LoopOrder,
}

impl Positions {
    /// None so far.
    pub(super) fn of(program: &Program, property: &Property, cuts: &Cuts) -> Positions {
        Positions {
            stacks: Stacks::default(),
            callers: Vec::new(),
            caller_ids: FxHashMap::default(),
            distances: Distances::of(program, &Flow::of(program), property),
            loops: LoopOrder::of(program, cuts),
        }
    }

    /// A stack with its caller.
    pub(super) fn at(&mut self, stack: &[Frame], caller: Option<CallerId>) -> Position {
        Position { stack: self.stacks.number(stack), caller }
    }

    /// The location stack of a position.
    pub(super) fn stack(&self, position: Position) -> &Rc<[Frame]> {
        self.stacks.get(position.stack)
    }

    /// All callers; those below one come before it.
    pub(super) fn callers(&self) -> &[Caller] {
        &self.callers
    }

    /// The number of a caller.
    pub(super) fn number(&mut self, caller: Caller) -> CallerId {
        if let Some(&known) = self.caller_ids.get(&caller) {
            return known;
        }
        let id = self.callers.len();
        self.callers.push(caller.clone());
        self.caller_ids.insert(caller, id);
        id
    }

    /// Whether all that callers put aside is constant.
    pub(super) fn is_constant(&self, caller: Option<CallerId>) -> bool {
        caller.is_none_or(|caller| self.callers[caller].is_constant)
    }

    /// The place of a position at some depth in an order in which loops, and what is called, come to their end before what
    /// follows. What is deeper waits for all that is less deep, so that nothing waits for ever behind a loop without an end.
    pub(super) fn with_loops_first(&self, position: Position, depth: u32) -> u64 {
        let levels = std::iter::successors(Some(FIRST_LEVEL), |limit| limit.checked_mul(NEXT_LEVEL));
        let level = levels.take_while(|limit| depth >= *limit).count() as u64;
        let callers = std::iter::successors(position.caller, |caller| self.callers[*caller].position.caller);
        let less_deep = MAX_CALLERS - (callers.count() as u64).min(MAX_CALLERS);
        let number = self.loops.number(self.stack(position)).min(MAX_NUMBER);
        (level * (MAX_CALLERS + 1) + less_deep) * (MAX_NUMBER + 1) + number
    }

    /// How far it is to an error, at least, by the edges between them; it may return to its callers first.
    pub(super) fn distance(&self, position: Position) -> u64 {
        let stacks = std::iter::successors(Some(position), |at| at.caller.map(|caller| self.callers[caller].position));
        self.distances.of_stacks(stacks.map(|at| &**self.stack(at)))
    }
}
