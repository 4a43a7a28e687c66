//! From the values of symbols to what an execution reads.

use crate::concrete::{FirstContents, Origin, Pointer, Value as ConcreteValue};
use crate::formula::encode::{FirstContent, Input, Transition, Unmodelled};
use crate::program::{OFFSET, Program, Statement, Type};
use crate::term::{Symbol, Terms, Value};

/// What the statements read, in order, where the symbols of inputs have these values. What formulas do not speak of is
/// null, or zero.
pub fn inputs(
    program: &Program,
    terms: &Terms,
    block: &[Statement],
    inputs: &[Input],
    value_of: &dyn Fn(Symbol) -> Option<Value>,
) -> Vec<ConcreteValue> {
    let mut inputs = inputs.iter();
    let mut given = Vec::new();
    for statement in block {
        let Statement::Havoc { target, .. } = statement else { continue };
        given.push(match program.variables[*target].ty {
            Type::Pointer => ConcreteValue::Pointer(Pointer::NULL),
            ty => {
                let symbol = inputs.next().expect("every input that has a sort is listed").symbol;
                let value = value_of(symbol);
                ConcreteValue::of_term(value.unwrap_or_else(|| Value::zero(terms.symbol_sort(symbol))), ty)
            }
        });
    }
    given
}

/// Adds the first contents that a block leaves which is the step of that number, 0 for `init`: of the objects that it
/// makes, after so many others, and of copies of what was never written.
pub fn add_first_contents(
    first: &mut FirstContents,
    block: &[Statement],
    transition: &Transition,
    (step, before): (usize, usize),
    value_of: &dyn Fn(Symbol) -> Option<Value>,
) {
    for unmodelled in &transition.unmodelled {
        let Some(FirstContent { statement, offset, is_copy, is_pointer }) = unmodelled.first_of else { continue };
        let Some(value) = value_of(unmodelled.symbol) else { continue };
        let until = &block[..(statement as usize).min(block.len())];
        let copies = until.iter().filter(|statement| matches!(statement, Statement::Copy { .. }));
        let origin = match is_copy {
            true => Origin::Copied(step, copies.count()),
            false => Origin::Made(before + allocations(until).count() + 1),
        };
        match value {
            Value::Array(array) => {
                for (index, element) in array.entries() {
                    let ConcreteValue::Int(at) = ConcreteValue::of_term(index.clone(), OFFSET) else { continue };
                    let Some(at) = at.to_i64() else { continue };
                    if let Some((ty, value)) = content_of(unmodelled, is_pointer, element.clone()) {
                        first.insert(origin, at, ty, value);
                    }
                }
                let places = (offset.rest, offset.step);
                if let Some((ty, others)) = content_of(unmodelled, is_pointer, array.default().clone()) {
                    first.insert_elsewhere(origin, places, ty, others);
                }
            }
            value => {
                if let Some((ty, value)) = content_of(unmodelled, is_pointer, value) {
                    first.insert(origin, offset.rest, ty, value);
                }
            }
        }
    }
}
/// The content that a symbol's value is. Of a pointer it is known only whether it is null, by its parts, and which one cannot
/// be said.
fn content_of(unmodelled: &Unmodelled, is_pointer: bool, value: Value) -> Option<(Type, ConcreteValue)> {
    if !is_pointer {
        return Some((unmodelled.ty, ConcreteValue::of_term(value, unmodelled.ty)));
    }
    let is_null = value == Value::zero(value.sort());
    (!is_null).then_some((Type::Pointer, ConcreteValue::Pointer(Pointer::NOWHERE)))
}
/// Which statements of a block make objects.
pub fn allocations(block: &[Statement]) -> impl Iterator<Item = usize> {
    let makes = |statement: &Statement| matches!(statement, Statement::Allocate { .. });
    block.iter().enumerate().filter(move |(_, statement)| makes(statement)).map(|(number, _)| number)
}
