//! A child process that answers one s-expression or word to a question: writing, waiting and reaping.
//!
//! No thread reads for us: the writer polls both pipes, so neither side can block the other, and every wait has
//! a deadline. The standard library ignores SIGPIPE, so writing to a dead child is an error like any other.

use crate::system::child::{self, Confinement, Program};
use crate::system::{memory_left, note_memory_reached};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a child gave no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PipeError {
    /// It could not be started.
    #[error("cannot start {0}: {1}")]
    Start(String, String),
    /// It ended, or closed its output.
    #[error("the solver process ended{0}")]
    Ended(String),
    /// The deadline passed.
    #[error("the solver did not answer in time")]
    Late,
    /// The caller asked to stop waiting.
    #[error("interrupted")]
    Interrupted,
    /// It wrote something when nothing was asked, or something that is no text.
    #[error("unexpected output of the solver: {0}")]
    Garbage(String),
    /// The operating system failed.
    #[error("pipe to the solver: {0}")]
    System(String),
}

/// How long one wait lasts at most before the interrupt flag is looked at.
const INTERRUPT_SLICE: Duration = Duration::from_millis(50);

/// Longer replies than this are taken for a solver gone mad.
const LONGEST_REPLY: usize = 1 << 28;

/// A running child with its pipes. Dropping it kills and reaps the child.
///
/// When this process dies without dropping it, the kernel kills the child too, where `system::child` confines it; else its
/// input ends, and a solver stops there.
pub(crate) struct Pipe {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    received: Vec<u8>,
    log: Option<File>,
    /// Set by another thread to end a wait.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Pipe {
    /// Starts the program.
    pub(crate) fn start(
        program: &Path,
        args: &[String],
        memory: Option<u64>,
        log: Option<&Path>,
    ) -> Result<Pipe, PipeError> {
        let failed = |error: &dyn std::fmt::Display| PipeError::Start(program.display().to_string(), error.to_string());
        let program = Program::new(program).arguments(args);
        let memory = [memory, memory_left()].into_iter().flatten().min();
        let confinement = Confinement { memory, ..Confinement::default() };
        let mut command = child::command(&program, confinement).map_err(|e| failed(&e))?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = child::spawn(command).map_err(|e| failed(&e))?;
        child::limit_memory(&child, confinement);
        let stdin = child.stdin.take().expect("standard input was asked for as a pipe");
        let stdout = child.stdout.take().expect("standard output was asked for as a pipe");
        let log = log.map(|path| File::options().create(true).append(true).open(path)).transpose();
        let mut pipe = Pipe { child, stdin, stdout, received: Vec::new(), log: None, interrupt: None };
        pipe.log = log.map_err(|e| failed(&e))?;
        for flags in [set_nonblocking(&pipe.stdin), set_nonblocking(&pipe.stdout)] {
            flags.map_err(|e| failed(&e))?;
        }
        Ok(pipe)
    }

    /// The process id of the child.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes the text and waits for one reply, a word or an s-expression.
    pub(crate) fn ask(&mut self, text: &str, deadline: Instant) -> Result<String, PipeError> {
        if self.received.iter().any(|byte| !byte.is_ascii_whitespace()) {
            return Err(PipeError::Garbage(brief(&self.received)));
        }
        self.received.clear();
        self.send(text, deadline)?;
        self.reply(deadline)
    }

    /// Writes the text, which ends in a command that prints the token, and waits for that. What comes before it may
    /// only acknowledge commands: a program that says anything else is no solver, or does not listen.
    pub(crate) fn greet(&mut self, text: &str, token: &str, deadline: Instant) -> Result<(), PipeError> {
        self.send(text, deadline)?;
        loop {
            match self.reply(deadline)?.as_str() {
                "success" | "unsupported" => {}
                reply if reply.trim_matches('"') == token => return Ok(()),
                other => return Err(PipeError::Garbage(brief(other.as_bytes()))),
            }
        }
    }

    fn send(&mut self, text: &str, deadline: Instant) -> Result<(), PipeError> {
        if let Some(log) = &mut self.log {
            // The log helps debugging; a full disk must not change an answer.
            let _ = log.write_all(text.as_bytes());
        }
        self.write_all(text.as_bytes(), deadline)
    }

    fn reply(&mut self, deadline: Instant) -> Result<String, PipeError> {
        let mut scanner = Scanner::default();
        let reply = loop {
            if let Some((start, end)) = scanner.next_reply(&self.received) {
                break text_of(&self.received[start..end])?;
            }
            self.wait(PollFlags::empty(), deadline)?;
            self.receive()?;
        };
        self.received.drain(..scanner.position);
        note_memory(&reply);
        if let Some(log) = &mut self.log {
            let _ = writeln!(log, "; {}", reply.replace('\n', "\n; "));
        }
        Ok(reply)
    }

    fn write_all(&mut self, mut text: &[u8], deadline: Instant) -> Result<(), PipeError> {
        while !text.is_empty() {
            match rustix::io::write(&self.stdin, text) {
                Ok(count) => text = &text[count..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    if self.wait(PollFlags::OUT, deadline)? {
                        self.receive()?;
                    }
                }
                Err(Errno::PIPE) => return Err(self.ended()),
                Err(error) => return Err(PipeError::System(error.to_string())),
            }
        }
        Ok(())
    }

    /// Waits until the child has written something (`true`) or takes input, where that is asked for.
    fn wait(&mut self, input: PollFlags, deadline: Instant) -> Result<bool, PipeError> {
        loop {
            if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(PipeError::Interrupted);
            }
            let mut left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(PipeError::Late);
            }
            if self.interrupt.is_some() {
                left = left.min(INTERRUPT_SLICE);
            }
            let mut fds = [PollFd::new(&self.stdout, PollFlags::IN), PollFd::new(&self.stdin, input)];
            let watched = if input.is_empty() { 1 } else { 2 };
            let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
            match poll(&mut fds[..watched], Some(&timeout)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return Ok(!fds[0].revents().is_empty()),
                Err(error) => return Err(PipeError::System(error.to_string())),
            }
        }
    }

    /// Takes what the child has written.
    fn receive(&mut self) -> Result<(), PipeError> {
        let mut buffer = [0; 1 << 14];
        match rustix::io::read(&self.stdout, &mut buffer) {
            Ok(0) => Err(self.ended()),
            Ok(count) if self.received.len() + count > LONGEST_REPLY => Err(PipeError::Garbage(brief(&self.received))),
            Ok(count) => {
                self.received.extend_from_slice(&buffer[..count]);
                Ok(())
            }
            Err(Errno::INTR | Errno::AGAIN) => Ok(()),
            Err(error) => Err(PipeError::System(error.to_string())),
        }
    }

    fn ended(&mut self) -> PipeError {
        let status = self.child.try_wait().ok().flatten();
        let last = brief(&self.received);
        note_memory(&last);
        let status = status.map(|status| format!(" ({status})")).unwrap_or_default();
        let last = if last.is_empty() { last } else { format!(" after writing {last}") };
        PipeError::Ended(status + &last)
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // Killing fails only where the child was reaped already, and waiting reaps it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Notes where a solver says that it has no memory left.
fn note_memory(said: &str) {
    if said.starts_with("(error") && (said.contains("out of memory") || said.contains("bad_alloc")) {
        note_memory_reached();
    }
}

fn set_nonblocking(pipe: &impl std::os::fd::AsFd) -> Result<(), Errno> {
    fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)
}

fn text_of(bytes: &[u8]) -> Result<String, PipeError> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| PipeError::Garbage(brief(bytes)))
}

/// The start of some output, for messages.
fn brief(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Finds where replies end, without looking at any byte twice.
#[derive(Default)]
struct Scanner {
    /// How far the bytes were looked at.
    position: usize,
    start: Option<usize>,
    depth: usize,
    /// The quote, bar or semicolon that we are inside of.
    inside: Option<u8>,
}

impl Scanner {
    fn next_reply(&mut self, bytes: &[u8]) -> Option<(usize, usize)> {
        while self.position < bytes.len() {
            let byte = bytes[self.position];
            match self.inside {
                Some(b';') if byte == b'\n' => self.inside = None,
                Some(quote) if quote == byte => self.inside = None,
                Some(_) => {}
                None if byte.is_ascii_whitespace() && self.depth == 0 => {
                    if let Some(start) = self.start.take() {
                        return Some((start, self.position));
                    }
                }
                None => {
                    if byte != b';' {
                        self.start.get_or_insert(self.position);
                    }
                    match byte {
                        b'(' => self.depth += 1,
                        b')' => {
                            self.depth = self.depth.saturating_sub(1);
                            if self.depth == 0 {
                                self.position += 1;
                                return self.start.take().map(|start| (start, self.position));
                            }
                        }
                        b'"' | b'|' | b';' => self.inside = Some(byte),
                        _ => {}
                    }
                }
            }
            self.position += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replies(text: &str) -> Vec<&str> {
        let mut scanner = Scanner::default();
        std::iter::from_fn(|| scanner.next_reply(text.as_bytes())).map(|(start, end)| &text[start..end]).collect()
    }

    #[test]
    fn replies_end_where_they_should() {
        assert_eq!(replies("sat\n"), ["sat"]);
        assert_eq!(replies("sa"), Vec::<&str>::new());
        assert_eq!(
            replies(" unsat\n((x 1)\n (|a)b| 2)) (error \"a ) \"\"b\")"),
            ["unsat", "((x 1)\n (|a)b| 2))", "(error \"a ) \"\"b\")"]
        );
        assert_eq!(replies("(a ; )\n b)"), ["(a ; )\n b)"]);
    }

    #[test]
    fn a_child_that_ignores_its_input_does_not_block_a_long_text() {
        let mut pipe = Pipe::start(Path::new("sleep"), &["5".into()], None, None).unwrap();
        let text = "x".repeat(1 << 20);
        let deadline = Instant::now() + Duration::from_millis(50);
        assert_eq!(pipe.ask(&text, deadline), Err(PipeError::Late));
    }

    #[test]
    fn the_end_of_a_child_is_noticed() {
        let mut pipe = Pipe::start(Path::new("true"), &[], None, None).unwrap();
        let deadline = Instant::now() + Duration::from_secs(5);
        assert!(matches!(pipe.ask("(check-sat)\n", deadline), Err(PipeError::Ended(_))));
        assert!(matches!(Pipe::start(Path::new("/no/such/program"), &[], None, None), Err(PipeError::Start(..))));
    }
}
