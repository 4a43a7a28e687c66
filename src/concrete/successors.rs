//! The concrete states that follow from a state: for every input that is tried, and further on where there is nothing
//! to choose. The explicit engine explores with this, and `confirm` checks a set of states with it.

mod settle;

use super::choices::{Candidates, Choices};
use super::token::Abstractions;
use super::{Fault, Machine, Outcome, Packed, Request, StateCheck, Store, Value, Violation};
use crate::program::control::{Action, Flow, Step};
use crate::program::{Id, Program, Property, Span};
use std::rc::Rc;

/// Limits are asked for after this many choices of inputs of one step.
pub const CHOICES_BETWEEN_CHECKS: u64 = 64;

/// Concrete states and what follows from them.
pub struct Execution<'p> {
    machine: Machine<'p>,
    candidates: Rc<Candidates>,
    property: Property,
    flow: Flow,
    following: Option<Following>,
    /// The state that was loaded, where the machine knows the way back to it.
    at: Option<Packed>,
    /// Whether deterministic steps are told.
    records: bool,
    /// What was left out on the way, each once.
    pub notes: Vec<Note>,
    /// Steps that were taken without telling where they lead.
    pub skipped: u64,
}

/// That an execution goes on while there is nothing to choose.
#[derive(Debug, Clone, Copy, Default)]
pub struct Following {
    /// At most about so many steps at once.
    pub most: Option<u64>,
}

/// Something that was left out: a sentence, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What is taken for granted.
    pub text: String,
    /// Where.
    pub span: Option<Span>,
}

/// A state that a step leads to, through states that violate nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// The state. Where steps are followed there is something to choose, or nothing more to do.
    pub state: Packed,
    /// Whether a thread is at an error there.
    pub error: ErrorThere,
}

/// Whether a thread is at an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorThere {
    /// None is.
    None,
    /// One that the property is about.
    Counts,
    /// One that it is not about; it ends the execution all the same.
    Irrelevant,
}

/// An arrival, and how one gets there.
#[derive(Debug, Clone)]
pub struct Way {
    /// The inputs of the step.
    pub inputs: Vec<Value>,
    /// The steps after it, about which there is no choice.
    pub steps: Vec<Step>,
    /// Where it leads.
    pub arrival: Arrival,
    /// Which thread is which one of the state there; nothing, where each is what it was.
    pub threads: Vec<u32>,
}

/// Why there is no arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halted<E> {
    /// It is time to stop.
    Stop(E),
    /// It takes more steps than were allowed.
    TooLong,
}

impl<E> From<E> for Halted<E> {
    fn from(stop: E) -> Self {
        Halted::Stop(stop)
    }
}

/// What is told of each state that inputs lead to: the inputs, the deterministic steps where they are recorded, the state.
type Visitor<'v> = dyn FnMut(&Choices<'_>, &mut Followed, Arrival) + 'v;

/// What was done after a step, where that is recorded.
#[derive(Default)]
struct Followed {
    /// The deterministic steps.
    steps: Vec<Step>,
    /// Which thread is where in the state that they lead to.
    threads: Vec<u32>,
}

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
        Execution {
            machine,
            candidates: Rc::new(Candidates::of(program)),
            property: property.clone(),
            flow: Flow::of(program),
            following: None,
            at: None,
            records: false,
            notes: Vec::new(),
            skipped: 0,
        }
    }

    /// Whether it goes on where there is nothing to choose; then threads that are alike may change places, too.
    pub fn follow(&mut self, following: Option<Following>) {
        self.following = following;
        self.machine.merge_threads(following.is_some());
    }

    /// From here on, at most about so many steps are followed at once, or any number; tells how many were.
    pub fn limit_steps(&mut self, most: Option<u64>) -> Option<u64> {
        let before = self.following.and_then(|following| following.most);
        self.following = self.following.map(|_| Following { most });
        before
    }

    /// Uses the parts of states that another execution of the same program has packed.
    pub fn use_store(&mut self, store: Store) {
        self.machine.use_store(store);
        self.at = None;
    }

    /// The parts of the states that were packed.
    pub fn store(&self) -> &Store {
        &self.machine.store
    }

    /// The parts of the states that were packed, at the end.
    pub fn into_store(self) -> Store {
        self.machine.into_store()
    }

    /// Goes to a state.
    #[inline]
    pub fn load(&mut self, state: Packed) {
        if self.at != Some(state) {
            self.machine.load(state);
            self.at = Some(state);
        }
    }

    /// The machine, in the state that was loaded.
    pub fn machine(&self) -> &Machine<'p> {
        &self.machine
    }

    /// Adds the steps that control allows in the state that was loaded.
    pub fn steps(&self, steps: &mut Vec<Step>) {
        self.machine.control().steps_into(self.machine.program(), &self.flow, steps);
    }

    /// How many bytes the objects of the state that was loaded have.
    pub fn object_bytes(&self) -> u64 {
        self.machine.data.memory.objects.iter().fold(0, |sum, object| object.size.saturating_add(sum))
    }

    /// The states after `init`.
    ///
    /// # Errors
    /// Where `keep_on` says that it is time to stop, or it takes too many steps.
    pub fn initial_states<E>(&mut self, keep_on: &dyn Fn() -> Result<(), E>) -> Result<Vec<Arrival>, Halted<E>> {
        let mut states = Vec::new();
        self.starts(keep_on, &mut |_, _, arrival| states.push(arrival))?;
        Ok(states)
    }

    /// Adds the states after a step from the state that was loaded.
    ///
    /// # Errors
    /// Where `keep_on` says that it is time to stop, or it takes too many steps.
    #[inline]
    pub fn states_after<E>(
        &mut self,
        step: Step,
        keep_on: &dyn Fn() -> Result<(), E>,
        states: &mut Vec<Arrival>,
    ) -> Result<(), Halted<E>> {
        self.after(step, keep_on, &mut |_, _, arrival| states.push(arrival))
    }

    /// The ways from the start to the states after `init`.
    ///
    /// # Errors
    /// Where `keep_on` says that it is time to stop, or it takes too many steps.
    pub fn initial_ways<E>(&mut self, keep_on: &dyn Fn() -> Result<(), E>) -> Result<Vec<Way>, Halted<E>> {
        let mut ways = Vec::new();
        self.records = true;
        let found = self.starts(keep_on, &mut |choices, taken, arrival| {
            ways.push(Way {
                inputs: choices.inputs(),
                steps: std::mem::take(&mut taken.steps),
                arrival,
                threads: std::mem::take(&mut taken.threads),
            });
        });
        self.records = false;
        found.map(|()| ways)
    }

    /// The ways from the state that was loaded to those after a step.
    ///
    /// # Errors
    /// Where `keep_on` says that it is time to stop, or it takes too many steps.
    pub fn ways<E>(&mut self, step: Step, keep_on: &dyn Fn() -> Result<(), E>) -> Result<Vec<Way>, Halted<E>> {
        let mut ways = Vec::new();
        self.records = true;
        let found = self.after(step, keep_on, &mut |choices, taken, arrival| {
            ways.push(Way {
                inputs: choices.inputs(),
                steps: std::mem::take(&mut taken.steps),
                arrival,
                threads: std::mem::take(&mut taken.threads),
            });
        });
        self.records = false;
        found.map(|()| ways)
    }

    /// Whether the state that was loaded violates the property itself, wherever its threads are.
    pub fn is_wrong(&mut self) -> bool {
        let checked = self.machine.check_state(&self.property);
        self.note_addresses();
        if let StateCheck::Unclear { what, span } = checked {
            self.note(what.to_owned(), span);
        }
        matches!(checked, StateCheck::Wrong(_))
    }

    /// All that is wrong with the state that was loaded.
    pub fn violations(&mut self) -> Vec<Violation> {
        if self.is_wrong() { self.machine.violations(&self.property) } else { Vec::new() }
    }

    /// The states after `init`, with the inputs that lead there.
    fn starts<E>(&mut self, keep_on: &dyn Fn() -> Result<(), E>, visit: &mut Visitor<'_>) -> Result<(), Halted<E>> {
        let candidates = Rc::clone(&self.candidates);
        let mut choices = Choices::new(&candidates);
        let found = self.all_starts(&mut choices, keep_on, visit);
        let sampled = choices.sampled;
        self.note_samples(&sampled);
        self.note_addresses();
        found
    }

    fn all_starts<E>(
        &mut self,
        choices: &mut Choices<'_>,
        keep_on: &dyn Fn() -> Result<(), E>,
        visit: &mut Visitor<'_>,
    ) -> Result<(), Halted<E>> {
        self.at = None;
        loop {
            self.machine.reset();
            match self.machine.start(choices) {
                Ok(Outcome::Taken) => self.arrive(choices, keep_on, visit)?,
                Ok(Outcome::Blocked) => {}
                Err(fault) => self.note_fault(&fault, None),
            }
            if !next_choices(choices, keep_on)? {
                return Ok(());
            }
        }
    }

    /// The states after a step from the loaded state, with the inputs that lead there.
    #[inline]
    fn after<E>(
        &mut self,
        step: Step,
        keep_on: &dyn Fn() -> Result<(), E>,
        visit: &mut Visitor<'_>,
    ) -> Result<(), Halted<E>> {
        // Most steps of a guarded command are blocked.
        if self.machine.surely_blocked(step) {
            self.note_addresses();
            return Ok(());
        }
        let candidates = Rc::clone(&self.candidates);
        let mut choices = Choices::new(&candidates);
        let found = self.possible_steps(step, &mut choices, keep_on, visit);
        let sampled = choices.sampled;
        self.note_samples(&sampled);
        self.note_addresses();
        found
    }

    fn possible_steps<E>(
        &mut self,
        step: Step,
        choices: &mut Choices<'_>,
        keep_on: &dyn Fn() -> Result<(), E>,
        visit: &mut Visitor<'_>,
    ) -> Result<(), Halted<E>> {
        let base = self.at.expect("a state was loaded");
        let mark = self.machine.save();
        loop {
            match self.machine.step(step, choices) {
                Ok(Outcome::Taken) => {
                    self.arrive(choices, keep_on, visit)?;
                    match self.at {
                        Some(_) => self.machine.restore(mark),
                        None => self.load(base),
                    }
                }
                Ok(Outcome::Blocked) => {}
                Err(fault) => {
                    let span = edge_span(&self.machine, step);
                    self.note_fault(&fault, span);
                }
            }
            if !next_choices(choices, keep_on)? {
                return Ok(());
            }
        }
    }

    /// Tells of the state that a step has just led to, or of the one that there is no choice but to go on to.
    fn arrive<E>(
        &mut self,
        choices: &Choices<'_>,
        keep_on: &dyn Fn() -> Result<(), E>,
        visit: &mut Visitor<'_>,
    ) -> Result<(), Halted<E>> {
        let mut taken = Followed::default();
        let at = match self.following {
            Some(following) if self.error() == ErrorThere::None => self.settle(following, keep_on, &mut taken.steps)?,
            _ => Some(self.machine.pack()),
        };
        match at {
            Some(state) => {
                if self.records {
                    taken.threads.extend_from_slice(self.machine.packed_threads());
                }
                visit(choices, &mut taken, Arrival { state, error: self.error() });
            }
            None => self.skipped += 1,
        }
        Ok(())
    }

    /// Whether a thread is at an error.
    fn error(&self) -> ErrorThere {
        match self.machine.control().failure(self.machine.program()) {
            None => ErrorThere::None,
            Some(failure) if self.property.counts(&failure.kind) => ErrorThere::Counts,
            Some(_) => ErrorThere::Irrelevant,
        }
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
