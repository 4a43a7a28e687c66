//! Affine relations of machine integers: sums of multiples that are zero modulo a power of two.
//!
//! After Müller-Olm and Seidl, "Analysis of modular arithmetic". A set of points is known by the relations that hold in
//! all of them. They form a module over the integers modulo 2^width, which a matrix generates; a new point leaves the
//! combinations of its rows that vanish there. Each such step makes the module smaller, which can happen only finitely
//! often: a chain of new points ends after at most the number of columns times the width.

/// The relations that hold in all points of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Affine {
    width: u32,
    /// The factors of the columns, and the constant last; nothing for the empty set.
    rows: Option<Vec<Vec<u64>>>,
}

/// A sum of multiples of columns, and a constant, whose lowest bits are zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AffineRelation {
    /// The factors of the columns.
    pub factors: Vec<u64>,
    /// The constant.
    pub constant: u64,
    /// How many of the lowest bits are zero.
    pub bits: u32,
}

impl Affine {
    /// The empty set of points of that many bits a column, 1 to 64.
    pub fn empty(width: u32) -> Affine {
        assert!((1..=u64::BITS).contains(&width), "columns have 1 to 64 bits");
        Affine { width, rows: None }
    }

    /// Takes a point into the set; tells whether relations were lost.
    pub fn include(&mut self, point: &[u64]) -> bool {
        let mask = u64::MAX >> (u64::BITS - self.width);
        let Some(rows) = &mut self.rows else {
            let row = |column: usize| {
                let factors = (0..point.len()).map(|other| u64::from(other == column));
                factors.chain([point[column].wrapping_neg() & mask]).collect()
            };
            self.rows = Some((0..point.len()).map(row).collect());
            return true;
        };
        let value = |row: &[u64]| {
            let products = row.iter().zip(point).map(|(factor, value)| factor.wrapping_mul(*value));
            products.fold(row[point.len()], u64::wrapping_add) & mask
        };
        let values: Vec<u64> = rows.iter().map(|row| value(row)).collect();
        let broken = (0..rows.len()).filter(|row| values[*row] != 0);
        let Some(pivot) = broken.min_by_key(|row| values[*row].trailing_zeros()) else { return false };
        let zeros = values[pivot].trailing_zeros();
        let inverse = inverse(values[pivot] >> zeros);
        let pivot_row = rows[pivot].clone();
        for (row, value) in rows.iter_mut().zip(&values) {
            let times = (value >> zeros).wrapping_mul(inverse);
            row.iter_mut().zip(&pivot_row).for_each(|(a, b)| *a = a.wrapping_sub(times.wrapping_mul(*b)) & mask);
        }
        // What is left of the row itself: the multiples that vanish.
        let times = 1_u64.checked_shl(self.width - zeros).unwrap_or(0);
        rows[pivot] = pivot_row.into_iter().map(|factor| factor.wrapping_mul(times) & mask).collect();
        rows.retain(|row| row.iter().any(|factor| *factor != 0));
        true
    }

    /// Leaves out every relation: the set of all points.
    pub fn forget(&mut self) {
        self.rows = Some(Vec::new());
    }

    /// The relations that hold in all points; nothing for the empty set, where all do.
    pub fn relations(&self) -> Option<Vec<AffineRelation>> {
        let relation = |row: &Vec<u64>| {
            let common = row.iter().map(|factor| factor.trailing_zeros()).min().unwrap_or(0).min(self.width - 1);
            let (constant, factors) = row.split_last().expect("a row has a constant");
            let factors = factors.iter().map(|factor| factor >> common).collect();
            AffineRelation { factors, constant: constant >> common, bits: self.width - common }
        };
        let rows = self.rows.clone()?;
        Some(self.echelon(rows).iter().map(relation).collect())
    }

    /// Rows of the same module in which each begins with a power of two, and what stands above that is less.
    fn echelon(&self, mut rows: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        let mask = u64::MAX >> (u64::BITS - self.width);
        let mut done = 0;
        for column in 0..rows.first().map_or(0, Vec::len) {
            let left = (done..rows.len()).filter(|row| rows[*row][column] != 0);
            let Some(pivot) = left.min_by_key(|row| rows[*row][column].trailing_zeros()) else { continue };
            rows.swap(done, pivot);
            let zeros = rows[done][column].trailing_zeros();
            let inverse = inverse(rows[done][column] >> zeros);
            rows[done].iter_mut().for_each(|factor| *factor = factor.wrapping_mul(inverse) & mask);
            let pivot = rows[done].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(row, _)| *row != done) {
                let times = row[column] >> zeros;
                row.iter_mut().zip(&pivot).for_each(|(a, b)| *a = a.wrapping_sub(times.wrapping_mul(*b)) & mask);
            }
            done += 1;
        }
        rows.truncate(done);
        rows
    }
}

/// The inverse of an odd number modulo 2^64: each step of Newton's doubles how many bits are right.
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |x, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Random;

    fn holds(relation: &AffineRelation, point: &[u64]) -> bool {
        let products = relation.factors.iter().zip(point).map(|(factor, value)| factor.wrapping_mul(*value));
        let sum = products.fold(relation.constant, u64::wrapping_add);
        sum.trailing_zeros() >= relation.bits
    }

    #[test]
    fn inverses_are_inverses() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let odd = random.next_u64() | 1;
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }

    #[test]
    fn multiples_are_found() {
        let mut set = Affine::empty(32);
        assert_eq!(set.relations(), None);
        for point in [[0, 0], [4, 8], [12, 0], [4, 0]] {
            set.include(&point);
        }
        let found = set.relations().unwrap();
        assert!(found.contains(&AffineRelation { factors: vec![1, 0], constant: 0, bits: 2 }), "{found:?}");
        assert!(found.contains(&AffineRelation { factors: vec![0, 1], constant: 0, bits: 3 }), "{found:?}");
    }

    /// On all sets of points of three bits, relations hold in the points and, against all that could, are the strongest.
    #[test]
    fn relations_are_the_strongest() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let mut set = Affine::empty(3);
            let points: Vec<Vec<u64>> =
                (0..1 + random.below(4)).map(|_| (0..2).map(|_| random.below(8) as u64).collect()).collect();
            points.iter().for_each(|point| _ = set.include(point));
            assert!(points.iter().all(|point| !set.clone().include(point)));
            let found = set.relations().unwrap();
            assert!(found.iter().all(|relation| points.iter().all(|point| holds(relation, point))));
            let all = (0..8 * 8).map(|number| vec![number / 8, number % 8]);
            let inside: Vec<Vec<u64>> = all.filter(|point| found.iter().all(|r| holds(r, point))).collect();
            for number in 0..8 * 8 * 8_u64 {
                let (factors, constant) = (vec![number / 64, number / 8 % 8], number % 8);
                let other = AffineRelation { factors, constant, bits: 3 };
                if points.iter().all(|point| holds(&other, point)) {
                    assert!(inside.iter().all(|point| holds(&other, point)), "{other:?} of {points:?}");
                }
            }
        }
    }
}
