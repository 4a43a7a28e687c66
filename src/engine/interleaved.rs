//! Threads for engines that know none: they are given the interleavings as a program of one thread, and what they say
//! of it is brought back to the program with threads.

use super::{Budget, Claim, EngineConfig, Proof, Run, Statistics, Stop, Task};
use crate::concrete::{Trace, TraceStep};
use crate::program::control::{Action, Step};
use crate::program::interleave::{Interleaved, Lost, Origin, Refused, interleave};
use crate::program::{Id, ThreadId};

/// Runs an engine on the interleavings of a program with threads.
pub(super) fn verify(task: &Task, config: &EngineConfig, budget: &Budget) -> Run {
    let interleaved = match interleave(&task.program) {
        Ok(interleaved) => interleaved,
        Err(refused) => return Run { claim: Claim::Unknown(refused.into()), statistics: Statistics::default() },
    };
    let second = Task { program: interleaved.program.clone(), property: task.property.clone() };
    let Run { claim, statistics } = super::run(&second, config, budget);
    let claim = match claim {
        Claim::Safe { proof, assumptions } => Claim::Safe { proof: Proof::Interleaved(Box::new(proof)), assumptions },
        Claim::Unsafe(trace) => match original_trace(&interleaved, &trace) {
            Ok(trace) => Claim::Unsafe(trace),
            Err(stop) => Claim::Unknown(stop),
        },
        Claim::Unknown(stop) => Claim::Unknown(stop),
    };
    Run { claim, statistics }
}

/// The execution of a program with threads that one of its interleaved program stands for.
///
/// # Errors
/// Where the execution comes to something that is not followed any further.
pub fn original_trace(interleaved: &Interleaved, trace: &Trace) -> Result<Trace, Stop> {
    let mut numbers: Vec<Option<ThreadId>> = vec![None; interleaved.instances];
    numbers[0] = Some(ThreadId::new(0));
    let mut started = 1;
    let mut steps = Vec::new();
    for TraceStep { step, inputs } in &trace.steps {
        let Action::Edge(edge) = step.action else { continue };
        match &interleaved.origins[edge] {
            Origin::Schedule => {}
            Origin::Lost { what, span } => return Err(lost(*what, *span)),
            Origin::Step { instance, action, starts } => {
                let Some(thread) = numbers[*instance] else {
                    return Err(Stop::GaveUp("a thread takes a step before it was started".to_owned()));
                };
                steps.push(TraceStep { step: Step { thread, action: *action }, inputs: inputs.clone() });
                for start in starts {
                    numbers[*start] = Some(ThreadId::new(started));
                    started += 1;
                }
            }
        }
    }
    Ok(Trace { initial_inputs: trace.initial_inputs.clone(), steps })
}

fn lost(what: Lost, span: Option<crate::program::Span>) -> Stop {
    let construct = what.describe().to_owned();
    match what {
        Lost::TooManyThreads => Stop::Unmodelled { construct, span },
        Lost::NotOwner | Lost::NoThread => Stop::Fault { fault: construct, span },
    }
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Stop {
        Stop::Unsupported { construct: refused.to_string(), span: refused.span }
    }
}
