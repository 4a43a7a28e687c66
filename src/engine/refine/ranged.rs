//! A solver that knows which values symbols can have.

use crate::formula::Formulas;
use crate::solver::{Cascade, Solve};
use crate::term::{Symbol, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A solver, with what it was told once for all, and what it answered.
pub(crate) struct RangedSolver {
    /// The solver.
    pub process: Cascade,
    /// Conjunctions, and whether they are possible.
    pub possible: FxHashMap<Box<[TermId]>, bool>,
    /// Symbols whose ranges it knows.
    ranged: FxHashSet<Symbol>,
}

impl RangedSolver {
    /// A solver that has been told nothing.
    pub(crate) fn new(process: Cascade) -> RangedSolver {
        RangedSolver { process, possible: FxHashMap::default(), ranged: FxHashSet::default() }
    }

    /// Tells the solver, once for all, which values the symbols in the terms can have. Nothing may be pushed.
    pub(crate) fn assert_ranges(&mut self, formulas: &mut Formulas<'_>, used: impl IntoIterator<Item = TermId>) {
        let symbols = formulas.terms.symbols_of(used);
        let new: Vec<Symbol> = symbols.into_iter().filter(|symbol| self.ranged.insert(*symbol)).collect();
        for symbol in new {
            if let Some(range) = formulas.range(symbol) {
                self.process.assert(&formulas.terms, range);
            }
        }
    }

    /// Opens a scope in which a conjunction is asserted, as simple as the ranges of its symbols make it; the caller pops it.
    pub(crate) fn push_all(&mut self, formulas: &mut Formulas<'_>, parts: &[TermId]) {
        self.process.push();
        let mut parts = parts.to_vec();
        let ranges = formulas.terms.symbols_of(parts.iter().copied());
        parts.extend(ranges.into_iter().filter_map(|symbol| formulas.range(symbol)));
        let parts = formulas.terms.lift_products(&parts);
        for part in formulas.terms.within_bounds(&parts) {
            self.process.assert(&formulas.terms, part);
        }
    }
}
