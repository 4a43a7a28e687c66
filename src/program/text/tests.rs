//! The text form: what it looks like, and what it says about mistakes.

use super::*;
use crate::program::{
    BinaryOp, Diagnostic, Expr, FileId, Id, Program, SourceFile, SourceFiles, Statement, Type, UnaryOp,
};
use expect_test::{Expect, expect};

const COUNTER: &str = r#"
// Counts to ten.
program "counter"
global x: u8

init { x := 0u8; }

procedure main() {
  local `odd name`: int control
  location loop entry
  location done exit
  location L7 = "bad" error "assertion" "x is at most 10"
  edge loop -> loop "up" { assume x < 10u8 && !(x == 200u8 || x == 201u8); x := x + 1u8; }
  edge loop -> done { havoc `odd name`; }
  edge loop -> L7 { assume x > 10u8; }
}
"#;

fn read(text: &str) -> Program {
    parse(text, FileId::new(0)).unwrap()
}

fn errors(text: &str) -> Vec<Diagnostic> {
    parse(text, FileId::new(0)).expect_err("the text is wrong").0
}

/// The messages, each with the text that it points at.
fn check_errors(text: &str, expect: Expect) {
    let mut out = String::new();
    for diagnostic in errors(text) {
        let span = diagnostic.span.expect("messages about text have a place");
        let place = &text[span.start as usize..span.end as usize];
        let hint = diagnostic.hint.map_or(String::new(), |hint| format!(" ({hint})"));
        out.push_str(&format!("{place:?}: {}{hint}\n", diagnostic.message));
    }
    expect.assert_eq(&out);
}

/// The program with the expression assumed on its only edge.
fn with_condition(condition: &str) -> String {
    format!(
        "global x: u8 global y: u8 global b: bool global p: ptr
        procedure main() {{ location L0 entry location L1 exit edge L0 -> L1 {{ assume {condition}; }} }}"
    )
}

fn condition(text: &str) -> Expr {
    let program = read(&with_condition(text));
    let edge = program.procedures[program.main].edges.iter().next().unwrap().clone();
    match &edge.block[..] {
        [Statement::Assume(condition)] => condition.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn prints_as_written() {
    expect![[r#"
        program "counter"
        pointer_bytes 8
        main main

        global x: u8

        init {
          x := 0u8;
        }

        procedure main() {
          local `odd name`: int control
          location loop entry
          location done exit
          location bad error "assertion" "x is at most 10"
          edge loop -> loop "up" {
            assume x < 10u8 && !(x == 200u8 || x == 201u8);
            x := x + 1u8;
          }
          edge loop -> done { havoc `odd name`; }
          edge loop -> bad { assume x > 10u8; }
        }
    "#]]
    .assert_eq(&print(&read(COUNTER)));
}

#[test]
fn parentheses_are_minimal() {
    for text in [
        "x - (y - x) - y == 0u8",
        "x * (y + x) / y == 0u8",
        "(b ==> b) ==> b ==> b",
        "b && (b && b) && b || b",
        "(b || b) && b",
        "and() || or(b)",
        "(x == y) == (x < y)",
        "!(x == y) && !b",
        "-(5) == -5 - -5",
        "--x == ~-x + -(1u8)",
        "x << y + x & y == x",
        "bool(x) && u8[p] == u8(x == y)",
        "offset(pointer_add(p, 1i64)) == object_size(null) && is_live(p) && same_object(p, null)",
        "ite(b, x == y, ite(!b, true, false))",
        "is_nan(-f64\"-1.5e-300\" / f64(x)) || sign_bit(f32\"nan(0x7fc00001)\") || is_infinite(f32\"inf\")",
        "function(main) == ptr(u64(p)) || p < null",
    ] {
        let program = read(&with_condition(text));
        let printed = Printer::new(&program).expr(None, &condition(text));
        assert_eq!(printed, text);
    }
}

#[test]
fn precedence_is_as_documented() {
    let sum = Expr::binary(BinaryOp::Add, Expr::Cast(Type::Int, Box::new(condition("x == y"))), Expr::int(-1));
    assert_eq!(condition("int(x == y) + -1 == int(x == y) + -1"), Expr::binary(BinaryOp::Eq, sum.clone(), sum));
    let minus = Expr::unary(UnaryOp::Neg, Expr::int(1));
    assert_eq!(condition("-(1) == -1"), Expr::binary(BinaryOp::Eq, minus, Expr::int(-1)));
}

#[test]
fn mistakes_are_named() {
    check_errors(
        "",
        expect![[r#"
        "": there is no main procedure (call a procedure `main`, or say which one it is: main NAME)
    "#]],
    );
    check_errors(
        &with_condition("x < y < x"),
        expect![[r#"
        "<": comparisons do not chain (put one of the two in parentheses)
    "#]],
    );
    check_errors(
        &with_condition("z == 1 && q"),
        expect![[r#"
        "z": no variable here is called `z` (variables are declared before they are used, by `global` or `local`)
        "q": no variable here is called `q` (variables are declared before they are used, by `global` or `local`)
    "#]],
    );
    check_errors(
        &with_condition("x + 1u8"),
        expect![[r#"
        "assume x + 1u8": procedure `main`, edge e0, statement 1: the condition is a u8, not a bool (rule 12 of valid programs)
    "#]],
    );
    check_errors(
        &with_condition("x == 1u9999"),
        expect![[r#"
        "assume x == 1u9999": procedure `main`, edge e0, statement 1: a machine integer of 9999 bits (rule 4 of valid programs)
    "#]],
    );
    check_errors(
        &with_condition("x == 1kg || ite(b, b)"),
        expect![[r#"
        "1kg": `kg` is no machine integer type
    "#]],
    );
    check_errors(
        "procedure main() { location L0 entry edge L0 -> L5 { assume $; x := ; free null } local local: in }",
        expect![[r#"
            "L5": no location here is called `L5` (locations are declared before the edges that use them)
            "$": this character is not expected here
            "x": no variable here is called `x` (variables are declared before they are used, by `global` or `local`)
            ";": expected an expression, found `;`
            "local": local is a reserved word (put it in backticks to use it as a name: `local`)
            ":": expected a name, found `:`
            "procedure": the procedure `main` has no exit (write `exit` after one of its locations)
        "#]],
    );
    check_errors(
        "program \"open\nglobal x: i \"\\q\" procedure f(",
        expect![[r#"
        "\"open": this is not closed on its line
        "i": expected a type, found `i` (types are bool, int, ptr, f32, f64, and machine integers such as i32 and u8)
        "": expected a name, found the end of the file
        "": expected `}`, found the end of the file
        "procedure": the procedure `f` has no entry (write `entry` after one of its locations)
        "procedure": the procedure `f` has no exit (write `exit` after one of its locations)
        "": there is no main procedure (call a procedure `main`, or say which one it is: main NAME)
    "#]],
    );
    check_errors(
        "global x: int #1 global y: int #0 global z: int procedure main() { location a entry exit }",
        expect![[r#"
            "z": either all variables have a number or none
        "#]],
    );
    check_errors(
        "global x: int #4000000000 procedure main() { location a entry exit }",
        expect![[r#"
        "global x: int #4000000000": the numbers of 1 variables go from 0 to 0
    "#]],
    );
}

#[test]
fn hostile_text_gets_a_message() {
    let deep = |open: &str, close: &str, count: usize| {
        errors(&with_condition(&format!("{}b{}", open.repeat(count), close.repeat(count))))
    };
    for (open, close) in
        [("(", ")"), ("!", ""), ("bool(", ")"), ("b ==> ", ""), ("", " ==> b"), ("and(", ")"), ("u8[", "]")]
    {
        let found = deep(open, close, 30_000);
        assert!(found[0].message.contains("nested more than"), "{open}: {found:?}");
    }
    assert_eq!(errors(&"(".repeat(200_000)).len(), 2);
    assert_eq!(errors(&"procedure ".repeat(10_000)).len(), 20);
    assert_eq!(errors(&"\"\\".repeat(100_000)).len(), 2);
    let digits = with_condition(&format!("{} == 0", "9".repeat(100_000)));
    assert!(errors(&digits)[0].message.contains("too long"));
    let long = with_condition(&format!("{}b", "b && ".repeat(100_000)));
    assert!(matches!(read(&long).procedures.iter().next().unwrap().edges.len(), 1));
}

#[test]
fn the_deepest_valid_expression_is_read_back() {
    let nested = (1..crate::program::MAX_DEPTH).fold("b".to_owned(), |e, _| format!("(b ==> {e}) && b"));
    assert!(errors(&with_condition(&nested))[0].message.contains("nested more than"));
    let nested = (1..crate::program::MAX_DEPTH / 2).fold("b".to_owned(), |e, _| format!("({e} ==> b) && b"));
    let program = read(&with_condition(&nested));
    assert_eq!(read(&print(&program)), program);
}

#[test]
fn a_file_without_sources_is_its_own_source() {
    let files: SourceFiles = [SourceFile { name: "c.tandem".into(), text: COUNTER.into() }].into_iter().collect();
    let program = lower(&files).unwrap();
    assert_eq!(program.sources, files);
    assert_eq!(crate::program::validate(&program), Ok(()));
    let edge = &program.procedures[program.main].edges[crate::program::EdgeId::new(2)];
    let span = edge.span.unwrap();
    assert_eq!(&COUNTER[span.start as usize..span.end as usize], "edge loop -> L7");
    assert!(lower(&SourceFiles::new()).is_err());
    let own = format!("{COUNTER}\nsource \"a.c\" {{ \"int x;\\n\" \"…\" }}");
    let program = lower(&[SourceFile { name: "c".into(), text: own }].into_iter().collect()).unwrap();
    assert_eq!(program.sources[FileId::new(0)].text, "int x;\n…");
}
