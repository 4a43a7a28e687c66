//! Location stacks as numbers: every stack that a search meets is stored once.

use crate::program::control::Frame;
use rustc_hash::FxHashMap;
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
