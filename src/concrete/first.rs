//! What memory holds that was never written, as far as somebody says so.

use super::{Pointer, Value};
use crate::program::Type;
use crate::term::Integer;
use std::collections::BTreeMap;

/// First contents of objects, by their numbers and offsets. What is not said is zero, or null.
#[derive(Debug, Clone, Default)]
pub struct FirstContents {
    at: BTreeMap<(usize, i64), Value>,
    elsewhere: BTreeMap<usize, Vec<Elsewhere>>,
}

/// A content at many offsets: those that are `rest` modulo `step`.
#[derive(Debug, Clone)]
struct Elsewhere {
    rest: i64,
    step: i64,
    value: Value,
}

impl FirstContents {
    /// Says what an object holds at an offset.
    pub fn insert(&mut self, object: usize, offset: i64, value: Value) {
        self.at.insert((object, offset), value);
    }

    /// Says what an object holds at all offsets that are `rest` modulo `step`, where nothing else is said.
    pub fn insert_elsewhere(&mut self, object: usize, (rest, step): (i64, i64), value: Value) {
        self.elsewhere.entry(object).or_default().push(Elsewhere { rest, step: step.max(1), value });
    }

    /// What an object holds at an offset, as a type.
    pub fn get(&self, object: usize, offset: i64, ty: Type) -> Value {
        if let Some(value) = self.of_bytes(object, offset, ty) {
            return value;
        }
        let whole = self.whole(object, offset).filter(|value| value.is_of(ty));
        whole.cloned().unwrap_or_else(|| zero(ty))
    }

    fn whole(&self, object: usize, offset: i64) -> Option<&Value> {
        let elsewhere = || {
            let all = self.elsewhere.get(&object)?.iter();
            all.filter(|other| (offset - other.rest).rem_euclid(other.step) == 0).map(|other| &other.value).next()
        };
        self.at.get(&(object, offset)).or_else(elsewhere)
    }

    /// A wide value of which the bytes are said.
    fn of_bytes(&self, object: usize, offset: i64, ty: Type) -> Option<Value> {
        let Type::Machine(machine) = ty else { return None };
        let has_bytes = self.elsewhere.get(&object).is_some_and(|all| all.iter().any(|other| other.step == 1));
        if !has_bytes || machine.width % 8 != 0 || machine.width == 8 {
            return None;
        }
        let byte = |number: u32| match self.whole(object, offset + i64::from(number)) {
            Some(Value::Int(byte)) => byte.wrap_unsigned(8).to_le_bytes(1)[0],
            _ => 0,
        };
        let bytes: Vec<u8> = (0..machine.bytes()).map(byte).collect();
        Some(Value::Int(Integer::from_le_bytes(&bytes, machine.signed)))
    }
}

fn zero(ty: Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(false),
        Type::Pointer => Value::Pointer(Pointer::NULL),
        Type::Float(kind) => Value::Float(0, kind),
        Type::Int | Type::Machine(_) => Value::int(0),
    }
}
