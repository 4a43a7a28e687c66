//! Two solvers as one: the answers are those of the stack, whoever of the two gives them.

#![allow(clippy::unwrap_used)]

#[path = "solver_support/mod.rs"]
mod support;

use std::time::Duration;
use support::*;
use tandem::solver::*;
use tandem::term::*;

/// Z3 with each other solver as the quick one, and with none.
fn cascades() -> Vec<Cascade> {
    let mut configs = configs();
    let full = configs.remove(0);
    let none = Cascade::new(SmtProcess::new(full.clone()), None);
    let both = |quick| Cascade::new(SmtProcess::new(full.clone()), Some(SmtProcess::new(quick)));
    configs.into_iter().map(both).chain([none]).collect()
}

fn random(state: &mut u64, bound: u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) % bound
}

/// A comparison of the variables and small constants; now and then of their product, which Yices lacks.
fn atom(terms: &mut Terms, state: &mut u64, vars: &[TermId]) -> TermId {
    let mut side = |terms: &mut Terms| match random(state, 8) {
        0 => terms.mul(vars[0], vars[1]),
        1..4 => terms.int(random(state, 5) as i64 - 2),
        _ => vars[random(state, 2) as usize],
    };
    let (a, b) = (side(terms), side(terms));
    match random(state, 3) {
        0 => terms.eq(a, b),
        1 => terms.le(a, b),
        _ => terms.ne(a, b),
    }
}

#[test]
fn any_order_of_calls_agrees_with_brute_force() {
    for mut solver in cascades() {
        let mut terms = Terms::new();
        let mut state = 3;
        let vars = ["x", "y"].map(|name| terms.var(name, Sort::Int));
        let symbols = vars.map(|var| terms.as_symbol(var).unwrap());
        let (low, high) = (terms.int(-2), terms.int(2));
        let mut stack = vec![vars.iter().flat_map(|&v| [terms.le(low, v), terms.le(v, high)]).collect::<Vec<TermId>>()];
        stack[0].iter().for_each(|&bound| solver.assert(&terms, bound));
        let values: Vec<Assignment> = (0..25i64)
            .map(|n| symbols.into_iter().zip([n % 5 - 2, n / 5 - 2].map(|v| Value::Int(v.into()))).collect())
            .collect();
        for _ in 0..600 {
            match random(&mut state, 5) {
                0 => {
                    solver.push();
                    stack.push(Vec::new());
                }
                1 => {
                    solver.pop();
                    stack.truncate((stack.len() - 1).max(1));
                }
                2 if stack.len() > 1 => {
                    let term = atom(&mut terms, &mut state, &vars);
                    solver.assert(&terms, term);
                    stack.last_mut().unwrap().push(term);
                }
                _ => {
                    let assumed = atom(&mut terms, &mut state, &vars);
                    let all = terms.and(stack.iter().flatten().copied().chain([assumed]));
                    let holds = |values: &Assignment| eval(&terms, all, values) == Value::Bool(true);
                    let expected = values.iter().any(holds);
                    assert_eq!(solver.check(&terms, &[assumed]).is_sat(), expected);
                    assert_eq!(solver.check(&terms, &[assumed]).is_unsat(), !expected);
                    if expected {
                        let model = solver.model(&mut terms, &symbols).unwrap();
                        assert_eq!(eval(&terms, all, &model), Value::Bool(true));
                    }
                }
            }
            assert_eq!(solver.level() + 1, stack.len());
            assert!(solver.assertions().eq(stack.iter().flatten().copied()));
        }
        let asked = solver.statistics();
        assert_eq!((asked.unknown, asked.restarts), (0, 0));
        assert_eq!(asked.queries, asked.sat + asked.unsat);
    }
}

#[test]
fn a_quick_solver_that_does_not_answer_costs_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    for (name, body) in
        [("dead", "exit 1"), ("silent", "exec sleep 60"), ("error", "while read l; do echo '(error \"\")'; done")]
    {
        let program = script(folder.path(), name, body);
        let limit = Duration::from_millis(100);
        let quick = SolverConfig { start_limit: limit, ..SolverConfig::new(program, Kind::Yices) };
        let mut solver = Cascade::new(z3(Duration::from_secs(10)), Some(SmtProcess::new(quick)));
        let mut terms = Terms::new();
        let (x, zero) = (terms.var("x", Sort::Int), terms.int(0));
        let (negative, positive) = (terms.lt(x, zero), terms.lt(zero, x));
        solver.assert(&terms, negative);
        for _ in 0..5 {
            assert_eq!(solver.check(&terms, &[positive]), Answer::Unsat, "{name}");
            assert_eq!(solver.check(&terms, &[]), Answer::Sat, "{name}");
        }
        let symbol = terms.as_symbol(x).unwrap();
        let model = solver.model(&mut terms, &[symbol]).unwrap();
        assert_eq!(eval(&terms, negative, &model), Value::Bool(true));
        assert_eq!(solver.check_core(&terms, &[positive]), CoreAnswer::Unsat(vec![0]));
        assert_eq!(solver.statistics().unknown, 0);
    }
}

/// What only the full solver can do is asked of it, with a stack or without.
#[test]
fn quantifiers_are_eliminated_by_the_full_solver() {
    for mut solver in cascades() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::Int), terms.var("y", Sort::Int));
        let two = terms.int(2);
        let double = terms.mul(two, x);
        let body = terms.eq(double, y);
        solver.push();
        solver.assert(&terms, body);
        assert_eq!(solver.check(&terms, &[]), Answer::Sat);
        let symbol = terms.as_symbol(x).unwrap();
        let even = solver.exists(&mut terms, &[symbol], body).unwrap();
        let odd = terms.not(even.term);
        assert_eq!(solver.check(&terms, &[odd]), Answer::Unsat);
    }
}
