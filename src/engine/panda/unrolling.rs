//! The unrolling that a finished search hands out in which no state was matched.

use super::limits::MAX_VALUES;
use crate::engine::Stop;
use crate::engine::bounded::OverInputs;
use crate::engine::cegar::{Cegar, Kind, Label, time_of};
use crate::engine::claim::{UnrolledCaller, UnrolledNode, Unrolling};
use crate::engine::search::NodeId;
use crate::formula::Formulas;
use crate::formula::blocks::Reading;
use crate::term::{Symbol, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

impl Cegar<'_> {
    /// Whether every state has a trace of its own, and stands for all of it and nothing else. What is approximated is an
    /// input of any value, as it is for the check.
    fn is_unrolled(&self) -> bool {
        let arg = &self.search.arg;
        let blocks = &self.space.formulas.blocks;
        let has_choices = self.space.pruning.as_ref().is_some_and(|pruning| pruning.has_choices());
        !has_choices
            && !blocks.init_faults()
            && arg.nodes().all(|node| arg.covered_by(node).is_none() && arg.state(node).trace.is_some())
            && self.size() <= MAX_VALUES
    }

    fn size(&self) -> usize {
        let traces = self.search.arg.nodes().filter_map(|node| self.search.arg.state(node).trace.as_ref());
        traces.map(|trace| trace.values.len()).sum()
    }

    /// The unrolling, where the search is one.
    pub(super) fn unrolling(&mut self) -> Result<Option<Unrolling>, Stop> {
        let Some((callers, nodes)) = self.unrolled_nodes() else { return Ok(None) };
        if !self.speaks_of_what_is_read(&callers, &nodes)? || self.space.is_outdated()? {
            return Ok(None);
        }
        let Formulas { terms, blocks } = &mut self.space.formulas;
        let arithmetic = blocks.encoder().arithmetic();
        let (memory, stacks) = (blocks.memory().clone(), blocks.numbered_stacks());
        let tracked = self.space.precision.tracked().clone();
        Ok(Some(Unrolling { terms: std::mem::take(terms), arithmetic, memory, tracked, stacks, callers, nodes }))
    }

    /// Whether callers and nodes speak only of what blocks read that start with the values of the trace. The states of the
    /// search are of blocks that start with less, and where less is known of memory more can be to choose.
    fn speaks_of_what_is_read(&mut self, callers: &[UnrolledCaller], nodes: &[UnrolledNode]) -> Result<bool, Stop> {
        let budget = self.space.budget.clone();
        let stop = || budget.check().is_err();
        let mut read: FxHashSet<Symbol> = self.space.formulas.init()?.0.own_symbols().collect();
        let Formulas { terms, blocks } = &mut self.space.formulas;
        let tracked = self.space.precision.tracked();
        for node in nodes {
            let reading = Reading::At(node.time);
            let walk = blocks.walk_reading(terms, &node.stack, &node.values, tracked, reading, &stop);
            read.extend(walk.map_err(|error| budget.stop_of_walk(error))?.read);
        }
        let values = callers.iter().flat_map(|caller| &caller.saved).chain(nodes.iter().flat_map(|node| &node.values));
        let conditions = nodes.iter().flat_map(|node| node.conditions.iter().copied());
        let used = terms.symbols_of(values.map(|(_, value)| *value).chain(conditions));
        Ok(used.into_iter().all(|symbol| read.contains(&symbol)))
    }

    /// What the unrolling is made of.
    fn unrolled_nodes(&self) -> Option<(Vec<UnrolledCaller>, Vec<UnrolledNode>)> {
        if !self.is_unrolled() {
            return None;
        }
        let arg = &self.search.arg;
        let inner: Vec<NodeId> = arg.nodes().filter(|node| arg.control(*node).kind != Kind::Exit).collect();
        let places: FxHashMap<NodeId, usize> = inner.iter().enumerate().map(|(place, node)| (*node, place)).collect();
        let mut returns: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        for node in arg.nodes() {
            if let Some(exit) = arg.second_parent(node) {
                returns.entry(exit).or_default().push(node);
            }
        }
        let blocks = &self.space.formulas.blocks;
        let is_state = |symbol| blocks.is_state(symbol);
        let terms = &self.space.formulas.terms;
        let mut visible = OverInputs { terms, is_state: &is_state, known: FxHashMap::default() };
        let mut callers = Vec::new();
        let mut caller_of = FxHashMap::default();
        let mut nodes = Vec::new();
        for &node in &inner {
            let control = arg.control(node);
            let trace = arg.state(node).trace.as_ref()?;
            if let Label::Call { edge } = arg.label(node) {
                let call = arg.parent(node)?;
                caller_of.insert(control.activation, callers.len());
                callers.push(UnrolledCaller {
                    stack: self.space.frames(arg, call).to_vec(),
                    edge: *edge,
                    saved: visible.of(trace.saved.iter().copied()),
                    below: caller_of.get(&arg.control(call).activation).copied(),
                });
            }
            let (conditions, above) = self.conditions(node)?;
            let mut successors = Vec::new();
            for (label, next) in arg.edges(node) {
                // A return is from the exit, and not from the node that calls.
                match (label, arg.control(*next).kind) {
                    (Label::Return { .. }, _) => {}
                    (_, Kind::Exit) => self.after_exit(*next, &returns, &mut successors),
                    _ => successors.push(*next),
                }
            }
            nodes.push(UnrolledNode {
                time: time_of(node),
                stack: self.space.frames(arg, node).to_vec(),
                caller: caller_of.get(&control.activation).copied(),
                values: visible.of(trace.values.iter().map(|(symbol, value)| (*symbol, *value))),
                above: above.map(|above| places[&above]),
                conditions,
                successors: successors.iter().map(|next| places[next]).collect(),
            });
        }
        Some((callers, nodes))
    }

    /// Where executions go on from an exit; one that returns to an exit goes on from there.
    fn after_exit(&self, exit: NodeId, returns: &FxHashMap<NodeId, Vec<NodeId>>, found: &mut Vec<NodeId>) {
        let mut exits = vec![exit];
        while let Some(exit) = exits.pop() {
            for &next in returns.get(&exit).into_iter().flatten() {
                match self.search.arg.control(next).kind {
                    Kind::Exit => exits.push(next),
                    _ => found.push(next),
                }
            }
        }
    }

    /// The conditions of a node with those of exits right before it, and the node before all these.
    fn conditions(&self, node: NodeId) -> Option<(Vec<TermId>, Option<NodeId>)> {
        let arg = &self.search.arg;
        let mut trace = arg.state(node).trace.as_ref()?;
        let mut conditions = trace.conditions.clone();
        while let Some(from) = trace.from.filter(|from| arg.control(*from).kind == Kind::Exit) {
            trace = arg.state(from).trace.as_ref()?;
            conditions.extend(&trace.conditions);
        }
        Some((conditions, trace.from))
    }
}
