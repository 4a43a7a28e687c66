//! What programs do with memory: which can make any number of objects, which have inputs beside it.

use super::control::Flow;
use super::{Edge, LocId, ProcId, Program, Region, Statement};
use rustc_hash::FxHashSet;

/// So many allocations are looked at.
const MAX_SITES: usize = 200;

type Point = (ProcId, LocId);

impl Program {
    /// Whether an object on the heap is made where executions may come again: in a loop, in recursion, or in a procedure
    /// that is called more than once. It is a hint, and looks at the first allocations only.
    pub fn allocates_repeatedly(&self) -> bool {
        let is_made = |statement: &Statement| matches!(statement, Statement::Allocate { region: Region::Heap, .. });
        let sites = self.procedures.enumerate().flat_map(|(id, procedure)| {
            let edges = procedure.edges.iter().filter(|edge| edge.block.iter().any(is_made));
            edges.map(move |edge| ((id, edge.target), (id, edge.source)))
        });
        let flow = Flow::of(self);
        { sites }.take(MAX_SITES).any(|(from, to)| self.leads_to(&flow, from, to))
    }

    /// Whether it reads inputs and writes memory.
    pub fn keeps_inputs(&self) -> bool {
        let does = |is_meant: fn(&Statement) -> bool| {
            self.procedures.iter().any(|p| p.edges.iter().any(|edge| edge.block.iter().any(is_meant)))
        };
        does(|statement| matches!(statement, Statement::Havoc { .. }))
            && does(|statement| matches!(statement, Statement::Store { .. }))
    }

    /// Whether there is a way from one point to another, through calls and returns, whoever called.
    fn leads_to(&self, flow: &Flow, from: Point, to: Point) -> bool {
        let (mut seen, mut waiting) = (FxHashSet::from_iter([from]), vec![from]);
        while let Some((id, location)) = waiting.pop() {
            if (id, location) == to {
                return true;
            }
            let mut next: Vec<Point> = Vec::new();
            if location == self.procedures[id].exit {
                next.extend(self.after_calls(id));
            }
            for edge in flow.leaving(id, location).iter().map(|edge| &self.procedures[id].edges[*edge]) {
                match edge.call() {
                    Some((_, callee, _)) => next.push((callee, self.procedures[callee].entry)),
                    None => next.push((id, edge.target)),
                }
            }
            waiting.extend(next.into_iter().filter(|point| seen.insert(*point)));
        }
        false
    }

    /// Where calls of a procedure return to.
    fn after_calls(&self, callee: ProcId) -> impl Iterator<Item = Point> {
        self.procedures.enumerate().flat_map(move |(id, procedure)| {
            let calls = move |edge: &&Edge| edge.call().is_some_and(|(_, called, _)| called == callee);
            procedure.edges.iter().filter(calls).map(move |edge| (id, edge.target))
        })
    }
}
