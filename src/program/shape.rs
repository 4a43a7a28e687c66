//! Shapes: what variables and memory are in the source, so that reports can name what an execution writes.

use super::{ProcId, Type};
use std::collections::BTreeMap;

/// The number of a shape.
pub type ShapeId = u32;

/// What the variables of a program, and the memory that they point to, are in the source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shapes {
    /// Every shape.
    pub all: Vec<Shape>,
    /// The shape of each variable that has one, by its procedure and name. Of a variable that stands for the address of
    /// an object, whose name starts with `&`, it is that of the object.
    pub of: BTreeMap<(Option<ProcId>, String), ShapeId>,
}

/// What something is in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// How many bytes it has; 0 where that is not known.
    pub bytes: u64,
    /// What it is.
    pub kind: ShapeKind,
}

/// What something is in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShapeKind {
    /// A number.
    Number {
        /// How many bits it has.
        width: u32,
        /// Whether it can be negative.
        signed: bool,
    },
    /// A character.
    Character,
    /// A floating-point number.
    Float(super::FloatKind),
    /// A truth value.
    Truth,
    /// A pointer.
    Pointer(ShapeId),
    /// Elements of the same shape.
    Array(ShapeId),
    /// Fields: their names, how many bytes are before them, and their shapes.
    Record {
        /// The name.
        name: String,
        /// The fields.
        fields: Vec<(String, u64, ShapeId)>,
    },
    /// Something else.
    Other,
}

impl Shapes {
    /// The shape of that number.
    pub fn get(&self, id: ShapeId) -> Option<&Shape> {
        self.all.get(id as usize)
    }

    /// The shape of a variable.
    pub fn of_variable(&self, procedure: Option<ProcId>, name: &str) -> Option<ShapeId> {
        self.of.get(&(procedure, name.to_owned())).copied()
    }

    /// The type of something of the shape that has no parts.
    pub fn scalar(&self, shape: ShapeId) -> Option<Type> {
        let shape = self.get(shape)?;
        match shape.kind {
            ShapeKind::Number { width, signed } => Some(Type::machine(width, signed)),
            ShapeKind::Character => Some(Type::machine(8, true)),
            ShapeKind::Truth => Some(Type::machine(8, false)),
            ShapeKind::Float(kind) => Some(Type::Float(kind)),
            ShapeKind::Pointer(_) => Some(Type::Pointer),
            ShapeKind::Array(_) | ShapeKind::Record { .. } | ShapeKind::Other => None,
        }
    }

    /// The part of something of the shape that starts so many bytes after its start: what follows its name, and the part's
    /// shape. The part is the smallest that has at most the given number of bytes.
    pub fn part(&self, shape: ShapeId, offset: u64, bytes: u64) -> Option<(String, ShapeId)> {
        let (mut at, mut offset, mut path) = (shape, offset, String::new());
        loop {
            let Shape { bytes: size, kind } = self.get(at)?;
            if offset == 0 && *size <= bytes && *size > 0 {
                return Some((path, at));
            }
            match kind {
                ShapeKind::Array(element) => {
                    let size = self.get(*element)?.bytes;
                    let index = offset.checked_div(size)?;
                    path.push_str(&format!("[{index}]"));
                    (at, offset) = (*element, offset % size);
                }
                ShapeKind::Record { fields, .. } => {
                    let holds = |(_, start, shape): &&(String, u64, ShapeId)| {
                        let size = self.get(*shape).map_or(0, |shape| shape.bytes);
                        *start <= offset && (offset < start + size || size == 0)
                    };
                    let (name, start, shape) = fields.iter().find(holds)?;
                    if !name.is_empty() {
                        path.push('.');
                        path.push_str(name);
                    }
                    (at, offset) = (*shape, offset - start);
                }
                // A part of a number, or something that was read as what it is not.
                _ => return None,
            }
        }
    }

    /// The number, pointer or character that starts so many bytes after the start of something of the shape: what follows its
    /// name. What is inside of the library's own types is not told.
    pub fn leaf(&self, shape: ShapeId, offset: u64) -> Option<String> {
        let (mut at, mut offset, mut path) = (shape, offset, String::new());
        loop {
            match &self.get(at)?.kind {
                ShapeKind::Array(element) => {
                    let size = self.get(*element)?.bytes;
                    path.push_str(&format!("[{}]", offset.checked_div(size)?));
                    (at, offset) = (*element, offset % size);
                }
                ShapeKind::Record { fields, .. } => {
                    let holds = |(_, start, shape): &&(String, u64, ShapeId)| {
                        let size = self.get(*shape).map_or(0, |shape| shape.bytes);
                        *start <= offset && offset < start + size
                    };
                    let (name, start, shape) = fields.iter().find(holds)?;
                    if name.starts_with("__") {
                        return Some(path);
                    }
                    if !name.is_empty() {
                        path.push('.');
                        path.push_str(name);
                    }
                    (at, offset) = (*shape, offset - start);
                }
                _ => return (offset == 0).then_some(path),
            }
        }
    }

    /// The numbers, pointers and characters that something of the shape is made of: what follows its name, how many bytes
    /// are before them, and their shapes; at most so many.
    pub fn leaves(&self, shape: ShapeId, most: usize) -> Vec<(String, u64, ShapeId)> {
        let mut found = Vec::new();
        self.add_leaves(shape, String::new(), 0, most, &mut found);
        found
    }

    fn add_leaves(
        &self,
        shape: ShapeId,
        path: String,
        offset: u64,
        most: usize,
        found: &mut Vec<(String, u64, ShapeId)>,
    ) {
        let Some(Shape { bytes, kind }) = self.get(shape) else { return };
        match kind {
            _ if found.len() >= most => {}
            ShapeKind::Array(element) => {
                let size = self.get(*element).map_or(0, |element| element.bytes);
                for index in 0..bytes.checked_div(size).unwrap_or(0).min(most as u64) {
                    self.add_leaves(*element, format!("{path}[{index}]"), offset + index * size, most, found);
                }
            }
            ShapeKind::Record { fields, .. } => {
                for (name, start, shape) in fields {
                    let path = if name.is_empty() { path.clone() } else { format!("{path}.{name}") };
                    self.add_leaves(*shape, path, offset + start, most, found);
                }
            }
            _ => found.push((path, offset, shape)),
        }
    }
}
