//! What must hold between the interpolants of a path: one obligation a step, used both to check a sequence and, as
//! Horn clauses, to find one.

use super::path::{Layout, NestedPath, NestedStep};
use crate::term::{Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// The interpolant of a position, its symbols replaced; a symbol that is not in the map stays.
pub(super) type Instance = (usize, FxHashMap<Symbol, TermId>);

/// The premises and the constraint imply the conclusion.
pub(super) struct Obligation {
    pub(super) premises: Vec<Instance>,
    pub(super) constraint: TermId,
    pub(super) conclusion: Instance,
}

/// The obligations of all steps, in order.
pub(super) fn obligations(terms: &mut Terms, path: NestedPath<'_>, layout: &Layout) -> Vec<Obligation> {
    (0..path.steps.len()).map(|number| obligation(terms, path, layout, number)).collect()
}

/// The obligation of one step.
pub(super) fn obligation(terms: &mut Terms, path: NestedPath<'_>, layout: &Layout, number: usize) -> Obligation {
    let truth = terms.bool(true);
    match &path.steps[number] {
        NestedStep::Internal(step) => {
            let mut after: FxHashMap<Symbol, TermId> = step.updates.iter().copied().collect();
            after.extend(step.havoc.iter().map(|&symbol| (symbol, copy(terms, "havoc", symbol))));
            Obligation {
                premises: vec![(number, FxHashMap::default())],
                constraint: step.guard,
                conclusion: (number + 1, after),
            }
        }
        NestedStep::Call { parameters } => {
            let callee = layout.frame_at[number + 1];
            let mut after = FxHashMap::default();
            for &local in &layout.frames[callee].locals {
                after.insert(local, copy(terms, "callee", local));
            }
            after.extend(parameters.iter().copied());
            after.extend(entry_values(terms, layout, callee, parameters));
            Obligation {
                premises: vec![(number, FxHashMap::default())],
                constraint: truth,
                conclusion: (number + 1, after),
            }
        }
        NestedStep::Return { results } => {
            let (callee, call) = layout.returning(number);
            let NestedStep::Call { parameters } = &path.steps[call] else {
                unreachable!("an activation starts by a call")
            };
            let mut exit = FxHashMap::default();
            for &local in layout.frames[callee].locals.iter().chain(&layout.globals) {
                exit.insert(local, copy(terms, "callee", local));
            }
            let mut after: FxHashMap<Symbol, TermId> = layout.globals.iter().map(|g| (*g, exit[g])).collect();
            for &(target, value) in results {
                let value = terms.substitute(value, &exit);
                after.insert(target, value);
            }
            exit.extend(entry_values(terms, layout, callee, parameters));
            Obligation {
                premises: vec![(call, FxHashMap::default()), (number, exit)],
                constraint: truth,
                conclusion: (number + 1, after),
            }
        }
    }
}

/// The callee's ghosts as terms over the state of its caller before the call.
fn entry_values(
    terms: &mut Terms,
    layout: &Layout,
    callee: usize,
    parameters: &[(Symbol, TermId)],
) -> Vec<(Symbol, TermId)> {
    let value = |terms: &mut Terms, symbol: Symbol| match parameters.iter().find(|p| p.0 == symbol) {
        Some(parameter) => parameter.1,
        None => terms.of_symbol(symbol),
    };
    layout.frames[callee].ghosts.iter().map(|&(ghost, symbol)| (ghost, value(terms, symbol))).collect()
}

/// A symbol's second copy, the same one at each call.
fn copy(terms: &mut Terms, purpose: &str, symbol: Symbol) -> TermId {
    let name = format!("{purpose}!{}", terms.name(symbol));
    terms.var(&name, terms.symbol_sort(symbol))
}
