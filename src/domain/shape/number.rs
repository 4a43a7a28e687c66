//! What is known of a number: a few values, or a range.

use crate::program::{BinaryOp, MachineInt, Type};

/// A set of at most so many values is kept as it is.
const MAX_VALUES: usize = 8;

/// Numbers beyond this are not treated.
const LIMIT: i128 = 1 << 100;

/// A set of numbers that is not empty.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Number {
    /// These, in order.
    Set(Vec<i128>),
    /// All from one to another, more than a set holds.
    Range(i128, i128),
    /// The same but for one in between: the least, what is left out, the greatest.
    Except(i128, i128, i128),
}

impl Number {
    /// One number.
    pub fn one(n: i128) -> Number {
        Number::Set(vec![n])
    }

    /// All from one to another; `None` if there is none.
    pub fn range(low: i128, high: i128) -> Option<Number> {
        match high.checked_sub(low)? {
            ..0 => None,
            distance if distance < MAX_VALUES as i128 => Some(Number::Set((low..=high).collect())),
            _ => Some(Number::Range(low, high)),
        }
    }

    /// At least these; `None` if there is none.
    pub fn of(mut values: Vec<i128>) -> Option<Number> {
        values.sort_unstable();
        values.dedup();
        match values.len() {
            0 => None,
            n if n <= MAX_VALUES => Some(Number::Set(values)),
            _ => Number::range(values[0], values[values.len() - 1]),
        }
    }

    /// All values of a type, where it has least and greatest ones that are not too large.
    pub fn all(ty: Type) -> Option<Number> {
        match ty {
            Type::Bool => Number::range(0, 1),
            Type::Machine(machine) => Number::of_machine(machine),
            _ => None,
        }
    }

    /// All values of a machine type, if it is not too wide.
    pub fn of_machine(machine: MachineInt) -> Option<Number> {
        let (low, high) = limits(machine)?;
        Number::range(low, high)
    }

    /// The least.
    pub fn low(&self) -> i128 {
        match self {
            Number::Set(values) => values[0],
            Number::Range(low, _) | Number::Except(low, ..) => *low,
        }
    }

    /// The greatest.
    pub fn high(&self) -> i128 {
        match self {
            Number::Set(values) => values[values.len() - 1],
            Number::Range(_, high) | Number::Except(_, _, high) => *high,
        }
    }

    /// The only one, if there is only one.
    pub fn only(&self) -> Option<i128> {
        match self {
            Number::Set(values) if values.len() == 1 => Some(values[0]),
            _ => None,
        }
    }

    /// The values, if they are few.
    pub fn few(&self) -> Option<&[i128]> {
        match self {
            Number::Set(values) => Some(values),
            Number::Range(..) | Number::Except(..) => None,
        }
    }

    /// Whether a number is one of them.
    pub fn has(&self, n: i128) -> bool {
        match self {
            Number::Set(values) => values.binary_search(&n).is_ok(),
            Number::Range(low, high) => (*low..=*high).contains(&n),
            Number::Except(low, hole, high) => n != *hole && (*low..=*high).contains(&n),
        }
    }

    /// Whether all of another are among these.
    pub fn includes(&self, other: &Number) -> bool {
        match other {
            Number::Set(values) => values.iter().all(|n| self.has(*n)),
            range => match self {
                Number::Set(_) => false,
                Number::Range(from, to) => *from <= range.low() && range.high() <= *to,
                Number::Except(from, hole, to) => *from <= range.low() && range.high() <= *to && !range.has(*hole),
            },
        }
    }

    /// What it leaves out in between, if it is a range.
    fn hole(&self) -> Option<i128> {
        match self {
            Number::Except(_, hole, _) => Some(*hole),
            _ => None,
        }
    }

    /// All from one to another but for one of some numbers.
    fn range_without(low: i128, high: i128, holes: impl Iterator<Item = i128>) -> Option<Number> {
        holes.fold(Number::range(low, high), |range, hole| range.and_then(|range| range.without(hole)))
    }

    /// At least all of both.
    pub fn join(&self, other: &Number) -> Number {
        let all = match (self, other) {
            (Number::Set(a), Number::Set(b)) => Number::of(a.iter().chain(b).copied().collect()),
            _ => {
                let holes = [self.hole(), other.hole()].into_iter().flatten();
                let holes = holes.filter(|hole| !self.has(*hole) && !other.has(*hole));
                Number::range_without(self.low().min(other.low()), self.high().max(other.high()), holes)
            }
        };
        all.unwrap_or_else(|| self.clone())
    }

    /// At least what is in both; `None` if nothing is.
    pub fn meet(&self, other: &Number) -> Option<Number> {
        match (self, other) {
            (Number::Set(values), any) | (any, Number::Set(values)) => {
                Number::of(values.iter().copied().filter(|n| any.has(*n)).collect())
            }
            _ => {
                let holes = [self.hole(), other.hole()].into_iter().flatten();
                Number::range_without(self.low().max(other.low()), self.high().min(other.high()), holes)
            }
        }
    }

    /// All but one; `None` if nothing is left.
    pub fn without(&self, n: i128) -> Option<Number> {
        match self {
            Number::Set(values) => Number::of(values.iter().copied().filter(|value| *value != n).collect()),
            Number::Range(low, high) if n == *low => Number::range(low + 1, *high),
            Number::Range(low, high) if n == *high => Number::range(*low, high - 1),
            Number::Range(low, high) if (*low..*high).contains(&n) => Some(Number::Except(*low, n, *high)),
            Number::Except(low, hole, high) if n == *low || n == *high => {
                let (low, high) = if n == *low { (low + 1, *high) } else { (*low, high - 1) };
                Number::range_without(low, high, [*hole].into_iter())
            }
            range => Some(range.clone()),
        }
    }

    /// Those that fit a machine type, if all do.
    pub fn fits(&self, machine: MachineInt) -> bool {
        limits(machine).is_some_and(|(low, high)| low <= self.low() && self.high() <= high)
    }

    /// Converted to a machine type; `None` for one that is too wide.
    pub fn converted(&self, machine: MachineInt) -> Option<Number> {
        let all = Number::of_machine(machine)?;
        match self {
            number if number.fits(machine) => Some(number.clone()),
            Number::Set(values) => Number::of(values.iter().map(|n| wrap(machine, *n)).collect()),
            Number::Range(..) | Number::Except(..) => Some(all),
        }
    }

    /// What an operator gives; `None` where nothing is known that can be written down.
    pub fn apply(op: BinaryOp, machine: Option<MachineInt>, a: &Number, b: &Number) -> Option<Number> {
        let all = match machine {
            Some(machine) => Some(Number::of_machine(machine)?),
            None => None,
        };
        if let (Some(one), Some(other)) = (a.few(), b.few()) {
            let pairs = one.iter().flat_map(|a| other.iter().map(|b| exact(op, machine, *a, *b)));
            if let Some(values) = pairs.collect::<Option<Vec<i128>>>() {
                let wrapped = values.into_iter().map(|n| machine.map_or(n, |machine| wrap(machine, n)));
                return Number::of(wrapped.collect());
            }
            return all;
        }
        match bounds(op, a, b) {
            Some((low, high)) => {
                let number = Number::range(low, high)?;
                match machine {
                    Some(machine) if !number.fits(machine) => all,
                    _ => Some(number),
                }
            }
            None => all,
        }
    }
}

/// The least and the greatest number of a type that is not too wide.
fn limits(machine: MachineInt) -> Option<(i128, i128)> {
    if machine.width > 64 {
        return None;
    }
    let full = 1i128 << machine.width;
    Some(if machine.signed { (-(full / 2), full / 2 - 1) } else { (0, full - 1) })
}

/// The number of a type of at most 64 bits that equals another modulo its size.
pub(super) fn wrap(machine: MachineInt, n: i128) -> i128 {
    let full = 1i128 << machine.width.min(64);
    let rest = n.rem_euclid(full);
    if machine.signed && rest >= full / 2 { rest - full } else { rest }
}

/// The exact result, before it wraps; `None` where it is not known here.
fn exact(op: BinaryOp, machine: Option<MachineInt>, a: i128, b: i128) -> Option<i128> {
    let width = i128::from(machine.map_or(0, |machine| machine.width));
    let result = match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::Div if b != 0 => a / b,
        BinaryOp::Rem if b != 0 => a % b,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl if (0..width.min(63)).contains(&b) => a.checked_mul(1 << b)?,
        BinaryOp::Shr if (0..width).contains(&b) => a >> b,
        _ => return None,
    };
    (result.abs() < LIMIT).then_some(result)
}

/// Bounds of the exact result, where they are simple.
fn bounds(op: BinaryOp, a: &Number, b: &Number) -> Option<(i128, i128)> {
    let corners = |f: fn(i128, i128) -> Option<i128>| {
        let all = [f(a.low(), b.low())?, f(a.low(), b.high())?, f(a.high(), b.low())?, f(a.high(), b.high())?];
        let bounds = (*all.iter().min()?, *all.iter().max()?);
        (bounds.0 > -LIMIT && bounds.1 < LIMIT).then_some(bounds)
    };
    match op {
        BinaryOp::Add => corners(i128::checked_add),
        BinaryOp::Sub => corners(i128::checked_sub),
        BinaryOp::Mul => corners(i128::checked_mul),
        BinaryOp::Div if b.low() > 0 => corners(i128::checked_div),
        BinaryOp::Rem if b.low() > 0 => {
            let most = b.high() - 1;
            Some((if a.low() < 0 { -most } else { 0 }, if a.high() > 0 { most } else { 0 }))
        }
        BinaryOp::BitAnd if b.low() >= 0 && a.low() >= 0 => Some((0, a.high().min(b.high()))),
        BinaryOp::BitAnd if b.low() >= 0 => Some((0, b.high())),
        BinaryOp::BitAnd if a.low() >= 0 => Some((0, a.high())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: std::ops::Range<i128> = -3..26;

    /// Sets, ranges, and ranges but for one.
    fn some() -> Vec<Number> {
        let ranges =
            [(-2, 9), (0, 12), (5, 20), (0, 24)].into_iter().filter_map(|(low, high)| Number::range(low, high));
        let ranges: Vec<Number> = ranges.collect();
        let without = ranges.iter().flat_map(|range| (-2..21).filter_map(|n| range.without(n)));
        let twice: Vec<Number> = without.flat_map(|range| [1, 6, 8].map(|n| range.without(n))).flatten().collect();
        ranges.into_iter().chain(twice).chain([Number::one(6), Number::Set(vec![-1, 0, 7])]).collect()
    }

    #[test]
    fn operations_are_of_sets() {
        let is_less = |a: &Number, b: &Number| ALL.clone().all(|n| !a.has(n) || b.has(n));
        for a in some() {
            for n in ALL {
                let Some(without) = a.without(n) else { continue };
                assert!(ALL.clone().all(|m| m == n || !a.has(m) || without.has(m)), "{a:?} without {n}");
            }
            for b in some() {
                assert!(!a.includes(&b) || is_less(&b, &a), "{a:?} includes {b:?}");
                let join = a.join(&b);
                assert!(is_less(&a, &join) && is_less(&b, &join) && join.includes(&a) && join.includes(&b));
                let meet = a.meet(&b);
                let is_in = |n: i128| meet.as_ref().is_some_and(|meet| meet.has(n));
                assert!(ALL.clone().all(|n| !(a.has(n) && b.has(n)) || is_in(n)), "{a:?} and {b:?}");
            }
        }
    }
}
