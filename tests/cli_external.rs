//! What is told of functions without a body, and what the competition's rules make of them.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use support::{Ran, run};

const PROGRAM: &str = "void reach_error(void);
int level;
int outside(int n);
int main(void) {
  level = 1;
  outside(2);
  if (level != 1)
    reach_error();
  return 0;
}
";

/// The verdict on the program, by name of the property or by a file.
fn verified(property: &str, more: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let (program, file) = (folder.path().join("a.c"), folder.path().join("a.prp"));
    std::fs::write(&program, PROGRAM).unwrap();
    std::fs::write(&file, "CHECK( init(main()), LTL(G ! call(reach_error())) )\n").unwrap();
    let property = if property == "a.prp" { file.to_str().unwrap() } else { property };
    let arguments = ["verify", program.to_str().unwrap(), "--engine", "explicit", "--property", property];
    run(&[&arguments, more].concat())
}

#[test]
fn the_report_names_functions_without_a_body_at_its_top() {
    let ran = verified("assert", &[]);
    let place = ran.stdout.find("`outside` has no body: any result was assumed").unwrap();
    assert!(place < ran.stdout.find("statistics").unwrap(), "{}", ran.stdout);
    let ran = verified("assert", &["--json"]);
    assert!(ran.stdout.contains("`outside` has no body: any result was assumed"), "{}", ran.stdout);
}

#[test]
fn a_function_without_a_body_writes_globals_but_not_in_the_competition() {
    let ran = verified("assert", &[]);
    assert_eq!(ran.status, Some(1), "{}", ran.stdout);
    let ran = verified("a.prp", &[]);
    assert_eq!(ran.status, Some(0), "{}", ran.stdout);
}
