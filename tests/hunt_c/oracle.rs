//! What gcc's sanitizers say of a program, for every vector of inputs.

use crate::generate::Generated;
use std::path::Path;
use std::process::Command;

/// What some execution of a program does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// An assertion is false.
    pub assertion: bool,
    /// A signed operation overflows.
    pub overflow: bool,
    /// An access or a free is invalid.
    pub memory: bool,
}

/// Calls the program for each vector of inputs, in a process of its own.
const DRIVER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
static int low[] = {LOWS}, high[] = {HIGHS}, values[sizeof low / sizeof *low], next;
enum { COUNT = sizeof low / sizeof *low };
int program_main(void);
int __VERIFIER_nondet_int(void) { return values[next++]; }
void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { _exit(10); }
static void look(FILE *messages) {
  rewind(messages);
  if (ftruncate(fileno(messages), 0)) exit(3);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(10);
    dup2(fileno(messages), 2);
    program_main();
    _exit(0);
  }
  int status, overflow = 0;
  char line[1000];
  waitpid(child, &status, 0);
  rewind(messages);
  while (fgets(line, sizeof line, messages)) overflow |= strstr(line, "signed integer overflow") != 0;
  printf("%d %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), overflow);
}
int main(void) {
  FILE *messages = tmpfile();
  if (!messages) return 3;
  for (int i = 0; i < COUNT; i++) values[i] = low[i];
  for (;;) {
    look(messages);
    int i = 0;
    while (i < COUNT && values[i] == high[i]) { values[i] = low[i]; i++; }
    if (i == COUNT) return 0;
    values[i]++;
  }
}
"#;

/// Compiles the program with its driver and runs it with every vector of inputs.
pub fn brute_force(folder: &Path, generated: &Generated) -> Outcome {
    let list = |of: fn(&(i32, i32)) -> i32| {
        let all: Vec<String> = generated.ranges.iter().map(|range| of(range).to_string()).collect();
        all.join(", ")
    };
    let driver = DRIVER.replace("LOWS", &list(|range| range.0)).replace("HIGHS", &list(|range| range.1));
    std::fs::write(folder.join("driver.c"), driver).unwrap();
    let compile = |source: &str, options: &[&str]| {
        let object = source.replace(".c", ".o");
        let compiled = Command::new("gcc")
            .args(["-O0", "-w", "-c", source, "-o", &object])
            .args(options)
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    };
    let sanitize = "-fsanitize=address,signed-integer-overflow,null";
    compile("program.c", &["-Dmain=program_main", "-fno-builtin", sanitize, "-fno-sanitize-recover=null"]);
    compile("driver.c", &[]);
    let linked = Command::new("gcc")
        .args([sanitize, "program.o", "driver.o", "-o", "program"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    let options = "detect_leaks=0:exitcode=99:detect_stack_use_after_return=1";
    let ran = Command::new(folder.join("program"))
        .env("ASAN_OPTIONS", options)
        .env("UBSAN_OPTIONS", "exitcode=99")
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let mut outcome = Outcome::default();
    for line in String::from_utf8_lossy(&ran.stdout).lines() {
        let (code, overflow) = line.split_once(' ').unwrap();
        outcome.overflow |= overflow == "1";
        match code {
            "0" => {}
            "10" => outcome.assertion = true,
            "99" => outcome.memory = true,
            other => panic!("a run of the program ends with {other}"),
        }
    }
    outcome
}
