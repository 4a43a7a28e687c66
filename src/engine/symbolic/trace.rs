//! From a path of symbolic states to an execution.

use super::SymbolicExecution;
use super::space::SymbolicSpace;
use super::system::Move;
use crate::concrete::{Trace, TraceStep, replay};
use crate::engine::Stop;
use crate::engine::search::NodeId;
use crate::formula::blocks::Code;
use crate::formula::inputs::inputs;
use crate::program::control::{Action, Step};
use crate::program::{Id, Span, ThreadId};
use crate::solver::{Answer, Models, Solve};
use crate::term::{Assignment, Symbol, TermId};
use rustc_hash::FxHashMap;

/// The names of inputs, by when they are read.
type Names = FxHashMap<(usize, Symbol), Symbol>;

impl SymbolicExecution<'_> {
    /// The execution along the path to a node. All symbolic states on the way are feasible, so that there is one.
    pub(super) fn trace(&mut self, node: NodeId) -> Result<Trace, Stop> {
        let SymbolicExecution { space, search, .. } = self;
        let path = search.arg.path(node);
        let mut moves: Vec<Move> = Vec::new();
        for pair in path.windows(2) {
            let &[from, to] = pair else { unreachable!("windows of two have two") };
            moves.push(space.moves(search.arg.control(from))?[*search.arg.label(to)].clone());
        }
        let (values, names) = space.values_along(&moves)?;
        let input_of = |time: usize, symbol: Symbol| {
            let renamed = names.get(&(time, symbol)).copied();
            renamed.and_then(|symbol| values.get(&symbol).cloned())
        };
        let program = space.system.program();
        let init = space.system.init.inputs.clone();
        let initial_inputs =
            inputs(program, &space.formulas.terms, &program.init, &init, &|symbol| input_of(0, symbol));
        let mut steps = Vec::new();
        let mut open_pointer = None;
        let mut stack_of = path.iter().map(|node| space.system.point(search.arg.control(*node)).stack.clone());
        for (time, chosen) in moves.iter().enumerate() {
            let stack = stack_of.next().expect("there is a node before every move");
            let top = stack.last().expect("a location stack has a top");
            let given = match (&*chosen.code, chosen.action) {
                (Code::Plain(transition), Action::Edge(edge)) => {
                    if chosen.inputs.iter().any(|input| !transition.own_symbols().any(|own| own == *input)) {
                        open_pointer = open_pointer.or(Some(program.procedures[top.procedure].edges[edge].span));
                    }
                    let block = &program.procedures[top.procedure].edges[edge].block;
                    inputs(program, &space.formulas.terms, block, &transition.inputs, &|symbol| {
                        input_of(time + 1, symbol)
                    })
                }
                _ => Vec::new(),
            };
            steps.push(TraceStep { step: Step { thread: ThreadId::new(0), action: chosen.action }, inputs: given });
        }
        let trace = Trace { initial_inputs, steps };
        // What is only approximated can make a path look feasible.
        match replay(program, &space.system.task.property, &trace) {
            Err(_) => match (space.formulas.blocks.approximated().first(), open_pointer) {
                (Some(first), _) => Err(approximate_path(first.construct, first.span)),
                (None, Some(span)) => Err(approximate_path("a pointer", span)),
                (None, None) => Ok(trace),
            },
            Ok(_) => Ok(trace),
        }
    }
}

impl SymbolicSpace<'_> {
    /// Values of the inputs, each with a name of its own for every time that it is read, by which the moves can be
    /// taken one after the other.
    fn values_along(&mut self, moves: &[Move]) -> Result<(Assignment, Names), Stop> {
        let mut names = FxHashMap::default();
        let init = self.system.init.clone();
        let own = init.inputs.iter().map(|input| input.symbol).chain(init.unmodelled.iter().map(|u| u.symbol));
        let own: Vec<Symbol> = own.collect();
        if own.is_empty() && moves.iter().all(|chosen| chosen.inputs.is_empty()) {
            return Ok((Assignment::default(), names));
        }
        let mut conditions = Vec::new();
        let map = self.named(0, &own, &mut names);
        conditions.push(self.formulas.terms.substitute(init.guard, &map));
        for &symbol in &own {
            if let Some(range) = self.formulas.range(symbol) {
                conditions.push(self.formulas.terms.substitute(range, &map));
            }
        }
        let mut values: FxHashMap<Symbol, TermId> = FxHashMap::default();
        for (symbol, value) in &init.updates {
            values.insert(*symbol, self.formulas.terms.substitute(*value, &map));
        }
        for (time, chosen) in moves.iter().enumerate() {
            let mut map = self.named(time + 1, &chosen.inputs, &mut names);
            map.extend(values.iter().map(|(symbol, value)| (*symbol, *value)));
            let mut done = FxHashMap::default();
            conditions.push(self.formulas.terms.substitute_cached(chosen.guard, &map, &mut done));
            let after: Vec<(Symbol, TermId)> = (chosen.updates.iter())
                .map(|&(index, value)| {
                    (self.system.data[index], self.formulas.terms.substitute_cached(value, &map, &mut done))
                })
                .collect();
            values.extend(after);
        }
        let symbols: Vec<Symbol> = names.values().copied().collect();
        match self.solver.check(&self.formulas.terms, &conditions) {
            Answer::Sat => {
                let model = self.solver.model(&mut self.formulas.terms, &symbols);
                Ok((model.map_err(|error| self.no_answer(&error.to_string()))?, names))
            }
            Answer::Unsat => Err(Stop::GaveUp("a path that was explored turned out not to be feasible".to_owned())),
            Answer::Unknown(reason) => Err(self.no_answer(&reason.to_string())),
        }
    }

    /// Names for inputs that are read at some time.
    fn named(&mut self, time: usize, symbols: &[Symbol], names: &mut Names) -> FxHashMap<Symbol, TermId> {
        let mut map = FxHashMap::default();
        for &symbol in symbols {
            let renamed = self.formulas.terms.at_other_time(&format!("{time}!"), symbol);
            names
                .insert((time, symbol), self.formulas.terms.as_symbol(renamed).expect("a free constant is its symbol"));
            map.insert(symbol, renamed);
        }
        map
    }
}

/// Why a path that cannot be replayed is no counterexample.
fn approximate_path(construct: &str, span: Option<Span>) -> Stop {
    Stop::Unsupported { construct: format!("{construct}, on which a possible counterexample depends,"), span }
}
