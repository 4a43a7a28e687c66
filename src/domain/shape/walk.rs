//! Steps of a program with shapes, from one cut point to the next: loop heads, and where ways meet.

use super::{Refused, Semantics, Shape};
use crate::program::control::{Flow, Frame};
use crate::program::liveness::Liveness;
use crate::program::{IdVec, LocId, ProcId, Procedure, Program, Property, Scope};

/// Deeper recursion is not treated.
const MAX_DEPTH: usize = 60;

/// More shapes between two cut points are too many.
const MAX_REACHED: usize = 20_000;

/// Where an execution is, and what is known there.
#[derive(Debug, Clone)]
pub struct Reached {
    /// The activations, the outermost first.
    pub frames: Vec<Frame>,
    /// What is known.
    pub shape: Shape,
}

/// The steps of a program.
#[derive(Debug)]
pub struct Walk<'p> {
    program: &'p Program,
    /// What statements do.
    pub semantics: Semantics<'p>,
    flow: Flow,
    cuts: IdVec<ProcId, IdVec<LocId, Cut>>,
    liveness: IdVec<ProcId, Liveness>,
}

/// Whether executions are looked at in a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    None,
    Meeting,
    LoopHead,
}

impl<'p> Walk<'p> {
    /// Of a program, for a property.
    pub fn new(program: &'p Program, property: &Property) -> Walk<'p> {
        let flow = Flow::of(program);
        let cuts = program.procedures.enumerate().map(|(id, procedure)| cuts(id, procedure, &flow)).collect();
        let of = |(id, procedure): (ProcId, &Procedure)| {
            let own = program.variables.enumerate().filter(|(_, variable)| variable.scope == Scope::Local(id));
            Liveness::of(procedure, own.map(|(variable, _)| variable), true)
        };
        let liveness = program.procedures.enumerate().map(of).collect();
        Walk { program, semantics: Semantics::new(program, property), flow, cuts, liveness }
    }

    /// The states at the first cut points.
    ///
    /// # Errors
    /// Where something is not treated.
    pub fn start(&self) -> Result<Vec<Reached>, Refused> {
        let main = self.program.main;
        let frame = Frame { procedure: main, location: self.program.procedures[main].entry, call: None };
        let shapes = self.semantics.initial()?;
        let waiting = shapes.into_iter().map(|shape| Reached { frames: vec![frame], shape }).collect();
        self.advance(waiting)
    }

    /// The states at the next cut points.
    ///
    /// # Errors
    /// Where something is not treated.
    pub fn successors(&self, frames: &[Frame], shape: &Shape) -> Result<Vec<Reached>, Refused> {
        let mut waiting = Vec::new();
        self.step(Reached { frames: frames.to_vec(), shape: shape.clone() }, &mut waiting)?;
        self.advance(waiting)
    }

    /// Whether the innermost activation is at the head of a loop.
    pub fn is_loop_head(&self, frames: &[Frame]) -> bool {
        frames.last().is_some_and(|top| self.cuts[top.procedure][top.location] == Cut::LoopHead)
    }

    /// Goes on until every state is at a cut point or at an error.
    fn advance(&self, mut waiting: Vec<Reached>) -> Result<Vec<Reached>, Refused> {
        let mut reached = Vec::new();
        while let Some(state) = waiting.pop() {
            let Some(top) = state.frames.last() else { continue };
            let is_error = self.program.procedures[top.procedure].locations[top.location].error.is_some();
            if is_error || self.cuts[top.procedure][top.location] != Cut::None {
                reached.push(self.tidied(state));
            } else {
                self.step(state, &mut waiting)?;
            }
            if waiting.len() + reached.len() > MAX_REACHED {
                return Refused::new("a block with very many ways");
            }
        }
        Ok(reached)
    }

    /// Takes every step that is possible.
    fn step(&self, state: Reached, out: &mut Vec<Reached>) -> Result<(), Refused> {
        let Reached { frames, shape } = state;
        let Some(top) = frames.last() else { return Ok(()) };
        let procedure = &self.program.procedures[top.procedure];
        if top.location == procedure.exit {
            let caller = frames.len().checked_sub(2).map(|index| frames[index].procedure);
            let call = caller.zip(top.call).map(|(caller, call)| &self.program.procedures[caller].edges[call]);
            let target = call.and_then(|edge| edge.call()).and_then(|(target, ..)| target);
            let shape = self.semantics.leave(shape, target);
            out.push(Reached { frames: frames[..frames.len() - 1].to_vec(), shape });
            return Ok(());
        }
        for id in self.flow.leaving(top.procedure, top.location) {
            let edge = &procedure.edges[*id];
            let mut after = frames.clone();
            if let Some(top) = after.last_mut() {
                top.location = edge.target;
            }
            let shapes = match edge.call() {
                Some((_, callee, arguments)) => {
                    if after.len() >= MAX_DEPTH {
                        return Refused::new("deep recursion");
                    }
                    let entry = self.program.procedures[callee].entry;
                    after.push(Frame { procedure: callee, location: entry, call: Some(*id) });
                    self.semantics.call(shape.clone(), callee, arguments)?
                }
                None => self.semantics.block(shape.clone(), &edge.block)?,
            };
            out.extend(shapes.into_iter().map(|shape| Reached { frames: after.clone(), shape }));
        }
        Ok(())
    }

    /// Without what nothing can read any more.
    fn tidied(&self, state: Reached) -> Reached {
        let Reached { frames, mut shape } = state;
        if !self.semantics.tracks {
            for (depth, frame) in frames.iter().enumerate() {
                let live = &self.liveness[frame.procedure];
                let set = live.at(frame.location);
                self.semantics.forget_unless(&mut shape, depth, |variable| live.has(set, variable));
            }
        }
        shape.tidy(self.semantics.tracks);
        Reached { frames, shape }
    }
}

/// Where executions of a procedure are looked at: every loop comes through one of these.
fn cuts(id: ProcId, procedure: &Procedure, flow: &Flow) -> IdVec<LocId, Cut> {
    let mut entering: IdVec<LocId, usize> = procedure.locations.iter().map(|_| 0).collect();
    procedure.edges.iter().for_each(|edge| entering[edge.target] += 1);
    let mut cuts: IdVec<LocId, Cut> =
        entering.iter().map(|count| if *count > 1 { Cut::Meeting } else { Cut::None }).collect();
    // Depth first: an edge back to where the way came through closes a loop.
    let mut is_open: IdVec<LocId, Option<bool>> = procedure.locations.iter().map(|_| None).collect();
    let mut way = vec![(procedure.entry, 0)];
    is_open[procedure.entry] = Some(true);
    while let Some((location, index)) = way.last_mut() {
        match flow.leaving(id, *location).get(*index) {
            Some(edge) => {
                *index += 1;
                let target = procedure.edges[*edge].target;
                match is_open[target] {
                    None => {
                        is_open[target] = Some(true);
                        way.push((target, 0));
                    }
                    Some(true) => cuts[target] = Cut::LoopHead,
                    Some(false) => {}
                }
            }
            None => {
                is_open[*location] = Some(false);
                way.pop();
            }
        }
    }
    cuts
}
