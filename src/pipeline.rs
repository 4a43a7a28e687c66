//! The line through the house, from files to an outcome: what the command line, and any other caller, uses.

mod abstractions;
pub mod auto;
mod database;
pub mod input;
pub mod parts;
mod predicates;
mod property;
pub mod run;
mod supervise;
pub mod units;

pub use crate::system::tree::kill_descendants;
pub use supervise::keep_panics_quiet;

use crate::confirm::{self, ConfirmConfig, Reason, Verdict};
use crate::engine::view::Diagram;
use crate::engine::{self, Budget, EngineConfig, Progress, Statistics, Stop, Task};
use crate::frontend::c::preprocess::Preprocessor;
use crate::frontend::c::types::DataModel;
use crate::frontend::{Language, Settings};
use crate::program::{ErrorKind, FrontendErrors, Program, Property, SourceFiles};
use crate::report::part::Facts;
use crate::report::tried::Account;
use crate::report::{Outcome, TaskSummary};
use crate::{solver, system};
use property::Asked;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use supervise::{Ended, supervise};

/// What to verify, and how.
#[derive(Debug, Clone)]
pub struct VerifyRequest {
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// A property file or the short name of a property.
    pub property: Option<String>,
    /// The sizes of C's types, where the user said which.
    pub data_model: Option<String>,
    /// The class in which a Java program starts, where the user said which.
    pub main: Option<String>,
    /// What C's preprocessor is told.
    pub preprocessor: Preprocessor,
    /// Which engine.
    pub engine: EngineConfig,
    /// A file with predicates for the engine.
    pub predicates: Option<PathBuf>,
    /// The solver that the user chose.
    pub solver: Option<PathBuf>,
    /// How many bytes of memory may be used, by this process and its solvers.
    pub memory_limit: Option<u64>,
}

impl VerifyRequest {
    /// What of it is about reading the program.
    pub fn reading(&self) -> Reading<'_> {
        Reading {
            files: &self.files,
            property: self.property.as_deref(),
            data_model: self.data_model.as_deref(),
            main: self.main.as_deref(),
            preprocessor: &self.preprocessor,
        }
    }
}

/// What program to read, and how.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// The files of the program.
    pub files: &'a [PathBuf],
    /// A property file or the short name of a property.
    pub property: Option<&'a str>,
    /// The sizes of C's types, where the user said which.
    pub data_model: Option<&'a str>,
    /// The class in which a Java program starts, where the user said which.
    pub main: Option<&'a str>,
    /// What C's preprocessor is told.
    pub preprocessor: &'a Preprocessor,
}

/// How a verification ended.
#[derive(Debug)]
pub struct Verification {
    files: Vec<String>,
    task: Option<Arc<Task>>,
    summary: Option<TaskSummary>,
    engine: &'static str,
    verdict: Verdict,
    statistics: Statistics,
    accounts: Vec<Account>,
    seconds: f64,
}

/// What the user gave cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputError {
    /// A sentence, and perhaps what to do about it.
    Message {
        /// What is wrong; it names the place.
        text: String,
        /// What to do.
        hint: Option<String>,
    },
    /// A front end found something wrong in a source file.
    Source {
        /// What.
        errors: FrontendErrors,
        /// The files.
        sources: SourceFiles,
    },
}

impl InputError {
    /// A sentence that names the place.
    pub fn message(text: impl Into<String>) -> InputError {
        InputError::Message { text: text.into(), hint: None }
    }

    /// The same with what to do about it.
    pub fn hint(self, hint: impl Into<String>) -> InputError {
        match self {
            InputError::Message { text, .. } => InputError::Message { text, hint: Some(hint.into()) },
            source => source,
        }
    }
}

impl Verification {
    /// What to report.
    pub fn outcome(&self) -> Outcome<'_> {
        Outcome {
            files: &self.files,
            task: self.task.as_deref(),
            summary: self.summary.as_ref(),
            engine: self.engine,
            verdict: &self.verdict,
            statistics: &self.statistics,
            accounts: &self.accounts,
            seconds: self.seconds,
        }
    }

    /// The verdict.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }
}

/// Verifies, within the budget; calls `on_tick` now and then with how far it is.
///
/// # Errors
/// Where the program, the property or the solver that the request names cannot be used.
pub fn verify(
    request: &VerifyRequest,
    budget: &Budget,
    on_tick: &mut dyn FnMut(Progress),
) -> Result<Verification, InputError> {
    verify_and(request, budget, on_tick, |verification| verification)
}

/// The same, and makes something of it, which counts as a part of the work.
///
/// # Errors
/// Where the program, the property or the solver that the request names cannot be used.
pub fn verify_and<T: Send + 'static>(
    request: &VerifyRequest,
    budget: &Budget,
    on_tick: &mut dyn FnMut(Progress),
    finish: impl Fn(Verification) -> T + Clone + Send + 'static,
) -> Result<T, InputError> {
    let known: Arc<OnceLock<Arc<Task>>> = Arc::default();
    let ended =
        |request: &VerifyRequest, budget: &Budget, task: Option<&Arc<Task>>, verdict, statistics| Verification {
            files: request.files.iter().map(|path| path.display().to_string()).collect(),
            task: task.cloned(),
            summary: task.map(|task| TaskSummary::of(task)),
            engine: request.engine.id().name(),
            verdict,
            statistics,
            accounts: Vec::new(),
            seconds: budget.elapsed().as_secs_f64(),
        };
    let work = {
        let (request, budget, known, finish) = (request.clone(), budget.clone(), Arc::clone(&known), finish.clone());
        move || {
            let worked = check_solver(request.solver.as_deref()).and_then(|()| work(&request, &budget, &known));
            let (verdict, statistics) = match (worked, stopped(&budget)) {
                (Err(_), Some(stop)) => (Verdict::Unknown(Reason::Stopped(stop)), so_far(&budget)),
                (worked, _) => worked?,
            };
            Ok(finish(ended(&request, &budget, known.get(), verdict, statistics)))
        }
    };
    let reason = match supervise(budget, request.memory_limit, on_tick, work) {
        Ended::Done(result) => return result,
        Ended::Panicked(message) => Reason::Broken(message),
        Ended::Abandoned(stop) => Reason::Stopped(stop),
    };
    // What a task whose work was given up would say of itself may be much work, too.
    Ok(finish(ended(request, budget, None, Verdict::Unknown(reason), so_far(budget))))
}

/// What there is to know of the program, to choose engines; or why there was no time or memory to read it.
///
/// # Errors
/// Where the program, the property or the solver that the request names cannot be used.
pub fn facts(request: &VerifyRequest, budget: &Budget) -> Result<Result<Facts, Stop>, InputError> {
    let work = {
        let (request, budget) = (request.clone(), budget.clone());
        move || {
            let read = check_solver(request.solver.as_deref()).and_then(|()| read(&request));
            match (read, stopped(&budget)) {
                (Err(_), Some(stop)) => Ok(Err(stop)),
                (read, _) => {
                    let (task, _) = read?;
                    let facts = auto::facts(&task);
                    // The process is about to end; taking a large program apart piece by piece would only delay that.
                    std::mem::forget(task);
                    Ok(Ok(facts))
                }
            }
        }
    };
    match supervise(budget, request.memory_limit, &mut |_| {}, work) {
        Ended::Done(facts) => facts,
        Ended::Panicked(message) => Err(InputError::message(format!("internal error, please report it: {message}"))),
        Ended::Abandoned(stop) => Ok(Err(stop)),
    }
}

/// A verification that was stopped before anything was known.
pub fn stopped_before(request: &VerifyRequest, stop: Stop, budget: &Budget) -> Verification {
    Verification {
        files: request.files.iter().map(|path| path.display().to_string()).collect(),
        task: None,
        summary: None,
        engine: "auto",
        verdict: Verdict::Unknown(Reason::Stopped(stop)),
        statistics: Statistics::default(),
        accounts: Vec::new(),
        seconds: budget.elapsed().as_secs_f64(),
    }
}

/// The limit that was reached, by this process or one that it started.
pub fn stopped(budget: &Budget) -> Option<Stop> {
    match (system::memory_reached(), system::ambient().memory) {
        (true, None) => return Some(Stop::GaveUp("there is not enough memory".to_owned())),
        (true, Some(_)) => budget.out_of_memory(),
        (false, _) => {}
    }
    budget.check().err()
}

/// The abstract reachability graph that the engine `cegar` has in the end, to draw; calls `on_tick` now and then with
/// how far it is. A limit that is reached ends the exploration, not the drawing.
///
/// # Errors
/// Where the program, the property or the solver that the request names cannot be used, where the engine cannot begin,
/// and where another engine is asked for.
pub fn graph(
    request: &VerifyRequest,
    budget: &Budget,
    on_tick: &mut dyn FnMut(Progress),
) -> Result<Diagram, InputError> {
    let EngineConfig::Cegar(_) = &request.engine else {
        return Err(InputError::message("only the engine `cegar` has an abstract reachability graph"));
    };
    let work = {
        let (request, budget) = (request.clone(), budget.clone());
        move || {
            check_solver(request.solver.as_deref())?;
            let (task, engine) = read(&request)?;
            let EngineConfig::Cegar(config) = engine else { unreachable!("it was asked for") };
            engine::cegar::graph(&task, &config, &budget).map_err(|stop| InputError::message(stop.to_string()))
        }
    };
    match supervise(budget, request.memory_limit, on_tick, work) {
        Ended::Done(diagram) => diagram,
        Ended::Panicked(message) => Err(InputError::message(format!("internal error, please report it: {message}"))),
        Ended::Abandoned(stop) => Err(InputError::message(stop.to_string())),
    }
}

/// A solver that the user named must work, whether it will be needed or not: better said now than after an hour.
fn check_solver(named: Option<&Path>) -> Result<(), InputError> {
    if named.is_none() && std::env::var_os("TANDEM_SOLVER").is_none_or(|value| value.is_empty()) {
        return Ok(());
    }
    let found = solver::locate(named).and_then(|found| solver::locate::probe(&found));
    found.map_err(|error| InputError::message(error.to_string()))
}

fn work(
    request: &VerifyRequest,
    budget: &Budget,
    known: &OnceLock<Arc<Task>>,
) -> Result<(Verdict, Statistics), InputError> {
    let (task, engine) = read(request)?;
    let task = known.get_or_init(|| Arc::new(task));
    let engine = abstractions::with_abstractions(&engine, &task.program)?;
    let run = engine::verify(task, &engine, budget);
    let config = ConfirmConfig { solver: request.solver.clone() };
    let verdict = match confirm::confirm(task, run.claim, &config, budget) {
        // A solver that ran out of memory is why.
        Verdict::Unknown(Reason::Stopped(
            Stop::Solver(_)
            | Stop::GaveUp(_)
            | Stop::Diverged
            | Stop::NoRefinement
            | Stop::PathTooLong
            | Stop::NotFollowed,
        )) if system::memory_reached() && system::ambient().memory.is_some() => {
            Verdict::Unknown(Reason::Stopped(Stop::MemoryLimit))
        }
        verdict => verdict,
    };
    Ok((verdict, run.statistics))
}

/// The program and the property of a request, and the engine with the predicates that it is given.
fn read(request: &VerifyRequest) -> Result<(Task, EngineConfig), InputError> {
    let (settings, property) = settings(&request.reading())?;
    let (program, _) = input::load(&request.files, &settings)?;
    let (mut task, mut engine) = (Task { program, property }, request.engine.clone());
    if let Some(path) = &request.predicates {
        predicates::give(path, &mut task, &mut engine)?;
    }
    Ok((task, engine))
}

/// What the front end needs to know, and the property, from what the user says of them.
fn settings(reading: &Reading<'_>) -> Result<(Settings, Property), InputError> {
    let language = input::language_of_all(reading.files)?;
    let Asked { property, error_function, rules } = property::resolve(reading.property, language)?;
    let mut settings = Settings::for_property(&property);
    settings.java.main = reading.main.map(str::to_owned);
    settings.c.rules = rules;
    if let Some(name) = error_function {
        let kind = ErrorKind::Call(property::ERROR_FUNCTION.to_owned());
        settings.c.error_functions.insert(name.to_owned(), kind);
    }
    let is_c = language == input::Language::Source(Language::C);
    if !is_c && *reading.preprocessor != Preprocessor::default() {
        let message = "-I, -D, -U, --include, --std, --compile-commands, --function and --strict are for C programs, and this is none";
        return Err(InputError::message(message).hint("leave them out"));
    }
    settings.c.preprocessor = reading.preprocessor.clone();
    settings.c.strict = reading.preprocessor.strict;
    match reading.data_model {
        None => {}
        // Java's types have the sizes that Java says, whatever those of C are.
        Some(_) if language == input::Language::Source(Language::Java) => {}
        Some(model) if !is_c => {
            let message = format!("--data-model {model} is for C programs, and this is none");
            return Err(InputError::message(message).hint("leave it out"));
        }
        Some("ILP32") => settings.data_model = DataModel::Ilp32,
        Some("LP64") => settings.data_model = DataModel::Lp64,
        Some(model) => return Err(InputError::message(format!("there is no data model `{model}`"))),
    }
    if let Some(database) = &reading.preprocessor.database {
        let all = database::of_files(database, reading.files, reading.preprocessor, settings.data_model)?;
        settings.c.of_files = all.into_iter().collect();
    }
    Ok((settings, property))
}

/// The program in the files, for callers that only want to look at it.
///
/// # Errors
/// Where there is no valid program in them.
pub fn load(reading: &Reading<'_>) -> Result<Program, InputError> {
    let (settings, _) = settings(reading)?;
    input::load(reading.files, &settings).map(|(program, _)| program)
}

/// Does the work within limits, where deep recursion is no danger; a panic becomes a message.
///
/// # Errors
/// Where the work panics, or a limit is reached.
pub fn on_large_stack<T: Send + 'static>(
    budget: &Budget,
    memory_limit: Option<u64>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, InputError> {
    match supervise(budget, memory_limit, &mut |_| {}, work) {
        Ended::Done(result) => Ok(result),
        Ended::Panicked(message) => Err(InputError::message(format!("internal error, please report it: {message}"))),
        Ended::Abandoned(stop) => Err(InputError::message(stop.to_string())),
    }
}

/// What an engine that gave no account of itself did, as far as it told while it ran.
fn so_far(budget: &Budget) -> Statistics {
    let progress = budget.progress();
    Statistics { states: progress.states, transitions: progress.transitions, ..Statistics::default() }
}
