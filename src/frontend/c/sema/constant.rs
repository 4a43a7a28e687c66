//! Constant expressions: folding while the tree is built, and what an initialiser of static storage may hold.

use super::{Checked, Sema};
use crate::frontend::c::ast;
use crate::frontend::c::tree::{BinaryOp, Conversion, ExprId, ExprKind, Storage};
use crate::frontend::c::types::Ty;
use crate::program::{Diagnostic, Span};

/// The result of an operator on constants of one type, before it is checked to fit the type.
fn compute(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    let shift = || u32::try_from(b).ok();
    Some(match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        BinaryOp::Shl => a.checked_mul(2i128.checked_pow(shift()?)?)?,
        BinaryOp::Shr => a.checked_shr(shift()?)?,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Lt => i128::from(a < b),
        BinaryOp::Gt => i128::from(a > b),
        BinaryOp::Le => i128::from(a <= b),
        BinaryOp::Ge => i128::from(a >= b),
        BinaryOp::Eq => i128::from(a == b),
        BinaryOp::Ne => i128::from(a != b),
    })
}

impl Sema<'_> {
    /// The value of an operator on constants whose type is that of the left one; `None` where it is undefined or
    /// does not fit.
    pub(super) fn fold_binary(&self, op: BinaryOp, left: ExprId, right: ExprId) -> Option<i128> {
        let (ExprKind::Int(a), ExprKind::Int(b)) = (self.kind(left), self.kind(right)) else { return None };
        let ty = self.ty(left);
        let (width, signed) = self.types().int_format(ty)?;
        if op.is_shift() && !(0..i128::from(width)).contains(b) {
            return None;
        }
        if width == 128 && !signed && (op == BinaryOp::Shl || op == BinaryOp::Sub) {
            return None;
        }
        let value = match op {
            // A negative number shifted left, or one that is shifted into the sign, is gcc's two's complement;
            // whether that is an error is for the property to say, so it is not folded.
            BinaryOp::Shl if signed && *a < 0 => return None,
            BinaryOp::Shl if !signed => a.checked_shl(u32::try_from(*b).ok()?).filter(|_| width < 128)?,
            // The smallest number divided by -1 has no remainder in C.
            BinaryOp::Rem if signed && *b == -1 && compute(BinaryOp::Div, *a, *b).is_none_or(|q| !self.fits(q, ty)) => {
                return None;
            }
            _ => compute(op, *a, *b)?,
        };
        if op.is_comparison() {
            return Some(value);
        }
        let wrapped = self.wrap(value, ty)?;
        (!signed || wrapped == value).then_some(wrapped)
    }

    /// An integer constant expression.
    pub(super) fn constant(&mut self, expr: ast::ExprId, what: &str) -> Checked<(i128, Ty)> {
        let value = self.unevaluated(|sema| sema.value(expr))?;
        match *self.kind(value) {
            ExprKind::Int(number) if self.types().is_integer(self.ty(value)) => Ok((number, self.ty(value))),
            _ => match self.evaluate_wrapping(value, 0) {
                Some(number) => Ok((number, self.ty(value))),
                None => {
                    let span = self.ast.exprs[expr].span;
                    let message = format!("{what} has to be a constant integer");
                    self.error(Diagnostic::at(span, message, "cannot be computed while reading"))
                }
            },
        }
    }

    /// Evaluates what the compiler evaluates though the standard has no value for it: overflow wraps.
    pub(super) fn evaluate_wrapping(&self, expr: ExprId, depth: usize) -> Option<i128> {
        if depth > 100 {
            return None;
        }
        let ty = self.ty(expr);
        match *self.kind(expr) {
            ExprKind::Int(value) => Some(value),
            ExprKind::Convert(Conversion::Integer | Conversion::Truth, inner) => {
                self.wrap(self.evaluate_wrapping(inner, depth + 1)?, ty)
            }
            // `offsetof` written by hand: the address of a member of a structure at null.
            ExprKind::Convert(Conversion::PointerToInteger, inner) => {
                self.wrap(self.evaluate_address(inner, depth + 1)?, ty)
            }
            ExprKind::Convert(Conversion::FloatToInteger, inner) => {
                let value = self.evaluate_float(inner, depth + 1)?.trunc();
                (value.abs() < 1e30).then_some(value as i128).filter(|n| self.fits(*n, ty))
            }
            ExprKind::Unary(op, inner) => {
                use crate::frontend::c::tree::UnaryOp;
                let value = self.evaluate_wrapping(inner, depth + 1)?;
                match op {
                    UnaryOp::Minus => self.wrap(value.checked_neg()?, ty),
                    UnaryOp::Complement => self.wrap(!value, ty),
                    UnaryOp::Not => Some(i128::from(value == 0)),
                }
            }
            ExprKind::Binary(op, left, right) => {
                let integers = self.types().is_integer(self.ty(left));
                if integers {
                    let (a, b) = (self.evaluate_wrapping(left, depth + 1)?, self.evaluate_wrapping(right, depth + 1)?);
                    if op.is_shift() && !(0..128).contains(&b) {
                        return None;
                    }
                    self.wrap(compute(op, a, b)?, ty)
                } else if self.types().as_float(self.ty(left)).is_some() && op.is_comparison() {
                    let (a, b) = (self.evaluate_float(left, depth + 1)?, self.evaluate_float(right, depth + 1)?);
                    Some(i128::from(match op {
                        BinaryOp::Lt => a < b,
                        BinaryOp::Gt => a > b,
                        BinaryOp::Le => a <= b,
                        BinaryOp::Ge => a >= b,
                        BinaryOp::Eq => a == b,
                        _ => a != b,
                    }))
                } else {
                    None
                }
            }
            ExprKind::PointerDifference { left, right, stride: crate::frontend::c::tree::Stride::Bytes(size) } => {
                let distance = self.evaluate_address(left, depth + 1)? - self.evaluate_address(right, depth + 1)?;
                (size != 0).then(|| distance / i128::from(size))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let chosen = if self.evaluate_wrapping(condition, depth + 1)? != 0 { then } else { otherwise };
                self.evaluate_wrapping(chosen, depth + 1)
            }
            _ => None,
        }
    }

    /// A pointer made from a constant.
    pub(super) fn evaluate_address(&self, expr: ExprId, depth: usize) -> Option<i128> {
        if depth > 100 {
            return None;
        }
        match *self.kind(expr) {
            ExprKind::Convert(Conversion::Null, _) => Some(0),
            ExprKind::Convert(Conversion::IntegerToPointer, inner) => self.evaluate_wrapping(inner, depth + 1),
            ExprKind::Convert(Conversion::Pointer, inner) => self.evaluate_address(inner, depth + 1),
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.evaluate_place(place, depth + 1),
            ExprKind::PointerAdd {
                pointer,
                index,
                stride: crate::frontend::c::tree::Stride::Bytes(size),
                is_subtraction,
            } => {
                let moved = self.evaluate_wrapping(index, depth + 1)?.checked_mul(i128::from(size))?;
                let start = self.evaluate_address(pointer, depth + 1)?;
                if is_subtraction { start.checked_sub(moved) } else { start.checked_add(moved) }
            }
            _ => None,
        }
    }

    fn evaluate_place(&self, expr: ExprId, depth: usize) -> Option<i128> {
        match *self.kind(expr) {
            ExprKind::Deref(pointer) if depth <= 100 => self.evaluate_address(pointer, depth + 1),
            ExprKind::Member { base, offset, bits: None } if depth <= 100 => {
                self.evaluate_place(base, depth + 1)?.checked_add(i128::from(offset))
            }
            _ => None,
        }
    }

    /// A `float` or `double` constant where every step is exact enough not to depend on how it is computed.
    fn evaluate_float(&self, expr: ExprId, depth: usize) -> Option<f64> {
        if depth > 100 {
            return None;
        }
        let is_double = self.ty(expr) == Ty::DOUBLE;
        let is_exact_float = |value: &f64| is_double || f64::from(*value as f32) == *value;
        match *self.kind(expr) {
            ExprKind::Float(value, _) if is_double || self.ty(expr) == Ty::FLOAT => Some(value),
            ExprKind::Convert(Conversion::IntegerToFloat, inner) => {
                let value = self.evaluate_wrapping(inner, depth + 1)?;
                (value.unsigned_abs() < 1 << 53).then_some(value as f64).filter(is_exact_float)
            }
            ExprKind::Convert(Conversion::Float, inner) => self.evaluate_float(inner, depth + 1).filter(is_exact_float),
            ExprKind::Unary(crate::frontend::c::tree::UnaryOp::Minus, inner) => {
                self.evaluate_float(inner, depth + 1).map(|value| -value)
            }
            ExprKind::Binary(op, left, right) if is_double => {
                let (a, b) = (self.evaluate_float(left, depth + 1)?, self.evaluate_float(right, depth + 1)?);
                match op {
                    BinaryOp::Add => Some(a + b),
                    BinaryOp::Sub => Some(a - b),
                    BinaryOp::Mul => Some(a * b),
                    BinaryOp::Div => Some(a / b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether evaluating it changes something, or may: calls, assignments and statements.
    pub(super) fn has_effects(&self, expr: ExprId) -> bool {
        self.any_part(expr, |kind| {
            matches!(
                kind,
                ExprKind::Call { .. }
                    | ExprKind::Assign { .. }
                    | ExprKind::AssignOp { .. }
                    | ExprKind::AssignPointerAdd { .. }
                    | ExprKind::Increment { .. }
                    | ExprKind::Builtin(..)
                    | ExprKind::VaArg(_)
                    | ExprKind::Statements { .. }
            )
        })
    }

    fn any_part(&self, expr: ExprId, is_wanted: impl Fn(&ExprKind) -> bool) -> bool {
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            if is_wanted(self.kind(expr)) {
                return true;
            }
            self.kind(expr).for_each_child(|child| stack.push(child));
            if let ExprKind::CompoundLiteral(_, Some(init)) = self.kind(expr) {
                stack.extend(init.items.iter().map(|item| item.value));
            }
        }
        false
    }

    /// Says where an initialiser of static storage needs the program to run.
    pub(super) fn require_constant_initialiser(&mut self, expr: ExprId) -> Checked<()> {
        // A place is only looked through where its address is taken.
        let mut stack = vec![(expr, self.kind(expr).is_lvalue())];
        while let Some((expr, is_place)) = stack.pop() {
            let is_constant = match self.kind(expr) {
                ExprKind::Object(id) => {
                    let object = &self.unit.objects[*id];
                    let is_static = matches!(object.storage, Storage::Global | Storage::Static);
                    is_static && (is_place || (object.ty.is_const() && object.init.is_some()))
                }
                ExprKind::CompoundLiteral(id, _) => self.unit.objects[*id].storage == Storage::Static,
                ExprKind::Builtin(builtin, _) if is_constant_builtin(*builtin) => true,
                _ => !self.has_effects_itself(expr),
            };
            if !is_constant {
                let message = "the first value of an object of static storage has to be constant";
                let span = self.span(expr);
                return self.error(Diagnostic::at(span, message, "known only when the program runs"));
            }
            let kind = self.kind(expr);
            let places = match kind {
                ExprKind::AddressOf(_) | ExprKind::Decay(_) => true,
                ExprKind::Member { .. } => is_place,
                _ => false,
            };
            kind.for_each_child(|child| stack.push((child, places)));
        }
        Ok(())
    }

    fn has_effects_itself(&self, expr: ExprId) -> bool {
        matches!(
            self.kind(expr),
            ExprKind::Call { .. }
                | ExprKind::Assign { .. }
                | ExprKind::AssignOp { .. }
                | ExprKind::AssignPointerAdd { .. }
                | ExprKind::Increment { .. }
                | ExprKind::Builtin(..)
                | ExprKind::VaArg(_)
                | ExprKind::Statements { .. }
                | ExprKind::VlaLength(_)
        )
    }

    /// A constant that has to be from 0 up to a limit.
    pub(super) fn constant_size(&mut self, expr: ast::ExprId, what: &str, limit: u64) -> Checked<u64> {
        let (value, _) = self.constant(expr, what)?;
        match u64::try_from(value).ok().filter(|n| *n <= limit) {
            Some(value) => Ok(value),
            None => {
                let span: Span = self.ast.exprs[expr].span;
                let message = format!("{what} cannot be {value}");
                self.error(Diagnostic::at(span, message, format!("has to be from 0 to {limit}")))
            }
        }
    }
}

fn is_constant_builtin(builtin: crate::frontend::c::tree::Builtin) -> bool {
    use crate::frontend::c::tree::Builtin::*;
    matches!(builtin, Infinity | Nan | ByteSwap | PopCount | Parity | FindFirstSet | FloatAbs)
}
