//! Texts made to exhaust the stack, the memory or the patience.

use super::super::{MAX_DEPTH, MAX_DIGITS, MAX_NESTING, MAX_OPERANDS, lower};
use super::files;
use crate::program::{BinaryOp, Expr, Program, Statement, UnaryOp};

/// A program whose property is this text.
fn property(text: &str) -> String {
    format!("program p\nvar x\ninit true\nsafe {text}\n")
}

/// The messages alone.
fn messages(text: &str) -> String {
    lower(&files(text)).map_or_else(|errors| errors.to_string(), |_| "fine".to_owned())
}

#[test]
fn nesting_up_to_the_limit() {
    let too_deep = format!("the expression is nested more than {MAX_NESTING} levels deep");
    let nest = |n: usize| property(&format!("{}x = 0{}", "(".repeat(n), ")".repeat(n)));
    assert_eq!(messages(&nest(MAX_NESTING)), "fine");
    assert_eq!(messages(&nest(MAX_NESTING + 1)), too_deep);
    for (open, operand) in [("(", "x = 0"), ("!", "true"), ("true => ", "x = 0"), ("!(", "true"), ("true && (", "x")] {
        let text = property(&format!("{}{operand}", open.repeat(10_000)));
        assert_eq!(messages(&text), too_deep, "{open}");
    }
    assert_eq!(messages(&property(&format!("x = {}1", "- ".repeat(10_000)))), too_deep);
    // The deepest tree that is accepted can be copied, compared and dropped.
    let mut deep = "x".to_owned();
    for _ in 0..MAX_NESTING {
        deep = format!("({deep}{})", " + x".repeat(4));
    }
    let program = lower(&files(&property(&format!("{deep} = 0")))).unwrap();
    assert_eq!(program, program.clone());
    let deeper = format!("{}x{} = 0", "(".repeat(MAX_NESTING), " + x + x + x + x + x)".repeat(MAX_NESTING));
    let message = format!("the operators of the expression are more than {MAX_DEPTH} levels deep");
    assert_eq!(messages(&property(&deeper)), message);
}

#[test]
fn long_chains() {
    assert_eq!(messages(&property(&format!("{}x = 1", "x + ".repeat(100_000)))), "fine");
    assert_eq!(messages(&property(&format!("{}x = 1", "1 - ".repeat(100_000)))), "fine");
    assert_eq!(messages(&property(&format!("{}x = 1", "1 * ".repeat(100_000)))), "fine");
    assert_eq!(messages(&property(&format!("{}x = 1", "x = 1 && ".repeat(50_000)))), "fine");
    let too_many = format!("the statement has more than {MAX_OPERANDS} operands");
    assert_eq!(messages(&property(&format!("{}x = 1", "x + ".repeat(MAX_OPERANDS)))), too_many);
}

#[test]
fn balanced_sums_have_the_same_value() {
    for length in 1..70_i64 {
        let terms: String = (0..length).map(|i| format!("{} {} ", if i % 3 == 1 { "-" } else { "+" }, i * i)).collect();
        let value: i64 = (0..length).map(|i| if i % 3 == 1 { -i * i } else { i * i }).sum();
        let program = lower(&files(&property(&format!("x = 0 {terms}")))).unwrap();
        assert_eq!(*right_side(&program), Expr::int(value));
        let mixed = lower(&files(&property(&format!("x = 5 + x {terms} - x + 1")))).unwrap();
        assert_eq!(value_at(right_side(&mixed), 100), 6 + value);
    }
}

/// The right-hand side of the property, an equation.
fn right_side(program: &Program) -> &Expr {
    let edge = program.procedures[program.main].edges.iter().next().unwrap();
    let [Statement::Assume(Expr::Unary(UnaryOp::Not, equation))] = edge.block.as_slice() else { panic!("{edge:?}") };
    let Expr::Binary(BinaryOp::Eq, _, right) = &**equation else { panic!("{equation:?}") };
    right
}

/// The value of a sum where every variable is x.
fn value_at(sum: &Expr, x: i64) -> i64 {
    match sum {
        Expr::Int(value, _) => value.to_i64().unwrap(),
        Expr::Var(_) => x,
        Expr::Binary(BinaryOp::Add, a, b) => value_at(a, x) + value_at(b, x),
        Expr::Binary(BinaryOp::Sub, a, b) => value_at(a, x) - value_at(b, x),
        other => panic!("{other:?}"),
    }
}

#[test]
fn huge_numbers() {
    let nines = "9".repeat(MAX_DIGITS);
    assert_eq!(messages(&property(&format!("x = {nines}"))), "fine");
    assert_eq!(messages(&property(&format!("x = 9{nines}"))), "the number has more than 9000 digits");
    assert_eq!(messages(&property(&format!("x = {nines} * {nines}"))), "the product has more than 9000 digits");
    assert_eq!(messages(&property("x = 007")), "fine");
}

#[test]
fn megabytes_of_anything() {
    let units = [
        "(",
        ")",
        "!",
        "-",
        "x",
        "1",
        "\u{0}",
        "x ",
        "x\n",
        "é",
        "&&\n",
        "x,",
        "=> ",
        "# ",
        "\n",
        "t: x = 1 -> x := 1\n",
    ];
    for unit in units {
        let size = if unit == "(" { 10_000_000 } else { 1_000_000 };
        let many = unit.repeat(size / unit.len());
        let start = std::time::Instant::now();
        for text in [property(&many), many] {
            assert!(messages(&text).len() < 10_000, "{unit}");
        }
        assert!(start.elapsed().as_secs() < 10, "{unit} took {:?}", start.elapsed());
    }
}
