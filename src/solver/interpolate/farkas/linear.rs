//! Constraints as linear inequalities over integers. A truth value counts as zero or one.

use crate::term::{Integer, Op, Sort, TermId, Terms};
use std::collections::BTreeMap;

/// `Σ coefficient·term + constant`; no coefficient is zero.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) monomials: BTreeMap<TermId, Integer>,
    pub(super) constant: Integer,
}

/// A part of a conjunction.
#[derive(Debug, Clone)]
pub(super) enum Part {
    /// The sum is at most zero; or is zero.
    Linear { sum: Sum, equality: bool },
    /// One of the terms holds.
    Cases(Vec<TermId>),
    /// Something else.
    Other,
}

impl Sum {
    fn constant(constant: impl Into<Integer>) -> Sum {
        Sum { constant: constant.into(), ..Sum::default() }
    }

    fn variable(term: TermId) -> Sum {
        Sum { monomials: [(term, Integer::ONE)].into_iter().collect(), constant: Integer::ZERO }
    }

    /// The coefficient of a term.
    pub(super) fn coefficient(&self, term: TermId) -> Integer {
        self.monomials.get(&term).cloned().unwrap_or_default()
    }

    fn add_monomial(&mut self, term: TermId, coefficient: &Integer) {
        let entry = self.monomials.entry(term).or_default();
        *entry = &*entry + coefficient;
        if entry.is_zero() {
            self.monomials.remove(&term);
        }
    }

    /// Adds `factor` times another sum.
    pub(super) fn add(&mut self, other: &Sum, factor: &Integer) {
        if factor.is_zero() {
            return;
        }
        for (term, coefficient) in &other.monomials {
            self.add_monomial(*term, &(coefficient * factor));
        }
        self.constant = &self.constant + &(&other.constant * factor);
    }

    fn plus(mut self, other: &Sum, factor: i64) -> Sum {
        self.add(other, &Integer::from(factor));
        self
    }

    /// The sum of an integer term. Where it is not linear, its monomials are other terms than variables.
    fn of(terms: &Terms, term: TermId) -> Sum {
        let mut sum = Sum::default();
        let mut pending = vec![(term, Integer::ONE)];
        while let Some((term, factor)) = pending.pop() {
            let args = terms.args(term);
            match terms.op(term) {
                Op::Int(value) => sum.constant = &sum.constant + &(value * &factor),
                Op::Add => pending.extend(args.iter().map(|&arg| (arg, factor.clone()))),
                Op::Neg => pending.push((args[0], -factor)),
                Op::Mul => {
                    let number = |arg: &TermId| match terms.op(*arg) {
                        Op::Int(value) => Some(value),
                        _ => None,
                    };
                    let product = args.iter().filter_map(number).fold(factor.clone(), |product, n| &product * n);
                    let others: Vec<TermId> = args.iter().copied().filter(|arg| number(arg).is_none()).collect();
                    match others[..] {
                        [] => sum.constant = &sum.constant + &product,
                        [other] => pending.push((other, product)),
                        _ => sum.add_monomial(term, &factor),
                    }
                }
                _ => sum.add_monomial(term, &factor),
            }
        }
        sum
    }

    /// The sum of a truth value, if it is a literal or a constant.
    fn of_literal(terms: &Terms, term: TermId) -> Option<Sum> {
        match terms.op(term) {
            Op::Bool(value) => Some(Sum::constant(*value)),
            Op::Var(_) => Some(Sum::variable(term)),
            Op::Not => Some(Sum::constant(1).plus(&Sum::of_literal(terms, terms.args(term)[0])?, -1)),
            _ => None,
        }
    }

    /// The sum as an integer term.
    fn term(&self, terms: &mut Terms) -> TermId {
        let mut members = vec![terms.int(self.constant.clone())];
        for (&term, coefficient) in &self.monomials {
            let coefficient = terms.int(coefficient.clone());
            members.push(terms.mul(coefficient, term));
        }
        terms.sum(members)
    }

    /// That the sum, over variables of the sorts Int and Bool, is at most zero.
    pub(super) fn at_most_zero(&self, terms: &mut Terms) -> TermId {
        let zero = terms.int(0);
        let holds = |sum: Integer| sum <= Integer::ZERO;
        if self.monomials.is_empty() {
            return terms.bool(holds(self.constant.clone()));
        }
        let first = self.monomials.first_key_value().filter(|_| self.monomials.len() == 1);
        if let Some((&truth, coefficient)) = first
            && terms.sort(truth) == Sort::Bool
        {
            return match (holds(self.constant.clone()), holds(&self.constant + coefficient)) {
                (false, true) => truth,
                (true, false) => terms.not(truth),
                (both, _) => terms.bool(both),
            };
        }
        // Rounding loses nothing, because the left side is an integer; the simplifier does it, too.
        let gcd = self.monomials.values().fold(Integer::ZERO, |gcd, coefficient| gcd.gcd(coefficient));
        let divide = |n: &Integer| n.div_rem_euclid(&gcd).expect("no coefficient is zero").0;
        let bound = divide(&-self.constant.clone());
        let mut sum = Sum::default();
        for (&term, coefficient) in &self.monomials {
            let monomial = match terms.sort(term) {
                Sort::Bool => {
                    let one = terms.int(1);
                    terms.ite(term, one, zero)
                }
                _ => term,
            };
            sum.monomials.insert(monomial, divide(coefficient));
        }
        let (left, bound) = (sum.term(terms), terms.int(bound));
        terms.le(left, bound)
    }
}

/// The parts of a formula, which together are equivalent to it unless one is [`Part::Other`].
pub(super) fn parts(terms: &mut Terms, term: TermId) -> Vec<Part> {
    let mut found = Vec::new();
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        let negated = *terms.op(term) == Op::Not;
        let inner = if negated { terms.args(term)[0] } else { term };
        let args = terms.args(inner).to_vec();
        match (terms.op(inner).clone(), negated) {
            (Op::Bool(value), _) if value != negated => {}
            (Op::Bool(_), _) => found.push(linear(terms, Sum::constant(1), false)),
            (Op::Not, _) => pending.push(args[0]),
            (Op::Var(_), _) => {
                let value = Sum::variable(inner).plus(&Sum::constant(!negated), -1);
                found.push(linear(terms, value, true));
            }
            (Op::And, false) => pending.extend(args),
            (Op::Or, true) => pending.extend(args.into_iter().map(|arg| terms.not(arg))),
            (Op::Or, false) => found.push(Part::Cases(args)),
            (Op::And, true) => found.push(Part::Cases(args.into_iter().map(|arg| terms.not(arg)).collect())),
            (Op::Implies, true) => pending.extend([args[0], terms.not(args[1])]),
            (Op::Implies, false) => found.push(Part::Cases(vec![terms.not(args[0]), args[1]])),
            (Op::Ite, _) => {
                let [then, otherwise] = [1, 2].map(|i| if negated { terms.not(args[i]) } else { args[i] });
                found.push(if_then_else(terms, args[0], then, otherwise));
            }
            (op @ (Op::Le | Op::Lt), _) => {
                let (a, b) = (Sum::of(terms, args[0]), Sum::of(terms, args[1]));
                let difference = if negated { b.plus(&a, -1) } else { a.plus(&b, -1) };
                let strict = (op == Op::Lt) != negated;
                found.push(linear(terms, difference.plus(&Sum::constant(strict), 1), false));
            }
            (Op::Eq, _) => found.push(equality(terms, args[0], args[1], negated)),
            _ => found.push(Part::Other),
        }
    }
    found
}

fn if_then_else(terms: &mut Terms, condition: TermId, then: TermId, otherwise: TermId) -> Part {
    let not = terms.not(condition);
    Part::Cases(vec![terms.and([condition, then]), terms.and([not, otherwise])])
}

fn equality(terms: &mut Terms, a: TermId, b: TermId, negated: bool) -> Part {
    match terms.sort(a) {
        Sort::Int if negated => Part::Cases(vec![terms.lt(a, b), terms.lt(b, a)]),
        Sort::Int => {
            let difference = Sum::of(terms, a).plus(&Sum::of(terms, b), -1);
            linear(terms, difference, true)
        }
        Sort::Bool => {
            let not = terms.not(b);
            let (b, opposite) = if negated { (not, b) } else { (b, not) };
            match (Sum::of_literal(terms, a), Sum::of_literal(terms, b)) {
                (Some(a), Some(b)) => linear(terms, a.plus(&b, -1), true),
                _ => if_then_else(terms, a, b, opposite),
            }
        }
        _ => Part::Other,
    }
}

/// The sum is at most zero, or is zero; a conditional in it makes two cases.
fn linear(terms: &mut Terms, sum: Sum, equality: bool) -> Part {
    let linear = |term: &TermId| matches!(terms.op(*term), Op::Var(_));
    let Some((&term, coefficient)) = sum.monomials.iter().find(|(term, _)| !linear(term)) else {
        return Part::Linear { sum, equality };
    };
    if *terms.op(term) != Op::Ite {
        return Part::Other;
    }
    let args = terms.args(term).to_vec();
    let zero = terms.int(0);
    let [then, otherwise] = [args[1], args[2]].map(|branch| {
        let mut chosen = sum.clone();
        chosen.monomials.remove(&term);
        chosen.add(&Sum::of(terms, branch), coefficient);
        let chosen = chosen.term(terms);
        if equality { terms.eq(chosen, zero) } else { terms.le(chosen, zero) }
    });
    if_then_else(terms, args[0], then, otherwise)
}
