//! Small random formulas over bounded integers and bit-vectors: the solvers' answers against brute force.

#![allow(clippy::unwrap_used)]

#[path = "solver_support/mod.rs"]
mod support;

use support::*;
use tandem::solver::*;
use tandem::term::*;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

fn integer(terms: &mut Terms, random: &mut Random, vars: &[TermId], depth: u32) -> TermId {
    if depth == 0 || random.below(3) == 0 {
        return match random.below(3) {
            0 => terms.int(random.below(7) as i64 - 3),
            _ => vars[random.below(vars.len() as u64) as usize],
        };
    }
    let a = integer(terms, random, vars, depth - 1);
    let constant = terms.int([2, 3, -2][random.below(3) as usize]);
    match random.below(6) {
        0 => terms.mul(a, constant),
        1 => terms.div(a, constant),
        2 => terms.modulo(a, constant),
        3 => {
            let b = integer(terms, random, vars, depth - 1);
            terms.sub(a, b)
        }
        _ => {
            let b = integer(terms, random, vars, depth - 1);
            terms.add(a, b)
        }
    }
}

fn bit_vector(terms: &mut Terms, random: &mut Random, vars: &[TermId], depth: u32) -> TermId {
    if depth == 0 || random.below(3) == 0 {
        return match random.below(3) {
            0 => terms.bit_vec(random.below(8) as i64, 3),
            _ => vars[random.below(vars.len() as u64) as usize],
        };
    }
    let a = bit_vector(terms, random, vars, depth - 1);
    let b = bit_vector(terms, random, vars, depth - 1);
    match random.below(14) {
        0 => terms.bv_add(a, b),
        1 => terms.bv_sub(a, b),
        2 => terms.bv_mul(a, b),
        3 => terms.bv_udiv(a, b),
        4 => terms.bv_urem(a, b),
        5 => terms.bv_sdiv(a, b),
        6 => terms.bv_srem(a, b),
        7 => terms.bv_shl(a, b),
        8 => terms.bv_lshr(a, b),
        9 => terms.bv_ashr(a, b),
        10 => terms.bv_and(a, b),
        11 => terms.bv_or(a, b),
        12 => terms.bv_not(a),
        _ => terms.bv_xor(a, b),
    }
}

type Leaf = fn(&mut Terms, &mut Random, &[TermId]) -> TermId;

fn formula(terms: &mut Terms, random: &mut Random, vars: &[TermId], atom: Leaf, depth: u32) -> TermId {
    if depth == 0 || random.below(4) == 0 {
        return atom(terms, random, vars);
    }
    let a = formula(terms, random, vars, atom, depth - 1);
    let b = formula(terms, random, vars, atom, depth - 1);
    match random.below(5) {
        0 => terms.not(a),
        1 => terms.or([a, b]),
        2 => terms.eq(a, b),
        _ => terms.and([a, b]),
    }
}

fn integer_atom(terms: &mut Terms, random: &mut Random, vars: &[TermId]) -> TermId {
    let (a, b) = (integer(terms, random, vars, 2), integer(terms, random, vars, 2));
    match random.below(3) {
        0 => terms.eq(a, b),
        1 => terms.le(a, b),
        _ => terms.lt(a, b),
    }
}

fn bit_vector_atom(terms: &mut Terms, random: &mut Random, vars: &[TermId]) -> TermId {
    let (a, b) = (bit_vector(terms, random, vars, 2), bit_vector(terms, random, vars, 2));
    match random.below(3) {
        0 => terms.eq(a, b),
        1 => terms.bv_ule(a, b),
        _ => terms.bv_slt(a, b),
    }
}

/// Asks for the conjunction of some formulas in pieces (asserted in levels, assumed), and compares.
fn compare(solver: &mut SmtProcess, terms: &mut Terms, parts: &[TermId], vars: &[TermId], values: &[Vec<Value>]) {
    let all = terms.and(parts.iter().copied());
    let symbols: Vec<Symbol> = vars.iter().map(|&v| terms.as_symbol(v).unwrap()).collect();
    let holds = |terms: &Terms, term: TermId, values: &[Value]| {
        let assignment: Assignment = symbols.iter().copied().zip(values.iter().cloned()).collect();
        eval(terms, term, &assignment) == Value::Bool(true)
    };
    let expected = values.iter().any(|values| holds(terms, all, values));
    solver.push();
    solver.assert(terms, parts[0]);
    let answer = solver.check(terms, &parts[1..]);
    let text = || smtlib::print(terms, all);
    assert_eq!(answer, if expected { Answer::Sat } else { Answer::Unsat }, "{:?}: {}", solver.kind(), text());
    if expected {
        let model = solver.model(terms, &symbols).unwrap();
        assert_eq!(eval(terms, all, &model), Value::Bool(true));
    } else {
        let CoreAnswer::Unsat(core) = solver.check_core(terms, &parts[1..]) else { panic!("unsatisfiable before") };
        let core: Vec<TermId> = core.into_iter().map(|i| parts[1 + i]).chain([parts[0]]).collect();
        let blamed = terms.and(core);
        assert!(!values.iter().any(|values| holds(terms, blamed, values)));
    }
    let predicates = &parts[1..];
    let found = solver.all_models(terms, &[], predicates, 100);
    assert_eq!(found.stopped, None);
    let truth = |term: TermId, values: &[Value]| holds(terms, term, values);
    let possible: std::collections::BTreeSet<Vec<bool>> = values
        .iter()
        .filter(|values| truth(parts[0], values))
        .map(|values| predicates.iter().map(|&p| truth(p, values)).collect())
        .collect();
    for bits in 0..1u32 << predicates.len() {
        let values: Vec<bool> = (0..predicates.len()).map(|i| bits >> i & 1 == 1).collect();
        let covers = |cube: &&Cube| cube.iter().zip(&values).all(|(c, v)| c.is_none_or(|c| c == *v));
        assert_eq!(found.cubes.iter().filter(covers).count(), possible.contains(&values) as usize);
    }
    solver.pop();
}

#[test]
fn integers_agree_with_brute_force() {
    for config in configs() {
        let mut solver = SmtProcess::new(config);
        let mut terms = Terms::new();
        let mut random = Random(7);
        let vars: Vec<TermId> = (0..3).map(|i| terms.var(&format!("x{i}"), Sort::Int)).collect();
        let (low, high) = (terms.int(-3), terms.int(3));
        let bounds: Vec<TermId> = vars.iter().flat_map(|&v| [terms.le(low, v), terms.le(v, high)]).collect();
        let bounds = terms.and(bounds);
        let values: Vec<Vec<Value>> = (0..343)
            .map(|n: i64| [n % 7, n / 7 % 7, n / 49].iter().map(|d| Value::Int((d - 3).into())).collect())
            .collect();
        for _ in 0..40 {
            let mut parts = vec![bounds];
            parts.extend((0..3).map(|_| formula(&mut terms, &mut random, &vars, integer_atom, 2)));
            compare(&mut solver, &mut terms, &parts, &vars, &values);
        }
    }
}

#[test]
fn bit_vectors_agree_with_brute_force() {
    for config in configs() {
        let mut solver = SmtProcess::new(config);
        let mut terms = Terms::new();
        let mut random = Random(11);
        let vars: Vec<TermId> = (0..3).map(|i| terms.var(&format!("b{i}"), Sort::BitVec(3))).collect();
        let values: Vec<Vec<Value>> = (0..512i64)
            .map(|n| [n % 8, n / 8 % 8, n / 64].iter().map(|d| Value::BitVec((*d).into(), 3)).collect())
            .collect();
        for _ in 0..40 {
            let parts: Vec<TermId> =
                (0..4).map(|_| formula(&mut terms, &mut random, &vars, bit_vector_atom, 2)).collect();
            compare(&mut solver, &mut terms, &parts, &vars, &values);
        }
    }
}
