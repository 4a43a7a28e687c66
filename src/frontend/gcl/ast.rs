//! The syntax tree: what the parser read, with places.

use crate::program::{BinaryOp, Span};
use crate::term::Integer;

/// A name and its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name<'a> {
    /// The text.
    pub text: &'a str,
    /// Where.
    pub span: Span,
}

/// Everything in a file.
#[derive(Debug, Default)]
pub(crate) struct Ast<'a> {
    /// The `program` line.
    pub program: Option<Header<'a>>,
    /// The variables, in the order of their declaration.
    pub declarations: Vec<Declaration<'a>>,
    /// The initial condition.
    pub init: Option<Condition>,
    /// The transitions, in order.
    pub transitions: Vec<Transition<'a>>,
    /// The properties, in order.
    pub properties: Vec<Condition>,
    /// Which statements were there but could not be read.
    pub unread: Unread,
}

/// The `program` line.
#[derive(Debug)]
pub(crate) struct Header<'a> {
    /// The program's name.
    pub name: &'a str,
    /// The whole line.
    pub span: Span,
}

/// Which statements had syntax errors, so that no message claims that they are missing.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Unread {
    /// A `program` line.
    pub program: bool,
    /// A declaration, or something that may be one.
    pub declaration: bool,
    /// An `init` line.
    pub init: bool,
    /// A `safe` line.
    pub safe: bool,
}

/// A declared variable.
#[derive(Debug)]
pub(crate) struct Declaration<'a> {
    /// Its name.
    pub name: Name<'a>,
    /// Declared by `control`, not by `var`.
    pub control: bool,
}

/// An `init` or `safe` line.
#[derive(Debug)]
pub(crate) struct Condition {
    /// What must hold.
    pub condition: Expr,
    /// The whole statement.
    pub span: Span,
    /// The line that the statement starts in, from 1.
    pub line: usize,
}

/// A transition.
#[derive(Debug)]
pub(crate) struct Transition<'a> {
    /// Its name.
    pub label: Name<'a>,
    /// When it can be taken.
    pub guard: Expr,
    /// What it assigns, all at once.
    pub assignments: Vec<Assignment<'a>>,
    /// The whole statement.
    pub span: Span,
}

/// An assignment.
#[derive(Debug)]
pub(crate) struct Assignment<'a> {
    /// What is assigned.
    pub target: Name<'a>,
    /// The new value; `None` for `nondet`.
    pub value: Option<Expr>,
    /// The whole assignment.
    pub span: Span,
}

/// An expression, typed only later, and its place.
#[derive(Debug)]
pub(crate) struct Expr {
    /// What it is.
    pub node: Node,
    /// Where, parentheses included.
    pub span: Span,
}

/// What an expression is. Chains of one operator have all their operands in one node.
#[derive(Debug)]
pub(crate) enum Node {
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Int(Integer),
    /// A variable; the name is the text at the place.
    Var(Span),
    /// `!`
    Not(Box<Expr>),
    /// Unary `-`.
    Neg(Box<Expr>),
    /// Two or more terms; each with whether it is subtracted. The first is not.
    Sum(Vec<(bool, Expr)>),
    /// Two or more factors.
    Product(Vec<Expr>),
    /// A comparison.
    Compare(BinaryOp, Box<Expr>, Box<Expr>),
    /// Two or more operands of `&&`.
    And(Vec<Expr>),
    /// Two or more operands of `||`.
    Or(Vec<Expr>),
    /// `=>`
    Implies(Box<Expr>, Box<Expr>),
}
