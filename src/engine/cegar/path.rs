//! Paths through the abstract reachability graph, as the program takes them.

use super::control::{Kind, Label};
use super::resolve::Resolver;
use super::state::State;
use super::{Cegar, CegarSpace};
use crate::concrete::{Trace, TraceStep, complete};
use crate::engine::Stop;
use crate::engine::search::NodeId;
use crate::formula::blocks::{Code, EndKind, Move, Target, Walk};
use crate::formula::encode::Transition;
use crate::formula::inputs::{allocations, first_contents, inputs};
use crate::program::control::{Action, Frame, Step};
use crate::program::{EdgeId, Id, LocId, ProcId, ThreadId};
use crate::solver::interpolate::{NestedStep, PathStep};
use crate::solver::{Models, Solve};
use crate::term::{Assignment, Op, Symbol, TermId, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A path longer than this is not looked at.
const LONGEST: usize = 200_000;

/// A node on a path.
#[derive(Debug)]
pub(super) struct PathNode {
    /// The node.
    pub(super) id: NodeId,
    /// Its location stack.
    pub(super) stack: Rc<[Frame]>,
    /// What is known there.
    pub(super) state: Rc<State>,
    /// What was told apart there.
    apart: Vec<(Symbol, TermId)>,
    /// How many changes of the precision there were before it was made.
    pub(super) made_after: u64,
}

impl PathNode {
    /// The frame on top of the stack.
    pub(super) fn top(&self) -> Frame {
        *self.stack.last().expect("a location stack has a top")
    }
}

/// One piece of a path: how the next node is reached.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    Start { to: Rc<PathNode> },
    Block { from: Rc<PathNode>, to: Rc<PathNode>, walk: Rc<Walk>, end: usize },
    Call { from: Rc<PathNode>, edge: EdgeId, to: Rc<PathNode> },
    Return { call: Rc<PathNode>, edge: EdgeId, callee: ProcId, to: Rc<PathNode> },
}

impl Piece {
    /// The node that it leads to.
    pub(super) fn to(&self) -> &PathNode {
        match self {
            Piece::Start { to } | Piece::Block { to, .. } | Piece::Call { to, .. } | Piece::Return { to, .. } => to,
        }
    }

    /// The node that it starts from, in its own activation; none at the start of the program.
    pub(super) fn from(&self) -> Option<&PathNode> {
        match self {
            Piece::Start { .. } => None,
            Piece::Block { from, .. } | Piece::Call { from, .. } | Piece::Return { call: from, .. } => Some(from),
        }
    }
}

/// A path as formulas, with the positions of its nodes.
#[derive(Debug, Default)]
pub(super) struct Steps {
    pub(super) steps: Vec<NestedStep>,
    /// For each piece, the position after it.
    pub(super) after: Vec<usize>,
}

/// A way through a block: the moves in order.
type Way = Vec<(usize, usize)>;

/// What is still to be done for a path, the last first.
enum Job {
    /// The way to a node is wanted: from the start, or from the entry of its activation.
    WayTo(NodeId, WayFrom),
    /// A piece is ready.
    Ready(Piece),
}

#[derive(Clone, Copy, PartialEq)]
enum WayFrom {
    Start,
    Entry,
}

impl Cegar<'_> {
    /// The path to a node, from the start; `None` if it is too long.
    pub(super) fn pieces(&self, node: NodeId) -> Option<Vec<Piece>> {
        let arg = &self.search.arg;
        let mut nodes: FxHashMap<NodeId, Rc<PathNode>> = FxHashMap::default();
        let mut at = |id| Rc::clone(nodes.entry(id).or_insert_with(|| Rc::new(self.path_node(id))));
        let parent = |node| arg.parent(node).expect("only what `init` leads to has no parent");
        let mut reversed = Vec::new();
        let mut jobs = vec![Job::WayTo(node, WayFrom::Start)];
        while let Some(job) = jobs.pop() {
            if reversed.len() > LONGEST {
                return None;
            }
            let (node, start) = match job {
                Job::Ready(piece) => {
                    reversed.push(piece);
                    continue;
                }
                Job::WayTo(node, start) => (node, start),
            };
            let to = at(node);
            match *arg.label(node) {
                Label::Start => reversed.push(Piece::Start { to }),
                Label::Block { ref walk, end } => {
                    let from = parent(node);
                    reversed.push(Piece::Block { from: at(from), to, walk: Rc::clone(walk), end });
                    jobs.push(Job::WayTo(from, start));
                }
                // Inside a call that returns, the way to the entry is the caller's.
                Label::Call { .. } if start == WayFrom::Entry => {}
                Label::Call { edge } => {
                    let from = parent(node);
                    reversed.push(Piece::Call { from: at(from), edge, to });
                    jobs.push(Job::WayTo(from, start));
                }
                Label::Return { edge } => {
                    let (call, exit) = (parent(node), arg.second_parent(node).expect("a return has an exit"));
                    let entry = at(self.space.entries[&arg.control(exit).activation]);
                    let from = at(call);
                    let callee = entry.top().procedure;
                    reversed.push(Piece::Return { call: Rc::clone(&from), edge, callee, to });
                    jobs.push(Job::WayTo(call, start));
                    jobs.push(Job::Ready(Piece::Call { from, edge, to: entry }));
                    jobs.push(Job::WayTo(exit, WayFrom::Entry));
                }
            }
        }
        reversed.reverse();
        Some(reversed)
    }

    fn path_node(&self, id: NodeId) -> PathNode {
        let (control, reached) = (self.search.arg.control(id), self.search.arg.state(id));
        let stack = self.space.frames(&self.search.arg, id);
        let apart = self.space.told_apart(&stack, control.kind, &reached.state);
        PathNode { id, stack, state: Rc::clone(&reached.state), apart, made_after: reached.made_after }
    }

    /// Whether the path ends in an error.
    pub(super) fn ends_in_error(&self, pieces: &[Piece]) -> bool {
        pieces.last().is_some_and(|piece| self.search.arg.control(piece.to().id).kind == Kind::Error)
    }
}

impl CegarSpace<'_> {
    /// The path with each block as one step that has all its ways.
    pub(super) fn merged(&mut self, pieces: &[Piece]) -> Result<Steps, Stop> {
        let mut steps = Steps::default();
        for piece in pieces {
            match piece {
                Piece::Block { walk, end, to, .. } => {
                    let end = &walk.ends[*end];
                    let apart = self.holds_after(to, &end.values);
                    let guard = self.terms.and(end.guard.iter().copied().chain(apart));
                    let mut updates: Vec<(Symbol, TermId)> = end.values.iter().map(|(s, v)| (*s, *v)).collect();
                    updates.retain(|(symbol, value)| self.terms.as_symbol(*value) != Some(*symbol));
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
    fn simple(&mut self, piece: &Piece, steps: &mut Vec<NestedStep>) -> Result<(), Stop> {
        match piece {
            Piece::Start { to } => {
                let Transition { guard, updates, .. } = self.init.clone();
                let apart = self.holds_after(to, &updates.iter().copied().collect());
                let guard = self.terms.and([guard].into_iter().chain(apart));
                self.plain(steps, guard, updates, Vec::new());
            }
            Piece::Call { from, edge, to } => {
                let code = self.blocks.code(&mut self.terms, &from.stack, *edge, &from.state.values)?;
                let Code::Call { parameters, guard, .. } = &*code else { unreachable!("the edge calls") };
                if self.terms.op(*guard) != &Op::Bool(true) {
                    self.plain(steps, *guard, Vec::new(), Vec::new());
                }
                steps.push(NestedStep::Call { parameters: parameters.clone() });
                self.assume_apart(to, steps);
            }
            Piece::Return { call, edge, callee, to } => {
                let caller = call.top().procedure;
                let result = self.blocks.result_of(&mut self.terms, caller, Some(*edge), *callee);
                steps.push(NestedStep::Return { results: result });
                self.assume_apart(to, steps);
            }
            Piece::Block { .. } => unreachable!("blocks are treated by the callers"),
        }
        Ok(())
    }

    /// The condition under which a step that leaves these values leads to what was told apart at a node.
    fn holds_after(&mut self, node: &PathNode, values: &FxHashMap<Symbol, TermId>) -> Vec<TermId> {
        let mut conditions = Vec::new();
        for &(symbol, known) in &node.apart {
            let value = values.get(&symbol).copied().unwrap_or_else(|| self.terms.of_symbol(symbol));
            conditions.push(self.terms.eq(value, known));
        }
        conditions
    }

    /// A step that assumes what was told apart at a node.
    fn assume_apart(&mut self, node: &PathNode, steps: &mut Vec<NestedStep>) {
        let apart = self.holds_after(node, &FxHashMap::default());
        if !apart.is_empty() {
            let guard = self.terms.and(apart);
            self.plain(steps, guard, Vec::new(), Vec::new());
        }
    }

    /// A step inside an activation; the inputs that it reads are chosen just before.
    fn plain(
        &mut self,
        steps: &mut Vec<NestedStep>,
        guard: TermId,
        updates: Vec<(Symbol, TermId)>,
        also_chosen: Vec<Symbol>,
    ) {
        let used = [guard].into_iter().chain(updates.iter().map(|(_, value)| *value));
        let inputs = self.terms.symbols_of(used);
        let is_input = |symbol: &Symbol| !self.blocks.is_state(*symbol);
        let mut inputs: Vec<Symbol> = inputs.into_iter().filter(is_input).collect();
        inputs.extend(also_chosen.into_iter().filter(|symbol| !inputs.contains(symbol)).collect::<Vec<_>>());
        let mut guards = vec![guard];
        for &input in &inputs {
            guards.extend(self.range(input));
        }
        let guard = self.terms.and(guards);
        if !inputs.is_empty() {
            let truth = self.terms.bool(true);
            steps.push(NestedStep::Internal(PathStep { guard: truth, updates: Vec::new(), havoc: inputs }));
        }
        steps.push(NestedStep::Internal(PathStep { guard, updates, havoc: Vec::new() }));
    }

    /// The path by one way through each block, the way that a model of the block takes, with every case decided as in
    /// the model.
    pub(super) fn single(&mut self, pieces: &[Piece]) -> Result<Steps, Stop> {
        let mut steps = Steps::default();
        for piece in pieces {
            match piece {
                Piece::Block { from, to, walk, end } => {
                    let model = self.model_of_block(from, to, walk, *end)?;
                    let (way, states) = self.way(walk, *end, &model)?;
                    for (&(node, number), state) in way.iter().zip(&states) {
                        self.single_move(&mut steps.steps, &walk.nodes[node].moves[number], state);
                    }
                    self.assume_apart(to, &mut steps.steps);
                }
                other => self.simple(other, &mut steps.steps)?,
            }
            steps.after.push(steps.steps.len());
        }
        Ok(steps)
    }

    fn single_move(&mut self, steps: &mut Vec<NestedStep>, chosen: &Move, state: &Assignment) {
        let mut resolver = Resolver::new(&mut self.terms, state);
        let mut updates = Vec::new();
        match &*chosen.code {
            Code::Plain(transition) => {
                resolver.explain(transition.guard);
                for &(symbol, value) in &transition.updates {
                    updates.push((symbol, resolver.resolve(value)));
                }
            }
            Code::Call { parameters, guard, .. } => {
                resolver.explain(*guard);
                for &(symbol, value) in parameters {
                    updates.push((symbol, resolver.resolve(value)));
                }
            }
            Code::Return { result } => updates.extend(result),
        }
        let (conditions, quotients) = (resolver.conditions, resolver.quotients);
        let guard = self.terms.and(conditions);
        self.plain(steps, guard, updates, quotients);
    }

    /// Values with which a block leads from one node to another.
    fn model_of_block(&mut self, from: &PathNode, to: &PathNode, walk: &Walk, end: usize) -> Result<Assignment, Stop> {
        let end = &walk.ends[end];
        let mut formula: Vec<TermId> = from.state.known().formulas(&mut self.terms);
        formula.extend(&end.guard);
        formula.extend(self.holds_after(to, &end.values));
        for literal in &to.state.literals {
            formula.push(self.terms.substitute(*literal, &end.values));
        }
        self.assert_ranges(formula.iter().copied());
        let symbols: Vec<Symbol> = self.terms.symbols_of(formula.iter().copied()).into_iter().collect();
        self.solver.push();
        for &part in &formula {
            self.solver.assert(&self.terms, part);
        }
        let model = match self.solver.check(&self.terms, &[]) {
            crate::solver::Answer::Sat => self.solver.model(&mut self.terms, &symbols).map_err(|e| e.to_string()),
            other => Err(format!("{other:?}")),
        };
        self.solver.pop();
        let mut model = model.map_err(Stop::Solver)?;
        for (symbol, value) in &from.state.values {
            model.insert(*symbol, self.terms.as_value(*value).expect("known values are constants"));
        }
        Ok(model)
    }

    /// The way that leads through a block to an end with these values of variables and inputs, with the values at each
    /// of its steps.
    pub(super) fn way(&self, walk: &Walk, end: usize, start: &Assignment) -> Result<(Way, Vec<Assignment>), Stop> {
        let mut way: Way = Vec::new();
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
                    return Err(Stop::GaveUp("a block could not be followed".to_owned()));
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
        let mut value = |term| crate::term::eval::eval_cached(&self.terms, term, state, &mut done);
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

    /// The trace of a feasible path, given values at each position of its merged steps.
    pub(super) fn trace(&self, pieces: &[Piece], steps: &Steps, values: &[Assignment]) -> Result<Trace, Stop> {
        let mut trace = Trace::default();
        let mut first = BTreeMap::new();
        let mut objects = allocations(&self.program().init).count();
        let take = |action| Step { thread: ThreadId::new(0), action };
        for (piece, &after) in pieces.iter().zip(&steps.after) {
            // The position before the last step of a piece has the inputs that it reads.
            let before = &values[after - 1];
            match piece {
                Piece::Start { .. } => {
                    let value_of = |symbol| before.get(&symbol).cloned();
                    let block = &self.program().init;
                    trace.initial_inputs = inputs(self.program(), &self.terms, block, &self.init.inputs, &value_of);
                    first.extend(first_contents(block, &self.init, 0, &value_of));
                }
                Piece::Call { edge, .. } => {
                    trace.steps.push(TraceStep { step: take(Action::Edge(*edge)), inputs: Vec::new() });
                }
                Piece::Return { .. } => {
                    trace.steps.push(TraceStep { step: take(Action::Return), inputs: Vec::new() });
                }
                Piece::Block { walk, end, from, .. } => {
                    let mut start = before.clone();
                    for (symbol, value) in &from.state.values {
                        start.insert(*symbol, self.terms.as_value(*value).expect("known values are constants"));
                    }
                    let (way, _) = self.way(walk, *end, &start)?;
                    for (node, number) in way {
                        let chosen = &walk.nodes[node].moves[number];
                        let given = match (&*chosen.code, chosen.action) {
                            (Code::Plain(transition), Action::Edge(edge)) => {
                                let top = walk.nodes[node].stack.last().expect("a location stack has a top");
                                let edge = &self.program().procedures[top.procedure].edges[edge];
                                let value_of = |symbol| start.get(&symbol).cloned();
                                first.extend(first_contents(&edge.block, transition, objects, &value_of));
                                objects += allocations(&edge.block).count();
                                inputs(self.program(), &self.terms, &edge.block, &transition.inputs, &value_of)
                            }
                            _ => Vec::new(),
                        };
                        trace.steps.push(TraceStep { step: take(chosen.action), inputs: given });
                    }
                }
            }
        }
        Ok(complete(self.program(), trace, &first))
    }

    /// Where the path ends in an access to memory without a meaning.
    pub(super) fn fault_at_the_end(&self, pieces: &[Piece]) -> Option<(ProcId, LocId)> {
        let Some(Piece::Block { walk, end, .. }) = pieces.last() else { return None };
        let end = &walk.ends[*end];
        let top = end.stack.last().expect("a location stack has a top");
        (end.kind == EndKind::Fault).then_some((top.procedure, top.location))
    }
}
