//! The basic types and their sizes.

/// The sizes of the basic types, as gcc on x86 has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    #[default]
    Ilp32,
    /// `long` and pointers have 64 bits.
    Lp64,
}

impl DataModel {
    /// How many bytes a pointer takes.
    pub fn pointer_bytes(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }
}

/// An integer type other than `_Bool` and enumerations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    /// Every kind, in the order of the types that [`Types`] starts with.
    pub const ALL: [IntKind; 13] = [
        IntKind::Char,
        IntKind::SChar,
        IntKind::UChar,
        IntKind::Short,
        IntKind::UShort,
        IntKind::Int,
        IntKind::UInt,
        IntKind::Long,
        IntKind::ULong,
        IntKind::LongLong,
        IntKind::ULongLong,
        IntKind::Int128,
        IntKind::UInt128,
    ];

    /// How many bytes it takes.
    pub fn bytes(self, model: DataModel) -> u64 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 4,
            IntKind::Long | IntKind::ULong => model.pointer_bytes(),
            IntKind::LongLong | IntKind::ULongLong => 8,
            IntKind::Int128 | IntKind::UInt128 => 16,
        }
    }

    /// Whether it has negative values; plain `char` does.
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }

    /// The unsigned type of the same size.
    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => IntKind::UChar,
            IntKind::Short | IntKind::UShort => IntKind::UShort,
            IntKind::Int | IntKind::UInt => IntKind::UInt,
            IntKind::Long | IntKind::ULong => IntKind::ULong,
            IntKind::LongLong | IntKind::ULongLong => IntKind::ULongLong,
            IntKind::Int128 | IntKind::UInt128 => IntKind::UInt128,
        }
    }

    /// The conversion rank: a type of a higher rank holds more, or is preferred at the same size.
    pub fn rank(self) -> u8 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
            IntKind::Int128 | IntKind::UInt128 => 6,
        }
    }

    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}

/// A floating type, from the narrowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// IEEE binary32.
    Float,
    /// IEEE binary64.
    Double,
    /// The x87 format with 64 bits of precision.
    LongDouble,
    /// IEEE binary128.
    Float128,
}

impl FloatKind {
    /// How many bytes it takes.
    pub fn bytes(self, model: DataModel) -> u64 {
        match (self, model) {
            (FloatKind::Float, _) => 4,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
            (FloatKind::LongDouble | FloatKind::Float128, _) => 16,
        }
    }

    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float128 => "__float128",
        }
    }
}
