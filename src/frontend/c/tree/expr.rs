//! Expressions of the typed tree.

use super::{Builtin, ExprId, FunctionId, Initialiser, ObjectId, StmtId, StringId};
use crate::frontend::c::names::Symbol;
use crate::frontend::c::types::{BitField, Ty, VlaId};
use crate::program::Span;

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Where it is.
    pub span: Span,
}

/// How many bytes the target of a pointer takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stride {
    /// Known.
    Bytes(u64),
    /// Computed, by an expression of type `size_t` without side effects.
    Computed(ExprId),
}

/// What an expression is.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// Lvalue: an object.
    Object(ObjectId),
    /// Lvalue: what a pointer points to.
    Deref(ExprId),
    /// Lvalue: a member of an lvalue.
    Member {
        /// The structure or union.
        base: ExprId,
        /// Where the member starts, in bytes.
        offset: u64,
        /// Which bits, for a bit-field.
        bits: Option<BitField>,
    },
    /// Lvalue: a string literal.
    Str(StringId),
    /// Lvalue: a compound literal; evaluating it stores the initialiser into the object, when it is a local.
    CompoundLiteral(ObjectId, Option<Box<Initialiser>>),
    /// Lvalue: an unnamed object that holds a structure computed by a call or the like.
    Temporary(ExprId),

    /// Function designator.
    Function(FunctionId),

    /// An integer constant.
    Int(i128),
    /// A floating constant: the nearest value of its type, of type `double` for wider ones, and how it is spelled.
    Float(f64, Symbol),
    /// The value in an lvalue.
    Load(ExprId),
    /// The address of the first element of an array lvalue.
    Decay(ExprId),
    /// The address of a function.
    FunctionPointer(ExprId),
    /// The address of an lvalue.
    AddressOf(ExprId),
    /// A conversion to the type of the node.
    Convert(Conversion, ExprId),
    /// `-`, `~`, and `!` of a `_Bool`, which gives an `int`.
    Unary(UnaryOp, ExprId),
    /// Arithmetic, bitwise and comparison operators; comparisons give an `int`, also of pointers of one type.
    Binary(BinaryOp, ExprId, ExprId),
    /// A pointer moved by a number of elements, of any integer type.
    PointerAdd {
        /// The pointer.
        pointer: ExprId,
        /// How many elements.
        index: ExprId,
        /// The size of an element.
        stride: Stride,
        /// Whether to move backwards.
        is_subtraction: bool,
    },
    /// The distance of two pointers in elements.
    PointerDifference {
        /// The pointer that comes later when the result is positive.
        left: ExprId,
        /// The other one.
        right: ExprId,
        /// The size of an element.
        stride: Stride,
    },
    /// `&&` of two `_Bool`, an `int`; the right one only when the left one is true.
    LogicalAnd(ExprId, ExprId),
    /// `||` of two `_Bool`, an `int`; the right one only when the left one is false.
    LogicalOr(ExprId, ExprId),
    /// `?:`
    Conditional {
        /// The condition.
        condition: ExprId,
        /// The result when it is true.
        then: ExprId,
        /// The result when it is false.
        otherwise: ExprId,
    },
    /// `a ?: b`, that evaluates `a` once.
    Elvis {
        /// `a`
        value: ExprId,
        /// Whether `a` is true, in terms of [`ExprKind::Saved`].
        condition: ExprId,
        /// `a` in the type of the result, in terms of [`ExprKind::Saved`].
        then: ExprId,
        /// `b`
        otherwise: ExprId,
    },
    /// The value that this expression had when it was evaluated just before.
    Saved(ExprId),
    /// The left one for its effects, then the right one.
    Comma(ExprId, ExprId),
    /// Stores a value, converted to the type of the target; the result is what is stored.
    Assign {
        /// The lvalue.
        target: ExprId,
        /// The value.
        value: ExprId,
    },
    /// `target op= value`: the target is evaluated once, read, converted to `computation`, combined with the value
    /// in that type (the operands of a shift have their own), converted back and stored.
    AssignOp {
        /// The lvalue.
        target: ExprId,
        /// The operator: arithmetic, bitwise or a shift.
        op: BinaryOp,
        /// The right operand.
        value: ExprId,
        /// The type to compute in.
        computation: Ty,
    },
    /// `pointer += index` and `pointer -= index`.
    AssignPointerAdd {
        /// The lvalue.
        target: ExprId,
        /// How many elements.
        index: ExprId,
        /// The size of an element.
        stride: Stride,
        /// Whether to move backwards.
        is_subtraction: bool,
    },
    /// `++` and `--`.
    Increment {
        /// The lvalue.
        target: ExprId,
        /// Whether it counts down.
        is_decrement: bool,
        /// Whether the result is the value before.
        is_postfix: bool,
        /// How to count.
        step: Step,
    },
    /// A call. The callee is a pointer to a function; arguments are converted to the parameters' types, those behind
    /// the prototype promoted.
    Call {
        /// The function.
        callee: ExprId,
        /// The arguments.
        arguments: Box<[ExprId]>,
    },
    /// Something that the compiler provides.
    Builtin(Builtin, Box<[ExprId]>),
    /// The next variable argument, of the type of the node; the operand is the list, an lvalue or a pointer to it.
    VaArg(ExprId),
    /// `({ … })`: the statements in a block, then the result, which sees the objects of the block.
    Statements {
        /// What comes before the result: a block.
        block: StmtId,
        /// The result.
        result: Option<ExprId>,
    },
    /// The number of elements that was computed for a variable-length array.
    VlaLength(VlaId),
}

impl ExprKind {
    /// Tells every expression that is directly part of this one; those in blocks, initialisers and objects are not.
    pub fn for_each_child(&self, mut tell: impl FnMut(ExprId)) {
        use ExprKind::*;
        let stride = |stride: &Stride| match stride {
            Stride::Computed(size) => Some(*size),
            Stride::Bytes(_) => None,
        };
        match self {
            Object(_) | Str(_) | CompoundLiteral(..) | Function(_) | Int(_) | Float(..) | VlaLength(_) | Saved(_) => {}
            Deref(e) | Temporary(e) | Load(e) | Decay(e) | FunctionPointer(e) | AddressOf(e) | VaArg(e) => tell(*e),
            Convert(_, e) | Unary(_, e) | Member { base: e, .. } => tell(*e),
            Binary(_, a, b) | LogicalAnd(a, b) | LogicalOr(a, b) | Comma(a, b) => [*a, *b].into_iter().for_each(tell),
            Assign { target, value } | AssignOp { target, value, .. } => [*target, *value].into_iter().for_each(tell),
            PointerAdd { pointer: a, index: b, stride: size, .. }
            | PointerDifference { left: a, right: b, stride: size }
            | AssignPointerAdd { target: a, index: b, stride: size, .. } => {
                [*a, *b].into_iter().chain(stride(size)).for_each(tell);
            }
            Conditional { condition, then, otherwise } => [*condition, *then, *otherwise].into_iter().for_each(tell),
            Elvis { value, condition, then, otherwise } => {
                [*value, *condition, *then, *otherwise].into_iter().for_each(tell);
            }
            Increment { target, step, .. } => {
                tell(*target);
                if let Step::Pointer(size) = step {
                    stride(size).into_iter().for_each(tell);
                }
            }
            Call { callee, arguments } => {
                tell(*callee);
                arguments.iter().copied().for_each(tell);
            }
            Builtin(_, arguments) => arguments.iter().copied().for_each(tell),
            Statements { result, .. } => result.iter().copied().for_each(tell),
        }
    }

    /// Whether it is a place rather than a value.
    pub fn is_lvalue(&self) -> bool {
        matches!(
            self,
            ExprKind::Object(_)
                | ExprKind::Deref(_)
                | ExprKind::Member { .. }
                | ExprKind::Str(_)
                | ExprKind::CompoundLiteral(..)
                | ExprKind::Temporary(_)
        )
    }
}

/// How `++` and `--` count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// By one, computed in this type and converted back.
    Number(Ty),
    /// By one element.
    Pointer(Stride),
}

/// A conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Between integer types: the value, reduced to the width of the target.
    Integer,
    /// From an integer to the nearest floating value.
    IntegerToFloat,
    /// From a floating value towards zero to an integer.
    FloatToInteger,
    /// Between floating types.
    Float,
    /// To `_Bool`: whether a number is not zero or a pointer not null.
    Truth,
    /// From a pointer to an integer.
    PointerToInteger,
    /// From an integer to a pointer.
    IntegerToPointer,
    /// The null pointer, from the constant zero.
    Null,
    /// Between pointer types.
    Pointer,
    /// The value is thrown away.
    Void,
    /// Between structure types that are the same but for qualifiers, or into a transparent union.
    Record,
}

/// An operator before its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `!`
    Not,
}

/// An operator between operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
}

impl BinaryOp {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
        }
    }

    /// Whether it compares.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Lt | Gt | Le | Ge | Eq | Ne)
    }

    /// Whether it shifts.
    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }
}
