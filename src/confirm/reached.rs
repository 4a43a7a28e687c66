//! Checks a set of concrete states: every initial state is in it, every step from a member leads to a member, and
//! none violates the property. Then it holds every state that can be reached.
//!
//! A set can leave out the states between a member and the next one, where there is nothing to choose; the check goes
//! through them.
//!
//! A small set is also an invariant that a solver can check: what holds at a location is that the variables have the
//! values of one of the members there.

use crate::concrete::successors::{Arrival, ErrorThere, Execution, Following, Halted};
use crate::concrete::{Machine, Packed, Value};
use crate::engine::{Budget, DeterministicSteps, LocationInvariants, ReachedStates, Stop, Task};
use crate::formula::encode::Encoder;
use crate::program::{Id, LocId, ProcId, Program, Scope, Statement, ThreadId, Type, VarId};
use crate::term::{TermId, Terms};
use rustc_hash::FxHashSet;
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
    #[error("the set holds a state of unknown parts")]
    Malformed,
    /// Not every input was tried, so other states could be reached.
    #[error("not every input was tried")]
    Inputs,
    /// The check did not come to its end.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// Checks that the set is closed and free of violations. Parts of other states may be added to its store.
pub fn check(task: &Task, reached: &mut ReachedStates, budget: &Budget) -> Result<(), NotClosed> {
    // A program with abstract variables has every execution of the program, whichever they are.
    let mut execution = Execution::with(&task.program, &task.property, &reached.abstractions);
    let follows = reached.deterministic == DeterministicSteps::Followed;
    execution.follow(follows.then(Following::default));
    let is_known = |state: &Packed| reached.store.has(state.head) && reached.store.has(state.tail);
    if !reached.states.iter().all(is_known) {
        return Err(NotClosed::Malformed);
    }
    execution.use_store(std::mem::take(&mut reached.store));
    let closed = is_closed(&mut execution, &reached.states, budget);
    let notes = std::mem::take(&mut execution.notes);
    reached.store = execution.into_store();
    closed?;
    if notes.is_empty() { Ok(()) } else { Err(NotClosed::Inputs) }
}

fn is_closed(execution: &mut Execution<'_>, states: &[Packed], budget: &Budget) -> Result<(), NotClosed> {
    let keep_on = &|| budget.check();
    let members: FxHashSet<Packed> = states.iter().copied().collect();
    for arrival in execution.initial_states(keep_on)? {
        is_member(&members, arrival, NotClosed::Initial)?;
    }
    let (mut steps, mut arrivals) = (Vec::new(), Vec::new());
    for (count, state) in states.iter().enumerate() {
        if count % 256 == 0 {
            budget.check()?;
        }
        execution.load(*state);
        if execution.is_wrong() {
            return Err(NotClosed::Wrong);
        }
        steps.clear();
        execution.steps(&mut steps);
        for step in &steps {
            execution.states_after(*step, keep_on, &mut arrivals)?;
            if !arrivals.is_empty() {
                arrivals.drain(..).try_for_each(|arrival| is_member(&members, arrival, NotClosed::Step))?;
            }
        }
    }
    Ok(())
}

/// Whether a state is a member, or ends an execution without a violation.
fn is_member(members: &FxHashSet<Packed>, arrival: Arrival, missing: NotClosed) -> Result<(), NotClosed> {
    match arrival.error {
        ErrorThere::Counts => Err(NotClosed::Violation),
        // What is wrong but does not count ends the execution all the same.
        ErrorThere::Irrelevant => Ok(()),
        ErrorThere::None if members.contains(&arrival.state) => Ok(()),
        ErrorThere::None => Err(missing),
    }
}

impl From<Halted<Stop>> for NotClosed {
    fn from(halted: Halted<Stop>) -> NotClosed {
        match halted {
            Halted::Stop(stop) => NotClosed::Stopped(stop),
            Halted::TooLong => unreachable!("as many steps as it takes were allowed"),
        }
    }
}

/// A set with more values than this, all variables of all members counted, is too large for a solver.
const MAX_VALUES: usize = 2000;

/// The set as an invariant for each location; `None` where it is too large or leaves states out, or the program has
/// threads, calls or variables that formulas cannot speak of.
pub(super) fn as_invariants(task: &Task, reached: &mut ReachedStates) -> Option<LocationInvariants> {
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
    machine.use_store(std::mem::take(&mut reached.store));
    let mut members: BTreeMap<(ProcId, LocId), Vec<TermId>> = BTreeMap::new();
    for state in &reached.states {
        machine.load(*state);
        let [thread] = machine.control().threads.as_slice() else { return None };
        // A thread that has ended is at no location, and takes no further step.
        let Some(frame) = thread.frames.last().filter(|_| thread.frames.len() == 1) else { continue };
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
