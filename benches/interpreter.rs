//! How fast the interpreter takes steps on one thread.
//!
//! `cargo bench --bench interpreter` prints it for tight loops of one statement an edge; at least 30,000,000 steps a
//! second are expected of a release build where the loop counts in 32-bit locals.

use std::time::Instant;
use tandem::concrete::{Advance, CycleDetector, Halt, Machine, NoInputs, Outcome};
use tandem::program::{FileId, Id, Program, text};

const ROUNDS: usize = 5;
const STEPS: u64 = 20_000_000;

const COUNT: &str = "
procedure main() {
  local i: i32
  local n: i32
  location start entry  location head  location body  location done exit
  edge start -> head { i, n := 0i32, 2000000000i32; }
  edge head -> body { assume i < n; }
  edge head -> done { assume i >= n; }
  edge body -> head { i := i + 1i32; }
}";

const ARRAY: &str = "
procedure main() {
  local i: i32
  local s: i32
  local p: ptr
  location start entry  location head  location body  location store  location next  location again  location done exit
  edge start -> head { p := allocate(heap, 400000i64, zeroed); i, s := 0i32, 0i32; }
  edge head -> body { assume i < 100000i32; }
  edge head -> again { assume i >= 100000i32; i := 0i32; }
  edge again -> head { assume true; }
  edge again -> done { assume false; }
  edge body -> store { s := s + i32[pointer_add(p, i64(i) * 4i64)]; }
  edge store -> next { [pointer_add(p, i64(i) * 4i64)] := s ^ i; }
  edge next -> head { i := i + 1i32; }
}";

const CALLS: &str = "
procedure f(a) -> r {
  local a: i32
  local r: i32
  location start entry  location done exit
  edge start -> done { r := a + 1i32; }
}
procedure main() {
  local i: i32
  location start entry  location head  location body  location done exit
  edge start -> head { i := 0i32; }
  edge head -> body { assume i >= 0i32; }
  edge head -> done { assume i < 0i32; }
  edge body -> head { i := call f(i); }
}";

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    for (name, source) in [("count", COUNT), ("array", ARRAY), ("calls", CALLS)] {
        if wanted.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let program = text::parse(source, FileId::new(0)).expect("the program is valid");
        let best = (0..ROUNDS).map(|_| seconds(&program)).fold(f64::INFINITY, f64::min);
        println!("{name}: {STEPS} steps, {best:.3} s, {:.1} million steps/s", STEPS as f64 / best / 1e6);
    }
}

/// How long the steps take.
fn seconds(program: &Program) -> f64 {
    let mut machine = Machine::new(program);
    assert_eq!(machine.start(&mut NoInputs), Ok(Outcome::Taken));
    let start = Clock::start();
    let advance = machine.run_on(STEPS, &mut CycleDetector::default(), |_, _| {});
    assert_eq!(advance, Advance { steps: STEPS, halt: Halt::Limit }, "the loop goes on for ever");
    start.seconds()
}

/// The time that this process was given, so that others do not count; where that is not known, the time that went by.
struct Clock(Option<u64>, Instant);

impl Clock {
    fn start() -> Clock {
        Clock(Clock::nanoseconds(), Instant::now())
    }

    fn seconds(&self) -> f64 {
        match (self.0, Clock::nanoseconds()) {
            (Some(before), Some(after)) => (after - before) as f64 / 1e9,
            _ => self.1.elapsed().as_secs_f64(),
        }
    }

    fn nanoseconds() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok()
    }
}
