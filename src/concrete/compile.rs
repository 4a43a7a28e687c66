//! A program made ready to run: variables resolved to slots, expressions with their types at hand.

mod acts;
mod alike;
mod bounds;
mod private;

use super::token::{Abstractions, Partition};
use super::{Pointer, Value};
use crate::program::{
    BinaryOp, Edge, EdgeId, Expr, FloatKind, Id, IdVec, LocId, MachineInt, Piece, ProcId, Procedure, Program, Region,
    Role, Scope, Span, Statement, Style, Type, UnaryOp, VarId,
};
pub(super) use acts::{Act, acts};
pub(super) use bounds::{Bound, Bounds};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::sync::Arc;

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// Among the globals.
    Global(u32),
    /// Among the locals of an activation.
    Local(u32),
    /// Among the variables of which each thread has its own.
    Own(u32),
}

/// An expression, resolved.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Small(i64),
    Const(Value),
    Var(Slot, VarId),
    Not(Box<Node>),
    And(Box<[Node]>),
    Or(Box<[Node]>),
    Implies(Box<[Node; 2]>),
    Ite(Box<[Node; 3]>),
    /// A comparison of two integers or two truth values.
    Compare(BinaryOp, Box<[Node; 2]>),
    /// A comparison of a variable with a number: what most guards are made of.
    Test(BinaryOp, Slot, VarId, i64),
    /// A comparison of two pointers.
    ComparePointers(BinaryOp, Box<[Node; 2]>),
    Neg(Option<MachineInt>, Box<Node>),
    BitNot(MachineInt, Box<Node>),
    /// `Add`, `Sub` or `Mul`, then wrapped.
    Arithmetic(BinaryOp, Option<MachineInt>, Box<[Node; 2]>),
    /// The operations that machine integers alone have.
    Bits(BinaryOp, MachineInt, Box<[Node; 2]>),
    PointerAdd(Box<[Node; 2]>),
    HasLost(Box<Node>),
    /// `Offset`, `ObjectSize`, `IsLive` and their kin.
    OfPointer(UnaryOp, Box<Node>),
    /// An integer or a truth value as an integer of another type; none is the mathematical one.
    ToInt(Option<MachineInt>, Box<Node>),
    /// A floating-point number's sign flipped.
    NegFloat(FloatKind, Box<Node>),
    FloatArithmetic(BinaryOp, FloatKind, Box<[Node; 2]>),
    CompareFloats(BinaryOp, FloatKind, Box<[Node; 2]>),
    /// `IsNan`, `IsInfinite` or `SignBit`.
    OfFloat(UnaryOp, FloatKind, Box<Node>),
    FloatToInt(FloatKind, MachineInt, Box<Node>),
    IntToFloat(FloatKind, Box<Node>),
    FloatToFloat {
        from: FloatKind,
        to: FloatKind,
        node: Box<Node>,
    },
    /// A pointer's address as a machine integer.
    ToAddress(MachineInt, Box<Node>),
    /// An address as a pointer.
    ToPointer(Box<Node>),
    /// Whether a number is not zero, or a pointer not null.
    ToBool(Box<Node>),
    Load(Type, Box<Node>),
    /// The value as one of an abstraction; only in programs with abstract variables.
    Abstract(&'static Partition, Box<Node>),
    /// The same where the object that it is written to is of one of some classes.
    AbstractField(Box<FieldValue>),
}

/// What is written to a field that is abstract in some classes.
#[derive(Debug, Clone)]
pub(super) struct FieldValue {
    pub object: Node,
    pub value: Node,
    /// The numbers of the classes.
    pub fields: Vec<(i32, &'static Partition)>,
}

/// A statement, resolved.
#[derive(Debug, Clone)]
pub(super) enum Instruction {
    Assume(Node),
    Assign(Slot, Node),
    AssignAll(Box<[(Slot, Node)]>),
    Havoc(Box<Havoc>),
    Call { arguments: Box<[Node]> },
    Store { address: Node, value: Node, ty: Type },
    Allocate { target: Slot, size: Node, region: Region, zeroed: bool, site: u32 },
    Copy { target: Node, source: Node, bytes: Node },
    Fill { target: Node, byte: Node, bytes: Node },
    Write { target: Node, bytes: Arc<[u8]> },
    Output(Box<[Printed]>),
    Free(Node),
    Spawn { target: Option<(Slot, Type)>, callee: ProcId, arguments: Box<[Node]> },
    Join(Node),
    Lock { lock: Node, reentrant: bool },
    Unlock(Node),
    Wait { condition: Node, lock: Node },
    Notify { condition: Node, all: bool },
}

/// A piece of what is printed.
#[derive(Debug, Clone)]
pub(super) enum Printed {
    Text(Box<str>),
    Value(Node, Type, Style),
}

/// Input: the variable, and what the rest of the block lets through.
#[derive(Debug, Clone)]
pub(super) struct Havoc {
    pub slot: Slot,
    pub variable: VarId,
    pub ty: Type,
    pub span: Option<Span>,
    pub bounds: Bounds,
    /// How the variable is abstract.
    pub partition: Option<&'static Partition>,
    /// The values that stand for all, where they are few.
    pub values: Option<Box<[Value]>>,
}

/// A program made ready to run.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    pub slots: IdVec<VarId, Slot>,
    /// The types of the globals, by slot.
    pub globals: Vec<Type>,
    /// The types of the variables of which each thread has its own, by slot.
    pub own: Vec<Type>,
    /// For each global, whether something but `init` writes it.
    pub changing: Vec<bool>,
    /// Whether threads are started.
    pub has_threads: bool,
    /// Whether there can be objects or locks.
    pub has_memory: bool,
    pub init: Box<[Instruction]>,
    pub procedures: IdVec<ProcId, CompiledProcedure>,
}

/// A procedure made ready to run.
#[derive(Debug, Clone)]
pub(super) struct CompiledProcedure {
    /// The types of the locals, by slot.
    pub locals: Vec<Type>,
    /// The slots of the parameters.
    pub parameters: Vec<u32>,
    pub result: Option<u32>,
    /// The edges, by their numbers.
    pub edges: Vec<CompiledEdge>,
    /// What can be done at each location.
    pub junctions: IdVec<LocId, Junction>,
    /// Whether an activation makes objects that end with it.
    pub has_stack_objects: bool,
}

/// An edge made ready to run.
#[derive(Debug, Clone)]
pub(super) struct CompiledEdge {
    pub block: Box<[Instruction]>,
    /// For an edge that calls, where the result goes.
    pub result: Option<Slot>,
    /// And how that is abstract.
    pub result_partition: Option<&'static Partition>,
    /// Where the edge leads, if that is all that it does to control.
    pub leads_to: Option<LocId>,
    /// Whether the block may read an input, or choose which thread to wake.
    pub chooses: bool,
    /// Whether no other thread can tell whether the edge was taken, nor make a difference to it: it has to do with the
    /// thread's own variables alone, and does not lead to an error, which would end the execution for all.
    pub is_private: bool,
    /// How many more atomic sections it starts than it ends.
    pub sections: i32,
    /// Whether that may be so in some states: it also has to do with globals, memory, locks or threads.
    pub may_be_private: bool,
}

/// What can be done at a location.
#[derive(Debug, Clone)]
pub(super) enum Junction {
    /// Nothing: an execution has gone wrong here.
    Error,
    /// The procedure returns.
    Return,
    /// One of two edges, which start with a condition and with its negation.
    Branch { condition: Node, holds: EdgeId, fails: EdgeId },
    /// Any of the edges that are not blocked.
    Edges(Box<[EdgeId]>),
}

/// Makes a valid program ready to run.
pub(super) fn compile(program: &Program, abstractions: &Abstractions) -> Compiled {
    let (mut globals, mut own) = (Vec::new(), Vec::new());
    let mut locals: IdVec<ProcId, Vec<Type>> = program.procedures.iter().map(|_| Vec::new()).collect();
    let slots = program.variables.iter().map(|variable| {
        let (types, slot): (&mut Vec<Type>, fn(u32) -> Slot) = match variable.scope {
            Scope::Global if variable.role == Role::Own => (&mut own, Slot::Own),
            Scope::Global => (&mut globals, Slot::Global),
            Scope::Local(procedure) => (&mut locals[procedure], Slot::Local),
        };
        types.push(variable.ty);
        slot(types.len() as u32 - 1)
    });
    let (slots, changing, has_threads) = (slots.collect(), changing(program), program.starts_threads());
    let compiler = Compiler { program, abstractions, slots, changing, has_threads, sites: Cell::new(0) };
    let init = compiler.block(&program.init);
    let procedures = program.procedures.enumerate().map(|(id, _)| compiler.procedure(id, locals[id].clone())).collect();
    let mut changing = vec![false; globals.len()];
    for variable in &compiler.changing {
        if let Slot::Global(slot) = compiler.slots[*variable] {
            changing[slot as usize] = true;
        }
    }
    let (has_threads, has_memory) = (compiler.has_threads, has_memory(program));
    Compiled { globals, own, changing, has_threads, has_memory, init, procedures, slots: compiler.slots }
}

struct Compiler<'p> {
    program: &'p Program,
    abstractions: &'p Abstractions,
    slots: IdVec<VarId, Slot>,
    /// The variables that something but `init` writes.
    changing: FxHashSet<VarId>,
    has_threads: bool,
    /// How many statements so far make objects.
    sites: Cell<u32>,
}

/// Whether something makes objects or takes locks.
fn has_memory(program: &Program) -> bool {
    let blocks = program.procedures.iter().flat_map(|procedure| procedure.edges.iter().flat_map(|edge| &edge.block));
    let uses =
        |s: &Statement| matches!(s, Statement::Allocate { .. } | Statement::Lock { .. } | Statement::Wait { .. });
    program.init.iter().chain(blocks).any(uses)
}

/// The variables that a procedure writes.
fn changing(program: &Program) -> FxHashSet<VarId> {
    let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    edges.flat_map(|edge| &edge.block).flat_map(Statement::targets).collect()
}

impl Compiler<'_> {
    fn procedure(&self, id: ProcId, locals: Vec<Type>) -> CompiledProcedure {
        let procedure = &self.program.procedures[id];
        let local = |var: VarId| match self.slots[var] {
            Slot::Local(slot) => slot,
            Slot::Global(_) | Slot::Own(_) => unreachable!("parameters and results of a valid program are locals"),
        };
        let stack_object = |s: &Statement| matches!(s, Statement::Allocate { region, .. } if region.is_on_stack());
        CompiledProcedure {
            locals,
            parameters: procedure.parameters.iter().map(|&p| local(p)).collect(),
            result: procedure.result.map(local),
            edges: procedure.edges.iter().map(|edge| self.edge(procedure, edge)).collect(),
            junctions: procedure
                .outgoing()
                .enumerate()
                .map(|(at, edges)| self.junction(procedure, at, edges))
                .collect(),
            has_stack_objects: procedure.edges.iter().any(|edge| edge.block.iter().any(stack_object)),
        }
    }

    fn junction(&self, procedure: &Procedure, location: LocId, edges: &[EdgeId]) -> Junction {
        if procedure.locations[location].error.is_some() {
            return Junction::Error;
        }
        if location == procedure.exit {
            return Junction::Return;
        }
        let guard = |edge: EdgeId| match procedure.edges[edge].block.first() {
            Some(Statement::Assume(condition)) => Some(condition),
            _ => None,
        };
        if let &[holds, fails] = edges
            && let (Some(condition), Some(other)) = (guard(holds), guard(fails))
            && self.are_opposite(condition, other)
        {
            return Junction::Branch { condition: self.node(condition), holds, fails };
        }
        Junction::Edges(edges.into())
    }

    /// Whether one condition is the negation of the other by its form, so that one faults where the other does.
    fn are_opposite(&self, a: &Expr, b: &Expr) -> bool {
        match (a, b) {
            (Expr::Unary(UnaryOp::Not, inner), other) | (other, Expr::Unary(UnaryOp::Not, inner))
                if **inner == *other =>
            {
                true
            }
            (Expr::Bool(a), Expr::Bool(b)) => a != b,
            (Expr::And(all), Expr::Or(any)) | (Expr::Or(any), Expr::And(all)) => {
                all.len() == any.len() && all.iter().zip(any).all(|(a, b)| self.are_opposite(a, b))
            }
            (Expr::Binary(op, a, b), Expr::Binary(other, c, d)) => {
                // Of two floating-point numbers, one may be neither less than nor at least the other.
                opposite(*op) == Some(*other) && a == c && b == d && !matches!(a.type_in(self.program), Type::Float(_))
            }
            _ => false,
        }
    }

    fn edge(&self, procedure: &Procedure, edge: &Edge) -> CompiledEdge {
        use Statement::*;
        let is_control =
            |s: &Statement| matches!(s, Call { .. } | Spawn { .. } | AtomicBegin | AtomicEnd | Wait { .. });
        let mut block = self.block(&edge.block);
        self.find_alike(procedure, edge, &mut block);
        CompiledEdge {
            chooses: block.iter().any(|i| matches!(i, Instruction::Havoc(_) | Instruction::Notify { all: false, .. })),
            block,
            result: edge.call().and_then(|(target, ..)| target).map(|target| self.slots[target]),
            result_partition: edge.call().and_then(|(target, ..)| target).and_then(|target| self.partition(target)),
            sections: edge.block.iter().map(sections).sum(),
            is_private: self.is_private(procedure, edge, false),
            may_be_private: self.is_private(procedure, edge, true),
            leads_to: (!edge.block.iter().any(is_control)).then_some(edge.target),
        }
    }

    /// Which values of the inputs of an edge stand for all.
    fn find_alike(&self, procedure: &Procedure, edge: &Edge, block: &mut [Instruction]) {
        let read = |statement: &Statement| match statement {
            Statement::Havoc { target, .. } => Some(*target),
            _ => None,
        };
        let mut targets = edge.block.iter().enumerate().filter_map(|(i, s)| Some((i, read(s)?)));
        let mut inputs = None;
        for instruction in block {
            let Instruction::Havoc(havoc) = instruction else { continue };
            let Some((index, target)) = targets.next() else { return };
            let inputs = inputs.get_or_insert_with(|| alike::Inputs::new(self.program, procedure, self.abstractions));
            let values = inputs.values(target, &edge.block[index + 1..], edge);
            havoc.values = values.map(|values| values.into_iter().map(Value::Int).collect());
        }
    }

    fn block(&self, block: &[Statement]) -> Box<[Instruction]> {
        block.iter().enumerate().filter_map(|(i, s)| self.statement(s, &block[i + 1..])).collect()
    }

    fn statement(&self, statement: &Statement, rest: &[Statement]) -> Option<Instruction> {
        let node = |e: &Expr| self.node(e);
        Some(match statement {
            Statement::Assume(condition) => Instruction::Assume(node(condition)),
            Statement::Assign(pairs) => match pairs.as_slice() {
                [(target, value)] => Instruction::Assign(self.slots[*target], self.node_for(*target, value)),
                _ => {
                    let pair = |(t, value): &(VarId, Expr)| (self.slots[*t], self.node_for(*t, value));
                    Instruction::AssignAll(pairs.iter().map(pair).collect())
                }
            },
            Statement::Havoc { target, span } => {
                let ty = self.program.variables[*target].ty;
                let slot = self.slots[*target];
                let bounds = self.bounds(*target, rest);
                let partition = self.partition(*target);
                let (variable, span, values) = (*target, *span, None);
                Instruction::Havoc(Box::new(Havoc { slot, variable, ty, span, bounds, partition, values }))
            }
            Statement::Call { callee, arguments, .. } => {
                Instruction::Call { arguments: self.arguments(*callee, arguments) }
            }
            Statement::Store { address, value } => {
                let ty = value.type_in(self.program);
                Instruction::Store { address: node(address), value: self.stored(address, value, ty), ty }
            }
            Statement::Copy { target, source, bytes } => {
                Instruction::Copy { target: node(target), source: node(source), bytes: node(bytes) }
            }
            Statement::Fill { target, byte, bytes } => {
                Instruction::Fill { target: node(target), byte: node(byte), bytes: node(bytes) }
            }
            Statement::Write { target, bytes } => Instruction::Write { target: node(target), bytes: bytes.clone() },
            Statement::Output(pieces) => {
                let printed = |piece: &Piece| match piece {
                    Piece::Text(text) => Printed::Text(text.as_str().into()),
                    Piece::Value { expr, style } => Printed::Value(node(expr), expr.type_in(self.program), *style),
                };
                Instruction::Output(pieces.iter().map(printed).collect())
            }
            Statement::Allocate { target, size, region, zeroed } => Instruction::Allocate {
                target: self.slots[*target],
                size: node(size),
                region: *region,
                zeroed: *zeroed,
                site: self.next_site(),
            },
            Statement::Free(pointer) => Instruction::Free(node(pointer)),
            Statement::Spawn { target, callee, arguments } => Instruction::Spawn {
                target: target.map(|t| (self.slots[t], self.program.variables[t].ty)),
                callee: *callee,
                arguments: self.arguments(*callee, arguments),
            },
            Statement::Join(thread) => Instruction::Join(node(thread)),
            Statement::Lock { lock, reentrant } => Instruction::Lock { lock: node(lock), reentrant: *reentrant },
            Statement::Unlock(lock) => Instruction::Unlock(node(lock)),
            Statement::Wait { condition, lock } => Instruction::Wait { condition: node(condition), lock: node(lock) },
            Statement::Notify { condition, all } => Instruction::Notify { condition: node(condition), all: *all },
            // Atomic sections are control, which moves on its own.
            Statement::AtomicBegin | Statement::AtomicEnd => return None,
        })
    }

    fn partition(&self, variable: VarId) -> Option<&'static Partition> {
        self.abstractions.of_variable(self.program, variable)
    }

    /// A value on its way to a variable.
    fn node_for(&self, target: VarId, value: &Expr) -> Node {
        match self.partition(target) {
            Some(partition) => Node::Abstract(partition, Box::new(self.node(value))),
            None => self.node(value),
        }
    }

    fn arguments(&self, callee: ProcId, arguments: &[Expr]) -> Box<[Node]> {
        let parameters = &self.program.procedures[callee].parameters;
        parameters.iter().zip(arguments).map(|(parameter, argument)| self.node_for(*parameter, argument)).collect()
    }

    /// A value on its way to memory.
    fn stored(&self, address: &Expr, value: &Expr, ty: Type) -> Node {
        let value = self.node(value);
        let Expr::Binary(BinaryOp::PointerAdd, object, offset) = address else { return value };
        let Expr::Int(offset, _) = &**offset else { return value };
        let fields = offset.to_i64().map_or_else(Vec::new, |offset| self.abstractions.of_offset(offset, ty));
        match fields.is_empty() {
            true => value,
            false => Node::AbstractField(Box::new(FieldValue { object: self.node(object), value, fields })),
        }
    }

    /// The number of the statement that is compiled next among those that make objects; 0 where there are no threads.
    fn next_site(&self) -> u32 {
        if self.has_threads { self.sites.replace(self.sites.get() + 1) } else { 0 }
    }

    fn node(&self, expr: &Expr) -> Node {
        let boxed = |e: &Expr| Box::new(self.node(e));
        let pair = |a: &Expr, b: &Expr| Box::new([self.node(a), self.node(b)]);
        let machine = |e: &Expr| match e.type_in(self.program) {
            Type::Machine(machine) => Some(machine),
            _ => None,
        };
        let float = |e: &Expr| match e.type_in(self.program) {
            Type::Float(kind) => Some(kind),
            _ => None,
        };
        let only_machine = |e: &Expr| machine(e).expect("bit operations of a valid program are on machine integers");
        match expr {
            Expr::Bool(value) => Node::Small(i64::from(*value)),
            Expr::Int(value, _) => match value.to_i64() {
                Some(small) => Node::Small(small),
                None => Node::Const(Value::Int(value.clone())),
            },
            Expr::Float(bits, kind) => Node::Const(Value::Float(*bits, *kind)),
            Expr::Null => Node::Const(Value::Pointer(Pointer::NULL)),
            Expr::Function(id) => Node::Const(Value::Pointer(Pointer::to_function(id.index() as u32))),
            Expr::Var(var) => Node::Var(self.slots[*var], *var),
            Expr::And(all) => Node::And(all.iter().map(|e| self.node(e)).collect()),
            Expr::Or(all) => Node::Or(all.iter().map(|e| self.node(e)).collect()),
            Expr::Ite(c, t, e) => Node::Ite(Box::new([self.node(c), self.node(t), self.node(e)])),
            Expr::Load(ty, address) => Node::Load(*ty, boxed(address)),
            Expr::Cast(to, a) => match (a.type_in(self.program), *to) {
                (_, Type::Bool) => Node::ToBool(boxed(a)),
                (Type::Float(from), Type::Machine(to)) => Node::FloatToInt(from, to, boxed(a)),
                (Type::Float(from), Type::Float(to)) => Node::FloatToFloat { from, to, node: boxed(a) },
                (_, Type::Float(to)) => Node::IntToFloat(to, boxed(a)),
                (Type::Pointer, Type::Machine(to)) => Node::ToAddress(to, boxed(a)),
                (Type::Pointer, _) => self.node(a),
                (_, Type::Pointer) => Node::ToPointer(boxed(a)),
                (_, Type::Machine(to)) => Node::ToInt(Some(to), boxed(a)),
                (_, Type::Int) => Node::ToInt(None, boxed(a)),
            },
            Expr::Unary(op, a) if float(a).is_some() => {
                let kind = float(a).expect("just seen");
                if *op == UnaryOp::Neg { Node::NegFloat(kind, boxed(a)) } else { Node::OfFloat(*op, kind, boxed(a)) }
            }
            Expr::Unary(op, a) => match op {
                UnaryOp::Not => Node::Not(boxed(a)),
                UnaryOp::Neg => Node::Neg(machine(a), boxed(a)),
                UnaryOp::BitNot => Node::BitNot(only_machine(a), boxed(a)),
                UnaryOp::Offset | UnaryOp::ObjectSize | UnaryOp::IsLive | UnaryOp::IsFreeable | UnaryOp::IsConstant => {
                    Node::OfPointer(*op, boxed(a))
                }
                UnaryOp::HoldsLock | UnaryOp::IsLocked => Node::OfPointer(*op, boxed(a)),
                UnaryOp::HasLost => Node::HasLost(boxed(a)),
                UnaryOp::IsNan | UnaryOp::IsInfinite | UnaryOp::SignBit => {
                    unreachable!("a valid program has {op:?} on floating-point numbers only")
                }
            },
            Expr::Binary(op, a, b) if float(a).is_some() => {
                let kind = float(a).expect("just seen");
                match op.is_predicate() {
                    true => Node::CompareFloats(*op, kind, pair(a, b)),
                    false => Node::FloatArithmetic(*op, kind, pair(a, b)),
                }
            }
            Expr::Binary(op, a, b) => match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => Node::Arithmetic(*op, machine(a), pair(a, b)),
                BinaryOp::Implies => Node::Implies(pair(a, b)),
                BinaryOp::PointerAdd => Node::PointerAdd(pair(a, b)),
                op if op.is_predicate() && a.type_in(self.program) == Type::Pointer => {
                    Node::ComparePointers(*op, pair(a, b))
                }
                op if op.is_predicate() => match (self.node(a), self.node(b)) {
                    (Node::Var(slot, var), Node::Small(n)) => Node::Test(*op, slot, var, n),
                    (a, b) => Node::Compare(*op, Box::new([a, b])),
                },
                _ => Node::Bits(*op, only_machine(a), pair(a, b)),
            },
        }
    }
}

/// How many more atomic sections a statement starts than it ends.
fn sections(statement: &Statement) -> i32 {
    match statement {
        Statement::AtomicBegin => 1,
        Statement::AtomicEnd => -1,
        _ => 0,
    }
}

/// The comparison that holds where this one does not, of numbers and pointers.
fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Le => BinaryOp::Gt,
        _ => return None,
    })
}

impl Compiled {
    /// The types of the locals of a procedure.
    pub(super) fn locals(&self, procedure: ProcId) -> &[Type] {
        &self.procedures[procedure].locals
    }

    /// Whether something but `init` writes a global.
    pub(super) fn is_changing(&self, slot: u32) -> bool {
        self.changing[slot as usize]
    }

    /// An edge of a procedure.
    #[inline]
    pub(super) fn edge(&self, procedure: ProcId, edge: EdgeId) -> &CompiledEdge {
        &self.procedures[procedure].edges[edge.index()]
    }
}
