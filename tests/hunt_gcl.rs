//! Random guarded-command programs with `nondet` in small ranges: every engine against an enumeration of all states
//! that shares no code with them. An engine may say unknown; it must never say the opposite.
//!
//! `TANDEM_HUNT` is how many programs there are, `TANDEM_HUNT_FIRST` the seed of the first one: `make hunt-gcl`.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;
use tandem::confirm::{ConfirmConfig, Reason, Verdict, confirm};
use tandem::engine::BoundedConfig;
use tandem::engine::{Budget, CegarConfig, EngineConfig, ExplicitConfig, SymbolicConfig, Task, verify};
use tandem::frontend::gcl;
use tandem::program::{Property, SourceFile};
use tandem::term::Random;

/// The values of each variable; where one is outside, nothing happens any more and everything is safe.
const LOW: i64 = -2;
const HIGH: i64 = 3;

/// How long an engine may take for a program.
const LIMIT: Duration = Duration::from_secs(2);

#[derive(Debug, Clone)]
enum Num {
    Const(i64),
    Var(usize),
    Sum(Box<Num>, Box<Num>),
    Difference(Box<Num>, Box<Num>),
    Times(i64, Box<Num>),
}

#[derive(Debug, Clone)]
enum Cond {
    Compare(&'static str, Num, Num),
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
    Implies(Box<Cond>, Box<Cond>),
}

/// What is assigned.
#[derive(Debug, Clone)]
enum Update {
    /// A number; the transition is not taken where it is outside the range.
    To(Num),
    Nondet,
}

#[derive(Debug)]
struct Model {
    /// How many variables; the first ones are `control`.
    variables: usize,
    controls: usize,
    /// The least and greatest initial value.
    initial: Vec<(i64, i64)>,
    transitions: Vec<(Cond, Vec<(usize, Update)>)>,
    safe: Vec<Cond>,
}

fn num(r: &mut Random, variables: usize, depth: u32) -> Num {
    let sub = |r: &mut Random| Box::new(num(r, variables, depth - 1));
    match r.below(if depth == 0 { 4 } else { 7 }) {
        0 => Num::Const(r.below(6) as i64 - 2),
        1..=3 => Num::Var(r.below(variables)),
        4 => Num::Sum(sub(r), sub(r)),
        5 => Num::Difference(sub(r), sub(r)),
        _ => Num::Times(r.below(5) as i64 - 2, sub(r)),
    }
}

fn cond(r: &mut Random, variables: usize, depth: u32) -> Cond {
    const COMPARISONS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];
    let sub = |r: &mut Random| Box::new(cond(r, variables, depth - 1));
    match r.below(if depth == 0 { 3 } else { 8 }) {
        0..=3 => Cond::Compare(COMPARISONS[r.below(6)], num(r, variables, 1), num(r, variables, 1)),
        4 => Cond::Not(sub(r)),
        5 => Cond::And(sub(r), sub(r)),
        6 => Cond::Or(sub(r), sub(r)),
        _ => Cond::Implies(sub(r), sub(r)),
    }
}

fn model(seed: u64) -> Model {
    let r = &mut Random::new(seed);
    let variables = r.between(1, 3);
    let initial = (0..variables).map(|_| {
        let low = LOW + r.below((HIGH - LOW + 1) as usize) as i64;
        (low, if r.percent(25) { HIGH } else { low })
    });
    let initial: Vec<(i64, i64)> = initial.collect();
    let is_fixed = |(low, high): &(i64, i64)| low == high;
    let mut controls = initial.iter().take_while(|range| is_fixed(range)).count().min(1);
    if r.percent(60) {
        controls = 0;
    }
    let transitions = (0..r.between(1, 4)).map(|_| {
        let guard = cond(r, variables, 2);
        let mut targets: Vec<usize> = (0..variables).filter(|_| r.percent(50)).collect();
        if targets.is_empty() {
            targets.push(variables - 1);
        }
        let updates = targets.into_iter().map(|target| {
            // A control variable is known, and gets no input.
            let is_input = target >= controls && r.percent(40);
            (target, if is_input { Update::Nondet } else { Update::To(num(r, variables, 1)) })
        });
        (guard, updates.collect())
    });
    let transitions = transitions.collect();
    let safe = (0..r.between(1, 2)).map(|_| {
        // Mostly true, so that some programs are safe.
        let (likely, rare) = (cond(r, variables, 1), cond(r, variables, 2));
        Cond::Or(Box::new(likely), Box::new(Cond::Not(Box::new(rare))))
    });
    let safe = safe.collect();
    Model { variables, controls, initial, transitions, safe }
}

fn value(num: &Num, state: &[i64]) -> i64 {
    match num {
        Num::Const(n) => *n,
        Num::Var(v) => state[*v],
        Num::Sum(a, b) => value(a, state) + value(b, state),
        Num::Difference(a, b) => value(a, state) - value(b, state),
        Num::Times(n, a) => n * value(a, state),
    }
}

fn holds(cond: &Cond, state: &[i64]) -> bool {
    match cond {
        Cond::Compare(op, a, b) => {
            let order = value(a, state).cmp(&value(b, state));
            match *op {
                "=" => order.is_eq(),
                "!=" => order.is_ne(),
                "<" => order.is_lt(),
                "<=" => order.is_le(),
                ">" => order.is_gt(),
                _ => order.is_ge(),
            }
        }
        Cond::Not(a) => !holds(a, state),
        Cond::And(a, b) => holds(a, state) && holds(b, state),
        Cond::Or(a, b) => holds(a, state) || holds(b, state),
        Cond::Implies(a, b) => !holds(a, state) || holds(b, state),
    }
}

fn num_text(num: &Num) -> String {
    match num {
        Num::Const(n) => n.to_string(),
        Num::Var(v) => format!("x{v}"),
        Num::Sum(a, b) => format!("({} + {})", num_text(a), num_text(b)),
        Num::Difference(a, b) => format!("({} - {})", num_text(a), num_text(b)),
        Num::Times(n, a) => format!("({n} * {})", num_text(a)),
    }
}

fn cond_text(cond: &Cond) -> String {
    match cond {
        Cond::Compare(op, a, b) => format!("{} {op} {}", num_text(a), num_text(b)),
        Cond::Not(a) => format!("!({})", cond_text(a)),
        Cond::And(a, b) => format!("({}) && ({})", cond_text(a), cond_text(b)),
        Cond::Or(a, b) => format!("({}) || ({})", cond_text(a), cond_text(b)),
        Cond::Implies(a, b) => format!("({}) => ({})", cond_text(a), cond_text(b)),
    }
}

/// The model as a guarded-command program.
fn text(model: &Model) -> String {
    let mut text = String::from("program random\n");
    let names: Vec<String> = (0..model.variables).map(|v| format!("x{v}")).collect();
    let (controls, others) = names.split_at(model.controls);
    for (word, names) in [("control", controls), ("var", others)] {
        if !names.is_empty() {
            writeln!(text, "{word} {}", names.join(", ")).unwrap();
        }
    }
    let between = |what: &str, low, high| match low == high {
        true => format!("{what} = {low}"),
        false => format!("{what} >= {low} && {what} <= {high}"),
    };
    let init = model.initial.iter().enumerate().map(|(v, (low, high))| between(&names[v], *low, *high));
    writeln!(text, "init {}", init.collect::<Vec<_>>().join(" && ")).unwrap();
    let in_range: Vec<String> = others.iter().map(|name| between(name, LOW, HIGH)).collect();
    for (i, (guard, updates)) in model.transitions.iter().enumerate() {
        let mut guards = in_range.clone();
        guards.push(format!("({})", cond_text(guard)));
        let mut assigns = Vec::new();
        for (v, update) in updates {
            match update {
                Update::Nondet => assigns.push(format!("x{v} := nondet")),
                Update::To(new) => {
                    guards.push(between(&num_text(new), LOW, HIGH));
                    assigns.push(format!("x{v} := {}", num_text(new)));
                }
            }
        }
        writeln!(text, "t{i}: {} -> {}", guards.join(" && "), assigns.join(", ")).unwrap();
    }
    for safe in &model.safe {
        match in_range.as_slice() {
            [] => writeln!(text, "safe {}", cond_text(safe)).unwrap(),
            in_range => writeln!(text, "safe ({}) => ({})", in_range.join(" && "), cond_text(safe)).unwrap(),
        }
    }
    text
}

/// Every way to choose a value of the range for each of some variables of the state.
fn choices(state: &[i64], variables: &[usize], ranges: &[(i64, i64)]) -> Vec<Vec<i64>> {
    let mut states = vec![state.to_vec()];
    for (v, (low, high)) in variables.iter().zip(ranges) {
        let with = |state: &Vec<i64>, n: i64| {
            let mut state = state.clone();
            state[*v] = n;
            state
        };
        states = states.iter().flat_map(|state| (*low..=*high).map(|n| with(state, n)).collect::<Vec<_>>()).collect();
    }
    states
}

/// Whether every state that can be reached is safe. Inputs outside the range lead to states from which nothing leads on
/// and which are safe.
fn is_safe(model: &Model) -> bool {
    let all: Vec<usize> = (0..model.variables).collect();
    let mut waiting = choices(&vec![0; model.variables], &all, &model.initial);
    let mut reached: BTreeSet<Vec<i64>> = waiting.iter().cloned().collect();
    while let Some(state) = waiting.pop() {
        if !model.safe.iter().all(|safe| holds(safe, &state)) {
            return false;
        }
        for (guard, updates) in &model.transitions {
            let mut next = state.clone();
            let mut inputs = Vec::new();
            let mut is_taken = holds(guard, &state);
            for (v, update) in updates {
                match update {
                    Update::Nondet => inputs.push(*v),
                    Update::To(new) => next[*v] = value(new, &state),
                }
                is_taken &= matches!(update, Update::Nondet) || (LOW..=HIGH).contains(&next[*v]);
            }
            if !is_taken {
                continue;
            }
            for next in choices(&next, &inputs, &vec![(LOW, HIGH); inputs.len()]) {
                if reached.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
    }
    true
}

fn engines() -> Vec<(&'static str, EngineConfig)> {
    vec![
        ("explicit", EngineConfig::Explicit(ExplicitConfig::default())),
        ("cegar", EngineConfig::Cegar(CegarConfig::default())),
        ("symbolic", EngineConfig::Symbolic(SymbolicConfig::default())),
        ("symbolic --bound", EngineConfig::Bounded(BoundedConfig { steps: Some(12), ..BoundedConfig::default() })),
    ]
}

/// A number in the environment, or the other one.
fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

#[test]
fn every_engine_agrees_with_an_enumeration() {
    let (first, count) = (setting("TANDEM_HUNT_FIRST", 0), setting("TANDEM_HUNT", 40));
    let engines = engines();
    let mut decided = vec![[0u64; 2]; engines.len()];
    for seed in first..first + count {
        let model = model(seed);
        let text = text(&model);
        let files = [SourceFile { name: format!("seed{seed}.gcl"), text: text.clone() }].into_iter().collect();
        let program = gcl::lower(&files).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let task = Task { program, property: Property::Assert };
        let is_safe = is_safe(&model);
        for ((name, config), decided) in engines.iter().zip(&mut decided) {
            let budget = Budget::with_time(Some(LIMIT));
            let run = verify(&task, config, &budget);
            let verdict = confirm(&task, run.claim, &ConfirmConfig::default(), &budget);
            match verdict {
                Verdict::Safe(_) => assert!(is_safe, "seed {seed}: {name} says safe\n{text}"),
                Verdict::Unsafe(_) => assert!(!is_safe, "seed {seed}: {name} says unsafe\n{text}"),
                Verdict::Unknown(Reason::Refuted(what) | Reason::Broken(what)) => {
                    panic!("seed {seed}: {name}: {what}\n{text}")
                }
                Verdict::Unknown(_) => continue,
            }
            decided[usize::from(is_safe)] += 1;
        }
    }
    for ((name, _), [bad, safe]) in engines.iter().zip(&decided) {
        println!("{name}: {safe} safe, {bad} unsafe of {count}");
    }
    let all = |index: usize| decided.iter().map(|decided| decided[index]).max().unwrap_or_default();
    assert!(all(0) + all(1) >= count / 2, "most are decided by some engine: {decided:?}");
}
