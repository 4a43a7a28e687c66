//! Checks a set of shapes: every initial state is in one of them, every step from one leads into one, and none comes to an
//! error that counts. The steps are taken again; how the set was found, what was folded and widened for it, does not
//! matter.

use super::Failure;
use crate::domain::shape::{Reached, Refused, Shape, Walk, covers};
use crate::engine::{Budget, ShapeInvariants, Stop, Task};
use crate::program::control::Frame;
use std::collections::BTreeMap;

/// Checks that the shapes are closed under steps and free of errors.
pub(super) fn check(task: &Task, invariants: &ShapeInvariants, budget: &Budget) -> Result<(), Failure> {
    let walk = Walk::new(&task.program, &task.property);
    let at = invariants.at.iter().map(|(frames, shapes)| (frames.as_slice(), shapes.as_slice())).collect();
    let check = Check { task, walk: &walk, at };
    check.all_known(walk.start())?;
    for (frames, shapes) in &invariants.at {
        for shape in shapes {
            budget.check()?;
            if !shape.is_well_formed(i64::from(task.program.pointer_bytes)) {
                return Err(Failure::Wrong("a shape is not well-formed".to_owned()));
            }
            check.all_known(walk.successors(frames, shape))?;
        }
    }
    Ok(())
}

struct Check<'a> {
    task: &'a Task,
    walk: &'a Walk<'a>,
    at: BTreeMap<&'a [Frame], &'a [Shape]>,
}

impl Check<'_> {
    fn all_known(&self, reached: Result<Vec<Reached>, Refused>) -> Result<(), Failure> {
        let refused = |Refused(construct)| Failure::Stopped(Stop::Unsupported { construct, span: None });
        reached.map_err(refused)?.iter().try_for_each(|reached| self.is_known(reached))
    }

    /// A state is in one of the shapes there, or at an error that does not count, which ends the execution.
    fn is_known(&self, reached: &Reached) -> Result<(), Failure> {
        let Some(top) = reached.frames.last() else { return Ok(()) };
        let location = &self.task.program.procedures[top.procedure].locations[top.location];
        if let Some(failure) = &location.error {
            return match self.task.property.counts(&failure.kind) {
                true => Err(Failure::Wrong("a step leads to an error".to_owned())),
                false => Ok(()),
            };
        }
        let (keeps_all, bytes) = (self.walk.semantics.tracks, i64::from(self.task.program.pointer_bytes));
        let shapes = self.at.get(reached.frames.as_slice()).copied().unwrap_or_default();
        match shapes.iter().any(|shape| covers(shape, &reached.shape, keeps_all, bytes)) {
            true => Ok(()),
            false => Err(Failure::Wrong("a step leads out of the shapes".to_owned())),
        }
    }
}
