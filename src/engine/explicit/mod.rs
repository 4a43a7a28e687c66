//! The explicit engine: concrete states, one by one, each stored without loss.
//!
//! Where an input has too many values to try them all, it tries some: every error it reports is real, and the
//! rest is an assumption.

use super::explore::{Analysis, End, NodeId, Onward, Place, Reached, explore};
use super::{Assumptions, Budget, Claim, ExplicitConfig, Proof, ReachedStates, Run, Statistics, Stop, Stretches, Task};
use crate::concrete::choices::{Candidates, Choices};
use crate::concrete::sample::sample;
use crate::concrete::{Fault, Halt, Machine, Outcome, Packed, Request, Standing, Trace, TraceStep, Value, Watch};
use crate::program::control::{Action, Control, Step};
use crate::program::{Id, Program, Property, Span, Statement};
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ops::ControlFlow;

/// Explores all concrete states. Where they are not few, and inputs are read, some executions are tried at random before.
pub fn verify(task: &Task, config: &ExplicitConfig, budget: &Budget) -> Run {
    let samples = config.stretches == Stretches::Followed
        && !matches!(task.property, Property::NoDataRace | Property::NoDeadlock)
        && reads_input(&task.program);
    let most = samples.then_some(FEW_STATES);
    let (run, is_unmodelled) = explored(task, config, budget, most);
    let is_open = is_unmodelled || matches!(run.claim, Claim::Unknown(Stop::GaveUp(_)));
    if !samples || !is_open {
        return run;
    }
    match sample(&task.program, &task.property, &Candidates::of(&task.program), &|| budget.check()) {
        Ok(Some(trace)) => Run { claim: Claim::Unsafe(trace), ..run },
        Err(stop) => Run { claim: Claim::Unknown(stop), ..run },
        Ok(None) if is_unmodelled => run,
        Ok(None) => explored(task, config, budget, None).0,
    }
}

/// So many states are few, and so many steps of a stretch.
const FEW_STATES: u64 = 200;
const FEW_STEPS: u64 = 1 << 22;

fn too_many() -> Stop {
    Stop::GaveUp("there are many states".to_owned())
}

fn reads_input(program: &Program) -> bool {
    let blocks = program.procedures.iter().flat_map(|procedure| procedure.edges.iter().flat_map(|edge| &edge.block));
    let is_input = |statement: &Statement| {
        matches!(statement, Statement::Havoc { .. } | Statement::Allocate { zeroed: false, .. })
    };
    program.init.iter().chain(blocks).any(is_input)
}

/// Explores the concrete states, at most so many; tells too whether it comes to something that is not modelled, after
/// which nothing is known.
fn explored(task: &Task, config: &ExplicitConfig, budget: &Budget, most: Option<u64>) -> (Run, bool) {
    let mut analysis = Concrete::new(task, config.stretches, budget);
    analysis.most = most;
    let (reached, end) = explore(task, &mut analysis, &(), config.search, budget);
    let statistics = Statistics {
        states: reached.len() as u64,
        transitions: reached.transitions,
        state_bytes: reached.bytes(Packed::allocated),
        depth: reached.depth(),
        ..Statistics::default()
    };
    let mut is_unmodelled = false;
    let claim = match end {
        End::Violation(node) => {
            let failure = reached.place(node).control.failure(&task.program);
            is_unmodelled = failure.is_some_and(|failure| failure.kind.is_open());
            // A violation that was found is worth the time to tell how.
            analysis.budget = Budget::unlimited();
            analysis.trace(&reached, node).map_or_else(Claim::Unknown, Claim::Unsafe)
        }
        End::Stopped(stop) => Claim::Unknown(stop),
        End::Complete => {
            let (controls, states) = reached.into_states();
            let proof = Proof::Reached(ReachedStates { controls, states, stretches: config.stretches });
            Claim::Safe { proof, assumptions: analysis.assumptions }
        }
    };
    (Run { claim, statistics }, is_unmodelled)
}

/// So many steps of a stretch are taken between two looks at the budget.
const AT_ONCE: u64 = 1 << 20;

/// No virtual machine with its defaults has a stack for so many calls.
const MAX_STACK: usize = 200_000;

/// A trace has at most so many steps in one stretch.
const MOST_STEPS: u64 = 1 << 22;

/// Concrete execution as an analysis: a state covers itself alone.
pub struct Concrete<'p> {
    machine: Machine<'p>,
    candidates: Candidates,
    loaded: Option<NodeId>,
    stretches: Stretches,
    budget: Budget,
    /// How many states may still be looked at, where that is limited.
    most: Option<u64>,
    /// What was left out on the way.
    pub assumptions: Assumptions,
}

impl<'p> Concrete<'p> {
    /// For the task, within the budget.
    pub fn new(task: &'p Task, stretches: Stretches, budget: &Budget) -> Self {
        let mut machine = Machine::new(&task.program);
        if task.property == Property::NoDataRace {
            machine.look_into_atomic_sections();
        }
        Concrete {
            machine,
            candidates: Candidates::of(&task.program),
            loaded: None,
            stretches,
            budget: budget.clone(),
            most: None,
            assumptions: Assumptions::default(),
        }
    }

    /// The states after `init`, with the inputs that lead there, until the visitor breaks off.
    fn starts(&mut self, visit: &mut Visitor<'_>) -> Result<(), Stop> {
        self.loaded = None;
        let mut choices = Choices::new(&self.candidates);
        loop {
            self.machine.reset();
            match self.machine.start(&mut choices) {
                Ok(Outcome::Taken) => {
                    if visit(&choices, self.machine.pack()).is_break() {
                        return Ok(());
                    }
                }
                Ok(Outcome::Blocked) => {}
                Err(fault) => note_fault(&mut self.assumptions, self.machine.program(), &fault, None),
            }
            if !next_choices(&mut choices, &self.budget)? {
                break;
            }
        }
        note_samples(&mut self.assumptions, self.machine.program(), &choices.sampled);
        self.note_addresses();
        Ok(())
    }

    /// Notes that a result could depend on where objects lie.
    fn note_addresses(&mut self) {
        if self.machine.addresses_seen() {
            let place = self.machine.addresses_seen_at();
            self.assumptions.add("results do not depend on where objects lie in memory".to_owned(), place);
        }
    }

    /// The states after a step from the loaded state, with the inputs that lead there, until the visitor breaks off.
    fn steps(&mut self, step: Step, visit: &mut Visitor<'_>) -> Result<(), Stop> {
        if self.machine.surely_blocked(step) {
            self.note_addresses();
            return Ok(());
        }
        let mut choices = Choices::new(&self.candidates);
        let mark = self.machine.save();
        loop {
            match self.machine.step(step, &mut choices) {
                Ok(Outcome::Taken) => {
                    let packed = self.machine.pack();
                    self.machine.restore(mark);
                    if visit(&choices, packed).is_break() {
                        return Ok(());
                    }
                }
                Ok(Outcome::Blocked) => {}
                Err(fault) => {
                    let span = edge_span(&self.machine, step);
                    note_fault(&mut self.assumptions, self.machine.program(), &fault, span);
                }
            }
            if !next_choices(&mut choices, &self.budget)? {
                break;
            }
        }
        if !choices.sampled.is_empty() {
            note_samples(&mut self.assumptions, self.machine.program(), &choices.sampled);
        }
        self.note_addresses();
        Ok(())
    }

    /// The states after `init`.
    pub fn initial_states(&mut self) -> Result<Vec<Packed>, Stop> {
        let mut states = Vec::new();
        self.starts(&mut |_, state| {
            states.push(state);
            ControlFlow::Continue(())
        })?;
        Ok(states)
    }

    /// Goes to a state.
    pub fn load(&mut self, control: &Control, state: &Packed) {
        self.machine.load(control, state);
        self.loaded = None;
    }

    /// The states after a step from the state that was loaded.
    pub fn states_after(&mut self, step: Step) -> Result<Vec<Packed>, Stop> {
        let mut states = Vec::new();
        self.steps(step, &mut |_, state| {
            states.push(state);
            ControlFlow::Continue(())
        })?;
        Ok(states)
    }

    /// Whether the state that was loaded violates the property itself, wherever its threads are.
    pub fn is_wrong(&mut self, property: &Property) -> bool {
        let standing = self.machine.standing(property);
        self.note_addresses();
        if let Standing::Unclear { what, span } = standing {
            self.assumptions.add(what.to_owned(), span);
        }
        matches!(standing, Standing::Wrong(_))
    }

    /// Goes to a state, and on from there for as long as there is nothing to choose, if that is wanted.
    pub fn go_on(&mut self, control: &Control, state: &Packed) -> Result<Onward<Packed>, Stop> {
        self.load(control, state);
        if self.stretches == Stretches::Stored {
            return Ok(Onward::Here);
        }
        let (mut watch, mut steps) = (Watch::default(), 0);
        let halt = loop {
            let stretch = self.machine.run_on(AT_ONCE, &mut watch, |_, _| {});
            steps += stretch.steps;
            match stretch.halt {
                Halt::Limit if self.most.is_some() && steps > FEW_STEPS => return Err(too_many()),
                Halt::Limit if self.overflows() => return Ok(Onward::Nowhere),
                Halt::Limit => self.budget.check()?,
                halt => break halt,
            }
        };
        self.note_addresses();
        Ok(match halt {
            // One thread goes round by itself for ever. The others must not be kept waiting for it.
            Halt::Cycle if alive(control) > 1 && alive(self.machine.control()) > 1 => {
                self.load(control, state);
                Onward::Here
            }
            Halt::Cycle if alive(self.machine.control()) <= 1 => Onward::Nowhere,
            _ if steps == 0 => Onward::Here,
            _ => Onward::To { control: self.machine.control().clone(), state: self.machine.pack(), steps },
        })
    }

    /// Whether the program ends here because its stack is too deep for any virtual machine. Where something could catch that,
    /// the program counts its calls and does not get here.
    fn overflows(&self) -> bool {
        let control = self.machine.control();
        let is_deep = |frames: usize| self.machine.program().header_bytes > 0 && frames > MAX_STACK;
        alive(control) <= 1 && control.threads.iter().any(|thread| is_deep(thread.frames.len()))
    }

    /// The steps of the stretch from a place on.
    fn stretch_from(&mut self, from: Place<'_, Packed>) -> Result<Vec<TraceStep>, Stop> {
        self.load(from.control, from.state);
        let (mut watch, mut taken) = (Watch::default(), Vec::new());
        let note = |_, step| taken.push(TraceStep { step, inputs: Vec::new() });
        match self.machine.run_on(MOST_STEPS, &mut watch, note).halt {
            Halt::Limit => Err(Stop::GaveUp(format!("the counterexample has more than {MOST_STEPS} steps"))),
            _ => Ok(taken),
        }
    }

    /// The execution that leads to a node.
    fn trace(&mut self, reached: &Reached<'_, Packed>, node: NodeId) -> Result<Trace, Stop> {
        let path = reached.path(node);
        let mut initial_inputs = Vec::new();
        self.starts(&mut inputs_of(reached.place(path[0].0).state, &mut initial_inputs))?;
        let mut steps = Vec::new();
        for ((from, step), (to, _)) in path.iter().zip(&path[1..]) {
            let from = reached.place(*from);
            let Some(step) = *step else {
                steps.extend(self.stretch_from(from)?);
                continue;
            };
            self.load(from.control, from.state);
            let mut inputs = Vec::new();
            self.steps(step, &mut inputs_of(reached.place(*to).state, &mut inputs))?;
            steps.push(TraceStep { step, inputs });
        }
        Ok(Trace { initial_inputs, steps })
    }
}

/// What is told of each state that inputs lead to; it breaks off when it has seen enough.
type Visitor<'v> = dyn FnMut(&Choices<'_>, Packed) -> ControlFlow<()> + 'v;

/// Looks for a state, and notes the first inputs that lead to it.
fn inputs_of<'v>(
    target: &'v Packed,
    inputs: &'v mut Vec<Value>,
) -> impl FnMut(&Choices<'_>, Packed) -> ControlFlow<()> + 'v {
    move |choices, state| {
        if state != *target {
            return ControlFlow::Continue(());
        }
        *inputs = choices.inputs();
        ControlFlow::Break(())
    }
}

/// How many threads have not ended.
fn alive(control: &Control) -> usize {
    control.threads.iter().filter(|thread| !thread.frames.is_empty()).count()
}

/// Goes to the next inputs; false where there are none. A single step can have a great many, so the budget is asked
/// here too.
fn next_choices(choices: &mut Choices<'_>, budget: &Budget) -> Result<bool, Stop> {
    let more = choices.advance();
    if more && choices.tried.is_multiple_of(1024) {
        budget.check()?;
    }
    Ok(more)
}

impl Analysis for Concrete<'_> {
    type State = Packed;
    type Precision = ();

    fn initial(&mut self, _: &()) -> Result<Vec<Packed>, Stop> {
        self.initial_states()
    }

    fn onward(&mut self, from: Place<'_, Packed>) -> Result<Onward<Packed>, Stop> {
        match &mut self.most {
            Some(0) => return Err(too_many()),
            Some(left) => *left -= 1,
            None => {}
        }
        if self.stretches == Stretches::Stored {
            return Ok(Onward::Here);
        }
        let onward = self.go_on(from.control, from.state)?;
        self.loaded = matches!(onward, Onward::Here).then_some(from.node);
        Ok(onward)
    }

    fn successors(&mut self, from: Place<'_, Packed>, step: Step, _: &()) -> Result<Vec<Packed>, Stop> {
        if self.loaded != Some(from.node) {
            self.machine.load(from.control, from.state);
            self.loaded = Some(from.node);
        }
        self.states_after(step)
    }

    fn violates(&mut self, at: Place<'_, Packed>, property: &Property) -> Result<bool, Stop> {
        if !property.is_of_states() {
            return Ok(false);
        }
        if self.loaded != Some(at.node) {
            self.machine.load(at.control, at.state);
            self.loaded = Some(at.node);
        }
        Ok(self.is_wrong(property))
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
        let name = match (request.variable, request.memory) {
            (Some(variable), _) => &program.variables[variable].name,
            (None, Some(_)) => "memory that was never written",
            (None, None) => "a choice",
        };
        assumptions.add(format!("only some values of the input to {name} matter"), request.span);
    }
}
