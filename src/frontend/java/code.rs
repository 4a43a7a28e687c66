//! The instructions of a method, with their operands resolved and jumps as indices into them.

use super::types::{JavaType, Kind};
use std::rc::Rc;

/// The code of a method.
#[derive(Debug, Clone)]
pub struct Code {
    /// How many places the locals take.
    pub max_locals: u16,
    /// The instructions, in order.
    pub instructions: Vec<Instruction>,
    /// For each instruction, its line in the source, from 1; 0 where it is not known.
    pub lines: Vec<u32>,
    /// The handlers, the first that fits being the one that counts.
    pub handlers: Vec<Handler>,
    /// What local variables are called in the source.
    pub names: Vec<LocalName>,
}

/// What a local variable is called in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalName {
    /// Its place.
    pub slot: u16,
    /// Its kind.
    pub kind: Kind,
    /// Its name.
    pub name: Rc<str>,
    /// The first instruction for which that is so.
    pub start: usize,
    /// The first one behind those.
    pub end: usize,
}

/// An exception handler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler {
    /// The first instruction that it covers.
    pub start: usize,
    /// The first one behind those.
    pub end: usize,
    /// Where it starts.
    pub target: usize,
    /// What it catches; everything if there is none.
    pub class: Option<Rc<str>>,
}

/// A field or a method as an instruction names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Member {
    /// The class that is named, which may have it from another.
    pub class: Rc<str>,
    /// The name.
    pub name: Rc<str>,
    /// The descriptor.
    pub descriptor: Rc<str>,
}

/// A constant.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// An `int`, or a smaller integer or truth value.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// The bits of a `float`.
    Float(u32),
    /// The bits of a `double`.
    Double(u64),
    /// No object.
    Null,
    /// A string: its UTF-16 units.
    String(Rc<[u16]>),
    /// A class object.
    Class(Rc<str>),
}

/// A comparison with zero, null, or between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Condition {
    Equal,
    NotEqual,
    Less,
    AtLeast,
    Greater,
    AtMost,
}

/// An arithmetic operator with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    UnsignedShiftRight,
}

/// How a comparison of two operands to -1, 0 or 1 treats NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unordered {
    /// There is no such thing: `lcmp`.
    Never,
    /// As less: `fcmpl`, `dcmpl`.
    Less,
    /// As greater: `fcmpg`, `dcmpg`.
    Greater,
}

/// How a method is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the instructions")]
pub enum InvokeKind {
    Virtual,
    Interface,
    Special,
    Static,
}

/// What the operand stack's own instructions do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the instructions")]
pub enum StackOp {
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
}

/// An instruction.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "they are the virtual machine's, with like ones in one")]
pub enum Instruction {
    Nop,
    Constant(Constant),
    Load(Kind, u16),
    Store(Kind, u16),
    Increment(u16, i32),
    ArrayLoad(ElementKind),
    ArrayStore(ElementKind),
    ArrayLength,
    Stack(StackOp),
    Binary(Operator, Kind),
    Negate(Kind),
    /// From one kind to another.
    Convert(Kind, Kind),
    /// An `int` to a smaller type and back.
    Narrow(JavaType),
    Compare(Kind, Unordered),
    /// Compares an `int` with zero.
    If(Condition, usize),
    /// Compares two `int`s.
    IfInts(Condition, usize),
    /// Compares two references.
    IfReferences(Condition, usize),
    IfNull(Condition, usize),
    Goto(usize),
    Switch {
        default: usize,
        cases: Vec<(i32, usize)>,
    },
    Return(Option<Kind>),
    GetField(Member),
    PutField(Member),
    GetStatic(Member),
    PutStatic(Member),
    Invoke(InvokeKind, Member),
    /// The number of the bootstrap method, the name and the descriptor.
    InvokeDynamic(usize, Rc<str>, Rc<str>),
    New(Rc<str>),
    /// An array of elements of the type.
    NewArray(JavaType),
    /// An array of the class, so many dimensions of which are made.
    MultiNewArray(Rc<str>, u8),
    CheckCast(Rc<str>),
    InstanceOf(Rc<str>),
    Throw,
    MonitorEnter,
    MonitorExit,
    /// One that is not supported: its name.
    Unsupported(&'static str),
}

/// The elements that an array instruction is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are Java's")]
pub enum ElementKind {
    /// Also `boolean`.
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl ElementKind {
    /// A type with such cells.
    pub fn java_type(self) -> JavaType {
        match self {
            ElementKind::Byte => JavaType::Byte,
            ElementKind::Char => JavaType::Char,
            ElementKind::Short => JavaType::Short,
            ElementKind::Int => JavaType::Int,
            ElementKind::Long => JavaType::Long,
            ElementKind::Float => JavaType::Float,
            ElementKind::Double => JavaType::Double,
            ElementKind::Reference => JavaType::Reference("java/lang/Object".into()),
        }
    }
}

impl Instruction {
    /// Where control can go from the instruction at the index, apart from handlers.
    pub fn successors(&self, index: usize) -> Vec<usize> {
        use Instruction::*;
        match self {
            If(_, target) | IfInts(_, target) | IfReferences(_, target) | IfNull(_, target) => {
                vec![index + 1, *target]
            }
            Goto(target) => vec![*target],
            Switch { default, cases } => cases.iter().map(|(_, target)| *target).chain([*default]).collect(),
            Return(_) | Throw | Unsupported(_) => vec![],
            _ => vec![index + 1],
        }
    }

    /// Whether control does not simply go on to the next instruction.
    pub fn ends_block(&self) -> bool {
        use Instruction::*;
        matches!(
            self,
            If(..)
                | IfInts(..)
                | IfReferences(..)
                | IfNull(..)
                | Goto(_)
                | Switch { .. }
                | Return(_)
                | Throw
                | Unsupported(_)
        )
    }
}

impl Code {
    /// The handlers that cover the instruction, in order.
    pub fn handlers_at(&self, index: usize) -> impl Iterator<Item = &Handler> {
        self.handlers.iter().filter(move |handler| handler.start <= index && index < handler.end)
    }
}
