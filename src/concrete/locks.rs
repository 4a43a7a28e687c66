//! Which locks are held. They are few, so that they lie in a row, in order.

use super::Pointer;
use crate::program::ThreadId;

/// Who holds a lock, and how often.
pub(super) type Holder = (ThreadId, u32);

/// The locks that are held.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Locks(Vec<(Pointer, Holder)>);

impl Locks {
    /// None is held.
    pub(super) const NONE: Locks = Locks(Vec::new());

    #[inline]
    pub(super) fn get(&self, lock: &Pointer) -> Option<&Holder> {
        self.place(lock).ok().map(|place| &self.0[place].1)
    }

    #[inline]
    pub(super) fn contains_key(&self, lock: &Pointer) -> bool {
        self.place(lock).is_ok()
    }

    /// Tells who held it before.
    pub(super) fn insert(&mut self, lock: Pointer, holder: Holder) -> Option<Holder> {
        match self.place(&lock) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, holder)),
            Err(place) => {
                self.0.insert(place, (lock, holder));
                None
            }
        }
    }

    /// Tells who held it.
    pub(super) fn remove(&mut self, lock: &Pointer) -> Option<Holder> {
        self.place(lock).ok().map(|place| self.0.remove(place).1)
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The locks in order, with their holders.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Pointer, &Holder)> {
        self.0.iter().map(|(lock, holder)| (lock, holder))
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &Pointer> {
        self.0.iter().map(|(lock, _)| lock)
    }

    #[inline]
    fn place(&self, lock: &Pointer) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.cmp(lock))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Id;
    use crate::term::Random;
    use std::collections::BTreeMap;

    #[test]
    fn they_are_a_map() {
        let (mut locks, mut known, mut random) = (Locks::default(), BTreeMap::new(), Random::new(3));
        for _ in 0..2000 {
            let lock = Pointer { object: random.below(3) as u32, offset: random.below(3) as i64 };
            let holder = (ThreadId::new(random.below(4)), random.below(3) as u32);
            match random.percent(60) {
                true => assert_eq!(locks.insert(lock, holder), known.insert(lock, holder)),
                false => assert_eq!(locks.remove(&lock), known.remove(&lock)),
            }
            assert_eq!(locks.get(&lock), known.get(&lock));
            assert!(locks.iter().eq(known.iter()));
        }
    }
}
