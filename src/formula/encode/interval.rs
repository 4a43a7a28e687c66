//! Intervals of integer terms: symbols are within the ranges of their types.

use super::Encoder;
use crate::program::{MachineInt, Type};
use crate::term::{Interval, Symbol};

/// The values of a machine integer type.
pub(super) fn of_machine(machine: MachineInt) -> Interval {
    Interval::new(machine.min(), machine.max())
}

impl Encoder<'_> {
    /// The values that a symbol can have, if it is a variable's.
    pub(super) fn interval_of(&self, symbol: Symbol) -> Interval {
        match self.type_of(symbol) {
            Some(Type::Machine(machine)) => of_machine(machine),
            _ => Interval::ALL,
        }
    }
}
