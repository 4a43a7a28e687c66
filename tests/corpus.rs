//! One test per program of the corpus and engine of the catalogue, so that a failure names itself.
//!
//! The comments at the top of a program say what to expect:
//!
//! ```text
//! // expect: safe                          the verdict: safe, unsafe, or unknown
//! // unknown: explicit, bounded            the engines that may say unknown instead
//! // options: --property no-overflow       what the command line needs; the property is assert unless it says another
//! ```
//!
//! A wrong verdict always fails. An engine that is not listed must answer, unless the catalogue says that it does not
//! decide the property: then it must say unknown. An engine that is listed has less time. `panda` and `shape` work on some folders, and
//! must answer in their own. None says unknown because it
//! cannot speak of memory, but where [`INEXPRESSIBLE`] knows of it. `explicit` works in both search orders. Java programs are compiled together, once, so each has a class of the name of its file, and no two classes have
//! one name.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{fs, io};
use support::{argument, root, run};
use tandem::confirm::{ConfirmConfig, Reason, Verdict, confirm};
use tandem::engine::{Budget, DeterministicSteps, EngineConfig, EngineId, Task, verify};
use tandem::frontend::java::input::{self, Input};
use tandem::frontend::java::{self, Options};
use tandem::program::{Property, SourceFile};

/// How long an engine that must answer has. On a machine with six times as much work as cores, the slowest took 12 s.
const MUST_ANSWER: Duration = Duration::from_secs(60);

/// How long an engine that may say unknown has. What such engines answer at all, they answer in about a second; about 120
/// runs use all of it.
const MAY_ANSWER: Duration = Duration::from_secs(2);

/// The folders whose programs `panda` works on: its own, and those with arrays, objects and calls. The others would cost CI
/// another two minutes, and hold nothing that it treats in another way than `cegar`.
const OF_PANDA: [&str; 8] =
    ["c/panda", "c/arrays", "c/loops", "c/recursion", "gcl", "java/panda", "java/arrays", "java/objects"];

/// The folders where `panda` must answer; elsewhere it may say unknown.
const ANSWERED_BY_PANDA: [&str; 2] = ["c/panda", "java/panda"];

/// The folder of `shape`, where it must answer and the others do not work: what they do there, they do elsewhere.
const ANSWERED_BY_SHAPE: [&str; 1] = ["c/lists"];

/// The other folders whose programs `shape` works on.
const OF_SHAPE: [&str; 3] = ["c/addresses", "c/language", "c/memory"];

/// What engines cannot speak of where it is memory that they cannot speak of.
const OF_MEMORY: [&str; 8] = [
    "a comparison that depends on where objects lie",
    "a copy of memory",
    "a free",
    "a pointer",
    "a read of memory",
    "a write to memory",
    "an allocation",
    "an object that may be lost",
];

/// The programs with an answer that an engine does not find because it cannot speak of their memory, and why. Where it
/// does find one, the line is to be removed.
const INEXPRESSIBLE: [(&str, EngineId, &str); 1] =
    [("c/several/keys_of_a_table.c", EngineId::Cegar, "which node is written depends on keys that are inputs")];

fn main() -> io::Result<()> {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for path in corpus(&root().join("tests/corpus"))? {
        trials.extend(trials_of(&path)?);
    }
    assert!(trials.len() >= 300 * (EngineId::ALL.len() - 2), "only {} tests; is the corpus there?", trials.len());
    libtest_mimic::run(&arguments, trials).exit();
}

/// The programs in a folder and those below it, in the order of their paths.
fn corpus(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(corpus(&path)?);
        } else if path.extension().is_some_and(|extension| extension != "md") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The tests of a program: one per engine, and one of whether its header can be read where it cannot.
fn trials_of(path: &Path) -> io::Result<Vec<Trial>> {
    let name = path.strip_prefix(root().join("tests/corpus")).unwrap_or(path).display().to_string();
    let is_in = |folders: &[&str]| folders.iter().any(|folder| name.starts_with(&format!("{folder}/")));
    let header = match Header::read(&fs::read_to_string(path)?) {
        Ok(mut header) => {
            if !is_in(&ANSWERED_BY_PANDA) {
                header.may_be_unknown.push(EngineId::Panda);
            }
            if !is_in(&ANSWERED_BY_SHAPE) {
                header.may_be_unknown.push(EngineId::Shape);
            }
            header
        }
        Err(problem) => return Ok(vec![Trial::test(format!("{name}::header"), move || Err(problem.into()))]),
    };
    let trial = |id: EngineId| {
        let (path, header) = (path.to_owned(), header.clone());
        Trial::test(format!("{name}::{}", id.name()), move || header.check(&path, id))
    };
    let works = |id: &EngineId| match id {
        EngineId::Shape => is_in(&OF_SHAPE) || is_in(&ANSWERED_BY_SHAPE),
        _ if is_in(&ANSWERED_BY_SHAPE) => false,
        EngineId::Panda => is_in(&OF_PANDA),
        _ => true,
    };
    Ok(EngineId::ALL.into_iter().filter(works).map(trial).collect())
}

/// What the comments at the top of a program say.
#[derive(Debug, Clone)]
struct Header {
    expected: String,
    may_be_unknown: Vec<EngineId>,
    options: Vec<String>,
}

impl Header {
    fn read(text: &str) -> Result<Header, String> {
        let line = |key: &str| {
            let comments = text.lines().map(|line| line.trim_start_matches(['/', '#', '*', ' ']));
            let mut lines = comments.take(3).filter_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
            lines.next().map(str::trim)
        };
        let expected = line("expect").ok_or("it does not say what to expect")?;
        if !["safe", "unsafe", "unknown"].contains(&expected) {
            return Err(format!("it expects `{expected}`, which is no verdict"));
        }
        let names = line("unknown").into_iter().flat_map(|names| names.split(','));
        let may_be_unknown: Result<Vec<EngineId>, _> = names.map(|name| name.trim().parse()).collect();
        let may_be_unknown = may_be_unknown.map_err(|error| error.to_string())?;
        let options = line("options").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        Ok(Header { expected: expected.to_owned(), may_be_unknown, options })
    }

    /// Whether the property is one that the engine decides.
    fn is_decided_by(&self, id: EngineId) -> bool {
        let named = self.options.iter().skip_while(|option| *option != "--property").nth(1);
        let of_states = [Property::NoDataRace, Property::NoDeadlock];
        of_states.iter().filter(|property| Some(property.name()) == named.map(String::as_str)).all(|p| id.decides(p))
    }

    /// The verdicts that an engine may give, and how long it has.
    fn allowed(&self, id: EngineId) -> (Vec<&str>, Duration) {
        if !self.is_decided_by(id) {
            (vec!["unknown"], MUST_ANSWER)
        } else if self.may_be_unknown.contains(&id) {
            (vec![&self.expected, "unknown"], MAY_ANSWER)
        } else {
            (vec![&self.expected], MUST_ANSWER)
        }
    }

    /// The property, where the options name one that Java programs have.
    fn java_property(&self) -> Result<Property, Failed> {
        let [first, name] = &self.options[..] else { return Ok(Property::Assert) };
        let known = [Property::Assert, Property::NoException, Property::NoDeadlock, Property::NoDataRace];
        let property = known.into_iter().find(|property| first == "--property" && property.name() == name);
        property.ok_or_else(|| format!("the options of a Java program are {first} {name}").into())
    }

    /// Whether it is known that an engine cannot speak of the program's memory: `symbolic` keeps none of it, and where the
    /// answer is unknown, it depends on where objects lie.
    fn check_expressible(&self, path: &Path, id: EngineId, verdict: &str, reason: &str) -> Result<(), Failed> {
        let name = path.strip_prefix(root().join("tests/corpus")).unwrap_or(path).display().to_string();
        let is_listed = INEXPRESSIBLE.iter().any(|(known, engine, _)| (*known, *engine) == (name.as_str(), id));
        let construct = match reason.strip_prefix("no execution fails, but ") {
            Some(approximated) => approximated.strip_suffix(" is approximated, which leaves no proof"),
            None => reason.strip_suffix(" is not supported by this engine"),
        };
        let is_of_memory = construct.is_some_and(|it| OF_MEMORY.iter().any(|known| it.starts_with(known)));
        match (is_of_memory, is_listed) {
            (true, false) if !self.may_be_inexpressible(id) && self.expected != "unknown" => {
                Err(format!("{name} by {}: {reason}", id.name()).into())
            }
            (_, true) if verdict != "unknown" => Err(format!("{name} has an answer by {} now", id.name()).into()),
            _ => Ok(()),
        }
    }

    /// Whether it is no wonder that an engine cannot speak of the program's memory.
    fn may_be_inexpressible(&self, id: EngineId) -> bool {
        let may_be_unknown = self.may_be_unknown.contains(&id);
        id == EngineId::Symbolic || may_be_unknown && matches!(id, EngineId::Panda | EngineId::Shape)
    }

    /// Runs an engine on the program.
    fn check(&self, path: &Path, id: EngineId) -> Result<(), Failed> {
        if path.extension().is_some_and(|extension| extension == "java") {
            return self.check_java(path, id);
        }
        let (allowed, limit) = self.allowed(id);
        let limit = format!("{}s", limit.as_secs());
        let orders: &[&[&str]] = match id {
            EngineId::Explicit => &[&["--search", "bfs"], &["--search", "dfs"]],
            _ => &[&[]],
        };
        for order in orders {
            let mut arguments = vec!["verify", argument(path), "--engine", id.name(), "--time-limit", &limit];
            arguments.extend(self.options.iter().map(String::as_str));
            if !arguments.contains(&"--property") {
                arguments.extend(["--property", "assert"]);
            }
            arguments.extend(*order);
            let ran = run(&arguments);
            let verdict = ran.last_line().strip_prefix("verdict: ").unwrap_or_default().to_owned();
            if !allowed.contains(&verdict.as_str()) {
                let command = format!("tandem {}", arguments.join(" "));
                return Err(
                    format!("expected {}: {command}\n{}{}", allowed.join(" or "), ran.stdout, ran.stderr).into()
                );
            }
            ran.assert_verdict(&verdict);
            let reason = ran.stdout.lines().find_map(|line| line.strip_prefix("reason")).unwrap_or_default().trim();
            self.check_expressible(path, id, &verdict, reason)?;
        }
        Ok(())
    }

    /// Runs an engine on a Java program, of which the classes are there.
    fn check_java(&self, path: &Path, id: EngineId) -> Result<(), Failed> {
        let class = path.file_stem().and_then(|stem| stem.to_str()).ok_or("it has no name")?;
        let property = self.java_property()?;
        let options = Options { main: Some(class.to_owned()), ..Options::for_property(&property) };
        let program = java::lower_input(&compiled()?, &options).map_err(|errors| errors.to_string())?;
        let task = Task { program, property };
        let (allowed, limit) = self.allowed(id);
        let mut config = id.default_config();
        if let EngineConfig::Explicit(explicit) = &mut config {
            explicit.deterministic = DeterministicSteps::Followed;
        }
        let budget = Budget::with_time(Some(limit));
        let claim = verify(&task, &config, &budget).claim;
        let verdict = confirm(&task, claim, &ConfirmConfig::default(), &budget);
        match &verdict {
            _ if !allowed.contains(&verdict.name()) => {
                let found = match &verdict {
                    Verdict::Safe(_) => "a proof".to_owned(),
                    Verdict::Unsafe(trace) => format!("{:?}", trace.replay().violation),
                    Verdict::Unknown(reason) => format!("{reason:?}"),
                };
                Err(format!("expected {}, found {}: {found}", allowed.join(" or "), verdict.name()).into())
            }
            Verdict::Unsafe(trace) if trace.replay().violation.span.is_none() => Err("the place is not told".into()),
            Verdict::Unknown(Reason::Stopped(stop)) => {
                self.check_expressible(path, id, verdict.name(), &stop.to_string())
            }
            _ => self.check_expressible(path, id, verdict.name(), ""),
        }
    }
}

/// All Java programs with their classes. Tests may be processes of their own, and run at the same time: who comes first
/// compiles, in a folder that gets its name only then; the name depends on the sources.
fn compiled() -> Result<Input, Failed> {
    let mut sources = Vec::new();
    for path in corpus(&root().join("tests/corpus/java"))? {
        sources.push(SourceFile { name: argument(&path).to_owned(), text: fs::read_to_string(&path)? });
    }
    let mut hasher = FxHasher::default();
    sources.iter().for_each(|source| (&source.name, &source.text).hash(&mut hasher));
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = place.join(format!("corpus-classes-{:016x}", hasher.finish()));
    if !folder.is_dir() {
        let fresh = tempfile::tempdir_in(place)?;
        let mut compiler = Command::new("javac");
        compiler.args(["-g", "-nowarn", "-cp", "src/frontend/java/library/classes/extra", "-d"]).arg(fresh.path());
        let output = compiler.args(sources.iter().map(|source| &source.name)).current_dir(root()).output()?;
        if !output.status.success() {
            return Err(format!("javac: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        // Another process may have been as quick; then its classes are taken.
        if fs::rename(fresh.path(), &folder).is_ok() {
            let _ = fresh.keep();
        }
    }
    let classes = input::read(&[folder]).map_err(|(errors, _)| errors.to_string())?.classes;
    Ok(Input { sources: sources.into_iter().collect(), classes })
}
