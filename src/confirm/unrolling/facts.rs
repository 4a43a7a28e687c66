//! What is true and equal where facts hold, as far as their form tells: most of a proof needs no solver.

use crate::term::{Op, TermId, Terms};
use rustc_hash::FxHashSet;

/// How deep formulas are looked into.
const MAX_LEVELS: u32 = 48;

/// Formulas that hold.
#[derive(Debug, Default)]
pub(super) struct Facts<'b> {
    /// Others that hold too.
    base: Option<&'b Facts<'b>>,
    own: FxHashSet<TermId>,
}

impl<'b> Facts<'b> {
    /// The same facts, to add others to.
    pub(super) fn more(&'b self) -> Facts<'b> {
        Facts { base: Some(self), own: FxHashSet::default() }
    }

    /// Adds a formula, as its conjuncts.
    pub(super) fn add(&mut self, terms: &Terms, formula: TermId) {
        if self.own.insert(formula) && terms.op(formula) == &Op::And {
            terms.args(formula).iter().for_each(|part| self.add(terms, *part));
        }
    }

    fn contains(&self, formula: TermId) -> bool {
        self.own.contains(&formula) || self.base.is_some_and(|base| base.contains(formula))
    }

    /// Whether a formula is seen to be true or false.
    pub(super) fn decide(&self, terms: &mut Terms, formula: TermId) -> Option<bool> {
        self.decide_inside(terms, formula, MAX_LEVELS)
    }

    fn decide_inside(&self, terms: &mut Terms, formula: TermId, levels: u32) -> Option<bool> {
        if self.contains(formula) {
            return Some(true);
        }
        let op = terms.op(formula).clone();
        match op {
            Op::Bool(value) => return Some(value),
            _ if levels == 0 => return None,
            Op::Not => {
                let inner = terms.args(formula)[0];
                return self.decide_inside(terms, inner, levels - 1).map(|value| !value);
            }
            Op::And | Op::Or => {
                let decisive = op == Op::Or;
                let mut all = true;
                for part in terms.args(formula).to_vec() {
                    match self.decide_inside(terms, part, levels - 1) {
                        Some(value) if value == decisive => return Some(decisive),
                        Some(_) => {}
                        None => all = false,
                    }
                }
                if all {
                    return Some(!decisive);
                }
            }
            _ => {}
        }
        let negated = terms.not(formula);
        self.contains(negated).then_some(false)
    }

    /// The term, with choices that are decided made.
    pub(super) fn chosen(&self, terms: &mut Terms, mut term: TermId) -> TermId {
        while terms.op(term) == &Op::Ite {
            let &[condition, then, otherwise] = terms.args(term) else { break };
            match self.decide(terms, condition) {
                Some(true) => term = then,
                Some(false) => term = otherwise,
                None => break,
            }
        }
        term
    }
}
