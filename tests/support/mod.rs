//! What the tests of the command line share.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The root of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A model of the project.
pub fn model(name: &str) -> PathBuf {
    root().join("models/gcl").join(format!("{name}.gcl"))
}

/// The program, ready to be given arguments; it does not see the solver that the environment names.
pub fn tandem() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tandem"));
    command.env_remove("TANDEM_SOLVER").env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

/// What came of a run.
#[derive(Debug)]
pub struct Ran {
    /// The exit status; none where a signal ended it.
    pub status: Option<i32>,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Ran {
    finish(tandem().args(arguments).output().expect("the program can be started"))
}

/// What an output holds.
pub fn finish(output: Output) -> Ran {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is UTF-8");
    Ran { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The programs of the corpus that the engines of the command line read as they are, in all folders of one.
pub fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() {
            found.extend(programs(&path));
        } else if matches!(extension, Some("c" | "tandem" | "gcl")) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A path as an argument.
pub fn argument(path: &Path) -> &str {
    path.to_str().expect("the paths of the project are UTF-8")
}

/// The processes that a process has started, by any of its threads.
pub fn children(parent: u32) -> Vec<i32> {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{parent}/task")) else { return Vec::new() };
    let lists = tasks.flatten().filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<i32>>()).collect()
}

impl Ran {
    /// The last line of standard output.
    pub fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }

    /// Checks that the verdict, the last line and the exit status agree.
    #[track_caller]
    pub fn assert_verdict(&self, verdict: &str) {
        assert_eq!(self.last_line(), format!("verdict: {verdict}"), "{self:?}");
        let status = ["safe", "unsafe", "unknown"].iter().position(|name| *name == verdict);
        assert_eq!(self.status, status.map(|status| status as i32), "{self:?}");
        assert_eq!(self.stderr, "", "{}", self.stdout);
    }
}
