//! Paths as formulas: one way through each block, the one that a model takes.

use super::PathFormulas;
use super::path::{PathNode, Piece, Steps};
use super::resolve::Resolver;
use crate::engine::Stop;
use crate::formula::blocks::{Code, Move, Target, Walk};
use crate::solver::interpolate::NestedStep;
use crate::solver::{Answer, Models, Solve};
use crate::term::eval::eval_cached;
use crate::term::{Assignment, Symbol, TermId, Value};
use rustc_hash::FxHashMap;

/// A path through a block: the moves in order.
type BlockPath = Vec<(usize, usize)>;

/// What takes the place of variables of which the states along a path know the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KnownValues {
    /// The value: interpolants do not speak of what the states know, and say the same of many objects.
    FilledIn,
    /// Nothing.
    Symbolic,
}

impl PathFormulas<'_, '_> {
    /// The values before each of the first pieces of an infeasible path, along an execution that takes as many of them as
    /// any does. Where the solver gives no answer, it may be fewer.
    pub(crate) fn longest_execution(&mut self, pieces: &[Piece]) -> Result<Vec<Assignment>, Stop> {
        let merged = self.merged(pieces)?;
        let (mut taken, mut refused) = (0, pieces.len());
        let mut values = Vec::new();
        // Nearly always the last piece alone is refused.
        let mut length = pieces.len() - 1;
        while taken + 1 < refused {
            let steps = merged.steps[..merged.after[length - 1]].to_vec();
            match self.execution(&Steps { steps, after: merged.after[..length].to_vec() }) {
                Ok(Some(found)) => (taken, values) = (length, found),
                Ok(None) => refused = length,
                Err(_) => {
                    self.budget.check()?;
                    refused = length;
                }
            }
            length = usize::midpoint(taken, refused);
        }
        // The position before the last step of a piece has the inputs that it reads.
        Ok(merged.after[..taken].iter().map(|after| values[after - 1].clone()).collect())
    }

    /// The path by one way through each block, with every case decided: the way that is taken with the values before the
    /// first pieces where these are given, and elsewhere one that a model of the block takes. Ways that exclude each other
    /// would be ruled out one after the other.
    pub(crate) fn single(
        &mut self,
        pieces: &[Piece],
        taken: &[Assignment],
        values: KnownValues,
    ) -> Result<Steps, Stop> {
        let mut steps = Steps::default();
        for (number, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Block { from, to, walk, end } => {
                    let model = match taken.get(number) {
                        Some(taken) => self.with_known_values(from, taken.clone()),
                        None => self.model_of_block(from, to, walk, *end)?,
                    };
                    let (way, states) = self.way(walk, *end, &model)?;
                    let mut known =
                        (values == KnownValues::FilledIn).then(|| from.state.values.iter().copied().collect());
                    for (&(node, number), state) in way.iter().zip(&states) {
                        self.single_move(&mut steps.steps, &walk.nodes[node].moves[number], state, known.as_mut());
                    }
                    self.assume_apart(to, &mut steps.steps);
                }
                other => self.simple(other, &mut steps.steps)?,
            }
            steps.after.push(steps.steps.len());
        }
        Ok(steps)
    }

    /// A step inside a block, with known values filled in, which are then those after it.
    fn single_move(
        &mut self,
        steps: &mut Vec<NestedStep>,
        chosen: &Move,
        state: &Assignment,
        mut known: Option<&mut FxHashMap<Symbol, TermId>>,
    ) {
        let terms = &mut self.formulas.terms;
        let nothing = FxHashMap::default();
        let before = known.as_deref().unwrap_or(&nothing);
        let (guard, changed, is_return) = match &*chosen.code {
            Code::Plain(transition) => (Some(transition.guard), &transition.updates, false),
            Code::Call { parameters, guard, .. } => (Some(*guard), parameters, false),
            Code::Return { result } => (None, result, true),
        };
        let guard = guard.map(|guard| terms.substitute(guard, before));
        let changed: Vec<(Symbol, TermId)> =
            changed.iter().map(|(symbol, value)| (*symbol, terms.substitute(*value, before))).collect();
        let mut resolver = Resolver::new(terms, state);
        guard.into_iter().for_each(|guard| resolver.explain(guard));
        let mut updates = Vec::new();
        for (symbol, value) in changed {
            updates.push((symbol, if is_return { value } else { resolver.resolve(value) }));
        }
        let (conditions, quotients) = (resolver.conditions, resolver.quotients);
        if let Some(known) = &mut known {
            for (symbol, value) in &updates {
                match self.formulas.terms.is_value(*value) {
                    true => known.insert(*symbol, *value),
                    false => known.remove(symbol),
                };
            }
        }
        let guard = self.formulas.terms.and(conditions);
        self.plain(steps, guard, updates, quotients);
    }

    /// Values with which a block leads from one node to another.
    fn model_of_block(&mut self, from: &PathNode, to: &PathNode, walk: &Walk, end: usize) -> Result<Assignment, Stop> {
        let end = &walk.ends[end];
        let mut formula: Vec<TermId> = from.state.known().formulas(&mut self.formulas.terms);
        formula.extend(&end.guard);
        formula.extend(self.holds_after(to, &end.values));
        for literal in &to.state.literals {
            formula.push(self.formulas.terms.substitute(*literal, &end.values));
        }
        self.solver.assert_ranges(self.formulas, formula.iter().copied());
        let symbols: Vec<Symbol> = self.formulas.terms.symbols_of(formula.iter().copied()).into_iter().collect();
        self.solver.process.push();
        for &part in &formula {
            self.solver.process.assert(&self.formulas.terms, part);
        }
        let model = match self.solver.process.check(&self.formulas.terms, &[]) {
            Answer::Sat => self.solver.process.model(&mut self.formulas.terms, &symbols).map_err(|e| e.to_string()),
            other => Err(format!("{other:?}")),
        };
        self.solver.process.pop();
        Ok(self.with_known_values(from, model.map_err(Stop::Solver)?))
    }

    fn with_known_values(&self, from: &PathNode, mut model: Assignment) -> Assignment {
        for (symbol, value) in &from.state.values {
            model.insert(*symbol, self.formulas.terms.as_value(*value).expect("known values are constants"));
        }
        model
    }

    /// The way that leads through a block to an end with these values of variables and inputs, with the values at each
    /// of its steps.
    pub(super) fn way(
        &self,
        walk: &Walk,
        end: usize,
        start: &Assignment,
    ) -> Result<(BlockPath, Vec<Assignment>), Stop> {
        let mut way: BlockPath = Vec::new();
        let mut states = vec![start.clone()];
        let mut next = vec![0];
        let mut at = 0;
        loop {
            let number = *next.last().expect("the way has a place");
            let Some(candidate) = walk.nodes[at].moves.get(number) else {
                // Nothing left to try here: back.
                next.pop();
                states.pop();
                let Some((before, _)) = way.pop() else {
                    return Err(Stop::NotFollowed);
                };
                at = before;
                continue;
            };
            *next.last_mut().expect("the way has a place") += 1;
            let state = states.last().expect("the way has a place");
            let Some(after) = self.moved(candidate, state) else { continue };
            match candidate.to {
                Target::End(found) if found == end => {
                    way.push((at, number));
                    return Ok((way, states));
                }
                Target::End(_) => {}
                Target::Node(node) => {
                    way.push((at, number));
                    states.push(after);
                    next.push(0);
                    at = node;
                }
            }
        }
    }

    /// The values after a step inside a block, if it can be taken.
    fn moved(&self, chosen: &Move, state: &Assignment) -> Option<Assignment> {
        let mut done = FxHashMap::default();
        let mut value = |term| eval_cached(&self.formulas.terms, term, state, &mut done);
        if value(chosen.choice) != Value::Bool(true) {
            return None;
        }
        let mut after = state.clone();
        match &*chosen.code {
            Code::Plain(transition) => {
                if value(transition.guard) != Value::Bool(true) {
                    return None;
                }
                after.extend(transition.updates.iter().map(|&(symbol, term)| (symbol, value(term))));
            }
            Code::Call { parameters, guard, .. } => {
                if value(*guard) != Value::Bool(true) {
                    return None;
                }
                after.extend(parameters.iter().map(|&(symbol, term)| (symbol, value(term))));
            }
            Code::Return { result } => after.extend(result.iter().map(|&(symbol, term)| (symbol, value(term)))),
        }
        Some(after)
    }
}
