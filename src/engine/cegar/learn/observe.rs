//! What some executions are like at the cut points around recursion.

use crate::concrete::choices::Candidates;
use crate::concrete::sample::{Ended, Executions, Numbers, Pace, Schedule};
use crate::concrete::{Machine, Value};
use crate::engine::Stop;
use crate::engine::cegar::CegarSpace;
use crate::engine::cegar::limits::{
    MAX_OBSERVED_COLUMNS, MAX_OBSERVED_ROWS, MAX_OBSERVED_STEPS, MAX_OBSERVED_STEPS_IN_ALL, OBSERVED_EXECUTIONS,
};
use crate::formula::blocks::Blocks;
use crate::program::control::Frame;
use crate::program::{Id, LocId, ProcId, Program, Scope, ThreadId, Type, VarId};
use crate::term::Random;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A number that is observed: a variable, now or when the activation started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) variable: VarId,
    pub(super) is_ghost: bool,
}

/// What was seen at a place of a procedure.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) columns: Vec<Column>,
    pub(super) rows: BTreeSet<Vec<i64>>,
}

impl CegarSpace<'_> {
    /// What some executions were like at the cut points around recursion.
    pub(super) fn observe(&self, candidates: &Candidates) -> Result<BTreeMap<(ProcId, LocId), Seen>, Stop> {
        let mut executions = Executions::new(&self.task.program, &self.task.property, candidates);
        let pace = Pace {
            max_steps: MAX_OBSERVED_STEPS,
            at_once: 1,
            numbers: Numbers::AndSmall,
            schedule: Schedule::AnyThread,
        };
        let mut observer = Observer::new(&self.formulas.blocks);
        let mut steps = 0;
        for seed in 0..OBSERVED_EXECUTIONS {
            observer.entries.clear();
            let mut look = |machine: &Machine<'_>| observer.look(machine);
            steps += match executions.execute(&mut Random::new(seed), pace, &|| self.budget.check(), &mut look)? {
                Ended::Violation(trace) => trace.steps.len(),
                Ended::Otherwise(steps) => steps,
            };
            if steps > MAX_OBSERVED_STEPS_IN_ALL {
                break;
            }
        }
        Ok(observer.seen)
    }
}

/// Looks at states of executions where they are at cut points.
struct Observer<'a, 'p> {
    program: &'p Program,
    blocks: &'a Blocks<'p>,
    /// The globals that recursive procedures write.
    globals: Vec<VarId>,
    /// For each frame, the values of the globals and the parameters when it started.
    entries: Vec<Vec<(VarId, Option<Value>)>>,
    seen: BTreeMap<(ProcId, LocId), Seen>,
}

impl<'a, 'p> Observer<'a, 'p> {
    fn new(blocks: &'a Blocks<'p>) -> Observer<'a, 'p> {
        let program = blocks.program();
        let recursive = program.procedures.enumerate().map(|(id, _)| id).filter(|id| blocks.cuts().is_recursive(*id));
        let written: FxHashSet<VarId> = recursive.flat_map(|id| blocks.globals_written_by(id)).collect();
        let globals = program.globals().filter(|global| written.contains(global)).collect();
        Observer { program, blocks, globals, entries: Vec::new(), seen: BTreeMap::new() }
    }

    fn look(&mut self, machine: &Machine<'_>) {
        let thread = ThreadId::new(0);
        let Some(frames) = machine.control().threads.first().map(|thread| &thread.frames) else { return };
        let Some(&Frame { procedure, location, .. }) = frames.last() else { return };
        self.entries.truncate(frames.len());
        if self.entries.len() < frames.len() {
            let parameters = &self.program.procedures[procedure].parameters;
            let variables = self.globals.iter().chain(parameters);
            self.entries.push(variables.map(|variable| (*variable, machine.value(thread, *variable))).collect());
        }
        let cuts = self.blocks.cuts();
        let is_exit = cuts.is_recursive(procedure) && location == self.program.procedures[procedure].exit;
        if !is_exit && !cuts.is_cut(procedure, location) {
            return;
        }
        let seen = (self.seen.entry((procedure, location))).or_insert_with(|| Seen {
            columns: columns(self.blocks, &self.globals, procedure, location),
            ..Seen::default()
        });
        if seen.rows.len() >= MAX_OBSERVED_ROWS {
            return;
        }
        let entry = self.entries.last().expect("the frame was noted");
        let value = |column: &Column| {
            let value = match column.is_ghost {
                true => entry.iter().find(|(variable, _)| *variable == column.variable)?.1.clone()?,
                false => machine.value(thread, column.variable)?,
            };
            match value {
                Value::Int(n) => n.to_i64(),
                _ => None,
            }
        };
        let row: Option<Vec<i64>> = seen.columns.iter().map(value).collect();
        seen.rows.extend(row);
    }
}

/// What is observed at a place: what numbers were when the activation started, then what they are, the result last.
fn columns(blocks: &Blocks<'_>, globals: &[VarId], procedure: ProcId, location: LocId) -> Vec<Column> {
    let program = blocks.program();
    let data = &program.procedures[procedure];
    let is_number = |variable: &VarId| matches!(program.variables[*variable].ty, Type::Int | Type::Machine(_));
    let stack = [Frame { procedure, location, call: None }];
    let matters = |variable: &VarId| blocks.symbol(*variable).is_some_and(|symbol| blocks.matters(&stack, symbol));
    let cuts = blocks.cuts();
    let ghosts = globals.iter().chain(&data.parameters).filter(|_| cuts.is_recursive(procedure));
    let ghosts = ghosts.copied().map(|variable| Column { variable, is_ghost: true });
    let locals = program.variables.enumerate().map(|(id, _)| id);
    let locals =
        locals.filter(|id| program.variables[*id].scope == Scope::Local(procedure) && Some(*id) != data.result);
    let now = locals.chain(globals.iter().copied()).chain(data.result).filter(matters);
    let now = now.map(|variable| Column { variable, is_ghost: false });
    ghosts.chain(now).filter(|column| is_number(&column.variable)).take(MAX_OBSERVED_COLUMNS).collect()
}
