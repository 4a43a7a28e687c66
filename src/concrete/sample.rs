//! Some executions at random: where states are too many to look at all, an error that many inputs lead to is found so,
//! and what holds in all of them may hold always.

use super::choices::{Candidates, values};
use crate::concrete::{CycleDetector, Halt, Inputs, Machine, Outcome, Request, Trace, TraceStep, Value};
use crate::program::control::{Action, Flow, Step};
use crate::program::{Id, Program, Property, Type};
use crate::term::{Integer, Random};

/// How many executions there are.
const EXECUTIONS: u64 = 1000;

/// How many steps one execution has at most, and all of them together.
const MAX_STEPS: usize = 200_000;
const MAX_STEPS_IN_ALL: usize = 4_000_000;

/// Where no execution came to its end: how many are tried that may, and how many steps they have. Six loops over arrays
/// of 100,000 elements take 2,000,000.
const LONG_EXECUTIONS: u64 = 2;
const MAX_LONG_STEPS: usize = 5_000_000;

/// After how many executions that do not come to their end one is tried that may, before all others, and how many steps it
/// has: with three copies of an array of 100,000 elements the error is found after 0.8 s and not after 2.2 s.
const FIRST_SHORT_EXECUTIONS: u64 = 2;
const FIRST_LONG_STEPS: usize = 2_000_000;

/// Where there are threads, many short executions come first: how many, how many steps each has, and all of them together. With
/// arguments that say how many threads there are, some of the others use up all steps.
const EXECUTIONS_OF_THREADS: u64 = 500;
const MAX_STEPS_OF_THREADS: usize = 2_000;
const MAX_STEPS_OF_THREADS_IN_ALL: usize = 200_000;

/// In an execution by ranks, the thread whose turn it is gets the lowest at less than so many of the first choices, and whenever it
/// has had so many turns in a row: those that wait in a loop give way.
const MAX_CHANGES: usize = 4;
const CHOICES_WITH_CHANGES: usize = 256;
const MAX_TURNS: usize = 64;

/// How often a step is tried with other inputs where it is blocked.
const TRIES: usize = 16;

/// Inputs up to one of these sizes, another one in every execution, are chosen more often than others.
const SMALL: [i64; 3] = [4, 16, 64];

/// Inputs of the size of characters are mostly of one of these, another one in every execution, or anything.
const ALPHABETS: [&[u8]; 4] = [b"0123456789", b"0123456789 -.", b"abcdefghijklmnopqrstuvwxyz", b" aA0z9Z-_.,:/@\n"];

/// An execution that violates the property, if one is among some that are tried.
///
/// # Errors
/// Where `keep_on` says that it is time to stop.
pub fn sample<E>(
    program: &Program,
    property: &Property,
    candidates: &Candidates,
    keep_on: &dyn Fn() -> Result<(), E>,
) -> Result<Option<Trace>, E> {
    let mut executions = Executions::new(program, property, candidates);
    let (at_once, numbers, schedule) = (MAX_STEPS as u64, Numbers::OfTheProgram, Schedule::AnyThread);
    let pace = |max_steps: usize| Pace { max_steps, at_once, numbers, schedule };
    let (mut steps, mut all_are_long) = (0, true);
    for seed in 0..EXECUTIONS {
        let taken = match executions.execute(&mut Random::new(seed), pace(MAX_STEPS), keep_on, &mut |_| ())? {
            Ended::Violation(trace) => return Ok(Some(trace)),
            Ended::Otherwise(taken) => taken,
        };
        steps += taken;
        all_are_long &= taken >= MAX_STEPS;
        if all_are_long && seed + 1 == FIRST_SHORT_EXECUTIONS {
            let pace = pace(FIRST_LONG_STEPS);
            if let Ended::Violation(trace) = executions.execute(&mut Random::new(0), pace, keep_on, &mut |_| ())? {
                return Ok(Some(trace));
            }
        }
        if steps > MAX_STEPS_IN_ALL {
            break;
        }
    }
    for seed in 0..if all_are_long { LONG_EXECUTIONS } else { 0 } {
        let pace = pace(MAX_LONG_STEPS);
        if let Ended::Violation(trace) = executions.execute(&mut Random::new(seed), pace, keep_on, &mut |_| ())? {
            return Ok(Some(trace));
        }
    }
    Ok(None)
}

/// An execution of a program with threads that violates the property, if one is among some short ones that are tried.
///
/// # Errors
/// Where `keep_on` says that it is time to stop.
pub fn sample_threads<E>(
    program: &Program,
    property: &Property,
    candidates: &Candidates,
    keep_on: &dyn Fn() -> Result<(), E>,
) -> Result<Option<Trace>, E> {
    let mut executions = Executions::new(program, property, candidates);
    let max_steps = MAX_STEPS_OF_THREADS;
    let mut steps = 0;
    for seed in 0..EXECUTIONS_OF_THREADS {
        let schedule = if seed % 2 == 0 { Schedule::AnyThread } else { Schedule::ByRank };
        let pace = Pace { max_steps, at_once: max_steps as u64, numbers: Numbers::OfTheProgram, schedule };
        match executions.execute(&mut Random::new(seed), pace, keep_on, &mut |_| ())? {
            Ended::Violation(trace) => return Ok(Some(trace)),
            Ended::Otherwise(taken) => steps += taken,
        }
        if steps > MAX_STEPS_OF_THREADS_IN_ALL {
            break;
        }
    }
    Ok(None)
}

/// How an execution is made.
#[derive(Clone, Copy)]
pub struct Pace {
    /// How many steps it has at most.
    pub max_steps: usize,
    /// After how many steps in which nothing is chosen somebody looks at it.
    pub at_once: u64,
    /// Which numbers it reads.
    pub numbers: Numbers,
    /// Which thread takes the next step.
    pub schedule: Schedule,
}

/// Which thread takes a step where several can.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// Any of them.
    AnyThread,
    /// The one of the highest rank. Ranks are given at random; a few times the thread whose turn it is gets the lowest, and the
    /// end of the program comes after all else. So few switches between threads are enough for a failure to be likely (Burckhardt,
    /// Kothari, Musuvathi and Nagarakatte, *A randomized scheduler with probabilistic guarantees of finding bugs*, 2010).
    ByRank,
}

/// Which numbers are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Those that the program compares with or computes from, and their neighbours.
    OfTheProgram,
    /// Other small ones too.
    AndSmall,
}

/// How an execution has ended.
pub enum Ended {
    /// By a violation of the property.
    Violation(Trace),
    /// After so many steps.
    Otherwise(usize),
}

/// Executions of one program.
pub struct Executions<'t> {
    program: &'t Program,
    property: &'t Property,
    candidates: &'t Candidates,
    machine: Machine<'t>,
    flow: Flow,
}

impl<'t> Executions<'t> {
    /// Those that violate the property count.
    pub fn new(program: &'t Program, property: &'t Property, candidates: &'t Candidates) -> Executions<'t> {
        Executions { program, property, candidates, machine: Machine::new(program), flow: Flow::of(program) }
    }

    /// Makes one execution; `each` looks at its states, at the pace that is asked for.
    ///
    /// # Errors
    /// Where `keep_on` says that it is time to stop.
    pub fn execute<E>(
        &mut self,
        random: &mut Random,
        pace: Pace,
        keep_on: &dyn Fn() -> Result<(), E>,
        each: &mut dyn FnMut(&Machine<'_>),
    ) -> Result<Ended, E> {
        let Executions { candidates, machine, .. } = self;
        machine.reset();
        let mut mood = Mood::new(random, pace);
        let mut inputs = AtRandom { candidates, mood: &mut mood, random, given: Vec::new() };
        if machine.start(&mut inputs) != Ok(Outcome::Taken) {
            return Ok(Ended::Otherwise(0));
        }
        let trace = Trace { initial_inputs: inputs.given, steps: Vec::new() };
        self.go_on(trace, mood, random, pace, keep_on, each)
    }

    /// Makes one execution that starts as another one.
    ///
    /// # Errors
    /// Where `keep_on` says that it is time to stop.
    pub fn execute_after<E>(
        &mut self,
        start: &Trace,
        random: &mut Random,
        pace: Pace,
        keep_on: &dyn Fn() -> Result<(), E>,
    ) -> Result<Ended, E> {
        let machine = &mut self.machine;
        machine.reset();
        let mut is_taken = machine.start(&mut Said(start.initial_inputs.iter())) == Ok(Outcome::Taken);
        for TraceStep { step, inputs } in &start.steps {
            is_taken &= machine.control().failure(self.program).is_none();
            if !is_taken {
                return Ok(Ended::Otherwise(0));
            }
            machine.commit();
            is_taken = machine.step(*step, &mut Said(inputs.iter())) == Ok(Outcome::Taken);
        }
        if !is_taken {
            return Ok(Ended::Otherwise(0));
        }
        let mood = Mood::new(random, pace);
        self.go_on(start.clone(), mood, random, pace, keep_on, &mut |_| ())
    }

    /// Goes on with an execution.
    fn go_on<E>(
        &mut self,
        mut trace: Trace,
        mut mood: Mood,
        random: &mut Random,
        pace: Pace,
        keep_on: &dyn Fn() -> Result<(), E>,
        each: &mut dyn FnMut(&Machine<'_>),
    ) -> Result<Ended, E> {
        let Executions { program, property, candidates, machine, flow } = self;
        let mut cycles = CycleDetector::default();
        each(machine);
        while trace.steps.len() < pace.max_steps {
            keep_on()?;
            let steps = &mut trace.steps;
            let room = pace.at_once.min((pace.max_steps - steps.len()) as u64);
            let advance =
                machine.run_on(room, &mut cycles, |_, step| steps.push(TraceStep { step, inputs: Vec::new() }));
            if let Some(failure) = machine.control().failure(program) {
                let is_known = !failure.kind.is_open();
                let is_wanted = is_known && property.counts(&failure.kind);
                return Ok(if is_wanted { Ended::Violation(trace) } else { Ended::Otherwise(trace.steps.len()) });
            }
            match advance.halt {
                Halt::Limit => {}
                Halt::Choice => {
                    let possible = machine.control().steps(program, flow);
                    let Some(taken) = take_one(machine, &possible, candidates, &mut mood, random) else { break };
                    trace.steps.push(taken);
                    cycles = CycleDetector::default();
                }
                Halt::End | Halt::Cycle => break,
            }
            each(machine);
        }
        Ok(Ended::Otherwise(trace.steps.len()))
    }
}

/// Takes one of the steps that is not blocked, if one is found.
fn take_one(
    machine: &mut Machine<'_>,
    possible: &[Step],
    candidates: &Candidates,
    mood: &mut Mood,
    random: &mut Random,
) -> Option<TraceStep> {
    if possible.is_empty() {
        return None;
    }
    let order = mood.ranks.as_mut().map(|ranks| ranks.order(machine, possible, random));
    (0..TRIES * possible.len()).find_map(|number| {
        let step = match &order {
            Some(order) => order[number / TRIES],
            None => *random.choose(possible),
        };
        let mut inputs = AtRandom { candidates, mood, random, given: Vec::new() };
        let mark = machine.save();
        match machine.step(step, &mut inputs) {
            Ok(Outcome::Taken) => Some(TraceStep { step, inputs: inputs.given }),
            _ => {
                machine.restore(mark);
                None
            }
        }
    })
}

/// What inputs are like in one execution.
struct Mood {
    small: i64,
    alphabet: Option<&'static &'static [u8]>,
    numbers: Numbers,
    /// The values of the last few kinds of input, which are many in a loop.
    known: Vec<Known>,
    /// The ranks of the threads, where they have some.
    ranks: Option<Ranks>,
}

/// Which threads go first.
#[derive(Default)]
struct Ranks {
    /// By thread; the least goes first.
    of: Vec<usize>,
    /// How often a thread has got the lowest one.
    changes: usize,
    /// At which choices one gets it.
    at: Vec<usize>,
    /// How many choices there were.
    choices: usize,
    /// The thread whose turn it was last, and how often in a row.
    last: (usize, usize),
}

/// Ranks that are given at random are below this.
const MAX_RANK: usize = 1 << 20;

impl Ranks {
    fn new(random: &mut Random) -> Ranks {
        let at = (0..random.below(MAX_CHANGES)).map(|_| random.below(CHOICES_WITH_CHANGES)).collect();
        Ranks { at, ..Ranks::default() }
    }

    /// The steps in the order of their threads, those of one thread in any.
    fn order(&mut self, machine: &Machine<'_>, possible: &[Step], random: &mut Random) -> Vec<Step> {
        let threads = &machine.control().threads;
        self.of.resize_with(threads.len(), || random.below(MAX_RANK));
        let ends_all = |step: &Step| {
            let thread = step.thread.index();
            thread == 0 && threads[thread].frames.len() == 1 && matches!(step.action, Action::Return)
        };
        let mut keyed: Vec<_> = possible
            .iter()
            .map(|step| ((ends_all(step), self.of[step.thread.index()], random.below(MAX_RANK)), *step))
            .collect();
        keyed.sort_by_key(|(key, _)| *key);
        let first = keyed[0].1.thread.index();
        let turns = if self.last.0 == first { self.last.1 + 1 } else { 1 };
        self.last = (first, turns);
        if turns == MAX_TURNS || self.at.contains(&self.choices) {
            self.of[first] = MAX_RANK + self.changes;
            self.changes += 1;
            self.last.1 = 0;
        }
        self.choices += 1;
        keyed.into_iter().map(|(_, step)| step).collect()
    }
}

/// How many kinds of input are remembered.
const MAX_KNOWN: usize = 8;

/// The values that are worth trying for one kind of input.
struct Known {
    kind: (Type, Option<Integer>, Option<Integer>),
    all: Vec<Value>,
    /// The small ones of them.
    small: Vec<Value>,
}

impl Mood {
    fn new(random: &mut Random, pace: Pace) -> Mood {
        Mood {
            small: *random.choose(&SMALL),
            alphabet: ALPHABETS.get(random.below(ALPHABETS.len() + 1)),
            numbers: pace.numbers,
            known: Vec::new(),
            ranks: (pace.schedule == Schedule::ByRank).then(|| Ranks::new(random)),
        }
    }

    /// The values for an input.
    fn values(&mut self, request: &Request, candidates: &Candidates) -> &Known {
        let kind = (request.ty, request.low.clone(), request.high.clone());
        let at = self.known.iter().position(|known| known.kind == kind);
        let at = at.unwrap_or_else(|| {
            let (all, _) = values(request, candidates);
            let is_small = |value: &&Value| match value {
                Value::Int(n) => n.to_i64().is_some_and(|n| (-self.small..=self.small).contains(&n)),
                _ => true,
            };
            let small = all.iter().filter(is_small).cloned().collect();
            if self.known.len() == MAX_KNOWN {
                self.known.remove(0);
            }
            self.known.push(Known { kind, all, small });
            self.known.len() - 1
        });
        &self.known[at]
    }
}

/// Inputs that are said.
struct Said<'t>(std::slice::Iter<'t, Value>);

impl Inputs for Said<'_> {
    fn next(&mut self, _: &Request) -> Option<Value> {
        self.0.next().cloned()
    }
}

/// Inputs at random, of those that are worth trying.
struct AtRandom<'r> {
    candidates: &'r Candidates,
    mood: &'r mut Mood,
    random: &'r mut Random,
    given: Vec<Value>,
}

impl Inputs for AtRandom<'_> {
    fn next(&mut self, request: &Request) -> Option<Value> {
        let value = match self.character(request) {
            Some(character) => character,
            None => self.candidate(request)?,
        };
        self.given.push(value.clone());
        Some(value)
    }
}

impl AtRandom<'_> {
    /// A character, if one is asked for.
    fn character(&mut self, request: &Request) -> Option<Value> {
        let alphabet = self.mood.alphabet?;
        let is_character = matches!(request.ty, Type::Machine(machine) if matches!(machine.width, 8 | 16));
        if !is_character || self.random.percent(5) {
            return None;
        }
        Some(Value::int(i64::from(*self.random.choose(alphabet))))
    }

    fn candidate(&mut self, request: &Request) -> Option<Value> {
        if let Some(other) = self.other_number(request) {
            return Some(other);
        }
        let Known { all, small, .. } = self.mood.values(request, self.candidates);
        match small.is_empty() || self.random.percent(20) {
            true if all.is_empty() => None,
            true => Some(self.random.choose(all).clone()),
            false => Some(self.random.choose(small).clone()),
        }
    }

    /// Now and then a small number that the program may not know of, where those are wanted.
    fn other_number(&mut self, request: &Request) -> Option<Value> {
        let (Type::Int | Type::Machine(_)) = request.ty else { return None };
        if self.mood.numbers == Numbers::OfTheProgram || self.random.percent(50) {
            return None;
        }
        let number = Value::int(self.random.below(self.mood.small as usize + 1) as i64);
        let Value::Int(n) = &number else { return None };
        let is_in =
            request.low.as_ref().is_none_or(|low| low <= n) && request.high.as_ref().is_none_or(|high| n <= high);
        (is_in && number.is_of(request.ty)).then_some(number)
    }
}
