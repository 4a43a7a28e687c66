//! Verdicts of engines against `explicit`, for which the programs are small enough.

use crate::{REPRESENTATIONS, each_seed, generate, number, program_of};
use std::time::Duration;
use tandem::confirm::{ConfirmConfig, Reason, Verdict, confirm};
use tandem::engine::{BoundedConfig, Budget, CegarConfig, EngineConfig, ExplicitConfig, PandaConfig, Task, verify};
use tandem::formula::memory::Representation;
use tandem::program::{Assumption, Property};
use tandem::transform::cells::track_cells;

/// What is known of a program once all of its executions were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    Safe,
    Unsafe,
    /// An execution is undefined, and no other one fails: nothing proves the program.
    Undefined,
    /// Not all executions were looked at.
    Unknown,
}

/// The verdict of an engine, confirmed.
fn verdict(task: &Task, engine: &EngineConfig) -> Verdict {
    let budget = Budget::with_time(Some(Duration::from_millis(number("TANDEM_HUNT_MILLISECONDS", 3000))));
    confirm(task, verify(task, engine, &budget).claim, &ConfirmConfig::default(), &budget)
}

fn truth(task: &Task) -> Truth {
    let is_fault = |assumption: &Assumption| assumption.text.starts_with("no execution goes on where");
    match verdict(task, &EngineConfig::Explicit(ExplicitConfig::default())) {
        Verdict::Safe(_) => Truth::Safe,
        Verdict::Unsafe(_) => Truth::Unsafe,
        Verdict::Unknown(Reason::Assumed(all)) if all.0.iter().all(is_fault) => Truth::Undefined,
        Verdict::Unknown(_) => Truth::Unknown,
    }
}

/// What is wrong with a verdict.
fn problem(truth: Truth, verdict: &Verdict) -> Option<String> {
    let right = match verdict {
        Verdict::Safe(_) => matches!(truth, Truth::Safe | Truth::Unknown),
        Verdict::Unsafe(_) => matches!(truth, Truth::Unsafe | Truth::Unknown),
        Verdict::Unknown(Reason::Refuted(_) | Reason::Broken(_)) => false,
        Verdict::Unknown(_) => true,
    };
    (!right).then(|| format!("{verdict:?}, but {truth:?}"))
}

fn cegar(memory: Representation) -> EngineConfig {
    EngineConfig::Cegar(CegarConfig { memory, ..CegarConfig::default() })
}

fn bounded(memory: Representation) -> EngineConfig {
    EngineConfig::Bounded(BoundedConfig { memory, ..BoundedConfig::default() })
}

/// With matching, and on every third program without; with what is left after a refinement, and on every fourth without.
fn panda(seed: u64) -> EngineConfig {
    let (matching, resuming) = (!seed.is_multiple_of(3), !seed.is_multiple_of(4));
    EngineConfig::Panda(PandaConfig { matching, resuming, ..PandaConfig::default() })
}

/// Every way to write memory gives the verdict that all executions give, or none.
#[test]
fn verdicts_are_those_of_all_executions() {
    let counts = each_seed(16, |seed, counted| {
        let source = if seed % 3 == 1 { generate::objects(seed) } else { generate::program(seed) };
        let task = Task { program: program_of(&source), property: Property::Assert };
        let truth = truth(&task);
        counted(format!("explicit {truth:?}"));
        let mut wrong = Vec::new();
        for memory in REPRESENTATIONS {
            for (name, engine) in [("cegar", cegar(memory)), ("bounded", bounded(memory)), ("panda", panda(seed))] {
                // The ways that nobody uses have their turns; `panda` chooses its way.
                let has_turn = name != "panda" && seed % 2 == u64::from(name == "cegar");
                if memory != Representation::Chosen && !has_turn {
                    continue;
                }
                let verdict = verdict(&task, &engine);
                counted(format!("{name} {memory:?} {}", verdict.name()));
                let problem = problem(truth, &verdict);
                wrong.extend(problem.map(|it| format!("seed {seed}, {name} with {memory:?}: {it}\n{source}")));
            }
        }
        wrong
    });
    let of = |what: &str| counts.get(what).copied().unwrap_or(0);
    assert!(of("explicit Safe") > 0 && of("explicit Unsafe") > 0, "{counts:?}");
    assert!(of("cegar Chosen safe") > 0 && of("bounded Chosen unsafe") > 0, "{counts:?}");
}

/// Combined states, abstract states and symbolic states lead to the same verdicts where procedures change objects.
#[test]
fn verdicts_of_programs_with_calls_are_those_of_all_executions() {
    let counts = each_seed(32, |seed, counted| {
        let source = generate::calls(seed);
        let task = Task { program: program_of(&source), property: Property::Assert };
        let truth = truth(&task);
        counted(format!("explicit {truth:?}"));
        let mut wrong = Vec::new();
        let others = [("cegar", cegar(Representation::Chosen)), ("bounded", bounded(Representation::Chosen))];
        let other = others.into_iter().nth((seed % 8 < 2).into()).filter(|_| seed % 4 < 2);
        for (name, engine) in [("panda", panda(seed))].into_iter().chain(other) {
            let verdict = verdict(&task, &engine);
            counted(format!("{name} {}", verdict.name()));
            let problem = problem(truth, &verdict);
            wrong.extend(problem.map(|it| format!("seed {seed}, {name}: {it}\n{source}")));
        }
        wrong
    });
    let of = |what: &str| counts.get(what).copied().unwrap_or(0);
    assert!(of("panda safe") > 0 && of("panda unsafe") > 0, "{counts:?}");
}

/// Where a program with tracked cells is proved, no execution of the original fails.
#[test]
fn what_is_proved_with_tracked_cells_is_true() {
    let counts = each_seed(32, |seed, counted| {
        let source = generate::loops(seed);
        let task = Task { program: program_of(&source), property: Property::Assert };
        let Some(program) = track_cells(&task.program, &task.property) else {
            counted("no cells".to_owned());
            return Vec::new();
        };
        let tracked = Task { program, property: Property::Assert };
        let truth = truth(&task);
        let mut wrong = Vec::new();
        for (name, engine) in [("cegar", cegar(Representation::Chosen)), ("bounded", bounded(Representation::Chosen))] {
            let proved = matches!(verdict(&tracked, &engine), Verdict::Safe(_));
            counted(format!("{truth:?}, {name} {}", if proved { "proves it" } else { "does not" }));
            if proved && matches!(truth, Truth::Unsafe | Truth::Undefined) {
                wrong.push(format!("seed {seed}, {name} proves it with tracked cells, but {truth:?}\n{source}"));
            }
        }
        wrong
    });
    let of = |what: &str| counts.get(what).copied().unwrap_or(0);
    assert!(of("Safe, cegar proves it") > 0 && of("Unsafe, cegar does not") > 0, "{counts:?}");
}
