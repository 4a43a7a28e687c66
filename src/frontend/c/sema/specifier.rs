//! The types that specifiers name: basic types, structures, unions and enumerations.

use super::{Checked, Entity, Sema, Tag};
use crate::frontend::c::ast::{self, Basic, EnumSpec, MemberDeclaration, RecordSpec, Specifiers, TypeName, TypeSpec};
use crate::frontend::c::layout::{self, Member, Request};
use crate::frontend::c::names::Symbol;
use crate::frontend::c::types::{
    EnumId, Enumeration, Field, FloatKind, IntKind, Length, Record, RecordBody, RecordId, Ty, TypeKind,
};
use crate::program::{Diagnostic, Span};
use rustc_hash::FxHashSet;

fn basic(basic: Basic) -> Ty {
    match basic {
        Basic::Void => Ty::VOID,
        Basic::Bool => Ty::BOOL,
        Basic::Char => Ty::CHAR,
        Basic::SignedChar => Ty::int(IntKind::SChar),
        Basic::UnsignedChar => Ty::int(IntKind::UChar),
        Basic::Short => Ty::int(IntKind::Short),
        Basic::UnsignedShort => Ty::int(IntKind::UShort),
        Basic::Int => Ty::INT,
        Basic::UnsignedInt => Ty::UINT,
        Basic::Long => Ty::int(IntKind::Long),
        Basic::UnsignedLong => Ty::int(IntKind::ULong),
        Basic::LongLong => Ty::int(IntKind::LongLong),
        Basic::UnsignedLongLong => Ty::int(IntKind::ULongLong),
        Basic::Int128 => Ty::int(IntKind::Int128),
        Basic::UnsignedInt128 => Ty::int(IntKind::UInt128),
        Basic::Float => Ty::float(FloatKind::Float),
        Basic::Double => Ty::float(FloatKind::Double),
        Basic::LongDouble => Ty::float(FloatKind::LongDouble),
        Basic::Float128 => Ty::float(FloatKind::Float128),
    }
}

impl Sema<'_> {
    /// The type that specifiers name, and the alignment that a `typedef` gave it. With `is_alone`, no declarator
    /// follows, so that `struct s;` declares a new structure.
    pub(super) fn specified(&mut self, specifiers: &Specifiers, is_alone: bool) -> Checked<(Ty, Option<u64>)> {
        let span = specifiers.span;
        let mut align = None;
        let ty = match &specifiers.ty {
            TypeSpec::Basic(Basic::Int128 | Basic::UnsignedInt128) if self.types().model.pointer_bytes() == 4 => {
                return self.refuse(span, "`__int128` with 32-bit pointers is");
            }
            TypeSpec::Basic(word) => basic(*word),
            TypeSpec::Record(spec) => self.record(spec, is_alone)?,
            TypeSpec::Enum(spec) => self.enumeration(spec, is_alone)?,
            TypeSpec::Named(name) => match self.entities.get(*name).copied() {
                Some(Entity::Typedef(ty, typedef_align)) => {
                    align = typedef_align;
                    ty
                }
                _ => {
                    let message = format!("`{}` is no type here", self.text(*name));
                    return self.error(Diagnostic::at(span, message, "its declaration is wrong or hidden"));
                }
            },
            TypeSpec::TypeofExpr(expr) => {
                let expr = self.unevaluated(|sema| sema.expr(*expr))?;
                self.ty(expr)
            }
            TypeSpec::TypeofType(name) => {
                let (ty, inner) = self.type_name_with_align(name)?;
                align = inner;
                ty
            }
            TypeSpec::VaList => Ty::VA_LIST,
            TypeSpec::Auto => {
                return self.error(Diagnostic::at(span, "`__auto_type` needs a first value of one object", "here"));
            }
            TypeSpec::Missing => {
                self.assume(span, "a declaration without a type is taken to mean int".to_owned());
                Ty::INT
            }
        };
        Ok((self.unit.types.qualified(ty, specifiers.qualifiers), align))
    }

    pub(super) fn type_name(&mut self, name: &TypeName) -> Checked<Ty> {
        self.type_name_with_align(name).map(|(ty, _)| ty)
    }

    pub(super) fn type_name_with_align(&mut self, name: &TypeName) -> Checked<(Ty, Option<u64>)> {
        let (base, align) = self.specified(&name.specifiers, false)?;
        let list = name.specifiers.attributes.iter().chain(&name.declarator.attributes);
        let attributes = self.attributes(list)?;
        let ty = self.built(base, &name.declarator.chunks, name.declarator.span)?;
        let ty = self.moded(ty, &attributes)?;
        let inherited = align.filter(|_| name.declarator.chunks.is_empty());
        Ok((ty, attributes.align.or(inherited)))
    }

    fn record(&mut self, spec: &RecordSpec, is_alone: bool) -> Checked<Ty> {
        let id = self.record_id(spec, is_alone)?;
        if let Some(members) = &spec.members {
            if self.types().records[id].body.is_some() {
                let name = spec.tag.map_or("it", |(tag, _)| self.unit.names.text(tag));
                let message = format!("`{name}` is defined twice");
                return self.error(Diagnostic::at(spec.span, message, "the second definition"));
            }
            let body = self.record_body(spec, members)?;
            self.unit.types.records[id].body = Some(body);
        }
        Ok(self.unit.types.intern(TypeKind::Record(id)))
    }

    fn record_id(&mut self, spec: &RecordSpec, is_alone: bool) -> Checked<RecordId> {
        let Some((tag, span)) = spec.tag else { return Ok(self.new_record(None, spec)) };
        let here = spec.members.is_some() || is_alone;
        let known = if here { self.tags.get_here(tag) } else { self.tags.get(tag) };
        match known.copied() {
            Some(Tag::Record(id)) if self.types().records[id].is_union == spec.is_union => Ok(id),
            Some(_) => self.wrong_tag(tag, span),
            None => {
                let id = self.new_record(Some(tag), spec);
                self.tags.set(tag, Tag::Record(id));
                Ok(id)
            }
        }
    }

    fn wrong_tag<T>(&mut self, tag: Symbol, span: Span) -> Checked<T> {
        let message = format!("`{}` is the tag of another kind of type", self.text(tag));
        self.error(Diagnostic::at(span, message, "declared differently before"))
    }

    fn new_record(&mut self, tag: Option<Symbol>, spec: &RecordSpec) -> RecordId {
        let record = Record { tag, is_union: spec.is_union, body: None, span: spec.span };
        self.unit.types.records.push(record)
    }

    fn record_body(&mut self, spec: &RecordSpec, declarations: &[MemberDeclaration]) -> Checked<RecordBody> {
        let mut members = Vec::new();
        let mut fields = Vec::new();
        for declaration in declarations {
            match &declaration.assertion {
                Some(assertion) => self.static_assert(assertion)?,
                None => self.add_members(declaration, &mut members, &mut fields)?,
            }
        }
        self.check_members(spec, &fields)?;
        let attributes = self.attributes(&spec.attributes)?;
        let request = Request {
            is_union: spec.is_union,
            is_packed: attributes.is_packed,
            align: attributes.align,
            pack: u64::from(spec.pack),
        };
        let Some(layout) = layout::layout(self.types(), request, &members) else {
            return self.error(Diagnostic::at(spec.span, "this type is too large", "does not fit in memory"));
        };
        for (field, (offset, bits)) in fields.iter_mut().zip(&layout.places) {
            (field.offset, field.bits) = (*offset, *bits);
        }
        // Unnamed bit-fields only make room.
        fields.retain(|field| field.name.is_some() || field.bits.is_none());
        let (size, align) = (layout.size, layout.align);
        let is_transparent = attributes.is_transparent && spec.is_union;
        Ok(RecordBody { fields, size, align, is_user_aligned: layout.is_user_aligned, is_transparent })
    }

    fn add_members(
        &mut self,
        declaration: &MemberDeclaration,
        members: &mut Vec<Member>,
        fields: &mut Vec<Field>,
    ) -> Checked<()> {
        let specifiers = &declaration.specifiers;
        let (base, base_align) = self.specified(specifiers, false)?;
        if declaration.members.is_empty() {
            let is_anonymous = matches!(&specifiers.ty, TypeSpec::Record(spec) if spec.tag.is_none());
            if is_anonymous {
                let attributes = self.attributes(&specifiers.attributes)?;
                let (align, is_packed) = (attributes.align, attributes.is_packed);
                members.push(Member { ty: base, type_align: None, align, is_packed, width: None, is_named: false });
                fields.push(Field { name: None, ty: base, offset: 0, bits: None, span: specifiers.span });
            }
            return Ok(());
        }
        for member in &declaration.members {
            let declarator = &member.declarator;
            let attributes = self.attributes(specifiers.attributes.iter().chain(&declarator.attributes))?;
            let ty = self.built(base, &declarator.chunks, declarator.span)?;
            let ty = self.moded(ty, &attributes)?;
            let only_arrays = declarator.chunks.iter().all(|chunk| matches!(chunk, ast::Chunk::Array { .. }));
            let width = match member.width {
                Some(width) => Some(self.bit_field_width(width, ty, declarator)?),
                None => None,
            };
            members.push(Member {
                ty,
                type_align: base_align.filter(|_| only_arrays),
                align: attributes.align,
                is_packed: attributes.is_packed,
                width,
                is_named: declarator.name.is_some(),
            });
            let name = declarator.name.map(|(name, _)| name);
            fields.push(Field { name, ty, offset: 0, bits: None, span: declarator.span });
        }
        Ok(())
    }

    fn bit_field_width(&mut self, width: ast::ExprId, ty: Ty, declarator: &ast::Declarator) -> Checked<u32> {
        let Some((bits, _)) = self.types().int_format(ty) else {
            let message = format!("a bit-field has to be of an integer type, not `{}`", self.show(ty));
            return self.error(Diagnostic::at(declarator.span, message, "no integer"));
        };
        let value = self.constant_size(width, "the width of this bit-field", u64::from(bits))?;
        if value == 0 && declarator.name.is_some() {
            let message = "a bit-field with a name has to have bits";
            return self.error(Diagnostic::at(declarator.span, message, "has none"));
        }
        Ok(value as u32)
    }

    /// Members have to be complete, the last one of a structure excepted, and their names different.
    fn check_members(&mut self, spec: &RecordSpec, fields: &[Field]) -> Checked<()> {
        let mut seen = FxHashSet::default();
        let mut names = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            if self.types().is_variable_length(field.ty) {
                return self.refuse(field.span, "a variable-length array in a structure is");
            }
            let is_flexible = matches!(self.types().kind(field.ty), TypeKind::Array(_, Length::Unknown));
            let is_last = i + 1 == fields.len() && !spec.is_union;
            let is_fine = self.types().is_complete_object(field.ty) || (is_flexible && is_last);
            if !is_fine {
                return self.incomplete(field.ty, field.span);
            }
            self.field_names(field, &mut names);
            for name in names.drain(..) {
                if !seen.insert(name) {
                    let message = format!("two members are called `{}`", self.text(name));
                    return self.error(Diagnostic::at(field.span, message, "the second one"));
                }
            }
        }
        Ok(())
    }

    /// The names by which a member, or a member of an anonymous one, is found.
    fn field_names(&self, field: &Field, out: &mut Vec<Symbol>) {
        match (field.name, self.types().record_body(field.ty)) {
            (Some(name), _) => out.push(name),
            (None, Some(body)) => body.fields.iter().for_each(|inner| self.field_names(inner, out)),
            (None, None) => {}
        }
    }

    fn enumeration(&mut self, spec: &EnumSpec, is_alone: bool) -> Checked<Ty> {
        let id = self.enum_id(spec, is_alone)?;
        if let Some(enumerators) = &spec.enumerators {
            if self.types().enums[id].underlying.is_some() {
                return self.error(Diagnostic::at(
                    spec.span,
                    "an enumeration is defined twice",
                    "the second definition",
                ));
            }
            self.define_enum(id, spec, enumerators)?;
        }
        Ok(self.unit.types.intern(TypeKind::Enum(id)))
    }

    fn enum_id(&mut self, spec: &EnumSpec, is_alone: bool) -> Checked<EnumId> {
        let tag = spec.tag.map(|(tag, _)| tag);
        let fresh = Enumeration { tag, underlying: None, enumerators: Vec::new() };
        let Some((tag, span)) = spec.tag else { return Ok(self.unit.types.enums.push(fresh)) };
        let here = spec.enumerators.is_some() || is_alone;
        let known = if here { self.tags.get_here(tag) } else { self.tags.get(tag) };
        match known.copied() {
            Some(Tag::Enum(id)) => Ok(id),
            Some(_) => self.wrong_tag(tag, span),
            None => {
                let id = self.unit.types.enums.push(fresh);
                self.tags.set(tag, Tag::Enum(id));
                Ok(id)
            }
        }
    }

    fn define_enum(
        &mut self,
        id: EnumId,
        spec: &EnumSpec,
        enumerators: &[(Symbol, Span, Option<ast::ExprId>)],
    ) -> Checked<()> {
        let mut next = 0i128;
        let mut values = Vec::with_capacity(enumerators.len());
        for (name, span, value) in enumerators {
            if let Some(expr) = value {
                self.in_enumerator = true;
                let value = self.constant(*expr, "the value of an enumerator");
                self.in_enumerator = false;
                next = value?.0;
            }
            let candidates = [IntKind::Int, IntKind::UInt, IntKind::LongLong, IntKind::ULongLong];
            let Some(ty) = candidates.into_iter().map(Ty::int).find(|ty| self.fits(next, *ty)) else {
                return self.error(Diagnostic::at(*span, "an enumerator does not fit 64 bits", "too large"));
            };
            if self.entities.get_here(*name).is_some() {
                let message = format!("`{}` is declared twice", self.text(*name));
                return self.error(Diagnostic::at(*span, message, "the second declaration"));
            }
            self.entities.set(*name, Entity::Enumerator(next, ty));
            values.push((*name, next));
            next += 1;
        }
        let is_packed = self.attributes(&spec.attributes)?.is_packed;
        let low = values.iter().map(|(_, value)| *value).min().unwrap_or(0);
        let high = values.iter().map(|(_, value)| *value).max().unwrap_or(0);
        let Some(kind) = self.enum_kind(low, high, is_packed) else {
            let message = "no integer type holds all values of this enumeration";
            return self.error(Diagnostic::at(spec.span, message, "too wide a range"));
        };
        // Enumerators that do not fit an `int` have the type of the enumeration.
        for (name, value) in &values {
            let ty = if self.fits(*value, Ty::INT) { Ty::INT } else { Ty::int(kind) };
            self.entities.set(*name, Entity::Enumerator(*value, ty));
        }
        let enumeration = &mut self.unit.types.enums[id];
        (enumeration.underlying, enumeration.enumerators) = (Some(kind), values);
        Ok(())
    }

    /// The type that represents an enumeration: `unsigned int` or `int`, or a wider one, or the narrowest when packed.
    fn enum_kind(&self, low: i128, high: i128, is_packed: bool) -> Option<IntKind> {
        use IntKind::*;
        let narrow: &[IntKind] = if is_packed { &[UChar, SChar, UShort, Short] } else { &[] };
        let wide = [UInt, Int, ULong, Long, ULongLong, LongLong];
        let mut candidates = narrow.iter().chain(&wide).copied().filter(|kind| kind.is_signed() == (low < 0));
        candidates.find(|kind| self.fits(low, Ty::int(*kind)) && self.fits(high, Ty::int(*kind)))
    }
}
