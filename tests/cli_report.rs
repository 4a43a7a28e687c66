//! The report for people, as it is printed.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use expect_test::{Expect, expect};
use support::{finish, root, tandem};

/// The report of a verification, without what differs from run to run.
fn check(path: &str, more: &[&str], expected: Expect) {
    let mut command = tandem();
    command.current_dir(root()).args(["verify", path, "--engine", "explicit"]).args(more);
    let ran = finish(command.output().unwrap());
    let masked: String = ran.stdout.lines().map(|line| format!("{}\n", mask(line))).collect();
    expected.assert_eq(&masked);
}

/// The line with its measurements masked, and which solvers there are.
fn mask(line: &str) -> String {
    if let Some((interpreter, _solvers)) = line.split_once(", and ").filter(|_| line.starts_with("checked by")) {
        return interpreter.to_owned();
    }
    let masked = line.split(", ").map(|part| match part.rsplit_once(' ') {
        Some((name @ ("seconds" | "bytes per state"), _)) => format!("{name} …"),
        _ => part.to_owned(),
    });
    masked.collect::<Vec<_>>().join(", ")
}

#[test]
fn unsafe_with_its_counterexample() {
    check(
        "models/gcl/ticket2_e.gcl",
        &[],
        expect![[r#"
            program     ticket2_e  models/gcl/ticket2_e.gcl
            property    assert, which 1 place could violate
            engine      explicit

            counterexample: 6 steps, replayed

              initial   pc1 = 1  pc2 = 1  a1 = 0  a2 = 0  s = 0  t = 0

               8  read1: pc1 = 1 -> a1 := t, pc1 := 4     pc1: 1 -> 4
              12  read2: pc2 = 1 -> a2 := t, pc2 := 4     pc2: 1 -> 4
               9  incr1: pc1 = 4 -> t := t + 1, pc1 := 2  pc1: 4 -> 2, t: 0 -> 1
              10  enter1: pc1 = 2 && a1 <= s -> pc1 := 3  pc1: 2 -> 3
              13  incr2: pc2 = 4 -> t := t + 1, pc2 := 2  pc2: 4 -> 2, t: 1 -> 2
              14  enter2: pc2 = 2 && a2 <= s -> pc2 := 3  pc2: 2 -> 3

              violated  `safe !(pc1 = 3 && pc2 = 3)` in line 17 does not hold
                        models/gcl/ticket2_e.gcl:17  safe !(pc1 = 3 && pc2 = 3)
              in state  pc1 = 3  pc2 = 3  a1 = 0  a2 = 0  s = 0  t = 2

            statistics  states 46, transitions 63, depth 7, bytes per state …, seconds …
            reason      after 6 steps: `safe !(pc1 = 3 && pc2 = 3)` in line 17 does not hold
            verdict: unsafe
        "#]],
    );
}

#[test]
fn unsafe_with_inputs() {
    check(
        "models/gcl/nd_fragment.gcl",
        &[],
        expect![[r#"
            program     nd_fragment  models/gcl/nd_fragment.gcl
            property    assert, which 1 place could violate
            engine      explicit

            counterexample: 3 steps, replayed

              initial   pc = 1  x = 0  z = 4

              inputs    x = -1, then 5

              8  t1: pc = 1 -> x := nondet, pc := 2          pc: 1 -> 2, x: 0 -> -1
              9  t2: pc = 2 && x < 5 -> z := z + 6, pc := 1  pc: 2 -> 1, z: 4 -> 10
              8  t1: pc = 1 -> x := nondet, pc := 2          pc: 1 -> 2, x: -1 -> 5

              violated  `safe !(pc = 2 && x <= z && x >= 5)` in line 11 does not hold
                        models/gcl/nd_fragment.gcl:11  safe !(pc = 2 && x <= z && x >= 5)
              in state  pc = 2  x = 5  z = 10

            statistics  states 31, transitions 76, depth 4, bytes per state …, seconds …
            reason      after 3 steps: `safe !(pc = 2 && x <= z && x >= 5)` in line 11 does not hold
            verdict: unsafe
        "#]],
    );
}

#[test]
fn unsafe_with_threads() {
    check(
        "tests/corpus/tandem/lost_update.tandem",
        &[],
        expect![[r#"
            program     lost_update  tests/corpus/tandem/lost_update.tandem
            property    assert, which 1 place could violate
            engine      explicit

            counterexample: 10 steps, replayed

              initial   counter = 0  first = 0  second = 0

              T0        24  edge a -> b { first := spawn add(); }                    first: 0 -> 1
              T0        25  edge b -> c { second := spawn add(); }                   second: 0 -> 2
              T1 read   13  edge start -> read "read" { seen := counter; }           seen = 0
              T2 read   13  edge start -> read "read" { seen := counter; }           seen = 0
              T1 write  14  edge read -> finish "write" { counter := seen + 1i32; }  counter: 0 -> 1
              T0        26  edge c -> d { join first; }
              T2 write  14  edge read -> finish "write" { counter := seen + 1i32; }
              T0        27  edge d -> e { join second; }

              violated  an update was lost
                        tests/corpus/tandem/lost_update.tandem:28  edge e -> lost { assume counter != 2i32; }
              in state  counter = 1  first = 1  second = 2

            schedule: 6 context switches

              T0  steps 1 to 2      tests/corpus/tandem/lost_update.tandem:24 to 25  edge b -> c { second := spawn add(); }
              T1  step 3            tests/corpus/tandem/lost_update.tandem:13  edge start -> read "read" { seen := counter; }
              T2  step 4            tests/corpus/tandem/lost_update.tandem:13  edge start -> read "read" { seen := counter; }
              T1  steps 5 to 6      tests/corpus/tandem/lost_update.tandem:14  edge read -> finish "write" { counter := seen + 1i32; }
              T0  step 7            tests/corpus/tandem/lost_update.tandem:26  edge c -> d { join first; }
              T2  steps 8 to 9      tests/corpus/tandem/lost_update.tandem:14  edge read -> finish "write" { counter := seen + 1i32; }
              T0  step 10           tests/corpus/tandem/lost_update.tandem:27  edge d -> e { join second; }

            statistics  states 39, transitions 58, depth 11, bytes per state …, seconds …
            reason      after 10 steps: an update was lost
            verdict: unsafe
        "#]],
    );
}

#[test]
fn safe_with_its_proof() {
    check(
        "models/gcl/mesi.gcl",
        &[],
        expect![[r#"
        program     mesi  models/gcl/mesi.gcl
        property    assert, which 2 places could violate
        engine      explicit

        proof       the set of all 18 states that can be reached
        checked by  a second pass with the interpreter

        statistics  states 18, transitions 50, depth 15, bytes per state …, seconds …
        reason      no execution violates the property: 18 states can be reached, and that is all of them
        verdict: safe
    "#]],
    );
}

#[test]
fn unknown_with_its_assumptions() {
    check(
        "models/gcl/nd_synapse.gcl",
        &[],
        expect![[r#"
        program     nd_synapse  models/gcl/nd_synapse.gcl
        property    assert, which 2 places could violate
        engine      explicit

        no error was found, but this is taken for granted:
          - only some values of the input to invalid matter
              models/gcl/nd_synapse.gcl:4  var invalid, dirty, valid

        statistics  states 12, transitions 22, depth 3, bytes per state …, seconds …
        reason      no error was found, assuming that only some values of the input to invalid matter
        verdict: unknown
    "#]],
    );
}

#[test]
fn a_long_counterexample_is_cut_unless_all_of_it_is_wanted() {
    let lines = |more: &[&str]| {
        let mut command = tandem();
        command.current_dir(root()).args(["verify", "models/gcl/rax-45.gcl"]).args(more);
        finish(command.output().unwrap()).stdout
    };
    let short = lines(&[]);
    assert!(short.contains("43 more rounds") && short.lines().count() < 40, "{short}");
    assert!(short.contains("e1: 44 -> 45"), "the end is where the error is: {short}");
    let full = lines(&["--full-trace"]);
    assert!(!full.contains("left out") && full.lines().count() > 500, "{full}");
}

#[test]
fn colours_only_on_a_terminal() {
    let mut command = tandem();
    command.current_dir(root()).args(["verify", "models/gcl/ticket2_e.gcl"]).env_remove("NO_COLOR");
    assert!(!finish(command.output().unwrap()).stdout.contains('\u{1b}'));
    command.env("CLICOLOR_FORCE", "1");
    assert!(finish(command.output().unwrap()).stdout.contains('\u{1b}'));
}

/// The part of a report that says what the proof is, from its title on.
fn stated(path: &str, more: &[&str], title: &str) -> String {
    let mut command = tandem();
    command.current_dir(root()).args(["verify", "--engine", "cegar", path]).args(more);
    let ran = finish(command.output().unwrap());
    ran.assert_verdict("safe");
    let from = ran.stdout.find(title).unwrap_or_else(|| panic!("no {title:?} in {}", ran.stdout));
    ran.stdout[from..].split("\n\n").next().unwrap().to_owned()
}

#[test]
fn the_invariant_of_a_loop_is_told_in_the_words_of_the_source() {
    expect![[r#"
        invariants of the loops
          examples/c/crossing.c:23  while (1) {
              (north == 0 && (west == 1 || west == 2)) || (north >= 0 && north <= 2 && west == 0)"#]]
    .assert_eq(&stated("examples/c/crossing.c", &[], "invariants of the loops"));
}

#[test]
fn the_summary_of_a_recursive_procedure_is_told_in_the_words_of_the_source() {
    let summaries = "summaries of the recursive procedures";
    expect![[r#"
        summaries of the recursive procedures
          tests/corpus/tandem/case_study.tandem:10  rec
              requires k >= 1
              does not return"#]]
    .assert_eq(&stated("tests/corpus/tandem/case_study.tandem", &[], summaries));
    expect![[r#"
        summaries of the recursive procedures
          tests/corpus/c/recursion/globals_in_recursion.c:9  down
              requires (calls == 0 || calls == 1)
              ensures calls == 1"#]]
    .assert_eq(&stated("tests/corpus/c/recursion/globals_in_recursion.c", &[], summaries));
}

/// A list, a string and a structure that is passed on: names of the source, not addresses; a loop is folded.
const LIST: &str = r#"#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
struct ring { int count; int data[4]; };
static void put(struct ring *r, int v) {
    r->data[r->count % 4] = v;
    r->count++;
}
int __VERIFIER_nondet_int(void);
int main(void) {
    struct ring r = {0};
    char name[8];
    struct node *list = NULL;
    int n = __VERIFIER_nondet_int();
    strcpy(name, "abc");
    for (int i = 0; i < n && i < 6; i++) {
        struct node *m = malloc(sizeof *m);
        if (!m) return 1;
        m->next = list;
        list = m;
        put(&r, i);
    }
    name[1] = 'x';
    assert(r.count <= 4);
}
"#;

#[test]
fn memory_has_the_names_of_the_source() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("list.c"), LIST).unwrap();
    let mut command = tandem();
    command.current_dir(folder.path()).args(["verify", "list.c", "--engine", "explicit", "--property", "assert"]);
    let ran = finish(command.output().unwrap()).stdout;
    let shown: Vec<&str> = ran.lines().skip_while(|line| !line.starts_with("counterexample")).collect();
    let shown: Vec<&str> = shown.into_iter().take_while(|line| !line.starts_with("statistics")).collect();
    expect![[r#"
        counterexample: 62 steps, replayed

          inputs    n = 5

          12  struct ring r = {0};                    r = {0}, r.count = 0
          14  struct node *list = NULL;               list = NULL
          15  int n = __VERIFIER_nondet_int();        n = 5
          16  strcpy(name, "abc");                    name[0…3] = "abc"
          17  for (int i = 0; i < n && i < 6; i++) {  i = 0
          18  struct node *m = malloc(sizeof *m);     m = node 1
          19  if (!m) return 1;
          20  m->next = list;                         m->next = NULL
          21  list = m;                               list: NULL -> node 1
          22  put(&r, i);                             r = &r, v = 0
           7    r->data[r->count % 4] = v;            r->data[0] = 0
           8    r->count++;                           r->count: 0 -> 1
              … 4 more rounds, i = 1 … 4, m = node 2 … node 5, m->next = node 1 … node 4, list = node 2 … node 5
          17  for (int i = 0; i < n && i < 6; i++) {  i: 4 -> 5
          24  name[1] = 'x';                          name[1]: 'b' -> 'x'

          violated  an assertion is false
                    list.c:25  assert(r.count <= 4);
          with      r.count = 5
    "#]]
    .assert_eq(&shown.join("\n"));
}
