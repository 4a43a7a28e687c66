//! Random guarded-command programs: `symbolic`, with both ways of matching, agrees with `explicit`.

use std::fmt::Write;
use std::time::Duration;
use tandem::confirm::{ConfirmConfig, Reason, Verdict, confirm};
use tandem::engine::symbolic::Matching;
use tandem::engine::{Budget, EngineConfig, ExplicitConfig, SymbolicConfig, Task, verify};
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

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

const VARIABLES: [&str; 3] = ["x", "y", "z"];

fn number(r: &mut Random) -> String {
    match r.below(5) {
        0 => (r.below(8) as i64 - 3).to_string(),
        1 | 2 => r.pick(&VARIABLES).to_owned(),
        3 => format!("{} + {}", r.pick(&VARIABLES), r.pick(&["1", "2", "y", "z"])),
        _ => format!("{} - {}", r.pick(&VARIABLES), r.pick(&["1", "2", "x", "2 * y"])),
    }
}

fn comparison(r: &mut Random) -> String {
    let operator = r.pick(&["=", "!=", "<", "<=", ">", ">="]);
    format!("{} {operator} {}", number(r), number(r))
}

fn condition(r: &mut Random) -> String {
    match r.below(4) {
        0 => format!("({} || {})", comparison(r), comparison(r)),
        1 => format!("!({} && {})", comparison(r), comparison(r)),
        _ => comparison(r),
    }
}

/// A program whose variables stay between -3 and 4, unless it may read inputs.
fn program(seed: u64, inputs: bool) -> String {
    let r = &mut Random(seed);
    let mut text = "program random\ncontrol pc\nvar x, y, z\ninit pc = 1".to_owned();
    for variable in VARIABLES {
        let low = r.below(5) as i64 - 2;
        let _ = match r.below(if inputs { 4 } else { 8 }) {
            0 => write!(text, " && {variable} >= {low} && {variable} <= {}", low + 2),
            _ => write!(text, " && {variable} = {low}"),
        };
    }
    text.push('\n');
    for transition in 0..2 + r.below(4) {
        let (from, to) = (1 + r.below(3), 1 + r.below(3));
        let _ = write!(text, "t{transition}: pc = {from} && {}", condition(r));
        let (first, second) = (r.pick(&VARIABLES), number(r));
        let _ = write!(text, " && {second} >= -3 && {second} <= 4 -> pc := {to}");
        let _ = match inputs && r.below(3) == 0 {
            true => writeln!(text, ", {first} := nondet"),
            false => writeln!(text, ", {first} := {second}"),
        };
    }
    let _ = write!(text, "safe pc = {} => {}", 1 + r.below(3), condition(r));
    if r.below(2) == 0 {
        let _ = write!(text, " || {}", condition(r));
    }
    text.push('\n');
    text
}

fn verdict(task: &Task, engine: &EngineConfig) -> Verdict {
    let budget = Budget::with_time(Some(Duration::from_secs(20)));
    confirm(task, verify(task, engine, &budget).claim, &ConfirmConfig::default(), &budget)
}

/// How often programs were safe, unsafe, and not decided.
#[derive(Debug, Default)]
struct Counts {
    safe: usize,
    violated: usize,
    open: usize,
}

fn compare(seeds: std::ops::Range<u64>, inputs: bool, matching: Matching) -> Counts {
    let mut counts = Counts::default();
    for seed in seeds {
        let text = program(seed, inputs);
        let files = [SourceFile { name: "random.gcl".into(), text: text.clone() }].into_iter().collect();
        let task = Task { program: gcl::lower(&files).expect("the program is right"), property: Property::Assert };
        let truth = verdict(&task, &EngineConfig::Explicit(ExplicitConfig::default()));
        let found = verdict(&task, &EngineConfig::Symbolic(SymbolicConfig { matching, ..Default::default() }));
        match &found {
            Verdict::Unknown(Reason::Refuted(_) | Reason::Broken(_)) => panic!("seed {seed}: {found:?}\n{text}"),
            Verdict::Unknown(_) => counts.open += 1,
            Verdict::Safe(_) => counts.safe += 1,
            Verdict::Unsafe(_) => counts.violated += 1,
        }
        let decided = !matches!(truth, Verdict::Unknown(_)) && !matches!(found, Verdict::Unknown(_));
        assert!(!decided || truth.name() == found.name(), "seed {seed}: {} is {}\n{text}", found.name(), truth.name());
    }
    counts
}

#[test]
fn finite_programs_with_matching_per_path() {
    let counts = compare(0..150, false, Matching::Path);
    assert!(counts.safe >= 40 && counts.violated >= 15 && counts.open <= 3, "{counts:?}");
}

#[test]
fn finite_programs_with_one_table() {
    let counts = compare(0..100, false, Matching::Global);
    assert!(counts.safe >= 20 && counts.violated >= 10 && counts.open <= 40, "{counts:?}");
}

#[test]
fn programs_with_inputs() {
    let counts = compare(1000..1150, true, Matching::Path);
    assert!(counts.safe >= 30 && counts.violated >= 15 && counts.open <= 15, "{counts:?}");
}
