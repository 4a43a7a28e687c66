//! How the simplifier makes sums, over the integers or modulo a power of two, and terms of them.

use super::{FLAT, int};
use crate::term::{Integer, Linear, Op, TermId, Terms};

impl Linear {
    /// Adds `factor` times an integer term.
    pub(super) fn add(&mut self, terms: &Terms, term: TermId, factor: &Integer) {
        match terms.op(term) {
            Op::Add if terms.args(term).len() <= FLAT => {
                for member in terms.args(term) {
                    self.add_member(terms, *member, factor);
                }
            }
            _ => self.add_member(terms, term, factor),
        }
    }

    fn add_member(&mut self, terms: &Terms, term: TermId, factor: &Integer) {
        match int(terms, term) {
            Some(value) => self.constant = &self.constant + &(value * factor),
            None => {
                let (coefficient, monomial) = split(terms, term);
                self.monomials.push((monomial, coefficient.map_or_else(|| factor.clone(), |c| c * factor)));
            }
        }
    }

    /// Sorts the monomials, adds up those of the same term and drops those that vanish.
    pub(super) fn gather(&mut self) {
        if !self.monomials.is_sorted_by(|a, b| a.0 < b.0) {
            self.monomials.sort_by_key(|(term, _)| *term);
            self.monomials.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 = &kept.1 + &next.1;
                }
                same
            });
        }
        self.monomials.retain(|(_, coefficient)| !coefficient.is_zero());
    }

    /// The sum of integer terms, each with a factor.
    pub(super) fn of_members(terms: &Terms, members: &[(TermId, i64)]) -> Linear {
        let mut linear = Linear::default();
        for (term, factor) in members {
            linear.add(terms, *term, &Integer::from(*factor));
        }
        linear.gather();
        linear
    }

    /// Multiplies each coefficient and the constant.
    pub(super) fn scale(&mut self, factor: &Integer) {
        for (_, coefficient) in &mut self.monomials {
            *coefficient = &*coefficient * factor;
        }
        self.constant = &self.constant * factor;
    }

    /// Divides the coefficients by a divisor of all of them.
    pub(super) fn divide_coefficients(&mut self, divisor: &Integer) {
        if *divisor == Integer::ONE {
            return;
        }
        for (_, coefficient) in &mut self.monomials {
            *coefficient = quotient(coefficient, divisor);
        }
    }

    /// The integer term of the sum.
    pub(super) fn term(&self, terms: &mut Terms) -> TermId {
        let mut members = Vec::with_capacity(self.monomials.len() + 1);
        for (monomial, coefficient) in &self.monomials {
            members.push(scaled(terms, coefficient, *monomial));
        }
        if !self.constant.is_zero() || members.is_empty() {
            members.push(terms.int(self.constant.clone()));
        }
        match members[..] {
            [one] => one,
            _ => terms.raw(Op::Add, &members),
        }
    }
}

/// The quotient of a division without remainder, or rounded down where the divisor is positive.
pub(super) fn quotient(dividend: &Integer, divisor: &Integer) -> Integer {
    dividend.div_rem_euclid(divisor).expect("no rule divides by zero").0
}

/// The coefficient, where it is not one, and the rest of an integer monomial.
pub(super) fn split(terms: &Terms, term: TermId) -> (Option<&Integer>, TermId) {
    if let (Op::Mul, &[first, rest]) = (terms.op(term), terms.args(term))
        && let Some(coefficient) = int(terms, first)
    {
        return (Some(coefficient), rest);
    }
    (None, term)
}

fn scaled(terms: &mut Terms, coefficient: &Integer, monomial: TermId) -> TermId {
    if *coefficient == Integer::ONE {
        return monomial;
    }
    let coefficient = terms.int(coefficient.clone());
    terms.raw(Op::Mul, &[coefficient, monomial])
}

/// The members of a sum, or the term itself.
pub(super) fn members(terms: &Terms, term: TermId) -> std::borrow::Cow<'_, [TermId]> {
    match terms.op(term) {
        Op::Add => terms.args(term).into(),
        _ => vec![term].into(),
    }
}

/// Whether one normal sum without constant is minus the other.
pub(super) fn is_negation(terms: &Terms, a: TermId, b: TermId) -> bool {
    let (a, b) = (members(terms, a), members(terms, b));
    a.len() == b.len()
        && a.iter().zip(b.iter()).all(|(a, b)| {
            let ((ca, ta), (cb, tb)) = (split(terms, *a), split(terms, *b));
            let one = Integer::ONE;
            ta == tb && (ca.unwrap_or(&one) + cb.unwrap_or(&one)).is_zero()
        })
}
