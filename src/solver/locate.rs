//! Finding a solver: where it was named, else where `system::find` looks for programs.

use super::{Answer, Kind, SmtProcess, Solve, SolverConfig};
use crate::system::run::{Caps, Program, run};
use crate::system::{find, time_left};
use crate::term::{Sort, Terms};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The oldest Z3 that is accepted.
const OLDEST_Z3: [u32; 3] = [4, 8, 12];

/// How long a program may take to say its version.
const START_LIMIT: Duration = Duration::from_secs(5);

/// How many bytes it may write for that.
const LONGEST_VERSION: usize = 1 << 16;

/// A solver that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its program.
    pub program: PathBuf,
    /// Which one it is.
    pub kind: Kind,
    /// Its version, empty where it does not say.
    pub version: Vec<u32>,
}

impl Found {
    /// The solver with the default limits.
    pub fn config(&self) -> SolverConfig {
        SolverConfig::new(&self.program, self.kind)
    }
}

const ADVICE: &str = "`pip install z3-solver` or `apt-get install z3` installs one; in the project, run `make setup`; \
     or set TANDEM_SOLVER (or --solver) to a z3 program";

/// Why no solver can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocateError {
    /// None is installed.
    #[error("no solver found: {ADVICE}")]
    Missing,
    /// The one that was named cannot be run.
    #[error("the solver {} cannot be run ({reason}): {ADVICE}", program.display())]
    Broken {
        /// The program that was tried.
        program: PathBuf,
        /// What happened.
        reason: String,
    },
    /// It is a Z3 from before [`OLDEST_Z3`].
    #[error("the solver {} is Z3 {version}, and 4.8.12 or later is needed: {ADVICE}", program.display())]
    TooOld {
        /// The program that was tried.
        program: PathBuf,
        /// The version that it says it is.
        version: String,
    },
}

/// The solver to use: `explicit` if given, else `TANDEM_SOLVER`, else the first Z3 that `find::programs` knows.
///
/// One that was named (the first two) and does not work is an error; the others are passed over while a later one works.
pub fn locate(explicit: Option<&Path>) -> Result<Found, LocateError> {
    static FOUND: Mutex<BTreeMap<Option<OsString>, Found>> = Mutex::new(BTreeMap::new());
    let named = std::env::var_os("TANDEM_SOLVER").filter(|value| !value.is_empty());
    let named = explicit.map(|program| program.as_os_str().to_owned()).or(named);
    once(&FOUND, named.clone(), || match named {
        Some(program) => examine_named(&program),
        None => first_working(find::programs("z3").into_iter()),
    })
}

/// What was found for the key before, else what is found now. A solver is looked up once: whatever happens to its file or to
/// this executable later, one run uses one solver.
fn once<K: Ord>(
    before: &Mutex<BTreeMap<K, Found>>,
    key: K,
    find: impl FnOnce() -> Result<Found, LocateError>,
) -> Result<Found, LocateError> {
    if let Some(found) = before.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Ok(found.clone());
    }
    let found = find()?;
    before.lock().unwrap_or_else(PoisonError::into_inner).insert(key, found.clone());
    Ok(found)
}

/// The solvers other than the one found, to check its results, the quickest first: `TANDEM_SECOND_SOLVER` alone where it is
/// set, else those that `find::programs` knows, the first that works of each kind. Each is looked for when it is asked for.
pub fn other_solvers(found: Kind) -> impl Iterator<Item = Found> {
    let named = std::env::var_os("TANDEM_SECOND_SOLVER").filter(|value| !value.is_empty());
    let known = if named.is_some() { &[][..] } else { &KNOWN[..] };
    let others = known.iter().filter(move |(kind, _)| *kind != found).filter_map(|(kind, name)| first_of(*kind, name));
    named.into_iter().filter_map(second_named).chain(others)
}

/// A solver that answers what it can sooner than the one that [`locate`] finds: Yices, unless a solver was named.
pub fn quick_solver(explicit: Option<&Path>) -> Option<Found> {
    let is_named = explicit.is_some() || std::env::var_os("TANDEM_SOLVER").is_some_and(|value| !value.is_empty());
    if is_named { None } else { first_of(Kind::Yices, "yices-smt2") }
}

/// The first program of the name that works and is a solver of the kind.
fn first_of(kind: Kind, name: &'static str) -> Option<Found> {
    static FOUND: Mutex<BTreeMap<&str, Found>> = Mutex::new(BTreeMap::new());
    let find = || {
        let mut working = find::programs(name).into_iter().filter_map(|program| examine(&program).ok());
        working.find(|solver| solver.kind == kind).ok_or(LocateError::Missing)
    };
    once(&FOUND, name, find).ok()
}

/// The second solver that was named, if it works.
fn second_named(program: OsString) -> Option<Found> {
    static FOUND: Mutex<BTreeMap<OsString, Found>> = Mutex::new(BTreeMap::new());
    once(&FOUND, program.clone(), || examine_named(&program)).ok()
}

/// The solvers that are looked for to check results, with their programs' names, the quickest first.
const KNOWN: [(Kind, &str); 3] = [(Kind::Yices, "yices-smt2"), (Kind::Cvc5, "cvc5"), (Kind::Z3, "z3")];

fn examine_named(program: &OsStr) -> Result<Found, LocateError> {
    let missing = || LocateError::Broken { program: program.into(), reason: "it is not on PATH".to_owned() };
    examine(&find::named(program).ok_or_else(missing)?)
}

fn first_working(candidates: impl Iterator<Item = PathBuf>) -> Result<Found, LocateError> {
    let mut first_error = None;
    for program in candidates {
        match examine(&program) {
            Ok(found) => return Ok(found),
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    Err(first_error.unwrap_or(LocateError::Missing))
}

/// Asks a program for its version, and tells from that which solver it is.
pub fn examine(program: &Path) -> Result<Found, LocateError> {
    examine_within(program, START_LIMIT)
}

fn examine_within(program: &Path, patience: Duration) -> Result<Found, LocateError> {
    let broken = |reason: String| LocateError::Broken { program: program.to_owned(), reason };
    let text = version_text(program, patience).map_err(broken)?;
    let (kind, version) = read_version(&text);
    if kind == Kind::Z3 && version[..] < OLDEST_Z3[..] {
        let version = version.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        return Err(LocateError::TooOld { program: program.to_owned(), version });
    }
    Ok(Found { program: program.to_owned(), kind, version })
}

/// That the program answers as a solver does.
///
/// # Errors
/// Where it does not.
pub fn probe(found: &Found) -> Result<(), LocateError> {
    let mut config = found.config();
    config.start_limit = time_left().map_or(START_LIMIT, |left| START_LIMIT.min(left));
    config.query_limit = config.start_limit;
    let mut solver = SmtProcess::new(config);
    let mut terms = Terms::new();
    let either = terms.var("either", Sort::Bool);
    let neither = terms.not(either);
    for (assumptions, expected) in [(&[either][..], Answer::Sat), (&[either, neither][..], Answer::Unsat)] {
        let answer = solver.check(&terms, assumptions);
        if answer != expected {
            let reason = match answer {
                Answer::Unknown(reason) => format!("it does not answer as a solver does: {reason}"),
                _ => "its answers are wrong".to_owned(),
            };
            return Err(LocateError::Broken { program: found.program.clone(), reason });
        }
    }
    Ok(())
}

fn read_version(text: &str) -> (Kind, Vec<u32>) {
    let lower = text.to_lowercase();
    let kind = if lower.contains("cvc5") {
        Kind::Cvc5
    } else if lower.contains("z3") {
        Kind::Z3
    } else if lower.contains("yices") {
        Kind::Yices
    } else {
        Kind::Other
    };
    let numbers = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_digit());
        word.contains('.').then(|| word.split('.').map_while(|part| part.parse().ok()).collect::<Vec<u32>>())
    };
    (kind, text.split_whitespace().find_map(numbers).unwrap_or_default())
}

/// What the program prints for `--version`; it is killed if that takes too long.
fn version_text(program: &Path, patience: Duration) -> Result<String, String> {
    let patience = time_left().map_or(patience, |left| patience.min(left));
    let caps = Caps { time: Some(patience), output: LONGEST_VERSION, ..Caps::default() };
    let output = run(&Program::new(program).argument("--version"), b"", caps).map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("--version: {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn script(folder: &Path, name: &str, body: &str) -> PathBuf {
        let file = folder.join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        file
    }

    #[test]
    fn versions_are_read() {
        assert_eq!(read_version("Z3 version 5.4.0 - 64 bit\n"), (Kind::Z3, vec![5, 4, 0]));
        assert_eq!(read_version("This is cvc5 version 1.0.3\ncompiled with GCC"), (Kind::Cvc5, vec![1, 0, 3]));
        let yices = "Yices 2.6.5\nCopyright SRI International.\nLinked with GMP 6.3.0\n";
        assert_eq!(read_version(yices), (Kind::Yices, vec![2, 6, 5]));
        assert_eq!(read_version("Bitwuzla 0.7.0"), (Kind::Other, vec![0, 7, 0]));
        assert_eq!(read_version("hello"), (Kind::Other, vec![]));
    }

    #[test]
    fn what_does_not_work_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let old = script(folder.path(), "old", "echo 'Z3 version 4.8.11 - 64 bit'");
        let error = examine(&old).unwrap_err();
        assert!(matches!(error, LocateError::TooOld { .. }));
        assert!(error.to_string().contains("make setup"), "{error}");
        let enough = script(folder.path(), "enough", "echo 'Z3 version 4.8.12 - 64 bit'");
        assert_eq!(examine(&enough).unwrap().kind, Kind::Z3);
        let failing = script(folder.path(), "failing", "exit 7");
        assert!(matches!(examine(&failing), Err(LocateError::Broken { .. })));
        let missing = folder.path().join("missing");
        assert!(locate(Some(&missing)).unwrap_err().to_string().contains("TANDEM_SOLVER"));
        let both = first_working([old.clone(), enough.clone()].into_iter());
        assert_eq!(both.unwrap().program, enough);
        assert!(matches!(first_working([old].into_iter()), Err(LocateError::TooOld { .. })));
        assert_eq!(first_working(std::iter::empty()), Err(LocateError::Missing));
    }

    #[test]
    fn a_solver_is_looked_up_once() {
        let folder = tempfile::tempdir().unwrap();
        let solver = script(folder.path(), "solver", "echo 'Z3 version 4.8.12 - 64 bit'");
        let found = locate(Some(&solver)).unwrap();
        std::fs::remove_file(&solver).unwrap();
        assert_eq!(locate(Some(&solver)), Ok(found));
        // One that does not work may be mended meanwhile.
        let later = folder.path().join("later");
        assert!(locate(Some(&later)).is_err());
        script(folder.path(), "later", "echo 'Z3 version 4.8.12 - 64 bit'");
        assert!(locate(Some(&later)).is_ok());
    }

    #[test]
    fn a_hanging_program_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let hanging = script(folder.path(), "hanging", "exec sleep 60");
        let outcome = examine_within(&hanging, Duration::from_millis(100));
        assert!(matches!(outcome, Err(LocateError::Broken { .. })));
    }
}
