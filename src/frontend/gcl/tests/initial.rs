//! The statements of `init` reach exactly the states that satisfy the condition.

use super::super::lower;
use super::files;
use crate::program::{BinaryOp, Expr, Id, Statement, UnaryOp, VarId};
use crate::term::Integer;
use proptest::prelude::*;

const VARIABLES: [&str; 3] = ["x", "y", "z"];

/// The value of an expression; truth values are 1 and 0.
fn value(expr: &Expr, state: &[i64; 3]) -> i64 {
    let both = |a, b| (value(a, state), value(b, state));
    match expr {
        Expr::Bool(b) => i64::from(*b),
        Expr::Int(n, _) => Integer::to_i64(n).unwrap(),
        Expr::Var(var) => state[var.index()],
        Expr::Unary(UnaryOp::Not, a) => 1 - value(a, state),
        Expr::Unary(UnaryOp::Neg, a) => -value(a, state),
        Expr::And(all) => i64::from(all.iter().all(|e| value(e, state) == 1)),
        Expr::Or(all) => i64::from(all.iter().any(|e| value(e, state) == 1)),
        Expr::Binary(op, a, b) => {
            let (a, b) = both(a, b);
            match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Eq => i64::from(a == b),
                BinaryOp::Ne => i64::from(a != b),
                BinaryOp::Le => i64::from(a <= b),
                BinaryOp::Implies => i64::from(a <= b),
                other => panic!("{other:?} is not generated"),
            }
        }
        other => panic!("{other:?} is not of this language"),
    }
}

/// Whether the statements reach the state. Each variable is written once, so an input must be its value there.
fn reaches(init: &[Statement], state: &[i64; 3]) -> bool {
    let mut now = [None; 3];
    for statement in init {
        match statement {
            Statement::Havoc { target, .. } => now[target.index()] = Some(state[target.index()]),
            Statement::Assign(pairs) => {
                let [(target, expr)] = pairs.as_slice() else { panic!("one at a time") };
                let mut read = true;
                expr.for_each_var(&mut |var: VarId| read &= now[var.index()].is_some());
                assert!(read, "a variable is read before it is written");
                let result = value(expr, &now.map(Option::unwrap_or_default));
                if result != state[target.index()] {
                    return false;
                }
                now[target.index()] = Some(result);
            }
            Statement::Assume(condition) => {
                if value(condition, &now.map(|v| v.expect("everything is written before it is read"))) == 0 {
                    return false;
                }
            }
            other => panic!("{other:?} in init"),
        }
    }
    assert!(now.iter().all(Option::is_some), "a variable is never written");
    true
}

/// A sum of up to three small constants, variables and multiples of them.
fn sum() -> impl Strategy<Value = String> {
    let variable = || prop::sample::select(&VARIABLES[..]).prop_map(str::to_owned);
    let term = prop_oneof![4 => variable(), 2 => (-2i64..3).prop_map(|n| n.to_string()), 1 => (-2i64..3, variable()).prop_map(|(n, v)| format!("{n} * {v}"))];
    prop_oneof![
        3 => variable(),
        3 => prop::collection::vec(term, 1..4).prop_map(|terms| terms.join(" + ")),
    ]
}

fn conjunct() -> impl Strategy<Value = String> {
    let equation = || (sum(), sum()).prop_map(|(a, b)| format!("{a} = {b}"));
    prop_oneof![
        8 => equation(),
        1 => (sum(), sum()).prop_map(|(a, b)| format!("{a} <= {b}")),
        1 => (equation(), equation()).prop_map(|(a, b)| format!("({a} || {b})")),
        1 => (equation(), equation()).prop_map(|(a, b)| format!("({a} && {b})")),
        1 => (equation(), equation()).prop_map(|(a, b)| format!("({a} => {b})")),
        1 => equation().prop_map(|a| format!("!({a})")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(7), ..Default::default() })]

    #[test]
    fn init_means_its_condition(conjuncts in prop::collection::vec(conjunct(), 1..6)) {
        let condition = conjuncts.join(" && ");
        let text = format!("program p\nvar x, y, z\ninit {condition}\nsafe {condition}");
        let program = lower(&files(&text)).unwrap();
        // The edge to the error assumes the negation of the very same condition.
        let edge = program.procedures[program.main].edges.iter().next().unwrap();
        let [Statement::Assume(negation)] = edge.block.as_slice() else { panic!("{edge:?}") };
        for (x, y, z) in (-3..4).flat_map(|x| (-3..4).flat_map(move |y| (-3..4).map(move |z| (x, y, z)))) {
            let state = [x, y, z];
            prop_assert_eq!(value(negation, &state) == 0, reaches(&program.init, &state), "{:?}", state);
        }
    }
}
