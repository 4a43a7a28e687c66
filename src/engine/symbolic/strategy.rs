//! The strategy: execution, analysis and refinement take turns (figure 4.1 of the thesis).
//!
//! What is explored is an under-approximation; a proof shows that executions cannot leave it. A proof is tried while
//! states are still being explored, once all but matched ones are, and after some of the matched ones are too. Only
//! then predicates are added.

use super::fragment::{Closing, Invariant, UnmetSuccessor};
use super::limits::{MAX_MATCHED_WORK, NODES_BEFORE_CLOSING};
use super::{Interruption, SymbolicExecution};
use crate::engine::Stop;

impl SymbolicExecution<'_> {
    /// REFINE. Returns what executions stay within.
    pub(super) fn refine(&mut self) -> Result<Invariant, Interruption> {
        self.space.initial_predicates();
        self.search.start(&mut self.space)?;
        let mut matched_work = MAX_MATCHED_WORK;
        loop {
            self.iterations += 1;
            let mut unmet = match self.explore_and_close()? {
                Closing::Closed(invariant) => return Ok(invariant),
                Closing::Open { unmet, .. } => unmet,
            };
            if matched_work > 0 && self.search.has_parked() {
                let met = self.space.abstract_states.len();
                matched_work = matched_work.saturating_sub(self.explore_nearest()?);
                if let Some(invariant) = self.exhausted() {
                    return Ok(invariant);
                }
                if self.space.abstract_states.len() > met || !self.search.has_parked() {
                    match self.close(true)? {
                        Closing::Closed(invariant) => return Ok(invariant),
                        Closing::Open { unmet: after, .. } => unmet = after,
                    }
                }
            }
            self.refine_predicates(&unmet)?;
        }
    }

    /// Explores all that is not matched. On the way, whether what was explored is closed is tried now and then.
    fn explore_and_close(&mut self) -> Result<Closing, Interruption> {
        let mut max_nodes = self.search.arg.len() + NODES_BEFORE_CLOSING;
        loop {
            let is_complete = self.explore(max_nodes)?;
            match self.close(is_complete)? {
                Closing::Open { counterexamples, .. } if !is_complete => {
                    let found_new = self.hurry(&counterexamples)?;
                    let nodes = self.search.arg.len();
                    max_nodes = if found_new { nodes + nodes / 4 } else { 2 * nodes };
                }
                closing => return Ok(closing),
            }
        }
    }

    /// Adds predicates, and goes over to the graph for them. Where there are none, matched states are explored, as
    /// they can show what a refinement does not.
    fn refine_predicates(&mut self, unmet: &[UnmetSuccessor]) -> Result<(), Interruption> {
        let before = self.space.predicates.len();
        if self.add_predicates(unmet)? > 0 {
            self.refine_graph(before)?;
            return Ok(());
        }
        if !self.search.has_parked() {
            let message = "no predicate tells apart what leads out of the states that were explored";
            return Err(Stop::GaveUp(message.to_owned()).into());
        }
        self.explore_matched(2 * self.search.arg.len())
    }
}
