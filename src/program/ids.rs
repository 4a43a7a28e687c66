//! Typed ids, and vectors indexed by them.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An index that cannot be mistaken for another kind of index.
pub trait Id: Copy {
    /// The id with that number.
    fn new(index: usize) -> Self;
    /// The number.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $letter:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl Id for $name {
            fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 of a kind"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// A variable of a program, global or local.
    VarId, "v";
    /// A procedure of a program.
    ProcId, "P";
    /// A location of a procedure.
    LocId, "L";
    /// An edge of a procedure.
    EdgeId, "e";
    /// A thread of an execution, numbered in the order of their creation; the main one is the first.
    ThreadId, "T";
    /// A source file.
    FileId, "f";
}

/// A vector indexed by one kind of id.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty vector.
    pub fn new() -> Self {
        IdVec { items: Vec::new(), ids: PhantomData }
    }

    /// Adds an item and tells its id.
    pub fn push(&mut self, item: T) -> I {
        let id = self.next_id();
        self.items.push(item);
        id
    }

    /// The id that the next item gets.
    pub fn next_id(&self) -> I {
        I::new(self.items.len())
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item, where the id is one of this vector's.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// The items themselves, in order.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }

    /// The ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// The items, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The items, in order, to change.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// Ids with their items, in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, item)| (I::new(i), item))
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> Self {
        IdVec::new()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<C: IntoIterator<Item = T>>(items: C) -> Self {
        IdVec { items: items.into_iter().collect(), ids: PhantomData }
    }
}

impl<'a, I: Id, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}
