//! Counterexample-guided abstraction refinement with abstraction of the call stack.
//!
//! The search explores an abstract state space whose steps are large blocks; what it keeps of data is a precision: tracked
//! variables and predicates. An error that it reaches is looked at by the refiner, which either finds an execution or
//! makes the precision finer. Calls of recursive procedures are popped when an earlier activation covers them: its exits,
//! as far as they are known, become the exits of the call. What is tried in which order is in `strategy.rs`.

mod choices;
mod config;
mod control;
mod counterexample;
mod execute;
mod facts;
mod finite;
mod found;
mod given;
mod history;
mod horn;
mod learn;
mod limits;
mod post;
mod proof;
mod refiner;
mod show;
mod space;
mod strategy;
mod traced;
mod walks;

pub use crate::domain::{Abstraction, PrecisionScope};
pub use config::{CegarConfig, DomainChoice, Refinement, StackPolicy};
pub(in crate::engine) use control::{Control, Kind, Label};
pub(in crate::engine) use refiner::{Effort, Examined};
pub use show::graph;
pub(in crate::engine) use strategy::by_arithmetics;
pub(in crate::engine) use traced::time_of;

use super::only_execution::only_execution;
use super::panda::Pruning;
use super::refine::RangedSolver;
use super::search::{Order, Search};
use super::stacks::busiest;
use super::{Assumptions, Budget, Claim, CutInvariants, Proof, Run, SearchOrder, Statistics, Stop, Task};
use crate::concrete::Trace;
use crate::domain::Precision;
use crate::formula::Formulas;
use crate::formula::encode::Arithmetic;
use crate::program::control::Frame;
use crate::program::{EdgeId, Program};
use control::Controls;
use facts::Facts;
use given::GivenPredicates;
use history::History;
use learn::Learned;
use walks::Walks;

/// Verifies by counterexample-guided abstraction refinement.
pub fn verify(task: &Task, config: &CegarConfig, budget: &Budget) -> Run {
    if config.domain == DomainChoice::Product
        && let Some(run) = only_execution(task, budget)
    {
        return run;
    }
    strategy::verify(task, config, budget)
}

/// Verifies with one arithmetic.
fn verify_with(task: &Task, config: &CegarConfig, budget: &Budget, arithmetic: Arithmetic) -> Run {
    let mut cegar = match Cegar::new(task, config, budget, arithmetic) {
        Ok(cegar) => cegar,
        Err(stop) => return Run { claim: Claim::Unknown(stop), statistics: Statistics::default() },
    };
    let claim = match cegar.run() {
        Ok(RunEnd::Safe) => {
            cegar.note_predicates();
            let assumptions = cegar.assumptions();
            Claim::Safe { proof: Proof::Cuts(Box::new(cegar.proof())), assumptions }
        }
        Ok(RunEnd::Proved(proof)) => Claim::Safe { proof: Proof::Cuts(proof), assumptions: Assumptions::default() },
        Ok(RunEnd::Unsafe(trace)) => {
            cegar.note_predicates();
            Claim::Unsafe(trace)
        }
        Err(stop) => {
            cegar.note_predicates();
            Claim::Unknown(stop)
        }
    };
    Run { claim, statistics: cegar.statistics() }
}

/// How a run ended.
enum RunEnd {
    /// The graph holds a proof.
    Safe,
    /// Invariants of the whole program are one.
    Proved(Box<CutInvariants>),
    /// An execution fails.
    Unsafe(Trace),
}

/// The engine: its abstract state space, the search in it, and what the refiner found out.
pub(in crate::engine) struct Cegar<'p> {
    pub(in crate::engine) space: CegarSpace<'p>,
    pub(in crate::engine) search: Search<CegarSpace<'p>>,
    /// How many refinements there were.
    pub(in crate::engine) refinements: u64,
    /// How many states these left as they were.
    pub(in crate::engine) resumed: u64,
    /// What is taken for granted.
    assumptions: Assumptions,
    /// Whether the program was executed.
    was_executed: bool,
    /// The predicates of the abstraction, as text, once they were asked for.
    found_predicates: String,
}

/// The abstract state space, with all that computes in it.
pub(in crate::engine) struct CegarSpace<'p> {
    task: &'p Task,
    config: CegarConfig,
    pub(in crate::engine) budget: Budget,
    pub(in crate::engine) formulas: Formulas<'p>,
    solver: RangedSolver,
    pub(in crate::engine) precision: Precision,
    history: History,
    /// Predicates that the user gave.
    given: GivenPredicates,
    /// What executions suggested, once they were asked.
    learned: Option<Learned>,
    /// What holds at cut points, once it was looked for.
    facts: Option<Facts>,
    walks: Walks,
    /// Whether there were too many shapes of memory at one location.
    has_many_shapes: bool,
    /// Whether cells of memory were found that the search has not seen.
    is_behind: bool,
    pub(in crate::engine) controls: Controls,
    /// What prunes abstract branches by their traces, where the engine is `panda`.
    pub(in crate::engine) pruning: Option<Pruning>,
}

impl<'p> Cegar<'p> {
    pub(in crate::engine) fn new(
        task: &'p Task,
        config: &CegarConfig,
        budget: &Budget,
        arithmetic: Arithmetic,
    ) -> Result<Cegar<'p>, Stop> {
        let order = match config.search {
            SearchOrder::BreadthFirst => Order::BreadthFirst,
            SearchOrder::DepthFirst => Order::DepthFirst,
        };
        Ok(Cegar {
            space: CegarSpace::new(task, config, budget, arithmetic)?,
            search: Search::new(order),
            refinements: 0,
            resumed: 0,
            assumptions: Assumptions::default(),
            was_executed: false,
            found_predicates: String::new(),
        })
    }

    /// What a proof takes for granted: that accesses to memory which were found to be invalid are not.
    pub(in crate::engine) fn assumptions(&self) -> Assumptions {
        let mut assumptions = self.assumptions.clone();
        if self.space.formulas.blocks.init_faults() {
            assumptions.add("every access to memory before the program starts is valid".to_owned(), None);
        }
        assumptions
    }

    pub(in crate::engine) fn statistics(&self) -> Statistics {
        let arg = &self.search.arg;
        let stacks = &self.space.controls.stacks;
        let at = arg.nodes().map(|node| &**stacks.get(arg.control(node).stack));
        Statistics {
            busiest: busiest(&self.space.task.program, at),
            predicates: self.space.given.most_at_a_location() as u64,
            states: self.search.arg.created() as u64,
            transitions: self.search.progress(&self.space).transitions,
            queries: self.space.solver.process.statistics().queries
                + self.space.pruning.as_ref().map_or(0, Pruning::queries),
            refinements: self.refinements,
            resumed: self.resumed,
            found_predicates: self.found_predicates.clone(),
            ..Statistics::default()
        }
    }
}

impl<'p> CegarSpace<'p> {
    fn new(
        task: &'p Task,
        config: &CegarConfig,
        budget: &Budget,
        arithmetic: Arithmetic,
    ) -> Result<CegarSpace<'p>, Stop> {
        // Yices answers questions about bit-vectors several times as fast.
        let solver = match arithmetic {
            Arithmetic::Integers => budget.solver(config.solver.as_deref())?,
            Arithmetic::Bits => budget.quick_solver(config.solver.as_deref())?,
        };
        let solver = RangedSolver::new(solver);
        let mut formulas = Formulas::open(&task.program, &task.property, arithmetic, config.blocks, config.memory);
        let initial = formulas.init()?;
        let finite = finite::finite_variables(&task.program, &formulas.blocks);
        let indices = choices::indices(&task.program, &formulas.blocks);
        Ok(CegarSpace {
            task,
            config: config.clone(),
            budget: budget.clone(),
            formulas,
            solver,
            precision: Precision::new(config.scope, config.abstraction),
            history: History::new(config.max_values),
            given: GivenPredicates::of(config.predicates.as_deref(), &task.program),
            learned: None,
            facts: None,
            walks: Walks::new(initial, finite, indices),
            has_many_shapes: false,
            is_behind: false,
            controls: Controls::default(),
            pruning: None,
        })
    }

    fn program(&self) -> &'p Program {
        &self.task.program
    }

    /// What is at a stack; `None` where an execution ends without an error that counts.
    fn kind_at(&self, stack: &[Frame]) -> Option<Kind> {
        let top = stack.last().expect("a location stack has a top");
        let procedure = &self.program().procedures[top.procedure];
        match &procedure.locations[top.location].error {
            Some(failure) if self.task.property.counts(&failure.kind) => Some(Kind::Error),
            Some(_) => None,
            None if top.location == procedure.exit && stack.len() == 1 => Some(Kind::Exit),
            None => Some(Kind::Cut),
        }
    }

    /// The stack after an edge of the procedure on top has called and come back.
    fn after_call(&self, stack: &[Frame], edge: EdgeId) -> Vec<Frame> {
        let mut after = stack.to_vec();
        let top = after.last_mut().expect("a location stack has a top");
        top.location = self.program().procedures[top.procedure].edges[edge].target;
        after
    }
}
