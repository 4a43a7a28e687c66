//! From a model of a path to the execution that takes it.

use super::PathFormulas;
use super::path::{Piece, Steps};
use crate::concrete::{FirstContents, Trace, TraceStep, complete};
use crate::engine::Stop;
use crate::formula::blocks::{Code, EndKind};
use crate::formula::inputs::{add_first_contents, allocations, inputs};
use crate::program::control::{Action, Step};
use crate::program::{Id, LocId, ProcId, ThreadId};
use crate::term::Assignment;

impl PathFormulas<'_, '_> {
    /// The trace of a feasible path, given values at each position of its merged steps.
    pub(crate) fn trace(&self, pieces: &[Piece], steps: &Steps, values: &[Assignment]) -> Result<Trace, Stop> {
        let mut trace = Trace::default();
        let mut first = FirstContents::default();
        let mut objects = allocations(&self.task.program.init).count();
        let take = |action| Step { thread: ThreadId::new(0), action };
        for (piece, &after) in pieces.iter().zip(&steps.after) {
            // The position before the last step of a piece has the inputs that it reads.
            let before = &values[after - 1];
            match piece {
                Piece::Start { .. } => {
                    let value_of = |symbol| before.get(&symbol).cloned();
                    let block = &self.task.program.init;
                    trace.initial_inputs =
                        inputs(&self.task.program, &self.formulas.terms, block, &self.init.inputs, &value_of);
                    add_first_contents(&mut first, block, self.init, (0, 0), &value_of);
                }
                Piece::Call { edge, .. } => {
                    trace.steps.push(TraceStep { step: take(Action::Edge(*edge)), inputs: Vec::new() });
                }
                Piece::Return { .. } => {
                    trace.steps.push(TraceStep { step: take(Action::Return), inputs: Vec::new() });
                }
                Piece::Block { walk, end, from, .. } => {
                    let mut start = before.clone();
                    for (symbol, value) in &from.state.values {
                        start
                            .insert(*symbol, self.formulas.terms.as_value(*value).expect("known values are constants"));
                    }
                    let (way, _) = self.way(walk, *end, &start)?;
                    for (node, number) in way {
                        let chosen = &walk.nodes[node].moves[number];
                        let given = match (&*chosen.code, chosen.action) {
                            (Code::Plain(transition), Action::Edge(edge)) => {
                                let top = walk.nodes[node].stack.last().expect("a location stack has a top");
                                let edge = &self.task.program.procedures[top.procedure].edges[edge];
                                let value_of = |symbol| start.get(&symbol).cloned();
                                let step = trace.steps.len() + 1;
                                add_first_contents(&mut first, &edge.block, transition, (step, objects), &value_of);
                                objects += allocations(&edge.block).count();
                                inputs(
                                    &self.task.program,
                                    &self.formulas.terms,
                                    &edge.block,
                                    &transition.inputs,
                                    &value_of,
                                )
                            }
                            _ => Vec::new(),
                        };
                        trace.steps.push(TraceStep { step: take(chosen.action), inputs: given });
                    }
                }
            }
        }
        Ok(complete(&self.task.program, trace, &first))
    }

    /// Where the path ends in an access to memory without a meaning.
    pub(crate) fn fault_at_the_end(&self, pieces: &[Piece]) -> Option<(ProcId, LocId)> {
        let Some(Piece::Block { walk, end, .. }) = pieces.last() else { return None };
        let end = &walk.ends[*end];
        let top = end.stack.last().expect("a location stack has a top");
        (end.kind == EndKind::Fault).then_some((top.procedure, top.location))
    }
}
