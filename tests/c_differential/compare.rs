//! Running a program by gcc and by Tandem, and comparing what it prints.

use crate::support::{argument, finish, tandem};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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
const FLAGS: [&str; 5] = ["-w", "-fno-strict-aliasing", "-msse2", "-mfpmath=sse", "-ffp-contract=off"];

/// What makes gcc's programs stop at undefined behaviour.
pub const SANITIZERS: [&str; 3] = [
    "-O0",
    "-fsanitize=undefined,address,float-cast-overflow,float-divide-by-zero",
    "-fno-sanitize-recover=undefined,float-cast-overflow,float-divide-by-zero",
];

/// How many seconds a program may take, which ends in milliseconds on an idle machine.
const SECONDS: &str = "60";

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

/// What the program prints when gcc compiles it with these options.
pub fn compile_and_run(source: &Path, model: DataModel, options: &[&str]) -> Result<String, String> {
    let binary = source.with_extension(format!("{}{}", model.name(), options.concat().replace(['=', ','], "_")));
    let compiler = Command::new("gcc")
        .arg(model.flag())
        .args(FLAGS)
        .args(options)
        .args([argument(source), "-o", argument(&binary)])
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
    let output = limited(argument(&binary)).output().unwrap();
    fs::remove_file(&binary).unwrap();
    printed(&format!("the program compiled with {}", options.join(" ")), output)
}

/// Compares what Tandem prints when it executes the program with what gcc's program prints.
pub fn tandem_against_gcc(source: &Path, model: DataModel) -> Result<(), String> {
    let expected = compile_and_run(source, model, &["-O0"])?;
    let program = tandem();
    let mut command = limited(program.get_program().to_str().expect("the paths of the project are UTF-8"));
    command.args(["run", argument(source), "--quiet", "--data-model", model.name()]);
    let found = printed("tandem run", command.output().unwrap())?;
    differ("gcc", &expected, "tandem", &found).map_err(|message| {
        let optimised = compile_and_run(source, model, &["-O2"]);
        let defined = optimised.is_ok_and(|optimised| optimised == expected);
        if defined { message } else { format!("{message}; gcc -O2 disagrees with -O0, so the program is at fault") }
    })
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

fn limited(program: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args([SECONDS, program]);
    command
}

fn printed(what: &str, output: Output) -> Result<String, String> {
    let ran = finish(output);
    match ran.status {
        Some(0) => Ok(ran.stdout),
        Some(124) => Err(format!("{what} takes more than {SECONDS} s")),
        status => Err(format!("{what} ends with status {status:?}: {}", ran.stderr)),
    }
}
