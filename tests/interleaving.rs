//! Programs with threads and the programs without that stand for them: they fail in the same way, and engines that know
//! no threads agree with the one that does.

#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

use std::time::Duration;
use tandem::concrete::replay;
use tandem::confirm::{ConfirmConfig, Reason, Verdict, confirm};
use tandem::engine::{
    BoundedConfig, Budget, CegarConfig, Claim, EngineConfig, ExplicitConfig, Stop, Task, original_trace, verify,
};
use tandem::generate::program::{ThreadedConfig, generate_threaded};
use tandem::program::{FileId, Id, Property, Statement, text, validate};
use tandem::transform::interleave::{Interleaved, NotFollowed, Origin, interleave};

fn explicit() -> EngineConfig {
    EngineConfig::Explicit(ExplicitConfig::default())
}

fn bounded() -> EngineConfig {
    EngineConfig::Bounded(BoundedConfig { steps: Some(40), ..Default::default() })
}

fn verdict(task: &Task, engine: &EngineConfig) -> Verdict {
    let budget = Budget::with_time(Some(Duration::from_secs(2)));
    confirm(task, verify(task, engine, &budget).claim, &ConfirmConfig::default(), &budget)
}

fn task(seed: u64) -> Task {
    Task { program: generate_threaded(seed, &ThreadedConfig::default()), property: Property::Assert }
}

fn interleaved(task: &Task) -> (Interleaved, Task) {
    let interleaved = interleave(&task.program).unwrap_or_else(|e| panic!("{e}\n{}", text::print(&task.program)));
    let program = interleaved.program.clone();
    assert_eq!(validate(&program), Ok(()), "{}", text::print(&task.program));
    let threads = |s: &Statement| matches!(s, Statement::Spawn { .. } | Statement::Lock { .. } | Statement::Join(_));
    assert!(!program.procedures.iter().flat_map(|p| p.edges.iter()).any(|e| e.block.iter().any(threads)));
    (interleaved, Task { program, property: task.property.clone() })
}

/// Whether an execution does what is undefined, or what is not followed.
fn is_lost(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(Reason::Stopped(Stop::Fault { .. } | Stop::Unmodelled { .. })))
}

#[test]
fn random_programs_fail_as_their_interleavings_do() {
    let (mut safe, mut failing, mut lost) = (0, 0, 0);
    for seed in 0..250 {
        let first = task(seed);
        let (made, second) = interleaved(&first);
        let expected = verdict(&first, &explicit());
        let found = verdict(&second, &explicit());
        let problem = || format!("seed {seed}: {expected:?}, {found:?}\n{}", text::print(&first.program));
        match (&expected, &found) {
            (Verdict::Safe(_), Verdict::Safe(_)) => safe += 1,
            (Verdict::Unsafe(_), Verdict::Unsafe(trace)) => {
                failing += 1;
                let trace = original_trace(&made, trace.trace()).unwrap_or_else(|e| panic!("{e}: {}", problem()));
                let replayed = replay(&first.program, &first.property, &trace);
                assert!(replayed.is_ok(), "{replayed:?}: {}", problem());
            }
            // What is lost ends the search, also where a failure could be found later.
            (Verdict::Unsafe(_) | Verdict::Unknown(_), found) if is_lost(found) => lost += 1,
            (expected, Verdict::Unsafe(_)) if is_lost(expected) => panic!("{}", problem()),
            (Verdict::Unknown(Reason::Stopped(Stop::TimeLimit)), _) => {}
            (_, Verdict::Unknown(Reason::Stopped(Stop::TimeLimit))) => {}
            _ => panic!("{}", problem()),
        }
    }
    assert!(safe > 25 && failing > 25 && lost > 3, "{safe} safe, {failing} failing, {lost} lost");
}

#[test]
fn engines_without_threads_agree_with_the_one_that_has_them() {
    let engines = [bounded(), EngineConfig::Cegar(CegarConfig::default()), EngineConfig::Symbolic(Default::default())];
    let mut right = [0; 3];
    for seed in 1_000..1_024 {
        let task = task(seed);
        let expected = verdict(&task, &explicit());
        for (engine, right) in engines.iter().zip(&mut right) {
            let found = verdict(&task, engine);
            let problem = || format!("seed {seed} {engine:?}: {expected:?}, {found:?}\n{}", text::print(&task.program));
            match (&expected, &found) {
                (Verdict::Safe(_), Verdict::Safe(_)) | (Verdict::Unsafe(_), Verdict::Unsafe(_)) => *right += 1,
                (_, Verdict::Unknown(Reason::Refuted(_) | Reason::Broken(_))) => panic!("{}", problem()),
                (_, Verdict::Unknown(_)) => {}
                (Verdict::Unknown(Reason::Stopped(Stop::TimeLimit)), _) => {}
                _ => panic!("{}", problem()),
            }
        }
    }
    assert!(right[0] > 4 && right[1] > 12 && right[2] > 6, "{right:?}");
}

fn parsed(source: &str) -> Task {
    let program = text::parse(source, FileId::new(0)).unwrap_or_else(|errors| panic!("{errors:?}"));
    Task { program, property: Property::Assert }
}

/// Two threads that take a lock; what each does there is given.
fn under_a_lock(body: &str) -> Task {
    parsed(&format!(
        "program \"p\"
global m: ptr
global n: i32
init {{ m := allocate(static, 8i64, zeroed); n := 0i32; }}
procedure work() {{
  local seen: i32
  local fresh: ptr
  location a entry
  location b
  location c
  location d
  location finish exit
  {body}
}}
procedure main() {{
  local t: i32
  location a entry
  location b
  location c
  location d
  location e
  location lost error \"assertion\" \"an update was lost\"
  location finish exit
  edge a -> b {{ t := spawn work(); }}
  edge b -> c {{ call work(); }}
  edge c -> d {{ join t; }}
  edge d -> lost {{ assume n != 2i32; }}
  edge d -> finish {{ assume n == 2i32; }}
}}
"
    ))
}

const LOCKED: &str = "edge a -> b { lock m; } edge b -> c { seen := n; } edge c -> d { n := seen + 1i32; } edge d -> finish { unlock m; }";
const CARELESS: &str =
    "edge a -> b { } edge b -> c { seen := n; } edge c -> d { n := seen + 1i32; } edge d -> finish { }";
const UNOWNED: &str =
    "edge a -> b { unlock m; } edge b -> c { seen := n; } edge c -> d { n := seen + 1i32; } edge d -> finish { }";

#[test]
fn locks_keep_their_meaning() {
    for engine in [EngineConfig::Cegar(CegarConfig::default()), EngineConfig::Symbolic(Default::default()), bounded()] {
        let is_bounded = engine == bounded();
        let safe = verdict(&under_a_lock(LOCKED), &engine);
        assert!(matches!(safe, Verdict::Safe(_)) || is_bounded, "{engine:?}: {safe:?}");
        let broken = verdict(&under_a_lock(CARELESS), &engine);
        assert!(matches!(broken, Verdict::Unsafe(_)), "{engine:?}: {broken:?}");
        let lost = verdict(&under_a_lock(UNOWNED), &engine);
        assert!(is_lost(&lost), "{engine:?}: {lost:?}");
    }
}

#[test]
fn traces_have_the_threads_and_actions_of_the_program() {
    let task = under_a_lock(CARELESS);
    let Claim::Unsafe(trace) = verify(&task, &bounded(), &Budget::unlimited()).claim else { panic!("it fails") };
    let replayed = replay(&task.program, &task.property, &trace).unwrap();
    assert_eq!(replayed.violation.failure.message, "an update was lost");
    let threads: Vec<usize> = trace.steps.iter().map(|step| step.step.thread.index()).collect();
    assert!(threads.contains(&0) && threads.contains(&1) && threads.iter().all(|thread| *thread < 2), "{threads:?}");
}

#[test]
fn steps_of_a_threads_own_need_no_choice_of_another() {
    let (made, _) = interleaved(&under_a_lock(CARELESS));
    let chosen = made.origins.iter().filter(|origin| **origin == Origin::Schedule).count();
    // The worker is chosen at its start, and after its read and its write; the main thread after the start of the
    // worker, after its own read and write, after the join, and before its return.
    assert_eq!((made.instances, chosen), (2, 3 + 5));
}

#[test]
fn a_proof_about_another_program_is_refuted() {
    let engine = EngineConfig::Cegar(CegarConfig::default());
    let run = verify(&under_a_lock(LOCKED), &engine, &Budget::unlimited());
    assert!(matches!(run.claim, Claim::Safe { .. }));
    let verdict = confirm(&under_a_lock(CARELESS), run.claim, &ConfirmConfig::default(), &Budget::unlimited());
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}

#[test]
fn what_has_no_place_is_refused_with_its_name() {
    let refused = |body: &str| interleave(&under_a_lock(body).program).map(|_| ()).unwrap_err().to_string();
    let waiting = refused("edge a -> b { lock m; } edge b -> finish { wait m, m; }");
    assert!(waiting.contains("notified"), "{waiting}");
}

#[test]
fn recursion_that_is_reached_costs_the_answer() {
    for engine in [EngineConfig::Cegar(CegarConfig::default()), EngineConfig::Symbolic(Default::default()), bounded()] {
        let found = verdict(&under_a_lock("edge a -> finish { call work(); }"), &engine);
        let Verdict::Unknown(Reason::Stopped(Stop::Unmodelled { construct, .. })) = &found else { panic!("{found:?}") };
        assert!(construct.contains("recursive call"), "{construct}");
    }
}

/// A call of itself where an object that was just made is null.
const NULL_TEST: &str = "edge a -> b { fresh := allocate(heap, 8i64, zeroed); } \
    edge b -> c { assume fresh == null; } edge c -> finish { call work(); } \
    edge b -> d { assume fresh != null; } edge d -> finish { atomic begin; n := n + 1i32; atomic end; }";

#[test]
fn code_that_no_execution_reaches_has_no_location() {
    let (made, _) = interleaved(&under_a_lock(NULL_TEST));
    let recursion = |origin: &Origin| matches!(origin, Origin::NotFollowed { what: NotFollowed::Recursion, .. });
    assert!(!made.origins.iter().any(recursion), "{}", text::print(&made.program));
    let found = verdict(&under_a_lock(NULL_TEST), &EngineConfig::Cegar(CegarConfig::default()));
    assert!(matches!(found, Verdict::Safe(_)), "{found:?}");
    // The same test of a global that others write is followed.
    let shared = "edge a -> b { } edge b -> c { assume n == 7i32; } edge c -> finish { call work(); } \
        edge b -> d { assume n != 7i32; } edge d -> finish { n := n + 1i32; }";
    let (made, _) = interleaved(&under_a_lock(shared));
    assert!(made.origins.iter().any(recursion));
}

#[test]
fn a_fault_before_a_condition_that_never_holds_is_not_lost() {
    let task = under_a_lock(
        "edge a -> b { seen := 0i32; fresh := null; } edge b -> finish { n := i32[fresh]; assume seen == 1i32; }",
    );
    for engine in [explicit(), EngineConfig::Cegar(CegarConfig::default()), bounded()] {
        let found = verdict(&task, &engine);
        assert!(matches!(found, Verdict::Unknown(_)), "{engine:?}: {found:?}");
    }
}
