//! The refiner: decides whether an abstract counterexample is real and, where it is not, makes the precision finer, so
//! that it cannot come again (algorithms 2.3 and 4.2 of the stack-abstraction paper).

use super::config::{Domain, Refinement};
use super::path::{Piece, Steps};
use super::resolve::atoms;
use super::{Cegar, CegarSpace};
use crate::concrete::{Trace, replay};
use crate::engine::Stop;
use crate::engine::search::NodeId;
use crate::program::{LocId, ProcId};
use crate::solver::interpolate::{Interpolate, InterpolateError, Interpolation, Method, NestedPath};
use crate::term::{Assignment, Op, Symbol, TermId};

/// What the refiner says of an abstract counterexample.
pub(super) enum Refined {
    /// It is real.
    Unsafe(Trace),
    /// It was not; the precision is finer now.
    Spurious,
    /// It ends in an access to memory without a meaning, which is noted.
    Fault,
}

/// Before a path of more pieces is made a formula, it is worth the time to execute the program.
const LONG: usize = 1_000;

impl Cegar<'_> {
    /// Looks at the abstract counterexample that ends at the node.
    pub(super) fn refinement(&mut self, error: NodeId) -> Result<Refined, Stop> {
        let pieces = match self.pieces(error) {
            Some(pieces) if pieces.len() <= LONG => pieces,
            long => {
                if let Some(trace) = self.executed()? {
                    return Ok(Refined::Unsafe(trace));
                }
                long.ok_or_else(|| Stop::GaveUp("a path to an error is too long to look at".to_owned()))?
            }
        };
        debug_assert!(self.ends_in_error(&pieces), "an abstract counterexample ends in an error");
        let space = &mut self.space;
        let merged = space.merged(&pieces)?;
        if let Some(values) = space.execution(&merged)? {
            if let Some((procedure, location)) = space.fault_at_the_end(&pieces) {
                self.note_fault(procedure, location);
                return Ok(Refined::Fault);
            }
            let trace = space.trace(&pieces, &merged, &values)?;
            // What is only approximated can make a path look feasible.
            return match replay(space.program(), &space.task.property, &trace) {
                Err(_) if space.approximates() => Err(space.approximate_path()),
                _ => Ok(Refined::Unsafe(trace)),
            };
        }
        self.refinements += 1;
        if !space.splits && space.blocks.cuts().has_recursion() {
            space.learn()?;
            self.start()?;
            return Ok(Refined::Spurious);
        }
        let first = space.rule_out(&pieces)?;
        self.prune(&pieces[first])?;
        Ok(Refined::Spurious)
    }

    /// An execution can be undefined: that it is not is taken for granted from here on.
    fn note_fault(&mut self, procedure: ProcId, location: LocId) {
        let span = self.space.program().procedures[procedure].locations[location].span;
        self.assumptions.add("an access to memory, which may be invalid, is valid".to_owned(), span);
    }

    /// Removes what the finer precision changes: all from the node before the piece on.
    fn prune(&mut self, first: &Piece) -> Result<(), Stop> {
        match first.from() {
            Some(from) => {
                self.search.prune_below(&mut self.space, from.id);
                Ok(())
            }
            None => self.start(),
        }
    }
}

impl CegarSpace<'_> {
    /// Makes the precision finer, so that an infeasible path cannot come again; tells the first piece after which it is.
    fn rule_out(&mut self, pieces: &[Piece]) -> Result<usize, Stop> {
        let single = self.single(pieces)?;
        if self.config.refinement == Refinement::Backward
            && let Some(interpolants) = self.backward_interpolants(pieces, &single)?
            && let Some(first) = self.refine(pieces, &single, &interpolants)
        {
            return Ok(first);
        }
        for &method in self.config.refinement.methods() {
            let interpolants = match self.interpolants(&single, method) {
                Ok(interpolants) => interpolants,
                Err(error) if self.budget.check().is_err() => return Err(self.stop_of(&error)),
                Err(_) => continue,
            };
            if let Some(first) = self.refine(pieces, &single, &interpolants) {
                return Ok(first);
            }
        }
        // What was found is known already: then combinations of predicates matter.
        let combined = self.combine(pieces);
        combined.ok_or_else(|| Stop::GaveUp("no refinement rules out an infeasible path".to_owned()))
    }

    /// Whether formulas leave anything of the program open.
    fn approximates(&self) -> bool {
        !self.blocks.approximated().is_empty()
    }

    fn approximate_path(&self) -> Stop {
        let first = self.blocks.approximated().first();
        let construct = first.map_or("something", |unsupported| unsupported.construct);
        Stop::Unsupported {
            construct: format!("{construct}, on which a possible counterexample depends,"),
            span: first.and_then(|unsupported| unsupported.span),
        }
    }

    /// The values along an execution of the path, if there is one.
    fn execution(&mut self, path: &Steps) -> Result<Option<Vec<Assignment>>, Stop> {
        let globals = self.globals.clone();
        let nested = NestedPath { globals: &globals, steps: &path.steps };
        match self.solver.interpolate_nested(&mut self.terms, nested, &[]) {
            Ok(Interpolation::Feasible(values)) => Ok(Some(values)),
            Ok(Interpolation::Infeasible { .. }) | Err(InterpolateError::NoMethod) => Ok(None),
            Err(error) => Err(self.stop_of(&error)),
        }
    }

    fn interpolants(&mut self, path: &Steps, method: Method) -> Result<Vec<TermId>, InterpolateError> {
        let globals = self.globals.clone();
        let nested = NestedPath { globals: &globals, steps: &path.steps };
        match self.solver.interpolate_nested(&mut self.terms, nested, &[method])? {
            Interpolation::Infeasible { interpolants, .. } => Ok(interpolants),
            Interpolation::Feasible(_) => Err(InterpolateError::Feasible),
        }
    }

    fn stop_of(&self, error: &InterpolateError) -> Stop {
        match self.budget.check() {
            Err(stop) => stop,
            Ok(()) => Stop::Solver(error.to_string()),
        }
    }

    /// Adds what the interpolants speak of to the precision; tells the first piece after which something is new.
    fn refine(&mut self, pieces: &[Piece], path: &Steps, interpolants: &[TermId]) -> Option<usize> {
        let mut first = None;
        for (number, (piece, &position)) in pieces.iter().zip(&path.after).enumerate() {
            let interpolant = interpolants[position];
            if matches!(self.terms.op(interpolant), Op::Bool(_)) {
                continue;
            }
            let to = piece.to();
            let top = to.top();
            let mut new = false;
            for atom in atoms(&mut self.terms, interpolant) {
                new |= self.add(top.procedure, top.location, atom);
            }
            // A node may also be older than what the precision has by now.
            new |= self.precision.changed_since(top.procedure, top.location, to.made_after);
            if new && first.is_none() {
                first = Some(number);
            }
        }
        first
    }

    /// Adds a predicate, or its variables to those that are tracked.
    fn add(&mut self, procedure: ProcId, location: LocId, atom: TermId) -> bool {
        let symbols = self.terms.symbols_of([atom]);
        let tracks = match self.config.domain {
            Domain::Explicit => true,
            Domain::Predicates => false,
            Domain::Product => {
                symbols.iter().all(|symbol| self.finite.contains(symbol) && !self.precision.varies(*symbol))
            }
        };
        if !tracks || symbols.iter().all(|symbol| self.precision.tracked.contains(symbol)) {
            return self.precision.add(procedure, location, atom);
        }
        let variables: Vec<Symbol> = symbols.into_iter().filter(|symbol| self.blocks.is_state(*symbol)).collect();
        let mut new = false;
        for variable in variables {
            new |= self.precision.track(variable);
        }
        if new {
            self.walks.clear();
        }
        new
    }

    /// Makes combinations of predicates count along the path; tells the first piece after which they did not.
    fn combine(&mut self, pieces: &[Piece]) -> Option<usize> {
        let mut first = None;
        for (number, piece) in pieces.iter().enumerate() {
            let top = piece.to().top();
            if self.precision.combine(top.procedure, top.location) && first.is_none() {
                first = Some(number);
            }
        }
        first
    }
}
