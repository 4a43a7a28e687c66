//! The precision: how much the abstraction keeps.

use super::config::{Abstraction, CegarConfig, PrecisionScope};
use crate::program::{LocId, ProcId};
use crate::term::{Symbol, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How many times as many values of a variable are kept apart where the cases of a recursion are.
const MORE: usize = 4;

/// How many changes of a global are kept apart at one location.
const MOST_CHANGES: usize = 48;

/// Where predicates belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Place {
    Everywhere,
    In(ProcId),
    At(ProcId, LocId),
}

/// That the result of a procedure is given by arguments, as a predicate says.
#[derive(Debug)]
pub(super) struct Explained {
    /// The argument that has this value, if not always.
    pub(super) case: Option<(Symbol, TermId)>,
    /// The arguments.
    pub(super) arguments: FxHashSet<Symbol>,
}

/// How much the abstraction keeps: predicates, and variables whose values are tracked.
#[derive(Debug)]
pub(super) struct Precision {
    scope: PrecisionScope,
    predicates: FxHashMap<Place, BTreeSet<TermId>>,
    /// When each place changed last, counted in changes.
    changed: FxHashMap<Place, u64>,
    changes: u64,
    /// How often something that was kept is kept no longer.
    reductions: u64,
    /// The variables whose values are tracked.
    pub(super) tracked: FxHashSet<Symbol>,
    /// Variables that are tracked outside recursive procedures alone.
    pub(super) tracked_outside: FxHashSet<Symbol>,
    /// By procedures, when their results are given by arguments.
    pub(super) explained: FxHashMap<ProcId, Vec<Explained>>,
    /// Globals of which it is not kept by how much procedures change them.
    unkept_changes: FxHashSet<(ProcId, Symbol)>,
    /// The changes of globals at locations.
    seen_changes: FxHashMap<(ProcId, LocId, Symbol), FxHashSet<TermId>>,
    /// Variables that had too many values to be tracked.
    varied: FxHashSet<Symbol>,
    /// The values that tracked variables had at locations.
    seen: FxHashMap<(ProcId, LocId, Symbol), FxHashSet<TermId>>,
    /// The places where combinations of predicates count.
    boolean: FxHashSet<Place>,
    abstraction: Abstraction,
    most_values: usize,
}

impl Precision {
    pub(super) fn new(config: &CegarConfig) -> Precision {
        let CegarConfig { scope, abstraction, most_values, .. } = *config;
        Precision {
            scope,
            predicates: FxHashMap::default(),
            changed: FxHashMap::default(),
            changes: 0,
            reductions: 0,
            tracked: FxHashSet::default(),
            tracked_outside: FxHashSet::default(),
            explained: FxHashMap::default(),
            unkept_changes: FxHashSet::default(),
            seen_changes: FxHashMap::default(),
            varied: FxHashSet::default(),
            seen: FxHashMap::default(),
            boolean: FxHashSet::default(),
            abstraction,
            most_values,
        }
    }

    fn place(&self, procedure: ProcId, location: LocId) -> Place {
        match self.scope {
            PrecisionScope::Global => Place::Everywhere,
            PrecisionScope::Procedure => Place::In(procedure),
            PrecisionScope::Location => Place::At(procedure, location),
        }
    }

    /// The predicates that count at a location, in order.
    pub(super) fn predicates(&self, procedure: ProcId, location: LocId) -> Vec<TermId> {
        let found = self.predicates.get(&self.place(procedure, location));
        found.map(|predicates| predicates.iter().copied().collect()).unwrap_or_default()
    }

    /// Adds a predicate; tells whether it is new.
    pub(super) fn add(&mut self, procedure: ProcId, location: LocId, predicate: TermId) -> bool {
        let place = self.place(procedure, location);
        let new = self.predicates.entry(place).or_default().insert(predicate);
        if new {
            self.change(place);
        }
        new
    }

    /// Notes a value of a tracked variable; one that has too many is tracked no longer, and `false` says so.
    pub(super) fn see(&mut self, procedure: ProcId, location: LocId, variable: Symbol, value: TermId) -> bool {
        let seen = self.seen.entry((procedure, location, variable)).or_default();
        seen.insert(value);
        if seen.len() > self.most_values {
            self.give_up(variable);
            return false;
        }
        true
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
    pub(super) fn see_change(&mut self, procedure: ProcId, location: LocId, global: Symbol, change: TermId) -> bool {
        let seen = self.seen_changes.entry((procedure, location, global)).or_default();
        seen.insert(change);
        let keeps = seen.len() <= MOST_CHANGES;
        if !keeps {
            self.give_up_change(procedure, global);
            self.reductions += 1;
        }
        keeps
    }

    /// Tracks a variable no longer.
    fn give_up(&mut self, variable: Symbol) {
        self.tracked.remove(&variable);
        self.varied.insert(variable);
        self.reductions += 1;
    }

    /// Whether the result of the procedure is given by this argument and perhaps others, where arguments have the
    /// values that are told: then a predicate is better than the value.
    pub(super) fn is_explained(
        &self,
        procedure: ProcId,
        argument: Symbol,
        value_of: impl Fn(Symbol) -> Option<TermId>,
    ) -> bool {
        let explained = self.explained.get(&procedure).map(Vec::as_slice).unwrap_or_default();
        explained
            .iter()
            .filter(|explained| explained.arguments.contains(&argument))
            .any(|explained| explained.case.is_none_or(|(symbol, value)| value_of(symbol) == Some(value)))
    }

    /// Forgets which values were seen, and keeps more of them apart from here on.
    pub(super) fn keep_more_values(&mut self) {
        self.seen.clear();
        self.varied.clear();
        self.most_values *= MORE;
    }

    /// Whether the variable had too many values to be tracked.
    pub(super) fn varies(&self, variable: Symbol) -> bool {
        self.varied.contains(&variable)
    }

    /// Tracks no variable until one is asked for.
    pub(super) fn track_on_demand(&mut self) {
        self.tracked.clear();
        self.seen.clear();
        self.change(Place::Everywhere);
    }

    /// Tracks the values of a variable; tells whether it was not tracked before.
    pub(super) fn track(&mut self, variable: Symbol) -> bool {
        let new = self.tracked.insert(variable);
        if new {
            self.change(Place::Everywhere);
        }
        new
    }

    fn change(&mut self, place: Place) {
        self.changes += 1;
        self.changed.insert(place, self.changes);
    }

    /// How often something that was kept is kept no longer: what was explored before is found again with less.
    pub(super) fn reductions(&self) -> u64 {
        self.reductions
    }

    /// How many changes there were.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether what counts at a location has changed since that many changes.
    pub(super) fn changed_since(&self, procedure: ProcId, location: LocId, changes: u64) -> bool {
        let at = |place| self.changed.get(&place).is_some_and(|&when| when > changes);
        at(Place::Everywhere) || at(self.place(procedure, location))
    }

    /// How predicates are abstracted at a location.
    pub(super) fn abstraction(&self, procedure: ProcId, location: LocId) -> Abstraction {
        match self.boolean.contains(&self.place(procedure, location)) {
            true => Abstraction::Boolean,
            false => self.abstraction,
        }
    }

    /// Makes combinations of predicates count at a location; tells whether they did not before.
    pub(super) fn combine(&mut self, procedure: ProcId, location: LocId) -> bool {
        let place = self.place(procedure, location);
        let new = self.abstraction != Abstraction::Boolean && self.boolean.insert(place);
        if new {
            self.change(place);
        }
        new
    }
}
