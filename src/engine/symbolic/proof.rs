//! The proof of a safe program: what executions stay within, at every place.

use super::Ase;
use super::fragment::Invariant;
use crate::engine::claim::{CutActivation, CutInvariants, CutState};
use crate::formula::blocks::BlockSize;
use crate::term::TermId;
use rustc_hash::FxHashSet;

/// A proof of more conjunctions than this has one formula a place instead: that is checked more quickly.
const MOST_APART: usize = 64;

impl Ase<'_> {
    /// The invariant, to be checked by someone else.
    pub(super) fn proof(&mut self, invariant: Invariant) -> CutInvariants {
        let start = self.system.start();
        let at_start = invariant.get(&start).cloned().unwrap_or_default();
        let mut alternatives = Vec::new();
        for conjuncts in at_start {
            alternatives.push(self.terms.and(conjuncts));
        }
        let entry = self.terms.or(alternatives);
        let entry = self.cut_state(start, vec![entry]);
        let mut cuts = Vec::new();
        let together = invariant.values().map(Vec::len).sum::<usize>() > MOST_APART;
        for (place, alternatives) in invariant {
            let alternatives = if together { vec![self.merged(alternatives)] } else { alternatives };
            for conjuncts in alternatives {
                cuts.push(self.cut_state(place, conjuncts));
            }
        }
        let main = self.system.program().main;
        let activation = CutActivation { procedure: main, entry, cuts, exits: Vec::new() };
        CutInvariants {
            arithmetic: self.system.blocks.encoder().arithmetic(),
            memory: self.system.blocks.memory().clone(),
            tracked: FxHashSet::default(),
            terms: std::mem::take(&mut self.terms),
            blocks: BlockSize::Small,
            activations: vec![activation],
        }
    }

    /// One conjunction for several: what is common to all, and that one of them holds.
    fn merged(&mut self, alternatives: Vec<Vec<TermId>>) -> Vec<TermId> {
        let Some((first, others)) = alternatives.split_first() else { return vec![self.terms.bool(false)] };
        let is_common = |literal: &TermId| others.iter().all(|other| other.contains(literal));
        let mut conjuncts: Vec<TermId> = first.iter().copied().filter(is_common).collect();
        let mut rest = Vec::new();
        for alternative in &alternatives {
            let own = alternative.iter().copied().filter(|literal| !conjuncts.contains(literal));
            rest.push(self.terms.and(own));
        }
        conjuncts.push(self.terms.or(rest));
        conjuncts
    }

    fn cut_state(&self, place: usize, literals: Vec<TermId>) -> CutState {
        let place = self.system.place(place);
        let values = self.system.control.iter().copied().zip(place.values.iter().copied()).collect();
        CutState { stack: place.stack.to_vec(), values, literals }
    }
}
