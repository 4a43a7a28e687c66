//! The program as a transition system whose control is explicit: places, and moves between them.
//!
//! A place is a location stack together with the values of the control variables: those that the source declares as
//! control, and whose values are known wherever an execution is. Everything else is data.

use crate::engine::{Stop, Task};
use crate::formula::arithmetic::by_integers;
use crate::formula::blocks::{BlockSize, Blocks, Code};
use crate::formula::encode::{Arithmetic, Encoder, Transition};
use crate::formula::memory::Memory;
use crate::program::control::{Action, Flow, Frame};
use crate::program::{Expr, Program, Role, Scope, Statement, VarId};
use crate::term::{Op, Symbol, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What makes a place: the stack, and the values of the control variables.
type PlaceKey = (Rc<[Frame]>, Rc<[TermId]>);

/// The number of a place.
pub(super) type PlaceId = usize;

/// A transition system with explicit control.
pub(super) struct System<'p> {
    pub(super) task: &'p Task,
    pub(super) blocks: Blocks<'p>,
    /// What `init` does.
    pub(super) init: Transition,
    /// The control variables, ascending.
    pub(super) control: Vec<Symbol>,
    /// The other variables, ascending.
    pub(super) data: Vec<Symbol>,
    flow: Flow,
    places: Vec<Place>,
    numbers: FxHashMap<PlaceKey, PlaceId>,
}

/// A place.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The location stack.
    pub(super) stack: Rc<[Frame]>,
    /// The values of the control variables.
    pub(super) values: Rc<[TermId]>,
    /// What happens there.
    pub(super) kind: PlaceKind,
    /// For each data variable, whether its value matters there.
    pub(super) matters: Rc<[bool]>,
    moves: Option<Rc<[Move]>>,
}

/// What happens at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceKind {
    /// Executions go on.
    Inner,
    /// It is an error that counts.
    Error,
    /// Executions end.
    End,
}

/// A move from one place to another: where the guard holds it can be taken, and leaves the updates' values.
#[derive(Debug, Clone)]
pub(super) struct Move {
    /// What the thread does.
    pub(super) action: Action,
    /// When, over data and inputs.
    pub(super) guard: TermId,
    /// The data variables that get other values, by their index, ascending.
    pub(super) updates: Vec<(usize, TermId)>,
    /// The symbols that can have any value, but for what the guard says.
    pub(super) inputs: Vec<Symbol>,
    /// Where it leads.
    pub(super) to: PlaceId,
    /// What it does, with control.
    pub(super) code: Rc<Code>,
}

impl<'p> System<'p> {
    /// The transition system of a task without recursion and threads.
    pub(super) fn new(task: &'p Task, terms: &mut Terms) -> Result<System<'p>, Stop> {
        let program = &task.program;
        let arithmetic = if by_integers(program) { Arithmetic::Integers } else { Arithmetic::Bits };
        let encoder = Encoder::with_arithmetic(program, terms, arithmetic);
        let (init, _) = encoder.abstract_init(terms)?;
        let init = init.with_inputs_named(terms, "in!init");
        let memory = Memory::new(program, terms);
        let mut blocks = Blocks::new(program, &task.property, encoder, memory, BlockSize::Small);
        if let Some((_, recursive)) = program.procedures.enumerate().find(|(id, _)| blocks.cuts().is_recursive(*id)) {
            let construct = format!("the recursive procedure `{}`", recursive.name);
            return Err(Stop::Unsupported { construct, span: recursive.span });
        }
        blocks.note_ranges(terms, &init);
        let control = control_variables(program, &blocks, &init, terms);
        let symbols = program.variables.enumerate().filter_map(|(id, _)| blocks.symbol(id));
        let data = symbols.filter(|symbol| !control.contains(symbol)).collect();
        let (places, numbers) = (Vec::new(), FxHashMap::default());
        Ok(System { task, blocks, init, control, data, flow: Flow::of(program), places, numbers })
    }

    /// The program.
    pub(super) fn program(&self) -> &'p Program {
        &self.task.program
    }

    /// A place.
    pub(super) fn place(&self, id: PlaceId) -> &Place {
        &self.places[id]
    }

    /// Where executions start.
    pub(super) fn start(&mut self) -> PlaceId {
        let program = self.program();
        let location = program.procedures[program.main].entry;
        let stack = [Frame { procedure: program.main, location, call: None }];
        let first = self.init.update_map();
        let values = self.control.iter().map(|symbol| first[symbol]).collect();
        self.place_at(stack.into(), values)
    }

    fn place_at(&mut self, stack: Rc<[Frame]>, values: Rc<[TermId]>) -> PlaceId {
        if let Some(&id) = self.numbers.get(&(Rc::clone(&stack), Rc::clone(&values))) {
            return id;
        }
        let top = stack.last().expect("a location stack has a top");
        let procedure = &self.program().procedures[top.procedure];
        let kind = match &procedure.locations[top.location].error {
            Some(failure) if self.task.property.counts(&failure.kind) => PlaceKind::Error,
            Some(_) => PlaceKind::End,
            None if top.location == procedure.exit && stack.len() == 1 => PlaceKind::End,
            None => PlaceKind::Inner,
        };
        let mut matters: Vec<bool> = self.data.iter().map(|&symbol| self.blocks.matters(&stack, symbol)).collect();
        for symbol in self.awaited(&stack) {
            if let Ok(index) = self.data.binary_search(&symbol) {
                matters[index] = false;
            }
        }
        let matters = matters.into();
        let id = self.places.len();
        self.numbers.insert((Rc::clone(&stack), Rc::clone(&values)), id);
        self.places.push(Place { stack, values, kind, matters, moves: None });
        id
    }

    /// The callers' locals that the calls on the stack will write when they return; what they are until then does not
    /// matter.
    fn awaited(&self, stack: &[Frame]) -> Vec<Symbol> {
        let program = self.program();
        let mut found = Vec::new();
        for frames in stack.windows(2) {
            let edge = frames[1].call.map(|edge| &program.procedures[frames[0].procedure].edges[edge]);
            let target = edge.and_then(|edge| edge.call()).and_then(|(target, ..)| target);
            let local = target.filter(|&variable| program.variables[variable].scope != Scope::Global);
            found.extend(local.and_then(|variable| self.blocks.symbol(variable)));
        }
        found
    }

    /// The moves from a place whose guards are not false.
    pub(super) fn moves(&mut self, terms: &mut Terms, id: PlaceId) -> Result<Rc<[Move]>, Stop> {
        if let Some(moves) = &self.places[id].moves {
            return Ok(Rc::clone(moves));
        }
        let moves: Rc<[Move]> = self.make_moves(terms, id)?.into();
        self.places[id].moves = Some(Rc::clone(&moves));
        Ok(moves)
    }

    fn make_moves(&mut self, terms: &mut Terms, id: PlaceId) -> Result<Vec<Move>, Stop> {
        let Place { stack, values, kind, .. } = self.places[id].clone();
        let top = *stack.last().expect("a location stack has a top");
        let procedure = &self.program().procedures[top.procedure];
        if kind != PlaceKind::Inner {
            return Ok(Vec::new());
        }
        if top.location == procedure.exit {
            let code = Rc::new(self.blocks.return_code(terms, &stack));
            let below: Rc<[Frame]> = stack[..stack.len() - 1].into();
            return Ok(self.make_move(terms, Action::Return, code, below, &values).into_iter().collect());
        }
        let mut moves = Vec::new();
        for edge in self.flow.leaving(top.procedure, top.location).to_vec() {
            let code = self.blocks.code(terms, &stack, edge, &[])?;
            let mut after = stack.to_vec();
            after.last_mut().expect("a location stack has a top").location = procedure.edges[edge].target;
            if let Code::Call { callee, .. } = &*code {
                let location = self.program().procedures[*callee].entry;
                after.push(Frame { procedure: *callee, location, call: Some(edge) });
            }
            moves.extend(self.make_move(terms, Action::Edge(edge), code, after.into(), &values));
        }
        Ok(moves)
    }

    /// What a code does where the control variables have these values.
    fn make_move(
        &mut self,
        terms: &mut Terms,
        action: Action,
        code: Rc<Code>,
        stack: Rc<[Frame]>,
        values: &Rc<[TermId]>,
    ) -> Option<Move> {
        let known: FxHashMap<Symbol, TermId> = self.control.iter().copied().zip(values.iter().copied()).collect();
        let mut done = FxHashMap::default();
        let truth = terms.bool(true);
        let (guard, mut updates) = match &*code {
            Code::Plain(transition) => (transition.guard, transition.updates.clone()),
            Code::Call { guard, parameters, .. } => (*guard, parameters.clone()),
            Code::Return { result } => (truth, result.clone()),
        };
        // Pointers and memory are not kept: what is read of them can be anything, as inputs can.
        let is_kept = |symbol: &Symbol| self.control.contains(symbol) || self.data.binary_search(symbol).is_ok();
        updates.retain(|(symbol, _)| is_kept(symbol));
        let used = terms.symbols_of(updates.iter().map(|(_, value)| *value).chain([guard]));
        let mut inputs: Vec<Symbol> = used.into_iter().filter(|symbol| !is_kept(symbol)).collect();
        if let Code::Plain(transition) = &*code {
            let unused = transition.own_symbols().filter(|symbol| !inputs.contains(symbol)).collect::<Vec<_>>();
            inputs.extend(unused);
        }
        let mut guard = terms.substitute_cached(guard, &known, &mut done);
        for &input in &inputs {
            let range = self.blocks.range(terms, input).unwrap_or(truth);
            guard = terms.and([guard, range]);
        }
        if terms.op(guard) == &Op::Bool(false) {
            return None;
        }
        let mut after = values.to_vec();
        let mut data = Vec::new();
        for (symbol, value) in updates {
            let value = terms.substitute_cached(value, &known, &mut done);
            match (self.control.binary_search(&symbol), self.data.binary_search(&symbol)) {
                (Ok(index), _) => after[index] = value,
                (_, Ok(index)) => data.push((index, value)),
                _ => unreachable!("every variable that has a symbol is control or data"),
            }
        }
        data.sort_unstable();
        let to = self.place_at(stack, after.into());
        Some(Move { action, guard, updates: data, inputs, to, code })
    }

    /// The guards of all edges that can be taken, for initial predicates.
    pub(super) fn guards(&mut self, terms: &mut Terms) -> Result<Vec<TermId>, Stop> {
        let mut guards = Vec::new();
        for procedure in self.program().procedures.iter() {
            for edge in procedure.edges.iter() {
                let assumed = edge.block.iter().filter_map(|statement| match statement {
                    Statement::Assume(condition) => Some(condition),
                    _ => None,
                });
                // What comes first in a block speaks of the values before it.
                for condition in assumed.take(1).filter(|_| matches!(edge.block[0], Statement::Assume(_))) {
                    guards.extend(self.blocks.encoder().expr(terms, condition).ok());
                }
            }
        }
        Ok(guards)
    }

    /// The index of a data variable.
    pub(super) fn data_index(&self, symbol: Symbol) -> Option<usize> {
        self.data.binary_search(&symbol).ok()
    }
}

/// The variables of which the source says that they are control, as far as their values are always known: first values
/// are constants, and all others are computed from control variables.
fn control_variables(program: &Program, blocks: &Blocks<'_>, init: &Transition, terms: &Terms) -> Vec<Symbol> {
    let first = init.update_map();
    let constant = |variable: &VarId| {
        let value = blocks.symbol(*variable).and_then(|symbol| first.get(&symbol));
        value.is_some_and(|value| terms.as_value(*value).is_some())
    };
    let declared = program.variables.enumerate().filter(|(_, variable)| variable.role == Role::Control);
    let mut control: FxHashSet<VarId> = declared.map(|(id, _)| id).filter(constant).collect();
    loop {
        let mut other = FxHashSet::default();
        for edge in program.procedures.iter().flat_map(|procedure| procedure.edges.iter()) {
            for statement in &edge.block {
                match statement {
                    Statement::Assign(pairs) => {
                        other.extend(pairs.iter().filter(|(_, value)| !is_over(value, &control)).map(|(var, _)| *var));
                    }
                    statement => other.extend(statement.targets()),
                }
            }
        }
        let before = control.len();
        control.retain(|variable| !other.contains(variable));
        if control.len() == before {
            break;
        }
    }
    let mut symbols: Vec<Symbol> = control.into_iter().filter_map(|variable| blocks.symbol(variable)).collect();
    symbols.sort_unstable();
    symbols
}

/// Whether an expression speaks of these variables only.
fn is_over(expr: &Expr, variables: &FxHashSet<VarId>) -> bool {
    let mut all = !expr.has_load();
    expr.for_each_var(&mut |variable| all &= variables.contains(&variable));
    all
}
