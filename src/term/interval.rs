//! Intervals of integers, and of integer terms, found bottom-up from those of their symbols.

use super::{Integer, Op, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// The integers from `low` to `high`; a bound that is missing is infinite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub low: Option<Integer>,
    /// The greatest.
    pub high: Option<Integer>,
}

impl Interval {
    /// Every integer.
    pub const ALL: Interval = Interval { low: None, high: None };

    /// From the first to the second.
    pub fn new(low: Integer, high: Integer) -> Interval {
        Interval { low: Some(low), high: Some(high) }
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.low.as_ref().zip(self.high.as_ref()).is_some_and(|(low, high)| low > high)
    }

    /// Whether no member is below the number.
    pub fn at_least(&self, least: &Integer) -> bool {
        self.low.as_ref().is_some_and(|low| low >= least)
    }

    /// Whether no member is above the number.
    pub fn at_most(&self, most: &Integer) -> bool {
        self.high.as_ref().is_some_and(|high| high <= most)
    }

    /// Whether all members are from the first to the second.
    pub fn within(&self, low: &Integer, high: &Integer) -> bool {
        self.at_least(low) && self.at_most(high)
    }

    /// Whether every member of this one, which has some, is a member of the other.
    pub fn leq(&self, other: &Interval) -> bool {
        other.low.as_ref().is_none_or(|low| self.at_least(low))
            && other.high.as_ref().is_none_or(|high| self.at_most(high))
    }

    /// Whether every member is less than every one of the other.
    pub fn is_below(&self, other: &Interval) -> bool {
        self.high.as_ref().zip(other.low.as_ref()).is_some_and(|(high, low)| high < low)
    }

    /// Whether the number is a member.
    pub fn contains(&self, number: &Integer) -> bool {
        self.low.as_ref().is_none_or(|low| low <= number) && self.high.as_ref().is_none_or(|high| number <= high)
    }

    /// The greatest absolute value of a member.
    pub fn magnitude(&self) -> Option<Integer> {
        Some(self.low.as_ref()?.abs().max(self.high.as_ref()?.abs()))
    }

    /// The members of both.
    pub fn meet(&self, other: &Interval) -> Interval {
        let either = |a: &Option<Integer>, b: &Option<Integer>, pick: fn(Integer, Integer) -> Integer| match (a, b) {
            (Some(a), Some(b)) => Some(pick(a.clone(), b.clone())),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Interval { low: either(&self.low, &other.low, Ord::max), high: either(&self.high, &other.high, Ord::min) }
    }

    /// The least interval with the members of both, neither of which is empty.
    pub fn join(&self, other: &Interval) -> Interval {
        let low = both(&self.low, &other.low, |a, b| a.min(b).clone());
        Interval { low, high: both(&self.high, &other.high, |a, b| a.max(b).clone()) }
    }

    pub(super) fn plus(&self, other: &Interval) -> Interval {
        let sum = |a: &Integer, b: &Integer| a + b;
        Interval { low: both(&self.low, &other.low, sum), high: both(&self.high, &other.high, sum) }
    }

    pub(super) fn minus(self) -> Interval {
        Interval { low: self.high.map(|high| -high), high: self.low.map(|low| -low) }
    }

    pub(super) fn times(&self, other: &Interval) -> Interval {
        let (Some(a), Some(b), Some(c), Some(d)) = (&self.low, &self.high, &other.low, &other.high) else {
            return Interval::ALL;
        };
        let corners = [a * c, a * d, b * c, b * d];
        let (low, high) = (corners.iter().min().cloned(), corners.iter().max().cloned());
        Interval { low, high }
    }

    /// The quotients by a positive number, rounded down.
    pub fn over(&self, divisor: &Integer) -> Interval {
        let quotient = |n: &Integer| n.div_rem_euclid(divisor).map(|(quotient, _)| quotient);
        Interval { low: self.low.as_ref().and_then(quotient), high: self.high.as_ref().and_then(quotient) }
    }
}

fn both(a: &Option<Integer>, b: &Option<Integer>, f: fn(&Integer, &Integer) -> Integer) -> Option<Integer> {
    Some(f(a.as_ref()?, b.as_ref()?))
}

/// How far below a term its interval is looked for. What expressions leave is known already, so this matters only
/// where the simplifier has turned them inside out.
const DEPTH: u32 = 24;

/// What symbols can be.
type Symbols<'a> = &'a dyn Fn(Symbol) -> Interval;

/// The intervals of terms that were found so far. Who asks says which intervals symbols have, always the same.
#[derive(Debug, Default)]
pub struct TermIntervals {
    known: FxHashMap<TermId, Interval>,
}

impl TermIntervals {
    /// An interval that has the value of an integer term.
    pub fn of(&mut self, symbols: Symbols<'_>, terms: &Terms, term: TermId) -> Interval {
        self.find(symbols, terms, term, DEPTH)
    }

    /// Notes that the term's value is in the interval, whatever the symbols are.
    pub fn restrict(&mut self, symbols: Symbols<'_>, terms: &Terms, term: TermId, to: &Interval) {
        let interval = self.of(symbols, terms, term).meet(to);
        self.known.insert(term, interval);
    }

    fn find(&mut self, symbols: Symbols<'_>, terms: &Terms, term: TermId, depth: u32) -> Interval {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let Some(depth) = depth.checked_sub(1) else { return Interval::ALL };
        let args = terms.args(term);
        let constant = |term: TermId| match terms.op(term) {
            Op::Int(value) if !value.is_zero() && !value.is_negative() => Some(value),
            _ => None,
        };
        let found = match terms.op(term) {
            Op::Int(value) => return Interval::new(value.clone(), value.clone()),
            Op::Var(symbol) => symbols(*symbol),
            Op::Add => self.fold(symbols, terms, args, depth, Interval::plus),
            Op::Mul => self.fold(symbols, terms, args, depth, Interval::times),
            Op::Neg => self.find(symbols, terms, args[0], depth).minus(),
            Op::Ite => self.fold(symbols, terms, &args[1..], depth, Interval::join),
            Op::Div => match constant(args[1]) {
                Some(divisor) => self.find(symbols, terms, args[0], depth).over(divisor),
                None => Interval::ALL,
            },
            Op::Mod => match constant(args[1]) {
                Some(divisor) => Interval::new(Integer::ZERO, divisor - &Integer::ONE),
                None => Interval::ALL,
            },
            Op::BvToNat => {
                let width = terms.sort(args[0]).width().expect("bv_to_nat takes a bit-vector");
                Interval::new(Integer::ZERO, Integer::power_of_two(width) - Integer::ONE)
            }
            _ => Interval::ALL,
        };
        self.known.insert(term, found.clone());
        found
    }

    fn fold(
        &mut self,
        symbols: Symbols<'_>,
        terms: &Terms,
        args: &[TermId],
        depth: u32,
        combine: fn(&Interval, &Interval) -> Interval,
    ) -> Interval {
        let (first, rest) = args.split_first().expect("the operators folded have arguments");
        let mut result = self.find(symbols, terms, *first, depth);
        for arg in rest {
            result = combine(&result, &self.find(symbols, terms, *arg, depth));
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: i64, high: i64) -> Interval {
        Interval::new(low.into(), high.into())
    }

    #[test]
    fn operations_contain_what_they_should() {
        assert_eq!(interval(-3, 2).times(&interval(-5, 4)), interval(-12, 15));
        assert_eq!(interval(-3, 2).over(&2.into()), interval(-2, 1));
        assert_eq!(interval(-3, 2).minus(), interval(-2, 3));
        assert_eq!(interval(-3, 2).meet(&Interval::ALL), interval(-3, 2));
        assert_eq!(interval(-3, 2).meet(&interval(0, 9)), interval(0, 2));
        assert_eq!(interval(-3, 2).join(&Interval::ALL), Interval::ALL);
        assert_eq!(interval(-3, 2).join(&interval(0, 9)), interval(-3, 9));
        assert_eq!(interval(-3, 2).magnitude(), Some(3.into()));
        assert!(!interval(-3, 2).contains(&3.into()) && interval(-3, 2).contains(&Integer::ZERO));
    }
}
