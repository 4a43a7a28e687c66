//! Executions that go on from where a path has come. The solver finds the inputs that a program accepts, and the interpreter
//! what happens after many rounds of its loops, which formulas do not come to: where a counter of eight bits wraps, say.

use super::limits::{FIRST_EXECUTED, FIRST_EXECUTED_STEPS, MORE_EXECUTED_STEPS, NEXT_EXECUTED, STEPS_AT_ONCE};
use super::state::PathArg;
use super::trace::Followed;
use super::{Bounded, BoundedConfig, BoundedOrder, BoundedSpace, Merging};
use crate::concrete::choices::Candidates;
use crate::concrete::sample::{Ended, Executions, Numbers, Pace, Schedule};
use crate::concrete::{Trace, replay};
use crate::engine::Stop;
use crate::engine::search::NodeId;
use crate::term::Random;

/// From where executions go on.
pub(super) struct Onward {
    /// The depth of the next node; none where no executions are made.
    next: Option<u32>,
    node: Option<NodeId>,
}

impl Onward {
    /// One of two searches makes executions, unless the user has said how far to look, or in which order.
    pub(super) fn new(merging: Merging, config: &BoundedConfig) -> Onward {
        let is_free = config.steps.is_none() && config.order == BoundedOrder::Breadth;
        Onward { next: (is_free && merging == Merging::All).then_some(FIRST_EXECUTED), node: None }
    }

    /// The node to go on from now.
    pub(super) fn take(&mut self) -> Option<NodeId> {
        self.node.take()
    }

    /// Whether there is one.
    pub(super) fn is_due(&self) -> bool {
        self.node.is_some()
    }
}

impl BoundedSpace<'_> {
    /// Notes a node that was expanded.
    pub(super) fn note_for_executions(&mut self, arg: &PathArg<'_>, node: NodeId) {
        let depth = arg.state(node).depth;
        if self.onward.next.is_some_and(|next| depth >= next) {
            self.onward = Onward { next: depth.checked_mul(NEXT_EXECUTED), node: Some(node) };
        }
    }
}

impl Bounded<'_> {
    /// An execution that violates the property, of some that come to a node and go on at random.
    pub(super) fn executed_from(&mut self, node: NodeId) -> Result<Option<Trace>, Stop> {
        let examination = self.space.follow_path(&self.search.arg, node)?;
        let found = match examination.followed {
            Followed::Trace(start) => self.execute_after(&start)?,
            Followed::Elsewhere | Followed::NoModel => None,
        };
        if found.is_none() && examination.cells_changed {
            self.search.start(&mut self.space)?;
        }
        Ok(found)
    }

    fn execute_after(&self, start: &Trace) -> Result<Option<Trace>, Stop> {
        let (task, budget) = (self.space.task, &self.space.budget);
        let candidates = Candidates::of(&task.program);
        let mut executions = Executions::new(&task.program, &task.property, &candidates);
        for (seed, more) in (0..).zip([FIRST_EXECUTED_STEPS, MORE_EXECUTED_STEPS, MORE_EXECUTED_STEPS]) {
            let max_steps = start.steps.len() + more;
            let pace = Pace {
                max_steps,
                at_once: STEPS_AT_ONCE,
                numbers: Numbers::OfTheProgram,
                schedule: Schedule::AnyThread,
            };
            let ended = executions.execute_after(start, &mut Random::new(seed), pace, &|| budget.check())?;
            if let Ended::Violation(trace) = ended
                && replay(&task.program, &task.property, &trace).is_ok()
            {
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }
}
