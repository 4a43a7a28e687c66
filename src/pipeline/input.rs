//! From the files that the user names to a valid Program.

use super::InputError;
use crate::frontend;
use crate::program::{Diagnostic, FrontendErrors, Program, SourceFile, SourceFiles, text, validate};
use std::path::{Path, PathBuf};

/// The languages that are read, told apart by the ending of a file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `.gcl`: guarded commands.
    GuardedCommands,
    /// `.tandem`: the text form of Program.
    Tandem,
}

/// Larger files are refused: places in them could not be told.
const LARGEST_FILE: u64 = 1 << 30;

/// The program in the files, valid, and its language.
pub fn load(paths: &[PathBuf]) -> Result<(Program, Language), InputError> {
    let language = language_of_all(paths)?;
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
        Language::GuardedCommands => frontend::gcl::lower(&sources),
        Language::Tandem => text::lower(&sources),
    };
    let program = lowered.map_err(|errors| InputError::Source { errors, sources: sources.clone() })?;
    validate(&program).map_err(|problems| {
        let diagnostics = problems.iter().map(|problem| Diagnostic::general(problem.to_string())).collect();
        InputError::Source { errors: FrontendErrors(diagnostics), sources }
    })?;
    Ok((program, language))
}

fn language_of_all(paths: &[PathBuf]) -> Result<Language, InputError> {
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
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("gcl") => Ok(Language::GuardedCommands),
        Some("tandem") => Ok(Language::Tandem),
        // A wrong path deserves the more basic message.
        _ if !path.exists() || path.is_dir() => read(path).and(Err(InputError::message("no program"))),
        _ => {
            let message = format!("{}: the language of this file is not known", path.display());
            Err(InputError::message(message)
                .hint("the name must end in .gcl (guarded commands) or .tandem (Program text)"))
        }
    }
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
    if about.len() > LARGEST_FILE {
        return Err(problem("the file has more than 1 GiB".to_owned()));
    }
    let bytes = std::fs::read(path).map_err(|error| problem(format!("cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].iter().filter(|&&byte| byte == b'\n').count() + 1;
        problem(format!("line {line} is not UTF-8 text (byte {good} of the file)"))
    })
}
