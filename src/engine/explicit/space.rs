//! Concrete states as a space to search: a state covers itself alone.

use super::control::{ControlId, ControlTable};
use crate::concrete::Packed;
use crate::concrete::successors::{CHOICES_BETWEEN_CHECKS, Execution, Settled};
use crate::concrete::token::Abstractions;
use crate::engine::search::{Arg, Covering, Expansion, NodeId, Place, Space, Successors, class_of};
use crate::engine::{Budget, DeterministicSteps, Stop, Task};
use crate::program::control::Control;
use std::cell::Cell;

/// The label of an edge is the number of a step that its control allows: that was taken, and then what there was no choice
/// about. The states at the start have none.
const INITIAL: u32 = u32::MAX;

/// While states are few, deterministic steps are too: at most this many at once.
const FEW_STEPS: u64 = 1 << 22;

/// And their objects have at most this many bytes together, those included that one step leads to with all inputs that are
/// tried: to pack a state takes time for each of them.
const FEW_BYTES: u64 = 1 << 28;

/// The concrete states of a task.
pub(super) struct ConcreteSpace<'p> {
    pub(super) task: &'p Task,
    pub(super) execution: Execution<'p>,
    pub(super) controls: ControlTable<'p>,
    deterministic: DeterministicSteps,
    budget: Budget,
    /// The node whose state the interpreter is in.
    loaded: Option<NodeId>,
    /// How many more nodes may be expanded, where that is limited.
    most: Option<u64>,
    /// How many bytes the objects have of states that were reached while they are to be few.
    reached_bytes: u64,
    /// Steps between stored states.
    skipped: u64,
}

impl<'p> ConcreteSpace<'p> {
    pub(super) fn new(
        task: &'p Task,
        deterministic: DeterministicSteps,
        abstractions: &Abstractions,
        budget: &Budget,
        most: Option<u64>,
    ) -> Self {
        ConcreteSpace {
            task,
            execution: Execution::with(&task.program, &task.property, abstractions),
            controls: ControlTable::new(&task.program),
            deterministic,
            budget: budget.clone(),
            loaded: None,
            most,
            reached_bytes: 0,
            skipped: 0,
        }
    }

    /// Whether states are left out between which there is nothing to choose.
    pub(super) fn follows(&self) -> bool {
        self.deterministic == DeterministicSteps::Followed
    }

    /// Goes to the state of a node, wherever the interpreter is.
    pub(super) fn load_again(&mut self, arg: &Arg<Self>, at: NodeId) {
        self.loaded = None;
        self.load(arg, at);
    }

    /// Goes to the state of a node.
    fn load(&mut self, arg: &Arg<Self>, at: NodeId) {
        if self.loaded != Some(at) {
            self.execution.load(self.controls.get(arg.control(at)), arg.state(at));
            self.loaded = Some(at);
        }
    }

    /// Where an execution goes from a state while there is nothing to choose; none if nowhere.
    pub(super) fn settle(&mut self, control: ControlId, state: Packed) -> Result<Option<(ControlId, Packed)>, Stop> {
        if !self.follows() || self.controls.failed(control) {
            return Ok(Some((control, state)));
        }
        self.loaded = None;
        let (most, budget) = (self.most.map(|_| FEW_STEPS), self.budget.clone());
        match self.execution.settle(self.controls.get(control), state, most, &|| budget.check())? {
            Settled::TooLong => Err(Stop::ManyStates),
            Settled::Nowhere => Ok(None),
            Settled::At { control: after, state, steps } => {
                self.skipped += steps;
                Ok(Some((after.map_or(control, |after| self.controls.number(after)), state)))
            }
        }
    }

    /// Adds what states lead to, unless that ends the execution: what is wrong but does not count does.
    fn reach(
        &mut self,
        out: &mut Successors<Self>,
        label: u32,
        control: ControlId,
        states: impl IntoIterator<Item = Packed>,
    ) -> Result<(), Stop> {
        for state in states {
            match self.settle(control, state)? {
                Some((control, state)) if !self.is_irrelevant(control) => out.add(label, control, state),
                _ => self.skipped += 1,
            }
        }
        Ok(())
    }

    /// Whether something is wrong there that does not count.
    fn is_irrelevant(&self, control: ControlId) -> bool {
        self.controls.failed(control) && !self.counts(self.controls.get(control))
    }

    /// Whether a thread is at an error that counts.
    fn counts(&self, control: &Control) -> bool {
        control.failure(&self.task.program).is_some_and(|failure| self.task.property.counts(&failure.kind))
    }
}

impl Space for ConcreteSpace<'_> {
    type Control = ControlId;
    type State = Packed;
    type Label = u32;
    const COVERING: Covering = Covering::BeforeStoring;
    const LINKS: bool = false;
    const CHECK_EVERY: u32 = 256;

    fn initial(&mut self, out: &mut Successors<Self>) -> Result<(), Stop> {
        let start = self.controls.number(Control::initial(&self.task.program));
        let states = self.execution.initial_states(&|| self.budget.check())?;
        self.reach(out, INITIAL, start, states)
    }

    fn expand(&mut self, arg: &mut Arg<Self>, at: NodeId, out: &mut Successors<Self>) -> Result<Expansion, Stop> {
        match &mut self.most {
            Some(0) => return Err(Stop::ManyStates),
            Some(left) => *left -= 1,
            None => {}
        }
        self.load(arg, at);
        if self.task.property.is_of_states() && self.execution.is_wrong(&self.task.property) {
            return Ok(Expansion::Target);
        }
        let control = arg.control(at);
        let mut states = Vec::new();
        let (bytes, reached) = (self.most.map(|_| self.execution.object_bytes()), Cell::new(self.reached_bytes));
        for index in 0..self.controls.step_count(control) {
            self.load(arg, at);
            let step = self.controls.step(control, index);
            let keep_on = || {
                let more = bytes.unwrap_or(0).saturating_mul(CHOICES_BETWEEN_CHECKS);
                reached.set(reached.get().saturating_add(more));
                if reached.get() > FEW_BYTES { Err(Stop::ManyStates) } else { self.budget.check() }
            };
            self.execution.states_after(step, &keep_on, &mut states)?;
            if !states.is_empty() {
                let after = self.controls.after(control, index);
                self.reach(out, index as u32, after, states.drain(..))?;
            }
        }
        self.reached_bytes = reached.get();
        Ok(Expansion::Done)
    }

    fn is_target(&self, control: ControlId) -> bool {
        self.controls.failed(control)
    }

    fn class(&self, control: ControlId, state: &Packed) -> u64 {
        class_of((control, state))
    }

    fn covers(&mut self, general: Place<'_, Self>, specific: Place<'_, Self>) -> Result<bool, Stop> {
        Ok(general.control == specific.control && general.state == specific.state)
    }

    fn skipped_transitions(&self) -> u64 {
        self.skipped
    }
}
