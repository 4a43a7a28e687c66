//! The strategy. Two searches run side by side, because neither merging is best for all: one keeps apart what differs in
//! the values that are known, the other merges all. Each takes integers first, where they suit the program, and
//! bit-vectors where too many questions about integers stay open; but see `arithmetics`.

use super::limits::MAX_UNANSWERED;
use super::trace::Followed;
use super::{Bounded, BoundedConfig, Merging};
use crate::concrete::{Trace, replay};
use crate::engine::only_execution::only_execution;
use crate::engine::search::{Found, NodeId};
use crate::engine::{Assumptions, Budget, Claim, Proof, Run, Statistics, Stop, Task};
use crate::formula::arithmetic::by_integers;
use crate::formula::encode::Arithmetic;
use crate::system::patience::{TICK, Waiting, grace};
use crate::system::stack::deep_thread;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Looks for an execution that violates the property, by symbolic execution.
pub fn verify(task: &Task, config: &BoundedConfig, budget: &Budget) -> Run {
    if config.steps.is_none()
        && let Some(run) = only_execution(task, budget)
    {
        return run;
    }
    match config.merging {
        Some(merging) => search(task, config, merging, budget, &Arc::default()).run,
        None => side_by_side(task, config, &[Merging::Known, Merging::All], budget),
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
    let mut statistics = Statistics::default();
    for (arithmetic, part) in arithmetics(task, config, merging, budget) {
        let mut bounded = match Bounded::new(task, config, merging, &part, arithmetic) {
            Ok(bounded) => bounded,
            Err(stop) => return Searched { run: Run { claim: Claim::Unknown(stop), statistics }, decides: false },
        };
        bounded.space.solver.set_interrupt(decided);
        let ended = bounded.run();
        statistics = statistics.then(bounded.statistics());
        let (claim, decides) = match ended {
            Ok(SearchEnd::Unsafe(trace)) => (Claim::Unsafe(trace), true),
            Ok(SearchEnd::IntegersUnanswered) => continue,
            Err(_) if part.check().is_err() && budget.check().is_ok() => continue,
            Ok(SearchEnd::Complete) => bounded.claim(),
            Err(stop) => (Claim::Unknown(stop), false),
        };
        return Searched { run: Run { claim, statistics }, decides };
    }
    unreachable!("the last arithmetic always makes a claim")
}

/// Which part of the time that is left the search that merges all has with bit-vectors, before integers. Of 42 small programs
/// as people write them, 14 s each, integers decide two more (a binary search and a sort of sixteen elements) and are three
/// times as quick on two; bit-vectors, where they are quicker (sums over arrays, calendars), need less than 2 s.
const PART_OF_BITS: u32 = 4;

/// The same where there is no limit.
const LONGEST_BITS: Duration = Duration::from_secs(10);

/// With what a search computes, and for how long; the next where the one before does not answer.
fn arithmetics(task: &Task, config: &BoundedConfig, merging: Merging, budget: &Budget) -> Vec<(Arithmetic, Budget)> {
    let is_beside = config.merging.is_none() && merging == Merging::All;
    let mut all = Vec::new();
    if by_integers(&task.program) {
        if is_beside {
            let time = budget.remaining().map_or(LONGEST_BITS, |left| left / PART_OF_BITS);
            all.push((Arithmetic::Bits, budget.at_most(time)));
        }
        all.push((Arithmetic::Integers, budget.clone()));
    }
    all.push((Arithmetic::Bits, budget.clone()));
    all
}

/// How a search ended.
enum SearchEnd {
    /// An execution fails.
    Unsafe(Trace),
    /// So many questions about integers stayed open that bit-vectors may do better.
    IntegersUnanswered,
    /// Nothing waits any more.
    Complete,
}

impl Bounded<'_> {
    /// Executes symbolically until there is a violation, or nothing is left.
    fn run(&mut self) -> Result<SearchEnd, Stop> {
        let budget = self.space.budget.clone();
        let is_by_integers = self.space.formulas.blocks.encoder().arithmetic() == Arithmetic::Integers;
        self.search.start(&mut self.space)?;
        loop {
            let found = self.search.run_until(&mut self.space, &budget, |space, _| {
                space.onward.is_due() || is_by_integers && space.solver.unanswered() >= MAX_UNANSWERED
            })?;
            match found {
                Found::Complete => return Ok(SearchEnd::Complete),
                Found::Paused => match self.space.onward.take() {
                    Some(node) => {
                        if let Some(trace) = self.executed_from(node)? {
                            return Ok(SearchEnd::Unsafe(trace));
                        }
                    }
                    None => return Ok(SearchEnd::IntegersUnanswered),
                },
                Found::Target(failing) => {
                    if let Some(trace) = self.examine(failing)? {
                        return Ok(SearchEnd::Unsafe(trace));
                    }
                }
            }
        }
    }

    /// The execution that fails there, if there is one.
    fn examine(&mut self, failing: NodeId) -> Result<Option<Trace>, Stop> {
        let examination = self.space.follow_path(&self.search.arg, failing)?;
        let stop = match examination.followed {
            Followed::Trace(trace) => match self.why_not_real(&trace) {
                None => return Ok(Some(trace)),
                stop => stop,
            },
            Followed::Elsewhere => Some(Stop::GaveUp("a path that was explored could not be followed".to_owned())),
            Followed::NoModel => None,
        };
        if self.not_executed.is_none() {
            self.not_executed = stop;
        }
        if examination.cells_changed {
            self.search.start(&mut self.space)?;
        }
        Ok(None)
    }

    /// What is only approximated can make a path look feasible.
    fn why_not_real(&self, trace: &Trace) -> Option<Stop> {
        let first = self.space.formulas.blocks.approximated().first()?;
        let task = self.space.task;
        replay(&task.program, &task.property, trace).err()?;
        let construct = format!("{}, on which a possible counterexample depends,", first.construct);
        Some(Stop::Unsupported { construct, span: first.span })
    }

    /// What to say where nothing was found, and whether no other search can say more: another one may know more of what
    /// this one only approximates.
    fn claim(&mut self) -> (Claim, bool) {
        if let Some(stop) = self.not_executed.take() {
            return (Claim::Unknown(stop), false);
        }
        let unanswered = self.space.solver.unanswered();
        if unanswered > 0 {
            let stop = Stop::Solver(format!("{unanswered} times on paths to errors"));
            return (Claim::Unknown(stop), false);
        }
        if let Some(steps) = self.space.config.steps
            && self.search.has_parked()
        {
            let message = format!("no execution of at most {steps} rounds of loops and recursive calls fails");
            return (Claim::Unknown(Stop::GaveUp(message)), true);
        }
        match self.proof() {
            Ok(proof) => {
                let proof = Proof::Unrolling(Box::new(proof));
                (Claim::Safe { proof, assumptions: Assumptions::default() }, true)
            }
            Err(why) => (Claim::Unknown(Stop::GaveUp(format!("no execution fails, but {why}"))), false),
        }
    }
}
