//! What variables and memory are in the source, for reports.

use super::Lower;
use crate::frontend::c::types::{FloatKind, IntKind, Ty, TypeKind};
use crate::program::{Scope, Shape, ShapeId, ShapeKind, VarId};

impl Lower<'_> {
    /// Notes what a variable is in the source; of one that points to an object that has a name, what the object is.
    pub(super) fn note_shape(&mut self, variable: VarId, ty: Ty) {
        if self.current >= self.user_units {
            return;
        }
        let shape = self.shape_id(ty);
        let procedure = match self.program.variables[variable].scope {
            Scope::Global => None,
            Scope::Local(procedure) => Some(procedure),
        };
        let name = self.program.variables[variable].name.clone();
        self.program.shapes.of.insert((procedure, name), shape);
    }

    fn shape_id(&mut self, ty: Ty) -> ShapeId {
        let key = (self.current, ty.unqualified());
        if let Some(shape) = self.shapes.get(&key) {
            return *shape;
        }
        let unit = self.unit;
        let bytes = if unit.types.is_variable_length(ty) { 0 } else { unit.types.size_of(ty).unwrap_or(0) };
        // A structure may point to itself, so that it has a number before its fields have.
        let id = self.program.shapes.all.len() as ShapeId;
        self.program.shapes.all.push(Shape { bytes, kind: ShapeKind::Other });
        self.shapes.insert(key, id);
        let kind = match unit.types.kind(ty) {
            TypeKind::Bool => ShapeKind::Truth,
            TypeKind::Int(IntKind::Char) => ShapeKind::Character,
            TypeKind::Int(_) | TypeKind::Enum(_) => {
                let (width, signed) = unit.types.int_format(ty).unwrap_or((0, false));
                ShapeKind::Number { width, signed }
            }
            TypeKind::Float(FloatKind::Float) => ShapeKind::Float(crate::program::FloatKind::F32),
            TypeKind::Float(FloatKind::Double) => ShapeKind::Float(crate::program::FloatKind::F64),
            TypeKind::Pointer(target) => ShapeKind::Pointer(self.shape_id(*target)),
            TypeKind::Array(element, _) => ShapeKind::Array(self.shape_id(*element)),
            TypeKind::Record(record) => {
                let name = unit.types.records[*record].tag.map_or("object", |tag| unit.names.text(tag)).to_owned();
                let body = unit.types.record_body(ty);
                let fields = body.into_iter().flat_map(|body| &body.fields).filter(|field| field.bits.is_none());
                let field = |field: &crate::frontend::c::types::Field| {
                    let name = field.name.map_or("", |name| unit.names.text(name)).to_owned();
                    (name, field.offset, self.shape_id(field.ty))
                };
                ShapeKind::Record { name, fields: fields.map(field).collect() }
            }
            TypeKind::Void | TypeKind::VaList | TypeKind::Float(_) | TypeKind::Function(_) => ShapeKind::Other,
        };
        self.program.shapes.all[id as usize].kind = kind;
        id
    }
}
