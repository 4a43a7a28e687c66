//! Calls of recursive procedures: the caller's variables are put aside, and come back with it.

use super::{Bounded, State};
use crate::engine::Stop;
use crate::formula::Formulas;
use crate::formula::blocks::{Activation, ReturnTo};
use crate::program::EdgeId;
use crate::program::control::Frame;
use crate::term::{Symbol, TermId};
use std::rc::Rc;

/// The number of a caller.
pub(super) type CallerId = usize;

/// Who called an activation of a recursive procedure.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Caller {
    /// Its location stack at the call.
    pub(super) stack: Rc<[Frame]>,
    /// The call.
    pub(super) edge: EdgeId,
    /// What the callee's variables are in an earlier activation of it.
    pub(super) saved: Vec<(Symbol, TermId)>,
    /// Who called this one.
    pub(super) below: Option<CallerId>,
    /// Whether all that was put aside is constant, here and below.
    pub(super) is_constant: bool,
}

impl Bounded<'_> {
    /// The state in which a recursive procedure starts, and when its arguments are defined.
    pub(super) fn apply_call(&mut self, state: State, edge: EdgeId, time: u32) -> Result<(State, TermId), Stop> {
        let State { stack, caller: below, values, model } = state;
        let Formulas { terms, blocks } = &mut self.formulas;
        let Activation { stack: inside, guard, values, saved } =
            blocks.apply_call(terms, &stack, edge, values, time)?;
        let is_constant = saved.iter().all(|(_, value)| terms.as_value(*value).is_some())
            && below.is_none_or(|below| self.callers[below].is_constant);
        let caller = self.caller(Caller { stack, edge, saved, below, is_constant });
        Ok((State { stack: inside.into(), caller: Some(caller), values, model }, guard))
    }

    /// The state after an activation has returned; `None` where the main procedure has.
    pub(super) fn apply_exit(&mut self, state: State) -> Option<State> {
        let State { stack, caller, values, model } = state;
        let Caller { stack: below, edge, saved, below: caller, .. } = &self.callers[caller?];
        let callee = stack.last().expect("a location stack has a top").procedure;
        let Formulas { terms, blocks } = &mut self.formulas;
        let to = ReturnTo { stack: below, edge: *edge, saved };
        let (after, values) = blocks.apply_exit(terms, callee, values, to);
        Some(State { stack: after.into(), caller: *caller, values, model })
    }

    fn caller(&mut self, caller: Caller) -> CallerId {
        if let Some(&known) = self.caller_ids.get(&caller) {
            return known;
        }
        let id = self.callers.len();
        self.callers.push(caller.clone());
        self.caller_ids.insert(caller, id);
        id
    }
}
