//! Interpolants by Z3's Horn clause solver Spacer: an unknown relation a position, a clause a step.

use super::InterpolateError;
use super::obligations::{Instance, obligations};
use super::path::{Layout, NestedPath};
use crate::solver::pipe::Pipe;
use crate::solver::{Kind, Reason, SmtProcess, SolverError};
use crate::term::parse::Bindings;
use crate::term::{ParseError, SExpr, Symbol, TermId, Terms, parse_sexprs, smtlib};
use std::fmt::Write;
use std::time::Instant;

/// One interpolant per position of an infeasible path.
pub(super) fn spacer(
    solver: &SmtProcess,
    terms: &mut Terms,
    path: NestedPath<'_>,
    layout: &Layout,
) -> Result<Vec<TermId>, InterpolateError> {
    if !solver.kind().solves_horn_clauses() {
        return Err(SolverError::Unsupported(solver.kind(), "solve Horn clauses").into());
    }
    let arguments: Vec<Vec<Symbol>> = (0..=path.steps.len()).map(|position| layout.relevant(position)).collect();
    let text = horn_clauses(terms, path, layout, &arguments);
    let model = ask(solver, &text)?;
    read_model(terms, &model, &arguments).map_err(|error| SolverError::Unreadable("interpolants", error).into())
}

fn horn_clauses(terms: &mut Terms, path: NestedPath<'_>, layout: &Layout, arguments: &[Vec<Symbol>]) -> String {
    let steps = path.steps.len();
    // Spacer goes level by level from the bottom; a path of n steps has nothing to find below level n.
    let mut text = format!(
        "(set-option :fp.engine spacer)\n(set-option :fp.spacer.min_level {})\n\
         (set-option :fp.xform.inline_eager false)\n(set-option :fp.xform.inline_linear false)\n\
         (set-option :fp.xform.slice false)\n(set-logic HORN)\n",
        steps + 2
    );
    for (position, symbols) in arguments.iter().enumerate().take(steps).skip(1) {
        let sorts: Vec<String> = symbols.iter().map(|&s| terms.symbol_sort(s).to_string()).collect();
        let _ = writeln!(text, "(declare-fun interpolant!{position} ({}) Bool)", sorts.join(" "));
    }
    let (mut asserted, mut all) = (String::new(), Vec::new());
    for obligation in obligations(terms, path, layout) {
        let mut used = vec![obligation.constraint];
        let mut atom = |terms: &mut Terms, (position, map): &Instance| -> String {
            if *position == 0 {
                return "true".to_owned();
            }
            if *position == steps {
                return "false".to_owned();
            }
            let mut atom = format!("interpolant!{position}");
            for symbol in &arguments[*position] {
                let value = map.get(symbol).copied().unwrap_or_else(|| terms.of_symbol(*symbol));
                used.push(value);
                atom.push(' ');
                smtlib::write(terms, value, &mut atom);
            }
            if arguments[*position].is_empty() { atom } else { format!("({atom})") }
        };
        let premises: Vec<String> = obligation.premises.iter().map(|premise| atom(terms, premise)).collect();
        let conclusion = atom(terms, &obligation.conclusion);
        all.extend(&used);
        let bound: Vec<String> = terms
            .symbols_of(used)
            .into_iter()
            .map(|s| format!("({} {})", terms.symbol_text(s), terms.symbol_sort(s)))
            .collect();
        let clause =
            format!("(=> (and {} {}) {conclusion})", premises.join(" "), smtlib::print(terms, obligation.constraint));
        match bound.is_empty() {
            true => writeln!(asserted, "(assert {clause})"),
            false => writeln!(asserted, "(assert (forall ({}) {clause}))", bound.join(" ")),
        }
        .expect("writing to a string does not fail");
    }
    text.push_str(&smtlib::definitions(terms, all));
    text.push_str(&asserted);
    text
}

/// Asks a process of its own, because Horn clauses are a logic of their own.
fn ask(solver: &SmtProcess, text: &str) -> Result<String, InterpolateError> {
    let config = solver.config();
    debug_assert_eq!(config.kind, Kind::Z3);
    let failed = |error: &dyn std::fmt::Display| SolverError::Unknown(Reason::Failed(error.to_string()));
    let mut pipe = Pipe::start(&config.program, &config.arguments(), config.memory_limit, config.log.as_deref())
        .map_err(|error| failed(&error))?;
    pipe.interrupt = solver.interrupt();
    let deadline = Instant::now() + config.query_limit;
    let deadline = solver.deadline().map_or(deadline, |overall| overall.min(deadline));
    let soft = config.soft_limit().as_millis();
    let question = format!("(set-option :timeout {soft})\n{text}(check-sat)\n");
    let answer = pipe.ask(&question, deadline).map_err(|error| failed(&error))?;
    match answer.as_str() {
        "sat" => {}
        "unsat" => return Err(InterpolateError::Feasible),
        "unknown" | "timeout" => return Err(SolverError::Unknown(Reason::Incomplete("Horn clauses".to_owned())).into()),
        other => return Err(failed(&other).into()),
    }
    Ok(pipe.ask("(get-model)\n", deadline).map_err(|error| failed(&error))?)
}

fn read_model(terms: &mut Terms, text: &str, arguments: &[Vec<Symbol>]) -> Result<Vec<TermId>, ParseError> {
    let (truth, falsity) = (terms.bool(true), terms.bool(false));
    let malformed = || ParseError::Malformed("a model of Horn clauses".to_owned());
    let mut interpolants = vec![truth; arguments.len()];
    interpolants[arguments.len() - 1] = falsity;
    let read = parse_sexprs(text)?;
    let definitions = read.first().and_then(SExpr::list).ok_or_else(malformed)?;
    for definition in definitions {
        let Some([_, name, parameters, _, body]) = definition.list() else { continue };
        let Some(position) = name.atom().and_then(|name| name.strip_prefix("interpolant!")?.parse::<usize>().ok())
        else {
            continue;
        };
        let symbols = arguments.get(position).ok_or_else(malformed)?;
        let parameters = parameters.list().filter(|list| list.len() == symbols.len()).ok_or_else(malformed)?;
        let mut scope = Bindings::default();
        for (parameter, &symbol) in parameters.iter().zip(symbols) {
            let name = parameter.list().and_then(|pair| pair.first()?.atom()).ok_or_else(malformed)?;
            scope.insert(name.to_owned(), terms.of_symbol(symbol));
        }
        interpolants[position] = terms.parse_term(body, &scope)?;
    }
    Ok(interpolants)
}
