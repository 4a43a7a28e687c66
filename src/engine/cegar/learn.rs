//! What executions suggest: relations that held whenever some executions came by become predicates.
//!
//! A recursive procedure is understood by what its results have to do with its arguments; path by path, interpolants may
//! name one depth of the recursion after the other and never find it. Here concrete execution shows it to the
//! abstraction, which proves a predicate where it holds and drops it where it does not.

use super::Cegar;
use super::relate::{Relation, relations};
use crate::concrete::{Machine, Value};
use crate::engine::Stop;
use crate::engine::choices::Candidates;
use crate::engine::sample::{Ended, Executions, Numbers, Pace};
use crate::program::Id as _;
use crate::program::blocks::{Blocks, Cuts};
use crate::program::control::Frame;
use crate::program::encode::Arithmetic;
use crate::program::{LocId, ProcId, Program, Scope, ThreadId, Type, VarId};
use crate::term::generate::Random;
use crate::term::{Integer, TermId};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// How many executions are observed, how many steps each has at most, and all of them together.
const EXECUTIONS: u64 = 200;
const MOST_STEPS: usize = 20_000;
const MOST_STEPS_IN_ALL: usize = 400_000;

/// How many different states are remembered of a place.
const MOST_ROWS: usize = 400;

/// How many variables are observed at a place.
const MOST_COLUMNS: usize = 16;

/// A number that is observed: a variable, now or when the activation started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Column {
    variable: VarId,
    is_ghost: bool,
}

/// What was seen at a place of a procedure.
#[derive(Debug, Default)]
struct Seen {
    columns: Vec<Column>,
    rows: BTreeSet<Vec<i64>>,
}

impl Cegar<'_> {
    /// Executes the program some times, and adds what held at its cut points to the precision, where that speaks of
    /// recursion. Exploration begins again with it.
    pub(super) fn learn(&mut self) -> Result<(), Stop> {
        let candidates = Candidates::of(self.program());
        for ((procedure, location), Seen { columns, rows }) in self.observe(&candidates)? {
            let rows: Vec<Vec<i64>> = rows.into_iter().collect();
            for relation in relations(&rows) {
                if let Some(predicate) = self.equation(&relation, &columns) {
                    self.precision.add(procedure, location, predicate);
                }
            }
            for (number, column) in columns.iter().enumerate() {
                let values = || rows.iter().map(|row| row[number]);
                for predicate in self.bounds(*column, values().min(), values().max(), &candidates) {
                    self.precision.add(procedure, location, predicate);
                }
            }
        }
        self.splits = true;
        self.restart()
    }

    /// What some executions were like at the cut points around recursion.
    fn observe(&self, candidates: &Candidates) -> Result<BTreeMap<(ProcId, LocId), Seen>, Stop> {
        let mut executions = Executions::new(self.task, candidates);
        let pace = Pace { most_steps: MOST_STEPS, stretch: 1, numbers: Numbers::AndSmall };
        let mut observer = Observer::new(&self.blocks);
        let mut steps = 0;
        for seed in 0..EXECUTIONS {
            observer.entries.clear();
            let mut look = |machine: &Machine<'_>| observer.look(machine);
            steps += match executions.execute(&mut Random::new(seed), pace, &self.budget, &mut look)? {
                Ended::Violation(trace) => trace.steps.len(),
                Ended::Otherwise(steps) => steps,
            };
            if steps > MOST_STEPS_IN_ALL {
                break;
            }
        }
        Ok(observer.seen)
    }

    /// The term of a column.
    fn column(&mut self, column: Column) -> Option<TermId> {
        let mut symbol = self.blocks.symbol(column.variable)?;
        if column.is_ghost {
            symbol = self.blocks.ghost(&mut self.terms, symbol);
        }
        Some(self.terms.of_symbol(symbol))
    }

    /// The relation as a formula: an equation of machine integers holds up to wrapping. `None` where its columns differ
    /// in type.
    fn equation(&mut self, relation: &Relation, columns: &[Column]) -> Option<TermId> {
        let types = relation.terms.iter().map(|(column, _)| self.program().variables[columns[*column].variable].ty);
        let types: BTreeSet<Type> = types.collect();
        let &[ty] = types.into_iter().collect::<Vec<Type>>().as_slice() else { return None };
        let mut parts = Vec::new();
        for &(column, factor) in &relation.terms {
            parts.push((self.column(columns[column])?, factor));
        }
        // Two columns that are the same need no arithmetic.
        if let ([(a, x), (b, y)], 0, false) = (parts.as_slice(), relation.constant, relation.is_parity)
            && *x == -*y
        {
            return Some(self.terms.eq(*a, *b));
        }
        let terms = &mut self.terms;
        Some(match (ty, self.blocks.encoder().arithmetic()) {
            (Type::Machine(machine), Arithmetic::Bits) => {
                let mut sum = terms.bit_vec(Integer::from(relation.constant), machine.width);
                for (part, factor) in parts {
                    let factor = terms.bit_vec(Integer::from(factor), machine.width);
                    let product = terms.bv_mul(factor, part);
                    sum = terms.bv_add(sum, product);
                }
                let sum = if relation.is_parity { terms.extract(0, 0, sum) } else { sum };
                let zero = terms.bit_vec(0, if relation.is_parity { 1 } else { machine.width });
                terms.eq(sum, zero)
            }
            (ty, _) => {
                let mut sum = vec![terms.int(relation.constant)];
                for (part, factor) in parts {
                    let factor = terms.int(factor);
                    sum.push(terms.mul(factor, part));
                }
                let mut sum = terms.sum(sum);
                let modulus = match ty {
                    _ if relation.is_parity => Some(Integer::from(2)),
                    Type::Machine(machine) => Some(Integer::power_of_two(machine.width)),
                    _ => None,
                };
                if let Some(modulus) = modulus {
                    let modulus = terms.int(modulus);
                    sum = terms.modulo(sum, modulus);
                }
                let zero = terms.int(0);
                terms.eq(sum, zero)
            }
        })
    }

    /// That a column is never less, or never more, than what was seen, where that is a number that the program knows.
    fn bounds(
        &mut self,
        column: Column,
        least: Option<i64>,
        most: Option<i64>,
        candidates: &Candidates,
    ) -> Vec<TermId> {
        let ty = self.program().variables[column.variable].ty;
        let Some(term) = self.column(column) else { return Vec::new() };
        let known = |bound: Option<i64>| bound.map(Integer::from).filter(|bound| candidates.has(bound));
        let at_most = |cegar: &mut Self, a: TermId, b: TermId| match (ty, cegar.blocks.encoder().arithmetic()) {
            (Type::Machine(machine), Arithmetic::Bits) if machine.signed => cegar.terms.bv_sle(a, b),
            (Type::Machine(_), Arithmetic::Bits) => cegar.terms.bv_ule(a, b),
            _ => cegar.terms.le(a, b),
        };
        let mut found = Vec::new();
        if let Some(least) = known(least) {
            let least = self.blocks.encoder().number(&mut self.terms, &least, ty);
            found.push(at_most(self, least, term));
        }
        if let Some(most) = known(most) {
            let most = self.blocks.encoder().number(&mut self.terms, &most, ty);
            found.push(at_most(self, term, most));
        }
        found
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
        if seen.rows.len() >= MOST_ROWS {
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
    let cuts: &Cuts = blocks.cuts();
    let ghosts = globals.iter().chain(&data.parameters).filter(|_| cuts.is_recursive(procedure));
    let ghosts = ghosts.copied().map(|variable| Column { variable, is_ghost: true });
    let locals = program.variables.enumerate().map(|(id, _)| id);
    let locals =
        locals.filter(|id| program.variables[*id].scope == Scope::Local(procedure) && Some(*id) != data.result);
    let now = locals.chain(globals.iter().copied()).chain(data.result).filter(matters);
    let now = now.map(|variable| Column { variable, is_ghost: false });
    ghosts.chain(now).filter(|column| is_number(&column.variable)).take(MOST_COLUMNS).collect()
}
