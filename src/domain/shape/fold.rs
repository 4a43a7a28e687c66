//! Alike nodes that are linked become a chain. What is folded says less, never more: it is for the search alone, and no
//! proof rests on it.

use super::order::Order;
use super::{Body, Links, Object, ObjectId, Segment, Shape, Target, Template, Value};
use crate::program::Region;

/// The least numbers of nodes that are told apart are at most this.
const MAX_MIN: u32 = 3;

/// Which nodes are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoldLevel {
    /// Those that hold the same.
    Equal,
    /// All of one form; a chain has as many templates as there are kinds of them.
    Alternatives,
    /// The same, and which kinds follow which is kept.
    Ordered,
    /// The same, but numbers become ranges.
    Join,
}

/// Folds what can be folded.
pub fn fold(shape: &mut Shape, level: FoldLevel, pointer_bytes: i64) {
    while let Some(folded) = fold_once(shape, level, pointer_bytes) {
        *shape = folded;
    }
}

fn fold_once(shape: &Shape, level: FoldLevel, pointer_bytes: i64) -> Option<Shape> {
    let heap = |(_, object): &(&ObjectId, &Object)| object.region == Region::Heap;
    for (a, object) in shape.objects.iter().filter(heap) {
        for (b, links) in candidates(shape, *a, object, pointer_bytes) {
            if let Some(folded) = fold_pair(shape, *a, b, links, level, pointer_bytes) {
                return Some(folded);
            }
        }
    }
    None
}

/// The objects that an object may be linked with, and how: doubly linked ones first.
fn candidates(shape: &Shape, a: ObjectId, object: &Object, pointer_bytes: i64) -> Vec<(ObjectId, Links)> {
    let nexts: Vec<(i64, Value)> = match &object.body {
        Body::Segment(segment) => vec![(segment.links.next, segment.next_out)],
        Body::Region(fields) => {
            let pointers = fields.cells.iter().filter(|(_, cell)| cell.bytes == pointer_bytes);
            pointers.map(|(offset, cell)| (*offset, cell.value)).collect()
        }
    };
    let (mut doubly, mut singly) = (Vec::new(), Vec::new());
    for (next, value) in nexts {
        let Some(Target { object: b, last: false, offset: head }) = value.target() else { continue };
        let Some(other) = shape.objects.get(&b).filter(|_| a != b) else { continue };
        let known = object.segment().or(other.segment()).map(|segment| segment.links);
        let prevs = match &other.body {
            Body::Region(fields) => fields.cells.iter().map(|(offset, cell)| (*offset, cell.value)).collect(),
            Body::Segment(segment) => {
                segment.links.prev.map(|prev| (prev.0, segment.prev_out)).into_iter().collect::<Vec<_>>()
            }
        };
        for (offset, value) in prevs {
            if let Some(back) = value.target().filter(|back| back.object == a && offset != next) {
                doubly.push((b, Links { next, head, prev: Some((offset, back.offset)) }));
            }
        }
        singly.push((b, Links { next, head, prev: None }));
        if let Some(known) = known {
            doubly.retain(|(id, links)| *id != b || *links == known);
            singly.retain(|(id, links)| *id != b || *links == known);
        }
    }
    doubly.extend(singly);
    doubly
}

/// A node or a chain, as a part of a longer chain.
struct Piece {
    min: u32,
    nodes: Vec<Template>,
    order: Order,
    next: Value,
    prev: Value,
}

fn piece(shape: &mut Shape, id: ObjectId, links: Links, pointer_bytes: i64) -> Option<Piece> {
    let object = shape.objects.get(&id)?.clone();
    if let Body::Segment(segment) = object.body {
        let Segment { min, nodes, order, next_out: next, prev_out: prev, .. } = segment;
        return Some(Piece { min, nodes, order, next, prev });
    }
    let fields = object.fields()?;
    let next = fields.exact(links.next, pointer_bytes)?;
    let prev = match links.prev {
        Some((offset, _)) => fields.exact(offset, pointer_bytes)?,
        None => Value::Null,
    };
    let offsets: Vec<i64> = [links.next].into_iter().chain(links.prev.map(|prev| prev.0)).collect();
    let template = shape.take_template(id, &offsets, 0)?;
    Some(Piece { min: 1, nodes: vec![template], order: Order::single(), next, prev })
}

/// Makes one chain of two nodes or chains that follow each other, if nothing else is lost than what templates leave out.
fn fold_pair(
    shape: &Shape,
    a: ObjectId,
    b: ObjectId,
    links: Links,
    level: FoldLevel,
    pointer_bytes: i64,
) -> Option<Shape> {
    let (first, second) = (&shape.objects[&a], &shape.objects[&b]);
    let size = first.size;
    if !first.can_link(links, size) || !second.can_link(links, size) {
        return None;
    }
    let (first_is_chain, second_is_chain) = (first.segment().is_some(), second.segment().is_some());
    let mut folded = shape.clone();
    let one = piece(&mut folded, a, links, pointer_bytes)?;
    let other = piece(&mut folded, b, links, pointer_bytes)?;
    if one.next != Value::Pointer(Target { object: b, last: false, offset: links.head }) {
        return None;
    }
    if let Some((_, back)) = links.prev
        && other.prev != Value::Pointer(Target { object: a, last: first_is_chain, offset: back })
    {
        return None;
    }
    let merged = folded.merge_templates(&one.nodes, &other.nodes, level)?;
    let order = match level {
        FoldLevel::Ordered => one.order.then(&other.order, &merged.first, &merged.second),
        _ => Order::any(merged.nodes.len()),
    };
    let min = (one.min + other.min).min(MAX_MIN);
    let segment = Segment { links, min, nodes: merged.nodes, order, next_out: other.next, prev_out: one.prev };
    folded.objects.remove(&b);
    folded.objects.insert(a, Object { body: Body::Segment(segment), ..first.clone() });
    let mut is_held = false;
    folded.for_each_root(&mut |value| is_held |= value.target().is_some_and(|target| target.object == b));
    if is_held && !second_is_chain {
        return None;
    }
    let mut is_lost = false;
    let gone: Vec<ObjectId> = shape.objects.keys().copied().filter(|id| !folded.objects.contains_key(id)).collect();
    folded.change(&mut |value| {
        let Value::Pointer(target) = value else { return };
        if target.object == a && target.last {
            is_lost = true;
        } else if target.object == b {
            is_lost |= links.prev.is_none() || (second_is_chain && !target.last);
            *target = Target { object: a, last: true, offset: target.offset };
        } else if gone.contains(&target.object) {
            is_lost = true;
        }
    });
    (!is_lost).then_some(folded)
}
