//! Symbolic execution with abstract matching (ASE), under-approximation refinement (UR) and Z3's Spacer, on the models
//! of the thesis: its figures 5.1 and 5.2, and how two families grow.
//!
//! `cargo bench --bench symbolic` prints the tables; `-- --limit 60` gives each run so many seconds instead of 20,
//! `-- --no-ur` and `-- --no-spacer` leave a rival out. Seconds of ASE and UR are those of the engine and of the check
//! of its answer, seconds of Spacer those of the process.

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tandem::confirm::{ConfirmConfig, confirm};
use tandem::engine::symbolic::Matching;
use tandem::engine::{Budget, EngineConfig, Statistics, SymbolicConfig, Task, verify};
use tandem::formula::encode::{Encoder, Transition};
use tandem::frontend::gcl::{self, families};
use tandem::program::{Property, SourceFile};
use tandem::solver::locate;
use tandem::term::{Symbol, TermId, Terms, smtlib};

/// Figure 5.1, in its order, with what is like it.
const FIGURE_5_1: [&str; 30] = [
    "fig1_1",
    "bakery2",
    "rax",
    "rax_flags",
    "rax_race",
    "elev4",
    "elev5",
    "elev6",
    "elev8",
    "ticket2",
    "ticket3",
    "ticket4",
    "mesi",
    "berkeley",
    "b_bakery2_e",
    "ticket2_e",
    "ticket3-5",
    "ticket3-10",
    "ticket3-15",
    "ticket3-20",
    "ticket3-25",
    "ticket3-30",
    "ticket3-40",
    "rax-5",
    "rax-10",
    "rax-15",
    "rax-20",
    "rax-25",
    "rax-30",
    "rax-40",
];

/// Figure 5.2, with what is like it.
const FIGURE_5_2: [&str; 9] = [
    "rax-45",
    "nd_ticket2",
    "nd_peterson2",
    "nd_bakery2",
    "nd_mesi",
    "nd_synapse",
    "nd_ticket2_f",
    "nd_ticket3_f",
    "nd_fragment",
];

struct Options {
    limit: Duration,
    ur: bool,
    spacer: bool,
}

/// What a run gave.
struct Row {
    verdict: &'static str,
    seconds: f64,
    statistics: Statistics,
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let limit = arguments.iter().position(|a| a == "--limit").and_then(|at| arguments.get(at + 1)?.parse().ok());
    let limit = Duration::from_secs(limit.unwrap_or(20));
    let options = Options { limit, ur: !has("--no-ur"), spacer: !has("--no-spacer") };
    let mut totals = Totals::default();
    println!("Figure 5.1 (ASE against UR), and Z3's Spacer on the same models; `-` is no answer in {limit:?}\n");
    head();
    for name in FIGURE_5_1 {
        line(name, &model(name), &options, &mut totals);
    }
    println!("\nFigure 5.2 (initial states that are not specified, inputs that are not determined)\n");
    head();
    for name in FIGURE_5_2 {
        line(name, &model(name), &options, &mut totals);
    }
    totals.print(&options);
    println!("\nGrowth\n");
    head();
    let only_ase = Options { ur: false, spacer: false, ..options };
    for processes in 2..=6 {
        line(&format!("ticket{processes}"), &families::ticket(processes), &only_ase, &mut Totals::default());
    }
    for floors in 4..=10 {
        line(&format!("elev{floors}"), &families::elevator(floors), &only_ase, &mut Totals::default());
    }
}

fn model(name: &str) -> String {
    let path = format!("{}/models/gcl/{name}.gcl", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the model is part of the project")
}

fn head() {
    println!(
        "{:<14} {:>7} | {:>9} | {:>13} | {:>9} | {:>17} | {:>19} | {:>15} | {:>7}",
        "", "", "iter.", "queries", "preds.", "seconds", "states/abstract", "", "Spacer"
    );
    println!(
        "{:<14} {:>7} | {:>4} {:>4} | {:>6} {:>6} | {:>4} {:>4} | {:>8} {:>8} | {:>19} | {:>15} | {:>7}",
        "program", "ASE", "ASE", "UR", "ASE", "UR", "ASE", "UR", "ASE", "UR", "ASE", "UR", "seconds"
    );
}

#[derive(Default)]
struct Totals {
    ase: f64,
    slowest: f64,
    spacer: f64,
    unanswered: usize,
    wrong: usize,
}

impl Totals {
    fn print(&self, options: &Options) {
        let Totals { ase, slowest, spacer, unanswered, wrong } = self;
        println!("\nall models: ASE {ase:.2} s, the slowest {slowest:.2} s, {wrong} not as expected");
        if options.spacer {
            println!(
                "            Spacer {spacer:.2} s with {unanswered} not answered, {:.1} times as long",
                spacer / ase
            );
        }
    }
}

fn line(name: &str, text: &str, options: &Options, totals: &mut Totals) {
    let files = [SourceFile { name: format!("{name}.gcl"), text: text.to_owned() }].into_iter().collect();
    let task = Task { program: gcl::lower(&files).expect("the model is a program"), property: Property::Assert };
    let ase = run(&task, Matching::Path, options.limit);
    let ur = options.ur.then(|| run(&task, Matching::Global, options.limit)).filter(|ur| ur.verdict != "unknown");
    let spacer = options.spacer.then(|| spacer(&task, options.limit));
    let expected = text.lines().find_map(|line| line.strip_prefix("expect ")).map_or("", str::trim);
    totals.ase += ase.seconds;
    totals.slowest = totals.slowest.max(ase.seconds);
    totals.wrong += usize::from(ase.verdict != expected);
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let states = |row: &Row| format!("{}/{}", row.statistics.states, row.statistics.abstract_states);
    let spacer_text = match &spacer {
        Some((verdict, seconds)) => {
            totals.spacer += seconds;
            totals.unanswered += usize::from(*verdict == "unknown");
            assert!(*verdict == "unknown" || *verdict == expected, "Spacer says {verdict} of {name}");
            if *verdict == "unknown" { "-".to_owned() } else { format!("{seconds:.2}") }
        }
        None => String::new(),
    };
    println!(
        "{name:<14} {:>7} | {:>4} {:>4} | {:>6} {:>6} | {:>4} {:>4} | {:>8.3} {:>8} | {:>19} | {:>15} | {:>7}",
        ase.verdict,
        ase.statistics.refinements + 1,
        or_dash(ur.as_ref().map(|ur| (ur.statistics.refinements + 1).to_string())),
        ase.statistics.queries,
        or_dash(ur.as_ref().map(|ur| ur.statistics.queries.to_string())),
        ase.statistics.predicates,
        or_dash(ur.as_ref().map(|ur| ur.statistics.predicates.to_string())),
        ase.seconds,
        or_dash(ur.as_ref().map(|ur| format!("{:.3}", ur.seconds))),
        states(&ase),
        or_dash(ur.as_ref().map(states)),
        spacer_text,
    );
}

fn run(task: &Task, matching: Matching, limit: Duration) -> Row {
    let start = Instant::now();
    let budget = Budget::with_time(Some(limit));
    let run = verify(task, &EngineConfig::Symbolic(SymbolicConfig { matching, ..Default::default() }), &budget);
    let verdict = confirm(task, run.claim, &ConfirmConfig::default(), &budget);
    Row { verdict: verdict.name(), seconds: start.elapsed().as_secs_f64(), statistics: run.statistics }
}

/// What Spacer says of the task as Horn clauses, and how long it takes.
fn spacer(task: &Task, limit: Duration) -> (&'static str, f64) {
    let found = locate(None).expect("a solver is installed");
    let path = std::env::temp_dir().join(format!("tandem-spacer-{}.smt2", std::process::id()));
    std::fs::write(&path, horn_clauses(task)).expect("temporary files can be written");
    let start = Instant::now();
    let output = Command::new(&found.program)
        .arg(format!("-T:{}", limit.as_secs().max(1)))
        .arg(&path)
        .stderr(Stdio::null())
        .output()
        .expect("the solver runs");
    let seconds = start.elapsed().as_secs_f64();
    let _ = std::fs::remove_file(&path);
    let verdict = match String::from_utf8_lossy(&output.stdout).trim() {
        "sat" => "safe",
        "unsat" => "unsafe",
        _ => "unknown",
    };
    (verdict, seconds)
}

/// The task as Horn clauses: there is an invariant that `init` implies, every edge keeps, and no error allows.
fn horn_clauses(task: &Task) -> String {
    let mut terms = Terms::new();
    let program = &task.program;
    let encoder = Encoder::new(program, &mut terms);
    let variables: Vec<Symbol> = program.variables.enumerate().filter_map(|(id, _)| encoder.symbol(id)).collect();
    let main = &program.procedures[program.main];
    let sorts = vec!["Int"; variables.len()].join(" ");
    let mut text = format!("(set-logic HORN)\n(declare-fun Inv ({sorts}) Bool)\n");
    let init = encoder.init(&mut terms).expect("guarded commands are formulas");
    clause(&mut text, &mut terms, None, &init, &variables, true);
    for (id, edge) in main.edges.enumerate() {
        let transition = encoder.edge(&mut terms, program.main, id).expect("guarded commands are formulas");
        let error = main.locations[edge.target].error.is_some();
        clause(&mut text, &mut terms, Some(&variables), &transition, &variables, !error);
    }
    text.push_str("(check-sat)\n");
    text
}

fn clause(
    text: &mut String,
    terms: &mut Terms,
    before: Option<&[Symbol]>,
    transition: &Transition,
    variables: &[Symbol],
    inner: bool,
) {
    let now: Vec<TermId> = variables.iter().map(|&symbol| terms.of_symbol(symbol)).collect();
    let after: Vec<TermId> = now.iter().map(|&variable| transition.after(terms, variable)).collect();
    let used = terms.symbols_of(after.iter().copied().chain([transition.guard]));
    let bound: Vec<Symbol> = used
        .into_iter()
        .chain(before.into_iter().flatten().copied())
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    let call = |terms: &Terms, values: &[TermId]| {
        let values: Vec<String> = values.iter().map(|&value| smtlib::print(terms, value)).collect();
        format!("(Inv {})", values.join(" "))
    };
    let from = if before.is_some() { call(terms, &now) } else { "true".to_owned() };
    let to = if inner { call(terms, &after) } else { "false".to_owned() };
    let guard = smtlib::print(terms, transition.guard);
    let body = format!("(=> (and {from} {guard}) {to})");
    if bound.is_empty() {
        let _ = writeln!(text, "(assert {body})");
        return;
    }
    let quantified: Vec<String> = bound.iter().map(|&symbol| format!("({} Int)", terms.symbol_text(symbol))).collect();
    let _ = writeln!(text, "(assert (forall ({}) {body}))", quantified.join(" "));
}
