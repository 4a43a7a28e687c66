//! Variables that an instance does not need any more go back to zero where others are chosen, so that what they were
//! makes no two states of one.

use super::emit::{Made, To};
use crate::program::{Statement, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What an instance needs of its own variables where it starts, and for each of its edges what goes back to zero.
pub(super) struct Tidy {
    pub needed_at_start: BTreeSet<VarId>,
    pub resets: Vec<BTreeSet<VarId>>,
}

/// What is read of an edge before it is written, and what is written.
struct Effect {
    reads: BTreeSet<VarId>,
    writes: BTreeSet<VarId>,
}

/// Looks at the edges of an instance with so many nodes; these are written when it starts.
pub(super) fn tidy(
    instance: usize,
    nodes: usize,
    edges: &[Made],
    owners: &FxHashMap<VarId, usize>,
    parameters: &BTreeSet<VarId>,
) -> Tidy {
    let is_own = |variable: &VarId| owners.get(variable) == Some(&instance);
    let effects: Vec<Effect> = edges.iter().map(|made| effect(&made.block, is_own)).collect();
    let needed = needed(nodes, edges, &effects);
    let mut written: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); nodes];
    written[0] = parameters.iter().copied().filter(is_own).collect();
    let mut resets = vec![BTreeSet::new(); edges.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (index, made) in edges.iter().enumerate() {
            let after: BTreeSet<VarId> = written[made.source].union(&effects[index].writes).copied().collect();
            let (kept, reset) = match made.to {
                To::Schedule(node) => {
                    after.into_iter().partition(|variable| node.is_some_and(|node| needed[node].contains(variable)))
                }
                To::Node(_) | To::Exit | To::Nowhere | To::NotFollowed(_) => (after, BTreeSet::new()),
            };
            resets[index] = reset;
            if let To::Schedule(Some(node)) | To::Node(node) = made.to {
                let before = written[node].len();
                written[node].extend(kept);
                changed |= written[node].len() > before;
            }
        }
    }
    Tidy { needed_at_start: needed.into_iter().next().unwrap_or_default(), resets }
}

/// For each node, the variables that may be read before they are written.
fn needed(nodes: usize, edges: &[Made], effects: &[Effect]) -> Vec<BTreeSet<VarId>> {
    let mut needed: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); nodes];
    let mut changed = true;
    while changed {
        changed = false;
        for (made, effect) in edges.iter().zip(effects).rev() {
            let mut here = effect.reads.clone();
            if let To::Schedule(Some(node)) | To::Node(node) = made.to {
                here.extend(needed[node].difference(&effect.writes));
            }
            let before = needed[made.source].len();
            needed[made.source].extend(here);
            changed |= needed[made.source].len() > before;
        }
    }
    needed
}

fn effect(block: &[Statement], is_own: impl Fn(&VarId) -> bool) -> Effect {
    let mut effect = Effect { reads: BTreeSet::new(), writes: BTreeSet::new() };
    for statement in block {
        for expr in statement.expressions() {
            expr.for_each_var(&mut |variable| {
                if is_own(&variable) && !effect.writes.contains(&variable) {
                    effect.reads.insert(variable);
                }
            });
        }
        effect.writes.extend(statement.targets().into_iter().filter(&is_own));
    }
    effect
}
