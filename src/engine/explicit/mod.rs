//! The explicit engine: concrete states, one by one, each stored without loss.
//!
//! Where an input has too many values to try them all, it tries some: every error it reports is real, and the
//! rest is an assumption.

mod control;
mod feasible;
mod space;

use super::search::{Arg, Found, NodeId, Order, Search};
use super::{
    Assumptions, Budget, Claim, DeterministicSteps, ExplicitConfig, Proof, ReachedStates, Run, SearchOrder, Statistics,
    Stop, Task,
};
use crate::concrete::choices::Candidates;
use crate::concrete::sample::sample;
use crate::concrete::successors::Reached;
use crate::concrete::token::Abstractions;
use crate::concrete::{Packed, Trace, TraceStep};
use crate::program::control::Control;
use crate::program::{Program, Property, Statement};
use control::ControlId;
use feasible::{Feasibility, feasible};
use space::ConcreteSpace;

/// So many states are few.
const FEW_STATES: u64 = 200;

/// A trace has at most so many deterministic steps in a row.
const MAX_DETERMINISTIC_STEPS: u64 = 1 << 22;

/// Explores all concrete states. Where they are not few, and inputs are read, some executions are tried at random before.
pub fn verify(task: &Task, config: &ExplicitConfig, budget: &Budget) -> Run {
    let lines = config.abstractions.iter().map(String::as_str);
    match Abstractions::parse(&task.program, lines) {
        Ok(abstractions) if abstractions.is_empty() => verify_concretely(task, config, budget),
        Ok(abstractions) => verify_abstractly(task, config, budget, abstractions),
        Err(bad) => Run { claim: Claim::Unknown(Stop::GaveUp(bad.text)), statistics: Statistics::default() },
    }
}

/// Explores the states of the program with abstract variables. An error that is found there and not in the program takes
/// away abstractions, and the search starts again.
fn verify_abstractly(task: &Task, config: &ExplicitConfig, budget: &Budget, mut abstractions: Abstractions) -> Run {
    while !abstractions.is_empty() {
        let (run, _) = explored(task, config, &abstractions, budget, None);
        let Claim::Unsafe(trace) = run.claim else { return run };
        match feasible(task, &abstractions, &trace) {
            Feasibility::Real(trace) => return Run { claim: Claim::Unsafe(trace), ..run },
            Feasibility::Spurious(read) => abstractions = abstractions.without(&read),
        }
    }
    verify_concretely(task, config, budget)
}

fn verify_concretely(task: &Task, config: &ExplicitConfig, budget: &Budget) -> Run {
    let none = Abstractions::default();
    let samples = config.deterministic == DeterministicSteps::Followed
        && !matches!(task.property, Property::NoDataRace | Property::NoDeadlock)
        && reads_input(&task.program);
    let most = samples.then_some(FEW_STATES);
    let (run, is_unmodelled) = explored(task, config, &none, budget, most);
    let is_open = is_unmodelled || matches!(run.claim, Claim::Unknown(Stop::ManyStates));
    if !samples || !is_open {
        return run;
    }
    match sample(&task.program, &task.property, &Candidates::of(&task.program), &|| budget.check()) {
        Ok(Some(trace)) => Run { claim: Claim::Unsafe(trace), ..run },
        Err(stop) => Run { claim: Claim::Unknown(stop), ..run },
        Ok(None) if is_unmodelled => run,
        Ok(None) => explored(task, config, &none, budget, None).0,
    }
}

fn reads_input(program: &Program) -> bool {
    let blocks = program.procedures.iter().flat_map(|procedure| procedure.edges.iter().flat_map(|edge| &edge.block));
    let is_input = |statement: &Statement| {
        matches!(statement, Statement::Havoc { .. } | Statement::Allocate { zeroed: false, .. })
    };
    program.init.iter().chain(blocks).any(is_input)
}

/// Explores the concrete states, at most so many; tells too whether it comes to something that is not modelled, after
/// which nothing is known.
fn explored(
    task: &Task,
    config: &ExplicitConfig,
    abstractions: &Abstractions,
    budget: &Budget,
    most: Option<u64>,
) -> (Run, bool) {
    let mut space = ConcreteSpace::new(task, config.deterministic, abstractions, budget, most);
    let mut search = Search::new(match config.search {
        SearchOrder::BreadthFirst => Order::BreadthFirst,
        SearchOrder::DepthFirst => Order::DepthFirst,
    });
    let found = search.start(&mut space).and_then(|()| search.run(&mut space, budget));
    budget.report(search.progress(&space));
    let statistics = Statistics {
        states: search.arg.len() as u64,
        transitions: search.progress(&space).transitions,
        state_bytes: (search.bytes(Packed::allocated) + space.controls.bytes()) as u64,
        depth: depth(&search.arg, &space),
        ..Statistics::default()
    };
    let mut is_unmodelled = false;
    let claim = match found {
        Ok(Found::Target(node)) => {
            let failure = space.controls.get(search.arg.control(node)).failure(&task.program);
            is_unmodelled = failure.is_some_and(|failure| failure.kind.is_open());
            trace(&mut space, &search.arg, node).map_or_else(Claim::Unknown, Claim::Unsafe)
        }
        Ok(Found::Complete | Found::Paused) => {
            let ConcreteSpace { execution, controls, .. } = space;
            let states = search.arg.into_states().map(|(control, state)| (control.0, state)).collect();
            let controls = controls.into_controls();
            let (deterministic, abstractions) = (config.deterministic, abstractions.clone());
            let proof = Proof::Reached(ReachedStates { controls, states, deterministic, abstractions });
            Claim::Safe { proof, assumptions: Assumptions::of_notes(execution.notes) }
        }
        Err(stop) => Claim::Unknown(stop),
    };
    (Run { claim, statistics }, is_unmodelled)
}

/// How many edges from an initial state the state is that was stored last. Breadth first, none is farther.
fn depth(arg: &Arg<ConcreteSpace<'_>>, space: &ConcreteSpace<'_>) -> u64 {
    let last = arg.nodes().rev().find(|node| !space.controls.failed(arg.control(*node)));
    last.map_or(0, |last| arg.path(last).len() as u64 - 1)
}

/// The execution that leads to a node. A violation that was found is worth the time to tell how.
fn trace<'p>(space: &mut ConcreteSpace<'p>, arg: &Arg<ConcreteSpace<'p>>, node: NodeId) -> Result<Trace, Stop> {
    let keep_on: &dyn Fn() -> Result<(), Stop> = &|| Ok(());
    let path = arg.path(node);
    let start = space.controls.number(Control::initial(&space.task.program));
    let first = space.execution.initial_outcomes(keep_on)?;
    let (initial_inputs, state) = leading_to(space, arg, path[0], start, first)?;
    let mut steps = Vec::new();
    deterministic_steps(space, start, &state, &mut steps)?;
    for pair in path.windows(2) {
        let &[from, to] = pair else { unreachable!("windows of two have two") };
        space.load_again(arg, from);
        let (control, index) = (arg.control(from), *arg.label(to) as usize);
        let step = space.controls.step(control, index);
        let reached = space.execution.outcomes(step, keep_on)?;
        let after = space.controls.after(control, index);
        let (inputs, state) = leading_to(space, arg, to, after, reached)?;
        steps.push(TraceStep { step, inputs });
        deterministic_steps(space, after, &state, &mut steps)?;
    }
    Ok(Trace { initial_inputs, steps })
}

/// The first of some states that leads to a node while there is nothing to choose.
fn leading_to<'p>(
    space: &mut ConcreteSpace<'p>,
    arg: &Arg<ConcreteSpace<'p>>,
    to: NodeId,
    control: ControlId,
    reached: Vec<Reached>,
) -> Result<Reached, Stop> {
    for (inputs, state) in reached {
        let settled = space.settle(control, state.clone())?;
        if settled.is_some_and(|(control, state)| control == arg.control(to) && state == *arg.state(to)) {
            return Ok((inputs, state));
        }
    }
    Err(Stop::GaveUp("a state that was found could not be found again".to_owned()))
}

/// Adds the steps that there is no choice about.
fn deterministic_steps(
    space: &mut ConcreteSpace<'_>,
    control: ControlId,
    state: &Packed,
    steps: &mut Vec<TraceStep>,
) -> Result<(), Stop> {
    if !space.follows() {
        return Ok(());
    }
    let taken = space.execution.deterministic_steps(space.controls.get(control), state, MAX_DETERMINISTIC_STEPS);
    let message = format!("the counterexample has more than {MAX_DETERMINISTIC_STEPS} steps");
    steps.extend(taken.ok_or(Stop::GaveUp(message))?);
    Ok(())
}
