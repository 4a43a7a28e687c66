//! Running a program to its end, within limits: of time, of memory, of what it writes.

pub use super::child::Program;
use super::child::{self, Confinement, command, spawn};
use super::{memory_left, note_memory_reached, time_left};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, ioctl_fionread};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a program may use. The limits of this process hold besides.
#[derive(Debug, Clone, Copy)]
pub struct Caps {
    /// How long it may take.
    pub time: Option<Duration>,
    /// How many bytes of memory it may use.
    pub memory: Option<u64>,
    /// How many bytes it may write.
    pub output: usize,
    /// Whether it starts programs of its own.
    pub has_children: bool,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps { time: None, memory: None, output: 256 << 20, has_children: false }
    }
}

/// What a program that ended has written.
#[derive(Debug)]
pub struct Output {
    /// How it ended.
    pub status: ExitStatus,
    /// To standard output.
    pub stdout: Vec<u8>,
    /// The start of what it wrote to standard error.
    pub stderr: Vec<u8>,
}

/// Why a program did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It could not be started.
    #[error("{0}")]
    Start(#[from] io::Error),
    /// It took too long.
    #[error("it did not end in time")]
    Late,
    /// It needed too much memory.
    #[error("there is not enough memory for it")]
    Memory,
    /// It wrote too much.
    #[error("it writes more than {} MB", .0 >> 20)]
    Output(usize),
}

/// How many bytes of its complaints are kept.
const LONGEST_COMPLAINT: usize = 1 << 20;

/// How long pipes are waited for after the program has ended, where something that it left behind holds them open. What
/// the program itself wrote is in the pipe by then, and is read in any case, however long that takes.
const AFTERMATH: Duration = Duration::from_millis(500);

/// What programs say when they have no memory left.
const OUT_OF_MEMORY: [&str; 8] = [
    "out of memory",
    "memory exhausted",
    "OutOfMemoryError",
    "insufficient memory",
    "bad_alloc",
    "failed to map segment",
    "Could not reserve enough space",
    "Cannot allocate memory",
];

/// What was read of a pipe so far, and the pipe.
struct Collected {
    bytes: Arc<Mutex<Vec<u8>>>,
    pipe: Option<OwnedFd>,
}

impl Collected {
    /// Whether nothing is in the pipe, nor on its way from there: the reader reads only while it holds the bytes.
    fn is_drained(&self) -> bool {
        let _held = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        self.pipe.as_ref().is_none_or(|pipe| ioctl_fionread(pipe).map_or(true, |left| left == 0))
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What is told about a program's pipes.
enum Event {
    /// One is at its end.
    End,
    /// There is more than was allowed.
    TooMuch,
}

/// Runs the program to its end, with that input.
///
/// # Errors
/// Where it cannot be started, or a limit was reached.
pub fn run(program: &Program, input: &[u8], caps: Caps) -> Result<Output, RunError> {
    let memory = [caps.memory, memory_left()].into_iter().flatten().min();
    let time = [caps.time, time_left()].into_iter().flatten().min();
    let seconds = time.map(|time| time.as_secs() + 2);
    let mut command = command(program, Confinement { memory, seconds, has_children: caps.has_children })?;
    command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = spawn(command)?;
    let deadline = time.and_then(|time| Instant::now().checked_add(time));
    let (sender, events) = channel();
    if let Some(mut pipe) = child.stdin.take() {
        let input = input.to_vec();
        // A program that stops early does not read everything; what it says counts.
        thread(move || drop(pipe.write_all(&input)))?;
    }
    let stdout = collect(child.stdout.take(), caps.output, true, &sender)?;
    let stderr = collect(child.stderr.take(), LONGEST_COMPLAINT, false, &sender)?;
    drop(sender);
    let mut open = 2;
    let mut ended: Option<(ExitStatus, Instant)> = None;
    loop {
        let is_late = |deadline: Instant| Instant::now() >= deadline;
        if ended.is_none() {
            ended = child.try_wait()?.map(|status| (status, Instant::now()));
        }
        match &ended {
            Some(_) if open == 0 => break,
            Some((_, since)) if since.elapsed() > AFTERMATH && stdout.is_drained() && stderr.is_drained() => break,
            None if deadline.is_some_and(is_late) => {
                child::kill(&mut child);
                return Err(RunError::Late);
            }
            _ => {}
        }
        // With both pipes at their end, the program is about to be.
        let tick = Duration::from_millis(if open == 0 { 1 } else { 5 });
        match events.recv_timeout(tick) {
            Ok(Event::End) => open -= 1,
            Ok(Event::TooMuch) => {
                child::kill(&mut child);
                return Err(RunError::Output(caps.output));
            }
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(tick),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    let (status, _) = ended.expect("the loop ends where the program did");
    let output = Output { status, stdout: stdout.take(), stderr: stderr.take() };
    if ran_out_of_memory(&output) {
        note_memory_reached();
        return Err(RunError::Memory);
    }
    Ok(output)
}

fn ran_out_of_memory(output: &Output) -> bool {
    if output.status.success() {
        return false;
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    // The compiler of Java complains on its other output where it cannot even begin.
    let said = String::from_utf8_lossy(&output.stdout[..output.stdout.len().min(1 << 12)]);
    OUT_OF_MEMORY.iter().any(|text| complaint.contains(text) || said.contains(text))
}

/// Reads a pipe to its end on a thread of its own, and keeps at most that many bytes; more is an event, where it counts.
fn collect(
    mut pipe: Option<impl Read + AsFd + Send + 'static>,
    most: usize,
    counts: bool,
    sender: &Sender<Event>,
) -> io::Result<Collected> {
    let other = pipe.as_ref().map(|pipe| pipe.as_fd().try_clone_to_owned()).transpose()?;
    let collected = Collected { bytes: Arc::default(), pipe: other };
    let (kept, sender) = (Arc::clone(&collected.bytes), sender.clone());
    let read = move || {
        let mut buffer = vec![0; 1 << 16];
        while let Some(there) = pipe.as_mut().filter(is_readable) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(count) = pipe_read(there, &mut buffer) else { break };
            let room = most.saturating_sub(kept.len());
            kept.extend_from_slice(&buffer[..count.min(room)]);
            if count > room && counts {
                // Nobody listens any more where the program was ended.
                let _ = sender.send(Event::TooMuch);
                return;
            }
        }
        let _ = sender.send(Event::End);
    };
    thread(read)?;
    Ok(collected)
}

/// Waits until there is something to read, or the end.
fn is_readable(pipe: &impl AsFd) -> bool {
    loop {
        match poll(&mut [PollFd::new(pipe, PollFlags::IN)], None) {
            Err(Errno::INTR) => {}
            waited => return waited.is_ok(),
        }
    }
}

/// How many bytes were read; none at the end.
fn pipe_read(pipe: &mut impl Read, buffer: &mut [u8]) -> Option<usize> {
    loop {
        match pipe.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read.ok().filter(|count| *count > 0),
        }
    }
}

fn thread(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name("tandem-pipe".to_owned()).stack_size(256 << 10).spawn(work).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, caps: Caps) -> Result<Output, RunError> {
        run(&Program::new("/bin/sh").argument("-c").argument(script), b"given\n", caps)
    }

    #[test]
    fn a_program_says_what_it_has_to() {
        let output = shell("cat; echo told >&2; exit 3", Caps::default()).expect("it runs");
        assert_eq!((&output.stdout[..], &output.stderr[..]), (&b"given\n"[..], &b"told\n"[..]));
        assert_eq!(output.status.code(), Some(3));
    }

    /// However late the reader is, what the program wrote before it ended is read to its last byte.
    #[test]
    fn nothing_is_lost_where_something_holds_the_pipe_open() {
        let script = "sleep 60 & head -c 60000 /dev/zero; exit 0";
        for _ in 0..5 {
            assert!(shell(script, Caps::default()).is_ok_and(|output| output.stdout.len() == 60_000));
        }
        let (sender, _events) = channel();
        let (read, write) = rustix::pipe::pipe().expect("there is a pipe");
        let collected = collect(Some(std::fs::File::from(read)), 1 << 20, true, &sender).expect("a thread starts");
        let held = collected.bytes.lock().expect("nobody panicked");
        rustix::io::write(&write, b"late").expect("there is room");
        // The reader waits for the bytes, so that nothing has left the pipe.
        assert_eq!(ioctl_fionread(collected.pipe.as_ref().expect("there is one")), Ok(4));
        drop(held);
        while !collected.is_drained() {}
        assert_eq!(collected.take(), b"late");
    }

    #[test]
    fn one_that_hangs_is_ended() {
        let caps = Caps { time: Some(Duration::from_millis(50)), ..Caps::default() };
        let started = Instant::now();
        assert!(matches!(shell("exec sleep 60", caps), Err(RunError::Late)));
        // What a program leaves behind may hold its pipes.
        assert!(shell("sleep 60 & echo said", Caps::default()).is_ok_and(|output| output.stdout == b"said\n"));
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    }

    #[test]
    fn one_that_writes_without_end_is_ended() {
        let caps = Caps { output: 1 << 20, ..Caps::default() };
        assert!(matches!(shell("cat /dev/zero", caps), Err(RunError::Output(_))));
    }

    #[test]
    fn what_cannot_be_started_is_said() {
        let started = |path: &str| run(&Program::new(path), b"", Caps::default());
        assert!(matches!(started("/no/such/program"), Err(RunError::Start(_))));
        assert!(matches!(started("/"), Err(RunError::Start(_))));
    }
}
