//! What is said about texts that are no program.

use super::super::{MAX_ERRORS, lower};
use super::{check, check_expr, files, render};
use crate::program::{FileId, Id, SourceFiles};
use expect_test::expect;

#[test]
fn numbers_and_truth_values() {
    check_expr(
        "!x = 1",
        expect![[r#"
            4:4: a number is needed here, but this is a truth value | true or false | `!` binds tighter than `=`: write `!(x = 1)` or `x != 1`
        "#]],
    );
    check_expr(
        "!(x) = 1",
        expect![[r#"
            4:4: a number is needed here, but this is a truth value | true or false | `!` binds tighter than `=`: write `!(x = 1)` or `x != 1`
        "#]],
    );
    check_expr(
        "!(x = 1) = 2",
        expect![[r#"
            4:4: a number is needed here, but this is a truth value | true or false | `!` binds tighter than `=`: write `!(x = 1)` or `x != 1`
        "#]],
    );
    check_expr(
        "x",
        expect![[r#"
        4:4: a truth value is needed here, but this is a number | a number | compare it, as in `x != 0`
    "#]],
    );
    check_expr(
        "x = true",
        expect![[r#"
        4:8: a number is needed here, but this is a truth value | true or false | variables are integers; use 1 and 0
    "#]],
    );
    check_expr(
        "(x = 1) + 1 = 2",
        expect![[r#"
        4:4: a number is needed here, but this is a truth value | true or false | only numbers are compared and computed with; put parentheses where they are meant
    "#]],
    );
    check_expr(
        "x = 1 && y",
        expect![[r#"
        4:13: a truth value is needed here, but this is a number | a number | compare it, as in `x != 0`
    "#]],
    );
    check_expr(
        "-(x = 1) = 0",
        expect![[r#"
        4:5: a number is needed here, but this is a truth value | true or false | only numbers are compared and computed with; put parentheses where they are meant
    "#]],
    );
}

#[test]
fn operators_that_do_not_exist() {
    check_expr(
        "0 <= x <= 3",
        expect![[r#"
        4:11: comparisons cannot be chained | a second comparison | write `a < b && b < c`
    "#]],
    );
    check_expr(
        "x = y = z",
        expect![[r#"
        4:10: comparisons cannot be chained | a second comparison | write `a < b && b < c`
    "#]],
    );
    check_expr(
        "x * y = 1",
        expect![[r#"
        4:8: a product of two variables is not linear | a second variable factor | one side of `*` must be constant
    "#]],
    );
    check_expr(
        "2 * x * 3 * (y + 1) = 1",
        expect![[r#"
        4:16: a product of two variables is not linear | a second variable factor | one side of `*` must be constant
    "#]],
    );
    check_expr(
        "x == 1",
        expect![[r#"
        4:6: expected an operator or `->`, found `==` | expected an operator or `->` | equality is written `=`
    "#]],
    );
    check_expr(
        "x := 1",
        expect![[r#"
        4:6: expected an operator or `->`, found `:=` | expected an operator or `->` | a transition without a condition has the guard `true ->`
    "#]],
    );
    check_expr(
        "x ! = 1",
        expect![[r#"
        4:6: expected an operator or `->`, found `!` | expected an operator or `->` | different is written `!=`
    "#]],
    );
    check_expr(
        "x = 1 and y = 1",
        expect![[r#"
        4:10: expected an operator or `->`, found the name `and` | expected an operator or `->` | write `&&` for and
    "#]],
    );
    check_expr(
        "not x = 1",
        expect![[r#"
        4:8: expected an operator or `->`, found the name `x` | expected an operator or `->` | write `!(…)` for not
    "#]],
    );
    check_expr(
        "x ≤ 1",
        expect![[r#"
        4:6: expected an operator or `->`, found the character `≤` (U+2264) | expected an operator or `->` | write `<=`
    "#]],
    );
    check_expr(
        "x = 1 & y = 1",
        expect![[r#"
        4:10: expected an operator or `->`, found `&` | expected an operator or `->` | write `&&`
    "#]],
    );
    check_expr(
        "x = nondet",
        expect![[r#"
        4:8: expected an expression, found the keyword `nondet` | expected an expression | `nondet` is a whole right-hand side, as in `x := nondet`; give it a variable of its own
    "#]],
    );
    check_expr(
        "x % 2 = 0",
        expect![[r#"
        4:6: expected an operator or `->`, found `%` | expected an operator or `->` | there is no division; the operators are `+`, `-` and `*`
    "#]],
    );
}

#[test]
fn expressions_that_end_wrongly() {
    check_expr(
        "x = 2y",
        expect![[r#"
        4:8: expected an expression, found `2y` | expected an expression | a name starts with a letter or `_`; a number has decimal digits only
    "#]],
    );
    check_expr(
        "x = 1;",
        expect![[r#"
        4:9: expected an operator or `->`, found `;` | expected an operator or `->` | a statement is a line of its own; there is no `;`
    "#]],
    );
    check_expr(
        "(x = 1",
        expect![[r#"
            4:4: this `(` is not closed in its statement | no `)` for this | add `)`; a line continues only if it ends in `&&`, `||`, `,`, `->` or `(`
        "#]],
    );
    check_expr(
        "x = 1)",
        expect![[r#"
            4:9: expected an operator or `->`, found `)` | expected an operator or `->` | there is no `(` for this `)`
        "#]],
    );
    check_expr(
        "x = ",
        expect![[r#"
        4:9: expected an expression, found `->` | expected an expression | -
    "#]],
    );
    check_expr(
        "x = 1 => ",
        expect![[r#"
        4:14: expected an expression, found `->` | expected an expression | -
    "#]],
    );
    check_expr(
        "()",
        expect![[r#"
        4:5: expected an expression, found `)` | expected an expression | -
    "#]],
    );
    check_expr(
        "x = +1",
        expect![[r#"
            4:8: expected an expression, found `+` | expected an expression | there is no unary `+`
        "#]],
    );
    check_expr(
        "w = 1 || xx = 1 || w = 2",
        expect![[r#"
            4:4: the variable `w` is not declared | not declared | declare it with `var w`
            4:13: the variable `xx` is not declared | not declared | did you mean `x`?
        "#]],
    );
}

#[test]
fn wrong_files() {
    check(
        "",
        expect![[r#"
            1:1: there is no program: the file is empty | expected `program NAME` | a program has at least the lines `program NAME`, `init …` and `safe …`
        "#]],
    );
    check(
        " \r\n\t\n",
        expect![[r#"
            1:1: there is no program: the file is empty | expected `program NAME` | a program has at least the lines `program NAME`, `init …` and `safe …`
        "#]],
    );
    check(
        "# only\n# comments",
        expect![[r#"
            1:1: there is no program: the file holds only comments | expected `program NAME` | a program has at least the lines `program NAME`, `init …` and `safe …`
        "#]],
    );
    check(
        "program p",
        expect![[r#"
        1:1: there is no `init` line | this program has no initial condition | add `init` and a condition; `init true` lets every variable start with any value
        1:1: there is no `safe` line: nothing to prove | this program has no property | add `safe` and a condition that must hold in every reachable state
    "#]],
    );
    check(
        "program\nvar x\ninit true\nsafe true",
        expect![[r#"
            1:8: expected the program's name, found the end of the line | expected the program's name | -
        "#]],
    );
    check(
        "program a b\ninit true\nsafe true",
        expect![[r#"
        1:11: expected the end of the line after the program's name, found the name `b` | expected the end of the line after the program's name | -
    "#]],
    );
    check(
        "var x\ninit x = 0\nsafe x = 0",
        expect![[r#"
        1:1: the first statement must be `program NAME` | expected `program` before this | put a line such as `program example` at the top
    "#]],
    );
    check(
        "var x\nprogram p\ninit x = 0\nsafe x = 0",
        expect![[r#"
        1:1: the first statement must be `program NAME` | expected `program` before this | put a line such as `program example` at the top
        2:1: a `program` line that is not the first statement | not here | a file holds one program, and its first statement is the `program` line
    "#]],
    );
    check(
        "program p\nprogram q\ninit true\nsafe true",
        expect![[r#"
        2:1: a `program` line that is not the first statement | not here | a file holds one program, and its first statement is the `program` line
    "#]],
    );
    check(
        "program p\nvar x\nsafe x = 0",
        expect![[r#"
        1:1: there is no `init` line | this program has no initial condition | add `init` and a condition; `init true` lets every variable start with any value
    "#]],
    );
    check(
        "program p\nvar x\ninit x = 0",
        expect![[r#"
        1:1: there is no `safe` line: nothing to prove | this program has no property | add `safe` and a condition that must hold in every reachable state
    "#]],
    );
    check(
        "program p\nvar x\ninit x = 0\ninit x = 1\nsafe x = 0",
        expect![[r#"
        4:1: there are two `init` lines | a second `init` | join the conditions by `&&` in one `init` line
    "#]],
    );
    check(
        "int main() { return 0; }",
        expect![[r#"
        1:1: the first statement must be `program NAME` | expected `program` before this | put a line such as `program example` at the top
        1:1: no statement starts with `int` | unknown | did you mean `var`?
    "#]],
    );
    check(
        "\u{0}\u{0}\u{0}\n\u{1}",
        expect![[r#"
        1:1: the first statement must be `program NAME` | expected `program` before this | put a line such as `program example` at the top
        1:1: expected a statement, found the character U+0000 | expected a statement | -
        2:1: expected a statement, found the character U+0001 | expected a statement | -
    "#]],
    );
    check(
        "program p\nvar x\u{0}, y\ninit x = 0\nsafe x = 0",
        expect![[r#"
        2:6: expected `,` or the end of the line, found the character U+0000 | expected `,` or the end of the line | -
    "#]],
    );
    check(
        "program p\rvar x\rinit x = 0\rsafe x = 0",
        expect![[r#"
        1:10: expected the end of the line after the program's name, found a carriage return inside a line | expected the end of the line after the program's name | lines end in a line feed, or a carriage return and a line feed
    "#]],
    );
}

/// A program with one more line.
fn with(line: &str) -> String {
    format!("program p\ncontrol c\nvar x, y\n{line}\ninit x = 0\nsafe x = 0")
}

#[test]
fn wrong_declarations() {
    check(
        &with("var x"),
        expect![[r#"
        4:5: the variable `x` is declared twice | declared before | drop one of the declarations
    "#]],
    );
    check(
        &with("control z, z"),
        expect![[r#"
        4:12: the variable `z` is declared twice | declared before | drop one of the declarations
    "#]],
    );
    check(
        &with("var init"),
        expect![[r#"
        4:5: expected the name of a variable, found the keyword `init` | expected the name of a variable | `init` is a keyword and cannot be a name
    "#]],
    );
    check(
        &with("var a b"),
        expect![[r#"
        4:7: expected `,` or the end of the line, found the name `b` | expected `,` or the end of the line | -
    "#]],
    );
    check(
        &with("var a,"),
        expect![[r#"
        5:1: expected the name of a variable, found the keyword `init` | expected the name of a variable | the line before ends in `,`, so this line continues it
    "#]],
    );
    check(
        &with("var 1a"),
        expect![[r#"
        4:5: expected the name of a variable, found `1a` | expected the name of a variable | a name starts with a letter or `_`; a number has decimal digits only
    "#]],
    );
    check(
        &with("vars a\nt: a = 1 -> a := 2"),
        expect![[r#"
        4:1: no statement starts with `vars` | unknown | did you mean `var`?
    "#]],
    );
}

#[test]
fn wrong_guards() {
    check(
        &with("t x = 1 -> x := 1"),
        expect![[r#"
        4:1: no statement starts with `t` | unknown | a transition is written `t: guard -> variable := value`; other lines start with program, control, var, init, safe or expect
    "#]],
    );
    check(
        &with("t: x = 1"),
        expect![[r#"
        4:9: expected an operator or `->`, found the end of the line | expected an operator or `->` | a transition is written `label: guard -> variable := value, …`
    "#]],
    );
    check(
        &with("t: x := 1"),
        expect![[r#"
        4:6: expected an operator or `->`, found `:=` | expected an operator or `->` | a transition without a condition has the guard `true ->`
    "#]],
    );
    check(
        &with("t: x = 1 => x := 1"),
        expect![[r#"
        4:15: expected an operator or `->`, found `:=` | expected an operator or `->` | `->` separates guard and assignments; `=>` is implication
    "#]],
    );
    check(
        &with("t: x := 1 -> x := 1"),
        expect![[r#"
        4:6: expected an operator or `->`, found `:=` | expected an operator or `->` | a transition without a condition has the guard `true ->`
    "#]],
    );
}

#[test]
fn wrong_assignments() {
    check(
        &with("t: x = 1 -> x = 2"),
        expect![[r#"
        4:15: expected `:=`, found `=` | expected `:=` | assignment is written `:=`
    "#]],
    );
    check(
        &with("t: x = 1 -> x := 2, x := 3"),
        expect![[r#"
        4:21: `x` is assigned twice in one transition | assigned before | the assignments of a transition happen all at once; drop one of them
    "#]],
    );
    check(
        &with("t: x = 1 -> x := nondet, x := nondet"),
        expect![[r#"
        4:26: `x` is assigned twice in one transition | assigned before | the assignments of a transition happen all at once; drop one of them
    "#]],
    );
    check(
        &with("t: x = 1 -> x := nondet + 1"),
        expect![[r#"
        4:25: expected `,` or the end of the line after `nondet`, found `+` | expected `,` or the end of the line after `nondet` | `nondet` is a whole right-hand side; give it a variable of its own
    "#]],
    );
    check(
        &with("t: x = 1 -> x := 1 + nondet"),
        expect![[r#"
        4:22: expected an expression, found the keyword `nondet` | expected an expression | `nondet` is a whole right-hand side, as in `x := nondet`; give it a variable of its own
    "#]],
    );
    check(
        &with("t: x = 1 -> x := y = 1"),
        expect![[r#"
        4:18: a number is needed here, but this is a truth value | true or false | only numbers are compared and computed with; put parentheses where they are meant
    "#]],
    );
    check(
        &with("t: x = 1 -> 1 := x"),
        expect![[r#"
        4:13: expected a variable to assign, found the number `1` | expected a variable to assign | -
    "#]],
    );
    check(
        &with("t: x = 1 -> w := v"),
        expect![[r#"
            4:13: the variable `w` is not declared | not declared | declare it with `var w`
            4:18: the variable `v` is not declared | not declared | declare it with `var v`
        "#]],
    );
    check(
        &with("t: x = 1 -> skip"),
        expect![[r#"
            4:17: expected `:=`, found the end of the line | expected `:=` | an assignment is written `variable := value`
        "#]],
    );
    check(
        &with("t: x = 1 -> x := 1 y := 2"),
        expect![[r#"
        4:20: expected an operator, `,` or the end of the line, found the name `y` | expected an operator, `,` or the end of the line | -
    "#]],
    );
}

#[test]
fn wrong_lines() {
    check(
        &with("t: true -> x := 1\nt: true -> x := 2"),
        expect![[r#"
        5:1: the label `t` is used twice | names another transition already | give each transition a name of its own
    "#]],
    );
    check(
        &with("safe: true -> x := 1"),
        expect![[r#"
            4:5: expected an expression, found `:` | expected an expression | `safe` is a keyword and cannot be a label
        "#]],
    );
    check(
        &with("t: x = 1 ->"),
        expect![[r#"
        5:1: expected a variable to assign, found the keyword `init` | expected a variable to assign | the line before ends in `->`, so this line continues it
    "#]],
    );
    check(
        &with("safe x = 1 &&"),
        expect![[r#"
        5:1: expected an expression, found the keyword `init` | expected an expression | the line before ends in `&&`, so this line continues it
    "#]],
    );
    check(
        &with("safe x = 1 &&\nt: x = 1 -> x := 2"),
        expect![[r#"
        5:2: expected an operator or the end of the line, found `:` | expected an operator or the end of the line | a label starts a line; check how the line before ends, and write `:=` to assign
    "#]],
    );
    check(
        &with("expect maybe"),
        expect![[r#"
        4:8: expected `safe` or `unsafe`, found the name `maybe` | expected `safe` or `unsafe` | -
    "#]],
    );
    check(
        &with("expect"),
        expect![[r#"
            4:7: expected `safe` or `unsafe`, found the end of the line | expected `safe` or `unsafe` | -
        "#]],
    );
    check(
        &with("-> x := 1"),
        expect![[r#"
        4:1: expected a statement, found `->` | expected a statement | -
    "#]],
    );
    check(
        &with("init"),
        expect![[r#"
            4:5: expected an expression, found the end of the line | expected an expression | -
        "#]],
    );
    check(
        &with("if x = 1 -> x := 1"),
        expect![[r#"
        4:1: no statement starts with `if` | unknown | a transition is written `if: guard -> variable := value`; other lines start with program, control, var, init, safe or expect
    "#]],
    );
}

#[test]
fn the_file_ends_too_early() {
    check(
        "program p\nvar x\ninit x = 0\nsafe x = 0 &&",
        expect![[r#"
        4:14: the file ends in the middle of a statement | expected an expression | a line that ends in `&&` continues on the next
    "#]],
    );
    check(
        "program p\nvar x\nsafe x = 0\ninit !(\n\n# c\n",
        expect![[r#"
        4:8: the file ends in the middle of a statement | expected an expression | a line that ends in `(` continues on the next
    "#]],
    );
    check(
        "program p\ninit true\nsafe true\nvar x,",
        expect![[r#"
        4:7: the file ends in the middle of a statement | expected the name of a variable | a line that ends in `,` continues on the next
    "#]],
    );
}

#[test]
fn several_errors_in_order() {
    check(
        "program p\nvar x y\ninit z = 0\nt: x == 1 -> x := 1\nt: x = 1 -> x := 1, x := 2\nt: x = 1 -> x := true\nsafe x",
        expect![[r#"
            2:7: expected `,` or the end of the line, found the name `y` | expected `,` or the end of the line | -
            4:6: expected an operator or `->`, found `==` | expected an operator or `->` | equality is written `=`
            5:21: `x` is assigned twice in one transition | assigned before | the assignments of a transition happen all at once; drop one of them
            6:1: the label `t` is used twice | names another transition already | give each transition a name of its own
            6:18: a number is needed here, but this is a truth value | true or false | variables are integers; use 1 and 0
            7:6: a truth value is needed here, but this is a number | a number | compare it, as in `x != 0`
        "#]],
    );
    let many = format!("program p\ninit true\nsafe true\n{}", "t: x y\n".repeat(100));
    assert_eq!(render(&many).lines().count(), MAX_ERRORS);
    let undeclared: String = (0..100).map(|i| format!("t{i}: u{i} = 1 -> u{i} := 1\n")).collect();
    assert_eq!(render(&format!("program p\ninit true\n{undeclared}safe true\n")).lines().count(), MAX_ERRORS);
}

#[test]
fn one_file_only() {
    let none = SourceFiles::new();
    assert_eq!(lower(&none).unwrap_err().to_string(), "a guarded-command program is one file, but 0 were given");
    let mut two = files("program p\ninit true\nsafe true");
    let file = two[FileId::new(0)].clone();
    two.push(file);
    assert_eq!(lower(&two).unwrap_err().to_string(), "a guarded-command program is one file, but 2 were given");
}
