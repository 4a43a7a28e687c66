//! What an engine may use, and how it is told to stop.

use super::Stop;
use crate::formula::blocks::WalkError;
use crate::solver::{Cascade, SmtProcess, locate, quick_solver};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Limits on a run, the way to interrupt it, and where it says how far it is. Clones share all of it.
#[derive(Debug, Clone)]
pub struct Budget {
    started: Instant,
    deadline: Option<Instant>,
    /// Once true, what works under this budget is not needed any more.
    ended: Option<Arc<AtomicBool>>,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    interrupted: AtomicBool,
    out_of_memory: AtomicBool,
    states: AtomicU64,
    transitions: AtomicU64,
    waiting: AtomicU64,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// States found but not explored yet.
    pub waiting: u64,
}

impl Budget {
    /// A solver that stops where the budget ends.
    pub(super) fn solver(&self, named: Option<&Path>) -> Result<Cascade, Stop> {
        self.cascade(named, None)
    }

    /// The same, behind a quicker one where there is one and the user named none. Its models are others: `cegar` and
    /// `symbolic` learn from models, and need more refinements with those (of the project's own programs one has no
    /// answer any more, and ticket3 takes six iterations instead of five), so that they do not use it for integers.
    pub(super) fn quick_solver(&self, named: Option<&Path>) -> Result<Cascade, Stop> {
        self.cascade(named, quick_solver(named).map(|quick| SmtProcess::new(quick.config())))
    }

    fn cascade(&self, named: Option<&Path>, quick: Option<SmtProcess>) -> Result<Cascade, Stop> {
        let found = locate(named).map_err(|error| Stop::Solver(error.to_string()))?;
        let mut solver = Cascade::new(SmtProcess::new(found.config()), quick);
        solver.set_deadline(self.remaining().and_then(|left| Instant::now().checked_add(left)));
        Ok(solver)
    }

    /// Why an engine stops whose walk did not come to its end.
    pub(super) fn stop_of_walk(&self, error: WalkError) -> Stop {
        match error {
            WalkError::Unsupported(construct) => construct.into(),
            WalkError::Stopped => self.check().err().unwrap_or(Stop::Interrupted),
        }
    }

    /// No limit.
    pub fn unlimited() -> Budget {
        Budget { started: Instant::now(), deadline: None, ended: None, shared: Arc::default() }
    }

    /// At most this much time from now.
    pub fn with_time(limit: Option<Duration>) -> Budget {
        let started = Instant::now();
        let deadline = limit.and_then(|limit| started.checked_add(limit));
        Budget { started, deadline, ended: None, shared: Arc::default() }
    }

    /// The reason to stop, where there is one. Cheap, but not free: ask every thousand steps or so.
    pub fn check(&self) -> Result<(), Stop> {
        let is_ended = self.ended.as_ref().is_some_and(|ended| ended.load(Ordering::Relaxed));
        if is_ended || self.shared.interrupted.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        if self.shared.out_of_memory.load(Ordering::Relaxed) {
            return Err(Stop::MemoryLimit);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::TimeLimit),
            _ => Ok(()),
        }
    }

    /// Asks whoever works under this budget to stop soon.
    pub fn interrupt(&self) {
        self.shared.interrupted.store(true, Ordering::Relaxed);
    }

    /// Says that the memory limit was reached.
    pub fn out_of_memory(&self) {
        self.shared.out_of_memory.store(true, Ordering::Relaxed);
    }

    /// Time since the budget was made.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time left, where there is a limit.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The time limit.
    pub fn limit(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(self.started))
    }

    /// The same, with at most this much time from now.
    pub fn at_most(&self, limit: Duration) -> Budget {
        let deadline = Instant::now().checked_add(limit);
        let deadline = match (self.deadline, deadline) {
            (Some(overall), Some(own)) => Some(overall.min(own)),
            (overall, own) => overall.or(own),
        };
        Budget { deadline, ..self.clone() }
    }

    /// The same, until the flag is true.
    pub fn until(&self, ended: Arc<AtomicBool>) -> Budget {
        Budget { ended: Some(ended), ..self.clone() }
    }

    /// Says how far the run is.
    pub fn report(&self, progress: Progress) {
        self.shared.states.store(progress.states, Ordering::Relaxed);
        self.shared.transitions.store(progress.transitions, Ordering::Relaxed);
        self.shared.waiting.store(progress.waiting, Ordering::Relaxed);
    }

    /// How far the run said that it is.
    pub fn progress(&self) -> Progress {
        Progress {
            states: self.shared.states.load(Ordering::Relaxed),
            transitions: self.shared.transitions.load(Ordering::Relaxed),
            waiting: self.shared.waiting.load(Ordering::Relaxed),
        }
    }
}
