//! The command line of Tandem. This process only watches: a process that it starts does the work, see `part.rs`.

mod arguments;
mod part;

use anstream::ColorChoice;
use anyhow::Context;
use arguments::{Arguments, Command, ConfineArguments, Engine, RunArguments, ShowArguments, VerifyArguments};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use tandem::engine::Budget;
use tandem::pipeline::auto::{self, AutoEnd};
use tandem::pipeline::parts::{Breakdown, PartCommand, breakdown};
use tandem::pipeline::{self, Verification};
use tandem::report::style::Palette;
use tandem::report::text::Detail;
use tandem::report::{clean, json, text};
use tandem::system::child::{self, Confinement, Program};
use tandem::system::patience::SHORT_TICK;
use tandem::system::scratch::{self, Own};
use tandem::system::tree;

/// The exit status for input or usage that is wrong.
const BAD_INPUT: u8 = 3;

/// The exit status where there is no answer.
const NO_ANSWER: u8 = 2;

/// The exit status of a process that the user killed with Ctrl-C.
const KILLED: i32 = 130;

/// The exit status of `confine` where the program cannot be started, as a shell has it.
const CANNOT_START: u8 = 126;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments::words()) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Where the message cannot be written, there is nobody to read it.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { BAD_INPUT } else { 0 });
        }
    };
    let is_part = match &arguments.command {
        Command::Confine(arguments) => return confine(arguments),
        Command::Completions { shell } => return written(write_out(&arguments::manual::completions(*shell))),
        Command::Manual { folder } => {
            let pages = arguments::manual::write_pages(folder);
            return written(pages.with_context(|| format!("{}: no pages can be written", folder.display())));
        }
        Command::Verify(arguments) => arguments.part.part.is_some(),
        Command::Run(arguments) => arguments.part.part.is_some(),
        Command::Show(arguments) => arguments.part.part.is_some(),
    };
    child::adopt_orphans();
    if is_part {
        return part::main(arguments.command);
    }
    scratch::sweep(Own::Kept);
    let status = match arguments.command {
        Command::Verify(arguments) => verify(&arguments),
        Command::Run(arguments) => run(&arguments),
        Command::Show(arguments) => show(&arguments),
        Command::Confine(_) | Command::Completions { .. } | Command::Manual { .. } => Ok(BAD_INPUT),
    };
    let status = status.unwrap_or_else(|error| {
        complain(&error);
        BAD_INPUT
    });
    clean_up();
    ExitCode::from(status)
}

/// The exit status of a command that only writes.
fn written(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// Ends what is left of processes and files.
fn clean_up() {
    tree::end_descendants();
    scratch::sweep(Own::Removed);
}

/// Becomes another program, or watches it, within limits.
fn confine(arguments: &ConfineArguments) -> ExitCode {
    let ConfineArguments { parent, memory, seconds, watch, program } = arguments;
    let confinement = Confinement { memory: *memory, seconds: *seconds, has_children: *watch };
    let program = match program.split_first() {
        Some((path, arguments)) => Program::new(path).arguments(arguments),
        None => return ExitCode::from(CANNOT_START),
    };
    let end = || {
        pipeline::kill_descendants();
        std::process::exit(KILLED)
    };
    if *watch && ctrlc::set_handler(end).is_err() {
        return ExitCode::from(CANNOT_START);
    }
    let problem = match child::confine_self(*parent, confinement) {
        Ok(false) => return ExitCode::from(CANNOT_START),
        Err(error) => error,
        Ok(true) if *watch => match child::watch(&program) {
            Ok(status) => return ExitCode::from(status),
            Err(error) => error,
        },
        Ok(true) => child::become_program(&program),
    };
    // Whoever reads this knows which program was meant.
    let _ = writeln!(io::stderr(), "it cannot be started: {problem}");
    ExitCode::from(CANNOT_START)
}

fn verify(arguments: &VerifyArguments) -> anyhow::Result<u8> {
    let budget = Budget::with_time(arguments.time_limit);
    stop_on_signals(&budget)?;
    let mut spinner = Spinner::new();
    let mut on_tick = |engines: &str| spinner.name(engines);
    let (files, memory) = (&arguments.files, arguments.memory_limit);
    let end = if matches!(arguments.engine, Engine::Auto) {
        let command = part_command("verify", arguments::OWN_OF_ENGINES, true)?;
        auto::verify(files, &command, memory, &budget, &mut on_tick)
    } else {
        let command = part_command("verify", arguments::LIMITS_OF_PARTS, true)?;
        let engine = arguments.engine_config().id().name();
        auto::verify_whole(files, engine, &command, memory, &budget, &mut on_tick)
    };
    spinner.clear();
    match end {
        AutoEnd::Report(report, mut rest) => {
            copy_out(&mut rest)?;
            Ok(report.status)
        }
        AutoEnd::Refused(message) => {
            refuse(&message);
            Ok(BAD_INPUT)
        }
        AutoEnd::Open(verification) => {
            write_out(report(&verification, arguments, palette()).as_bytes())?;
            Ok(verification.verdict().exit_status())
        }
    }
}

/// What is written of a verification.
fn report(verification: &Verification, arguments: &VerifyArguments, palette: Palette) -> String {
    let outcome = verification.outcome();
    if arguments.json {
        return format!("{}\n", json::document(&outcome));
    }
    let detail = if arguments.full_trace { Detail::Steps } else { Detail::Lines };
    let config = text::TextConfig { palette, detail };
    let report = format!("{}{}\n", text::report(&outcome, &config), text::verdict_line(verification.verdict()));
    clean::cleaned(report, palette != Palette::plain())
}

/// How processes that do the work are started: as this process was, but for some options.
fn part_command(command: &str, own: &[&str], has_limits: bool) -> anyhow::Result<PartCommand> {
    let executable = std::env::current_exe().context("this program cannot be found, to start it again")?;
    let mut before = vec![command.into()];
    // The parts write to this process, whose output may be on a terminal.
    if palette() != Palette::plain() {
        before.push("--part-colours".into());
    }
    if anstream::AutoStream::choice(&io::stderr()) != ColorChoice::Never {
        before.push("--part-message-colours".into());
    }
    if io::stderr().is_terminal() {
        before.push("--part-message-unicode".into());
    }
    let after = arguments::passed_on(arguments::words().skip(2), own);
    Ok(PartCommand { executable, before, after, has_limits })
}

/// Runs a program in a process that has this one's input and output.
fn run(arguments: &RunArguments) -> anyhow::Result<u8> {
    let budget = Budget::unlimited();
    stop_on_signals(&budget)?;
    let part = part_command("run", &[], false)?;
    let mut command = std::process::Command::new(&part.executable);
    command.args(&part.before).arg("--part").arg(std::process::id().to_string()).args(&part.after);
    // What the virtual machine of this language says of its own end is for us.
    let mut child = child::spawn(command).context("there is not enough memory to start")?;
    let process = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let mut is_told = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if budget.check().is_err() && !is_told {
            is_told = process.is_some_and(|process| kill_process(process, Signal::INT).is_ok());
        }
        std::thread::sleep(SHORT_TICK);
    };
    match status.code() {
        Some(code) => Ok(u8::try_from(code).unwrap_or(NO_ANSWER)),
        None => {
            let what = match breakdown(status, "") {
                Breakdown::Killed => "the process that executes the program was killed".to_owned(),
                _ => format!("there is not enough memory to execute {} ({status})", name(&arguments.files)),
            };
            complain(&anyhow::anyhow!(what));
            Ok(NO_ANSWER)
        }
    }
}

fn name(files: &[std::path::PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" ")
}

fn show(arguments: &ShowArguments) -> anyhow::Result<u8> {
    let budget = Budget::with_time(arguments.time_limit);
    stop_on_signals(&budget)?;
    let mut spinner = Spinner::new();
    let command = part_command("show", arguments::LIMITS_OF_PARTS, true)?;
    let mut on_tick = |_: &str| spinner.name("cegar");
    let end = auto::verify_whole(&arguments.files, "cegar", &command, arguments.memory_limit, &budget, &mut on_tick);
    spinner.clear();
    match end {
        AutoEnd::Report(report, mut rest) => {
            match &arguments.output {
                _ if report.status != 0 => refuse(format!("error: {}\n", report.reason).as_bytes()),
                None => copy_out(&mut rest)?,
                Some(path) => write_file(path, &mut rest)?,
            }
            Ok(report.status)
        }
        AutoEnd::Refused(message) => {
            refuse(&message);
            Ok(BAD_INPUT)
        }
        AutoEnd::Open(verification) => {
            complain(&anyhow::anyhow!(tandem::report::reason(verification.verdict())));
            Ok(NO_ANSWER)
        }
    }
}

fn write_file(path: &Path, shown: &mut dyn Read) -> anyhow::Result<()> {
    let written = std::fs::File::create(path).and_then(|mut file| io::copy(shown, &mut file));
    written.map(drop).with_context(|| format!("{} cannot be written", path.display()))
}

/// Passes on what a part says of what the user gave.
fn refuse(message: &[u8]) {
    // Where standard error is closed, there is nobody to tell.
    let _ = io::stderr().lock().write_all(message);
}

/// Writes an error to standard error, for people.
fn complain(error: &anyhow::Error) {
    let colours = anstream::AutoStream::choice(&io::stderr()) != ColorChoice::Never;
    let palette = if colours { Palette::coloured() } else { Palette::plain() };
    refuse(format!("{} {error:#}\n", palette.bad("error:")).as_bytes());
}

fn palette() -> Palette {
    match anstream::AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => Palette::plain(),
        _ => Palette::coloured(),
    }
}

/// Writes to standard output. A reader that has left is no error: the exit status says the rest.
fn write_out(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("standard output cannot be written")
        }
        _ => Ok(()),
    }
}

/// Writes what a part says to standard output.
fn copy_out(report: &mut dyn Read) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match io::copy(report, &mut out).and_then(|_| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("standard output cannot be written")
        }
        _ => Ok(()),
    }
}

/// The first Ctrl-C asks for an end, the second one makes it.
fn stop_on_signals(budget: &Budget) -> anyhow::Result<()> {
    let asked = AtomicBool::new(false);
    let budget = budget.clone();
    let handler = move || {
        if asked.swap(true, Ordering::SeqCst) {
            clean_up();
            std::process::exit(KILLED);
        }
        budget.interrupt();
    };
    ctrlc::set_handler(handler).context("signals cannot be handled")
}

/// How far the engine is, on a terminal.
struct Spinner(Option<ProgressBar>);

impl Spinner {
    fn new() -> Spinner {
        if !io::stderr().is_terminal() {
            return Spinner(None);
        }
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        Spinner(Some(bar))
    }

    fn name(&mut self, engines: &str) {
        if let Some(bar) = &self.0 {
            bar.set_message(format!("{engines} at work"));
            bar.tick();
        }
    }

    fn clear(&mut self) {
        if let Some(bar) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}
