//! Refinement: new predicates from preimages (line 11 of figure 4.1), and which transitions are exact.

use super::SymbolicExecution;
use super::abstract_states::AbstractId;
use super::fragment::UnmetSuccessor;
use super::linear;
use super::predicates::{Bits, atoms};
use super::space::SymbolicSpace;
use super::state::{Split, SymbolicState};
use super::system::{Move, PointId};
use crate::engine::Stop;
use crate::solver::{Answer, Eliminate, Solve};
use crate::term::{Op, Symbol, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

impl SymbolicExecution<'_> {
    /// Adds predicates that tell apart the states from which an abstract state that was not met can be reached.
    pub(super) fn add_predicates(&mut self, unmet: &[UnmetSuccessor]) -> Result<usize, Stop> {
        let before = self.space.predicates.len();
        let successors = self.abstract_successors();
        let mut late = Vec::new();
        for UnmetSuccessor { from, chosen, bits } in unmet {
            let (point, known) = self.space.abstract_states.get(*from).clone();
            let moves = self.space.moves(point)?;
            let chosen_move = &moves[*chosen];
            if self.space.facts(point, *chosen, chosen_move).guard.value(&known).is_none() {
                late.push(chosen_move.guard);
            }
            let Some(bits) = bits else { continue };
            let met = successors.get(&(*from, *chosen)).map_or(&[][..], |met| met);
            let met: Vec<Bits> = met.iter().map(|&id| self.space.abstract_states.bits(id).clone()).collect();
            let differs = |number: usize| met.is_empty() || met.iter().any(|met| met.get(number) != bits.get(number));
            let (conjuncts, _) = self.space.preimage(chosen_move, bits, &differs)?;
            late.extend(conjuncts);
        }
        for formula in late {
            self.space.add_atoms(formula);
        }
        Ok(self.space.predicates.len() - before)
    }

    /// For each abstract state and move, the abstract states that the move led to.
    pub(super) fn abstract_successors(&self) -> FxHashMap<(AbstractId, usize), Vec<AbstractId>> {
        let mut found: FxHashMap<(AbstractId, usize), Vec<AbstractId>> = FxHashMap::default();
        let arg = &self.search.arg;
        for node in arg.nodes() {
            for &(chosen, next) in arg.edges(node) {
                let to = &mut *found.entry((arg.state(node).matches, chosen)).or_default();
                let next = arg.state(next).matches;
                if !to.contains(&next) {
                    to.push(next);
                }
            }
        }
        found
    }

    /// Takes over what was explored into a graph for more predicates: states that decide the new ones, with their
    /// successors. A state that does not is split, and its parts wait to be expanded.
    pub(super) fn refine_graph(&mut self, old_predicates: usize) -> Result<(), Stop> {
        self.space.forget_facts();
        let old = std::mem::take(&mut self.space.abstract_states);
        self.search.replace(
            &mut self.space,
            |space, at| {
                space.budget.check()?;
                let bits = old.bits(at.state.matches);
                let splits = space.split_again(at.control, &at.state.symbolic, bits, old_predicates)?;
                Ok(splits.into_iter().map(|split| (at.control, space.matched(at.control, split))).collect())
            },
            |space, arg| {
                for node in arg.nodes().filter(|node| arg.is_expanded(*node)) {
                    space.abstract_states.explore_one(arg.state(node).matches);
                }
            },
        )
    }
}

impl SymbolicSpace<'_> {
    /// Adds the predicates of guards and property (line 2 of figure 4.1).
    pub(super) fn initial_predicates(&mut self) {
        let guards = self.system.guards(&mut self.formulas);
        let violations = self.violation_guards();
        for guard in &violations {
            self.add_atoms(*guard);
        }
        self.violations = violations;
        self.predicates.end_property();
        for guard in guards {
            self.add_atoms(guard);
        }
    }

    /// The guards of the edges that enter an error.
    fn violation_guards(&mut self) -> Vec<TermId> {
        let (program, property) = (self.system.program(), &self.system.task.property);
        let errors: FxHashSet<_> = program.violations(property).collect();
        let mut guards = Vec::new();
        for (id, procedure) in program.procedures.enumerate() {
            for edge in procedure.edges.iter().filter(|edge| errors.contains(&(id, edge.target))) {
                if let [crate::program::Statement::Assume(condition), ..] = &edge.block[..] {
                    guards.extend(self.formulas.blocks.encoder().expr(&mut self.formulas.terms, condition).ok());
                }
            }
        }
        guards
    }

    /// Adds the atoms of a formula that speak of data alone; how many are new.
    pub(super) fn add_atoms(&mut self, formula: TermId) -> usize {
        let mut new = 0;
        for atom in atoms(&mut self.formulas.terms, formula) {
            let symbols = self.formulas.terms.symbols_of([atom]);
            if symbols.iter().all(|symbol| self.system.data_index(*symbol).is_some()) {
                new += usize::from(self.predicates.add(&mut self.formulas.terms, atom));
            }
        }
        new
    }

    /// Conjuncts of the preimage of an abstract state under a move: those of the wanted predicates, and where inputs
    /// are involved of all that have to do with them. Also whether inputs could be eliminated exactly.
    fn preimage(
        &mut self,
        chosen: &Move,
        bits: &Bits,
        wanted: &dyn Fn(usize) -> bool,
    ) -> Result<(Vec<TermId>, bool), Stop> {
        let updates: FxHashMap<Symbol, TermId> =
            chosen.updates.iter().map(|&(index, value)| (self.system.data[index], value)).collect();
        let relevant = self.relevant(chosen.to);
        let (mut plain, mut with_inputs, mut inputs_wanted) = (Vec::new(), Vec::new(), false);
        let has_input = |space: &Self, term| {
            let symbols = space.formulas.terms.symbols_of([term]);
            chosen.inputs.iter().any(|input| symbols.contains(input))
        };
        for number in (0..self.predicates.len()).filter(|&number| relevant.get(number)) {
            let literal = self.predicates.get(number).literal(bits.get(number));
            let before = self.formulas.terms.substitute(literal, &updates);
            match has_input(self, before) {
                true => {
                    with_inputs.push(before);
                    inputs_wanted |= wanted(number);
                }
                false if wanted(number) => plain.push(before),
                false => {}
            }
        }
        if inputs_wanted {
            if has_input(self, chosen.guard) {
                with_inputs.push(chosen.guard);
            }
            let (conjuncts, exact) = self.without(&chosen.inputs, with_inputs)?;
            plain.extend(conjuncts);
            return Ok((plain, exact));
        }
        Ok((plain, true))
    }

    /// Eliminates symbols from a conjunction, and tells whether that is exact; where it is not possible, nothing is left.
    fn without(&mut self, symbols: &[Symbol], mut conjuncts: Vec<TermId>) -> Result<(Vec<TermId>, bool), Stop> {
        let mut rest = Vec::new();
        for &symbol in symbols {
            match linear::exists(&mut self.formulas.terms, symbol, &conjuncts) {
                Some(eliminated) => conjuncts = eliminated,
                None => rest.push(symbol),
            }
        }
        if rest.is_empty() {
            return Ok((conjuncts, true));
        }
        let body = self.formulas.terms.and(conjuncts);
        match self.solver.exists(&mut self.formulas.terms, &rest, body) {
            Ok(eliminated) => Ok((vec![eliminated.term], eliminated.exact)),
            Err(_) => self.budget.check().map(|()| (Vec::new(), false)),
        }
    }

    /// Whether a transition between abstract states is exact: from every state of the first some inputs lead to a state
    /// of the second. `None` where that cannot be told.
    pub(super) fn is_exact(&mut self, from: AbstractId, chosen: usize, to: AbstractId) -> Result<Option<bool>, Stop> {
        let (point, bits) = self.abstract_states.get(from).clone();
        let moves = self.moves(point)?;
        let chosen = &moves[chosen];
        let target = self.abstract_states.bits(to).clone();
        let (mut preimage, exact) = self.preimage(chosen, &target, &|_| true)?;
        if !exact {
            return Ok(None);
        }
        // A guard with inputs is part of what they were eliminated from, unless they matter to nothing else.
        let symbols = self.formulas.terms.symbols_of([chosen.guard]);
        match chosen.inputs.iter().any(|input| symbols.contains(input)) {
            false => preimage.push(chosen.guard),
            true => match self.without(&chosen.inputs, vec![chosen.guard])? {
                (guard, true) => preimage.extend(guard),
                _ => return Ok(None),
            },
        }
        let all = self.formulas.terms.and(preimage);
        let mut query = self.cube(point, &bits);
        let elsewhere = self.formulas.terms.not(all);
        if self.formulas.terms.op(elsewhere) == &Op::Bool(false) {
            return Ok(Some(true));
        }
        query.push(elsewhere);
        match self.solver.check(&self.formulas.terms, &query) {
            Answer::Unsat => Ok(Some(true)),
            Answer::Sat => Ok(Some(false)),
            Answer::Unknown(_) => self.budget.check().map(|()| None),
        }
    }

    /// The literals of an abstract state, with the ranges of the variables.
    pub(super) fn cube(&mut self, point: PointId, bits: &Bits) -> Vec<TermId> {
        let relevant = self.relevant(point);
        let numbers = (0..self.predicates.len()).filter(|&number| relevant.get(number));
        let mut cube: Vec<TermId> = numbers.map(|n| self.predicates.get(n).literal(bits.get(n))).collect();
        for symbol in self.formulas.terms.symbols_of(cube.iter().copied()) {
            cube.extend(self.formulas.range(symbol));
        }
        cube
    }

    fn split_again(
        &mut self,
        point: PointId,
        state: &SymbolicState,
        bits: &Bits,
        old_predicates: usize,
    ) -> Result<Vec<Split>, Stop> {
        let new: Vec<usize> = (old_predicates..self.predicates.len()).collect();
        let bits = bits.widened(self.predicates.len());
        self.split(point, state.clone(), bits, &new)
    }
}
