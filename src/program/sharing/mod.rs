//! What threads may do to the same objects at the same time: which steps others can look into, if they were taken in
//! parts.
//!
//! The answer errs on one side: a step that no other thread can look into is found to be so from what pointers may point
//! to (`points.rs`), from the locks that are surely held (`held.rs`), from which code runs in which thread, and from where all
//! others have been joined (`joins.rs`).

mod futures;
mod held;
mod joins;
pub mod lifetimes;
mod points;
#[cfg(test)]
mod tests;

use super::{EdgeId, IdVec, LocId, ProcId, Program, Statement};
pub use futures::{Future, Futures, LockSet, Place};
use held::Held;
pub use held::Lock;
use points::{Objects, Points};
use std::collections::{BTreeMap, BTreeSet};

/// A statement: its procedure, its edge, and how many are before it there.
pub type Site = (ProcId, EdgeId, usize);

/// The number of the thread that each statement starts.
type SpawnSites = BTreeMap<Site, usize>;

/// What threads of a program may do at the same time.
#[derive(Debug)]
pub struct Sharing {
    accesses: Vec<Access>,
    /// The threads of which there may be several.
    several: Objects,
}

/// How a step is looked into by other threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Watched {
    /// Others may write what it reads.
    pub reads: bool,
    /// Others may read or write what it writes.
    pub writes: bool,
}

/// What a statement accesses.
#[derive(Debug)]
struct Access {
    site: Site,
    reads: Objects,
    writes: Objects,
    locks: BTreeSet<Lock>,
    /// The threads that may execute it while there are others.
    threads: Objects,
}

/// The threads that there may be: the first one, and one for each statement that starts one.
struct Threads {
    /// Which of them execute a procedure.
    of: IdVec<ProcId, Objects>,
    /// Those of which there may be several.
    several: Objects,
    /// Whether others may have been started where the first thread is.
    others: IdVec<ProcId, IdVec<LocId, bool>>,
}

const FIRST: usize = 0;

impl Sharing {
    /// Looks at a program.
    pub fn of(program: &Program) -> Sharing {
        let points = Points::of(program);
        let held = Held::of(program, &points);
        let threads = Threads::of(program, &points);
        let shared = points.shared();
        let mut accesses = Vec::new();
        for (procedure, node) in program.procedures.enumerate() {
            for (edge, step) in node.edges.enumerate() {
                let mut has_others = threads.others[procedure][step.source];
                for (index, statement) in step.block.iter().enumerate() {
                    let mut at = threads.of[procedure].clone();
                    if !has_others {
                        at.remove(FIRST);
                    }
                    has_others |= matches!(statement, Statement::Spawn { .. });
                    let Some(locks) = held.before(procedure, edge, index) else { continue };
                    let (mut reads, mut writes) = points.accesses(statement);
                    reads.retain(&shared);
                    writes.retain(&shared);
                    let site = (procedure, edge, index);
                    accesses.push(Access { site, reads, writes, locks, threads: at });
                }
            }
        }
        Sharing { accesses, several: threads.several }
    }

    /// How other threads may look into a statement, while it is being executed.
    pub fn watched(&self, site: Site) -> Watched {
        let mut watched = Watched::default();
        let Some(own) = self.accesses.iter().find(|access| access.site == site) else { return watched };
        if own.locks.contains(&Lock::Atomic) {
            return watched;
        }
        for other in self.accesses.iter().filter(|other| self.are_together(own, other)) {
            watched.reads |= other.writes.meets(&own.reads);
            watched.writes |= other.writes.meets(&own.writes) || other.reads.meets(&own.writes);
        }
        watched
    }

    /// Whether two threads may be at the one and the other at the same time.
    fn are_together(&self, one: &Access, other: &Access) -> bool {
        let differ = |thread: usize| other.threads.iter().any(|t| t != thread || self.several.contains(t));
        one.locks.is_disjoint(&other.locks) && one.threads.iter().any(differ)
    }
}

impl Threads {
    fn of(program: &Program, points: &Points<'_>) -> Threads {
        let mut of: IdVec<ProcId, Objects> = program.procedures.iter().map(|_| Objects::default()).collect();
        let mut several = Objects::default();
        reach(program, program.main, FIRST, &mut of);
        let mut spawns = SpawnSites::new();
        let is_entered_again = is_entered(program, program.main);
        for (procedure, node) in program.procedures.enumerate() {
            for (id, edge) in node.edges.enumerate() {
                for (index, statement) in edge.block.iter().enumerate() {
                    if let Statement::Spawn { callee, .. } = statement {
                        let number = FIRST + 1 + spawns.len();
                        spawns.insert((procedure, id, index), number);
                        reach(program, *callee, number, &mut of);
                        let is_once = procedure == program.main && !is_entered_again;
                        if !is_once || comes_back(node, edge.target, edge.source) {
                            several.insert(number);
                        }
                    }
                }
            }
        }
        let main = joins::accompanied(program, points, &spawns, &several);
        Threads { of, several, others: others(program, main) }
    }
}

/// Where a thread may be while there are others.
pub fn accompanied(program: &Program) -> IdVec<ProcId, IdVec<LocId, bool>> {
    let mut found = others(program, None);
    let mut of: IdVec<ProcId, Objects> = program.procedures.iter().map(|_| Objects::default()).collect();
    for statement in program.procedures.iter().flat_map(|procedure| &procedure.edges).flat_map(|edge| &edge.block) {
        if let Statement::Spawn { callee, .. } = statement {
            reach(program, *callee, FIRST + 1, &mut of);
        }
    }
    for procedure in program.procedures.ids().filter(|procedure| of[*procedure].contains(FIRST + 1)) {
        found[procedure].iter_mut().for_each(|location| *location = true);
    }
    found
}

/// Adds a thread to every procedure that is called from one.
fn reach(program: &Program, procedure: ProcId, thread: usize, of: &mut IdVec<ProcId, Objects>) {
    if !of[procedure].insert(thread) {
        return;
    }
    for statement in program.procedures[procedure].edges.iter().flat_map(|edge| &edge.block) {
        if let Statement::Call { callee, .. } = statement {
            reach(program, *callee, thread, of);
        }
    }
}

/// Whether a location is reached from another.
fn comes_back(procedure: &super::Procedure, from: LocId, to: LocId) -> bool {
    let outgoing = procedure.outgoing();
    let mut seen: IdVec<LocId, bool> = procedure.locations.iter().map(|_| false).collect();
    let mut open = vec![from];
    while let Some(location) = open.pop() {
        if location == to {
            return true;
        }
        if !std::mem::replace(&mut seen[location], true) {
            open.extend(outgoing[location].iter().map(|edge| procedure.edges[*edge].target));
        }
    }
    false
}

/// Whether a procedure is called or started by a statement.
fn is_entered(program: &Program, procedure: ProcId) -> bool {
    let mut statements = program.procedures.iter().flat_map(|it| &it.edges).flat_map(|edge| &edge.block);
    statements.any(|statement| match statement {
        Statement::Call { callee, .. } | Statement::Spawn { callee, .. } => *callee == procedure,
        _ => false,
    })
}

/// Where the first thread may be while there are others: after it has started one, unless it is known for the main
/// procedure where it has joined them all.
fn others(program: &Program, main: Option<IdVec<LocId, bool>>) -> IdVec<ProcId, IdVec<LocId, bool>> {
    let starts = starts(program);
    let nowhere = |procedure: &super::Procedure| procedure.locations.iter().map(|_| false).collect();
    let mut found: IdVec<ProcId, IdVec<LocId, bool>> = program.procedures.iter().map(nowhere).collect();
    let is_known = main.is_some();
    if let Some(main) = main {
        found[program.main] = main;
    }
    loop {
        let mut changes = false;
        for (procedure, node) in program.procedures.enumerate() {
            for edge in &node.edges {
                let mut is_after = found[procedure][edge.source];
                for statement in &edge.block {
                    if let Statement::Call { callee, .. } = statement {
                        let entry = program.procedures[*callee].entry;
                        changes |= is_after && !std::mem::replace(&mut found[*callee][entry], true);
                        is_after |= starts[*callee];
                    }
                    is_after |= matches!(statement, Statement::Spawn { .. });
                }
                if !(is_known && procedure == program.main) {
                    changes |= is_after && !std::mem::replace(&mut found[procedure][edge.target], true);
                }
            }
        }
        if !changes {
            return found;
        }
    }
}

/// The procedures that start threads, they themselves or by what they call.
fn starts(program: &Program) -> IdVec<ProcId, bool> {
    let mut starts: IdVec<ProcId, bool> = program.procedures.iter().map(|_| false).collect();
    loop {
        let mut changes = false;
        for (procedure, node) in program.procedures.enumerate() {
            let found = node.edges.iter().flat_map(|edge| &edge.block).any(|statement| match statement {
                Statement::Spawn { .. } => true,
                Statement::Call { callee, .. } => starts[*callee],
                _ => false,
            });
            changes |= found && !std::mem::replace(&mut starts[procedure], true);
        }
        if !changes {
            return starts;
        }
    }
}
