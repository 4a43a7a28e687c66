//! Variable arguments: the caller puts them into an object, one after the other, and passes a pointer to it. A list
//! holds a pointer to the next of them.

use super::call::Shape;
use super::parts::Parts;
use super::place::Place;
use super::{Lower, Lowered};
use crate::frontend::c::tree::ExprId;
use crate::frontend::c::types::Ty;
use crate::program::{Expr, OFFSET, Statement, Type};
use crate::term::Integer;

impl Lower<'_> {
    /// Puts arguments into an object of this activation; the pointer to it.
    pub(super) fn packed(&mut self, arguments: &[(Expr, Shape)]) -> Lowered<Expr> {
        let mut offsets = Vec::with_capacity(arguments.len());
        let mut size = 0;
        for (_, shape) in arguments {
            let Some(bytes) = self.shape_bytes(*shape) else {
                return Err(self.refuse("a variable argument of this type is"));
            };
            offsets.push(size);
            size += self.slot(bytes);
        }
        if size == 0 {
            return Ok(Expr::Null);
        }
        let room = Expr::Var(self.room_of_bytes(size));
        for ((value, shape), offset) in arguments.iter().zip(offsets) {
            let address = self.offset_by(room.clone(), offset);
            match shape {
                Shape::Record(Some(0)) | Shape::Void => {}
                Shape::Record(size) => {
                    let bytes = Expr::Int(Integer::from(size.unwrap_or(0) as i64), OFFSET);
                    let parts = Parts::Every { bytes: u64::from(self.program.pointer_bytes), moves: false };
                    self.copy_bytes(address, value.clone(), bytes, parts)?;
                }
                // Other threads do not see the object.
                Shape::Scalar(_) => self.emit(Statement::Store { address, value: value.clone() }),
            }
        }
        Ok(room)
    }

    fn shape_bytes(&self, shape: Shape) -> Option<u64> {
        match shape {
            Shape::Void => Some(0),
            Shape::Record(size) => size,
            Shape::Scalar(ty) => self.bytes_of(ty),
        }
    }

    /// How far it is to the next argument.
    fn slot(&self, bytes: u64) -> u64 {
        bytes.next_multiple_of(u64::from(self.program.pointer_bytes))
    }

    /// `va_start`
    pub(super) fn va_start(&mut self, list: ExprId) -> Lowered<()> {
        let Some(arguments) = self.body.variable_arguments else {
            return Err(self.refuse("`va_start` here is"));
        };
        let address = self.address(list)?;
        self.store_next(address, Expr::Var(arguments))
    }

    /// `va_copy`
    pub(super) fn va_copy(&mut self, target: ExprId, source: ExprId) -> Lowered<()> {
        let target = self.address(target)?;
        let target = self.keep(target);
        let source = self.address(source)?;
        let next = self.load_next(source)?;
        self.store_next(target, next)
    }

    /// Where the next argument of a list is; the list goes on to the one behind it.
    pub(super) fn va_arg(&mut self, list: ExprId, ty: Ty) -> Lowered<Expr> {
        let size = self.size(ty)?;
        let list = self.address(list)?;
        let list = self.keep(list);
        let next = self.load_next(list.clone())?;
        let next = self.keep(next);
        let behind = self.offset_by(next.clone(), self.slot(size));
        self.store_next(list, behind)?;
        Ok(next)
    }

    fn load_next(&mut self, list: Expr) -> Lowered<Expr> {
        let bytes = Expr::Int(Integer::from(self.program.pointer_bytes), OFFSET);
        let address = self.check_access(list, bytes)?;
        Ok(self.read_step(Expr::Load(Type::Pointer, Box::new(address))))
    }

    fn store_next(&mut self, list: Expr, next: Expr) -> Lowered<()> {
        let bytes = Expr::Int(Integer::from(self.program.pointer_bytes), OFFSET);
        let address = self.check_access(list, bytes)?;
        self.emit_visible(Statement::Store { address, value: next });
        Ok(())
    }

    /// The value of the next argument of a list.
    pub(super) fn va_arg_value(&mut self, list: ExprId, ty: Ty) -> Lowered<Expr> {
        let address = self.va_arg(list, ty)?;
        let value = self.read(&Place::Memory { address, bits: None, ty })?;
        Ok(self.keep(value))
    }
}
