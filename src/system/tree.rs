//! How much memory this process and its children have, and an end for the children.

use super::patience::{GRACE_OF_ENDING, SHORT_TICK};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::time::{Duration, Instant};

/// Bytes of memory in use by this process and all its descendants, where the system tells.
pub fn memory_in_use() -> Option<u64> {
    let page = rustix::param::page_size() as u64;
    let own = resident_pages("self")?;
    let others: u64 = descendants().into_iter().filter_map(|pid| resident_pages(&pid.to_string())).sum();
    Some((own + others) * page)
}

/// Bytes of memory in use by this process alone.
pub fn own_memory() -> Option<u64> {
    Some(resident_pages("self")? * rustix::param::page_size() as u64)
}

/// Kills every descendant of this process, so that no solver outlives it.
pub fn kill_descendants() {
    for pid in descendants() {
        if let Some(pid) = Pid::from_raw(pid) {
            // One that has ended meanwhile is what was wanted.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Asks a process to end, also one that was made to wait.
pub fn ask_to_end(process: Pid) {
    for signal in [Signal::TERM, Signal::CONT] {
        // One that has ended meanwhile is what was wanted.
        let _ = kill_process(process, signal);
    }
}

/// Ends every descendant of this process: asks the children to end, so that they end theirs and remove what they made, and
/// kills whatever is left after a moment.
pub fn end_descendants() {
    children("self").into_iter().filter_map(Pid::from_raw).for_each(ask_to_end);
    let asked = Instant::now();
    while asked.elapsed() < GRACE_OF_ENDING {
        reap();
        if descendants().is_empty() {
            return;
        }
        std::thread::sleep(SHORT_TICK);
    }
    for _ in 0..ROUNDS {
        kill_descendants();
        reap();
        if descendants().is_empty() {
            return;
        }
        std::thread::sleep(SHORT_TICK);
    }
}

/// Takes note of children that have ended: until then they count as descendants.
fn reap() {
    while let Ok(Some(_)) = rustix::process::wait(rustix::process::WaitOptions::NOHANG) {}
}

const ROUNDS: usize = 150;

/// Kills a process and all its descendants.
pub(super) fn kill_tree(process: i32) {
    let below = below(process.to_string());
    for pid in std::iter::once(process).chain(below).filter_map(Pid::from_raw) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// How long to wait before memory in use is looked at again: less where the limit is near, since programs can fill
/// some gigabytes a second.
pub fn next_look(limit: u64, used: u64) -> Duration {
    const BYTES_PER_MILLISECOND: u64 = 8 << 20;
    Duration::from_millis((limit.saturating_sub(used) / BYTES_PER_MILLISECOND).clamp(1, 50))
}

fn resident_pages(process: &str) -> Option<u64> {
    let statm = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    statm.split_whitespace().nth(1)?.parse().ok()
}

/// The processes that this one has started, and those that they have, and so on.
pub fn descendants() -> Vec<i32> {
    below("self".to_owned())
}

fn below(process: String) -> Vec<i32> {
    let mut found = children(&process);
    let mut next = 0;
    while next < found.len() {
        found.extend(children(&found[next].to_string()));
        next += 1;
    }
    found
}

/// The children of all threads of a process.
fn children(process: &str) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn memory_that_is_used_shows() {
        let before = memory_in_use().expect("Linux tells");
        let block = vec![1u8; 64 << 20];
        let after = memory_in_use().expect("Linux tells");
        assert!(after >= before + (32 << 20), "{before} to {after} with {} more", block.len());
    }

    /// One that was made to wait, too, has the time to remove what it made.
    #[test]
    fn who_is_asked_to_end_can_tidy_up() {
        let script = "trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done";
        let mut child = Command::new("sh").arg("-c").arg(script).stdout(Stdio::piped()).spawn().expect("a shell");
        let mut said = [0; 6];
        let mut stdout = child.stdout.take().expect("piped");
        std::io::Read::read_exact(&mut stdout, &mut said).expect("it says that it is ready");
        let process = Pid::from_raw(i32::try_from(child.id()).expect("a pid is positive")).expect("it is a process");
        kill_process(process, Signal::STOP).expect("it runs");
        ask_to_end(process);
        assert_eq!(child.wait().expect("it ended").code(), Some(7));
    }

    #[test]
    fn children_are_found() {
        let mut child = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().expect("sleep is there");
        let pid = i32::try_from(child.id()).expect("a pid is positive");
        assert!(descendants().contains(&pid));
        child.kill().expect("it runs");
        child.wait().expect("it ended");
    }
}
