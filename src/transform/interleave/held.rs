//! Locks that are not known beforehand: each instance has room for the pointers to a few locks that it holds.

use super::NotFollowed;
use super::statements::{Translator, Way, equal, lost, number};
use crate::program::{BinaryOp, Expr, Role, Scope, Statement, Type, UnaryOp, VarId, Variable};

/// How many locks an instance holds at most.
const MAX_HELD: usize = 3;

/// Room for a lock: the pointer to it, null if there is none, and how often it was taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    lock: VarId,
    depth: VarId,
}

impl Translator<'_> {
    /// Makes room for the locks that instances hold, unless all of them are known beforehand.
    pub(super) fn make_room_for_locks(&mut self) {
        if !self.has_unknown_locks() {
            return;
        }
        let mut held = Vec::new();
        for instance in 0..self.instances.len() {
            let mut slots = Vec::new();
            for slot in 0..MAX_HELD {
                let name = self.unused(format!("lock {slot} of #{instance}"));
                let (scope, role) = (Scope::Global, Role::Data);
                let lock = self.variables.push(Variable { name, ty: Type::Pointer, scope, role, span: None });
                self.first.push((lock, Expr::Null));
                let depth = self.control(format!("depth {slot} of #{instance}"), 0);
                slots.push(Slot { lock, depth });
            }
            held.push(slots);
        }
        self.held = Some(held);
    }

    fn has_unknown_locks(&self) -> bool {
        self.instances.iter().enumerate().any(|(number, instance)| {
            instance.moves.iter().any(|step| {
                let stack = &instance.nodes[step.source].stack;
                let block = instance.edge(self.program, step).map(|edge| &edge.block[..]).unwrap_or_default();
                let mut found = false;
                for statement in block {
                    if let Statement::Lock { lock, .. } | Statement::Unlock(lock) = statement {
                        found |= self.pointers.lock(number, stack, lock).is_none();
                    }
                    for expr in statement.expressions() {
                        for_each_test(expr, &mut |lock| found |= self.pointers.lock(number, stack, lock).is_none());
                    }
                }
                found
            })
        })
    }

    fn slots(&self, instance: usize) -> &[Slot] {
        self.held.as_ref().map_or(&[], |held| &held[instance])
    }

    /// Whether an instance holds a lock.
    pub(super) fn holds(&self, instance: usize, lock: &Expr) -> Expr {
        Expr::Or(self.slots(instance).iter().map(|slot| is_lock(slot, lock)).collect())
    }

    /// The ways to take a lock.
    pub(super) fn take_held(&self, instance: usize, lock: &Expr, reentrant: bool) -> Vec<Way> {
        let others = (0..self.instances.len()).filter(|other| *other != instance);
        let mut free: Vec<Expr> = others.map(|other| self.holds(other, lock).negate()).collect();
        free.push(Expr::binary(BinaryOp::Ne, lock.clone(), Expr::Null));
        let slots = self.slots(instance);
        let mut ways = Vec::new();
        if reentrant {
            for slot in slots {
                let deeper = Expr::binary(BinaryOp::Add, Expr::Var(slot.depth), number(1));
                let guard = [is_lock(slot, lock), Expr::binary(BinaryOp::Ne, lock.clone(), Expr::Null)].to_vec();
                ways.push(way(guard, vec![(slot.depth, deeper)]));
            }
        }
        free.push(self.holds(instance, lock).negate());
        for (index, slot) in slots.iter().enumerate() {
            let mut guard = free.clone();
            guard.extend(slots[..index].iter().map(|before| equal(before.depth, 0).negate()));
            guard.push(equal(slot.depth, 0));
            ways.push(way(guard, vec![(slot.lock, lock.clone()), (slot.depth, number(1))]));
        }
        free.extend(slots.iter().map(|slot| equal(slot.depth, 0).negate()));
        ways.push(lost(Expr::And(free), NotFollowed::TooManyLocks));
        ways.push(lost(Expr::binary(BinaryOp::Eq, lock.clone(), Expr::Null), NotFollowed::NoLock));
        ways
    }

    /// The ways to release a lock.
    pub(super) fn release_held(&self, instance: usize, lock: &Expr) -> Vec<Way> {
        let slots = self.slots(instance);
        let is_some = Expr::binary(BinaryOp::Ne, lock.clone(), Expr::Null);
        let mut ways = Vec::new();
        for slot in slots {
            let guard = |last: Expr| vec![is_some.clone(), is_lock(slot, lock), last];
            let less = Expr::binary(BinaryOp::Sub, Expr::Var(slot.depth), number(1));
            ways.push(way(guard(equal(slot.depth, 1).negate()), vec![(slot.depth, less)]));
            ways.push(way(guard(equal(slot.depth, 1)), vec![(slot.lock, Expr::Null), (slot.depth, number(0))]));
        }
        let not_held = Expr::Or(vec![is_some.negate(), self.holds(instance, lock).negate()]);
        ways.push(lost(not_held, NotFollowed::NotOwner));
        ways
    }
}

/// Whether a slot is taken by the lock.
fn is_lock(slot: &Slot, lock: &Expr) -> Expr {
    Expr::binary(BinaryOp::Eq, Expr::Var(slot.lock), lock.clone())
}

fn way(guard: Vec<Expr>, pairs: Vec<(VarId, Expr)>) -> Way {
    Way { block: vec![Statement::Assume(Expr::And(guard)), Statement::Assign(pairs)], ..Way::default() }
}

/// Calls the function on every lock that an expression looks at.
fn for_each_test(expr: &Expr, visit: &mut impl FnMut(&Expr)) {
    if let Expr::Unary(UnaryOp::IsLocked | UnaryOp::HoldsLock, lock) = expr {
        visit(lock);
    }
    for operand in expr.operands() {
        for_each_test(operand, visit);
    }
}
