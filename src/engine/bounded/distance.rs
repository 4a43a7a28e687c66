//! How far an execution is from an error, at least, by the edges between them.

use crate::program::control::{Flow, Frame};
use crate::program::{Id, IdVec, LocId, ProcId, Program, Property};

/// For each location, how many edges there are at least to an error, and to the exit of its procedure.
pub(super) struct Distances {
    to_error: IdVec<ProcId, IdVec<LocId, u64>>,
    to_exit: IdVec<ProcId, IdVec<LocId, u64>>,
}

/// Where nothing leads there.
const FAR: u64 = 1 << 40;

impl Distances {
    /// The distances in a program with respect to a property.
    pub(super) fn of(program: &Program, flow: &Flow, property: &Property) -> Distances {
        let far = || -> IdVec<ProcId, IdVec<LocId, u64>> {
            program.procedures.iter().map(|procedure| procedure.locations.iter().map(|_| FAR).collect()).collect()
        };
        let (mut to_error, mut to_exit) = (far(), far());
        for (id, procedure) in program.procedures.enumerate() {
            to_exit[id][procedure.exit] = 0;
            for (location, data) in procedure.locations.enumerate() {
                if data.error.as_ref().is_some_and(|failure| property.counts(&failure.kind)) {
                    to_error[id][location] = 0;
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (id, procedure) in program.procedures.enumerate() {
                // Later locations are nearer to the exit, as a rule.
                for index in (0..procedure.locations.len()).rev() {
                    let location = LocId::new(index);
                    for &edge in flow.leaving(id, location) {
                        let edge = &procedure.edges[edge];
                        let (through, inside) = match edge.call() {
                            None => (1, FAR),
                            Some((_, callee, _)) => {
                                let entry = program.procedures[callee].entry;
                                (to_exit[callee][entry] + 2, to_error[callee][entry] + 1)
                            }
                        };
                        let error = (through + to_error[id][edge.target]).min(inside).min(FAR);
                        let exit = (through + to_exit[id][edge.target]).min(FAR);
                        changed |= error < to_error[id][location] || exit < to_exit[id][location];
                        to_error[id][location] = to_error[id][location].min(error);
                        to_exit[id][location] = to_exit[id][location].min(exit);
                    }
                }
            }
        }
        Distances { to_error, to_exit }
    }

    /// The distance of a location stack, and how far it is from there to the end of all its procedures.
    fn of_stack(&self, stack: &[Frame]) -> (u64, u64) {
        let mut nearest = FAR;
        let mut left = 0;
        for frame in stack.iter().rev() {
            nearest = nearest.min(left + self.to_error[frame.procedure][frame.location]);
            left = (left + self.to_exit[frame.procedure][frame.location] + 1).min(FAR);
        }
        (nearest, left)
    }

    /// The distance of stacks each of which was called by the next.
    pub(super) fn of_stacks<'a>(&self, stacks: impl Iterator<Item = &'a [Frame]>) -> u64 {
        let (mut nearest, mut left) = (FAR, 0);
        for stack in stacks {
            if left >= nearest {
                break;
            }
            let (distance, more) = self.of_stack(stack);
            nearest = nearest.min(left + distance);
            left = (left + more).min(FAR);
        }
        nearest
    }
}
