//! Backward binary refinement: of an infeasible path only the shortest infeasible end counts.
//!
//! Going back from the error, the abstract state at a node and the rest of the path contradict each other for the first
//! time at some node; at the next one they do not. What is missing is one interpolant between the two, or those of the
//! call that lies between them: the rest of the path is left to the refinements that follow, if it comes again. So each
//! refinement adds little, at the place nearest to the error where anything is to be gained. (After the checker of
//! abstract traces by backward binary interpolation of Theta, which the stack-abstraction paper measures.)

use super::PathFormulas;
use super::path::{Piece, Steps};
use crate::engine::Stop;
use crate::solver::interpolate::{
    Interpolate, InterpolateError, Interpolation, Method, NestedPath, NestedStep, PathStep,
};
use crate::term::TermId;

/// The ways to find the interpolant, in the order they are tried.
const METHODS: [Method; 3] = [Method::Farkas, Method::CoreWp, Method::Spacer];

impl PathFormulas<'_, '_> {
    /// For each position of an infeasible path, an interpolant: `true` everywhere but where the shortest infeasible end
    /// begins. `None` if there is none to be had.
    pub(crate) fn backward_interpolants(
        &mut self,
        pieces: &[Piece],
        path: &Steps,
    ) -> Result<Option<Vec<TermId>>, Stop> {
        let starts = starts(path);
        // The whole path is infeasible, and its end alone, where an error is, is not.
        let (mut infeasible, mut feasible) = (0, starts.len() - 1);
        while feasible - infeasible > 1 {
            let middle = usize::midpoint(infeasible, feasible);
            let end = self.end_of_path(pieces, path, starts[middle]);
            match self.interpolate_end(&end, &[]) {
                Ok(Interpolation::Feasible(_)) => feasible = middle,
                Err(InterpolateError::NoMethod) => infeasible = middle,
                _ => {
                    self.budget.check()?;
                    return Ok(None);
                }
            }
        }
        let end = self.end_of_path(pieces, path, starts[infeasible]);
        let Ok(Interpolation::Infeasible { interpolants, .. }) = self.interpolate_end(&end, &METHODS) else {
            self.budget.check()?;
            return Ok(None);
        };
        let position = |start: usize| start.checked_sub(1).map_or(0, |piece| path.after[piece]);
        let (first, last) = (position(starts[infeasible]), position(starts[feasible]));
        // The end has one step more than the path has from there: what is known where it begins.
        let of_end = |at: usize| interpolants.get(at - first + 1).copied();
        let truth = self.formulas.terms.bool(true);
        let all = (0..=path.steps.len()).map(|at| if first < at && at <= last { of_end(at) } else { Some(truth) });
        Ok(all.collect())
    }

    /// The rest of the path from a number of pieces on, with what is known there as its first step.
    fn end_of_path(&mut self, pieces: &[Piece], path: &Steps, start: usize) -> Vec<NestedStep> {
        let mut guard = Vec::new();
        let mut from = 0;
        if let Some(piece) = start.checked_sub(1) {
            from = path.after[piece];
            guard = pieces[piece].to().state.known().formulas(&mut self.formulas.terms);
        }
        let guard = self.formulas.terms.and(guard);
        let known = NestedStep::Internal(PathStep { guard, updates: Vec::new(), havoc: Vec::new() });
        [known].into_iter().chain(path.steps[from..].iter().cloned()).collect()
    }

    fn interpolate_end(&mut self, steps: &[NestedStep], methods: &[Method]) -> Result<Interpolation, InterpolateError> {
        let globals = self.formulas.blocks.globals();
        self.solver.process.interpolate_nested(
            &mut self.formulas.terms,
            NestedPath { globals: &globals, steps },
            methods,
        )
    }
}

/// After how many pieces an end of the path can begin: not inside a call that returns.
fn starts(path: &Steps) -> Vec<usize> {
    let mut starts = vec![path.after.len()];
    let mut open = 0_usize;
    for piece in (0..path.after.len()).rev() {
        let from = piece.checked_sub(1).map_or(0, |before| path.after[before]);
        for step in path.steps[from..path.after[piece]].iter().rev() {
            match step {
                NestedStep::Return { .. } => open += 1,
                NestedStep::Call { .. } => open = open.saturating_sub(1),
                NestedStep::Internal(_) => {}
            }
        }
        if open == 0 {
            starts.push(piece);
        }
    }
    starts.reverse();
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Terms;

    #[test]
    fn no_end_of_a_path_begins_inside_a_call_that_returns() {
        let mut terms = Terms::new();
        let truth = terms.bool(true);
        let inside = || NestedStep::Internal(PathStep { guard: truth, updates: Vec::new(), havoc: Vec::new() });
        let call = || NestedStep::Call { parameters: Vec::new() };
        let back = || NestedStep::Return { results: Vec::new() };
        // start, call, (inside, call, return), return, call, inside
        let steps = vec![inside(), call(), inside(), call(), back(), back(), call(), inside()];
        let path = Steps { after: (1..=steps.len()).collect(), steps };
        assert_eq!(starts(&path), [0, 1, 6, 7, 8]);
    }
}
