//! A counterexample that a person reads in a minute: the inputs first, then a line for each line of the source, with what it
//! changed; repeated rounds of a loop are folded, and what happens inside a library is told where it is called.

use super::calls;
use super::objects::Objects;
use super::place::{Place, Places, counted, one_line, readable};
use super::style::Palette;
use super::text::{final_values, initial_state, lines, span, values, violation};
use crate::concrete::{Effect, Input, Replay, ReplayedStep, Told, Trace, Value, tell};
use crate::program::control::Action;
use crate::program::{IdVec, ProcId, Program, Span, ThreadId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many lines the steps of a counterexample take at most.
const MAX_LINES: usize = 26;
/// How many lines the inputs take at most.
const MAX_INPUT_LINES: usize = 4;
/// How many lines of source a round of a loop has at most to be recognised.
const MAX_ROUND: usize = 60;
/// How many changes of a line are shown.
const MAX_EFFECTS: usize = 4;
/// How wide the text of a line may be.
const MAX_SOURCE: usize = 56;
/// How wide all of it may be before the changes go to a line of their own.
const WIDTH: usize = 118;

/// A line of the source that an execution comes through.
#[derive(Debug, Clone)]
struct Entry<'p> {
    thread: ThreadId,
    depth: usize,
    place: Option<Place<'p>>,
    label: String,
    effects: Vec<Effect>,
    /// What was read there, and whether by the library.
    inputs: Vec<(Input, bool)>,
    /// Whether it is only passed: it is the first to be left out.
    is_passed: bool,
}

/// What is shown.
#[derive(Debug, Clone)]
enum Item<'p> {
    Line(Box<Entry<'p>>),
    /// More rounds of a loop: how many, how deep it is, and what they did.
    Rounds {
        count: usize,
        depth: usize,
        length: usize,
        covered: Vec<Entry<'p>>,
    },
}

/// The execution as a text: what it starts with, what it does, what is wrong in the end.
pub(super) fn story(program: &Program, trace: &Trace, replay: &Replay, palette: &Palette) -> String {
    let objects = Objects::of(program, replay);
    let told =
        if objects.is_some() { of_objects(program, replay, objects.as_ref(), trace) } else { tell(program, trace) };
    let mut text = String::new();
    let out = &mut text;
    let entries = Reader::new(program).read(replay, &told);
    let has_procedures = !program.shapes.all.is_empty() || objects.is_some();
    let shown = |input: &Input| objects.as_ref().map_or_else(|| readable(&input.value), |it| it.value(&input.value));
    if !has_procedures {
        let initial = initial_state(program, &replay.initial, &replay.initial_inputs, palette);
        if !initial.is_empty() {
            let _ = writeln!(out, "{initial}");
        }
    }
    let initial = if has_procedures { replay.initial_inputs.as_slice() } else { &[] };
    inputs(out, program, &entries, initial, &shown, palette);
    let items = shortened(entries);
    let layout = Layout::of(&items, palette);
    for item in &items {
        layout.write(out, item);
    }
    if !items.is_empty() {
        out.push('\n');
    }
    out.push_str(&violation(program, &replay.violation, palette));
    let is_entered = trace.steps.len() > replay.steps.len();
    if !told.values.is_empty() && has_procedures && is_entered {
        let all: Vec<String> = told
            .values
            .iter()
            .filter(|(_, value)| value != "an object")
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        values(out, "with", &all, palette);
    }
    if !has_procedures {
        let last = final_values(&replay.initial, &replay.steps);
        values(out, "in state", &super::place::assignment(program, &last), palette);
    }
    text
}

/// What steps did in a program that says how its objects lie in memory.
fn of_objects(program: &Program, replay: &Replay, objects: Option<&Objects<'_>>, trace: &Trace) -> Told {
    let Some(objects) = objects else { return Told::default() };
    let effect = |step: &ReplayedStep, text: String| {
        let (name, after) = text.split_once(" = ").unwrap_or((&text, ""));
        Effect { place: span(program, step), name: name.to_owned(), before: None, after: after.to_owned() }
    };
    // What the library keeps to itself tells nothing.
    let is_told = |step: &&ReplayedStep| span(program, step).is_some() || step.step.action == Action::Return;
    let of_step = |step: &ReplayedStep| {
        let effects = Some(step).filter(is_told).map_or(Vec::new(), |step| objects.effects(step));
        effects
            .into_iter()
            .filter(|text| !text.starts_with("this = ") && !text.ends_with(" = undefined") && !is_unnamed(text))
            .map(|text| effect(step, text))
            .collect()
    };
    Told { steps: replay.steps.iter().map(of_step).collect(), values: tell(program, trace).values }
}

/// Whether a local has no name in the source: the class file numbers it.
fn is_unnamed(text: &str) -> bool {
    text.strip_prefix("local").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Makes lines of steps.
struct Reader<'p> {
    program: &'p Program,
    places: Places<'p>,
    is_of_source: IdVec<ProcId, bool>,
    /// Whether the library is the one that C programs call.
    is_c: bool,
    stacks: BTreeMap<ThreadId, Stack>,
    /// For each thread, its line that was read last.
    last: BTreeMap<ThreadId, usize>,
    /// For each thread, what the library's procedure that it is in gives.
    results: BTreeMap<ThreadId, Value>,
    entries: Vec<Entry<'p>>,
}

/// The activations of a thread.
#[derive(Default)]
struct Stack {
    /// Whether each is one of the source.
    is_of_source: Vec<bool>,
    /// How many are.
    of_source: usize,
}

impl Stack {
    fn push(&mut self, is_of_source: bool) {
        self.is_of_source.push(is_of_source);
        self.of_source += usize::from(is_of_source);
    }

    fn pop(&mut self) {
        self.of_source -= usize::from(self.is_of_source.pop() == Some(true));
    }

    /// How deep the last activation of the source is.
    fn depth(&self) -> usize {
        self.of_source.saturating_sub(1)
    }
}

impl<'p> Reader<'p> {
    fn new(program: &'p Program) -> Reader<'p> {
        let has_place = |procedure: &crate::program::Procedure| {
            procedure.span.is_some() || procedure.edges.iter().any(|edge| edge.span.is_some())
        };
        Reader {
            program,
            places: Places::new(&program.sources),
            is_c: !program.shapes.all.is_empty(),
            is_of_source: program.procedures.iter().map(has_place).collect(),
            stacks: BTreeMap::new(),
            last: BTreeMap::new(),
            results: BTreeMap::new(),
            entries: Vec::new(),
        }
    }

    fn read(mut self, replay: &Replay, told: &Told) -> Vec<Entry<'p>> {
        const NONE: &[Effect] = &[];
        for (index, step) in replay.steps.iter().enumerate() {
            let effects = told.steps.get(index).map_or(NONE, Vec::as_slice);
            self.step(step, effects);
        }
        self.entries.retain(|entry| entry.place.is_some() || !entry.effects.is_empty() || !entry.label.is_empty());
        self.entries
    }

    fn step(&mut self, step: &ReplayedStep, effects: &[Effect]) {
        let thread = step.step.thread;
        let is_of_source = self.is_of_source[step.procedure];
        let stack = self.stacks.entry(thread).or_default();
        if stack.is_of_source.is_empty() {
            stack.push(is_of_source);
        }
        let depth = stack.depth();
        let procedure = &self.program.procedures[step.procedure];
        match (step.step.action, step.edge.and_then(|edge| procedure.edges.get(edge))) {
            (Action::Return, _) => {
                stack.pop();
                let caller = stack.depth();
                let is_called_by_source = self.is_c && !is_of_source && stack.is_of_source.last() == Some(&true);
                if !effects.is_empty() {
                    self.line(step, caller, effects[0].place, effects, false);
                } else if is_called_by_source && let Some(value) = self.results.remove(&thread) {
                    let told: Vec<Effect> = calls::result(self.program, step.procedure, &value).into_iter().collect();
                    self.inside(step, &told);
                }
            }
            (_, edge) => {
                if let Some((_, callee, _)) = edge.and_then(|edge| edge.call()) {
                    stack.push(self.is_of_source[callee]);
                }
                if is_of_source {
                    self.lines(step, depth, effects)
                } else {
                    self.inside(step, effects)
                }
                let given = step.changes.iter().find(|change| Some(change.variable) == procedure.result);
                if let Some(given) = given.filter(|_| !is_of_source) {
                    self.results.insert(thread, given.after.clone());
                }
            }
        }
        self.input(step);
    }

    /// What happens inside a library belongs to the line that was last.
    fn inside(&mut self, step: &ReplayedStep, effects: &[Effect]) {
        if let Some(entry) = self.last.get(&step.step.thread).and_then(|index| self.entries.get_mut(*index)) {
            entry.effects.extend_from_slice(effects);
        }
    }

    /// The lines that a step of the source is on.
    fn lines(&mut self, step: &ReplayedStep, depth: usize, effects: &[Effect]) {
        let procedure = &self.program.procedures[step.procedure];
        let edge = step.edge.and_then(|edge| procedure.edges.get(edge));
        let first = span(self.program, step);
        let more = edge.into_iter().flat_map(|edge| edge.places.iter().map(|(_, span)| Some(*span)));
        let head = self.places.of(procedure.span).map(|place| place.line);
        let mut left: Vec<Effect> = effects.to_vec();
        for at in [first].into_iter().chain(more) {
            let place = self.places.of(at);
            let is_here =
                |effect: &Effect| self.places.of(effect.place).map(|p| p.line) == place.as_ref().map(|p| p.line);
            let (here, later): (Vec<Effect>, Vec<Effect>) = left.into_iter().partition(is_here);
            left = later;
            let is_head = place.as_ref().map(|place| place.line) == head && head.is_some();
            if here.is_empty() && is_head && edge.is_none_or(|edge| edge.label.is_none()) {
                continue;
            }
            self.line(step, depth, at, &here, here.is_empty());
        }
        if let Some(index) = self.last.get(&step.step.thread) {
            self.entries[*index].effects.extend(left);
        }
    }

    fn line(&mut self, step: &ReplayedStep, depth: usize, at: Option<Span>, effects: &[Effect], is_passed: bool) {
        let thread = step.step.thread;
        let place = self.places.of(at);
        let edge = step.edge.and_then(|edge| self.program.procedures[step.procedure].edges.get(edge));
        let label = edge.and_then(|edge| edge.label.clone()).unwrap_or_default();
        // Guarded commands start with their names.
        let is_apart = !label.is_empty();
        let label =
            if place.as_ref().is_some_and(|place| place.text.starts_with(&label)) { String::new() } else { label };
        if let Some(entry) = self.entries.last_mut()
            && !is_apart
            && (entry.thread, entry.depth, &entry.place) == (thread, depth, &place)
        {
            entry.effects.extend_from_slice(effects);
            entry.is_passed &= is_passed;
            return;
        }
        // A column tells no more than its line.
        if let (Some(entry), Some(place)) = (self.entries.last_mut(), &place)
            && !is_apart
            && (entry.thread, entry.depth) == (thread, depth)
            && entry.place.as_ref().is_some_and(|last| (last.file, last.line) == (place.file, place.line))
        {
            entry.effects.extend_from_slice(effects);
            entry.is_passed &= is_passed;
            return;
        }
        self.last.insert(thread, self.entries.len());
        let effects = effects.to_vec();
        self.entries.push(Entry { thread, depth, place, label, effects, inputs: Vec::new(), is_passed });
    }

    fn input(&mut self, step: &ReplayedStep) {
        if step.inputs.is_empty() {
            return;
        }
        let at = step.inputs.iter().find_map(|input| input.span);
        let line = self.places.of(at).map(|place| place.line);
        let index = self.last.get(&step.step.thread).copied();
        let recent = self.entries.iter().rposition(|entry| {
            entry.thread == step.step.thread && line.is_some() && entry.place.as_ref().map(|place| place.line) == line
        });
        let is_inside = self.is_c && !self.is_of_source[step.procedure];
        let data = if is_inside { calls::data(self.program, step) } else { step.inputs.iter().collect() };
        if let Some(entry) = recent.or(index).and_then(|index| self.entries.get_mut(index)) {
            entry.inputs.extend(data.into_iter().map(|input| (input.clone(), is_inside)));
            entry.is_passed = false;
        }
    }
}

/// The inputs, by the name of what they went to.
fn inputs(
    out: &mut String,
    program: &Program,
    entries: &[Entry<'_>],
    initial: &[Input],
    shown: &impl Fn(&Input) -> String,
    palette: &Palette,
) {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut add = |name: String, value: String| {
        let name = calls::plain(&name);
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => found.push((name, vec![value])),
        }
    };
    for input in initial {
        add(variable_name(program, input).unwrap_or("memory").to_owned(), shown(input));
    }
    for entry in entries {
        let mut taken = Vec::new();
        for (input, is_inside) in &entry.inputs {
            let value = shown(input);
            let own = variable_name(program, input).map(calls::plain);
            let is_it = |(index, effect): &(usize, &Effect)| {
                let is_named = own.as_ref().is_none_or(|own| *own == calls::plain(&effect.name));
                !taken.contains(index) && is_named && same(&effect.after, &value)
            };
            let to = entry.effects.iter().enumerate().find(is_it);
            let line = || entry.place.as_ref().map(|place| format!("line {}", place.line));
            let at = || calls::asked(program, input).or_else(line);
            let name = match (to, own) {
                (Some((index, effect)), _) => {
                    taken.push(index);
                    effect.name.clone()
                }
                (None, Some(own)) => own,
                // What the call gives says what matters of it.
                (None, None) if *is_inside && input.variable.is_some() => continue,
                (None, None) => at().unwrap_or_else(|| "memory".to_owned()),
            };
            let value = to.map_or(value, |(_, effect)| effect.after.clone());
            add(name, value);
        }
    }
    const MOST: usize = 12;
    let list = |values: &Vec<String>| match values.len() {
        0..=MOST => values.join(", then "),
        many => format!("{}, then … ({} in all)", values[..MOST].join(", then "), many),
    };
    let all: Vec<String> = found.iter().map(|(name, values)| format!("{name} = {}", list(values))).collect();
    let shown = lines(&all, "  ", super::text::WIDTH);
    let mut some: Vec<String> = shown.iter().take(MAX_INPUT_LINES).cloned().collect();
    if shown.len() > MAX_INPUT_LINES {
        some.push("… --full-trace shows all inputs".to_owned());
    }
    for (index, line) in some.iter().enumerate() {
        let name = if index == 0 { "inputs" } else { "" };
        let _ = writeln!(out, "  {} {line}", palette.faint(format_args!("{name:<9}")));
    }
    if !some.is_empty() {
        out.push('\n');
    }
}

/// Whether an effect shows the value of an input: characters are shown as such.
fn same(effect: &str, value: &str) -> bool {
    let as_number = |text: &str| {
        let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
        let character = match inner {
            "\\0" => '\0',
            "\\n" => '\n',
            "\\t" => '\t',
            _ => inner.chars().next().filter(|_| inner.chars().count() == 1)?,
        };
        Some((character as u32).to_string())
    };
    effect == value || as_number(effect).is_some_and(|number| number == value)
}

/// The variable that took an input, if it is one of the source.
fn variable_name<'p>(program: &'p Program, input: &Input) -> Option<&'p str> {
    let variable = &program.variables[input.variable?];
    let name = variable.name.as_str();
    let is_named = name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name != "result";
    (is_named && variable.span.is_some()).then_some(name)
}

/// The lines, loops folded, and as many left out as it takes.
fn shortened(entries: Vec<Entry<'_>>) -> Vec<Item<'_>> {
    let entries: Vec<Entry<'_>> = entries.into_iter().map(tidy).collect();
    let folded = fold(&entries);
    if height(&folded) <= MAX_LINES {
        return folded;
    }
    let busy: Vec<Entry<'_>> = entries.into_iter().filter(|entry| !entry.is_passed).collect();
    let mut items = fold(&busy);
    let total = items.len();
    if height(&items) > MAX_LINES {
        // Two thirds of what is shown is the end, where the error is.
        let (mut head, mut tail) = (0, 0);
        while height(&items[..head + 1]) <= MAX_LINES / 3 {
            head += 1;
        }
        while height(&items[total - tail - 1..]) <= MAX_LINES - MAX_LINES / 3 {
            tail += 1;
        }
        let middle: Vec<Item<'_>> = items.drain(head..total - tail).collect();
        let length =
            middle.iter().map(|item| if let Item::Rounds { covered, .. } = item { covered.len() } else { 1 }).sum();
        items.insert(head, Item::Rounds { count: 0, depth: 0, length, covered: Vec::new() });
    }
    items
}

fn height(items: &[Item<'_>]) -> usize {
    items
        .iter()
        .map(|item| match item {
            Item::Line(entry) => 1 + usize::from(effects_text(entry).chars().count() > WIDTH - MAX_SOURCE),
            Item::Rounds { .. } => 1,
        })
        .sum()
}

/// The entry with effects on one thing put together.
fn tidy(mut entry: Entry<'_>) -> Entry<'_> {
    let mut all: Vec<Effect> = Vec::new();
    for mut effect in std::mem::take(&mut entry.effects) {
        effect.name = calls::plain(&effect.name);
        if is_end_of_life(&effect, entry.place.as_ref()) {
            continue;
        }
        match all.iter_mut().find(|known| known.name == effect.name) {
            Some(known) => known.after = effect.after,
            None => all.push(effect),
        }
    }
    entry.effects = together(all);
    entry
}

/// Whether a pointer only ends with its block: the source says nothing of it there.
fn is_end_of_life(effect: &Effect, place: Option<&Place<'_>>) -> bool {
    let is_mentioned = place.is_none_or(|place| place.text.contains(&effect.name));
    effect.before.is_some() && effect.after == "NULL" && !is_mentioned
}

/// Elements that follow each other are one.
fn together(effects: Vec<Effect>) -> Vec<Effect> {
    let stem = |effect: &Effect| {
        let (stem, index) = effect.name.strip_suffix(']')?.rsplit_once('[')?;
        Some((stem.to_owned(), index.parse::<i64>().ok()?))
    };
    let mut out: Vec<Effect> = Vec::new();
    let mut rest = effects.as_slice();
    while let Some(first) = rest.first() {
        let run = match stem(first) {
            Some((name, start)) => {
                let follows =
                    |(offset, effect): &(usize, &Effect)| stem(effect) == Some((name.clone(), start + *offset as i64));
                rest.iter().enumerate().take_while(follows).count()
            }
            None => 1,
        };
        if run < 3 {
            out.push(first.clone());
            rest = &rest[1..];
            continue;
        }
        let (name, start) = stem(first).unwrap_or_default();
        let values: Vec<&str> = rest[..run].iter().map(|effect| effect.after.as_str()).collect();
        let character = |value: &&str| value.strip_prefix('\'').and_then(|v| v.strip_suffix('\'')).map(str::to_owned);
        let text: Option<Vec<String>> = values.iter().map(character).collect();
        let after = match text {
            Some(text) => format!("\"{}\"", text.concat().trim_end_matches("\\0")),
            None if values.len() <= 6 => values.join(", "),
            None => format!("{}, …, {}", values[..4].join(", "), values[values.len() - 1]),
        };
        let name = format!("{name}[{start}…{}]", start + run as i64 - 1);
        out.push(Effect { place: first.place, name, before: None, after });
        rest = &rest[run..];
    }
    out
}

/// Folds rounds of loops, short ones first.
fn fold<'p>(entries: &[Entry<'p>]) -> Vec<Item<'p>> {
    // Lines and rounds that are alike have one number.
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    let mut number = |key: String| {
        let next = numbers.len();
        *numbers.entry(key).or_insert(next)
    };
    let mut items: Vec<(usize, Item<'p>)> =
        entries.iter().map(|entry| (number(key(entry)), Item::Line(Box::new(entry.clone())))).collect();
    let longest = MAX_ROUND.min(items.len() / 2);
    for length in 1..=longest {
        let keys: Vec<usize> = items.iter().map(|(key, _)| *key).collect();
        let mut rest = items.into_iter();
        let mut folded = Vec::with_capacity(keys.len());
        let mut at = 0;
        while at < keys.len() {
            let mut rounds = 1;
            while at + (rounds + 1) * length <= keys.len()
                && keys[at..at + length] == keys[at + rounds * length..at + (rounds + 1) * length]
            {
                rounds += 1;
            }
            if rounds < 3 && (rounds < 2 || length < 3) {
                folded.extend(rest.next());
                at += 1;
                continue;
            }
            folded.extend(rest.by_ref().take(length));
            let more: Vec<(usize, Item<'p>)> = rest.by_ref().take((rounds - 1) * length).collect();
            let depth = more.iter().map(|(_, item)| depth(item)).min().unwrap_or(0);
            let covered = more.into_iter().flat_map(|(_, item)| match item {
                Item::Line(entry) => vec![*entry],
                Item::Rounds { covered, .. } => covered,
            });
            let covered = covered.collect();
            let key = number(format!("{:?}", &keys[at..at + length]));
            folded.push((key, Item::Rounds { count: rounds - 1, depth, length, covered }));
            at += rounds * length;
        }
        items = folded;
        if items.len() < 2 * length {
            break;
        }
    }
    items.into_iter().map(|(_, item)| item).collect()
}

fn depth(item: &Item<'_>) -> usize {
    match item {
        Item::Line(entry) => entry.depth,
        Item::Rounds { depth, .. } => *depth,
    }
}

/// Lines with one key are alike.
fn key(entry: &Entry<'_>) -> String {
    let line = entry.place.as_ref().map_or(0, |place| place.line);
    let file = entry.place.as_ref().map_or("", |place| place.file);
    format!("{:?} {} {file}:{line} {}", entry.thread, entry.depth, entry.label)
}

/// How lines are lined up.
struct Layout<'a> {
    palette: &'a Palette,
    has_threads: bool,
    has_files: bool,
    /// How much of the names of files is the same.
    common: usize,
    place_width: usize,
    source_width: usize,
    label_width: usize,
}

impl<'a> Layout<'a> {
    fn of(items: &[Item<'_>], palette: &'a Palette) -> Layout<'a> {
        let lines = || items.iter().filter_map(|item| if let Item::Line(entry) = item { Some(entry) } else { None });
        let first = lines().next();
        let has_threads = lines().any(|entry| Some(entry.thread) != first.map(|first| first.thread));
        let file = |entry: &Entry<'_>| entry.place.as_ref().map(|place| place.file.to_owned());
        let mut files: Vec<String> = lines().filter_map(|entry| file(entry)).collect();
        files.sort();
        files.dedup();
        let has_files = files.len() > 1;
        let common = common_folder(&files);
        let mut layout =
            Layout { palette, has_threads, has_files, common, place_width: 0, source_width: 0, label_width: 0 };
        layout.place_width = lines().map(|entry| layout.place(entry).chars().count()).max().unwrap_or(0);
        layout.source_width = lines().map(|entry| source(entry).chars().count()).max().unwrap_or(0).min(MAX_SOURCE);
        layout.label_width = lines().map(|entry| entry.label.chars().count()).max().unwrap_or(0).min(24);
        layout
    }

    fn place(&self, entry: &Entry<'_>) -> String {
        match &entry.place {
            Some(place) if self.has_files => place.below(self.common),
            Some(place) => place.line.to_string(),
            None => String::new(),
        }
    }

    fn write(&self, out: &mut String, item: &Item<'_>) {
        let palette = self.palette;
        match item {
            Item::Line(entry) => {
                let thread = if self.has_threads { format!("{:?} ", entry.thread) } else { String::new() };
                let label = if self.label_width > 0 {
                    format!("{}  ", palette.name(format_args!("{:<width$}", entry.label, width = self.label_width)))
                } else {
                    String::new()
                };
                let place = format!("{:>width$}", self.place(entry), width = self.place_width);
                let text = source(entry);
                let effects = effects_text(entry);
                let padding = " ".repeat(self.source_width.saturating_sub(text.chars().count()));
                let head = format!("  {thread}{label}{}  {text}", palette.faint(place));
                let used = self.place_width + self.source_width + self.label_width + 10;
                if effects.is_empty() {
                    let _ = writeln!(out, "{}", head.trim_end());
                } else if used + effects.chars().count() <= WIDTH {
                    let _ = writeln!(out, "{head}{padding}  {}", palette.strong(effects));
                } else {
                    let _ = writeln!(out, "{head}");
                    let indent = " ".repeat(self.place_width + 6 + 2 * entry.depth);
                    let _ = writeln!(out, "{indent}{}", palette.strong(effects));
                }
            }
            Item::Rounds { count: 0, length, .. } => {
                let text = format!("… {} left out; --full-trace shows them", counted(*length, "line"));
                let _ = writeln!(out, "  {}", palette.faint(text));
            }
            Item::Rounds { count, depth, covered, .. } => {
                let indent = " ".repeat(self.place_width + 4 + 2 * depth + if self.has_threads { 3 } else { 0 });
                let ranges = ranges(covered);
                let comma = if ranges.is_empty() { "" } else { ", " };
                let text = format!("… {}{comma}{}", counted(*count, "more round"), ranges.join(", "));
                let _ = writeln!(out, "{indent}{}", palette.faint(text));
            }
        }
    }
}

/// How long the folders are that all names start with.
fn common_folder(files: &[String]) -> usize {
    let (Some(first), Some(last)) = (files.first(), files.last()) else { return 0 };
    // The names are in order, so that what the first and the last share is shared by all.
    let shared = first.bytes().zip(last.bytes()).take_while(|(a, b)| a == b).count();
    first.as_bytes()[..shared].iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1)
}

/// The text of a line, as deep as its call is.
fn source(entry: &Entry<'_>) -> String {
    let text = entry.place.as_ref().map_or("", |place| place.text);
    let text = format!("{}{}", "  ".repeat(entry.depth.min(8)), one_line(text));
    if text.chars().count() <= MAX_SOURCE {
        return text;
    }
    text.chars().take(MAX_SOURCE - 1).chain(['…']).collect()
}

fn effects_text(entry: &Entry<'_>) -> String {
    let one = |effect: &Effect| match &effect.before {
        Some(before) if *before != effect.after => format!("{}: {before} -> {}", effect.name, effect.after),
        _ => format!("{} = {}", effect.name, effect.after),
    };
    let mut all: Vec<String> = entry.effects.iter().take(MAX_EFFECTS).map(one).collect();
    if entry.effects.len() > MAX_EFFECTS {
        all.push("…".to_owned());
    }
    all.join(", ")
}

/// From what to what things went in rounds of a loop.
fn ranges(covered: &[Entry<'_>]) -> Vec<String> {
    let mut found: Vec<(&str, &str, &str)> = Vec::new();
    for effect in covered.iter().flat_map(|entry| &entry.effects) {
        match found.iter_mut().find(|(name, ..)| *name == effect.name) {
            Some((_, _, last)) => *last = &effect.after,
            None => found.push((&effect.name, &effect.after, &effect.after)),
        }
    }
    let text = |(name, first, last): &(&str, &str, &str)| {
        if first == last { format!("{name} = {first}") } else { format!("{name} = {first} … {last}") }
    };
    found.iter().take(MAX_EFFECTS).map(text).collect()
}
