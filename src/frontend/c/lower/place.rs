//! Places: where an lvalue is, reading and writing there.

use super::arithmetic::{and, binary, cast, offset_of};
use super::{Lower, Lowered, Storage};
use crate::frontend::c::tree::{ExprId, ExprKind};
use crate::frontend::c::types::{BitField, Ty, TypeKind};
use crate::program::{BinaryOp, ErrorKind, Expr, OFFSET, Statement, Type, UnaryOp, VarId};
use crate::term::Integer;

/// Where an lvalue is.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// A variable.
    Variable(VarId),
    /// In memory.
    Memory {
        /// Where.
        address: Expr,
        /// Which bits, for a bit-field.
        bits: Option<BitField>,
        /// The type of what is there.
        ty: Ty,
    },
}

impl Lower<'_> {
    /// Where an lvalue is; evaluates what that takes.
    pub(super) fn place(&mut self, expr: ExprId) -> Lowered<Place> {
        let unit = self.unit;
        let node = &unit.exprs[expr];
        let address = match &node.kind {
            ExprKind::Object(object) => match self.object(*object)? {
                Storage::Variable(variable) => return Ok(Place::Variable(variable)),
                Storage::Memory(pointer) => Expr::Var(pointer),
            },
            ExprKind::Deref(pointer) => match self.element_to_check(*pointer) {
                Some(element) => self.element(element)?,
                None => self.accessed(*pointer)?,
            },
            ExprKind::Member { base, offset, bits } => {
                let base = self.address(*base)?;
                let address = self.offset_by(base, *offset);
                return Ok(Place::Memory { address, bits: *bits, ty: node.ty });
            }
            ExprKind::Str(string) => Expr::Var(self.string(*string)?),
            ExprKind::CompoundLiteral(object, initialiser) => {
                let storage = self.object(*object)?;
                if let Some(initialiser) = initialiser {
                    self.initialise(*object, storage, initialiser)?;
                }
                match storage {
                    Storage::Variable(variable) => return Ok(Place::Variable(variable)),
                    Storage::Memory(pointer) => Expr::Var(pointer),
                }
            }
            ExprKind::Temporary(value) => self.record(*value)?,
            _ => return Err(self.refuse("this place is")),
        };
        Ok(Place::Memory { address, bits: None, ty: node.ty })
    }

    /// The address of an lvalue in memory.
    pub(super) fn address(&mut self, expr: ExprId) -> Lowered<Expr> {
        match self.place(expr)? {
            Place::Memory { address, bits: None, .. } => Ok(address),
            Place::Memory { .. } => Err(self.refuse("the address of a bit-field is")),
            Place::Variable(_) => Err(self.refuse("the address of this object is")),
        }
    }

    /// A pointer moved by so many bytes.
    pub(super) fn offset_by(&mut self, pointer: Expr, bytes: u64) -> Expr {
        if bytes == 0 {
            return pointer;
        }
        let bytes = Integer::from(bytes as i64);
        match pointer {
            Expr::Binary(BinaryOp::PointerAdd, base, before) if matches!(*before, Expr::Int(..)) => {
                let moved = binary(BinaryOp::Add, *before, Expr::Int(bytes, OFFSET));
                Expr::Binary(BinaryOp::PointerAdd, base, Box::new(moved))
            }
            pointer => Expr::binary(BinaryOp::PointerAdd, pointer, Expr::Int(bytes, OFFSET)),
        }
    }

    /// Evaluates what a place is made of, so that it can be used more than once or after other effects.
    pub(super) fn keep_place(&mut self, place: Place) -> Place {
        match place {
            Place::Memory { address, bits, ty } => Place::Memory { address: self.keep(address), bits, ty },
            variable => variable,
        }
    }

    /// The same where evaluating the expression could change where the place is.
    pub(super) fn keep_place_across(&mut self, place: Place, later: ExprId) -> Place {
        match place {
            Place::Memory { address, bits, ty } => {
                let address = self.keep_across(address, later);
                Place::Memory { address, bits, ty }
            }
            variable => variable,
        }
    }

    /// The value at a place.
    pub(super) fn read(&mut self, place: &Place) -> Lowered<Expr> {
        match place {
            Place::Variable(variable) => {
                self.check_value(place);
                let value = Expr::Var(*variable);
                Ok(if self.is_shared(*variable) { self.read_step(value) } else { value })
            }
            Place::Memory { address, bits: None, ty } => {
                self.check_value(place);
                let ty = self.scalar_type(*ty)?;
                let address = self.checked(address.clone(), ty)?;
                Ok(self.read_step(Expr::Load(ty, Box::new(address))))
            }
            Place::Memory { address, bits: Some(bits), ty } => {
                self.check_value(place);
                let (unit, address) = self.bit_unit(*bits, address)?;
                let whole = self.read_step(Expr::Load(unit, Box::new(address)));
                self.extract(whole, unit, *bits, *ty)
            }
        }
    }

    /// Writes a value of the type of the place.
    pub(super) fn write(&mut self, place: &Place, value: Expr) -> Lowered<()> {
        match place {
            Place::Variable(variable) if self.is_shared(*variable) => {
                self.emit_visible(Statement::Assign(vec![(*variable, value)]));
            }
            Place::Variable(variable) => {
                self.emit(Statement::Assign(vec![(*variable, value)]));
                self.note_value(place);
            }
            Place::Memory { address, bits: None, ty } => {
                let ty = self.scalar_type(*ty)?;
                let address = self.checked(address.clone(), ty)?;
                self.check_writable(&address);
                self.emit_visible(Statement::Store { address, value });
                self.note_value(place);
            }
            Place::Memory { address, bits: Some(bits), .. } => {
                if self.options.inputs_apart && self.splits_steps() {
                    self.assume("threads do not race on bit-fields that are next to each other".to_owned());
                }
                let address = self.keep(address.clone());
                let (unit, address) = self.bit_unit(*bits, &address)?;
                let whole = self.read_step(Expr::Load(unit, Box::new(address.clone())));
                let Type::Machine(machine) = unit else { return Err(self.refuse("this bit-field is")) };
                let ones = Integer::power_of_two(u32::from(bits.width)) - Integer::ONE;
                let mask = ones.shift_left(u32::from(bits.shift));
                let rest = machine.max() - mask.clone();
                let shift = Expr::Int(Integer::from(u32::from(bits.shift)), unit);
                let moved = Expr::binary(BinaryOp::Shl, cast(unit, value), shift);
                let moved = Expr::binary(BinaryOp::BitAnd, moved, Expr::Int(mask, unit));
                let others = Expr::binary(BinaryOp::BitAnd, whole, Expr::Int(rest, unit));
                let merged = Expr::binary(BinaryOp::BitOr, others, moved);
                self.check_writable(&address);
                self.emit_visible(Statement::Store { address, value: merged });
                self.note_value(place);
            }
        }
        Ok(())
    }

    /// Writes a value and tells what a read would give.
    pub(super) fn write_and_tell(&mut self, place: &Place, value: Expr) -> Lowered<Expr> {
        match place {
            Place::Variable(variable) if !self.is_shared(*variable) => {
                self.write(place, value)?;
                Ok(Expr::Var(*variable))
            }
            Place::Memory { bits: Some(bits), ty, .. } => {
                let value = self.keep(value);
                self.write(place, value.clone())?;
                let field = self.scalar_type(*ty)?;
                let signed = matches!(field, Type::Machine(machine) if machine.signed);
                let narrow = cast(Type::machine(u32::from(bits.width), signed), value);
                Ok(if field == Type::Bool { self.truth(narrow) } else { cast(field, narrow) })
            }
            _ => {
                let value = self.keep(value);
                self.write(place, value.clone())?;
                Ok(value)
            }
        }
    }

    /// The unsigned integer that holds a bit-field, and where it is.
    fn bit_unit(&mut self, bits: BitField, address: &Expr) -> Lowered<(Type, Expr)> {
        let bytes = (u32::from(bits.shift) + u32::from(bits.width)).div_ceil(8);
        let unit = Type::machine(8 * bytes, false);
        let address = self.checked(address.clone(), unit)?;
        Ok((unit, address))
    }

    /// The value of a bit-field in its unit.
    fn extract(&mut self, whole: Expr, unit: Type, bits: BitField, ty: Ty) -> Lowered<Expr> {
        let shift = Expr::Int(Integer::from(u32::from(bits.shift)), unit);
        let moved = if bits.shift == 0 { whole } else { Expr::binary(BinaryOp::Shr, whole, shift) };
        let ty = self.scalar_type(ty)?;
        let signed = matches!(ty, Type::Machine(machine) if machine.signed);
        let narrow = cast(Type::machine(u32::from(bits.width), signed), moved);
        Ok(if ty == Type::Bool { self.truth(narrow) } else { cast(ty, narrow) })
    }

    /// Whether other threads may see accesses to the variable.
    fn is_shared(&self, variable: VarId) -> bool {
        self.splits_steps() && self.program.variables[variable].scope == crate::program::Scope::Global
    }

    /// A read that other threads may see is a step of its own.
    pub(super) fn read_step(&mut self, value: Expr) -> Expr {
        if !self.splits_steps() {
            return value;
        }
        let ty = self.type_of(&value);
        let variable = self.temporary(ty);
        self.emit_visible(Statement::Assign(vec![(variable, value)]));
        Expr::Var(variable)
    }

    /// An address with the edges for what can be wrong with an access to it.
    fn checked(&mut self, address: Expr, ty: Type) -> Lowered<Expr> {
        let Some(size) = self.bytes_of(ty) else {
            return Err(self.refuse("a mathematical integer in memory is"));
        };
        self.check_access(address, Expr::Int(Integer::from(size as i64), OFFSET))
    }

    /// How many bytes a value takes in memory.
    pub(super) fn bytes_of(&self, ty: Type) -> Option<u64> {
        Some(match ty {
            Type::Machine(machine) => u64::from(machine.bytes()),
            Type::Bool => 1,
            Type::Pointer => u64::from(self.program.pointer_bytes),
            Type::Float(kind) => u64::from(kind.bytes()),
            Type::Int => return None,
        })
    }

    /// Whether an access lies inside an object of this activation or of the program, whatever happens.
    pub(super) fn is_inside(&self, address: &Expr, size: &Expr) -> bool {
        let (base, offset) = match address {
            Expr::Binary(BinaryOp::PointerAdd, base, offset) => match &**offset {
                Expr::Int(offset, _) => (&**base, offset.to_i64()),
                _ => return false,
            },
            base => (base, Some(0)),
        };
        let (Expr::Var(variable), Some(offset), Expr::Int(size, _)) = (base, offset, size) else { return false };
        let known = self.sizes.get(variable).and_then(|known| i64::try_from(*known).ok());
        let end = size.to_i64().filter(|size| *size >= 0).and_then(|size| offset.checked_add(size));
        offset >= 0 && known.zip(end).is_some_and(|(known, end)| end <= known)
    }

    /// The same for an access of so many bytes.
    pub(super) fn check_access(&mut self, address: Expr, size: Expr) -> Lowered<Expr> {
        let address = self.shallow(address);
        if !self.checks().memory {
            return Ok(address);
        }
        if self.is_inside(&address, &size) {
            return Ok(address);
        }
        let pointer = base_of(&address).clone();
        let address = self.keep(address);
        let size = self.keep(size);
        // A member of what is at null is not at null. What another thread may change is read once.
        let is_steady = !pointer.has_load() && !self.has_threads;
        let pointer = if is_steady { pointer } else { address.clone() };
        let not_null = Expr::binary(BinaryOp::Ne, pointer, Expr::Null);
        self.check(not_null, ErrorKind::NullDereference, "a null pointer is dereferenced".to_owned());
        let live = Expr::unary(UnaryOp::IsLive, address.clone());
        self.check(live, ErrorKind::UseAfterFree, "an object is used after its end".to_owned());
        let offset = offset_of(address.clone());
        let zero = Expr::Int(Integer::ZERO, OFFSET);
        let rest = binary(BinaryOp::Sub, Expr::unary(UnaryOp::ObjectSize, address.clone()), offset.clone());
        let within = and(vec![
            Expr::binary(BinaryOp::Ge, offset, zero.clone()),
            binary(BinaryOp::Ge, size.clone(), zero),
            Expr::binary(BinaryOp::Le, size, rest),
        ]);
        self.check(within, ErrorKind::OutOfBounds, "an access lies outside its object".to_owned());
        Ok(address)
    }

    /// Whether values of the type are structures, unions or arrays, which are in memory.
    pub(super) fn is_record(&self, ty: Ty) -> bool {
        matches!(self.unit.types.kind(ty), TypeKind::Record(_) | TypeKind::Array(..) | TypeKind::VaList)
    }
}

/// The pointer that an address is counted from.
fn base_of(address: &Expr) -> &Expr {
    match address {
        Expr::Binary(BinaryOp::PointerAdd, base, _) => base_of(base),
        other => other,
    }
}
