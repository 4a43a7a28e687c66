//! Memory: objects of bytes, which know which bytes were written and where pointers are.
//!
//! A pointer in memory is the bytes of its address, and a note of the pointer itself. Every object has an address,
//! which follows from the sizes of those made before it; `seen` notes where a result could depend on it.

use super::pack::KnownPart;
use super::pointers::Pointers;
use super::token::Spec;
use super::token::bytes::{ANY, abstraction_of, forget_parts, token_at, token_bytes};
use super::{Fault, Pointer, Value};
use crate::program::{BinaryOp, MachineInt, Region, Type};
use crate::term::Integer;
use std::cell::Cell;
use std::ops::Range;

/// The largest object that can be made.
const MAX_OBJECT: i64 = 1 << 32;

/// No object lies in so many bytes at either end of memory.
const PAGE: u64 = 0x1000;

/// Objects lie at multiples of this, with at least as much between them.
const ALIGNMENT: u64 = 16;

/// All objects, by number; the first has number 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Memory {
    pub objects: Vec<Object>,
    pub pointer_bytes: u32,
    /// How many procedures there are to point to.
    functions: u32,
}

/// One object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object {
    pub region: Region,
    /// For a stack object, the thread and the depth of the activation that it ends with.
    pub owner: Option<(u32, u32)>,
    pub size: u64,
    pub address: u64,
    /// What it holds, while it is live.
    pub cells: Option<Box<Cells>>,
    /// For an object on the heap that is not live, how many objects had been made when it ended.
    pub ended: Option<u32>,
    /// Which statement made it, among those that make objects; kept where there are threads.
    pub site: u32,
    /// What it was packed to or loaded from, while it has not changed since.
    pub part: KnownPart,
}

/// The contents of an object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Cells {
    pub bytes: Vec<u8>,
    /// For each byte, 1 if it was written, and what tells of tokens ([`super::token::bytes`]).
    pub written: Vec<u8>,
    /// The pointers stored, by offset.
    pub pointers: Pointers,
}

/// Bytes on their way to a place in memory, or those that were there.
#[derive(Debug)]
struct Part {
    bytes: Vec<u8>,
    written: Vec<u8>,
    /// By offset into the object that holds the part; what was there may stick out.
    pointers: Vec<(usize, Pointer)>,
}

/// What was overwritten.
#[derive(Debug)]
pub(super) struct Overwritten {
    object: u32,
    start: usize,
    before: Part,
}

/// What was overwritten by a short number where no pointer was.
#[derive(Debug)]
pub(super) struct OverwrittenShort {
    object: u32,
    size: u8,
    start: usize,
    bytes: [u8; 8],
    /// A bit for each byte.
    written: u8,
}

impl Memory {
    /// An empty memory, for pointers of so many bytes and so many procedures.
    pub(super) fn new(pointer_bytes: u32, functions: usize) -> Memory {
        Memory { objects: Vec::new(), pointer_bytes, functions: functions as u32 }
    }

    /// Makes an object.
    pub(super) fn allocate(
        &mut self,
        size: i64,
        region: Region,
        zeroed: bool,
        owner: Option<(u32, u32)>,
        site: u32,
    ) -> Result<Pointer, Fault> {
        if !(0..=MAX_OBJECT).contains(&size) {
            return Err(Fault::BadSize(size));
        }
        let address = self.next_address();
        if address + size as u64 >= self.mask() - PAGE || self.objects.len() as u32 >= Pointer::FUNCTIONS - 1 {
            return Err(Fault::OutOfMemory);
        }
        let bytes = vec![0; size as usize];
        let written = vec![u8::from(zeroed); size as usize];
        let cells = Some(Box::new(Cells { bytes, written, pointers: Pointers::default() }));
        self.objects.push(Object {
            region,
            owner,
            size: size as u64,
            address,
            cells,
            ended: None,
            site,
            part: KnownPart::default(),
        });
        Ok(Pointer { object: self.objects.len() as u32, offset: 0 })
    }

    /// Where the next object lies.
    pub(super) fn next_address(&self) -> u64 {
        self.address_at(self.objects.len())
    }

    /// Where the object of that index lies, with those before it in their places.
    pub(super) fn address_at(&self, index: usize) -> u64 {
        let round = |n: u64, to: u64| n.div_ceil(to) * to;
        match index.checked_sub(1).map(|before| &self.objects[before]) {
            Some(before) => before.address + round(before.size, ALIGNMENT) + ALIGNMENT,
            None => round(self.function_address(self.functions), 0x1_0000),
        }
    }

    fn function_address(&self, number: u32) -> u64 {
        PAGE + ALIGNMENT * u64::from(number)
    }

    /// The greatest address.
    fn mask(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.pointer_bytes)
    }

    /// Ends the life of an object. Where later ones may have its address, it is noted which those are.
    pub(super) fn end(&mut self, object: u32, may_be_reused: bool) -> Box<Cells> {
        let made = self.objects.len() as u32;
        let object = &mut self.objects[object as usize];
        object.ended = (may_be_reused && object.region == Region::Heap).then_some(made);
        object.part = KnownPart::default();
        object.cells.take().expect("a live object is ended")
    }

    /// The object that a free of the pointer would end.
    pub(super) fn freeable(&self, pointer: Pointer) -> Result<u32, Fault> {
        match self.object(pointer) {
            Some(object) if pointer.offset == 0 && object.region == Region::Heap && object.cells.is_some() => {
                Ok(pointer.object - 1)
            }
            _ => Err(Fault::InvalidFree),
        }
    }

    /// The size of the object pointed to, 0 for none.
    pub(super) fn size(&self, pointer: Pointer) -> i64 {
        self.object(pointer).map_or(0, |object| object.size as i64)
    }

    /// Whether the object pointed to is one of the constants.
    pub(super) fn is_constant(&self, pointer: Pointer) -> bool {
        self.object(pointer).is_some_and(|object| object.region.is_constant())
    }

    /// Whether the object pointed to is there.
    pub(super) fn is_live(&self, pointer: Pointer) -> bool {
        pointer.function().is_some() || self.object(pointer).is_some_and(|object| object.cells.is_some())
    }

    /// How many bytes a value of the type takes.
    pub(super) fn bytes_of(&self, ty: Type) -> usize {
        match ty {
            Type::Bool => 1,
            Type::Machine(machine) => machine.bytes() as usize,
            Type::Pointer => self.pointer_bytes as usize,
            Type::Float(kind) => kind.bytes() as usize,
            Type::Int => unreachable!("a valid program keeps no mathematical integers in memory"),
        }
    }

    #[inline]
    fn object(&self, pointer: Pointer) -> Option<&Object> {
        (pointer.object as usize).checked_sub(1).and_then(|index| self.objects.get(index))
    }

    #[inline]
    fn cells(&self, pointer: Pointer) -> Result<&Cells, Fault> {
        match self.object(pointer).and_then(|object| object.cells.as_deref()) {
            Some(cells) => Ok(cells),
            None if pointer.is_null() => Err(Fault::Null),
            None if pointer.object == 0 => Err(Fault::Wild),
            None if pointer.function().is_some() => Err(Fault::OutOfBounds),
            None => Err(Fault::Dead),
        }
    }

    fn cells_mut(&mut self, object: u32) -> &mut Cells {
        let object = &mut self.objects[object as usize];
        object.part = KnownPart::default();
        object.cells.as_deref_mut().expect("the object was found to be live")
    }

    /// The bytes that an access of so many bytes touches.
    #[inline]
    fn range(&self, pointer: Pointer, size: usize) -> Result<Range<usize>, Fault> {
        let length = self.cells(pointer)?.bytes.len();
        let start = usize::try_from(pointer.offset).map_err(|_| Fault::OutOfBounds)?;
        match start.checked_add(size) {
            Some(end) if end <= length => Ok(start..end),
            _ => Err(Fault::OutOfBounds),
        }
    }

    /// The value of the type at the pointer.
    pub(super) fn load(&self, pointer: Pointer, ty: Type, seen: &Cell<bool>) -> Result<Value, Fault> {
        let range = self.range(pointer, self.bytes_of(ty))?;
        let cells = self.cells(pointer)?;
        if cells.written[range.clone()].contains(&0) {
            return Err(Fault::Unwritten(pointer, ty));
        }
        if cells.written[range.clone()].iter().any(|mark| *mark != 1) {
            let token = token_at(&cells.bytes[range.clone()], &cells.written[range], ty);
            return token.map(Value::Token).ok_or(Fault::Abstract);
        }
        if ty == Type::Pointer
            && let Some(stored) = cells.pointers.get(range.start)
        {
            return Ok(Value::Pointer(stored));
        }
        if self.touching(cells, &range).any(|(_, stored)| stored.object != 0) {
            seen.set(true);
        }
        let bytes = &cells.bytes[range];
        Ok(match ty {
            Type::Pointer => Value::Pointer(self.pointer_to(little_endian(bytes), seen)),
            Type::Bool => Value::Int((bytes[0] != 0).into()),
            Type::Machine(machine) => Value::Int(machine.wrap(&Integer::from_le_bytes(bytes, machine.signed))),
            Type::Float(kind) => Value::Float(little_endian(bytes), kind),
            Type::Int => unreachable!("a valid program keeps no mathematical integers in memory"),
        })
    }

    /// The number of at most eight bytes at the pointer, if it is simple to read; `None` says nothing.
    #[inline]
    pub(super) fn load_short(&self, pointer: Pointer, machine: MachineInt) -> Option<i64> {
        let cells = self.object(pointer)?.cells.as_deref()?;
        let start = usize::try_from(pointer.offset).ok()?;
        let range = start..start.checked_add(machine.bytes() as usize)?;
        let plain = machine.width <= 64 && (cells.pointers.is_empty() || self.touching(cells, &range).next().is_none());
        if !plain || cells.written.get(range.clone())?.iter().any(|mark| *mark != 1) {
            return None;
        }
        let (word, unused) = (little_endian(&cells.bytes[range]), 64 - machine.width);
        match machine.signed {
            true => Some(((word << unused) as i64) >> unused),
            false => i64::try_from((word << unused) >> unused).ok(),
        }
    }

    /// The pointer at the pointer, if one was stored there; `None` says nothing.
    #[inline]
    pub(super) fn load_pointer(&self, pointer: Pointer) -> Option<Pointer> {
        let cells = self.object(pointer)?.cells.as_deref()?;
        cells.pointers.get(usize::try_from(pointer.offset).ok()?)
    }

    /// Writes a short number where no pointer is, if it is that simple, and tells what was there.
    #[inline]
    pub(super) fn store_short(&mut self, pointer: Pointer, size: usize, value: i64) -> Option<OverwrittenShort> {
        let range = self.range(pointer, size).ok()?;
        if size > 8 || self.touching(self.cells(pointer).ok()?, &range).next().is_some() {
            return None;
        }
        let (object, start) = (pointer.object - 1, range.start);
        let cells = self.cells_mut(object);
        if cells.written[range.clone()].iter().any(|mark| *mark > 1) {
            return None;
        }
        let mut before = OverwrittenShort { object, size: size as u8, start, bytes: [0; 8], written: 0 };
        before.bytes[..size].copy_from_slice(&cells.bytes[range.clone()]);
        for (i, written) in cells.written[range.clone()].iter_mut().enumerate() {
            before.written |= *written << i;
            *written = 1;
        }
        cells.bytes[range].copy_from_slice(&value.to_le_bytes()[..size]);
        Some(before)
    }

    /// Puts back what a short store overwrote.
    pub(super) fn restore_short(&mut self, before: OverwrittenShort) {
        let range = before.start..before.start + usize::from(before.size);
        let cells = self.cells_mut(before.object);
        cells.bytes[range.clone()].copy_from_slice(&before.bytes[..usize::from(before.size)]);
        for (i, written) in cells.written[range].iter_mut().enumerate() {
            *written = (before.written >> i) & 1;
        }
    }

    /// Writes a value of the type at the pointer, and tells what was there, to be put back.
    pub(super) fn store(
        &mut self,
        pointer: Pointer,
        ty: Type,
        value: &Value,
        seen: &Cell<bool>,
    ) -> Result<Overwritten, Fault> {
        let size = self.bytes_of(ty);
        let range = self.range(pointer, size)?;
        let mut pointers = Vec::new();
        if let Value::Token(token) = value {
            let (bytes, written) = token_bytes(*token, size).ok_or(Fault::Meanings)?;
            let part = Part { bytes, written, pointers: Vec::new() };
            return Ok(self.overwrite(pointer.object - 1, range, part, seen));
        }
        let bytes = match value {
            Value::Int(n) => n.to_le_bytes(size),
            Value::Float(bits, _) => bits.to_le_bytes()[..size].to_vec(),
            Value::Pointer(stored) => {
                if !stored.is_null() {
                    pointers.push((range.start, *stored));
                }
                self.address(*stored).to_le_bytes()[..size].to_vec()
            }
            other => unreachable!("{other} is stored"),
        };
        Ok(self.overwrite(pointer.object - 1, range, Part { bytes, written: vec![1; size], pointers }, seen))
    }

    /// Writes a value of the type at the pointer, but for the bytes that were written before, and tells what was there.
    pub(super) fn complete(
        &mut self,
        pointer: Pointer,
        ty: Type,
        value: &Value,
        seen: &Cell<bool>,
    ) -> Result<Overwritten, Fault> {
        let range = self.range(pointer, self.bytes_of(ty))?;
        let cells = self.cells(pointer)?;
        if cells.written[range.clone()].iter().all(|mark| *mark == 0) {
            return self.store(pointer, ty, value, seen);
        }
        let mut bytes = match value {
            Value::Int(n) => n.to_le_bytes(range.len()),
            Value::Float(bits, _) => bits.to_le_bytes()[..range.len()].to_vec(),
            // Half a pointer is a number that nobody can write down.
            _ => return Err(Fault::Unwritten(pointer, ty)),
        };
        let pointers = self.touching(cells, &range).collect();
        for (byte, at) in bytes.iter_mut().zip(range.clone()) {
            if cells.written[at] != 0 {
                *byte = cells.bytes[at];
            }
        }
        // Bytes of tokens stay what they are: anything.
        let mark = |at: usize| if cells.written[at] > 1 { ANY } else { 1 };
        let written = range.clone().map(mark).collect();
        Ok(self.overwrite(pointer.object - 1, range, Part { bytes, written, pointers }, seen))
    }

    /// The abstraction of a token that has some of those bytes, or signs.
    pub(super) fn abstraction_at(&self, pointer: Pointer, size: usize) -> &'static Spec {
        abstraction_of(self.contents(pointer, size).map_or(&[], |(_, marks)| marks))
    }

    /// The bytes at a pointer, and what is said of each ([`Cells::written`]).
    pub(super) fn contents(&self, pointer: Pointer, size: usize) -> Option<(&[u8], &[u8])> {
        let range = self.range(pointer, size).ok()?;
        let cells = self.cells(pointer).ok()?;
        Some((&cells.bytes[range.clone()], &cells.written[range]))
    }

    /// How many objects were made.
    pub(super) fn made(&self) -> usize {
        self.objects.len()
    }

    /// Copies bytes, as [`crate::program::Statement::Copy`] says, and tells what was there.
    pub(super) fn copy(
        &mut self,
        target: Pointer,
        source: Pointer,
        bytes: i64,
        seen: &Cell<bool>,
    ) -> Result<Option<Overwritten>, Fault> {
        if bytes == 0 {
            return Ok(None);
        }
        let size = usize::try_from(bytes).map_err(|_| Fault::OutOfBounds)?;
        let (from, to) = (self.range(source, size)?, self.range(target, size)?);
        let cells = self.cells(source)?;
        let mut pointers = Vec::new();
        for (offset, stored) in self.touching(cells, &from) {
            if offset >= from.start && offset + self.pointer_bytes as usize <= from.end {
                pointers.push((offset - from.start + to.start, stored));
            } else if stored.object != 0 {
                seen.set(true);
            }
        }
        let mut written = cells.written[from.clone()].to_vec();
        forget_parts(&mut written);
        let part = Part { bytes: cells.bytes[from].to_vec(), written, pointers };
        Ok(Some(self.overwrite(target.object - 1, to, part, seen)))
    }

    /// Writes one byte several times, and tells what was there.
    pub(super) fn fill(
        &mut self,
        target: Pointer,
        byte: u8,
        bytes: i64,
        seen: &Cell<bool>,
    ) -> Result<Option<Overwritten>, Fault> {
        let size = usize::try_from(bytes).map_err(|_| Fault::OutOfBounds)?;
        if size == 0 {
            return Ok(None);
        }
        let range = self.range(target, size)?;
        let part = Part { bytes: vec![byte; size], written: vec![1; size], pointers: Vec::new() };
        Ok(Some(self.overwrite(target.object - 1, range, part, seen)))
    }

    /// Writes bytes, and tells what was there.
    pub(super) fn write(
        &mut self,
        target: Pointer,
        bytes: &[u8],
        seen: &Cell<bool>,
    ) -> Result<Option<Overwritten>, Fault> {
        if bytes.is_empty() {
            return Ok(None);
        }
        let range = self.range(target, bytes.len())?;
        let part = Part { bytes: bytes.to_vec(), written: vec![1; bytes.len()], pointers: Vec::new() };
        Ok(Some(self.overwrite(target.object - 1, range, part, seen)))
    }

    /// Puts a part in its place. Pointers that it overwrites, in whole or in part, are pointers no longer; what is left
    /// of their bytes tells of their addresses.
    fn overwrite(&mut self, object: u32, range: Range<usize>, part: Part, seen: &Cell<bool>) -> Overwritten {
        let width = self.pointer_bytes as usize;
        let cells = self.objects[object as usize].cells.as_deref().expect("the object was found to be live");
        let before = Part {
            bytes: cells.bytes[range.clone()].to_vec(),
            written: cells.written[range.clone()].to_vec(),
            pointers: self.touching(cells, &range).collect(),
        };
        let cut = |(offset, stored): &(usize, Pointer)| {
            stored.object != 0 && (*offset < range.start || offset + width > range.end)
        };
        if before.pointers.iter().any(cut) {
            seen.set(true);
        }
        let cells = self.cells_mut(object);
        let start = range.start;
        cells.pointers.remove(start.saturating_sub(width.saturating_sub(1))..range.end);
        put(cells, range, part);
        Overwritten { object, start, before }
    }

    /// Puts back what was overwritten.
    pub(super) fn restore(&mut self, overwritten: Overwritten) {
        let Overwritten { object, start, before } = overwritten;
        let range = start..start + before.bytes.len();
        let before_start = (self.pointer_bytes as usize).saturating_sub(1);
        let cells = self.cells_mut(object);
        cells.pointers.remove(start.saturating_sub(before_start)..range.end);
        put(cells, range, before);
    }

    /// The pointers stored in bytes of the range, in whole or in part.
    fn touching<'c>(&self, cells: &'c Cells, range: &Range<usize>) -> impl Iterator<Item = (usize, Pointer)> + 'c {
        let before = (self.pointer_bytes as usize).saturating_sub(1);
        cells.pointers.range(range.start.saturating_sub(before)..range.end).iter().copied()
    }

    /// The address of a pointer.
    fn address(&self, pointer: Pointer) -> u64 {
        let start = match (pointer.function(), self.object(pointer)) {
            (Some(function), _) => self.function_address(function),
            (None, Some(object)) => object.address,
            (None, None) => 0,
        };
        start.wrapping_add(pointer.offset as u64) & self.mask()
    }

    /// Puts the bytes of every pointer that is kept in the object of that index in their place, after objects were numbered
    /// anew. The object counts as the same.
    pub(super) fn write_addresses(&mut self, index: usize) {
        let bytes = self.pointer_bytes as usize;
        let Some(mut cells) = self.objects[index].cells.take_if(|cells| !cells.pointers.is_empty()) else { return };
        for (offset, pointer) in cells.pointers.iter() {
            let address = self.address(pointer).to_le_bytes();
            if let Some(place) = cells.bytes.get_mut(offset..offset + bytes) {
                place.copy_from_slice(&address[..bytes]);
            }
        }
        self.objects[index].cells = Some(cells);
    }

    /// The address of a pointer, which is seen.
    pub(super) fn address_seen(&self, pointer: Pointer, seen: &Cell<bool>) -> u64 {
        if pointer.object != 0 {
            seen.set(true);
        }
        self.address(pointer)
    }

    /// The pointer to an address.
    pub(super) fn pointer_to(&self, address: u64, seen: &Cell<bool>) -> Pointer {
        let address = address & self.mask();
        let none = Pointer { object: 0, offset: address as i64 };
        if self.is_nowhere(address) {
            return none;
        }
        seen.set(true);
        let index = self.objects.partition_point(|object| object.address <= address);
        if let Some(object) = index.checked_sub(1).map(|i| &self.objects[i]) {
            let offset = address - object.address;
            let inside = offset <= object.size;
            return if inside { Pointer { object: index as u32, offset: offset as i64 } } else { none };
        }
        let function = (address - PAGE) / ALIGNMENT;
        if address.is_multiple_of(ALIGNMENT) && function < u64::from(self.functions) {
            return Pointer::to_function(function as u32);
        }
        none
    }

    /// Whether no object of any execution lies at the address.
    fn is_nowhere(&self, address: u64) -> bool {
        address < PAGE || address > self.mask() - PAGE
    }

    /// A pointer moved by so many bytes.
    #[inline]
    pub(super) fn moved(&self, pointer: Pointer, distance: i64) -> Pointer {
        let offset = pointer.offset.wrapping_add(distance);
        let offset = if pointer.object == 0 { (offset as u64 & self.mask()) as i64 } else { offset };
        Pointer { offset, ..pointer }
    }

    /// Whether pointers to different objects have different addresses wherever objects lie: both are to a byte of an
    /// object, and these were there at the same time.
    fn are_apart(&self, a: Pointer, b: Pointer) -> bool {
        let (Some(one), Some(other)) = (self.object(a), self.object(b)) else {
            return a.function().is_some() && b.function().is_some()
                || [a, b].into_iter().all(|pointer| pointer.function().is_some() || self.is_inside(pointer));
        };
        let (older, younger) = if a.object < b.object { (one, b) } else { (other, a) };
        let met = older.cells.is_some() || older.ended.is_some_and(|ended| younger.object <= ended);
        let are_literals = one.region == Region::Literal && other.region == Region::Literal;
        met && !are_literals && self.is_inside(a) && self.is_inside(b)
    }

    /// Whether the pointer is to a byte of its object. One of the heap without a byte has an address of its own.
    fn is_inside(&self, pointer: Pointer) -> bool {
        self.object(pointer).is_some_and(|object| {
            let size = object.size.max(u64::from(object.region == Region::Heap));
            u64::try_from(pointer.offset).is_ok_and(|offset| offset < size)
        })
    }

    /// A comparison of two pointers.
    pub(super) fn compare(&self, op: BinaryOp, a: Pointer, b: Pointer, seen: &Cell<bool>) -> bool {
        match op {
            BinaryOp::SameObject => a.object == b.object,
            BinaryOp::Eq => self.are_equal(a, b, seen),
            BinaryOp::Ne => !self.are_equal(a, b, seen),
            _ if a.object == b.object && a.object != 0 => super::eval::compare(op, &a.offset, &b.offset),
            _ => super::eval::compare(op, &self.address_seen(a, seen), &self.address_seen(b, seen)),
        }
    }

    fn are_equal(&self, a: Pointer, b: Pointer, seen: &Cell<bool>) -> bool {
        let (wild, other) = match (a.object, b.object) {
            (0, object) if object != 0 => (a, b),
            (object, 0) if object != 0 => (b, a),
            (one, other) => {
                if one != other && !self.are_apart(a, b) {
                    seen.set(true);
                }
                return a == b;
            }
        };
        let inside = (0..=self.size(other)).contains(&other.offset);
        if wild.is_null() || (inside && self.is_nowhere(wild.offset as u64)) {
            return false;
        }
        self.address_seen(other, seen) == self.address(wild)
    }
}

fn put(cells: &mut Cells, range: Range<usize>, part: Part) {
    cells.bytes[range.clone()].copy_from_slice(&part.bytes);
    cells.written[range].copy_from_slice(&part.written);
    cells.pointers.insert(&part.pointers);
}

#[inline]
fn little_endian(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
