//! Which locks a thread surely holds where it is.

use crate::program::{BinaryOp, EdgeId, Expr, IdVec, LocId, ProcId, Program, Scope, Statement, VarId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Something that at most one thread holds at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lock {
    /// An atomic section.
    Atomic,
    /// The object of a variable that never changes, so many bytes behind its start.
    Object(VarId, i64),
}

type Locks = BTreeSet<Lock>;

/// What a call does to the locks that its thread holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Summary {
    /// Those that it may release; none if it may release any.
    releases: Option<Locks>,
    /// Those that it holds at its end if there were none at its start; none if it does not come to its end.
    takes: Option<Locks>,
}

/// The locks that are surely held.
#[derive(Debug)]
pub(super) struct Held<'p> {
    program: &'p Program,
    changing: FxHashSet<VarId>,
    summaries: IdVec<ProcId, Summary>,
    /// At each location; none where no execution comes.
    at: IdVec<ProcId, IdVec<LocId, Option<Locks>>>,
}

impl<'p> Held<'p> {
    pub(super) fn of(program: &'p Program) -> Held<'p> {
        let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        let changing = edges.flat_map(|edge| edge.block.iter().flat_map(Statement::targets)).collect();
        let first = |_| Summary { releases: Some(Locks::new()), takes: None };
        let summaries = program.procedures.iter().map(first).collect();
        let nowhere = |procedure: &crate::program::Procedure| procedure.locations.iter().map(|_| None).collect();
        let at = program.procedures.iter().map(nowhere).collect();
        let mut held = Held { program, changing, summaries, at };
        while held.summarise() {}
        held.spread();
        held
    }

    /// What is held before a statement of an edge; none where no execution comes.
    pub(super) fn before(&self, procedure: ProcId, edge: EdgeId, index: usize) -> Option<Locks> {
        let node = &self.program.procedures[procedure].edges[edge];
        let mut locks = self.at[procedure][node.source].clone();
        for statement in &node.block[..index] {
            locks = locks.and_then(|locks| self.after(locks, statement));
        }
        locks
    }

    /// The lock that an expression names.
    fn lock(&self, expr: &Expr) -> Option<Lock> {
        let (base, offset) = match expr {
            Expr::Binary(BinaryOp::PointerAdd, base, offset) => match &**offset {
                Expr::Int(offset, _) => (&**base, offset.to_i64()?),
                _ => return None,
            },
            base => (base, 0),
        };
        match base {
            Expr::Var(variable)
                if self.program.variables[*variable].scope == Scope::Global && !self.changing.contains(variable) =>
            {
                Some(Lock::Object(*variable, offset))
            }
            _ => None,
        }
    }

    fn after(&self, mut locks: Locks, statement: &Statement) -> Option<Locks> {
        use Statement::{AtomicBegin, AtomicEnd, Call, Unlock};
        match statement {
            AtomicBegin => {
                locks.insert(Lock::Atomic);
            }
            AtomicEnd => {
                locks.remove(&Lock::Atomic);
            }
            Statement::Lock { lock, .. } => locks.extend(self.lock(lock)),
            Unlock(lock) => match self.lock(lock) {
                Some(lock) => {
                    locks.remove(&lock);
                }
                None => locks.clear(),
            },
            Call { callee, .. } => {
                let Summary { releases, takes } = &self.summaries[*callee];
                match releases {
                    Some(releases) => locks.retain(|lock| !releases.contains(lock)),
                    None => locks.clear(),
                }
                locks.extend(takes.as_ref()?);
            }
            _ => {}
        }
        Some(locks)
    }

    /// Finds out what calls do, from what is known of other calls; whether anything has changed.
    fn summarise(&mut self) -> bool {
        let mut changes = false;
        for procedure in self.program.procedures.ids() {
            let mut at: IdVec<LocId, Option<Locks>> =
                self.program.procedures[procedure].locations.iter().map(|_| None).collect();
            at[self.program.procedures[procedure].entry] = Some(Locks::new());
            self.flow(procedure, &mut at, &mut |_, _| {});
            let takes = at[self.program.procedures[procedure].exit].clone();
            let summary = Summary { releases: self.releases(procedure), takes };
            changes |= self.summaries[procedure] != summary;
            self.summaries[procedure] = summary;
        }
        changes
    }

    fn releases(&self, procedure: ProcId) -> Option<Locks> {
        let mut found = self.summaries[procedure].releases.clone()?;
        for statement in self.program.procedures[procedure].edges.iter().flat_map(|edge| &edge.block) {
            match statement {
                Statement::AtomicEnd => {
                    found.insert(Lock::Atomic);
                }
                Statement::Unlock(lock) => {
                    found.insert(self.lock(lock)?);
                }
                Statement::Call { callee, .. } => found.extend(self.summaries[*callee].releases.as_ref()?),
                _ => {}
            }
        }
        Some(found)
    }

    /// Goes through a procedure until nothing changes, and tells of its calls.
    fn flow(&self, procedure: ProcId, at: &mut IdVec<LocId, Option<Locks>>, calls: &mut impl FnMut(ProcId, &Locks)) {
        let node = &self.program.procedures[procedure];
        let outgoing = node.outgoing();
        let mut open: Vec<LocId> = at.enumerate().filter(|(_, locks)| locks.is_some()).map(|(id, _)| id).collect();
        while let Some(location) = open.pop() {
            for edge in &outgoing[location] {
                let mut locks = at[location].clone();
                for statement in &node.edges[*edge].block {
                    if let (Statement::Call { callee, .. }, Some(locks)) = (statement, &locks) {
                        calls(*callee, locks);
                    }
                    locks = locks.and_then(|locks| self.after(locks, statement));
                }
                let Some(locks) = locks else { continue };
                let target = node.edges[*edge].target;
                let joined = match &at[target] {
                    Some(known) => known & &locks,
                    None => locks,
                };
                if at[target].as_ref() != Some(&joined) {
                    at[target] = Some(joined);
                    open.push(target);
                }
            }
        }
    }

    /// Goes through the program, from where its threads start.
    fn spread(&mut self) {
        let program = self.program;
        let mut open = vec![(program.main, Locks::new())];
        for statement in program.procedures.iter().flat_map(|p| &p.edges).flat_map(|edge| &edge.block) {
            if let Statement::Spawn { callee, .. } = statement {
                open.push((*callee, Locks::new()));
            }
        }
        while let Some((procedure, locks)) = open.pop() {
            let entry = program.procedures[procedure].entry;
            let joined = match &self.at[procedure][entry] {
                Some(known) => known & &locks,
                None => locks,
            };
            if self.at[procedure][entry].as_ref() == Some(&joined) {
                continue;
            }
            let mut at = std::mem::take(&mut self.at[procedure]);
            at[entry] = Some(joined);
            self.flow(procedure, &mut at, &mut |callee, locks| open.push((callee, locks.clone())));
            self.at[procedure] = at;
        }
    }
}
