//! Random guarded-command programs: the explicit engine against a direct enumeration that shares no code with it.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;
use tandem::confirm::reached;
use tandem::engine::{Budget, Claim, EngineConfig, ExplicitConfig, Proof, SearchOrder, Task, verify};
use tandem::frontend::gcl;
use tandem::program::{Property, SourceFile};

/// A number that only depends on the seed (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }
}

enum Num {
    Const(i64),
    Var(usize),
    Sum(Box<Num>, Box<Num>),
    Difference(Box<Num>, Box<Num>),
    Times(i64, Box<Num>),
}

enum Cond {
    Compare(&'static str, Num, Num),
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
    Implies(Box<Cond>, Box<Cond>),
}

struct Model {
    variables: usize,
    /// The least and greatest initial value of each variable.
    initial: Vec<(i64, i64)>,
    constraint: Option<Cond>,
    /// A guard, and what is assigned to which variable; every value assigned stays in the range.
    transitions: Vec<(Cond, Vec<(usize, Num)>)>,
    safe: Vec<Cond>,
}

const RANGE: (i64, i64) = (-3, 4);
const COMPARISONS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];

fn num(r: &mut Random, variables: usize, depth: u32) -> Num {
    let sub = |r: &mut Random| Box::new(num(r, variables, depth - 1));
    match r.below(if depth == 0 { 4 } else { 8 }) {
        0 | 1 => Num::Const(r.between(-4, 5)),
        2 | 3 => Num::Var(r.below(variables as u64) as usize),
        4 | 5 => Num::Sum(sub(r), sub(r)),
        6 => Num::Difference(sub(r), sub(r)),
        _ => Num::Times(r.between(-2, 3), sub(r)),
    }
}

fn cond(r: &mut Random, variables: usize, depth: u32) -> Cond {
    let sub = |r: &mut Random| Box::new(cond(r, variables, depth - 1));
    match r.below(if depth == 0 { 3 } else { 8 }) {
        0..=3 => Cond::Compare(COMPARISONS[r.below(6) as usize], num(r, variables, 1), num(r, variables, 1)),
        4 => Cond::Not(sub(r)),
        5 => Cond::And(sub(r), sub(r)),
        6 => Cond::Or(sub(r), sub(r)),
        _ => Cond::Implies(sub(r), sub(r)),
    }
}

fn model(seed: u64) -> Model {
    let r = &mut Random(seed);
    let variables = r.between(1, 4) as usize;
    let mut initial = Vec::new();
    for _ in 0..variables {
        let low = r.between(RANGE.0, RANGE.1);
        initial.push((low, if r.below(4) == 0 { r.between(low, RANGE.1) } else { low }));
    }
    let constraint = (r.below(4) == 0).then(|| cond(r, variables, 1));
    let mut transitions = Vec::new();
    for _ in 0..r.between(1, 6) {
        let guard = cond(r, variables, 2);
        let mut targets: Vec<usize> = (0..variables).filter(|_| r.below(2) == 0).collect();
        if targets.is_empty() {
            targets.push(0);
        }
        transitions.push((guard, targets.into_iter().map(|t| (t, num(r, variables, 2))).collect()));
    }
    let mut safe = Vec::new();
    for _ in 0..r.between(1, 2) {
        // Mostly true, so that some programs are safe.
        safe.push(Cond::Or(Box::new(cond(r, variables, 1)), Box::new(Cond::Not(Box::new(cond(r, variables, 2))))));
    }
    Model { variables, initial, constraint, transitions, safe }
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
            let (a, b) = (value(a, state), value(b, state));
            match *op {
                "=" => a == b,
                "!=" => a != b,
                "<" => a < b,
                "<=" => a <= b,
                ">" => a > b,
                _ => a >= b,
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

/// The model as a guarded-command program; each transition is guarded so that what it assigns stays in the range.
fn text(model: &Model) -> String {
    let mut text = String::from("program random\n");
    let names: Vec<String> = (0..model.variables).map(|v| format!("x{v}")).collect();
    writeln!(text, "var {}", names.join(", ")).unwrap();
    let mut init: Vec<String> = Vec::new();
    for (v, (low, high)) in model.initial.iter().enumerate() {
        if low == high {
            init.push(format!("x{v} = {low}"));
        } else {
            init.push(format!("x{v} >= {low} && x{v} <= {high}"));
        }
    }
    init.extend(model.constraint.iter().map(|c| format!("({})", cond_text(c))));
    writeln!(text, "init {}", init.join(" && ")).unwrap();
    for (i, (guard, updates)) in model.transitions.iter().enumerate() {
        let mut guards = vec![format!("({})", cond_text(guard))];
        for (_, new) in updates {
            guards.push(format!("{} >= {} && {} <= {}", num_text(new), RANGE.0, num_text(new), RANGE.1));
        }
        let assigns: Vec<String> = updates.iter().map(|(v, new)| format!("x{v} := {}", num_text(new))).collect();
        writeln!(text, "t{i}: {} -> {}", guards.join(" && "), assigns.join(", ")).unwrap();
    }
    for safe in &model.safe {
        writeln!(text, "safe {}", cond_text(safe)).unwrap();
    }
    text
}

/// What a direct enumeration finds: how many states can be reached, and how far the nearest bad one is.
fn enumerate(model: &Model) -> (usize, Option<usize>) {
    let mut starts = vec![Vec::new()];
    for (low, high) in &model.initial {
        starts = starts.iter().flat_map(|s: &Vec<i64>| (*low..=*high).map(move |n| [&s[..], &[n]].concat())).collect();
    }
    starts.retain(|s| model.constraint.as_ref().is_none_or(|c| holds(c, s)));
    let mut distance: BTreeMap<Vec<i64>, usize> = BTreeMap::new();
    let mut queue = VecDeque::new();
    for start in starts {
        distance.insert(start.clone(), 0);
        queue.push_back(start);
    }
    let mut nearest_bad = None;
    while let Some(state) = queue.pop_front() {
        let here = distance[&state];
        if nearest_bad.is_none() && model.safe.iter().any(|s| !holds(s, &state)) {
            nearest_bad = Some(here);
        }
        for (guard, updates) in &model.transitions {
            let in_range = |n: i64| RANGE.0 <= n && n <= RANGE.1;
            if !holds(guard, &state) || !updates.iter().all(|(_, new)| in_range(value(new, &state))) {
                continue;
            }
            let mut next = state.clone();
            for (v, new) in updates {
                next[*v] = value(new, &state);
            }
            if !distance.contains_key(&next) {
                distance.insert(next.clone(), here + 1);
                queue.push_back(next);
            }
        }
    }
    (distance.len(), nearest_bad)
}

#[test]
fn explicit_agrees_with_a_direct_enumeration() {
    let (mut safe, mut bad) = (0, 0);
    for seed in 0..1500 {
        let model = model(seed);
        let text = text(&model);
        let files = [SourceFile { name: format!("seed{seed}.gcl"), text: text.clone() }].into_iter().collect();
        let program = gcl::lower(&files).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let task = Task { program, property: Property::Assert };
        let (states, nearest_bad) = enumerate(&model);
        for search in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
            let config = EngineConfig::Explicit(ExplicitConfig { search, ..ExplicitConfig::default() });
            let run = verify(&task, &config, &Budget::unlimited());
            match (run.claim, nearest_bad) {
                (Claim::Safe { proof: Proof::Reached(mut set), assumptions }, None) => {
                    assert!(assumptions.0.is_empty(), "seed {seed}: {assumptions:?}\n{text}");
                    assert_eq!(run.statistics.states as usize, states, "seed {seed}\n{text}");
                    assert_eq!(reached::check(&task, &mut set, &Budget::unlimited()), Ok(()), "seed {seed}\n{text}");
                    safe += 1;
                }
                (Claim::Unsafe(trace), Some(distance)) => {
                    let replay = tandem::concrete::replay(&task.program, &task.property, &trace);
                    let replay = replay.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
                    if search == SearchOrder::BreadthFirst {
                        assert_eq!(replay.steps.len(), distance, "seed {seed}\n{text}");
                    }
                    bad += 1;
                }
                (_, expected) => panic!("seed {seed}: explicit disagrees, expected {expected:?}\n{text}"),
            }
        }
    }
    assert!(safe > 300 && bad > 300, "both answers are common: {safe} safe, {bad} unsafe");
}

#[test]
fn a_lossy_search_finds_the_errors_and_proves_nothing() {
    for seed in 0..60 {
        let model = model(seed);
        let files = [SourceFile { name: format!("seed{seed}.gcl"), text: text(&model) }].into_iter().collect();
        let task = Task { program: gcl::lower(&files).unwrap(), property: Property::Assert };
        let (states, nearest_bad) = enumerate(&model);
        let config = EngineConfig::Explicit(ExplicitConfig { lossy: true, ..ExplicitConfig::default() });
        let run = verify(&task, &config, &Budget::unlimited());
        match (&run.claim, nearest_bad) {
            (Claim::Safe { assumptions, .. }, None) => {
                assert!(assumptions.0.iter().any(|assumption| assumption.text.contains("--lossy")), "seed {seed}");
                // The table is far larger than these models: nothing is missed.
                assert_eq!(run.statistics.states as usize, states, "seed {seed}");
            }
            (Claim::Unsafe(trace), Some(_)) => {
                tandem::concrete::replay(&task.program, &task.property, trace).unwrap();
            }
            (_, expected) => panic!("seed {seed}: expected {expected:?}"),
        }
    }
}
