//! Random programs about memory: formulas agree with the interpreter, and engines with all executions.
//!
//! TANDEM_HUNT is how many programs there are, TANDEM_HUNT_FIRST the seed of the first (0). `make hunt-memory` looks at
//! 20,000. `TANDEM_HUNT_FIRST=SEED cargo test --test memory_random -- --ignored show --nocapture` prints the programs of a
//! seed.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod follow;
mod generate;
mod open;
mod verdicts;
mod world;

use follow::{Skip, Way, execute, follow};
use open::allows;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, thread};
use tandem::formula::blocks::BlockSize;
use tandem::formula::encode::Arithmetic;
use tandem::formula::memory::Representation;
use tandem::frontend::c::{DataModel, lower};
use tandem::program::{Program, Property, SourceFile, SourceFiles, VarId, validate};
use world::World;

/// How many programs go by between two messages about how far it is.
const PROGRESS: u64 = 500;

/// How many executions of a program are compared, each in one way to make formulas.
const EXECUTIONS: u64 = 4;

/// The number that a variable of the environment holds.
fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |text| text.parse().expect("the variable holds a number"))
}

/// The program that a C text is.
fn program_of(source: &str) -> Program {
    let mut files = SourceFiles::new();
    files.push(SourceFile { name: "random.c".to_owned(), text: source.to_owned() });
    let options = lower::Options::for_property(&Property::Assert);
    let program = lower::lower_files(&files, DataModel::Lp64, &options);
    let program = program.unwrap_or_else(|errors| panic!("{errors}\n{source}"));
    assert!(validate(&program).is_ok(), "{source}");
    program
}

/// Does something for every seed, on two threads, and gives all that is wrong. What is counted is counted by name.
pub fn each_seed(
    otherwise: u64,
    check: impl Fn(u64, &mut dyn FnMut(String)) -> Vec<String> + Sync,
) -> BTreeMap<String, u64> {
    let (first, count) = (number("TANDEM_HUNT_FIRST", 0), number("TANDEM_HUNT", otherwise));
    let (next, wrong, counts) = (AtomicU64::new(first), Mutex::new(Vec::new()), Mutex::new(BTreeMap::new()));
    let worker = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                return;
            }
            if seed.is_multiple_of(PROGRESS) && seed > first {
                eprintln!("from {seed} on: {:?}", counts.lock().unwrap());
            }
            let mut counted = |what: String| *counts.lock().unwrap().entry(what).or_insert(0) += 1;
            let found = check(seed, &mut counted);
            found.iter().for_each(|message| eprintln!("{message}"));
            wrong.lock().unwrap().extend(found);
        }
    };
    thread::scope(|scope| {
        let threads = [scope.spawn(worker), scope.spawn(worker)];
        threads.into_iter().for_each(|thread| thread.join().expect("no thread panics"));
    });
    let (wrong, counts): (Vec<String>, BTreeMap<String, u64>) =
        (wrong.into_inner().unwrap(), counts.into_inner().unwrap());
    println!("{count} programs: {counts:?}");
    assert!(wrong.is_empty(), "{} of {count} programs:\n{}", wrong.len(), wrong.join("\n"));
    counts
}

/// Every way to write memory.
pub const REPRESENTATIONS: [Representation; 5] = [
    Representation::Chosen,
    Representation::Arrays,
    Representation::Bytes,
    Representation::Regions,
    Representation::RegionsOfArrays,
];

/// Ways to make formulas, in turn.
fn way(number: u64) -> Way {
    Way {
        arithmetic: [Arithmetic::Bits, Arithmetic::Integers][(number / 5 % 2) as usize],
        size: [BlockSize::Large, BlockSize::Small][(number / 10 % 2) as usize],
        representation: REPRESENTATIONS[(number % 5) as usize],
        tracks: (number / 20).is_multiple_of(2),
    }
}

/// What is wrong with the formulas of a program.
fn compare(seed: u64, source: &str, counted: &mut dyn FnMut(String)) -> Vec<String> {
    let program = program_of(source);
    let is_observed = |id: &VarId| generate::OBSERVED.contains(&program.variables[*id].name.as_str());
    let observed: Vec<VarId> = program.globals().filter(is_observed).collect();
    let mut wrong = Vec::new();
    for execution in 0..EXECUTIONS {
        let world = World::new(seed.wrapping_mul(EXECUTIONS).wrapping_add(execution), generate::INPUTS_BELOW);
        let way = way(seed.wrapping_mul(7).wrapping_add(execution));
        let truth = match execute(&program, &observed, world) {
            Ok(truth) => truth,
            Err(skip) => {
                counted(format!("{skip:?}"));
                continue;
            }
        };
        let representation = way.representation;
        let ending = format!("{:?}", truth.ending);
        let problem = match follow(&program, &observed, world, way) {
            Ok(formulas) if formulas == truth.ending => {
                counted(format!("{representation:?} {}", ending.split('(').next().unwrap_or_default()));
                continue;
            }
            Ok(formulas) => format!("formulas say {formulas:?}"),
            Err(skip @ (Skip::Open | Skip::ManyChoices)) => match allows(&program, &observed, world, way, &truth) {
                Some(true) => {
                    counted(format!("{representation:?} allowed"));
                    continue;
                }
                None => {
                    counted(format!("{representation:?} {skip:?}"));
                    continue;
                }
                Some(false) => "formulas do not allow it".to_owned(),
            },
            Err(skip) => {
                counted(format!("{representation:?} {skip:?}"));
                continue;
            }
        };
        wrong.push(format!(
            "seed {seed}, execution {execution}, {way:?}: {problem}, the interpreter {ending}\n{source}"
        ));
    }
    wrong
}

#[test]
fn formulas_of_memory_agree_with_the_interpreter() {
    let counts = each_seed(250, |seed, counted| {
        let source = generate::any(seed);
        compare(seed, &source, counted)
    });
    let compared =
        |what: &str| counts.iter().filter(|(name, _)| name.contains(what)).map(|(_, count)| count).sum::<u64>();
    let all: u64 = counts.values().sum();
    assert!(8 * compared("Open") < all, "much is compared: {counts:?}");
    for representation in REPRESENTATIONS {
        assert!(compared(&format!("{representation:?} Exit")) > all / 40, "{counts:?}");
    }
    assert!(compared("Error") > 0 && compared("Fault") > 0, "{counts:?}");
}

#[test]
#[ignore = "by hand: prints the programs of a seed"]
fn show() {
    let seed = number("TANDEM_HUNT_FIRST", 0);
    println!("{}\n{}", generate::program(seed), generate::loops(seed));
    println!("{}\n{}", generate::objects(seed), generate::calls(seed));
}
