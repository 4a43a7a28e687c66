//! States that wait at one place become one, and those that were there before are left out.

use super::call::Arrival;
use super::feasible::Feasible;
use super::limits::MAX_APART;
use super::position::Position;
use super::state::{Identity, PathArg, PathState, base_of, common, conditions_since, last_with_conditions};
use super::{BoundedOrder, BoundedSpace, Merging};
use crate::engine::search::{NodeId, class_of};
use crate::formula::Formulas;
use crate::formula::blocks::merge_values;
use crate::term::{Assignment, Symbol, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Which states stay apart.
pub(super) struct Apart {
    merging: Merging,
    /// The variables whose known values keep ways through a block apart.
    tracked: FxHashSet<Symbol>,
    /// How many states that are not constant there were at a place and depth.
    counts: FxHashMap<(Position, u32), usize>,
}

impl Apart {
    /// Those that this merging says.
    pub(super) fn new(merging: Merging) -> Apart {
        Apart { merging, tracked: FxHashSet::default(), counts: FxHashMap::default() }
    }

    /// A search starts, in which these are the symbols of variables and memory.
    pub(super) fn start(&mut self, symbols: impl Iterator<Item = Symbol>) {
        self.counts.clear();
        self.tracked = match self.merging {
            Merging::Known => symbols.collect(),
            Merging::All => FxHashSet::default(),
        };
    }

    /// The variables whose known values keep ways through a block apart.
    pub(super) fn tracked(&self) -> &FxHashSet<Symbol> {
        &self.tracked
    }

    /// Counts a state at a place and depth; whether it differs from others there by what is known of its variables.
    fn by_known_values(&mut self, position: Position, depth: u32) -> bool {
        let count = self.counts.entry((position, depth)).or_default();
        *count += 1;
        *count <= MAX_APART && self.merging == Merging::Known
    }
}

impl BoundedSpace<'_> {
    /// The state in which executions arrive from a node, or start.
    pub(super) fn state_after(
        &mut self,
        from: Option<(&PathArg<'_>, NodeId)>,
        arrival: Arrival,
        feasible: Feasible,
    ) -> PathState {
        let Arrival { position, values } = arrival;
        let (conditions, model) = feasible;
        let constants = values.iter().filter(|(_, value)| self.formulas.terms.is_value(**value));
        let mut known: Vec<(Symbol, TermId)> = constants.map(|(symbol, value)| (*symbol, *value)).collect();
        known.sort_unstable();
        let depth = from.map_or(0, |(arg, node)| arg.state(node).depth + 1);
        let base = from.and_then(|(arg, node)| base_of(arg, node));
        let above = from.and_then(|(arg, node)| last_with_conditions(arg, node));
        let state = PathState {
            values,
            model,
            above,
            conditions,
            led_here: Vec::new(),
            base,
            depth,
            identity: Identity::Constant,
            class: 0,
            rest: None,
        };
        if known.len() == state.values.len() && self.positions.is_constant(position.caller) {
            let class = class_of((position, &known));
            return match from {
                // No later guard depends on what led here.
                Some(_) => {
                    PathState { above: None, led_here: state.conditions, conditions: Vec::new(), class, ..state }
                }
                None => PathState { class, ..state },
            };
        }
        if !self.apart.by_known_values(position, depth) {
            known.retain(|(symbol, _)| self.formulas.blocks.is_always_known(*symbol));
        }
        let class = class_of((position, &known, base, self.merging_depth(depth)));
        PathState { identity: Identity::Agreeing(known), class, ..state }
    }

    /// Merges a state into that of a node which waits: the ways to the two exclude each other.
    pub(super) fn merge_into(&mut self, arg: &mut PathArg<'_>, node: NodeId, new: PathState) {
        let above = arg.state(node).above;
        let common = common(arg, above, new.above);
        let here = conditions_since(arg, common, above, &arg.state(node).conditions);
        let there = conditions_since(arg, common, new.above, &new.conditions);
        let Formulas { terms, .. } = &mut self.formulas;
        let here = terms.and(here);
        let there = terms.and(there);
        let waiting = arg.state_mut(node);
        merge_values(terms, here, &mut waiting.values, &new.values);
        waiting.model = match (waiting.model.take(), new.model) {
            (Some(ours), Some(theirs)) => {
                // The ways exclude each other: with what only the other one reads besides, this one is still gone.
                let mut both: Assignment = (*theirs).clone();
                both.extend(ours.iter().map(|(symbol, value)| (*symbol, value.clone())));
                Some(Rc::new(both))
            }
            _ => None,
        };
        let either = terms.or([here, there]);
        let truth = terms.bool(true);
        waiting.above = common;
        waiting.depth = waiting.depth.min(new.depth);
        waiting.conditions = if either == truth { Vec::new() } else { vec![either] };
    }

    /// Whether a state becomes one with that of a node which waits at its place. No execution comes to both: from what was
    /// expanded it goes one way, and so to one of the nodes that wait.
    pub(super) fn is_merged(&self, waiting: &PathState, new: &PathState) -> bool {
        new.identity != Identity::Constant
            && waiting.rest.is_none()
            && self.merging_depth(waiting.depth) == self.merging_depth(new.depth)
            && waiting.base == new.base
            && waiting.identity == new.identity
    }

    /// The depth that states which become one have in common; none where they may have any.
    fn merging_depth(&self, depth: u32) -> Option<u32> {
        (self.config.order != BoundedOrder::Loops).then_some(depth)
    }
}
