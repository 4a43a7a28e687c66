//! The precision: how much the abstraction keeps.

use crate::program::{LocId, ProcId};
use crate::term::{Symbol, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How predicates are abstracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abstraction {
    /// Each predicate for itself.
    Cartesian,
    /// Every combination that is possible.
    Boolean,
}

/// Where a predicate that was found is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrecisionScope {
    /// At the location where it was found.
    Location,
    /// In the procedure where it was found.
    Procedure,
    /// Wherever its variables are visible.
    Global,
}

/// Which variables are tracked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tracking {
    /// All, but those that had too many values.
    Everything,
    /// Those that a refinement asked for.
    OnDemand,
}

/// Where predicates belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Region {
    Everywhere,
    In(ProcId),
    At(ProcId, LocId),
}

/// How much the abstraction keeps: predicates, and variables whose values are tracked.
#[derive(Debug)]
pub struct Precision {
    scope: PrecisionScope,
    predicates: FxHashMap<Region, BTreeSet<TermId>>,
    /// When each region changed last, counted in changes.
    changed: FxHashMap<Region, u64>,
    changes: u64,
    tracked: FxHashSet<Symbol>,
    tracking: Tracking,
    /// Variables each value of which is a state of its own, where several are possible.
    told_apart: FxHashSet<Symbol>,
    /// How often what is tracked changed.
    tracking_changes: u64,
    /// The regions where combinations of predicates count.
    boolean: FxHashSet<Region>,
    abstraction: Abstraction,
}

impl Precision {
    /// The precision that keeps nothing.
    pub fn new(scope: PrecisionScope, abstraction: Abstraction) -> Precision {
        Precision {
            scope,
            predicates: FxHashMap::default(),
            changed: FxHashMap::default(),
            changes: 0,
            tracked: FxHashSet::default(),
            tracking: Tracking::OnDemand,
            told_apart: FxHashSet::default(),
            tracking_changes: 0,
            boolean: FxHashSet::default(),
            abstraction,
        }
    }

    fn region(&self, procedure: ProcId, location: LocId) -> Region {
        match self.scope {
            PrecisionScope::Global => Region::Everywhere,
            PrecisionScope::Procedure => Region::In(procedure),
            PrecisionScope::Location => Region::At(procedure, location),
        }
    }

    /// The predicates that count at a location, in order.
    pub fn predicates(&self, procedure: ProcId, location: LocId) -> Vec<TermId> {
        let found = self.predicates.get(&self.region(procedure, location));
        found.map(|predicates| predicates.iter().copied().collect()).unwrap_or_default()
    }

    /// All predicates, in order.
    pub fn all_predicates(&self) -> BTreeSet<TermId> {
        self.predicates.values().flatten().copied().collect()
    }

    /// Adds a predicate; tells whether it is new.
    pub fn add(&mut self, procedure: ProcId, location: LocId, predicate: TermId) -> bool {
        let region = self.region(procedure, location);
        let new = self.predicates.entry(region).or_default().insert(predicate);
        if new {
            self.change(region);
        }
        new
    }

    /// Takes the predicates away that were found where what a location has counts.
    pub fn forget_predicates(&mut self, procedure: ProcId, location: LocId) {
        let region = self.region(procedure, location);
        self.predicates.remove(&region);
        self.boolean.remove(&region);
        self.change(region);
    }

    /// The variables whose values are tracked.
    pub fn tracked(&self) -> &FxHashSet<Symbol> {
        &self.tracked
    }

    /// Whether the values of a variable are tracked.
    pub fn is_tracked(&self, variable: Symbol) -> bool {
        self.tracked.contains(&variable)
    }

    /// Which variables are tracked.
    pub fn tracking(&self) -> Tracking {
        self.tracking
    }

    /// How often what is tracked changed: what was computed for other variables holds no longer.
    pub fn tracking_changes(&self) -> u64 {
        self.tracking_changes
    }

    /// Tracks these variables, which are all that there are.
    pub fn track_everything(&mut self, variables: impl IntoIterator<Item = Symbol>) {
        self.tracked = variables.into_iter().collect();
        self.tracking = Tracking::Everything;
        self.tracking_changes += 1;
    }

    /// Tracks variables that were found, where all are tracked.
    pub fn track_found(&mut self, variables: impl IntoIterator<Item = Symbol>) {
        if self.tracking == Tracking::Everything {
            self.tracked.extend(variables);
            self.tracking_changes += 1;
        }
    }

    /// Tracks no variable until one is asked for.
    pub fn track_on_demand(&mut self) {
        self.tracked.clear();
        self.tracking = Tracking::OnDemand;
        self.tracking_changes += 1;
        self.change(Region::Everywhere);
    }

    /// Tracks the values of a variable; tells whether it was not tracked before.
    pub fn track(&mut self, variable: Symbol) -> bool {
        let new = self.tracked.insert(variable);
        if new {
            self.tracking_changes += 1;
            self.change(Region::Everywhere);
        }
        new
    }

    /// Whether each value of a variable is a state of its own, where several are possible.
    pub fn is_told_apart(&self, variable: Symbol) -> bool {
        self.told_apart.contains(&variable)
    }

    /// Makes each value of a variable a state of its own; tells whether it was not one before.
    pub fn tell_apart(&mut self, variable: Symbol) -> bool {
        let new = self.told_apart.insert(variable);
        if new {
            self.change(Region::Everywhere);
        }
        new
    }

    /// Tracks a variable no longer.
    pub fn untrack(&mut self, variable: Symbol) {
        self.tracking_changes += u64::from(self.tracked.remove(&variable));
    }

    fn change(&mut self, region: Region) {
        self.changes += 1;
        self.changed.insert(region, self.changes);
    }

    /// How many changes there were.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether what counts at a location has changed since that many changes.
    pub fn changed_since(&self, procedure: ProcId, location: LocId, changes: u64) -> bool {
        let at = |region| self.changed.get(&region).is_some_and(|&when| when > changes);
        at(Region::Everywhere) || at(self.region(procedure, location))
    }

    /// How predicates are abstracted at a location.
    pub fn abstraction(&self, procedure: ProcId, location: LocId) -> Abstraction {
        match self.boolean.contains(&self.region(procedure, location)) {
            true => Abstraction::Boolean,
            false => self.abstraction,
        }
    }

    /// Makes combinations of predicates count at a location; tells whether they did not before.
    pub fn combine(&mut self, procedure: ProcId, location: LocId) -> bool {
        let region = self.region(procedure, location);
        let new = self.abstraction != Abstraction::Boolean && self.boolean.insert(region);
        if new {
            self.change(region);
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Id;
    use crate::term::{Sort, Terms};

    #[test]
    fn a_predicate_counts_where_its_scope_says_and_is_new_once() {
        let mut terms = Terms::new();
        let predicate = terms.var("p", Sort::Bool);
        let at = |procedure, location| (ProcId::new(procedure), LocId::new(location));
        let counts = [
            (PrecisionScope::Location, [true, false, false]),
            (PrecisionScope::Procedure, [true, true, false]),
            (PrecisionScope::Global, [true, true, true]),
        ];
        for (scope, expected) in counts {
            let mut precision = Precision::new(scope, Abstraction::Cartesian);
            assert!(precision.add(ProcId::new(0), LocId::new(0), predicate));
            assert!(!precision.add(ProcId::new(0), LocId::new(0), predicate));
            for ((procedure, location), expected) in [at(0, 0), at(0, 1), at(1, 0)].into_iter().zip(expected) {
                assert_eq!(!precision.predicates(procedure, location).is_empty(), expected, "{scope:?}");
                assert_eq!(precision.changed_since(procedure, location, 0), expected, "{scope:?}");
                assert!(!precision.changed_since(procedure, location, precision.changes()));
            }
        }
    }

    #[test]
    fn what_is_tracked_has_a_number_that_changes_with_it() {
        let mut terms = Terms::new();
        let names = [terms.var("x", Sort::Int), terms.var("y", Sort::Int)];
        let [x, y] = names.map(|name| terms.as_symbol(name).expect("it is one"));
        let mut precision = Precision::new(PrecisionScope::Procedure, Abstraction::Cartesian);
        assert!(precision.track(x) && !precision.track(x) && precision.is_tracked(x));
        let before = precision.tracking_changes();
        precision.track_found([y]);
        assert!(!precision.is_tracked(y), "only what was asked for is tracked");
        assert_eq!(precision.tracking_changes(), before);
        precision.track_everything([x]);
        precision.track_found([y]);
        assert!(precision.is_tracked(y) && precision.tracking_changes() > before);
        let before = precision.tracking_changes();
        precision.untrack(y);
        assert!(!precision.is_tracked(y) && precision.tracking_changes() > before);
    }
}
