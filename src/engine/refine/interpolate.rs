//! What is asked of a path: whether it has an execution, and why not.

use super::PathFormulas;
use super::path::Steps;
use crate::engine::Stop;
use crate::solver::interpolate::{Interpolate, InterpolateError, Interpolation, Method, NestedPath};
use crate::term::{Assignment, TermId};

impl PathFormulas<'_, '_> {
    /// Whether formulas leave anything of the program open.
    pub(crate) fn approximates(&self) -> bool {
        !self.formulas.blocks.approximated().is_empty()
    }

    pub(crate) fn approximate_path(&self) -> Stop {
        let blocks = &self.formulas.blocks;
        let first = blocks.first_inexact().or(blocks.approximated().first());
        let construct = first.map_or("something", |unsupported| unsupported.construct);
        Stop::Unsupported {
            construct: format!("{construct}, on which a possible counterexample depends,"),
            span: first.and_then(|unsupported| unsupported.span),
        }
    }

    /// The values along an execution of the path, if there is one.
    pub(crate) fn execution(&mut self, path: &Steps) -> Result<Option<Vec<Assignment>>, Stop> {
        let globals = self.formulas.blocks.globals();
        let nested = NestedPath { globals: &globals, steps: &path.steps };
        match self.solver.process.interpolate_nested(&mut self.formulas.terms, nested, &[]) {
            Ok(Interpolation::Feasible(values)) => Ok(Some(values)),
            Ok(Interpolation::Infeasible { .. }) | Err(InterpolateError::NoMethod) => Ok(None),
            Err(error) => Err(self.stop_of(&error)),
        }
    }

    pub(crate) fn interpolants(&mut self, path: &Steps, method: Method) -> Result<Vec<TermId>, InterpolateError> {
        let globals = self.formulas.blocks.globals();
        let nested = NestedPath { globals: &globals, steps: &path.steps };
        match self.solver.process.interpolate_nested(&mut self.formulas.terms, nested, &[method])? {
            Interpolation::Infeasible { interpolants, .. } => Ok(interpolants),
            Interpolation::Feasible(_) => Err(InterpolateError::Feasible),
        }
    }

    pub(crate) fn stop_of(&self, error: &InterpolateError) -> Stop {
        match self.budget.check() {
            Err(stop) => stop,
            Ok(()) => Stop::Solver(error.to_string()),
        }
    }
}
