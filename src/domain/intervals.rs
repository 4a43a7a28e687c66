//! Intervals: bounds of integer symbols.

use super::{Domain, Thresholds};
use crate::term::{Integer, Interval, Linear, Op, Sort, Symbol, TermId, TermIntervals, Terms};
use std::collections::BTreeMap;

/// The intervals of integer symbols, where they are not all integers, and not empty; no map where no value is possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intervals(Option<BTreeMap<Symbol, Interval>>);

impl Intervals {
    /// The interval of a symbol.
    pub fn get(&self, symbol: Symbol) -> Interval {
        self.0.as_ref().and_then(|bounds| bounds.get(&symbol)).cloned().unwrap_or(Interval::ALL)
    }

    /// An interval that has the value of an integer term.
    pub fn of(&self, terms: &Terms, term: TermId) -> Interval {
        TermIntervals::default().of(&|symbol| self.get(symbol), terms, term)
    }

    /// Whether a comparison of an integer sum with a number holds, where that is seen.
    pub fn decide(&self, terms: &Terms, condition: TermId) -> Option<bool> {
        let (Op::Le, &[sum, limit]) = (terms.op(condition), terms.args(condition)) else { return None };
        let (limit, sum) = (terms.as_int(limit)?, self.of(terms, sum));
        match sum.at_most(limit) {
            true => Some(true),
            false => sum.low.is_some_and(|low| low > *limit).then_some(false),
        }
    }

    fn set(&mut self, symbol: Symbol, interval: Interval) {
        let Some(bounds) = &mut self.0 else { return };
        if interval.is_empty() {
            self.0 = None;
        } else if interval == Interval::ALL {
            bounds.remove(&symbol);
        } else {
            bounds.insert(symbol, interval);
        }
    }

    /// Combines the intervals of symbols that have one in both; all others may be any integer.
    fn combine(&self, other: &Intervals, combine: impl Fn(&Interval, &Interval) -> Interval) -> Intervals {
        let (Some(ours), Some(theirs)) = (&self.0, &other.0) else {
            return if self.0.is_none() { other.clone() } else { self.clone() };
        };
        let both = ours.iter().filter_map(|(symbol, own)| Some((*symbol, combine(own, theirs.get(symbol)?))));
        Intervals(Some(both.filter(|(_, interval)| *interval != Interval::ALL).collect()))
    }

    /// A sum is at most a number: so is each summand, less the least that the others can be.
    fn assume_at_most(&mut self, terms: &Terms, sum: TermId, limit: &Integer) {
        let Linear { monomials, constant } = Linear::of(terms, sum);
        let limit = limit - &constant;
        let least = |(monomial, factor): &(TermId, Integer)| {
            let Interval { low, high } = self.of(terms, *monomial);
            let end = if factor.is_negative() { high } else { low };
            end.map(|end| &end * factor)
        };
        let least: Vec<Option<Integer>> = monomials.iter().map(least).collect();
        let unbounded = least.iter().filter(|least| least.is_none()).count();
        let total = least.iter().flatten().fold(Integer::ZERO, |sum, least| &sum + least);
        if unbounded == 0 && total > limit {
            self.0 = None;
        }
        for ((monomial, factor), least) in monomials.iter().zip(&least) {
            if unbounded > usize::from(least.is_none()) {
                continue;
            }
            let others = least.as_ref().map_or(total.clone(), |least| &total - least);
            if let Some(symbol) = terms.as_symbol(*monomial) {
                let most = &limit - &others;
                let quotient = Interval::new(most.clone(), most).over(&factor.abs());
                let bound = match factor.is_negative() {
                    false => Interval { low: None, high: quotient.high },
                    true => Interval { low: quotient.high.map(|high| -high), high: None },
                };
                self.set(symbol, self.get(symbol).meet(&bound));
            }
        }
    }
}

impl Domain for Intervals {
    fn top() -> Intervals {
        Intervals(Some(BTreeMap::new()))
    }

    fn is_bottom(&self, _: &Terms) -> bool {
        self.0.is_none()
    }

    fn leq(&self, _: &mut Terms, other: &Intervals) -> bool {
        let Some(theirs) = &other.0 else { return self.0.is_none() };
        self.0.is_none() || theirs.iter().all(|(symbol, interval)| self.get(*symbol).leq(interval))
    }

    fn join(&self, _: &mut Terms, other: &Intervals) -> Intervals {
        self.combine(other, Interval::join)
    }

    /// A bound that does not hold goes to the next threshold, or away.
    fn widen(&self, _: &mut Terms, next: &Intervals, thresholds: &Thresholds) -> Intervals {
        self.combine(next, |own, next| {
            let low = own.low.clone().and_then(|low| match &next.low {
                Some(lower) if *lower >= low => Some(low),
                lower => thresholds.below(lower.as_ref()?),
            });
            let high = own.high.clone().and_then(|high| match &next.high {
                Some(higher) if *higher <= high => Some(high),
                higher => thresholds.above(higher.as_ref()?),
            });
            Interval { low, high }
        })
    }

    fn assign(&mut self, terms: &mut Terms, updates: &[(Symbol, TermId)]) {
        let is_integer = |symbol: &Symbol| terms.symbol_sort(*symbol) == Sort::Int;
        let mut intervals = TermIntervals::default();
        let after = updates.iter().filter(|(symbol, _)| is_integer(symbol));
        let after: Vec<(Symbol, Interval)> =
            after.map(|(symbol, value)| (*symbol, intervals.of(&|symbol| self.get(symbol), terms, *value))).collect();
        after.into_iter().for_each(|(symbol, interval)| self.set(symbol, interval));
    }

    /// Bounds and equations of integer sums count, with conjunctions and disjunctions of these.
    fn assume(&mut self, terms: &mut Terms, condition: TermId) {
        let args = terms.args(condition).to_vec();
        match (terms.op(condition), &args[..]) {
            (Op::Bool(false), _) => self.0 = None,
            (Op::And, parts) => parts.iter().for_each(|part| self.assume(terms, *part)),
            (Op::Or, parts) => {
                let mut any = Intervals(None);
                for &part in parts {
                    let mut case = self.clone();
                    case.assume(terms, part);
                    any = any.join(terms, &case);
                }
                *self = any;
            }
            (Op::Le, &[sum, limit]) => {
                if let Some(limit) = terms.as_int(limit).cloned() {
                    self.assume_at_most(terms, sum, &limit);
                }
            }
            (Op::Eq, &[a, b]) if terms.sort(a) == Sort::Int => {
                for (less, more) in [(a, b), (b, a)] {
                    let at_most = terms.le(less, more);
                    // Where both sides are constants, this is none.
                    self.assume(terms, at_most);
                }
            }
            _ => {}
        }
    }

    fn forget(&mut self, _: &Terms, targets: &[Symbol]) {
        if let Some(bounds) = &mut self.0 {
            bounds.retain(|symbol, _| !targets.contains(symbol));
        }
    }

    fn formula(&self, terms: &mut Terms) -> TermId {
        let Some(bounds) = &self.0 else { return terms.bool(false) };
        let mut parts = Vec::new();
        for (symbol, Interval { low, high }) in bounds {
            let name = terms.of_symbol(*symbol);
            if let Some(low) = low {
                let low = terms.int(low.clone());
                parts.push(terms.le(low, name));
            }
            if let Some(high) = high {
                let high = terms.int(high.clone());
                parts.push(terms.le(name, high));
            }
        }
        terms.and(parts)
    }
}
