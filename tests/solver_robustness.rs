//! What the layer does when the solver misbehaves: it never gives a wrong answer, and goes on.

#![allow(clippy::unwrap_used)]

#[path = "solver_support/mod.rs"]
mod support;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use support::*;
use tandem::solver::interpolate::{Interpolate, Method, PathStep};
use tandem::solver::*;
use tandem::term::*;

fn kill(solver: &SmtProcess) {
    if let Some(id) = solver.process_id().and_then(|id| Pid::from_raw(id as i32)) {
        kill_process(id, Signal::KILL).unwrap();
    }
}

/// `x > 3 ∧ y > 3 ∧ x³ + y³ = c`: no solver decides it quickly.
fn hard(terms: &mut Terms) -> TermId {
    let (x, y, three) = (terms.var("hx", Sort::Int), terms.var("hy", Sort::Int), terms.int(3));
    let cube = |terms: &mut Terms, x| {
        let square = terms.mul(x, x);
        terms.mul(square, x)
    };
    let (x3, y3) = (cube(terms, x), cube(terms, y));
    let (sum, constant) = (terms.add(x3, y3), terms.int(4_104_000_000_001i64));
    let parts = [terms.lt(three, x), terms.lt(three, y), terms.lt(x, y), terms.eq(sum, constant)];
    terms.and(parts)
}

/// A query with a known answer: `a < b` asserted, `b < a + gap` assumed.
fn query(terms: &mut Terms, gap: i64) -> (TermId, TermId) {
    let (a, b, gap) = (terms.var("a", Sort::Int), terms.var("b", Sort::Int), terms.int(gap));
    let sum = terms.add(a, gap);
    (terms.lt(a, b), terms.lt(b, sum))
}

#[test]
fn killing_the_process_between_queries_changes_nothing() {
    for_each_solver(|solver| {
        let mut terms = Terms::new();
        let (base, _) = query(&mut terms, 0);
        solver.assert(&terms, base);
        solver.push();
        for gap in 0..6 {
            let (_, assumed) = query(&mut terms, gap);
            kill(solver);
            let expected = if gap > 1 { Answer::Sat } else { Answer::Unsat };
            assert_eq!(solver.check(&terms, &[assumed]), expected);
            if expected == Answer::Sat {
                kill(solver);
                let symbols: Vec<Symbol> = terms.symbols_of([base]).into_iter().collect();
                let model = solver.model(&mut terms, &symbols).unwrap();
                let both = terms.and([base, assumed]);
                assert_eq!(eval(&terms, both, &model), Value::Bool(true));
            }
            kill(solver);
            let core = solver.check_core(&terms, &[assumed]);
            let expected = if gap > 1 { CoreAnswer::Sat } else { CoreAnswer::Unsat(vec![0]) };
            assert_eq!(core, expected);
            kill(solver);
            solver.push();
            solver.assert(&terms, assumed);
            kill(solver);
            assert_eq!(solver.check(&terms, &[]).is_sat(), gap > 1);
            kill(solver);
            solver.pop();
        }
        assert!(solver.statistics().restarts > 0);
    });
}

#[test]
fn killing_the_process_during_queries_changes_nothing() {
    for config in configs() {
        let mut solver = SmtProcess::new(config);
        let mut terms = Terms::new();
        let (base, _) = query(&mut terms, 0);
        solver.assert(&terms, base);
        assert_eq!(solver.check(&terms, &[]), Answer::Sat);
        let id = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let done = Arc::new(AtomicBool::new(false));
        let killer = {
            let (id, done) = (id.clone(), done.clone());
            std::thread::spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(150));
                    let victim = Pid::from_raw(id.swap(0, Ordering::Relaxed) as i32);
                    let _ = victim.map(|victim| kill_process(victim, Signal::KILL));
                }
            })
        };
        for round in 0..2000 {
            let gap = round % 7;
            let (_, assumed) = query(&mut terms, gap);
            id.store(solver.process_id().unwrap_or(0), Ordering::Relaxed);
            let answer = solver.check(&terms, &[assumed]);
            id.store(0, Ordering::Relaxed);
            assert_eq!(answer, if gap > 1 { Answer::Sat } else { Answer::Unsat });
        }
        done.store(true, Ordering::Relaxed);
        killer.join().unwrap();
    }
}

#[test]
fn a_hard_query_is_unknown_and_the_next_one_answered() {
    for config in configs() {
        let mut solver = SmtProcess::new(SolverConfig { query_limit: Duration::from_millis(300), ..config });
        let mut terms = Terms::new();
        let hard = hard(&mut terms);
        let (base, assumed) = query(&mut terms, 1);
        for _ in 0..2 {
            let started = Instant::now();
            let answer = solver.check(&terms, &[hard]);
            assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
            assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
            solver.set_query_limit(Duration::from_secs(20));
            assert_eq!(solver.check(&terms, &[base, assumed]), Answer::Unsat);
            solver.set_query_limit(Duration::from_millis(300));
        }
    }
}

#[test]
fn deadlines_and_interrupts_end_a_query() {
    let mut solver = z3(Duration::from_secs(60));
    let mut terms = Terms::new();
    let hard = hard(&mut terms);
    let started = Instant::now();
    solver.set_deadline(Some(started + Duration::from_millis(300)));
    assert_eq!(solver.check(&terms, &[hard]), Answer::Unknown(Reason::Limit));
    assert_eq!(solver.check(&terms, &[]), Answer::Unknown(Reason::Limit));
    solver.set_deadline(None);
    let flag = Arc::new(AtomicBool::new(false));
    solver.set_interrupt(Some(flag.clone()));
    let setter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        flag.store(true, Ordering::Relaxed);
    });
    assert_eq!(solver.check(&terms, &[hard]), Answer::Unknown(Reason::Interrupted));
    setter.join().unwrap();
    assert!(started.elapsed() < Duration::from_secs(20));
    solver.set_interrupt(None);
    assert_eq!(solver.check(&terms, &[]), Answer::Sat);
}

#[test]
fn nonsense_is_never_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let bodies = [
        ("silent", "exec sleep 60"),
        ("dead", "exit 1"),
        ("garbage", "while read line; do echo 'hello (world'; done"),
        ("bytes", "printf '\\377\\376\\n'; exec sleep 60"),
        ("error", "while read line; do echo '(error \"no\")'; done"),
        ("almost", "while read line; do echo 'satt'; done"),
        ("eager", "echo sat; echo foo; echo bar; exec sleep 60"),
        ("polite", "echo ready; while read line; do echo hello; done"),
        ("deaf", "echo ready; exec sleep 60"),
        ("mortal", "echo ready; read line; exit 3"),
        ("partial", "printf 'uns'; exit 0"),
        ("flood", "exec yes '('"),
    ];
    let mut terms = Terms::new();
    let (base, assumed) = query(&mut terms, 1);
    for (name, body) in bodies {
        let program = script(folder.path(), name, body);
        let limit = Duration::from_millis(200);
        let config = SolverConfig { query_limit: limit, start_limit: limit, ..SolverConfig::new(program, Kind::Other) };
        let mut solver = SmtProcess::new(config);
        solver.assert(&terms, base);
        for _ in 0..2 {
            let answer = solver.check(&terms, &[assumed]);
            assert!(matches!(answer, Answer::Unknown(_)), "{name}: {answer:?}");
            let symbols: Vec<Symbol> = terms.symbols_of([base]).into_iter().collect();
            assert!(solver.model(&mut terms, &symbols).is_err(), "{name}");
        }
        let guard = terms.and([base, assumed]);
        let step = PathStep { guard, updates: vec![], havoc: vec![] };
        assert!(solver.interpolate(&mut terms, &[step], &[Method::CoreWp]).is_err(), "{name}");
    }
}

#[test]
fn a_missing_program_is_unknown() {
    let mut terms = Terms::new();
    let (base, _) = query(&mut terms, 1);
    let mut solver = SmtProcess::new(SolverConfig::new("/no/such/solver", Kind::Z3));
    let Answer::Unknown(Reason::Failed(message)) = solver.check(&terms, &[base]) else {
        panic!("no solver, no answer")
    };
    assert!(message.contains("/no/such/solver"), "{message}");
}

#[test]
fn a_solver_that_fails_once_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let real = configs().swap_remove(0).program;
    let mark = folder.path().join("mark");
    let body =
        format!("if [ -e {0} ]; then exec {1} \"$@\"; else touch {0}; exit 1; fi", mark.display(), real.display());
    let program = script(folder.path(), "flaky", &body);
    let mut solver = SmtProcess::new(SolverConfig::new(program, Kind::Z3));
    let mut terms = Terms::new();
    let (base, assumed) = query(&mut terms, 1);
    solver.assert(&terms, base);
    assert_eq!(solver.check(&terms, &[assumed]), Answer::Unsat);
    assert_eq!(solver.statistics().restarts, 1);
}

#[test]
fn no_process_is_left_behind() {
    let mut solver = z3(Duration::from_secs(10));
    let mut terms = Terms::new();
    let (base, _) = query(&mut terms, 1);
    solver.check(&terms, &[base]);
    let id = solver.process_id().and_then(|id| Pid::from_raw(id as i32)).unwrap();
    assert!(test_kill_process(id).is_ok());
    drop(solver);
    assert!(test_kill_process(id).is_err(), "killed and reaped");
}

#[test]
fn the_memory_limit_holds() {
    for config in configs() {
        let mut solver = SmtProcess::new(SolverConfig { memory_limit: Some(1), ..config.clone() });
        let mut terms = Terms::new();
        let (base, _) = query(&mut terms, 1);
        // A product of wide numbers: some have enough to answer small questions before they can be limited.
        let wide = ["v", "w"].map(|name| terms.var(name, Sort::BitVec(512)));
        let (product, number) = (terms.bv_mul(wide[0], wide[1]), terms.bit_vec(123_456_789, 512));
        let large = terms.eq(product, number);
        let answer = solver.check(&terms, &[large]);
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
        let mut solver = SmtProcess::new(SolverConfig { memory_limit: Some(2 << 30), ..config });
        assert_eq!(solver.check(&terms, &[base]), Answer::Sat);
    }
}

#[test]
fn a_recycled_process_knows_the_stack() {
    let mut solver = SmtProcess::new(SolverConfig { recycle_after: 3, ..configs().swap_remove(0) });
    let mut terms = Terms::new();
    let (base, _) = query(&mut terms, 1);
    solver.assert(&terms, base);
    solver.push();
    for round in 0..20 {
        let (_, assumed) = query(&mut terms, round % 4);
        assert_eq!(solver.check(&terms, &[assumed]).is_sat(), round % 4 > 1);
    }
    assert!(solver.statistics().processes > 4);
    assert_eq!(solver.statistics().restarts, 0);
}

#[test]
fn the_logic_widens_with_the_terms() {
    let mut solver = z3(Duration::from_secs(20));
    let mut terms = Terms::new();
    let (base, assumed) = query(&mut terms, 1);
    solver.assert(&terms, base);
    assert_eq!(solver.check(&terms, &[assumed]), Answer::Unsat);
    let array = terms.var("array", Sort::array(Sort::Int, Sort::BitVec(4)));
    let (a, b) = (terms.var("a", Sort::Int), terms.var("b", Sort::Int));
    let (at_a, at_b) = (terms.select(array, a), terms.select(array, b));
    let differ = terms.ne(at_a, at_b);
    let same = terms.eq(a, b);
    assert_eq!(solver.check(&terms, &[differ]), Answer::Sat);
    assert_eq!(solver.check(&terms, &[differ, same]), Answer::Unsat);
    solver.push();
    solver.assert(&terms, same);
    assert_eq!(solver.check(&terms, &[]), Answer::Unsat);
    solver.pop();
    assert_eq!(solver.check(&terms, &[assumed]), Answer::Unsat);
    assert_eq!(solver.statistics().restarts, 0);
}
