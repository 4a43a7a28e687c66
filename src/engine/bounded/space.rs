//! Symbolic states as a space to search: blocks between cut points, and the calls and returns of recursive procedures.

use super::call::Arrival;
use super::feasible::{Feasible, Way};
use super::position::Position;
use super::state::{BlockEnds, Identity, PathArg, PathState, time_of};
use super::{BoundedOrder, BoundedSpace};
use crate::engine::Stop;
use crate::engine::search::{Arg, Covering, Expansion, NodeId, Place, Space, Successors};
use crate::formula::blocks::{End, EndKind, Reading};
use crate::term::{Assignment, Op, Symbol, TermId};
use std::rc::Rc;

/// What is beyond the end of a block.
enum Beyond {
    /// No execution.
    Nothing,
    /// A state from which executions go on.
    Inner,
    /// An error that counts.
    Failure,
    /// Memory has cells that were not known of before.
    NewCells,
}

impl Space for BoundedSpace<'_> {
    type Control = Position;
    type State = PathState;
    /// The guard of the edge.
    type Label = Rc<[TermId]>;
    const COVERING: Covering = Covering::BeforeStoring;
    const LINKS: bool = true;

    fn initial(&mut self, out: &mut Successors<Self>) -> Result<(), Stop> {
        let (init, values) = self.formulas.init()?;
        self.init = init;
        self.solver.leave_path();
        self.explored.clear();
        let variables = self.task.program.variables.enumerate().map(|(id, _)| id);
        let symbols = variables.flat_map(|variable| self.formulas.blocks.encoder().symbols(variable));
        self.apart.start(symbols.chain(self.formulas.blocks.memory().symbols()));
        let guard = vec![self.init.guard];
        let read: Vec<Symbol> = self.init.own_symbols().collect();
        let model = Assignment::default();
        let way = Way { from: None, model: Some(&model), guard: &guard, values: &values, read: &read };
        if let Some(feasible) = self.feasible(&way)? {
            let entry = self.entry();
            let position = self.positions.at(&entry, None);
            let state = self.state_after(None, Arrival { position, values }, feasible);
            out.add(guard.into(), position, state);
        }
        Ok(())
    }

    /// Errors come first: nothing is of more interest. Where there is one, the rest of the block waits.
    fn expand(&mut self, arg: &mut Arg<Self>, at: NodeId, out: &mut Successors<Self>) -> Result<Expansion, Stop> {
        let rest = arg.state_mut(at).rest.take();
        let mut block = match rest {
            Some(rest) => rest,
            None => {
                let mut block = Box::new(self.block_of(arg, at)?);
                if self.formulas.blocks.cells_changed() {
                    return Ok(Expansion::Invalidated);
                }
                self.leave_out_errors(arg, at, &mut block)?;
                block
            }
        };
        while let Some(end) = block.ends.next() {
            match self.reach(arg, at, end, &block.read, out)? {
                Beyond::Nothing | Beyond::Inner => {}
                Beyond::NewCells => return Ok(Expansion::Invalidated),
                Beyond::Failure => {
                    arg.state_mut(at).rest = Some(block);
                    return Ok(Expansion::Partial);
                }
            }
        }
        self.explored.keep(arg, at);
        self.note_for_executions(arg, at);
        Ok(Expansion::Done)
    }

    fn is_target(&self, position: Position) -> bool {
        self.fails(position)
    }

    fn class(&self, _: Position, state: &PathState) -> u64 {
        state.class
    }

    /// A state all of whose values are constants is met once, in the fewest blocks.
    fn covers(&mut self, general: Place<'_, Self>, specific: Place<'_, Self>) -> Result<bool, Stop> {
        let (one, other) = (general.state, specific.state);
        Ok(one.identity == Identity::Constant
            && other.identity == Identity::Constant
            && one.depth <= other.depth
            && general.control == specific.control
            && one.values == other.values)
    }

    fn merge(&mut self, arg: &mut Arg<Self>, node: NodeId, position: Position, state: PathState) -> Option<PathState> {
        if arg.control(node) != position || !self.is_merged(arg.state(node), &state) {
            return Some(state);
        }
        self.merge_into(arg, node, state);
        None
    }

    /// The bound keeps nodes from being expanded.
    fn parks(&mut self, arg: &Arg<Self>, node: NodeId) -> bool {
        self.config.steps.is_some_and(|most| arg.state(node).depth >= most)
    }

    fn priority(&self, node: NodeId, at: Place<'_, Self>) -> u64 {
        match self.config.order {
            BoundedOrder::Breadth => u64::from(at.state.depth),
            BoundedOrder::Depth => u64::MAX - node.index() as u64,
            BoundedOrder::Distance => self.positions.distance(at.control),
            BoundedOrder::Loops => self.positions.with_loops_first(at.control, at.state.depth),
        }
    }
}

impl<'p> BoundedSpace<'p> {
    /// Whether there is an error that counts.
    pub(super) fn fails(&self, position: Position) -> bool {
        self.failure_at(self.positions.stack(position)) == Some(true)
    }

    /// The ends of the block of a node, errors first.
    fn block_of(&mut self, arg: &PathArg<'p>, at: NodeId) -> Result<BlockEnds, Stop> {
        let state = arg.state(at);
        let values: Vec<(Symbol, TermId)> = state.values.iter().map(|(symbol, value)| (*symbol, *value)).collect();
        let budget = &self.budget;
        let stop = || budget.check().is_err();
        let walk = self.formulas.blocks.walk_reading(
            &mut self.formulas.terms,
            self.positions.stack(arg.control(at)),
            &values,
            self.apart.tracked(),
            Reading::At(time_of(at)),
            &stop,
        );
        let mut walk = walk.map_err(|error| self.budget.stop_of_walk(error))?;
        self.explored.note(at);
        walk.ends.sort_by_key(|end| end.kind != EndKind::Error);
        Ok(BlockEnds { ends: walk.ends.into_iter(), read: walk.read })
    }

    /// Leaves out all errors of a block where one question shows that no execution comes to any of them: most of the ends
    /// of a block are errors, and few of these are possible.
    fn leave_out_errors(&mut self, arg: &PathArg<'p>, at: NodeId, block: &mut BlockEnds) -> Result<(), Stop> {
        let read: Vec<TermId> = block.read.iter().filter_map(|symbol| self.formulas.range(*symbol)).collect();
        let mut ranges = self.ranges_at(Some((arg, at)), &read);
        let terms = &self.formulas.terms;
        let is_left = |end: &End| end.kind != EndKind::Error || !ranges.exclude(terms, &end.guard);
        block.ends = block.ends.by_ref().filter(is_left).collect::<Vec<End>>().into_iter();
        let errors = block.ends.as_slice().iter().take_while(|end| end.kind == EndKind::Error);
        let guards: Vec<&[TermId]> = errors.map(|end| &*end.guard).collect();
        if guards.len() > 1 && self.excludes_all(arg, at, &guards, &block.read)? {
            let count = guards.len();
            block.ends.by_ref().take(count).for_each(drop);
        }
        Ok(())
    }

    /// Goes on from the end of a node's block, where executions come to it.
    fn reach(
        &mut self,
        arg: &PathArg<'p>,
        at: NodeId,
        end: End,
        read: &[Symbol],
        out: &mut Successors<Self>,
    ) -> Result<Beyond, Stop> {
        if end.kind == EndKind::Fault {
            return Ok(Beyond::Nothing);
        }
        let model = arg.state(at).model.as_deref();
        let way = Way { from: Some((arg, at)), model, guard: &end.guard, values: &end.values, read };
        let Some((mut conditions, model)) = self.feasible(&way)? else { return Ok(Beyond::Nothing) };
        let position = self.positions.at(&end.stack, arg.control(at).caller);
        let mut arrival = Arrival { position, values: end.values };
        if let EndKind::Call(edge) = end.kind {
            let (entered, guard) = self.apply_call(arrival, edge, time_of(at))?;
            if self.formulas.blocks.cells_changed() {
                return Ok(Beyond::NewCells);
            }
            if self.formulas.terms.op(guard) != &Op::Bool(true) {
                conditions.push(guard);
            }
            arrival = entered;
        }
        let Some(arrival) = self.apply_exits(arrival, || ()) else { return Ok(Beyond::Nothing) };
        Ok(self.add(arg, at, end.guard.into(), arrival, (conditions, model), out))
    }

    fn add(
        &mut self,
        arg: &PathArg<'p>,
        at: NodeId,
        guard: Rc<[TermId]>,
        arrival: Arrival,
        feasible: Feasible,
        out: &mut Successors<Self>,
    ) -> Beyond {
        let position = arrival.position;
        let beyond = match self.failure_at(self.positions.stack(position)) {
            None => Beyond::Inner,
            Some(true) => Beyond::Failure,
            // What is wrong but does not count ends the execution all the same.
            Some(false) => return Beyond::Nothing,
        };
        let state = self.state_after(Some((arg, at)), arrival, feasible);
        out.add(guard, position, state);
        beyond
    }
}
