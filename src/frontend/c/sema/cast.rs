//! Casts and compound literals.

use super::{Checked, Sema};
use crate::frontend::c::ast::{self, Init, TypeName};
use crate::frontend::c::tree::{Conversion, ExprId, ExprKind, Object, Storage};
use crate::frontend::c::types::Ty;
use crate::program::{Diagnostic, Span};

impl Sema<'_> {
    pub(super) fn cast(&mut self, name: &TypeName, operand: ast::ExprId, span: Span) -> Checked<ExprId> {
        let mark = self.lengths.len();
        let to = self.type_name(name)?.unqualified();
        let value = self.value(operand)?;
        let from = self.ty(value);
        let types = self.types();
        let is_pointer = |ty: Ty| types.pointee(ty).is_some();
        let allowed = from == to
            || types.is_void(to)
            || (types.is_scalar(from) && types.is_scalar(to))
                && !(types.as_float(from).is_some() && is_pointer(to))
                && !(is_pointer(from) && types.as_float(to).is_some());
        if !allowed {
            return self.wrong_cast(from, to, span);
        }
        let mut converted = self.convert(value, to);
        if from == to && self.source_bits(value).is_some() {
            // A cast to the declared type of a bit-field makes it one of all bits, for promotions.
            converted = self.node(ExprKind::Convert(Conversion::Integer, value), to, span);
        }
        self.respan(converted, span);
        Ok(self.with_lengths(mark, converted))
    }

    fn wrong_cast(&mut self, from: Ty, to: Ty, span: Span) -> Checked<ExprId> {
        let is_union = self.types().as_record(to).is_some_and(|id| self.types().records[id].is_union);
        if is_union {
            return self.refuse(span, "a cast to a union type is");
        }
        let message = format!("a value of type `{}` cannot be cast to `{}`", self.show(from), self.show(to));
        self.error(Diagnostic::at(span, message, "no such cast"))
    }

    /// A conversion or constant made for an operator has the place of the whole operator.
    fn respan(&mut self, expr: ExprId, span: Span) {
        if let ExprKind::Convert(..) | ExprKind::Int(_) = self.kind(expr) {
            self.unit.exprs[expr].span = span;
        }
    }

    pub(super) fn compound_literal(&mut self, name: &TypeName, init: &Init, span: Span) -> Checked<ExprId> {
        let mark = self.lengths.len();
        let ty = self.type_name(name)?;
        if self.types().is_variable_length(ty) {
            return self.error(Diagnostic::at(span, "a compound literal cannot have a computed length", "has one"));
        }
        let function = self.function.as_ref().map(|f| f.id).filter(|_| !self.in_static_initialiser);
        let storage = function.map_or(Storage::Static, Storage::Local);
        let (init, ty) = self.initialise(ty, init, function.is_none())?;
        if !self.types().is_complete_object(ty) {
            return self.incomplete(ty, span);
        }
        let unique_name = match function {
            Some(_) => self.unique_local(self.unit.names.find("").expect("the empty name is interned by the lexer")),
            None => self.unique_static("literal"),
        };
        let (static_init, local_init) =
            if function.is_some() { (None, Some(Box::new(init))) } else { (Some(init), None) };
        let id = self.unit.objects.push(Object {
            name: "literal".into(),
            unique_name,
            ty,
            storage,
            is_thread_local: false,
            is_defined: true,
            is_weak: false,
            init: static_init,
            is_address_taken: false,
            align: None,
            span,
        });
        if let Some(context) = self.function.as_mut().filter(|_| function.is_some()) {
            context.locals.push(id);
            if let Some(block) = context.blocks.last_mut() {
                block.push(id);
            }
        }
        let literal = self.node(ExprKind::CompoundLiteral(id, local_init), ty, span);
        Ok(self.with_lengths(mark, literal))
    }
}
