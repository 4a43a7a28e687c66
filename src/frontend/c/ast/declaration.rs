//! Declarations, specifiers and declarators of the syntax tree.

use super::ExprId;
use crate::frontend::c::names::Symbol;
use crate::program::Span;

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
    /// `weak`
    Weak,
    /// `transparent_union`
    TransparentUnion,
    /// `alias("name")`
    Alias(Symbol, Span),
    /// `constructor`, with its priority.
    Constructor(Option<ExprId>, Span),
    /// One that changes what the program means in a way that is not supported.
    Unsupported(Symbol, Span),
}
