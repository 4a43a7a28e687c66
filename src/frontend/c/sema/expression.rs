//! Expressions: names, places, members, indexing, and the dispatch to the rest.

use super::{Checked, Entity, Sema};
use crate::frontend::c::ast::{self, ExprKind as Ast};
use crate::frontend::c::names::Symbol;
use crate::frontend::c::tree::{ExprId, ExprKind, StringLiteral};
use crate::frontend::c::types::{Ty, TypeKind};
use crate::program::{Diagnostic, Span};

/// The enumerators by which `pthread.h` makes mutexes that behave in another way than the default ones.
const MUTEX_KINDS: [&str; 4] = [
    "PTHREAD_MUTEX_RECURSIVE",
    "PTHREAD_MUTEX_RECURSIVE_NP",
    "PTHREAD_MUTEX_ERRORCHECK",
    "PTHREAD_MUTEX_ERRORCHECK_NP",
];

impl Sema<'_> {
    /// An expression whose value is wanted.
    pub(super) fn value(&mut self, expr: ast::ExprId) -> Checked<ExprId> {
        let place = self.expr(expr)?;
        Ok(self.rvalue(place))
    }

    /// A condition.
    pub(super) fn condition(&mut self, expr: ast::ExprId) -> Checked<ExprId> {
        let value = self.value(expr)?;
        self.truth(value)
    }

    /// An expression as it stands: a place, a function or a value.
    pub(super) fn expr(&mut self, expr: ast::ExprId) -> Checked<ExprId> {
        let ast = self.ast;
        let ast::Expr { kind, span } = &ast.exprs[expr];
        let span = *span;
        match kind {
            Ast::Name(name) => self.name(*name, span),
            Ast::Number(symbol) => self.number(*symbol, span),
            Ast::Char(symbol) => self.character(*symbol, span),
            Ast::Str(pieces) => self.string(pieces, span),
            Ast::Unary(op, operand) => self.unary(*op, *operand, span),
            Ast::Increment { operand, is_decrement, is_postfix } => {
                self.increment(*operand, *is_decrement, *is_postfix, span)
            }
            Ast::Binary(..) => self.binary_chain(expr),
            Ast::Assign(op, target, value) => self.assign(*op, *target, *value, span),
            Ast::Conditional(condition, then, otherwise) => self.conditional(*condition, *then, *otherwise, span),
            Ast::Cast(ty, operand) => self.cast(ty, *operand, span),
            Ast::CompoundLiteral(ty, init) => self.compound_literal(ty, init, span),
            Ast::Index(array, index) => self.index(*array, *index, span),
            Ast::Call(callee, arguments) => self.call(*callee, arguments, span),
            Ast::Member(base, name) => {
                let base = self.expr(*base)?;
                let base = self.materialised(base);
                self.access(base, *name, span)
            }
            Ast::Arrow(base, name) => {
                let pointer = self.value(*base)?;
                let base = self.pointed(pointer, span)?;
                self.access(base, *name, span)
            }
            Ast::SizeofExpr(operand) => self.sizeof_expr(*operand, span),
            Ast::SizeofType(ty) => self.sizeof_type(ty, span),
            Ast::AlignofExpr(operand, gnu) => {
                let operand = self.unevaluated(|sema| sema.expr(*operand))?;
                let user = match *self.kind(operand) {
                    ExprKind::Object(id) => self.unit.objects[id].align,
                    _ => None,
                };
                self.alignof(self.ty(operand), user, *gnu, span)
            }
            Ast::AlignofType(ty, gnu) => {
                let (ty, user) = self.type_name_with_align(ty)?;
                self.alignof(ty, user, *gnu, span)
            }
            Ast::Statement(body) => self.statement_expression(*body, span),
            Ast::Generic(control, choices) => self.generic(*control, choices, span),
            Ast::Offsetof(ty, path) => self.offsetof(ty, path, span),
            Ast::VaArg(list, ty) => {
                let list = self.va_list(*list)?;
                let ty = self.type_name(ty)?;
                Ok(self.node(ExprKind::VaArg(list), ty.unqualified(), span))
            }
            Ast::TypesCompatible(both) => {
                let (a, b) = (self.type_name(&both.0)?, self.type_name(&both.1)?);
                let compatible = self.types().compatible(a, b) && !self.is_enum_against_int(a, b);
                Ok(self.int(i128::from(compatible), Ty::INT, span))
            }
            Ast::Choose(parts) => {
                let [condition, then, otherwise] = **parts;
                let (value, _) = self.constant(condition, "the condition of `__builtin_choose_expr`")?;
                self.expr(if value != 0 { then } else { otherwise })
            }
        }
    }

    /// gcc's test for compatible types keeps enumerations apart from each other, not from their integer type.
    fn is_enum_against_int(&self, a: Ty, b: Ty) -> bool {
        let is_enum = |ty: Ty| matches!(self.types().kind(ty), TypeKind::Enum(_));
        is_enum(a) && is_enum(b) && a.unqualified() != b.unqualified()
    }

    fn name(&mut self, name: Symbol, span: Span) -> Checked<ExprId> {
        match self.entities.get(name).copied() {
            Some(Entity::Object(id)) => {
                let ty = self.unit.objects[id].ty;
                Ok(self.node(ExprKind::Object(id), ty, span))
            }
            Some(Entity::Function(id)) => {
                let ty = self.unit.functions[id].ty;
                Ok(self.node(ExprKind::Function(id), ty, span))
            }
            Some(Entity::Enumerator(value, ty)) if !self.in_enumerator && MUTEX_KINDS.contains(&self.text(name)) => {
                self.unit.has_mutex_kinds = true;
                Ok(self.int(value, ty, span))
            }
            Some(Entity::Enumerator(value, ty)) => Ok(self.int(value, ty, span)),
            Some(Entity::Typedef(..)) => {
                let message = format!("`{}` is a type, not a value", self.text(name));
                self.error(Diagnostic::at(span, message, "a type"))
            }
            None => self.undeclared(name, span),
        }
    }

    fn undeclared(&mut self, name: Symbol, span: Span) -> Checked<ExprId> {
        let text = self.names().shared(name);
        if matches!(&*text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            return Ok(self.function_name(span));
        }
        let builtin = text.starts_with("__builtin_").then(|| self.library_function(&text, span)).flatten();
        if let Some(function) = builtin {
            let ty = self.unit.functions[function].ty;
            return Ok(self.node(ExprKind::Function(function), ty, span));
        }
        self.error(Diagnostic::at(span, format!("`{text}` is not declared"), "not known here"))
    }

    /// The name of the function around, as an array of constant characters.
    fn function_name(&mut self, span: Span) -> ExprId {
        let name = self.function.as_ref().map(|f| self.unit.functions[f.id].name.clone());
        let mut units: Vec<u32> = name.as_deref().unwrap_or("top level").bytes().map(u32::from).collect();
        units.push(0);
        let element = self.unit.types.qualified(Ty::CHAR, ast::Qualifiers::CONST);
        self.string_node(StringLiteral { units, element }, element, span)
    }

    /// A structure or union as a place, to take a member of it.
    fn materialised(&mut self, base: ExprId) -> ExprId {
        if self.kind(base).is_lvalue() || self.types().as_record(self.ty(base)).is_none() {
            return base;
        }
        let (ty, span) = (self.ty(base), self.span(base));
        self.node(ExprKind::Temporary(base), ty, span)
    }

    fn access(&mut self, base: ExprId, name: Symbol, span: Span) -> Checked<ExprId> {
        let (ty, offset, bits) = self.member(self.ty(base), name, span)?;
        Ok(self.node(ExprKind::Member { base, offset, bits }, ty, span))
    }

    /// What a pointer points to.
    fn pointed(&mut self, pointer: ExprId, span: Span) -> Checked<ExprId> {
        let ty = self.ty(pointer);
        let Some(target) = self.types().pointee(ty) else {
            let message = format!("a pointer is needed here, but this has type `{}`", self.show(ty));
            return self.error(Diagnostic::at(self.span(pointer), message, "no pointer"));
        };
        if self.types().as_function(target).is_some()
            && let ExprKind::FunctionPointer(function) = *self.kind(pointer)
        {
            return Ok(function);
        }
        Ok(self.node(ExprKind::Deref(pointer), target, span))
    }

    pub(super) fn deref(&mut self, operand: ast::ExprId, span: Span) -> Checked<ExprId> {
        let pointer = self.value(operand)?;
        self.pointed(pointer, span)
    }

    fn index(&mut self, array: ast::ExprId, index: ast::ExprId, span: Span) -> Checked<ExprId> {
        let (left, right) = (self.value(array)?, self.value(index)?);
        let is_pointer = |sema: &Self, expr: ExprId| sema.types().pointee(sema.ty(expr)).is_some();
        let (pointer, index) = match (is_pointer(self, left), is_pointer(self, right)) {
            (true, false) => (left, right),
            (false, true) => (right, left),
            _ => {
                let message = format!("`{}` cannot be indexed", self.show(self.ty(left)));
                return self.error(Diagnostic::at(span, message, "neither an array nor a pointer"));
            }
        };
        if !self.types().is_integer(self.ty(index)) {
            let message = format!("an index has to be an integer, not `{}`", self.show(self.ty(index)));
            return self.error(Diagnostic::at(self.span(index), message, "no integer"));
        }
        let moved = self.move_pointer(pointer, index, false, span)?;
        self.pointed(moved, span)
    }

    pub(super) fn address(&mut self, operand: ast::ExprId, span: Span) -> Checked<ExprId> {
        let place = self.expr(operand)?;
        if let ExprKind::Function(_) = self.kind(place) {
            return Ok(self.rvalue(place));
        }
        match *self.kind(place) {
            // `&*p` is `p`, whatever it points to.
            ExprKind::Deref(pointer) => {
                let ty = self.unit.types.pointer_to(self.ty(place));
                return Ok(if self.ty(pointer) == ty { pointer } else { self.convert(pointer, ty) });
            }
            ExprKind::Member { bits: Some(_), .. } => {
                return self.error(Diagnostic::at(span, "a bit-field has no address", "a bit-field"));
            }
            _ => {}
        }
        if !self.kind(place).is_lvalue() || matches!(self.kind(place), ExprKind::Temporary(_)) {
            return self.error(Diagnostic::at(span, "this is a value, which has no address", "has no place in memory"));
        }
        self.mark_address_taken(place);
        let ty = self.unit.types.pointer_to(self.ty(place));
        Ok(self.node(ExprKind::AddressOf(place), ty, span))
    }

    fn mark_address_taken(&mut self, place: ExprId) {
        let mut place = place;
        while let ExprKind::Member { base, .. } = *self.kind(place) {
            place = base;
        }
        if let ExprKind::Object(id) | ExprKind::CompoundLiteral(id, _) = *self.kind(place) {
            self.unit.objects[id].is_address_taken |= self.unevaluated == 0;
        }
    }

    fn generic(
        &mut self,
        control: ast::ExprId,
        choices: &[(Option<ast::TypeName>, ast::ExprId)],
        span: Span,
    ) -> Checked<ExprId> {
        let control = self.unevaluated(|sema| sema.value(control))?;
        let wanted = self.ty(control);
        let mut default = None;
        for (ty, result) in choices {
            let Some(ty) = ty else {
                default = Some(*result);
                continue;
            };
            let ty = self.type_name(ty)?;
            if ty.qualifiers() == wanted.qualifiers() && self.types().compatible(ty, wanted) {
                return self.expr(*result);
            }
        }
        match default {
            Some(result) => self.expr(result),
            None => {
                let message = format!("no choice of `_Generic` is for `{}`", self.show(wanted));
                self.error(Diagnostic::at(span, message, "nothing to choose"))
            }
        }
    }

    /// The list of variable arguments that an expression names.
    pub(super) fn va_list(&mut self, expr: ast::ExprId) -> Checked<ExprId> {
        let list = self.expr(expr)?;
        if self.ty(list).unqualified() == Ty::VA_LIST && self.kind(list).is_lvalue() {
            return Ok(list);
        }
        let message = format!("a `va_list` is needed here, not `{}`", self.show(self.ty(list)));
        self.error(Diagnostic::at(self.span(list), message, "no list of arguments"))
    }
}
