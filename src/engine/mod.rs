//! Engines: the search, and one folder per algorithm. Each makes claims; none makes a verdict.

pub mod bounded;
mod budget;
mod catalogue;
pub mod cegar;
mod claim;
pub(crate) mod explicit;
mod interleaved;
mod modular;
mod only_execution;
mod open;
pub mod panda;
mod refine;
mod search;
pub mod shape;
mod stacks;
pub mod symbolic;
mod tracked;
pub mod view;

pub use bounded::BoundedConfig;
pub use budget::{Budget, Progress};
pub use catalogue::{EngineId, Entry, UnknownEngine};
pub use cegar::CegarConfig;
pub use claim::{
    Assumptions, Claim, CutActivation, CutInvariants, CutState, FoundError, FoundErrors, LocationInvariants, Proof,
    ReachedStates, Run, Statistics, Stop, Task, UnrolledCaller, UnrolledNode, Unrolling,
};

pub use interleaved::original_trace;
pub use panda::PandaConfig;
pub use shape::ShapeInvariants;
pub use symbolic::SymbolicConfig;

/// Runs an engine on a task. Where it comes to something that leaves the answer open, failures are looked for in the
/// other executions too.
pub fn verify(task: &Task, config: &EngineConfig, budget: &Budget) -> Run {
    let first = verify_all(task, config, budget);
    match &first.claim {
        Claim::Unsafe(trace) if open::is_open(&task.program, trace) => {}
        _ => return first,
    }
    let second = verify_all(&open::closed(task), config, &open::limited(budget));
    let statistics = first.statistics.then(second.statistics);
    match second.claim {
        found @ Claim::Unsafe(_) => Run { claim: found, statistics },
        _ => Run { claim: first.claim, statistics },
    }
}

/// Runs an engine on a task once.
fn verify_all(task: &Task, config: &EngineConfig, budget: &Budget) -> Run {
    if !config.id().decides(&task.property) {
        let others = EngineId::ALL.into_iter().filter(|id| id.decides(&task.property));
        let others: Vec<String> = others.map(|id| format!("`--engine {}`", id.name())).collect();
        let construct = format!("the property {} ({} supports it)", task.property.name(), others.join(", "));
        return Run {
            claim: Claim::Unknown(Stop::Unsupported { construct, span: None }),
            statistics: Statistics::default(),
        };
    }
    if !config.id().entry().has_threads && task.program.starts_threads() {
        return interleaved::verify(task, config, budget);
    }
    run(task, config, budget)
}

/// Runs an engine on a task that it can treat.
fn run(task: &Task, config: &EngineConfig, budget: &Budget) -> Run {
    match config {
        EngineConfig::Explicit(config) => explicit::verify(task, config, budget),
        EngineConfig::Cegar(config) => {
            tracked::verify(task, budget, |task, budget| cegar::verify(task, config, budget))
        }
        EngineConfig::Bounded(config) => bounded::verify(task, config, budget),
        EngineConfig::Symbolic(config) => symbolic::verify(task, config, budget),
        EngineConfig::Panda(config) => panda::verify(task, config, budget),
        EngineConfig::Shape => shape::verify(task, budget),
    }
}

/// Which engine, and how it works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineConfig {
    /// Concrete states, one by one.
    Explicit(ExplicitConfig),
    /// Abstraction, refined by counterexamples.
    Cegar(CegarConfig),
    /// Symbolic execution as far as time and the bound allow.
    Bounded(BoundedConfig),
    /// Symbolic execution with abstract matching.
    Symbolic(SymbolicConfig),
    /// Predicate abstraction and concrete execution of the same step.
    Panda(PandaConfig),
    /// Lists of any length, as chains of alike nodes.
    Shape,
}

/// How the explicit engine works.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExplicitConfig {
    /// In which order.
    pub search: SearchOrder,
    /// Which states are stored.
    pub deterministic: DeterministicSteps,
    /// What is abstract, as the user writes it: `Producer.run.remaining=signs`.
    pub abstractions: Vec<String>,
    /// Whether states may be taken for others that were visited: errors are found in little memory, and nothing is proved.
    pub lossy: bool,
    /// Whether the search goes on behind an error, for others.
    pub all_errors: bool,
}

/// What is done about steps of an execution where there is nothing to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeterministicSteps {
    /// Each of their states is stored: all that can be reached are, and the first trace found is the shortest.
    #[default]
    Stored,
    /// They are followed to their ends, and only those are stored: a long execution takes no more memory than a short one.
    Followed,
}

/// In which order states are explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SearchOrder {
    /// The nearest to the start first: finds the shortest trace.
    #[default]
    BreadthFirst,
    /// The newest first.
    DepthFirst,
}
