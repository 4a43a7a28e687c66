//! The types of variables and expressions.

use super::FloatKind;
use crate::term::Integer;
use std::fmt;

/// A type. Machine integers wrap; conversions between types are explicit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Integers of a machine: `i32`, `u8`…
    Machine(MachineInt),
    /// An object and a byte offset into it; or no object, and an address: null, which is the address 0, or a *wild*
    /// pointer, which is another.
    Pointer,
    /// Floating-point numbers of IEEE 754.
    Float(FloatKind),
}

/// A machine integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MachineInt {
    /// How many bits, from 1 to 128.
    pub width: u32,
    /// Two's complement, or natural numbers.
    pub signed: bool,
}

impl MachineInt {
    /// The widest machine integer.
    pub(super) const MAX_WIDTH: u32 = 128;

    /// The least value.
    pub fn min(self) -> Integer {
        if self.signed { -Integer::power_of_two(self.width - 1) } else { Integer::ZERO }
    }

    /// The greatest value.
    pub fn max(self) -> Integer {
        Integer::power_of_two(self.width - u32::from(self.signed)) - Integer::ONE
    }

    /// The value of this type that equals `n` modulo 2^width.
    #[inline]
    pub fn wrap(self, n: &Integer) -> Integer {
        if self.signed { n.wrap_signed(self.width) } else { n.wrap_unsigned(self.width) }
    }

    /// How many bytes a value takes in memory.
    pub fn bytes(self) -> u32 {
        self.width.div_ceil(8)
    }
}

impl Type {
    /// The machine integer type of that width and sign.
    pub fn machine(width: u32, signed: bool) -> Type {
        Type::Machine(MachineInt { width, signed })
    }

    /// Whether values are whole numbers.
    pub fn is_integer(self) -> bool {
        matches!(self, Type::Int | Type::Machine(_))
    }
}

impl fmt::Display for MachineInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.width)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => write!(f, "bool"),
            Type::Int => write!(f, "int"),
            Type::Machine(machine) => write!(f, "{machine}"),
            Type::Pointer => write!(f, "ptr"),
            Type::Float(kind) => write!(f, "{kind}"),
        }
    }
}
