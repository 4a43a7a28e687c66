//! The compiler's preprocessor, for texts with directives, and the way back from its output to the user's file.

use super::lex::Token;
use super::lower::entry::Entry;
use super::types::DataModel;
use crate::program::{Diagnostic, FileId, SourceFile, SourceFiles, Span};
use crate::system::find;
use crate::system::run::{Caps, Output, Program, RunError, run};
use rustc_hash::FxHashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The compilers to look for, in order.
const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];

/// How C text is read: what the preprocessor is told besides the text, and what is refused.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preprocessor {
    /// Where files are looked for that are not next to the one that includes them, before the system's folders.
    pub folders: Vec<PathBuf>,
    /// What is defined and undefined, in order.
    pub macros: Vec<Macro>,
    /// Files that are read before the text, as if it included them.
    pub first: Vec<PathBuf>,
    /// The standard of C, as the compiler calls it.
    pub standard: Option<String>,
    /// Further arguments of the compiler, before all others, from a compilation database.
    pub more: Vec<OsString>,
    /// A compilation database, which says more for each file.
    pub database: Option<PathBuf>,
    /// Whether what is not supported is refused even if no execution comes there.
    pub strict: bool,
    /// Where the program starts, if not at `main`.
    pub entry: Option<Entry>,
}

/// A macro of the user's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Macro {
    /// `NAME` or `NAME=VALUE`.
    Define(String),
    /// `NAME`.
    Undefine(String),
}

impl Preprocessor {
    /// Whether a file must be preprocessed even if it has no directives. One that was preprocessed before is not.
    pub fn changes(&self, file: &SourceFile) -> bool {
        (!self.macros.is_empty() || !self.first.is_empty() || !self.more.is_empty())
            && Path::new(&file.name).extension().is_none_or(|ending| ending != "i")
    }

    /// The arguments of the compiler. It runs in another folder, so that folders are told from the root on.
    fn arguments(&self) -> impl Iterator<Item = OsString> + '_ {
        let absolute = |folder: &PathBuf| std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        let folders = self.folders.iter().flat_map(move |folder| ["-I".into(), absolute(folder).into_os_string()]);
        let macros = self.macros.iter().flat_map(|it| match it {
            Macro::Define(text) => ["-D".into(), text.into()],
            Macro::Undefine(name) => ["-U".into(), name.into()],
        });
        let first = self.first.iter().flat_map(move |file| ["-include".into(), absolute(file).into_os_string()]);
        let standard = self.standard.iter().map(|name| OsString::from(format!("-std={name}")));
        self.more.iter().cloned().chain(macros).chain(folders).chain(first).chain(standard)
    }
}

/// What the preprocessor may use, whatever the limits of the run are.
const CAPS: Caps = Caps { time: None, memory: Some(4 << 30), output: 256 << 20, has_children: true };

/// Runs the preprocessor on the text of a file. Files in quotes are looked for next to the file that includes them first.
pub fn preprocess(
    id: FileId,
    file: &SourceFile,
    model: DataModel,
    preprocessor: &Preprocessor,
) -> Result<String, Diagnostic> {
    let found = COMPILERS.iter().find_map(|name| Some((*name, find::on_path(OsStr::new(name))?)));
    let Some((compiler, path)) = found else {
        let message = format!("{} has preprocessor directives, but there is no C compiler to preprocess it", file.name);
        return Err(Diagnostic::general(message).hint("install gcc or clang, or give a preprocessed file (cc -E)"));
    };
    let output = start(&path, file, model, preprocessor)
        .map_err(|error| Diagnostic::general(format!("{compiler} could not preprocess {}: {error}", file.name)))?;
    if !output.status.success() {
        return Err(failure(id, file, compiler, &String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Diagnostic::general(format!("{} includes text that is not UTF-8", file.name)))
}

/// The directive before the text that gives it its name, which `__FILE__` tells. Names with control characters are not told.
fn first_line(name: &str) -> String {
    if name.chars().any(char::is_control) {
        return String::new();
    }
    format!("#line 1 \"{}\"\n", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The folder of a file, if there is one: what is included by the text on standard input is looked for first where the
/// compiler runs.
fn folder_of(name: &str) -> Option<&Path> {
    Path::new(name).parent().filter(|folder| folder.is_dir())
}

fn start(
    compiler: &Path,
    file: &SourceFile,
    model: DataModel,
    preprocessor: &Preprocessor,
) -> Result<Output, RunError> {
    let mut program = Program::new(compiler).arguments(["-E", "-x", "c", "-std=gnu11"]);
    program.environment.push(("LC_ALL", "C".into()));
    program.folder = folder_of(&file.name).map(Path::to_owned);
    program = program.argument(if model == DataModel::Ilp32 { "-m32" } else { "-m64" });
    program = program.arguments(preprocessor.arguments()).argument("-");
    let text = [first_line(&file.name).as_bytes(), file.text.as_bytes()].concat();
    run(&program, &text, CAPS)
}

/// The first error of the compiler, at its place in the user's file.
fn failure(id: FileId, file: &SourceFile, compiler: &str, stderr: &str) -> Diagnostic {
    let line = stderr.lines().find(|line| line.contains("error")).or(stderr.lines().next()).unwrap_or("no message");
    let named = line.strip_prefix(&file.name).and_then(|rest| rest.strip_prefix(':'));
    let mut parts = named.or(line.strip_prefix("<stdin>:")).unwrap_or("").splitn(3, ':');
    let number = parts.next().and_then(|n| n.parse::<usize>().ok());
    let column = parts.next().and_then(|n| n.parse::<usize>().ok());
    let text = parts.next().unwrap_or(line).trim();
    let text = text.trim_start_matches("fatal error: ").trim_start_matches("error: ");
    let message = format!("{compiler} could not preprocess: {text}");
    let mut diagnostic = match number {
        Some(number) => {
            let (start, end) = Lines::new(&file.text).span(number);
            let start = (start + column.unwrap_or(1).saturating_sub(1)).min(end);
            Diagnostic::at(Span::new(id, start, end), message, "the compiler stops here")
        }
        None => Diagnostic::general(message),
    };
    if text.contains("stubs-32.h") || text.contains("bits/libc-header-start.h") {
        diagnostic = diagnostic.hint("headers for 32-bit programs are missing: install gcc-multilib, or use LP64");
    }
    diagnostic
}

/// Where the lines of a text start.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(i, _)| i + 1);
        Lines { text, starts: std::iter::once(0).chain(ends).collect() }
    }

    /// The bytes of a line, numbered from 1, without its end.
    fn span(&self, number: usize) -> (usize, usize) {
        let index = number.saturating_sub(1).min(self.starts.len() - 1);
        let start = self.starts[index];
        let end = self.starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        (start, end.max(start))
    }
}

/// Moves the tokens of a preprocessed text to where they come from: to the same line of a file that the user gave,
/// and for what other files brought in, to the line that includes them.
pub fn map_back(tokens: &mut [Token], text: &str, files: &SourceFiles, main: FileId) {
    let mut mapper = Mapper {
        text,
        files: files.enumerate().map(|(id, file)| (id, file.name.as_str(), Lines::new(&file.text))).collect(),
        main,
        folder: folder_of(&files[main].name).map(Path::to_owned).unwrap_or_default(),
        names: FxHashMap::default(),
        place: Place { file: Some(main), line: 1 },
        include: (main, 1),
        position: 0,
        search: (usize::MAX, 0),
    };
    for token in tokens {
        mapper.map(token);
    }
}

/// The line that the next line of preprocessed text comes from.
#[derive(Clone, Copy)]
struct Place {
    /// A file of the user's; none for a header.
    file: Option<FileId>,
    line: usize,
}

struct Mapper<'a> {
    text: &'a str,
    files: Vec<(FileId, &'a str, Lines<'a>)>,
    main: FileId,
    /// Where the compiler ran: names that it tells are relative to it.
    folder: PathBuf,
    /// The files of names that were told.
    names: FxHashMap<String, Option<FileId>>,
    /// Where the line at the position comes from.
    place: Place,
    /// The line of the user's that includes what is being read.
    include: (FileId, usize),
    /// The start of a line of preprocessed text.
    position: usize,
    /// The line searched last, by its start, and up to where.
    search: (usize, usize),
}

impl Mapper<'_> {
    fn map(&mut self, token: &mut Token) {
        let start = token.span.start as usize;
        while let Some(length) = self.text[self.position..].find('\n') {
            if self.position + length >= start {
                break;
            }
            let line = &self.text[self.position..self.position + length];
            self.position += length + 1;
            match line.strip_prefix("# ").and_then(marker) {
                Some((number, name)) => self.mark(number, &name),
                None => self.place.line += 1,
            }
        }
        let word = &self.text[start..token.span.end as usize];
        token.span = match self.place.file {
            Some(file) => self.find(file, self.place.line, word),
            None => self.whole_line(self.include.0, self.include.1),
        };
    }

    fn mark(&mut self, line: usize, name: &str) {
        let file = self.file(name);
        if file.is_none()
            && let Some(user) = self.place.file
        {
            // The marker stands for the line that includes the header.
            self.include = (user, self.place.line.max(1));
        }
        self.place = Place { file, line };
    }

    /// The file of the user's that has the name.
    fn file(&mut self, name: &str) -> Option<FileId> {
        if let Some(known) = self.names.get(name) {
            return *known;
        }
        let named = |id: FileId| self.files.iter().any(|(known, known_as, _)| *known == id && *known_as == name);
        let file = if name == "<stdin>" || named(self.main) {
            Some(self.main)
        } else if name.starts_with('<') {
            None
        } else {
            let path = std::fs::canonicalize(self.folder.join(name)).ok();
            let is_it = |known: &str| path.is_some() && std::fs::canonicalize(known).ok() == path;
            self.files.iter().find(|(_, known, _)| is_it(known)).map(|(id, ..)| *id)
        };
        self.names.insert(name.to_owned(), file);
        file
    }

    fn lines(&self, file: FileId) -> &Lines<'_> {
        let found = self.files.iter().find(|(id, ..)| *id == file);
        &found.expect("only files of the user's are places").2
    }

    fn whole_line(&self, file: FileId, line: usize) -> Span {
        let (start, end) = self.lines(file).span(line);
        Span::new(file, start, end)
    }

    /// The word on its line, behind the ones found before; the whole line where a macro wrote it.
    fn find(&mut self, file: FileId, line: usize, word: &str) -> Span {
        let lines = self.lines(file);
        let (start, end) = lines.span(line);
        let from = if self.search.0 == start { self.search.1 } else { start };
        let text = lines.text;
        let found = text.get(from..end).and_then(|rest| find_word(rest, word)).map(|i| from + i);
        self.search = (start, found.map_or(from, |i| i + word.len()));
        match found {
            Some(at) => Span::new(file, at, at + word.len()),
            None => Span::new(file, start, end),
        }
    }
}

fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let word_like = word.starts_with(is_part);
    let fits = |at: usize| {
        let before = text[..at].chars().next_back().is_some_and(is_part);
        let after = text[at + word.len()..].chars().next().is_some_and(is_part);
        !word_like || !(before || after)
    };
    text.match_indices(word).map(|(at, _)| at).find(|at| fits(*at))
}

/// The line number and file name of a line marker, without its `# `.
fn marker(line: &str) -> Option<(usize, String)> {
    let (number, rest) = line.split_once(' ')?;
    let mut name = String::new();
    let mut characters = rest.strip_prefix('"')?.chars();
    loop {
        match characters.next()? {
            '"' => break,
            '\\' => name.push(characters.next()?),
            character => name.push(character),
        }
    }
    Some((number.parse().ok()?, name))
}

#[cfg(test)]
mod tests {
    use super::super::lex::{keyword_names, lex};
    use super::*;
    use crate::program::Id;

    #[test]
    fn tokens_go_back_to_the_lines_they_come_from() {
        let user = "#include <x.h>\n#define F(a) ((a)+1)\nint f(int b) {\n  return F(b) + b;\n}\n";
        let files: SourceFiles = [SourceFile { name: "u.c".into(), text: user.into() }].into_iter().collect();
        let text = "# 0 \"<stdin>\"\n# 1 \"<stdin>\"\n# 1 \"/usr/x.h\" 1 3\ntypedef long T;\n# 2 \"<stdin>\" 2\n\n\
                    int f(int b) {\n  return ((b)+1) + b;\n}\n";
        let mut tokens = lex(FileId::new(0), text, &mut keyword_names()).tokens;
        map_back(&mut tokens, text, &files, FileId::new(0));
        let spans = tokens.iter().map(|token| &user[token.span.start as usize..token.span.end as usize]);
        let found: Vec<&str> = spans.collect();
        let header = "#include <x.h>";
        let whole = "  return F(b) + b;";
        assert_eq!(found[..4], [header; 4]);
        assert_eq!(found[4..11], ["int", "f", "(", "int", "b", ")", "{"]);
        assert_eq!(found[11..19], ["return", "(", whole, "b", ")", "+", whole, whole]);
        assert_eq!(found[20..22], ["b", ";"]);
    }

    #[test]
    fn compiler_errors_point_into_the_file() {
        let file = SourceFile { name: "u.c".into(), text: "int x;\n#include <nowhere.h>\n".into() };
        let stderr = "<stdin>:2:10: fatal error: nowhere.h: No such file or directory\ncompilation terminated.\n";
        let error = failure(FileId::new(0), &file, "cc", stderr);
        assert_eq!(error.message, "cc could not preprocess: nowhere.h: No such file or directory");
        assert_eq!(error.span, Some(Span::new(FileId::new(0), 16, 27)));
    }
}
