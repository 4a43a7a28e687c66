//! Interned names and the typed ids of this front end.

use crate::program::{Id, IdVec};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $letter:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $crate::program::Id for $name {
            fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 of a kind, as a file has fewer bytes"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    )*};
}
pub(super) use ids;

ids! {
    /// An interned piece of text: a name, or the spelling of a constant.
    Symbol, "s";
}

/// The texts behind symbols.
#[derive(Clone, Default)]
pub struct Names {
    texts: IdVec<Symbol, Arc<str>>,
    symbols: FxHashMap<Arc<str>, Symbol>,
}

impl Names {
    /// The symbol of a text.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.symbols.get(text) {
            return *symbol;
        }
        let shared: Arc<str> = text.into();
        let symbol = self.texts.push(shared.clone());
        self.symbols.insert(shared, symbol);
        symbol
    }

    /// The symbol of a text that was interned before.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol]
    }

    /// The text of a symbol, shared.
    pub fn shared(&self, symbol: Symbol) -> Arc<str> {
        self.texts[symbol].clone()
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Names({})", self.len())
    }
}

/// What each name means at the moment, with what it meant outside the open scopes kept to come back to.
#[derive(Debug)]
pub struct ScopedMap<T> {
    /// The meaning of each name and the depth of the scope that gave it.
    now: Vec<Option<(u32, T)>>,
    /// What a name meant before, for each name that an open scope gave a meaning.
    before: Vec<(Symbol, Option<(u32, T)>)>,
    /// How long `before` was when each open scope was opened.
    open: Vec<usize>,
}

impl<T: Clone> ScopedMap<T> {
    /// No name means anything, and only the outermost scope is open.
    pub fn new() -> Self {
        ScopedMap { now: Vec::new(), before: Vec::new(), open: Vec::new() }
    }

    /// What the name means.
    #[inline]
    pub fn get(&self, name: Symbol) -> Option<&T> {
        self.now.get(name.index())?.as_ref().map(|(_, meaning)| meaning)
    }

    /// What the name means by a declaration in the innermost open scope.
    pub fn get_here(&self, name: Symbol) -> Option<&T> {
        let (depth, meaning) = self.now.get(name.index())?.as_ref()?;
        (*depth as usize == self.open.len()).then_some(meaning)
    }

    /// What the name means in the outermost scope, whatever hides it.
    pub fn get_outermost(&self, name: Symbol) -> Option<&T> {
        let (depth, meaning) = self.now.get(name.index())?.as_ref()?;
        if *depth == 0 {
            return Some(meaning);
        }
        let first = self.before.iter().find(|(hidden, _)| *hidden == name)?;
        first.1.as_ref().filter(|(depth, _)| *depth == 0).map(|(_, meaning)| meaning)
    }

    /// Gives the name a meaning in the innermost open scope.
    pub fn set(&mut self, name: Symbol, meaning: T) {
        if self.now.len() <= name.index() {
            self.now.resize(name.index() + 1, None);
        }
        let depth = self.open.len();
        let old = self.now[name.index()].replace((depth as u32, meaning));
        if depth > 0 && old.as_ref().is_none_or(|(old_depth, _)| (*old_depth as usize) < depth) {
            self.before.push((name, old));
        }
    }

    /// Gives the name a meaning in the outermost scope; what hides it there still does.
    pub fn set_outermost(&mut self, name: Symbol, meaning: T) {
        match self.before.iter_mut().find(|(hidden, _)| *hidden == name) {
            Some((_, outer)) => *outer = Some((0, meaning)),
            None => {
                if self.now.len() <= name.index() {
                    self.now.resize(name.index() + 1, None);
                }
                self.now[name.index()] = Some((0, meaning));
            }
        }
    }

    /// Opens a scope.
    pub fn open(&mut self) {
        self.open.push(self.before.len());
    }

    /// Closes the innermost open scope.
    pub fn close(&mut self) {
        let length = self.open.pop().expect("every close has its open");
        for (name, old) in self.before.drain(length..).rev() {
            self.now[name.index()] = old;
        }
    }

    /// How many scopes are open besides the outermost.
    pub fn depth(&self) -> usize {
        self.open.len()
    }
}

impl<T: Clone> Default for ScopedMap<T> {
    fn default() -> Self {
        ScopedMap::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_scope_gives_the_old_meanings_back() {
        let mut names = Names::default();
        let (a, b) = (names.intern("a"), names.intern("b"));
        assert_eq!(names.intern("a"), a);
        let mut map = ScopedMap::new();
        map.set(a, 1);
        map.open();
        assert_eq!((map.get(a), map.get_here(a)), (Some(&1), None));
        map.set(a, 2);
        map.set(a, 3);
        map.set(b, 4);
        map.open();
        map.set(a, 5);
        assert_eq!((map.get(a), map.get_outermost(a), map.get_outermost(b)), (Some(&5), Some(&1), None));
        map.set_outermost(b, 7);
        map.close();
        assert_eq!((map.get(a), map.get(b)), (Some(&3), Some(&4)));
        map.close();
        assert_eq!((map.get(a), map.get(b)), (Some(&1), Some(&7)));
    }
}
