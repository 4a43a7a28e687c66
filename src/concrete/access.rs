//! Data races: two threads are about to touch one place in memory, one of them writes, and not both are in atomic
//! sections.
//!
//! An atomic section is like a lock that all of them share: a thread inside one meets those that are not, although they
//! cannot go on now. Where a thread was before the section, it is still.

use super::compile::{Instruction, Junction, Node, Printed, Slot};
use super::eval::Scene;
use super::machine::Machine;
use super::situation::{Doing, Situation};
use super::state_check::{StateCheck, Tried};
use super::{Fault, Pointer, Violation};
use crate::program::{Conversion, EdgeId, ErrorKind, Failure, Id, ProcId, Span, Statement, Style, UnaryOp};

/// What a thread is about to do to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Access {
    place: Place,
    writes: bool,
    is_atomic: bool,
    edge: Option<(ProcId, EdgeId)>,
    /// Which statement of the edge it is.
    statement: usize,
}

/// A place in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Global(u32),
    /// Whether an object lives. No data race is about that.
    Life(u32),
    /// Whether somebody has the lock in an object. No data race is about that either.
    Lock(u32),
    /// Bytes of an object.
    Bytes {
        object: u32,
        start: i64,
        end: i64,
    },
}

impl Place {
    fn overlaps(self, other: Place) -> bool {
        match (self, other) {
            (Place::Global(a), Place::Global(b)) => a == b,
            (Place::Bytes { object: a, start, end }, Place::Bytes { object: b, start: from, end: to }) => {
                a == b && start < to && from < end
            }
            _ => false,
        }
    }
}

impl Access {
    fn races_with(&self, other: &Access) -> bool {
        (self.writes || other.writes) && !(self.is_atomic && other.is_atomic) && self.place.overlaps(other.place)
    }
}

impl Machine<'_> {
    /// The bytes of objects that a step is about to write, as far as no input decides it.
    pub(super) fn written_bytes(&mut self, thread: usize, edge: EdgeId) -> Vec<(u32, i64, i64)> {
        let mut written = Vec::new();
        self.walk_edge(thread, edge, &mut |machine, instruction, _| {
            accesses(machine.scene(thread), instruction, &mut |place, writes| match place {
                Place::Bytes { object, start, end } if writes => written.push((object, start, end)),
                _ => {}
            });
        });
        written
    }

    /// Whether two threads are about to race.
    pub(super) fn data_race(&mut self) -> StateCheck {
        match self.data_races(1) {
            Ok(races) => races.into_iter().next().map_or(StateCheck::Fine, StateCheck::Wrong),
            Err(span) => StateCheck::Unclear { what: "no data race depends on an input", span },
        }
    }

    /// The first races of the state, at most so many, each pair of accesses of two threads being one. Where an access that may
    /// come before the first one depends on an input, the place of the step.
    pub(super) fn data_races(&mut self, most: usize) -> Result<Vec<Violation>, Option<Span>> {
        let mut races = Vec::new();
        let alive = self.control.threads.iter().filter(|thread| !thread.frames.is_empty()).count();
        if alive < 2 {
            return Ok(races);
        }
        let mut before: Vec<(usize, Access)> = Vec::new();
        for thread in 0..self.control.threads.len() {
            let own = match self.next_accesses(thread) {
                Ok(own) => own,
                Err(_) if !races.is_empty() => continue,
                Err(span) => return Err(span),
            };
            for access in &own {
                for (other, met) in before.iter().filter(|(_, met)| met.races_with(access)) {
                    races.push(self.race((*other, met), (thread, access)));
                    if races.len() == most {
                        return Ok(races);
                    }
                }
            }
            before.extend(own.into_iter().map(|access| (thread, access)));
        }
        Ok(races)
    }

    fn race(&self, one: (usize, &Access), other: (usize, &Access)) -> Violation {
        let (writer, reader) = if one.1.writes { (one, other) } else { (other, one) };
        let place = self.name_of_place(writer.1.place);
        let situation = |(thread, access): (usize, &Access)| {
            let place = place.clone().unwrap_or_else(|| "memory".to_owned());
            let doing = if access.writes { Doing::Writes(place) } else { Doing::Reads(place) };
            let mut situation = self.situation(thread, access.edge.map(|(_, edge)| edge), doing);
            // A step can be more than one statement, and these in several lines.
            let places = access.edge.map(|(procedure, edge)| &self.program.procedures[procedure].edges[edge].places);
            let mut before = places.into_iter().flatten().filter(|(from, _)| *from as usize <= access.statement);
            if let (Some((_, span)), Some(innermost)) = (before.next_back(), situation.stack.first_mut()) {
                innermost.1 = Some(*span);
            }
            situation
        };
        let threads = vec![situation(writer), situation(reader)];
        let does = |situation: &Situation| {
            let verb = if matches!(situation.doing, Doing::Writes(_)) { "writes" } else { "reads" };
            format!("thread {} {verb}{}", situation.thread.index(), self.at(situation.span()))
        };
        let what = place.as_ref().map_or_else(|| "in memory".to_owned(), |place| format!("on {place}"));
        let message = format!("a data race {what}: {}, and {} at the same time", does(&threads[0]), does(&threads[1]));
        let failure = Failure { kind: ErrorKind::DataRace, message };
        Violation { failure, place: writer.1.edge, span: threads[0].span(), threads }
    }

    /// What the thread accesses in its next step, whichever it takes. Where that depends on an input, the place of the
    /// step.
    fn next_accesses(&mut self, thread: usize) -> Result<Vec<Access>, Option<Span>> {
        let control = &self.control.threads[thread];
        if control.frames.is_empty() || control.waiting {
            return Ok(Vec::new());
        }
        let top = self.top(thread);
        if matches!(self.code.procedures[top.procedure].junctions[top.location], Junction::Return) {
            return Ok(self.result_access(thread).into_iter().collect());
        }
        let threads = self.control.threads.iter().enumerate();
        let is_shut_out = { threads }.any(|(number, other)| number != thread && other.atomic > 0);
        let mut found = Vec::new();
        for edge in self.edges_from(thread) {
            let edge_at = &self.program.procedures[top.procedure].edges[edge];
            if is_shut_out && edge_at.block.contains(&Statement::AtomicBegin) {
                continue;
            }
            let mut own = Vec::new();
            let tried = self.walk_choices(thread, edge, &mut |machine, instruction, within| {
                let mut note = |place, writes| {
                    let edge = Some((top.procedure, edge));
                    let (is_atomic, statement) = (within.atomic > 0, within.statement);
                    own.push(Access { place, writes, is_atomic, edge, statement });
                };
                accesses(machine.scene(thread), instruction, &mut note);
            });
            match tried {
                // What is read to see that the edge is blocked now is read all the same.
                Tried::Taken | Tried::Blocked(_) => found.append(&mut own),
                Tried::Faulty => {}
                Tried::Open { .. } => return Err(edge_at.span),
            }
        }
        Ok(found)
    }

    /// A return writes the variable that takes the result.
    fn result_access(&self, thread: usize) -> Option<Access> {
        let control = &self.control.threads[thread];
        let [.., caller, top] = control.frames.as_slice() else { return None };
        match self.code.edge(caller.procedure, top.call?).result? {
            Slot::Global(slot) => {
                let edge = top.call.map(|call| (caller.procedure, call));
                let is_atomic = control.atomic > 0;
                Some(Access { place: Place::Global(slot), writes: true, is_atomic, edge, statement: 0 })
            }
            Slot::Local(_) | Slot::Own(_) => None,
        }
    }
}

/// Tells what an instruction reads and writes.
pub(super) fn accesses(scene: Scene<'_>, instruction: &Instruction, note: &mut impl FnMut(Place, bool)) {
    let mut read = |node: &Node| reads(scene, node, note);
    match instruction {
        Instruction::Assume(node) | Instruction::Assign(_, node) | Instruction::Free(node) => read(node),
        Instruction::Join(node) | Instruction::Unlock(node) => read(node),
        Instruction::Lock { lock: node, .. } | Instruction::Notify { condition: node, .. } => read(node),
        Instruction::Allocate { size, .. } => read(size),
        Instruction::Write { target, .. } => read(target),
        Instruction::AssignAll(pairs) => pairs.iter().for_each(|(_, node)| read(node)),
        Instruction::Call { arguments } | Instruction::Spawn { arguments, .. } => arguments.iter().for_each(read),
        Instruction::Store { address, value, .. } => [address, value].into_iter().for_each(read),
        Instruction::Copy { target, source, bytes } => [target, source, bytes].into_iter().for_each(read),
        Instruction::Fill { target, byte, bytes } => [target, byte, bytes].into_iter().for_each(read),
        Instruction::Wait { condition, lock } => [condition, lock].into_iter().for_each(read),
        Instruction::Output(pieces) => {
            for piece in pieces {
                if let Printed::Value(node, ..) = piece {
                    read(node);
                }
            }
        }
        Instruction::Havoc(_) => {}
    }
    let mut slot = |slot: Slot| {
        if let Slot::Global(global) = slot {
            note(Place::Global(global), true);
        }
    };
    match instruction {
        Instruction::Assign(target, _) | Instruction::Allocate { target, .. } => slot(*target),
        Instruction::Havoc(havoc) => slot(havoc.slot),
        Instruction::Spawn { target: Some((target, _)), .. } => slot(*target),
        Instruction::AssignAll(pairs) => pairs.iter().for_each(|(target, _)| slot(*target)),
        Instruction::Store { address, ty, .. } => {
            bytes_at(scene, address, scene.memory.bytes_of(*ty) as i64, true, note);
        }
        Instruction::Fill { target, bytes, .. } => bytes_at(scene, target, size(scene, bytes), true, note),
        Instruction::Write { target, bytes } => bytes_at(scene, target, bytes.len() as i64, true, note),
        Instruction::Copy { target, source, bytes } => {
            bytes_at(scene, source, size(scene, bytes), false, note);
            bytes_at(scene, target, size(scene, bytes), true, note);
        }
        Instruction::Output(pieces) => {
            for piece in pieces {
                if let Printed::Value(node, _, style) = piece
                    && style.conversion == Conversion::Text
                {
                    bytes_at(scene, node, text_size(scene, node, style), false, note);
                }
            }
        }
        _ => {}
    }
}

fn size(scene: Scene<'_>, bytes: &Node) -> i64 {
    match scene.number(bytes) {
        Ok(bytes) => bytes.to_i64().unwrap_or(0),
        Err(Fault::Abstract) => i64::MAX,
        Err(_) => 0,
    }
}

/// How many bytes are read to print a string: those up to its zero, and the zero, unless fewer are asked for.
fn text_size(scene: Scene<'_>, node: &Node, style: &Style) -> i64 {
    let most = style.precision.map_or(usize::MAX, usize::from);
    let Ok(pointer) = scene.pointer(node) else { return 0 };
    let Ok(text) = scene.memory.text(pointer, most, scene.seen) else { return 0 };
    i64::try_from(text.len()).map_or(i64::MAX, |bytes| bytes + i64::from(text.len() < most))
}

/// Notes an access to so many bytes, unless the pointer has no value.
fn bytes_at(scene: Scene<'_>, address: &Node, bytes: i64, writes: bool, note: &mut impl FnMut(Place, bool)) {
    match scene.pointer(address) {
        Ok(Pointer { object, offset: start }) if object != 0 && bytes > 0 => {
            note(Place::Bytes { object, start, end: start.saturating_add(bytes) }, writes);
        }
        Err(Fault::Abstract) => abstract_bytes(scene, address, bytes, writes, note),
        _ => {}
    }
}

/// Notes an access to all the bytes that an address on tokens can lead to.
#[cold]
fn abstract_bytes(scene: Scene<'_>, address: &Node, bytes: i64, writes: bool, note: &mut impl FnMut(Place, bool)) {
    for (object, offsets) in scene.possible_places(address) {
        let end = |n: Option<&crate::term::Integer>, none: i64| n.and_then(|n| n.to_i64()).unwrap_or(none);
        for part in offsets {
            let (start, last) = (end(part.low(), i64::MIN), end(part.high(), i64::MAX));
            note(Place::Bytes { object, start, end: last.saturating_add(bytes) }, writes);
        }
    }
}

/// Tells what is read to evaluate an expression; operands that are not evaluated are not read.
fn reads(scene: Scene<'_>, node: &Node, note: &mut impl FnMut(Place, bool)) {
    // On tokens, a condition can be true or false.
    let holds = |node: &Node| match scene.holds(node) {
        Ok(holds) => (holds, !holds),
        Err(Fault::Abstract | Fault::Undecided) => (true, true),
        Err(_) => (false, false),
    };
    match node {
        Node::Var(Slot::Global(slot), _) | Node::Test(_, Slot::Global(slot), ..) => note(Place::Global(*slot), false),
        Node::Small(_) | Node::Const(_) | Node::Var(..) | Node::Test(..) => {}
        Node::And(all) | Node::Or(all) => {
            let goes_on = matches!(node, Node::And(_));
            for part in all {
                reads(scene, part, note);
                let (can_hold, can_fail) = holds(part);
                if !(if goes_on { can_hold } else { can_fail }) {
                    break;
                }
            }
        }
        Node::Implies(ab) => {
            reads(scene, &ab[0], note);
            if holds(&ab[0]).0 {
                reads(scene, &ab[1], note);
            }
        }
        Node::Ite(parts) => {
            reads(scene, &parts[0], note);
            let (can_hold, can_fail) = holds(&parts[0]);
            if can_hold {
                reads(scene, &parts[1], note);
            }
            if can_fail {
                reads(scene, &parts[2], note);
            }
        }
        Node::Load(ty, address) => {
            reads(scene, address, note);
            bytes_at(scene, address, scene.memory.bytes_of(*ty) as i64, false, note);
        }
        Node::Abstract(_, a) => reads(scene, a, note),
        Node::AbstractField(parts) => reads(scene, &parts.value, note),
        Node::OfPointer(op, a) => {
            reads(scene, a, note);
            // Of which object it is asked may not be known; of none, the answer is always the same.
            let pointer = scene.pointer(a);
            let Pointer { object, .. } = *pointer.as_ref().unwrap_or(&Pointer::NULL);
            match op {
                _ if object == 0 && pointer.is_ok() => {}
                UnaryOp::IsLive | UnaryOp::IsFreeable => note(Place::Life(object), false),
                UnaryOp::IsLocked => note(Place::Lock(object), false),
                _ => {}
            }
        }
        Node::Not(a) | Node::Neg(_, a) | Node::BitNot(_, a) | Node::ToInt(_, a) => reads(scene, a, note),
        Node::NegFloat(_, a) | Node::OfFloat(_, _, a) | Node::FloatToInt(_, _, a) | Node::IntToFloat(_, a) => {
            reads(scene, a, note);
        }
        Node::HasLost(a) | Node::ToAddress(_, a) | Node::ToPointer(a) | Node::ToBool(a) => reads(scene, a, note),
        Node::FloatToFloat { node, .. } => reads(scene, node, note),
        Node::Compare(_, ab) | Node::ComparePointers(_, ab) | Node::Arithmetic(_, _, ab) => both(scene, ab, note),
        Node::Bits(_, _, ab) | Node::PointerAdd(ab) => both(scene, ab, note),
        Node::FloatArithmetic(_, _, ab) | Node::CompareFloats(_, _, ab) => both(scene, ab, note),
    }
}

fn both(scene: Scene<'_>, ab: &[Node; 2], note: &mut impl FnMut(Place, bool)) {
    reads(scene, &ab[0], note);
    reads(scene, &ab[1], note);
}
