//! The inputs of an execution: those that were given, then zeros.

use crate::concrete::{Input, Inputs, Pointer, Request, Value};
use crate::program::Type;
use crate::term::Integer;

/// The inputs that were given, then zeros.
pub(super) struct Supply<'g> {
    given: &'g [Value],
    next: usize,
    pub(super) missing: usize,
    read: Vec<Input>,
}

impl<'g> Supply<'g> {
    pub(super) fn new(given: &'g [Value]) -> Supply<'g> {
        Supply { given, next: 0, missing: 0, read: Vec::new() }
    }

    pub(super) fn take_read(&mut self) -> Vec<Input> {
        std::mem::take(&mut self.read)
    }

    /// How many of those that were given nobody has read.
    pub(super) fn unread(&self) -> usize {
        self.given.len() - self.next.min(self.given.len())
    }

    pub(super) fn mark(&self) -> (usize, usize) {
        (self.next, self.missing)
    }

    /// Gives back what a step read that could not be taken.
    pub(super) fn back_to(&mut self, mark: (usize, usize)) {
        (self.next, self.missing) = mark;
        self.read.clear();
    }
}

impl Inputs for Supply<'_> {
    fn next(&mut self, request: &Request) -> Option<Value> {
        let value = match self.given.get(self.next) {
            Some(value) => {
                self.next += 1;
                in_type(value, request.ty)
            }
            None => {
                self.missing += 1;
                nearest_to_zero(request)
            }
        };
        if request.variable.is_some() || request.memory.is_some() {
            self.read.push(Input { variable: request.variable, value: value.clone(), span: request.span });
        }
        Some(value)
    }
}

/// A number that was given for a floating-point input, as one.
fn in_type(value: &Value, ty: Type) -> Value {
    match (value, ty) {
        (Value::Float(bits, from), Type::Float(to)) => Value::Float(to.convert(*bits, *from), to),
        (Value::Int(n), Type::Float(to)) if n.fits(128, true) => Value::Float(to.of_integer(n), to),
        _ => value.clone(),
    }
}

/// Zero, or the nearest value that does not block the step for sure.
fn nearest_to_zero(request: &Request) -> Value {
    match request.ty {
        Type::Bool => Value::Bool(false),
        Type::Pointer => Value::Pointer(Pointer::NULL),
        Type::Float(kind) => Value::Float(0, kind),
        Type::Int | Type::Machine(_) => {
            let zero = Integer::ZERO;
            match (&request.low, &request.high) {
                (Some(low), _) if *low > zero => Value::Int(low.clone()),
                (_, Some(high)) if *high < zero => Value::Int(high.clone()),
                _ => Value::Int(zero),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_input_is_near_zero() {
        let request = |low: Option<i64>, high: Option<i64>| Request {
            variable: None,
            memory: None,
            ty: Type::Int,
            span: None,
            low: low.map(Integer::from),
            high: high.map(Integer::from),
            options: Vec::new(),
        };
        assert_eq!(nearest_to_zero(&request(None, None)), Value::int(0));
        assert_eq!(nearest_to_zero(&request(Some(3), Some(9))), Value::int(3));
        assert_eq!(nearest_to_zero(&request(Some(-9), Some(-3))), Value::int(-3));
    }
}
