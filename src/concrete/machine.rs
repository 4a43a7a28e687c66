//! The interpreter: one execution of a program, step by step, with inputs supplied, and back again.
//!
//! Every change is noted on a trail, so that going back costs what changed since.

use super::compile::{Compiled, Havoc, Instruction, Node, Printed, Slot, compile};
use super::eval::Scene;
use super::memory::{Cells, Memory, Overwritten, OverwrittenShort};
use super::{Fault, Pointer, Value, format};
use crate::program::control::{Action, Control, Frame, Step, Undo};
use crate::program::{Conversion, EdgeId, Id, ProcId, Program, Region, Span, Style, ThreadId, Type, VarId};
use crate::term::Integer;
use std::cell::Cell;
use std::collections::BTreeMap;

/// Where inputs come from.
pub trait Inputs {
    /// The next input. `None` ends the step with [`Fault::NoInput`].
    fn next(&mut self, request: &Request) -> Option<Value>;
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The variable that takes the input; for a choice of thread, none.
    pub variable: Option<VarId>,
    /// The type of the input.
    pub ty: Type,
    /// Where the source asks for it.
    pub span: Option<Span>,
    /// Below this, the rest of the step is sure to be blocked.
    pub low: Option<Integer>,
    /// Above this, the rest of the step is sure to be blocked.
    pub high: Option<Integer>,
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
pub struct Mark(usize);

/// One execution of a program.
pub struct Machine<'p> {
    pub(super) program: &'p Program,
    code: Compiled,
    pub(super) control: Control,
    pub(super) data: Data,
    pub(super) trail: Vec<Change>,
    /// Whether a result could depend on the address of an object.
    addresses_seen: Cell<bool>,
    /// What was printed, where it is kept.
    output: Option<Vec<u8>>,
    /// Room for the values of a simultaneous assignment, kept from one to the next.
    values: Vec<Value>,
    /// Room for the bytes of a packed state, kept from one to the next.
    pub(super) buffer: Vec<u8>,
}

/// Everything about a state but control.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Data {
    pub globals: Vec<Value>,
    pub threads: Vec<ThreadData>,
    pub memory: Memory,
    /// Who holds a lock, how often.
    pub locks: BTreeMap<Pointer, (ThreadId, u32)>,
}

/// The data of one thread.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ThreadData {
    /// The locals of all its activations, the outermost first.
    pub locals: Vec<Value>,
    /// Where the innermost activation's locals start.
    pub base: usize,
    /// What it waits for.
    pub waiting: Option<Waiting>,
    /// The live objects of its activations, with the depth of the activation, the outermost first.
    pub objects: Vec<(u32, u32)>,
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

/// One change to the state, as what was there before.
pub(super) enum Change {
    Global(u32, Value),
    Local(u32, u32, Value),
    Control(Undo),
    Entered { thread: u32, base: usize },
    Left { thread: u32, base: usize, locals: Vec<Value> },
    AllEnded(Vec<ThreadData>),
    Spawned,
    Allocated,
    Ended(u32, Box<Cells>),
    Stored(Box<Overwritten>),
    StoredShort(OverwrittenShort),
    Lock(Pointer, Option<(ThreadId, u32)>),
    Waiting(u32, Option<Waiting>),
}

impl<'p> Machine<'p> {
    /// A machine for the program, which must be valid, before `init`.
    pub fn new(program: &'p Program) -> Machine<'p> {
        let code = compile(program);
        let control = Control::initial(program);
        let mut machine = Machine {
            program,
            code,
            control,
            data: Data::empty(program),
            trail: Vec::new(),
            addresses_seen: Cell::new(false),
            output: None,
            values: Vec::new(),
            buffer: Vec::new(),
        };
        machine.reset();
        machine
    }

    /// Back to before `init`.
    pub fn reset(&mut self) {
        self.control = Control::initial(self.program);
        let globals = vec![Value::Undefined; self.code.globals.len()];
        let main = self.new_thread(self.program.main);
        self.data = Data { globals, threads: vec![main], ..Data::empty(self.program) };
        self.trail.clear();
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
        }?;
        Some(external(value, self.program.variables[variable].ty))
    }

    /// Whether any result so far could depend on where objects lie in memory, also of steps that were taken back.
    pub fn addresses_seen(&self) -> bool {
        self.addresses_seen.get()
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
        let outcome = self.run(0, Block::Init, inputs);
        if !matches!(outcome, Ok(Outcome::Taken)) {
            self.give_up(mark, printed);
        }
        outcome
    }

    /// Takes a step, one of those that control allows; where it is blocked or faults, nothing changes.
    pub fn step(&mut self, step: Step, inputs: &mut dyn Inputs) -> Result<Outcome, Fault> {
        let (mark, printed) = (self.save(), self.printed());
        let outcome = match step.action {
            Action::Edge(edge) => self.take_edge(step, edge, inputs),
            Action::Return => {
                self.take_return(step);
                Ok(Outcome::Taken)
            }
            Action::Wake => Ok(self.take_wake(step)),
        };
        if !matches!(outcome, Ok(Outcome::Taken)) {
            self.give_up(mark, printed);
        }
        outcome
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
    pub fn surely_blocked(&self, step: Step) -> bool {
        let Action::Edge(edge) = step.action else { return false };
        let thread = step.thread.index();
        match self.code.block(self.top(thread).procedure, edge).first() {
            Some(Instruction::Assume(condition)) => self.scene(thread).holds(condition) == Ok(false),
            _ => false,
        }
    }

    /// A mark of the present state.
    pub fn save(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Back to the state of the mark.
    pub fn restore(&mut self, mark: Mark) {
        while self.trail.len() > mark.0 {
            let change = self.trail.pop().expect("the trail is longer than the mark");
            self.take_back(change);
        }
    }

    /// Forgets how to go back; marks made before are no longer good.
    pub fn commit(&mut self) {
        self.trail.clear();
    }

    /// How a variable lies in the compiled program, for packing.
    pub(super) fn code(&self) -> &Compiled {
        &self.code
    }

    fn take_edge(&mut self, step: Step, edge: EdgeId, inputs: &mut dyn Inputs) -> Result<Outcome, Fault> {
        let thread = step.thread.index();
        let procedure = self.top(thread).procedure;
        if self.run(thread, Block::Edge(procedure, edge), inputs)? == Outcome::Blocked {
            return Ok(Outcome::Blocked);
        }
        let undo = self.control.apply(self.program, step);
        self.trail.push(Change::Control(undo));
        Ok(Outcome::Taken)
    }

    fn take_return(&mut self, step: Step) {
        let thread = step.thread.index();
        let frame = self.top(thread);
        let undo = self.control.apply(self.program, step);
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
        let width = caller.map_or(0, |caller| self.code.locals(caller.procedure).len());
        let data = &mut self.data.threads[thread];
        let base = data.base;
        let locals = data.locals.split_off(base);
        data.base = base - width;
        self.trail.push(Change::Left { thread: thread as u32, base, locals });
        if let (Some(caller), Some(call), Some(result)) = (caller, frame.call, result)
            && let Some(target) = self.code.procedures[caller.procedure].targets[call.index()]
        {
            self.write(thread, target, result);
        }
    }

    fn end_objects(&mut self, thread: usize, depth: u32) {
        while let Some(&(_, object)) = self.data.threads[thread].objects.last().filter(|(d, _)| *d == depth) {
            self.data.threads[thread].objects.pop();
            self.end_object(object);
        }
    }

    fn end_object(&mut self, object: u32) {
        let cells = self.data.memory.objects[object as usize].cells.take().expect("a live object is ended");
        self.trail.push(Change::Ended(object, cells));
    }

    fn run(&mut self, thread: usize, block: Block, inputs: &mut dyn Inputs) -> Result<Outcome, Fault> {
        let mut index = 0;
        // The instruction is looked up anew each time, because running it needs the machine to itself.
        while let Some(instruction) = block.of(&self.code).get(index) {
            // The two most common ones borrow no more than they need.
            let outcome = match instruction {
                Instruction::Assume(condition) => match self.scene(thread).holds(condition)? {
                    true => Outcome::Taken,
                    false => Outcome::Blocked,
                },
                Instruction::Assign(slot, value) => {
                    let (slot, value) = (*slot, self.scene(thread).value(value)?);
                    self.write(thread, slot, value);
                    Outcome::Taken
                }
                _ => self.execute(thread, block, index, inputs)?,
            };
            if outcome == Outcome::Blocked {
                return Ok(Outcome::Blocked);
            }
            index += 1;
        }
        Ok(Outcome::Taken)
    }

    fn execute(
        &mut self,
        thread: usize,
        block: Block,
        index: usize,
        inputs: &mut dyn Inputs,
    ) -> Result<Outcome, Fault> {
        let scene = self.scene(thread);
        match &block.of(&self.code)[index] {
            Instruction::Assume(_) | Instruction::Assign(..) => unreachable!("done by the caller"),
            Instruction::AssignAll(pairs) => {
                let mut values = std::mem::take(&mut self.values);
                values.clear();
                let scene = self.scene(thread);
                for (_, value) in pairs {
                    values.push(scene.value(value)?);
                }
                for (i, value) in values.drain(..).enumerate() {
                    let Instruction::AssignAll(pairs) = &block.of(&self.code)[index] else { unreachable!("as before") };
                    self.write(thread, pairs[i].0, value);
                }
                self.values = values;
            }
            Instruction::Havoc(havoc) => {
                let (slot, value) = (havoc.slot, read_input(scene, havoc, inputs)?);
                self.write(thread, slot, value);
            }
            Instruction::Call { arguments } => {
                let Block::Edge(procedure, edge) = block else { unreachable!("init calls nothing") };
                let (_, callee, _) = self.program.procedures[procedure].edges[edge].call().expect("a call");
                let values = arguments.iter().map(|a| scene.value(a)).collect::<Result<_, Fault>>()?;
                self.enter(thread, callee, values);
            }
            Instruction::Store { address, value, ty } => {
                let (address, value, ty) = (scene.pointer(address)?, scene.value(value)?, *ty);
                let memory = &mut self.data.memory;
                let short = match &value {
                    Value::Int(n) => n.to_i64().and_then(|n| memory.store_short(address, memory.bytes_of(ty), n)),
                    _ => None,
                };
                self.trail.push(match short {
                    Some(overwritten) => Change::StoredShort(overwritten),
                    None => {
                        let overwritten = memory.store(address, ty, &value, &self.addresses_seen)?;
                        Change::Stored(Box::new(overwritten))
                    }
                });
            }
            Instruction::Copy { target, source, bytes } => {
                let (target, source) = (scene.pointer(target)?, scene.pointer(source)?);
                let bytes = scene.number(bytes)?.to_i64().expect("an i64 number of bytes fits");
                let overwritten = self.data.memory.copy(target, source, bytes, &self.addresses_seen)?;
                self.trail.extend(overwritten.map(|before| Change::Stored(Box::new(before))));
            }
            Instruction::Fill { target, byte, bytes } => {
                let (target, byte) = (scene.pointer(target)?, scene.number(byte)?);
                let byte = byte.to_u32().and_then(|n| u8::try_from(n).ok()).expect("a u8 fits");
                let bytes = scene.number(bytes)?.to_i64().expect("an i64 number of bytes fits");
                let overwritten = self.data.memory.fill(target, byte, bytes, &self.addresses_seen)?;
                self.trail.extend(overwritten.map(|before| Change::Stored(Box::new(before))));
            }
            Instruction::Output(pieces) => {
                let mut text = Vec::new();
                for piece in pieces {
                    match piece {
                        Printed::Text(piece) => text.extend_from_slice(piece.as_bytes()),
                        Printed::Value(node, ty, style) => text.extend(print(scene, node, *ty, style)?),
                    }
                }
                if let Some(output) = &mut self.output {
                    output.extend(text);
                }
            }
            Instruction::Allocate { target, size, region, zeroed } => {
                let (target, region, zeroed) = (*target, *region, *zeroed);
                let size = scene.number(size)?.to_i64().expect("an i64 size fits");
                let depth = self.control.threads[thread].frames.len() as u32 - 1;
                let owner = (region == Region::Stack).then_some((thread as u32, depth));
                let pointer = self.data.memory.allocate(size, region, zeroed, owner)?;
                if owner.is_some() {
                    self.data.threads[thread].objects.push((depth, pointer.object - 1));
                }
                self.trail.push(Change::Allocated);
                self.write(thread, target, Value::Pointer(pointer));
            }
            Instruction::Free(pointer) => {
                let object = self.data.memory.freeable(scene.pointer(pointer)?)?;
                self.end_object(object);
            }
            Instruction::Spawn { target, callee, arguments } => {
                let (target, callee) = (*target, *callee);
                let values = arguments.iter().map(|a| scene.value(a)).collect::<Result<_, Fault>>()?;
                self.spawn(thread, target, callee, values);
            }
            Instruction::Join(number) => {
                let number = scene.number(number)?;
                let joined = number.to_u32().and_then(|n| self.control.threads.get(n as usize));
                let joined = joined.ok_or_else(|| Fault::NoThread(number.to_string()))?;
                if !joined.frames.is_empty() {
                    return Ok(Outcome::Blocked);
                }
            }
            Instruction::Lock { lock, reentrant } => {
                let (lock, reentrant) = (scene.pointer(lock)?, *reentrant);
                return self.lock(thread, lock, reentrant);
            }
            Instruction::Unlock(lock) => {
                let lock = scene.pointer(lock)?;
                let depth = self.held(thread, lock)?;
                self.set_lock(lock, (depth > 1).then_some((ThreadId::new(thread), depth - 1)));
            }
            Instruction::Wait { condition, lock } => {
                let (condition, lock) = (scene.pointer(condition)?, scene.pointer(lock)?);
                let depth = self.held(thread, lock)?;
                self.set_lock(lock, None);
                self.set_waiting(thread, Some(Waiting { condition, lock, depth, notified: false }));
            }
            Instruction::Notify { condition, all } => {
                let (condition, all) = (scene.pointer(condition)?, *all);
                self.notify(condition, all, inputs)?;
            }
        }
        Ok(Outcome::Taken)
    }

    fn enter(&mut self, thread: usize, callee: ProcId, arguments: Vec<Value>) {
        let procedure = &self.code.procedures[callee];
        let data = &mut self.data.threads[thread];
        self.trail.push(Change::Entered { thread: thread as u32, base: data.base });
        data.base = data.locals.len();
        data.locals.resize(data.base + procedure.locals.len(), Value::Undefined);
        for (slot, value) in procedure.parameters.iter().zip(arguments) {
            data.locals[data.base + *slot as usize] = value;
        }
    }

    #[inline]
    pub(super) fn write(&mut self, thread: usize, slot: Slot, value: Value) {
        match slot {
            Slot::Global(i) => {
                let before = std::mem::replace(&mut self.data.globals[i as usize], value);
                self.trail.push(Change::Global(i, before));
            }
            Slot::Local(i) => {
                let data = &mut self.data.threads[thread];
                let i = data.base + i as usize;
                let before = std::mem::replace(&mut data.locals[i], value);
                self.trail.push(Change::Local(thread as u32, i as u32, before));
            }
        }
    }

    #[inline]
    pub(super) fn scene(&self, thread: usize) -> Scene<'_> {
        let data = &self.data.threads[thread];
        Scene {
            globals: &self.data.globals,
            locals: &data.locals[data.base..],
            memory: &self.data.memory,
            seen: &self.addresses_seen,
        }
    }

    fn top(&self, thread: usize) -> Frame {
        *self.control.threads[thread].frames.last().expect("a thread that takes a step has a frame")
    }

    fn take_back(&mut self, change: Change) {
        let threads = &mut self.data.threads;
        match change {
            Change::Global(i, value) => self.data.globals[i as usize] = value,
            Change::Local(thread, i, value) => threads[thread as usize].locals[i as usize] = value,
            Change::Control(undo) => self.control.undo(undo),
            Change::Entered { thread, base } => {
                let data = &mut threads[thread as usize];
                data.locals.truncate(data.base);
                data.base = base;
            }
            Change::Left { thread, base, locals } => {
                let data = &mut threads[thread as usize];
                data.locals.extend(locals);
                data.base = base;
            }
            Change::AllEnded(before) => *threads = before,
            Change::Spawned => drop(threads.pop()),
            Change::Allocated => {
                let object = self.data.memory.objects.pop();
                if let Some((thread, _)) = object.and_then(|object| object.owner) {
                    threads[thread as usize].objects.pop();
                }
            }
            Change::Ended(number, cells) => {
                let object = &mut self.data.memory.objects[number as usize];
                object.cells = Some(cells);
                if let Some((thread, depth)) = object.owner {
                    threads[thread as usize].objects.push((depth, number));
                }
            }
            Change::Stored(overwritten) => self.data.memory.restore(*overwritten),
            Change::StoredShort(overwritten) => self.data.memory.restore_short(overwritten),
            Change::Lock(lock, None) => drop(self.data.locks.remove(&lock)),
            Change::Lock(lock, Some(holder)) => drop(self.data.locks.insert(lock, holder)),
            Change::Waiting(thread, before) => threads[thread as usize].waiting = before,
        }
    }
}

impl Data {
    fn empty(program: &Program) -> Data {
        Data {
            globals: Vec::new(),
            threads: Vec::new(),
            memory: Memory::new(program.pointer_bytes, program.procedures.len()),
            locks: BTreeMap::new(),
        }
    }
}

/// A block of the compiled program.
#[derive(Clone, Copy)]
enum Block {
    Init,
    Edge(ProcId, EdgeId),
}

impl Block {
    #[inline]
    fn of(self, code: &Compiled) -> &[Instruction] {
        match self {
            Block::Init => &code.init,
            Block::Edge(procedure, edge) => code.block(procedure, edge),
        }
    }
}

fn read_input(scene: Scene<'_>, havoc: &Havoc, inputs: &mut dyn Inputs) -> Result<Value, Fault> {
    let (low, high) = scene.bounds(&havoc.bounds);
    let request = Request { variable: Some(havoc.variable), ty: havoc.ty, span: havoc.span, low, high };
    match inputs.next(&request) {
        None => Err(Fault::NoInput(havoc.variable)),
        Some(Value::Bool(b)) if havoc.ty == Type::Bool => Ok(Value::Int(b.into())),
        // Any pointer would do as an input, but none but null can be written down.
        Some(Value::Pointer(pointer)) if havoc.ty == Type::Pointer && pointer.is_null() => Ok(Value::Pointer(pointer)),
        Some(value @ (Value::Int(_) | Value::Float(..))) if value.is_of(havoc.ty) => Ok(value),
        Some(value) => Err(Fault::BadInput(value.to_string(), havoc.variable)),
    }
}

/// The text of a value that is printed.
fn print(scene: Scene<'_>, node: &Node, ty: Type, style: &Style) -> Result<Vec<u8>, Fault> {
    Ok(match (scene.value(node)?, ty) {
        (Value::Int(n), Type::Machine(machine)) => format::integer(style, &n, Some(machine)),
        (Value::Int(n), _) => format::integer(style, &n, None),
        (Value::Float(bits, kind), _) => format::float(style, kind.to_f64(bits)),
        (Value::Pointer(pointer), _) if style.conversion == Conversion::Pointer => {
            format::address(style, scene.memory.address_seen(pointer, scene.seen))
        }
        (Value::Pointer(pointer), _) if pointer.is_null() => format::text(style, None),
        (Value::Pointer(pointer), _) => {
            let most = style.precision.map_or(usize::MAX, usize::from);
            format::text(style, Some(scene.memory.text(pointer, most, scene.seen)?))
        }
        (other, _) => unreachable!("{other} is printed"),
    })
}

/// A value as the outside sees it: truth values are numbers inside.
pub(super) fn external(value: &Value, ty: Type) -> Value {
    match (value, ty) {
        (Value::Int(n), Type::Bool) => Value::Bool(!n.is_zero()),
        _ => value.clone(),
    }
}
