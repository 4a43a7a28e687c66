//! `tandem run` of C programs prints what they print, and tells how they end.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::fs;
use support::{Ran, argument, run};

fn run_c(source: &str, options: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.c");
    fs::write(&path, source).unwrap();
    run(&[&["run", argument(&path)], options].concat())
}

/// What the body of `main` prints, at 64 bits.
#[track_caller]
fn check(body: &str, expected: &str) {
    let ran = run_c(&format!("#include <stdio.h>\nint main(void) {{ {body} }}"), &["--quiet"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.status), (expected, "", Some(0)));
}

#[track_caller]
fn refused(body: &str, what: &str) {
    let ran = run_c(&format!("#include <stdio.h>\nint main(void) {{ {body} }}"), &["--quiet"]);
    assert_eq!((ran.stdout.as_str(), ran.status), ("", Some(3)), "{ran:?}");
    assert!(ran.stderr.contains(what), "{}", ran.stderr);
}

#[test]
fn values_are_converted_as_the_format_says() {
    check(r#"printf("%hhd %hhu %hd %hu\n", 200, -3, 70000, -1);"#, "-56 253 4464 65535\n");
    check(
        r#"printf("%d %u %x %lx %lld\n", -1, -1, -1, -1L, 1LL << 40);"#,
        "-1 4294967295 ffffffff ffffffffffffffff 1099511627776\n",
    );
    check(
        r#"printf("%zu %td %jd|%5d|%-5d|%05d\n", sizeof 1, &"ab"[1] - &"ab"[0], 4L, 42, 42, 42);"#,
        "4 1 4|   42|42   |00042\n",
    );
    check(r#"printf("%*d|%-*d|%.*s|%*d\n", 4, 1, 3, 2, 2, "abc", -3, 5);"#, "   1|2  |ab|5  \n");
    check(
        r#"printf("%c%c%% %.2f %e %g\n", 'a', 98 + 256, 2.0 / 3, 12345.678, (double)1e-7f);"#,
        "ab% 0.67 1.234568e+04 1e-07\n",
    );
}

#[test]
fn every_way_to_standard_output_is_shown_and_no_other() {
    check(r#"puts("a"); putchar('b'); fputs("c\n", stdout); fputc('d', stdout); putc('\n', stdout);"#, "a\nbc\nd\n");
    check(r#"fprintf(stdout, "%d\n", 1); fprintf(stderr, "%d\n", 2); fputs("x", stderr); perror("y");"#, "1\n");
    check(r#"char text[] = "abc"; text[1] = 'x'; puts(text); printf("%s%s\n", text + 1, "lit");"#, "axc\nxclit\n");
    check(r#"int n = printf("abc\n"); int c = putchar(321); printf("\n%d %d\n", n, c);"#, "abc\nA\n4 65\n");
}

#[test]
fn what_is_not_known_of_a_format_is_refused_by_name() {
    refused(r#"int n; printf("a%n", &n);"#, "`%n` in the format of `printf`");
    refused(r#"printf("%2$d", 1, 2);"#, "`%2$` in the format of `printf`");
    refused(r#"char *format = "x"; printf(format);"#, "a format that is no string literal");
    refused(r#"printf("%s", 1);"#, "this argument of `printf` for `%s`");
    refused(r#"printf("%ld", 1);"#, "this argument of `printf` for `%ld`");
    refused(r#"printf("%d");"#, "this argument of `printf` for `%d`");
    refused(r#"return printf("%d", 1);"#, "the number of characters that `printf` prints");
    refused(r#"FILE *f = fopen("f", "w"); fputs("x", f);"#, "a stream other than `stdout` or `stderr`");
}

#[test]
fn the_status_is_shown_apart_from_the_output() {
    let ran = run_c("int puts(const char *s); int main(void) { puts(\"x\"); return 259; }", &["--quiet"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("x\n", "the program has ended with status 3\n"));
    let ran = run_c("void exit(int s); int main(void) { exit(-1); }", &[]);
    assert!(ran.stdout.contains("final state: the program has ended with status 255"), "{}", ran.stdout);
    let ran = run_c("int puts(const char *s); int main(void) { puts(\"x\"); }", &[]);
    assert!(ran.stdout.contains("prints \"x\\n\""), "{}", ran.stdout);
    assert!(ran.stdout.contains("ended with status 0"), "{}", ran.stdout);
    let ran = run_c("void abort(void); int main(void) { abort(); }", &["--quiet"]);
    assert!(ran.stderr.contains("status 134"), "{}", ran.stderr);
}

#[test]
fn an_error_is_a_remark_and_no_output() {
    let source = "int puts(const char *s); void reach_error(void) {} int main(void) { puts(\"x\"); reach_error(); }";
    let ran = run_c(source, &["--quiet"]);
    assert_eq!((ran.stdout.as_str(), ran.status), ("x\n", Some(1)), "{ran:?}");
    assert!(ran.stderr.contains("reach_error"), "{}", ran.stderr);
}
