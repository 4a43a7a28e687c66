//! The abstractor: explores the abstract state space until an error is reached or nothing is left (algorithms 2.2 and
//! 4.1 of the stack-abstraction paper).

use super::Cegar;
use super::config::StackPolicy;
use super::graph::{From, Kind, Node, NodeId, State};
use crate::engine::{Progress, SearchOrder, Stop};
use crate::formula::blocks::{EndKind, Walk};
use crate::program::control::Frame;
use crate::program::{EdgeId, ProcId};
use crate::term::{Symbol, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What an exploration found.
pub(super) enum Explored {
    /// No error can be reached.
    Safe,
    /// An abstract error was.
    Unsafe(NodeId),
}

impl Cegar<'_> {
    /// Explores what is incomplete.
    pub(super) fn abstraction(&mut self) -> Result<Explored, Stop> {
        loop {
            self.budget.check()?;
            self.report();
            if self.blocks.take_grown() {
                self.begin_with_more_cells()?;
                continue;
            }
            let Some(node) = self.next_waiting() else { return Ok(Explored::Safe) };
            if self.tracks_too_much() {
                self.track_on_demand()?;
                continue;
            }
            if std::mem::take(&mut self.tracks_less) {
                // Without the values of a variable that had too many, what was found is found again with less.
                self.walks.clear();
                self.restart()?;
                continue;
            }
            if self.graph.node(node).kind == Kind::Error {
                return Ok(Explored::Unsafe(node));
            }
            if let Some(covering) = self.covering_node(node) {
                self.graph.cover(node, covering);
                continue;
            }
            match self.graph.node(node).kind {
                Kind::Exit => self.leave_activation(node)?,
                _ => self.expand(node)?,
            }
        }
    }

    fn next_waiting(&mut self) -> Option<NodeId> {
        loop {
            let node = match self.config.search {
                SearchOrder::BreadthFirst => self.waitlist.pop_front(),
                SearchOrder::DepthFirst => self.waitlist.pop_back(),
            }?;
            if self.graph.has(node) {
                return Some(node);
            }
        }
    }

    fn report(&self) {
        self.budget.report(Progress {
            states: self.graph.created(),
            transitions: self.statistics.transitions,
            waiting: self.waitlist.len() as u64,
        });
    }

    /// A node of the same activation and stack that stands for all that this one does.
    fn covering_node(&mut self, node: NodeId) -> Option<NodeId> {
        let Node { activation, stack, kind, state, .. } = self.graph.node(node);
        let candidates = self.graph.nodes_at(*activation, stack).iter().copied();
        let mut candidates = candidates.filter(|&other| other != node);
        let (terms, graph) = (&mut self.terms, &self.graph);
        candidates.find(|&other| {
            let other = graph.node(other);
            other.kind == *kind && other.covered_by.is_none() && covers(terms, &other.state, state)
        })
    }

    /// Adds the successors of a node.
    fn expand(&mut self, id: NodeId) -> Result<(), Stop> {
        let node = self.graph.node(id);
        let (activation, stack, state) = (node.activation, Rc::clone(&node.stack), node.state.clone());
        let walk = self.walk(&stack, &state)?;
        let formulas = state.known().formulas(&mut self.terms);
        for (number, end) in walk.ends.iter().enumerate() {
            if let EndKind::Call(edge) = end.kind {
                self.call(id, edge)?;
                continue;
            }
            let context: Vec<TermId> = formulas.iter().chain(&end.guard).copied().collect();
            let target: Rc<[Frame]> = self.stack(&end.stack);
            let kind = match end.kind {
                EndKind::Error | EndKind::Fault => Kind::Error,
                EndKind::Exit => Kind::Exit,
                _ => Kind::Cut,
            };
            for state in self.successors(&context, &end.values, &target, kind)? {
                let from = From::Block { node: id, walk: Rc::clone(&walk), end: number };
                let child = self.graph.add(activation, Rc::clone(&target), kind, state, from);
                self.enqueue(child);
            }
        }
        Ok(())
    }

    /// Calls a recursive procedure: an activation that covers the call takes its place, if the stack may be popped;
    /// otherwise it becomes an activation of its own.
    fn call(&mut self, id: NodeId, edge: EdgeId) -> Result<(), Stop> {
        let node = self.graph.node(id);
        let (stack, state) = (Rc::clone(&node.stack), node.state.clone());
        let (callee, values) = self.blocks.entered(&mut self.terms, &stack, edge, state.known())?;
        let entry = self.program().procedures[callee].entry;
        let frame = Frame { procedure: callee, location: entry, call: None };
        let entered = self.stack(&[frame]);
        let Some(kind) = self.kind_at(&entered) else { return Ok(()) };
        let formulas = state.known().formulas(&mut self.terms);
        for state in self.successors(&formulas, &values, &entered, kind)? {
            let covering = self.covering_activation(callee, &state);
            let activation = match covering {
                Some(activation) => activation,
                None => {
                    let from = From::Call { node: id, edge };
                    let entry = self.graph.enter(callee, Rc::clone(&entered), kind, state, from);
                    self.enqueue(entry);
                    self.graph.node(entry).activation
                }
            };
            self.graph.call(activation, id, edge);
            for exit in self.graph.activation(activation).exits.clone() {
                self.come_back(id, edge, exit)?;
            }
        }
        Ok(())
    }

    /// An activation whose entry covers the state of a call, where the stack may be popped.
    fn covering_activation(&mut self, callee: ProcId, state: &State) -> Option<super::graph::ActivationId> {
        if self.config.stack == StackPolicy::Exact {
            return None;
        }
        let (terms, graph) = (&mut self.terms, &self.graph);
        graph.activations_of(callee).find(|&activation| {
            let entry = graph.activation(activation).entry;
            covers(terms, &graph.node(entry).state, state)
        })
    }

    /// An exit was found: every call that the activation stands for returns.
    fn leave_activation(&mut self, exit: NodeId) -> Result<(), Stop> {
        self.graph.exit(exit);
        let activation = self.graph.node(exit).activation;
        for (caller, edge) in self.graph.activation(activation).callers.clone() {
            self.come_back(caller, edge, exit)?;
        }
        Ok(())
    }

    /// The successors of a call whose activation has this exit.
    fn come_back(&mut self, call: NodeId, edge: EdgeId, exit: NodeId) -> Result<(), Stop> {
        let (stack, activation) = (Rc::clone(&self.graph.node(call).stack), self.graph.node(call).activation);
        let target = self.stack(&self.after_call(&stack, edge));
        let Some(kind) = self.kind_at(&target) else { return Ok(()) };
        let (before, after) = (self.graph.node(call).state.clone(), self.graph.node(exit).state.clone());
        let entry = self.graph.activation(self.graph.node(exit).activation).entry;
        let entry = self.graph.node(entry).state.clone();
        let known = (entry.known(), after.known());
        let known = self.blocks.returned(&mut self.terms, &stack, edge, before.known(), known.0, known.1);
        let (context, values) = known?;
        for state in self.successors(&context, &values, &target, kind)? {
            let from = From::Return { call, edge, exit };
            let node = self.graph.add(activation, Rc::clone(&target), kind, state, from);
            self.enqueue(node);
        }
        Ok(())
    }

    /// The block from a stack with the values of a state; the same one again costs nothing.
    fn walk(&mut self, stack: &Rc<[Frame]>, state: &State) -> Result<Rc<Walk>, Stop> {
        let key = (Rc::clone(stack), state.values.clone());
        if let Some(walk) = self.walks.get(&key) {
            return Ok(Rc::clone(walk));
        }
        let budget = &self.budget;
        let stop = || budget.check().is_err();
        let walk = self.blocks.walk(&mut self.terms, stack, &state.values, &self.precision.tracked, &stop);
        let walk = Rc::new(walk.map_err(|error| self.budget.stop_of_walk(error))?);
        self.walked += walk.nodes.len() as u64;
        self.walks.insert(key, Rc::clone(&walk));
        Ok(walk)
    }

    pub(super) fn enqueue(&mut self, node: NodeId) {
        self.statistics.transitions += 1;
        // An error that was reached is looked at first.
        match self.graph.node(node).kind == Kind::Error {
            true if self.config.search == SearchOrder::BreadthFirst => self.waitlist.push_front(node),
            _ => self.waitlist.push_back(node),
        }
    }
}

/// Whether every state that `specific` stands for is one that `general` stands for.
pub(super) fn covers(terms: &mut crate::term::Terms, general: &State, specific: &State) -> bool {
    let has_value = |(symbol, value): &(Symbol, TermId)| {
        specific.values.binary_search_by_key(symbol, |known| known.0).is_ok_and(|at| specific.values[at].1 == *value)
    };
    if !general.values.iter().all(has_value) {
        return false;
    }
    let mut known: Option<FxHashMap<Symbol, TermId>> = None;
    general.literals.iter().all(|literal| {
        specific.literals.binary_search(literal).is_ok() || {
            let known = known.get_or_insert_with(|| specific.values.iter().copied().collect());
            let value = terms.substitute(*literal, known);
            matches!(terms.op(value), crate::term::Op::Bool(true))
        }
    })
}
