//! Sums of choices, and greatest and least elements, in one form whatever the order in which they were made: two ways
//! through an array come to one term. For terms of unrolled programs only, because what is kept in common of two
//! branches is no choice any more.

use super::bitvec::{sum_of, vector_term};
use super::{FLAT, Rule, is_constant, only};
use crate::term::{Linear, Op, Sort, TermId, Terms};

pub(super) const ITE: &[Rule] = &[Rule::new("ite.common-sum", common_sum), Rule::new("ite.extreme", extreme)];

/// `ite(c, s + x, s + y)` is `s + ite(c, x, y)`, where `x` and `y` are one monomial at most.
fn common_sum(terms: &mut Terms, _: &Op, args: &[TermId]) -> Option<TermId> {
    let &[condition, then, otherwise] = args else { return None };
    let sort = terms.sort(then);
    if !terms.is_unrolled() {
        return None;
    }
    let (then, otherwise) = (sum(terms, sort, then)?, sum(terms, sort, otherwise)?);
    let is_common = |(monomial, factor): &&(TermId, _)| otherwise.coefficient(*monomial) == Some(factor);
    let common = Linear { monomials: then.monomials.iter().filter(is_common).cloned().collect(), ..Linear::default() };
    if common.monomials.is_empty() {
        return None;
    }
    let rest = |sum: Linear| {
        let own = sum.monomials.into_iter().filter(|(monomial, _)| common.coefficient(*monomial).is_none()).collect();
        Linear { monomials: own, constant: sum.constant }
    };
    let rests = [rest(then), rest(otherwise)];
    if rests.iter().any(|rest| rest.monomials.len() > 1) {
        return None;
    }
    let [then, otherwise] = rests.map(|rest| term(terms, sort, &rest));
    let chosen = terms.ite(condition, then, otherwise);
    let common = term(terms, sort, &common);
    Some(match sort {
        Sort::Int => terms.add(common, chosen),
        _ => terms.bv_add(common, chosen),
    })
}

fn sum(terms: &Terms, sort: Sort, term: TermId) -> Option<Linear> {
    match sort {
        Sort::Int => Some(Linear::of_members(terms, &[(term, 1)])),
        Sort::BitVec(width) => sum_of(terms, &[(term, 1)], width),
        _ => None,
    }
}

fn term(terms: &mut Terms, sort: Sort, sum: &Linear) -> TermId {
    match sort {
        Sort::BitVec(width) => vector_term(terms, sum, width),
        _ => sum.term(terms),
    }
}

/// By which order one of two numbers is chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Integers,
    Signed,
    Unsigned,
}

impl Order {
    /// That of a comparison, where it can be one of numbers of the sort.
    fn of(op: &Op, sort: Sort) -> Option<Order> {
        match (op, sort) {
            (Op::Le, Sort::Int) => Some(Order::Integers),
            (Op::BvSlt, Sort::BitVec(_)) => Some(Order::Signed),
            (Op::BvUlt, Sort::BitVec(_)) => Some(Order::Unsigned),
            _ => None,
        }
    }

    fn less(self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        match self {
            Order::Integers => terms.lt(a, b),
            Order::Signed => terms.bv_slt(a, b),
            Order::Unsigned => terms.bv_ult(a, b),
        }
    }

    fn at_most(self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        match self {
            Order::Integers => terms.le(a, b),
            Order::Signed | Order::Unsigned => {
                let greater = self.less(terms, b, a);
                terms.not(greater)
            }
        }
    }
}

/// The greatest or the least of two numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Extreme {
    order: Order,
    is_greatest: bool,
}

impl Extreme {
    /// What a choice is, where it is one of these.
    fn of(terms: &mut Terms, condition: TermId, then: TermId, otherwise: TermId) -> Option<Extreme> {
        let order = Order::of(terms.op(condition), terms.sort(then))?;
        for (is_greatest, a, b) in [(true, otherwise, then), (false, then, otherwise)] {
            if condition == order.less(terms, a, b) || condition == order.at_most(terms, a, b) {
                return Some(Extreme { order, is_greatest });
            }
        }
        None
    }

    /// The numbers that a term is the greatest or least of, in the order of their terms; `None` where they are many.
    fn members(self, terms: &mut Terms, term: TermId) -> Option<Vec<TermId>> {
        let (mut members, mut pending) = (Vec::new(), vec![term]);
        while let Some(next) = pending.pop() {
            let branches = match (terms.op(next), terms.args(next)) {
                (Op::Ite, &[condition, then, otherwise]) => Some((condition, then, otherwise)),
                _ => None,
            };
            match branches {
                Some((condition, then, otherwise)) if Extreme::of(terms, condition, then, otherwise) == Some(self) => {
                    pending.extend([then, otherwise]);
                }
                _ => members.push(next),
            }
            if members.len() + pending.len() > FLAT {
                return None;
            }
        }
        members.sort_unstable();
        members.dedup();
        Some(members)
    }

    /// One of two numbers; `None` where it is known which.
    fn choose(self, terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
        let (low, high) = if self.is_greatest { (a, b) } else { (b, a) };
        let condition = self.order.less(terms, low, high);
        match only(terms, condition, &Op::Not) {
            _ if is_constant(terms, condition) => None,
            Some(opposite) => Some(terms.raw(Op::Ite, &[opposite, a, b])),
            None => Some(terms.raw(Op::Ite, &[condition, b, a])),
        }
    }
}

/// The greatest or least of several numbers is made in the order of their terms.
fn extreme(terms: &mut Terms, op: &Op, args: &[TermId]) -> Option<TermId> {
    let &[condition, then, otherwise] = args else { return None };
    if !terms.is_unrolled() {
        return None;
    }
    let extreme = Extreme::of(terms, condition, then, otherwise)?;
    let mut members = extreme.members(terms, then)?;
    members.extend(extreme.members(terms, otherwise)?);
    members.sort_unstable();
    members.dedup();
    let mut members = members.into_iter();
    let first = members.next()?;
    let chosen = members.try_fold(first, |chosen, member| extreme.choose(terms, chosen, member))?;
    (terms.op(chosen) != op || terms.args(chosen) != args).then_some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Random;

    /// Terms of an unrolled program, and some variables.
    fn unrolled(sort: Sort) -> (Terms, Vec<TermId>) {
        let mut terms = Terms::new();
        terms.set_unrolled();
        let variables = (0..20).map(|number| terms.var(&format!("x{number}"), sort)).collect();
        (terms, variables)
    }

    fn shuffled(variables: &[TermId], seed: u64) -> Vec<TermId> {
        let (mut random, mut order) = (Random::new(seed), variables.to_vec());
        for number in (1..order.len()).rev() {
            order.swap(number, random.below(number + 1));
        }
        order
    }

    #[test]
    fn what_is_counted_is_one_sum() {
        for sort in [Sort::Int, Sort::BitVec(32)] {
            let (mut terms, variables) = unrolled(sort);
            let number = |terms: &mut Terms, value: i64| match sort {
                Sort::Int => terms.int(value),
                _ => terms.bit_vec(value, 32),
            };
            let mut counted = |order: &[TermId]| {
                let (zero, one, minus) = (number(&mut terms, 0), number(&mut terms, 1), number(&mut terms, -1));
                order.iter().fold(zero, |sum, variable| {
                    let plus = |terms: &mut Terms, value| match sort {
                        Sort::Int => terms.add(sum, value),
                        _ => terms.bv_add(sum, value),
                    };
                    let (more, less) = (plus(&mut terms, one), plus(&mut terms, minus));
                    let is_zero = terms.eq(*variable, zero);
                    terms.ite(is_zero, more, less)
                })
            };
            let first = counted(&variables);
            assert_eq!(first, counted(&shuffled(&variables, 3)), "{sort}");
        }
    }

    #[test]
    fn greatest_and_least_elements_are_one_term() {
        for sort in [Sort::Int, Sort::BitVec(32)] {
            for is_greatest in [true, false] {
                let (mut terms, variables) = unrolled(sort);
                let mut extreme = |order: &[TermId]| {
                    let zero = if sort == Sort::Int { terms.int(0) } else { terms.bit_vec(0, 32) };
                    order.iter().fold(zero, |known, variable| {
                        let (low, high) = if is_greatest { (known, *variable) } else { (*variable, known) };
                        let is_new = if sort == Sort::Int { terms.lt(low, high) } else { terms.bv_slt(low, high) };
                        terms.ite(is_new, *variable, known)
                    })
                };
                let first = extreme(&variables);
                assert_eq!(first, extreme(&shuffled(&variables, 5)), "{sort}, {is_greatest}");
            }
        }
    }
}
