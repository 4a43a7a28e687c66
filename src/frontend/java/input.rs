//! What the user names: sources, class files, archives and folders; sources are compiled.

use super::class::{MAX_BYTES, parse};
use crate::program::{Diagnostic, FrontendErrors, SourceFile, SourceFiles};
use crate::system::memory_left;
use crate::system::run::{Caps, Program, run};
use crate::system::scratch::Scratch;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// A program as it is read: its sources, as far as they are there, and its classes.
#[derive(Debug, Clone, Default)]
pub struct Input {
    /// The sources.
    pub sources: SourceFiles,
    /// The class files, by the name of the class.
    pub classes: BTreeMap<String, Vec<u8>>,
}

/// How many files are looked at.
const MAX_FILES: usize = 20_000;
/// How deep folders are nested.
const DEEPEST_FOLDER: usize = 64;
/// How many bytes are read in all.
const MAX_BYTES_READ: u64 = 256 << 20;

/// What is said where there is no JDK.
pub fn no_jdk() -> FrontendErrors {
    let message = "no Java Development Kit was found, which is needed to read Java programs";
    let hint = "install one, such as the Debian package openjdk-17-jdk-headless, or set JAVA_HOME to its folder";
    Diagnostic::general(message).hint(hint).into()
}

/// The endings of the files that are read.
pub const ENDINGS: [&str; 3] = ["java", "class", "jar"];

/// Reads everything that the paths name, and compiles the sources among it.
pub fn read(paths: &[PathBuf]) -> Result<Input, (FrontendErrors, SourceFiles)> {
    let mut found = Found::default();
    for path in paths {
        found.add(path, 0).map_err(|error| (error.into(), SourceFiles::new()))?;
    }
    if found.sources.is_empty() && found.classes.is_empty() {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let message = format!("{}: no Java sources or classes are in this folder", names.join(", "));
        return Err((Diagnostic::general(message).into(), SourceFiles::new()));
    }
    let sources: SourceFiles = found.sources.into_iter().collect();
    let mut input = match sources.is_empty() {
        true => Input::default(),
        false => compile_with(&sources, &found.classes).map_err(|errors| (errors, sources.clone()))?,
    };
    for (name, bytes) in found.classes {
        input.classes.entry(name).or_insert(bytes);
    }
    Ok(input)
}

/// The program in class files, without sources.
pub fn of_class_files(files: impl IntoIterator<Item = Vec<u8>>) -> Result<Input, FrontendErrors> {
    let mut found = Found::default();
    for bytes in files {
        found.class(bytes).map_err(|error| Diagnostic::general(format!("this is no class file: {error}")))?;
    }
    Ok(Input { sources: SourceFiles::new(), classes: found.classes.into_iter().collect() })
}

#[derive(Default)]
struct Found {
    sources: Vec<SourceFile>,
    classes: Vec<(String, Vec<u8>)>,
    files: usize,
    bytes: u64,
}

impl Found {
    fn add(&mut self, path: &Path, depth: usize) -> Result<(), Diagnostic> {
        let problem = |what: String| Diagnostic::general(format!("{}: {what}", path.display()));
        let about = fs::metadata(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => problem("there is no such file".to_owned()),
            _ => problem(format!("cannot be read: {error}")),
        })?;
        if about.is_dir() {
            if depth > DEEPEST_FOLDER {
                return Err(problem("folders are nested too deeply".to_owned()));
            }
            let entries = fs::read_dir(path).map_err(|error| problem(format!("cannot be read: {error}")))?;
            let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
            entries.sort();
            for entry in entries {
                let is_link = entry.symlink_metadata().is_ok_and(|about| about.is_symlink());
                let is_wanted = entry.extension().and_then(|e| e.to_str()).is_some_and(|e| ENDINGS.contains(&e));
                if (entry.is_dir() && !is_link) || (entry.is_file() && is_wanted) {
                    self.add(&entry, depth + 1)?;
                }
            }
            return Ok(());
        }
        self.files += 1;
        if self.files > MAX_FILES {
            return Err(problem(format!("there are more than {MAX_FILES} files")));
        }
        let bytes = self.read_file(path)?;
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("java") => {
                let text = String::from_utf8(bytes).map_err(|_| problem("this is not UTF-8 text".to_owned()))?;
                self.sources.push(SourceFile { name: path.display().to_string(), text });
            }
            Some("jar") => self.archive(path, bytes)?,
            _ => self.class(bytes).map_err(|error| problem(format!("this is no class file: {error}")))?,
        }
        Ok(())
    }

    fn read_file(&mut self, path: &Path) -> Result<Vec<u8>, Diagnostic> {
        let problem = |what: String| Diagnostic::general(format!("{}: {what}", path.display()));
        let mut bytes = Vec::new();
        let opened = fs::File::open(path);
        let read = opened.and_then(|file| file.take(MAX_BYTES_READ + 1).read_to_end(&mut bytes));
        read.map_err(|error| problem(format!("cannot be read: {error}")))?;
        self.bytes += bytes.len() as u64;
        if self.bytes > MAX_BYTES_READ {
            return Err(problem(format!("there are more than {} MB in all", MAX_BYTES_READ >> 20)));
        }
        Ok(bytes)
    }

    fn archive(&mut self, path: &Path, bytes: Vec<u8>) -> Result<(), Diagnostic> {
        let problem = |what: String| Diagnostic::general(format!("{}: {what}", path.display()));
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes))
            .map_err(|error| problem(format!("this is no archive: {error}")))?;
        for index in 0..archive.len() {
            let entry = archive.by_index(index).map_err(|error| problem(error.to_string()))?;
            let name = entry.name().map_err(|error| problem(error.to_string()))?.into_owned();
            if !name.ends_with(".class") || name.ends_with("module-info.class") || name.starts_with("META-INF/") {
                continue;
            }
            self.files += 1;
            let mut bytes = Vec::new();
            let read = entry.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes);
            read.map_err(|error| problem(format!("{name}: {error}")))?;
            self.bytes += bytes.len() as u64;
            if self.bytes > MAX_BYTES_READ || self.files > MAX_FILES {
                return Err(problem("the archive is too large".to_owned()));
            }
            self.class(bytes).map_err(|error| problem(format!("{name} is no class file: {error}")))?;
        }
        Ok(())
    }

    fn class(&mut self, bytes: Vec<u8>) -> Result<(), String> {
        if let Some(name) = class_name(&bytes)? {
            self.classes.push((name, bytes));
        }
        Ok(())
    }
}

/// The name of the class in a class file; none for a module's description.
fn class_name(bytes: &[u8]) -> Result<Option<String>, String> {
    if bytes.len() > MAX_BYTES {
        return Err("it is too large".to_owned());
    }
    let mut options = cafebabe::ParseOptions::default();
    options.parse_bytecode(false);
    let class = parse(bytes, &options).map_err(|error| error.to_string())?;
    let is_module = class.access_flags.contains(cafebabe::ClassAccessFlags::MODULE);
    Ok((!is_module).then(|| class.this_class.to_string()))
}

/// What the compiler may use, whatever the limits of the run are.
const CAPS: Caps = Caps { time: None, memory: None, output: 16 << 20, has_children: false };

/// What the compiler's virtual machine needs besides its heap, in megabytes.
const BESIDES_HEAP: u64 = 160;

/// The options that keep the compiler's virtual machine within the memory that is left.
fn heap_options(left: Option<u64>) -> Vec<String> {
    let Some(left) = left else { return Vec::new() };
    let heap = (left >> 20).saturating_sub(BESIDES_HEAP).clamp(16, 1024);
    let code = ["-J-XX:ReservedCodeCacheSize=24m", "-J-XX:MaxMetaspaceSize=64m", "-J-XX:CompressedClassSpaceSize=16m"];
    std::iter::once(format!("-J-Xmx{heap}m")).chain(code.map(str::to_owned)).collect()
}

/// Compiles sources.
pub fn compile(sources: &SourceFiles) -> Result<Input, FrontendErrors> {
    compile_with(sources, &[])
}

/// Compiles sources that may use classes which are compiled already.
fn compile_with(sources: &SourceFiles, classes: &[(String, Vec<u8>)]) -> Result<Input, FrontendErrors> {
    let home = super::classpath::jdk_home().ok_or_else(no_jdk)?;
    let javac = home.join("bin").join("javac");
    if !javac.is_file() {
        return Err(no_jdk());
    }
    let failed = |what: String| FrontendErrors::from(Diagnostic::general(what));
    let scratch = Scratch::new().map_err(|error| failed(format!("a temporary folder cannot be made: {error}")))?;
    let (given, made) = (scratch.path().join("given"), scratch.path().join("made"));
    let mut arguments = String::new();
    for (number, source) in sources.iter().enumerate() {
        // The compiler wants a public class in a file of its name; the folder tells files of one name apart.
        let file = file_name(&source.name);
        let folder = given.join(number.to_string());
        let path = folder.join(file);
        let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, &source.text));
        written.map_err(|error| failed(format!("{}: {error}", path.display())))?;
        arguments.push_str(&quoted(&path.display().to_string()));
    }
    // Programs may ask for inputs without bringing the class that they come from.
    let known = scratch.path().join("known");
    let is_inside = |name: &str| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let mut used: Vec<(&str, &[u8])> = super::library::input_classes().collect();
    used.extend(
        classes.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).filter(|(name, _)| is_inside(name)),
    );
    for (name, bytes) in used {
        let path = known.join(format!("{name}.class"));
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, bytes));
        written.map_err(|error| failed(format!("{}: {error}", path.display())))?;
    }
    let list = scratch.path().join("files");
    let written = fs::create_dir_all(&made).and_then(|()| fs::write(&list, arguments));
    written.map_err(|error| failed(format!("{}: {error}", list.display())))?;
    let program = Program::new(&javac)
        .arguments(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Xshare:auto", "-J-Duser.language=en"])
        .arguments(heap_options(memory_left()))
        // What the virtual machine tells its tools about itself would be a file outside of our folder.
        .arguments(["-J-XX:-UsePerfData", "-J-XX:-CreateCoredumpOnCrash", "-J-XX:ErrorFile=/dev/null"])
        .arguments(["-g", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"])
        .argument(&made)
        .argument("-cp")
        .argument(&known)
        .argument(format!("@{}", list.display()));
    let output = run(&program, b"", CAPS).map_err(|error| failed(format!("the Java compiler failed: {error}")))?;
    if !output.status.success() {
        return Err(compiler_errors(&String::from_utf8_lossy(&output.stderr), sources, &given));
    }
    let mut found = Found::default();
    found.add(&made, 0)?;
    Ok(Input { sources: sources.clone(), classes: found.classes.into_iter().collect() })
}

/// The name of the file that the compiler gets for a source: the user's own, where a class could have it.
fn file_name(source: &str) -> String {
    let name = Path::new(source).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_class = |stem: &str| !stem.is_empty() && stem.chars().all(|c| c.is_alphanumeric() || "_$-".contains(c));
    match name.strip_suffix(".java") {
        Some(stem) if is_class(stem) => name.to_owned(),
        _ => "Source.java".to_owned(),
    }
}

/// A line of the file that lists the compiler's arguments.
fn quoted(argument: &str) -> String {
    let mut line = "\"".to_owned();
    for c in argument.chars() {
        match c {
            '"' | '\\' => line.extend(['\\', c]),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            c => line.push(c),
        }
    }
    line + "\"\n"
}

/// What the compiler said, about the files that the user knows.
fn compiler_errors(said: &str, sources: &SourceFiles, given: &Path) -> FrontendErrors {
    let mut errors: Vec<Diagnostic> = Vec::new();
    for line in said.lines() {
        let Some(rest) = line.strip_prefix(&format!("{}/", given.display())) else {
            // What comes after a message is the line, a mark below its place, and what the message does not say.
            if let (Some(error), Some((_, symbol))) = (errors.last_mut(), line.trim().split_once("symbol:")) {
                error.message = format!("{}: {}", error.message, symbol.trim());
            }
            continue;
        };
        let mut parts = rest.splitn(3, ':');
        let (Some(file), Some(number), Some(message)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let index = file.split('/').next().and_then(|n| n.parse::<usize>().ok());
        let Some((id, source)) = index.and_then(|index| sources.enumerate().nth(index)) else { continue };
        let Some(message) = message.trim().strip_prefix("error:") else { continue };
        let number: usize = number.parse().unwrap_or(1);
        let start: usize = source.text.split_inclusive('\n').take(number.saturating_sub(1)).map(str::len).sum();
        let end = start + source.line(number).len();
        let span = crate::program::Span::new(id, start, end);
        errors.push(Diagnostic::at(span, message.trim(), "here"));
    }
    if errors.is_empty() {
        let first = said.lines().find(|line| !line.is_empty()).unwrap_or("it gave no reason");
        errors.push(Diagnostic::general(format!("the Java compiler failed: {first}")));
    }
    errors.truncate(20);
    FrontendErrors(errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_for_the_compiler() {
        assert_eq!(file_name("a/b/Some$Class.java"), "Some$Class.java");
        for odd in ["a \"b\".java", "a\nb.java", "-\u{1b}[31m.java", ".java", "x"] {
            assert_eq!(file_name(odd), "Source.java", "{odd:?}");
        }
        assert_eq!(quoted("a \"b\\c\nd"), "\"a \\\"b\\\\c\\nd\"\n");
    }

    #[test]
    fn the_heap_fits_into_the_memory() {
        assert_eq!(heap_options(None), Vec::<String>::new());
        let heap = |megabytes: u64| heap_options(Some(megabytes << 20))[0].clone();
        assert_eq!((heap(300), heap(1 << 20)), ("-J-Xmx140m".to_owned(), "-J-Xmx1024m".to_owned()));
        assert_eq!(heap(0), "-J-Xmx16m", "too little is for the compiler to say");
    }
}
