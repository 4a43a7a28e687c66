//! What can be wrong with a state itself: threads that wait for each other, or that are about to meet in memory.
//!
//! A state is a *deadlock* if a thread has not ended, none can take a step, and each waits for a lock, for the end of
//! another or to be notified. A thread whose assumption is false does not wait: no such execution exists.

use super::choices::TokenChoices;
use super::compile::{Instruction, Junction};
use super::execute::Block;
use super::machine::{Inputs, Machine, NoInputs, Outcome};
use super::replay::Given;
use super::situation::{Doing, Situation, WaitsFor, put_circle_first};
use super::{Fault, Pointer, TraceStep, Violation};
use crate::program::control::{Action, Step};
use crate::program::{EdgeId, ErrorKind, Failure, Id, ProcId, Property, Span, Statement, ThreadId};

/// What is known of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateCheck {
    /// Nothing is wrong with it.
    Fine,
    /// It violates the property.
    Wrong(Violation),
    /// Whether it does depends on an input that is read within one step.
    Unclear {
        /// What is not known, as a sentence.
        what: &'static str,
        /// Where the step is.
        span: Option<Span>,
    },
}

/// What keeps a thread from going on.
enum Stuck {
    /// Nothing does.
    Not,
    /// It is at a location that nothing leaves.
    Ended,
    /// An assumption is false.
    Assumption,
    /// It waits.
    Waiting {
        on: WaitsFor,
        place: Option<(ProcId, EdgeId)>,
    },
    Unclear(Option<Span>),
}

/// How an edge ends that is tried without inputs.
pub(super) enum Tried {
    Taken,
    /// One of its instructions blocks it.
    Blocked(Waiting),
    /// It is undefined.
    Faulty,
    /// It reads an input, and whether it can be taken is seen only then; whether it may then have to wait.
    Open {
        may_wait: bool,
    },
}

/// Where an instruction of a block is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within {
    /// How many atomic sections the thread is in there.
    pub(super) atomic: u32,
    /// The number of the statement in the block.
    pub(super) statement: usize,
}

/// Why an edge is blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    Assumption,
    /// For a lock, where it is known which.
    Lock(Option<Pointer>),
    /// For the end of a thread, where it is known which.
    Join(Option<ThreadId>),
}

impl Machine<'_> {
    /// What is wrong with the state, if the property is one of states.
    pub fn check_state(&mut self, property: &Property) -> StateCheck {
        match property {
            _ if self.control.failure(self.program).is_some() => StateCheck::Fine,
            Property::NoDeadlock => self.deadlock(),
            Property::NoDataRace => self.data_race(),
            _ => StateCheck::Fine,
        }
    }

    /// All that is wrong with the state, if the property is one of states: what [`Machine::check_state`] finds is the first.
    pub fn violations(&mut self, property: &Property) -> Vec<Violation> {
        match (property, self.control.failure(self.program)) {
            (Property::NoDataRace, None) => self.data_races(usize::MAX).unwrap_or_default(),
            _ => match self.check_state(property) {
                StateCheck::Wrong(violation) => vec![violation],
                StateCheck::Fine | StateCheck::Unclear { .. } => Vec::new(),
            },
        }
    }

    fn deadlock(&mut self) -> StateCheck {
        let atomic = self.control.threads.iter().position(|thread| thread.atomic > 0);
        let mut waiting = Vec::new();
        for thread in 0..self.control.threads.len() {
            if self.control.threads[thread].frames.is_empty() || atomic.is_some_and(|atomic| atomic != thread) {
                continue;
            }
            match self.stuck(thread) {
                Stuck::Not | Stuck::Assumption => return StateCheck::Fine,
                Stuck::Unclear(span) => return StateCheck::Unclear { what: "no deadlock depends on an input", span },
                Stuck::Ended => {}
                Stuck::Waiting { on, place } => {
                    let edge = place.map(|(_, edge)| edge);
                    waiting.push((place, self.situation(thread, edge, Doing::Waits(on))));
                }
            }
        }
        let Some((first, circle)) = put_circle_first(&mut waiting) else { return StateCheck::Fine };
        let tell = |(_, situation): &(_, Situation)| self.tell_waiting(situation);
        let told: Vec<String> = waiting.iter().map(tell).collect();
        let (circle, others) = told.split_at(circle);
        let groups = [circle, others].into_iter().filter(|group| !group.is_empty());
        let message =
            format!("no thread can go on: {}", groups.map(|group| group.join(", ")).collect::<Vec<_>>().join("; "));
        let failure = Failure { kind: ErrorKind::Deadlock, message };
        let span = waiting[0].1.span();
        let threads = waiting.into_iter().map(|(_, situation)| situation).collect();
        StateCheck::Wrong(Violation { failure, place: first, span, threads })
    }

    /// ` (file:line)`, where the place is known.
    pub(super) fn at(&self, span: Option<Span>) -> String {
        let place = span.and_then(|span| Some((self.program.sources.get(span.file)?, span.start)));
        place.map_or_else(String::new, |(file, start)| format!(" ({}:{})", file.name, file.line_and_column(start).0))
    }

    fn stuck(&mut self, thread: usize) -> Stuck {
        let top = self.top(thread);
        if self.control.threads[thread].waiting {
            let (mark, step) = (self.save(), Step { thread: ThreadId::new(thread), action: Action::Wake });
            let woke = self.take_wake(step) == Outcome::Taken;
            self.restore(mark);
            let on = match self.data.threads[thread].waiting {
                Some(waiting) if waiting.notified => self.waits_for_lock(Some(waiting.lock)),
                Some(waiting) => WaitsFor::Notification { on: self.name_of(waiting.condition) },
                None => WaitsFor::Notification { on: None },
            };
            return if woke { Stuck::Not } else { Stuck::Waiting { on, place: None } };
        }
        if matches!(self.code.procedures[top.procedure].junctions[top.location], Junction::Return) {
            return Stuck::Not;
        }
        let edges = self.edges_from(thread);
        let mut stuck = if edges.is_empty() { Stuck::Ended } else { Stuck::Assumption };
        for edge in edges {
            let place = Some((top.procedure, edge));
            match self.try_edge(thread, edge) {
                // What is assumed of an input makes nobody wait.
                Tried::Taken | Tried::Faulty | Tried::Open { may_wait: false } => return Stuck::Not,
                Tried::Open { may_wait: true } => {
                    return Stuck::Unclear(self.program.procedures[top.procedure].edges[edge].span);
                }
                Tried::Blocked(Waiting::Assumption) => {}
                Tried::Blocked(Waiting::Lock(lock)) => {
                    stuck = Stuck::Waiting { on: self.waits_for_lock(lock), place };
                }
                Tried::Blocked(Waiting::Join(thread)) => {
                    stuck = Stuck::Waiting { on: WaitsFor::End { thread }, place };
                }
            }
        }
        stuck
    }

    /// The edges that leave where the thread is.
    pub(super) fn edges_from(&self, thread: usize) -> Vec<EdgeId> {
        let top = self.top(thread);
        match &self.code.procedures[top.procedure].junctions[top.location] {
            Junction::Error | Junction::Return => Vec::new(),
            Junction::Branch { holds, fails, .. } => vec![*holds, *fails],
            Junction::Edges(edges) => edges.to_vec(),
        }
    }

    /// Tries an edge, and takes it back.
    fn try_edge(&mut self, thread: usize, edge: EdgeId) -> Tried {
        self.walk_edge(thread, edge, &mut |_, _, _| {})
    }

    /// Goes through an edge and back again; `each` is told every instruction before it is executed, and where it is.
    pub(super) fn walk_edge(
        &mut self,
        thread: usize,
        edge: EdgeId,
        each: &mut impl FnMut(&Self, &Instruction, Within),
    ) -> Tried {
        let mark = self.save();
        let tried = self.walk(thread, edge, &mut NoInputs, each);
        self.restore(mark);
        tried
    }

    /// Executes the block of a step with its inputs, and takes that back: tells each instruction before it is executed, with
    /// the number of its statement.
    pub(super) fn walk_with(&mut self, entry: &TraceStep, mut each: impl FnMut(&Self, usize, &Instruction)) {
        let Action::Edge(edge) = entry.step.action else { return };
        let thread = entry.step.thread.index();
        let mark = self.save();
        let mut inputs = Given::new(&entry.inputs);
        self.walk(thread, edge, &mut inputs, &mut |machine: &Self, instruction: &Instruction, within: Within| {
            each(machine, within.statement, instruction);
        });
        self.restore(mark);
    }

    /// The same for every choice that tokens leave. Of several ends, the one that says least.
    pub(super) fn walk_choices(
        &mut self,
        thread: usize,
        edge: EdgeId,
        each: &mut impl FnMut(&Self, &Instruction, Within),
    ) -> Tried {
        let mark = self.save();
        let mut choices = TokenChoices::default();
        let mut tried: Option<Tried> = None;
        loop {
            let this = self.walk(thread, edge, &mut choices, each);
            self.restore(mark);
            tried = Some(match (tried, this) {
                (Some(open @ Tried::Open { .. }), _) | (_, open @ Tried::Open { .. }) => open,
                (Some(Tried::Taken), _) => Tried::Taken,
                (Some(Tried::Blocked(why)), Tried::Faulty) => Tried::Blocked(why),
                (_, this) => this,
            });
            if !choices.advance() {
                return tried.expect("it was walked at least once");
            }
        }
    }

    fn walk(
        &mut self,
        thread: usize,
        edge: EdgeId,
        inputs: &mut dyn Inputs,
        each: &mut impl FnMut(&Self, &Instruction, Within),
    ) -> Tried {
        let program = self.program;
        let procedure = self.top(thread).procedure;
        let statements = &program.procedures[procedure].edges[edge].block;
        let mut atomic = self.control.threads[thread].atomic;
        let mut index = 0;
        for (number, statement) in statements.iter().enumerate() {
            match statement {
                Statement::AtomicBegin => atomic += 1,
                Statement::AtomicEnd => atomic = atomic.saturating_sub(1),
                _ => {
                    let block = Block::Edge(procedure, edge);
                    each(self, &block.of(&self.code)[index], Within { atomic, statement: number });
                    match self.execute_any(thread, block, index, inputs) {
                        Ok(Outcome::Taken) => {}
                        Ok(Outcome::Blocked) => {
                            return Tried::Blocked(self.waiting_for(thread, &block.of(&self.code)[index]));
                        }
                        Err(fault) if needs_input(&fault) => {
                            let may_wait = statements[number..].iter().any(may_wait);
                            let is_open = may_wait
                                || statements[number..].iter().any(|later| matches!(later, Statement::Assume(_)))
                                || statements[number + 1..].iter().any(|later| is_shared(program, later));
                            return if is_open { Tried::Open { may_wait } } else { Tried::Taken };
                        }
                        Err(_) => return Tried::Faulty,
                    }
                    index += 1;
                }
            }
        }
        Tried::Taken
    }

    /// What an instruction that is blocked waits for.
    fn waiting_for(&self, thread: usize, instruction: &Instruction) -> Waiting {
        let scene = self.scene(thread);
        match instruction {
            Instruction::Lock { lock, .. } => Waiting::Lock(scene.pointer(lock).ok()),
            Instruction::Join(number) => {
                let number = scene.number(number).ok().and_then(|number| number.to_u32());
                Waiting::Join(number.map(|number| ThreadId::new(number as usize)))
            }
            _ => Waiting::Assumption,
        }
    }
}

/// Whether an instruction goes on once there is an input.
fn needs_input(fault: &Fault) -> bool {
    matches!(fault, Fault::NoInput(_) | Fault::Unwritten(..) | Fault::NoChoice | Fault::Undecided)
}

fn may_wait(statement: &Statement) -> bool {
    matches!(statement, Statement::Lock { .. } | Statement::Join(_))
}

/// Whether the statement has to do with what other threads see, or may fault.
fn is_shared(program: &crate::program::Program, statement: &Statement) -> bool {
    let is_global = |variable| program.variables[variable].scope == crate::program::Scope::Global;
    let is_plain = matches!(
        statement,
        Statement::Assign(_) | Statement::Havoc { .. } | Statement::AtomicBegin | Statement::AtomicEnd
    );
    let mut found = !is_plain || statement.targets().into_iter().any(is_global);
    for expression in statement.expressions() {
        found |= expression.has_load();
        expression.for_each_var(&mut |variable| found |= is_global(variable));
    }
    found
}
