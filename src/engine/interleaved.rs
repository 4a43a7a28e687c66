//! Threads for engines that know none: they are given the interleavings as a program of one thread, and what they say
//! of it is brought back to the program with threads.

use super::{Budget, Claim, EngineConfig, Proof, Run, Statistics, Stop, Task};
use crate::concrete::{Trace, TraceStep};
use crate::program::control::{Action, Step};
use crate::program::{Expr, Id, Span, Statement, ThreadId};
use crate::transform::interleave::{Interleaved, NotFollowed, Origin, Refused, interleave};

/// Runs an engine on a program with threads. A proof by facts of each thread and of every two is looked for first.
pub(super) fn verify(task: &Task, config: &EngineConfig, budget: &Budget) -> Run {
    if let EngineConfig::Cegar(config) = config
        && let Ok(Some(run)) = super::modular::verify(task, config.solver.as_deref(), budget)
    {
        return run;
    }
    of_interleavings(task, config, budget)
}

/// Runs an engine on the interleavings of a program with threads.
fn of_interleavings(task: &Task, config: &EngineConfig, budget: &Budget) -> Run {
    let interleaved = match interleave(&task.program) {
        Ok(interleaved) => interleaved,
        Err(refused) => return Run { claim: Claim::Unknown(refused.into()), statistics: Statistics::default() },
    };
    let second = Task { program: interleaved.program.clone(), property: task.property.clone() };
    let Run { claim, statistics } = super::run(&second, config, budget);
    match claim {
        Claim::Safe { proof, assumptions } => {
            let proof = Proof::Interleaved(Box::new(proof));
            Run { claim: Claim::Safe { proof, assumptions }, statistics }
        }
        Claim::Unsafe(trace) => match original_trace(&interleaved, &trace) {
            Ok(trace) => Run { claim: Claim::Unsafe(trace), statistics },
            Err(stop) => {
                let other = without_lost(&interleaved, task, config, budget);
                let claim = if let Claim::Unsafe(_) = other.claim { other.claim } else { Claim::Unknown(stop) };
                Run { claim, statistics: statistics.then(other.statistics) }
            }
        },
        Claim::Unknown(stop) => Run { claim: Claim::Unknown(stop), statistics },
        // Only `explicit` looks for several, and needs no interleavings.
        Claim::Errors(_) => Run { claim: Claim::Unknown(Stop::NotFollowed), statistics },
    }
}

/// Runs an engine on those interleavings that are followed to their ends: there is no proof in that, but a failure is one.
fn without_lost(interleaved: &Interleaved, task: &Task, config: &EngineConfig, budget: &Budget) -> Run {
    let mut program = interleaved.program.clone();
    let main = program.main;
    for (edge, origin) in interleaved.origins.enumerate() {
        if let Origin::NotFollowed { .. } = origin {
            program.procedures[main].edges[edge].block = vec![Statement::Assume(Expr::Bool(false))];
        }
    }
    let Run { claim, statistics } = super::run(&Task { program, property: task.property.clone() }, config, budget);
    let claim = match claim {
        Claim::Unsafe(trace) => original_trace(interleaved, &trace).map_or_else(Claim::Unknown, Claim::Unsafe),
        Claim::Safe { .. } => Claim::Unknown(Stop::GaveUp("not all executions were followed".to_owned())),
        unknown => unknown,
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
            Origin::NotFollowed { what, span } => return Err(lost(*what, *span)),
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

fn lost(what: NotFollowed, span: Option<Span>) -> Stop {
    let construct = what.describe().to_owned();
    match what {
        NotFollowed::TooManyThreads | NotFollowed::TooManyLocks | NotFollowed::Recursion => {
            Stop::Unmodelled { construct, span }
        }
        NotFollowed::NotOwner | NotFollowed::NoThread | NotFollowed::NoLock => Stop::Fault { fault: construct, span },
    }
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Stop {
        Stop::Unsupported { construct: refused.to_string(), span: refused.span }
    }
}
