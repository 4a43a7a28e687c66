//! A node is taken out of a chain: where the chain may have only one, there are two shapes after it.

use super::number::Number;
use super::order::Order;
use super::{Body, Cell, Fields, Object, ObjectId, OwnObject, Part, Segment, Shape, Target, Template, Value};
use crate::program::Region;

impl Shape {
    /// Takes the first or the last node out of a chain: it becomes an object of its own, in each of the shapes that
    /// stand for what this one does. A pointer to the node is still one to it; who holds one asks for it again.
    pub(super) fn unfold(self, id: ObjectId, last: bool, pointer_bytes: i64) -> Vec<Shape> {
        let Some(segment) = self.objects.get(&id).and_then(Object::segment) else { return vec![self] };
        let (here, there) = match last {
            false => (segment.order.first.clone(), segment.order.last.clone()),
            true => (segment.order.last.clone(), segment.order.first.clone()),
        };
        let min = segment.min;
        let mut shapes = Vec::new();
        for template in here {
            if min <= 1 && there.contains(&template) {
                shapes.push(self.clone().unfold_only(id, template, pointer_bytes));
            }
            shapes.extend(match last {
                false => self.clone().unfold_first(id, template, pointer_bytes),
                true => self.clone().unfold_last(id, template, pointer_bytes),
            });
        }
        shapes
    }

    /// Changes where the pointers to the last node of a chain point to.
    fn redirect_last(&mut self, id: ObjectId, to: Target) {
        self.change(&mut |value| {
            if let Value::Pointer(target) = value
                && target.object == id
                && target.last
            {
                *target = Target { offset: target.offset, ..to };
            }
        });
    }

    /// The chain, as it is now.
    fn chain(&self, id: ObjectId) -> (Object, Segment) {
        let object = self.objects[&id].clone();
        let Body::Segment(segment) = object.body.clone() else { unreachable!("only a chain is unfolded") };
        (object, segment)
    }

    /// The chain has one node.
    fn unfold_only(mut self, id: ObjectId, template: usize, pointer_bytes: i64) -> Shape {
        self.redirect_last(id, Target { object: id, last: false, offset: 0 });
        let (_, segment) = self.chain(id);
        let outs = (segment.next_out, segment.prev_out);
        self.put_node(id, &segment, &segment.nodes[template], outs, pointer_bytes);
        self
    }

    /// The chain has more than one node: the first one keeps the chain's number, and the others get a new one.
    fn unfold_first(mut self, id: ObjectId, template: usize, pointer_bytes: i64) -> Option<Shape> {
        let rest = self.next_object;
        self.next_object += 1;
        self.redirect_last(id, Target { object: rest, last: true, offset: 0 });
        let (object, segment) = self.chain(id);
        let mut others = segment.behind_first(template)?;
        if let Some((_, back)) = segment.links.prev {
            others.prev_out = Value::Pointer(Target { object: id, last: false, offset: back });
        }
        self.objects.insert(rest, Object { body: Body::Segment(others), ..object });
        let next = Value::Pointer(Target { object: rest, last: false, offset: segment.links.head });
        self.put_node(id, &segment, &segment.nodes[template], (next, segment.prev_out), pointer_bytes);
        Some(self)
    }

    /// The chain has more than one node: the last one gets a new number, and the others keep the chain's.
    fn unfold_last(mut self, id: ObjectId, template: usize, pointer_bytes: i64) -> Option<Shape> {
        let node = self.next_object;
        self.next_object += 1;
        self.redirect_last(id, Target { object: node, last: false, offset: 0 });
        let (object, segment) = self.chain(id);
        let mut others = segment.before_last(template)?;
        others.next_out = Value::Pointer(Target { object: node, last: false, offset: segment.links.head });
        self.objects.insert(id, Object { body: Body::Segment(others), ..object.clone() });
        self.objects.insert(node, object);
        let back = |(_, back)| Value::Pointer(Target { object: id, last: true, offset: back });
        let prev = segment.links.prev.map_or(Value::Null, back);
        self.put_node(node, &segment, &segment.nodes[template], (segment.next_out, prev), pointer_bytes);
        Some(self)
    }

    /// Puts a node like a template in the place of an object.
    fn put_node(
        &mut self,
        id: ObjectId,
        segment: &Segment,
        template: &Template,
        (next, prev): (Value, Value),
        pointer_bytes: i64,
    ) {
        let mut fields = self.instance(id, template, pointer_bytes);
        fields.cells.insert(segment.links.next, Cell { bytes: pointer_bytes, value: next });
        if let Some((offset, _)) = segment.links.prev {
            fields.cells.insert(offset, Cell { bytes: pointer_bytes, value: prev });
        }
        // Nothing is known where nothing can be.
        fields.cells.retain(|_, cell| !matches!(cell.value, Value::Any | Value::Unset));
        if let Some(object) = self.objects.get_mut(&id) {
            object.body = Body::Region(fields);
        }
    }

    /// What a node like a template holds.
    fn instance(&mut self, id: ObjectId, template: &Template, pointer_bytes: i64) -> Fields {
        let mut fields = Fields { zeros: template.zeros.clone(), ..Fields::default() };
        for (offset, (bytes, part)) in &template.parts {
            let value = match part {
                Part::Shared(value) => *value,
                Part::Number(number) => self.name(Number::clone(number)),
                Part::Itself(offset) => Value::Pointer(Target { object: id, last: false, offset: *offset }),
                Part::Own(own) => self.own_instance(own, pointer_bytes),
            };
            fields.cells.insert(*offset, Cell { bytes: *bytes, value });
        }
        fields
    }

    /// Makes an object of a node's own, and points to it.
    fn own_instance(&mut self, own: &OwnObject, pointer_bytes: i64) -> Value {
        let (region, owner, size) = (Region::Heap, None, own.size);
        let id = match &own.chain {
            Some((links, min)) => {
                let segment = Segment {
                    links: *links,
                    min: *min,
                    nodes: own.nodes.clone(),
                    order: Order::any(own.nodes.len()),
                    next_out: Value::Null,
                    prev_out: Value::Null,
                };
                self.add(Object { size, region, owner, body: Body::Segment(segment) })
            }
            None => {
                let id = self.add(Object { size, region, owner, body: Body::Region(Fields::default()) });
                let fields = own.nodes.first().map(|node| self.instance(id, node, pointer_bytes)).unwrap_or_default();
                if let Some(object) = self.objects.get_mut(&id) {
                    object.body = Body::Region(fields);
                }
                id
            }
        };
        Value::Pointer(Target { object: id, last: false, offset: own.offset })
    }
}
