//! Running programs by gcc, many in one process, and by Tandem, and comparing what they print.

use crate::support::{argument, finish};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tandem::engine::Budget;
use tandem::pipeline::run::{RunEnd, RunError, RunRequest, run};
use tandem::pipeline::{InputError, on_large_stack};
use tandem::report::style::Palette;

/// How wide `long` is.
#[derive(Debug, Clone, Copy)]
pub enum DataModel {
    /// 64 bits.
    Lp64,
    /// 32 bits.
    Ilp32,
}

/// Both.
pub const DATA_MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

/// What gcc is told so that it takes no freedom: floating point in the declared types, no assumption on pointers.
const FLAGS: [&str; 5] = ["-pipe", "-fno-strict-aliasing", "-msse2", "-mfpmath=sse", "-ffp-contract=off"];

/// What makes gcc's programs stop at undefined behaviour.
pub const SANITIZERS: [&str; 3] = [
    "-O0",
    "-fsanitize=undefined,address,float-cast-overflow,float-divide-by-zero",
    "-fno-sanitize-recover=undefined,float-cast-overflow,float-divide-by-zero",
];

/// How many seconds a program may take, which ends in milliseconds on an idle machine.
const SECONDS: u64 = 60;

impl DataModel {
    /// What Tandem calls it.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        }
    }

    fn flag(self) -> &'static str {
        match self {
            DataModel::Lp64 => "-m64",
            DataModel::Ilp32 => "-m32",
        }
    }
}

/// Writes a program to a file of that name in the folder.
pub fn write_source(folder: &Path, name: &str, source: &str) -> PathBuf {
    let path = folder.join(format!("{name}.c"));
    fs::write(&path, source).unwrap();
    path
}

/// What each of the programs prints when gcc compiles all of them at once with these options.
pub fn gcc_outputs(
    folder: &Path,
    sources: &[String],
    model: DataModel,
    options: &[&str],
) -> Result<Vec<String>, String> {
    let parts: Vec<String> = sources.iter().enumerate().map(|(number, source)| renamed(source, number)).collect();
    let calls: String =
        (0..sources.len()).map(|number| format!("main_{number}(); printf(\"{SEPARATOR}\\n\"); ")).collect();
    let source = format!("{}\nint main(void) {{ {calls}return 0; }}\n", parts.concat());
    let path = write_source(folder, "batch", &source);
    let printed = compile_and_run(&path, model, options)?;
    let separator = format!("{SEPARATOR}\n");
    let mut outputs: Vec<String> = printed.split(&separator).map(str::to_owned).collect();
    outputs.pop();
    match outputs.len() == sources.len() {
        true => Ok(outputs),
        false => Err(format!("{} programs print {} outputs", sources.len(), outputs.len())),
    }
}

/// A line between two outputs, that no program prints.
const SEPARATOR: &str = "=====";

/// The program with names of its own: a number is added to every name that the generator made up.
fn renamed(source: &str, number: usize) -> String {
    let mut text = String::with_capacity(2 * source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = match first {
            '"' | '\'' => literal_end(rest),
            _ if first.is_ascii_digit() => rest.find(|c: char| !is_word(c) && c != '.').unwrap_or(rest.len()),
            _ if is_word(first) => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let word = &rest[..end];
        text.push_str(word);
        let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_numbered = stem.len() < word.len() && !stem.is_empty() && stem.chars().all(|c| c.is_ascii_alphabetic());
        if is_numbered || ["main", "sum", "mix", "bits_of"].contains(&word) {
            text.push_str(&format!("_{number}"));
        }
        rest = &rest[end..];
    }
    text
}

/// Where the literal of characters ends that the text starts with.
fn literal_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != bytes[0] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// What the program prints when gcc compiles it with these options.
pub fn compile_and_run(source: &Path, model: DataModel, options: &[&str]) -> Result<String, String> {
    let binary = source.with_extension("out");
    let compiler = Command::new("gcc")
        .arg(model.flag())
        .args(FLAGS)
        .args(options)
        .args([argument(source), "-o", argument(&binary), "-lm"])
        .output()
        .expect("gcc is installed");
    if !compiler.status.success() {
        let message = finish(compiler).stderr;
        let hint = if message.contains("skipping incompatible") || message.contains("Scrt1.o") {
            "; 32-bit programs need Debian's gcc-multilib, which `make setup-test` installs"
        } else {
            ""
        };
        return Err(format!("gcc {} stops{hint}: {message}", options.join(" ")));
    }
    let output = Command::new("timeout").args([&SECONDS.to_string(), argument(&binary)]).output().unwrap();
    fs::remove_file(&binary).unwrap();
    let what = format!("the program compiled with {}", options.join(" "));
    match output.status.code() {
        Some(0) => Ok(text(&output.stdout)),
        Some(124) => Err(format!("{what} takes more than {SECONDS} s")),
        status => Err(format!("{what} ends with status {status:?}: {}", text(&output.stderr))),
    }
}

/// The bytes that a program prints, a character each: they need not be UTF-8.
fn text(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// What the program prints when Tandem executes it.
pub fn tandem_output(source: &Path, model: DataModel) -> Result<String, String> {
    let request = RunRequest {
        files: vec![source.to_owned()],
        inputs: vec![],
        replay: None,
        seed: None,
        max_steps: usize::MAX,
        quiet: true,
        property: None,
        data_model: Some(model.name().to_owned()),
        main: None,
        preprocessor: Default::default(),
    };
    let budget = Budget::with_time(Some(Duration::from_secs(SECONDS)));
    let (ended_in_time, watched) = (budget.clone(), budget.clone());
    let work = move || {
        let (mut out, mut remarks) = (Vec::new(), Vec::new());
        let end = run(&request, Palette::plain(), &budget, &mut out, &mut remarks);
        (end, out, remarks)
    };
    let (end, out, remarks) = on_large_stack(&watched, None, work).map_err(|error| format!("tandem: {error:?}"))?;
    match end {
        Ok(RunEnd::Fine) if ended_in_time.check().is_err() => Err(format!("tandem takes more than {SECONDS} s")),
        Ok(RunEnd::Fine) if remarks.is_empty() => Ok(text(&out)),
        Ok(end) => Err(format!("tandem ends with {end:?}: {}", String::from_utf8_lossy(&remarks).trim())),
        Err(RunError::Input(InputError::Source { errors, .. })) => Err(format!("tandem refuses it: {errors}")),
        Err(RunError::Input(InputError::Message { text, .. })) => Err(format!("tandem refuses it: {text}")),
        Err(RunError::Output(error)) => Err(error.to_string()),
    }
}

/// Compares what Tandem prints when it executes the program with what gcc's program prints.
pub fn tandem_against_gcc(source: &Path, model: DataModel) -> Result<(), String> {
    let expected = compile_and_run(source, model, &["-O0"])?;
    differ("gcc", &expected, "tandem", &tandem_output(source, model)?)
}

/// An error where two outputs are not the same: the first line that differs.
pub fn differ(left_name: &str, left: &str, right_name: &str, right: &str) -> Result<(), String> {
    if left == right {
        return Ok(());
    }
    let at = left.lines().zip(right.lines()).take_while(|(left, right)| left == right).count();
    let line = |text: &str| text.lines().nth(at).unwrap_or("nothing").to_owned();
    Err(format!("line {}: {left_name} prints {}, {right_name} {}", at + 1, line(left), line(right)))
}
