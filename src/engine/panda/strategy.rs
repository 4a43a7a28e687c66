//! The algorithm of figure 2: UNROLL, REAL, REFINE and RESET, without matching first and then with it.

use super::limits::{
    LONGEST_WITHOUT_MATCHING, MAX_UNMATCHED_QUERIES, MAX_UNMATCHED_STATES, PART_WITHOUT_MATCHING, QUERY_LIMIT,
    VALUES_WITHOUT_MATCHING,
};
use super::{PandaConfig, PrunedBranch, Pruning, StateMatching};
use crate::concrete::Trace;
use crate::domain::{Domain, State};
use crate::engine::cegar::{Cegar, CegarConfig, Control, Examined, Kind, StackPolicy, by_arithmetics};
use crate::engine::only_execution::only_execution;
use crate::engine::refine::{PathNode, Piece};
use crate::engine::search::{Found, NodeId, Order, Search};
use crate::engine::{Budget, Claim, Proof, Run, SearchOrder, Statistics, Stop, Task, tracked};
use crate::formula::blocks::EndKind;
use crate::formula::encode::Arithmetic;
use crate::term::TermId;
use std::rc::Rc;
use std::time::Duration;

/// Verifies by combined states: by traces alone, and where they do not come to an end, with states matched, in programs
/// with arrays by a few tracked cells first.
pub fn verify(task: &Task, config: &PandaConfig, budget: &Budget) -> Run {
    if let Some(run) = only_execution(task, budget) {
        return run;
    }
    let limit = if config.matching { budget.at_most(time_without_matching(budget)) } else { budget.clone() };
    let unmatched = searched(task, config, &limit, StateMatching::Off);
    if !config.matching || !matches!(unmatched.claim, Claim::Unknown(_)) || budget.check().is_err() {
        return unmatched;
    }
    let matched = tracked::verify(task, budget, |task, budget| searched(task, config, budget, StateMatching::On));
    Run { claim: matched.claim, statistics: unmatched.statistics.then(matched.statistics) }
}

/// Searches with each arithmetic in turn, until one gives an answer.
fn searched(task: &Task, config: &PandaConfig, budget: &Budget, matching: StateMatching) -> Run {
    by_arithmetics(task, budget, |arithmetic, budget| explore(task, config, budget, arithmetic, matching))
}

/// How long traces alone are followed.
fn time_without_matching(budget: &Budget) -> Duration {
    let part = budget.remaining().map_or(LONGEST_WITHOUT_MATCHING, |left| left / PART_WITHOUT_MATCHING);
    part.min(LONGEST_WITHOUT_MATCHING)
}

/// One search, with states matched or not.
fn explore(task: &Task, config: &PandaConfig, budget: &Budget, arithmetic: Arithmetic, matching: StateMatching) -> Run {
    let mut abstraction = CegarConfig {
        search: SearchOrder::DepthFirst,
        predicates: config.predicates.clone(),
        reports_predicates: config.reports_predicates,
        solver: config.solver.clone(),
        ..CegarConfig::default()
    };
    if matching == StateMatching::Off {
        abstraction.max_values = VALUES_WITHOUT_MATCHING;
        abstraction.stack = StackPolicy::Exact;
    }
    let cegar = Cegar::new(task, &abstraction, budget, arithmetic);
    let (mut cegar, mut solver) = match (cegar, budget.quick_solver(config.solver.as_deref())) {
        (Ok(cegar), Ok(solver)) => (cegar, solver),
        (Err(stop), _) | (_, Err(stop)) => {
            return Run { claim: Claim::Unknown(stop), statistics: Statistics::default() };
        }
    };
    solver.set_query_limit(QUERY_LIMIT);
    cegar.space.formulas.blocks.keep_all_objects();
    if matching == StateMatching::Off {
        cegar.search = Search::new(Order::Priority);
    }
    cegar.space.pruning = Some(Pruning::new(solver, matching));
    let claim = match cegar.panda(config) {
        Ok(Ended::Safe(proof)) => Claim::Safe { proof, assumptions: cegar.assumptions() },
        Ok(Ended::Unsafe(trace)) => {
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

/// How a search ended.
enum Ended {
    /// With a proof.
    Safe(Proof),
    /// With an execution that fails.
    Unsafe(Trace),
}

impl Cegar<'_> {
    /// The function PANDA of figure 2.
    fn panda(&mut self, config: &PandaConfig) -> Result<Ended, Stop> {
        self.space.track_everything();
        self.start()?;
        loop {
            let found = self.unroll()?;
            if self.space.is_outdated()? {
                self.start()?;
                continue;
            }
            let counterexample = match found {
                Found::Paused => return Err(Stop::ManyStates),
                Found::Target(error) => match self.examine(error)? {
                    Examined::Real(trace) => return Ok(Ended::Unsafe(trace)),
                    Examined::Fault => continue,
                    Examined::Spurious(path) => (path, None),
                },
                Found::Complete => {
                    self.note_predicates();
                    if let Some(unrolling) = self.unrolling()? {
                        return Ok(Ended::Safe(Proof::Unrolling(Box::new(unrolling))));
                    }
                    if self.space.is_outdated()? {
                        self.start()?;
                        continue;
                    }
                    match self.excluded_by_trace()? {
                        Some((path, branch)) => (path, Some(branch)),
                        None => return Ok(Ended::Safe(Proof::Cuts(Box::new(self.proof())))),
                    }
                }
            };
            self.refinements += 1;
            self.refine_and_reset(config, counterexample)?;
            // Where refinement path by path does not come to an end, the same is tried as by `cegar`.
            if self.solving_horn()
                && let Some(proof) = self.solve_horn()?
            {
                return Ok(Ended::Safe(Proof::Cuts(Box::new(proof))));
            }
            if self.diverging() {
                return Err(Stop::Diverged);
            }
        }
    }

    /// UNROLL: goes on until an error is reached, or nothing is left.
    fn unroll(&mut self) -> Result<Found, Stop> {
        let budget = self.space.budget.clone();
        self.search.run_until(&mut self.space, &budget, |space, arg| {
            space.pruning.as_ref().is_some_and(|pruning| {
                pruning.matching == StateMatching::Off
                    && (arg.created() > MAX_UNMATCHED_STATES || pruning.queries() > MAX_UNMATCHED_QUERIES)
            })
        })
    }

    /// REFINE, and RESET to the longest prefix that the new predicates do not change. A pruned branch for which there are
    /// none is explored as if there were no trace.
    fn refine_and_reset(
        &mut self,
        config: &PandaConfig,
        (path, branch): (Vec<Piece>, Option<PrunedBranch>),
    ) -> Result<(), Stop> {
        if self.learning() {
            return self.learn();
        }
        let gives_up = self
            .space
            .pruning
            .as_mut()
            .is_some_and(|pruning| branch.as_ref().is_some_and(|it| !it.is_error()) && pruning.rule_out());
        if gives_up {
            return self.start();
        }
        let resumed = self.resumed;
        match (self.refine(&path), branch) {
            (Err(Stop::NoRefinement), Some(branch)) => {
                if let Some(pruning) = &mut self.space.pruning {
                    pruning.explore_untraced(&branch);
                }
                self.search.prune_below(&mut self.space, branch.at);
                Ok(())
            }
            (Ok(()), _) if !config.resuming => {
                self.resumed = resumed;
                self.start()
            }
            (refined, _) => refined,
        }
    }

    /// A branch that was pruned by its trace and that the abstract state before it allows, where that state may stand for
    /// other traces too, because states were matched.
    fn excluded_by_trace(&mut self) -> Result<Option<(Vec<Piece>, PrunedBranch)>, Stop> {
        let mut pruned = self.space.pruning.as_ref().map(|pruning| pruning.pruned().to_vec()).unwrap_or_default();
        // An error has to be ruled out in any case, and what rules it out may rule out others.
        pruned.sort_by_key(|branch| !branch.is_error());
        for branch in pruned {
            let arg = &self.search.arg;
            if !arg.has(branch.at) || arg.covered_by(branch.at).is_some() || !self.leads_on(&branch)? {
                continue;
            }
            let mut path = self.pieces(branch.at).ok_or(Stop::PathTooLong)?;
            let from = Rc::new(self.path_node(branch.at));
            let end = &branch.walk.ends[branch.end];
            let to = PathNode {
                id: branch.at,
                stack: end.stack.iter().copied().collect(),
                state: Rc::default(),
                apart: Vec::new(),
                made_after: u64::MAX,
            };
            path.push(Piece::Block { from, to: Rc::new(to), walk: Rc::clone(&branch.walk), end: branch.end });
            return Ok(Some((path, branch)));
        }
        Ok(None)
    }

    /// Whether the abstract state before a branch allows it, and it leads to what was not explored.
    fn leads_on(&mut self, branch: &PrunedBranch) -> Result<bool, Stop> {
        let end = &branch.walk.ends[branch.end];
        let kind = match end.kind {
            EndKind::Error | EndKind::Fault => Kind::Error,
            EndKind::Exit => Kind::Exit,
            _ => Kind::Cut,
        };
        let state = Rc::clone(&self.search.arg.state(branch.at).state);
        let formulas = state.known().formulas(&mut self.space.formulas.terms);
        let context: Vec<TermId> = formulas.iter().chain(&end.guard).copied().collect();
        let states = self.space.successors(&context, &end.values, &end.stack, kind)?;
        let activation = self.search.arg.control(branch.at).activation;
        let control = Control { activation, stack: self.space.controls.stacks.number(&end.stack), kind };
        Ok(states.iter().any(|state| kind == Kind::Error || !self.was_explored(control, state)))
    }

    /// Whether there is a node that stands for all of a state.
    fn was_explored(&mut self, control: Control, state: &State) -> bool {
        let arg = &self.search.arg;
        let explored: Vec<NodeId> = arg.in_class(self.space.class_at(control)).collect();
        let terms = &mut self.space.formulas.terms;
        (explored.into_iter())
            .any(|node| arg.has(node) && arg.control(node) == control && state.leq(terms, &arg.state(node).state))
    }
}
