//! Files of predicates: they are given to engines, and those that were found can be read again; assumptions are checked.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::fs;
use std::path::PathBuf;
use support::{Ran, argument, run};
use tempfile::TempDir;

/// A folder with a program and a file of predicates.
struct Files {
    _folder: TempDir,
    program: PathBuf,
    predicates: PathBuf,
}

fn files(name: &str, program: &str, predicates: &str) -> Files {
    let folder = tempfile::tempdir().unwrap();
    let (path, given) = (folder.path().join(name), folder.path().join("given.pred"));
    fs::write(&path, program).unwrap();
    fs::write(&given, predicates).unwrap();
    Files { program: path, predicates: given, _folder: folder }
}

/// Verifies with the predicates.
fn verify(files: &Files, more: &[&str]) -> Ran {
    let arguments = ["verify", argument(&files.program), "--property", "assert", "--time-limit", "60s"];
    let given = ["--predicates", argument(&files.predicates)];
    run(&[&arguments[..], &given, more].concat())
}

const LOOP: &str = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct pair { int low; int high; };
struct pair both;
int values[4];
int count(int n) {
  int i = 0;
  while (i < n) { i = i + 1; both.low = i; values[1] = i; }
  return i;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  int result = count(n);
  assert(result == n);
  return 0;
}
";

#[test]
fn predicates_of_c_names_are_read_and_those_found_can_be_read_again() {
    let given =
        "[static]\nboth.low >= 0\nvalues[0..1] = 0\n[method count]\ni <= n\nreturn = n\n[method main]\nresult = n\n";
    let files = files("loop.c", LOOP, given);
    for engine in ["cegar", "panda"] {
        let out = files.predicates.with_file_name("found.pred");
        let print = format!("--print-predicates={}", argument(&out));
        let ran = verify(&files, &["--engine", engine, &print]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let found = fs::read_to_string(&out).unwrap();
        assert!(found.starts_with("[static]\nboth.low >= 0\nvalues[0] = 0\n"), "{found}");
        fs::copy(&out, files.predicates.with_file_name("again.pred")).unwrap();
        let again = Files {
            predicates: out.with_file_name("again.pred"),
            program: files.program.clone(),
            _folder: tempfile::tempdir().unwrap(),
        };
        let ran = verify(&again, &["--engine", engine]);
        assert_eq!(ran.status, Some(0), "{found}\n{ran:?}");
    }
}

const ONE: &str = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0, same = 0;
  while (__VERIFIER_nondet_int()) {
    if (same) { same = 0; y = __VERIFIER_nondet_int(); }
    else { same = 1; y = x; }
  }
  assert(same == 0 || y == x);
  return 0;
}
";

#[test]
fn what_was_found_is_printed_before_the_report_and_spares_refinement() {
    let files = files("one.c", ONE, "");
    let arguments =
        ["verify", argument(&files.program), "--property", "assert", "--time-limit", "60s", "--engine", "cegar"];
    let ran = run(&[&arguments[..], &["--print-predicates"]].concat());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("refinements"), "{ran:?}");
    let (found, _) = ran.stdout.split_once("\n\n").unwrap();
    assert!(found.starts_with("[method main]\n"), "{found}");
    fs::write(&files.predicates, found).unwrap();
    let again = verify(&files, &["--engine", "cegar"]);
    assert_eq!(again.status, Some(0), "{again:?}");
    assert!(!again.stdout.contains("refinements"), "{found}\n{again:?}");
}

#[test]
fn what_does_not_parse_or_names_nothing_is_said_with_its_file_and_line() {
    let cases = [
        ("[static]\nvalues[0 = 1\n", ":2:10", "`]` was expected"),
        ("[method count]\ni <= n\n[method other]\n", ":3:1", "no method or function `other`"),
        ("[method count]\ni <= n\nk = 1\n", ":3:1", "`k` names nothing"),
        ("[static]\nboth.middle = 1\n", ":2:1", "`both` has no field `middle`"),
    ];
    for (given, place, message) in cases {
        let ran = verify(&files("loop.c", LOOP, given), &["--engine", "panda"]);
        assert_eq!(ran.status, Some(3), "{ran:?}");
        assert!(ran.stderr.contains(&format!("given.pred{place}")), "{}", ran.stderr);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    let ran = verify(&files("loop.c", LOOP, ""), &["--engine", "explicit", "--print-predicates"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
}

#[test]
fn an_assumption_that_is_proved_leaves_the_verdict_and_another_does_not() {
    let proved = "[assume pre method count]\nn >= 0\n[assume post method count]\nreturn >= 0\n";
    let ran = verify(&files("loop.c", LOOP, proved), &["--engine", "cegar"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for engine in ["cegar", "panda", "bounded"] {
        let ran = verify(&files("loop.c", LOOP, "[assume pre method count]\nn <= 3\n"), &["--engine", engine]);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.stdout.contains("`n <= 3`, which is assumed"), "{ran:?}");
    }
    let wrong = LOOP.replace("result == n", "result != 2");
    let ran = verify(&files("loop.c", &wrong, "[assume pre method count]\nn <= 3\n"), &["--engine", "cegar"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let ran = verify(&files("loop.c", &wrong, "[assume pre method count]\nn <= 1\n"), &["--engine", "cegar"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
}

const OBJECTS: &str = "\
import gov.nasa.jpf.abstraction.Verifier;
public class Objects {
    static class Meter { int value; int[] seen = new int[2]; }
    static int limit = 3;
    static void raise(Meter meter, int n) {
        while (meter.value < n) { meter.value = meter.value + 1; meter.seen[1] = limit; }
    }
    public static void main(String[] args) {
        Meter meter = new Meter();
        int n = Verifier.unknownNonNegativeInt();
        raise(meter, n);
        assert meter.value == n;
    }
}
";

#[test]
fn fields_elements_lengths_and_statics_of_java_have_names() {
    let given = "[static]\nclass(Objects).limit = 3\n[object Objects$Meter]\nalength(arrlen, this.seen) = 2\n\
                 [method Objects.raise]\nmeter.value <= n\nmeter.seen[0..1] = 0\nnot(meter = null)\n\
                 [method Objects.main]\nalength(arrlen, meter.seen) = 2\nn >= 0\n";
    let files = files("Objects.java", OBJECTS, given);
    let out = files.predicates.with_file_name("found.pred");
    let print = format!("--print-predicates={}", argument(&out));
    let ran = verify(&files, &["--engine", "panda", &print]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let found = fs::read_to_string(&out).unwrap();
    assert!(found.contains("meter.value <= n"), "{found}");
    let ran = verify(&Files { predicates: out, ..files }, &["--engine", "panda"]);
    assert_eq!(ran.status, Some(0), "{found}\n{ran:?}");
}
