//! The unrolling that a finished search hands out, for `confirm` to check.

use super::call::Caller;
use super::limits::MAX_VALUES;
use super::{Bounded, Node, NodeId, State, time_of};
use crate::engine::claim::{UnrolledCaller, UnrolledNode, Unrolling};
use crate::formula::Formulas;
use crate::term::{Op, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// The nodes that were expanded.
#[derive(Default)]
pub(super) struct Explored {
    /// In the order in which they were.
    nodes: Vec<NodeId>,
    /// How many values their states have together.
    values: usize,
}

impl Bounded<'_> {
    /// Keeps the state of a node that was expanded, as long as a proof may be made of it.
    pub(super) fn remember(&mut self, node: NodeId, state: State) {
        let before = self.explored.values;
        self.explored.values += state.values.len() + 1;
        self.explored.nodes.push(node);
        if self.explored.values <= MAX_VALUES {
            self.nodes[node].explored = Some(State { model: None, ..state });
        } else if before <= MAX_VALUES {
            self.nodes.iter_mut().for_each(|node| node.explored = None);
        }
    }

    /// The proof that a search gives which ended with nothing cut off and no answer missing.
    ///
    /// # Errors
    /// Why it gives none.
    pub(super) fn proof(&mut self) -> Result<Unrolling, String> {
        if let Some(first) = self.formulas.blocks.approximated().first() {
            return Err(format!("{} is approximated, which leaves no proof", first.construct));
        }
        if self.formulas.blocks.init_faults() {
            return Err("global variables may be initialised by an invalid access".to_owned());
        }
        if self.explored.values > MAX_VALUES {
            return Err("there are too many states for a proof".to_owned());
        }
        let Formulas { terms, blocks } = &self.formulas;
        let mut visible =
            OverInputs { terms, is_state: &|symbol| blocks.is_state(symbol), known: FxHashMap::default() };
        let caller = |caller: &Caller| UnrolledCaller {
            stack: caller.stack.to_vec(),
            edge: caller.edge,
            saved: visible.of(caller.saved.iter().copied()),
            below: caller.below,
        };
        let callers = self.callers.iter().map(caller).collect();
        let mut places = vec![None; self.nodes.len()];
        for (place, &node) in self.explored.nodes.iter().enumerate() {
            places[node] = Some(place);
        }
        let unrolled = |&id: &NodeId| unrolled(id, &self.nodes[id], &places, &mut visible);
        let nodes: Option<Vec<UnrolledNode>> = self.explored.nodes.iter().map(unrolled).collect();
        let nodes = nodes.ok_or("not all states were expanded")?;
        let arithmetic = blocks.encoder().arithmetic();
        let (memory, stacks) = (blocks.memory().clone(), blocks.numbered_stacks());
        let terms = std::mem::take(&mut self.formulas.terms);
        Ok(Unrolling { terms, arithmetic, memory, tracked: self.tracked.clone(), stacks, callers, nodes })
    }
}

/// A node as part of a proof in which nodes have these places.
fn unrolled(id: NodeId, node: &Node, places: &[Option<usize>], visible: &mut OverInputs<'_>) -> Option<UnrolledNode> {
    let state = node.explored.as_ref()?;
    let above = match node.above {
        Some(above) => Some(places[above]?),
        None => None,
    };
    let successors: Option<Vec<usize>> = node.next.iter().map(|(_, next)| places[*next]).collect();
    Some(UnrolledNode {
        time: time_of(id),
        stack: state.stack.to_vec(),
        caller: state.caller,
        values: visible.of(state.values.iter().map(|(symbol, value)| (*symbol, *value))),
        above,
        conditions: node.conditions.clone(),
        successors: successors?,
    })
}

/// Which terms speak of inputs alone. What speaks of variables that were not written is no value, but anything.
struct OverInputs<'a> {
    terms: &'a Terms,
    is_state: &'a dyn Fn(Symbol) -> bool,
    known: FxHashMap<TermId, bool>,
}

impl OverInputs<'_> {
    /// The values that speak of inputs alone, in the order of the symbols.
    fn of(&mut self, values: impl Iterator<Item = (Symbol, TermId)>) -> Vec<(Symbol, TermId)> {
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
