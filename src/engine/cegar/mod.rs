//! Counterexample-guided abstraction refinement with abstraction of the call stack.
//!
//! The abstractor explores an abstract reachability graph whose steps are large blocks; what it keeps of data is a
//! precision: tracked variables and predicates. An error that it reaches is looked at by the refiner, which either
//! finds an execution or makes the precision finer. Calls of recursive procedures are popped when an earlier
//! activation covers them: its exits, as far as they are known, become the exits of the call.

mod abstractor;
mod backward;
mod change;
mod config;
mod execute;
mod finite;
mod graph;
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
mod split;
mod whole;

pub use config::{Abstraction, CegarConfig, Domain, PrecisionScope, Refinement, StackPolicy};
pub use show::graph;

use super::only_execution::only_execution;
use super::{Assumptions, Budget, Claim, CutInvariants, Proof, Run, Statistics, Stop, Task};
use crate::concrete::Trace;
use crate::formula::blocks::{Blocks, Code, Walk};
use crate::formula::encode::{Arithmetic, Encoder, Suits, Transition, suits_integers};
use crate::formula::memory::Memory;
use crate::program::control::Frame;
use crate::program::{EdgeId, LocId, ProcId, Program};
use crate::solver::SmtProcess;
use crate::term::{Symbol, TermId, Terms};
use abstractor::Explored;
use graph::{From, Graph, Kind, NodeId};
use precision::Precision;
use refiner::Refined;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
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
type Start = (Rc<[Frame]>, Vec<(Symbol, TermId)>);

enum Verdict {
    /// By what the graph holds.
    Safe,
    /// By invariants of the whole program.
    Proved(Box<CutInvariants>),
    Unsafe(Trace),
}

struct Cegar<'p> {
    task: &'p Task,
    config: CegarConfig,
    budget: Budget,
    terms: Terms,
    blocks: Blocks<'p>,
    init: Transition,
    /// The values that `init` leaves.
    first: FxHashMap<Symbol, TermId>,
    solver: SmtProcess,
    graph: Graph,
    precision: Precision,
    waitlist: VecDeque<NodeId>,
    walks: FxHashMap<Start, Rc<Walk>>,
    stacks: FxHashSet<Rc<[Frame]>>,
    globals: Vec<Symbol>,
    /// The variables that can only have values that are written in the program.
    finite: FxHashSet<Symbol>,
    /// Contexts, and whether they are possible.
    possible: FxHashMap<Box<[TermId]>, bool>,
    /// Symbols whose ranges the solver knows.
    ranged: FxHashSet<Symbol>,
    statistics: Statistics,
    /// What is taken for granted.
    assumptions: Assumptions,
    /// Whether every variable is tracked.
    tracks_everything: bool,
    /// Whether a variable is no longer tracked because it had too many values.
    tracks_less: bool,
    /// Whether the program was executed.
    was_executed: bool,
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
        let program = &task.program;
        let mut terms = Terms::new();
        let encoder = Encoder::with_arithmetic(program, &mut terms, arithmetic);
        let solver = budget.solver(config.solver.as_deref())?;
        let memory = Memory::new(program, &mut terms);
        let mut blocks = Blocks::new(program, &task.property, encoder, memory, config.blocks);
        let (init, first) = blocks.init(&mut terms)?;
        Ok(Cegar {
            task,
            config: config.clone(),
            budget: budget.clone(),
            init,
            first,
            solver,
            graph: Graph::default(),
            precision: Precision::new(config),
            waitlist: VecDeque::new(),
            walks: FxHashMap::default(),
            stacks: FxHashSet::default(),
            globals: blocks.globals(),
            finite: finite::finite_variables(program, &blocks),
            possible: FxHashMap::default(),
            ranged: FxHashSet::default(),
            statistics: Statistics::default(),
            assumptions: Assumptions::default(),
            tracks_everything: false,
            tracks_less: false,
            was_executed: false,
            splits: false,
            unsplit: FxHashMap::default(),
            walked: 0,
            terms,
            blocks,
        })
    }

    /// The loop: abstraction and refinement take turns (algorithm 2.1).
    fn run(&mut self) -> Result<Verdict, Stop> {
        if self.config.domain != Domain::Predicates {
            self.track_everything();
        }
        self.start()?;
        loop {
            match self.abstraction()? {
                Explored::Safe => return Ok(Verdict::Safe),
                Explored::Unsafe(error) => match self.refinement(error)? {
                    Refined::Unsafe(trace) => return Ok(Verdict::Unsafe(trace)),
                    Refined::Spurious if self.statistics.refinements == PATIENCE => {
                        if let Some(proof) = self.whole_program()? {
                            return Ok(Verdict::Proved(Box::new(proof)));
                        }
                    }
                    Refined::Spurious if self.diverges() => {
                        return Err(Stop::GaveUp("refinement goes on and on".to_owned()));
                    }
                    Refined::Spurious | Refined::Fault => {}
                },
            }
        }
    }

    /// Whether there were so many refinements by integers that bit-vectors may do better.
    fn diverges(&self) -> bool {
        let much = self.statistics.refinements >= MOST_BY_INTEGERS || self.solver.statistics().queries >= MOST_QUERIES;
        much && self.blocks.encoder().arithmetic() == Arithmetic::Integers
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

    /// Begins again with variables tracked only where a refinement asks for it.
    fn track_on_demand(&mut self) -> Result<(), Stop> {
        self.tracks_everything = false;
        self.precision.track_on_demand();
        self.walks.clear();
        self.restart()
    }

    /// Puts the initial states into the graph.
    fn start(&mut self) -> Result<(), Stop> {
        let program = self.program();
        let entry = program.procedures[program.main].entry;
        let stack = self.stack(&[Frame { procedure: program.main, location: entry, call: None }]);
        let Some(kind) = self.kind_at(&stack) else { return Ok(()) };
        let context = [self.init.guard];
        let values = self.first.clone();
        for state in self.successors(&context, &values, &stack, kind)? {
            let entry = self.graph.enter(program.main, Rc::clone(&stack), kind, state, From::Start);
            self.enqueue(entry);
        }
        Ok(())
    }

    /// Begins again with the precision that there is.
    fn restart(&mut self) -> Result<(), Stop> {
        self.graph = Graph::default();
        self.graph.changes = self.precision.changes();
        self.waitlist.clear();
        self.start()
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

    /// The stack, kept once.
    fn stack(&mut self, stack: &[Frame]) -> Rc<[Frame]> {
        if let Some(known) = self.stacks.get(stack) {
            return Rc::clone(known);
        }
        let new: Rc<[Frame]> = stack.into();
        self.stacks.insert(Rc::clone(&new));
        new
    }

    /// The stack after an edge of the procedure on top has called and come back.
    fn after_call(&self, stack: &[Frame], edge: EdgeId) -> Vec<Frame> {
        let mut after = stack.to_vec();
        let top = after.last_mut().expect("a location stack has a top");
        top.location = self.program().procedures[top.procedure].edges[edge].target;
        after
    }

    /// What the call of a node does.
    fn call_code(&mut self, node: NodeId, edge: EdgeId) -> Result<Rc<Code>, Stop> {
        let node = self.graph.node(node);
        Ok(self.blocks.code(&mut self.terms, &node.stack, edge, &node.state.values)?)
    }

    /// Begins again because there are more cells of memory than before.
    fn begin_with_more_cells(&mut self) -> Result<(), Stop> {
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
        self.walks.clear();
        self.restart()
    }

    /// What a proof takes for granted: that accesses to memory which were found to be invalid are not.
    fn assumptions(&self) -> Assumptions {
        let mut assumptions = self.assumptions.clone();
        if self.blocks.init_faults() {
            assumptions.add("every access to memory before the program starts is valid".to_owned(), None);
        }
        assumptions
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            states: self.graph.created(),
            queries: self.solver.statistics().queries,
            ..self.statistics.clone()
        }
    }
}
