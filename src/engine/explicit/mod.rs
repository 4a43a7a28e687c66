//! The explicit engine: concrete states, one by one, each stored without loss.
//!
//! Where an input has too many values to try them all, it tries some: every error it reports is real, and the
//! rest is an assumption.

mod all_errors;
mod feasible;
mod lossy;
mod space;

use super::search::{Arg, Found, Order, Search, Space};
use super::{
    Assumptions, Budget, Claim, DeterministicSteps, ExplicitConfig, Proof, ReachedStates, Run, SearchOrder, Statistics,
    Stop, Task,
};
use crate::concrete::choices::Candidates;
use crate::concrete::sample::{sample, sample_threads};
use crate::concrete::successors::{Halted, Way};
use crate::concrete::token::Abstractions;
use crate::concrete::{Packed, Trace, TraceStep};
use crate::program::control::Step;
use crate::program::{Id, Program, Property, Statement, ThreadId};
use feasible::{Feasibility, feasible};
use lossy::LossySearch;
use space::ConcreteSpace;

/// So many states are few.
const FEW_STATES: u64 = 200;

/// A trace has at most so many deterministic steps in a row.
const MAX_DETERMINISTIC_STEPS: u64 = 1 << 22;

/// Explores all concrete states. Where they are not few, and inputs are read, some executions are tried at random before.
pub fn verify(task: &Task, config: &ExplicitConfig, budget: &Budget) -> Run {
    if config.all_errors {
        return all_errors::verify(task, config, budget);
    }
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
        let run = match config.lossy {
            true => hunted(task, config, &abstractions, budget),
            false => explored(task, config, &abstractions, budget, None).0,
        };
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
    if config.lossy {
        return hunted(task, config, &none, budget);
    }
    let samples = config.deterministic == DeterministicSteps::Followed
        && !matches!(task.property, Property::NoDataRace | Property::NoDeadlock);
    let (has_threads, has_inputs) = (task.program.starts_threads(), reads_input(&task.program));
    let samples = samples && (has_threads || has_inputs);
    let most = samples.then_some(FEW_STATES);
    let (run, is_unmodelled) = explored(task, config, &none, budget, most);
    let is_open = is_unmodelled || matches!(run.claim, Claim::Unknown(Stop::ManyStates));
    if !samples || !is_open {
        return run;
    }
    let (candidates, keep_on) = (Candidates::of(&task.program), || budget.check());
    let found = match has_threads {
        true => sample_threads(&task.program, &task.property, &candidates, &keep_on),
        false => Ok(None),
    };
    let found = match found {
        Ok(None) if has_inputs => sample(&task.program, &task.property, &candidates, &keep_on),
        found => found,
    };
    match found {
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
    let statistics = statistics(&search, &space);
    let mut is_unmodelled = false;
    let claim = match found {
        Ok(Found::Target(node)) => {
            space.execution.load(space.state(&search.arg, node));
            let failure = space.execution.machine().control().failure(&task.program);
            is_unmodelled = failure.is_some_and(|failure| failure.kind.is_open());
            let path: Vec<Packed> =
                search.arg.path(node).into_iter().map(|node| space.state(&search.arg, node)).collect();
            trace(&mut space, &path).map_or_else(Claim::Unknown, Claim::Unsafe)
        }
        Ok(Found::Complete | Found::Paused) => safe(search, space, config, abstractions),
        Err(stop) => Claim::Unknown(stop),
    };
    (Run { claim, statistics }, is_unmodelled)
}

/// The claim that there is no error, where all states were explored.
fn safe<'p>(
    search: Search<ConcreteSpace<'p>>,
    mut space: ConcreteSpace<'p>,
    config: &ExplicitConfig,
    abstractions: &Abstractions,
) -> Claim {
    let notes = std::mem::take(&mut space.execution.notes);
    let states = search.arg.into_states().map(|(head, tail)| Packed { head, tail }).collect();
    let (deterministic, abstractions) = (config.deterministic, abstractions.clone());
    let store = space.execution.into_store();
    let proof = Proof::Reached(Box::new(ReachedStates { store, states, deterministic, abstractions }));
    Claim::Safe { proof, assumptions: Assumptions::of_notes(notes) }
}

fn statistics<'p>(search: &Search<ConcreteSpace<'p>>, space: &ConcreteSpace<'p>) -> Statistics {
    Statistics {
        states: search.arg.len() as u64,
        transitions: search.progress(space).transitions,
        state_bytes: (search.bytes(|_| 0) + space.execution.store().bytes()) as u64,
        depth: depth(&search.arg, space),
        ..Statistics::default()
    }
}

/// Looks for errors among the concrete states, and may miss some.
fn hunted(task: &Task, config: &ExplicitConfig, abstractions: &Abstractions, budget: &Budget) -> Run {
    let mut space = ConcreteSpace::new(task, config.deterministic, abstractions, budget, None);
    let mut search = LossySearch::new();
    let found = search.run(&mut space, budget);
    let progress = search.progress(&space);
    budget.report(progress);
    let statistics = Statistics {
        states: search.states,
        transitions: progress.transitions,
        state_bytes: (search.bytes() + space.execution.store().bytes()) as u64,
        depth: search.depth,
        ..Statistics::default()
    };
    let claim = match found {
        Ok(Some(path)) => trace(&mut space, &path).map_or_else(Claim::Unknown, Claim::Unsafe),
        Ok(None) => {
            let mut assumptions = Assumptions::of_notes(space.execution.notes);
            assumptions.add(lossy::ASSUMPTION.to_owned(), None);
            Claim::Safe { proof: Proof::Reached(Box::default()), assumptions }
        }
        Err(stop) => Claim::Unknown(stop),
    };
    Run { claim, statistics }
}

/// How many edges from an initial state the state is that was stored last. Breadth first, none is farther.
fn depth(arg: &Arg<ConcreteSpace<'_>>, space: &ConcreteSpace<'_>) -> u64 {
    let last = arg.nodes().rev().find(|node| !space.is_target(arg.control(*node)));
    last.map_or(0, |node| arg.path(node).len() as u64 - 1)
}

/// The execution that goes through these states. A violation that was found is worth the time to tell how.
fn trace(space: &mut ConcreteSpace<'_>, path: &[Packed]) -> Result<Trace, Stop> {
    let before = space.execution.limit_steps(Some(MAX_DETERMINISTIC_STEPS));
    let found = steps_along(space, path);
    space.execution.limit_steps(before);
    found
}

fn steps_along(space: &mut ConcreteSpace<'_>, path: &[Packed]) -> Result<Trace, Stop> {
    let mut trace = Trace::default();
    let way = way_to(space.execution.initial_ways(&no_limit), path[0])?.ok_or_else(not_found)?;
    trace.initial_inputs = way.inputs;
    trace.steps.extend(way.steps.into_iter().map(without_inputs));
    // The numbers that the threads of a state have in the execution.
    let mut numbers = ThreadNumbers::default();
    numbers.arrive(&way.threads);
    for pair in path.windows(2) {
        let &[from, to] = pair else { unreachable!("windows of two have two") };
        let (step, way) = step_to(space, from, to)?;
        trace.steps.push(TraceStep { step: numbers.of(step), inputs: way.inputs });
        trace.steps.extend(way.steps.into_iter().map(|step| without_inputs(numbers.of(step))));
        numbers.arrive(&way.threads);
    }
    Ok(trace)
}

/// Which thread of an execution each thread of a state is; those behind the end have the same number in both.
#[derive(Default)]
struct ThreadNumbers(Vec<usize>);

impl ThreadNumbers {
    fn number(&self, thread: usize) -> usize {
        self.0.get(thread).copied().unwrap_or(thread)
    }

    /// The step in the execution.
    fn of(&self, step: Step) -> Step {
        Step { thread: ThreadId::new(self.number(step.thread.index())), ..step }
    }

    /// Goes to a state that has these threads in these places.
    fn arrive(&mut self, threads: &[u32]) {
        if !threads.is_empty() {
            self.0 = threads.iter().map(|thread| self.number(*thread as usize)).collect();
        }
    }
}

/// The first step from a state that leads to another, and how.
fn step_to(space: &mut ConcreteSpace<'_>, from: Packed, to: Packed) -> Result<(Step, Way), Stop> {
    space.execution.load(from);
    let mut steps = Vec::new();
    space.execution.steps(&mut steps);
    for step in steps {
        if let Some(way) = way_to(space.execution.ways(step, &no_limit), to)? {
            return Ok((step, way));
        }
    }
    Err(not_found())
}

fn way_to(ways: Result<Vec<Way>, Halted<Stop>>, to: Packed) -> Result<Option<Way>, Stop> {
    let ways = ways.map_err(|halted| match halted {
        Halted::Stop(stop) => stop,
        Halted::TooLong => Stop::GaveUp(format!("the counterexample has more than {MAX_DETERMINISTIC_STEPS} steps")),
    })?;
    Ok(ways.into_iter().find(|way| way.arrival.state == to))
}

fn no_limit() -> Result<(), Stop> {
    Ok(())
}

fn not_found() -> Stop {
    Stop::GaveUp("a state that was found could not be found again".to_owned())
}

fn without_inputs(step: Step) -> TraceStep {
    TraceStep { step, inputs: Vec::new() }
}
