//! Structures, unions and arrays as values: they stay in memory, and a value is where it is.

use super::parts::Parts;
use super::place::Place;
use super::{Lower, Lowered};
use crate::frontend::c::tree::{Conversion, ExprId, ExprKind};
use crate::frontend::c::types::Ty;
use crate::program::{Expr, OFFSET, Region, Statement, Type, VarId};
use crate::term::Integer;

impl Lower<'_> {
    /// The address of a structure that an expression gives.
    pub(super) fn record(&mut self, expr: ExprId) -> Lowered<Expr> {
        let unit = self.unit;
        let node = &unit.exprs[expr];
        match &node.kind {
            ExprKind::Load(place) => self.address(*place),
            kind if kind.is_lvalue() => self.address(expr),
            ExprKind::Assign { target, value } => {
                let target_address = self.address(*target)?;
                let target_address = self.keep_across(target_address, *value);
                self.copy_value(target_address.clone(), *value, node.ty)?;
                Ok(target_address)
            }
            ExprKind::Comma(left, right) => {
                self.effect(*left)?;
                self.record(*right)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let (then, otherwise) = (*then, *otherwise);
                let result = self.temporary(Type::Pointer);
                let branch = |this: &mut Self, part: ExprId| {
                    let address = this.record(part)?;
                    this.emit(Statement::Assign(vec![(result, address)]));
                    Ok(())
                };
                self.if_else(*condition, |this| branch(this, then), |this| branch(this, otherwise))?;
                Ok(Expr::Var(result))
            }
            ExprKind::Statements { block, result: Some(result) } => {
                self.body.scopes.gives_value = true;
                self.statement(*block)?;
                self.record(*result)
            }
            ExprKind::VaArg(list) => self.va_arg(*list, node.ty),
            ExprKind::Convert(Conversion::Record, inner) => self.converted_record(*inner, node.ty),
            ExprKind::Call { callee, arguments } => {
                let room = self.room(node.ty)?;
                self.call_with_room(*callee, arguments, Expr::Var(room), expr)?;
                Ok(Expr::Var(room))
            }
            _ => {
                let shown = unit.types.display(node.ty, &unit.names);
                Err(self.refuse(&format!("this value of type `{shown}` is")))
            }
        }
    }

    /// A structure as another type that is the same but for qualifiers, or a value as a transparent union.
    fn converted_record(&mut self, inner: ExprId, ty: Ty) -> Lowered<Expr> {
        let from = self.unit.exprs[inner].ty;
        if self.is_record(from) {
            return self.record(inner);
        }
        let value = self.value(inner)?;
        let room = self.room(ty)?;
        self.write(&Place::Memory { address: Expr::Var(room), bits: None, ty: from }, value)?;
        Ok(Expr::Var(room))
    }

    /// A new object in each activation of the procedure, for values of a type.
    pub(super) fn room(&mut self, ty: Ty) -> Lowered<VarId> {
        let size = self.size(ty)?;
        Ok(self.room_of_bytes(size))
    }

    /// The same of so many bytes.
    pub(super) fn room_of_bytes(&mut self, size: u64) -> VarId {
        let pointer = self.local("&temporary", Type::Pointer, self.body.span);
        self.sizes.insert(pointer, size);
        let bytes = Expr::Int(Integer::from(size as i64), OFFSET);
        let size = bytes.clone();
        let allocate = Statement::Allocate { target: pointer, size, region: Region::Stack, zeroed: false };
        self.body.entry_block.push(allocate);
        self.fixed.insert(pointer);
        self.body.scopes.use_room(pointer, bytes);
        pointer
    }

    /// Copies a structure that an expression gives; each side of a choice by itself, as what has a value in it is known then.
    pub(super) fn copy_value(&mut self, target: Expr, value: ExprId, ty: Ty) -> Lowered<()> {
        if let ExprKind::Conditional { condition, then, otherwise } = self.unit.exprs[value].kind {
            let other = target.clone();
            let (yes, no) = (move |this: &mut Self| this.copy_value(target, then, ty), otherwise);
            return self.if_else(condition, yes, move |this| this.copy_value(other, no, ty));
        }
        let source = self.record(value)?;
        self.copy(target, source, ty)
    }

    /// Copies a structure.
    pub(super) fn copy(&mut self, target: Expr, source: Expr, ty: Ty) -> Lowered<()> {
        let size = self.size(ty)?;
        if target == source || size == 0 {
            return Ok(());
        }
        let bytes = Expr::Int(Integer::from(size as i64), OFFSET);
        let parts = self.parts_of(ty);
        self.copy_bytes(target, source, bytes, parts)
    }

    /// Copies bytes; other threads may see each of the parts.
    pub(super) fn copy_bytes(&mut self, target: Expr, source: Expr, bytes: Expr, parts: Parts) -> Lowered<()> {
        let source = self.check_access(source, bytes.clone())?;
        let target = self.check_access(target, bytes.clone())?;
        self.check_writable(&target);
        let copy = Statement::Copy { target: target.clone(), source: source.clone(), bytes: bytes.clone() };
        self.note_parts(&copy, parts);
        self.emit_visible(copy);
        self.note_values(&target, Some(&source), &bytes);
        Ok(())
    }

    /// Writes a byte many times; other threads may see each of the parts.
    pub(super) fn fill(&mut self, target: Expr, byte: Expr, bytes: Expr, parts: Parts) -> Lowered<()> {
        let target = self.check_access(target, bytes.clone())?;
        self.check_writable(&target);
        let fill = Statement::Fill { target: target.clone(), byte, bytes: bytes.clone() };
        self.note_parts(&fill, parts);
        self.emit_visible(fill);
        self.note_values(&target, None, &bytes);
        Ok(())
    }

    /// The size of a type in bytes, where it is known.
    pub(super) fn size(&self, ty: Ty) -> Lowered<u64> {
        self.unit.types.size_of(ty).filter(|size| i64::try_from(*size).is_ok()).ok_or_else(|| {
            let shown = self.unit.types.display(ty, &self.unit.names);
            self.refuse(&format!("an object of type `{shown}`, whose size is not known here, is"))
        })
    }
}
