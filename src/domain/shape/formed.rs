//! Whether a shape is well-formed: what steps and coverings take for granted of one.

use super::number::Number;
use super::{Body, Fields, Object, Part, Segment, Shape, Template, Value};
use crate::program::Region;

impl Shape {
    /// Whether it means something: every pointer is to an object that is there, every name has a number, values in
    /// memory lie inside their objects and apart from each other, and every chain has what a chain needs.
    pub fn is_well_formed(&self, pointer_bytes: i64) -> bool {
        let mut is_known = true;
        self.for_each_root(&mut |value| is_known &= self.is_meant(value));
        for object in self.objects.values() {
            object.for_each(&mut |value| is_known &= self.is_meant(value));
        }
        let numbers = self.numbers.iter().all(|(symbol, number)| *symbol < self.next_symbol && is_number(number));
        let objects =
            self.objects.iter().all(|(id, object)| *id < self.next_object && object.is_well_formed(pointer_bytes));
        is_known && numbers && objects && self.results.is_empty() && self.operations.is_empty()
    }

    /// Whether a value is about what the shape has.
    fn is_meant(&self, value: Value) -> bool {
        match value {
            Value::Symbol(symbol) => self.numbers.contains_key(&symbol),
            Value::Pointer(target) => {
                self.objects.get(&target.object).is_some_and(|object| !target.last || object.segment().is_some())
            }
            _ => true,
        }
    }
}

/// Whether a set of numbers has one, and is in order.
fn is_number(number: &Number) -> bool {
    match number {
        Number::Set(values) => !values.is_empty() && values.is_sorted(),
        Number::Range(low, high) => low <= high,
        Number::Except(low, hole, high) => low < hole && hole < high,
    }
}

impl Object {
    fn is_well_formed(&self, pointer_bytes: i64) -> bool {
        let is_owned = self.owner.is_some() == self.region.is_on_stack();
        let body = match &self.body {
            Body::Region(Fields { cells, zeros }) => {
                let cells = cells.iter().map(|(offset, cell)| (*offset, offset + cell.bytes));
                are_apart(cells.chain(zeros.iter().copied()).collect(), self.size)
            }
            Body::Segment(Segment { links, nodes, min, prev_out, order, .. }) => {
                let has_prev = links.prev.is_some() || *prev_out == Value::Null;
                let taken = [Some(links.next), links.prev.map(|prev| prev.0)].into_iter().flatten();
                let taken: Vec<(i64, i64)> = taken.map(|offset| (offset, offset + pointer_bytes)).collect();
                let are_nodes =
                    !nodes.is_empty() && nodes.iter().all(|node| node.is_well_formed(&taken, self.size, pointer_bytes));
                self.region == Region::Heap && *min > 0 && has_prev && are_nodes && order.is_of(nodes.len())
            }
        };
        is_owned && body
    }
}

impl Template {
    /// Whether it is one of an object of so many bytes, some of which are links.
    fn is_well_formed(&self, links: &[(i64, i64)], size: i64, pointer_bytes: i64) -> bool {
        let parts = self.parts.iter().map(|(offset, (bytes, _))| (*offset, offset + bytes));
        let ranges = parts.chain(self.zeros.iter().copied()).chain(links.iter().copied()).collect();
        let is_part = |(bytes, part): &(i64, Part)| match part {
            Part::Shared(value) => !matches!(value, Value::Any | Value::Unset),
            Part::Number(number) => is_number(number),
            Part::Itself(_) => *bytes == pointer_bytes,
            Part::Own(own) => {
                let taken = own.chain.iter().flat_map(|(links, _)| [Some(links.next), links.prev.map(|prev| prev.0)]);
                let taken: Vec<(i64, i64)> = taken.flatten().map(|offset| (offset, offset + pointer_bytes)).collect();
                let count = if own.chain.is_some() { own.nodes.len() } else { 1 };
                let has_min = own.chain.is_none_or(|(_, min)| min > 0);
                *bytes == pointer_bytes
                    && has_min
                    && !own.nodes.is_empty()
                    && own.nodes.len() == count
                    && own.nodes.iter().all(|node| node.is_well_formed(&taken, own.size, pointer_bytes))
            }
        };
        are_apart(ranges, size) && self.parts.values().all(is_part)
    }
}

/// Whether ranges are inside an object and apart from each other.
fn are_apart(mut ranges: Vec<(i64, i64)>, size: i64) -> bool {
    ranges.sort_unstable();
    ranges.iter().all(|(from, to)| 0 <= *from && from < to && *to <= size)
        && ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0)
}
