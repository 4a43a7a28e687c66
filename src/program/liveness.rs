//! Which variables of a procedure are live where: some execution from there reads them before it writes them.

use super::{EdgeId, IdVec, LocId, Procedure, Statement, VarId};
use rustc_hash::FxHashMap;

/// Where variables of a procedure are live.
#[derive(Debug)]
pub struct Liveness {
    bits: FxHashMap<VarId, usize>,
    at: IdVec<LocId, Bits>,
}

/// A set of the variables that are looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bits(Vec<u64>);

impl Bits {
    fn has(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn set(&mut self, bit: usize, value: bool) {
        let mask = 1 << (bit % 64);
        if value {
            self.0[bit / 64] |= mask;
        } else {
            self.0[bit / 64] &= !mask;
        }
    }

    /// Adds all of the other; tells whether there was anything new.
    fn join(&mut self, other: &Bits) -> bool {
        let mut is_new = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            is_new |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        is_new
    }
}

impl Liveness {
    /// Of these variables, which are the procedure's own. The result is read at the end, if some call uses it.
    pub fn of(procedure: &Procedure, variables: impl Iterator<Item = VarId>, is_result_used: bool) -> Liveness {
        let mut bits: FxHashMap<VarId, usize> = FxHashMap::default();
        for variable in variables {
            let next = bits.len();
            bits.entry(variable).or_insert(next);
        }
        let none = Bits(vec![0; bits.len().div_ceil(64)]);
        let at = procedure.locations.iter().map(|_| none.clone()).collect();
        let mut live = Liveness { bits, at };
        let result = procedure.result.as_ref().filter(|_| is_result_used);
        if let Some(&bit) = result.and_then(|result| live.bits.get(result)) {
            live.at[procedure.exit].set(bit, true);
        }
        if !live.is_empty() {
            live.spread(procedure);
        }
        live
    }

    /// Whether no variable is looked at.
    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// What is live at a location.
    pub fn at(&self, location: LocId) -> &Bits {
        &self.at[location]
    }

    /// Whether a variable is in a set; one that is not looked at is in none.
    pub fn has(&self, set: &Bits, variable: VarId) -> bool {
        self.bits.get(&variable).is_some_and(|&bit| set.has(bit))
    }

    fn spread(&mut self, procedure: &Procedure) {
        let mut incoming: IdVec<LocId, Vec<EdgeId>> = procedure.locations.iter().map(|_| Vec::new()).collect();
        for (id, edge) in procedure.edges.enumerate() {
            incoming[edge.target].push(id);
        }
        let mut is_waiting: IdVec<LocId, bool> = procedure.locations.iter().map(|_| true).collect();
        let mut waiting: Vec<LocId> = procedure.locations.ids().collect();
        while let Some(location) = waiting.pop() {
            is_waiting[location] = false;
            for &id in &incoming[location] {
                let edge = &procedure.edges[id];
                let mut before = self.at[location].clone();
                edge.block.iter().rev().for_each(|statement| self.step_back(&mut before, statement));
                if self.at[edge.source].join(&before) && !std::mem::replace(&mut is_waiting[edge.source], true) {
                    waiting.push(edge.source);
                }
            }
        }
    }

    /// From the variables that are live after a statement to those that are before it.
    pub fn step_back(&self, live: &mut Bits, statement: &Statement) {
        for target in statement.targets() {
            if let Some(&bit) = self.bits.get(&target) {
                live.set(bit, false);
            }
        }
        for expression in statement.expressions() {
            expression.for_each_var(&mut |variable| {
                if let Some(&bit) = self.bits.get(&variable) {
                    live.set(bit, true);
                }
            });
        }
    }
}
