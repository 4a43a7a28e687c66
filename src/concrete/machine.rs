//! The interpreter: one execution of a program, step by step, with inputs supplied, and back again.
//!
//! Every change is noted on a trail, so that going back costs what changed since.

use super::compile::{Compiled, Havoc, Instruction, Slot, compile};
use super::eval::Scene;
use super::memory::{Memory, Overwritten};
use super::{Fault, Pointer, Value};
use crate::program::control::{Action, Control, Frame, Step, Undo};
use crate::program::{EdgeId, Id, ProcId, Program, Region, Span, ThreadId, Type, VarId};
use crate::term::Integer;
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
    program: &'p Program,
    code: Compiled,
    pub(super) control: Control,
    pub(super) data: Data,
    trail: Vec<Change>,
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
enum Change {
    Global(u32, Value),
    Local(u32, u32, Value),
    Control(Undo),
    Entered { thread: u32, base: usize },
    Left { thread: u32, base: usize, locals: Vec<Value> },
    Ended(Vec<ThreadData>),
    Spawned,
    Allocated,
    Lived(u32),
    Stored(Overwritten),
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

    /// Runs `init`.
    pub fn start(&mut self, inputs: &mut dyn Inputs) -> Result<Outcome, Fault> {
        let mark = self.save();
        let outcome = self.run(0, Block::Init, inputs);
        if !matches!(outcome, Ok(Outcome::Taken)) {
            self.restore(mark);
        }
        outcome
    }

    /// Takes a step, one of those that control allows; where it is blocked or faults, nothing changes.
    pub fn step(&mut self, step: Step, inputs: &mut dyn Inputs) -> Result<Outcome, Fault> {
        let mark = self.save();
        let outcome = match step.action {
            Action::Edge(edge) => self.take_edge(step, edge, inputs),
            Action::Return => {
                self.take_return(step);
                Ok(Outcome::Taken)
            }
            Action::Wake => Ok(self.take_wake(step)),
        };
        if !matches!(outcome, Ok(Outcome::Taken)) {
            self.restore(mark);
        }
        outcome
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
            self.trail.push(Change::Ended(before));
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
        for (i, object) in self.data.memory.objects.iter_mut().enumerate() {
            if object.live && object.owner == Some((thread as u32, depth)) {
                object.live = false;
                self.trail.push(Change::Lived(i as u32));
            }
        }
    }

    fn take_wake(&mut self, step: Step) -> Outcome {
        let thread = step.thread.index();
        let Some(waiting) = self.data.threads[thread].waiting else { return Outcome::Blocked };
        if !waiting.notified || self.data.locks.contains_key(&waiting.lock) {
            return Outcome::Blocked;
        }
        self.set_lock(waiting.lock, Some((step.thread, waiting.depth)));
        self.set_waiting(thread, None);
        let undo = self.control.apply(self.program, step);
        self.trail.push(Change::Control(undo));
        Outcome::Taken
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
                let overwritten = self.data.memory.store(address, ty, &value)?;
                self.trail.push(Change::Stored(overwritten));
            }
            Instruction::Allocate { target, size, region, zeroed } => {
                let (target, region, zeroed) = (*target, *region, *zeroed);
                let size = scene.number(size)?.to_i64().expect("an i64 size fits");
                let depth = self.control.threads[thread].frames.len() as u32 - 1;
                let owner = (region == Region::Stack).then_some((thread as u32, depth));
                let pointer = self.data.memory.allocate(size, region, zeroed, owner)?;
                self.trail.push(Change::Allocated);
                self.write(thread, target, Value::Pointer(pointer));
            }
            Instruction::Free(pointer) => {
                let object = self.data.memory.freeable(scene.pointer(pointer)?)?;
                self.data.memory.objects[object as usize].live = false;
                self.trail.push(Change::Lived(object));
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

    fn new_thread(&self, procedure: ProcId) -> ThreadData {
        ThreadData { locals: vec![Value::Undefined; self.code.locals(procedure).len()], ..ThreadData::default() }
    }

    fn spawn(&mut self, thread: usize, target: Option<(Slot, Type)>, callee: ProcId, arguments: Vec<Value>) {
        let mut new = self.new_thread(callee);
        for (slot, value) in self.code.procedures[callee].parameters.iter().zip(arguments) {
            new.locals[*slot as usize] = value;
        }
        let number = Integer::from(self.data.threads.len());
        self.data.threads.push(new);
        self.trail.push(Change::Spawned);
        if let Some((slot, ty)) = target {
            let number = if let Type::Machine(machine) = ty { machine.wrap(&number) } else { number };
            self.write(thread, slot, Value::Int(number));
        }
    }

    fn lock(&mut self, thread: usize, lock: Pointer, reentrant: bool) -> Result<Outcome, Fault> {
        let me = ThreadId::new(thread);
        let depth = match self.data.locks.get(&lock) {
            None => 1,
            Some((owner, depth)) if *owner == me && reentrant => depth + 1,
            Some(_) => return Ok(Outcome::Blocked),
        };
        self.set_lock(lock, Some((me, depth)));
        Ok(Outcome::Taken)
    }

    /// How often the thread holds the lock; at least once, or it is a fault.
    fn held(&self, thread: usize, lock: Pointer) -> Result<u32, Fault> {
        match self.data.locks.get(&lock) {
            Some((owner, depth)) if owner.index() == thread => Ok(*depth),
            _ => Err(Fault::NotOwner),
        }
    }

    fn notify(&mut self, condition: Pointer, all: bool, inputs: &mut dyn Inputs) -> Result<(), Fault> {
        let asleep = |w: &Option<Waiting>| w.is_some_and(|w| w.condition == condition && !w.notified);
        let threads = self.data.threads.iter().enumerate();
        let mut chosen: Vec<usize> = threads.filter(|(_, t)| asleep(&t.waiting)).map(|(i, _)| i).collect();
        if !all && chosen.len() > 1 {
            let last = Integer::from(chosen.len() - 1);
            let request =
                Request { variable: None, ty: Type::Int, span: None, low: Some(Integer::ZERO), high: Some(last) };
            let choice = match inputs.next(&request) {
                Some(Value::Int(n)) => n.to_u32().and_then(|n| chosen.get(n as usize)).copied(),
                _ => None,
            };
            chosen = vec![choice.ok_or_else(|| Fault::NoThread("to notify".to_owned()))?];
        }
        for thread in chosen {
            let waiting = self.data.threads[thread].waiting.map(|w| Waiting { notified: true, ..w });
            self.set_waiting(thread, waiting);
        }
        Ok(())
    }

    fn set_lock(&mut self, lock: Pointer, holder: Option<(ThreadId, u32)>) {
        let before = match holder {
            Some(holder) => self.data.locks.insert(lock, holder),
            None => self.data.locks.remove(&lock),
        };
        self.trail.push(Change::Lock(lock, before));
    }

    fn set_waiting(&mut self, thread: usize, waiting: Option<Waiting>) {
        let before = std::mem::replace(&mut self.data.threads[thread].waiting, waiting);
        self.trail.push(Change::Waiting(thread as u32, before));
    }

    #[inline]
    fn write(&mut self, thread: usize, slot: Slot, value: Value) {
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
        Scene { globals: &self.data.globals, locals: &data.locals[data.base..], memory: &self.data.memory }
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
            Change::Ended(before) => *threads = before,
            Change::Spawned => drop(threads.pop()),
            Change::Allocated => drop(self.data.memory.objects.pop()),
            Change::Lived(object) => self.data.memory.objects[object as usize].live = true,
            Change::Stored(overwritten) => self.data.memory.restore(overwritten),
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
            memory: Memory::new(program.pointer_bytes),
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
        Some(value @ Value::Int(_)) if value.is_of(havoc.ty) => Ok(value),
        Some(value) => Err(Fault::BadInput(value.to_string(), havoc.variable)),
    }
}

/// A value as the outside sees it: truth values are numbers inside.
pub(super) fn external(value: &Value, ty: Type) -> Value {
    match (value, ty) {
        (Value::Int(n), Type::Bool) => Value::Bool(!n.is_zero()),
        _ => value.clone(),
    }
}
