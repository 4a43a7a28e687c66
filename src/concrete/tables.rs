//! Long lists and large hash tables that grow a piece at a time, so that little is ever there twice.

use hashbrown::HashTable;

/// A list that grows without a copy of the whole, once it is long.
#[derive(Debug, Clone)]
pub struct Chunks<T> {
    chunks: Vec<Vec<T>>,
}

/// A chunk has so many elements, as a power of two.
const CHUNK_BITS: u32 = 14;
const CHUNK: usize = 1 << CHUNK_BITS;

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Chunks { chunks: Vec::new() }
    }
}

impl<T> Chunks<T> {
    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Adds an element.
    pub fn push(&mut self, element: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => last.push(element),
            // The first one grows as it is needed, so that a short list takes little.
            None => self.chunks.push(vec![element]),
            Some(_) => {
                let mut chunk = Vec::with_capacity(CHUNK);
                chunk.push(element);
                self.chunks.push(chunk);
            }
        }
    }

    /// An element.
    #[inline]
    pub fn get(&self, index: usize) -> &T {
        &self.chunks[index >> CHUNK_BITS][index & (CHUNK - 1)]
    }

    /// An element, to be changed.
    pub fn get_mut(&mut self, index: usize) -> &mut T {
        &mut self.chunks[index >> CHUNK_BITS][index & (CHUNK - 1)]
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flatten()
    }

    /// All of them; each chunk is given back once it has been gone through.
    pub fn into_elements(self) -> impl Iterator<Item = T> {
        self.chunks.into_iter().flatten()
    }

    /// How many bytes are allocated.
    pub fn bytes(&self) -> usize {
        let elements: usize = self.chunks.iter().map(|chunk| chunk.capacity() * size_of::<T>()).sum();
        elements + self.chunks.capacity() * size_of::<Vec<T>>()
    }
}

/// A hash table of numbers of what is kept elsewhere. A large one is several tables, so that little is there twice while one
/// of them grows.
#[derive(Debug, Clone, Default)]
pub struct Index {
    /// The table, while there is one.
    only: HashTable<u32>,
    /// The tables, once there are several.
    shards: Vec<HashTable<u32>>,
    len: usize,
}

/// With more entries than this there are several tables.
const ONE_TABLE: usize = 1 << 12;
/// So many, as a power of two; the bits of the hash that tell which are in the middle: hashbrown looks at both ends.
const SHARD_BITS: u32 = 6;
const SHARD_SHIFT: u32 = 40;

impl Index {
    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    fn table(&self, hash: u64) -> &HashTable<u32> {
        self.shards.get(shard(hash)).unwrap_or(&self.only)
    }

    fn table_mut(&mut self, hash: u64) -> &mut HashTable<u32> {
        self.shards.get_mut(shard(hash)).unwrap_or(&mut self.only)
    }

    /// A number of that hash of which something holds.
    #[inline]
    pub fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        self.table(hash).find(hash, |number| is_it(*number)).copied()
    }

    /// The numbers of that hash, and perhaps some of others.
    pub fn with_hash(&self, hash: u64) -> impl Iterator<Item = u32> + '_ {
        self.table(hash).iter_hash(hash).copied()
    }

    /// Adds a number that is not there; `hash_of` tells the hash of any that is.
    pub fn insert(&mut self, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        if self.len == ONE_TABLE && self.shards.is_empty() {
            self.spread(&hash_of);
        }
        self.table_mut(hash).insert_unique(hash, number, |known| hash_of(*known));
        self.len += 1;
    }

    #[cold]
    fn spread(&mut self, hash_of: &impl Fn(u32) -> u64) {
        self.shards = (0..1 << SHARD_BITS).map(|_| HashTable::new()).collect();
        for number in std::mem::take(&mut self.only) {
            let hash = hash_of(number);
            self.table_mut(hash).insert_unique(hash, number, |known| hash_of(*known));
        }
    }

    /// Takes a number out.
    pub fn remove(&mut self, hash: u64, number: u32) {
        if let Ok(entry) = self.table_mut(hash).find_entry(hash, |known| *known == number) {
            entry.remove();
            self.len -= 1;
        }
    }

    /// How many bytes are allocated.
    pub fn bytes(&self) -> usize {
        let tables = std::iter::once(&self.only).chain(&self.shards);
        tables.map(HashTable::allocation_size).sum::<usize>() + size_of_val(self.shards.as_slice())
    }
}

fn shard(hash: u64) -> usize {
    (hash >> SHARD_SHIFT) as usize & ((1 << SHARD_BITS) - 1)
}
