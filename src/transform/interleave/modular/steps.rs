//! The steps of a thread: ways through its code from where others can take steps to where they can again.

use super::super::Refused;
use super::super::emit::{Made, To};
use super::super::instance::Instance;
use super::{End, Node, ThreadStep, started};
use crate::program::{Program, Property, Statement, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// So many steps a thread has at most.
const MAX_STEPS: usize = 2000;

/// So many edges they have at most.
const MAX_WALKED: usize = 20_000;

/// The nodes and steps of an instance.
pub(super) fn steps(
    program: &Program,
    property: &Property,
    instance: &Instance,
    edges: &[Made],
    locals: &[VarId],
    templates: &FxHashMap<usize, usize>,
) -> Result<(Vec<Node>, Vec<ThreadStep>), Refused> {
    let cuts = cuts(instance, edges)?;
    let mut walk = Walk { program, property, instance, edges, cuts: &cuts, templates, steps: Vec::new(), walked: 0 };
    for source in &cuts {
        walk.from(*source, *source, &[], None)?;
    }
    let live = live(instance.nodes.len(), edges, locals);
    let nodes = cuts.iter().map(|number| Node { number: *number, live: live[*number].iter().copied().collect() });
    Ok((nodes.collect(), walk.steps))
}

/// The nodes at which others can take steps, and one in every loop.
fn cuts(instance: &Instance, edges: &[Made]) -> Result<BTreeSet<usize>, Refused> {
    let mut cuts = BTreeSet::from([0]);
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); instance.nodes.len()];
    for edge in edges {
        match edge.to {
            To::Schedule(Some(node)) => drop(cuts.insert(node)),
            To::Node(node) => after[edge.source].push(node),
            _ => {}
        }
    }
    // Depth first: an edge back to a node that is not left yet closes a loop.
    let (mut entered, mut left) = (vec![false; after.len()], vec![false; after.len()]);
    for start in 0..after.len() {
        let mut stack = vec![(start, 0)];
        if std::mem::replace(&mut entered[start], true) {
            continue;
        }
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            let Some(&target) = after[node].get(*next) else {
                left[node] = true;
                stack.pop();
                continue;
            };
            *next += 1;
            if cuts.contains(&target) {
                if !std::mem::replace(&mut entered[target], true) {
                    stack.push((target, 0));
                }
            } else if entered[target] && !left[target] {
                let at = &instance.nodes[target];
                if at.atomic > 0 && !at.is_alone {
                    let construct = "a loop in an atomic section".to_owned();
                    return Err(Refused {
                        construct,
                        span: edges.iter().find(|e| e.source == target).and_then(|e| e.span),
                    });
                }
                cuts.insert(target);
            } else if !std::mem::replace(&mut entered[target], true) {
                stack.push((target, 0));
            }
        }
    }
    Ok(cuts)
}

struct Walk<'w> {
    program: &'w Program,
    property: &'w Property,
    instance: &'w Instance,
    edges: &'w [Made],
    cuts: &'w BTreeSet<usize>,
    templates: &'w FxHashMap<usize, usize>,
    steps: Vec<ThreadStep>,
    /// How many edges were followed.
    walked: usize,
}

impl Walk<'_> {
    /// Follows all ways from a node on.
    fn from(&mut self, source: usize, at: usize, block: &[Statement], starts: Option<usize>) -> Result<(), Refused> {
        let edges = self.edges;
        for edge in edges.iter().filter(|edge| edge.source == at) {
            self.walked += 1;
            if self.steps.len() >= MAX_STEPS || self.walked > MAX_WALKED {
                return Err(Refused { construct: format!("a thread of more than {MAX_STEPS} steps"), span: edge.span });
            }
            let mut block = block.to_vec();
            block.extend(edge.block.iter().cloned());
            let mut starts = starts;
            for template in started(&edge.origin, self.templates) {
                if starts.replace(template).is_some() {
                    return Err(Refused { construct: "a step that starts two threads".to_owned(), span: edge.span });
                }
            }
            let end = match edge.to {
                To::Node(node) => match self.instance.nodes[node].failure(self.program) {
                    Some(failure) if self.property.counts(&failure.kind) => End::Error,
                    // What is wrong but does not count ends the execution.
                    Some(_) => continue,
                    None if self.cuts.contains(&node) => End::Node(node),
                    None => {
                        self.from(source, node, &block, starts)?;
                        continue;
                    }
                },
                To::Schedule(Some(node)) => End::Node(node),
                To::Schedule(None) => End::Gone,
                // Nobody takes a step after these.
                To::Exit | To::Nowhere => continue,
                To::NotFollowed(_) => End::Error,
            };
            self.steps.push(ThreadStep { source, block, end, starts });
        }
        Ok(())
    }
}

/// Which of its variables a thread may still read at each node.
fn live(nodes: usize, edges: &[Made], locals: &[VarId]) -> Vec<BTreeSet<usize>> {
    let mut live: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); nodes];
    let place = |variable: VarId| locals.iter().position(|local| *local == variable);
    loop {
        let mut grows = false;
        for edge in edges {
            let mut now = match edge.to {
                To::Node(node) | To::Schedule(Some(node)) => live[node].clone(),
                _ => BTreeSet::new(),
            };
            for statement in edge.block.iter().rev() {
                statement.targets().into_iter().filter_map(place).for_each(|local| _ = now.remove(&local));
                for expr in statement.expressions() {
                    expr.for_each_var(&mut |variable| now.extend(place(variable)));
                }
            }
            let before = live[edge.source].len();
            live[edge.source].extend(now);
            grows |= live[edge.source].len() > before;
        }
        if !grows {
            return live;
        }
    }
}
