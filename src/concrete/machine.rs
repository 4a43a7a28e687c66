//! The interpreter: one execution of a program, step by step, with inputs supplied, and back again.
//!
//! Every change is noted on a trail, so that going back costs what changed since.

use super::compile::{Compiled, Instruction, Slot, compile};
use super::eval::Scene;
use super::execute::Block;
use super::live::LiveLocals;
use super::locks::Locks;
use super::memory::{Memory, Object};
use super::origins::Origins;
use super::pack::{KnownPart, Packing};
use super::private::Outlook;
use super::store::Store;
use super::token::{Abstractions, names};
use super::trail::{Change, Trail};
use super::{Fault, Pointer, Value};
use crate::program::control::{Action, Control, Frame, Step};
use crate::program::{EdgeId, Id, ProcId, Program, Span, ThreadId, Type, UNWRITTEN, VarId};
use crate::term::Integer;
use std::cell::Cell;

/// Where inputs come from.
pub trait Inputs {
    /// The next input. `None` ends the step with [`Fault::NoInput`].
    fn next(&mut self, request: &Request) -> Option<Value>;

    /// So many bytes were copied there.
    fn copied(&mut self, _target: Pointer, _bytes: i64) {}
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The variable that takes the input; none for memory, and for a choice of thread.
    pub variable: Option<VarId>,
    /// The place in memory that is read and was never written, where it takes the input.
    pub memory: Option<Pointer>,
    /// The type of the input.
    pub ty: Type,
    /// Where the source asks for it.
    pub span: Option<Span>,
    /// Below this, the rest of the step is sure to be blocked.
    pub low: Option<Integer>,
    /// Above this, the rest of the step is sure to be blocked.
    pub high: Option<Integer>,
    /// Where it is a choice among a few values, these.
    pub options: Vec<Value>,
}

/// No input at all.
pub struct NoInputs;

impl Inputs for NoInputs {
    fn next(&mut self, _: &Request) -> Option<Value> {
        None
    }
}

/// Whether a step could be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was.
    Taken,
    /// It cannot be taken in this state; nothing changed.
    Blocked,
}

/// A point to go back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark(pub(super) usize);

/// One execution of a program.
pub struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) code: Compiled,
    pub(super) control: Control,
    pub(super) data: Data,
    pub(super) trail: Trail,
    /// Whether a result could depend on the address of an object.
    pub(super) addresses_seen: Cell<bool>,
    /// The edge that was taken when one first did.
    addresses_seen_at: Option<(ProcId, EdgeId)>,
    /// The objects after `init`, if that reads no input.
    pub(super) first: Vec<Object>,
    /// Which locals can still be read.
    pub(super) live: LiveLocals,
    /// What threads may still do.
    pub(super) outlook: Outlook,
    /// Whether states inside atomic sections matter.
    pub(super) looks_into_atomic: bool,
    /// Whether the trail leads back to the state that was loaded last.
    pub(super) is_based: bool,
    /// Whether deterministic steps note the way back.
    pub(super) keeps_trail: bool,
    /// What was printed, where it is kept.
    pub(super) output: Option<Vec<u8>>,
    /// Which bytes that were never written are copies of which, where somebody asks.
    pub(super) origins: Option<Box<Origins>>,
    /// Room for the values of a simultaneous assignment, kept from one to the next.
    pub(super) values: Vec<Value>,
    /// The parts of the states that were packed.
    pub(super) store: Store,
    /// Room to pack a state, kept from one to the next, and what is known of the last one.
    pub(super) packing: Packing,
}

/// Everything about a state but control.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Data {
    pub globals: Vec<Value>,
    pub threads: Vec<ThreadData>,
    pub memory: Memory,
    /// Who holds a lock, how often.
    pub locks: Locks,
}

/// The data of one thread.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ThreadData {
    /// The variables of its own, then the locals of all its activations, the outermost first.
    pub locals: Vec<Value>,
    /// Where the innermost activation's locals start.
    pub base: usize,
    /// What it waits for.
    pub waiting: Option<Waiting>,
    /// The live objects of its activations, with the depth of the activation, the outermost first.
    pub objects: Vec<(u32, u32)>,
}

impl ThreadData {
    /// Where a variable is that is no global.
    #[inline]
    fn place(&self, slot: Slot) -> usize {
        match slot {
            Slot::Local(i) => self.base + i as usize,
            Slot::Own(i) | Slot::Global(i) => i as usize,
        }
    }
}

/// A thread that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waiting {
    pub condition: Pointer,
    pub lock: Pointer,
    /// How often it held the lock.
    pub depth: u32,
    /// Whether it was notified.
    pub notified: bool,
}

impl<'p> Machine<'p> {
    /// A machine for the program, which must be valid, before `init`.
    pub fn new(program: &'p Program) -> Machine<'p> {
        Machine::with(program, &Abstractions::default())
    }

    /// The same with abstract variables.
    pub fn with(program: &'p Program, abstractions: &Abstractions) -> Machine<'p> {
        let code = compile(program, abstractions);
        let control = Control::initial(program);
        let mut machine = Machine {
            program,
            code,
            control,
            data: Data::empty(program),
            trail: Trail::default(),
            addresses_seen: Cell::new(false),
            addresses_seen_at: None,
            first: Vec::new(),
            live: LiveLocals::new(program),
            outlook: Outlook::new(program.header_bytes == 0 && abstractions.is_empty()),
            looks_into_atomic: false,
            is_based: false,
            keeps_trail: false,
            output: None,
            origins: None,
            values: Vec::new(),
            store: Store::default(),
            packing: Packing::default(),
        };
        machine.reset();
        if machine.start(&mut NoInputs) == Ok(Outcome::Taken) {
            machine.first = std::mem::take(&mut machine.data.memory.objects);
        }
        machine.addresses_seen = Cell::new(false);
        machine.addresses_seen_at = None;
        machine.reset();
        machine
    }

    /// Looks from now on whether copies of bytes that were never written hold the same; nothing may be undone then.
    pub(super) fn follow_copies(&mut self) {
        let main = ThreadId::new(0);
        let any = self.program.globals().filter(|global| &*self.program.variables[*global].name == UNWRITTEN);
        let objects = any.filter_map(|global| match self.value(main, global)? {
            Value::Pointer(pointer) => Some(pointer.object),
            _ => None,
        });
        self.origins = Some(Box::new(Origins::new(objects.collect())));
    }

    /// The parts of the states that were packed, for another machine of the same program.
    pub fn into_store(self) -> Store {
        self.store
    }

    /// Uses the parts of states that another machine of the same program has packed. What this one has packed counts no longer.
    pub fn use_store(&mut self, store: Store) {
        self.store = store;
        self.forget_packed();
        self.is_based = false;
        self.data.memory.objects.iter_mut().for_each(|object| object.part = KnownPart::default());
    }

    /// Back to before `init`.
    pub fn reset(&mut self) {
        self.control = Control::initial(self.program);
        let globals = vec![Value::Undefined; self.code.globals.len()];
        let main = self.new_thread(self.program.main);
        self.data = Data { globals, threads: vec![main], ..Data::empty(self.program) };
        self.commit();
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Where the threads are.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// The value of a global, or of a local in the thread's innermost activation; `None` where that has no such local.
    pub fn value(&self, thread: ThreadId, variable: VarId) -> Option<Value> {
        let value = match self.code.slots[variable] {
            Slot::Global(i) => self.data.globals.get(i as usize),
            Slot::Local(i) => {
                let data = self.data.threads.get(thread.index())?;
                data.locals.get(data.base..)?.get(i as usize)
            }
            Slot::Own(i) => self.data.threads.get(thread.index())?.locals.get(i as usize),
        }?;
        Some(external(value, self.program.variables[variable].ty))
    }

    /// How many objects were made so far; they are numbered from 1 on, in that order.
    pub(super) fn objects_made(&self) -> usize {
        self.data.memory.made()
    }

    /// Whether any result so far could depend on where objects lie in memory, also of steps that were taken back.
    pub(super) fn addresses_seen(&self) -> bool {
        self.addresses_seen.get()
    }

    /// Where a result first could, as far as is known.
    pub(super) fn addresses_seen_at(&self) -> Option<Span> {
        self.addresses_seen_at.and_then(|(procedure, edge)| self.program.procedures[procedure].edges[edge].span)
    }

    /// From here on, deterministic steps end before each step inside an atomic section that has to do with more than the thread's
    /// own variables, if there are other threads.
    pub(super) fn look_into_atomic_sections(&mut self) {
        self.looks_into_atomic = true;
    }

    /// From here on, what steps print is kept.
    pub fn keep_output(&mut self) {
        self.output.get_or_insert_default();
    }

    /// What the steps taken since the last call have printed, also those that were taken back. It is no part of the
    /// state.
    pub fn take_output(&mut self) -> Vec<u8> {
        self.output.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Runs `init`.
    pub fn start(&mut self, inputs: &mut dyn Inputs) -> Result<Outcome, Fault> {
        let (mark, printed) = (self.save(), self.printed());
        let outcome = self.run(0, Block::Init, 0, inputs);
        if !matches!(outcome, Ok(Outcome::Taken)) {
            self.give_up(mark, printed);
        }
        outcome
    }

    /// Takes a step, one of those that control allows; where it is blocked or faults, nothing changes.
    pub fn step(&mut self, step: Step, inputs: &mut dyn Inputs) -> Result<Outcome, Fault> {
        match step.action {
            Action::Edge(edge) => self.take_edge(step.thread.index(), edge, 0, inputs),
            Action::Return => {
                self.take_return(step.thread.index());
                Ok(Outcome::Taken)
            }
            Action::Wake => Ok(self.take_wake(step)),
        }
    }

    /// How much was printed.
    fn printed(&self) -> usize {
        self.output.as_ref().map_or(0, Vec::len)
    }

    /// Takes back a step that did not come to its end, and what it printed.
    fn give_up(&mut self, mark: Mark, printed: usize) {
        self.restore(mark);
        if let Some(output) = &mut self.output {
            output.truncate(printed);
        }
    }

    /// Whether a step is blocked by the first thing it does, as most are: cheaper than to try.
    #[inline]
    pub(super) fn surely_blocked(&self, step: Step) -> bool {
        let Action::Edge(edge) = step.action else { return false };
        let thread = step.thread.index();
        match self.code.edge(self.top(thread).procedure, edge).block.first() {
            Some(Instruction::Assume(condition)) => self.scene(thread).holds(condition) == Ok(false),
            _ => false,
        }
    }

    /// A mark of the present state.
    pub fn save(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// How a variable lies in the compiled program, for packing.
    pub(super) fn code(&self) -> &Compiled {
        &self.code
    }

    /// Takes an edge of the procedure that the thread is in, but for its first instructions, so many of them, which
    /// would have done nothing.
    #[inline]
    pub(super) fn take_edge(
        &mut self,
        thread: usize,
        edge: EdgeId,
        from: usize,
        inputs: &mut dyn Inputs,
    ) -> Result<Outcome, Fault> {
        let (mark, printed) = (self.save(), self.printed());
        let procedure = self.top(thread).procedure;
        let outcome = self.run(thread, Block::Edge(procedure, edge), from, inputs);
        if self.addresses_seen.get() && self.addresses_seen_at.is_none() {
            self.addresses_seen_at = Some((procedure, edge));
        }
        if !matches!(outcome, Ok(Outcome::Taken)) {
            self.give_up(mark, printed);
            return outcome;
        }
        match self.code.edge(procedure, edge).leads_to {
            Some(location) => {
                let frame = self.control.threads[thread].frames.last_mut().expect("the frame that the edge is in");
                let before = std::mem::replace(&mut frame.location, location);
                self.trail.location(thread, before);
            }
            None => {
                let step = Step { thread: ThreadId::new(thread), action: Action::Edge(edge) };
                let undo = self.control.apply(self.program, step);
                self.trail.push(Change::Control(undo));
            }
        }
        outcome
    }

    pub(super) fn take_return(&mut self, thread: usize) {
        let frame = self.top(thread);
        let undo = self.control.apply(self.program, Step { thread: ThreadId::new(thread), action: Action::Return });
        let threads_end = self.control.ended() && self.program.main_ends_all && thread == 0;
        if threads_end {
            let ended = self.data.threads.iter().map(|_| ThreadData::default()).collect();
            let before = std::mem::replace(&mut self.data.threads, ended);
            self.trail.push(Change::AllEnded(before));
        } else {
            self.leave(thread, frame);
        }
        self.trail.push(Change::Control(undo));
    }

    /// Ends the innermost activation: its objects, its locals; its result goes to the caller.
    fn leave(&mut self, thread: usize, frame: Frame) {
        let code = &self.code.procedures[frame.procedure];
        let result_slot = code.result;
        let data = &self.data.threads[thread];
        let result = result_slot.map(|slot| data.locals[data.base + slot as usize].clone());
        let depth = self.control.threads[thread].frames.len();
        if code.has_stack_objects {
            self.end_objects(thread, depth as u32);
        }
        let caller = self.control.threads[thread].frames.last().copied();
        let width = caller.map(|caller| self.code.locals(caller.procedure).len());
        let data = &mut self.data.threads[thread];
        let base = data.base;
        // At its end a thread has no variables of its own any more either.
        let kept = if width.is_some() { base } else { 0 };
        self.trail.extend(data.locals.drain(kept..).rev().map(|local| Change::Dropped(thread as u32, local)));
        data.base = width.map_or(0, |width| base - width);
        self.trail.push(Change::Left { thread: thread as u32, base });
        if let (Some(caller), Some(call), Some(result)) = (caller, frame.call, result)
            && let Some(target) = self.code.edge(caller.procedure, call).result
        {
            let result = names::written(result, self.code.edge(caller.procedure, call).result_partition);
            self.write(thread, target, result);
        }
    }

    fn end_objects(&mut self, thread: usize, depth: u32) {
        while let Some(&(_, object)) = self.data.threads[thread].objects.last().filter(|(d, _)| *d == depth) {
            self.data.threads[thread].objects.pop();
            self.end_object(object);
        }
    }

    pub(super) fn end_object(&mut self, object: u32) {
        let cells = self.data.memory.end(object, !self.program.keeps_addresses());
        self.trail.push(Change::Ended(object, cells));
    }

    #[inline]
    pub(super) fn write(&mut self, thread: usize, slot: Slot, value: Value) {
        self.trail.push(self.data.write(thread, slot, value));
    }

    #[inline]
    pub(super) fn scene(&self, thread: usize) -> Scene<'_> {
        self.data.scene(thread, &self.addresses_seen)
    }

    #[inline]
    pub(super) fn top(&self, thread: usize) -> Frame {
        *self.control.threads[thread].frames.last().expect("a thread that takes a step has a frame")
    }
}

impl Data {
    #[inline]
    pub(super) fn scene<'a>(&'a self, thread: usize, seen: &'a Cell<bool>) -> Scene<'a> {
        let data = &self.threads[thread];
        Scene {
            globals: &self.globals,
            locals: &data.locals[data.base..],
            own: &data.locals,
            locks: &self.locks,
            threads: &self.threads,
            thread,
            memory: &self.memory,
            seen,
        }
    }

    /// Writes a number to a variable, and notes what was there.
    /// The number in a slot, where it is one that fits a machine word.
    #[inline]
    pub(super) fn number_mut(&mut self, thread: usize, slot: Slot) -> Option<&mut i64> {
        match slot {
            Slot::Global(i) => self.globals[i as usize].as_i64_mut(),
            Slot::Local(i) => {
                let data = &mut self.threads[thread];
                data.locals[data.base + i as usize].as_i64_mut()
            }
            Slot::Own(i) => self.threads[thread].locals[i as usize].as_i64_mut(),
        }
    }

    #[inline]
    pub(super) fn write_small(&mut self, thread: usize, slot: Slot, n: i64, trail: &mut Trail) {
        match slot {
            Slot::Global(i) => match self.globals[i as usize].as_i64_mut() {
                Some(number) => trail.global(i as usize, std::mem::replace(number, n)),
                None => trail.push(self.write(thread, slot, Value::int(n))),
            },
            Slot::Local(_) | Slot::Own(_) => {
                let data = &mut self.threads[thread];
                let i = data.place(slot);
                match data.locals[i].as_i64_mut() {
                    Some(number) => trail.local(thread, i, std::mem::replace(number, n)),
                    None => trail.push(self.write(thread, slot, Value::int(n))),
                }
            }
        }
    }

    /// Writes a variable, and tells what was there.
    #[inline]
    pub(super) fn write(&mut self, thread: usize, slot: Slot, value: Value) -> Change {
        match slot {
            Slot::Global(i) => Change::Global(i, std::mem::replace(&mut self.globals[i as usize], value)),
            Slot::Local(_) | Slot::Own(_) => {
                let data = &mut self.threads[thread];
                let i = data.place(slot);
                Change::Local(thread as u32, i as u32, std::mem::replace(&mut data.locals[i], value))
            }
        }
    }

    fn empty(program: &Program) -> Data {
        Data {
            globals: Vec::new(),
            threads: Vec::new(),
            memory: Memory::new(program.pointer_bytes, program.procedures.len()),
            locks: Locks::default(),
        }
    }
}

/// A value as the outside sees it: truth values are numbers inside.
pub(super) fn external(value: &Value, ty: Type) -> Value {
    match (value, ty) {
        (Value::Int(n), Type::Bool) => Value::Bool(!n.is_zero()),
        _ => value.clone(),
    }
}
