//! Shapes as a space to search.

use crate::domain::shape::{FoldLevel, Reached, Refused, Shape, Signature, Thresholds, Walk, covers, fold};
use crate::engine::search::{Arg, Covering, Expansion, NodeId, Place, Space, Successors, class_of};
use crate::engine::stacks::{StackId, Stacks};
use crate::engine::{Stop, Task};
use std::collections::BTreeMap;

/// Where only nodes that hold the same are folded: with more objects on the heap, the next level is tried.
const MAX_OBJECTS: usize = 20;

/// The shapes of a task.
pub(super) struct ShapeSpace<'p> {
    task: &'p Task,
    walk: Walk<'p>,
    pub(super) stacks: Stacks,
    level: FoldLevel,
    thresholds: Thresholds,
    seen: BTreeMap<(Vec<crate::program::control::Frame>, Shape), Signature>,
    /// How many more nodes may be expanded.
    left: usize,
}

impl<'p> ShapeSpace<'p> {
    pub(super) fn new(task: &'p Task, level: FoldLevel, most: usize) -> ShapeSpace<'p> {
        ShapeSpace {
            task,
            walk: Walk::new(&task.program, &task.property),
            stacks: Stacks::default(),
            level,
            thresholds: Thresholds::of(&task.program),
            seen: BTreeMap::new(),
            left: most,
        }
    }

    fn pointer_bytes(&self) -> i64 {
        i64::from(self.task.program.pointer_bytes)
    }

    /// Adds what is reached, unless it ends the execution: what is wrong but does not count does.
    fn reach(&mut self, reached: Result<Vec<Reached>, Refused>, out: &mut Successors<Self>) -> Result<(), Stop> {
        for Reached { frames, mut shape } in reached.map_err(refused)? {
            let Some(top) = frames.last() else { continue };
            let location = &self.task.program.procedures[top.procedure].locations[top.location];
            match &location.error {
                Some(failure) if !self.task.property.counts(&failure.kind) => continue,
                Some(_) => {}
                None if self.walk.is_loop_head(&frames) => self.generalise(&frames, &mut shape),
                None => {}
            }
            if self.is_scattered(&shape) {
                return Err(Stop::ManyStates);
            }
            out.add((), self.stacks.number(&frames), shape);
        }
        Ok(())
    }

    /// What has gone wrong somewhere, and where.
    pub(super) fn error_at(&self, control: StackId) -> Option<String> {
        let top = self.stacks.get(control).last()?;
        let location = &self.task.program.procedures[top.procedure].locations[top.location];
        let message = &location.error.as_ref()?.message;
        let line = location.span.map(|span| self.task.program.sources[span.file].line_and_column(span.start).0);
        Some(line.map_or_else(|| message.clone(), |line| format!("{message}, line {line}")))
    }

    /// Whether a shape has so many objects that alike ones will hardly be found: lists grow, and do not become chains.
    fn is_scattered(&self, shape: &Shape) -> bool {
        self.level == FoldLevel::Equal && shape.objects_on_heap() > MAX_OBJECTS
    }

    /// Says less, so that there are only so many shapes.
    fn generalise(&mut self, frames: &[crate::program::control::Frame], shape: &mut Shape) {
        let exact = shape.clone();
        fold(shape, self.level, self.pointer_bytes());
        shape.tidy(self.walk.semantics.tracks);
        let (bare, numbers) = shape.without_numbers();
        let signature = self.seen.entry((frames.to_vec(), bare)).or_default();
        signature.widen(shape, &numbers, &self.thresholds);
        shape.tidy(self.walk.semantics.tracks);
        // A proof needs to see that it says less.
        if !covers(shape, &exact, self.walk.semantics.tracks, self.pointer_bytes()) {
            *shape = exact;
        }
    }
}

/// Why the search stops where something is not treated.
pub(super) fn refused(Refused(construct): Refused) -> Stop {
    Stop::Unsupported { construct, span: None }
}

impl Space for ShapeSpace<'_> {
    type Control = StackId;
    type State = Shape;
    type Label = ();
    const COVERING: Covering = Covering::BeforeStoring;
    const LINKS: bool = false;

    fn initial(&mut self, out: &mut Successors<Self>) -> Result<(), Stop> {
        let reached = self.walk.start();
        self.reach(reached, out)
    }

    fn expand(&mut self, arg: &mut Arg<Self>, at: NodeId, out: &mut Successors<Self>) -> Result<Expansion, Stop> {
        self.left = self.left.checked_sub(1).ok_or(Stop::ManyStates)?;
        let reached = self.walk.successors(self.stacks.get(arg.control(at)), arg.state(at));
        self.reach(reached, out)?;
        Ok(Expansion::Done)
    }

    fn is_target(&self, control: StackId) -> bool {
        let error = |top: &crate::program::control::Frame| {
            self.task.program.procedures[top.procedure].locations[top.location].error.is_some()
        };
        self.stacks.get(control).last().is_some_and(error)
    }

    fn class(&self, control: StackId, _: &Shape) -> u64 {
        class_of(control)
    }

    fn covers(&mut self, general: Place<'_, Self>, specific: Place<'_, Self>) -> Result<bool, Stop> {
        let keeps_all = self.walk.semantics.tracks;
        Ok(general.control == specific.control
            && (general.state == specific.state
                || covers(general.state, specific.state, keeps_all, self.pointer_bytes())))
    }
}
