//! Whether formulas are seen to exclude each other by the ranges of the numbers in them. That a sum of products of small
//! numbers does not overflow is seen at once, and is hard for a solver that computes bit by bit.
//!
//! Every range holds wherever the given formulas do: those of terms are found bottom-up, and comparisons that are given
//! narrow those of both sides. A bit-vector is taken as a signed number.

use super::{Integer, Interval, Op, TermId, Terms};
use rustc_hash::FxHashMap;

/// How often what is given is looked at: a comparison can narrow what an earlier one compares with.
const ROUNDS: usize = 2;

/// How far below a term its range, or its truth, is looked for.
const DEPTH: u32 = 200;

/// Ranges of the terms of a store, wherever formulas hold.
#[derive(Debug, Default)]
pub struct Ranges {
    /// What is given of terms.
    limits: FxHashMap<TermId, Interval>,
    /// What was found so far.
    known: FxHashMap<TermId, Interval>,
    truths: FxHashMap<TermId, Option<bool>>,
    is_empty: bool,
}

impl Ranges {
    /// The ranges wherever these formulas hold.
    pub fn given(terms: &Terms, formulas: &[TermId]) -> Ranges {
        let mut ranges = Ranges::default();
        for _ in 0..ROUNDS {
            for &formula in formulas {
                ranges.assume(terms, formula, true, DEPTH);
            }
            ranges.known.clear();
            ranges.truths.clear();
        }
        ranges
    }

    /// Whether these formulas are seen to exclude those that are given.
    pub fn exclude(&mut self, terms: &Terms, formulas: &[TermId]) -> bool {
        self.is_empty || formulas.iter().any(|formula| self.truth(terms, *formula, DEPTH) == Some(false))
    }

    /// Takes over what it says of numbers that a formula has this truth value.
    fn assume(&mut self, terms: &Terms, formula: TermId, holds: bool, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let args = terms.args(formula);
        match (terms.op(formula), holds) {
            (Op::Not, _) => self.assume(terms, args[0], !holds, depth),
            (Op::And, true) | (Op::Or, false) => args.iter().for_each(|part| self.assume(terms, *part, holds, depth)),
            (Op::Le | Op::BvSle, true) => self.limit(terms, args[0], args[1], false),
            (Op::Lt | Op::BvSlt, true) => self.limit(terms, args[0], args[1], true),
            (Op::Le | Op::BvSle, false) => self.limit(terms, args[1], args[0], true),
            (Op::Lt | Op::BvSlt, false) => self.limit(terms, args[1], args[0], false),
            (Op::BvUle, true) => self.limit_unsigned(terms, args[0], args[1], false),
            (Op::BvUlt, true) => self.limit_unsigned(terms, args[0], args[1], true),
            (Op::BvUle, false) => self.limit_unsigned(terms, args[1], args[0], true),
            (Op::BvUlt, false) => self.limit_unsigned(terms, args[1], args[0], false),
            (Op::Eq, true) if is_number(terms, args[0]) => {
                self.limit(terms, args[0], args[1], false);
                self.limit(terms, args[1], args[0], false);
            }
            _ => {}
        }
    }

    /// The one is at most, or less than, the other.
    fn limit(&mut self, terms: &Terms, less: TermId, more: TermId, is_strict: bool) {
        let step = Integer::from(u8::from(is_strict));
        let high = self.range(terms, more, DEPTH).high.map(|high| high - step.clone());
        let low = self.range(terms, less, DEPTH).low.map(|low| low + step);
        self.narrow(terms, less, Interval { low: None, high });
        self.narrow(terms, more, Interval { low, high: None });
    }

    /// The same of unsigned numbers: what is at most a number without a sign bit has none.
    fn limit_unsigned(&mut self, terms: &Terms, less: TermId, more: TermId, is_strict: bool) {
        if self.range(terms, more, DEPTH).at_least(&Integer::ZERO) {
            self.narrow(terms, less, Interval { low: Some(Integer::ZERO), high: None });
            self.limit(terms, less, more, is_strict);
        }
    }

    fn narrow(&mut self, terms: &Terms, term: TermId, to: Interval) {
        let range = self.range(terms, term, DEPTH).meet(&to);
        self.is_empty |= range.is_empty();
        let limit = self.limits.entry(term).or_insert(Interval::ALL);
        *limit = limit.meet(&to);
        self.known.insert(term, range);
        // What an extended number is, it was before.
        if matches!(terms.op(term), Op::SignExtend(_)) {
            self.narrow(terms, terms.args(term)[0], to);
        }
    }

    /// Whether a formula is seen to be true or false.
    fn truth(&mut self, terms: &Terms, formula: TermId, depth: u32) -> Option<bool> {
        if let Some(known) = self.truths.get(&formula) {
            return *known;
        }
        let depth = depth.checked_sub(1)?;
        let args = terms.args(formula);
        let found = match terms.op(formula) {
            Op::Bool(value) => Some(*value),
            Op::Not => self.truth(terms, args[0], depth).map(|value| !value),
            Op::And => self.all(terms, args, true, depth),
            Op::Or => self.all(terms, args, false, depth),
            Op::Le | Op::BvSle => self.is_at_most(terms, args[0], args[1], depth),
            Op::Lt | Op::BvSlt => self.is_at_most(terms, args[1], args[0], depth).map(|value| !value),
            Op::BvUle => self.is_at_most_unsigned(terms, args[0], args[1], depth),
            Op::BvUlt => self.is_at_most_unsigned(terms, args[1], args[0], depth).map(|value| !value),
            Op::Eq if is_number(terms, args[0]) => {
                let (left, right) = (self.range(terms, args[0], depth), self.range(terms, args[1], depth));
                (left.is_below(&right) || right.is_below(&left)).then_some(false)
            }
            _ => None,
        };
        self.truths.insert(formula, found);
        found
    }

    /// Whether all of them have this truth value; one with the other decides.
    fn all(&mut self, terms: &Terms, args: &[TermId], value: bool, depth: u32) -> Option<bool> {
        let mut are_all = true;
        for &arg in args {
            match self.truth(terms, arg, depth) {
                Some(found) if found != value => return Some(!value),
                Some(_) => {}
                None => are_all = false,
            }
        }
        are_all.then_some(value)
    }

    fn is_at_most(&mut self, terms: &Terms, left: TermId, right: TermId, depth: u32) -> Option<bool> {
        let (left, right) = (self.range(terms, left, depth), self.range(terms, right, depth));
        if right.is_below(&left) {
            return Some(false);
        }
        left.high.zip(right.low).is_some_and(|(high, low)| high <= low).then_some(true)
    }

    /// Numbers without sign bits are compared as if they were signed.
    fn is_at_most_unsigned(&mut self, terms: &Terms, left: TermId, right: TermId, depth: u32) -> Option<bool> {
        let is_natural = |range: Interval| range.at_least(&Integer::ZERO);
        let are_natural = is_natural(self.range(terms, left, depth)) && is_natural(self.range(terms, right, depth));
        if are_natural { self.is_at_most(terms, left, right, depth) } else { None }
    }

    /// A range of a number.
    fn range(&mut self, terms: &Terms, term: TermId, depth: u32) -> Interval {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let all = of_sort(terms, term);
        let Some(depth) = depth.checked_sub(1) else { return all };
        let mut found = self.range_of_parts(terms, term, depth);
        // What does not fit is wrapped, to any value.
        if !found.leq(&all) {
            found = all;
        }
        if let Some(limit) = self.limits.get(&term) {
            found = found.meet(limit);
            self.is_empty |= found.is_empty();
        }
        self.known.insert(term, found.clone());
        found
    }

    /// A range of what an operator gives, before it is wrapped.
    fn range_of_parts(&mut self, terms: &Terms, term: TermId, depth: u32) -> Interval {
        let args = terms.args(term);
        let mut range = |place: usize| self.range(terms, args[place], depth);
        match terms.op(term) {
            Op::Int(value) => Interval::new(value.clone(), value.clone()),
            Op::BitVec(value, width) => {
                let value = value.wrap_signed(*width);
                Interval::new(value.clone(), value)
            }
            Op::Add | Op::BvAdd => self.fold(terms, args, depth, Interval::plus),
            Op::Mul | Op::BvMul => self.fold(terms, args, depth, Interval::times),
            Op::BvSub => {
                let less = range(1).minus();
                range(0).plus(&less)
            }
            Op::Neg | Op::BvNeg => range(0).minus(),
            Op::SignExtend(_) => range(0),
            Op::ZeroExtend(_) | Op::BvToNat => natural(range(0), terms.sort(args[0]).width()),
            Op::Extract(_, 0) => range(0),
            Op::Extract(high, low) if terms.sort(args[0]).width() == Some(high + 1) => {
                range(0).over(&Integer::power_of_two(*low))
            }
            Op::Ite => match self.truth(terms, args[0], depth) {
                Some(true) => self.range(terms, args[1], depth),
                Some(false) => self.range(terms, args[2], depth),
                None => self.fold(terms, &args[1..], depth, Interval::join),
            },
            Op::Div | Op::Mod | Op::BvSdiv | Op::BvSrem | Op::BvUdiv | Op::BvUrem => {
                let (dividend, divisor) = (range(0), range(1));
                divided(terms.op(term), &dividend, &divisor).unwrap_or(Interval::ALL)
            }
            Op::BvAnd => {
                let ranges = args.iter().map(|arg| self.range(terms, *arg, depth));
                let highs = ranges.filter(|range| range.at_least(&Integer::ZERO)).filter_map(|range| range.high);
                highs.min().map_or(Interval::ALL, |high| Interval::new(Integer::ZERO, high))
            }
            _ => Interval::ALL,
        }
    }

    fn fold(
        &mut self,
        terms: &Terms,
        args: &[TermId],
        depth: u32,
        combine: fn(&Interval, &Interval) -> Interval,
    ) -> Interval {
        let (first, rest) = args.split_first().expect("the operators folded have arguments");
        let first = self.range(terms, *first, depth);
        rest.iter().fold(first, |range, arg| combine(&range, &self.range(terms, *arg, depth)))
    }
}

fn is_number(terms: &Terms, term: TermId) -> bool {
    matches!(terms.sort(term), super::Sort::Int | super::Sort::BitVec(_))
}

/// All values of a number's sort.
fn of_sort(terms: &Terms, term: TermId) -> Interval {
    match terms.sort(term).width() {
        Some(width) => {
            let half = Integer::power_of_two(width - 1);
            Interval::new(-half.clone(), half - Integer::ONE)
        }
        None => Interval::ALL,
    }
}

/// What is left of a range without signs.
fn natural(range: Interval, width: Option<u32>) -> Interval {
    match width {
        Some(width) if !range.at_least(&Integer::ZERO) => {
            Interval::new(Integer::ZERO, Integer::power_of_two(width) - Integer::ONE)
        }
        _ => range,
    }
}

/// The quotients, or the remainders, by a positive number.
fn divided(op: &Op, dividend: &Interval, divisor: &Interval) -> Option<Interval> {
    let by = divisor.low.as_ref().filter(|low| divisor.high.as_ref() == Some(*low))?;
    if by.is_negative() || by.is_zero() {
        return None;
    }
    let is_natural = dividend.at_least(&Integer::ZERO);
    let most = by - &Integer::ONE;
    let truncated = |number: &Integer| number.div_rem_truncated(by).map(|(quotient, _)| quotient);
    Some(match op {
        Op::Div => dividend.over(by),
        Op::BvSdiv => Interval::new(truncated(dividend.low.as_ref()?)?, truncated(dividend.high.as_ref()?)?),
        Op::BvUdiv if is_natural => dividend.over(by),
        Op::BvUdiv => return None,
        // A number that is less than the divisor is the remainder.
        _ if is_natural && dividend.at_most(&most) => dividend.clone(),
        Op::BvSrem if !is_natural => Interval::new(-most.clone(), most),
        _ => Interval::new(Integer::ZERO, most),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Assignment, Random, Sort, Value, eval};
    use super::*;

    /// A random number over two symbols of four bits.
    fn number(terms: &mut Terms, random: &mut Random, symbols: [TermId; 2], depth: u32) -> TermId {
        if depth == 0 || random.once_in(6) {
            return match random.below(3) {
                0 => terms.bit_vec(random.below(16) as i64, 4),
                place => symbols[place - 1],
            };
        }
        let a = number(terms, random, symbols, depth - 1);
        let b = number(terms, random, symbols, depth - 1);
        let ops = [Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvSdiv, Op::BvSrem, Op::BvUdiv, Op::BvUrem, Op::BvAnd];
        match random.below(ops.len() + 5) {
            0 => terms.raw(Op::BvNeg, &[a]),
            1 => {
                let wide = [Op::SignExtend(3), Op::ZeroExtend(3)][random.below(2)].clone();
                let (a, b) = (terms.raw(wide.clone(), &[a]), terms.raw(wide, &[b]));
                let sum = terms.raw(ops[random.below(ops.len())].clone(), &[a, b]);
                terms.raw(Op::Extract(3, 0), &[sum])
            }
            2 => {
                let wide = terms.raw(Op::SignExtend(2), &[a]);
                terms.raw(Op::Extract(5, 2), &[wide])
            }
            3 => {
                let condition = formula(terms, random, symbols, depth - 1);
                terms.raw(Op::Ite, &[condition, a, b])
            }
            4 => a,
            place => terms.raw(ops[place - 5].clone(), &[a, b]),
        }
    }

    fn formula(terms: &mut Terms, random: &mut Random, symbols: [TermId; 2], depth: u32) -> TermId {
        let a = number(terms, random, symbols, depth);
        let b = number(terms, random, symbols, depth);
        let ops = [Op::BvSlt, Op::BvSle, Op::BvUlt, Op::BvUle, Op::Eq];
        let compared = terms.raw(ops[random.below(ops.len())].clone(), &[a, b]);
        match random.below(4) {
            0 => terms.raw(Op::Not, &[compared]),
            1 if depth > 0 => {
                let other = formula(terms, random, symbols, depth - 1);
                let op = [Op::And, Op::Or][random.below(2)].clone();
                terms.raw(op, &[compared, other])
            }
            _ => compared,
        }
    }

    #[test]
    fn what_is_excluded_holds_for_no_values() {
        let mut random = Random::new(11);
        let mut excluded = 0;
        for _ in 0..3000 {
            let mut terms = Terms::new();
            let symbols = ["x", "y"].map(|name| terms.var(name, Sort::BitVec(4)));
            let given: Vec<TermId> =
                (0..1 + random.below(3)).map(|_| formula(&mut terms, &mut random, symbols, 1)).collect();
            let asked = formula(&mut terms, &mut random, symbols, 2);
            if !Ranges::given(&terms, &given).exclude(&terms, &[asked]) {
                continue;
            }
            excluded += 1;
            for (x, y) in (0..16).flat_map(|x| (0..16).map(move |y| (x, y))) {
                let mut values = Assignment::default();
                for (term, value) in symbols.iter().zip([x, y]) {
                    let symbol = terms.as_symbol(*term).expect("it is one");
                    values.insert(symbol, Value::BitVec(Integer::from(value), 4));
                }
                let holds = |formula: &TermId| eval(&terms, *formula, &values) == Value::Bool(true);
                assert!(!(given.iter().all(holds) && holds(&asked)), "x = {x}, y = {y}");
            }
        }
        assert!(excluded > 100, "only {excluded} were seen");
    }

    #[test]
    fn sums_of_small_products_do_not_overflow() {
        let mut terms = Terms::new();
        let symbols = ["x", "y"].map(|name| terms.var(name, Sort::BitVec(32)));
        let (least, most) = (terms.bit_vec(-1000, 32), terms.bit_vec(1000, 32));
        let mut given = Vec::new();
        for symbol in symbols {
            let (low, high) = (terms.bv_slt(symbol, least), terms.bv_slt(most, symbol));
            let outside = terms.or([low, high]);
            given.push(terms.not(outside));
        }
        let [x, y] = symbols.map(|symbol| terms.sign_extend(32, symbol));
        let product = terms.raw(Op::BvMul, &[x, y]);
        let sum = terms.raw(Op::BvAdd, &[product, x]);
        let [far, near] = [1_001_000, 1_000_999].map(|limit| terms.bit_vec(limit, 64));
        let [too_far, possible] = [far, near].map(|limit| terms.bv_slt(limit, sum));
        let mut ranges = Ranges::given(&terms, &given);
        assert!(ranges.exclude(&terms, &[too_far]));
        assert!(!ranges.exclude(&terms, &[possible]));
    }
}
