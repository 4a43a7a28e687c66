//! The value of an expression in a concrete state. Truth values are the numbers 0 and 1 here.
//!
//! Two ways, which agree: `small` for numbers that fit a machine word, without allocation, and `value` for all.
//! `small` gives up (`None`) wherever it is not sure, and `value` decides.

use super::compile::{Bound, Bounds, Node, Slot};
use super::locks::Locks;
use super::machine::ThreadData;
use super::memory::Memory;
use super::{Fault, Pointer, Value};
use crate::program::{BinaryOp, Id, MachineInt, Type, UnaryOp, VarId};
use crate::term::Integer;
use std::cell::Cell;

/// What an expression can see.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub globals: &'a [Value],
    pub locals: &'a [Value],
    /// The variables of the thread's own, and more.
    pub own: &'a [Value],
    pub locks: &'a Locks,
    pub threads: &'a [ThreadData],
    pub thread: usize,
    pub memory: &'a Memory,
    /// Whether a result could depend on the address of an object.
    pub seen: &'a Cell<bool>,
}

impl<'a> Scene<'a> {
    /// Whether a condition holds.
    pub(super) fn holds(&self, condition: &Node) -> Result<bool, Fault> {
        match self.small(condition) {
            Some(n) => Ok(n != 0),
            None => match self.slow_number(condition) {
                Err(Fault::Abstract) => self.sure_truth(condition),
                number => Ok(!number?.is_zero()),
            },
        }
    }

    /// The value of an expression.
    #[inline]
    pub(super) fn value(&self, node: &Node) -> Result<Value, Fault> {
        match self.small(node) {
            Some(n) => Ok(Value::int(n)),
            None => self.slow(node),
        }
    }

    /// The pointer that an expression of pointer type gives.
    #[inline]
    pub(super) fn pointer(&self, node: &Node) -> Result<Pointer, Fault> {
        if let Some(pointer) = self.small_pointer(node) {
            return Ok(pointer);
        }
        match self.slow(node)? {
            Value::Pointer(pointer) => Ok(pointer),
            Value::Token(_) => Err(Fault::Abstract),
            other => unreachable!("an expression of pointer type has the value {other}"),
        }
    }

    /// The bits that an expression of floating-point type gives.
    fn float(&self, node: &Node) -> Result<u64, Fault> {
        match self.slow(node)? {
            Value::Float(bits, _) => Ok(bits),
            Value::Token(_) => Err(Fault::Abstract),
            other => unreachable!("an expression of floating-point type has the value {other}"),
        }
    }

    /// The number that an expression of another type gives.
    pub(super) fn number(&self, node: &Node) -> Result<Integer, Fault> {
        match self.small(node) {
            Some(n) => Ok(n.into()),
            None => self.slow_number(node),
        }
    }

    /// The number of the class of an object.
    pub(super) fn class_number(&self, object: u32) -> Option<i64> {
        match self.memory.load(Pointer { object, offset: 0 }, Type::machine(32, true), self.seen) {
            Ok(Value::Int(n)) => n.to_i64(),
            _ => None,
        }
    }

    /// The numbers below and above which the rest of the block is sure to be blocked.
    pub(super) fn bounds(&self, bounds: &Bounds) -> (Option<Integer>, Option<Integer>) {
        if bounds.reads.iter().any(|slot| *self.slot(*slot) == Value::Undefined) {
            return (None, None);
        }
        let bound = |bound: &Option<Bound>| bound.as_ref().and_then(|bound| self.bound(bound));
        (bound(&bounds.low), bound(&bounds.high))
    }

    /// The number that a bound stands for, where all that it depends on has a value.
    fn bound(&self, bound: &Bound) -> Option<Integer> {
        let all = |bounds: &[Bound]| bounds.iter().map(|b| self.bound(b)).collect::<Option<Vec<_>>>();
        match bound {
            Bound::Value(node, plus) => Some(&self.number(node).ok()? + &Integer::from(*plus)),
            Bound::Least(bounds) => all(bounds)?.into_iter().min(),
            Bound::Greatest(bounds) => all(bounds)?.into_iter().max(),
        }
    }

    #[inline(always)]
    fn slot(&self, slot: Slot) -> &'a Value {
        match slot {
            Slot::Global(i) => &self.globals[i as usize],
            Slot::Local(i) => &self.locals[i as usize],
            Slot::Own(i) => &self.own[i as usize],
        }
    }

    fn variable(&self, slot: Slot, var: VarId) -> Result<&'a Value, Fault> {
        match self.slot(slot) {
            Value::Undefined => Err(Fault::Undefined(var)),
            value => Ok(value),
        }
    }

    /// As `small`, without a call for the commonest operands.
    #[inline(always)]
    fn operand(&self, node: &Node) -> Option<i64> {
        match node {
            Node::Small(n) => Some(*n),
            Node::Var(slot, _) => match self.slot(*slot) {
                Value::Int(n) => n.to_i64(),
                _ => None,
            },
            _ => self.small_deep(node),
        }
    }

    /// The value as a machine word, if all on the way fits one; `None` says nothing. Without a call for the commonest
    /// conditions and sums.
    #[inline(always)]
    pub(super) fn small(&self, node: &Node) -> Option<i64> {
        match node {
            Node::Small(_) | Node::Var(..) => self.operand(node),
            Node::Test(op, slot, _, n) => match self.slot(*slot) {
                Value::Int(value) => Some(i64::from(compare(*op, &value.to_i64()?, n))),
                _ => None,
            },
            Node::Compare(op, ab) => {
                let (a, b) = (self.operand(&ab[0])?, self.operand(&ab[1])?);
                Some(i64::from(compare(*op, &a, &b)))
            }
            Node::Arithmetic(op, machine, ab) => {
                let (a, b) = (self.operand(&ab[0])?, self.operand(&ab[1])?);
                let exact = match op {
                    BinaryOp::Add => a.checked_add(b)?,
                    BinaryOp::Sub => a.checked_sub(b)?,
                    _ => a.checked_mul(b)?,
                };
                wrap_small(exact, *machine)
            }
            _ => self.small_deep(node),
        }
    }

    /// As `small`, for all expressions.
    fn small_deep(&self, node: &Node) -> Option<i64> {
        Some(match node {
            Node::Small(_) | Node::Var(..) | Node::Test(..) | Node::Compare(..) | Node::Arithmetic(..) => {
                self.small(node)?
            }
            Node::And(all) => {
                for part in all {
                    if self.small_deep(part)? == 0 {
                        return Some(0);
                    }
                }
                1
            }
            Node::Or(all) => {
                for part in all {
                    if self.small_deep(part)? != 0 {
                        return Some(1);
                    }
                }
                0
            }
            Node::Not(a) => i64::from(self.small_deep(a)? == 0),
            Node::Implies(ab) => i64::from(self.operand(&ab[0])? == 0 || self.operand(&ab[1])? != 0),
            Node::Ite(parts) => match self.small_deep(&parts[0])? {
                0 => self.small_deep(&parts[2])?,
                _ => self.small_deep(&parts[1])?,
            },
            Node::Neg(machine, a) => wrap_small(self.small_deep(a)?.checked_neg()?, *machine)?,
            Node::BitNot(machine, a) => wrap_small(!self.small_deep(a)?, Some(*machine))?,
            Node::ToInt(machine, a) => wrap_small(self.small_deep(a)?, *machine)?,
            Node::ToBool(a) => i64::from(self.small_deep(a)? != 0),
            Node::Bits(op, machine, ab) => {
                let (a, b) = (self.operand(&ab[0])?, self.operand(&ab[1])?);
                small_bits(*op, *machine, a, b)?
            }
            Node::Load(Type::Machine(machine), address) => {
                self.memory.load_short(self.small_pointer(address)?, *machine)?
            }
            Node::OfPointer(op, a) => self.of_pointer(*op, self.small_pointer(a)?),
            Node::ComparePointers(op, ab) => {
                let (a, b) = (self.small_pointer(&ab[0])?, self.small_pointer(&ab[1])?);
                i64::from(self.memory.compare(*op, a, b, self.seen))
            }
            Node::CompareFloats(..) | Node::OfFloat(..) | Node::FloatToInt(..) => return None,
            Node::NegFloat(..) | Node::FloatArithmetic(..) | Node::IntToFloat(..) | Node::FloatToFloat { .. } => {
                return None;
            }
            Node::HasLost(_)
            | Node::Const(_)
            | Node::PointerAdd(_)
            | Node::Load(..)
            | Node::ToAddress(..)
            | Node::ToPointer(_)
            | Node::Abstract(..)
            | Node::AbstractField(_) => {
                return None;
            }
        })
    }

    /// The pointer, if it is found without a fault; `None` says nothing.
    #[inline]
    pub(super) fn small_pointer(&self, node: &Node) -> Option<Pointer> {
        match node {
            Node::Var(slot, _) => match self.slot(*slot) {
                Value::Pointer(pointer) => Some(*pointer),
                _ => None,
            },
            Node::Const(Value::Pointer(pointer)) => Some(*pointer),
            Node::PointerAdd(ab) => {
                let (pointer, distance) = (self.small_pointer(&ab[0])?, self.small(&ab[1])?);
                Some(self.memory.moved(pointer, distance))
            }
            Node::Load(Type::Pointer, address) => self.memory.load_pointer(self.small_pointer(address)?),
            _ => None,
        }
    }

    pub(super) fn of_pointer(&self, op: UnaryOp, pointer: Pointer) -> i64 {
        match op {
            UnaryOp::Offset => pointer.offset,
            UnaryOp::ObjectSize => self.memory.size(pointer),
            UnaryOp::IsConstant => i64::from(self.memory.is_constant(pointer)),
            UnaryOp::HoldsLock => {
                i64::from(self.locks.get(&pointer).is_some_and(|(owner, _)| owner.index() == self.thread))
            }
            UnaryOp::IsFreeable => i64::from(self.memory.freeable(pointer).is_ok()),
            UnaryOp::IsLocked => i64::from(self.locks.contains_key(&pointer)),
            _ => i64::from(self.memory.is_live(pointer)),
        }
    }

    fn slow_number(&self, node: &Node) -> Result<Integer, Fault> {
        match self.slow(node)? {
            Value::Int(n) => Ok(n),
            Value::Token(_) => Err(Fault::Abstract),
            other => unreachable!("an expression of integer type has the value {other}"),
        }
    }

    /// The value, whatever it is.
    pub(super) fn slow(&self, node: &Node) -> Result<Value, Fault> {
        let truth = |b: bool| Ok(Value::Int(b.into()));
        match node {
            Node::Small(n) => Ok(Value::int(*n)),
            Node::Const(value) => Ok(value.clone()),
            Node::Var(slot, var) => self.variable(*slot, *var).cloned(),
            Node::Test(op, slot, var, n) => match self.variable(*slot, *var)? {
                Value::Int(value) => truth(compare(*op, value, &Integer::from(*n))),
                Value::Token(_) => Err(Fault::Abstract),
                other => unreachable!("{other} is compared with a number"),
            },
            Node::Not(a) => truth(!self.holds(a)?),
            Node::And(all) => {
                for part in all {
                    if !self.holds(part)? {
                        return truth(false);
                    }
                }
                truth(true)
            }
            Node::Or(all) => {
                for part in all {
                    if self.holds(part)? {
                        return truth(true);
                    }
                }
                truth(false)
            }
            Node::Implies(ab) => truth(!self.holds(&ab[0])? || self.holds(&ab[1])?),
            Node::Ite(parts) => self.value(if self.holds(&parts[0])? { &parts[1] } else { &parts[2] }),
            Node::Compare(op, ab) => truth(compare(*op, &self.number(&ab[0])?, &self.number(&ab[1])?)),
            Node::ComparePointers(op, ab) => {
                let (a, b) = (self.pointer(&ab[0])?, self.pointer(&ab[1])?);
                truth(self.memory.compare(*op, a, b, self.seen))
            }
            Node::Neg(machine, a) => Ok(Value::Int(wrap(-self.number(a)?, *machine))),
            Node::BitNot(machine, a) => Ok(Value::Int(machine.wrap(&!&self.number(a)?))),
            Node::Arithmetic(op, machine, ab) => {
                let (a, b) = (self.number(&ab[0])?, self.number(&ab[1])?);
                let exact = match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    _ => a * b,
                };
                Ok(Value::Int(wrap(exact, *machine)))
            }
            Node::Bits(op, machine, ab) => {
                Ok(Value::Int(bits(*op, *machine, &self.number(&ab[0])?, &self.number(&ab[1])?)))
            }
            Node::PointerAdd(ab) => {
                let (pointer, distance) = (self.pointer(&ab[0])?, self.number(&ab[1])?);
                let distance = distance.to_i64().expect("an i64 offset fits");
                Ok(Value::Pointer(self.memory.moved(pointer, distance)))
            }
            Node::OfPointer(op, a) => Ok(Value::int(self.of_pointer(*op, self.pointer(a)?))),
            Node::HasLost(at_end) => truth(self.has_lost(self.holds(at_end)?)),
            Node::NegFloat(kind, a) => Ok(Value::Float(self.float(a)? ^ kind.sign(), *kind)),
            Node::FloatArithmetic(op, kind, ab) => {
                Ok(Value::Float(kind.arithmetic(*op, self.float(&ab[0])?, self.float(&ab[1])?), *kind))
            }
            Node::CompareFloats(op, kind, ab) => truth(kind.compare(*op, self.float(&ab[0])?, self.float(&ab[1])?)),
            Node::OfFloat(op, kind, a) => {
                let bits = self.float(a)?;
                truth(match op {
                    UnaryOp::IsNan => kind.is_nan(bits),
                    UnaryOp::IsInfinite => kind.is_infinite(bits),
                    _ => bits & kind.sign() != 0,
                })
            }
            Node::FloatToInt(kind, machine, a) => Ok(Value::Int(kind.to_integer(self.float(a)?, *machine))),
            Node::IntToFloat(kind, a) => Ok(Value::Float(kind.of_integer(&self.number(a)?), *kind)),
            Node::FloatToFloat { from, to, node } => Ok(Value::Float(to.convert(self.float(node)?, *from), *to)),
            Node::ToAddress(machine, a) => {
                let address = self.memory.address_seen(self.pointer(a)?, self.seen);
                Ok(Value::Int(machine.wrap(&Integer::from(address))))
            }
            Node::ToPointer(a) => {
                let address = self.number(a)?.wrap_unsigned(64).to_u64().expect("64 bits fit");
                Ok(Value::Pointer(self.memory.pointer_to(address, self.seen)))
            }
            Node::ToInt(machine, a) => Ok(Value::Int(wrap(self.number(a)?, *machine))),
            Node::ToBool(a) => truth(match self.value(a)? {
                Value::Pointer(pointer) => !pointer.is_null(),
                Value::Int(n) => !n.is_zero(),
                Value::Float(bits, kind) => kind.is_nonzero(bits),
                Value::Token(_) => return Err(Fault::Abstract),
                other => unreachable!("{other} is cast to bool"),
            }),
            Node::Load(ty, address) => self.memory.load(self.pointer(address)?, *ty, self.seen),
            Node::Abstract(..) | Node::AbstractField(_) => Err(Fault::Abstract),
        }
    }
}

#[inline(always)]
pub(super) fn compare<T: Ord>(op: BinaryOp, a: &T, b: &T) -> bool {
    match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        _ => unreachable!("{op:?} compares nothing"),
    }
}

fn wrap(exact: Integer, machine: Option<MachineInt>) -> Integer {
    match machine {
        Some(machine) => machine.wrap(&exact),
        None => exact,
    }
}

#[inline(always)]
fn wrap_small(exact: i64, machine: Option<MachineInt>) -> Option<i64> {
    match machine {
        None => Some(exact),
        Some(MachineInt { width, signed: true }) if width >= 64 => Some(exact),
        Some(MachineInt { width, signed: true }) => {
            let unused = 64 - width;
            Some((exact << unused) >> unused)
        }
        Some(MachineInt { width, signed: false }) if width < 63 => Some(exact & ((1 << width) - 1)),
        Some(_) => (exact >= 0).then_some(exact),
    }
}

/// The operations of machine integers, as [`BinaryOp`] documents them.
fn bits(op: BinaryOp, machine: MachineInt, a: &Integer, b: &Integer) -> Integer {
    let exact = match op {
        BinaryOp::Div => match a.div_rem_truncated(b) {
            Some((quotient, _)) => quotient,
            None if machine.signed && a.is_negative() => Integer::ONE,
            None => Integer::from(-1),
        },
        BinaryOp::Rem => a.div_rem_truncated(b).map_or_else(|| a.clone(), |(_, remainder)| remainder),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl | BinaryOp::Shr => {
            let amount = b.wrap_unsigned(machine.width).to_u32().unwrap_or(u32::MAX).min(machine.width);
            if op == BinaryOp::Shl { a.shift_left(amount) } else { a.shift_right(amount) }
        }
        _ => unreachable!("{op:?} is no operation of machine integers alone"),
    };
    machine.wrap(&exact)
}

fn small_bits(op: BinaryOp, machine: MachineInt, a: i64, b: i64) -> Option<i64> {
    let exact = match op {
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl if (0..i64::from(machine.width.min(63))).contains(&b) => {
            let shifted = a << b;
            // Bits lost at the top of the word may matter to types of 64 bits and more; those go the slow way.
            if machine.width > 32 && shifted >> b != a {
                return None;
            }
            shifted
        }
        BinaryOp::Shr if (0..64).contains(&b) => a >> b,
        _ => return None,
    };
    wrap_small(exact, Some(machine))
}

/// The result of an operator on two machine integers: what tests hold other ways to compute it to.
#[cfg(test)]
pub(super) fn reference(op: BinaryOp, machine: MachineInt, a: &Integer, b: &Integer) -> Integer {
    match op {
        BinaryOp::Add => machine.wrap(&(a + b)),
        BinaryOp::Sub => machine.wrap(&(a - b)),
        BinaryOp::Mul => machine.wrap(&(a * b)),
        _ => bits(op, machine, a, b),
    }
}
