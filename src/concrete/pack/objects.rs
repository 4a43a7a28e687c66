//! Objects as parts. An object that has not changed since it was packed or loaded is the part that it was.

use super::coding::{Reader, Writer};
use super::tree::ObjectTree;
use crate::concrete::machine::Machine;
use crate::concrete::memory::{Cells, Object};
use crate::concrete::store::{Part, Shape, Store};
use crate::program::Region;

/// The part that an object is, while it is known. Two objects that differ in it alone are the same.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::concrete) struct KnownPart(pub Option<Part>);

impl PartialEq for KnownPart {
    fn eq(&self, _: &KnownPart) -> bool {
        true
    }
}

impl Eq for KnownPart {}

/// A longer object has a part for each so many bytes.
const BLOCK: usize = 256;

impl Machine<'_> {
    pub(super) fn pack_objects(&mut self, writer: &mut Writer<'_>, tree: &mut ObjectTree, store: &mut Store) -> Part {
        let count = self.data.memory.objects.len();
        let known = if count >= self.first.len() { self.first.len() } else { 0 };
        let found = writer.order.map_or(count, |order| order.objects.len());
        tree.start(found);
        for position in 0..found {
            let index = writer.order.map_or(position, |order| order.objects[position]);
            let object = &mut self.data.memory.objects[index];
            let part = match object.part.0.filter(|_| keeps_numbers(object, writer)) {
                Some(part) => part,
                None if index < known && *object == self.first[index] => {
                    // The empty string stands for an object as it was at the start.
                    object.part.0 = Some(Part::EMPTY);
                    Part::EMPTY
                }
                None => {
                    writer.renamed = false;
                    let coding =
                        Coding { pointer_bytes: self.program.pointer_bytes, keeps_sites: self.code.has_threads };
                    let part = coding.pack(object, writer, store);
                    object.part.0 = (!writer.renamed).then_some(part);
                    part
                }
            };
            tree.set(position, part);
        }
        tree.root(store)
    }

    pub(super) fn load_objects(&mut self, root: Part, count: usize, tree: &mut ObjectTree, store: &Store) {
        tree.load(root, count, store);
        let known = if count >= self.first.len() { self.first.len() } else { 0 };
        let coding = Coding { pointer_bytes: self.program.pointer_bytes, keeps_sites: self.code.has_threads };
        let memory = &mut self.data.memory;
        memory.objects.truncate(count);
        let (mut moved, mut read) = (false, Vec::new());
        for (index, part) in tree.parts().iter().enumerate() {
            let address = memory.address_at(index);
            if let Some(object) = memory.objects.get_mut(index)
                && object.part.0 == Some(*part)
            {
                moved |= object.address != address;
                object.address = address;
                continue;
            }
            let mut object = match *part {
                Part::EMPTY if index < known => self.first[index].clone(),
                part => coding.load(part, store),
            };
            object.part.0 = Some(*part);
            moved |= memory.objects.get(index).is_some_and(|before| before.address != address);
            object.address = address;
            match memory.objects.get_mut(index) {
                Some(place) => *place = object,
                None => memory.objects.push(object),
            }
            read.push(index);
        }
        if self.program.header_bytes > 0 {
            match moved {
                true => (0..count).for_each(|index| memory.write_addresses(index)),
                false => read.into_iter().for_each(|index| memory.write_addresses(index)),
            }
        }
        self.data.threads.iter_mut().for_each(|thread| thread.objects.clear());
        for (number, object) in memory.objects.iter().enumerate() {
            if let (Some((thread, depth)), Some(_)) = (object.owner, &object.cells) {
                // Where the end of the main thread has ended all, objects outlive their activations.
                let thread = thread as usize;
                if self.control.threads.get(thread).is_some_and(|t| (depth as usize) < t.frames.len()) {
                    self.data.threads[thread].objects.push((depth, number as u32));
                }
            }
        }
    }
}

/// Whether all objects that an object points to have the numbers that they had.
fn keeps_numbers(object: &Object, writer: &Writer<'_>) -> bool {
    match (&object.cells, writer.order) {
        (Some(cells), Some(order)) if !order.is_same => {
            cells.pointers.values().all(|pointer| order.renamed(pointer) == pointer)
        }
        _ => true,
    }
}

struct Coding {
    pointer_bytes: u32,
    /// Whether it is told where objects were made.
    keeps_sites: bool,
}

impl Coding {
    fn pack(&self, object: &Object, writer: &mut Writer<'_>, store: &mut Store) -> Part {
        let region = match object.region {
            Region::Static => 0,
            Region::Stack => 1,
            Region::Heap => 2,
            Region::Literal => 3,
            Region::Constant => 4,
            Region::ConstantStack => 5,
        };
        writer.bytes.clear();
        writer.natural(region | u64::from(object.cells.is_some()) << 3);
        if let Some((thread, depth)) = object.owner {
            writer.natural(u64::from(thread));
            writer.natural(u64::from(depth));
        }
        writer.natural(object.size);
        if self.keeps_sites {
            writer.natural(u64::from(object.site));
        }
        let Some(cells) = &object.cells else {
            if object.region == Region::Heap {
                writer.natural(object.ended.map_or(0, |ended| 1 + u64::from(ended)));
            }
            return store.string(&writer.bytes);
        };
        let masked = (writer.order.is_some() && !cells.pointers.is_empty()).then(|| self.masked(cells));
        let bytes = masked.as_ref().unwrap_or(&cells.bytes);
        if bytes.len() <= BLOCK {
            block(cells, bytes, 0, writer);
            return store.string(&writer.bytes);
        }
        let mut parts = vec![store.string(&writer.bytes)];
        for start in (0..bytes.len()).step_by(BLOCK) {
            writer.bytes.clear();
            block(cells, bytes, start, writer);
            parts.push(store.string(&writer.bytes));
        }
        store.tree(&parts, Shape::Growing)
    }

    /// The bytes without pointers: where objects lie depends on their numbers.
    fn masked(&self, cells: &Cells) -> Vec<u8> {
        let mut bytes = cells.bytes.clone();
        for (offset, _) in cells.pointers.iter() {
            if let Some(place) = bytes.get_mut(offset..offset + self.pointer_bytes as usize) {
                place.fill(0);
            }
        }
        bytes
    }

    /// The object but for its address.
    fn load(&self, part: Part, store: &Store) -> Object {
        let mut reader = Reader { bytes: store.bytes_of(store.first_of(part)) };
        let head = reader.natural();
        let region = match head & 7 {
            0 => Region::Static,
            1 => Region::Stack,
            2 => Region::Heap,
            3 => Region::Literal,
            4 => Region::Constant,
            _ => Region::ConstantStack,
        };
        let owner = region.is_on_stack().then(|| (reader.number(), reader.number()));
        let size = reader.natural();
        let site = if self.keeps_sites { reader.number() } else { 0 };
        let is_live = head & 8 != 0;
        let cells = is_live.then(|| {
            let mut cells =
                Cells { bytes: vec![0; size as usize], written: vec![1; size as usize], ..Cells::default() };
            if size as usize <= BLOCK {
                read_block(&mut cells, 0, &mut reader);
            } else {
                let mut parts = Vec::new();
                store.parts_of(part, 1 + (size as usize).div_ceil(BLOCK), Shape::Growing, &mut parts);
                for (number, part) in parts[1..].iter().enumerate() {
                    read_block(&mut cells, number * BLOCK, &mut Reader { bytes: store.bytes_of(*part) });
                }
            }
            Box::new(cells)
        });
        let ended = match (is_live, region) {
            (false, Region::Heap) => reader.number().checked_sub(1),
            _ => None,
        };
        Object { region, owner, size, address: 0, cells, ended, site, part: KnownPart::default() }
    }
}

/// Writes the bytes from a start on, which bytes were written, and the pointers that start there.
fn block(cells: &Cells, bytes: &[u8], start: usize, writer: &mut Writer<'_>) {
    let range = start..bytes.len().min(start + BLOCK);
    let (bytes, written) = (&bytes[range.clone()], &cells.written[range.clone()]);
    // Zeros at the end are many, and need not be kept.
    let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let all_written = written.iter().all(|mark| *mark == 1);
    writer.natural((length as u64) << 1 | u64::from(all_written));
    writer.bytes.extend_from_slice(&bytes[..length]);
    if !all_written {
        writer.bytes.extend_from_slice(written);
    }
    for (offset, pointer) in cells.pointers.range(range) {
        writer.natural((*offset - start) as u64);
        writer.pointer(*pointer);
    }
}

fn read_block(cells: &mut Cells, start: usize, reader: &mut Reader<'_>) {
    let head = reader.natural();
    let (length, all_written) = ((head >> 1) as usize, head & 1 != 0);
    cells.bytes[start..start + length].copy_from_slice(reader.take(length));
    if !all_written {
        let end = cells.bytes.len().min(start + BLOCK);
        let marks = reader.take(end - start);
        cells.written[start..end].copy_from_slice(marks);
    }
    let mut pointers = Vec::new();
    while !reader.bytes.is_empty() {
        pointers.push((start + reader.natural() as usize, reader.pointer()));
    }
    cells.pointers.insert(&pointers);
}
