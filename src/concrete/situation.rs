//! Where threads are that race or wait for each other: their stacks, the locks that they hold, and what they are about to do.

use super::access::Place;
use super::compile::Slot;
use super::machine::Machine;
use super::{Pointer, Value};
use crate::program::{EdgeId, Id, ProcId, Scope, Span, ThreadId, VarId};
use std::collections::BTreeMap;

/// Where a thread is, and what it is about to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Situation {
    /// Which thread.
    pub thread: ThreadId,
    /// What it is about to do.
    pub doing: Doing,
    /// Its activations, the innermost first: the procedure, and where in it.
    pub stack: Vec<(ProcId, Option<Span>)>,
    /// The locks that it holds.
    pub locks: Vec<HeldLock>,
}

/// What a thread is about to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doing {
    /// To read a place in memory.
    Reads(String),
    /// To write it.
    Writes(String),
    /// It cannot go on.
    Waits(WaitsFor),
}

/// What a thread waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaitsFor {
    /// A lock, and the thread that holds it.
    Lock {
        /// What it is called.
        lock: Option<String>,
        /// Who holds it.
        holder: Option<ThreadId>,
    },
    /// The end of a thread.
    End {
        /// Which thread.
        thread: Option<ThreadId>,
    },
    /// To be notified.
    Notification {
        /// What it waits at.
        on: Option<String>,
    },
}

/// A lock that a thread holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldLock {
    /// Where it lies in memory.
    pub at: Pointer,
    /// What it is called.
    pub name: String,
    /// Where it was taken, where that is known.
    pub taken: Option<Span>,
}

impl Situation {
    /// Where the thread is: the innermost place in the source.
    pub fn span(&self) -> Option<Span> {
        self.stack.iter().find_map(|(_, span)| *span)
    }

    /// The thread that this one waits for.
    pub fn waits_for(&self) -> Option<ThreadId> {
        match &self.doing {
            Doing::Waits(WaitsFor::Lock { holder, .. }) => *holder,
            Doing::Waits(WaitsFor::End { thread }) => *thread,
            Doing::Waits(WaitsFor::Notification { .. }) | Doing::Reads(_) | Doing::Writes(_) => None,
        }
    }
}

/// Puts threads that wait for each other in a circle first, each before the one that it waits for. Tells what goes with the
/// first of all, and how many are in the circle.
pub(super) fn put_circle_first<P: Copy>(waiting: &mut [(P, Situation)]) -> Option<(P, usize)> {
    let next: BTreeMap<ThreadId, ThreadId> =
        waiting.iter().filter_map(|(_, s)| Some((s.thread, s.waits_for()?))).collect();
    let circle = next.keys().find_map(|start| {
        let mut circle = vec![*start];
        loop {
            let to = *next.get(circle.last()?)?;
            match circle.iter().position(|known| *known == to) {
                Some(0) => return Some(circle),
                Some(_) => return None,
                None => circle.push(to),
            }
        }
    });
    let circle = circle.unwrap_or_default();
    let place = |(_, s): &(P, Situation)| circle.iter().position(|t| *t == s.thread).unwrap_or(circle.len());
    waiting.sort_by_key(place);
    waiting.first().map(|(first, _)| (*first, circle.len()))
}

impl Machine<'_> {
    /// Where a thread is that is about to take an edge, or none.
    pub(super) fn situation(&self, thread: usize, edge: Option<EdgeId>, doing: Doing) -> Situation {
        let frames = &self.control.threads[thread].frames;
        let mut stack = Vec::new();
        let mut inner = edge;
        for frame in frames.iter().rev() {
            let procedure = &self.program.procedures[frame.procedure];
            let span = inner.and_then(|edge| procedure.edges.get(edge)?.span);
            stack.push((frame.procedure, span.or(procedure.locations[frame.location].span)));
            inner = frame.call;
        }
        let held = self.data.locks.iter().filter(|(_, (owner, _))| owner.index() == thread);
        let name = |at: Pointer| self.name_of(at).unwrap_or_else(|| "a lock".to_owned());
        let mut locks: Vec<HeldLock> = held.map(|(at, _)| HeldLock { at: *at, name: name(*at), taken: None }).collect();
        locks.sort_by_key(|lock| (lock.at.object, lock.at.offset));
        Situation { thread: ThreadId::new(thread), doing, stack, locks }
    }

    /// A thread that waits, as a part of a sentence.
    pub(super) fn tell_waiting(&self, situation: &Situation) -> String {
        let thread = situation.thread.index();
        format!("thread {thread} {}{}", situation.doing, self.at(situation.span()))
    }

    /// What a thread waits for that wants a lock.
    pub(super) fn waits_for_lock(&self, lock: Option<Pointer>) -> WaitsFor {
        let holder = lock.and_then(|lock| Some(self.data.locks.get(&lock)?.0));
        WaitsFor::Lock { lock: lock.and_then(|lock| self.name_of(lock)), holder }
    }

    /// What a place in memory is called.
    pub(super) fn name_of_place(&self, place: Place) -> Option<String> {
        match place {
            Place::Global(slot) => {
                let found = self.code.slots.enumerate().find(|(_, known)| **known == Slot::Global(slot));
                found.map(|(variable, _)| self.program.variables[variable].name.clone())
            }
            Place::Bytes { object, start, .. } => self.name_of(Pointer { object, offset: start }),
            Place::Life(_) | Place::Lock(_) => None,
        }
    }

    /// What memory is called in the source: a variable, a field or an element of an object.
    pub(super) fn name_of(&self, at: Pointer) -> Option<String> {
        match self.part_name(at) {
            Some(name) => Some(name),
            None => self.variable_name(at),
        }
    }

    /// The variable that lies there.
    fn variable_name(&self, at: Pointer) -> Option<String> {
        let is_there = |thread: usize, variable: VarId| {
            let value = self.value(ThreadId::new(thread), variable);
            matches!(value, Some(Value::Pointer(pointer)) if pointer.object == at.object)
        };
        let name = |variable: VarId| self.program.variables[variable].name.strip_prefix('&');
        let names_it = |thread: usize, variable: VarId| {
            let found = match self.program.variables[variable].scope {
                Scope::Global => true,
                Scope::Local(owner) => {
                    self.control.threads[thread].frames.last().is_some_and(|top| top.procedure == owner)
                }
            };
            found && name(variable).is_some() && is_there(thread, variable)
        };
        let threads = 0..self.control.threads.len();
        let variable = threads
            .filter(|thread| !self.control.threads[*thread].frames.is_empty())
            .find_map(|thread| self.program.variables.ids().find(|variable| names_it(thread, *variable)))?;
        let part = || {
            let known = &self.program.variables[variable];
            let procedure = match known.scope {
                Scope::Global => None,
                Scope::Local(procedure) => Some(procedure),
            };
            let shape = self.program.shapes.of_variable(procedure, &known.name)?;
            self.program.shapes.leaf(shape, u64::try_from(at.offset).ok()?)
        };
        let name = name(variable)?;
        Some(match part() {
            Some(part) => format!("{name}{part}"),
            None if at.offset == 0 => name.to_owned(),
            None => format!("{name}+{}", at.offset),
        })
    }
}

impl std::fmt::Display for Doing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Doing::Reads(place) => write!(f, "reads {place}"),
            Doing::Writes(place) => write!(f, "writes {place}"),
            Doing::Waits(on) => write!(f, "waits for {on}"),
        }
    }
}

impl std::fmt::Display for WaitsFor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WaitsFor::Lock { lock, holder } => {
                write!(f, "{}", lock.as_deref().unwrap_or("a lock"))?;
                holder.map_or(Ok(()), |holder| write!(f, ", which thread {} holds", holder.index()))
            }
            WaitsFor::End { thread: Some(thread) } => write!(f, "the end of thread {}", thread.index()),
            WaitsFor::End { thread: None } => write!(f, "the end of a thread"),
            WaitsFor::Notification { on: Some(on) } => write!(f, "a notification at {on}"),
            WaitsFor::Notification { on: None } => write!(f, "a notification"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(thread: usize, holder: Option<usize>) -> ((), Situation) {
        let thread = ThreadId::new(thread);
        let doing = Doing::Waits(WaitsFor::Lock { lock: None, holder: holder.map(ThreadId::new) });
        ((), Situation { thread, doing, stack: Vec::new(), locks: Vec::new() })
    }

    #[test]
    fn those_in_a_circle_come_first() {
        let mut all = vec![waits(0, Some(1)), waits(1, Some(3)), waits(2, Some(1)), waits(3, Some(2))];
        assert_eq!(put_circle_first(&mut all), Some(((), 3)));
        let order: Vec<usize> = all.iter().map(|(_, s)| s.thread.index()).collect();
        assert_eq!(order, [1, 3, 2, 0]);
        let mut line = vec![waits(0, Some(1)), waits(1, None)];
        assert_eq!(put_circle_first(&mut line), Some(((), 0)));
        assert_eq!(put_circle_first::<()>(&mut []), None);
    }
}
