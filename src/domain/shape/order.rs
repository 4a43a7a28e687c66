//! In which order the kinds of nodes of a chain come: which can be the first, which the last, and which can follow which.

use super::{Segment, Template};
use std::collections::BTreeSet;

/// In which order nodes come. Templates are named by their places in [`Segment::nodes`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order {
    /// What the first node can be like.
    pub first: BTreeSet<usize>,
    /// What the last node can be like.
    pub last: BTreeSet<usize>,
    /// What a node and the one after it can be like.
    pub follows: BTreeSet<(usize, usize)>,
}

impl Order {
    /// Any order of so many templates.
    pub(super) fn any(count: usize) -> Order {
        let all: BTreeSet<usize> = (0..count).collect();
        let follows = (0..count).flat_map(|one| (0..count).map(move |other| (one, other))).collect();
        Order { first: all.clone(), last: all, follows }
    }

    /// That of one node.
    pub(super) fn single() -> Order {
        let node = BTreeSet::from([0]);
        Order { first: node.clone(), last: node, follows: BTreeSet::new() }
    }

    /// Whether it is one of so many templates.
    pub(super) fn is_of(&self, count: usize) -> bool {
        let pairs = self.follows.iter().flat_map(|(one, other)| [one, other]);
        self.first.iter().chain(&self.last).chain(pairs).all(|node| *node < count)
    }

    /// That of a chain and another one behind it, where their templates have new places.
    pub(super) fn then(&self, next: &Order, places: &[usize], next_places: &[usize]) -> Order {
        let all = |nodes: &BTreeSet<usize>, places: &[usize]| nodes.iter().map(|node| places[*node]).collect();
        let pairs = |order: &Order, places: &[usize]| -> Vec<(usize, usize)> {
            order.follows.iter().map(|(one, other)| (places[*one], places[*other])).collect()
        };
        let between = self.last.iter().flat_map(|one| next.first.iter().map(move |other| (*one, *other)));
        let between = between.map(|(one, other)| (places[one], next_places[other]));
        let follows = pairs(self, places).into_iter().chain(pairs(next, next_places)).chain(between).collect();
        Order { first: all(&self.first, places), last: all(&next.last, next_places), follows }
    }

    /// That of the others, where the first node is like a template.
    fn after(&self, node: usize) -> Order {
        let first = self.follows.iter().filter(|(one, _)| *one == node).map(|(_, other)| *other).collect();
        Order { first, ..self.clone() }
    }

    /// That of the others, where the last node is like a template.
    fn before(&self, node: usize) -> Order {
        let last = self.follows.iter().filter(|(_, other)| *other == node).map(|(one, _)| *one).collect();
        Order { last, ..self.clone() }
    }

    /// The templates that some node can be like: the first node leads to it, and it to the last one.
    fn possible(&self) -> BTreeSet<usize> {
        let closed = |from: &BTreeSet<usize>, turn: bool| {
            let mut found = from.clone();
            let mut count = 0;
            while count < found.len() {
                count = found.len();
                for (one, other) in &self.follows {
                    let (from, to) = if turn { (other, one) } else { (one, other) };
                    if found.contains(from) {
                        found.insert(*to);
                    }
                }
            }
            found
        };
        closed(&self.first, false).intersection(&closed(&self.last, true)).copied().collect()
    }
}

impl Segment {
    /// The nodes behind the first one, which is like a template; `None` where there cannot be any.
    pub(super) fn behind_first(&self, template: usize) -> Option<Segment> {
        Segment { order: self.order.after(template), ..self.clone() }.shortened()
    }

    /// The nodes before the last one, which is like a template; `None` where there cannot be any.
    pub(super) fn before_last(&self, template: usize) -> Option<Segment> {
        Segment { order: self.order.before(template), ..self.clone() }.shortened()
    }

    /// With one node less, and without templates that no node can be like.
    fn shortened(self) -> Option<Segment> {
        let possible = self.order.possible();
        let min = self.min.saturating_sub(1).max(1);
        if possible.len() == self.nodes.len() {
            return Some(Segment { min, ..self });
        }
        let place = |node: &usize| possible.iter().position(|known| known == node);
        let all = |nodes: &BTreeSet<usize>| nodes.iter().filter_map(place).collect();
        let follows = self.order.follows.iter().filter_map(|(one, other)| Some((place(one)?, place(other)?))).collect();
        let order = Order { first: all(&self.order.first), last: all(&self.order.last), follows };
        let nodes: Vec<Template> = possible.iter().map(|node| self.nodes[*node].clone()).collect();
        (!nodes.is_empty()).then_some(Segment { min, nodes, order, ..self })
    }
}
