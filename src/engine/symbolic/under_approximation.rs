//! Under-approximation refinement, the rival: concrete states, matched with all abstract states that were met, in one
//! table; every explored transition that is not exact gives new predicates, until there is none.

use super::fragment::{Closing, Invariant};
use super::{Interruption, SymbolicExecution};
use crate::engine::Stop;
use crate::term::{Symbol, TermId};
use rustc_hash::FxHashMap;

impl SymbolicExecution<'_> {
    /// Explores with one table and refines, until every explored transition is exact.
    pub(super) fn refine_under_approximation(&mut self) -> Result<Invariant, Interruption> {
        self.space.initial_predicates();
        loop {
            self.iterations += 1;
            self.search.start(&mut self.space)?;
            self.only_concrete()?;
            self.explore(usize::MAX)?;
            if !self.add_predicates_of_inexact()? {
                break;
            }
            self.space.forget_facts();
        }
        match self.close(true)? {
            Closing::Closed(invariant) => Ok(invariant),
            Closing::Open { .. } => {
                let message = "every explored transition is exact, but what was explored is not closed";
                Err(Stop::GaveUp(message.to_owned()).into())
            }
        }
    }

    /// Concrete states only: one initial state, and no inputs.
    fn only_concrete(&self) -> Result<(), Stop> {
        let initial = self.search.arg.nodes().all(|node| self.space.is_concrete(&self.search.arg.state(node).symbolic));
        let program = self.space.system.program();
        let statements = program.procedures.iter().flat_map(|p| p.edges.iter()).flat_map(|edge| &edge.block);
        let input = statements.clone().find_map(|statement| match statement {
            crate::program::Statement::Havoc { span, .. } => Some(*span),
            _ => None,
        });
        match (initial, input) {
            (true, None) => Ok(()),
            (false, _) => Err(Stop::Unsupported {
                construct: "with --matching global, more than one initial state".to_owned(),
                span: None,
            }),
            (true, Some(span)) => {
                Err(Stop::Unsupported { construct: "with --matching global, an input".to_owned(), span })
            }
        }
    }

    /// Adds the predicates of the preimages of inexact transitions; whether there are new ones.
    fn add_predicates_of_inexact(&mut self) -> Result<bool, Stop> {
        let mut new = Vec::new();
        let mut transitions: Vec<_> = self.abstract_successors().into_iter().collect();
        transitions.sort_unstable();
        for ((from, chosen), successors) in transitions {
            for to in successors {
                self.space.budget.check()?;
                if self.space.is_exact(from, chosen, to)? == Some(true) {
                    continue;
                }
                let space = &mut self.space;
                let moves = space.moves(space.abstract_states.get(from).0)?;
                let updates: FxHashMap<Symbol, TermId> =
                    moves[chosen].updates.iter().map(|&(index, value)| (space.system.data[index], value)).collect();
                for predicate in space.predicates.iter() {
                    new.push(space.formulas.terms.substitute(predicate.atom, &updates));
                }
            }
        }
        let mut added = 0;
        for formula in new {
            added += self.space.add_atoms(formula);
        }
        Ok(added > 0)
    }
}
