//! Control: where every thread of an execution is, apart from any data.
//!
//! Control moves the same way in every execution, concrete or abstract; data only says which steps can be taken.

use super::{EdgeId, Failure, Id, IdVec, LocId, ProcId, Program, Statement, ThreadId};

/// Where every thread is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Control {
    /// The threads, by number. One that has ended has no frames.
    pub threads: Vec<ThreadControl>,
}

/// Where one thread is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ThreadControl {
    /// Its activations, the outermost first.
    pub frames: Vec<Frame>,
    /// How many atomic sections it is in.
    pub atomic: u32,
    /// Whether it waits to be notified.
    pub waiting: bool,
}

/// One activation of a procedure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frame {
    /// Which procedure.
    pub procedure: ProcId,
    /// Where in it; under a call, where the call returns to.
    pub location: LocId,
    /// The edge of the caller that made this activation; none for a thread's outermost.
    pub call: Option<EdgeId>,
}

/// One step of an execution: one thread does one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// Which thread.
    pub thread: ThreadId,
    /// What it does.
    pub action: Action,
}

/// What a thread can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Takes an edge of the procedure it is in; an edge that calls enters the callee.
    Edge(EdgeId),
    /// Returns from the procedure it is in.
    Return,
    /// Goes on after a wait.
    Wake,
}

/// How to take one step back.
#[derive(Debug)]
pub struct Undo(UndoKind);

#[derive(Debug)]
enum UndoKind {
    Edge { thread: ThreadId, location: LocId, atomic: u32, waiting: bool, threads: usize, depth: usize },
    Return { thread: ThreadId, frame: Frame },
    End { threads: Vec<ThreadControl> },
    Wake { thread: ThreadId },
}

impl Undo {
    /// The thread that took the step, where it is the only one that has moved but for those it started.
    pub fn thread(&self) -> Option<ThreadId> {
        match self.0 {
            UndoKind::Edge { thread, .. } | UndoKind::Return { thread, .. } | UndoKind::Wake { thread } => Some(thread),
            UndoKind::End { .. } => None,
        }
    }
}

/// For each location of each procedure, the edges that leave it.
#[derive(Debug, Clone)]
pub struct Flow(IdVec<ProcId, IdVec<LocId, Vec<EdgeId>>>);

impl Flow {
    /// The flow of a program.
    pub fn of(program: &Program) -> Flow {
        Flow(program.procedures.iter().map(|procedure| procedure.outgoing()).collect())
    }

    /// The edges that leave a location, in order.
    pub fn leaving(&self, procedure: ProcId, location: LocId) -> &[EdgeId] {
        &self.0[procedure][location]
    }
}

impl Control {
    /// Where an execution starts, after `init`.
    pub fn initial(program: &Program) -> Control {
        Control { threads: vec![ThreadControl::starting(program, program.main)] }
    }

    /// The edges and other steps that control allows, thread by thread, in order.
    pub fn steps(&self, program: &Program, flow: &Flow) -> Vec<Step> {
        let mut steps = Vec::new();
        self.steps_into(program, flow, &mut steps);
        steps
    }

    /// Adds the steps that control allows to a list, whose room can be used again and again.
    pub fn steps_into(&self, program: &Program, flow: &Flow, steps: &mut Vec<Step>) {
        if self.failure(program).is_some() {
            return;
        }
        let atomic = self.threads.iter().position(|t| t.atomic > 0);
        for (number, thread) in self.threads.iter().enumerate() {
            let Some(top) = thread.frames.last() else { continue };
            if atomic.is_some_and(|a| a != number) {
                continue;
            }
            let mut allow = |action| steps.push(Step { thread: ThreadId::new(number), action });
            let procedure = &program.procedures[top.procedure];
            if thread.waiting {
                allow(Action::Wake);
            } else if top.location == procedure.exit {
                allow(Action::Return);
            } else {
                flow.leaving(top.procedure, top.location).iter().for_each(|edge| allow(Action::Edge(*edge)));
            }
        }
    }

    /// What has gone wrong here, where a thread is at an error location.
    pub fn failure<'p>(&self, program: &'p Program) -> Option<&'p Failure> {
        self.threads.iter().find_map(|thread| {
            let top = thread.frames.last()?;
            program.procedures[top.procedure].locations[top.location].error.as_ref()
        })
    }

    /// Whether every thread has ended.
    pub fn ended(&self) -> bool {
        self.threads.iter().all(|t| t.frames.is_empty())
    }

    /// Takes a step, one of [`Control::steps`].
    pub fn apply(&mut self, program: &Program, step: Step) -> Undo {
        Undo(match step.action {
            Action::Edge(edge) => self.take_edge(program, step.thread, edge),
            Action::Return => self.take_return(program, step.thread),
            Action::Wake => {
                self.threads[step.thread.index()].waiting = false;
                UndoKind::Wake { thread: step.thread }
            }
        })
    }

    fn take_edge(&mut self, program: &Program, id: ThreadId, edge_id: EdgeId) -> UndoKind {
        let threads = self.threads.len();
        let thread = &mut self.threads[id.index()];
        let depth = thread.frames.len();
        let top = thread.frames.last_mut().expect("a thread that takes an edge has a frame");
        let edge = &program.procedures[top.procedure].edges[edge_id];
        let undo = UndoKind::Edge {
            thread: id,
            location: top.location,
            atomic: thread.atomic,
            waiting: thread.waiting,
            threads,
            depth,
        };
        top.location = edge.target;
        let mut spawned = Vec::new();
        for statement in &edge.block {
            match statement {
                Statement::Call { callee, .. } => thread.frames.push(Frame::entering(program, *callee, Some(edge_id))),
                Statement::Spawn { callee, .. } => spawned.push(ThreadControl::starting(program, *callee)),
                Statement::AtomicBegin => thread.atomic += 1,
                Statement::AtomicEnd => thread.atomic = thread.atomic.saturating_sub(1),
                Statement::Wait { .. } => thread.waiting = true,
                _ => {}
            }
        }
        self.threads.extend(spawned);
        undo
    }

    fn take_return(&mut self, program: &Program, id: ThreadId) -> UndoKind {
        let thread = &mut self.threads[id.index()];
        if program.main_ends_all && id.index() == 0 && thread.frames.len() == 1 {
            let ended = self.threads.iter().map(|_| ThreadControl::default()).collect();
            return UndoKind::End { threads: std::mem::replace(&mut self.threads, ended) };
        }
        let frame = thread.frames.pop().expect("a thread that returns has a frame");
        UndoKind::Return { thread: id, frame }
    }

    /// Takes back the last step taken.
    pub fn undo(&mut self, undo: Undo) {
        match undo.0 {
            UndoKind::Edge { thread, location, atomic, waiting, threads, depth } => {
                self.threads.truncate(threads);
                let thread = &mut self.threads[thread.index()];
                thread.frames.truncate(depth);
                thread.frames.last_mut().expect("the frame that the edge was taken in").location = location;
                thread.atomic = atomic;
                thread.waiting = waiting;
            }
            UndoKind::Return { thread, frame } => self.threads[thread.index()].frames.push(frame),
            UndoKind::End { threads } => self.threads = threads,
            UndoKind::Wake { thread } => self.threads[thread.index()].waiting = true,
        }
    }
}

impl ThreadControl {
    fn starting(program: &Program, procedure: ProcId) -> ThreadControl {
        ThreadControl { frames: vec![Frame::entering(program, procedure, None)], ..ThreadControl::default() }
    }
}

impl Frame {
    fn entering(program: &Program, procedure: ProcId, call: Option<EdgeId>) -> Frame {
        Frame { procedure, location: program.procedures[procedure].entry, call }
    }
}
