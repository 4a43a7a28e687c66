//! Location stacks as numbers: every stack that a search meets is stored once.

use crate::program::control::Frame;
use crate::program::{LocId, ProcId, Program, Span};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The number of a location stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct StackId(u32);

/// Every location stack that was seen, once.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    numbers: FxHashMap<Rc<[Frame]>, StackId>,
    all: Vec<Rc<[Frame]>>,
}

impl Stacks {
    /// The number of a stack.
    pub(super) fn number(&mut self, stack: &[Frame]) -> StackId {
        if let Some(&known) = self.numbers.get(stack) {
            return known;
        }
        let (new, number): (Rc<[Frame]>, _) = (stack.into(), StackId(self.all.len() as u32));
        self.all.push(Rc::clone(&new));
        self.numbers.insert(new, number);
        number
    }

    /// The stack with a number.
    pub(super) fn get(&self, number: StackId) -> &Rc<[Frame]> {
        &self.all[number.0 as usize]
    }
}

/// The place in the source where most of the stacks are.
pub(super) fn busiest<'s>(program: &Program, stacks: impl Iterator<Item = &'s [Frame]>) -> Option<Span> {
    let mut counts: BTreeMap<(ProcId, LocId), u64> = BTreeMap::new();
    for top in stacks.filter_map(<[Frame]>::last) {
        *counts.entry((top.procedure, top.location)).or_default() += 1;
    }
    let spanned = counts.into_iter().filter_map(|((procedure, location), count)| {
        Some((count, program.procedures[procedure].locations[location].span?))
    });
    spanned.max_by_key(|(count, _)| *count).map(|(_, span)| span)
}
