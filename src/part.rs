//! A process that does the work: it reads, verifies, executes or shows, and writes what the process that started it passes on.

use super::{BAD_INPUT, KILLED, NO_ANSWER, report, write_out};
use crate::arguments::{Command, DataModel, Format, PartArguments, RunArguments, ShowArguments, VerifyArguments};
use anyhow::{Context, bail};
use rustix::process::{Signal, getppid, set_parent_process_death_signal};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;
use tandem::engine::{Budget, EngineConfig};
use tandem::pipeline::run::{RunEnd, RunError, RunRequest};
use tandem::pipeline::{self, InputError, Reading, VerifyRequest};
use tandem::program::text as program_text;
use tandem::report::clean::{cleaned, escaped};
use tandem::report::diagnostic::{self, Drawing};
use tandem::report::draw;
use tandem::report::part::PartReport;
use tandem::report::style::Palette;
use tandem::system::{self, Ambient, scratch};

/// Does what the command says.
pub fn main(command: Command) -> ExitCode {
    pipeline::keep_panics_quiet();
    let (drawing, done) = match command {
        Command::Verify(arguments) => (drawing(&arguments.part), verify(arguments)),
        Command::Run(arguments) => (drawing(&arguments.part), run(arguments)),
        Command::Show(arguments) => (drawing(&arguments.part), show(&arguments)),
        Command::Confine(_) | Command::Completions { .. } | Command::Manual { .. } => return ExitCode::from(BAD_INPUT),
    };
    let status = done.unwrap_or_else(|error| {
        complain(&error, drawing);
        BAD_INPUT
    });
    pipeline::kill_descendants();
    // A thread that was given up may still be at work.
    std::process::exit(i32::from(status))
}

fn drawing(part: &PartArguments) -> Drawing {
    Drawing { colours: part.part_message_colours, unicode: part.part_message_unicode }
}

fn palette(part: &PartArguments) -> Palette {
    if part.part_colours { Palette::coloured() } else { Palette::plain() }
}

/// Makes this process a part of another one, and tells what both may use: signals, which mostly all of them get, ask it to
/// stop and say what it has; with the other one gone, it ends.
fn be_a_part(part: &PartArguments, budget: &Budget, memory: Option<u64>) -> anyhow::Result<()> {
    let Some(whole) = part.part else { bail!("this process works for nobody") };
    let is_left = move || getppid().is_none_or(|parent| parent.as_raw_nonzero().get() != whole);
    let interrupted = budget.clone();
    let handler = move || {
        if is_left() {
            pipeline::kill_descendants();
            std::process::exit(KILLED);
        }
        interrupted.interrupt();
    };
    ctrlc::set_handler(handler).context("signals cannot be handled")?;
    set_parent_process_death_signal(Some(Signal::KILL)).context("this process cannot be made a part")?;
    scratch::work_for(whole);
    system::set_ambient(Ambient {
        deadline: budget.remaining().and_then(|left| Instant::now().checked_add(left)),
        memory,
        confiner: std::env::current_exe().ok(),
    });
    // It may have gone before that.
    if is_left() { bail!("there is nothing any more to be a part of") } else { Ok(()) }
}

fn verify(arguments: VerifyArguments) -> anyhow::Result<u8> {
    if let Some(conflict) = arguments.conflict() {
        return Err(Unusable(InputError::message(conflict)).into());
    }
    let budget = Budget::with_time(arguments.time_limit);
    be_a_part(&arguments.part, &budget, arguments.memory_limit)?;
    let request = VerifyRequest {
        engine: arguments.engine_config(),
        files: arguments.files.clone(),
        property: (!arguments.property.is_empty()).then(|| arguments.property.join(",")),
        main: arguments.main.clone(),
        preprocessor: arguments.preprocessor.options(),
        data_model: arguments.data_model.map(data_model_name),
        predicates: arguments.predicates.clone(),
        solver: arguments.solver.clone(),
        memory_limit: arguments.memory_limit,
    };
    if arguments.part.part_facts {
        return tell_facts(&request, &arguments, &budget);
    }
    let prints = arguments.print_predicates.clone();
    let arguments = std::sync::Arc::new(arguments);
    let finish = move |verification: pipeline::Verification| {
        let line = PartReport::of(&verification.outcome()).to_line();
        let text = report(&verification, &arguments, palette(&arguments.part));
        let found = verification.outcome().statistics.found_predicates.clone();
        let status = verification.verdict().exit_status();
        // The process is about to end; taking a large result apart piece by piece would only delay that.
        std::mem::forget(verification);
        (status, line, text, found)
    };
    let verified = pipeline::verify_and(&request, &budget, &mut |_| {}, finish);
    let (status, line, text, found) = verified.map_err(Unusable)?;
    write_out(format!("{line}\n").as_bytes())?;
    match &prints {
        Some(Some(path)) => {
            std::fs::write(path, found).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        Some(None) => write_out(format!("{found}\n").as_bytes())?,
        None => {}
    }
    write_out(text.as_bytes())?;
    Ok(status)
}

/// Tells what there is to know of the program; where reading was stopped, that is the report.
fn tell_facts(request: &VerifyRequest, arguments: &VerifyArguments, budget: &Budget) -> anyhow::Result<u8> {
    let (line, text, status) = match pipeline::facts(request, budget).map_err(Unusable)? {
        Ok(facts) => (PartReport { facts: Some(Box::new(facts)), ..PartReport::default() }, String::new(), 0),
        Err(stop) => {
            let verification = pipeline::stopped_before(request, stop, budget);
            let text = report(&verification, arguments, palette(&arguments.part));
            (PartReport::of(&verification.outcome()), text, verification.verdict().exit_status())
        }
    };
    write_out(format!("{}\n{text}", line.to_line()).as_bytes())?;
    Ok(status)
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
    be_a_part(&arguments.part, &budget, None)?;
    let palette = palette(&arguments.part);
    let request = RunRequest {
        max_steps: arguments.steps(),
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
    let unlimited = budget.clone();
    let work = move || {
        let mut out = io::BufWriter::new(io::stdout().lock());
        let end = pipeline::run::run(&request, palette, &budget, &mut out, &mut io::stderr())?;
        out.flush()?;
        Ok(end)
    };
    match pipeline::on_large_stack(&unlimited, None, work).map_err(Unusable)? {
        Ok(RunEnd::Fine) => Ok(0),
        Ok(RunEnd::Error) => Ok(1),
        Ok(RunEnd::Fault | RunEnd::Interrupted) => Ok(NO_ANSWER),
        Err(RunError::Input(error)) => Err(Unusable(error).into()),
        Err(RunError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        Err(RunError::Output(error)) => Err(error).context("standard output cannot be written"),
    }
}

fn data_model_name(model: DataModel) -> String {
    format!("{model:?}").to_uppercase()
}

fn show(arguments: &ShowArguments) -> anyhow::Result<u8> {
    let budget = Budget::with_time(arguments.time_limit);
    be_a_part(&arguments.part, &budget, arguments.memory_limit)?;
    let shown = if arguments.graph { show_graph(arguments, &budget) } else { show_program(arguments, &budget) };
    let (line, shown) = match (shown, pipeline::stopped(&budget)) {
        (Err(_), Some(stop)) => {
            (PartReport { status: NO_ANSWER, reason: stop.to_string(), ..PartReport::default() }, String::new())
        }
        (shown, _) => (PartReport::default(), shown?),
    };
    write_out(format!("{}\n", line.to_line()).as_bytes())?;
    write_out(shown.as_bytes())?;
    Ok(line.status)
}

fn show_graph(arguments: &ShowArguments, budget: &Budget) -> anyhow::Result<String> {
    let format = arguments.format();
    if matches!(format, Format::Text) {
        let message = InputError::message("the graph of abstract states has no text form");
        return Err(Unusable(message.hint("--format dot or svg draws it")).into());
    }
    let request = VerifyRequest {
        engine: EngineConfig::Cegar(arguments.cegar.config(arguments.search, arguments.solver.clone())),
        files: arguments.files.clone(),
        property: Some(arguments.property.clone()),
        data_model: arguments.data_model.map(data_model_name),
        main: arguments.main.clone(),
        preprocessor: arguments.preprocessor.options(),
        predicates: None,
        solver: arguments.solver.clone(),
        memory_limit: arguments.memory_limit,
    };
    let diagram = pipeline::graph(&request, budget, &mut |_| {}).map_err(Unusable)?;
    match format {
        Format::Svg => diagram.svg().context("the graph cannot be drawn"),
        _ => Ok(diagram.dot()),
    }
}

fn show_program(arguments: &ShowArguments, budget: &Budget) -> anyhow::Result<String> {
    let model = arguments.data_model.map(data_model_name);
    let (files, property, main) = (arguments.files.clone(), arguments.property.clone(), arguments.main.clone());
    let preprocessor = arguments.preprocessor.options();
    let format = arguments.format();
    let work = move || {
        let reading = Reading {
            files: &files,
            property: Some(&property),
            data_model: model.as_deref(),
            main: main.as_deref(),
            preprocessor: &preprocessor,
        };
        let program = pipeline::load(&reading)?;
        let shown = match format {
            Format::Text => Ok(program_text::print(&program)),
            Format::Dot => Ok(draw::dot(&program)),
            Format::Svg => draw::svg(&program),
        };
        // The process is about to end; taking a large program apart piece by piece would only delay that.
        std::mem::forget(program);
        Ok(shown)
    };
    let shown = pipeline::on_large_stack(budget, arguments.memory_limit, work).and_then(|shown| shown);
    shown.map_err(Unusable)?.context("the program cannot be drawn")
}

/// Something the user gave cannot be used; it is drawn rather than printed.
#[derive(Debug)]
struct Unusable(InputError);

impl std::fmt::Display for Unusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            InputError::Message { text, hint: Some(hint) } => {
                write!(f, "{}\n  help: {}", escaped(text), cleaned(hint.clone(), false))
            }
            InputError::Message { text, hint: None } => f.write_str(&escaped(text)),
            InputError::Source { errors, .. } => write!(f, "{errors}"),
        }
    }
}

impl std::error::Error for Unusable {}

/// Writes an error to standard error, for people.
fn complain(error: &anyhow::Error, drawing: Drawing) {
    let message = match error.downcast_ref::<Unusable>() {
        Some(Unusable(InputError::Source { errors, sources })) => diagnostic::render(errors, sources, drawing),
        _ => {
            let palette = if drawing.colours { Palette::coloured() } else { Palette::plain() };
            format!("{} {error:#}\n", palette.bad("error:"))
        }
    };
    // Where standard error is closed, there is nobody to tell.
    let _ = io::stderr().lock().write_all(cleaned(message, drawing.colours).as_bytes());
}
