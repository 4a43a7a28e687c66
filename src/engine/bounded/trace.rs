//! From a feasible path to an execution: the blocks are walked again, with the values that the solver found.

use super::BoundedSpace;
use super::call::Arrival;
use super::limits::MAX_TRIES;
use super::state::{PathArg, base_of, time_of};
use crate::concrete::{FirstContents, Trace, TraceStep, complete};
use crate::engine::Stop;
use crate::engine::search::NodeId;
use crate::formula::Formulas;
use crate::formula::blocks::{Code, EndKind, Reading, Target, Walk, WalkError};
use crate::formula::inputs::{add_first_contents, allocations, inputs};
use crate::program::control::{Action, Step};
use crate::program::{Id, ThreadId};
use crate::term::eval::eval_cached;
use crate::term::{Assignment, Symbol, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// What comes of following a path.
pub(super) enum Followed {
    /// An execution.
    Trace(Trace),
    /// No values of inputs: the solver gave none.
    NoModel,
    /// The execution goes another way.
    Elsewhere,
}

/// What comes of one try.
enum Try {
    Followed(Followed),
    /// Memory has cells that were not known of when the path was explored.
    NewCells,
}

/// What came of a failure, and whether memory has cells by now that were not known of when the path was explored.
pub(super) struct Examination {
    /// What came of following the path.
    pub(super) followed: Followed,
    /// Whether there are new cells.
    pub(super) cells_changed: bool,
}

impl<'p> BoundedSpace<'p> {
    /// The execution along the path to a failure, or to another node.
    pub(super) fn follow_path(&mut self, arg: &PathArg<'p>, to: NodeId) -> Result<Examination, Stop> {
        let mut cells_changed = false;
        let Some(model) = self.model_of_path(arg, to)? else {
            return Ok(Examination { followed: Followed::NoModel, cells_changed });
        };
        for _ in 0..MAX_TRIES {
            match self.follow_inputs(arg, to, &model)? {
                Try::Followed(followed) => return Ok(Examination { followed, cells_changed }),
                Try::NewCells => cells_changed = true,
            }
        }
        Ok(Examination { followed: Followed::Elsewhere, cells_changed })
    }

    /// The execution with these values of inputs, up to a node.
    fn follow_inputs(&mut self, arg: &PathArg<'p>, to: NodeId, model: &Assignment) -> Result<Try, Stop> {
        const ELSEWHERE: Result<Try, Stop> = Ok(Try::Followed(Followed::Elsewhere));
        let program = &self.task.program;
        let mut done = FxHashMap::default();
        let mut first = FirstContents::default();
        let mut objects = allocations(&program.init).count();
        let value_of = |symbol: Symbol| model.get(&symbol).cloned();
        let mut trace = Trace {
            initial_inputs: inputs(program, &self.formulas.terms, &program.init, &self.init.inputs, &value_of),
            steps: Vec::new(),
        };
        add_first_contents(&mut first, &program.init, &self.init, (0, 0), &value_of);
        let (_, values) = self.formulas.blocks.init(&mut self.formulas.terms)?;
        let entry = self.entry();
        let mut at = Arrival { position: self.positions.at(&entry, None), values };
        let mut node = arg.nodes().next().expect("a path has a first node");
        loop {
            if node == to {
                return Ok(Try::Followed(Followed::Trace(complete(program, trace, &first))));
            }
            self.budget.check()?;
            let time = time_of(node);
            let Ok(walk) = self.walk_with(&at, time, model) else { return ELSEWHERE };
            // What is known of memory is more now than it was when the path was explored.
            if self.formulas.blocks.cells_changed() {
                return Ok(Try::NewCells);
            }
            let end = self.follow_block(&walk, time, model, &mut objects, &mut first, &mut trace.steps);
            let Some(end) = end.map(|end| &walk.ends[end]) else { return ELSEWHERE };
            let position = self.positions.at(&end.stack, at.position.caller);
            let mut after = Arrival { position, values: end.values.clone() };
            match end.kind {
                EndKind::Error | EndKind::Cut | EndKind::Exit => {}
                EndKind::Fault => return ELSEWHERE,
                EndKind::Call(edge) => after = self.apply_call(after, edge, time)?.0,
            }
            let returned =
                TraceStep { step: Step { thread: ThreadId::new(0), action: Action::Return }, inputs: Vec::new() };
            let Some(after) = self.apply_exits(after, || trace.steps.push(returned.clone())) else { return ELSEWHERE };
            if self.failure_at(self.positions.stack(after.position)).is_some() {
                return Ok(Try::Followed(Followed::Trace(complete(program, trace, &first))));
            }
            at = after;
            let terms = &self.formulas.terms;
            let mut holds = |part: &TermId| eval_cached(terms, *part, model, &mut done) == Value::Bool(true);
            let next = arg.edges(node).iter().find(|(guard, _)| guard.iter().all(&mut holds));
            let Some((_, next)) = next else { return ELSEWHERE };
            node = *next;
        }
    }

    /// Walks a block with these values of inputs, so that everything is decided.
    fn walk_with(&mut self, at: &Arrival, time: u32, model: &Assignment) -> Result<Walk, WalkError> {
        let Formulas { terms, blocks } = &mut self.formulas;
        let mut done = FxHashMap::default();
        let constant = |(symbol, value): (&Symbol, &TermId)| {
            let constant = eval_cached(terms, *value, model, &mut done);
            (*symbol, terms.of_value(&constant))
        };
        let known: Vec<(Symbol, TermId)> = at.values.iter().map(constant).collect();
        let nothing = FxHashSet::default();
        let stack = self.positions.stack(at.position);
        blocks.walk_reading(terms, stack, &known, &nothing, Reading::Given(time, model), &|| false)
    }

    /// Values with which an execution takes the path to a node. What led to a node all of whose values are constants is a
    /// question of its own.
    fn model_of_path(&mut self, arg: &PathArg<'p>, failing: NodeId) -> Result<Option<Assignment>, Stop> {
        let mut model = Assignment::default();
        let mut next = Some(failing);
        while let Some(node) = next {
            let Some(parent) = arg.parent(node) else { break };
            let state = arg.state(node);
            let conditions = if state.led_here.is_empty() { &state.conditions } else { &state.led_here };
            let terms = &mut self.formulas.terms;
            match self.solver.model_after(terms, &self.budget, (arg, parent), conditions)? {
                Some(values) => model.extend(values),
                None => return Ok(None),
            }
            next = base_of(arg, parent);
        }
        Ok(Some(model))
    }

    /// Takes the one way through a block on which everything is decided; tells which end it comes to.
    fn follow_block(
        &mut self,
        walk: &Walk,
        time: u32,
        model: &Assignment,
        objects: &mut usize,
        first: &mut FirstContents,
        steps: &mut Vec<TraceStep>,
    ) -> Option<usize> {
        let program = &self.task.program;
        let mut at = 0;
        loop {
            let place = &walk.nodes[at];
            let [taken] = &place.moves[..] else { return None };
            let mut given = Vec::new();
            let is_fault = matches!(taken.to, Target::End(end) if walk.ends[end].kind == EndKind::Fault);
            if let (Code::Plain(transition), Action::Edge(edge), false) = (&*taken.code, taken.action, is_fault) {
                let top = place.stack.last().expect("a location stack has a top");
                let block = &program.procedures[top.procedure].edges[edge].block;
                let mut copies = FxHashMap::default();
                for symbol in transition.own_symbols() {
                    let copy = self.formulas.blocks.copy_for(&mut self.formulas.terms, time, symbol);
                    copies.insert(symbol, self.formulas.terms.as_symbol(copy).expect("a free constant is its symbol"));
                }
                let value_of = |symbol: Symbol| model.get(copies.get(&symbol)?).cloned();
                add_first_contents(first, block, transition, (steps.len() + 1, *objects), &value_of);
                *objects += allocations(block).count();
                given = inputs(program, &self.formulas.terms, block, &transition.inputs, &value_of);
            }
            let step = Step { thread: ThreadId::new(0), action: taken.action };
            steps.push(TraceStep { step, inputs: given });
            match taken.to {
                Target::Node(next) => at = next,
                Target::End(end) => return Some(end),
            }
        }
    }
}
