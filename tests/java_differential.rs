//! Random Java programs print the same on the Java virtual machine as when Tandem executes them, and end the same way.
//!
//! TANDEM_DIFFERENTIAL is how many programs there are (50), TANDEM_DIFFERENTIAL_FIRST the seed of the first (0). By hand,
//! `make differential-java` compares 5,000 programs in a release build.
#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

mod support;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;
use std::time::Duration;
use std::{env, fs};
use support::argument;
use tandem::engine::Budget;
use tandem::frontend::java::input::{self, Input};
use tandem::frontend::java::{Options, lower_input};
use tandem::generate::java as generate;
use tandem::pipeline::run::{RunEnd, RunRequest, run_quietly};
use tandem::program::validate;
use tandem::report::style::Palette;

/// How many programs one virtual machine runs.
const BATCH: u64 = 50;
/// How long one program may take.
const SECONDS: u64 = 60;

fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |text| text.parse().expect("the variable holds a number"))
}

/// Runs the programs one after the other, each with a line before it that names it.
const RUNNER: &str = "\
class Runner {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            System.out.println(\"== \" + name);
            try {
                Class.forName(name).getDeclaredMethod(\"main\", String[].class).invoke(null, (Object) new String[0]);
                System.out.println(\"-- done\");
            } catch (java.lang.reflect.InvocationTargetException e) {
                System.out.println(\"-- \" + e.getCause().getClass().getName());
            }
        }
    }
}
";

/// What the virtual machine prints for each of the programs.
fn expected(folder: &std::path::Path, names: &[String]) -> BTreeMap<String, String> {
    let output = Command::new("java")
        .args(["-ea", "-Dfile.encoding=UTF-8", "-XX:TieredStopAtLevel=1", "-cp", argument(folder), "Runner"])
        .args(names)
        .output()
        .expect("a JDK is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let parts = printed.split("== ").skip(1).filter_map(|part| part.split_once('\n'));
    parts.map(|(name, rest)| (name.to_owned(), rest.to_owned())).collect()
}

/// What Tandem prints for a program, and how that ends.
fn found(input: &Input, name: &str, seed: Option<u64>) -> Result<String, String> {
    let options = Options { main: Some(name.to_owned()), executes: true, ..Options::default() };
    let program = lower_input(input, &options).map_err(|errors| format!("refused: {errors}"))?;
    validate(&program).map_err(|problems| format!("not valid: {}", problems[0]))?;
    let request = RunRequest {
        files: vec![],
        inputs: vec![],
        replay: None,
        seed,
        max_steps: usize::MAX,
        quiet: true,
        property: None,
        data_model: None,
        main: None,
        preprocessor: Default::default(),
    };
    let budget = Budget::with_time(Some(Duration::from_secs(SECONDS)));
    let (mut out, mut remarks) = (Vec::new(), Vec::new());
    let end = run_quietly(&program, &request, Palette::plain(), &budget, &mut out, &mut remarks);
    let remarks = String::from_utf8_lossy(&remarks).into_owned();
    let mut printed = String::from_utf8_lossy(&out).into_owned();
    match end {
        _ if budget.check().is_err() => return Err("out of time".to_owned()),
        Ok(RunEnd::Fine) => printed.push_str("-- done\n"),
        Ok(RunEnd::Error) if remarks.contains("the assertion is false") => {
            printed.push_str("-- java.lang.AssertionError\n");
        }
        Ok(RunEnd::Error) => match remarks.split_once("uncaught exception ") {
            Some((_, rest)) => {
                let _ = writeln!(printed, "-- {}", rest.split_whitespace().next().unwrap_or_default());
            }
            None => return Err(remarks),
        },
        other => return Err(format!("{other:?} {remarks}")),
    }
    Ok(printed)
}

#[test]
fn tandem_prints_what_the_virtual_machine_prints() {
    let (first, count) = (number("TANDEM_DIFFERENTIAL_FIRST", 0), number("TANDEM_DIFFERENTIAL", 50));
    let mut wrong = Vec::new();
    let mut start = first;
    while start < first + count {
        let seeds = start..(start + BATCH).min(first + count);
        let folder = tempfile::tempdir().unwrap();
        let mut sources = vec![("Runner".to_owned(), RUNNER.to_owned())];
        sources.extend(seeds.clone().map(|seed| (format!("P{seed}"), generate::program(&format!("P{seed}"), seed))));
        for (name, text) in &sources {
            fs::write(folder.path().join(format!("{name}.java")), text).unwrap();
        }
        let input = input::read(&[folder.path().to_owned()]).map_err(|(errors, _)| errors);
        let input = input.unwrap_or_else(|errors| panic!("from {start} on: {errors:?}"));
        let classes = tempfile::tempdir().unwrap();
        for (name, bytes) in &input.classes {
            fs::write(classes.path().join(format!("{name}.class")), bytes).unwrap();
        }
        let names: Vec<String> = seeds.map(|seed| format!("P{seed}")).collect();
        let expected = expected(classes.path(), &names);
        for name in &names {
            let wanted = &expected[name];
            match found(&input, name, None) {
                Ok(printed) if printed == *wanted => {}
                Ok(printed) => {
                    let differs = wanted.lines().zip(printed.lines()).find(|(a, b)| a != b);
                    wrong.push(format!("{name}: {differs:?}, of {} and {}", wanted.len(), printed.len()));
                }
                Err(problem) => wrong.push(format!("{name}: {problem}")),
            }
        }
        start += BATCH;
        if count > 1000 {
            eprintln!("{} of {count} compared, {} wrong", start - first, wrong.len());
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

/// A program with threads whose output does not depend on their order: what they do to shared places commutes, or they
/// take turns.
fn threaded(name: &str, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    let mut below = |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % n
    };
    let threads = 2 + below(2);
    let turns = below(3);
    let mut works = String::new();
    for thread in 0..threads {
        let mut body = String::new();
        for _ in 0..2 + below(4) {
            let k = below(100);
            body.push_str(&match below(8) {
                0 => format!("synchronized (LOCK) {{ sum += {k}; }} "),
                1 => format!("count.addAndGet({k}); "),
                2 => format!("add({k}); "),
                3 => "Thread.yield(); ".to_owned(),
                4 => format!("results[{thread}] = results[{thread}] * 31 + {k}; "),
                5 => format!(
                    "try {{ results[{thread}] += {k} / (results[{thread}] - results[{thread}]); }} \
                              catch (ArithmeticException e) {{ add({k}); }} "
                ),
                6 => format!("latch[{thread}] = new StringBuilder(latch[{thread}]).append({k}).toString(); "),
                _ => format!("for (int i = 0; i < {}; i++) {{ flag = !flag; count.incrementAndGet(); }} ", below(4)),
            });
        }
        for _ in 0..turns {
            body.push_str(&format!(
                "synchronized (LOCK) {{ while (turn % {threads} != {thread}) {{ LOCK.wait(); }} turn++; \
                 order = order * {threads} + {thread}; LOCK.notifyAll(); }} "
            ));
        }
        if below(4) == 0 {
            body.push_str("int[] none = null; none[0]++; ");
        }
        works.push_str(&format!(
            "        all[{thread}] = new Thread(() -> {{ try {{ {body}}} catch (InterruptedException e) {{ sum = -1; }} }});\n"
        ));
    }
    // The bodies without turns do not wait, and so would not compile with the handler.
    let works = if turns == 0 { works.replace("try { ", "try { Thread.sleep(1); ") } else { works };
    format!(
        "import java.util.concurrent.atomic.AtomicInteger;\n\
         class {name} {{\n    static final Object LOCK = new Object();\n    static int sum, turn, order;\n    \
         static volatile boolean flag;\n    static final AtomicInteger count = new AtomicInteger(3);\n    \
         static int[] results = new int[4];\n    static String[] latch = {{\"\", \"\", \"\", \"\"}};\n    \
         static synchronized void add(int k) {{ results[3] += k; }}\n    \
         public static void main(String[] arguments) throws InterruptedException {{\n        \
         Thread[] all = new Thread[{threads}];\n{works}        for (Thread thread : all) {{ thread.start(); }}\n        \
         for (Thread thread : all) {{ thread.join(); }}\n        \
         for (Thread thread : all) {{ System.out.println(thread.isAlive()); }}\n        \
         System.out.println(sum + \" \" + count.get() + \" \" + turn + \" \" + order);\n        \
         for (int n : results) {{ System.out.println(n); }}\n        \
         for (String text : latch) {{ System.out.println(text); }}\n    }}\n}}\n"
    )
}

#[test]
fn threads_give_what_they_give_on_the_virtual_machine() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..12).map(|seed| format!("T{seed}")).collect();
    fs::write(folder.path().join("Runner.java"), RUNNER).unwrap();
    for (seed, name) in names.iter().enumerate() {
        fs::write(folder.path().join(format!("{name}.java")), threaded(name, seed as u64)).unwrap();
    }
    let input = input::read(&[folder.path().to_owned()]).map_err(|(errors, _)| errors).unwrap();
    let classes = tempfile::tempdir().unwrap();
    for (name, bytes) in &input.classes {
        fs::write(classes.path().join(format!("{name}.class")), bytes).unwrap();
    }
    let expected = expected(classes.path(), &names);
    for name in &names {
        for seed in [None, Some(1), Some(2), Some(3)] {
            assert_eq!(found(&input, name, seed).as_ref(), Ok(&expected[name]), "{name}, order {seed:?}");
        }
    }
}
