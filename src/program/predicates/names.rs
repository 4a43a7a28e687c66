//! What the names of predicates mean in a program: predicates as expressions over its variables and memory.
//!
//! The language of predicates is untyped. Where a field or an element can be of several classes, each of the ways to read
//! it is a predicate of its own, which holds only for objects of that class.

use super::paths::Names;
use super::{Context, PredicateFile};
use crate::program::{Diagnostic, Expr, ProcId, Program, Span};

/// A predicate of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// Where it counts.
    pub scope: GivenScope,
    /// What must be known for it to be read: that objects are there, and of which classes. Each may be evaluated only where
    /// those before it hold.
    pub guards: Vec<Expr>,
    /// The predicate.
    pub formula: Expr,
    /// Where it is written.
    pub span: Span,
}

/// Where a predicate counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenScope {
    /// Everywhere.
    Everywhere,
    /// In a procedure.
    In(ProcId),
    /// It is assumed where the procedure is entered.
    Entry(ProcId),
    /// It is assumed where it returns.
    Exit(ProcId),
}

/// The predicates of a file, as far as their names are those of the program, and what is wrong with the others.
pub fn resolve(file: &PredicateFile, program: &Program) -> (Vec<Given>, Vec<Diagnostic>) {
    let mut given = Vec::new();
    let mut problems = Vec::new();
    for section in &file.sections {
        let places = places(program, &section.context);
        if places.is_empty() {
            problems.push(no_place(&section.context, section.span));
            continue;
        }
        for written in &section.predicates {
            let mut found = Vec::new();
            let mut problem = None;
            for &(scope, procedure) in &places {
                match (Names { program, procedure }).predicate(&written.predicate) {
                    // What is assumed holds in one of the ways to read it.
                    Ok(readings) if section.context.is_assumed() => {
                        let formula = Expr::Or(readings.into_iter().map(Guarded::all).collect());
                        found.push(Given { scope, guards: Vec::new(), formula, span: written.span });
                    }
                    Ok(readings) => found.extend(readings.into_iter().map(|reading| Given {
                        scope,
                        guards: reading.objects(),
                        formula: reading.formula,
                        span: written.span,
                    })),
                    Err(message) => problem = problem.or(Some(message)),
                }
            }
            match problem {
                Some(message) if found.is_empty() => {
                    problems.push(Diagnostic::at(written.span, message, "this predicate"));
                }
                _ => given.extend(found),
            }
        }
    }
    (given, problems)
}

/// What must hold where a path is read.
#[derive(Clone)]
pub(super) enum Guard {
    /// There is an object, of a class that has what is read.
    Object(Expr),
    /// An index is inside its array. Formulas see that themselves where the array is known.
    Bounds(Expr),
}

/// One way to read a predicate.
pub(super) struct Guarded {
    pub(super) guards: Vec<Guard>,
    pub(super) formula: Expr,
}

impl Guarded {
    /// That it can be read, and holds.
    fn all(self) -> Expr {
        let guards = self.guards.into_iter().map(|(Guard::Object(guard) | Guard::Bounds(guard))| guard);
        Expr::And(guards.chain([self.formula]).collect())
    }

    /// What must be known for formulas to read it.
    fn objects(&self) -> Vec<Expr> {
        let objects = self.guards.iter().filter_map(|guard| match guard {
            Guard::Object(guard) => Some(guard.clone()),
            Guard::Bounds(_) => None,
        });
        objects.collect()
    }
}

fn no_place(context: &Context, span: Span) -> Diagnostic {
    let (what, name) = match context {
        Context::Object(class) => ("class", class),
        Context::Static => ("program", &String::new()),
        Context::Method(name) | Context::AssumePre(name) | Context::AssumePost(name) => ("method or function", name),
    };
    let error = Diagnostic::at(span, format!("the program has no {what} `{name}`"), "names nothing");
    error.hint("a name is written in full, as in pkg.C.m; what the program cannot reach is not part of it")
}

/// Where the predicates of a section count, and in which procedures their names are looked up.
fn places(program: &Program, context: &Context) -> Vec<(GivenScope, Option<ProcId>)> {
    let procedures = |is_meant: &dyn Fn(&str) -> bool, scope: fn(ProcId) -> GivenScope| {
        let all = program.procedures.enumerate().filter(|(_, procedure)| is_meant(plain_name(&procedure.name)));
        all.map(|(id, _)| (scope(id), Some(id))).collect()
    };
    match context {
        Context::Static => vec![(GivenScope::Everywhere, None)],
        Context::Object(class) => {
            procedures(&|name| name.rsplit_once('.').is_some_and(|(owner, _)| owner == class), GivenScope::In)
        }
        Context::Method(method) => procedures(&|name| name == method, GivenScope::In),
        Context::AssumePre(method) => procedures(&|name| name == method, GivenScope::Entry),
        Context::AssumePost(method) => procedures(&|name| name == method, GivenScope::Exit),
    }
}

/// The name of a procedure without its parameters.
pub(super) fn plain_name(name: &str) -> &str {
    name.split('(').next().unwrap_or(name)
}
