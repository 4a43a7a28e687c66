//! C files that are no programs, or that are out of all proportion, end with a message and status 3.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::fs;
use support::{Ran, argument, run};

/// What `show` and `verify` say of a file with these bytes.
fn both(bytes: &[u8]) -> [Ran; 2] {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.c");
    fs::write(&path, bytes).unwrap();
    [run(&["show", argument(&path)]), run(&["verify", argument(&path), "--time-limit", "60s"])]
}

#[track_caller]
fn refused(bytes: impl AsRef<[u8]>, message: &str) {
    for ran in both(bytes.as_ref()) {
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(3), ""), "{ran:?}");
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}

#[track_caller]
fn accepted(text: impl AsRef<[u8]>) {
    for ran in both(text.as_ref()) {
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    }
}

#[test]
fn what_is_no_text_is_refused() {
    refused("", "is empty");
    refused(" \n\t\n", "is empty");
    let bytes: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    refused(bytes, "not UTF-8");
    refused("int main(void) { return 0; }\0\0", "is no part of C");
    refused("nothing here is C", "unknown type `nothing`");
    refused("int x;", "no function `main`");
}

#[test]
fn a_truncated_file_is_refused_wherever_it_ends() {
    let text = include_str!("corpus/c/library/strings.c");
    let start = text.find("int main").unwrap() + "int main(void) {".len();
    let last = text.rfind('}').unwrap();
    for end in (start..=last).step_by(97) {
        for ran in both(&text.as_bytes()[..end]) {
            assert_eq!(ran.status, Some(3), "{}: {ran:?}", &text[..end]);
            assert_ne!(ran.stderr, "");
        }
    }
}

#[test]
fn a_huge_file_is_refused() {
    refused("int x;\n".repeat((50 << 20) / 7), "has 49 MB, but at most 32 are read");
}

#[test]
fn deep_nesting_is_refused_and_long_chains_are_read() {
    let nested = |open: &str, inner: &str, close: &str| {
        format!("int f(int x) {{ return x; }}\nint main(void) {{ int x = 1; {} return x - 1; }}", {
            let depth = 100_000;
            format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
        })
    };
    for (open, inner, close) in [
        ("(", "x", ");"),
        ("{", "", "}"),
        ("- ", "x;", ""),
        ("if (x) ", ";", ""),
        ("f(", "x", ")"),
        ("({ ", "x;", "});"),
    ] {
        refused(nested(open, inner, close), "nests more than");
    }
    let chain = |before: &str, link: &str, after: &str| {
        format!("int main(void) {{ int x = 1; {before}{}{after} return x - 1; }}", link.repeat(20_000))
    };
    accepted(chain("x = x", " + x - x", ";"));
    accepted(chain("if (x);", " else if (x) ;", ""));
    accepted(chain("x = x", " && x", ";"));
    accepted(chain("", "x = 1;", ""));
    let labels: String = (0..20_000).map(|i| format!("l{i}: ")).collect();
    accepted(format!("int main(void) {{ {labels} return 0; }}"));
}
