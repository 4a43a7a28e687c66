//! Traces beside abstract states: with the engine `panda`, each node knows the one trace that leads to it, and what no
//! execution takes is pruned there.

use super::CegarSpace;
use super::control::Kind;
use super::space::Branch;
use crate::domain::State;
use crate::engine::Stop;
use crate::engine::panda::{PrunedBranch, Pruning, StateMatching, TraceHalf, TraceStep, step_of_block};
use crate::engine::search::{Arg, NodeId};
use crate::formula::Formulas;
use crate::formula::blocks::{Activation, ReturnTo, Walk};
use crate::program::EdgeId;
use crate::term::{Symbol, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl CegarSpace<'_> {
    /// Whether nodes cover others.
    pub(super) fn matches_states(&self) -> bool {
        self.pruning.as_ref().is_none_or(|pruning| pruning.matching == StateMatching::On)
    }

    /// A node is expanded, perhaps again.
    pub(super) fn start_pruning(&mut self, at: NodeId) {
        if let Some(pruning) = &mut self.pruning {
            pruning.expand(at);
        }
    }

    /// The trace of the initial state.
    pub(super) fn start_trace(&mut self, guard: &[TermId], values: &FxHashMap<Symbol, TermId>) -> Branch {
        let Some(pruning) = &mut self.pruning else { return Branch::Untraced };
        pruning.start();
        if pruning.has_given_up() {
            return Branch::Untraced;
        }
        let read = self.walks.initial.0.own_symbols().collect();
        let step = TraceStep { guard: guard.to_vec(), values: values.clone(), read };
        let half = pruning.step(&mut self.formulas, (None, None), step, &|_| (Vec::new(), None));
        half.map_or(Branch::Pruned, |half| Branch::Traced(Rc::new(half)))
    }

    /// The trace after a block; where there is none, the branch is noted, as the abstract state may allow it.
    pub(super) fn trace_block(&mut self, arg: &Arg<Self>, at: NodeId, walk: &Rc<Walk>, end: usize) -> Branch {
        let (Some(pruning), Some(before)) = (&mut self.pruning, &arg.state(at).trace) else { return Branch::Untraced };
        if pruning.is_untraced(at, end, &[]) {
            return Branch::Untraced;
        }
        let step = step_of_block(&mut self.formulas, before, time_of(at), (&walk.nodes[0].stack, &walk.ends[end]));
        match taken(pruning, &mut self.formulas, arg, at, before, step) {
            Some(half) => Branch::Traced(Rc::new(half)),
            None => {
                pruning.prune(PrunedBranch { at, walk: Rc::clone(walk), end, apart: Vec::new() });
                Branch::Pruned
            }
        }
    }

    /// The trace to one of the states that a block leads to and that were told apart. A state that no execution takes is
    /// noted, as any branch that is pruned.
    pub(super) fn trace_alternative(
        &mut self,
        arg: &Arg<Self>,
        (at, walk, end): (NodeId, &Rc<Walk>, usize),
        (kind, state): (Kind, &State),
        trace: Option<&Rc<TraceHalf>>,
    ) -> Branch {
        let Some(trace) = trace else { return Branch::Untraced };
        if let Some(told_apart) = self.told_apart_trace(arg, trace, state) {
            return Branch::Traced(told_apart);
        }
        let apart = self.told_apart(&walk.ends[end].stack, kind, state);
        match &mut self.pruning {
            Some(pruning) if !apart.is_empty() && !pruning.is_untraced(at, end, &apart) => {
                pruning.prune(PrunedBranch { at, walk: Rc::clone(walk), end, apart });
                Branch::Pruned
            }
            _ => Branch::Untraced,
        }
    }

    /// The trace to one of the states that were told apart after a step, in which variables have the values that are known
    /// there; `None` where no execution takes it.
    pub(super) fn told_apart_trace(
        &mut self,
        arg: &Arg<Self>,
        trace: &Rc<TraceHalf>,
        state: &State,
    ) -> Option<Rc<TraceHalf>> {
        let open = |(symbol, value): &&(Symbol, TermId)| trace.values.get(symbol).is_some_and(|now| now != value);
        let open: Vec<(Symbol, TermId)> = state.values.iter().filter(open).copied().collect();
        if open.is_empty() {
            return Some(Rc::clone(trace));
        }
        let mut values = trace.values.clone();
        let terms = &mut self.formulas.terms;
        let guard = open.iter().map(|(symbol, value)| terms.eq(trace.values[symbol], *value)).collect();
        values.extend(open);
        // The node of the trace is not there yet: its conditions are asked with those of this step.
        let guard: Vec<TermId> = trace.conditions.iter().copied().chain::<Vec<TermId>>(guard).collect();
        let step = TraceStep { guard, values, read: Vec::new() };
        let pruning = self.pruning.as_mut()?;
        let half = pruning.step(&mut self.formulas, (trace.from, Some(trace)), step, &conditions_in(arg))?;
        Some(Rc::new(TraceHalf { saved: trace.saved.clone(), ..half }))
    }

    /// The trace at the start of the activation that a call of a recursive procedure makes.
    pub(super) fn trace_call(&mut self, arg: &Arg<Self>, at: NodeId, edge: EdgeId) -> Result<Branch, Stop> {
        let frames = self.frames(arg, at);
        let (Some(pruning), Some(before)) = (&mut self.pruning, &arg.state(at).trace) else {
            return Ok(Branch::Untraced);
        };
        let Formulas { terms, blocks } = &mut self.formulas;
        let Activation { guard, values, saved, .. } =
            blocks.apply_call(terms, &frames, edge, before.values.clone(), time_of(at))?;
        let is_read = |symbol: &Symbol| blocks.original(*symbol).is_some() && !blocks.is_state(*symbol);
        let read = terms.symbols_of([guard].into_iter().chain(values.values().copied()));
        let read = read.into_iter().filter(is_read).collect();
        let step = TraceStep { guard: vec![guard], values, read };
        let half = taken(pruning, &mut self.formulas, arg, at, before, step);
        Ok(half.map_or(Branch::Untraced, |half| Branch::Traced(Rc::new(TraceHalf { saved, ..half }))))
    }

    /// The trace after a return: the exit's, where the exit is that of this very call.
    pub(super) fn trace_return(&mut self, arg: &Arg<Self>, call: NodeId, edge: EdgeId, exit: NodeId) -> Branch {
        let entry = self.controls.entry(arg.control(exit).activation);
        let frames = self.frames(arg, call);
        let callee = self.frames(arg, exit)[0].procedure;
        let traces = (&arg.state(entry).trace, &arg.state(exit).trace);
        let (Some(_), (Some(entered), Some(left))) = (&self.pruning, traces) else { return Branch::Untraced };
        if arg.parent(entry) != Some(call) {
            return Branch::Untraced;
        }
        let to = ReturnTo { stack: &frames, edge, saved: &entered.saved };
        let Formulas { terms, blocks } = &mut self.formulas;
        let (_, values) = blocks.apply_exit(terms, callee, left.values.clone(), to);
        // What the caller put aside when it was called itself is still put aside.
        let model = left.model.clone();
        let half = TraceHalf { values, from: Some(exit), model, decisions: left.decisions, ..TraceHalf::default() };
        Branch::Traced(Rc::new(half))
    }
}

/// The trace after a step from a node, if an execution takes it.
fn taken(
    pruning: &mut Pruning,
    formulas: &mut Formulas<'_>,
    arg: &Arg<CegarSpace<'_>>,
    at: NodeId,
    before: &TraceHalf,
    step: TraceStep,
) -> Option<TraceHalf> {
    pruning.step(formulas, (Some(at), Some(before)), step, &conditions_in(arg))
}

/// The conditions of the traces of nodes, and the nodes before them.
fn conditions_in(arg: &Arg<CegarSpace<'_>>) -> impl Fn(NodeId) -> (Vec<TermId>, Option<NodeId>) {
    |node| {
        let trace = arg.state(node).trace.as_ref();
        trace.map_or_else(Default::default, |trace| (trace.conditions.clone(), trace.from))
    }
}

/// The time at which the block of a node reads unknowns.
pub(in crate::engine) fn time_of(node: NodeId) -> u32 {
    u32::try_from(node.index()).expect("a node's number has 32 bits")
}
