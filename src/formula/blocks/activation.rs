//! Calls of recursive procedures by symbolic values: what a call passes and puts aside, and what a return restores.

use super::{Blocks, Code};
use crate::formula::encode::Unsupported;
use crate::program::control::Frame;
use crate::program::{EdgeId, ProcId};
use crate::term::{Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// The start of an activation of a recursive procedure.
#[derive(Debug)]
pub struct Activation {
    /// Its location stack.
    pub stack: Vec<Frame>,
    /// When the arguments are defined.
    pub guard: TermId,
    /// The values of variables when it starts.
    pub values: FxHashMap<Symbol, TermId>,
    /// What the callee's variables are in an earlier activation of it, in the order of the symbols.
    pub saved: Vec<(Symbol, TermId)>,
}

/// A call that an activation returns to.
#[derive(Debug, Clone, Copy)]
pub struct ReturnTo<'a> {
    /// The location stack at the call.
    pub stack: &'a [Frame],
    /// The call.
    pub edge: EdgeId,
    /// What the call put aside.
    pub saved: &'a [(Symbol, TermId)],
}

impl Blocks<'_> {
    /// Starts the activation that a call of a recursive procedure makes. What the call reads is a copy for the time.
    ///
    /// # Errors
    /// Where formulas cannot speak of the arguments.
    pub fn apply_call(
        &mut self,
        terms: &mut Terms,
        stack: &[Frame],
        edge: EdgeId,
        mut values: FxHashMap<Symbol, TermId>,
        time: u32,
    ) -> Result<Activation, Unsupported> {
        let number = self.number(stack);
        let code = self.step(terms, (number, stack), edge, &values)?.code;
        let Code::Call { callee, guard, parameters } = &*code else { unreachable!("the edge calls") };
        let used = terms.symbols_of(parameters.iter().map(|(_, value)| *value).chain([*guard]));
        let mut map = values.clone();
        for symbol in used {
            if !self.is_state(symbol) {
                map.insert(symbol, self.copy_for(terms, time, symbol));
            }
        }
        let mut done = FxHashMap::default();
        let guard = terms.substitute_cached(*guard, &map, &mut done);
        let passed: Vec<(Symbol, TermId)> = (parameters.iter())
            .map(|&(symbol, value)| (symbol, terms.substitute_cached(value, &map, &mut done)))
            .collect();
        let mut saved: Vec<(Symbol, TermId)> = (self.locals[*callee].iter())
            .filter_map(|(_, local)| values.remove(local).map(|value| (*local, value)))
            .collect();
        saved.sort_unstable();
        values.extend(passed);
        let entry = self.program.procedures[*callee].entry;
        let stack = vec![Frame { procedure: *callee, location: entry, call: None }];
        Ok(Activation { stack, guard, values, saved })
    }

    /// Whether an activation with this location stack is at its exit.
    pub fn has_ended(&self, stack: &[Frame]) -> bool {
        let [only] = stack else { return false };
        only.location == self.program.procedures[only.procedure].exit
    }

    /// The caller's location stack and values after the activation of a procedure has returned to it.
    pub fn apply_exit(
        &mut self,
        terms: &mut Terms,
        callee: ProcId,
        mut values: FxHashMap<Symbol, TermId>,
        to: ReturnTo<'_>,
    ) -> (Vec<Frame>, FxHashMap<Symbol, TermId>) {
        let mut after = to.stack.to_vec();
        let top = after.last_mut().expect("a location stack has a top");
        top.location = self.program.procedures[top.procedure].edges[to.edge].target;
        let caller = top.procedure;
        let result = self.result_of(terms, caller, Some(to.edge), callee);
        let given: Vec<(Symbol, TermId)> =
            (result.into_iter()).map(|(target, value)| (target, terms.substitute(value, &values))).collect();
        for (_, local) in &self.locals[callee] {
            values.remove(local);
        }
        values.extend(to.saved.iter().copied());
        values.extend(given);
        (after, values)
    }

    /// Every location stack that was met, by the number that names of inputs have.
    pub fn numbered_stacks(&self) -> Vec<Box<[Frame]>> {
        let mut stacks: Vec<(u32, Box<[Frame]>)> =
            self.stacks.iter().map(|(stack, number)| (*number, stack.clone())).collect();
        stacks.sort_unstable_by_key(|(number, _)| *number);
        stacks.into_iter().map(|(_, stack)| stack).collect()
    }

    /// Gives location stacks these numbers, before any is met; `false` if one is there twice.
    pub fn number_stacks(&mut self, stacks: &[Box<[Frame]>]) -> bool {
        stacks.iter().enumerate().all(|(number, stack)| self.number(stack) as usize == number)
    }
}
