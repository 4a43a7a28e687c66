//! First values of objects.

use super::body::Body;
use super::parts::Parts;
use super::place::Place;
use super::{Lower, Lowered, Storage};
use crate::frontend::c::tree::{ExprKind, InitItem, Initialiser, ObjectId, StmtId, StmtKind, Unit};
use crate::frontend::c::types::{BitField, Length, Ty, TypeKind, Types};
use crate::program::{Expr, OFFSET, Region, Statement, Type, UNWRITTEN, VarId};
use crate::term::Integer;

/// Whether a jump may lead into a statement.
fn has_label(unit: &Unit, statement: StmtId) -> bool {
    match &unit.stmts[statement].kind {
        StmtKind::Label(_) => true,
        StmtKind::Block { stmts, .. } => stmts.iter().any(|inner| has_label(unit, *inner)),
        StmtKind::If { arms, otherwise } => {
            let bodies = arms.iter().map(|(_, body)| body).chain(otherwise);
            bodies.into_iter().any(|inner| has_label(unit, *inner))
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::For { body, .. } => has_label(unit, *body),
        _ => false,
    }
}

/// So many pieces of padding, and so many bytes of an object, are looked at.
const MAX_PADDING: usize = 64;
const MAX_PADDED: u64 = 1 << 16;

impl Lower<'_> {
    /// Gives an object of static storage its first value, in `init`.
    pub(super) fn initialise_static(&mut self, object: ObjectId, storage: Storage) -> Lowered<()> {
        let unit = self.unit;
        let node = &unit.objects[object];
        match storage {
            Storage::Variable(variable) => {
                if !node.is_defined {
                    // What another file defines may hold anything.
                    let is_pointer = self.program.variables[variable].ty == Type::Pointer;
                    if is_pointer && self.options.rules.outside_is_open() && self.visible_objects().len() > 1 {
                        self.assume(format!("the pointer `{}` is to no object of the program", node.name));
                    }
                    self.program.init.push(Statement::Havoc { target: variable, span: Some(node.span) });
                    return Ok(());
                }
                let item = node.init.as_ref().and_then(|init| init.items.last());
                let value = match item {
                    Some(item) => self.in_init(|this| this.value(item.value))?,
                    None => self.zero(node.ty)?,
                };
                self.program.init.push(Statement::Assign(vec![(variable, value)]));
            }
            Storage::Memory(pointer) => {
                let Some(initialiser) = &node.init else { return Ok(()) };
                for item in &initialiser.items {
                    self.in_init(|this| this.store_item(Expr::Var(pointer), item))?;
                }
            }
        }
        Ok(())
    }

    /// Lowers something whose statements belong to `init`.
    fn in_init<T>(&mut self, inner: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let empty = Body::new(self.body.procedure, self.body.span);
        let own = std::mem::replace(&mut self.body, empty);
        self.body.is_atomic = true;
        let checks = self.inside_init;
        self.inside_init = true;
        let start = self.location();
        self.start_at(start);
        let result = inner(self);
        self.inside_init = checks;
        let body = std::mem::replace(&mut self.body, own);
        let result = result?;
        if body.has_edges() || body.has_temporaries() {
            return Err(self.refuse("this first value of a static object is"));
        }
        self.program.init.extend(body.into_block());
        Ok(result)
    }

    /// Zero of a scalar type.
    pub(super) fn zero(&mut self, ty: Ty) -> Lowered<Expr> {
        if let TypeKind::Float(_) = self.unit.types.kind(ty) {
            return self.float_constant(0.0, ty);
        }
        let ty = self.scalar_type(ty)?;
        Ok(self.constant(0, ty))
    }

    /// Gives a local its first value.
    pub(super) fn initialise(&mut self, object: ObjectId, storage: Storage, init: &Initialiser) -> Lowered<()> {
        let ty = self.unit.objects[object].ty;
        match storage {
            Storage::Variable(variable) => match init.items.last() {
                Some(item) => self.value_into(variable, item.value),
                None => {
                    let zero = self.zero(ty)?;
                    self.write(&Place::Variable(variable), zero)
                }
            },
            Storage::Memory(pointer) => {
                self.giving_value(pointer, |this| this.initialise_memory(object, pointer, init))
            }
        }
    }

    fn initialise_memory(&mut self, object: ObjectId, pointer: VarId, init: &Initialiser) -> Lowered<()> {
        let ty = self.unit.objects[object].ty;
        if let [item] = &init.items[..]
            && item.bits.is_none()
            && self.is_record(item.ty)
            && self.unit.types.size_of(item.ty) == self.unit.types.size_of(ty)
            && self.covers_all(item)
        {
            return self.store_item(Expr::Var(pointer), item);
        }
        let whole = init.zero_rest || init.items.iter().any(|item| item.bits.is_some());
        if whole {
            let size = self.computed_size(ty)?;
            let zero = Expr::Int(Integer::ZERO, Type::machine(8, false));
            // Nobody else can know of the object before it has its first value.
            self.fill(Expr::Var(pointer), zero, size, Parts::Whole)?;
            self.forget_padding(pointer, ty);
        } else if self.may_repeat() && !self.is_scalar_object(ty) {
            self.forget_contents(object, Storage::Memory(pointer))?;
        }
        init.items.iter().try_for_each(|item| self.store_item(Expr::Var(pointer), item))
    }

    /// Whether the value writes all of its part: a string may be shorter than its array.
    fn covers_all(&self, item: &InitItem) -> bool {
        let unit = self.unit;
        match (unit.types.as_array(item.ty), &unit.exprs[item.value].kind) {
            (Some((_, Length::Fixed(length))), ExprKind::Str(string)) => {
                unit.strings[*string].units.len() as u64 >= length
            }
            _ => true,
        }
    }

    fn is_scalar_object(&self, ty: Ty) -> bool {
        self.unit.types.is_scalar(ty)
    }

    /// Stores one part of a first value.
    pub(super) fn store_item(&mut self, object: Expr, item: &InitItem) -> Lowered<()> {
        let address = self.offset_by(object, item.offset);
        let unit = self.unit;
        let value = &unit.exprs[item.value];
        if let (TypeKind::Array(element, _), ExprKind::Str(string)) = (unit.types.kind(item.ty), &value.kind) {
            let count = self.size(item.ty)? / self.size(*element)?;
            let bytes = self.literal_bytes(&unit.strings[*string], count as usize)?;
            self.emit(Statement::Write { target: address, bytes });
            return Ok(());
        }
        if self.is_record(item.ty) {
            return self.copy_value(address, item.value, item.ty);
        }
        let value = self.value(item.value)?;
        let bits: Option<BitField> = item.bits;
        self.write(&Place::Memory { address, bits, ty: item.ty }, value)
    }

    /// A block begins: what its objects held when it was executed before is forgotten where a jump may pass by a declaration.
    pub(super) fn forget_passed_by(&mut self, block: StmtId) -> Lowered<()> {
        let unit = self.unit;
        let StmtKind::Block { stmts, objects } = &unit.stmts[block].kind else { return Ok(()) };
        if !self.is_reached() || !self.may_repeat() || !stmts.iter().any(|inner| has_label(unit, *inner)) {
            return Ok(());
        }
        for object in objects {
            let is_literal = &*unit.objects[*object].name == "literal";
            if is_literal || unit.types.is_variable_length(unit.objects[*object].ty) {
                continue;
            }
            let storage = self.object(*object)?;
            self.forget_contents(*object, storage)?;
        }
        Ok(())
    }

    /// A local without a first value holds anything.
    pub(super) fn forget_contents(&mut self, object: ObjectId, storage: Storage) -> Lowered<()> {
        let unit = self.unit;
        let node = &unit.objects[object];
        let (Storage::Variable(variable) | Storage::Memory(variable)) = storage;
        self.note_no_value(variable);
        match storage {
            Storage::Variable(target) => self.emit_input(target, Some(node.span)),
            Storage::Memory(target) if unit.types.is_variable_length(node.ty) => {
                let size = self.computed_size(node.ty)?;
                let size = self.keep(size);
                self.emit(Statement::Allocate { target, size, region: Region::Stack, zeroed: false });
            }
            Storage::Memory(pointer) if self.may_repeat() => {
                let size = self.size(node.ty)?;
                if size > 0 {
                    let source = Expr::Var(self.unwritten(size));
                    let bytes = Expr::Int(Integer::from(size as i64), OFFSET);
                    self.emit_visible(Statement::Copy { target: Expr::Var(pointer), source, bytes });
                }
            }
            // It is fresh at the start of the activation, and this is reached once.
            Storage::Memory(_) => {}
        }
        Ok(())
    }

    /// The padding of a local holds anything, whatever its members are.
    fn forget_padding(&mut self, object: VarId, ty: Ty) {
        let runs = match padding(&self.unit.types, ty) {
            Some(runs) if runs.len() <= MAX_PADDING => runs,
            _ => return self.assume("the padding of a large object is zero".to_owned()),
        };
        for (offset, length) in runs {
            let source = Expr::Var(self.unwritten(length));
            let target = self.offset_by(Expr::Var(object), offset);
            let bytes = Expr::Int(Integer::from(length as i64), OFFSET);
            self.emit_visible(Statement::Copy { target, source, bytes });
        }
    }

    /// A static object of at least so many bytes that nothing ever writes.
    pub(super) fn unwritten(&mut self, size: u64) -> VarId {
        if let Some((found, _)) = self.unwritten.iter().find(|(_, known)| *known == size) {
            return *found;
        }
        let pointer = self.global(UNWRITTEN, Type::Pointer, None);
        self.fixed.insert(pointer);
        let bytes = Expr::Int(Integer::from(size as i64), OFFSET);
        let allocate = Statement::Allocate { target: pointer, size: bytes, region: Region::Static, zeroed: false };
        self.program.init.push(allocate);
        self.unwritten.push((pointer, size));
        pointer
    }
}

/// The bytes of a type that belong to no member, as offsets and lengths; none where it is too large to look at each.
fn padding(types: &Types, ty: Ty) -> Option<Vec<(u64, u64)>> {
    if !may_have_padding(types, ty) {
        return Some(Vec::new());
    }
    let size = types.size_of(ty).filter(|size| *size <= MAX_PADDED)?;
    let mut is_member = vec![false; size as usize];
    mark_members(types, ty, 0, &mut is_member);
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for offset in (0..size).filter(|offset| !is_member[*offset as usize]) {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == offset => *length += 1,
            _ => runs.push((offset, 1)),
        }
    }
    Some(runs)
}

/// Whether a type has a structure in it with bytes between its members.
fn may_have_padding(types: &Types, ty: Ty) -> bool {
    if let Some((element, _)) = types.as_array(ty) {
        return may_have_padding(types, element);
    }
    let (Some(record), Some(body)) = (types.as_record(ty), types.record_body(ty)) else { return false };
    if types.records[record].is_union {
        return false;
    }
    let has_bits = body.fields.iter().any(|field| field.bits.is_some());
    let members: u64 = body.fields.iter().filter_map(|field| types.size_of(field.ty)).sum();
    has_bits || members < body.size || body.fields.iter().any(|field| may_have_padding(types, field.ty))
}

/// Marks the bytes of members. All bytes of a union count, and all of which a bit-field has a bit.
fn mark_members(types: &Types, ty: Ty, offset: u64, is_member: &mut [bool]) {
    if let Some((element, Length::Fixed(length))) = types.as_array(ty) {
        let size = types.size_of(element).unwrap_or(0);
        for index in 0..length {
            mark_members(types, element, offset + index * size, is_member);
        }
        return;
    }
    let structure = types.as_record(ty).filter(|record| !types.records[*record].is_union);
    match structure.and_then(|_| types.record_body(ty)) {
        None => mark(is_member, offset, types.size_of(ty).unwrap_or(0)),
        Some(body) => {
            for field in &body.fields {
                match field.bits {
                    Some(BitField { shift, width }) => {
                        let (first, bits) = (u64::from(shift) / 8, u64::from(shift) + u64::from(width));
                        mark(is_member, offset + field.offset + first, bits.div_ceil(8) - first);
                    }
                    None => mark_members(types, field.ty, offset + field.offset, is_member),
                }
            }
        }
    }
}

fn mark(is_member: &mut [bool], from: u64, length: u64) {
    let end = is_member.len().min((from + length) as usize);
    is_member[(from as usize).min(end)..end].fill(true);
}
