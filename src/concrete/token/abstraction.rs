//! What an abstraction is, and several of them at once.
//!
//! To add one: implement [`Abstraction`] in a few lines, and name it in [`super::library::parse_part`]. The law test
//! (`laws.rs`) then holds it to its laws: its tokens are disjoint and have every value; every operator is sound and as
//! precise as its tokens allow.

use super::Meaning;
use super::floats::FloatSet;
use super::library::parse_part;
use super::progression::Progression;
use crate::program::Type;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A way to divide the values of types into tokens.
pub trait Abstraction: fmt::Debug + Send + Sync {
    /// How it is written, with its arguments: `interval(0,10)`.
    fn name(&self) -> String;

    /// Its tokens for a type, with what they mean; none where it does not fit the type. Law: every value of the type is
    /// in exactly one of them, and none is empty.
    fn tokens(&self, ty: Type) -> Option<Vec<Kind>>;
}

/// A token of an abstraction: its name and what it can mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Kind {
    /// As traces show it.
    pub name: String,
    /// What it can mean.
    pub meaning: Meaning,
}

/// One abstraction, or several at once, as the user wrote them: `interval(0,10)+evenness`.
#[derive(Debug)]
pub struct Spec {
    name: String,
    parts: Vec<Box<dyn Abstraction>>,
}

/// Abstractions together have at most so many tokens for a type; `range` alone has at most 4,098.
const MAX_TOKENS: usize = 1 << 16;

impl Spec {
    /// Reads one. Specs of the same parts are one.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence.
    pub fn parse(text: &str) -> Result<&'static Spec, String> {
        let mut parts = Vec::new();
        for part in split_parts(text) {
            parts.push(parse_part(part.trim())?);
        }
        Ok(Spec::of(parts))
    }

    /// The one with those parts.
    fn of(mut parts: Vec<Box<dyn Abstraction>>) -> &'static Spec {
        parts.sort_by_key(|part| part.name());
        parts.dedup_by_key(|part| part.name());
        let name = parts.iter().map(|part| part.name()).collect::<Vec<_>>().join("+");
        let mut all = specs().lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.iter().find(|known| known.name == name) {
            return known;
        }
        let made: &'static Spec = Box::leak(Box::new(Spec { name, parts }));
        all.push(made);
        made
    }

    /// Both at once: what results of values of two abstractions have.
    pub fn with(&'static self, other: &'static Spec) -> &'static Spec {
        if std::ptr::eq(self, other) {
            return self;
        }
        let both = format!("{}+{}", self.name, other.name);
        Spec::parse(&both).expect("both were read before")
    }

    /// How it is written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The parts that do not fit a type.
    pub fn unfit(&self, ty: Type) -> Vec<String> {
        self.parts.iter().filter(|part| part.tokens(ty).is_none()).map(|part| part.name()).collect()
    }

    /// The tokens for a type: the combinations of those of its parts that mean something.
    pub fn tokens(&self, ty: Type) -> Vec<Kind> {
        let mut all: Option<Vec<Kind>> = None;
        for tokens in self.parts.iter().filter_map(|part| part.tokens(ty)) {
            let combined = match &all {
                None => tokens,
                Some(before) => before.iter().flat_map(|a| tokens.iter().filter_map(|b| both(a, b))).collect(),
            };
            // With too many, the parts so far are a coarser partition, which is as sound.
            if combined.len() > MAX_TOKENS {
                break;
            }
            all = Some(combined);
        }
        all.unwrap_or_else(|| vec![Kind { name: "ANY".to_owned(), meaning: everything(ty) }])
    }
}

fn both(a: &Kind, b: &Kind) -> Option<Kind> {
    let meaning = a.meaning.meet(&b.meaning);
    (!meaning.is_empty()).then(|| Kind { name: format!("{},{}", a.name, b.name), meaning })
}

/// All values of a type.
pub fn everything(ty: Type) -> Meaning {
    match ty {
        Type::Float(_) => Meaning::Floats(FloatSet::all()),
        Type::Machine(machine) => Meaning::Integers(vec![Progression::all(Some(machine))]),
        _ => Meaning::Integers(vec![Progression::all(None)]),
    }
}

/// The text between the plus signs that are outside parentheses.
fn split_parts(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '+' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn specs() -> &'static Mutex<Vec<&'static Spec>> {
    static SPECS: OnceLock<Mutex<Vec<&'static Spec>>> = OnceLock::new();
    SPECS.get_or_init(Mutex::default)
}
