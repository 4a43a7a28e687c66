//! Whether a shape stands for all that another one does: its objects are matched with those of the other one, each
//! region with a region, each chain with nodes and chains that are linked as its nodes are. Objects are matched with
//! different objects, so that what is apart is apart. A `true` is a proof: proofs rest on nothing else but this and the
//! steps.

use super::order::Order;
use super::{Body, Fields, Object, ObjectId, OwnObject, Part, Segment, Shape, SymbolId, Target, Template, Value};
use crate::program::Region;
use std::collections::{BTreeMap, BTreeSet};

/// Attempts after which the answer is no.
const MAX_ATTEMPTS: usize = 2000;

/// Whether every state that `specific` stands for is one that `general` stands for. With `keeps_all`, no object may be
/// left out.
pub fn covers(general: &Shape, specific: &Shape, keeps_all: bool, pointer_bytes: i64) -> bool {
    let procedures = |shape: &Shape| shape.activations.iter().map(|a| a.procedure).collect::<Vec<_>>();
    if procedures(general) != procedures(specific) || general.globals.len() != specific.globals.len() {
        return false;
    }
    let values = |shape: &Shape| {
        let mut values = Vec::new();
        shape.for_each_root(&mut |value| values.push(value));
        values
    };
    let pending: Vec<(Value, Value)> = values(general).into_iter().zip(values(specific)).rev().collect();
    let search = Search { general, specific, keeps_all, pointer_bytes };
    search.solve(Matching::default(), pending, &mut 0)
}

struct Search<'a> {
    general: &'a Shape,
    specific: &'a Shape,
    keeps_all: bool,
    pointer_bytes: i64,
}

/// What is matched so far.
#[derive(Debug, Clone, Default)]
struct Matching {
    objects: BTreeMap<ObjectId, Vec<ObjectId>>,
    used: BTreeSet<ObjectId>,
    symbols: BTreeMap<SymbolId, Value>,
}

type Pending = Vec<(Value, Value)>;

impl Search<'_> {
    /// Matches pairs of values, of the general and of the specific shape, and all that they lead to.
    fn solve(&self, mut matching: Matching, mut pending: Pending, attempts: &mut usize) -> bool {
        while let Some((general, specific)) = pending.pop() {
            match (general, specific) {
                (Value::Unset, _) => {}
                (Value::Any, specific) if specific != Value::Unset => {}
                (Value::Symbol(symbol), Value::Int(_) | Value::Symbol(_)) => {
                    if !self.bind(&mut matching, symbol, specific) {
                        return false;
                    }
                }
                (Value::Pointer(to), Value::Pointer(from)) => {
                    if to.offset != from.offset {
                        return false;
                    }
                    match matching.objects.get(&to.object) {
                        Some(chain) => {
                            if !self.is_end(to, from, chain) {
                                return false;
                            }
                        }
                        None => match self.general.objects.get(&to.object).map(|object| &object.body) {
                            None => return false,
                            Some(Body::Region(fields)) => {
                                if !self.region(&mut matching, &mut pending, to, from, fields) {
                                    return false;
                                }
                            }
                            Some(Body::Segment(segment)) => {
                                return self.chains(&matching, &pending, to, from, segment, attempts);
                            }
                        },
                    }
                }
                (general, specific) if general == specific => {}
                _ => return false,
            }
        }
        self.is_complete(&matching)
    }

    /// All objects of the general shape have one, and none is left out where none may be.
    fn is_complete(&self, matching: &Matching) -> bool {
        let is_heap = |id: &&ObjectId| self.specific.objects[*id].region == Region::Heap;
        let all = self.general.objects.keys().all(|id| matching.objects.contains_key(id));
        all && (!self.keeps_all || self.specific.objects.keys().filter(is_heap).all(|id| matching.used.contains(id)))
    }

    /// A name of the general shape stands for one value of the specific one.
    fn bind(&self, matching: &mut Matching, symbol: SymbolId, value: Value) -> bool {
        if let Some(known) = matching.symbols.get(&symbol) {
            return *known == value;
        }
        matching.symbols.insert(symbol, value);
        match (self.general.numbers.get(&symbol), self.specific.number(value)) {
            (Some(general), Some(specific)) => general.includes(&specific),
            _ => false,
        }
    }

    /// Whether a pointer is to the end of a matched chain that it is to be at.
    fn is_end(&self, to: Target, from: Target, chain: &[ObjectId]) -> bool {
        let is_chain = |id: &ObjectId| self.specific.objects[id].segment().is_some();
        match (to.last, chain.first(), chain.last()) {
            (false, Some(first), _) => from.object == *first && !from.last,
            (true, _, Some(last)) => from.object == *last && from.last == is_chain(last),
            _ => false,
        }
    }

    fn region(
        &self,
        matching: &mut Matching,
        pending: &mut Pending,
        to: Target,
        from: Target,
        fields: &Fields,
    ) -> bool {
        let general = &self.general.objects[&to.object];
        let Some(specific) = self.specific.objects.get(&from.object) else { return false };
        let Some(known) = specific.fields() else { return false };
        let is_alike =
            (general.size, general.region, general.owner) == (specific.size, specific.region, specific.owner);
        if !is_alike || to.last || from.last || !matching.used.insert(from.object) {
            return false;
        }
        matching.objects.insert(to.object, vec![from.object]);
        for (offset, cell) in &fields.cells {
            match value_at(known, *offset, cell.bytes, cell.value) {
                Some(value) => pending.push((cell.value, value)),
                None => return false,
            }
        }
        fields.zeros.iter().all(|range| is_zero(known, *range))
    }

    /// Matches a chain with every row of nodes and chains that it can be.
    fn chains(
        &self,
        matching: &Matching,
        pending: &Pending,
        to: Target,
        from: Target,
        segment: &Segment,
        attempts: &mut usize,
    ) -> bool {
        let size = self.general.objects[&to.object].size;
        let mut chain: Vec<ObjectId> = Vec::new();
        let mut next = Some(from);
        while let Some(target) = next.take() {
            let Some(object) = self.specific.objects.get(&target.object) else { break };
            let is_chain = object.segment().is_some();
            let is_used = matching.used.contains(&target.object) || chain.contains(&target.object);
            if is_used || !object.can_link(segment.links, size) || target.last != (to.last && is_chain) {
                break;
            }
            chain.push(target.object);
            *attempts += 1;
            if *attempts > MAX_ATTEMPTS {
                return false;
            }
            let mut row = chain.clone();
            if to.last {
                row.reverse();
            }
            if self.row(matching.clone(), pending.clone(), (to.object, segment), &row, attempts) {
                return true;
            }
            next = match (to.last, segment.links.prev) {
                (false, _) => object.link(segment.links.next, self.pointer_bytes, true).and_then(Value::target),
                (true, Some((offset, _))) => object.link(offset, self.pointer_bytes, false).and_then(Value::target),
                (true, None) => None,
            };
        }
        false
    }

    /// Matches a chain with a row of nodes and chains.
    fn row(
        &self,
        mut matching: Matching,
        mut pending: Pending,
        (id, segment): (ObjectId, &Segment),
        row: &[ObjectId],
        attempts: &mut usize,
    ) -> bool {
        let objects: Vec<&Object> = row.iter().map(|id| &self.specific.objects[id]).collect();
        let count = |object: &&Object| object.segment().map_or(1, |segment| segment.min);
        if objects.iter().map(count).sum::<u32>() < segment.min || !self.is_linked(segment, row, &objects) {
            return false;
        }
        let (Some(first), Some(last)) = (objects.first(), objects.last()) else { return false };
        let Some(next) = last.link(segment.links.next, self.pointer_bytes, true) else { return false };
        pending.push((segment.next_out, next));
        if let Some((offset, _)) = segment.links.prev {
            let Some(prev) = first.link(offset, self.pointer_bytes, false) else { return false };
            pending.push((segment.prev_out, prev));
        }
        matching.used.extend(row);
        matching.objects.insert(id, row.to_vec());
        self.nodes_match(matching, pending, (&self.nodes(row), segment), &[], attempts)
    }

    fn is_linked(&self, segment: &Segment, row: &[ObjectId], objects: &[&Object]) -> bool {
        let pairs = row.windows(2).zip(objects.windows(2));
        { pairs }.all(|(ids, pair)| {
            let next = Value::Pointer(Target { object: ids[1], last: false, offset: segment.links.head });
            let forward = pair[0].link(segment.links.next, self.pointer_bytes, true) == Some(next);
            let backward = segment.links.prev.is_none_or(|(offset, back)| {
                let last = pair[0].segment().is_some();
                let prev = Value::Pointer(Target { object: ids[0], last, offset: back });
                pair[1].link(offset, self.pointer_bytes, false) == Some(prev)
            });
            forward && backward
        })
    }

    /// The nodes of a row of objects: themselves, or what their nodes are like.
    fn nodes(&self, row: &[ObjectId]) -> Row<'_> {
        let mut all: Row<'_> = Row::default();
        let mut before: Vec<usize> = Vec::new();
        for id in row {
            let start = all.nodes.len();
            let (first, last): (Vec<usize>, Vec<usize>) = match &self.specific.objects[id].body {
                Body::Region(fields) => {
                    all.nodes.push(Node::Object(*id, fields));
                    (vec![start], vec![start])
                }
                Body::Segment(segment) => {
                    all.nodes.extend(segment.nodes.iter().map(Node::Like));
                    let Order { first, last, follows } = &segment.order;
                    all.pairs.extend(follows.iter().map(|(one, other)| (start + one, start + other)));
                    let place = |node: &usize| start + node;
                    (first.iter().map(place).collect(), last.iter().map(place).collect())
                }
            };
            match start == 0 {
                true => all.first.clone_from(&first),
                false => all.pairs.extend(before.iter().flat_map(|one| first.iter().map(move |other| (*one, *other)))),
            }
            before = last;
        }
        all.last = before;
        all
    }

    /// Every node is like one of the templates, in a way that fits all else; for some it is known which.
    fn nodes_match(
        &self,
        matching: Matching,
        pending: Pending,
        (row, segment): (&Row<'_>, &Segment),
        known: &[usize],
        attempts: &mut usize,
    ) -> bool {
        let Some(node) = row.nodes.get(known.len()) else { return self.solve(matching, pending, attempts) };
        for (place, template) in segment.nodes.iter().enumerate() {
            *attempts += 1;
            if *attempts > MAX_ATTEMPTS {
                return false;
            }
            let (mut matching, mut pending) = (matching.clone(), pending.clone());
            let places = [known, &[place]].concat();
            if row.fits(&places, &segment.order)
                && self.node(&mut matching, &mut pending, *node, template)
                && self.nodes_match(matching, pending, (row, segment), &places, attempts)
            {
                return true;
            }
        }
        false
    }

    fn node(&self, matching: &mut Matching, pending: &mut Pending, node: Node<'_>, template: &Template) -> bool {
        match node {
            Node::Object(id, fields) => {
                let parts = template.parts.iter();
                { parts }
                    .all(|(offset, (bytes, part))| self.part(matching, pending, (id, fields), *offset, *bytes, part))
                    && template.zeros.iter().all(|range| is_zero(fields, *range))
            }
            Node::Like(known) => self.like(pending, known, template),
        }
    }

    /// What an object holds at an offset is like a part of a template.
    fn part(
        &self,
        matching: &mut Matching,
        pending: &mut Pending,
        (id, fields): (ObjectId, &Fields),
        offset: i64,
        bytes: i64,
        part: &Part,
    ) -> bool {
        let wanted = match part {
            Part::Shared(value) => *value,
            Part::Number(_) => Value::Int(0),
            Part::Itself(_) | Part::Own(_) => Value::Null,
        };
        let Some(value) = value_at(fields, offset, bytes, wanted) else { return false };
        match part {
            Part::Shared(general) => {
                pending.push((*general, value));
                self.may_match(*general, value)
            }
            Part::Number(number) => {
                let is_number = matches!(value, Value::Int(_) | Value::Symbol(_));
                is_number && self.specific.number(value).is_some_and(|known| number.includes(&known))
            }
            Part::Itself(offset) => value == Value::Pointer(Target { object: id, last: false, offset: *offset }),
            Part::Own(own) => self.own(matching, pending, own, value),
        }
    }

    /// Whether a value can be what another one says, as far as that is seen at once: a node that cannot be like a
    /// template is not tried with it.
    fn may_match(&self, general: Value, specific: Value) -> bool {
        match (general, specific) {
            (Value::Symbol(symbol), Value::Int(_) | Value::Symbol(_)) => {
                let numbers = self.general.numbers.get(&symbol).zip(self.specific.number(specific));
                numbers.is_some_and(|(general, specific)| general.includes(&specific))
            }
            (Value::Pointer(to), Value::Pointer(from)) => to.offset == from.offset,
            (Value::Unset | Value::Any, _) => true,
            _ => general == specific,
        }
    }

    /// A value is a pointer to an object that is like one of a node's own.
    fn own(&self, matching: &mut Matching, pending: &mut Pending, own: &OwnObject, value: Value) -> bool {
        let Some(Target { object: id, last: false, offset }) = value.target() else { return false };
        let Some(object) = self.specific.objects.get(&id) else { return false };
        let is_alike = offset == own.offset && object.size == own.size && object.region == Region::Heap;
        if !is_alike || !matching.used.insert(id) {
            return false;
        }
        match (&own.chain, &object.body) {
            (None, Body::Region(fields)) => {
                let Some(template) = own.nodes.first() else { return false };
                self.node(matching, pending, Node::Object(id, fields), template)
            }
            (Some((links, min)), Body::Segment(segment)) => {
                segment.links == *links
                    && segment.min >= *min
                    && (segment.next_out, segment.prev_out) == (Value::Null, Value::Null)
                    && segment.nodes.iter().all(|node| self.like_one(pending, node, &own.nodes))
            }
            _ => false,
        }
    }

    /// Whether all that is like one template is like one of others.
    fn like_one(&self, pending: &mut Pending, known: &Template, templates: &[Template]) -> bool {
        templates.iter().any(|template| {
            let before = pending.len();
            let is_like = self.like(pending, known, template);
            if !is_like {
                pending.truncate(before);
            }
            is_like
        })
    }

    /// Whether all that is like one template is like another.
    fn like(&self, pending: &mut Pending, known: &Template, template: &Template) -> bool {
        let keeps_own = |(offset, (_, part)): (&i64, &(i64, Part))| {
            !matches!(part, Part::Own(_)) || matches!(template.parts.get(offset), Some((_, Part::Own(_))))
        };
        if self.keeps_all && !known.parts.iter().all(keeps_own) {
            return false;
        }
        let zeros = |(from, to): &(i64, i64)| known.zeros.iter().any(|(start, end)| start <= from && to <= end);
        template.zeros.iter().all(zeros)
            && template.parts.iter().all(|(offset, (bytes, part))| match known.parts.get(offset) {
                Some((count, known)) if count == bytes => self.like_part(pending, known, part),
                _ => false,
            })
    }

    fn like_part(&self, pending: &mut Pending, known: &Part, part: &Part) -> bool {
        match (part, known) {
            (Part::Shared(general), Part::Shared(specific)) => {
                pending.push((*general, *specific));
                self.may_match(*general, *specific)
            }
            (Part::Number(number), known) => {
                self.specific.number_of(known).is_some_and(|specific| number.includes(&specific))
            }
            (Part::Itself(one), Part::Itself(other)) => one == other,
            (Part::Own(one), Part::Own(other)) => {
                let is_chain = match (one.chain, other.chain) {
                    (None, None) => true,
                    (Some((links, least)), Some((others, min))) => links == others && least <= min,
                    _ => false,
                };
                is_chain
                    && (one.offset, one.size) == (other.offset, other.size)
                    && other.nodes.iter().all(|node| self.like_one(pending, node, &one.nodes))
            }
            _ => false,
        }
    }
}

/// A node of the specific shape, or what some of its nodes are like.
#[derive(Debug, Clone, Copy)]
enum Node<'a> {
    Object(ObjectId, &'a Fields),
    Like(&'a Template),
}

/// The nodes of a row of objects, and which of them come first, last, and after which.
#[derive(Default)]
struct Row<'a> {
    nodes: Vec<Node<'a>>,
    first: Vec<usize>,
    last: Vec<usize>,
    pairs: Vec<(usize, usize)>,
}

impl Row<'_> {
    /// Whether an order has the places of the templates of the first of these nodes, as far as the newest one is
    /// concerned.
    fn fits(&self, places: &[usize], order: &Order) -> bool {
        let newest = places.len() - 1;
        let place = places[newest];
        (!self.first.contains(&newest) || order.first.contains(&place))
            && (!self.last.contains(&newest) || order.last.contains(&place))
            && { self.pairs.iter() }
                .filter(|(one, other)| *one.max(other) == newest)
                .all(|(one, other)| order.follows.contains(&(places[*one], places[*other])))
    }
}

/// What an object holds at an offset; zero bytes are the null pointer where a pointer is wanted.
fn value_at(fields: &Fields, offset: i64, bytes: i64, wanted: Value) -> Option<Value> {
    fields.exact(offset, bytes).or_else(|| {
        let zero = match wanted {
            Value::Int(_) | Value::Symbol(_) => Value::Int(0),
            _ => Value::Null,
        };
        fields.is_zero(offset, bytes).then_some(zero)
    })
}

/// Whether bytes are zero.
fn is_zero(fields: &Fields, (mut at, to): (i64, i64)) -> bool {
    while at < to {
        let range = fields.zeros.iter().find(|(from, end)| *from <= at && at < *end);
        at = match (range, fields.cells.get(&at)) {
            (Some((_, end)), _) => *end,
            (None, Some(cell)) if matches!(cell.value, Value::Int(0) | Value::Null) => at + cell.bytes,
            _ => return false,
        };
    }
    true
}
