//! Which logic a process is told, and which terms are in none of its logics.

use crate::solver::Kind;
use crate::term::{Op, Sort, TermId, Terms};

/// The theories that terms use; a set.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Logic {
    pub(super) integers: bool,
    pub(super) bit_vectors: bool,
    pub(super) arrays: bool,
    pub(super) rest: bool,
}

impl Logic {
    /// The smallest logic of a few that holds them, as SMT-LIB names it.
    pub(super) fn name(self, kind: Kind) -> &'static str {
        match self {
            Logic { rest: true, .. } | Logic { integers: true, bit_vectors: true, .. } => "ALL",
            Logic { arrays: true, integers: false, .. } if kind == Kind::Yices => "QF_ABV",
            Logic { arrays: true, .. } => "ALL",
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
            Sort::Array(_) => self.arrays = true,
        }
        self.arrays |= matches!(terms.op(term), Op::Select);
        self.rest |= is_not_linear(terms, term) || matches!(terms.op(term), Op::IntToBv(_) | Op::BvToNat);
    }
}

/// Whether the term itself multiplies variables or divides by one.
fn is_not_linear(terms: &Terms, term: TermId) -> bool {
    let constant = |&argument: &TermId| matches!(terms.op(argument), Op::Int(_));
    match terms.op(term) {
        // More than one factor that is no constant.
        Op::Mul => terms.args(term).iter().filter(|a| !constant(a)).count() > 1,
        Op::Div | Op::Mod => !constant(&terms.args(term)[1]),
        _ => false,
    }
}

/// The terms about which Yices cannot be asked, by their numbers: those with an operator somewhere that it lacks.
#[derive(Default)]
pub(super) struct BeyondYices {
    known: Vec<bool>,
}

impl BeyondYices {
    pub(super) fn contains(&mut self, terms: &Terms, term: TermId) -> bool {
        // Arguments have smaller numbers than what is built of them, so they are known first.
        if self.known.len() <= term.index() {
            for next in terms.from_number(self.known.len()) {
                let beyond = is_beyond(terms, next) || terms.args(next).iter().any(|a| self.known[a.index()]);
                self.known.push(beyond);
            }
        }
        self.known[term.index()]
    }
}

/// Whether Yices lacks the operator of the term itself.
fn is_beyond(terms: &Terms, term: TermId) -> bool {
    let is_zero = |argument: TermId| matches!(terms.op(argument), Op::Int(value) if value.is_zero());
    match terms.op(term) {
        Op::IntToBv(_) | Op::BvToNat | Op::ConstArray(_) => true,
        Op::Div | Op::Mod if is_zero(terms.args(term)[1]) => true,
        _ => is_not_linear(terms, term),
    }
}
