//! What small C programs become.

use super::{Checks, Options, lower_files};
use crate::frontend::c::DataModel;
use crate::program::{SourceFile, SourceFiles, text};
use expect_test::{Expect, expect};

/// Compares the edges of a program, without places, with what is expected.
fn check(source: &str, options: &Options, expected: Expect) {
    let mut files = SourceFiles::new();
    files.push(SourceFile { name: "test.c".to_owned(), text: source.to_owned() });
    let program = lower_files(&files, DataModel::Lp64, options).expect("the program is supported");
    let printed = text::print(&program);
    let is_shown =
        |line: &&str| !["location", "local", "source", "\""].iter().any(|it| line.trim_start().starts_with(it));
    let from_init = printed.lines().skip_while(|line| !line.starts_with("init") && !line.starts_with("procedure"));
    let shown =
        from_init.take_while(|line| !line.starts_with("source")).filter(is_shown).filter(|line| !line.is_empty());
    expected.assert_eq(&shown.map(|line| format!("{}\n", without_places(line))).collect::<String>());
}

/// The line without the parts that start with `@`.
fn without_places(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let words: Vec<&str> = line.split_whitespace().filter(|word| !word.starts_with('@')).collect();
    format!("{}{}", &line[..indent], words.join(" "))
}

#[test]
fn narrow_types_are_computed_in_int_and_bit_fields_in_their_unit() {
    check(
        "struct { unsigned a : 3; int b : 7; } s; int main(void) { unsigned char c = 250; int x = (c += 10) + 1; \
         s.b = x; return s.b; }",
        &Options::default(),
        expect![[r#"
            init {
              `&s` := allocate(static, 4i64, zeroed);
            }
            procedure main() -> result {
              edge L0 -> L1 {
                c := 250u8;
                c := u8(i32(c) + 10i32);
                x := i32(c) + 1i32;
                [`&s`] := u16[`&s`] & 64519u16 | u16(x) << 3u16 & 1016u16;
                result := i32(i7(u16[`&s`] >> 3u16));
              }
            }
        "#]],
    );
}

#[test]
fn operands_that_later_ones_change_are_kept() {
    check(
        "int g; int f(void) { return ++g; } int main(void) { int i = 1; int a[3] = {0, i, 2}; \
         return g + f() + (i && a[i++]); }",
        &Options::default(),
        expect![[r#"
            init {
              g := 0i32;
            }
            procedure main() -> result {
              edge L2 -> L3 { `%5` := call f(); }
              edge L3 -> L6 {
                assume i != 0i32;
                `%7` := i;
                i := `%7` + 1i32;
              }
              edge L3 -> L4 { assume i == 0i32; }
              edge L6 -> L5 {
                assume i32[pointer_add(`&a`, i64(`%7`) * 4i64)] != 0i32;
                `%6` := true;
              }
              edge L6 -> L4 { assume i32[pointer_add(`&a`, i64(`%7`) * 4i64)] == 0i32; }
              edge L4 -> L5 { `%6` := false; }
              edge L5 -> L1 { result := `%4` + `%5` + i32(`%6`); }
              edge L0 -> L2 {
                `&a` := allocate(stack, 12i64);
                i := 1i32;
                fill `&a`, 0u8, 12i64;
                [`&a`] := 0i32;
                [pointer_add(`&a`, 4i64)] := i;
                [pointer_add(`&a`, 8i64)] := 2i32;
                `%4` := g;
              }
            }
            procedure f() -> result {
              edge L0 -> L1 {
                g := g + 1i32;
                result := g;
              }
            }
        "#]],
    );
}

#[test]
fn overflow_is_an_edge_where_it_is_asked_for() {
    let options = Options { checks: Checks { overflow: true, ..Checks::default() }, ..Options::default() };
    check(
        "int main(void) { int x = 1; short h = 2; h += x; return x * h / x; }",
        &options,
        expect![[r#"
            procedure main() -> result {
              edge L0 -> L3 {
                x := 1i32;
                h := 2i16;
              }
              edge L3 -> L6 {
                assume i64(i32(h)) + i64(x) >= -2147483648i64 && i64(i32(h)) + i64(x) <= 2147483647i64;
                h := i16(i32(h) + x);
              }
              edge L3 -> L2 {
                assume !(i64(i32(h)) + i64(x) >= -2147483648i64 && i64(i32(h)) + i64(x) <= 2147483647i64);
              }
              edge L6 -> L5 {
                assume i64(x) * i64(i32(h)) >= -2147483648i64 && i64(x) * i64(i32(h)) <= 2147483647i64;
              }
              edge L6 -> L4 {
                assume !(i64(x) * i64(i32(h)) >= -2147483648i64 && i64(x) * i64(i32(h)) <= 2147483647i64);
              }
              edge L5 -> L8 { assume x != 0i32; }
              edge L5 -> L7 { assume x == 0i32; }
              edge L8 -> L1 {
                assume x * i32(h) != -2147483648i32 || x != -1i32;
                result := x * i32(h) / x;
              }
              edge L8 -> L9 { assume !(x * i32(h) != -2147483648i32 || x != -1i32); }
            }
        "#]],
    );
}

#[test]
fn what_is_printed_is_there_only_for_execution() {
    let source =
        "int printf(const char *, ...); int main(void) { unsigned char c = 200; return printf(\"%hhd%%\\n\", c), 3; }";
    check(
        source,
        &Options::default(),
        expect![[r#"
            procedure main() -> result {
              edge L0 -> L1 {
                c := 200u8;
                result := 3i32;
              }
            }
        "#]],
    );
    check(
        source,
        &Options { executes: true, ..Options::default() },
        expect![[r#"
            procedure main() -> result {
              edge L0 -> L1 {
                c := 200u8;
                output i8(i32(c)): "%d", "%\n";
                result := 3i32;
                `exit status` := i32(result);
              }
            }
        "#]],
    );
}
