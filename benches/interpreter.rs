//! How fast the interpreter takes steps on one thread.
//!
//! `cargo bench --bench interpreter` prints it for tight loops of one statement an edge; at least 30,000,000 steps a
//! second are expected of a release build where the loop counts in 32-bit locals.

use std::time::Instant;
use tandem::concrete::{Machine, NoInputs, Outcome};
use tandem::program::control::{Flow, Step};
use tandem::program::{FileId, Id, Program, text};

const ROUNDS: usize = 5;
const STEPS: usize = 10_000_000;

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
  location start entry  location head  location body  location store  location next  location done exit
  edge start -> head { p := allocate(heap, 400000i64, zeroed); i, s := 0i32, 0i32; }
  edge head -> body { assume i < 100000i32; }
  edge head -> head { assume i >= 100000i32; i := 0i32; }
  edge body -> store { s := s + i32[pointer_add(p, i64(i) * 4i64)]; }
  edge store -> next { [pointer_add(p, i64(i) * 4i64)] := s ^ i; }
  edge next -> head { i := i + 1i32; }
  edge head -> done { assume false; }
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
  location start entry  location head  location done exit
  edge start -> head { i := 0i32; }
  edge head -> head { i := call f(i); }
  edge head -> done { assume i < 0i32; }
}";

fn main() {
    for (name, source) in [("count", COUNT), ("array", ARRAY), ("calls", CALLS)] {
        let program = text::parse(source, FileId::new(0)).expect("the program is valid");
        let best = (0..ROUNDS).map(|_| seconds(&program)).fold(f64::INFINITY, f64::min);
        println!("{name}: {STEPS} steps, {best:.3} s, {:.1} million steps/s", STEPS as f64 / best / 1e6);
    }
}

/// How long the steps take, the first possible one each time.
fn seconds(program: &Program) -> f64 {
    let flow = Flow::of(program);
    let mut machine = Machine::new(program);
    assert_eq!(machine.start(&mut NoInputs), Ok(Outcome::Taken));
    let mut steps: Vec<Step> = Vec::new();
    let start = Instant::now();
    for number in 0..STEPS {
        steps.clear();
        machine.control().steps_into(program, &flow, &mut steps);
        let taken = steps.iter().any(|step| machine.step(*step, &mut NoInputs) == Ok(Outcome::Taken));
        assert!(taken, "the loop goes on for ever");
        if number % 1024 == 0 {
            machine.commit();
        }
    }
    start.elapsed().as_secs_f64()
}
