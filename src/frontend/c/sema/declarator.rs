//! Types that declarators build: pointers, arrays, functions.

use super::{Checked, Sema};
use crate::frontend::c::MAX_NESTING;
use crate::frontend::c::ast::{ArrayLength, Chunk, ExprId as AstExpr, Parameter, Parameters};
use crate::frontend::c::tree::{ExprKind, Vla};
use crate::frontend::c::types::{FunctionType, Length, Ty, TypeKind};
use crate::program::{Diagnostic, Span};

/// The largest size of an object, in bytes.
const MAX_OBJECT: u64 = 1 << 47;

impl Sema<'_> {
    /// The type that chunks build from a base, in order.
    pub(super) fn built(&mut self, base: Ty, chunks: &[Chunk], span: Span) -> Checked<Ty> {
        let mut ty = base;
        for chunk in chunks {
            ty = match chunk {
                Chunk::Pointer(qualifiers) => {
                    let pointer = self.unit.types.pointer_to(ty);
                    self.unit.types.qualified(pointer, *qualifiers)
                }
                Chunk::Array { length, .. } => {
                    let length = self.array_length(*length, ty, span)?;
                    self.unit.types.array_of(ty, length)
                }
                Chunk::Function(parameters) => self.function_type(ty, parameters, span)?,
            };
        }
        if self.types().depth(ty) as usize > 2 * MAX_NESTING {
            let message = format!("a type of more than {} levels is not supported", 2 * MAX_NESTING);
            return self.error(Diagnostic::at(span, message, "has this type"));
        }
        Ok(ty)
    }

    fn array_length(&mut self, length: ArrayLength, element: Ty, span: Span) -> Checked<Length> {
        if self.types().as_function(element).is_some() || self.types().is_void(element) {
            let message = format!("an array cannot have elements of type `{}`", self.show(element));
            return self.error(Diagnostic::at(span, message, "no type of an object"));
        }
        if !self.types().is_complete_object(element) {
            return self.incomplete(element, span);
        }
        let expr = match length {
            ArrayLength::None | ArrayLength::Star => return Ok(Length::Unknown),
            ArrayLength::Expr(expr) => expr,
        };
        if self.prototypes > 0 {
            return Ok(self.prototype_length(expr));
        }
        let value = self.value(expr)?;
        if !self.types().is_integer(self.ty(value)) {
            let message = format!("the length of an array has to be an integer, not `{}`", self.show(self.ty(value)));
            return self.error(Diagnostic::at(self.span(value), message, "no integer"));
        }
        let constant = match *self.kind(value) {
            ExprKind::Int(number) => Some(number),
            _ if self.has_effects(value) => None,
            _ => self.evaluate_wrapping(value, 0),
        };
        if let Some(number) = constant {
            return self.fixed_length(number, element, self.span(value));
        }
        if self.is_file_scope() || self.in_static_initialiser {
            let message = "the length of an array at file scope has to be constant";
            return self.error(Diagnostic::at(self.span(value), message, "known only when the program runs"));
        }
        let length = self.convert(value, self.types().size_type());
        let id = self.unit.vlas.push(Vla { length });
        self.lengths.push(id);
        Ok(Length::Variable(id))
    }

    fn fixed_length(&mut self, number: i128, element: Ty, span: Span) -> Checked<Length> {
        let size = self.types().size_of(element).unwrap_or(1).max(1);
        match u64::try_from(number) {
            Ok(length) if length.checked_mul(size).is_some_and(|total| total <= MAX_OBJECT) => {
                Ok(Length::Fixed(length))
            }
            _ => {
                let message = format!("an array cannot have {number} elements");
                let label = if number < 0 { "negative" } else { "too many" };
                self.error(Diagnostic::at(span, message, label))
            }
        }
    }

    /// The length of an array in a prototype that is no definition: a computed one says nothing, and may use the names
    /// of parameters that are not there.
    fn prototype_length(&mut self, expr: AstExpr) -> Length {
        let errors = self.errors.len();
        let length = self.constant(expr, "the length of an array");
        self.errors.truncate(errors);
        match length.ok().and_then(|(n, _)| u64::try_from(n).ok()) {
            Some(n) if n <= MAX_OBJECT => Length::Fixed(n),
            _ => Length::Unknown,
        }
    }

    fn function_type(&mut self, result: Ty, parameters: &Parameters, span: Span) -> Checked<Ty> {
        self.check_result(result, span)?;
        self.open();
        self.prototypes += 1;
        let types = parameters.declared.iter().map(|parameter| self.parameter_type(parameter));
        let types: Checked<Vec<Ty>> = types.collect();
        self.prototypes -= 1;
        self.close();
        Ok(self.make_function_type(result.unqualified(), Sema::without_qualifiers(&types?), parameters))
    }

    pub(super) fn make_function_type(&mut self, result: Ty, types: Box<[Ty]>, parameters: &Parameters) -> Ty {
        let (is_variadic, is_prototype) = (parameters.is_variadic, parameters.is_prototype);
        let ty = FunctionType { result, parameters: types, is_variadic, is_prototype };
        self.unit.types.intern(TypeKind::Function(Box::new(ty)))
    }

    pub(super) fn check_result(&mut self, result: Ty, span: Span) -> Checked<()> {
        if self.types().as_array(result).is_some() || self.types().as_function(result).is_some() {
            let message = format!("a function cannot return `{}`", self.show(result));
            return self.error(Diagnostic::at(span, message, "cannot be returned"));
        }
        Ok(())
    }

    /// The type of a parameter: arrays and functions are pointers, and qualifiers of its own do not count.
    pub(super) fn parameter_type(&mut self, parameter: &Parameter) -> Checked<Ty> {
        let (base, _) = self.specified(&parameter.specifiers, false)?;
        let declarator = &parameter.declarator;
        let attributes = self.attributes(parameter.specifiers.attributes.iter().chain(&declarator.attributes))?;
        let ty = match declarator.chunks.as_slice() {
            // The outermost length says nothing about the pointer.
            [inner @ .., Chunk::Array { qualifiers, .. }] => {
                let element = self.built(base, inner, declarator.span)?;
                let pointer = self.unit.types.pointer_to(element);
                self.unit.types.qualified(pointer, *qualifiers)
            }
            chunks => self.built(base, chunks, declarator.span)?,
        };
        let ty = self.moded(ty, &attributes)?;
        self.adjusted_parameter(ty, declarator.span)
    }

    pub(super) fn adjusted_parameter(&mut self, ty: Ty, span: Span) -> Checked<Ty> {
        match *self.types().kind(ty) {
            TypeKind::Array(element, _) => Ok(self.unit.types.pointer_to(element)),
            TypeKind::Function(_) => Ok(self.unit.types.pointer_to(ty)),
            TypeKind::Void => self.error(Diagnostic::at(span, "a parameter cannot have type `void`", "has it")),
            _ => Ok(ty),
        }
    }

    /// The types as they count for the type of a function.
    pub(super) fn without_qualifiers(types: &[Ty]) -> Box<[Ty]> {
        types.iter().map(|ty| ty.unqualified()).collect()
    }
}
