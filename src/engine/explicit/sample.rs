//! Some executions at random: where states are too many to look at all, an error that many inputs lead to is found so.

use super::choices::{Candidates, values};
use crate::concrete::{Halt, Inputs, Machine, Outcome, Request, Trace, TraceStep, Value, Watch};
use crate::engine::{Budget, Stop, Task};
use crate::program::control::{Flow, Step};
use crate::program::{ErrorKind, Type};
use crate::term::generate::Random;

/// How many executions there are.
const EXECUTIONS: u64 = 1000;

/// How many steps one execution has at most, and all of them together.
const MOST_STEPS: usize = 200_000;
const MOST_STEPS_IN_ALL: usize = 4_000_000;

/// How often a step is tried with other inputs where it is blocked.
const TRIES: usize = 16;

/// Inputs up to one of these sizes, another one in every execution, are chosen more often than others.
const SMALL: [i64; 3] = [4, 16, 64];

/// Inputs of the size of characters are mostly of one of these, another one in every execution, or anything.
const ALPHABETS: [&[u8]; 4] = [b"0123456789", b"0123456789 -.", b"abcdefghijklmnopqrstuvwxyz", b" aA0z9Z-_.,:/@\n"];

/// An execution that violates the property, if one is among some that are tried.
pub(super) fn sample(task: &Task, candidates: &Candidates, budget: &Budget) -> Result<Option<Trace>, Stop> {
    let flow = Flow::of(&task.program);
    let mut machine = Machine::new(&task.program);
    let mut steps = 0;
    for seed in 0..EXECUTIONS {
        let mut random = Random::new(seed);
        let trace = match execute(task, &mut machine, &flow, candidates, &mut random, budget)? {
            Ended::Violation(trace) => return Ok(Some(trace)),
            Ended::Otherwise(taken) => taken,
        };
        steps += trace;
        if steps > MOST_STEPS_IN_ALL {
            break;
        }
    }
    Ok(None)
}

/// How an execution has ended.
enum Ended {
    Violation(Trace),
    /// After so many steps.
    Otherwise(usize),
}

fn execute(
    task: &Task,
    machine: &mut Machine<'_>,
    flow: &Flow,
    candidates: &Candidates,
    random: &mut Random,
    budget: &Budget,
) -> Result<Ended, Stop> {
    machine.reset();
    let mood = Mood { small: *random.choose(&SMALL), alphabet: ALPHABETS.get(random.below(ALPHABETS.len() + 1)) };
    let mut inputs = AtRandom { candidates, mood, random, given: Vec::new() };
    if machine.start(&mut inputs) != Ok(Outcome::Taken) {
        return Ok(Ended::Otherwise(0));
    }
    let mut trace = Trace { initial_inputs: inputs.given, steps: Vec::new() };
    let mut watch = Watch::default();
    while trace.steps.len() < MOST_STEPS {
        budget.check()?;
        let steps = &mut trace.steps;
        let room = (MOST_STEPS - steps.len()) as u64;
        let stretch = machine.run_on(room, &mut watch, |_, step| steps.push(TraceStep { step, inputs: Vec::new() }));
        if let Some(failure) = machine.control().failure(&task.program) {
            let is_known = !matches!(failure.kind, ErrorKind::Unmodelled(_));
            let is_wanted = is_known && task.property.counts(&failure.kind);
            return Ok(if is_wanted { Ended::Violation(trace) } else { Ended::Otherwise(trace.steps.len()) });
        }
        if stretch.halt != Halt::Choice {
            break;
        }
        let possible = machine.control().steps(&task.program, flow);
        let Some(taken) = take_one(machine, &possible, candidates, mood, random) else { break };
        trace.steps.push(taken);
        watch = Watch::default();
    }
    Ok(Ended::Otherwise(trace.steps.len()))
}

/// Takes one of the steps that is not blocked, if one is found.
fn take_one(
    machine: &mut Machine<'_>,
    possible: &[Step],
    candidates: &Candidates,
    mood: Mood,
    random: &mut Random,
) -> Option<TraceStep> {
    if possible.is_empty() {
        return None;
    }
    (0..TRIES * possible.len()).find_map(|_| {
        let step = *random.choose(possible);
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
#[derive(Clone, Copy)]
struct Mood {
    small: i64,
    alphabet: Option<&'static &'static [u8]>,
}

/// Inputs at random, of those that are worth trying.
struct AtRandom<'r> {
    candidates: &'r Candidates,
    mood: Mood,
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
        let (all, _) = values(request, self.candidates);
        let is_small = |value: &&Value| match value {
            Value::Int(n) => n.to_i64().is_some_and(|n| (-self.mood.small..=self.mood.small).contains(&n)),
            _ => true,
        };
        let small: Vec<&Value> = all.iter().filter(is_small).collect();
        match small.is_empty() || self.random.percent(20) {
            true if all.is_empty() => None,
            true => Some(self.random.choose(&all).clone()),
            false => Some((*self.random.choose(&small)).clone()),
        }
    }
}
