//! What the compiler provides.

use super::BinaryOp;

/// Something that the compiler provides. Arguments are lvalues where the list of a variadic function is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// Starts a list of variable arguments: the list.
    VaStart,
    /// Ends a list: the list.
    VaEnd,
    /// Copies a list: the target and the source.
    VaCopy,
    /// The end of the program is not reached here; when it is, anything happens.
    Unreachable,
    /// Ends the program.
    Trap,
    /// Room in the frame of the function: its size.
    Alloca,
    /// Reverses the bytes of an unsigned integer.
    ByteSwap,
    /// The number of the lowest set bit, of a value that is not zero.
    CountTrailingZeros,
    /// The number of zeros above the highest set bit, of a value that is not zero.
    CountLeadingZeros,
    /// One more than the number of the lowest set bit, or zero.
    FindFirstSet,
    /// The number of set bits.
    PopCount,
    /// Whether the number of set bits is odd.
    Parity,
    /// Whether a floating value is not a number.
    IsNan,
    /// Whether a floating value is infinite: 1, -1 for the negative one where `sign` is asked for, or 0.
    IsInf {
        /// Whether the result tells the sign.
        sign: bool,
    },
    /// Whether a floating value is neither infinite nor not a number.
    IsFinite,
    /// Whether a floating value is normal.
    IsNormal,
    /// Whether the sign bit of a floating value is set.
    SignBit,
    /// Positive infinity of the type.
    Infinity,
    /// A quiet not-a-number of the type.
    Nan,
    /// The magnitude of a floating value.
    FloatAbs,
    /// The magnitude of the first with the sign of the second.
    CopySign,
    /// Compares floating values without faulting.
    Compare(FloatComparison),
    /// The class of a floating value: what to give for NaN, infinite, normal, subnormal, zero, and the value.
    Classify,
    /// `a op b` stored through the third; whether it did not fit.
    Overflow(BinaryOp),
    /// Whether `a op b` does not fit the type of the third.
    OverflowTest(BinaryOp),
    /// Full memory barrier.
    Barrier,
    /// Atomically `*p op= v`: the value before.
    FetchAnd(BinaryOp),
    /// Atomically `*p op= v`: the value after.
    AndFetch(BinaryOp),
    /// Atomically stores the third into `*p` when it holds the second: whether it did.
    CompareAndSwapBool,
    /// Atomically stores the third into `*p` when it holds the second: what it held.
    CompareAndSwap,
    /// Atomically stores the third into `*p` when it holds what the second points to, and otherwise there what it held:
    /// whether it did.
    CompareExchange,
    /// Atomically reads `*p`.
    AtomicLoad,
    /// Atomically exchanges `*p` with the value: what it held.
    Exchange,
    /// Atomically stores zero.
    Release,
    /// The address of the frame or of the return address: unknown.
    FrameAddress,
}

/// A comparison of floating values that does not fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FloatComparison {
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    LessGreater,
    Unordered,
}
