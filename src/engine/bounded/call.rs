//! Calls of recursive procedures: the caller's variables are put aside, and come back with it.

use super::BoundedSpace;
use super::position::{Caller, Position};
use crate::engine::Stop;
use crate::formula::Formulas;
use crate::formula::blocks::{Activation, ReturnTo};
use crate::program::EdgeId;
use crate::term::{Symbol, TermId};
use rustc_hash::FxHashMap;

/// Where an execution comes to, with the values of variables there.
pub(super) struct Arrival {
    /// Where it is.
    pub(super) position: Position,
    /// The values of variables.
    pub(super) values: FxHashMap<Symbol, TermId>,
}

impl BoundedSpace<'_> {
    /// Where a recursive procedure starts, and when its arguments are defined.
    pub(super) fn apply_call(&mut self, at: Arrival, edge: EdgeId, time: u32) -> Result<(Arrival, TermId), Stop> {
        let Arrival { position, values } = at;
        let Formulas { terms, blocks } = &mut self.formulas;
        let stack = self.positions.stack(position);
        let Activation { stack: inside, guard, values, saved } = blocks.apply_call(terms, stack, edge, values, time)?;
        let is_constant =
            saved.iter().all(|(_, value)| terms.is_value(*value)) && self.positions.is_constant(position.caller);
        let caller = self.positions.number(Caller { position, edge, saved, is_constant });
        let position = self.positions.at(&inside, Some(caller));
        Ok((Arrival { position, values }, guard))
    }

    /// Returns from activations that have ended; `None` where the main procedure has. `returned` is told of each return.
    pub(super) fn apply_exits(&mut self, mut at: Arrival, mut returned: impl FnMut()) -> Option<Arrival> {
        while self.formulas.blocks.has_ended(self.positions.stack(at.position)) {
            returned();
            at = self.apply_exit(at)?;
        }
        Some(at)
    }

    fn apply_exit(&mut self, at: Arrival) -> Option<Arrival> {
        let Arrival { position, values } = at;
        let Caller { position: below, edge, saved, .. } = &self.positions.callers()[position.caller?];
        let callee = self.positions.stack(position).last().expect("a location stack has a top").procedure;
        let Formulas { terms, blocks } = &mut self.formulas;
        let to = ReturnTo { stack: self.positions.stack(*below), edge: *edge, saved };
        let (after, values) = blocks.apply_exit(terms, callee, values, to);
        let caller = below.caller;
        Some(Arrival { position: self.positions.at(&after, caller), values })
    }
}
