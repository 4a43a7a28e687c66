//! Values of concrete execution.

use crate::program::Type;
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
}

/// An object and a byte offset into it, or null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pointer {
    /// The object's number, from 1; 0 for null.
    pub object: u32,
    /// The offset; 0 for null.
    pub offset: i64,
}

impl Pointer {
    /// The pointer to no object.
    pub const NULL: Pointer = Pointer { object: 0, offset: 0 };

    /// Whether this is null.
    pub fn is_null(self) -> bool {
        self.object == 0
    }
}

impl Value {
    /// A number.
    pub fn int(n: impl Into<Integer>) -> Value {
        Value::Int(n.into())
    }

    /// Whether a variable of that type can hold the value.
    pub fn is_of(&self, ty: Type) -> bool {
        match (self, ty) {
            (Value::Bool(_), Type::Bool) | (Value::Int(_), Type::Int) | (Value::Pointer(_), Type::Pointer) => true,
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
            Value::Pointer(pointer) => write!(f, "&{}+{}", pointer.object, pointer.offset),
        }
    }
}
