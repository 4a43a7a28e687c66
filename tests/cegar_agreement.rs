//! Random programs with procedures and recursion: every configuration of `cegar` agrees with `explicit`.
//!
//! There are more combinations of options than can be tried each time. The programs go through them in turn, so that
//! every two values of two options meet; `TANDEM_AGREEMENT` says how many runs to make instead of the usual number.

#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

use std::collections::BTreeSet;
use std::time::Duration;
use tandem::confirm::{ConfirmConfig, Reason, Verdict, confirm};
use tandem::engine::cegar::{Abstraction, DomainChoice, PrecisionScope, Refinement, StackPolicy};
use tandem::engine::{Budget, CegarConfig, EngineConfig, ExplicitConfig, SearchOrder, Task, verify};
use tandem::formula::blocks::{BlockSize, Cuts};
use tandem::generate::program::{ExecutableConfig, generate_executable};
use tandem::program::control::Flow;
use tandem::program::{ProcId, Program, Property, text};

/// How many values each option has.
const VALUES: [usize; 8] = [3, 4, 2, 2, 2, 3, 2, 3];

/// How many runs are made, unless the environment says otherwise: enough for every pair of values, with recursion and
/// without.
const RUNS: usize = 128;

/// How many configurations are tried on one program.
const RUNS_A_PROGRAM: usize = 4;

/// Which value of each option the configuration with a number has.
fn digits(number: usize) -> [usize; VALUES.len()] {
    let all: usize = VALUES.iter().product();
    // Steps of a prime that divides no number of values go through all of them, far from one to the next.
    let mut rest = number * 61 % all;
    VALUES.map(|values| {
        let digit = rest % values;
        rest /= values;
        digit
    })
}

fn configuration(number: usize) -> CegarConfig {
    let [domain, refinement, stack, blocks, search, scope, abstraction, values] = digits(number);
    CegarConfig {
        domain: [DomainChoice::Product, DomainChoice::Predicates, DomainChoice::Explicit][domain],
        refinement: [Refinement::Sequence, Refinement::Backward, Refinement::Newton, Refinement::Horn][refinement],
        stack: [StackPolicy::Pop, StackPolicy::Exact][stack],
        blocks: [BlockSize::Large, BlockSize::Small][blocks],
        search: [SearchOrder::BreadthFirst, SearchOrder::DepthFirst][search],
        scope: [PrecisionScope::Procedure, PrecisionScope::Location, PrecisionScope::Global][scope],
        abstraction: [Abstraction::Cartesian, Abstraction::Boolean][abstraction],
        max_values: [60, 2, 0][values],
        ..CegarConfig::default()
    }
}

#[test]
fn every_two_values_of_two_options_meet() {
    let pairs = |first: usize| VALUES[first + 1..].iter().map(move |values| VALUES[first] * values).sum::<usize>();
    for part in 0..2 {
        let mut met = BTreeSet::new();
        for digits in (0..RUNS).filter(|run| run / RUNS_A_PROGRAM % 2 == part).map(digits) {
            for (first, &a) in digits.iter().enumerate() {
                met.extend(digits.iter().enumerate().skip(first + 1).map(|(second, &b)| (first, a, second, b)));
            }
        }
        assert_eq!(met.len(), (0..VALUES.len()).map(pairs).sum::<usize>());
    }
    let all: BTreeSet<_> = (0..VALUES.iter().product()).map(digits).collect();
    assert_eq!(all.len(), VALUES.iter().product::<usize>(), "some combination never has its turn");
}

/// Whether a recursive procedure can be called.
fn recurs(program: &Program) -> bool {
    let cuts = Cuts::of(program, &Flow::of(program), BlockSize::Large);
    let mut called: Vec<ProcId> = vec![program.main];
    let mut next = 0;
    while let Some(&procedure) = called.get(next) {
        next += 1;
        for (_, callee, _) in program.procedures[procedure].edges.iter().filter_map(|edge| edge.call()) {
            if !called.contains(&callee) {
                called.push(callee);
            }
        }
    }
    called.into_iter().any(|procedure| cuts.is_recursive(procedure))
}

/// Random tasks: every second one has recursion.
fn tasks(floats: bool) -> impl Iterator<Item = (u64, Task)> {
    let config = ExecutableConfig { widths: vec![1, 2, 3], statements: 3, floats, ..ExecutableConfig::default() };
    let task = move |seed| (seed, Task { program: generate_executable(seed, &config), property: Property::Assert });
    let (recursive, flat): (Vec<_>, Vec<_>) = (0..2000).map(task).partition(|(_, task)| recurs(&task.program));
    recursive.into_iter().zip(flat).flat_map(|(a, b)| [a, b])
}

/// The verdict of an engine, confirmed.
fn verdict(task: &Task, engine: &EngineConfig) -> Verdict {
    let budget = Budget::with_time(Some(Duration::from_secs(2)));
    confirm(task, verify(task, engine, &budget).claim, &ConfirmConfig::default(), &budget)
}

/// Every `parts`-th run, from the first one given on.
fn agreement(part: usize, parts: usize, tasks: impl Iterator<Item = (u64, Task)>) {
    let runs =
        std::env::var("TANDEM_AGREEMENT").map_or(RUNS, |runs| runs.parse().expect("TANDEM_AGREEMENT is a number"));
    let (mut safe, mut unsafe_, mut open) = (0, 0, 0);
    for (index, (seed, task)) in tasks.take(runs / RUNS_A_PROGRAM).enumerate().skip(part).step_by(parts) {
        let truth = verdict(&task, &EngineConfig::Explicit(ExplicitConfig::default()));
        for number in index * RUNS_A_PROGRAM..(index + 1) * RUNS_A_PROGRAM {
            let cegar = configuration(number);
            let found = verdict(&task, &EngineConfig::Cegar(cegar.clone()));
            match &found {
                Verdict::Unknown(Reason::Refuted(_) | Reason::Broken(_)) => {
                    panic!("seed {seed}, {cegar:?}: {found:?}\n{}", text::print(&task.program));
                }
                Verdict::Unknown(_) => open += 1,
                Verdict::Safe(_) => safe += 1,
                Verdict::Unsafe(_) => unsafe_ += 1,
            }
            let decided = !matches!(truth, Verdict::Unknown(_)) && !matches!(found, Verdict::Unknown(_));
            assert!(
                !decided || truth.name() == found.name(),
                "seed {seed}, {cegar:?}: explicit says {}, cegar {}\n{}",
                truth.name(),
                found.name(),
                text::print(&task.program)
            );
        }
    }
    println!("{safe} safe, {unsafe_} unsafe, {open} open");
    assert!(safe > 0 && unsafe_ > 0 && open <= 2 * (safe + unsafe_), "{safe} safe, {unsafe_} unsafe, {open} open");
}

#[test]
fn every_configuration_agrees_with_explicit_on_recursive_programs() {
    agreement(0, 2, tasks(false));
}

#[test]
fn every_configuration_agrees_with_explicit_on_programs_without_recursion() {
    agreement(1, 2, tasks(false));
}

#[test]
fn configurations_agree_with_explicit_on_programs_with_floating_point_numbers() {
    agreement(1, 3, tasks(true));
}

/// Popping is for recursion: elsewhere it makes no difference, neither to the answer nor to the work.
#[test]
fn popping_costs_nothing_where_there_is_no_recursion() {
    let without = tasks(false).filter(|(_, task)| !recurs(&task.program) && task.program.procedures.len() > 1);
    for (seed, task) in without.take(20) {
        let run = |stack| {
            let config = CegarConfig { stack, ..CegarConfig::default() };
            let run = verify(&task, &EngineConfig::Cegar(config), &Budget::with_time(Some(Duration::from_secs(20))));
            let verdict = confirm(&task, run.claim, &ConfirmConfig::default(), &Budget::unlimited());
            (verdict.name(), run.statistics)
        };
        let (popped, exact) = (run(StackPolicy::Pop), run(StackPolicy::Exact));
        assert_eq!(popped, exact, "seed {seed}\n{}", text::print(&task.program));
    }
}
