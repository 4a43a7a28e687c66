//! Executions that leave the answer open: they end in what is not modelled, or in what is undefined and not asked for.

use super::{Budget, Task};
use crate::concrete::Trace;
use crate::program::control::Control;
use crate::program::{ErrorKind, Program};
use std::time::Duration;

/// How long failures are looked for once more where the user sets no limit.
const SECOND_LOOK: Duration = Duration::from_secs(10);

/// Whether the execution ends in what leaves the answer open.
pub(super) fn is_open(program: &Program, trace: &Trace) -> bool {
    let locations = program.procedures.iter().flat_map(|procedure| procedure.locations.iter());
    let mut kinds = locations.filter_map(|location| location.error.as_ref());
    if !kinds.any(|failure| failure.kind.is_open()) {
        return false;
    }
    let mut control = Control::initial(program);
    for step in &trace.steps {
        control.apply(program, step.step);
    }
    control.failure(program).is_some_and(|failure| failure.kind.is_open())
}

/// The task without what leaves the answer open: an execution that comes there ends, and counts for nothing. A failure
/// of it is one of the task; that it has none says nothing.
pub(super) fn closed(task: &Task) -> Task {
    let mut closed = task.clone();
    for procedure in closed.program.procedures.iter_mut() {
        let failures = procedure.locations.iter_mut().filter_map(|location| location.error.as_mut());
        // No function has this name, so that no property counts its call.
        failures.filter(|it| it.kind.is_open()).for_each(|it| it.kind = ErrorKind::Call(String::new()));
    }
    closed
}

/// The time for it.
pub(super) fn limited(budget: &Budget) -> Budget {
    if budget.remaining().is_some() { budget.clone() } else { budget.at_most(SECOND_LOOK) }
}
