//! Every access, copy, fill and free of memory that may be invalid keeps a proof from being one, and no other does.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use support::{argument, run};

const ENGINES: [&[&str]; 4] = [&["explicit"], &["cegar"], &["symbolic"], &["symbolic", "--bound"]];

/// Bodies of `main` in which something may be invalid for some value of `n`, which is 0, 1 or 2.
const INVALID: [&str; 15] = [
    "a[n] = s;",
    "s = a[n];",
    "memset(a, 0, n * 12);",
    "memset(&a[n], 0, sizeof s);",
    "memcpy(a, b, n * 12);",
    "memcpy(b, a, n * 12);",
    "memmove(&b[n], &b[1], sizeof s);",
    "memmove(&b[1], &b[n], sizeof s);",
    "memcpy(&s, a, 0 - n);",
    "struct S *p = n ? a : 0; s = *p;",
    "char *p = malloc(n + 1); p[1] = 3;",
    "char *p = malloc(n + 1); if (p[1] == 3) n = 0;",
    "int *p[2] = {malloc(4), malloc(4)}; free(p[n & 1]); *p[0] = 1;",
    "int *p[2] = {malloc(4), malloc(4)}; free(p[n & 1]); free(p[0]);",
    "int *p = malloc(4); if (n) p = &a[0].x; free(p);",
];

/// Bodies in which nothing is.
const VALID: [&str; 9] = [
    "if (n < 2) a[n] = s;",
    "if (n < 2) s = a[n];",
    "memset(a, 0, n * 8);",
    "memset(&a[n], 0, 0);",
    "memcpy(a, b, n * 8);",
    "if (n > 0) memmove(&b[n - 1], &b[1], sizeof s);",
    "struct S *p = n ? a : 0; if (p) s = *p;",
    "int *p = malloc(4), *q = malloc(4); if (n) free(p); else free(q); *(n ? q : p) = 1;",
    "memset(0, 0, n - n);",
];

fn source(body: &str) -> String {
    format!(
        "#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n\
         extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n\
         struct S {{ int x, y; }};\n\
         int main(void) {{\n  struct S a[2] = {{{{1, 2}}}}, b[2] = {{{{3, 4}}}}, s = {{5, 6}};\n  \
         int n = __VERIFIER_nondet_int();\n  __VERIFIER_assume(n >= 0 && n <= 2);\n  {body}\n  \
         assert(n >= 0);\n  return 0;\n}}\n"
    )
}

fn verdict(body: &str, engine: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.c");
    std::fs::write(&path, source(body)).unwrap();
    let mut arguments = vec!["verify", argument(&path), "--property", "assert", "--time-limit", "10s", "--engine"];
    arguments.extend(engine);
    let ran = run(&arguments);
    assert!(!ran.stdout.contains("internal error"), "{body}: {ran:?}");
    ran.last_line().to_owned()
}

#[test]
fn what_may_be_invalid_is_never_proved() {
    for body in INVALID {
        for engine in ENGINES {
            assert_eq!(verdict(body, engine), "verdict: unknown", "{body} by {engine:?}");
        }
    }
}

#[test]
fn what_is_valid_is_proved() {
    for body in VALID {
        for engine in [&["explicit"], &["cegar"]] {
            assert_eq!(verdict(body, engine), "verdict: safe", "{body} by {engine:?}");
        }
    }
}
