use super::*;
use crate::program::{FileId, Id, Program, text as program_text};
use expect_test::{Expect, expect};

fn read(text: &str) -> PredicateFile {
    parse(text, FileId::new(0)).unwrap_or_else(|error| panic!("{error:?}"))
}

/// What is printed of a text, which reads as the same again.
fn check(text: &str, expected: Expect) {
    let printed = read(text).to_string();
    expected.assert_eq(&printed);
    assert_eq!(read(&printed).to_string(), printed);
}

#[test]
fn every_notation_of_the_original_is_read() {
    check(
        "[static]\nclass(scheduler.SchedulerConfig).SIZE = 5 // a comment\nsfread(SIZE, a.B$C) >= -1\n\
         [object pkg.C]\nthis.f[0].g != null\nnot(o = null)\n[method pkg.C.<init>]\nalength(arrlen, a) = i\n\
         aread(arr, a, i + 1) < fread(f, o)\n2..13, 20: x = -1\n[assume post method pkg.C.m] return = 1 true",
        expect![[r#"
            [static]
            class(scheduler.SchedulerConfig).SIZE = 5
            class(a.B$C).SIZE >= -1

            [object pkg.C]
            this.f[0].g != null
            not(o = null)

            [method pkg.C.<init>]
            alength(arrlen, a) = i
            a[i + 1] < o.f
            x = -1

            [assume post method pkg.C.m]
            return = 1
            true
        "#]],
    );
}

#[test]
fn ranges_and_lists_are_all_combinations() {
    check(
        "[method m]\na[0..1] = 3..2\ny = -1,1\n(x, y) <= 2 * z - 1",
        expect![[r#"
            [method m]
            a[0] = 3
            a[0] = 2
            a[1] = 3
            a[1] = 2
            y = -1
            y = 1
            x <= (2 * z) - 1
            y <= (2 * z) - 1
        "#]],
    );
}

#[test]
fn a_sign_at_the_start_of_a_line_is_that_of_a_number() {
    check(
        "[method m]\nx = y\n-1 = z\nx -1 = y",
        expect![[r#"
            [method m]
            x = y
            -1 = z
            x - 1 = y
        "#]],
    );
}

fn error(text: &str) -> String {
    let error = parse(text, FileId::new(0)).expect_err("it is wrong");
    let span = error.span.expect("it has a place");
    format!("{}-{}: {}", span.start, span.end, error.message)
}

#[test]
fn what_does_not_parse_is_said_with_its_place() {
    let wrong = [
        "x = 1",
        "[statc]",
        "[method]",
        "[assume method m]",
        "[static]\nx + 1",
        "[static]\nx = ",
        "[static]\nx = 0.5",
        "[static]\nx ? 1",
        "[static]\nnot x = 1",
        "[static]\na[1 = 2",
        "[static]\na[0..100000] = 1",
        "[static]\na[0..999] = 0..999",
    ];
    let messages: Vec<String> = wrong.iter().map(|text| error(text)).collect();
    expect![[r#"
        0-1: a section was expected, and `x` found
        1-6: `static`, `object`, `method` or `assume` was expected, and `statc` found
        7-8: the name of a method was expected, and `]` found
        8-14: `pre` or `post` was expected, and `method` found
        14-14: a comparison (=, !=, <, <=, > or >=) was expected, and the end of the file found
        13-13: a value was expected, and the end of the file found
        13-14: `0` cannot be read in a predicate
        11-12: `?` cannot be read in a predicate
        13-14: `(` was expected, and `x` found
        13-14: `]` was expected, and `=` found
        12-20: this range has more than 10000 numbers
        27-27: this stands for more than 10000 predicates"#]]
    .assert_eq(&messages.join("\n"));
}

#[test]
fn deep_nesting_is_refused() {
    let text = format!("[static]\n{}x{} = 1", "(".repeat(100_000), ")".repeat(100_000));
    assert!(error(&text).ends_with("nested too deeply"));
}

const PROGRAM: &str = "
main main
global g: i32
global wide: i64
init { g := 0i32; wide := 0i64; }
procedure main() -> result {
  local result: i32
  local `i/j`: i32
  local p: ptr
  location a entry  location b exit
  edge a -> b { `i/j` := 1i32; p := null; result := g; }
}";

/// The predicates of a text for the program, and what is wrong.
fn resolved(text: &str) -> String {
    let program: Program = program_text::parse(PROGRAM, FileId::new(0)).expect("it is a program");
    let (given, problems) = resolve(&read(text), &program);
    let found = given.iter().map(|given| format!("{:?}: {}", given.scope, show(&program, &given.formula)));
    let wrong = problems.iter().map(|problem| problem.message.clone());
    found.chain(wrong).collect::<Vec<_>>().join("\n")
}

fn show(program: &Program, formula: &crate::program::Expr) -> String {
    program_text::Printer::new(program).expr(Some(program.main), formula)
}

#[test]
fn names_are_those_of_the_program() {
    expect![[r#"
        Everywhere: g < 5i32
        Everywhere: i64(g) + 1i64 == wide
        In(P0): `i/j` >= 0i32
        In(P0): !(`i/j` == g)
        In(P0): p != null
        Entry(P0): or(and(result == 1i32))
        `x` names nothing: there is no such variable in `main`
        it compares a number with a reference
        `i` names nothing: there is no such variable among what is visible everywhere
        the program has no method or function `other`
        the program has no class `C`
        `class(C).f` names nothing: the program uses no such static field"#]]
    .assert_eq(&resolved(
        "[static] g < 5\ng + 1 = wide\n[method main] i >= 0\nnot(j = g)\np != null\n[assume pre method main] return = 1\n\
         [method main] x = 1\np = 1\n[static] i = 0\n[method other] x = 1\n[object C] x = 1\n[static] class(C).f = 1",
    ));
}
