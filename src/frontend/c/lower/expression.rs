//! Expressions: what they do is emitted in order, what they are is returned.

use super::arithmetic::{binary, cast, offset_of};
use super::place::Place;
use super::{Lower, Lowered};
use crate::frontend::c::tree::{BinaryOp as Op, Conversion, ExprId, ExprKind, Step, Stride};
use crate::frontend::c::types::{Ty, TypeKind};
use crate::program::{BinaryOp, Expr, OFFSET, Type, VarId};
use crate::term::Integer;

impl Lower<'_> {
    /// The value of an expression of scalar type.
    pub(super) fn value(&mut self, expr: ExprId) -> Lowered<Expr> {
        let unit = self.unit;
        let node = &unit.exprs[expr];
        match &node.kind {
            ExprKind::Int(value) => {
                let ty = self.scalar_type(node.ty)?;
                Ok(self.constant(*value, ty))
            }
            ExprKind::Float(value, _) => self.float_constant(*value, node.ty),
            ExprKind::Load(place) => {
                self.check_ordered(expr)?;
                let is_atomic = unit.exprs[*place].ty.is_atomic();
                let place = self.place(*place)?;
                self.atomically_if(is_atomic, |this| this.read(&place).map(Some))
                    .map(|value| value.expect("it is read"))
            }
            ExprKind::Decay(place) | ExprKind::AddressOf(place) => self.address(*place),
            ExprKind::FunctionPointer(function) => match unit.exprs[*function].kind {
                ExprKind::Function(function) => self.function_pointer(function),
                ExprKind::Deref(pointer) => self.value(pointer),
                _ => Err(self.refuse("this pointer to a function is")),
            },
            ExprKind::Binary(op, ..) if op.is_comparison() => Ok(truth_to_int(self.condition(expr)?)),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::Unary(super::tree::UnaryOp::Not, _) => {
                Ok(truth_to_int(self.condition(expr)?))
            }
            ExprKind::Binary(..) | ExprKind::Convert(..) => self.chain(expr),
            ExprKind::Unary(op, operand) => {
                let operand = self.value(*operand)?;
                self.unary(*op, operand)
            }
            ExprKind::PointerAdd { pointer, index, stride, is_subtraction } => {
                if let Some(element) = self.element_to_check(expr) {
                    return self.element(element.or_end());
                }
                let (base, bytes) = self.base_and_distance(*pointer, *index, *stride, *is_subtraction)?;
                Ok(self.moved_inside(base, bytes))
            }
            ExprKind::PointerDifference { left, right, stride } => {
                let a = self.value(*left)?;
                let a = self.keep_across(a, *right);
                let b = self.value(*right)?;
                self.difference(a, b, *stride, node.ty)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(*condition, *then, *otherwise, node.ty)
            }
            ExprKind::Elvis { value, condition, then, otherwise } => {
                let saved = self.value(*value)?;
                let saved = self.keep(saved);
                self.body.saved.insert(*value, saved);
                self.conditional(*condition, *then, *otherwise, node.ty)
            }
            ExprKind::Saved(saved) => match self.body.saved.get(saved) {
                Some(value) => Ok(value.clone()),
                None => Err(self.refuse("this use of `?:` is")),
            },
            ExprKind::Comma(left, right) => {
                self.effect(*left)?;
                self.value(*right)
            }
            ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignPointerAdd { .. }
            | ExprKind::Increment { .. } => {
                let value = self.assignment(expr, true)?;
                Ok(value.expect("an assignment whose value is asked for has one"))
            }
            ExprKind::Call { callee, arguments } => {
                let ty = self.scalar_type(node.ty)?;
                let target = self.temporary(ty);
                self.call(*callee, arguments, Some(target), expr)?;
                Ok(Expr::Var(target))
            }
            ExprKind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, expr),
            ExprKind::Statements { block, result } => {
                self.body.scopes.gives_value = true;
                self.statement(*block)?;
                let Some(result) = result else {
                    return Err(self.refuse("a statement expression without a value is"));
                };
                let value = self.value(*result)?;
                self.note_expression_block(*block, Some(&value));
                Ok(value)
            }
            ExprKind::VlaLength(vla) => match self.body.lengths.get(vla) {
                Some(length) => Ok(Expr::Var(*length)),
                None => Err(self.refuse("the length of this array is")),
            },
            ExprKind::VaArg(list) => self.va_arg_value(*list, node.ty),
            ExprKind::Object(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::Str(_)
            | ExprKind::CompoundLiteral(..)
            | ExprKind::Temporary(_)
            | ExprKind::Function(_) => Err(self.refuse("this use of an object is")),
        }
    }

    /// An expression for what it does; its value is not needed.
    pub(super) fn effect(&mut self, expr: ExprId) -> Lowered<()> {
        let unit = self.unit;
        let node = &unit.exprs[expr];
        match &node.kind {
            ExprKind::Convert(_, inner) | ExprKind::Load(inner) if self.effects.get(*inner).is_total() => Ok(()),
            ExprKind::Convert(_, inner) => match &unit.exprs[*inner].kind {
                // The target of a pointer that is thrown away is not read.
                kind if kind.is_lvalue() => self.place(*inner).map(drop),
                _ => self.effect(*inner),
            },
            ExprKind::Comma(left, right) => {
                self.effect(*left)?;
                self.effect(*right)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let (condition, then, otherwise) = (*condition, *then, *otherwise);
                self.if_else(condition, |this| this.effect(then), |this| this.effect(otherwise))
            }
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => {
                let end = self.location();
                self.jump(expr, end, end)?;
                self.start_at(end);
                Ok(())
            }
            ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignPointerAdd { .. }
            | ExprKind::Increment { .. } => self.assignment(expr, false).map(drop),
            ExprKind::Call { callee, arguments } => self.call(*callee, arguments, None, expr),
            ExprKind::Statements { block, result } => {
                self.body.scopes.gives_value = true;
                self.statement(*block)?;
                self.note_expression_block(*block, None);
                result.map_or(Ok(()), |result| self.effect(result))
            }
            ExprKind::Builtin(builtin, arguments) if self.unit.types.is_void(node.ty) => {
                self.builtin_effect(*builtin, arguments, expr)
            }
            _ if self.effects.get(expr).is_total() => Ok(()),
            kind if kind.is_lvalue() => self.place(expr).map(drop),
            _ if self.is_record(node.ty) => self.record(expr).map(drop),
            _ => {
                let value = self.value(expr)?;
                if !matches!(value, Expr::Var(_)) {
                    // What is read and thrown away may still fault.
                    self.keep(value);
                }
                Ok(())
            }
        }
    }

    /// Puts the value of an expression into a variable of its type.
    pub(super) fn value_into(&mut self, variable: VarId, expr: ExprId) -> Lowered<()> {
        let node = &self.unit.exprs[expr];
        if let ExprKind::Call { callee, arguments } = &node.kind
            && self.scalar(node.ty) == Some(self.program.variables[variable].ty)
        {
            self.call(*callee, arguments, Some(variable), expr)?;
            self.note_value(&Place::Variable(variable));
            return Ok(());
        }
        let value = self.value(expr)?;
        self.write(&Place::Variable(variable), value)
    }

    /// Chains of arithmetic and conversions, from the innermost left operand on.
    fn chain(&mut self, expr: ExprId) -> Lowered<Expr> {
        let unit = self.unit;
        let mut links = Vec::new();
        let mut innermost = expr;
        loop {
            match unit.exprs[innermost].kind {
                ExprKind::Binary(op, left, _) if !op.is_comparison() => {
                    links.push(innermost);
                    innermost = left;
                }
                ExprKind::Convert(conversion, inner) if !matches!(conversion, Conversion::Truth | Conversion::Null) => {
                    links.push(innermost);
                    innermost = inner;
                }
                _ => break,
            }
        }
        let mut value = if links.is_empty() { self.condition_or_null(expr)? } else { self.value(innermost)? };
        for link in links.into_iter().rev() {
            value = match unit.exprs[link].kind {
                ExprKind::Binary(op, _, right) => {
                    let left = self.keep_across(value, right);
                    let right = self.value(right)?;
                    self.arithmetic(op, left, right)?
                }
                ExprKind::Convert(conversion, from) => {
                    let value = self.shallow(value);
                    if conversion == Conversion::Pointer {
                        self.check_alignment(from, unit.exprs[link].ty, &value);
                    }
                    self.convert(conversion, value, unit.exprs[link].ty)?
                }
                _ => unreachable!("only arithmetic and conversions are links"),
            };
        }
        Ok(value)
    }

    /// A conversion to a truth value or to null.
    fn condition_or_null(&mut self, expr: ExprId) -> Lowered<Expr> {
        match self.unit.exprs[expr].kind {
            ExprKind::Convert(Conversion::Null, _) => Ok(Expr::Null),
            _ => self.condition(expr),
        }
    }

    /// A pointer and how far it is moved.
    fn base_and_distance(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        stride: Stride,
        is_subtraction: bool,
    ) -> Lowered<(Expr, Expr)> {
        let base = self.value(pointer)?;
        let base = self.keep_across(base, index);
        Ok((base, self.distance(index, stride, is_subtraction)?))
    }

    /// A pointer through which something is accessed: the access is looked at, and so where the pointer is to.
    pub(super) fn accessed(&mut self, pointer: ExprId) -> Lowered<Expr> {
        match self.unit.exprs[pointer].kind {
            ExprKind::PointerAdd { pointer, index, stride, is_subtraction } => {
                let (base, bytes) = self.base_and_distance(pointer, index, stride, is_subtraction)?;
                Ok(self.moved(base, bytes))
            }
            _ => self.value(pointer),
        }
    }

    /// How many bytes a number of elements is, as an offset.
    fn distance(&mut self, index: ExprId, stride: Stride, is_subtraction: bool) -> Lowered<Expr> {
        let number = self.value(index)?;
        let number = self.shallow(number);
        self.scaled(number, stride, is_subtraction)
    }

    pub(super) fn scaled(&mut self, number: Expr, stride: Stride, is_subtraction: bool) -> Lowered<Expr> {
        let number = self.to_type(OFFSET, number);
        let bytes = match self.stride(stride)? {
            Expr::Int(size, _) if size == Integer::ONE => number,
            size => binary(BinaryOp::Mul, number, size),
        };
        Ok(match is_subtraction {
            false => bytes,
            true => binary(BinaryOp::Sub, Expr::Int(Integer::ZERO, OFFSET), bytes),
        })
    }

    fn stride(&mut self, stride: Stride) -> Lowered<Expr> {
        Ok(match stride {
            Stride::Bytes(size) => Expr::Int(Integer::from(size as i64), OFFSET),
            Stride::Computed(size) => {
                let size = self.value(size)?;
                self.to_type(OFFSET, size)
            }
        })
    }

    pub(super) fn moved(&mut self, pointer: Expr, bytes: Expr) -> Expr {
        match bytes {
            Expr::Int(n, _) if n.is_zero() => pointer,
            bytes => {
                let pointer = self.shallow(pointer);
                Expr::binary(BinaryOp::PointerAdd, pointer, bytes)
            }
        }
    }

    fn difference(&mut self, a: Expr, b: Expr, stride: Stride, ty: Ty) -> Lowered<Expr> {
        let offsets = binary(BinaryOp::Sub, offset_of(a.clone()), offset_of(b.clone()));
        let bytes = match is_same_pointer_base(&a, &b) {
            true => offsets,
            false if self.has_distances_checked() => {
                let (a, b) = (self.shallow(a), self.shallow(b));
                self.check_distance(&a, &b);
                binary(BinaryOp::Sub, offset_of(a), offset_of(b))
            }
            // How far objects are apart depends on where they lie.
            false => {
                let addresses = binary(BinaryOp::Sub, cast(OFFSET, a.clone()), cast(OFFSET, b.clone()));
                let same = Expr::binary(BinaryOp::SameObject, a, b);
                Expr::Ite(Box::new(same), Box::new(offsets), Box::new(addresses))
            }
        };
        let count = match self.stride(stride)? {
            Expr::Int(size, _) if size == Integer::ONE => bytes,
            size => Expr::binary(BinaryOp::Div, bytes, size),
        };
        let ty = self.scalar_type(ty)?;
        Ok(self.to_type(ty, count))
    }

    fn conditional(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, ty: Ty) -> Lowered<Expr> {
        let ty = self.scalar_type(ty)?;
        if [condition, then, otherwise].iter().all(|part| self.effects.get(*part).is_total()) {
            let condition = self.condition(condition)?;
            let (a, b) = (self.value(then)?, self.value(otherwise)?);
            return Ok(match condition {
                Expr::Bool(true) => a,
                Expr::Bool(false) => b,
                condition => {
                    let (condition, a, b) = (self.shallow(condition), self.shallow(a), self.shallow(b));
                    Expr::Ite(Box::new(condition), Box::new(a), Box::new(b))
                }
            });
        }
        let result = self.temporary(ty);
        self.if_else(condition, |this| this.value_into(result, then), |this| this.value_into(result, otherwise))?;
        Ok(Expr::Var(result))
    }

    /// Goes one of two ways and meets again.
    pub(super) fn if_else(
        &mut self,
        condition: ExprId,
        then: impl FnOnce(&mut Self) -> Lowered<()>,
        otherwise: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let (yes, no, end) = (self.location(), self.location(), self.location());
        self.jump(condition, yes, no)?;
        self.start_at(yes);
        then(self)?;
        self.go_to(end);
        self.start_at(no);
        otherwise(self)?;
        self.go_to(end);
        self.start_at(end);
        Ok(())
    }

    /// An assignment of any kind; its value where that is wanted.
    fn assignment(&mut self, expr: ExprId, wants_value: bool) -> Lowered<Option<Expr>> {
        let unit = self.unit;
        let node = &unit.exprs[expr];
        self.check_ordered(expr)?;
        match &node.kind {
            ExprKind::Assign { target, value } => {
                if self.is_record(unit.exprs[*target].ty) {
                    if unit.exprs[*target].ty.is_atomic() && self.splits_steps() {
                        return Err(self.refuse("an atomic structure in a program with threads is"));
                    }
                    return self.record(expr).map(|_| None);
                }
                let place = self.place(*target)?;
                if let (Place::Variable(variable), false) = (&place, wants_value)
                    && !self.splits_steps()
                {
                    return self.value_into(*variable, *value).map(|()| None);
                }
                let place = self.keep_place_across(place, *value);
                let value = self.value(*value)?;
                let is_atomic = unit.exprs[*target].ty.is_atomic();
                self.atomically_if(is_atomic, |this| this.finish_assignment(&place, value, wants_value))
            }
            ExprKind::AssignOp { target, op, value, computation } => {
                let place = self.place(*target)?;
                let place = self.keep_place(place);
                let ty = unit.exprs[*target].ty;
                // The right operand comes first: what it does is not lost when the target is read before.
                let right = self.value(*value)?;
                let right = if self.splits_steps() { self.keep(right) } else { right };
                self.atomically_if(ty.is_atomic(), |this| {
                    let left = this.read(&place)?;
                    let left = this.convert_between(left, ty, *computation)?;
                    let result = this.arithmetic(*op, left, right)?;
                    let result = this.convert_between(result, *computation, ty)?;
                    this.finish_assignment(&place, result, wants_value)
                })
            }
            ExprKind::AssignPointerAdd { target, index, stride, is_subtraction } => {
                let place = self.place(*target)?;
                let place = self.keep_place(place);
                let bytes = self.distance(*index, *stride, *is_subtraction)?;
                self.atomically_if(unit.exprs[*target].ty.is_atomic(), |this| {
                    let left = this.read(&place)?;
                    let moved = this.moved_inside(left, bytes);
                    this.finish_assignment(&place, moved, wants_value)
                })
            }
            ExprKind::Increment { target, is_decrement, is_postfix, step } => {
                let place = self.place(*target)?;
                let place = self.keep_place(place);
                let ty = unit.exprs[*target].ty;
                self.atomically_if(ty.is_atomic(), |this| {
                    let before = this.read(&place)?;
                    let before = if *is_postfix && wants_value { this.keep(before) } else { before };
                    let after = this.counted(before.clone(), ty, *step, *is_decrement)?;
                    if *is_postfix {
                        this.write(&place, after)?;
                        return Ok(wants_value.then_some(before));
                    }
                    this.finish_assignment(&place, after, wants_value)
                })
            }
            _ => unreachable!("the caller matched an assignment"),
        }
    }

    /// Accesses an object of an atomic type with no other thread in between.
    fn atomically_if(
        &mut self,
        is_atomic: bool,
        access: impl FnOnce(&mut Self) -> Lowered<Option<Expr>>,
    ) -> Lowered<Option<Expr>> {
        if !is_atomic || !self.splits_steps() {
            return access(self);
        }
        self.atomically(|this| {
            let value = access(this)?;
            Ok(value.map(|value| this.keep(value)))
        })
    }

    fn counted(&mut self, before: Expr, ty: Ty, step: Step, is_decrement: bool) -> Lowered<Expr> {
        match step {
            Step::Number(computation) => {
                let left = self.convert_between(before, ty, computation)?;
                let one = self.one(computation)?;
                let op = if is_decrement { Op::Sub } else { Op::Add };
                let result = self.arithmetic(op, left, one)?;
                self.convert_between(result, computation, ty)
            }
            Step::Pointer(stride) => {
                let bytes = self.scaled(Expr::Int(Integer::ONE, OFFSET), stride, is_decrement)?;
                Ok(self.moved_inside(before, bytes))
            }
        }
    }

    fn one(&mut self, ty: Ty) -> Lowered<Expr> {
        match self.unit.types.kind(ty) {
            TypeKind::Float(_) => self.float_constant(1.0, ty),
            _ => {
                let ty = self.scalar_type(ty)?;
                Ok(self.constant(1, ty))
            }
        }
    }

    fn finish_assignment(&mut self, place: &Place, value: Expr, wants_value: bool) -> Lowered<Option<Expr>> {
        if wants_value {
            return self.write_and_tell(place, value).map(Some);
        }
        self.write(place, value)?;
        Ok(None)
    }

    /// A floating constant.
    pub(super) fn float_constant(&mut self, value: f64, ty: Ty) -> Lowered<Expr> {
        match self.scalar_type(ty)? {
            Type::Float(kind) => Ok(Expr::Float(kind.of_f64(value), kind)),
            _ => Err(self.refuse("this floating constant is")),
        }
    }
}

/// A truth value as an `int`.
fn truth_to_int(truth: Expr) -> Expr {
    cast(Type::machine(32, true), truth)
}

/// Whether two pointers are one that was moved, as it is written.
fn is_same_pointer_base(a: &Expr, b: &Expr) -> bool {
    fn base(mut expr: &Expr) -> &Expr {
        while let Expr::Binary(BinaryOp::PointerAdd, pointer, _) = expr {
            expr = pointer;
        }
        expr
    }
    base(a) == base(b)
}
