//! Arithmetic progressions: the sets of integers that tokens and the results of operators on them are made of.

use crate::program::MachineInt;
use crate::term::Integer;

/// A progression that wraps around a type more often than this is widened to its residue class; a product of two
/// tokens of 64 bits wraps 2^64 times. 5 bits, the widest type of the exhaustive tests, need 32.
const MAX_WRAPS: i64 = 64;

/// The integers from `low` to `high` (no end where there is none) that are `rest` modulo `step`. Never empty: both ends
/// belong to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Progression {
    low: Option<Integer>,
    high: Option<Integer>,
    /// At least 1.
    step: Integer,
    /// At least 0, less than the step.
    rest: Integer,
}

fn modulo(n: &Integer, step: &Integer) -> Integer {
    n.div_rem_euclid(step).map_or(Integer::ZERO, |(_, rest)| rest)
}

fn quotient(n: &Integer, by: &Integer) -> Integer {
    n.div_rem_euclid(by).map_or(Integer::ZERO, |(quotient, _)| quotient)
}

impl Progression {
    /// The integers between two ends that are `rest` modulo `step`; none where there are none.
    pub fn new(low: Option<Integer>, high: Option<Integer>, step: Integer, rest: &Integer) -> Option<Progression> {
        let rest = modulo(rest, &step);
        let low = low.map(|low| &low + &modulo(&(&rest - &low), &step));
        let high = high.map(|high| &high - &modulo(&(&high - &rest), &step));
        let is_empty = matches!((&low, &high), (Some(low), Some(high)) if low > high);
        (!is_empty).then_some(Progression { low, high, step, rest })
    }

    /// One integer.
    pub fn single(n: Integer) -> Progression {
        Progression { low: Some(n.clone()), high: Some(n), step: Integer::ONE, rest: Integer::ZERO }
    }

    /// All integers between two ends.
    pub fn between(low: Option<Integer>, high: Option<Integer>) -> Option<Progression> {
        Progression::new(low, high, Integer::ONE, &Integer::ZERO)
    }

    /// All values of a type.
    pub fn all(machine: Option<MachineInt>) -> Progression {
        let (low, high) = (machine.map(MachineInt::min), machine.map(MachineInt::max));
        Progression { low, high, step: Integer::ONE, rest: Integer::ZERO }
    }

    /// The least member, if there is one.
    pub fn low(&self) -> Option<&Integer> {
        self.low.as_ref()
    }

    /// The greatest member, if there is one.
    pub fn high(&self) -> Option<&Integer> {
        self.high.as_ref()
    }

    /// The distance between members.
    pub fn step(&self) -> &Integer {
        &self.step
    }

    /// What every member is modulo the step.
    pub fn rest(&self) -> &Integer {
        &self.rest
    }

    /// How many members there are, where they are finitely many.
    pub fn count(&self) -> Option<Integer> {
        let (low, high) = (self.low.as_ref()?, self.high.as_ref()?);
        Some(&quotient(&(high - low), &self.step) + &Integer::ONE)
    }

    /// How many members there are, up to so many.
    pub fn count_up_to(&self, most: u64) -> Option<u64> {
        self.count().and_then(|count| count.to_u64()).filter(|count| *count <= most)
    }

    /// The only member.
    pub fn only(&self) -> Option<&Integer> {
        self.low.as_ref().filter(|low| self.high.as_ref() == Some(*low))
    }

    /// The members, if they are at most so many.
    pub fn members(&self, most: u64) -> Option<Vec<Integer>> {
        let (count, low) = (self.count_up_to(most)?, self.low.as_ref()?);
        Some((0..count).map(|i| low + &(&Integer::from(i) * &self.step)).collect())
    }

    /// Whether an integer is a member.
    pub fn contains(&self, n: &Integer) -> bool {
        self.low.as_ref().is_none_or(|low| n >= low)
            && self.high.as_ref().is_none_or(|high| n <= high)
            && modulo(n, &self.step) == self.rest
    }

    /// The common members.
    pub fn meet(&self, other: &Progression) -> Option<Progression> {
        let (step, rest) = common_residue((&self.step, &self.rest), (&other.step, &other.rest))?;
        let low = match (&self.low, &other.low) {
            (Some(a), Some(b)) => Some(a.max(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let high = match (&self.high, &other.high) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Progression::new(low, high, step, &rest)
    }

    /// Whether every member is one of the other, as far as their form tells.
    pub fn is_within(&self, other: &Progression) -> bool {
        self.meet(other).is_some_and(|common| common.low == self.low && common.high == self.high)
            && (self.only().is_some() || modulo(&self.step, &other.step).is_zero())
    }

    /// All members times a number.
    pub fn scaled(&self, by: &Integer) -> Progression {
        if by.is_zero() {
            return Progression::single(Integer::ZERO);
        }
        let (low, high) = (self.low.as_ref().map(|n| n * by), self.high.as_ref().map(|n| n * by));
        let (low, high) = if by.is_negative() { (high, low) } else { (low, high) };
        Progression::new(low, high, &self.step * &by.abs(), &(&self.rest * by)).expect("as many as before")
    }

    /// All members plus a number.
    pub fn shifted(&self, by: &Integer) -> Progression {
        let ends = (self.low.as_ref().map(|n| n + by), self.high.as_ref().map(|n| n + by));
        Progression::new(ends.0, ends.1, self.step.clone(), &(&self.rest + by)).expect("as many as before")
    }

    /// All sums of two members. Exact if the smaller step divides the larger one, and its progression is long enough to
    /// fill the gaps; else more than that.
    pub fn plus(&self, other: &Progression) -> Progression {
        if let Some(n) = self.only() {
            return other.shifted(n);
        }
        if let Some(n) = other.only() {
            return self.shifted(n);
        }
        let sum = |a: &Option<Integer>, b: &Option<Integer>| a.as_ref().zip(b.as_ref()).map(|(a, b)| a + b);
        let (low, high) = (sum(&self.low, &other.low), sum(&self.high, &other.high));
        Progression::new(low, high, self.step.gcd(&other.step), &(&self.rest + &other.rest)).expect("sums exist")
    }

    /// The quotients by a positive number, rounded down. Exact if the step divides the number or the other way round.
    pub fn divided_down(&self, by: &Integer) -> Progression {
        let ends = (self.low.as_ref().map(|n| quotient(n, by)), self.high.as_ref().map(|n| quotient(n, by)));
        let (step, rest) = match modulo(&self.step, by).is_zero() {
            true => (quotient(&self.step, by), quotient(&self.rest, by)),
            false => (Integer::ONE, Integer::ZERO),
        };
        Progression::new(ends.0, ends.1, step, &rest).expect("quotients exist")
    }

    /// The members less than zero, and the others.
    pub fn by_sign(&self) -> (Option<Progression>, Option<Progression>) {
        let part = |low, high| Progression::between(low, high).and_then(|half| self.meet(&half));
        (part(None, Some(Integer::from(-1))), part(Some(Integer::ZERO), None))
    }

    /// The members modulo a number, as the numbers from `base` on.
    pub fn wrapped(&self, modulus: &Integer, base: &Integer) -> Vec<Progression> {
        let top = &(base + modulus) - &Integer::ONE;
        let residue = |step: Integer| {
            let rest = self.low.as_ref().or(self.high.as_ref()).unwrap_or(&self.rest);
            Progression::new(Some(base.clone()), Some(top.clone()), step, rest).into_iter().collect::<Vec<_>>()
        };
        let common = self.step.gcd(modulus);
        let (Some(low), Some(high)) = (&self.low, &self.high) else { return residue(common) };
        if low >= base && *high <= top {
            return vec![self.clone()];
        }
        let round = |n: &Integer| quotient(&(n - base), modulus);
        let (first, last) = (round(low), round(high));
        let covers_all = self.count().is_some_and(|count| &count * &common >= *modulus);
        if covers_all || (&last - &first).to_i64().is_none_or(|rounds| rounds > MAX_WRAPS) {
            return residue(common);
        }
        let mut parts = Vec::new();
        let mut round = first;
        while round <= last {
            let start = base + &(&round * modulus);
            let end = &(&start + modulus) - &Integer::ONE;
            let part = Progression::between(Some(start.clone()), Some(end)).and_then(|turn| self.meet(&turn));
            parts.extend(part.map(|part| part.shifted(&(base - &start))));
            round = &round + &Integer::ONE;
        }
        parts
    }

    /// The members as values of a type.
    pub fn as_type(&self, machine: Option<MachineInt>) -> Vec<Progression> {
        match machine {
            None => vec![self.clone()],
            Some(machine) => self.wrapped(&Integer::power_of_two(machine.width), &machine.min()),
        }
    }
}

/// The numbers that are in both residue classes, as a residue class.
fn common_residue((s, r): (&Integer, &Integer), (t, q): (&Integer, &Integer)) -> Option<(Integer, Integer)> {
    if s == t || *s == Integer::ONE || *t == Integer::ONE {
        return match s == t {
            true => (r == q).then(|| (s.clone(), r.clone())),
            false if *s == Integer::ONE => Some((t.clone(), q.clone())),
            false => Some((s.clone(), r.clone())),
        };
    }
    let common = s.gcd(t);
    let apart = q - r;
    if !modulo(&apart, &common).is_zero() {
        return None;
    }
    let (small_s, small_t) = (quotient(s, &common), quotient(t, &common));
    let turns = modulo(&(&quotient(&apart, &common) * &inverse(&small_s, &small_t)), &small_t);
    Some((s * &small_t, r + &(s * &turns)))
}

/// The inverse of a number modulo another one that has no divisor in common with it.
fn inverse(n: &Integer, modulus: &Integer) -> Integer {
    let (mut a, mut b) = (modulo(n, modulus), modulus.clone());
    let (mut x, mut y) = (Integer::ONE, Integer::ZERO);
    while !a.is_zero() {
        let turns = quotient(&b, &a);
        (a, b) = (&b - &(&turns * &a), a);
        (x, y) = (&y - &(&turns * &x), x);
    }
    modulo(&y, modulus)
}
