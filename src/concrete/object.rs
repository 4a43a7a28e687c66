//! Objects as the user knows them: their classes, fields and elements, where the program says how they lie in memory.

use super::machine::Machine;
use super::trace::{Cell, CellChange, ObjectName};
use super::{Pointer, Value};
use crate::program::control::{Action, Step};
use crate::program::{Id, ObjectClass, Scope, ThreadId, Type, VarId};
use std::cell::Cell as Flag;

/// The type of what is at the start of every object.
const NUMBER: Type = Type::Machine(crate::program::MachineInt { width: 32, signed: true });
/// The class of strings, and the field of their characters.
const STRING: (&str, &str) = ("java.lang.String", "value");
/// A string of more characters is cut.
const MAX_CHARACTERS: usize = 40;

/// Bytes of an object: its number, from where, to where.
pub(super) type Written = (u32, i64, i64);

impl Machine<'_> {
    /// What a step is about to write in objects.
    pub(super) fn written(&mut self, step: Step) -> Vec<Written> {
        match step.action {
            Action::Edge(edge) if !self.program.classes.is_empty() => self.written_bytes(step.thread.index(), edge),
            _ => Vec::new(),
        }
    }

    /// What was written, as it is now.
    pub(super) fn cells(&self, thread: ThreadId, written: &[Written]) -> Vec<CellChange> {
        let mut found = Vec::new();
        for (object, start, end) in written {
            let Some(class) = self.class_of(*object) else { continue };
            let through = self.pointed_by(thread, *object);
            let mut note = |cell: Cell, offset: i64, ty: Type| {
                if let Some(after) = self.cell(*object, offset, ty) {
                    found.push(CellChange { object: *object, through, cell, after });
                }
            };
            for field in &class.fields {
                if (*start..*end).contains(&i64::from(field.offset)) {
                    note(Cell::Field(field.name.clone()), field.offset.into(), field.ty);
                }
            }
            if let Some((first, ty)) = class.elements {
                let bytes = self.data.memory.bytes_of(ty) as i64;
                let element = |offset: i64| (offset - i64::from(first)).div_euclid(bytes);
                for index in element(*start).max(0)..element(*end - 1) + 1 {
                    note(Cell::Element(index), i64::from(first) + index * bytes, ty);
                }
            }
        }
        found
    }

    /// The objects whose class is known.
    pub(super) fn object_names(&self) -> Vec<ObjectName> {
        if self.program.classes.is_empty() {
            return Vec::new();
        }
        let numbers = 1..=self.data.memory.objects.len() as u32;
        let name = |object: u32| {
            let class = self.class_of(object)?;
            Some(ObjectName { object, class: class.name.clone(), text: self.text_of(object, class) })
        };
        numbers.filter_map(name).collect()
    }

    /// A field or an element of an object whose class is known, `Data#1.value`; the object itself at its start.
    pub(super) fn part_name(&self, at: Pointer) -> Option<String> {
        if self.program.classes.is_empty() {
            return None;
        }
        let class = self.class_of(at.object)?;
        let same = |object: &u32| self.class_of(*object).is_some_and(|other| other.number == class.number);
        let count = (1..=at.object).filter(same).count();
        let short = class.name.rsplit(['.', '$']).next().unwrap_or(&class.name);
        let object = format!("{short}#{count}");
        let field = class.fields.iter().find(|field| at.offset > 0 && i64::from(field.offset) == at.offset);
        if let Some(field) = field {
            return Some(format!("{object}.{}", field.name));
        }
        match class.elements {
            Some((first, ty)) if at.offset >= i64::from(first) => {
                let bytes = self.data.memory.bytes_of(ty) as i64;
                Some(format!("{object}[{}]", (at.offset - i64::from(first)) / bytes))
            }
            _ => Some(object),
        }
    }

    fn class_of(&self, object: u32) -> Option<&ObjectClass> {
        let Some(Value::Int(number)) = self.cell(object, 0, NUMBER) else { return None };
        let number = number.to_i64()?;
        self.program.classes.iter().find(|class| i64::from(class.number) == number)
    }

    fn cell(&self, object: u32, offset: i64, ty: Type) -> Option<Value> {
        self.data.memory.load(Pointer { object, offset }, ty, &Flag::new(false)).ok()
    }

    /// A variable with a name in the source that points to the object.
    fn pointed_by(&self, thread: ThreadId, object: u32) -> Option<VarId> {
        let procedure = self.control.threads[thread.index()].frames.last()?.procedure;
        let is_own = |variable: &VarId| self.program.variables[*variable].scope == Scope::Local(procedure);
        let mut own = self.program.variables.ids().filter(is_own);
        own.find(|variable| {
            let name = &self.program.variables[*variable].name;
            let is_named = name.starts_with(|c: char| c.is_alphabetic()) && !is_operand(name) && name != "result";
            is_named && self.value(thread, *variable) == Some(Value::Pointer(Pointer { object, offset: 0 }))
        })
    }

    fn text_of(&self, object: u32, class: &ObjectClass) -> Option<String> {
        let field = class.fields.iter().find(|field| class.name == STRING.0 && field.name == STRING.1)?;
        let Some(Value::Pointer(characters)) = self.cell(object, field.offset.into(), field.ty) else { return None };
        let (first, ty) = self.class_of(characters.object)?.elements?;
        let bytes = self.data.memory.bytes_of(ty) as i64;
        let count = (self.data.memory.size(characters) - i64::from(first)) / bytes;
        let unit = |index: i64| match self.cell(characters.object, i64::from(first) + index * bytes, ty) {
            Some(Value::Int(unit)) => unit.to_u32().and_then(|unit| u16::try_from(unit).ok()),
            _ => None,
        };
        let units: Option<Vec<u16>> = (0..count.min(MAX_CHARACTERS as i64)).map(unit).collect();
        let text = format!("{:?}", String::from_utf16_lossy(&units?));
        Some(if count > MAX_CHARACTERS as i64 { format!("{text}…") } else { text })
    }
}

/// Whether a variable holds an operand of a stack machine.
pub fn is_operand(name: &str) -> bool {
    let digits = name.strip_prefix("stack").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    digits.is_some_and(|rest| rest.len() == 1 && name.len() > 6)
}
