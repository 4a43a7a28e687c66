//! Conversions: lvalues to values, promotions, usual arithmetic conversions, assignment.

use super::{Checked, Sema, literal};
use crate::frontend::c::tree::{Conversion, ExprId, ExprKind};
use crate::frontend::c::types::{BitField, Ty, TypeKind};
use crate::program::Diagnostic;

/// What a value is converted for, in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Assignment,
    Initialiser,
    Argument(usize),
    Return,
}

impl Purpose {
    fn text(self) -> String {
        match self {
            Purpose::Assignment => "assigned".to_owned(),
            Purpose::Initialiser => "the first value".to_owned(),
            Purpose::Argument(n) => format!("passed as argument {n}"),
            Purpose::Return => "returned".to_owned(),
        }
    }
}

impl Sema<'_> {
    /// The value of an expression: a read, a decay, or itself.
    pub(super) fn rvalue(&mut self, expr: ExprId) -> ExprId {
        let (ty, span) = (self.ty(expr), self.span(expr));
        if let ExprKind::Function(_) = self.kind(expr) {
            let pointer = self.unit.types.pointer_to(ty);
            return self.node(ExprKind::FunctionPointer(expr), pointer, span);
        }
        if !self.kind(expr).is_lvalue() {
            return expr;
        }
        match *self.types().kind(ty) {
            TypeKind::Array(element, _) => {
                let pointer = self.unit.types.pointer_to(element);
                self.node(ExprKind::Decay(expr), pointer, span)
            }
            TypeKind::Function(_) => match *self.kind(expr) {
                // `*f` of a pointer to a function is the function, which is its address again.
                ExprKind::Deref(pointer) => pointer,
                _ => expr,
            },
            TypeKind::Void => match *self.kind(expr) {
                ExprKind::Deref(pointer) => self.node(ExprKind::Convert(Conversion::Void, pointer), Ty::VOID, span),
                _ => self.node(ExprKind::Load(expr), Ty::VOID, span),
            },
            _ => self.node(ExprKind::Load(expr), ty.unqualified(), span),
        }
    }

    /// An integer reduced to a type; `None` where it does not fit the numbers of a constant.
    pub(super) fn wrap(&self, value: i128, ty: Ty) -> Option<i128> {
        let (width, signed) = self.types().int_format(ty)?;
        if let TypeKind::Bool = self.types().kind(ty) {
            return Some(i128::from(value != 0));
        }
        Some(match (width, signed) {
            (128, true) => value,
            (128, false) => return (value >= 0).then_some(value),
            (width, true) => value << (128 - width) >> (128 - width),
            (width, false) => value & ((1 << width) - 1),
        })
    }

    /// Whether the value is in the range of the integer type.
    pub(super) fn fits(&self, value: i128, ty: Ty) -> bool {
        self.wrap(value, ty) == Some(value)
    }

    /// Converts a value to a type that it can be cast to; nothing is checked but done.
    pub(super) fn convert(&mut self, expr: ExprId, to: Ty) -> ExprId {
        let to = to.unqualified();
        let from = self.ty(expr);
        if from == to {
            return expr;
        }
        let span = self.span(expr);
        let types = self.types();
        let is_pointer = |ty: Ty| types.pointee(ty).is_some();
        let conversion = if types.is_void(to) {
            Conversion::Void
        } else if matches!(types.kind(to), TypeKind::Bool) {
            Conversion::Truth
        } else if types.is_integer(from) && types.is_integer(to) {
            Conversion::Integer
        } else if types.is_integer(from) && types.as_float(to).is_some() {
            Conversion::IntegerToFloat
        } else if types.as_float(from).is_some() && types.is_integer(to) {
            Conversion::FloatToInteger
        } else if types.as_float(from).is_some() && types.as_float(to).is_some() {
            Conversion::Float
        } else if is_pointer(from) && types.is_integer(to) {
            Conversion::PointerToInteger
        } else if types.is_integer(from) && is_pointer(to) {
            if matches!(self.kind(expr), ExprKind::Int(0)) { Conversion::Null } else { Conversion::IntegerToPointer }
        } else if is_pointer(from) && is_pointer(to) {
            Conversion::Pointer
        } else {
            Conversion::Record
        };
        if let Some(value) = self.converted_constant(expr, conversion, to) {
            return self.int(value, to, span);
        }
        if let (Conversion::Float, Ty::DOUBLE, ExprKind::Float(value, symbol)) = (conversion, to, self.kind(expr))
            && self.is_wide_float(expr)
            && literal::is_nearly(self.names().text(*symbol), *value)
        {
            // As `DBL_MAX` is written: it is rounded to what is nearest, however wide it is in between.
            return self.node(ExprKind::Float(*value, *symbol), to, span);
        }
        if let (Conversion::Pointer, ExprKind::Convert(Conversion::Null, zero)) = (conversion, self.kind(expr)) {
            // The null pointer is the same in every type.
            return self.node(ExprKind::Convert(Conversion::Null, *zero), to, span);
        }
        self.node(ExprKind::Convert(conversion, expr), to, span)
    }

    fn converted_constant(&self, expr: ExprId, conversion: Conversion, to: Ty) -> Option<i128> {
        match (self.kind(expr), conversion) {
            (ExprKind::Int(value), Conversion::Integer | Conversion::Truth) => self.wrap(*value, to),
            // `offsetof` written by hand is a number.
            (ExprKind::AddressOf(_) | ExprKind::Decay(_), Conversion::PointerToInteger) => {
                self.wrap(self.evaluate_address(expr, 0)?, to)
            }
            (ExprKind::Float(value, _), Conversion::Truth) if !self.is_wide_float(expr) => {
                Some(i128::from(*value != 0.0))
            }
            (ExprKind::Float(value, _), Conversion::FloatToInteger) if !self.is_wide_float(expr) => {
                let truncated = value.trunc();
                let value = truncated as i128;
                (truncated.abs() < 1e30 && self.fits(value, to)).then_some(value)
            }
            _ => None,
        }
    }

    /// Whether a floating constant is of a type that holds more than its value in a `double`.
    fn is_wide_float(&self, expr: ExprId) -> bool {
        use crate::frontend::c::types::FloatKind;
        self.types().as_float(self.ty(expr)).is_some_and(|kind| kind > FloatKind::Double)
    }

    /// The bits of the bit-field that a value comes from.
    pub(super) fn source_bits(&self, expr: ExprId) -> Option<BitField> {
        let mut expr = expr;
        loop {
            match *self.kind(expr) {
                ExprKind::Comma(_, right) => expr = right,
                ExprKind::Load(place)
                | ExprKind::Assign { target: place, .. }
                | ExprKind::AssignOp { target: place, .. }
                | ExprKind::Increment { target: place, .. } => {
                    return match *self.kind(place) {
                        ExprKind::Member { bits, .. } => bits,
                        _ => None,
                    };
                }
                _ => return None,
            }
        }
    }

    /// Integer promotions.
    pub(super) fn promote(&mut self, expr: ExprId) -> Checked<ExprId> {
        let ty = self.ty(expr);
        let Some(kind) = self.types().as_int(ty) else { return Ok(expr) };
        let (width, signed) = self.types().int_format(ty).expect("an integer type has a format");
        let word = if signed { Ty::INT } else { Ty::UINT };
        let to = match self.source_bits(expr).map(|bits| u32::from(bits.width)) {
            Some(bits) if bits > 32 && bits < width => {
                let error = Diagnostic::at(
                    self.span(expr),
                    "arithmetic on a bit-field wider than `int` is not supported",
                    "computed by the compiler in a type of just as many bits",
                );
                return self.error(error.hint("cast it to an integer type first"));
            }
            Some(32) => word,
            Some(bits) if bits < 32 => Ty::INT,
            _ if width < 32 => Ty::INT,
            _ => Ty::int(kind),
        };
        Ok(self.convert(expr, to))
    }

    /// Default argument promotions.
    pub(super) fn promote_argument(&mut self, expr: ExprId) -> Checked<ExprId> {
        if self.ty(expr) == Ty::FLOAT {
            return Ok(self.convert(expr, Ty::DOUBLE));
        }
        self.promote(expr)
    }

    /// The common type of two promoted or floating types.
    pub(super) fn common_type(&self, a: Ty, b: Ty) -> Ty {
        let types = self.types();
        match (types.as_float(a), types.as_float(b)) {
            (Some(f), Some(g)) => return Ty::float(f.max(g)),
            (Some(f), None) | (None, Some(f)) => return Ty::float(f),
            (None, None) => {}
        }
        let (Some(i), Some(j)) = (types.as_int(a), types.as_int(b)) else { return a.unqualified() };
        if i.is_signed() == j.is_signed() {
            return Ty::int(if i.rank() >= j.rank() { i } else { j });
        }
        let (signed, unsigned) = if i.is_signed() { (i, j) } else { (j, i) };
        if unsigned.rank() >= signed.rank() {
            Ty::int(unsigned)
        } else if signed.bytes(types.model) > unsigned.bytes(types.model) {
            Ty::int(signed)
        } else {
            Ty::int(signed.to_unsigned())
        }
    }

    /// Usual arithmetic conversions of two values of arithmetic types.
    pub(super) fn usual(&mut self, left: ExprId, right: ExprId) -> Checked<(ExprId, ExprId, Ty)> {
        let left = self.promote(left)?;
        let right = self.promote(right)?;
        let ty = self.common_type(self.ty(left), self.ty(right));
        Ok((self.convert(left, ty), self.convert(right, ty), ty))
    }

    /// Whether it is the constant zero, perhaps cast to `void *`.
    pub(super) fn is_null_constant(&self, expr: ExprId) -> bool {
        match *self.kind(expr) {
            ExprKind::Int(0) => self.types().is_integer(self.ty(expr)),
            ExprKind::Convert(Conversion::Null, _) => self.types().pointee(self.ty(expr)) == Some(Ty::VOID),
            _ => false,
        }
    }

    /// A truth value.
    pub(super) fn truth(&mut self, expr: ExprId) -> Checked<ExprId> {
        let ty = self.ty(expr);
        if !self.types().is_scalar(ty) {
            let message = format!("a condition is needed here, but this has type `{}`", self.show(ty));
            return self.error(Diagnostic::at(self.span(expr), message, "neither a number nor a pointer"));
        }
        // A comparison is a truth value in the clothes of an `int`.
        Ok(self.convert(expr, Ty::BOOL))
    }

    /// Converts a value as if by assignment. Like gcc, pointers of any kind and integers convert to each other.
    pub(super) fn convert_assigned(&mut self, expr: ExprId, to: Ty, purpose: Purpose) -> Checked<ExprId> {
        let from = self.ty(expr);
        let target = to.unqualified();
        if from == target {
            return Ok(expr);
        }
        let types = self.types();
        let pointerish = |ty: Ty| types.pointee(ty).is_some() || types.is_integer(ty);
        let allowed = types.is_arithmetic(from) && types.is_arithmetic(target)
            || matches!(types.kind(target), TypeKind::Bool) && types.is_scalar(from)
            || pointerish(from) && pointerish(target);
        if allowed {
            return Ok(self.convert(expr, target));
        }
        if let Some(converted) = self.as_transparent_union(expr, target) {
            return Ok(converted);
        }
        self.cannot_convert(expr, to, purpose)
    }

    fn cannot_convert<T>(&mut self, expr: ExprId, to: Ty, purpose: Purpose) -> Checked<T> {
        let (from, to) = (self.show(self.ty(expr)), self.show(to));
        let message = format!("a value of type `{from}` cannot be {} where `{to}` is needed", purpose.text());
        self.error(Diagnostic::at(self.span(expr), message, format!("has type `{from}`")))
    }

    fn as_transparent_union(&mut self, expr: ExprId, to: Ty) -> Option<ExprId> {
        let body = self.types().record_body(to).filter(|body| body.is_transparent)?;
        let from = self.ty(expr);
        let is_null = self.is_null_constant(expr);
        let is_pointer = self.types().pointee(from).is_some() || is_null;
        let takes = |ty: Ty| self.types().compatible(ty, from) || (is_pointer && self.types().pointee(ty).is_some());
        let pointer = body.fields.iter().map(|field| field.ty).find(|ty| self.types().pointee(*ty).is_some());
        body.fields.iter().any(|field| takes(field.ty)).then_some(())?;
        let is_number = body.fields.iter().any(|field| self.types().compatible(field.ty, from));
        let span = self.span(expr);
        // A null pointer is as wide as a pointer, whatever the constant is.
        let expr = match pointer.filter(|_| is_null && !is_number) {
            Some(pointer) => self.convert(expr, pointer),
            None => expr,
        };
        Some(self.node(ExprKind::Convert(Conversion::Record, expr), to, span))
    }
}
