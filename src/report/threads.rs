//! What several threads have to do with an error: where each is, what it holds, and when one went on after another.

use super::place::{Place, Places, counted};
use super::style::Palette;
use super::text::span;
use crate::concrete::{HeldLock, Replay, ReplayedStep, Situation, Violation};
use crate::program::{Id, Program};
use std::fmt::Write;
use std::ops::Range;

/// How many turns of threads are shown.
const MAX_TURNS: usize = 24;
/// How many activations of a thread are shown.
const MAX_FRAMES: usize = 8;

/// The threads of a data race or a deadlock: what each is about to do, its stack, and the locks that it holds.
pub(super) fn situations(out: &mut String, program: &Program, violation: &Violation, palette: &Palette) {
    for situation in &violation.threads {
        let thread = format!("thread {}", situation.thread.index());
        let _ = writeln!(out, "  {} {}", palette.faint(format_args!("{thread:<9}")), situation.doing);
        stack(out, program, situation, palette);
        let held = |lock: &HeldLock| {
            let place = Place::of(&program.sources, lock.taken);
            let taken = place.map(|place| format!(" (taken at {})", place.file_and_line())).unwrap_or_default();
            format!("{}{taken}", lock.name)
        };
        let held: Vec<String> = situation.locks.iter().map(held).collect();
        let held = if held.is_empty() { "no lock".to_owned() } else { held.join(", ") };
        let _ = writeln!(out, "  {:<9} holds {held}", "");
    }
}

/// The activations of a thread; those inside a library are left out.
fn stack(out: &mut String, program: &Program, situation: &Situation, palette: &Palette) {
    let frames = situation.stack.iter().filter_map(|(procedure, span)| {
        let place = Place::of(&program.sources, *span)?;
        Some((program.procedures[*procedure].name.as_str(), place))
    });
    let frames: Vec<(&str, Place<'_>)> = frames.collect();
    for (index, (name, place)) in frames.iter().take(MAX_FRAMES).enumerate() {
        let word = if index == 0 { "in" } else { "from" };
        let _ = writeln!(
            out,
            "  {:<9} {word} {}  {}  {}",
            "",
            palette.name(name),
            palette.faint(place.file_and_line()),
            place.text
        );
    }
    if frames.len() > MAX_FRAMES {
        let more = format!("… {} left out", counted(frames.len() - MAX_FRAMES, "activation"));
        let _ = writeln!(out, "  {:<9} {}", "", palette.faint(more));
    }
}

/// The schedule: for each turn of a thread, its steps and from where to where it went. Nothing where one thread alone did
/// everything.
pub(super) fn schedule(out: &mut String, program: &Program, replay: &Replay, palette: &Palette) {
    let turns = turns(&replay.steps);
    if turns.len() < 2 {
        return;
    }
    let title = format!("schedule: {}", counted(turns.len() - 1, "context switch").replace("switchs", "switches"));
    let _ = writeln!(out, "\n{}\n", palette.strong(title));
    let head = MAX_TURNS / 3;
    let hidden = if turns.len() <= MAX_TURNS { 0..0 } else { head..turns.len() - (MAX_TURNS - head) };
    let places = Places::new(&program.sources);
    for (index, turn) in turns.iter().enumerate() {
        if !hidden.contains(&index) {
            let _ = writeln!(out, "  {}", line(program, &places, replay, turn, palette));
        } else if index == hidden.start {
            let left_out = format!("… {} left out", counted(hidden.len(), "turn"));
            let _ = writeln!(out, "  {}", palette.faint(left_out));
        }
    }
}

/// The longest runs of steps of one thread.
fn turns(steps: &[ReplayedStep]) -> Vec<Range<usize>> {
    let mut turns: Vec<Range<usize>> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        match turns.last_mut() {
            Some(turn) if steps[turn.start].step.thread == step.step.thread => turn.end = index + 1,
            _ => turns.push(index..index + 1),
        }
    }
    turns
}

fn line(program: &Program, places: &Places<'_>, replay: &Replay, turn: &Range<usize>, palette: &Palette) -> String {
    let steps = &replay.steps[turn.clone()];
    let number = match steps.len() {
        1 => format!("step {}", turn.start + 1),
        _ => format!("steps {} to {}", turn.start + 1, turn.end),
    };
    // What returns has no place of its own.
    let taken = steps.iter().filter(|step| step.edge.is_some());
    let mut known = taken.filter_map(|step| places.of(span(program, step)));
    let (first, last) = (known.next(), known.next_back());
    let source = match (first, last) {
        (Some(first), Some(last)) if first.line != last.line || first.file != last.file => {
            let to = if first.file == last.file { last.line.to_string() } else { last.file_and_line() };
            format!("{}  {}", palette.faint(format!("{} to {to}", first.file_and_line())), last.text)
        }
        (Some(place), _) | (None, Some(place)) => format!("{}  {}", palette.faint(place.file_and_line()), place.text),
        (None, None) => palette.faint("inside the library"),
    };
    format!("{:?}  {number:<16}  {source}", steps[0].step.thread)
}
