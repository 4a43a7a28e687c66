//! Whether executions can go a way: asked of earlier answers first, then of the solver.

use super::{Bounded, NodeId};
use crate::engine::Stop;
use crate::formula::simple::simple_model;
use crate::solver::{Answer, Models, Solve};
use crate::term::{Assignment, Op, Symbol, TermId, Terms, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The conditions of a way that can be gone, and values with which it is; none if the solver gave no answer.
pub(super) type Feasible = (Vec<TermId>, Option<Rc<Assignment>>);

/// What is known of a question.
enum Known {
    No,
    With(Assignment),
    NoAnswer,
}

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
        if guard.iter().any(|part| self.formulas.terms.op(*part) == &Op::Bool(false)) {
            return Ok(None);
        }
        let guard: Vec<TermId> =
            guard.iter().copied().filter(|part| self.formulas.terms.op(*part) != &Op::Bool(true)).collect();
        let used = self.formulas.terms.symbols_of(guard.iter().copied());
        let first = used.iter().copied().filter(|symbol| self.formulas.blocks.is_state(*symbol));
        self.first_values.extend(first);
        let live = self.formulas.terms.symbols_of(values.values().copied());
        let is_new = |symbol: &Symbol| used.contains(symbol) || live.contains(symbol);
        let mut conditions = guard.clone();
        for &symbol in read.iter().filter(|symbol| is_new(symbol)) {
            conditions.extend(self.formulas.blocks.range(&mut self.formulas.terms, symbol));
        }
        let known = match model {
            Some(_) if guard.is_empty() => Known::With(Assignment::default()),
            Some(_) if used.iter().all(|symbol| read.contains(symbol)) => self.alone(&guard, &used)?,
            Some(model) => match self.simple(&guard, model.clone()) {
                Some(found) => Known::With(found),
                None => self.asked(node, &conditions, used.iter().chain(&live).copied())?,
            },
            None => self.asked(node, &conditions, used.iter().chain(&live).copied())?,
        };
        match known {
            Known::No => Ok(None),
            Known::NoAnswer => Ok(Some((conditions, None))),
            Known::With(found) => {
                let mut all = model.cloned().unwrap_or_default();
                all.extend(found);
                Ok(Some((conditions, Some(self.kept(all, &live)))))
            }
        }
    }

    /// The known values with simple values of other symbols, where these make the formulas true.
    fn simple(&mut self, formulas: &[TermId], known: Assignment) -> Option<Assignment> {
        let (terms, blocks) = (&mut self.formulas.terms, &self.formulas.blocks);
        simple_model(terms, formulas, known, &mut |terms: &mut Terms, symbol| blocks.range(terms, symbol))
    }

    /// Asks the solver, on top of what the path to a node asserts.
    fn asked(
        &mut self,
        node: Option<NodeId>,
        conditions: &[TermId],
        wanted: impl Iterator<Item = Symbol>,
    ) -> Result<Known, Stop> {
        self.switch_to(node);
        match self.solver.check(&self.formulas.terms, conditions) {
            Answer::Unsat => Ok(Known::No),
            Answer::Unknown(_) => {
                self.budget.check()?;
                self.unanswered += 1;
                Ok(Known::NoAnswer)
            }
            Answer::Sat => {
                let wanted: Vec<Symbol> = wanted.chain(self.first_values.iter().copied()).collect();
                let model = self.solver.model(&mut self.formulas.terms, &wanted);
                Ok(model.map_or(Known::NoAnswer, Known::With))
            }
        }
    }

    /// Whether a guard holds for some values of what was just read, where it speaks of nothing else. The same guard may
    /// come again at another time.
    fn alone(&mut self, guard: &[TermId], used: &BTreeSet<Symbol>) -> Result<Known, Stop> {
        let original = |symbol: &Symbol| self.formulas.blocks.original(*symbol).unwrap_or(*symbol);
        let originals: Vec<(Symbol, Symbol)> = used.iter().map(|symbol| (*symbol, original(symbol))).collect();
        let mut named = FxHashMap::default();
        for &(symbol, original) in &originals {
            named.insert(symbol, self.formulas.terms.of_symbol(original));
        }
        let mut done = FxHashMap::default();
        let key: Vec<TermId> =
            guard.iter().map(|part| self.formulas.terms.substitute_cached(*part, &named, &mut done)).collect();
        let found = match self.alone.get(&key) {
            Some(known) => known.clone(),
            None => {
                let found = match self.simple(&key, Assignment::default()) {
                    Some(found) => Some(found),
                    None => {
                        let mut conditions = key.clone();
                        for (_, symbol) in &originals {
                            conditions.extend(self.formulas.blocks.range(&mut self.formulas.terms, *symbol));
                        }
                        match self.asked(None, &conditions, originals.iter().map(|(_, symbol)| *symbol))? {
                            Known::No => None,
                            Known::With(found) => Some(found),
                            Known::NoAnswer => return Ok(Known::NoAnswer),
                        }
                    }
                };
                self.alone.insert(key, found.clone());
                found
            }
        };
        let Some(found) = found else { return Ok(Known::No) };
        let value = |(symbol, original)| Some((symbol, found.get(&original)?.clone()));
        Ok(Known::With(originals.into_iter().filter_map(value).collect()))
    }

    /// The part of a model that later guards can depend on; symbols that it leaves out are zero.
    fn kept(&self, mut model: Assignment, live: &BTreeSet<Symbol>) -> Rc<Assignment> {
        model.retain(|symbol, _| live.contains(symbol) || self.first_values.contains(symbol));
        for &symbol in live {
            model.entry(symbol).or_insert_with(|| Value::zero(self.formulas.terms.symbol_sort(symbol)));
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
                self.solver.assert(&self.formulas.terms, condition);
            }
            self.levels.push(node);
        }
    }
}
