//! The abstract state space: large blocks inside activations, calls and returns between them (algorithms 2.2 and 4.1 of
//! the stack-abstraction paper).
//!
//! A call of a recursive procedure leads to the entry of a new activation. Where the entry of an earlier one covers it,
//! the call is popped: the exits of that one, those found later included, become exits of the call. So an exit returns
//! to the call of its own entry and to those of all entries that this one covers; an edge of a return has the call and
//! the exit as its sources, and goes with either.

use super::config::StackPolicy;
use super::control::{ActivationId, Control, Kind, Label};
use super::{CegarSpace, Frame};
use crate::domain::{Domain, State};
use crate::engine::Stop;
use crate::engine::panda::TraceHalf;
use crate::engine::search::{Arg, Cover, Covering, Expansion, NodeId, Place, Space, Successors, class_of};
use crate::engine::stacks::StackId;
use crate::formula::Formulas;
use crate::formula::blocks::{EndKind, Walk};
use crate::program::{EdgeId, ProcId};
use crate::term::TermId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// An abstract state in the graph.
#[derive(Debug, Clone)]
pub(in crate::engine) struct Reached {
    /// What is known.
    pub(in crate::engine) state: Rc<State>,
    /// How many changes of the precision there were before it was made.
    pub(in crate::engine) made_after: u64,
    /// The one trace that leads to it, where traces prune what is abstract.
    pub(in crate::engine) trace: Option<Rc<TraceHalf>>,
}

/// What traces say of a branch.
pub(super) enum Branch {
    /// Nothing: it is not pruned.
    Untraced,
    /// An execution takes it.
    Traced(Rc<TraceHalf>),
    /// No execution takes it.
    Pruned,
}

impl Branch {
    /// The trace, unless there is no execution.
    fn trace(self) -> Option<Option<Rc<TraceHalf>>> {
        match self {
            Branch::Untraced => Some(None),
            Branch::Traced(trace) => Some(Some(trace)),
            Branch::Pruned => None,
        }
    }
}

impl Space for CegarSpace<'_> {
    type Control = Control;
    type State = Reached;
    type Label = Label;
    const COVERING: Covering = Covering::OnTaking;
    const LINKS: bool = true;

    fn initial(&mut self, out: &mut Successors<Self>) -> Result<(), Stop> {
        self.controls.start(self.history.reductions());
        let program = self.program();
        let entry = program.procedures[program.main].entry;
        let frames = [Frame { procedure: program.main, location: entry, call: None }];
        let Some(kind) = self.kind_at(&frames) else { return Ok(()) };
        let (init, values) = self.walks.initial.clone();
        let context = [init.guard];
        let Some(trace) = self.start_trace(&context, &values).trace() else { return Ok(()) };
        for state in self.successors(&context, &values, &frames, kind)? {
            let control = self.new_activation(&frames, kind);
            let reached = Reached { state: Rc::new(state), made_after: self.precision.changes(), trace: trace.clone() };
            out.add(Label::Start, control, reached);
        }
        Ok(())
    }

    fn expand(&mut self, arg: &mut Arg<Self>, at: NodeId, out: &mut Successors<Self>) -> Result<Expansion, Stop> {
        self.controls.note_expansion();
        let control = arg.control(at);
        if arg.label(at).is_entry() {
            self.controls.note_entry(control.activation, at);
        }
        match control.kind {
            Kind::Exit => self.expand_exit(arg, at, out)?,
            Kind::Entry(_) | Kind::Cut | Kind::Error => self.expand_block(arg, at, out)?,
        }
        let is_outdated = self.is_outdated()?;
        let goes_on = self.pruning.is_some() && self.controls.looks_for_more_cells();
        Ok(if is_outdated && !goes_on { Expansion::Invalidated } else { Expansion::Done })
    }

    fn is_target(&self, control: Control) -> bool {
        control.kind == Kind::Error
    }

    /// Entries are compared with those of all activations of their procedure, where a stack may be popped; all others
    /// within their activation.
    fn class(&self, control: Control, _: &Reached) -> u64 {
        self.class_at(control)
    }

    fn covers(&mut self, general: Place<'_, Self>, specific: Place<'_, Self>) -> Result<bool, Stop> {
        let (one, other) = (general.control, specific.control);
        let comparable = match (one.kind, other.kind) {
            (Kind::Entry(a), Kind::Entry(b)) => {
                a == b && one.activation < other.activation && self.config.stack == StackPolicy::Pop
            }
            _ => one == other,
        } && self.matches_states();
        Ok(comparable && specific.state.state.leq(&mut self.formulas.terms, &general.state.state))
    }

    fn priority(&self, node: NodeId, at: Place<'_, Self>) -> u64 {
        at.state.trace.as_ref().map_or(0, |trace| trace.priority(node))
    }

    fn covered(&mut self, arg: &Arg<Self>, cover: Cover, out: &mut Successors<Self>) -> Result<(), Stop> {
        let Control { activation, kind: Kind::Entry(procedure), .. } = arg.control(cover.by) else { return Ok(()) };
        // A call that has other entries, of states told apart, may have these exits already.
        let callers = callers(arg, cover.node).into_iter().filter(|&(call, edge)| {
            let by_another = |(label, entry): &(Label, NodeId)| {
                matches!(label, Label::Call { edge: other } if *other == edge)
                    && *entry != cover.node
                    && arg.covered_by(*entry) == Some(cover.by)
            };
            arg.parent(cover.node) != Some(call) || !arg.edges(call).iter().any(by_another)
        });
        let callers: Vec<(NodeId, EdgeId)> = callers.collect();
        for exit in self.exits(arg, activation, procedure) {
            for &(call, edge) in &callers {
                self.apply_exit(arg, call, edge, exit, out)?;
            }
        }
        Ok(())
    }
}

impl CegarSpace<'_> {
    /// A state of the graph after a call or a return, made with the precision that there is. One that no execution takes is
    /// left to the abstraction.
    fn reached(&mut self, arg: &Arg<Self>, state: State, trace: &Option<Rc<TraceHalf>>) -> Reached {
        let trace = trace.as_ref().and_then(|trace| self.told_apart_trace(arg, trace, &state));
        Reached { state: Rc::new(state), made_after: self.precision.changes(), trace }
    }

    pub(in crate::engine) fn class_at(&self, control: Control) -> u64 {
        match control.kind {
            Kind::Entry(procedure) if self.config.stack == StackPolicy::Pop => class_of(procedure),
            _ => class_of(control),
        }
    }

    /// The control of a new activation's entry.
    fn new_activation(&mut self, frames: &[Frame], kind: Kind) -> Control {
        let activation = self.controls.new_activation();
        let procedure = frames.last().expect("a location stack has a top").procedure;
        let kind = match kind {
            Kind::Cut if self.formulas.blocks.cuts().is_recursive(procedure) => Kind::Entry(procedure),
            other => other,
        };
        Control { activation, stack: self.controls.stacks.number(frames), kind }
    }

    /// The frames of a node.
    pub(in crate::engine) fn frames(&self, arg: &Arg<Self>, node: NodeId) -> Rc<[Frame]> {
        Rc::clone(self.controls.stacks.get(arg.control(node).stack))
    }

    /// The block from a node: calls start activations, all else stays in this one.
    fn expand_block(&mut self, arg: &Arg<Self>, at: NodeId, out: &mut Successors<Self>) -> Result<(), Stop> {
        let Control { activation, stack, .. } = arg.control(at);
        let state = Rc::clone(&arg.state(at).state);
        let walk = self.walk(stack, &state)?;
        let formulas = state.known().formulas(&mut self.formulas.terms);
        self.start_pruning(at);
        let mut branches = Vec::new();
        for (number, end) in walk.ends.iter().enumerate() {
            if let EndKind::Call(edge) = end.kind {
                self.expand_call(arg, at, edge, out)?;
            } else if let Some(trace) = self.trace_block(arg, at, &walk, number).trace() {
                branches.push((number, trace));
            }
        }
        // Depth first, what is added last is explored first: an execution goes on before its alternatives.
        branches.sort_by_key(|(_, trace)| !trace.as_ref().is_some_and(|trace| trace.is_alternative));
        for (number, trace) in branches {
            let end = &walk.ends[number];
            let kind = match end.kind {
                EndKind::Error | EndKind::Fault => Kind::Error,
                EndKind::Exit => Kind::Exit,
                EndKind::Cut | EndKind::Call(_) => Kind::Cut,
            };
            let context: Vec<TermId> = formulas.iter().chain(&end.guard).copied().collect();
            let control = Control { activation, stack: self.controls.stacks.number(&end.stack), kind };
            for state in self.successors(&context, &end.values, &end.stack, kind)? {
                let alternative = self.trace_alternative(arg, (at, &walk, number), (kind, &state), trace.as_ref());
                let Some(trace) = alternative.trace() else { continue };
                let label = Label::Block { walk: Rc::clone(&walk), end: number };
                let made_after = self.precision.changes();
                out.add(label, control, Reached { state: Rc::new(state), made_after, trace });
            }
        }
        Ok(())
    }

    /// A call of a recursive procedure: each abstract state that it starts in is the entry of an activation.
    fn expand_call(
        &mut self,
        arg: &Arg<Self>,
        at: NodeId,
        edge: EdgeId,
        out: &mut Successors<Self>,
    ) -> Result<(), Stop> {
        let state = Rc::clone(&arg.state(at).state);
        let frames = self.frames(arg, at);
        let (callee, values) = self.formulas.blocks.entered(&mut self.formulas.terms, &frames, edge, state.known())?;
        let entry = self.program().procedures[callee].entry;
        let entered = [Frame { procedure: callee, location: entry, call: None }];
        let Some(kind) = self.kind_at(&entered) else { return Ok(()) };
        let Some(trace) = self.trace_call(arg, at, edge)?.trace() else { return Ok(()) };
        let formulas = state.known().formulas(&mut self.formulas.terms);
        for state in self.successors(&formulas, &values, &entered, kind)? {
            let control = self.new_activation(&entered, kind);
            out.add(Label::Call { edge }, control, self.reached(arg, state, &trace));
        }
        Ok(())
    }

    /// An exit was found: every call that the activation stands for returns.
    fn expand_exit(&mut self, arg: &Arg<Self>, exit: NodeId, out: &mut Successors<Self>) -> Result<(), Stop> {
        let entry = self.controls.entry(arg.control(exit).activation);
        for (call, edge) in callers(arg, entry) {
            self.apply_exit(arg, call, edge, exit, out)?;
        }
        Ok(())
    }

    /// The successors of a call whose activation has this exit.
    fn apply_exit(
        &mut self,
        arg: &Arg<Self>,
        call: NodeId,
        edge: EdgeId,
        exit: NodeId,
        out: &mut Successors<Self>,
    ) -> Result<(), Stop> {
        let frames = self.frames(arg, call);
        let target = self.after_call(&frames, edge);
        let Some(kind) = self.kind_at(&target) else { return Ok(()) };
        let entry = self.controls.entry(arg.control(exit).activation);
        let [before, entered, left] = [call, entry, exit].map(|node| Rc::clone(&arg.state(node).state));
        let known = [before.known(), entered.known(), left.known()];
        let (context, values) =
            self.formulas.blocks.returned(&mut self.formulas.terms, &frames, edge, known[0], known[1], known[2])?;
        let activation = arg.control(call).activation;
        let control = Control { activation, stack: self.controls.stacks.number(&target), kind };
        let Some(trace) = self.trace_return(arg, call, edge, exit).trace() else { return Ok(()) };
        for state in self.successors(&context, &values, &target, kind)? {
            out.add_from([call, exit], Label::Return { edge }, control, self.reached(arg, state, &trace));
        }
        Ok(())
    }

    /// The exits of an activation that its callers know.
    fn exits(&mut self, arg: &Arg<Self>, activation: ActivationId, procedure: ProcId) -> Vec<NodeId> {
        let location = self.program().procedures[procedure].exit;
        let stack = self.controls.stacks.number(&[Frame { procedure, location, call: None }]);
        let control = Control { activation, stack, kind: Kind::Exit };
        let exits = arg.in_class(self.class_at(control)).filter(|node| arg.control(*node) == control);
        let mut exits: Vec<NodeId> = exits.filter(|exit| arg.is_expanded(*exit)).collect();
        exits.sort_unstable();
        exits
    }

    /// The block from a stack with the values of a state; the same one again costs nothing.
    fn walk(&mut self, stack: StackId, state: &State) -> Result<Rc<Walk>, Stop> {
        self.walks.keep_for(self.precision.tracking_changes());
        if let Some(walk) = self.walks.get(stack, &state.values) {
            return Ok(walk);
        }
        let budget = &self.budget;
        let stop = || budget.check().is_err();
        let frames = self.controls.stacks.get(stack);
        let Formulas { terms, blocks } = &mut self.formulas;
        let walk = blocks.walk(terms, frames, &state.values, self.precision.tracked(), &stop);
        let walk = Rc::new(walk.map_err(|error| self.budget.stop_of_walk(error))?);
        self.walks.insert(stack, &state.values, &walk);
        Ok(walk)
    }
}

/// The calls that an entry stands for: its own, and those of all entries that it covers.
fn callers(arg: &Arg<CegarSpace<'_>>, entry: NodeId) -> BTreeSet<(NodeId, EdgeId)> {
    let mut found = BTreeSet::new();
    let mut entries = vec![entry];
    while let Some(entry) = entries.pop() {
        if let (&Label::Call { edge }, Some(call)) = (arg.label(entry), arg.parent(entry)) {
            found.insert((call, edge));
        }
        entries.extend(arg.covered(entry));
    }
    found
}
