//! Which logic a process is told.

use crate::term::{Op, Sort, TermId, Terms};

/// The theories that terms use; a set.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Logic {
    pub(super) integers: bool,
    pub(super) bit_vectors: bool,
    pub(super) rest: bool,
}

impl Logic {
    /// The smallest of three logics that holds them, as SMT-LIB names it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Logic { rest: true, .. } | Logic { integers: true, bit_vectors: true, .. } => "ALL",
            Logic { bit_vectors: true, .. } => "QF_BV",
            _ => "QF_LIA",
        }
    }

    /// Adds what the term itself uses, not its arguments.
    pub(super) fn add(&mut self, terms: &Terms, term: TermId) {
        match terms.sort(term) {
            Sort::Bool => {}
            Sort::Int => self.integers = true,
            Sort::BitVec(_) => self.bit_vectors = true,
            Sort::Array(_) => self.rest = true,
        }
        let constant = |&argument: &TermId| matches!(terms.op(argument), Op::Int(_));
        match terms.op(term) {
            // More than one factor that is no constant.
            Op::Mul => self.rest |= terms.args(term).iter().filter(|a| !constant(a)).count() > 1,
            Op::Div | Op::Mod => self.rest |= !constant(&terms.args(term)[1]),
            Op::IntToBv(_) | Op::BvToNat | Op::Select => self.rest = true,
            _ => {}
        }
    }
}
