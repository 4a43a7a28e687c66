//! What an execution reads from outside, given by a seed: inputs by the variables that take them, and the first contents of
//! memory by their offsets.

use tandem::concrete::{Inputs, Request, Value};
use tandem::program::{Id, Type, VarId};
use tandem::term::{ArrayValue, Integer, Offsets, Random, Sort, Value as TermValue};

/// Objects are shorter than this, in bytes.
const LONGEST: i64 = 256;

/// All that is read.
#[derive(Debug, Clone, Copy)]
pub struct World {
    seed: u64,
    /// Inputs are below this.
    below: usize,
}

impl World {
    pub fn new(seed: u64, below: usize) -> World {
        World { seed, below }
    }

    /// The input that a variable takes.
    pub fn input(&self, variable: VarId) -> Integer {
        let mut random = Random::new(self.seed.wrapping_mul(31).wrapping_add(variable.index() as u64));
        Integer::from(random.below(self.below) as u64)
    }

    /// What memory holds before it is written, at an offset of whichever object, as an unsigned number.
    fn first(&self, offset: i64, bytes: u32) -> Integer {
        let byte = |at: i64| Integer::from(Random::new(self.seed ^ 0x77 ^ (at as u64) << 20).next_u64() & 0xff);
        (0..bytes).fold(Integer::ZERO, |sum, number| &sum + &byte(offset + i64::from(number)).shift_left(8 * number))
    }

    /// The same as a value of a type, if it is a number.
    fn first_of(&self, offset: i64, ty: Type) -> Option<Integer> {
        match ty {
            Type::Machine(machine) => Some(machine.wrap(&self.first(offset, machine.bytes()))),
            _ => None,
        }
    }

    /// The same as the value of a symbol of a sort: of one place, or of all that are so far apart.
    pub fn first_content(&self, at: Offsets, ty: Type, sort: Sort) -> Option<TermValue> {
        let Sort::Array(parts) = sort else { return number(self.first_of(at.rest, ty)?, sort) };
        let mut array = ArrayValue::constant(sort, TermValue::zero(parts.element()));
        let mut offset = at.rest;
        while offset < LONGEST {
            let index = number(Integer::from(offset), parts.index())?;
            array = array.store(index, number(self.first_of(offset, ty)?, parts.element())?);
            offset += at.step.max(1);
        }
        Some(array.into())
    }
}

/// A number as a value of a sort.
pub fn number(number: Integer, sort: Sort) -> Option<TermValue> {
    match sort {
        Sort::Int => Some(TermValue::Int(number)),
        Sort::BitVec(width) => Some(TermValue::BitVec(number.wrap_unsigned(width), width)),
        _ => None,
    }
}

impl Inputs for World {
    fn next(&mut self, request: &Request) -> Option<Value> {
        match (request.variable, request.memory) {
            (Some(variable), _) => Some(Value::Int(self.input(variable))),
            (None, Some(place)) => self.first_of(place.offset, request.ty).map(Value::Int),
            (None, None) => None,
        }
    }
}
