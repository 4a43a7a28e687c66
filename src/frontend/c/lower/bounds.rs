//! Indices of arrays that are parts of larger objects: members of structures, and rows of other arrays.
//!
//! An access past such an array can lie inside the object all the same, so that the checks of accesses do not see it; C
//! leaves it undefined. Arrays at the end of what they are in may be larger than they are declared, as old
//! programs have it instead of flexible members, and the checks of accesses see where their objects end.

use super::arithmetic::{and, binary, cast};
use super::{Lower, Lowered};
use crate::frontend::c::tree::{ExprId, ExprKind, Stride, Unit};
use crate::frontend::c::types::Length;
use crate::program::{BinaryOp, ErrorKind, Expr, MachineInt, OFFSET, Type};
use crate::term::Integer;

/// An element of an array that is part of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    array: ExprId,
    index: ExprId,
    stride: Stride,
    is_subtraction: bool,
    length: Length,
    /// Whether the end of the array is no wrong index.
    may_be_end: bool,
}

impl Element {
    /// The element, or the end of the array, where nothing is accessed.
    pub(super) fn or_end(self) -> Element {
        Element { may_be_end: true, ..self }
    }
}

/// The element at a pointer, where the pointer is an array that is part of an object, moved by an index.
pub(super) fn inner_element(unit: &Unit, pointer: ExprId) -> Option<Element> {
    let ExprKind::PointerAdd { pointer: array, index, stride, is_subtraction } = unit.exprs[pointer].kind else {
        return None;
    };
    let ExprKind::Decay(place) = unit.exprs[array].kind else { return None };
    let (element, length) = unit.types.as_array(unit.exprs[place].ty)?;
    if !is_part(unit, place) {
        return None;
    }
    // A row past the last one is no more than an address, until one of its elements is looked at.
    let may_be_end = unit.types.as_array(element).is_some();
    let found = Some(Element { array, index, stride, is_subtraction, length, may_be_end });
    match (length, unit.constant(index)) {
        (Length::Unknown, _) => None,
        (Length::Fixed(length), Some(index)) => {
            let index = if is_subtraction { -index } else { index };
            let is_inside = (0..i128::from(length) + i128::from(may_be_end)).contains(&index);
            if is_inside { None } else { found }
        }
        _ => found,
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
        let base = self.value(element.array)?;
        let base = self.keep_across(base, element.index);
        let number = self.value(element.index)?;
        let number = self.shallow(number);
        if let Some((condition, message)) = self.index_condition(&number, &element) {
            self.check(condition, ErrorKind::IndexOutOfRange, message);
        }
        let bytes = self.scaled(number, element.stride, element.is_subtraction)?;
        Ok(self.moved(base, bytes))
    }

    /// When an index is one of its array, and what to say where it is not; `None` where the length is not known.
    fn index_condition(&self, number: &Expr, element: &Element) -> Option<(Expr, String)> {
        let ty @ Type::Machine(machine) = self.type_of(number) else { return None };
        match element.length {
            Length::Fixed(length) => {
                let message = format!("an index lies outside its array, which has {length} elements");
                let end = Integer::from(length.saturating_add(element.may_be_end.into()) as i64);
                Some((inside(number, (ty, machine), &end, element.is_subtraction), message))
            }
            Length::Variable(length) => {
                let length = cast(OFFSET, Expr::Var(*self.body.lengths.get(&length)?));
                let message = "an index lies outside its array".to_owned();
                if element.is_subtraction && !machine.signed {
                    return Some((inside(number, (ty, machine), &Integer::ONE, true), message));
                }
                let zero = || Expr::Int(Integer::ZERO, OFFSET);
                let index = cast(OFFSET, number.clone());
                let index = if element.is_subtraction { binary(BinaryOp::Sub, zero(), index) } else { index };
                let op = if element.may_be_end { BinaryOp::Le } else { BinaryOp::Lt };
                Some((and(vec![binary(BinaryOp::Ge, index.clone(), zero()), binary(op, index, length)]), message))
            }
            Length::Unknown => None,
        }
    }
}

/// Whether a number, or what it is with the other sign, is an index of an array that ends there.
fn inside(number: &Expr, (ty, machine): (Type, MachineInt), end: &Integer, is_negated: bool) -> Expr {
    let bound = |value| Expr::Int(value, ty);
    let mut holds = Vec::new();
    if is_negated {
        holds.push(binary(BinaryOp::Le, number.clone(), bound(Integer::ZERO)));
        let least = -end.clone();
        if machine.signed && least >= machine.min() {
            holds.push(binary(BinaryOp::Gt, number.clone(), bound(least)));
        }
        return and(holds);
    }
    if machine.signed {
        holds.push(binary(BinaryOp::Ge, number.clone(), bound(Integer::ZERO)));
    }
    if *end <= machine.max() {
        holds.push(binary(BinaryOp::Lt, number.clone(), bound(end.clone())));
    }
    and(holds)
}
