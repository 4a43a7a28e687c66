//! Relations that hold in a table of numbers: equations between columns, and equations modulo two.
//!
//! The columns are in an order; a column that depends on others is expressed by earlier ones. Whatever is found holds in
//! the table and nowhere else: it is for others to prove.

use num_integer::Integer as _;
use std::collections::BTreeSet;

/// So many rows more than there are columns make a relation more than a coincidence.
const ROWS_ABOVE_COLUMNS: usize = 3;

/// Coefficients are at most this.
const MAX_COEFFICIENT: i128 = 64;

/// Constants are at most this.
const MAX_CONSTANT: i128 = 1 << 40;

/// So many columns an equation modulo two speaks of at most.
const MAX_COLUMNS_IN_PARITY: usize = 3;

/// So many values of a column are told apart at most, to look for relations where it has one of them.
const MAX_CASES: usize = 8;

/// A sum of multiples of columns, and a number, that is zero; modulo two for a parity.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Relation {
    /// The columns with their coefficients, none of which is zero, in their order: the last depends on the others.
    pub terms: Vec<(usize, i64)>,
    /// The number.
    pub constant: i64,
    /// Whether it only holds modulo two.
    pub is_parity: bool,
    /// The column and its value where it holds, if not everywhere.
    pub case: Option<(usize, i64)>,
}

impl Relation {
    /// The column that depends on the others, with its coefficient.
    pub(crate) fn dependent(&self) -> (usize, i64) {
        *self.terms.last().expect("a relation has columns")
    }
}

/// The relations that hold in all rows, or in all where a column has one of its few values.
pub(crate) fn relations(rows: &[Vec<i64>]) -> Vec<Relation> {
    let columns = rows.first().map_or(0, Vec::len);
    let all: Vec<usize> = (0..columns).collect();
    let (mut found, independent) = equations(rows, &all);
    found.extend(parities(rows, &independent));
    for &column in &independent {
        let cases: BTreeSet<i64> = rows.iter().map(|row| row[column]).collect();
        if !(2..=MAX_CASES).contains(&cases.len()) {
            continue;
        }
        let others: Vec<usize> = independent.iter().copied().filter(|other| *other != column).collect();
        for case in cases {
            let rows: Vec<Vec<i64>> = rows.iter().filter(|row| row[column] == case).cloned().collect();
            let equations = equations(&rows, &others).0.into_iter().filter(|relation| relation.terms.len() > 1);
            found.extend(equations.map(|relation| Relation { case: Some((column, case)), ..relation }));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The equations between the columns, one for each that depends on others, and the columns that do not.
fn equations(rows: &[Vec<i64>], columns: &[usize]) -> (Vec<Relation>, Vec<usize>) {
    if rows.len() < columns.len() + ROWS_ABOVE_COLUMNS {
        return (Vec::new(), columns.to_vec());
    }
    // The constant comes first, so that it is used where it can be.
    let mut reduced = Reduced { rows: Vec::new() };
    for row in rows {
        let row = std::iter::once(1).chain(columns.iter().map(|&column| i128::from(row[column])));
        if reduced.add(row.collect()).is_none() {
            return (Vec::new(), columns.to_vec());
        }
    }
    let (mut found, mut independent) = (Vec::new(), Vec::new());
    for (place, &column) in columns.iter().enumerate() {
        match reduced.rows.iter().any(|(pivot, _)| *pivot == place + 1) {
            true => independent.push(column),
            false => found.extend(reduced.relation(place + 1, columns)),
        }
    }
    (found, independent)
}

/// Rows in echelon form, each with the place of its first number that is not zero; above and below that are zeros.
struct Reduced {
    rows: Vec<(usize, Vec<i128>)>,
}

impl Reduced {
    /// Adds a row; `None` if the numbers grow too large.
    fn add(&mut self, mut row: Vec<i128>) -> Option<()> {
        for (pivot, known) in &self.rows {
            row = without(&row, known, *pivot)?;
        }
        let Some(pivot) = row.iter().position(|n| *n != 0) else { return Some(()) };
        for (_, known) in &mut self.rows {
            *known = without(known, &row, pivot)?;
        }
        self.rows.push((pivot, row));
        Some(())
    }

    /// How the place depends on those with a row of their own, if with small numbers.
    fn relation(&self, place: usize, columns: &[usize]) -> Option<Relation> {
        // At the pivot of a row, the number is that of the place over the pivot's.
        let mut scale: i128 = 1;
        for (pivot, row) in &self.rows {
            scale = scale.lcm(&(row[*pivot] / row[*pivot].gcd(&row[place])));
        }
        let mut relation =
            Relation { terms: vec![(columns[place - 1], small(scale)?)], constant: 0, is_parity: false, case: None };
        for (pivot, row) in &self.rows {
            let factor =
                -(scale / (row[*pivot] / row[*pivot].gcd(&row[place]))) * (row[place] / row[*pivot].gcd(&row[place]));
            match *pivot {
                0 if factor.abs() > MAX_CONSTANT => return None,
                0 => relation.constant = factor as i64,
                _ if factor == 0 => {}
                _ => relation.terms.push((columns[pivot - 1], small(factor)?)),
            }
        }
        relation.terms.sort_unstable();
        Some(relation)
    }
}

fn small(n: i128) -> Option<i64> {
    (n.abs() <= MAX_COEFFICIENT).then_some(n as i64)
}

/// The row without its part at the pivot of another, in lowest terms.
fn without(row: &[i128], other: &[i128], pivot: usize) -> Option<Vec<i128>> {
    if row[pivot] == 0 {
        return Some(row.to_vec());
    }
    let common = row[pivot].gcd(&other[pivot]);
    let (a, b) = (other[pivot] / common, row[pivot] / common);
    let mut result = Vec::with_capacity(row.len());
    for (x, y) in row.iter().zip(other) {
        result.push(x.checked_mul(a)?.checked_sub(y.checked_mul(b)?)?);
    }
    let divisor = result.iter().fold(0, |divisor: i128, n| divisor.gcd(n));
    if divisor > 1 {
        result.iter_mut().for_each(|n| *n /= divisor);
    }
    Some(result)
}

/// The equations modulo two between the columns.
fn parities(rows: &[Vec<i64>], columns: &[usize]) -> Vec<Relation> {
    if rows.len() < columns.len() + 2 * ROWS_ABOVE_COLUMNS || columns.len() >= 64 {
        return Vec::new();
    }
    // A row is a set of bits: the constant, then the columns.
    let bits = |row: &Vec<i64>| {
        let odd = columns.iter().enumerate().map(|(place, &column)| ((row[column] & 1) as u64) << (place + 1));
        odd.fold(1, |bits, bit| bits | bit)
    };
    let mut reduced: Vec<u64> = Vec::new();
    for row in rows.iter().map(bits).collect::<BTreeSet<u64>>() {
        let row = reduced.iter().fold(row, |row, known| if row & lowest(*known) != 0 { row ^ known } else { row });
        if row != 0 {
            reduced.iter_mut().filter(|known| **known & lowest(row) != 0).for_each(|known| *known ^= row);
            reduced.push(row);
        }
    }
    let dependent = (1..=columns.len()).filter(|place| !reduced.iter().any(|row| lowest(*row) == 1 << place));
    let relation = |place: usize| {
        let mut relation = Relation { terms: vec![(columns[place - 1], 1)], constant: 0, is_parity: true, case: None };
        for row in reduced.iter().filter(|row| **row & (1 << place) != 0) {
            match row.trailing_zeros() as usize {
                0 => relation.constant = 1,
                pivot => relation.terms.push((columns[pivot - 1], 1)),
            }
        }
        relation.terms.sort_unstable();
        relation
    };
    dependent.map(relation).filter(|relation| relation.terms.len() <= MAX_COLUMNS_IN_PARITY).collect()
}

fn lowest(bits: u64) -> u64 {
    bits & bits.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holds(relation: &Relation, row: &[i64]) -> bool {
        let sum: i64 =
            relation.terms.iter().map(|(column, factor)| factor * row[*column]).sum::<i64>() + relation.constant;
        if relation.is_parity { sum % 2 == 0 } else { sum == 0 }
    }

    fn equation(terms: &[(usize, i64)], constant: i64) -> Relation {
        Relation { terms: terms.to_vec(), constant, is_parity: false, case: None }
    }

    #[test]
    fn sums_are_found() {
        let rows: Vec<Vec<i64>> = (0..9).map(|i| vec![i * i, i, i * i + 2 * i - 7]).collect();
        // A square is odd where the number is.
        let parity = Relation { terms: vec![(0, 1), (1, 1)], constant: 0, is_parity: true, case: None };
        assert_eq!(relations(&rows), [equation(&[(0, -1), (1, -2), (2, 1)], 7), parity]);
    }

    #[test]
    fn what_depends_on_a_case_is_found() {
        let rows: Vec<Vec<i64>> = (0..20)
            .map(|i| if i % 2 == 0 { vec![0, i * i, i * i + 1] } else { vec![1, i * i, 2 * i * i + 3] })
            .collect();
        let found = relations(&rows);
        let in_case = |relation, case| Relation { case: Some((0, case)), ..relation };
        assert!(found.contains(&in_case(equation(&[(1, -1), (2, 1)], -1), 0)), "{found:?}");
        assert!(found.contains(&in_case(equation(&[(1, -2), (2, 1)], -3), 1)), "{found:?}");
    }

    #[test]
    fn parities_are_found() {
        let rows: Vec<Vec<i64>> = (0..20).map(|i: i64| vec![i * 37 % 23, (i * 37 % 23 + 1) % 2]).collect();
        let parity = Relation { terms: vec![(0, 1), (1, 1)], constant: 1, is_parity: true, case: None };
        assert!(relations(&rows).contains(&parity), "{:?}", relations(&rows));
    }

    #[test]
    fn a_constant_is_an_equation() {
        let rows: Vec<Vec<i64>> = (0..9).map(|i| vec![i, 5]).collect();
        assert_eq!(relations(&rows), [equation(&[(1, 1)], -5)]);
    }

    proptest! {
        #[test]
        fn what_is_found_holds(
            (a, b, c) in (-9i64..9, -9i64..9, -99i64..99),
            inputs in prop::collection::vec((-50i64..50, -50i64..50), 8..40),
        ) {
            let rows: Vec<Vec<i64>> = inputs.iter().map(|(x, y)| vec![*x, *y, a * x + b * y + c, x % 3]).collect();
            let found = relations(&rows);
            let all = found.iter().filter(|relation| rows.iter().all(|row| holds(relation, row))).count();
            // The third column always depends on the first two, if they do not on each other.
            prop_assert!(all >= 1, "{found:?}");
            let of_all = equations(&rows, &[0, 1, 2, 3]).0;
            prop_assert!(of_all.iter().all(|relation| rows.iter().all(|row| holds(relation, row))), "{of_all:?}");
        }
    }
}
