//! Matched states in the order of their distance from an error: how much the values would have to change for the guard
//! of an error to hold.

use super::graph::NodeId;
use super::linear::{Literal, Relation};
use super::{Ase, Found};
use crate::term::{Integer, Op, Sort, Symbol, TermId, Value};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Nodes, the nearest to an error first; of those that are as near, the first.
pub(super) struct Nearest(BinaryHeap<Reverse<(u64, NodeId)>>);

impl Nearest {
    /// The nodes in the order in which they were made.
    pub(super) fn into_nodes(self) -> VecDeque<NodeId> {
        let mut nodes: Vec<NodeId> = self.0.into_iter().map(|Reverse((_, id))| id).collect();
        nodes.sort_unstable();
        nodes.into()
    }
}

/// The distance of what is not known to be anywhere.
const FAR: u64 = 1 << 40;

impl Ase<'_> {
    /// The matched nodes by their distance.
    pub(super) fn nearest_matched(&mut self) -> Nearest {
        let matched = std::mem::take(&mut self.graph.matched);
        Nearest(matched.into_iter().map(|id| Reverse((self.distance(id), id))).collect())
    }

    /// Expands the nearest node; false if there is none. What follows from it joins the others.
    pub(super) fn expand_nearest(&mut self, nearest: &mut Nearest) -> Result<bool, Found> {
        let Some(Reverse((_, id))) = nearest.0.pop() else { return Ok(false) };
        self.expand(id)?;
        let mut new: Vec<NodeId> = self.graph.waiting.drain(..).collect();
        new.append(&mut self.graph.matched.drain(..).collect());
        for id in new {
            nearest.0.push(Reverse((self.distance(id), id)));
        }
        Ok(true)
    }

    /// The distance of a node from the nearest error.
    fn distance(&self, id: NodeId) -> u64 {
        let node = &self.graph.nodes[id];
        let place = self.system.place(node.place);
        let control = self.system.control.iter().zip(&*place.values);
        let data = self.system.data.iter().zip(&*node.state.values);
        let values: FxHashMap<Symbol, TermId> = control.chain(data).map(|(symbol, value)| (*symbol, *value)).collect();
        self.violations.iter().map(|&guard| self.distance_to(guard, true, &values)).min().unwrap_or(FAR)
    }

    /// How far the values are from making a formula true, or false.
    fn distance_to(&self, formula: TermId, wanted: bool, values: &FxHashMap<Symbol, TermId>) -> u64 {
        let args = self.terms.args(formula);
        let each = |wanted: bool| args.iter().map(move |&arg| self.distance_to(arg, wanted, values));
        match self.terms.op(formula) {
            Op::Bool(value) => {
                if *value == wanted {
                    0
                } else {
                    FAR
                }
            }
            Op::Not if Literal::of(&self.terms, formula).is_none() => self.distance_to(args[0], !wanted, values),
            Op::And if wanted => each(true).fold(0, u64::saturating_add),
            Op::And => each(false).min().unwrap_or(FAR),
            Op::Or if wanted => each(true).min().unwrap_or(FAR),
            Op::Or => each(false).fold(0, u64::saturating_add),
            _ => self.distance_of_literal(formula, wanted, values).unwrap_or(FAR),
        }
    }

    fn distance_of_literal(&self, formula: TermId, wanted: bool, values: &FxHashMap<Symbol, TermId>) -> Option<u64> {
        if self.terms.op(formula) != &Op::Not
            && self.terms.args(formula).first().map(|a| self.terms.sort(*a)) != Some(Sort::Int)
        {
            return None;
        }
        let Literal { sum, relation } = Literal::of(&self.terms, formula)?;
        let mut value = sum.constant.clone();
        for (symbol, coefficient) in &sum.parts {
            let Some(Value::Int(known)) = self.terms.as_value(*values.get(symbol)?) else { return None };
            value = &value + &(&known * coefficient);
        }
        let size = value.abs().to_u64().unwrap_or(FAR).min(FAR);
        let positive = Integer::ZERO < value;
        Some(match (relation, wanted) {
            (Relation::AtMost, true) => {
                if positive {
                    size
                } else {
                    0
                }
            }
            (Relation::AtMost, false) => {
                if positive {
                    0
                } else {
                    size + 1
                }
            }
            (Relation::Zero, true) | (Relation::NotZero, false) => size,
            (Relation::Zero, false) | (Relation::NotZero, true) => u64::from(size == 0),
        })
    }
}
