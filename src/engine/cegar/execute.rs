//! Where a path is too long for formulas, the program is executed: what an abstract counterexample of a deep recursion
//! unfolds to can have millions of steps, which an interpreter takes in no time.

use super::Cegar;
use super::limits::{MAX_EXECUTED_STEPS, STEPS_BETWEEN_CHECKS};
use crate::concrete::{CycleDetector, Halt, Inputs, Machine, Outcome, Pointer, Request, Trace, TraceStep, Value};
use crate::engine::Stop;
use crate::program::Type;
use crate::program::control::{Flow, Step};
use crate::term::Integer;

impl Cegar<'_> {
    /// An execution that violates the property, if the one whose inputs are all zero, or as near to it as does not
    /// block, is one. It is not looked for twice.
    pub(super) fn executed(&mut self) -> Result<Option<Trace>, Stop> {
        if std::mem::replace(&mut self.was_executed, true) {
            return Ok(None);
        }
        let program = self.space.program();
        let flow = Flow::of(program);
        let mut machine = Machine::new(program);
        let mut inputs = NearZero::default();
        if machine.start(&mut inputs) != Ok(Outcome::Taken) {
            return Ok(None);
        }
        let mut trace = Trace { initial_inputs: inputs.given, steps: Vec::new() };
        let mut cycles = CycleDetector::default();
        while trace.steps.len() < MAX_EXECUTED_STEPS {
            self.space.budget.check()?;
            let steps = &mut trace.steps;
            let advance = machine.run_on(STEPS_BETWEEN_CHECKS, &mut cycles, |_, step| {
                steps.push(TraceStep { step, inputs: Vec::new() })
            });
            if let Some(failure) = machine.control().failure(program) {
                return Ok(self.space.task.property.counts(&failure.kind).then_some(trace));
            }
            match advance.halt {
                Halt::Limit => {}
                Halt::End | Halt::Cycle => return Ok(None),
                Halt::Choice => {
                    let possible = machine.control().steps(program, &flow);
                    let Some(taken) = take_one(&mut machine, possible) else { return Ok(None) };
                    trace.steps.push(taken);
                    cycles = CycleDetector::default();
                }
            }
        }
        Ok(None)
    }
}

/// Takes the first of the steps that is not blocked.
fn take_one(machine: &mut Machine<'_>, possible: Vec<Step>) -> Option<TraceStep> {
    possible.into_iter().find_map(|step| {
        let mut inputs = NearZero::default();
        let taken = machine.step(step, &mut inputs) == Ok(Outcome::Taken);
        taken.then_some(TraceStep { step, inputs: inputs.given })
    })
}

/// Inputs as near to zero as does not block.
#[derive(Default)]
struct NearZero {
    given: Vec<Value>,
}

impl Inputs for NearZero {
    fn next(&mut self, request: &Request) -> Option<Value> {
        let value = match request.ty {
            Type::Bool => Value::Bool(false),
            Type::Pointer => Value::Pointer(Pointer::NULL),
            Type::Float(kind) => Value::Float(0, kind),
            Type::Int | Type::Machine(_) => match (&request.low, &request.high) {
                (Some(low), _) if *low > Integer::ZERO => Value::Int(low.clone()),
                (_, Some(high)) if *high < Integer::ZERO => Value::Int(high.clone()),
                _ => Value::int(0),
            },
        };
        self.given.push(value.clone());
        Some(value)
    }
}
