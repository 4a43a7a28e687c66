//! What a thread may still do from where it is: which places it may touch, and under which locks.
//!
//! The answer is found from the program text: what statements on the way may do, those of callees and of the threads that
//! they start included. It errs on one side: a thread may do less.

use super::held::{Held, Lock};
use super::points::{Objects, Points};
use crate::program::webs::split;
use crate::program::{
    BinaryOp, EdgeId, Expr, Id, IdVec, LocId, Piece, ProcId, Program, Role, Scope, Statement, Type, UnaryOp, VarId,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A place that threads can meet at. Objects are told apart by the site where they are made: the number of the `Allocate` in
/// the program, those of `init` first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// A global.
    Global(VarId),
    /// Four bytes of the objects of a site: which four.
    Word(usize, u32),
    /// Bytes of the objects of a site, any.
    Anywhere(usize),
    /// Whether the objects of a site live.
    Life(usize),
    /// Whether somebody has the locks in the objects of a site.
    Lock(usize),
}

/// A set of the locks that [`Futures::locks`] lists, by their numbers there.
pub type LockSet = u64;

/// How a place is touched: for reading and for writing, whether it is, and the locks that are held whenever it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Touched {
    reads: Option<LockSet>,
    writes: Option<LockSet>,
}

/// What may still be done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Future {
    touched: FxHashMap<Place, Touched>,
    made: Objects,
    /// Whether threads may be started or waited for.
    pub has_threads: bool,
    /// Whether somebody may ask which objects nothing leads to.
    pub looks_for_lost: bool,
}

impl Future {
    /// Whether a place may be written, or touched at all where `writes`, without one of the locks held that are asked for.
    pub fn meets(&self, place: Place, writes: bool, held: &impl Fn() -> LockSet) -> bool {
        let Some(touched) = self.touched.get(&place) else { return false };
        let is_open = |locks: Option<LockSet>| locks.is_some_and(|locks| locks == 0 || locks & held() == 0);
        is_open(touched.writes) || writes && is_open(touched.reads)
    }

    /// Whether a place may be read.
    pub fn reads(&self, place: Place) -> bool {
        self.touched.get(&place).is_some_and(|touched| touched.reads.is_some())
    }

    /// Whether objects may be made at a site.
    pub fn makes(&self, site: usize) -> bool {
        self.made.contains(site)
    }

    /// Adds what something else may do; whether that is more.
    fn extend(&mut self, other: &Future) -> bool {
        let mut grows = self.made.extend(&other.made);
        for (place, touched) in &other.touched {
            grows |= self.touch(*place, *touched);
        }
        grows |= other.has_threads && !std::mem::replace(&mut self.has_threads, true);
        grows | (other.looks_for_lost && !std::mem::replace(&mut self.looks_for_lost, true))
    }

    fn touch(&mut self, place: Place, how: Touched) -> bool {
        let known = self.touched.entry(place).or_default();
        let before = *known;
        let both = |one: Option<LockSet>, other: Option<LockSet>| match (one, other) {
            (Some(one), Some(other)) => Some(one & other),
            (one, other) => one.or(other),
        };
        *known = Touched { reads: both(known.reads, how.reads), writes: both(known.writes, how.writes) };
        *known != before
    }
}

/// What may be done from each location of a program on.
#[derive(Debug)]
pub struct Futures {
    /// The locks that are told apart.
    pub locks: Vec<Lock>,
    /// What each edge does by itself, its callees not included.
    edges: IdVec<ProcId, Vec<Rc<Future>>>,
    /// What a call may do.
    calls: IdVec<ProcId, Rc<Future>>,
    from: RefCell<FxHashMap<(ProcId, LocId), Rc<Future>>>,
}

/// So many locks are told apart, the first that are taken in the program: as many as a set has bits.
const MAX_LOCKS: usize = LockSet::BITS as usize;

impl Futures {
    /// Looks at a program.
    pub fn of(program: &Program) -> Futures {
        let program = &split(program);
        let points = Points::of(program);
        let held = Held::of(program, &points);
        let made = program.init.iter().filter(|statement| matches!(statement, Statement::Allocate { .. })).count();
        let mut effects = Effects { program, points: &points, held: &held, locks: Vec::new(), made };
        let edges = program.procedures.enumerate().map(|(id, procedure)| {
            let edges = procedure.edges.enumerate();
            edges.map(|(edge, _)| Rc::new(effects.of_edge(id, edge))).collect::<Vec<_>>()
        });
        let edges: IdVec<ProcId, Vec<Rc<Future>>> = edges.collect();
        let calls = calls(program, &edges);
        Futures { locks: effects.locks, edges, calls, from: RefCell::default() }
    }

    /// What an edge does by itself, its callees not included.
    pub fn edge(&self, procedure: ProcId, edge: EdgeId) -> &Rc<Future> {
        &self.edges[procedure][edge.index()]
    }

    /// What a call may do, those that it makes and the threads that they start included.
    pub fn call(&self, callee: ProcId) -> &Rc<Future> {
        &self.calls[callee]
    }

    /// What may be done from a location of a procedure to its end.
    pub fn from(&self, program: &Program, procedure: ProcId, location: LocId) -> Rc<Future> {
        if let Some(known) = self.from.borrow().get(&(procedure, location)) {
            return known.clone();
        }
        let node = &program.procedures[procedure];
        let outgoing = node.outgoing();
        let mut seen: IdVec<LocId, bool> = node.locations.iter().map(|_| false).collect();
        let (mut open, mut future) = (vec![location], Future::default());
        while let Some(location) = open.pop() {
            if std::mem::replace(&mut seen[location], true) {
                continue;
            }
            for edge in &outgoing[location] {
                future.extend(&self.edges[procedure][edge.index()]);
                for callee in node.edges[*edge].block.iter().filter_map(entered) {
                    future.extend(&self.calls[callee]);
                }
                open.push(node.edges[*edge].target);
            }
        }
        let future = Rc::new(future);
        self.from.borrow_mut().insert((procedure, location), future.clone());
        future
    }
}

/// The procedure that a statement calls or starts.
fn entered(statement: &Statement) -> Option<ProcId> {
    match statement {
        Statement::Call { callee, .. } | Statement::Spawn { callee, .. } => Some(*callee),
        _ => None,
    }
}

/// What calls may do, those that they make and the threads that they start included.
fn calls(program: &Program, edges: &IdVec<ProcId, Vec<Rc<Future>>>) -> IdVec<ProcId, Rc<Future>> {
    let mut callers: IdVec<ProcId, BTreeSet<ProcId>> = program.procedures.iter().map(|_| BTreeSet::new()).collect();
    let mut calls: IdVec<ProcId, Future> = program.procedures.iter().map(|_| Future::default()).collect();
    for (id, procedure) in program.procedures.enumerate() {
        for callee in procedure.edges.iter().flat_map(|edge| &edge.block).filter_map(entered) {
            callers[callee].insert(id);
        }
        edges[id].iter().for_each(|edge| {
            calls[id].extend(edge);
        });
    }
    let mut open: BTreeSet<ProcId> = program.procedures.ids().collect();
    while let Some(callee) = open.pop_first() {
        for caller in callers[callee].iter().copied().filter(|caller| *caller != callee) {
            let done = std::mem::take(&mut calls[callee]);
            if calls[caller].extend(&done) {
                open.insert(caller);
            }
            calls[callee] = done;
        }
    }
    calls.iter_mut().map(|call| Rc::new(std::mem::take(call))).collect()
}

/// Finds what statements do.
struct Effects<'a> {
    program: &'a Program,
    points: &'a Points<'a>,
    held: &'a Held<'a>,
    locks: Vec<Lock>,
    /// How many sites are before the next statement.
    made: usize,
}

impl Effects<'_> {
    fn of_edge(&mut self, procedure: ProcId, edge: EdgeId) -> Future {
        let mut future = Future::default();
        for (index, statement) in self.program.procedures[procedure].edges[edge].block.iter().enumerate() {
            if let Some(locks) = self.held.before(procedure, edge, index) {
                let locks = self.set(&locks);
                self.statement(statement, locks, &mut future);
            }
            if let Statement::Allocate { .. } = statement {
                future.made.insert(self.made);
                self.made += 1;
            }
        }
        future
    }

    fn is_shared(&self, variable: VarId) -> bool {
        let variable = &self.program.variables[variable];
        variable.scope == Scope::Global && variable.role != Role::Own
    }

    fn set(&mut self, locks: &BTreeSet<Lock>) -> LockSet {
        let mut set = 0;
        for lock in locks {
            let known = self.locks.iter().position(|known| known == lock);
            if known.is_none() && self.locks.len() < MAX_LOCKS {
                self.locks.push(*lock);
            }
            if let Some(number) = known.or_else(|| self.locks.len().checked_sub(1).filter(|n| self.locks[*n] == *lock))
            {
                set |= 1 << number;
            }
        }
        set
    }

    fn statement(&self, statement: &Statement, locks: LockSet, out: &mut Future) {
        let (reads, writes) =
            (Touched { reads: Some(locks), writes: None }, Touched { reads: None, writes: Some(locks) });
        for expr in statement.expressions() {
            self.expression(expr, reads, out);
        }
        for target in statement.targets() {
            if self.is_shared(target) {
                out.touch(Place::Global(target), writes);
            }
        }
        match statement {
            Statement::Store { address, value } => {
                self.access(address, Some(value.type_in(self.program)), writes, out);
            }
            Statement::Fill { target, .. } | Statement::Write { target, .. } => {
                self.access(target, None, writes, out);
            }
            Statement::Copy { target, source, .. } => {
                self.access(source, None, reads, out);
                self.access(target, None, writes, out);
            }
            Statement::Free(pointer) => {
                self.access(pointer, None, writes, out);
                self.each(pointer, |site| out.touch(Place::Life(site), writes));
            }
            Statement::Lock { lock, .. } | Statement::Unlock(lock) => {
                self.each(lock, |site| out.touch(Place::Lock(site), writes));
            }
            Statement::Wait { condition, lock } => {
                self.each(condition, |site| out.touch(Place::Lock(site), writes));
                self.each(lock, |site| out.touch(Place::Lock(site), writes));
            }
            Statement::Notify { condition, .. } => self.each(condition, |site| out.touch(Place::Lock(site), writes)),
            Statement::Output(pieces) => {
                for piece in pieces.iter().filter(|piece| piece.reads_memory()) {
                    if let Piece::Value { expr, .. } = piece {
                        self.access(expr, None, reads, out);
                    }
                }
            }
            Statement::Spawn { .. } | Statement::Join(_) => out.has_threads = true,
            _ => {}
        }
    }

    fn expression(&self, expr: &Expr, reads: Touched, out: &mut Future) {
        match expr {
            Expr::Var(variable) if self.is_shared(*variable) => {
                out.touch(Place::Global(*variable), reads);
            }
            Expr::Load(ty, address) => self.access(address, Some(*ty), reads, out),
            Expr::Unary(UnaryOp::IsLive | UnaryOp::IsFreeable, pointer) => {
                self.each(pointer, |site| out.touch(Place::Life(site), reads));
            }
            Expr::Unary(UnaryOp::IsLocked, pointer) => {
                self.each(pointer, |site| out.touch(Place::Lock(site), reads));
            }
            Expr::Unary(UnaryOp::HasLost, _) => out.looks_for_lost = true,
            _ => {}
        }
        expr.operands().into_iter().for_each(|operand| self.expression(operand, reads, out));
    }

    /// Touches what a pointer is to, and sees that it lives.
    fn access(&self, address: &Expr, ty: Option<Type>, how: Touched, out: &mut Future) {
        let words = ty.and_then(|ty| self.words(address, ty));
        let lives = Touched { reads: how.reads.or(how.writes), writes: None };
        for site in self.points.targets(address).iter() {
            match &words {
                Some(words) => words.clone().for_each(|word| {
                    out.touch(Place::Word(site, word), how);
                }),
                None => {
                    out.touch(Place::Anywhere(site), how);
                }
            }
            out.touch(Place::Life(site), lives);
        }
    }

    fn each(&self, pointer: &Expr, mut touch: impl FnMut(usize) -> bool) {
        self.points.targets(pointer).iter().for_each(|site| {
            touch(site);
        });
    }

    /// The words that an access is to, where pointers are to the starts of objects.
    fn words(&self, address: &Expr, ty: Type) -> Option<std::ops::Range<u32>> {
        let bytes = match ty {
            Type::Machine(machine) => machine.bytes(),
            Type::Bool => 1,
            Type::Float(kind) => kind.bytes(),
            _ => self.program.pointer_bytes,
        };
        let offset = match address {
            Expr::Var(_) => 0,
            Expr::Binary(BinaryOp::PointerAdd, base, offset) if matches!(**base, Expr::Var(_)) => match &**offset {
                Expr::Int(n, _) => n.to_u32()?,
                _ => return None,
            },
            _ => return None,
        };
        (self.program.header_bytes > 0).then(|| offset / 4..(offset + bytes).div_ceil(4))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::FileId;
    use crate::program::text::parse;

    const GLOBALS: &str = "global x: u32 global y: u32 global m: ptr global k: ptr
        init { x := 0u32; y := 0u32; m := allocate(static, 4i64, zeroed); k := allocate(static, 4i64, zeroed); }";

    fn program(text: &str) -> Program {
        let text = format!("{GLOBALS}\n{text}");
        parse(&text, FileId::new(0)).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"))
    }

    /// Whether the future of the main procedure from a location on meets a global.
    fn meets(program: &Program, location: usize, variable: &str, held: &[&str]) -> (bool, bool) {
        let futures = Futures::of(program);
        let named = |name: &str| program.globals().find(|id| program.variables[*id].name == name).expect("a global");
        let number = |name: &&str| futures.locks.iter().position(|lock| *lock == Lock::Object(named(name), 0));
        let held = held.iter().filter_map(number).fold(0, |set, number| set | 1 << number);
        let future = futures.from(program, program.main, LocId::new(location));
        let place = Place::Global(named(variable));
        (future.meets(place, false, &|| held), future.meets(place, true, &|| held))
    }

    #[test]
    fn what_lies_behind_is_no_more_to_come() {
        let program = program(
            "procedure main() { location L0 entry location L1 location L2 exit
             edge L0 -> L1 { x := 1u32; } edge L1 -> L2 { x := y; } }",
        );
        assert_eq!((meets(&program, 0, "x", &[]), meets(&program, 0, "y", &[])), ((true, true), (false, true)));
        assert_eq!((meets(&program, 2, "x", &[]), meets(&program, 2, "y", &[])), ((false, false), (false, false)));
    }

    #[test]
    fn callees_and_threads_that_are_started_count_and_loops_come_back() {
        let program = program(
            "procedure writes() { location L0 entry location L1 exit edge L0 -> L1 { x := 1u32; } }
             procedure calls() { location L0 entry location L1 exit edge L0 -> L1 { call writes(); } }
             procedure starts() { local t: u64 location L0 entry location L1 exit edge L0 -> L1 { t := spawn calls(); } }
             procedure main() { location L0 entry location L1 location L2 exit
             edge L0 -> L1 { y := 0u32; } edge L1 -> L0 { call starts(); } edge L1 -> L2 { } }",
        );
        assert_eq!((meets(&program, 1, "x", &[]), meets(&program, 1, "y", &[])), ((true, true), (true, true)));
        assert!(Futures::of(&program).from(&program, program.main, LocId::new(1)).has_threads);
        assert_eq!(meets(&program, 2, "x", &[]), (false, false));
    }

    #[test]
    fn a_place_is_safe_from_those_who_need_a_lock_for_it_every_time() {
        let program = program(
            "procedure writes() { location L0 entry location L1 exit edge L0 -> L1 { x := 1u32; } }
             procedure main() { location L0 entry location L1 location L2 location L3 location L4 exit
             edge L0 -> L1 { lock m; } edge L1 -> L2 { call writes(); } edge L2 -> L3 { y := 1u32; unlock m; }
             edge L3 -> L4 { y := 2u32; } }",
        );
        assert_eq!(meets(&program, 0, "x", &["m"]), (false, false));
        assert_eq!(meets(&program, 0, "x", &["k"]), (true, true));
        assert_eq!(meets(&program, 0, "y", &["m"]), (true, true));
    }

    #[test]
    fn a_lock_that_is_given_back_in_a_call_protects_no_more() {
        let program = program(
            "procedure releases() { location L0 entry location L1 exit edge L0 -> L1 { unlock m; } }
             procedure twice() { location L0 entry location L1 exit edge L0 -> L1 { lock reentrant m; unlock m; } }
             procedure main() { location L0 entry location L1 location L2 location L3 location L4 location L5 exit
             edge L0 -> L1 { lock reentrant m; } edge L1 -> L2 { call twice(); } edge L2 -> L3 { x := 1u32; }
             edge L3 -> L4 { call releases(); } edge L4 -> L5 { y := 1u32; } }",
        );
        assert_eq!((meets(&program, 0, "x", &["m"]), meets(&program, 0, "y", &["m"])), ((false, false), (true, true)));
    }
}
