//! Counterexample-guided abstraction refinement with abstraction of the call stack.
//!
//! The abstractor explores an abstract reachability graph whose steps are large blocks; what it keeps of data is a
//! precision: tracked variables and predicates. An error that it reaches is looked at by the refiner, which either
//! finds an execution or makes the precision finer. Calls of recursive procedures are popped when an earlier
//! activation covers them: its exits, as far as they are known, become the exits of the call.

mod backward;
mod change;
mod config;
mod control;
mod execute;
mod finite;
mod learn;
mod observe;
mod path;
mod post;
mod precision;
mod proof;
mod refiner;
mod relate;
mod resolve;
mod show;
mod space;
mod split;
mod state;
mod whole;

pub use config::{Abstraction, CegarConfig, Domain, PrecisionScope, Refinement, StackPolicy};
pub use show::graph;

use super::only_execution::only_execution;
use super::search::{Found, NodeId, Order, Search};
use super::{Assumptions, Budget, Claim, CutInvariants, Proof, Run, SearchOrder, Statistics, Stop, Task};
use crate::concrete::Trace;
use crate::formula::Formulas;
use crate::formula::blocks::{Blocks, Walk};
use crate::formula::encode::{Arithmetic, Suits, Transition, suits_integers};
use crate::program::control::Frame;
use crate::program::{EdgeId, LocId, ProcId, Program};
use crate::solver::Cascade;
use crate::term::{Symbol, TermId, Terms};
use control::{ActivationId, Kind, StackId, Stacks};
use precision::Precision;
use refiner::Refined;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Verifies by counterexample-guided abstraction refinement.
pub fn verify(task: &Task, config: &CegarConfig, budget: &Budget) -> Run {
    if config.domain == Domain::Product
        && let Some(run) = only_execution(task, budget)
    {
        return run;
    }
    let suits = suits_integers(&task.program);
    let leaves_floats_open = suits == Suits::ButForFloats;
    let mut earlier = Statistics::default();
    for arithmetic in arithmetics(suits) {
        let run = verify_with(task, config, budget, arithmetic);
        match &run.claim {
            Claim::Unknown(Stop::GaveUp(_)) if arithmetic == Arithmetic::Integers => earlier = run.statistics,
            Claim::Unknown(Stop::Unsupported { .. }) if leaves_floats_open && arithmetic == Arithmetic::Integers => {
                earlier = run.statistics;
            }
            _ => return Run { statistics: earlier.then(run.statistics), ..run },
        }
    }
    unreachable!("the last arithmetic always makes a claim")
}

/// How machine integers are expressed, in the order of trying: integers are quicker, but where they wrap an equation of
/// bit-vectors is many cases of theirs, and so is all arithmetic with floating-point numbers.
fn arithmetics(suits: Suits) -> Vec<Arithmetic> {
    match suits {
        Suits::Yes | Suits::ButForFloats => vec![Arithmetic::Integers, Arithmetic::Bits],
        Suits::No => vec![Arithmetic::Bits],
    }
}

fn verify_with(task: &Task, config: &CegarConfig, budget: &Budget, arithmetic: Arithmetic) -> Run {
    let mut cegar = match Cegar::new(task, config, budget, arithmetic) {
        Ok(cegar) => cegar,
        Err(stop) => return Run { claim: Claim::Unknown(stop), statistics: Statistics::default() },
    };
    let claim = match cegar.run() {
        Ok(Verdict::Safe) => {
            let assumptions = cegar.assumptions();
            Claim::Safe { proof: Proof::Cuts(Box::new(cegar.proof())), assumptions }
        }
        Ok(Verdict::Proved(proof)) => Claim::Safe { proof: Proof::Cuts(proof), assumptions: Assumptions::default() },
        Ok(Verdict::Unsafe(trace)) => Claim::Unsafe(trace),
        Err(stop) => Claim::Unknown(stop),
    };
    Run { claim, statistics: cegar.statistics() }
}

/// Where a block starts: the stack, and the values of tracked variables.
type Start = (StackId, Vec<(Symbol, TermId)>);

enum Verdict {
    /// By what the graph holds.
    Safe,
    /// By invariants of the whole program.
    Proved(Box<CutInvariants>),
    Unsafe(Trace),
}

/// The engine: its abstract state space, the search in it, and what the refiner found out.
struct Cegar<'p> {
    space: CegarSpace<'p>,
    search: Search<CegarSpace<'p>>,
    /// How many refinements there were.
    refinements: u64,
    /// What is taken for granted.
    assumptions: Assumptions,
    /// Whether the program was executed.
    was_executed: bool,
}

/// The abstract state space, with all that computes in it.
struct CegarSpace<'p> {
    task: &'p Task,
    config: CegarConfig,
    budget: Budget,
    terms: Terms,
    blocks: Blocks<'p>,
    init: Transition,
    /// The values that `init` leaves.
    first: FxHashMap<Symbol, TermId>,
    solver: Cascade,
    precision: Precision,
    walks: FxHashMap<Start, Rc<Walk>>,
    stacks: Stacks,
    /// The entries of the activations that were explored.
    entries: FxHashMap<ActivationId, NodeId>,
    /// How many activations there are.
    activations: u32,
    /// How often the precision was reduced before the search started.
    reduced_before: u64,
    globals: Vec<Symbol>,
    /// The variables that can only have values that are written in the program.
    finite: FxHashSet<Symbol>,
    /// Contexts, and whether they are possible.
    possible: FxHashMap<Box<[TermId]>, bool>,
    /// Symbols whose ranges the solver knows.
    ranged: FxHashSet<Symbol>,
    /// Whether every variable is tracked.
    tracks_everything: bool,
    /// Whether few values of an unknown number are told apart before a recursive call.
    splits: bool,
    /// The numbers that had many values there, with the changes of the precision then.
    unsplit: FxHashMap<(ProcId, LocId, Symbol), u64>,
    /// How many places of blocks were walked.
    walked: u64,
}

/// After how many refinements path by path the whole program is looked at once.
const PATIENCE: u64 = 12;

/// How many refinements, or questions to the solver, there are at most before integers are given up for bit-vectors.
const MOST_BY_INTEGERS: u64 = 30;
const MOST_QUERIES: u64 = 15_000;

/// How much work is done at most while every variable is tracked: places of blocks, and queries for as many each.
const EVERYTHING_WORK: u64 = 4_000_000;
const WORK_OF_QUERY: u64 = 200;

impl<'p> Cegar<'p> {
    fn new(task: &'p Task, config: &CegarConfig, budget: &Budget, arithmetic: Arithmetic) -> Result<Cegar<'p>, Stop> {
        let order = match config.search {
            SearchOrder::BreadthFirst => Order::BreadthFirst,
            SearchOrder::DepthFirst => Order::DepthFirst,
        };
        Ok(Cegar {
            space: CegarSpace::new(task, config, budget, arithmetic)?,
            search: Search::new(order),
            refinements: 0,
            assumptions: Assumptions::default(),
            was_executed: false,
        })
    }

    /// The loop: abstraction and refinement take turns (algorithm 2.1).
    fn run(&mut self) -> Result<Verdict, Stop> {
        if self.space.config.domain != Domain::Predicates {
            self.space.track_everything();
        }
        let budget = self.space.budget.clone();
        self.start()?;
        loop {
            let found = self.search.run(&mut self.space, &budget)?;
            if self.space.is_outdated()? {
                self.start()?;
                continue;
            }
            let Found::Target(error) = found else { return Ok(Verdict::Safe) };
            match self.refinement(error)? {
                Refined::Unsafe(trace) => return Ok(Verdict::Unsafe(trace)),
                Refined::Spurious if self.refinements == PATIENCE => {
                    if let Some(proof) = self.space.whole_program()? {
                        return Ok(Verdict::Proved(Box::new(proof)));
                    }
                }
                Refined::Spurious if self.diverges() => {
                    return Err(Stop::GaveUp("refinement diverges".to_owned()));
                }
                Refined::Spurious | Refined::Fault => {}
            }
        }
    }

    /// Starts the search, or starts it again with the precision that there is.
    fn start(&mut self) -> Result<(), Stop> {
        self.search.start(&mut self.space)
    }

    /// Whether there were so many refinements by integers that bit-vectors may do better.
    fn diverges(&self) -> bool {
        let queries = self.space.solver.statistics().queries;
        let much = self.refinements >= MOST_BY_INTEGERS || queries >= MOST_QUERIES;
        much && self.space.blocks.encoder().arithmetic() == Arithmetic::Integers
    }

    /// What a proof takes for granted: that accesses to memory which were found to be invalid are not.
    fn assumptions(&self) -> Assumptions {
        let mut assumptions = self.assumptions.clone();
        if self.space.blocks.init_faults() {
            assumptions.add("every access to memory before the program starts is valid".to_owned(), None);
        }
        assumptions
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            states: self.search.arg.created() as u64,
            transitions: self.search.progress(&self.space).transitions,
            queries: self.space.solver.statistics().queries,
            refinements: self.refinements,
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
        let program = &task.program;
        let solver = budget.solver(config.solver.as_deref())?;
        let Formulas { mut terms, mut blocks } = Formulas::open(program, &task.property, arithmetic, config.blocks);
        let (init, first) = blocks.init(&mut terms)?;
        Ok(CegarSpace {
            task,
            config: config.clone(),
            budget: budget.clone(),
            init,
            first,
            solver,
            precision: Precision::new(config),
            walks: FxHashMap::default(),
            stacks: Stacks::default(),
            entries: FxHashMap::default(),
            activations: 0,
            reduced_before: 0,
            globals: blocks.globals(),
            finite: finite::finite_variables(program, &blocks),
            possible: FxHashMap::default(),
            ranged: FxHashSet::default(),
            tracks_everything: false,
            splits: false,
            unsplit: FxHashMap::default(),
            walked: 0,
            terms,
            blocks,
        })
    }

    /// Tracks every variable at first: where that is enough, nothing is quicker.
    fn track_everything(&mut self) {
        let variables = self.program().variables.enumerate().map(|(id, _)| id);
        let symbols = variables.flat_map(|variable| self.blocks.encoder().symbols(variable));
        self.precision.tracked = symbols.chain(self.blocks.memory().symbols()).collect();
        self.tracks_everything = true;
    }

    /// Whether tracking everything takes too much work; counted, not timed, so that runs repeat.
    fn tracks_too_much(&self) -> bool {
        let work = self.walked + self.solver.statistics().queries * WORK_OF_QUERY;
        self.tracks_everything && work > EVERYTHING_WORK
    }

    /// Whether what was explored holds no longer: there are more cells of memory than before, tracking everything takes
    /// too much work, or a variable that had too many values is not tracked any more. What follows is forgotten here.
    fn is_outdated(&mut self) -> Result<bool, Stop> {
        if self.blocks.take_grown() {
            self.take_new_cells()?;
        } else if self.tracks_too_much() {
            self.tracks_everything = false;
            self.precision.track_on_demand();
        } else if self.precision.reductions() == self.reduced_before {
            return Ok(false);
        }
        self.walks.clear();
        Ok(true)
    }

    /// Takes over cells of memory that were not known before.
    fn take_new_cells(&mut self) -> Result<(), Stop> {
        // What `init` reads is in the tables before anything else is.
        loop {
            (self.init, self.first) = self.blocks.init(&mut self.terms)?;
            if !self.blocks.take_grown() {
                break;
            }
        }
        self.globals = self.blocks.globals();
        if self.tracks_everything {
            self.precision.tracked.extend(self.blocks.memory().symbols());
        }
        Ok(())
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
