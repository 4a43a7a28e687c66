//! Several engines side by side, each in a process of its own: the first verdict that was confirmed is the answer.
//!
//! A part that breaks down, hangs or uses up its memory costs only its share.

use super::supervise::{Ended, supervise};
use super::{InputError, Verification, VerifyRequest, check_solver, input, limits, settings};
use crate::confirm::{Reason, Verdict};
use crate::engine::{Budget, Statistics, Stop, Task};
use crate::frontend::Language;
use crate::program::interleave::has_threads;
use crate::report::part::PartReport;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How a part is started: with the arguments of the engine, its limits, and those of the user.
#[derive(Debug, Clone)]
pub struct PartCommand {
    /// The program.
    pub executable: PathBuf,
    /// What comes before the arguments of the engine.
    pub before: Vec<OsString>,
    /// What comes after them.
    pub after: Vec<OsString>,
}

/// How all of it ended.
#[derive(Debug)]
pub enum AutoEnd {
    /// A part says all there is to say.
    Report(PartReport),
    /// No part has an answer.
    Open(Box<Verification>),
}

/// One engine with its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Explicit,
    Cegar,
    Symbolic,
    Bounded,
}

/// Which engines are run.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    /// One that is tried before the others, for a while.
    first: Option<(Part, Duration)>,
    /// The others, two at a time: where one ends without an answer, the next begins.
    then: Vec<Part>,
}

/// How many parts run at a time.
const AT_ONCE: usize = 2;

/// How often the limits are looked at.
const TICK: Duration = Duration::from_millis(50);

/// How long parts may go on after they were told to stop.
const GRACE: Duration = Duration::from_secs(7);

/// Verifies with the engines that suit the program; calls `on_tick` now and then with those at work.
///
/// # Errors
/// Where the program, the property or the solver that the request names cannot be used.
pub fn verify(
    request: &VerifyRequest,
    command: &PartCommand,
    budget: &Budget,
    on_tick: &mut dyn FnMut(&str),
) -> Result<AutoEnd, InputError> {
    check_solver(request.solver.as_deref())?;
    let (language, task) = match load(request, budget)? {
        Ok(loaded) => loaded,
        Err(stop) => return Ok(AutoEnd::Open(open(request, None, stop, Statistics::default(), budget))),
    };
    let plan = plan(&task, language, budget);
    let mut portfolio = Portfolio { command, memory: request.memory_limit, ended: Vec::new() };
    if let Some((part, time)) = plan.first {
        let budget = budget.at_most(time);
        if let Some(report) = portfolio.run(vec![part], &budget, on_tick) {
            return Ok(AutoEnd::Report(report));
        }
    }
    if budget.check().is_ok()
        && let Some(report) = portfolio.run(plan.then, budget, on_tick)
    {
        return Ok(AutoEnd::Report(report));
    }
    let ended = portfolio.ended;
    // A proof that takes something for granted is more than nothing.
    if let Some(report) = ended.iter().find_map(|(_, end)| end.as_ref().ok().filter(|report| report.has_assumptions)) {
        return Ok(AutoEnd::Report(report.clone()));
    }
    let reports = ended.iter().filter_map(|(_, end)| end.as_ref().ok());
    let statistics = reports.fold(Statistics::default(), |all, report| all.then(report.statistics.clone()));
    Ok(AutoEnd::Open(open(request, Some(task), why_open(&ended, budget), statistics, budget)))
}

/// A verification without an answer.
fn open(
    request: &VerifyRequest,
    task: Option<Task>,
    stop: Stop,
    statistics: Statistics,
    budget: &Budget,
) -> Box<Verification> {
    Box::new(Verification {
        files: request.files.iter().map(|path| path.display().to_string()).collect(),
        task: task.map(Arc::new),
        engine: "auto",
        verdict: Verdict::Unknown(Reason::Stopped(stop)),
        statistics,
        seconds: budget.elapsed().as_secs_f64(),
    })
}

/// The program and its language; or why there was no time or memory to read it.
fn load(request: &VerifyRequest, budget: &Budget) -> Result<Result<(input::Language, Task), Stop>, InputError> {
    let (settings, property) = settings(&request.reading())?;
    let files = request.files.clone();
    let work = move || input::load(&files, &settings);
    match supervise(budget, request.memory_limit, &mut |_| {}, work) {
        Ended::Done(loaded) => loaded.map(|(program, language)| Ok((language, Task { program, property }))),
        Ended::Panicked(message) => Err(InputError::message(format!("internal error, please report it: {message}"))),
        Ended::Abandoned(stop) => Ok(Err(stop)),
    }
}

/// The engines that suit a program.
fn plan(task: &Task, language: input::Language, budget: &Budget) -> Plan {
    if task.property.is_of_states() {
        return Plan { first: None, then: vec![Part::Explicit] };
    }
    if has_threads(&task.program) {
        return Plan { first: None, then: vec![Part::Explicit, Part::Cegar, Part::Bounded] };
    }
    let share = |most: Duration| budget.remaining().map_or(most, |left| most.min(left / 6));
    match language {
        input::Language::Source(Language::GuardedCommands) => Plan {
            first: Some((Part::Explicit, share(Duration::from_secs(2)))),
            then: vec![Part::Symbolic, Part::Explicit, Part::Cegar],
        },
        // Objects and strings are many, inputs are few.
        input::Language::Source(Language::Java) => Plan {
            first: Some((Part::Explicit, share(Duration::from_secs(10)))),
            then: vec![Part::Bounded, Part::Cegar, Part::Explicit],
        },
        _ => Plan { first: None, then: vec![Part::Bounded, Part::Cegar, Part::Explicit] },
    }
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Explicit => "explicit",
            Part::Cegar => "cegar",
            Part::Symbolic => "symbolic",
            Part::Bounded => "symbolic --bound",
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Part::Explicit => &["--engine", "explicit"],
            Part::Cegar => &["--engine", "cegar"],
            Part::Symbolic => &["--engine", "symbolic"],
            Part::Bounded => &["--engine", "symbolic", "--bound"],
        }
    }
}

/// What a part says, or what became of it.
type End = Result<PartReport, String>;

struct Portfolio<'a> {
    command: &'a PartCommand,
    memory: Option<u64>,
    /// The parts that ended without an answer.
    ended: Vec<(Part, End)>,
}

impl Portfolio<'_> {
    /// Runs the parts until one has an answer; the others are ended then.
    fn run(&mut self, parts: Vec<Part>, budget: &Budget, on_tick: &mut dyn FnMut(&str)) -> Option<PartReport> {
        let at_once = parts.len().min(AT_ONCE);
        let mut waiting: VecDeque<Part> = parts.into();
        let mut running: Vec<(Part, u32)> = Vec::new();
        let (sender, receiver) = channel();
        let mut told_to_stop: Option<Instant> = None;
        loop {
            while running.len() < at_once
                && told_to_stop.is_none()
                && let Some(part) = waiting.pop_front()
            {
                match self.start(part, at_once, budget, &sender) {
                    Ok(process) => running.push((part, process)),
                    Err(error) => self.ended.push((part, Err(format!("it could not be started: {error}")))),
                }
            }
            if running.is_empty() {
                return None;
            }
            match receiver.recv_timeout(TICK) {
                Ok((part, end)) => {
                    running.retain(|(other, _)| *other != part);
                    match end {
                        Ok(report) if report.status < 2 => {
                            limits::kill_descendants();
                            return Some(report);
                        }
                        end => self.ended.push((part, end)),
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            let names: Vec<&str> = running.iter().map(|(part, _)| part.name()).collect();
            on_tick(&names.join(" and "));
            if budget.check().is_err() {
                let since = *told_to_stop.get_or_insert_with(|| {
                    interrupt(&running);
                    Instant::now()
                });
                if since.elapsed() > GRACE {
                    limits::kill_descendants();
                }
            }
        }
    }

    /// Starts a part; what comes of it is sent. Tells its process.
    fn start(&self, part: Part, at_once: usize, budget: &Budget, sender: &Sender<(Part, End)>) -> std::io::Result<u32> {
        let mut command = Command::new(&self.command.executable);
        command.args(&self.command.before).args(part.arguments());
        command.arg("--part").arg(std::process::id().to_string());
        if let Some(left) = budget.remaining() {
            command.arg("--time-limit").arg(format!("{}ms", left.as_millis().max(1)));
        }
        if let Some(limit) = self.memory {
            let left = limit.saturating_sub(limits::memory_in_use().unwrap_or(0));
            command.arg("--memory-limit").arg((left / at_once as u64).max(1).to_string());
        }
        command.args(&self.command.after).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn()?;
        let (process, sender) = (child.id(), sender.clone());
        std::thread::Builder::new().name(part.name().to_owned()).spawn(move || {
            // Nobody waits for it any more where another part had the answer.
            let _ = sender.send((part, finish(child)));
        })?;
        Ok(process)
    }
}

/// Waits for a part.
fn finish(mut child: Child) -> End {
    let mut output = String::new();
    let read = child.stdout.take().map_or(Ok(0), |mut stdout| stdout.read_to_string(&mut output));
    let mut complaint = String::new();
    let _ = child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut complaint));
    let status = child.wait().map_err(|error| error.to_string())?;
    let report = read.ok().and_then(|_| PartReport::from_line(output.trim_end()));
    report.ok_or_else(|| match complaint.lines().next() {
        Some(line) => format!("it broke down ({status}): {line}"),
        None => format!("it broke down ({status})"),
    })
}

/// Asks parts to stop and say what they have.
fn interrupt(running: &[(Part, u32)]) {
    for (_, process) in running {
        if let Some(process) = i32::try_from(*process).ok().and_then(Pid::from_raw) {
            // One that has ended meanwhile is what was wanted.
            let _ = kill_process(process, Signal::INT);
        }
    }
}

/// Why no part has an answer.
fn why_open(ended: &[(Part, End)], budget: &Budget) -> Stop {
    if let Err(stop @ (Stop::Interrupted | Stop::TimeLimit)) = budget.check() {
        return stop;
    }
    let reason = |(part, end): &(Part, End)| match end {
        Ok(report) => format!("{}: {}", part.name(), report.reason),
        Err(problem) => format!("{}: {problem}", part.name()),
    };
    let reasons: Vec<String> = ended.iter().map(reason).collect();
    Stop::GaveUp(reasons.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::Settings;
    use crate::program::{Property, SourceFile, SourceFiles};

    fn planned(source: &str, language: Language, property: Property) -> Plan {
        let mut files = SourceFiles::default();
        files.push(SourceFile { name: "test.c".into(), text: source.into() });
        let program = language.lower(&files, &Settings::for_property(&property));
        let program = program.unwrap_or_else(|errors| panic!("{errors:?}"));
        plan(&Task { program, property }, input::Language::Source(language), &Budget::unlimited())
    }

    #[test]
    fn threads_are_for_the_engine_that_knows_them_first() {
        let source = "void *f(void *p) { return p; } int main(void) { unsigned long t; pthread_create(&t, 0, f, 0); }";
        let plan = planned(source, Language::C, Property::Assert);
        assert_eq!(plan, Plan { first: None, then: vec![Part::Explicit, Part::Cegar, Part::Bounded] });
        let plan = planned(source, Language::C, Property::NoDeadlock);
        assert_eq!(plan, Plan { first: None, then: vec![Part::Explicit] });
    }

    #[test]
    fn a_part_that_breaks_down_says_how() {
        let child = |script: &str| {
            let mut command = Command::new("sh");
            command.arg("-c").arg(script).stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().expect("there is a shell")
        };
        let end = finish(child("echo oops >&2; kill -9 $$"));
        let problem = end.expect_err("it has no report");
        assert!(problem.contains("oops") && problem.contains('9'), "{problem}");
        assert!(finish(child("echo nonsense")).is_err());
    }
}
