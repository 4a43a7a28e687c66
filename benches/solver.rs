//! What the solver layer costs: 20,000 small incremental linear-integer queries through it, and the same text through
//! a bare pipe. Also the time of interpolation along long paths.

use rustix::event::{PollFd, PollFlags, poll};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;
use tandem::solver::interpolate::{Interpolate, Interpolation, Method, PathStep};
use tandem::solver::{Answer, SmtProcess, Solve, SolverConfig, locate};
use tandem::term::{Sort, TermId, Terms};

const QUERIES: usize = 20_000;
const ROUNDS: usize = 5;

fn main() {
    let found = match locate(None) {
        Ok(found) => found,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(3);
        }
    };
    let config = SolverConfig { cache: false, ..found.config() };
    let mut terms = Terms::new();
    let (base, queries) = workload(&mut terms);
    let log = std::env::temp_dir().join(format!("tandem-bench-{}.smt2", std::process::id()));
    let logged = SolverConfig { log: Some(log.clone()), ..config.clone() };
    let answers = through_the_layer(&terms, logged, &base, &queries).1;
    let script = std::fs::read_to_string(&log).unwrap_or_default();
    let _ = std::fs::remove_file(&log);
    let chunks = chunks(&script);
    let (mut layer, mut bare) = (f64::MAX, f64::MAX);
    for round in 1..=ROUNDS {
        let (seconds, sat) = through_the_layer(&terms, config.clone(), &base, &queries);
        let (bare_seconds, bare_sat) = through_a_bare_pipe(&config, &chunks);
        assert_eq!((sat, bare_sat), (answers, answers), "the same queries have the same answers");
        let per_query = |seconds: f64| seconds * 1e6 / QUERIES as f64;
        println!(
            "round {round}: layer {:.1} µs, bare pipe {:.1} µs a query",
            per_query(seconds),
            per_query(bare_seconds)
        );
        (layer, bare) = (layer.min(per_query(seconds)), bare.min(per_query(bare_seconds)));
    }
    println!("{QUERIES} queries, {answers} satisfiable, best of {ROUNDS} rounds:");
    println!("layer {layer:.1} µs, bare pipe {bare:.1} µs a query, ratio {:.2}", layer / bare);
    for (method, length) in [(Method::CoreWp, 50), (Method::CoreWp, 200), (Method::Spacer, 10), (Method::Spacer, 50)] {
        interpolate(&config, method, length);
    }
}

/// Some facts about six integers, and queries of three small atoms each.
fn workload(terms: &mut Terms) -> (Vec<TermId>, Vec<Vec<TermId>>) {
    let mut state = 12345u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let vars: Vec<TermId> = (0..6).map(|i| terms.var(&format!("x{i}"), Sort::Int)).collect();
    let zero = terms.int(0);
    let base = vec![terms.le(zero, vars[0]), terms.le(vars[0], vars[1]), terms.lt(vars[1], vars[2])];
    let mut atom = |terms: &mut Terms| {
        let (a, b) = (vars[random(6) as usize], vars[random(6) as usize]);
        let constant = terms.int(random(11) as i64 - 5);
        let sum = terms.add(a, constant);
        if random(2) == 0 { terms.le(sum, b) } else { terms.lt(b, sum) }
    };
    let queries = (0..QUERIES).map(|_| vec![atom(terms), atom(terms), atom(terms)]).collect();
    (base, queries)
}

fn through_the_layer(terms: &Terms, config: SolverConfig, base: &[TermId], queries: &[Vec<TermId>]) -> (f64, usize) {
    let mut solver = SmtProcess::new(config);
    for &fact in base {
        solver.assert(terms, fact);
    }
    // The process starts with its first query, which is not what we measure.
    solver.check(terms, &[]);
    let started = Instant::now();
    let sat = queries.iter().filter(|query| solver.check(terms, query) == Answer::Sat).count();
    (started.elapsed().as_secs_f64(), sat)
}

/// The text of a log, query by query.
fn chunks(script: &str) -> Vec<String> {
    let mut chunks = vec![String::new()];
    for line in script.lines().filter(|line| !line.starts_with(';')) {
        let last = chunks.last_mut().expect("there is always one");
        last.push_str(line);
        last.push('\n');
        if line.starts_with("(check-sat") {
            chunks.push(String::new());
        }
    }
    chunks.retain(|chunk| !chunk.is_empty());
    chunks
}

/// The least that a client with a time limit does: write, wait, read a line.
fn through_a_bare_pipe(config: &SolverConfig, chunks: &[String]) -> (f64, usize) {
    let mut child = Command::new(&config.program)
        .args(["-in", "-smt2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the solver starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    let mut ask = |text: &str| {
        stdin.write_all(text.as_bytes()).expect("the solver reads");
        let _ = poll(&mut [PollFd::new(stdout.get_ref(), PollFlags::IN)], None);
        line.clear();
        stdout.read_line(&mut line).expect("the solver answers");
        line.trim() == "sat"
    };
    ask(&chunks[0]);
    let started = Instant::now();
    let sat = chunks[1..].iter().filter(|chunk| ask(chunk)).count();
    let seconds = started.elapsed().as_secs_f64();
    let _ = child.kill();
    let _ = child.wait();
    (seconds, sat)
}

/// `x := 0; y := 0; (x := x + 1; y := y + 1)^length; assume x ≠ y`.
fn interpolate(config: &SolverConfig, method: Method, length: usize) {
    let mut terms = Terms::new();
    let (x, y) = (terms.var("x", Sort::Int), terms.var("y", Sort::Int));
    let (zero, one, truth) = (terms.int(0), terms.int(1), terms.bool(true));
    let (x1, y1, differ) = (terms.add(x, one), terms.add(y, one), terms.ne(x, y));
    let symbol = |terms: &Terms, term| terms.as_symbol(term).expect("a variable");
    let assign = |terms: &Terms, values: [TermId; 2]| PathStep {
        guard: truth,
        updates: vec![(symbol(terms, x), values[0]), (symbol(terms, y), values[1])],
        havoc: vec![],
    };
    let mut steps = vec![assign(&terms, [zero, zero])];
    steps.extend((0..length).map(|_| assign(&terms, [x1, y1])));
    steps.push(PathStep { guard: differ, updates: vec![], havoc: vec![] });
    let mut solver = SmtProcess::new(config.clone());
    let started = Instant::now();
    let found = solver.interpolate(&mut terms, &steps, &[method]);
    let outcome = match found {
        Ok(Interpolation::Infeasible { .. }) => "found and checked".to_owned(),
        Ok(Interpolation::Feasible(_)) => "wrongly feasible".to_owned(),
        Err(error) => error.to_string(),
    };
    println!("interpolants of {length} steps by {method:?}: {outcome}, {:.3} s", started.elapsed().as_secs_f64());
}
