//! Random programs with threads: every engine agrees with an enumeration of all interleavings that shares nothing with
//! Tandem, on failures, data races and deadlocks.
//!
//! `TANDEM_HUNT` programs from seed `TANDEM_HUNT_FIRST` on; a few where nothing is said. With `TANDEM_HUNT_EXPLICIT`, by the
//! explicit engine alone.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

#[path = "hunt_threads/abstract_program.rs"]
mod abstract_program;
#[path = "hunt_threads/generate.rs"]
mod generate;

use abstract_program::{Behaviour, Program};
use generate::{Language, as_c, as_java, program};
use std::time::Duration;
use tandem::confirm::{ConfirmConfig, Reason, Verdict, confirm};
use tandem::engine::BoundedConfig;
use tandem::engine::{
    Budget, CegarConfig, DeterministicSteps, EngineConfig, ExplicitConfig, Stop, SymbolicConfig, Task, verify,
};
use tandem::frontend::c::lower::{Options, lower_files};
use tandem::frontend::c::types::DataModel;
use tandem::frontend::java::{self, input};
use tandem::program::{Property, SourceFile, SourceFiles};

/// How many C programs, and how many Java programs, are looked at where nothing is said.
const FEW: u64 = 8;
const FEW_JAVA: u64 = 3;

/// The seeds that were asked for, of which Java programs are a share.
fn seeds(few: u64, share: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let first = number("TANDEM_HUNT_FIRST").unwrap_or(0);
    first..first + number("TANDEM_HUNT").map_or(few, |count| count.div_ceil(share))
}

fn explicit() -> [EngineConfig; 2] {
    [DeterministicSteps::Stored, DeterministicSteps::Followed]
        .map(|deterministic| EngineConfig::Explicit(ExplicitConfig { deterministic, ..ExplicitConfig::default() }))
}

fn with_formulas() -> [EngineConfig; 3] {
    [
        EngineConfig::Cegar(CegarConfig::default()),
        EngineConfig::Bounded(BoundedConfig { steps: Some(60), ..BoundedConfig::default() }),
        EngineConfig::Symbolic(SymbolicConfig::default()),
    ]
}

fn verdict(task: &Task, engine: &EngineConfig, seconds: u64) -> Verdict {
    let budget = Budget::with_time(Some(Duration::from_secs(seconds)));
    confirm(task, verify(task, engine, &budget).claim, &ConfirmConfig::default(), &budget)
}

/// How often engines were right, and how often they could not tell.
#[derive(Debug, Default)]
struct Tally {
    right: [usize; 5],
    open: [usize; 5],
    fails: usize,
    races: usize,
    deadlocks: usize,
}

/// Whether the verdict is unknown for nothing but the order in which the members of a structure are copied.
fn is_order(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Unknown(Reason::Assumed(assumed)) => {
            let text = format!("{assumed:?}");
            text.matches("text:").count() <= 1 && text.contains("ascending order")
        }
        _ => false,
    }
}

/// Compares what engines say with what the program does.
fn compare(task: &Task, is_wrong: bool, engines: &[EngineConfig], is_exact: bool, tally: &mut Tally, source: &str) {
    let offset = if is_exact { 0 } else { 2 };
    for (number, engine) in engines.iter().enumerate() {
        let found = verdict(task, engine, if is_exact { 10 } else { 2 });
        let shown = match &found {
            Verdict::Unknown(reason) => format!("unknown, {reason:?}"),
            other => other.name().to_owned(),
        };
        let problem = || format!("{:?} {engine:?}: wrong is {is_wrong}, but {shown}\n{source}", task.property);
        let right = if is_wrong { "unsafe" } else { "safe" };
        if found.name() == right {
            tally.right[offset + number] += 1;
            continue;
        }
        tally.open[offset + number] += 1;
        let is_open = matches!(found, Verdict::Unknown(_));
        assert!(is_open, "{}", problem());
        assert!(!matches!(found, Verdict::Unknown(Reason::Refuted(_) | Reason::Broken(_))), "{}", problem());
        let is_late = matches!(found, Verdict::Unknown(Reason::Stopped(Stop::TimeLimit)));
        assert!(!is_exact || is_late || !is_wrong && is_order(&found), "{}", problem());
    }
}

/// Compares on every property.
fn hunt(
    program: &Program,
    source: &str,
    failure: Property,
    lower: impl Fn(&Property) -> tandem::program::Program,
    tally: &mut Tally,
) {
    let Behaviour { fails, races, deadlocks } = program.behaviour();
    tally.fails += usize::from(fails);
    tally.races += usize::from(races);
    tally.deadlocks += usize::from(deadlocks);
    let task = |property: Property| Task { program: lower(&property), property };
    let reach = task(failure);
    compare(&reach, fails, &explicit(), true, tally, source);
    if std::env::var("TANDEM_HUNT_EXPLICIT").is_err() {
        compare(&reach, fails, &with_formulas(), false, tally, source);
    }
    // Where an execution fails, nobody looks at what it would do later.
    if !fails {
        compare(&task(Property::NoDataRace), races, &explicit(), true, tally, source);
        compare(&task(Property::NoDeadlock), deadlocks, &explicit(), true, tally, source);
    }
}

#[test]
fn engines_agree_with_all_interleavings_of_c_programs() {
    let mut tally = Tally::default();
    let seeds = seeds(FEW, 1);
    for seed in seeds.clone() {
        let program = program(seed, Language::C);
        let source = format!("seed {seed}\n{}", as_c(&program, false));
        let lower = |property: &Property| {
            let text = as_c(&program, property.is_of_states());
            let files: SourceFiles = std::iter::once(SourceFile { name: "hunt.c".to_owned(), text }).collect();
            lower_files(&files, DataModel::Lp64, &Options::for_property(property))
                .unwrap_or_else(|errors| panic!("{errors}\n{source}"))
        };
        hunt(&program, &source, Property::UnreachCall("reach_error".to_owned()), lower, &mut tally);
    }
    println!("{} C programs: {tally:?}", seeds.count());
    assert!(tally.fails > 0 && tally.races > 0, "{tally:?}");
}

#[test]
fn engines_agree_with_all_interleavings_of_java_programs() {
    if std::process::Command::new("javac").arg("-version").output().is_err() {
        println!("no javac");
        return;
    }
    let mut tally = Tally::default();
    let seeds = seeds(FEW_JAVA, 4);
    let folder = tempfile::tempdir().unwrap();
    for seed in seeds.clone() {
        let (program, class) = (program(seed, Language::Java), format!("Hunt{seed}"));
        std::fs::write(folder.path().join(format!("{class}.java")), as_java(&program, &class)).unwrap();
    }
    let input = input::read(&[folder.path().to_owned()]).map_err(|(errors, _)| errors).unwrap();
    for seed in seeds.clone() {
        let (program, class) = (program(seed, Language::Java), format!("Hunt{seed}"));
        let source = format!("seed {seed}\n{}", as_java(&program, &class));
        let lower = |property: &Property| {
            let options = java::Options { main: Some(class.clone()), ..java::Options::for_property(property) };
            java::lower_input(&input, &options).unwrap_or_else(|error| panic!("{error}\n{source}"))
        };
        hunt(&program, &source, Property::Assert, lower, &mut tally);
    }
    println!("{} Java programs: {tally:?}", seeds.count());
    assert!(tally.right[0] > 0, "{tally:?}");
}
