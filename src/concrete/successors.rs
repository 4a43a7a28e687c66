//! The concrete states that follow from a state: for every input that is tried, and further on where there is nothing
//! to choose. The explicit engine explores with this, and `confirm` checks a set of states with it.

use super::choices::{Candidates, Choices};
use super::token::Abstractions;
use super::{CycleDetector, Fault, Halt, Machine, Outcome, Packed, Request, StateCheck, TraceStep, Value};
use crate::program::control::{Action, Control, Step};
use crate::program::{Id, Program, Property, Span};
use std::ops::ControlFlow;

/// Limits are asked for after this many deterministic steps, which take about 10 ms.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 20;

/// Limits are asked for after this many choices of inputs of one step.
pub const CHOICES_BETWEEN_CHECKS: u64 = 64;

/// No Java virtual machine with its defaults has a stack for as many calls.
const MAX_STACK: usize = 200_000;

/// Concrete states and what follows from them.
pub struct Execution<'p> {
    machine: Machine<'p>,
    candidates: Candidates,
    /// What was left out on the way, each once.
    pub notes: Vec<Note>,
}

/// Something that was left out: a sentence, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What is taken for granted.
    pub text: String,
    /// Where.
    pub span: Option<Span>,
}

/// Where an execution goes while there is nothing to choose.
pub enum Settled {
    /// Through states that violate nothing to this one, where there is something to choose, or nothing more to do.
    At {
        /// Where the threads are then; none where they have not moved.
        control: Option<Control>,
        /// The state.
        state: Packed,
        /// How many steps it takes.
        steps: u64,
    },
    /// It goes round for ever, through states that violate nothing.
    Nowhere,
    /// It takes more steps than were allowed.
    TooLong,
}

/// With other threads there, one goes on by itself for at most about so many steps before they have a choice: if it counts
/// for ever, they would wait for ever.
const MAX_ALONE: u64 = 1 << 20;

/// A state, and the inputs that lead there.
pub type Reached = (Vec<Value>, Packed);

/// What is told of each state that inputs lead to; it breaks off when it has seen enough.
type Visitor<'v> = dyn FnMut(&Choices<'_>, Packed) -> ControlFlow<()> + 'v;

impl<'p> Execution<'p> {
    /// Of a program, to decide a property.
    pub fn new(program: &'p Program, property: &Property) -> Self {
        Execution::with(program, property, &Abstractions::default())
    }

    /// The same with abstract variables.
    pub fn with(program: &'p Program, property: &Property, abstractions: &Abstractions) -> Self {
        let mut machine = Machine::with(program, abstractions);
        if *property == Property::NoDataRace {
            machine.look_into_atomic_sections();
        }
        Execution { machine, candidates: Candidates::of(program), notes: Vec::new() }
    }

    /// The states after `init`.
    ///
    /// # Errors
    /// Where `keep_on` says that it is time to stop.
    pub fn initial_states<E>(&mut self, keep_on: &dyn Fn() -> Result<(), E>) -> Result<Vec<Packed>, E> {
        let mut states = Vec::new();
        self.starts(keep_on, &mut |_, state| {
            states.push(state);
            ControlFlow::Continue(())
        })?;
        Ok(states)
    }

    /// Goes to a state.
    pub fn load(&mut self, control: &Control, state: &Packed) {
        self.machine.load(control, state);
    }

    /// How many bytes the objects of the state that was loaded have.
    pub fn object_bytes(&self) -> u64 {
        self.machine.data.memory.objects.iter().fold(0, |sum, object| object.size.saturating_add(sum))
    }

    /// Adds the states after a step from the state that was loaded.
    ///
    /// # Errors
    /// Where `keep_on` says that it is time to stop.
    #[inline]
    pub fn states_after<E>(
        &mut self,
        step: Step,
        keep_on: &dyn Fn() -> Result<(), E>,
        states: &mut Vec<Packed>,
    ) -> Result<(), E> {
        self.steps(step, keep_on, &mut |_, state| {
            states.push(state);
            ControlFlow::Continue(())
        })
    }

    /// Whether the state that was loaded violates the property itself, wherever its threads are.
    pub fn is_wrong(&mut self, property: &Property) -> bool {
        let checked = self.machine.check_state(property);
        self.note_addresses();
        if let StateCheck::Unclear { what, span } = checked {
            self.note(what.to_owned(), span);
        }
        matches!(checked, StateCheck::Wrong(_))
    }

    /// Goes on from a state for as long as there is nothing to choose, at most about `most` steps.
    ///
    /// # Errors
    /// Where `keep_on` says that it is time to stop.
    pub fn settle<E>(
        &mut self,
        control: &Control,
        state: Packed,
        most: Option<u64>,
        keep_on: &dyn Fn() -> Result<(), E>,
    ) -> Result<Settled, E> {
        self.follow(control, state, most, keep_on, |_| {})
    }

    /// The same; `each` is told every step, also of those that are taken back because they lead round.
    fn follow<E>(
        &mut self,
        control: &Control,
        state: Packed,
        most: Option<u64>,
        keep_on: &dyn Fn() -> Result<(), E>,
        mut each: impl FnMut(Step),
    ) -> Result<Settled, E> {
        self.load(control, &state);
        let (mut cycles, mut steps) = (CycleDetector::default(), 0);
        let halt = loop {
            let advance = self.machine.run_on(STEPS_BETWEEN_CHECKS, &mut cycles, |_, step| each(step));
            steps += advance.steps;
            match advance.halt {
                Halt::Limit if most.is_some_and(|most| steps > most) => return Ok(Settled::TooLong),
                Halt::Limit if self.overflows() => return Ok(Settled::Nowhere),
                Halt::Limit if steps >= MAX_ALONE && self.has_others(control) => break Halt::Choice,
                Halt::Limit => keep_on()?,
                halt => break halt,
            }
        };
        self.note_addresses();
        Ok(match halt {
            // One thread goes round by itself for ever. The others must not be kept waiting for it.
            Halt::Cycle if self.has_others(control) => Settled::At { control: None, state, steps: 0 },
            Halt::Cycle if alive(self.machine.control()) <= 1 => Settled::Nowhere,
            _ if steps == 0 => Settled::At { control: None, state, steps },
            _ => {
                let control = Some(self.machine.control().clone());
                Settled::At { control, state: self.machine.pack(), steps }
            }
        })
    }

    /// Whether there were several threads, and still are.
    fn has_others(&self, before: &Control) -> bool {
        alive(before) > 1 && alive(self.machine.control()) > 1
    }

    /// The steps by which an execution settles; none where there are more than about `most`.
    pub fn deterministic_steps(&mut self, control: &Control, state: &Packed, most: u64) -> Option<Vec<TraceStep>> {
        let mut taken = Vec::new();
        let note = |step| taken.push(TraceStep { step, inputs: Vec::new() });
        let keep_on: &dyn Fn() -> Result<(), ()> = &|| Ok(());
        match self.follow(control, state.clone(), Some(most), keep_on, note) {
            Ok(Settled::At { control: Some(_), .. }) => Some(taken),
            Ok(Settled::At { control: None, .. } | Settled::Nowhere) => Some(Vec::new()),
            Ok(Settled::TooLong) | Err(()) => None,
        }
    }

    /// The states after `init`, each with the inputs that lead there.
    ///
    /// # Errors
    /// Where `keep_on` says that it is time to stop.
    pub fn initial_outcomes<E>(&mut self, keep_on: &dyn Fn() -> Result<(), E>) -> Result<Vec<Reached>, E> {
        let mut found = Vec::new();
        self.starts(keep_on, &mut |choices, state| {
            found.push((choices.inputs(), state));
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// The states after a step from the state that was loaded, each with the inputs that lead there.
    ///
    /// # Errors
    /// Where `keep_on` says that it is time to stop.
    pub fn outcomes<E>(&mut self, step: Step, keep_on: &dyn Fn() -> Result<(), E>) -> Result<Vec<Reached>, E> {
        let mut found = Vec::new();
        self.steps(step, keep_on, &mut |choices, state| {
            found.push((choices.inputs(), state));
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// The states after `init`, with the inputs that lead there, until the visitor breaks off.
    fn starts<E>(&mut self, keep_on: &dyn Fn() -> Result<(), E>, visit: &mut Visitor<'_>) -> Result<(), E> {
        let mut choices = Choices::new(&self.candidates);
        let mut faults = Vec::new();
        loop {
            self.machine.reset();
            match self.machine.start(&mut choices) {
                Ok(Outcome::Taken) => {
                    if visit(&choices, self.machine.pack()).is_break() {
                        return Ok(());
                    }
                }
                Ok(Outcome::Blocked) => {}
                Err(fault) => faults.push(fault),
            }
            if !next_choices(&mut choices, keep_on)? {
                break;
            }
        }
        let sampled = choices.sampled;
        faults.into_iter().for_each(|fault| self.note_fault(&fault, None));
        self.note_samples(&sampled);
        self.note_addresses();
        Ok(())
    }

    /// The states after a step from the loaded state, with the inputs that lead there, until the visitor breaks off.
    #[inline]
    fn steps<E>(&mut self, step: Step, keep_on: &dyn Fn() -> Result<(), E>, visit: &mut Visitor<'_>) -> Result<(), E> {
        // Most steps of a guarded command are blocked.
        if !self.machine.surely_blocked(step) {
            self.possible_steps(step, keep_on, visit)?;
        }
        self.note_addresses();
        Ok(())
    }

    fn possible_steps<E>(
        &mut self,
        step: Step,
        keep_on: &dyn Fn() -> Result<(), E>,
        visit: &mut Visitor<'_>,
    ) -> Result<(), E> {
        let mut choices = Choices::new(&self.candidates);
        let mut faults = Vec::new();
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
                Err(fault) => faults.push(fault),
            }
            if !next_choices(&mut choices, keep_on)? {
                break;
            }
        }
        let sampled = choices.sampled;
        if !faults.is_empty() {
            let span = edge_span(&self.machine, step);
            faults.into_iter().for_each(|fault| self.note_fault(&fault, span));
        }
        self.note_samples(&sampled);
        Ok(())
    }

    /// Whether the program ends here because its stack is too deep for any virtual machine. Where something could catch
    /// that, the program counts its calls and does not get here.
    fn overflows(&self) -> bool {
        let control = self.machine.control();
        let is_deep = |frames: usize| self.machine.program().header_bytes > 0 && frames > MAX_STACK;
        alive(control) <= 1 && control.threads.iter().any(|thread| is_deep(thread.frames.len()))
    }

    fn note(&mut self, text: String, span: Option<Span>) {
        let note = Note { text, span };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Notes that a result could depend on where objects lie.
    #[inline]
    fn note_addresses(&mut self) {
        if self.machine.addresses_seen() {
            self.note_addresses_seen();
        }
    }

    #[cold]
    fn note_addresses_seen(&mut self) {
        let place = self.machine.addresses_seen_at();
        self.note("results do not depend on where objects lie in memory".to_owned(), place);
    }

    fn note_fault(&mut self, fault: &Fault, span: Option<Span>) {
        let text = format!("no execution goes on where {}", fault.describe(self.machine.program()));
        self.note(text, span);
    }

    fn note_samples(&mut self, sampled: &[Request]) {
        for request in sampled {
            let name = match (request.variable, request.memory) {
                (Some(variable), _) => &self.machine.program().variables[variable].name,
                (None, Some(_)) => "memory that was never written",
                (None, None) => "a choice",
            };
            self.note(format!("only some values of the input to {name} matter"), request.span);
        }
    }
}

/// How many threads have not ended.
fn alive(control: &Control) -> usize {
    control.threads.iter().filter(|thread| !thread.frames.is_empty()).count()
}

/// Goes to the next inputs; false where there are none. A single step can have a great many, so limits are asked for
/// here too.
fn next_choices<E>(choices: &mut Choices<'_>, keep_on: &dyn Fn() -> Result<(), E>) -> Result<bool, E> {
    let more = choices.advance();
    if more && choices.tried.is_multiple_of(CHOICES_BETWEEN_CHECKS) {
        keep_on()?;
    }
    Ok(more)
}

fn edge_span(machine: &Machine<'_>, step: Step) -> Option<Span> {
    let frame = machine.control().threads[step.thread.index()].frames.last()?;
    match step.action {
        Action::Edge(edge) => machine.program().procedures[frame.procedure].edges[edge].span,
        Action::Return | Action::Wake => None,
    }
}
