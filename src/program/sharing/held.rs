//! Which locks a thread surely holds where it is.

use super::points::Points;
use crate::program::{BinaryOp, EdgeId, Expr, IdVec, LocId, ProcId, Procedure, Program, Scope, Statement, VarId};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Something that at most one thread holds at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lock {
    /// An atomic section.
    Atomic,
    /// The object of a variable that never changes, so many bytes behind its start.
    Object(VarId, i64),
    /// An object of a site, in a program whose pointers are to the starts of objects. It is one lock only while there is one
    /// such object.
    Site(usize),
}

/// Locks, and how often each is held, at least.
type Counts = BTreeMap<Lock, u32>;

/// How often a lock is held before a call whose effect is looked at, and how much deeper it is counted from there.
const DEPTH: u32 = 8;

/// The locks that are surely held.
#[derive(Debug)]
pub(super) struct Held<'a> {
    program: &'a Program,
    points: &'a Points<'a>,
    changing: FxHashSet<VarId>,
    /// All locks that statements name, each [`DEPTH`] times.
    all: Counts,
    /// How often each lock is held after a call, if it was held [`DEPTH`] times before; none if the call does not come to its
    /// end.
    after_calls: IdVec<ProcId, Option<Counts>>,
    /// At each location; none where no execution comes.
    at: IdVec<ProcId, IdVec<LocId, Option<Counts>>>,
}

impl<'a> Held<'a> {
    pub(super) fn of(program: &'a Program, points: &'a Points<'a>) -> Held<'a> {
        let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        let changing = edges.flat_map(|edge| edge.block.iter().flat_map(Statement::targets)).collect();
        let after_calls = program.procedures.iter().map(|_| None).collect();
        let at = program.procedures.iter().map(nowhere).collect();
        let mut held = Held { program, points, changing, all: Counts::new(), after_calls, at };
        held.all = held.named();
        while held.summarise() {}
        held.spread();
        held
    }

    /// What is held before a statement of an edge; none where no execution comes.
    pub(super) fn before(&self, procedure: ProcId, edge: EdgeId, index: usize) -> Option<BTreeSet<Lock>> {
        let node = &self.program.procedures[procedure].edges[edge];
        let mut counts = self.at[procedure][node.source].clone();
        for statement in &node.block[..index] {
            counts = counts.and_then(|counts| self.after(counts, statement));
        }
        Some(counts?.into_keys().collect())
    }

    /// All locks that are taken somewhere.
    fn named(&self) -> Counts {
        let edges = self.program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        let mut all = Counts::from([(Lock::Atomic, DEPTH)]);
        for statement in edges.flat_map(|edge| &edge.block) {
            if let Statement::Lock { lock, .. } = statement {
                all.extend(self.names(lock).into_iter().flatten().map(|lock| (lock, DEPTH)));
            }
        }
        all
    }

    /// The lock that an expression names by a variable, and the one that it names by a site.
    fn names(&self, expr: &Expr) -> [Option<Lock>; 2] {
        [self.of_variable(expr), self.of_site(expr)]
    }

    fn of_variable(&self, expr: &Expr) -> Option<Lock> {
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

    fn of_site(&self, expr: &Expr) -> Option<Lock> {
        if self.program.header_bytes == 0 || !matches!(expr, Expr::Var(_)) {
            return None;
        }
        let targets = self.points.targets(expr);
        let mut sites = targets.iter();
        let site = sites.next()?;
        sites.next().is_none().then_some(Lock::Site(site))
    }

    fn after(&self, mut counts: Counts, statement: &Statement) -> Option<Counts> {
        match statement {
            Statement::AtomicBegin => take(&mut counts, Lock::Atomic),
            Statement::AtomicEnd => release(&mut counts, |lock| lock == Lock::Atomic),
            Statement::Lock { lock, .. } => {
                self.names(lock).into_iter().flatten().for_each(|lock| take(&mut counts, lock));
            }
            Statement::Unlock(expr) => {
                // It is one lock; whatever it may be is released.
                let (name, targets) = (self.of_variable(expr), self.points.targets(expr));
                release(&mut counts, |lock| match lock {
                    Lock::Atomic => false,
                    Lock::Object(..) => name.is_none() || name == Some(lock),
                    Lock::Site(site) => targets.contains(site) || targets.iter().next().is_none(),
                });
            }
            Statement::Call { callee, .. } => {
                let after = self.after_calls[*callee].as_ref()?;
                for lock in self.all.keys() {
                    let [before, now] = [&counts, after].map(|counts| counts.get(lock).copied().unwrap_or(0));
                    set(&mut counts, *lock, (before + now).saturating_sub(DEPTH));
                }
            }
            _ => {}
        }
        Some(counts)
    }

    /// Finds out what calls do, from what is known of other calls; whether anything has changed.
    fn summarise(&mut self) -> bool {
        let mut changes = false;
        for (id, procedure) in self.program.procedures.enumerate() {
            let mut at = nowhere(procedure);
            at[procedure.entry] = Some(self.all.clone());
            self.flow(id, &mut at, &mut |_, _| {});
            let after = at[procedure.exit].take();
            changes |= self.after_calls[id] != after;
            self.after_calls[id] = after;
        }
        changes
    }

    /// Goes through a procedure until nothing changes, and tells of its calls.
    fn flow(&self, procedure: ProcId, at: &mut IdVec<LocId, Option<Counts>>, calls: &mut impl FnMut(ProcId, &Counts)) {
        let node = &self.program.procedures[procedure];
        let outgoing = node.outgoing();
        let mut open: Vec<LocId> = at.enumerate().filter(|(_, counts)| counts.is_some()).map(|(id, _)| id).collect();
        while let Some(location) = open.pop() {
            for edge in &outgoing[location] {
                let mut counts = at[location].clone();
                for statement in &node.edges[*edge].block {
                    if let (Statement::Call { callee, .. }, Some(counts)) = (statement, &counts) {
                        calls(*callee, counts);
                    }
                    counts = counts.and_then(|counts| self.after(counts, statement));
                }
                let Some(counts) = counts else { continue };
                let target = node.edges[*edge].target;
                let joined = match &at[target] {
                    Some(known) => meet(known, &counts),
                    None => counts,
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
        let mut open = vec![(program.main, Counts::new())];
        for statement in program.procedures.iter().flat_map(|p| &p.edges).flat_map(|edge| &edge.block) {
            if let Statement::Spawn { callee, .. } = statement {
                open.push((*callee, Counts::new()));
            }
        }
        while let Some((procedure, counts)) = open.pop() {
            let entry = program.procedures[procedure].entry;
            let joined = match &self.at[procedure][entry] {
                Some(known) => meet(known, &counts),
                None => counts,
            };
            if self.at[procedure][entry].as_ref() == Some(&joined) {
                continue;
            }
            let mut at = std::mem::take(&mut self.at[procedure]);
            at[entry] = Some(joined);
            self.flow(procedure, &mut at, &mut |callee, counts| open.push((callee, counts.clone())));
            self.at[procedure] = at;
        }
    }
}

fn nowhere(procedure: &Procedure) -> IdVec<LocId, Option<Counts>> {
    procedure.locations.iter().map(|_| None).collect()
}

fn set(counts: &mut Counts, lock: Lock, count: u32) {
    match count {
        0 => counts.remove(&lock),
        _ => counts.insert(lock, count.min(2 * DEPTH)),
    };
}

fn take(counts: &mut Counts, lock: Lock) {
    let count = counts.get(&lock).copied().unwrap_or(0);
    set(counts, lock, count + 1);
}

/// Each of these locks may be held once less.
fn release(counts: &mut Counts, is_released: impl Fn(Lock) -> bool) {
    let released: Vec<Lock> = counts.keys().copied().filter(|lock| is_released(*lock)).collect();
    for lock in released {
        set(counts, lock, counts[&lock] - 1);
    }
}

/// What is held in both cases.
fn meet(one: &Counts, other: &Counts) -> Counts {
    let both = |(lock, count): (&Lock, &u32)| Some((*lock, *count.min(other.get(lock)?)));
    one.iter().filter_map(both).collect()
}
