//! The trail: every change to the state as what was there before, so that going back costs what changed since.
//!
//! Most changes are of a number that fits a machine word, or of a location. They are two words each, so that noting them
//! is quick, and forgetting them costs nothing.

use super::machine::{Machine, Mark, ThreadData, Waiting};
use super::memory::{Cells, Overwritten, OverwrittenShort};
use super::pack::KnownPart;
use super::{Pointer, Value};
use crate::program::control::Undo;
use crate::program::{Id, LocId, ThreadId};

/// The changes since the last commit, in order.
#[derive(Default)]
pub(super) struct Trail {
    entries: Vec<Entry>,
    /// The changes that the entries called `OTHER` stand for, in the same order.
    others: Vec<Change>,
}

/// What changed, and the word that was there: two bits that say which kind, then the number of a thread, then of a slot.
#[derive(Clone, Copy)]
struct Entry {
    place: u64,
    before: i64,
}

const OTHER: u64 = 0;
const GLOBAL: u64 = 1 << 62;
const LOCAL: u64 = 2 << 62;
const LOCATION: u64 = 3 << 62;
const KIND: u64 = 3 << 62;

/// One change to the state, as what was there before.
pub(super) enum Change {
    Global(u32, Value),
    Local(u32, u32, Value),
    Control(Undo),
    Entered {
        thread: u32,
        base: usize,
    },
    /// A local of an activation that has ended; the first is noted last.
    Dropped(u32, Value),
    Left {
        thread: u32,
        base: usize,
    },
    AllEnded(Vec<ThreadData>),
    Spawned,
    Allocated,
    Ended(u32, Box<Cells>),
    Stored(Box<Overwritten>),
    StoredShort(OverwrittenShort),
    Lock(Pointer, Option<(ThreadId, u32)>),
    Waiting(u32, Option<Waiting>),
}

/// What a change is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Changed {
    /// A global, by its slot.
    Global(usize),
    /// A thread's variables, its control, or what it waits for.
    Thread(usize),
    /// The same of all threads.
    Threads,
    /// Who holds which lock.
    Locks,
}

impl Change {
    /// What this changes, objects apart.
    fn what(&self) -> Option<Changed> {
        Some(match self {
            Change::Global(slot, _) => Changed::Global(*slot as usize),
            Change::Local(thread, ..) | Change::Dropped(thread, _) | Change::Waiting(thread, _) => {
                Changed::Thread(*thread as usize)
            }
            Change::Entered { thread, .. } | Change::Left { thread, .. } => Changed::Thread(*thread as usize),
            Change::Control(undo) => undo.thread().map_or(Changed::Threads, |thread| Changed::Thread(thread.index())),
            Change::AllEnded(_) | Change::Spawned => Changed::Threads,
            Change::Lock(..) => Changed::Locks,
            Change::Allocated | Change::Ended(..) | Change::Stored(_) | Change::StoredShort(_) => return None,
        })
    }
}

impl Trail {
    /// How many changes there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Notes the number that a global had.
    #[inline]
    pub(super) fn global(&mut self, slot: usize, before: i64) {
        self.entries.push(Entry { place: GLOBAL | slot as u64, before });
    }

    /// Notes the number that a local had.
    #[inline]
    pub(super) fn local(&mut self, thread: usize, slot: usize, before: i64) {
        self.entries.push(Entry { place: LOCAL | (thread as u64) << 32 | slot as u64, before });
    }

    /// Notes where the innermost activation of a thread was.
    #[inline]
    pub(super) fn location(&mut self, thread: usize, before: LocId) {
        self.entries.push(Entry { place: LOCATION | (thread as u64) << 32, before: before.index() as i64 });
    }

    /// Notes any other change.
    pub(super) fn push(&mut self, change: Change) {
        self.entries.push(Entry { place: OTHER, before: 0 });
        self.others.push(change);
    }

    /// Notes several.
    pub(super) fn extend(&mut self, changes: impl IntoIterator<Item = Change>) {
        changes.into_iter().for_each(|change| self.push(change));
    }

    /// Tells what has changed since the last commit, objects apart; some of it more than once.
    pub(super) fn for_changes(&self, mut each: impl FnMut(Changed)) {
        for Entry { place, .. } in &self.entries {
            match place & KIND {
                GLOBAL => each(Changed::Global(*place as u32 as usize)),
                LOCAL | LOCATION => each(Changed::Thread((place & !KIND) as usize >> 32)),
                _ => {}
            }
        }
        self.others.iter().filter_map(Change::what).for_each(each);
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.others.clear();
    }
}

impl Machine<'_> {
    /// Back to the state of the mark.
    pub(super) fn restore(&mut self, mark: Mark) {
        while self.trail.len() > mark.0 {
            let Entry { place, before } = self.trail.entries.pop().expect("the trail is longer than the mark");
            let (thread, slot) = ((place & !KIND) as usize >> 32, place as u32 as usize);
            match place & KIND {
                GLOBAL => self.data.globals[slot] = Value::int(before),
                LOCAL => self.data.threads[thread].locals[slot] = Value::int(before),
                LOCATION => {
                    let frame = self.control.threads[thread].frames.last_mut();
                    frame.expect("the frame that the edge was taken in").location = LocId::new(before as usize);
                }
                _ => {
                    let change = self.trail.others.pop().expect("the entry stands for one");
                    self.take_back(change);
                }
            }
        }
    }

    /// Forgets how to go back; marks made before are no longer good.
    pub fn commit(&mut self) {
        self.trail.clear();
        self.is_based = false;
    }

    fn take_back(&mut self, change: Change) {
        let threads = &mut self.data.threads;
        match change {
            Change::Global(i, value) => self.data.globals[i as usize] = value,
            Change::Local(thread, i, value) => threads[thread as usize].locals[i as usize] = value,
            Change::Control(undo) => self.control.undo(undo),
            Change::Entered { thread, base } => {
                let data = &mut threads[thread as usize];
                data.locals.truncate(data.base);
                data.base = base;
            }
            Change::Dropped(thread, value) => threads[thread as usize].locals.push(value),
            Change::Left { thread, base } => threads[thread as usize].base = base,
            Change::AllEnded(before) => *threads = before,
            Change::Spawned => drop(threads.pop()),
            Change::Allocated => {
                let object = self.data.memory.objects.pop();
                if let Some((thread, _)) = object.and_then(|object| object.owner) {
                    threads[thread as usize].objects.pop();
                }
            }
            Change::Ended(number, cells) => {
                let object = &mut self.data.memory.objects[number as usize];
                object.cells = Some(cells);
                object.part = KnownPart::default();
                object.ended = None;
                if let Some((thread, depth)) = object.owner {
                    threads[thread as usize].objects.push((depth, number));
                }
            }
            Change::Stored(overwritten) => self.data.memory.restore(*overwritten),
            Change::StoredShort(overwritten) => self.data.memory.restore_short(overwritten),
            Change::Lock(lock, None) => drop(self.data.locks.remove(&lock)),
            Change::Lock(lock, Some(holder)) => drop(self.data.locks.insert(lock, holder)),
            Change::Waiting(thread, before) => threads[thread as usize].waiting = before,
        }
    }
}
