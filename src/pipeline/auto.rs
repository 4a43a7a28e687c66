//! Several engines side by side, each in a process of its own: the first verdict that was confirmed is the answer.
//!
//! A part that breaks down, hangs or uses up its memory costs only its share.

use super::parts::{Breakdown, End, Part, PartCommand, Share, Team};
use super::{Verification, input};
use crate::confirm::{Reason, Verdict};
use crate::engine::{Budget, EngineId, Statistics, Stop, Task};
use crate::frontend::Language;
use crate::report::TaskSummary;
use crate::report::part::{Facts, PartReport};
use crate::report::tried::Account;
use std::collections::VecDeque;
use std::io::Read;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How all of it ended.
pub enum AutoEnd {
    /// A part says all there is to say: its line, and the report that the user wants.
    Report(PartReport, Box<dyn Read + Send>),
    /// What the user gave cannot be used: the message for standard error.
    Refused(Vec<u8>),
    /// No part has an answer.
    Open(Box<Verification>),
}

/// Which engines are run.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    /// The engine `explicit` besides the others, in turns.
    turns: Option<Turns>,
    /// The others, two at a time: where one ends without an answer, the next begins.
    then: Vec<Part>,
}

/// When the engine `explicit` is at work besides two others. It needs no solver, and so can wait at any time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Turns {
    /// How long it is alone.
    alone: Duration,
    /// How long it is at work beside one other after that.
    beside: Duration,
    /// How long its first turn is after that. Each is longer than the one before.
    first: Duration,
    /// After how long a third one takes its place, if one does.
    replaced: Option<Duration>,
}

impl Turns {
    /// How many others are at work after some time.
    fn others_after(self, time: Duration) -> usize {
        match time {
            time if time < self.alone => 0,
            time if time < self.alone + self.beside => 1,
            time if self.replaced.is_some_and(|start| time >= start) => AT_ONCE + 1,
            _ => AT_ONCE,
        }
    }
}

/// How many parts run at a time, besides one that takes turns.
const AT_ONCE: usize = 2;

/// How many times as long as a turn the wait for the next one is.
const WAIT: u32 = 4;

/// How long the engine `explicit` is alone on Java programs, and then beside one other, at most. Of 50 tasks of SV-COMP
/// 2020, 20 s each, 48 have an answer, as with 10 s alone; an assertion on every element of an array is proved in 2.2 s
/// and not in 11.5 s. With 2 s alone and then turns, 47.
const ALONE_ON_JAVA: Duration = Duration::from_secs(1);
const BESIDE_ON_JAVA: Duration = Duration::from_secs(9);

/// The first turn, at most. Two executions that fill and copy arrays of 100,000 elements took 0.8 s and 1.8 s of CPU time; no
/// list was run to compare it with one second.
const FIRST_TURN: Duration = Duration::from_secs(2);

/// Which part of the time has passed where `panda` takes the place of `explicit` in Java programs with objects and inputs, and
/// how much where there is no limit. Of 25 Java tasks of SV-COMP 2020, 20 s each, the same 23 have an answer with it and without;
/// Producer-Consumer of the PANDA paper is proved with it alone, 2 s after it starts.
const PART_BEFORE_PANDA: u32 = 3;
const LONGEST_BEFORE_PANDA: Duration = Duration::from_secs(60);

/// The longest turn.
const LONGEST_TURN: Duration = Duration::from_secs(20);

/// Verifies with the engines that suit the program; calls `on_tick` now and then with those at work.
pub fn verify(
    files: &[PathBuf],
    command: &PartCommand,
    memory: Option<u64>,
    budget: &Budget,
    on_tick: &mut dyn FnMut(&str),
) -> AutoEnd {
    let mut team = Team::new(command, memory, budget);
    let facts = match read_facts(files, &mut team, budget, on_tick) {
        Ok(facts) => facts,
        Err(end) => return *end,
    };
    let language = input::language_of_all(files).unwrap_or(input::Language::ProgramText);
    let plan = plan(&facts, language, budget);
    let mut ended = Vec::new();
    if let Some((report, rest)) = run(&mut team, &plan, &mut ended, on_tick) {
        return AutoEnd::Report(report, rest);
    }
    let statistics = ended.iter().fold(Statistics::default(), |all, (_, end): &(Part, Ended)| match end {
        Ended::Report(report) => all.then(report.statistics.clone()),
        Ended::Problem(_) => all,
    });
    let accounts: Vec<Account> = ended.iter().map(|(part, end)| account(*part, end)).collect();
    // A proof that takes something for granted is more than nothing.
    let reason = match accounts.iter().find(|account| !account.assumptions.is_empty()) {
        Some(account) => Reason::Assumed(account.assumed()),
        None => Reason::Stopped(why_open(&ended, &team, budget)),
    };
    let open = open(files, Some(facts.task), "auto", reason, statistics, budget);
    AutoEnd::Open(Box::new(Verification { accounts, ..*open }))
}

/// What a part without an answer has to say.
fn account(part: Part, end: &Ended) -> Account {
    match end {
        Ended::Report(PartReport { account: Some(account), .. }) => (**account).clone(),
        Ended::Report(report) => Account::of_broken(part.name(), report.reason.clone()),
        Ended::Problem(problem) => Account::of_broken(part.name(), problem.reason().to_owned()),
    }
}

/// Does what the command line says in a process of its own.
pub fn verify_whole(
    files: &[PathBuf],
    engine: &'static str,
    command: &PartCommand,
    memory: Option<u64>,
    budget: &Budget,
    on_tick: &mut dyn FnMut(&str),
) -> AutoEnd {
    let mut team = Team::new(command, memory, budget);
    let reason = match run_one(Part::Whole, &mut team, &mut || on_tick(engine)) {
        Ok((report, rest)) => return AutoEnd::Report(report, rest),
        Err(OneEnd::Refused(message)) => return AutoEnd::Refused(message),
        Err(OneEnd::Open(reason)) => reason,
    };
    AutoEnd::Open(open(files, None, engine, reason, Statistics::default(), budget))
}

/// Why one part has no report.
enum OneEnd {
    Refused(Vec<u8>),
    Open(Reason),
}

/// Runs one part.
fn run_one(
    part: Part,
    team: &mut Team<'_>,
    on_tick: &mut dyn FnMut(),
) -> Result<(PartReport, Box<dyn Read + Send>), OneEnd> {
    if let Err(error) = team.start(part, Share::ALL) {
        let what = format!("there is not enough memory: no process can be started ({error})");
        return Err(OneEnd::Open(Reason::Stopped(Stop::GaveUp(what))));
    }
    while team.at_work().next().is_some() {
        match team.wait() {
            Some((_, End::Report(report, rest))) => return Ok((report, rest)),
            Some((_, End::Refused(message))) => return Err(OneEnd::Refused(message)),
            Some((_, End::Broken(breakdown))) => return Err(OneEnd::Open(broken(&breakdown, team))),
            None => on_tick(),
        }
    }
    Err(OneEnd::Open(Reason::Stopped(team.stop().unwrap_or(Stop::Interrupted))))
}

/// Why there is no answer where the only part broke down.
fn broken(breakdown: &Breakdown, team: &Team<'_>) -> Reason {
    if let Some(stop) = team.stop() {
        return Reason::Stopped(stop);
    }
    Reason::Stopped(match breakdown {
        Breakdown::Memory if team.has_memory_limit() => Stop::MemoryLimit,
        Breakdown::Memory => Stop::GaveUp("there is not enough memory".to_owned()),
        Breakdown::Other(what) => return Reason::Broken(what.clone()),
        Breakdown::Stack | Breakdown::Limited(_) | Breakdown::Killed => Stop::GaveUp(breakdown.reason()),
    })
}

/// What there is to know of the program.
fn read_facts(
    files: &[PathBuf],
    team: &mut Team<'_>,
    budget: &Budget,
    on_tick: &mut dyn FnMut(&str),
) -> Result<Facts, Box<AutoEnd>> {
    let reason = match run_one(Part::Facts, team, &mut || on_tick("reading")) {
        Ok((PartReport { facts: Some(facts), .. }, _)) => return Ok(*facts),
        // It stopped before it knew them.
        Ok((report, rest)) => return Err(Box::new(AutoEnd::Report(report, rest))),
        Err(OneEnd::Refused(message)) => return Err(Box::new(AutoEnd::Refused(message))),
        Err(OneEnd::Open(reason)) => reason,
    };
    Err(Box::new(AutoEnd::Open(open(files, None, "auto", reason, Statistics::default(), budget))))
}

/// A verification without an answer.
fn open(
    files: &[PathBuf],
    summary: Option<TaskSummary>,
    engine: &'static str,
    reason: Reason,
    statistics: Statistics,
    budget: &Budget,
) -> Box<Verification> {
    Box::new(Verification {
        files: files.iter().map(|path| path.display().to_string()).collect(),
        task: None,
        summary,
        engine,
        verdict: Verdict::Unknown(reason),
        statistics,
        accounts: Vec::new(),
        seconds: budget.elapsed().as_secs_f64(),
    })
}

/// The engines that suit a program.
fn plan(facts: &Facts, language: input::Language, budget: &Budget) -> Plan {
    if facts.is_of_states {
        return Plan { turns: None, then: vec![Part::Engine(EngineId::Explicit)] };
    }
    if facts.has_threads {
        return Plan {
            turns: None,
            then: vec![
                Part::Engine(EngineId::Explicit),
                Part::Engine(EngineId::Cegar),
                Part::Engine(EngineId::Bounded),
            ],
        };
    }
    let share = |most: Duration, part: u32| budget.remaining().map_or(most, |left| most.min(left / part));
    let first = share(FIRST_TURN, 10);
    let panda = facts.keeps_inputs.then_some(EngineId::Panda);
    match language {
        input::Language::Source(Language::GuardedCommands) => Plan {
            turns: Some(Turns {
                alone: share(Duration::from_secs(2), 6),
                beside: Duration::ZERO,
                first: LONGEST_TURN,
                replaced: None,
            }),
            then: vec![Part::Engine(EngineId::Symbolic), Part::Engine(EngineId::Cegar)],
        },
        // Objects and strings are many, inputs are few.
        input::Language::Source(Language::Java) => {
            let replaced = facts.keeps_inputs.then(|| share(LONGEST_BEFORE_PANDA, PART_BEFORE_PANDA));
            let engines = [EngineId::Cegar, EngineId::Bounded].into_iter().chain(panda);
            Plan {
                turns: Some(Turns {
                    alone: share(ALONE_ON_JAVA, 6),
                    beside: share(BESIDE_ON_JAVA, 6),
                    first,
                    replaced,
                }),
                then: engines.map(Part::Engine).collect(),
            }
        }
        _ => {
            // It ends early, with a proof or without: the next one begins then.
            let lists = facts.allocates_repeatedly.then_some(Part::Engine(EngineId::Shape));
            let others = [EngineId::Bounded, EngineId::Cegar].into_iter().chain(panda);
            Plan {
                turns: Some(Turns { alone: Duration::ZERO, beside: Duration::ZERO, first, replaced: None }),
                then: lists.into_iter().chain(others.map(Part::Engine)).collect(),
            }
        }
    }
}

/// What a part that has no answer had to say.
enum Ended {
    Report(PartReport),
    Problem(Breakdown),
}

/// Runs the parts until one has an answer.
fn run(
    team: &mut Team<'_>,
    plan: &Plan,
    ended: &mut Vec<(Part, Ended)>,
    on_tick: &mut dyn FnMut(&str),
) -> Option<(PartReport, Box<dyn Read + Send>)> {
    let mut waiting: VecDeque<Part> = plan.then.clone().into();
    let start = |team: &mut Team<'_>, part: Part, ended: &mut Vec<(Part, Ended)>| {
        if let Err(error) = team.start(part, share_of(plan, part)) {
            ended.push((part, Ended::Problem(Breakdown::Other(format!("it cannot be started: {error}")))));
        }
    };
    let started = Instant::now();
    let mut clock = plan.turns.map(|turns| Clock::new(turns, started));
    if clock.is_some() {
        start(team, Part::Engine(EngineId::Explicit), ended);
    }
    loop {
        let takes_turns = |part: &Part| clock.is_some() && *part == Part::Engine(EngineId::Explicit);
        let turns = plan.turns.filter(|_| team.at_work().any(|part| takes_turns(&part)));
        let most = turns.map_or(AT_ONCE, |turns| turns.others_after(started.elapsed()));
        let mut others = team.at_work().filter(|part| !takes_turns(part)).count();
        while others < most
            && let Some(part) = waiting.pop_front()
        {
            start(team, part, ended);
            others += 1;
        }
        team.at_work().next()?;
        if let Some(clock) = &mut clock {
            let is_paused = others > AT_ONCE || others == AT_ONCE && clock.is_waiting(Instant::now());
            team.set_paused(Part::Engine(EngineId::Explicit), is_paused);
        }
        match team.wait() {
            Some((_, End::Report(report, rest))) if report.status < 2 => {
                team.end();
                return Some((report, rest));
            }
            Some((part, End::Report(report, _))) => {
                ended.push((part, Ended::Report(report)));
            }
            Some((part, End::Refused(message))) => {
                let message = String::from_utf8_lossy(&message).lines().next().unwrap_or_default().to_owned();
                ended.push((part, Ended::Problem(Breakdown::Other(message))));
            }
            Some((part, End::Broken(breakdown))) => ended.push((part, Ended::Problem(breakdown))),
            None => {}
        }
        let names: Vec<&str> = team.at_work().map(Part::name).collect();
        on_tick(&names.join(" and "));
    }
}

/// How much memory a part may use. An engine that only takes turns gets less.
fn share_of(plan: &Plan, part: Part) -> Share {
    let others = plan.then.len().min(AT_ONCE) as u64;
    match (plan.turns, part) {
        (None, _) => Share { part: 1, of: others },
        (Some(turns), _) if !turns.alone.is_zero() => Share { part: 1, of: 1 + others },
        (Some(_), Part::Engine(EngineId::Explicit)) => Share { part: 1, of: 1 + 2 * others },
        (Some(_), _) => Share { part: 2, of: 1 + 2 * others },
    }
}

/// Whose turn it is.
struct Clock {
    turn: Duration,
    ends: Instant,
    is_waiting: bool,
}

impl Clock {
    fn new(turns: Turns, now: Instant) -> Clock {
        Clock { turn: turns.first, ends: now + turns.alone + turns.beside + turns.first, is_waiting: false }
    }

    /// Whether the engine that takes turns has to wait now.
    fn is_waiting(&mut self, now: Instant) -> bool {
        if now >= self.ends {
            self.is_waiting = !self.is_waiting;
            if self.is_waiting {
                self.ends = now + self.turn * WAIT;
            } else {
                self.turn = (self.turn * 2).min(LONGEST_TURN);
                self.ends = now + self.turn;
            }
        }
        self.is_waiting
    }
}

/// Why no part has an answer.
fn why_open(ended: &[(Part, Ended)], team: &Team<'_>, budget: &Budget) -> Stop {
    let reason = |(part, end): &(Part, Ended)| match end {
        Ended::Report(report) => format!("{}: {}", part.name(), report.reason),
        Ended::Problem(problem) => format!("{}: {}", part.name(), problem.reason()),
    };
    let reasons: Vec<String> = ended.iter().map(reason).collect();
    let memory = Stop::MemoryLimit.to_string();
    match team.stop().or_else(|| budget.check().err()) {
        // What kept a part from going on is said, too.
        Some(Stop::TimeLimit) if reasons.iter().any(|reason| reason.contains(&memory)) => {
            let reasons: Vec<String> = reasons.into_iter().filter(|reason| reason.contains(&memory)).collect();
            Stop::GaveUp(format!("{}; {}", Stop::TimeLimit, reasons.join("; ")))
        }
        Some(stop) => stop,
        None => Stop::GaveUp(reasons.join("; ")),
    }
}

/// The facts about a task, for the process that chooses engines.
pub fn facts(task: &Task) -> Facts {
    Facts {
        task: TaskSummary::of(task),
        is_of_states: task.property.is_of_states(),
        has_threads: task.program.starts_threads(),
        allocates_repeatedly: task.program.allocates_repeatedly(),
        keeps_inputs: task.program.keeps_inputs(),
    }
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
        plan(&facts(&Task { program, property }), input::Language::Source(language), &Budget::unlimited())
    }

    #[test]
    fn threads_are_for_the_engine_that_knows_them_first() {
        let source = "void *f(void *p) { return p; } int main(void) { unsigned long t; pthread_create(&t, 0, f, 0); }";
        let plan = planned(source, Language::C, Property::Assert);
        assert_eq!(
            plan,
            Plan {
                turns: None,
                then: vec![
                    Part::Engine(EngineId::Explicit),
                    Part::Engine(EngineId::Cegar),
                    Part::Engine(EngineId::Bounded)
                ]
            }
        );
        let plan = planned(source, Language::C, Property::NoDeadlock);
        assert_eq!(plan, Plan { turns: None, then: vec![Part::Engine(EngineId::Explicit)] });
    }

    #[test]
    fn every_program_without_threads_is_explored_explicitly() {
        for language in [Language::C, Language::GuardedCommands] {
            let source = if language == Language::C {
                "int main(void) { }"
            } else {
                "program p\nvar x\ninit x = 0\nsafe x = 0\n"
            };
            assert!(planned(source, language, Property::Assert).turns.is_some(), "{language:?}");
        }
    }

    /// Combined states are of use where inputs and memory meet.
    #[test]
    fn panda_is_for_programs_that_keep_inputs_in_memory() {
        let read = "extern int __VERIFIER_nondet_int(void); ";
        let kept = format!("{read} int a[3]; int main(void) {{ int i = __VERIFIER_nondet_int() & 1; a[i] = 1; }}");
        for (source, expected) in [
            (kept.as_str(), Some(&Part::Engine(EngineId::Panda))),
            (
                &format!("{read} int main(void) {{ int i = __VERIFIER_nondet_int(); }}"),
                Some(&Part::Engine(EngineId::Cegar)),
            ),
            ("int a[3]; int main(void) { a[1] = 1; }", Some(&Part::Engine(EngineId::Cegar))),
        ] {
            assert_eq!(planned(source, Language::C, Property::Assert).then.last(), expected, "{source}");
        }
    }

    #[test]
    fn turns_grow_and_come_again() {
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        let mut clock = Clock::new(Turns { alone: second, beside: Duration::ZERO, first: second, replaced: None }, now);
        let at = [0.5, 1.9, 2.1, 6.0, 6.2, 8.1, 8.3, 16.2, 16.4].map(Duration::from_secs_f64);
        let waits = at.map(|time| clock.is_waiting(now + time));
        assert_eq!(waits, [false, false, true, true, false, false, true, true, false]);
    }

    #[test]
    fn others_join_one_by_one() {
        let second = Duration::from_secs(1);
        let turns = Turns { alone: second, beside: second, first: second, replaced: Some(second * 4) };
        assert_eq!([0, 1, 2, 3].map(|time| turns.others_after(second * time)), [0, 1, AT_ONCE, AT_ONCE]);
        assert_eq!(turns.others_after(second * 4), AT_ONCE + 1);
    }
}
