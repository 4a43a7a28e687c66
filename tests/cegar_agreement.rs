//! Random programs with procedures and recursion: every configuration of `cegar` agrees with `explicit`.

#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

use std::time::Duration;
use tandem::confirm::{ConfirmConfig, Reason, Verdict, confirm};
use tandem::engine::cegar::{Domain, Refinement, StackPolicy};
use tandem::engine::{Budget, CegarConfig, EngineConfig, ExplicitConfig, Task, verify};
use tandem::program::blocks::BlockSize;
use tandem::program::generate::{ExecutableConfig, generate_executable};
use tandem::program::{Property, text};

/// The verdict of an engine, confirmed.
fn verdict(task: &Task, engine: &EngineConfig) -> Verdict {
    let budget = Budget::with_time(Some(Duration::from_secs(20)));
    confirm(task, verify(task, engine, &budget).claim, &ConfirmConfig::default(), &budget)
}

fn configurations() -> Vec<CegarConfig> {
    let default = CegarConfig::default();
    vec![
        default.clone(),
        CegarConfig { domain: Domain::Predicates, ..default.clone() },
        CegarConfig { domain: Domain::Explicit, blocks: BlockSize::Small, ..default.clone() },
        CegarConfig { domain: Domain::Predicates, refinement: Refinement::Newton, ..default.clone() },
        CegarConfig { stack: StackPolicy::Exact, ..default },
    ]
}

#[test]
fn every_configuration_agrees_with_explicit() {
    let config = ExecutableConfig { widths: vec![1, 2, 3], statements: 3, ..ExecutableConfig::default() };
    let (mut safe, mut unsafe_, mut open) = (0, 0, 0);
    for seed in 0..40 {
        let task = Task { program: generate_executable(seed, &config), property: Property::Assert };
        let truth = verdict(&task, &EngineConfig::Explicit(ExplicitConfig::default()));
        for cegar in configurations() {
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
    assert!(safe >= 40 && unsafe_ >= 40 && open <= 40, "{safe} safe, {unsafe_} unsafe, {open} open");
}
