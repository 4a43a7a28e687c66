//! From the values of symbols to what an execution reads.

use crate::concrete::{FirstContents, Pointer, Value as ConcreteValue};
use crate::formula::encode::{FirstContent, Input, Transition};
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

/// Adds the first contents of the objects that a block makes, after so many others, by their numbers and offsets.
pub fn add_first_contents(
    first: &mut FirstContents,
    block: &[Statement],
    transition: &Transition,
    before: usize,
    value_of: &dyn Fn(Symbol) -> Option<Value>,
) {
    for unmodelled in &transition.unmodelled {
        let Some(FirstContent { statement, offset }) = unmodelled.first_of else { continue };
        let Some(value) = value_of(unmodelled.symbol) else { continue };
        let object = before + allocations(block).take_while(|at| *at < statement as usize).count() + 1;
        match value {
            Value::Array(array) => {
                for (index, element) in array.entries() {
                    let ConcreteValue::Int(at) = ConcreteValue::of_term(index.clone(), OFFSET) else { continue };
                    let Some(at) = at.to_i64() else { continue };
                    first.insert(object, at, ConcreteValue::of_term(element.clone(), unmodelled.ty));
                }
                let others = ConcreteValue::of_term(array.default().clone(), unmodelled.ty);
                first.insert_elsewhere(object, (offset.rest, offset.step), others);
            }
            value => first.insert(object, offset.rest, ConcreteValue::of_term(value, unmodelled.ty)),
        }
    }
}

/// Which statements of a block make objects.
pub fn allocations(block: &[Statement]) -> impl Iterator<Item = usize> {
    let makes = |statement: &Statement| matches!(statement, Statement::Allocate { .. });
    block.iter().enumerate().filter(move |(_, statement)| makes(statement)).map(|(number, _)| number)
}
