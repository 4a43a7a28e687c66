//! What operators on pointers give in a shape.

use super::number::Number;
use super::step::Semantics;
use super::{Object, Refused, Shape, Target, Value};
use crate::program::{BinaryOp, Region, Type, UnaryOp};

impl Semantics<'_> {
    /// The shapes in which the last result, an address, is into an object and not into a chain.
    pub(super) fn resolved(&self, shape: Shape) -> Result<Vec<Shape>, Refused> {
        match shape.results.last() {
            Some(Value::Pointer(target)) => {
                let Target { object, last, .. } = *target;
                Ok(shape.unfold(object, last, i64::from(self.program.pointer_bytes)))
            }
            Some(Value::Null) => Refused::new("an access through a pointer that may be null"),
            Some(Value::Dead) => Refused::new("an access to an object that may not be live"),
            _ => Refused::new("an access through an unknown pointer"),
        }
    }

    /// What is asked of one pointer.
    pub(super) fn of_pointer(&self, mut shape: Shape, op: UnaryOp, value: Value, out: &mut Vec<Shape>) {
        let object = |target: Target| &shape.objects[&target.object];
        let known = match (op, value) {
            (UnaryOp::Offset, Value::Pointer(target)) => Some(i128::from(target.offset)),
            (UnaryOp::Offset, Value::Null | Value::Function(_)) => Some(0),
            (UnaryOp::ObjectSize, Value::Pointer(target)) => Some(i128::from(object(target).size)),
            (UnaryOp::ObjectSize, Value::Null | Value::Function(_)) => Some(0),
            (UnaryOp::IsLive, Value::Pointer(_) | Value::Function(_)) => Some(1),
            (UnaryOp::IsLive | UnaryOp::IsFreeable, Value::Null | Value::Dead) => Some(0),
            (UnaryOp::IsFreeable, Value::Function(_)) => Some(0),
            (UnaryOp::IsFreeable, Value::Pointer(target)) => {
                Some(i128::from(target.offset == 0 && object(target).region == Region::Heap))
            }
            (UnaryOp::IsConstant, Value::Pointer(target)) => Some(i128::from(object(target).region.is_constant())),
            (UnaryOp::IsConstant, Value::Null | Value::Function(_)) => Some(0),
            _ => None,
        };
        match known {
            Some(n) => shape.give(Value::Int(n), out),
            None if matches!(op, UnaryOp::Offset | UnaryOp::ObjectSize) => {
                let value = shape.name_or_any(Number::all(Type::machine(64, true)));
                shape.give(value, out);
            }
            None => shape.give_either(out),
        }
    }

    /// Moves the pointer that is the last result but one by so many bytes.
    pub(super) fn moved(&self, mut shape: Shape, out: &mut Vec<Shape>) {
        let (distance, pointer) =
            (shape.results.pop().unwrap_or(Value::Any), shape.results.pop().unwrap_or(Value::Any));
        let number = shape.number(distance);
        let Some(few) = number.as_ref().and_then(Number::few) else {
            let moved = if pointer == Value::Dead { Value::Dead } else { Value::Any };
            return shape.give(moved, out);
        };
        for n in few {
            let mut shape = shape.clone();
            if !shape.restrict(distance, Some(Number::one(*n))) {
                continue;
            }
            let by = i64::try_from(*n).ok();
            let moved = match (pointer, by) {
                (pointer, Some(0)) => pointer,
                (Value::Pointer(target), Some(by)) => match target.offset.checked_add(by) {
                    Some(offset) => Value::Pointer(Target { offset, ..target }),
                    None => Value::Any,
                },
                (Value::Dead, _) => Value::Dead,
                _ => Value::Any,
            };
            shape.give(moved, out);
        }
    }

    /// Compares the last two results, which are pointers.
    pub(super) fn compare_pointers(&self, shape: Shape, op: BinaryOp, out: &mut Vec<Shape>) {
        let count = shape.results.len();
        let (a, b) = (shape.results[count - 2], shape.results[count - 1]);
        // Which nodes the ends of a chain are is known once there is one node at least.
        if let (Value::Pointer(one), Value::Pointer(other)) = (a, b)
            && one.object == other.object
            && one.last != other.last
        {
            for shape in shape.unfold(one.object, false, i64::from(self.program.pointer_bytes)) {
                self.compare_pointers(shape, op, out);
            }
            return;
        }
        let mut shape = shape;
        shape.results.truncate(count - 2);
        match shape.pointer_truth(op, a, b) {
            Some(truth) => shape.give(Value::Int(i128::from(truth)), out),
            None => shape.give_either(out),
        }
    }
}

impl Shape {
    /// The truth value of a comparison of pointers, where it is known.
    fn pointer_truth(&self, op: BinaryOp, a: Value, b: Value) -> Option<bool> {
        match (op, a, b) {
            (BinaryOp::Eq, ..) => self.are_equal(a, b),
            (BinaryOp::Ne, ..) => self.are_equal(a, b).map(|equal| !equal),
            (BinaryOp::SameObject, Value::Null, Value::Null) => Some(true),
            (BinaryOp::SameObject, Value::Pointer(one), Value::Pointer(other)) => Some(one.object == other.object),
            (BinaryOp::SameObject, Value::Null, Value::Pointer(_)) => Some(false),
            (BinaryOp::SameObject, Value::Pointer(_), Value::Null) => Some(false),
            (BinaryOp::SameObject, Value::Function(one), Value::Function(other)) => Some(one == other),
            (_, Value::Pointer(one), Value::Pointer(other)) if one.object == other.object => match op {
                BinaryOp::Lt => Some(one.offset < other.offset),
                BinaryOp::Le => Some(one.offset <= other.offset),
                BinaryOp::Gt => Some(one.offset > other.offset),
                BinaryOp::Ge => Some(one.offset >= other.offset),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether two pointers are equal, where it is known. Pointers to bytes of two live objects differ.
    fn are_equal(&self, a: Value, b: Value) -> Option<bool> {
        match (a, b) {
            (Value::Null, Value::Null) => Some(true),
            (Value::Null, Value::Pointer(_) | Value::Dead | Value::Function(_)) => Some(false),
            (Value::Pointer(_) | Value::Dead | Value::Function(_), Value::Null) => Some(false),
            (Value::Function(one), Value::Function(other)) => Some(one == other),
            (Value::Function(_), Value::Pointer(target)) | (Value::Pointer(target), Value::Function(_)) => {
                self.is_inside(target).then_some(false)
            }
            (Value::Pointer(one), Value::Pointer(other)) if one.object == other.object => {
                Some(one.offset == other.offset)
            }
            (Value::Pointer(one), Value::Pointer(other)) => {
                let literal = |target: Target| self.objects[&target.object].region == Region::Literal;
                let are_apart = self.is_inside(one) && self.is_inside(other) && !(literal(one) && literal(other));
                are_apart.then_some(false)
            }
            _ => None,
        }
    }

    /// Whether a pointer is to a byte of its object. One of the heap without a byte has an address of its own.
    fn is_inside(&self, target: Target) -> bool {
        let Object { size, region, .. } = &self.objects[&target.object];
        let size = if *region == Region::Heap { (*size).max(1) } else { *size };
        (0..size).contains(&target.offset)
    }
}
