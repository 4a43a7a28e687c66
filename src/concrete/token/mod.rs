//! Data abstraction: sets of values that stand for a value that is not kept (Abstract Pathfinder, Khyzha, Parízek,
//! Păsăreanu 2012).
//!
//! An [`Abstraction`] divides the values of a type into a few sets, its *tokens*: every value is in exactly one. A token
//! is a [`super::Value`]; operators work on what tokens mean, so that a new abstraction says what its tokens are and
//! nothing else.

pub mod abstraction;
mod auto;
pub mod bitwise;
pub(super) mod bytes;
pub mod eval;
mod execute;
pub mod floats;
pub mod integers;
pub mod library;
pub mod names;
pub mod progression;

#[cfg(test)]
mod laws;

use super::Value;
use crate::program::Type;
pub use abstraction::{Abstraction, Kind, Spec};
use floats::FloatSet;
use integers::IntegerSet;
pub use names::{Abstractions, BadName};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What a token can mean: a set of values of one type.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// Integers, mathematical or of a machine.
    Integers(IntegerSet),
    /// Floating-point numbers.
    Floats(FloatSet),
}

impl Meaning {
    /// Whether a value is one of them.
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Meaning::Integers(set), Value::Int(n)) => set.iter().any(|part| part.contains(n)),
            (Meaning::Floats(set), Value::Float(bits, kind)) => set.contains(kind.to_f64(*bits)),
            _ => false,
        }
    }

    /// What is in both.
    pub fn meet(&self, other: &Meaning) -> Meaning {
        match (self, other) {
            (Meaning::Floats(a), Meaning::Floats(b)) => Meaning::Floats(a.meet(b)),
            (Meaning::Integers(a), Meaning::Integers(b)) => {
                Meaning::Integers(a.iter().flat_map(|a| b.iter().filter_map(|b| a.meet(b))).collect())
            }
            (Meaning::Integers(_), _) => Meaning::Integers(Vec::new()),
            (Meaning::Floats(_), _) => Meaning::Floats(FloatSet::default()),
        }
    }

    /// Whether it is no value at all.
    pub fn is_empty(&self) -> bool {
        match self {
            Meaning::Integers(set) => set.is_empty(),
            Meaning::Floats(set) => set.is_empty(),
        }
    }
}

/// The tokens of an abstraction for one type. There is one for each abstraction and type in a process.
#[derive(Debug)]
pub struct Partition {
    /// Its number among all of them.
    pub number: u32,
    /// Of what abstraction.
    pub spec: &'static Spec,
    /// Of what type.
    pub ty: Type,
    /// The tokens.
    pub tokens: Vec<Kind>,
}

impl Partition {
    /// The partition of a type by an abstraction. Parts that do not fit the type say nothing of it.
    pub fn of(spec: &'static Spec, ty: Type) -> &'static Partition {
        let mut all = partitions().lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.iter().find(|known| known.ty == ty && std::ptr::eq(known.spec, spec)) {
            return known;
        }
        let number = u32::try_from(all.len()).expect("fewer than 2^32 partitions");
        let made: &'static Partition = Box::leak(Box::new(Partition { number, spec, ty, tokens: spec.tokens(ty) }));
        all.push(made);
        made
    }

    /// The one of that number.
    pub(super) fn numbered(number: u32) -> Option<&'static Partition> {
        partitions().lock().unwrap_or_else(PoisonError::into_inner).get(number as usize).copied()
    }

    /// The token of a value.
    pub fn token_of(&'static self, value: &Value) -> Option<Token> {
        let index = self.tokens.iter().position(|kind| kind.meaning.contains(value))?;
        Some(Token { of: self, index: index as u32 })
    }

    /// The tokens that can mean a value of a set.
    pub fn tokens_of(&'static self, meaning: &Meaning) -> impl Iterator<Item = Token> {
        let indices = 0..self.tokens.len();
        let meets = move |index: &usize| !self.tokens[*index].meaning.meet(meaning).is_empty();
        indices.filter(meets).map(|index| Token { of: self, index: index as u32 }).collect::<Vec<_>>().into_iter()
    }
}

fn partitions() -> &'static Mutex<Vec<&'static Partition>> {
    static PARTITIONS: OnceLock<Mutex<Vec<&'static Partition>>> = OnceLock::new();
    PARTITIONS.get_or_init(Mutex::default)
}

/// A token: one of the sets of a partition.
#[derive(Clone, Copy)]
pub struct Token {
    /// The partition.
    pub of: &'static Partition,
    /// Which of its sets.
    pub index: u32,
}

impl Token {
    /// What it can mean.
    pub fn meaning(self) -> &'static Meaning {
        &self.of.tokens[self.index as usize].meaning
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        &self.of.tokens[self.index as usize].name
    }
}

impl PartialEq for Token {
    fn eq(&self, other: &Token) -> bool {
        self.of.number == other.of.number && self.index == other.index
    }
}

impl Eq for Token {}

impl Hash for Token {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.of.number, self.index).hash(hasher);
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name(), self.of.ty)
    }
}
