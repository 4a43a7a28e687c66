//! Path conditions: conjunctions in a normal form, and what they decide without a solver.

use super::linear::{Comparison, Literal, Sum};
use crate::term::{Integer, Op, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// A conjunction taken apart: the bounds of each sum that occurs, and what is no comparison of a sum.
#[derive(Debug, Default)]
pub(super) struct Condition {
    bounds: FxHashMap<Vec<(Symbol, Integer)>, Bounds>,
    others: Vec<TermId>,
}

/// What is known of a sum without its constant.
#[derive(Debug, Default, Clone)]
struct Bounds {
    lower: Option<Integer>,
    upper: Option<Integer>,
    /// Values that it does not have, ascending.
    not: Vec<Integer>,
}

/// A conjunction that no values satisfy.
pub(super) struct Contradiction;

impl Condition {
    /// Takes a conjunction apart.
    pub(super) fn of(terms: &mut Terms, parts: &[TermId]) -> Result<Condition, Contradiction> {
        let mut condition = Condition::default();
        let mut pending: Vec<TermId> = parts.iter().rev().copied().collect();
        while let Some(next) = pending.pop() {
            match terms.op(next) {
                Op::Bool(true) => {}
                Op::Bool(false) => return Err(Contradiction),
                Op::And => pending.extend(terms.args(next)),
                _ => match Literal::of(terms, next) {
                    Some(literal) => condition.add(literal)?,
                    None if condition.others.contains(&next) => {}
                    None => condition.others.push(next),
                },
            }
        }
        for bounds in condition.bounds.values_mut() {
            bounds.tighten()?;
        }
        Ok(condition)
    }

    fn add(&mut self, literal: Literal) -> Result<(), Contradiction> {
        let (parts, limit, at_most) = oriented(literal.sum);
        if parts.is_empty() {
            // 0 compares with the limit, which is minus the constant, in the orientation that it has.
            let holds = match literal.relation {
                Comparison::AtMost => !limit.is_negative(),
                Comparison::Zero => limit.is_zero(),
                Comparison::NotZero => !limit.is_zero(),
            };
            return if holds { Ok(()) } else { Err(Contradiction) };
        }
        let bounds = self.bounds.entry(parts).or_default();
        match (literal.relation, at_most) {
            (Comparison::AtMost, true) => bounds.at_most(limit),
            (Comparison::AtMost, false) => bounds.at_least(limit),
            (Comparison::Zero, _) => {
                bounds.at_most(limit.clone());
                bounds.at_least(limit);
            }
            (Comparison::NotZero, _) => bounds.not.push(limit),
        }
        Ok(())
    }

    /// The sums whose values are known, each as what is zero then, in a fixed order.
    pub(super) fn equations(&self) -> Vec<Sum> {
        let known = self.bounds.iter().filter(|(_, bounds)| bounds.lower.is_some() && bounds.lower == bounds.upper);
        let mut found: Vec<Sum> = known
            .map(|(parts, bounds)| Sum {
                monomials: parts.clone(),
                constant: -bounds.lower.clone().unwrap_or_default(),
            })
            .collect();
        found.sort_by(|a, b| a.monomials.iter().map(|(s, _)| *s).cmp(b.monomials.iter().map(|(s, _)| *s)));
        found
    }

    /// The conjunction in normal form, ascending.
    pub(super) fn formulas(&self, terms: &mut Terms) -> Vec<TermId> {
        let mut formulas = self.others.clone();
        let mut add = |terms: &mut Terms, parts: &[(Symbol, Integer)], limit: &Integer, relation, negated: bool| {
            let mut sum = Sum { monomials: parts.to_vec(), constant: -limit.clone() };
            if negated {
                sum.negate();
            }
            let (atom, holds) = Literal { sum, relation }.atom(terms);
            formulas.push(if holds { atom } else { terms.not(atom) });
        };
        for (parts, bounds) in &self.bounds {
            match (&bounds.lower, &bounds.upper) {
                (Some(lower), Some(upper)) if lower == upper => add(terms, parts, upper, Comparison::Zero, false),
                (lower, upper) => {
                    if let Some(upper) = upper {
                        add(terms, parts, upper, Comparison::AtMost, false);
                    }
                    if let Some(lower) = lower {
                        add(terms, parts, lower, Comparison::AtMost, true);
                    }
                }
            }
            for value in &bounds.not {
                add(terms, parts, value, Comparison::NotZero, false);
            }
        }
        formulas.sort_unstable();
        formulas.dedup();
        formulas
    }

    /// Whether a literal follows, or its negation does; `None` where neither is seen.
    pub(super) fn decides(&self, terms: &Terms, formula: TermId) -> Option<bool> {
        let Some(Literal { sum, relation }) = Literal::of(terms, formula) else {
            return self.others.iter().find_map(|&other| {
                let opposite = terms.op(other) == &Op::Not && terms.args(other)[0] == formula
                    || terms.op(formula) == &Op::Not && terms.args(formula)[0] == other;
                if other == formula { Some(true) } else { opposite.then_some(false) }
            });
        };
        let (lower, upper) = self.range(&sum);
        let (below, above) = (
            upper.as_ref().is_some_and(|upper| *upper <= Integer::ZERO),
            lower.as_ref().is_some_and(|lower| Integer::ZERO < *lower),
        );
        let negative = upper.as_ref().is_some_and(Integer::is_negative);
        match relation {
            Comparison::AtMost if below => Some(true),
            Comparison::AtMost if above => Some(false),
            Comparison::AtMost => None,
            relation => {
                let zero = lower.as_ref().is_some_and(Integer::is_zero) && upper.as_ref().is_some_and(Integer::is_zero);
                let excluded = above || negative || self.excludes(&sum);
                let is_zero = if zero { Some(true) } else { excluded.then_some(false) };
                is_zero.map(|is| is == (relation == Comparison::Zero))
            }
        }
    }

    /// Whether a sum is known not to be zero because it must differ from a value.
    fn excludes(&self, sum: &Sum) -> bool {
        let (parts, limit, _) = oriented(sum.clone());
        self.bounds.get(&parts).is_some_and(|bounds| bounds.not.contains(&limit))
    }

    /// The least and the largest value of a sum, as far as bounds of the whole or of its members say.
    fn range(&self, sum: &Sum) -> (Option<Integer>, Option<Integer>) {
        let (mut lower, mut upper) = self.range_by_members(sum);
        let (parts, limit, upright) = oriented(sum.clone());
        if let Some(bounds) = self.bounds.get(&parts) {
            // The sum is parts - limit, or limit - parts.
            let (low, high) = match upright {
                true => (bounds.lower.as_ref().map(|l| l - &limit), bounds.upper.as_ref().map(|u| u - &limit)),
                false => (bounds.upper.as_ref().map(|u| &limit - u), bounds.lower.as_ref().map(|l| &limit - l)),
            };
            lower = strictest(lower, low, |a, b| b < a);
            upper = strictest(upper, high, |a, b| a < b);
        }
        (lower, upper)
    }

    fn range_by_members(&self, sum: &Sum) -> (Option<Integer>, Option<Integer>) {
        let (mut lower, mut upper) = (Some(sum.constant.clone()), Some(sum.constant.clone()));
        for (symbol, coefficient) in &sum.monomials {
            let bounds = self.bounds.get(&vec![(*symbol, Integer::ONE)]);
            let (low, high) = match bounds {
                Some(bounds) => (bounds.lower.as_ref(), bounds.upper.as_ref()),
                None => (None, None),
            };
            let (low, high) = if coefficient.is_negative() { (high, low) } else { (low, high) };
            lower = lower.zip(low).map(|(sum, low)| &sum + &(low * coefficient));
            upper = upper.zip(high).map(|(sum, high)| &sum + &(high * coefficient));
        }
        (lower, upper)
    }
}

impl Bounds {
    fn at_most(&mut self, limit: Integer) {
        self.upper = strictest(self.upper.take(), Some(limit), |a, b| a < b);
    }

    fn at_least(&mut self, limit: Integer) {
        self.lower = strictest(self.lower.take(), Some(limit), |a, b| b < a);
    }

    /// Moves bounds past values that are excluded, and forgets values that are outside.
    fn tighten(&mut self) -> Result<(), Contradiction> {
        self.not.sort();
        self.not.dedup();
        while self.upper.as_ref().is_some_and(|upper| self.not.contains(upper)) {
            self.upper = self.upper.take().map(|upper| &upper - &Integer::ONE);
        }
        while self.lower.as_ref().is_some_and(|lower| self.not.contains(lower)) {
            self.lower = self.lower.take().map(|lower| &lower + &Integer::ONE);
        }
        let Bounds { lower, upper, not } = self;
        not.retain(|value| {
            lower.as_ref().is_none_or(|lower| lower < value) && upper.as_ref().is_none_or(|upper| value < upper)
        });
        match (&*lower, &*upper) {
            (Some(lower), Some(upper)) if upper < lower => Err(Contradiction),
            _ => Ok(()),
        }
    }
}

fn strictest(a: Option<Integer>, b: Option<Integer>, stricter: fn(&Integer, &Integer) -> bool) -> Option<Integer> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if stricter(&b, &a) { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// A sum's symbols with the first coefficient positive, what they are compared with when the sum is compared with zero,
/// and whether the comparison keeps its direction. Without symbols, the direction is kept.
fn oriented(sum: Sum) -> (Vec<(Symbol, Integer)>, Integer, bool) {
    let negative = sum.monomials.first().is_some_and(|(_, coefficient)| coefficient.is_negative());
    if !negative {
        return (sum.monomials, -sum.constant, true);
    }
    let parts = sum.monomials.into_iter().map(|(symbol, coefficient)| (symbol, -coefficient)).collect();
    (parts, sum.constant, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::infix::infix;
    use crate::term::{Sort, Value, eval};

    fn shown(terms: &mut Terms, parts: &[TermId]) -> Vec<String> {
        match Condition::of(terms, parts) {
            Err(Contradiction) => vec!["false".to_owned()],
            Ok(condition) => condition.formulas(terms).into_iter().map(|formula| infix(terms, formula)).collect(),
        }
    }

    #[test]
    fn bounds_are_gathered() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::Int);
        let [zero, one, two] = [0, 1, 2].map(|k| terms.int(k));
        let (low, high) = (terms.le(zero, x), terms.le(x, two));
        let (not_two, not_zero) = (terms.ne(x, two), terms.ne(x, zero));
        assert_eq!(shown(&mut terms, &[low, high, not_two, not_zero]), ["x = 1"]);
        let not_one = terms.ne(x, one);
        assert_eq!(shown(&mut terms, &[low, high, not_two, not_zero, not_one]), ["false"]);
    }

    /// Normal forms and decisions against an enumeration of values.
    #[test]
    fn the_normal_form_is_equivalent_and_decisions_are_right() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::Int), terms.var("y", Sort::Int));
        let symbols = [x, y].map(|v| terms.as_symbol(v).expect("a symbol"));
        let mut decided = 0;
        for seed in 0..500i64 {
            let pick = |shift: i64, range: i64| (seed * 7919 + shift * 104_729 + seed * seed * 31).rem_euclid(range);
            let mut literal = |number: i64| {
                let (a, b) = (terms.int(pick(number, 5) - 2), terms.int(pick(number + 10, 3) - 1));
                let (ax, by) = (terms.mul(a, x), terms.mul(b, y));
                let sum = terms.add(ax, by);
                let limit = terms.int(pick(number + 20, 9) - 4);
                match pick(number + 30, 4) {
                    0 => terms.le(sum, limit),
                    1 => terms.lt(limit, sum),
                    2 => terms.eq(sum, limit),
                    _ => terms.ne(sum, limit),
                }
            };
            let parts: Vec<TermId> = (0..3).map(&mut literal).collect();
            let asked = literal(7);
            let condition = Condition::of(&mut terms, &parts);
            let formulas = condition.as_ref().map(|condition| condition.formulas(&mut terms));
            let decision = condition.as_ref().map(|condition| condition.decides(&terms, asked));
            decided += usize::from(matches!(decision, Ok(Some(_))));
            for (x, y) in (-9..=9i64).flat_map(|x| (-9..=9i64).map(move |y| (x, y))) {
                let at = symbols.into_iter().zip([Value::Int(x.into()), Value::Int(y.into())]).collect();
                let holds = |parts: &[TermId]| parts.iter().all(|&p| eval(&terms, p, &at).as_bool() == Some(true));
                match &formulas {
                    Ok(formulas) => assert_eq!(holds(formulas), holds(&parts), "seed {seed}"),
                    Err(_) => assert!(!holds(&parts), "seed {seed}"),
                }
                if let Ok(Some(value)) = decision
                    && holds(&parts)
                {
                    assert_eq!(holds(&[asked]), value, "seed {seed}");
                }
            }
        }
        assert!(decided > 50, "{decided}");
    }
}
