//! Horn clauses over unknown relations, solved by Z3's Spacer: the relations of a solution are invariants.

use super::pipe::Pipe;
use super::{Reason, SmtProcess, SolverError};
use crate::term::parse::Bindings;
use crate::term::{ParseError, SExpr, Symbol, TermId, Terms, parse_sexprs, smtlib};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A system of clauses with at most one premise each.
#[derive(Debug, Clone, Default)]
pub struct HornClauses {
    /// For each relation, what it is over.
    pub relations: Vec<Vec<Symbol>>,
    /// The clauses.
    pub clauses: Vec<HornClause>,
}

/// Where the premise and the constraint hold, the conclusion does.
#[derive(Debug, Clone)]
pub struct HornClause {
    /// A relation, of its own symbols.
    pub premise: Option<usize>,
    /// A formula.
    pub constraint: TermId,
    /// A relation of these values, its own symbols where there is none; nothing for a contradiction.
    pub conclusion: Option<(usize, FxHashMap<Symbol, TermId>)>,
}

impl SmtProcess {
    /// Formulas for the relations that make all clauses true; `None` if there are none. A process of its own is asked,
    /// because Horn clauses are a logic of their own.
    pub fn solve_horn(
        &self,
        terms: &mut Terms,
        horn: &HornClauses,
        limit: Duration,
    ) -> Result<Option<Vec<TermId>>, SolverError> {
        if !self.kind().solves_horn_clauses() {
            return Err(SolverError::Unsupported(self.kind(), "solve Horn clauses"));
        }
        let text = clauses_as_text(terms, horn);
        let config = self.config();
        let failed = |error: &dyn std::fmt::Display| SolverError::Unknown(Reason::Failed(error.to_string()));
        let mut pipe = Pipe::start(&config.program, &config.arguments(), config.memory_limit, config.log.as_deref())
            .map_err(|error| failed(&error))?;
        pipe.interrupt = self.interrupt();
        let deadline = Instant::now() + limit;
        let question = format!("(set-option :timeout {})\n{text}(check-sat)\n", limit.as_millis());
        match pipe.ask(&question, deadline).map_err(|error| failed(&error))?.as_str() {
            "sat" => {}
            "unsat" => return Ok(None),
            "unknown" | "timeout" => {
                return Err(SolverError::Unknown(Reason::Incomplete("Horn clauses".to_owned())));
            }
            other => return Err(failed(&other)),
        }
        let model = pipe.ask("(get-model)\n", deadline).map_err(|error| failed(&error))?;
        let relations = read_relations(terms, &model, &horn.relations);
        relations.map(Some).map_err(|error| SolverError::Unreadable("invariants", error))
    }
}

fn clauses_as_text(terms: &mut Terms, horn: &HornClauses) -> String {
    let mut text = "(set-option :fp.engine spacer)\n(set-logic HORN)\n".to_owned();
    for (number, symbols) in horn.relations.iter().enumerate() {
        let sorts: Vec<String> = symbols.iter().map(|&s| terms.symbol_sort(s).to_string()).collect();
        let _ = writeln!(text, "(declare-fun relation!{number} ({}) Bool)", sorts.join(" "));
    }
    let nothing = FxHashMap::default();
    let (mut asserted, mut all) = (String::new(), Vec::new());
    for clause in &horn.clauses {
        let mut used = vec![clause.constraint];
        let mut atom = |terms: &mut Terms, relation: usize, values: &FxHashMap<Symbol, TermId>| {
            let mut atom = format!("relation!{relation}");
            for symbol in &horn.relations[relation] {
                let value = values.get(symbol).copied().unwrap_or_else(|| terms.of_symbol(*symbol));
                used.push(value);
                atom.push(' ');
                smtlib::write(terms, value, &mut atom);
            }
            if horn.relations[relation].is_empty() { atom } else { format!("({atom})") }
        };
        let premise = clause.premise.map_or("true".to_owned(), |relation| atom(terms, relation, &nothing));
        let conclusion = match &clause.conclusion {
            Some((relation, values)) => atom(terms, *relation, values),
            None => "false".to_owned(),
        };
        all.extend(&used);
        let bound = terms.symbols_of(used).into_iter();
        let bound: Vec<String> =
            bound.map(|s| format!("({} {})", terms.symbol_text(s), terms.symbol_sort(s))).collect();
        let clause = format!("(=> (and {premise} {}) {conclusion})", smtlib::print(terms, clause.constraint));
        let _ = match bound.is_empty() {
            true => writeln!(asserted, "(assert {clause})"),
            false => writeln!(asserted, "(assert (forall ({}) {clause}))", bound.join(" ")),
        };
    }
    text.push_str(&smtlib::definitions(terms, all));
    text.push_str(&asserted);
    text
}

fn read_relations(terms: &mut Terms, text: &str, relations: &[Vec<Symbol>]) -> Result<Vec<TermId>, ParseError> {
    let malformed = || ParseError::Malformed("a model of Horn clauses".to_owned());
    let mut found = vec![terms.bool(true); relations.len()];
    let read = parse_sexprs(text)?;
    for definition in read.first().and_then(SExpr::list).ok_or_else(malformed)? {
        let Some([_, name, parameters, _, body]) = definition.list() else { continue };
        let Some(number) = name.atom().and_then(|name| name.strip_prefix("relation!")?.parse::<usize>().ok()) else {
            continue;
        };
        let symbols = relations.get(number).ok_or_else(malformed)?;
        let parameters = parameters.list().filter(|list| list.len() == symbols.len()).ok_or_else(malformed)?;
        let mut scope = Bindings::default();
        for (parameter, &symbol) in parameters.iter().zip(symbols) {
            let name = parameter.list().and_then(|pair| pair.first()?.atom()).ok_or_else(malformed)?;
            scope.insert(name.to_owned(), terms.of_symbol(symbol));
        }
        found[number] = terms.parse_term(body, &scope)?;
    }
    Ok(found)
}
