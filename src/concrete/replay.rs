//! Replay: runs a trace again, and tells what it did.

use super::first::Copies;
use super::machine::Inputs;
use super::{
    Change, Fault, FirstContents, Input, Machine, Outcome, Pointer, Replay, ReplayedStep, Request, StateCheck, Trace,
    Value, Violation,
};
use crate::program::control::{Action, Control, Flow, Step};
use crate::program::{EdgeId, ErrorKind, Failure, ProcId, Program, Property, Span, ThreadId, VarId};
use crate::program::{Id, Scope};
use std::collections::BTreeMap;

/// Why a trace is no execution that violates the property.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A step cannot be taken where control is.
    #[error("step {0} is not one that control allows")]
    NotAllowed(usize),
    /// A step, or `init` (step 0), is blocked.
    #[error("step {0} is blocked")]
    Blocked(usize),
    /// A step, or `init` (step 0), faults.
    #[error("step {0} is undefined: {1}")]
    Fault(usize, Fault),
    /// A step, or `init` (step 0), read fewer inputs than the trace has for it.
    #[error("step {0} leaves inputs unread")]
    InputsLeft(usize),
    /// The execution ends, but not in an error that violates the property.
    #[error("the execution ends without a violation of the property")]
    NoViolation,
}

impl ReplayError {
    /// The number of the step that cannot be taken, where it is one.
    pub fn step(&self) -> Option<usize> {
        match self {
            ReplayError::NotAllowed(step)
            | ReplayError::Blocked(step)
            | ReplayError::Fault(step, _)
            | ReplayError::InputsLeft(step) => Some(*step),
            ReplayError::NoViolation => None,
        }
    }
}

/// Runs the trace; it must be an execution of the program that ends by entering an error location that violates
/// the property, or in a state that does so itself.
pub fn replay(program: &Program, property: &Property, trace: &Trace) -> Result<Replay, ReplayError> {
    replay_to(program, property, trace, 0)
}

/// The same, to the violation with this number of those that the last state has: there can be several data races in one.
pub fn replay_to(program: &Program, property: &Property, trace: &Trace, number: usize) -> Result<Replay, ReplayError> {
    let mut machine = Machine::new(program);
    let mut given = Given::new(&trace.initial_inputs);
    let outcome = machine.start(&mut given);
    let initial_inputs = given.check(0, outcome)?;
    machine.follow_copies();
    let main = ThreadId::new(0);
    let initial = program.globals().map(|g| (g, machine.value(main, g).unwrap_or_default())).collect();
    let flow = Flow::of(program);
    let mut steps = Vec::new();
    // Where each object was made.
    let mut made = vec![None; machine.objects_made()];
    let mut taken = TakenLocks::default();
    let mut violation = failure_at_start(program, machine.control());
    if violation.as_ref().is_some_and(|violation| !property.counts(&violation.failure.kind)) {
        return Err(ReplayError::NoViolation);
    }
    for (index, entry) in trace.steps.iter().enumerate() {
        let number = index + 1;
        if violation.is_some() || !machine.control().steps(program, &flow).contains(&entry.step) {
            return Err(ReplayError::NotAllowed(number));
        }
        let (procedure, edge) = place(machine.control(), entry.step);
        machine.commit();
        let before = visible(&machine, entry.step.thread);
        let written = machine.written(entry.step);
        let mut given = Given::new(&entry.inputs);
        let outcome = machine.step(entry.step, &mut given);
        let inputs = given.check(number, outcome)?;
        made.resize(machine.objects_made(), edge.and_then(|edge| program.procedures[procedure].edges[edge].span));
        taken.note(&machine, &steps, entry.step.thread, edge.map(|edge| (procedure, edge)));
        if let Some(failure) = machine.control().failure(program) {
            if !property.counts(&failure.kind) {
                return Err(ReplayError::NoViolation);
            }
            let place = edge.map(|edge| (procedure, edge));
            let span = edge.and_then(|edge| program.procedures[procedure].edges[edge].span);
            let span = span.or_else(|| place_of_call(program, machine.control(), entry.step.thread));
            let span = span.or_else(|| last_place(program, &steps, entry.step.thread));
            let failure = of_lost_object(&machine, failure.clone(), &made);
            violation = Some(Violation { failure, place, span, threads: Vec::new() });
        } else {
            let cells = machine.cells(entry.step.thread, &written);
            let changes = changes(&machine, entry.step.thread, before);
            steps.push(ReplayedStep { step: entry.step, procedure, edge, inputs, changes, cells });
        }
    }
    machine.commit();
    let of_state = |machine: &mut Machine<'_>| match number {
        0 => match machine.check_state(property) {
            StateCheck::Wrong(violation) => Some(violation),
            StateCheck::Fine | StateCheck::Unclear { .. } => None,
        },
        _ => machine.violations(property).into_iter().nth(number),
    };
    let violation = violation.or_else(|| of_state(&mut machine));
    let Some(mut violation) = violation else { return Err(ReplayError::NoViolation) };
    taken.fill(&mut violation);
    let objects = machine.object_names();
    let copies_differ = machine.origins.is_some_and(|origins| origins.differ);
    Ok(Replay { initial_inputs, initial, steps, objects, violation, copies_differ })
}

/// Where the locks were taken that are held.
#[derive(Default)]
struct TakenLocks(BTreeMap<Pointer, Option<Span>>);

impl TakenLocks {
    /// Notes the locks that a step of a thread took, and forgets those that it gave back.
    fn note(
        &mut self,
        machine: &Machine<'_>,
        before: &[ReplayedStep],
        thread: ThreadId,
        edge: Option<(ProcId, EdgeId)>,
    ) {
        let program = machine.program();
        self.0.retain(|lock, _| machine.data.locks.contains_key(lock));
        for lock in machine.data.locks.keys() {
            self.0.entry(*lock).or_insert_with(|| {
                let span = edge.and_then(|(procedure, edge)| program.procedures[procedure].edges[edge].span);
                let span = span.or_else(|| place_of_call(program, machine.control(), thread));
                span.or_else(|| last_place(program, before, thread))
            });
        }
    }

    fn fill(&self, violation: &mut Violation) {
        let locks = violation.threads.iter_mut().flat_map(|situation| &mut situation.locks);
        locks.for_each(|lock| lock.taken = self.0.get(&lock.at).copied().flatten());
    }
}

/// The failure, with the object that was lost where it is of one.
fn of_lost_object(machine: &Machine<'_>, failure: Failure, made: &[Option<Span>]) -> Failure {
    let program = machine.program();
    if failure.kind != ErrorKind::Leak || !program.tracks_heap() {
        return failure;
    }
    let Some((object, size)) = machine.first_lost() else { return failure };
    let made = made.get(object).copied().flatten();
    let line = made.and_then(|span| Some(program.sources.get(span.file)?.line_and_column(span.start).0));
    let place = line.map_or(String::new(), |line| format!(", made in line {line}"));
    Failure { message: format!("{}: {size} bytes{place}", failure.message), ..failure }
}

/// Where in the source a thread was last.
fn last_place(program: &Program, steps: &[ReplayedStep], thread: ThreadId) -> Option<Span> {
    let of_thread = steps.iter().rev().filter(|step| step.step.thread == thread);
    of_thread.filter_map(|step| program.procedures[step.procedure].edges[step.edge?].span).next()
}

/// The trace with inputs for memory that is read before it is written: for each object, by its number, and offset the
/// one that is said. A trace that is no execution stays as it is from there on.
pub fn complete(program: &Program, trace: Trace, first: &FirstContents) -> Trace {
    let mut machine = Machine::new(program);
    let mut completed = trace.clone();
    let mut copies = Copies::default();
    let mut inputs = Completing { left: trace.initial_inputs.iter(), first, copies: &mut copies, read: Vec::new() };
    if machine.start(&mut inputs) != Ok(Outcome::Taken) {
        return trace;
    }
    completed.initial_inputs = inputs.read;
    for (number, (entry, to)) in trace.steps.iter().zip(&mut completed.steps).enumerate() {
        copies.begin(number + 1);
        let mut inputs = Completing { left: entry.inputs.iter(), first, copies: &mut copies, read: Vec::new() };
        machine.commit();
        if machine.control().failure(program).is_some() || machine.step(entry.step, &mut inputs) != Ok(Outcome::Taken) {
            break;
        }
        to.inputs = inputs.read;
    }
    completed
}

/// Inputs that are given, and those for memory besides.
struct Completing<'t> {
    left: std::slice::Iter<'t, Value>,
    first: &'t FirstContents,
    copies: &'t mut Copies,
    read: Vec<Value>,
}

impl Inputs for Completing<'_> {
    fn next(&mut self, request: &Request) -> Option<Value> {
        let value = match request.memory {
            Some(place) => {
                let (origin, offset) = self.copies.origin(place);
                self.first.get(origin, offset, request.ty)
            }
            None => self.left.next()?.clone(),
        };
        self.read.push(value.clone());
        Some(value)
    }

    fn copied(&mut self, target: Pointer, bytes: i64) {
        self.copies.note(target, bytes);
    }
}

/// What has gone wrong where the main procedure starts, if its entry is an error location.
pub fn failure_at_start(program: &Program, start: &Control) -> Option<Violation> {
    let entry = &program.procedures[program.main].locations[program.procedures[program.main].entry];
    start.failure(program).map(|failure| Violation {
        failure: failure.clone(),
        place: None,
        span: entry.span,
        threads: Vec::new(),
    })
}

/// The innermost call that the thread is in and that has a place: what goes wrong in code without places, that of a
/// library, is told there.
fn place_of_call(program: &Program, control: &Control, thread: ThreadId) -> Option<Span> {
    let frames = &control.threads[thread.index()].frames;
    let calls = frames.iter().zip(frames.iter().skip(1)).rev();
    let mut spans = calls.map(|(caller, callee)| program.procedures[caller.procedure].edges[callee.call?].span);
    spans.find_map(|span| span)
}

/// The procedure that the thread is in, and the edge it is about to take.
fn place(control: &Control, step: Step) -> (ProcId, Option<EdgeId>) {
    let frame = control.threads[step.thread.index()].frames.last().expect("control allows the step");
    let edge = match step.action {
        Action::Edge(edge) => Some(edge),
        Action::Return | Action::Wake => None,
    };
    (frame.procedure, edge)
}

/// The variables that the thread sees, with their values.
fn visible(machine: &Machine<'_>, thread: ThreadId) -> Vec<(VarId, Value)> {
    let procedure = machine.control().threads[thread.index()].frames.last().map(|frame| frame.procedure);
    let seen = machine.program().variables.enumerate().filter(|(_, variable)| match variable.scope {
        Scope::Global => true,
        Scope::Local(owner) => Some(owner) == procedure,
    });
    seen.map(|(id, _)| (id, machine.value(thread, id).unwrap_or_default())).collect()
}

/// What differs from before, among the variables that the thread sees now.
fn changes(machine: &Machine<'_>, thread: ThreadId, before: Vec<(VarId, Value)>) -> Vec<Change> {
    let after = visible(machine, thread);
    let old = |variable| before.iter().find(|(v, _)| *v == variable).map_or(Value::Undefined, |(_, v)| v.clone());
    let pairs = after.into_iter().map(|(variable, after)| Change { variable, before: old(variable), after });
    pairs.filter(|change| change.before != change.after).collect()
}

/// The inputs of one step, handed out in order and noted down.
pub(super) struct Given<'t> {
    left: std::slice::Iter<'t, Value>,
    read: Vec<Input>,
}

impl<'t> Given<'t> {
    pub(super) fn new(inputs: &'t [Value]) -> Self {
        Given { left: inputs.iter(), read: Vec::new() }
    }

    fn check(self, step: usize, outcome: Result<Outcome, Fault>) -> Result<Vec<Input>, ReplayError> {
        match outcome {
            Ok(Outcome::Taken) if self.left.len() > 0 => Err(ReplayError::InputsLeft(step)),
            Ok(Outcome::Taken) => Ok(self.read),
            Ok(Outcome::Blocked) => Err(ReplayError::Blocked(step)),
            Err(fault) => Err(ReplayError::Fault(step, fault)),
        }
    }
}

impl Inputs for Given<'_> {
    fn next(&mut self, request: &Request) -> Option<Value> {
        let value = self.left.next()?.clone();
        if request.variable.is_some() || request.memory.is_some() {
            self.read.push(Input { variable: request.variable, value: value.clone(), span: request.span });
        }
        Some(value)
    }
}
