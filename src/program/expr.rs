//! Expressions: pure, typed, total.
//!
//! Every operator has a value for all its operands, so that execution and reasoning cannot differ on a corner
//! case; where an operation is undefined (division by zero, a bad pointer) its front end puts an
//! edge to an error location before it. The only partial operation is [`Expr::Load`], which faults.

use super::{FloatKind, ProcId, Program, Type, VarId};
use crate::term::Integer;

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A truth value.
    Bool(bool),
    /// A number of an integer type, within its range.
    Int(Integer, Type),
    /// A floating-point number: its bits, those of a 32-bit one in the lower half.
    Float(u64, FloatKind),
    /// The pointer to no object, with the address 0.
    Null,
    /// The pointer to a procedure: to the start of an object without bytes, always live, that stands for it. Two are
    /// equal if the procedures are the same; loads and stores there fault.
    Function(ProcId),
    /// The value of a variable.
    Var(VarId),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// All of them; true if there is none.
    And(Vec<Expr>),
    /// One of them; false if there is none.
    Or(Vec<Expr>),
    /// If, then, else.
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The operand converted to another type: between machine integers modulo 2^width; from bool 0 or 1; to bool,
    /// whether it differs from zero or null; from mathematical integers modulo 2^width; to them exactly.
    ///
    /// Between bool or machine integers and floating-point numbers: to the nearest, of two the even one; back towards
    /// zero, to the nearest end of the type from outside it, to 0 from NaN. Between floating-point
    /// numbers to the nearest. Mathematical integers have no such casts.
    ///
    /// From a pointer to a machine integer: its address modulo 2^width. From a machine integer to a pointer: the
    /// number modulo the size of pointers is the address. An address in an object, live or not, or right behind its
    /// end, gives the pointer there, so that a pointer into an object survives the way there and back; any other
    /// gives null or a wild pointer. An execution chooses where objects lie: never in the first and last 4096 bytes
    /// of all, apart from each other, each at a multiple of 16.
    Cast(Type, Box<Expr>),
    /// The value of the given type in memory at a pointer, the lowest byte first. Faults where the pointer is null or
    /// wild, the object is not live, or the bytes are outside it. Bytes that were never written are input: they get
    /// their values, for ever, where they are first read. The bytes of a pointer are
    /// those of its address; one that is loaded from where it was stored or copied to as a whole is the same pointer,
    /// other bytes are cast to one.
    Load(Type, Box<Expr>),
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOp {
    /// Boolean not.
    Not,
    /// Minus; machine integers wrap; the sign of floating-point numbers is flipped, whatever they are.
    Neg,
    /// Every bit flipped; machine integers only.
    BitNot,
    /// The byte offset of a pointer into its object, as `i64`; the address for null and wild ones.
    Offset,
    /// The size in bytes of the object pointed to, as `i64`, live or not; 0 for null and wild ones.
    ObjectSize,
    /// Whether the object pointed to exists and was not freed; false for null and wild ones.
    IsLive,
    /// Whether a free of the pointer is one: it is to the start of a live object on the heap.
    IsFreeable,
    /// Whether the object pointed to is a literal or of the region of constants; false for null and wild ones.
    IsConstant,
    /// Whether the thread has the lock that a pointer stands for.
    HoldsLock,
    /// Whether any thread has it.
    IsLocked,
    /// Whether an object on the heap is lost: no pointer to any part of it, or to right behind it, is held in a variable of
    /// any activation, or in an object that is found from one or that is not on the heap. The operand, a constant, says
    /// whether the program has come to its end, where locals and objects on the stack of the first thread no longer count.
    HasLost,
    /// Whether a floating-point operand is NaN.
    IsNan,
    /// Whether a floating-point operand is an infinity.
    IsInfinite,
    /// Whether the sign of a floating-point operand is set, also that of zero and of NaN.
    SignBit,
}

/// Operators with two operands of one type, unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    /// Sum; machine integers wrap, floating-point numbers round to nearest.
    Add,
    /// Difference; machine integers wrap, floating-point numbers round to nearest.
    Sub,
    /// Product; machine integers wrap, floating-point numbers round to nearest.
    Mul,
    /// Quotient towards zero, on machine integers; by zero: all ones if unsigned, else -1 for a dividend of at
    /// least 0 and 1 below it (as SMT-LIB has it); the least value by -1 wraps to itself. On floating-point numbers
    /// the quotient rounded to nearest.
    Div,
    /// Remainder with the sign of the dividend, on machine integers; by zero: the dividend.
    Rem,
    /// Bitwise and, on machine integers.
    BitAnd,
    /// Bitwise or, on machine integers.
    BitOr,
    /// Bitwise exclusive or, on machine integers.
    BitXor,
    /// Shift left on machine integers, the amount read as unsigned; 0 from the width on.
    Shl,
    /// Shift right on machine integers, the amount read as unsigned; the sign comes in for signed types, else zeros.
    Shr,
    /// Equal, on any type. Pointers are equal if object and offset are; a wild pointer and one to an object if the
    /// addresses are. Floating-point numbers as IEEE 754 has it: zeros are equal, NaN equals nothing.
    Eq,
    /// Different, on any type: not equal.
    Ne,
    /// Less, on integers, floating-point numbers and pointers: pointers into one object by their offsets, others by
    /// their addresses; nothing is less or greater than NaN.
    Lt,
    /// At most, on the same.
    Le,
    /// Greater, on the same.
    Gt,
    /// At least, on the same.
    Ge,
    /// The first implies the second; on bool.
    Implies,
    /// A pointer moved by an `i64` number of bytes; from null and wild ones, modulo the size of pointers, to wild ones
    /// or null.
    PointerAdd,
    /// Whether two pointers point into the same object, or both into none.
    SameObject,
}

impl BinaryOp {
    /// Whether this compares by order.
    pub fn is_order(self) -> bool {
        matches!(self, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge)
    }

    /// Whether the result is a truth value.
    pub fn is_predicate(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge | Implies | SameObject)
    }
}

/// The type of offsets and object sizes.
pub const OFFSET: Type = Type::Machine(super::MachineInt { width: 64, signed: true });

impl Expr {
    /// A mathematical integer.
    pub fn int(value: impl Into<Integer>) -> Expr {
        Expr::Int(value.into(), Type::Int)
    }

    /// One operand.
    pub fn unary(op: UnaryOp, a: Expr) -> Expr {
        Expr::Unary(op, Box::new(a))
    }

    /// Two operands.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    /// Boolean not.
    pub fn negate(self) -> Expr {
        match self {
            Expr::Bool(value) => Expr::Bool(!value),
            Expr::Unary(UnaryOp::Not, inner) => *inner,
            other => Expr::unary(UnaryOp::Not, other),
        }
    }

    /// Whether it asks for objects that are lost.
    pub fn looks_for_lost(&self) -> bool {
        matches!(self, Expr::Unary(UnaryOp::HasLost, _)) || self.operands().into_iter().any(Expr::looks_for_lost)
    }

    /// The type, in a valid program.
    pub fn type_in(&self, program: &Program) -> Type {
        match self {
            Expr::Bool(_) | Expr::And(_) | Expr::Or(_) => Type::Bool,
            Expr::Int(_, ty) | Expr::Cast(ty, _) | Expr::Load(ty, _) => *ty,
            Expr::Float(_, kind) => Type::Float(*kind),
            Expr::Null | Expr::Function(_) => Type::Pointer,
            Expr::Var(var) => program.variables[*var].ty,
            Expr::Unary(op, a) => match op {
                UnaryOp::Not
                | UnaryOp::IsLive
                | UnaryOp::IsConstant
                | UnaryOp::IsNan
                | UnaryOp::IsInfinite
                | UnaryOp::SignBit => Type::Bool,
                UnaryOp::IsFreeable | UnaryOp::HoldsLock | UnaryOp::IsLocked | UnaryOp::HasLost => Type::Bool,
                UnaryOp::Neg | UnaryOp::BitNot => a.type_in(program),
                UnaryOp::Offset | UnaryOp::ObjectSize => OFFSET,
            },
            Expr::Binary(op, ..) if op.is_predicate() => Type::Bool,
            Expr::Binary(_, a, _) => a.type_in(program),
            Expr::Ite(_, then, _) => then.type_in(program),
        }
    }

    /// The operands, left to right.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Expr::Bool(_) | Expr::Int(..) | Expr::Float(..) | Expr::Null | Expr::Function(_) | Expr::Var(_) => vec![],
            Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Load(_, a) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::And(all) | Expr::Or(all) => all.iter().collect(),
            Expr::Ite(a, b, c) => vec![a, b, c],
        }
    }

    /// The operands that are evaluated wherever the expression is.
    pub fn always_evaluated(&self) -> impl Iterator<Item = &Expr> {
        let always = match self {
            Expr::And(_) | Expr::Or(_) | Expr::Ite(..) | Expr::Binary(BinaryOp::Implies, ..) => 1,
            _ => usize::MAX,
        };
        self.operands().into_iter().take(always)
    }

    /// The operands, left to right, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Bool(_) | Expr::Int(..) | Expr::Float(..) | Expr::Null | Expr::Function(_) | Expr::Var(_) => vec![],
            Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Load(_, a) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::And(all) | Expr::Or(all) => all.iter_mut().collect(),
            Expr::Ite(a, b, c) => vec![a, b, c],
        }
    }

    /// Whether memory is read.
    pub fn has_load(&self) -> bool {
        matches!(self, Expr::Load(..)) || self.operands().into_iter().any(Expr::has_load)
    }

    /// Gives every variable another name.
    pub fn rename(&mut self, rename: &impl Fn(&mut VarId)) {
        match self {
            Expr::Var(variable) => rename(variable),
            other => other.operands_mut().into_iter().for_each(|operand| operand.rename(rename)),
        }
    }

    /// Calls the function on every variable that occurs, once an occurrence.
    pub fn for_each_var(&self, visit: &mut impl FnMut(VarId)) {
        if let Expr::Var(var) = self {
            visit(*var);
        }
        for operand in self.operands() {
            operand.for_each_var(visit);
        }
    }
}
