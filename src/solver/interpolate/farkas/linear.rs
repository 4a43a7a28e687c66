//! Constraints as linear inequalities over integers. A truth value counts as zero or one.

use crate::term::{Integer, Linear, Op, Sort, TermId, Terms};

/// `Σ coefficient·term + constant`. Where it is not linear, its monomials are other terms than variables.
pub(super) type Sum = Linear;

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

fn constant(constant: impl Into<Integer>) -> Sum {
    Sum { constant: constant.into(), ..Sum::default() }
}

fn variable(term: TermId) -> Sum {
    Sum { monomials: vec![(term, Integer::ONE)], constant: Integer::ZERO }
}

fn plus(mut sum: Sum, other: &Sum, factor: i64) -> Sum {
    sum.add_sum(other, &Integer::from(factor));
    sum
}

/// The sum of a truth value, if it is a literal or a constant.
fn of_literal(terms: &Terms, term: TermId) -> Option<Sum> {
    match terms.op(term) {
        Op::Bool(value) => Some(constant(*value)),
        Op::Var(_) => Some(variable(term)),
        Op::Not => Some(plus(constant(1), &of_literal(terms, terms.args(term)[0])?, -1)),
        _ => None,
    }
}

/// The sum as an integer term.
fn term_of(terms: &mut Terms, sum: &Sum) -> TermId {
    let mut members = vec![terms.int(sum.constant.clone())];
    for (term, coefficient) in &sum.monomials {
        let coefficient = terms.int(coefficient.clone());
        members.push(terms.mul(coefficient, *term));
    }
    terms.sum(members)
}

/// That the sum, over variables of the sorts Int and Bool, is at most zero.
pub(super) fn at_most_zero(terms: &mut Terms, sum: &Sum) -> TermId {
    let zero = terms.int(0);
    let holds = |sum: Integer| sum <= Integer::ZERO;
    if sum.monomials.is_empty() {
        return terms.bool(holds(sum.constant.clone()));
    }
    if let [(truth, coefficient)] = sum.monomials.as_slice()
        && terms.sort(*truth) == Sort::Bool
    {
        return match (holds(sum.constant.clone()), holds(&sum.constant + coefficient)) {
            (false, true) => *truth,
            (true, false) => terms.not(*truth),
            (both, _) => terms.bool(both),
        };
    }
    // Rounding loses nothing, because the left side is an integer; the simplifier does it, too.
    let gcd = sum.gcd();
    let divide = |n: &Integer| n.div_rem_euclid(&gcd).expect("no coefficient is zero").0;
    let bound = divide(&-sum.constant.clone());
    let mut divided = Sum::default();
    for &(term, ref coefficient) in &sum.monomials {
        let monomial = match terms.sort(term) {
            Sort::Bool => {
                let one = terms.int(1);
                terms.ite(term, one, zero)
            }
            _ => term,
        };
        divided.add_monomial(monomial, &divide(coefficient));
    }
    let (left, bound) = (term_of(terms, &divided), terms.int(bound));
    terms.le(left, bound)
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
            (Op::Bool(_), _) => found.push(linear(terms, constant(1), false)),
            (Op::Not, _) => pending.push(args[0]),
            (Op::Var(_), _) => {
                let value = plus(variable(inner), &constant(!negated), -1);
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
                let difference = if negated { plus(b, &a, -1) } else { plus(a, &b, -1) };
                let strict = (op == Op::Lt) != negated;
                found.push(linear(terms, plus(difference, &constant(strict), 1), false));
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
            let difference = plus(Sum::of(terms, a), &Sum::of(terms, b), -1);
            linear(terms, difference, true)
        }
        Sort::Bool => {
            let not = terms.not(b);
            let (b, opposite) = if negated { (not, b) } else { (b, not) };
            match (of_literal(terms, a), of_literal(terms, b)) {
                (Some(a), Some(b)) => linear(terms, plus(a, &b, -1), true),
                _ => if_then_else(terms, a, b, opposite),
            }
        }
        _ => Part::Other,
    }
}

/// The sum is at most zero, or is zero; a conditional in it makes two cases.
fn linear(terms: &mut Terms, sum: Sum, equality: bool) -> Part {
    let linear = |term: &TermId| matches!(terms.op(*term), Op::Var(_));
    let Some(&(term, ref coefficient)) = sum.monomials.iter().find(|(term, _)| !linear(term)) else {
        return Part::Linear { sum, equality };
    };
    if *terms.op(term) != Op::Ite {
        return Part::Other;
    }
    let args = terms.args(term).to_vec();
    let zero = terms.int(0);
    let [then, otherwise] = [args[1], args[2]].map(|branch| {
        let mut chosen = sum.clone();
        chosen.remove(term);
        chosen.add_sum(&Sum::of(terms, branch), coefficient);
        let chosen = term_of(terms, &chosen);
        if equality { terms.eq(chosen, zero) } else { terms.le(chosen, zero) }
    });
    if_then_else(terms, args[0], then, otherwise)
}
