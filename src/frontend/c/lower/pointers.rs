//! Pointers that C leaves undefined before anything is accessed through them: moved outside their object (C11 6.5.6,
//! paragraph 8), ordered across objects (6.5.8, paragraph 5), and converted to a type that they are not aligned for
//! (6.3.2.3, paragraph 7). They are looked at where the property asks for it.

use super::Lower;
use super::arithmetic::{and, binary, offset_of, or};
use crate::frontend::c::tree::ExprId;
use crate::frontend::c::types::{Ty, TypeKind, Types};
use crate::program::{BinaryOp, ErrorKind, Expr, OFFSET, UnaryOp};
use crate::term::Integer;

const MOVED: &str = "a pointer is moved outside its object";
const ORDER: &str = "pointers into different objects are compared";

/// Objects lie at multiples of so many bytes.
const ALIGNED: u64 = 16;

/// The alignment that a pointer has to have after a conversion, where it need not have it before. Pointers to `void` are
/// taken to be what they are converted to.
pub(super) fn new_alignment(types: &Types, from: Ty, to: Ty) -> Option<u64> {
    let (TypeKind::Pointer(from), TypeKind::Pointer(to)) = (types.kind(from), types.kind(to)) else { return None };
    if types.is_void(*from) {
        return None;
    }
    let (before, after) = (types.align_of(*from)?, types.align_of(*to)?);
    (after > before && after <= ALIGNED).then_some(after)
}

impl Lower<'_> {
    /// Whether pointers are looked at here.
    pub(super) fn has_pointers_checked(&self) -> bool {
        self.checks().expressions && self.is_user_code()
    }

    /// A pointer moved by so many bytes, which stays in its object or comes to its end.
    pub(super) fn moved_inside(&mut self, pointer: Expr, bytes: Expr) -> Expr {
        if !self.has_pointers_checked() || matches!(&bytes, Expr::Int(n, _) if n.is_zero()) {
            return self.moved(pointer, bytes);
        }
        let (pointer, bytes) = (self.shallow(pointer), self.shallow(bytes));
        let moved = self.moved(pointer.clone(), bytes.clone());
        if self.is_inside(&moved, &Expr::Int(Integer::ZERO, OFFSET)) {
            return moved;
        }
        let zero = Expr::Int(Integer::ZERO, OFFSET);
        let end = binary(BinaryOp::Add, offset_of(pointer.clone()), bytes.clone());
        let inside = and(vec![
            binary(BinaryOp::Ge, end.clone(), zero.clone()),
            binary(BinaryOp::Le, end, Expr::unary(UnaryOp::ObjectSize, pointer)),
        ]);
        // Null, which is in no object, can be moved by nothing.
        let holds = or(vec![inside, binary(BinaryOp::Eq, bytes, zero)]);
        self.check(holds, ErrorKind::UndefinedExpression, MOVED.to_owned());
        moved
    }

    /// Pointers whose order is asked for are into one object.
    pub(super) fn check_order(&mut self, left: &Expr, right: &Expr) {
        if self.has_pointers_checked() {
            let same = binary(BinaryOp::SameObject, left.clone(), right.clone());
            self.check(same, ErrorKind::UndefinedExpression, ORDER.to_owned());
        }
    }

    /// A pointer that is converted is aligned for its new type.
    pub(super) fn check_alignment(&mut self, from: ExprId, to: Ty, pointer: &Expr) {
        if !self.has_pointers_checked() {
            return;
        }
        let unit = self.unit;
        let Some(alignment) = new_alignment(&unit.types, unit.exprs[from].ty, to) else { return };
        let number = |value: u64| Expr::Int(Integer::from(value as i64), OFFSET);
        let rest = binary(BinaryOp::Rem, offset_of(pointer.clone()), number(alignment));
        let holds = binary(BinaryOp::Eq, rest, number(0));
        let message = format!("a pointer is converted to a type that is aligned to {alignment} bytes, which it is not");
        self.check(holds, ErrorKind::UndefinedExpression, message);
    }
}
