//! Predicates that the user gave: what each is at a place follows from what is known of memory there.

use super::CegarSpace;
use crate::formula::Formulas;
use crate::program::Program;
use crate::program::control::Frame;
use crate::program::predicates::{Given, GivenScope, PredicateFile, resolve};
use crate::term::{Op, Symbol, TermId};
use rustc_hash::FxHashMap;

/// The predicates that the user gave, and how many there were at most at one place, those that were found included.
#[derive(Debug, Default)]
pub(super) struct GivenPredicates {
    all: Vec<Given>,
    most: usize,
}

impl GivenPredicates {
    /// Those of a file whose names are those of the program. A transformed program may lack some.
    pub(super) fn of(file: Option<&PredicateFile>, program: &Program) -> GivenPredicates {
        let all = file.map(|file| resolve(file, program).0).unwrap_or_default();
        let is_kept = |given: &Given| matches!(given.scope, GivenScope::Everywhere | GivenScope::In(_));
        GivenPredicates { all: all.into_iter().filter(is_kept).collect(), most: 0 }
    }

    /// How many predicates there were at most at one location.
    pub(super) fn most_at_a_location(&self) -> usize {
        self.most
    }
}

impl CegarSpace<'_> {
    /// The predicates at a stack: those of the precision, and those that the user gave, with these values after a step.
    pub(super) fn all_predicates_at(&mut self, stack: &[Frame], values: &FxHashMap<Symbol, TermId>) -> Vec<TermId> {
        let mut predicates = self.predicates_at(stack);
        if !self.given.all.is_empty() {
            predicates.extend(self.given_at(stack, values));
            predicates.sort_unstable();
            predicates.dedup();
        }
        self.given.most = self.given.most.max(predicates.len());
        predicates
    }

    /// What the user gave, as formulas over the state at a stack.
    fn given_at(&mut self, stack: &[Frame], values: &FxHashMap<Symbol, TermId>) -> Vec<TermId> {
        let Formulas { terms, blocks } = &mut self.formulas;
        let is_value = |value: &TermId| matches!(terms.op(*value), Op::Bool(_) | Op::Int(_) | Op::BitVec(..));
        let known = values.iter().filter(|(_, value)| is_value(value)).map(|(symbol, value)| (*symbol, *value));
        let known: FxHashMap<Symbol, TermId> = known.collect();
        let mut found = Vec::new();
        for given in &self.given.all {
            let is_here = match given.scope {
                GivenScope::Everywhere => true,
                GivenScope::In(procedure) => stack.iter().any(|frame| frame.procedure == procedure),
                GivenScope::Entry(_) | GivenScope::Exit(_) => false,
            };
            if !is_here {
                continue;
            }
            let condition = (&given.guards[..], &given.formula);
            let Some(term) = blocks.condition_at(terms, stack, &known, condition) else { continue };
            let plain = if terms.op(term) == &Op::Not { terms.args(term)[0] } else { term };
            let symbols = terms.symbols_of([plain]);
            if !symbols.is_empty() && symbols.into_iter().all(|symbol| blocks.matters(stack, symbol)) {
                found.push(plain);
            }
        }
        found
    }
}
