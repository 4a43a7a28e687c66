//! The syntax tree: what the parser saw, before names and types mean anything.
//!
//! Expressions and statements live in arenas. Children come before their parents there, chains of `else if` and of
//! labels are flat, and only left operands of binary operators nest deeper than [`super::MAX_NESTING`].

use super::names::{Names, Symbol, ids};
use crate::program::{IdVec, Span};

mod declaration;

pub use declaration::{
    ArrayLength, Attribute, Basic, Chunk, Declaration, Declarator, Designator, EnumSpec, Init, InitDeclarator,
    InitItem, Member, MemberDeclaration, Parameter, Parameters, Qualifiers, RecordSpec, Specifiers, StaticAssert,
    Storage, TypeName, TypeSpec,
};

ids! {
    /// An expression of the syntax tree.
    ExprId, "e";
    /// A statement of the syntax tree.
    StmtId, "t";
}

/// One preprocessed file.
#[derive(Debug)]
pub struct Unit {
    /// What stands at file scope, in order.
    pub items: Vec<Item>,
    /// Every expression.
    pub exprs: IdVec<ExprId, Expr>,
    /// Every statement.
    pub stmts: IdVec<StmtId, Stmt>,
    /// The names and spellings.
    pub names: Names,
}

/// What stands at file scope.
#[derive(Debug)]
pub enum Item {
    /// A declaration.
    Declaration(Declaration),
    /// A definition of a function.
    Function(Box<Function>),
}

/// A definition of a function.
#[derive(Debug)]
pub struct Function {
    /// The type that it builds on, and storage.
    pub specifiers: Specifiers,
    /// The name and parameters.
    pub declarator: Declarator,
    /// Declarations of parameters, in an old-style definition.
    pub parameters: Vec<Declaration>,
    /// The body, a compound statement.
    pub body: StmtId,
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is.
    pub span: Span,
}

/// What an expression is.
#[derive(Debug)]
pub enum ExprKind {
    /// A name.
    Name(Symbol),
    /// A number, unread.
    Number(Symbol),
    /// A character constant, unread.
    Char(Symbol),
    /// Adjacent string literals, unread.
    Str(Box<[Symbol]>),
    /// An operator before its operand.
    Unary(UnaryOp, ExprId),
    /// `++` and `--`.
    Increment {
        /// Its operand.
        operand: ExprId,
        /// Whether it is `--`.
        is_decrement: bool,
        /// Whether it stands after its operand.
        is_postfix: bool,
    },
    /// An operator between its operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// An assignment, with the operator of a compound one.
    Assign(Option<BinaryOp>, ExprId, ExprId),
    /// `a ? b : c`, and without the middle `a ?: c`.
    Conditional(ExprId, Option<ExprId>, ExprId),
    /// A cast.
    Cast(Box<TypeName>, ExprId),
    /// `(type){…}`
    CompoundLiteral(Box<TypeName>, Box<Init>),
    /// `a[i]`
    Index(ExprId, ExprId),
    /// A call.
    Call(ExprId, Box<[ExprId]>),
    /// `a.name`
    Member(ExprId, Symbol),
    /// `a->name`
    Arrow(ExprId, Symbol),
    /// `sizeof expression`
    SizeofExpr(ExprId),
    /// `sizeof(type)`
    SizeofType(Box<TypeName>),
    /// `_Alignof` (or `__alignof__`, when the flag is set) of an expression.
    AlignofExpr(ExprId, bool),
    /// `_Alignof` (or `__alignof__`, when the flag is set) of a type.
    AlignofType(Box<TypeName>, bool),
    /// `({ … })`
    Statement(StmtId),
    /// `_Generic`: the controlling expression, and types with their results; no type for `default`.
    Generic(ExprId, Box<[(Option<TypeName>, ExprId)]>),
    /// `__builtin_offsetof`
    Offsetof(Box<TypeName>, Box<[Designator]>),
    /// `__builtin_va_arg`
    VaArg(ExprId, Box<TypeName>),
    /// `__builtin_types_compatible_p`
    TypesCompatible(Box<(TypeName, TypeName)>),
    /// `__builtin_choose_expr`: the condition and the two results.
    Choose(Box<[ExprId; 3]>),
}

/// An operator before its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `!`
    Not,
    /// `~`
    Complement,
    /// `*`
    Deref,
    /// `&`
    Address,
}

/// An operator between its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    LogicalAnd,
    /// `||`
    LogicalOr,
    /// `,`
    Comma,
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
            BinaryOp::LogicalAnd => "&&",
            BinaryOp::LogicalOr => "||",
            BinaryOp::Comma => ",",
        }
    }
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
    /// An expression.
    Expr(ExprId),
    /// A declaration among the statements of a block.
    Declaration(Box<Declaration>),
    /// A block.
    Compound(Box<[StmtId]>),
    /// `if` with every `else if` that follows, and the last `else`.
    If(Box<[(ExprId, StmtId)]>, Option<StmtId>),
    /// `while`
    While(ExprId, StmtId),
    /// `do … while`
    DoWhile(StmtId, ExprId),
    /// `for`
    For(Box<ForParts>),
    /// `switch`
    Switch(ExprId, StmtId),
    /// Labels before a statement.
    Labeled(Box<[Label]>, StmtId),
    /// `goto`
    Goto(Symbol),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<ExprId>),
}

/// The parts of a `for`.
#[derive(Debug)]
pub struct ForParts {
    /// The declaration or expression that it starts with.
    pub init: Option<StmtId>,
    /// The condition.
    pub condition: Option<ExprId>,
    /// What is done after the body.
    pub step: Option<ExprId>,
    /// The body.
    pub body: StmtId,
}

/// A label.
#[derive(Debug, Clone, Copy)]
pub enum Label {
    /// `case value:` or `case first ... last:`
    Case(ExprId, Option<ExprId>, Span),
    /// `default:`
    Default(Span),
    /// `name:`
    Name(Symbol, Span),
}
