//! Concrete states as a space to search: a state covers itself alone.

use super::all_errors::AllErrors;
use crate::concrete::successors::{Arrival, CHOICES_BETWEEN_CHECKS, ErrorThere, Execution, Following, Halted};
use crate::concrete::token::Abstractions;
use crate::concrete::{Packed, Part, hash_of_pair};
use crate::engine::search::{Arg, Covering, Expansion, NodeId, Place, Space, Successors};
use crate::engine::{Budget, DeterministicSteps, Stop, Task};
use crate::program::control::Step;
use std::cell::Cell;

/// While states are few, deterministic steps are too: at most this many at once.
const FEW_STEPS: u64 = 1 << 22;

/// And their objects have at most this many bytes together, those included that one step leads to with all inputs that are
/// tried: to pack a state takes time for each of them.
const FEW_BYTES: u64 = 1 << 28;

/// The concrete states of a task.
pub(super) struct ConcreteSpace<'p> {
    pub(super) task: &'p Task,
    pub(super) execution: Execution<'p>,
    budget: Budget,
    /// How many more nodes may be expanded, where that is limited.
    most: Option<u64>,
    /// How many bytes the objects have of states that were reached while they are to be few.
    reached_bytes: u64,
    /// The states with an error that counts. Their nodes have no first half, and the index here for a second one.
    pub(super) errors: Vec<Packed>,
    /// Where all errors are asked for, those that were found; the search then does not end at them.
    pub(super) all: Option<AllErrors>,
    /// Steps that lead nowhere, or to an error that does not count.
    dropped: u64,
    /// Room for the steps and the arrivals of one expansion.
    steps: Vec<Step>,
    arrivals: Vec<Arrival>,
}

impl<'p> ConcreteSpace<'p> {
    pub(super) fn new(
        task: &'p Task,
        deterministic: DeterministicSteps,
        abstractions: &Abstractions,
        budget: &Budget,
        most: Option<u64>,
    ) -> Self {
        let mut execution = Execution::with(&task.program, &task.property, abstractions);
        let follows = deterministic == DeterministicSteps::Followed;
        execution.follow(follows.then_some(Following { most: most.map(|_| FEW_STEPS) }));
        ConcreteSpace {
            task,
            execution,
            budget: budget.clone(),
            most,
            reached_bytes: 0,
            errors: Vec::new(),
            all: None,
            dropped: 0,
            steps: Vec::new(),
            arrivals: Vec::new(),
        }
    }

    /// The state of a node.
    pub(super) fn state(&self, arg: &Arg<Self>, node: NodeId) -> Packed {
        let (head, tail) = (arg.control(node), *arg.state(node));
        if self.is_target(head) { self.errors[tail.number() as usize] } else { Packed { head, tail } }
    }

    /// Adds a state, unless the execution ends there: what is wrong but does not count does.
    fn reach(&mut self, out: &mut Successors<Self>, arrival: Arrival) {
        match arrival.error {
            ErrorThere::None => out.add((), arrival.state.head, arrival.state.tail),
            ErrorThere::Irrelevant => self.dropped += 1,
            ErrorThere::Counts if self.all.is_some() => self.errors.push(arrival.state),
            ErrorThere::Counts => {
                out.add((), Part::NONE, Part::of_number(self.errors.len() as u32));
                self.errors.push(arrival.state);
            }
        }
    }
}

impl From<Halted<Stop>> for Stop {
    fn from(halted: Halted<Stop>) -> Stop {
        match halted {
            Halted::Stop(stop) => stop,
            Halted::TooLong => Stop::ManyStates,
        }
    }
}

impl Space for ConcreteSpace<'_> {
    /// The first half of a state: where threads are is a part of both halves.
    type Control = Part;
    type State = Part;
    /// Which step was taken is found again when somebody asks.
    type Label = ();
    const COVERING: Covering = Covering::BeforeStoring;
    const LINKS: bool = false;
    const CHECK_EVERY: u32 = 256;

    fn initial(&mut self, out: &mut Successors<Self>) -> Result<(), Stop> {
        let states = self.execution.initial_states(&|| self.budget.check())?;
        states.into_iter().for_each(|arrival| self.reach(out, arrival));
        self.note_errors(None)
    }

    fn expand(&mut self, arg: &mut Arg<Self>, at: NodeId, out: &mut Successors<Self>) -> Result<Expansion, Stop> {
        match &mut self.most {
            Some(0) => return Err(Stop::ManyStates),
            Some(left) => *left -= 1,
            None => {}
        }
        self.execution.load(self.state(arg, at));
        if self.task.property.is_of_states() {
            if self.all.is_some() {
                self.note_violations(arg, at)?;
                self.execution.load(self.state(arg, at));
            } else if self.execution.is_wrong() {
                return Ok(Expansion::Target);
            }
        }
        let (mut steps, mut arrivals) = (std::mem::take(&mut self.steps), std::mem::take(&mut self.arrivals));
        steps.clear();
        self.execution.steps(&mut steps);
        let (bytes, reached) = (self.most.map(|_| self.execution.object_bytes()), Cell::new(self.reached_bytes));
        for step in &steps {
            let keep_on = || {
                let more = bytes.unwrap_or(0).saturating_mul(CHOICES_BETWEEN_CHECKS);
                reached.set(reached.get().saturating_add(more));
                if reached.get() > FEW_BYTES { Err(Stop::ManyStates) } else { self.budget.check() }
            };
            self.execution.states_after(*step, &keep_on, &mut arrivals)?;
            // Most steps of a guarded command are blocked.
            if !arrivals.is_empty() {
                arrivals.drain(..).for_each(|arrival| self.reach(out, arrival));
            }
        }
        (self.steps, self.arrivals) = (steps, arrivals);
        self.reached_bytes = reached.get();
        self.note_errors(Some((arg, at)))?;
        Ok(Expansion::Done)
    }

    fn is_target(&self, head: Part) -> bool {
        head == Part::NONE
    }

    fn class(&self, head: Part, tail: &Part) -> u64 {
        hash_of_pair([head.number(), tail.number()])
    }

    fn covers(&mut self, general: Place<'_, Self>, specific: Place<'_, Self>) -> Result<bool, Stop> {
        Ok(general.control == specific.control && general.state == specific.state)
    }

    fn skipped_transitions(&self) -> u64 {
        self.execution.skipped + self.dropped
    }
}
