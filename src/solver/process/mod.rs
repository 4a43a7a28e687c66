//! The back end: any solver that speaks SMT-LIB2 on its standard input and output.
//!
//! Assertions, pushes and pops are collected as text and sent together with the next query, in one write. Symbols
//! are declared when a term first uses them, and stay declared (`:global-declarations`); operators that SMT-LIB does not
//! have are defined likewise. So are parts of large formulas that are used again (`smtlib::Named`): the guards of a block share
//! the values that it leaves, and 277 assertions of a program of 3,000 lines were 13 MB of text without names.
//!
//! Assumptions that are not literals are asserted in a level of their own, which the next query's text closes.
//! Measured on Z3 5.4 with small linear queries, that costs the same as the solver's own treatment of assumed
//! formulas, whereas proxy literals that stay (`p ⇔ f`) slow every later query down: 2 times with 200 of them, 10
//! times with 5,000. Cores use proxies `core!i`, whose meaning is asserted in such a level and so goes with it.
//!
//! The logic that Z3 and Yices are told is the smallest of a few that holds every term so far, because Z3's linear integer
//! set-up answers such queries 1.7 times as fast as its general one. A term beyond it replaces the process.
//!
//! Yices lacks some operators, and ends where it meets one. Assertions with these stay unsaid, and while there is one,
//! there is no answer.

mod logic;
mod query;

use super::cache::QueryCache;
use super::pipe::{Pipe, PipeError};
use super::{Kind, Reason, SolverConfig, SolverError, Statistics};
use crate::term::smtlib::Named;
use crate::term::{FloatOp, Op, Symbol, TermId, Terms, smtlib};
use logic::{BeyondYices, Logic};
use rustc_hash::FxHashSet;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A solver process, started when it is first needed and replaced when it fails.
pub struct SmtProcess {
    config: SolverConfig,
    pipe: Option<Pipe>,
    /// What the running process still has to be told before the next query.
    pending: String,
    /// The assertions, level by level; the first is the ground level.
    levels: Vec<Vec<TermId>>,
    /// Per term, whether the process knows its symbols.
    known: Vec<bool>,
    known_symbols: FxHashSet<Symbol>,
    /// The operators that the process has the definitions of, with the widths of their first arguments.
    defined: FxHashSet<(FloatOp, u32)>,
    /// Which terms it was told before, and under which names.
    named: Named,
    logic: Logic,
    beyond: BeyondYices,
    /// How many `core!i` are declared.
    proxies: usize,
    /// Whether the process has a level open that belongs to the last query.
    query_level: bool,
    last: LastCheck,
    queries_of_process: u64,
    cache: QueryCache,
    statistics: Statistics,
    deadline: Option<Instant>,
    interrupt: Option<Arc<AtomicBool>>,
    /// A second process for questions that need a stack of their own.
    aside: Option<Box<SmtProcess>>,
}

/// What the last check was, for the model that may be asked for next.
enum LastCheck {
    Nothing,
    /// It was satisfiable; whether the process is in that state, or the answer came from the cache.
    Sat {
        assumptions: Vec<TermId>,
        in_process: bool,
    },
}

/// Why a query got no usable reply.
enum Trouble {
    /// Trying again is worth it.
    Failure(String),
    /// It is not.
    Final(Reason),
}

impl SmtProcess {
    /// A solver that is started with its first query.
    pub fn new(config: SolverConfig) -> SmtProcess {
        SmtProcess {
            config,
            pipe: None,
            pending: String::new(),
            levels: vec![Vec::new()],
            known: Vec::new(),
            known_symbols: Default::default(),
            defined: Default::default(),
            named: Default::default(),
            logic: Logic::default(),
            beyond: BeyondYices::default(),
            proxies: 0,
            query_level: false,
            last: LastCheck::Nothing,
            queries_of_process: 0,
            cache: QueryCache::default(),
            statistics: Statistics::default(),
            deadline: None,
            interrupt: None,
            aside: None,
        }
    }

    /// What it was started with.
    pub fn config(&self) -> &SolverConfig {
        &self.config
    }

    /// Which solver it is.
    pub fn kind(&self) -> Kind {
        self.config.kind
    }

    /// What was asked so far.
    pub fn statistics(&self) -> Statistics {
        let mut all = self.statistics.clone();
        if let Some(aside) = &self.aside {
            all.add(&aside.statistics());
        }
        all
    }

    /// The process id of the running solver, for tests that kill it.
    pub fn process_id(&self) -> Option<u32> {
        self.pipe.as_ref().map(Pipe::id)
    }

    /// From the deadline on, every answer is `Unknown`, and a query under way ends.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// The time that one query may take from now on.
    pub fn set_query_limit(&mut self, limit: Duration) {
        if self.config.query_limit == limit {
            return;
        }
        let seconds = self.config.soft_seconds();
        self.config.query_limit = limit;
        let option = match self.config.kind {
            Kind::Z3 => ":timeout",
            Kind::Cvc5 => ":tlimit-per",
            // It is told once, at its start.
            Kind::Yices if self.config.soft_seconds() != seconds => return self.pipe = None,
            Kind::Yices => return,
            Kind::Other => return,
        };
        if self.pipe.is_some() {
            let soft = self.config.soft_limit().as_millis();
            let _ = writeln!(self.pending, "(set-option {option} {soft})");
        }
    }

    /// Once the flag is true, every answer is `Unknown`, and a query under way ends.
    pub fn set_interrupt(&mut self, flag: Option<Arc<AtomicBool>>) {
        if let Some(pipe) = &mut self.pipe {
            pipe.interrupt.clone_from(&flag);
        }
        self.interrupt = flag;
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    pub(super) fn interrupt(&self) -> Option<Arc<AtomicBool>> {
        self.interrupt.clone()
    }

    /// The assertions of all levels, the oldest first.
    pub fn assertions(&self) -> impl Iterator<Item = TermId> + '_ {
        self.levels.iter().flatten().copied()
    }

    /// The assertions of the innermost level.
    pub(super) fn last_level(&self) -> &[TermId] {
        self.levels.last().expect("the ground level is never popped")
    }

    /// A second process with the same limits and an empty stack, for elimination and interpolation. Whoever uses it
    /// leaves its stack empty.
    pub(super) fn aside(&mut self) -> &mut SmtProcess {
        let config = SolverConfig { cache: false, ..self.config.clone() };
        let aside = self.aside.get_or_insert_with(|| Box::new(SmtProcess::new(config)));
        aside.set_query_limit(self.config.query_limit);
        aside.deadline = self.deadline;
        aside.set_interrupt(self.interrupt.clone());
        aside
    }

    /// Asks something with one reply that may have quantifiers; used by the capabilities beyond checking.
    pub(super) fn ask_beyond(&mut self, terms: &Terms, used: &[TermId], text: &str) -> Result<String, SolverError> {
        self.last = LastCheck::Nothing;
        if !std::mem::replace(&mut self.logic.rest, true) {
            self.pipe = None;
        }
        let mut compose = |solver: &mut SmtProcess| {
            solver.close_query_level();
            for &term in used {
                solver.declare(terms, term);
            }
            solver.pending.push_str(text);
            solver.exchange()
        };
        self.retry(terms, &mut compose).map_err(SolverError::Unknown)
    }

    /// Runs a query; after a failure once more, with a new process.
    fn retry<T>(
        &mut self,
        terms: &Terms,
        query: &mut dyn FnMut(&mut SmtProcess) -> Result<T, Trouble>,
    ) -> Result<T, Reason> {
        if self.queries_of_process >= self.config.recycle_after {
            self.pipe = None;
        }
        let mut first_failure = None;
        for _ in 0..2 {
            self.prepare(terms);
            self.queries_of_process += 1;
            match query(self) {
                Ok(value) => return Ok(value),
                Err(Trouble::Final(reason)) => {
                    self.pipe = None;
                    return Err(reason);
                }
                Err(Trouble::Failure(failure)) => {
                    self.pipe = None;
                    self.statistics.restarts += 1;
                    first_failure.get_or_insert(failure);
                }
            }
        }
        Err(classify(&first_failure.unwrap_or_default()))
    }

    /// Makes sure that `pending`, sent to the process, makes it know the stack; starts one if need be.
    fn prepare(&mut self, terms: &Terms) {
        if self.pipe.is_some() {
            return;
        }
        self.queries_of_process = 0;
        self.query_level = false;
        self.proxies = 0;
        self.known.clear();
        self.known_symbols.clear();
        self.defined.clear();
        self.named.clear();
        self.pending = String::new();
        let levels = std::mem::take(&mut self.levels);
        for (number, level) in levels.iter().enumerate() {
            if number > 0 {
                self.pending.push_str("(push 1)\n");
            }
            for &term in level {
                self.write_assertion(terms, term);
            }
        }
        self.levels = levels;
    }

    /// Declares the symbols of a term that the process does not know, and widens the logic to hold the term.
    fn declare(&mut self, terms: &Terms, term: TermId) {
        if self.known.len() < terms.len() {
            self.known.resize(terms.len(), false);
        }
        if self.known[term.index()] {
            return;
        }
        let mut walk = vec![term];
        while let Some(next) = walk.pop() {
            if std::mem::replace(&mut self.known[next.index()], true) {
                continue;
            }
            self.logic.add(terms, next);
            if let Some((op, width)) = smtlib::defined_operator(terms, next)
                && self.defined.insert((op, width))
            {
                self.pending.push_str(&op.definition(width));
            }
            if let Op::Var(symbol) = *terms.op(next) {
                self.known_symbols.insert(symbol);
                let (name, sort) = (terms.symbol_text(symbol), terms.symbol_sort(symbol));
                let _ = writeln!(self.pending, "(declare-const {name} {sort})");
            }
            walk.extend(terms.args(next).iter().filter(|a| !self.known[a.index()]));
        }
    }

    /// Whether the solver lacks an operator of the term.
    fn is_beyond(&mut self, terms: &Terms, term: TermId) -> bool {
        !self.config.kind.knows_all_operators() && self.beyond.contains(terms, term)
    }

    fn write_assertion(&mut self, terms: &Terms, term: TermId) {
        if self.is_beyond(terms, term) {
            return;
        }
        self.declare(terms, term);
        self.write_around(terms, "(assert ", term, ")\n");
    }

    /// Writes a command around a term, after those that name parts of it where it is large.
    fn write_around(&mut self, terms: &Terms, before: &str, term: TermId, after: &str) {
        let is_named = Named::suits(terms, term);
        if is_named {
            self.named.define(terms, term, &mut self.pending);
        }
        self.pending.push_str(before);
        match is_named {
            true => self.named.write(terms, term, &mut self.pending),
            false => smtlib::write(terms, term, &mut self.pending),
        }
        self.pending.push_str(after);
    }

    fn close_query_level(&mut self) {
        if std::mem::take(&mut self.query_level) {
            self.pending.push_str("(pop 1)\n");
        }
    }

    /// Sends what is pending, and waits for the replies. An error that the solver reports is a failure.
    fn exchange(&mut self) -> Result<String, Trouble> {
        let started = Instant::now();
        if self.pipe.is_none() {
            let outcome = self.start();
            self.statistics.seconds += started.elapsed().as_secs_f64();
            outcome?;
        }
        let started = Instant::now();
        let deadline = self.deadline_after(started, self.config.query_limit)?;
        let pipe = self.pipe.as_mut().expect("it was started above");
        let outcome = pipe.ask(&self.pending, deadline);
        self.pending.clear();
        let now = Instant::now();
        self.statistics.seconds += (now - started).as_secs_f64();
        let reply = outcome.map_err(|error| self.trouble(error, now))?;
        if reply.starts_with("(error") { Err(Trouble::Failure(reply)) } else { Ok(reply) }
    }

    /// When something that may take that long must have ended.
    fn deadline_after(&self, now: Instant, limit: Duration) -> Result<Instant, Trouble> {
        match self.deadline {
            Some(overall) if overall <= now => Err(Trouble::Final(Reason::Limit)),
            Some(overall) => Ok(overall.min(now + limit)),
            None => Ok(now + limit),
        }
    }

    fn trouble(&self, error: PipeError, now: Instant) -> Trouble {
        match error {
            PipeError::Interrupted => Trouble::Final(Reason::Interrupted),
            PipeError::Late if self.deadline.is_some_and(|overall| overall <= now) => Trouble::Final(Reason::Limit),
            // It counts whole seconds and cannot be expected to end in time by itself.
            PipeError::Late if self.config.kind == Kind::Yices => Trouble::Final(Reason::Limit),
            other => Trouble::Failure(other.to_string()),
        }
    }

    fn start(&mut self) -> Result<(), Trouble> {
        let SolverConfig { program, memory_limit, log, .. } = &self.config;
        let started = Pipe::start(program, &self.config.arguments(), *memory_limit, log.as_deref());
        let mut pipe = started.map_err(|error| Trouble::Failure(error.to_string()))?;
        pipe.interrupt.clone_from(&self.interrupt);
        self.statistics.processes += 1;
        let preamble = self.config.preamble(self.logic.name(self.config.kind));
        let deadline = self.deadline_after(Instant::now(), self.config.start_limit)?;
        pipe.greet(&preamble, super::config::GREETING, deadline)
            .map_err(|error| self.trouble(error, Instant::now()))?;
        self.pipe = Some(pipe);
        Ok(())
    }
}

/// How Yices ends where it has no memory left; the others end otherwise.
const YICES_OUT_OF_MEMORY: &str = "(exit status: 16)";

/// What to say of a query that failed twice.
fn classify(failure: &str) -> Reason {
    if failure.contains("out of memory") || failure.contains(YICES_OUT_OF_MEMORY) {
        Reason::Memory
    } else if failure == PipeError::Late.to_string() {
        Reason::Limit
    } else {
        Reason::Failed(failure.to_owned())
    }
}
