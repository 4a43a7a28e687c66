//! What proofs say.

use super::cubes::{Cube, simplified};
use super::*;
use crate::engine::Proof;
use crate::engine::{Budget, CegarConfig, Claim, cegar};
use crate::program::text::parse;
use crate::program::{FileId, Id, Property, VarId};
use expect_test::{Expect, expect};

const PROGRAM: &str = r#"
global x: i32
global y: i32
global b: bool
init { x := 0i32; y := 0i32; b := false; }
procedure main() {
  location a entry
  location z exit
  edge a -> z
}
"#;

/// Values of variables, by their numbers, and formulas.
type Facts<'a> = (&'a [(usize, i64)], &'a [&'a str]);

/// The disjunction of conjunctions over `x`, `y` and `b`, as it is told.
fn check(cubes: &[Facts<'_>], expected: Expect) {
    let program = parse(PROGRAM, FileId::new(0)).unwrap();
    let task = Task { program, property: Property::Assert };
    let mut terms = Terms::new();
    let mut writer = Writer::new(&task, &mut terms, Arithmetic::Integers);
    let encoder = Encoder::with_arithmetic(&task.program, writer.terms, Arithmetic::Integers);
    let cubes = cubes.iter().map(|(values, formulas)| {
        let value = |&(variable, value): &(usize, i64)| {
            (encoder.symbol(VarId::new(variable)).unwrap(), writer.terms.int(value))
        };
        let values: Vec<_> = values.iter().map(value).collect();
        let read = |text: &&str| {
            let text = &crate::term::parse_sexprs(text).unwrap()[0];
            writer.terms.parse_term(text, &Default::default()).unwrap()
        };
        let formulas: Vec<_> = formulas.iter().map(read).collect();
        Cube::new(writer.terms, &values, &formulas)
    });
    let cubes = cubes.collect();
    expected.assert_eq(&writer.formula(task.program.main, cubes).to_string());
}

#[test]
fn bounds_and_values_are_told_once() {
    check(&[(&[(0, 3)], &["(<= x 5)", "(>= y 0)", "(>= y (- 4))"])], expect!["x == 3 && y >= 0"]);
    check(&[(&[], &["(not b)", "(<= x y)"])], expect!["!b && x <= y"]);
    check(&[(&[], &[])], expect!["true"]);
    check(&[], expect!["false"]);
}

#[test]
fn cases_that_differ_in_one_thing_become_one() {
    check(&[(&[(0, 1)], &["(<= y 0)"]), (&[(0, 1)], &["(> y 0)"])], expect!["x == 1"]);
    check(
        &[(&[(0, 1), (1, 2)], &[]), (&[(0, 2), (1, 2)], &[]), (&[(0, 3), (1, 2)], &[])],
        expect!["x >= 1 && x <= 3 && y == 2"],
    );
    check(&[(&[(0, 1)], &["b"]), (&[(0, 4)], &["b"])], expect!["(x == 1 || x == 4) && b"]);
    check(&[(&[(0, 1)], &[]), (&[(0, 1)], &["b"])], expect!["x == 1"]);
    check(&[(&[(0, 1), (1, 1)], &[]), (&[(0, 2), (1, 2)], &[])], expect!["(x == 1 && y == 1) || (x == 2 && y == 2)"]);
}

#[test]
fn many_values_are_told_by_their_bounds() {
    let numbers = |all: &[i64]| -> Vec<[(usize, i64); 1]> { all.iter().map(|&n| [(0, n)]).collect() };
    let told = |all: &[i64], expected| {
        let numbers = numbers(all);
        let cubes: Vec<Facts<'_>> = numbers.iter().map(|values| (values.as_slice(), [].as_slice())).collect();
        check(&cubes, expected);
    };
    told(&[-4, -2, 0, 2, 4, 6, 8], expect!["x >= -4 && x <= 8 && x % 2 == 0"]);
    told(&[1, 4, 7, 10, 13, 16, 19], expect!["x >= 1 && x <= 19 && (x - 1) % 3 == 0"]);
    told(&[1, 2, 4, 8, 16, 32, 64], expect!["x >= 1 && x <= 64"]);
}

#[test]
fn long_formulas_are_cut_where_there_is_little_room() {
    let formula = StatedFormula {
        always: vec!["x >= 0".into(), "y >= 0".into()],
        cases: vec![vec!["a".into()], vec!["b".into(), "c".into()], vec!["d".into()]],
        is_false: false,
    };
    expect!["x >= 0 && y >= 0 && (a || (b && c) || d)"].assert_eq(&formula.to_string());
    expect!["x >= 0 && y >= 0 && (a || …)"].assert_eq(&formula.written(22));
    expect!["x >= 0 && …"].assert_eq(&formula.written(3).replace(" && (a || …)", ""));
}

#[test]
fn cases_in_common_are_factored_out() {
    let mut terms = Terms::new();
    let x = terms.var("x", crate::term::Sort::Bool);
    let y = terms.var("y", crate::term::Sort::Bool);
    let (not_x, not_y) = (terms.not(x), terms.not(y));
    let z = terms.var("z", crate::term::Sort::Bool);
    let one = Cube::new(&mut terms, &[], &[x, y, z]);
    let other = Cube::new(&mut terms, &[], &[not_x, not_y, z]);
    let (common, rest) = simplified(&terms, vec![one, other]);
    assert_eq!(common, Cube::new(&mut terms, &[], &[z]));
    assert_eq!(rest.len(), 2);
}

const RECURSIVE: &str = r#"
global g: i32
init { g := 7i32; }
procedure main() {
  local r: i32
  location first entry
  location called
  location wrong error "assertion" "the result is too small"
  location last exit
  edge first -> called { r := call down(3i32); }
  edge called -> wrong { assume r < 0i32; }
  edge called -> last { assume r >= 0i32; }
}
procedure down(n) -> result {
  local n: i32
  local result: i32
  local r: i32
  location a entry
  location b
  location c
  location last exit
  edge a -> last { assume n <= 0i32; result := 0i32; }
  edge a -> b { assume n > 0i32; }
  edge b -> c { r := call down(n - 1i32); }
  edge c -> last { result := r; }
}
"#;

#[test]
fn a_recursive_procedure_has_a_summary() {
    let program = parse(RECURSIVE, FileId::new(0)).unwrap();
    let task = Task { program, property: Property::Assert };
    let config = CegarConfig { domain: cegar::DomainChoice::Predicates, ..CegarConfig::default() };
    let run = cegar::verify(&task, &config, &Budget::unlimited());
    let Claim::Safe { proof: Proof::Cuts(mut invariants), .. } = run.claim else { panic!("it is safe") };
    let stated = of_cuts(&task, &mut invariants);
    assert!(stated.loops.is_empty());
    let [StatedProcedure { procedure, cases }] = stated.procedures.as_slice() else { panic!("{stated:?}") };
    assert_eq!(task.program.procedures[*procedure].name, "down");
    assert!(!cases.is_empty());
    let said: Vec<String> = cases.iter().map(|case| case.ensures.to_string()).collect();
    assert!(said.iter().all(|ensures| ensures.contains("result")), "{said:?}");
    // Neither the caller's variables nor the callee's own can be named outside.
    assert!(said.iter().all(|ensures| !ensures.contains("r ")), "{said:?}");
}
