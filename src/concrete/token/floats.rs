//! Sets of floating-point numbers, and what operators do with them. Rounding is monotone, so that the ends of operands of
//! one sign give the ends of results. Zero has no sign here: what depends on one can be either.

use crate::program::{BinaryOp, FloatKind};

/// Ranges of numbers, infinities included, and whether NaN is one of the values. Numbers of 32 bits are kept as 64.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FloatSet {
    /// Whether NaN is in it.
    pub nan: bool,
    /// Closed ranges; zero is +0.
    pub ranges: Vec<(f64, f64)>,
}

fn plain(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x }
}

/// The numbers next to one.
pub fn above(x: f64, kind: FloatKind) -> f64 {
    match kind {
        FloatKind::F32 => f64::from((x as f32).next_up()),
        FloatKind::F64 => x.next_up(),
    }
}

/// The number below one.
pub fn below(x: f64, kind: FloatKind) -> f64 {
    plain(-above(-x, kind))
}

impl FloatSet {
    /// All values.
    pub fn all() -> FloatSet {
        FloatSet { nan: true, ranges: vec![(f64::NEG_INFINITY, f64::INFINITY)] }
    }

    /// One value.
    pub fn single(x: f64) -> FloatSet {
        let mut set = FloatSet::default();
        set.add(x, x);
        set
    }

    /// Adds a range; where an end is NaN, it adds that.
    pub fn add(&mut self, low: f64, high: f64) {
        if low.is_nan() || high.is_nan() {
            self.nan = true;
        } else {
            self.ranges.push((plain(low), plain(high)));
        }
    }

    /// Whether a value is in it.
    pub fn contains(&self, x: f64) -> bool {
        if x.is_nan() { self.nan } else { self.ranges.iter().any(|(low, high)| *low <= x && x <= *high) }
    }

    /// What is in both.
    pub fn meet(&self, other: &FloatSet) -> FloatSet {
        let mut common = FloatSet { nan: self.nan && other.nan, ranges: Vec::new() };
        for (a, b) in &self.ranges {
            for (c, d) in &other.ranges {
                let (low, high) = (a.max(*c), b.min(*d));
                if low <= high {
                    common.ranges.push((low, high));
                }
            }
        }
        common
    }

    /// Whether there is no value in it.
    pub fn is_empty(&self) -> bool {
        !self.nan && self.ranges.is_empty()
    }

    /// What is in one of them.
    pub fn join(&self, other: &FloatSet) -> FloatSet {
        let ranges = self.ranges.iter().chain(&other.ranges).copied().collect();
        FloatSet { nan: self.nan || other.nan, ranges }
    }

    /// Cut at the infinities and zero.
    fn pieces(&self, kind: FloatKind) -> Vec<(f64, f64)> {
        let most = match kind {
            FloatKind::F32 => f64::from(f32::MAX),
            FloatKind::F64 => f64::MAX,
        };
        let least = above(0.0, kind);
        let cuts = [
            (f64::NEG_INFINITY, f64::NEG_INFINITY),
            (-most, -least),
            (0.0, 0.0),
            (least, most),
            (f64::INFINITY, f64::INFINITY),
        ];
        let cut = |(low, high): &(f64, f64)| cuts.map(|(a, b)| (low.max(a), high.min(b)));
        self.ranges.iter().flat_map(cut).filter(|(low, high)| low <= high).collect()
    }

    /// All results of arithmetic.
    pub fn arithmetic(&self, op: BinaryOp, kind: FloatKind, other: &FloatSet) -> FloatSet {
        let apply = |x: f64, y: f64| kind.to_f64(kind.arithmetic(op, kind.of_f64(x), kind.of_f64(y)));
        let mut result = FloatSet { nan: self.nan || other.nan, ranges: Vec::new() };
        for a in self.pieces(kind) {
            for b in other.pieces(kind) {
                if op == BinaryOp::Div && b == (0.0, 0.0) {
                    if a == (0.0, 0.0) {
                        result.nan = true;
                    } else {
                        result.add(f64::INFINITY, f64::INFINITY);
                        result.add(f64::NEG_INFINITY, f64::NEG_INFINITY);
                    }
                    continue;
                }
                let corners = [apply(a.0, b.0), apply(a.0, b.1), apply(a.1, b.0), apply(a.1, b.1)];
                result.nan |= corners.iter().any(|x| x.is_nan());
                let known = corners.iter().filter(|x| !x.is_nan());
                let (low, high) = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
                if low <= high {
                    result.add(low, high);
                }
            }
        }
        result
    }

    /// All results with the sign flipped.
    pub fn negated(&self) -> FloatSet {
        FloatSet { nan: self.nan, ranges: self.ranges.iter().map(|(a, b)| (plain(-b), plain(-a))).collect() }
    }

    /// All values rounded to a format.
    pub fn rounded(&self, kind: FloatKind) -> FloatSet {
        let round = |x: f64| plain(kind.to_f64(kind.of_f64(x)));
        FloatSet { nan: self.nan, ranges: self.ranges.iter().map(|(a, b)| (round(*a), round(*b))).collect() }
    }

    /// Whether a comparison can be true, and whether it can be false.
    pub fn compare(&self, op: BinaryOp, other: &FloatSet) -> (bool, bool) {
        let any = |test: &dyn Fn((f64, f64), (f64, f64)) -> bool| {
            self.ranges.iter().any(|a| other.ranges.iter().any(|b| test(*a, *b)))
        };
        let is_empty = |set: &FloatSet| set.ranges.is_empty() && !set.nan;
        let unordered = (self.nan && !is_empty(other)) || (other.nan && !is_empty(self));
        let (lt, le) = (any(&|a, b| a.0 < b.1), any(&|a, b| a.0 <= b.1));
        let (gt, ge) = (any(&|a, b| a.1 > b.0), any(&|a, b| a.1 >= b.0));
        let equal = any(&|a, b| a.0 <= b.1 && b.0 <= a.1);
        let differ = any(&|a, b| a.0 != a.1 || b.0 != b.1 || a.0 != b.0);
        match op {
            BinaryOp::Eq => (equal, differ || unordered),
            BinaryOp::Ne => (differ || unordered, equal),
            BinaryOp::Lt => (lt, ge || unordered),
            BinaryOp::Le => (le, gt || unordered),
            BinaryOp::Gt => (gt, le || unordered),
            _ => (ge, lt || unordered),
        }
    }
}
