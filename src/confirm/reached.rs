//! Checks a set of concrete states: every initial state is in it, every step from a member leads to a member, and
//! none violates the property. Then it holds every state that can be reached.
//!
//! A set can leave out the states between a member and the next one, where there is nothing to choose; the check goes
//! through them.
//!
//! A small set is also an invariant that a solver can check: what holds at a location is that the variables have the
//! values of one of the members there.

use crate::concrete::successors::{Execution, Settled};
use crate::concrete::{Machine, Packed, Value};
use crate::engine::{Budget, DeterministicSteps, LocationInvariants, ReachedStates, Stop, Task};
use crate::formula::encode::Encoder;
use crate::program::control::{Control, Flow};
use crate::program::{Id, LocId, ProcId, Program, Scope, Statement, ThreadId, Type, VarId};
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
    let mut check = Check::new(task, reached, budget);
    let keep_on = &|| budget.check();
    let start = Control::initial(&task.program);
    for state in check.execution.initial_states(keep_on)? {
        check.leads_to_member(&start, state, NotClosed::Initial)?;
    }
    let flow = Flow::of(&task.program);
    for (count, (number, state)) in reached.states.iter().enumerate() {
        if count % 256 == 0 {
            budget.check()?;
        }
        let control = reached.controls.get(*number as usize).ok_or(NotClosed::Malformed)?;
        check.execution.load(control, state);
        if check.execution.is_wrong(&task.property) {
            return Err(NotClosed::Wrong);
        }
        let (mut is_loaded, mut states) = (true, Vec::new());
        for step in control.steps(&task.program, &flow) {
            if !is_loaded {
                check.execution.load(control, state);
            }
            check.execution.states_after(step, keep_on, &mut states)?;
            // To follow an execution leaves the state; most steps are blocked.
            is_loaded = states.is_empty() || check.deterministic == DeterministicSteps::Stored;
            if states.is_empty() {
                continue;
            }
            let mut after = control.clone();
            after.apply(&task.program, step);
            for state in states.drain(..) {
                check.leads_to_member(&after, state, NotClosed::Step)?;
            }
        }
    }
    if check.execution.notes.is_empty() { Ok(()) } else { Err(NotClosed::Inputs) }
}

/// What a set is checked with.
struct Check<'a> {
    task: &'a Task,
    budget: &'a Budget,
    deterministic: DeterministicSteps,
    numbers: FxHashMap<&'a Control, u32>,
    members: FxHashSet<(u32, &'a Packed)>,
    execution: Execution<'a>,
}

impl<'a> Check<'a> {
    fn new(task: &'a Task, reached: &'a ReachedStates, budget: &'a Budget) -> Check<'a> {
        Check {
            task,
            budget,
            deterministic: reached.deterministic,
            numbers: reached.controls.iter().zip(0..).collect(),
            members: reached.states.iter().map(|(control, state)| (*control, state)).collect(),
            // A program with abstract variables has every execution of the program, whichever they are.
            execution: Execution::with(&task.program, &task.property, &reached.abstractions),
        }
    }

    /// Whether an execution goes from a state, while there is nothing to choose, to a member, or ends without a violation.
    fn leads_to_member(&mut self, control: &Control, state: Packed, missing: NotClosed) -> Result<(), NotClosed> {
        let settled = match self.deterministic {
            DeterministicSteps::Followed if control.failure(&self.task.program).is_none() => {
                self.execution.settle(control, state, None, &|| self.budget.check())?
            }
            _ => Settled::At { control: None, state, steps: 0 },
        };
        let (after, state) = match settled {
            // All states on the way were looked at, and none violates the property.
            Settled::Nowhere => return Ok(()),
            Settled::TooLong => unreachable!("as many steps as it takes were allowed"),
            Settled::At { control, state, .. } => (control, state),
        };
        let control = after.as_ref().unwrap_or(control);
        match control.failure(&self.task.program) {
            Some(failure) if self.task.property.counts(&failure.kind) => Err(NotClosed::Violation),
            // What is wrong but does not count ends the execution all the same.
            Some(_) => Ok(()),
            None => {
                let number = self.numbers.get(control).copied();
                let is_member = number.is_some_and(|number| self.members.contains(&(number, &state)));
                if is_member { Ok(()) } else { Err(missing) }
            }
        }
    }
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
        || reads_own_inputs(program)
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

/// Whether a local variable takes an input, of which one value may stand for others.
fn reads_own_inputs(program: &Program) -> bool {
    let statements = program.procedures.iter().flat_map(|procedure| procedure.edges.iter()).flat_map(|e| &e.block);
    let is_own = |target: &VarId| program.variables[*target].scope != Scope::Global;
    { statements }.any(|statement| matches!(statement, Statement::Havoc { target, .. } if is_own(target)))
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
