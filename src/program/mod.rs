//! The one representation that every language is lowered to and every engine works on: procedures as
//! control-flow automata over typed variables, memory objects and threads.

pub mod control;
mod expr;
mod float;
mod ids;
pub mod liveness;
mod output;
pub mod points;
pub mod predicates;
mod property;
mod repeated;
mod rules;
mod shape;
pub mod sharing;
mod source;
mod statement;
pub mod text;
mod types;
pub mod validate;
pub mod webs;

pub use expr::{BinaryOp, Expr, OFFSET, UnaryOp};
pub use float::FloatKind;
pub use ids::{EdgeId, FileId, Id, IdVec, LocId, ProcId, ThreadId, VarId};
pub use output::{Conversion, Piece, Style, UnknownStyle};
pub use property::{ErrorKind, Property, UnknownErrorKind};
pub use rules::Rules;
pub use shape::{Shape, ShapeId, ShapeKind, Shapes};
pub use source::{Diagnostic, FrontendErrors, SourceFile, SourceFiles, Span};
pub use statement::{Region, Statement};
pub use types::{MachineInt, Type};
pub use validate::{MAX_DEPTH, validate};

use rustc_hash::FxHashSet;

/// The global that holds the status a program ends with, where a front end was asked to keep it.
pub const EXIT_STATUS: &str = "exit status";

/// The procedure that gives a number of which only a range is known: a proof holds for all of the range, and an execution
/// through it shows what can be, and not what is.
pub const APPROXIMATE: &str = "__approximate";

/// Globals that point to static objects which nothing ever writes, or reads: a copy of one makes memory as it is before it is
/// written.
pub const UNWRITTEN: &str = "&unwritten";

/// A program.
///
/// An execution runs `init`, then the main procedure from its entry in the first thread. A thread takes edges
/// from its location one at a time, any whose block can be taken to its end; at the exit of a procedure it
/// returns. Reaching an error location ends the execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// What it is called.
    pub name: String,
    /// Where it was read from.
    pub sources: SourceFiles,
    /// Every variable, of the program and of its procedures.
    pub variables: IdVec<VarId, Variable>,
    /// What gives the variables their first values: no calls and no threads here. Input and assumptions are
    /// allowed; a global that it does not write is undefined, and reading it faults.
    pub init: Vec<Statement>,
    /// Every procedure.
    pub procedures: IdVec<ProcId, Procedure>,
    /// Where the first thread starts; it takes no parameters.
    pub main: ProcId,
    /// How many bytes a pointer takes in memory.
    pub pointer_bytes: u32,
    /// How many bytes at the start of every object never change once another thread can see the object, but in atomic
    /// sections that alone access them there: what class it is of, how many elements it has.
    pub header_bytes: u32,
    /// Whether the return of the main procedure ends every thread (C), or only the first (Java).
    pub main_ends_all: bool,
    /// Whose rules hold for what its language leaves open.
    pub rules: Rules,
    /// How objects are told to the user, by what is at their start; nothing else depends on it.
    pub classes: Vec<ObjectClass>,
    /// What its variables and memory are in the source; nothing but reports depends on it.
    pub shapes: Shapes,
    /// What its meaning takes for granted, such as what a function does that is not there: a proof about the program
    /// is one under these assumptions.
    pub assumptions: Vec<Assumption>,
    /// What the user should know of how it was read, whatever the verdict; nothing else depends on it.
    pub remarks: Vec<Remark>,
}

/// How the objects of a class lie in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectClass {
    /// What it is called in the source.
    pub name: String,
    /// The number at the start of its objects, an `i32`.
    pub number: i32,
    /// Its fields.
    pub fields: Vec<ObjectField>,
    /// Where elements start, and their type, if its objects are arrays.
    pub elements: Option<(u32, Type)>,
}

/// A field of the objects of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectField {
    /// What it is called in the source.
    pub name: String,
    /// How many bytes are before it.
    pub offset: u32,
    /// Its type.
    pub ty: Type,
}

/// Something taken for granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// A sentence for the user.
    pub text: String,
    /// What it is about.
    pub span: Option<Span>,
}

/// Something that the user should know of how a program was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// A sentence for the user.
    pub text: String,
    /// What it is about.
    pub span: Option<Span>,
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the source. Unique among the globals, and among the locals of one procedure.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whose it is.
    pub scope: Scope,
    /// What it is for.
    pub role: Role,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// Whose a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Every thread sees it.
    Global,
    /// Each activation of the procedure has its own.
    Local(ProcId),
}

/// What a variable is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Data, which engines may abstract.
    Data,
    /// Finite control, which they keep explicit.
    Control,
    /// Data of which each thread has its own; for globals. The first thread's is written by `init`, that of another
    /// has no value at first.
    Own,
}

/// A procedure: a control-flow automaton.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Procedure {
    /// Its name in the source. Unique.
    pub name: String,
    /// Its parameters, in order: locals of its own.
    pub parameters: Vec<VarId>,
    /// The local whose value at the exit is the result.
    pub result: Option<VarId>,
    /// Its locations.
    pub locations: IdVec<LocId, Location>,
    /// Its edges.
    pub edges: IdVec<EdgeId, Edge>,
    /// Where an activation starts.
    pub entry: LocId,
    /// Where it returns; no edge leaves it.
    pub exit: LocId,
    /// Where it is defined.
    pub span: Option<Span>,
}

/// A location of a procedure.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    /// What it is called in the source, where it has a name there.
    pub name: Option<String>,
    /// What has gone wrong when an execution is here; no edge leaves an error location.
    pub error: Option<Failure>,
    /// Where it is.
    pub span: Option<Span>,
}

/// What has gone wrong at an error location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The kind of error.
    pub kind: ErrorKind,
    /// What the user reads.
    pub message: String,
}

/// An edge: one indivisible step from one location to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// From where.
    pub source: LocId,
    /// To where.
    pub target: LocId,
    /// What it is called in the source, where it has a name there.
    pub label: Option<String>,
    /// What it does, in order.
    pub block: Vec<Statement>,
    /// Where it is.
    pub span: Option<Span>,
    /// Where statements of the block are that are elsewhere: from which one on, and where. Reports tell executions line
    /// by line with it; nothing else depends on it.
    pub places: Vec<(u32, Span)>,
}

impl Program {
    /// Whether it looks for objects on the heap that are lost: every pointer that a variable holds counts then.
    pub fn tracks_heap(&self) -> bool {
        let edges = self.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        let mut statements = edges.flat_map(|edge| edge.block.iter());
        statements.any(|statement| statement.expressions().into_iter().any(Expr::looks_for_lost))
    }

    /// Whether threads are started.
    pub fn starts_threads(&self) -> bool {
        let edges = self.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        edges.flat_map(|edge| edge.block.iter()).any(|statement| matches!(statement, Statement::Spawn { .. }))
    }

    /// Whether an object has the same address for as long as a pointer to it is held, and no other one has: so it is where
    /// objects are collected and not freed.
    pub fn keeps_addresses(&self) -> bool {
        self.header_bytes > 0
    }

    /// Whether the front end has put a check before every access that could be invalid, as for Java: objects with a
    /// header are only accessed through references, which lead to an object or are null.
    pub fn checks_accesses(&self) -> bool {
        self.header_bytes > 0
    }

    /// The variables that are not of a procedure.
    pub fn globals(&self) -> impl Iterator<Item = VarId> {
        self.variables.enumerate().filter(|(_, v)| v.scope == Scope::Global).map(|(id, _)| id)
    }

    /// The variables of a procedure, parameters included.
    pub fn locals(&self, procedure: ProcId) -> impl Iterator<Item = VarId> {
        self.variables.enumerate().filter(move |(_, v)| v.scope == Scope::Local(procedure)).map(|(id, _)| id)
    }

    /// The procedure of that name.
    pub fn find_procedure(&self, name: &str) -> Option<ProcId> {
        self.procedures.enumerate().find(|(_, p)| p.name == name).map(|(id, _)| id)
    }

    /// The error locations that violate the property.
    pub fn violations<'a>(&'a self, property: &'a Property) -> impl Iterator<Item = (ProcId, LocId)> + 'a {
        self.procedures.enumerate().flat_map(move |(p, procedure)| {
            let here = procedure.locations.enumerate();
            here.filter(|(_, l)| l.error.as_ref().is_some_and(|e| property.counts(&e.kind))).map(move |(l, _)| (p, l))
        })
    }
}

impl Procedure {
    /// For each location, the edges that leave it, in order.
    pub fn outgoing(&self) -> IdVec<LocId, Vec<EdgeId>> {
        let mut out: IdVec<LocId, Vec<EdgeId>> = self.locations.iter().map(|_| Vec::new()).collect();
        for (id, edge) in self.edges.enumerate() {
            out[edge.source].push(id);
        }
        out
    }

    /// The locations that some locations lead to, these among them.
    pub fn reached_from(&self, starts: impl IntoIterator<Item = LocId>) -> FxHashSet<LocId> {
        let outgoing = self.outgoing();
        let (mut reached, mut waiting) = (FxHashSet::default(), starts.into_iter().collect::<Vec<_>>());
        while let Some(location) = waiting.pop() {
            if reached.insert(location) {
                waiting.extend(outgoing[location].iter().map(|edge| self.edges[*edge].target));
            }
        }
        reached
    }
}

impl Edge {
    /// Where a statement of the block is, by its number.
    pub fn place_of(&self, statement: usize) -> Option<Span> {
        let before = self.places.iter().rev().find(|(first, _)| *first as usize <= statement);
        before.map(|(_, span)| *span).or(self.span)
    }

    /// Appends what another edge does.
    pub fn append(&mut self, other: Edge) {
        let shift = self.block.len() as u32;
        let start = other.span.map(|span| (0, span));
        for (first, span) in start.into_iter().chain(other.places) {
            let last = self.places.last().map(|(_, span)| *span).or(self.span);
            if last != Some(span) {
                self.places.push((first + shift, span));
            }
        }
        self.block.extend(other.block);
        self.tidy_places();
    }

    /// Keeps the statements of which the flag, by their number, is set.
    pub fn retain(&mut self, keep: &[bool]) {
        for (first, _) in &mut self.places {
            let dropped = keep.iter().take(*first as usize).filter(|kept| !**kept).count();
            *first -= dropped as u32;
        }
        let mut keep = keep.iter();
        self.block.retain(|_| keep.next().copied().unwrap_or(true));
        self.tidy_places();
    }

    /// One place for a statement, the last one said, and none after the block.
    fn tidy_places(&mut self) {
        let statements = self.block.len();
        self.places.retain(|(first, _)| (*first as usize) < statements);
        self.places.reverse();
        self.places.dedup_by_key(|(first, _)| *first);
        self.places.reverse();
    }

    /// The call that the edge makes, where it makes one.
    pub fn call(&self) -> Option<(Option<VarId>, ProcId, &[Expr])> {
        match self.block.as_slice() {
            [Statement::Call { target, callee, arguments }] => Some((*target, *callee, arguments)),
            _ => None,
        }
    }
}
