//! Queries: their text, and what the replies mean.

use super::{LastCheck, SmtProcess, Trouble, classify};
use crate::solver::cache::QueryCache;
use crate::solver::{Answer, CoreAnswer, Cores, Models, Reason, Solve, SolverError};
use crate::term::parse::Bindings;
use crate::term::{Assignment, Op, ParseError, SExpr, Symbol, TermId, Terms, Value, eval, parse_sexprs, smtlib};
use std::fmt::Write;

impl SmtProcess {
    /// The answer of the process itself, and after `Unsat` the core where one was asked for.
    fn check_in_process(&mut self, terms: &Terms, assumptions: &[TermId], core: bool) -> (Answer, Vec<usize>) {
        self.last = LastCheck::Nothing;
        if let Some(reason) = self.refusal(terms, assumptions) {
            return (Answer::Unknown(reason), Vec::new());
        }
        let logic_before = self.logic.name(self.config.kind);
        let mut query = |solver: &mut SmtProcess| {
            solver.compose(terms, assumptions, core);
            let kind = solver.config.kind;
            if solver.logic.name(kind) != logic_before && kind.is_told_logic() && solver.pipe.is_some() {
                // The running process was told a smaller logic: start again with the wider one.
                solver.pipe = None;
                solver.prepare(terms);
                solver.compose(terms, assumptions, core);
            }
            let reply = solver.exchange()?;
            solver.interpret(&reply, core, assumptions.len())
        };
        match self.retry(terms, &mut query) {
            Ok((answer, core)) => {
                if answer.is_sat() {
                    self.last = LastCheck::Sat { assumptions: assumptions.to_vec(), in_process: true };
                }
                (answer, core)
            }
            Err(reason) => (Answer::Unknown(reason), Vec::new()),
        }
    }

    /// Why the question cannot be put to this solver.
    fn refusal(&mut self, terms: &Terms, assumptions: &[TermId]) -> Option<Reason> {
        if self.config.kind.knows_all_operators() {
            return None;
        }
        let mut all = self.levels.iter().flatten().chain(assumptions);
        let beyond = all.any(|&term| self.beyond.contains(terms, term));
        beyond.then(|| Reason::Incomplete("it lacks an operator of the question".to_owned()))
    }

    /// Adds the query to what is pending.
    fn compose(&mut self, terms: &Terms, assumptions: &[TermId], core: bool) {
        self.close_query_level();
        let literal = |&term: &TermId| match terms.op(term) {
            Op::Var(_) => true,
            Op::Not => matches!(terms.op(terms.args(term)[0]), Op::Var(_)),
            _ => false,
        };
        if assumptions.is_empty() {
            self.pending.push_str("(check-sat)\n");
        } else if core {
            self.compose_core(terms, assumptions);
        } else if assumptions.iter().all(literal) {
            for &term in assumptions {
                self.declare(terms, term);
            }
            self.pending.push_str("(check-sat-assuming (");
            for &term in assumptions {
                smtlib::write(terms, term, &mut self.pending);
                self.pending.push(' ');
            }
            self.pending.push_str("))\n");
        } else {
            self.pending.push_str("(push 1)\n");
            self.query_level = true;
            for &term in assumptions {
                self.write_assertion(terms, term);
            }
            self.pending.push_str("(check-sat)\n");
        }
    }

    fn compose_core(&mut self, terms: &Terms, assumptions: &[TermId]) {
        for number in self.proxies..assumptions.len() {
            let _ = writeln!(self.pending, "(declare-const core!{number} Bool)");
        }
        self.proxies = self.proxies.max(assumptions.len());
        self.pending.push_str("(push 1)\n");
        self.query_level = true;
        for (number, &term) in assumptions.iter().enumerate() {
            self.declare(terms, term);
            self.write_around(terms, &format!("(assert (=> core!{number} "), term, "))\n");
        }
        self.pending.push_str("(check-sat-assuming (");
        for number in 0..assumptions.len() {
            let _ = write!(self.pending, "core!{number} ");
        }
        self.pending.push_str("))\n");
    }

    fn interpret(&mut self, reply: &str, core: bool, assumptions: usize) -> Result<(Answer, Vec<usize>), Trouble> {
        match reply {
            "sat" => Ok((Answer::Sat, Vec::new())),
            "unsat" if core && assumptions > 0 => {
                self.pending.push_str("(get-unsat-assumptions)\n");
                let reply = self.exchange()?;
                let core = read_core(&reply, assumptions);
                let garbage = || Trouble::Failure(format!("no unsatisfiable core: {reply}"));
                Ok((Answer::Unsat, core.ok_or_else(garbage)?))
            }
            "unsat" => Ok((Answer::Unsat, Vec::new())),
            "unknown" if !self.config.kind.gives_reasons() => Ok((Answer::Unknown(Reason::Limit), Vec::new())),
            "unknown" | "timeout" => {
                self.pending.push_str("(get-info :reason-unknown)\n");
                let why = self.exchange().unwrap_or_default();
                if why.is_empty() {
                    // It did not survive the question; the answer stands.
                    self.pipe = None;
                }
                Ok((Answer::Unknown(classify_unknown(&why)), Vec::new()))
            }
            other => Err(Trouble::Failure(format!("unexpected reply {other}"))),
        }
    }

    fn read_values(&mut self, terms: &mut Terms, reply: &str, symbols: &[Symbol]) -> Result<Assignment, SolverError> {
        let unreadable = |error| SolverError::Unreadable("model", error);
        let wrong = || unreadable(ParseError::Malformed("a model".to_owned()));
        let read = parse_sexprs(reply).map_err(unreadable)?;
        let pairs =
            read.first().and_then(SExpr::list).filter(|pairs| pairs.len() == symbols.len()).ok_or_else(wrong)?;
        let mut assignment = Assignment::default();
        for (pair, &symbol) in pairs.iter().zip(symbols) {
            let [_, value] = pair.list().ok_or_else(wrong)? else { return Err(wrong()) };
            let term = terms.parse_term(value, &Bindings::default()).map_err(unreadable)?;
            if terms.sort(term) != terms.symbol_sort(symbol) || !terms.symbols_of([term]).is_empty() {
                return Err(wrong());
            }
            assignment.insert(symbol, eval(terms, term, &Assignment::default()));
        }
        Ok(assignment)
    }
}

impl Solve for SmtProcess {
    fn push(&mut self) {
        self.close_query_level();
        self.last = LastCheck::Nothing;
        self.levels.push(Vec::new());
        if self.pipe.is_some() {
            self.pending.push_str("(push 1)\n");
        }
    }

    fn pop(&mut self) {
        if self.levels.len() == 1 {
            return;
        }
        self.close_query_level();
        self.last = LastCheck::Nothing;
        self.levels.pop();
        if self.pipe.is_some() {
            self.pending.push_str("(pop 1)\n");
        }
    }

    fn level(&self) -> usize {
        self.levels.len() - 1
    }

    fn assert(&mut self, terms: &Terms, term: TermId) {
        self.close_query_level();
        self.last = LastCheck::Nothing;
        self.levels.last_mut().expect("the ground level is never popped").push(term);
        if self.pipe.is_none() {
            return;
        }
        let kind = self.config.kind;
        let logic = self.logic.name(kind);
        self.write_assertion(terms, term);
        if self.logic.name(kind) != logic && kind.is_told_logic() {
            self.pipe = None;
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        self.statistics.queries += 1;
        let truth = |value: bool| move |&term: &TermId| matches!(terms.op(term), Op::Bool(b) if *b == value);
        if assumptions.iter().any(truth(false)) {
            self.statistics.trivial += 1;
            self.statistics.unsat += 1;
            self.last = LastCheck::Nothing;
            return Answer::Unsat;
        }
        let kept: Vec<TermId>;
        let assumptions = if assumptions.iter().any(truth(true)) {
            kept = assumptions.iter().copied().filter(|term| !truth(true)(term)).collect();
            &kept
        } else {
            assumptions
        };
        let key = self.config.cache.then(|| QueryCache::key(self.assertions().chain(assumptions.iter().copied())));
        if let Some(found) = key.as_ref().and_then(|key| self.cache.get(key)) {
            self.statistics.cache_hits += 1;
            self.statistics.count(&found);
            self.last = match found {
                Answer::Sat => LastCheck::Sat { assumptions: assumptions.to_vec(), in_process: false },
                _ => LastCheck::Nothing,
            };
            return found;
        }
        let (answer, _) = self.check_in_process(terms, assumptions, false);
        self.statistics.count(&answer);
        if let Some(key) = key {
            self.cache.insert(key, &answer);
        }
        answer
    }
}

impl Models for SmtProcess {
    fn model(&mut self, terms: &mut Terms, symbols: &[Symbol]) -> Result<Assignment, SolverError> {
        let LastCheck::Sat { assumptions, in_process } = &self.last else {
            return Err(SolverError::NotAvailable("model"));
        };
        let (assumptions, mut in_process) = (assumptions.clone(), *in_process && self.pipe.is_some());
        for attempt in 0..2 {
            if !in_process && !self.check_in_process(terms, &assumptions, false).0.is_sat() {
                break;
            }
            let (asked, unknown): (Vec<Symbol>, Vec<Symbol>) =
                symbols.iter().partition(|symbol| self.known_symbols.contains(symbol));
            let zeros: Assignment = unknown.iter().map(|&s| (s, Value::zero(terms.symbol_sort(s)))).collect();
            if asked.is_empty() {
                return Ok(zeros);
            }
            self.pending.push_str("(get-value (");
            for &symbol in &asked {
                self.pending.push_str(terms.symbol_text(symbol));
                self.pending.push(' ');
            }
            self.pending.push_str("))\n");
            match self.exchange() {
                Ok(reply) => {
                    let mut assignment = self.read_values(terms, &reply, &asked)?;
                    assignment.extend(zeros);
                    return Ok(assignment);
                }
                Err(Trouble::Final(reason)) => {
                    self.pipe = None;
                    return Err(SolverError::Unknown(reason));
                }
                Err(Trouble::Failure(failure)) => {
                    self.pipe = None;
                    self.statistics.restarts += 1;
                    in_process = false;
                    if attempt == 1 {
                        return Err(SolverError::Unknown(classify(&failure)));
                    }
                }
            }
        }
        Err(SolverError::Unknown(Reason::Failed("no model of what was satisfiable".to_owned())))
    }
}

impl Cores for SmtProcess {
    fn check_core(&mut self, terms: &Terms, assumptions: &[TermId]) -> CoreAnswer {
        self.statistics.queries += 1;
        let (answer, core) = self.check_in_process(terms, assumptions, true);
        self.statistics.count(&answer);
        match answer {
            Answer::Sat => CoreAnswer::Sat,
            Answer::Unsat => CoreAnswer::Unsat(core),
            Answer::Unknown(reason) => CoreAnswer::Unknown(reason),
        }
    }
}

/// The numbers of the proxies in a list of them.
fn read_core(reply: &str, assumptions: usize) -> Option<Vec<usize>> {
    let read = parse_sexprs(reply).ok()?;
    let [list] = &read[..] else { return None };
    let number = |member: &SExpr| member.atom()?.strip_prefix("core!")?.parse().ok().filter(|&n| n < assumptions);
    let mut core = list.list()?.iter().map(number).collect::<Option<Vec<usize>>>()?;
    core.sort_unstable();
    core.dedup();
    Some(core)
}

fn classify_unknown(reply: &str) -> Reason {
    let lower = reply.to_lowercase();
    if ["timeout", "canceled", "resource", "interrupted"].iter().any(|word| lower.contains(word)) {
        return Reason::Limit;
    }
    if lower.contains("memory") || lower.contains("memout") {
        return Reason::Memory;
    }
    let why = reply.trim_start_matches("(:reason-unknown").trim_end_matches(')').trim().trim_matches('"');
    Reason::Incomplete(why.to_owned())
}
