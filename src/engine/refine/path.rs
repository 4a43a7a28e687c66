//! Paths as formulas: each piece as a step, with all ways through a block at once.

use super::PathFormulas;
use crate::domain::State;
use crate::engine::Stop;
use crate::engine::search::NodeId;
use crate::formula::blocks::{Code, Walk};
use crate::formula::encode::Transition;
use crate::program::control::Frame;
use crate::program::{EdgeId, ProcId};
use crate::solver::interpolate::{NestedStep, PathStep};
use crate::term::{Op, Symbol, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A node on a path.
#[derive(Debug)]
pub(crate) struct PathNode {
    /// The node.
    pub id: NodeId,
    /// Its location stack.
    pub stack: Rc<[Frame]>,
    /// What is known there.
    pub state: Rc<State>,
    /// What was told apart there.
    pub apart: Vec<(Symbol, TermId)>,
    /// How many changes of the precision there were before it was made.
    pub made_after: u64,
}

impl PathNode {
    /// The frame on top of the stack.
    pub(crate) fn top(&self) -> Frame {
        *self.stack.last().expect("a location stack has a top")
    }
}

/// One piece of a path: how the next node is reached.
#[derive(Debug, Clone)]
pub(crate) enum Piece {
    /// By `init`.
    Start { to: Rc<PathNode> },
    /// By a block, to one of its ends.
    Block { from: Rc<PathNode>, to: Rc<PathNode>, walk: Rc<Walk>, end: usize },
    /// By a call.
    Call { from: Rc<PathNode>, edge: EdgeId, to: Rc<PathNode> },
    /// By the return of a call, back in the activation that called.
    Return { call: Rc<PathNode>, edge: EdgeId, callee: ProcId, to: Rc<PathNode> },
}

impl Piece {
    /// The node that it leads to.
    pub(crate) fn to(&self) -> &PathNode {
        match self {
            Piece::Start { to } | Piece::Block { to, .. } | Piece::Call { to, .. } | Piece::Return { to, .. } => to,
        }
    }

    /// The node that it starts from, in its own activation; none at the start of the program.
    pub(crate) fn from(&self) -> Option<&PathNode> {
        match self {
            Piece::Start { .. } => None,
            Piece::Block { from, .. } | Piece::Call { from, .. } | Piece::Return { call: from, .. } => Some(from),
        }
    }
}

/// A path as formulas, with the positions of its nodes.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    pub steps: Vec<NestedStep>,
    /// For each piece, the position after it.
    pub after: Vec<usize>,
}

impl PathFormulas<'_, '_> {
    /// The path with each block as one step that has all its ways.
    pub(crate) fn merged(&mut self, pieces: &[Piece]) -> Result<Steps, Stop> {
        let mut steps = Steps::default();
        for piece in pieces {
            match piece {
                Piece::Block { walk, end, to, .. } => {
                    let end = &walk.ends[*end];
                    let apart = self.holds_after(to, &end.values);
                    let guard = self.formulas.terms.and(end.guard.iter().copied().chain(apart));
                    let mut updates: Vec<(Symbol, TermId)> = end.values.iter().map(|(s, v)| (*s, *v)).collect();
                    updates.retain(|(symbol, value)| self.formulas.terms.as_symbol(*value) != Some(*symbol));
                    updates.sort_unstable();
                    self.plain(&mut steps.steps, guard, updates, Vec::new());
                }
                other => self.simple(other, &mut steps.steps)?,
            }
            steps.after.push(steps.steps.len());
        }
        Ok(steps)
    }

    /// The steps of a piece that is no block.
    pub(super) fn simple(&mut self, piece: &Piece, steps: &mut Vec<NestedStep>) -> Result<(), Stop> {
        match piece {
            Piece::Start { to } => {
                let Transition { guard, updates, .. } = self.init.clone();
                let apart = self.holds_after(to, &updates.iter().copied().collect());
                let guard = self.formulas.terms.and([guard].into_iter().chain(apart));
                self.plain(steps, guard, updates, Vec::new());
            }
            Piece::Call { from, edge, to } => {
                let code =
                    self.formulas.blocks.code(&mut self.formulas.terms, &from.stack, *edge, &from.state.values)?;
                let Code::Call { parameters, guard, .. } = &*code else { unreachable!("the edge calls") };
                if self.formulas.terms.op(*guard) != &Op::Bool(true) {
                    self.plain(steps, *guard, Vec::new(), Vec::new());
                }
                steps.push(NestedStep::Call { parameters: parameters.clone() });
                self.assume_apart(to, steps);
            }
            Piece::Return { call, edge, callee, to } => {
                let caller = call.top().procedure;
                let result = self.formulas.blocks.result_of(&mut self.formulas.terms, caller, Some(*edge), *callee);
                steps.push(NestedStep::Return { results: result });
                self.assume_apart(to, steps);
            }
            Piece::Block { .. } => unreachable!("blocks are treated by the callers"),
        }
        Ok(())
    }

    /// The condition under which a step that leaves these values leads to what was told apart at a node.
    pub(super) fn holds_after(&mut self, node: &PathNode, values: &FxHashMap<Symbol, TermId>) -> Vec<TermId> {
        let mut conditions = Vec::new();
        for &(symbol, known) in &node.apart {
            let value = values.get(&symbol).copied().unwrap_or_else(|| self.formulas.terms.of_symbol(symbol));
            conditions.push(self.formulas.terms.eq(value, known));
        }
        conditions
    }

    /// A step that assumes what was told apart at a node.
    pub(super) fn assume_apart(&mut self, node: &PathNode, steps: &mut Vec<NestedStep>) {
        let apart = self.holds_after(node, &FxHashMap::default());
        if !apart.is_empty() {
            let guard = self.formulas.terms.and(apart);
            self.plain(steps, guard, Vec::new(), Vec::new());
        }
    }

    /// A step inside an activation; the inputs that it reads are chosen just before.
    pub(super) fn plain(
        &mut self,
        steps: &mut Vec<NestedStep>,
        guard: TermId,
        updates: Vec<(Symbol, TermId)>,
        also_chosen: Vec<Symbol>,
    ) {
        let used = [guard].into_iter().chain(updates.iter().map(|(_, value)| *value));
        let inputs = self.formulas.terms.symbols_of(used);
        let is_input = |symbol: &Symbol| !self.formulas.blocks.is_state(*symbol);
        let mut inputs: Vec<Symbol> = inputs.into_iter().filter(is_input).collect();
        inputs.extend(also_chosen.into_iter().filter(|symbol| !inputs.contains(symbol)).collect::<Vec<_>>());
        let mut guards = vec![guard];
        for &input in &inputs {
            guards.extend(self.formulas.range(input));
        }
        let guard = self.formulas.terms.and(guards);
        if !inputs.is_empty() {
            let truth = self.formulas.terms.bool(true);
            steps.push(NestedStep::Internal(PathStep { guard: truth, updates: Vec::new(), havoc: inputs }));
        }
        steps.push(NestedStep::Internal(PathStep { guard, updates, havoc: Vec::new() }));
    }
}
