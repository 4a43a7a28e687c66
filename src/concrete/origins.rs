//! Bytes that were never written and were copied: a copy holds what the original holds, whatever that is.
//!
//! An execution takes an input where such a byte is first read, original or copy. With other values for two copies of one
//! byte, it is none of the program's.

use super::memory::Memory;
use super::value::Pointer;
use rustc_hash::{FxHashMap, FxHashSet};

/// Which bytes that were never written are copies of which, and what was read of them.
#[derive(Debug, Default)]
pub(super) struct Origins {
    /// Objects that stand for any contents: each copy of them is another one.
    any: FxHashSet<u32>,
    /// The number of what each byte is a copy of, by object and offset.
    of: FxHashMap<(u32, i64), usize>,
    /// What was read, by these numbers.
    values: Vec<Option<u8>>,
    /// Whether two copies had other values.
    pub differ: bool,
}

impl Origins {
    pub(super) fn new(any: FxHashSet<u32>) -> Origins {
        Origins { any, ..Origins::default() }
    }

    /// Notes a copy that is about to be made.
    pub(super) fn copy(&mut self, memory: &Memory, target: Pointer, source: Pointer, size: usize) {
        let Some((_, marks)) = memory.contents(source, size) else { return };
        let is_any = self.any.contains(&source.object);
        let mut origins = Vec::with_capacity(size);
        for (offset, mark) in (source.offset..).zip(marks) {
            let values = &mut self.values;
            let origin = (*mark == 0 && !is_any).then(|| {
                *self.of.entry((source.object, offset)).or_insert_with(|| {
                    values.push(None);
                    values.len() - 1
                })
            });
            origins.push(origin);
        }
        for (offset, origin) in (target.offset..).zip(origins) {
            let place = (target.object, offset);
            match origin {
                Some(origin) => self.of.insert(place, origin),
                None => self.of.remove(&place),
            };
        }
    }

    /// Notes what a byte that was never written turned out to hold.
    pub(super) fn read(&mut self, object: u32, offset: i64, byte: u8) {
        if let Some(origin) = self.of.get(&(object, offset)) {
            let known = self.values[*origin].get_or_insert(byte);
            self.differ |= *known != byte;
        }
    }
}
