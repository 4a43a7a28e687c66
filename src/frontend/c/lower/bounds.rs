//! Indices of arrays that are parts of larger objects: members of structures, and rows of other arrays.
//!
//! An access past such an array can lie inside the object all the same, so that the checks of accesses do not see it; C
//! leaves it undefined. Arrays at the end of what they are in may be larger than they are declared, as old
//! programs have it instead of flexible members, and the checks of accesses see where their objects end.

use super::arithmetic::{and, binary};
use super::{Lower, Lowered};
use crate::frontend::c::tree::{ExprId, ExprKind, Stride, Unit};
use crate::frontend::c::types::Length;
use crate::program::{BinaryOp, ErrorKind, Expr, Type};
use crate::term::Integer;

/// An element of an array that is part of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    array: ExprId,
    index: ExprId,
    stride: Stride,
    length: u64,
    /// The first index that is wrong.
    end: u64,
}

impl Element {
    /// The element, or the end of the array, where nothing is accessed.
    pub(super) fn or_end(self) -> Element {
        Element { end: self.end.max(self.length.saturating_add(1)), ..self }
    }
}

/// The element at a pointer, where the pointer is an array that is part of an object, moved by an index.
pub(super) fn inner_element(unit: &Unit, pointer: ExprId) -> Option<Element> {
    let ExprKind::PointerAdd { pointer: array, index, stride, is_subtraction: false } = unit.exprs[pointer].kind else {
        return None;
    };
    let ExprKind::Decay(place) = unit.exprs[array].kind else { return None };
    let (element, Length::Fixed(length)) = unit.types.as_array(unit.exprs[place].ty)? else { return None };
    if !is_part(unit, place) {
        return None;
    }
    // A row past the last one is no more than an address, until one of its elements is looked at.
    let end = if unit.types.as_array(element).is_some() { length.saturating_add(1) } else { length };
    match unit.constant(index) {
        Some(index) if (0..i128::from(end)).contains(&index) => None,
        _ => Some(Element { array, index, stride, length, end }),
    }
}

/// Whether an array is part of an object and not at its end.
fn is_part(unit: &Unit, array: ExprId) -> bool {
    match unit.exprs[array].kind {
        ExprKind::Deref(_) => true,
        ExprKind::Member { .. } => !is_last(unit, array),
        _ => false,
    }
}

/// Whether a part of an object is the last one of everything that it is in, as far as the expression tells.
fn is_last(unit: &Unit, mut place: ExprId) -> bool {
    while let ExprKind::Member { base, offset, .. } = unit.exprs[place].kind {
        let (Some(size), Some(body)) =
            (unit.types.size_of(unit.exprs[place].ty), unit.types.record_body(unit.exprs[base].ty))
        else {
            return true;
        };
        if body.fields.iter().any(|field| field.offset >= offset + size.max(1)) {
            return false;
        }
        place = base;
    }
    let is_array = |pointer: ExprId| match unit.exprs[pointer].kind {
        ExprKind::Decay(_) => true,
        ExprKind::PointerAdd { pointer, .. } => matches!(unit.exprs[pointer].kind, ExprKind::Decay(_)),
        _ => false,
    };
    !matches!(unit.exprs[place].kind, ExprKind::Deref(pointer) if is_array(pointer))
}

impl Lower<'_> {
    /// The element that a pointer is to, where its index has to be looked at.
    pub(super) fn element_to_check(&self, pointer: ExprId) -> Option<Element> {
        if self.checks().bounds && self.is_user_code() && !self.inside_init {
            inner_element(self.unit, pointer)
        } else {
            None
        }
    }

    /// The address of an element, with an edge for an index that is none of its array.
    pub(super) fn element(&mut self, element: Element) -> Lowered<Expr> {
        let Element { array, index, stride, length, end } = element;
        let base = self.value(array)?;
        let base = self.keep_across(base, index);
        let number = self.value(index)?;
        let number = self.shallow(number);
        let ty = self.type_of(&number);
        if let Type::Machine(machine) = ty {
            let bound = |value| Expr::Int(value, ty);
            let mut holds = Vec::new();
            if machine.signed {
                holds.push(binary(BinaryOp::Ge, number.clone(), bound(Integer::ZERO)));
            }
            let end = Integer::from(end as i64);
            if end <= machine.max() {
                holds.push(binary(BinaryOp::Lt, number.clone(), bound(end)));
            }
            let message = format!("an index lies outside its array, which has {length} elements");
            self.check(and(holds), ErrorKind::IndexOutOfRange, message);
        }
        let bytes = self.scaled(number, stride, false)?;
        Ok(self.moved(base, bytes))
    }
}
