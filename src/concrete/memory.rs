//! Memory: objects of bytes, which know which bytes were written and where pointers are.

use super::{Fault, Pointer, Value};
use crate::program::{Region, Type};
use crate::term::Integer;
use std::collections::BTreeMap;

/// The largest object that can be made.
const MAX_OBJECT: i64 = 1 << 32;

/// All objects, by number; the first has number 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Memory {
    pub objects: Vec<Object>,
    pub pointer_bytes: u32,
}

/// One object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object {
    pub region: Region,
    pub live: bool,
    /// For a stack object, the thread and the depth of the activation that it ends with.
    pub owner: Option<(u32, u32)>,
    pub cells: Cells,
}

/// The contents of an object, or of a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Cells {
    pub bytes: Vec<u8>,
    /// For each byte, 1 if it was written.
    pub written: Vec<u8>,
    /// The pointers stored, by offset; their bytes are zero.
    pub pointers: BTreeMap<usize, Pointer>,
}

impl Memory {
    /// An empty memory, for pointers of so many bytes.
    pub(super) fn new(pointer_bytes: u32) -> Memory {
        Memory { objects: Vec::new(), pointer_bytes }
    }

    /// Makes an object.
    pub(super) fn allocate(
        &mut self,
        size: i64,
        region: Region,
        zeroed: bool,
        owner: Option<(u32, u32)>,
    ) -> Result<Pointer, Fault> {
        if !(0..=MAX_OBJECT).contains(&size) {
            return Err(Fault::BadSize(size));
        }
        let size = size as usize;
        let cells = Cells { bytes: vec![0; size], written: vec![u8::from(zeroed); size], pointers: BTreeMap::new() };
        self.objects.push(Object { region, live: true, owner, cells });
        Ok(Pointer { object: u32::try_from(self.objects.len()).expect("fewer than 2^32 objects"), offset: 0 })
    }

    /// The object that a free of the pointer would end.
    pub(super) fn freeable(&self, pointer: Pointer) -> Result<u32, Fault> {
        match self.object(pointer) {
            Ok(object) if pointer.offset == 0 && object.region == Region::Heap => Ok(pointer.object - 1),
            _ => Err(Fault::InvalidFree),
        }
    }

    /// The size of the object pointed to, 0 for null.
    pub(super) fn size(&self, pointer: Pointer) -> i64 {
        let object = (pointer.object as usize).checked_sub(1).and_then(|i| self.objects.get(i));
        object.map_or(0, |object| object.cells.bytes.len() as i64)
    }

    /// Whether the object pointed to is there.
    pub(super) fn is_live(&self, pointer: Pointer) -> bool {
        self.object(pointer).is_ok()
    }

    /// How many bytes a value of the type takes.
    pub(super) fn bytes_of(&self, ty: Type) -> usize {
        match ty {
            Type::Bool => 1,
            Type::Machine(machine) => machine.bytes() as usize,
            Type::Pointer => self.pointer_bytes as usize,
            Type::Int => unreachable!("a valid program keeps no mathematical integers in memory"),
        }
    }

    fn object(&self, pointer: Pointer) -> Result<&Object, Fault> {
        let index = (pointer.object as usize).checked_sub(1).ok_or(Fault::Null)?;
        match self.objects.get(index) {
            Some(object) if object.live => Ok(object),
            _ => Err(Fault::Dead),
        }
    }

    /// The bytes that an access of so many bytes touches.
    fn range(&self, pointer: Pointer, size: usize) -> Result<std::ops::Range<usize>, Fault> {
        let length = self.object(pointer)?.cells.bytes.len();
        let start = usize::try_from(pointer.offset).map_err(|_| Fault::OutOfBounds)?;
        match start.checked_add(size) {
            Some(end) if end <= length => Ok(start..end),
            _ => Err(Fault::OutOfBounds),
        }
    }

    /// The value of the type at the pointer.
    pub(super) fn load(&self, pointer: Pointer, ty: Type) -> Result<Value, Fault> {
        let range = self.range(pointer, self.bytes_of(ty))?;
        let cells = &self.object(pointer)?.cells;
        if cells.written[range.clone()].contains(&0) {
            return Err(Fault::Unwritten);
        }
        if ty == Type::Pointer
            && let Some(stored) = cells.pointers.get(&range.start)
        {
            return Ok(Value::Pointer(*stored));
        }
        if self.pointers_touching(cells, &range).next().is_some() {
            return Err(Fault::PointerBytes);
        }
        let bytes = &cells.bytes[range];
        match ty {
            Type::Pointer if bytes.iter().all(|&b| b == 0) => Ok(Value::Pointer(Pointer::NULL)),
            Type::Pointer => Err(Fault::PointerBytes),
            Type::Bool => Ok(Value::Int((bytes[0] != 0).into())),
            Type::Machine(machine) => Ok(Value::Int(machine.wrap(&Integer::from_le_bytes(bytes, machine.signed)))),
            Type::Int => unreachable!("a valid program keeps no mathematical integers in memory"),
        }
    }

    /// Writes a value of the type at the pointer, and tells what was there, to be put back.
    pub(super) fn store(&mut self, pointer: Pointer, ty: Type, value: &Value) -> Result<Overwritten, Fault> {
        let size = self.bytes_of(ty);
        let range = self.range(pointer, size)?;
        let (start, object) = (range.start, pointer.object - 1);
        let touched = self.touched(object, &range);
        let before = self.copy(object, touched.clone());
        let pointer_bytes = self.pointer_bytes as usize;
        let cells = &mut self.objects[object as usize].cells;
        for (offset, _) in before.pointers.iter().map(|(o, p)| (touched.start + o, p)) {
            // What is left of a pointer that is overwritten in part can no longer be read.
            cells.written[offset..offset + pointer_bytes].fill(0);
            cells.pointers.remove(&offset);
        }
        cells.written[range.clone()].fill(1);
        match value {
            Value::Int(n) => cells.bytes[range].copy_from_slice(&n.to_le_bytes(size)),
            Value::Pointer(stored) => {
                cells.bytes[range].fill(0);
                if !stored.is_null() {
                    cells.pointers.insert(start, *stored);
                }
            }
            other => unreachable!("{other} is stored"),
        }
        Ok(Overwritten { object, start: touched.start, before })
    }

    /// Puts back what a store overwrote.
    pub(super) fn restore(&mut self, overwritten: Overwritten) {
        let Overwritten { object, start, before } = overwritten;
        let range = start..start + before.bytes.len();
        let cells = &mut self.objects[object as usize].cells;
        let inside: Vec<usize> = cells.pointers.range(range.clone()).map(|(o, _)| *o).collect();
        for offset in inside {
            cells.pointers.remove(&offset);
        }
        cells.pointers.extend(before.pointers.iter().map(|(o, p)| (start + o, *p)));
        cells.bytes[range.clone()].copy_from_slice(&before.bytes);
        cells.written[range].copy_from_slice(&before.written);
    }

    fn pointers_touching<'c>(
        &self,
        cells: &'c Cells,
        range: &std::ops::Range<usize>,
    ) -> impl Iterator<Item = (usize, Pointer)> + 'c {
        let before = (self.pointer_bytes as usize).saturating_sub(1);
        cells.pointers.range(range.start.saturating_sub(before)..range.end).map(|(o, p)| (*o, *p))
    }

    /// The range, made larger to hold all of every pointer it touches.
    fn touched(&self, object: u32, range: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        let cells = &self.objects[object as usize].cells;
        let width = self.pointer_bytes as usize;
        self.pointers_touching(cells, range).fold(range.clone(), |r, (o, _)| r.start.min(o)..r.end.max(o + width))
    }

    fn copy(&self, object: u32, range: std::ops::Range<usize>) -> Cells {
        let cells = &self.objects[object as usize].cells;
        Cells {
            bytes: cells.bytes[range.clone()].to_vec(),
            written: cells.written[range.clone()].to_vec(),
            pointers: cells.pointers.range(range.clone()).map(|(o, p)| (o - range.start, *p)).collect(),
        }
    }
}

/// What a store overwrote.
#[derive(Debug)]
pub(super) struct Overwritten {
    object: u32,
    start: usize,
    before: Cells,
}
