//! Random programs with threads, locks, waits, memory and faults: whatever a random walk of the interpreter meets, the
//! explicit engine has met. A walk never packs, loads or goes back, as the search does.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

use rustc_hash::FxHashSet;
use std::time::Duration;
use tandem::concrete::{Inputs, Machine, Outcome, Packed, Pointer, Request, StateCheck, Store, Value};
use tandem::confirm::{ConfirmConfig, Reason, Verdict, confirm};
use tandem::engine::{self, Budget, Claim, DeterministicSteps, EngineConfig, ExplicitConfig, Proof, SearchOrder, Task};
use tandem::program::control::Flow;
use tandem::program::{Property, SourceFile, Type, text, validate};
use tandem::term::Integer;

const PROGRAMS: u64 = 24;
const WALKS: u64 = 100;
const STEPS: usize = 60;

/// The sequence called splitmix64; also any inputs at all.
struct Random(u64);

impl Random {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.number() % n as u64).unwrap()
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

impl Inputs for Random {
    fn next(&mut self, request: &Request) -> Option<Value> {
        let number = Integer::from(self.below(1 << 20));
        Some(match request.ty {
            Type::Bool => Value::Bool(self.one_in(2)),
            Type::Machine(machine) => Value::Int(machine.wrap(&number)),
            // The only mathematical integer asked for is which thread to notify.
            Type::Int => {
                let last = request.high.as_ref().and_then(Integer::to_u32).unwrap();
                Value::Int(Integer::from(self.below(last as usize + 1)))
            }
            _ => Value::Pointer(Pointer::NULL),
        })
    }
}

/// Numbers of three bits keep the states few.
fn number(random: &mut Random, depth: usize, local: bool) -> String {
    if depth == 0 || random.one_in(3) {
        let variables = ["a", "a", "b", "i3[p]", "i3[pointer_add(p, 1i64)]", if local { "l" } else { "a" }];
        return match random.below(10) {
            n if n < variables.len() => variables[n].to_owned(),
            _ => format!("{}i3", random.below(4)),
        };
    }
    let (a, b) = (number(random, depth - 1, local), number(random, depth - 1, local));
    if random.one_in(8) {
        return format!("ite({}, {a}, {b})", condition(random, depth - 1, local));
    }
    format!("({a} {} {b})", random.pick(&["+", "-", "*", "/", "%", "&", "<<"]))
}

fn condition(random: &mut Random, depth: usize, local: bool) -> String {
    if depth == 0 || random.one_in(2) {
        let (a, b) = (number(random, depth.min(1), local), number(random, 0, local));
        return format!("({a} {} {b})", random.pick(&["==", "!=", "<", "<=", ">", ">="]));
    }
    let (a, b) = (condition(random, depth - 1, local), condition(random, depth - 1, local));
    match random.below(5) {
        0 => "f".to_owned(),
        1 => format!("!({a})"),
        2 => format!("({a} && {b})"),
        3 => format!("({a} || {b})"),
        _ => format!("({})", random.pick(&["p == q", "same_object(p, q)", "is_live(q)", "q == null"])),
    }
}

/// What may be done again and again without making more objects and locks held.
fn repeatable(random: &mut Random, local: bool) -> String {
    match random.below(10) {
        0 => format!("assume {};", condition(random, 2, local)),
        1 => format!("a := {};", number(random, 2, local)),
        2 => format!("b := {};", number(random, 2, local)),
        3 => format!("f := {};", condition(random, 1, local)),
        4 => format!("havoc a; assume {};", condition(random, 2, local)),
        5 => format!("[{}] := {};", random.pick(&["p", "p", "p", "q"]), number(random, 1, local)),
        6 if local => format!("l := {};", number(random, 1, local)),
        _ => random.pick(&["q := pointer_add(p, 1i64);", "a, b := b, a;", "notify c;", "havoc f;"]).to_owned(),
    }
}

fn once(random: &mut Random, local: bool) -> String {
    let first = repeatable(random, local);
    let all = [
        "lock m;",
        "lock m; a := a + 1i3; unlock m;",
        "lock m; wait c, m;",
        "notify all c;",
        "q := allocate(heap, 2i64, zeroed);",
        "q := allocate(stack, 2i64);",
        "atomic begin;",
        "atomic end;",
        "unlock m;",
        "free q;",
    ];
    // The last two fault as a rule, so they are rare.
    let last = if random.one_in(12) { all.len() } else { all.len() - 2 };
    if random.one_in(2) { first } else { format!("{first} {}", random.pick(&all[..last])) }
}

fn procedure(random: &mut Random, name: &str) -> String {
    const LOCATIONS: usize = 4;
    let local = name != "main";
    let header = if local { "(l) -> l {\n local l: i3" } else { "() {" };
    let mut text = format!("procedure {name}{header}\n location s0 entry\n");
    (1..LOCATIONS).for_each(|i| text.push_str(&format!(" location s{i}\n")));
    text.push_str(" location bad error \"assertion\" \"bad\"\n location over error \"overflow\" \"over\"\n");
    text.push_str(" location done exit\n");
    let mut edge =
        |from: usize, to: &str, block: &str| text.push_str(&format!(" edge s{from} -> {to} {{ {block} }}\n"));
    for from in 0..LOCATIONS {
        for _ in 0..1 + random.below(2) {
            let to = from + 1 + random.below(2);
            let to = if to < LOCATIONS { format!("s{to}") } else { "done".to_owned() };
            let block = match random.below(8) {
                0 if !local => format!("a := call w({});", number(random, 1, local)),
                1 | 2 if !local => format!("spawn w({});", number(random, 1, local)),
                3 if !local => "b := spawn v(b);".to_owned(),
                4 if !local => "join 1i3;".to_owned(),
                _ => once(random, local),
            };
            edge(from, &to, &block);
        }
        if random.one_in(4) {
            let back = format!("s{}", random.below(from + 1));
            edge(from, &back, &repeatable(random, local));
        }
        if random.one_in(6) {
            edge(from, "bad", &format!("assume {} && a == 3i3;", condition(random, 1, local)));
        }
        if random.one_in(12) {
            edge(from, "over", &format!("assume {};", condition(random, 1, local)));
        }
    }
    text + "}\n"
}

fn task(seed: u64) -> (Task, String) {
    let random = &mut Random(seed);
    let globals =
        "global a: i3\nglobal b: i3\nglobal f: bool\nglobal p: ptr\nglobal q: ptr\nglobal m: ptr\nglobal c: ptr";
    let b = if random.one_in(8) { "" } else { "havoc b; assume b >= 0i3;" };
    let init =
        format!("a := 0i3; {b} f := false; p := allocate(heap, 2i64, zeroed); q := p; m := allocate(static, 1i64);");
    let procedures = ["w", "v", "main"].map(|name| procedure(random, name)).concat();
    let source = format!("program \"seed {seed}\"\n{globals}\ninit {{ {init} c := m; }}\n{procedures}");
    let files = [SourceFile { name: "m.tandem".into(), text: source.clone() }].into_iter().collect();
    let program = text::lower(&files).unwrap_or_else(|errors| panic!("{errors}\n{source}"));
    validate(&program).unwrap_or_else(|problems| panic!("{problems:?}\n{source}"));
    (Task { program, property: Property::Assert }, source)
}

/// All states that a search to its end reached, and whether it assumed something.
struct Searched {
    store: Store,
    states: FxHashSet<Packed>,
    assumed: bool,
}

/// Searches and confirms; the states where the search came to its end without an error.
fn search(task: &Task, config: ExplicitConfig, source: &str) -> (&'static str, Option<Searched>) {
    let budget = Budget::with_time(Some(Duration::from_millis(400)));
    let claim = engine::verify(task, &EngineConfig::Explicit(config), &budget).claim;
    let searched = match &claim {
        Claim::Safe { proof: Proof::Reached(set), assumptions } => {
            let states = set.states.iter().copied().collect();
            Some(Searched { store: set.store.clone(), states, assumed: !assumptions.0.is_empty() })
        }
        _ => None,
    };
    let verdict = confirm(task, claim, &ConfirmConfig::default(), &Budget::unlimited());
    assert!(!matches!(verdict, Verdict::Unknown(Reason::Refuted(_))), "{verdict:?}\n{source}");
    (verdict.name(), searched)
}

fn walk(task: &Task, searched: &Searched, seed: u64, source: &str) {
    let random = &mut Random(seed);
    let flow = Flow::of(&task.program);
    let mut machine = Machine::new(&task.program);
    machine.use_store(searched.store.clone());
    if machine.start(random) != Ok(Outcome::Taken) {
        return;
    }
    for _ in 0..STEPS {
        if let Some(failure) = machine.control().failure(&task.program) {
            assert!(!task.property.counts(&failure.kind), "a walk found an error\n{source}");
            return;
        }
        let state = machine.pack();
        assert!(searched.states.contains(&state), "{:?} was not reached\n{source}", machine.control());
        let mut steps = machine.control().steps(&task.program, &flow);
        let mut taken = false;
        while !taken && !steps.is_empty() {
            match machine.step(steps.swap_remove(random.below(steps.len())), random) {
                Ok(outcome) => taken = outcome == Outcome::Taken,
                Err(fault) => assert!(searched.assumed, "a walk faults: {fault}\n{source}"),
            }
        }
        if !taken {
            return;
        }
    }
}

#[test]
fn walks_meet_nothing_new() {
    let mut walked = 0;
    for seed in 0..PROGRAMS {
        let (task, source) = task(seed);
        let (verdict, searched) = search(&task, ExplicitConfig::default(), &source);
        let depth_first = ExplicitConfig { search: SearchOrder::DepthFirst, ..ExplicitConfig::default() };
        let followed = ExplicitConfig { deterministic: DeterministicSteps::Followed, ..ExplicitConfig::default() };
        for config in [depth_first, followed] {
            let (other, _) = search(&task, config, &source);
            assert!(verdict == other || verdict == "unknown" || other == "unknown", "{verdict}, {other}\n{source}");
        }
        if let Some(searched) = searched {
            walked += 1;
            (0..WALKS).for_each(|number| walk(&task, &searched, seed * WALKS + number, &source));
        }
    }
    assert!(walked > 3, "only {walked} searches came to their end");
}

/// The verdicts on a program whose threads keep to some rule: a lock, an atomic section, variables of their own. Some
/// do not.
fn disciplined(seed: u64) -> (Task, String) {
    let random = &mut Random(seed);
    let mut worker = |name: &str, own: &str| {
        let mut text = format!("procedure {name}(l) -> l {{\n local l: i3\n location s0 entry\n");
        let count = 3 + random.below(3);
        (1..count).for_each(|i| text.push_str(&format!(" location s{i}\n")));
        text.push_str(" location done exit\n");
        for from in 0..count {
            let to = if from + 1 == count { "done".to_owned() } else { format!("s{}", from + 1) };
            let block = match random.below(12) {
                0 | 1 => "lock m; a := a + 1i3; unlock m;".to_owned(),
                2 => "lock m;".to_owned(),
                3 => "unlock m;".to_owned(),
                4 => "lock n;".to_owned(),
                5 => "unlock n;".to_owned(),
                6 => "atomic begin; b := b + 1i3; atomic end;".to_owned(),
                7 => "atomic begin;".to_owned(),
                8 => "atomic end;".to_owned(),
                9 => "b := 1i3;".to_owned(),
                10 => format!("{own} := l; [{}] := l;", random.pick(&["p", "pointer_add(p, 1i64)"])),
                _ => "l := l + 1i3;".to_owned(),
            };
            text.push_str(&format!(" edge s{from} -> {to} {{ {block} }}\n"));
        }
        text + "}\n"
    };
    let workers = [worker("v", "x"), worker("w", "y")].concat();
    let globals = "global a: i3\nglobal b: i3\nglobal x: i3\nglobal y: i3\nglobal p: ptr\nglobal m: ptr\nglobal n: ptr";
    let init = "a := 0i3; b := 0i3; x := 0i3; y := 0i3; p := allocate(heap, 2i64, zeroed); \
                m := allocate(static, 1i64); n := allocate(static, 1i64);";
    let main = "procedure main() {\n location s0 entry\n location s1\n location s2\n location s3\n location done exit\n \
                edge s0 -> s1 { spawn v(0i3); }\n edge s1 -> s2 { spawn w(1i3); }\n edge s2 -> s3 { join 1i3; }\n \
                edge s3 -> done { join 2i3; }\n}\n";
    let source = format!("program \"seed {seed}\"\n{globals}\ninit {{ {init} }}\n{workers}{main}");
    let files = [SourceFile { name: "m.tandem".into(), text: source.clone() }].into_iter().collect();
    let program = text::lower(&files).unwrap_or_else(|errors| panic!("{errors}\n{source}"));
    (Task { program, property: Property::Assert }, source)
}

/// Whether a walk meets a state that violates the property.
fn meets(task: &Task, seed: u64) -> bool {
    let random = &mut Random(seed);
    let flow = Flow::of(&task.program);
    let mut machine = Machine::new(&task.program);
    if machine.start(random) != Ok(Outcome::Taken) {
        return false;
    }
    for _ in 0..STEPS {
        if machine.control().failure(&task.program).is_some() {
            return false;
        }
        if matches!(machine.check_state(&task.property), StateCheck::Wrong(_)) {
            return true;
        }
        let mut steps = machine.control().steps(&task.program, &flow);
        let mut taken = false;
        while !taken && !steps.is_empty() {
            let step = steps.swap_remove(random.below(steps.len()));
            taken = machine.step(step, random) == Ok(Outcome::Taken);
        }
        if !taken {
            return false;
        }
    }
    false
}

#[test]
fn deadlocks_and_races_are_found_with_every_state_stored_and_without() {
    for property in [Property::NoDeadlock, Property::NoDataRace] {
        let mut seen = std::collections::BTreeMap::<&str, usize>::new();
        for seed in 0..4 * PROGRAMS {
            let (mut task, source) = if seed % 4 == 0 { task(seed) } else { disciplined(seed) };
            task.property = property.clone();
            let (verdict, _) = search(&task, ExplicitConfig::default(), &source);
            let followed = ExplicitConfig { deterministic: DeterministicSteps::Followed, ..ExplicitConfig::default() };
            let (other, _) = search(&task, followed, &source);
            assert!(verdict == other || verdict == "unknown" || other == "unknown", "{verdict}, {other}\n{source}");
            if verdict == "safe" || other == "safe" {
                let walks = 0..WALKS;
                assert!(!{ walks }.any(|walk| meets(&task, seed * WALKS + walk)), "a walk is wrong\n{source}");
            }
            *seen.entry(verdict).or_default() += 1;
        }
        assert!(["safe", "unsafe"].iter().all(|verdict| seen.get(verdict) > Some(&5)), "{property:?}: {seen:?}");
        println!("{property:?} {seen:?}");
    }
}
