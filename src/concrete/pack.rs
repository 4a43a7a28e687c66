//! States as parts in a store, without loss: threads, globals, locks and objects, each a part or a small tree of them.
//!
//! The parts of a state are its threads, pieces of its globals, and where there is memory its locks and its objects. The first
//! string of each says how many follow, so that the tree can be taken apart again: that of the first thread how many threads
//! there are, that of a thread how deep its stack is, that of the locks how many objects there are, that of an object its size.

mod alike;
mod coding;
mod objects;
mod order;
mod tree;

pub(super) use objects::KnownPart;

use super::machine::{Machine, Mark, ThreadData, Waiting};
use super::store::{Part, Shape, Store};
use super::trail::Changed;
use crate::program::control::{Frame, ThreadControl};
use crate::program::{EdgeId, Id, LocId, ProcId, ThreadId};
use coding::{Reader, Writer};
use order::Order;
use tree::ObjectTree;

/// A state: the two halves of a tree in the store of the machine that packed it. Equal states of one program have equal
/// halves, and the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Packed {
    /// The first half.
    pub head: Part,
    /// The second half.
    pub tail: Part,
}

/// So many globals make one part, or a few less.
const GLOBALS_IN_PART: usize = 8;

/// What packing uses again and again.
#[derive(Default)]
pub(super) struct Packing {
    bytes: Vec<u8>,
    parts: Vec<Part>,
    frames: Vec<Part>,
    order: Order,
    tree: ObjectTree,
    base: Base,
    /// Whether threads that are alike may change places.
    merges_threads: bool,
    /// Which thread is where in the state that was packed last; empty where each is in its own place.
    threads: Vec<u32>,
}

/// The parts of the state that was loaded last, and what has changed since.
#[derive(Default)]
struct Base {
    /// Its threads, pieces of globals, locks and objects.
    parts: Vec<Part>,
    /// How many threads and how many objects it has.
    threads: usize,
    objects: usize,
    /// Which of the parts have changed, as far as the trail tells.
    changed: Vec<bool>,
}

impl Base {
    /// A part, if it has not changed.
    fn known(&self, index: usize) -> Option<Part> {
        self.changed.get(index).is_some_and(|changed| !changed).then(|| self.parts[index])
    }
}

impl Machine<'_> {
    /// The present state.
    pub fn pack(&mut self) -> Packed {
        let (mut store, mut packing) = (std::mem::take(&mut self.store), std::mem::take(&mut self.packing));
        let packed = self.pack_into(&mut store, &mut packing);
        (self.store, self.packing) = (store, packing);
        packed
    }

    fn pack_into(&mut self, store: &mut Store, packing: &mut Packing) -> Packed {
        let Packing { bytes, parts, frames, order, tree, base, merges_threads, threads } = packing;
        let is_free = self.program.header_bytes > 0 && self.data.memory.objects.iter().all(|o| o.owner.is_none());
        if is_free {
            self.find_order(order);
        }
        let order = is_free.then_some(&*order);
        let is_known = self.is_based && order.is_none_or(|order| order.is_same);
        self.find_changes(base, is_known, order.map_or(self.data.memory.objects.len(), |order| order.objects.len()));
        let mut writer = Writer { bytes: std::mem::take(bytes), order, renamed: false };
        parts.clear();
        for thread in 0..self.data.threads.len() {
            parts.push(match base.known(thread) {
                Some(part) => part,
                None => self.pack_thread(thread, &mut writer, frames, store),
            });
        }
        threads.clear();
        if *merges_threads {
            self.order_threads(parts, threads);
        }
        for piece in self.data.globals.chunks(self.globals_in_part()) {
            parts.push(base.known(parts.len()).unwrap_or_else(|| {
                writer.bytes.clear();
                piece.iter().for_each(|value| writer.value(value));
                store.string(&writer.bytes)
            }));
        }
        if self.code.has_memory {
            parts.push(match base.known(parts.len()).filter(|_| threads.is_empty()) {
                Some(part) => part,
                None => self.pack_locks(&mut writer, threads, store),
            });
            parts.push(self.pack_objects(&mut writer, tree, store));
        }
        *bytes = writer.bytes;
        match parts.as_slice() {
            [only] => Packed { head: *only, tail: Part::EMPTY },
            _ => {
                let (head, tail) = parts.split_at(parts.len().div_ceil(2));
                Packed { head: store.tree(head, Shape::Even), tail: store.tree(tail, Shape::Even) }
            }
        }
    }

    /// Notes what has changed since a state was loaded, which has so many objects now; all, if that is not known.
    fn find_changes(&self, base: &mut Base, is_known: bool, objects: usize) {
        base.changed.clear();
        if !is_known || base.threads != self.data.threads.len() {
            return;
        }
        base.changed.resize(base.parts.len(), false);
        let (threads, piece) = (base.threads, self.globals_in_part());
        let locks = threads + self.code.globals.len().div_ceil(piece);
        if self.code.has_memory {
            base.changed[locks] = objects != base.objects;
        }
        self.trail.for_changes(|change| match change {
            Changed::Global(slot) => base.changed[threads + slot / piece] = true,
            Changed::Thread(thread) => base.changed[thread] = true,
            Changed::Threads => base.changed[..threads].fill(true),
            Changed::Locks => base.changed[locks] = true,
        });
    }

    /// How many globals make one part.
    fn globals_in_part(&self) -> usize {
        let count = self.code.globals.len();
        count.div_ceil(count.div_ceil(GLOBALS_IN_PART).max(1)).max(1)
    }

    fn find_order(&self, order: &mut Order) {
        order.start(self.data.memory.objects.len(), self.first.len());
        order.follow(&self.data);
        self.data.globals.iter().for_each(|value| order.value(value));
        order.follow(&self.data);
        for (thread, data) in self.data.threads.iter().enumerate() {
            // What the outer activations hold changes least.
            let mut base = 0;
            for depth in 0..self.control.threads[thread].frames.len() {
                base = self.for_live_values(thread, depth, base, |value| order.value(value));
                order.follow(&self.data);
            }
            if let Some(waiting) = &data.waiting {
                order.pointer(waiting.condition);
                order.pointer(waiting.lock);
            }
        }
        // A lock that nobody can get at any more is still held.
        self.data.locks.keys().for_each(|lock| order.pointer(*lock));
        order.follow(&self.data);
    }

    /// The values of an activation's variables, which begin at `base`, those of the thread itself before the outermost's; what
    /// cannot be read any more is undefined. Tells where the variables of the next activation begin.
    fn for_live_values(
        &self,
        thread: usize,
        depth: usize,
        mut base: usize,
        mut each: impl FnMut(&super::Value),
    ) -> usize {
        let frames = &self.control.threads[thread].frames;
        let locals = &self.data.threads[thread].locals;
        if depth == 0 {
            base = self.code.own.len();
            locals[..base].iter().for_each(&mut each);
        }
        let frame = &frames[depth];
        let end = base + self.code.locals(frame.procedure).len();
        // What takes the result of a call is written when that returns.
        let result =
            frames.get(depth + 1).and_then(|callee| callee.call).and_then(|call| self.local_result(frame, call));
        let mask = self.live_mask(frame);
        for (slot, value) in locals[base..end].iter().enumerate() {
            let is_live = mask.is_none_or(|mask| mask[slot] && result != Some(slot as u32));
            each(if is_live { value } else { &super::Value::Undefined });
        }
        end
    }

    fn pack_thread(&self, thread: usize, writer: &mut Writer<'_>, parts: &mut Vec<Part>, store: &mut Store) -> Part {
        let ThreadControl { frames, atomic, waiting } = &self.control.threads[thread];
        writer.bytes.clear();
        parts.clear();
        if thread == 0 {
            writer.natural(self.data.threads.len() as u64);
        }
        writer.natural(frames.len() as u64);
        writer.natural(u64::from(*atomic));
        let data = &self.data.threads[thread];
        writer.natural(u64::from(*waiting) | u64::from(data.waiting.is_some()) << 1);
        if let Some(waiting) = &data.waiting {
            writer.pointer(waiting.condition);
            writer.pointer(waiting.lock);
            writer.natural(u64::from(waiting.depth));
            writer.natural(u64::from(waiting.notified));
        }
        let mut base = 0;
        for (depth, frame) in frames.iter().enumerate() {
            if depth > 0 {
                parts.push(store.string(&writer.bytes));
                writer.bytes.clear();
            }
            writer.natural(frame.procedure.index() as u64);
            writer.natural(frame.location.index() as u64);
            writer.natural(frame.call.map_or(0, |call| 1 + call.index() as u64));
            base = self.for_live_values(thread, depth, base, |value| writer.value(value));
        }
        parts.push(store.string(&writer.bytes));
        store.tree(parts, Shape::Growing)
    }

    fn pack_locks(&self, writer: &mut Writer<'_>, threads: &[u32], store: &mut Store) -> Part {
        writer.bytes.clear();
        let count = writer.order.map_or(self.data.memory.objects.len(), |order| order.objects.len());
        writer.natural(count as u64);
        writer.natural(self.data.locks.len() as u64);
        let renamed = |lock| writer.renamed_pointer(lock);
        let mut locks: Vec<_> = self.data.locks.iter().map(|(lock, holder)| (renamed(*lock), *holder)).collect();
        locks.sort_unstable_by_key(|(lock, _)| *lock);
        for (lock, (owner, depth)) in locks {
            writer.plain_pointer(lock);
            let place = threads.iter().position(|thread| *thread as usize == owner.index());
            writer.natural(place.unwrap_or(owner.index()) as u64);
            writer.natural(u64::from(depth));
        }
        store.string(&writer.bytes)
    }

    /// Goes to a state that this machine packed, or another one of this program with this store. Marks made before are no
    /// longer good.
    pub fn load(&mut self, packed: Packed) {
        let (store, mut packing) = (std::mem::take(&mut self.store), std::mem::take(&mut self.packing));
        self.load_from(&store, &mut packing, packed);
        (self.store, self.packing) = (store, packing);
    }

    fn load_from(&mut self, store: &Store, packing: &mut Packing, packed: Packed) {
        let Packing { parts, frames, tree, base, .. } = packing;
        match self.is_based {
            true => self.restore(Mark(0)),
            false => base.parts.clear(),
        }
        let mut head = Reader { bytes: store.bytes_of(store.first_of(packed.head)) };
        let threads = head.natural() as usize;
        let piece = self.globals_in_part();
        let count = threads + self.code.globals.len().div_ceil(piece) + 2 * usize::from(self.code.has_memory);
        parts.clear();
        store.parts_of(packed.head, count.div_ceil(2), Shape::Even, parts);
        if count > 1 {
            store.parts_of(packed.tail, count / 2, Shape::Even, parts);
        }
        if base.threads != threads {
            base.parts.clear();
        }
        self.control.threads.resize_with(threads, ThreadControl::default);
        self.data.threads.resize_with(threads, ThreadData::default);
        let is_there = |index: usize| base.parts.get(index) == Some(&parts[index]);
        for thread in (0..threads).filter(|thread| !is_there(*thread)) {
            self.load_thread(thread, parts[thread], frames, store);
        }
        let globals = self.data.globals.chunks_mut(piece).zip(self.code.globals.chunks(piece));
        for (index, (values, types)) in (threads..).zip(globals).filter(|(index, _)| !is_there(*index)) {
            let mut reader = Reader { bytes: store.bytes_of(parts[index]) };
            values.iter_mut().zip(types).for_each(|(value, ty)| *value = reader.value(*ty));
        }
        if let [.., locks, objects] = *parts.as_slice()
            && self.code.has_memory
        {
            if !is_there(count - 2) {
                base.objects = self.load_locks(locks, store);
            }
            self.load_objects(objects, base.objects, tree, store);
        }
        self.commit();
        self.is_based = true;
        base.threads = threads;
        std::mem::swap(&mut base.parts, parts);
    }

    fn load_thread(&mut self, thread: usize, part: Part, parts: &mut Vec<Part>, store: &Store) {
        let mut reader = Reader { bytes: store.bytes_of(store.first_of(part)) };
        if thread == 0 {
            reader.natural();
        }
        let depth = reader.natural() as usize;
        let (control, data) = (&mut self.control.threads[thread], &mut self.data.threads[thread]);
        control.atomic = reader.number();
        let flags = reader.natural();
        control.waiting = flags & 1 != 0;
        data.waiting = (flags & 2 != 0).then(|| Waiting {
            condition: reader.pointer(),
            lock: reader.pointer(),
            depth: reader.number(),
            notified: reader.natural() != 0,
        });
        control.frames.clear();
        data.locals.clear();
        data.base = 0;
        parts.clear();
        store.parts_of(part, depth.max(1), Shape::Growing, parts);
        for (number, part) in parts.iter().enumerate().take(depth) {
            if number > 0 {
                reader = Reader { bytes: store.bytes_of(*part) };
            }
            let frame = Frame {
                procedure: ProcId::new(reader.natural() as usize),
                location: LocId::new(reader.natural() as usize),
                call: (reader.natural() as usize).checked_sub(1).map(EdgeId::new),
            };
            if number == 0 {
                data.locals.extend(self.code.own.iter().map(|ty| reader.value(*ty)));
            }
            data.base = data.locals.len();
            data.locals.extend(self.code.locals(frame.procedure).iter().map(|ty| reader.value(*ty)));
            control.frames.push(frame);
        }
    }

    /// Tells how many objects there are.
    fn load_locks(&mut self, part: Part, store: &Store) -> usize {
        let mut reader = Reader { bytes: store.bytes_of(part) };
        let objects = reader.natural() as usize;
        self.data.locks.clear();
        for _ in 0..reader.natural() {
            let (lock, owner) = (reader.pointer(), ThreadId::new(reader.number() as usize));
            self.data.locks.insert(lock, (owner, reader.number()));
        }
        objects
    }
}
