//! How much memory this process and its children have, and an end for the children.

use std::fs;

/// Bytes of memory in use by this process and all its descendants, where the system tells.
pub fn memory_in_use() -> Option<u64> {
    let page = rustix::param::page_size() as u64;
    let own = resident_pages("self")?;
    let others: u64 = descendants().into_iter().filter_map(|pid| resident_pages(&pid.to_string())).sum();
    Some((own + others) * page)
}

/// Kills every descendant of this process, so that no solver outlives it.
pub fn kill_descendants() {
    for pid in descendants() {
        if let Some(pid) = rustix::process::Pid::from_raw(pid) {
            // One that has ended meanwhile is what was wanted.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
}

fn resident_pages(process: &str) -> Option<u64> {
    let statm = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    statm.split_whitespace().nth(1)?.parse().ok()
}

fn descendants() -> Vec<i32> {
    let mut found = children("self");
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

    #[test]
    fn children_are_found() {
        let mut child = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().expect("sleep is there");
        let pid = i32::try_from(child.id()).expect("a pid is positive");
        assert!(descendants().contains(&pid));
        child.kill().expect("it runs");
        child.wait().expect("it ended");
    }
}
