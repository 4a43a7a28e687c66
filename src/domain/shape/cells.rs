//! The bytes of one object: values are read and written, whole or in part.

use super::{Cell, Fields, Value};

impl Fields {
    /// The value that takes exactly these bytes.
    pub(super) fn exact(&self, offset: i64, bytes: i64) -> Option<Value> {
        self.cells.get(&offset).filter(|cell| cell.bytes == bytes).map(|cell| cell.value)
    }

    /// Whether these bytes are zero.
    pub(super) fn is_zero(&self, offset: i64, bytes: i64) -> bool {
        self.zeros.iter().any(|(from, to)| *from <= offset && offset + bytes <= *to)
    }

    /// Whether nothing is known of any of these bytes.
    pub(super) fn is_unknown(&self, offset: i64, bytes: i64) -> bool {
        let end = offset + bytes;
        self.overlapping(offset, end).is_empty() && !self.zeros.iter().any(|(from, to)| *from < end && offset < *to)
    }

    /// The offsets of cells that share bytes with a range.
    fn overlapping(&self, from: i64, to: i64) -> Vec<i64> {
        let near = self.cells.range(..to).filter(|(offset, cell)| **offset + cell.bytes > from);
        near.map(|(offset, _)| *offset).collect()
    }

    /// Forgets what is known of a range of bytes.
    pub(super) fn forget(&mut self, from: i64, to: i64) {
        for offset in self.overlapping(from, to) {
            self.cells.remove(&offset);
        }
        let parts = |(start, end): (i64, i64)| [(start, end.min(from)), (start.max(to), end)];
        self.zeros = self.zeros.iter().copied().flat_map(parts).filter(|(start, end)| start < end).collect();
    }

    /// Writes a value.
    pub(super) fn write(&mut self, offset: i64, bytes: i64, value: Value) {
        self.forget(offset, offset + bytes);
        match value {
            Value::Unset | Value::Any => {}
            value => {
                self.cells.insert(offset, Cell { bytes, value });
            }
        }
    }

    /// Writes zeros.
    pub(super) fn clear(&mut self, from: i64, to: i64) {
        self.forget(from, to);
        self.zeros.push((from, to));
        self.zeros.sort_unstable();
        let mut merged: Vec<(i64, i64)> = Vec::new();
        for (start, end) in self.zeros.drain(..) {
            match merged.last_mut() {
                Some(last) if last.1 == start => last.1 = end,
                _ => merged.push((start, end)),
            }
        }
        self.zeros = merged;
    }

    /// Copies bytes of another object, or of this one as it was.
    pub(super) fn copy(&mut self, to: i64, source: &Fields, from: i64, bytes: i64) {
        self.forget(to, to + bytes);
        for (start, end) in &source.zeros {
            let (start, end) = ((*start).max(from), (*end).min(from + bytes));
            if start < end {
                self.clear(start - from + to, end - from + to);
            }
        }
        for (offset, cell) in source.cells.range(from..from + bytes) {
            if offset + cell.bytes <= from + bytes {
                self.cells.insert(offset - from + to, *cell);
            }
        }
    }
}
