//! What a user assumes of a program: it is checked where procedures are entered and left, so that a proof holds without it.
//!
//! Where an assumption does not hold, the execution ends in a place of which nothing is known: no verdict follows from it.

use crate::program::predicates::{Given, GivenScope};
use crate::program::{
    BinaryOp, Edge, ErrorKind, Expr, Failure, LocId, Location, ProcId, Program, Span, Statement, Type, VarId,
};

/// Checks every assumption among what was given.
pub fn check_assumptions(program: &mut Program, given: &[Given]) {
    for given in given {
        match given.scope {
            GivenScope::Entry(procedure) => check_at_entry(program, procedure, given),
            GivenScope::Exit(procedure) => check_at_exit(program, procedure, given),
            GivenScope::Everywhere | GivenScope::In(_) => {}
        }
    }
}

fn check_at_entry(program: &mut Program, procedure: ProcId, given: &Given) {
    let data = &mut program.procedures[procedure];
    let (before, after) = (data.locations.push(place(given.span)), data.entry);
    data.entry = before;
    check(program, procedure, (before, after), &given.formula, given.span);
}

fn check_at_exit(program: &mut Program, procedure: ProcId, given: &Given) {
    let is_exceptional = exception(program).map(|thrown| Expr::binary(BinaryOp::Ne, Expr::Var(thrown), Expr::Null));
    let data = &mut program.procedures[procedure];
    let (before, after) = (data.locations.push(place(given.span)), data.exit);
    for id in data.edges.enumerate().map(|(id, _)| id).collect::<Vec<_>>() {
        if data.edges[id].target == after {
            data.edges[id].target = before;
        }
    }
    // Nothing is assumed of a method that throws.
    let formula = Expr::Or(is_exceptional.into_iter().chain([given.formula.clone()]).collect());
    check(program, procedure, (before, after), &formula, given.span);
}

/// The variable with the exception that is thrown, where there are exceptions.
fn exception(program: &Program) -> Option<VarId> {
    let is_meant = |variable: &VarId| {
        let data = &program.variables[*variable];
        data.name == "exception" && data.ty == Type::Pointer
    };
    program.globals().find(is_meant).filter(|_| program.checks_accesses())
}

fn place(span: Span) -> Location {
    Location { span: Some(span), ..Location::default() }
}

/// Edges from one place to another where the assumption holds, and into the open where it does not.
fn check(program: &mut Program, procedure: ProcId, (before, after): (LocId, LocId), formula: &Expr, span: Span) {
    let text = program.sources.get(span.file).map_or("", |file| &file.text[span.start as usize..span.end as usize]);
    let message = format!("`{text}`, which is assumed and does not hold in every execution");
    let data = &mut program.procedures[procedure];
    let failure = Failure { kind: ErrorKind::Assumption(text.to_owned()), message };
    let broken = data.locations.push(Location { error: Some(failure), ..place(span) });
    for (target, condition) in [(after, formula.clone()), (broken, formula.clone().negate())] {
        let block = vec![Statement::Assume(condition)];
        data.edges.push(Edge { source: before, target, label: None, block, span: Some(span), places: Vec::new() });
    }
}
