//! What a thread may still do from where it is with the values that its variables have: the program's text with constants
//! carried forward, flow by flow, callee by callee.
//!
//! [`Futures`](crate::program::sharing::Futures) knows the text alone, and so one place for all elements of an array. Here the
//! thread that works on the third element is known to leave the second one alone. Where an address is not known, what the
//! text says of the edge counts.

use super::access::Place;
use super::compile::{Act, Junction, Node, acts};
use super::eval::Scene;
use super::locks::Locks;
use super::machine::Machine;
use super::{Pointer, Value};
use crate::program::sharing::{Future, Futures};
use crate::program::{EdgeId, Id, IdVec, LocId, ProcId, Statement};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// So many acts are looked at for one activation. Where that is not enough, only the text counts.
const MAX_ACTS: usize = 4096;

/// So many calls are told apart by their arguments.
const MAX_CALLS: usize = 64;

/// What is remembered of activations, until there are so many.
const MAX_KNOWN: usize = 1 << 16;

/// What may still be touched.
#[derive(Debug, Default)]
pub(super) struct Prospect {
    /// Each once.
    exact: Vec<Exact>,
    /// What edges may do of which not all is known.
    coarse: Vec<Rc<Future>>,
}

/// A place, and what is done to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Exact {
    Global { slot: u32, writes: bool },
    Bytes { object: u32, start: i64, end: i64, writes: bool },
    Life { object: u32, ends: bool },
    Lock(Pointer),
    AsksLock(u32),
}

impl Prospect {
    /// Whether a place may be written, or touched at all where `writes`, without one of these locks held. Of a lock, it can be
    /// known which one in its object.
    pub(super) fn meets(
        &self,
        place: Place,
        lock: Option<Pointer>,
        writes: bool,
        text: impl Fn(&Future) -> bool,
    ) -> bool {
        self.exact.iter().any(|exact| exact.meets(place, lock, writes)) || self.coarse.iter().any(|future| text(future))
    }
}

impl Exact {
    fn meets(self, place: Place, lock: Option<Pointer>, writes: bool) -> bool {
        match (self, place) {
            (Exact::Global { slot, writes: also }, Place::Global(global)) => slot == global && (writes || also),
            (
                Exact::Bytes { object, start, end, writes: also },
                Place::Bytes { object: other, start: from, end: to },
            ) => object == other && start < to && from < end && (writes || also),
            (Exact::Life { object, ends }, Place::Life(other)) => object == other && (writes || ends),
            (Exact::Lock(known), Place::Lock(object)) => match lock {
                Some(lock) => known == lock,
                None => known.object == object,
            },
            (Exact::AsksLock(object), Place::Lock(other)) => object == other && writes,
            _ => false,
        }
    }
}

/// An activation, as far as it matters to what is still to come.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Situation {
    procedure: ProcId,
    location: LocId,
    locals: Vec<Value>,
}

/// What each edge of a procedure does.
type ActsOfEdges = Rc<[Box<[Act]>]>;

/// The prospects that were asked for, and what edges do.
#[derive(Default)]
pub(super) struct Prospects {
    known: RefCell<FxHashMap<Situation, Option<Rc<Prospect>>>>,
    acts: RefCell<FxHashMap<ProcId, ActsOfEdges>>,
    /// From where there is too much to look at.
    hopeless: RefCell<FxHashSet<(ProcId, LocId)>>,
    /// The globals, those undefined that change.
    globals: OnceCell<Vec<Value>>,
}

impl Machine<'_> {
    /// What each activation of a thread may still do; none where only the text tells.
    pub(super) fn prospects_of(&self, thread: usize, futures: &Futures) -> Vec<Option<Rc<Prospect>>> {
        let frames = &self.control.threads[thread].frames;
        let mut base = self.code.own.len();
        let mut found = Vec::with_capacity(frames.len());
        for (depth, frame) in frames.iter().enumerate() {
            let count = self.code.locals(frame.procedure).len();
            let result = frames.get(depth + 1).and_then(|callee| callee.call);
            let result = result.and_then(|call| self.local_result(frame, call));
            let mask = self.live_mask(frame);
            let values = &self.data.threads[thread].locals[base..base + count];
            let locals = values.iter().enumerate().map(|(slot, value)| {
                let counts = mask.is_none_or(|mask| mask[slot]) && result != Some(slot as u32);
                if counts { value.clone() } else { Value::Undefined }
            });
            let (procedure, location) = (frame.procedure, frame.location);
            found.push(self.prospect(Situation { procedure, location, locals: locals.collect() }, futures));
            base += count;
        }
        found
    }

    fn prospect(&self, situation: Situation, futures: &Futures) -> Option<Rc<Prospect>> {
        let prospects = &self.outlook.prospects;
        let place = (situation.procedure, situation.location);
        if prospects.hopeless.borrow().contains(&place) {
            return None;
        }
        if let Some(known) = prospects.known.borrow().get(&situation) {
            return known.clone();
        }
        let mut look = Look {
            machine: self,
            futures,
            globals: self.constant_globals(),
            own: vec![Value::Undefined; self.code.own.len()],
            seen: Cell::new(false),
            left: MAX_ACTS,
            calls: FxHashSet::default(),
            exact: FxHashSet::default(),
            coarse: Vec::new(),
        };
        let is_all = look.from(situation.procedure, situation.location, situation.locals.clone()).is_some();
        let Look { exact, coarse, .. } = look;
        let found = is_all.then(|| Rc::new(Prospect { exact: exact.into_iter().collect(), coarse }));
        if found.is_none() {
            prospects.hopeless.borrow_mut().insert(place);
        }
        let mut known = prospects.known.borrow_mut();
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.insert(situation, found.clone());
        found
    }

    fn constant_globals(&self) -> &[Value] {
        self.outlook.prospects.globals.get_or_init(|| {
            let values = self.data.globals.iter().enumerate();
            // With inputs in `init`, they may differ from one execution to the next.
            let reads = self.program.init.iter().any(|statement| matches!(statement, Statement::Havoc { .. }));
            let value = |(slot, value): (usize, &Value)| match reads || self.code.is_changing(slot as u32) {
                true => Value::Undefined,
                false => value.clone(),
            };
            values.map(value).collect()
        })
    }

    fn acts_of(&self, procedure: ProcId) -> ActsOfEdges {
        let mut known = self.outlook.prospects.acts.borrow_mut();
        known.entry(procedure).or_insert_with(|| acts(self.program, &self.code, procedure).into()).clone()
    }
}

/// A look at what lies ahead of an activation.
struct Look<'m, 'p> {
    machine: &'m Machine<'p>,
    futures: &'m Futures,
    globals: &'m [Value],
    own: Vec<Value>,
    seen: Cell<bool>,
    /// How many acts may still be looked at.
    left: usize,
    /// The calls that were looked at, with their arguments.
    calls: FxHashSet<(ProcId, Vec<Value>)>,
    exact: FxHashSet<Exact>,
    coarse: Vec<Rc<Future>>,
}

impl Look<'_, '_> {
    /// Goes through all that can follow. None where it is too much.
    fn from(&mut self, procedure: ProcId, location: LocId, locals: Vec<Value>) -> Option<()> {
        let (code, acts) = (&self.machine.code.procedures[procedure], self.machine.acts_of(procedure));
        let mut at: IdVec<LocId, Option<Vec<Value>>> = code.junctions.iter().map(|_| None).collect();
        at[location] = Some(locals);
        let mut open = vec![location];
        while let Some(location) = open.pop() {
            let edges: Vec<EdgeId> = match &code.junctions[location] {
                Junction::Error | Junction::Return => continue,
                Junction::Branch { holds, fails, .. } => vec![*holds, *fails],
                Junction::Edges(edges) => edges.to_vec(),
            };
            for edge in edges {
                let mut locals = at[location].clone().expect("it was reached");
                if !self.edge(procedure, edge, &acts[edge.index()], &mut locals)? {
                    continue;
                }
                let target = self.machine.program.procedures[procedure].edges[edge].target;
                let grows = match &mut at[target] {
                    Some(known) => weaken(known, &locals),
                    none => {
                        *none = Some(locals);
                        true
                    }
                };
                if grows && !open.contains(&target) {
                    open.push(target);
                }
            }
        }
        Some(())
    }

    /// Goes through an edge; tells whether it can be taken.
    fn edge(&mut self, procedure: ProcId, edge: EdgeId, acts: &[Act], locals: &mut [Value]) -> Option<bool> {
        self.left = self.left.checked_sub(acts.len() + 1)?;
        let mut is_known = true;
        let mut can = true;
        for act in acts {
            match act {
                Act::Assume(condition) => {
                    if self.truth(condition.as_ref(), locals) == Some(false) {
                        can = false;
                        break;
                    }
                }
                Act::Assign(pairs) => {
                    let values: Vec<Value> =
                        pairs.iter().map(|(_, node)| self.value(node.as_ref(), locals).unwrap_or_default()).collect();
                    for ((slot, _), value) in pairs.iter().zip(values) {
                        locals[*slot as usize] = value;
                    }
                }
                Act::Global { slot, writes } => {
                    self.exact.insert(Exact::Global { slot: *slot, writes: *writes });
                }
                Act::Bytes { address, bytes, writes } => {
                    let count = bytes.as_ref().and_then(|bytes| self.number(bytes, locals));
                    match self.pointer(address.as_ref(), locals) {
                        Some(Pointer { object, offset: start }) => {
                            let end = count.map_or(i64::MAX, |count| start.saturating_add(count));
                            self.exact.insert(Exact::Bytes { object, start, end, writes: *writes });
                            self.exact.insert(Exact::Life { object, ends: false });
                        }
                        None => is_known = false,
                    }
                }
                Act::Life { pointer, ends } => match self.pointer(pointer.as_ref(), locals) {
                    Some(Pointer { object, .. }) => {
                        self.exact.insert(Exact::Life { object, ends: *ends });
                        if *ends {
                            let (start, end) = (0, i64::MAX);
                            self.exact.insert(Exact::Bytes { object, start, end, writes: true });
                        }
                    }
                    None => is_known = false,
                },
                Act::Lock(lock) => match self.pointer(lock.as_ref(), locals) {
                    Some(lock) => {
                        self.exact.insert(Exact::Lock(lock));
                    }
                    None => is_known = false,
                },
                Act::AsksLock(lock) => match self.pointer(lock.as_ref(), locals) {
                    Some(lock) => {
                        self.exact.insert(Exact::AsksLock(lock.object));
                    }
                    None => is_known = false,
                },
                Act::Enter { callee, arguments } => self.enter(*callee, arguments, locals)?,
                Act::Anything => is_known = false,
            }
        }
        if !is_known {
            self.add_text(self.futures.edge(procedure, edge).clone());
        }
        Some(can)
    }

    fn enter(&mut self, callee: ProcId, arguments: &[Option<Node>], locals: &[Value]) -> Option<()> {
        let values: Vec<Value> =
            arguments.iter().map(|node| self.value(node.as_ref(), locals).unwrap_or_default()).collect();
        if self.calls.contains(&(callee, values.clone())) {
            return Some(());
        }
        if self.calls.len() >= MAX_CALLS {
            self.add_text(self.futures.call(callee).clone());
            return Some(());
        }
        let code = &self.machine.code.procedures[callee];
        let mut inner = vec![Value::Undefined; code.locals.len()];
        for (slot, value) in code.parameters.iter().zip(&values) {
            inner[*slot as usize] = value.clone();
        }
        self.calls.insert((callee, values));
        self.from(callee, self.machine.program.procedures[callee].entry, inner)
    }

    fn add_text(&mut self, future: Rc<Future>) {
        if !self.coarse.iter().any(|known| Rc::ptr_eq(known, &future)) {
            self.coarse.push(future);
        }
    }

    /// The value of an expression, where that is known.
    fn value(&self, node: Option<&Node>, locals: &[Value]) -> Option<Value> {
        self.evaluate(locals, |scene| scene.value(node?).ok())
    }

    fn truth(&self, node: Option<&Node>, locals: &[Value]) -> Option<bool> {
        self.evaluate(locals, |scene| scene.holds(node?).ok())
    }

    fn pointer(&self, node: Option<&Node>, locals: &[Value]) -> Option<Pointer> {
        self.evaluate(locals, |scene| scene.pointer(node?).ok())
    }

    fn number(&self, node: &Node, locals: &[Value]) -> Option<i64> {
        self.evaluate(locals, |scene| scene.number(node).ok()?.to_i64())
    }

    /// What does not depend on where objects lie.
    fn evaluate<T>(&self, locals: &[Value], evaluate: impl FnOnce(Scene<'_>) -> Option<T>) -> Option<T> {
        self.seen.set(false);
        let scene = Scene {
            globals: self.globals,
            locals,
            own: &self.own,
            locks: &Locks::NONE,
            threads: &[],
            thread: 0,
            memory: &self.machine.data.memory,
            seen: &self.seen,
        };
        evaluate(scene).filter(|_| !self.seen.get())
    }
}

/// Keeps what is the same in both; whether that is less.
fn weaken(known: &mut [Value], other: &[Value]) -> bool {
    let mut grows = false;
    for (known, other) in known.iter_mut().zip(other) {
        if known != other && *known != Value::Undefined {
            *known = Value::Undefined;
            grows = true;
        }
    }
    grows
}
