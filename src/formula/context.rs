//! A program opened for formulas: the store of its terms, and its blocks. Engines and `confirm` open it the same way.

use super::blocks::{BlockSize, Blocks};
use super::encode::{Arithmetic, Encoder, Transition, Unsupported};
use super::memory::{Memory, Representation};
use crate::program::{Program, Property};
use crate::term::{Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// A program with all that turns it into formulas.
pub struct Formulas<'p> {
    /// The store of terms.
    pub terms: Terms,
    /// The program in blocks.
    pub blocks: Blocks<'p>,
}

/// What `init` does: as a transition, and the values that it leaves.
pub type Initial = (Transition, FxHashMap<Symbol, TermId>);

impl<'p> Formulas<'p> {
    /// Opens a program.
    pub fn open(
        program: &'p Program,
        property: &'p Property,
        arithmetic: Arithmetic,
        size: BlockSize,
        representation: Representation,
    ) -> Formulas<'p> {
        let mut terms = Terms::new();
        let memory = Memory::new(program, &mut terms, representation);
        Formulas::reopen(program, property, arithmetic, size, terms, memory)
    }

    /// Opens a program for formulas that were made before: in their store, with their names of objects and cells.
    pub fn reopen(
        program: &'p Program,
        property: &'p Property,
        arithmetic: Arithmetic,
        size: BlockSize,
        mut terms: Terms,
        memory: Memory,
    ) -> Formulas<'p> {
        let encoder = Encoder::with_arithmetic(program, &mut terms, arithmetic);
        Formulas { blocks: Blocks::new(program, property, encoder, memory, size), terms }
    }

    /// The values that a symbol can have, where that says anything.
    pub fn range(&mut self, symbol: Symbol) -> Option<TermId> {
        self.blocks.range(&mut self.terms, symbol)
    }

    /// What `init` does, once every cell of memory that it reads has its name.
    ///
    /// # Errors
    /// Where formulas cannot speak of it.
    pub fn init(&mut self) -> Result<Initial, Unsupported> {
        loop {
            let initial = self.blocks.init(&mut self.terms)?;
            if !self.blocks.cells_changed() {
                return Ok(initial);
            }
        }
    }
}
