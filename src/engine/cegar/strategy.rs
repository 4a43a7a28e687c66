//! The strategy: abstraction and refinement take turns (algorithm 2.1), and where a means does not suffice the next one
//! is tried: everything tracked → facts → variables on demand → learning from executions → Horn clauses → bit-vectors.
//!
//! Each step of this escalation is a question (`learning`) and an action (`learn`).

use super::limits::{
    MAX_OBJECTS_BY_NUMBER, MAX_OBJECTS_WITH_PREDICATES, MAX_QUERIES_BY_INTEGERS, MAX_REFINEMENTS_BY_INTEGERS,
    MAX_WORK_TRACKING_EVERYTHING, REFINEMENTS_BEFORE_FACTS, REFINEMENTS_BEFORE_HORN, WORK_OF_QUERY,
};
use super::refiner::Examined;
use super::{Cegar, CegarConfig, CegarSpace, DomainChoice, Refinement, RunEnd};
use crate::domain::Tracking;
use crate::engine::search::Found;
use crate::engine::{Budget, Claim, CutInvariants, Run, Stop, Task};
use crate::formula::Formulas;
use crate::formula::encode::{Arithmetic, IntegerEncoding, integer_encoding};
use std::time::Duration;

/// Verifies, with other interpolants where there is no refinement.
pub(super) fn verify(task: &Task, config: &CegarConfig, budget: &Budget) -> Run {
    let run = by_arithmetics(task, budget, |arithmetic, budget| super::verify_with(task, config, budget, arithmetic));
    match &run.claim {
        // Other predicates may.
        Claim::Unknown(Stop::NoRefinement) if config.refinement == Refinement::Sequence => {
            let backward = CegarConfig { refinement: Refinement::Backward, ..config.clone() };
            let again = verify(task, &backward, budget);
            Run { claim: again.claim, statistics: run.statistics.then(again.statistics) }
        }
        _ => run,
    }
}

/// How machine integers are expressed, in the order of trying: integers are quicker, but where they wrap an equation of
/// bit-vectors is many cases of theirs, and so is all arithmetic with floating-point numbers.
pub(super) fn arithmetics(suits: IntegerEncoding) -> (Arithmetic, Option<Arithmetic>) {
    match suits {
        IntegerEncoding::Exact | IntegerEncoding::ExceptFloats | IntegerEncoding::ExceptProducts => {
            (Arithmetic::Integers, Some(Arithmetic::Bits))
        }
        IntegerEncoding::Unsuitable => (Arithmetic::Bits, None),
    }
}

/// Which part of the time integers have where there are products that could wrap, and how much at most: bounds on the way keep
/// them from wrapping, and then the square of a number is proved not to be negative in 0.1 s (by bit-vectors, not in a minute),
/// or solvers do not come to an end.
const PART_OF_PRODUCTS: u32 = 10;
const MAX_TIME_OF_PRODUCTS: Duration = Duration::from_secs(5);

/// Runs an engine with each arithmetic in turn, until one gives an answer.
pub(in crate::engine) fn by_arithmetics(task: &Task, budget: &Budget, run: impl Fn(Arithmetic, &Budget) -> Run) -> Run {
    let suits = integer_encoding(&task.program);
    let (first, second) = arithmetics(suits);
    let most = MAX_TIME_OF_PRODUCTS;
    let limited = match suits {
        IntegerEncoding::ExceptProducts => {
            budget.at_most(budget.remaining().map_or(most, |left| most.min(left / PART_OF_PRODUCTS)))
        }
        _ => budget.clone(),
    };
    let earlier = run(first, &limited);
    match (&earlier.claim, second) {
        (Claim::Unknown(stop), Some(second)) if may_be_of_arithmetic(stop, suits) && budget.check().is_ok() => {
            let later = run(second, budget);
            Run { claim: later.claim, statistics: earlier.statistics.then(later.statistics) }
        }
        _ => earlier,
    }
}

/// Whether another arithmetic may do better where the first one came to this.
fn may_be_of_arithmetic(stop: &Stop, suits: IntegerEncoding) -> bool {
    match stop {
        Stop::Diverged | Stop::NoRefinement | Stop::PathTooLong | Stop::NotFollowed | Stop::Solver(_) => true,
        Stop::Unsupported { .. } => suits == IntegerEncoding::ExceptFloats,
        Stop::TimeLimit => suits == IntegerEncoding::ExceptProducts,
        _ => false,
    }
}

impl Cegar<'_> {
    /// The loop.
    pub(super) fn run(&mut self) -> Result<RunEnd, Stop> {
        if self.space.config.domain != DomainChoice::Predicates {
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
            let Found::Target(error) = found else { return Ok(RunEnd::Safe) };
            let examined = self.examine(error);
            if self.finding_facts(&examined) {
                if let Some(proof) = self.space.find_facts()? {
                    return Ok(RunEnd::Proved(proof));
                }
                if self.space.has_facts() {
                    self.start()?;
                    continue;
                }
            }
            let pieces = match examined? {
                Examined::Real(trace) => return Ok(RunEnd::Unsafe(trace)),
                Examined::Fault => continue,
                Examined::Spurious(pieces) => pieces,
            };
            self.refinements += 1;
            match self.learning() {
                true => self.learn()?,
                false => self.refine(&pieces)?,
            }
            if self.space.generalise_objects()? {
                self.start()?;
                continue;
            }
            if self.solving_horn()
                && let Some(proof) = self.solve_horn()?
            {
                return Ok(RunEnd::Proved(Box::new(proof)));
            }
            if self.diverging() {
                return Err(Stop::Diverged);
            }
        }
    }

    /// Starts the search, or starts it again with the precision that there is.
    pub(in crate::engine) fn start(&mut self) -> Result<(), Stop> {
        self.search.start(&mut self.space)
    }

    /// Whether executions have to suggest what recursion does.
    pub(in crate::engine) fn learning(&self) -> bool {
        self.space.learned.is_none() && self.space.formulas.blocks.cuts().has_recursion()
    }

    pub(in crate::engine) fn learn(&mut self) -> Result<(), Stop> {
        self.space.learn()?;
        self.start()
    }

    /// Whether it is time to look for facts, once: refinement path by path seldom finds what is a matter of remainders, or
    /// takes one round of a loop after the other. Beside memory they take longer.
    fn finding_facts(&self, examined: &Result<Examined, Stop>) -> bool {
        self.space.facts.is_none()
            && match examined {
                Ok(Examined::Spurious(_)) => {
                    !self.space.formulas.blocks.touches_memory() || self.refinements >= REFINEMENTS_BEFORE_FACTS
                }
                Err(Stop::Solver(_)) => true,
                _ => false,
            }
    }

    /// Whether it is time to look for invariants of the whole program, once.
    pub(in crate::engine) fn solving_horn(&self) -> bool {
        self.refinements == REFINEMENTS_BEFORE_HORN
    }

    pub(in crate::engine) fn solve_horn(&mut self) -> Result<Option<CutInvariants>, Stop> {
        self.space.whole_program()
    }

    /// Whether there were so many refinements by integers that bit-vectors may do better. Where traces are followed, searches
    /// are of many states, and many questions say little of refinement.
    pub(in crate::engine) fn diverging(&self) -> bool {
        let queries = self.space.solver.process.statistics().queries;
        let many_queries = queries >= MAX_QUERIES_BY_INTEGERS && !self.space.follows_traces();
        let much = self.refinements >= MAX_REFINEMENTS_BY_INTEGERS || many_queries;
        much && self.space.formulas.blocks.encoder().arithmetic() == Arithmetic::Integers
    }
}

impl CegarSpace<'_> {
    /// Whether what was explored holds no longer: there are more cells of memory than before, tracking everything takes
    /// too much work, or a variable that had too many values is not tracked any more.
    pub(in crate::engine) fn is_outdated(&mut self) -> Result<bool, Stop> {
        if self.formulas.blocks.cells_changed() {
            self.take_new_cells()?;
            self.controls.note_new_cells();
        }
        if self.controls.has_new_cells() {
            return Ok(true);
        }
        if std::mem::take(&mut self.is_behind) {
            return Ok(true);
        }
        if std::mem::take(&mut self.has_many_shapes)
            && self.formulas.blocks.make_regions_of_more_than(MAX_OBJECTS_BY_NUMBER)
        {
            self.take_new_cells()?;
            self.history.forget_values();
            return Ok(true);
        }
        if self.tracking_too_much() {
            self.track_on_demand();
            if self.formulas.blocks.make_regions_of_more_than(MAX_OBJECTS_BY_NUMBER) {
                self.take_new_cells()?;
            }
            return Ok(true);
        }
        Ok(self.history.reductions() != self.controls.reductions_before())
    }

    /// Makes regions of objects made at one place where predicates speak of several of them; whether there were any.
    fn generalise_objects(&mut self) -> Result<bool, Stop> {
        let Formulas { terms, blocks } = &mut self.formulas;
        if !blocks.make_regions_in(terms, self.precision.all_predicates(), MAX_OBJECTS_WITH_PREDICATES) {
            return Ok(false);
        }
        self.take_new_cells()?;
        self.history.forget_values();
        Ok(true)
    }

    /// Tracks every variable: where that is enough, nothing is quicker.
    pub(in crate::engine) fn track_everything(&mut self) {
        let variables = self.program().variables.enumerate().map(|(id, _)| id);
        let symbols = variables.flat_map(|variable| self.formulas.blocks.encoder().symbols(variable));
        self.precision.track_everything(symbols.chain(self.formulas.blocks.memory().symbols()));
    }

    /// Whether tracking everything takes too much work. Where traces are followed, it is what they execute.
    fn tracking_too_much(&self) -> bool {
        if self.follows_traces() {
            return false;
        }
        let work = self.walks.places() + self.solver.process.statistics().queries * WORK_OF_QUERY;
        self.precision.tracking() == Tracking::Everything && work > MAX_WORK_TRACKING_EVERYTHING
    }

    fn track_on_demand(&mut self) {
        self.precision.track_on_demand();
        self.history.forget_values();
    }

    /// Whether traces are followed beside abstract states.
    fn follows_traces(&self) -> bool {
        self.pruning.as_ref().is_some_and(|pruning| !pruning.has_given_up())
    }

    /// Takes over cells of memory that were not known before.
    pub(super) fn take_new_cells(&mut self) -> Result<(), Stop> {
        let initial = self.formulas.init()?;
        self.walks.start_again(initial);
        // Ranges of symbols of regions may be others.
        self.solver.possible.clear();
        self.precision.track_found(self.formulas.blocks.memory().symbols());
        Ok(())
    }
}
