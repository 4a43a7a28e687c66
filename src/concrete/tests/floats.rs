//! Floating-point numbers in the interpreter.

use super::{result, straight};

#[track_caller]
fn check(expression: &str, ty: &str, expected: &str) {
    let source = straight(
        &format!("global r: {ty}\nglobal p: ptr"),
        &format!("p := allocate(heap, 8i64); [p] := f64\"-2.5\"; r := {expression};"),
    );
    assert_eq!(result(&source, "r", &[]), Ok(expected.into()), "{expression}");
}

#[test]
fn arithmetic_rounds_in_its_format() {
    check("f64\"0.1\" + f64\"0.2\"", "f64", "0.30000000000000004");
    check("f32\"0.1\" + f32\"0.2\"", "f32", "0.3");
    check("f32\"16777216\" + f32\"1\"", "f32", "16777216.0");
    check("f64\"1\" / f64\"0\"", "f64", "inf");
    check("-(f64\"0\" / f64\"0\")", "f64", "nan(0x7ff8000000000000)");
    check("-f64\"0\"", "f64", "-0.0");
    check("f64\"1e308\" * f64\"10\" - f64\"inf\"", "f64", "nan(0xfff8000000000000)");
}

#[test]
fn comparisons_know_what_is_no_number() {
    for op in ["==", "<", "<=", ">", ">="] {
        check(&format!("f64\"nan(0x7ff8000000000000)\" {op} f64\"nan(0x7ff8000000000000)\""), "bool", "false");
    }
    check("f64\"nan(0x7ff8000000000000)\" != f64\"1\"", "bool", "true");
    check("f64\"0\" == f64\"-0.0\" && f32\"1\" < f32\"1.5\"", "bool", "true");
    check("is_nan(f32\"nan(0x7fc00000)\") && !is_nan(f32\"inf\") && is_infinite(f32\"-inf\")", "bool", "true");
    check("sign_bit(f32\"-0.0\") && !sign_bit(f64\"1\")", "bool", "true");
}

#[test]
fn casts_round_and_saturate() {
    check("i32(f64\"-2.99\")", "i32", "-2");
    check("u8(f64\"300\")", "u8", "255");
    check("u8(f64\"-1\")", "u8", "0");
    check("i64(f64\"nan(0x7ff8000000000000)\")", "i64", "0");
    check("i8(f32\"-inf\")", "i8", "-128");
    check("f32(16777217i32)", "f32", "16777216.0");
    check("f32(16777219i32)", "f32", "16777220.0");
    check("f64(18446744073709551615u64)", "f64", "1.8446744073709552e19");
    check("f64(340282366920938463463374607431768211455u128)", "f64", "3.402823669209385e38");
    check("f32(f64\"0.1\")", "f32", "0.1");
    check("f64(f32\"0.1\")", "f64", "0.10000000149011612");
    check("f64(true)", "f64", "1.0");
    check("bool(f64\"-0.0\") || !bool(f64\"nan(0x7ff8000000000000)\")", "bool", "false");
}

#[test]
fn memory_holds_the_bits() {
    check("f64[p]", "f64", "-2.5");
    check("u64[p]", "u64", "13836183955189006336");
    check("u8[pointer_add(p, 7i64)]", "u8", "192");
}
