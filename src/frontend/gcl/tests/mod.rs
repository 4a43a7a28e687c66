//! What programs become.

mod errors;
mod initial;
mod limits;

use super::lower;
use crate::program::{BinaryOp, Expr, FrontendErrors, Program, Role, SourceFile, SourceFiles, Statement, UnaryOp};
use expect_test::{Expect, expect};
use std::fmt::Write;

fn files(text: &str) -> SourceFiles {
    [SourceFile { name: "test.gcl".into(), text: text.into() }].into_iter().collect()
}

/// The program in a few lines, or the messages.
fn render(text: &str) -> String {
    let files = files(text);
    match lower(&files) {
        Ok(program) => render_program(&program),
        Err(errors) => render_errors(&files, &errors),
    }
}

fn check(text: &str, expect: Expect) {
    expect.assert_eq(&render(text));
}

/// Checks the `init` statements for variables x, y and z.
fn check_init(condition: &str, expect: Expect) {
    let program = lower(&files(&format!("program p\nvar x, y, z\ninit {condition}\nsafe true"))).unwrap();
    expect.assert_eq(&render_block(&program, &program.init));
}

fn check_expr(property: &str, expect: Expect) {
    let text = format!("program p\nvar x, y, z\ninit true\nt: {property} -> x := 0\nsafe true");
    let files = files(&text);
    let out = match lower(&files) {
        Ok(program) => {
            let edge = program.procedures[program.main].edges.iter().last().unwrap();
            match edge.block.as_slice() {
                [Statement::Assume(guard), _] => render_expr(&program, guard),
                block => render_block(&program, block),
            }
        }
        Err(errors) => render_errors(&files, &errors),
    };
    expect.assert_eq(&out);
}

fn render_errors(files: &SourceFiles, errors: &FrontendErrors) -> String {
    let mut out = String::new();
    for error in &errors.0 {
        let place = error.span.map(|span| files[span.file].line_and_column(span.start));
        let place = place.map_or("-".to_owned(), |(line, column)| format!("{line}:{column}"));
        let hint = error.hint.as_deref().unwrap_or("-");
        writeln!(out, "{place}: {} | {} | {hint}", error.message, error.label).unwrap();
    }
    out
}

fn render_program(program: &Program) -> String {
    let mut out = format!("program {}\n", program.name);
    for variable in &program.variables {
        let keyword = if variable.role == Role::Control { "control" } else { "var" };
        writeln!(out, "{keyword} {}: {}", variable.name, variable.ty).unwrap();
    }
    writeln!(out, "init {}", render_block(program, &program.init)).unwrap();
    let main = &program.procedures[program.main];
    let name = |id| main.locations[id].name.as_deref().unwrap_or("?").to_owned();
    for location in &main.locations {
        if let Some(error) = &location.error {
            writeln!(out, "error {}: {}", location.name.as_deref().unwrap_or("?"), error.message).unwrap();
        }
    }
    for edge in &main.edges {
        let (label, block) = (edge.label.as_deref().unwrap_or("_"), render_block(program, &edge.block));
        writeln!(out, "{label}: {} -> {} {block}", name(edge.source), name(edge.target)).unwrap();
    }
    out
}

fn render_block(program: &Program, block: &[Statement]) -> String {
    let name = |var| program.variables[var].name.as_str();
    let statement = |s: &Statement| match s {
        Statement::Assume(e) => format!("assume {}", render_expr(program, e)),
        Statement::Assign(pairs) => {
            let pairs: Vec<_> =
                pairs.iter().map(|(v, e)| format!("{} := {}", name(*v), render_expr(program, e))).collect();
            pairs.join(", ")
        }
        Statement::Havoc { target, span } => {
            let span = span.unwrap();
            let source = &program.sources[span.file].text[span.start as usize..span.end as usize];
            format!("havoc {} <{source}>", name(*target))
        }
        other => format!("{other:?}"),
    };
    format!("{{{}}}", block.iter().map(statement).collect::<Vec<_>>().join("; "))
}

fn render_expr(program: &Program, expr: &Expr) -> String {
    let all = |name: &str, operands: &[Expr]| {
        let operands: Vec<_> = operands.iter().map(|e| render_expr(program, e)).collect();
        format!("({name} {})", operands.join(" "))
    };
    match expr {
        Expr::Bool(value) => value.to_string(),
        Expr::Int(value, _) => value.to_string(),
        Expr::Var(var) => program.variables[*var].name.clone(),
        Expr::Unary(UnaryOp::Not, a) => format!("!{}", render_expr(program, a)),
        Expr::Unary(UnaryOp::Neg, a) => format!("-{}", render_expr(program, a)),
        Expr::And(operands) => all("and", operands),
        Expr::Or(operands) => all("or", operands),
        Expr::Binary(op, a, b) => {
            let symbol = match op {
                BinaryOp::Add => "+",
                BinaryOp::Sub => "-",
                BinaryOp::Mul => "*",
                BinaryOp::Eq => "=",
                BinaryOp::Ne => "!=",
                BinaryOp::Lt => "<",
                BinaryOp::Le => "<=",
                BinaryOp::Gt => ">",
                BinaryOp::Ge => ">=",
                BinaryOp::Implies => "=>",
                other => panic!("{other:?} is not of this language"),
            };
            format!("({} {symbol} {})", render_expr(program, a), render_expr(program, b))
        }
        other => panic!("{other:?} is not of this language"),
    }
}

#[test]
fn the_running_example() {
    check(
        include_str!("../../../../models/gcl/fig1_1.gcl"),
        expect![[r#"
        program fig1_1
        control pc1: int
        control pc2: int
        var x: int
        var y: int
        var b: int
        init {havoc x <x>; havoc y <y>; pc1 := 1; pc2 := 1; b := 0}
        error violated_14: `safe !(pc1 = 3 && pc2 = 3)` in line 14 does not hold
        _: loop -> violated_14 {assume (and (pc1 = 3) (pc2 = 3))}
        t1: loop -> loop {assume (pc1 = 1); b := (b + 1), pc1 := 2}
        t2: loop -> loop {assume (and (pc1 = 2) (x <= y) (b = 2)); pc1 := 3}
        t3: loop -> loop {assume (pc1 = 3); pc1 := 2; havoc x <x := nondet>}
        t4: loop -> loop {assume (pc2 = 1); b := (b + 1), pc2 := 2}
        t5: loop -> loop {assume (and (pc2 = 2) (x > y) (b = 2)); pc2 := 3}
        t6: loop -> loop {assume (pc2 = 3); pc2 := 2; havoc y <y := nondet>}
    "#]],
    );
}

#[test]
fn everything_but_the_first_line_in_any_order() {
    check(
        "\u{feff}# 1\r\nprogram rax-45.b\r\nsafe x >= 0 && \r\n\r\n  # in between\r\n  c != 1 # after\r\nt: true ->\r\n\tx := nondet,\r\n\ty := x\r\ninit x = 0\r\nvar x\r\ncontrol c\r\nvar y\r\nexpect unsafe",
        expect![[r#"
            program rax-45.b
            var x: int
            control c: int
            var y: int
            init {havoc c <c>; havoc y <y>; x := 0}
            error violated_3: `safe x >= 0 && c != 1` in line 3 does not hold
            _: loop -> violated_3 {assume !(and (x >= 0) (c != 1))}
            t: loop -> loop {y := x; havoc x <x := nondet>}
        "#]],
    );
}

#[test]
fn spans_are_those_of_the_statements() {
    let text = "program p # c\nvar x\ninit x = 0\nt: x = 1 ->\n x := 2 # c\nsafe x = 0  \n";
    let program = lower(&files(text)).unwrap();
    let main = &program.procedures[program.main];
    let at = |span: Option<crate::program::Span>| span.map(|s| &text[s.start as usize..s.end as usize]);
    assert_eq!(at(program.variables.iter().next().unwrap().span), Some("x"));
    assert_eq!(at(main.locations[main.entry].span), Some("program p"));
    let edges: Vec<_> = main.edges.iter().map(|e| at(e.span).unwrap()).collect();
    assert_eq!(edges, ["safe x = 0", "t: x = 1 ->\n x := 2"]);
    assert!(main.locations.iter().all(|l| l.span.is_some()));
    assert!(main.edges.iter().all(|e| e.source == main.entry && e.target != main.exit));
}

#[test]
fn initial_conditions() {
    check_init("true", expect!["{havoc x <x>; havoc y <y>; havoc z <z>}"]);
    check_init("false", expect!["{havoc x <x>; havoc y <y>; havoc z <z>; assume false}"]);
    check_init("x = 1 && y = x + 1 && z = y", expect!["{x := 1; y := (x + 1); z := y}"]);
    check_init("z = y && y = x + 1 && 1 = x", expect!["{x := 1; y := (x + 1); z := y}"]);
    check_init("x = y && x = 5", expect!["{havoc z <z>; x := 5; y := x}"]);
    check_init("x = y && y = x", expect!["{havoc x <x>; havoc z <z>; y := x; assume (y = x)}"]);
    check_init("x = 1 && x = 2", expect!["{havoc y <y>; havoc z <z>; x := 1; assume (x = 2)}"]);
    check_init("x = x + 1", expect!["{havoc x <x>; havoc y <y>; havoc z <z>; assume (x = (x + 1))}"]);
    check_init("x = x", expect!["{havoc x <x>; havoc y <y>; havoc z <z>; assume (x = x)}"]);
    check_init("x = y + z", expect!["{havoc y <y>; havoc z <z>; x := (y + z)}"]);
    check_init("x = y + z && y = x - z", expect!["{havoc x <x>; havoc z <z>; y := (x - z); assume (x = (y + z))}"]);
    check_init("x = y && y = z && z = x", expect!["{havoc x <x>; y := x; z := x; assume (y = z)}"]);
    check_init("(x = 1 && (y = 2 && z = 3))", expect!["{x := 1; y := 2; z := 3}"]);
    check_init(
        "x >= 0 && x <= 3 && (y = 1 || y = 2) && !(z = 1)",
        expect![
            "{havoc x <x>; havoc y <y>; havoc z <z>; assume (x >= 0); assume (x <= 3); assume (or (y = 1) (y = 2)); assume !(z = 1)}"
        ],
    );
    check_init("!(!(x = 1 && y = 2))", expect!["{havoc z <z>; x := 1; y := 2}"]);
    check_init(
        "-x = 3 && 2 * y = 4",
        expect!["{havoc x <x>; havoc y <y>; havoc z <z>; assume (-x = 3); assume ((2 * y) = 4)}"],
    );
}

#[test]
fn precedence() {
    check_expr(
        "x = 1 && y = 2 || z = 3 => x < 1 || y > 2 && z >= 3",
        expect!["((or (and (x = 1) (y = 2)) (z = 3)) => (or (x < 1) (and (y > 2) (z >= 3))))"],
    );
    check_expr("x = 1 => y = 1 => z = 1", expect!["((x = 1) => ((y = 1) => (z = 1)))"]);
    check_expr("!(x = 1) && !!(y != 2)", expect!["(and !(x = 1) (y != 2))"]);
    check_expr("x - y - z + 1 * -2 <= -(-x) - -1", expect!["((((x - y) - z) + -2) <= (--x - -1))"]);
    check_expr(
        "(x = 1 && y = 1) && (z = 1 || (x = 2 || true))",
        expect!["(and (x = 1) (y = 1) (or (z = 1) (x = 2) true))"],
    );
    check_expr("2 * 3 * x * (4 - 5) + 2 * (1 + 1) > (x + y) * 2", expect!["(((-6 * x) + 4) > (2 * (x + y)))"]);
    check_expr("true", expect!["{x := 0}"]);
    check_expr("x = 123456789012345678901234567890 - 1", expect!["(x = 123456789012345678901234567889)"]);
    check_expr("x<-1", expect!["(x < -1)"]);
    check_expr("((((x)))) = ((1))", expect!["(x = 1)"]);
}
