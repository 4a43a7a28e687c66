//! What can go wrong, and which of it counts.

use std::fmt;
use std::str::FromStr;

/// What an error location, or the search itself, stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorKind {
    /// An assertion that is false.
    Assertion,
    /// A call of the named function, which must not be called.
    Call(String),
    /// A signed integer operation whose result does not fit.
    Overflow,
    /// Division or remainder by zero.
    DivisionByZero,
    /// A shift by a negative number, or by the width or more; one of a negative number to the left.
    ShiftOutOfRange,
    /// A null pointer or reference used.
    NullDereference,
    /// An access outside its object.
    OutOfBounds,
    /// An index that is none of the array, whether or not the access lies inside the object that the array is part of.
    IndexOutOfRange,
    /// An access to an object after its end.
    UseAfterFree,
    /// A free of what is not the start of a live heap object.
    InvalidFree,
    /// A read of a variable that nothing was assigned to.
    UninitialisedRead,
    /// An expression that the language leaves undefined in another way.
    UndefinedExpression,
    /// A heap object that is lost, or still there at the end.
    Leak,
    /// An exception of the named class that nothing catches.
    UncaughtException(String),
    /// Threads that all wait.
    Deadlock,
    /// Two threads at one place in memory at once, one of them writing.
    DataRace,
    /// Something that the front end has no model of, which is named: whether anything goes wrong from here on is not
    /// known. Every property counts it, so that engines look for it, but no verdict follows from it.
    Unmodelled(String),
    /// Something that the program's language leaves undefined, which is named, and which the property does not ask
    /// for. It counts as what is not modelled does.
    Undefined(String),
    /// Something that the user assumes, and that does not hold here; it is named. It counts as what is not modelled does.
    Assumption(String),
}

impl ErrorKind {
    /// Whether nothing is known of what follows: every property counts it, and no verdict follows from it.
    pub fn is_open(&self) -> bool {
        matches!(self, ErrorKind::Unmodelled(_) | ErrorKind::Undefined(_) | ErrorKind::Assumption(_))
    }

    const PLAIN: [(ErrorKind, &'static str); 14] = [
        (ErrorKind::Assertion, "assertion"),
        (ErrorKind::Overflow, "overflow"),
        (ErrorKind::DivisionByZero, "division-by-zero"),
        (ErrorKind::ShiftOutOfRange, "shift-out-of-range"),
        (ErrorKind::NullDereference, "null-dereference"),
        (ErrorKind::OutOfBounds, "out-of-bounds"),
        (ErrorKind::IndexOutOfRange, "index-out-of-range"),
        (ErrorKind::UseAfterFree, "use-after-free"),
        (ErrorKind::InvalidFree, "invalid-free"),
        (ErrorKind::UninitialisedRead, "uninitialised-read"),
        (ErrorKind::UndefinedExpression, "undefined-expression"),
        (ErrorKind::Leak, "leak"),
        (ErrorKind::Deadlock, "deadlock"),
        (ErrorKind::DataRace, "data-race"),
    ];
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Call(name) => write!(f, "call:{name}"),
            ErrorKind::UncaughtException(name) => write!(f, "exception:{name}"),
            ErrorKind::Unmodelled(what) => write!(f, "unmodelled:{what}"),
            ErrorKind::Undefined(what) => write!(f, "undefined:{what}"),
            ErrorKind::Assumption(what) => write!(f, "assumption:{what}"),
            plain => {
                let name = ErrorKind::PLAIN.iter().find(|(kind, _)| kind == plain).map(|(_, name)| *name);
                f.write_str(name.expect("every kind without a name of its own is in the table"))
            }
        }
    }
}

/// The text names no error kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no error kind is called {0:?}")]
pub struct UnknownErrorKind(String);

impl FromStr for ErrorKind {
    type Err = UnknownErrorKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(name) = text.strip_prefix("call:") {
            return Ok(ErrorKind::Call(name.to_owned()));
        }
        if let Some(name) = text.strip_prefix("exception:") {
            return Ok(ErrorKind::UncaughtException(name.to_owned()));
        }
        if let Some(what) = text.strip_prefix("unmodelled:") {
            return Ok(ErrorKind::Unmodelled(what.to_owned()));
        }
        if let Some(what) = text.strip_prefix("undefined:") {
            return Ok(ErrorKind::Undefined(what.to_owned()));
        }
        if let Some(what) = text.strip_prefix("assumption:") {
            return Ok(ErrorKind::Assumption(what.to_owned()));
        }
        let found = ErrorKind::PLAIN.iter().find(|(_, name)| *name == text);
        found.map(|(kind, _)| kind.clone()).ok_or_else(|| UnknownErrorKind(text.to_owned()))
    }
}

/// Which errors count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Property {
    /// No assertion is false.
    Assert,
    /// The named function is never called.
    UnreachCall(String),
    /// No signed operation overflows.
    NoOverflow,
    /// Every access, and every free, is valid, and no heap object is lost.
    ValidMemsafety,
    /// Every access to memory is valid.
    ValidDeref,
    /// Every free is valid.
    ValidFree,
    /// No heap object is lost.
    ValidMemtrack,
    /// No heap object is lost while the program runs; what it holds at its end is not lost.
    NoLeak,
    /// At the end every heap object is freed.
    ValidMemcleanup,
    /// No two threads are at one place in memory at once with one of them writing.
    NoDataRace,
    /// The threads never all wait.
    NoDeadlock,
    /// No exception is uncaught.
    NoException,
    /// No signed operation overflows, nothing is divided by zero, no shift is out of range or of a negative number to the
    /// left, and floating-point numbers that become integers fit.
    NoUndefinedArithmetic,
    /// No index leaves an array that is part of an object.
    ArrayBounds,
    /// No local object whose address is never taken is read before it has a value.
    NoUninitialisedRead,
    /// No expression is undefined in another way: by side effects that nothing orders, by a pointer that is moved outside
    /// its object, compared or subtracted across objects, or misaligned, by a copy to where it is from, by a call as
    /// another type, or by the use of a result that is missing.
    NoUndefinedExpression,
    /// All of these, none of them of states.
    Several(Vec<Property>),
}

impl Property {
    /// The short names, with what they mean.
    pub const NAMES: [(&'static str, &'static str); 16] = [
        ("assert", "no assertion is false (for guarded commands: every `safe` line holds in every state)"),
        ("unreach-call", "the error function is never called"),
        ("no-overflow", "no signed integer operation overflows"),
        ("valid-memsafety", "every memory access and free is valid, and no heap object is lost"),
        ("valid-deref", "every memory access is valid"),
        ("valid-free", "every free is valid"),
        ("valid-memtrack", "no heap object is lost: something points to it until it is freed"),
        ("valid-memcleanup", "every heap object is freed at the end"),
        ("no-data-race", "no two threads touch one place at once with one of them writing"),
        ("no-deadlock", "the threads never all wait for each other"),
        ("no-exception", "no exception is uncaught"),
        ("no-undefined-arithmetic", "no overflow, division by zero, bad shift or conversion that does not fit"),
        ("no-leak", "no heap object is lost while the program runs"),
        ("array-bounds", "no index leaves a row of an array, or an array in the middle of a structure"),
        ("no-uninitialised-read", "no local whose address is never taken is read before it has a value"),
        ("no-undefined-expression", "no unordered side effects, stray pointer, overlapping copy or missing result"),
    ];

    /// The short name.
    pub fn name(&self) -> &'static str {
        let index = match self {
            Property::Assert => 0,
            Property::UnreachCall(_) => 1,
            Property::NoOverflow => 2,
            Property::ValidMemsafety => 3,
            Property::ValidDeref => 4,
            Property::ValidFree => 5,
            Property::ValidMemtrack => 6,
            Property::ValidMemcleanup => 7,
            Property::NoDataRace => 8,
            Property::NoDeadlock => 9,
            Property::NoException => 10,
            Property::NoUndefinedArithmetic => 11,
            Property::NoLeak => 12,
            Property::ArrayBounds => 13,
            Property::NoUninitialisedRead => 14,
            Property::NoUndefinedExpression => 15,
            Property::Several(_) => return "several",
        };
        Property::NAMES[index].0
    }

    /// The properties that it is made of: itself, unless it is several.
    pub fn parts(&self) -> &[Property] {
        match self {
            Property::Several(parts) => parts,
            one => std::slice::from_ref(one),
        }
    }

    /// The short names of its parts, joined.
    pub fn names(&self) -> String {
        self.parts().iter().map(Property::name).collect::<Vec<_>>().join(",")
    }

    /// Whether states can violate the property wherever their threads are, and not only error locations.
    pub fn is_of_states(&self) -> bool {
        matches!(self, Property::NoDeadlock | Property::NoDataRace)
    }

    /// Whether reaching this error violates the property.
    pub fn counts(&self, kind: &ErrorKind) -> bool {
        use ErrorKind as K;
        if kind.is_open() {
            return true;
        }
        match self {
            Property::Assert => matches!(kind, K::Assertion),
            Property::UnreachCall(function) => matches!(kind, K::Call(name) if name == function),
            Property::NoOverflow => matches!(kind, K::Overflow),
            Property::ValidMemsafety => {
                matches!(kind, K::NullDereference | K::OutOfBounds | K::UseAfterFree | K::InvalidFree | K::Leak)
            }
            Property::ValidDeref => matches!(kind, K::NullDereference | K::OutOfBounds | K::UseAfterFree),
            Property::ValidFree => matches!(kind, K::InvalidFree),
            Property::ValidMemtrack | Property::NoLeak | Property::ValidMemcleanup => matches!(kind, K::Leak),
            Property::ArrayBounds => matches!(kind, K::IndexOutOfRange),
            Property::NoUninitialisedRead => matches!(kind, K::UninitialisedRead),
            Property::NoUndefinedExpression => matches!(kind, K::UndefinedExpression),
            Property::NoDataRace => matches!(kind, K::DataRace),
            Property::NoDeadlock => matches!(kind, K::Deadlock),
            Property::NoException => matches!(kind, K::UncaughtException(_)),
            Property::Several(parts) => parts.iter().any(|part| part.counts(kind)),
            Property::NoUndefinedArithmetic => matches!(kind, K::Overflow | K::DivisionByZero | K::ShiftOutOfRange),
        }
    }
}
