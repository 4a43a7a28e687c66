//! A compilation database: what a build told the compiler about each C file.

use super::{InputError, input};
use crate::frontend::c::preprocess::Preprocessor;
use crate::frontend::c::types::DataModel;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One command of a build.
#[derive(Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// What a command says of how a file is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Flags {
    /// What the preprocessor is told.
    arguments: Vec<OsString>,
    /// The data model, where the command says which.
    model: Option<DataModel>,
}

/// The flags of the preprocessor with a value, in the same word or the next one, and whether it is a path.
const VALUED: [(&str, bool); 8] = [
    ("-include", true),
    ("-imacros", true),
    ("-isystem", true),
    ("-iquote", true),
    ("-idirafter", true),
    ("-I", true),
    ("-D", false),
    ("-U", false),
];

/// The flags with a value in the next word that say nothing of how a file is read.
const SKIPPED: [&str; 11] = ["-o", "-MF", "-MT", "-MQ", "-x", "-L", "-l", "-T", "-z", "-Xlinker", "--param"];

/// How flags start that change what a program means, in ways that are not followed.
const REFUSED: [&str; 21] = [
    "-funsigned-char",
    "-fno-signed-char",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-ffast-math",
    "-funsafe-math",
    "-Ofast",
    "-fopenmp",
    "-fopenacc",
    "-m16",
    "-mx32",
    "--sysroot",
    "-isysroot",
    "-iwithprefix",
    "-iprefix",
    "-include-pch",
    "-specs",
    "-Xpreprocessor",
    "-Xclang",
    "@",
];

/// What the preprocessor is told for each of the files: what the database says, then what the command line says. Files that
/// are preprocessed already need nothing.
pub(super) fn of_files(
    database: &Path,
    files: &[PathBuf],
    given: &Preprocessor,
    model: DataModel,
) -> Result<Vec<(String, Preprocessor)>, InputError> {
    let entries = read(database)?;
    let is_source = |file: &&PathBuf| file.extension().is_none_or(|ending| ending != "i");
    let mut all = Vec::new();
    for file in files.iter().filter(is_source) {
        let flags = flags_of(database, &entries, file)?;
        let asked = flags.model.unwrap_or(DataModel::Lp64);
        if asked != model {
            let (flag, name) = if asked == DataModel::Ilp32 { ("-m32", "ILP32") } else { ("64 bits", "LP64") };
            let message = format!("{} compiles {} with {flag}", database.display(), file.display());
            return Err(InputError::message(message).hint(format!("give --data-model {name}")));
        }
        all.push((file.display().to_string(), Preprocessor { more: flags.arguments, ..given.clone() }));
    }
    Ok(all)
}

fn read(database: &Path) -> Result<Vec<Entry>, InputError> {
    let text = input::read(database)?;
    serde_json::from_str(&text).map_err(|error| {
        let message = format!("{} is no compilation database: {error}", database.display());
        InputError::message(message).hint("a list of objects with `directory`, `file` and `arguments` or `command`")
    })
}

/// The flags of the one command that compiles the file.
fn flags_of(database: &Path, entries: &[Entry], file: &Path) -> Result<Flags, InputError> {
    let home = std::path::absolute(database).unwrap_or_else(|_| database.to_owned());
    let home = home.parent().unwrap_or(Path::new("/"));
    let wanted = real(file);
    let mut found: Vec<Flags> = Vec::new();
    for entry in entries.iter().filter(|entry| real(&home.join(&entry.directory).join(&entry.file)) == wanted) {
        let problem = |what: String| {
            InputError::message(format!("{}: the entry of {}: {what}", database.display(), file.display()))
        };
        let words = words_of(entry).map_err(problem)?;
        let flags = flags(&words, &home.join(&entry.directory)).map_err(problem)?;
        if !found.contains(&flags) {
            found.push(flags);
        }
    }
    match found.len() {
        0 => {
            let message = format!("{} does not say how {} is compiled", database.display(), file.display());
            let known: Vec<String> = entries.iter().map(|entry| entry.file.display().to_string()).collect();
            let hint = match known.len() {
                0 => "it has no entries".to_owned(),
                count if count > 8 => format!("it has {count} entries: {}, …", known[..8].join(", ")),
                _ => format!("it has entries for {}", known.join(", ")),
            };
            Err(InputError::message(message).hint(hint))
        }
        1 => Ok(found.remove(0)),
        count => {
            let message = format!("{} compiles {} in {count} ways", database.display(), file.display());
            Err(InputError::message(message).hint("give a database with one of them, or the flags themselves"))
        }
    }
}

/// A path in its real place, if there is something.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// The words of a command.
fn words_of(entry: &Entry) -> Result<Vec<String>, String> {
    match (&entry.arguments, &entry.command) {
        (Some(arguments), _) => Ok(arguments.clone()),
        (None, Some(command)) => split(command),
        (None, None) => Err("it has neither `arguments` nor `command`".to_owned()),
    }
}

/// The words of a command as a shell has them.
fn split(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\'' => quoted(&mut characters, '\'', word.get_or_insert_default())?,
            '"' => quoted(&mut characters, '"', word.get_or_insert_default())?,
            '\\' => match characters.next() {
                Some('\n') => {}
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err("its command ends in a backslash".to_owned()),
            },
            character => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Adds what stands before the closing quote.
fn quoted(characters: &mut std::str::Chars<'_>, quote: char, word: &mut String) -> Result<(), String> {
    loop {
        match characters.next() {
            None => return Err(format!("its command has a {quote} that is not closed")),
            Some(character) if character == quote => return Ok(()),
            Some('\\') if quote == '"' => match characters.next() {
                Some('\n') => {}
                Some(next @ ('"' | '\\' | '$' | '`')) => word.push(next),
                Some(next) => word.extend(['\\', next]),
                None => return Err("its command ends in a backslash".to_owned()),
            },
            Some(character) => word.push(character),
        }
    }
}

/// What the words say of how a file is read; paths are from the folder on.
fn flags(words: &[String], folder: &Path) -> Result<Flags, String> {
    let mut flags = Flags::default();
    let mut words = words.iter().skip(1).map(String::as_str);
    while let Some(word) = words.next() {
        if REFUSED.iter().any(|flag| word.starts_with(flag)) || is_for_preprocessor(word) {
            return Err(format!("the flag `{word}` is not supported, and changes how the file is read"));
        }
        if let Some((flag, is_path)) = VALUED.into_iter().find(|(flag, _)| word.starts_with(flag)) {
            let value = match &word[flag.len()..] {
                "" => words.next().ok_or_else(|| format!("`{flag}` has no value"))?,
                value => value,
            };
            flags.arguments.push(flag.into());
            flags.arguments.push(if is_path { path(flag, value, folder) } else { value.into() });
            continue;
        }
        match word {
            _ if SKIPPED.contains(&word) => drop(words.next()),
            "-m32" => flags.model = Some(DataModel::Ilp32),
            "-m64" => flags.model = Some(DataModel::Lp64),
            "-ansi" => flags.arguments.push("-std=c90".into()),
            "--std" => flags.arguments.push(format!("-std={}", words.next().unwrap_or_default()).into()),
            "-nostdinc" | "-undef" | "-pthread" => flags.arguments.push(word.into()),
            _ if word.starts_with("-std=") => flags.arguments.push(word.into()),
            _ if word.starts_with("--std=") => flags.arguments.push(word[1..].into()),
            _ => {}
        }
    }
    Ok(flags)
}

/// Whether a word passes on something else than where dependencies are written.
fn is_for_preprocessor(word: &str) -> bool {
    word.strip_prefix("-Wp,").is_some_and(|rest| !rest.starts_with("-MD") && !rest.starts_with("-MMD"))
}

/// A path that a flag names. A file that is included is looked for in other folders where it is not in this one.
fn path(flag: &str, value: &str, folder: &Path) -> OsString {
    let path = folder.join(value);
    if matches!(flag, "-include" | "-imacros") && !path.exists() { value.into() } else { path.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(words: &[&str]) -> Result<String, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let flags = flags(&words, Path::new("/build"))?;
        Ok(flags.arguments.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn commands_are_cut_as_a_shell_does() {
        let words = split(r#"cc  -DA="x y" -DB='"q"\' -DC=\"s\ t\" "-DD=a\"b\c" '' -c"#);
        let expected = ["cc", "-DA=x y", "-DB=\"q\"\\", "-DC=\"s t\"", "-DD=a\"b\\c", "", "-c"];
        assert_eq!(words, Ok(expected.map(str::to_owned).to_vec()));
        assert!(split("cc 'a").is_err_and(|message| message.contains("not closed")));
        assert!(split("cc a\\").is_err());
    }

    #[test]
    fn only_what_the_preprocessor_needs_is_taken() {
        let words =
            ["gcc", "-O2", "-Iinc", "-I", "/abs", "-DN=3", "-U", "N", "-isystem", "sys", "-iquote", "q", "-c", "a.c"];
        let all = "-I /build/inc -I /abs -D N=3 -U N -isystem /build/sys -iquote /build/q";
        assert_eq!(told(&words), Ok(all.to_owned()));
        assert_eq!(told(&["cc", "-o", "-DX", "-MF", "-DY", "--std=c99", "-Wp,-MD,a.d"]), Ok("-std=c99".to_owned()));
        assert_eq!(told(&["cc", "-include", "no.h"]), Ok("-include no.h".to_owned()), "it is looked for elsewhere");
        assert!(told(&["cc", "-I"]).is_err());
        assert!(told(&["cc", "-funsigned-char"]).is_err_and(|message| message.contains("-funsigned-char")));
        assert!(told(&["cc", "-Wp,-DX"]).is_err());
    }
}
