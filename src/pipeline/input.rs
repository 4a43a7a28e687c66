//! From the files that the user names to a valid Program.

use super::InputError;
use crate::frontend::{self, java};
use crate::program::{Diagnostic, FrontendErrors, Program, SourceFile, SourceFiles, text, validate};
use std::io::Read;
use std::path::{Path, PathBuf};

/// What a file holds, told by the ending of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// A program in a source language.
    Source(frontend::Language),
    /// The text form of Program: `.tandem`.
    ProgramText,
}

/// Larger files are refused; no program that is written, or generated and verified, comes near.
const LARGEST_FILE: u64 = 1 << 28;

/// The program in the files, valid, and its language.
pub fn load(paths: &[PathBuf], settings: &frontend::Settings) -> Result<(Program, Language), InputError> {
    let language = language_of_all(paths)?;
    if language == Language::Source(frontend::Language::Java) {
        return Ok((load_java(paths, settings)?, language));
    }
    let mut sources = SourceFiles::new();
    for path in paths {
        let text = read(path)?;
        if text.trim().is_empty() {
            let message = format!("{}: the file is empty", path.display());
            return Err(InputError::message(message).hint("a program was expected; see models/gcl for examples"));
        }
        sources.push(SourceFile { name: path.display().to_string(), text });
    }
    let lowered = match language {
        Language::Source(language) => language.lower(&sources, settings),
        Language::ProgramText => text::lower(&sources),
    };
    let program = lowered.map_err(|errors| InputError::Source { errors, sources: sources.clone() })?;
    Ok((valid(program, sources)?, language))
}

/// Java is read from folders and archives, and may have no text at all.
fn load_java(paths: &[PathBuf], settings: &frontend::Settings) -> Result<Program, InputError> {
    let input = java::input::read(paths).map_err(|(errors, sources)| InputError::Source { errors, sources })?;
    let program = java::lower_input(&input, &settings.java)
        .map_err(|errors| InputError::Source { errors, sources: input.sources.clone() })?;
    valid(program, input.sources)
}

fn valid(program: Program, sources: SourceFiles) -> Result<Program, InputError> {
    validate(&program).map_err(|problems| {
        let diagnostics = problems.iter().map(|problem| Diagnostic::general(problem.to_string())).collect();
        InputError::Source { errors: FrontendErrors(diagnostics), sources }
    })?;
    Ok(program)
}

/// The language of all the files.
pub(super) fn language_of_all(paths: &[PathBuf]) -> Result<Language, InputError> {
    let mut languages = paths.iter().map(|path| language_of(path));
    let first = languages.next().unwrap_or_else(|| Err(InputError::message("no file was given")))?;
    for language in languages {
        if language? != first {
            return Err(InputError::message("the files are in different languages; give files of one"));
        }
    }
    Ok(first)
}

fn language_of(path: &Path) -> Result<Language, InputError> {
    if let Some(language) = frontend::Language::of_path(path) {
        return Ok(Language::Source(language));
    }
    if path.extension().is_some_and(|extension| extension == "tandem") {
        return Ok(Language::ProgramText);
    }
    if path.is_dir() {
        return Ok(Language::Source(frontend::Language::Java));
    }
    // A wrong path deserves the more basic message.
    if !path.is_file() {
        read(path)?;
    }
    let message = format!("{}: the language of this file is not known", path.display());
    let endings = frontend::Language::ALL
        .map(|language| format!(".{} ({})", language.extensions().join(" or ."), language.name()));
    let hint = format!("the name must end in {}, or .tandem (what `tandem show` prints)", endings.join(", "));
    Err(InputError::message(message).hint(hint))
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, InputError> {
    let problem = |what: String| InputError::message(format!("{}: {what}", path.display()));
    let about = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => problem("there is no such file".to_owned()),
        _ => problem(format!("cannot be read: {error}")),
    })?;
    if about.is_dir() {
        return Err(problem("this is a folder, and a file was expected".to_owned()));
    }
    // A pipe or a device has no length to look at, and may have no end.
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(path);
    let read = opened.and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes));
    read.map_err(|error| problem(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(problem("the file has more than 256 MiB".to_owned()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].iter().filter(|&&byte| byte == b'\n').count() + 1;
        problem(format!("line {line} is not UTF-8 text (byte {good} of the file)"))
    })
}
