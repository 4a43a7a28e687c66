//! The command line of Tandem.

mod arguments;

use anstream::ColorChoice;
use anyhow::{Context, bail};
use arguments::{Arguments, Command, DataModel, Engine, Format, RunArguments, ShowArguments, VerifyArguments};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use rustix::process::{Signal, getppid, set_parent_process_death_signal};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use tandem::engine::{Budget, EngineConfig, Progress};
use tandem::pipeline::auto::{AutoEnd, PartCommand};
use tandem::pipeline::run::{RunEnd, RunError, RunRequest};
use tandem::pipeline::{self, InputError, Reading, Verification, VerifyRequest};
use tandem::program::{draw, text as program_text};
use tandem::report::diagnostic::{self, Drawing};
use tandem::report::part::PartReport;
use tandem::report::style::Palette;
use tandem::report::{json, text};

/// The exit status for input or usage that is wrong.
const BAD_INPUT: u8 = 3;

/// The exit status of a process that the user killed with Ctrl-C.
const KILLED: i32 = 130;

/// A trace of more steps is shown with its middle left out, unless the user wants all of it.
const MOST_STEPS_SHOWN: usize = 60;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Where the message cannot be written, there is nobody to read it.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { BAD_INPUT } else { 0 });
        }
    };
    pipeline::keep_panics_quiet();
    let status = match arguments.command {
        Command::Verify(arguments) => verify(arguments),
        Command::Run(arguments) => run(arguments),
        Command::Show(arguments) => show(arguments),
    };
    let status = status.unwrap_or_else(|error| {
        complain(&error);
        BAD_INPUT
    });
    pipeline::kill_descendants();
    ExitCode::from(status)
}

fn verify(arguments: VerifyArguments) -> anyhow::Result<u8> {
    if let Some(conflict) = arguments.conflict() {
        return Err(Unusable(InputError::message(conflict)).into());
    }
    let budget = Budget::with_time(arguments.time_limit);
    match arguments.part {
        Some(whole) => be_a_part(whole, &budget)?,
        None => stop_on_signals(&budget)?,
    }
    let request = VerifyRequest {
        engine: arguments.engine_config(),
        files: arguments.files.clone(),
        property: arguments.property.clone(),
        main: arguments.main.clone(),
        preprocessor: arguments.preprocessor.options(),
        data_model: arguments.data_model.map(data_model_name),
        solver: arguments.solver.clone(),
        memory_limit: arguments.memory_limit,
    };
    let mut spinner = Spinner::new();
    let verification = if matches!(arguments.engine, Engine::Auto) {
        let end = pipeline::auto::verify(&request, &part_command()?, &budget, &mut |engines| spinner.name(engines));
        spinner.clear();
        match end.map_err(Unusable)? {
            AutoEnd::Report(report) => {
                write_out(if arguments.json { &report.document } else { &report.text }.as_bytes())?;
                return Ok(report.status);
            }
            AutoEnd::Open(verification) => *verification,
        }
    } else {
        let verification = pipeline::verify(&request, &budget, &mut |progress| spinner.show(progress));
        spinner.clear();
        verification.map_err(Unusable)?
    };
    let report = report(&verification, &arguments);
    write_out(report.as_bytes())?;
    Ok(verification.verdict().exit_status())
}

/// What is written of a verification.
fn report(verification: &Verification, arguments: &VerifyArguments) -> String {
    let outcome = verification.outcome();
    let most_steps = if arguments.full_trace { usize::MAX } else { MOST_STEPS_SHOWN };
    let palette = if arguments.part_colours { Palette::coloured() } else { palette() };
    let config = text::TextConfig { palette, most_steps };
    if arguments.part.is_some() {
        return format!("{}\n", PartReport::of(&outcome, &config).to_line());
    }
    if arguments.json {
        return format!("{}\n", json::document(&outcome));
    }
    format!("{}{}\n", text::report(&outcome, &config), text::verdict_line(verification.verdict()))
}

/// How engines that run side by side are started: as this process was, but for the engine and its limits.
fn part_command() -> anyhow::Result<PartCommand> {
    let executable = std::env::current_exe().context("this program cannot be found, to start it again")?;
    let mut before = vec!["verify".into()];
    let after = arguments::passed_on(std::env::args_os().skip(2));
    // The parts write to this process, whose output may be on a terminal.
    if palette() != Palette::plain() {
        before.push("--part-colours".into());
    }
    Ok(PartCommand { executable, before, after })
}

fn run(arguments: RunArguments) -> anyhow::Result<u8> {
    let mut inputs = arguments.inputs().map_err(|message| Unusable(InputError::message(message)))?;
    if let Some(path) = &arguments.inputs_from {
        let text = pipeline::input::read(path).map_err(Unusable)?;
        let more = pipeline::run::parse_inputs(&text);
        let problem = |message| Unusable(InputError::message(format!("{}: {message}", path.display())));
        inputs.extend(more.map_err(problem)?);
    }
    let budget = Budget::unlimited();
    stop_on_signals(&budget)?;
    let request = RunRequest {
        most_steps: arguments.steps(),
        property: arguments.property,
        main: arguments.main.clone(),
        preprocessor: arguments.preprocessor.options(),
        data_model: arguments.data_model.map(data_model_name),
        files: arguments.files,
        inputs,
        replay: arguments.replay,
        seed: arguments.seed,
        quiet: arguments.quiet,
    };
    let palette = palette();
    let work = move || {
        let mut out = io::BufWriter::new(io::stdout().lock());
        let end = pipeline::run::run(&request, palette, &budget, &mut out, &mut io::stderr())?;
        out.flush()?;
        Ok(end)
    };
    match pipeline::on_large_stack(work).map_err(Unusable)? {
        Ok(RunEnd::Fine) => Ok(0),
        Ok(RunEnd::Error) => Ok(1),
        Ok(RunEnd::Fault) => Ok(2),
        Err(RunError::Input(error)) => Err(Unusable(error).into()),
        Err(RunError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        Err(RunError::Output(error)) => Err(error).context("standard output cannot be written"),
    }
}

fn data_model_name(model: DataModel) -> String {
    format!("{model:?}").to_uppercase()
}

fn show(arguments: ShowArguments) -> anyhow::Result<u8> {
    let shown = if arguments.graph { show_graph(&arguments)? } else { show_program(&arguments)? };
    match &arguments.output {
        None => write_out(shown.as_bytes())?,
        Some(path) => {
            std::fs::write(path, shown).with_context(|| format!("{} cannot be written", path.display()))?;
        }
    }
    Ok(0)
}

fn show_graph(arguments: &ShowArguments) -> anyhow::Result<String> {
    let format = arguments.format();
    if matches!(format, Format::Text) {
        let message = InputError::message("the graph of abstract states has no text form");
        return Err(Unusable(message.hint("--format dot or svg draws it")).into());
    }
    let budget = Budget::with_time(arguments.time_limit);
    stop_on_signals(&budget)?;
    let request = VerifyRequest {
        engine: EngineConfig::Cegar(arguments.cegar.config(arguments.search, arguments.solver.clone())),
        files: arguments.files.clone(),
        property: arguments.property.clone(),
        data_model: arguments.data_model.map(data_model_name),
        main: arguments.main.clone(),
        preprocessor: arguments.preprocessor.options(),
        solver: arguments.solver.clone(),
        memory_limit: None,
    };
    let mut spinner = Spinner::new();
    let diagram = pipeline::graph(&request, &budget, &mut |progress| spinner.show(progress));
    spinner.clear();
    let diagram = diagram.map_err(Unusable)?;
    match format {
        Format::Svg => diagram.svg().context("the graph cannot be drawn"),
        _ => Ok(diagram.dot()),
    }
}

fn show_program(arguments: &ShowArguments) -> anyhow::Result<String> {
    let model = arguments.data_model.map(data_model_name);
    let reading = Reading {
        files: &arguments.files,
        property: arguments.property.as_deref(),
        data_model: model.as_deref(),
        main: arguments.main.as_deref(),
        preprocessor: &arguments.preprocessor.options(),
    };
    let program = pipeline::load(&reading).map_err(Unusable)?;
    let format = arguments.format();
    let work = move || {
        let shown = match format {
            Format::Text => Ok(program_text::print(&program)),
            Format::Dot => Ok(draw::dot(&program)),
            Format::Svg => draw::svg(&program),
        };
        // The process is about to end; taking a large program apart piece by piece would only delay that.
        std::mem::forget(program);
        shown
    };
    let shown = pipeline::on_large_stack(work).map_err(Unusable)?;
    shown.context("the program cannot be drawn")
}

/// Something the user gave cannot be used; it is drawn rather than printed.
#[derive(Debug)]
struct Unusable(InputError);

impl std::fmt::Display for Unusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            InputError::Message { text, hint: Some(hint) } => write!(f, "{text}\n  help: {hint}"),
            InputError::Message { text, hint: None } => f.write_str(text),
            InputError::Source { errors, .. } => write!(f, "{errors}"),
        }
    }
}

impl std::error::Error for Unusable {}

/// Writes an error to standard error, for people.
fn complain(error: &anyhow::Error) {
    let stderr = io::stderr();
    let colours = anstream::AutoStream::choice(&stderr) != ColorChoice::Never;
    let message = match error.downcast_ref::<Unusable>() {
        Some(Unusable(InputError::Source { errors, sources })) => {
            let drawing = Drawing { colours, unicode: stderr.is_terminal() };
            diagnostic::render(errors, sources, drawing)
        }
        _ => {
            let palette = if colours { Palette::coloured() } else { Palette::plain() };
            format!("{} {error:#}\n", palette.bad("error:"))
        }
    };
    // Where standard error is closed, there is nobody to tell.
    let _ = stderr.lock().write_all(message.as_bytes());
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

/// The first Ctrl-C asks for an end, the second one makes it.
fn stop_on_signals(budget: &Budget) -> anyhow::Result<()> {
    let asked = AtomicBool::new(false);
    let budget = budget.clone();
    let handler = move || {
        if asked.swap(true, Ordering::SeqCst) {
            pipeline::kill_descendants();
            std::process::exit(KILLED);
        }
        budget.interrupt();
    };
    ctrlc::set_handler(handler).context("signals cannot be handled")
}

/// Makes this process a part of another one: signals, which mostly all of them get, ask it to stop and say what it has; with
/// the other one gone, it ends.
fn be_a_part(whole: i32, budget: &Budget) -> anyhow::Result<()> {
    let is_left = move || getppid().is_none_or(|parent| parent.as_raw_nonzero().get() != whole);
    let budget = budget.clone();
    let handler = move || {
        if is_left() {
            pipeline::kill_descendants();
            std::process::exit(KILLED);
        }
        budget.interrupt();
    };
    ctrlc::set_handler(handler).context("signals cannot be handled")?;
    set_parent_process_death_signal(Some(Signal::TERM)).context("this process cannot be made a part")?;
    // It may have gone before that.
    if is_left() { bail!("there is nothing any more to be a part of") } else { Ok(()) }
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

    fn show(&mut self, progress: Progress) {
        if let Some(bar) = &self.0 {
            let Progress { states, transitions, waiting } = progress;
            bar.set_message(format!("{states} states, {transitions} transitions, {waiting} waiting"));
            bar.tick();
        }
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
