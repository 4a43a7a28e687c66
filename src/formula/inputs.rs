//! From the values of symbols to what an execution reads.

use crate::concrete::{Pointer, Value as ConcreteValue};
use crate::formula::encode::{FirstContent, Input, Transition, Unmodelled};
use crate::program::{Program, Statement, Type};
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

/// The first contents of the objects that a block makes, after so many others, by their numbers and offsets.
pub fn first_contents(
    block: &[Statement],
    transition: &Transition,
    before: usize,
    value_of: &dyn Fn(Symbol) -> Option<Value>,
) -> Vec<((usize, i64), ConcreteValue)> {
    let content = |unmodelled: &Unmodelled| {
        let FirstContent { statement, offset } = unmodelled.first_of?;
        let made = allocations(block).take_while(|at| *at < statement as usize).count();
        let value = value_of(unmodelled.symbol)?;
        Some(((before + made + 1, offset), ConcreteValue::of_term(value, unmodelled.ty)))
    };
    transition.unmodelled.iter().filter_map(content).collect()
}

/// Which statements of a block make objects.
pub fn allocations(block: &[Statement]) -> impl Iterator<Item = usize> {
    let makes = |statement: &Statement| matches!(statement, Statement::Allocate { .. });
    block.iter().enumerate().filter(move |(_, statement)| makes(statement)).map(|(number, _)| number)
}
