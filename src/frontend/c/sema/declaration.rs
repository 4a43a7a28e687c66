//! Declarations of objects, functions and types.

use super::attribute::Attributes;
use super::{Checked, Entity, Sema};
use crate::frontend::c::ast::{self, Declaration, Init, InitDeclarator, StaticAssert, Storage as Words, TypeSpec};
use crate::frontend::c::names::Symbol;
use crate::frontend::c::tree::{FunctionId, Object, ObjectId, StmtId, StmtKind, Storage};
use crate::frontend::c::types::{Length, Ty, TypeKind};
use crate::program::{Diagnostic, Span};

/// A declarator with its type found.
struct Declared<'b> {
    name: Symbol,
    span: Span,
    ty: Ty,
    words: Words,
    attributes: Attributes,
    asm_name: Option<Symbol>,
    /// The alignment that a `typedef` passes on.
    align: Option<u64>,
    init: Option<&'b Init>,
}

impl<'a> Sema<'a> {
    pub(super) fn file_declaration(&mut self, declaration: &'a Declaration) -> Checked<()> {
        self.declare_all(declaration, &mut Vec::new())
    }

    pub(super) fn static_assert(&mut self, assertion: &StaticAssert) -> Checked<()> {
        let (value, _) = self.constant(assertion.condition, "a static assertion")?;
        if value != 0 {
            return Ok(());
        }
        let message = assertion.message.map_or(String::new(), |text| format!(": {}", self.text(text)));
        let span = self.ast.exprs[assertion.condition].span;
        self.error(Diagnostic::at(span, format!("a static assertion fails{message}"), "is false"))
    }

    /// Every declarator of a declaration. A wrong one does not hide the next.
    pub(super) fn declare_all(&mut self, declaration: &'a Declaration, out: &mut Vec<StmtId>) -> Checked<()> {
        if let Some(assertion) = &declaration.assertion {
            return self.static_assert(assertion);
        }
        let specifiers = &declaration.specifiers;
        if let TypeSpec::Auto = specifiers.ty {
            return self.declare_auto(declaration, out);
        }
        let (base, align) = self.specified(specifiers, declaration.declarators.is_empty())?;
        let mut result = Ok(());
        for declarator in &declaration.declarators {
            let one = self.declare_one(specifiers, base, align, declarator, out);
            result = result.and(one);
        }
        result
    }

    /// `__auto_type x = value;`
    fn declare_auto(&mut self, declaration: &'a Declaration, out: &mut Vec<StmtId>) -> Checked<()> {
        let specifiers = &declaration.specifiers;
        let [declarator] = declaration.declarators.as_slice() else {
            return self.error(Diagnostic::at(specifiers.span, "`__auto_type` declares one object", "here"));
        };
        let Some(Init::Expr(value)) = declarator.init else {
            return self.error(Diagnostic::at(specifiers.span, "`__auto_type` needs a first value", "has none"));
        };
        let value = self.unevaluated(|sema| sema.value(value))?;
        let base = self.unit.types.qualified(self.ty(value), specifiers.qualifiers);
        self.declare_one(specifiers, base, None, declarator, out)
    }

    fn declare_one(
        &mut self,
        specifiers: &'a ast::Specifiers,
        base: Ty,
        align: Option<u64>,
        init_declarator: &'a InitDeclarator,
        out: &mut Vec<StmtId>,
    ) -> Checked<()> {
        let declarator = &init_declarator.declarator;
        let Some((name, span)) = declarator.name else {
            return self.error(Diagnostic::at(declarator.span, "a declaration without a name", "no name"));
        };
        let attributes = self.attributes(specifiers.attributes.iter().chain(&declarator.attributes))?;
        let ty = self.built(base, &declarator.chunks, span)?;
        let ty = self.moded(ty, &attributes)?;
        let inherits = declarator.chunks.iter().all(|chunk| matches!(chunk, ast::Chunk::Array { .. }));
        let align = attributes.align.or(align.filter(|_| inherits));
        let (words, asm_name, init) = (specifiers.storage, declarator.asm_name, init_declarator.init.as_ref());
        let declared = Declared { name, span, ty, words, attributes, asm_name, align, init };
        if words.is_typedef {
            self.flush_lengths(out, span);
            self.declare_typedef(&declared)
        } else if self.types().as_function(ty).is_some() {
            self.declare_function(&declared)
        } else {
            self.declare_object(&declared, out)
        }
    }

    /// Computes the lengths found so far before what follows.
    pub(super) fn flush_lengths(&mut self, out: &mut Vec<StmtId>, span: Span) {
        for id in std::mem::take(&mut self.lengths) {
            let stmt = self.stmt(StmtKind::ComputeLength(id), span);
            out.push(stmt);
        }
    }

    fn declared_twice<T>(&mut self, name: Symbol, span: Span) -> Checked<T> {
        let message = format!("`{}` is declared twice, with different meanings", self.text(name));
        self.error(Diagnostic::at(span, message, "the second declaration"))
    }

    fn declare_typedef(&mut self, declared: &Declared) -> Checked<()> {
        if declared.init.is_some() {
            return self.error(Diagnostic::at(declared.span, "a type has no first value", "declared `typedef`"));
        }
        match self.entities.get_here(declared.name) {
            None => {}
            Some(Entity::Typedef(old, _)) if self.types().compatible(*old, declared.ty) => {}
            Some(_) => return self.declared_twice(declared.name, declared.span),
        }
        if declared.attributes.is_transparent {
            self.unit.types.make_transparent(declared.ty);
        }
        self.entities.set(declared.name, Entity::Typedef(declared.ty, declared.align));
        Ok(())
    }

    fn declare_function(&mut self, declared: &Declared) -> Checked<()> {
        if declared.init.is_some() {
            return self.error(Diagnostic::at(declared.span, "a function has no first value", "a function"));
        }
        let id = self.function_of(declared.name, declared.ty, declared.words, declared.span)?;
        let asm_name = declared.asm_name.map(|name| self.names().shared(name));
        let alias = declared.attributes.alias.map(|(name, _)| self.names().shared(name));
        let function = &mut self.unit.functions[id];
        function.alias = alias.or(function.alias.take());
        let constructor = declared.attributes.constructor.map(|(priority, _)| priority);
        function.constructor = constructor.or(function.constructor);
        function.is_noreturn |= declared.attributes.is_noreturn;
        function.is_weak |= declared.attributes.is_weak;
        function.asm_name = asm_name.or(function.asm_name.take());
        Ok(())
    }

    /// The function of that name, with what a declaration adds to what is known about it.
    pub(super) fn function_of(&mut self, name: Symbol, ty: Ty, words: Words, span: Span) -> Checked<FunctionId> {
        if let Some(Entity::Object(_) | Entity::Typedef(..) | Entity::Enumerator(..)) = self.entities.get_here(name) {
            return self.declared_twice(name, span);
        }
        let id = match self.linked.get(&name).copied() {
            Some(Entity::Function(id)) => {
                let old = self.unit.functions[id].ty;
                if self.unit.functions[id].is_implicit {
                    self.unit.functions[id].ty = ty;
                    self.unit.functions[id].is_implicit = false;
                } else if self.types().compatible(old, ty) {
                    self.unit.functions[id].ty = self.unit.types.composite(old, ty);
                } else {
                    let (new, old) = (self.show(ty), self.show(old));
                    let message = format!("`{}` is declared with two types, `{old}` and `{new}`", self.text(name));
                    return self.error(Diagnostic::at(span, message, "the second declaration"));
                }
                id
            }
            Some(_) => return self.declared_twice(name, span),
            None => {
                let text = self.names().shared(name);
                let id = self.new_function(&text, ty, span);
                self.linked.insert(name, Entity::Function(id));
                id
            }
        };
        let function = &mut self.unit.functions[id];
        function.is_static |= words.is_static;
        function.is_inline |= words.is_inline;
        function.is_noreturn |= words.is_noreturn;
        self.entities.set(name, Entity::Function(id));
        Ok(id)
    }

    fn declare_object(&mut self, declared: &Declared, out: &mut Vec<StmtId>) -> Checked<()> {
        if self.types().is_void(declared.ty) {
            let message = format!("`{}` cannot have type `void`", self.text(declared.name));
            return self.error(Diagnostic::at(declared.span, message, "no type of an object"));
        }
        let words = declared.words;
        if self.is_file_scope() || words.is_extern {
            return self.declare_linked(declared);
        }
        if words.is_static { self.declare_static_local(declared) } else { self.declare_local(declared, out) }
    }

    fn new_object(&mut self, declared: &Declared, storage: Storage, unique_name: String) -> ObjectId {
        self.unit.objects.push(Object {
            name: self.unit.names.shared(declared.name),
            unique_name,
            ty: declared.ty,
            storage,
            is_thread_local: declared.words.is_thread,
            is_defined: true,
            is_weak: false,
            init: None,
            is_address_taken: false,
            align: declared.align,
            span: declared.span,
        })
    }

    /// An object that other scopes or files know by its name.
    fn declare_linked(&mut self, declared: &Declared) -> Checked<()> {
        let Declared { name, span, ty, words, .. } = *declared;
        if !matches!(self.entities.get_here(name), None | Some(Entity::Object(_))) {
            return self.declared_twice(name, span);
        }
        let id = match self.linked.get(&name).copied() {
            Some(Entity::Object(id)) => {
                let old = self.unit.objects[id].ty;
                if old.qualifiers() != ty.qualifiers() || !self.types().compatible(old, ty) {
                    let (new, old) = (self.show(ty), self.show(old));
                    let message = format!("`{}` is declared with two types, `{old}` and `{new}`", self.text(name));
                    return self.error(Diagnostic::at(span, message, "the second declaration"));
                }
                self.unit.objects[id].ty = self.unit.types.composite(old, ty);
                id
            }
            Some(_) => return self.declared_twice(name, span),
            None => {
                let storage = if words.is_static { Storage::Static } else { Storage::Global };
                let text = self.text(name).to_owned();
                let unique_name = self.unique_static(&text);
                let id = self.new_object(declared, storage, unique_name);
                self.unit.objects[id].is_defined = false;
                self.linked.insert(name, Entity::Object(id));
                id
            }
        };
        if let Some((_, span)) = declared.attributes.alias {
            return self.refuse(span, "the attribute `alias` of an object is");
        }
        let object = &mut self.unit.objects[id];
        object.is_defined |= !words.is_extern || declared.init.is_some();
        object.align = object.align.max(declared.align);
        object.is_weak |= declared.attributes.is_weak;
        self.entities.set(name, Entity::Object(id));
        if let Some(init) = declared.init {
            if self.unit.objects[id].init.is_some() {
                let message = format!("`{}` gets two first values", self.text(name));
                return self.error(Diagnostic::at(span, message, "the second one"));
            }
            self.initialise_static(id, init)?;
        }
        self.check_complete(id)
    }

    fn initialise_static(&mut self, id: ObjectId, init: &Init) -> Checked<()> {
        let outer = std::mem::replace(&mut self.in_static_initialiser, true);
        let result = self.initialise(self.unit.objects[id].ty, init, true);
        self.in_static_initialiser = outer;
        let (init, ty) = result?;
        let object = &mut self.unit.objects[id];
        (object.init, object.ty) = (Some(init), ty);
        Ok(())
    }

    /// An object that is defined needs a size; at file scope it may still come.
    fn check_complete(&mut self, id: ObjectId) -> Checked<()> {
        let object = &self.unit.objects[id];
        let (ty, span, is_defined) = (object.ty, object.span, object.is_defined);
        if is_defined && !self.is_file_scope() && !self.types().is_complete_object(ty) {
            return self.incomplete(ty, span);
        }
        Ok(())
    }

    fn declare_static_local(&mut self, declared: &Declared) -> Checked<()> {
        self.check_new_here(declared)?;
        if self.types().is_variably_modified(declared.ty) {
            let message = "an object of static storage cannot have a computed length";
            return self.error(Diagnostic::at(declared.span, message, "declared `static`"));
        }
        let function = self.function.as_ref().map(|f| self.unit.functions[f.id].name.clone());
        let name = format!("{}.{}", function.as_deref().unwrap_or(""), self.text(declared.name));
        let unique_name = self.unique_static(&name);
        let id = self.new_object(declared, Storage::Static, unique_name);
        self.entities.set(declared.name, Entity::Object(id));
        if let Some(init) = declared.init {
            self.initialise_static(id, init)?;
        }
        self.check_complete(id)
    }

    fn check_new_here(&mut self, declared: &Declared) -> Checked<()> {
        match self.entities.get_here(declared.name) {
            None => Ok(()),
            Some(_) => self.declared_twice(declared.name, declared.span),
        }
    }

    fn declare_local(&mut self, declared: &Declared, out: &mut Vec<StmtId>) -> Checked<()> {
        self.check_new_here(declared)?;
        self.flush_lengths(out, declared.span);
        let Some(function) = self.function.as_ref().map(|f| f.id) else {
            return self.error(Diagnostic::at(declared.span, "an object outside of any function", "here"));
        };
        let unique_name = self.unique_local(declared.name);
        let id = self.new_object(declared, Storage::Local(function), unique_name);
        self.entities.set(declared.name, Entity::Object(id));
        self.own_local(id);
        let mut local_init = None;
        if let Some(init) = declared.init {
            if self.types().is_variable_length(declared.ty) {
                let message = "an array of computed length cannot have a first value";
                return self.error(Diagnostic::at(declared.span, message, "has one"));
            }
            let (init, ty) = self.initialise(declared.ty, init, false)?;
            self.unit.objects[id].ty = ty;
            local_init = Some(Box::new(init));
        }
        self.check_complete(id)?;
        let stmt = self.stmt(StmtKind::Declare(id, local_init), declared.span);
        out.push(stmt);
        Ok(())
    }

    /// Adds a local to the function and to the innermost block.
    pub(super) fn own_local(&mut self, id: ObjectId) {
        if let Some(context) = &mut self.function {
            context.locals.push(id);
            if let Some(block) = context.blocks.last_mut() {
                block.push(id);
            }
        }
    }

    /// A name for an object of static storage that no other has.
    pub(super) fn unique_static(&mut self, name: &str) -> String {
        let count = self.static_names.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}.{count}") }
    }

    /// A name for a local that no other of the function has.
    pub(super) fn unique_local(&mut self, name: Symbol) -> String {
        let text = match self.text(name) {
            "" => "literal".to_owned(),
            text => text.to_owned(),
        };
        let Some(context) = &mut self.function else { return text };
        let count = context.local_names.entry(name).or_insert(0);
        *count += 1;
        if *count == 1 { text } else { format!("{text}.{count}") }
    }

    /// At the end of the file: an array without a length has one element, and what is defined is complete.
    pub(super) fn finish_objects(&mut self) {
        for id in self.unit.objects.ids() {
            let object = &self.unit.objects[id];
            let (ty, span) = (object.ty, object.span);
            if !object.is_defined {
                continue;
            }
            if let TypeKind::Array(element, Length::Unknown) = *self.types().kind(ty) {
                let message = format!("the array `{}` is taken to have one element", object.name);
                self.unit.objects[id].ty = self.unit.types.array_of(element, Length::Fixed(1));
                self.assume(span, message);
            } else if !self.types().is_complete_object(ty) {
                // The message is what counts.
                let _ = self.incomplete::<()>(ty, span);
            }
        }
    }
}
