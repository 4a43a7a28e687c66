//! Instructions whose operands are tokens: what has to be one value is chosen, then they do as ever.

use super::eval::Evaluator;
use crate::concrete::compile::{Instruction, Printed};
use crate::concrete::execute::Block;
use crate::concrete::machine::{Inputs, Machine, Outcome, Waiting};
use crate::concrete::trail::Change;
use crate::concrete::{Fault, Value};
use crate::program::{Id, ThreadId};

impl Machine<'_> {
    /// Executes one instruction, with tokens among its operands perhaps. One that is blocked or faults has changed nothing.
    pub(in crate::concrete) fn execute_any(
        &mut self,
        thread: usize,
        block: Block,
        index: usize,
        inputs: &mut dyn Inputs,
    ) -> Result<Outcome, Fault> {
        match self.execute(thread, block, index, inputs) {
            Err(Fault::Abstract) => self.execute_abstractly(thread, block, index, inputs),
            outcome => outcome,
        }
    }

    #[cold]
    fn execute_abstractly(
        &mut self,
        thread: usize,
        block: Block,
        index: usize,
        inputs: &mut dyn Inputs,
    ) -> Result<Outcome, Fault> {
        let mut eval = Evaluator::new(self.scene(thread), inputs, self.span_of(block));
        match &block.of(&self.code)[index] {
            Instruction::Assume(condition) => {
                if !eval.truth(condition)? {
                    return Ok(Outcome::Blocked);
                }
            }
            Instruction::Assign(slot, value) => {
                let (slot, value) = (*slot, eval.value(value)?);
                self.write(thread, slot, value);
            }
            Instruction::AssignAll(pairs) => {
                let values: Vec<_> =
                    pairs.iter().map(|(slot, value)| Ok((*slot, eval.value(value)?))).collect::<Result<_, Fault>>()?;
                values.into_iter().for_each(|(slot, value)| self.write(thread, slot, value));
            }
            Instruction::Call { arguments } => {
                let mut values: Vec<Value> = arguments.iter().map(|a| eval.value(a)).collect::<Result<_, Fault>>()?;
                let Block::Edge(procedure, edge) = block else { unreachable!("init calls nothing") };
                let (_, callee, _) = self.program.procedures[procedure].edges[edge].call().expect("a call");
                self.enter(thread, callee, &mut values);
            }
            Instruction::Spawn { target, callee, arguments } => {
                let values = arguments.iter().map(|a| eval.value(a)).collect::<Result<_, Fault>>()?;
                let (target, callee) = (*target, *callee);
                self.spawn(thread, target, callee, values);
            }
            Instruction::Store { address, value, ty } => {
                let bytes = self.data.memory.bytes_of(*ty) as i64;
                let (address, value, ty) = (eval.place(address, bytes)?, eval.value(value)?, *ty);
                let overwritten = self.data.memory.store(address, ty, &value, &self.addresses_seen)?;
                self.trail.push(Change::Stored(Box::new(overwritten)));
            }
            Instruction::Copy { target, source, bytes } => {
                let (target, source) = (eval.pointer(target)?, eval.pointer(source)?);
                let bytes = eval.number(bytes)?.to_i64().ok_or(Fault::Meanings)?;
                let overwritten = self.data.memory.copy(target, source, bytes, &self.addresses_seen)?;
                self.trail.extend(overwritten.map(|before| Change::Stored(Box::new(before))));
            }
            Instruction::Fill { target, byte, bytes } => {
                let (target, byte) = (eval.pointer(target)?, eval.number(byte)?);
                let byte = byte.to_u32().and_then(|n| u8::try_from(n).ok()).ok_or(Fault::Meanings)?;
                let bytes = eval.number(bytes)?.to_i64().ok_or(Fault::Meanings)?;
                let overwritten = self.data.memory.fill(target, byte, bytes, &self.addresses_seen)?;
                self.trail.extend(overwritten.map(|before| Change::Stored(Box::new(before))));
            }
            Instruction::Write { target, bytes } => {
                let target = eval.pointer(target)?;
                let overwritten = self.data.memory.write(target, bytes, &self.addresses_seen)?;
                self.trail.extend(overwritten.map(|before| Change::Stored(Box::new(before))));
            }
            Instruction::Allocate { target, size, region, zeroed, site } => {
                let (target, made) = (*target, (*region, *zeroed, *site));
                let size = eval.number(size)?.to_i64().ok_or(Fault::Meanings)?;
                self.allocate(thread, target, size, made)?;
            }
            Instruction::Output(pieces) => {
                let mut text = String::new();
                for piece in pieces {
                    match piece {
                        Printed::Text(piece) => text.push_str(piece),
                        Printed::Value(node, ..) => text.push_str(&eval.value(node)?.to_string()),
                    }
                }
                if let Some(output) = &mut self.output {
                    output.extend(text.into_bytes());
                }
            }
            Instruction::Free(pointer) => {
                let object = self.data.memory.freeable(eval.pointer(pointer)?)?;
                self.end_object(object);
            }
            Instruction::Join(number) => {
                let number = eval.number(number)?;
                let joined = number.to_u32().and_then(|n| self.control.threads.get(n as usize));
                if !joined.ok_or_else(|| Fault::NoThread(number.to_string()))?.frames.is_empty() {
                    return Ok(Outcome::Blocked);
                }
            }
            Instruction::Lock { lock, reentrant } => {
                let (lock, reentrant) = (eval.pointer(lock)?, *reentrant);
                return self.lock(thread, lock, reentrant);
            }
            Instruction::Unlock(lock) => {
                let lock = eval.pointer(lock)?;
                let depth = self.held(thread, lock)?;
                self.set_lock(lock, (depth > 1).then_some((ThreadId::new(thread), depth - 1)));
            }
            Instruction::Wait { condition, lock } => {
                let (condition, lock) = (eval.pointer(condition)?, eval.pointer(lock)?);
                let depth = self.held(thread, lock)?;
                self.set_lock(lock, None);
                self.set_waiting(thread, Some(Waiting { condition, lock, depth, notified: false }));
            }
            Instruction::Notify { condition, all } => {
                let (condition, all) = (eval.pointer(condition)?, *all);
                self.notify(condition, all, inputs)?;
            }
            Instruction::Havoc(_) => return Err(Fault::Abstract),
        }
        Ok(Outcome::Taken)
    }
}
