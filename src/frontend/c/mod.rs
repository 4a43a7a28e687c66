//! C11 with the GNU forms in use, from preprocessed text to a typed tree.
//!
//! The steps: [`preprocess`] runs the compiler's preprocessor where a text has directives, [`lex`] cuts it into
//! tokens, [`parse`] builds the syntax tree of [`ast`] while it tracks which names are types.

pub mod ast;
pub mod layout;
pub mod lex;
pub mod names;
pub mod parse;
mod sema;
pub mod tree;
pub mod types;

pub use sema::check;

/// How deep parentheses, blocks, declarators and initialisers nest at most. Recursion over a tree is bounded by it,
/// except along left operands of binary operators, which are walked in loops.
pub const MAX_NESTING: usize = 1_000;
/// How many errors are reported at most.
pub const MAX_ERRORS: usize = 20;
