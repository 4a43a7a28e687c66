//! How often limits are looked at, and how long what was told to stop may go on. All of it is here, because each who waits
//! has to wait longer than those it waits for: a search, the work of a part, a part.

use std::time::Duration;

/// How often limits are looked at. One look at a process tree reads a file per process, well under a millisecond.
pub const TICK: Duration = Duration::from_millis(20);

/// How often a program that `run` executes is looked at: each look is a system call, and the user waits for the last one.
pub const SHORT_TICK: Duration = Duration::from_millis(2);

/// How long a part may take to end by itself after SIGTERM, before it is killed.
pub(super) const GRACE_OF_ENDING: Duration = Duration::from_millis(200);

/// Who was told to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// One of several searches of an engine.
    ForSearch,
    /// All the work of a part, on its own thread.
    ForWork,
    /// A part, which has a report to write when its work is done or given up.
    ForPart,
}

/// How long it may go on after it was told to stop, under that limit of time: the longer of a fixed time and a share of the
/// limit, so that a part is killed at most 1 s or 10 % after the limit, whichever is more. With these, `benches/limits.py` on 20
/// tasks at 5 s took 5.81 s at most, on two cores that 16 other processes wanted; other values were not compared.
pub fn grace(waiting: Waiting, limit: Option<Duration>) -> Duration {
    let (fixed, share) = match waiting {
        Waiting::ForSearch => (300, 20),
        Waiting::ForWork => (500, 16),
        Waiting::ForPart => (800, 11),
    };
    Duration::from_millis(fixed).max(limit.unwrap_or_default() / share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_waits_longer_than_those_it_waits_for() {
        for limit in [None, Some(1), Some(5), Some(10), Some(900)].map(|limit| limit.map(Duration::from_secs)) {
            let of = |waiting| grace(waiting, limit);
            let looks = TICK * 2;
            assert!(of(Waiting::ForSearch) + looks < of(Waiting::ForWork), "{limit:?}");
            assert!(of(Waiting::ForWork) + looks < of(Waiting::ForPart), "{limit:?}");
            let allowed = Duration::from_secs(1).max(limit.unwrap_or_default() / 10);
            assert!(of(Waiting::ForPart) + looks < allowed, "{limit:?}");
        }
    }
}
