//! What reports say of threads: who races or waits for whom, with what stacks and locks, and the schedule.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use expect_test::{Expect, expect};
use support::{finish, root, tandem};

/// What the report says from the violation on, without the statistics.
fn check(path: &str, property: &str, expected: Expect) {
    let mut command = tandem();
    command.current_dir(root()).args(["verify", path, "--engine", "explicit", "--property", property]);
    let ran = finish(command.output().unwrap());
    ran.assert_verdict("unsafe");
    let wanted = ran.stdout.lines().skip_while(|line| !line.starts_with("  violated"));
    let shown: String = wanted.take_while(|line| !line.starts_with("statistics")).map(|l| format!("{l}\n")).collect();
    expected.assert_eq(&shown);
}

/// Whether states are kept whole or as bits, a deadlock is found; without one, bits prove nothing.
#[test]
fn a_lossy_search_is_never_safe() {
    for (path, verdict) in [("philosophers_bug.c", "unsafe"), ("philosophers.c", "unknown")] {
        let mut command = tandem();
        let path = format!("tests/corpus/c/deadlocks/{path}");
        command.current_dir(root()).args(["verify", &path, "--engine", "explicit", "--lossy"]);
        let ran = finish(command.args(["--property", "no-deadlock"]).output().unwrap());
        ran.assert_verdict(verdict);
        assert_eq!(ran.stdout.contains("--lossy"), verdict == "unknown", "{}", ran.stdout);
    }
}

#[test]
fn a_race_names_both_accesses_stacks_and_locks() {
    check(
        "tests/corpus/c/races/two_locks.c",
        "no-data-race",
        expect![[r#"
          violated  a data race on shared[2]: thread 1 writes (tests/corpus/c/races/two_locks.c:9), and thread 2 reads (tests/corpus/c/races/two_locks.c:15) at the same time
                    tests/corpus/c/races/two_locks.c:9  shared[2] = 1;
          thread 1  writes shared[2]
                    in one  tests/corpus/c/races/two_locks.c:9  shared[2] = 1;
                    holds m (taken at tests/corpus/c/races/two_locks.c:8)
          thread 2  reads shared[2]
                    in two  tests/corpus/c/races/two_locks.c:15  int seen = shared[2];
                    holds n (taken at tests/corpus/c/races/two_locks.c:14)

        schedule: 2 context switches

          T0  steps 1 to 5      tests/corpus/c/races/two_locks.c:19 to 22  pthread_create(&b, 0, two, 0);
          T1  step 6            tests/corpus/c/races/two_locks.c:8  pthread_mutex_lock(&m);
          T2  step 7            tests/corpus/c/races/two_locks.c:14  pthread_mutex_lock(&n);

    "#]],
    );
}

#[test]
fn a_race_in_java_names_the_field() {
    check(
        "tests/corpus/java/abstract/AbstractProducerRaces.java",
        "no-data-race",
        expect![[r#"
              violated  a data race on Data#1.isNew: thread 1 writes (tests/corpus/java/abstract/AbstractProducerRaces.java:42), and thread 2 reads (tests/corpus/java/abstract/AbstractProducerRaces.java:28) at the same time
                        tests/corpus/java/abstract/AbstractProducerRaces.java:42  d.isNew = true;
              thread 1  writes Data#1.isNew
                        in AbstractProducerRaces.run()  tests/corpus/java/abstract/AbstractProducerRaces.java:42  d.isNew = true;
                        holds no lock
              thread 2  reads Data#1.isNew
                        in AbstractProducerRaces$Consumer.run()  tests/corpus/java/abstract/AbstractProducerRaces.java:28  if (d.isNew) {
                        holds no lock

            schedule: 3 context switches

              T0  steps 1 to 184    tests/corpus/java/abstract/AbstractProducerRaces.java:49 to 51  new Consumer(d).start();
              T1  steps 185 to 192  tests/corpus/java/abstract/AbstractProducerRaces.java:38 to 39  while (remaining > 0) {
              T2  steps 193 to 199  tests/corpus/java/abstract/AbstractProducerRaces.java:28  if (d.isNew) {
              T1  steps 200 to 201  tests/corpus/java/abstract/AbstractProducerRaces.java:41 to 42  d.isNew = true;

        "#]],
    );
}

#[test]
fn a_deadlock_names_the_circle() {
    check(
        "tests/corpus/c/deadlocks/crossed.c",
        "no-deadlock",
        expect![[r#"
          violated  no thread can go on: thread 1 waits for n, which thread 2 holds (tests/corpus/c/deadlocks/crossed.c:7), thread 2 waits for m, which thread 1 holds (tests/corpus/c/deadlocks/crossed.c:14); thread 0 waits for the end of thread 1 (tests/corpus/c/deadlocks/crossed.c:23)
                    tests/corpus/c/deadlocks/crossed.c:7  pthread_mutex_lock(&n);
          thread 1  waits for n, which thread 2 holds
                    in one  tests/corpus/c/deadlocks/crossed.c:7  pthread_mutex_lock(&n);
                    holds m (taken at tests/corpus/c/deadlocks/crossed.c:6)
          thread 2  waits for m, which thread 1 holds
                    in two  tests/corpus/c/deadlocks/crossed.c:14  pthread_mutex_lock(&m);
                    holds n (taken at tests/corpus/c/deadlocks/crossed.c:13)
          thread 0  waits for the end of thread 1
                    in main  tests/corpus/c/deadlocks/crossed.c:23  pthread_join(a, 0);
                    holds no lock

        schedule: 2 context switches

          T0  steps 1 to 6      tests/corpus/c/deadlocks/crossed.c:19 to 23  pthread_join(a, 0);
          T1  step 7            tests/corpus/c/deadlocks/crossed.c:6  pthread_mutex_lock(&m);
          T2  step 8            tests/corpus/c/deadlocks/crossed.c:13  pthread_mutex_lock(&n);

    "#]],
    );
}

/// Where accesses are taken to be valid, what is written through a pointer to one of many objects is forgotten of each.
#[test]
fn a_pointer_to_one_of_many_objects_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (program, property) = (folder.path().join("a.c"), folder.path().join("a.prp"));
    let objects: String = (1..15).map(|i| format!("int o{i};\n")).collect();
    let cases: String = (1..15).map(|i| format!("case {i}: p = &o{i}; break;\n")).collect();
    let text = format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint b;\nstruct {{ int u, v; }} pair;\n\
         {objects}void *worker(void *z) {{\n  int *p;\n  switch (__VERIFIER_nondet_int()) {{\n{cases}\
         case 15: p = &pair.u; break;\ndefault: p = &pair.v; }}\n  while (__VERIFIER_nondet_int()) {{\n    *p = 1;\n    \
         if (b != 0) reach_error();\n    p = &b;\n  }}\n  return 0;\n}}\nint main(void) {{\n  unsigned long t;\n  \
         while (__VERIFIER_nondet_int()) pthread_create(&t, 0, worker, 0);\n  return 0;\n}}\n"
    );
    std::fs::write(&program, text).unwrap();
    std::fs::write(&property, "CHECK( init(main()), LTL(G ! call(reach_error())) )\n").unwrap();
    let mut command = tandem();
    command.arg("verify").arg(&program).args(["--engine", "cegar", "--time-limit", "60s", "--property"]).arg(&property);
    finish(command.output().unwrap()).assert_verdict("unsafe");
}

/// The places of each error that is told, in the order of the report, and what it says of others.
fn all_errors(path: &str, property: &str) -> Vec<String> {
    let mut command = tandem();
    command.current_dir(root()).args(["verify", path, "--engine", "explicit", "--all-errors", "--property", property]);
    let ran = finish(command.output().unwrap());
    ran.assert_verdict("unsafe");
    let told = ran.stdout.lines().filter(|line| line.starts_with("  violated") || line.starts_with("errors"));
    let name = format!("{path}:");
    told.map(|line| line.replace(&name, "line ")).collect()
}

#[test]
fn each_error_is_told_once() {
    let races = all_errors("tests/corpus/c/races/several_errors.c", "no-data-race");
    expect![[r#"
        [
            "  violated  a data race on first: thread 1 writes (line 8), and thread 0 reads (line 27) at the same time",
            "  violated  a data race on first: thread 1 writes (line 8), and thread 2 reads (line 16) at the same time",
            "  violated  a data race on second: thread 1 writes (line 9), and thread 0 reads (line 27) at the same time",
            "  violated  a data race on second: thread 1 writes (line 9), and thread 2 reads (line 17) at the same time",
            "errors      4 errors, and no others at other places",
        ]
    "#]]
    .assert_debug_eq(&races);
    assert_eq!(all_errors("tests/corpus/java/deadlocks/SeveralDeadlocks.java", "no-deadlock").len(), 3);
}

#[test]
fn all_errors_are_for_explicit_alone() {
    for (options, problem) in [
        (&["--engine", "bounded"][..], "--all-errors needs --engine explicit"),
        (&["--engine", "explicit", "--lossy"], "--all-errors goes neither with --lossy nor with --abstract"),
    ] {
        let mut command = tandem();
        command.current_dir(root()).args(["verify", "tests/corpus/c/races/several_errors.c", "--all-errors"]);
        let ran = finish(command.args(options).output().unwrap());
        assert!(ran.stderr.contains(problem), "{}", ran.stderr);
    }
}
