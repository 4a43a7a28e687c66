//! Arrays, and objects without number, for engines that abstract: a proof is looked for with a few tracked cells, or one
//! tracked object, in their place first.

use super::{Budget, Claim, Proof, Run, Statistics, Task};
use crate::program::{Program, Property};
use crate::transform::cells::{tells_of_every_element, track_cells, track_objects};
use std::time::Duration;

/// A program in which something is tracked, and what a proof of it is.
type Tracking = (fn(&Program, &Property) -> Option<Program>, fn(Box<Proof>) -> Proof);

const TRACKINGS: [Tracking; 2] = [(track_cells, Proof::Cells), (track_objects, Proof::Objects)];

/// Which part of the time that is left is for each, and how much where there is no limit.
const PART: u32 = 3;
const LONGEST: Duration = Duration::from_secs(60);

/// Runs an engine with tracked cells, with tracked objects, then without.
pub(super) fn verify(task: &Task, budget: &Budget, engine: impl Fn(&Task, &Budget) -> Run) -> Run {
    let mut so_far = Statistics::default();
    for (track, proof_of) in TRACKINGS.iter().filter(|_| tells_of_every_element(&task.property)) {
        let Some(program) = track(&task.program, &task.property) else { continue };
        let limited = budget.at_most(budget.remaining().map_or(LONGEST, |left| left / PART));
        let run = engine(&Task { program, property: task.property.clone() }, &limited);
        so_far = so_far.then(run.statistics);
        // An execution that fails there need not be one of the program.
        if let Claim::Safe { proof, assumptions } = run.claim {
            let claim = Claim::Safe { proof: proof_of(Box::new(proof)), assumptions };
            return Run { claim, statistics: so_far };
        }
    }
    let last = engine(task, budget);
    Run { claim: last.claim, statistics: so_far.then(last.statistics) }
}
