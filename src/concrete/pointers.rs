//! The pointers that an object holds, by offset. They are looked through far more often than they change.

use super::Pointer;
use std::ops::Range;

/// Pointers by offset, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Pointers(Vec<(usize, Pointer)>);

impl Pointers {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pointer at an offset.
    #[inline]
    pub(super) fn get(&self, offset: usize) -> Option<Pointer> {
        let index = self.position(offset);
        self.0.get(index).filter(|(at, _)| *at == offset).map(|(_, pointer)| *pointer)
    }

    /// The pointers in a range of offsets.
    pub(super) fn range(&self, range: Range<usize>) -> &[(usize, Pointer)] {
        &self.0[self.position(range.start)..self.position(range.end)]
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, Pointer)> + '_ {
        self.0.iter().copied()
    }

    /// All of them, without their offsets.
    pub(super) fn values(&self) -> impl Iterator<Item = Pointer> + '_ {
        self.0.iter().map(|(_, pointer)| *pointer)
    }

    /// Takes out those in a range of offsets.
    pub(super) fn remove(&mut self, range: Range<usize>) {
        let (start, end) = (self.position(range.start), self.position(range.end));
        self.0.drain(start..end);
    }

    /// Adds pointers in order, with no other between the first and the last of them.
    pub(super) fn insert(&mut self, pointers: &[(usize, Pointer)]) {
        if let Some((first, _)) = pointers.first() {
            let at = self.position(*first);
            self.0.splice(at..at, pointers.iter().copied());
        }
        debug_assert!(self.0.is_sorted_by(|(one, _), (other, _)| one < other), "pointers are in order");
    }

    /// The index of the first pointer that is not before an offset.
    #[inline]
    fn position(&self, offset: usize) -> usize {
        match self.0.last() {
            Some((last, _)) if *last >= offset => self.0.partition_point(|(at, _)| *at < offset),
            _ => self.0.len(),
        }
    }
}
