//! Threads with a large stack, and the memory that this process itself may use.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

/// Deeply nested programs are read, checked and encoded by recursion.
const LARGEST_STACK: usize = 512 << 20;
const SMALLEST_STACK: usize = 2 << 20;

/// Which part of the space for addresses a stack may take, where that is limited.
const SHARE_OF_SPACE: u64 = 4;

/// Whether this process has limited its own memory.
static IS_LIMITED: AtomicBool = AtomicBool::new(false);

/// Starts a thread with a stack that is as large as can be had.
///
/// # Errors
/// Where there is not even memory for a small one.
pub fn deep_thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let space = getrlimit(Resource::As).current;
    let free = space.map(|space| space.saturating_sub(pages(0).unwrap_or(0)) / SHARE_OF_SPACE);
    let mut bytes = free.map_or(LARGEST_STACK, |free| LARGEST_STACK.min(usize::try_from(free).unwrap_or(usize::MAX)));
    // The work is only given to a thread that was started.
    let work = std::sync::Arc::new(Mutex::new(Some(work)));
    loop {
        bytes = bytes.max(SMALLEST_STACK);
        let given = std::sync::Arc::clone(&work);
        let run = move || {
            let work = given.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(work) = work {
                work();
            }
        };
        make_room(bytes as u64);
        match std::thread::Builder::new().name(name.to_owned()).stack_size(bytes).spawn(run) {
            Err(_) if bytes > SMALLEST_STACK => bytes /= 2,
            started => return started.map(drop),
        }
    }
}

/// Has the kernel refuse this process more memory than that in addition to what it has reserved, but not used, already.
pub fn limit_own_memory(bytes: u64) {
    let (Some(data), Some(resident)) = (pages(5), pages(1)) else { return };
    IS_LIMITED.store(true, Ordering::Relaxed);
    set_limit(data.saturating_sub(resident.min(data)) + bytes);
}

/// A stack is reserved as a whole, and used in part.
fn make_room(bytes: u64) {
    if IS_LIMITED.load(Ordering::Relaxed)
        && let Some(limit) = getrlimit(Resource::Data).current
    {
        set_limit(limit.saturating_add(bytes));
    }
}

fn set_limit(bytes: u64) {
    let before = getrlimit(Resource::Data);
    let current = before.maximum.map_or(bytes, |most| most.min(bytes));
    // A limit that cannot be set is kept by looking at what is in use.
    let _ = setrlimit(Resource::Data, Rlimit { current: Some(current), maximum: before.maximum });
}

/// One of the numbers that the system tells of this process's memory, in bytes.
fn pages(field: usize) -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(field)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn deep_recursion_fits() {
        fn depth(n: u64) -> u64 {
            let frame = std::hint::black_box([n; 16]);
            if n == 0 { 0 } else { 1 + depth(n - 1) + frame[3] - n }
        }
        let (sender, receiver) = channel();
        deep_thread("deep", move || sender.send(depth(500_000)).expect("somebody waits")).expect("it can be started");
        assert_eq!(receiver.recv(), Ok(500_000));
    }
}
