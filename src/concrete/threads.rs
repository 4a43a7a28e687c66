//! Threads, locks and notifications.

use super::compile::Slot;
use super::machine::{Inputs, Machine, Outcome, Request, ThreadData, Waiting};
use super::trail::Change;
use super::{Fault, Pointer, Value};
use crate::program::control::Step;
use crate::program::{Id, ProcId, ThreadId, Type};
use crate::term::Integer;

impl Machine<'_> {
    pub(super) fn take_wake(&mut self, step: Step) -> Outcome {
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

    pub(super) fn new_thread(&self, procedure: ProcId) -> ThreadData {
        let own = self.code().own.len();
        let locals = vec![Value::Undefined; own + self.code().locals(procedure).len()];
        ThreadData { locals, base: own, ..ThreadData::default() }
    }

    pub(super) fn spawn(&mut self, thread: usize, target: Option<(Slot, Type)>, callee: ProcId, arguments: Vec<Value>) {
        let mut new = self.new_thread(callee);
        for (slot, value) in self.code().procedures[callee].parameters.iter().zip(arguments) {
            let place = new.base + *slot as usize;
            new.locals[place] = value;
        }
        let number = Integer::from(self.data.threads.len());
        self.data.threads.push(new);
        self.trail.push(Change::Spawned);
        if let Some((slot, ty)) = target {
            let number = if let Type::Machine(machine) = ty { machine.wrap(&number) } else { number };
            self.write(thread, slot, Value::Int(number));
        }
    }

    pub(super) fn lock(&mut self, thread: usize, lock: Pointer, reentrant: bool) -> Result<Outcome, Fault> {
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
    pub(super) fn held(&self, thread: usize, lock: Pointer) -> Result<u32, Fault> {
        match self.data.locks.get(&lock) {
            Some((owner, depth)) if owner.index() == thread => Ok(*depth),
            _ => Err(Fault::NotOwner),
        }
    }

    pub(super) fn notify(&mut self, condition: Pointer, all: bool, inputs: &mut dyn Inputs) -> Result<(), Fault> {
        let asleep = |w: &Option<Waiting>| w.is_some_and(|w| w.condition == condition && !w.notified);
        let threads = self.data.threads.iter().enumerate();
        let mut chosen: Vec<usize> = threads.filter(|(_, t)| asleep(&t.waiting)).map(|(i, _)| i).collect();
        if !all && chosen.len() > 1 {
            let last = Integer::from(chosen.len() - 1);
            let request = Request {
                variable: None,
                memory: None,
                ty: Type::Int,
                span: None,
                low: Some(Integer::ZERO),
                high: Some(last),
                options: Vec::new(),
            };
            let choice = match inputs.next(&request) {
                Some(Value::Int(n)) => n.to_u32().and_then(|n| chosen.get(n as usize)).copied(),
                _ => None,
            };
            chosen = vec![choice.ok_or(Fault::NoChoice)?];
        }
        for thread in chosen {
            let waiting = self.data.threads[thread].waiting.map(|w| Waiting { notified: true, ..w });
            self.set_waiting(thread, waiting);
        }
        Ok(())
    }

    pub(super) fn set_lock(&mut self, lock: Pointer, holder: Option<(ThreadId, u32)>) {
        let before = match holder {
            Some(holder) => self.data.locks.insert(lock, holder),
            None => self.data.locks.remove(&lock),
        };
        self.trail.push(Change::Lock(lock, before));
    }

    pub(super) fn set_waiting(&mut self, thread: usize, waiting: Option<Waiting>) {
        let before = std::mem::replace(&mut self.data.threads[thread].waiting, waiting);
        self.trail.push(Change::Waiting(thread as u32, before));
    }
}
