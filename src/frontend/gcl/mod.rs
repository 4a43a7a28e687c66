//! Guarded commands: finite control and unbounded integers, changed by transitions that have a guard and
//! simultaneous assignments.
//!
//! ```text
//! # comment to the end of the line
//! program fig1_1                          the first statement
//! control pc1, pc2                        finite control, kept explicit
//! var x, y, b                             unbounded integers
//! init pc1 = 1 && pc2 = 1 && b = 0        x and y: any integer
//! t1: pc1 = 1 -> b := b + 1, pc1 := 2     all right-hand sides read the old state
//! t3: pc1 = 3 -> x := nondet, pc1 := 2    nondet: any integer, fresh each time
//! safe !(pc1 = 3 && pc2 = 3)              to prove; all `safe` lines must hold in every reachable state
//! expect safe                             ground truth; read and ignored
//! ```
//!
//! A statement is a line. A line whose last token is `&&`, `||`, `,`, `->` or `(` continues on the next line that
//! is not blank; nothing else continues it, open parentheses neither, so that a forgotten `)` is reported where it
//! is missing. After the `program` line, statements come in any order.
//!
//! Operators, from the tightest: unary `-` and `!`; `*`; `+ -`; `= != < <= > >=`, which do not chain; `&&`; `||`;
//! `=>`, which groups to the right. As variables are numbers and `!` takes a truth value, `!x = 1` is refused
//! rather than guessed.
//!
//! The steps: [`lex`] cuts the text into tokens and statements, [`parse`] builds the tree of [`ast`], [`lower`]
//! checks names and types and builds the `Program`, [`init`] turns the initial condition into statements.

mod ast;
pub mod families;
mod hints;
mod init;
mod lex;
mod lower;
mod parse;
#[cfg(test)]
mod tests;

use crate::program::{Diagnostic, FrontendErrors, Program, SourceFiles};

/// How deep parentheses, `!`, unary `-` and `=>` nest at most. Recursion over an expression is bounded by it.
pub const MAX_NESTING: usize = 200;
/// How many operands the expressions of one statement have at most.
pub const MAX_OPERANDS: usize = 200_000;
/// How deep the operators of an expression are at most, once chains are trees.
pub const MAX_DEPTH: usize = 900;
/// How many decimal digits a number has at most; the time to read a number grows with the square of it.
pub const MAX_DIGITS: usize = 9_000;
/// How many errors are reported at most.
pub const MAX_ERRORS: usize = 20;

/// Reads a guarded-command program, which is one file.
pub fn lower(files: &SourceFiles) -> Result<Program, FrontendErrors> {
    let mut ids = files.ids();
    let (Some(file), None) = (ids.next(), ids.next()) else {
        let message = format!("a guarded-command program is one file, but {} were given", files.len());
        return Err(Diagnostic::general(message).hint("give one .gcl file").into());
    };
    if u32::try_from(files[file].text.len()).is_err() {
        return Err(Diagnostic::general(format!("{} is larger than 4 GiB", files[file].name)).into());
    }
    let (ast, mut errors) = parse::parse(file, &files[file].text);
    if errors.len() < MAX_ERRORS {
        let result = lower::lower(&ast, files, &mut errors);
        if errors.is_empty() {
            return Ok(result.expect("lowering that reports no error builds the program"));
        }
    }
    errors.sort_by_key(|e| e.span.map(|s| s.start));
    errors.truncate(MAX_ERRORS);
    Err(FrontendErrors(errors))
}
