//! Arrays for engines that abstract: a proof is looked for with a few tracked cells in their place first.

use super::{Budget, Claim, Proof, Run, Task};
use crate::transform::cells::{tells_of_every_element, track_cells};
use std::time::Duration;

/// Which part of the time that is left is for tracked cells, and how much where there is no limit.
const PART: u32 = 3;
const LONGEST: Duration = Duration::from_secs(60);

/// Runs an engine with tracked cells, then without.
pub(super) fn verify(task: &Task, budget: &Budget, engine: impl Fn(&Task, &Budget) -> Run) -> Run {
    let cells = if tells_of_every_element(&task.property) { track_cells(&task.program, &task.property) } else { None };
    let Some(program) = cells else { return engine(task, budget) };
    let limited = budget.at_most(budget.remaining().map_or(LONGEST, |left| left / PART));
    let first = engine(&Task { program, property: task.property.clone() }, &limited);
    match first.claim {
        Claim::Safe { proof, assumptions } => {
            let proof = Proof::Cells(Box::new(proof));
            Run { claim: Claim::Safe { proof, assumptions }, statistics: first.statistics }
        }
        // An execution that fails with tracked cells need not be one of the program.
        _ => {
            let second = engine(task, budget);
            Run { claim: second.claim, statistics: first.statistics.then(second.statistics) }
        }
    }
}
