//! Farkas' lemma by the simplex method, in exact numbers: inequalities `a·x + c <= 0` have no rational solution if and
//! only if some of them, each times a positive number, add up to `0 + d <= 0` with a positive `d`.
//!
//! We ask for the numbers λ that add up to `d = 1` at the least cost `Σ w_j·λ_j`. The dual question, the largest `z` with
//! `a_j·x + c_j·z <= w_j` for all j, has the solution zero to start from, because costs are positive; its `z` has no
//! bound if and only if the inequalities have a solution. The λ found are a vertex, so that no inequality with a
//! positive λ can be done without (Gleeson, Ryan: Identifying Minimally Infeasible Subsystems of Inequalities, 1990).

use super::rational::Rational;
use crate::term::Integer;

/// The inequality `Σ coefficient·column + constant <= 0`, and what its use costs.
#[derive(Debug, Clone)]
pub(super) struct Inequality {
    pub(super) coefficients: Vec<(usize, Integer)>,
    pub(super) constant: Integer,
    /// Positive.
    pub(super) cost: Integer,
}

/// What the simplex method says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Farkas {
    /// The inequalities have a rational solution.
    Solvable,
    /// They have none: the factors, coprime integers.
    Refuted(Vec<Integer>),
    /// They are too many, or took too long.
    TooLarge,
}

/// The most numbers that a tableau holds.
const MAX_ENTRIES: usize = 1 << 20;
/// The most that may be done: numbers of the tableau recomputed.
const MAX_WORK: usize = 1 << 23;

/// Whether the inequalities contradict each other, and by which factors.
pub(super) fn farkas(inequalities: &[Inequality], columns: usize) -> Farkas {
    if inequalities.len().saturating_mul(columns + 1) > MAX_ENTRIES {
        return Farkas::TooLarge;
    }
    let mut tableau = Tableau::new(inequalities, columns);
    while let Some((column, increase)) = tableau.entering() {
        let Some(row) = tableau.leaving(column, increase) else { return Farkas::Solvable };
        tableau.pivot(row, column);
        if tableau.work > MAX_WORK {
            return Farkas::TooLarge;
        }
    }
    Farkas::Refuted(coprime(&tableau.factors(inequalities.len())))
}

/// Each basic variable as `value - Σ entry·nonbasic`. Variables are numbered: the columns, then `z`, both of any sign;
/// then a slack for each inequality, never negative.
struct Tableau {
    free: usize,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    rows: Vec<Vec<Rational>>,
    values: Vec<Rational>,
    /// `z` as a sum over the nonbasic variables, without its constant.
    objective: Vec<Rational>,
    work: usize,
}

impl Tableau {
    fn new(inequalities: &[Inequality], columns: usize) -> Tableau {
        let free = columns + 1;
        let row = |inequality: &Inequality| {
            let mut row = vec![Rational::ZERO; free];
            for (column, coefficient) in &inequality.coefficients {
                row[*column] = coefficient.clone().into();
            }
            row[columns] = inequality.constant.clone().into();
            row
        };
        let mut objective = vec![Rational::ZERO; free];
        objective[columns] = Rational::ONE;
        Tableau {
            free,
            basic: (free..free + inequalities.len()).collect(),
            nonbasic: (0..free).collect(),
            rows: inequalities.iter().map(row).collect(),
            values: inequalities.iter().map(|inequality| inequality.cost.clone().into()).collect(),
            objective,
            work: 0,
        }
    }

    /// A nonbasic variable whose change makes `z` larger, and whether it is to increase: one of any sign, which never
    /// leaves again, or else the slack with the least number (Bland's rule, under which no basis comes twice).
    fn entering(&self) -> Option<(usize, bool)> {
        let candidates = self.objective.iter().enumerate().filter(|&(column, reduced)| {
            !reduced.is_zero() && (self.nonbasic[column] < self.free || reduced.is_positive())
        });
        let best = candidates.min_by_key(|(column, _)| self.nonbasic[*column])?;
        Some((best.0, best.1.is_positive()))
    }

    /// The slack that is the first to become zero; of several, the one with the least number.
    fn leaving(&self, column: usize, increase: bool) -> Option<usize> {
        let mut best: Option<(Rational, usize)> = None;
        for (row, entries) in self.rows.iter().enumerate() {
            let entry = &entries[column];
            let shrinks = if increase { entry.is_positive() } else { entry.is_negative() };
            if self.basic[row] < self.free || !shrinks {
                continue;
            }
            let ratio = self.values[row].over(entry);
            let ratio = if increase { ratio } else { ratio.negated() };
            let better = best
                .as_ref()
                .is_none_or(|(least, other)| ratio < *least || ratio == *least && self.basic[row] < self.basic[*other]);
            if better {
                best = Some((ratio, row));
            }
        }
        best.map(|(_, row)| row)
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let mut chosen = std::mem::take(&mut self.rows[row]);
        let pivot = std::mem::replace(&mut chosen[column], Rational::ONE);
        for entry in chosen.iter_mut().filter(|entry| !entry.is_zero()) {
            *entry = entry.over(&pivot);
        }
        let value = self.values[row].over(&pivot);
        let present: Vec<usize> = (0..chosen.len()).filter(|&k| !chosen[k].is_zero()).collect();
        let eliminate = |entries: &mut [Rational]| {
            let factor = std::mem::replace(&mut entries[column], Rational::ZERO);
            if !factor.is_zero() {
                for &k in &present {
                    entries[k] = entries[k].minus(&factor.times(&chosen[k]));
                }
            }
            factor
        };
        for (number, entries) in self.rows.iter_mut().enumerate().filter(|(number, _)| *number != row) {
            let factor = eliminate(entries);
            if !factor.is_zero() {
                self.values[number] = self.values[number].minus(&factor.times(&value));
                self.work += present.len();
            }
        }
        eliminate(&mut self.objective);
        self.work += self.rows.len();
        self.rows[row] = chosen;
        self.values[row] = value;
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
    }

    /// The factors of the inequalities, from what their slacks cost.
    fn factors(&self, inequalities: usize) -> Vec<Rational> {
        let mut factors = vec![Rational::ZERO; inequalities];
        for (variable, reduced) in self.nonbasic.iter().zip(&self.objective) {
            if let Some(inequality) = variable.checked_sub(self.free) {
                factors[inequality] = reduced.negated();
            }
        }
        factors
    }
}

/// The numbers times the positive number that makes them coprime integers.
fn coprime(numbers: &[Rational]) -> Vec<Integer> {
    let quotient = |a: &Integer, b: &Integer| a.div_rem_truncated(b).expect("no divisor here is zero").0;
    let mut multiple = Integer::ONE;
    for number in numbers {
        let gcd = multiple.gcd(number.denominator());
        multiple = &multiple * &quotient(number.denominator(), &gcd);
    }
    let integers: Vec<Integer> =
        numbers.iter().map(|n| n.numerator() * &quotient(&multiple, n.denominator())).collect();
    let gcd = integers.iter().fold(Integer::ZERO, |gcd, n| gcd.gcd(n));
    if gcd.is_zero() { integers } else { integers.iter().map(|n| quotient(n, &gcd)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Answer, SmtProcess, Solve, locate};
    use crate::term::Random;
    use crate::term::{Sort, TermId, Terms};

    fn random_system(random: &mut Random, columns: usize, count: usize) -> Vec<Inequality> {
        let inequality = |random: &mut Random| {
            let mut coefficients = Vec::new();
            for column in 0..columns {
                let coefficient = random.below(7) as i64 - 3;
                if coefficient != 0 && random.percent(60) {
                    coefficients.push((column, Integer::from(coefficient)));
                }
            }
            let constant = Integer::from(random.below(11) as i64 - 5);
            Inequality { coefficients, constant, cost: Integer::from(1 + random.below(3)) }
        };
        (0..count).map(|_| inequality(random)).collect()
    }

    /// Panics unless the factors add the inequalities up to a contradiction.
    fn assert_refutes(inequalities: &[Inequality], columns: usize, factors: &[Integer]) {
        let mut sum = vec![Integer::ZERO; columns + 1];
        for (inequality, factor) in inequalities.iter().zip(factors) {
            assert!(!factor.is_negative());
            for (column, coefficient) in &inequality.coefficients {
                sum[*column] = &sum[*column] + &(coefficient * factor);
            }
            sum[columns] = &sum[columns] + &(&inequality.constant * factor);
        }
        assert!(sum[..columns].iter().all(Integer::is_zero), "{sum:?}");
        assert!(sum[columns] > Integer::ZERO);
    }

    /// Over the rationals: the solver gets the system with a common denominator, `a·x + c·d <= 0` and `d >= 1`.
    fn homogeneous(terms: &mut Terms, inequalities: &[Inequality], columns: usize) -> Vec<TermId> {
        let vars: Vec<TermId> = (0..=columns).map(|i| terms.var(&format!("x{i}"), Sort::Int)).collect();
        let (zero, one) = (terms.int(0), terms.int(1));
        let mut found = vec![terms.le(one, vars[columns])];
        for inequality in inequalities {
            let constant = [(columns, inequality.constant.clone())];
            let mut members = Vec::new();
            for (column, coefficient) in inequality.coefficients.iter().chain(&constant) {
                let coefficient = terms.int(coefficient.clone());
                members.push(terms.mul(coefficient, vars[*column]));
            }
            let sum = terms.sum(members);
            found.push(terms.le(sum, zero));
        }
        found
    }

    #[test]
    fn random_systems_agree_with_the_solver() {
        let mut solver = SmtProcess::new(locate(None).expect("a solver is installed").config());
        let mut random = Random::new(7);
        let mut seen = [0, 0];
        for _ in 0..300 {
            let (columns, count) = (random.between(1, 5), random.between(1, 12));
            let system = random_system(&mut random, columns, count);
            let mut terms = Terms::new();
            let formula = homogeneous(&mut terms, &system, columns);
            let answer = solver.aside().check(&terms, &formula);
            match farkas(&system, columns) {
                Farkas::Refuted(factors) => {
                    assert_eq!(answer, Answer::Unsat);
                    assert_refutes(&system, columns, &factors);
                    seen[0] += 1;
                }
                Farkas::Solvable => {
                    assert_eq!(answer, Answer::Sat);
                    seen[1] += 1;
                }
                Farkas::TooLarge => panic!("a small system is not too large"),
            }
        }
        assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
    }

    #[test]
    fn what_has_a_factor_cannot_be_done_without() {
        let mut random = Random::new(11);
        for _ in 0..200 {
            let (columns, count) = (random.between(1, 4), random.between(3, 12));
            let system = random_system(&mut random, columns, count);
            let Farkas::Refuted(factors) = farkas(&system, columns) else { continue };
            let used = |skip: usize| -> Vec<Inequality> {
                let kept = (0..count).filter(|&i| i != skip && !factors[i].is_zero());
                kept.map(|i| system[i].clone()).collect()
            };
            assert!(matches!(farkas(&used(count), columns), Farkas::Refuted(_)));
            for skip in (0..count).filter(|&i| !factors[i].is_zero()) {
                assert_eq!(farkas(&used(skip), columns), Farkas::Solvable);
            }
        }
    }

    /// A chain `x0 < x1 < … < x0` of 200 inequalities in 200 unknowns.
    #[test]
    fn a_long_chain_needs_every_member() {
        let member = |i: usize| Inequality {
            coefficients: vec![(i, Integer::ONE), ((i + 1) % 200, Integer::from(-1))],
            constant: Integer::ONE,
            cost: Integer::ONE,
        };
        let mut system: Vec<Inequality> = (0..200).map(member).collect();
        assert_eq!(farkas(&system, 200), Farkas::Refuted(vec![Integer::ONE; 200]));
        system.pop();
        assert_eq!(farkas(&system, 200), Farkas::Solvable);
    }
}
