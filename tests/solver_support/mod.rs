//! What the solver tests share: the solvers to run them on.

use std::path::Path;
use std::time::Duration;
use tandem::solver::*;
use tandem::term::{Sort, Terms};

/// The configurations of the solvers under test, Z3 first. Z3 and cvc5 must be installed: `make test` sees to it. Yices is
/// tested where `make setup` could install it.
pub fn configs() -> Vec<SolverConfig> {
    let z3 = locate(None).expect("Z3 is installed");
    assert_eq!(z3.kind, Kind::Z3);
    let others: Vec<Found> = other_solvers(Kind::Z3).collect();
    assert!(others.iter().any(|other| other.kind == Kind::Cvc5), "cvc5 is installed");
    if !others.iter().any(|other| other.kind == Kind::Yices) {
        eprintln!("Yices is not installed, and not tested");
    }
    let limited = |found: Found| SolverConfig { query_limit: Duration::from_secs(20), cache: false, ..found.config() };
    [z3].into_iter().chain(others).map(limited).collect()
}

/// Runs a test on each solver, with the query cache and without.
#[allow(dead_code)]
pub fn for_each_solver(test: impl Fn(&mut SmtProcess)) {
    for config in configs() {
        for cache in [false, true] {
            test(&mut SmtProcess::new(SolverConfig { cache, ..config.clone() }));
        }
    }
}

/// Runs a test on each solver that eliminates quantifiers, which interpolation needs; the others must say that they do not.
#[allow(dead_code)]
pub fn for_each_eliminating_solver(test: impl Fn(&mut SmtProcess)) {
    for_each_solver(|solver| {
        if solver.kind().eliminates_quantifiers() {
            return test(solver);
        }
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::Int));
        let (body, symbol) = (terms.lt(x, y), terms.as_symbol(x).expect("it is one"));
        let refused = SolverError::Unsupported(solver.kind(), "eliminate these quantifiers");
        assert_eq!(solver.exists(&mut terms, &[symbol], body), Err(refused));
    });
}

/// A Z3 process with the given limit a query.
#[allow(dead_code)]
pub fn z3(limit: Duration) -> SmtProcess {
    SmtProcess::new(SolverConfig { query_limit: limit, ..configs().swap_remove(0) })
}

/// A program that is no solver.
#[allow(dead_code)]
pub fn script(folder: &Path, name: &str, body: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let file = folder.join(name);
    std::fs::write(&file, format!("#!/bin/sh\n{body}\n")).expect("the folder is writable");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("the file is ours");
    file
}
