//! Plain symbolic execution: every path as far as time and the bound allow, nothing abstracted.
//!
//! A step is a large block of `formula::blocks`, in which ways that come together are merged; at cut points, symbolic
//! states that wait at one place are merged too. Two searches run side by side: one keeps apart what differs in the values
//! that are known, the other merges all, so that there is one formula a round. What a state needs of the solver is asked
//! on top of what its path has asserted already, and not at all where the values of an earlier answer do. A search that
//! ends with nothing left out hands out its states as a proof, an unrolling.

mod call;
mod config;
mod distance;
mod feasible;
mod limits;
mod merge;
mod proof;
mod trace;

pub use config::{BoundedConfig, BoundedOrder, Merging};

use crate::concrete::{Trace, replay};
use crate::engine::only_execution::only_execution;
use crate::engine::{Assumptions, Budget, Claim, Progress, Proof, Run, Statistics, Stop, Task};
use crate::formula::Formulas;
use crate::formula::arithmetic::by_integers;
use crate::formula::blocks::{BlockSize, End, EndKind, Reading};
use crate::formula::encode::{Arithmetic, Transition};
use crate::program::control::{Flow, Frame};
use crate::solver::Cascade;
use crate::system::patience::{TICK, Waiting, grace};
use crate::system::stack::deep_thread;
use crate::term::{Assignment, Op, Symbol, TermId};
use call::{Caller, CallerId};
use distance::Distances;
use limits::{MAX_UNANSWERED, QUERY_LIMIT};
use merge::Key;
use proof::Explored;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Instant;

/// Looks for an execution that violates the property, by symbolic execution.
pub fn verify(task: &Task, config: &BoundedConfig, budget: &Budget) -> Run {
    if config.steps.is_none()
        && let Some(run) = only_execution(task, budget)
    {
        return run;
    }
    let mergings: &[Merging] = match &config.merging {
        Some(merging) => &[*merging],
        None => &[Merging::Known, Merging::All],
    };
    match mergings {
        [merging] => search(task, config, *merging, budget, &Arc::default()).run,
        several => side_by_side(task, config, several, budget),
    }
}

/// What came of a search.
struct Searched {
    run: Run,
    /// Whether no other search can say more.
    decides: bool,
}

/// Does the searches at the same time, until one decides. The others end when they notice.
fn side_by_side(task: &Task, config: &BoundedConfig, mergings: &[Merging], budget: &Budget) -> Run {
    let decided = Arc::new(AtomicBool::new(false));
    let shared = Arc::new((task.clone(), config.clone(), budget.until(Arc::clone(&decided))));
    let (sender, receiver) = channel();
    let mut running = 0;
    for &merging in mergings {
        let (shared, decided, sender) = (Arc::clone(&shared), Arc::clone(&decided), sender.clone());
        let work = move || {
            let (task, config, budget) = &*shared;
            let searched = catch_unwind(AssertUnwindSafe(|| search(task, config, merging, budget, &decided)));
            // Nobody waits for it any more where another one decided.
            let _ = sender.send(searched);
        };
        running += usize::from(deep_thread("tandem-search", work).is_ok());
    }
    let mut statistics = Statistics::default();
    let mut open = Stop::GaveUp("no search could be started".to_owned());
    let mut over: Option<Instant> = None;
    while running > 0 {
        match receiver.recv_timeout(TICK) {
            Ok(Ok(Searched { run, decides })) => {
                running -= 1;
                statistics = statistics.then(run.statistics);
                match run.claim {
                    Claim::Unknown(stop) if !decides => open = stop,
                    claim => {
                        decided.store(true, Ordering::Relaxed);
                        return Run { claim, statistics };
                    }
                }
            }
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => {
                let Err(stop) = budget.check() else { continue };
                if over.get_or_insert_with(Instant::now).elapsed() > grace(Waiting::ForSearch, budget.limit()) {
                    return Run { claim: Claim::Unknown(stop), statistics };
                }
            }
        }
    }
    Run { claim: Claim::Unknown(open), statistics }
}

/// One search: with integers where they suit the program, and with bit-vectors where the solver does not answer.
fn search(
    task: &Task,
    config: &BoundedConfig,
    merging: Merging,
    budget: &Budget,
    decided: &Arc<AtomicBool>,
) -> Searched {
    let arithmetics: &[Arithmetic] = match by_integers(&task.program) {
        true => &[Arithmetic::Integers, Arithmetic::Bits],
        false => &[Arithmetic::Bits],
    };
    let mut statistics = Statistics::default();
    for &arithmetic in arithmetics {
        let mut bounded = match Bounded::new(task, config, merging, budget, arithmetic) {
            Ok(bounded) => bounded,
            Err(stop) => return Searched { run: Run { claim: Claim::Unknown(stop), statistics }, decides: false },
        };
        bounded.solver.set_interrupt(Some(Arc::clone(decided)));
        let found = bounded.search();
        statistics = statistics.then(bounded.statistics());
        let (claim, decides) = match found {
            Ok(Some(trace)) => (Claim::Unsafe(trace), true),
            Ok(None) if bounded.gives_up_integers() => continue,
            Ok(None) => match bounded.nothing_found() {
                // The other search may know more of what this one only approximates.
                Claim::Unknown(stop) => (Claim::Unknown(stop), bounded.is_complete() && bounded.is_cut_off),
                safe => (safe, true),
            },
            Err(stop) => (Claim::Unknown(stop), false),
        };
        return Searched { run: Run { claim, statistics }, decides };
    }
    unreachable!("the last arithmetic always makes a claim")
}

/// Where a state is: its stack and caller, and how many blocks lead there.
type Place = (Rc<[Frame]>, Option<CallerId>, u32);

/// The number of a node.
type NodeId = usize;

/// A symbolic state in the tree of executions; those that wait at one place can be merged.
struct Node {
    /// The last node before it with conditions that matter for what follows.
    above: Option<NodeId>,
    /// What has to hold besides what the nodes above it say.
    conditions: Vec<TermId>,
    /// The last node, perhaps this one, all of whose values are constants: what led there does not matter any more.
    base: NodeId,
    /// What led to this one, if it is such a node: the one before, and the conditions.
    before: Option<(NodeId, Vec<TermId>)>,
    /// How many blocks lead to it.
    depth: u32,
    /// Where its block leads, and when.
    next: Vec<(Vec<TermId>, NodeId)>,
    /// Until it is expanded.
    state: Option<State>,
    /// Its state from then on, as long as a proof may be made of it.
    explored: Option<State>,
}

/// What is known where an execution is.
struct State {
    /// The location stack of the activation of a recursive procedure, or of the main one.
    stack: Rc<[Frame]>,
    /// Who called that.
    caller: Option<CallerId>,
    /// The values of variables, over copies of inputs.
    values: FxHashMap<Symbol, TermId>,
    /// Values of the symbols in them with which executions come here; none if the solver gave no answer.
    model: Option<Rc<Assignment>>,
}

struct Bounded<'p> {
    task: &'p Task,
    config: BoundedConfig,
    merging: Merging,
    budget: Budget,
    formulas: Formulas<'p>,
    solver: Cascade,
    init: Transition,
    nodes: Vec<Node>,
    waiting: BinaryHeap<Reverse<(u64, NodeId)>>,
    callers: Vec<Caller>,
    caller_ids: FxHashMap<Caller, CallerId>,
    /// The nodes that wait, by what has to agree for them to be merged.
    open: FxHashMap<Key, NodeId>,
    keys: FxHashMap<NodeId, Key>,
    /// How many nodes that are not constant there were at a place and depth.
    crowds: FxHashMap<Place, usize>,
    /// States all of whose values are constants, with their depths and nodes.
    seen: FxHashMap<Key, (u32, NodeId)>,
    /// The nodes whose conditions the solver has.
    levels: Vec<NodeId>,
    /// Guards that speak only of what is read where they are, in terms of what the place calls it, and values of that
    /// with which they hold.
    alone: FxHashMap<Vec<TermId>, Option<Assignment>>,
    /// Variables whose first values conditions speak of.
    first_values: FxHashSet<Symbol>,
    tracked: FxHashSet<Symbol>,
    distances: Distances,
    /// How many questions the solver did not answer.
    unanswered: u64,
    /// Whether the bound kept a node from being expanded.
    is_cut_off: bool,
    /// Why a path that looked feasible was not.
    approximated: Option<Stop>,
    transitions: u64,
    /// What a proof is made of.
    explored: Explored,
}

/// What came of expanding a node.
enum Expanded {
    Done,
    Violation(Trace),
    /// Memory has cells that were not known of before.
    Grown,
}

impl<'p> Bounded<'p> {
    fn new(
        task: &'p Task,
        config: &BoundedConfig,
        merging: Merging,
        budget: &Budget,
        arithmetic: Arithmetic,
    ) -> Result<Bounded<'p>, Stop> {
        let program = &task.program;
        let mut formulas = Formulas::open(program, &task.property, arithmetic, BlockSize::Large);
        let mut solver = budget.quick_solver(config.solver.as_deref())?;
        solver.set_query_limit(QUERY_LIMIT);
        let init = Transition::identity(&mut formulas.terms);
        Ok(Bounded {
            task,
            config: config.clone(),
            merging,
            budget: budget.clone(),
            solver,
            init,
            nodes: Vec::new(),
            waiting: BinaryHeap::new(),
            callers: Vec::new(),
            caller_ids: FxHashMap::default(),
            open: FxHashMap::default(),
            keys: FxHashMap::default(),
            crowds: FxHashMap::default(),
            seen: FxHashMap::default(),
            levels: Vec::new(),
            alone: FxHashMap::default(),
            first_values: FxHashSet::default(),
            tracked: FxHashSet::default(),
            distances: Distances::of(program, &Flow::of(program), &task.property),
            unanswered: 0,
            is_cut_off: false,
            approximated: None,
            transitions: 0,
            explored: Explored::default(),
            formulas,
        })
    }

    /// Executes symbolically until there is a violation, or nothing is left.
    fn search(&mut self) -> Result<Option<Trace>, Stop> {
        self.start()?;
        while let Some(Reverse((_, node))) = self.waiting.pop() {
            self.budget.check()?;
            let Some(state) = self.nodes[node].state.take() else { continue };
            self.forget_open(node);
            if self.config.steps.is_some_and(|most| self.nodes[node].depth >= most) {
                self.is_cut_off = true;
                continue;
            }
            match self.expand(node, &state)? {
                Expanded::Done => self.remember(node, state),
                Expanded::Violation(trace) => return Ok(Some(trace)),
                Expanded::Grown => self.start()?,
            }
            self.report();
            if self.gives_up_integers() {
                break;
            }
        }
        Ok(None)
    }

    /// Whether so many questions about integers stayed open that bit-vectors may do better.
    fn gives_up_integers(&self) -> bool {
        self.unanswered >= MAX_UNANSWERED && self.formulas.blocks.encoder().arithmetic() == Arithmetic::Integers
    }

    /// Begins, or begins again, with the initial state.
    fn start(&mut self) -> Result<(), Stop> {
        let (init, values) = self.formulas.init()?;
        self.init = init;
        self.switch_to(None);
        self.nodes.clear();
        self.waiting.clear();
        self.open.clear();
        self.keys.clear();
        self.crowds.clear();
        self.seen.clear();
        self.explored = Explored::default();
        let program = &self.task.program;
        let variables = program.variables.enumerate().map(|(id, _)| id);
        let symbols = variables.flat_map(|variable| self.formulas.blocks.encoder().symbols(variable));
        self.tracked = match self.merging {
            Merging::Known => symbols.chain(self.formulas.blocks.memory().symbols()).collect(),
            Merging::All => FxHashSet::default(),
        };
        let entry = program.procedures[program.main].entry;
        let stack: Rc<[Frame]> = [Frame { procedure: program.main, location: entry, call: None }].into();
        let guard = vec![self.init.guard];
        let own: Vec<Symbol> = self.init.own_symbols().collect();
        if let Some((conditions, model)) = self.feasible(None, Some(&Assignment::default()), &guard, &values, &own)? {
            self.add(None, conditions, 0, State { stack, caller: None, values, model });
        }
        Ok(())
    }

    /// Takes the block of a node to its ends.
    fn expand(&mut self, node: NodeId, state: &State) -> Result<Expanded, Stop> {
        let values: Vec<(Symbol, TermId)> = state.values.iter().map(|(symbol, value)| (*symbol, *value)).collect();
        let budget = &self.budget;
        let stop = || budget.check().is_err();
        let reading = Reading::At(time_of(node));
        let walk = self.formulas.blocks.walk_reading(
            &mut self.formulas.terms,
            &state.stack,
            &values,
            &self.tracked,
            reading,
            &stop,
        );
        let mut walk = walk.map_err(|error| self.budget.stop_of_walk(error))?;
        if self.formulas.blocks.take_grown() {
            return Ok(Expanded::Grown);
        }
        // Errors first: nothing is of more interest.
        walk.ends.sort_by_key(|end| end.kind != EndKind::Error);
        for end in walk.ends {
            self.transitions += 1;
            if end.kind == EndKind::Fault {
                continue;
            }
            let model = state.model.as_deref();
            let Some((conditions, model)) = self.feasible(Some(node), model, &end.guard, &end.values, &walk.read)?
            else {
                continue;
            };
            if end.kind == EndKind::Error {
                match self.violation(node, &conditions)? {
                    Some(trace) => return Ok(Expanded::Violation(trace)),
                    None => continue,
                }
            }
            if let Some(grown) = self.arrive(node, state, end, conditions, model)? {
                return Ok(grown);
            }
        }
        Ok(Expanded::Done)
    }

    /// Goes on from the end of a block.
    fn arrive(
        &mut self,
        node: NodeId,
        state: &State,
        end: End,
        mut conditions: Vec<TermId>,
        model: Option<Rc<Assignment>>,
    ) -> Result<Option<Expanded>, Stop> {
        let after = State { stack: end.stack.into(), caller: state.caller, values: end.values, model };
        let mut next = match end.kind {
            EndKind::Cut | EndKind::Exit => after,
            EndKind::Call(edge) => {
                let (entered, guard) = self.apply_call(after, edge, time_of(node))?;
                if self.formulas.blocks.take_grown() {
                    return Ok(Some(Expanded::Grown));
                }
                if self.formulas.terms.op(guard) != &Op::Bool(true) {
                    conditions.push(guard);
                }
                entered
            }
            EndKind::Error | EndKind::Fault => unreachable!("nothing goes on from there"),
        };
        while self.formulas.blocks.has_ended(&next.stack) {
            let Some(caller) = self.apply_exit(next) else { return Ok(None) };
            next = caller;
        }
        match self.failure_at(&next.stack) {
            Some(true) => return Ok(self.violation(node, &conditions)?.map(Expanded::Violation)),
            // What is wrong but does not count ends the execution all the same.
            Some(false) => return Ok(None),
            None => {}
        }
        let depth = self.nodes[node].depth + 1;
        self.add(Some((node, end.guard)), conditions, depth, next);
        Ok(None)
    }

    /// Whether there is an error at a stack, and whether it counts.
    fn failure_at(&self, stack: &[Frame]) -> Option<bool> {
        let top = stack.last().expect("a location stack has a top");
        let failure = self.task.program.procedures[top.procedure].locations[top.location].error.as_ref()?;
        Some(self.task.property.counts(&failure.kind))
    }

    /// Adds a node after another, unless one like it was there, or waits to be merged with.
    fn add(&mut self, from: Option<(NodeId, Vec<TermId>)>, conditions: Vec<TermId>, depth: u32, state: State) {
        let parent = from.as_ref().map(|(node, _)| *node);
        let to = self.merged(parent, conditions, depth, state);
        if let Some((node, guard)) = from {
            self.nodes[node].next.push((guard, to));
        }
    }

    /// In which order nodes are expanded, the least first.
    fn priority(&self, node: NodeId, depth: u32, stack: &[Frame], caller: Option<CallerId>) -> u64 {
        match self.config.order {
            BoundedOrder::Breadth => u64::from(depth),
            BoundedOrder::Depth => u64::MAX - node as u64,
            BoundedOrder::Distance => self.distance(stack, caller),
        }
    }

    /// The execution by which a node's block leads to an error, if it is one.
    fn violation(&mut self, node: NodeId, conditions: &[TermId]) -> Result<Option<Trace>, Stop> {
        let Some(trace) = self.trace(node, conditions)? else { return Ok(None) };
        // What is only approximated can make a path look feasible.
        if replay(&self.task.program, &self.task.property, &trace).is_err()
            && let Some(first) = self.formulas.blocks.approximated().first()
        {
            let construct = format!("{}, on which a possible counterexample depends,", first.construct);
            self.approximated.get_or_insert(Stop::Unsupported { construct, span: first.span });
            return Ok(None);
        }
        Ok(Some(trace))
    }

    /// Whether all executions were followed, as far as the bound allows.
    fn is_complete(&self) -> bool {
        self.approximated.is_none() && self.unanswered == 0
    }

    /// What to say where nothing was found.
    fn nothing_found(&mut self) -> Claim {
        if let Some(stop) = self.approximated.take() {
            return Claim::Unknown(stop);
        }
        match self.config.steps {
            _ if self.unanswered > 0 => {
                Claim::Unknown(Stop::Solver(format!("{} times on paths to errors", self.unanswered)))
            }
            Some(steps) if self.is_cut_off => Claim::Unknown(Stop::GaveUp(format!(
                "no execution of at most {steps} rounds of loops and recursive calls fails"
            ))),
            _ => match self.proof() {
                Ok(proof) => {
                    Claim::Safe { proof: Proof::Unrolling(Box::new(proof)), assumptions: Assumptions::default() }
                }
                Err(why) => Claim::Unknown(Stop::GaveUp(format!("no execution fails, but {why}"))),
            },
        }
    }

    fn report(&self) {
        self.budget.report(Progress {
            states: self.nodes.len() as u64,
            transitions: self.transitions,
            waiting: self.waiting.len() as u64,
        });
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            states: self.nodes.len() as u64,
            transitions: self.transitions,
            depth: self.nodes.iter().map(|node| u64::from(node.depth)).max().unwrap_or(0),
            queries: self.solver.statistics().queries,
            ..Statistics::default()
        }
    }
}

/// The time at which the block of a node reads its inputs.
fn time_of(node: NodeId) -> u32 {
    u32::try_from(node).expect("there are not as many nodes as that")
}
