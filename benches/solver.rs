//! What the solver layer costs: 20,000 small incremental linear-integer queries through it, and the same text through
//! a bare pipe. Also the time of interpolation along long paths.

use rustix::event::{PollFd, PollFlags, poll};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;
use tandem::solver::interpolate::{Interpolate, Interpolation, Method, PathStep};
use tandem::solver::{Answer, SmtProcess, Solve, SolverConfig, locate};
use tandem::term::{Sort, TermId, Terms};

const QUERIES: usize = 20_000;
/// How many queries one side asks before it is the other's turn.
const SLICE: usize = 500;

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
    let mut logging = Layer::new(&terms, logged, &base);
    let answers = queries.iter().filter(|query| logging.is_sat(&terms, query)).count();
    drop(logging);
    let script = std::fs::read_to_string(&log).unwrap_or_default();
    let _ = std::fs::remove_file(&log);
    let chunks = chunks(&script);
    let mut layer = Layer::new(&terms, config.clone(), &base);
    assert_eq!(chunks.len(), QUERIES + 1, "every query went to the solver");
    let mut bare = BarePipe::new(&config, &chunks[0]);
    let (mut layer_seconds, mut bare_seconds, mut sat) = (Vec::new(), Vec::new(), [0, 0]);
    // They take turns, so that whatever else the machine does slows both down alike.
    for (queries, texts) in queries.chunks(SLICE).zip(chunks[1..].chunks(SLICE)) {
        layer_seconds.push(timed(|| sat[0] += queries.iter().filter(|query| layer.is_sat(&terms, query)).count()));
        bare_seconds.push(timed(|| sat[1] += texts.iter().filter(|text| bare.is_sat(text)).count()));
    }
    assert_eq!(sat, [answers, answers], "the same queries have the same answers");
    let per_query = |seconds: &mut Vec<f64>| {
        seconds.sort_by(f64::total_cmp);
        seconds[seconds.len() / 2] * 1e6 / SLICE as f64
    };
    let (layer, bare) = (per_query(&mut layer_seconds), per_query(&mut bare_seconds));
    println!("{QUERIES} queries, {answers} satisfiable, median of slices of {SLICE}:");
    println!("layer {layer:.1} µs, bare pipe {bare:.1} µs a query, ratio {:.2}", layer / bare);
    let lengths = [(Method::CoreWp, 50), (Method::CoreWp, 200), (Method::Farkas, 50), (Method::Farkas, 200)];
    for (method, length) in lengths.into_iter().chain([(Method::Spacer, 10), (Method::Spacer, 50)]) {
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
        // Two different ones: what the simplifier decides would never reach the solver.
        let first = random(6) as usize;
        let (a, b) = (vars[first], vars[(first + 1 + random(5) as usize) % 6]);
        let constant = terms.int(random(11) as i64 - 5);
        let sum = terms.add(a, constant);
        if random(2) == 0 { terms.le(sum, b) } else { terms.lt(b, sum) }
    };
    let queries = (0..QUERIES).map(|_| vec![atom(terms), atom(terms), atom(terms)]).collect();
    (base, queries)
}

fn timed(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    started.elapsed().as_secs_f64()
}

/// The solver layer, with its process running.
struct Layer(SmtProcess);

impl Layer {
    fn new(terms: &Terms, config: SolverConfig, base: &[TermId]) -> Layer {
        let mut solver = SmtProcess::new(config);
        for &fact in base {
            solver.assert(terms, fact);
        }
        // The process starts with its first query, which is not what we measure.
        solver.check(terms, &[]);
        Layer(solver)
    }

    fn is_sat(&mut self, terms: &Terms, query: &[TermId]) -> bool {
        match self.0.check(terms, query) {
            Answer::Sat => true,
            Answer::Unsat => false,
            Answer::Unknown(reason) => panic!("a small query has an answer: {reason}"),
        }
    }
}

/// The text of a log, query by query, without the replies in it and without the greeting, which has a reply of its own.
fn chunks(script: &str) -> Vec<String> {
    let mut chunks = vec![String::new()];
    for line in script.lines().filter(|line| !line.starts_with(';') && !line.starts_with("(echo")) {
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
struct BarePipe {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    line: String,
}

impl BarePipe {
    fn new(config: &SolverConfig, first: &str) -> BarePipe {
        let mut child = Command::new(&config.program)
            .args(["-in", "-smt2"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the solver starts");
        let stdin = child.stdin.take().expect("a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut pipe = BarePipe { child, stdin, stdout, line: String::new() };
        pipe.is_sat(first);
        pipe
    }

    fn is_sat(&mut self, text: &str) -> bool {
        self.stdin.write_all(text.as_bytes()).expect("the solver reads");
        let _ = poll(&mut [PollFd::new(self.stdout.get_ref(), PollFlags::IN)], None);
        self.line.clear();
        self.stdout.read_line(&mut self.line).expect("the solver answers");
        self.line.trim() == "sat"
    }
}

impl Drop for BarePipe {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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
