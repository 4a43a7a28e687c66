//! Sets of offsets: all numbers with one remainder, or one number.

/// Offsets: all that are `rest` modulo `step`; `rest` alone where the step is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offsets {
    /// One of the offsets, or what they have in common.
    pub rest: i64,
    /// How far they are apart.
    pub step: i64,
}

impl Offsets {
    /// Every offset.
    pub const ANYWHERE: Offsets = Offsets { rest: 0, step: 1 };

    /// One offset.
    pub fn at(rest: i64) -> Offsets {
        Offsets { rest, step: 0 }
    }

    /// Those with a remainder, or one.
    pub fn of(rest: i64, step: i64) -> Offsets {
        Offsets { rest: if step == 0 { rest } else { rest.rem_euclid(step) }, step }
    }

    /// All of both, and maybe others.
    pub fn join(self, other: Offsets) -> Offsets {
        let Some(apart) = self.rest.checked_sub(other.rest) else { return Offsets::ANYWHERE };
        Offsets::of(self.rest, gcd(gcd(self.step, other.step), apart))
    }

    /// The sums of one of these and one of the others.
    pub fn plus(self, other: Offsets) -> Offsets {
        let Some(rest) = self.rest.checked_add(other.rest) else { return Offsets::ANYWHERE };
        Offsets::of(rest, gcd(self.step, other.step))
    }

    /// Whether values of these widths at the offsets never share a byte.
    pub fn is_apart(self, width: i64, other: Offsets, other_width: i64) -> bool {
        let step = gcd(self.step, other.step);
        let Some(apart) = other.rest.checked_sub(self.rest) else { return false };
        match step {
            0 => apart >= width || apart <= -other_width,
            _ => apart.rem_euclid(step) >= width && (step - apart.rem_euclid(step)) % step >= other_width,
        }
    }

    /// Whether values of this width, at these offsets and the others, are the same or share no byte.
    pub fn is_aligned_with(self, other: Offsets, width: i64) -> bool {
        let step = gcd(gcd(self.step, other.step), self.rest.saturating_sub(other.rest));
        step == 0 || step % width == 0
    }
}

/// The greatest common divisor; 0 of two zeros.
pub fn gcd(a: i64, b: i64) -> i64 {
    // That of the least number with itself or 0 is too large: 1 divides it too.
    i64::try_from(num_integer::gcd(a.unsigned_abs(), b.unsigned_abs())).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some of the offsets in a set, around zero.
    fn some_of(set: Offsets) -> Vec<i64> {
        match set.step {
            0 => vec![set.rest],
            step => (-40 / step..=40 / step).map(|factor| set.rest + factor * step).collect(),
        }
    }

    fn sets() -> Vec<Offsets> {
        (0..=6).flat_map(|step| (-3..=8).map(move |rest| Offsets::of(rest, step))).collect()
    }

    fn has(set: Offsets, offset: i64) -> bool {
        if set.step == 0 { offset == set.rest } else { (offset - set.rest) % set.step == 0 }
    }

    #[test]
    fn sums_and_unions_lose_nothing() {
        for a in sets() {
            for b in sets() {
                let both = a.join(b);
                assert!(some_of(a).into_iter().chain(some_of(b)).all(|offset| has(both, offset)), "{a:?} {b:?}");
                let sum = a.plus(b);
                assert!(some_of(a).into_iter().all(|x| some_of(b).into_iter().all(|y| has(sum, x + y))), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn values_apart_share_no_byte() {
        for a in sets() {
            for b in sets() {
                for (width, other) in [(1, 1), (2, 4), (4, 2), (4, 4)] {
                    let shares = |x: i64, y: i64| x < y + other && y < x + width;
                    let meet = some_of(a).into_iter().any(|x| some_of(b).into_iter().any(|y| shares(x, y)));
                    assert_eq!(a.is_apart(width, b, other), !meet, "{a:?} of {width}, {b:?} of {other}");
                }
                let partly = |x: i64, y: i64| x != y && (x - y).abs() < 4;
                let meet = some_of(a).into_iter().any(|x| some_of(b).into_iter().any(|y| partly(x, y)));
                assert!(!a.is_aligned_with(b, 4) || !meet, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_greatest_common_divisor_of_any_numbers_is_one_of_them() {
        assert_eq!([gcd(12, -18), gcd(0, 5), gcd(0, 0), gcd(i64::MIN, 0), gcd(i64::MIN, 6)], [6, 5, 0, 1, 2]);
    }
}
