//! Parts: processes that do the work. This one starts them, keeps them to their limits, and ends what is left of them.
//!
//! Nothing of the user's is read in this process: whatever a part does to itself costs an answer, not the report.

use crate::engine::{Budget, EngineId, Stop};
use crate::report::part::PartReport;
use crate::system::patience::{TICK, Waiting, grace};
use crate::system::{child, tree};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// How a part is started: with its own arguments, its limits, and those of the user.
#[derive(Debug, Clone)]
pub struct PartCommand {
    /// The program.
    pub executable: PathBuf,
    /// What comes before the arguments of the part.
    pub before: Vec<OsString>,
    /// What comes after them.
    pub after: Vec<OsString>,
    /// Whether it is given what is left of the limits.
    pub has_limits: bool,
}

/// What a part does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What the command line says.
    Whole,
    /// Reading the program, to choose engines.
    Facts,
    /// An engine.
    Engine(EngineId),
}

impl Part {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Part::Whole => "the engine",
            Part::Facts => "reading",
            Part::Engine(id) => id.name(),
        }
    }

    /// How much of the time that is left is for it. Shapes are found early or not at all.
    fn share_of(self, left: Duration) -> Duration {
        match self {
            Part::Engine(EngineId::Shape) => left.min((left / 5).max(Duration::from_secs(2))),
            _ => left,
        }
    }

    fn arguments(self) -> Vec<&'static str> {
        match self {
            Part::Whole => Vec::new(),
            Part::Facts => vec!["--part-facts"],
            Part::Engine(id) => vec!["--engine", id.name()],
        }
    }
}

/// What became of a part.
pub enum End {
    /// Its line, and what comes after it.
    Report(PartReport, Box<dyn Read + Send>),
    /// It refused what the user gave, with this message for standard error.
    Refused(Vec<u8>),
    /// It broke down.
    Broken(Breakdown),
}

/// How a part broke down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Breakdown {
    /// It had no memory left.
    Memory,
    /// Its stack was too small.
    Stack,
    /// The system limits what a process may do, and it did more.
    Limited(&'static str),
    /// It was killed, and not by this process.
    Killed,
    /// Otherwise.
    Other(String),
}

impl Breakdown {
    /// Why there is no answer.
    pub fn reason(&self) -> String {
        match self {
            Breakdown::Memory => Stop::MemoryLimit.to_string(),
            Breakdown::Stack => "the program is nested too deeply for the stack that there is memory for".to_owned(),
            Breakdown::Limited(what) => format!("the system's limit on {what} was reached"),
            Breakdown::Killed => "its process was killed".to_owned(),
            Breakdown::Other(what) => format!("it broke down: {what}"),
        }
    }
}

/// A share of the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    /// This many
    pub part: u64,
    /// of this many.
    pub of: u64,
}

impl Share {
    /// All of it.
    pub const ALL: Share = Share { part: 1, of: 1 };

    fn of(self, bytes: u64) -> u64 {
        bytes / self.of.max(1) * self.part
    }
}

/// Longer lines than this are no line of a part.
const LONGEST_LINE: u64 = 1 << 24;

/// How much of what a part complains about is kept.
const LONGEST_COMPLAINT: u64 = 1 << 20;

/// A part at work.
struct Running {
    part: Part,
    process: Pid,
    share: Share,
    is_paused: bool,
}

/// The parts at work.
pub(super) struct Team<'a> {
    command: &'a PartCommand,
    memory: Option<u64>,
    budget: &'a Budget,
    running: Vec<Running>,
    sender: Sender<(Part, End)>,
    receiver: Receiver<(Part, End)>,
    told_to_stop: Option<Instant>,
    restarted: Vec<Part>,
    is_out_of_memory: bool,
}

impl<'a> Team<'a> {
    /// Nobody yet.
    pub fn new(command: &'a PartCommand, memory: Option<u64>, budget: &'a Budget) -> Team<'a> {
        let (sender, receiver) = channel();
        Team {
            command,
            memory,
            budget,
            running: Vec::new(),
            sender,
            receiver,
            told_to_stop: None,
            restarted: Vec::new(),
            is_out_of_memory: false,
        }
    }

    /// The parts at work.
    pub(super) fn at_work(&self) -> impl Iterator<Item = Part> + '_ {
        self.running.iter().map(|running| running.part)
    }

    /// Why all of them have to stop, where they have to.
    pub fn stop(&self) -> Option<Stop> {
        if self.is_out_of_memory { Some(Stop::MemoryLimit) } else { self.budget.check().err() }
    }

    /// Whether there is a limit on memory.
    pub(super) fn has_memory_limit(&self) -> bool {
        self.memory.is_some()
    }

    /// Starts a part, with its share of the memory, if there is time for it.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub fn start(&mut self, part: Part, share: Share) -> std::io::Result<()> {
        if self.told_to_stop.is_some() || self.is_out_of_memory || self.budget.check().is_err() {
            return Ok(());
        }
        let mut command = Command::new(&self.command.executable);
        command.args(&self.command.before).args(part.arguments());
        command.arg("--part").arg(std::process::id().to_string());
        if let Some(left) = self.budget.remaining().filter(|_| self.command.has_limits) {
            command.arg("--time-limit").arg(format!("{}ms", part.share_of(left).as_millis().max(1)));
        }
        if let Some(limit) = self.memory.filter(|_| self.command.has_limits) {
            let left = limit.saturating_sub(tree::own_memory().unwrap_or(0));
            command.arg("--memory-limit").arg(share.of(left).max(1).to_string());
        }
        command.args(&self.command.after).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child::spawn(command)?;
        let gone = || std::io::Error::other("it has no process");
        let process = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or_else(gone)?;
        let (stdout, stderr) = (child.stdout.take().ok_or_else(gone)?, child.stderr.take().ok_or_else(gone)?);
        let sender = self.sender.clone();
        std::thread::Builder::new().name(part.name().to_owned()).spawn(move || {
            // Nobody waits for it any more where another part had the answer.
            let _ = sender.send((part, finish(child, stdout, stderr)));
        })?;
        self.running.push(Running { part, process, share, is_paused: false });
        Ok(())
    }

    /// Lets a part go on, or makes it wait.
    pub(super) fn set_paused(&mut self, part: Part, paused: bool) {
        let signal = if paused { Signal::STOP } else { Signal::CONT };
        for running in self.running.iter_mut().filter(|running| running.part == part && running.is_paused != paused) {
            // One that has ended meanwhile is what was wanted.
            let _ = kill_process(running.process, signal);
            running.is_paused = paused;
        }
    }

    /// Asks the parts that are still at work to end. Those that do not are killed when this process ends, which also
    /// removes what is theirs.
    pub fn end(&mut self) {
        for running in self.running.drain(..) {
            tree::ask_to_end(running.process);
        }
    }

    /// Waits a moment for the end of a part, and looks at the limits.
    pub fn wait(&mut self) -> Option<(Part, End)> {
        let tick = self.watch_memory();
        let end = self.receiver.recv_timeout(tick).ok();
        self.watch_time();
        let (part, end) = end?;
        let place = self.running.iter().position(|running| running.part == part)?;
        let share = self.running.remove(place).share;
        if matches!(end, End::Broken(Breakdown::Killed))
            && !self.restarted.contains(&part)
            && self.start(part, share).is_ok()
            && self.running.iter().any(|running| running.part == part)
        {
            self.restarted.push(part);
            return None;
        }
        Some((part, end))
    }

    /// Ends the parts where there is no memory left; tells when to look again.
    fn watch_memory(&mut self) -> Duration {
        let (Some(limit), Some(used)) = (self.memory, self.memory.and_then(|_| tree::memory_in_use())) else {
            return TICK;
        };
        if used > limit && !self.running.is_empty() {
            self.is_out_of_memory = true;
            tree::kill_descendants();
        }
        tree::next_look(limit, used).min(TICK)
    }

    fn watch_time(&mut self) {
        let Err(stop) = self.budget.check() else { return };
        if self.running.is_empty() {
            return;
        }
        if self.told_to_stop.is_none() {
            for running in &self.running {
                // When the time is up, they know by themselves.
                if stop == Stop::Interrupted {
                    let _ = kill_process(running.process, Signal::INT);
                }
                let _ = kill_process(running.process, Signal::CONT);
            }
        }
        let since = *self.told_to_stop.get_or_insert_with(Instant::now);
        if since.elapsed() > grace(Waiting::ForPart, self.budget.limit()) {
            tree::kill_descendants();
        }
    }
}

/// Waits for what a part has to say.
fn finish(mut child: Child, stdout: ChildStdout, stderr: ChildStderr) -> End {
    let listener = std::thread::Builder::new().spawn(move || {
        let mut text = Vec::new();
        let mut stderr = stderr;
        let _ = stderr.by_ref().take(LONGEST_COMPLAINT).read_to_end(&mut text);
        // What is beyond is read, so that the part can go on.
        let _ = std::io::copy(&mut stderr, &mut std::io::sink());
        text
    });
    // Without memory for a stack there is no thread; who waits for the part has to know that it ended all the same.
    let Ok(complaint) = listener else {
        let _ = child.kill();
        let _ = child.wait();
        return End::Broken(Breakdown::Memory);
    };
    let mut stdout = BufReader::new(stdout);
    let mut line = Vec::new();
    let read = stdout.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
    if let (Ok(_), Ok(line)) = (read, std::str::from_utf8(&line))
        && let Some(report) = PartReport::from_line(line.trim_end())
    {
        return End::Report(report, Box::new(stdout));
    }
    drop(stdout);
    let complaint = complaint.join().unwrap_or_default();
    match child.wait() {
        Ok(status) if status.code() == Some(REFUSED) => End::Refused(complaint),
        Ok(status) => End::Broken(breakdown(status, &String::from_utf8_lossy(&complaint))),
        Err(error) => End::Broken(Breakdown::Other(error.to_string())),
    }
}

/// The exit status of a part that refuses what the user gave.
const REFUSED: i32 = 3;

/// How a process broke down, from its status and its complaint.
pub fn breakdown(status: ExitStatus, complaint: &str) -> Breakdown {
    const KILL: i32 = 9;
    const CPU: i32 = 24;
    const FILE_SIZE: i32 = 25;
    if complaint.contains("memory allocation of") {
        return Breakdown::Memory;
    }
    if complaint.contains("has overflowed its stack") {
        return Breakdown::Stack;
    }
    match (status.signal(), complaint.lines().next()) {
        (Some(KILL), _) => Breakdown::Killed,
        (Some(CPU), _) => Breakdown::Limited("processor time"),
        (Some(FILE_SIZE), _) => Breakdown::Limited("the size of files"),
        (_, Some(line)) => Breakdown::Other(format!("{line} ({status})")),
        (_, None) => Breakdown::Other(status.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end_of(script: &str) -> End {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("there is a shell");
        let (stdout, stderr) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
        finish(child, stdout, stderr)
    }

    #[test]
    fn a_part_that_breaks_down_says_how() {
        let broken = |script: &str| match end_of(script) {
            End::Broken(breakdown) => breakdown,
            End::Report(..) | End::Refused(_) => panic!("it broke down"),
        };
        assert_eq!(broken("kill -9 $$"), Breakdown::Killed);
        assert_eq!(broken("echo memory allocation of 7 bytes failed >&2; kill -6 $$"), Breakdown::Memory);
        assert!(matches!(broken("echo nonsense"), Breakdown::Other(_)));
        let Breakdown::Other(what) = broken("echo oops >&2; exit 7") else { panic!("it ended by itself") };
        assert!(what.contains("oops") && what.contains('7'), "{what}");
    }

    #[test]
    fn what_comes_after_the_line_is_the_report() {
        let line = PartReport { status: 1, ..PartReport::default() }.to_line();
        let End::Report(report, mut rest) = end_of(&format!("echo '{line}'; echo all; echo of it")) else {
            panic!("it has a report")
        };
        let mut text = String::new();
        rest.read_to_string(&mut text).expect("it can be read");
        assert_eq!((report.status, text.as_str()), (1, "all\nof it\n"));
        assert!(matches!(end_of("echo no such file >&2; exit 3"), End::Refused(text) if text == b"no such file\n"));
    }
}
