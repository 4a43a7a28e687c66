//! From a feasible path to an execution: the blocks are walked again, with the values that the solver found.

use super::limits::MAX_TRIES;
use super::{Bounded, NodeId, State, time_of};
use crate::concrete::{Trace, TraceStep, complete};
use crate::engine::Stop;
use crate::formula::blocks::{Code, EndKind, Reading, Target, Walk};
use crate::formula::inputs::{allocations, first_contents, inputs};
use crate::program::control::{Action, Frame, Step};
use crate::program::{Id, ThreadId};
use crate::solver::{Answer, Models, Solve};
use crate::term::eval::eval_cached;
use crate::term::{Assignment, Symbol, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What comes of following a path.
enum Followed {
    Trace(Trace),
    /// Memory has cells that were not known of when the path was explored.
    Grown,
    /// The execution goes another way.
    Lost,
}

impl Bounded<'_> {
    /// The execution along the path to a node, and through its block where the conditions hold; `None` where the solver
    /// gives no answer.
    pub(super) fn trace(&mut self, node: NodeId, conditions: &[TermId]) -> Result<Option<Trace>, Stop> {
        let Some(model) = self.model_of_path(node, conditions)? else { return Ok(None) };
        for _ in 0..MAX_TRIES {
            match self.followed(&model)? {
                Followed::Trace(trace) => return Ok(Some(trace)),
                Followed::Grown => {}
                Followed::Lost => break,
            }
        }
        let message = "a path that was explored could not be followed".to_owned();
        self.approximated.get_or_insert(Stop::GaveUp(message));
        Ok(None)
    }

    /// The execution with these values of inputs.
    fn followed(&mut self, model: &Assignment) -> Result<Followed, Stop> {
        let program = &self.task.program;
        let mut done = FxHashMap::default();
        let mut first = BTreeMap::new();
        let mut objects = allocations(&program.init).count();
        let value_of = |symbol: Symbol| model.get(&symbol).cloned();
        let mut trace = Trace {
            initial_inputs: inputs(program, &self.formulas.terms, &program.init, &self.init.inputs, &value_of),
            steps: Vec::new(),
        };
        first.extend(first_contents(&program.init, &self.init, 0, &value_of));
        let (_, values) = self.formulas.blocks.init(&mut self.formulas.terms)?;
        let entry = program.procedures[program.main].entry;
        let mut state = State {
            stack: [Frame { procedure: program.main, location: entry, call: None }].into(),
            caller: None,
            values,
            model: None,
        };
        let mut node = 0;
        loop {
            self.budget.check()?;
            self.settle(&mut state, model);
            let known: Vec<(Symbol, TermId)> = state.values.iter().map(|(symbol, value)| (*symbol, *value)).collect();
            let time = time_of(node);
            let reading = Reading::Given(time, model);
            let nothing = FxHashSet::default();
            let walk = self.formulas.blocks.walk_reading(
                &mut self.formulas.terms,
                &state.stack,
                &known,
                &nothing,
                reading,
                &|| false,
            );
            let Ok(walk) = walk else { return Ok(Followed::Lost) };
            // What is known of memory is more now than it was when the path was explored.
            if self.formulas.blocks.take_grown() {
                return Ok(Followed::Grown);
            }
            let end = self.follow(&walk, time, model, &mut objects, &mut first, &mut trace.steps);
            let Some(end) = end.map(|end| &walk.ends[end]) else { return Ok(Followed::Lost) };
            let after = State {
                stack: end.stack.clone().into(),
                caller: state.caller,
                values: end.values.clone(),
                model: None,
            };
            let take = |action| TraceStep { step: Step { thread: ThreadId::new(0), action }, inputs: Vec::new() };
            state = match end.kind {
                EndKind::Error => return Ok(Followed::Trace(complete(program, trace, &first))),
                EndKind::Fault => return Ok(Followed::Lost),
                EndKind::Cut | EndKind::Exit => after,
                EndKind::Call(edge) => self.apply_call(after, edge, time)?.0,
            };
            while self.formulas.blocks.has_ended(&state.stack) {
                trace.steps.push(take(Action::Return));
                let Some(caller) = self.apply_exit(state) else { return Ok(Followed::Lost) };
                state = caller;
            }
            if self.failure_at(&state.stack).is_some() {
                return Ok(Followed::Trace(complete(program, trace, &first)));
            }
            let mut holds =
                |part: &TermId| eval_cached(&self.formulas.terms, *part, model, &mut done) == Value::Bool(true);
            let next = self.nodes[node].next.iter().find(|(guard, _)| guard.iter().all(&mut holds));
            let Some((_, next)) = next else { return Ok(Followed::Lost) };
            node = *next;
        }
    }

    /// Values with which an execution takes the path to a node, and goes on where the conditions hold. What led to a
    /// node all of whose values are constants is a question of its own.
    fn model_of_path(&mut self, node: NodeId, conditions: &[TermId]) -> Result<Option<Assignment>, Stop> {
        let mut model = Assignment::default();
        let mut part = Some((node, conditions.to_vec()));
        while let Some((node, conditions)) = part {
            self.switch_to(Some(node));
            let all: Vec<TermId> = self.solver.assertions().chain(conditions.iter().copied()).collect();
            let wanted: Vec<Symbol> = self.formulas.terms.symbols_of(all).into_iter().collect();
            if !wanted.is_empty() {
                match self.solver.check(&self.formulas.terms, &conditions) {
                    Answer::Sat => match self.solver.model(&mut self.formulas.terms, &wanted) {
                        Ok(values) => model.extend(values),
                        Err(_) => return Ok(None),
                    },
                    Answer::Unsat => return Ok(None),
                    Answer::Unknown(_) => {
                        self.budget.check()?;
                        self.unanswered += 1;
                        return Ok(None);
                    }
                }
            }
            part = self.nodes[self.nodes[node].base].before.clone();
        }
        Ok(Some(model))
    }

    /// Takes the one way through a block on which everything is decided; tells which end it comes to.
    fn follow(
        &mut self,
        walk: &Walk,
        time: u32,
        model: &Assignment,
        objects: &mut usize,
        first: &mut BTreeMap<(usize, i64), crate::concrete::Value>,
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
                first.extend(first_contents(block, transition, *objects, &value_of));
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

    /// Replaces all values, and those that callers put aside, by constants.
    fn settle(&mut self, state: &mut State, model: &Assignment) {
        let mut done = FxHashMap::default();
        for value in state.values.values_mut() {
            let constant = eval_cached(&self.formulas.terms, *value, model, &mut done);
            *value = self.formulas.terms.of_value(&constant);
        }
    }
}
