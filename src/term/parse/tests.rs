//! What the parser reads, and what it refuses.

use super::*;
use crate::term::smtlib::print;
use crate::term::{Assignment, Op, Value, eval};

fn store() -> Terms {
    let mut terms = Terms::new();
    for name in ["x", "y", "z", "odd name", "and"] {
        terms.var(name, Sort::Int);
    }
    for name in ["b", "c"] {
        terms.var(name, Sort::Bool);
    }
    for name in ["v", "w"] {
        terms.var(name, Sort::BitVec(8));
    }
    terms.var("a", Sort::array(Sort::Int, Sort::BitVec(8)));
    terms
}

fn read(terms: &mut Terms, text: &str) -> Result<TermId, ParseError> {
    let read = parse_sexprs(text)?;
    assert_eq!(read.len(), 1, "{text}");
    terms.parse_term(&read[0], &Bindings::default())
}

/// The value with x = 7, y = -3, z = 0, b true, c false, v = 0x8d, w = 0x03.
fn value(text: &str) -> Value {
    let mut terms = store();
    let mut assignment = Assignment::default();
    let mut set = |name: &str, value: Value| assignment.insert(terms.find_symbol(name).unwrap(), value);
    set("x", Value::Int(7.into()));
    set("y", Value::Int((-3).into()));
    set("b", Value::Bool(true));
    set("v", Value::BitVec(0x8d.into(), 8));
    set("w", Value::BitVec(3.into(), 8));
    let term = read(&mut terms, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    eval(&terms, term, &assignment)
}

#[test]
fn integers_and_truth_values() {
    let int = |n: i64| Value::Int(n.into());
    for (text, expected) in [
        ("(- 5)", int(-5)),
        ("(- x y 1)", int(9)),
        ("(+ x y z 2)", int(6)),
        ("(* x y 2)", int(-42)),
        ("(div x y)", int(-2)),
        ("(mod y x)", int(4)),
        ("(rem x y)", int(-1)),
        ("(abs y)", int(3)),
        ("(let ((x y) (y x)) (- x y))", int(-10)),
        ("(let ((t x)) (let ((t (+ t 1))) (+ t t)))", int(16)),
        ("(! (+ x 1) :named foo)", int(8)),
        ("(ite (>= x y) x y)", int(7)),
        ("(bv2nat v)", int(0x8d)),
        ("(ubv_to_int v)", int(0x8d)),
        ("(sbv_to_int v)", int(0x8d - 256)),
        ("(+ |odd name| esc!and 123456789012345678901234567890 (- 123456789012345678901234567890))", int(0)),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    for text in [
        "b",
        "(not c)",
        "(and b true)",
        "(or c b)",
        "(xor b c)",
        "(xor b b b)",
        "(=> c c)",
        "(=> b c b)",
        "(= x x x)",
        "(distinct x y z)",
        "(not (distinct x y z x))",
        "(> x z y)",
        "(>= x x z)",
        "(< y z x)",
        "((_ divisible 3) y)",
        "(not ((_ divisible 3) x))",
        "(= b b)",
        "(and b)",
    ] {
        assert_eq!(value(text), Value::Bool(true), "{text}");
    }
}

#[test]
fn vectors_and_arrays() {
    let bits = |n: i64, width: u32| Value::BitVec(n.into(), width);
    for (text, expected) in [
        ("#x8d", bits(0x8d, 8)),
        ("#b101", bits(5, 3)),
        ("(_ bv300 12)", bits(300, 12)),
        ("((_ extract 3 0) v)", bits(0xd, 4)),
        ("(concat v w #b1)", bits((0x8d03 << 1) | 1, 17)),
        ("((_ rotate_left 3) v)", bits(0x6c, 8)),
        ("((_ rotate_right 3) v)", bits(0xb1, 8)),
        ("((_ rotate_left 8) v)", bits(0x8d, 8)),
        ("((_ repeat 2) w)", bits(0x303, 16)),
        ("((_ zero_extend 4) v)", bits(0x8d, 12)),
        ("((_ sign_extend 4) v)", bits(0xf8d, 12)),
        ("((_ int2bv 4) y)", bits(13, 4)),
        ("((_ int_to_bv 4) y)", bits(13, 4)),
        ("(bvnand v w)", bits(0xfe, 8)),
        ("(bvnor v w)", bits(0x70, 8)),
        ("(bvxnor v w)", bits(0x71, 8)),
        ("(bvcomp v v)", bits(1, 1)),
        ("(bvcomp v w)", bits(0, 1)),
        ("(bvsmod v w)", bits(2, 8)),
        ("(bvsmod w v)", bits(0x90, 8)),
        ("(bvsrem v w)", bits(0xff, 8)),
        ("(bvadd v w w)", bits(0x93, 8)),
        ("(bvredor v)", bits(1, 1)),
        ("(select (store a x v) 7)", bits(0x8d, 8)),
        ("(select ((as const (Array Int (_ BitVec 8))) w) y)", bits(3, 8)),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    for text in ["(bvugt v w)", "(bvuge v v)", "(bvsgt w v)", "(bvsge w v)", "(bvslt v w)", "(not (bvule v w))"] {
        assert_eq!(value(text), Value::Bool(true), "{text}");
    }
}

#[test]
fn refusals_name_what_is_wrong() {
    let mut terms = store();
    for (text, message) in [
        ("(forall ((k Int)) true)", "unsupported binder forall"),
        ("(foo x)", "unsupported operator foo"),
        ("nobody", "unknown symbol nobody"),
        ("(+ x b)", "+ with arguments of the sorts (Int Bool)"),
        ("(bvadd v #b1)", "bvadd with arguments of the sorts ((_ BitVec 8) (_ BitVec 1))"),
        ("((_ extract 8 0) v)", "(_ extract 8 0) with arguments of the sorts ((_ BitVec 8))"),
        ("(_ as-array k!0)", "unsupported operator (_ as-array …)"),
        ("((_ map f) x)", "malformed: ((_ map f) x)"),
        ("1.0", "malformed: 1.0"),
        ("#b", "malformed: #b"),
        ("#b12", "malformed: #b12"),
        ("#x_1", "malformed: #x_1"),
        ("()", "malformed: ()"),
        ("(let ((x)) x)", "malformed: (let ((x)) x)"),
        ("(not)", "not with arguments of the sorts ()"),
        ("(ite b x v)", "ite with arguments of the sorts (Bool Int (_ BitVec 8))"),
        ("((_ zero_extend 99999999999) v)", "(_ zero_extend 99999999999) with arguments of the sorts ((_ BitVec 8))"),
        ("((as const Int) x)", "(as const Int) with arguments of the sorts (Int)"),
        ("((as const Real) x)", "unsupported sort Real"),
        ("(_ bv1 0)", "unsupported operator (_ bv1 …)"),
        ("(x)", "unsupported operator x"),
    ] {
        assert_eq!(read(&mut terms, text).expect_err(text).to_string(), message, "{text}");
    }
}

#[test]
fn sorts() {
    let sort = |text: &str| parse_sort(&parse_sexprs(text).unwrap()[0]);
    let nested = Sort::array(Sort::Int, Sort::array(Sort::BitVec(32), Sort::Bool));
    assert_eq!(sort(&nested.to_string()), Ok(nested));
    assert_eq!(sort("Real"), Err(ParseError::UnsupportedSort("Real".into())));
    assert!(sort("(_ BitVec 0)").is_err());
}

#[test]
fn bindings_come_before_symbols() {
    let mut terms = store();
    let y = terms.var("y", Sort::Int);
    let text = parse_sexprs("x").unwrap();
    assert_eq!(terms.parse_term(&text[0], &Bindings::from_iter([("x".into(), y)])), Ok(y));
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::BitVec(8));
    let f = (0..200_000).fold(x, |t, _| terms.raw(Op::BvUdiv, &[t, x]));
    let text = print(&terms, f);
    assert_eq!(read(&mut terms, &text), Ok(f));
    let shared = (0..100_000).fold(x, |t, _| terms.raw(Op::BvUdiv, &[t, t]));
    let text = print(&terms, shared);
    assert!(read(&mut terms, &text).is_ok());
}
