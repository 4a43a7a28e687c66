//! What is abstract: as the command line and files that it names say, beside the comments in the program.

use super::{InputError, input};
use crate::concrete::token::Abstractions;
use crate::engine::EngineConfig;
use crate::program::Program;
use std::path::Path;

/// The configuration of the engine with all that is abstract, which must be there and fit.
///
/// # Errors
/// Where a file cannot be read, or names something that is not there or does not fit.
pub(super) fn with_abstractions(engine: &EngineConfig, program: &Program) -> Result<EngineConfig, InputError> {
    let EngineConfig::Explicit(config) = engine else { return Ok(engine.clone()) };
    let mut lines = Vec::new();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_one_a_line() {
        assert_eq!(lines_of("# loops\n\n x=signs \n"), ["x=signs"]);
    }
}
