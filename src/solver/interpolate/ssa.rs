//! A path as a formula: each assignment makes a new version of its symbol (static single assignment).

use super::path::{Layout, NestedPath, NestedStep};
use crate::solver::eliminate::conjuncts;
use crate::term::{Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// A part of the formula.
#[derive(Debug, Clone, Copy)]
pub(super) struct Constraint {
    pub(super) place: Place,
    /// The symbol whose new version it defines; guards define none.
    pub(super) defines: Option<Symbol>,
    /// That version, which no earlier constraint mentions.
    pub(super) version: Option<TermId>,
    pub(super) term: TermId,
}

/// Where on the path a constraint belongs, in the path's order: to a step; at a call, `true` for what already belongs to
/// the callee, and at a return, for what belongs to the caller again.
pub(super) type Place = (usize, bool);

/// The current version of each symbol, by activation (globals: none).
type Versions = FxHashMap<(Option<usize>, Symbol), TermId>;

/// The formula of a path.
pub(super) struct Ssa {
    pub(super) constraints: Vec<Constraint>,
    /// At each position, the versions of what its activation sees.
    pub(super) states: Vec<FxHashMap<Symbol, TermId>>,
    /// For an activation that returns, what it shares with the rest of the path: the versions of its ghosts, and of
    /// globals and locals when it returns. They are versions of their own, so no other constraint equates them.
    pub(super) boundaries: FxHashMap<usize, FxHashMap<Symbol, TermId>>,
}

struct Builder<'a> {
    layout: &'a Layout,
    versions: Versions,
    made: usize,
    ssa: Ssa,
}

/// The formula whose models are the executions of the path.
pub(super) fn ssa(terms: &mut Terms, path: NestedPath<'_>, layout: &Layout) -> Ssa {
    let ssa = Ssa { constraints: Vec::new(), states: Vec::new(), boundaries: FxHashMap::default() };
    let mut builder = Builder { layout, versions: Versions::default(), made: 0, ssa };
    builder.record_state(terms, 0);
    for (number, step) in path.steps.iter().enumerate() {
        let (before, after) = (layout.frame_at[number], layout.frame_at[number + 1]);
        match step {
            NestedStep::Internal(step) => {
                for part in conjuncts(terms, step.guard) {
                    let term = builder.rename(terms, before, part);
                    builder.ssa.constraints.push(Constraint {
                        place: (number, false),
                        defines: None,
                        version: None,
                        term,
                    });
                }
                let values: Vec<TermId> = step.updates.iter().map(|u| builder.rename(terms, before, u.1)).collect();
                for &symbol in &step.havoc {
                    builder.new_version(terms, before, symbol);
                }
                builder.assign(terms, (number, false), before, step.updates.iter().map(|u| u.0), &values);
            }
            NestedStep::Call { parameters } => {
                let values: Vec<TermId> = parameters.iter().map(|p| builder.rename(terms, before, p.1)).collect();
                builder.assign(terms, (number, false), after, parameters.iter().map(|p| p.0), &values);
                builder.enter(terms, number, after);
            }
            NestedStep::Return { results } => {
                builder.leave(terms, number, before);
                let values: Vec<TermId> = results.iter().map(|r| builder.rename(terms, before, r.1)).collect();
                builder.assign(terms, (number, true), after, results.iter().map(|r| r.0), &values);
            }
        }
        builder.record_state(terms, number + 1);
    }
    builder.ssa
}

impl Builder<'_> {
    fn owner(&self, frame: usize, symbol: Symbol) -> Option<usize> {
        self.layout.globals.binary_search(&symbol).is_err().then_some(frame)
    }

    fn new_version(&mut self, terms: &mut Terms, frame: usize, symbol: Symbol) -> TermId {
        let name = format!("ssa!{}!{}", self.made, terms.name(symbol));
        self.made += 1;
        let version = terms.var(&name, terms.symbol_sort(symbol));
        self.versions.insert((self.owner(frame, symbol), symbol), version);
        version
    }

    fn version(&mut self, terms: &mut Terms, frame: usize, symbol: Symbol) -> TermId {
        match self.versions.get(&(self.owner(frame, symbol), symbol)) {
            Some(&version) => version,
            None => self.new_version(terms, frame, symbol),
        }
    }

    fn rename(&mut self, terms: &mut Terms, frame: usize, term: TermId) -> TermId {
        let symbols = terms.symbols_of([term]);
        let map = symbols.into_iter().map(|symbol| (symbol, self.version(terms, frame, symbol))).collect();
        terms.substitute(term, &map)
    }

    fn define(&mut self, terms: &mut Terms, place: Place, symbol: Symbol, version: TermId, value: TermId) {
        let term = terms.eq(version, value);
        let constraint = Constraint { place, defines: Some(symbol), version: Some(version), term };
        self.ssa.constraints.push(constraint);
    }

    fn assign(
        &mut self,
        terms: &mut Terms,
        place: Place,
        frame: usize,
        symbols: impl Iterator<Item = Symbol>,
        values: &[TermId],
    ) {
        for (symbol, &value) in symbols.zip(values) {
            let version = self.new_version(terms, frame, symbol);
            self.define(terms, place, symbol, version, value);
        }
    }

    /// Gives a ghost the version that its symbol has now, and the symbol, inside, one of its own.
    fn enter(&mut self, terms: &mut Terms, call: usize, frame: usize) {
        let mut boundary = FxHashMap::default();
        for &(ghost, symbol) in &self.layout.frames[frame].ghosts {
            let outside = self.version(terms, frame, symbol);
            let entry = self.new_version(terms, frame, ghost);
            self.define(terms, (call, false), ghost, entry, outside);
            self.assign(terms, (call, true), frame, [symbol].into_iter(), &[entry]);
            boundary.insert(ghost, entry);
        }
        self.ssa.boundaries.insert(frame, boundary);
    }

    /// Gives what is seen of an activation after its return versions of their own.
    fn leave(&mut self, terms: &mut Terms, exit: usize, frame: usize) {
        let seen: Vec<Symbol> = self.layout.globals.iter().chain(&self.layout.frames[frame].locals).copied().collect();
        for symbol in seen {
            let inside = self.version(terms, frame, symbol);
            self.assign(terms, (exit, false), frame, [symbol].into_iter(), &[inside]);
            let version = self.version(terms, frame, symbol);
            self.ssa.boundaries.entry(frame).or_default().insert(symbol, version);
        }
    }

    fn record_state(&mut self, terms: &mut Terms, position: usize) {
        let frame = self.layout.frame_at[position];
        let visible = self.layout.visible(position);
        let state = visible.into_iter().map(|symbol| (symbol, self.version(terms, frame, symbol))).collect();
        self.ssa.states.push(state);
    }
}
