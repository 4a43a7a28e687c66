//! Tells what an execution did, statement by statement, in the words of the source.

use super::access::{Place, accesses};
use super::naming::Naming;
use super::replay::Given;
use super::{Machine, Outcome, Pointer, Trace, TraceStep, Value, is_operand};
use crate::program::control::{Action, Step};
use crate::program::{Expr, Id, ProcId, Program, Scope, ShapeId, Span, Statement, ThreadId, VarId};
use std::ops::Range;

/// What an execution did, for people.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Told {
    /// What each step did.
    pub steps: Vec<Vec<Effect>>,
    /// The values in the condition that is violated.
    pub values: Vec<(String, String)>,
}

/// Something that has a name in the source, and that a step changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// Where the statement is that changed it.
    pub place: Option<Span>,
    /// What it is called.
    pub name: String,
    /// What it was, where it was anything.
    pub before: Option<String>,
    /// What it became.
    pub after: String,
}

/// How many steps at the start and at the end are told of.
const TOLD_AT_START: usize = 3_000;
const TOLD_AT_END: usize = 5_000;
/// How many parts of memory are told of that one statement writes.
const MAX_CELLS: usize = 16;

/// Tells what an execution did; what cannot be executed is not told.
pub fn tell(program: &Program, trace: &Trace) -> Told {
    let mut machine = Machine::new(program);
    let mut told = Told::default();
    if machine.start(&mut Given::new(&trace.initial_inputs)) != Ok(Outcome::Taken) {
        return told;
    }
    let mut naming = Naming::new(program);
    let last = trace.steps.len().saturating_sub(TOLD_AT_END);
    for (index, entry) in trace.steps.iter().enumerate() {
        machine.commit();
        let is_told = index < TOLD_AT_START || index >= last;
        let Some(frame) = machine.control().threads[entry.step.thread.index()].frames.last().copied() else { break };
        if index + 1 == trace.steps.len() {
            told.values = values(&mut machine, &mut naming, entry, frame.procedure);
        }
        let before = if is_told { machine.seen(entry.step.thread, frame.procedure) } else { Vec::new() };
        let written = if is_told { machine.writes(entry, &mut naming) } else { Vec::new() };
        if machine.step(entry.step, &mut Given::new(&entry.inputs)) != Ok(Outcome::Taken) {
            break;
        }
        let mut step = Telling { machine: &machine, naming: &mut naming, step: entry.step, procedure: frame.procedure };
        told.steps.push(if is_told { step.effects(before, written) } else { Vec::new() });
    }
    told
}

/// Bytes that a statement writes: its number, the object, and which they are.
struct Write {
    statement: usize,
    object: u32,
    bytes: Range<i64>,
    /// What its first part was called when it was written.
    place: Option<(String, ShapeId)>,
    /// What was there, if it is a number.
    before: Option<Vec<u8>>,
}

/// What is needed to tell of a step.
struct Telling<'a, 'p> {
    machine: &'a Machine<'p>,
    naming: &'a mut Naming<'p>,
    step: Step,
    procedure: ProcId,
}

impl Telling<'_, '_> {
    fn effects(&mut self, before: Vec<(VarId, Value)>, written: Vec<Write>) -> Vec<Effect> {
        let mut found: Vec<(usize, Effect)> = Vec::new();
        self.variables(before, &mut found);
        for write in written {
            self.cells(write, &mut found);
        }
        found.sort_by_key(|(statement, _)| *statement);
        found.into_iter().map(|(_, effect)| effect).collect()
    }

    /// The variables that changed.
    fn variables(&mut self, before: Vec<(VarId, Value)>, found: &mut Vec<(usize, Effect)>) {
        let program = self.machine.program();
        let thread = self.step.thread;
        let Some(frame) = self.machine.control().threads[thread.index()].frames.last() else { return };
        let now = frame.procedure;
        let is_return = self.step.action == Action::Return;
        for (variable, after) in self.machine.seen(thread, now) {
            let known = &program.variables[variable];
            let is_local = known.scope != Scope::Global;
            let old = before.iter().find(|(v, _)| *v == variable).map(|(_, value)| value);
            let is_taken = is_return && is_local && self.takes_result(variable);
            if is_return && is_local && !is_taken || !is_taken && old == Some(&after) || after == Value::Undefined {
                continue;
            }
            if is_local && !self.naming.is_of_source(now) {
                continue;
            }
            let procedure = if is_local { Some(now) } else { None };
            let shape = program.shapes.of_variable(procedure, &known.name);
            let (statement, place) = if is_taken { (0, self.call_place()) } else { self.writer(variable) };
            let text = |telling: &mut Self, value: &Value| telling.naming.value(telling.machine, thread, value, shape);
            let old = old.filter(|value| **value != Value::Undefined && !is_taken).cloned();
            let before = old.map(|value| text(self, &value));
            let after = text(self, &after);
            found.push((statement, Effect { place, name: known.name.clone(), before, after }));
        }
    }

    /// Where the call is that a return ends.
    fn call_place(&self) -> Option<Span> {
        let frame = self.machine.control().threads[self.step.thread.index()].frames.last()?;
        let edges = &self.machine.program().procedures[frame.procedure].edges;
        edges.iter().find(|edge| edge.target == frame.location && edge.call().is_some())?.span
    }

    /// Whether the variable took the result of the call that a return ends.
    fn takes_result(&self, variable: VarId) -> bool {
        let program = self.machine.program();
        let Some(frame) = self.machine.control().threads[self.step.thread.index()].frames.last() else { return false };
        let edges = &program.procedures[frame.procedure].edges;
        let mut calls = edges.iter().filter(|edge| edge.target == frame.location).filter_map(|edge| edge.call());
        calls.any(|(target, callee, _)| target == Some(variable) && callee == self.procedure)
    }

    /// The last statement of the step that writes the variable: its number, and where it is.
    fn writer(&self, variable: VarId) -> (usize, Option<Span>) {
        let Action::Edge(edge) = self.step.action else { return (0, None) };
        let edge = &self.machine.program().procedures[self.procedure].edges[edge];
        let writes = |(_, statement): &(usize, &Statement)| statement.targets().contains(&variable);
        match edge.block.iter().enumerate().rev().find(writes) {
            Some((statement, _)) => (statement, edge.place_of(statement)),
            None => (edge.block.len(), edge.span),
        }
    }

    /// The parts of memory that a statement wrote.
    fn cells(&mut self, mut write: Write, found: &mut Vec<(usize, Effect)>) {
        let Action::Edge(edge) = self.step.action else { return };
        let place = self.machine.program().procedures[self.procedure].edges[edge].place_of(write.statement);
        let thread = self.step.thread;
        let Range { mut start, end } = write.bytes;
        for _ in 0..MAX_CELLS {
            let at = Pointer { object: write.object, offset: start };
            if start >= end {
                break;
            }
            let first = write.place.take();
            let named = first.or_else(|| self.naming.place(self.machine, thread, at, (end - start) as u64));
            let Some((name, shape)) = named else { break };
            let Some(after) = self.naming.contents(self.machine, thread, at, shape) else { break };
            let bytes = self.machine.program().shapes.get(shape).map_or(1, |shape| shape.bytes.max(1)) as i64;
            let before = write.before.as_ref().filter(|_| bytes == end - start);
            let before = before.and_then(|bytes| number(bytes, self.machine.program().shapes.scalar(shape)?));
            let before = before.map(|value| self.naming.value(self.machine, thread, &value, Some(shape)));
            found.push((write.statement, Effect { place, name, before, after }));
            start += bytes;
        }
    }
}

/// The number that bytes are.
fn number(bytes: &[u8], ty: crate::program::Type) -> Option<Value> {
    let crate::program::Type::Machine(machine) = ty else { return None };
    let mut word = [0; 16];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let word = u64::try_from(u128::from_le_bytes(word)).ok()?;
    Some(Value::Int(machine.wrap(&crate::term::Integer::from(word))))
}

/// Whether a variable has its name from the source.
fn is_named(name: &str) -> bool {
    !is_operand(name)
        && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name != "result"
        && !name.ends_with(".argument")
}

/// The values in the condition of a step into an error.
fn values(
    machine: &mut Machine<'_>,
    naming: &mut Naming<'_>,
    entry: &TraceStep,
    procedure: ProcId,
) -> Vec<(String, String)> {
    let Action::Edge(edge) = entry.step.action else { return Vec::new() };
    let program = machine.program();
    let thread = entry.step.thread;
    let mut found: Vec<(String, String)> = Vec::new();
    let mut add = |name: String, value: String| {
        if !found.iter().any(|(known, _)| *known == name) {
            found.push((name, value));
        }
    };
    for statement in &program.procedures[procedure].edges[edge].block {
        let Statement::Assume(condition) = statement else { continue };
        let mut variables = Vec::new();
        condition.for_each_var(&mut |variable| variables.push(variable));
        for variable in variables {
            let known = &program.variables[variable];
            let value = machine.value(thread, variable).unwrap_or_default();
            if !is_named(&known.name) || value == Value::Undefined || is_address_only(condition, variable) {
                continue;
            }
            let scope = if known.scope == Scope::Global { None } else { Some(procedure) };
            let shape = program.shapes.of_variable(scope, &known.name);
            add(known.name.clone(), naming.value(machine, thread, &value, shape));
        }
    }
    let mut reads = Vec::new();
    machine.walk_with(entry, |machine, _, instruction| {
        accesses(machine.scene(thread.index()), instruction, &mut |place, writes| match place {
            Place::Bytes { object, start, end } if !writes => reads.push((object, start, end)),
            _ => {}
        });
    });
    for (object, start, end) in reads {
        let at = Pointer { object, offset: start };
        let Some((name, shape)) = naming.place(machine, thread, at, (end - start) as u64) else { continue };
        if let Some(value) = naming.contents(machine, thread, at, shape) {
            add(name, value);
        }
    }
    found
}

/// Whether a variable occurs only in addresses of what is read from memory: that has a name of its own.
fn is_address_only(condition: &Expr, variable: VarId) -> bool {
    fn outside(expr: &Expr, variable: VarId) -> bool {
        match expr {
            Expr::Var(found) => *found == variable,
            Expr::Load(..) => false,
            other => other.operands().into_iter().any(|operand| outside(operand, variable)),
        }
    }
    !outside(condition, variable)
}

impl Machine<'_> {
    /// The variables that a thread sees in a procedure, with their values.
    fn seen(&self, thread: ThreadId, procedure: ProcId) -> Vec<(VarId, Value)> {
        let seen = self.program.variables.enumerate().filter(|(_, variable)| match variable.scope {
            Scope::Global => true,
            Scope::Local(owner) => owner == procedure,
        });
        let named = seen.filter(|(_, variable)| is_named(&variable.name));
        named.map(|(id, _)| (id, self.value(thread, id).unwrap_or_default())).collect()
    }

    /// What a step is about to write to memory.
    fn writes(&mut self, entry: &TraceStep, naming: &mut Naming<'_>) -> Vec<Write> {
        if self.program.shapes.all.is_empty() {
            return Vec::new();
        }
        let thread = entry.step.thread.index();
        let mut found = Vec::new();
        self.walk_with(entry, |machine, statement, instruction| {
            accesses(machine.scene(thread), instruction, &mut |place, writes| match place {
                Place::Bytes { object, start, end } if writes => {
                    let short = (end - start <= 8).then(|| machine.bytes_at(object, start..end)).flatten();
                    let at = Pointer { object, offset: start };
                    let place = naming.place(machine, entry.step.thread, at, (end - start) as u64);
                    found.push(Write { statement, object, bytes: start..end, place, before: short });
                }
                _ => {}
            });
        });
        found
    }

    fn bytes_at(&self, object: u32, bytes: Range<i64>) -> Option<Vec<u8>> {
        let object = self.data.memory.objects.get(object.checked_sub(1)? as usize)?;
        let cells = object.cells.as_ref()?;
        let range = usize::try_from(bytes.start).ok()?..usize::try_from(bytes.end).ok()?;
        let is_written = cells.written.get(range.clone())?.iter().all(|flag| *flag == 1);
        if is_written { cells.bytes.get(range).map(<[u8]>::to_vec) } else { None }
    }
}
