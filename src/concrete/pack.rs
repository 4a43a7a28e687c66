//! The data of a state as a few bytes, without loss: small numbers take one byte each.

use super::machine::{Data, Machine, ThreadData, Waiting};
use super::memory::{Cells, Memory, Object};
use super::token::{Partition, Token};
use super::{Pointer, Value};
use crate::program::control::Control;
use crate::program::{Id, Program, Region, ThreadId, Type};
use crate::term::Integer;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Packed data. Equal states of one program, under equal control, have equal packed data, and the other way round.
#[derive(Clone, PartialEq, Eq)]
pub struct Packed(Store);

const INLINE: usize = 22;

#[derive(Clone, PartialEq, Eq)]
enum Store {
    /// The length, and the bytes followed by zeros.
    Inline(u8, [u8; INLINE]),
    Heap(Box<[u8]>),
}

impl Hash for Packed {
    /// The bytes alone: states are hashed with their control, and often.
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write(self.bytes());
    }
}

impl Packed {
    /// Keeps the bytes.
    pub fn new(bytes: &[u8]) -> Packed {
        if bytes.len() <= INLINE {
            let mut inline = [0; INLINE];
            inline[..bytes.len()].copy_from_slice(bytes);
            Packed(Store::Inline(bytes.len() as u8, inline))
        } else {
            Packed(Store::Heap(bytes.into()))
        }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Store::Inline(length, bytes) => &bytes[..*length as usize],
            Store::Heap(bytes) => bytes,
        }
    }

    /// How many bytes are allocated apart from the value itself.
    pub fn allocated(&self) -> usize {
        match &self.0 {
            Store::Inline(..) => 0,
            Store::Heap(bytes) => bytes.len(),
        }
    }
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Packed({:02x?})", self.bytes())
    }
}

impl Machine<'_> {
    /// The data of the present state.
    pub fn pack(&mut self) -> Packed {
        let has_own = |object: &Object| object.owner.is_some();
        let is_free = self.program().header_bytes > 0 && !self.data.memory.objects.iter().any(has_own);
        let live: Vec<Vec<bool>> = (0..self.data.threads.len())
            .map(|thread| {
                let mut live = Vec::new();
                self.live_locals(thread, &mut live);
                live
            })
            .collect();
        let order = is_free.then(|| Order::of(&self.data, &live, self.first.len()));
        let pointer_bytes = self.program().pointer_bytes as usize;
        let keeps_sites = self.code().has_threads;
        let mut writer = Writer { bytes: std::mem::take(&mut self.buffer), order, pointer_bytes, keeps_sites };
        writer.bytes.clear();
        writer.data(&self.data, &live, &self.first);
        let packed = Packed::new(&writer.bytes);
        self.buffer = writer.bytes;
        packed
    }

    /// Goes to the state of that control and data, which another `pack` of this program gave. Marks made before
    /// are no longer good.
    pub fn load(&mut self, control: &Control, packed: &Packed) {
        self.commit();
        self.control.clone_from(control);
        let mut reader = Reader { bytes: packed.bytes(), keeps_sites: self.code().has_threads };
        let globals = self.code().globals.len();
        for i in 0..globals {
            let value = reader.value(self.code().globals[i]);
            self.data.globals[i] = value;
        }
        self.data.threads.clear();
        for thread in &control.threads {
            let mut data = ThreadData::default();
            if !thread.frames.is_empty() {
                data.locals.extend(self.code().own.iter().map(|ty| reader.value(*ty)));
            }
            for frame in &thread.frames {
                data.base = data.locals.len();
                data.locals.extend(self.code().locals(frame.procedure).iter().map(|ty| reader.value(*ty)));
            }
            data.waiting = thread.waiting.then(|| reader.waiting());
            self.data.threads.push(data);
        }
        self.data.locks = reader.locks();
        let program = self.program();
        let before = std::mem::take(&mut self.data.memory.objects);
        self.data.memory = reader.memory(program, before, &self.first);
        for (number, object) in self.data.memory.objects.iter().enumerate() {
            if let (Some((thread, depth)), Some(_)) = (object.owner, &object.cells) {
                // Where the end of the main thread has ended all, objects outlive their activations.
                let thread = thread as usize;
                if control.threads.get(thread).is_some_and(|t| (depth as usize) < t.frames.len()) {
                    self.data.threads[thread].objects.push((depth, number as u32));
                }
            }
        }
    }
}

/// Numbers up to this, zigzagged, take one byte; the bytes above say what follows.
const ONE_BYTE: u64 = 0xef;
const BIG: u8 = 0xf9;
const UNDEFINED: u8 = 0xfa;
const TOKEN: u8 = 0xfb;

struct Writer {
    bytes: Vec<u8>,
    /// How objects are numbered, if not as they were made.
    order: Option<Order>,
    pointer_bytes: usize,
    /// Whether it is told where objects were made.
    keeps_sites: bool,
}

/// Numbers for objects that do not depend on when they were made: those that are there from the start keep theirs, the
/// others have them in the order in which they are found from the variables on, and those that are not found have none.
/// For programs that never look at addresses.
struct Order {
    /// The new numbers, from 1 on, by the old ones; 0 for none.
    numbers: Vec<u32>,
    /// The objects in the new order, by index.
    objects: Vec<usize>,
}

impl Order {
    fn of(data: &Data, live: &[Vec<bool>], first: usize) -> Order {
        let count = data.memory.objects.len();
        let mut order = Order { numbers: vec![0; count], objects: Vec::with_capacity(count) };
        (0..first.min(count)).for_each(|index| order.note(index));
        data.globals.iter().for_each(|value| order.value(value));
        for (thread, live) in data.threads.iter().zip(live) {
            live_values(thread, live).for_each(|value| order.value(value));
            if let Some(waiting) = &thread.waiting {
                order.pointer(waiting.condition);
                order.pointer(waiting.lock);
            }
        }
        let mut next = 0;
        while let Some(index) = order.objects.get(next).copied() {
            next += 1;
            if let Some(cells) = &data.memory.objects[index].cells {
                cells.pointers.values().for_each(|pointer| order.pointer(*pointer));
            }
        }
        // A lock that nobody can get at any more is still held.
        for lock in data.locks.keys() {
            order.pointer(*lock);
        }
        order
    }

    fn value(&mut self, value: &Value) {
        if let Value::Pointer(pointer) = value {
            self.pointer(*pointer);
        }
    }

    fn pointer(&mut self, pointer: Pointer) {
        if let Some(index) = (pointer.object as usize).checked_sub(1).filter(|index| *index < self.numbers.len()) {
            self.note(index);
        }
    }

    fn note(&mut self, index: usize) {
        if self.numbers[index] == 0 {
            self.objects.push(index);
            self.numbers[index] = self.objects.len() as u32;
        }
    }

    fn renamed(&self, pointer: Pointer) -> Pointer {
        let number = (pointer.object as usize).checked_sub(1).and_then(|index| self.numbers.get(index));
        Pointer { object: number.copied().unwrap_or(pointer.object), ..pointer }
    }
}

/// The values of a thread's variables; what cannot be read any more has none.
fn live_values<'v>(thread: &'v ThreadData, live: &'v [bool]) -> impl Iterator<Item = &'v Value> {
    let is_live = |index: usize| live.get(index).copied().unwrap_or(true);
    thread.locals.iter().enumerate().map(move |(index, value)| if is_live(index) { value } else { &Value::Undefined })
}

impl Writer {
    fn data(&mut self, data: &Data, live: &[Vec<bool>], first: &[Object]) {
        data.globals.iter().for_each(|value| self.value(value));
        for (thread, live) in data.threads.iter().zip(live) {
            live_values(thread, live).for_each(|value| self.value(value));
            if let Some(waiting) = &thread.waiting {
                self.pointer(waiting.condition);
                self.pointer(waiting.lock);
                self.natural(u64::from(waiting.depth));
                self.natural(u64::from(waiting.notified));
            }
        }
        // Most programs have neither locks nor memory; for them there is nothing to tell apart.
        let has_objects = match &self.order {
            Some(order) => !order.objects.is_empty(),
            None => !data.memory.objects.is_empty(),
        };
        if data.locks.is_empty() && !has_objects {
            return;
        }
        self.natural(data.locks.len() as u64);
        let mut locks: Vec<_> = data.locks.iter().map(|(lock, holder)| (self.renamed(*lock), *holder)).collect();
        locks.sort_unstable_by_key(|(lock, _)| *lock);
        for (lock, (owner, depth)) in locks {
            self.plain_pointer(lock);
            self.natural(owner.index() as u64);
            self.natural(u64::from(depth));
        }
        self.memory(&data.memory.objects, first);
    }

    /// Of the objects that are there from the start, those that have changed; then the others.
    fn memory(&mut self, objects: &[Object], first: &[Object]) {
        let mut known = 0;
        if !first.is_empty() {
            known = if objects.len() >= first.len() { first.len() } else { 0 };
            let changed: Vec<usize> = (0..known).filter(|i| objects[*i] != first[*i]).collect();
            self.natural(if known > 0 { 1 + changed.len() as u64 } else { 0 });
            for index in changed {
                self.natural(index as u64);
                self.object(&objects[index]);
            }
        }
        let found = self.order.as_ref().map(|order| order.objects[known..].to_vec());
        match found {
            Some(found) => found.into_iter().for_each(|index| self.object(&objects[index])),
            None => objects[known..].iter().for_each(|object| self.object(object)),
        }
    }

    #[inline]
    fn value(&mut self, value: &Value) {
        match value {
            Value::Int(n) => match n.to_i64() {
                Some(n) => self.natural(((n << 1) ^ (n >> 63)) as u64),
                None => self.big(n),
            },
            Value::Pointer(pointer) => self.pointer(*pointer),
            Value::Float(bits, _) => self.natural(*bits),
            Value::Undefined => self.bytes.push(UNDEFINED),
            Value::Token(token) => self.token(*token),
            Value::Bool(_) => unreachable!("truth values are numbers inside the machine"),
        }
    }

    #[inline]
    fn natural(&mut self, n: u64) {
        if n <= ONE_BYTE {
            self.bytes.push(n as u8);
        } else {
            let length = (64 - n.leading_zeros()).div_ceil(8);
            self.bytes.push(ONE_BYTE as u8 + length as u8);
            self.bytes.extend_from_slice(&n.to_le_bytes()[..length as usize]);
        }
    }

    #[cold]
    fn token(&mut self, token: Token) {
        self.bytes.push(TOKEN);
        self.natural(u64::from(token.of.number));
        self.natural(u64::from(token.index));
    }

    fn big(&mut self, n: &Integer) {
        let bytes = n.to_big().to_signed_bytes_le();
        self.bytes.push(BIG);
        self.natural(bytes.len() as u64);
        self.bytes.extend_from_slice(&bytes);
    }

    fn pointer(&mut self, pointer: Pointer) {
        self.plain_pointer(self.renamed(pointer));
    }

    fn renamed(&self, pointer: Pointer) -> Pointer {
        self.order.as_ref().map_or(pointer, |order| order.renamed(pointer))
    }

    fn plain_pointer(&mut self, pointer: Pointer) {
        self.natural(u64::from(pointer.object));
        self.value(&Value::int(pointer.offset));
    }

    fn object(&mut self, object: &Object) {
        let region = match object.region {
            Region::Static => 0,
            Region::Stack => 1,
            Region::Heap => 2,
            Region::Literal => 3,
            Region::Constant => 4,
            Region::ConstantStack => 5,
        };
        let all_written = object.cells.as_ref().is_some_and(|cells| cells.written.iter().all(|mark| *mark == 1));
        self.natural(region | u64::from(object.cells.is_some()) << 3 | u64::from(all_written) << 4);
        if let Some((thread, depth)) = object.owner {
            self.natural(u64::from(thread));
            self.natural(u64::from(depth));
        }
        self.natural(object.size);
        if self.keeps_sites {
            self.natural(u64::from(object.site));
        }
        let Some(cells) = &object.cells else {
            if object.region == Region::Heap {
                self.natural(object.ended.map_or(0, |ended| 1 + u64::from(ended)));
            }
            return;
        };
        let masked = self.order.is_some().then(|| {
            // Where objects lie depends on their numbers.
            let mut bytes = cells.bytes.clone();
            for offset in cells.pointers.keys() {
                if let Some(place) = bytes.get_mut(*offset..*offset + self.pointer_bytes) {
                    place.fill(0);
                }
            }
            bytes
        });
        let bytes = masked.as_ref().unwrap_or(&cells.bytes);
        // Zeros at the end are many, and need not be kept.
        let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        self.natural(length as u64);
        self.bytes.extend_from_slice(&bytes[..length]);
        if !all_written {
            self.bytes.extend_from_slice(&cells.written);
        }
        self.natural(cells.pointers.len() as u64);
        for (offset, pointer) in &cells.pointers {
            self.natural(*offset as u64);
            self.pointer(*pointer);
        }
    }
}

/// Reads what a [`Writer`] wrote.
struct Reader<'a> {
    bytes: &'a [u8],
    keeps_sites: bool,
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.bytes.split_first().expect("packed data ends where its writer ended it");
        self.bytes = rest;
        *first
    }

    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        taken
    }

    #[inline]
    fn value(&mut self, ty: Type) -> Value {
        match self.bytes[0] {
            UNDEFINED => {
                self.byte();
                Value::Undefined
            }
            TOKEN => {
                self.byte();
                let (number, index) = (self.number(), self.number());
                Value::Token(Token { of: Partition::numbered(number).expect("it was packed"), index })
            }
            BIG => {
                self.byte();
                let length = self.natural() as usize;
                Value::Int(Integer::from_le_bytes(self.take(length), true))
            }
            _ => match ty {
                Type::Pointer => Value::Pointer(self.pointer()),
                Type::Float(kind) => Value::Float(self.natural(), kind),
                Type::Bool | Type::Int | Type::Machine(_) => Value::int(self.small()),
            },
        }
    }

    fn small(&mut self) -> i64 {
        let n = self.natural();
        (n >> 1) as i64 ^ -((n & 1) as i64)
    }

    #[inline]
    fn natural(&mut self) -> u64 {
        let first = self.byte();
        if u64::from(first) <= ONE_BYTE {
            return u64::from(first);
        }
        let mut bytes = [0; 8];
        let length = (first - ONE_BYTE as u8) as usize;
        bytes[..length].copy_from_slice(self.take(length));
        u64::from_le_bytes(bytes)
    }

    fn number(&mut self) -> u32 {
        u32::try_from(self.natural()).expect("written from a u32")
    }

    fn pointer(&mut self) -> Pointer {
        Pointer { object: self.number(), offset: self.small() }
    }

    fn waiting(&mut self) -> Waiting {
        Waiting { condition: self.pointer(), lock: self.pointer(), depth: self.number(), notified: self.natural() != 0 }
    }

    fn locks(&mut self) -> BTreeMap<Pointer, (ThreadId, u32)> {
        if self.bytes.is_empty() {
            return BTreeMap::new();
        }
        let count = self.natural();
        (0..count).map(|_| (self.pointer(), (ThreadId::new(self.number() as usize), self.number()))).collect()
    }

    /// The objects that were there before save making those again that have not changed.
    fn memory(&mut self, program: &Program, before: Vec<Object>, first: &[Object]) -> Memory {
        let mut memory = Memory::new(program.pointer_bytes, program.procedures.len());
        let changed = if first.is_empty() || self.bytes.is_empty() { 0 } else { self.natural() };
        if changed > 0 {
            memory.objects = before;
            memory.objects.truncate(first.len());
            for (object, first) in memory.objects.iter_mut().zip(first) {
                if object != first {
                    object.clone_from(first);
                }
            }
            let there = memory.objects.len();
            memory.objects.extend_from_slice(&first[there..]);
            for _ in 1..changed {
                let index = self.natural() as usize;
                memory.objects[index] = self.object(first[index].address);
            }
        }
        while !self.bytes.is_empty() {
            memory.objects.push(self.object(memory.next_address()));
        }
        if program.header_bytes > 0 {
            memory.write_addresses();
        }
        memory
    }

    fn object(&mut self, address: u64) -> Object {
        let head = self.natural();
        let region = match head & 7 {
            0 => Region::Static,
            1 => Region::Stack,
            2 => Region::Heap,
            3 => Region::Literal,
            4 => Region::Constant,
            _ => Region::ConstantStack,
        };
        let owner = region.is_on_stack().then(|| (self.number(), self.number()));
        let size = self.natural();
        let site = if self.keeps_sites { self.number() } else { 0 };
        let (live, all_written) = (head & 8 != 0, head & 16 != 0);
        let cells = live.then(|| {
            let length = self.natural() as usize;
            let mut bytes = self.take(length).to_vec();
            bytes.resize(size as usize, 0);
            let written = if all_written { vec![1; size as usize] } else { self.take(size as usize).to_vec() };
            let pointers = (0..self.natural()).map(|_| (self.natural() as usize, self.pointer())).collect();
            Box::new(Cells { bytes, written, pointers })
        });
        let ended = match (live, region) {
            (false, Region::Heap) => self.number().checked_sub(1),
            _ => None,
        };
        Object { region, owner, size, address, cells, ended, site }
    }
}
