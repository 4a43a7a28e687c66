//! Interpolants and quantifier elimination, on every solver and by every method that it has.
#![allow(clippy::unwrap_used)]

#[path = "solver_support/mod.rs"]
mod support;

use std::time::Instant;
use support::*;
use tandem::solver::interpolate::*;
use tandem::solver::*;
use tandem::term::*;

/// The methods that the solver has.
fn methods(solver: &SmtProcess) -> Vec<Method> {
    let horn = solver.kind().solves_horn_clauses().then_some(Method::Spacer);
    [Method::CoreWp].into_iter().chain(horn).collect()
}

fn symbol(terms: &Terms, term: TermId) -> Symbol {
    terms.as_symbol(term).unwrap()
}

fn step(terms: &mut Terms, guard: &[TermId], updates: &[(TermId, TermId)], havoc: &[TermId]) -> PathStep {
    PathStep {
        guard: terms.and(guard.iter().copied()),
        updates: updates.iter().map(|&(x, t)| (symbol(terms, x), t)).collect(),
        havoc: havoc.iter().map(|&x| symbol(terms, x)).collect(),
    }
}

/// Interpolates by each method alone and checks the sequence with the solver; returns the last one.
fn check_infeasible(solver: &mut SmtProcess, terms: &mut Terms, path: NestedPath<'_>) -> Vec<TermId> {
    let mut last = Vec::new();
    for method in methods(solver) {
        let found = solver.interpolate_nested(terms, path, &[method]);
        let Ok(Interpolation::Infeasible { interpolants, method: used }) = found else {
            panic!("{:?} {method:?}: {found:?}", solver.kind())
        };
        assert_eq!(used, method);
        assert_eq!(solver.check_sequence(terms, path, &interpolants), Ok(Some(true)));
        last = interpolants;
    }
    last
}

fn linear(steps: &[PathStep]) -> Vec<NestedStep> {
    steps.iter().cloned().map(NestedStep::Internal).collect()
}

/// `x := 0; y := 0; (x := x + 1; y := y + 1)^count; assume x ≠ y`, with `z` going along for nothing.
fn counting(terms: &mut Terms, count: usize, slack: i64) -> Vec<PathStep> {
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::Int));
    let (zero, one) = (terms.int(0), terms.int(1));
    let (x1, y1, z1) = (terms.add(x, one), terms.add(y, one), terms.add(z, x));
    let mut steps = vec![step(terms, &[], &[(x, zero), (y, zero)], &[z])];
    let bound = terms.int(count as i64);
    let more = terms.lt(x, bound);
    steps.extend((0..count).map(|_| step(terms, &[more], &[(x, x1), (y, y1), (z, z1)], &[])));
    let end = terms.int(slack);
    let sum = terms.add(y, end);
    let differ = terms.lt(x, sum);
    steps.push(step(terms, &[differ], &[], &[]));
    steps
}

#[test]
fn linear_paths() {
    for_each_eliminating_solver(|solver| {
        let mut terms = Terms::new();
        let steps = counting(&mut terms, 5, 0);
        let path = linear(&steps);
        check_infeasible(solver, &mut terms, NestedPath { globals: &[], steps: &path });
        let feasible = counting(&mut terms, 5, 1);
        let found = solver.interpolate(&mut terms, &feasible, &methods(solver)).unwrap();
        let Interpolation::Feasible(states) = found else { panic!("{found:?}") };
        assert_eq!(states.len(), feasible.len() + 1);
        for (states, step) in states.windows(2).zip(&feasible) {
            assert_eq!(eval(&terms, step.guard, &states[0]), Value::Bool(true));
            for (symbol, value) in &step.updates {
                assert_eq!(eval(&terms, *value, &states[0]), states[1][symbol]);
            }
            for (symbol, value) in &states[0] {
                let written = step.updates.iter().any(|u| u.0 == *symbol) || step.havoc.contains(symbol);
                assert!(written || &states[1][symbol] == value);
            }
        }
    });
}

#[test]
fn a_long_linear_path_is_quick() {
    let mut solver = SmtProcess::new(configs().swap_remove(0));
    let mut terms = Terms::new();
    let steps = counting(&mut terms, 200, 0);
    for method in methods(&solver) {
        let started = Instant::now();
        let found = solver.interpolate(&mut terms, &steps, &[method]).unwrap();
        println!("200 steps by {method:?}: {:?}, {}", started.elapsed(), solver.statistics());
        assert!(matches!(found, Interpolation::Infeasible { .. }));
    }
}

#[test]
fn havoc_needs_elimination() {
    for_each_eliminating_solver(|solver| {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::Int));
        let (zero, two, five) = (terms.int(0), terms.int(2), terms.int(5));
        let (twice, y_low, between, above) = (terms.mul(two, x), terms.lt(y, zero), terms.le(z, x), terms.lt(five, z));
        let equal = terms.eq(twice, y);
        let steps = [
            step(&mut terms, &[y_low], &[], &[z]),
            step(&mut terms, &[above], &[], &[x]),
            step(&mut terms, &[equal, between], &[], &[]),
        ];
        let path = linear(&steps);
        check_infeasible(solver, &mut terms, NestedPath { globals: &[], steps: &path });
    });
}

#[test]
fn simultaneous_updates_swap() {
    for_each_eliminating_solver(|solver| {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::Int));
        let (below, not_above) = (terms.lt(x, y), terms.le(x, y));
        let steps = [
            step(&mut terms, &[below], &[], &[]),
            step(&mut terms, &[], &[(x, y), (y, x)], &[]),
            step(&mut terms, &[not_above], &[], &[]),
        ];
        let path = linear(&steps);
        let found = check_infeasible(solver, &mut terms, NestedPath { globals: &[], steps: &path });
        let mut wrong = found.clone();
        wrong.swap(1, 2);
        let path = NestedPath { globals: &[], steps: &path };
        assert_eq!(solver.check_sequence(&mut terms, path, &wrong), Ok(Some(false)));
        assert_eq!(solver.check_sequence(&mut terms, path, &found[..3]), Ok(Some(false)));
        let foreign = terms.var("foreign", Sort::Bool);
        let mut wrong = found;
        wrong[1] = terms.and([wrong[1], foreign]);
        assert_eq!(solver.check_sequence(&mut terms, path, &wrong), Ok(Some(false)));
    });
}

#[test]
fn bit_vector_and_array_paths() {
    for_each_eliminating_solver(|solver| {
        let mut terms = Terms::new();
        let byte = Sort::BitVec(8);
        let (b, c) = (terms.var("b", byte), terms.var("c", byte));
        let (one, limit) = (terms.bit_vec(1, 8), terms.bit_vec(200, 8));
        let (sum, small, zero) = (terms.bv_add(b, c), terms.bv_ult(b, limit), terms.bit_vec(0, 8));
        let (is_one, wrapped) = (terms.eq(c, one), terms.eq(b, zero));
        let steps = [
            step(&mut terms, &[small, is_one], &[], &[]),
            step(&mut terms, &[], &[(b, sum)], &[]),
            step(&mut terms, &[wrapped], &[], &[]),
        ];
        let path = linear(&steps);
        check_infeasible(solver, &mut terms, NestedPath { globals: &[], steps: &path });

        let array = terms.var("a", Sort::array(Sort::Int, Sort::Int));
        let [i, j] = ["i", "j"].map(|name| terms.var(name, Sort::Int));
        let (seven, below) = (terms.int(7), terms.lt(i, j));
        let stored = terms.store(array, i, seven);
        let stored_later = terms.store(array, j, i);
        let element = terms.select(array, i);
        let differs = terms.ne(element, seven);
        let steps = [
            step(&mut terms, &[below], &[(array, stored)], &[]),
            step(&mut terms, &[], &[(array, stored_later)], &[]),
            step(&mut terms, &[differs], &[], &[]),
        ];
        let path = linear(&steps);
        check_infeasible(solver, &mut terms, NestedPath { globals: &[], steps: &path });
    });
}

#[test]
fn calls_that_return() {
    // caller: z := x; y := inc(x); assume y ≠ z + 1. inc(p): r := p + 1; g := g + 1; return r.
    for_each_eliminating_solver(|solver| {
        let mut terms = Terms::new();
        let [x, y, z, p, r, g, h] = ["x", "y", "z", "p", "r", "g", "h"].map(|name| terms.var(name, Sort::Int));
        let one = terms.int(1);
        let (p1, g1, z1, h1) = (terms.add(p, one), terms.add(g, one), terms.add(z, one), terms.add(h, one));
        let (wrong_result, wrong_global) = (terms.ne(y, z1), terms.ne(g, h1));
        let either = terms.or([wrong_result, wrong_global]);
        let globals = [symbol(&terms, g)];
        for last in [wrong_result, wrong_global, either] {
            let steps = vec![
                NestedStep::Internal(step(&mut terms, &[], &[(z, x), (h, g)], &[])),
                NestedStep::Call { parameters: vec![(symbol(&terms, p), x)] },
                NestedStep::Internal(step(&mut terms, &[], &[(r, p1), (g, g1)], &[])),
                NestedStep::Return { results: vec![(symbol(&terms, y), r)] },
                NestedStep::Internal(step(&mut terms, &[last], &[], &[])),
            ];
            let path = NestedPath { globals: &globals, steps: &steps };
            let found = check_infeasible(solver, &mut terms, path);
            let locals: Vec<Symbol> = [x, y, z, h].iter().map(|&t| symbol(&terms, t)).collect();
            for inside in &found[2..4] {
                assert!(terms.symbols_of([*inside]).iter().all(|s| !locals.contains(s)), "scoped to the call");
            }
        }
    });
}

/// `fact`-like recursion: `down(n)`: if n ≤ 0 return 0 else return down(n - 1) + 1, on the path of the given depth.
fn recursion(terms: &mut Terms, depth: i64) -> Vec<NestedStep> {
    let [n, r, m] = ["n", "r", "m"].map(|name| terms.var(name, Sort::Int));
    let (zero, one) = (terms.int(0), terms.int(1));
    let (done, more, less, r1) = (terms.le(n, zero), terms.lt(zero, n), terms.sub(n, one), terms.add(r, one));
    let start = terms.int(depth);
    let mut steps = vec![
        NestedStep::Internal(step(terms, &[], &[(m, start)], &[])),
        NestedStep::Call { parameters: vec![(symbol(terms, n), m)] },
    ];
    for _ in 0..depth {
        steps.push(NestedStep::Internal(step(terms, &[more], &[], &[])));
        steps.push(NestedStep::Call { parameters: vec![(symbol(terms, n), less)] });
    }
    steps.push(NestedStep::Internal(step(terms, &[done], &[(r, zero)], &[])));
    for _ in 0..depth {
        steps.push(NestedStep::Return { results: vec![(symbol(terms, r), r)] });
        steps.push(NestedStep::Internal(step(terms, &[], &[(r, r1)], &[])));
    }
    steps.push(NestedStep::Return { results: vec![(symbol(terms, r), r)] });
    steps
}

#[test]
fn recursion_keeps_activations_apart() {
    for_each_eliminating_solver(|solver| {
        let mut terms = Terms::new();
        let mut steps = recursion(&mut terms, 3);
        let [m, r] = ["m", "r"].map(|name| terms.var(name, Sort::Int));
        let (differ, equal) = (terms.ne(m, r), terms.eq(m, r));
        steps.push(NestedStep::Internal(step(&mut terms, &[differ], &[], &[])));
        check_infeasible(solver, &mut terms, NestedPath { globals: &[], steps: &steps });
        steps.pop();
        steps.push(NestedStep::Internal(step(&mut terms, &[equal], &[], &[])));
        let path = NestedPath { globals: &[], steps: &steps };
        let found = solver.interpolate_nested(&mut terms, path, &methods(solver)).unwrap();
        assert!(matches!(found, Interpolation::Feasible(_)), "{found:?}");
    });
}

#[test]
fn a_path_may_end_inside_a_call() {
    for_each_eliminating_solver(|solver| {
        let mut terms = Terms::new();
        let [x, p, q, g] = ["x", "p", "q", "g"].map(|name| terms.var(name, Sort::Int));
        let (zero, five) = (terms.int(0), terms.int(5));
        let (positive, sum, less) = (terms.lt(zero, x), terms.add(x, g), terms.le(p, g));
        let (g_five, low) = (terms.eq(g, five), terms.le(q, five));
        let globals = [symbol(&terms, g)];
        let steps = vec![
            NestedStep::Internal(step(&mut terms, &[positive, g_five], &[], &[])),
            NestedStep::Call { parameters: vec![(symbol(&terms, p), sum)] },
            NestedStep::Internal(step(&mut terms, &[less], &[], &[x])),
        ];
        check_infeasible(solver, &mut terms, NestedPath { globals: &globals, steps: &steps });
        let deeper = vec![
            steps[0].clone(),
            steps[1].clone(),
            NestedStep::Call { parameters: vec![(symbol(&terms, q), p)] },
            NestedStep::Internal(step(&mut terms, &[low], &[], &[])),
        ];
        check_infeasible(solver, &mut terms, NestedPath { globals: &globals, steps: &deeper });
    });
}

#[test]
fn malformed_paths_are_refused() {
    let mut solver = SmtProcess::new(configs().swap_remove(0));
    let mut terms = Terms::new();
    let (x, p) = (terms.var("x", Sort::Int), terms.var("p", Sort::Bool));
    let one = terms.int(1);
    let bad = [
        vec![NestedStep::Return { results: vec![] }],
        vec![NestedStep::Internal(step(&mut terms, &[], &[(x, one), (x, x)], &[]))],
        vec![NestedStep::Internal(step(&mut terms, &[], &[(x, one)], &[x]))],
        vec![NestedStep::Internal(step(&mut terms, &[], &[(x, p)], &[]))],
    ];
    for steps in bad {
        let found =
            solver.interpolate_nested(&mut terms, NestedPath { globals: &[], steps: &steps }, &[Method::CoreWp]);
        assert!(matches!(found, Err(InterpolateError::Malformed(_))), "{found:?}");
    }
    let found = solver.interpolate(&mut terms, &[], &[Method::CoreWp]);
    assert_eq!(found, Ok(Interpolation::Feasible(vec![Assignment::default()])));
}

#[test]
fn quantifiers_over_linear_integers_are_eliminated() {
    for_each_eliminating_solver(|solver| {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::Int));
        let p = terms.var("p", Sort::Bool);
        let [two, three, five, one] = [2, 3, 5, 1].map(|n| terms.int(n));
        let (x2, x3, rest) = (terms.mul(two, x), terms.mul(three, x), terms.modulo(x, five));
        let lower = terms.le(y, x2);
        let upper = terms.le(x3, z);
        let divides = terms.eq(rest, one);
        let (even, y_is) = (terms.eq(x2, y), terms.eq(y, x));
        let implied = terms.implies(p, lower);
        let bodies: Vec<Vec<TermId>> = vec![
            vec![lower, upper],
            vec![lower, upper, divides],
            vec![even],
            vec![y_is, upper],
            vec![implied, upper],
            vec![terms.or([lower, even]), upper, p],
        ];
        let quantified = [symbol(&terms, x), symbol(&terms, p)];
        for (number, body) in bodies.into_iter().enumerate() {
            let body = terms.and(body);
            let some = match solver.exists(&mut terms, &quantified, body) {
                Ok(some) => some,
                // Version 1.0.3 forgets the divisibility; the check notices.
                Err(SolverError::Wrong(_)) if solver.kind() == Kind::Cvc5 && number == 1 => continue,
                Err(error) => panic!("{:?} {number}: {error}", solver.kind()),
            };
            assert!(some.exact || solver.kind() != Kind::Z3, "{number}");
            assert!(terms.symbols_of([some.term]).iter().all(|s| !quantified.contains(s)));
            let all = solver.forall(&mut terms, &quantified, body).unwrap();
            compare_with_enumeration(&mut terms, body, some.term, all.term, [x, y, z, p]);
        }
    });
}

/// Small values of `y` and `z` need only small values of `x`.
fn compare_with_enumeration(terms: &mut Terms, body: TermId, some: TermId, all: TermId, [x, y, z, p]: [TermId; 4]) {
    let [x, y, z, p] = [x, y, z, p].map(|t| symbol(terms, t));
    for (y_value, z_value) in (-7..7).flat_map(|a| (-7..7).map(move |b| (a, b))) {
        let outer = [(y, Value::Int(y_value.into())), (z, Value::Int(z_value.into()))];
        let holds = |x_value: i64, truth: bool| {
            let mut values: Assignment = outer.clone().into_iter().collect();
            values.extend([(x, Value::Int(x_value.into())), (p, Value::Bool(truth))]);
            eval(terms, body, &values) == Value::Bool(true)
        };
        let mut inner = (-30..30).flat_map(|x| [(x, true), (x, false)]);
        let values: Assignment = outer.clone().into_iter().collect();
        let found_some = eval(terms, some, &values);
        assert_eq!(found_some, Value::Bool(inner.any(|(x, p)| holds(x, p))), "{y_value} {z_value}");
        let mut inner = (-30..30).flat_map(|x| [(x, true), (x, false)]);
        assert_eq!(eval(terms, all, &values), Value::Bool(inner.all(|(x, p)| holds(x, p))), "{y_value} {z_value}");
    }
}
