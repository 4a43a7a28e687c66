//! Linear literals over integers: a normal form for comparisons, and the elimination of symbols from conjunctions.

use crate::term::{Integer, Linear, Op, Sort, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// A sum over symbols.
pub(super) type Sum = Linear<Symbol>;

/// How a sum compares with zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    /// It is at most zero.
    AtMost,
    /// It is zero.
    Zero,
    /// It is not zero.
    NotZero,
}

/// A literal: a sum that compares with zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) sum: Sum,
    pub(super) relation: Comparison,
}

/// The sum that a term of sort Int is; `None` where it is not linear in symbols.
pub(super) fn sum_of(terms: &Terms, term: TermId) -> Option<Sum> {
    Linear::over(terms, term, |monomial| terms.as_symbol(monomial))
}

/// The sum as a term.
pub(super) fn term_of(terms: &mut Terms, sum: &Sum) -> TermId {
    let mut summands = summands(terms, sum.monomials.clone());
    summands.push(terms.int(sum.constant.clone()));
    terms.sum(summands)
}

/// The products of symbols and coefficients as terms.
fn summands(terms: &mut Terms, parts: Vec<(Symbol, Integer)>) -> Vec<TermId> {
    let mut found = Vec::new();
    for (symbol, coefficient) in parts {
        let (variable, factor) = (terms.of_symbol(symbol), terms.int(coefficient));
        found.push(terms.mul(factor, variable));
    }
    found
}

impl Literal {
    /// The literal that a formula is; `None` where it is none over linear integers.
    pub(super) fn of(terms: &Terms, formula: TermId) -> Option<Literal> {
        let (atom, holds) = match terms.op(formula) {
            Op::Not => (terms.args(formula)[0], false),
            _ => (formula, true),
        };
        let args = terms.args(atom);
        let (op, a, b) = match (terms.op(atom), args) {
            (op @ (Op::Le | Op::Lt | Op::Eq), &[a, b]) if terms.sort(a) == Sort::Int => (op, a, b),
            _ => return None,
        };
        let mut sum = sum_of(terms, a)?;
        sum.add_sum(&sum_of(terms, b)?, &Integer::from(-1));
        let relation = match (op, holds) {
            (Op::Eq, true) => Comparison::Zero,
            (Op::Eq, false) => Comparison::NotZero,
            _ => Comparison::AtMost,
        };
        if relation == Comparison::AtMost {
            // Not (a <= b) is b - a + 1 <= 0, a < b is a - b + 1 <= 0, not (a < b) is b - a <= 0.
            if !holds {
                sum.negate();
            }
            if (*op == Op::Lt) == holds {
                sum.constant = &sum.constant + &Integer::ONE;
            }
        }
        let mut literal = Literal { sum, relation };
        literal.tighten();
        Some(literal)
    }

    /// Divides by the common divisor of the coefficients, where integers allow it.
    fn tighten(&mut self) {
        let gcd = self.sum.gcd();
        if gcd.is_zero() || gcd == Integer::ONE {
            return;
        }
        let divided = |number: &Integer| number.div_rem_euclid(&gcd).expect("the divisor is not zero");
        // sum + k <= 0 is sum/g <= floor(-k/g).
        let (quotient, rest) = divided(&-self.sum.constant.clone());
        if self.relation != Comparison::AtMost && !rest.is_zero() {
            return;
        }
        for (_, coefficient) in &mut self.sum.monomials {
            *coefficient = divided(coefficient).0;
        }
        self.sum.constant = -quotient;
    }

    /// The atom of the literal in a normal form, and whether the literal is it rather than its negation. The atom's
    /// first symbol has a positive coefficient, so that comparisons of the same sum differ in their constants alone.
    pub(super) fn atom(mut self, terms: &mut Terms) -> (TermId, bool) {
        let negative = self.sum.monomials.first().is_some_and(|(_, coefficient)| coefficient.is_negative());
        let mut holds = self.relation != Comparison::NotZero;
        if negative {
            self.sum.negate();
            if self.relation == Comparison::AtMost {
                // sum >= 0 is not sum + 1 <= 0.
                self.sum.constant = &self.sum.constant + &Integer::ONE;
                holds = !holds;
            }
        }
        let (left, right): (Vec<_>, Vec<_>) =
            self.sum.monomials.into_iter().partition(|(_, coefficient)| !coefficient.is_negative());
        let right = right.into_iter().map(|(symbol, coefficient)| (symbol, -coefficient)).collect();
        let (left, mut right) = (summands(terms, left), summands(terms, right));
        right.push(terms.int(-self.sum.constant));
        let (left, right) = (terms.sum(left), terms.sum(right));
        let atom = if self.relation == Comparison::AtMost { terms.le(left, right) } else { terms.eq(left, right) };
        (atom, holds)
    }

    /// The literal as a term.
    fn term(&self, terms: &mut Terms) -> TermId {
        let (atom, holds) = self.clone().atom(terms);
        if holds { atom } else { terms.not(atom) }
    }
}

/// A conjunction over the same symbols but one, equivalent to that some value of the symbol makes this one true.
///
/// `None` where this elimination, which is exact, does not know: where the symbol is in no linear literal, or has
/// coefficients for which integers have gaps, or is bounded and must differ from something.
pub(super) fn exists(terms: &mut Terms, symbol: Symbol, conjuncts: &[TermId]) -> Option<Vec<TermId>> {
    let (with, mut rest): (Vec<TermId>, Vec<TermId>) =
        conjuncts.iter().partition(|&&part| terms.symbols_of([part]).contains(&symbol));
    if with.is_empty() {
        return Some(rest);
    }
    let literals: Vec<Literal> = with.iter().map(|&part| Literal::of(terms, part)).collect::<Option<_>>()?;
    let of = |literal: &Literal| literal.sum.coefficient(symbol).cloned().expect("the literal has the symbol");
    let unit = |coefficient: &Integer| coefficient.abs() == Integer::ONE;
    if let Some(equation) = literals.iter().find(|l| l.relation == Comparison::Zero && unit(&of(l))) {
        let value = term_of(terms, &solved(&equation.sum, symbol));
        let map = FxHashMap::from_iter([(symbol, value)]);
        for part in with {
            rest.push(terms.substitute(part, &map));
        }
        rest.retain(|part| terms.op(*part) != &Op::Bool(true));
        return Some(rest);
    }
    if literals.iter().any(|literal| literal.relation == Comparison::Zero) {
        return None;
    }
    let bounds = literals.iter().filter(|literal| literal.relation == Comparison::AtMost);
    let (upper, lower): (Vec<&Literal>, Vec<&Literal>) = bounds.partition(|literal| !of(literal).is_negative());
    if upper.is_empty() || lower.is_empty() {
        // There is no end on one side, so that finitely many values to differ from do not matter.
        return Some(rest);
    }
    let all_unit = |side: &[&Literal]| side.iter().all(|literal| unit(&of(literal)));
    let differs = literals.iter().any(|literal| literal.relation == Comparison::NotZero);
    if differs || !(all_unit(&upper) || all_unit(&lower)) || upper.len() * lower.len() > 16 {
        return None;
    }
    for above in &upper {
        for below in &lower {
            let mut sum = Sum::default();
            sum.add_sum(&above.sum, &of(below).abs());
            sum.add_sum(&below.sum, &of(above));
            let mut literal = Literal { sum, relation: Comparison::AtMost };
            literal.tighten();
            let part = literal.term(terms);
            if terms.op(part) != &Op::Bool(true) && !rest.contains(&part) {
                rest.push(part);
            }
        }
    }
    Some(rest)
}

/// The value of a symbol, whose coefficient is one or minus one, where the sum is zero.
pub(super) fn solved(sum: &Sum, symbol: Symbol) -> Sum {
    let negative = sum.coefficient(symbol).is_some_and(Integer::is_negative);
    let mut value = sum.clone();
    value.remove(symbol);
    if !negative {
        value.negate();
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::infix::infix;
    use crate::term::{Value, eval};

    fn x_y(terms: &mut Terms) -> (TermId, TermId) {
        (terms.var("x", Sort::Int), terms.var("y", Sort::Int))
    }

    #[test]
    fn a_comparison_and_its_negation_are_one_atom() {
        let mut terms = Terms::new();
        let (x, y) = x_y(&mut terms);
        let below = terms.lt(x, y);
        let at_least = terms.le(y, x);
        let five = terms.int(5);
        let limit = terms.lt(x, five);
        let atom = |terms: &mut Terms, formula| {
            let (atom, holds) = Literal::of(terms, formula).expect("linear").atom(terms);
            (infix(terms, atom), holds)
        };
        assert_eq!(atom(&mut terms, below), ("x < y".to_owned(), true));
        assert_eq!(atom(&mut terms, at_least), ("x < y".to_owned(), false));
        assert_eq!(atom(&mut terms, limit), ("x <= 4".to_owned(), true));
    }

    /// Elimination against an enumeration of values.
    #[test]
    fn elimination_is_exact() {
        let mut terms = Terms::new();
        let (x, y) = x_y(&mut terms);
        let (sx, sy) = (terms.as_symbol(x).expect("a symbol"), terms.as_symbol(y).expect("a symbol"));
        let literal = |terms: &mut Terms, a: i64, b: i64, k: i64, kind: usize| {
            let (fa, fb, k) = (terms.int(a), terms.int(b), terms.int(k));
            let (ax, by) = (terms.mul(fa, x), terms.mul(fb, y));
            let sum = terms.sum([ax, by, k]);
            let zero = terms.int(0);
            match kind {
                0 => terms.le(sum, zero),
                1 => terms.eq(sum, zero),
                _ => terms.ne(sum, zero),
            }
        };
        let mut eliminated = 0;
        for seed in 0..400i64 {
            let pick = |shift: i64, range: i64| (seed * 7919 + shift * 104_729 + seed * seed * 31).rem_euclid(range);
            let mut parts = Vec::new();
            for number in 0..3 {
                let (a, b) = (pick(number, 5) - 2, pick(number + 10, 5) - 2);
                parts.push(literal(&mut terms, a, b, pick(number + 20, 9) - 4, pick(number + 30, 3) as usize));
            }
            let Some(result) = exists(&mut terms, sx, &parts) else { continue };
            eliminated += 1;
            for value in -6..=6i64 {
                let holds = |terms: &Terms, parts: &[TermId], x: i64| {
                    let at = [(sx, Value::Int(x.into())), (sy, Value::Int(value.into()))].into_iter().collect();
                    parts.iter().all(|&part| eval(terms, part, &at).as_bool() == Some(true))
                };
                let some = (-60..=60).any(|x| holds(&terms, &parts, x));
                assert_eq!(holds(&terms, &result, 0), some, "seed {seed}, y = {value}");
            }
        }
        assert!(eliminated > 200, "{eliminated}");
    }
}
