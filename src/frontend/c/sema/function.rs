//! Definitions of functions.

use super::{Checked, Entity, FunctionContext, Sema};
use crate::frontend::c::ast::{self, Chunk, Parameters};
use crate::frontend::c::names::Symbol;
use crate::frontend::c::tree::{Definition, FunctionId, Object, ObjectId, Storage};
use crate::frontend::c::types::Ty;
use crate::program::{Diagnostic, IdVec, Span};
use rustc_hash::FxHashMap;

impl<'a> Sema<'a> {
    pub(super) fn function_definition(&mut self, function: &'a ast::Function) -> Checked<()> {
        let declarator = &function.declarator;
        let (Some((name, span)), Some((Chunk::Function(parameters), before))) =
            (declarator.name, declarator.chunks.split_last())
        else {
            return self.error(Diagnostic::at(declarator.span, "this is no definition of a function", "here"));
        };
        let attributes = self.attributes(function.specifiers.attributes.iter().chain(&declarator.attributes))?;
        let (base, _) = self.specified(&function.specifiers, false)?;
        let result = self.built(base, before, span)?;
        self.check_result(result, span)?;
        if !self.types().is_void(result) && !self.types().is_complete_object(result) {
            return self.incomplete(result, span);
        }
        // Parameters belong to the function, whose type needs theirs: its number is known before.
        let id = match self.linked.get(&name) {
            Some(Entity::Function(id)) => *id,
            _ => self.unit.functions.next_id(),
        };
        self.open();
        let made = self.parameters(id, function, parameters);
        let outcome = made.and_then(|(objects, types)| {
            let ty = self.make_function_type(result.unqualified(), types, parameters);
            self.define(name, ty, function, objects, span)
        });
        self.close();
        self.function = None;
        let (id, definition) = outcome?;
        let function = &mut self.unit.functions[id];
        function.is_noreturn |= attributes.is_noreturn;
        function.is_weak |= attributes.is_weak;
        function.constructor = attributes.constructor.map(|(priority, _)| priority).or(function.constructor);
        function.span = span;
        function.definition = Some(definition);
        Ok(())
    }

    fn define(
        &mut self,
        name: Symbol,
        ty: Ty,
        function: &'a ast::Function,
        parameters: Vec<ObjectId>,
        span: Span,
    ) -> Checked<(FunctionId, Definition)> {
        let id = self.declare_defined(name, ty, function, span)?;
        if self.unit.functions[id].definition.is_some() {
            let message = format!("the function `{}` is defined twice", self.text(name));
            return self.error(Diagnostic::at(span, message, "the second definition"));
        }
        let result = self.types().as_function(ty).map_or(Ty::INT, |f| f.result);
        self.function = Some(FunctionContext {
            id,
            result,
            labels: IdVec::new(),
            named: FxHashMap::default(),
            switches: Vec::new(),
            breakable: 0,
            continuable: 0,
            locals: Vec::new(),
            blocks: Vec::new(),
            local_names: self.parameter_names(&parameters),
        });
        let body = self.function_body(function.body)?;
        let context = self.function.take().expect("set above, and taken nowhere else");
        let mut missing: Vec<_> = context.named.iter().filter(|(_, label)| !label.is_defined).collect();
        missing.sort_by_key(|(_, label)| label.first_use);
        if let Some((label, used)) = missing.first() {
            let message = format!("the label `{}` is not in this function", self.text(**label));
            return self.error(Diagnostic::at(used.first_use, message, "no such label"));
        }
        Ok((id, Definition { parameters, body, locals: context.locals, labels: context.labels }))
    }

    /// Declares the function at file scope, from inside the scope of its parameters.
    fn declare_defined(&mut self, name: Symbol, ty: Ty, function: &ast::Function, span: Span) -> Checked<FunctionId> {
        if let Some(Entity::Object(_) | Entity::Typedef(..) | Entity::Enumerator(..)) =
            self.entities.get_outermost(name)
        {
            let message = format!("`{}` is declared twice, with different meanings", self.text(name));
            return self.error(Diagnostic::at(span, message, "the second declaration"));
        }
        // The function is known outside alone: a parameter or a local may have its name.
        self.open();
        let id = self.function_of(name, ty, function.specifiers.storage, span);
        self.close();
        let id = id?;
        self.entities.set_outermost(name, Entity::Function(id));
        Ok(id)
    }

    fn parameter_names(&self, parameters: &[ObjectId]) -> FxHashMap<Symbol, u32> {
        let names = parameters.iter().filter_map(|id| self.names().find(&self.unit.objects[*id].name));
        names.map(|name| (name, 1)).collect()
    }

    /// The parameters as objects, and the types for the type of the function.
    fn parameters(
        &mut self,
        id: FunctionId,
        function: &'a ast::Function,
        parameters: &'a Parameters,
    ) -> Checked<(Vec<ObjectId>, Box<[Ty]>)> {
        if !parameters.is_prototype {
            let objects = self.old_parameters(id, function, parameters)?;
            return Ok((objects, Box::default()));
        }
        let mut objects = Vec::new();
        let mut types = Vec::new();
        for parameter in &parameters.declared {
            let ty = self.parameter_type(parameter)?;
            let Some((name, span)) = parameter.declarator.name else {
                // gcc takes it; nobody can use it.
                let unnamed = self.unit.names.intern("");
                objects.push(self.parameter(id, unnamed, ty, parameter.declarator.span)?);
                types.push(ty);
                continue;
            };
            objects.push(self.parameter(id, name, ty, span)?);
            types.push(ty);
        }
        Ok((objects, Sema::without_qualifiers(&types)))
    }

    fn parameter(&mut self, function: FunctionId, name: Symbol, ty: Ty, span: Span) -> Checked<ObjectId> {
        if !self.types().is_complete_object(ty) {
            return self.incomplete(ty, span);
        }
        let text = self.names().shared(name);
        let is_named = !text.is_empty();
        if is_named && self.entities.get_here(name).is_some() {
            let message = format!("two parameters are called `{text}`");
            return self.error(Diagnostic::at(span, message, "the second one"));
        }
        let object = self.unit.objects.push(Object {
            unique_name: if is_named { text.to_string() } else { format!("parameter.{}", span.start) },
            name: text,
            ty,
            storage: Storage::Parameter(function),
            is_thread_local: false,
            is_defined: true,
            is_weak: false,
            init: None,
            is_address_taken: false,
            align: None,
            span,
        });
        if is_named {
            self.entities.set(name, Entity::Object(object));
        }
        Ok(object)
    }

    /// The parameters of an old-style definition: names, with their types declared behind.
    fn old_parameters(
        &mut self,
        id: FunctionId,
        function: &'a ast::Function,
        parameters: &'a Parameters,
    ) -> Checked<Vec<ObjectId>> {
        let mut declared: FxHashMap<Symbol, Ty> = FxHashMap::default();
        for declaration in &function.parameters {
            let (base, _) = self.specified(&declaration.specifiers, declaration.declarators.is_empty())?;
            for init_declarator in &declaration.declarators {
                let declarator = &init_declarator.declarator;
                let Some((name, span)) = declarator.name else { continue };
                if !parameters.names.iter().any(|(known, _)| *known == name) {
                    let message = format!("`{}` is no parameter of this function", self.text(name));
                    return self.error(Diagnostic::at(span, message, "not in the list"));
                }
                let ty = self.built(base, &declarator.chunks, span)?;
                let ty = self.adjusted_parameter(ty, span)?;
                declared.insert(name, ty);
            }
        }
        let mut objects = Vec::new();
        for (name, span) in &parameters.names {
            let ty = match declared.get(name) {
                Some(ty) => *ty,
                None => {
                    let message = format!("the parameter `{}` without a type is taken to be an int", self.text(*name));
                    self.assume(*span, message);
                    Ty::INT
                }
            };
            objects.push(self.parameter(id, *name, ty, *span)?);
        }
        Ok(objects)
    }
}
