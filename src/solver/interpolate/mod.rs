//! Interpolants along an infeasible path, by three methods; each sequence is checked before it is returned.
//!
//! The interpolants `I_0 … I_n` of a path of n steps obey these laws:
//!
//! - `I_0` is true and `I_n` is false.
//! - For a step inside an activation, `I_i`, the guard and the updates imply `I_{i+1}` of the new state.
//! - `I_i` mentions only the globals and locals that the position's activation can see, and inside a call the ghosts of
//!   [`old`]: the values that its parameters and the globals had on entry.
//! - For a call, `I_i` and the parameters' values imply `I_{i+1}`, where the ghosts equal what they remember.
//! - For a return, the interpolant before the call and the one before the return, the ghosts being what was passed,
//!   imply `I_{i+1}` of the caller's state with the results taken over.

mod core_wp;
mod farkas;
mod nested;
mod obligations;
mod path;
mod spacer;
mod ssa;

pub use path::{NestedPath, NestedStep, PathStep, old};

use super::{Answer, Models, Reason, SmtProcess, Solve, SolverError};
use crate::term::{Assignment, Symbol, TermId, Terms};
use path::Layout;

/// How interpolants are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Unsatisfiable core and weakest precondition.
    CoreWp,
    /// Sums of linear inequalities, by Farkas' lemma: one inequality a position where the path is a conjunction.
    Farkas,
    /// Horn clauses, solved by Spacer.
    Spacer,
}

/// What there is to say of a path.
#[derive(Debug, Clone, PartialEq)]
pub enum Interpolation {
    /// It can be executed: at each position, values of the symbols visible there.
    Feasible(Vec<Assignment>),
    /// It cannot: an interpolant for each position, checked.
    Infeasible {
        /// The interpolants.
        interpolants: Vec<TermId>,
        /// The method that found them.
        method: Method,
    },
}

/// Why there is neither an execution nor a sequence of interpolants.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InterpolateError {
    /// The path is not one.
    #[error("malformed path: {0}")]
    Malformed(String),
    /// The solver failed or does not know.
    #[error("{0}")]
    Solver(#[from] SolverError),
    /// A method found the path feasible although it is not.
    #[error("a method took an infeasible path for feasible")]
    Feasible,
    /// No sum of the path's linear inequalities is a contradiction: it needs more than linear rational arithmetic.
    #[error("no sum of linear inequalities refutes the path")]
    NotLinear,
    /// An elimination that was not exact gave an interpolant that is too strong.
    #[error("an approximate elimination lost too much")]
    Imprecise,
    /// A sequence was found and does not obey the laws; it was discarded.
    #[error("the interpolants of {0:?} failed their check")]
    FailedCheck(Method),
    /// No method was asked for.
    #[error("no interpolation method was given")]
    NoMethod,
}

/// Finding interpolants.
pub trait Interpolate {
    /// The interpolants of a path inside one activation, by the first method that succeeds.
    fn interpolate(
        &mut self,
        terms: &mut Terms,
        steps: &[PathStep],
        methods: &[Method],
    ) -> Result<Interpolation, InterpolateError>;

    /// The interpolants of a path with calls, by the first method that succeeds.
    fn interpolate_nested(
        &mut self,
        terms: &mut Terms,
        path: NestedPath<'_>,
        methods: &[Method],
    ) -> Result<Interpolation, InterpolateError>;

    /// Whether the sequence obeys the laws of interpolants for the path; `None` where the solver does not know.
    fn check_sequence(
        &mut self,
        terms: &mut Terms,
        path: NestedPath<'_>,
        interpolants: &[TermId],
    ) -> Result<Option<bool>, InterpolateError>;
}

impl Interpolate for SmtProcess {
    fn interpolate(
        &mut self,
        terms: &mut Terms,
        steps: &[PathStep],
        methods: &[Method],
    ) -> Result<Interpolation, InterpolateError> {
        let steps: Vec<NestedStep> = steps.iter().cloned().map(NestedStep::Internal).collect();
        self.interpolate_nested(terms, NestedPath { globals: &[], steps: &steps }, methods)
    }

    fn interpolate_nested(
        &mut self,
        terms: &mut Terms,
        path: NestedPath<'_>,
        methods: &[Method],
    ) -> Result<Interpolation, InterpolateError> {
        let layout = Layout::new(terms, path)?;
        let solver = self.aside();
        if let Some(execution) = execution(solver, terms, path, &layout)? {
            return Ok(Interpolation::Feasible(execution));
        }
        let mut last_error = InterpolateError::NoMethod;
        for &method in methods {
            let found = match method {
                Method::CoreWp => nested::nested_core_wp(solver, terms, path, &layout),
                Method::Farkas => farkas::farkas(solver, terms, path, &layout),
                Method::Spacer => spacer::spacer(solver, terms, path, &layout),
            };
            let found = found.and_then(|mut interpolants| {
                interpolants[0] = terms.bool(true);
                match check(solver, terms, path, &layout, &interpolants) {
                    Some(true) => Ok(interpolants),
                    _ => Err(InterpolateError::FailedCheck(method)),
                }
            });
            match found {
                Ok(interpolants) => return Ok(Interpolation::Infeasible { interpolants, method }),
                Err(error) => last_error = error,
            }
        }
        Err(last_error)
    }

    fn check_sequence(
        &mut self,
        terms: &mut Terms,
        path: NestedPath<'_>,
        interpolants: &[TermId],
    ) -> Result<Option<bool>, InterpolateError> {
        let layout = Layout::new(terms, path)?;
        Ok(check(self.aside(), terms, path, &layout, interpolants))
    }
}

/// The values along an execution of the path, if there is one. The formula is asserted plainly, because that is what
/// solvers are quickest with.
fn execution(
    solver: &mut SmtProcess,
    terms: &mut Terms,
    path: NestedPath<'_>,
    layout: &Layout,
) -> Result<Option<Vec<Assignment>>, InterpolateError> {
    let formula = ssa::ssa(terms, path, layout);
    solver.push();
    for constraint in &formula.constraints {
        solver.assert(terms, constraint.term);
    }
    let answer = solver.check(terms, &[]);
    let values = answer.is_sat().then(|| {
        let versions = formula.states.iter().flat_map(|state| state.values()).copied();
        let versions: Vec<Symbol> = terms.symbols_of(versions).into_iter().collect();
        solver.model(terms, &versions)
    });
    solver.pop();
    match (answer, values) {
        (Answer::Unknown(reason), _) => Err(SolverError::Unknown(reason).into()),
        (_, None) => Ok(None),
        (_, Some(values)) => {
            let values = values?;
            let value = |version: TermId| crate::term::eval(terms, version, &values);
            let states = formula.states.iter();
            Ok(Some(states.map(|state| state.iter().map(|(&symbol, &v)| (symbol, value(v))).collect()).collect()))
        }
    }
}

/// Whether the sequence obeys the laws; `None` where the solver does not know.
fn check(
    solver: &mut SmtProcess,
    terms: &mut Terms,
    path: NestedPath<'_>,
    layout: &Layout,
    interpolants: &[TermId],
) -> Option<bool> {
    let (truth, falsity) = (terms.bool(true), terms.bool(false));
    if interpolants.len() != path.steps.len() + 1
        || interpolants.first() != Some(&truth)
        || interpolants.last() != Some(&falsity)
    {
        return Some(false);
    }
    for (position, &interpolant) in interpolants.iter().enumerate() {
        if !terms.symbols_of([interpolant]).is_subset(&layout.visible(position)) {
            return Some(false);
        }
    }
    let mut unknown: Option<Reason> = None;
    for obligation in obligations::obligations(terms, path, layout) {
        let (after, map) = &obligation.conclusion;
        let conclusion = terms.substitute(interpolants[*after], map);
        let mut parts = vec![obligation.constraint, terms.not(conclusion)];
        for (before, map) in &obligation.premises {
            parts.push(terms.substitute(interpolants[*before], map));
        }
        let violation = terms.and(parts);
        match solver.check(terms, &[violation]) {
            Answer::Unsat => {}
            Answer::Sat => return Some(false),
            Answer::Unknown(reason) => unknown = Some(reason),
        }
    }
    unknown.is_none().then_some(true)
}
