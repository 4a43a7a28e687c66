//! Which locals a procedure may still read from a location on.

use crate::program::{Id, IdVec, LocId, ProcId, Procedure, Program, Scope, Type, VarId};
use rustc_hash::FxHashSet;

/// For each location of each procedure, the locals whose values still matter.
#[derive(Debug, Clone)]
pub struct Live(IdVec<ProcId, IdVec<LocId, FxHashSet<VarId>>>);

impl Live {
    /// Of every procedure of a program.
    pub fn of(program: &Program) -> Live {
        let of_one = |(id, procedure)| of_procedure(program, id, procedure);
        let mut live = Live(program.procedures.enumerate().map(of_one).collect());
        if program.tracks_heap() {
            live.keep_pointers(program);
        }
        live
    }

    /// A pointer that is held matters, whether it is read or not.
    fn keep_pointers(&mut self, program: &Program) {
        for (variable, data) in program.variables.enumerate() {
            if let (Scope::Local(procedure), Type::Pointer) = (data.scope, data.ty) {
                self.0[procedure].iter_mut().for_each(|live| live.extend([variable]));
            }
        }
    }

    /// Whether the local still matters at the location of its procedure.
    pub fn is_live(&self, procedure: ProcId, location: LocId, local: VarId) -> bool {
        self.0[procedure][location].contains(&local)
    }
}

fn of_procedure(program: &Program, id: ProcId, procedure: &Procedure) -> IdVec<LocId, FxHashSet<VarId>> {
    let is_local = |variable: &VarId| program.variables[*variable].scope == Scope::Local(id);
    let mut live: IdVec<LocId, FxHashSet<VarId>> = procedure.locations.iter().map(|_| FxHashSet::default()).collect();
    live[procedure.exit].extend(procedure.result);
    let mut incoming: IdVec<LocId, Vec<usize>> = procedure.locations.iter().map(|_| Vec::new()).collect();
    for (number, edge) in procedure.edges.enumerate() {
        incoming[edge.target].push(number.index());
    }
    let edges: Vec<_> = procedure.edges.iter().collect();
    let mut waiting: Vec<LocId> = procedure.locations.enumerate().map(|(location, _)| location).collect();
    while let Some(location) = waiting.pop() {
        for &number in &incoming[location] {
            let edge = edges[number];
            let mut now = live[location].clone();
            for statement in edge.block.iter().rev() {
                for target in statement.targets() {
                    now.remove(&target);
                }
                for expr in statement.expressions() {
                    expr.for_each_var(&mut |variable| {
                        if is_local(&variable) {
                            now.insert(variable);
                        }
                    });
                }
            }
            let before = live[edge.source].len();
            live[edge.source].extend(now);
            if live[edge.source].len() > before {
                waiting.push(edge.source);
            }
        }
    }
    live
}
