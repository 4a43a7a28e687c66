//! Steps that are no matter of choice although there are other threads: what they touch, no other thread can touch before
//! the thread itself has gone on. So it makes no difference when they are taken.
//!
//! That no other thread can is known in three ways: none of them can get at the object; what they may still do, from the
//! program text, does not touch it; or it does so only with a lock that this thread holds.

use super::access::{Place, accesses};
use super::compile::{Instruction, Slot};
use super::deterministic::{Halt, Next, Others as Company};
use super::machine::{Machine, NoInputs, Outcome};
use super::prospect::{Prospect, Prospects};
use super::state_check::{Tried, Waiting};
use super::{Pointer, Value};
use crate::program::control::{Frame, Step};
use crate::program::sharing::{self, Future, Futures, Lock, LockSet};
use crate::program::{EdgeId, Id, ProcId, VarId};
use std::cell::{OnceCell, Ref, RefCell};
use std::ops::Range;
use std::rc::Rc;

/// What threads may still do, once somebody has asked.
#[derive(Default)]
pub(super) struct Outlook {
    futures: OnceCell<Futures>,
    /// The variables of the slots of globals.
    globals: OnceCell<Vec<VarId>>,
    /// What they may still do with the values that their variables have.
    pub(super) prospects: Prospects,
    /// By thread, what was last found of it.
    others: RefCell<Vec<Other>>,
    /// Room for what a step touches.
    touched: RefCell<Vec<Touch>>,
    /// Whether these are looked at. Of Java programs, which reach all through references, they say little; and of tokens
    /// they know nothing.
    looks_ahead: bool,
}

impl Outlook {
    /// With or without the values that variables have.
    pub(super) fn new(looks_ahead: bool) -> Outlook {
        Outlook { looks_ahead, ..Outlook::default() }
    }
}

/// With so many threads there, to start one more is a choice. Where a loop starts them for ever, nobody would ever have one.
const MANY_THREADS: usize = 12;

/// A longer atomic section is not looked at as a whole. None of the library's is half as long.
const MAX_SECTION: usize = 256;

/// What a step does to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Touch {
    Read(Place),
    Write(Place),
    Lock(Pointer),
    Unlock(Pointer),
    /// Ends the life of an object.
    End(u32),
    /// Starts a thread.
    Start,
}

impl Machine<'_> {
    /// Whether a step touches only what no other thread can touch before this one has gone on.
    pub(super) fn is_own_step(&mut self, thread: usize, edge: EdgeId) -> bool {
        let mut touched = std::mem::take(self.outlook.touched.get_mut());
        touched.clear();
        let tried = self.walk_edge(thread, edge, &mut |machine, instruction, _| {
            machine.touches(thread, instruction, &mut touched);
        });
        let is_own = match tried {
            Tried::Faulty | Tried::Open { .. } | Tried::Blocked(Waiting::Join(_)) => false,
            Tried::Taken | Tried::Blocked(_) => self.are_own(thread, &touched),
        };
        *self.outlook.touched.get_mut() = touched;
        is_own
    }

    /// What is known of a thread that has taken a step holds no longer, or of any; a step that is private changes nothing of the
    /// others.
    pub(super) fn look_again(&mut self, moved: Option<usize>) {
        let others = self.outlook.others.get_mut();
        match moved {
            Some(thread) => others.iter_mut().skip(thread).take(1).for_each(|other| other.is_known = false),
            None => others.iter_mut().for_each(|other| other.is_known = false),
        }
    }

    /// Takes an atomic section to its end, if all that it touches is the thread's own. Nobody else goes on while it lasts, so that
    /// it counts as one step.
    pub(super) fn private_section(
        &mut self,
        thread: usize,
        first: Next,
        each: &mut impl FnMut(ProcId, Step),
    ) -> Result<(), Halt> {
        let (mark, mut touched) = (self.save(), Vec::new());
        let found = self.section(thread, first, &mut touched);
        self.restore(mark);
        let steps = found.ok_or(Halt::Choice)?;
        if !self.are_own(thread, &touched) {
            return Err(Halt::Choice);
        }
        steps.into_iter().try_for_each(|next| self.take(thread, next, each))
    }

    /// Goes through an atomic section, and notes what it touches; none if there is a choice in it, or it is long, or never ends.
    fn section(&mut self, thread: usize, first: Next, touched: &mut Vec<Touch>) -> Option<Vec<Next>> {
        let (mut steps, mut next) = (Vec::new(), first);
        loop {
            let procedure = self.top(thread).procedure;
            match next {
                Next::Return if !self.returns_privately(thread) => return None,
                Next::Return => {}
                Next::Edge { edge, .. } if !self.code.edge(procedure, edge).may_be_private => return None,
                Next::Edge { edge, .. } => {
                    let note = &mut |machine: &Self, instruction: &Instruction, _| {
                        machine.touches(thread, instruction, touched);
                    };
                    let Tried::Taken = self.walk_edge(thread, edge, note) else { return None };
                }
            }
            match next {
                Next::Return => self.take_return(thread),
                // It is taken back, so that every change must be noted.
                Next::Edge { edge, from, .. } => match self.take_edge(thread, edge, from, &mut NoInputs) {
                    Ok(Outcome::Taken) => {}
                    _ => return None,
                },
            }
            steps.push(next);
            let control = &self.control.threads[thread];
            if control.atomic == 0 {
                return Some(steps);
            }
            if steps.len() > MAX_SECTION || control.frames.is_empty() {
                return None;
            }
            next = self.next_step(thread, Company::None).ok()?;
        }
    }

    /// Whether the activation's objects can end without a difference to others.
    pub(super) fn ends_privately(&self, thread: usize) -> bool {
        let depth = self.control.threads[thread].frames.len() as u32 - 1;
        let objects = self.data.threads[thread].objects.iter().rev();
        let touched: Vec<Touch> =
            objects.take_while(|(of, _)| *of >= depth).map(|(_, index)| Touch::End(index + 1)).collect();
        self.are_own(thread, &touched)
    }

    fn touches(&self, thread: usize, instruction: &Instruction, touched: &mut Vec<Touch>) {
        let scene = self.scene(thread);
        // What is not known is no object's, and that nobody can call his own.
        let pointer = |node| scene.pointer(node).unwrap_or(Pointer::NULL);
        accesses(scene, instruction, &mut |place, writes| {
            touched.push(if writes { Touch::Write(place) } else { Touch::Read(place) });
        });
        match instruction {
            Instruction::Lock { lock, .. } => touched.push(Touch::Lock(pointer(lock))),
            Instruction::Unlock(lock) => touched.push(Touch::Unlock(pointer(lock))),
            Instruction::Free(freed) => touched.push(Touch::End(pointer(freed).object)),
            Instruction::Spawn { .. } => touched.push(Touch::Start),
            _ => {}
        }
    }

    /// Whether nobody else can touch any of this before the thread has gone on.
    fn are_own(&self, thread: usize, touched: &[Touch]) -> bool {
        if touched.iter().all(|touch| self.never_changes(*touch)) {
            return true;
        }
        let others = self.others(thread);
        if others.each().any(|(_, other)| other.looks_for_lost) {
            return false;
        }
        let held = OnceCell::new();
        let held = || *held.get_or_init(|| self.lock_set(thread, &others));
        let seen = RefCell::new(Sight::default());
        let is_seen = |object: u32| self.is_seen(thread, object, &mut seen.borrow_mut());
        touched.iter().all(|touch| match *touch {
            touch if self.never_changes(touch) || self.is_new(touch) => true,
            Touch::Read(Place::Global(slot)) => !self.is_global_met(slot, false, &others, &held),
            Touch::Write(Place::Global(slot)) => !self.is_global_met(slot, true, &others, &held),
            Touch::Read(place) => !self.is_met(thread, place, false, &others, &held) || !is_seen(object(place)),
            Touch::Write(place) => !self.is_met(thread, place, true, &others, &held) || !is_seen(object(place)),
            Touch::Lock(lock) => {
                let is_mine = self.data.locks.get(&lock).is_some_and(|(owner, _)| owner.index() == thread);
                let asleep = |number: usize| self.data.threads[number].waiting;
                let is_wanted = (0..self.data.threads.len())
                    .filter(|number| *number != thread)
                    .any(|number| asleep(number).is_some_and(|asleep| asleep.lock.object == lock.object));
                let is_met = || is_wanted || self.is_lock_met(thread, lock, &others, &held);
                is_mine || !is_met() || !is_seen(lock.object)
            }
            // Who waits for it does so until it is released; only who asks whether it is held could tell.
            Touch::Unlock(lock) => match self.site(lock.object) {
                Some(site) => {
                    !others.futures().any(|future| future.reads(sharing::Place::Lock(site))) || !is_seen(lock.object)
                }
                None => false,
            },
            Touch::End(object) => {
                let ends = [Place::Life(object), Place::Bytes { object, start: 0, end: i64::MAX }];
                let is_met = |place| self.is_met(thread, place, true, &others, &held);
                !ends.into_iter().any(is_met) || !is_seen(object)
            }
            Touch::Start => {
                let alive = self.control.threads.iter().filter(|thread| !thread.frames.is_empty()).count();
                alive < MANY_THREADS && !others.futures().any(|future| future.has_threads)
            }
        })
    }

    /// Whether a touch is a read of what is the same for ever.
    fn never_changes(&self, touch: Touch) -> bool {
        match touch {
            Touch::Read(Place::Global(slot)) => !self.code.is_changing(slot),
            Touch::Read(Place::Bytes { end, .. }) => end <= i64::from(self.program.header_bytes),
            _ => false,
        }
    }

    /// Whether an object is touched that is only about to be made.
    fn is_new(&self, touch: Touch) -> bool {
        let object = match touch {
            Touch::Read(place) | Touch::Write(place) => object(place),
            Touch::Lock(pointer) | Touch::Unlock(pointer) => pointer.object,
            Touch::End(object) => object,
            Touch::Start => 0,
        };
        object as usize > self.data.memory.objects.len() && object < Pointer::FUNCTIONS
    }

    /// Whether another thread may touch the place of an object, as far as the program text and its variables tell, without a
    /// lock that this thread holds.
    fn is_met(
        &self,
        thread: usize,
        place: Place,
        writes: bool,
        others: &Others<'_>,
        held: &impl Fn() -> LockSet,
    ) -> bool {
        let Some(site) = self.site_for(thread, place) else { return true };
        let text = match place {
            Place::Global(_) => return true,
            Place::Life(_) => sharing::Place::Life(site),
            Place::Lock(_) => sharing::Place::Lock(site),
            Place::Bytes { .. } => sharing::Place::Anywhere(site),
        };
        let words = match place {
            Place::Bytes { start, end, .. } if self.program.header_bytes > 0 => {
                start.max(0) / 4..end.min(self.size_of(object(place))).div_euclid(4) + 1
            }
            _ => 0..0,
        };
        self.meets(others, &Query { place, lock: None, writes, text, words: (site, words) }, held)
    }

    /// Whether another thread may take or release a lock.
    fn is_lock_met(&self, thread: usize, lock: Pointer, others: &Others<'_>, held: &impl Fn() -> LockSet) -> bool {
        let place = Place::Lock(lock.object);
        let Some(site) = self.site_for(thread, place) else { return true };
        let text = sharing::Place::Lock(site);
        self.meets(others, &Query { place, lock: Some(lock), writes: true, text, words: (site, 0..0) }, held)
    }

    fn is_global_met(&self, slot: u32, writes: bool, others: &Others<'_>, held: &impl Fn() -> LockSet) -> bool {
        let variable = self.global(slot);
        let (place, text) = (Place::Global(slot), sharing::Place::Global(variable));
        others.each().any(|(_, other)| other.results.contains(&variable))
            || self.meets(others, &Query { place, lock: None, writes, text, words: (0, 0..0) }, held)
    }

    /// Where the object of a place was made, if it does not end when another thread goes on, on whose stack it is.
    fn site_for(&self, thread: usize, place: Place) -> Option<usize> {
        let site = self.site(object(place))?;
        let owner = self.data.memory.objects[object(place) as usize - 1].owner;
        owner.is_none_or(|(owner, _)| owner as usize == thread).then_some(site)
    }

    /// Whether one of the others may touch what is asked for without one of these locks held.
    fn meets(&self, others: &Others<'_>, query: &Query, held: &impl Fn() -> LockSet) -> bool {
        let by_text = |future: &Future| query.texts().any(|text| future.meets(text, query.writes, held));
        others.each().any(|(number, other)| {
            let mut met = other.futures.iter().enumerate().filter(|(_, future)| by_text(future));
            met.any(|(depth, _)| match self.prospects(number, other).get(depth) {
                Some(Some(prospect)) => prospect.meets(query.place, query.lock, query.writes, by_text),
                _ => true,
            })
        })
    }

    fn prospects<'o>(&self, number: usize, other: &'o Other) -> &'o [Option<Rc<Prospect>>] {
        other.prospects.get_or_init(|| match (self.outlook.looks_ahead, self.outlook.futures.get()) {
            (true, Some(futures)) => self.prospects_of(number, futures),
            _ => Vec::new(),
        })
    }

    fn size_of(&self, object: u32) -> i64 {
        self.data.memory.objects[object as usize - 1].size as i64
    }

    /// Where an object was made.
    fn site(&self, object: u32) -> Option<usize> {
        let index = (object as usize).checked_sub(1)?;
        self.data.memory.objects.get(index).map(|object| object.site as usize)
    }

    fn global(&self, slot: u32) -> VarId {
        let globals = self.outlook.globals.get_or_init(|| {
            let mut globals = vec![VarId::new(0); self.code.globals.len()];
            for (variable, known) in self.code.slots.enumerate() {
                if let Slot::Global(slot) = known {
                    globals[*slot as usize] = variable;
                }
            }
            globals
        });
        globals[slot as usize]
    }

    /// What the other threads may still do.
    fn others(&self, thread: usize) -> Others<'_> {
        let mut all = self.outlook.others.borrow_mut();
        all.resize_with(self.control.threads.len(), Other::default);
        for (number, other) in all.iter_mut().enumerate().filter(|(number, _)| *number != thread) {
            self.look_at(number, other);
        }
        drop(all);
        Others { all: self.outlook.others.borrow(), thread }
    }

    /// Finds what a thread may still do, unless it is where it was.
    fn look_at(&self, number: usize, other: &mut Other) {
        if std::mem::replace(&mut other.is_known, true) {
            return;
        }
        let (frames, locals) = (&self.control.threads[number].frames, &self.data.threads[number].locals);
        if other.frames == *frames && (!self.outlook.looks_ahead || other.locals == *locals) {
            return;
        }
        let futures = self.outlook.futures.get_or_init(|| Futures::of(self.program));
        other.frames.clone_from(frames);
        if self.outlook.looks_ahead {
            other.locals.clone_from(locals);
        }
        other.futures.clear();
        other.futures.extend(frames.iter().map(|frame| futures.from(self.program, frame.procedure, frame.location)));
        other.looks_for_lost = other.futures.iter().any(|future| future.looks_for_lost);
        other.results.clear();
        other.results.extend(frames.windows(2).filter_map(|pair| self.global_result(pair[0], pair[1])));
        other.prospects = OnceCell::new();
    }

    /// The global that a return writes.
    fn global_result(&self, caller: Frame, callee: Frame) -> Option<VarId> {
        match self.code.edge(caller.procedure, callee.call?).result {
            Some(Slot::Global(slot)) => Some(self.global(slot)),
            _ => None,
        }
    }

    /// The locks that the thread holds, of those that the program text tells apart.
    fn lock_set(&self, thread: usize, others: &Others<'_>) -> LockSet {
        let Some(futures) = self.outlook.futures.get() else { return 0 };
        let owned = self.data.locks.iter().filter(|(_, (owner, _))| owner.index() == thread);
        let owned: Vec<Pointer> = owned.map(|(lock, _)| *lock).collect();
        let mut set = 0;
        for (number, lock) in futures.locks.iter().enumerate().filter(|_| !owned.is_empty()) {
            let is_held = match *lock {
                Lock::Atomic => false,
                Lock::Object(variable, offset) => match self.code.slots[variable] {
                    Slot::Global(slot) => match &self.data.globals[slot as usize] {
                        Value::Pointer(base) => owned.contains(&Pointer { offset: base.offset + offset, ..*base }),
                        _ => false,
                    },
                    _ => false,
                },
                Lock::Site(site) => {
                    owned.iter().any(|lock| self.site(lock.object) == Some(site))
                        && self.data.memory.objects.iter().filter(|object| object.site as usize == site).count() == 1
                        && !others.futures().any(|future| future.makes(site))
                }
            };
            set |= LockSet::from(is_held) << number;
        }
        set
    }

    /// Whether other threads can get at an object. Looks no further than that takes, and from where it was before.
    fn is_seen(&self, thread: usize, object: u32, sight: &mut Sight) -> bool {
        let index = (object as usize).wrapping_sub(1);
        if index >= self.data.memory.objects.len() {
            return true;
        }
        loop {
            if sight.seen.get(index).copied().unwrap_or(false) {
                return true;
            }
            if let Some(next) = sight.open.pop() {
                let cells = self.data.memory.objects[next].cells.iter();
                cells.flat_map(|cells| cells.pointers.values()).for_each(|pointer| sight.note(pointer));
            } else if !self.look_from_next(thread, sight) {
                return false;
            }
        }
    }

    /// Notes what the next other thread holds, or after all of them what globals do; false if there is nothing more.
    fn look_from_next(&self, thread: usize, sight: &mut Sight) -> bool {
        if sight.seen.is_empty() {
            sight.seen.resize(self.data.memory.objects.len(), false);
        }
        let from = sight.from;
        sight.from += 1;
        if from > self.data.threads.len() {
            return false;
        }
        let Some(other) = self.data.threads.get(from) else {
            self.data.globals.iter().for_each(|value| sight.note_value(value));
            return true;
        };
        if from == thread {
            return true;
        }
        if let Some(waiting) = other.waiting {
            sight.note(waiting.condition);
            sight.note(waiting.lock);
        }
        self.live_locals(from, &mut sight.live);
        for (index, value) in other.locals.iter().enumerate() {
            if sight.live.get(index).copied().unwrap_or(true) {
                sight.note_value(value);
            }
        }
        true
    }
}

/// What of memory others can get at, as far as somebody has looked.
#[derive(Default)]
struct Sight {
    /// By index, the objects that were found.
    seen: Vec<bool>,
    /// Those that were not looked into.
    open: Vec<usize>,
    /// The thread whose variables come next; after all of them the globals do.
    from: usize,
    /// Room for which locals are live.
    live: Vec<bool>,
}

impl Sight {
    fn note_value(&mut self, value: &Value) {
        if let Value::Pointer(pointer) = value {
            self.note(*pointer);
        }
    }

    fn note(&mut self, pointer: Pointer) {
        let index = (pointer.object as usize).wrapping_sub(1);
        if let Some(seen) = self.seen.get_mut(index)
            && !std::mem::replace(seen, true)
        {
            self.open.push(index);
        }
    }
}

/// What threads other than one may still do.
struct Others<'m> {
    all: Ref<'m, Vec<Other>>,
    thread: usize,
}

/// What a thread may still do from where it is.
#[derive(Default)]
struct Other {
    /// Whether it is of where the thread is now.
    is_known: bool,
    /// Where that is, with the values of its variables where these count.
    frames: Vec<Frame>,
    locals: Vec<Value>,
    /// By activation, as far as the program text tells.
    futures: Vec<Rc<Future>>,
    /// Whether somebody may ask which objects nothing leads to.
    looks_for_lost: bool,
    /// The globals that its returns write.
    results: Vec<VarId>,
    /// By activation, with the values of its variables; once somebody has asked.
    prospects: OnceCell<Vec<Option<Rc<Prospect>>>>,
}

/// A place that somebody may touch.
struct Query {
    place: Place,
    /// Which lock it is about, where it is about one.
    lock: Option<Pointer>,
    /// Whether touches that read count too.
    writes: bool,
    /// What stands for it in the program text.
    text: sharing::Place,
    /// The words that it has of the objects of a site, where these are told apart.
    words: (usize, Range<i64>),
}

impl Query {
    /// The places of the program text that stand for it.
    fn texts(&self) -> impl Iterator<Item = sharing::Place> {
        let (site, words) = (self.words.0, self.words.1.clone());
        std::iter::once(self.text).chain(words.map(move |word| sharing::Place::Word(site, word as u32)))
    }
}

impl Others<'_> {
    /// The others that have not ended, with their numbers.
    fn each(&self) -> impl Iterator<Item = (usize, &Other)> {
        let others = self.all.iter().enumerate();
        others.filter(|(number, other)| *number != self.thread && !other.frames.is_empty())
    }

    fn futures(&self) -> impl Iterator<Item = &Rc<Future>> {
        self.each().flat_map(|(_, other)| &other.futures)
    }
}

/// The object of a place in memory.
fn object(place: Place) -> u32 {
    match place {
        Place::Global(_) => 0,
        Place::Life(object) | Place::Lock(object) | Place::Bytes { object, .. } => object,
    }
}
