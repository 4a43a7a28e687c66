//! Concrete execution for the user: one run of a program, shown step by step.

mod order;
mod supply;

use super::{InputError, Reading, input};
use crate::concrete::{
    Change, CycleDetector, Fault, Machine, Outcome, Pointer, ReplayedStep, Value, Violation, failure_at_start, replay,
};
use crate::engine::Budget;
use crate::frontend::c::preprocess::Preprocessor;
use crate::program::EXIT_STATUS;
use crate::program::control::{Action, Step};
use crate::program::{ErrorKind, FloatKind, Id, ProcId, Program, Property, ThreadId, VarId};
use crate::report::text::{self, Detail, StepLayout, TextConfig};
use crate::report::{json, style::Palette};
use crate::term::Integer;
use order::StepOrder;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use supply::Supply;

/// What counts as an error where the user does not say.
const ASSERT: &str = "assert";

/// What to run, and how.
#[derive(Debug, Clone)]
pub struct RunRequest {
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// The inputs, in the order they are read.
    pub inputs: Vec<Value>,
    /// A result of `verify --json`, whose counterexample is run instead.
    pub replay: Option<PathBuf>,
    /// Of several possible steps a random one is taken, not the first.
    pub seed: Option<u64>,
    /// After how many steps to stop.
    pub max_steps: usize,
    /// Only what the program itself prints is shown, and apart from that how it ends.
    pub quiet: bool,
    /// A property file or the short name of a property: what counts as an error.
    pub property: Option<String>,
    /// The sizes of C's types, where the user said which.
    pub data_model: Option<String>,
    /// The class in which a Java program starts, where the user said which.
    pub main: Option<String>,
    /// What C's preprocessor is told.
    pub preprocessor: Preprocessor,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// Nothing more can happen, or enough has.
    Fine,
    /// In an error.
    Error,
    /// In something that the language leaves undefined.
    Fault,
    /// The user wanted to stop.
    Interrupted,
}

/// Why a run could not be shown.
#[derive(Debug)]
pub enum RunError {
    /// What the user gave cannot be used.
    Input(InputError),
    /// The output could not be written.
    Output(io::Error),
}

impl From<InputError> for RunError {
    fn from(error: InputError) -> RunError {
        RunError::Input(error)
    }
}

impl From<io::Error> for RunError {
    fn from(error: io::Error) -> RunError {
        RunError::Output(error)
    }
}

/// Runs the program, and writes what happens as it happens. With `quiet`, nothing but what the program prints goes to
/// `out`, and how it ends to `remarks`.
///
/// # Errors
/// Where the program or the inputs cannot be used, or the output cannot be written.
pub fn run(
    request: &RunRequest,
    palette: Palette,
    budget: &Budget,
    out: &mut dyn Write,
    remarks: &mut dyn Write,
) -> Result<RunEnd, RunError> {
    // A counterexample is one against what was asked then.
    let asked_then = match &request.replay {
        Some(path) => json::read_property(&input::read(path)?),
        None => None,
    };
    let reading = Reading {
        files: &request.files,
        property: request.property.as_deref().or(asked_then.as_deref()).or(Some(ASSERT)),
        data_model: request.data_model.as_deref(),
        main: request.main.as_deref(),
        preprocessor: &request.preprocessor,
    };
    let (mut settings, _) = super::settings(&reading)?;
    // A counterexample is an execution of the program as `verify` reads it.
    settings.c.executes = request.replay.is_none();
    settings.java.executes = request.replay.is_none();
    let (program, _) = input::load(&request.files, &settings)?;
    match &request.replay {
        Some(path) => run_counterexample(&program, path, palette, out),
        None if request.quiet => run_quietly(&program, request, palette, budget, out, remarks),
        None => run_freely(&program, request, palette, budget, out),
    }
}

/// The inputs in a text: numbers, also as 1.5, -2e9, `inf`; `true`, `false`, `null` and addresses as 0x10, apart by blanks, commas or line ends. A `#` starts a
/// comment.
///
/// # Errors
/// At the first word that is none of these.
pub fn parse_inputs(text: &str) -> Result<Vec<Value>, String> {
    let uncommented = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let words = uncommented.flat_map(|line| line.split(|c: char| c == ',' || c.is_whitespace()));
    let address = |word: &str| i64::from_str_radix(word.strip_prefix("0x")?, 16).ok();
    let value = |word: &str| match (word, address(word)) {
        ("true", _) => Ok(Value::Bool(true)),
        ("false", _) => Ok(Value::Bool(false)),
        ("null", _) => Ok(Value::Pointer(Pointer::NULL)),
        (_, Some(offset)) => Ok(Value::Pointer(Pointer { object: 0, offset })),
        (digits, None) => match (digits.parse::<Integer>(), FloatKind::F64.parse(digits)) {
            (Ok(number), _) => Ok(Value::Int(number)),
            (_, Some(bits)) => Ok(Value::Float(bits, FloatKind::F64)),
            _ => Err(format!("`{digits}` is no input value")),
        },
    };
    words.filter(|word| !word.is_empty()).map(value).collect()
}

fn run_counterexample(
    program: &Program,
    path: &Path,
    palette: Palette,
    out: &mut dyn Write,
) -> Result<RunEnd, RunError> {
    let unusable = |problem: String| InputError::message(format!("{}: {problem}", path.display()));
    let counterexample =
        json::read_counterexample(&input::read(path)?, program).map_err(|error| unusable(error.to_string()))?;
    let property = property_against(&counterexample.kind);
    let replay = replay(program, &property, &counterexample.trace).map_err(|error| {
        unusable(format!("the counterexample is no execution of this program: {error}"))
            .hint("the program may have changed since the result was written")
    })?;
    let config = TextConfig { palette, detail: Detail::Steps };
    out.write_all(text::execution(program, &counterexample.trace, &replay, &config).as_bytes())?;
    Ok(RunEnd::Error)
}

/// A property that such an error violates.
fn property_against(kind: &ErrorKind) -> Property {
    match kind {
        ErrorKind::Call(function) => Property::UnreachCall(function.clone()),
        ErrorKind::Overflow => Property::NoOverflow,
        ErrorKind::NullDereference
        | ErrorKind::OutOfBounds
        | ErrorKind::UseAfterFree
        | ErrorKind::InvalidFree
        | ErrorKind::Leak => Property::ValidMemsafety,
        ErrorKind::IndexOutOfRange => Property::ArrayBounds,
        ErrorKind::UninitialisedRead => Property::NoUninitialisedRead,
        ErrorKind::UndefinedExpression => Property::NoUndefinedExpression,
        ErrorKind::DataRace => Property::NoDataRace,
        ErrorKind::Deadlock => Property::NoDeadlock,
        ErrorKind::UncaughtException(_) => Property::NoException,
        ErrorKind::DivisionByZero | ErrorKind::ShiftOutOfRange => Property::NoUndefinedArithmetic,
        // No property counts the last three alone, so no result has them.
        ErrorKind::Assertion | ErrorKind::Unmodelled(_) | ErrorKind::Undefined(_) | ErrorKind::Assumption(_) => {
            Property::Assert
        }
    }
}

fn run_freely(
    program: &Program,
    request: &RunRequest,
    palette: Palette,
    budget: &Budget,
    out: &mut dyn Write,
) -> Result<RunEnd, RunError> {
    let mut machine = Machine::new(program);
    machine.keep_output();
    let mut supply = Supply::new(&request.inputs);
    if let Some(end) = start(&mut machine, &mut supply, out)? {
        return Ok(end);
    }
    let main = ThreadId::new(0);
    let initial: Vec<(VarId, Value)> =
        program.globals().map(|id| (id, machine.value(main, id).unwrap_or_default())).collect();
    out.write_all(text::initial_state(program, &initial, &supply.take_read(), &palette).as_bytes())?;
    show_output(&mut machine, out)?;
    writeln!(out)?;
    if let Some(violation) = failure_at_start(program, machine.control()) {
        out.write_all(text::violation(program, &violation, &palette).as_bytes())?;
        return finish(RunEnd::Error, &supply, out);
    }
    let layout = StepLayout::for_run(program, request.max_steps, palette);
    let mut order = StepOrder::new(program, request.seed);
    for number in 1..=request.max_steps {
        if budget.check().is_err() {
            writeln!(out, "\ninterrupted after {} steps", number - 1)?;
            return finish(RunEnd::Interrupted, &supply, out);
        }
        let taken = match next_step(&mut machine, &mut order, &mut supply) {
            Ok(Some(taken)) => taken,
            Ok(None) => {
                let why = match exit_status(&machine) {
                    Some(status) => &format!("the program has ended with status {status}"),
                    None if machine.control().ended() => "the program has ended",
                    None => "no step is possible",
                };
                writeln!(out, "\nfinal state: {why}")?;
                return finish(RunEnd::Fine, &supply, out);
            }
            Err(fault) => return fault_end(program, fault, out),
        };
        if machine.control().failure(program).is_some() {
            show_output(&mut machine, out)?;
            show_violation(&machine, &taken, palette, out)?;
            return finish(RunEnd::Error, &supply, out);
        }
        machine.commit();
        out.write_all(layout.step(number, &taken).as_bytes())?;
        show_output(&mut machine, out)?;
    }
    writeln!(out, "\nstopped after {} steps; --steps allows more", request.max_steps)?;
    finish(RunEnd::Fine, &supply, out)
}

/// Runs `init`; tells how the run ended, where it did.
fn start(machine: &mut Machine, supply: &mut Supply, out: &mut dyn Write) -> Result<Option<RunEnd>, RunError> {
    match machine.start(supply) {
        Ok(Outcome::Taken) => Ok(None),
        Ok(Outcome::Blocked) => {
            let message = "no execution starts with these inputs: the program's initial condition excludes them";
            Err(InputError::message(message).hint("give others with --input").into())
        }
        Err(fault) => fault_end(machine.program(), fault, out).map(Some),
    }
}

/// Shows what a step has printed, as one line.
fn show_output(machine: &mut Machine, out: &mut dyn Write) -> io::Result<()> {
    let printed = machine.take_output();
    if printed.is_empty() {
        return Ok(());
    }
    writeln!(out, "     prints {:?}", String::from_utf8_lossy(&printed))
}

fn show_violation(
    machine: &Machine,
    taken: &ReplayedStep,
    palette: Palette,
    out: &mut dyn Write,
) -> Result<(), RunError> {
    let program = machine.program();
    let Some(failure) = machine.control().failure(program) else { return Ok(()) };
    let edge = taken.edge.map(|edge| &program.procedures[taken.procedure].edges[edge]);
    let violation = Violation {
        failure: failure.clone(),
        place: taken.edge.map(|edge| (taken.procedure, edge)),
        span: edge.and_then(|edge| edge.span),
        threads: Vec::new(),
    };
    writeln!(out)?;
    out.write_all(text::violation(program, &violation, &palette).as_bytes())?;
    Ok(())
}

/// How many steps go by between two looks at the budget, and at what was printed.
const QUIET_STEPS: usize = 1 << 18;

/// The status that the program has ended with, where it says one, as a shell shows it.
fn exit_status(machine: &Machine) -> Option<Integer> {
    let program = machine.program();
    let variable = program.globals().find(|id| program.variables[*id].name == EXIT_STATUS)?;
    match machine.value(ThreadId::new(0), variable) {
        Some(Value::Int(status)) => Some(status.wrap_unsigned(8)),
        _ => None,
    }
}

/// Runs a program, and shows only what it prints.
///
/// # Errors
/// Where the inputs cannot be used, or the output cannot be written.
pub fn run_quietly(
    program: &Program,
    request: &RunRequest,
    palette: Palette,
    budget: &Budget,
    out: &mut dyn Write,
    remarks: &mut dyn Write,
) -> Result<RunEnd, RunError> {
    let mut machine = Machine::new(program);
    machine.keep_output();
    let mut supply = Supply::new(&request.inputs);
    if let Some(end) = start(&mut machine, &mut supply, remarks)? {
        return Ok(end);
    }
    let mut order = StepOrder::new(program, request.seed);
    let mut steps = Vec::new();
    let mut number = 0;
    while number < request.max_steps {
        let limit = QUIET_STEPS.min(request.max_steps - number) as u64;
        let (gone, last) = go_on(&mut machine, limit);
        number += gone as usize;
        if gone > 0 {
            out.write_all(&machine.take_output())?;
        }
        if budget.check().is_err() {
            out.write_all(&machine.take_output())?;
            writeln!(remarks, "interrupted after {number} steps")?;
            return Ok(RunEnd::Interrupted);
        }
        let taken = match last {
            Some(last) if machine.control().failure(program).is_some() => Ok(Some(last)),
            Some(_) if gone == limit => continue,
            _ => {
                number += 1;
                order.arrange_into(&machine, &mut steps);
                first_possible(&mut machine, &steps, &mut supply)
            }
        };
        let failed = machine.control().failure(program).is_some();
        if failed || !matches!(taken, Ok(Some(_))) {
            out.write_all(&machine.take_output())?;
        }
        match taken {
            Ok(Some(taken)) if failed => {
                show_violation(&machine, &taken, palette, remarks)?;
                return Ok(RunEnd::Error);
            }
            Ok(Some(_)) => machine.commit(),
            Ok(None) => {
                if let Some(status) = exit_status(&machine).filter(|status| !status.is_zero()) {
                    writeln!(remarks, "the program has ended with status {status}")?;
                }
                return Ok(RunEnd::Fine);
            }
            Err(fault) => return fault_end(program, fault, remarks),
        }
    }
    out.write_all(&machine.take_output())?;
    Ok(RunEnd::Fine)
}

/// Takes steps for as long as there is nothing to choose, at most so many; tells how many, and the last.
fn go_on(machine: &mut Machine, limit: u64) -> (u64, Option<ReplayedStep>) {
    let mut last = None;
    let advance =
        machine.run_on(limit, &mut CycleDetector::default(), |procedure, step| last = Some((procedure, step)));
    let told = |(procedure, step)| untold(step, procedure);
    (advance.steps, last.map(told))
}

/// A step of which nothing is told but where it was.
fn untold(step: Step, procedure: ProcId) -> ReplayedStep {
    let edge = match step.action {
        Action::Edge(edge) => Some(edge),
        Action::Return | Action::Wake => None,
    };
    ReplayedStep { step, procedure, edge, inputs: Vec::new(), changes: Vec::new(), cells: Vec::new() }
}

/// Takes the first of the steps that can be taken; what it read and changed is not told.
fn first_possible(machine: &mut Machine, steps: &[Step], supply: &mut Supply) -> Result<Option<ReplayedStep>, Fault> {
    for &step in steps {
        let frame = machine.control().threads[step.thread.index()].frames.last();
        let procedure = frame.expect("a thread that control lets step has a frame").procedure;
        let mark = supply.mark();
        if machine.step(step, supply)? == Outcome::Blocked {
            supply.back_to(mark);
            continue;
        }
        supply.take_read();
        return Ok(Some(untold(step, procedure)));
    }
    Ok(None)
}

fn finish(end: RunEnd, supply: &Supply, out: &mut dyn Write) -> Result<RunEnd, RunError> {
    if supply.missing > 0 {
        let values = if supply.missing == 1 { "1 input was" } else { &format!("{} inputs were", supply.missing) };
        writeln!(out, "{values} not given, and taken as 0 or the nearest value that could be; --input gives them")?;
    }
    let unread = supply.unread();
    if unread > 0 {
        writeln!(out, "{unread} of the given inputs were not read")?;
    }
    Ok(end)
}

fn fault_end(program: &Program, fault: Fault, out: &mut dyn Write) -> Result<RunEnd, RunError> {
    match fault {
        Fault::BadInput(value, variable) => {
            let variable = &program.variables[variable];
            let message =
                format!("the input {value} is no value of {}, which is of type {}", variable.name, variable.ty);
            Err(InputError::message(message).into())
        }
        Fault::Undefined(variable) => {
            let name = &program.variables[variable].name;
            writeln!(out, "\nthe execution is undefined: {name} is read before it has a value")?;
            Ok(RunEnd::Fault)
        }
        other => {
            writeln!(out, "\nthe execution is undefined: {other}")?;
            Ok(RunEnd::Fault)
        }
    }
}

/// Takes the first step that can be taken, in the given order; none where there is none.
fn next_step(machine: &mut Machine, order: &mut StepOrder, supply: &mut Supply) -> Result<Option<ReplayedStep>, Fault> {
    for step in order.arrange(machine) {
        let frame = machine.control().threads[step.thread.index()].frames.last();
        let procedure = frame.expect("a thread that control lets step has a frame").procedure;
        let before = values(machine, step.thread);
        let mark = supply.mark();
        if machine.step(step, supply)? == Outcome::Blocked {
            supply.back_to(mark);
            continue;
        }
        let edge = match step.action {
            Action::Edge(edge) => Some(edge),
            Action::Return | Action::Wake => None,
        };
        let changes = changes(before, values(machine, step.thread));
        return Ok(Some(ReplayedStep {
            step,
            procedure,
            edge,
            inputs: supply.take_read(),
            changes,
            cells: Vec::new(),
        }));
    }
    Ok(None)
}

/// The values that a thread sees, by variable; none where there is no such variable for it.
fn values(machine: &Machine, thread: ThreadId) -> Vec<Option<Value>> {
    machine.program().variables.ids().map(|id| machine.value(thread, id)).collect()
}

fn changes(before: Vec<Option<Value>>, after: Vec<Option<Value>>) -> Vec<Change> {
    let pairs = before.into_iter().zip(after).enumerate();
    let change = |(index, (before, after)): (usize, (Option<Value>, Option<Value>))| {
        let (before, after) = (before.unwrap_or_default(), after?);
        (before != after).then(|| Change { variable: VarId::new(index), before, after })
    };
    pairs.filter_map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_words() {
        let values = parse_inputs("1, -2,,3 # not 4\n\ttrue null\n").expect("values");
        let expected =
            vec![Value::int(1), Value::int(-2), Value::int(3), Value::Bool(true), Value::Pointer(Pointer::NULL)];
        assert_eq!(values, expected);
        assert_eq!(parse_inputs("-1.5"), Ok(vec![Value::Float((-1.5f64).to_bits(), FloatKind::F64)]));
        assert_eq!(parse_inputs("1 x"), Err("`x` is no input value".to_owned()));
        assert_eq!(parse_inputs("0x10"), Ok(vec![Value::Pointer(Pointer::NOWHERE)]));
        assert_eq!(parse_inputs(""), Ok(vec![]));
    }
}
