//! Plain symbolic execution: every path as far as time and the bound allow, nothing abstracted.
//!
//! A step is a large block of `formula::blocks`, in which ways that come together are merged; at cut points, symbolic
//! states that wait at one place are merged too (`merge.rs`). What a state needs of the solver is asked on top of what its
//! path has asserted already, and not at all where the values of an earlier answer do (`feasible.rs`). A search that
//! ends with nothing left out hands out its states as a proof, an unrolling (`proof.rs`). What is tried in which order is
//! in `strategy.rs`.

mod call;
mod config;
mod distance;
mod feasible;
mod limits;
mod loops;
mod merge;
mod onward;
mod position;
mod proof;
mod space;
mod state;
mod strategy;
mod trace;

pub use config::{BoundedConfig, BoundedOrder, Merging};
pub(in crate::engine) use proof::OverInputs;
pub use strategy::verify;

use super::search::{Order, Search};
use super::stacks::busiest;
use super::{Budget, Statistics, Stop, Task};
use crate::formula::Formulas;
use crate::formula::blocks::BlockSize;
use crate::formula::encode::{Arithmetic, Transition};
use crate::program::control::Frame;
use feasible::PathSolver;
use merge::Apart;
use onward::Onward;
use position::Positions;
use proof::Explored;

/// One search: its space, and why a failure that looked possible is none.
struct Bounded<'p> {
    space: BoundedSpace<'p>,
    search: Search<BoundedSpace<'p>>,
    /// Why a path that looked feasible could not be executed.
    not_executed: Option<Stop>,
}

/// The symbolic states of a task, with all that computes in them.
struct BoundedSpace<'p> {
    task: &'p Task,
    config: BoundedConfig,
    budget: Budget,
    formulas: Formulas<'p>,
    solver: PathSolver,
    /// What `init` does.
    init: Transition,
    positions: Positions,
    apart: Apart,
    onward: Onward,
    /// What a proof is made of.
    explored: Explored,
}

impl<'p> Bounded<'p> {
    fn new(
        task: &'p Task,
        config: &BoundedConfig,
        merging: Merging,
        budget: &Budget,
        arithmetic: Arithmetic,
    ) -> Result<Bounded<'p>, Stop> {
        let mut formulas = Formulas::open(&task.program, &task.property, arithmetic, BlockSize::Large, config.memory);
        formulas.terms.set_unrolled();
        let init = Transition::identity(&mut formulas.terms);
        let positions = Positions::of(&task.program, &task.property, formulas.blocks.cuts());
        let space = BoundedSpace {
            task,
            config: BoundedConfig { order: config.order_of(merging), ..config.clone() },
            budget: budget.clone(),
            formulas,
            solver: PathSolver::new(budget.quick_solver(config.solver.as_deref())?, arithmetic),
            init,
            positions,
            apart: Apart::new(merging),
            onward: Onward::new(merging, config),
            explored: Explored::default(),
        };
        Ok(Bounded { space, search: Search::new(Order::Priority), not_executed: None })
    }

    fn statistics(&self) -> Statistics {
        let arg = &self.search.arg;
        let inner = arg.nodes().filter(|node| !self.space.fails(arg.control(*node)));
        let waiting = self.search.waiting().map(|node| u64::from(arg.state(node).depth)).min();
        let depth = inner.map(|node| u64::from(arg.state(node).depth)).max().unwrap_or(0);
        let stacks = arg.nodes().map(|node| &**self.space.positions.stack(arg.control(node)));
        Statistics {
            // One of the depth before may have been left in the middle.
            passes: waiting.unwrap_or(depth).saturating_sub(1),
            busiest: busiest(&self.space.task.program, stacks),
            states: arg.len() as u64,
            transitions: self.search.progress(&self.space).transitions,
            depth,
            queries: self.space.solver.queries(),
            ..Statistics::default()
        }
    }
}

impl BoundedSpace<'_> {
    /// The location stack where executions start.
    fn entry(&self) -> [Frame; 1] {
        let program = &self.task.program;
        [Frame { procedure: program.main, location: program.procedures[program.main].entry, call: None }]
    }

    /// Whether there is an error at a stack, and whether it counts.
    fn failure_at(&self, stack: &[Frame]) -> Option<bool> {
        let top = stack.last().expect("a location stack has a top");
        let failure = self.task.program.procedures[top.procedure].locations[top.location].error.as_ref()?;
        Some(self.task.property.counts(&failure.kind))
    }
}
