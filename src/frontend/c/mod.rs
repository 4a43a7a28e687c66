//! C11 with the GNU forms in use, from text to a typed tree.
//!
//! The steps: [`lex`] cuts the text into tokens; where it has directives, [`preprocess`] runs the compiler's
//! preprocessor first and maps positions back. [`parse`] builds the syntax tree of [`ast`] while it tracks which names
//! are types. [`check`] gives it its meaning: the typed [`tree`], over the [`types`] and their [`layout`].

mod ast;
mod layout;
mod lex;
pub mod library;
pub mod lower;
mod names;
mod parse;
pub mod preprocess;
mod sema;
#[cfg(test)]
mod tests;
mod tree;
pub mod types;

pub use sema::check;
pub use types::DataModel;

use crate::program::{Diagnostic, FileId, FrontendErrors, SourceFiles};
use preprocess::Preprocessor;

/// How deep parentheses, blocks, declarators and initialisers nest at most. Recursion over a tree is bounded by it,
/// except along left operands of binary operators, which are walked in loops.
pub const MAX_NESTING: usize = 1_000;
/// How many bytes a text has at most, preprocessed or not.
pub const MAX_BYTES: usize = 32 << 20;
/// How many errors are reported at most.
pub const MAX_ERRORS: usize = 20;

/// Reads one of the files into its typed tree. Positions are in the files as the user gave them: what a header brings
/// in, that is not among the files, is at the line that includes it.
pub fn read(
    files: &SourceFiles,
    file: FileId,
    model: DataModel,
    preprocessor: &Preprocessor,
) -> Result<tree::Unit, FrontendErrors> {
    let source = &files[file];
    check_size(&source.name, &source.text)?;
    let mut names = lex::keyword_names();
    let mut tokens = lex::lex(file, &source.text, &mut names);
    if tokens.has_directives || preprocessor.changes(source) {
        let text = preprocess::preprocess(file, source, model, preprocessor)?;
        check_size(&format!("{}, preprocessed,", source.name), &text)?;
        names = lex::keyword_names();
        tokens = lex::lex(file, &text, &mut names);
        preprocess::map_back(&mut tokens.tokens, &text, files, file);
        for error in &mut tokens.errors {
            // Such an error is about characters; the place in the output of the preprocessor says little.
            error.span = None;
        }
    }
    let (ast, errors) = parse::parse(tokens, names);
    if !errors.is_empty() {
        return Err(sorted(errors));
    }
    let (unit, errors) = check(ast, model);
    if errors.is_empty() { Ok(unit) } else { Err(sorted(errors)) }
}

fn check_size(name: &str, text: &str) -> Result<(), Diagnostic> {
    if text.len() <= MAX_BYTES {
        return Ok(());
    }
    let (size, limit) = (text.len() >> 20, MAX_BYTES >> 20);
    Err(Diagnostic::general(format!("{name} has {size} MB, but at most {limit} are read")))
}

fn sorted(mut errors: Vec<Diagnostic>) -> FrontendErrors {
    errors.sort_by_key(|error| error.span.map(|span| span.start));
    errors.truncate(MAX_ERRORS);
    FrontendErrors(errors)
}
