//! Calls of recursive procedures: the caller's variables are put aside, and come back with it.

use super::{Bounded, State};
use crate::engine::Stop;
use crate::formula::blocks::Code;
use crate::program::control::Frame;
use crate::program::{EdgeId, ProcId};
use crate::term::{Symbol, TermId};
use rustc_hash::FxHashMap;
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
    /// The state in which a recursive procedure starts, and when its arguments have a meaning.
    pub(super) fn enter(&mut self, state: State, edge: EdgeId, time: u32) -> Result<(State, TermId), Stop> {
        let State { stack, caller: below, mut values, model } = state;
        let known: Vec<(Symbol, TermId)> = values.iter().map(|(symbol, value)| (*symbol, *value)).collect();
        let code = self.blocks.code(&mut self.terms, &stack, edge, &known)?;
        let Code::Call { callee, guard, parameters } = &*code else { unreachable!("the edge calls") };
        let used = self.terms.symbols_of(parameters.iter().map(|(_, value)| *value).chain([*guard]));
        let mut map = values.clone();
        for symbol in used {
            if !self.blocks.is_state(symbol) {
                map.insert(symbol, self.blocks.copy_for(&mut self.terms, time, symbol));
            }
        }
        let mut done = FxHashMap::default();
        let guard = self.terms.substitute_cached(*guard, &map, &mut done);
        let passed: Vec<(Symbol, TermId)> = (parameters.iter())
            .map(|&(symbol, value)| (symbol, self.terms.substitute_cached(value, &map, &mut done)))
            .collect();
        let locals = self.blocks.locals(*callee);
        let mut saved: Vec<(Symbol, TermId)> =
            locals.iter().filter_map(|local| values.remove(local).map(|value| (*local, value))).collect();
        saved.sort_unstable();
        values.extend(passed);
        let is_constant = saved.iter().all(|(_, value)| self.terms.as_value(*value).is_some())
            && below.is_none_or(|below| self.callers[below].is_constant);
        let caller = self.caller(Caller { stack, edge, saved, below, is_constant });
        let entry = self.task.program.procedures[*callee].entry;
        let stack = [Frame { procedure: *callee, location: entry, call: None }].into();
        Ok((State { stack, caller: Some(caller), values, model }, guard))
    }

    /// Whether an activation has come to its end.
    pub(super) fn has_ended(&self, state: &State) -> bool {
        let [only] = &state.stack[..] else { return false };
        only.location == self.task.program.procedures[only.procedure].exit
    }

    /// The state after an activation has returned; `None` where the main procedure has.
    pub(super) fn come_back(&mut self, state: State) -> Option<State> {
        let State { stack, caller, mut values, model } = state;
        let Caller { stack: below, edge, saved, below: caller, .. } = self.callers[caller?].clone();
        let callee = stack.last().expect("a location stack has a top").procedure;
        let (result, after) = self.result(&below, edge, callee);
        let given: Vec<(Symbol, TermId)> =
            (result.into_iter()).map(|(target, value)| (target, self.terms.substitute(value, &values))).collect();
        for local in self.blocks.locals(callee) {
            values.remove(&local);
        }
        values.extend(saved);
        values.extend(given);
        Some(State { stack: after, caller, values, model })
    }

    /// What the caller takes over, and its stack after the call.
    fn result(&mut self, stack: &[Frame], edge: EdgeId, callee: ProcId) -> (Vec<(Symbol, TermId)>, Rc<[Frame]>) {
        let mut after = stack.to_vec();
        let top = after.last_mut().expect("a location stack has a top");
        top.location = self.task.program.procedures[top.procedure].edges[edge].target;
        let caller = top.procedure;
        (self.blocks.result_of(&mut self.terms, caller, Some(edge), callee), after.into())
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
