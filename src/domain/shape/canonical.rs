//! One form for shapes that differ in the numbers of objects and names alone, without what nothing can read.

use super::{Object, ObjectId, Part, Shape, SymbolId, Template, Value};
use std::collections::BTreeMap;

impl Shape {
    /// Leaves out what no variable leads to, unless all objects are kept; then numbers objects and names in the order in
    /// which they are found.
    pub fn tidy(&mut self, keeps_all: bool) {
        self.operations.clear();
        let mut order: Vec<ObjectId> = Vec::new();
        let mut numbers: BTreeMap<ObjectId, ObjectId> = BTreeMap::new();
        let mut find = |value: Value, order: &mut Vec<ObjectId>| {
            if let Some(target) = value.target()
                && !numbers.contains_key(&target.object)
            {
                order.push(target.object);
                numbers.insert(target.object, order.len() as ObjectId);
            }
        };
        self.for_each_root(&mut |value| find(value, &mut order));
        let mut next = 0;
        loop {
            while let Some(object) = order.get(next).and_then(|id| self.objects.get(id)) {
                next += 1;
                object.for_each(&mut |value| find(value, &mut order));
            }
            let missed = self.objects.keys().find(|id| keeps_all && !order.contains(id));
            match missed {
                Some(id) => find(Value::to_object(*id), &mut order),
                None => break,
            }
        }
        self.renumber_objects(&order);
        self.renumber_symbols();
    }

    fn renumber_objects(&mut self, order: &[ObjectId]) {
        let mut objects = std::mem::take(&mut self.objects);
        let ids: BTreeMap<ObjectId, ObjectId> = order.iter().copied().zip(1..).collect();
        self.objects = order.iter().filter_map(|id| Some((ids[id], objects.remove(id)?))).collect();
        self.next_object = order.len() as ObjectId + 1;
        self.change(&mut |value| {
            if let Value::Pointer(target) = value {
                target.object = ids[&target.object];
            }
        });
    }

    fn renumber_symbols(&mut self) {
        let mut ids: BTreeMap<SymbolId, SymbolId> = BTreeMap::new();
        self.change(&mut |value| {
            if let Value::Symbol(symbol) = value {
                let next = ids.len() as SymbolId;
                *symbol = *ids.entry(*symbol).or_insert(next);
            }
        });
        let numbers = std::mem::take(&mut self.numbers);
        self.next_symbol = ids.len() as SymbolId;
        let kept = numbers.into_iter().filter_map(|(symbol, number)| Some((*ids.get(&symbol)?, number)));
        self.numbers = kept.collect();
    }
}

/// A place that holds a number, or something else.
pub(super) enum Slot<'a> {
    /// A value.
    Value(&'a mut Value),
    /// A number of each node's own.
    Number(&'a mut super::number::Number),
}

impl Shape {
    /// Calls a function on every place that can hold a number, in an order that only the form of the shape decides.
    pub(super) fn for_each_slot(&mut self, visit: &mut impl FnMut(Slot<'_>)) {
        self.change_roots(&mut |value| visit(Slot::Value(value)));
        for Object { body, .. } in self.objects.values_mut() {
            match body {
                super::Body::Region(fields) => {
                    fields.cells.values_mut().for_each(|cell| visit(Slot::Value(&mut cell.value)));
                }
                super::Body::Segment(segment) => segment.nodes.iter_mut().for_each(|node| node.for_each_slot(visit)),
            }
        }
    }
}

impl Template {
    fn for_each_slot(&mut self, visit: &mut impl FnMut(Slot<'_>)) {
        for (_, part) in self.parts.values_mut() {
            match part {
                Part::Shared(value) => visit(Slot::Value(value)),
                Part::Number(number) => visit(Slot::Number(number)),
                Part::Own(own) => own.nodes.iter_mut().for_each(|node| node.for_each_slot(visit)),
                Part::Itself(_) => {}
            }
        }
    }
}
