//! Nested interpolants (Heizmann, Hoenicke, Podelski: Nested Interpolants, POPL 2010) by core and weakest precondition.
//!
//! Calls that return are summarised, the innermost first: what the rest of the path needs of the call, over its entry
//! and exit values alone, is the negation of the rest's core, all else eliminated. Interpolating the callee against
//! that makes its interpolants and a summary; the caller's path then goes over the summary like over any step.

use super::InterpolateError;
use super::core_wp::core_wp;
use super::path::{Layout, NestedPath, NestedStep, PathStep};
use super::ssa::{Place, ssa};
use crate::solver::{CoreAnswer, Cores, Eliminate, SmtProcess};
use crate::term::{Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// One interpolant per position of an infeasible path.
pub(super) fn nested_core_wp(
    solver: &mut SmtProcess,
    terms: &mut Terms,
    path: NestedPath<'_>,
    layout: &Layout,
) -> Result<Vec<TermId>, InterpolateError> {
    let formula = ssa(terms, path, layout);
    let mut items: Vec<(Place, TermId)> = formula.constraints.iter().map(|c| (c.place, c.term)).collect();
    let truth = terms.bool(true);
    let mut found = Found { path, layout, interpolants: vec![truth; path.steps.len() + 1] };
    let mut returning: Vec<(usize, usize, usize)> = layout
        .frames
        .iter()
        .enumerate()
        .filter_map(|(number, frame)| Some((frame.exit?, frame.call?, number)))
        .collect();
    returning.sort_unstable();
    for (exit, call, frame) in returning {
        let inside = |place: Place| (call, true) <= place && place <= (exit, false);
        let rest: Vec<TermId> = items.iter().filter(|item| !inside(item.0)).map(|item| item.1).collect();
        let callee: Vec<TermId> = items.iter().filter(|item| inside(item.0)).map(|item| item.1).collect();
        let boundary = &formula.boundaries[&frame];
        let bad = needed_of_callee(solver, terms, &rest, &callee, boundary)?;
        found.interpolate_callee(solver, terms, call, exit, bad)?;
        let summary = terms.substitute(found.interpolants[exit], boundary);
        items.retain(|item| !inside(item.0));
        items.push(((call, true), summary));
    }
    found.interpolate_outermost(solver, terms)?;
    Ok(found.interpolants)
}

/// The exits of the callee with which the rest of the path can be executed, over the boundary's symbols.
fn needed_of_callee(
    solver: &mut SmtProcess,
    terms: &mut Terms,
    rest: &[TermId],
    callee: &[TermId],
    boundary: &FxHashMap<Symbol, TermId>,
) -> Result<TermId, InterpolateError> {
    let all: Vec<TermId> = rest.iter().chain(callee).copied().collect();
    let core: Vec<TermId> = match solver.check_core(terms, &all) {
        CoreAnswer::Unsat(core) => core.into_iter().filter_map(|i| rest.get(i).copied()).collect(),
        CoreAnswer::Unknown(_) => rest.to_vec(),
        CoreAnswer::Sat => return Err(InterpolateError::Feasible),
    };
    let body = terms.and(core);
    let back: FxHashMap<Symbol, TermId> = boundary
        .iter()
        .filter_map(|(&symbol, &version)| Some((terms.as_symbol(version)?, symbol)))
        .collect::<Vec<_>>()
        .into_iter()
        .map(|(version, symbol)| (version, terms.of_symbol(symbol)))
        .collect();
    let hidden: Vec<Symbol> = terms.symbols_of([body]).into_iter().filter(|s| !back.contains_key(s)).collect();
    let shared = solver.exists(terms, &hidden, body)?.term;
    Ok(terms.substitute(shared, &back))
}

/// The interpolants found so far; those of callees come first.
struct Found<'a> {
    path: NestedPath<'a>,
    layout: &'a Layout,
    interpolants: Vec<TermId>,
}

impl Found<'_> {
    /// Interpolates the activation between a call and its return against its bad exits.
    fn interpolate_callee(
        &mut self,
        solver: &mut SmtProcess,
        terms: &mut Terms,
        call: usize,
        exit: usize,
        bad: TermId,
    ) -> Result<(), InterpolateError> {
        let frame = self.layout.frame_at[call + 1];
        let mut entry = Vec::new();
        for &(ghost, symbol) in &self.layout.frames[frame].ghosts {
            let (ghost, symbol) = (terms.of_symbol(ghost), terms.of_symbol(symbol));
            entry.push(terms.eq(ghost, symbol));
        }
        let mut steps = vec![assume(terms.and(entry))];
        let mut positions = vec![None];
        self.flatten(terms, call + 1, exit, &mut steps, &mut positions);
        positions.push(Some(exit));
        steps.push(assume(bad));
        positions.push(None);
        self.keep(core_wp(solver, terms, &steps)?, &positions);
        Ok(())
    }

    fn interpolate_outermost(&mut self, solver: &mut SmtProcess, terms: &mut Terms) -> Result<(), InterpolateError> {
        let mut steps = Vec::new();
        let mut positions = Vec::new();
        let end = self.path.steps.len();
        self.flatten(terms, 0, end, &mut steps, &mut positions);
        positions.push(Some(end));
        self.keep(core_wp(solver, terms, &steps)?, &positions);
        Ok(())
    }

    fn keep(&mut self, interpolants: Vec<TermId>, positions: &[Option<usize>]) {
        for (interpolant, position) in interpolants.into_iter().zip(positions) {
            if let Some(position) = *position {
                self.interpolants[position] = interpolant;
            }
        }
    }

    /// The steps from one position to another as steps of one activation: over calls that return by their summary,
    /// into those that do not. For each step it says which position it starts from.
    fn flatten(
        &self,
        terms: &mut Terms,
        from: usize,
        to: usize,
        steps: &mut Vec<PathStep>,
        positions: &mut Vec<Option<usize>>,
    ) {
        let mut position = from;
        while position < to {
            positions.push(Some(position));
            match &self.path.steps[position] {
                NestedStep::Internal(step) => steps.push(step.clone()),
                NestedStep::Call { parameters } => {
                    let callee = &self.layout.frames[self.layout.frame_at[position + 1]];
                    if let Some(exit) = callee.exit {
                        positions.push(None);
                        steps.extend(self.over(terms, position, exit));
                        position = exit;
                    } else {
                        let given = |local: &Symbol| parameters.iter().any(|p| p.0 == *local);
                        let havoc = callee.locals.iter().copied().filter(|local| !given(local)).collect();
                        steps.push(PathStep { guard: terms.bool(true), updates: parameters.clone(), havoc });
                    }
                }
                NestedStep::Return { .. } => unreachable!("a return lies inside its call, which is stepped over"),
            }
            position += 1;
        }
    }

    /// A call and its return by the summary: choose the callee's exit values, which the summary relates to the caller's
    /// state, then take them over.
    fn over(&self, terms: &mut Terms, call: usize, exit: usize) -> [PathStep; 2] {
        let obligation = &super::obligations::obligation(terms, self.path, self.layout, exit);
        let (_, exit_values) = &obligation.premises[1];
        let summary = terms.substitute(self.interpolants[exit], exit_values);
        let frame = self.layout.frame_at[call + 1];
        let mut chosen = Vec::new();
        for symbol in self.layout.frames[frame].locals.iter().chain(&self.layout.globals) {
            chosen.extend(terms.as_symbol(exit_values[symbol]));
        }
        let mut updates: Vec<(Symbol, TermId)> =
            obligation.conclusion.1.iter().map(|(&symbol, &value)| (symbol, value)).collect();
        updates.sort_unstable();
        let truth = terms.bool(true);
        [
            PathStep { guard: truth, updates: Vec::new(), havoc: chosen },
            PathStep { guard: summary, updates, havoc: Vec::new() },
        ]
    }
}

fn assume(guard: TermId) -> PathStep {
    PathStep { guard, updates: Vec::new(), havoc: Vec::new() }
}
