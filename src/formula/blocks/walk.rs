//! Walking one block.

use super::facts::Facts;
use super::merge::{MergedPaths, exclude};
use super::{Blocks, Code, Step};
use crate::formula::encode::{Transition, Unsupported};
use crate::program::control::{Action, Frame};
use crate::program::{EdgeId, LocId, Scope, VarId};
use crate::term::eval::eval;
use crate::term::{Assignment, Op, Symbol, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A block that was walked.
#[derive(Debug, Default)]
pub struct Walk {
    /// The places on the way; the first is the start.
    pub nodes: Vec<WalkNode>,
    /// Where it ends.
    pub ends: Vec<End>,
    /// The copies of inputs that were read, where they are read at a time.
    pub read: Vec<Symbol>,
}

/// A place inside a block.
#[derive(Debug)]
pub struct WalkNode {
    /// The location stack.
    pub stack: Box<[Frame]>,
    /// The number of that.
    number: u32,
    /// The steps from there.
    pub moves: Vec<Move>,
}

/// A step inside a block.
#[derive(Debug)]
pub struct Move {
    /// What the thread does.
    pub action: Action,
    /// The same as terms.
    pub code: Rc<Code>,
    /// What chooses this step where others are possible at the same time; `true` otherwise.
    pub choice: TermId,
    /// Where it leads.
    pub to: Target,
}

/// Where a step of a block leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// On.
    Node(usize),
    /// To an end.
    End(usize),
}

/// An end of a block.
#[derive(Debug)]
pub struct End {
    /// What is there.
    pub kind: EndKind,
    /// The location stack there.
    pub stack: Box<[Frame]>,
    /// When it is reached: conjuncts over the values at the start, and inputs.
    pub guard: Vec<TermId>,
    /// The variables whose values are others than at the start, over the values there.
    pub values: FxHashMap<Symbol, TermId>,
}

/// What is at the end of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EndKind {
    /// A cut point.
    Cut,
    /// The call of a recursive procedure, right at the start of the block.
    Call(EdgeId),
    /// The exit of the outermost procedure of the stack.
    Exit,
    /// An error that counts.
    Error,
    /// An access to memory that has no meaning; the stack is the one before it.
    Fault,
}

/// Why a walk did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// Something cannot be expressed.
    #[error("{0}")]
    Unsupported(#[from] Unsupported),
    /// The one who asked for it wants it to stop.
    #[error("stopped")]
    Stopped,
}

/// What the inputs of a block stand for. The place that reads one names it, the same whenever the block is walked.
#[derive(Debug, Clone, Copy, Default)]
pub enum Reading<'a> {
    /// What the place that reads it names it.
    #[default]
    ByPlace,
    /// A copy of that for this time.
    At(u32),
    /// The value of that copy; then everything is decided, and the walk is one way to one end.
    Given(u32, &'a Assignment),
}

/// How many ways to one stack stay apart at most, on average, in a block of many places.
const MAX_APART: usize = 512;
const MANY_PLACES: usize = 2000;

/// The same where inputs are read at a time, and so no block is walked twice.
const MAX_APART_ONCE: usize = 32;

/// What keeps places of a walk apart: the values of tracked variables, where they are known.
type Known = Vec<(Symbol, TermId)>;

/// The number of the empty list of known values.
const NOTHING_KNOWN: u32 = 0;

/// Where a place stands in the order of the walk.
type Order = Vec<u32>;

struct Walker<'a, 'p, 't> {
    blocks: &'a mut Blocks<'p>,
    terms: &'t mut Terms,
    tracked: &'a FxHashSet<Symbol>,
    reading: Reading<'a>,
    walk: Walk,
    waiting: BTreeMap<(Order, u32, u32), (usize, MergedPaths)>,
    ends: FxHashMap<(EndKind, u32, u32), usize>,
    reached: Vec<MergedPaths>,
    known: FxHashMap<Known, u32>,
    /// The stacks that were met.
    apart: FxHashSet<u32>,
    /// How many places were met to which only one edge leads.
    alone: u32,
}

impl<'p> Blocks<'p> {
    /// Walks the block that starts at the stack with these values of variables. Where tracked variables have
    /// different known values, ways stay apart, unless there are too many of them.
    pub fn walk(
        &mut self,
        terms: &mut Terms,
        start: &[Frame],
        values: &[(Symbol, TermId)],
        tracked: &FxHashSet<Symbol>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Walk, WalkError> {
        self.walk_reading(terms, start, values, tracked, Reading::ByPlace, stop)
    }

    /// The same, with inputs as they are read. The values can be any terms, over copies of inputs for other times.
    pub fn walk_reading(
        &mut self,
        terms: &mut Terms,
        start: &[Frame],
        values: &[(Symbol, TermId)],
        tracked: &FxHashSet<Symbol>,
        reading: Reading<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Walk, WalkError> {
        match self.walk_apart(terms, start, values, tracked, reading, stop)? {
            Some(walk) => Ok(walk),
            None => {
                let walk = self.walk_apart(terms, start, values, &FxHashSet::default(), reading, stop)?;
                Ok(walk.expect("without tracked variables nothing stays apart"))
            }
        }
    }

    /// The same; `None` if too much would stay apart.
    fn walk_apart(
        &mut self,
        terms: &mut Terms,
        start: &[Frame],
        values: &[(Symbol, TermId)],
        tracked: &FxHashSet<Symbol>,
        reading: Reading<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Walk>, WalkError> {
        let mut walker = Walker {
            blocks: self,
            terms,
            tracked,
            reading,
            walk: Walk::default(),
            waiting: BTreeMap::new(),
            ends: FxHashMap::default(),
            reached: Vec::new(),
            known: FxHashMap::from_iter([(Known::new(), NOTHING_KNOWN)]),
            apart: FxHashSet::default(),
            alone: 0,
        };
        let ways = MergedPaths { values: values.iter().copied().collect(), ..MergedPaths::default() };
        let number = walker.blocks.number(start);
        walker.walk.nodes.push(WalkNode { stack: start.into(), number, moves: Vec::new() });
        walker.expand(0, ways)?;
        let most_apart = if matches!(reading, Reading::ByPlace) { MAX_APART } else { MAX_APART_ONCE };
        let mut visited: u32 = 0;
        while let Some((_, (node, ways))) = walker.waiting.pop_first() {
            visited += 1;
            if visited.is_multiple_of(64) && stop() {
                return Err(WalkError::Stopped);
            }
            let places = walker.walk.nodes.len();
            if !tracked.is_empty() && places > MANY_PLACES && places > most_apart * walker.apart.len() {
                return Ok(None);
            }
            walker.expand(node, ways)?;
        }
        let mut walk = walker.walk;
        for (end, ways) in walk.ends.iter_mut().zip(walker.reached) {
            end.guard = ways.guard;
            end.values = ways.values;
        }
        Ok(Some(walk))
    }
}

impl Walker<'_, '_, '_> {
    /// Goes on from a place by every step that it allows.
    fn expand(&mut self, node: usize, mut ways: MergedPaths) -> Result<(), WalkError> {
        let WalkNode { stack, number, .. } = &self.walk.nodes[node];
        let (stack, number) = (stack.clone(), *number);
        let top = *stack.last().expect("a location stack has a top");
        let procedure = &self.blocks.program.procedures[top.procedure];
        if top.location == procedure.exit {
            if stack.len() > 1 {
                self.give_back(node, &stack, ways);
            }
            return Ok(());
        }
        let edges = self.blocks.flow.leaving(top.procedure, top.location).to_vec();
        let mut steps = Vec::with_capacity(edges.len());
        for &edge in &edges {
            steps.push(self.blocks.step(self.terms, (number, &stack), edge, &ways.values)?);
        }
        let choices = self.choices(&stack, &steps);
        let read = self.read(&steps, &choices, &mut ways);
        let truth = self.terms.bool(true);
        let mut viable = Vec::with_capacity(edges.len());
        for ((&edge, choice), step) in edges.iter().zip(choices).zip(steps) {
            let mut done = FxHashMap::default();
            let guard = match &*step.code {
                Code::Plain(transition) => {
                    ways.value(self.terms, &mut self.blocks.known_values, transition.guard, &mut done)
                }
                Code::Call { callee, .. } if self.blocks.cuts.is_recursive(*callee) => truth,
                Code::Call { guard, .. } => ways.value(self.terms, &mut self.blocks.known_values, *guard, &mut done),
                Code::Return { .. } => unreachable!("no edge returns"),
            };
            let (guard, chosen) = match self.reading {
                Reading::ByPlace => (guard, choice),
                _ => (self.settled(guard), self.chosen(&ways, choice)),
            };
            let is_possible = step.fault.is_some() || self.terms.op(guard) != &Op::Bool(false);
            if is_possible && self.terms.op(chosen) != &Op::Bool(false) {
                viable.push((edge, choice, chosen, step, guard, done));
            }
        }
        let last = viable.len();
        for (number, (edge, choice, chosen, step, guard, mut done)) in viable.into_iter().enumerate() {
            let Step { code, fault, shape } = step;
            let updates: &[(Symbol, TermId)] = match &*code {
                Code::Plain(transition) => &transition.updates,
                Code::Call { callee, .. } if self.blocks.cuts.is_recursive(*callee) => &[],
                Code::Call { parameters, .. } => parameters,
                Code::Return { .. } => unreachable!("no edge returns"),
            };
            let mut value = |&(symbol, value): &(Symbol, TermId)| {
                (symbol, ways.value(self.terms, &mut self.blocks.known_values, value, &mut done))
            };
            let updates: Vec<(Symbol, TermId)> = updates.iter().map(&mut value).collect();
            let mut after = if number + 1 == last { std::mem::take(&mut ways) } else { ways.clone() };
            if !after.assume(self.terms, chosen) {
                continue;
            }
            let action = Action::Edge(edge);
            if let Some(fault) = fault {
                self.fault(node, action, choice, fault, after.clone());
            }
            if !after.assume(self.terms, guard) {
                continue;
            }
            for (symbol, value) in updates {
                let value = after.simplified(self.terms, value);
                let value = self.settled(value);
                after.values.insert(symbol, value);
            }
            for symbol in &read {
                after.values.remove(symbol);
            }
            if let Some(shape) = shape {
                let shape = shape.unwrap_or_else(|| self.blocks.unknown_shape(self.terms));
                after.values.insert(self.blocks.memory.shape_symbol(), shape);
            }
            let target = procedure.edges[edge].target;
            match &*code {
                Code::Plain(_) => self.reach(node, action, &code, choice, moved(&stack, target), after),
                Code::Call { callee, .. } if self.blocks.cuts.is_recursive(*callee) => {
                    // What the arguments take for granted is assumed inside the call.
                    let to = self.end(EndKind::Call(edge), stack.clone(), after);
                    self.walk.nodes[node].moves.push(Move { action, code, choice, to });
                }
                Code::Call { callee, .. } => {
                    let entry = self.blocks.program.procedures[*callee].entry;
                    let mut entered = moved(&stack, target).into_vec();
                    entered.push(Frame { procedure: *callee, location: entry, call: Some(edge) });
                    self.reach(node, action, &code, choice, entered.into(), after);
                }
                Code::Return { .. } => unreachable!("no edge returns"),
            }
        }
        Ok(())
    }

    /// Gives the inputs that the steps read, and what chooses between them, the terms that they stand for; tells which
    /// they are.
    fn read(&mut self, steps: &[Step], choices: &[TermId], ways: &mut MergedPaths) -> Vec<Symbol> {
        let (Reading::At(time) | Reading::Given(time, _)) = self.reading else { return Vec::new() };
        let choices = choices.iter().copied().filter(|choice| self.terms.op(*choice) != &Op::Bool(true));
        let mut read: Vec<Symbol> = self.terms.symbols_of(choices).into_iter().collect();
        for step in steps {
            match &*step.code {
                Code::Plain(transition) => read.extend(transition.own_symbols()),
                Code::Call { guard, parameters, .. } => {
                    let used = self.terms.symbols_of(parameters.iter().map(|(_, value)| *value).chain([*guard]));
                    read.extend(used.into_iter().filter(|symbol| !self.blocks.is_state(*symbol)));
                }
                Code::Return { .. } => unreachable!("no edge returns"),
            }
        }
        for &symbol in &read {
            let copy = self.blocks.copy_for(self.terms, time, symbol);
            self.walk.read.push(self.terms.as_symbol(copy).expect("a free constant is its symbol"));
            let copy = self.settled(copy);
            ways.values.insert(symbol, copy);
        }
        read
    }

    /// The term; its value, where all that is read is given.
    fn settled(&mut self, term: TermId) -> TermId {
        match self.reading {
            Reading::Given(_, values) if !self.terms.is_value(term) => {
                let value = eval(self.terms, term, values);
                self.terms.of_value(&value)
            }
            _ => term,
        }
    }

    fn chosen(&mut self, ways: &MergedPaths, choice: TermId) -> TermId {
        let chosen = ways.value(self.terms, &mut self.blocks.known_values, choice, &mut FxHashMap::default());
        self.settled(chosen)
    }

    /// Returns from the procedure on top of the stack to the one below.
    fn give_back(&mut self, node: usize, stack: &[Frame], mut ways: MergedPaths) {
        let code = self.blocks.return_code(self.terms, stack);
        let Code::Return { result } = &code else { unreachable!("a return is one") };
        let mut done = FxHashMap::default();
        let value = |&(target, value): &(Symbol, TermId)| {
            (target, ways.value(self.terms, &mut self.blocks.known_values, value, &mut done))
        };
        let given: Vec<(Symbol, TermId)> = result.iter().map(value).collect();
        let callee = stack.last().expect("a location stack has a top").procedure;
        for (_, symbol) in &self.blocks.locals[callee] {
            ways.values.remove(symbol);
        }
        ways.values.extend(given);
        self.blocks.end_lives(self.terms, stack, &mut ways.values);
        let choice = self.terms.bool(true);
        self.reach(node, Action::Return, &Rc::new(code), choice, stack[..stack.len() - 1].into(), ways);
    }

    /// For each edge, what chooses it: `true` unless another one can be taken at the same time.
    fn choices(&mut self, stack: &[Frame], steps: &[Step]) -> Vec<TermId> {
        let truth = self.terms.bool(true);
        if steps.len() < 2 || self.steps_exclude_each_other(stack, steps) {
            return vec![truth; steps.len()];
        }
        let mut refused = Vec::new();
        let mut choices = Vec::new();
        for index in 0..steps.len() - 1 {
            let choice = self.blocks.choice(self.terms, stack, index);
            choices.push(self.terms.and(refused.iter().copied().chain([choice])));
            refused.push(self.terms.not(choice));
        }
        choices.push(self.terms.and(refused));
        choices
    }

    fn steps_exclude_each_other(&mut self, stack: &[Frame], steps: &[Step]) -> bool {
        let top = stack.last().expect("a location stack has a top");
        let place = (top.procedure, top.location);
        // What depends on memory is another formula at every place.
        let on_memory = steps.iter().any(|step| step.shape.is_some() || step.fault.is_some());
        if !on_memory && let Some(&known) = self.blocks.exclusive.get(&place) {
            return known;
        }
        let mut guards = Vec::new();
        for step in steps {
            let guard = match &*step.code {
                Code::Plain(transition) => transition.guard,
                Code::Call { guard, .. } => *guard,
                Code::Return { .. } => unreachable!("no edge returns"),
            };
            guards.push((guard, step.fault));
        }
        // An edge may also be chosen to fault; which of several does, does not matter.
        let mut excludes = |guard: TermId, fault: Option<TermId>| match fault {
            Some(fault) => exclude(self.terms, guard, fault),
            None => true,
        };
        let mut exclusive = true;
        for (index, &(a, a_faults)) in guards.iter().enumerate() {
            for &(b, b_faults) in &guards[index + 1..] {
                exclusive &= excludes(a, Some(b)) && excludes(a, b_faults) && excludes(b, a_faults);
            }
        }
        if !on_memory {
            self.blocks.exclusive.insert(place, exclusive);
        }
        exclusive
    }

    /// A step without a meaning, where the condition holds.
    fn fault(&mut self, node: usize, action: Action, choice: TermId, condition: TermId, mut ways: MergedPaths) {
        let here = ways.value(self.terms, &mut self.blocks.known_values, condition, &mut FxHashMap::default());
        let here = self.settled(here);
        if !ways.assume(self.terms, here) {
            return;
        }
        let stack = self.walk.nodes[node].stack.clone();
        let to = self.end(EndKind::Fault, stack, ways);
        let transition = Transition { guard: condition, ..Transition::identity(self.terms) };
        let code = Rc::new(Code::Plain(transition));
        self.walk.nodes[node].moves.push(Move { action, code, choice, to });
    }

    /// Comes to a stack by a step.
    fn reach(
        &mut self,
        from: usize,
        action: Action,
        code: &Rc<Code>,
        choice: TermId,
        stack: Box<[Frame]>,
        mut ways: MergedPaths,
    ) {
        let top = *stack.last().expect("a location stack has a top");
        let procedure = &self.blocks.program.procedures[top.procedure];
        let kind = match &procedure.locations[top.location].error {
            Some(failure) if self.blocks.property.counts(&failure.kind) => Some(EndKind::Error),
            // What is wrong but does not count ends the execution all the same.
            Some(_) => return,
            None if top.location == procedure.exit && stack.len() == 1 => Some(EndKind::Exit),
            None if self.blocks.cuts.is_cut(top.procedure, top.location) => Some(EndKind::Cut),
            None => None,
        };
        self.forget_dead(top, &mut ways);
        if kind == Some(EndKind::Cut) {
            self.blocks.forget_unreachable(self.terms, &stack, &mut ways.values);
        }
        let to = match kind {
            Some(kind) => self.end(kind, stack, ways),
            None => self.enqueue(stack, ways),
        };
        self.walk.nodes[from].moves.push(Move { action, code: Rc::clone(code), choice, to });
    }

    /// Drops what is known of the locals on top that nothing reads any more.
    fn forget_dead(&mut self, top: Frame, ways: &mut MergedPaths) {
        let Blocks { encoder, live, program, locals, .. } = &*self.blocks;
        let is_live = |variable: VarId| live.is_live(top.procedure, top.location, variable);
        let locals = &locals[top.procedure];
        if locals.len() < ways.values.len() {
            for (_, symbol) in locals.iter().filter(|(variable, _)| !is_live(*variable)) {
                ways.values.remove(symbol);
            }
            return;
        }
        ways.values.retain(|symbol, _| {
            let Some(variable) = encoder.variable(*symbol) else { return true };
            program.variables[variable].scope != Scope::Local(top.procedure) || is_live(variable)
        });
    }

    fn enqueue(&mut self, stack: Box<[Frame]>, ways: MergedPaths) -> Target {
        let number = self.blocks.number(&stack);
        let order = self.order(&stack);
        let top = stack.last().expect("a location stack has a top");
        let known = match self.blocks.cuts.is_join(top.procedure, top.location) {
            true => self.known(&ways),
            // Nothing else comes here: there is nothing to merge with.
            false => {
                self.alone += 1;
                u32::MAX - self.alone
            }
        };
        let key = (order, number, known);
        if let Some((node, waiting)) = self.waiting.get_mut(&key) {
            waiting.merge(self.terms, ways);
            return Target::Node(*node);
        }
        self.apart.insert(number);
        let node = self.walk.nodes.len();
        self.walk.nodes.push(WalkNode { stack, number, moves: Vec::new() });
        self.waiting.insert(key, (node, ways));
        Target::Node(node)
    }

    fn end(&mut self, kind: EndKind, stack: Box<[Frame]>, mut ways: MergedPaths) -> Target {
        // Nothing is asked of them here any more.
        ways.facts = Facts::default();
        let number = self.blocks.number(&stack);
        // All errors at one place are one: nothing goes on from there.
        let known = match kind {
            EndKind::Error | EndKind::Fault => NOTHING_KNOWN,
            _ => self.known(&ways),
        };
        let key = (kind, number, known);
        if let Some(&end) = self.ends.get(&key) {
            self.reached[end].merge(self.terms, ways);
            return Target::End(end);
        }
        let end = self.walk.ends.len();
        self.walk.ends.push(End { kind, stack, guard: Vec::new(), values: FxHashMap::default() });
        self.reached.push(ways);
        self.ends.insert(key, end);
        Target::End(end)
    }

    /// The number of the list of values of tracked variables that are known.
    fn known(&mut self, ways: &MergedPaths) -> u32 {
        let constant = |value: TermId| matches!(self.terms.op(value), Op::Bool(_) | Op::Int(_) | Op::BitVec(..));
        let is_kept = |symbol: &Symbol| self.tracked.contains(symbol) || self.blocks.is_always_known(*symbol);
        let constants = ways.values.iter().filter(|(_, value)| constant(**value));
        let mut known: Known = constants.filter(|(s, _)| is_kept(s)).map(|(s, v)| (*s, *v)).collect();
        known.sort_unstable();
        let next = self.known.len() as u32;
        *self.known.entry(known).or_insert(next)
    }

    /// The frames' places one after the other, the outermost first; what is deeper comes before where it returns to.
    fn order(&self, stack: &[Frame]) -> Order {
        let places = stack.iter().map(|frame| self.blocks.cuts.order(frame.procedure, frame.location));
        places.chain([u32::MAX]).collect()
    }
}

/// The stack with the top at another location.
fn moved(stack: &[Frame], location: LocId) -> Box<[Frame]> {
    let mut moved: Box<[Frame]> = stack.into();
    moved.last_mut().expect("a location stack has a top").location = location;
    moved
}
