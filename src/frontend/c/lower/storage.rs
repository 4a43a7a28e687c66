//! Where objects are: variables, and memory that variables point to.

use super::{Lower, Lowered, Storage};
use crate::frontend::c::tree::{self, ObjectId, StringId, StringLiteral};
use crate::frontend::c::types::{Length, Ty};
use crate::program::{Expr, OFFSET, Region, Role, Scope, Span, Statement, Type, VarId, Variable};
use crate::term::Integer;
use std::sync::Arc;

impl Lower<'_> {
    /// Where an object is; one of static storage is made when it is first asked for.
    pub(super) fn object(&mut self, object: ObjectId) -> Lowered<Storage> {
        match self.unit.objects[object].storage {
            tree::Storage::Local(_) | tree::Storage::Parameter(_) => match self.body.locals.get(&object) {
                Some(storage) => Ok(*storage),
                None => Err(self.refuse("this use of a local outside of its function is")),
            },
            _ if self.unit.objects[object].is_thread_local && self.has_threads => self.thread_object(object),
            tree::Storage::Global | tree::Storage::Static => self.static_object(object),
        }
    }

    /// Whether the object must be in memory.
    pub(super) fn needs_memory(&self, object: ObjectId) -> bool {
        let object = &self.unit.objects[object];
        object.is_address_taken || self.scalar(object.ty).is_none()
    }

    fn static_object(&mut self, object: ObjectId) -> Lowered<Storage> {
        if let Some(storage) = self.linked[self.current].statics.get(&object) {
            return Ok(*storage);
        }
        let (unit_number, id) = self.definition_of(object);
        if let Some(storage) = self.linked[unit_number].statics.get(&id).copied() {
            self.linked[self.current].statics.insert(object, storage);
            return Ok(storage);
        }
        let (from, declared) = (self.current, object);
        self.enter_unit(unit_number);
        let made = self.make_static(id);
        self.enter_unit(from);
        let storage = made?;
        self.linked[from].statics.insert(declared, storage);
        Ok(storage)
    }

    /// The unit and object that define an object of static storage; itself where nothing does.
    pub(super) fn definition_of(&self, object: ObjectId) -> (usize, ObjectId) {
        let node = &self.unit.objects[object];
        match self.defined_objects.get(&*node.name) {
            Some(found) if node.storage == tree::Storage::Global => *found,
            _ => (self.current, object),
        }
    }

    fn make_static(&mut self, object: ObjectId) -> Lowered<Storage> {
        let unit = self.unit;
        let node = &unit.objects[object];
        let saved_span = self.body.span.replace(node.span);
        let is_memory = self.needs_memory(object) || self.is_in_memory_elsewhere(object);
        let storage = if is_memory {
            let ty = match self.unit.types.as_array(node.ty) {
                // A tentative array without a length has one element.
                Some((element, Length::Unknown)) if node.is_defined => element,
                _ => node.ty,
            };
            let size = self.size(ty)?;
            let pointer = self.global(&format!("&{}", node.unique_name), Type::Pointer, Some(node.span));
            self.note_shape(pointer, ty);
            self.fixed.insert(pointer);
            self.sizes.insert(pointer, size);
            let size = Expr::Int(Integer::from(size as i64), OFFSET);
            let zeroed = node.is_defined;
            // What another file defines may be no constant there.
            let region = if zeroed { self.region_of(pointer, node.ty, true) } else { Region::Static };
            self.program.init.push(Statement::Allocate { target: pointer, size, region, zeroed });
            Storage::Memory(pointer)
        } else {
            let ty = self.scalar_type(node.ty)?;
            let variable = self.global(&node.unique_name, ty, Some(node.span));
            self.note_shape(variable, node.ty);
            Storage::Variable(variable)
        };
        self.linked[self.current].statics.insert(object, storage);
        self.initialise_static(object, storage).inspect_err(|_| self.unsupported.refuse())?;
        self.body.span = saved_span;
        Ok(storage)
    }

    /// Whether another unit takes the address of a global that both see.
    fn is_in_memory_elsewhere(&self, object: ObjectId) -> bool {
        let node = &self.unit.objects[object];
        self.linked.len() > 1
            && node.storage == tree::Storage::Global
            && self.linked.iter().any(|linked| {
                let mut objects = linked.unit.objects.iter();
                objects.any(|other| {
                    other.storage == tree::Storage::Global && other.name == node.name && other.is_address_taken
                })
            })
    }

    /// A fresh global variable.
    pub(super) fn global(&mut self, name: &str, ty: Type, span: Option<Span>) -> VarId {
        let name = self.unique_name(None, name);
        self.program.variables.push(Variable { name, ty, scope: Scope::Global, role: Role::Data, span })
    }

    /// The variable that points to a string literal.
    pub(super) fn string(&mut self, string: StringId) -> Lowered<VarId> {
        if let Some(pointer) = self.linked[self.current].strings.get(&string) {
            return Ok(*pointer);
        }
        let unit = self.unit;
        let literal = &unit.strings[string];
        let pointer = self.global("&string", Type::Pointer, self.body.span);
        self.fixed.insert(pointer);
        let bytes = self.literal_bytes(literal, literal.units.len())?;
        let size = Expr::Int(Integer::from(bytes.len() as i64), OFFSET);
        self.constants.insert(pointer);
        self.program.init.push(Statement::Allocate { target: pointer, size, region: Region::Literal, zeroed: true });
        if bytes.iter().any(|byte| *byte != 0) {
            self.program.init.push(Statement::Write { target: Expr::Var(pointer), bytes });
        }
        self.linked[self.current].strings.insert(string, pointer);
        Ok(pointer)
    }

    /// The bytes of the first so many elements of a string literal.
    pub(super) fn literal_bytes(&mut self, literal: &StringLiteral, count: usize) -> Lowered<Arc<[u8]>> {
        let width = self.size(literal.element)? as usize;
        let units = literal.units.iter().take(count);
        Ok(units.flat_map(|unit| unit.to_le_bytes().into_iter().take(width)).collect())
    }

    /// Makes the object of a local at the start of each activation; its variable where it needs none.
    pub(super) fn make_local(&mut self, object: ObjectId) -> Lowered<Storage> {
        let unit = self.unit;
        let node = &unit.objects[object];
        let saved_span = self.body.span.replace(node.span);
        let storage = if unit.types.is_variable_length(node.ty) {
            // Made where the declaration is reached, when its length is known.
            Storage::Memory(self.local(&format!("&{}", node.name), Type::Pointer, Some(node.span)))
        } else if self.needs_memory(object) {
            let size = self.size(node.ty)?;
            let pointer = self.local(&format!("&{}", node.name), Type::Pointer, Some(node.span));
            self.fixed.insert(pointer);
            self.sizes.insert(pointer, size);
            let size = Expr::Int(Integer::from(size as i64), OFFSET);
            let region = self.region_of(pointer, node.ty, false);
            self.body.entry_block.push(Statement::Allocate { target: pointer, size, region, zeroed: false });
            Storage::Memory(pointer)
        } else {
            let ty = self.scalar_type(node.ty)?;
            Storage::Variable(self.local(&node.name, ty, Some(node.span)))
        };
        let (Storage::Variable(variable) | Storage::Memory(variable)) = storage;
        self.note_shape(variable, node.ty);
        self.body.locals.insert(object, storage);
        self.follow_reads(object, variable);
        self.body.span = saved_span;
        Ok(storage)
    }

    /// The size in bytes of an object whose type may have a computed length.
    pub(super) fn computed_size(&mut self, ty: Ty) -> Lowered<Expr> {
        match self.unit.types.as_array(ty) {
            Some((element, length)) if self.unit.types.is_variable_length(ty) => {
                let element = self.computed_size(element)?;
                let count = match length {
                    Length::Fixed(count) => Expr::Int(Integer::from(count as i64), OFFSET),
                    Length::Variable(vla) => match self.body.lengths.get(&vla) {
                        Some(length) => super::arithmetic::cast(OFFSET, Expr::Var(*length)),
                        None => return Err(self.refuse("the length of this array is")),
                    },
                    Length::Unknown => return Err(self.refuse("an array of unknown length is")),
                };
                Ok(super::arithmetic::binary(crate::program::BinaryOp::Mul, count, element))
            }
            _ => Ok(Expr::Int(Integer::from(self.size(ty)? as i64), OFFSET)),
        }
    }
}
