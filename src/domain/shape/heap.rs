//! The objects of a shape: how they are made and ended, who points to them, and what is lost.

use super::number::Number;
use super::{Body, Fields, Object, ObjectId, OwnObject, Part, Segment, Shape, SymbolId, Target, Template, Value};
use crate::program::Region;
use std::collections::BTreeSet;

impl Value {
    /// The pointer to the first byte of an object.
    pub(super) fn to_object(object: ObjectId) -> Value {
        Value::Pointer(Target { object, last: false, offset: 0 })
    }

    /// Where it points to, if it is a pointer into a live object.
    pub(super) fn target(self) -> Option<Target> {
        match self {
            Value::Pointer(target) => Some(target),
            _ => None,
        }
    }
}

impl Object {
    /// What it holds, if it is one object.
    pub(super) fn fields(&self) -> Option<&Fields> {
        match &self.body {
            Body::Region(fields) => Some(fields),
            Body::Segment(_) => None,
        }
    }

    /// The chain, if it is one.
    pub(super) fn segment(&self) -> Option<&Segment> {
        match &self.body {
            Body::Region(_) => None,
            Body::Segment(segment) => Some(segment),
        }
    }

    /// Calls a function on every value that it holds.
    pub(super) fn for_each(&self, visit: &mut impl FnMut(Value)) {
        match &self.body {
            Body::Region(fields) => fields.cells.values().for_each(|cell| visit(cell.value)),
            Body::Segment(segment) => {
                visit(segment.next_out);
                visit(segment.prev_out);
                segment.nodes.iter().for_each(|node| node.for_each(visit));
            }
        }
    }

    /// Calls a function on every pointer that it holds for certain: of a chain, those out of it, and those of every
    /// template.
    fn for_each_certain(&self, visit: &mut impl FnMut(Target)) {
        match &self.body {
            Body::Region(fields) => fields.cells.values().filter_map(|cell| cell.value.target()).for_each(visit),
            Body::Segment(segment) => {
                let out = [segment.next_out, segment.prev_out].into_iter().filter_map(Value::target);
                out.chain(in_all(&segment.nodes)).for_each(visit);
            }
        }
    }

    /// Changes every value that it holds.
    pub(super) fn change(&mut self, change: &mut impl FnMut(&mut Value)) {
        match &mut self.body {
            Body::Region(fields) => fields.cells.values_mut().for_each(|cell| change(&mut cell.value)),
            Body::Segment(segment) => {
                change(&mut segment.next_out);
                change(&mut segment.prev_out);
                segment.nodes.iter_mut().for_each(|node| node.change(change));
            }
        }
    }
}

/// The pointers to shared objects that every one of the templates has.
fn in_all(templates: &[Template]) -> BTreeSet<Target> {
    let sets = templates.iter().map(Template::certain);
    sets.reduce(|all, one| all.intersection(&one).copied().collect()).unwrap_or_default()
}

impl Template {
    /// The pointers to shared objects that a node holds, or its own objects.
    fn certain(&self) -> BTreeSet<Target> {
        let of = |(_, part): &(i64, Part)| match part {
            Part::Shared(value) => value.target().into_iter().collect(),
            Part::Own(own) => in_all(&own.nodes),
            Part::Number(_) | Part::Itself(_) => BTreeSet::new(),
        };
        self.parts.values().flat_map(of).collect()
    }

    /// Calls a function on every value that all nodes share.
    pub(super) fn for_each(&self, visit: &mut impl FnMut(Value)) {
        for (_, part) in self.parts.values() {
            match part {
                Part::Shared(value) => visit(*value),
                Part::Own(own) => own.nodes.iter().for_each(|node| node.for_each(visit)),
                Part::Number(_) | Part::Itself(_) => {}
            }
        }
    }

    /// Changes every value that all nodes share.
    pub(super) fn change(&mut self, change: &mut impl FnMut(&mut Value)) {
        for (_, part) in self.parts.values_mut() {
            match part {
                Part::Shared(value) => change(value),
                Part::Own(own) => {
                    let OwnObject { nodes, .. } = own.as_mut();
                    nodes.iter_mut().for_each(|node| node.change(change));
                }
                Part::Number(_) | Part::Itself(_) => {}
            }
        }
    }
}

impl Shape {
    /// Calls a function on every value outside objects.
    pub(super) fn for_each_root(&self, visit: &mut impl FnMut(Value)) {
        let locals = self.activations.iter().flat_map(|activation| &activation.values);
        self.globals.iter().chain(locals).chain(&self.results).for_each(|value| visit(*value));
    }

    /// Changes every value.
    pub(super) fn change(&mut self, change: &mut impl FnMut(&mut Value)) {
        self.change_roots(change);
        self.objects.values_mut().for_each(|object| object.change(change));
    }

    /// Changes every value outside objects.
    pub(super) fn change_roots(&mut self, change: &mut impl FnMut(&mut Value)) {
        let locals = self.activations.iter_mut().flat_map(|activation| &mut activation.values);
        self.globals.iter_mut().chain(locals).chain(&mut self.results).for_each(change);
    }

    /// A new name for a number.
    pub(super) fn name(&mut self, number: Number) -> Value {
        if let Some(n) = number.only() {
            return Value::Int(n);
        }
        let symbol: SymbolId = self.next_symbol;
        self.next_symbol += 1;
        self.numbers.insert(symbol, number);
        Value::Symbol(symbol)
    }

    /// A new number of which only this is known, or any value.
    pub(super) fn name_or_any(&mut self, number: Option<Number>) -> Value {
        number.map_or(Value::Any, |number| self.name(number))
    }

    /// What is known of a number; `None` where nothing is.
    pub(super) fn number(&self, value: Value) -> Option<Number> {
        match value {
            Value::Int(n) => Some(Number::one(n)),
            Value::Symbol(symbol) => self.numbers.get(&symbol).cloned(),
            Value::Null => Some(Number::one(0)),
            _ => None,
        }
    }

    /// Says more of a number; `false` where no number is like that.
    pub(super) fn restrict(&mut self, value: Value, number: Option<Number>) -> bool {
        match (value, number) {
            (_, None) => false,
            (Value::Symbol(symbol), Some(number)) => {
                match number.only() {
                    Some(n) => self.replace_symbol(symbol, Value::Int(n)),
                    None => {
                        self.numbers.insert(symbol, number);
                    }
                }
                true
            }
            (Value::Int(n), Some(number)) => number.has(n),
            _ => true,
        }
    }

    /// Puts a value in place of a name.
    pub(super) fn replace_symbol(&mut self, symbol: SymbolId, by: Value) {
        self.change(&mut |value| {
            if *value == Value::Symbol(symbol) {
                *value = by;
            }
        });
        self.numbers.remove(&symbol);
        self.operations.retain(|(_, _, a, b), result| {
            *result != symbol && *a != Value::Symbol(symbol) && *b != Value::Symbol(symbol)
        });
    }

    /// Adds an object.
    pub(super) fn add(&mut self, object: Object) -> ObjectId {
        let id = self.next_object;
        self.next_object += 1;
        self.objects.insert(id, object);
        id
    }

    /// Makes an object.
    pub(super) fn allocate(&mut self, size: i64, region: Region, zeroed: bool, owner: Option<u32>) -> ObjectId {
        let zeros = if zeroed && size > 0 { vec![(0, size)] } else { Vec::new() };
        let fields = Fields { zeros, ..Fields::default() };
        self.add(Object { size, region, owner, body: Body::Region(fields) })
    }

    /// How many objects and chains there are on the heap.
    pub fn objects_on_heap(&self) -> usize {
        self.objects.values().filter(|object| object.region == Region::Heap).count()
    }

    /// Ends the life of an object that is no chain.
    pub(super) fn end(&mut self, ended: ObjectId) {
        self.objects.remove(&ended);
        self.change(&mut |value| {
            if value.target().is_some_and(|target| target.object == ended) {
                *value = Value::Dead;
            }
        });
    }

    /// The objects all nodes of which pointers lead to for certain: from variables and results, and from objects that are
    /// not on the heap. At the end of the program what is on the stack does not count.
    pub(super) fn reached(&self, at_end: bool) -> BTreeSet<ObjectId> {
        let mut waiting: Vec<Target> = Vec::new();
        let mut note = |value: Value| waiting.extend(value.target());
        if at_end {
            self.globals.iter().for_each(|value| note(*value));
        } else {
            self.for_each_root(&mut note);
        }
        for (id, object) in &self.objects {
            if object.region != Region::Heap && !(at_end && object.owner.is_some()) {
                waiting.push(Target { object: *id, last: false, offset: 0 });
            }
        }
        let mut found = BTreeSet::new();
        while let Some(Target { object: id, last, .. }) = waiting.pop() {
            let Some(object) = self.objects.get(&id) else { continue };
            // The last node of a singly linked chain does not lead to the others.
            let leads_on = !last || object.segment().is_none_or(|segment| segment.links.prev.is_some());
            if leads_on && found.insert(id) {
                object.for_each_certain(&mut |target| waiting.push(target));
            }
        }
        found
    }

    /// Whether an object on the heap may be lost.
    pub(super) fn may_have_lost(&self, at_end: bool) -> bool {
        let found = self.reached(at_end);
        self.objects.iter().any(|(id, object)| object.region == Region::Heap && !found.contains(id))
    }
}
