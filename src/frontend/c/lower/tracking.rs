//! Objects on the heap that are lost. What is lost stays lost, so that it is enough to look where an execution goes back
//! or ends; pointers in variables whose life has ended are overwritten before.

use super::external::has_pointer;
use super::{Lower, Storage};
use crate::frontend::c::tree::{LabelId, ObjectId};
use crate::program::{
    Edge, EdgeId, ErrorKind, Expr, Failure, LocId, Location, OFFSET, ProcId, Procedure, Program, Region, Statement,
    Type, UnaryOp, VarId,
};
use crate::term::Integer;
use rustc_hash::FxHashMap;

/// What an error says of an object that is lost.
const LOST: &str = "nothing points to an object on the heap any more";

/// The variables whose lives end before those of their activation.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    /// The pointers of the blocks around, the outermost first, and the truth values of which variables have a value.
    blocks: Vec<Vec<VarId>>,
    /// How many blocks are around the loops and switches around.
    pub breaks: Vec<usize>,
    /// How many are around the loops around.
    pub continues: Vec<usize>,
    /// Jumps to labels: the edge, and the pointers of the blocks around it.
    jumps: Vec<(EdgeId, LabelId, Vec<VarId>)>,
    /// The pointers of the blocks around labels.
    labels: FxHashMap<LabelId, Vec<VarId>>,
    /// Whether the next block is one whose variables its value may be of.
    pub gives_value: bool,
    /// The pointers of such blocks, up to the end of the statement.
    pub values: Vec<VarId>,
    /// Objects for values, with their sizes: those that are in use, and those that are not any more.
    used_rooms: Vec<(VarId, Expr)>,
    free_rooms: Vec<(VarId, Expr)>,
    /// Objects in memory that can hold pointers, with their sizes.
    holders: FxHashMap<VarId, Expr>,
}

impl Scopes {
    /// How many blocks are around.
    pub(super) fn depth(&self) -> usize {
        self.blocks.len()
    }

    /// Notes an object of so many bytes for a value that is needed until the end of the statement.
    pub(super) fn use_room(&mut self, room: VarId, bytes: Expr) {
        self.used_rooms.push((room, bytes));
    }

    /// How many such objects are in use.
    pub(super) fn rooms_in_use(&self) -> usize {
        self.used_rooms.len()
    }

    /// All but so many are not needed any more.
    pub(super) fn release_rooms(&mut self, but: usize) {
        self.free_rooms.extend(self.used_rooms.split_off(but));
    }

    fn visible(&self) -> Vec<VarId> {
        self.blocks.iter().flatten().copied().collect()
    }
}

impl Lower<'_> {
    /// Whether lost objects are looked for in what is lowered; functions of the library come to an end.
    pub(super) fn is_tracking(&self) -> bool {
        self.options.checks.tracking && !self.inside_init && self.current < self.user_units
    }

    /// Goes to an error if an object on the heap is lost here.
    pub(super) fn check_lost(&mut self, at_end: bool) {
        if !self.is_tracking() || !self.is_reached() {
            return;
        }
        self.forget_temporaries();
        self.separate();
        let lost = Expr::unary(UnaryOp::HasLost, Expr::Bool(at_end));
        self.check(lost.negate(), ErrorKind::Leak, LOST.to_owned());
    }

    /// Overwrites the temporaries that hold nothing any more.
    pub(super) fn forget_temporaries(&mut self) {
        if self.is_tracking() && self.is_reached() {
            let free = self.free_pointers();
            self.forget(free);
            for (room, bytes) in self.body.scopes.free_rooms.clone() {
                let byte = Expr::Int(Integer::ZERO, Type::machine(8, false));
                self.emit_visible(Statement::Fill { target: Expr::Var(room), byte, bytes });
            }
        }
    }

    /// The lives of these variables end.
    fn forget(&mut self, mut variables: Vec<VarId>) {
        variables.sort_unstable();
        variables.dedup();
        if self.is_reached() {
            for statement in self.ending(&variables) {
                match statement {
                    Statement::Fill { .. } => self.emit_visible(statement),
                    statement => self.emit(statement),
                }
            }
        }
    }

    /// What overwrites these variables, and objects, where that matters.
    fn ending(&self, variables: &[VarId]) -> Vec<Statement> {
        let held = |variable: &VarId| Some((*variable, self.body.scopes.holders.get(variable)?.clone()));
        let byte = Expr::Int(Integer::ZERO, Type::machine(8, false));
        let fill = |(room, bytes)| Statement::Fill { target: Expr::Var(room), byte: byte.clone(), bytes };
        let fills = variables.iter().filter_map(held).map(fill);
        let is_variable = |variable: &&VarId| !self.body.scopes.holders.contains_key(*variable);
        let pairs: Vec<_> = variables.iter().filter(is_variable).filter_map(|variable| self.ended(*variable)).collect();
        let assigned = (!pairs.is_empty()).then_some(Statement::Assign(pairs));
        assigned.into_iter().chain(fills).collect()
    }

    /// What a variable holds when its life has ended, where that matters.
    fn ended(&self, variable: VarId) -> Option<(VarId, Expr)> {
        if self.body.reads.has(variable) {
            return Some((variable, Expr::Bool(false)));
        }
        self.is_tracking().then_some((variable, Expr::Null))
    }

    /// Enters a block with these objects.
    pub(super) fn enter_block(&mut self, objects: &[ObjectId]) {
        let mut ending = Vec::new();
        for object in objects {
            let Some(storage) = self.body.locals.get(object).copied() else { continue };
            let (Storage::Variable(variable) | Storage::Memory(variable)) = storage;
            let is_variable = matches!(storage, Storage::Variable(_));
            let is_pointer = is_variable && self.program.variables[variable].ty == Type::Pointer;
            ending.extend(is_pointer.then_some(variable));
            ending.extend(self.holder(*object, storage));
            ending.extend(self.body.reads.of(variable));
        }
        self.body.scopes.blocks.push(ending);
    }

    /// The variable that points to an object, if the object can hold pointers and its life matters.
    fn holder(&mut self, object: ObjectId, storage: Storage) -> Option<VarId> {
        let Storage::Memory(pointer) = storage else { return None };
        let types = &self.unit.types;
        let ty = self.unit.objects[object].ty;
        if !self.is_tracking() || types.is_variable_length(ty) || !has_pointer(types, ty) {
            return None;
        }
        let size = Expr::Int(Integer::from(i64::try_from(*self.sizes.get(&pointer)?).ok()?), OFFSET);
        self.body.scopes.holders.insert(pointer, size);
        Some(pointer)
    }

    /// Leaves it: the lives of its objects end, after the statement where its value may be of them. Those of the outermost
    /// block end with their activation.
    pub(super) fn leave_block(&mut self, gives_value: bool) {
        let ending = self.body.scopes.blocks.pop().unwrap_or_default();
        if gives_value {
            self.body.scopes.values.extend(ending);
        } else if self.body.scopes.depth() > 0 {
            self.forget(ending);
        }
    }

    /// The statement ends whose blocks with values there are these many of.
    pub(super) fn end_statement(&mut self, before: usize) {
        let ending = self.body.scopes.values.split_off(before);
        self.forget(ending);
    }

    /// Control leaves the blocks but for so many.
    pub(super) fn leave_blocks(&mut self, depth: usize) {
        let ending = self.body.scopes.blocks[depth..].iter().flatten().copied().collect();
        self.forget(ending);
    }

    /// A label is here.
    pub(super) fn note_label(&mut self, label: LabelId) {
        let visible = self.body.scopes.visible();
        self.body.scopes.labels.insert(label, visible);
    }

    /// Control is about to jump to a label, perhaps back.
    pub(super) fn jump_to_label(&mut self, label: LabelId) {
        if !self.is_reached() || !self.is_tracking() && self.body.reads.is_empty() {
            return;
        }
        let (source, target) = (self.here(), self.location());
        let span = self.body.span;
        let edge =
            self.body.edges.push(Edge { source, target, label: None, block: Vec::new(), span, places: Vec::new() });
        self.start_at(target);
        let visible = self.body.scopes.visible();
        self.body.scopes.jumps.push((edge, label, visible));
        self.check_lost(false);
    }

    /// With all labels known: jumps end the lives of what is not visible where they lead.
    pub(super) fn finish_jumps(&mut self) {
        let jumps = std::mem::take(&mut self.body.scopes.jumps);
        for (edge, label, from) in jumps {
            let Some(to) = self.body.scopes.labels.get(&label) else { continue };
            let left = from.into_iter().filter(|variable| !to.contains(variable));
            let left: Vec<VarId> = left.collect();
            self.body.edges[edge].block = self.ending(&left);
        }
    }
}

/// Whether anything is made on the heap.
pub(super) fn has_heap(program: &Program) -> bool {
    let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    let mut statements = program.init.iter().chain(edges.flat_map(|edge| edge.block.iter()));
    statements.any(|statement| matches!(statement, Statement::Allocate { region: Region::Heap, .. }))
}

/// Looks for no lost objects, as there are none.
pub(super) fn remove_checks(program: &mut Program) {
    let looks = |statement: &Statement| statement.expressions().into_iter().any(Expr::looks_for_lost);
    for procedure in program.procedures.iter_mut() {
        let is_lost = |location: LocId, procedure: &Procedure| {
            let failure = procedure.locations[location].error.as_ref();
            failure.is_some_and(|failure| failure.message == LOST)
        };
        let lost: Vec<LocId> = procedure.locations.ids().filter(|id| is_lost(*id, procedure)).collect();
        for edge in procedure.edges.iter_mut() {
            match lost.contains(&edge.target) {
                true => edge.block = vec![Statement::Assume(Expr::Bool(false))],
                false => edge.block.retain(|statement| !looks(statement)),
            }
        }
        lost.into_iter().for_each(|location| procedure.locations[location].error = None);
    }
}

/// Looks for lost objects at the start of every recursive procedure: a recursion may go on for ever.
pub(super) fn check_recursion(program: &mut Program) {
    let callees = |id: ProcId| program.procedures[id].edges.iter().filter_map(|edge| Some(edge.call()?.1));
    let is_recursive = |id: &ProcId| {
        let (mut seen, mut open) = (vec![], vec![*id]);
        while let Some(next) = open.pop() {
            for callee in callees(next) {
                if callee == *id {
                    return true;
                }
                if !seen.contains(&callee) {
                    seen.push(callee);
                    open.push(callee);
                }
            }
        }
        false
    };
    let recursive: Vec<ProcId> = program.procedures.ids().filter(is_recursive).collect();
    for id in recursive {
        let procedure = &mut program.procedures[id];
        let span = procedure.locations[procedure.entry].span;
        let failure = Failure { kind: ErrorKind::Leak, message: LOST.to_owned() };
        let error = procedure.locations.push(Location { name: None, error: Some(failure), span });
        let entry = procedure.locations.push(Location { name: None, error: None, span });
        let lost = Expr::unary(UnaryOp::HasLost, Expr::Bool(false));
        let mut edge = |target: LocId, condition: Expr| {
            let block = vec![Statement::Assume(condition)];
            procedure.edges.push(Edge { source: entry, target, label: None, block, span, places: Vec::new() });
        };
        edge(procedure.entry, lost.clone().negate());
        edge(error, lost);
        procedure.entry = entry;
    }
}
