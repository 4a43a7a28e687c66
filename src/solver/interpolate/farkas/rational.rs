//! Exact rational numbers, quick while they are small integers.

use crate::term::Integer;

/// A fraction in lowest terms; the denominator is positive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rational {
    numerator: Integer,
    denominator: Integer,
}

impl Rational {
    pub(super) const ZERO: Rational = Rational { numerator: Integer::ZERO, denominator: Integer::ONE };
    pub(super) const ONE: Rational = Rational { numerator: Integer::ONE, denominator: Integer::ONE };

    fn reduced(numerator: Integer, denominator: Integer) -> Rational {
        if denominator == Integer::ONE {
            return Rational { numerator, denominator };
        }
        let gcd = numerator.gcd(&denominator);
        let gcd = if denominator.is_negative() { -gcd } else { gcd };
        let divide = |n: Integer| match gcd == Integer::ONE {
            true => n,
            false => n.div_rem_truncated(&gcd).expect("a denominator is not zero, nor is what divides it").0,
        };
        Rational { numerator: divide(numerator), denominator: divide(denominator) }
    }

    pub(super) fn numerator(&self) -> &Integer {
        &self.numerator
    }

    pub(super) fn denominator(&self) -> &Integer {
        &self.denominator
    }

    pub(super) fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    pub(super) fn is_negative(&self) -> bool {
        self.numerator.is_negative()
    }

    pub(super) fn is_positive(&self) -> bool {
        !self.is_zero() && !self.is_negative()
    }

    pub(super) fn negated(&self) -> Rational {
        Rational { numerator: -self.numerator.clone(), denominator: self.denominator.clone() }
    }

    pub(super) fn times(&self, other: &Rational) -> Rational {
        Rational::reduced(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
    }

    /// The quotient by a number that is not zero.
    pub(super) fn over(&self, divisor: &Rational) -> Rational {
        debug_assert!(!divisor.is_zero());
        Rational::reduced(&self.numerator * &divisor.denominator, &self.denominator * &divisor.numerator)
    }

    pub(super) fn minus(&self, other: &Rational) -> Rational {
        if self.denominator == other.denominator {
            return Rational::reduced(&self.numerator - &other.numerator, self.denominator.clone());
        }
        let numerator = &(&self.numerator * &other.denominator) - &(&other.numerator * &self.denominator);
        Rational::reduced(numerator, &self.denominator * &other.denominator)
    }
}

impl From<Integer> for Rational {
    fn from(numerator: Integer) -> Rational {
        Rational { numerator, denominator: Integer::ONE }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> std::cmp::Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rational(numerator: i64, denominator: i64) -> Rational {
        Rational::from(Integer::from(numerator)).over(&Rational::from(Integer::from(denominator)))
    }

    #[test]
    fn arithmetic_is_exact_and_in_lowest_terms() {
        assert_eq!(rational(6, -4), rational(-3, 2));
        assert_eq!(rational(1, 2).minus(&rational(1, 3)), rational(1, 6));
        assert_eq!(rational(2, 3).times(&rational(9, 4)), rational(3, 2));
        assert_eq!(rational(0, 5), Rational::ZERO);
        assert!(rational(1, 3) < rational(1, 2) && rational(-1, 2) < rational(-1, 3));
        let large = rational(i64::MAX, 3);
        assert_eq!(large.times(&large).over(&large), large);
    }
}
