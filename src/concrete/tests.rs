//! The interpreter on small programs: what it computes, where it faults, and that going back goes back.

mod floats;
mod memory;
mod output;

use super::compile::Instruction;
use super::{Advance, CycleDetector, Fault, Halt, Inputs, Machine, NoInputs, Outcome, Packed, Pointer, Request, Value};
use crate::generate::program::{ExecutableConfig, GenerateConfig, Random, generate, generate_executable};
use crate::program::control::{Control, Flow, Step};
use crate::program::{FileId, Id, Program, ThreadId, Type, text, validate};

fn program(source: &str) -> Program {
    let program = text::parse(source, FileId::new(0)).unwrap_or_else(|e| panic!("{e}\n{source}"));
    validate::validate(&program).unwrap_or_else(|e| panic!("{e:?}\n{source}"));
    program
}

struct Given(Vec<i64>);

impl Inputs for Given {
    fn next(&mut self, request: &Request) -> Option<Value> {
        let value = (!self.0.is_empty()).then(|| self.0.remove(0))?;
        Some(if request.ty == crate::program::Type::Bool { Value::Bool(value != 0) } else { Value::int(value) })
    }
}

/// Runs to the end, always taking the first step that can be taken.
fn run(machine: &mut Machine<'_>, inputs: &mut dyn Inputs) -> Result<(), Fault> {
    let flow = Flow::of(machine.program());
    assert_eq!(machine.start(inputs)?, Outcome::Taken);
    for _ in 0..10_000 {
        let steps = machine.control().steps(machine.program(), &flow);
        let mut taken = false;
        for step in steps {
            if machine.step(step, inputs)? == Outcome::Taken {
                taken = true;
                break;
            }
        }
        if !taken {
            return Ok(());
        }
    }
    panic!("the program does not end");
}

/// The value of a global at the end.
fn result(source: &str, global: &str, inputs: &[i64]) -> Result<String, Fault> {
    let program = program(source);
    let mut machine = Machine::new(&program);
    run(&mut machine, &mut Given(inputs.to_vec()))?;
    let (id, _) = program.variables.enumerate().find(|(_, v)| v.name == global).expect("the global is there");
    Ok(machine.value(ThreadId::new(0), id).expect("a global has a value").to_string())
}

/// A main procedure with one edge.
fn straight(globals: &str, block: &str) -> String {
    format!(
        "{globals}\nprocedure main() {{ location a entry location z exit edge a -> z {{ {block} }} }}\nmain_ends_all"
    )
}

const FACTORIAL: &str = "
global n: int
global r: int
init { havoc n; r := 0; }
procedure fact(k) -> out {
  local k: int
  local below: int
  local out: int
  location a entry  location b  location c  location z exit
  edge a -> z { assume k <= 0; out := 1; }
  edge a -> b { assume k > 0; }
  edge b -> c { below := call fact(k - 1); }
  edge c -> z { out := k * below; }
}
procedure main() {
  location a entry  location z exit
  edge a -> z { r := call fact(n); }
}
main_ends_all
";

#[test]
fn recursion_has_its_own_locals() {
    assert_eq!(result(FACTORIAL, "r", &[5]), Ok("120".into()));
    assert_eq!(result(FACTORIAL, "r", &[25]), Ok("15511210043330985984000000".into()));
    assert_eq!(result(FACTORIAL, "r", &[]), Err(Fault::NoInput(crate::program::VarId::new(0))));
}

#[test]
fn machine_integers_wrap_and_divide_as_documented() {
    let check = |expression: &str, ty: &str, expected: &str| {
        let source = straight(&format!("global r: {ty}"), &format!("r := {expression};"));
        assert_eq!(result(&source, "r", &[]), Ok(expected.into()), "{expression}");
    };
    check("127i8 + 1i8", "i8", "-128");
    check("0u8 - 1u8", "u8", "255");
    check("-128i8 / -1i8", "i8", "-128");
    check("7i32 / -2i32", "i32", "-3");
    check("7i32 % -2i32", "i32", "1");
    check("-7i32 % 2i32", "i32", "-1");
    check("7u8 / 0u8", "u8", "255");
    check("7i8 / 0i8", "i8", "-1");
    check("-7i8 / 0i8", "i8", "1");
    check("-7i8 % 0i8", "i8", "-7");
    check("1i8 << 7i8", "i8", "-128");
    check("1i8 << 8i8", "i8", "0");
    check("-1i8 >> 100i8", "i8", "-1");
    check("-128i8 >> 1i8", "i8", "-64");
    check("255u8 >> 1u8", "u8", "127");
    check("255u8 << 255u8", "u8", "0");
    check("~0u64", "u64", "18446744073709551615");
    check("18446744073709551615u64 * 18446744073709551615u64", "u64", "1");
    check("-9223372036854775808i64 - 1i64", "i64", "9223372036854775807");
    check("i8(200u8)", "i8", "-56");
    check("int(200u8) * 1000000000000000000000", "int", "200000000000000000000000");
    check("u128(-1i8)", "u128", "340282366920938463463374607431768211455");
}

#[test]
fn memory_keeps_bytes_and_knows_what_was_written() {
    let memory = |block: &str| {
        let globals = "global p: ptr\nglobal q: ptr\nglobal r: i32\nglobal b: u8";
        let block = format!("p := allocate(heap, 8i64); {block}");
        let source = straight(globals, &block);
        result(&source, "r", &[])
    };
    assert_eq!(memory("[p] := -2i32; r := i32[p];"), Ok("-2".into()));
    assert_eq!(memory("[p] := -2i32; b := u8[pointer_add(p, 1i64)]; r := i32(b);"), Ok("255".into()));
    assert_eq!(
        memory("[p] := 1u8; r := i32[p];"),
        Err(Fault::Unwritten(Pointer { object: 1, offset: 0 }, Type::machine(32, true)))
    );
    assert_eq!(memory("r := i32[pointer_add(p, 5i64)];"), Err(Fault::OutOfBounds));
    assert_eq!(memory("r := i32[pointer_add(p, -1i64)];"), Err(Fault::OutOfBounds));
    assert_eq!(memory("free p; r := i32[p];"), Err(Fault::Dead));
    assert_eq!(memory("free p; free p;"), Err(Fault::InvalidFree));
    assert_eq!(memory("free pointer_add(p, 1i64);"), Err(Fault::InvalidFree));
    assert_eq!(memory("r := i32[null];"), Err(Fault::Null));
    assert_eq!(memory("[p] := p; q := ptr[p]; r := ite(q == p, 1i32, 0i32);"), Ok("1".into()));
    assert_eq!(
        memory("q := allocate(heap, 8i64, zeroed); q := ptr[q]; r := ite(q == null, 1i32, 0i32);"),
        Ok("1".into())
    );
    assert_eq!(memory("r := ite(is_live(p), 1i32, 0i32) + i32(object_size(p));"), Ok("9".into()));
    assert_eq!(memory("q := allocate(heap, -1i64);"), Err(Fault::BadSize(-1)));
}

#[test]
fn stack_objects_end_with_their_activation() {
    let source = "
global r: i32
procedure f() -> out {
  local out: ptr
  location a entry  location z exit
  edge a -> z { out := allocate(stack, 4i64); [out] := 7i32; }
}
procedure main() {
  local p: ptr
  location a entry  location b  location z exit
  edge a -> b { p := call f(); }
  edge b -> z { r := ite(is_live(p), 1i32, 0i32); }
}
";
    assert_eq!(result(source, "r", &[]), Ok("0".into()));
}

#[test]
fn threads_wait_for_locks_and_for_each_other() {
    let source = "
global m: ptr
global count: int
global t: int
global seen: int
init { m := allocate(static, 1i64); count, t, seen := 0, 0, 0; }
procedure worker() {
  location a entry  location b  location c  location z exit
  edge a -> b { lock m; }
  edge b -> c { count := count + 1; }
  edge c -> z { unlock m; }
}
procedure main() {
  location a entry  location b  location c  location d  location z exit
  edge a -> b { lock m; t := spawn worker(); }
  edge b -> c { seen := count; }
  edge c -> d { unlock m; }
  edge d -> z { join t; seen := seen * 10 + count; }
}
";
    assert_eq!(result(source, "seen", &[]), Ok("1".into()));
    let unlock = straight("global p: ptr", "p := allocate(heap, 1i64); unlock p;");
    assert_eq!(result(&unlock, "p", &[]), Err(Fault::NotOwner));
}

#[test]
fn a_waiting_thread_wakes_when_notified_with_its_lock() {
    let source = "
global m: ptr
global ready: int
global seen: int
global t: int
init { m := allocate(static, 1i64); ready, seen, t := 0, 0, 0; }
procedure sleeper() {
  location a entry  location b  location c  location z exit
  edge a -> b { lock reentrant m; lock reentrant m; wait m, m; }
  edge b -> c { seen := ready; unlock m; }
  edge c -> z { unlock m; }
}
procedure main() {
  location a entry  location b  location c  location z exit
  edge a -> b { t := spawn sleeper(); }
  edge b -> c { lock m; ready := 1; notify m; unlock m; }
  edge c -> z { join t; }
}
";
    // The first step that can be taken is always main's: it notifies before anyone waits, and all wait for ever.
    assert_eq!(result(source, "seen", &[]), Ok("0".into()));
    let program = program(source);
    let mut machine = Machine::new(&program);
    machine.start(&mut NoInputs).unwrap();
    let flow = Flow::of(&program);
    // With the last one it is the sleeper's.
    for _ in 0..20 {
        let steps = machine.control().steps(&program, &flow);
        if !steps.iter().rev().any(|s| machine.step(*s, &mut NoInputs).unwrap() == Outcome::Taken) {
            break;
        }
    }
    assert!(machine.control().ended());
    let (seen, _) = program.variables.enumerate().find(|(_, v)| v.name == "seen").unwrap();
    assert_eq!(machine.value(ThreadId::new(0), seen), Some(Value::int(1)));
}

#[test]
fn blocked_edges_change_nothing() {
    let program = program(&straight("global x: int\ninit { x := 1; }", "x := 2; assume x == 3;"));
    let mut machine = Machine::new(&program);
    machine.start(&mut NoInputs).unwrap();
    let (before, step) = (machine.pack(), machine.control().steps(&program, &Flow::of(&program))[0]);
    assert_eq!(machine.step(step, &mut NoInputs), Ok(Outcome::Blocked));
    assert_eq!(machine.pack(), before);
}

/// Inputs that only depend on the seed.
struct Chance(Random);

impl Inputs for Chance {
    fn next(&mut self, request: &Request) -> Option<Value> {
        use crate::program::Type;
        let n = self.0.below(7) as i64 - 3;
        Some(match request.ty {
            Type::Bool => Value::Bool(n > 0),
            Type::Pointer => Value::Pointer(super::Pointer::NULL),
            Type::Float(kind) => Value::Float(kind.of_f64(n as f64 / 2.0), kind),
            Type::Int => Value::int(n),
            Type::Machine(machine) => Value::Int(machine.wrap(&n.into())),
        })
    }
}

fn random_step(machine: &mut Machine<'_>, flow: &Flow, chance: &mut Chance) -> Option<Step> {
    let steps = machine.control().steps(machine.program(), flow);
    if steps.is_empty() {
        return None;
    }
    let step = *chance.0.choose(&steps);
    matches!(machine.step(step, chance), Ok(Outcome::Taken)).then_some(step)
}

fn snapshot(machine: &mut Machine<'_>) -> (Control, Packed) {
    (machine.control().clone(), machine.pack())
}

fn loaded(machine: &mut Machine<'_>, packed: &Packed) -> (Control, super::machine::Data) {
    machine.load(*packed);
    (machine.control.clone(), machine.data.clone())
}

/// The quick way to evaluate gives up or agrees with the other one, on all that the threads could do next.
fn evaluate_both_ways(machine: &Machine<'_>, seed: u64) {
    for (number, thread) in machine.control().threads.iter().enumerate() {
        let Some(frame) = thread.frames.last() else { continue };
        let edges = &machine.code().procedures[frame.procedure].edges;
        let nodes = edges.iter().flat_map(|edge| edge.block.iter()).filter_map(|instruction| match instruction {
            Instruction::Assume(node) | Instruction::Assign(_, node) => Some(node),
            _ => None,
        });
        for node in nodes {
            let scene = machine.scene(number);
            if let Some(quick) = scene.small(node) {
                assert_eq!(scene.slow(node), Ok(Value::int(quick)), "seed {seed}: {node:?}");
            }
        }
    }
}

/// A deterministic step is the one step that is possible, and there is none where several are.
fn go_on_both_ways(machine: &mut Machine<'_>, flow: &Flow, seed: u64) {
    let before = snapshot(machine);
    let mut possible = Vec::new();
    let mut chooses = false;
    for step in before.0.steps(machine.program(), flow) {
        let mark = machine.save();
        match machine.step(step, &mut NoInputs) {
            Ok(Outcome::Taken) => possible.push((step, snapshot(machine))),
            Ok(Outcome::Blocked) => {}
            // An input is a choice, and a fault is left to others.
            Err(_) => chooses = true,
        }
        machine.restore(mark);
    }
    let mut other = Machine::new(machine.program());
    other.use_store(std::mem::take(&mut machine.store));
    other.load(before.1);
    let mut taken = Vec::new();
    let advance = other.run_on(1, &mut CycleDetector::default(), |_, step| taken.push(step));
    let after = snapshot(&mut other);
    machine.store = std::mem::take(&mut other.store);
    match (advance.halt, possible.as_slice()) {
        (Halt::Limit, possible) => {
            let own: Vec<_> = possible.iter().filter(|(step, _)| step.thread == taken[0].thread).collect();
            assert_eq!(own.iter().map(|(step, _)| *step).collect::<Vec<_>>(), [taken[0]], "seed {seed}");
            // An atomic section is several steps that are taken as one.
            let mark = machine.save();
            for step in taken {
                assert_eq!(machine.step(step, &mut NoInputs), Ok(Outcome::Taken), "seed {seed}");
            }
            assert_eq!(snapshot(machine), after, "seed {seed}");
            machine.restore(mark);
            let alone = before.0.threads.iter().filter(|thread| !thread.frames.is_empty()).count() == 1;
            assert!(!alone || !chooses, "seed {seed}");
        }
        (Halt::End, []) if !chooses => assert_eq!(after, before),
        (Halt::Choice, _) => assert_eq!((taken.len(), after), (0, before)),
        (halt, _) => panic!("seed {seed}: {halt:?} where {} steps are possible", possible.len()),
    }
}

#[test]
fn a_cycle_of_deterministic_steps_is_recognised() {
    let source = "
procedure main() {
  local i: i8
  location a entry  location b  location z exit
  edge a -> b { i := 0i8; }
  edge b -> b { assume i >= 0i8; i := (i + 1i8) & 7i8; }
  edge b -> z { assume i < 0i8; }
}
";
    let program = program(source);
    let mut machine = Machine::new(&program);
    machine.start(&mut NoInputs).unwrap();
    let mut cycles = CycleDetector::default();
    // In several calls as in one.
    let mut advance = machine.run_on(700, &mut cycles, |_, _| {});
    assert_eq!(advance, Advance { steps: 700, halt: Halt::Limit });
    advance = machine.run_on(1_000_000, &mut cycles, |_, _| {});
    assert_eq!(advance.halt, Halt::Cycle);
    assert!(advance.steps < 10_000, "{}", advance.steps);
}

#[test]
fn deterministic_steps_go_through_calls_and_past_what_is_blocked() {
    let source = "
global n: u64
procedure f(a) -> r {
  local a: u64
  local r: u64
  location a entry  location z exit
  edge a -> z { r := a + a; }
}
procedure main() {
  local i: int
  location a entry  location b  location c  location z exit
  edge a -> b { i := 0; n := 1u64; }
  edge b -> c { assume i < 70; }
  edge b -> z { assume i >= 70; }
  edge c -> b { n := call f(n); }
  edge c -> c { assume false; }
}
";
    // It doubles until it is 0; the counter is never counted up.
    let program = program(source);
    let mut machine = Machine::new(&program);
    machine.start(&mut NoInputs).unwrap();

    let advance = machine.run_on(1_000_000, &mut CycleDetector::default(), |_, _| {});
    assert_eq!(advance.halt, Halt::Cycle);
    let (n, _) = program.variables.enumerate().find(|(_, v)| v.name == "n").unwrap();
    assert_eq!(machine.value(ThreadId::new(0), n), Some(Value::int(0)));
}

/// Random walks: going back to any mark gives the state that was there, and packed data loads to the same state.
fn walk(program: &Program, seed: u64) -> usize {
    let flow = Flow::of(program);
    let mut machine = Machine::new(program);
    let mut chance = Chance(Random::new(seed));
    if !matches!(machine.start(&mut chance), Ok(Outcome::Taken)) {
        return 0;
    }
    let mut states = vec![(machine.save(), snapshot(&mut machine))];
    for _ in 0..40 {
        evaluate_both_ways(&machine, seed);
        go_on_both_ways(&mut machine, &flow, seed);
        if random_step(&mut machine, &flow, &mut chance).is_some() {
            states.push((machine.save(), snapshot(&mut machine)));
        }
        if chance.0.percent(20) {
            let keep = chance.0.between(1, states.len());
            states.truncate(keep);
            let (mark, expected) = states.last().expect("at least one is kept");
            machine.restore(*mark);
            assert_eq!(snapshot(&mut machine), *expected, "seed {seed}");
        }
    }
    // A machine that knows nothing of these states but the store, and one that went through them.
    let packed = states.last().expect("the first state").1.1;
    let again = machine.pack();
    let mut other = Machine::new(program);
    other.use_store(std::mem::take(&mut machine.store));
    for _ in 0..2 * states.len() {
        let (_, (control, packed)) = &states[chance.0.below(states.len())];
        other.load(*packed);
        assert_eq!(snapshot(&mut other), (control.clone(), *packed), "seed {seed}");
    }
    // What is known of the state that was loaded makes no difference.
    for _ in 0..states.len() {
        other.load(states[chance.0.below(states.len())].1.1);
        for _ in 0..chance.0.below(6) {
            let _ = random_step(&mut other, &flow, &mut chance);
        }
        let (quick, store) = (other.pack(), std::mem::take(&mut other.store));
        other.use_store(store);
        assert_eq!(other.pack(), quick, "seed {seed}");
    }
    let mut fresh = Machine::new(program);
    fresh.use_store(std::mem::take(&mut other.store));
    fresh.load(packed);
    other.use_store(std::mem::take(&mut fresh.store));
    other.load(packed);
    assert!(fresh.data == other.data && fresh.control == other.control, "seed {seed}");
    // What was packed to one number is one state, and the other way round.
    for (_, (control, packed)) in &states {
        let (one, two) = (loaded(&mut other, packed), loaded(&mut other, &again));
        assert_eq!(one == two, *packed == again, "seed {seed}: {control:?}");
    }
    // Where objects are numbered anew, what is the same but for their numbers is one state; and what cannot be read any more
    // is no part of it.
    let mut data = machine.data.clone();
    for (thread, of) in data.threads.iter_mut().enumerate() {
        let mut live = Vec::new();
        machine.live_locals(thread, &mut live);
        let dead = of.locals.iter_mut().zip(live).filter(|(_, live)| !live);
        dead.for_each(|(value, _)| *value = Value::Undefined);
    }
    other.load(again);
    assert!(program.header_bytes > 0 || other.data == data, "seed {seed}");
    assert_eq!(other.control, machine.control, "seed {seed}");
    states.len()
}

#[test]
fn going_back_goes_back_and_packing_loses_nothing() {
    let mut steps = 0;
    for seed in 0..400 {
        steps += walk(&generate_executable(seed, &ExecutableConfig::default()), seed);
        steps += walk(&generate(seed, &GenerateConfig::default()), seed);
    }
    assert!(steps > 2000, "the walks go somewhere: {steps}");
}
