//! The search that every engine shares: a waitlist, a reached set, covering.
//!
//! Control is kept here, outside the states of the analysis; a state only says what is known of the data.

use super::control::{ControlId, ControlTable};
use super::{Budget, Progress, SearchOrder, Stop, Task};
use crate::program::Property;
use crate::program::control::{Control, Step};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

/// What a search computes with: the data part of abstract, or concrete, states.
pub trait Analysis {
    /// What is known of the data.
    type State;
    /// How much is to be tracked.
    type Precision;

    /// The states after `init`.
    fn initial(&mut self, precision: &Self::Precision) -> Result<Vec<Self::State>, Stop>;

    /// The states after a step. Together they stand for every state that the step leads to from one that `from`
    /// stands for.
    fn successors(
        &mut self,
        from: Place<'_, Self::State>,
        step: Step,
        precision: &Self::Precision,
    ) -> Result<Vec<Self::State>, Stop>;

    /// Where every execution goes from the place, as long as there is nothing to choose, if the analysis follows
    /// executions that far at once.
    fn onward(&mut self, _from: Place<'_, Self::State>) -> Result<Onward<Self::State>, Stop> {
        Ok(Onward::Here)
    }

    /// Whether the state itself violates the property, wherever its threads are.
    fn violates(&mut self, _at: Place<'_, Self::State>, _property: &Property) -> Result<bool, Stop> {
        Ok(false)
    }

    /// Whether every state that `specific` stands for is one that `general` stands for, under one control.
    fn covers(&mut self, general: &Self::State, specific: &Self::State) -> Result<bool, Stop>;

    /// A state that stands for all that either does, to take the place of the old one; `None` keeps both.
    fn merge(&mut self, _new: &Self::State, _old: &Self::State) -> Result<Option<Self::State>, Stop> {
        Ok(None)
    }

    /// States of different partitions never cover each other and are never merged; only those of the same
    /// partition are asked about.
    fn partition(&self, _state: &Self::State) -> u64 {
        0
    }
}

/// Where an execution goes while there is nothing to choose.
pub enum Onward<S> {
    /// It stays here: what follows is a matter of steps.
    Here,
    /// It goes through states that violate nothing to this one, and any further from there.
    To {
        /// Where the threads are then.
        control: Control,
        /// The state.
        state: S,
        /// How many steps it takes.
        steps: u64,
    },
    /// It goes round for ever, through states that violate nothing.
    Nowhere,
}

/// A state with where it is.
pub struct Place<'a, S> {
    /// Tells the places of one search apart.
    pub node: NodeId,
    /// Where the threads are.
    pub control: &'a Control,
    /// What is known of the data.
    pub state: &'a S,
}

/// A node of a search: a state with its control, and how it was reached first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

struct Node<S> {
    control: ControlId,
    parent: u32,
    /// Which of the parent's steps.
    step: u32,
    state: S,
}

const NO_PARENT: u32 = u32::MAX;

/// In the place of a step: the state was reached by going on without a choice.
const ONWARD: u32 = u32::MAX;

/// What a search has reached.
pub struct Reached<'p, S> {
    /// The controls, by number.
    pub controls: ControlTable<'p>,
    nodes: Vec<Node<S>>,
    index: HashTable<u32>,
    waiting: VecDeque<u32>,
    /// Transitions taken: successors found, covered ones included.
    pub transitions: u64,
}

/// How a search ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// Everything was explored.
    Complete,
    /// A state violates the property.
    Violation(NodeId),
    /// It was stopped.
    Stopped(Stop),
}

/// Explores from the initial states until all is explored, a violation is found, or there is a reason to stop.
pub fn explore<'p, A: Analysis>(
    task: &'p Task,
    analysis: &mut A,
    precision: &A::Precision,
    order: SearchOrder,
    budget: &Budget,
) -> (Reached<'p, A::State>, End) {
    let mut reached = Reached::new(task);
    let end = match search(task, analysis, precision, order, budget, &mut reached) {
        Ok(end) => end,
        Err(stop) => End::Stopped(stop),
    };
    budget.report(reached.progress());
    (reached, end)
}

fn search<A: Analysis>(
    task: &Task,
    analysis: &mut A,
    precision: &A::Precision,
    order: SearchOrder,
    budget: &Budget,
    reached: &mut Reached<'_, A::State>,
) -> Result<End, Stop> {
    let start = reached.controls.number(Control::initial(&task.program));
    for state in analysis.initial(precision)? {
        if let Some(violation) = reached.add(task, analysis, start, NO_PARENT, 0, state)? {
            return Ok(End::Violation(violation));
        }
    }
    let mut explored: u32 = 0;
    while let Some(node) = reached.next(order) {
        if explored.is_multiple_of(256) {
            budget.check()?;
            budget.report(reached.progress());
        }
        explored = explored.wrapping_add(1);
        match analysis.onward(reached.place(NodeId(node)))? {
            Onward::Here => {}
            Onward::Nowhere => continue,
            Onward::To { control, state, steps } => {
                let control = reached.controls.number(control);
                reached.transitions += steps;
                if let Some(violation) = reached.add(task, analysis, control, node, ONWARD, state)? {
                    return Ok(End::Violation(violation));
                }
                continue;
            }
        }
        if analysis.violates(reached.place(NodeId(node)), &task.property)? {
            return Ok(End::Violation(NodeId(node)));
        }
        let control = reached.nodes[node as usize].control;
        for index in 0..reached.controls.step_count(control) {
            let step = reached.controls.step(control, index);
            let place = Place {
                node: NodeId(node),
                control: reached.controls.get(control),
                state: &reached.nodes[node as usize].state,
            };
            let states = analysis.successors(place, step, precision)?;
            if states.is_empty() {
                continue;
            }
            let after = reached.controls.after(control, index);
            for state in states {
                reached.transitions += 1;
                if let Some(violation) = reached.add(task, analysis, after, node, index as u32, state)? {
                    return Ok(End::Violation(violation));
                }
            }
        }
    }
    Ok(End::Complete)
}

impl<'p, S> Reached<'p, S> {
    fn new(task: &'p Task) -> Self {
        Reached {
            controls: ControlTable::new(&task.program),
            nodes: Vec::new(),
            index: HashTable::new(),
            waiting: VecDeque::new(),
            transitions: 0,
        }
    }

    fn next(&mut self, order: SearchOrder) -> Option<u32> {
        match order {
            SearchOrder::BreadthFirst => self.waiting.pop_front(),
            SearchOrder::DepthFirst => self.waiting.pop_back(),
        }
    }

    /// Adds a state unless one that is there covers it. Tells its node if it violates the property.
    fn add<A: Analysis<State = S>>(
        &mut self,
        task: &Task,
        analysis: &mut A,
        control: ControlId,
        parent: u32,
        step: u32,
        state: S,
    ) -> Result<Option<NodeId>, Stop> {
        let number = u32::try_from(self.nodes.len()).ok().filter(|n| *n < NO_PARENT).ok_or(Stop::MemoryLimit)?;
        if self.controls.failed(control) {
            // What is wrong but does not count ends the execution all the same.
            let failure = self.controls.get(control).failure(&task.program);
            if !failure.is_some_and(|failure| task.property.counts(&failure.kind)) {
                return Ok(None);
            }
            self.nodes.push(Node { control, parent, step, state });
            return Ok(Some(NodeId(number)));
        }
        let hash = hash_of(control, analysis.partition(&state));
        if self.covered_or_merged(analysis, control, hash, &state)? {
            return Ok(None);
        }
        self.nodes.push(Node { control, parent, step, state });
        let nodes = &self.nodes;
        let rehash = |n: &u32| {
            let node = &nodes[*n as usize];
            hash_of(node.control, analysis.partition(&node.state))
        };
        self.index.insert_unique(hash, number, rehash);
        self.waiting.push_back(number);
        Ok(None)
    }

    /// Whether a state that is there covers the new one, or takes it in.
    fn covered_or_merged<A: Analysis<State = S>>(
        &mut self,
        analysis: &mut A,
        control: ControlId,
        hash: u64,
        state: &S,
    ) -> Result<bool, Stop> {
        for &candidate in self.index.iter_hash(hash) {
            let node = &mut self.nodes[candidate as usize];
            if node.control != control {
                continue;
            }
            if analysis.covers(&node.state, state)? {
                return Ok(true);
            }
            if let Some(merged) = analysis.merge(state, &node.state)? {
                node.state = merged;
                self.waiting.push_back(candidate);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How many states are stored.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// How far the search is.
    pub fn progress(&self) -> Progress {
        Progress { states: self.len() as u64, transitions: self.transitions, waiting: self.waiting.len() as u64 }
    }

    /// The way to a node from its initial state: each node with the step that leads to the next one. There is none at
    /// the last, and where the next one was reached by going on without a choice.
    pub fn path(&self, node: NodeId) -> Vec<(NodeId, Option<Step>)> {
        let mut path = vec![(node, None)];
        let mut at = node.0;
        while self.nodes[at as usize].parent != NO_PARENT {
            let Node { parent, step, .. } = self.nodes[at as usize];
            let parent_control = self.nodes[parent as usize].control;
            let step = (step != ONWARD).then(|| self.controls.step(parent_control, step as usize));
            path.push((NodeId(parent), step));
            at = parent;
        }
        path.reverse();
        path
    }

    /// The place of a node.
    pub fn place(&self, node: NodeId) -> Place<'_, S> {
        let stored = &self.nodes[node.0 as usize];
        Place { node, control: self.controls.get(stored.control), state: &stored.state }
    }

    /// How many steps the state stored last is from its initial state. Breadth first, none is farther.
    pub fn depth(&self) -> u64 {
        let stored = |node: &&Node<S>| !self.controls.failed(node.control);
        let mut at = self.nodes.iter().rev().find(stored);
        let mut depth = 0;
        while let Some(parent) = at.and_then(|node| self.nodes.get(node.parent as usize)) {
            depth += 1;
            at = Some(parent);
        }
        depth
    }

    /// About how many bytes the reached set takes, room for further nodes not counted, which is not touched yet;
    /// `of_state` tells what a state has allocated.
    pub fn bytes(&self, of_state: impl Fn(&S) -> usize) -> u64 {
        let nodes = self.nodes.len() * size_of::<Node<S>>();
        let states: usize = self.nodes.iter().map(|node| of_state(&node.state)).sum();
        let index = self.index.allocation_size();
        (nodes + states + index + self.waiting.capacity() * size_of::<u32>() + self.controls.bytes()) as u64
    }

    /// The controls, and each stored state with the number of its control.
    pub fn into_states(self) -> (Vec<Control>, Vec<(u32, S)>) {
        let states = self.nodes.into_iter().map(|node| (node.control.0, node.state)).collect();
        (self.controls.into_controls(), states)
    }
}

fn hash_of(control: ControlId, partition: u64) -> u64 {
    let mut hasher = FxHasher::default();
    control.hash(&mut hasher);
    partition.hash(&mut hasher);
    hasher.finish()
}
