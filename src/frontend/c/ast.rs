//! The syntax tree: what the parser saw, before names and types mean anything.
//!
//! Expressions and statements live in arenas. Children come before their parents there, chains of `else if` and of
//! labels are flat, and only left operands of binary operators nest deeper than [`super::MAX_NESTING`].

use super::names::{Names, Symbol, ids};
use crate::program::{IdVec, Span};

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

/// A declaration.
#[derive(Debug)]
pub struct Declaration {
    /// The type that all declarators build on, and storage.
    pub specifiers: Specifiers,
    /// What is declared.
    pub declarators: Vec<InitDeclarator>,
    /// The `_Static_assert` that it is, instead of anything else.
    pub assertion: Option<Box<StaticAssert>>,
    /// Where it is.
    pub span: Span,
}

/// `_Static_assert(condition, message)`.
#[derive(Debug)]
pub struct StaticAssert {
    /// What has to hold.
    pub condition: ExprId,
    /// What is said otherwise.
    pub message: Option<Symbol>,
}

/// A declarator with its initialiser.
#[derive(Debug)]
pub struct InitDeclarator {
    /// The name and the rest of the type.
    pub declarator: Declarator,
    /// The initialiser.
    pub init: Option<Init>,
}

/// An initialiser.
#[derive(Debug)]
pub enum Init {
    /// One expression.
    Expr(ExprId),
    /// A list in braces.
    List(Box<[InitItem]>, Span),
}

/// An item of an initialiser list.
#[derive(Debug)]
pub struct InitItem {
    /// The way to what it initialises; empty for the next in order.
    pub designators: Box<[Designator]>,
    /// The initialiser.
    pub init: Init,
}

/// A step on the way to a part of an object.
#[derive(Debug, Clone, Copy)]
pub enum Designator {
    /// `.name`
    Field(Symbol, Span),
    /// `[index]`
    Index(ExprId),
    /// `[first ... last]`
    Range(ExprId, ExprId),
}

/// Storage and the like, as a set of flags.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Storage {
    /// `typedef`
    pub is_typedef: bool,
    /// `extern`
    pub is_extern: bool,
    /// `static`
    pub is_static: bool,
    /// `auto`
    pub is_auto: bool,
    /// `register`
    pub is_register: bool,
    /// `_Thread_local`, `__thread`
    pub is_thread: bool,
    /// `inline`
    pub is_inline: bool,
    /// `_Noreturn`
    pub is_noreturn: bool,
}

/// Qualifiers of a type, as a set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Qualifiers(pub u8);

impl Qualifiers {
    /// No qualifier.
    pub const NONE: Qualifiers = Qualifiers(0);
    /// `const`
    pub const CONST: Qualifiers = Qualifiers(1);
    /// `volatile`
    pub const VOLATILE: Qualifiers = Qualifiers(2);
    /// `restrict`
    pub const RESTRICT: Qualifiers = Qualifiers(4);
    /// `_Atomic`
    pub const ATOMIC: Qualifiers = Qualifiers(8);

    /// Those of both.
    pub fn with(self, other: Qualifiers) -> Qualifiers {
        Qualifiers(self.0 | other.0)
    }

    /// Whether all of the other are here.
    pub fn has(self, other: Qualifiers) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What a declaration starts with.
#[derive(Debug)]
pub struct Specifiers {
    /// Storage and the like.
    pub storage: Storage,
    /// The type named.
    pub ty: TypeSpec,
    /// Its qualifiers.
    pub qualifiers: Qualifiers,
    /// Attributes and `_Alignas`.
    pub attributes: Vec<Attribute>,
    /// Where they are.
    pub span: Span,
}

/// The type that specifiers name.
#[derive(Debug)]
pub enum TypeSpec {
    /// A type of keywords, as `unsigned long`.
    Basic(Basic),
    /// A structure or union.
    Record(Box<RecordSpec>),
    /// An enumeration.
    Enum(Box<EnumSpec>),
    /// A name that a `typedef` declared.
    Named(Symbol),
    /// `typeof` of an expression.
    TypeofExpr(ExprId),
    /// `typeof` of a type, or `_Atomic` of one.
    TypeofType(Box<TypeName>),
    /// `__auto_type`: the type of the initialiser.
    Auto,
    /// `__builtin_va_list`
    VaList,
    /// None at all, which old C takes as `int`.
    Missing,
}

/// A type of keywords.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Basic {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    Float,
    Double,
    LongDouble,
    Float128,
}

/// A structure or union specifier.
#[derive(Debug)]
pub struct RecordSpec {
    /// Whether it is a union.
    pub is_union: bool,
    /// The tag.
    pub tag: Option<(Symbol, Span)>,
    /// The members, where it is a definition.
    pub members: Option<Vec<MemberDeclaration>>,
    /// The attributes on it.
    pub attributes: Vec<Attribute>,
    /// The `#pragma pack` that holds, in bytes; 0 for none.
    pub pack: u32,
    /// Where it is.
    pub span: Span,
}

/// A declaration of members.
#[derive(Debug)]
pub struct MemberDeclaration {
    /// The type that all declarators build on.
    pub specifiers: Specifiers,
    /// The members; empty for an anonymous structure or union.
    pub members: Vec<Member>,
    /// A `_Static_assert` instead.
    pub assertion: Option<Box<StaticAssert>>,
}

/// One declarator of a member.
#[derive(Debug)]
pub struct Member {
    /// The name and the rest of the type.
    pub declarator: Declarator,
    /// The width of a bit-field.
    pub width: Option<ExprId>,
}

/// An enumeration specifier.
#[derive(Debug)]
pub struct EnumSpec {
    /// The tag.
    pub tag: Option<(Symbol, Span)>,
    /// The enumerators with their values, where it is a definition.
    pub enumerators: Option<Vec<(Symbol, Span, Option<ExprId>)>>,
    /// The attributes on it.
    pub attributes: Vec<Attribute>,
    /// Where it is.
    pub span: Span,
}

/// A name with what is built around it.
#[derive(Debug)]
pub struct Declarator {
    /// The name, which type names and some parameters do not have.
    pub name: Option<(Symbol, Span)>,
    /// How the type is built from that of the specifiers, in order.
    pub chunks: Vec<Chunk>,
    /// The attributes on it.
    pub attributes: Vec<Attribute>,
    /// The name that the linker sees, by `asm("name")`.
    pub asm_name: Option<Symbol>,
    /// Where it is.
    pub span: Span,
}

/// A step in building a type.
#[derive(Debug)]
pub enum Chunk {
    /// A pointer to it.
    Pointer(Qualifiers),
    /// An array of it.
    Array {
        /// The length.
        length: ArrayLength,
        /// The qualifiers of the pointer that a parameter is.
        qualifiers: Qualifiers,
    },
    /// A function that returns it.
    Function(Box<Parameters>),
}

/// The length of an array, as written.
#[derive(Debug, Clone, Copy)]
pub enum ArrayLength {
    /// `[]`
    None,
    /// `[*]`
    Star,
    /// `[n]`
    Expr(ExprId),
}

/// The parameters of a function.
#[derive(Debug)]
pub struct Parameters {
    /// With their types, in a prototype.
    pub declared: Vec<Parameter>,
    /// Only names, in an old-style definition.
    pub names: Vec<(Symbol, Span)>,
    /// Whether it is a prototype: `(void)` or a list of types.
    pub is_prototype: bool,
    /// Whether more arguments may follow.
    pub is_variadic: bool,
}

/// A parameter of a prototype.
#[derive(Debug)]
pub struct Parameter {
    /// The type it builds on.
    pub specifiers: Specifiers,
    /// The name and the rest of the type.
    pub declarator: Declarator,
}

/// A type as casts and `sizeof` name it.
#[derive(Debug)]
pub struct TypeName {
    /// The type it builds on.
    pub specifiers: Specifiers,
    /// The rest of the type, without a name.
    pub declarator: Declarator,
}

/// An attribute, of those that mean something here.
#[derive(Debug, Clone, Copy)]
pub enum Attribute {
    /// `packed`
    Packed,
    /// `aligned(n)`, or without a number the largest useful one; also `_Alignas` of an expression.
    Aligned(Option<ExprId>, Span),
    /// `mode(name)`
    Mode(Symbol, Span),
    /// `noreturn`
    Noreturn,
    /// `transparent_union`
    TransparentUnion,
    /// One that changes what the program means in a way that is not supported.
    Unsupported(Symbol, Span),
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
