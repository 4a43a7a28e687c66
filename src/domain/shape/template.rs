//! What nodes of a chain have in common.

use super::number::Number;
use super::{Body, Fields, Links, Object, ObjectId, OwnObject, Part, Shape, Value};
use super::{FoldLevel, Template};
use crate::program::Region;
use std::collections::BTreeSet;

/// A chain has at most so many templates.
const MAX_TEMPLATES: usize = 8;

/// Objects of objects of objects… of a node's own are followed so far.
const MAX_NESTING: usize = 3;

/// Templates for the nodes of two chains.
pub(super) struct Merged {
    /// The templates.
    pub nodes: Vec<Template>,
    /// Where among them those of the first chain are.
    pub first: Vec<usize>,
    /// Where those of the second are.
    pub second: Vec<usize>,
}

impl Shape {
    /// What an object holds besides the links at some offsets. Objects that only it points to become its own: they are
    /// taken out of the shape.
    pub(super) fn take_template(&mut self, id: ObjectId, links: &[i64], depth: usize) -> Option<Template> {
        let fields: Fields = self.objects.get(&id)?.fields()?.clone();
        let mut template = Template { parts: Default::default(), zeros: fields.zeros.clone() };
        for (offset, cell) in &fields.cells {
            if links.contains(offset) {
                continue;
            }
            let part = match cell.value {
                Value::Pointer(target) if target.object == id => Part::Itself(target.offset),
                value => match self.take_own(value, id, depth) {
                    Some(own) => Part::Own(Box::new(own)),
                    None => Part::Shared(value),
                },
            };
            template.parts.insert(*offset, (cell.bytes, part));
        }
        Some(template)
    }

    /// The object that a value of a node points to, if nothing else does; it is taken out of the shape.
    fn take_own(&mut self, value: Value, holder: ObjectId, depth: usize) -> Option<OwnObject> {
        let target = value.target().filter(|target| depth < MAX_NESTING && !target.last && target.object != holder)?;
        let object = self.objects.get(&target.object)?.clone();
        if object.region != Region::Heap || self.pointers_to(target.object) != 1 {
            return None;
        }
        let (nodes, chain) = match &object.body {
            Body::Region(_) => {
                let mut after = self.clone();
                let template = after.take_template(target.object, &[], depth + 1)?;
                *self = after;
                (vec![template], None)
            }
            Body::Segment(segment) if (segment.next_out, segment.prev_out) == (Value::Null, Value::Null) => {
                (segment.nodes.clone(), Some((segment.links, segment.min)))
            }
            Body::Segment(_) => return None,
        };
        self.objects.remove(&target.object);
        Some(OwnObject { offset: target.offset, size: object.size, nodes, chain })
    }

    /// How many values point into an object, besides those that it holds itself.
    pub(super) fn pointers_to(&self, id: ObjectId) -> usize {
        let mut count = 0;
        let mut note = |value: Value| count += usize::from(value.target().is_some_and(|target| target.object == id));
        self.for_each_root(&mut note);
        self.objects.iter().filter(|(other, _)| **other != id).for_each(|(_, object)| object.for_each(&mut note));
        count
    }

    /// Templates for the nodes of two chains.
    pub(super) fn merge_templates(&self, a: &[Template], b: &[Template], level: FoldLevel) -> Option<Merged> {
        let (mut all, mut others) = (a.to_vec(), Vec::new());
        for template in b {
            let place = all.iter().position(|known| self.merge(known, template, false).is_some());
            let place = match (place, level) {
                (None, FoldLevel::Join) => all.iter().position(|known| self.merge(known, template, true).is_some()),
                (place, _) => place,
            };
            others.push(place.unwrap_or(all.len()));
            match place {
                Some(place) => all[place] = self.merge(&all[place], template, level == FoldLevel::Join)?,
                None if level == FoldLevel::Equal || all.len() >= MAX_TEMPLATES => return None,
                None => all.push(template.clone()),
            }
        }
        let set: BTreeSet<&Template> = all.iter().collect();
        let places: Vec<usize> = all.iter().map(|one| set.iter().take_while(|known| **known < one).count()).collect();
        let (first, second) = (places[..a.len()].to_vec(), others.into_iter().map(|place| places[place]).collect());
        Some(Merged { nodes: set.into_iter().cloned().collect(), first, second })
    }

    /// One template for what is like either of two, where it says as much; with `join`, numbers may differ.
    fn merge(&self, a: &Template, b: &Template, join: bool) -> Option<Template> {
        if a.zeros != b.zeros || !a.parts.keys().eq(b.parts.keys()) {
            return None;
        }
        let mut merged = Template { parts: Default::default(), zeros: a.zeros.clone() };
        for ((offset, (bytes, one)), (count, other)) in a.parts.iter().zip(b.parts.values()) {
            if bytes != count {
                return None;
            }
            merged.parts.insert(*offset, (*bytes, self.merge_parts(one, other, join)?));
        }
        Some(merged)
    }

    fn merge_parts(&self, a: &Part, b: &Part, join: bool) -> Option<Part> {
        if a == b {
            return Some(a.clone());
        }
        if let (Part::Own(one), Part::Own(other)) = (a, b) {
            return self.merge_own(one, other, join).map(|own| Part::Own(Box::new(own)));
        }
        let (x, y) = (self.number_of(a)?, self.number_of(b)?);
        (x == y || join).then(|| Part::Number(x.join(&y)))
    }

    fn merge_own(&self, a: &OwnObject, b: &OwnObject, join: bool) -> Option<OwnObject> {
        let chain = match (a.chain, b.chain) {
            (None, None) => None,
            (Some((links, least)), Some((others, most))) if links == others => Some((links, least.min(most))),
            _ => return None,
        };
        if (a.offset, a.size) != (b.offset, b.size) {
            return None;
        }
        let level = if join { FoldLevel::Join } else { FoldLevel::Equal };
        let nodes = self.merge_templates(&a.nodes, &b.nodes, level)?.nodes;
        // One object has one template.
        (chain.is_some() || nodes.len() == 1).then_some(OwnObject { offset: a.offset, size: a.size, nodes, chain })
    }

    /// The number that a part is, if it is one.
    pub(super) fn number_of(&self, part: &Part) -> Option<Number> {
        match part {
            Part::Shared(value @ (Value::Int(_) | Value::Symbol(_))) => self.number(*value),
            Part::Number(number) => Some(number.clone()),
            _ => None,
        }
    }
}

impl Object {
    /// The link at an offset: of a chain, the link out of it.
    pub(super) fn link(&self, offset: i64, bytes: i64, is_next: bool) -> Option<Value> {
        match &self.body {
            Body::Region(fields) => {
                fields.exact(offset, bytes).or_else(|| fields.is_zero(offset, bytes).then_some(Value::Null))
            }
            Body::Segment(segment) if is_next => (segment.links.next == offset).then_some(segment.next_out),
            Body::Segment(segment) => segment.links.prev.filter(|prev| prev.0 == offset).map(|_| segment.prev_out),
        }
    }

    /// Whether it can be a part of a chain with such links.
    pub(super) fn can_link(&self, links: Links, size: i64) -> bool {
        let is_alike = self.segment().is_none_or(|segment| segment.links == links);
        self.region == Region::Heap && self.size == size && is_alike
    }
}
