//! Other programs: where they are found, what they may use, what is left of them and of their files.
//!
//! What this process may use is said once, by `set_ambient`; every program that is started after that shares it.

pub mod child;
pub mod find;
pub mod patience;
pub mod run;
pub mod scratch;
pub mod stack;
pub mod tree;

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What this process and all that it starts may use.
#[derive(Debug, Clone, Default)]
pub struct Ambient {
    /// Until when.
    pub deadline: Option<Instant>,
    /// How many bytes of memory, together.
    pub memory: Option<u64>,
    /// The executable whose hidden command `confine` starts other programs with their limits.
    pub confiner: Option<PathBuf>,
}

static AMBIENT: OnceLock<Ambient> = OnceLock::new();
static MEMORY_REACHED: AtomicBool = AtomicBool::new(false);

/// Says what this process may use; only the first call counts.
pub fn set_ambient(ambient: Ambient) {
    let _ = AMBIENT.set(ambient);
}

/// What this process may use.
pub fn ambient() -> &'static Ambient {
    static NONE: Ambient = Ambient { deadline: None, memory: None, confiner: None };
    AMBIENT.get().unwrap_or(&NONE)
}

/// Time left, where there is a limit.
pub fn time_left() -> Option<Duration> {
    ambient().deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
}

/// Memory that is not in use yet, where there is a limit.
pub fn memory_left() -> Option<u64> {
    ambient().memory.map(|limit| limit.saturating_sub(tree::memory_in_use().unwrap_or(0)))
}

/// Notes that a program that was started needed more memory than there is.
pub fn note_memory_reached() {
    MEMORY_REACHED.store(true, Ordering::Relaxed);
}

/// Whether that was noted.
pub fn memory_reached() -> bool {
    MEMORY_REACHED.load(Ordering::Relaxed)
}
