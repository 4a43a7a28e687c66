//! The sorts of terms.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The sort of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Bit-vectors of a width of at least one.
    BitVec(u32),
    /// Total maps from one sort to another.
    Array(ArraySort),
}

/// The index and element sort of an array sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArraySort(&'static (Sort, Sort));

impl ArraySort {
    /// What the array is indexed by.
    pub fn index(self) -> Sort {
        self.0.0
    }

    /// What the array holds.
    pub fn element(self) -> Sort {
        self.0.1
    }
}

/// Every array sort ever made. A program has a handful, so they live as long as the process; that keeps
/// `Sort` a plain `Copy` value.
static ARRAY_SORTS: Mutex<Vec<&'static (Sort, Sort)>> = Mutex::new(Vec::new());

impl Sort {
    /// The sort of arrays from `index` to `element`.
    pub fn array(index: Sort, element: Sort) -> Sort {
        let mut known = ARRAY_SORTS.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = (index, element);
        if let Some(found) = known.iter().find(|pair| ***pair == wanted) {
            return Sort::Array(ArraySort(found));
        }
        let made: &'static (Sort, Sort) = Box::leak(Box::new(wanted));
        known.push(made);
        Sort::Array(ArraySort(made))
    }

    /// The width of a bit-vector sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }
}

impl fmt::Display for Sort {
    /// As SMT-LIB writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::Int => write!(f, "Int"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array(array) => write!(f, "(Array {} {})", array.index(), array.element()),
        }
    }
}
