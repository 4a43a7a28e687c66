//! Predicate abstraction: which predicates of the precision hold after a step.
//!
//! A solver answers, which has asserted when the step is possible; where it does not, bounds of integers may. The solver
//! and the limits are passed in, and nothing is kept.

use super::{Domain, Intervals};
use crate::formula::model_without_solver::seen_in;
use crate::solver::{AllModels, Answer, Models};
use crate::term::{Assignment, Symbol, TermId, Terms};

/// Which predicates hold after a step: the question.
pub struct PredicateQuestion<'a> {
    /// When the step is possible; the solver has asserted it, with the ranges of its symbols.
    pub context: &'a [TermId],
    /// Values with which the step is possible, where some are known.
    pub witness: Option<&'a Assignment>,
    /// The predicates, each with what it says over the values before the step.
    pub predicates: &'a [(TermId, TermId)],
    /// How combinations are told apart; none where each predicate is abstracted for itself.
    pub combine: Option<CombinationLimits>,
}

/// Up to where combinations of predicates are told apart; beyond, each predicate is abstracted for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CombinationLimits {
    /// So many predicates.
    pub predicates: usize,
    /// One more than so many combinations.
    pub combinations: usize,
}

/// The values that a symbol can have, where that says anything.
pub type RangeOf<'a> = dyn FnMut(&mut Terms, Symbol) -> Option<TermId> + 'a;

impl PredicateQuestion<'_> {
    /// The predicates, or their negations, that hold after the step: one list, or one for each combination.
    pub fn answer<S: Models>(&self, terms: &mut Terms, solver: &mut S, range_of: &mut RangeOf<'_>) -> Vec<Vec<TermId>> {
        let mentioned = terms.symbols_of(self.context.iter().copied());
        // A predicate over what the context does not speak of can be true and false.
        let is_connected = |after: TermId| {
            let symbols = terms.symbols_of([after]);
            symbols.iter().any(|symbol| mentioned.contains(symbol)) || symbols.len() <= 1
        };
        let open: Vec<(TermId, TermId)> =
            self.predicates.iter().copied().filter(|(_, after)| is_connected(*after)).collect();
        if let Some(CombinationLimits { predicates, combinations }) = self.combine
            && open.len() <= predicates
        {
            let after: Vec<TermId> = open.iter().map(|(_, after)| *after).collect();
            let found = solver.all_models(terms, &[], &after, combinations);
            if found.stopped.is_none() && found.cubes.len() < combinations {
                return found.cubes.iter().map(|cube| literals(terms, &open, cube)).collect();
            }
        }
        let truths: Vec<Option<bool>> =
            open.iter().map(|(_, after)| self.truth_of(terms, solver, *after, range_of)).collect();
        vec![literals(terms, &open, &truths)]
    }

    /// Whether a formula is true, or false, wherever the step is possible.
    fn truth_of<S: Models>(
        &self,
        terms: &mut Terms,
        solver: &mut S,
        formula: TermId,
        range_of: &mut RangeOf<'_>,
    ) -> Option<bool> {
        let seen = self.witness.and_then(|model| seen_in(terms, model, formula));
        let negated = terms.not(formula);
        let mut is_open = false;
        for (truth, opposite) in [(true, negated), (false, formula)] {
            // What a model makes true need not be asked to be false.
            if seen == Some(!truth) {
                continue;
            }
            match solver.check(terms, &[opposite]) {
                Answer::Unsat => return Some(truth),
                Answer::Sat => {}
                Answer::Unknown(_) => is_open = true,
            }
        }
        is_open.then(|| self.truth_by_bounds(terms, formula, range_of)).flatten()
    }

    /// The same by bounds of integers, where the solver gives no answer.
    fn truth_by_bounds(&self, terms: &mut Terms, formula: TermId, range_of: &mut RangeOf<'_>) -> Option<bool> {
        let mut bounds = Intervals::top();
        for symbol in terms.symbols_of(self.context.iter().copied().chain([formula])) {
            if let Some(range) = range_of(terms, symbol) {
                bounds.assume(terms, range);
            }
        }
        self.context.iter().for_each(|&part| bounds.assume(terms, part));
        bounds.decide(terms, formula)
    }
}

/// The predicates with their truth values, where these are known.
fn literals(terms: &mut Terms, predicates: &[(TermId, TermId)], truths: &[Option<bool>]) -> Vec<TermId> {
    let known = predicates.iter().zip(truths).filter_map(|((predicate, _), truth)| Some((*predicate, (*truth)?)));
    known.map(|(predicate, truth)| if truth { predicate } else { terms.not(predicate) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Reason, Solve, SolverError};
    use crate::term::infix::infix;
    use crate::term::{Sort, parse_sexprs};

    /// A solver that answers as the function does, and has no models.
    struct Answering<F>(F);

    impl<F: FnMut(&Terms, &[TermId]) -> Answer> Solve for Answering<F> {
        fn push(&mut self) {}

        fn pop(&mut self) {}

        fn level(&self) -> usize {
            0
        }

        fn assert(&mut self, _: &Terms, _: TermId) {}

        fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
            self.0(terms, assumptions)
        }
    }

    impl<F: FnMut(&Terms, &[TermId]) -> Answer> Models for Answering<F> {
        fn model(&mut self, _: &mut Terms, _: &[Symbol]) -> Result<Assignment, SolverError> {
            Err(SolverError::NotAvailable("model"))
        }
    }

    /// What is found to hold, where `x` is from 0 to 3 and every variable from -100 to 100.
    fn found(predicates: &[&str], combine: Option<CombinationLimits>, answer: impl Fn(&str) -> Answer) -> String {
        let mut terms = Terms::new();
        for name in ["x", "y"] {
            terms.var(name, Sort::Int);
        }
        let mut read = |text: &str| {
            let read = parse_sexprs(text).expect("an expression");
            terms.parse_term(&read[0], &Default::default()).expect("a term")
        };
        let context = [read("(<= x 3)"), read("(>= x 0)")];
        let predicates: Vec<(TermId, TermId)> = predicates.iter().map(|text| (read(text), read(text))).collect();
        let question = PredicateQuestion { context: &context, witness: None, predicates: &predicates, combine };
        let mut solver = Answering(|terms: &Terms, assumed: &[TermId]| match assumed {
            [] => Answer::Unknown(Reason::Limit),
            assumed => answer(&infix(terms, assumed[0])),
        });
        let found = question.answer(&mut terms, &mut solver, &mut |terms, symbol| {
            let (name, low, high) = (terms.of_symbol(symbol), terms.int(-100), terms.int(100));
            let bounds = [terms.le(low, name), terms.le(name, high)];
            Some(terms.and(bounds))
        });
        let lines = found.iter().map(|literals| {
            let literals: Vec<String> = literals.iter().map(|literal| infix(&terms, *literal)).collect();
            literals.join(" && ")
        });
        lines.collect::<Vec<_>>().join(" || ")
    }

    #[test]
    fn bounds_tell_where_the_solver_does_not() {
        let unknown = |_: &str| Answer::Unknown(Reason::Limit);
        // From the context, from the context, from the ranges, and not at all.
        let predicates = ["(<= x 5)", "(<= x (- 1))", "(<= (+ x y) 200)", "(<= y 7)"];
        assert_eq!(found(&predicates, None, unknown), "x <= 5 && x >= 0 && x + y <= 200");
        // Combinations that the solver does not tell are no states of their own.
        let limits = CombinationLimits { predicates: 10, combinations: 64 };
        assert_eq!(found(&predicates, Some(limits), unknown), "x <= 5 && x >= 0 && x + y <= 200");
    }

    #[test]
    fn bounds_are_not_asked_where_the_solver_answers() {
        assert_eq!(found(&["(<= x 5)"], None, |_| Answer::Sat), "");
        let only = |text: &str| if text == "y < x" { Answer::Unsat } else { Answer::Sat };
        assert_eq!(found(&["(<= x y)", "(<= x (+ y 1))"], None, only), "x <= y");
    }
}
