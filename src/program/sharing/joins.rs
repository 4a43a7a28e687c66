//! Where the first thread has surely joined every thread that it has started.
//!
//! The number of a thread is followed from where it is started through variables and memory that no other thread can
//! reach to where it is joined. Only programs are looked at whose threads are all started by the main procedure itself,
//! which nothing calls.

use super::points::Points;
use super::{Objects, SpawnSites};
use crate::program::{BinaryOp, Expr, IdVec, LocId, Program, Scope, Statement, VarId};
use std::collections::BTreeMap;

/// Where a number is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Variable(VarId),
    /// So many bytes behind what a variable points to.
    Memory(VarId, i64),
}

/// No number of a thread takes more bytes.
const BYTES: i64 = 8;

/// What is known where the first thread is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Known {
    /// The threads that may not have ended.
    running: Objects,
    /// The cells that surely hold the number of a thread.
    held: BTreeMap<Cell, usize>,
}

/// For each location of the main procedure whether another thread may be running there; none where that is not
/// looked at.
pub(super) fn accompanied(
    program: &Program,
    points: &Points<'_>,
    spawns: &SpawnSites,
    several: &Objects,
) -> Option<IdVec<LocId, bool>> {
    let starts_itself = spawns.keys().all(|(procedure, ..)| *procedure == program.main);
    if !starts_itself || super::is_entered(program, program.main) {
        return None;
    }
    let joins = Joins { program, points, spawns, several, shared: points.shared() };
    let at = joins.flow();
    Some(at.iter().map(|known| known.as_ref().is_some_and(|known| known.running.iter().next().is_some())).collect())
}

struct Joins<'a, 'p> {
    program: &'a Program,
    points: &'a Points<'p>,
    spawns: &'a SpawnSites,
    several: &'a Objects,
    shared: Objects,
}

impl Joins<'_, '_> {
    fn flow(&self) -> IdVec<LocId, Option<Known>> {
        let main = &self.program.procedures[self.program.main];
        let outgoing = main.outgoing();
        let mut at: IdVec<LocId, Option<Known>> = main.locations.iter().map(|_| None).collect();
        at[main.entry] = Some(Known::default());
        let mut open = vec![main.entry];
        while let Some(location) = open.pop() {
            for edge in &outgoing[location] {
                let Some(mut known) = at[location].clone() else { continue };
                let node = &main.edges[*edge];
                for (index, statement) in node.block.iter().enumerate() {
                    let started = self.spawns.get(&(self.program.main, *edge, index)).copied();
                    self.step(&mut known, statement, started);
                }
                let joined = match &at[node.target] {
                    Some(old) => joined(old, &known),
                    None => known,
                };
                if at[node.target].as_ref() != Some(&joined) {
                    at[node.target] = Some(joined);
                    open.push(node.target);
                }
            }
        }
        at
    }

    /// What is known after a statement, which may start the thread of a number.
    fn step(&self, known: &mut Known, statement: &Statement, started: Option<usize>) {
        let values: Vec<(VarId, Option<usize>)> = match statement {
            Statement::Assign(pairs) => pairs.iter().map(|(var, value)| (*var, self.number(known, value))).collect(),
            Statement::Spawn { target: Some(target), .. } => {
                vec![(*target, started.filter(|number| !self.several.contains(*number)))]
            }
            other => other.targets().into_iter().map(|target| (target, None)).collect(),
        };
        match statement {
            Statement::Spawn { .. } => {
                known.running.extend(&started.into_iter().collect());
            }
            Statement::Join(thread) => {
                if let Some(number) = self.number(known, thread) {
                    known.running.remove(number);
                }
            }
            Statement::Store { address, value } => self.store(known, address, value),
            Statement::Copy { target, .. }
            | Statement::Fill { target, .. }
            | Statement::Write { target, .. }
            | Statement::Free(target) => {
                self.overwrite(known, target, None);
            }
            Statement::Call { .. } => known.held.retain(|cell, _| matches!(cell, Cell::Variable(_))),
            _ => {}
        }
        for (target, _) in &values {
            known.held.retain(|cell, _| match cell {
                Cell::Variable(variable) | Cell::Memory(variable, _) => variable != target,
            });
        }
        for (target, value) in values {
            if let (Some(number), true) = (value, self.is_own(target)) {
                known.held.insert(Cell::Variable(target), number);
            }
        }
    }

    fn store(&self, known: &mut Known, address: &Expr, value: &Expr) {
        let (number, cell) = (self.number(known, value), self.cell(address));
        self.overwrite(known, address, cell);
        if let (Some(number), Some(cell)) = (number, cell) {
            known.held.insert(cell, number);
        }
    }

    /// Forgets what a write may change: at a cell if it is known to go there, anywhere in its objects otherwise.
    fn overwrite(&self, known: &mut Known, address: &Expr, at: Option<Cell>) {
        let targets = self.points.targets(address);
        known.held.retain(|cell, _| match (cell, at) {
            (Cell::Variable(_), _) => true,
            (Cell::Memory(base, offset), Some(Cell::Memory(other, place))) if *base == other => {
                (*offset - place).abs() >= BYTES
            }
            (Cell::Memory(base, _), _) => !self.points.targets(&Expr::Var(*base)).meets(&targets),
        });
    }

    /// The thread whose number a value surely is.
    fn number(&self, known: &Known, value: &Expr) -> Option<usize> {
        let cell = match value {
            Expr::Var(variable) => Cell::Variable(*variable),
            Expr::Load(_, address) => self.cell(address)?,
            _ => return None,
        };
        known.held.get(&cell).copied()
    }

    /// The cell at an address that no other thread can reach.
    fn cell(&self, address: &Expr) -> Option<Cell> {
        let (base, offset) = match address {
            Expr::Var(base) => (*base, 0),
            Expr::Binary(BinaryOp::PointerAdd, base, offset) => match (&**base, &**offset) {
                (Expr::Var(base), Expr::Int(offset, _)) => (*base, offset.to_i64()?),
                _ => return None,
            },
            _ => return None,
        };
        let is_private = self.is_own(base) && !self.points.targets(&Expr::Var(base)).meets(&self.shared);
        is_private.then_some(Cell::Memory(base, offset))
    }

    fn is_own(&self, variable: VarId) -> bool {
        self.program.variables[variable].scope == Scope::Local(self.program.main)
    }
}

/// What is known where two ways come together.
fn joined(one: &Known, other: &Known) -> Known {
    let mut running = one.running.clone();
    running.extend(&other.running);
    let is_in_both = |(cell, number): &(&Cell, &usize)| other.held.get(cell) == Some(number);
    let held = one.held.iter().filter(is_in_both).map(|(cell, number)| (*cell, *number)).collect();
    Known { running, held }
}
