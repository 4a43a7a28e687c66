//! The algorithm of figure 2: UNROLL, REAL, REFINE and RESET, without matching first and then with it.

use super::limits::{
    LONGEST_WITHOUT_MATCHING, MAX_BRANCHES_OF_PLACE, MAX_BRANCHES_TOGETHER, MAX_UNMATCHED_QUERIES,
    MAX_UNMATCHED_STATES, PART_WITHOUT_MATCHING, QUERY_LIMIT, VALUES_WITHOUT_MATCHING,
};
use super::pruning::Treatment;
use super::{PandaConfig, PrunedBranch, Pruning, StateMatching};
use crate::concrete::Trace;
use crate::domain::{Domain, State};
use crate::engine::cegar::{Cegar, CegarConfig, Control, Effort, Examined, Kind, StackPolicy, by_arithmetics};
use crate::engine::only_execution::only_execution;
use crate::engine::refine::{PathNode, Piece};
use crate::engine::search::{Found, NodeId, Order, Search};
use crate::engine::{Budget, Claim, Proof, Run, SearchOrder, Statistics, Stop, Task, tracked};
use crate::formula::blocks::EndKind;
use crate::formula::encode::Arithmetic;
use crate::term::TermId;
use rustc_hash::FxHashMap;
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

/// An infeasible path; with the branch at its end, where it was pruned.
type SpuriousPath = (Vec<Piece>, Option<PrunedBranch>);

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
            let spurious = match found {
                Found::Paused => return Err(Stop::ManyStates),
                Found::Target(error) => match self.examine(error)? {
                    Examined::Real(trace) => return Ok(Ended::Unsafe(trace)),
                    Examined::Fault => continue,
                    Examined::Spurious(path) => vec![(path, None)],
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
                    let excluded = self.excluded_by_trace()?;
                    if excluded.is_empty() {
                        return Ok(Ended::Safe(Proof::Cuts(Box::new(self.proof()))));
                    }
                    excluded
                }
            };
            self.refinements += 1;
            self.refine_and_reset(config, spurious)?;
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
    fn refine_and_reset(&mut self, config: &PandaConfig, spurious: Vec<SpuriousPath>) -> Result<(), Stop> {
        if self.learning() {
            return self.learn();
        }
        let leads_to_none = |(_, branch): &SpuriousPath| branch.as_ref().is_some_and(|branch| !branch.is_error());
        if spurious.iter().all(leads_to_none)
            && let Some(pruning) = &mut self.space.pruning
        {
            let treatment = pruning.treatment();
            pruning.note_branches();
            match treatment {
                Treatment::RuleOut => {}
                Treatment::Explore => {
                    self.explore_untraced(spurious);
                    return Ok(());
                }
                Treatment::GiveUp => return self.start(),
            }
        }
        let mut again = Some(Vec::new());
        for (number, (path, branch)) in spurious.into_iter().enumerate() {
            let effort = if number == 0 { Effort::Full } else { Effort::Quick };
            let node = match (self.rule_out(&path, effort), branch) {
                // Its turn comes, unless what rules out others does it.
                (Err(Stop::NoRefinement), _) if effort == Effort::Quick => continue,
                (Err(Stop::NoRefinement), Some(branch)) => {
                    if let Some(pruning) = &mut self.space.pruning {
                        pruning.explore_untraced(&branch);
                    }
                    Some(branch.at)
                }
                (Ok(node), _) => node.filter(|_| config.resuming),
                (Err(stop), _) => return Err(stop),
            };
            again = again.zip(node).map(|(nodes, node)| [nodes, vec![node]].concat());
        }
        match again {
            Some(nodes) => {
                self.explore_again(&nodes);
                Ok(())
            }
            None => self.start(),
        }
    }

    /// Explores pruned branches without their traces. What was explored from the states before them is kept.
    fn explore_untraced(&mut self, spurious: Vec<SpuriousPath>) {
        for branch in spurious.into_iter().filter_map(|(_, branch)| branch) {
            if let Some(pruning) = &mut self.space.pruning {
                pruning.explore_untraced(&branch);
            }
            self.search.enqueue(&mut self.space, branch.at);
        }
    }

    /// Branches that were pruned by their traces and that the abstract states before them allow, where these may stand for
    /// other traces too, because states were matched: the first few of each place that refinement is to rule out, those to errors alone where there are any.
    fn excluded_by_trace(&mut self) -> Result<Vec<SpuriousPath>, Stop> {
        let mut pruned = self.space.pruning.as_ref().map(|pruning| pruning.pruned().to_vec()).unwrap_or_default();
        let explores = self.space.pruning.as_ref().is_some_and(|pruning| pruning.treatment() == Treatment::Explore);
        let arg = &self.search.arg;
        pruned.retain(|branch| arg.has(branch.at) && arg.covered_by(branch.at).is_none());
        // An error has to be ruled out in any case, and what rules it out may rule out others.
        pruned.sort_by_key(|branch| !branch.is_error());
        let mut found: Vec<SpuriousPath> = Vec::new();
        let mut of_place: FxHashMap<_, usize> = FxHashMap::default();
        for branch in pruned {
            let is_limited = branch.is_error() || !explores;
            let is_enough = is_limited && found.len() == MAX_BRANCHES_TOGETHER;
            let last = found.last().and_then(|(_, last)| last.as_ref());
            if is_enough || last.is_some_and(|last| last.is_error() != branch.is_error()) {
                break;
            }
            let end = branch.walk.ends[branch.end].stack.clone();
            let number = of_place.entry((self.search.arg.control(branch.at).stack, end)).or_default();
            if (!is_limited || *number < MAX_BRANCHES_OF_PLACE) && self.leads_on(&branch)? {
                *number += 1;
                found.push((self.path_by(&branch)?, Some(branch)));
            }
        }
        Ok(found)
    }

    /// The path that ends with a pruned branch.
    fn path_by(&self, branch: &PrunedBranch) -> Result<Vec<Piece>, Stop> {
        let mut path = self.pieces(branch.at).ok_or(Stop::PathTooLong)?;
        let from = Rc::new(self.path_node(branch.at));
        let end = &branch.walk.ends[branch.end];
        let to = PathNode {
            id: branch.at,
            stack: end.stack.iter().copied().collect(),
            state: Rc::default(),
            apart: branch.apart.clone(),
            made_after: u64::MAX,
        };
        path.push(Piece::Block { from, to: Rc::new(to), walk: Rc::clone(&branch.walk), end: branch.end });
        Ok(path)
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
        let is_of_branch = |state: &&State| branch.apart.iter().all(|known| state.values.contains(known));
        let mut states = states.iter().filter(is_of_branch);
        Ok(states.any(|state| kind == Kind::Error || !self.was_explored(control, state)))
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
