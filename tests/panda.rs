//! The engine `panda`: it agrees with others on random programs, and does what the paper's figures show.

#![allow(clippy::unwrap_used, reason = "a test may stop where something is missing")]

use std::time::Duration;
use tandem::confirm::{ConfirmConfig, ProofMethod, Reason, Verdict, confirm};
use tandem::engine::{BoundedConfig, Budget, CegarConfig, EngineConfig, ExplicitConfig, PandaConfig, Task, verify};
use tandem::frontend::c::{DataModel, lower::Options, lower::lower_files};
use tandem::generate::program::{ExecutableConfig, generate_executable};
use tandem::program::{FileId, Id, Property, SourceFile, SourceFiles, text};

/// The verdict of an engine, confirmed, and how often it refined.
fn verdict(task: &Task, engine: &EngineConfig) -> (Verdict, u64) {
    let budget = Budget::with_time(Some(Duration::from_secs(5)));
    let run = verify(task, engine, &budget);
    (confirm(task, run.claim, &ConfirmConfig::default(), &budget), run.statistics.refinements)
}

fn panda(matching: bool) -> EngineConfig {
    EngineConfig::Panda(PandaConfig { matching, ..PandaConfig::default() })
}

/// With and without matching, with and without resuming.
fn each_way(seed: u64) -> EngineConfig {
    let (matching, resuming) = (!seed.is_multiple_of(3), !seed.is_multiple_of(4));
    EngineConfig::Panda(PandaConfig { matching, resuming, ..PandaConfig::default() })
}

/// How many random programs are tried, unless `TANDEM_AGREEMENT` says otherwise.
const PROGRAMS: u64 = 60;

/// The verdict of `explicit`; where it has none, that of `bounded` or of `cegar`.
fn truth(task: &Task) -> Verdict {
    let engines = [
        EngineConfig::Explicit(ExplicitConfig::default()),
        EngineConfig::Bounded(BoundedConfig::default()),
        EngineConfig::Cegar(CegarConfig::default()),
    ];
    let mut verdicts = engines.iter().map(|engine| verdict(task, engine).0);
    let first = verdicts.next().unwrap();
    match first {
        Verdict::Unknown(_) => verdicts.find(|verdict| !matches!(verdict, Verdict::Unknown(_))).unwrap_or(first),
        _ => first,
    }
}

#[test]
fn it_agrees_with_other_engines_on_random_programs() {
    let programs = std::env::var("TANDEM_AGREEMENT").map_or(PROGRAMS, |number| number.parse().unwrap());
    let (mut found, mut proved) = (0, 0);
    for seed in 0..programs {
        let config = ExecutableConfig { widths: vec![1, 2, 3], statements: 3, ..ExecutableConfig::default() };
        let task = Task { program: generate_executable(seed, &config), property: Property::Assert };
        let truth = truth(&task);
        let (answer, _) = verdict(&task, &each_way(seed));
        let problem = || format!("seed {seed}: {answer:?}\n{}", text::print(&task.program));
        match (&truth, &answer) {
            (_, Verdict::Unknown(Reason::Refuted(_) | Reason::Broken(_))) => panic!("{}", problem()),
            (Verdict::Safe(_), Verdict::Unsafe(_)) | (Verdict::Unsafe(_), Verdict::Safe(_)) => panic!("{}", problem()),
            (Verdict::Unsafe(_), Verdict::Unsafe(_)) => found += 1,
            (_, Verdict::Safe(_)) => proved += 1,
            _ => {}
        }
    }
    assert!(found >= 10, "only {found} were found");
    assert!(proved >= 10, "only {proved} were proved");
}

/// Figure 4: the default value 0 does not go where `x > 1`, another one does.
const FIGURE_4: &str = "
main main
procedure main() {
  local x: int
  location start entry  location read  location branch  location done exit
  location wrong error \"assertion\" \"above one\"
  edge start -> read { havoc x; }
  edge read -> wrong { assume x > 1; }
  edge read -> done { assume x <= 1; }
}";

#[test]
fn a_branch_that_the_default_value_does_not_take_is_explored_on_a_covering_trace() {
    let task = Task { program: text::parse(FIGURE_4, FileId::new(0)).unwrap(), property: Property::Assert };
    for matching in [false, true] {
        let (verdict, refinements) = verdict(&task, &panda(matching));
        let Verdict::Unsafe(trace) = verdict else { panic!("{verdict:?}") };
        let inputs: Vec<_> = trace.trace().steps.iter().flat_map(|step| &step.inputs).collect();
        assert_eq!(format!("{inputs:?}"), "[Int(2)]");
        assert_eq!(refinements, 0);
    }
}

/// A loop over an input without a bound, after figure 4: the state with `x = 0` is met first.
const COUNTDOWN: &str = "
main main
procedure main() {
  local x: int
  location start entry  location head  location done exit
  location wrong error \"assertion\" \"below zero\"
  edge start -> head { havoc x; assume x >= 0; }
  edge head -> head { assume x > 0; x := x - 1; }
  edge head -> wrong { assume x <= 0; assume x != 0; }
  edge head -> done { assume x <= 0; assume x == 0; }
}";

#[test]
fn loops_over_inputs_without_a_bound_end_by_matching() {
    let task = Task { program: text::parse(COUNTDOWN, FileId::new(0)).unwrap(), property: Property::Assert };
    let (verdict, refinements) = verdict(&task, &panda(true));
    let Verdict::Safe(proof) = verdict else { panic!("{verdict:?}") };
    assert!(matches!(proof.method(), ProofMethod::CutInvariants(_)), "{proof:?}");
    // Only the trace said at first that x is not negative.
    assert!(refinements > 0);
}

/// Figure 1, with an array of this length: the first element above a limit is found, or none.
fn figure_1(length: usize) -> Task {
    let source = format!(
        "extern int __VERIFIER_nondet_int(void); extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
         int find(int *a, int n, int t) {{ for (int j = 0; j < n; j++) if (a[j] > t) return j; return n; }}\n\
         int main(void) {{ int a[{length}]; for (int i = 0; i < {length}; i++) a[i] = __VERIFIER_nondet_int();\n\
         int i = find(a, {length}, 10); if (!(i == {length} || a[i] > 10)) __assert_fail(\"\", \"\", 0, \"\"); return 0; }}"
    );
    let mut files = SourceFiles::new();
    files.push(SourceFile { name: "figure_1.c".to_owned(), text: source });
    let program = lower_files(&files, DataModel::Lp64, &Options::for_property(&Property::Assert)).unwrap();
    Task { program, property: Property::Assert }
}

/// The elements are found one after the other: the search does not start again at each of them.
#[test]
fn figure_1_needs_no_refinement_and_work_that_grows_with_the_length() {
    let transitions = [10, 40].map(|length| {
        let budget = Budget::with_time(Some(Duration::from_secs(60)));
        let task = figure_1(length);
        let run = verify(&task, &panda(false), &budget);
        assert_eq!(run.statistics.refinements, 0);
        let verdict = confirm(&task, run.claim, &ConfirmConfig::default(), &budget);
        let Verdict::Safe(proof) = verdict else { panic!("{verdict:?}") };
        assert!(matches!(proof.method(), ProofMethod::Unrolling(_)), "{proof:?}");
        run.statistics.transitions
    });
    assert!(transitions[1] <= 8 * transitions[0], "{transitions:?}");
}
