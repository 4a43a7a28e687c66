//! An attempt to close the set of what was explored: which abstract states are in the fragment F, which symbolic states
//! in the stem E, and what both are as formulas.

use super::SymbolicExecution;
use super::abstract_states::AbstractId;
use super::fragment::{Closing, InductionCounterexample, Invariant, UnmetSuccessor};
use super::predicates::Bits;
use super::space::is_matched_on_path;
use super::system::PointId;
use crate::engine::search::{NodeId, Place};
use crate::term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// One attempt to close the set.
pub(super) struct ClosingAttempt {
    /// The abstract states of F, by control point.
    pub(super) fragment: BTreeMap<PointId, Vec<AbstractId>>,
    pub(super) inside: Vec<bool>,
    /// The abstract states that cannot go over to the stem: they are in a loop or a loop leads to them, or one of their
    /// symbolic states is no formula over the variables.
    pub(super) fixed: Vec<bool>,
    /// The nodes of each abstract state.
    pub(super) nodes: Vec<Vec<NodeId>>,
    /// The symbolic states of the stem, as formulas.
    pub(super) stem: BTreeMap<PointId, Vec<Vec<TermId>>>,
    pub(super) stem_size: usize,
    /// The predicates that count.
    pub(super) selected: Bits,
    /// What F is at a control point.
    pub(super) parts: FxHashMap<PointId, TermId>,
    /// The cubes that are left out of a question, as they are known to lead out.
    pub(super) left_out: FxHashMap<(PointId, usize), Vec<TermId>>,
    pub(super) unmet: Vec<UnmetSuccessor>,
    pub(super) counterexamples: Vec<InductionCounterexample>,
    pub(super) changed: bool,
    /// How many counterexamples to induction were not in F.
    pub(super) selections: usize,
}

impl ClosingAttempt {
    /// The set is not closed.
    pub(super) fn open(self) -> Closing {
        Closing::Open { unmet: self.unmet, counterexamples: self.counterexamples }
    }
}

impl SymbolicExecution<'_> {
    /// A new attempt: F is all that was met.
    pub(super) fn attempt(&mut self) -> ClosingAttempt {
        let count = self.space.abstract_states.len();
        let mut attempt = ClosingAttempt {
            fragment: BTreeMap::new(),
            inside: vec![true; count],
            fixed: vec![false; count],
            nodes: vec![Vec::new(); count],
            stem: BTreeMap::new(),
            stem_size: 0,
            selected: self.space.predicates.of_property(),
            parts: FxHashMap::default(),
            left_out: FxHashMap::default(),
            unmet: Vec::new(),
            counterexamples: Vec::new(),
            changed: false,
            selections: 0,
        };
        for (id, (point, _)) in self.space.abstract_states.iter().enumerate() {
            attempt.fragment.entry(*point).or_default().push(id);
        }
        for node in self.search.arg.nodes() {
            attempt.nodes[self.search.arg.state(node).matches].push(node);
        }
        attempt.fixed = self.fixed();
        attempt
    }

    /// The abstract states that cannot go over to the stem.
    fn fixed(&self) -> Vec<bool> {
        let mut fixed = vec![false; self.space.abstract_states.len()];
        let mut pending = Vec::new();
        let arg = &self.search.arg;
        for node in arg.nodes() {
            let matches = arg.state(node).matches;
            // A state that is matched is in a loop, whether it was expanded since or not.
            let in_loop = !arg.is_expanded(node) || is_matched_on_path(arg, node);
            if in_loop && !std::mem::replace(&mut fixed[matches], true) {
                pending.push(matches);
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
        for state in arg.nodes().map(|node| arg.state(node)) {
            fixed[state.matches] = fixed[state.matches] || !self.space.is_formula(&state.symbolic);
        }
        fixed
    }

    /// Selects predicates by which a valuation differs from all abstract states of F at the control point.
    pub(super) fn select(&mut self, attempt: &mut ClosingAttempt, point: PointId, bits: &Bits) {
        let relevant = self.space.relevant(point);
        let masked = bits.masked(&attempt.selected);
        let states = &self.space.abstract_states;
        let mut alike: Vec<&Bits> = attempt.fragment[&point].iter().map(|&id| states.bits(id)).collect();
        alike.retain(|other| other.masked(&attempt.selected) == masked);
        while !alike.is_empty() {
            let differing = |number: usize| alike.iter().filter(|other| other.get(number) != bits.get(number)).count();
            let candidates = (0..self.space.predicates.len()).filter(|&number| relevant.get(number));
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
    pub(super) fn move_to_stem(&mut self, attempt: &mut ClosingAttempt, id: AbstractId) {
        let point = self.space.abstract_states.get(id).0;
        attempt.inside[id] = false;
        attempt.fragment.entry(point).or_default().retain(|&other| other != id);
        attempt.stem_size += attempt.nodes[id].len();
        for node in attempt.nodes[id].clone() {
            let formula = self.node_formula(node);
            attempt.stem.entry(point).or_default().push(formula);
        }
        attempt.parts.remove(&point);
        attempt.changed = true;
    }

    /// An abstract state that F leads to comes back from the stem, to stay.
    pub(super) fn move_back(&mut self, attempt: &mut ClosingAttempt, id: AbstractId) {
        let point = self.space.abstract_states.get(id).0;
        (attempt.inside[id], attempt.fixed[id]) = (true, true);
        let members = attempt.fragment.entry(point).or_default();
        members.push(id);
        members.sort_unstable();
        attempt.stem_size -= attempt.nodes[id].len();
        let states = self.space.abstract_states.iter().enumerate();
        let stem = states.filter(|(other, (at, _))| *at == point && !attempt.inside[*other]);
        let nodes: Vec<NodeId> = stem.flat_map(|(other, _)| attempt.nodes[other].iter().copied()).collect();
        let formulas = nodes.into_iter().map(|node| self.node_formula(node)).collect();
        attempt.stem.insert(point, formulas);
        attempt.parts.remove(&point);
        attempt.changed = true;
    }

    /// The symbolic state of a node as a formula.
    fn node_formula(&mut self, node: NodeId) -> Vec<TermId> {
        let Place { control, state } = self.search.arg.place(node);
        self.space.state_formula(control, &state.symbolic)
    }

    /// What F is at a control point: the union of the abstract states, as far as selected predicates tell.
    pub(super) fn part(&mut self, attempt: &mut ClosingAttempt, point: PointId) -> TermId {
        if let Some(&part) = attempt.parts.get(&point) {
            return part;
        }
        let mut cubes = Vec::new();
        for cube in self.cubes(attempt, point) {
            cubes.push(self.space.formulas.terms.and(cube));
        }
        let part = self.space.formulas.terms.or(cubes);
        attempt.parts.insert(point, part);
        part
    }

    /// What F is at a control point, as three-valued abstract states: disjoint conjunctions of literals.
    fn cubes(&mut self, attempt: &ClosingAttempt, point: PointId) -> Vec<Vec<TermId>> {
        let relevant = self.space.relevant(point);
        let counts = |&number: &usize| attempt.selected.get(number) && relevant.get(number);
        let numbers: Vec<usize> = (0..self.space.predicates.len()).filter(counts).collect();
        let members = attempt.fragment.get(&point).map_or(&[][..], |members| members);
        let rows: FxHashSet<Vec<bool>> = members
            .iter()
            .map(|&id| numbers.iter().map(|&number| self.space.abstract_states.bits(id).get(number)).collect())
            .collect();
        let mut rows: Vec<Vec<bool>> = rows.into_iter().collect();
        rows.sort_unstable();
        let literal = |(position, value)| self.space.predicates.get(numbers[position]).literal(value);
        merge(&rows, 0).into_iter().map(|cube| cube.into_iter().map(literal).collect()).collect()
    }

    /// Where executions may be at a control point: F and E.
    pub(super) fn whole(&mut self, attempt: &mut ClosingAttempt, point: PointId) -> TermId {
        let part = self.part(attempt, point);
        let mut all = vec![part];
        for state in attempt.stem.get(&point).into_iter().flatten() {
            all.push(self.space.formulas.terms.and(state.iter().copied()));
        }
        self.space.formulas.terms.or(all)
    }

    /// What is claimed, once it is closed.
    pub(super) fn invariant(&mut self, attempt: ClosingAttempt) -> Invariant {
        let mut invariant = Invariant::new();
        for &point in attempt.fragment.keys() {
            invariant.insert(point, self.cubes(&attempt, point));
        }
        for (point, states) in attempt.stem {
            invariant.entry(point).or_default().extend(states);
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
