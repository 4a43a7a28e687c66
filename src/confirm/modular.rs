//! Checks facts of any number of threads: the steps of threads are made again from the program, and every obligation of
//! [`crate::transform::interleave::modular`] is one query.

use super::panel::{self, Ask, no_answer};
use super::{ConfirmConfig, Failure, defined};
use crate::engine::{Budget, Task};
use crate::formula::encode::{Encoder, Transition};
use crate::program::{BinaryOp, Type};
use crate::solver::Answer;
use crate::term::{Integer, TermId, Terms};
use crate::transform::interleave::modular::{
    Assertion, Comparison, Fact, Facts, Obligation, Operand, Subject, ThreadModel, is_plain, thread_model,
};
use rustc_hash::FxHashMap;

/// Checks the facts, and tells which solver did.
pub(super) fn check(task: &Task, facts: &Facts, config: &ConfirmConfig, budget: &Budget) -> Result<String, Failure> {
    // Formulas give every variable a value, executions do not.
    for (id, _) in task.program.procedures.enumerate() {
        defined::reads_only_what_is_written(&task.program, id, |_, _| true)?;
    }
    let model = thread_model(&task.program, &task.property).map_err(|refused| Failure::Stopped(refused.into()))?;
    let is_known = |(subject, of): (&Subject, &Vec<Fact>)| of.iter().all(|fact| is_allowed(&model, subject, fact));
    if !facts.iter().all(is_known) {
        return Err(Failure::Wrong("it says what cannot be said of any number of threads".to_owned()));
    }
    panel::answered(config, budget, |ask| check_with(&model, facts, budget, ask))
}

/// Whether a fact is one of its subject, whichever threads these are: who holds a lock is compared with nobody and with
/// them alone.
fn is_allowed(model: &ThreadModel, subject: &Subject, fact: &Fact) -> bool {
    let spots = model.spots();
    let threads: Vec<usize> = match subject {
        Subject::All => Vec::new(),
        Subject::One(spot) if spots.contains(spot) => vec![spot.0],
        Subject::Two(one, other)
            if spots.contains(one) && spots.contains(other) && one <= other && model.are_two(*one, *other) =>
        {
            vec![one.0, other.0]
        }
        _ => return false,
    };
    // Whom nothing at all is said of is not there: that is said of two threads alone.
    let is_complete = fact.body.is_some() || fact.guard.is_none() && threads.len() == 2;
    let all = fact.guard.iter().chain(&fact.body);
    is_complete && all.into_iter().all(|comparison| is_comparison(model, &threads, comparison))
}

fn is_comparison(model: &ThreadModel, threads: &[usize], Comparison { op, left, right }: &Comparison) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    if let Operand::Global(owner) = left
        && model.owners.contains(owner)
    {
        let is_known = match right {
            Operand::Me(side) => *side < threads.len(),
            Operand::Number(nobody, ty) => *nobody == Integer::ZERO && *ty == model.program.variables[*owner].ty,
            _ => false,
        };
        return matches!(op, Eq | Ne) && is_known;
    }
    let types = [left, right].map(|operand| type_of(model, threads, operand));
    let is_of = |ty: Type| match op {
        Eq | Ne => is_plain(ty),
        Lt | Le | Gt | Ge => ty.is_integer(),
        _ => false,
    };
    types[0].is_some_and(is_of) && types[0] == types[1]
}

/// The type of a value that is the same whichever copies stand for the threads.
fn type_of(model: &ThreadModel, threads: &[usize], operand: &Operand) -> Option<Type> {
    match operand {
        Operand::Global(variable) if model.globals.contains(variable) => Some(model.program.variables[*variable].ty),
        Operand::Local(side, index) => {
            let local = *model.templates[*threads.get(*side)?].copies[0].locals.get(*index)?;
            Some(model.program.variables[local].ty)
        }
        Operand::Number(_, ty) => Some(*ty).filter(|ty| ty.is_integer()),
        Operand::Truth(_) => Some(Type::Bool),
        Operand::Global(_) | Operand::Me(_) => None,
    }
}

/// Checks the obligations with whatever answers the queries.
fn check_with(model: &ThreadModel, facts: &Facts, budget: &Budget, ask: &mut Ask<'_>) -> Result<(), Failure> {
    let mut terms = Terms::new();
    let encoder = Encoder::new(&model.program, &mut terms);
    let mut transitions: FxHashMap<Option<(usize, usize)>, Transition> = FxHashMap::default();
    for obligation in model.obligations(facts) {
        budget.check()?;
        let block = match obligation.step {
            Some((template, step)) => &model.templates[template].steps[step].block,
            None => &model.init,
        };
        let transition = match transitions.get(&obligation.step) {
            Some(known) => known.clone(),
            None => encoder.abstract_block(&mut terms, block)?.0,
        };
        transitions.insert(obligation.step, transition.clone());
        let before = instances(model, facts, &obligation.before, &encoder, &mut terms)?;
        let after = instances(model, facts, &obligation.after, &encoder, &mut terms)?;
        let mut after: Vec<TermId> = after.into_iter().map(|fact| transition.after(&mut terms, fact)).collect();
        // What the step does not change holds as before: most facts after most steps.
        after.retain(|fact| !before.contains(fact));
        if after.is_empty() && !obligation.is_error {
            continue;
        }
        let after = if obligation.is_error { terms.bool(false) } else { terms.and(after) };
        let not_after = terms.not(after);
        let query = terms.and(before.into_iter().chain([transition.guard, not_after]));
        match ask(&terms, query) {
            Answer::Unsat => {}
            Answer::Sat => return Err(Failure::Wrong(describe(&obligation))),
            Answer::Unknown(reason) => return Err(Failure::Stopped(no_answer(reason, budget))),
        }
    }
    Ok(())
}

fn describe(obligation: &Obligation) -> String {
    match (obligation.is_error, obligation.step) {
        (true, _) => "an error is not excluded".to_owned(),
        (false, None) => "the facts do not hold after `init`".to_owned(),
        (false, Some((template, step))) => format!("the facts do not hold after step {step} of threads {template}"),
    }
}

/// The facts of all these.
fn instances(
    model: &ThreadModel,
    facts: &Facts,
    assertions: &[Assertion],
    encoder: &Encoder<'_>,
    terms: &mut Terms,
) -> Result<Vec<TermId>, Failure> {
    let mut all = Vec::new();
    for assertion in assertions {
        for fact in facts.get(&assertion.subject).into_iter().flatten() {
            all.push(encoder.expr(terms, &fact.expr(model, &assertion.threads))?);
        }
    }
    Ok(all)
}
