//! Copies that other threads may look into become one step per part, in ascending order of address; so do, where
//! a pointer has four bytes, accesses to integers of eight.
//!
//! A copy that no other thread can look into stays one step: what it reads nobody else writes meanwhile, and what it
//! writes nobody else accesses.

use super::parts::{Bulk, Parts};
use crate::program::sharing::{Sharing, Site, Watched};
use crate::program::{
    Assumption, BinaryOp, Edge, EdgeId, Expr, LocId, Location, OFFSET, ProcId, Program, Region, Role, Scope, Span,
    Statement, Type, VarId, Variable,
};
use crate::term::Integer;

/// What is taken for granted where another thread may see the parts.
const ORDER: &str = "objects are copied and filled member by member in ascending order: no other order of the parts, \
                     which another thread may see, makes a difference";

/// How a statement is taken in parts.
enum Plan {
    Copy { parts: Parts, watched: Watched },
    Fill { parts: Parts },
    Halves,
}

/// Splits the steps of a program with threads; `assumes` tells whether the order of the parts is an assumption.
pub(super) fn split(program: &mut Program, bulk: &[Bulk], assumes: bool) {
    let sites = sites(program, bulk);
    if sites.is_empty() {
        return;
    }
    let sharing = Sharing::of(program);
    let plans: Vec<(Site, Plan)> = sites
        .into_iter()
        .filter_map(|(site, parts)| Some((site, plan(statement_at(program, site), parts, sharing.watched(site))?)))
        .collect();
    let Some(((procedure, edge, _), _)) = plans.first() else { return };
    if assumes {
        let span = program.procedures[*procedure].edges[*edge].span;
        program.assumptions.push(Assumption { text: ORDER.to_owned(), span });
    }
    let (mut rooms, mut last) = (Vec::new(), None);
    for ((procedure, edge, index), plan) in plans {
        // What was split off before is no longer on the edge.
        let gone = last.filter(|(p, e, _)| (*p, *e) == (procedure, edge)).map_or(0, |(_, _, index)| index + 1);
        Splitter { program, procedure, rooms: &mut rooms }.split(edge, index - gone, plan);
        last = Some((procedure, edge, index));
    }
    for (procedure, allocate) in rooms {
        let procedure = &mut program.procedures[procedure];
        let entry = procedure.entry;
        for edge in procedure.edges.iter_mut().filter(|edge| edge.source == entry) {
            edge.block.insert(0, allocate.clone());
        }
    }
}

fn statement_at(program: &Program, (procedure, edge, index): Site) -> &Statement {
    &program.procedures[procedure].edges[edge].block[index]
}

/// The statements that may have to be taken in parts; none of the parts where they are halves.
fn sites(program: &Program, bulk: &[Bulk]) -> Vec<(Site, Option<Parts>)> {
    let mut found = Vec::new();
    for (procedure, node) in program.procedures.enumerate() {
        for (edge, step) in node.edges.enumerate() {
            for (index, statement) in step.block.iter().enumerate() {
                let site = (procedure, edge, index);
                if let Statement::Copy { .. } | Statement::Fill { .. } = statement {
                    let is_it = |bulk: &&Bulk| bulk.procedure == procedure && bulk.statement == *statement;
                    let known = bulk.iter().filter(is_it).map(|bulk| bulk.parts.clone()).reduce(finer);
                    found.extend(known.map(|parts| (site, Some(parts))));
                } else if program.pointer_bytes == 4 && is_long(program, statement) {
                    found.push((site, None));
                }
            }
        }
    }
    found
}

/// The parts of a statement that copies objects of several types.
fn finer(one: Parts, other: Parts) -> Parts {
    match (one, other) {
        (Parts::At { starts: a, moves: m }, Parts::At { starts: b, moves: n }) => {
            let mut starts = [a, b].concat();
            starts.sort_unstable();
            starts.dedup();
            Parts::At { starts, moves: m || n }
        }
        (Parts::Every { bytes: a, moves: m }, Parts::Every { bytes: b, moves: n }) => {
            Parts::Every { bytes: num_integer::gcd(a, b), moves: m || n }
        }
        (Parts::Every { bytes, moves }, Parts::At { starts, .. })
        | (Parts::At { starts, moves }, Parts::Every { bytes, .. }) => {
            let bytes = starts.iter().fold(bytes, |common, start| num_integer::gcd(common, *start));
            Parts::Every { bytes, moves }
        }
        (Parts::Whole, other) | (other, Parts::Whole) => other,
    }
}

/// Whether a statement is an access to an integer of eight bytes that others may see.
fn is_long(program: &Program, statement: &Statement) -> bool {
    let is_long = |ty: Type| matches!(ty, Type::Machine(machine) if machine.width == 64);
    let is_global = |variable: &VarId| program.variables[*variable].scope == Scope::Global;
    match statement {
        Statement::Store { value, .. } => is_long(value.type_in(program)) && is_own(program, value),
        Statement::Assign(pairs) => match &pairs[..] {
            [(_, Expr::Load(ty, address))] => is_long(*ty) && is_own(program, address),
            [(target, Expr::Var(source))] if is_global(source) => {
                is_long(program.variables[*source].ty) && !is_global(target)
            }
            [(target, value)] => is_global(target) && is_long(program.variables[*target].ty) && is_own(program, value),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a value depends on variables of the activation alone.
fn is_own(program: &Program, value: &Expr) -> bool {
    let mut is_own = !value.has_load();
    value.for_each_var(&mut |variable| {
        let variable = &program.variables[variable];
        is_own &= variable.scope != Scope::Global || variable.ty == Type::Pointer;
    });
    is_own
}

/// How a statement is taken that others may look into in this way; none if it stays one step.
fn plan(statement: &Statement, parts: Option<Parts>, watched: Watched) -> Option<Plan> {
    let Watched { reads, writes } = watched;
    let is_one = |parts: &Parts, bytes: &Expr| match (parts, bytes) {
        (Parts::At { starts, .. }, _) => starts.len() <= 1,
        (Parts::Every { bytes: part, .. }, Expr::Int(bytes, _)) => *bytes <= Integer::from(*part as i64),
        _ => false,
    };
    match (statement, parts) {
        (Statement::Copy { bytes, .. }, Some(parts)) => {
            let stays = !reads && !writes || is_one(&parts, bytes) && !(reads && writes);
            (!stays).then_some(Plan::Copy { parts, watched })
        }
        (Statement::Fill { bytes, .. }, Some(parts)) => {
            (writes && !is_one(&parts, bytes)).then_some(Plan::Fill { parts })
        }
        _ => (reads || writes).then_some(Plan::Halves),
    }
}

/// Puts steps into a procedure.
struct Splitter<'p> {
    program: &'p mut Program,
    procedure: ProcId,
    /// The objects that procedures make at their entries.
    rooms: &'p mut Vec<(ProcId, Statement)>,
}

impl Splitter<'_> {
    /// Replaces one statement of an edge.
    fn split(&mut self, edge: EdgeId, index: usize, plan: Plan) {
        let (before, span) = (self.program.procedures[self.procedure].edges[edge].source, self.span(edge));
        let start = self.location(span);
        let node = &mut self.program.procedures[self.procedure].edges[edge];
        let mut head: Vec<Statement> = node.block.drain(..=index).collect();
        let statement = head.pop().expect("the statement is on the edge");
        self.edge(before, start, head, span);
        let end = match (plan, statement) {
            (Plan::Copy { parts, watched }, Statement::Copy { target, source, bytes }) => {
                let (target, source) = (self.kept(target), self.kept(source));
                let mut at = self.keeping(start, [target.1, source.1], span);
                let (target, source) = (target.0, source.0);
                let moves = matches!(parts, Parts::At { moves: true, .. } | Parts::Every { moves: true, .. });
                let both = watched.reads && watched.writes;
                if both && moves {
                    let room = self.variable("&moved", Type::Pointer);
                    let size = bytes.clone();
                    let allocate = Statement::Allocate { target: room, size, region: Region::Heap, zeroed: false };
                    let room = Expr::Var(room);
                    at = self.then(at, allocate, span);
                    at = self.parts(at, &parts, &bytes, span, |offset, size| {
                        vec![copy(moved(&room, &offset), moved(&source, &offset), size)]
                    });
                    at = self.parts(at, &parts, &bytes, span, |offset, size| {
                        vec![copy(moved(&target, &offset), moved(&room, &offset), size)]
                    });
                    self.then(at, Statement::Free(room), span)
                } else {
                    let room = both.then(|| self.room(&parts, &bytes));
                    self.parts(at, &parts, &bytes, span, |offset, size| match &room {
                        None => vec![copy(moved(&target, &offset), moved(&source, &offset), size)],
                        Some(room) => vec![
                            copy(room.clone(), moved(&source, &offset), size.clone()),
                            copy(moved(&target, &offset), room.clone(), size.clone()),
                            // A pointer that is left there would keep an object from being lost.
                            Statement::Fill { target: room.clone(), byte: byte_zero(), bytes: size },
                        ],
                    })
                }
            }
            (Plan::Fill { parts }, Statement::Fill { target, byte, bytes }) => {
                let (target, byte) = (self.kept(target), self.kept(byte));
                let at = self.keeping(start, [target.1, byte.1], span);
                let (target, byte) = (target.0, byte.0);
                self.parts(at, &parts, &bytes, span, |offset, bytes| {
                    vec![Statement::Fill { target: moved(&target, &offset), byte: byte.clone(), bytes }]
                })
            }
            (_, statement) => self.halves(start, statement, span),
        };
        self.program.procedures[self.procedure].edges[edge].source = end;
    }

    fn span(&self, edge: EdgeId) -> Option<Span> {
        self.program.procedures[self.procedure].edges[edge].span
    }

    fn location(&mut self, span: Option<Span>) -> LocId {
        self.program.procedures[self.procedure].locations.push(Location { name: None, error: None, span })
    }

    fn edge(&mut self, source: LocId, target: LocId, block: Vec<Statement>, span: Option<Span>) {
        self.program.procedures[self.procedure].edges.push(Edge {
            source,
            target,
            label: None,
            block,
            span,
            places: Vec::new(),
        });
    }

    /// Does a statement in a step of its own; where that leads.
    fn then(&mut self, at: LocId, statement: Statement, span: Option<Span>) -> LocId {
        let next = self.location(span);
        self.edge(at, next, vec![statement], span);
        next
    }

    /// A fresh variable of the procedure.
    fn variable(&mut self, name: &str, ty: Type) -> VarId {
        let scope = Scope::Local(self.procedure);
        let name = format!("{name}.{}", self.program.variables.len());
        self.program.variables.push(Variable { name, ty, scope, role: Role::Data, span: None })
    }

    /// A value that is the same in every step, and what gives it that value first.
    fn kept(&mut self, value: Expr) -> (Expr, Option<Statement>) {
        if is_own(self.program, &value) {
            return (value, None);
        }
        let ty = value.type_in(self.program);
        let variable = self.variable("%kept", ty);
        (Expr::Var(variable), Some(Statement::Assign(vec![(variable, value)])))
    }

    fn keeping<const N: usize>(&mut self, at: LocId, first: [Option<Statement>; N], span: Option<Span>) -> LocId {
        first.into_iter().flatten().fold(at, |at, statement| self.then(at, statement, span))
    }

    /// An object of the activation for one part.
    fn room(&mut self, parts: &Parts, bytes: &Expr) -> Expr {
        let all = if let Expr::Int(bytes, _) = bytes { bytes.to_i64().unwrap_or(0) } else { 0 };
        let size = match parts {
            Parts::Every { bytes, .. } => *bytes as i64,
            Parts::At { starts, .. } => {
                let ends = starts.iter().skip(1).map(|start| *start as i64).chain([all]);
                starts.iter().zip(ends).map(|(start, end)| end - *start as i64).max().unwrap_or(all)
            }
            Parts::Whole => all,
        };
        let target = self.variable("&part", Type::Pointer);
        let size = number(size);
        let allocate = Statement::Allocate { target, size, region: Region::Stack, zeroed: false };
        self.rooms.push((self.procedure, allocate));
        Expr::Var(target)
    }

    /// Does something to every part, in ascending order, each statement in a step of its own; where that leads.
    fn parts(
        &mut self,
        mut at: LocId,
        parts: &Parts,
        bytes: &Expr,
        span: Option<Span>,
        each: impl Fn(Expr, Expr) -> Vec<Statement>,
    ) -> LocId {
        match (parts, bytes) {
            (Parts::At { starts, .. }, Expr::Int(all, _)) => {
                let all = all.to_i64().unwrap_or(0);
                // What is before the first part, or behind the last one, belongs to it.
                let first = starts.iter().map(|start| *start as i64).enumerate();
                let starts: Vec<i64> = first.map(|(index, start)| if index == 0 { 0 } else { start }).collect();
                let ends = starts.iter().skip(1).copied().chain([all]);
                for (start, end) in starts.iter().zip(ends) {
                    for statement in each(number(*start), number(end - start)) {
                        at = self.then(at, statement, span);
                    }
                }
                at
            }
            (Parts::Every { bytes: step, .. }, _) => self.repeat(at, *step as i64, bytes, span, each),
            _ => self.repeat(at, 1, bytes, span, each),
        }
    }

    /// The same for parts of one size.
    fn repeat(
        &mut self,
        at: LocId,
        step: i64,
        bytes: &Expr,
        span: Option<Span>,
        each: impl Fn(Expr, Expr) -> Vec<Statement>,
    ) -> LocId {
        let (bytes, first) = self.kept(bytes.clone());
        let at = self.keeping(at, [first], span);
        let offset = self.variable("%offset", OFFSET);
        let head = self.then(at, Statement::Assign(vec![(offset, number(0))]), span);
        let (body, end) = (self.location(span), self.location(span));
        let is_less = Expr::binary(BinaryOp::Lt, Expr::Var(offset), bytes.clone());
        let is_negative = Expr::binary(BinaryOp::Lt, bytes.clone(), number(0));
        let is_done = Expr::And(vec![is_less.clone().negate(), is_negative.clone().negate()]);
        self.edge(head, body, vec![Statement::Assume(is_less)], span);
        self.edge(head, end, vec![Statement::Assume(is_done)], span);
        let is_constant = matches!(&bytes, Expr::Int(all, _) if all.to_i64().is_some_and(|all| all >= 0));
        if !is_constant {
            // Fewer bytes than none lie outside every object.
            let wrong = [Statement::Assume(is_negative)].into_iter().chain(each(number(0), bytes.clone())).collect();
            self.edge(head, end, wrong, span);
        }
        let is_even = matches!(&bytes, Expr::Int(all, _) if all.to_i64().is_some_and(|all| all % step == 0));
        let rest = Expr::binary(BinaryOp::Sub, bytes.clone(), Expr::Var(offset));
        let size = if step == 1 || is_even {
            number(step)
        } else {
            let is_last = Expr::binary(BinaryOp::Lt, rest.clone(), number(step));
            Expr::Ite(Box::new(is_last), Box::new(rest), Box::new(number(step)))
        };
        let mut at = body;
        for statement in each(Expr::Var(offset), size) {
            at = self.then(at, statement, span);
        }
        let next = Expr::binary(BinaryOp::Add, Expr::Var(offset), number(step));
        self.edge(at, head, vec![Statement::Assign(vec![(offset, next)])], span);
        end
    }

    /// An integer of eight bytes is read and written in two steps, the lower half first.
    fn halves(&mut self, at: LocId, statement: Statement, span: Option<Span>) -> LocId {
        match statement {
            Statement::Store { address, value } => {
                let high = Expr::binary(BinaryOp::PointerAdd, address.clone(), number(4));
                let at = self.then(at, Statement::Store { address, value: low_half(value.clone()) }, span);
                self.then(at, Statement::Store { address: high, value: high_half(value) }, span)
            }
            Statement::Assign(mut pairs) => {
                let (target, value) = pairs.pop().expect("one variable is assigned");
                let ty = self.program.variables[target].ty;
                if self.program.variables[target].scope == Scope::Global {
                    let own = Expr::Var(target);
                    let first = whole(ty, low_half(value.clone()), high_half(own.clone()));
                    let at = self.then(at, Statement::Assign(vec![(target, first)]), span);
                    let second = whole(ty, low_half(own), high_half(value));
                    return self.then(at, Statement::Assign(vec![(target, second)]), span);
                }
                let (low, high) = match value {
                    Expr::Load(_, address) => {
                        let high = Expr::binary(BinaryOp::PointerAdd, (*address).clone(), number(4));
                        (Expr::Load(HALF, address), Expr::Load(HALF, Box::new(high)))
                    }
                    value => (low_half(value.clone()), high_half(value)),
                };
                let halves = [self.variable("%low", HALF), self.variable("%high", HALF)];
                let at = self.then(at, Statement::Assign(vec![(halves[0], low)]), span);
                let at = self.then(at, Statement::Assign(vec![(halves[1], high)]), span);
                let joined = whole(ty, Expr::Var(halves[0]), Expr::Var(halves[1]));
                self.then(at, Statement::Assign(vec![(target, joined)]), span)
            }
            other => self.then(at, other, span),
        }
    }
}

const HALF: Type = Type::Machine(crate::program::MachineInt { width: 32, signed: false });
const BITS: Type = Type::Machine(crate::program::MachineInt { width: 64, signed: false });

fn byte_zero() -> Expr {
    Expr::Int(Integer::ZERO, Type::machine(8, false))
}

fn number(value: i64) -> Expr {
    Expr::Int(Integer::from(value), OFFSET)
}

fn moved(pointer: &Expr, offset: &Expr) -> Expr {
    match offset {
        Expr::Int(offset, _) if offset.is_zero() => pointer.clone(),
        offset => Expr::binary(BinaryOp::PointerAdd, pointer.clone(), offset.clone()),
    }
}

fn copy(target: Expr, source: Expr, bytes: Expr) -> Statement {
    Statement::Copy { target, source, bytes }
}

fn low_half(value: Expr) -> Expr {
    super::arithmetic::cast(HALF, super::arithmetic::cast(BITS, value))
}

fn high_half(value: Expr) -> Expr {
    let bits = super::arithmetic::cast(BITS, value);
    let shift = Expr::Int(Integer::from(32), BITS);
    super::arithmetic::cast(HALF, Expr::binary(BinaryOp::Shr, bits, shift))
}

fn whole(ty: Type, low: Expr, high: Expr) -> Expr {
    let cast = super::arithmetic::cast;
    let above = Expr::binary(BinaryOp::Mul, cast(BITS, high), Expr::Int(Integer::power_of_two(32), BITS));
    cast(ty, Expr::binary(BinaryOp::Add, above, cast(BITS, low)))
}
