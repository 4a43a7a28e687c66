//! One execution twice: by the interpreter, and by formulas evaluated on what it reads.

use crate::world::World;
use rustc_hash::FxHashSet;
use tandem::concrete::{Fault, Machine, Outcome, Value};
use tandem::formula::Formulas;
use tandem::formula::blocks::{BlockSize, Code, End, EndKind, Reading, Walk};
use tandem::formula::encode::{Arithmetic, Transition};
use tandem::formula::memory::Representation;
use tandem::program::control::{Flow, Frame};
use tandem::program::{Id, Program, Property, ThreadId, VarId};
use tandem::term::eval::eval_cached;
use tandem::term::{Assignment, Symbol, TermId, Value as TermValue};

/// How an execution ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// At the exit of the main procedure, with these values of what is observed.
    Exit(Vec<String>),
    /// At an error.
    Error(Vec<Frame>),
    /// Before an access that is not valid.
    Fault(Vec<Frame>),
    /// At a condition that does not hold.
    Blocked,
}

/// Why two executions are not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skip {
    /// The interpreter comes to something else.
    NotDefined,
    /// It takes too many steps.
    TooLong,
    /// What happens depends on a value that formulas leave open.
    Open,
    /// There are too many ways to choose between edges.
    ManyChoices,
}

/// How many steps an execution has at most.
const MAX_STEPS: usize = 3000;

/// How many blocks it has at most, and how often it is started again because memory has more cells.
pub const MAX_BLOCKS: u32 = 300;
pub const MAX_STARTS: usize = 200;

/// How many choices between edges of a block are tried, as a power of two.
const MAX_CHOICES: usize = 8;

/// What the interpreter does: how it ends, and the location stacks on the way.
pub struct Executed {
    pub ending: Ending,
    pub stacks: Vec<Vec<Frame>>,
}

/// What the interpreter does.
pub fn execute(program: &Program, observed: &[VarId], mut world: World) -> Result<Executed, Skip> {
    let mut stacks = Vec::new();
    let ending = run(program, observed, &mut world, &mut stacks)?;
    Ok(Executed { ending, stacks })
}

fn run(program: &Program, observed: &[VarId], world: &mut World, stacks: &mut Vec<Vec<Frame>>) -> Result<Ending, Skip> {
    let flow = Flow::of(program);
    let mut machine = Machine::new(program);
    if machine.start(world) != Ok(Outcome::Taken) {
        return Err(Skip::NotDefined);
    }
    for _ in 0..MAX_STEPS {
        let frames = machine.control().threads[0].frames.clone();
        stacks.push(frames.to_vec());
        let top = frames.last().ok_or(Skip::NotDefined)?;
        let procedure = &program.procedures[top.procedure];
        if procedure.locations[top.location].error.is_some() {
            return Ok(Ending::Error(frames.to_vec()));
        }
        if frames.len() == 1 && top.location == procedure.exit {
            let value = |variable: &VarId| match machine.value(ThreadId::new(0), *variable) {
                Some(Value::Int(number)) => number.to_string(),
                other => format!("{other:?}"),
            };
            return Ok(Ending::Exit(observed.iter().map(value).collect()));
        }
        let mut taken = false;
        for step in machine.control().steps(program, &flow) {
            match machine.step(step, world) {
                Ok(Outcome::Taken) => {
                    taken = true;
                    break;
                }
                Ok(Outcome::Blocked) => {}
                Err(Fault::Null | Fault::Wild | Fault::Dead | Fault::OutOfBounds | Fault::InvalidFree) => {
                    return Ok(Ending::Fault(frames.to_vec()));
                }
                Err(_) => return Err(Skip::NotDefined),
            }
        }
        if !taken {
            return Ok(Ending::Blocked);
        }
    }
    Err(Skip::TooLong)
}

/// How formulas are made.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    pub arithmetic: Arithmetic,
    pub size: BlockSize,
    pub representation: Representation,
    /// Whether ways stay apart where variables have different values.
    pub tracks: bool,
}

/// What formulas say.
pub fn follow(program: &Program, observed: &[VarId], world: World, way: Way) -> Result<Ending, Skip> {
    let property = Property::Assert;
    let mut follower = Follower::new(program, &property, observed, world, way);
    for _ in 0..MAX_STARTS {
        if let Some(ending) = follower.start(program) {
            return ending;
        }
    }
    panic!("memory has more cells each time");
}

/// Formulas of a program, with the values of what an execution reads.
pub struct Follower<'p, 'o> {
    pub formulas: Formulas<'p>,
    pub observed: &'o [VarId],
    world: World,
    pub tracked: FxHashSet<Symbol>,
    /// The values of what is read.
    pub model: Assignment,
}

impl<'p, 'o> Follower<'p, 'o> {
    pub fn new(
        program: &'p Program,
        property: &'p Property,
        observed: &'o [VarId],
        world: World,
        way: Way,
    ) -> Follower<'p, 'o> {
        let formulas = Formulas::open(program, property, way.arithmetic, way.size, way.representation);
        let tracked = program.variables.enumerate().filter_map(|(id, _)| formulas.blocks.symbol(id));
        let tracked = if way.tracks { tracked.collect() } else { FxHashSet::default() };
        Follower { formulas, observed, world, tracked, model: Assignment::default() }
    }
}

impl Follower<'_, '_> {
    /// Follows the execution from its start; `None` if memory has more cells now.
    fn start(&mut self, program: &Program) -> Option<Result<Ending, Skip>> {
        self.model.clear();
        let (init, values) = self.formulas.init().expect("`init` can be expressed");
        self.give(&init, None);
        let mut values: Vec<(Symbol, TermId)> = values.into_iter().collect();
        let entry = program.procedures[program.main].entry;
        let mut stack: Box<[Frame]> = [Frame { procedure: program.main, location: entry, call: None }].into();
        for time in 0..MAX_BLOCKS {
            let Formulas { terms, blocks } = &mut self.formulas;
            let reading = Reading::At(time);
            let walk = blocks.walk_reading(terms, &stack, &values, &self.tracked, reading, &|| false);
            let walk = walk.expect("the program can be expressed");
            if self.formulas.blocks.cells_changed() {
                return None;
            }
            let end = match self.end_of(&walk, time) {
                Ok(Some(end)) => &walk.ends[end],
                Ok(None) => return Some(Ok(Ending::Blocked)),
                Err(skip) => return Some(Err(skip)),
            };
            match end.kind {
                EndKind::Exit => return Some(self.observe(end)),
                EndKind::Error => return Some(Ok(Ending::Error(end.stack.to_vec()))),
                EndKind::Fault => return Some(Ok(Ending::Fault(end.stack.to_vec()))),
                EndKind::Cut => {}
                EndKind::Call(_) => panic!("nothing is recursive"),
            }
            let top = end.stack.last().expect("a location stack has a top");
            if program.procedures[top.procedure].locations[top.location].error.is_some() {
                return Some(Ok(Ending::Error(end.stack.to_vec())));
            }
            values = end.values.iter().map(|(symbol, value)| (*symbol, *value)).collect();
            stack = end.stack.clone();
        }
        Some(Err(Skip::TooLong))
    }

    /// The end that the execution comes to, whichever way edges are chosen.
    fn end_of(&mut self, walk: &Walk, time: u32) -> Result<Option<usize>, Skip> {
        let mut choices = Vec::new();
        for step in walk.nodes.iter().flat_map(|node| &node.moves) {
            if let Code::Plain(transition) = &*step.code {
                self.give(transition, Some(time));
            }
            let Formulas { terms, blocks } = &mut self.formulas;
            for symbol in terms.symbols_of([step.choice]) {
                let copy = blocks.copy_for(terms, time, symbol);
                let copy = terms.as_symbol(copy).expect("a free constant is its symbol");
                if !choices.contains(&copy) {
                    choices.push(copy);
                }
            }
        }
        if choices.len() > MAX_CHOICES {
            return Err(Skip::ManyChoices);
        }
        let mut found: Option<usize> = None;
        for chosen in 0..1usize << choices.len() {
            for (bit, choice) in choices.iter().enumerate() {
                self.model.insert(*choice, TermValue::Bool(chosen >> bit & 1 == 1));
            }
            for (number, end) in walk.ends.iter().enumerate() {
                if !self.holds(&end.guard)? {
                    continue;
                }
                let same = |first: &usize| {
                    let first = &walk.ends[*first];
                    (first.kind, &first.stack) == (end.kind, &end.stack)
                };
                assert!(found.as_ref().is_none_or(same), "one execution has two ends");
                found = Some(number);
            }
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(found)
    }

    /// Gives the inputs of a step, and the first contents of what it makes, their values.
    pub fn give(&mut self, transition: &Transition, time: Option<u32>) {
        let Formulas { terms, blocks } = &mut self.formulas;
        let mut given = Vec::new();
        for input in &transition.inputs {
            let value = crate::world::number(self.world.input(input.variable), terms.symbol_sort(input.symbol));
            given.push((input.symbol, value));
        }
        for unmodelled in &transition.unmodelled {
            let sort = terms.symbol_sort(unmodelled.symbol);
            // Where a copy begins is not known here, and no pointer is an input of the world.
            let first = unmodelled.first_of.filter(|first| !first.is_copy && !first.is_pointer);
            let value = first.and_then(|first| self.world.first_content(first.offset, unmodelled.ty, sort));
            given.push((unmodelled.symbol, value));
        }
        for (symbol, value) in given {
            let symbol = match time {
                None => symbol,
                Some(time) => {
                    let copy = blocks.copy_for(terms, time, symbol);
                    terms.as_symbol(copy).expect("a free constant is its symbol")
                }
            };
            self.model.extend(value.map(|value| (symbol, value)));
        }
    }

    fn holds(&self, guard: &[TermId]) -> Result<bool, Skip> {
        let mut open = false;
        for part in guard {
            match self.value(*part) {
                Some(TermValue::Bool(false)) => return Ok(false),
                Some(_) => {}
                None => open = true,
            }
        }
        if open { Err(Skip::Open) } else { Ok(true) }
    }

    /// The value of a term, if it depends only on what is read.
    fn value(&self, term: TermId) -> Option<TermValue> {
        let terms = &self.formulas.terms;
        let known = terms.symbols_of([term]).into_iter().all(|symbol| self.model.contains_key(&symbol));
        known.then(|| eval_cached(terms, term, &self.model, &mut Default::default()))
    }

    fn observe(&self, end: &End) -> Result<Ending, Skip> {
        let mut values = Vec::new();
        for variable in self.observed {
            let symbol = self.formulas.blocks.symbol(*variable).expect("what is observed are numbers");
            let term = end.values.get(&symbol).expect("it has a value");
            let value = self.value(*term).ok_or(Skip::Open)?;
            values.push(value.as_integer().expect("it is a number").to_string());
        }
        Ok(Ending::Exit(values))
    }
}
