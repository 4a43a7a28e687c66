//! The unrolling that a finished search hands out, for `confirm` to check.

use super::limits::MAX_VALUES;
use super::position::Caller;
use super::state::{Identity, PathArg, time_of};
use super::{Bounded, BoundedSpace};
use crate::engine::claim::{UnrolledCaller, UnrolledNode, Unrolling};
use crate::engine::search::NodeId;
use crate::formula::Formulas;
use crate::program::control::Frame;
use crate::term::{Op, Symbol, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a proof is made of.
#[derive(Debug, Default)]
pub(super) struct Explored {
    /// The nodes whose blocks were walked, in this order.
    nodes: Vec<NodeId>,
    /// How many values the states have together that were expanded.
    values: usize,
}

impl Explored {
    /// Nothing was.
    pub(super) fn clear(&mut self) {
        *self = Explored::default();
    }

    /// The block of a node was walked.
    pub(super) fn note(&mut self, node: NodeId) {
        self.nodes.push(node);
    }

    /// Keeps of the state of a node that was expanded what is still needed: its values, as long as a proof may be made of
    /// them, and the values of constant states always, because they cover others.
    pub(super) fn keep(&mut self, arg: &mut PathArg<'_>, node: NodeId) {
        let state = arg.state_mut(node);
        state.model = None;
        if let Identity::Agreeing(known) = &mut state.identity {
            *known = Vec::new();
        }
        let before = self.values;
        self.values += state.values.len() + 1;
        match self.is_too_much() {
            false => {}
            true if before <= MAX_VALUES => self.nodes.iter().for_each(|node| release(arg, *node)),
            true => release(arg, node),
        }
    }

    fn is_too_much(&self) -> bool {
        self.values > MAX_VALUES
    }
}

/// Drops the values of a node that was expanded.
fn release(arg: &mut PathArg<'_>, node: NodeId) {
    let state = arg.state_mut(node);
    if state.identity != Identity::Constant && state.rest.is_none() {
        state.values = FxHashMap::default();
    }
}

impl Bounded<'_> {
    /// The proof that a search gives which ended with nothing cut off and no answer missing.
    ///
    /// # Errors
    /// Why it gives none.
    pub(super) fn proof(&mut self) -> Result<Unrolling, String> {
        let arg = &self.search.arg;
        let failing: FxHashSet<NodeId> = arg.nodes().filter(|node| self.space.fails(arg.control(*node))).collect();
        let BoundedSpace { formulas, explored, positions, apart, .. } = &mut self.space;
        let Formulas { terms, blocks } = formulas;
        if blocks.init_faults() {
            return Err("global variables may be initialised by an invalid access".to_owned());
        }
        if explored.is_too_much() {
            return Err("there are too many states for a proof".to_owned());
        }
        let mut visible =
            OverInputs { terms, is_state: &|symbol| blocks.is_state(symbol), known: FxHashMap::default() };
        let caller = |caller: &Caller| UnrolledCaller {
            stack: positions.stack(caller.position).to_vec(),
            edge: caller.edge,
            saved: visible.of(caller.saved.iter().copied()),
            below: caller.position.caller,
        };
        let callers = positions.callers().iter().map(caller).collect();
        let places: FxHashMap<NodeId, usize> =
            explored.nodes.iter().enumerate().map(|(place, node)| (*node, place)).collect();
        let unrolled = |&node: &NodeId| {
            let stack = positions.stack(arg.control(node)).to_vec();
            let next = arg.edges(node).iter().map(|(_, next)| *next).filter(|next| !failing.contains(next));
            let successors: Option<Vec<usize>> = next.map(|next| places.get(&next).copied()).collect();
            unrolled(arg, node, stack, &places, successors?, &mut visible)
        };
        let nodes: Option<Vec<UnrolledNode>> = explored.nodes.iter().map(unrolled).collect();
        let nodes = nodes.ok_or("not all states were expanded")?;
        let arithmetic = blocks.encoder().arithmetic();
        let (memory, stacks) = (blocks.memory().clone(), blocks.numbered_stacks());
        let terms = std::mem::take(terms);
        Ok(Unrolling { terms, arithmetic, memory, tracked: apart.tracked().clone(), stacks, callers, nodes })
    }
}

/// A node as part of a proof in which nodes have these places.
fn unrolled(
    arg: &PathArg<'_>,
    node: NodeId,
    stack: Vec<Frame>,
    places: &FxHashMap<NodeId, usize>,
    successors: Vec<usize>,
    visible: &mut OverInputs<'_>,
) -> Option<UnrolledNode> {
    let state = arg.state(node);
    let above = match state.above {
        Some(above) => Some(*places.get(&above)?),
        None => None,
    };
    Some(UnrolledNode {
        time: time_of(node),
        stack,
        caller: arg.control(node).caller,
        values: visible.of(state.values.iter().map(|(symbol, value)| (*symbol, *value))),
        above,
        conditions: state.conditions.clone(),
        successors,
    })
}

/// Which terms speak of inputs alone. What speaks of variables that were not written is no value, but anything.
pub(in crate::engine) struct OverInputs<'a> {
    pub(in crate::engine) terms: &'a Terms,
    pub(in crate::engine) is_state: &'a dyn Fn(Symbol) -> bool,
    pub(in crate::engine) known: FxHashMap<TermId, bool>,
}

impl OverInputs<'_> {
    /// The values that speak of inputs alone, in the order of the symbols.
    pub(in crate::engine) fn of(&mut self, values: impl Iterator<Item = (Symbol, TermId)>) -> Vec<(Symbol, TermId)> {
        let mut values: Vec<(Symbol, TermId)> = values.filter(|(_, value)| self.holds(*value)).collect();
        values.sort_unstable();
        values
    }

    fn holds(&mut self, term: TermId) -> bool {
        let mut waiting = vec![term];
        while let Some(&next) = waiting.last() {
            if self.known.contains_key(&next) {
                waiting.pop();
                continue;
            }
            let args = self.terms.args(next);
            let open: Vec<TermId> = args.iter().copied().filter(|arg| !self.known.contains_key(arg)).collect();
            if !open.is_empty() {
                waiting.extend(open);
                continue;
            }
            let own = match self.terms.op(next) {
                Op::Var(symbol) => !(self.is_state)(*symbol),
                _ => true,
            };
            let all = own && args.iter().all(|arg| self.known[arg]);
            self.known.insert(next, all);
            waiting.pop();
        }
        self.known[&term]
    }
}
