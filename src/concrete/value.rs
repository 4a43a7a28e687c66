//! Values of concrete execution.

use super::token::Token;
use crate::program::{FloatKind, Type};
use crate::term::Integer;
use std::fmt;

/// A value of a variable.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Value {
    /// Nothing was written yet; reading it is a fault.
    #[default]
    Undefined,
    /// A truth value.
    Bool(bool),
    /// A number, within the range of its variable's type.
    Int(Integer),
    /// A pointer.
    Pointer(Pointer),
    /// A floating-point number, by its bits: equal values have equal bits.
    Float(u64, FloatKind),
    /// One of several values, by the abstraction of a variable.
    Token(Token),
}

/// An object and a byte offset into it; or no object and an address, which is 0 for null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pointer {
    /// The object's number, from 1; 0 for none. From [`Pointer::FUNCTIONS`] on, the objects that stand for procedures.
    pub object: u32,
    /// The offset, or the address where there is no object.
    pub offset: i64,
}

impl Pointer {
    /// The pointer to no object.
    pub const NULL: Pointer = Pointer { object: 0, offset: 0 };

    /// A pointer that is neither null nor to an object: none lies in the first 4096 bytes of memory.
    pub const NOWHERE: Pointer = Pointer { object: 0, offset: 16 };

    /// Whether the pointer can be written down as an input: it is to no object, and none can have its address.
    pub fn is_input(self) -> bool {
        self.object == 0 && (0..4096).contains(&self.offset)
    }

    /// Whether this is null.
    pub fn is_null(self) -> bool {
        self == Pointer::NULL
    }

    /// The number of the object that stands for the first procedure.
    pub const FUNCTIONS: u32 = 1 << 31;

    /// The pointer to the procedure of that number.
    pub(super) fn to_function(number: u32) -> Pointer {
        Pointer { object: Pointer::FUNCTIONS + number, offset: 0 }
    }

    /// The number of the procedure that the pointer is to.
    pub fn function(self) -> Option<u32> {
        self.object.checked_sub(Pointer::FUNCTIONS)
    }
}

impl Value {
    /// A number.
    pub fn int(n: impl Into<Integer>) -> Value {
        Value::Int(n.into())
    }

    /// The number to be changed in place, where it is one that fits a machine word.
    #[inline]
    pub(super) fn as_i64_mut(&mut self) -> Option<&mut i64> {
        match self {
            Value::Int(n) => n.as_i64_mut(),
            _ => None,
        }
    }

    /// The value that a term of that type has.
    pub fn of_term(value: crate::term::Value, ty: Type) -> Value {
        match (value, ty) {
            (crate::term::Value::Bool(truth), _) => Value::Bool(truth),
            (value, Type::Machine(machine)) => {
                Value::Int(machine.wrap(&value.as_integer().cloned().unwrap_or_default()))
            }
            (value, Type::Float(kind)) => {
                Value::Float(value.as_integer().and_then(Integer::to_u64).unwrap_or_default(), kind)
            }
            (value, _) => Value::Int(value.as_integer().cloned().unwrap_or_default()),
        }
    }

    /// Whether a variable of that type can hold the value.
    pub(super) fn is_of(&self, ty: Type) -> bool {
        match (self, ty) {
            (Value::Bool(_), Type::Bool) | (Value::Int(_), Type::Int) | (Value::Pointer(_), Type::Pointer) => true,
            (Value::Float(_, kind), Type::Float(of)) => *kind == of,
            (Value::Int(n), Type::Machine(machine)) => n.fits(machine.width, machine.signed),
            _ => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Undefined => write!(f, "undefined"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Pointer(pointer) if pointer.is_null() => write!(f, "null"),
            Value::Pointer(pointer) if pointer.object == 0 => write!(f, "{:#x}", pointer.offset),
            Value::Pointer(pointer) => match pointer.function() {
                Some(function) => write!(f, "&P{function}+{}", pointer.offset),
                None => write!(f, "&{}+{}", pointer.object, pointer.offset),
            },
            Value::Float(bits, kind) => write!(f, "{}", kind.print(*bits)),
            Value::Token(token) => write!(f, "{}", token.name()),
        }
    }
}
