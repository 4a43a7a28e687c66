//! Quantifier elimination: equalities and truth values are eliminated here, the rest by the solver, whose result is
//! checked.

use super::{Eliminate, Elimination, Kind, Reason, SmtProcess, SolverError};
use crate::term::parse::Bindings;
use crate::term::{Op, ParseError, SExpr, Sort, Symbol, TermId, Terms, parse_sexprs, smtlib};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::time::Duration;

/// How long a solver may think about whether an elimination is exact, which it need not be to be of use.
const EXACTNESS_LIMIT: Duration = Duration::from_millis(500);

/// How long a solver may think about an elimination. Z3's either comes at once or hardly ever: a loop over an array that leaves
/// out its last element had three that took the whole of ten seconds each, without an answer.
const ELIMINATION_LIMIT: Duration = Duration::from_secs(2);

impl Eliminate for SmtProcess {
    fn exists(&mut self, terms: &mut Terms, symbols: &[Symbol], body: TermId) -> Result<Elimination, SolverError> {
        let (symbols, body) = eliminate_by_syntax(terms, symbols, body);
        if symbols.is_empty() {
            return Ok(Elimination { term: body, exact: true });
        }
        // What does not mention the symbols stays outside the quantifier.
        let bound = |terms: &Terms, part: TermId| symbols.iter().any(|s| terms.symbols_of([part]).contains(s));
        let (inside, outside): (Vec<TermId>, Vec<TermId>) =
            conjuncts(terms, body).into_iter().partition(|&part| bound(terms, part));
        let inside = terms.and(inside);
        let mut result = exists_by_solver(self.aside(), terms, &symbols, inside)?;
        result.term = terms.and(outside.into_iter().chain([result.term]));
        Ok(result)
    }
}

/// The members of a conjunction.
pub(super) fn conjuncts(terms: &Terms, term: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut pending = vec![term];
    while let Some(next) = pending.pop() {
        match terms.op(next) {
            Op::And => pending.extend(terms.args(next).iter().rev()),
            Op::Bool(true) => {}
            _ => found.push(next),
        }
    }
    found
}

/// Eliminates what needs no solver: symbols that do not occur, that equal a term, or that are truth values. Returns
/// the symbols that are left.
fn eliminate_by_syntax(terms: &mut Terms, symbols: &[Symbol], mut body: TermId) -> (Vec<Symbol>, TermId) {
    let mut left: Vec<Symbol> = symbols.to_vec();
    loop {
        let occurring = terms.symbols_of([body]);
        left.retain(|symbol| occurring.contains(symbol));
        let parts = conjuncts(terms, body);
        let mut defined = None;
        for &part in &parts {
            defined = defined.or_else(|| definition(terms, part, &left));
        }
        if let Some((symbol, value)) = defined {
            body = terms.substitute(body, &FxHashMap::from_iter([(symbol, value)]));
            continue;
        }
        let Some(&truth) = left.iter().find(|&&symbol| terms.symbol_sort(symbol) == Sort::Bool) else {
            return (left, body);
        };
        let cases = [true, false].map(|value| {
            let value = terms.bool(value);
            terms.substitute(body, &FxHashMap::from_iter([(truth, value)]))
        });
        body = terms.or(cases);
    }
}

/// A symbol of the list that the term says is equal to a term without it.
fn definition(terms: &mut Terms, part: TermId, symbols: &[Symbol]) -> Option<(Symbol, TermId)> {
    if let Some(symbol) = terms.as_symbol(part).filter(|symbol| symbols.contains(symbol)) {
        return Some((symbol, terms.bool(true)));
    }
    let args = terms.args(part).to_vec();
    match terms.op(part) {
        Op::Not => {
            let symbol = terms.as_symbol(args[0]).filter(|symbol| symbols.contains(symbol))?;
            Some((symbol, terms.bool(false)))
        }
        Op::Eq => [(args[0], args[1]), (args[1], args[0])].into_iter().find_map(|(side, other)| {
            let other_symbols = terms.symbols_of([other]);
            match terms.as_symbol(side) {
                Some(symbol) => {
                    (symbols.contains(&symbol) && !other_symbols.contains(&symbol)).then_some((symbol, other))
                }
                None => linear_definition(terms, side, other, symbols),
            }
        }),
        _ => None,
    }
}

/// From `x + rest = other` (or `-x + rest = other`), with neither mentioning `x`: `x = other - rest`.
fn linear_definition(terms: &mut Terms, sum: TermId, other: TermId, symbols: &[Symbol]) -> Option<(Symbol, TermId)> {
    if terms.sort(sum) != Sort::Int || *terms.op(sum) != Op::Add {
        return None;
    }
    let summands = terms.args(sum).to_vec();
    for (position, &summand) in summands.iter().enumerate() {
        let (symbol, negative) = match terms.op(summand) {
            Op::Var(symbol) => (*symbol, false),
            Op::Neg => match terms.as_symbol(terms.args(summand)[0]) {
                Some(symbol) => (symbol, true),
                None => continue,
            },
            Op::Mul => match *terms.args(summand) {
                [a, b] if is_minus_one(terms, a) && terms.as_symbol(b).is_some() => (terms.as_symbol(b)?, true),
                [a, b] if is_minus_one(terms, b) && terms.as_symbol(a).is_some() => (terms.as_symbol(a)?, true),
                _ => continue,
            },
            _ => continue,
        };
        let rest: Vec<TermId> = summands.iter().enumerate().filter(|&(i, _)| i != position).map(|(_, &s)| s).collect();
        if !symbols.contains(&symbol) || terms.symbols_of(rest.iter().copied().chain([other])).contains(&symbol) {
            continue;
        }
        let rest = terms.sum(rest);
        let value = if negative { terms.sub(rest, other) } else { terms.sub(other, rest) };
        return Some((symbol, value));
    }
    None
}

fn is_minus_one(terms: &Terms, term: TermId) -> bool {
    matches!(terms.op(term), Op::Int(value) if value.to_i64() == Some(-1))
}

fn exists_by_solver(
    solver: &mut SmtProcess,
    terms: &mut Terms,
    symbols: &[Symbol],
    body: TermId,
) -> Result<Elimination, SolverError> {
    let unsupported = SolverError::Unsupported(solver.kind(), "eliminate these quantifiers");
    if symbols.iter().any(|&symbol| terms.symbol_sort(symbol) != Sort::Int) {
        return Err(unsupported);
    }
    let quantified = quantify("exists", terms, symbols, body);
    let text = match solver.kind() {
        Kind::Z3 => format!("(push 1)\n(assert {quantified})\n(apply (then simplify qe simplify))\n(pop 1)\n"),
        Kind::Cvc5 => format!("(get-qe {quantified})\n"),
        Kind::Yices | Kind::Other => return Err(unsupported),
    };
    let limit = solver.config().query_limit;
    solver.set_query_limit(limit.min(ELIMINATION_LIMIT));
    let reply = solver.ask_beyond(terms, &[body], &text);
    solver.set_query_limit(limit);
    let reply = reply?;
    let term = read_result(terms, &reply).map_err(|error| match error {
        ParseError::Binder(_) => unsupported,
        other => SolverError::Unreadable("quantifier-free formula", other),
    })?;
    if symbols.iter().any(|symbol| terms.symbols_of([term]).contains(symbol)) {
        return Err(SolverError::Wrong("quantifier-free formula"));
    }
    check_elimination(solver, terms, symbols, body, term)
}

/// `body` must imply the result. The other direction has a quantifier, so the solver may not know.
fn check_elimination(
    solver: &mut SmtProcess,
    terms: &mut Terms,
    symbols: &[Symbol],
    body: TermId,
    term: TermId,
) -> Result<Elimination, SolverError> {
    let negated = terms.not(term);
    let counter = format!(
        "(push 1)\n(assert {})\n(assert {})\n(check-sat)\n(pop 1)\n",
        smtlib::print(terms, body),
        smtlib::print(terms, negated)
    );
    match solver.ask_beyond(terms, &[body, term], &counter)?.as_str() {
        "unsat" => {}
        "sat" => return Err(SolverError::Wrong("quantifier-free formula")),
        other => return Err(SolverError::Unknown(Reason::Incomplete(other.to_owned()))),
    }
    let negated = terms.not(body);
    let nowhere = quantify("forall", terms, symbols, negated);
    // Inside a level, Z3's plain check is not made for quantifiers; `qsat` is, and is another method than `qe`.
    let check = if solver.kind() == Kind::Z3 { "(check-sat-using qsat)" } else { "(check-sat)" };
    let counter = format!("(push 1)\n(assert {})\n(assert {nowhere})\n{check}\n(pop 1)\n", smtlib::print(terms, term));
    let limit = solver.config().query_limit;
    solver.set_query_limit(limit.min(EXACTNESS_LIMIT));
    let reply = solver.ask_beyond(terms, &[body, term], &counter);
    solver.set_query_limit(limit);
    match reply {
        Ok(reply) if reply == "sat" => Err(SolverError::Wrong("quantifier-free formula")),
        Ok(reply) => Ok(Elimination { term, exact: reply == "unsat" }),
        Err(_) => Ok(Elimination { term, exact: false }),
    }
}

fn quantify(quantifier: &str, terms: &Terms, symbols: &[Symbol], body: TermId) -> String {
    let mut text = format!("({quantifier} (");
    for &symbol in symbols {
        let _ = write!(text, "({} {})", terms.symbol_text(symbol), terms.symbol_sort(symbol));
    }
    text.push_str(") ");
    smtlib::write(terms, body, &mut text);
    text.push(')');
    text
}

/// Reads Z3's `(goals (goal f… :precision precise :depth n))`, or a plain formula.
fn read_result(terms: &mut Terms, reply: &str) -> Result<TermId, ParseError> {
    let read = parse_sexprs(reply)?;
    let malformed = || ParseError::Malformed("the result of quantifier elimination".to_owned());
    let [result] = &read[..] else { return Err(malformed()) };
    let head = |list: &[SExpr], name: &str| list.first().and_then(SExpr::atom) == Some(name);
    let Some(goals) = result.list().filter(|list| head(list, "goals")) else {
        return terms.parse_term(result, &Bindings::default());
    };
    let mut alternatives = Vec::new();
    for goal in &goals[1..] {
        let goal = goal.list().filter(|list| head(list, "goal")).ok_or_else(malformed)?;
        let mut parts = Vec::new();
        let mut members = goal[1..].iter();
        while let Some(member) = members.next() {
            match member.atom() {
                Some(":precision") if members.next().and_then(SExpr::atom) != Some("precise") => {
                    return Err(malformed());
                }
                Some(":precision") => {}
                Some(keyword) if keyword.starts_with(':') => drop(members.next()),
                _ => parts.push(terms.parse_term(member, &Bindings::default())?),
            }
        }
        alternatives.push(terms.and(parts));
    }
    Ok(terms.or(alternatives))
}
