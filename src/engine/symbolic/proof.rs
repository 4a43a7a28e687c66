//! The proof of a safe program: what executions stay within, at every control point.

use super::fragment::Invariant;
use super::limits::MAX_CONJUNCTIONS_APART;
use super::space::SymbolicSpace;
use super::system::PointId;
use crate::engine::claim::{CutActivation, CutInvariants, CutState};
use crate::formula::blocks::BlockSize;
use crate::term::TermId;
use rustc_hash::FxHashSet;

impl SymbolicSpace<'_> {
    /// The invariant, to be checked by someone else.
    pub(super) fn proof(&mut self, invariant: Invariant) -> CutInvariants {
        let start = self.system.start;
        let at_start = invariant.get(&start).cloned().unwrap_or_default();
        let mut alternatives = Vec::new();
        for conjuncts in at_start {
            alternatives.push(self.formulas.terms.and(conjuncts));
        }
        let entry = self.formulas.terms.or(alternatives);
        let entry = self.cut_state(start, vec![entry]);
        let mut cuts = Vec::new();
        let together = invariant.values().map(Vec::len).sum::<usize>() > MAX_CONJUNCTIONS_APART;
        for (point, alternatives) in invariant {
            let alternatives = if together { vec![self.merged(alternatives)] } else { alternatives };
            for conjuncts in alternatives {
                cuts.push(self.cut_state(point, conjuncts));
            }
        }
        let main = self.system.program().main;
        let activation = CutActivation { procedure: main, entry, cuts, exits: Vec::new() };
        CutInvariants {
            arithmetic: self.formulas.blocks.encoder().arithmetic(),
            memory: self.formulas.blocks.memory().clone(),
            tracked: FxHashSet::default(),
            terms: std::mem::take(&mut self.formulas.terms),
            blocks: BlockSize::Small,
            activations: vec![activation],
        }
    }

    /// One conjunction for several: what is common to all, and that one of them holds.
    fn merged(&mut self, alternatives: Vec<Vec<TermId>>) -> Vec<TermId> {
        let Some((first, others)) = alternatives.split_first() else { return vec![self.formulas.terms.bool(false)] };
        let is_common = |literal: &TermId| others.iter().all(|other| other.contains(literal));
        let mut conjuncts: Vec<TermId> = first.iter().copied().filter(is_common).collect();
        let mut rest = Vec::new();
        for alternative in &alternatives {
            let own = alternative.iter().copied().filter(|literal| !conjuncts.contains(literal));
            rest.push(self.formulas.terms.and(own));
        }
        conjuncts.push(self.formulas.terms.or(rest));
        conjuncts
    }

    fn cut_state(&self, point: PointId, literals: Vec<TermId>) -> CutState {
        let point = self.system.point(point);
        let values = self.system.control.iter().copied().zip(point.values.iter().copied()).collect();
        CutState { stack: point.stack.to_vec(), values, literals }
    }
}
