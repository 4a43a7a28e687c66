//! Input that nothing reads: which variables are live where.

use crate::program::{EdgeId, IdVec, LocId, ProcId, Procedure, Scope, Statement, VarId, Variable};
use rustc_hash::FxHashMap;

/// Removes the input of locals whose value is not read after it; the result is read at the end, if some call uses it.
pub(super) fn drop_dead_input(
    procedure: &mut Procedure,
    variables: &IdVec<VarId, Variable>,
    id: ProcId,
    is_result_used: bool,
) {
    let mut bits: FxHashMap<VarId, usize> = FxHashMap::default();
    for statement in procedure.edges.iter().flat_map(|edge| &edge.block) {
        if let Statement::Havoc { target, .. } = statement
            && variables[*target].scope == Scope::Local(id)
        {
            let next = bits.len();
            bits.entry(*target).or_insert(next);
        }
    }
    if bits.is_empty() {
        return;
    }
    let live = live_at(procedure, &bits, is_result_used);
    for edge in procedure.edges.iter_mut() {
        let mut after = live[edge.target].clone();
        let mut keep = vec![true; edge.block.len()];
        for (index, statement) in edge.block.iter().enumerate().rev() {
            if let Statement::Havoc { target, .. } = statement
                && let Some(&bit) = bits.get(target)
            {
                keep[index] = after.has(bit);
            }
            step_back(&mut after, statement, &bits);
        }
        let mut keep = keep.into_iter();
        edge.block.retain(|_| keep.next().unwrap_or(true));
    }
}

/// A set of small numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Bits(Vec<u64>);

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

/// The variables that are live at each location.
fn live_at(procedure: &Procedure, bits: &FxHashMap<VarId, usize>, is_result_used: bool) -> IdVec<LocId, Bits> {
    let none = Bits(vec![0; bits.len().div_ceil(64)]);
    let mut live: IdVec<LocId, Bits> = procedure.locations.iter().map(|_| none.clone()).collect();
    let result = procedure.result.as_ref().filter(|_| is_result_used);
    if let Some(&bit) = result.and_then(|result| bits.get(result)) {
        live[procedure.exit].set(bit, true);
    }
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
            let mut before = live[location].clone();
            edge.block.iter().rev().for_each(|statement| step_back(&mut before, statement, bits));
            if live[edge.source].join(&before) && !std::mem::replace(&mut is_waiting[edge.source], true) {
                waiting.push(edge.source);
            }
        }
    }
    live
}

/// From the variables that are live after a statement to those that are before it.
fn step_back(live: &mut Bits, statement: &Statement, bits: &FxHashMap<VarId, usize>) {
    for target in statement.targets() {
        if let Some(&bit) = bits.get(&target) {
            live.set(bit, false);
        }
    }
    for expression in statement.expressions() {
        expression.for_each_var(&mut |variable| {
            if let Some(&bit) = bits.get(&variable) {
                live.set(bit, true);
            }
        });
    }
}
