//! What programs print.

use super::{Given, Inputs, Outcome, program, run, straight};
use crate::concrete::{Fault, Machine, NoInputs};
use crate::program::control::Flow;

fn printed(block: &str) -> Result<String, Fault> {
    let program = program(&straight("global p: ptr\nglobal x: i32", &format!("x := -7i32; {block}")));
    let mut machine = Machine::new(&program);
    machine.keep_output();
    let inputs: &mut dyn Inputs = &mut Given(vec![]);
    run(&mut machine, inputs)?;
    Ok(String::from_utf8_lossy(&machine.take_output()).into_owned())
}

/// The text of a value in a style, between bars.
#[track_caller]
fn check(value: &str, style: &str, expected: &str) {
    let output = printed(&format!(r#"output "|", {value}: "{style}", "|""#));
    assert_eq!(output, Ok(format!("|{expected}|")), "{value} as {style}");
}

#[test]
fn integers() {
    check("x", "%d", "-7");
    check("x", "%5d", "   -7");
    check("x", "%-5d", "-7   ");
    check("x", "%05d", "-0007");
    check("x", "%+.3d", "-007");
    check("7i8", "%+d", "+7");
    check("7i8", "% 04d", " 007");
    check("7u8", "%+d", "7");
    check("0i32", "%.0d", "");
    check("x", "%x", "fffffff9");
    check("255u8", "%#X", "0XFF");
    check("255u8", "%#08x", "0x0000ff");
    check("8u8", "%#o", "010");
    check("0u8", "%#.0o", "0");
    check("0u8", "%#x", "0");
    check("65i32", "%c", "A");
    check("65i32", "%3c", "  A");
    check("-123456789012345678901234567890", "%d", "-123456789012345678901234567890");
}

#[test]
fn floating_point_numbers() {
    check("f64\"0.1\"", "%f", "0.100000");
    check("f64\"2.5\"", "%.0f", "2");
    check("f64\"3.5\"", "%.0f", "4");
    check("f64\"0.125\"", "%.2f", "0.12");
    check("f64\"1e23\"", "%.0f", "99999999999999991611392");
    check("f64\"-1.5\"", "%08.2f", "-0001.50");
    check("f64\"1\"", "%#.0f", "1.");
    check("f64\"12345.678\"", "%e", "1.234568e+04");
    check("f64\"0\"", "%.2E", "0.00E+00");
    check("f64\"1e-300\"", "%g", "1e-300");
    check("f64\"0.0001\"", "%g", "0.0001");
    check("f64\"0.00001\"", "%g", "1e-05");
    check("f64\"100000\"", "%g", "100000");
    check("f64\"1000000\"", "%g", "1e+06");
    check("f64\"999999.5\"", "%g", "1e+06");
    check("f64\"1.5\"", "%#g", "1.50000");
    check("f32\"0.1\"", "%.10f", "0.1000000015");
    check("f64\"inf\"", "%05f", "  inf");
    check("f64\"0\" / f64\"0\"", "%G", "-NAN");
}

#[test]
fn strings_and_pointers() {
    let string = "p := allocate(static, 4i64); [p] := 6513249i32;";
    let with = |value: &str, style: &str| printed(&format!(r#"{string} output {value}: "{style}", "|""#));
    assert_eq!(with("p", "%s"), Ok("abc|".into()));
    assert_eq!(with("pointer_add(p, 1i64)", "%5s"), Ok("   bc|".into()));
    assert_eq!(with("p", "%-5.2s"), Ok("ab   |".into()));
    assert_eq!(with("null", "%s"), Ok("(null)|".into()));
    assert_eq!(with("null", "%.3s"), Ok("|".into()));
    assert_eq!(with("null", "%7p"), Ok("  (nil)|".into()));
    assert_eq!(with("ptr(255u8)", "%p"), Ok("0xff|".into()));
    assert_eq!(with("ptr(255u8)", "%s"), Err(Fault::Wild));
    assert_eq!(with("pointer_add(p, 4i64)", "%s"), Err(Fault::OutOfBounds));
    let open = "p := allocate(static, 2i64); fill p, 65u8, 2i64;";
    assert_eq!(printed(&format!(r#"{open} output p: "%s""#)), Err(Fault::OutOfBounds));
    assert_eq!(printed(&format!(r#"{open} output p: "%.2s""#)), Ok("AA".into()));
}

#[test]
fn a_step_that_is_not_taken_prints_nothing() {
    let program = program(&straight("global x: int", r#"x := 1; output "no"; assume x == 2"#));
    let mut machine = Machine::new(&program);
    machine.keep_output();
    machine.start(&mut NoInputs).unwrap();
    let step = machine.control().steps(&program, &Flow::of(&program))[0];
    assert_eq!(machine.step(step, &mut NoInputs), Ok(Outcome::Blocked));
    assert_eq!(machine.take_output(), b"");
}
