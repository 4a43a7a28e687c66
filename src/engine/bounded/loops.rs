//! An order of location stacks in which a loop comes to its end before what follows it, and the body of a loop before its
//! head: all executions that leave a loop, after however many rounds, then wait behind it together and become one state.

use crate::formula::blocks::Cuts;
use crate::program::control::Frame;
use crate::program::{IdVec, LocId, ProcId, Program};
use rustc_hash::FxHashSet;

/// The numbers of locations; what is called has numbers of its own where it returns to.
pub(super) struct LoopOrder {
    numbers: IdVec<ProcId, IdVec<LocId, Numbers>>,
}

/// The numbers of a location: those of stacks above it, and its own, which is the last.
#[derive(Debug, Clone, Copy, Default)]
struct Numbers {
    first: u64,
    last: u64,
}

impl LoopOrder {
    /// The order of a program with these cut points.
    pub(super) fn of(program: &Program, cuts: &Cuts) -> LoopOrder {
        let mut sizes: IdVec<ProcId, Option<u64>> = program.procedures.iter().map(|_| None).collect();
        let mut numbers: IdVec<ProcId, IdVec<LocId, Numbers>> =
            program.procedures.iter().map(|_| IdVec::new()).collect();
        for (id, _) in program.procedures.enumerate() {
            number(program, cuts, id, &mut sizes, &mut numbers);
        }
        LoopOrder { numbers }
    }

    /// The number of a stack. Where procedures call each other so often that numbers do not suffice, some stacks share one.
    pub(super) fn number(&self, stack: &[Frame]) -> u64 {
        let Some((top, below)) = stack.split_last() else { return 0 };
        let numbers = |frame: &Frame| self.numbers[frame.procedure][frame.location];
        below.iter().fold(numbers(top).last, |sum, frame| sum.saturating_add(numbers(frame).first))
    }
}

/// Numbers the locations of a procedure, those of its callees first; tells how many numbers it has.
fn number(
    program: &Program,
    cuts: &Cuts,
    id: ProcId,
    sizes: &mut IdVec<ProcId, Option<u64>>,
    numbers: &mut IdVec<ProcId, IdVec<LocId, Numbers>>,
) -> u64 {
    if let Some(size) = sizes[id] {
        return size;
    }
    let procedure = &program.procedures[id];
    let mut above: IdVec<LocId, u64> = procedure.locations.iter().map(|_| 0).collect();
    for edge in procedure.edges.iter() {
        // The activation of a recursive procedure has a stack of its own.
        if let Some((_, callee, _)) = edge.call()
            && !cuts.is_recursive(callee)
        {
            let size = number(program, cuts, callee, sizes, numbers);
            above[edge.target] = above[edge.target].max(size);
        }
    }
    let mut next: u64 = 0;
    let mut own: IdVec<LocId, Numbers> = procedure.locations.iter().map(|_| Numbers::default()).collect();
    for location in loops_first(program, cuts, id) {
        let last = next.saturating_add(above[location]);
        own[location] = Numbers { first: next, last };
        next = last.saturating_add(1);
    }
    numbers[id] = own;
    sizes[id] = Some(next);
    next
}

/// The locations of a procedure: every loop as one piece, in which the head is the last.
fn loops_first(program: &Program, cuts: &Cuts, id: ProcId) -> Vec<LocId> {
    let procedure = &program.procedures[id];
    let mut before: IdVec<LocId, Vec<LocId>> = procedure.locations.iter().map(|_| Vec::new()).collect();
    for edge in procedure.edges.iter() {
        before[edge.target].push(edge.source);
    }
    let mut all: Vec<LocId> = procedure.locations.enumerate().map(|(location, _)| location).collect();
    all.sort_by_key(|location| cuts.order(id, *location));
    let mut arranged = Vec::with_capacity(all.len());
    let place = |location: LocId| cuts.order(id, location);
    let is_head = |location: LocId| cuts.is_loop_head(id, location);
    arrange(&all, &before, &place, &is_head, &mut arranged);
    arranged
}

/// Arranges locations that are in an order in which only edges back to loop heads go backward.
fn arrange(
    locations: &[LocId],
    before: &IdVec<LocId, Vec<LocId>>,
    place: &impl Fn(LocId) -> u32,
    is_head: &impl Fn(LocId) -> bool,
    arranged: &mut Vec<LocId>,
) {
    let mut left: FxHashSet<LocId> = locations.iter().copied().collect();
    for &location in locations {
        if !left.remove(&location) {
            continue;
        }
        if is_head(location) {
            let mut inside = FxHashSet::default();
            let mut waiting = vec![location];
            while let Some(next) = waiting.pop() {
                let sources = before[next].iter().copied();
                let new = sources.filter(|source| place(*source) > place(location) && left.contains(source));
                waiting.extend(new.filter(|source| inside.insert(*source)));
            }
            let body: Vec<LocId> = locations.iter().copied().filter(|other| inside.contains(other)).collect();
            body.iter().for_each(|other| {
                left.remove(other);
            });
            arrange(&body, before, place, is_head, arranged);
        }
        arranged.push(location);
    }
}
