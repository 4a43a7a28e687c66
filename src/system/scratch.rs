//! Temporary folders: only for this user's eyes, removed in the end, and by the next run where that was not possible.
//!
//! All are in one folder of the user's: for each run one, whose name tells the process that it belongs to.

use rustix::process::getuid;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// The process that this one works for, where that is not itself.
static WHOLE: AtomicI32 = AtomicI32::new(0);

/// Says that this process works for another one, which removes what is left.
pub fn work_for(process: i32) {
    WHOLE.store(process, Ordering::Relaxed);
}

/// A folder that is removed in the end.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new one.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub fn new() -> io::Result<Scratch> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let whole = match WHOLE.load(Ordering::Relaxed) {
            0 => std::process::id().cast_signed(),
            whole => whole,
        };
        let name = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let mut result = Err(io::ErrorKind::NotFound.into());
        // Another run may remove a folder that is empty just before something is put into it.
        for _ in 0..ATTEMPTS {
            result = user_folders().find_map(|folder| make(&folder).ok().map(|()| folder)).map_or_else(
                || Err(io::Error::other("no folder for temporary files can be made")),
                |folder| {
                    let run = folder.join(run_name(whole).unwrap_or_else(|| format!("0-{whole}-0")));
                    make(&run)?;
                    DirBuilder::new().mode(0o700).create(run.join(&name)).map(|()| Scratch(run.join(&name)))
                },
            );
            if result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
                continue;
            }
            break;
        }
        result
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

const ATTEMPTS: usize = 10;

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next run.
        let _ = fs::remove_dir_all(&self.0);
        for above in self.0.ancestors().skip(1).take(2) {
            // It stays where something else is in it.
            let _ = fs::remove_dir(above);
        }
    }
}

/// Removes the folders of this process, which nobody works for any more, and of those that are gone.
pub fn sweep(own: Own) {
    let own_name = run_name(std::process::id().cast_signed());
    for folder in user_folders().filter(|folder| is_ours(folder)) {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let is_own = own_name.as_deref() == Some(name);
            if (is_own && own == Own::Removed) || (!is_own && is_stale(name)) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let _ = fs::remove_dir(&folder);
    }
}

/// What becomes of the folder of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// It stays.
    Kept,
    /// It goes.
    Removed,
}

/// The folders of the user's that come into question: the first, unless somebody else took its name.
fn user_folders() -> impl Iterator<Item = PathBuf> {
    let (temporary, user) = (std::env::temp_dir(), getuid().as_raw());
    (0..4).map(move |number| match number {
        0 => temporary.join(format!("tandem-{user}")),
        _ => temporary.join(format!("tandem-{user}-{number}")),
    })
}

/// Makes a folder for this user alone, if it is not there already.
fn make(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_ours(folder) => Ok(()),
        made => made,
    }
}

/// Whether it is a folder of this user's, which nobody else can look into.
fn is_ours(folder: &Path) -> bool {
    let about = fs::symlink_metadata(folder);
    about.is_ok_and(|about| about.is_dir() && about.uid() == getuid().as_raw() && about.mode() & 0o077 == 0)
}

/// The name of the folder of a run: the space of process numbers, the process, and when that started, so that another one
/// with the same number is not taken for it.
fn run_name(process: i32) -> Option<String> {
    Some(format!("{}-{process}-{}", space()?, started(process)?))
}

/// The number of the space that process numbers are in: in a container, they say nothing about processes outside.
fn space() -> Option<u64> {
    fs::metadata("/proc/self/ns/pid").ok().map(|about| about.ino())
}

/// When a process started, in ticks since the system did.
fn started(process: i32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of its program, in parentheses, may hold anything.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// Whether the folder with that name is of a process that is gone.
fn is_stale(name: &str) -> bool {
    let mut parts = name.split('-');
    let (Some(of), Some(process), Some(start), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let is_here = of.parse().ok().is_some_and(|of: u64| Some(of) == space());
    let Ok(process) = process.parse() else { return false };
    is_here && started(process).is_none_or(|now| Ok(now) != start.parse())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_folder_is_for_its_user_and_goes() {
        let (one, two) = (Scratch::new().expect("it can be made"), Scratch::new().expect("it can be made"));
        let path = one.path().to_owned();
        assert_ne!(path, two.path());
        for folder in path.ancestors().take(3) {
            let mode = fs::metadata(folder).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o700, "{}", folder.display());
        }
        fs::write(path.join("file"), "text").expect("it can be written");
        drop(one);
        assert!(!path.exists() && two.path().exists());
    }

    #[test]
    fn only_folders_of_processes_that_are_gone_are_stale() {
        let own = run_name(std::process::id().cast_signed()).expect("Linux tells");
        assert!(!is_stale(&own));
        let mut parts = own.split('-');
        let (space, process) = (parts.next().expect("it has it"), parts.next().expect("it has it"));
        assert!(is_stale(&format!("{space}-{process}-1")), "another process had the number");
        assert!(is_stale(&format!("{space}-999999999-1")));
        assert!(!is_stale(&format!("7-{process}-1")), "that is a process of another space");
        assert!(!is_stale("something-else") && !is_stale("a-b-c-d"));
    }
}
