//! The tree of a state's objects, kept from one state to the next.

use crate::concrete::store::{Part, Store};

/// The parts of the objects that were packed or loaded last, and the complete trees over them: what has not changed is not
/// looked up again.
#[derive(Default)]
pub(in crate::concrete) struct ObjectTree {
    /// By level, the parts first; of each level those that are known.
    levels: Vec<Vec<Part>>,
    /// How many parts there are to be.
    count: usize,
    /// The positions that have changed.
    changed: Vec<usize>,
}

impl ObjectTree {
    pub(super) fn parts(&self) -> &[Part] {
        self.levels.first().map(Vec::as_slice).unwrap_or_default()
    }

    /// From here on there are so many parts.
    pub(super) fn start(&mut self, count: usize) {
        self.count = count;
        self.changed.clear();
        if self.levels.is_empty() {
            self.levels.push(Vec::new());
        }
        for (level, parts) in self.levels.iter_mut().enumerate() {
            parts.truncate(count >> level);
        }
    }

    /// Sets a part; the first that is new comes first.
    pub(super) fn set(&mut self, position: usize, part: Part) {
        let parts = &mut self.levels[0];
        match parts.get_mut(position) {
            Some(known) if *known == part => {}
            Some(known) => {
                *known = part;
                self.changed.push(position);
            }
            None => {
                parts.push(part);
                self.changed.push(position);
            }
        }
    }

    /// The tree of all parts.
    pub(super) fn root(&mut self, store: &mut Store) -> Part {
        if self.count == 0 {
            return Part::EMPTY;
        }
        let mut level = 0;
        while self.count >> (level + 1) > 0 {
            if self.levels.len() == level + 1 {
                self.levels.push(Vec::new());
            }
            self.raise(level, store);
            level += 1;
        }
        self.changed.clear();
        self.join(store)
    }

    /// Computes the pairs above what has changed in a level.
    fn raise(&mut self, level: usize, store: &mut Store) {
        let mut above = Vec::new();
        let (below, over) = self.levels.split_at_mut(level + 1);
        let (below, over) = (&below[level], &mut over[0]);
        for position in self.changed.iter().map(|position| position / 2) {
            if above.last() == Some(&position) || 2 * position + 1 >= below.len() {
                continue;
            }
            let part = store.pair(below[2 * position], below[2 * position + 1]);
            match over.get_mut(position) {
                Some(known) => *known = part,
                None => over.push(part),
            }
            above.push(position);
        }
        self.changed = above;
    }

    /// The tree of the complete trees that the parts make: the largest first.
    fn join(&self, store: &mut Store) -> Part {
        let mut root = None;
        for level in (0..self.levels.len()).filter(|level| self.count >> level & 1 != 0) {
            let tree = self.levels[level][(self.count >> level) - 1];
            root = Some(root.map_or(tree, |rest| store.pair(tree, rest)));
        }
        root.expect("there is at least one part")
    }

    /// Takes a tree of so many parts apart; what is as it was is not looked up.
    pub(super) fn load(&mut self, root: Part, count: usize, store: &Store) {
        self.start(count);
        while count >> self.levels.len() > 0 {
            self.levels.push(Vec::new());
        }
        let mut rest = root;
        let mut start = 0;
        for level in (0..self.levels.len()).rev().filter(|level| count >> level & 1 != 0) {
            let tree = match count - start == 1 << level {
                true => rest,
                false => {
                    let (tree, after) = store.halves(rest);
                    rest = after;
                    tree
                }
            };
            self.descend(level, start >> level, tree, store);
            start += 1 << level;
        }
    }

    fn descend(&mut self, level: usize, position: usize, tree: Part, store: &Store) {
        let parts = &mut self.levels[level];
        match parts.get_mut(position) {
            Some(known) if *known == tree => return,
            Some(known) => *known = tree,
            None => parts.push(tree),
        }
        if level > 0 {
            let (left, right) = store.halves(tree);
            self.descend(level - 1, 2 * position, left, store);
            self.descend(level - 1, 2 * position + 1, right, store);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concrete::store::Shape;
    use crate::term::Random;

    #[test]
    fn what_is_kept_of_a_tree_makes_no_difference() {
        let (mut store, mut random) = (Store::default(), Random::new(19));
        let (mut tree, mut parts) = (ObjectTree::default(), Vec::new());
        for round in 0..3000 {
            match random.below(4) {
                0 => parts.truncate(random.below(parts.len() + 1)),
                1 => parts.extend((0..random.below(9)).map(|n| store.string(&[n as u8 + 1]))),
                _ if parts.is_empty() => {}
                _ => {
                    let index = random.below(parts.len());
                    parts[index] = store.string(&[random.below(5) as u8 + 1]);
                }
            }
            parts.truncate(40);
            let root = if parts.is_empty() { Part::EMPTY } else { store.tree(&parts, Shape::Growing) };
            if random.percent(50) {
                tree.load(root, parts.len(), &store);
            } else {
                tree.start(parts.len());
                parts.iter().enumerate().for_each(|(position, part)| tree.set(position, *part));
                assert_eq!(tree.root(&mut store), root, "round {round}");
            }
            assert_eq!(tree.parts(), parts, "round {round}");
        }
    }
}
