//! Executions of which formulas leave something open: the formulas must allow them.

use crate::follow::{Ending, Executed, Follower, MAX_BLOCKS, MAX_STARTS, Way};
use crate::world::World;
use rustc_hash::FxHashMap;
use std::time::Duration;
use tandem::formula::Formulas;
use tandem::formula::blocks::{Code, EndKind, Reading};
use tandem::program::control::Frame;
use tandem::program::{Program, Property, VarId};
use tandem::solver::{Answer, SmtProcess, Solve, SolverConfig, locate};
use tandem::term::{Integer, Op, Symbol, TermId};

/// How many states at one place are kept at most.
const MAX_STATES: usize = 12;

/// A symbolic state, and when it is reached.
#[derive(Clone, Default)]
struct State {
    values: Vec<(Symbol, TermId)>,
    conditions: Vec<TermId>,
}

/// Whether formulas allow an execution, with the values that it leaves; `None` where that is not found out.
pub fn allows(program: &Program, observed: &[VarId], world: World, way: Way, truth: &Executed) -> Option<bool> {
    let property = Property::Assert;
    let mut follower = Follower::new(program, &property, observed, world, way);
    for _ in 0..MAX_STARTS {
        if let Ok(result) = from_start(&mut follower, program, truth) {
            return result;
        }
    }
    panic!("memory has more cells each time");
}

/// Memory has more cells now.
struct NewCells;

fn from_start(follower: &mut Follower<'_, '_>, program: &Program, truth: &Executed) -> Result<Option<bool>, NewCells> {
    follower.model.clear();
    let (init, values) = follower.formulas.init().expect("`init` can be expressed");
    follower.give(&init, None);
    let mut states = vec![State { values: values.into_iter().collect(), conditions: vec![init.guard] }];
    let mut at = 0;
    for time in 0..MAX_BLOCKS {
        let next = next_end(follower, program, &truth.stacks, at);
        let (kind, stop) = match (&truth.ending, next) {
            (_, Some(found)) => found,
            (Ending::Fault(_), None) => (EndKind::Fault, truth.stacks.len() - 1),
            // Nothing is left behind by what is blocked.
            _ => return Ok(None),
        };
        states = block(follower, (&truth.stacks[at], &truth.stacks[stop]), kind, time, &states)?;
        if states.len() > MAX_STATES {
            return Ok(None);
        }
        if kind != EndKind::Cut {
            return Ok(possible(follower, &truth.ending, &states));
        }
        at = stop;
    }
    Ok(None)
}

/// Where the block that starts at one of the stacks of an execution ends.
fn next_end(
    follower: &Follower<'_, '_>,
    program: &Program,
    stacks: &[Vec<Frame>],
    at: usize,
) -> Option<(EndKind, usize)> {
    let kind = |stack: &[Frame]| {
        let top = stack.last().expect("a location stack has a top");
        let procedure = &program.procedures[top.procedure];
        if procedure.locations[top.location].error.is_some() {
            return Some(EndKind::Error);
        }
        if stack.len() == 1 && top.location == procedure.exit {
            return Some(EndKind::Exit);
        }
        follower.formulas.blocks.cuts().is_cut(top.procedure, top.location).then_some(EndKind::Cut)
    };
    (at + 1..stacks.len()).find_map(|number| Some((kind(&stacks[number])?, number)))
}

/// The states at the end of a block that an execution comes to.
fn block(
    follower: &mut Follower<'_, '_>,
    (from, to): (&[Frame], &[Frame]),
    kind: EndKind,
    time: u32,
    states: &[State],
) -> Result<Vec<State>, NewCells> {
    let mut found = Vec::new();
    for state in states {
        let Formulas { terms, blocks } = &mut follower.formulas;
        let reading = Reading::At(time);
        let walk = blocks.walk_reading(terms, from, &state.values, &follower.tracked, reading, &|| false);
        let walk = walk.expect("the program can be expressed");
        if blocks.cells_changed() {
            return Err(NewCells);
        }
        for step in walk.nodes.iter().flat_map(|node| &node.moves) {
            if let Code::Plain(transition) = &*step.code {
                follower.give(transition, Some(time));
            }
        }
        let terms = &mut follower.formulas.terms;
        let known = (follower.model.iter()).map(|(symbol, value)| (*symbol, terms.of_value(value)));
        let known: FxHashMap<Symbol, TermId> = known.collect();
        for end in walk.ends.iter().filter(|end| (end.kind, &*end.stack) == (kind, to)) {
            let guard: Vec<TermId> = end.guard.iter().map(|part| terms.substitute(*part, &known)).collect();
            if guard.iter().any(|part| terms.op(*part) == &Op::Bool(false)) {
                continue;
            }
            let conditions = state.conditions.iter().copied().chain(guard).collect();
            let values = end.values.iter().map(|(symbol, value)| (*symbol, terms.substitute(*value, &known))).collect();
            found.push(State { values, conditions });
        }
    }
    Ok(found)
}

/// Whether one of the states is possible, with the values that the execution leaves.
fn possible(follower: &mut Follower<'_, '_>, ending: &Ending, states: &[State]) -> Option<bool> {
    let mut unsure = false;
    for state in states {
        let mut all = state.conditions.clone();
        let Formulas { terms, blocks } = &mut follower.formulas;
        if let Ending::Exit(values) = ending {
            for (variable, value) in follower.observed.iter().zip(values) {
                let symbol = blocks.symbol(*variable).expect("what is observed are numbers");
                let (_, term) = state.values.iter().find(|(known, _)| *known == symbol).expect("it has a value");
                let value: Integer = value.parse().expect("it is a number");
                let value = crate::world::number(value, terms.symbol_sort(symbol)).expect("it is a number");
                let value = terms.of_value(&value);
                all.push(terms.eq(*term, value));
            }
        }
        let symbols = terms.symbols_of(all.iter().copied());
        if symbols.iter().any(|symbol| blocks.is_state(*symbol)) {
            // It has a value of its own at each place, but one name.
            return None;
        }
        all.extend(symbols.into_iter().filter_map(|symbol| blocks.range(terms, symbol)));
        let found = locate(None).expect("Z3 is installed");
        let mut solver =
            SmtProcess::new(SolverConfig { query_limit: Duration::from_secs(10), cache: false, ..found.config() });
        match solver.check(terms, &all) {
            Answer::Sat => return Some(true),
            Answer::Unsat => {}
            Answer::Unknown(_) => unsure = true,
        }
    }
    (!unsure).then_some(false)
}
