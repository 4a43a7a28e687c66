//! The examples: each in a right and a wrong version, verified without options.

mod support;

use support::{finish, root, tandem};

/// The lines of a report and the exit status.
fn verify(name: &str) -> (String, Option<i32>) {
    let mut command = tandem();
    command.current_dir(root()).args(["verify", name]);
    let ran = finish(command.output().expect("it starts"));
    (ran.stdout, ran.status)
}

fn assert_safe(path: &str, properties: usize) {
    let (report, status) = verify(path);
    assert_eq!(status, Some(0), "{report}");
    assert_eq!(report.lines().filter(|line| line.ends_with("  safe")).count(), properties, "a line each: {report}");
}

/// The counterexample fits a screen, and has names of the source only.
fn assert_unsafe(path: &str) {
    let (report, status) = verify(path);
    assert_eq!(status, Some(1), "{report}");
    let told = report.lines().skip_while(|line| !line.starts_with("counterexample"));
    assert!(told.take_while(|line| !line.starts_with("statistics")).count() <= 40, "{report}");
    let mut cause = report.lines().skip_while(|line| !line.trim_start().starts_with("violated "));
    assert!(cause.next().is_some(), "{report}");
    assert!(cause.next().is_some_and(|line| line.trim_start().starts_with(&format!("{path}:"))), "{report}");
    assert!(report.contains("unknown, as another one was violated first"), "{report}");
    let is_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    assert!(!report.split(['%', '&']).skip(1).any(is_digit), "{report}");
}

#[test]
fn examples_in_c() {
    let names =
        ["bignum", "binary_search", "bitset", "hash_table", "linked_list", "matrix", "parser", "priority_queue"];
    for name in names.iter().chain(&["ring_buffer", "state_machine", "text_statistics", "utf8"]) {
        assert_safe(&format!("examples/c/{name}.c"), 8);
        assert_unsafe(&format!("examples/c/{name}_bug.c"));
    }
}

#[test]
fn examples_in_java() {
    for name in ["Bank", "LruCache", "ProducerConsumer"] {
        assert_safe(&format!("examples/java/{name}.java"), 2);
        assert_unsafe(&format!("examples/java/{name}Bug.java"));
    }
}

#[test]
fn several_properties_are_given_in_any_way() {
    let mut command = tandem();
    let list = ["--property", "assert", "--property", "no-overflow,valid-deref"];
    command.current_dir(root()).args(["verify", "examples/c/binary_search_bug.c"]).args(list);
    let ran = finish(command.output().expect("it starts"));
    assert_eq!(ran.status, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("valid-deref  unsafe"), "{}", ran.stdout);
    let mut command = tandem();
    command.current_dir(root()).args(["verify", "examples/c/midpoint.c", "--property", "assert,no-deadlock"]);
    let ran = finish(command.output().expect("it starts"));
    assert_eq!(ran.status, Some(3), "{}", ran.stdout);
    assert!(ran.stderr.contains("cannot be explored together"), "{}", ran.stderr);
}
