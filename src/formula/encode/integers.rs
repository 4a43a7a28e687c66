//! Operators on machine integers as operators on mathematical integers, exact: what leaves a type's range is wrapped.
//!
//! An operand's value is within its type's range, and so is every result. Where intervals show that nothing can
//! wrap, nothing is done; where a sum passes an end by less than the modulus, one `ite` corrects it; elsewhere `mod`
//! does. A sum is taken of what its operands were before they were wrapped, where that is no worse: it is the same
//! modulo the power of two, and corrections do not pile up.

use super::bits;
use super::block::Block;
use super::interval::of_machine;
use crate::program::{BinaryOp, MachineInt, UnaryOp};
use crate::term::{Integer, Interval, Op, TermId, Terms};

/// How many runs of ones a constant mask may have to be taken apart by `mod`.
const MAX_RUNS: usize = 3;

/// How much it takes to wrap a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Effort {
    Nothing,
    Correction,
    Modulo,
}

/// What is asked of a division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Quotient,
    Remainder,
}

impl Block<'_, '_> {
    /// The value of the type that equals the integer term modulo 2^width.
    pub(in crate::formula) fn wrap(&mut self, terms: &mut Terms, machine: MachineInt, value: TermId) -> TermId {
        let before = self.unwrapped(value, machine.width);
        self.wrap_better(terms, machine, before, value)
    }

    pub(in crate::formula) fn integer_unary(
        &mut self,
        terms: &mut Terms,
        op: UnaryOp,
        machine: MachineInt,
        a: TermId,
    ) -> TermId {
        match op {
            UnaryOp::Neg => {
                let (before, minus) = (self.unwrapped(a, machine.width), terms.neg(a));
                let minus_before = terms.neg(before);
                self.wrap_better(terms, machine, minus_before, minus)
            }
            UnaryOp::BitNot => {
                let ones = terms.int(if machine.signed { Integer::from(-1) } else { machine.max() });
                terms.sub(ones, a)
            }
            _ => unreachable!("{op:?} is no operator on machine integers"),
        }
    }

    pub(in crate::formula) fn integer_binary(
        &mut self,
        terms: &mut Terms,
        op: BinaryOp,
        machine: MachineInt,
        a: TermId,
        b: TermId,
    ) -> TermId {
        use BinaryOp::*;
        match op {
            Add => self.linear(terms, machine, Terms::add, a, b),
            Sub => self.linear(terms, machine, Terms::sub, a, b),
            Mul => self.product(terms, machine, a, b),
            Div => self.quotient(terms, machine, a, b),
            Rem => self.remainder(terms, a, b),
            BitAnd | BitOr | BitXor => self.bitwise(terms, op, machine, a, b),
            Shl | Shr => self.shift(terms, op, machine, a, b),
            Lt => self.less(terms, a, b),
            Gt => self.less(terms, b, a),
            Le => {
                let greater = self.less(terms, b, a);
                terms.not(greater)
            }
            Ge => {
                let less = self.less(terms, a, b);
                terms.not(less)
            }
            Eq | Ne | Implies | PointerAdd | SameObject => unreachable!("{op:?} is no operator on machine integers"),
        }
    }

    /// What the term was before it was wrapped, where that is the same modulo 2^width; else the term.
    fn unwrapped(&self, term: TermId, width: u32) -> TermId {
        match self.unwrapped.get(&term) {
            Some((before, modulus)) if *modulus >= width => *before,
            _ => term,
        }
    }

    fn effort(&mut self, terms: &Terms, machine: MachineInt, value: TermId) -> Effort {
        let interval = self.interval(terms, value);
        let (min, max, modulus) = (machine.min(), machine.max(), Integer::power_of_two(machine.width));
        if interval.within(&min, &max) {
            Effort::Nothing
        } else if interval.within(&(&min - &modulus), &(&max + &modulus)) {
            Effort::Correction
        } else {
            Effort::Modulo
        }
    }

    /// Wraps one of two terms that are equal modulo 2^width: the first, which has fewer corrections in it, unless
    /// the second takes less effort.
    fn wrap_better(&mut self, terms: &mut Terms, machine: MachineInt, before: TermId, plain: TermId) -> TermId {
        let (first, second) = (self.effort(terms, machine, before), self.effort(terms, machine, plain));
        let (value, effort) = if second < first { (plain, second) } else { (before, first) };
        match effort {
            Effort::Nothing => value,
            Effort::Correction => self.correct(terms, machine, value),
            Effort::Modulo => {
                let min = terms.int(machine.min());
                let from_min = terms.sub(value, min);
                let rest = self.modulo_power(terms, from_min, machine.width);
                terms.add(rest, min)
            }
        }
    }

    /// Wraps a term that is outside the range by less than the modulus.
    fn correct(&mut self, terms: &mut Terms, machine: MachineInt, value: TermId) -> TermId {
        let interval = self.interval(terms, value);
        let modulus = terms.int(Integer::power_of_two(machine.width));
        let mut wrapped = value;
        if !interval.at_least(&machine.min()) {
            let min = terms.int(machine.min());
            let (below, more) = (terms.lt(value, min), terms.add(value, modulus));
            wrapped = terms.ite(below, more, wrapped);
        }
        if !interval.at_most(&machine.max()) {
            let max = terms.int(machine.max());
            let (above, less) = (terms.gt(value, max), terms.sub(value, modulus));
            wrapped = terms.ite(above, less, wrapped);
        }
        self.restrict(terms, wrapped, &of_machine(machine));
        self.unwrapped.insert(wrapped, (value, machine.width));
        wrapped
    }

    fn linear(
        &mut self,
        terms: &mut Terms,
        machine: MachineInt,
        operation: fn(&mut Terms, TermId, TermId) -> TermId,
        a: TermId,
        b: TermId,
    ) -> TermId {
        let plain = operation(terms, a, b);
        let (a, b) = (self.unwrapped(a, machine.width), self.unwrapped(b, machine.width));
        let before = operation(terms, a, b);
        self.wrap_better(terms, machine, before, plain)
    }

    fn product(&mut self, terms: &mut Terms, machine: MachineInt, a: TermId, b: TermId) -> TermId {
        if constant(terms, a).is_some() || constant(terms, b).is_some() {
            return self.linear(terms, machine, Terms::mul, a, b);
        }
        let zero = terms.int(0);
        for (bit, other) in [(a, b), (b, a)] {
            if self.is_bit(terms, bit) {
                let none = terms.eq(bit, zero);
                return terms.ite(none, zero, other);
            }
        }
        let product = terms.mul(a, b);
        self.has_wrapping_products |= self.effort(terms, machine, product) != Effort::Nothing;
        self.wrap(terms, machine, product)
    }

    fn quotient(&mut self, terms: &mut Terms, machine: MachineInt, a: TermId, b: TermId) -> TermId {
        self.costly |= constant(terms, b).is_none();
        let (dividend, divisor) = (self.interval(terms, a), self.interval(terms, b));
        let mut quotient = self.truncated(terms, Part::Quotient, a, b);
        // Where the divisor is not zero, a quotient is no greater than its dividend; only the least value by -1 wraps.
        // The interval is noted for a term that is only ever used where the divisor is not zero.
        let bound = dividend.magnitude().unwrap_or_else(|| Integer::power_of_two(machine.width));
        self.restrict(terms, quotient, &Interval::new(-bound.clone(), bound));
        if machine.signed && divisor.contains(&Integer::from(-1)) && dividend.contains(&machine.min()) {
            quotient = self.wrap(terms, machine, quotient);
        }
        if !divisor.contains(&Integer::ZERO) {
            return quotient;
        }
        // In one bit, 1 is -1.
        let (zero, minus_one, one) = (terms.int(0), terms.int(-1), terms.int(machine.wrap(&Integer::ONE)));
        let by_zero = if machine.signed {
            let negative = self.less(terms, a, zero);
            terms.ite(negative, one, minus_one)
        } else {
            terms.int(machine.max())
        };
        let is_zero = terms.eq(b, zero);
        terms.ite(is_zero, by_zero, quotient)
    }

    fn remainder(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        self.costly |= constant(terms, b).is_none();
        let remainder = self.truncated(terms, Part::Remainder, a, b);
        if !self.interval(terms, b).contains(&Integer::ZERO) {
            return remainder;
        }
        let zero = terms.int(0);
        let is_zero = terms.eq(b, zero);
        terms.ite(is_zero, a, remainder)
    }

    /// A part of a division that truncates, by what is not zero: that of the Euclidean one of the dividend's absolute
    /// value, with its sign. For a dividend that is not negative the two are the same, whatever the divisor's sign.
    fn truncated(&mut self, terms: &mut Terms, part: Part, a: TermId, b: TermId) -> TermId {
        let (interval, zero) = (self.interval(terms, a), Integer::ZERO);
        if interval.at_least(&zero) {
            return self.euclidean(terms, part, a, b);
        }
        let minus_a = terms.neg(a);
        let opposite = self.euclidean(terms, part, minus_a, b);
        let of_negative = terms.neg(opposite);
        if interval.at_most(&zero) {
            return of_negative;
        }
        let of_positive = self.euclidean(terms, part, a, b);
        let zero = terms.int(0);
        let negative = terms.lt(a, zero);
        terms.ite(negative, of_negative, of_positive)
    }

    fn euclidean(&mut self, terms: &mut Terms, part: Part, a: TermId, b: TermId) -> TermId {
        let interval = self.interval(terms, a);
        let smaller = constant(terms, b).is_some_and(|b| interval.within(&Integer::ZERO, &(b.abs() - Integer::ONE)));
        match part {
            Part::Quotient if smaller => terms.int(0),
            Part::Remainder if smaller => a,
            Part::Quotient => terms.div(a, b),
            Part::Remainder => terms.modulo(a, b),
        }
    }

    fn bitwise(&mut self, terms: &mut Terms, op: BinaryOp, machine: MachineInt, a: TermId, b: TermId) -> TermId {
        if a == b {
            return if op == BinaryOp::BitXor { terms.int(0) } else { a };
        }
        for (mask, other) in [(a, b), (b, a)] {
            if let Some(mask) = constant(terms, mask).cloned()
                && let Some(result) = self.with_mask(terms, op, machine, other, &mask)
            {
                return result;
            }
        }
        for (bit, other) in [(a, b), (b, a)] {
            if self.is_bit(terms, bit)
                && let Some(set) = self.with_mask(terms, op, machine, other, &Integer::ONE)
            {
                let zero = terms.int(0);
                let clear = if op == BinaryOp::BitAnd { zero } else { other };
                let is_clear = terms.eq(bit, zero);
                return terms.ite(is_clear, clear, set);
            }
        }
        self.by_bits(terms, op, machine, a, b)
    }

    /// A bitwise operator with a constant that has few runs of ones. `a + m` is the exclusive or plus twice the
    /// conjunction, and the disjunction plus the conjunction.
    fn with_mask(
        &mut self,
        terms: &mut Terms,
        op: BinaryOp,
        machine: MachineInt,
        a: TermId,
        mask: &Integer,
    ) -> Option<TermId> {
        let runs = runs_of_ones(mask, machine.width);
        if runs.len() > MAX_RUNS {
            return None;
        }
        let mut members = Vec::new();
        for (start, end) in runs {
            let upper = if end == machine.width { a } else { self.modulo_power(terms, a, end) };
            let lower = self.modulo_power(terms, a, start);
            members.push(terms.sub(upper, lower));
        }
        let common = terms.sum(members);
        let mask = terms.int(mask.clone());
        let sum = terms.add(a, mask);
        Some(match op {
            BinaryOp::BitAnd => common,
            BinaryOp::BitOr => terms.sub(sum, common),
            _ => {
                let two = terms.int(2);
                let twice = terms.mul(two, common);
                terms.sub(sum, twice)
            }
        })
    }

    fn shift(&mut self, terms: &mut Terms, op: BinaryOp, machine: MachineInt, a: TermId, b: TermId) -> TermId {
        let Some(amount) = constant(terms, b) else { return self.by_bits(terms, op, machine, a, b) };
        let amount = amount.wrap_unsigned(machine.width).to_u32().filter(|bits| *bits < machine.width);
        let zero = terms.int(0);
        match (op, amount) {
            (BinaryOp::Shl, Some(bits)) => {
                let factor = terms.int(Integer::power_of_two(bits));
                self.linear(terms, machine, Terms::mul, a, factor)
            }
            (BinaryOp::Shl, None) => zero,
            (_, Some(bits)) => {
                let divisor = terms.int(Integer::power_of_two(bits));
                terms.div(a, divisor)
            }
            (_, None) => {
                let (negative, minus_one) = (self.less(terms, a, zero), terms.int(-1));
                terms.ite(negative, minus_one, zero)
            }
        }
    }

    /// The operator on bit-vectors, between conversions there and back.
    fn by_bits(&mut self, terms: &mut Terms, op: BinaryOp, machine: MachineInt, a: TermId, b: TermId) -> TermId {
        self.costly = true;
        let (a, b) = (terms.int_to_bv(machine.width, a), terms.int_to_bv(machine.width, b));
        let result = bits::machine_operation(terms, op, machine.signed, a, b);
        if machine.signed { terms.bv_to_int(result) } else { terms.bv_to_nat(result) }
    }

    /// The equality of two integers, decided where their intervals do.
    pub(in crate::formula) fn equal(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        let (left, right) = (self.interval(terms, a), self.interval(terms, b));
        if left.is_below(&right) || right.is_below(&left) { terms.bool(false) } else { terms.eq(a, b) }
    }

    /// The comparison of two integers, decided where their intervals do.
    fn less(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        let (left, right) = (self.interval(terms, a), self.interval(terms, b));
        if left.is_below(&right) {
            terms.bool(true)
        } else if right.high.as_ref().is_some_and(|high| left.at_least(high)) {
            terms.bool(false)
        } else {
            terms.lt(a, b)
        }
    }

    /// The term modulo a power of two.
    fn modulo_power(&mut self, terms: &mut Terms, value: TermId, exponent: u32) -> TermId {
        let modulus = Integer::power_of_two(exponent);
        if self.interval(terms, value).within(&Integer::ZERO, &(&modulus - &Integer::ONE)) {
            return value;
        }
        let modulus = terms.int(modulus);
        terms.modulo(value, modulus)
    }

    /// Whether the term is known to be 0 or 1.
    fn is_bit(&mut self, terms: &Terms, term: TermId) -> bool {
        self.interval(terms, term).within(&Integer::ZERO, &Integer::ONE)
    }
}

fn constant(terms: &Terms, term: TermId) -> Option<&Integer> {
    match terms.op(term) {
        Op::Int(value) => Some(value),
        _ => None,
    }
}

/// The runs of ones of a number in two's complement of that width: where each starts, and where the zeros above it do.
fn runs_of_ones(number: &Integer, width: u32) -> Vec<(u32, u32)> {
    let bits = number.wrap_unsigned(width);
    let is_set = |bit: u32| bit < width && !bits.shift_right(bit).wrap_unsigned(1).is_zero();
    let starts = (0..width).filter(|&bit| is_set(bit) && (bit == 0 || !is_set(bit - 1)));
    starts.map(|start| (start, (start..=width).find(|&bit| !is_set(bit)).unwrap_or(width))).collect()
}
