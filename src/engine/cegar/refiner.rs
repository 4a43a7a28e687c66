//! The refiner: decides whether an abstract counterexample is real and, where it is not, makes the precision finer, so
//! that it cannot come again (algorithms 2.3 and 4.2 of the stack-abstraction paper).

use super::config::{DomainChoice, Refinement};
use super::limits::PIECES_BEFORE_EXECUTION;
use super::{Cegar, CegarSpace};
use crate::concrete::{Trace, replay};
use crate::engine::Stop;
use crate::engine::refine::{KnownValues, PathFormulas, Piece, Steps, atoms, literals};
use crate::engine::search::NodeId;
use crate::formula::Formulas;
use crate::program::{LocId, ProcId};
use crate::solver::interpolate::Method;
use crate::term::{Op, Symbol, TermId};
use std::collections::BTreeSet;

/// What an abstract counterexample turned out to be.
pub(in crate::engine) enum Examined {
    /// An execution.
    Real(Trace),
    /// No execution takes this path.
    Spurious(Vec<Piece>),
    /// It ends in an access to memory that is undefined, which is noted.
    Fault,
}

/// How much is tried to rule a path out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) enum Effort {
    /// Everything.
    Full,
    /// What is quick: the path is one of several that are ruled out together.
    Quick,
}

impl Cegar<'_> {
    /// Looks at the abstract counterexample that ends at the node.
    pub(in crate::engine) fn examine(&mut self, error: NodeId) -> Result<Examined, Stop> {
        let pieces = match self.pieces(error) {
            Some(pieces) if pieces.len() <= PIECES_BEFORE_EXECUTION => pieces,
            long => {
                if let Some(trace) = self.executed()? {
                    return Ok(Examined::Real(trace));
                }
                long.ok_or(Stop::PathTooLong)?
            }
        };
        debug_assert!(self.ends_in_error(&pieces), "an abstract counterexample ends in an error");
        let mut paths = self.space.paths();
        let merged = paths.merged(&pieces)?;
        let Some(values) = paths.execution(&merged)? else { return Ok(Examined::Spurious(pieces)) };
        if let Some((procedure, location)) = paths.fault_at_the_end(&pieces) {
            self.note_fault(procedure, location);
            return Ok(Examined::Fault);
        }
        let trace = paths.trace(&pieces, &merged, &values)?;
        // What is only approximated can make a path look feasible.
        match replay(&paths.task.program, &paths.task.property, &trace) {
            Err(_) if paths.approximates() => Err(paths.approximate_path()),
            _ => Ok(Examined::Real(trace)),
        }
    }

    /// An execution can be undefined: that it is not is taken for granted from here on.
    fn note_fault(&mut self, procedure: ProcId, location: LocId) {
        let span = self.space.program().procedures[procedure].locations[location].span;
        self.assumptions.add("an access to memory, which may be invalid, is valid".to_owned(), span);
    }

    /// Makes the precision finer, so that an infeasible path cannot come again, and removes what that changes: all from
    /// the first node on after which it does.
    pub(in crate::engine) fn refine(&mut self, pieces: &[Piece]) -> Result<(), Stop> {
        match self.rule_out(pieces, Effort::Full)? {
            Some(node) => {
                self.explore_again(&[node]);
                Ok(())
            }
            None => self.start(),
        }
    }

    /// Makes the precision finer, so that an infeasible path cannot come again; the node after which that changes what was
    /// explored, or none where it changes all.
    pub(in crate::engine) fn rule_out(&mut self, pieces: &[Piece], effort: Effort) -> Result<Option<NodeId>, Stop> {
        let first = self.space.rule_out(pieces, effort)?;
        let keeps_values = self.space.keeps_values(pieces, first);
        Ok(pieces[first].from().filter(|_| keeps_values).map(|from| from.id))
    }

    /// Removes all that came from these nodes, which wait again.
    pub(in crate::engine) fn explore_again(&mut self, nodes: &[NodeId]) {
        for node in nodes {
            if self.search.arg.has(*node) {
                self.search.prune_below(&mut self.space, *node);
            }
        }
        self.resumed += self.search.arg.nodes().count() as u64;
    }
}

impl<'p> CegarSpace<'p> {
    /// What reasons about paths.
    fn paths(&mut self) -> PathFormulas<'_, 'p> {
        PathFormulas {
            task: self.task,
            formulas: &mut self.formulas,
            solver: &mut self.solver,
            init: &self.walks.initial.0,
            budget: &self.budget,
        }
    }

    /// Makes the precision finer, so that an infeasible path cannot come again; tells the first piece after which it is.
    fn rule_out(&mut self, pieces: &[Piece], effort: Effort) -> Result<usize, Stop> {
        let mut paths = Vec::new();
        let mut taken = Vec::new();
        // Along a trace much is known that is the same for many objects.
        if self.pruning.is_some() {
            taken = self.paths().longest_execution(pieces)?;
            paths.push(self.paths().single(pieces, &taken, KnownValues::FilledIn)?);
        }
        let single = self.paths().single(pieces, &taken, KnownValues::Symbolic)?;
        if self.config.refinement == Refinement::Backward
            && let Some(interpolants) = self.paths().backward_interpolants(pieces, &single)?
            && let Some(first) = self.add_all(pieces, &single, &interpolants)
        {
            return Ok(first);
        }
        paths.push(single);
        let mut found = Vec::new();
        let is_tried = |method: &&Method| effort == Effort::Full || **method != Method::Spacer;
        for &method in self.config.refinement.methods().iter().filter(is_tried) {
            for path in &paths {
                let interpolants = match self.paths().interpolants(path, method) {
                    Ok(interpolants) => interpolants,
                    Err(error) if self.budget.check().is_err() => return Err(self.paths().stop_of(&error)),
                    Err(_) => continue,
                };
                if let Some(first) = self.add_all(pieces, path, &interpolants) {
                    return Ok(first);
                }
                found.push((path, interpolants));
            }
        }
        if effort == Effort::Quick {
            return Err(Stop::NoRefinement);
        }
        // What was found is known already: then combinations of predicates matter.
        if let Some(first) = self.combine(pieces) {
            return Ok(first);
        }
        // There are too many combinations: one interpolant is one predicate.
        found.iter().find_map(|(path, all)| self.add_whole(pieces, path, all)).ok_or(Stop::NoRefinement)
    }

    /// Notes where a refinement begins; `false` if a variable is tracked no longer for it.
    fn keeps_values(&mut self, pieces: &[Piece], first: usize) -> bool {
        let place = |piece: &Piece| (piece.to().top().procedure, piece.to().top().location);
        let at = place(&pieces[first]);
        let nodes = pieces.iter().filter(|piece| place(piece) == at).map(Piece::to);
        let is_variable = |(symbol, _): &&(Symbol, TermId)| !self.formulas.blocks.is_always_known(*symbol);
        let values = nodes.flat_map(|node| node.state.values.iter()).filter(is_variable);
        // Where states are not matched, each is one of an unrolling.
        !self.matches_states() || self.history.see_refinement(&mut self.precision, at, values)
    }

    /// Adds the interpolants as they are to the precision; tells the first piece after which one is new.
    fn add_whole(&mut self, pieces: &[Piece], path: &Steps, interpolants: &[TermId]) -> Option<usize> {
        let mut first = None;
        for (number, (piece, &position)) in pieces.iter().zip(&path.after).enumerate() {
            let interpolant = interpolants[position];
            let top = piece.to().top();
            let is_open = !matches!(self.formulas.terms.op(interpolant), Op::Bool(_));
            if is_open && self.precision.add(top.procedure, top.location, interpolant) && first.is_none() {
                first = Some(number);
            }
        }
        first
    }

    /// Adds what the interpolants speak of to the precision; tells the first piece after which something is new.
    fn add_all(&mut self, pieces: &[Piece], path: &Steps, interpolants: &[TermId]) -> Option<usize> {
        let mut first = None;
        let mut general = BTreeSet::new();
        for (number, (piece, &position)) in pieces.iter().zip(&path.after).enumerate() {
            let interpolant = interpolants[position];
            if matches!(self.formulas.terms.op(interpolant), Op::Bool(_)) {
                continue;
            }
            let to = piece.to();
            let top = to.top();
            let mut new = false;
            for atom in atoms(&mut self.formulas.terms, interpolant) {
                new |= self.add(top.procedure, top.location, atom);
            }
            general.extend(self.of_every_member(interpolant));
            // A node may also be older than what the precision has by now.
            new |= self.precision.changed_since(top.procedure, top.location, to.made_after);
            if new && first.is_none() {
                first = Some(number);
            }
        }
        // What every member of a region is to have, it has on all of the way.
        for (number, piece) in pieces.iter().enumerate() {
            let top = piece.to().top();
            let mut new = false;
            for formula in &general {
                new |= self.precision.add(top.procedure, top.location, *formula);
            }
            if new && first.is_none_or(|first| number < first) {
                first = Some(number);
            }
        }
        first
    }

    /// What an interpolant says of one member of a region, said of every member, part by part. Traces, which are of one
    /// execution, do not tell that.
    fn of_every_member(&mut self, interpolant: TermId) -> Vec<TermId> {
        if self.pruning.is_some() {
            return Vec::new();
        }
        let Formulas { terms, blocks } = &mut self.formulas;
        let literals = literals(terms, interpolant);
        literals.into_iter().filter_map(|literal| blocks.memory().of_every_member(terms, literal)).collect()
    }

    /// Adds a predicate, or its variables to those that are tracked.
    fn add(&mut self, procedure: ProcId, location: LocId, atom: TermId) -> bool {
        let symbols = self.formulas.terms.symbols_of([atom]);
        let asks = self.pruning.is_some() && self.matches_states();
        let mut is_chosen = false;
        for symbol in symbols.iter().filter(|symbol| asks && self.formulas.blocks.is_memory(**symbol)) {
            is_chosen |= self.precision.tell_apart(*symbol);
        }
        let tracks = match self.config.domain {
            DomainChoice::Explicit => true,
            DomainChoice::Predicates => false,
            DomainChoice::Product => {
                symbols.iter().all(|symbol| self.walks.is_finite(*symbol) && !self.history.varies(*symbol))
            }
        };
        if !tracks || symbols.iter().all(|symbol| self.precision.is_tracked(*symbol)) {
            return self.precision.add(procedure, location, atom) || is_chosen;
        }
        let variables: Vec<Symbol> =
            symbols.into_iter().filter(|symbol| self.formulas.blocks.is_state(*symbol)).collect();
        let mut new = is_chosen;
        for variable in variables {
            new |= self.precision.track(variable);
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
