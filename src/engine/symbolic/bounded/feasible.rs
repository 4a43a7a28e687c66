//! Whether executions can go a way: asked of earlier answers first, then of the solver.

use super::{Bounded, NodeId};
use crate::engine::Stop;
use crate::engine::simple::simple_model;
use crate::solver::{Answer, Models, Solve};
use crate::term::{Assignment, Op, Symbol, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The conditions of a way that can be gone, and values with which it is; none if the solver gave no answer.
pub(super) type Feasible = (Vec<TermId>, Option<Rc<Assignment>>);

impl Bounded<'_> {
    /// Whether executions can go on from a node where the guard holds. The values are those that they leave, over which
    /// later guards are; `read` are the inputs that are new.
    pub(super) fn feasible(
        &mut self,
        node: Option<NodeId>,
        model: Option<&Assignment>,
        guard: &[TermId],
        values: &FxHashMap<Symbol, TermId>,
        read: &[Symbol],
    ) -> Result<Option<Feasible>, Stop> {
        if guard.iter().any(|part| self.terms.op(*part) == &Op::Bool(false)) {
            return Ok(None);
        }
        let guard: Vec<TermId> = guard.iter().copied().filter(|part| self.terms.op(*part) != &Op::Bool(true)).collect();
        let mut used = self.terms.symbols_of(guard.iter().copied());
        let first: Vec<Symbol> = used.iter().copied().filter(|symbol| self.blocks.is_state(*symbol)).collect();
        self.first_values.extend(first);
        let live = self.terms.symbols_of(values.values().copied());
        used.extend(&live);
        let new: Vec<Symbol> = read.iter().copied().filter(|symbol| used.contains(symbol)).collect();
        let mut conditions = guard.clone();
        for &symbol in &new {
            conditions.extend(self.blocks.range(&mut self.terms, symbol));
        }
        if let Some(model) = model {
            let kept = model.iter().filter(|(symbol, _)| !new.contains(symbol));
            let known: Assignment = kept.map(|(symbol, value)| (*symbol, value.clone())).collect();
            let (terms, blocks) = (&mut self.terms, &self.blocks);
            if let Some(found) = simple_model(terms, &guard, known, &mut |terms, symbol| blocks.range(terms, symbol)) {
                return Ok(Some((conditions, Some(self.kept(found, &live)))));
            }
        }
        self.switch_to(node);
        match self.solver.check(&self.terms, &conditions) {
            Answer::Unsat => Ok(None),
            Answer::Unknown(_) => {
                self.budget.check()?;
                self.unanswered += 1;
                Ok(Some((conditions, None)))
            }
            Answer::Sat => {
                let wanted: Vec<Symbol> = used.iter().chain(&self.first_values).copied().collect();
                let model = self.solver.model(&mut self.terms, &wanted);
                Ok(Some((conditions, model.ok().map(|model| self.kept(model, &live)))))
            }
        }
    }

    /// The part of a model that later guards can depend on; symbols that it leaves out are zero.
    fn kept(&self, mut model: Assignment, live: &BTreeSet<Symbol>) -> Rc<Assignment> {
        model.retain(|symbol, _| live.contains(symbol) || self.first_values.contains(symbol));
        for &symbol in live {
            if !model.contains_key(&symbol) {
                model.insert(symbol, crate::term::Value::zero(self.terms.symbol_sort(symbol)));
            }
        }
        Rc::new(model)
    }

    /// Makes the conditions of the node, and of those above it, what the solver has asserted.
    pub(super) fn switch_to(&mut self, node: Option<NodeId>) {
        let mut path = Vec::new();
        let mut next = node;
        while let Some(node) = next {
            if !self.nodes[node].conditions.is_empty() {
                path.push(node);
            }
            next = self.nodes[node].above;
        }
        path.reverse();
        let common = self.levels.iter().zip(&path).take_while(|(a, b)| a == b).count();
        while self.levels.len() > common {
            self.levels.pop();
            self.solver.pop();
        }
        for &node in &path[common..] {
            self.solver.push();
            for &condition in &self.nodes[node].conditions {
                self.solver.assert(&self.terms, condition);
            }
            self.levels.push(node);
        }
    }
}
