//! Linear sums `c1*m1 + … + cn*mn + k`: the one form for the simplifier, domains, interpolation and engines.

use super::{Integer, Op, TermId, Terms};

/// A sum over terms, or over what else names them. The simplifier fills one in any order and gathers it then; all others
/// are gathered at all times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linear<K = TermId> {
    /// The monomials with their coefficients. Gathered: ascending, each once, no coefficient zero.
    pub monomials: Vec<(K, Integer)>,
    /// The constant.
    pub constant: Integer,
}

impl<K> Default for Linear<K> {
    fn default() -> Self {
        Linear { monomials: Vec::new(), constant: Integer::ZERO }
    }
}

impl Linear {
    /// The sum that an integer term is. Where it is not linear, its monomials are other terms than symbols.
    pub fn of(terms: &Terms, term: TermId) -> Linear {
        Linear::over(terms, term, Some).expect("every monomial has a name")
    }
}

impl<K: Ord + Copy> Linear<K> {
    /// The sum that an integer term is, over names of its monomials; `None` where one has no name.
    pub fn over(terms: &Terms, term: TermId, mut name: impl FnMut(TermId) -> Option<K>) -> Option<Linear<K>> {
        let mut sum = Linear::default();
        let (mut next, mut pending) = (Some((term, Integer::ONE)), Vec::new());
        while let Some((term, factor)) = next.take().or_else(|| pending.pop()) {
            let args = terms.args(term);
            match terms.op(term) {
                Op::Int(value) => sum.constant = &sum.constant + &(value * &factor),
                Op::Add => pending.extend(args.iter().map(|&arg| (arg, factor.clone()))),
                Op::Neg => next = Some((args[0], -factor)),
                Op::Mul => {
                    let number = |arg: &TermId| terms.as_int(*arg);
                    let product = args.iter().filter_map(number).fold(factor.clone(), |product, n| &product * n);
                    let mut others = args.iter().copied().filter(|arg| number(arg).is_none());
                    match (others.next(), others.next()) {
                        (None, _) => sum.constant = &sum.constant + &product,
                        (Some(other), None) => next = Some((other, product)),
                        _ => sum.add_monomial(name(term)?, &factor),
                    }
                }
                _ => sum.add_monomial(name(term)?, &factor),
            }
        }
        Some(sum)
    }

    /// The coefficient of a monomial; none where it is zero.
    pub fn coefficient(&self, monomial: K) -> Option<&Integer> {
        let at = self.monomials.binary_search_by_key(&monomial, |(monomial, _)| *monomial).ok()?;
        Some(&self.monomials[at].1)
    }

    /// Adds a multiple of a monomial.
    pub fn add_monomial(&mut self, monomial: K, factor: &Integer) {
        match self.monomials.binary_search_by_key(&monomial, |(monomial, _)| *monomial) {
            Ok(at) => {
                let sum = &self.monomials[at].1 + factor;
                match sum.is_zero() {
                    true => drop(self.monomials.remove(at)),
                    false => self.monomials[at].1 = sum,
                }
            }
            Err(_) if factor.is_zero() => {}
            Err(at) => self.monomials.insert(at, (monomial, factor.clone())),
        }
    }

    /// Adds a multiple of another sum.
    pub fn add_sum(&mut self, other: &Linear<K>, factor: &Integer) {
        if factor.is_zero() {
            return;
        }
        for (monomial, coefficient) in &other.monomials {
            self.add_monomial(*monomial, &(coefficient * factor));
        }
        self.constant = &self.constant + &(&other.constant * factor);
    }

    /// Leaves a monomial out.
    pub fn remove(&mut self, monomial: K) {
        self.monomials.retain(|(other, _)| *other != monomial);
    }

    /// Makes it minus what it is.
    pub fn negate(&mut self) {
        for (_, coefficient) in &mut self.monomials {
            *coefficient = -std::mem::take(coefficient);
        }
        self.constant = -std::mem::take(&mut self.constant);
    }
}

impl<K> Linear<K> {
    /// The greatest common divisor of the coefficients; zero where there is no monomial.
    pub fn gcd(&self) -> Integer {
        let mut gcd = Integer::ZERO;
        for (_, coefficient) in &self.monomials {
            gcd = gcd.gcd(coefficient);
            if gcd == Integer::ONE {
                break;
            }
        }
        gcd
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Sort, infix::infix};
    use super::*;

    #[test]
    fn a_term_is_taken_apart() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::Int));
        let (two, three) = (terms.int(2), terms.int(3));
        let product = terms.raw(Op::Mul, &[x, y]);
        let inner = terms.raw(Op::Add, &[x, three]);
        let doubled = terms.raw(Op::Mul, &[two, inner]);
        let less = terms.raw(Op::Neg, &[x]);
        let term = terms.raw(Op::Add, &[doubled, less, less, product, y]);
        let sum = Linear::of(&terms, term);
        let shown = |(monomial, factor): &(TermId, Integer)| format!("{factor}*{}", infix(&terms, *monomial));
        let shown: Vec<String> = sum.monomials.iter().map(shown).collect();
        assert_eq!((shown.join(" "), sum.constant), ("1*y 1*x * y".to_owned(), 6.into()));
        assert_eq!(Linear::over(&terms, term, |monomial| terms.as_symbol(monomial)), None);
        let symbols = Linear::over(&terms, doubled, |monomial| terms.as_symbol(monomial)).expect("it is linear");
        assert_eq!(symbols.coefficient(terms.as_symbol(x).expect("a symbol")), Some(&2.into()));
    }

    #[test]
    fn what_vanishes_is_gone() {
        let mut sum = Linear { monomials: vec![(1, Integer::from(2)), (4, Integer::from(-3))], constant: 1.into() };
        let other = Linear { monomials: vec![(1, Integer::ONE), (2, Integer::ONE)], constant: 5.into() };
        sum.add_sum(&other, &Integer::from(-2));
        sum.negate();
        let expected = Linear { monomials: vec![(2, Integer::from(2)), (4, Integer::from(3))], constant: 9.into() };
        assert_eq!((sum.clone(), sum.gcd()), (expected, Integer::ONE));
    }
}
