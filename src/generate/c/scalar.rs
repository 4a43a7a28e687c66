//! The integer types of C, what they hold, and how operators convert them, in both data models.

use std::ops::Index;

/// A data model: how wide `long` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Model {
    /// 64-bit `long`.
    Lp64,
    /// 32-bit `long`.
    Ilp32,
}

impl Model {
    /// Both models, in the order of [`PerModel`].
    pub(super) const ALL: [Model; 2] = [Model::Lp64, Model::Ilp32];
}

/// One thing for each data model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PerModel<T>([T; 2]);

impl<T> PerModel<T> {
    /// What the function gives for each model.
    pub(super) fn of(function: impl FnMut(Model) -> T) -> PerModel<T> {
        PerModel(Model::ALL.map(function))
    }

    /// What the function gives for each model, if it gives something for both.
    pub(super) fn both(mut function: impl FnMut(Model) -> Option<T>) -> Option<PerModel<T>> {
        Some(PerModel([function(Model::Lp64)?, function(Model::Ilp32)?]))
    }

    /// Whether it holds in both models.
    pub(super) fn all(&self, holds: impl FnMut(&T) -> bool) -> bool {
        self.0.iter().all(holds)
    }
}

impl<T> Index<Model> for PerModel<T> {
    type Output = T;

    fn index(&self, model: Model) -> &T {
        &self.0[model as usize]
    }
}

/// The integers from `least` to `most`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    /// The least of them.
    pub(super) least: i128,
    /// The greatest of them.
    pub(super) most: i128,
}

impl Range {
    /// The range with these ends.
    pub(super) fn new(least: i128, most: i128) -> Range {
        Range { least, most }
    }

    /// One number.
    pub(super) fn only(value: i128) -> Range {
        Range::new(value, value)
    }

    /// Whether the number is one of them.
    pub(super) fn contains(self, value: i128) -> bool {
        self.least <= value && value <= self.most
    }

    /// Whether every number of this range is one of the other.
    pub(super) fn within(self, other: Range) -> bool {
        other.contains(self.least) && other.contains(self.most)
    }

    /// The least range that holds both.
    pub(super) fn join(self, other: Range) -> Range {
        Range::new(self.least.min(other.least), self.most.max(other.most))
    }

    /// The least range that holds these.
    pub(super) fn hull(values: [i128; 4]) -> Range {
        values.into_iter().map(Range::only).reduce(Range::join).expect("there are four values")
    }
}

/// An integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    /// `_Bool`
    Bool,
    /// `char`, which is signed.
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned int`
    Unsigned,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
}

impl Scalar {
    /// Every integer type.
    pub(super) const ALL: [Scalar; 12] = [
        Scalar::Bool,
        Scalar::Char,
        Scalar::SignedChar,
        Scalar::UnsignedChar,
        Scalar::Short,
        Scalar::UnsignedShort,
        Scalar::Int,
        Scalar::Unsigned,
        Scalar::Long,
        Scalar::UnsignedLong,
        Scalar::LongLong,
        Scalar::UnsignedLongLong,
    ];

    /// The ways to write it; the first is the usual one.
    pub(super) fn spellings(self) -> &'static [&'static str] {
        match self {
            Scalar::Bool => &["_Bool"],
            Scalar::Char => &["char"],
            Scalar::SignedChar => &["signed char", "char signed"],
            Scalar::UnsignedChar => &["unsigned char"],
            Scalar::Short => &["short", "short int", "signed short", "int short"],
            Scalar::UnsignedShort => &["unsigned short", "short unsigned int"],
            Scalar::Int => &["int", "signed", "signed int"],
            Scalar::Unsigned => &["unsigned int", "unsigned"],
            Scalar::Long => &["long", "long int", "signed long"],
            Scalar::UnsignedLong => &["unsigned long", "long unsigned int"],
            Scalar::LongLong => &["long long", "long long int", "long signed long"],
            Scalar::UnsignedLongLong => &["unsigned long long", "long long unsigned int"],
        }
    }

    /// The usual way to write it.
    pub(super) fn name(self) -> &'static str {
        self.spellings()[0]
    }

    /// How many bits it has; one for `_Bool`.
    pub(super) fn bits(self, model: Model) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Char | Scalar::SignedChar | Scalar::UnsignedChar => 8,
            Scalar::Short | Scalar::UnsignedShort => 16,
            Scalar::Int | Scalar::Unsigned => 32,
            Scalar::Long | Scalar::UnsignedLong if model == Model::Ilp32 => 32,
            Scalar::Long | Scalar::UnsignedLong | Scalar::LongLong | Scalar::UnsignedLongLong => 64,
        }
    }

    /// Whether it has negative values.
    pub(super) fn is_signed(self) -> bool {
        !matches!(self, Scalar::Bool | Scalar::UnsignedChar | Scalar::UnsignedShort) && self != self.unsigned()
    }

    /// The unsigned type of its rank.
    pub(super) fn unsigned(self) -> Scalar {
        match self {
            Scalar::Bool => Scalar::Bool,
            Scalar::Char | Scalar::SignedChar | Scalar::UnsignedChar => Scalar::UnsignedChar,
            Scalar::Short | Scalar::UnsignedShort => Scalar::UnsignedShort,
            Scalar::Int | Scalar::Unsigned => Scalar::Unsigned,
            Scalar::Long | Scalar::UnsignedLong => Scalar::UnsignedLong,
            Scalar::LongLong | Scalar::UnsignedLongLong => Scalar::UnsignedLongLong,
        }
    }

    /// The values it holds.
    pub(super) fn range(self, model: Model) -> Range {
        width_range(self.is_signed(), self.bits(model))
    }

    /// The type after the integer promotions.
    pub(super) fn promoted(self) -> Scalar {
        if self.rank() < Scalar::Int.rank() { Scalar::Int } else { self }
    }

    /// What `printf` calls it once promoted.
    pub(super) fn format(self) -> &'static str {
        match self.promoted() {
            Scalar::Unsigned => "%u",
            Scalar::Long => "%ld",
            Scalar::UnsignedLong => "%lu",
            Scalar::LongLong => "%lld",
            Scalar::UnsignedLongLong => "%llu",
            _ => "%d",
        }
    }

    fn rank(self) -> u32 {
        match self.unsigned() {
            Scalar::Bool => 0,
            Scalar::UnsignedChar => 1,
            Scalar::UnsignedShort => 2,
            Scalar::Unsigned => 3,
            Scalar::UnsignedLong => 4,
            _ => 5,
        }
    }
}

/// The values of an integer of that many bits.
pub(super) fn width_range(signed: bool, bits: u32) -> Range {
    if signed { Range::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { Range::new(0, (1 << bits) - 1) }
}

/// The type in which an operator computes: the usual arithmetic conversions.
pub(super) fn common(left: Scalar, right: Scalar, model: Model) -> Scalar {
    let (left, right) = (left.promoted(), right.promoted());
    if left.is_signed() == right.is_signed() {
        return if left.rank() >= right.rank() { left } else { right };
    }
    let (signed, unsigned) = if left.is_signed() { (left, right) } else { (right, left) };
    if unsigned.rank() >= signed.rank() {
        unsigned
    } else if signed.bits(model) > unsigned.bits(model) {
        signed
    } else {
        signed.unsigned()
    }
}
