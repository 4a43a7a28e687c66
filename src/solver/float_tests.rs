//! The circuits of floating-point operators are, on small formats, what Z3's own theory says.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

use crate::term::theory_queries;
use std::io::Write;
use std::process::{Command, Stdio};

/// Asks Z3 whether something has no model; one query after the other, each without what others declared.
fn all_unsatisfiable(queries: &[String]) {
    let program = super::locate(None).unwrap().program;
    let mut child =
        Command::new(program).args(["-in", "-T:300"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let text: String =
        queries.iter().map(|query| format!("(reset)\n(set-logic QF_BVFP)\n{query}\n(check-sat)\n")).collect();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let answers: Vec<&str> = output.lines().collect();
    assert_eq!(answers.len(), queries.len(), "{output}");
    for (answer, query) in answers.iter().zip(queries) {
        assert_eq!(*answer, "unsat", "{query}");
    }
}

#[test]
fn circuits_are_what_the_theory_of_floats_says() {
    all_unsatisfiable(&theory_queries());
}
