//! What memory holds that was never written, as far as somebody says so.

use super::{Pointer, Value};
use crate::program::{MachineInt, Type};
use crate::term::Integer;
use std::collections::BTreeMap;

/// Why memory is not written: what happened last to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The object of this number was made. Offsets are its own.
    Made(usize),
    /// What was never written was copied there: by the step of this number, from 1 on, and which of its copies. Offsets
    /// are from where the copy begins.
    Copied(usize, usize),
}

/// Contents that were never written. What is not said is zero, or null.
#[derive(Debug, Clone, Default)]
pub struct FirstContents {
    of: BTreeMap<Origin, Contents>,
}

/// What is said of one origin.
#[derive(Debug, Clone, Default)]
struct Contents {
    at: BTreeMap<i64, (Type, Value)>,
    elsewhere: Vec<Elsewhere>,
}

/// A content at many offsets: those that are `rest` modulo `step`.
#[derive(Debug, Clone)]
struct Elsewhere {
    rest: i64,
    step: i64,
    content: (Type, Value),
}

impl FirstContents {
    /// Says what there is at an offset.
    pub fn insert(&mut self, origin: Origin, offset: i64, ty: Type, value: Value) {
        self.of.entry(origin).or_default().at.insert(offset, (ty, value));
    }

    /// Says what there is at all offsets that are `rest` modulo `step`, where nothing else is said.
    pub fn insert_elsewhere(&mut self, origin: Origin, (rest, step): (i64, i64), ty: Type, value: Value) {
        let content = (ty, value);
        self.of.entry(origin).or_default().elsewhere.push(Elsewhere { rest, step: step.max(1), content });
    }

    /// What there is at an offset, as a type.
    pub fn get(&self, origin: Origin, offset: i64, ty: Type) -> Value {
        self.of.get(&origin).and_then(|contents| contents.get(offset, ty)).unwrap_or_else(|| zero(ty))
    }
}

impl Contents {
    fn get(&self, offset: i64, ty: Type) -> Option<Value> {
        let (known, value) = self.content(offset)?;
        match (value, ty) {
            (_, Type::Machine(machine)) if is_byte(*known) && machine.width > 8 && machine.width % 8 == 0 => {
                Some(self.of_bytes(offset, machine))
            }
            (Value::Int(number), Type::Machine(machine)) => Some(Value::Int(machine.wrap(number))),
            _ => Some(value.clone()).filter(|value| value.is_of(ty)),
        }
    }

    fn content(&self, offset: i64) -> Option<&(Type, Value)> {
        let is_there = |other: &&Elsewhere| (offset - other.rest).rem_euclid(other.step) == 0;
        let elsewhere = || self.elsewhere.iter().find(is_there).map(|other| &other.content);
        self.at.get(&offset).or_else(elsewhere)
    }

    /// A wide value of which the bytes are said.
    fn of_bytes(&self, offset: i64, machine: MachineInt) -> Value {
        let byte = |number: u32| match self.content(offset + i64::from(number)) {
            Some((_, Value::Int(byte))) => byte.wrap_unsigned(8).to_le_bytes(1)[0],
            _ => 0,
        };
        let bytes: Vec<u8> = (0..machine.bytes()).map(byte).collect();
        Value::Int(Integer::from_le_bytes(&bytes, machine.signed))
    }
}

fn is_byte(ty: Type) -> bool {
    matches!(ty, Type::Machine(machine) if machine.width == 8)
}

fn zero(ty: Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(false),
        Type::Pointer => Value::Pointer(Pointer::NULL),
        Type::Float(kind) => Value::Float(0, kind),
        Type::Int | Type::Machine(_) => Value::int(0),
    }
}

/// What was copied of what was never written, as an execution goes on.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// The number of the step that is taken; 0 is `init`.
    step: usize,
    /// How many copies it made so far.
    count: usize,
    /// The copies, with where they are.
    made: Vec<(Origin, Pointer, i64)>,
}

impl Copies {
    /// A step begins.
    pub(super) fn begin(&mut self, step: usize) {
        (self.step, self.count) = (step, 0);
    }

    /// So many bytes are copied.
    pub(super) fn note(&mut self, target: Pointer, bytes: i64) {
        self.made.push((Origin::Copied(self.step, self.count), target, bytes));
        self.count += 1;
    }

    /// Why a place is not written, with the offset there.
    pub(super) fn origin(&self, place: Pointer) -> (Origin, i64) {
        let is_inside = |(_, target, bytes): &&(Origin, Pointer, i64)| {
            target.object == place.object && (target.offset..target.offset + bytes).contains(&place.offset)
        };
        match self.made.iter().rev().find(is_inside) {
            Some((origin, target, _)) => (*origin, place.offset - target.offset),
            None => (Origin::Made(place.object as usize), place.offset),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTE: Type = Type::Machine(MachineInt { width: 8, signed: false });
    const INT: Type = Type::Machine(MachineInt { width: 32, signed: true });

    #[test]
    fn a_copy_of_what_was_never_written_has_contents_of_its_own() {
        let mut copies = Copies::default();
        let at = |offset| Pointer { object: 2, offset };
        assert_eq!(copies.origin(at(9)), (Origin::Made(2), 9));
        copies.begin(3);
        copies.note(Pointer { object: 1, offset: 0 }, 8);
        copies.note(at(8), 4);
        assert_eq!(copies.origin(at(9)), (Origin::Copied(3, 1), 1));
        assert_eq!(copies.origin(at(12)), (Origin::Made(2), 12), "it ends there");
        copies.begin(4);
        copies.note(at(0), 16);
        assert_eq!(copies.origin(at(9)), (Origin::Copied(4, 0), 9), "the last one counts");
    }

    #[test]
    fn contents_are_read_at_other_types() {
        let mut first = FirstContents::default();
        let (made, copied) = (Origin::Made(1), Origin::Copied(1, 0));
        first.insert(made, 1, BYTE, Value::int(2));
        first.insert_elsewhere(made, (0, 1), BYTE, Value::int(1));
        assert_eq!(first.get(made, 0, INT), Value::int(0x0101_0201));
        first.insert(copied, 4, Type::Machine(MachineInt { width: 32, signed: false }), Value::int(u32::MAX));
        assert_eq!(first.get(copied, 4, INT), Value::int(-1));
        first.insert(copied, 8, Type::Pointer, Value::Pointer(Pointer::NOWHERE));
        assert_eq!(first.get(copied, 8, Type::Pointer), Value::Pointer(Pointer::NOWHERE));
        assert_eq!(first.get(copied, 16, Type::Pointer), Value::Pointer(Pointer::NULL));
    }
}
