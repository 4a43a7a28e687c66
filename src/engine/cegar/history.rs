//! What a run has seen of values: variables that have too many are no longer tracked.

use super::limits::{
    MAX_CHANGES_OF_GLOBAL, MAX_COMBINED_VALUES, MAX_MULTIPLIED_VALUES, MAX_REFINED_VALUES, MORE_VALUES_AFTER_LEARNING,
};
use crate::domain::Precision;
use crate::program::{LocId, ProcId};
use crate::term::{Symbol, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The values of variables together.
type Values = Box<[(Symbol, TermId)]>;

/// What a run has seen of values.
#[derive(Debug)]
pub(super) struct History {
    max_values: usize,
    /// The values that tracked variables had at locations.
    values: FxHashMap<(ProcId, LocId, Symbol), FxHashSet<TermId>>,
    /// The values of all tracked variables together, at locations.
    combinations: FxHashMap<(ProcId, LocId), FxHashSet<Values>>,
    /// Variables that had too many values to be tracked.
    varied: FxHashSet<Symbol>,
    /// How many refinements began at a location.
    refined: FxHashMap<(ProcId, LocId), usize>,
    /// The changes of globals at locations.
    changes: FxHashMap<(ProcId, LocId, Symbol), FxHashSet<TermId>>,
    /// Globals of which it is not kept by how much procedures change them.
    unkept_changes: FxHashSet<(ProcId, Symbol)>,
    reductions: u64,
}

impl History {
    pub(super) fn new(max_values: usize) -> History {
        History {
            max_values,
            values: FxHashMap::default(),
            combinations: FxHashMap::default(),
            varied: FxHashSet::default(),
            refined: FxHashMap::default(),
            changes: FxHashMap::default(),
            unkept_changes: FxHashSet::default(),
            reductions: 0,
        }
    }

    /// Notes a value of a tracked variable; one that has too many is tracked no longer, and `false` says so.
    pub(super) fn see(&mut self, precision: &mut Precision, at: (ProcId, LocId, Symbol), value: TermId) -> bool {
        let seen = self.values.entry(at).or_default();
        seen.insert(value);
        let keeps = seen.len() <= self.max_values;
        if !keeps {
            self.give_up(precision, at.2);
        }
        keeps
    }

    /// Notes the values of all tracked variables together. Where too many combinations differ, the variable that has the
    /// most values there is tracked no longer; it is given back.
    pub(super) fn see_all(
        &mut self,
        precision: &mut Precision,
        (procedure, location): (ProcId, LocId),
        values: &[(Symbol, TermId)],
    ) -> Option<Symbol> {
        let seen = self.combinations.entry((procedure, location)).or_default();
        seen.insert(values.into());
        if seen.len() <= MAX_COMBINED_VALUES {
            return None;
        }
        seen.clear();
        let count = |symbol: Symbol| self.count((procedure, location, symbol));
        let most = values.iter().map(|(symbol, _)| *symbol).max_by_key(|symbol| count(*symbol))?;
        if count(most) <= MAX_MULTIPLIED_VALUES {
            return None;
        }
        self.give_up(precision, most);
        Some(most)
    }

    fn give_up(&mut self, precision: &mut Precision, variable: Symbol) {
        precision.untrack(variable);
        self.varied.insert(variable);
        self.reductions += 1;
    }

    /// Notes a refinement that begins at a location, on a path that is there with these values. Where one is needed for
    /// each value of a tracked variable, predicates say more than values, and it is tracked no longer; `false` says so.
    pub(super) fn see_refinement<'v>(
        &mut self,
        precision: &mut Precision,
        at: (ProcId, LocId),
        values: impl Iterator<Item = &'v (Symbol, TermId)>,
    ) -> bool {
        let refined = self.refined.entry(at).or_default();
        *refined += 1;
        if *refined <= MAX_REFINED_VALUES {
            return true;
        }
        let mut seen: FxHashMap<Symbol, FxHashSet<TermId>> = FxHashMap::default();
        for (symbol, value) in values.filter(|(symbol, _)| precision.is_tracked(*symbol)) {
            seen.entry(*symbol).or_default().insert(*value);
        }
        seen.retain(|_, values| values.len() > MAX_REFINED_VALUES);
        if !seen.is_empty() {
            *refined = 0;
            // They were found for single values.
            precision.forget_predicates(at.0, at.1);
        }
        seen.keys().for_each(|symbol| self.give_up(precision, *symbol));
        seen.is_empty()
    }

    /// How many values of a tracked variable were seen at a location.
    pub(super) fn count(&self, at: (ProcId, LocId, Symbol)) -> usize {
        self.values.get(&at).map_or(0, FxHashSet::len)
    }

    /// Whether the variable had too many values to be tracked.
    pub(super) fn varies(&self, variable: Symbol) -> bool {
        self.varied.contains(&variable)
    }

    /// Forgets which values were seen.
    pub(super) fn forget_values(&mut self) {
        self.values.clear();
        self.combinations.clear();
    }

    /// Forgets which values were seen, and keeps more of them apart from here on.
    pub(super) fn keep_more_values(&mut self) {
        self.values.clear();
        self.combinations.clear();
        self.varied.clear();
        self.max_values *= MORE_VALUES_AFTER_LEARNING;
    }

    /// Whether it is kept by how much a procedure changes a global.
    pub(super) fn keeps_change(&self, procedure: ProcId, global: Symbol) -> bool {
        !self.unkept_changes.contains(&(procedure, global))
    }

    /// From here on, it is not kept by how much a procedure changes a global.
    pub(super) fn give_up_change(&mut self, procedure: ProcId, global: Symbol) {
        self.unkept_changes.insert((procedure, global));
    }

    /// Notes a change of a global, a formula; where there are too many, they are kept no longer, and `false` says so.
    pub(super) fn see_change(&mut self, at: (ProcId, LocId, Symbol), change: TermId) -> bool {
        let seen = self.changes.entry(at).or_default();
        seen.insert(change);
        let keeps = seen.len() <= MAX_CHANGES_OF_GLOBAL;
        if !keeps {
            self.give_up_change(at.0, at.2);
            self.reductions += 1;
        }
        keeps
    }

    /// How often something that was kept is kept no longer: what was explored before is found again with less.
    pub(super) fn reductions(&self) -> u64 {
        self.reductions
    }
}
