//! Checks a set of concrete states: every initial state is in it, every step from a member leads to a member, and
//! none violates the property. Then it holds every state that can be reached.
//!
//! A set can leave out the states between a member and the next one, where there is nothing to choose; the check goes
//! through them.
//!
//! A small set is also an invariant that a solver can check: what holds at a location is that the variables have the
//! values of one of the members there.

use crate::concrete::successors::{Advance, Execution};
use crate::concrete::{Machine, Packed, Value};
use crate::engine::{Budget, DeterministicSteps, LocationInvariants, ReachedStates, Stop, Task};
use crate::formula::encode::Encoder;
use crate::program::control::{Control, Flow};
use crate::program::{Id, LocId, ProcId, ThreadId, Type, VarId};
use crate::term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

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
    /// A member violates the property itself.
    #[error("the set holds a state that is an error")]
    Wrong,
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
    // A program with abstract variables has every execution of the program, whichever they are.
    let mut execution = Execution::with(&task.program, &task.property, &reached.abstractions);
    let keep_on = &|| budget.check();

    let start = Control::initial(&task.program);
    let violated = start.failure(&task.program).map(|failure| task.property.counts(&failure.kind));
    let number = numbers.get(&start).copied();
    for state in execution.initial_states(keep_on)? {
        match violated {
            Some(true) => return Err(NotClosed::Violation),
            // What is wrong but does not count ends the execution all the same.
            Some(false) => {}
            None if number.is_some_and(|number| members.contains(&(number, &state))) => {}
            None => return Err(NotClosed::Initial),
        }
    }
    for (count, (number, state)) in reached.states.iter().enumerate() {
        if count % 256 == 0 {
            budget.check()?;
        }
        let control = reached.controls.get(*number as usize).ok_or(NotClosed::Malformed)?;
        let is_member = |number: u32, state: &Packed| members.contains(&(number, state));
        let advance = match reached.deterministic {
            DeterministicSteps::Stored => {
                execution.load(control, state);
                Advance::Here
            }
            DeterministicSteps::Followed => execution.advance(control, state, None, keep_on)?,
        };
        match advance {
            Advance::Here => {}
            // All states on the way were looked at, and none violates the property.
            Advance::Nowhere => continue,
            Advance::TooLong => unreachable!("as many steps as it takes were allowed"),
            Advance::To { control, state, .. } => match control.failure(&task.program) {
                Some(failure) if task.property.counts(&failure.kind) => return Err(NotClosed::Violation),
                Some(_) => continue,
                None if numbers.get(&control).is_some_and(|number| is_member(*number, &state)) => continue,
                None => return Err(NotClosed::Step),
            },
        }
        if execution.is_wrong(&task.property) {
            return Err(NotClosed::Wrong);
        }
        for step in control.steps(&task.program, &flow) {
            let mut states = Vec::new();
            execution.states_after(step, keep_on, &mut states)?;
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
            if !states.iter().all(|state| is_member(number, state)) {
                return Err(NotClosed::Step);
            }
        }
    }
    if execution.notes.is_empty() { Ok(()) } else { Err(NotClosed::Inputs) }
}

/// A set with more values than this, all variables of all members counted, is too large for a solver.
const MAX_VALUES: usize = 2000;

/// The set as an invariant for each location; `None` where it is too large or leaves states out, or the program has
/// threads, calls or variables that formulas cannot speak of.
pub(super) fn as_invariants(task: &Task, reached: &ReachedStates) -> Option<LocationInvariants> {
    let program = &task.program;
    if reached.states.len() * program.variables.len() > MAX_VALUES
        || reached.deterministic == DeterministicSteps::Followed
        || !reached.abstractions.is_empty()
    {
        return None;
    }
    let mut terms = Terms::new();
    let encoder = Encoder::new(program, &mut terms);
    let mut machine = Machine::new(program);
    let mut members: BTreeMap<(ProcId, LocId), Vec<TermId>> = BTreeMap::new();
    for (number, state) in &reached.states {
        let control = reached.controls.get(*number as usize)?;
        let [thread] = control.threads.as_slice() else { return None };
        // A thread that has ended is at no location, and takes no further step.
        let Some(frame) = thread.frames.last().filter(|_| thread.frames.len() == 1) else { continue };
        machine.load(control, state);
        let seen = program.globals().chain(program.locals(frame.procedure));
        let values: Option<Vec<TermId>> =
            seen.map(|variable| value_of(&machine, &encoder, &mut terms, variable)).collect();
        let formula = terms.and(values?);
        members.entry((frame.procedure, frame.location)).or_default().push(formula);
    }
    let at = members.into_iter().map(|(place, formulas)| (place, terms.or(formulas))).collect();
    Some(LocationInvariants { terms, at })
}

/// That a variable has the value it has in the machine; true for one that has none.
fn value_of(machine: &Machine<'_>, encoder: &Encoder<'_>, terms: &mut Terms, variable: VarId) -> Option<TermId> {
    let value = match (machine.value(ThreadId::new(0), variable)?, machine.program().variables[variable].ty) {
        (Value::Undefined, _) => return Some(terms.bool(true)),
        (Value::Bool(value), _) => terms.bool(value),
        (Value::Int(value), Type::Machine(machine)) => terms.bit_vec(value, machine.width),
        (Value::Int(value), _) => terms.int(value),
        (Value::Float(bits, kind), _) => terms.float_number(bits, kind),
        (Value::Pointer(_) | Value::Token(_), _) => return None,
    };
    let variable = terms.of_symbol(encoder.symbol(variable)?);
    Some(terms.eq(variable, value))
}
