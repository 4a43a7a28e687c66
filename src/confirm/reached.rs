//! Checks a set of concrete states: every initial state is in it, every step from a member leads to a member, and
//! none violates the property. Then it holds every state that can be reached.

use crate::concrete::Packed;
use crate::engine::explicit::Concrete;
use crate::engine::{Budget, ReachedStates, Stop, Task};
use crate::program::control::{Control, Flow};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why a set of states is no proof.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotClosed {
    /// An initial state is missing.
    #[error("an initial state is not in the set")]
    Initial,
    /// A step leads out of the set.
    #[error("a step leads out of the set")]
    Step,
    /// A step leads to a violation.
    #[error("a step leads to an error")]
    Violation,
    /// A member is not one that the program has.
    #[error("the set holds a state of no known control")]
    Malformed,
    /// Not every input was tried, so other states could be reached.
    #[error("not every input was tried")]
    Inputs,
    /// The check did not come to its end.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// Checks that the set is closed and free of violations.
pub fn check(task: &Task, reached: &ReachedStates, budget: &Budget) -> Result<(), NotClosed> {
    let numbers: FxHashMap<&Control, u32> = reached.controls.iter().zip(0..).collect();
    let members: FxHashSet<(u32, &Packed)> = reached.states.iter().map(|(c, state)| (*c, state)).collect();
    let flow = Flow::of(&task.program);
    let mut execution = Concrete::new(&task.program);

    let start = numbers.get(&Control::initial(&task.program)).copied();
    for state in execution.initial_states() {
        if !start.is_some_and(|start| members.contains(&(start, &state))) {
            return Err(NotClosed::Initial);
        }
    }
    for (count, (number, state)) in reached.states.iter().enumerate() {
        if count % 256 == 0 {
            budget.check()?;
        }
        let control = reached.controls.get(*number as usize).ok_or(NotClosed::Malformed)?;
        execution.load(control, state);
        for step in control.steps(&task.program, &flow) {
            let states = execution.states_after(step);
            if states.is_empty() {
                continue;
            }
            let mut after = control.clone();
            after.apply(&task.program, step);
            match after.failure(&task.program) {
                Some(failure) if task.property.counts(&failure.kind) => return Err(NotClosed::Violation),
                Some(_) => continue,
                None => {}
            }
            let number = *numbers.get(&after).ok_or(NotClosed::Step)?;
            if !states.iter().all(|state| members.contains(&(number, state))) {
                return Err(NotClosed::Step);
            }
        }
    }
    if execution.assumptions.0.is_empty() { Ok(()) } else { Err(NotClosed::Inputs) }
}
