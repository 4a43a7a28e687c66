//! Deterministic steps: parts of an execution in which nothing is chosen.
//!
//! With several threads, a step is no matter of choice if its thread has no other, and it has to do with nothing but the
//! thread's own variables, with objects that no other thread can get at, and with what never changes: then it makes no
//! difference which thread goes first. What other threads could do stays
//! possible, and an error that one of them could reach stays in reach.

use super::compile::{CompiledEdge, Instruction, Junction, Slot};
use super::machine::{Data, Machine, NoInputs, Outcome};
use crate::program::control::{Action, Control, Frame, Step, ThreadControl};
use crate::program::{EdgeId, Id, ProcId, ThreadId};

/// A part of an execution in which nothing was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advance {
    /// How many steps were taken.
    pub steps: u64,
    /// Why no more were.
    pub halt: Halt,
}

/// Why no more deterministic steps are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// So many steps were asked for.
    Limit,
    /// There may be several steps, an input to read, or a step that faults.
    Choice,
    /// No step is possible: the execution has ended, or is stuck, or a thread is at an error location.
    End,
    /// The state was there before, and nothing was chosen since: the execution is in a cycle.
    Cycle,
}

/// So many changes are noted before they are given up; they should stay in the processor's cache.
const TRAIL: usize = 256;

/// After so many steps, and after twice as many again and again, the state is kept to see whether it comes back.
const FIRST_CHECKPOINT: u64 = 1024;

/// Recognises a state that comes back while nothing is chosen (Brent's algorithm). It is kept from one call to the next.
pub struct CycleDetector {
    steps: u64,
    next_checkpoint: u64,
    checkpoint: Option<Checkpoint>,
}

impl Default for CycleDetector {
    fn default() -> CycleDetector {
        CycleDetector { steps: 0, next_checkpoint: FIRST_CHECKPOINT, checkpoint: None }
    }
}

/// A state that was met on the way, to be recognised if it comes back: Brent's way to find a cycle.
struct Checkpoint {
    top: Frame,
    control: Control,
    data: Data,
    /// How often the same place was met since.
    visits: u64,
}

/// The state is compared with the checkpoint at every 16th visit of its place. A cycle of states is a cycle of
/// visits too, so that this finds it after at most 16 rounds.
const VISITS: u64 = 16;

/// What a thread does next.
#[derive(Clone, Copy)]
pub(super) enum Next {
    Return,
    /// Takes an edge, but for its first instructions, which do nothing.
    Edge {
        edge: EdgeId,
        from: usize,
        /// Whether it is known to make no difference to other threads.
        is_private: bool,
    },
}

/// Whether there are other threads that can take steps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    None,
    Some,
}

impl CycleDetector {
    /// Whether the state is the one that was kept; now and then it is kept itself.
    #[inline]
    fn recognises(&mut self, machine: &Machine<'_>, top: Frame) -> bool {
        if let Some(checkpoint) = &mut self.checkpoint
            && checkpoint.top == top
        {
            checkpoint.visits += 1;
            if checkpoint.visits.is_multiple_of(VISITS) && checkpoint.is_at(machine) {
                return true;
            }
        }
        if self.steps == self.next_checkpoint {
            self.next_checkpoint *= 2;
            self.checkpoint = Some(Checkpoint::new(machine, top));
        }
        false
    }
}

impl Checkpoint {
    #[cold]
    fn new(machine: &Machine<'_>, top: Frame) -> Checkpoint {
        Checkpoint { top, control: machine.control.clone(), data: machine.data.clone(), visits: 0 }
    }

    #[cold]
    fn is_at(&self, machine: &Machine<'_>) -> bool {
        self.control == machine.control && self.data == machine.data
    }
}

impl Machine<'_> {
    /// Goes on for as long as exactly one step is possible, private ones of several threads apart, and reads no input,
    /// at most so many steps; `each` is told
    /// every step that is taken, and the procedure that the thread was in. Marks made before are no longer good.
    ///
    /// Deterministic steps can be taken in several calls with the same detector of cycles. Nothing else may
    /// move the machine between them.
    pub fn run_on(&mut self, limit: u64, cycles: &mut CycleDetector, each: impl FnMut(ProcId, Step)) -> Advance {
        self.commit();
        self.advance(limit, cycles, each)
    }

    /// The same, but marks made before stay good, and cycles are not recognised.
    pub(super) fn run_with_way_back(&mut self, limit: u64, each: impl FnMut(ProcId, Step)) -> Advance {
        debug_assert!(limit < FIRST_CHECKPOINT, "no cycle is looked for");
        self.keeps_trail = true;
        let advance = self.advance(limit, &mut CycleDetector::default(), each);
        self.keeps_trail = false;
        advance
    }

    fn advance(&mut self, limit: u64, cycles: &mut CycleDetector, mut each: impl FnMut(ProcId, Step)) -> Advance {
        let (mut steps, mut last) = (0, None);
        while steps < limit {
            let only = self.only_thread();
            let Some(thread) = only.or_else(|| self.first_thread()) else {
                let halt = if self.control.ended() { Halt::End } else { Halt::Choice };
                return Advance { steps, halt };
            };
            if cycles.recognises(self, self.top(thread)) {
                return Advance { steps, halt: Halt::Cycle };
            }
            let taken = match only {
                Some(thread) => {
                    last = None;
                    self.only_step(thread, Others::None, &mut each)
                }
                None => self.private_step(last, &mut each).map(|thread| last = Some(thread)),
            };
            if let Err(halt) = taken {
                return Advance { steps, halt };
            }
            steps += 1;
            cycles.steps += 1;
            if self.trail.len() > TRAIL && !self.keeps_trail {
                self.commit();
            }
        }
        Advance { steps, halt: Halt::Limit }
    }

    /// The thread that alone can take steps, if there is one that does not sleep.
    #[inline]
    fn only_thread(&self) -> Option<usize> {
        let threads = &self.control.threads;
        let only = if threads.len() == 1 {
            0
        } else if let Some(atomic) = threads.iter().position(|thread| thread.atomic > 0)
            && !self.looks_into_atomic
        {
            // An error elsewhere ends the execution for all.
            self.control.failure(self.program).is_none().then_some(atomic)?
        } else {
            let mut alive = threads.iter().enumerate().filter(|(_, thread)| !thread.frames.is_empty());
            let first = alive.next()?.0;
            alive.next().is_none().then_some(first)?
        };
        (!threads[only].frames.is_empty() && !threads[only].waiting).then_some(only)
    }

    /// The first thread that has not ended.
    fn first_thread(&self) -> Option<usize> {
        self.control.threads.iter().position(|thread| !thread.frames.is_empty())
    }

    /// Takes a step of a thread that has no other and that makes no difference to other threads, nor they to it. The thread
    /// that took the last one is asked first, as it is the one that has most likely another. Tells whose step it was.
    fn private_step(&mut self, last: Option<usize>, each: &mut impl FnMut(ProcId, Step)) -> Result<usize, Halt> {
        if self.control.failure(self.program).is_some() {
            return Err(Halt::End);
        }
        let atomic = self.control.threads.iter().position(|thread| thread.atomic > 0);
        self.look_again(last);
        let all = 0..self.control.threads.len();
        for thread in last.into_iter().chain(all.filter(|thread| Some(*thread) != last)) {
            let ThreadControl { frames, waiting, .. } = &self.control.threads[thread];
            let awake = !frames.is_empty() && !waiting && atomic.is_none_or(|atomic| atomic == thread);
            if awake && self.only_step(thread, Others::Some, each).is_ok() {
                return Ok(thread);
            }
        }
        Err(Halt::Choice)
    }

    /// Takes the one step that the thread can take; if there are other threads, only one that is private, or all of an atomic
    /// section that is.
    #[inline]
    fn only_step(&mut self, thread: usize, others: Others, each: &mut impl FnMut(ProcId, Step)) -> Result<(), Halt> {
        let next = self.next_step(thread, others)?;
        if others == Others::None {
            return self.take(thread, next, each);
        }
        match next {
            Next::Return if !self.returns_privately(thread) => Err(Halt::Choice),
            Next::Edge { edge, .. } if self.starts_section(thread, edge) => self.private_section(thread, next, each),
            Next::Edge { edge, is_private: false, .. }
                if !self.makes_no_difference(thread, self.top(thread).procedure, edge) =>
            {
                Err(Halt::Choice)
            }
            next => self.take(thread, next, each),
        }
    }

    /// The one step that the thread can take; if there are other threads, what blocks its other steps must not be for them
    /// to change.
    #[inline]
    pub(super) fn next_step(&mut self, thread: usize, others: Others) -> Result<Next, Halt> {
        let top = self.top(thread);
        let next = match &self.code.procedures[top.procedure].junctions[top.location] {
            Junction::Error => return Err(Halt::End),
            Junction::Return => Next::Return,
            Junction::Branch { condition, holds, fails } => {
                let scene = self.scene(thread);
                let truth = match scene.small(condition) {
                    Some(n) => n != 0,
                    None => scene.holds(condition).map_err(|_| Halt::Choice)?,
                };
                Next::Edge { edge: if truth { *holds } else { *fails }, from: 1, is_private: false }
            }
            Junction::Edges(edges) if others == Others::Some && edges.len() > 1 => {
                let edges = edges.clone();
                if !edges.iter().all(|edge| self.makes_no_difference(thread, top.procedure, *edge)) {
                    return Err(Halt::Choice);
                }
                Next::Edge { edge: self.only_edge(thread, &edges)?, from: 0, is_private: true }
            }
            Junction::Edges(edges) => Next::Edge { edge: self.only_edge(thread, edges)?, from: 0, is_private: false },
        };
        match next {
            Next::Edge { edge, .. } if self.code.edge(top.procedure, edge).chooses => Err(Halt::Choice),
            next => Ok(next),
        }
    }

    /// Takes a step, unless it is blocked or faults.
    #[inline]
    pub(super) fn take(&mut self, thread: usize, next: Next, each: &mut impl FnMut(ProcId, Step)) -> Result<(), Halt> {
        let procedure = self.top(thread).procedure;
        let mut tell = |action| each(procedure, Step { thread: ThreadId::new(thread), action });
        let Next::Edge { edge, from, .. } = next else {
            tell(Action::Return);
            self.take_return(thread);
            return Ok(());
        };
        if self.take_lone(thread, procedure, edge, from) {
            tell(Action::Edge(edge));
            return Ok(());
        }
        match self.take_edge(thread, edge, from, &mut NoInputs) {
            Ok(Outcome::Taken) => {
                tell(Action::Edge(edge));
                Ok(())
            }
            Ok(Outcome::Blocked) => Err(Halt::End),
            Err(_) => Err(Halt::Choice),
        }
    }

    /// Whether an edge starts an atomic section that it does not end.
    fn starts_section(&self, thread: usize, edge: EdgeId) -> bool {
        self.code.edge(self.top(thread).procedure, edge).sections > 0 && self.control.threads[thread].atomic == 0
    }

    /// Whether other threads cannot tell whether the edge was taken, nor make a difference to it.
    fn makes_no_difference(&mut self, thread: usize, procedure: ProcId, edge: EdgeId) -> bool {
        let CompiledEdge { is_private, may_be_private, .. } = self.code.edge(procedure, edge);
        *is_private || (*may_be_private && self.is_own_step(thread, edge))
    }

    /// Takes an edge of which at most one assignment is left to do: it cannot be blocked after that, so that there is no
    /// way back to note for its own sake. Tells whether it did; if not, nothing has changed.
    #[inline]
    fn take_lone(&mut self, thread: usize, procedure: ProcId, edge: EdgeId, from: usize) -> bool {
        let compiled = self.code.edge(procedure, edge);
        let Some(location) = compiled.leads_to else { return false };
        match compiled.block.get(from..) {
            Some([]) => {}
            Some([Instruction::Assign(slot, value)]) => {
                let Some(n) = self.scene(thread).small(value) else { return false };
                let slot = *slot;
                if self.keeps_trail {
                    self.data.write_small(thread, slot, n, &mut self.trail);
                } else {
                    let Some(number) = self.data.number_mut(thread, slot) else { return false };
                    *number = n;
                }
            }
            _ => return false,
        }
        let frame = self.control.threads[thread].frames.last_mut().expect("the frame that the edge is in");
        let before = std::mem::replace(&mut frame.location, location);
        if self.keeps_trail {
            self.trail.location(thread, before);
        }
        true
    }

    /// Whether the thread can return without a difference to others: they do not see its variables, and can only wait
    /// for its end.
    pub(super) fn returns_privately(&self, thread: usize) -> bool {
        let top = self.top(thread);
        let frames = &self.control.threads[thread].frames;
        let result = match frames.len().checked_sub(2).map(|caller| frames[caller].procedure) {
            Some(caller) => top.call.and_then(|call| self.code.edge(caller, call).result),
            None if thread == 0 && self.program.main_ends_all => return false,
            None => None,
        };
        !matches!(result, Some(Slot::Global(_)))
            && (!self.code.procedures[top.procedure].has_stack_objects || self.ends_privately(thread))
    }

    /// The one edge that is not surely blocked.
    fn only_edge(&self, thread: usize, edges: &[EdgeId]) -> Result<EdgeId, Halt> {
        let step = |edge: EdgeId| Step { thread: ThreadId::new(thread), action: Action::Edge(edge) };
        let mut open = edges.iter().copied().filter(|edge| edges.len() == 1 || !self.surely_blocked(step(*edge)));
        match (open.next(), open.next()) {
            (Some(edge), None) => Ok(edge),
            (None, _) => Err(Halt::End),
            _ => Err(Halt::Choice),
        }
    }
}
