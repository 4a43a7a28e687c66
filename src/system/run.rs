//! Running a program to its end, within limits: of time, of memory, of what it writes.

pub use super::child::Program;
use super::child::{self, Confinement, command, spawn};
use super::{memory_left, note_memory_reached, time_left};
use std::io::{self, Read, Write};
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
    /// It ended, but its output did not.
    #[error("it ended, but its output is still open")]
    Open,
    /// It wrote too much.
    #[error("it writes more than {} MB", .0 >> 20)]
    Output(usize),
}

/// How many bytes of its complaints are kept.
const LONGEST_COMPLAINT: usize = 1 << 20;

/// How long pipes may stay open after the program has ended: by what it left behind, or because this process was not given the
/// time to read. After that it is not known whether everything was read, and a part of an output must never pass for all of it.
const AFTERMATH: Duration = Duration::from_secs(2);

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

/// What was read of a pipe so far.
type Collected = Arc<Mutex<Vec<u8>>>;

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
            Some((_, since)) if since.elapsed() > AFTERMATH => return Err(RunError::Open),
            _ if deadline.is_some_and(is_late) => {
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
    let taken = |pipe: Collected| std::mem::take(&mut *pipe.lock().unwrap_or_else(PoisonError::into_inner));
    let (status, _) = ended.expect("the loop ends where the program did");
    let output = Output { status, stdout: taken(stdout), stderr: taken(stderr) };
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
    mut pipe: Option<impl Read + Send + 'static>,
    most: usize,
    counts: bool,
    sender: &Sender<Event>,
) -> io::Result<Collected> {
    let collected = Collected::default();
    let (kept, sender) = (Arc::clone(&collected), sender.clone());
    let read = move || {
        let mut buffer = vec![0; 1 << 16];
        while let Some(count) = pipe_read(pipe.as_mut(), &mut buffer) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
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

/// How many bytes were read; none at the end.
fn pipe_read(pipe: Option<&mut impl Read>, buffer: &mut [u8]) -> Option<usize> {
    let pipe = pipe?;
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

    #[test]
    fn one_that_hangs_is_ended() {
        let caps = Caps { time: Some(Duration::from_millis(50)), ..Caps::default() };
        let started = Instant::now();
        assert!(matches!(shell("exec sleep 60", caps), Err(RunError::Late)));
        // What a program leaves behind may hold its pipes: then nobody knows whether what was read is all.
        assert!(matches!(shell("sleep 60 & echo said", Caps::default()), Err(RunError::Open)));
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
