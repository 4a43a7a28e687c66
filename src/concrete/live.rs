//! Which locals of activations can still be read: the others are no part of a state.

use super::compile::Slot;
use super::machine::Machine;
use crate::program::control::Frame;
use crate::program::liveness::Liveness;
use crate::program::{EdgeId, IdVec, LocId, ProcId, VarId};
use std::cell::OnceCell;

/// For each location of a procedure, which of its locals are live there, by slot.
type Masks = IdVec<LocId, Box<[bool]>>;

/// The live locals of procedures, once somebody has asked.
pub(super) struct LiveLocals {
    /// None where dead ones count too.
    of: Option<IdVec<ProcId, OnceCell<Masks>>>,
}

impl LiveLocals {
    pub(super) fn new(program: &crate::program::Program) -> LiveLocals {
        // Every pointer that a variable holds keeps an object from being lost.
        let of = (!program.tracks_heap()).then(|| program.procedures.iter().map(|_| OnceCell::new()).collect());
        LiveLocals { of }
    }
}

impl Machine<'_> {
    /// For each local of a thread, in the order in which they lie, whether it can still be read; nothing is said of those behind
    /// the end.
    pub(super) fn live_locals(&self, thread: usize, live: &mut Vec<bool>) {
        live.clear();
        let frames = &self.control.threads[thread].frames;
        if self.live.of.is_none() || frames.is_empty() {
            return;
        }
        live.resize(self.code.own.len(), true);
        for (depth, frame) in frames.iter().enumerate() {
            let base = live.len();
            live.extend_from_slice(self.live_mask(frame).unwrap_or_default());
            // What takes the result of a call is written when that returns.
            let call = frames.get(depth + 1).and_then(|callee| callee.call);
            if let Some(slot) = call.and_then(|call| self.local_result(frame, call)) {
                live[base + slot as usize] = false;
            }
        }
    }

    /// Which locals of an activation can still be read, by slot; none if all count.
    #[inline]
    pub(super) fn live_mask(&self, frame: &Frame) -> Option<&[bool]> {
        let of = self.live.of.as_ref()?;
        Some(&of[frame.procedure].get_or_init(|| self.masks(frame.procedure))[frame.location])
    }

    /// The local of an activation that takes the result of a call.
    pub(super) fn local_result(&self, frame: &Frame, call: EdgeId) -> Option<u32> {
        match self.code.edge(frame.procedure, call).result {
            Some(Slot::Local(slot)) => Some(slot),
            _ => None,
        }
    }

    fn masks(&self, id: ProcId) -> Masks {
        let procedure = &self.program.procedures[id];
        let locals: Vec<(VarId, u32)> = (self.program.locals(id))
            .filter_map(|variable| match self.code.slots[variable] {
                Slot::Local(slot) => Some((variable, slot)),
                Slot::Global(_) | Slot::Own(_) => None,
            })
            .collect();
        let live = Liveness::of(procedure, locals.iter().map(|(variable, _)| *variable), true);
        let mask = |location: LocId| {
            let mut mask = vec![true; self.code.locals(id).len()];
            for (variable, slot) in &locals {
                mask[*slot as usize] = live.has(live.at(location), *variable);
            }
            mask.into_boxed_slice()
        };
        procedure.locations.ids().map(mask).collect()
    }
}
