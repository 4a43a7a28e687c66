//! SAFEFRAGMENT and the inductive-invariant check (figure 4.3, and lines 9 to 13 of figure 4.1), as one.
//!
//! What is claimed is that executions stay within a set: the abstract states of a fragment F, and outside of it the
//! symbolic states of an exact stem E. F is at first every abstract state that was met; if that is closed it is the
//! thesis's inductive invariant. An abstract state from which F can be left, and which no loop leads to, goes over to
//! the stem: what its symbolic states lead to is known exactly. It comes back if F leads to it. What remains in the
//! end, closed, is the thesis's safe fragment.
//!
//! Closed means that for every abstract state of F and every move, with any inputs, the strongest postcondition is part
//! of F or E. That is more than that explored transitions are exact, which excludes no successor that was not explored.
//!
//! Most predicates do not matter to a proof. Abstract states are three-valued here: only selected predicates count, and
//! F is taken for the union of what they leave. A counterexample to induction that is in this union, but in no abstract
//! state of F, selects the predicates that exclude it. So a proof takes as many queries as it has parts, however many
//! abstract states were met.

use super::SymbolicExecution;
use super::abstract_states::AbstractId;
use super::closing_attempt::ClosingAttempt;
use super::limits::{MAX_EARLY_SELECTIONS, MAX_NODES_OF_PROOF, MAX_STEM_NODES, MAX_UNMET_SUCCESSORS};
use super::predicates::Bits;
use super::space::SymbolicSpace;
use super::system::{Move, PointId, PointKind};
use crate::engine::Stop;
use crate::solver::{Answer, Models, Solve};
use crate::term::{Assignment, Op, Symbol, TermId, eval::eval_cached};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How a check went.
pub(super) enum Closing {
    /// Executions stay within this.
    Closed(Invariant),
    /// They may leave it: these abstract states were not met. Also the first counterexamples to induction.
    Open {
        /// What was not met.
        unmet: Vec<UnmetSuccessor>,
        /// Where an induction fails first.
        counterexamples: Vec<InductionCounterexample>,
    },
}

/// A counterexample to induction: an abstract state from which a move may lead out of the set.
#[derive(Debug, Clone)]
pub(super) struct InductionCounterexample {
    pub(super) point: PointId,
    pub(super) chosen: usize,
    pub(super) bits: Bits,
}

/// What executions stay within, control point by control point: conjunctions of literals, one of which holds.
pub(super) type Invariant = BTreeMap<PointId, Vec<Vec<TermId>>>;

/// An abstract successor that was not met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UnmetSuccessor {
    /// From which abstract state.
    pub(super) from: AbstractId,
    /// By which move.
    pub(super) chosen: usize,
    /// What would be there; nothing where the move leads to an error.
    pub(super) bits: Option<Bits>,
}

impl SymbolicExecution<'_> {
    /// The set of all that was explored, if that is everything and not too much: then it is closed.
    pub(super) fn exhausted(&mut self) -> Option<Invariant> {
        let SymbolicExecution { space, search, .. } = self;
        let arg = &search.arg;
        let is_everything = arg.len() <= MAX_NODES_OF_PROOF && arg.nodes().all(|node| arg.is_expanded(node));
        if !is_everything || !arg.nodes().all(|node| space.is_formula(&arg.state(node).symbolic)) {
            return None;
        }
        let mut invariant = Invariant::new();
        for node in arg.nodes() {
            let point = arg.control(node);
            let formula = space.state_formula(point, &arg.state(node).symbolic);
            invariant.entry(point).or_default().push(formula);
        }
        Some(invariant)
    }

    /// Tries to close the set of what was explored. With `thorough`, many ways out are looked for, else one.
    pub(super) fn close(&mut self, thorough: bool) -> Result<Closing, Stop> {
        let mut attempt = self.attempt();
        loop {
            attempt.changed = false;
            for point in attempt.fragment.keys().copied().collect::<Vec<_>>() {
                let moves = self.space.moves(point)?;
                for (number, chosen) in moves.iter().enumerate() {
                    self.close_move(&mut attempt, (point, number), chosen, thorough)?;
                    let enough = !attempt.unmet.is_empty() || attempt.selections > MAX_EARLY_SELECTIONS;
                    if enough && !thorough || attempt.unmet.len() > MAX_UNMET_SUCCESSORS {
                        return Ok(attempt.open());
                    }
                }
            }
            if !attempt.changed {
                break;
            }
        }
        if !attempt.unmet.is_empty() {
            return Ok(attempt.open());
        }
        Ok(Closing::Closed(self.invariant(attempt)))
    }

    /// Makes sure that a move from F stays within the set, or notes why it does not.
    fn close_move(
        &mut self,
        attempt: &mut ClosingAttempt,
        (point, number): (PointId, usize),
        chosen: &Move,
        thorough: bool,
    ) -> Result<(), Stop> {
        loop {
            let part = self.part(attempt, point);
            let target = match self.space.system.point(chosen.to).kind {
                PointKind::End => return Ok(()),
                PointKind::Error => self.space.formulas.terms.bool(false),
                PointKind::Inner => self.whole(attempt, chosen.to),
            };
            let left_out = attempt.left_out.get(&(point, number)).cloned().unwrap_or_default();
            let key = (point, number, part, target);
            if left_out.is_empty() && self.closed_moves.contains(&key) {
                return Ok(());
            }
            let Some(model) = self.space.leaves(part, chosen, target, &left_out)? else {
                if left_out.is_empty() {
                    self.closed_moves.insert(key);
                }
                return Ok(());
            };
            self.learn(attempt, point, number, chosen, &model)?;
            let early = !thorough && attempt.selections > MAX_EARLY_SELECTIONS;
            if early || attempt.unmet.len() > MAX_UNMET_SUCCESSORS {
                return Ok(());
            }
        }
    }

    /// Uses a counterexample to induction: it selects predicates, moves an abstract state to the stem, or shows that
    /// an abstract state was not met.
    fn learn(
        &mut self,
        attempt: &mut ClosingAttempt,
        point: PointId,
        number: usize,
        chosen: &Move,
        model: &Assignment,
    ) -> Result<(), Stop> {
        let bits = self.space.abstraction(point, model);
        if attempt.counterexamples.len() <= MAX_EARLY_SELECTIONS {
            attempt.counterexamples.push(InductionCounterexample { point, chosen: number, bits: bits.clone() });
        }
        let from = self.space.abstract_states.find(&(point, bits.clone())).filter(|&id| attempt.inside[id]);
        let Some(from) = from else {
            attempt.selections += 1;
            self.select(attempt, point, &bits);
            return Ok(());
        };
        if !attempt.fixed[from] && attempt.stem_size + attempt.nodes[from].len() <= MAX_STEM_NODES {
            self.move_to_stem(attempt, from);
            return Ok(());
        }
        let mut done = FxHashMap::default();
        let mut after = model.clone();
        for &(index, value) in &chosen.updates {
            let value = eval_cached(&self.space.formulas.terms, value, model, &mut done);
            after.insert(self.space.system.data[index], value);
        }
        let to = (self.space.system.point(chosen.to).kind == PointKind::Inner)
            .then(|| self.space.abstraction(chosen.to, &after));
        let met = to.as_ref().and_then(|bits| self.space.abstract_states.find(&(chosen.to, bits.clone())));
        if let Some(met) = met.filter(|&id| !attempt.inside[id]) {
            self.move_back(attempt, met);
            return Ok(());
        }
        attempt.unmet.push(UnmetSuccessor { from, chosen: number, bits: to });
        let relevant = self.space.relevant(point);
        let cube: Vec<TermId> = (0..self.space.predicates.len())
            .filter(|&number| relevant.get(number))
            .map(|number| self.space.predicates.get(number).literal(bits.get(number)))
            .collect();
        let cube = self.space.formulas.terms.and(cube);
        let other = self.space.formulas.terms.not(cube);
        attempt.left_out.entry((point, number)).or_default().push(other);
        Ok(())
    }
}

impl SymbolicSpace<'_> {
    /// A state of the part, and inputs, from which the move leads out of the target.
    fn leaves(
        &mut self,
        part: TermId,
        chosen: &Move,
        target: TermId,
        left_out: &[TermId],
    ) -> Result<Option<Assignment>, Stop> {
        self.budget.check()?;
        let updates: FxHashMap<Symbol, TermId> =
            chosen.updates.iter().map(|&(index, value)| (self.system.data[index], value)).collect();
        let after = self.formulas.terms.substitute(target, &updates);
        let outside = self.formulas.terms.not(after);
        let mut query = vec![part, chosen.guard, outside];
        query.extend(left_out);
        let conjunction = self.formulas.terms.and(query.iter().copied());
        if self.formulas.terms.op(conjunction) == &Op::Bool(false) {
            return Ok(None);
        }
        let symbols: Vec<Symbol> = self.formulas.terms.symbols_of([conjunction]).into_iter().collect();
        for &symbol in &symbols {
            query.extend(self.formulas.range(symbol));
        }
        match self.solver.check(&self.formulas.terms, &query) {
            Answer::Unsat => Ok(None),
            Answer::Sat => {
                let model = self.solver.model(&mut self.formulas.terms, &symbols);
                Ok(Some(model.map_err(|error| self.no_answer(&error.to_string()))?))
            }
            Answer::Unknown(reason) => Err(self.no_answer(&reason.to_string())),
        }
    }

    /// The truth values of the predicates with these values of the variables.
    fn abstraction(&mut self, point: PointId, values: &Assignment) -> Bits {
        let relevant = self.relevant(point);
        let mut bits = Bits::none(self.predicates.len());
        let mut done = FxHashMap::default();
        for (number, predicate) in self.predicates.iter().enumerate() {
            if relevant.get(number) {
                let truth = eval_cached(&self.formulas.terms, predicate.atom, values, &mut done).as_bool();
                bits.set(number, truth == Some(true));
            }
        }
        bits
    }
}
