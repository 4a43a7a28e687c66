//! Parts of states, each kept once: a part is a string of bytes, or a pair of parts. A state is a tree of parts, so that two
//! states that differ in one place share all but the way there, and a state is stored as two numbers.
//!
//! After Laarman, van de Pol and Weber, *Parallel recursive state compression for free* (2011). Nothing is lost: a number stands
//! for one string or one pair, which are compared whole.

use super::tables::{Chunks, Index};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// The number of a part in a [`Store`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Part(u32);

/// The bit that tells the number of a pair from that of a string.
const PAIR: u32 = 1 << 31;

impl Part {
    /// The empty string, which every store has.
    pub(super) const EMPTY: Part = Part(0);
    /// The number of no part.
    pub const NONE: Part = Part(u32::MAX);

    /// The number itself.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The part of a number.
    pub fn of_number(number: u32) -> Part {
        Part(number)
    }
}

/// Parts of states.
#[derive(Debug, Clone, Default)]
pub struct Store {
    strings: Strings,
    pairs: Pairs,
}

impl Store {
    /// The part that is a string.
    pub(super) fn string(&mut self, bytes: &[u8]) -> Part {
        if bytes.is_empty() { Part::EMPTY } else { Part(self.strings.number(bytes) + 1) }
    }

    /// The part that is a pair.
    pub(super) fn pair(&mut self, left: Part, right: Part) -> Part {
        Part(PAIR | self.pairs.number([left.0, right.0]))
    }

    /// The bytes of a part that is a string.
    pub(super) fn bytes_of(&self, part: Part) -> &[u8] {
        debug_assert!(part.0 & PAIR == 0, "a string is asked for");
        part.0.checked_sub(1).map_or(&[], |number| self.strings.get(number))
    }

    /// The halves of a part that is a pair.
    pub(super) fn halves(&self, part: Part) -> (Part, Part) {
        debug_assert!(part.0 & PAIR != 0, "a pair is asked for");
        let [left, right] = *self.pairs.entries.get((part.0 & !PAIR) as usize);
        (Part(left), Part(right))
    }

    /// Whether there is such a part.
    pub(crate) fn has(&self, part: Part) -> bool {
        match part.0 & PAIR {
            0 => part.0 as usize <= self.strings.places.len(),
            _ => ((part.0 & !PAIR) as usize) < self.pairs.entries.len(),
        }
    }

    /// The string that a tree starts with.
    pub(super) fn first_of(&self, mut part: Part) -> Part {
        while part.0 & PAIR != 0 {
            part = self.halves(part).0;
        }
        part
    }

    /// A tree of parts, at least one. How it branches depends on their number alone.
    pub(super) fn tree(&mut self, parts: &[Part], shape: Shape) -> Part {
        match parts {
            [only] => *only,
            [left, right] => self.pair(*left, *right),
            _ => {
                let (left, right) = parts.split_at(shape.left(parts.len()));
                let (left, right) = (self.tree(left, shape), self.tree(right, shape));
                self.pair(left, right)
            }
        }
    }

    /// Adds the parts of a tree of so many, at least one.
    pub(super) fn parts_of(&self, tree: Part, count: usize, shape: Shape, out: &mut Vec<Part>) {
        if count == 1 {
            out.push(tree);
            return;
        }
        let ((left, right), middle) = (self.halves(tree), shape.left(count));
        self.parts_of(left, middle, shape, out);
        self.parts_of(right, count - middle, shape, out);
    }

    /// How many bytes are allocated.
    pub fn bytes(&self) -> usize {
        let strings = &self.strings;
        let blocks: usize = strings.blocks.iter().map(Vec::capacity).sum();
        let places = strings.places.capacity() * size_of::<Place>() + strings.blocks.capacity() * size_of::<Vec<u8>>();
        blocks + places + strings.index.allocation_size() + self.pairs.entries.bytes() + self.pairs.index.bytes()
    }

    /// How many strings and pairs there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.strings.places.len(), self.pairs.entries.len())
    }
}

/// How a tree of parts branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// In the middle: for parts whose number hardly changes. Either half has about as many values.
    Even,
    /// Into a complete tree and the rest: one part more at the end changes little.
    Growing,
}

impl Shape {
    /// How many of so many parts, at least two, are on the left.
    fn left(self, count: usize) -> usize {
        match self {
            Shape::Even => count.div_ceil(2),
            Shape::Growing => count.next_power_of_two() / 2,
        }
    }
}

/// Strings of bytes, each once.
#[derive(Debug, Clone, Default)]
struct Strings {
    blocks: Vec<Vec<u8>>,
    places: Vec<Place>,
    index: HashTable<u32>,
}

/// Where a string is.
#[derive(Debug, Clone, Copy)]
struct Place {
    block: u32,
    start: u32,
    length: u32,
}

/// The first block has room for so many bytes.
const FIRST_BLOCK: usize = 1 << 10;
/// Later ones have twice as much, up to this much; a longer string has one of its own.
const MAX_BLOCK: usize = 1 << 20;

impl Strings {
    fn number(&mut self, bytes: &[u8]) -> u32 {
        let hash = hash_of_bytes(bytes);
        if let Some(known) = self.index.find(hash, |known| self.get(*known) == bytes) {
            return *known;
        }
        let number = u32::try_from(self.places.len()).ok().filter(|n| *n < PAIR - 1).expect("fewer than 2^31 parts");
        let place = self.keep(bytes);
        self.places.push(place);
        let Strings { blocks, places, index } = self;
        index.insert_unique(hash, number, |known| hash_of_bytes(at(blocks, places[*known as usize])));
        number
    }

    fn keep(&mut self, bytes: &[u8]) -> Place {
        let has_room = self.blocks.last().is_some_and(|block| block.capacity() - block.len() >= bytes.len());
        if !has_room {
            let room = self.blocks.last().map_or(FIRST_BLOCK, |block| (2 * block.capacity()).min(MAX_BLOCK));
            self.blocks.push(Vec::with_capacity(room.max(bytes.len())));
        }
        let number = self.blocks.len() - 1;
        let block = &mut self.blocks[number];
        let fits = |n: usize| u32::try_from(n).expect("a part of less than 4 gigabytes");
        let place = Place { block: fits(number), start: fits(block.len()), length: fits(bytes.len()) };
        block.extend_from_slice(bytes);
        place
    }

    fn get(&self, number: u32) -> &[u8] {
        at(&self.blocks, self.places[number as usize])
    }
}

fn at(blocks: &[Vec<u8>], place: Place) -> &[u8] {
    let start = place.start as usize;
    &blocks[place.block as usize][start..start + place.length as usize]
}

/// Pairs of numbers, each once.
#[derive(Debug, Clone, Default)]
struct Pairs {
    entries: Chunks<[u32; 2]>,
    index: Index,
}

impl Pairs {
    fn number(&mut self, pair: [u32; 2]) -> u32 {
        let hash = hash_of_pair(pair);
        let Pairs { entries, index } = self;
        if let Some(known) = index.find(hash, |known| *entries.get(known as usize) == pair) {
            return known;
        }
        let number = u32::try_from(entries.len()).ok().filter(|n| *n < PAIR - 1).expect("fewer than 2^31 parts");
        entries.push(pair);
        index.insert(hash, number, |known| hash_of_pair(*entries.get(known as usize)));
        number
    }
}

fn hash_of_bytes(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// A hash of two numbers of which every bit counts.
pub fn hash_of_pair([left, right]: [u32; 2]) -> u64 {
    let both = (u64::from(left) << 32 | u64::from(right)) ^ 0x9e37_79b9_7f4a_7c15;
    let product = u128::from(both) * 0xd6e8_feb8_6659_fd93_u128;
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Random;
    use std::collections::BTreeMap;

    fn string(random: &mut Random) -> Vec<u8> {
        let length = if random.percent(5) { random.below(3000) } else { random.below(6) };
        (0..length).map(|_| random.below(3) as u8).collect()
    }

    #[test]
    fn a_number_is_one_string_for_ever() {
        let (mut store, mut random) = (Store::default(), Random::new(17));
        let mut known: BTreeMap<Vec<u8>, Part> = BTreeMap::new();
        for _ in 0..20_000 {
            let bytes = string(&mut random);
            let part = store.string(&bytes);
            assert_eq!(*known.entry(bytes).or_insert(part), part);
        }
        let parts: std::collections::BTreeSet<Part> = known.values().copied().collect();
        assert_eq!(parts.len(), known.len());
        known.iter().for_each(|(bytes, part)| assert_eq!(store.bytes_of(*part), bytes.as_slice()));
    }

    #[test]
    fn a_tree_is_one_list_for_ever() {
        let (mut store, mut random) = (Store::default(), Random::new(18));
        for shape in [Shape::Even, Shape::Growing] {
            for count in 1..20 {
                let mut known: BTreeMap<Vec<Part>, Part> = BTreeMap::new();
                for _ in 0..800 {
                    let parts: Vec<Part> = (0..count).map(|_| store.string(&[random.below(3) as u8])).collect();
                    let tree = store.tree(&parts, shape);
                    let mut again = Vec::new();
                    store.parts_of(tree, count, shape, &mut again);
                    assert_eq!(again, parts);
                    assert_eq!(store.first_of(tree), parts[0]);
                    assert_eq!(*known.entry(parts).or_insert(tree), tree);
                }
                let trees: std::collections::BTreeSet<Part> = known.values().copied().collect();
                assert_eq!(trees.len(), known.len());
            }
        }
        assert!(store.counts().1 > 1 << 12, "the tables grow: {:?}", store.counts());
    }
}
