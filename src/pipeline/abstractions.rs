//! What is abstract: as the command line says, files that it names, and comments in the program.

use super::{InputError, input};
use crate::concrete::token::Abstractions;
use crate::engine::EngineConfig;
use crate::program::Program;
use std::path::Path;

/// What such a comment starts with: `/* tandem: abstract x signs */`.
const MARK: &str = "tandem: abstract ";

/// The configuration of the engine with all that is abstract, which must be there and fit.
///
/// # Errors
/// Where a file cannot be read, or names something that is not there or does not fit.
pub(super) fn with_abstractions(engine: &EngineConfig, program: &Program) -> Result<EngineConfig, InputError> {
    let EngineConfig::Explicit(config) = engine else { return Ok(engine.clone()) };
    let mut lines = Vec::new();
    for source in program.sources.iter() {
        lines.extend(source.text.lines().filter_map(comment));
    }
    for line in &config.abstractions {
        match line.strip_prefix('@') {
            Some(file) => lines.extend(lines_of(&input::read(Path::new(file))?)),
            None => lines.push(line.clone()),
        }
    }
    let parsed = Abstractions::parse(program, lines.iter().map(String::as_str));
    parsed.map_err(|bad| InputError::Message { text: bad.text, hint: bad.hint })?;
    let mut config = config.clone();
    config.abstractions = lines;
    Ok(EngineConfig::Explicit(config))
}

/// The lines of a file; empty ones and those that start with # say nothing.
fn lines_of(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// What a comment says is abstract, as the command line would.
fn comment(line: &str) -> Option<String> {
    let (before, after) = line.split_once(MARK)?;
    let is_comment = ["//", "/*", "#", "--", "%"].iter().any(|start| before.trim_end().ends_with(start));
    let mut words = after.split("*/").next()?.split_whitespace();
    let (name, spec) = (words.next()?, words.collect::<Vec<_>>().concat());
    is_comment.then(|| format!("{name}={spec}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_what_is_abstract() {
        assert_eq!(comment("int x; /* tandem: abstract x signs */"), Some("x=signs".to_owned()));
        assert_eq!(
            comment("// tandem: abstract f.y interval(0, 10)+evenness"),
            Some("f.y=interval(0,10)+evenness".to_owned())
        );
        assert_eq!(comment("puts(\"tandem: abstract x signs\");"), None);
    }

    #[test]
    fn files_have_one_a_line() {
        assert_eq!(lines_of("# loops\n\n x=signs \n"), ["x=signs"]);
    }
}
