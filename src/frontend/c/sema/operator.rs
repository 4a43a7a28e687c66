//! Operators: arithmetic, comparison, logic, assignment, `?:`.

use super::convert::Purpose;
use super::{Checked, Sema};
use crate::frontend::c::ast;
use crate::frontend::c::tree::{BinaryOp, ExprId, ExprKind, Step, UnaryOp};
use crate::frontend::c::types::{Ty, TypeKind};
use crate::program::{Diagnostic, Span};

/// The operator of the typed tree, where it is not a logical one.
fn plain(op: ast::BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        ast::BinaryOp::Add => BinaryOp::Add,
        ast::BinaryOp::Sub => BinaryOp::Sub,
        ast::BinaryOp::Mul => BinaryOp::Mul,
        ast::BinaryOp::Div => BinaryOp::Div,
        ast::BinaryOp::Rem => BinaryOp::Rem,
        ast::BinaryOp::Shl => BinaryOp::Shl,
        ast::BinaryOp::Shr => BinaryOp::Shr,
        ast::BinaryOp::And => BinaryOp::And,
        ast::BinaryOp::Or => BinaryOp::Or,
        ast::BinaryOp::Xor => BinaryOp::Xor,
        ast::BinaryOp::Lt => BinaryOp::Lt,
        ast::BinaryOp::Gt => BinaryOp::Gt,
        ast::BinaryOp::Le => BinaryOp::Le,
        ast::BinaryOp::Ge => BinaryOp::Ge,
        ast::BinaryOp::Eq => BinaryOp::Eq,
        ast::BinaryOp::Ne => BinaryOp::Ne,
        ast::BinaryOp::LogicalAnd | ast::BinaryOp::LogicalOr | ast::BinaryOp::Comma => return None,
    })
}

impl Sema<'_> {
    /// A binary operator, with the chain of them down its left operands in a loop.
    pub(super) fn binary_chain(&mut self, expr: ast::ExprId) -> Checked<ExprId> {
        let ast = self.ast;
        let mut chain = Vec::new();
        let mut first = expr;
        while let ast::ExprKind::Binary(op, left, right) = ast.exprs[first].kind {
            chain.push((op, right, ast.exprs[first].span));
            first = left;
        }
        let mut left = self.value(first)?;
        for (op, right, span) in chain.into_iter().rev() {
            left = self.binary(op, left, right, span)?;
        }
        Ok(left)
    }

    fn binary(&mut self, op: ast::BinaryOp, left: ExprId, right: ast::ExprId, span: Span) -> Checked<ExprId> {
        match op {
            ast::BinaryOp::Comma => {
                let right = self.value(right)?;
                let ty = self.ty(right);
                Ok(self.node(ExprKind::Comma(left, right), ty, span))
            }
            ast::BinaryOp::LogicalAnd | ast::BinaryOp::LogicalOr => {
                let is_and = op == ast::BinaryOp::LogicalAnd;
                let left = self.truth(left)?;
                let right = self.value(right)?;
                let right = self.truth(right)?;
                match (self.kind(left), self.kind(right)) {
                    (ExprKind::Int(a), _) if (*a == 0) == is_and => {
                        return Ok(self.int(i128::from(!is_and), Ty::INT, span));
                    }
                    (ExprKind::Int(_), ExprKind::Int(b)) => {
                        let value = *b;
                        return Ok(self.int(value, Ty::INT, span));
                    }
                    _ => {}
                }
                let kind = if is_and { ExprKind::LogicalAnd(left, right) } else { ExprKind::LogicalOr(left, right) };
                Ok(self.node(kind, Ty::INT, span))
            }
            _ => {
                let right = self.value(right)?;
                let op = plain(op).expect("logical operators and commas are done");
                self.arithmetic(op, left, right, span)
            }
        }
    }

    /// An operator on two values.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> Checked<ExprId> {
        let (a, b) = (self.ty(left), self.ty(right));
        let is_pointer = (self.types().pointee(a).is_some(), self.types().pointee(b).is_some());
        match (op, is_pointer) {
            (BinaryOp::Add, (true, false)) if self.types().is_integer(b) => self.move_pointer(left, right, false, span),
            (BinaryOp::Add, (false, true)) if self.types().is_integer(a) => self.move_pointer(right, left, false, span),
            (BinaryOp::Sub, (true, false)) if self.types().is_integer(b) => self.move_pointer(left, right, true, span),
            (BinaryOp::Sub, (true, true)) => {
                let stride = self.stride(a, span)?;
                let right = self.convert(right, a);
                let kind = ExprKind::PointerDifference { left, right, stride };
                Ok(self.node(kind, self.types().difference_type(), span))
            }
            (op, (true, _) | (_, true)) if op.is_comparison() => self.compare_pointers(op, left, right, span),
            _ => self.compute(op, left, right, span),
        }
    }

    fn compute(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> Checked<ExprId> {
        let (a, b) = (self.ty(left), self.ty(right));
        let needs_integers =
            matches!(op, BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) || op.is_shift();
        let fits = |sema: &Self, ty: Ty| {
            if needs_integers { sema.types().is_integer(ty) } else { sema.types().is_arithmetic(ty) }
        };
        if !fits(self, a) || !fits(self, b) {
            return self.wrong_operands(op, a, b, span);
        }
        let (left, right, ty) = if op.is_shift() {
            let (left, right) = (self.promote(left)?, self.promote(right)?);
            (left, right, self.ty(left))
        } else {
            self.usual(left, right)?
        };
        let ty = if op.is_comparison() { Ty::INT } else { ty };
        if let Some(value) = self.fold_binary(op, left, right) {
            return Ok(self.int(value, ty, span));
        }
        Ok(self.node(ExprKind::Binary(op, left, right), ty, span))
    }

    fn wrong_operands<T>(&mut self, op: BinaryOp, a: Ty, b: Ty, span: Span) -> Checked<T> {
        let (a, b) = (self.show(a), self.show(b));
        let message = format!("`{}` cannot be applied to `{a}` and `{b}`", op.text());
        self.error(Diagnostic::at(span, message, format!("`{a}` and `{b}`")))
    }

    pub(super) fn move_pointer(&mut self, pointer: ExprId, index: ExprId, back: bool, span: Span) -> Checked<ExprId> {
        let ty = self.ty(pointer);
        let stride = self.stride(ty, span)?;
        let index = self.promote(index)?;
        let kind = ExprKind::PointerAdd { pointer, index, stride, is_subtraction: back };
        Ok(self.node(kind, ty, span))
    }

    fn compare_pointers(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> Checked<ExprId> {
        let (a, b) = (self.ty(left), self.ty(right));
        let common = match (self.types().pointee(a), self.types().pointee(b)) {
            (Some(p), Some(_)) if self.types().is_void(p) && !self.is_null_constant(left) => a,
            (Some(_), Some(q)) if self.types().is_void(q) && !self.is_null_constant(right) => b,
            (Some(_), Some(_)) if self.is_null_constant(left) => b,
            (Some(_), _) => a,
            _ => b,
        };
        for (side, other) in [(a, b), (b, a)] {
            if !self.types().is_integer(side) && self.types().pointee(side).is_none() {
                return self.wrong_operands(op, a.min(other), a.max(other), span);
            }
        }
        let (left, right) = (self.convert(left, common), self.convert(right, common));
        Ok(self.node(ExprKind::Binary(op, left, right), Ty::INT, span))
    }

    pub(super) fn unary(&mut self, op: ast::UnaryOp, operand: ast::ExprId, span: Span) -> Checked<ExprId> {
        match op {
            ast::UnaryOp::Deref => self.deref(operand, span),
            ast::UnaryOp::Address => self.address(operand, span),
            ast::UnaryOp::Not => {
                let value = self.value(operand)?;
                let value = self.truth(value)?;
                if let ExprKind::Int(truth) = *self.kind(value) {
                    return Ok(self.int(1 - truth, Ty::INT, span));
                }
                Ok(self.node(ExprKind::Unary(UnaryOp::Not, value), Ty::INT, span))
            }
            ast::UnaryOp::Plus | ast::UnaryOp::Minus | ast::UnaryOp::Complement => {
                let value = self.value(operand)?;
                self.negate(op, value, span)
            }
        }
    }

    fn negate(&mut self, op: ast::UnaryOp, value: ExprId, span: Span) -> Checked<ExprId> {
        let ty = self.ty(value);
        let fits = match op {
            ast::UnaryOp::Complement => self.types().is_integer(ty),
            _ => self.types().is_arithmetic(ty),
        };
        if !fits {
            let message = format!("this operator cannot be applied to `{}`", self.show(ty));
            return self.error(Diagnostic::at(span, message, format!("has type `{}`", self.show(ty))));
        }
        let value = self.promote(value)?;
        let ty = self.ty(value);
        let op = match op {
            ast::UnaryOp::Plus => return Ok(value),
            ast::UnaryOp::Minus => UnaryOp::Minus,
            _ => UnaryOp::Complement,
        };
        if let ExprKind::Int(number) = *self.kind(value) {
            let result = if op == UnaryOp::Minus { number.wrapping_neg() } else { !number };
            let is_signed = self.types().int_format(ty).is_some_and(|(_, signed)| signed);
            if let Some(wrapped) = self.wrap(result, ty).filter(|wrapped| !is_signed || *wrapped == result) {
                return Ok(self.int(wrapped, ty, span));
            }
        }
        Ok(self.node(ExprKind::Unary(op, value), ty, span))
    }

    /// Checks that an expression can be assigned to.
    pub(super) fn modifiable(&mut self, expr: ExprId) -> Checked<()> {
        let (ty, span) = (self.ty(expr), self.span(expr));
        let problem = if !self.kind(expr).is_lvalue() || matches!(self.kind(expr), ExprKind::Temporary(_)) {
            "this is a value, not a place that can be assigned to"
        } else if matches!(self.types().kind(ty), TypeKind::Array(..) | TypeKind::Function(_)) {
            "an array or function cannot be assigned to"
        } else if ty.is_const() {
            "this is `const` and cannot be assigned to"
        } else if !self.types().is_complete_object(ty) {
            return self.incomplete(ty, span);
        } else {
            return Ok(());
        };
        self.error(Diagnostic::at(span, problem, "assigned to"))
    }

    pub(super) fn assign(
        &mut self,
        op: Option<ast::BinaryOp>,
        target: ast::ExprId,
        value: ast::ExprId,
        span: Span,
    ) -> Checked<ExprId> {
        let target = self.expr(target)?;
        self.modifiable(target)?;
        let value = self.value(value)?;
        let ty = self.ty(target).unqualified();
        match op.and_then(plain) {
            None => {
                let value = self.convert_assigned(value, ty, Purpose::Assignment)?;
                Ok(self.node(ExprKind::Assign { target, value }, ty, span))
            }
            Some(op) => self.assign_op(op, target, value, span),
        }
    }

    fn assign_op(&mut self, op: BinaryOp, target: ExprId, value: ExprId, span: Span) -> Checked<ExprId> {
        let ty = self.ty(target).unqualified();
        if self.types().pointee(ty).is_some() {
            if !matches!(op, BinaryOp::Add | BinaryOp::Sub) || !self.types().is_integer(self.ty(value)) {
                return self.wrong_operands(op, ty, self.ty(value), span);
            }
            let stride = self.stride(ty, span)?;
            let index = self.promote(value)?;
            let is_subtraction = op == BinaryOp::Sub;
            return Ok(self.node(ExprKind::AssignPointerAdd { target, index, stride, is_subtraction }, ty, span));
        }
        // The operands are converted as in the operator alone; what becomes of the left one is the type to compute in.
        let read = self.rvalue(target);
        let combined = self.arithmetic(op, read, value, span)?;
        let (computation, value) = match *self.kind(combined) {
            ExprKind::Binary(_, left, right) => (self.ty(left), right),
            _ => return self.wrong_operands(op, ty, self.ty(value), span),
        };
        Ok(self.node(ExprKind::AssignOp { target, op, value, computation }, ty, span))
    }

    pub(super) fn increment(
        &mut self,
        operand: ast::ExprId,
        is_decrement: bool,
        is_postfix: bool,
        span: Span,
    ) -> Checked<ExprId> {
        let target = self.expr(operand)?;
        self.modifiable(target)?;
        let ty = self.ty(target).unqualified();
        let step = if self.types().pointee(ty).is_some() {
            Step::Pointer(self.stride(ty, span)?)
        } else if self.types().is_arithmetic(ty) {
            let read = self.rvalue(target);
            let one = self.int(1, Ty::INT, span);
            let (_, _, computation) = self.usual(read, one)?;
            Step::Number(computation)
        } else {
            let message = format!("`{}` cannot be counted up or down", self.show(ty));
            return self.error(Diagnostic::at(span, message, "neither a number nor a pointer"));
        };
        Ok(self.node(ExprKind::Increment { target, is_decrement, is_postfix, step }, ty, span))
    }

    pub(super) fn conditional(
        &mut self,
        condition: ast::ExprId,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) -> Checked<ExprId> {
        let first = self.value(condition)?;
        let Some(then) = then else { return self.elvis(first, otherwise, span) };
        let condition = self.truth(first)?;
        let then = self.value(then)?;
        let otherwise = self.value(otherwise)?;
        let (then, otherwise, ty) = self.unify(then, otherwise, span)?;
        if let ExprKind::Int(truth) = *self.kind(condition) {
            let chosen = if truth != 0 { then } else { otherwise };
            if let ExprKind::Int(value) = *self.kind(chosen) {
                return Ok(self.int(value, ty, span));
            }
        }
        Ok(self.node(ExprKind::Conditional { condition, then, otherwise }, ty, span))
    }

    fn elvis(&mut self, value: ExprId, otherwise: ast::ExprId, span: Span) -> Checked<ExprId> {
        let saved = self.node(ExprKind::Saved(value), self.ty(value), self.span(value));
        let condition = self.truth(saved)?;
        let otherwise = self.value(otherwise)?;
        let (then, otherwise, ty) = self.unify(saved, otherwise, span)?;
        Ok(self.node(ExprKind::Elvis { value, condition, then, otherwise }, ty, span))
    }

    /// Brings the two results of `?:` to one type.
    fn unify(&mut self, a: ExprId, b: ExprId, span: Span) -> Checked<(ExprId, ExprId, Ty)> {
        let (s, t) = (self.ty(a), self.ty(b));
        if self.types().is_arithmetic(s) && self.types().is_arithmetic(t) {
            return self.usual(a, b);
        }
        let ty = match (self.types().pointee(s), self.types().pointee(t)) {
            _ if self.types().is_void(s) || self.types().is_void(t) => Ty::VOID,
            (Some(_), _) if self.is_null_constant(b) && !self.is_null_constant(a) => s,
            (_, Some(_)) if self.is_null_constant(a) && !self.is_null_constant(b) => t,
            (Some(p), Some(q)) => self.common_pointer(p, q),
            (Some(_), None) if self.types().is_integer(t) => s,
            (None, Some(_)) if self.types().is_integer(s) => t,
            _ if s == t => s,
            _ => {
                let (s, t) = (self.show(s), self.show(t));
                let message = format!("the results of `?:` have types `{s}` and `{t}`, which do not go together");
                return self.error(Diagnostic::at(span, message, format!("`{s}` or `{t}`")));
            }
        };
        Ok((self.convert(a, ty), self.convert(b, ty), ty))
    }

    fn common_pointer(&mut self, p: Ty, q: Ty) -> Ty {
        let qualifiers = p.qualifiers().with(q.qualifiers());
        let target = if self.types().compatible(p, q) { self.unit.types.composite(p, q) } else { Ty::VOID };
        let target = self.unit.types.qualified(target, qualifiers);
        self.unit.types.pointer_to(target)
    }
}
