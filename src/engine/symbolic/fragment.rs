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

use super::Ase;
use super::graph::{AbstractId, NodeId};
use super::predicates::Bits;
use super::system::{Move, PlaceId, PlaceKind};
use crate::engine::Stop;
use crate::solver::{Answer, Models, Solve};
use crate::term::{Assignment, Op, Symbol, TermId, eval::eval_cached};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The stem has at most so many symbolic states.
const LONGEST_STEM: usize = 256;

/// While states are still being explored, an attempt ends after so many selections of predicates: what they exclude may
/// only not have been met yet.
const EARLY_SELECTIONS: usize = 3;

/// A proof by all the states that there are has at most so many.
const MOST_STATES: usize = 500;

/// So many ways out of the fragment are looked for before a refinement.
const MOST_MISSING: usize = 400;

/// How a check went.
pub(super) enum Closing {
    /// Executions stay within this.
    Closed(Invariant),
    /// They may leave it: these abstract states were not met. Also the first counterexamples to induction.
    Open(Vec<Missing>, Vec<Counterexample>),
}

/// A counterexample to induction: an abstract state from which a move may lead out of the set.
#[derive(Debug, Clone)]
pub(super) struct Counterexample {
    pub(super) place: PlaceId,
    pub(super) chosen: usize,
    pub(super) bits: Bits,
}

/// What executions stay within, place by place: conjunctions of literals, one of which holds.
pub(super) type Invariant = BTreeMap<PlaceId, Vec<Vec<TermId>>>;

/// An abstract successor that was not met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Missing {
    /// From which abstract state.
    pub(super) from: AbstractId,
    /// By which move.
    pub(super) chosen: usize,
    /// What would be there; nothing where the move leads to an error.
    pub(super) bits: Option<Bits>,
}

/// One attempt to close the set.
struct Attempt {
    /// The abstract states of F, by place.
    fragment: BTreeMap<PlaceId, Vec<AbstractId>>,
    inside: Vec<bool>,
    /// The abstract states that cannot go over to the stem: they are in a loop or a loop leads to them, or one of their
    /// symbolic states is no formula over the variables.
    fixed: Vec<bool>,
    /// The nodes of each abstract state.
    nodes: Vec<Vec<NodeId>>,
    /// The symbolic states of the stem, as formulas.
    stem: BTreeMap<PlaceId, Vec<Vec<TermId>>>,
    stem_size: usize,
    /// The predicates that count.
    selected: Bits,
    /// What F is at a place.
    parts: FxHashMap<PlaceId, TermId>,
    /// The cubes that are left out of a question, as they are known to lead out.
    left_out: FxHashMap<(PlaceId, usize), Vec<TermId>>,
    missing: Vec<Missing>,
    counterexamples: Vec<Counterexample>,
    changed: bool,
    /// How many counterexamples to induction were not in F.
    selections: usize,
}

impl Ase<'_> {
    /// The set of all that was explored, if that is everything and not too much: then it is closed.
    pub(super) fn exhausted(&mut self) -> Option<Invariant> {
        let nodes = self.graph.nodes.len();
        let everything = self.graph.nodes.iter().all(|node| node.successors.is_some());
        if !everything || nodes > MOST_STATES || !(0..nodes).all(|id| self.is_formula(id)) {
            return None;
        }
        let mut invariant = Invariant::new();
        for id in 0..nodes {
            let formula = self.state_formula(id);
            invariant.entry(self.graph.nodes[id].place).or_default().push(formula);
        }
        Some(invariant)
    }

    /// Tries to close the set of what was explored. With `thorough`, many ways out are looked for, else one.
    pub(super) fn close(&mut self, thorough: bool) -> Result<Closing, Stop> {
        let mut attempt = self.attempt()?;
        loop {
            attempt.changed = false;
            for place in attempt.fragment.keys().copied().collect::<Vec<_>>() {
                let moves = self.system.moves(&mut self.terms, place)?;
                for (number, chosen) in moves.iter().enumerate() {
                    self.close_move(&mut attempt, (place, number), chosen, thorough)?;
                    let enough = !attempt.missing.is_empty() || attempt.selections > EARLY_SELECTIONS;
                    if enough && !thorough || attempt.missing.len() > MOST_MISSING {
                        return Ok(Closing::Open(attempt.missing, attempt.counterexamples));
                    }
                }
            }
            if !attempt.changed {
                break;
            }
        }
        if !attempt.missing.is_empty() {
            return Ok(Closing::Open(attempt.missing, attempt.counterexamples));
        }
        Ok(Closing::Closed(self.invariant(attempt)))
    }

    fn attempt(&mut self) -> Result<Attempt, Stop> {
        let count = self.graph.states.len();
        let mut attempt = Attempt {
            fragment: BTreeMap::new(),
            inside: vec![true; count],
            fixed: vec![false; count],
            nodes: vec![Vec::new(); count],
            stem: BTreeMap::new(),
            stem_size: 0,
            selected: self.property_predicates(),
            parts: FxHashMap::default(),
            left_out: FxHashMap::default(),
            missing: Vec::new(),
            counterexamples: Vec::new(),
            changed: false,
            selections: 0,
        };
        for (id, (place, _)) in self.graph.states.iter().enumerate() {
            attempt.fragment.entry(*place).or_default().push(id);
        }
        for (id, node) in self.graph.nodes.iter().enumerate() {
            attempt.nodes[node.matches].push(id);
        }
        attempt.fixed = self.fixed();
        Ok(attempt)
    }

    /// The abstract states that cannot go over to the stem.
    fn fixed(&self) -> Vec<bool> {
        let mut fixed = vec![false; self.graph.states.len()];
        let mut pending = Vec::new();
        for (id, node) in self.graph.nodes.iter().enumerate() {
            // A state that is matched is in a loop, whether it was expanded since or not.
            let in_loop = node.successors.is_none() || self.graph.is_matched_on_path(id);
            if in_loop && !std::mem::replace(&mut fixed[node.matches], true) {
                pending.push(node.matches);
            }
        }
        let mut successors: FxHashMap<AbstractId, Vec<AbstractId>> = FxHashMap::default();
        for ((from, _), to) in self.abstract_successors() {
            successors.entry(from).or_default().extend(to);
        }
        while let Some(id) = pending.pop() {
            for &next in successors.get(&id).into_iter().flatten() {
                if !std::mem::replace(&mut fixed[next], true) {
                    pending.push(next);
                }
            }
        }
        for (id, node) in self.graph.nodes.iter().enumerate() {
            fixed[node.matches] = fixed[node.matches] || !self.is_formula(id);
        }
        fixed
    }

    /// The predicates of the property.
    pub(super) fn property_predicates(&self) -> Bits {
        let mut selected = Bits::none(self.predicates.len());
        for number in 0..self.in_property {
            selected.set(number, true);
        }
        selected
    }

    /// Whether the symbolic state of a node is a formula over the variables alone.
    fn is_formula(&self, id: NodeId) -> bool {
        let state = &self.graph.nodes[id].state;
        if self.is_concrete(state) {
            return true;
        }
        let used = self.terms.symbols_of(state.values.iter().chain(&*state.condition).copied());
        used.into_iter().all(|symbol| self.system.data_index(symbol).is_some())
    }

    /// Makes sure that a move from F stays within the set, or notes why it does not.
    fn close_move(
        &mut self,
        attempt: &mut Attempt,
        (place, number): (PlaceId, usize),
        chosen: &Move,
        thorough: bool,
    ) -> Result<(), Stop> {
        loop {
            let part = self.part(attempt, place);
            let target = match self.system.place(chosen.to).kind {
                PlaceKind::End => return Ok(()),
                PlaceKind::Error => self.terms.bool(false),
                PlaceKind::Inner => self.whole(attempt, chosen.to),
            };
            let left_out = attempt.left_out.get(&(place, number)).cloned().unwrap_or_default();
            let key = (place, number, part, target);
            if left_out.is_empty() && self.closed_moves.contains(&key) {
                return Ok(());
            }
            let Some(model) = self.leaves(part, chosen, target, &left_out)? else {
                if left_out.is_empty() {
                    self.closed_moves.insert(key);
                }
                return Ok(());
            };
            self.learn(attempt, place, number, chosen, &model)?;
            let early = !thorough && attempt.selections > EARLY_SELECTIONS;
            if early || attempt.missing.len() > MOST_MISSING {
                return Ok(());
            }
        }
    }

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
        let after = self.terms.substitute(target, &updates);
        let outside = self.terms.not(after);
        let mut query = vec![part, chosen.guard, outside];
        query.extend(left_out);
        let conjunction = self.terms.and(query.iter().copied());
        if self.terms.op(conjunction) == &Op::Bool(false) {
            return Ok(None);
        }
        let symbols: Vec<Symbol> = self.terms.symbols_of([conjunction]).into_iter().collect();
        for &symbol in &symbols {
            query.extend(self.system.blocks.range(&mut self.terms, symbol));
        }
        match self.solver.check(&self.terms, &query) {
            Answer::Unsat => Ok(None),
            Answer::Sat => {
                let model = self.solver.model(&mut self.terms, &symbols);
                Ok(Some(model.map_err(|error| self.no_answer(&error.to_string()))?))
            }
            Answer::Unknown(reason) => Err(self.no_answer(&reason.to_string())),
        }
    }

    /// Uses a counterexample to induction: it selects predicates, moves an abstract state to the stem, or shows that
    /// an abstract state is missing.
    fn learn(
        &mut self,
        attempt: &mut Attempt,
        place: PlaceId,
        number: usize,
        chosen: &Move,
        model: &Assignment,
    ) -> Result<(), Stop> {
        let bits = self.abstraction(place, model);
        if attempt.counterexamples.len() <= EARLY_SELECTIONS {
            attempt.counterexamples.push(Counterexample { place, chosen: number, bits: bits.clone() });
        }
        let from = self.graph.find(&(place, bits.clone())).filter(|&id| attempt.inside[id]);
        let Some(from) = from else {
            attempt.selections += 1;
            self.select(attempt, place, &bits);
            return Ok(());
        };
        if !attempt.fixed[from] && attempt.stem_size + attempt.nodes[from].len() <= LONGEST_STEM {
            self.move_to_stem(attempt, from);
            return Ok(());
        }
        let mut done = FxHashMap::default();
        let mut after = model.clone();
        for &(index, value) in &chosen.updates {
            let value = eval_cached(&self.terms, value, model, &mut done);
            after.insert(self.system.data[index], value);
        }
        let to = (self.system.place(chosen.to).kind == PlaceKind::Inner).then(|| self.abstraction(chosen.to, &after));
        let met = to.as_ref().and_then(|bits| self.graph.find(&(chosen.to, bits.clone())));
        if let Some(met) = met.filter(|&id| !attempt.inside[id]) {
            self.move_back(attempt, met);
            return Ok(());
        }
        attempt.missing.push(Missing { from, chosen: number, bits: to });
        let relevant = self.relevant(place);
        let cube: Vec<TermId> = (0..self.predicates.len())
            .filter(|&number| relevant.get(number))
            .map(|number| self.predicates.get(number).literal(bits.get(number)))
            .collect();
        let cube = self.terms.and(cube);
        let other = self.terms.not(cube);
        attempt.left_out.entry((place, number)).or_default().push(other);
        Ok(())
    }

    /// The truth values of the predicates with these values of the variables.
    fn abstraction(&mut self, place: PlaceId, values: &Assignment) -> Bits {
        let relevant = self.relevant(place);
        let mut bits = Bits::none(self.predicates.len());
        let mut done = FxHashMap::default();
        for (number, predicate) in self.predicates.iter().enumerate() {
            if relevant.get(number) {
                let truth = eval_cached(&self.terms, predicate.atom, values, &mut done).as_bool();
                bits.set(number, truth == Some(true));
            }
        }
        bits
    }

    /// Selects predicates by which a valuation differs from all abstract states of F at the place.
    fn select(&mut self, attempt: &mut Attempt, place: PlaceId, bits: &Bits) {
        let relevant = self.relevant(place);
        let masked = bits.masked(&attempt.selected);
        let states = &self.graph.states;
        let mut alike: Vec<&Bits> = attempt.fragment[&place].iter().map(|&id| &states[id].1).collect();
        alike.retain(|other| other.masked(&attempt.selected) == masked);
        while !alike.is_empty() {
            let differing = |number: usize| alike.iter().filter(|other| other.get(number) != bits.get(number)).count();
            let candidates = (0..self.predicates.len()).filter(|&number| relevant.get(number));
            let best = candidates.max_by_key(|&number| (differing(number), std::cmp::Reverse(number)));
            let best = best.expect("what is in no abstract state differs from each in a predicate");
            attempt.selected.set(best, true);
            let value = bits.get(best);
            alike.retain(|other| other.get(best) == value);
        }
        attempt.parts.clear();
        attempt.changed = true;
    }

    /// An abstract state goes over to the stem.
    fn move_to_stem(&mut self, attempt: &mut Attempt, id: AbstractId) {
        let place = self.graph.states[id].0;
        attempt.inside[id] = false;
        attempt.fragment.entry(place).or_default().retain(|&other| other != id);
        attempt.stem_size += attempt.nodes[id].len();
        for node in attempt.nodes[id].clone() {
            let formula = self.state_formula(node);
            attempt.stem.entry(place).or_default().push(formula);
        }
        attempt.parts.remove(&place);
        attempt.changed = true;
    }

    /// An abstract state that F leads to comes back from the stem, to stay.
    fn move_back(&mut self, attempt: &mut Attempt, id: AbstractId) {
        let place = self.graph.states[id].0;
        (attempt.inside[id], attempt.fixed[id]) = (true, true);
        let members = attempt.fragment.entry(place).or_default();
        members.push(id);
        members.sort_unstable();
        attempt.stem_size -= attempt.nodes[id].len();
        let stem =
            self.graph.states.iter().enumerate().filter(|(other, (at, _))| *at == place && !attempt.inside[*other]);
        let nodes: Vec<NodeId> = stem.flat_map(|(other, _)| attempt.nodes[other].iter().copied()).collect();
        let formulas = nodes.into_iter().map(|node| self.state_formula(node)).collect();
        attempt.stem.insert(place, formulas);
        attempt.parts.remove(&place);
        attempt.changed = true;
    }

    /// The symbolic state of a node as conjuncts over the variables that matter.
    fn state_formula(&mut self, id: NodeId) -> Vec<TermId> {
        let node = &self.graph.nodes[id];
        let (state, matters) = (node.state.clone(), self.system.place(node.place).matters.clone());
        let mut parts = Vec::new();
        for (index, &value) in state.values.iter().enumerate().filter(|(index, _)| matters[*index]) {
            let variable = self.terms.of_symbol(self.system.data[index]);
            if variable != value {
                parts.push(self.terms.eq(variable, value));
            }
        }
        parts.extend(&*state.condition);
        parts
    }

    /// What F is at a place: the union of the abstract states, as far as selected predicates tell.
    fn part(&mut self, attempt: &mut Attempt, place: PlaceId) -> TermId {
        if let Some(&part) = attempt.parts.get(&place) {
            return part;
        }
        let mut cubes = Vec::new();
        for cube in self.cubes(attempt, place) {
            cubes.push(self.terms.and(cube));
        }
        let part = self.terms.or(cubes);
        attempt.parts.insert(place, part);
        part
    }

    /// What F is at a place, as three-valued abstract states: disjoint conjunctions of literals.
    fn cubes(&mut self, attempt: &Attempt, place: PlaceId) -> Vec<Vec<TermId>> {
        let relevant = self.relevant(place);
        let counts = |&number: &usize| attempt.selected.get(number) && relevant.get(number);
        let numbers: Vec<usize> = (0..self.predicates.len()).filter(counts).collect();
        let members = attempt.fragment.get(&place).map_or(&[][..], |members| members);
        let rows: FxHashSet<Vec<bool>> = members
            .iter()
            .map(|&id| numbers.iter().map(|&number| self.graph.states[id].1.get(number)).collect())
            .collect();
        let mut rows: Vec<Vec<bool>> = rows.into_iter().collect();
        rows.sort_unstable();
        let literal = |(position, value)| self.predicates.get(numbers[position]).literal(value);
        merge(&rows, 0).into_iter().map(|cube| cube.into_iter().map(literal).collect()).collect()
    }

    /// Where executions may be at a place: F and E.
    fn whole(&mut self, attempt: &mut Attempt, place: PlaceId) -> TermId {
        let part = self.part(attempt, place);
        let mut all = vec![part];
        for state in attempt.stem.get(&place).into_iter().flatten() {
            all.push(self.terms.and(state.iter().copied()));
        }
        self.terms.or(all)
    }

    fn invariant(&mut self, attempt: Attempt) -> Invariant {
        let mut invariant = Invariant::new();
        for &place in attempt.fragment.keys() {
            invariant.insert(place, self.cubes(&attempt, place));
        }
        for (place, states) in attempt.stem {
            invariant.entry(place).or_default().extend(states);
        }
        invariant
    }
}

/// Disjoint cubes for sorted rows that agree before a position: where both values allow the same for the rest, a
/// position does not matter and is left out.
fn merge(rows: &[Vec<bool>], from: usize) -> Vec<Vec<(usize, bool)>> {
    let Some(first) = rows.first() else { return Vec::new() };
    if from == first.len() {
        return vec![Vec::new()];
    }
    let split = rows.partition_point(|row| !row[from]);
    let (without, with) = (merge(&rows[..split], from + 1), merge(&rows[split..], from + 1));
    if without == with {
        return without;
    }
    let fixed = |cubes: Vec<Vec<(usize, bool)>>, value: bool| {
        cubes.into_iter().map(move |cube| std::iter::once((from, value)).chain(cube).collect())
    };
    fixed(without, false).chain(fixed(with, true)).collect()
}
