//! Files of predicates: read, checked against the program, and given to the engine.

use super::{InputError, input};
use crate::engine::{EngineConfig, Task};
use crate::program::predicates::{PredicateFile, parse, resolve};
use crate::program::{FileId, FrontendErrors, Id, SourceFile};
use crate::transform::assume::check_assumptions;
use std::path::Path;
use std::sync::Arc;

/// Gives an engine the predicates of a file; what the file assumes is checked by the program from then on.
///
/// # Errors
/// Where the file cannot be read or does not parse, and where a predicate names what is not there.
pub(super) fn give(path: &Path, task: &mut Task, engine: &mut EngineConfig) -> Result<(), InputError> {
    let text = input::read(path)?;
    let mut sources = task.program.sources.clone();
    let file = FileId::new(sources.iter().count());
    sources.push(SourceFile { name: path.display().to_string(), text: text.clone() });
    let wrong = |errors: FrontendErrors| InputError::Source { errors, sources: sources.clone() };
    let parsed = parse(&text, file).map_err(|error| wrong(error.into()))?;
    let (given, problems) = resolve(&parsed, &task.program);
    if !problems.is_empty() {
        return Err(wrong(FrontendErrors(problems)));
    }
    if parsed.has_assumptions() {
        task.program.sources = sources;
        check_assumptions(&mut task.program, &given);
    }
    hand_over(Arc::new(parsed), engine);
    Ok(())
}

/// Engines without predicates have no use for them.
fn hand_over(file: Arc<PredicateFile>, engine: &mut EngineConfig) {
    match engine {
        EngineConfig::Cegar(config) => config.predicates = Some(file),
        EngineConfig::Panda(config) => config.predicates = Some(file),
        EngineConfig::Explicit(_) | EngineConfig::Bounded(_) | EngineConfig::Symbolic(_) | EngineConfig::Shape => {}
    }
}
