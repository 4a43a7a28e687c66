//! Tests of the interpolants, each against the laws and some against what they should look like.

use crate::solver::interpolate::{
    Interpolate, InterpolateError, Interpolation, Method, NestedPath, NestedStep, PathStep,
};
use crate::solver::{SmtProcess, locate};
use crate::term::Random;
use crate::term::{Sort, Symbol, TermId, Terms, infix::infix};

/// A store, a solver and some variables.
struct Bench {
    solver: SmtProcess,
    terms: Terms,
}

impl Bench {
    fn new() -> Bench {
        let solver = SmtProcess::new(locate(None).expect("a solver is installed").config());
        Bench { solver, terms: Terms::new() }
    }

    fn ints<const N: usize>(&mut self, names: [&str; N]) -> [TermId; N] {
        names.map(|name| self.terms.var(name, Sort::Int))
    }

    fn symbol(&self, term: TermId) -> Symbol {
        self.terms.as_symbol(term).expect("a variable")
    }

    fn pairs(&self, pairs: &[(TermId, TermId)]) -> Vec<(Symbol, TermId)> {
        pairs.iter().map(|&(target, value)| (self.symbol(target), value)).collect()
    }

    fn step(&mut self, guard: &[TermId], updates: &[(TermId, TermId)]) -> NestedStep {
        let guard = self.terms.and(guard.iter().copied());
        NestedStep::Internal(PathStep { guard, updates: self.pairs(updates), havoc: vec![] })
    }

    /// `target := target + amount`.
    fn plus(&mut self, target: TermId, amount: i64) -> TermId {
        let amount = self.terms.int(amount);
        self.terms.add(target, amount)
    }

    fn interpolants(&mut self, globals: &[TermId], steps: &[NestedStep]) -> Vec<TermId> {
        let globals: Vec<Symbol> = globals.iter().map(|&global| self.symbol(global)).collect();
        let path = NestedPath { globals: &globals, steps };
        let found = self.solver.interpolate_nested(&mut self.terms, path, &[Method::Farkas]);
        let Ok(Interpolation::Infeasible { interpolants, method: Method::Farkas }) = found else { panic!("{found:?}") };
        interpolants
    }

    fn texts(&self, interpolants: &[TermId]) -> Vec<String> {
        interpolants.iter().map(|&interpolant| infix(&self.terms, interpolant)).collect()
    }
}

/// `x := 0, y := 0; (assume x < n; x := x + 1, y := y + 1)^turns`.
fn counting(bench: &mut Bench, turns: usize) -> Vec<NestedStep> {
    let [x, y, n] = bench.ints(["x", "y", "n"]);
    let (zero, more) = (bench.terms.int(0), bench.terms.lt(x, n));
    let (x1, y1) = (bench.plus(x, 1), bench.plus(y, 1));
    let mut steps = vec![bench.step(&[], &[(x, zero), (y, zero)])];
    steps.extend((0..turns).map(|_| bench.step(&[more], &[(x, x1), (y, y1)])));
    steps
}

#[test]
fn a_loop_has_the_same_interpolant_at_each_turn() {
    let mut bench = Bench::new();
    let [x, y, n] = bench.ints(["x", "y", "n"]);
    let (end, error, expected) = (bench.terms.le(n, x), bench.terms.lt(y, n), bench.terms.le(x, y));
    for turns in 1..=20 {
        let mut steps = counting(&mut bench, turns);
        steps.extend([bench.step(&[end], &[]), bench.step(&[error], &[])]);
        let found = bench.interpolants(&[], &steps);
        assert_eq!(found[1..turns + 2], vec![expected; turns + 1], "{:?}", bench.texts(&found));
    }
}

/// The third turn's `x >= 10` alone refutes the path, by `x <= 3`; the interpolants that do not count say more.
#[test]
fn relations_are_better_than_counting() {
    let mut bench = Bench::new();
    let [x, y] = bench.ints(["x", "y"]);
    let (five, ten) = (bench.terms.int(5), bench.terms.int(10));
    let (end, error, expected) = (bench.terms.le(ten, x), bench.terms.lt(y, five), bench.terms.le(x, y));
    let mut steps = counting(&mut bench, 3);
    steps.extend([bench.step(&[end], &[]), bench.step(&[error], &[])]);
    let found = bench.interpolants(&[], &steps);
    let relation = bench.plus(y, 5);
    let weaker = bench.terms.le(x, relation);
    assert!(found[1..5].iter().all(|&i| i == expected || i == weaker), "{:?}", bench.texts(&found));
    assert!(found[1..5].iter().all(|&i| i == found[1]), "{:?}", bench.texts(&found));
}

#[test]
fn a_disequality_is_two_cases() {
    let mut bench = Bench::new();
    let [x, y] = bench.ints(["x", "y"]);
    let differ = bench.terms.ne(x, y);
    let mut steps = counting(&mut bench, 5);
    steps.push(bench.step(&[differ], &[]));
    let found = bench.interpolants(&[], &steps);
    assert!(found[1..7].iter().all(|&i| i == found[1]), "{:?}", bench.texts(&found));
}

#[test]
fn conditionals_and_disjunctions_are_cases() {
    let mut bench = Bench::new();
    let [x, y, z] = bench.ints(["x", "y", "z"]);
    let p = bench.terms.var("p", Sort::Bool);
    let (zero, one, two) = (bench.terms.int(0), bench.terms.int(1), bench.terms.int(2));
    let chosen = bench.terms.ite(p, one, two);
    let (low, high, positive) = (bench.terms.lt(z, x), bench.terms.lt(z, y), bench.terms.lt(zero, z));
    let (either, same) = (bench.terms.or([low, high]), bench.terms.eq(y, x));
    let steps = [bench.step(&[], &[(x, chosen)]), bench.step(&[same, either], &[]), bench.step(&[positive, p], &[])];
    bench.interpolants(&[], &steps);
}

#[test]
fn truth_values_are_literals() {
    let mut bench = Bench::new();
    let [p, q] = ["p", "q"].map(|name| bench.terms.var(name, Sort::Bool));
    let (truth, not_p) = (bench.terms.bool(true), bench.terms.not(p));
    let steps = [bench.step(&[], &[(p, truth)]), bench.step(&[], &[(q, not_p)]), bench.step(&[q], &[])];
    let found = bench.interpolants(&[], &steps);
    let not_q = bench.terms.not(q);
    assert_eq!(found[1..3], [p, not_q]);
}

/// `x := 0; x := increment(x); assume x > 1`, with `increment(p) { p := p + 1 }`.
#[test]
fn a_call_is_summarised_over_its_entry_values() {
    let mut bench = Bench::new();
    let [x, p, old_p] = bench.ints(["x", "p", "old!p"]);
    let (zero, one) = (bench.terms.int(0), bench.terms.int(1));
    let (p1, wrong) = (bench.plus(p, 1), bench.terms.lt(one, x));
    let parameters = bench.pairs(&[(p, x)]);
    let results = bench.pairs(&[(x, p)]);
    let mut steps = vec![bench.step(&[], &[(x, zero)])];
    for _ in 0..2 {
        steps.push(NestedStep::Call { parameters: parameters.clone() });
        steps.push(bench.step(&[], &[(p, p1)]));
        steps.push(NestedStep::Return { results: results.clone() });
    }
    let two = bench.plus(one, 1);
    let wrong_twice = bench.terms.lt(two, x);
    steps.push(bench.step(&[wrong_twice], &[]));
    let found = bench.interpolants(&[], &steps);
    let entry = bench.terms.le(p, old_p);
    let next = bench.plus(old_p, 1);
    let exit = bench.terms.le(p, next);
    assert_eq!([found[2], found[3]], [entry, exit], "{:?}", bench.texts(&found));
    assert_eq!([found[5], found[6]], [entry, exit], "{:?}", bench.texts(&found));
    // Without its second return, the path ends inside a call, where everything before counts.
    let wrong_inside = bench.terms.substitute(wrong, &[(bench.symbol(x), p)].into_iter().collect());
    let mut open = steps[..5].to_vec();
    open.push(bench.step(&[wrong_inside], &[]));
    let found = bench.interpolants(&[], &open);
    let low = bench.terms.le(p, one);
    assert_eq!(found[5], low, "{:?}", bench.texts(&found));
}

#[test]
fn what_needs_integers_is_left_to_others() {
    let mut bench = Bench::new();
    let [x, y] = bench.ints(["x", "y"]);
    let (two, x_or_y) = (bench.terms.int(2), bench.terms.add(x, y));
    let (twice, odd) = (bench.terms.mul(two, x), bench.plus(y, 1));
    let (a, b) = (bench.terms.eq(twice, y), bench.terms.mul(two, x_or_y));
    let b = bench.terms.eq(b, odd);
    let steps = [bench.step(&[a], &[]), bench.step(&[b], &[])];
    let path = NestedPath { globals: &[], steps: &steps };
    let found = bench.solver.interpolate_nested(&mut bench.terms, path, &[Method::Farkas]);
    assert_eq!(found, Err(InterpolateError::NotLinear));
    let found = bench.solver.interpolate_nested(&mut bench.terms, path, &[Method::Farkas, Method::CoreWp]);
    assert!(matches!(found, Ok(Interpolation::Infeasible { method: Method::CoreWp, .. })), "{found:?}");
}

/// Random steps over two globals, two locals and a truth value, with calls and returns.
struct Paths {
    random: Random,
    globals: [TermId; 2],
    locals: [TermId; 2],
    truth: TermId,
}

impl Paths {
    fn value(&mut self, bench: &mut Bench) -> TermId {
        let all = [self.globals, self.locals].concat();
        let mut members = vec![bench.terms.int(self.random.below(5) as i64 - 2)];
        for _ in 0..self.random.between(1, 2) {
            let factor = bench.terms.int(*self.random.choose(&[1, 1, -1, 2]));
            members.push(bench.terms.mul(factor, *self.random.choose(&all)));
        }
        bench.terms.sum(members)
    }

    fn guard(&mut self, bench: &mut Bench) -> TermId {
        let (a, b) = (self.value(bench), self.value(bench));
        match self.random.below(8) {
            0 => bench.terms.ne(a, b),
            1 => bench.terms.eq(a, b),
            2 => self.truth,
            3 => bench.terms.not(self.truth),
            4 => {
                let parts = [bench.terms.lt(a, b), self.truth];
                bench.terms.or(parts)
            }
            _ => bench.terms.le(a, b),
        }
    }

    fn path(&mut self, bench: &mut Bench, length: usize) -> Vec<NestedStep> {
        let mut steps = Vec::new();
        let mut depth = 0;
        for _ in 0..length {
            let all = [self.globals, self.locals].concat();
            let step = match self.random.below(6) {
                0 => {
                    depth += 1;
                    let value = self.value(bench);
                    NestedStep::Call { parameters: bench.pairs(&[(self.locals[0], value)]) }
                }
                1 if depth > 0 => {
                    depth -= 1;
                    let value = self.value(bench);
                    NestedStep::Return { results: bench.pairs(&[(*self.random.choose(&all), value)]) }
                }
                2 => {
                    let (guard, havoc) = (self.guard(bench), bench.symbol(*self.random.choose(&all)));
                    NestedStep::Internal(PathStep { guard, updates: vec![], havoc: vec![havoc] })
                }
                3 => {
                    let guard = self.guard(bench);
                    bench.step(&[guard], &[])
                }
                4 if self.random.percent(30) => {
                    let value = bench.terms.not(self.truth);
                    bench.step(&[], &[(self.truth, value)])
                }
                _ => {
                    let value = self.value(bench);
                    bench.step(&[], &[(*self.random.choose(&all), value)])
                }
            };
            steps.push(step);
        }
        let last = [self.guard(bench), self.guard(bench), self.guard(bench)];
        steps.push(bench.step(&last, &[]));
        steps
    }
}

#[test]
fn random_paths_obey_the_laws() {
    let mut bench = Bench::new();
    let (globals, locals) = (bench.ints(["g", "h"]), bench.ints(["a", "b"]));
    let truth = bench.terms.var("t", Sort::Bool);
    let mut paths = Paths { random: Random::new(3), globals, locals, truth };
    let (mut found, mut nested, mut left) = (0, 0, 0);
    for number in 0..400 {
        let length = paths.random.between(2, 10);
        let steps = paths.path(&mut bench, length);
        let symbols = globals.map(|global| bench.symbol(global));
        let path = NestedPath { globals: &symbols, steps: &steps };
        match bench.solver.interpolate_nested(&mut bench.terms, path, &[Method::Farkas]) {
            Ok(Interpolation::Infeasible { interpolants, .. }) => {
                let checked = bench.solver.check_sequence(&mut bench.terms, path, &interpolants);
                assert_eq!(checked, Ok(Some(true)), "{number}: {:?}", bench.texts(&interpolants));
                found += 1;
                nested += usize::from(steps.iter().any(|step| matches!(step, NestedStep::Return { .. })));
            }
            Ok(Interpolation::Feasible(_)) => {}
            Err(InterpolateError::NotLinear) => left += 1,
            Err(error) => panic!("{number}: {error}"),
        }
    }
    assert!(found > 40 && nested > 10 && left < 20, "{found} {nested} {left}");
}

/// The sums of a path of 200 steps that havocs a symbol at each; the solver's part is not in the time.
#[test]
fn long_paths_are_quick() {
    let mut bench = Bench::new();
    let [x, y, n] = bench.ints(["x", "y", "n"]);
    let mut steps = counting(&mut bench, 200);
    let bounded = bench.terms.le(n, y);
    for step in &mut steps {
        let NestedStep::Internal(step) = step else { continue };
        step.havoc.push(bench.terms.as_symbol(n).expect("a variable"));
        step.guard = bench.terms.and([step.guard, bounded]);
    }
    let (end, error) = (bench.terms.le(n, x), bench.terms.lt(y, n));
    steps.extend([bench.step(&[end], &[]), bench.step(&[error], &[])]);
    let path = NestedPath { globals: &[], steps: &steps };
    let layout = super::Layout::new(&mut bench.terms, path).expect("a path");
    let started = std::time::Instant::now();
    let found = super::farkas(&mut bench.solver, &mut bench.terms, path, &layout).expect("linear");
    let elapsed = started.elapsed();
    println!("200 steps: {elapsed:?}");
    assert_eq!(found.len(), steps.len() + 1);
    assert!(elapsed.as_secs() < 5, "{elapsed:?}");
}
