//! All errors, not only the first: the search goes on behind each, and tells those apart that are at different places.
//!
//! An execution ends at an error location. A state in which threads race has successors as any other: accesses are steps in an
//! order of the program, so that what follows is an execution of the same kind.

use super::space::ConcreteSpace;
use super::trace;
use crate::concrete::token::Abstractions;
use crate::concrete::{Doing, Packed, Situation, Trace, Violation, WaitsFor, replay_to};
use crate::engine::search::{Arg, NodeId, Order, Search};
use crate::engine::{Budget, Claim, ExplicitConfig, FoundError, FoundErrors, Run, SearchOrder, Stop, Task};
use crate::program::control::Control;
use crate::program::{EdgeId, ErrorKind, LocId, ProcId, Program};
use std::collections::BTreeSet;

/// What makes an error one of its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum ErrorPlace {
    /// A place in the program that a thread came to: its kind, the location, and the call that the thread is in.
    Location(String, (ProcId, LocId), Option<(ProcId, EdgeId)>),
    /// What threads are about to do at which places of the source, whichever threads these are.
    Threads(BTreeSet<String>),
}

/// The errors that were found so far.
#[derive(Default)]
pub(super) struct AllErrors {
    known: BTreeSet<ErrorPlace>,
    /// The errors of executions that are told.
    found: Vec<FoundError>,
    /// The first execution that comes to what is not modelled or undefined.
    open: Option<FoundError>,
}

impl AllErrors {
    /// Whether the state that the space has loaded is at an error that was not known.
    fn is_new_location(&mut self, control: &Control, program: &Program) -> Option<ErrorKind> {
        let failure = control.failure(program)?;
        let at = control.threads.iter().find_map(|thread| {
            let top = thread.frames.last()?;
            let is_error = program.procedures[top.procedure].locations[top.location].error.is_some();
            let caller = thread.frames.iter().rev().nth(1);
            is_error.then_some(((top.procedure, top.location), caller.map(|f| f.procedure).zip(top.call)))
        });
        let (location, call) = at?;
        let what = format!("{}: {}", failure.kind, failure.message);
        self.known.insert(ErrorPlace::Location(what, location, call)).then(|| failure.kind.clone())
    }

    /// Whether nobody has told of threads at these places.
    fn is_new_meeting(&mut self, violation: &Violation) -> bool {
        self.known.insert(ErrorPlace::Threads(meeting(violation)))
    }
}

/// What a thread is about to do, and where, without names of objects and numbers of threads.
fn described(situation: &Situation) -> String {
    let what = match &situation.doing {
        Doing::Reads(_) => "reads",
        Doing::Writes(_) => "writes",
        Doing::Waits(WaitsFor::Lock { .. }) => "lock",
        Doing::Waits(WaitsFor::End { .. }) => "end",
        Doing::Waits(WaitsFor::Notification { .. }) => "notification",
    };
    // Code of the library has no places: then it is the call that tells.
    let place = situation.stack.iter().find(|(_, span)| span.is_some()).or(situation.stack.first());
    format!("{what} {place:?}")
}

impl ConcreteSpace<'_> {
    /// Notes the error locations that were reached from a node, or at the start.
    pub(super) fn note_errors(&mut self, from: Option<(&Arg<Self>, NodeId)>) -> Result<(), Stop> {
        if self.all.is_none() {
            return Ok(());
        }
        for error in std::mem::take(&mut self.errors) {
            self.execution.load(error);
            let control = self.execution.machine().control();
            let Some(all) = &mut self.all else { continue };
            let Some(kind) = all.is_new_location(control, &self.task.program) else { continue };
            let error = FoundError { trace: self.trace_to(from, Some(error))?, number: 0 };
            let Some(all) = &mut self.all else { continue };
            match kind.is_open() {
                true => all.open = all.open.take().or(Some(error)),
                false => all.found.push(error),
            }
        }
        Ok(())
    }

    /// Notes what is wrong with the state of a node, which is loaded.
    pub(super) fn note_violations(&mut self, arg: &Arg<Self>, at: NodeId) -> Result<(), Stop> {
        for violation in self.execution.violations() {
            let Some(all) = &mut self.all else { continue };
            if all.is_new_meeting(&violation) {
                let trace = self.trace_to(Some((arg, at)), None)?;
                let number = number_of(self.task, &trace, &violation);
                let Some(all) = &mut self.all else { continue };
                all.found.push(FoundError { trace, number });
            }
        }
        Ok(())
    }

    /// The execution to a node, and further to a state.
    fn trace_to(&mut self, from: Option<(&Arg<Self>, NodeId)>, then: Option<Packed>) -> Result<Trace, Stop> {
        let mut path: Vec<Packed> = Vec::new();
        if let Some((arg, node)) = from {
            path.extend(arg.path(node).into_iter().map(|node| self.state(arg, node)));
        }
        path.extend(then);
        trace(self, &path)
    }
}

/// Which of the violations of the last state of the execution it is. Threads may have other numbers there.
fn number_of(task: &Task, trace: &Trace, violation: &Violation) -> usize {
    let wanted = meeting(violation);
    let told = |number: &usize| replay_to(&task.program, &task.property, trace, *number).ok();
    let mut all = (0..).map_while(|number| told(&number)).map(|replay| meeting(&replay.violation));
    all.position(|found| found == wanted).unwrap_or(0)
}

/// What the threads of a violation are about to do, and where.
fn meeting(violation: &Violation) -> BTreeSet<String> {
    violation.threads.iter().map(described).collect()
}

/// Explores all states, and claims every error that is found on the way.
pub(super) fn verify(task: &Task, config: &ExplicitConfig, budget: &Budget) -> Run {
    let mut space = ConcreteSpace::new(task, config.deterministic, &Abstractions::default(), budget, None);
    space.all = Some(AllErrors::default());
    let mut search = Search::new(match config.search {
        SearchOrder::BreadthFirst => Order::BreadthFirst,
        SearchOrder::DepthFirst => Order::DepthFirst,
    });
    let explored = search.start(&mut space).and_then(|()| search.run(&mut space, budget));
    let statistics = super::statistics(&search, &space);
    let mut all = space.all.take().unwrap_or_default();
    let left_open = match (&explored, &all.open, space.execution.notes.first()) {
        (Err(stop), ..) => Some(stop.to_string()),
        (Ok(_), Some(_), _) => Some("some executions come to what is not modelled, or undefined".to_owned()),
        (Ok(_), None, Some(note)) => Some(format!("this is taken for granted: {}", note.text)),
        (Ok(_), None, None) => None,
    };
    let claim = match (all.found.is_empty(), explored, all.open) {
        (false, ..) => {
            let others = all.found.split_off(1);
            let first = all.found.remove(0);
            Claim::Errors(FoundErrors { first, others, left_open })
        }
        (true, _, Some(open)) => Claim::Unsafe(open.trace),
        (true, Err(stop), None) => Claim::Unknown(stop),
        (true, Ok(_), None) => super::safe(search, space, config, &Abstractions::default()),
    };
    Run { claim, statistics }
}
