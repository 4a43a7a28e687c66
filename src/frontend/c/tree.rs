//! The typed tree: what a C file means, with nothing implicit left.
//!
//! Every expression has its type. Conversions, decay of arrays and functions, and reads of objects are nodes of
//! their own; names are resolved; sizes, offsets, enumerators and constant integer expressions are numbers. A
//! constant that would overflow, divide by zero or shift too far is left as it was written, for the lowering to judge.
//!
//! Rules that the nodes keep:
//! - An expression is an *lvalue* (a place: [`ExprKind::is_lvalue`]), a *function designator*
//!   ([`ExprKind::Function`]) or a *value*. Only [`ExprKind::Load`], [`ExprKind::Decay`],
//!   [`ExprKind::AddressOf`], [`ExprKind::Member`], assignments and the like take lvalues; everything else takes values.
//! - Values have unqualified types; the type of an lvalue has the qualifiers of the place.
//! - Operands of arithmetic, comparison and bitwise operators have the same type, of at least the rank of `int`;
//!   those of shifts are promoted one by one. Conditions have type `_Bool`.
//! - Children come before their parents in [`Unit::exprs`] and [`Unit::stmts`]. Only left operands of
//!   [`ExprKind::Binary`], [`ExprKind::LogicalAnd`], [`ExprKind::LogicalOr`], [`ExprKind::Comma`] and
//!   [`ExprKind::PointerAdd`], with the conversions on them, nest deeper than a few thousand: walk those in a loop.

use super::names::{Names, Symbol, ids};
use super::types::{BitField, Ty, Types, VlaId};
use crate::program::{IdVec, Span};
use std::sync::Arc;

pub use super::ast::{Qualifiers, Storage as StorageWords};

ids! {
    /// A typed expression.
    ExprId, "e";
    /// A statement.
    StmtId, "t";
    /// An object: a variable, a parameter, or a compound literal.
    ObjectId, "o";
    /// A function.
    FunctionId, "F";
    /// A label of a function: of `goto`, `case` or `default`.
    LabelId, "l";
    /// A string literal.
    StringId, "q";
}

/// The meaning of one C file.
#[derive(Debug)]
pub struct Unit {
    /// The types, with the data model.
    pub types: Types,
    /// The names behind symbols.
    pub names: Names,
    /// Every function that is declared, defined or called.
    pub functions: IdVec<FunctionId, Function>,
    /// Every object, of the file and of its functions.
    pub objects: IdVec<ObjectId, Object>,
    /// Every expression.
    pub exprs: IdVec<ExprId, Expr>,
    /// Every statement.
    pub stmts: IdVec<StmtId, Stmt>,
    /// Every string literal.
    pub strings: IdVec<StringId, StringLiteral>,
    /// The lengths of variable-length arrays.
    pub vlas: IdVec<VlaId, Vla>,
    /// What was taken for granted, as a compiler would warn about it.
    pub assumptions: Vec<Assumption>,
}

impl Unit {
    /// The function of that name.
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        self.functions.enumerate().find(|(_, function)| &*function.name == name).map(|(id, _)| id)
    }

    /// The integer that the expression is, where it is a constant.
    pub fn constant(&self, expr: ExprId) -> Option<i128> {
        match self.exprs[expr].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The function that a call calls, where it names it.
    pub fn direct_callee(&self, callee: ExprId) -> Option<FunctionId> {
        match self.exprs[callee].kind {
            ExprKind::FunctionPointer(inner) => match self.exprs[inner].kind {
                ExprKind::Function(id) => Some(id),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Something taken for granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// What.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Its type, a function type.
    pub ty: Ty,
    /// Whether no other file sees it.
    pub is_static: bool,
    /// Whether a declaration says `inline`; the body counts all the same.
    pub is_inline: bool,
    /// Whether a declaration says that it does not return.
    pub is_noreturn: bool,
    /// Whether it was called without being declared.
    pub is_implicit: bool,
    /// The name that the linker sees, where a declaration gives one.
    pub asm_name: Option<Arc<str>>,
    /// Its parameters and body, where it is defined here.
    pub definition: Option<Definition>,
    /// Where it is defined, or declared first.
    pub span: Span,
}

/// The parameters and body of a function.
#[derive(Debug)]
pub struct Definition {
    /// The parameters, in order.
    pub parameters: Vec<ObjectId>,
    /// The body, a block; lengths that parameters need are computed at its start.
    pub body: StmtId,
    /// Objects with a place in each activation: locals and compound literals, parameters left out.
    pub locals: Vec<ObjectId>,
    /// The labels.
    pub labels: IdVec<LabelId, Label>,
}

/// A label.
#[derive(Debug, Clone)]
pub struct Label {
    /// Its name, for a label of `goto`.
    pub name: Option<Symbol>,
    /// Where it stands.
    pub span: Span,
}

/// An object.
#[derive(Debug)]
pub struct Object {
    /// Its name in the source; a compound literal has none and is called `literal`.
    pub name: Arc<str>,
    /// A name that no other object of the same function has, nor any other of static storage: `f.x`, `f.x.2`.
    pub unique_name: String,
    /// Its type; an array has its length from the initialiser where the declaration gives none.
    pub ty: Ty,
    /// How long it lives and who sees it.
    pub storage: Storage,
    /// Whether each thread has its own.
    pub is_thread_local: bool,
    /// Whether it has a definition here; a tentative one counts. Locals always have.
    pub is_defined: bool,
    /// What it starts with, for static storage; without one, zero. Locals have theirs in [`StmtKind::Declare`].
    pub init: Option<Initialiser>,
    /// Whether `&` is applied to it or to a part of it; decay of an array is a node to look for.
    pub is_address_taken: bool,
    /// The alignment that an attribute asks for, in bytes.
    pub align: Option<u64>,
    /// Where it is declared.
    pub span: Span,
}

/// How long an object lives and who sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// As long as the program; other files see it.
    Global,
    /// As long as the program; declared `static`, in the file or in a function.
    Static,
    /// As long as the block that declares it, in an activation of the function.
    Local(FunctionId),
    /// A parameter of the function.
    Parameter(FunctionId),
}

/// A string literal: an array that lives as long as the program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StringLiteral {
    /// The elements, with the zero at the end.
    pub units: Vec<u32>,
    /// The type of an element.
    pub element: Ty,
}

/// The length of a variable-length array.
#[derive(Debug, Clone, Copy)]
pub struct Vla {
    /// The number of elements, of type `size_t`.
    pub length: ExprId,
}

/// What an object starts with.
#[derive(Debug, Clone, Default)]
pub struct Initialiser {
    /// Whether what no item covers is zero. Otherwise the items cover everything but padding.
    pub zero_rest: bool,
    /// The parts that get values, to be stored in this order.
    pub items: Vec<InitItem>,
}

/// A part of an object that gets a value.
#[derive(Debug, Clone, Copy)]
pub struct InitItem {
    /// Where it starts, in bytes.
    pub offset: u64,
    /// Which bits, for a bit-field.
    pub bits: Option<BitField>,
    /// The type of the part.
    pub ty: Ty,
    /// Its value, converted to the type; for an array of characters the string literal, an lvalue, of which as many
    /// units are stored as fit.
    pub value: ExprId,
}

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

/// Something that the compiler provides. Arguments are lvalues where the list of a variadic function is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// Starts a list of variable arguments: the list.
    VaStart,
    /// Ends a list: the list.
    VaEnd,
    /// Copies a list: the target and the source.
    VaCopy,
    /// The end of the program is not reached here; when it is, anything happens.
    Unreachable,
    /// Ends the program.
    Trap,
    /// Room in the frame of the function: its size.
    Alloca,
    /// Reverses the bytes of an unsigned integer.
    ByteSwap,
    /// The number of the lowest set bit, of a value that is not zero.
    CountTrailingZeros,
    /// The number of zeros above the highest set bit, of a value that is not zero.
    CountLeadingZeros,
    /// One more than the number of the lowest set bit, or zero.
    FindFirstSet,
    /// The number of set bits.
    PopCount,
    /// Whether the number of set bits is odd.
    Parity,
    /// Whether a floating value is not a number.
    IsNan,
    /// Whether a floating value is infinite: 1, -1 for the negative one where `sign` is asked for, or 0.
    IsInf {
        /// Whether the result tells the sign.
        sign: bool,
    },
    /// Whether a floating value is neither infinite nor not a number.
    IsFinite,
    /// Whether a floating value is normal.
    IsNormal,
    /// Whether the sign bit of a floating value is set.
    SignBit,
    /// Positive infinity of the type.
    Infinity,
    /// A quiet not-a-number of the type.
    Nan,
    /// The magnitude of a floating value.
    FloatAbs,
    /// The magnitude of the first with the sign of the second.
    CopySign,
    /// Compares floating values without faulting.
    Compare(FloatComparison),
    /// The class of a floating value: what to give for NaN, infinite, normal, subnormal, zero, and the value.
    Classify,
    /// `a op b` stored through the third; whether it did not fit.
    Overflow(BinaryOp),
    /// Whether `a op b` does not fit the type of the third.
    OverflowTest(BinaryOp),
    /// Full memory barrier.
    Barrier,
    /// Atomically `*p op= v`: the value before.
    FetchAnd(BinaryOp),
    /// Atomically `*p op= v`: the value after.
    AndFetch(BinaryOp),
    /// Atomically stores the third into `*p` when it holds the second: whether it did.
    CompareAndSwapBool,
    /// Atomically stores the third into `*p` when it holds the second: what it held.
    CompareAndSwap,
    /// Atomically exchanges `*p` with the value: what it held.
    Exchange,
    /// Atomically stores zero.
    Release,
    /// The address of the frame or of the return address: unknown.
    FrameAddress,
}

/// A comparison of floating values that does not fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FloatComparison {
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    LessGreater,
    Unordered,
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it is.
    pub span: Span,
}

/// What a statement is.
#[derive(Debug)]
pub enum StmtKind {
    /// Nothing.
    Empty,
    /// An expression for its effects.
    Expr(ExprId),
    /// A block; the objects live from where the block is entered to where it is left.
    Block {
        /// What it does.
        stmts: Box<[StmtId]>,
        /// The locals that live in it.
        objects: Box<[ObjectId]>,
    },
    /// A local comes into being, with its first value or none.
    Declare(ObjectId, Option<Box<Initialiser>>),
    /// Computes and keeps the length of a variable-length array.
    ComputeLength(VlaId),
    /// `if` and every `else if`, and the last `else`.
    If {
        /// The conditions with what is done.
        arms: Box<[(ExprId, StmtId)]>,
        /// The last `else`.
        otherwise: Option<StmtId>,
    },
    /// `while`
    While {
        /// The condition.
        condition: ExprId,
        /// The body.
        body: StmtId,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: StmtId,
        /// The condition.
        condition: ExprId,
    },
    /// `for`; what it declares is in a block around it.
    For {
        /// What it starts with.
        init: Option<StmtId>,
        /// The condition; none is true.
        condition: Option<ExprId>,
        /// What is done after the body, and by `continue`.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `switch`: goes to the label of the case, to that of `default`, or behind the body.
    Switch {
        /// The value, of a promoted type.
        value: ExprId,
        /// The cases.
        cases: Box<[Case]>,
        /// The label of `default`.
        default: Option<LabelId>,
        /// The body, with the labels in it.
        body: StmtId,
    },
    /// A label stands here; control falls through it.
    Label(LabelId),
    /// `goto`
    Goto(LabelId),
    /// Leaves the innermost loop or `switch`.
    Break,
    /// Goes on with the innermost loop.
    Continue,
    /// Returns, with a value of the function's type.
    Return(Option<ExprId>),
}

/// A case of a `switch`: values from the first to the last, both included, in the type of the switch value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// The first value.
    pub first: i128,
    /// The last value.
    pub last: i128,
    /// Where it goes.
    pub label: LabelId,
    /// Where it stands.
    pub span: Span,
}
