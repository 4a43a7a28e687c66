//! The program as a transition system whose control is explicit: control points, and moves between them.
//!
//! A control point is a location stack together with the values of the control variables: those that the source
//! declares as control, and whose values are known wherever an execution is. Everything else is data.

use crate::engine::{Stop, Task};
use crate::formula::Formulas;
use crate::formula::blocks::{Blocks, Code};
use crate::formula::encode::Transition;
use crate::program::control::{Action, Flow, Frame};
use crate::program::{Expr, Program, Role, Scope, Statement, VarId};
use crate::term::{Op, Symbol, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What makes a control point: the stack, and the values of the control variables.
type PointKey = (Rc<[Frame]>, Rc<[TermId]>);

/// The number of a control point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PointId(u32);

/// A transition system with explicit control.
pub(super) struct System<'p> {
    pub(super) task: &'p Task,
    /// What `init` does.
    pub(super) init: Transition,
    /// The control variables, ascending.
    pub(super) control: Vec<Symbol>,
    /// The other variables, ascending.
    pub(super) data: Vec<Symbol>,
    /// Where executions start.
    pub(super) start: PointId,
    flow: Flow,
    points: Vec<ControlPoint>,
    numbers: FxHashMap<PointKey, PointId>,
}

/// A control point.
#[derive(Debug, Clone)]
pub(super) struct ControlPoint {
    /// The location stack.
    pub(super) stack: Rc<[Frame]>,
    /// The values of the control variables.
    pub(super) values: Rc<[TermId]>,
    /// What happens there.
    pub(super) kind: PointKind,
    /// For each data variable, whether its value matters there.
    pub(super) matters: Rc<[bool]>,
    moves: Option<Rc<[Move]>>,
}

/// What happens at a control point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PointKind {
    /// Executions go on.
    Inner,
    /// It is an error that counts.
    Error,
    /// Executions end.
    End,
}

/// A move from one control point to another: where the guard holds it can be taken, and leaves the updates' values.
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
    pub(super) to: PointId,
    /// What it does, with control.
    pub(super) code: Rc<Code>,
}

impl<'p> System<'p> {
    /// The transition system of a task without recursion and threads.
    pub(super) fn new(task: &'p Task, formulas: &mut Formulas<'p>) -> Result<System<'p>, Stop> {
        let program = &task.program;
        let Formulas { terms, blocks } = formulas;
        let (init, _) = blocks.encoder().abstract_init(terms)?;
        let init = init.with_inputs_named(terms, "in!init");
        if let Some((_, recursive)) = program.procedures.enumerate().find(|(id, _)| blocks.cuts().is_recursive(*id)) {
            let construct = format!("the recursive procedure `{}`", recursive.name);
            return Err(Stop::Unsupported { construct, span: recursive.span });
        }
        blocks.note_ranges(terms, &init);
        let control = control_variables(program, blocks, &init, terms);
        let symbols = program.variables.enumerate().filter_map(|(id, _)| blocks.symbol(id));
        let data = symbols.filter(|symbol| !control.contains(symbol)).collect();
        let mut system = System {
            task,
            init,
            control,
            data,
            start: PointId(0),
            flow: Flow::of(program),
            points: Vec::new(),
            numbers: FxHashMap::default(),
        };
        let location = program.procedures[program.main].entry;
        let stack = [Frame { procedure: program.main, location, call: None }];
        let first = system.init.update_map();
        let values = system.control.iter().map(|symbol| first[symbol]).collect();
        system.start = system.point_at(blocks, stack.into(), values);
        Ok(system)
    }

    /// The program.
    pub(super) fn program(&self) -> &'p Program {
        &self.task.program
    }

    /// A control point.
    pub(super) fn point(&self, id: PointId) -> &ControlPoint {
        &self.points[id.0 as usize]
    }

    fn point_at(&mut self, blocks: &Blocks<'p>, stack: Rc<[Frame]>, values: Rc<[TermId]>) -> PointId {
        if let Some(&id) = self.numbers.get(&(Rc::clone(&stack), Rc::clone(&values))) {
            return id;
        }
        let top = stack.last().expect("a location stack has a top");
        let procedure = &self.program().procedures[top.procedure];
        let kind = match &procedure.locations[top.location].error {
            Some(failure) if self.task.property.counts(&failure.kind) => PointKind::Error,
            Some(_) => PointKind::End,
            None if top.location == procedure.exit && stack.len() == 1 => PointKind::End,
            None => PointKind::Inner,
        };
        let mut matters: Vec<bool> = self.data.iter().map(|&symbol| blocks.matters(&stack, symbol)).collect();
        for symbol in self.awaited(blocks, &stack) {
            if let Ok(index) = self.data.binary_search(&symbol) {
                matters[index] = false;
            }
        }
        let matters = matters.into();
        let id = PointId(u32::try_from(self.points.len()).expect("fewer than 2^32 control points"));
        self.numbers.insert((Rc::clone(&stack), Rc::clone(&values)), id);
        self.points.push(ControlPoint { stack, values, kind, matters, moves: None });
        id
    }

    /// The callers' locals that the calls on the stack will write when they return; what they are until then does not
    /// matter.
    fn awaited(&self, blocks: &Blocks<'p>, stack: &[Frame]) -> Vec<Symbol> {
        let program = self.program();
        let mut found = Vec::new();
        for frames in stack.windows(2) {
            let edge = frames[1].call.map(|edge| &program.procedures[frames[0].procedure].edges[edge]);
            let target = edge.and_then(|edge| edge.call()).and_then(|(target, ..)| target);
            let local = target.filter(|&variable| program.variables[variable].scope != Scope::Global);
            found.extend(local.and_then(|variable| blocks.symbol(variable)));
        }
        found
    }

    /// The moves from a control point whose guards are not false.
    pub(super) fn moves(&mut self, formulas: &mut Formulas<'p>, id: PointId) -> Result<Rc<[Move]>, Stop> {
        if let Some(moves) = &self.point(id).moves {
            return Ok(Rc::clone(moves));
        }
        let moves: Rc<[Move]> = self.make_moves(formulas, id)?.into();
        self.points[id.0 as usize].moves = Some(Rc::clone(&moves));
        Ok(moves)
    }

    fn make_moves(&mut self, formulas: &mut Formulas<'p>, id: PointId) -> Result<Vec<Move>, Stop> {
        let ControlPoint { stack, values, kind, .. } = self.point(id).clone();
        let top = *stack.last().expect("a location stack has a top");
        let procedure = &self.program().procedures[top.procedure];
        if kind != PointKind::Inner {
            return Ok(Vec::new());
        }
        if top.location == procedure.exit {
            let code = Rc::new(formulas.blocks.return_code(&mut formulas.terms, &stack));
            let below: Rc<[Frame]> = stack[..stack.len() - 1].into();
            return Ok(self.make_move(formulas, Action::Return, code, below, &values).into_iter().collect());
        }
        let mut moves = Vec::new();
        for edge in self.flow.leaving(top.procedure, top.location).to_vec() {
            let code = formulas.blocks.code(&mut formulas.terms, &stack, edge, &[])?;
            let mut after = stack.to_vec();
            after.last_mut().expect("a location stack has a top").location = procedure.edges[edge].target;
            if let Code::Call { callee, .. } = &*code {
                let location = self.program().procedures[*callee].entry;
                after.push(Frame { procedure: *callee, location, call: Some(edge) });
            }
            moves.extend(self.make_move(formulas, Action::Edge(edge), code, after.into(), &values));
        }
        Ok(moves)
    }

    /// What a code does where the control variables have these values.
    fn make_move(
        &mut self,
        formulas: &mut Formulas<'p>,
        action: Action,
        code: Rc<Code>,
        stack: Rc<[Frame]>,
        values: &Rc<[TermId]>,
    ) -> Option<Move> {
        let Formulas { terms, blocks } = formulas;
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
            let range = blocks.range(terms, input).unwrap_or(truth);
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
        let to = self.point_at(blocks, stack, after.into());
        Some(Move { action, guard, updates: data, inputs, to, code })
    }

    /// The guards of all edges that can be taken, for initial predicates.
    pub(super) fn guards(&self, formulas: &mut Formulas<'p>) -> Vec<TermId> {
        let mut guards = Vec::new();
        for procedure in self.program().procedures.iter() {
            for edge in procedure.edges.iter() {
                let assumed = edge.block.iter().filter_map(|statement| match statement {
                    Statement::Assume(condition) => Some(condition),
                    _ => None,
                });
                // What comes first in a block speaks of the values before it.
                for condition in assumed.take(1).filter(|_| matches!(edge.block[0], Statement::Assume(_))) {
                    guards.extend(formulas.blocks.encoder().expr(&mut formulas.terms, condition).ok());
                }
            }
        }
        guards
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
        value.is_some_and(|value| terms.is_value(*value))
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
