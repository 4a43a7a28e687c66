//! Blocks of instructions, and what each instruction does.

use super::compile::{Compiled, Havoc, Instruction, Node, Printed, Slot};
use super::eval::Scene;
use super::machine::{Inputs, Machine, Outcome, Request, Waiting};
use super::token::abstraction::everything;
use super::token::progression::Progression;
use super::token::{Meaning, Partition, names};
use super::trail::Change;
use super::{Fault, Pointer, Value, format};
use crate::program::{Conversion, EdgeId, Id, ProcId, Region, Span, Style, ThreadId, Type};
use crate::term::Integer;

/// A block of the compiled program.
#[derive(Clone, Copy)]
pub(super) enum Block {
    Init,
    Edge(ProcId, EdgeId),
}

/// How far the plain instructions of a block came.
enum Plain {
    Ended(Outcome),
    StoppedAt(usize),
}

impl Block {
    #[inline]
    pub(super) fn of(self, code: &Compiled) -> &[Instruction] {
        match self {
            Block::Init => &code.init,
            Block::Edge(procedure, edge) => &code.edge(procedure, edge).block,
        }
    }
}

impl Machine<'_> {
    /// Runs the instructions of a block from one on.
    #[inline]
    pub(super) fn run(
        &mut self,
        thread: usize,
        block: Block,
        from: usize,
        inputs: &mut dyn Inputs,
    ) -> Result<Outcome, Fault> {
        let mut index = from;
        loop {
            match self.run_plain(thread, block, index) {
                Plain::Ended(outcome) => return Ok(outcome),
                Plain::StoppedAt(next) => index = next + 1,
            }
            let mut outcome = self.execute_any(thread, block, index - 1, inputs);
            while let Err(Fault::Unwritten(place, ty)) = outcome {
                // An instruction that faults has changed nothing: it is executed again.
                self.read_memory(place, ty, self.span_of(block), inputs)?;
                outcome = self.execute_any(thread, block, index - 1, inputs);
            }
            if outcome? == Outcome::Blocked {
                return Ok(Outcome::Blocked);
            }
        }
    }

    /// Runs the instructions from one on that test, assign and store what fits a machine word, without a fault: most
    /// of those that there are. It stops before the first that may need more.
    #[inline]
    fn run_plain(&mut self, thread: usize, block: Block, from: usize) -> Plain {
        let Machine { code, data, trail, addresses_seen, .. } = self;
        for (index, instruction) in block.of(code).iter().enumerate().skip(from) {
            let scene = data.scene(thread, addresses_seen);
            match instruction {
                Instruction::Assume(condition) => match scene.small(condition) {
                    Some(0) => return Plain::Ended(Outcome::Blocked),
                    Some(_) => {}
                    None => return Plain::StoppedAt(index),
                },
                Instruction::Assign(slot, value) => match scene.small(value) {
                    Some(n) => data.write_small(thread, *slot, n, trail),
                    None => match scene.small_pointer(value) {
                        Some(pointer) => trail.push(data.write(thread, *slot, Value::Pointer(pointer))),
                        None => return Plain::StoppedAt(index),
                    },
                },
                Instruction::Store { address, value, ty } => {
                    let (Some(address), Some(n)) = (scene.small_pointer(address), scene.small(value)) else {
                        return Plain::StoppedAt(index);
                    };
                    let size = data.memory.bytes_of(*ty);
                    match data.memory.store_short(address, size, n) {
                        Some(before) => trail.push(Change::StoredShort(before)),
                        None => return Plain::StoppedAt(index),
                    }
                }
                _ => return Plain::StoppedAt(index),
            }
        }
        Plain::Ended(Outcome::Taken)
    }

    /// Executes one instruction. One that is blocked or faults has changed nothing.
    pub(super) fn execute(
        &mut self,
        thread: usize,
        block: Block,
        index: usize,
        inputs: &mut dyn Inputs,
    ) -> Result<Outcome, Fault> {
        let scene = self.scene(thread);
        match &block.of(&self.code)[index] {
            Instruction::Assume(condition) => {
                if !scene.holds(condition)? {
                    return Ok(Outcome::Blocked);
                }
            }
            Instruction::Assign(slot, value) => {
                let (slot, value) = (*slot, scene.value(value)?);
                self.write(thread, slot, value);
            }
            Instruction::AssignAll(_) => self.assign_all(thread, block, index)?,
            Instruction::Havoc(havoc) => {
                let (slot, value) = (havoc.slot, read_input(scene, havoc, inputs)?);
                self.write(thread, slot, value);
            }
            Instruction::Call { .. } => self.call(thread, block, index)?,
            Instruction::Store { address, value, ty } => {
                let (address, value, ty) = (scene.pointer(address)?, scene.value(value)?, *ty);
                let overwritten = self.data.memory.store(address, ty, &value, &self.addresses_seen)?;
                self.trail.push(Change::Stored(Box::new(overwritten)));
            }
            Instruction::Copy { target, source, bytes } => {
                let (target, source) = (scene.pointer(target)?, scene.pointer(source)?);
                let bytes = scene.number(bytes)?.to_i64().expect("an i64 number of bytes fits");
                if let (Some(origins), Ok(size)) = (&mut self.origins, usize::try_from(bytes)) {
                    origins.copy(&self.data.memory, target, source, size);
                }
                let overwritten = self.data.memory.copy(target, source, bytes, &self.addresses_seen)?;
                self.trail.extend(overwritten.map(|before| Change::Stored(Box::new(before))));
                inputs.copied(target, bytes);
            }
            Instruction::Fill { target, byte, bytes } => {
                let (target, byte) = (scene.pointer(target)?, scene.number(byte)?);
                let byte = byte.to_u32().and_then(|n| u8::try_from(n).ok()).expect("a u8 fits");
                let bytes = scene.number(bytes)?.to_i64().expect("an i64 number of bytes fits");
                let overwritten = self.data.memory.fill(target, byte, bytes, &self.addresses_seen)?;
                self.trail.extend(overwritten.map(|before| Change::Stored(Box::new(before))));
            }
            Instruction::Write { target, bytes } => {
                let target = scene.pointer(target)?;
                let overwritten = self.data.memory.write(target, bytes, &self.addresses_seen)?;
                self.trail.extend(overwritten.map(|before| Change::Stored(Box::new(before))));
            }
            Instruction::Output(_) => self.print(thread, block, index)?,
            Instruction::Allocate { target, size, region, zeroed, site } => {
                let (target, region, zeroed, site) = (*target, *region, *zeroed, *site);
                let size = scene.number(size)?.to_i64().expect("an i64 size fits");
                self.allocate(thread, target, size, (region, zeroed, site))?;
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

    /// Makes an object, and writes the pointer to it.
    pub(super) fn allocate(
        &mut self,
        thread: usize,
        target: Slot,
        size: i64,
        (region, zeroed, site): (Region, bool, u32),
    ) -> Result<(), Fault> {
        let depth = self.control.threads[thread].frames.len() as u32 - 1;
        let owner = region.is_on_stack().then_some((thread as u32, depth));
        let pointer = self.data.memory.allocate(size, region, zeroed, owner, site)?;
        if owner.is_some() {
            self.data.threads[thread].objects.push((depth, pointer.object - 1));
        }
        self.trail.push(Change::Allocated);
        self.write(thread, target, Value::Pointer(pointer));
        Ok(())
    }

    /// Assigns to several variables at once: all values are those before it.
    #[inline]
    fn assign_all(&mut self, thread: usize, block: Block, index: usize) -> Result<(), Fault> {
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        let scene = self.scene(thread);
        let Instruction::AssignAll(pairs) = &block.of(&self.code)[index] else { unreachable!("the caller looked") };
        for (_, value) in pairs {
            values.push(scene.value(value)?);
        }
        for (i, value) in values.drain(..).enumerate() {
            let Instruction::AssignAll(pairs) = &block.of(&self.code)[index] else { unreachable!("as before") };
            self.write(thread, pairs[i].0, value);
        }
        self.values = values;
        Ok(())
    }

    /// Enters the procedure that the edge calls.
    #[inline]
    fn call(&mut self, thread: usize, block: Block, index: usize) -> Result<(), Fault> {
        let Block::Edge(procedure, edge) = block else { unreachable!("init calls nothing") };
        let (_, callee, _) = self.program.procedures[procedure].edges[edge].call().expect("a call");
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        let scene = self.scene(thread);
        let Instruction::Call { arguments } = &block.of(&self.code)[index] else { unreachable!("the caller looked") };
        for argument in arguments {
            values.push(scene.value(argument)?);
        }
        self.enter(thread, callee, &mut values);
        self.values = values;
        Ok(())
    }

    /// Adds to the output, if it is kept.
    #[cold]
    fn print(&mut self, thread: usize, block: Block, index: usize) -> Result<(), Fault> {
        let scene = self.scene(thread);
        let Instruction::Output(pieces) = &block.of(&self.code)[index] else { unreachable!("the caller looked") };
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
        Ok(())
    }

    /// Memory that was never written takes an input where it is first read.
    #[cold]
    fn read_memory(
        &mut self,
        place: Pointer,
        ty: Type,
        span: Option<Span>,
        inputs: &mut dyn Inputs,
    ) -> Result<(), Fault> {
        let request =
            Request { variable: None, memory: Some(place), ty, span, low: None, high: None, options: Vec::new() };
        let value = match inputs.next(&request) {
            Some(Value::Bool(b)) if ty == Type::Bool => Value::Int(b.into()),
            Some(Value::Pointer(pointer)) if ty == Type::Pointer && pointer.is_input() => Value::Pointer(pointer),
            Some(value @ (Value::Int(_) | Value::Float(..))) if value.is_of(ty) => value,
            _ => return Err(Fault::Unwritten(place, ty)),
        };
        let unwritten = self.origins.is_some().then(|| self.unwritten_bytes(place, ty));
        let overwritten = self.data.memory.complete(place, ty, &value, &self.addresses_seen)?;
        unwritten.into_iter().flatten().for_each(|at| self.note_origin(at));
        self.trail.push(Change::Stored(Box::new(overwritten)));
        Ok(())
    }

    /// Where the bytes of a value are that were never written.
    fn unwritten_bytes(&self, place: Pointer, ty: Type) -> Vec<Pointer> {
        let memory = &self.data.memory;
        let marks = memory.contents(place, memory.bytes_of(ty)).map_or(&[][..], |(_, marks)| marks);
        let unwritten = (place.offset..).zip(marks).filter(|(_, mark)| **mark == 0);
        unwritten.map(|(offset, _)| Pointer { offset, ..place }).collect()
    }

    /// Notes what a byte took an input for.
    fn note_origin(&mut self, at: Pointer) {
        if let (Some(origins), Some((&[byte], _))) = (&mut self.origins, self.data.memory.contents(at, 1)) {
            origins.read(at.object, at.offset, byte);
        }
    }

    pub(super) fn span_of(&self, block: Block) -> Option<Span> {
        match block {
            Block::Init => None,
            Block::Edge(procedure, edge) => self.program.procedures[procedure].edges[edge].span,
        }
    }

    pub(super) fn enter(&mut self, thread: usize, callee: ProcId, arguments: &mut Vec<Value>) {
        let procedure = &self.code.procedures[callee];
        let data = &mut self.data.threads[thread];
        self.trail.push(Change::Entered { thread: thread as u32, base: data.base });
        data.base = data.locals.len();
        data.locals.resize(data.base + procedure.locals.len(), Value::Undefined);
        for (slot, value) in procedure.parameters.iter().zip(arguments.drain(..)) {
            data.locals[data.base + *slot as usize] = value;
        }
    }
}

fn read_input(scene: Scene<'_>, havoc: &Havoc, inputs: &mut dyn Inputs) -> Result<Value, Fault> {
    let (low, high) = scene.bounds(&havoc.bounds);
    let options = match (havoc.partition, &havoc.values) {
        (Some(partition), _) => tokens_between(partition, &low, &high),
        (None, Some(values)) => values_between(values, &low, &high),
        (None, None) => Vec::new(),
    };
    let (variable, ty, span) = (Some(havoc.variable), havoc.ty, havoc.span);
    let request = Request { variable, memory: None, ty, span, low, high, options };
    match inputs.next(&request) {
        Some(Value::Token(token)) if request.options.contains(&Value::Token(token)) => Ok(Value::Token(token)),
        None => Err(Fault::NoInput(havoc.variable)),
        Some(Value::Bool(b)) if havoc.ty == Type::Bool => Ok(Value::Int(b.into())),
        // Any pointer would do as an input, but none to an object can be written down.
        Some(Value::Pointer(pointer)) if havoc.ty == Type::Pointer && pointer.is_input() => Ok(Value::Pointer(pointer)),
        Some(value @ (Value::Int(_) | Value::Float(..))) if value.is_of(havoc.ty) => {
            Ok(names::written(value, havoc.partition))
        }
        Some(value) => Err(Fault::BadInput(value.to_string(), havoc.variable)),
    }
}

/// The values that stand for all, but for those that block the rest of the step; the first where none is left.
fn values_between(values: &[Value], low: &Option<Integer>, high: &Option<Integer>) -> Vec<Value> {
    let is_between = |value: &&Value| match value {
        Value::Int(n) => low.as_ref().is_none_or(|low| n >= low) && high.as_ref().is_none_or(|high| n <= high),
        _ => true,
    };
    let some: Vec<Value> = values.iter().filter(is_between).cloned().collect();
    if some.is_empty() { values.iter().take(1).cloned().collect() } else { some }
}

/// The tokens for an input, but for those that block the rest of the step; all where none is left.
#[cold]
fn tokens_between(partition: &'static Partition, low: &Option<Integer>, high: &Option<Integer>) -> Vec<Value> {
    let all = || partition.tokens_of(&everything(partition.ty)).map(Value::Token).collect();
    if matches!(partition.ty, Type::Float(_)) {
        return all();
    }
    let Some(between) = Progression::between(low.clone(), high.clone()) else { return all() };
    let some: Vec<Value> = partition.tokens_of(&Meaning::Integers(vec![between])).map(Value::Token).collect();
    if some.is_empty() { all() } else { some }
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
        (Value::Token(token), _) => token.name().as_bytes().to_vec(),
        (other, _) => unreachable!("{other} is printed"),
    })
}
