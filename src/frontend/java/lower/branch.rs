//! Conditions, jumps and switches.

use super::body::Operand;
use super::{INT, Lower, Lowered};
use crate::frontend::java::code::{Condition, Unordered};
use crate::frontend::java::types::Kind;
use crate::program::{BinaryOp, Expr, Statement, Type};
use crate::term::Integer;
use std::cmp::Ordering;

impl Condition {
    fn operator(self) -> BinaryOp {
        match self {
            Condition::Equal => BinaryOp::Eq,
            Condition::NotEqual => BinaryOp::Ne,
            Condition::Less => BinaryOp::Lt,
            Condition::AtLeast => BinaryOp::Ge,
            Condition::Greater => BinaryOp::Gt,
            Condition::AtMost => BinaryOp::Le,
        }
    }

    /// Whether it holds of operands that are in this order.
    fn holds(self, order: Ordering) -> bool {
        match self {
            Condition::Equal => order.is_eq(),
            Condition::NotEqual => order.is_ne(),
            Condition::Less => order.is_lt(),
            Condition::AtLeast => order.is_ge(),
            Condition::Greater => order.is_gt(),
            Condition::AtMost => order.is_le(),
        }
    }
}

/// An `int`.
pub(super) fn int(value: i64) -> Expr {
    Expr::Int(Integer::from(value), INT)
}

impl Lower<'_> {
    /// The condition that an `int` compares so with zero.
    pub(super) fn against_zero(&mut self, operand: Operand, condition: Condition) -> Expr {
        if let Some(compared) = operand.compared {
            let (unordered, a, b) = *compared;
            return ordered(condition, unordered, a, b);
        }
        match (operand.expr, condition) {
            (Expr::Cast(_, inner), Condition::NotEqual) if inner.type_in(&self.program) == Type::Bool => *inner,
            (Expr::Cast(_, inner), Condition::Equal) if inner.type_in(&self.program) == Type::Bool => {
                self.negated(*inner)
            }
            (Expr::Int(number, _), condition) => Expr::Bool(condition.holds(number.cmp(&Integer::from(0)))),
            (expr, condition) => compare(condition.operator(), expr, int(0)),
        }
    }

    /// Goes to the target if the condition holds, else to the next instruction.
    pub(super) fn jump_if(&mut self, condition: Expr, target: usize) -> Lowered<()> {
        let condition = self.settle_around(condition);
        let then = self.block_location(target)?;
        let otherwise = self.block_location(self.body.index + 1)?;
        self.branch(condition, then, otherwise);
        Ok(())
    }

    /// Keeps all operands; a condition that depends on what is written for that is kept before.
    fn settle_around(&mut self, condition: Expr) -> Expr {
        let mut written = Vec::new();
        for depth in 0..self.body.stack.len() {
            let kind = self.body.stack[depth].kind;
            let variable = self.operand(depth, kind);
            if self.body.stack[depth].expr != Expr::Var(variable) {
                written.push(variable);
            }
        }
        let mut depends = false;
        condition.for_each_var(&mut |variable| depends |= written.contains(&variable));
        let ty = condition.type_in(&self.program);
        let condition = if depends { self.keep(condition, ty) } else { condition };
        self.settle();
        condition
    }

    /// Compares two `int`s.
    pub(super) fn if_ints(&mut self, condition: Condition, target: usize) -> Lowered<()> {
        let b = self.pop_kind(Kind::Int)?;
        let a = self.pop_kind(Kind::Int)?;
        self.jump_if(compare(condition.operator(), a, b), target)
    }

    /// Compares two references.
    pub(super) fn if_references(&mut self, condition: Condition, target: usize) -> Lowered<()> {
        let b = self.pop_kind(Kind::Reference)?;
        let a = self.pop_kind(Kind::Reference)?;
        self.jump_if(compare(condition.operator(), a, b), target)
    }

    /// Looks whether a reference is null.
    pub(super) fn if_null(&mut self, condition: Condition, target: usize) -> Lowered<()> {
        let a = self.pop_kind(Kind::Reference)?;
        self.jump_if(compare(condition.operator(), a, Expr::Null), target)
    }

    /// Goes where the number says.
    pub(super) fn switch(&mut self, default: usize, cases: &[(i32, usize)]) -> Lowered<()> {
        let number = self.pop_kind(Kind::Int)?;
        let number = self.settle_around(number);
        let default_location = self.block_location(default)?;
        if !self.is_reachable() {
            return Ok(());
        }
        let mut groups: Vec<(usize, Vec<i32>)> = Vec::new();
        for (value, target) in cases.iter().filter(|(_, target)| *target != default) {
            match groups.iter_mut().find(|(known, _)| known == target) {
                Some((_, values)) => values.push(*value),
                None => groups.push((*target, vec![*value])),
            }
        }
        let source = self.here();
        let span = self.body.span;
        let mut others = Vec::new();
        for (target, values) in groups {
            let mut equal = Vec::new();
            for value in values {
                equal.push(compare(BinaryOp::Eq, number.clone(), int(value.into())));
                others.push(compare(BinaryOp::Ne, number.clone(), int(value.into())));
            }
            let condition = if equal.len() == 1 { equal.remove(0) } else { Expr::Or(equal) };
            let location = self.block_location(target)?;
            self.edge(source, location, vec![Statement::Assume(condition)], span);
        }
        self.edge(source, default_location, vec![Statement::Assume(Expr::And(others))], span);
        self.leave();
        Ok(())
    }
}

/// A comparison, decided where both are constants.
pub(super) fn compare(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    if let (Expr::Int(x, _), Expr::Int(y, _)) = (&a, &b) {
        return Expr::Bool(match op {
            BinaryOp::Eq => x == y,
            BinaryOp::Ne => x != y,
            BinaryOp::Lt => x < y,
            BinaryOp::Le => x <= y,
            BinaryOp::Gt => x > y,
            BinaryOp::Ge => x >= y,
            _ => return Expr::binary(op, a, b),
        });
    }
    if a == Expr::Null && b == Expr::Null {
        return Expr::Bool(op == BinaryOp::Eq);
    }
    Expr::binary(op, a, b)
}

/// The condition that the comparison of two to -1, 0 or 1 compares so with zero.
fn ordered(condition: Condition, unordered: Unordered, a: Expr, b: Expr) -> Expr {
    let direct = Expr::binary(condition.operator(), a.clone(), b.clone());
    // NaN makes every comparison false but `!=`; the instruction says which it should be.
    let inverted = matches!(
        (condition, unordered),
        (Condition::Less | Condition::AtMost, Unordered::Less)
            | (Condition::Greater | Condition::AtLeast, Unordered::Greater)
    );
    if !inverted {
        return direct;
    }
    let opposite = match condition {
        Condition::Less => BinaryOp::Ge,
        Condition::AtMost => BinaryOp::Gt,
        Condition::Greater => BinaryOp::Le,
        _ => BinaryOp::Lt,
    };
    Expr::binary(opposite, a, b).negate()
}

/// -1, 0 or 1 as the first is less than, equal to or greater than the second.
pub(super) fn three_way(unordered: Unordered, a: &Expr, b: &Expr) -> Expr {
    let is = |condition| Box::new(ordered(condition, unordered, a.clone(), b.clone()));
    let otherwise = Expr::Ite(is(Condition::Greater), Box::new(int(1)), Box::new(int(0)));
    Expr::Ite(is(Condition::Less), Box::new(int(-1)), Box::new(otherwise))
}
