//! Levels of folding, one after the other: the first at which the search ends without an error has a proof.

use super::ShapeInvariants;
use super::space::ShapeSpace;
use crate::domain::shape::{FoldLevel, Shape};
use crate::engine::search::{Found, Order, Search};
use crate::engine::stacks::StackId;
use crate::engine::{Assumptions, Budget, Claim, Proof, Run, Statistics, Stop, Task};
use rustc_hash::FxHashMap;

/// How many shapes may be expanded at a level before the next one is tried.
const MAX_SHAPES: [(FoldLevel, usize); 4] =
    [(FoldLevel::Equal, 1500), (FoldLevel::Alternatives, 1500), (FoldLevel::Ordered, 3000), (FoldLevel::Join, 6000)];

/// Looks for a proof by shapes.
pub fn verify(task: &Task, budget: &Budget) -> Run {
    let mut statistics = Statistics::default();
    let mut stop = Stop::ManyStates;
    let mut has_failed = false;
    for (index, (level, most)) in MAX_SHAPES.into_iter().enumerate() {
        // The order of kinds of nodes is looked at where their being in a chain does not suffice; what is less exact does
        // not suffice either.
        if has_failed != (level == FoldLevel::Ordered) {
            continue;
        }
        let left = (MAX_SHAPES.len() - index - 1).max(1);
        let share = budget.remaining().map_or_else(|| budget.clone(), |time| budget.at_most(time / left as u32));
        let mut space = ShapeSpace::new(task, level, most);
        let mut search = Search::new(Order::BreadthFirst);
        let found = search.start(&mut space).and_then(|()| search.run(&mut space, &share));
        let progress = search.progress(&space);
        budget.report(progress);
        let (states, transitions) = (progress.states, progress.transitions);
        statistics = statistics.then(Statistics { states, transitions, ..Statistics::default() });
        match found {
            Ok(Found::Complete | Found::Paused) => {
                let proof = Proof::Shapes(invariants(&space, search));
                return Run { claim: Claim::Safe { proof, assumptions: Assumptions::default() }, statistics };
            }
            Ok(Found::Target(at)) => {
                let error = space.error_at(search.arg.control(at)).unwrap_or_default();
                stop = Stop::GaveUp(format!("an error is not excluded by the shapes of objects: {error}"));
                if level != FoldLevel::Alternatives {
                    break;
                }
                has_failed = true;
            }
            Err(reason @ (Stop::ManyStates | Stop::TimeLimit)) if budget.check().is_ok() => stop = reason,
            Err(reason) => {
                has_failed = level == FoldLevel::Alternatives && matches!(reason, Stop::Unsupported { .. });
                stop = reason;
                if !has_failed {
                    break;
                }
            }
        }
    }
    Run { claim: Claim::Unknown(stop), statistics }
}

/// The shapes that were reached, by location stack.
fn invariants(space: &ShapeSpace<'_>, search: Search<ShapeSpace<'_>>) -> ShapeInvariants {
    let (mut places, mut found): (FxHashMap<StackId, usize>, _) = (FxHashMap::default(), ShapeInvariants::default());
    for (stack, shape) in search.arg.into_states() {
        let place = *places.entry(stack).or_insert_with(|| {
            found.at.push((space.stacks.get(stack).to_vec(), Vec::<Shape>::new()));
            found.at.len() - 1
        });
        found.at[place].1.push(shape);
    }
    found
}
