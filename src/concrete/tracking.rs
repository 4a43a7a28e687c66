//! Objects on the heap that are lost: nothing that the program holds leads to them.

use super::eval::Scene;
use super::machine::Machine;
use super::memory::{Memory, Object};
use super::{Pointer, Value};
use crate::program::Region;
use std::cell::Cell;

impl Scene<'_> {
    /// Whether an object on the heap is lost. At the end of the program, what is on the stack of the first thread does
    /// not count. An object that only a number could lead to is not lost, but whether it is held depends on where it lies.
    pub(super) fn has_lost(&self, at_end: bool) -> bool {
        !self.lost(at_end).is_empty()
    }

    /// The objects on the heap that are lost, by index.
    pub(super) fn lost(&self, at_end: bool) -> Vec<usize> {
        let objects = &self.memory.objects;
        if !objects.iter().any(is_on_heap) {
            return Vec::new();
        }
        let mut reached = Reached::new(self.memory);
        for (index, object) in objects.iter().enumerate() {
            let is_gone = at_end && object.owner.is_some_and(|(thread, _)| thread == 0);
            if object.region != Region::Heap && !is_gone {
                reached.object(index);
            }
        }
        self.held(at_end).for_each(|value| {
            if let Value::Pointer(pointer) = value {
                reached.pointer(*pointer);
            }
        });
        reached.follow(false);
        if reached.missed().is_empty() {
            return Vec::new();
        }
        self.held(at_end).for_each(|value| {
            if let Value::Int(number) = value {
                reached.address(number.wrap_unsigned(64).to_u64().unwrap_or_default());
            }
        });
        reached.follow(true);
        let lost = reached.missed();
        if lost.is_empty() {
            self.seen.set(true);
        }
        lost
    }

    /// The values of all variables that count.
    fn held(&self, at_end: bool) -> impl Iterator<Item = &Value> {
        let threads = self.threads.iter().skip(usize::from(at_end));
        self.globals.iter().chain(threads.flat_map(|thread| &thread.locals))
    }
}

impl Machine<'_> {
    /// The first object on the heap that is lost, by index, and its size.
    pub(super) fn first_lost(&self) -> Option<(usize, u64)> {
        let scene = self.scene(0);
        let lost = [false, true].into_iter().find_map(|at_end| scene.lost(at_end).first().copied())?;
        Some((lost, self.data.memory.objects[lost].size))
    }
}

fn is_on_heap(object: &Object) -> bool {
    object.region == Region::Heap && object.cells.is_some()
}

/// The objects that were found.
struct Reached<'m> {
    memory: &'m Memory,
    found: Vec<bool>,
    /// Those that were found, in order.
    order: Vec<usize>,
}

impl<'m> Reached<'m> {
    fn new(memory: &'m Memory) -> Reached<'m> {
        Reached { memory, found: vec![false; memory.objects.len()], order: Vec::new() }
    }

    fn object(&mut self, index: usize) {
        if let Some(found) = self.found.get_mut(index)
            && !std::mem::replace(found, true)
        {
            self.order.push(index);
        }
    }

    fn pointer(&mut self, pointer: Pointer) {
        if let Some(index) = (pointer.object as usize).checked_sub(1) {
            self.object(index);
        }
    }

    fn address(&mut self, address: u64) {
        self.pointer(self.memory.pointer_to(address, &Cell::new(false)));
    }

    /// Follows the pointers in all that was found; also bytes that are the address of an object, if that is wanted.
    fn follow(&mut self, by_bytes: bool) {
        let mut next = 0;
        while let Some(&index) = self.order.get(next) {
            next += 1;
            let Some(cells) = &self.memory.objects[index].cells else { continue };
            cells.pointers.values().for_each(|pointer| self.pointer(pointer));
            if by_bytes {
                for bytes in cells.bytes.windows(self.memory.pointer_bytes as usize) {
                    let mut word = [0; 8];
                    word[..bytes.len()].copy_from_slice(bytes);
                    self.address(u64::from_le_bytes(word));
                }
            }
        }
    }

    /// The objects on the heap that were not found.
    fn missed(&self) -> Vec<usize> {
        let objects = self.memory.objects.iter().zip(&self.found).enumerate();
        objects.filter(|(_, (object, found))| is_on_heap(object) && !**found).map(|(index, _)| index).collect()
    }
}
