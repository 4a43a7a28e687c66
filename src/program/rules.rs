//! Whose rules hold where a language leaves something open.

/// The rules that a program is looked at by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rules {
    /// The language's own: nothing that it leaves undefined or open is decided in silence.
    #[default]
    Language,
    /// Those of SV-COMP, which a property file of it asks for.
    Competition,
}

impl Rules {
    /// Whether what is undefined ends an execution where the property does not ask for it.
    pub fn undefined_ends(self) -> bool {
        self == Rules::Competition
    }

    /// Whether a function without a body may write what it can reach, and a pointer from outside may be to any object
    /// that is visible there.
    pub fn outside_is_open(self) -> bool {
        self == Rules::Language
    }

    /// Whether an access to an object about which nothing is known is taken to be valid, and a write to a constant to be
    /// none, where the property does not ask.
    pub fn trusts_accesses(self) -> bool {
        self == Rules::Competition
    }
}
