//! Conditions: truth values, and jumps that depend on them.

use super::arithmetic::{and, or};
use super::{Lower, Lowered};
use crate::frontend::c::tree::{Conversion, ExprId, ExprKind, UnaryOp};
use crate::program::{Expr, LocId, Statement, Type};

impl Lower<'_> {
    /// Whether an expression is not zero or null, as a truth value.
    pub(super) fn condition(&mut self, expr: ExprId) -> Lowered<Expr> {
        let unit = self.unit;
        let node = &unit.exprs[expr];
        match &node.kind {
            ExprKind::Convert(Conversion::Truth, inner) => self.condition(*inner),
            ExprKind::Int(value) => Ok(Expr::Bool(*value != 0)),
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let inner = self.condition(*inner)?;
                Ok(self.negate(inner))
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let a = self.value(*left)?;
                let a = self.keep_across(a, *right);
                let b = self.value(*right)?;
                self.arithmetic(*op, a, b)
            }
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) if self.effects.get(expr).is_total() => {
                let is_and = matches!(node.kind, ExprKind::LogicalAnd(..));
                let mut operands = Vec::new();
                for operand in self.operands(expr, is_and) {
                    let operand = self.condition(operand)?;
                    operands.push(self.shallow(operand));
                }
                Ok(if is_and { and(operands) } else { or(operands) })
            }
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => {
                let result = self.temporary(Type::Bool);
                let (yes, no, end) = (self.location(), self.location(), self.location());
                self.jump(expr, yes, no)?;
                for (from, value) in [(yes, true), (no, false)] {
                    self.start_at(from);
                    self.emit(Statement::Assign(vec![(result, Expr::Bool(value))]));
                    self.go_to(end);
                }
                self.start_at(end);
                Ok(Expr::Var(result))
            }
            _ => {
                let value = self.value(expr)?;
                Ok(self.truth(value))
            }
        }
    }

    /// Goes to one of two locations, by a condition.
    pub(super) fn jump(&mut self, expr: ExprId, then: LocId, otherwise: LocId) -> Lowered<()> {
        let unit = self.unit;
        match &unit.exprs[expr].kind {
            ExprKind::Convert(Conversion::Truth, inner) => self.jump(*inner, then, otherwise),
            ExprKind::Unary(UnaryOp::Not, inner) => self.jump(*inner, otherwise, then),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) if !self.effects.get(expr).is_total() => {
                let is_and = matches!(unit.exprs[expr].kind, ExprKind::LogicalAnd(..));
                let operands = self.operands(expr, is_and);
                let (last, before) = operands.split_last().expect("the operator has operands");
                for operand in before {
                    let next = self.location();
                    if is_and {
                        self.jump(*operand, next, otherwise)?;
                    } else {
                        self.jump(*operand, then, next)?;
                    }
                    self.start_at(next);
                }
                self.jump(*last, then, otherwise)
            }
            ExprKind::Comma(left, right) => {
                self.effect(*left)?;
                self.jump(*right, then, otherwise)
            }
            _ => {
                let condition = self.condition(expr)?;
                self.branch(condition, then, otherwise);
                Ok(())
            }
        }
    }

    /// The operands of a chain of `&&` or of `||`, in order.
    fn operands(&self, expr: ExprId, is_and: bool) -> Vec<ExprId> {
        let mut operands = Vec::new();
        let mut rest = expr;
        loop {
            match self.unit.exprs[rest].kind {
                ExprKind::LogicalAnd(left, right) if is_and => {
                    operands.push(right);
                    rest = left;
                }
                ExprKind::LogicalOr(left, right) if !is_and => {
                    operands.push(right);
                    rest = left;
                }
                // The left operand of an operator of the same kind is that operator's `int` as a truth value.
                ExprKind::Convert(Conversion::Truth, inner) => rest = inner,
                _ => break,
            }
        }
        operands.push(rest);
        operands.reverse();
        operands
    }
}
