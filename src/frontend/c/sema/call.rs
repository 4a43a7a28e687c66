//! Calls.

use super::convert::Purpose;
use super::{Checked, Entity, Sema};
use crate::frontend::c::ast::{self, ExprKind as Ast};
use crate::frontend::c::names::Symbol;
use crate::frontend::c::tree::{ExprId, ExprKind, Function, FunctionId};
use crate::frontend::c::types::{FunctionType, Ty, TypeKind};
use crate::program::{Diagnostic, Span};

impl Sema<'_> {
    pub(super) fn call(&mut self, callee: ast::ExprId, arguments: &[ast::ExprId], span: Span) -> Checked<ExprId> {
        if let Ast::Name(name) = self.ast.exprs[callee].kind
            && self.entities.get(name).is_none()
        {
            if let Some(result) = self.builtin_call(name, arguments, span) {
                return result;
            }
            self.declare_implicitly(name, self.ast.exprs[callee].span);
        }
        let callee = self.value(callee)?;
        let target = self.types().pointee(self.ty(callee));
        let Some(function) = target.and_then(|ty| self.types().as_function(ty)).cloned() else {
            let message = format!("`{}` cannot be called", self.show(self.ty(callee)));
            return self.error(Diagnostic::at(self.span(callee), message, "no function"));
        };
        let arguments = self.arguments(&function, arguments, span)?;
        let result = function.result.unqualified();
        if !self.types().is_void(result) && !self.types().is_complete_object(result) {
            return self.incomplete(result, span);
        }
        Ok(self.node(ExprKind::Call { callee, arguments }, result, span))
    }

    fn arguments(&mut self, function: &FunctionType, arguments: &[ast::ExprId], span: Span) -> Checked<Box<[ExprId]>> {
        let (given, needed) = (arguments.len(), function.parameters.len());
        if function.is_prototype && (given < needed || given > needed && !function.is_variadic) {
            let least = if function.is_variadic { "at least " } else { "" };
            let message = format!("the function takes {least}{needed} arguments, but {given} are given");
            return self.error(Diagnostic::at(span, message, "a wrong number of arguments"));
        }
        let mut out = Vec::with_capacity(given);
        for (i, argument) in arguments.iter().enumerate() {
            let value = self.value(*argument)?;
            out.push(match function.parameters.get(i) {
                Some(ty) => self.convert_assigned(value, *ty, Purpose::Argument(i + 1))?,
                None if self.types().is_void(self.ty(value)) => {
                    let message = "an argument has no value";
                    return self.error(Diagnostic::at(self.span(value), message, "has type `void`"));
                }
                None => self.promote_argument(value)?,
            });
        }
        Ok(out.into())
    }

    /// A function that is called without a declaration: of the type that the compiler knows for the name, or one that
    /// returns `int`.
    fn declare_implicitly(&mut self, name: Symbol, span: Span) {
        let text = self.names().shared(name);
        let message = format!("the function `{text}` is not declared");
        if let Some(known) = self.linked.get(&name).copied() {
            // It is declared in a block that has ended.
            self.assume(span, format!("{message} here; it is taken to be the one declared elsewhere"));
            self.entities.set_outermost(name, known);
            return;
        }
        if self.library_function(&text, span).is_some() {
            self.assume(span, format!("{message}; it is taken to be that of the C library"));
            return;
        }
        self.assume(span, format!("{message}; it is taken to return an int"));
        let (parameters, is_variadic, is_prototype) = (Box::default(), false, false);
        let ty = FunctionType { result: Ty::INT, parameters, is_variadic, is_prototype };
        let ty = self.unit.types.intern(TypeKind::Function(Box::new(ty)));
        let id = self.new_function(&text, ty, span);
        self.unit.functions[id].is_implicit = true;
        self.link(name, Entity::Function(id));
    }

    /// Makes a name known at file scope and to the linker.
    pub(super) fn link(&mut self, name: Symbol, entity: Entity) {
        self.linked.insert(name, entity);
        self.entities.set_outermost(name, entity);
    }

    pub(super) fn new_function(&mut self, name: &str, ty: Ty, span: Span) -> FunctionId {
        self.unit.functions.push(Function {
            name: name.into(),
            ty,
            is_static: false,
            is_inline: false,
            is_noreturn: false,
            is_weak: false,
            is_implicit: false,
            asm_name: None,
            alias: None,
            constructor: None,
            definition: None,
            span,
        })
    }
}
