//! Conjunctions made simpler by the bounds that they put on symbols: what cannot wrap is not wrapped.
//!
//! Bounds are taken from the members of a conjunction, and become members of the result; all others are rewritten with
//! them. A rewritten member is equal to what it was wherever the bounds hold, and the conjunction implies the bounds: so
//! the result is equal to the conjunction.

use super::{Integer, Interval, Linear, Op, Symbol, TermId, TermIntervals, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// How often bounds are looked for again after they made something simpler, at most: that a counter is less than the size
/// of an array by four gives a second bound after the size has one, and the offset of its access a third.
const ROUNDS: usize = 4;

/// Of a sum with more members no bounds of symbols are taken.
const MAX_MEMBERS: usize = 8;

type Bounds = FxHashMap<Symbol, Interval>;

impl Terms {
    /// Formulas that are true together where the given ones are, without remainders and quotients that their bounds
    /// decide.
    pub fn within_bounds(&mut self, formulas: &[TermId]) -> Vec<TermId> {
        let mut members = self.flat(formulas);
        let mut bounds = Bounds::default();
        for _ in 0..ROUNDS {
            if !self.has_division(&members) {
                return members;
            }
            let is_new = self.find_bounds(&members, &mut bounds);
            if bounds.values().any(Interval::is_empty) {
                return vec![self.bool(false)];
            }
            if !is_new {
                break;
            }
            let mut rewriting =
                Rewriting { bounds: &bounds, intervals: TermIntervals::default(), done: FxHashMap::default() };
            let mut next = Vec::new();
            for member in members {
                if self.bounded_symbol(member).is_none() {
                    next.push(rewriting.rewrite(self, member));
                }
            }
            let mut stated: Vec<(Symbol, Interval)> = bounds.iter().map(|(symbol, of)| (*symbol, of.clone())).collect();
            stated.sort_unstable_by_key(|(symbol, _)| *symbol);
            for (symbol, of) in stated {
                let symbol = self.of_symbol(symbol);
                if let Some(low) = of.low {
                    let low = self.int(low);
                    next.push(self.ge(symbol, low));
                }
                if let Some(high) = of.high {
                    let high = self.int(high);
                    next.push(self.le(symbol, high));
                }
            }
            members = self.flat(&next);
        }
        members
    }

    /// The members of conjunctions, without those that are true; only that which is false, if there is one.
    fn flat(&mut self, formulas: &[TermId]) -> Vec<TermId> {
        let (mut members, mut seen) = (Vec::new(), FxHashSet::default());
        for &formula in formulas {
            let parts = if self.op(formula) == &Op::And { self.args(formula).to_vec() } else { vec![formula] };
            for part in parts {
                match self.op(part) {
                    Op::Bool(true) => {}
                    Op::Bool(false) => return vec![part],
                    _ if seen.insert(part) => members.push(part),
                    _ => {}
                }
            }
        }
        members
    }

    /// Whether a remainder or a quotient of integers is somewhere below.
    fn has_division(&self, formulas: &[TermId]) -> bool {
        let (mut seen, mut waiting) = (FxHashSet::default(), formulas.to_vec());
        while let Some(term) = waiting.pop() {
            if matches!(self.op(term), Op::Mod | Op::Div) {
                return true;
            }
            waiting.extend(self.args(term).iter().filter(|arg| seen.insert(**arg)));
        }
        false
    }

    /// The symbol that a formula is nothing but a bound of.
    fn bounded_symbol(&self, formula: TermId) -> Option<Symbol> {
        let (Op::Le, &[sum, limit]) = (self.op(formula), self.args(formula)) else { return None };
        self.as_int(limit)?;
        let sum = Linear::of(self, sum);
        match &sum.monomials[..] {
            [(one, _)] if sum.constant.is_zero() => match self.op(*one) {
                Op::Var(symbol) => Some(*symbol),
                _ => None,
            },
            _ => None,
        }
    }

    /// Adds what formulas say of symbols; whether that was more than was known.
    fn find_bounds(&self, formulas: &[TermId], bounds: &mut Bounds) -> bool {
        let mut is_new = false;
        for &formula in formulas {
            let &[left, right] = self.args(formula) else { continue };
            let mut sum = match self.op(formula) {
                Op::Le | Op::Eq if self.sort(left) == super::Sort::Int => Linear::of(self, left),
                _ => continue,
            };
            sum.add_sum(&Linear::of(self, right), &Integer::from(-1));
            is_new |= self.bounds_by(&sum, bounds);
            if self.op(formula) == &Op::Eq {
                sum.negate();
                is_new |= self.bounds_by(&sum, bounds);
            }
        }
        is_new
    }

    /// Adds what it says of symbols that a sum is at most zero.
    fn bounds_by(&self, sum: &Linear, bounds: &mut Bounds) -> bool {
        if sum.monomials.len() > MAX_MEMBERS {
            return false;
        }
        let mut is_new = false;
        for (number, (monomial, factor)) in sum.monomials.iter().enumerate() {
            let Op::Var(symbol) = self.op(*monomial) else { continue };
            // The least that the others can be.
            let mut rest = Some(sum.constant.clone());
            let mut intervals = TermIntervals::default();
            for (other, by) in sum.monomials.iter().enumerate().filter(|(at, _)| *at != number).map(|(_, one)| one) {
                let known = |symbol: Symbol| bounds.get(&symbol).cloned().unwrap_or(Interval::ALL);
                let of = intervals.of(&known, self, *other);
                let least = if by.is_negative() { of.high } else { of.low };
                rest = rest.zip(least).map(|(rest, least)| rest + &least * by);
            }
            let Some(rest) = rest else { continue };
            let limit = -rest;
            let found = match factor.is_negative() {
                false => Interval { low: None, high: limit.div_rem_euclid(factor).map(|(quotient, _)| quotient) },
                // The divisor is positive: rounding down what is the other way round is rounding up.
                true => {
                    Interval { low: limit.div_rem_euclid(&factor.abs()).map(|(quotient, _)| -quotient), high: None }
                }
            };
            let known = bounds.entry(*symbol).or_insert(Interval::ALL);
            let both = known.meet(&found);
            is_new |= both != *known;
            *known = both;
        }
        is_new
    }
}

/// Terms made simpler under bounds.
struct Rewriting<'a> {
    bounds: &'a Bounds,
    intervals: TermIntervals,
    done: FxHashMap<TermId, TermId>,
}

impl Rewriting<'_> {
    fn rewrite(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        let mut waiting = vec![term];
        while let Some(&next) = waiting.last() {
            if self.done.contains_key(&next) {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            waiting.extend(terms.args(next).iter().filter(|arg| !self.done.contains_key(arg)));
            if waiting.len() > before {
                continue;
            }
            let args: Vec<TermId> = terms.args(next).iter().map(|arg| self.done[arg]).collect();
            let made = match args == terms.args(next) {
                true => next,
                false => terms.make(terms.op(next).clone(), &args),
            };
            let simpler = self.decided(terms, made).unwrap_or(made);
            self.done.insert(next, simpler);
            waiting.pop();
        }
        self.done[&term]
    }

    /// What a term is where the bounds hold, if they say so.
    fn decided(&mut self, terms: &mut Terms, term: TermId) -> Option<TermId> {
        let &[left, right] = terms.args(term) else { return None };
        let constant = terms.as_int(right)?.clone();
        let op = terms.op(term).clone();
        if !matches!(op, Op::Le | Op::Eq | Op::Mod | Op::Div) {
            return None;
        }
        let bounds = self.bounds;
        let known = |symbol: Symbol| bounds.get(&symbol).cloned().unwrap_or(Interval::ALL);
        let of = self.intervals.of(&known, terms, left);
        match op {
            Op::Le if of.at_most(&constant) => Some(terms.bool(true)),
            Op::Le if of.at_least(&(&constant + &Integer::ONE)) => Some(terms.bool(false)),
            Op::Eq if !of.contains(&constant) => Some(terms.bool(false)),
            Op::Mod | Op::Div if !constant.is_negative() && !constant.is_zero() => {
                let (low, high) = (of.low?, of.high?);
                let (quotient, _) = low.div_rem_euclid(&constant)?;
                if high.div_rem_euclid(&constant)?.0 != quotient {
                    return None;
                }
                if op == Op::Div {
                    return Some(terms.int(quotient));
                }
                let multiple = terms.int(quotient * constant);
                Some(terms.sub(left, multiple))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Assignment, Random, Sort, Value, eval, infix::infix, parse_sexprs};
    use super::*;

    fn formulas(terms: &mut Terms, texts: &[&str]) -> Vec<TermId> {
        let parse = |text: &&str| {
            let expr = parse_sexprs(text).expect("it is one");
            terms.parse_term(&expr[0], &Default::default()).expect("it is a term")
        };
        texts.iter().map(parse).collect()
    }

    #[test]
    fn what_cannot_wrap_is_not_wrapped() {
        let mut terms = Terms::new();
        for name in ["i", "size"] {
            terms.var(name, Sort::Int);
        }
        let given = [
            "(<= 2 size)",
            "(<= size 99999)",
            "(<= 1 i)",
            "(<= i (ite (<= size (- 1)) (- (div (- size) 4)) (div size 4)))",
            "(<= (mod (+ (* 4 i) 2147483648) 4294967296) (+ 2147483648 (mod (* 4 size) 4294967296)))",
        ];
        let given = formulas(&mut terms, &given);
        let simpler = terms.within_bounds(&given);
        let all = terms.and(simpler);
        assert!(!infix(&terms, all).to_string().contains("mod"), "{}", infix(&terms, all));
    }

    /// Random conjunctions over two symbols have the same truth before and after, for all small values.
    #[test]
    fn nothing_is_lost_or_gained() {
        let mut random = Random::new(7);
        for _ in 0..600 {
            let mut terms = Terms::new();
            let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::Int));
            let mut given = Vec::new();
            for _ in 0..2 + random.below(4) {
                given.push(member(&mut terms, &mut random, [x, y]));
            }
            let simpler = terms.within_bounds(&given);
            let (before, after) = (terms.and(given), terms.and(simpler));
            for value in -12..=12 {
                for other in -12..=12 {
                    let mut values = Assignment::default();
                    for (term, value) in [(x, value), (y, other)] {
                        let Op::Var(symbol) = terms.op(term) else { unreachable!("it is a variable") };
                        values.insert(*symbol, Value::Int(Integer::from(value)));
                    }
                    assert_eq!(
                        eval(&terms, before, &values),
                        eval(&terms, after, &values),
                        "{} and {}",
                        infix(&terms, before),
                        infix(&terms, after)
                    );
                }
            }
        }
    }

    /// A comparison of sums with remainders, quotients and choices.
    fn member(terms: &mut Terms, random: &mut Random, symbols: [TermId; 2]) -> TermId {
        let mut number = |terms: &mut Terms, most: usize| {
            let value = random.below(2 * most + 1) as i64 - most as i64;
            terms.int(value)
        };
        let mut sums = Vec::new();
        for symbol in symbols {
            let (factor, constant, divisor) = (number(terms, 3), number(terms, 9), number(terms, 9));
            let product = terms.mul(factor, symbol);
            let sum = terms.add(product, constant);
            let divisor = if terms.as_int(divisor).is_some_and(Integer::is_zero) { terms.int(5) } else { divisor };
            sums.extend([product, sum, terms.modulo(sum, divisor), terms.div(sum, divisor)]);
        }
        let limit = number(terms, 9);
        let condition = terms.le(sums[1], limit);
        let [a, b, c] = [0, 1, 2].map(|_| sums[random.below(8)]);
        let choice = terms.ite(condition, a, b);
        let both = terms.add(choice, c);
        match random.below(6) {
            0 => terms.eq(both, limit),
            1 => terms.le(limit, both),
            2 => terms.le(symbols[0], limit),
            3 => terms.ge(symbols[1], limit),
            4 => terms.le(a, b),
            _ => terms.le(both, limit),
        }
    }
}
