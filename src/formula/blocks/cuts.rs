//! Where blocks begin and end: loop heads, and what belongs to recursion.

use crate::program::control::Flow;
use crate::program::{EdgeId, Id, IdVec, LocId, ProcId, Procedure, Program, Statement};

/// How large blocks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BlockSize {
    /// As large as can be: from one loop head, or place of recursion, to the next.
    #[default]
    Large,
    /// One edge each.
    Small,
}

/// The cut points of a program, and an order of its locations.
#[derive(Debug, Clone)]
pub struct Cuts {
    is_cut: IdVec<ProcId, IdVec<LocId, bool>>,
    is_head: IdVec<ProcId, IdVec<LocId, bool>>,
    /// Where several edges lead to, and entries.
    joins: IdVec<ProcId, IdVec<LocId, bool>>,
    recursive: IdVec<ProcId, bool>,
    order: IdVec<ProcId, IdVec<LocId, u32>>,
}

impl Cuts {
    /// The cut points: every cycle of a procedure has one, and so have the two ends of every recursive call.
    pub fn of(program: &Program, flow: &Flow, size: BlockSize) -> Cuts {
        let recursive = recursive_procedures(program);
        let mut is_cut = IdVec::new();
        let mut is_head = IdVec::new();
        let mut order = IdVec::new();
        let mut joins = IdVec::new();
        for (id, procedure) in program.procedures.enumerate() {
            let (mut cut, postorder) = back_edge_targets(program, flow, id);
            is_head.push(cut.clone());
            if size == BlockSize::Small {
                cut = procedure.locations.iter().map(|_| true).collect();
            }
            for edge in procedure.edges.iter() {
                if edge.call().is_some_and(|(_, callee, _)| recursive[callee]) {
                    cut[edge.source] = true;
                    cut[edge.target] = true;
                }
            }
            if recursive[id] {
                cut[procedure.entry] = true;
            }
            is_cut.push(cut);
            joins.push(joins_of(procedure));
            let last = procedure.locations.len() as u32;
            order.push(postorder.iter().map(|finished| last - finished).collect());
        }
        Cuts { is_cut, is_head, joins, recursive, order }
    }

    /// Whether blocks begin and end there.
    pub fn is_cut(&self, procedure: ProcId, location: LocId) -> bool {
        self.is_cut[procedure][location]
    }

    /// Whether an edge from inside a loop leads back there.
    pub fn is_loop_head(&self, procedure: ProcId, location: LocId) -> bool {
        self.is_head[procedure][location]
    }

    /// Whether the procedure can be active more than once at a time.
    pub fn is_recursive(&self, procedure: ProcId) -> bool {
        self.recursive[procedure]
    }

    /// Whether executions can come there in several ways.
    pub fn is_join(&self, procedure: ProcId, location: LocId) -> bool {
        self.joins[procedure][location]
    }

    /// Whether any procedure is recursive.
    pub fn has_recursion(&self) -> bool {
        self.recursive.iter().any(|recursive| *recursive)
    }

    /// The place of a location in an order in which every edge but those back to loop heads goes forward.
    pub fn order(&self, procedure: ProcId, location: LocId) -> u32 {
        self.order[procedure][location]
    }
}

/// The locations of a procedure that several edges lead to; the entry and the exit always count.
fn joins_of(procedure: &Procedure) -> IdVec<LocId, bool> {
    let mut incoming: IdVec<LocId, u32> = procedure.locations.iter().map(|_| 0).collect();
    incoming[procedure.entry] = 2;
    incoming[procedure.exit] = 2;
    for edge in procedure.edges.iter() {
        incoming[edge.target] += 1;
    }
    incoming.iter().map(|count| *count > 1).collect()
}

/// Procedures that can reach a call of themselves.
fn recursive_procedures(program: &Program) -> IdVec<ProcId, bool> {
    let callees: IdVec<ProcId, Vec<ProcId>> = (program.procedures.iter())
        .map(|procedure| {
            let statements = procedure.edges.iter().flat_map(|edge| edge.block.iter());
            let called = statements.filter_map(|statement| match statement {
                Statement::Call { callee, .. } => Some(*callee),
                _ => None,
            });
            called.collect()
        })
        .collect();
    let reaches_itself = |start: ProcId| {
        let mut seen = vec![false; callees.len()];
        let mut waiting = callees[start].clone();
        while let Some(next) = waiting.pop() {
            if next == start {
                return true;
            }
            if !std::mem::replace(&mut seen[next.index()], true) {
                waiting.extend(&callees[next]);
            }
        }
        false
    };
    program.procedures.enumerate().map(|(id, _)| reaches_itself(id)).collect()
}

/// The targets of edges that close a cycle in a depth-first walk from the entry, and when the walk left each location
/// (from 1 on; 0 where it never was).
fn back_edge_targets(program: &Program, flow: &Flow, id: ProcId) -> (IdVec<LocId, bool>, IdVec<LocId, u32>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        White,
        Grey,
        Black,
    }
    let procedure = &program.procedures[id];
    let mut colour: IdVec<LocId, Colour> = procedure.locations.iter().map(|_| Colour::White).collect();
    let mut heads: IdVec<LocId, bool> = procedure.locations.iter().map(|_| false).collect();
    let mut finished: IdVec<LocId, u32> = procedure.locations.iter().map(|_| 0).collect();
    let mut clock = 0;
    let mut path: Vec<(LocId, std::slice::Iter<'_, EdgeId>)> = Vec::new();
    colour[procedure.entry] = Colour::Grey;
    path.push((procedure.entry, flow.leaving(id, procedure.entry).iter()));
    while let Some((location, edges)) = path.last_mut() {
        let Some(edge) = edges.next() else {
            clock += 1;
            finished[*location] = clock;
            colour[*location] = Colour::Black;
            path.pop();
            continue;
        };
        let target = procedure.edges[*edge].target;
        match colour[target] {
            Colour::Grey => heads[target] = true,
            Colour::Black => {}
            Colour::White => {
                colour[target] = Colour::Grey;
                path.push((target, flow.leaving(id, target).iter()));
            }
        }
    }
    (heads, finished)
}
