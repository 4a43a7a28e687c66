//! Whether an execution with abstract values is one of the program: its schedule and inputs are tried concretely.

use crate::concrete::token::{Abstractions, Meaning};
use crate::concrete::{Inputs, Machine, Outcome, Request, Trace, TraceStep, Value, replay};
use crate::engine::Task;
use crate::program::control::{Action, Control, Step};
use crate::program::{FloatKind, Type, VarId};
use crate::term::Integer;

/// What became of an abstract execution.
pub(super) enum Feasibility {
    /// The program has it, with these inputs.
    Real(Trace),
    /// It was not found among the concrete ones; the abstract variables that the first step reads that cannot be taken.
    Spurious(Vec<VarId>),
}

/// Which value of a token is tried for an input.
#[derive(Clone, Copy)]
enum Pick {
    /// The one nearest to zero.
    Nearest,
    /// The least one.
    Least,
    /// The greatest one.
    Greatest,
}

/// Tries the execution concretely.
pub(super) fn feasible(task: &Task, abstractions: &Abstractions, trace: &Trace) -> Feasibility {
    let Some(given) = inputs_of(task, abstractions, trace) else { return Feasibility::Spurious(Vec::new()) };
    let mut farthest = 0;
    for pick in [Pick::Nearest, Pick::Least, Pick::Greatest] {
        let concrete = Trace {
            initial_inputs: picked(&given[0], pick),
            steps: trace
                .steps
                .iter()
                .zip(&given[1..])
                .map(|(step, given)| TraceStep { step: step.step, inputs: picked(given, pick) })
                .collect(),
        };
        match replay(&task.program, &task.property, &concrete) {
            Ok(_) => return Feasibility::Real(concrete),
            Err(error) => farthest = farthest.max(error.step().unwrap_or(trace.steps.len())),
        }
    }
    Feasibility::Spurious(read_by(task, abstractions, trace, farthest))
}

/// The inputs of `init` and of each step, without the choices among tokens.
fn inputs_of(task: &Task, abstractions: &Abstractions, trace: &Trace) -> Option<Vec<Vec<Value>>> {
    let mut machine = Machine::with(&task.program, abstractions);
    let mut inputs = Noting { left: trace.initial_inputs.iter(), kept: Vec::new() };
    if machine.start(&mut inputs) != Ok(Outcome::Taken) {
        return None;
    }
    let mut all = vec![inputs.kept];
    for step in &trace.steps {
        let mut inputs = Noting { left: step.inputs.iter(), kept: Vec::new() };
        machine.commit();
        if machine.step(step.step, &mut inputs) != Ok(Outcome::Taken) {
            return None;
        }
        all.push(inputs.kept);
    }
    Some(all)
}

struct Noting<'t> {
    left: std::slice::Iter<'t, Value>,
    kept: Vec<Value>,
}

impl Inputs for Noting<'_> {
    fn next(&mut self, request: &Request) -> Option<Value> {
        let value = self.left.next()?.clone();
        let is_input = request.variable.is_some() || request.memory.is_some() || request.options.is_empty();
        self.kept.extend(is_input.then(|| value.clone()));
        Some(value)
    }
}

fn picked(inputs: &[Value], pick: Pick) -> Vec<Value> {
    inputs.iter().map(|value| concrete(value, pick)).collect()
}

fn concrete(value: &Value, pick: Pick) -> Value {
    let Value::Token(token) = value else { return value.clone() };
    match (token.meaning(), token.of.ty) {
        (Meaning::Integers(set), _) => {
            let ends = set.iter().flat_map(|part| [part.low(), part.high()]).flatten();
            let zero = set.iter().any(|part| part.contains(&Integer::ZERO)).then_some(Integer::ZERO);
            let found = match pick {
                Pick::Nearest => zero.or_else(|| ends.min_by_key(|n| n.abs()).cloned()),
                Pick::Least => ends.min().cloned(),
                Pick::Greatest => ends.max().cloned(),
            };
            Value::Int(found.unwrap_or_default())
        }
        (Meaning::Floats(set), ty) => {
            let kind = if let Type::Float(kind) = ty { kind } else { FloatKind::F64 };
            let ends = set.ranges.iter().flat_map(|(low, high)| [*low, *high]);
            let one = [1.0, -1.0, 0.0].into_iter().find(|x| set.contains(*x));
            let found = match pick {
                Pick::Nearest => one.or_else(|| ends.min_by(|a, b| a.abs().total_cmp(&b.abs()))),
                Pick::Least => ends.min_by(f64::total_cmp),
                Pick::Greatest => ends.max_by(f64::total_cmp),
            };
            Value::Float(kind.of_f64(found.unwrap_or(f64::NAN)), kind)
        }
    }
}

/// The abstract variables that a step of the trace reads; its number is from 1 on.
fn read_by(task: &Task, abstractions: &Abstractions, trace: &Trace, number: usize) -> Vec<VarId> {
    let mut control = Control::initial(&task.program);
    let before = trace.steps.iter().take(number.saturating_sub(1));
    before.for_each(|entry| drop(control.apply(&task.program, entry.step)));
    let Some(Step { thread, action: Action::Edge(edge) }) = trace.steps.get(number.wrapping_sub(1)).map(|e| e.step)
    else {
        return Vec::new();
    };
    let frame = control.threads.get(crate::program::Id::index(thread)).and_then(|thread| thread.frames.last());
    let Some(frame) = frame else { return Vec::new() };
    let mut read = Vec::new();
    let block = &task.program.procedures[frame.procedure].edges[edge].block;
    for expr in block.iter().flat_map(|statement| statement.expressions()) {
        expr.for_each_var(&mut |variable| read.push(variable));
    }
    abstractions.variables().map(|(variable, _)| variable).filter(|variable| read.contains(variable)).collect()
}
