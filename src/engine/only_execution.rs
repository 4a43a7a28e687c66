//! Programs that have one execution.

use super::{Budget, Claim, DeterministicSteps, ExplicitConfig, Run, Task, explicit};
use crate::formula::blocks::{BlockSize, Cuts};
use crate::program::Statement;
use crate::program::control::Flow;
use std::time::Duration;

/// The claim about a program that reads no input, by its only execution: nothing is quicker than to follow it.
pub(super) fn only_execution(task: &Task, budget: &Budget) -> Option<Run> {
    let procedures = task.program.procedures.iter();
    let mut statements = procedures.flat_map(|p| p.edges.iter().flat_map(|edge| edge.block.iter()));
    let chooses = |statement: &Statement| matches!(statement, Statement::Havoc { .. } | Statement::Spawn { .. });
    if task.program.init.iter().any(chooses) || statements.any(chooses) {
        return None;
    }
    // Recursion may go on for ever, and takes memory all the while.
    let cuts = Cuts::of(&task.program, &Flow::of(&task.program), BlockSize::Large);
    let most = if cuts.has_recursion() { Duration::from_millis(300) } else { Duration::from_secs(60) };
    let budget = budget.at_most(budget.remaining().map_or(most, |left| most.min(left / 4)));
    let run = explicit::verify(
        task,
        &ExplicitConfig { deterministic: DeterministicSteps::Followed, ..Default::default() },
        &budget,
    );
    match &run.claim {
        Claim::Safe { assumptions, .. } if assumptions.0.is_empty() => Some(run),
        Claim::Unsafe(_) => Some(run),
        _ => None,
    }
}
