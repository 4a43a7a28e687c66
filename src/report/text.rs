//! The report for people.

use super::clean::escaped;
use super::objects::Objects;
use super::place::{Place, Places, assignment, counted, input_name, one_line, readable};
use super::properties::{self, Known};
use super::style::Palette;
use super::tried::{Account, At, Taken, taken_for_granted};
use super::{Outcome, TaskSummary, reason, story, threads};
use crate::concrete::{Change, Input, Replay, ReplayedStep, Trace, Value, Violation};
use crate::confirm::{
    CheckedProof, ErrorSearch, ProofMethod, Reason, ReplayedTrace, Stated, StatedCase, StatedLoop, StatedProcedure,
    Verdict,
};
use crate::engine::{Stop, Task};
use crate::program::control::Action;
use crate::program::{Program, Span, VarId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How the report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextConfig {
    /// The colours.
    pub palette: Palette,
    /// How much of a counterexample is shown.
    pub detail: Detail,
}

/// How much of a counterexample is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// The lines of the source that it comes through, as many as fit one screen.
    Lines,
    /// Every step.
    Steps,
}

/// How many columns a list of values may take before it goes on in the next line.
pub(super) const WIDTH: usize = 96;

/// The whole report, without the line of the verdict.
pub fn report(outcome: &Outcome, config: &TextConfig) -> String {
    let palette = &config.palette;
    let mut out = String::new();
    head(&mut out, outcome, palette);
    match (outcome.verdict, outcome.task) {
        (Verdict::Safe(proof), task) => safe(&mut out, task, proof, palette),
        (Verdict::Unsafe(trace), Some(task)) => {
            out.push_str(&execution(&task.program, trace.trace(), trace.replay(), config));
            threads::schedule(&mut out, &task.program, trace.replay(), palette);
            other_errors(&mut out, &task.program, trace, palette);
        }
        (Verdict::Unknown(why), _) => {
            unknown(&mut out, outcome, why, palette);
            tried(&mut out, outcome, palette);
        }
        (Verdict::Unsafe(_), None) => {}
    }
    foot(&mut out, outcome, palette);
    properties(&mut out, outcome, palette);
    out
}

/// Of several properties, what is known of each.
fn properties(out: &mut String, outcome: &Outcome, palette: &Palette) {
    let known = properties::known(outcome);
    if known.len() < 2 {
        return;
    }
    let width = known.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    for (index, (name, known)) in known.iter().enumerate() {
        let known = match known {
            Known::Safe => palette.good("safe"),
            Known::Unsafe => palette.bad("unsafe"),
            Known::AnotherFirst => palette.doubtful("unknown, as another one was violated first"),
            Known::Nothing => palette.doubtful("unknown"),
        };
        field(out, palette, if index == 0 { "properties" } else { "" }, &format!("{name:<width$}  {known}"));
    }
}

/// The last line.
pub fn verdict_line(verdict: &Verdict) -> String {
    format!("verdict: {}", verdict.name())
}

fn field(out: &mut String, palette: &Palette, name: &str, text: &str) {
    let _ = writeln!(out, "{} {text}", palette.faint(format_args!("{name:<11}")));
}

fn head(out: &mut String, outcome: &Outcome, palette: &Palette) {
    let name = outcome.summary.map(|summary| summary.name.as_str()).unwrap_or_default();
    let files = escaped(&outcome.files.join(" ")).into_owned();
    let program =
        if name.is_empty() { files } else { format!("{}  {}", palette.strong(escaped(name)), palette.faint(files)) };
    field(out, palette, "program", &program);
    if let Some(summary) = outcome.summary {
        field(out, palette, "property", &summary.question);
    }
    field(out, palette, "engine", outcome.engine);
    if let Some(summary) = outcome.summary {
        remarks(out, summary, palette);
    }
    out.push('\n');
}

/// What the user should know of how the program was read, before anything that follows from it.
fn remarks(out: &mut String, task: &TaskSummary, palette: &Palette) {
    for (index, remark) in task.remarks.iter().enumerate() {
        field(out, palette, if index == 0 { "remarks" } else { "" }, &remark.text);
        source_line(out, remark.place(), palette);
    }
}

fn safe(out: &mut String, task: Option<&Task>, proof: &CheckedProof, palette: &Palette) {
    let what = match proof.method() {
        ProofMethod::ReachedStates(states) => {
            format!("the set of all {} that can be reached", counted(states, "state"))
        }
        ProofMethod::FollowedExecutions(states) => {
            format!("all executions, from one of {} to the next", counted(states, "state"))
        }
        ProofMethod::LocationInvariants(n) => format!("an inductive invariant for {}", counted(n, "location")),
        ProofMethod::CutInvariants(n) => format!("an inductive invariant of {}", counted(n, "abstract state")),
        ProofMethod::ThreadModular(n) => {
            format!("{} of each thread and of every two", counted(n, "inductive fact"))
        }
        ProofMethod::Shapes(n) => format!("all executions, through {} of memory", counted(n, "shape")),
        ProofMethod::Unrolling(n) => format!("all executions, unrolled to {}", counted(n, "symbolic state")),
    };
    field(out, palette, "proof", &palette.good(what));
    field(out, palette, "checked by", proof.checker());
    if let Some(task) = task {
        stated(out, &task.program, proof.stated(), palette);
    }
}

/// How many loops, procedures and cases of a procedure are told, and how long a formula may be.
const MAX_STATED: usize = 8;
const LONGEST_FORMULA: usize = 200;

/// What the proof says in the words of the source.
fn stated(out: &mut String, program: &Program, stated: &Stated, palette: &Palette) {
    let place_of = |span| Place::of(&program.sources, span);
    if !stated.loops.is_empty() {
        let _ = writeln!(out, "\n{}", palette.strong("invariants of the loops"));
    }
    for StatedLoop { procedure, location, invariant } in stated.loops.iter().take(MAX_STATED) {
        let procedure = &program.procedures[*procedure];
        match place_of(procedure.locations[*location].span) {
            Some(place) => {
                let _ = writeln!(out, "  {}  {}", palette.faint(place.file_and_line()), place.text);
            }
            None => {
                let _ = writeln!(out, "  {}", palette.faint(&procedure.name));
            }
        }
        let _ = writeln!(out, "      {}", palette.name(invariant.written(LONGEST_FORMULA)));
    }
    left_out(out, stated.loops.len(), "loop", palette);
    if !stated.procedures.is_empty() {
        let _ = writeln!(out, "\n{}", palette.strong("summaries of the recursive procedures"));
    }
    for StatedProcedure { procedure, cases } in stated.procedures.iter().take(MAX_STATED) {
        let procedure = &program.procedures[*procedure];
        let place = place_of(procedure.span).map(|place| place.file_and_line()).unwrap_or_default();
        let _ = writeln!(out, "  {}", format!("{}  {}", palette.faint(place), procedure.name).trim_start());
        for StatedCase { requires, ensures } in cases.iter().take(MAX_STATED) {
            let requires = palette.name(requires.written(LONGEST_FORMULA));
            let ensures = match ensures.is_false {
                true => "does not return".to_owned(),
                false => format!("ensures {}", palette.name(ensures.written(LONGEST_FORMULA))),
            };
            let _ = writeln!(out, "      requires {requires}\n      {ensures}");
        }
        left_out(out, cases.len(), "case", palette);
    }
    left_out(out, stated.procedures.len(), "procedure", palette);
}

fn left_out(out: &mut String, count: usize, noun: &str, palette: &Palette) {
    if count > MAX_STATED {
        let text = format!("… {} left out; --json has them all", counted(count - MAX_STATED, noun));
        let _ = writeln!(out, "      {}", palette.faint(text));
    }
}

fn unknown(out: &mut String, outcome: &Outcome, why: &Reason, palette: &Palette) {
    let place = |span: Option<Span>| outcome.task.and_then(|task| Place::of(&task.program.sources, span));
    match why {
        Reason::Assumed(_) => {
            let _ = writeln!(out, "{}", palette.doubtful("no error was found, but this is taken for granted:"));
            for Taken { text, place } in taken_for_granted(outcome) {
                let _ = writeln!(out, "  - {}", escaped(&text));
                source_line(out, place.as_ref().map(At::place), palette);
            }
        }
        Reason::Stopped(stop) => {
            let _ = writeln!(out, "{}", palette.doubtful(format_args!("no answer: {stop}")));
            match stop {
                Stop::Unsupported { span, .. } | Stop::Unmodelled { span, .. } | Stop::Fault { span, .. } => {
                    source_line(out, place(*span), palette);
                }
                _ => {}
            }
        }
        Reason::Refuted(_) | Reason::Broken(_) => {
            let _ = writeln!(out, "{}", palette.bad("an error in Tandem, not in the program; no answer is given"));
        }
    }
}

/// What each engine did, and what could help.
fn tried(out: &mut String, outcome: &Outcome, palette: &Palette) {
    let is_stopped = matches!(outcome.verdict, Verdict::Unknown(Reason::Stopped(_)));
    let own = Account::of(outcome).filter(|_| outcome.accounts.is_empty() && outcome.task.is_some() && is_stopped);
    let accounts: Vec<&Account> = outcome.accounts.iter().chain(&own).collect();
    let width = accounts.iter().map(|account| account.engine.len()).max().unwrap_or(0);
    for (index, account) in accounts.iter().enumerate() {
        if index == 0 {
            out.push('\n');
        }
        let lines = account.lines(width);
        for (number, line) in lines.iter().enumerate() {
            field(out, palette, if index + number == 0 { "tried" } else { "" }, line);
        }
    }
    if let Some(advice) = accounts.iter().find_map(|account| account.advice.as_deref()) {
        field(out, palette, "try", advice);
    }
}

fn source_line(out: &mut String, place: Option<Place>, palette: &Palette) {
    if let Some(place) = place {
        let _ = writeln!(out, "      {}  {}", palette.faint(place.file_and_line()), place.text);
    }
}

fn foot(out: &mut String, outcome: &Outcome, palette: &Palette) {
    let s = outcome.statistics;
    let mut parts = vec![format!("states {}", s.states), format!("transitions {}", s.transitions)];
    parts.push(format!("depth {}", s.depth));
    if s.states > 0 && s.state_bytes > 0 {
        parts.push(format!("bytes per state {}", s.state_bytes.div_ceil(s.states)));
    }
    if s.queries > 0 {
        parts.push(format!("queries {}", s.queries));
    }
    if s.refinements > 0 {
        parts.push(format!("refinements {}", s.refinements));
    }
    if s.resumed > 0 {
        parts.push(format!("states resumed {}", s.resumed));
    }
    if s.predicates > 0 {
        parts.push(format!("predicates {}", s.predicates));
    }
    if s.abstract_states > 0 {
        parts.push(format!("abstract states {}", s.abstract_states));
    }
    parts.push(format!("seconds {:.3}", outcome.seconds));
    out.push('\n');
    field(out, palette, "statistics", &parts.join(", "));
    let why = reason(outcome.verdict);
    let why = match outcome.verdict {
        Verdict::Safe(_) => palette.good(why),
        Verdict::Unsafe(_) => palette.bad(why),
        Verdict::Unknown(_) => palette.doubtful(why),
    };
    field(out, palette, "reason", &why);
}

/// An execution that ends in an error: how it starts, its steps, what is wrong in the end.
pub fn execution(program: &Program, trace: &Trace, replay: &Replay, config: &TextConfig) -> String {
    let mut text = String::new();
    let out = &mut text;
    let palette = &config.palette;
    let count = replay.steps.len();
    let title = format!("counterexample: {}, replayed", counted(count, "step"));
    let _ = writeln!(out, "{}\n", palette.strong(title));
    if config.detail == Detail::Lines {
        return text + &story::story(program, trace, replay, palette);
    }
    if let Some(objects) = Objects::of(program, replay) {
        return text + &object_execution(program, replay, &objects, config);
    }
    let out = &mut text;
    let initial = initial_state(program, &replay.initial, &replay.initial_inputs, palette);
    if !initial.is_empty() {
        let _ = writeln!(out, "{initial}");
    }
    let layout = StepLayout::of(program, count, || replay.steps.iter(), *palette);
    for (index, step) in replay.steps.iter().enumerate() {
        out.push_str(&layout.step(index + 1, step));
    }
    if count > 0 {
        out.push('\n');
    }
    out.push_str(&violation(program, &replay.violation, palette));
    let last = final_values(&replay.initial, &replay.steps);
    values(out, "in state", &assignment(program, &last), palette);
    text
}

/// One line of the source that an execution of a program with objects goes through.
struct Line<'r> {
    number: usize,
    step: &'r ReplayedStep,
    effects: Vec<String>,
}

/// An execution of a program with objects: line by line; steps inside the library are left out.
fn object_execution(program: &Program, replay: &Replay, objects: &Objects<'_>, config: &TextConfig) -> String {
    let mut text = String::new();
    let (out, palette) = (&mut text, &config.palette);
    let initial = objects.assignment(&replay.initial);
    values(out, "initial", &initial, palette);
    if !initial.is_empty() {
        out.push('\n');
    }
    let mut shown: Vec<Line<'_>> = Vec::new();
    let places = Places::new(&program.sources);
    for (index, step) in replay.steps.iter().enumerate() {
        let place = places.of(span(program, step));
        let read = step.inputs.iter().map(|input| format!("input {}", objects.value(&input.value)));
        let effects: Vec<String> = read.chain(objects.effects(step)).collect();
        let key = |step: &ReplayedStep| (step.step.thread, step.procedure, places.of(span(program, step)));
        match shown.last_mut() {
            _ if place.is_none() && step.inputs.is_empty() => {}
            Some(line) if key(line.step) == key(step) => line.effects.extend(effects),
            _ if step.step.action == Action::Return => {}
            _ => shown.push(Line { number: index + 1, step, effects }),
        }
    }
    let layout = StepLayout::of(program, replay.steps.len(), || shown.iter().map(|line| line.step), *palette);
    for line in &shown {
        out.push_str(&layout.entry(line.number, line.step, &line.effects));
    }
    out.push('\n');
    out.push_str(&violation(program, &replay.violation, palette));
    let last = final_values(&replay.initial, &replay.steps);
    values(out, "in state", &objects.assignment(&last), palette);
    text
}

/// The values after the steps, of the variables that had one at the start.
pub(super) fn final_values(initial: &[(VarId, Value)], steps: &[ReplayedStep]) -> Vec<(VarId, Value)> {
    let mut last: BTreeMap<VarId, &Value> = BTreeMap::new();
    for change in steps.iter().flat_map(|step| &step.changes) {
        last.insert(change.variable, &change.after);
    }
    initial.iter().map(|(v, value)| (*v, last.get(v).copied().unwrap_or(value).clone())).collect()
}

/// The values that an execution starts with, and the inputs that gave them.
pub fn initial_state(program: &Program, initial: &[(VarId, Value)], inputs: &[Input], palette: &Palette) -> String {
    let mut out = String::new();
    values(&mut out, "initial", &assignment(program, initial), palette);
    if !inputs.is_empty() {
        values(&mut out, "inputs", &inputs.iter().map(|i| input(program, i)).collect::<Vec<_>>(), palette);
    }
    out
}

/// The other errors that were found, each with its schedule, and whether these are all.
fn other_errors(out: &mut String, program: &Program, first: &ReplayedTrace, palette: &Palette) {
    let count = first.others().len() + 1;
    for (index, other) in first.others().iter().enumerate() {
        let _ = writeln!(out, "\n{}\n", palette.strong(format_args!("error {} of {count}", index + 2)));
        out.push_str(&violation(program, &other.replay().violation, palette));
        threads::schedule(out, program, other.replay(), palette);
    }
    let what = match first.search() {
        None => return,
        Some(ErrorSearch::Complete) => format!("{}, and no others at other places", counted(count, "error")),
        Some(ErrorSearch::Stopped(why)) => format!("{} so far; there may be others: {why}", counted(count, "error")),
    };
    out.push('\n');
    field(out, palette, "errors", &what);
}

/// What went wrong, and where.
pub fn violation(program: &Program, violation: &Violation, palette: &Palette) -> String {
    let mut out = String::new();
    let message = palette.bad(one_line(&violation.failure.message));
    let _ = writeln!(out, "  {} {message}", palette.faint(format_args!("{:<9}", "violated")));
    if let Some(place) = Place::of(&program.sources, violation.span) {
        let _ = writeln!(out, "  {:<9} {}  {}", "", palette.faint(place.file_and_line()), place.text);
    }
    threads::situations(&mut out, program, violation, palette);
    out
}

/// A list of short texts under a name, in as many lines as it takes.
pub(super) fn values(out: &mut String, name: &str, items: &[String], palette: &Palette) {
    for (index, line) in lines(items, "  ", WIDTH).into_iter().enumerate() {
        let name = if index == 0 { name } else { "" };
        let _ = writeln!(out, "  {} {line}", palette.faint(format_args!("{name:<9}")));
    }
}

fn input(program: &Program, input: &Input) -> String {
    format!("{} = {}", input_name(program, input), readable(&input.value))
}

fn change(program: &Program, change: &Change) -> String {
    let name = &program.variables[change.variable].name;
    format!("{name}: {} -> {}", readable(&change.before), readable(&change.after))
}

/// How the steps of one execution are lined up.
#[derive(Debug)]
pub struct StepLayout<'p> {
    program: &'p Program,
    places: Places<'p>,
    palette: Palette,
    number_width: usize,
    label_width: usize,
    place_width: usize,
    threads: bool,
}

impl<'p> StepLayout<'p> {
    /// The layout for steps that are all known, of an execution of so many.
    fn of<'s, I>(program: &'p Program, count: usize, steps: impl Fn() -> I, palette: Palette) -> StepLayout<'p>
    where
        I: Iterator<Item = &'s ReplayedStep>,
    {
        let places = Places::new(&program.sources);
        let label_width = steps().map(|step| label(program, step).chars().count()).max().unwrap_or(0);
        let first = steps().next().map(|step| step.step.thread);
        let threads = steps().any(|step| Some(step.step.thread) != first);
        let place_of = |step| places.of(span(program, step));
        let place_width = steps().filter_map(place_of).map(|place| place.file_and_line().chars().count()).max();
        StepLayout {
            program,
            places,
            palette,
            number_width: count.to_string().len(),
            label_width: label_width.min(24),
            place_width: place_width.unwrap_or(0),
            threads,
        }
    }

    /// The layout for steps that are shown as they happen, at most so many of them.
    pub fn for_run(program: &'p Program, max_steps: usize, palette: Palette) -> StepLayout<'p> {
        let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        let widest = edges.filter_map(|edge| edge.label.as_ref()).map(|label| label.chars().count()).max();
        let spawns = |s: &crate::program::Statement| matches!(s, crate::program::Statement::Spawn { .. });
        let threads = program.procedures.iter().flat_map(|p| p.edges.iter()).any(|e| e.block.iter().any(spawns));
        StepLayout {
            program,
            places: Places::new(&program.sources),
            palette,
            number_width: max_steps.to_string().len().min(6),
            label_width: widest.unwrap_or(0).clamp(6, 24),
            place_width: 0,
            threads,
        }
    }

    /// One step: its number, name and source line; under it what changed and what was read.
    pub fn step(&self, number: usize, step: &ReplayedStep) -> String {
        let program = self.program;
        let mut parts: Vec<String> = step.inputs.iter().map(|i| format!("input {}", input(program, i))).collect();
        parts.extend(step.changes.iter().map(|c| change(program, c)));
        self.entry(number, step, &parts)
    }

    /// A step with what is told of it.
    fn entry(&self, number: usize, step: &ReplayedStep, parts: &[String]) -> String {
        let (program, palette) = (self.program, &self.palette);
        let mut out = String::new();
        let name = label(program, step);
        let padding = " ".repeat(self.label_width.saturating_sub(name.chars().count()));
        let thread = if self.threads { format!("{:?} ", step.step.thread) } else { String::new() };
        let place = self.places.of(span(program, step));
        let source = |place: Place| {
            let place_padding = " ".repeat(self.place_width.saturating_sub(place.file_and_line().chars().count()));
            format!("{}{place_padding}  {}", palette.faint(place.file_and_line()), place.text)
        };
        let source = place.map(source).unwrap_or_default();
        let head =
            format!("{number:>width$}  {thread}{}{padding}  {source}", palette.name(name), width = self.number_width);
        let _ = writeln!(out, "  {}", head.trim_end());
        let indent = self.number_width + 4;
        for line in lines(parts, ", ", WIDTH) {
            let _ = writeln!(out, "{}{}", " ".repeat(indent + 2), palette.strong(line));
        }
        out
    }
}

/// The items joined, in lines of at most the given width where they can be broken.
pub(super) fn lines(items: &[String], separator: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.chars().count() + separator.len() + item.chars().count() <= width => {
                line.push_str(separator);
                line.push_str(item);
            }
            _ => lines.push(item.clone()),
        }
    }
    lines
}

fn label(program: &Program, step: &ReplayedStep) -> String {
    let procedure = &program.procedures[step.procedure];
    match step.step.action {
        Action::Return => format!("return from {}", procedure.name),
        Action::Wake => "wake".to_owned(),
        Action::Edge(edge) => match &procedure.edges[edge].label {
            Some(label) => label.clone(),
            None if program.procedures.len() > 1 => procedure.name.clone(),
            None => String::new(),
        },
    }
}

pub(super) fn span(program: &Program, step: &ReplayedStep) -> Option<Span> {
    let procedure = &program.procedures[step.procedure];
    match step.edge {
        Some(edge) => procedure.edges.get(edge)?.span,
        None => procedure.locations.get(procedure.exit)?.span.or(procedure.span),
    }
}
