//! Numbers for objects that do not depend on when they were made.

use crate::concrete::machine::Data;
use crate::concrete::{Pointer, Value};

/// Numbers for objects: those that are there from the start keep theirs, the others have them in the order in which they are
/// found from the variables on, and those that are not found have none. For programs that never look at addresses.
#[derive(Default)]
pub(in crate::concrete) struct Order {
    /// The new numbers, from 1 on, by the old ones; 0 for none.
    numbers: Vec<u32>,
    /// The objects in the new order, by index.
    pub(super) objects: Vec<usize>,
    /// Whether every object that is found has the number that it had.
    pub(super) is_same: bool,
    /// How many of those that were found were looked into.
    followed: usize,
}

impl Order {
    /// Starts with the objects that are there from the start.
    pub(super) fn start(&mut self, count: usize, first: usize) {
        self.numbers.clear();
        self.numbers.resize(count, 0);
        self.objects.clear();
        (self.is_same, self.followed) = (true, 0);
        (0..first.min(count)).for_each(|index| self.note(index));
    }

    /// Finds all that those found so far lead to. What was found before keeps its number, whatever is found later.
    pub(super) fn follow(&mut self, data: &Data) {
        while let Some(index) = self.objects.get(self.followed).copied() {
            self.followed += 1;
            if let Some(cells) = &data.memory.objects[index].cells {
                cells.pointers.values().for_each(|pointer| self.pointer(pointer));
            }
        }
    }

    #[inline]
    pub(super) fn value(&mut self, value: &Value) {
        if let Value::Pointer(pointer) = value {
            self.pointer(*pointer);
        }
    }

    pub(super) fn pointer(&mut self, pointer: Pointer) {
        if let Some(index) = (pointer.object as usize).checked_sub(1).filter(|index| *index < self.numbers.len()) {
            self.note(index);
        }
    }

    fn note(&mut self, index: usize) {
        if self.numbers[index] == 0 {
            self.objects.push(index);
            self.numbers[index] = self.objects.len() as u32;
            self.is_same &= self.objects.len() == index + 1;
        }
    }

    pub(super) fn renamed(&self, pointer: Pointer) -> Pointer {
        let number = (pointer.object as usize).checked_sub(1).and_then(|index| self.numbers.get(index));
        Pointer { object: number.copied().unwrap_or(pointer.object), ..pointer }
    }
}
