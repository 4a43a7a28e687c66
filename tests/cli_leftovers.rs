//! Nothing is left of a run: no process, no file, however it ends.
//!
//! `TANDEM_LEFTOVERS=50` runs that many of each kind.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use rustix::process::{Pid, Signal, kill_process};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::{argument, children, finish, root, tandem};

/// How many runs of each kind.
fn runs() -> u64 {
    std::env::var("TANDEM_LEFTOVERS").ok().and_then(|number| number.parse().ok()).unwrap_or(3)
}

/// A folder for temporary files, and a Java program whose name is found in the arguments of all that work on it.
struct Place {
    folder: tempfile::TempDir,
    source: PathBuf,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("tmp")).unwrap();
        let source = folder.path().join("Main.java");
        let text = "import org.sosy_lab.sv_benchmarks.Verifier;\npublic class Main {\n\
            public static void main(String[] arguments) {\nint x = Verifier.nondetInt(), y = 0;\n\
            for (int i = 0; i < x; i++) y += i * x ^ y;\nassert y * y != 3;\n}\n}\n";
        std::fs::write(&source, text).unwrap();
        Place { folder, source }
    }

    fn temporary(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    fn command(&self) -> Command {
        let mut command = tandem();
        command.args(["verify", argument(&self.source), "--time-limit", "60s"]).env("TMPDIR", self.temporary());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Checks that soon no process of ours is left, and no file.
    fn assert_nothing_is_left(&self, of: &str, with_files: bool) {
        let started = Instant::now();
        let patience = Duration::from_secs(5);
        while !self.processes().is_empty() && started.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(self.processes(), Vec::<String>::new(), "{of}");
        if with_files {
            let left: Vec<_> = std::fs::read_dir(self.temporary()).unwrap().flatten().map(|file| file.path()).collect();
            assert_eq!(left, Vec::<PathBuf>::new(), "{of}");
        }
    }

    /// The processes that have the folder among their arguments.
    fn processes(&self) -> Vec<String> {
        let path = argument(self.folder.path());
        let command_line = |process: std::fs::DirEntry| std::fs::read_to_string(process.path().join("cmdline")).ok();
        let lines = std::fs::read_dir("/proc").unwrap().flatten().filter_map(command_line);
        lines.filter(|line| line.contains(path)).collect()
    }
}

fn process(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap()
}

#[test]
fn a_signal_leaves_nothing() {
    let place = Place::new();
    for (kind, signal) in [("INT", Signal::INT), ("TERM", Signal::TERM), ("HUP", Signal::HUP)] {
        for number in 0..runs() {
            let child = place.command().spawn().unwrap();
            std::thread::sleep(Duration::from_millis(20 + number * 2237 % 1500));
            kill_process(process(&child), signal).unwrap();
            let ran = finish(child.wait_with_output().unwrap());
            // One that came before there was anything to stop ends the process at once.
            if ran.status.is_some_and(|status| status != 130) {
                ran.assert_verdict("unknown");
                assert!(ran.stdout.contains("interrupted"), "{ran:?}");
            }
            place.assert_nothing_is_left(kind, true);
        }
    }
}

/// After a SIGKILL, files are left to the next run, but no process is.
#[test]
fn being_killed_leaves_no_process_and_the_next_run_removes_the_files() {
    let place = Place::new();
    for number in 0..runs() {
        let mut child = place.command().spawn().unwrap();
        std::thread::sleep(Duration::from_millis(200 + number * 2237 % 1500));
        kill_process(process(&child), Signal::KILL).unwrap();
        child.wait().unwrap();
        place.assert_nothing_is_left("KILL", false);
    }
    let crossing = root().join("examples/c/crossing.c");
    let next = tandem().args(["show", argument(&crossing)]).env("TMPDIR", place.temporary()).output().unwrap();
    assert!(next.status.success());
    place.assert_nothing_is_left("the next run", true);
}

/// A part that is killed changes no verdict: the answer comes from another one, or from the same one, started again.
#[test]
fn parts_that_are_killed_change_no_verdict() {
    let place = Place::new();
    let safe = "public class Main {\npublic static void main(String[] arguments) {\n\
        int x = 0;\nfor (int i = 0; i < 9; i++) x += 2;\nassert x == 18;\n}\n}\n";
    std::fs::write(&place.source, safe).unwrap();
    for number in 0..runs() {
        let mut command = place.command();
        command.args([["--engine", "explicit"], ["--engine", "auto"]][number as usize % 2]);
        let child = command.spawn().unwrap();
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(20) {
            if let Some(part) = children(child.id()).first() {
                std::thread::sleep(Duration::from_millis(number * 2237 % 500));
                // It may have had the answer already.
                let _ = kill_process(Pid::from_raw(*part).unwrap(), Signal::KILL);
                break;
            }
        }
        finish(child.wait_with_output().unwrap()).assert_verdict("safe");
        place.assert_nothing_is_left("parts", true);
    }
}

/// Where temporary files cannot be written, that is said.
#[test]
fn a_full_disk_is_said() {
    let place = Place::new();
    let tandem = env!("CARGO_BIN_EXE_tandem");
    // A limit on the size of files is like a disk that is full, but stricter.
    for blocks in ["0", "1"] {
        let script = format!("ulimit -f {blocks}; exec \"$@\"");
        let mut command = Command::new("bash");
        command.args(["-c", &script, "sh", tandem, "verify", argument(&place.source), "--time-limit", "60s"]);
        command.env("TMPDIR", place.temporary()).env_remove("TANDEM_SOLVER");
        let ran = finish(command.output().unwrap());
        assert!(matches!(ran.status, Some(2 | 3)), "{ran:?}");
        assert!(!ran.stdout.contains("internal error"), "{ran:?}");
        assert!(!ran.stdout.contains("verdict: safe") && !ran.stdout.contains("verdict: unsafe"), "{ran:?}");
        place.assert_nothing_is_left("a full disk", true);
    }
    std::fs::set_permissions(place.temporary(), std::fs::Permissions::from_mode(0o500)).unwrap();
    let missing = Path::new("/no/such/folder");
    let ran = finish(place.command().env("TMPDIR", missing).output().unwrap());
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("temporary"), "{ran:?}");
}
