//! The explicit engine: concrete states, one by one, each stored without loss.
//!
//! Where an input has too many values to try them all, it tries some: every error it reports is real, and the
//! rest is an assumption.

mod choices;

use super::explore::{Analysis, End, NodeId, Place, Reached, explore};
use super::{Assumptions, Budget, Claim, ExplicitConfig, Proof, ReachedStates, Run, Statistics, Stop, Task};
use crate::concrete::{Fault, Machine, Outcome, Packed, Request, Trace, TraceStep, Value};
use crate::program::control::{Action, Control, Step};
use crate::program::{Id, Program, Span};
use choices::{Candidates, Choices};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Explores all concrete states.
pub fn verify(task: &Task, config: &ExplicitConfig, budget: &Budget) -> Run {
    let mut analysis = Concrete::new(&task.program);
    let (reached, end) = explore(task, &mut analysis, &(), config.search, budget);
    let statistics = Statistics {
        states: reached.len() as u64,
        transitions: reached.transitions,
        state_bytes: reached.bytes(Packed::allocated),
        depth: reached.depth(),
        ..Statistics::default()
    };
    let claim = match end {
        End::Violation(node) => Claim::Unsafe(analysis.trace(&reached, node)),
        End::Stopped(stop) => Claim::Unknown(stop),
        End::Complete => {
            let (controls, states) = reached.into_states();
            Claim::Safe { proof: Proof::Reached(ReachedStates { controls, states }), assumptions: analysis.assumptions }
        }
    };
    Run { claim, statistics }
}

/// Concrete execution as an analysis: a state covers itself alone.
pub struct Concrete<'p> {
    machine: Machine<'p>,
    candidates: Candidates,
    loaded: Option<NodeId>,
    /// What was left out on the way.
    pub assumptions: Assumptions,
}

impl<'p> Concrete<'p> {
    /// For the program.
    pub fn new(program: &'p Program) -> Self {
        Concrete {
            machine: Machine::new(program),
            candidates: Candidates::of(program),
            loaded: None,
            assumptions: Assumptions::default(),
        }
    }

    /// The states after `init`, with the inputs that lead there.
    fn starts(&mut self, visit: &mut dyn FnMut(&Choices<'_>, Packed)) {
        self.loaded = None;
        let mut choices = Choices::new(&self.candidates);
        loop {
            self.machine.reset();
            match self.machine.start(&mut choices) {
                Ok(Outcome::Taken) => visit(&choices, self.machine.pack()),
                Ok(Outcome::Blocked) => {}
                Err(fault) => note_fault(&mut self.assumptions, self.machine.program(), &fault, None),
            }
            if !choices.advance() {
                break;
            }
        }
        note_samples(&mut self.assumptions, self.machine.program(), &choices.sampled);
        self.note_addresses();
    }

    /// Notes that a result could depend on where objects lie.
    fn note_addresses(&mut self) {
        if self.machine.addresses_seen() {
            self.assumptions.add("results do not depend on where objects lie in memory".to_owned(), None);
        }
    }

    /// The states after a step from the loaded state, with the inputs that lead there.
    fn steps(&mut self, step: Step, visit: &mut dyn FnMut(&Choices<'_>, Packed)) {
        if self.machine.surely_blocked(step) {
            self.note_addresses();
            return;
        }
        let mut choices = Choices::new(&self.candidates);
        let mark = self.machine.save();
        loop {
            match self.machine.step(step, &mut choices) {
                Ok(Outcome::Taken) => {
                    visit(&choices, self.machine.pack());
                    self.machine.restore(mark);
                }
                Ok(Outcome::Blocked) => {}
                Err(fault) => {
                    let span = edge_span(&self.machine, step);
                    note_fault(&mut self.assumptions, self.machine.program(), &fault, span);
                }
            }
            if !choices.advance() {
                break;
            }
        }
        if !choices.sampled.is_empty() {
            note_samples(&mut self.assumptions, self.machine.program(), &choices.sampled);
        }
        self.note_addresses();
    }

    /// The states after `init`.
    pub fn initial_states(&mut self) -> Vec<Packed> {
        let mut states = Vec::new();
        self.starts(&mut |_, state| states.push(state));
        states
    }

    /// Goes to a state.
    pub fn load(&mut self, control: &Control, state: &Packed) {
        self.machine.load(control, state);
        self.loaded = None;
    }

    /// The states after a step from the state that was loaded.
    pub fn states_after(&mut self, step: Step) -> Vec<Packed> {
        let mut states = Vec::new();
        self.steps(step, &mut |_, state| states.push(state));
        states
    }

    /// The execution that leads to a node.
    fn trace(&mut self, reached: &Reached<'_, Packed>, node: NodeId) -> Trace {
        let path = reached.path(node);
        let mut initial_inputs = Vec::new();
        let first = reached.place(path[0].0).state.clone();
        self.starts(&mut |choices, state| {
            if state == first {
                initial_inputs = choices.inputs();
            }
        });
        let pairs = path.iter().zip(&path[1..]);
        let steps = pairs.map(|((from, step), (to, _))| {
            let step = step.expect("every node of a path but the last has a step");
            let from = reached.place(*from);
            self.load(from.control, from.state);
            TraceStep { step, inputs: self.inputs_to(step, reached.place(*to).state) }
        });
        Trace { initial_inputs, steps: steps.collect() }
    }

    /// The inputs with which a step leads from the loaded state to the given one.
    fn inputs_to(&mut self, step: Step, target: &Packed) -> Vec<Value> {
        let mut inputs = Vec::new();
        self.steps(step, &mut |choices, state| {
            if state == *target {
                inputs = choices.inputs();
            }
        });
        inputs
    }
}

impl Analysis for Concrete<'_> {
    type State = Packed;
    type Precision = ();

    fn initial(&mut self, _: &()) -> Result<Vec<Packed>, Stop> {
        Ok(self.initial_states())
    }

    fn successors(&mut self, from: Place<'_, Packed>, step: Step, _: &()) -> Result<Vec<Packed>, Stop> {
        if self.loaded != Some(from.node) {
            self.machine.load(from.control, from.state);
            self.loaded = Some(from.node);
        }
        Ok(self.states_after(step))
    }

    fn covers(&mut self, general: &Packed, specific: &Packed) -> Result<bool, Stop> {
        Ok(general == specific)
    }

    fn partition(&self, state: &Packed) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write(state.bytes());
        hasher.finish()
    }
}

fn edge_span(machine: &Machine<'_>, step: Step) -> Option<Span> {
    let frame = machine.control().threads[step.thread.index()].frames.last()?;
    match step.action {
        Action::Edge(edge) => machine.program().procedures[frame.procedure].edges[edge].span,
        Action::Return | Action::Wake => None,
    }
}

fn note_fault(assumptions: &mut Assumptions, program: &Program, fault: &Fault, span: Option<Span>) {
    assumptions.add(format!("no execution goes on where {}", fault.describe(program)), span);
}

fn note_samples(assumptions: &mut Assumptions, program: &Program, sampled: &[Request]) {
    for request in sampled {
        let name = request.variable.map_or("a choice", |variable| &program.variables[variable].name);
        assumptions.add(format!("only some values of the input to {name} matter"), request.span);
    }
}
