//! What a solver process is started with.

use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// Which solver it is. All speak SMT-LIB2; they differ in options and in what they can do beyond checking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Z3: everything, interpolation by Spacer included.
    Z3,
    /// cvc5: all but Horn clauses.
    Cvc5,
    /// Yices 2: checks, models and cores of linear integers, bit-vectors and arrays, quickly; nothing else.
    Yices,
    /// Any other one: checks, models and cores.
    Other,
}

impl Kind {
    /// Whether it solves Horn clauses, which one interpolation method needs.
    pub fn solves_horn_clauses(self) -> bool {
        self == Kind::Z3
    }

    /// Whether it eliminates quantifiers.
    pub fn eliminates_quantifiers(self) -> bool {
        matches!(self, Kind::Z3 | Kind::Cvc5)
    }

    /// Whether it gains from being told the smallest logic, and must be started again for a wider one.
    pub(super) fn is_told_logic(self) -> bool {
        matches!(self, Kind::Z3 | Kind::Yices)
    }

    /// Whether it can be asked about every term. Yices has no products or quotients of variables together with cores,
    /// no conversions between integers and bit-vectors, and no constant arrays; asked about one, it ends.
    pub(super) fn knows_all_operators(self) -> bool {
        self != Kind::Yices
    }

    /// Whether it says why it does not know. Yices does not: it knows unless its time is over.
    pub(super) fn gives_reasons(self) -> bool {
        self != Kind::Yices
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Kind::Z3 => "Z3",
            Kind::Cvc5 => "cvc5",
            Kind::Yices => "Yices",
            Kind::Other => "this solver",
        })
    }
}

/// How a solver process is started and limited.
#[derive(Debug, Clone)]
pub struct SolverConfig {
    /// The solver's program.
    pub program: PathBuf,
    /// Which solver it is.
    pub kind: Kind,
    /// The wall-clock time that one query may take.
    pub query_limit: Duration,
    /// The wall-clock time that the process may take to start and greet.
    pub start_limit: Duration,
    /// The bytes of memory that the solver may use.
    pub memory_limit: Option<u64>,
    /// The seed of the solver's random choices.
    pub seed: u32,
    /// A file to which everything said to the solver is appended; replies are comments there.
    pub log: Option<PathBuf>,
    /// Whether answers are remembered.
    pub cache: bool,
    /// After how many queries the process is replaced by a fresh one, so that it cannot grow without bounds.
    pub recycle_after: u64,
}

impl SolverConfig {
    /// The program with default limits: 10 seconds per query, no memory limit, the cache on.
    pub fn new(program: impl Into<PathBuf>, kind: Kind) -> SolverConfig {
        SolverConfig {
            program: program.into(),
            kind,
            query_limit: Duration::from_secs(10),
            start_limit: Duration::from_secs(10),
            memory_limit: None,
            seed: 0,
            log: None,
            cache: true,
            recycle_after: 250_000,
        }
    }

    /// The arguments that the program is started with.
    pub(super) fn arguments(&self) -> Vec<String> {
        let soft = self.soft_limit().as_millis();
        match self.kind {
            Kind::Z3 => {
                let mut args = vec!["-in".to_owned(), "-smt2".to_owned()];
                args.extend(self.memory_limit.map(|bytes| format!("-memory:{}", (bytes >> 20).max(1))));
                args
            }
            Kind::Cvc5 => [
                "--lang=smt2",
                "-q",
                "--incremental",
                "--produce-models",
                "--produce-unsat-assumptions",
                &format!("--tlimit-per={soft}"),
                &format!("--seed={}", self.seed),
            ]
            .map(str::to_owned)
            .to_vec(),
            Kind::Yices => {
                let mut args = vec!["--incremental".to_owned(), "--smt2-model-format".to_owned()];
                args.extend(self.soft_seconds().map(|seconds| format!("--timeout={seconds}")));
                args
            }
            Kind::Other => Vec::new(),
        }
    }

    /// The soft limit for a solver that counts whole seconds; `None` where it is killed instead.
    pub(super) fn soft_seconds(&self) -> Option<u64> {
        Some(self.soft_limit().as_secs()).filter(|&seconds| seconds > 0)
    }

    /// The time after which the solver itself should give up: a little before it is killed.
    pub(super) fn soft_limit(&self) -> Duration {
        (self.query_limit * 9 / 10).max(Duration::from_millis(1))
    }

    /// What is said to the solver first. `logic` is the smallest of the
    /// process's logics that holds the queries.
    pub(super) fn preamble(&self, logic: &str) -> String {
        let soft = self.soft_limit().as_millis();
        let seed = self.seed;
        let options = match self.kind {
            Kind::Z3 => {
                let logic = if logic == "ALL" { String::new() } else { format!("(set-logic {logic})\n") };
                format!(
                    "(set-option :global-declarations true)\n(set-option :produce-unsat-assumptions true)\n\
                     (set-option :timeout {soft})\n(set-option :smt.random_seed {seed})\n\
                     (set-option :sat.random_seed {seed})\n{logic}"
                )
            }
            Kind::Cvc5 => "(set-option :global-declarations true)\n(set-logic ALL)\n".to_owned(),
            Kind::Yices | Kind::Other => {
                let logic = if self.kind.is_told_logic() { logic } else { "ALL" };
                format!(
                    "(set-option :print-success false)\n(set-option :global-declarations true)\n\
                     (set-option :produce-models true)\n(set-option :produce-unsat-assumptions true)\n\
                     (set-logic {logic})\n"
                )
            }
        };
        format!("{options}(echo \"{GREETING}\")\n")
    }
}

/// What a process that was just started says back.
pub(super) const GREETING: &str = "ready";
